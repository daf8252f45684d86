/* SPDX-License-Identifier: MIT
 *
 * From what a model declares to what a run needs. */
#include "model/model.h"

bool hk_connection_units(const hk_model *model, const hk_connection *connection, double *ret_factor,
                         double *ret_offset) {
    const hk_variable *a =
        &model->components[connection->from_component].info->variables[connection->from_variable];
    const hk_variable *b =
        &model->components[connection->to_component].info->variables[connection->to_variable];
    const hk_uom *from = connection->from_uom ? connection->from_uom : a->uom;
    const hk_uom *to = connection->to_uom ? connection->to_uom : b->uom;
    double factor = 1, offset = 0;
    bool fit = !from || !to || connection->suppress_unit_conversion ||
               connection->transform.kind == HK_TRANSFORM_MAP ||
               hk_uom_conversion(from, to, a->relative || b->relative, &factor, &offset);
    *ret_factor = fit ? factor : 1;
    *ret_offset = fit ? offset : 0;
    return fit;
}

/* The conversion of the units comes first: g(f(x)) with f(x) = factor x + offset. */
static hk_transform after_units(const hk_transform *declared, double factor, double offset) {
    if (declared->kind == HK_TRANSFORM_MAP)
        return *declared;
    hk_transform all = {.factor = 1};
    if (declared->kind == HK_TRANSFORM_LINEAR)
        all = *declared;
    all.offset += all.factor * offset;
    all.factor *= factor;
    bool same = all.factor == 1 && all.offset == 0;
    all.kind = same ? HK_TRANSFORM_NONE : HK_TRANSFORM_LINEAR;
    return all;
}

bool hk_connection_is_plain(const hk_model *model, const hk_connection *connection) {
    const hk_transform *t = &connection->transform;
    hk_connection plain = *connection;
    double factor = 1, offset = 0, own_factor = 1, own_offset = 0;
    plain.from_uom = plain.to_uom = NULL;
    plain.suppress_unit_conversion = false;
    (void)hk_connection_units(model, connection, &factor, &offset);
    (void)hk_connection_units(model, &plain, &own_factor, &own_offset);
    bool identity = t->kind == HK_TRANSFORM_NONE ||
                    (t->kind == HK_TRANSFORM_LINEAR && t->factor == 1 && t->offset == 0);
    return identity && factor == own_factor && offset == own_offset;
}

void hk_model_lower(hk_model *model) {
    for (size_t i = 0; i < model->connection_count; i++) {
        hk_connection *k = &model->connections[i];
        double factor, offset;
        (void)hk_connection_units(model, k, &factor, &offset); /* the check tells */
        k->conversion = after_units(&k->transform, factor, offset);
    }
    model->lowered = true;
}
