/* SPDX-License-Identifier: MIT
 *
 * The connectors of the outermost system are what a user knows the system by: names for variables
 * where a value is handed on as it is, signals of their own where it is changed on its way. */
#include "ssp/ssp_internal.h"

/* All of the connector leads somewhere and elements of it elsewhere: nobody could divide a value.
 */
static bool is_undivided(hk_ssp_flat *flat, const hk_flat_node *node) {
    uint32_t index = (uint32_t)(node - flat->graph.nodes);
    if (node->first_leaf == HK_MAP_NONE || !hk_flat_is_divided(&flat->graph, index))
        return true;
    hk_note(
        flat->reader->ctx, node->connector->where,
        "connections take all of connector '%s' of system '%s' and elements of it, so it cannot "
        "be set; the inputs that it leads to can",
        node->connector->name, node->system);
    return false;
}

/* The elements of a connector that lead to something have names, "d[2]", of their own. */
static void name_parts(hk_ssp_flat *flat, const hk_ssd_element *system, const hk_flat_node *node) {
    bool outermost = !*system->path;
    for (uint32_t p = node->first_part; p != HK_MAP_NONE; p = flat->graph.nodes[p].next_part) {
        const hk_flat_node *part = &flat->graph.nodes[p];
        const char *name =
            hk_arena_printf(flat->reader->arena, "%s%s%s%s", system->path, outermost ? "" : ".",
                            part->connector->name, part->index);
        if (part->first_leaf == HK_MAP_NONE)
            continue;
        hk_map_put(flat->node_paths, name, p);
        if (node->first_leaf == HK_MAP_NONE)
            hk_flat_add_inlet(&flat->graph, p, name, outermost);
    }
}

static void name_inputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    for (size_t i = 0; i < root->connector_count; i++) {
        uint32_t index = root->first_node + (uint32_t)i;
        name_parts(flat, root, &flat->graph.nodes[index]);
        if (is_undivided(flat, &flat->graph.nodes[index]))
            hk_flat_name_input(&flat->graph, index, root->connectors[i].name);
    }
}

/* Connectors of inner systems that nothing drives can be set by their path. */
static void name_inner_inputs(hk_ssp_flat *flat, const hk_ssd_element *system) {
    for (size_t e = 0; e < system->element_count; e++) {
        const hk_ssd_element *inner = system->elements[e];
        if (!inner->is_system)
            continue;
        for (size_t i = 0; inner->path && i < inner->connector_count; i++) {
            uint32_t index = inner->first_node + (uint32_t)i;
            const hk_flat_node *node = &flat->graph.nodes[index];
            name_parts(flat, inner, node);
            if (node->first_leaf != HK_MAP_NONE && is_undivided(flat, node))
                hk_flat_add_inlet(&flat->graph, index,
                                  hk_arena_printf(flat->reader->arena, "%s.%s", inner->path,
                                                  inner->connectors[i].name),
                                  false);
        }
        name_inner_inputs(flat, inner);
    }
}

/* A leaf that an input of the outermost system hands its value to as it is; NULL: there is none. */
static const hk_flat_leaf *plain_leaf(const hk_ssp_flat *flat, uint32_t node) {
    for (uint32_t l = flat->graph.nodes[node].first_leaf; l != HK_MAP_NONE;
         l = flat->graph.leaves[l].next)
        if (flat->graph.leaves[l].transform.kind == HK_TRANSFORM_NONE)
            return &flat->graph.leaves[l];
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
static void show(hk_ssp_flat *flat, const hk_flat_node *node, const hk_address *at,
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
                "not a signal",
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
        shown.uom = unit ? hk_flat_keep_unit(&flat->graph, node->connector->uom)
                    : change->kind == HK_TRANSFORM_NONE ? v->uom
                                                        : NULL;
        hk_model_add_shown(flat->model, &shown);
    }
}

static void name_output(hk_ssp_flat *flat, const hk_flat_node *node, const hk_flat_route *path) {
    const hk_flat_end *from = &path->edges[0]->from;
    hk_transform change = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (!hk_flat_change(&flat->graph, path, &change))
        return;
    hk_address at;
    if (!from->is_node) {
        if (hk_flat_narrow(&flat->graph, from, path->want, node->connector->where, &at))
            show(flat, node, &at, &change, false);
        return;
    }
    if (path->split != HK_MAP_NONE) {
        hk_note(flat->reader->ctx, node->connector->where,
                "connector '%s' of the system collects elements of several sources, so it is not a "
                "signal",
                node->connector->name);
        return;
    }
    uint32_t origin = hk_flat_origin(&flat->graph, path);
    const hk_flat_leaf *leaf = origin == HK_MAP_NONE ? NULL : plain_leaf(flat, origin);
    if (leaf)
        show(flat, node, &leaf->at, &change, true);
    else
        hk_note(
            flat->reader->ctx, node->connector->where,
            "connector '%s' of the system passes on an input that no component gets as it is, so "
            "it is not a signal",
            node->connector->name);
}

static void name_outputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    hk_flat_route path = {0};
    for (size_t i = 0; i < root->connector_count; i++) {
        const hk_flat_node *node = &flat->graph.nodes[root->first_node + i];
        if (node->inbound != HK_MAP_NONE && hk_flat_follow(&flat->graph, node->inbound, &path))
            name_output(flat, node, &path);
    }
}

void hk_ssp_name_outermost(hk_ssp_flat *flat, const hk_ssd_element *root) {
    name_inputs(flat, root);
    name_inner_inputs(flat, root);
    name_outputs(flat, root);
}
