/* SPDX-License-Identifier: MIT
 *
 * Refinement of traces. The specification is made deterministic as far as it is needed: one of its
 * normal states is the set of all states that it can be in after a trace. Then pairs of a normal
 * state and a state of the implementation are searched, breadth first; what the implementation can
 * do, the normal state must be able to do. */
#include "csp/search.h"

#include "base/search.h"

#include <stdlib.h>
#include <string.h>

typedef struct refiner {
    hk_csp_machine *m;
    hk_rows normals; /* sets of terms, in order */
    struct normal {
        bool known;
        size_t first, count; /* of its moves */
    } * normal;
    size_t normal_count;
    hk_csp_step *moves; /* event and normal state; by event */
    size_t move_count, move_cap;
    hk_rows pairs;
    hk_csp_found found;
    uint32_t *seen; /* per term: the last closure that it was in */
    size_t seen_count;
    uint32_t closures;
} refiner;

/* ---- normal states -----------------------------------------------------------------------------
 */

typedef struct terms {
    uint32_t *all;
    size_t count, cap;
} terms;

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static bool see(refiner *r, uint32_t term) {
    if (term >= r->seen_count) {
        size_t was = r->seen_count;
        r->seen_count = 2 * (size_t)term + 256;
        r->seen = hk_realloc(r->seen, r->seen_count * sizeof *r->seen);
        memset(r->seen + was, 0, (r->seen_count - was) * sizeof *r->seen);
    }
    bool fresh = r->seen[term] != r->closures;
    r->seen[term] = r->closures;
    return fresh;
}

/* All that is reached from MEMBERS without being seen; frees them. */
static uint32_t close_over(refiner *r, terms *members) {
    size_t used = 0;
    r->closures++;
    for (size_t i = 0; i < members->count; i++)
        if (see(r, members->all[i]))
            members->all[used++] = members->all[i];
    members->count = used;
    for (size_t at = 0; at < members->count && r->m->status == HK_OK; at++) {
        size_t count;
        const hk_csp_step *steps = hk_csp_steps(r->m, members->all[at], &count);
        for (size_t i = 0; i < count; i++)
            if (steps[i].event == HK_CSP_TAU && see(r, steps[i].to))
                HK_PUSH(members->all, members->count, members->cap, steps[i].to);
    }
    if (members->count > 1)
        qsort(members->all, members->count, sizeof *members->all, by_number);
    uint32_t normal = hk_rows_put(&r->normals, members->all, members->count);
    hk_free(members->all);
    *members = (terms){0};
    return normal;
}

static int by_event(const void *a, const void *b) {
    const hk_csp_step *x = a, *y = b;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static struct normal *normal_at(refiner *r, uint32_t normal) {
    if (normal >= r->normal_count) {
        size_t was = r->normal_count;
        r->normal_count = 2 * (size_t)normal + 64;
        r->normal = hk_realloc(r->normal, r->normal_count * sizeof *r->normal);
        memset(r->normal + was, 0, (r->normal_count - was) * sizeof *r->normal);
    }
    return &r->normal[normal];
}

/* What a normal state can do: for each event one normal state. */
static void find_moves(refiner *r, uint32_t normal) {
    hk_csp_step *all = NULL;
    size_t count = 0, cap = 0, length;
    hk_rows_get(&r->normals, normal, &length);
    for (size_t k = 0; k < length && r->m->status == HK_OK; k++) {
        size_t steps, again;
        uint32_t term = hk_rows_get(&r->normals, normal, &again)[k];
        const hk_csp_step *first = hk_csp_steps(r->m, term, &steps);
        for (size_t i = 0; i < steps; i++)
            if (first[i].event != HK_CSP_TAU)
                HK_PUSH(all, count, cap, first[i]);
    }
    if (count > 1)
        qsort(all, count, sizeof *all, by_event);
    size_t begin = r->move_count;
    for (size_t i = 0; i < count && r->m->status == HK_OK;) {
        terms members = {0};
        uint32_t event = all[i].event;
        for (; i < count && all[i].event == event; i++)
            HK_PUSH(members.all, members.count, members.cap, all[i].to);
        hk_csp_step move = {event, close_over(r, &members)};
        HK_PUSH(r->moves, r->move_count, r->move_cap, move);
    }
    hk_free(all);
    *normal_at(r, normal) = (struct normal){true, begin, r->move_count - begin};
}

/* Where a normal state is after EVENT; NONE: it cannot. */
static uint32_t move(refiner *r, uint32_t normal, uint32_t event) {
    if (!normal_at(r, normal)->known)
        find_moves(r, normal);
    const struct normal *n = normal_at(r, normal);
    size_t at = n->first, end = n->first + n->count;
    HK_SEARCH(at, end, i, r->moves[i].event < event)
    return at < end && r->moves[at].event == event ? r->moves[at].to : HK_CSP_NONE;
}

/* ---- pairs -------------------------------------------------------------------------------------
 */

static void reach(refiner *r, uint32_t normal, uint32_t term, uint32_t before, uint32_t event) {
    size_t count = r->pairs.count;
    uint32_t pair = hk_rows_put(&r->pairs, (uint32_t[]){normal, term}, 2);
    if (pair == count)
        hk_csp_found_add(&r->found, pair, before, event);
}

enum { SHOWN_EVENTS = 6 };

static const char *allowed_text(hk_arena *arena, refiner *r, uint32_t normal) {
    const struct normal *n = normal_at(r, normal);
    const char *text = n->count ? "" : "nothing";
    for (size_t i = 0; i < n->count && i < SHOWN_EVENTS; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                               hk_csp_value_text(arena, r->m, r->moves[n->first + i].event));
    return n->count > SHOWN_EVENTS
               ? hk_arena_printf(arena, "%s and %zu others", text, n->count - SHOWN_EVENTS)
               : text;
}

/* All steps of the pair at PLACE; false: one of them is not allowed. */
static bool look_at(refiner *r, hk_arena *arena, uint32_t place, hk_csp_verdict *verdict) {
    size_t length, count;
    const uint32_t *pair = hk_rows_get(&r->pairs, r->found.states[place], &length);
    uint32_t normal = pair[0], term = pair[1];
    hk_csp_steps(r->m, term, &count);
    for (size_t i = 0; i < count && r->m->status == HK_OK; i++) {
        size_t again; /* steps move while others are found */
        hk_csp_step s = hk_csp_steps(r->m, term, &again)[i];
        uint32_t to = s.event == HK_CSP_TAU ? normal : move(r, normal, s.event);
        if (r->m->status != HK_OK)
            return true;
        if (to == HK_CSP_NONE) {
            verdict->trace = hk_csp_way(arena, r->m, &r->found, place, s.event);
            verdict->trace_breaks = true;
            verdict->why = hk_arena_printf(arena, "%s is not allowed here; allowed: %s",
                                           hk_csp_value_text(arena, r->m, s.event),
                                           allowed_text(arena, r, normal));
            return false;
        }
        reach(r, to, s.to, place, s.event);
    }
    return true;
}

void hk_csp_refine(hk_csp_machine *m, hk_arena *arena, uint32_t specification,
                   uint32_t implementation, hk_csp_verdict *verdict) {
    refiner r = {.m = m};
    terms first = {0};
    bool good = true;
    HK_PUSH(first.all, first.count, first.cap, specification);
    reach(&r, close_over(&r, &first), implementation, 0, HK_CSP_TAU);
    for (size_t at = 0; at < r.found.count && good && m->status == HK_OK; at++) {
        verdict->limited = at >= m->state_limit;
        if (verdict->limited)
            break;
        hk_csp_looked_at(m, at);
        good = look_at(&r, arena, (uint32_t)at, verdict);
    }
    verdict->states = r.found.count;
    verdict->holds = good && m->status == HK_OK && !verdict->limited;
    hk_rows_finish(&r.normals);
    hk_rows_finish(&r.pairs);
    hk_csp_found_free(&r.found);
    hk_free(r.normal);
    hk_free(r.moves);
    hk_free(r.seen);
}
