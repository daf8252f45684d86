/* SPDX-License-Identifier: MIT */
#include "osp/osp.h"

#include "base/file.h"
#include "fmi/fmi.h"
#include "model/tree.h"
#include "osp/osp_internal.h"

#include <string.h>

#define STRUCTURE_BYTES_MAX ((size_t)256 << 20)
#define STRUCTURE_NAMESPACE "http://opensimulationplatform.com/MSMI/OSPSystemStructure"

static void begin(hk_osp *r, hk_ctx *ctx, const char *file) {
    *r = (hk_osp){.ctx = ctx, .arena = hk_arena_create(), .file = file};
    r->reading = hk_reading_begin(ctx, r->arena, HK_E_OSP);
}

static void finish(hk_osp *r) {
    hk_reading_finish(&r->reading);
    hk_map_finish(&r->files);
    hk_map_finish(&r->by_name);
    hk_map_finish(&r->broken);
    hk_free(r->opened);
    hk_arena_destroy(r->arena);
}

/* What a file with another root is, for the hint. */
static const char *other_root(const char *name) {
    static const struct {
        const char *root, *hint;
    } known[] = {
        {"OspModelDescription", "it describes one model; name the OspSystemStructure.xml"},
        {"fmiModelDescription", "it is a part of an FMU; name the .fmu"},
        {"SystemStructureDescription", "that is SSP; give the file the extension .ssd"},
        {"ParameterSet", "that is a parameter set of SSP"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].root, name) == 0)
            return known[i].hint;
    return "an .xml file is read as a system of the Open Simulation Platform";
}

static hk_status check_root(hk_osp *r, const hk_xml *root) {
    hk_where where = hk_xml_where(r->file, root);
    const char *version = hk_xml_attr_get(root, "version");
    if (strcmp(root->name, "OspSystemStructure") != 0)
        return hk_error(r->ctx, HK_E_OSP, where, other_root(root->name),
                        "the root element is '%s', expected 'OspSystemStructure'", root->name);
    if (strcmp(root->ns, STRUCTURE_NAMESPACE) != 0)
        hk_warn(r->ctx, HK_E_OSP, where, "write xmlns=\"" STRUCTURE_NAMESPACE "\"",
                "the namespace is '%s'", root->ns);
    if (!version || strcmp(version, "0.1") != 0)
        hk_warn(r->ctx, HK_E_OSP, where, NULL,
                version ? "version '%s' is not known; it is read as 0.1"
                        : "the version is missing%s; it is read as 0.1",
                version ? version : "");
    return HK_OK;
}

static hk_status parse(hk_osp *r, const char *data, size_t size) {
    const hk_xml *root;
    HK_TRY(hk_xml_parse(r->ctx, r->arena, r->file, data, size, &root));
    HK_TRY(check_root(r, root));
    hk_osp_check_structure(r, r->file, root);
    r->structure = hk_osp_read_structure(r, root);
    return HK_OK;
}

static hk_status read_into(hk_osp *r) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(r->ctx, r->file, STRUCTURE_BYTES_MAX, &data, &size));
    hk_status status = parse(r, data, size);
    hk_free(data);
    HK_TRY(status);
    r->model->experiment = r->structure->experiment;
    hk_osp_add_simulators(r);
    hk_osp_connect(r);
    hk_osp_add_functions(r);
    hk_osp_tell_units(r);
    hk_osp_check_members(r);
    return r->reading.complaints.count ? r->reading.complaints.first : HK_OK;
}

/* A system has no name of its own: it is called after its file, or after its folder. */
static const char *system_name(hk_arena *arena, const char *file) {
    const char *name = hk_path_name(file);
    if (strcmp(name, HK_OSP_FILE) == 0)
        name = hk_path_name(hk_path_absolute(arena, hk_path_folder(arena, file)));
    size_t length = strlen(name) - strlen(hk_path_extension(name));
    return length ? hk_arena_strndup(arena, name, length) : "system";
}

/* Simulators are FMUs; functions and holds are built in. */
static hk_tree_source source_of(const hk_info *info) {
    if (info->can.fmi)
        return (hk_tree_source){.kind = HK_TREE_FMU, .file = hk_fmu_get_facts(info->origin)->path};
    return (hk_tree_source){.kind = HK_TREE_BUILTIN, .part = info->name};
}

hk_status hk_osp_read(hk_ctx *ctx, const char *path, const hk_ratio *step, hk_model **ret_model) {
    hk_osp r;
    begin(&r, ctx, NULL);
    const char *file = hk_folder_exists(path) ? hk_path_join(r.arena, path, HK_OSP_FILE) : path;
    r.model = hk_model_create(system_name(r.arena, file), file);
    r.model->from_osp = true;
    r.file = r.model->file;
    r.step = step;
    r.folder = hk_path_folder(r.arena, file);
    hk_status status = read_into(&r);
    if (status == HK_OK) {
        hk_tree_from_model(r.model, source_of);
        *ret_model = r.model;
    } else
        hk_model_destroy(r.model);
    finish(&r);
    return status;
}

hk_status hk_osp_parse(hk_ctx *ctx, const char *file, const char *data, size_t size) {
    hk_osp r;
    const hk_xml *root;
    begin(&r, ctx, file);
    hk_status status = hk_xml_parse(ctx, r.arena, file, data, size, &root);
    if (status == HK_OK && strcmp(root->name, "OspModelDescription") == 0)
        hk_osp_read_description(&r, file, root);
    else if (status == HK_OK)
        status = parse(&r, data, size);
    if (status == HK_OK && r.reading.complaints.count)
        status = r.reading.complaints.first;
    finish(&r);
    return status;
}
