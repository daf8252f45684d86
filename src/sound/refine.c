/* SPDX-License-Identifier: MIT
 *
 * Is every run of a master a run of the specification? A sequence, with or without loops, is walked
 * together with the automaton, each place once per state: the first wrong call found is nearest to
 * the beginning. For a partial order one of its sequences is walked, which gives each call its
 * phase and shows that all are there; that none of its other sequences is wrong follows if the
 * order of the phases is contained in it, which is seen from the sets of what comes before each
 * call. Conversely, if a call of a phase does not come after one of the phase before, all that does
 * not come after that one can be done without it, and then the call is too early. */
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

/* Where the specification is, and its time layer. */
typedef struct moment {
    hk_spec_state state;
    int64_t h;  /* how long the steps of this cycle are; 0: none was made yet */
    bool later; /* a cycle is over */
} moment;

enum { HEADER = 2 }; /* words of a packed moment before its set */

typedef struct walk {
    hk_arena *arena;
    const hk_spec *spec;
    const hk_sound_master *master;
    int64_t max_step;
    place *places;
    size_t count, cap;
    uint64_t *states; /* per place: a packed moment */
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

static void visit(walk *w, place where, const moment *now) {
    if ((w->count + 1) * w->stride > w->state_cap) {
        w->state_cap = 2 * w->state_cap + 64 * w->stride;
        w->states = hk_realloc(w->states, w->state_cap * sizeof *w->states);
    }
    uint64_t *mine = &w->states[w->count * w->stride];
    mine[0] = (uint64_t)now->state.phase + (now->later ? HK_PHASES : 0);
    mine[1] = (uint64_t)now->h;
    memcpy(mine + HEADER, now->state.due, (w->stride - HEADER) * sizeof *mine);
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

static void load(const walk *w, size_t index, moment *now) {
    const uint64_t *mine = &w->states[index * w->stride];
    now->later = mine[0] >= HK_PHASES;
    now->h = (int64_t)mine[1];
    now->state.phase = (hk_phase)(mine[0] % HK_PHASES);
    memcpy(now->state.due, mine + HEADER, (w->stride - HEADER) * sizeof *mine);
    now->state.left = 0;
    for (size_t i = HEADER; i < w->stride; i++)
        now->state.left += (size_t)__builtin_popcountll(mine[i]);
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

/* The time layer: what is wrong with a step that the phases allow; NULL: nothing. */
static const char *untimely(walk *w, moment *now, const hk_sound_call *call) {
    const char *name = w->spec->system->instances[call->instance].name;
    int64_t h = hk_spec_step_size(w->master, call, w->max_step);
    if (h <= 0)
        return hk_arena_printf(w->arena, "step %s by %lld: a step is longer than 0", name,
                               (long long)h);
    if (call->stale && now->later)
        return hk_arena_printf(
            w->arena, "step %s begins where the cycle before began: time has not advanced", name);
    if (now->h && h != now->h)
        return hk_arena_printf(w->arena, "step %s by %lld: others step by %lld in this cycle", name,
                               (long long)h, (long long)now->h);
    now->h = h;
    return NULL;
}

/* Takes a call if it is allowed; else why not. */
static const char *take(walk *w, moment *now, const hk_sound_call *call) {
    hk_spec_state *state = &now->state;
    if (call->op == HK_OP_RESTORE)
        return hk_arena_printf(w->arena, "%s: the specification knows no roll-back",
                               hk_sound_call_text(w->arena, w->spec->system, call));
    if (hk_spec_item(w->spec, state, call) == HK_MAP_NONE)
        return hk_spec_explain(w->arena, w->spec, state, call);
    const char *why = NULL;
    if (state->phase == HK_PHASE_INIT && call->other)
        why = hk_arena_printf(w->arena, "%s: the file says another value",
                              hk_sound_call_text(w->arena, w->spec->system, call));
    else if (state->phase == HK_PHASE_SET)
        why = hk_spec_misrouted(w->arena, w->spec->system, call);
    else if (state->phase == HK_PHASE_STEP)
        why = untimely(w, now, call);
    if (why)
        return why;
    bool stepping = state->phase == HK_PHASE_STEP;
    uint64_t cycle = state->cycle;
    hk_spec_take(w->spec, state, call);
    if (stepping && state->cycle != cycle) {
        now->later = true;
        now->h = 0;
    }
    return NULL;
}

static bool judge(walk *w, size_t index, moment *now, const hk_sound_call *call,
                  hk_sound_verdict *verdict) {
    const char *why = hk_spec_passes_over(call) ? NULL : take(w, now, call);
    if (!why)
        return true;
    verdict->holds = false;
    verdict->why = why;
    verdict->outcome = HK_SOUND_VIOLATION;
    set_trace(w, index, call, verdict);
    return false;
}

static hk_sound_verdict explore(hk_arena *arena, const hk_spec *spec, const hk_sound_master *master,
                                int64_t max_step) {
    hk_sound_verdict verdict = {.holds = true};
    program p = compile(master);
    walk w = {.arena = arena,
              .spec = spec,
              .master = master,
              .max_step = max_step,
              .stride = spec->words + HEADER};
    moment now = {.state = hk_spec_start(arena, spec)};
    visit(&w, (place){0, HK_MAP_NONE, NULL}, &now);
    for (uint32_t i = 0; i < w.count && verdict.holds; i++) {
        const instruction *in = &p.all[w.places[i].at];
        load(&w, i, &now);
        if (in->call && !judge(&w, i, &now, in->call, &verdict))
            break;
        verdict.calls += in->call != NULL;
        visit(&w, (place){in->next, i, in->call}, &now);
        if (in->other != HK_MAP_NONE)
            visit(&w, (place){in->other, i, in->call}, &now);
    }
    verdict.cycles = 1;
    hk_free(w.places);
    hk_free(w.states);
    hk_free(w.table);
    hk_free(p.all);
    return verdict;
}

/* ---- partial orders ---- */

/* One call of a step, in an order that fits. A loop is the chain of the calls of one iteration:
 * that it may be repeated was seen when the sequence was walked. */
typedef struct node {
    const hk_sound_call *call;
    uint32_t owner; /* which call of the step */
    bool first;     /* of its owner */
} node;

typedef struct ordered {
    hk_arena *arena;
    const hk_spec *spec;
    const hk_sound_master *master;
    uint32_t *place; /* calls of a step in an order that fits; by rank */
    node *nodes;
    uint32_t count, cap;
    uint32_t *last;  /* per call of the step: its last node */
    size_t n, words; /* two steps: 2 * count nodes; step * count + node */
    uint64_t *pred;  /* per node: bits of those before it */
    uint32_t *phase; /* per node: 0 get, 1 set, 2 step of cycle 0; 3 get of cycle 1 ...;
                        HK_MAP_NONE: none */
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
    const uint64_t *from = &o->pred[earlier * o->words];
    for (size_t k = 0; k < o->words; k++)
        into[k] |= from[k];
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
        uint64_t *mine = &o->pred[x * o->words];
        bool second = x >= o->count;
        if (!here->first) {
            unite(o, mine, x - 1);
            continue;
        }
        uint32_t last = x % o->count ? here[-1].owner : here->owner;
        bool shared = last != here->owner && !m->before_last && here[-1].first &&
                      m->before[last] == m->before[here->owner] &&
                      m->before_count[last] == m->before_count[here->owner];
        if (shared)
            memcpy(mine, mine - o->words, o->words * sizeof *mine);
        else
            unite_all(o, mine, here->owner, second);
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
    return o->pred[b * o->words + a / 64] >> a % 64 & 1;
}

static size_t size_of(const ordered *o, size_t of) {
    size_t size = 0;
    for (size_t k = 0; k < o->words; k++)
        size += (size_t)__builtin_popcountll(o->pred[of * o->words + k]);
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
    hk_sound_verdict verdict = explore(arena, spec, &sequence, max_step);
    if (!verdict.holds)
        return verdict;
    add_nodes(&o);
    o.words = (o.n + 63) / 64;
    o.pred = hk_alloc(o.n * o.words * sizeof *o.pred);
    o.phase = HK_NEW_ARRAY(arena, uint32_t, o.n);
    find_before(&o);
    find_phases(&o);
    size_t early, missing;
    if (find_unordered(&o, &early, &missing))
        show_unordered(&o, early, missing, &verdict);
    hk_free(o.pred);
    hk_free(o.nodes);
    return verdict;
}

hk_sound_verdict hk_sound_refines(hk_arena *arena, const hk_sound_system *system,
                                  const hk_sound_master *master, int64_t max_step) {
    const hk_spec *spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false);
    if (!hk_spec_concerns(master->step, master->step_count))
        return (hk_sound_verdict){.outcome = HK_SOUND_VIOLATION, .why = "a step makes no calls"};
    return master->before ? refine_order(arena, spec, master, max_step)
                          : explore(arena, spec, master, max_step);
}
