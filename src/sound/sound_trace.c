/* SPDX-License-Identifier: MIT
 *
 * A run, call by call, against the specification and its time layer: in one phase all steps begin
 * at the same time and are equally long, and the next begin where they ended. */
#include "sound/sound_trace.h"

#include <string.h>

struct hk_sound_checker {
    hk_arena *arena;
    hk_spec *spec;
    hk_spec_state state;
    hk_contract_run *contract; /* NULL: by phases */
    hk_trace_values *values;
    hk_trace_init *init;
    bool multirate;
    double start, base;    /* base: of a cycle; 0: not known yet */
    double t, h;           /* of the steps of this cycle; h 0: none yet */
    double expected;       /* time of the next cycle */
    double end;            /* steps were shortened to end here; infinity: none */
    double *begins;        /* per instance: of its last step; -infinity: none */
    double *reached;       /* per instance: the end of its last step; -infinity: none */
    hk_sound_call *recent; /* since the cycle before this one began */
    size_t recent_count, recent_cap, cycle_begin;
    uint64_t calls, steps, cycle, cycles, passed_over, warnings, gaps, missed;
    bool initialized; /* initialization mode was seen, and ... */
    bool begun;       /* ... is over */
    bool strict;      /* all that the specification speaks of is to be there */
    bool started;     /* of a multi-model: a start value has come, or something instead of it */
    uint64_t unstarted;
    bool in_phase; /* something of this phase has come */
    bool head;     /* this is the phase in which the trace begins, perhaps not with its first */
    hk_sound_outcome outcome;
    const char *why;
};

hk_sound_checker *hk_sound_checker_create(const hk_sound_system *system, hk_sound_view view,
                                          double start_time) {
    hk_arena *arena = hk_arena_create();
    hk_sound_checker *c = HK_NEW(arena, hk_sound_checker);
    *c = (hk_sound_checker){.arena = arena,
                            .spec = hk_spec_make(arena, system, view, true),
                            .values = hk_trace_values_make(arena, system),
                            .start = start_time,
                            .strict = view == HK_VIEW_STRICT,
                            .expected = start_time,
                            .base = system->cycle,
                            .end = (double)INFINITY,
                            .begins = HK_NEW_ARRAY(arena, double, system->instance_count),
                            .reached = HK_NEW_ARRAY(arena, double, system->instance_count)};
    c->state = hk_spec_start(arena, c->spec);
    c->init = hk_trace_init_make(arena, system, c->values);
    if (view == HK_VIEW_CONTRACT)
        c->contract = hk_contract_run_make(arena, c->spec, c->values, start_time);
    for (size_t i = 0; i < system->instance_count; i++) {
        c->begins[i] = c->reached[i] = -(double)INFINITY;
        c->multirate =
            c->multirate || system->instances[i].rate > 1 || system->instances[i].first > 0;
    }
    return c;
}

void hk_sound_checker_read_late(hk_sound_checker *c) {
    c->spec->late = true;
    hk_trace_values_newest(c->values, true);
}

static const char *number(hk_sound_checker *c, double value) {
    return hk_trace_number(c->arena, value);
}

static bool violation(hk_sound_checker *c, const char *what) {
    c->outcome = HK_SOUND_VIOLATION;
    c->why = hk_arena_printf(c->arena, "trace violation at event %llu (cycle %llu, t=%s): %s",
                             (unsigned long long)c->calls, (unsigned long long)c->cycle,
                             number(c, c->expected), what);
    return false;
}

void hk_sound_checker_object(hk_sound_checker *c, const char *what) {
    if (c->outcome == HK_SOUND_OK)
        violation(c, what);
}

void hk_sound_checker_pass_over(hk_sound_checker *c) {
    c->passed_over += c->outcome == HK_SOUND_OK;
}

/* ---- the time layer ---- */

/* Where a plan says how long steps are. A last step may be shorter; then nothing goes beyond its
 * end. */
static bool check_length(hk_sound_checker *c, const hk_sound_call *call) {
    int64_t rate = c->spec->system->instances[call->instance].rate;
    double n = (double)(rate > 1 ? rate : 1);
    if (c->base <= 0 && c->multirate && !c->contract)
        c->base = call->h / n;
    if (c->base <= 0)
        return true;
    double full = n * c->base, end = call->t + call->h;
    bool whole = hk_near(call->h, full) && (end < c->end || hk_near(end, c->end));
    bool shortened = call->h < full && (!isfinite(c->end) || hk_near(end, c->end));
    if (!whole && !shortened)
        return violation(c, hk_arena_printf(c->arena, "%s: its step is %s long",
                                            hk_sound_call_text(c->arena, c->spec->system, call),
                                            number(c, full)));
    if (!whole)
        c->end = end;
    return true;
}

static bool check_step(hk_sound_checker *c, const hk_sound_call *call) {
    const char *wrong = NULL;
    if (isnan(c->expected))
        c->expected = call->t;
    if (!(call->h > 0))
        wrong = hk_arena_printf(c->arena, " by %s: a step is longer than 0", number(c, call->h));
    else if (!hk_near(call->t, c->expected))
        wrong = hk_arena_printf(c->arena, ": it is at %s", number(c, c->expected));
    else if (!c->multirate && c->h > 0 && !hk_near(c->h, call->h))
        wrong = hk_arena_printf(c->arena, ": others step by %s in this cycle", number(c, c->h));
    if (wrong)
        return violation(c, hk_arena_printf(c->arena, "%s%s",
                                            hk_sound_call_text(c->arena, c->spec->system, call),
                                            wrong));
    if (!check_length(c, call))
        return false;
    c->t = c->begins[call->instance] = call->t;
    c->h = call->h;
    return true;
}

/* A get belongs to the step before it, or to the cycle that comes. */
static bool check_port(hk_sound_checker *c, const hk_sound_call *call) {
    double begin = c->begins[call->instance];
    if (isnan(c->expected) && call->timed && call->op == HK_OP_SET)
        c->expected = call->t;
    bool in_time = !call->timed || hk_near(call->t, c->expected) ||
                   (call->op == HK_OP_GET && isfinite(begin) && hk_near(call->t, begin));
    if (!in_time)
        return violation(c, hk_arena_printf(c->arena, "%s at %s: it is %s",
                                            hk_sound_call_text(c->arena, c->spec->system, call),
                                            number(c, call->t), number(c, c->expected)));
    if (call->op == HK_OP_GET) {
        hk_trace_values_got(c->values, call, begin);
        return true;
    }
    const char *why =
        c->state.phase == HK_PHASE_SET ? hk_trace_values_set(c->values, call, c->expected) : NULL;
    return !why || violation(c, why);
}

/* ---- cycles ---- */

/* The calls of this cycle and of the one before it. */
static void remember(hk_sound_checker *c, const hk_sound_call *call) {
    HK_PUSH(c->recent, c->recent_count, c->recent_cap, *call);
    c->recent[c->recent_count - 1].many = NULL; /* lives as long as its line */
}

static void forget(hk_sound_checker *c) {
    size_t kept = c->recent_count - c->cycle_begin;
    memmove(c->recent, c->recent + c->cycle_begin, kept * sizeof *c->recent);
    c->recent_count = c->cycle_begin = kept;
}

static void next_cycle(hk_sound_checker *c) {
    if (c->multirate && c->base > 0)
        c->expected = c->start + (double)c->state.cycle * c->base;
    else
        c->expected = c->t + c->h;
    c->h = 0;
    c->cycle = c->state.cycle;
    c->cycles++;
    forget(c);
}

static uint64_t cycle_of(const hk_sound_checker *c, double t) {
    return (uint64_t)fmax(0, floor((t - c->start) / c->base + 0.5));
}

/* In the contract view. A cycle is all that begins at the same time. */
static bool follow_contract(hk_sound_checker *c, const hk_sound_call *call) {
    double before = hk_contract_run_time(c->contract);
    const char *why = hk_contract_run_take(c->contract, call);
    if (why)
        return violation(c, why);
    if (call->op != HK_OP_STEP)
        return true;
    if (!check_length(c, call))
        return false;
    double t = hk_contract_run_time(c->contract);
    if (t > before && !hk_near(t, before)) {
        c->expected = t;
        c->cycles++;
        c->cycle = c->base > 0 ? cycle_of(c, t) : c->cycles - 1;
        forget(c);
    }
    return true;
}

/* A trace that begins in the middle of a phase does not have all of it. */
static void leave_head(hk_sound_checker *c, const hk_sound_call *call) {
    hk_phase phase = c->state.phase;
    bool ends = c->head && hk_spec_item(c->spec, &c->state, call) == HK_MAP_NONE &&
                ((phase == HK_PHASE_GET && call->op != HK_OP_GET) ||
                 (phase == HK_PHASE_SET && call->op == HK_OP_STEP) ||
                 (phase == HK_PHASE_STEP && c->h > 0 && call->op != HK_OP_STEP));
    if (!ends)
        return;
    hk_spec_enter(c->spec, &c->state, phase == HK_PHASE_STEP ? HK_PHASE_GET : phase + 1,
                  c->state.cycle + (phase == HK_PHASE_STEP));
    if (phase == HK_PHASE_STEP)
        next_cycle(c);
    hk_trace_values_known_from(c->values, c->expected);
    c->head = false;
}

static bool follow_phases(hk_sound_checker *c, const hk_sound_call *call) {
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    leave_head(c, call);
    if (hk_spec_item(c->spec, &c->state, call) == HK_MAP_NONE)
        return violation(c, hk_spec_explain(c->arena, c->spec, &c->state, call));
    if (port ? !check_port(c, call) : call->op == HK_OP_STEP && !check_step(c, call))
        return false;
    hk_phase phase = c->state.phase;
    uint64_t cycle = c->state.cycle;
    hk_spec_take(c->spec, &c->state, call);
    c->in_phase = c->state.phase == phase && c->state.cycle == cycle;
    c->head = c->head && c->in_phase;
    if (c->state.cycle != cycle)
        next_cycle(c);
    return true;
}

/* ---- gaps ---- */

/* What is missing of the instant before; NULL: nothing. */
static const char *unfinished(const hk_sound_checker *c) {
    if (c->contract)
        return hk_contract_run_due(c->contract);
    return c->in_phase || (c->begun && c->state.phase == HK_PHASE_STEP)
               ? hk_spec_due_text(c->arena, c->spec, &c->state)
               : NULL;
}

/* The trace goes on at T in the middle of an instant? Then that is what is wrong. */
static void check_gap(hk_sound_checker *c, double t) {
    const char *due = c->outcome == HK_SOUND_OK && c->steps ? unfinished(c) : NULL;
    if (due)
        violation(c, hk_arena_printf(c->arena,
                                     "the trace leaves something out from here to t=%s, in the "
                                     "middle of an instant; still due: %s",
                                     number(c, t), due));
}

void hk_sound_checker_resume(hk_sound_checker *c, const hk_sound_call *call, double t,
                             bool stepped) {
    hk_phase phase = call->op == HK_OP_GET    ? HK_PHASE_GET
                     : call->op == HK_OP_STEP ? HK_PHASE_STEP
                                              : HK_PHASE_SET;
    check_gap(c, t);
    if (c->outcome != HK_SOUND_OK)
        return;
    bool later = t > c->start && !hk_near(t, c->start);
    uint64_t next = !c->contract ? c->state.cycle : c->steps ? c->cycle + 1 : 0;
    uint64_t cycle = c->base > 0 ? cycle_of(c, t) : next;
    bool read_on = phase == HK_PHASE_GET && stepped; /* reads what the cycle at T has made */
    c->gaps += later;
    c->missed += cycle > next ? cycle - next : 0;
    c->begun = true;
    hk_spec_enter(c->spec, &c->state, phase, cycle + read_on);
    c->t = t;
    c->expected = !read_on      ? t
                  : c->base > 0 ? c->start + (double)c->state.cycle * c->base
                                : (double)NAN; /* as the next call says */
    c->cycle = c->state.cycle;
    c->h = 0;
    c->in_phase = false;
    c->head = later && !c->steps;
    for (size_t i = 0; i < c->spec->system->instance_count; i++)
        c->begins[i] = stepped || later ? t : -(double)INFINITY;
    if (later || phase != HK_PHASE_GET)
        hk_trace_values_gap(c->values, t);
    if (c->contract && (later || phase != HK_PHASE_GET))
        hk_contract_run_resume(c->contract, t, read_on, !c->steps);
    if (c->contract && !c->steps) /* of this instant, too, something may be missing */
        hk_trace_values_known_from(c->values, nextafter(t + c->base / 2, (double)INFINITY));
}

/* ---- calls ---- */

static bool failed(hk_sound_checker *c, const hk_sound_call *call) {
    c->outcome = HK_SOUND_INCONCLUSIVE;
    c->why = hk_arena_printf(
        c->arena, "event %llu, %s, did not return OK: what follows is not specified",
        (unsigned long long)c->calls, hk_sound_call_text(c->arena, c->spec->system, call));
    return true;
}

/* A port is used against its direction: why; NULL: it is not. */
static const char *backwards(const hk_sound_checker *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->spec->system->ports[call->port];
    bool set = call->op == HK_OP_SET;
    /* Inputs that nobody drives are variables that a record may show. */
    bool looked_at = !set && c->spec->system->plan && port->source == HK_MAP_NONE;
    if (port->is_output != set || looked_at)
        return NULL;
    return hk_arena_printf(c->arena, "%s %s: it is an %s", set ? "set" : "get", port->name,
                           set ? "output" : "input");
}

static bool initialize(hk_sound_checker *c, const hk_sound_call *call) {
    if (c->begun)
        return violation(c, hk_arena_printf(c->arena, "%s in initialization mode, which is over",
                                            hk_sound_call_text(c->arena, c->spec->system, call)));
    c->initialized = true;
    if (call->timed && !hk_near(call->t, c->start))
        return violation(c, hk_arena_printf(c->arena, "%s at %s: initialization is at %s",
                                            hk_sound_call_text(c->arena, c->spec->system, call),
                                            number(c, call->t), number(c, c->start)));
    const char *why = hk_trace_init_take(c->init, call);
    return !why || violation(c, why);
}

/* Of a multi-model. Start values are the first phase; traces that do not have them pass it over,
 * unless all is to be there (RET_TAKEN: the call is one of them). */
static bool start_file(hk_sound_checker *c, const hk_sound_call *call, bool *ret_taken) {
    bool starting = c->state.phase == HK_PHASE_INIT && !c->begun;
    *ret_taken = starting && call->initial;
    if (call->initial && !starting)
        return violation(c, hk_arena_printf(c->arena, "%s is given its start value again or late",
                                            c->spec->system->initials[call->initial - 1].name));
    if (!starting)
        return true;
    if (!call->initial && !c->started && !c->strict) {
        c->unstarted = c->state.left;
        hk_spec_enter(c->spec, &c->state, HK_PHASE_GET, 0);
        return true;
    }
    c->started = true;
    if (hk_spec_item(c->spec, &c->state, call) == HK_MAP_NONE)
        return violation(c, hk_spec_explain(c->arena, c->spec, &c->state, call));
    const char *why = hk_trace_values_initial(c->values, call);
    if (why)
        return violation(c, why);
    hk_spec_take(c->spec, &c->state, call);
    return true;
}

/* The first call after initialization mode. */
static bool begin(hk_sound_checker *c) {
    c->begun = true;
    if (!c->initialized)
        return true;
    hk_spec_enter(c->spec, &c->state, HK_PHASE_GET, 0);
    const char *why = hk_trace_init_end(c->init);
    return !why || violation(c, why);
}

bool hk_sound_checker_call(hk_sound_checker *c, const hk_sound_call *call) {
    if (c->outcome != HK_SOUND_OK)
        return c->outcome == HK_SOUND_INCONCLUSIVE;
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    bool save = call->op == HK_OP_SAVE && !c->contract;
    const char *why = port ? backwards(c, call) : NULL;
    if (!why && (save || (!call->exchange && port && !hk_spec_knows(c->spec, call)))) {
        c->passed_over++;
        return true;
    }
    c->calls++;
    c->warnings += call->warned;
    remember(c, call);
    if (call->failed)
        return failed(c, call);
    bool taken = false;
    if (why)
        return violation(c, why);
    if (c->spec->system->of_file && (!start_file(c, call, &taken) || taken))
        return c->outcome == HK_SOUND_OK;
    if (call->exchange)
        return initialize(c, call);
    if (!c->begun && !begin(c))
        return false;
    c->steps += call->op == HK_OP_STEP;
    if (call->op == HK_OP_STEP)
        c->reached[call->instance] = call->t + call->h;
    return c->contract ? follow_contract(c, call) : follow_phases(c, call);
}

/* ---- the verdict ---- */

/* The instance that is not where the plan ends; HK_MAP_NONE: none. Activations that may be left out
 * may be the last ones. */
static uint32_t find_early(const hk_sound_checker *c) {
    const hk_plan *plan = c->spec->system->plan;
    for (uint32_t i = 0; plan && i < c->spec->system->instance_count; i++) {
        const hk_plan_component *p = &plan->components[i];
        double end = hk_tick_seconds(plan->end, plan->ticks_per_second);
        if (plan->start + p->offset < plan->end && !p->pattern && c->reached[i] < end &&
            !hk_near(c->reached[i], end))
            return i;
    }
    return HK_MAP_NONE;
}

/* Of a trace that leaves something out, the end may be missing, too. */
static void look_at_end(hk_sound_checker *c) {
    uint32_t i = find_early(c);
    if (i == HK_MAP_NONE)
        return;
    const hk_sound_system *system = c->spec->system;
    double end = hk_tick_seconds(system->plan->end, system->plan->ticks_per_second);
    double at = fmax(c->reached[i], c->start);
    if (c->gaps) {
        c->gaps++;
        c->missed += c->base > 0 ? cycle_of(c, end) - cycle_of(c, at) : 0;
        return;
    }
    c->outcome = HK_SOUND_INCOMPLETE;
    c->why = hk_arena_printf(c->arena, "ended at t=%s, where %s is; the run ends at %s",
                             number(c, at), system->instances[i].name, number(c, end));
}

static void conclude(hk_sound_checker *c) {
    if (c->outcome != HK_SOUND_OK)
        return;
    const char *due = c->contract   ? hk_contract_run_due(c->contract)
                      : c->in_phase ? hk_spec_due_text(c->arena, c->spec, &c->state)
                                    : NULL;
    if (due) {
        c->outcome = HK_SOUND_INCOMPLETE;
        c->why = c->contract ? hk_arena_printf(c->arena, "ended inside a cycle; still due: %s", due)
                             : hk_arena_printf(c->arena, "ended inside phase %s; still due: %s",
                                               hk_phase_name(c->state.phase), due);
    } else if (!c->steps) {
        c->outcome = HK_SOUND_INCONCLUSIVE;
        c->why = c->calls ? "there is no step in the trace" : "there are no calls in the trace";
    } else {
        look_at_end(c);
    }
}

hk_sound_verdict hk_sound_checker_end(hk_arena *arena, hk_sound_checker *c) {
    conclude(c);
    hk_sound_verdict verdict = {.holds =
                                    c->outcome == HK_SOUND_OK || c->outcome == HK_SOUND_INCOMPLETE,
                                .outcome = c->outcome,
                                .why = hk_arena_strdup(arena, c->why),
                                .calls = c->calls,
                                .cycles = c->cycles,
                                .gaps = c->gaps,
                                .missed = c->missed,
                                .uninitialized = !c->initialized,
                                .unstarted = hk_trace_init_unstarted(c->init) + c->unstarted,
                                .passed_over = c->passed_over,
                                .warnings = c->warnings};
    hk_trace_values_count(c->values, &verdict.values, &verdict.unvalued);
    if (!verdict.holds) {
        hk_sound_call *trace = HK_NEW_ARRAY(arena, hk_sound_call, c->recent_count);
        if (c->recent_count)
            memcpy(trace, c->recent, c->recent_count * sizeof *trace);
        verdict.trace = trace;
        verdict.trace_count = c->recent_count;
    }
    hk_free(c->recent);
    hk_trace_values_free(c->values);
    hk_arena_destroy(c->arena);
    return verdict;
}

const char *hk_sound_outcome_name(hk_sound_outcome outcome) {
    static const char *const names[] = {"OK", "VIOLATION", "INCOMPLETE", "INCONCLUSIVE"};
    return names[outcome];
}
