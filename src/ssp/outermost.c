/* SPDX-License-Identifier: MIT
 *
 * The connectors of the outermost system are what a user knows the system by: names for variables
 * where a value is handed on as it is, signals of their own where it is changed on its way. */
#include "ssp/ssp_internal.h"

/* The inputs of the outermost system are names for what they drive: for the first variable that
 * gets the value as it is; the others are branches. Leaves hang in a list with the last one first.
 */
static void name_inputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    for (size_t i = 0; i < root->connector_count; i++) {
        const hk_ssp_node *node = &flat->nodes[root->first_node + i];
        const hk_ssp_leaf *named = NULL;
        const hk_branch *branches = NULL;
        bool part = false;
        for (uint32_t l = node->first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next)
            if (flat->leaves[l].transform.kind == HK_TRANSFORM_NONE)
                named = &flat->leaves[l];
        for (uint32_t l = node->first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next) {
            const hk_ssp_leaf *leaf = &flat->leaves[l];
            part = part || leaf->at.count;
            if (leaf == named)
                continue;
            hk_branch *branch = HK_NEW(flat->model->arena, hk_branch);
            *branch = (hk_branch){leaf->at.component, leaf->at.variable, leaf->transform, branches};
            branches = branch;
        }
        if (part)
            hk_note(flat->reader->ctx, node->connector->where,
                    "connector '%s' of the system drives one element of an array, so it is no name "
                    "for a variable",
                    node->connector->name);
        else if (named)
            hk_model_add_alias(flat->model, node->connector->name, named->at.component,
                               named->at.variable, branches);
        else if (branches)
            hk_map_put(&flat->model->changed_inputs,
                       hk_arena_strdup(flat->model->arena, node->connector->name), (uint32_t)i);
    }
}

/* A leaf that an input of the outermost system hands its value to as it is; NULL: there is none. */
static const hk_ssp_leaf *plain_leaf(const hk_ssp_flat *flat, uint32_t node) {
    for (uint32_t l = flat->nodes[node].first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next)
        if (flat->leaves[l].transform.kind == HK_TRANSFORM_NONE)
            return &flat->leaves[l];
    return NULL;
}

static bool may_show(const hk_variable *v, const hk_transform *change) {
    hk_store store = hk_store_of(v->type);
    if (change->kind == HK_TRANSFORM_LINEAR)
        return store == HK_STORE_F64 || store == HK_STORE_F32;
    return change->kind == HK_TRANSFORM_NONE || store != HK_STORE_BYTES;
}

/* The output that NODE is, whose value comes from AT and is changed on its way. Of an input that is
 * PASSED straight on a name would not be recorded, since inputs are not. */
static void show(hk_ssp_flat *flat, const hk_ssp_node *node, const hk_address *at,
                 const hk_transform *change, bool passed) {
    const hk_variable *v = hk_address_variable(flat->model, at);
    const char *name = node->connector->name;
    if (change->kind == HK_TRANSFORM_NONE && !at->count && !at->group &&
        (!passed || v->count != 1)) {
        hk_model_add_alias(flat->model, name, at->component, at->variable, NULL);
    } else if (at->group || (!at->count && v->count != 1) || at->count > 1 ||
               !may_show(v, change)) {
        hk_note(flat->reader->ctx, node->connector->where,
                "connector '%s' of the system changes or collects more than one number, so it is "
                "no signal",
                name);
    } else {
        const char *unit = node->connector->unit;
        hk_shown shown = {.name = name,
                          .component = at->component,
                          .variable = at->variable,
                          .element = at->element,
                          .transform = *change};
        shown.unit = unit                                ? hk_arena_strdup(flat->model->arena, unit)
                     : change->kind == HK_TRANSFORM_NONE ? v->unit
                                                         : NULL;
        hk_model_add_shown(flat->model, &shown);
    }
}

static void name_output(hk_ssp_flat *flat, const hk_ssp_node *node, const hk_ssp_route *path) {
    const hk_ssp_end *from = &path->edges[0]->from;
    hk_transform change = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (path->mapped ? !hk_ssp_table_of(flat, path, &change) : !hk_ssp_compose(flat, path, &change))
        return;
    hk_address at;
    if (!from->is_node) {
        if (hk_ssp_narrow(flat, from, path->want, node->connector->where, &at))
            show(flat, node, &at, &change, false);
        return;
    }
    if (path->split != HK_MAP_NONE) {
        hk_note(flat->reader->ctx, node->connector->where,
                "connector '%s' of the system collects elements of several sources, so it is no "
                "signal",
                node->connector->name);
        return;
    }
    const hk_ssp_leaf *leaf = plain_leaf(flat, from->node);
    if (leaf)
        show(flat, node, &leaf->at, &change, true);
    else
        hk_note(flat->reader->ctx, node->connector->where,
                "connector '%s' of the system passes on what no component gets, so it is no signal",
                node->connector->name);
}

static void name_outputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    hk_ssp_route path = {0};
    for (size_t i = 0; i < root->connector_count; i++) {
        const hk_ssp_node *node = &flat->nodes[root->first_node + i];
        if (node->inbound != HK_MAP_NONE && hk_ssp_follow(flat, &flat->edges[node->inbound], &path))
            name_output(flat, node, &path);
    }
}

void hk_ssp_name_outermost(hk_ssp_flat *flat, const hk_ssd_element *root) {
    name_inputs(flat, root);
    name_outputs(flat, root);
}
