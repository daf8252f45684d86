/* SPDX-License-Identifier: MIT
 *
 * From the types of a model to C files that define their steps under names of ours. Each source of
 * a plugin becomes a unit that includes it, so that what is static in it can be called; sources are
 * not thrown together, since each has names of its own. */
#include "fuse/leaves_internal.h"

#include "base/cflags.h"
#include "base/compiler.h"
#include "base/file.h"
#include "base/map.h"
#include "fuse/fuse_headers.h"
#include "native/builtin.h"
#include "native/native.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is found; lists are copied to the arena at the end. */
typedef struct search {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_leaf *leaves;
    size_t leaf_count, leaf_cap;
    hk_leaf_library *libraries;
    size_t library_count, library_cap;
    hk_fuse_text *units;
    size_t unit_count, unit_cap;
    hk_leaf_unit *how;
    size_t how_count, how_cap;
    size_t named;           /* names given so far */
    hk_leaf_source builtin; /* what is called of the built-in types */
    const char *made_of;
} search;

const hk_leaf *hk_leaf_of(const hk_leaves *leaves, const hk_unit_type *type) {
    for (size_t i = 0; leaves && i < leaves->count; i++)
        if (leaves->all[i].type == type)
            return &leaves->all[i];
    return NULL;
}

/* ---- which leaf is what ---- */

static const void *address_of(int (*step)(void *, double, double)) {
    const void *address; /* POSIX has both in one space */
    memcpy(&address, &step, sizeof address);
    return address;
}

/* A name of ours for FROM in SOURCE, which says what it is of: each type has its own, also where
 * types share a function, so that the engine can tell one call from another. */
static const char *name_in(search *s, hk_leaf_source *source, const char *from, hk_leaf_kind kind,
                           const hk_unit_type *type) {
    char *to = hk_arena_printf(s->arena, "hk_%s_%zu_%s", kind == HK_LEAF_TABLE ? "table" : "leaf",
                               s->named++, kind == HK_LEAF_TABLE ? from : type->name);
    for (char *c = to; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    hk_leaf_name name = {.to = to, .from = from, .kind = kind};
    HK_PUSH(source->names, source->name_count, source->name_cap, name);
    return to;
}

/* The structs of functions that the type provides, where they are in SOURCE. */
static const char *const *find_services(search *s, hk_leaf_library *library,
                                        const hk_leaf_source *source, const hk_unit_type *type) {
    size_t count = HK_UNIT_HAS(type, services) ? type->service_count : 0;
    const char **names = HK_NEW_ARRAY(s->arena, const char *, count + 1);
    bool any = false;
    for (size_t i = 0; i < count && !hk_is_cpp_name(source->path); i++) {
        const void *functions = type->services[i].functions;
        const hk_elf_symbol *symbol = functions ? hk_leaf_symbol(library, functions, false) : NULL;
        hk_leaf_source *at = symbol ? hk_leaf_source_of(library, symbol) : NULL;
        const char *name = at ? hk_leaf_source_name(s->arena, symbol->name, false) : NULL;
        if (name)
            names[i] = name_in(s, at, name, HK_LEAF_TABLE, type);
        any |= name != NULL;
    }
    return any ? names : NULL;
}

static hk_leaf find_in_library(search *s, hk_leaf_library *library, const hk_unit_type *type) {
    hk_leaf leaf = {.type = type, .why = library->why};
    if (library->why)
        return leaf;
    const hk_elf_symbol *symbol = hk_leaf_symbol(library, address_of(type->step), true);
    hk_leaf_source *source = symbol ? hk_leaf_source_of(library, symbol) : NULL;
    bool elsewhere = symbol && !symbol->file;
    for (size_t i = 0; elsewhere && !source && i < library->source_count; i++)
        if (!hk_is_cpp_name(library->sources[i].path) || library->source_count == 1)
            source = &library->sources[i]; /* what all see, any may call */
    const char *name =
        source ? hk_leaf_source_name(s->arena, symbol->name, hk_is_cpp_name(source->path)) : NULL;
    if (!symbol)
        leaf.why = "its step has no name, or several";
    else if (!source)
        leaf.why = hk_arena_printf(s->arena, "it is not known in which source its step '%s' is",
                                   symbol->name);
    else if (!name)
        leaf.why =
            hk_arena_printf(s->arena, "its step '%s' cannot be called by name", symbol->name);
    if (leaf.why)
        return leaf;
    leaf.services = find_services(s, library, source, type);
    leaf.step =
        name_in(s, source, name,
                elsewhere && library->source_count > 1 ? HK_LEAF_ELSEWHERE : HK_LEAF_STEP, type);
    return leaf;
}

static hk_leaf_library *library_at(search *s, const char *path, const hk_unit_type *type) {
    for (size_t i = 0; i < s->library_count; i++)
        if (strcmp(s->libraries[i].path, path) == 0)
            return &s->libraries[i];
    hk_leaf_library library;
    hk_leaf_library_open(s->arena, path, address_of(type->step), &library);
    HK_PUSH(s->libraries, s->library_count, s->library_cap, library);
    return &s->libraries[s->library_count - 1];
}

static hk_leaf find_builtin(search *s, const hk_unit_type *type) {
    const char *step = hk_builtin_step_name(type);
    if (step)
        return (hk_leaf){.type = type, .step = name_in(s, &s->builtin, step, HK_LEAF_STEP, type)};
    return (hk_leaf){.type = type, .why = "it is part of this program, and its source is not"};
}

static void find_types(search *s, const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        const hk_unit_type *type = hk_native_type_of(info);
        const hk_leaves known = {.all = s->leaves, .count = s->leaf_count};
        if (!type || hk_leaf_of(&known, type))
            continue;
        hk_leaf leaf = info->file ? find_in_library(s, library_at(s, info->file, type), type)
                                  : find_builtin(s, type);
        HK_PUSH(s->leaves, s->leaf_count, s->leaf_cap, leaf);
    }
}

/* ---- what is reported ---- */

static const hk_leaf_library *library_of(const search *s, const hk_model *model,
                                         const hk_unit_type *type) {
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        if (hk_native_type_of(info) != type || !info->file)
            continue;
        for (size_t k = 0; k < s->library_count; k++)
            if (strcmp(s->libraries[k].path, info->file) == 0)
                return &s->libraries[k];
    }
    return NULL;
}

/* One note for each plugin whose leaves are all called through pointers, and one for each other
 * type. */
static void tell(search *s, const hk_model *model) {
    for (size_t i = 0; i < s->library_count; i++)
        if (s->libraries[i].why)
            hk_note(s->ctx, (hk_where){.file = s->libraries[i].path},
                    "its steps are not fused but called: %s", s->libraries[i].why);
    for (size_t i = 0; i < s->leaf_count; i++) {
        const hk_leaf *leaf = &s->leaves[i];
        const hk_leaf_library *library = library_of(s, model, leaf->type);
        if (leaf->why && !(library && library->why))
            hk_note(s->ctx, (hk_where){.file = library ? library->path : NULL},
                    "the step of '%s' is not fused but called: %s", leaf->type->name, leaf->why);
    }
}

/* ---- names that two plugins have ---- */

/* What all sources of a plugin, and so all plugins, could see of each other. Of weak symbols
 * linkers take one, and nothing says that those of two plugins are the same. */
static bool is_shared(const hk_elf_symbol *symbol) {
    return !symbol->file;
}

static bool clashes(const hk_leaf_library *library, const char *name) {
    for (size_t i = 0; i < library->symbols.count; i++)
        if (is_shared(&library->symbols.all[i]) && strcmp(library->symbols.all[i].name, name) == 0)
            return true;
    return false;
}

/* Names of B that A has, too, are other ones in fused code. Those of C++ cannot be changed. */
static void separate(hk_arena *arena, const hk_leaf_library *a, hk_leaf_library *b) {
    for (size_t i = 0; i < b->symbols.count && !a->why && !b->why; i++) {
        const hk_elf_symbol *symbol = &b->symbols.all[i];
        if (!is_shared(symbol) || !clashes(a, symbol->name))
            continue;
        if (!hk_leaf_source_name(arena, symbol->name, false))
            b->why = hk_arena_printf(arena, "its '%s' is also one of '%s'", symbol->name, a->path);
        else if (strcmp(symbol->name, "hk_plugin") != 0)
            HK_PUSH(b->clashes, b->clash_count, b->clash_cap, symbol->name);
    }
}

/* What cells, built-in components and compilers of their own accord call. */
static const char *const called_by_all[] = {"memcpy", "memmove", "memset", "memcmp",
                                            "strlen", "strrchr", "sqrt",   "fabs",
                                            "frexp",  "sin",     "cos",    "abort"};

static bool has_name(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* A plugin's own `hypot` would be that of all fused code. To give it another name is not enough:
 * compilers know what the function of the system does, and nothing of another one. */
static void keep_from(search *s, hk_leaf_library *library) {
    for (size_t i = 0; i < library->symbols.count && !library->why; i++) {
        const hk_elf_symbol *symbol = &library->symbols.all[i];
        if (!is_shared(symbol))
            continue;
        if (has_name(called_by_all, sizeof called_by_all / sizeof *called_by_all, symbol->name))
            library->why = hk_arena_printf(
                s->arena, "its '%s' has the name of a function that all fused code may call",
                symbol->name);
        for (size_t k = 0; k < s->library_count && !library->why; k++) {
            const hk_leaf_library *other = &s->libraries[k];
            if (!other->why && has_name(other->imports, other->import_count, symbol->name))
                library->why = hk_arena_printf(
                    s->arena, "its '%s' has the name of a function of the system that '%s' calls",
                    symbol->name, other->path);
        }
    }
}

/* ---- units ---- */

/* What a source calls NAME, as it is called where names of the plugin are others. */
static const char *name_now(hk_arena *arena, const hk_leaf_library *library, size_t number,
                            const char *name) {
    bool changed = library && has_name(library->clashes, library->clash_count, name);
    return changed ? hk_arena_printf(arena, "hk_%zu_%s", number, name) : name;
}

/* Macros of the source end with it: its own names, "plant::step", and all words of wrappers. */
static void end_macros(FILE *out, const hk_leaf_source *source) {
    static const char *const words[] = {"int",    "void",       "double",       "return",
                                        "const",  "extern",     "__typeof__",   "alias",
                                        "hidden", "visibility", "__attribute__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        fprintf(out, "#undef %s\n", words[i]);
    for (size_t i = 0; i < source->name_count; i++)
        for (const char *at = source->names[i].from; *at;) {
            size_t length = strcspn(at, ":");
            if (length)
                fprintf(out, "#undef %.*s\n", (int)length, at);
            at += length ? length : 1;
        }
}

static void put_step(FILE *out, const char *to, const char *from, bool cpp) {
    static const char given[] = "(void *hk_leaf_self_, double hk_leaf_t_, double hk_leaf_h_)";
    const char *how = cpp ? "extern \"C\" " : "";
    fprintf(out,
            "\n%sint %s%s;\n%sint %s%s {\n"
            "    return (%s)(hk_leaf_self_, hk_leaf_t_, hk_leaf_h_);\n}\n",
            how, to, given, how, to, given, from);
}

static void put_names(hk_arena *arena, FILE *out, const hk_leaf_library *library, size_t number,
                      const hk_leaf_source *source) {
    for (size_t i = 0; i < source->name_count; i++) {
        const hk_leaf_name *n = &source->names[i];
        const char *from = name_now(arena, library, number, n->from);
        if (n->kind == HK_LEAF_TABLE)
            fprintf(out,
                    "\nextern __typeof__(%s) %s __attribute__((alias(\"%s\"), "
                    "visibility(\"hidden\")));\n",
                    from, n->to, from);
        else if (n->kind == HK_LEAF_STEP)
            put_step(out, n->to, from, library && hk_is_cpp_name(source->path));
    }
}

static const char *taken(hk_arena *arena, FILE *out, char **text) {
    (void)fclose(out);
    const char *copy = hk_arena_strdup(arena, *text);
    free(*text);
    return copy;
}

static const char *unit_text(hk_arena *arena, const hk_leaf_library *library, size_t number,
                             const hk_leaf_source *source) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    fprintf(out, "/* The leaves of %s, under names that cells call. */\n", source->name);
    fprintf(out, "#define hk_plugin hk_plugin_%zu\n", number);
    for (size_t i = 0; i < library->clash_count; i++)
        fprintf(out, "#define %s hk_%zu_%s /* another plugin has it, too */\n", library->clashes[i],
                number, library->clashes[i]);
    fprintf(out, "#include \"%s\"\n", source->path);
    end_macros(out, source);
    put_names(arena, out, library, number, source);
    return taken(arena, out, &text);
}

/* Steps that all sources of a plugin can see, in a file without these: they may declare the first
 * argument as a pointer to what they like. NULL: there are none. */
static const char *shared_text(hk_arena *arena, const hk_leaf_library *library, size_t number) {
    char *text = NULL;
    size_t size = 0, count = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    fprintf(out, "/* Leaves that all sources of a plugin see, under names that cells call. */\n");
    for (size_t i = 0; i < library->source_count; i++)
        for (size_t k = 0; k < library->sources[i].name_count; k++) {
            const hk_leaf_name *n = &library->sources[i].names[k];
            if (n->kind != HK_LEAF_ELSEWHERE)
                continue;
            const char *from = name_now(arena, library, number, n->from);
            fprintf(out, "\nint %s(void *, double, double);", from);
            put_step(out, n->to, from, false);
            count++;
        }
    const char *all = taken(arena, out, &text);
    return count ? all : NULL;
}

/* Of the plugin's own flags those of the language are passed on; of all others it is known that
 * they do not matter (leaf_library.c). */
static hk_leaf_unit unit_words(hk_arena *arena, const hk_leaf_library *library,
                               const hk_leaf_source *source) {
    const hk_plugin_note *note = library->note;
    const bool cpp = hk_is_cpp_name(source->path);
    const char *flags = cpp && note->cxx_flags ? note->cxx_flags : note->flags;
    const char **words = HK_NEW_ARRAY(
        arena, const char *, note->define_count + note->include_count + strlen(flags) / 2 + 1);
    size_t count = 0;
    for (const char *at = flags + strspn(flags, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (hk_cflag_is_of_language(at, length))
            words[count++] = hk_arena_strndup(arena, at, length);
        at += length;
    }
    for (size_t i = 0; i < note->define_count; i++)
        words[count++] = hk_arena_printf(arena, "-D%s", note->defines[i]);
    for (size_t i = 0; i < note->include_count; i++) {
        const char *folder = note->includes[i];
        words[count++] = hk_arena_printf(
            arena, "-I%s", *folder == '/' ? folder : hk_path_join(arena, note->folder, folder));
    }
    return (hk_leaf_unit){source->path, words, count, cpp};
}

static const char *const standard[] = {"-std=c17"};

static void add_unit(search *s, const char *name, const char *text, hk_leaf_unit how) {
    hk_fuse_text unit = {name, text};
    HK_PUSH(s->units, s->unit_count, s->unit_cap, unit);
    HK_PUSH(s->how, s->how_count, s->how_cap, how);
}

static void add_files(search *s, const char *folder, const hk_plugin_file *files, size_t count) {
    for (size_t i = 0; i < count; i++)
        s->made_of = hk_arena_printf(s->arena, "%s%s/%s %s\n", s->made_of, folder, files[i].name,
                                     files[i].sha256);
}

/* All sources of a plugin that is called at all: what one needs of another is not known. */
static void add_library(search *s, size_t number) {
    const hk_leaf_library *library = &s->libraries[number];
    bool called = false;
    for (size_t i = 0; !library->why && i < library->source_count; i++)
        called |= library->sources[i].name_count > 0;
    if (!called)
        return;
    for (size_t i = 0; i < library->source_count; i++) {
        const hk_leaf_source *source = &library->sources[i];
        const char *end = hk_is_cpp_name(source->path) ? "cpp" : "c";
        add_unit(s, hk_arena_printf(s->arena, "leaf_%zu_%zu.%s", number, i, end),
                 unit_text(s->arena, library, number, source),
                 unit_words(s->arena, library, source));
    }
    const char *shared = shared_text(s->arena, library, number);
    if (shared)
        add_unit(s, hk_arena_printf(s->arena, "leaf_%zu_shared.c", number), shared,
                 (hk_leaf_unit){library->path, standard, 1, false});
    add_files(s, library->note->folder, library->note->sources, library->note->source_count);
    add_files(s, library->note->folder, library->note->headers, library->note->header_count);
}

static void add_builtin(search *s) {
    char *text = NULL;
    size_t size = 0;
    if (!s->builtin.name_count)
        return;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    fprintf(out, "/* The built-in components, under names that cells call. */\n"
                 "#include \"native/" HK_BUILTIN_SOURCE "\"\n");
    put_names(s->arena, out, NULL, 0, &s->builtin);
    add_unit(s, "leaf_builtin.c", taken(s->arena, out, &text),
             (hk_leaf_unit){HK_BUILTIN_SOURCE, standard, 1, false});
}

/* A library that clashes with another one is called through its pointers after all. */
static void settle_clashes(search *s) {
    for (size_t i = 0; i < s->library_count; i++)
        keep_from(s, &s->libraries[i]);
    for (size_t i = 0; i < s->library_count; i++)
        for (size_t k = 0; k < i; k++)
            separate(s->arena, &s->libraries[k], &s->libraries[i]);
    for (size_t i = 0; i < s->library_count; i++) {
        const hk_leaf_library *library = &s->libraries[i];
        for (size_t k = 0; library->why && k < library->source_count; k++)
            for (size_t n = 0; n < library->sources[k].name_count; n++)
                for (size_t l = 0; l < s->leaf_count; l++)
                    if (s->leaves[l].step == library->sources[k].names[n].to)
                        s->leaves[l] = (hk_leaf){.type = s->leaves[l].type, .why = library->why};
    }
}

static void *keep(hk_arena *arena, void *list, size_t count, size_t size) {
    char *copy = hk_arena_alloc(arena, (count + 1) * size);
    if (count)
        memcpy(copy, list, count * size);
    hk_free(list);
    return copy;
}

static void finish(search *s) {
    for (size_t i = 0; i < s->library_count; i++) {
        for (size_t k = 0; k < s->libraries[i].source_count; k++)
            hk_free(s->libraries[i].sources[k].names);
        hk_free(s->libraries[i].clashes);
    }
    hk_free(s->libraries);
    hk_free(s->builtin.names);
}

hk_status hk_leaves_find(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                         hk_leaves *ret_leaves) {
    search s = {.ctx = ctx, .arena = arena, .made_of = ""};
    find_types(&s, model);
    settle_clashes(&s);
    for (size_t i = 0; i < s.library_count; i++)
        add_library(&s, i);
    add_builtin(&s);
    tell(&s, model);
    *ret_leaves = (hk_leaves){.all = keep(arena, s.leaves, s.leaf_count, sizeof *s.leaves),
                              .count = s.leaf_count,
                              .units = keep(arena, s.units, s.unit_count, sizeof *s.units),
                              .how = keep(arena, s.how, s.how_count, sizeof *s.how),
                              .unit_count = s.unit_count,
                              .made_of = s.made_of};
    finish(&s);
    return HK_OK;
}
