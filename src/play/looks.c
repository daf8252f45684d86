/* SPDX-License-Identifier: MIT
 *
 * What a scenario looks at, for those who want to know before it is played. */
#include "play/play_internal.h"

#include <string.h>

static size_t add_columns(hk_signal *to, size_t count, const hk_column *columns, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[count++] = (hk_signal){columns[i].component, columns[i].variable, 0, NULL};
    return count;
}

static hk_looks looks_of(const hk_scene *scene, hk_arena *arena) {
    size_t rows = scene->judged_count;
    for (size_t i = 0; i < scene->log_count; i++)
        rows += scene->logs[i].count;
    hk_signal *signals = HK_NEW_ARRAY(arena, hk_signal, rows + scene->observed_count + 1);
    size_t count = add_columns(signals, 0, scene->judged, scene->judged_count);
    for (size_t i = 0; i < scene->log_count; i++)
        count = add_columns(signals, count, scene->logs[i].columns, scene->logs[i].count);
    if (scene->observed_count)
        memcpy(signals + count, scene->observed, scene->observed_count * sizeof *signals);
    return (hk_looks){signals, rows, signals + rows, scene->observed_count};
}

uint32_t hk_scenario_index(const hk_simulation *simulation, const char *name) {
    HK_ASSERT(simulation);
    uint32_t index = 0;
    while (name && strcmp(simulation->scenarios[index].name, name) != 0)
        index++; /* it is there: that was checked */
    return index;
}

hk_status hk_play_looks(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                        hk_arena *arena, hk_looks *ret_looks) {
    HK_ASSERT(ctx && made && options && arena && ret_looks);
    HK_ASSERT(made->simulation && made->plan);
    HK_TRY(hk_play_check(ctx, made->simulation, options));
    uint32_t scenario = hk_scenario_index(made->simulation, options->scenario);
    hk_stage *stage = NULL;
    HK_TRY(hk_stage_make(ctx, made, options, &stage));
    *ret_looks = looks_of(&stage->scenes[scenario], arena);
    hk_stage_destroy(stage);
    return HK_OK;
}
