/* SPDX-License-Identifier: MIT
 *
 * A multi-model as the model that runs. */
#include "sysml/sysml.h"

#include "base/number.h"
#include "base/seconds.h"
#include "sysml/model_internal.h"
#include "sysml/profile_rules.h"

#include <string.h>

/* ---- the experiment ----------------------------------------------------------------------------
 */

static bool read_time(hk_sysml_maker *m, hk_profile_time_kind kind, hk_ratio *ret_time) {
    const hk_profile_experiment *x = &m->profile->experiment;
    bool length = kind == HK_PROFILE_STEP || kind == HK_PROFILE_INTERVAL;
    if (!x->texts[kind])
        return false;
    if (hk_seconds_read(m->complaints.ctx, hk_place_where(x->file, &x->at[kind]), x->texts[kind],
                        ret_time) &&
        (!length || ret_time->num > 0))
        return true;
    hk_complain(&m->complaints, HK_E_TIME, hk_place_where(x->file, &x->at[kind]), NULL,
                "'%s', %s s, is not a time%s", hk_profile_experiment_words[kind], x->texts[kind],
                length ? " above 0" : "");
    return false;
}

static void set_experiment(hk_sysml_maker *m) {
    hk_experiment *e = &m->model->experiment;
    const hk_profile_experiment *x = &m->profile->experiment;
    const char *tolerance = x->texts[HK_PROFILE_TOLERANCE];
    e->start = (hk_ratio){0, 1};
    if (read_time(m, HK_PROFILE_START, &e->start))
        e->start_source = HK_FROM_SYSTEM;
    e->has_stop = read_time(m, HK_PROFILE_STOP, &e->stop);
    e->has_step = read_time(m, HK_PROFILE_STEP, &e->step);
    e->stop_source = e->has_stop ? HK_FROM_SYSTEM : e->stop_source;
    e->step_source = e->has_step ? HK_FROM_SYSTEM : e->step_source;
    if (read_time(m, HK_PROFILE_INTERVAL, &e->output_interval))
        e->output_interval_source = HK_FROM_SYSTEM;
    if (e->has_stop && hk_ratio_compare(e->stop, e->start) <= 0)
        hk_complain(&m->complaints, HK_E_TIME, hk_place_where(x->file, &x->at[HK_PROFILE_STOP]),
                    NULL, "the stop time is not after the start time");
    if (!tolerance)
        return;
    e->has_tolerance = hk_read_f64(tolerance, strlen(tolerance), &e->tolerance) && e->tolerance > 0;
    e->tolerance_source = HK_FROM_SYSTEM;
    if (!e->has_tolerance)
        hk_complain(&m->complaints, HK_E_VALUE,
                    hk_place_where(x->file, &x->at[HK_PROFILE_TOLERANCE]), NULL,
                    "the tolerance is a number above 0");
}

static hk_status make_model(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                            hk_model *model) {
    hk_sysml_maker m = {
        .complaints = {.ctx = ctx}, .arena = arena, .profile = profile, .model = model};
    m.elements = HK_NEW_ARRAY(arena, hk_tree_element *, profile->instance_count + 1);
    m.checked = HK_NEW_ARRAY(arena, bool, profile->block_count + 1);
    m.components = HK_NEW_ARRAY(arena, uint32_t, profile->instance_count + 1);
    memset(m.components, 0xff, (profile->instance_count + 1) * sizeof *m.components);
    hk_tree_create(model, profile->system_name);
    model->experiment.has_algorithm = true;
    model->experiment.algorithm = HK_JACOBI;
    model->experiment.algorithm_source = HK_FROM_DEFAULT;
    set_experiment(&m);
    hk_sysml_add_components(&m);
    if (!m.complaints.count)
        hk_sysml_add_flows(&m);
    if (!m.complaints.count)
        hk_sysml_tell_lost(&m);
    hk_map_finish(&m.opened);
    hk_map_finish(&m.nodes);
    hk_map_finish(&m.driven);
    hk_map_finish(&m.connectors);
    hk_map_finish(&m.files);
    hk_free(m.file_names);
    hk_free(m.infos);
    return m.complaints.first;
}

hk_status hk_sysml_model(hk_ctx *ctx, const hk_multimodel *profile, const char *path,
                         hk_model **ret_model) {
    hk_arena *arena = hk_arena_create();
    hk_model *model = hk_model_create(profile->system_name, path);
    hk_status status = make_model(ctx, arena, profile, model);
    hk_arena_destroy(arena);
    if (status)
        hk_model_destroy(model);
    else
        *ret_model = model;
    return status;
}

hk_status hk_sysml_read(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    static const char *const quiet[] = {"C4=off", "C5=off", "C8=off"};
    hk_profile_wishes wishes = {.profile = "fmi", .rules = {quiet, 3}};
    hk_arena *arena = hk_arena_create();
    const hk_multimodel *profile = NULL;
    hk_status status = hk_profile_read(ctx, arena, path, &profile);
    if (!status && profile->system == HK_PROFILE_NONE)
        status =
            hk_error(ctx, HK_E_PROFILE, (hk_where){.file = path},
                     "mark the definition of the system with #system", "there is no System block");
    if (!status)
        status = hk_profile_check(ctx, arena, profile, &wishes);
    if (!status)
        status = hk_sysml_model(ctx, profile, path, ret_model);
    hk_profile_finish(profile);
    hk_arena_destroy(arena);
    return status;
}
