/* SPDX-License-Identifier: MIT
 *
 * Is every run of a master a run of the specification? A sequence, with or without loops, is walked
 * together with the automaton, each place once per state: the first wrong call found is nearest to
 * the beginning. For a partial order one of its sequences is walked, which shows that each call is
 * there once; that none of its other sequences is wrong follows if the order of the phases is
 * contained in it, which is seen from the sets of what comes before each call. */
#include "sound/spec.h"

#include <string.h>

/* ---- a master as a program ---- */

typedef struct instruction {
    const hk_sound_call *call; /* NULL: nothing is called */
    uint32_t next, other;      /* other: a choice; HK_MAP_NONE: none */
} instruction;

typedef struct program {
    instruction *all;
    uint32_t count, cap;
} program;

static void emit(program *p, const hk_sound_call *call) {
    instruction i = {call, p->count + 1, HK_MAP_NONE};
    HK_PUSH(p->all, p->count, p->cap, i);
}

static void emit_all(program *p, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].exchange)
            continue;
        if (calls[i].op != HK_OP_LOOP) {
            emit(p, &calls[i]);
            continue;
        }
        uint32_t begin = p->count;
        emit_all(p, calls[i].loop->body, calls[i].loop->body_count);
        uint32_t choice = p->count;
        emit(p, NULL);
        emit_all(p, calls[i].loop->retry, calls[i].loop->retry_count);
        emit(p, NULL);
        p->all[p->count - 1].next = begin;
        p->all[choice].other = choice + 1;
        p->all[choice].next = p->count;
    }
}

static program compile(const hk_sound_master *master) {
    program p = {0};
    emit_all(&p, master->init, master->init_count);
    uint32_t loop = p.count;
    emit_all(&p, master->step, master->step_count);
    emit(&p, NULL); /* the next cycle */
    p.all[p.count - 1].next = loop;
    return p;
}

/* ---- walking it together with the automaton ---- */

typedef struct place {
    uint32_t at, parent;
    const hk_sound_call *call; /* that led here */
} place;

typedef struct walk {
    hk_arena *arena;
    const hk_spec *spec;
    place *places;
    size_t count, cap;
    uint64_t *states; /* per place: phase and set */
    size_t state_cap, stride;
    uint32_t *table; /* places by hash; HK_MAP_NONE: free */
    size_t table_size;
} walk;

static uint64_t hash_of(const walk *w, uint32_t at, const uint64_t *state) {
    return hk_hash(hk_hash(HK_HASH_SEED, &at, sizeof at), state, w->stride * sizeof *state);
}

static void rehash(walk *w) {
    w->table_size = w->table_size ? 2 * w->table_size : 256;
    w->table = hk_realloc(w->table, w->table_size * sizeof *w->table);
    for (size_t i = 0; i < w->table_size; i++)
        w->table[i] = HK_MAP_NONE;
    for (uint32_t i = 0; i < w->count; i++) {
        size_t h = hash_of(w, w->places[i].at, &w->states[i * w->stride]) & (w->table_size - 1);
        while (w->table[h] != HK_MAP_NONE)
            h = (h + 1) & (w->table_size - 1);
        w->table[h] = i;
    }
}

static void visit(walk *w, place where, const hk_spec_state *state) {
    uint64_t packed[1] = {state->phase};
    if ((w->count + 1) * w->stride > w->state_cap) {
        w->state_cap = 2 * w->state_cap + 64 * w->stride;
        w->states = hk_realloc(w->states, w->state_cap * sizeof *w->states);
    }
    uint64_t *mine = &w->states[w->count * w->stride];
    mine[0] = packed[0];
    memcpy(mine + 1, state->due, (w->stride - 1) * sizeof *mine);
    if (2 * (w->count + 1) > w->table_size)
        rehash(w);
    size_t h = hash_of(w, where.at, mine) & (w->table_size - 1);
    for (; w->table[h] != HK_MAP_NONE; h = (h + 1) & (w->table_size - 1))
        if (w->places[w->table[h]].at == where.at &&
            memcmp(&w->states[w->table[h] * w->stride], mine, w->stride * sizeof *mine) == 0)
            return;
    w->table[h] = (uint32_t)w->count;
    HK_PUSH(w->places, w->count, w->cap, where);
}

static void load(const walk *w, size_t index, hk_spec_state *state) {
    const uint64_t *mine = &w->states[index * w->stride];
    state->phase = (hk_phase)mine[0];
    memcpy(state->due, mine + 1, (w->stride - 1) * sizeof *mine);
    state->left = 0;
    for (size_t i = 1; i < w->stride; i++)
        state->left += (size_t)__builtin_popcountll(mine[i]);
}

/* The calls from the beginning to a place, and one more. */
static void set_trace(walk *w, size_t index, const hk_sound_call *last, hk_sound_verdict *verdict) {
    size_t count = 1;
    for (uint32_t i = (uint32_t)index; i != HK_MAP_NONE; i = w->places[i].parent)
        count += w->places[i].call != NULL;
    hk_sound_call *trace = HK_NEW_ARRAY(w->arena, hk_sound_call, count);
    verdict->trace = trace;
    verdict->trace_count = count;
    trace[--count] = *last;
    for (uint32_t i = (uint32_t)index; i != HK_MAP_NONE; i = w->places[i].parent)
        if (w->places[i].call)
            trace[--count] = *w->places[i].call;
}

static bool judge(walk *w, size_t index, hk_spec_state *state, const hk_sound_call *call,
                  hk_sound_verdict *verdict) {
    if (call->op == HK_OP_SAVE)
        return true; /* by itself no harm */
    const char *why = call->op == HK_OP_RESTORE
                          ? hk_arena_printf(w->arena, "%s: the specification knows no roll-back",
                                            hk_sound_call_text(w->arena, w->spec->system, call))
                          : hk_spec_misrouted(w->arena, w->spec->system, call);
    if (!why || state->phase != HK_PHASE_SET) {
        if (call->op != HK_OP_RESTORE && hk_spec_take(w->spec, state, call))
            return true;
        if (call->op != HK_OP_RESTORE)
            why = hk_spec_explain(w->arena, w->spec, state, call);
    }
    verdict->holds = false;
    verdict->why = why;
    verdict->outcome = HK_SOUND_VIOLATION;
    set_trace(w, index, call, verdict);
    return false;
}

static hk_sound_verdict explore(hk_arena *arena, const hk_spec *spec,
                                const hk_sound_master *master) {
    hk_sound_verdict verdict = {.holds = true};
    program p = compile(master);
    walk w = {.arena = arena, .spec = spec, .stride = spec->words + 1};
    hk_spec_state state = hk_spec_start(arena, spec);
    visit(&w, (place){0, HK_MAP_NONE, NULL}, &state);
    for (uint32_t i = 0; i < w.count && verdict.holds; i++) {
        const instruction *in = &p.all[w.places[i].at];
        load(&w, i, &state);
        if (in->call && !judge(&w, i, &state, in->call, &verdict))
            break;
        verdict.calls += in->call != NULL;
        visit(&w, (place){in->next, i, in->call}, &state);
        if (in->other != HK_MAP_NONE)
            visit(&w, (place){in->other, i, in->call}, &state);
    }
    verdict.cycles = 1;
    hk_free(w.places);
    hk_free(w.states);
    hk_free(w.table);
    hk_free(p.all);
    return verdict;
}

/* A master that never gets to the end of a cycle would refine everything. */
static bool does_nothing(const hk_spec *spec, const hk_sound_master *master) {
    return spec->counts[HK_PHASE_STEP] && !master->step_count;
}

/* ---- partial orders ---- */

typedef struct ordered {
    hk_arena *arena;
    const hk_spec *spec;
    const hk_sound_master *master;
    uint32_t *place; /* calls of a step in an order that fits; by rank */
    size_t n, words; /* nodes: two steps, 2 * step_count; node = step * step_count + call */
    uint64_t *pred;  /* per node: bits of those before it */
    uint32_t *phase; /* per node: 0 get, 1 set, 2 step of cycle 0; 3 get of cycle 1 ... */
    uint32_t deepest;
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
        for (uint32_t i = 0; i < count; i++) {
            bool ready = !taken[i];
            for (size_t k = 0; k < m->before_count[i] && ready; k++)
                ready = taken[m->before[i][k]];
            if (!ready)
                continue;
            taken[i] = moved = true;
            o->place[done++] = i;
        }
    }
    return done == count;
}

static void unite(ordered *o, uint64_t *into, size_t node) {
    const uint64_t *from = &o->pred[node * o->words];
    for (size_t k = 0; k < o->words; k++)
        into[k] |= from[k];
    into[node / 64] |= UINT64_C(1) << node % 64;
}

/* Calls that share the list of those before them share the set, too. */
static void find_before(ordered *o) {
    const hk_sound_master *m = o->master;
    size_t count = m->step_count;
    for (size_t step = 0; step < 2; step++) {
        const uint32_t *last = NULL;
        const uint64_t *last_set = NULL;
        for (size_t r = 0; r < count; r++) {
            uint32_t i = o->place[r];
            uint64_t *mine = &o->pred[(step * count + i) * o->words];
            bool shared = last_set && !m->before_last && last == m->before[i] &&
                          m->before_count[o->place[r - 1]] == m->before_count[i];
            if (shared)
                memcpy(mine, last_set, o->words * sizeof *mine);
            for (size_t k = 0; k < m->before_count[i] && !shared; k++)
                unite(o, mine, step * count + m->before[i][k]);
            for (size_t k = 0; step && m->before_last && k < m->before_last_count[i]; k++)
                unite(o, mine, m->before_last[i][k]);
            for (size_t k = 0; step && !m->before_last && k < count && !shared; k++)
                mine[k / 64] |= UINT64_C(1) << k % 64;
            if (step && m->before_last) /* a call is not made again before it was made */
                unite(o, mine, i);
            last = m->before[i];
            last_set = mine;
        }
    }
}

/* Which phase each call belongs to: that depends on what was done before the first step. */
static void find_phases(ordered *o) {
    const hk_sound_master *m = o->master;
    bool *got = HK_NEW_ARRAY(o->arena, bool, o->spec->system->port_count);
    bool inits = false;
    for (size_t i = 0; i < m->init_count; i++) {
        const hk_sound_call *c = &m->init[i];
        inits = inits || (c->op == HK_OP_GET && !c->exchange);
        if (!c->exchange && (c->op == HK_OP_GET || (c->op == HK_OP_SET && inits)))
            got[c->port] = true;
    }
    for (size_t step = 0; step < 2; step++)
        for (size_t i = 0; i < m->step_count; i++) {
            const hk_sound_call *c = &m->step[i];
            uint32_t kind = c->op == HK_OP_GET ? 0 : c->op == HK_OP_SET ? 1 : 2;
            uint32_t later = kind < 2 && got[c->port];
            uint32_t phase = kind + 3 * ((uint32_t)step + later);
            o->phase[step * m->step_count + i] = phase;
            o->deepest = phase > o->deepest ? phase : o->deepest;
        }
}

static bool is_before(const ordered *o, size_t a, size_t b) {
    return o->pred[b * o->words + a / 64] >> a % 64 & 1;
}

static size_t size_of(const ordered *o, size_t node) {
    size_t size = 0;
    for (size_t k = 0; k < o->words; k++)
        size += (size_t)__builtin_popcountll(o->pred[node * o->words + k]);
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
        memset(mine, 0, o->words * sizeof *mine);
        for (size_t b = 0; b < o->n; b++) {
            if (o->phase[b] != phase)
                continue;
            any = true;
            mine[b / 64] |= UINT64_C(1) << b % 64;
            size_t missing = SIZE_MAX;
            for (size_t k = 0; k < o->words && missing == SIZE_MAX; k++) {
                uint64_t lacking = earlier[k] & ~o->pred[b * o->words + k];
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

static const hk_sound_call *call_of(const ordered *o, size_t node) {
    return &o->master->step[node % o->master->step_count];
}

/* What was done before the first step, then what must come before the early call, phase by phase.
 */
static void show_unordered(ordered *o, size_t early, size_t missing, hk_sound_verdict *verdict) {
    hk_sound_call *trace = HK_NEW_ARRAY(o->arena, hk_sound_call, o->master->init_count + o->n + 1);
    size_t count = 0;
    for (size_t i = 0; i < o->master->init_count; i++)
        if (!o->master->init[i].exchange)
            trace[count++] = o->master->init[i];
    for (size_t r = 0; r < o->n; r++) {
        size_t node =
            r / o->master->step_count * o->master->step_count + o->place[r % o->master->step_count];
        if (is_before(o, node, early))
            trace[count++] = *call_of(o, node);
    }
    trace[count++] = *call_of(o, early);
    const char *a = hk_sound_call_text(o->arena, o->spec->system, call_of(o, missing));
    const char *b = hk_sound_call_text(o->arena, o->spec->system, call_of(o, early));
    verdict->holds = false;
    verdict->outcome = HK_SOUND_VIOLATION;
    verdict->why = hk_arena_printf(
        o->arena, "nothing makes '%s' wait for '%s'%s: they are unordered", b, a,
        early / o->master->step_count != missing / o->master->step_count ? " of the cycle before"
                                                                         : "");
    verdict->trace = trace;
    verdict->trace_count = count;
}

static hk_sound_verdict refine_order(hk_arena *arena, const hk_spec *spec,
                                     const hk_sound_master *master) {
    ordered o = {.arena = arena, .spec = spec, .master = master, .n = 2 * master->step_count};
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
    hk_sound_verdict verdict = explore(arena, spec, &sequence);
    if (!verdict.holds)
        return verdict;
    o.words = (o.n + 63) / 64;
    o.pred = hk_alloc(o.n * o.words * sizeof *o.pred);
    o.phase = HK_NEW_ARRAY(arena, uint32_t, o.n);
    find_before(&o);
    find_phases(&o);
    size_t early, missing;
    if (find_unordered(&o, &early, &missing))
        show_unordered(&o, early, missing, &verdict);
    hk_free(o.pred);
    return verdict;
}

hk_sound_verdict hk_sound_refines(hk_arena *arena, const hk_sound_system *system,
                                  const hk_sound_master *master) {
    const hk_spec *spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false);
    if (does_nothing(spec, master))
        return (hk_sound_verdict){.outcome = HK_SOUND_VIOLATION, .why = "a step makes no calls"};
    return master->before ? refine_order(arena, spec, master) : explore(arena, spec, master);
}
