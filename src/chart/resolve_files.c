/* SPDX-License-Identifier: MIT
 *
 * The files of a module, what they import, and what names mean in them. */
#include "chart/resolve_internal.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FOLDER_MAX = 10000, FILES_MAX = 1000 };

/* ---- messages ---------------------------------------------------------------------------------
 */

hk_where hk_rcr_where(const hk_rcfile *file, const hk_place *at) {
    return hk_place_where(file->file, at);
}

static bool is_news(hk_resolver *r, hk_where where, const char *text) {
    const char *key =
        hk_arena_printf(r->arena, "%s:%d:%d:%s", where.file, where.line, where.column, text);
    uint32_t index = (uint32_t)r->said.count;
    return hk_map_put(&r->said, key, index) == index;
}

bool hk_rcr_error(hk_resolver *r, hk_where where, hk_status code, const char *hint,
                  const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(r->arena, format, args);
    va_end(args);
    if (is_news(r, where, text))
        hk_complain(&r->complaints, code, where, hint, "%s", text);
    return false;
}

bool hk_rcr_rule(hk_resolver *r, hk_where where, const char *rule, const char *hint,
                 const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(r->arena, format, args);
    va_end(args);
    return hk_rcr_error(r, where, HK_E_CHART, hint, "%s (rule %s)", text, rule);
}

bool hk_rcr_refuse(hk_resolver *r, hk_where where, const char *what, const char *hint) {
    return hk_rcr_error(r, where, HK_E_SUBSET, hint ? hint : "docs/robochart.md lists what is",
                        "not in hocket's subset: %s", what);
}

void hk_rcr_warn(hk_resolver *r, hk_where where, const char *hint, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(r->arena, format, args);
    va_end(args);
    if (is_news(r, where, text))
        hk_warn(r->ctx, HK_E_CHART, where, hint, "%s", text);
}

/* ---- imports ----------------------------------------------------------------------------------
 */

/* What the tool of RoboChart brings with it; hocket has the functions that it can compute. */
static bool is_library(const char *package) {
    static const char *const all[] = {
        "core",        "sequence_toolkit", "set_toolkit", "function_toolkit", "relation_toolkit",
        "core_toolkit"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i], package) == 0)
            return true;
    return false;
}

/* "A::B::C" without its last part; "": it has but one. */
static const char *without_last(hk_arena *arena, const char *name) {
    const char *end = name + strlen(name);
    for (const char *at = end; at > name; at--)
        if (at[-1] == ':')
            return hk_arena_strndup(arena, name, (size_t)(at - name) - 2);
    return "";
}

static const char *last_part(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

/* "package NAME" at the beginning of a text; "": there is none. */
static const char *package_of(hk_arena *arena, const char *data, size_t size) {
    hk_lexer lexer = hk_lexer_begin_style(arena, HK_STYLE_CHART, data, size);
    hk_token token = hk_lexer_next(&lexer);
    if (!hk_token_is(&token, "package"))
        return "";
    const char *name = "";
    for (;;) {
        token = hk_lexer_next(&lexer);
        if (token.kind != HK_TOKEN_WORD)
            return name;
        name = hk_arena_printf(arena, "%s%s%s", name, *name ? "::" : "",
                               token.text + (token.text[0] == '^'));
        token = hk_lexer_next(&lexer);
        if (!hk_token_is_mark(&token, "::"))
            return name;
    }
}

static int by_name(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* The paths of the RoboChart files in a folder, sorted: its own order is accidental. */
static const char **list_folder(hk_arena *arena, const char *folder, size_t *ret_count) {
    const char **paths = NULL;
    size_t count = 0, cap = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && count < FOLDER_MAX && (entry = readdir(dir)))
        if (strcasecmp(hk_path_extension(entry->d_name), ".rct") == 0 && entry->d_name[0] != '.') {
            const char *path = strcmp(folder, ".") == 0
                                   ? hk_arena_strdup(arena, entry->d_name)
                                   : hk_path_join(arena, folder, entry->d_name);
            HK_PUSH(paths, count, cap, path);
        }
    if (dir)
        closedir(dir);
    if (count)
        qsort(paths, count, sizeof *paths, by_name);
    *ret_count = count;
    return paths;
}

static bool is_loaded(const hk_resolver *r, const char *path) {
    const char *real = hk_path_real(r->arena, path);
    for (size_t i = 0; i < r->file_count; i++)
        if (strcmp(hk_path_real(r->arena, r->files[i]->file), real) == 0)
            return true;
    return false;
}

static bool has_package(const hk_resolver *r, const char *package) {
    for (size_t i = 0; i < r->file_count; i++)
        if (strcmp(r->files[i]->package.text, package) == 0)
            return true;
    return false;
}

static void parse_file(hk_resolver *r, const hk_file_text *text) {
    hk_rcfile *file;
    hk_status status = hk_rct_parse(r->ctx, r->arena, text->file, text->data, text->size, &file);
    if (status != HK_OK)
        hk_complaint_heard(&r->complaints, status);
    HK_PUSH(r->files, r->file_count, r->file_cap, file);
}

/* Parses the file at PATH if it declares PACKAGE. */
static void try_file(hk_resolver *r, const char *path, const char *package) {
    char *data;
    size_t size;
    if (r->file_count >= FILES_MAX || is_loaded(r, path) || !hk_file_is_regular(path))
        return;
    if (hk_file_read(r->ctx, path, HK_RCT_BYTES_MAX, &data, &size) != HK_OK) {
        hk_complaint_heard(&r->complaints, HK_E_FILE_READ);
        return;
    }
    hk_arena *arena = hk_arena_create();
    if (strcmp(package_of(arena, data, size), package) == 0)
        parse_file(r, &(hk_file_text){.file = path, .data = data, .size = size});
    hk_arena_destroy(arena);
    hk_free(data);
}

/* All files beside FILE that declare PACKAGE. */
static void load_package(hk_resolver *r, const hk_rcfile *file, const char *package) {
    hk_arena *arena = hk_arena_create();
    const char *folder = hk_path_folder(arena, file->file);
    const char *name = hk_arena_printf(arena, "%s.rct", last_part(package));
    const char *beside = strcmp(folder, ".") == 0 ? name : hk_path_join(r->arena, folder, name);
    size_t count;
    const char **paths = list_folder(arena, folder, &count);
    if (hk_file_exists(beside))
        try_file(r, beside, package);
    for (size_t i = 0; i < count; i++)
        try_file(r, hk_arena_strdup(r->arena, paths[i]), package);
    hk_free(paths);
    hk_arena_destroy(arena);
}

static void load_import(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    const char *name = item->target.text, *outer = without_last(r->arena, name);
    if (is_library(name) || (!item->flag && is_library(outer)))
        return;
    if (hk_map_get(&r->imported, name) != HK_MAP_NONE)
        return;
    hk_map_put(&r->imported, name, 0);
    load_package(r, file, name);
    if (has_package(r, name))
        return;
    if (!item->flag && *outer)
        load_package(r, file, outer);
    if (item->flag || !*outer || !has_package(r, outer))
        hk_rcr_error(r, hk_rcr_where(file, &item->target.at), HK_E_NAME,
                     "a package is in the files of the same folder that begin with 'package NAME'",
                     "no file declares the package '%s'", name);
}

bool hk_rcr_load(hk_resolver *r, const hk_file_text *text) {
    parse_file(r, text);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f]->item_count; i++)
            if (r->files[f]->items[i].kind == HK_RC_IMPORT)
                load_import(r, r->files[f], &r->files[f]->items[i]);
    return r->complaints.first == HK_OK;
}

/* ---- names ------------------------------------------------------------------------------------
 */

static bool matches(hk_rcitem_kind wanted, hk_rcitem_kind kind) {
    bool type = kind == HK_RC_RECORD || kind == HK_RC_ENUMERATION || kind == HK_RC_GIVEN;
    return wanted == HK_RC_GIVEN ? type : wanted == kind; /* GIVEN: any type */
}

static const hk_rcitem *find_in(const hk_rcfile *file, hk_rcitem_kind kind, const char *name) {
    for (size_t i = 0; i < file->item_count; i++)
        if (matches(kind, file->items[i].kind) && strcmp(file->items[i].name.text, name) == 0)
            return &file->items[i];
    return NULL;
}

/* Does FILE see names of PACKAGE without saying so? */
static bool imports(const hk_rcfile *file, const char *package, const char *name) {
    if (strcmp(file->package.text, package) == 0)
        return true;
    for (size_t i = 0; i < file->item_count; i++) {
        const hk_rcitem *item = &file->items[i];
        if (item->kind != HK_RC_IMPORT)
            continue;
        size_t length = strlen(package);
        if (strcmp(item->target.text, package) == 0)
            return true;
        if (!item->flag && strncmp(item->target.text, package, length) == 0 &&
            strncmp(item->target.text + length, "::", 2) == 0 &&
            strcmp(item->target.text + length + 2, name) == 0)
            return true;
    }
    return false;
}

hk_rcfound hk_rcr_find(const hk_resolver *r, const hk_rcfile *file, hk_rcitem_kind kind,
                       const char *name) {
    const char *last = last_part(name);
    const char *package = last == name ? NULL : without_last(r->arena, name);
    const hk_rcitem *item = package ? NULL : find_in(file, kind, name);
    for (size_t i = 0; !item && i < r->file_count; i++) {
        const hk_rcfile *other = r->files[i];
        bool seen = package ? strcmp(other->package.text, package) == 0
                            : imports(file, other->package.text, name);
        if (seen && (item = find_in(other, kind, last)))
            return (hk_rcfound){item, other};
    }
    return (hk_rcfound){item, file};
}

/* What messages call it. */
static const char *word_of(hk_rcitem_kind kind) {
    return kind == HK_RC_GIVEN ? "type" : kind == HK_RC_MACHINE ? "machine" : hk_rct_word(kind);
}

/* The hint for a name that is not seen: where it is, or what is close to it. */
static const char *find_hint(hk_resolver *r, hk_rcitem_kind kind, const char *name) {
    const char **names = NULL;
    size_t count = 0, cap = 0;
    const char *hint = NULL;
    for (size_t f = 0; f < r->file_count && !hint; f++)
        if (r->files[f]->package.text[0] && find_in(r->files[f], kind, last_part(name)))
            hint = hk_arena_printf(r->arena, "it is in package '%s', which is not imported",
                                   r->files[f]->package.text);
    if (!hint && hk_complaints_may_suggest(&r->complaints)) {
        for (size_t f = 0; f < r->file_count; f++)
            for (size_t i = 0; i < r->files[f]->item_count; i++)
                if (matches(kind, r->files[f]->items[i].kind))
                    HK_PUSH(names, count, cap, r->files[f]->items[i].name.text);
        hint = hk_complaint_suggest(&r->complaints, r->arena, name, names, count);
        hk_free(names);
    }
    return hint;
}

hk_rcfound hk_rcr_get(hk_resolver *r, const hk_rcfile *file, hk_rcitem_kind kind,
                      const hk_name *name) {
    hk_rcfound found = hk_rcr_find(r, file, kind, name->text);
    if (!found.item)
        hk_rcr_error(r, hk_rcr_where(file, &name->at), HK_E_NAME, find_hint(r, kind, name->text),
                     "there is no %s '%s'", word_of(kind), name->text);
    return found;
}
