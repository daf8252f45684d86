/* SPDX-License-Identifier: MIT
 *
 * All states of one process, breadth first: is there one in which nothing can happen, is there a
 * ring of steps that nobody sees? */
#include "csp/search.h"

#include <string.h>

/* ---- ways --------------------------------------------------------------------------------------
 */

void hk_csp_found_add(hk_csp_found *f, uint32_t state, uint32_t before, uint32_t event) {
    if (f->count == f->cap) {
        f->cap = f->cap ? 2 * f->cap : 256;
        f->states = hk_realloc(f->states, f->cap * sizeof *f->states);
        f->before = hk_realloc(f->before, f->cap * sizeof *f->before);
        f->events = hk_realloc(f->events, f->cap * sizeof *f->events);
    }
    f->states[f->count] = state;
    f->before[f->count] = before;
    f->events[f->count++] = event;
}

void hk_csp_found_free(hk_csp_found *f) {
    hk_free(f->states);
    hk_free(f->before);
    hk_free(f->events);
}

hk_texts hk_csp_way(hk_arena *arena, const hk_csp_machine *m, const hk_csp_found *f, size_t place,
                    uint32_t last) {
    size_t count = last != HK_CSP_TAU;
    for (size_t at = place; at; at = f->before[at])
        count += f->events[at] != HK_CSP_TAU;
    const char **texts = HK_NEW_ARRAY(arena, const char *, count + 1);
    size_t next = count;
    if (last != HK_CSP_TAU)
        texts[--next] = hk_csp_value_text(arena, m, last);
    for (size_t at = place; at; at = f->before[at])
        if (f->events[at] != HK_CSP_TAU)
            texts[--next] = hk_csp_value_text(arena, m, f->events[at]);
    return (hk_texts){texts, count};
}

/* ---- states ------------------------------------------------------------------------------------
 */

typedef struct search {
    hk_csp_machine *m;
    hk_csp_found found;
    uint32_t *place; /* per term: where it was found, plus 1; 0: it was not */
    size_t place_count;
} search;

static uint32_t *place_of(search *s, uint32_t term) {
    if (term >= s->place_count) {
        size_t was = s->place_count;
        s->place_count = 2 * (size_t)term + 256;
        s->place = hk_realloc(s->place, s->place_count * sizeof *s->place);
        memset(s->place + was, 0, (s->place_count - was) * sizeof *s->place);
    }
    return &s->place[term];
}

static void reach(search *s, uint32_t term, uint32_t before, uint32_t event) {
    uint32_t *place = place_of(s, term);
    if (*place)
        return;
    *place = (uint32_t)s->found.count + 1;
    hk_csp_found_add(&s->found, term, before, event);
}

/* The place of the first deadlock; NONE: there is none, or not all was looked at. */
static uint32_t explore(search *s, bool deadlock, bool *ret_limited) {
    hk_csp_machine *m = s->m;
    for (size_t at = 0; at < s->found.count && m->status == HK_OK; at++) {
        if (at >= m->state_limit) {
            *ret_limited = true;
            break;
        }
        size_t count;
        uint32_t state = s->found.states[at];
        hk_csp_looked_at(m, at);
        const hk_csp_step *steps = hk_csp_steps(m, state, &count);
        if (deadlock && !count && state != m->omega && m->status == HK_OK)
            return (uint32_t)at;
        for (size_t i = 0; i < count; i++)
            reach(s, steps[i].to, (uint32_t)at, steps[i].event);
    }
    return HK_CSP_NONE;
}

/* ---- rings -------------------------------------------------------------------------------------
 */

typedef struct frame {
    uint32_t place, next;
} frame;

/* Depth first along tau from the state at ROOT; MARKS: 0 new, 1 open, 2 done. The place of a state
 * in a ring; NONE: there is none. */
static uint32_t find_ring(search *s, uint32_t root, uint8_t *marks) {
    frame *stack = NULL;
    size_t depth = 0, cap = 0;
    uint32_t ring = HK_CSP_NONE;
    frame first = {root, 0};
    HK_PUSH(stack, depth, cap, first);
    marks[root] = 1;
    while (depth && ring == HK_CSP_NONE) {
        frame *top = &stack[depth - 1];
        size_t count;
        const hk_csp_step *steps = hk_csp_steps(s->m, s->found.states[top->place], &count);
        if (top->next == count) {
            marks[top->place] = 2;
            depth--;
            continue;
        }
        hk_csp_step step = steps[top->next++];
        uint32_t to = step.event == HK_CSP_TAU ? s->place[step.to] - 1 : HK_CSP_NONE;
        if (to == HK_CSP_NONE || marks[to] == 2)
            continue;
        if (marks[to] == 1) {
            ring = to;
            break;
        }
        marks[to] = 1;
        frame next = {to, 0};
        HK_PUSH(stack, depth, cap, next);
    }
    hk_free(stack);
    return ring;
}

static uint32_t find_divergence(search *s) {
    uint8_t *marks = hk_alloc(s->found.count + 1);
    uint32_t ring = HK_CSP_NONE;
    for (uint32_t i = 0; i < s->found.count && ring == HK_CSP_NONE; i++)
        if (!marks[i])
            ring = find_ring(s, i, marks);
    hk_free(marks);
    return ring;
}

void hk_csp_search(hk_csp_machine *m, hk_arena *arena, hk_csp_question question, uint32_t root,
                   hk_csp_verdict *verdict) {
    search s = {.m = m};
    bool deadlock = question == HK_CSP_DEADLOCK;
    reach(&s, root, 0, HK_CSP_TAU);
    uint32_t bad = explore(&s, deadlock, &verdict->limited);
    if (m->status == HK_OK && !deadlock && !verdict->limited)
        bad = find_divergence(&s);
    verdict->states = s.found.count;
    verdict->holds = m->status == HK_OK && bad == HK_CSP_NONE && !verdict->limited;
    if (bad != HK_CSP_NONE && m->status == HK_OK) {
        verdict->trace = hk_csp_way(arena, m, &s.found, bad, HK_CSP_TAU);
        verdict->why =
            deadlock ? "then nothing can happen" : "then it can go on for ever without being seen";
    }
    hk_csp_found_free(&s.found);
    hk_free(s.place);
}
