/* SPDX-License-Identifier: MIT
 *
 * Instances of modules. What makes a state is one block: the state of the controller, the levels
 * that inputs had, the values of the ports, the streams that choices are drawn from, and what was
 * counted, so that a run that goes on counts on. A saved state is a copy of it. */
#include "chart/chart_component_internal.h"
#include "chart/chart_run.h"

#include "base/map.h"
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CYCLES_MAX = 1000000 }; /* in one step: more are a mistake in the time unit */

hk_where hk_chart_where(const hk_chart_unit *u, int line, int column, char text[160]) {
    snprintf(text, 160, "component '%s'", u->base.name);
    return (hk_where){u->origin->chart->file, line, column, text};
}

/* ---- warnings */

static void warn(void *user, const hk_chart_warning *w) {
    const hk_chart_unit *u = user;
    const hk_chart_machine *m = &u->origin->chart->machines[w->machine];
    const hk_chart_node *n = &m->nodes[w->node];
    char element[160];
    hk_where where = hk_chart_where(u, n->line, n->column, element);
    long long cycle = (long long)w->cycle;
    switch (w->oddity) {
    case HK_CHART_NONDET:
        hk_warn(u->ctx, HK_E_CONTROLLER, where,
                "make the conditions exclude each other; the first is taken, from the outside in",
                "machine '%s' has a choice in '%s' in cycle %lld: transitions '%s' and '%s' are "
                "enabled",
                m->path, n->name, cycle, m->transitions[w->first].name,
                m->transitions[w->second].name);
        break;
    case HK_CHART_DEAD_JUNCTION:
        hk_warn(u->ctx, HK_E_CONTROLLER, where, "give one of the ways out the condition 'else'",
                "machine '%s' cannot leave junction '%s' in cycle %lld: no way out is enabled; it "
                "looks again in each cycle",
                m->path, n->name, cycle);
        break;
    default:
        hk_warn(u->ctx, HK_E_CONTROLLER, where, NULL,
                "machine '%s' stays in '%s' from cycle %lld on: no transition leads out of it",
                m->path, n->kind == HK_CHART_FINAL ? m->nodes[n->parent].name : n->name, cycle);
        break;
    }
}

static void warn_long(hk_chart_unit *u, double h, int64_t count) {
    char element[160], step[HK_NUMBER_MAX + 1], cycle[HK_NUMBER_MAX + 1], hint[200];
    if (u->warned_long)
        return;
    u->warned_long = true;
    step[hk_write_f64(h, step)] = 0;
    cycle[hk_write_f64(u->cycle_s, cycle)] = 0;
    snprintf(hint, sizeof hint,
             "a cycle takes %s s: let that be its period, or the --step-size of a module alone",
             cycle);
    hk_warn(
        u->ctx, HK_E_CONTROLLER, hk_chart_where(u, 0, 0, element), hint,
        "the step of %s s is longer than a cycle of module '%s': %lld cycles run in it, and only "
        "the first sees the inputs",
        step, u->origin->chart->name, (long long)count);
}

/* That is allowed, and may be a mistake in the time unit. */
static void note_short(hk_chart_unit *u, double h) {
    char element[160], step[HK_NUMBER_MAX + 1], cycle[HK_NUMBER_MAX + 1];
    if (u->noted_short)
        return;
    u->noted_short = true;
    step[hk_write_f64(h, step)] = 0;
    cycle[hk_write_f64(u->cycle_s, cycle)] = 0;
    hk_note(u->ctx, hk_chart_where(u, 0, 0, element),
            "the step of %s s is shorter than a cycle of module '%s', which takes %s s: inputs "
            "wait for the next cycle",
            step, u->origin->chart->name, cycle);
}

/* ---- making */

static void put_value(hk_chart_unit *u, uint32_t port, const void *data) {
    memcpy(&u->values[port], data, hk_store_size(u->base.info->variables[port].store));
}

static void make_items(hk_chart_unit *u) {
    const hk_chart *chart = u->origin->chart;
    u->items = hk_alloc((u->origin->node_count + 1) * sizeof *u->items);
    u->first_node = hk_alloc((chart->machine_count + 1) * sizeof *u->first_node);
    for (uint32_t m = 0; m < chart->machine_count; m++) {
        u->first_node[m] = hk_chart_first_node(chart, m);
        for (uint32_t i = 0; i < chart->machines[m].node_count; i++)
            u->items[u->first_node[m] + i] = hk_chart_state_item(&chart->machines[m], i);
    }
}

static void find_values(hk_chart_unit *u) {
    const hk_chart_origin *o = u->origin;
    uint32_t count = o->first[HK_CHART_PORT_RECEIVED_VALUE], at = count;
    u->first_value = hk_alloc((count + 1) * sizeof *u->first_value);
    for (uint32_t i = 0; i < count; i++) {
        u->first_value[i] = at;
        while (at < o->first[HK_CHART_PORT_SENT] && o->ports.all[at].index == o->ports.all[i].index)
            at++;
    }
    u->first_value[count] = at;
}

static hk_status chart_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                            hk_unit **ret_unit) {
    const hk_chart_origin *o = info->origin;
    hk_chart_unit *u = hk_alloc(sizeof *u);
    u->base = (hk_unit){.unit_class = &hk_chart_class, .info = info, .name = options->name};
    u->origin = o;
    u->ctx = ctx;
    u->start = options->start;
    u->runner = hk_chart_runner_create(o->chart);
    u->dice = hk_chart_dice_create(o->chart, options->seed, options->run, options->name);
    u->chooser = hk_chart_dice_chooser(u->dice);
    size_t state = hk_chart_runner_layout(u->runner)->size;
    size_t streams = o->chart->machine_count * sizeof(hk_stream);
    size_t counts = info->covered_count * sizeof *u->covered;
    u->size = state + o->ports.count * sizeof(hk_cell) + streams + counts +
              o->first[HK_CHART_PORT_RECEIVED_VALUE];
    u->block = hk_alloc(u->size + 1);
    u->state = u->block;
    u->values = (hk_cell *)(void *)(u->block + state);
    u->covered =
        (uint64_t *)(void *)(u->values + o->ports.count); /* what is aligned most comes first */
    u->streams = (hk_stream *)(void *)(u->covered + info->covered_count);
    memcpy(u->streams, hk_chart_dice_streams(u->dice), streams);
    u->high = (uint8_t *)(u->streams + o->chart->machine_count);
    u->set = hk_alloc(o->ports.count + 1);
    u->report = (hk_chart_report){
        .warn = warn, .user = u, .nodes = u->covered, .transitions = u->covered + o->node_count};
    make_items(u);
    find_values(u);
    for (uint32_t i = 0; i < o->ports.count; i++)
        if (info->variables[i].start.data)
            put_value(u, i, info->variables[i].start.data);
    *ret_unit = &u->base;
    return HK_OK;
}

static void chart_close(hk_unit *base) {
    hk_chart_unit *u = (hk_chart_unit *)base;
    hk_chart_runner_destroy(u->runner);
    hk_chart_dice_destroy(u->dice);
    hk_free(u->block);
    hk_free(u->set);
    hk_free(u->items);
    hk_free(u->first_node);
    hk_free(u->first_value);
    hk_free(u);
}

static hk_status chart_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable,
                                 const hk_value *value) {
    (void)ctx;
    hk_chart_unit *u = (hk_chart_unit *)base;
    put_value(u, variable, value->data);
    u->set[variable] = true;
    return HK_OK;
}

/* ---- values of ports and of memory */

static hk_cell cell_of(const hk_chart_unit *u, uint32_t port) {
    hk_cell cell = u->values[port];
    if (u->base.info->variables[port].store == HK_STORE_BOOL8)
        cell.i = *(const uint8_t *)&u->values[port] != 0;
    return cell;
}

static void show(hk_chart_unit *u, uint32_t first, uint32_t last, const hk_cell *memory) {
    const hk_chart_port *ports = u->origin->ports.all;
    for (uint32_t i = first; i < last; i++) {
        if (ports[i].type == HK_TYPE_BOOL)
            *(uint8_t *)&u->values[i] = memory[ports[i].cell].i != 0;
        else
            u->values[i] = memory[ports[i].cell];
    }
}

static void show_states(hk_chart_unit *u) {
    const hk_chart_origin *o = u->origin;
    for (uint32_t i = o->first[HK_CHART_PORT_STATE]; i < o->ports.count; i++) {
        uint32_t m = o->ports.all[i].index;
        const hk_chart_registers *at = hk_chart_machine_at(u->runner, u->state, m);
        uint32_t node =
            at->mode == HK_CHART_ENDED ? at->node : hk_chart_active_state(u->runner, u->state, m);
        u->values[i].i = node == HK_CHART_NONE ? 0 : u->items[u->first_node[m] + node];
    }
}

/* All outputs but the flags. */
static void show_all(hk_chart_unit *u) {
    const uint32_t *first = u->origin->first;
    const hk_cell *memory = hk_chart_memory(u->runner, u->state);
    show(u, first[HK_CHART_PORT_SENT_VALUE], first[HK_CHART_PORT_VARIABLE], memory);
    show(u, first[HK_CHART_PORT_VARIABLE], first[HK_CHART_PORT_CALLED], memory);
    show(u, first[HK_CHART_PORT_ARGUMENT], first[HK_CHART_PORT_CONSTANT], memory);
    show_states(u);
}

/* ---- beginning */

static hk_status check_parameters(hk_ctx *ctx, const hk_chart_unit *u) {
    const hk_chart_origin *o = u->origin;
    char element[160];
    for (uint32_t i = o->first[HK_CHART_PORT_CONSTANT]; i < o->first[HK_CHART_PORT_EDGE]; i++) {
        const hk_chart_port *p = &o->ports.all[i];
        if (!p->has_start && !u->set[i])
            return hk_error(ctx, HK_E_PARAMETER, hk_chart_where(u, p->line, p->column, element),
                            "give it a value here, or set it as a parameter of the component",
                            "constant '%s' has no value", p->name);
        bool number = p->type == HK_TYPE_I64 || p->type == HK_TYPE_ENUM;
        if (number && (u->values[i].i < p->least || u->values[i].i > p->most))
            return hk_error(ctx, HK_E_PARAMETER, hk_chart_where(u, p->line, p->column, element),
                            NULL, "%lld is not a value of constant '%s'", (long long)u->values[i].i,
                            p->name);
    }
    double unit = u->values[o->time_unit].r;
    if (!(unit > 0 && unit < (double)INFINITY))
        return hk_error(ctx, HK_E_PARAMETER, hk_chart_where(u, 0, 0, element), "give it in seconds",
                        "%g is not a timeUnit, which must be above 0", unit);
    return HK_OK;
}

static hk_status chart_enter_init(hk_ctx *ctx, hk_unit *base) {
    hk_chart_unit *u = (hk_chart_unit *)base;
    const hk_chart_origin *o = u->origin;
    char element[160];
    HK_TRY(check_parameters(ctx, u));
    u->cycle_s = hk_ratio_to_double(o->chart->cycle) * u->values[o->time_unit].r;
    hk_cell *values = hk_alloc((o->chart->memory_size + 1) * sizeof *values);
    bool *given = hk_alloc(o->chart->memory_size + 1);
    for (uint32_t i = o->first[HK_CHART_PORT_CONSTANT]; i < o->first[HK_CHART_PORT_EDGE]; i++) {
        given[o->ports.all[i].cell] = u->set[i];
        values[o->ports.all[i].cell] = cell_of(u, i);
    }
    hk_chart_outcome outcome = hk_chart_reset(u->runner, u->state, values, given, &u->report);
    hk_free(values);
    hk_free(given);
    if (outcome != HK_CHART_OK)
        return hk_error(ctx, HK_E_CONTROLLER,
                        hk_chart_where(u, u->report.line, u->report.column, element), NULL,
                        "the start value cannot be computed: %s", u->report.text);
    show(u, o->first[HK_CHART_PORT_CONSTANT], o->first[HK_CHART_PORT_EDGE],
         hk_chart_memory(u->runner, u->state));
    show_all(u);
    u->begins = (double)NAN;
    return HK_OK;
}

/* ---- steps */

/* How many cycles begin before T. Times are numbers of 53 bits: a millionth of a cycle is nothing.
 */
static int64_t cycles_before(const hk_chart_unit *u, double t) {
    double n = (t - u->start) / u->cycle_s;
    if (n > 9e18) /* of a time unit next to 0, infinity too; step() refuses that */
        return INT64_MAX;
    n -= 1e-6 + 1e-15 * n;
    if (!(n > 0))
        return 0;
    int64_t whole = (int64_t)n; /* ceil() is a call on most machines */
    return whole + ((double)whole < n);
}

static bool take_value(hk_chart_unit *u, uint32_t port, hk_cell *memory, uint32_t behind) {
    const hk_chart_port *p = &u->origin->ports.all[port];
    hk_cell cell = cell_of(u, port);
    bool number = p->type == HK_TYPE_I64 || p->type == HK_TYPE_ENUM;
    if (number && (cell.i < p->least || cell.i > p->most)) {
        u->report.machine = HK_CHART_NONE;
        u->report.line = p->line;
        u->report.column = p->column;
        snprintf(u->report.text, sizeof u->report.text, "%lld is not a value that input '%s' has",
                 (long long)cell.i, p->name);
        return false;
    }
    memory[p->cell + behind] = cell;
    return true;
}

/* An event is there: it waits for the next cycle, and what waited before is overwritten. */
static bool take_event(hk_chart_unit *u, uint32_t port) {
    const hk_chart *chart = u->origin->chart;
    uint32_t first = u->origin->ports.all[port].index;
    hk_cell *memory = hk_chart_memory(u->runner, u->state);
    for (uint32_t line = first; line != HK_CHART_NONE; line = hk_chart_next_line(chart, line)) {
        for (uint32_t v = u->first_value[port]; v < u->first_value[port + 1]; v++)
            if (!take_value(u, v, memory, chart->lines[line].cell - chart->lines[first].cell))
                return false;
        hk_chart_put(u->runner, u->state, line);
    }
    return true;
}

static bool take_inputs(hk_chart_unit *u) {
    const hk_chart_origin *o = u->origin;
    const hk_cell *edges = u->values + o->first[HK_CHART_PORT_EDGE];
    for (uint32_t i = 0; i < o->first[HK_CHART_PORT_RECEIVED_VALUE]; i++) {
        bool high = u->values[i].r >= 0.5;
        bool there = high && !(u->high[i] && *(const uint8_t *)&edges[i]);
        u->high[i] = high;
        if (there && !take_event(u, i))
            return false;
    }
    return true;
}

static void clear_flags(hk_chart_unit *u) {
    const uint32_t *first = u->origin->first;
    if (!u->flagged)
        return;
    u->flagged = false;
    for (uint32_t i = first[HK_CHART_PORT_SENT]; i < first[HK_CHART_PORT_SENT_VALUE]; i++)
        u->values[i].r = 0;
    for (uint32_t i = first[HK_CHART_PORT_CALLED]; i < first[HK_CHART_PORT_ARGUMENT]; i++)
        u->values[i].r = 0;
}

/* What this cycle emitted joins what those before it in the step did. */
static void show_flags(hk_chart_unit *u) {
    const hk_chart_origin *o = u->origin;
    const uint32_t *first = o->first;
    u->flagged = true;
    for (uint32_t i = first[HK_CHART_PORT_SENT]; i < first[HK_CHART_PORT_SENT_VALUE]; i++)
        for (uint32_t line = o->ports.all[i].index; line != HK_CHART_NONE;
             line = o->shared_lines ? hk_chart_next_line(o->chart, line) : HK_CHART_NONE)
            if (hk_chart_was_sent(u->runner, u->state, line))
                u->values[i].r = 1;
    for (uint32_t i = first[HK_CHART_PORT_CALLED]; i < first[HK_CHART_PORT_ARGUMENT]; i++)
        if (hk_chart_was_called(u->runner, u->state, o->ports.all[i].index))
            u->values[i].r = 1;
}

static int step(void *self, double t, double h) {
    hk_chart_unit *u = self;
    int64_t from = t == u->begins ? u->begun : cycles_before(u, t);
    int64_t to = cycles_before(u, t + h);
    u->begins = t + h;
    u->begun = to;
    if (!take_inputs(u))
        return HK_STEP_FAILED;
    clear_flags(u);
    if (to - from > CYCLES_MAX || to == INT64_MAX) {
        u->report.machine = HK_CHART_NONE;
        u->report.line = u->report.column = 0;
        snprintf(u->report.text, sizeof u->report.text,
                 "a step of %g s has more than %d cycles, which take %g s each", h, CYCLES_MAX,
                 u->cycle_s);
        return HK_STEP_FAILED;
    }
    if (to - from > 1)
        warn_long(u, h, to - from);
    if (to == from)
        note_short(u, h);
    bool moved = false;
    for (int64_t k = from; k < to; k++) {
        if (hk_chart_cycle(u->runner, u->state, &u->chooser, &u->report) != HK_CHART_OK)
            return HK_STEP_FAILED;
        if (!hk_chart_runner_moved(u->runner))
            continue;
        moved = true;
        show_flags(u);
    }
    if (moved)
        show_all(u);
    return HK_STEP_OK;
}

static void chart_bind_step(hk_unit *base, hk_step_call *ret_call) {
    *ret_call =
        (hk_step_call){.shape = HK_STEP_PLAIN, .fn.plain = step, .self = base, .name = "step"};
}

static hk_status chart_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                   hk_stepped *ret_stepped) {
    const hk_chart_unit *u = (const hk_chart_unit *)base;
    const hk_chart_report *r = &u->report;
    char element[160], time[HK_NUMBER_MAX + 1];
    (void)code, (void)h, (void)ret_stepped;
    time[hk_write_f64(t, time)] = 0;
    if (r->machine == HK_CHART_NONE)
        return hk_error(ctx, HK_E_CONTROLLER, hk_chart_where(u, r->line, r->column, element), NULL,
                        "component '%s' cannot go on at t = %s s: %s", base->name, time, r->text);
    return hk_error(ctx, HK_E_CONTROLLER, hk_chart_where(u, r->line, r->column, element), NULL,
                    "component '%s' cannot go on at t = %s s: machine '%s', %s", base->name, time,
                    u->origin->chart->machines[r->machine].path, r->text);
}

/* Where it stands still nothing happens. */
static hk_status chart_stop(hk_ctx *ctx, hk_unit *base, double t) {
    (void)ctx, (void)t;
    clear_flags((hk_chart_unit *)base);
    return HK_OK;
}

static void *chart_address(hk_unit *base, uint32_t variable) {
    return &((hk_chart_unit *)base)->values[variable];
}

static const uint64_t *covered(hk_unit *base) {
    return ((hk_chart_unit *)base)->covered;
}

const hk_unit_class hk_chart_class = {
    HK_LIFE_HOOKS(chart), HK_STATE_HOOKS(hk_chart),
    HK_ADDRESS_HOOKS,     .state_key = hk_chart_state_key,
    .stop = chart_stop,   .covered = covered,
};
