/* SPDX-License-Identifier: MIT
 *
 * Steps that are partial orders. Two calls conflict if one changes what the other looks at: time,
 * inputs and outputs of an instance. If all that conflict are ordered, every sequence that respects
 * the order does the same, and it is enough to check one. */
#include "sound/contract.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 64 }; /* calls whose followers are found in one pass */

typedef struct pair {
    uint32_t a, b; /* calls */
    bool fmi_only;
} pair;

typedef struct work {
    hk_arena *arena;
    const hk_sound_system *system;
    const hk_sound_master *master;
    uint32_t *sorted, *rank; /* calls in an order that is allowed; and back */
    pair *pairs;
    size_t pair_count, pair_cap;
    /* By port and by instance: the calls about it, as lists linked through NEXT. */
    uint32_t *of_port, *of_step, *gets_of, *sets_of, *next, *next_of_owner;
} work;

static bool is_port_call(const hk_sound_call *call) {
    return call->op == HK_OP_SET || call->op == HK_OP_GET;
}

/* False: the order has a cycle. Without one, calls keep the order in which they are. */
static bool sort(work *w) {
    const hk_sound_master *m = w->master;
    size_t count = m->step_count, done = 0;
    uint32_t *state = hk_alloc((count + 1) * sizeof *state); /* 1 + predecessors looked at */
    uint32_t *stack = hk_alloc((count + 1) * sizeof *stack);
    const uint32_t *over = NULL; /* a list of calls that are all done: many may share it */
    size_t over_count = 0;
    bool good = true;
    for (uint32_t root = 0; root < count && good; root++) {
        size_t depth = 0;
        if (state[root])
            continue;
        state[root] = 1;
        stack[depth++] = root;
        while (depth && good) {
            uint32_t call = stack[depth - 1];
            bool waited = m->before[call] == over && m->before_count[call] == over_count;
            if (waited || state[call] > m->before_count[call]) {
                over = m->before[call];
                over_count = m->before_count[call];
                w->rank[call] = (uint32_t)done;
                w->sorted[done++] = call;
                state[call] = UINT32_MAX;
                depth--;
                continue;
            }
            uint32_t before = m->before[call][state[call]++ - 1];
            good = before < count && (!state[before] || state[before] == UINT32_MAX);
            if (good && !state[before]) {
                state[before] = 1;
                stack[depth++] = before;
            }
        }
    }
    hk_free(state);
    hk_free(stack);
    return good;
}

static void add_pair(work *w, uint32_t a, uint32_t b, bool fmi_only) {
    pair p = {.a = a, .b = b, .fmi_only = fmi_only};
    if (a != b)
        HK_PUSH(w->pairs, w->pair_count, w->pair_cap, p);
}

static void add_list(work *w, uint32_t call, uint32_t list, const uint32_t *next) {
    for (uint32_t other = list; other != HK_MAP_NONE; other = next[other])
        add_pair(w, call, other, false);
}

static uint32_t *fill(hk_arena *arena, size_t count) {
    uint32_t *list = HK_NEW_ARRAY(arena, uint32_t, count + 1);
    memset(list, 0xff, (count + 1) * sizeof *list);
    return list;
}

static void link_calls(work *w) {
    const hk_sound_master *m = w->master;
    size_t ports = w->system->port_count, instances = w->system->instance_count;
    w->of_port = fill(w->arena, ports);
    w->of_step = fill(w->arena, instances);
    w->gets_of = fill(w->arena, instances);
    w->sets_of = fill(w->arena, instances);
    w->next = fill(w->arena, m->step_count);
    w->next_of_owner = fill(w->arena, m->step_count);
    for (uint32_t i = 0; i < m->step_count; i++) {
        const hk_sound_call *call = &m->step[i];
        if (call->op == HK_OP_LOOP)
            continue;
        uint32_t owner =
            is_port_call(call) ? w->system->ports[call->port].instance : call->instance;
        uint32_t *head = is_port_call(call) ? &w->of_port[call->port] : &w->of_step[owner];
        w->next[i] = *head;
        *head = i;
        if (is_port_call(call)) {
            head = call->op == HK_OP_GET ? &w->gets_of[owner] : &w->sets_of[owner];
            w->next_of_owner[i] = *head;
            *head = i;
        }
    }
}

static void find_conflicts(work *w) {
    const hk_sound_master *m = w->master;
    for (uint32_t i = 0; i < m->step_count; i++) {
        const hk_sound_call *call = &m->step[i];
        if (call->op == HK_OP_LOOP) {
            for (uint32_t other = 0; other < m->step_count; other++)
                add_pair(w, i, other, false); /* a loop touches whatever is in it */
            continue;
        }
        if (!is_port_call(call)) {
            add_list(w, i, w->of_step[call->instance], w->next);
            if (call->op == HK_OP_STEP && call->as != HK_MAP_NONE)
                add_list(w, i, w->of_step[call->as], w->next);
            continue;
        }
        const hk_sound_port *port = &w->system->ports[call->port];
        add_list(w, i, w->of_step[port->instance], w->next);
        add_list(w, i, w->of_port[call->port], w->next);
        if (call->op == HK_OP_SET && port->source != HK_MAP_NONE)
            add_list(w, i, w->of_port[port->source], w->next);
        for (size_t k = 0; call->op == HK_OP_GET && k < port->depends_count; k++)
            add_list(w, i, w->of_port[port->depends[k]], w->next);
    }
}

/* Gets and sets of one instance: their order matters to FMI. */
static void find_fmi_conflicts(work *w) {
    for (uint32_t f = 0; f < w->system->instance_count; f++)
        for (uint32_t set = w->system->instances[f].is_fmu ? w->sets_of[f] : HK_MAP_NONE;
             set != HK_MAP_NONE; set = w->next_of_owner[set])
            for (uint32_t get = w->gets_of[f]; get != HK_MAP_NONE; get = w->next_of_owner[get])
                add_pair(w, set, get, true);
}

static int compare(const void *a, const void *b) {
    const pair *p = a, *q = b;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* How many of the first calls all come before those that wait for COUNT calls of LIST: what these
 * wait for themselves, and those of them that follow without a gap. */
static uint32_t covered(const work *w, const uint32_t *behind, const uint32_t *list, size_t count) {
    uint32_t *ranks = hk_alloc((count + 1) * sizeof *ranks), result = 0;
    for (size_t i = 0; i < count; i++) {
        ranks[i] = w->rank[list[i]];
        result = behind[ranks[i]] > result ? behind[ranks[i]] : result;
    }
    qsort(ranks, count, sizeof *ranks, by_number);
    for (size_t i = 0; i < count && ranks[i] <= result; i++)
        result = ranks[i] < result ? result : ranks[i] + 1;
    hk_free(ranks);
    return result;
}

/* Leaves those pairs that are not seen to be ordered from barriers alone, where all that came
 * before is over. In plans, whose phases are such barriers, these are none, and what follows, which
 * needs the time of calls times pairs, has nothing to do. */
static void drop_ordered(work *w) {
    const hk_sound_master *m = w->master;
    uint32_t *behind = hk_alloc((m->step_count + 1) * sizeof *behind);
    const uint32_t *list = NULL;
    size_t count = 0, left = 0;
    uint32_t last = 0;
    for (uint32_t rank = 0; rank < m->step_count; rank++) {
        uint32_t call = w->sorted[rank];
        if (m->before[call] != list || m->before_count[call] != count) {
            list = m->before[call];
            count = m->before_count[call];
            last = covered(w, behind, list, count);
        }
        behind[rank] = last;
    }
    for (size_t i = 0; i < w->pair_count; i++)
        if (w->pairs[i].a >= behind[w->pairs[i].b])
            w->pairs[left++] = w->pairs[i];
    w->pair_count = left;
    hk_free(behind);
}

/* From rank FIRST on: each call follows what those before it follow. Calls of one phase often share
 * the list of those before them. */
static void spread(const work *w, uint64_t *follows, uint32_t first) {
    const hk_sound_master *m = w->master;
    const uint32_t *list = NULL;
    size_t count = 0;
    uint64_t joined = 0;
    for (uint32_t rank = first; rank < m->step_count; rank++) {
        uint32_t call = w->sorted[rank];
        if (m->before[call] != list || m->before_count[call] != count) {
            list = m->before[call];
            count = m->before_count[call];
            joined = 0;
            for (size_t k = 0; k < count; k++)
                joined |= follows[w->rank[list[k]]];
        }
        follows[rank] |= joined;
    }
}

/* Every pair begins with the rank of the earlier call, then that of the later one. The first that
 * is in no order; one that matters to FMI alone goes to RET_FMI. */
static const pair *find_unordered(work *w, const pair **ret_fmi) {
    const hk_sound_master *m = w->master;
    uint64_t *follows = hk_alloc((m->step_count + 1) * sizeof *follows);
    const pair *found = NULL;
    size_t next = 0;
    while (next < w->pair_count && !found) {
        uint32_t lanes[LANES] = {0}, lane_count = 0;
        size_t end = next;
        memset(follows, 0, m->step_count * sizeof *follows);
        for (; end < w->pair_count; end++) {
            if (!lane_count || lanes[lane_count - 1] != w->pairs[end].a) {
                if (lane_count == LANES)
                    break;
                follows[w->pairs[end].a] = UINT64_C(1) << lane_count;
                lanes[lane_count++] = w->pairs[end].a;
            }
        }
        spread(w, follows, lanes[0]);
        for (uint32_t lane = 0; next < end && !found; next++) {
            while (lanes[lane] != w->pairs[next].a)
                lane++;
            if (follows[w->pairs[next].b] >> lane & 1)
                continue;
            if (!w->pairs[next].fmi_only)
                found = &w->pairs[next];
            else if (!*ret_fmi)
                *ret_fmi = &w->pairs[next];
        }
    }
    hk_free(follows);
    return found;
}

static const char *name(work *w, uint32_t rank) {
    const hk_sound_call *call = &w->master->step[w->sorted[rank]];
    const char *text =
        call->op == HK_OP_LOOP ? "until" : hk_sound_call_text(w->arena, w->system, call);
    return call->line ? hk_arena_printf(w->arena, "%s (line %d)", text, call->line) : text;
}

static const char *describe(work *w, const pair *p, const char *why) {
    return hk_arena_printf(w->arena, "%s and %s are in no order, %s", name(w, p->a), name(w, p->b),
                           why);
}

const hk_sound_call *hk_contract_order(hk_arena *arena, const hk_sound_system *system,
                                       const hk_sound_master *master, const char **ret_why,
                                       const char **ret_fmi) {
    work w = {.arena = arena,
              .system = system,
              .master = master,
              .sorted = HK_NEW_ARRAY(arena, uint32_t, master->step_count + 1),
              .rank = HK_NEW_ARRAY(arena, uint32_t, master->step_count + 1)};
    if (!sort(&w)) {
        *ret_why = "the order of the calls of a step has a cycle";
        return NULL;
    }
    link_calls(&w);
    find_conflicts(&w);
    find_fmi_conflicts(&w);
    for (size_t i = 0; i < w.pair_count; i++) {
        uint32_t a = w.rank[w.pairs[i].a], b = w.rank[w.pairs[i].b];
        w.pairs[i].a = a < b ? a : b;
        w.pairs[i].b = a < b ? b : a;
    }
    drop_ordered(&w);
    if (w.pair_count)
        qsort(w.pairs, w.pair_count, sizeof *w.pairs, compare);
    const pair *fmi = NULL, *unordered = find_unordered(&w, &fmi);
    if (unordered)
        *ret_why = describe(&w, unordered, "but one of them can see which comes first");
    else if (fmi)
        *ret_fmi = describe(&w, fmi, "and FMI allows no get after a set without a step");
    hk_free(w.pairs);
    if (unordered)
        return NULL;
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, master->step_count + 1);
    for (size_t i = 0; i < master->step_count; i++)
        calls[i] = master->step[w.sorted[i]];
    return calls;
}
