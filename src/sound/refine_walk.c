/* SPDX-License-Identifier: MIT
 *
 * A master that is a sequence, with or without loops, walked together with the automaton, each
 * place once per state: the first wrong call found is nearest to the beginning. */
#include "sound/refine_walk.h"

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

/* RET_LOOP: where a cycle begins. */
static program compile(const hk_sound_master *master, uint32_t *ret_loop) {
    program p = {0};
    emit_all(&p, master->init, master->init_count);
    uint32_t loop = *ret_loop = p.count;
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

static void pack(const walk *w, const moment *now, uint64_t *mine) {
    mine[0] = (uint64_t)now->state.phase + (now->later ? HK_PHASES : 0);
    mine[1] = (uint64_t)now->h;
    memcpy(mine + HEADER, now->state.due, (w->stride - HEADER) * sizeof *mine);
}

static void visit(walk *w, place where, const moment *now) {
    if ((w->count + 1) * w->stride > w->state_cap) {
        w->state_cap = 2 * w->state_cap + 64 * w->stride;
        w->states = hk_realloc(w->states, w->state_cap * sizeof *w->states);
    }
    uint64_t *mine = &w->states[w->count * w->stride];
    pack(w, now, mine);
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

/* Without loops there is one sequence, which repeats when a cycle begins as one before began: no
 * other states need to be kept. */
static void follow(walk *w, const program *p, uint32_t loop, moment *now,
                   hk_sound_verdict *verdict) {
    enum { CYCLES = 4 }; /* the second may differ from the first in what it knows of times */
    uint64_t *began = hk_alloc(CYCLES * w->stride * sizeof *began);
    size_t cycles = 0;
    for (uint32_t at = 0, i = 0;; i++) {
        if (at == loop) {
            uint64_t *mine = began + cycles * w->stride;
            bool again = cycles == CYCLES - 1;
            pack(w, now, mine);
            for (size_t k = 0; k < cycles && !again; k++)
                again = memcmp(began + k * w->stride, mine, w->stride * sizeof *mine) == 0;
            if (again)
                break;
            cycles++;
        }
        const instruction *in = &p->all[at];
        if (in->call && !judge(w, i, now, in->call, verdict))
            break;
        verdict->calls += in->call != NULL;
        at = in->next;
        HK_PUSH(w->places, w->count, w->cap, ((place){at, i, in->call}));
    }
    hk_free(began);
}

hk_sound_verdict hk_refine_walk(hk_arena *arena, const hk_spec *spec, const hk_sound_master *master,
                                int64_t max_step) {
    hk_sound_verdict verdict = {.holds = true};
    uint32_t loop;
    program p = compile(master, &loop);
    bool straight = true;
    for (uint32_t i = 0; i < p.count; i++)
        straight = straight && p.all[i].other == HK_MAP_NONE;
    walk w = {.arena = arena,
              .spec = spec,
              .master = master,
              .max_step = max_step,
              .stride = spec->words + HEADER};
    moment now = {.state = hk_spec_start(arena, spec)};
    if (straight) {
        HK_PUSH(w.places, w.count, w.cap, ((place){0, HK_MAP_NONE, NULL}));
        follow(&w, &p, loop, &now, &verdict);
    } else {
        visit(&w, (place){0, HK_MAP_NONE, NULL}, &now);
    }
    for (uint32_t i = 0; !straight && i < w.count && verdict.holds; i++) {
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
