/* SPDX-License-Identifier: MIT */
#include "assembly/load.h"

#include "base/file.h"
#include "chart/chart_component.h"
#include "fmi/fmi.h"
#include "format/table_read.h"
#include "lang/lang.h"
#include "osp/osp.h"
#include "ssp/ssp.h"
#include "sysml/sysml.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SIMILAR_FILES_MAX = 10000 };

static int by_name(const void *a, const void *b) {
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* The file in the same folder whose name is closest to that of PATH; NULL: none is close. */
static const char *similar_file(hk_arena *arena, const char *path) {
    const char *folder = hk_path_folder(arena, path), *found = NULL;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && count < SIMILAR_FILES_MAX && (entry = readdir(dir))) {
        const char *name = hk_arena_strdup(arena, entry->d_name);
        if (name[0] != '.')
            HK_PUSH(names, count, cap, name);
    }
    if (dir)
        closedir(dir);
    if (count) {
        qsort(names, count, sizeof *names, by_name); /* the order of a folder is accidental */
        found = hk_closest(hk_path_name(path), names, count);
    }
    hk_free(names);
    return found;
}

static hk_status no_such_file(hk_ctx *ctx, const char *path) {
    hk_arena *arena = hk_arena_create();
    const char *similar = similar_file(arena, path);
    const char *hint = hk_hint_name(arena, similar, NULL);
    hk_status status =
        hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, hint, "file does not exist");
    hk_arena_destroy(arena);
    return status;
}

/* "x.ssp#Variant.ssd": one of the descriptions in a package that is there. */
static bool is_variant(const char *path) {
    size_t length = hk_ssp_file_length(path);
    if (!path[length] || hk_file_exists(path))
        return false;
    hk_arena *arena = hk_arena_create();
    bool exists = hk_file_exists(hk_arena_strndup(arena, path, length));
    hk_arena_destroy(arena);
    return exists;
}

/* One module of several in a file: "x.rct#Module". */
static bool is_module(const char *path) {
    size_t length;
    if (!hk_chart_names(path, &length) || !path[length])
        return false;
    hk_arena *arena = hk_arena_create();
    bool exists = hk_file_exists(hk_arena_strndup(arena, path, length));
    hk_arena_destroy(arena);
    return exists;
}

/* Systems of the Open Simulation Platform are named by the folder they lie in. */
static bool is_osp_folder(const char *path) {
    hk_arena *arena = hk_arena_create();
    bool found = hk_folder_exists(path) && hk_file_exists(hk_path_join(arena, path, HK_OSP_FILE));
    hk_arena_destroy(arena);
    return found;
}

hk_status hk_file_classify(hk_ctx *ctx, const char *path, hk_file_kind *ret_kind) {
    static const struct {
        const char *extension;
        hk_file_kind kind;
    } kinds[] = {{".fmu", HK_FILE_FMU},      {".ssp", HK_FILE_SYSTEM},
                 {".ssd", HK_FILE_SYSTEM},   {".system", HK_FILE_SYSTEM},
                 {".xml", HK_FILE_SYSTEM},   {".simulation", HK_FILE_SIMULATION},
                 {".types", HK_FILE_TYPES},  {".rct", HK_FILE_CHART},
                 {".sysml", HK_FILE_SYSTEM}, {".scene", HK_FILE_SCENE}};
    hk_where where = {.file = path};
    if (is_osp_folder(path)) {
        *ret_kind = HK_FILE_SYSTEM;
        return HK_OK;
    }
    if (hk_folder_exists(path))
        return hk_error(ctx, HK_E_FILE_READ, where,
                        "name a file inside it; a folder with an " HK_OSP_FILE " is a system",
                        "this is a folder");
    if (is_variant(path)) {
        *ret_kind = HK_FILE_SYSTEM;
        return HK_OK;
    }
    if (is_module(path)) {
        *ret_kind = HK_FILE_CHART;
        return HK_OK;
    }
    if (!hk_file_exists(path))
        return no_such_file(ctx, path);
    if (hk_table_is(path)) {
        *ret_kind = HK_FILE_TABLE;
        return HK_OK;
    }
    const char *extension = hk_path_extension(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcasecmp(extension, kinds[i].extension) == 0) {
            *ret_kind = kinds[i].kind;
            return HK_OK;
        }
    }
    if (strcasecmp(extension, ".node") == 0)
        return hk_error(ctx, HK_E_FILE_KIND, where,
                        "'hocket node FILE.node' runs it, and 'hocket check FILE.node' says what "
                        "is wrong with it",
                        "this is a graph of nodes, and neither a system nor a simulation");
    return hk_error(
        ctx, HK_E_FILE_KIND, where,
        "hocket reads .fmu, .ssp, .ssd, .xml (OSP), .system, .simulation, .types, .rct, .sysml, "
        "and tables: .csv, .mat, .h5",
        *extension ? "'%s' is not an extension that hocket knows" : "file has no extension%s",
        extension);
}

static bool is_plain_name(const char *name) {
    if (!name || !*name)
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

/* A model name may be a sentence; the identifier never is. */
static const char *name_of(const hk_fmu *fmu) {
    const char *name = hk_fmu_info(fmu)->name;
    const char *identifier = hk_fmu_get_facts(fmu)->model_identifier;
    return is_plain_name(name) || !identifier ? name : identifier;
}

hk_status hk_model_add_fmu(hk_ctx *ctx, hk_model *model, const char *name, const char *path,
                           uint32_t *ret_index) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(ctx, path, &fmu));
    return hk_model_add_component(ctx, model, name ? name : name_of(fmu), hk_fmu_own(model, fmu),
                                  (hk_where){.file = path}, ret_index);
}

/* Adds a file as a component; NAME NULL: it has its name from the file. */
typedef hk_status add_fn(hk_ctx *ctx, hk_model *model, const char *name, const char *path,
                         uint32_t *ret_index);

/* The system is named after its only component. */
static hk_status model_of_one(hk_ctx *ctx, const char *path, add_fn *add, hk_model **ret_model) {
    uint32_t index;
    hk_model *model = hk_model_create(NULL, path);
    hk_status status = add(ctx, model, NULL, path, &index);
    if (status != HK_OK) {
        hk_model_destroy(model);
        return status;
    }
    model->name = model->components[index].name;
    *ret_model = model;
    return HK_OK;
}

hk_status hk_model_add_chart(hk_ctx *ctx, hk_model *model, const char *name, const char *path,
                             uint32_t *ret_index) {
    const hk_info *info;
    HK_TRY(hk_chart_info(ctx, model, path, NULL, &info));
    return hk_model_add_component(ctx, model, name ? name : info->name, info,
                                  (hk_where){.file = path}, ret_index);
}

hk_status hk_model_open_kind(hk_ctx *ctx, const char *path, hk_file_kind kind, const hk_ratio *step,
                             hk_model **ret_model) {
    if (kind == HK_FILE_FMU)
        return model_of_one(ctx, path, hk_model_add_fmu, ret_model);
    if (kind == HK_FILE_CHART)
        return model_of_one(ctx, path, hk_model_add_chart, ret_model);
    if (kind == HK_FILE_SYSTEM && strcasecmp(hk_path_extension(path), ".system") == 0 &&
        !path[hk_ssp_file_length(path)])
        return hk_system_read(ctx, path, ret_model);
    if (kind == HK_FILE_SYSTEM && strcasecmp(hk_path_extension(path), ".sysml") == 0 &&
        !path[hk_ssp_file_length(path)])
        return hk_sysml_read(ctx, path, ret_model);
    if (kind == HK_FILE_SYSTEM &&
        (strcasecmp(hk_path_extension(path), ".xml") == 0 || hk_folder_exists(path)) &&
        !path[hk_ssp_file_length(path)])
        return hk_osp_read(ctx, path, step, ret_model);
    if (kind == HK_FILE_SYSTEM)
        return hk_ssp_read(ctx, path, &(hk_ssp_options){.step = step}, ret_model);
    if (kind == HK_FILE_SIMULATION)
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path}, "name its system instead",
                        "a simulation is not a system");
    if (kind == HK_FILE_TYPES)
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                        "a .system file makes a system of them", "types are not a system");
    if (kind == HK_FILE_SCENE)
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                        "hocket plot FILE.scene RECORD -o picture.svg",
                        "a scene shows a run, and cannot be run");
    return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "a table is an input: hocket run SYSTEM --input-file FILE.csv",
                    "a table cannot be run by itself");
}

hk_status hk_model_open(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    hk_file_kind kind;
    HK_TRY(hk_file_classify(ctx, path, &kind));
    return hk_model_open_kind(ctx, path, kind, NULL, ret_model);
}

hk_status hk_model_open_with_set(hk_ctx *ctx, const char *path, hk_file_kind kind,
                                 const char *parameter_set, const hk_ratio *step,
                                 hk_model **ret_model) {
    const char *extension = hk_path_extension(path);
    bool variant = path[hk_ssp_file_length(path)];
    bool ssp = variant || strcasecmp(extension, ".ssp") == 0 || strcasecmp(extension, ".ssd") == 0;
    if (kind != HK_FILE_SYSTEM || !ssp)
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "leave out --parameter-set",
                        "--parameter-set is for SSP systems: nothing else binds parameter sets");
    return hk_ssp_read(ctx, path, &(hk_ssp_options){.set = parameter_set, .step = step}, ret_model);
}

/* For systems that are not in hocket's languages; USER: the parameter set. */
static hk_status open_system(void *user, hk_ctx *ctx, const char *path, hk_model **ret_model) {
    hk_file_kind kind;
    HK_TRY(hk_file_classify(ctx, path, &kind));
    return user ? hk_model_open_with_set(ctx, path, kind, user, NULL, ret_model)
                : hk_model_open_kind(ctx, path, kind, NULL, ret_model);
}

/* Of a system that was opened without it: in a language that has none. */
static hk_status refuse_set(hk_ctx *ctx, hk_simulation *simulation) {
    hk_model *none;
    hk_status status =
        hk_model_open_with_set(ctx, simulation->model->file, HK_FILE_SYSTEM, "", NULL, &none);
    hk_simulation_destroy(simulation);
    return status;
}

hk_status hk_simulation_open(hk_ctx *ctx, const char *path, const hk_simulation_wishes *wishes,
                             hk_simulation **ret_simulation) {
    hk_simulation_options options = {.open = open_system,
                                     .user = (void *)(uintptr_t)wishes->parameter_set,
                                     .parameters = wishes->defines,
                                     .parameter_count = wishes->define_count};
    if (wishes->system)
        HK_TRY(open_system(options.user, ctx, wishes->system, &options.system));
    hk_status status = hk_simulation_read(ctx, path, &options, ret_simulation);
    if (status != HK_OK)
        hk_model_destroy(options.system); /* nobody has taken it */
    else if (wishes->parameter_set &&
             strcasecmp(hk_path_extension((*ret_simulation)->model->file), ".system") == 0)
        return refuse_set(ctx, *ret_simulation);
    return status;
}

const char *hk_model_hint(hk_arena *arena, const hk_model *model, const char *name,
                          const char *fallback) {
    bool single = hk_model_is_single(model);
    size_t count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        count += model->components[i].info->variable_count;
    const char **names = HK_NEW_ARRAY(arena, const char *, 2 * count + 1);
    count = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        for (size_t v = 0; v < c->info->variable_count; v++) {
            const char *variable = c->info->variables[v].name;
            names[count++] = hk_arena_printf(arena, "%s.%s", c->name, variable);
            if (single)
                names[count++] = variable;
        }
    }
    return hk_hint_closest(arena, name, names, count, fallback);
}

bool hk_quantity_split(const char *text, size_t *ret_number_length, const char **ret_unit) {
    const char *p = text;
    p += *p == '+' || *p == '-';
    size_t whole = strspn(p, "0123456789");
    p += whole;
    size_t fraction = 0;
    if (*p == '.') {
        fraction = strspn(p + 1, "0123456789");
        p += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p + 1;
        exponent += *exponent == '+' || *exponent == '-';
        size_t digits = strspn(exponent, "0123456789");
        if (digits)
            p = exponent + digits;
    }
    *ret_number_length = (size_t)(p - text);
    *ret_unit = p + strspn(p, " ");
    return true;
}
