/* SPDX-License-Identifier: MIT
 *
 * The list of files in the model description, and what lies in sources/. The build description is
 * read in recipe_described.c. */
#include "fmi/recipe_internal.h"

#include "base/compiler.h"
#include "base/file.h"

#include <string.h>
#include <strings.h>

void hk_recipe_finish(hk_recipe *recipe) {
    for (size_t i = 0; i < recipe->set_count; i++) {
        hk_source_set *set = &recipe->sets[i];
        hk_free(set->files);
        hk_free(set->defines);
        hk_free(set->includes);
        hk_free(set->options);
    }
    hk_free(recipe->sets);
    hk_free(recipe->libraries);
    *recipe = (hk_recipe){0};
}

hk_source_set *hk_recipe_add_set(hk_recipe *recipe) {
    hk_source_set empty = {0};
    HK_PUSH(recipe->sets, recipe->set_count, recipe->set_cap, empty);
    return &recipe->sets[recipe->set_count - 1];
}

/* ---- names ---- */

const char *hk_recipe_path(hk_arena *arena, const char *name) {
    const char *parts[64];
    size_t lengths[64], count = 0;
    if (name[0] == '/' || name[0] == '\\' || (name[0] && name[1] == ':'))
        return NULL;
    for (const char *p = name; *p;) {
        size_t length = strcspn(p, "/\\");
        bool up = length == 2 && p[0] == '.' && p[1] == '.';
        if ((up && count == 0) || count == sizeof parts / sizeof *parts)
            return NULL;
        if (up) {
            count--;
        } else if (length && !(length == 1 && p[0] == '.')) {
            parts[count] = p;
            lengths[count++] = length;
        }
        p += length + (p[length] != '\0');
    }
    const char *path = "";
    for (size_t i = 0; i < count; i++)
        path = hk_arena_printf(arena, "%s%s%.*s", path, i ? "/" : "", (int)lengths[i], parts[i]);
    return path;
}

static bool has_extension(const char *file, const char *const *list) {
    const char *extension = hk_path_extension(file);
    for (; *list; list++)
        if (strcmp(extension, *list) == 0)
            return true;
    return false;
}

static bool is_header(const char *file) {
    static const char *const headers[] = {".h", ".hpp", ".hh", ".hxx", ".inc", ".H", NULL};
    return has_extension(file, headers);
}

bool hk_recipe_is_cpp(const hk_source_set *set, const char *file) {
    return hk_is_cpp_name(file) || (set->language && strncasecmp(set->language, "C++", 3) == 0);
}

hk_status hk_recipe_add_file(const reading *r, hk_source_set *set, hk_where where,
                             const char *name) {
    const char *path = hk_recipe_path(r->arena, name);
    if (!path || !*path)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, where,
                        "files are named relative to sources/, and lie there",
                        "the source file '%s' leads out of the folder sources/", name);
    if (hk_zip_find(r->zip, hk_arena_printf(r->arena, "sources/%s", path)) < 0)
        return hk_error(
            r->ctx, HK_E_FMI_DESCRIPTION, where, "export the FMU again, with all its sources",
            "the source file '%s' is named but the FMU does not hold 'sources/%s'", name, path);
    if (is_header(path)) {
        hk_note(r->ctx, where, "'%s' is listed as a source file but is a header: not compiled",
                name);
        return HK_OK;
    }
    bool is_c = strcasecmp(hk_path_extension(path), ".c") == 0;
    if (!is_c && !hk_is_cpp_name(path))
        return hk_error(r->ctx, HK_E_FMI_UNSUPPORTED, where, "hocket compiles C and C++",
                        "the source file '%s' is neither C nor C++", name);
    for (size_t i = 0; i < set->file_count; i++)
        if (strcmp(set->files[i], path) == 0)
            return HK_OK; /* listed for model exchange and for co-simulation, say */
    HK_PUSH(set->files, set->file_count, set->file_cap, path);
    return HK_OK;
}

/* ---- the list in the model description ---- */

static hk_status add_list(const reading *r, const hk_xml *list, hk_source_set *set) {
    for (const hk_xml *file = hk_xml_child(list, NULL, "File"); file;
         file = hk_xml_next(file, NULL, "File")) {
        hk_where where = hk_xml_where(r->fmu->info.file, file);
        const char *name = hk_xml_attr_get(file, "name");
        if (!name)
            return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, where, NULL,
                            "a File of SourceFiles has no name");
        HK_TRY(hk_recipe_add_file(r, set, where, name));
    }
    return HK_OK;
}

/* The list of the interface type that is run; an FMU that has only the other one is built too. */
static hk_status read_list(const reading *r, hk_recipe *recipe) {
    int64_t index = hk_zip_find(r->zip, "modelDescription.xml");
    const hk_xml *root = NULL;
    HK_TRY(hk_recipe_parse(r, (size_t)index, r->fmu->info.file, &root));
    const hk_xml *type = hk_xml_child(root, NULL, "CoSimulation");
    if (!type)
        type = hk_xml_child(root, NULL, "ModelExchange");
    const hk_xml *list = type ? hk_xml_child(type, NULL, "SourceFiles") : NULL;
    return list ? add_list(r, list, hk_recipe_add_set(recipe)) : HK_OK;
}

/* ---- what lies there ---- */

/* The C files right in sources/. */
static const char *loose_file(const reading *r, size_t index) {
    const char *name = hk_zip_name(r->zip, index);
    bool there = strncmp(name, "sources/", 8) == 0 && !strchr(name + 8, '/') && name[8];
    return there && (strcmp(hk_path_extension(name), ".c") == 0 || hk_is_cpp_name(name)) ? name + 8
                                                                                         : NULL;
}

/* The names of C files that TEXT includes: those are parts of others, not compiled alone. */
static void note_included(const reading *r, const char *text, hk_map *included) {
    for (const char *at = text; (at = strstr(at, "#include")); at++) {
        size_t line = strcspn(at, "\n");
        const char *quote = memchr(at, '"', line);
        size_t length = quote ? strcspn(quote + 1, "\"\n") : 0;
        if (!length)
            continue;
        const char *name = hk_path_name(hk_arena_strndup(r->arena, quote + 1, length));
        if (strcmp(hk_path_extension(name), ".c") == 0 || hk_is_cpp_name(name))
            hk_map_put(included, name, (uint32_t)included->count);
    }
}

static hk_status find_included(const reading *r, hk_map *included) {
    for (size_t i = 0; i < hk_zip_count(r->zip); i++) {
        char *text = NULL;
        size_t size = 0;
        const char *name = hk_zip_name(r->zip, i);
        bool source =
            strncmp(name, "sources/", 8) == 0 &&
            (is_header(name) || hk_is_cpp_name(name) || strcmp(hk_path_extension(name), ".c") == 0);
        if (!source)
            continue;
        HK_TRY(hk_zip_read(r->ctx, r->zip, i, &text, &size));
        note_included(r, text, included);
        hk_free(text);
    }
    return HK_OK;
}

static hk_status read_folder(const reading *r, hk_recipe *recipe) {
    hk_map included = {0};
    hk_source_set *set = hk_recipe_add_set(recipe);
    hk_status status = find_included(r, &included);
    for (size_t i = 0; status == HK_OK && i < hk_zip_count(r->zip); i++) {
        const char *file = loose_file(r, i);
        if (file && hk_map_get(&included, file) == HK_MAP_NONE)
            status = hk_recipe_add_file(r, set, (hk_where){.file = r->fmu->shown}, file);
    }
    hk_map_finish(&included);
    if (status == HK_OK && set->file_count)
        hk_note(r->ctx, (hk_where){.file = r->fmu->shown},
                "the FMU does not list its source files: all C files right in sources/ are "
                "compiled that no other file includes (%zu)",
                set->file_count);
    return status;
}

hk_status hk_recipe_parse(const reading *r, size_t index, const char *file, const hk_xml **ret) {
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_zip_read(r->ctx, r->zip, index, &data, &size));
    hk_status status = hk_xml_parse(r->ctx, r->arena, file, data, size, ret);
    hk_free(data);
    return status;
}

hk_status hk_recipe_read(hk_ctx *ctx, hk_arena *arena, const hk_fmu *fmu, hk_zip *zip,
                         hk_recipe *ret_recipe) {
    reading r = {ctx, arena, fmu, zip};
    hk_recipe *recipe = ret_recipe;
    *recipe = (hk_recipe){0};
    hk_where where = {.file = fmu->shown};
    if (!fmu->facts.has_sources)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, where, "export the FMU again, with its sources",
                        "the FMU holds no sources");
    int64_t described = hk_zip_find(zip, "sources/buildDescription.xml");
    if (described >= 0) {
        recipe->described = true;
        HK_TRY(hk_recipe_read_described(&r, (size_t)described, recipe));
    } else {
        HK_TRY(read_list(&r, recipe));
        if (!recipe->set_count)
            HK_TRY(read_folder(&r, recipe));
    }
    size_t files = 0;
    for (size_t i = 0; i < recipe->set_count; i++)
        files += recipe->sets[i].file_count;
    if (files)
        return HK_OK;
    return hk_error(ctx, HK_E_FMI_UNSUPPORTED, where, "export the FMU again, with its sources",
                    "the FMU names no source file that could be compiled");
}
