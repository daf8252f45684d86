/* SPDX-License-Identifier: MIT
 *
 * Type files and the names they declare. */
#include "lang/types/types_internal.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)
enum { CANDIDATES_MAX = 6, FILES_MAX = 10000 };

/* ---- names ------------------------------------------------------------------------------------
 */

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* HK_MAP_NONE: new; else the one that has the name already. */
static uint32_t names_add(hk_names *names, const char *full) {
    uint32_t index = (uint32_t)names->count;
    uint32_t there = hk_map_put(&names->by_full, full, index);
    if (there != index)
        return there;
    if (names->count == names->cap) {
        names->cap = names->cap ? 2 * names->cap : 32;
        names->full = hk_realloc(names->full, names->cap * sizeof *names->full);
        names->next = hk_realloc(names->next, names->cap * sizeof *names->next);
        names->tail = hk_realloc(names->tail, names->cap * sizeof *names->tail);
    }
    uint32_t head = hk_map_put(&names->by_last, last_part(full), index);
    if (head != index)
        names->next[names->tail[head]] = index;
    names->tail[head] = index;
    names->next[index] = HK_MAP_NONE;
    names->full[index] = full;
    names->count++;
    return HK_MAP_NONE;
}

static void names_finish(hk_names *names) {
    hk_free(names->full);
    hk_free(names->next);
    hk_free(names->tail);
    hk_map_finish(&names->by_full);
    hk_map_finish(&names->by_last);
}

static bool ends_with(const char *full, const char *name) {
    size_t whole = strlen(full), part = strlen(name);
    return whole > part && full[whole - part - 1] == '.' && strcmp(full + whole - part, name) == 0;
}

hk_found hk_names_find(const hk_names *names, const char *name, uint32_t *ret_index) {
    uint32_t index = hk_map_get(&names->by_full, name);
    if (index != HK_MAP_NONE) {
        *ret_index = index;
        return HK_FOUND_EXACT;
    }
    uint32_t head = hk_map_get(&names->by_last, last_part(name));
    if (head == HK_MAP_NONE)
        return HK_FOUND_NONE;
    if (names->next[head] == HK_MAP_NONE) {
        *ret_index = head;
        return HK_FOUND_SUFFIX;
    }
    /* Several have the last part; one may end with all that was written. */
    size_t fit = 0;
    for (uint32_t i = head; i != HK_MAP_NONE; i = names->next[i])
        if (ends_with(names->full[i], name)) {
            *ret_index = i;
            fit++;
        }
    return fit == 1 ? HK_FOUND_SUFFIX : HK_FOUND_AMBIGUOUS;
}

const char *hk_names_candidates(hk_arena *arena, const hk_names *names, const char *name) {
    const char *text = "";
    size_t shown = 0;
    uint32_t i = hk_map_get(&names->by_last, last_part(name));
    for (; i != HK_MAP_NONE && shown < CANDIDATES_MAX; i = names->next[i], shown++)
        text = hk_arena_printf(arena, "%s%s'%s'", text, shown ? ", " : "", names->full[i]);
    return i != HK_MAP_NONE ? hk_arena_printf(arena, "%s, ...", text) : text;
}

/* ---- what a name in a type file means ---------------------------------------------------------
 */

/* Own package, full name, core, unique suffix. */
static hk_found find_in_package(hk_typereader *r, const hk_names *names, const char *package,
                                const char *name, uint32_t *ret_index) {
    const char *forms[] = {hk_arena_printf(r->arena, "%s.%s", package, name), name,
                           hk_arena_printf(r->arena, "core.%s", name)};
    for (size_t i = 0; i < 3; i++) {
        uint32_t index = hk_map_get(&names->by_full, forms[i]);
        if (index != HK_MAP_NONE) {
            *ret_index = index;
            return HK_FOUND_EXACT;
        }
    }
    return hk_names_find(names, name, ret_index);
}

/* What other languages call a basic type; NULL: WORD is none of them. */
static const char *core_name(const char *word) {
    static const char *const names[][2] = {
        {"real", "core.double"},   {"number", "core.double"}, {"float64", "core.double"},
        {"float32", "core.float"}, {"integer", "core.int"},   {"boolean", "core.bool"},
        {"text", "core.string"},
    };
    word = last_part(word);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

static const char *suggest(hk_typereader *r, const hk_names *names, const char *word) {
    bool core =
        names == &r->types->type_names && (!strchr(word, '.') || !strncmp(word, "core.", 5));
    const char *meant = core ? core_name(word) : NULL;
    return meant ? hk_hint_name(r->arena, meant, NULL)
                 : hk_complaint_suggest(&r->complaints, r->arena, word, names->full, names->count);
}

static uint32_t resolve_name(hk_typereader *r, const hk_names *names, const char *what,
                             const char *package, const char *file, const hk_name *name) {
    if (!*name->text)
        return HK_MAP_NONE; /* the parser has said so */
    uint32_t index = HK_MAP_NONE;
    hk_where where = hk_place_where(file, &name->at);
    switch (find_in_package(r, names, package, name->text, &index)) {
    case HK_FOUND_EXACT:
        return index;
    case HK_FOUND_SUFFIX:
        hk_warn(r->complaints.ctx, HK_E_NAME, where,
                hk_arena_printf(r->arena, "write '%s'", names->full[index]),
                "there is no %s '%s'; '%s' is taken, the only one that ends so", what, name->text,
                names->full[index]);
        return index;
    case HK_FOUND_AMBIGUOUS:
        hk_complain(&r->complaints, HK_E_NAME, where, "write the package before the name",
                    "'%s' may be one of several: %s", name->text,
                    hk_names_candidates(r->arena, names, name->text));
        return HK_MAP_NONE;
    default:
        if (!r->types->incomplete) /* else it may be in what was not understood */
            hk_complain(&r->complaints, HK_E_NAME, where, suggest(r, names, name->text),
                        "there is no %s '%s'", what, name->text);
        return HK_MAP_NONE;
    }
}

const hk_lang_type *hk_types_name_type(hk_typereader *r, const char *package, const char *file,
                                       const hk_name *name) {
    uint32_t i = resolve_name(r, &r->types->type_names, "data type", package, file, name);
    return i == HK_MAP_NONE ? NULL : hk_types_resolve(r, r->types->types[i]);
}

const hk_lang_interface *hk_types_name_interface(hk_typereader *r, const char *package,
                                                 const char *file, const hk_name *name) {
    uint32_t i = resolve_name(r, &r->types->interface_names, "interface", package, file, name);
    return i == HK_MAP_NONE ? NULL : &r->types->interfaces[i]->interface;
}

/* ---- declaring --------------------------------------------------------------------------------
 */

/* The full name, or NULL if it is missing or taken. */
static const char *declare(hk_typereader *r, hk_names *names, const char *package, const char *file,
                           const hk_name *name, const char *what) {
    if (!*name->text)
        return NULL;
    const char *full = hk_arena_printf(r->arena, "%s.%s", package, name->text);
    if (names_add(names, full) == HK_MAP_NONE)
        return full;
    hk_complain(&r->complaints, HK_E_DUPLICATE, hk_place_where(file, &name->at),
                "give one of them another name", "two %ss are called '%s'", what, full);
    return NULL;
}

static void declare_section(hk_typereader *r, const hk_typesection *section, const char *package,
                            const char *file) {
    hk_types *types = r->types;
    for (size_t i = 0; i < section->count; i++) {
        if (section->kind == HK_SECTION_DATATYPES) {
            const hk_datatype *d = &section->datatypes[i];
            const char *name = declare(r, &types->type_names, package, file, &d->name, "data type");
            if (!name)
                continue;
            hk_typedecl *t = HK_NEW(r->arena, hk_typedecl);
            *t = (hk_typedecl){.type = {.name = name, .syntax = d}, package, file, HK_FRESH};
            HK_PUSH(types->types, types->type_count, types->type_cap, t);
        } else if (section->kind == HK_SECTION_INTERFACES) {
            const hk_interfacedecl *d = &section->interfaces[i];
            const char *name =
                declare(r, &types->interface_names, package, file, &d->name, "interface");
            if (!name)
                continue;
            hk_interfacework *w = HK_NEW(r->arena, hk_interfacework);
            w->interface =
                (hk_lang_interface){.name = name, .where = hk_place_where(file, &d->name.at)};
            w->syntax = d;
            w->package = package;
            w->file = file;
            HK_PUSH(types->interfaces, types->interface_count, types->interface_cap, w);
        } else {
            const hk_leaftype *d = &section->leaves[i];
            const char *name = declare(r, &types->leaf_names, package, file, &d->name, "leaf type");
            if (!name)
                continue;
            hk_leafwork *w = HK_NEW(r->arena, hk_leafwork);
            w->leaf = (hk_lang_leaf){
                .name = name, .file = file, .where = hk_place_where(file, &d->name.at)};
            w->syntax = d;
            w->package = package;
            w->file = file;
            HK_PUSH(types->leaves, types->leaf_count, types->leaf_cap, w);
        }
    }
}

/* The name of the file without folder and extension. */
static const char *package_of_file(hk_arena *arena, const char *file) {
    const char *name = hk_path_name(file);
    return hk_arena_strndup(arena, name, strlen(name) - strlen(hk_path_extension(name)));
}

static void declare_file(hk_typereader *r, const hk_typefile *tree) {
    const char *package = package_of_file(r->arena, tree->file);
    for (size_t i = 0; i < tree->declaration_count; i++) {
        const hk_declaration *d = &tree->declarations[i];
        if (*d->name.text)
            package = d->name.text;
        if (strcmp(package, "core") == 0) {
            hk_complain(&r->complaints, HK_E_NAME, hk_place_where(tree->file, &d->at),
                        "give the Declaration another name",
                        "the package 'core' is built in and cannot be added to");
            continue;
        }
        for (size_t k = 0; k < d->section_count; k++)
            declare_section(r, &d->sections[k], package, tree->file);
    }
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static hk_status read_file(hk_typereader *r, const char *path, hk_where from);

static void read_tree(hk_typereader *r, const char *file, const char *data, size_t size) {
    hk_typefile *tree = NULL;
    hk_ctx *ctx = r->complaints.ctx;
    hk_status status = hk_types_parse(ctx, r->arena, file, data, size, &tree);
    if (status != HK_OK) {
        r->types->incomplete = true;
        hk_complaint_heard(&r->complaints, status);
    }
    if (!tree)
        return;
    tree->file = file;
    declare_file(r, tree);
    const char *folder = hk_path_folder(r->arena, file);
    for (size_t i = 0; i < tree->import_count; i++) {
        const hk_name *import = &tree->imports[i];
        if (*import->text)
            (void)read_file(r, hk_path_join(r->arena, folder, import->text),
                            hk_place_where(file, &import->at));
    }
}

/* What fails is in r->complaints. */
static hk_status read_file(hk_typereader *r, const char *path, hk_where from) {
    /* Two spellings of one path are one file. */
    const char *absolute = hk_path_real(r->arena, path);
    uint32_t index = (uint32_t)r->types->files.count;
    if (hk_map_put(&r->types->files, absolute, index) != index)
        return HK_OK;
    hk_status status = HK_OK;
    if (!hk_file_exists(path) && from.file)
        status = hk_complain(&r->complaints, HK_E_FILE_READ, from,
                             "files are looked for beside the one that names them",
                             "the file '%s' does not exist", path);
    else if (index >= FILES_MAX)
        status = hk_complain(&r->complaints, HK_E_FILE_READ, from, NULL,
                             "more than %d type files are imported", (int)FILES_MAX);
    char *data = NULL;
    size_t size = 0;
    if (status == HK_OK) {
        status = hk_file_read(r->complaints.ctx, path, FILE_BYTES_MAX, &data, &size);
        if (status != HK_OK)
            hk_complaint_heard(&r->complaints, status);
    }
    if (status != HK_OK) {
        r->types->incomplete = true;
        return status;
    }
    /* Trees point into the text they were made from. */
    char *kept = hk_arena_alloc(r->arena, size + 1);
    memcpy(kept, data, size);
    hk_free(data);
    read_tree(r, hk_arena_strdup(r->arena, path), kept, size);
    return HK_OK;
}

/* All that was declared since the last time. */
static hk_status resolve_all(hk_typereader *r) {
    hk_types *t = r->types;
    for (; t->types_done < t->type_count; t->types_done++)
        (void)hk_types_resolve(r, t->types[t->types_done]);
    for (; t->interfaces_done < t->interface_count; t->interfaces_done++)
        hk_types_resolve_interface(r, t->interfaces[t->interfaces_done]);
    for (; t->leaves_done < t->leaf_count; t->leaves_done++)
        hk_types_resolve_leaf(r, t->leaves[t->leaves_done]);
    return r->complaints.first;
}

hk_types *hk_types_create(void) {
    hk_types *types = hk_alloc(sizeof *types);
    types->arena = hk_arena_create();
    hk_types_add_core(types);
    for (size_t i = 0; i < types->type_count; i++)
        names_add(&types->type_names, types->types[i]->type.name);
    types->core_count = types->types_done = types->type_count;
    return types;
}

void hk_types_destroy(hk_types *types) {
    if (!types)
        return;
    names_finish(&types->type_names);
    names_finish(&types->interface_names);
    names_finish(&types->leaf_names);
    hk_free(types->types);
    hk_free(types->interfaces);
    hk_free(types->leaves);
    hk_map_finish(&types->files);
    hk_arena_destroy(types->arena);
    hk_free(types);
}

hk_status hk_types_read(hk_ctx *ctx, hk_types *types, const char *path, hk_where from) {
    hk_typereader r = {.complaints = {.ctx = ctx}, .types = types, .arena = types->arena};
    (void)read_file(&r, path, from);
    return resolve_all(&r);
}

hk_status hk_types_read_text(hk_ctx *ctx, hk_types *types, const char *file, const char *data,
                             size_t size) {
    hk_typereader r = {.complaints = {.ctx = ctx}, .types = types, .arena = types->arena};
    char *kept = hk_arena_alloc(types->arena, size + 1);
    memcpy(kept, data, size);
    read_tree(&r, hk_arena_strdup(types->arena, file), kept, size);
    return resolve_all(&r);
}

/* ---- asking -----------------------------------------------------------------------------------
 */

static uint32_t find(const hk_names *names, const char *name, bool *ret_by_suffix) {
    uint32_t index = HK_MAP_NONE;
    hk_found found = hk_names_find(names, name, &index);
    *ret_by_suffix = found == HK_FOUND_SUFFIX;
    return found == HK_FOUND_EXACT || found == HK_FOUND_SUFFIX ? index : HK_MAP_NONE;
}

const hk_lang_type *hk_types_find_type(const hk_types *types, const char *name,
                                       bool *ret_by_suffix) {
    uint32_t i = find(&types->type_names, name, ret_by_suffix);
    bool usable = i != HK_MAP_NONE && types->types[i]->state == HK_READY;
    return usable ? &types->types[i]->type : NULL;
}

const hk_lang_interface *hk_types_find_interface(const hk_types *types, const char *name,
                                                 bool *ret_by_suffix) {
    uint32_t i = find(&types->interface_names, name, ret_by_suffix);
    return i == HK_MAP_NONE ? NULL : &types->interfaces[i]->interface;
}

const hk_lang_leaf *hk_types_find_leaf(const hk_types *types, const char *name,
                                       bool *ret_by_suffix) {
    uint32_t i = find(&types->leaf_names, name, ret_by_suffix);
    return i == HK_MAP_NONE ? NULL : &types->leaves[i]->leaf;
}

size_t hk_types_leaf_count(const hk_types *types) {
    return types->leaf_count;
}

const hk_lang_leaf *hk_types_leaf(const hk_types *types, size_t index) {
    return &types->leaves[index]->leaf;
}

size_t hk_types_interface_count(const hk_types *types) {
    return types->interface_count;
}

const hk_lang_interface *hk_types_interface(const hk_types *types, size_t index) {
    return &types->interfaces[index]->interface;
}

size_t hk_types_type_count(const hk_types *types) {
    return types->type_count - types->core_count;
}

const hk_lang_type *hk_types_type(const hk_types *types, size_t index) {
    return &types->types[types->core_count + index]->type;
}

const char *hk_types_closest(const hk_types *types, const char *name) {
    const hk_names *all[] = {&types->leaf_names, &types->interface_names, &types->type_names};
    const char *best[3];
    size_t count = 0;
    for (size_t i = 0; i < 3; i++) {
        const char *closest = hk_closest(name, all[i]->full, all[i]->count);
        if (closest)
            best[count++] = closest;
    }
    return hk_closest(name, best, count);
}
