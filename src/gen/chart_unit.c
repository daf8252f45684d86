/* SPDX-License-Identifier: MIT
 *
 * The component: its ports, and what it does in a step. */
#include "gen/chart_internal.h"

#include "base/number.h"

#include <string.h>

/* ---- ports ---- */

const char *hk_cg_field(const hk_cg *g, const hk_chart_port *p) {
    const hk_chart *chart = g->chart;
    const hk_cg_line *l = &g->lines[p->index];
    switch (p->kind) {
    case HK_CHART_PORT_RECEIVED:
    case HK_CHART_PORT_SENT:
        return l->port;
    case HK_CHART_PORT_RECEIVED_VALUE:
        return hk_cg_scalar(g, chart->lines[p->index].type, p->cell - chart->lines[p->index].cell,
                            l->value);
    case HK_CHART_PORT_CALLED:
        return g->operations[p->index].c;
    case HK_CHART_PORT_EDGE:
        return l->edge;
    case HK_CHART_PORT_TIME_UNIT:
        return g->time_unit;
    case HK_CHART_PORT_STATE:
        return hk_cg_print(g, "%s.state", g->machines[p->index].c);
    default:
        return hk_cg_scalar_place(g, p->cell) + strlen("x->");
    }
}

static const char *start_of(const hk_cg *g, const hk_chart_port *p) {
    char text[HK_NUMBER_MAX];
    if (p->kind == HK_CHART_PORT_TIME_UNIT)
        return hk_cg_print(g, "%.*s", (int)hk_write_f64(g->unit_s, text), text);
    if (p->type == HK_TYPE_BOOL)
        return p->start.i ? "true" : "false";
    size_t length =
        p->type == HK_TYPE_F64 ? hk_write_f64(p->start.r, text) : hk_write_i64(p->start.i, text);
    return hk_cg_print(g, "%.*s", (int)length, text);
}

static void put_port(hk_cg *g, const hk_chart_port *p) {
    static const char *const causalities[] = {[HK_INPUT] = "HK_INPUT",
                                              [HK_OUTPUT] = "HK_OUTPUT",
                                              [HK_PARAMETER] = "HK_PARAMETER",
                                              [HK_LOCAL] = "HK_LOCAL"};
    const char *type = p->type == HK_TYPE_F64    ? "HK_TYPE_F64"
                       : p->type == HK_TYPE_BOOL ? "HK_TYPE_BOOL"
                       : p->type == HK_TYPE_ENUM ? "HK_TYPE_ENUM"
                                                 : "HK_TYPE_I64";
    hk_text_put(g->out,
                "    {.name = %s,\n     .offset = offsetof(%s, %s),\n"
                "     .causality = %s,\n     .type = %s,\n",
                hk_cg_quoted(g, p->name), g->name, hk_cg_field(g, p), causalities[p->causality],
                type);
    if (p->has_start && p->causality != HK_LOCAL && p->causality != HK_OUTPUT)
        hk_text_put(g->out, "     .start = \"%s\",\n", start_of(g, p));
    if (p->kind == HK_CHART_PORT_TIME_UNIT)
        hk_text_put(g->out, "     .unit = \"s\",\n");
    /* What a step emits is seen when it is done: nothing acts at once. */
    if (p->causality == HK_OUTPUT)
        hk_text_put(g->out, "     .depends_on = \"\",\n");
    hk_text_put(g->out, "     .description = %s},\n", hk_cg_quoted(g, p->description));
}

/* Enumerations of ports, each once, by name. */
static const char *enum_of(hk_cg *g, const hk_chart_ports *ports, uint32_t at, bool *ret_first) {
    uint32_t first = 0, number = 0;
    while (ports->all[first].type != HK_TYPE_ENUM ||
           strcmp(ports->all[first].enumeration, ports->all[at].enumeration) != 0)
        number += ports->all[first++].type == HK_TYPE_ENUM;
    *ret_first = first == at;
    return hk_cg_print(g, "%s_items%u", g->name, (unsigned)number + 1);
}

static void put_range(hk_cg *g, hk_text *rows, const hk_chart_port *p) {
    hk_text_put(rows, "    {.port = %s", hk_cg_quoted(g, p->name));
    if (p->least > INT64_MIN)
        hk_text_put(rows, ", .min = \"%lld\"", (long long)p->least);
    if (p->most < INT64_MAX)
        hk_text_put(rows, ", .max = \"%lld\"", (long long)p->most);
    hk_text_put(rows, "},\n");
}

static uint32_t put_domains(hk_cg *g, const hk_chart_ports *ports) {
    uint32_t count = 0;
    hk_text rows = {0};
    for (uint32_t i = 0; i < ports->count; i++) {
        const hk_chart_port *p = &ports->all[i];
        bool first;
        if (p->type == HK_TYPE_I64 && (p->least > INT64_MIN || p->most < INT64_MAX)) {
            put_range(g, &rows, p);
            count++;
        }
        if (p->type != HK_TYPE_ENUM)
            continue;
        const char *name = enum_of(g, ports, i, &first);
        if (first) {
            hk_text_put(g->out, "static const hk_enum_item %s[] = {\n", name);
            for (uint32_t k = 0; k < p->item_count; k++)
                hk_text_put(g->out, "    {%s, %u},\n", hk_cg_quoted(g, p->items[k]), (unsigned)k);
            hk_text_put(g->out, "};\n\nstatic const hk_enum_type %s_type = {%s, %s, %u};\n\n", name,
                        hk_cg_quoted(g, p->enumeration), name, (unsigned)p->item_count);
        }
        hk_text_put(&rows, "    {.port = %s, .enumeration = &%s_type},\n", hk_cg_quoted(g, p->name),
                    name);
        count++;
    }
    if (count)
        hk_text_put(g->out, "static const hk_domain %s_domains[] = {\n%s};\n\n", g->name,
                    rows.data);
    hk_text_finish(&rows);
    return count;
}

/* ---- beginning ---- */

void hk_cg_put_start(hk_cg *g, uint32_t variable) {
    const hk_chart_variable *v = &g->chart->variables[variable];
    const char *name = g->variables[variable];
    if (v->start.expr)
        hk_cg_line_put(g, 1, "x->%s = %s;", name, hk_cg_bare(g, v->start.expr));
    else
        hk_cg_line_put(
            g, 1, hk_chart_is_scalar(v->type) ? "x->%s = 0;" : "memset(&x->%s, 0, sizeof x->%s);",
            name, name);
    if (v->type->kind == HK_CHART_NAT)
        hk_cg_put_nat(g, variable);
}

void hk_cg_put_nat(hk_cg *g, uint32_t variable) {
    const hk_chart_variable *v = &g->chart->variables[variable];
    const char *words = hk_cg_print(g, "'%s' is a nat and below 0", v->path);
    hk_cg_line_put(g, 1, "if (x->%s < 0)", g->variables[variable]);
    hk_cg_line_put(g, 2, "hk_rc_fail(&x->trouble, %s, %s);", hk_cg_at(g, v->line, v->column),
                   hk_cg_quoted(g, words));
}

void hk_cg_put_abort(hk_cg *g, uint32_t machine, int depth) {
    const char *c = g->machines[machine].c;
    hk_cg_line_put(g, depth, "x->%s.state = 0;", c);
    hk_cg_line_put(g, depth, "x->%s.at = 0;", c);
    hk_cg_line_put(g, depth, "x->%s.action.pc = 0;", c);
    for (size_t i = 0; i < g->limit_count; i++)
        if (g->limits[i].machine == machine)
            hk_cg_line_put(g, depth, "x->%s = HK_RC_FAR;",
                           hk_cg_limit(g, g->limits[i].stmt, machine));
    for (uint32_t i = 0; i < g->chart->machine_count; i++)
        if (g->chart->machines[i].caller == machine)
            hk_cg_put_abort(g, i, depth);
}

static void put_init(hk_cg *g) {
    const hk_chart *chart = g->chart;
    g->machine = HK_CHART_NONE;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s *x = self;", g->name);
    hk_cg_put_constants(g);
    hk_cg_line_put(g, 1, "if (!(x->%s > 0.0 && x->%s < (double)INFINITY))", g->time_unit,
                   g->time_unit);
    hk_cg_line_put(g, 2, "hk_rc_fail_number(&x->trouble, HK_AT(0, 0), x->%s, %s);", g->time_unit,
                   "\"is not a timeUnit, which must be above 0\"");
    hk_cg_line_put(g, 1, "hk_rc_begin(&x->time, t, %s * x->%s);",
                   hk_cg_real(g, hk_ratio_to_double(chart->cycle)), g->time_unit);
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        if (!chart->variables[i].constant)
            hk_cg_put_start(g, i);
        else
            hk_cg_put_computed(g, i);
    }
    for (uint32_t i = 0; i < chart->line_count; i++)
        if (g->lines[i].sent)
            hk_cg_line_put(g, 1, "x->%s = HK_RC_NEVER;", g->lines[i].sent);
    for (uint32_t i = 0; i < chart->operation_count; i++)
        hk_cg_line_put(g, 1, "x->%s = HK_RC_NEVER;", g->operations[i].called);
    for (size_t i = 0; i < g->limit_count; i++)
        hk_cg_line_put(g, 1, "x->%s = HK_RC_FAR;",
                       hk_cg_limit(g, g->limits[i].stmt, g->limits[i].machine));
    for (uint32_t i = 0; i < chart->machine_count; i++)
        if (chart->machines[i].caller == HK_CHART_NONE)
            hk_cg_line_put(g, 1, "x->%s.at = %s;", g->machines[i].c,
                           hk_cg_fn(g, i, "at_start", ""));
    hk_cg_line_put(g, 1, "return hk_rc_result(&x->trouble, %s);", hk_cg_quoted(g, g->file));
    hk_cg_end(g, saved, hk_cg_print(g, "static int %s_init(void *self, double t)", g->name));
}

/* ---- a cycle, a step ---- */

/* What was sent between machines in the cycle before can be received in this one. */
static void put_receive(hk_cg *g) {
    for (uint32_t i = 0; i < g->chart->line_count; i++) {
        const hk_chart_line *line = &g->chart->lines[i];
        const hk_cg_line *l = &g->lines[i];
        if (line->kind == HK_CHART_BETWEEN) {
            hk_cg_line_put(g, 1, "x->%s = x->%s == x->cycle - 1;", l->there, l->sent);
            if (line->type) {
                hk_cg_line_put(g, 1, "if (x->%s)", l->there);
                hk_cg_line_put(g, 2, "x->%s = x->%s;", l->received, l->sending);
            }
        }
    }
}

static void put_limits(hk_cg *g) {
    for (size_t i = 0; i < g->limit_count; i++) {
        const hk_cg_limit_of *l = &g->limits[i];
        hk_cg_line_put(g, 1, "if (hk_rc_is_late(&x->trouble, x->cycle, x->%s, %s))",
                       hk_cg_limit(g, l->stmt, l->machine),
                       hk_cg_at(g, l->stmt->line, l->stmt->column));
        hk_cg_line_put(g, 2, "hk_rc_blame(&x->trouble, %s, %s);", hk_cg_quoted(g, g->file),
                       hk_cg_quoted(g, g->chart->machines[l->machine].path));
    }
}

static void put_cycle(hk_cg *g) {
    const hk_chart *chart = g->chart;
    hk_cg_function saved = hk_cg_begin(g);
    if (chart->function_count)
        hk_cg_line_put(g, 1, "x->trouble.calls = 0;");
    put_receive(g);
    for (uint32_t i = 0; i < chart->machine_count; i++)
        if (g->draws[i])
            hk_cg_line_put(g, 1, "x->%s.draws = 0;", g->machines[i].c);
    for (uint32_t c = 0; c < chart->controller_count; c++)
        for (uint32_t i = 0; i < chart->controllers[c].machine_count; i++) {
            hk_cg_line_put(g, 1, "if (!x->trouble.failed)");
            hk_cg_line_put(g, 2, "%s(x);",
                           hk_cg_fn(g, chart->controllers[c].machines[i], "cycle", ""));
        }
    for (uint32_t i = 0; i < chart->machine_count; i++)
        if (g->has_deadlines[i])
            hk_cg_line_put(g, 1, "%s(x);", hk_cg_fn(g, i, "deadlines", ""));
    put_limits(g);
    for (uint32_t i = 0; i < chart->line_count; i++)
        if (chart->lines[i].kind == HK_CHART_FROM_PLATFORM)
            hk_cg_line_put(g, 1, "x->%s = false;", g->lines[i].there);
    hk_cg_line_put(g, 1, "x->cycle++;");
    hk_text_put(g->out,
                "/* Controllers and their machines, as they are declared. Nothing happens after a "
                "failure. */\n");
    hk_cg_end(g, saved, hk_cg_print(g, "static void %s_cycle(%s *x)", g->name, g->name));
}

/* Other lines are of the same event of the platform. */
static bool is_shared(const hk_cg *g, uint32_t line) {
    for (uint32_t i = line + 1; i < g->chart->line_count; i++)
        if (g->chart->lines[i].kind == HK_CHART_FROM_PLATFORM && g->lines[i].first == line)
            return true;
    return false;
}

/* An event of the platform waits for the next cycle; of several until then the last counts. */
static void put_latch(hk_cg *g, const hk_chart_ports *ports, uint32_t i) {
    const hk_chart_line *line = &g->chart->lines[i];
    const hk_cg_line *l = &g->lines[i];
    if (line->kind != HK_CHART_FROM_PLATFORM || l->first != i)
        return;
    const char *comes =
        hk_cg_print(g, "hk_rc_comes(x->%s, x->%s, &x->%s)", l->port, l->edge, l->before);
    if (!line->type && !is_shared(g, i)) {
        hk_cg_line_put(g, 1, "x->%s |= %s;", l->there, comes);
        return;
    }
    hk_cg_line_put(g, 1, "if (%s) {", comes);
    for (uint32_t k = 0; k < ports->count; k++)
        if (ports->all[k].kind == HK_CHART_PORT_RECEIVED_VALUE && ports->all[k].index == i)
            hk_cg_put_check(g, &ports->all[k], 2, "is not a value that input", " has");
    for (uint32_t k = i; k < g->chart->line_count; k++) {
        const hk_cg_line *to = &g->lines[k];
        if (g->chart->lines[k].kind != HK_CHART_FROM_PLATFORM || to->first != i)
            continue;
        hk_cg_line_put(g, 2, "x->%s = true;", to->there);
        if (line->type)
            hk_cg_line_put(g, 2, "x->%s = x->%s;", to->received, l->value);
    }
    hk_cg_line_put(g, 1, "}");
}

/* Nothing happens, until something does. */
static void put_silence(hk_cg *g) {
    for (uint32_t i = 0; i < g->ports.count; i++)
        if (hk_chart_is_pulse(&g->ports.all[i]))
            hk_cg_line_put(g, 1, "x->%s = 0.0;", hk_cg_field(g, &g->ports.all[i]));
}

/* Where it stands still nothing happens. */
static void put_stop(hk_cg *g) {
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s *x = self;", g->name);
    hk_cg_line_put(g, 1, "(void)t;");
    put_silence(g);
    hk_cg_line_put(g, 1, "return HK_STEP_OK;");
    hk_cg_end(g, saved, hk_cg_print(g, "static int %s_stop(void *self, double t)", g->name));
}

static void put_step(hk_cg *g, const hk_chart_ports *ports) {
    const hk_chart *chart = g->chart;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s *x = self;", g->name);
    for (uint32_t i = 0; i < chart->line_count; i++)
        put_latch(g, ports, i);
    put_silence(g);
    hk_cg_line_put(g, 1,
                   "for (int64_t i = hk_rc_cycles_in(&x->trouble, &x->time, t, h); i > 0; i--)");
    hk_cg_line_put(g, 2, "%s_cycle(x);", g->name);
    hk_cg_line_put(g, 1, "return hk_rc_result(&x->trouble, %s);", hk_cg_quoted(g, g->file));
    hk_cg_end(g, saved,
              hk_cg_print(g, "static int %s_step(void *self, double t, double h)", g->name));
}

static uint32_t put_streams(hk_cg *g) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->chart->machine_count; i++) {
        if (!g->draws[i])
            continue;
        if (!count++)
            hk_text_put(g->out, "static const hk_stream_field %s_streams[] = {\n", g->name);
        hk_text_put(g->out, "    {.name = %s, .offset = offsetof(%s, %s.stream)},\n",
                    hk_cg_quoted(g, g->chart->machines[i].path), g->name, g->machines[i].c);
    }
    if (count)
        hk_text_put(g->out, "};\n\n");
    return count;
}

/* Outputs that say that something happens. */
static const char *pulses_of(const hk_cg *g) {
    const char *names = "";
    for (uint32_t i = 0; i < g->ports.count; i++)
        if (hk_chart_is_pulse(&g->ports.all[i]))
            names = hk_cg_print(g, "%s%s%s", names, *names ? " " : "", g->ports.all[i].name);
    return names;
}

void hk_cg_put_unit(hk_cg *g) {
    const hk_chart_ports *ports = &g->ports;
    const char *pulses = pulses_of(g);
    hk_text_put(g->out, "/* ---- module %s: the component */\n\n", g->chart->name);
    hk_cg_put_given(g);
    put_init(g);
    put_cycle(g);
    put_step(g, ports);
    if (*pulses)
        put_stop(g);
    hk_text_put(g->out,
                "/* Outputs are what the last cycle left. */\n"
                "static int %s_output(void *self, double t) {\n    (void)self;\n    (void)t;\n"
                "    return HK_STEP_OK;\n}\n\n",
                g->name);
    hk_text_put(g->out,
                "static const char *%s_complaint(const void *self) {\n"
                "    const %s *x = self;\n    return x->trouble.words;\n}\n\n",
                g->name, g->name);
    hk_text_put(g->out,
                "static const char *%s_remark(void *self) {\n"
                "    %s *x = self;\n    return hk_rc_remark(&x->trouble, &x->time);\n}\n\n",
                g->name, g->name);
    hk_text_put(g->out, "static const hk_port %s_ports[] = {\n", g->name);
    for (uint32_t i = 0; i < ports->count; i++)
        put_port(g, &ports->all[i]);
    hk_text_put(g->out, "};\n\n");
    uint32_t domains = put_domains(g, ports), streams = put_streams(g);
    hk_text_put(g->out,
                "static const hk_unit_type %s_type = {\n    HK_UNIT_TYPE(%s),\n"
                "    .description = %s,\n"
                "    .ports = %s_ports,\n    .port_count = %u,\n    .stamp = HK_STAMP_START,\n"
                "    .init = %s_init,\n    .output = %s_output,\n    .step = %s_step,\n"
                "    .complaint = %s_complaint,\n    .remark = %s_remark,\n    .discrete = true,\n",
                g->name, g->name,
                hk_cg_quoted(g, hk_cg_print(g, "RoboChart module %s", g->chart->name)), g->name,
                (unsigned)ports->count, g->name, g->name, g->name, g->name, g->name);
    if (*pulses)
        hk_text_put(g->out, "    .stop = %s_stop,\n    .pulses = %s,\n", g->name,
                    hk_cg_quoted(g, pulses));
    if (g->marked)
        hk_text_put(g->out, "    .given = %s_given,\n", g->name);
    if (domains)
        hk_text_put(g->out, "    .domains = %s_domains,\n    .domain_count = %u,\n", g->name,
                    (unsigned)domains);
    if (streams)
        hk_text_put(g->out, "    .streams = %s_streams,\n    .stream_count = %u,\n", g->name,
                    (unsigned)streams);
    hk_text_put(g->out,
                "};\n\nHK_EXPORT const hk_unit_type *const *hk_plugin(void) {\n"
                "    static const hk_unit_type *const types[] = {&%s_type, NULL};\n"
                "    return types;\n}\n",
                g->name);
}
