/* SPDX-License-Identifier: MIT
 *
 * Contracts of orchestration algorithms: the algorithm is executed with stamps in place of values.
 * A stamp says for which time a value holds; every operation has a precondition on stamps, and a
 * correct algorithm never violates one.
 *
 * Loops are executed as they would be, and it is the turn they end with that is checked: no other
 * one has an effect that lasts.
 * - The test of a step loop is that every instance did as much as was asked. The attempt that meets
 *   it is the one that is executed. What earlier attempts have left behind it must not use.
 * - The test of a value loop is that each watched output has the same stamp, final and tentative.
 *   When real values have converged, watched outputs are those of the iteration before; so one
 *   more iteration would do the same, whichever was the last, and it is checked, too. Whatever else
 *   an iteration hands on to the next could still change and must not be used.
 * Everything is run for two co-simulation steps, because the second one shows what was left stale
 * by the first, and for all sizes of steps that instances may accept in each of them. */
#include "sound/contract.h"

#include "base/map.h"

#include <string.h>

enum { VECTORS_MAX = 4096, RUNS_MIN = 16, RUNS_MAX = 65536, CYCLES_MAX = 1000 };
#define NOTHING_REJECTED UINT64_MAX          /* a vector and a run: the first, for it is simplest */
#define CALLS_MAX        ((uint64_t)2000000) /* after which no more combinations are tried */
#define LOOPS_MAX        ((uint64_t)16000000) /* after which loops in loops are given up */

/* ---- loops ----------------------------------------------------------------------------------- */

static bool same(hk_age a, hk_age b) {
    return a.defined == b.defined && a.time == b.time;
}

/* Did the instance do all that the step asks of it? One that does not take part does. */
static bool is_accepted(const hk_contract *c, uint32_t instance) {
    return !hk_contract_takes_part(c, instance) ||
           c->instances[instance].took == c->h * hk_contract_rate(c, instance);
}

/* Is the port what it was before? An input: what it was set to in the iteration before. */
static bool is_settled(const hk_contract *c, uint32_t port) {
    return same(c->system->ports[port].is_output ? c->final[port] : c->in[port],
                c->tentative[port]);
}

/* The test of the loop; WHO is one that keeps it going. */
static bool is_done(const hk_contract *c, const hk_sound_loop *loop, uint32_t *who) {
    for (size_t i = 0; i < loop->watched_count; i++) {
        *who = loop->watched[i];
        if (!(loop->kind == HK_LOOP_CONVERGED ? is_settled(c, *who) : is_accepted(c, *who)))
            return false;
    }
    return true;
}

/* What the iteration since BEGIN has left behind may still change. */
static void lose(hk_contract *c, uint32_t begin) {
    for (size_t p = 0; p < c->system->port_count; p++) {
        hk_age *const stamps[] = {&c->final[p], &c->tentative[p], &c->in[p]};
        for (size_t i = 0; i < 3; i++)
            if (stamps[i]->turn >= begin)
                stamps[i]->loss = HK_AGE_UNWATCHED;
    }
}

/* Of a value loop that is about to begin or to go on: what is watched is what it will be in the
 * last iteration, and inputs that were set to a watched output since BEGIN, too. */
static void keep_watched(hk_contract *c, const hk_sound_loop *loop, uint32_t begin) {
    c->mark++;
    for (size_t i = 0; i < loop->watched_count; i++) {
        uint32_t port = loop->watched[i];
        c->final[port].loss = c->tentative[port].loss = c->in[port].loss = HK_AGE_KEPT;
        c->marks[port] = c->mark;
    }
    for (size_t p = 0; p < c->system->port_count; p++) {
        const hk_sound_port *port = &c->system->ports[p];
        if (!port->is_output && port->source != HK_MAP_NONE && c->in[p].turn >= begin &&
            c->marks[port->source] == c->mark)
            c->in[p].loss = HK_AGE_KEPT;
    }
}

static void begin_values(hk_contract *c, const hk_sound_loop *loop) {
    keep_watched(c, loop, UINT32_MAX);
    for (size_t i = 0; i < loop->watched_count; i++)
        if (!c->system->ports[loop->watched[i]].is_output)
            c->tentative[loop->watched[i]] = (hk_age){0}; /* it was not set yet */
}

/* What a turn leaves to the next one. */
static void pass_on(hk_contract *c, const hk_sound_loop *loop, uint32_t begin) {
    int64_t least = c->h;
    for (size_t i = 0; i < loop->watched_count; i++) {
        uint32_t who = loop->watched[i];
        if (loop->kind == HK_LOOP_CONVERGED && !c->system->ports[who].is_output)
            c->tentative[who] = c->in[who];
        else if (loop->kind == HK_LOOP_CONVERGED && loop->retry_count)
            c->final[who] = c->tentative[who];
        else if (loop->kind == HK_LOOP_CONVERGED)
            c->tentative[who] = c->final[who];
        else if (hk_contract_takes_part(c, who) &&
                 c->instances[who].took / hk_contract_rate(c, who) < least)
            least = c->instances[who].took / hk_contract_rate(c, who);
    }
    c->h = least > 0 ? least : c->h;
    if (loop->kind == HK_LOOP_CONVERGED) {
        lose(c, begin);
        keep_watched(c, loop, begin);
    }
}

static bool run_calls(hk_contract *c, const hk_sound_call *calls, size_t count);

/* One turn: its objections are in the checker. BEGIN: its number. */
static bool run_turn(hk_contract *c, const hk_sound_call *call, uint32_t *begin) {
    const hk_sound_loop *loop = call->loop;
    c->objection = (hk_breach){0};
    *begin = ++c->turn;
    hk_contract_note(c, call,
                     loop->kind == HK_LOOP_CONVERGED
                         ? "(an iteration begins)"
                         : hk_contract_say(c, "(an attempt by %lld begins)", (long long)c->h));
    return run_calls(c, loop->body, loop->body_count);
}

static bool run_again(hk_contract *c, const hk_sound_call *call, uint32_t *begin) {
    const hk_sound_loop *loop = call->loop;
    if (!run_calls(c, loop->retry, loop->retry_count))
        return false;
    pass_on(c, loop, *begin);
    return run_turn(c, call, begin);
}

static bool never_ends(hk_contract *c, const hk_sound_call *call, uint32_t who) {
    if (call->loop->kind == HK_LOOP_CONVERGED)
        return hk_contract_fail(c, NULL,
                                "restore in 'retry' all that is stepped, and get each of what the "
                                "loop watches",
                                "until (line %d): the loop does not converge: %s gets another time "
                                "in every iteration",
                                call->line, c->system->ports[who].name);
    return hk_contract_fail(
        c, NULL,
        hk_contract_say(c, "step %s in the loop, by the step that is asked for",
                        c->system->instances[who].name),
        "until (line %d): the loop does not end: %s never takes the step that is asked for",
        call->line, c->system->instances[who].name);
}

static bool run_loop(hk_contract *c, const hk_sound_call *call) {
    const hk_sound_loop *loop = call->loop;
    bool values = loop->kind == HK_LOOP_CONVERGED;
    uint64_t tries = values ? c->system->instance_count + 2 : (uint64_t)c->max_step + 2;
    hk_breach outer = c->objection;
    uint32_t who = 0, begin;
    c->depth++;
    if (values)
        begin_values(c, loop);
    if (!run_turn(c, call, &begin))
        return false;
    while (!is_done(c, loop, &who))
        if (!--tries || !run_again(c, call, &begin))
            return tries ? false : never_ends(c, call, who);
    if (values && !c->objection.why && !run_again(c, call, &begin))
        return false;
    if (values && !c->objection.why && !is_done(c, loop, &who))
        return never_ends(c, call, who);
    c->depth--;
    if (!c->depth && c->objection.why)
        c->fault = c->objection;
    c->objection = outer.why ? outer : c->objection;
    return c->depth || !c->objection.why;
}

static bool run_calls(hk_contract *c, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (c->calls++ > LOOPS_MAX)
            return hk_contract_fail(
                c, NULL, NULL,
                "the loops are nested too deep: there are too many iterations to check");
        if (!(calls[i].op == HK_OP_LOOP ? run_loop(c, &calls[i]) : hk_contract_call(c, &calls[i])))
            return false;
    }
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static bool leave_init(hk_contract *c) {
    for (uint32_t p = 0; p < c->system->port_count; p++) {
        const hk_sound_port *port = &c->system->ports[p];
        if (port->is_output || port->source == HK_MAP_NONE)
            continue;
        if (!c->final[port->source].defined)
            return hk_contract_fail(
                c, NULL, hk_contract_say(c, "get it in 'init', and set %s", port->name),
                "after init the output %s has no value", c->system->ports[port->source].name);
        if (!c->in[p].defined)
            return hk_contract_fail(c, NULL,
                                    hk_contract_say(c, "set it in 'init', after get %s",
                                                    c->system->ports[port->source].name),
                                    "after init the input %s has no value", port->name);
    }
    return true;
}

/* How long this co-simulation step had to be: as long as it may, but no longer than all accept. */
static int64_t due_size(const hk_contract *c) {
    int64_t size = c->max_step;
    for (uint32_t i = 0; i < c->system->instance_count; i++)
        if (c->system->instances[i].can_reject && hk_contract_takes_part(c, i) &&
            c->instances[i].accepts < size)
            size = c->instances[i].accepts;
    return size;
}

/* One that is not where it should be at the end of a step. */
static bool fail_at_end(hk_contract *c, uint32_t instance, int64_t way, int64_t due) {
    static const char after[] = "after a co-simulation step";
    const hk_contract_instance *self = &c->instances[instance];
    const char *name = c->system->instances[instance].name, *leader = NULL;
    if (way <= 0)
        return hk_contract_fail(c, NULL, hk_contract_say(c, "add 'step %s'", name),
                                "%s %s is still at time %lld: it was not stepped", after, name,
                                (long long)self->time);
    if (self->steps > 1)
        return hk_contract_fail(
            c, NULL, "leave one step, or save before and restore after those that are tries",
            "%s %s was stepped %lld times, by %lld in all: one step of %lld was due", after, name,
            (long long)self->steps, (long long)way, (long long)due);
    if (way == due)
        return hk_contract_fail(
            c, NULL, hk_contract_say(c, "restore %s in 'retry' and step it in the loop", name),
            "%s %s is where an attempt that was rejected left it, with inputs "
            "of another time",
            after, name);
    for (size_t i = 0; i < c->system->instance_count && !leader; i++)
        if (i != instance && c->instances[i].took == due && c->system->instances[i].can_reject)
            leader = c->system->instances[i].name;
    return hk_contract_fail(
        c, NULL,
        leader ? hk_contract_say(c, "write 'step %s as %s', or 'until accepted' around both", name,
                                 leader)
               : "ask for the step of the moment: without 'by', and 'until accepted' where several "
                 "may reject",
        "%s %s has advanced by %lld, but a step of %lld was due", after, name, (long long)way,
        (long long)due);
}

/* All that took part were stepped once, by just the step (slower rates: by a multiple of it). */
static bool end_step(hk_contract *c) {
    for (uint32_t i = 0; i < c->system->instance_count; i++) {
        const hk_contract_instance *self = &c->instances[i];
        int64_t way = self->time - self->began, due = c->due * hk_contract_rate(c, i);
        bool right = way == due && self->steps == 1 && !self->unsound;
        if (hk_contract_takes_part(c, i) && !right)
            return fail_at_end(c, i, way, due);
    }
    return true;
}

/* What instances may accept, in each cycle another: which combinations are run. */
typedef struct choices {
    uint64_t vectors; /* of sizes in one cycle */
    uint64_t runs;
    int64_t cycles;
    bool all_vectors, all; /* every vector is tried in every cycle; every sequence of them is */
} choices;

static choices count_choices(const hk_contract *c, int64_t cycles) {
    choices v = {.vectors = 1, .runs = 1, .cycles = cycles, .all_vectors = true, .all = true};
    for (size_t i = 0; i < c->system->instance_count && v.all_vectors; i++) {
        if (!c->system->instances[i].can_reject)
            continue;
        v.vectors *= (uint64_t)c->max_step;
        v.all_vectors = v.vectors <= VECTORS_MAX;
    }
    if (!v.all_vectors)
        return (choices){.vectors = VECTORS_MAX, .runs = VECTORS_MAX, .cycles = cycles};
    for (int64_t i = 0; i < cycles && v.vectors > 1 && v.all; i++) {
        v.all = v.runs * v.vectors <= RUNS_MAX;
        v.runs = v.all ? v.runs * v.vectors : RUNS_MAX;
    }
    return v;
}

/* The vector of a cycle: one digit of the number of the run for each. They are turned so that the
 * first runs have every vector in every cycle. */
static uint64_t vector_of(const choices *v, uint64_t run, int64_t cycle) {
    uint64_t first = run % v->vectors, digit = run;
    if (run == NOTHING_REJECTED)
        return run;
    if (!v->all_vectors)
        return run + (uint64_t)cycle;
    for (int64_t i = 0; i < cycle && digit; i++)
        digit /= v->vectors;
    return cycle ? (digit + first + (uint64_t)cycle) % v->vectors : first;
}

/* Instance K of those that may reject accepts digit K of the number VECTOR. */
static void choose_sizes(hk_contract *c, const choices *v, uint64_t vector) {
    uint64_t sizes = (uint64_t)c->max_step, left = vector;
    for (uint32_t i = 0; i < c->system->instance_count; i++) {
        if (!c->system->instances[i].can_reject)
            continue;
        if (vector == NOTHING_REJECTED) {
            c->instances[i].accepts = c->max_step;
        } else if (v->all_vectors) {
            c->instances[i].accepts = 1 + (int64_t)(left % sizes);
            left /= sizes;
        } else if (vector < sizes) {
            c->instances[i].accepts = 1 + (int64_t)vector;
        } else {
            uint64_t mixed = hk_hash(HK_HASH_SEED, (uint64_t[]){vector, i}, 2 * sizeof(uint64_t));
            c->instances[i].accepts = 1 + (int64_t)((mixed >> 20) % sizes);
        }
    }
}

static void reset(hk_contract *c) {
    size_t ports = c->system->port_count;
    for (size_t i = 0; i < c->system->instance_count; i++) {
        hk_contract_instance *self = &c->instances[i];
        *self = (hk_contract_instance){.inputs = self->inputs, .input_count = self->input_count};
    }
    if (ports) {
        memset(c->in, 0, ports * sizeof *c->in);
        memset(c->final, 0, ports * sizeof *c->final);
        memset(c->tentative, 0, ports * sizeof *c->tentative);
    }
    c->turn = 0;
    c->depth = 0;
    c->objection = c->fault = (hk_breach){0};
    c->noted_count = 0;
}

static bool run_once(hk_contract *c, const hk_sound_master *master, const choices *v,
                     uint64_t run) {
    reset(c);
    c->initial = true;
    if (!run_calls(c, master->init, master->init_count) || !leave_init(c))
        return false;
    c->initial = false;
    for (c->cycle = 0; c->cycle < v->cycles; c->cycle++) {
        choose_sizes(c, v, vector_of(v, run, c->cycle));
        c->h = c->max_step;
        c->due = due_size(c);
        if (c->system->port_count)
            memcpy(c->tentative, c->final, c->system->port_count * sizeof *c->final);
        for (size_t i = 0; i < c->system->instance_count; i++) {
            c->instances[i].began = c->instances[i].time;
            c->instances[i].took = c->instances[i].steps = 0;
        }
        if (!run_calls(c, master->step, master->step_count) || !end_step(c))
            return false;
    }
    return true;
}

/* Two steps; with several rates, until each had its second one. */
static int64_t count_cycles(const hk_sound_system *system) {
    int64_t cycles = 2;
    for (size_t i = 0; i < system->instance_count; i++) {
        const hk_sound_instance *self = &system->instances[i];
        int64_t rate = self->rate > 1 ? self->rate : 1;
        if (self->first > CYCLES_MAX || rate > CYCLES_MAX)
            return CYCLES_MAX;
        if (self->first + 2 * rate > cycles)
            cycles = self->first + 2 * rate;
    }
    return cycles < CYCLES_MAX ? cycles : CYCLES_MAX;
}

static void begin(hk_contract *c) {
    const hk_sound_system *system = c->system;
    uint32_t used = 0;
    c->instances = HK_NEW_ARRAY(c->arena, hk_contract_instance, system->instance_count + 1);
    c->inputs = HK_NEW_ARRAY(c->arena, uint32_t, system->port_count + 1);
    c->in = HK_NEW_ARRAY(c->arena, hk_age, system->port_count + 1);
    c->saved_in = HK_NEW_ARRAY(c->arena, hk_age, system->port_count + 1);
    c->final = HK_NEW_ARRAY(c->arena, hk_age, system->port_count + 1);
    c->tentative = HK_NEW_ARRAY(c->arena, hk_age, system->port_count + 1);
    c->marks = HK_NEW_ARRAY(c->arena, uint64_t, system->port_count + 1);
    for (uint32_t p = 0; p < system->port_count; p++)
        if (!system->ports[p].is_output && system->ports[p].source != HK_MAP_NONE)
            c->instances[system->ports[p].instance].input_count++;
    for (uint32_t i = 0; i < system->instance_count; i++) {
        c->instances[i].inputs = used;
        used += c->instances[i].input_count;
        c->instances[i].input_count = 0;
    }
    for (uint32_t p = 0; p < system->port_count; p++)
        if (!system->ports[p].is_output && system->ports[p].source != HK_MAP_NONE) {
            hk_contract_instance *owner = &c->instances[system->ports[p].instance];
            c->inputs[owner->inputs + owner->input_count++] = p;
        }
}

/* "in the second step; A accepts 1 of 3 and B 3" */
static const char *describe_case(const hk_contract *c) {
    enum { NAMED = 8 };
    size_t named = 0, more = 0;
    const char *text = c->initial
                           ? "before the first step"
                           : hk_arena_printf(c->arena, "in step %lld", (long long)c->cycle + 1);
    for (size_t i = 0; i < c->system->instance_count && !c->initial; i++) {
        if (!c->system->instances[i].can_reject)
            continue;
        more += named >= NAMED;
        if (named++ < NAMED)
            text = hk_arena_printf(c->arena, "%s, %s accepts %lld of %lld", text,
                                   c->system->instances[i].name, (long long)c->instances[i].accepts,
                                   (long long)c->max_step);
    }
    return more ? hk_arena_printf(c->arena, "%s, and %zu more", text, more) : text;
}

/* What the last run, a loud one, has shown. */
static void explain(hk_contract *c, hk_sound_verdict *verdict) {
    const hk_breach *fault = &c->fault;
    verdict->why = fault->why;
    verdict->hint = fault->hint;
    verdict->trace_after = fault->after;
    verdict->when = describe_case(c);
    if (fault->calls < HK_CONTRACT_NOTED) { /* else it is cut, and says nothing */
        hk_sound_call *trace = HK_NEW_ARRAY(c->arena, hk_sound_call, fault->calls + 1);
        if (fault->calls)
            memcpy(trace, c->noted, fault->calls * sizeof *trace);
        verdict->trace = trace;
        verdict->trace_count = fault->calls;
    }
    hk_free(c->noted);
}

/* One run; if it fails, once more, for the words. */
static bool try_run(hk_contract *c, const hk_sound_master *master, const choices *v, uint64_t run,
                    hk_sound_verdict *verdict) {
    if (run_once(c, master, v, run))
        return true;
    uint64_t calls = c->calls;
    c->calls = 0;
    c->loud = true;
    bool again = run_once(c, master, v, run);
    HK_ASSERT(!again && c->fault.why);
    c->calls = calls;
    explain(c, verdict);
    return false;
}

static void run_choices(hk_contract *c, const hk_sound_master *master, const choices *v,
                        hk_sound_verdict *verdict) {
    verdict->holds = try_run(c, master, v, NOTHING_REJECTED, verdict);
    verdict->cycles = (uint64_t)v->cycles;
    for (uint64_t i = 0; i < v->runs && verdict->holds && v->vectors > 1; i++) {
        if (c->calls > CALLS_MAX && i >= RUNS_MIN) {
            verdict->sampled = true;
            return;
        }
        verdict->holds = try_run(c, master, v, i, verdict);
        verdict->cycles += (uint64_t)v->cycles;
    }
}

hk_sound_verdict hk_sound_keeps_contract(hk_arena *arena, const hk_sound_system *system,
                                         const hk_sound_master *master, int64_t max_step,
                                         bool *ret_fmi_legal) {
    hk_contract c = {.arena = arena, .system = system, .max_step = max_step > 0 ? max_step : 1};
    hk_sound_master sequence = *master;
    begin(&c);
    choices v = count_choices(&c, count_cycles(system));
    hk_sound_verdict verdict = {.holds = true, .sampled = !v.all};
    if (master->before) {
        sequence.step = hk_contract_order(arena, system, master, &verdict.why, &c.fmi);
        verdict.holds = sequence.step != NULL;
        c.calls = master->step_count;
    }
    if (verdict.holds)
        run_choices(&c, &sequence, &v, &verdict);
    verdict.outcome = verdict.holds ? HK_SOUND_OK : HK_SOUND_VIOLATION;
    verdict.fmi = c.fmi;
    verdict.calls = c.calls;
    *ret_fmi_legal = !c.fmi;
    return verdict;
}
