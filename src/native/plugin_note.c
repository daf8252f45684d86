/* SPDX-License-Identifier: MIT */
#include "native/plugin_note.h"

#include "base/cflags.h"
#include "base/file.h"
#include "format/elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEX = 64, LIBRARY_BYTES_MAX = 1 << 30 };
static const char head[] = "hocket-plugin 1";

/* ---- reading ---- */

typedef struct texts {
    const char **list;
    size_t count, cap;
} texts;

typedef struct files {
    hk_plugin_file *list;
    size_t count, cap;
} files;

/* The note in hand; lists are copied to the arena at its end. */
typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    int line;
    hk_plugin_note *note;
    texts defines, includes;
    files sources, headers, hocket;
} reader;

static hk_status damaged(const reader *r, const char *what) {
    return hk_error(r->ctx, HK_E_PLUGIN, (hk_where){.file = r->file},
                    "build the plugin again: hocket build, or hocket_add_plugin of CMake",
                    "the note that it carries is damaged: line %d %s", r->line, what);
}

/* "NAME SHA256": the name may have blanks. */
static hk_status read_file(reader *r, const char *value, files *list) {
    size_t length = strlen(value);
    if (length < HEX + 2 || value[length - HEX - 1] != ' ' ||
        strspn(value + length - HEX, "0123456789abcdef") != HEX)
        return damaged(r, "is not a name and a SHA-256");
    hk_plugin_file file = {.name = hk_arena_strndup(r->arena, value, length - HEX - 1),
                           .sha256 = value + length - HEX};
    HK_PUSH(list->list, list->count, list->cap, file);
    return HK_OK;
}

static bool is_word(const char *line, size_t length, const char *word) {
    return strlen(word) == length && strncmp(line, word, length) == 0;
}

/* Lines with words of later versions are for later readers. */
static hk_status read_line(reader *r, const char *line) {
    hk_plugin_note *note = r->note;
    size_t length = strcspn(line, " ");
    const char *value = line[length] ? line + length + 1 : line + length;
    const struct {
        const char *word, **to;
    } singles[] = {{"compiler", &note->compiler},
                   {"flags", &note->flags},
                   {"cxx-compiler", &note->cxx_compiler},
                   {"cxx-flags", &note->cxx_flags},
                   {"folder", &note->folder}};
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        if (!is_word(line, length, singles[i].word))
            continue;
        if (*singles[i].to)
            return damaged(r, "says the same thing again");
        *singles[i].to = value;
        return HK_OK;
    }
    if (is_word(line, length, "define"))
        HK_PUSH(r->defines.list, r->defines.count, r->defines.cap, value);
    else if (is_word(line, length, "include"))
        HK_PUSH(r->includes.list, r->includes.count, r->includes.cap, value);
    else if (is_word(line, length, "source"))
        return read_file(r, value, &r->sources);
    else if (is_word(line, length, "header"))
        return read_file(r, value, &r->headers);
    else if (is_word(line, length, "hocket"))
        return read_file(r, value, &r->hocket);
    return HK_OK;
}

static hk_status read_lines(reader *r, const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        const char *line = hk_arena_strndup(r->arena, text, length);
        r->line++;
        if (r->line == 1 && strcmp(line, head) != 0)
            return hk_error(r->ctx, HK_E_PLUGIN, (hk_where){.file = r->file},
                            "build the plugin with this hocket",
                            "the note that it carries is not of this version: it begins with "
                            "'%.40s', not with '%s'",
                            line, head);
        if (r->line > 1)
            HK_TRY(read_line(r, line));
        text += length + (text[length] == '\n');
    }
    r->line++;
    const hk_plugin_note *note = r->note;
    if (!note->compiler || !note->flags || !note->folder || !r->sources.count)
        return damaged(r, "is missing: compiler, flags, folder and a source must be there");
    if (!note->cxx_compiler != !note->cxx_flags)
        return damaged(r, "is missing: cxx-compiler and cxx-flags belong together");
    return HK_OK;
}

static const void *keep(hk_arena *arena, void *list, size_t count, size_t size) {
    void *copy = hk_arena_alloc(arena, (count + 1) * size);
    if (count)
        memcpy(copy, list, count * size);
    hk_free(list);
    return copy;
}

hk_status hk_plugin_note_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *text,
                               const hk_plugin_note **ret_note) {
    hk_plugin_note *note = HK_NEW(arena, hk_plugin_note);
    reader r = {.ctx = ctx, .arena = arena, .file = file, .note = note};
    hk_status status = read_lines(&r, text);
    note->define_count = r.defines.count;
    note->defines = keep(arena, r.defines.list, r.defines.count, sizeof *r.defines.list);
    note->include_count = r.includes.count;
    note->includes = keep(arena, r.includes.list, r.includes.count, sizeof *r.includes.list);
    note->source_count = r.sources.count;
    note->sources = keep(arena, r.sources.list, r.sources.count, sizeof *r.sources.list);
    note->header_count = r.headers.count;
    note->headers = keep(arena, r.headers.list, r.headers.count, sizeof *r.headers.list);
    note->hocket_count = r.hocket.count;
    note->hocket = keep(arena, r.hocket.list, r.hocket.count, sizeof *r.hocket.list);
    if (status == HK_OK)
        *ret_note = note;
    return status;
}

hk_status hk_plugin_note_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                              const hk_plugin_note **ret_note) {
    char *data = NULL;
    const char *found = NULL;
    size_t size = 0, length = 0;
    HK_TRY(hk_file_read(ctx, path, LIBRARY_BYTES_MAX, &data, &size));
    if (hk_elf_section(data, size, HK_PLUGIN_SECTION, &found, &length))
        found = hk_arena_strndup(arena, found, length); /* up to its first NUL */
    hk_free(data);
    if (found)
        return hk_plugin_note_parse(ctx, arena, path, found, ret_note);
    *ret_note = NULL;
    return HK_OK;
}

/* ---- writing ---- */

static void put_files(FILE *out, const char *word, const hk_plugin_file *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s %s %s\n", word, list[i].name, list[i].sha256);
}

/* What was written to memory, moved to the arena. */
static const char *taken(hk_arena *arena, FILE *out, char **text) {
    fclose(out);
    const char *copy = hk_arena_strdup(arena, *text);
    free(*text);
    return copy;
}

const char *hk_plugin_note_text(hk_arena *arena, const hk_plugin_note *note) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out && note->compiler && note->flags && note->folder && note->source_count);
    fprintf(out, "%s\ncompiler %s\nflags %s\n", head, note->compiler, note->flags);
    if (note->cxx_compiler)
        fprintf(out, "cxx-compiler %s\ncxx-flags %s\n", note->cxx_compiler, note->cxx_flags);
    fprintf(out, "folder %s\n", note->folder);
    for (size_t i = 0; i < note->define_count; i++)
        fprintf(out, "define %s\n", note->defines[i]);
    for (size_t i = 0; i < note->include_count; i++)
        fprintf(out, "include %s\n", note->includes[i]);
    put_files(out, "source", note->sources, note->source_count);
    put_files(out, "header", note->headers, note->header_count);
    put_files(out, "hocket", note->hocket, note->hocket_count);
    return taken(arena, out, &text);
}

const char *hk_plugin_note_unit(hk_arena *arena, const char *text) {
    char *unit = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&unit, &size);
    HK_ASSERT(out);
    /* cmake/package/hocketNote.cmake writes the same lines. `retain` keeps the section where a
     * linker drops what nobody refers to. */
    fputs("#if defined __has_attribute\n"
          "#if __has_attribute(retain)\n"
          "#define KEPT __attribute__((section(\"" HK_PLUGIN_SECTION "\"), used, retain))\n"
          "#endif\n"
          "#endif\n"
          "#ifndef KEPT\n"
          "#define KEPT __attribute__((section(\"" HK_PLUGIN_SECTION "\"), used))\n"
          "#endif\n"
          "static const char note[] KEPT =\n    \"",
          out);
    for (const char *c = text; *c; c++) {
        if (*c == '\n')
            fputs(c[1] ? "\\n\"\n    \"" : "\\n", out);
        else if (strchr("\\\"?", *c)) /* of "??/" old standards make a backslash */
            fprintf(out, "\\%c", *c);
        else
            fputc(*c, out);
    }
    fputs("\";\n", out);
    return taken(arena, out, &unit);
}

const char *hk_plugin_note_difference(hk_arena *arena, const hk_plugin_note *note) {
    const char *first = hk_cflags_difference(arena, note->flags);
    const char *second = note->cxx_flags ? hk_cflags_difference(arena, note->cxx_flags) : NULL;
    if (!first || !second || strcmp(first, second) == 0)
        return first ? first : second;
    return hk_arena_printf(arena, "%s; C++: %s", first, second);
}

hk_status hk_plugin_library(hk_ctx *ctx, hk_arena *arena, const char *path, bool quick,
                            const hk_library **ret_library) {
    const hk_plugin_note *note = NULL;
    HK_TRY(hk_plugin_note_read(ctx, arena, path, &note));
    hk_library *library = HK_NEW(arena, hk_library);
    library->file = hk_arena_strdup(arena, hk_path_name(path));
    library->path = hk_path_absolute(arena, path);
    *ret_library = library;
    if (!note)
        return HK_OK;
    library->compiler = note->compiler;
    library->flags = hk_cflags_short(arena, note->flags);
    library->cxx_compiler = note->cxx_compiler;
    library->cxx_flags = note->cxx_flags ? hk_cflags_short(arena, note->cxx_flags) : NULL;
    library->difference = hk_plugin_note_difference(arena, note);
    library->changed = hk_plugin_changed(arena, note, path, quick);
    return HK_OK;
}
