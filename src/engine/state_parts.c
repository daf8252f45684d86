/* SPDX-License-Identifier: MIT
 *
 * The state of a run on several nodes: each packs what runs on it, as it is in a file, and one puts
 * the pieces in their places. Messages under way belong to nobody: what a component has published
 * is part of its own piece, with its past. */
#include "engine/statefile.h"
#include "engine/trouble.h"

#include <string.h>

/* ---- what a node packs: when, then its components, slopes and faults, each with its number ----
 */

static void add_piece(hk_buffer *to, uint64_t number, hk_buffer *piece) {
    hk_buffer_u64(to, number);
    hk_buffer_u64(to, piece->size);
    hk_buffer_put(to, piece->data, piece->size);
    piece->size = 0;
}

static const uint64_t END = UINT64_MAX; /* of a list: not a number of anything */

static hk_status add_components(hk_buffer *to, hk_sim *sim, const hk_snapshot *s,
                                hk_buffer *piece) {
    hk_given_value *list;
    size_t count = hk_given_list(sim, &list);
    hk_status status = HK_OK;
    for (uint32_t c = 0; c < sim->model->component_count && status == HK_OK; c++) {
        if (hk_is_away(sim->part, c))
            continue;
        status = hk_state_put_component(piece, sim, s, c, list, count);
        add_piece(to, c, piece);
    }
    hk_buffer_u64(to, END);
    hk_free(list);
    return status;
}

/* What lies between two components changes where it is taken. */
static void add_connections(hk_buffer *to, hk_sim *sim, const hk_snapshot *s, hk_buffer *piece) {
    const hk_model *model = sim->model;
    for (uint32_t k = 0; k < model->connection_count && sim->options.extrapolate; k++)
        if (!hk_is_away(sim->part, model->connections[k].to_component)) {
            hk_state_put_slope(piece, sim, s, k);
            add_piece(to, k, piece);
        }
    hk_buffer_u64(to, END);
    for (uint32_t k = 0; k < model->connection_count && s->changed.troubles; k++)
        if (s->changed.troubles[k] && !hk_is_away(sim->part, model->connections[k].to_component)) {
            hk_state_put_trouble(piece, sim, k, s->changed.troubles[k]);
            add_piece(to, k, piece);
        }
    hk_buffer_u64(to, END);
}

hk_status hk_part_save(hk_sim *sim, hk_buffer *to) {
    HK_ASSERT(sim && sim->part && to);
    hk_snapshot *s = NULL;
    hk_buffer piece = {0};
    HK_TRY(hk_sim_save(sim, &s));
    hk_buffer_u64(to, (uint64_t)hk_state_now(sim, s));
    hk_status status = add_components(to, sim, s, &piece);
    if (status == HK_OK)
        add_connections(to, sim, s, &piece);
    hk_free(piece.data);
    hk_snapshot_destroy(sim, s);
    return status;
}

hk_tick hk_part_time(const char *data, size_t size) {
    HK_ASSERT(data || !size);
    hk_buffer_source s = {.at = data, .left = size, .good = true};
    return (hk_tick)hk_source_u64(&s);
}

/* ---- putting the pieces in their places ---- */

/* A list of pieces goes to TO, which has room for COUNT of them. */
static void take_pieces(hk_buffer_source *s, hk_bytes *to, size_t count) {
    for (uint64_t number = hk_source_u64(s); number != END && s->good; number = hk_source_u64(s)) {
        uint64_t size = hk_source_u64(s);
        if (number >= count || size > s->left)
            s->good = false;
        if (!s->good)
            return;
        to[number] = (hk_bytes){s->at, (size_t)size};
        s->at += size;
        s->left -= (size_t)size;
    }
}

/* Each component and connection has a piece. */
static bool is_whole(const hk_sim *sim, const hk_snapshot *s, const hk_state_pieces *p) {
    bool whole = true;
    for (size_t c = 0; c < sim->model->component_count; c++)
        whole = whole && p->components[c].size;
    for (size_t k = 0; k < sim->model->connection_count; k++) {
        bool faulty = s->changed.troubles && s->changed.troubles[k];
        whole = whole && (!sim->options.extrapolate || p->slopes[k].size) &&
                (p->troubles[k].size != 0) == faulty;
    }
    return whole;
}

static hk_status join(hk_sim *sim, const hk_snapshot *s, const hk_bytes *parts, size_t count,
                      hk_buffer *to) {
    hk_arena *arena = hk_arena_create();
    size_t components = sim->model->component_count, connections = sim->model->connection_count;
    hk_state_pieces p = {HK_NEW_ARRAY(arena, hk_bytes, components + 1),
                         HK_NEW_ARRAY(arena, hk_bytes, connections + 1),
                         HK_NEW_ARRAY(arena, hk_bytes, connections + 1)};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        hk_buffer_source from = {.at = parts[i].data, .left = parts[i].size, .good = true};
        good = (hk_tick)hk_source_u64(&from) == hk_state_now(sim, s);
        take_pieces(&from, p.components, components);
        take_pieces(&from, p.slopes, connections);
        take_pieces(&from, p.troubles, connections);
        good = good && from.good && from.left == 0;
    }
    hk_status status = HK_OK;
    if (good && is_whole(sim, s, &p))
        status = hk_state_pack(to, sim, s, &p);
    else
        status = hk_error(sim->ctx, HK_E_NODE_LOST, HK_NOWHERE, NULL,
                          "what the nodes have saved does not make a whole state");
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_part_join(hk_sim *sim, const hk_bytes *parts, size_t count, hk_buffer *to) {
    HK_ASSERT(sim && sim->part && !sim->part->here && parts && to);
    hk_snapshot *s = NULL;
    HK_TRY(hk_sim_save(sim, &s));
    hk_status status = join(sim, s, parts, count, to);
    hk_snapshot_destroy(sim, s);
    return status;
}

bool hk_part_ended_alike(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->end.finished || sim->end.alike;
}
