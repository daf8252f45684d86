/* SPDX-License-Identifier: MIT
 *
 * A multi-model as the model that runs. */
#include "sysml/sysml.h"

#include "sysml/model_internal.h"
#include "sysml/profile_rules.h"

#include <string.h>

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
    hk_sysml_add_components(&m);
    if (!m.complaints.count)
        hk_sysml_add_flows(&m);
    hk_map_finish(&m.opened);
    hk_map_finish(&m.nodes);
    hk_map_finish(&m.driven);
    hk_map_finish(&m.connectors);
    hk_map_finish(&m.files);
    hk_free(m.file_names);
    hk_free(m.infos);
    return m.complaints.first;
}

hk_status hk_sysml_read(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    static const char *const quiet[] = {"C4=off", "C5=off", "C8=off"};
    hk_profile_wishes wishes = {.profile = "fmi", .rules = {quiet, 3}};
    hk_arena *arena = hk_arena_create();
    const hk_multimodel *profile = NULL;
    hk_model *model = NULL;
    hk_status status = hk_profile_read(ctx, arena, path, &profile);
    if (!status && profile->system == HK_PROFILE_NONE)
        status =
            hk_error(ctx, HK_E_PROFILE, (hk_where){.file = path},
                     "mark the definition of the system with #system", "there is no System block");
    if (!status)
        status = hk_profile_check(ctx, arena, profile, &wishes);
    if (!status) {
        model = hk_model_create(profile->system_name, path);
        status = make_model(ctx, arena, profile, model);
    }
    hk_profile_finish(profile);
    hk_arena_destroy(arena);
    if (status)
        hk_model_destroy(model);
    else
        *ret_model = model;
    return status;
}
