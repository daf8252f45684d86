/* SPDX-License-Identifier: MIT
 *
 * Is every run of a master a run of the specification? A sequence is walked together with the
 * automaton (refine_walk.c). For a partial order one of its sequences is walked, which gives each
 * call its phase and shows that all are there; that none of its other sequences is wrong follows if
 * the order of the phases is contained in it, which is seen from the sets of what comes before each
 * call. Conversely, if a call of a phase does not come after one of the phase before, all that does
 * not come after that one can be done without it, and then the call is too early. */
#include "sound/refine_walk.h"

#include <string.h>

/* ---- partial orders ---- */

/* One call of a step, in an order that fits. A loop is the chain of the calls of one iteration:
 * that it may be repeated was seen when the sequence was walked. */
typedef struct node {
    const hk_sound_call *call;
    uint32_t owner; /* which call of the step */
    bool first;     /* of its owner */
} node;

typedef struct ordered {
    hk_arena *arena, *rows;
    const hk_spec *spec;
    const hk_sound_master *master;
    uint32_t *place; /* calls of a step in an order that fits; by rank */
    node *nodes;
    uint32_t count, cap;
    uint32_t *last;  /* per call of the step: its last node */
    size_t n, words; /* two steps: 2 * count nodes; step * count + node */
    uint64_t **pred; /* per node: bits of those before it; what is alike is one row */
    uint32_t *phase; /* per node: 0 get, 1 set, 2 step of cycle 0; 3 get of cycle 1 ...;
                        HK_MAP_NONE: none */
    uint32_t deepest;
    const uint64_t *united; /* the row that was put into another one last */
} ordered;

/* An order of the calls that fits BEFORE, the given one where it can be; false: there is a cycle.
 */
static bool sort(ordered *o) {
    const hk_sound_master *m = o->master;
    size_t count = m->step_count, done = 0;
    bool *taken = HK_NEW_ARRAY(o->arena, bool, count);
    o->place = HK_NEW_ARRAY(o->arena, uint32_t, count);
    for (bool moved = true; moved && done < count;) {
        moved = false;
        const uint32_t *over = NULL; /* a list of calls that were taken: many share it */
        size_t over_count = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool ready = !taken[i],
                 known = over == m->before[i] && over_count == m->before_count[i];
            for (size_t k = 0; !known && k < m->before_count[i] && ready; k++)
                ready = taken[m->before[i][k]];
            if (!ready)
                continue;
            over = m->before[i];
            over_count = m->before_count[i];
            taken[i] = moved = true;
            o->place[done++] = i;
        }
    }
    return done == count;
}

static void add_body(ordered *o, const hk_sound_call *calls, size_t count, uint32_t owner) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].op == HK_OP_LOOP) {
            add_body(o, calls[i].loop->body, calls[i].loop->body_count, owner);
            continue;
        }
        node next = {&calls[i], owner, o->count == 0 || o->nodes[o->count - 1].owner != owner};
        HK_PUSH(o->nodes, o->count, o->cap, next);
    }
}

static void add_nodes(ordered *o) {
    const hk_sound_master *m = o->master;
    o->last = HK_NEW_ARRAY(o->arena, uint32_t, m->step_count);
    for (size_t r = 0; r < m->step_count; r++) {
        uint32_t before = o->count, i = o->place[r];
        add_body(o, &m->step[i], 1, i);
        node none = {&m->step[i], i, true};
        if (o->count == before) /* a loop without calls still orders others */
            HK_PUSH(o->nodes, o->count, o->cap, none);
        o->last[i] = o->count - 1;
    }
    o->n = 2 * (size_t)o->count;
}

static void unite(ordered *o, uint64_t *into, size_t earlier) {
    const uint64_t *from = o->pred[earlier];
    for (size_t k = 0; from != o->united && k < o->words; k++)
        into[k] |= from[k];
    o->united = from;
    into[earlier / 64] |= UINT64_C(1) << earlier % 64;
}

/* What comes before the first node of a call, in the second of two steps if SECOND. */
static void unite_all(ordered *o, uint64_t *into, uint32_t call, bool second) {
    const hk_sound_master *m = o->master;
    for (size_t k = 0; k < m->before_count[call]; k++)
        unite(o, into, (second ? o->count : 0) + o->last[m->before[call][k]]);
    if (!second)
        return;
    for (size_t k = 0; m->before_last && k < m->before_last_count[call]; k++)
        unite(o, into, o->last[m->before_last[call][k]]);
    for (size_t k = 0; !m->before_last && k < o->count; k++)
        into[k / 64] |= UINT64_C(1) << k % 64;
    unite(o, into, o->last[call]); /* a call is not made again before it was made */
}

/* Calls that share the list of those before them share the set, too. */
static void find_before(ordered *o) {
    const hk_sound_master *m = o->master;
    for (size_t x = 0; x < o->n; x++) {
        const node *here = &o->nodes[x % o->count];
        bool second = x >= o->count;
        uint32_t last = x % o->count ? here[-1].owner : here->owner;
        bool shared = here->first && last != here->owner && !m->before_last && here[-1].first &&
                      m->before[last] == m->before[here->owner] &&
                      m->before_count[last] == m->before_count[here->owner];
        if (shared) {
            o->pred[x] = o->pred[x - 1];
            continue;
        }
        o->pred[x] = HK_NEW_ARRAY(o->rows, uint64_t, o->words);
        o->united = NULL;
        if (here->first)
            unite_all(o, o->pred[x], here->owner, second);
        else
            unite(o, o->pred[x], x - 1);
    }
}

/* The automaton walks the sequence, of which it is known that it may. */
static void walk_over(ordered *o, hk_spec_state *state, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].op == HK_OP_LOOP && !calls[i].exchange)
            walk_over(o, state, calls[i].loop->body, calls[i].loop->body_count);
        else if (!hk_spec_passes_over(&calls[i]))
            hk_spec_take(o->spec, state, &calls[i]);
    }
}

static void find_phases(ordered *o) {
    hk_spec_state state = hk_spec_start(o->arena, o->spec);
    walk_over(o, &state, o->master->init, o->master->init_count);
    for (size_t x = 0; x < o->n; x++) {
        const hk_sound_call *call = o->nodes[x % o->count].call;
        o->phase[x] = HK_MAP_NONE;
        if (call->op == HK_OP_LOOP || hk_spec_passes_over(call))
            continue;
        o->deepest = o->phase[x] = (uint32_t)(3 * state.cycle + state.phase - HK_PHASE_GET);
        hk_spec_take(o->spec, &state, call);
    }
}

static bool is_before(const ordered *o, size_t a, size_t b) {
    return o->pred[b][a / 64] >> a % 64 & 1;
}

static size_t size_of(const ordered *o, size_t of) {
    size_t size = 0;
    for (size_t k = 0; k < o->words; k++)
        size += (size_t)__builtin_popcountll(o->pred[of][k]);
    return size;
}

/* A call of each phase must come after every call of the phase before it. Of those that do not, the
 * one with the fewest calls before it. */
static bool find_unordered(const ordered *o, size_t *ret_early, size_t *ret_missing) {
    size_t best = SIZE_MAX;
    uint64_t *earlier = HK_NEW_ARRAY(o->arena, uint64_t, o->words);
    uint64_t *mine = HK_NEW_ARRAY(o->arena, uint64_t, o->words);
    for (uint32_t phase = 0; phase <= o->deepest; phase++) {
        bool any = false;
        const uint64_t *last = NULL;
        memset(mine, 0, o->words * sizeof *mine);
        for (size_t b = 0; b < o->n; b++) {
            if (o->phase[b] != phase)
                continue;
            any = true;
            mine[b / 64] |= UINT64_C(1) << b % 64;
            if (o->pred[b] == last) /* nothing else is missing */
                continue;
            last = o->pred[b];
            size_t missing = SIZE_MAX;
            for (size_t k = 0; k < o->words && missing == SIZE_MAX; k++) {
                uint64_t lacking = earlier[k] & ~o->pred[b][k];
                if (lacking)
                    missing = k * 64 + (size_t)__builtin_ctzll(lacking);
            }
            if (missing == SIZE_MAX || size_of(o, b) >= best)
                continue;
            best = size_of(o, b);
            *ret_early = b;
            *ret_missing = missing;
        }
        if (any) /* a phase without calls does not order anything */
            memcpy(earlier, mine, o->words * sizeof *mine);
    }
    return best != SIZE_MAX;
}

/* What was done before the first step, then what must come before the early call, phase by phase.
 */
static void show_unordered(ordered *o, size_t early, size_t missing, hk_sound_verdict *verdict) {
    hk_sound_call *trace = HK_NEW_ARRAY(o->arena, hk_sound_call, o->master->init_count + o->n + 1);
    size_t count = 0;
    for (size_t i = 0; i < o->master->init_count; i++)
        if (!o->master->init[i].exchange && o->master->init[i].op != HK_OP_LOOP)
            trace[count++] = o->master->init[i];
    for (size_t x = 0; x < o->n; x++)
        if (is_before(o, x, early) && o->phase[x] != HK_MAP_NONE)
            trace[count++] = *o->nodes[x % o->count].call;
    const hk_sound_call *late = o->nodes[missing % o->count].call;
    const hk_sound_call *soon = o->nodes[early % o->count].call;
    trace[count++] = *soon;
    verdict->holds = false;
    verdict->outcome = HK_SOUND_VIOLATION;
    verdict->why =
        hk_arena_printf(o->arena, "nothing makes '%s' wait for '%s'%s: they are unordered",
                        hk_sound_call_text(o->arena, o->spec->system, soon),
                        hk_sound_call_text(o->arena, o->spec->system, late),
                        early / o->count != missing / o->count ? " of the cycle before" : "");
    verdict->trace = trace;
    verdict->trace_count = count;
}

static hk_sound_verdict refine_order(hk_arena *arena, const hk_spec *spec,
                                     const hk_sound_master *master, int64_t max_step) {
    ordered o = {.arena = arena, .spec = spec, .master = master};
    if (!sort(&o))
        return (hk_sound_verdict){.outcome = HK_SOUND_VIOLATION,
                                  .why = "the calls of a step wait for each other in a circle"};
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, master->step_count);
    for (size_t i = 0; i < master->step_count; i++)
        calls[i] = master->step[o.place[i]];
    hk_sound_master sequence = {.init = master->init,
                                .init_count = master->init_count,
                                .step = calls,
                                .step_count = master->step_count};
    hk_sound_verdict verdict = hk_refine_walk(arena, spec, &sequence, max_step);
    if (!verdict.holds)
        return verdict;
    add_nodes(&o);
    o.words = (o.n + 63) / 64;
    o.pred = hk_alloc(o.n * sizeof *o.pred);
    o.rows = hk_arena_create();
    o.phase = HK_NEW_ARRAY(arena, uint32_t, o.n);
    find_before(&o);
    find_phases(&o);
    size_t early, missing;
    if (find_unordered(&o, &early, &missing))
        show_unordered(&o, early, missing, &verdict);
    hk_free(o.pred);
    hk_arena_destroy(o.rows);
    hk_free(o.nodes);
    return verdict;
}

hk_sound_verdict hk_sound_refines(hk_arena *arena, const hk_sound_system *system,
                                  const hk_sound_master *master, int64_t max_step) {
    const hk_spec *spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false);
    if (!hk_spec_concerns(master->step, master->step_count))
        return (hk_sound_verdict){.outcome = HK_SOUND_VIOLATION, .why = "a step makes no calls"};
    return master->before ? refine_order(arena, spec, master, max_step)
                          : hk_refine_walk(arena, spec, master, max_step);
}
