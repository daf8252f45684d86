/* SPDX-License-Identifier: MIT
 *
 * The monitor: whether the engine does what the plan says.
 *
 * Before the run, and whenever something has changed, it finds out from model and plan what each
 * cell must set, step and get, and proves that the calls that were prepared are exactly that: each
 * variable once, with the right memory, and a step between the sets and the gets of every instance.
 * Each call stands for a number, made of the arguments it is made with. In the loop these are added
 * up, and at the end of each list of calls the sum must be the one found here; sums go on from list
 * to list and from cell to cell of a rate, so that the order is part of them. Times are compared
 * with a clock of the monitor's own, which knows the plan and nothing of the loop. */
#include "engine/monitor_internal.h"

#include "engine/bind_stages.h"
#include "engine/fused_cells.h"
#include "engine/idle.h"
#include "engine/remains.h"
#include "engine/score.h"
#include "engine/tokens.h"

#include <math.h>
#include <string.h>

/* A wrong loop may make more calls than there are; the first ones tell enough. */
void hk_monitor_lane(hk_sim *sim, hk_lane *l) {
    HK_ASSERT(sim && l);
    l->made_cap = sim->safety.monitored
                      ? 2 * (sim->loop.web.all.n.exchange + sim->loop.web.all.n.stepping)
                      : 0;
    l->made = HK_NEW_ARRAY(sim->arena, hk_made_call, l->made_cap + 1);
    l->ports = HK_NEW_ARRAY(sim->arena, uint32_t, sim->trace ? sim->slots.port_count + 1 : 1);
}

void hk_monitor_create(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_monitor_state *m = sim->monitor;
    size_t n = sim->model->component_count;
    sim->time.ticks_each_second = (double)sim->time.ticks_per_second;
    m->rates = HK_NEW_ARRAY(sim->arena, hk_rate_watch, sim->loop.rate_count);
    m->owner = HK_NEW_ARRAY(sim->arena, uint32_t, n);
    m->seen = HK_NEW_ARRAY(sim->arena, hk_component_calls, n);
    hk_monitor_lane(sim, &sim->threads.self);
    hk_monitor_resync(sim);
    hk_monitor_arm(sim);
    if (sim->options.monitor == HK_MONITOR_VALUES)
        hk_values_create(sim);
}

hk_tick hk_rate_first_from(const hk_plan *plan, const hk_rate *rate, hk_tick t) {
    HK_ASSERT(plan && rate);
    hk_tick first = plan->start + rate->offset;
    if (t <= first)
        return first;
    hk_tick tick = first + (t - first + rate->period - 1) / rate->period * rate->period;
    return rate->pattern ? hk_pattern_next(rate->pattern, tick) : tick;
}

void hk_monitor_resync(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        sim->monitor->rates[r].sum = 0;
        sim->monitor->rates[r].due.h =
            hk_tick_seconds(sim->plan->rates[r].period, sim->plan->ticks_per_second);
        hk_set_due(sim, &sim->monitor->rates[r].due,
                   hk_rate_first_from(sim->plan, &sim->plan->rates[r], *sim->time.clock));
    }
    for (size_t i = 0; sim->threads.team && i < sim->loop.shared_web.count; i++)
        *sim->loop.shared_web.cells[i].watch.seen = 0;
    if (sim->monitor->values)
        hk_values_forget(sim);
}

/* ---- what must be done ---- */

/* What the calls of a cell add up to, by kind. */
typedef struct sums {
    uint64_t of[CALL_KINDS], rows;
    uint32_t calls, row_calls;
} sums;

static bool wrong(hk_sim *sim, uint32_t component, const char *text) {
    return hk_report_unsound(sim, component, text);
}

static bool belongs(const hk_sim *sim, const hk_cell *c, uint32_t component) {
    const hk_plan_component *p = &sim->plan->components[component];
    return p->rate == c->rate && p->level == c->level && sim->changes.active[component];
}

/* A prepared get or set is about the variables of its store, in the order in which they lie in
 * memory, and about that memory: of the ports, or of those that lend it. */
static bool check_exchange(hk_sim *sim, const hk_cell *c, const hk_exchange *x, unsigned use,
                           uint32_t *scratch, uint32_t *count) {
    uint32_t component = x->what.component;
    const hk_info *info = sim->model->components[component].info;
    if (!belongs(sim, c, component))
        return wrong(sim, component, "has a call in a phase that is not its own");
    size_t n = hk_layout_call(sim, component, use, x->store, scratch);
    if (n != x->call.n)
        return wrong(sim, component, "has a call that is not about all its variables of one type");
    const char *at = x->call.values;
    for (size_t i = 0; i < n; i++) {
        const hk_engine_port *p = &sim->slots.ports[scratch[i]];
        const hk_variable *v = &info->variables[p->variable];
        if ((use == USE_IN && p->borrowed ? p->borrowed : p->address) != at)
            return wrong(sim, component, "has a call whose values lie elsewhere");
        if (x->store != HK_STORE_BYTES && x->call.refs[i] != v->ref)
            return wrong(sim, component, "has a call that is about other variables");
        at += p->bytes;
    }
    *count += (uint32_t)n;
    return true;
}

/* Calls for one use, from BEGIN to END. */
typedef struct used_calls {
    const hk_exchange *begin, *end;
    unsigned use;
} used_calls;

static bool add_exchanges(hk_sim *sim, const hk_cell *c, used_calls list, uint32_t *scratch,
                          uint64_t *sum) {
    unsigned use = list.use;
    for (const hk_exchange *x = list.begin; x < list.end; x++) {
        hk_component_calls *calls = &sim->monitor->seen[x->what.component];
        uint32_t *count = use == USE_IN    ? &calls->sets
                          : use == USE_ROW ? &calls->rows
                                           : &calls->gets;
        if (!check_exchange(sim, c, x, use, scratch, count))
            return false;
        *sum += hk_token((uintptr_t)x->call.fn.refs, x->call.self, x->call.values);
    }
    return true;
}

static bool add_steps(hk_sim *sim, const hk_cell *c, const hk_stepping *begin,
                      const hk_stepping *end, bool shifted, uint64_t *sum) {
    for (const hk_stepping *s = begin; s < end; s++) {
        if (!belongs(sim, c, s->what.component))
            return wrong(sim, s->what.component, "has a step in a phase that is not its own");
        if (s->shift != (shifted ? sim->changes.shift[s->what.component] : 0))
            return wrong(sim, s->what.component, "has a step by another clock than its own");
        sim->monitor->seen[s->what.component].steps++;
        *sum += hk_step_token((uintptr_t)s->call.fn.plain, s->call.self);
    }
    return true;
}

/* Each member has been met as often as model and plan say: so many variables set and got, and one
 * step, which is between the two because the lists of a cell are run in that order. */
static bool check_member(hk_sim *sim, uint32_t component) {
    const hk_sim_instance *inst = &sim->slots.instances[component];
    hk_component_calls calls = sim->monitor->seen[component], due = {0};
    due.steps = sim->changes.active[component];
    for (uint32_t i = inst->ports.begin; i < inst->ports.end && sim->changes.active[component];
         i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        due.sets += !p->by_address && p->use & USE_IN;
        due.gets += !p->by_address && p->use & USE_EVERY;
        due.rows += !p->by_address && p->use & USE_ROW;
    }
    if (calls.steps != due.steps)
        return wrong(sim, component, "is not stepped once in its phase");
    if (calls.sets != due.sets)
        return wrong(sim, component, "has inputs that are not set once in its phase");
    if (calls.gets != due.gets || calls.rows != due.rows)
        return wrong(sim, component, "has outputs that are not got once in its phase");
    return true;
}

static bool add_cell(hk_sim *sim, const hk_cell *c, uint32_t *scratch, sums *s) {
    for (uint32_t m = 0; m < c->member_count; m++)
        sim->monitor->seen[c->members[m]] = (hk_component_calls){0};
    bool good =
        add_exchanges(sim, c, (used_calls){c->sets, c->sets_end, USE_IN}, scratch,
                      &s->of[CALL_SET]) &&
        add_steps(sim, c, c->steps[0], c->steps[HK_STEP_SHAPES], false, &s->of[CALL_STEP]) &&
        add_steps(sim, c, c->shifted, c->shifted_end, true, &s->of[CALL_STEP]) &&
        add_exchanges(sim, c, (used_calls){c->gets, c->gets_end, USE_EVERY}, scratch,
                      &s->of[CALL_GET]) &&
        add_exchanges(sim, c, (used_calls){c->text_gets, c->text_gets_end, USE_EVERY}, scratch,
                      &s->of[CALL_GET]) &&
        add_exchanges(sim, c, (used_calls){c->row_gets, c->row_gets_end, USE_ROW}, scratch,
                      &s->rows);
    for (uint32_t m = 0; m < c->member_count && good; m++)
        good = check_member(sim, c->members[m]);
    s->calls += (uint32_t)((c->sets_end - c->sets) + (c->steps[HK_STEP_SHAPES] - c->steps[0]) +
                           (c->shifted_end - c->shifted) + (c->gets_end - c->gets) +
                           (c->text_gets_end - c->text_gets));
    s->row_calls += (uint32_t)(c->row_gets_end - c->row_gets);
    return good;
}

/* Which cell of the net each component is in: one, and the right one. */
static bool find_owners(hk_sim *sim, const hk_web *net, bool whole) {
    size_t n = sim->model->component_count, found = 0;
    uint32_t *owner = sim->monitor->owner;
    for (size_t i = 0; i < n; i++)
        owner[i] = HK_MAP_NONE;
    for (size_t i = 0; i < net->count; i++) {
        const hk_cell *c = &net->cells[i];
        for (uint32_t m = 0; m < c->member_count; m++) {
            const hk_plan_component *p = &sim->plan->components[c->members[m]];
            if (owner[c->members[m]] != HK_MAP_NONE || p->rate != c->rate || p->level != c->level)
                return wrong(sim, c->members[m], "is in a phase that is not its own");
            owner[c->members[m]] = (uint32_t)i;
            found++;
        }
    }
    if (whole && found != (sim->part ? sim->part->here : n))
        return wrong(sim, 0, "or another one is in no phase");
    return true;
}

/* Every connection brings its value, by a copy or because the set reads it where it lies. */
static bool add_copies(hk_sim *sim, sums *cells) {
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        uint32_t owner = sim->monitor->owner[k->to_component];
        if (owner == HK_MAP_NONE || !sim->changes.active[k->to_component])
            continue;
        const hk_engine_port *to = hk_sim_port(sim, k->to_component, k->to_variable);
        const void *from = hk_source_address(sim, k);
        if (sim->changes.lent[i] ? to->borrowed != from : to->borrowed != NULL)
            return wrong(sim, k->to_component, "has an input that is set from elsewhere");
        if (sim->changes.lent[i])
            continue;
        cells[owner].of[CALL_SET] += hk_copy_token(from, hk_target_address(sim, k));
        cells[owner].calls += to->by_address; /* no call follows: the copy is the set */
    }
    return true;
}

static bool add_net(hk_sim *sim, const hk_web *net, bool whole, sums *cells) {
    uint32_t *scratch = hk_alloc((sim->slots.port_count + 1) * sizeof *scratch);
    bool good = find_owners(sim, net, whole) && add_copies(sim, cells);
    for (size_t i = 0; i < net->count && good; i++)
        good = add_cell(sim, &net->cells[i], scratch, &cells[i]);
    hk_free(scratch);
    return good;
}

static void set_watch(hk_cell_watch *w, const sums *s, uint64_t before) {
    w->before = before;
    for (int k = 0; k < CALL_KINDS; k++)
        before = w->must[k] = before + s->of[k];
    w->after = before;
    w->rows = s->rows;
    w->calls = s->calls;
    w->row_calls = s->row_calls;
}

/* The cells of a rate follow each other; after the last the sum begins again. */
static void watch_cells(hk_sim *sim, const sums *cells) {
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_rate_watch *rate = &sim->monitor->rates[r];
        const hk_range of = sim->loop.rates[r].cells;
        rate->calls = 0;
        rate->phases = CALL_KINDS * (of.end - of.begin);
        for (uint32_t i = of.begin; i < of.end; i++) {
            hk_cell_watch *w = &sim->loop.cells[i].watch;
            set_watch(w, &cells[i], i > of.begin ? sim->loop.cells[i - 1].watch.after : 0);
            w->seen = &rate->sum;
            w->due = &rate->due;
            w->advance = 0;
            rate->calls += w->calls;
        }
        hk_cell_watch *last = &sim->loop.cells[of.end - 1].watch;
        last->after = 0;
        last->advance = sim->plan->rates[r].pattern ? -1 : sim->plan->rates[r].period;
    }
}

/* A share goes by itself; who joins the shares looks at all of them. */
static void watch_shares(hk_sim *sim, const sums *cells) {
    enum { APART = 64 / sizeof(uint64_t) }; /* threads do not write to the same line */
    for (size_t i = 0; i < sim->loop.shared_web.count; i++) {
        hk_cell *c = &sim->loop.shared_web.cells[i];
        hk_cell_watch *w = &c->watch;
        if (!w->seen)
            w->seen = HK_NEW_ARRAY(sim->arena, uint64_t, 2 * APART) + APART;
        set_watch(w, &cells[i], 0);
        w->due = &sim->monitor->rates[c->rate].due;
        w->advance = 0;
    }
}

/* What was done since it was armed is counted by activations, and not in the loop. Calls of a part
 * that another one records are counted there: part_tally.c. */
static void count_rate(const hk_sim *sim, size_t r, hk_soundness *to) {
    const hk_rate_watch *rate = &sim->monitor->rates[r];
    uint64_t runs = sim->loop.rates[r].runs - rate->runs;
    if (!hk_part_counts(sim->part))
        return;
    to->calls += runs * rate->calls;
    to->phases += runs * rate->phases; /* all parts go through the same ones */
}

static bool lengths_agree(hk_sim *sim) {
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        const hk_rate *rate = &sim->plan->rates[r];
        if (sim->loop.rates[r].period != rate->period ||
            sim->loop.rates[r].h != hk_tick_seconds(rate->period, sim->plan->ticks_per_second))
            return wrong(sim, rate->components[0], "has another step than the plan gives it");
    }
    return true;
}

void hk_monitor_arm(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_monitor_state *m = sim->monitor;
    if (!hk_part_counts(sim->part))
        hk_tally_calls(sim);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        count_rate(sim, r, &m->so_far);
        m->rates[r].runs = sim->loop.rates[r].runs;
    }
    bool shares = false; /* threads may have been given up */
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        shares = shares || sim->loop.cells[i].shares;
    size_t most = sim->loop.cell_count > sim->loop.shared_web.count ? sim->loop.cell_count
                                                                    : sim->loop.shared_web.count;
    sums *cells = hk_alloc((most + 1) * sizeof *cells);
    bool good =
        !sim->safety.monitored || (lengths_agree(sim) && add_net(sim, &sim->loop.web, true, cells));
    watch_cells(sim, cells);
    memset(cells, 0, (most + 1) * sizeof *cells);
    if (shares) {
        if (good && sim->safety.monitored)
            add_net(sim, &sim->loop.shared_web, false, cells);
        watch_shares(sim, cells);
    }
    hk_free(cells);
    hk_idle_find(sim);
    hk_score_write(sim);
    if (sim->fused)
        hk_fused_arm(sim);
    hk_remains_note(sim);
}

/* ---- in the loop ---- */

bool hk_monitor_sum(hk_sim *sim, hk_lane *l, const hk_cell *c, hk_call_kind part, uint64_t seen) {
    return !sim->safety.monitored || hk_report_sum(sim, l, c, part, seen, c->watch.must[part]);
}

/* Not the usual length, or not when it was expected: exactly, by the plan alone. */
bool hk_monitor_time(hk_sim *sim, const hk_cell *c, double t, double h) {
    if (!sim->safety.monitored)
        return true;
    const hk_plan *plan = sim->plan;
    const hk_rate *rate = &plan->rates[c->rate];
    hk_tick due = c->watch.due->tick, begin = due, end = due + rate->period;
    if (rate->pattern && rate->pattern->bridged) {
        hk_tick before = hk_pattern_newest(rate->pattern, due - 1);
        begin = before == INT64_MIN ? due : before + rate->period;
    }
    end = end < plan->stop ? end : plan->stop;
    bool good = due == sim->time.now && t == hk_tick_seconds(begin, plan->ticks_per_second) &&
                h == hk_tick_seconds(end - begin, plan->ticks_per_second);
    return good || hk_report_time(sim, c, t, h, begin);
}

/* A component that was stopped goes on where it stood. */
bool hk_monitor_shifted(hk_sim *sim, const hk_stepping *s, double t) {
    hk_tick own = sim->time.now - sim->changes.shift[s->what.component];
    return !sim->safety.monitored || t == hk_tick_seconds(own, sim->plan->ticks_per_second) ||
           hk_report_unsound(sim, s->what.component, "is stepped by another clock than its own");
}

bool hk_monitor_rows(hk_sim *sim, hk_lane *l, const hk_cell *c, uint64_t seen) {
    if (!sim->safety.monitored)
        return true;
    const hk_plan *plan = sim->plan;
    hk_tick end = c->watch.due->tick + plan->rates[c->rate].period;
    bool wanted = sim->rows.sink.row_begin &&
                  (end >= plan->stop || (end - plan->start) % sim->rows.interval == 0);
    if (wanted)
        atomic_fetch_add_explicit(&sim->monitor->row_calls, c->watch.row_calls,
                                  memory_order_relaxed);
    uint64_t must = wanted ? c->watch.rows : 0;
    return seen == must || hk_report_sum(sim, l, c, CALL_GET, seen, must);
}

/* No rate is in the middle of a cell when another level begins, and levels only rise. */
bool hk_monitor_level(hk_sim *sim, size_t due_count, uint32_t level) {
    for (size_t i = 0; i < due_count && sim->safety.monitored; i++) {
        uint32_t next = sim->loop.due_cell[i];
        const hk_range of = sim->loop.rates[sim->loop.due[i]].cells;
        uint64_t must = next > of.begin ? sim->loop.cells[next - 1].watch.after : 0;
        bool rises = next == of.begin || sim->loop.cells[next - 1].level < level;
        if (sim->monitor->rates[sim->loop.due[i]].sum == must && rises)
            continue;
        return hk_report_unsound(sim, sim->loop.cells[of.begin].members[0],
                                 "or another one of its rate is not done when those who wait for "
                                 "it begin");
    }
    return true;
}

void hk_monitor_pass(hk_sim *sim, const hk_cell *c) {
    const hk_rate *rate = &sim->plan->rates[c->rate];
    hk_set_due(sim, c->watch.due,
               hk_pattern_next(rate->pattern, c->watch.due->tick + rate->period));
}

bool hk_monitor_end(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t r = 0; r < sim->loop.rate_count && sim->safety.monitored; r++) {
        const hk_rate_watch *rate = &sim->monitor->rates[r];
        if (rate->due.tick < *sim->time.clock || rate->sum)
            return hk_report_unsound(sim, sim->plan->rates[r].components[0],
                                     "or another one of its rate has missed an activation");
    }
    return true;
}

hk_soundness hk_sim_soundness(const hk_sim *sim) {
    HK_ASSERT(sim);
    hk_soundness result = sim->monitor->so_far;
    result.monitor = sim->options.monitor;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        count_rate(sim, r, &result);
    result.calls += atomic_load_explicit(&sim->monitor->row_calls, memory_order_relaxed);
    if (sim->part) {
        result.calls += sim->part->others.calls;
        result.phases += sim->part->others.phases;
        result.values += sim->part->others.values;
        result.unvalued += sim->part->others.unvalued;
    }
    if (!sim->safety.monitored)
        result.calls = result.phases = 0;
    return result;
}
