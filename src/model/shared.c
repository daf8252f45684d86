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
    return hk_model_set_value(ctx, model, to->component, to->variable, &value,
                              (hk_origin){source, where});
}

bool hk_model_share_units(const hk_model *model, uint32_t component, uint32_t variable,
                          hk_branch *to) {
    const hk_variable *a = &model->components[component].info->variables[variable];
    const hk_variable *b = &model->components[to->component].info->variables[to->variable];
    to->transform = (hk_transform){.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (a->uom && b->uom &&
        !hk_uom_conversion(a->uom, b->uom, a->relative, &to->transform.factor,
                           &to->transform.offset))
        return false;
    if (to->transform.factor != 1 || to->transform.offset != 0)
        to->transform.kind = HK_TRANSFORM_LINEAR;
    return true;
}

/* The others begin with the value of the first. */
static hk_status spread(hk_ctx *ctx, hk_model *model, const hk_shared *shared,
                        const hk_branch *to) {
    const hk_component *from = &model->components[shared->component];
    const hk_component *other = &model->components[to->component];
    const hk_setting *own = hk_component_last_setting(other, to->variable);
    if (own && own->source == HK_FROM_SYSTEM)
        return hk_error(ctx, HK_E_PARAMETER, own->where, "set the first of those that share it",
                        "'%s.%s' has the value of '%s.%s' and cannot have one of its own",
                        other->name, other->info->variables[to->variable].name, from->name,
                        from->info->variables[shared->variable].name);
    return hk_model_spread(ctx, model, shared, to, HK_FROM_SYSTEM, shared->where);
}

/* What may change during a run is followed: over a connection, after each activation of the owner.
 */
static hk_status follow(hk_ctx *ctx, hk_model *model, const hk_shared *shared,
                        const hk_branch *to) {
    const hk_component *owner = &model->components[shared->component];
    const hk_component *other = &model->components[to->component];
    const hk_variable *from = &owner->info->variables[shared->variable];
    const hk_variable *v = &other->info->variables[to->variable];
    if (from->variability != HK_TUNABLE)
        return HK_OK;
    if (v->variability != HK_TUNABLE)
        return hk_error(ctx, HK_E_PARAMETER, shared->where,
                        "share it the other way round, or remove the share",
                        "'%s.%s' is fixed and cannot follow '%s.%s', which may change during the "
                        "run",
                        other->name, v->name, owner->name, from->name);
    hk_connection *k = hk_model_connect(model, shared->component, shared->variable, to->component,
                                        to->variable, shared->where);
    k->lag = shared->lag;
    k->shared = true;
    return HK_OK;
}

hk_status hk_model_share_all(hk_ctx *ctx, hk_model *model) {
    hk_status first = HK_OK;
    for (size_t i = 0; i < model->shared_count; i++)
        for (const hk_branch *b = model->shared[i].others; b; b = b->next) {
            hk_status status = spread(ctx, model, &model->shared[i], b);
            first = first == HK_OK ? status : first;
            status = follow(ctx, model, &model->shared[i], b);
            first = first == HK_OK ? status : first;
        }
    return first;
}
