/* SPDX-License-Identifier: MIT
 *
 * From exact seconds to ticks. The tick is 1/N s, N the least common multiple of all denominators
 * in the model, so that every time in it is a whole number. */
#include "base/seconds.h"
#include "plan/overrun.h"
#include "plan/plan_internal.h"

#include <math.h>
#include <stdio.h>

__extension__ typedef __int128 i128;

/* The common grid while it is found, and what has made it fine. */
typedef struct grid {
    int64_t n;
    int64_t jump; /* the largest factor by which one time has refined it */
    hk_ratio finest;
    hk_where where;
    const char *what;
} grid;

enum { HINT_MAX = 160 };

/* A decimal in place of a fraction is what makes most grids too fine. */
static const char *fraction_hint(char *buffer, hk_ratio time, const char *otherwise) {
    hk_ratio simpler;
    char text[48], short_text[48];
    if (!hk_seconds_simpler(time, &simpler))
        return otherwise;
    snprintf(buffer, HINT_MAX, "write %s in place of %s", hk_ratio_format(simpler, short_text),
             hk_ratio_format(time, text));
    return buffer;
}

static hk_status refine(hk_ctx *ctx, grid *g, hk_ratio r, hk_where where, const char *what) {
    int64_t before = g->n;
    char text[48], hint[HINT_MAX], other[HINT_MAX];
    if (!hk_tick_refine(&g->n, r))
        return hk_error(
            ctx, HK_E_TICK_OVERFLOW, where,
            fraction_hint(
                hint, r,
                fraction_hint(other, g->finest,
                              "use periods, offsets and delays with a larger common divisor")),
            "the %s %s s makes the common time grid finer than 64-bit ticks can hold", what,
            hk_ratio_format(r, text));
    if (g->n / before > g->jump)
        *g = (grid){g->n, g->n / before, r, where, what};
    return HK_OK;
}

static hk_status to_ticks(hk_ctx *ctx, const hk_plan *plan, const grid *g, hk_ratio r,
                          const char *what, hk_tick *ret_tick) {
    if (hk_tick_from_ratio(r, plan->ticks_per_second, ret_tick))
        return HK_OK;
    char text[48], fine[48], hint[HINT_MAX];
    return hk_error(ctx, HK_E_TICK_OVERFLOW, g->where,
                    fraction_hint(hint, g->finest, "shorten the run or use a coarser time here"),
                    "the %s %s s does not fit 64-bit ticks of 1/%lld s, which the %s %s s asks for",
                    what, hk_ratio_format(r, text), (long long)plan->ticks_per_second, g->what,
                    hk_ratio_format(g->finest, fine));
}

static hk_where where_component(const hk_component *c) {
    hk_where where = c->where;
    if (!where.element)
        where.element = c->name;
    return where;
}

static hk_ratio period_of(const hk_model *model, const hk_component *c) {
    return c->has_period ? c->period : model->experiment.step;
}

static hk_status find_tick(hk_ctx *ctx, hk_plan *plan, grid *g) {
    const hk_model *model = plan->model;
    const hk_experiment *x = &model->experiment;
    *g = (grid){.n = 1, .what = "step size", .finest = x->step};
    HK_TRY(refine(ctx, g, x->start, HK_NOWHERE, "start time"));
    HK_TRY(refine(ctx, g, x->stop, HK_NOWHERE, "stop time"));
    HK_TRY(refine(ctx, g, x->step, HK_NOWHERE, "step size"));
    HK_TRY(refine(ctx, g, x->output_interval, HK_NOWHERE, "output interval"));
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        HK_TRY(refine(ctx, g, period_of(model, c), where_component(c), "period"));
        HK_TRY(refine(ctx, g, c->offset, where_component(c), "offset"));
        if (c->has_cost)
            HK_TRY(refine(ctx, g, c->cost, where_component(c), "cost"));
        if (c->has_deadline)
            HK_TRY(refine(ctx, g, c->deadline, where_component(c), "deadline"));
    }
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (k->delay.num != 0)
            HK_TRY(refine(ctx, g, k->delay, hk_connection_where(model, k), "delay"));
    }
    plan->ticks_per_second = g->n;
    return HK_OK;
}

/* A time shorter than the doubles of the run can tell makes the clock of a component stand still,
 * and rows that look the same. */
static hk_status check_tellable(hk_ctx *ctx, const hk_plan *plan, hk_tick duration, hk_where where,
                                const char *what) {
    int64_t n = plan->ticks_per_second;
    double start = fabs(hk_tick_seconds(plan->start, n)),
           stop = fabs(hk_tick_seconds(plan->stop, n));
    double latest = start > stop ? start : stop;
    hk_ratio shown, end;
    char text[48], end_text[48];
    if (hk_seconds_tellable(hk_tick_seconds(duration, n), latest) ||
        !hk_ratio_make(duration, n, &shown) ||
        !hk_ratio_make(start > stop ? plan->start : plan->stop, n, &end))
        return HK_OK;
    return hk_error(ctx, HK_E_TIME, where, "use a longer one",
                    "the %s %s s is too short: at %s s the time is a double that cannot tell it",
                    what, hk_ratio_format(shown, text), hk_ratio_format(end, end_text));
}

static hk_ratio row_interval_of(const hk_experiment *x) {
    return x->output_interval.num ? x->output_interval : x->step;
}

hk_tick hk_plan_row_interval(const hk_plan *plan) {
    HK_ASSERT(plan);
    hk_tick interval = 0;
    bool fits = hk_tick_from_ratio(row_interval_of(&plan->model->experiment),
                                   plan->ticks_per_second, &interval);
    HK_ASSERT(fits && interval > 0); /* the plan was made for it */
    return interval;
}

static hk_status experiment_ticks(hk_ctx *ctx, hk_plan *plan, const grid *g) {
    const hk_experiment *x = &plan->model->experiment;
    HK_TRY(to_ticks(ctx, plan, g, x->start, "start time", &plan->start));
    HK_TRY(to_ticks(ctx, plan, g, x->stop, "stop time", &plan->stop));
    plan->end = plan->stop;
    plan->stopper = HK_MAP_NONE;
    char start[48], stop[48];
    if (plan->stop <= plan->start)
        return hk_error(ctx, HK_E_TIME, HK_NOWHERE, "set --stop-time to a later time",
                        "the stop time %s s is not after the start time %s s",
                        hk_ratio_format(x->stop, stop), hk_ratio_format(x->start, start));
    if (x->step.num <= 0)
        return hk_error(ctx, HK_E_TIME, HK_NOWHERE, "set --step-size to a positive time",
                        "the step size %s s is not positive", hk_ratio_format(x->step, start));
    if (x->output_interval.num < 0)
        return hk_error(ctx, HK_E_TIME, HK_NOWHERE, NULL, "the output interval %s s is negative",
                        hk_ratio_format(x->output_interval, start));
    hk_tick rows;
    HK_TRY(to_ticks(ctx, plan, g, row_interval_of(x), "output interval", &rows));
    return check_tellable(ctx, plan, rows, HK_NOWHERE,
                          x->output_interval.num ? "output interval" : "step size");
}

/* A step that would cross the stop time is shortened if the component allows it. */
static hk_status check_horizon(hk_ctx *ctx, const hk_plan *plan, const hk_component *c,
                               const hk_plan_component *p) {
    hk_tick span = plan->stop - plan->start - p->offset;
    if (span <= 0 || span % p->period == 0 || c->info->can.variable_step)
        return HK_OK;
    hk_ratio fits;
    char stop[48], period[48], better[48];
    hk_tick steps = span / p->period;
    hk_tick end = plan->start + p->offset + (steps ? steps : 1) * p->period;
    hk_ratio step = period_of(plan->model, c), simpler;
    char hint_text[HINT_MAX];
    const char *hint = NULL;
    if (hk_ratio_make(end, plan->ticks_per_second, &fits)) {
        snprintf(hint_text, sizeof hint_text, "use --stop-time %s", hk_ratio_format(fits, better));
        hint = hint_text;
    }
    if (hk_seconds_simpler(step, &simpler) &&
        (i128)span * simpler.den % ((i128)plan->ticks_per_second * simpler.num) == 0)
        hint = fraction_hint(hint_text, step, hint_text);
    return hk_error(ctx, HK_E_TIME, where_component(c), hint,
                    "component '%s' steps by %s s and cannot shorten its last step, but the stop "
                    "time %s s is not a whole number of steps",
                    c->name, hk_ratio_format(step, period),
                    hk_ratio_format(plan->model->experiment.stop, stop));
}

static hk_status component_ticks(hk_ctx *ctx, hk_plan *plan, const grid *g, size_t index) {
    const hk_component *c = &plan->model->components[index];
    hk_plan_component *p = &plan->components[index];
    hk_where where = where_component(c);
    hk_ratio period = period_of(plan->model, c);
    char text[48], other[48];
    HK_TRY(to_ticks(ctx, plan, g, period, "period", &p->period));
    HK_TRY(to_ticks(ctx, plan, g, c->offset, "offset", &p->offset));
    if (p->period <= 0)
        return hk_error(ctx, HK_E_TIME, where, NULL, "the period %s s is not positive",
                        hk_ratio_format(period, text));
    if (p->offset < 0 || p->offset >= p->period)
        return hk_error(ctx, HK_E_TIME, where, "an offset lies between 0 and the period",
                        "the offset %s s is outside [0, %s s)", hk_ratio_format(c->offset, text),
                        hk_ratio_format(period, other));
    HK_TRY(check_tellable(ctx, plan, p->period, where, "period"));
    return check_horizon(ctx, plan, c, p);
}

static hk_status execution_ticks(hk_ctx *ctx, hk_plan *plan, const grid *g, size_t index) {
    const hk_component *c = &plan->model->components[index];
    hk_where where = where_component(c);
    if (!c->has_cost && (c->has_deadline || c->has_overrun))
        return hk_error(ctx, HK_E_SCHEDULE, where, "say what an activation takes: cost 1ms",
                        "component '%s' has %s, but no cost", c->name,
                        c->has_deadline ? "a deadline" : "a policy for overruns");
    if (!c->has_cost)
        return HK_OK;
    if (!plan->executions)
        plan->executions = HK_NEW_ARRAY(plan->arena, hk_execution, plan->model->component_count);
    hk_execution *e = &plan->executions[index];
    e->costed = true;
    e->deadline = plan->components[index].period;
    HK_TRY(to_ticks(ctx, plan, g, c->cost, "cost", &e->cost));
    if (c->has_deadline)
        HK_TRY(to_ticks(ctx, plan, g, c->deadline, "deadline", &e->deadline));
    char text[48];
    if (e->cost <= 0 || e->deadline <= 0)
        return hk_error(ctx, HK_E_TIME, where, NULL, "the %s %s s is not positive",
                        e->cost <= 0 ? "cost" : "deadline",
                        hk_ratio_format(e->cost <= 0 ? c->cost : c->deadline, text));
    return HK_OK;
}

hk_status hk_plan_timebase(hk_ctx *ctx, hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    const hk_model *model = plan->model;
    grid g;
    HK_TRY(find_tick(ctx, plan, &g));
    HK_TRY(experiment_ticks(ctx, plan, &g));
    for (size_t i = 0; i < model->component_count; i++)
        HK_TRY(component_ticks(ctx, plan, &g, i));
    for (size_t i = 0; i < model->component_count; i++)
        HK_TRY(execution_ticks(ctx, plan, &g, i));
    return HK_OK;
}
