/* SPDX-License-Identifier: MIT */
#include "engine/still.h"

#include "engine/failures.h"

#include <string.h>

/* The native component that ADDRESS is in; component_count: none. */
static size_t component_at(const hk_sim *sim, const void *address) {
    const char *at = address;
    size_t n = sim->model->component_count, found = n;
    if (at < sim->memory.system || at >= sim->memory.system + sim->memory.system_size)
        return n;
    size_t place = (size_t)(at - sim->memory.system);
    for (size_t c = 0; c < n; c++)
        if (sim->memory.places[c] && sim->memory.places[c] <= place)
            found = c; /* they lie in this order */
    return found;
}

static bool may_be_asked(const hk_info *info) {
    for (size_t i = 0; i < info->service_count; i++)
        if (info->services[i].provided)
            return true;
    return false;
}

bool hk_is_asked(const hk_sim *sim, const void *address) {
    HK_ASSERT(sim && address);
    size_t c = component_at(sim, address);
    return c < sim->model->component_count && may_be_asked(sim->model->components[c].info);
}

/* Per component: it may change in a burst. */
static bool *find_moving(const hk_sim *sim, const hk_burst_score *s) {
    size_t n = sim->model->component_count;
    bool *moves = hk_alloc((n + 1) * sizeof *moves);
    for (size_t c = 0; c < n; c++)
        moves[c] = may_be_asked(sim->model->components[c].info);
    moves[n] = true;
    for (size_t i = 0; i < s->count; i++)
        for (const hk_score_line *x = s->voices[i].lines + 1; x->fn.plain; x++)
            moves[x->what.component] = true;
    return moves;
}

/* The copies from BEGIN to END, of BYTES bytes each: three in line are named by the second. */
static void find_among(const hk_sim *sim, hk_burst_score *s, const bool *moves,
                       const hk_copy *begin, const hk_copy *end, size_t bytes) {
    size_t before = bytes == 24 ? 8 : 0;
    for (const hk_copy *x = begin; x < end; x++) {
        if (moves[component_at(sim, x->from)] ||
            component_at(sim, x->to) == sim->model->component_count)
            continue;
        s->still[x - s->copies] = true;
        s->stills[s->still_count++] =
            (hk_still_copy){(const char *)x->from - before, (const char *)x->to - before, bytes};
    }
}

void hk_still_find(const hk_sim *sim, hk_burst_score *s) {
    HK_ASSERT(sim && s);
    size_t copies = 0;
    for (size_t i = 0; i < s->count; i++)
        copies += (size_t)(s->voices[i].bytes_end - s->voices[i].ones);
    s->still = hk_alloc((copies + 1) * sizeof *s->still);
    s->stills = hk_alloc((copies + 1) * sizeof *s->stills);
    if (sim->part)
        return;
    bool *moves = find_moving(sim, s);
    for (size_t i = 0; i < s->count; i++) {
        const hk_voice *v = &s->voices[i];
        find_among(sim, s, moves, v->ones, v->ones_end, 8);
        find_among(sim, s, moves, v->ones_end, v->threes_end, 24);
        find_among(sim, s, moves, v->threes_end, v->bytes_end, 1);
    }
    hk_free(moves);
}

bool hk_is_still(const hk_burst_score *s, const hk_copy *copy) {
    HK_ASSERT(s && copy);
    return s->still[copy - s->copies];
}

bool hk_still_there(const hk_burst_score *s, const void **ret_to) {
    HK_ASSERT(s && ret_to);
    for (const hk_still_copy *x = s->stills; x < s->stills + s->still_count; x++)
        if (memcmp(x->from, x->to, x->bytes) != 0) {
            *ret_to = x->to;
            return false;
        }
    return true;
}

/* The port of a component that lies at ADDRESS, or the last before it. */
static const char *port_at(const hk_sim *sim, size_t component, const void *address) {
    const hk_sim_instance *inst = &sim->slots.instances[component];
    const hk_engine_port *found = NULL;
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if ((const char *)p->address <= (const char *)address &&
            (!found || (const char *)p->address > (const char *)found->address))
            found = p;
    }
    return found ? sim->model->components[component].info->variables[found->variable].name : "";
}

bool hk_still_fail(hk_sim *sim, const void *to) {
    HK_ASSERT(sim && to);
    size_t component = component_at(sim, to);
    return hk_fail_given(sim, (uint32_t)component, port_at(sim, component, to));
}
