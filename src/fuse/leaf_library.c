/* SPDX-License-Identifier: MIT
 *
 * A plugin, as the maker of fused code sees it: which sources it comes from, whether these are
 * still the same, and which of its functions has which name. */
#define _GNU_SOURCE /* dladdr */
#include "fuse/leaves_internal.h"

#include "base/cflags.h"
#include "base/embed.h"
#include "base/file.h"
#include "format/sha256.h"
#include "fuse/fuse_headers.h"

#include <ctype.h>
#include <dlfcn.h>
#include <string.h>

/* ---- is it what it was? ---- */

/* What a plugin was built with of hocket's own must be what fused code is built with. */
static const char *judge_hocket(hk_arena *arena, const hk_plugin_note *note) {
    for (size_t i = 0; i < note->hocket_count; i++) {
        char hex[65] = "";
        const hk_embedded *own = hk_fuse_header(note->hocket[i].name);
        if (own)
            hk_sha256_hex(own->data, own->size, hex);
        if (strcmp(hex, note->hocket[i].sha256) != 0)
            return hk_arena_printf(arena, "it was built with another '%s' than that of this hocket",
                                   note->hocket[i].name);
    }
    return NULL;
}

/* A variable outside of the struct of a component would be there twice: once where the plugin's
 * own functions see it, once in fused code. */
static const char *judge_variables(hk_arena *arena, const hk_elf_symbols *symbols) {
    for (size_t i = 0; i < symbols->count; i++) {
        const hk_elf_symbol *s = &symbols->all[i];
        if (s->variable)
            return hk_arena_printf(arena,
                                   "its variable '%.*s'%s%s is not part of a component, and "
                                   "fused code would have one of its own",
                                   (int)strcspn(s->name, "."), s->name, s->file ? " of " : "",
                                   s->file ? s->file : "");
    }
    return NULL;
}

static const char *judge_needed(hk_arena *arena, const hk_elf *elf) {
    static const char *const usual[] = {"libc.so",  "libm.so",       "libgcc_s.so", "libstdc++.so",
                                        "libdl.so", "libpthread.so", "ld-linux",    "librt.so"};
    for (size_t i = 0; i < elf->needed_count; i++) {
        bool known = false;
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            known |= strncmp(elf->needed[i], usual[k], strlen(usual[k])) == 0;
        if (!known)
            return hk_arena_printf(arena, "it is linked with '%s'", elf->needed[i]);
    }
    return NULL;
}

static const char *judge_note(hk_arena *arena, const hk_plugin_note *note, const char *path) {
    const char *flags = hk_plugin_note_difference(arena, note);
    if (flags)
        return hk_arena_printf(arena, "it was built %s", flags);
    const char *word = hk_cflags_unknown(arena, note->flags, true);
    if (!word && note->cxx_flags)
        word = hk_cflags_unknown(arena, note->cxx_flags, true);
    if (word)
        return hk_arena_printf(arena, "it was built with %s, and fused code is not", word);
    const char *why = hk_plugin_note_stale(arena, note, path);
    return why ? why : judge_hocket(arena, note);
}

static const char *judge(hk_arena *arena, hk_leaf_library *library, const char *data, size_t size) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const hk_elf *elf = NULL;
    const char *text = NULL, *why = NULL;
    size_t length = 0;
    if (hk_elf_read(quiet, arena, library->path, data, size, &elf) != HK_OK)
        why = "it is not an ELF library";
    else if (!hk_elf_section(data, size, HK_PLUGIN_SECTION, &text, &length))
        why = "it carries no note of its sources; 'hocket build' and hocket_add_plugin write one";
    else if (hk_plugin_note_parse(quiet, arena, library->path,
                                  hk_arena_strndup(arena, text, length), &library->note) != HK_OK)
        why = "the note that it carries is damaged";
    hk_ctx_destroy(quiet);
    if (why)
        return why;
    library->symbols = hk_elf_read_symbols(arena, data, size);
    library->imports = elf->imports;
    library->import_count = elf->import_count;
    if (!library->symbols.count)
        return "it was stripped of its symbols";
    library->note = hk_plugin_note_place(arena, library->note, library->path);
    why = judge_note(arena, library->note, library->path);
    if (!why)
        why = judge_needed(arena, elf);
    return why ? why : judge_variables(arena, &library->symbols);
}

static void list_sources(hk_arena *arena, hk_leaf_library *library) {
    const hk_plugin_note *note = library->note;
    library->sources = HK_NEW_ARRAY(arena, hk_leaf_source, note->source_count);
    library->source_count = note->source_count;
    for (size_t i = 0; i < note->source_count; i++) {
        const char *path = hk_plugin_file_path(arena, note, note->sources[i].name);
        library->sources[i] = (hk_leaf_source){.path = path, .name = hk_path_name(path)};
        if (strpbrk(path, "\"\\\n"))
            library->why = "the path of its sources cannot be written in C";
    }
}

void hk_leaf_library_open(hk_arena *arena, const char *path, const void *step,
                          hk_leaf_library *ret_library) {
    hk_leaf_library library = {.path = path};
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    char *data = NULL;
    size_t size = 0;
    Dl_info loaded;
    if (dladdr(step, &loaded) == 0 || !loaded.dli_fbase)
        library.why = "it is not known where it is loaded";
    else if (hk_file_read(quiet, path, 0, &data, &size) != HK_OK)
        library.why = "its file cannot be read any more";
    hk_ctx_destroy(quiet);
    if (!library.why) {
        library.base = (uintptr_t)loaded.dli_fbase;
        library.why = judge(arena, &library, data, size);
        hk_free(data);
    }
    if (!library.why)
        list_sources(arena, &library);
    *ret_library = library;
}

/* ---- names ---- */

const hk_elf_symbol *hk_leaf_symbol(const hk_leaf_library *library, const void *address,
                                    bool function) {
    const hk_elf_symbol *found = NULL;
    uint64_t at = (uintptr_t)address - library->base;
    for (size_t i = 0; i < library->symbols.count; i++) {
        const hk_elf_symbol *s = &library->symbols.all[i];
        if (s->address != at || s->function != function)
            continue;
        if (found && (!found->file || !s->file || strcmp(found->file, s->file) != 0))
            return NULL;
        found = found ? found : s;
    }
    return found;
}

hk_leaf_source *hk_leaf_source_of(hk_leaf_library *library, const hk_elf_symbol *symbol) {
    hk_leaf_source *found = NULL;
    for (size_t i = 0; symbol->file && i < library->source_count; i++) {
        hk_leaf_source *s = &library->sources[i];
        if (strcmp(s->name, hk_path_name(symbol->file)) != 0)
            continue;
        if (found)
            return NULL;
        found = s;
    }
    return found;
}

static bool is_identifier(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            return false;
    return length && !isdigit((unsigned char)name[0]);
}

/* A name and its length in front of it, as C++ writes it: "4step"; *AT moves behind it. */
static bool take_part(const char **at, const char **ret_part, size_t *ret_length) {
    size_t length = 0;
    const char *c = *at;
    for (; isdigit((unsigned char)*c) && length < 1000; c++)
        length = 10 * length + (size_t)(*c - '0');
    if (!length || strlen(c) < length || !is_identifier(c, length))
        return false;
    *ret_part = c;
    *ret_length = length;
    *at = c + length;
    return true;
}

/* "_ZL9tank_stepPvdd", "_ZN5plant4stepEPvdd", "_ZN12_GLOBAL__N_19tank_stepEPvdd": functions of a
 * pointer and two doubles, in namespaces if need be. Everything else stays as it is. */
static const char *from_cpp(hk_arena *arena, const char *name) {
    static const char unnamed[] = "_GLOBAL__N_1";
    const char *at = name + 2, *part, *text = "";
    size_t length;
    bool nested = *at == 'N';
    at += nested || *at == 'L';
    do {
        at += nested && *at == 'L';
        if (!take_part(&at, &part, &length))
            return NULL;
        if (strlen(unnamed) != length || strncmp(part, unnamed, length) != 0)
            text = hk_arena_printf(arena, "%s::%.*s", text, (int)length, part);
    } while (nested && *at != 'E');
    return strcmp(at + nested, "Pvdd") == 0 ? text : NULL;
}

const char *hk_leaf_source_name(hk_arena *arena, const char *name, bool cpp) {
    if (is_identifier(name, strlen(name)) && strncmp(name, "_Z", 2) != 0)
        return name;
    return cpp && strncmp(name, "_Z", 2) == 0 ? from_cpp(arena, name) : NULL;
}
