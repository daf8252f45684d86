/* SPDX-License-Identifier: MIT
 *
 * Random numbers in an FMU. hocket makes the streams of a component from the seed of the run, its
 * number and the component's name. An FMU knows its name; the two numbers become parameters. */
#include "export/export_internal.h"

#include <math.h>

static const char *free_name(const hk_export *e, const char *wanted) {
    const char *name = wanted;
    for (unsigned n = 2; hk_info_find(e->info, name) != HK_MAP_NONE; n++)
        name = hk_arena_printf(e->arena, "%s_%u", wanted, n);
    return name;
}

static hk_variable parameter(const hk_export *e, uint32_t index, const char *name,
                             const char *description) {
    return (hk_variable){
        .name = free_name(e, name),
        .description = description,
        .ref = index,
        .type = HK_TYPE_U64,
        .store = HK_STORE_U64,
        .causality = HK_PARAMETER,
        .variability = HK_FIXED,
        .initial = HK_EXACT,
        .count = 1,
        /* 0: a run of hocket that names no seed has that seed and that number. */
        .start = {HK_TYPE_U64, 1, HK_NEW_ARRAY(e->arena, uint64_t, 1)},
        .min = NAN,
        .max = NAN,
        .nominal = NAN,
        .alias_of = index,
    };
}

void hk_export_add_random(hk_export *e) {
    const size_t count = e->info->variable_count;
    if (!e->info->can.has_streams)
        return;
    hk_variable *variables = HK_NEW_ARRAY(e->arena, hk_variable, count + 2);
    for (size_t i = 0; i < count; i++)
        variables[i] = e->info->variables[i];
    variables[count] = parameter(e, (uint32_t)count, "random.seed", "Seed of the random numbers");
    variables[count + 1] =
        parameter(e, (uint32_t)count + 1, "random.run",
                  "Number of the run: others give other random numbers from the same seed");
    hk_info *info = HK_NEW_ARRAY(e->arena, hk_info, 1);
    *info = *e->info;
    info->variables = variables;
    info->variable_count = count + 2;
    e->info = info;
}
