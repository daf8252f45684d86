/* SPDX-License-Identifier: MIT
 *
 * Hands the graph of a system to the flattener (model/flatten.h), and says what it finds wrong. */
#include "ssp/ssp_internal.h"

#include <string.h>

/* ---- problems ---- */

static hk_status tell_group(hk_ssp_flat *flat, const hk_flat_problem *p) {
    hk_ssp *r = flat->reader;
    return hk_error(r->ctx, HK_E_CONNECTION, p->where,
                    "give each of the scalars a connector of its own",
                    "'%s' stands for %zu scalars, and connector '%s' of the system is driven by "
                    "nothing that could be divided",
                    hk_address_name(r->arena, flat->model, &p->at), p->at.group->count,
                    flat->graph.nodes[p->node].connector->name);
}

static hk_status tell_value(hk_ssp_flat *flat, const hk_flat_problem *p) {
    hk_ctx *ctx = flat->reader->ctx;
    switch (p->kind) {
    case HK_FLAT_UNIT:
        return hk_error(ctx, HK_E_UNIT_MISMATCH, p->where, NULL,
                        "the value is in '%s' and is wanted in '%s'", p->have, p->want);
    case HK_FLAT_RANGE:
        return hk_error(ctx, HK_E_VALUE, p->where, "correct the factors of the connections",
                        "the transformations on the way up to here are one with a factor or an "
                        "offset that is too large or too small for a Float64");
    case HK_FLAT_MAP_SOURCE:
    case HK_FLAT_MAP_TARGET:
        return hk_error(ctx, HK_E_VALUE, p->where, NULL,
                        "the map entry '%s' is not a value of the %s", p->have,
                        p->kind == HK_FLAT_MAP_TARGET ? "target" : "source");
    case HK_FLAT_MAP_REAL:
        return hk_error(ctx, HK_E_SSP, p->where,
                        "use a LinearTransformation, or let a component decide",
                        "the mapping is for whole numbers, Booleans and items, and the value that "
                        "comes to it is a real number");
    case HK_FLAT_MIXED:
        return hk_error(ctx, HK_E_SSP, p->where,
                        "remove one of the two, or let a component calculate between them",
                        "this linear transformation is for real numbers and the mapping in line %d "
                        "for whole ones, Booleans and items, and SSP does not say how one becomes "
                        "the other on the way",
                        p->other->connection->where.line);
    default:
        return HK_OK;
    }
}

static hk_status tell_way(hk_ssp_flat *flat, const hk_flat_problem *p) {
    hk_ssp *r = flat->reader;
    switch (p->kind) {
    case HK_FLAT_LOOP:
        return hk_error(r->ctx, HK_E_CONNECTION, p->where, NULL,
                        "connectors of systems form a loop without a component in it");
    case HK_FLAT_DELAY:
        return hk_error(r->ctx, HK_E_TICK_OVERFLOW, p->where, NULL,
                        "the delays on the way do not add up to a short fraction");
    case HK_FLAT_ELEMENT:
        return hk_error(r->ctx, HK_E_CONNECTION, p->where, NULL,
                        "component '%s' has no element '%s'",
                        flat->model->components[p->at.component].name, p->have);
    case HK_FLAT_UNDIVIDED:
        return tell_group(flat, p);
    case HK_FLAT_PIECES:
        return hk_error(r->ctx, HK_E_CONNECTION, p->where, "connect the elements directly",
                        "elements of a connector are themselves put together of elements");
    case HK_FLAT_JOIN:
        return p->status;
    case HK_FLAT_TWO_DRIVERS:
        return hk_error(r->ctx, HK_E_TWO_DRIVERS, p->where, "remove one of the two connections",
                        "'%s' is driven twice: here and in line %d",
                        hk_address_name(r->arena, flat->model, &p->at), p->line);
    default:
        return tell_value(flat, p);
    }
}

static void report(void *user, const hk_flat_problem *problem) {
    hk_ssp_flat *flat = user;
    hk_status status = tell_way(flat, problem);
    HK_ASSERT(status != HK_OK); /* connectors of SSP have no frames when they are flattened */
    hk_ssp_failed(flat->reader, status);
}

/* ---- initial values ---- */

/* They wait until the sizes of arrays are known. */
static void connected(void *user, const hk_flat_route *route, const hk_joined *joined) {
    hk_ssp_flat *flat = user;
    for (size_t e = 0; e < route->count; e++) {
        const hk_tree_connection *declared = route->edges[e]->connection;
        for (size_t i = 0; declared->initial && i < joined->count; i++) {
            struct hk_ssp_initial initial = {declared, (uint32_t)(joined->first + i), (uint32_t)i,
                                             (uint32_t)joined->count};
            HK_SSP_PUSH(flat->reader, flat->initials, flat->initial_count, flat->initial_cap,
                        initial);
        }
    }
}

void hk_ssp_set_initials(hk_ssp_flat *flat) {
    hk_ssp *r = flat->reader;
    for (size_t i = 0; i < flat->initial_count; i++) {
        const hk_tree_connection *declared = flat->initials[i].declared;
        hk_connection *k = &flat->model->connections[flat->initials[i].connection];
        const hk_variable *from =
            &flat->model->components[k->from_component].info->variables[k->from_variable];
        size_t parts = flat->initials[i].parts, part = flat->initials[i].part;
        size_t count = parts > 1 ? parts : hk_slice_count(&k->from_slice, from);
        if (hk_value_parse(flat->model->arena, from->type, count, from->enumeration,
                           declared->initial, &k->initial)) {
            size_t size = hk_store_size(hk_store_of(from->type));
            k->initial.data = (char *)k->initial.data + (parts > 1 ? part * size : 0);
            k->initial.count = parts > 1 ? 1 : count;
        } else if (part == 0)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, declared->where, NULL,
                                      "initial '%s' is not a value of type %s", declared->initial,
                                      hk_type_name(from->type)));
    }
}

/* ---- the whole ---- */

void hk_ssp_flatten(hk_ssp_flat *flat, hk_ssd_element *root) {
    hk_flat *graph = &flat->graph;
    *graph = (hk_flat){.ctx = flat->reader->ctx,
                       .arena = flat->reader->arena,
                       .model = flat->model,
                       .hooks = {.user = flat, .report = report, .connected = connected}};
    flat->node_paths = hk_ssp_map(flat->reader);
    flat->opened = hk_ssp_map(flat->reader);
    hk_ssp_add_elements(flat, root, "");
    hk_ssp_add_edges(flat, root);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (!graph->edges[i].to.is_node)
            hk_flat_connect(graph, i);
    hk_flat_check_drivers(graph);
    hk_ssp_name_outermost(flat, root);
    hk_flat_check_loops(graph);
}
