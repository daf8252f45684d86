/* SPDX-License-Identifier: MIT
 *
 * Parameters that several components share. */
#include "model/model.h"

const hk_shared *hk_model_follows(const hk_model *model, uint32_t component, uint32_t variable) {
    for (size_t i = 0; i < model->shared_count; i++)
        for (const hk_branch *b = model->shared[i].others; b; b = b->next)
            if (b->component == component && b->variable == variable)
                return &model->shared[i];
    return NULL;
}

hk_status hk_model_refuse_follower(hk_ctx *ctx, const hk_model *model, uint32_t component,
                                   uint32_t variable, hk_where where) {
    const hk_shared *shared = hk_model_follows(model, component, variable);
    if (!shared)
        return HK_OK;
    const hk_component *owner = &model->components[shared->component];
    const hk_component *c = &model->components[component];
    return hk_error(ctx, HK_E_PARAMETER, where, "set the first of those that share it",
                    "'%s.%s' has the value of '%s.%s' and cannot have one of its own", c->name,
                    c->info->variables[variable].name, owner->name,
                    owner->info->variables[shared->variable].name);
}

const hk_setting *hk_component_last_setting(const hk_component *c, uint32_t variable) {
    for (size_t i = c->setting_count; i-- > 0;)
        if (c->settings[i].variable == variable)
            return &c->settings[i];
    return NULL;
}

hk_status hk_model_spread(hk_ctx *ctx, hk_model *model, const hk_shared *shared,
                          const hk_branch *to, hk_source source, hk_where where) {
    const hk_component *from = &model->components[shared->component];
    const hk_setting *given = hk_component_last_setting(from, shared->variable);
    hk_value value = given ? given->value : from->info->variables[shared->variable].start;
    if (!value.data)
        return HK_OK;
    if (to->transform.kind == HK_TRANSFORM_LINEAR && value.type == HK_TYPE_F64) {
        double *numbers = HK_NEW_ARRAY(model->arena, double, value.count);
        for (size_t i = 0; i < value.count; i++)
            numbers[i] =
                to->transform.factor * ((const double *)value.data)[i] + to->transform.offset;
        value.data = numbers;
    }
    return hk_model_set_value(ctx, model, to->component, to->variable, &value, source, where);
}
