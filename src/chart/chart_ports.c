/* SPDX-License-Identifier: MIT */
#include "chart/chart_ports.h"

#include "base/map.h"
#include "chart/chart_run.h"

#include <string.h>

typedef struct maker {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_chart *chart;
    hk_chart_port *all;
    size_t count, cap;
    const hk_cell *memory; /* start values */
} maker;

/* ---- states */

static bool is_unique(const hk_chart_machine *m, uint32_t node) {
    for (uint32_t i = 0; i < m->node_count; i++)
        if (i != node && m->nodes[i].kind == HK_CHART_STATE &&
            strcmp(m->nodes[i].name, m->nodes[node].name) == 0)
            return false;
    return true;
}

static const char *state_path(hk_arena *arena, const hk_chart_machine *m, uint32_t node) {
    const hk_chart_node *n = &m->nodes[node];
    if (n->parent == HK_CHART_NONE)
        return n->name;
    return hk_arena_printf(arena, "%s.%s", state_path(arena, m, n->parent), n->name);
}

const char *const *hk_chart_state_items(hk_arena *arena, const hk_chart_machine *m,
                                        uint32_t *ret_count) {
    const char **items = HK_NEW_ARRAY(arena, const char *, m->node_count + 2);
    uint32_t count = 0;
    items[count++] = "-";
    for (uint32_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == HK_CHART_STATE)
            items[count++] = is_unique(m, i) ? m->nodes[i].name : state_path(arena, m, i);
    items[count++] = "final";
    *ret_count = count;
    return items;
}

uint32_t hk_chart_state_item(const hk_chart_machine *m, uint32_t node) {
    uint32_t item = 1;
    if (node == HK_CHART_NONE)
        return 0;
    bool ended = m->nodes[node].kind == HK_CHART_FINAL;
    for (uint32_t i = 0; i < (ended ? m->node_count : node); i++)
        item += m->nodes[i].kind == HK_CHART_STATE;
    return item;
}

bool hk_chart_is_pulse(const hk_chart_port *port) {
    return port->kind == HK_CHART_PORT_SENT || port->kind == HK_CHART_PORT_CALLED;
}

uint32_t hk_chart_next_line(const hk_chart *chart, uint32_t line) {
    for (uint32_t i = line + 1; i < chart->line_count; i++)
        if (chart->lines[i].kind == chart->lines[line].kind &&
            strcmp(chart->lines[i].name, chart->lines[line].name) == 0)
            return i;
    return HK_CHART_NONE;
}

/* True if a line before it is of the same event of the platform. */
static bool is_repeated(const hk_chart *chart, uint32_t line) {
    for (uint32_t i = 0; i < line; i++)
        if (hk_chart_next_line(chart, i) == line)
            return true;
    return false;
}

/* ---- ports */

static hk_chart_port *add(maker *k, hk_chart_port port) {
    HK_PUSH(k->all, k->count, k->cap, port);
    return &k->all[k->count - 1];
}

static hk_type type_of(const hk_chart_type *type) {
    switch (type->kind) {
    case HK_CHART_BOOLEAN:
        return HK_TYPE_BOOL;
    case HK_CHART_REAL:
        return HK_TYPE_F64;
    case HK_CHART_ENUMERATION:
        return HK_TYPE_ENUM;
    default:
        return HK_TYPE_I64;
    }
}

/* PORT has all but what the type says; CELL is the place of the value in memory. */
static void add_value(maker *k, hk_chart_port port, const hk_chart_type *type) {
    const char *name = port.name;
    if (hk_chart_is_scalar(type)) {
        port.type = type_of(type);
        port.start = k->memory[port.cell];
        port.least = type->kind == HK_CHART_NAT ? 0 : INT64_MIN;
        port.most = INT64_MAX;
        if (port.type == HK_TYPE_ENUM) {
            port.least = 0;
            port.most = (int64_t)type->item_count - 1;
            port.items = type->items;
            port.item_count = type->item_count;
            port.enumeration = type->name;
        }
        add(k, port);
        return;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const hk_chart_field *f = &type->fields[i];
        hk_chart_port part = port;
        part.name = hk_arena_printf(k->arena, "%s.%s", name, f->name);
        part.cell += f->offset;
        add_value(k, part, f->type);
    }
    if (!type->element)
        return;
    bool sequence = type->kind == HK_CHART_SEQUENCE;
    if (sequence) {
        hk_chart_port size = port;
        size.name = hk_arena_printf(k->arena, "%s.size", name);
        size.type = HK_TYPE_I64;
        size.least = 0;
        size.most = HK_CHART_SEQUENCE_MAX;
        size.start = k->memory[port.cell];
        add(k, size);
    }
    uint32_t length = sequence ? HK_CHART_SEQUENCE_MAX : type->length;
    for (uint32_t i = 0; i < length; i++) {
        hk_chart_port part = port;
        part.name = type->kind == HK_CHART_MATRIX
                        ? hk_arena_printf(k->arena, "%s[%u,%u]", name, i / type->columns + 1,
                                          i % type->columns + 1)
                        : hk_arena_printf(k->arena, "%s[%u]", name, i + 1);
        part.cell += (sequence ? 1 : 0) + i * type->element->size;
        add_value(k, part, type->element);
    }
}

static hk_chart_port flag(hk_chart_port_kind kind, const char *name, hk_causality causality,
                          uint32_t index) {
    return (hk_chart_port){.kind = kind,
                           .name = name,
                           .causality = causality,
                           .type = HK_TYPE_F64,
                           .index = index,
                           .has_start = true};
}

/* The flags of all lines of a kind, or their values. */
static void add_lines(maker *k, hk_chart_line_kind kind, bool values) {
    const hk_chart *chart = k->chart;
    bool in = kind == HK_CHART_FROM_PLATFORM;
    for (uint32_t i = 0; i < chart->line_count; i++) {
        const hk_chart_line *line = &chart->lines[i];
        if (line->kind != kind || is_repeated(chart, i) || (values && !line->type))
            continue;
        hk_chart_port port = flag(in ? HK_CHART_PORT_RECEIVED : HK_CHART_PORT_SENT, line->name,
                                  in ? HK_INPUT : HK_OUTPUT, i);
        port.line = line->line;
        port.column = line->column;
        if (!values) {
            port.description = in ? "event of the platform: there is one if it is 0.5 or more"
                                  : "event to the platform: 1 in the step in which it occurs";
            add(k, port);
            continue;
        }
        port.kind = in ? HK_CHART_PORT_RECEIVED_VALUE : HK_CHART_PORT_SENT_VALUE;
        port.name = hk_arena_printf(k->arena, "%s_value", line->name);
        port.cell = line->cell;
        port.description = in ? "value of the event" : "value of the event that was last";
        add_value(k, port, line->type);
    }
}

static void add_variables(maker *k, bool constant) {
    const hk_chart *chart = k->chart;
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (v->constant != constant || (!constant && !v->platform))
            continue;
        hk_chart_port port = flag(constant ? HK_CHART_PORT_CONSTANT : HK_CHART_PORT_VARIABLE,
                                  v->path, constant ? HK_PARAMETER : HK_OUTPUT, i);
        port.cell = v->cell;
        port.has_start = !constant || v->start.expr;
        port.description = !constant       ? "variable of the platform"
                           : v->start.expr ? "constant"
                                           : "constant, which must be set";
        port.line = v->line;
        port.column = v->column;
        add_value(k, port, v->type);
    }
}

static void add_operations(maker *k, bool arguments) {
    for (uint32_t i = 0; i < k->chart->operation_count; i++) {
        const hk_chart_operation *o = &k->chart->operations[i];
        if (o->kind != HK_CHART_VISIBLE)
            continue;
        hk_chart_port port = flag(HK_CHART_PORT_CALLED, o->name, HK_OUTPUT, i);
        port.line = o->line;
        port.column = o->column;
        port.description = "operation: 1 in the step in which it is called";
        if (!arguments)
            add(k, port);
        port.kind = HK_CHART_PORT_ARGUMENT;
        port.description = "argument of the call that was last";
        for (uint32_t p = 0; arguments && p < o->parameter_count; p++) {
            port.name = hk_arena_printf(k->arena, "%s_%s", o->name, o->parameters[p].name);
            port.cell = o->cell + o->parameters[p].offset;
            add_value(k, port, o->parameters[p].type);
        }
    }
}

static void add_settings(maker *k) {
    const hk_chart *chart = k->chart;
    for (uint32_t i = 0; i < chart->line_count; i++) {
        const hk_chart_line *line = &chart->lines[i];
        if (line->kind != HK_CHART_FROM_PLATFORM || is_repeated(chart, i))
            continue;
        hk_chart_port *port =
            add(k, flag(HK_CHART_PORT_EDGE, hk_arena_printf(k->arena, "%s_edge", line->name),
                        HK_PARAMETER, i));
        port->type = HK_TYPE_BOOL;
        port->line = line->line;
        port->column = line->column;
        port->description = "the event is there when its input rises, not as long as it is high";
    }
    hk_chart_port *unit = add(k, flag(HK_CHART_PORT_TIME_UNIT, "timeUnit", HK_PARAMETER, 0));
    unit->start.r = 1;
    unit->description = "length of a time unit";
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        const hk_chart_machine *m = &chart->machines[i];
        const char *name = hk_arena_printf(k->arena, "%s.state", m->path);
        hk_chart_port *port = add(k, flag(HK_CHART_PORT_STATE, name, HK_LOCAL, i));
        port->type = HK_TYPE_ENUM;
        port->enumeration = name;
        port->most = INT64_MAX;
        port->items = hk_chart_state_items(k->arena, m, &port->item_count);
        port->description = "state that the machine is in, the innermost";
        port->line = m->line;
        port->column = m->column;
    }
}

static hk_status check_names(maker *k) {
    hk_map names = {0};
    hk_status status = HK_OK;
    for (uint32_t i = 0; i < k->count && status == HK_OK; i++) {
        const hk_chart_port *p = &k->all[i];
        uint32_t first = hk_map_put(&names, p->name, i);
        if (first != i && !p->line)
            status =
                hk_error(k->ctx, HK_E_DUPLICATE,
                         (hk_where){k->chart->file, k->all[first].line, k->all[first].column, NULL},
                         "rename it", "as a component, module '%s' has a port '%s' already",
                         k->chart->name, p->name);
        else if (first != i)
            status =
                hk_error(k->ctx, HK_E_DUPLICATE,
                         (hk_where){k->chart->file, p->line, p->column, NULL}, "rename one of them",
                         "as a component, module '%s' has two ports '%s'; the other one comes "
                         "from line %d",
                         k->chart->name, p->name, k->all[first].line);
    }
    hk_map_finish(&names);
    return status;
}

static bool must_be_given(const hk_chart *chart) {
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (chart->variables[i].constant && !chart->variables[i].start.expr)
            return true;
    return false;
}

hk_status hk_chart_ports_make(hk_ctx *ctx, hk_arena *arena, const hk_chart *chart,
                              hk_chart_ports *ret_ports) {
    hk_chart_runner *runner = hk_chart_runner_create(chart);
    hk_chart_report report = {0};
    void *state = hk_alloc(hk_chart_runner_layout(runner)->size + 1);
    maker k = {.ctx = ctx, .arena = arena, .chart = chart};
    hk_chart_outcome outcome = hk_chart_reset(runner, state, NULL, NULL, &report);
    hk_status status = HK_OK;
    /* What a constant that is not known yet decides is not known yet. */
    if (outcome != HK_CHART_OK && !must_be_given(chart))
        status =
            hk_error(ctx, HK_E_VALUE, (hk_where){chart->file, report.line, report.column, NULL},
                     NULL, "the start value cannot be computed: %s", report.text);
    if (status == HK_OK) {
        k.memory = hk_chart_memory(runner, state);
        add_lines(&k, HK_CHART_FROM_PLATFORM, false);
        add_lines(&k, HK_CHART_FROM_PLATFORM, true);
        add_lines(&k, HK_CHART_TO_PLATFORM, false);
        add_lines(&k, HK_CHART_TO_PLATFORM, true);
        add_variables(&k, false);
        add_operations(&k, false);
        add_operations(&k, true);
        add_variables(&k, true);
        add_settings(&k);
        status = check_names(&k);
    }
    if (status == HK_OK) {
        hk_chart_port *all = HK_NEW_ARRAY(arena, hk_chart_port, k.count + 1);
        memcpy(all, k.all, k.count * sizeof *all);
        *ret_ports = (hk_chart_ports){all, (uint32_t)k.count};
    }
    hk_free(k.all);
    hk_free(state);
    hk_chart_runner_destroy(runner);
    return status;
}
