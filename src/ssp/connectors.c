/* SPDX-License-Identifier: MIT
 *
 * The connectors of components declare variables that are there; what they declare otherwise, and
 * no connection has found out, is reported. After the bindings, which may change sizes. */
#include "ssp/ssp_internal.h"

#include <string.h>

static void check_shape(hk_ssp *r, const hk_ssd_element *e, const hk_tree_connector *c,
                        const hk_variable *v) {
    if (!hk_ssp_shape_fits(c->sizes, c->size_count, v))
        hk_warn(r->ctx, HK_E_SSP, c->where, "the variable counts",
                "connector '%s' of component '%s' is %s, and the variable is %s", c->name, e->path,
                hk_ssp_shape_text(r, c->sizes, c->size_count),
                hk_ssp_shape_text(r, v->dims, v->dim_count));
}

static void check_component(const hk_ssp_flat *flat, const hk_ssd_element *e) {
    hk_ssp *r = flat->reader;
    const hk_info *info = flat->model->components[e->component].info;
    const hk_tree_connector *first = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < e->connector_count; i++) {
        const hk_tree_connector *c = &e->connectors[i];
        hk_address at = {0};
        if (hk_info_address(info, c->name, &at)) {
            if (!at.count)
                check_shape(r, e, c, &info->variables[at.variable]);
        } else if (!hk_info_group(r->keep, info, c->name)) {
            first = missing++ ? first : c;
        }
    }
    if (missing)
        hk_warn(r->ctx, HK_E_SSP, first->where, "correct the name, or remove it",
                missing == 1 ? "connector '%s' of component '%s' has no variable and is ignored"
                             : "connector '%s' of component '%s' has no variable and is ignored, "
                               "and so are %zu others",
                first->name, e->path, missing - 1);
}

void hk_ssp_check_connectors(const hk_ssp_flat *flat, const hk_ssd_element *root) {
    hk_ssp *r = flat->reader;
    if (!root->is_system) {
        if (root->component != HK_MAP_NONE)
            check_component(flat, root);
        return;
    }
    for (size_t i = 0; i < root->connector_count; i++)
        if (root->connectors[i].size_count && hk_ssp_first(r, "shape of a system's connector"))
            hk_note(r->ctx, root->connectors[i].where,
                    "the dimensions of connector '%s' are not looked at: connectors of systems "
                    "pass on what comes",
                    root->connectors[i].name);
    for (size_t i = 0; i < root->element_count; i++)
        hk_ssp_check_connectors(flat, root->elements[i]);
}
