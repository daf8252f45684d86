/* SPDX-License-Identifier: MIT
 *
 * Inputs of systems that nothing drives are names for what they drive. */
#include "model/flatten.h"

const hk_uom *hk_flat_keep_unit(const hk_flat *flat, const hk_uom *uom) {
    if (!uom)
        return NULL;
    hk_uom *kept = HK_NEW(flat->model->arena, hk_uom);
    *kept = *uom;
    kept->name = uom->name ? hk_arena_strdup(flat->model->arena, uom->name) : NULL;
    return kept;
}

/* What the connector drives, but for NAMED. Leaves hang in a list with the last one first. */
static const hk_branch *branches_of(const hk_flat *flat, uint32_t node, const hk_flat_leaf *named) {
    const hk_branch *branches = NULL;
    for (uint32_t l = flat->nodes[node].first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next) {
        const hk_flat_leaf *leaf = &flat->leaves[l];
        if (leaf == named)
            continue;
        hk_branch *branch = HK_NEW(flat->model->arena, hk_branch);
        *branch = (hk_branch){.component = leaf->at.component,
                              .variable = leaf->at.variable,
                              .transform = leaf->transform,
                              .next = branches,
                              .slice = {leaf->at.element, leaf->at.count},
                              .uom = hk_flat_keep_unit(flat, leaf->uom)};
        branches = branch;
    }
    return branches;
}

void hk_flat_name_input(const hk_flat *flat, uint32_t node, const char *name) {
    const hk_flat_leaf *named = NULL;
    for (uint32_t l = flat->nodes[node].first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next)
        if (flat->leaves[l].transform.kind == HK_TRANSFORM_NONE && !flat->leaves[l].at.count)
            named = &flat->leaves[l];
    const hk_branch *branches = branches_of(flat, node, named);
    if (named)
        hk_model_add_alias(flat->model, name, named->at.component, named->at.variable, branches);
    else if (branches)
        hk_model_add_inlet(flat->model, name, branches, true);
}

void hk_flat_add_inlet(const hk_flat *flat, uint32_t node, const char *path, bool outermost) {
    const hk_branch *branches = branches_of(flat, node, NULL);
    if (branches)
        hk_model_add_inlet(flat->model, path, branches, outermost);
}
