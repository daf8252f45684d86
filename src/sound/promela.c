/* SPDX-License-Identifier: MIT
 *
 * The specification and a master for spin. The automaton is a phase and bits for what has come;
 * each call asserts that it is allowed. A sequence is one process. A partial order is several: a
 * process has the calls of some instances, in an order that fits, and waits for those of other
 * processes that must come before; a call that would be held up by the order of its process alone
 * gets a process of its own. */
#include "sound/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 31, CYCLES = 3, STATES_WANTED = 100000, PROCESSES_MAX = 16 };

typedef struct writer {
    FILE *out;
    hk_arena *arena;
    const hk_spec *spec;
    hk_spec_state probe; /* to look up the numbers of calls */
    size_t words;
    bool tokens; /* some value goes a wrong way: values are modelled */
} writer;

static hk_phase following(const hk_spec *spec, hk_phase phase) {
    do
        phase = phase == HK_PHASE_STEP ? HK_PHASE_GET : phase + 1;
    while (!spec->counts[phase] && phase != HK_PHASE_STEP);
    return phase;
}

static hk_phase first_phase(const hk_spec *spec) {
    return spec->counts[HK_PHASE_INIT] ? HK_PHASE_INIT : following(spec, HK_PHASE_INIT);
}

static void write_automaton(writer *w) {
    const hk_spec *spec = w->spec;
    FILE *out = w->out;
    fprintf(out, "byte phase = %d; /* 0 init, 1 get, 2 set, 3 step */\n", (int)first_phase(spec));
    fprintf(out, "short left = %zu; /* calls of this phase that are still due */\n",
            spec->counts[first_phase(spec)]);
    for (size_t i = 0; i < w->words; i++)
        fprintf(out, "int done%zu = 0;\n", i);
    if (w->tokens)
        fprintf(out, "bit fresh[%zu]; /* which of its last two values an output gave */\n",
                spec->counts[HK_PHASE_GET] + 1);
    fprintf(out, "inline tick(p, word, one) {\n"
                 "  assert(phase == p);\n"
                 "  assert((word & (1 << one)) == 0);\n"
                 "  word = word | (1 << one);\n"
                 "  left--;\n"
                 "  if\n  :: left == 0 ->\n   ");
    for (size_t i = 0; i < w->words; i++)
        fprintf(out, " done%zu = 0;", i);
    fprintf(out, "\n    if\n");
    for (hk_phase p = HK_PHASE_INIT; p <= HK_PHASE_STEP; p++) {
        hk_phase next = following(spec, p);
        if (spec->counts[p])
            fprintf(out, "    :: p == %d -> phase = %d; left = %zu\n", (int)p, (int)next,
                    spec->counts[next]);
    }
    fprintf(out,
            "    fi\n  :: else\n  fi\n}\n"
            "inline call(p, word, one) { d_step { tick(p, word, one) } }\n"
            "inline both(word0, one0, word, one) {\n"
            "  d_step { if :: phase == 0 -> tick(0, word0, one0) :: else -> tick(2, word, one) "
            "fi }\n}\n");
}

static void write_place(writer *w, uint32_t item) {
    fprintf(w->out, "done%u, %u", item / BITS, item % BITS);
}

static uint32_t item_in(writer *w, hk_phase phase, const hk_sound_call *call) {
    w->probe.phase = phase;
    memset(w->probe.due, 0xff, w->spec->words * sizeof *w->probe.due);
    return hk_spec_item(w->spec, &w->probe, call);
}

static void write_set(writer *w, const hk_sound_call *call) {
    uint32_t init = item_in(w, HK_PHASE_INIT, call), item = item_in(w, HK_PHASE_SET, call);
    const hk_sound_port *port = &w->spec->system->ports[call->port];
    bool routed = w->tokens && item != HK_MAP_NONE && port->source != HK_MAP_NONE;
    if (routed) {
        uint32_t source = w->spec->port_item[port->source];
        uint32_t carried = call->carries ? w->spec->port_item[call->carries - 1] : source;
        /* A value is known by its output and by which of its last two it is. */
        fprintf(w->out, "assert(phase != 2 || 2 * %u + (fresh[%u] ^ %d) == 2 * %u + fresh[%u]); ",
                carried, carried, call->stale, source, source);
    }
    if (init == HK_MAP_NONE && item == HK_MAP_NONE) {
        fprintf(w->out, "assert(false)");
        return;
    }
    bool twice = init != HK_MAP_NONE && item != HK_MAP_NONE;
    fprintf(w->out, twice ? "both(" : init != HK_MAP_NONE ? "call(0, " : "call(2, ");
    if (init != HK_MAP_NONE)
        write_place(w, init);
    fprintf(w->out, twice ? ", " : "");
    if (item != HK_MAP_NONE)
        write_place(w, item);
    fprintf(w->out, ")");
}

static void write_call(writer *w, const hk_sound_call *call) {
    static const hk_phase phases[] = {HK_PHASE_SET,  HK_PHASE_GET,  HK_PHASE_STEP,
                                      HK_PHASE_STEP, HK_PHASE_STEP, HK_PHASE_INIT};
    if (call->op == HK_OP_SAVE) {
        fprintf(w->out, "skip");
    } else if (call->op == HK_OP_SET) {
        write_set(w, call);
    } else {
        uint32_t item = item_in(w, phases[call->op], call);
        if (item == HK_MAP_NONE) {
            fprintf(w->out, "assert(false)");
        } else {
            fprintf(w->out, "call(%d, ", (int)phases[call->op]);
            write_place(w, item);
            fprintf(w->out, ")");
            if (w->tokens && call->op == HK_OP_GET)
                fprintf(w->out, "; fresh[%u] = 1 - fresh[%u]", item, item);
        }
    }
    char *comment = hk_arena_strdup(w->arena, hk_sound_call_text(w->arena, w->spec->system, call));
    for (char *c = comment; *c; c++) /* a name may hold anything, even the end of a comment */
        *c = *c == '*' || *c == '\n' || *c == '\\' ? '_' : *c;
    fprintf(w->out, "; /* %s */\n", comment);
}

static void write_calls(writer *w, const hk_sound_call *calls, size_t count, int depth) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].exchange)
            continue;
        fprintf(w->out, "%*s", 2 * depth, "");
        if (calls[i].op != HK_OP_LOOP) {
            write_call(w, &calls[i]);
            continue;
        }
        fprintf(w->out, "do\n%*s:: true ->\n", 2 * depth, "");
        write_calls(w, calls[i].loop->body, calls[i].loop->body_count, depth + 1);
        fprintf(w->out, "%*sif\n%*s:: break\n%*s:: true ->\n", 2 * depth + 2, "", 2 * depth + 2, "",
                2 * depth + 2, "");
        write_calls(w, calls[i].loop->retry, calls[i].loop->retry_count, depth + 2);
        fprintf(w->out, "%*sskip\n%*sfi\n%*sod;\n", 2 * depth + 4, "", 2 * depth + 2, "", 2 * depth,
                "");
    }
}

static void write_sequence(writer *w, const hk_sound_master *m) {
    fprintf(w->out, "active proctype master() {\n");
    write_calls(w, m->init, m->init_count, 1);
    fprintf(w->out, "  do\n  :: true ->\n");
    write_calls(w, m->step, m->step_count, 2);
    fprintf(w->out, "  od\n}\n");
}

/* ---- several processes ---- */

typedef struct threads {
    const hk_sound_master *m;
    size_t n, words, count, groups;
    uint32_t *order;    /* calls in an order that fits; by rank */
    uint64_t *pred;     /* per call: those before it in the step */
    uint32_t *thread;   /* per call */
    uint32_t *position; /* ... and its place there, from 0 */
    uint32_t *length;   /* per thread */
} threads;

static bool has_loops(const hk_sound_master *m) {
    for (size_t i = 0; i < m->step_count; i++)
        if (m->step[i].op == HK_OP_LOOP)
            return true;
    return false;
}

static bool sort(threads *t, hk_arena *arena) {
    bool *taken = HK_NEW_ARRAY(arena, bool, t->n);
    size_t done = 0;
    for (bool moved = true; moved && done < t->n;) {
        moved = false;
        for (uint32_t i = 0; i < t->n; i++) {
            bool ready = !taken[i];
            for (size_t k = 0; k < t->m->before_count[i] && ready; k++)
                ready = taken[t->m->before[i][k]];
            if (!ready)
                continue;
            taken[i] = moved = true;
            t->order[done++] = i;
            for (size_t k = 0; k < t->m->before_count[i]; k++) {
                uint32_t b = t->m->before[i][k];
                for (size_t x = 0; x < t->words; x++)
                    t->pred[i * t->words + x] |= t->pred[b * t->words + x];
                t->pred[i * t->words + b / 64] |= UINT64_C(1) << b % 64;
            }
        }
    }
    return done == t->n;
}

/* All that one call waits for, another waits for, too. */
static bool waits_for_no_more(const threads *t, uint32_t one, uint32_t another) {
    for (size_t x = 0; x < t->words; x++)
        if (t->pred[one * t->words + x] & ~t->pred[another * t->words + x])
            return false;
    return true;
}

/* The call waits for the end of the step before, by itself or by what it comes after. */
static bool waits_for_last_step(const threads *t, uint32_t call) {
    const hk_sound_master *m = t->m;
    if (!m->before_last || m->before_last_count[call] == t->n)
        return true;
    for (size_t k = 0; k < m->before_count[call]; k++)
        if (m->before_last_count[m->before[call][k]] == t->n)
            return true;
    return false;
}

/* The order of a process may not hide that a call could come sooner: those before it in the process
 * must come first anyway, or be of its own kind and not wait for more than it does. */
static bool fits(const threads *t, uint32_t call, uint32_t thread, size_t rank) {
    if (!waits_for_last_step(t, call))
        return false;
    for (size_t r = 0; r < rank; r++) {
        uint32_t earlier = t->order[r];
        bool ordered = t->pred[call * t->words + earlier / 64] >> earlier % 64 & 1;
        bool alike =
            t->m->step[earlier].op == t->m->step[call].op && waits_for_no_more(t, earlier, call);
        if (t->thread[earlier] == thread && !ordered && !alike)
            return false;
    }
    return true;
}

static void share_out(threads *t) {
    t->count = t->groups;
    for (size_t i = 0; i < t->groups; i++)
        t->length[i] = 0;
    for (size_t r = 0; r < t->n; r++) {
        uint32_t call = t->order[r];
        uint32_t thread = t->m->step[call].instance % (uint32_t)t->groups;
        if (!fits(t, call, thread, r)) {
            thread = (uint32_t)t->count++;
            t->length[thread] = 0;
        }
        t->thread[call] = thread;
        t->position[call] = t->length[thread]++;
    }
}

/* How many states the processes give together within the phases, roughly. */
static double states(const threads *t) {
    double sum = 0;
    for (hk_sound_op op = HK_OP_SET; op <= HK_OP_STEP; op++) {
        double product = 1;
        for (uint32_t k = 0; k < t->count; k++) {
            double calls = 1;
            for (size_t i = 0; i < t->n; i++)
                calls += t->thread[i] == k && t->m->step[i].op == op;
            product *= calls;
        }
        sum += CYCLES * product;
    }
    return sum;
}

/* Which calls of a thread must have been made; 0: none. */
static uint32_t needed(const threads *t, const uint32_t *list, size_t count, uint32_t thread) {
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (t->thread[list[i]] == thread && t->position[list[i]] + 1 > most)
            most = t->position[list[i]] + 1;
    return most;
}

static void write_waiting(writer *w, const threads *t, uint32_t call) {
    const hk_sound_master *m = t->m;
    uint32_t mine = t->thread[call];
    bool any = false;
    for (uint32_t k = 0; k < t->count; k++) {
        if (k == mine || !t->length[k])
            continue;
        uint32_t now = needed(t, m->before[call], m->before_count[call], k);
        uint32_t last = m->before_last
                            ? needed(t, m->before_last[call], m->before_last_count[call], k)
                            : t->length[k];
        if (!now && !last)
            continue;
        fprintf(w->out, any ? " && " : "    (");
        if (now)
            fprintf(w->out, "made[%u] >= cycle * %u + %u", k, t->length[k], now);
        else
            fprintf(w->out, "(cycle == 0 || made[%u] >= (cycle - 1) * %u + %u)", k, t->length[k],
                    last);
        any = true;
    }
    fprintf(w->out, any ? ");\n" : "");
}

static void write_thread(writer *w, const threads *t, uint32_t thread) {
    fprintf(w->out, "proctype thread%u() {\n  byte cycle = 0;\n  do\n  :: cycle < %d ->\n", thread,
            CYCLES);
    for (size_t r = 0; r < t->n; r++) {
        uint32_t call = t->order[r];
        if (t->thread[call] != thread)
            continue;
        write_waiting(w, t, call);
        fprintf(w->out, "    atomic { made[%u]++; ", thread);
        write_call(w, &t->m->step[call]);
        fprintf(w->out, "    }\n");
    }
    fprintf(w->out, "    cycle++\n  :: else -> break\n  od\n}\n");
}

static void write_threads(writer *w, const threads *t) {
    fprintf(w->out, "short made[%zu]; /* calls that each process has made */\n", t->count);
    for (uint32_t k = 0; k < t->count; k++)
        if (t->length[k])
            write_thread(w, t, k);
    fprintf(w->out, "init {\n");
    write_calls(w, t->m->init, t->m->init_count, 1);
    fprintf(w->out, "  atomic {\n");
    for (uint32_t k = 0; k < t->count; k++)
        if (t->length[k])
            fprintf(w->out, "    run thread%u();\n", k);
    fprintf(w->out, "    skip\n  }\n}\n");
}

static bool write_order(writer *w, const hk_sound_master *m) {
    size_t instances = w->spec->system->instance_count;
    threads t = {.m = m, .n = m->step_count, .words = (m->step_count + 63) / 64};
    t.order = HK_NEW_ARRAY(w->arena, uint32_t, t.n);
    t.pred = HK_NEW_ARRAY(w->arena, uint64_t, t.n * t.words);
    t.thread = HK_NEW_ARRAY(w->arena, uint32_t, t.n);
    t.position = HK_NEW_ARRAY(w->arena, uint32_t, t.n);
    t.length = HK_NEW_ARRAY(w->arena, uint32_t, t.n + instances);
    if (!sort(&t, w->arena))
        return false;
    t.groups = instances < PROCESSES_MAX ? instances : PROCESSES_MAX;
    for (; t.groups > 1; t.groups--) {
        share_out(&t);
        if (t.groups == 2 || states(&t) <= STATES_WANTED)
            break;
    }
    if (t.groups <= 1)
        share_out(&t);
    write_threads(w, &t);
    return true;
}

/* ---- the whole ---- */

static bool misroutes(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].carries || calls[i].stale)
            return true;
        if (calls[i].op == HK_OP_LOOP &&
            (misroutes(calls[i].loop->body, calls[i].loop->body_count) ||
             misroutes(calls[i].loop->retry, calls[i].loop->retry_count)))
            return true;
    }
    return false;
}

const char *hk_sound_promela(hk_arena *arena, const hk_sound_system *system,
                             const hk_sound_master *master) {
    writer w = {.arena = arena, .spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false)};
    char *text = NULL;
    size_t size = 0;
    w.probe = hk_spec_start(arena, w.spec);
    w.tokens = misroutes(master->step, master->step_count);
    for (size_t p = 0; p < HK_PHASES; p++) {
        size_t words = (w.spec->counts[p] + BITS - 1) / BITS;
        w.words = words > w.words ? words : w.words;
    }
    w.out = open_memstream(&text, &size);
    HK_ASSERT(w.out);
    fprintf(w.out,
            "/* %s: its specification and its master. Check it with\n"
            " *   spin -a FILE && cc -O2 -DSAFETY -o pan pan.c && ./pan -m2000000 -n\n"
            " * and follow an error with spin -t -p FILE. %s */\n",
            system->name,
            w.tokens ? "Values are known by where they come from"
                     : "Every set carries the value of its source");
    write_automaton(&w);
    bool written = true;
    if (master->before && !has_loops(master) && master->step_count)
        written = write_order(&w, master);
    else
        write_sequence(&w, master);
    fclose(w.out);
    const char *result = written ? hk_arena_strdup(arena, text) : NULL;
    free(text);
    return result;
}
