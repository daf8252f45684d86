/* SPDX-License-Identifier: MIT
 *
 * Contracts of orchestration algorithms: the algorithm is executed with stamps in place of values.
 * A stamp says for which time a value holds; every operation has a precondition on stamps, and a
 * correct algorithm never violates one.
 *
 * Loops are executed unchecked until their own test holds; then one more iteration, with all
 * checks, must succeed. The test of a value loop is that each watched output has the same stamp,
 * final and tentative; that of a step loop is that every instance did as much as was asked.
 * Everything is run for two co-simulation steps, because the second one shows what was left stale
 * by the first, and for all sizes of steps that instances may accept. */
#include "sound/contract.h"

#include "base/map.h"

#include <string.h>

enum { VECTORS_MAX = 4096, VECTORS_MIN = 16, CYCLES_MAX = 1000 };
#define CALLS_MAX ((uint64_t)2000000)  /* after which no more combinations are tried */
#define LOOPS_MAX ((uint64_t)16000000) /* after which loops in loops are given up */

typedef struct stamp {
    bool defined;
    int64_t time;
} stamp;

typedef struct instance {
    int64_t time, began; /* now, and at the beginning of the co-simulation step */
    int64_t took;        /* of its last step in this co-simulation step; 0: none yet */
    int64_t steps;       /* in this co-simulation step, as far as nothing took them back */
    int64_t accepts;     /* no more than this */
    bool dirty;          /* set since its last step */
    bool saved, saved_dirty;
    int64_t saved_time, saved_steps;
    uint32_t inputs, input_count; /* connected ones, in check.inputs */
} instance;

typedef struct check {
    hk_arena *arena;
    const hk_sound_system *system;
    instance *instances;
    uint32_t *inputs;
    stamp *in, *saved_in, *final, *tentative; /* by port */
    int64_t max_step, h;                      /* the step to take: smaller once one was rejected */
    int64_t cycle;
    bool initial;          /* before the first step */
    int loops, extra;      /* around the call; those in their checked iteration */
    const char *why, *fmi; /* first that is wrong */
    uint64_t calls;
} check;

/* ---- words ----------------------------------------------------------------------------------- */

static const char *port_name(const check *c, uint32_t port) {
    return c->system->ports[port].name;
}

static const char *name_of(const check *c, uint32_t i) {
    return c->system->instances[i].name;
}

/* "set A.x (line 12)" */
static const char *call_name(check *c, const hk_sound_call *call) {
    static const char *const words[] = {"set", "get", "step", "save", "restore", "parameter"};
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    const char *name = port ? port_name(c, call->port) : name_of(c, call->instance);
    if (call->line)
        return hk_arena_printf(c->arena, "%s %s (line %d)", words[call->op], name, call->line);
    return hk_arena_printf(c->arena, "%s %s", words[call->op], name);
}

/* "a value of time 2", "no value yet" */
static const char *stamp_text(check *c, stamp s) {
    return s.defined ? hk_arena_printf(c->arena, "a value of time %lld", (long long)s.time)
                     : "no value yet";
}

static bool fail(check *c, const hk_sound_call *call, const char *text) {
    if (!c->why)
        c->why = call ? hk_arena_printf(c->arena, "%s: %s", call_name(c, call), text) : text;
    return false;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool checked(const check *c) {
    return c->loops == c->extra;
}

/* Does the instance take part in this cycle? */
static bool takes_part(const check *c, uint32_t i) {
    const hk_sound_instance *self = &c->system->instances[i];
    int64_t rate = self->rate > 1 ? self->rate : 1;
    return c->initial || (c->cycle >= self->first && (c->cycle - self->first) % rate == 0);
}

/* Between instances of different rates the value that is set is one of the past, chosen by the lag
 * of the connection: which one, contract_plan.c looks at. */
static bool across_rates(const check *c, uint32_t input) {
    const hk_sound_port *port = &c->system->ports[input];
    const hk_sound_instance *to = &c->system->instances[port->instance];
    const hk_sound_instance *from = &c->system->instances[c->system->ports[port->source].instance];
    int64_t to_rate = to->rate > 1 ? to->rate : 1, from_rate = from->rate > 1 ? from->rate : 1;
    return to_rate != from_rate || to->first != from->first;
}

static bool check_get(check *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->system->ports[call->port];
    size_t count = c->initial ? port->depends_init_count : port->depends_count;
    const uint32_t *depends = c->initial ? port->depends_init : port->depends;
    int64_t now = c->instances[port->instance].time;
    for (size_t i = 0; i < count; i++) {
        const stamp *in = &c->in[depends[i]];
        if (c->system->ports[depends[i]].source == HK_MAP_NONE || across_rates(c, depends[i]))
            continue;
        if (!in->defined || (!c->initial && in->time != now))
            return fail(c, call,
                        hk_arena_printf(c->arena,
                                        "it depends on %s, which has %s, but %s is at time %lld",
                                        port_name(c, depends[i]), stamp_text(c, *in),
                                        name_of(c, port->instance), (long long)now));
    }
    return true;
}

static bool do_get(check *c, const hk_sound_call *call) {
    uint32_t owner = c->system->ports[call->port].instance;
    if (checked(c) && !check_get(c, call))
        return false;
    if (c->system->instances[owner].is_fmu && c->instances[owner].dirty && !c->fmi)
        c->fmi = hk_arena_printf(c->arena,
                                 "%s: an input of %s was set and no step followed, and then FMI "
                                 "allows no get",
                                 call_name(c, call), name_of(c, owner));
    *(call->tentative ? &c->tentative[call->port] : &c->final[call->port]) =
        (stamp){.defined = true, .time = c->instances[owner].time};
    return true;
}

/* The engine keeps past values as long as a lag needs them: where the source is ahead, it sets the
 * one that is asked for. */
static bool keeps_history(const check *c) {
    return c->system->port_of != NULL;
}

static bool check_set(check *c, const hk_sound_call *call, stamp from) {
    const hk_sound_port *port = &c->system->ports[call->port];
    int64_t now = c->instances[port->instance].time;
    const char *source = port_name(c, port->source), *owner = name_of(c, port->instance);
    if (!from.defined)
        return fail(c, call, hk_arena_printf(c->arena, "its source %s has no value yet", source));
    if (c->initial || across_rates(c, call->port))
        return true;
    if (port->reactive && from.time <= now)
        return fail(c, call,
                    hk_arena_printf(c->arena,
                                    "it is reactive and needs a value of the end of the step, but "
                                    "its source %s has %s and %s is at time %lld",
                                    source, stamp_text(c, from), owner, (long long)now));
    if (!port->reactive && from.time != now && !(keeps_history(c) && from.time > now))
        return fail(c, call,
                    hk_arena_printf(c->arena,
                                    "it is delayed and needs a value of the time of %s, which is "
                                    "%lld, but its source %s has %s",
                                    owner, (long long)now, source, stamp_text(c, from)));
    return true;
}

static bool do_set(check *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->system->ports[call->port];
    c->instances[port->instance].dirty = !c->initial;
    if (port->source == HK_MAP_NONE)
        return true; /* always fresh */
    stamp from = call->tentative ? c->tentative[port->source] : c->final[port->source];
    if (c->initial && port->initial && !from.defined)
        from = (stamp){.defined = true}; /* a value of its own */
    else if (checked(c) && !check_set(c, call, from))
        return false;
    if (keeps_history(c) && !port->reactive && from.time > c->instances[port->instance].time)
        from.time = c->instances[port->instance].time;
    c->in[call->port] = from;
    return true;
}

static bool check_step(check *c, const hk_sound_call *call, int64_t h) {
    const instance *self = &c->instances[call->instance];
    for (uint32_t i = 0; i < self->input_count; i++) {
        uint32_t input = c->inputs[self->inputs + i];
        bool reactive = c->system->ports[input].reactive;
        int64_t wanted = self->time + (reactive ? h : 0);
        if (across_rates(c, input) || (c->in[input].defined && c->in[input].time == wanted))
            continue;
        return fail(c, call,
                    hk_arena_printf(c->arena,
                                    "its %s input %s has %s, but the step needs one of time %lld",
                                    reactive ? "reactive" : "delayed", port_name(c, input),
                                    stamp_text(c, c->in[input]), (long long)wanted));
    }
    return true;
}

/* How far to go; 0 if that cannot be said. */
static int64_t step_size(const check *c, const hk_sound_call *call) {
    int64_t rate = c->system->instances[call->instance].rate;
    if (call->as != HK_MAP_NONE)
        return c->instances[call->as].took;
    return (call->has_value ? (int64_t)call->value : c->h) * (rate > 1 ? rate : 1);
}

static bool do_step(check *c, const hk_sound_call *call) {
    instance *self = &c->instances[call->instance];
    const char *name = name_of(c, call->instance);
    int64_t h = step_size(c, call);
    if (c->initial)
        return fail(c, call, "before the first step nothing may be stepped");
    if (h <= 0 && call->as != HK_MAP_NONE)
        return fail(c, call,
                    hk_arena_printf(c->arena, "it is to take the step of %s, which took none yet",
                                    name_of(c, call->as)));
    if (h <= 0)
        return fail(c, call, "a step must take time");
    if (h > c->max_step && call->has_value)
        return fail(c, call, "it is longer than the largest step");
    if (checked(c) && !check_step(c, call, h))
        return false;
    if (c->system->instances[call->instance].can_reject && h > self->accepts)
        h = self->accepts;
    self->took = h;
    self->steps++;
    self->dirty = false;
    if (self->time > INT64_MAX / 4)
        return fail(c, call, hk_arena_printf(c->arena, "%s runs away", name));
    self->time += h;
    return true;
}

static bool do_save(check *c, const hk_sound_call *call) {
    instance *self = &c->instances[call->instance];
    if (!c->system->instances[call->instance].can_save)
        return fail(c, call, "it cannot save its state");
    self->saved = true;
    self->saved_time = self->time;
    self->saved_steps = self->steps;
    self->saved_dirty = self->dirty;
    for (uint32_t i = 0; i < self->input_count; i++)
        c->saved_in[c->inputs[self->inputs + i]] = c->in[c->inputs[self->inputs + i]];
    return true;
}

static bool do_restore(check *c, const hk_sound_call *call) {
    instance *self = &c->instances[call->instance];
    if (!self->saved)
        return fail(c, call, "its state was not saved");
    self->time = self->saved_time;
    self->steps = self->saved_steps;
    self->dirty = self->saved_dirty;
    for (uint32_t i = 0; i < self->input_count; i++)
        c->in[c->inputs[self->inputs + i]] = c->saved_in[c->inputs[self->inputs + i]];
    return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool same(stamp a, stamp b) {
    return a.defined == b.defined && a.time == b.time;
}

/* The test of the loop; WHO is one that keeps it going. */
static bool is_done(const check *c, const hk_sound_loop *loop, uint32_t *who) {
    for (size_t i = 0; i < loop->watched_count; i++) {
        *who = loop->watched[i];
        if (loop->kind == HK_LOOP_CONVERGED ? !same(c->final[*who], c->tentative[*who])
                                            : c->instances[*who].took != c->h)
            return false;
    }
    return true;
}

/* What an iteration leaves to the next one. */
static void pass_on(check *c, const hk_sound_loop *loop) {
    int64_t least = c->h;
    for (size_t i = 0; i < loop->watched_count; i++) {
        uint32_t who = loop->watched[i];
        if (loop->kind == HK_LOOP_ACCEPTED)
            least = c->instances[who].took < least ? c->instances[who].took : least;
        else if (loop->retry_count)
            c->final[who] = c->tentative[who];
        else
            c->tentative[who] = c->final[who];
    }
    c->h = least > 0 ? least : c->h;
}

static bool run_calls(check *c, const hk_sound_call *calls, size_t count);

static bool run_loop(check *c, const hk_sound_call *call) {
    const hk_sound_loop *loop = call->loop;
    bool values = loop->kind == HK_LOOP_CONVERGED;
    uint64_t tries = values ? c->system->instance_count + 2 : (uint64_t)c->max_step + 2;
    uint32_t who = 0;
    bool done = false;
    c->loops++;
    while (!done && tries--) {
        if (!run_calls(c, loop->body, loop->body_count))
            return false;
        done = is_done(c, loop, &who);
        if (!run_calls(c, loop->retry, loop->retry_count))
            return false;
        if (!done)
            pass_on(c, loop);
    }
    c->extra++;
    if (done && !run_calls(c, loop->body, loop->body_count))
        return false;
    c->extra--;
    c->loops--;
    if (done && is_done(c, loop, &who))
        return true;
    const char *name = values ? port_name(c, who) : name_of(c, who);
    const char *what = values ? "converge" : "end";
    return fail(c, NULL,
                hk_arena_printf(c->arena, "until (line %d): the loop does not %s: %s %s",
                                call->line, what, name,
                                values ? "gets another time in every iteration"
                                       : "never takes the step that is asked for"));
}

static bool run_call(check *c, const hk_sound_call *call) {
    if (c->calls++ > LOOPS_MAX)
        return fail(c, NULL,
                    "the loops are nested too deep: there are too many iterations to check");
    if (call->op == HK_OP_LOOP)
        return run_loop(c, call);
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    if (!takes_part(c, port ? c->system->ports[call->port].instance : call->instance))
        return true;
    switch (call->op) {
    case HK_OP_SET:
        return do_set(c, call);
    case HK_OP_GET:
        return do_get(c, call);
    case HK_OP_STEP:
        return do_step(c, call);
    case HK_OP_SAVE:
        return do_save(c, call);
    case HK_OP_RESTORE:
        return do_restore(c, call);
    default:
        return c->initial || fail(c, call, "parameters are set before the first step");
    }
}

static bool run_calls(check *c, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!run_call(c, &calls[i]))
            return false;
    return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static bool leave_init(check *c) {
    for (uint32_t p = 0; p < c->system->port_count; p++) {
        const hk_sound_port *port = &c->system->ports[p];
        if (port->is_output || port->source == HK_MAP_NONE)
            continue;
        if (!c->final[port->source].defined)
            return fail(c, NULL,
                        hk_arena_printf(c->arena, "after init the output %s has no value",
                                        port_name(c, port->source)));
        if (!c->in[p].defined)
            return fail(
                c, NULL,
                hk_arena_printf(c->arena, "after init the input %s has no value", port->name));
    }
    return true;
}

/* How long this co-simulation step had to be: as long as it may, but no longer than all accept. */
static int64_t due_size(const check *c) {
    int64_t size = c->max_step;
    for (uint32_t i = 0; i < c->system->instance_count; i++)
        if (c->system->instances[i].can_reject && takes_part(c, i) &&
            c->instances[i].accepts < size)
            size = c->instances[i].accepts;
    return size;
}

/* All that took part were stepped once, by just the step (slower rates: by a multiple of it). */
static bool end_step(check *c) {
    int64_t size = due_size(c);
    for (uint32_t i = 0; i < c->system->instance_count; i++) {
        const instance *self = &c->instances[i];
        int64_t rate = c->system->instances[i].rate, way = self->time - self->began;
        int64_t due = size * (rate > 1 ? rate : 1);
        if (!takes_part(c, i) || (way == due && self->steps == 1))
            continue;
        const char *text =
            way <= 0 ? hk_arena_printf(c->arena, "is still at time %lld: it was not stepped",
                                       (long long)self->time)
            : self->steps > 1
                ? hk_arena_printf(c->arena,
                                  "was stepped %lld times, by %lld in all: one step of "
                                  "%lld was due",
                                  (long long)self->steps, (long long)way, (long long)due)
                : hk_arena_printf(c->arena, "has advanced by %lld, but a step of %lld was due",
                                  (long long)way, (long long)due);
        return fail(
            c, NULL,
            hk_arena_printf(c->arena, "after a co-simulation step %s %s", name_of(c, i), text));
    }
    return true;
}

/* Instance K of those that may reject accepts digit K of the number VECTOR. */
static void choose_sizes(check *c, uint64_t vector, bool all, uint64_t count) {
    uint64_t sizes = (uint64_t)c->max_step, left = vector % count;
    for (uint32_t i = 0; i < c->system->instance_count; i++) {
        if (!c->system->instances[i].can_reject)
            continue;
        if (all) {
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

static void reset(check *c) {
    size_t ports = c->system->port_count;
    for (size_t i = 0; i < c->system->instance_count; i++) {
        instance *self = &c->instances[i];
        *self = (instance){.inputs = self->inputs, .input_count = self->input_count};
    }
    if (ports) {
        memset(c->in, 0, ports * sizeof *c->in);
        memset(c->final, 0, ports * sizeof *c->final);
        memset(c->tentative, 0, ports * sizeof *c->tentative);
    }
    c->loops = c->extra = 0;
}

typedef struct vectors {
    uint64_t count;
    bool all;
} vectors;

static bool run_once(check *c, const hk_sound_master *master, const hk_sound_call *step,
                     int64_t cycles, uint64_t vector, vectors v) {
    reset(c);
    c->initial = true;
    if (!run_calls(c, master->init, master->init_count) || !leave_init(c))
        return false;
    c->initial = false;
    for (c->cycle = 0; c->cycle < cycles; c->cycle++) {
        choose_sizes(c, vector + (uint64_t)c->cycle, v.all, v.count);
        c->h = c->max_step;
        if (c->system->port_count)
            memcpy(c->tentative, c->final, c->system->port_count * sizeof *c->final);
        for (size_t i = 0; i < c->system->instance_count; i++) {
            c->instances[i].began = c->instances[i].time;
            c->instances[i].took = c->instances[i].steps = 0;
        }
        if (!run_calls(c, step, master->step_count) || !end_step(c))
            return false;
    }
    return true;
}

/* All combinations of accepted sizes, if there are not too many. */
static vectors count_vectors(const check *c) {
    vectors v = {.count = 1, .all = true};
    for (size_t i = 0; i < c->system->instance_count; i++) {
        if (!c->system->instances[i].can_reject)
            continue;
        v.count *= (uint64_t)c->max_step;
        if (v.count > VECTORS_MAX)
            return (vectors){.count = VECTORS_MAX};
    }
    return v;
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

static void begin(check *c) {
    const hk_sound_system *system = c->system;
    uint32_t used = 0;
    c->instances = HK_NEW_ARRAY(c->arena, instance, system->instance_count + 1);
    c->inputs = HK_NEW_ARRAY(c->arena, uint32_t, system->port_count + 1);
    c->in = HK_NEW_ARRAY(c->arena, stamp, system->port_count + 1);
    c->saved_in = HK_NEW_ARRAY(c->arena, stamp, system->port_count + 1);
    c->final = HK_NEW_ARRAY(c->arena, stamp, system->port_count + 1);
    c->tentative = HK_NEW_ARRAY(c->arena, stamp, system->port_count + 1);
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
            instance *owner = &c->instances[system->ports[p].instance];
            c->inputs[owner->inputs + owner->input_count++] = p;
        }
}

hk_sound_verdict hk_sound_keeps_contract(hk_arena *arena, const hk_sound_system *system,
                                         const hk_sound_master *master, int64_t max_step,
                                         bool *ret_fmi_legal) {
    check c = {.arena = arena, .system = system, .max_step = max_step > 0 ? max_step : 1};
    const hk_sound_call *step = master->step;
    int64_t cycles = count_cycles(system);
    begin(&c);
    vectors v = count_vectors(&c);
    hk_sound_verdict verdict = {.holds = true, .sampled = !v.all};
    if (master->before) {
        step = hk_contract_order(arena, system, master, &c.why, &c.fmi);
        verdict.holds = step != NULL;
        c.calls = master->step_count;
    }
    for (uint64_t i = 0; i < v.count && verdict.holds; i++) {
        if (c.calls > CALLS_MAX && i >= VECTORS_MIN) {
            verdict.sampled = true;
            break;
        }
        verdict.holds = run_once(&c, master, step, cycles, i, v);
        verdict.cycles += (uint64_t)cycles;
    }
    verdict.why = verdict.holds ? NULL : c.why;
    verdict.outcome = verdict.holds ? HK_SOUND_OK : HK_SOUND_VIOLATION;
    verdict.fmi = c.fmi;
    verdict.calls = c.calls;
    *ret_fmi_legal = !c.fmi;
    return verdict;
}
