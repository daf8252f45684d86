/* SPDX-License-Identifier: MIT */
#include "plan/overrun.h"

#include "plan/plan_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More activations than that before anything repeats are not followed. */
enum { JOBS_MAX = 1000 * 1000 };

static uint32_t entry_of(const hk_pattern *p, int64_t k) {
    HK_ASSERT(k < p->count || p->repeat < p->count); /* it is not beyond */
    return k < p->count ? (uint32_t)k
                        : p->repeat + (uint32_t)((k - p->repeat) % (p->count - p->repeat));
}

/* Past the last entry of a pattern that does not repeat lies the end of the run. */
static bool is_beyond(const hk_pattern *p, int64_t k) {
    return k >= p->count && p->repeat == p->count;
}

hk_tick hk_pattern_late(const hk_pattern *p, hk_tick t) {
    HK_ASSERT(p && p->period > 0);
    int64_t k = (t - p->first) / p->period;
    return is_beyond(p, k) ? 0 : p->late[entry_of(p, k)];
}

hk_tick hk_pattern_next(const hk_pattern *p, hk_tick t) {
    HK_ASSERT(p && p->period > 0);
    int64_t k = (t - p->first) / p->period;
    while (!is_beyond(p, k) && p->late[entry_of(p, k)] == HK_SKIPPED)
        k++;
    return p->first + k * p->period;
}

static uint64_t executed_between(const hk_pattern *p, uint64_t from, uint64_t to) {
    uint64_t count = 0;
    for (uint64_t k = from; k < to; k++)
        count += p->late[k] != HK_SKIPPED;
    return count;
}

uint64_t hk_pattern_executed(const hk_pattern *p, uint64_t count) {
    HK_ASSERT(p);
    uint64_t cycle = p->count - p->repeat;
    if (count <= p->count || !cycle)
        return executed_between(p, 0, count < p->count ? count : p->count);
    uint64_t more = count - p->count;
    return executed_between(p, 0, p->count) +
           more / cycle * executed_between(p, p->repeat, p->count) +
           executed_between(p, p->repeat, p->repeat + more % cycle);
}

/* The number of the newest activation from K on back that is executed; below 0: none. */
static int64_t executed_by(const hk_pattern *p, int64_t k) {
    if (is_beyond(p, k))
        k = (int64_t)p->count - 1;
    while (k >= 0 && p->late[entry_of(p, k)] == HK_SKIPPED)
        k -= p->back[entry_of(p, k)];
    return k;
}

hk_tick hk_pattern_newest(const hk_pattern *p, hk_tick latest) {
    HK_ASSERT(p && p->period > 0);
    int64_t k = executed_by(p, hk_floor_div(latest - p->first, p->period));
    return k < 0 ? INT64_MIN : p->first + k * p->period;
}

/* At most two activations of a component are under way at a time, so few are looked at. */
hk_tick hk_pattern_seen(const hk_pattern *p, hk_tick latest) {
    HK_ASSERT(p && p->period > 0);
    int64_t k = executed_by(p, hk_floor_div(latest - p->first, p->period));
    while (k >= 0 && p->late[entry_of(p, k)] > latest - p->first - k * p->period)
        k = executed_by(p, k - 1);
    return k < 0 ? INT64_MIN : p->first + k * p->period;
}

/* A component with a cost, while its processor is followed. */
typedef struct task {
    uint32_t component, level, rank;
    hk_tick period, next; /* next activation */
    hk_tick cost, deadline;
    hk_overrun policy;
    hk_tick begun, ended; /* of its newest executed activation */
    hk_tick *late;
    size_t count, cap;
} task;

typedef struct processor {
    hk_ctx *ctx;
    hk_plan *plan;
    task *tasks; /* in the order in which they run at an instant */
    size_t count;
    hk_tick free;  /* when what was begun so far has ended */
    hk_tick hyper; /* HK_TICK_NEVER: does not fit */
    size_t jobs;
    /* What is at one hyperperiod, relative to it; compared with later ones. */
    hk_tick *state, *kept;
    uint32_t *kept_counts;
    bool repeats, stopped;
} processor;

static int compare_tasks(const void *a, const void *b) {
    const task *x = a;
    const task *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->component < y->component ? -1 : x->component > y->component;
}

/* The run ends where the first component that says so overruns. */
static void stop_run(processor *p, const task *x, hk_tick late) {
    hk_plan *plan = p->plan;
    hk_execution *e = &plan->executions[x->component];
    e->overruns = true;
    e->first = x->next;
    e->worst = late;
    e->late = 1;
    p->stopped = true;
    if (plan->stopper != HK_MAP_NONE &&
        (plan->end < x->next || (plan->end == x->next && plan->stopper < x->component)))
        return;
    plan->stopper = x->component;
    plan->end = x->next;
}

/* An activation, at x->next. All that came before it is known, so its end is, too. */
static void release(processor *p, task *x) {
    hk_tick t = x->next, begin = p->free > t ? p->free : t;
    bool dropped = x->count && ((x->policy == HK_OVERRUN_SKIP && x->ended > t) ||
                                (x->policy == HK_OVERRUN_LATE && x->begun > t));
    hk_tick late = HK_SKIPPED;
    if (!dropped) {
        late = begin + x->cost - t - x->deadline;
        late = late > 0 ? late : 0;
        if (late && x->policy == HK_OVERRUN_STOP) {
            stop_run(p, x, late);
            return;
        }
        x->begun = begin;
        p->free = x->ended = begin + x->cost;
    }
    HK_PUSH(x->late, x->count, x->cap, late);
    x->next = t + x->period;
    p->jobs++;
}

static hk_tick ahead(hk_tick tick, hk_tick now) {
    return tick > now ? tick - now : 0;
}

static void look_at_state(processor *p, hk_tick now) {
    p->state[0] = ahead(p->free, now);
    for (size_t i = 0; i < p->count; i++) {
        p->state[1 + 2 * i] = ahead(p->tasks[i].begun, now);
        p->state[2 + 2 * i] = ahead(p->tasks[i].ended, now);
    }
}

static void keep_state(processor *p) {
    memcpy(p->kept, p->state, (1 + 2 * p->count) * sizeof *p->kept);
    for (size_t i = 0; i < p->count; i++)
        p->kept_counts[i] = (uint32_t)p->tasks[i].count;
}

/* States are compared with one that is kept for 1, 2, 4 ... hyperperiods: a repeat is found after
 * a few times its length, with two states in memory. */
typedef struct repeats {
    hk_tick boundary; /* the end of the hyperperiod */
    uint64_t since, power;
} repeats;

/* At the end of a hyperperiod; true if everything repeats from here on. */
static bool is_repeat(processor *p, repeats *r) {
    look_at_state(p, r->boundary);
    p->repeats = memcmp(p->state, p->kept, (1 + 2 * p->count) * sizeof *p->kept) == 0;
    if (p->repeats)
        return true;
    if (++r->since == r->power) {
        keep_state(p);
        r->since = 0;
        r->power *= 2;
    }
    r->boundary = r->boundary > HK_TICK_LIMIT ? HK_TICK_NEVER : r->boundary + p->hyper;
    return false;
}

static hk_tick next_release(const processor *p) {
    hk_tick t = HK_TICK_NEVER;
    for (size_t i = 0; i < p->count; i++)
        t = p->tasks[i].next < t ? p->tasks[i].next : t;
    return t;
}

static hk_status follow(processor *p) {
    const hk_plan *plan = p->plan;
    repeats r = {.boundary = p->hyper == HK_TICK_NEVER ? HK_TICK_NEVER : plan->start + p->hyper,
                 .power = 1};
    const char *first = plan->model->components[p->tasks[0].component].name;
    keep_state(p);
    for (;;) {
        hk_tick t = next_release(p);
        if (t >= plan->stop || (t >= r.boundary && is_repeat(p, &r)))
            return HK_OK;
        for (size_t i = 0; i < p->count && !p->stopped; i++)
            if (p->tasks[i].next == t)
                release(p, &p->tasks[i]);
        if (p->stopped)
            return HK_OK;
        if (p->jobs > JOBS_MAX)
            return hk_error(p->ctx, HK_E_TIME, (hk_where){.element = first},
                            "use periods with a larger common divisor, or a shorter run",
                            "execution times do not repeat within %d activations of the processor "
                            "of '%s'",
                            JOBS_MAX, first);
    }
}

static void fill_back(hk_pattern *p, uint32_t begin, uint32_t end) {
    uint32_t run = 0;
    for (uint32_t i = begin; i < end; i++) {
        run = p->late[i] == HK_SKIPPED ? run + 1 : 0;
        p->back[i] = run;
    }
}

/* Over the entries and one more repeat, since that may be entered from two sides. */
static hk_tick find_reach(const hk_pattern *p) {
    hk_tick reach = p->period, before = p->first;
    int64_t end = (int64_t)p->count + (p->count - p->repeat);
    for (int64_t k = 0; k < end; k++) {
        hk_tick t = p->first + k * p->period, late = p->late[entry_of(p, k)];
        if (late == HK_SKIPPED)
            continue;
        reach = t + late - before > reach ? t + late - before : reach;
        before = t;
    }
    return reach;
}

static void tell(hk_execution *e, const processor *p, const task *x, uint32_t repeat) {
    hk_tick first = x->next - (hk_tick)x->count * x->period;
    for (size_t k = 0; k < x->count; k++) {
        hk_tick late = x->late[k];
        if (late == 0)
            continue;
        if (!e->overruns)
            e->first = first + (hk_tick)k * x->period;
        e->overruns = true;
        e->worst = late > e->worst ? late : e->worst;
        if (!p->repeats || k >= repeat)
            *(late == HK_SKIPPED ? &e->skipped : &e->late) += 1;
    }
    if (p->repeats)
        e->repeat = (hk_tick)(x->count - repeat) * x->period;
}

/* Steps of an FMU follow each other without a gap: one after a skipped activation is longer. */
static hk_status check_gaps(const processor *p, const task *x, hk_pattern *pattern) {
    const hk_component *c = &p->plan->model->components[x->component];
    bool skips = false;
    for (size_t k = 0; k < x->count; k++)
        skips = skips || x->late[k] == HK_SKIPPED;
    pattern->bridged = skips && c->info->can.gapless;
    if (!pattern->bridged || c->info->can.variable_step)
        return HK_OK;
    hk_where where = c->where;
    if (!where.element)
        where.element = c->name;
    return hk_error(p->ctx, HK_E_OVERRUN, where, "give it enough time, or the policy 'stop'",
                    "activations of '%s' are skipped, but it cannot make a longer step after them",
                    c->name);
}

static hk_status take_pattern(const processor *p, size_t index) {
    hk_plan *plan = p->plan;
    const task *x = &p->tasks[index];
    hk_execution *e = &plan->executions[x->component];
    uint32_t repeat = p->repeats ? p->kept_counts[index] : (uint32_t)x->count;
    bool stops = e->overruns; /* has been reported */
    if (!stops)
        tell(e, p, x, repeat);
    if (stops || !e->overruns)
        return HK_OK;
    hk_pattern *pattern = HK_NEW(plan->arena, hk_pattern);
    *pattern = (hk_pattern){.late = HK_NEW_ARRAY(plan->arena, hk_tick, x->count),
                            .back = HK_NEW_ARRAY(plan->arena, uint32_t, x->count),
                            .repeat = repeat,
                            .count = (uint32_t)x->count,
                            .first = x->next - (hk_tick)x->count * x->period,
                            .period = x->period};
    memcpy(pattern->late, x->late, x->count * sizeof *x->late);
    fill_back(pattern, 0, repeat);
    fill_back(pattern, repeat, pattern->count);
    pattern->reach = find_reach(pattern);
    plan->components[x->component].pattern = pattern;
    return check_gaps(p, x, pattern);
}

static hk_tick hyperperiod_of(const processor *p) {
    hk_tick h = 1;
    for (size_t i = 0; i < p->count; i++) {
        hk_tick factor = p->tasks[i].period / hk_gcd(h, p->tasks[i].period);
        if (factor > HK_TICK_LIMIT / h)
            return HK_TICK_NEVER;
        h *= factor;
    }
    return h;
}

static task task_of(const hk_plan *plan, uint32_t component) {
    const hk_component *c = &plan->model->components[component];
    const hk_plan_component *pc = &plan->components[component];
    const hk_execution *e = &plan->executions[component];
    return (task){.component = component,
                  .level = pc->level,
                  .rank = c->processor == HK_MAP_NONE ? component : c->rank,
                  .period = pc->period,
                  .next = plan->start + pc->offset,
                  .cost = e->cost,
                  .deadline = e->deadline,
                  .policy = c->overrun,
                  .begun = plan->start,
                  .ended = plan->start};
}

static hk_status follow_processor(hk_ctx *ctx, hk_plan *plan, uint32_t number) {
    size_t n = plan->model->component_count;
    processor p = {.ctx = ctx, .plan = plan, .free = plan->start};
    p.tasks = hk_alloc(n * sizeof *p.tasks);
    for (uint32_t c = 0; c < n; c++)
        if (plan->executions[c].costed && plan->model->components[c].processor == number)
            p.tasks[p.count++] = task_of(plan, c);
    qsort(p.tasks, p.count, sizeof *p.tasks, compare_tasks);
    p.hyper = hyperperiod_of(&p);
    p.state = hk_alloc((1 + 2 * p.count) * sizeof *p.state);
    p.kept = hk_alloc((1 + 2 * p.count) * sizeof *p.kept);
    p.kept_counts = hk_alloc(p.count * sizeof *p.kept_counts);
    hk_status status = p.count ? follow(&p) : HK_OK;
    for (size_t i = 0; i < p.count; i++) {
        if (status == HK_OK)
            status = take_pattern(&p, i);
        hk_free(p.tasks[i].late);
    }
    hk_free(p.kept_counts);
    hk_free(p.kept);
    hk_free(p.state);
    hk_free(p.tasks);
    return status;
}

hk_status hk_plan_overruns(hk_ctx *ctx, hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    if (!plan->executions)
        return HK_OK;
    /* What waits for a processor is at most twice the sum of all costs. */
    hk_tick sum = 0;
    for (size_t c = 0; c < plan->model->component_count; c++) {
        const hk_component *component = &plan->model->components[c];
        if (plan->executions[c].cost > HK_TICK_LIMIT / 8 - sum)
            return hk_error(ctx, HK_E_TICK_OVERFLOW, (hk_where){.element = component->name},
                            "declare shorter costs", "the sum of all costs does not fit the ticks");
        sum += plan->executions[c].cost;
    }
    for (uint32_t i = 0; i < plan->model->processor_count; i++)
        HK_TRY(follow_processor(ctx, plan, i));
    return follow_processor(ctx, plan, HK_MAP_NONE);
}

hk_status hk_plan_check_overruns(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    if (plan->stopper == HK_MAP_NONE)
        return HK_OK;
    const hk_component *c = &plan->model->components[plan->stopper];
    const hk_execution *e = &plan->executions[plan->stopper];
    char text[4][48];
    const hk_tick times[] = {plan->end, e->cost, e->deadline, e->worst};
    for (int i = 0; i < 4; i++) {
        hk_ratio seconds = {0, 1};
        HK_ASSERT(hk_ratio_make(times[i], plan->ticks_per_second, &seconds));
        hk_ratio_format(seconds, text[i]);
    }
    hk_where where = c->where;
    if (!where.element)
        where.element = c->name;
    return hk_error(ctx, HK_E_OVERRUN, where,
                    "give it more time or another processor, or say 'overrun late' or 'overrun "
                    "skip' in the schedule",
                    "the activation of '%s' at t = %s s, which costs %s s, ends %s s after its "
                    "deadline of %s s; the run stops there",
                    c->name, text[0], text[1], text[3], text[2]);
}

static bool is_on(const hk_plan *plan, size_t component, uint32_t number) {
    return plan->executions[component].costed &&
           plan->model->components[component].processor == number;
}

static double load_of(const hk_plan *plan, size_t component) {
    return (double)plan->executions[component].cost / (double)plan->components[component].period;
}

double hk_plan_load(const hk_plan *plan, uint32_t number) {
    HK_ASSERT(plan);
    double load = 0;
    for (size_t c = 0; c < plan->model->component_count && plan->executions; c++)
        load += is_on(plan, c, number) ? load_of(plan, c) : 0;
    return load;
}

/* "160 %", "103.4 %": to a tenth, upwards, so that what is above 100 looks so. */
static const char *percent(hk_arena *arena, double load) {
    long long tenths = (long long)ceil(1000 * load - 1e-6);
    return tenths % 10 ? hk_arena_printf(arena, "%lld.%lld %%", tenths / 10, tenths % 10)
                       : hk_arena_printf(arena, "%lld %%", tenths / 10);
}

static void warn_load(hk_ctx *ctx, const hk_plan *plan, uint32_t number) {
    double load = hk_plan_load(plan, number);
    if (!(load > 1 + 1e-9)) /* a sum of rounded numbers that is 1 */
        return;
    hk_arena *arena = hk_arena_create();
    const hk_model *model = plan->model;
    const char *list = "";
    hk_where where = HK_NOWHERE;
    for (size_t c = 0; c < model->component_count; c++) {
        if (!is_on(plan, c, number))
            continue;
        list = hk_arena_printf(arena, "%s%s'%s' %s", list, *list ? ", " : "",
                               model->components[c].name, percent(arena, load_of(plan, c)));
        where = where.file ? where : model->components[c].where;
    }
    where.element = NULL; /* it is about all of them */
    const char *name = number == HK_MAP_NONE ? "the processor"
                                             : hk_arena_printf(arena, "processor '%s'",
                                                               model->processors[number].name);
    hk_warn(ctx, HK_E_OVERRUN, where,
            "spread the components over more processors, or let them run "
            "less often",
            "%s has a load of %s and never catches up: %s", name, percent(arena, load), list);
    hk_arena_destroy(arena);
}

void hk_plan_warn_load(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    for (uint32_t i = 0; plan->executions && i < plan->model->processor_count; i++)
        warn_load(ctx, plan, i);
    if (plan->executions)
        warn_load(ctx, plan, HK_MAP_NONE);
}

/* Where who is bound decides about the order, there are no execution times: one order is all. */
void hk_plan_warn_late_services(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    for (uint32_t i = 0; plan->executions && i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        const hk_component *provider = &plan->model->components[d->from];
        if (!plan->executions[d->from].late)
            continue;
        hk_warn(ctx, HK_E_SCHEDULE, provider->where, "data that is to be late goes over links",
                "activations of '%s' are late, but '%s', which calls it, sees what they do at "
                "once: calls know no lateness",
                provider->name, plan->model->components[d->to].name);
        return;
    }
}
