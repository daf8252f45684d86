/* SPDX-License-Identifier: MIT
 *
 * What is known of a module as a component before it runs. */
#include "chart/chart_component_internal.h"
#include "chart/chart_run.h"

#include <math.h>
#include <string.h>

static const hk_enum *enumeration_of(hk_arena *arena, const hk_chart_port *port) {
    hk_enum *made = HK_NEW(arena, hk_enum);
    int64_t *values = HK_NEW_ARRAY(arena, int64_t, port->item_count + 1);
    const char **names = HK_NEW_ARRAY(arena, const char *, port->item_count + 1);
    for (uint32_t i = 0; i < port->item_count; i++) {
        names[i] = port->items[i];
        values[i] = i;
    }
    *made = (hk_enum){port->enumeration, names, values, port->item_count};
    return made;
}

static hk_value start_of(hk_arena *arena, const hk_chart_port *port) {
    void *data = hk_arena_alloc(arena, sizeof(hk_cell));
    bool truth = port->start.i != 0;
    if (port->type == HK_TYPE_BOOL)
        memcpy(data, &truth, sizeof truth);
    else
        memcpy(data, &port->start, sizeof port->start);
    return (hk_value){port->type, 1, data};
}

/* Outputs are made from all inputs of the same instant. */
static hk_depends all_inputs(hk_arena *arena, const hk_chart_ports *ports) {
    uint32_t *on = HK_NEW_ARRAY(arena, uint32_t, ports->count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < ports->count; i++)
        if (ports->all[i].causality == HK_INPUT)
            on[count++] = i;
    return (hk_depends){.known = true, .on = on, .count = count};
}

/* The port that says whether there is a value at port I; 0: none, else its index plus 1. */
static uint32_t flag_of(const hk_chart_ports *ports, uint32_t i) {
    hk_chart_port_kind kind = ports->all[i].kind;
    if (kind != HK_CHART_PORT_RECEIVED_VALUE && kind != HK_CHART_PORT_SENT_VALUE &&
        kind != HK_CHART_PORT_ARGUMENT)
        return 0;
    for (uint32_t k = 0; k < ports->count; k++)
        if (ports->all[k].kind == kind - 1 && ports->all[k].index == ports->all[i].index)
            return k + 1;
    return 0;
}

static hk_status describe_port(hk_ctx *ctx, hk_arena *arena, hk_chart_origin *o, uint32_t i,
                               hk_depends depends) {
    const hk_chart_port *p = &o->ports.all[i];
    bool parameter = p->causality == HK_PARAMETER;
    bool given = p->causality == HK_INPUT || parameter;
    hk_variable *v = &o->info.variables[i];
    *v = (hk_variable){
        .name = p->name,
        .description = p->description,
        .ref = i,
        .type = p->type,
        .store = hk_store_of(p->type),
        .causality = p->causality,
        .variability = parameter ? HK_FIXED : HK_DISCRETE,
        .initial = p->causality == HK_INPUT ? HK_INITIAL_NONE
                   : given                  ? HK_EXACT
                                            : HK_CALCULATED,
        .count = 1,
        .enumeration = p->type == HK_TYPE_ENUM ? enumeration_of(arena, p) : NULL,
        .min = (double)NAN,
        .max = (double)NAN,
        .nominal = (double)NAN,
        .depends = p->causality == HK_OUTPUT ? depends : (hk_depends){.known = true},
        .depends_init = {.known = true},
        .alias_of = i,
        .pulse = hk_chart_is_pulse(p),
        .with = flag_of(&o->ports, i),
        .line = p->line,
        .column = p->column,
    };
    if (p->has_start)
        v->start = start_of(arena, p);
    if (p->type == HK_TYPE_I64 && p->least > INT64_MIN)
        v->min = (double)p->least;
    if (p->type == HK_TYPE_I64 && p->most < INT64_MAX)
        v->max = (double)p->most;
    if (p->kind == HK_CHART_PORT_TIME_UNIT) {
        static const char second[] = "s";
        hk_uom *uom = HK_NEW(arena, hk_uom);
        v->unit = second;
        if (hk_uom_parse(second, uom))
            v->uom = uom;
    }
    if (hk_map_put(&o->info.by_name, p->name, i) != i)
        return hk_error(ctx, HK_E_DUPLICATE, (hk_where){.file = o->chart->file}, NULL,
                        "two ports have the name '%s'", p->name);
    return HK_OK;
}

static bool has_choice(const hk_chart_stmt *stmt) {
    if (!stmt)
        return false;
    bool found = stmt->does == HK_CHART_WAIT && stmt->until.expr;
    for (uint32_t i = 0; i < stmt->part_count; i++)
        found = found || has_choice(stmt->parts[i]);
    return found;
}

/* Whether it draws: a probabilistic junction, or a wait of any length. */
static bool draws(const hk_chart *chart) {
    bool found = false;
    for (uint32_t m = 0; m < chart->machine_count; m++) {
        const hk_chart_machine *machine = &chart->machines[m];
        for (uint32_t i = 0; i < machine->node_count; i++) {
            const hk_chart_node *n = &machine->nodes[i];
            found = found || n->kind == HK_CHART_PROBABILISTIC || has_choice(n->entry) ||
                    has_choice(n->during) || has_choice(n->exit);
        }
        for (uint32_t i = 0; i < machine->transition_count; i++)
            found = found || has_choice(machine->transitions[i].action);
    }
    return found;
}

static void find_kinds(hk_chart_origin *o) {
    uint32_t at = 0;
    for (uint32_t kind = 0; kind <= HK_CHART_PORT_STATE + 1; kind++) {
        while (at < o->ports.count && o->ports.all[at].kind < kind)
            at++;
        o->first[kind] = at;
    }
    for (uint32_t i = 0; i < o->ports.count; i++)
        if (o->ports.all[i].kind == HK_CHART_PORT_TIME_UNIT)
            o->time_unit = i;
    for (uint32_t i = 0; i < o->chart->line_count; i++)
        if (o->chart->lines[i].kind != HK_CHART_BETWEEN &&
            hk_chart_next_line(o->chart, i) != HK_CHART_NONE)
            o->shared_lines = true;
}

/* The states that node PARENT is in, and itself. */
static const char *path_of(hk_arena *arena, const hk_chart_machine *m, uint32_t parent) {
    if (parent == HK_CHART_NONE)
        return "";
    const char *outer = path_of(arena, m, m->nodes[parent].parent);
    return hk_arena_printf(arena, "%s%s%s", outer, *outer ? "." : "", m->nodes[parent].name);
}

/* "c0.s0.Go", "c0.s0.t4", with what each is. */
static void list_covered(hk_arena *arena, hk_chart_origin *o) {
    const hk_chart *chart = o->chart;
    hk_covered *items = HK_NEW_ARRAY(arena, hk_covered, o->node_count + o->transition_count + 1);
    size_t count = 0;
    for (uint32_t m = 0; m < chart->machine_count; m++)
        for (uint32_t i = 0; i < chart->machines[m].node_count; i++) {
            const hk_chart_node *n = &chart->machines[m].nodes[i];
            items[count++] = (hk_covered){.group = chart->machines[m].path,
                                          .inside = path_of(arena, &chart->machines[m], n->parent),
                                          .name = n->name,
                                          .state = n->kind == HK_CHART_STATE};
        }
    for (uint32_t m = 0; m < chart->machine_count; m++)
        for (uint32_t i = 0; i < chart->machines[m].transition_count; i++) {
            const hk_chart_machine *machine = &chart->machines[m];
            const hk_chart_transition *t = &machine->transitions[i];
            items[count++] =
                (hk_covered){.group = machine->path,
                             .inside = path_of(arena, machine, machine->nodes[t->from].parent),
                             .name = t->name,
                             .transition = true};
        }
    o->info.covered = items;
    o->info.covered_count = count;
}

static void release_origin(void *object) {
    hk_map_finish(&((hk_chart_origin *)object)->info.by_name);
}

static hk_status describe(hk_ctx *ctx, hk_model *model, const hk_chart *chart, hk_chart_origin *o) {
    hk_arena *arena = model->arena;
    o->chart = chart;
    HK_TRY(hk_chart_ports_make(ctx, arena, chart, &o->ports));
    find_kinds(o);
    o->node_count = hk_chart_first_node(chart, chart->machine_count);
    o->transition_count = hk_chart_first_transition(chart, chart->machine_count);
    o->info = (hk_info){
        .name = chart->name,
        .kind = "RoboChart",
        .file = chart->file,
        .stamp = HK_STAMP_START,
        .variables = HK_NEW_ARRAY(arena, hk_variable, o->ports.count + 1),
        .variable_count = o->ports.count,
        .can = {.variable_step = true,
                .save_state = true,
                .serialize_state = true,
                .has_streams = draws(chart)},
        .defaults = {.has_step = true, .step = chart->cycle},
        .digest = chart->digest,
        .unit_class = &hk_chart_class,
        .origin = o,
    };
    list_covered(arena, o);
    hk_depends depends = all_inputs(arena, &o->ports);
    for (uint32_t i = 0; i < o->ports.count; i++)
        HK_TRY(describe_port(ctx, arena, o, i, depends));
    return HK_OK;
}

hk_status hk_chart_describe(hk_ctx *ctx, hk_model *model, const hk_chart *chart,
                            const hk_info **ret_info) {
    hk_chart_origin *o = HK_NEW(model->arena, hk_chart_origin);
    hk_model_own(model, o, release_origin);
    HK_TRY(describe(ctx, model, chart, o));
    *ret_info = &o->info;
    return HK_OK;
}

hk_status hk_chart_info(hk_ctx *ctx, hk_model *model, const char *path, const char *module,
                        const hk_info **ret_info) {
    const hk_chart *chart;
    HK_TRY(hk_chart_read(ctx, model->arena, path, module, &chart));
    return hk_chart_describe(ctx, model, chart, ret_info);
}

const hk_chart *hk_chart_of(const hk_info *info) {
    return info->unit_class == &hk_chart_class ? ((const hk_chart_origin *)info->origin)->chart
                                               : NULL;
}
