/* SPDX-License-Identifier: MIT
 *
 * A run, call by call, against the specification and its time layer: in one phase all steps begin
 * at the same time and are equally long, and the next begin where they ended. */
#include "sound/spec.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

struct hk_sound_checker {
    hk_arena *arena;
    const hk_spec *spec;
    hk_spec_state state;
    hk_contract_run *contract; /* NULL: by phases */
    bool multirate;
    double start, base; /* base: of a cycle; 0: not known yet */
    double t, h;        /* of the steps of this cycle; h 0: none yet */
    double expected;    /* time of the next cycle */
    double end;         /* steps were shortened to end here; infinity: none */
    double *values;     /* per output: got last */
    bool *has_value;
    hk_sound_call *recent; /* since the cycle before this one began */
    size_t recent_count, recent_cap, cycle_begin;
    uint64_t calls, cycle, passed_over;
    bool in_phase; /* something of this phase has come */
    hk_sound_outcome outcome;
    const char *why;
};

hk_sound_checker *hk_sound_checker_create(const hk_sound_system *system, hk_sound_view view,
                                          double start_time) {
    hk_arena *arena = hk_arena_create();
    hk_sound_checker *c = HK_NEW(arena, hk_sound_checker);
    *c = (hk_sound_checker){.arena = arena,
                            .spec = hk_spec_make(arena, system, view, true),
                            .start = start_time,
                            .expected = start_time,
                            .base = system->cycle,
                            .end = (double)INFINITY,
                            .values = HK_NEW_ARRAY(arena, double, system->port_count),
                            .has_value = HK_NEW_ARRAY(arena, bool, system->port_count)};
    c->state = hk_spec_start(arena, c->spec);
    if (view == HK_VIEW_CONTRACT)
        c->contract = hk_contract_run_make(arena, c->spec, start_time);
    for (size_t i = 0; i < system->instance_count; i++)
        c->multirate =
            c->multirate || system->instances[i].rate > 1 || system->instances[i].first > 0;
    return c;
}

static const char *number(hk_sound_checker *c, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_strdup(c->arena, text);
}

static bool violation(hk_sound_checker *c, const char *what) {
    c->outcome = HK_SOUND_VIOLATION;
    c->why = hk_arena_printf(c->arena, "trace violation at event %llu (cycle %llu, t=%s): %s",
                             (unsigned long long)c->calls, (unsigned long long)c->cycle,
                             number(c, c->expected), what);
    return false;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A last step may be shorter; then nothing goes beyond its end. */
static bool check_length(hk_sound_checker *c, const hk_sound_call *call) {
    int64_t rate = c->spec->system->instances[call->instance].rate;
    double n = (double)(rate > 1 ? rate : 1);
    const char *text = hk_sound_call_text(c->arena, c->spec->system, call);
    if (!c->multirate) {
        if (c->h > 0 && !near(c->h, call->h))
            return violation(c, hk_arena_printf(c->arena, "%s: others step by %s in this cycle",
                                                text, number(c, c->h)));
        return true;
    }
    if (c->base <= 0)
        c->base = call->h / n;
    double full = n * c->base, end = call->t + call->h;
    bool whole = near(call->h, full) && (end < c->end || near(end, c->end));
    bool shortened = call->h < full && (!isfinite(c->end) || near(end, c->end));
    if (!whole && !shortened)
        return violation(
            c, hk_arena_printf(c->arena, "%s: its step is %s long", text, number(c, full)));
    if (!whole)
        c->end = end;
    return true;
}

static bool check_time(hk_sound_checker *c, const hk_sound_call *call) {
    const char *text = hk_sound_call_text(c->arena, c->spec->system, call);
    if (!(call->h > 0))
        return violation(c, hk_arena_printf(c->arena, "%s by %s: a step is longer than 0", text,
                                            number(c, call->h)));
    if (!near(call->t, c->expected))
        return violation(
            c, hk_arena_printf(c->arena, "%s: it is at %s", text, number(c, c->expected)));
    if (!check_length(c, call))
        return false;
    c->t = call->t;
    c->h = call->h;
    return true;
}

static bool check_value(hk_sound_checker *c, const hk_sound_call *call) {
    const hk_sound_port *port = &c->spec->system->ports[call->port];
    if (!call->has_value)
        return true;
    if (port->is_output) {
        c->values[call->port] = call->value;
        c->has_value[call->port] = true;
        return true;
    }
    if (c->state.phase != HK_PHASE_SET || port->converted || port->source == HK_MAP_NONE ||
        !c->has_value[port->source] ||
        memcmp(&c->values[port->source], &call->value, sizeof call->value) == 0)
        return true;
    return violation(c, hk_arena_printf(c->arena, "set %s to %s; %s gave %s", port->name,
                                        number(c, call->value),
                                        c->spec->system->ports[port->source].name,
                                        number(c, c->values[port->source])));
}

/* The calls of this cycle and of the one before it. */
static void remember(hk_sound_checker *c, const hk_sound_call *call) {
    HK_PUSH(c->recent, c->recent_count, c->recent_cap, *call);
}

static void forget(hk_sound_checker *c) {
    size_t kept = c->recent_count - c->cycle_begin;
    memmove(c->recent, c->recent + c->cycle_begin, kept * sizeof *c->recent);
    c->recent_count = c->cycle_begin = kept;
}

static void next_cycle(hk_sound_checker *c) {
    if (c->multirate)
        c->expected = c->start + (double)c->state.cycle * c->base;
    else
        c->expected = c->t + c->h;
    c->h = 0;
    c->cycle = c->state.cycle;
    forget(c);
}

/* In the contract view. */
static bool follow_contract(hk_sound_checker *c, const hk_sound_call *call) {
    const char *why = hk_contract_run_take(c->contract, call);
    double t = hk_contract_run_time(c->contract);
    if (why)
        return violation(c, why);
    if (call->op == HK_OP_STEP && t > c->expected) {
        c->expected = t;
        c->cycle++;
        forget(c);
    }
    return true;
}

void hk_sound_checker_resume(hk_sound_checker *c, const hk_sound_call *call, double t) {
    hk_phase phase = call->op == HK_OP_GET    ? HK_PHASE_GET
                     : call->op == HK_OP_STEP ? HK_PHASE_STEP
                                              : HK_PHASE_SET;
    uint64_t cycle = c->state.cycle;
    if (c->base > 0)
        cycle = (uint64_t)fmax(0, floor((t - c->start) / c->base + 0.5));
    /* Gets are those after the steps of the cycle that began at T. */
    hk_spec_enter(c->spec, &c->state, phase, cycle + (phase == HK_PHASE_GET && c->calls));
    c->expected = c->t = t;
    c->cycle = c->state.cycle;
    c->h = 0;
    c->in_phase = false;
    memset(c->has_value, 0, c->spec->system->port_count);
    if (c->contract)
        hk_contract_run_resume(c->contract, t);
}

bool hk_sound_checker_call(hk_sound_checker *c, const hk_sound_call *call) {
    if (c->outcome != HK_SOUND_OK)
        return c->outcome == HK_SOUND_INCONCLUSIVE;
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    if (call->exchange || call->op == HK_OP_SAVE || (port && !hk_spec_knows(c->spec, call))) {
        c->passed_over++;
        return true;
    }
    c->calls++;
    remember(c, call);
    if (call->failed) {
        c->outcome = HK_SOUND_INCONCLUSIVE;
        c->why = hk_arena_printf(
            c->arena, "event %llu, %s, did not return OK: what follows is not specified",
            (unsigned long long)c->calls, hk_sound_call_text(c->arena, c->spec->system, call));
        return true;
    }
    if (c->contract)
        return follow_contract(c, call);
    if (hk_spec_item(c->spec, &c->state, call) == HK_MAP_NONE)
        return violation(c, hk_spec_explain(c->arena, c->spec, &c->state, call));
    if (port ? !check_value(c, call) : call->op == HK_OP_STEP && !check_time(c, call))
        return false;
    hk_phase phase = c->state.phase;
    uint64_t cycle = c->state.cycle;
    hk_spec_take(c->spec, &c->state, call);
    c->in_phase = c->state.phase == phase && c->state.cycle == cycle;
    if (c->state.cycle != cycle)
        next_cycle(c);
    return true;
}

hk_sound_verdict hk_sound_checker_end(hk_arena *arena, hk_sound_checker *c) {
    if (c->outcome == HK_SOUND_OK && c->in_phase) {
        c->outcome = HK_SOUND_INCOMPLETE;
        c->why = hk_arena_printf(c->arena, "ended inside phase %s; still due: %s",
                                 hk_phase_name(c->state.phase),
                                 hk_spec_due_text(c->arena, c->spec, &c->state));
    }
    hk_sound_verdict verdict = {.holds =
                                    c->outcome == HK_SOUND_OK || c->outcome == HK_SOUND_INCOMPLETE,
                                .outcome = c->outcome,
                                .why = hk_arena_strdup(arena, c->why),
                                .calls = c->calls,
                                .cycles = c->cycle};
    if (!verdict.holds) {
        hk_sound_call *trace = HK_NEW_ARRAY(arena, hk_sound_call, c->recent_count);
        if (c->recent_count)
            memcpy(trace, c->recent, c->recent_count * sizeof *trace);
        verdict.trace = trace;
        verdict.trace_count = c->recent_count;
    }
    hk_free(c->recent);
    hk_arena_destroy(c->arena);
    return verdict;
}

const char *hk_sound_outcome_name(hk_sound_outcome outcome) {
    static const char *const names[] = {"OK", "VIOLATION", "INCOMPLETE", "INCONCLUSIVE"};
    return names[outcome];
}
