/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include "base/file.h"
#include "base/number.h"
#include "lang/schedule.h"
#include "ssp/ssp.h"

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
static const char *similar_file(hk_cli *cli, const char *path) {
    const char *folder = hk_path_folder(cli->arena, path), *found = NULL;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && count < SIMILAR_FILES_MAX && (entry = readdir(dir))) {
        const char *name = hk_arena_strdup(cli->arena, entry->d_name);
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

hk_status hk_file_kind_of(hk_cli *cli, const char *path, hk_file_kind *ret_kind) {
    static const struct {
        const char *extension;
        hk_file_kind kind;
    } kinds[] = {{".fmu", HK_FILE_FMU},
                 {".ssp", HK_FILE_SYSTEM},
                 {".ssd", HK_FILE_SYSTEM},
                 {".csv", HK_FILE_TABLE}};
    hk_where where = {.file = path};
    if (hk_folder_exists(path))
        return hk_error(cli->ctx, HK_E_FILE_READ, where, "name a file inside it",
                        "this is a folder");
    if (!hk_file_exists(path)) {
        const char *similar = similar_file(cli, path);
        return hk_error(cli->ctx, HK_E_FILE_READ, where,
                        similar ? hk_arena_printf(cli->arena, "did you mean '%s'?", similar) : NULL,
                        "file does not exist");
    }
    const char *extension = hk_path_extension(path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcasecmp(extension, kinds[i].extension) == 0) {
            *ret_kind = kinds[i].kind;
            return HK_OK;
        }
    }
    return hk_error(cli->ctx, HK_E_FILE_KIND, where, "hocket reads .fmu, .ssp, .ssd and .csv",
                    *extension ? "'%s' is no extension that hocket knows"
                               : "file has no extension%s",
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

static void close_fmu(void *fmu) {
    hk_fmu_close(fmu);
}

static hk_status model_of_fmu(hk_cli *cli, const char *path, hk_model **ret_model) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(cli->ctx, path, &fmu));
    const hk_info *info = hk_fmu_info(fmu);
    const char *identifier = hk_fmu_get_facts(fmu)->model_identifier;
    /* A model name may be a sentence; the identifier never is. */
    const char *name = is_plain_name(info->name) || !identifier ? info->name : identifier;
    hk_model *model = hk_model_create(name, path);
    hk_model_own(model, fmu, close_fmu);
    uint32_t index;
    hk_status status =
        hk_model_add_component(cli->ctx, model, name, info, (hk_where){.file = path}, &index);
    if (status != HK_OK) {
        hk_model_destroy(model);
        return status;
    }
    *ret_model = model;
    return HK_OK;
}

hk_status hk_load_model(hk_cli *cli, const char *path, hk_model **ret_model) {
    hk_file_kind kind;
    HK_TRY(hk_file_kind_of(cli, path, &kind));
    if (kind == HK_FILE_FMU)
        return model_of_fmu(cli, path, ret_model);
    if (kind == HK_FILE_SYSTEM)
        return hk_ssp_read(cli->ctx, path, ret_model);
    return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "a table is an input: hocket run SYSTEM --input-file FILE.csv",
                    "a table cannot be run by itself");
}

hk_status hk_load_schedule(hk_cli *cli, const hk_args *args, hk_model *model) {
    const char *path = hk_args_value(args, "schedule");
    return path ? hk_schedule_read(cli->ctx, model, path) : HK_OK;
}

const char *hk_closest_variable(const hk_cli *cli, const hk_model *model, const char *name) {
    hk_arena *arena = cli->arena;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        for (size_t v = 0; v < c->info->variable_count; v++) {
            const char *full = hk_arena_printf(arena, "%s.%s", c->name, c->info->variables[v].name);
            HK_PUSH(names, count, cap, full);
            if (hk_model_is_single(model))
                HK_PUSH(names, count, cap, c->info->variables[v].name);
        }
    }
    const char *close = hk_closest(name, names, count);
    hk_free(names);
    return close;
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
