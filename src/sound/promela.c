/* SPDX-License-Identifier: MIT
 *
 * The specification and a master for spin. The automaton is a phase and bits for what has come, how
 * far each instance is, and which values were given; each call asserts that it is allowed. What the
 * master remembers, values and times, is kept apart from what the specification knows. A sequence
 * is one process. A partial order is several: a process has calls of some instances, in an order
 * that fits, and waits for those of other processes that must come before. */
#include "sound/promela_threads.h"
#include "sound/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 31, CYCLES = 3 };

typedef struct writer {
    FILE *out;
    hk_arena *arena;
    const hk_spec *spec;
    hk_spec_sizes sizes; /* of the steps of the master that is written */
    hk_spec_state probe; /* to look up the numbers of calls */
    size_t words, value_words;
    uint32_t *output; /* per port: its number among the outputs */
} writer;

/* ---- the automaton ---- */

static hk_phase following(const hk_spec *spec, hk_phase phase) {
    do
        phase = phase == HK_PHASE_STEP ? HK_PHASE_GET : phase + 1;
    while (!spec->counts[phase] && phase != HK_PHASE_STEP);
    return phase;
}

static hk_phase first_phase(const hk_spec *spec) {
    return spec->counts[HK_PHASE_INIT] ? HK_PHASE_INIT : following(spec, HK_PHASE_INIT);
}

static void write_state(writer *w) {
    const hk_spec *spec = w->spec;
    FILE *out = w->out;
    fprintf(out, "byte phase = %d; /* 0 init, 1 get, 2 set, 3 step */\n", (int)first_phase(spec));
    fprintf(out, "short left = %zu; /* calls of this phase that are still due */\n",
            spec->counts[first_phase(spec)]);
    fprintf(out, "int done[%zu]; /* bits: those that have come */\n", w->words);
    fprintf(out, "/* Time, from the beginning of the cycle: equal sizes have equal numbers. */\n");
    fprintf(out, "byte length = 0; /* of the steps of this cycle; 0: none was made yet */\n");
    fprintf(out, "short clock[%zu]; /* how far the master is with each instance */\n",
            spec->system->instance_count);
    if (w->sizes.late)
        fprintf(out, "short last[%zu]; /* where its last step began */\n",
                spec->system->instance_count);
    if (w->value_words) {
        fprintf(out, "/* Values: bits that are 1 for one of a cycle before. */\n");
        fprintf(out, "int given[%zu] = %d; /* what the outputs gave */\n", w->value_words,
                INT32_MAX);
        fprintf(out, "int held[%zu] = %d; /* what the master has read of each */\n", w->value_words,
                INT32_MAX);
        fprintf(out, "int older[%zu] = %d; /* ... and what it had read before that */\n",
                w->value_words, INT32_MAX);
    }
    fprintf(out, "hidden short k;\n");
}

/* At the end of a cycle everything is of the cycle before. */
static void write_turn(writer *w) {
    fprintf(w->out,
            "inline turn() {\n"
            "  k = 0;\n"
            "  do\n  :: k < %zu -> clock[k] = clock[k] - length;%s k++\n  :: else -> break\n  od;\n"
            "  length = 0;\n",
            w->spec->system->instance_count, w->sizes.late ? " last[k] = last[k] - length;" : "");
    if (w->value_words)
        fprintf(w->out,
                "  k = 0;\n"
                "  do\n  :: k < %zu -> given[k] = %d; held[k] = %d; older[k] = %d; k++\n"
                "  :: else -> break\n  od;\n",
                w->value_words, INT32_MAX, INT32_MAX, INT32_MAX);
    fprintf(w->out, "  k = 0\n}\n");
}

static void write_tick(writer *w) {
    const hk_spec *spec = w->spec;
    fprintf(w->out,
            "inline tick(p, word, one) {\n"
            "  assert(phase == p);\n"
            "  assert((done[word] & (1 << one)) == 0);\n"
            "  done[word] = done[word] | (1 << one);\n"
            "  left--;\n"
            "  if\n  :: left == 0 ->\n"
            "    k = 0;\n"
            "    do\n    :: k < %zu -> done[k] = 0; k++\n    :: else -> break\n    od;\n"
            "    k = 0;\n"
            "    if\n",
            w->words);
    for (hk_phase p = HK_PHASE_INIT; p <= HK_PHASE_STEP; p++) {
        hk_phase next = following(spec, p);
        if (spec->counts[p])
            fprintf(w->out, "    :: p == %d -> phase = %d; left = %zu%s\n", (int)p, (int)next,
                    spec->counts[next], p == HK_PHASE_STEP ? "; turn()" : "");
    }
    fprintf(w->out, "    fi\n  :: else\n  fi\n}\n");
}

/* The number n of a call stands for its name when a trail is followed. */
static void write_automaton(writer *w) {
    write_state(w);
    write_turn(w);
    write_tick(w);
    fprintf(w->out,
            "inline call(n, p, word, one) { d_step { printf(\"call %%d\\n\", n); tick(p, word, "
            "one) } }\n"
            "inline put(n, routed, word, one) {\n"
            "  d_step { printf(\"call %%d\\n\", n); assert(phase != 2 || routed); tick(2, word, "
            "one) }\n}\n"
            "inline both(n, routed, word0, one0, word, one) {\n"
            "  d_step { printf(\"call %%d\\n\", n); assert(phase != 2 || routed);\n"
            "    if :: phase == 0 -> tick(0, word0, one0) :: else -> tick(2, word, one) fi }\n}\n"
            "inline step(n, i, t, h, word, one) {\n"
            "  d_step { printf(\"call %%d\\n\", n);\n"
            "    assert(phase == 3);\n"
            "    assert(t == 0); /* it begins where the cycle began */\n"
            "    assert(h > 0);\n"
            "    assert(length == 0 || length == h);\n"
            "    length = h;%s clock[i] = clock[i] + h;\n"
            "    tick(3, word, one) }\n}\n",
            w->sizes.late ? " last[i] = clock[i];" : "");
    if (w->value_words)
        fprintf(w->out,
                "inline get(n, word, one, part, nth) {\n"
                "  d_step { printf(\"call %%d\\n\", n); tick(1, word, one);\n"
                "    given[part] = given[part] & ~(1 << nth);\n"
                "    older[part] = (older[part] & ~(1 << nth)) | (held[part] & (1 << nth));\n"
                "    held[part] = held[part] & ~(1 << nth) }\n}\n"
                "#define value(from, number) (2 * (number) + ((from[(number) / %d] >> "
                "((number) %% %d)) & 1))\n",
                BITS, BITS);
}

/* ---- calls ---- */

static void write_place(writer *w, uint32_t item) {
    fprintf(w->out, "%u, %u", item / BITS, item % BITS);
}

static uint32_t item_in(writer *w, hk_phase phase, const hk_sound_call *call) {
    w->probe.phase = phase;
    memset(w->probe.due, 0xff, w->spec->words * sizeof *w->probe.due);
    return hk_spec_item(w->spec, &w->probe, call);
}

/* What the master has read of the output that it believes in is what the source has given. */
static void write_routed(writer *w, const hk_sound_call *call) {
    uint32_t source = w->spec->system->ports[call->port].source;
    uint32_t carried = call->carries ? call->carries - 1 : source;
    if (source == HK_MAP_NONE)
        fprintf(w->out, "true, ");
    else
        fprintf(w->out, "value(%s, %u) == value(given, %u), ", call->stale ? "older" : "held",
                w->output[carried], w->output[source]);
}

static void write_set(writer *w, const hk_sound_call *call, size_t number) {
    uint32_t init = item_in(w, HK_PHASE_INIT, call), item = item_in(w, HK_PHASE_SET, call);
    bool twice = init != HK_MAP_NONE && item != HK_MAP_NONE;
    fprintf(w->out, "%s(%zu, ", twice ? "both" : init != HK_MAP_NONE ? "call" : "put", number);
    if (item != HK_MAP_NONE)
        write_routed(w, call);
    else
        fprintf(w->out, "0, ");
    if (init != HK_MAP_NONE)
        write_place(w, init);
    fprintf(w->out, twice ? ", " : "");
    if (item != HK_MAP_NONE)
        write_place(w, item);
    fprintf(w->out, ")");
}

static void write_get(writer *w, const hk_sound_call *call, size_t number) {
    fprintf(w->out, "get(%zu, ", number);
    write_place(w, item_in(w, HK_PHASE_GET, call));
    fprintf(w->out, ", ");
    write_place(w, w->output[call->port]);
    fprintf(w->out, ")");
}

static void write_call(writer *w, const hk_sound_call *call, size_t number) {
    uint32_t item = call->op == HK_OP_PARAMETER ? item_in(w, HK_PHASE_INIT, call) : HK_MAP_NONE;
    if (hk_spec_passes_over(call)) {
        fprintf(w->out, "d_step { printf(\"call %zu\\n\") }", number);
    } else if (call->other || hk_spec_is_backwards(w->spec->system, call)) {
        /* another initial value than the one that is meant, or a port against its direction */
        fprintf(w->out, "d_step { printf(\"call %zu\\n\"); assert(false) }", number);
    } else if (call->op == HK_OP_GET) {
        write_get(w, call, number);
    } else if (call->op == HK_OP_SET) {
        write_set(w, call, number);
    } else if (call->op == HK_OP_STEP) {
        fprintf(w->out, "step(%zu, %u, %s[%u], %u, ", number, call->instance,
                call->stale ? "last" : "clock", call->instance,
                hk_spec_size_number(&w->sizes, call));
        write_place(w, item_in(w, HK_PHASE_STEP, call));
        fprintf(w->out, ")");
    } else if (item != HK_MAP_NONE) {
        fprintf(w->out, "call(%zu, 0, ", number);
        write_place(w, item);
        fprintf(w->out, ")");
    } else { /* a roll-back, a parameter that there is not */
        fprintf(w->out, "d_step { printf(\"call %zu\\n\"); assert(false) }", number);
    }
    const char *text = hk_sound_call_text(w->arena, w->spec->system, call);
    fprintf(w->out, "; /* %s */\n", hk_spec_plain(w->arena, text));
}

/* Numbers go through the master from the front; a loop is one, then its body, then its retry. */
static size_t numbers_of(const hk_sound_call *calls, size_t count) {
    size_t sum = count;
    for (size_t i = 0; i < count; i++)
        if (calls[i].op == HK_OP_LOOP)
            sum += numbers_of(calls[i].loop->body, calls[i].loop->body_count) +
                   numbers_of(calls[i].loop->retry, calls[i].loop->retry_count);
    return sum;
}

static const hk_sound_call *numbered(const hk_sound_call *calls, size_t count, size_t number) {
    for (size_t i = 0; i < count; i++) {
        size_t sum = numbers_of(&calls[i], 1);
        if (number == 0)
            return &calls[i];
        if (number < sum) {
            const hk_sound_loop *l = calls[i].loop;
            size_t body = numbers_of(l->body, l->body_count);
            return number <= body ? numbered(l->body, l->body_count, number - 1)
                                  : numbered(l->retry, l->retry_count, number - 1 - body);
        }
        number -= sum;
    }
    return NULL;
}

const hk_sound_call *hk_sound_promela_call(const hk_sound_master *master, size_t number) {
    size_t init = numbers_of(master->init, master->init_count);
    return number < init ? numbered(master->init, master->init_count, number)
                         : numbered(master->step, master->step_count, number - init);
}

static void write_calls(writer *w, const hk_sound_call *calls, size_t count, int depth,
                        size_t number) {
    for (size_t i = 0; i < count; number += numbers_of(&calls[i], 1), i++) {
        if (calls[i].exchange)
            continue;
        fprintf(w->out, "%*s", 2 * depth, "");
        if (calls[i].op != HK_OP_LOOP) {
            write_call(w, &calls[i], number);
            continue;
        }
        const hk_sound_loop *loop = calls[i].loop;
        fprintf(w->out, "do\n%*s:: true ->\n", 2 * depth, "");
        write_calls(w, loop->body, loop->body_count, depth + 1, number + 1);
        fprintf(w->out, "%*sif\n%*s:: break\n%*s:: true ->\n", 2 * depth + 2, "", 2 * depth + 2, "",
                2 * depth + 2, "");
        write_calls(w, loop->retry, loop->retry_count, depth + 2,
                    number + 1 + numbers_of(loop->body, loop->body_count));
        fprintf(w->out, "%*sskip\n%*sfi\n%*sod;\n", 2 * depth + 4, "", 2 * depth + 2, "", 2 * depth,
                "");
    }
}

/* A master that makes no calls would be wrong nowhere. */
static void write_nothing(writer *w, int depth) {
    if (!hk_spec_concerns(w->sizes.master->step, w->sizes.master->step_count))
        fprintf(w->out, "%*sassert(false); /* a step makes no calls */\n", 2 * depth, "");
}

static void write_sequence(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    fprintf(w->out, "active proctype master() {\n");
    write_calls(w, m->init, m->init_count, 1, 0);
    fprintf(w->out, "  do\n  :: true ->\n");
    write_nothing(w, 2);
    write_calls(w, m->step, m->step_count, 2, numbers_of(m->init, m->init_count));
    fprintf(w->out, "  od\n}\n");
}

/* ---- several processes ---- */

typedef hk_promela_threads threads;

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
        if (t->m->step[call].op == HK_OP_LOOP) {
            write_calls(w, &t->m->step[call], 1, 2, t->number[call]);
            fprintf(w->out, "    made[%u]++;\n", thread);
            continue;
        }
        fprintf(w->out, "    atomic { made[%u]++; ", thread);
        write_call(w, &t->m->step[call], t->number[call]);
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
    write_calls(w, t->m->init, t->m->init_count, 1, 0);
    write_nothing(w, 1);
    fprintf(w->out, "  atomic {\n");
    for (uint32_t k = 0; k < t->count; k++)
        if (t->length[k])
            fprintf(w->out, "    run thread%u();\n", k);
    fprintf(w->out, "    skip\n  }\n}\n");
}

static bool write_order(writer *w) {
    const hk_sound_master *m = w->sizes.master;
    threads t;
    if (!hk_promela_share(w->arena, m, w->spec->system->instance_count, CYCLES, &t))
        return false;
    size_t *numbers = HK_NEW_ARRAY(w->arena, size_t, t.n);
    for (size_t i = 0, number = numbers_of(m->init, m->init_count); i < t.n; i++) {
        numbers[i] = number;
        number += numbers_of(&m->step[i], 1);
    }
    t.number = numbers;
    write_threads(w, &t);
    return true;
}

/* ---- the whole ---- */

static void prepare(writer *w) {
    const hk_sound_system *system = w->spec->system;
    uint32_t outputs = 0;
    w->output = HK_NEW_ARRAY(w->arena, uint32_t, system->port_count);
    for (size_t p = 0; p < system->port_count; p++)
        w->output[p] = system->ports[p].is_output ? outputs++ : HK_MAP_NONE;
    w->value_words = (outputs + BITS - 1) / BITS;
    for (size_t p = 0; p < HK_PHASES; p++) {
        size_t words = (w->spec->counts[p] + BITS - 1) / BITS;
        w->words = words > w->words ? words : w->words;
    }
    w->probe = hk_spec_start(w->arena, w->spec);
}

const char *hk_sound_promela(hk_arena *arena, const hk_sound_system *system,
                             const hk_sound_master *master, int64_t max_step) {
    writer w = {.arena = arena,
                .spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false),
                .sizes = hk_spec_sizes_of(master, max_step)};
    char *text = NULL;
    size_t size = 0;
    prepare(&w);
    w.out = open_memstream(&text, &size);
    HK_ASSERT(w.out);
    write_automaton(&w);
    bool written = true;
    if (master->before && master->step_count)
        written = write_order(&w);
    else
        write_sequence(&w);
    fclose(w.out);
    const char *result =
        hk_arena_printf(arena,
                        "/* %s\n"
                        " * Check it with\n"
                        " *   spin -a FILE && cc -O2 -DSAFETY -DVECTORSZ=%d -o pan pan.c && "
                        "./pan -m2000000 -n\n"
                        " * and follow an error with spin -t -p FILE. */\n%s",
                        hk_spec_heading(arena, system, text), HK_SPIN_VECTOR, text);
    free(text);
    hk_free(w.sizes.all);
    return written ? result : NULL;
}
