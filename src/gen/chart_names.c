/* SPDX-License-Identifier: MIT
 *
 * What the things of a module are called in C: as they are called in the .rct, with what they
 * belong to in front of them, and with '_' where C does not take the name. */
#include "gen/chart_internal.h"

#include <string.h>

static const char *field(hk_cg *g, const char *name) {
    return hk_scope_name(g->arena, &g->fields, name);
}

static const char *global(hk_cg *g, const char *name) {
    return hk_scope_name(g->arena, &g->scope,
                         hk_cg_print(g, "%s_%s", g->name, hk_c_word(g->arena, name)));
}

uint32_t hk_cg_type_index(const hk_cg *g, const hk_chart_type *type) {
    for (uint32_t i = 0; i < g->chart->type_count; i++)
        if (g->chart->types[i] == type)
            return i;
    HK_ASSERT(false);
    return 0;
}

const char *hk_cg_type(const hk_cg *g, const hk_chart_type *type) {
    switch (type->kind) {
    case HK_CHART_BOOLEAN:
        return "bool";
    case HK_CHART_REAL:
        return "double";
    case HK_CHART_NAT:
    case HK_CHART_INT:
    case HK_CHART_GIVEN:
    case HK_CHART_ENUMERATION:
        return "int64_t";
    default:
        return g->types[hk_cg_type_index(g, type)];
    }
}

/* Fields of records keep their names, those of tuples are first ... by number. */
static void name_type(hk_cg *g, uint32_t i) {
    const hk_chart_type *type = g->chart->types[i];
    char *word = hk_arena_strdup(g->arena, hk_c_word(g->arena, type->name));
    for (size_t k = strlen(word); k > 1 && word[k - 1] == '_'; k--)
        word[k - 1] = '\0'; /* of Seq(T) */
    g->types[i] = global(g, word);
    if (type->kind == HK_CHART_ENUMERATION) {
        g->type_parts[i] = HK_NEW_ARRAY(g->arena, const char *, type->item_count);
        for (uint32_t k = 0; k < type->item_count; k++)
            g->type_parts[i][k] = global(g, hk_cg_print(g, "%s_%s", type->name, type->items[k]));
    }
    if (type->field_count) {
        hk_scope scope = {0};
        g->type_parts[i] = HK_NEW_ARRAY(g->arena, const char *, type->field_count);
        for (uint32_t k = 0; k < type->field_count; k++)
            g->type_parts[i][k] = hk_scope_name(g->arena, &scope, type->fields[k].name);
        hk_scope_finish(&scope);
    }
}

static void name_line(hk_cg *g, uint32_t i) {
    const hk_chart_line *line = &g->chart->lines[i];
    hk_cg_line *l = &g->lines[i];
    l->first = i;
    for (uint32_t k = 0; k < i && line->kind != HK_CHART_BETWEEN; k++)
        if (g->chart->lines[k].kind == line->kind &&
            strcmp(g->chart->lines[k].name, line->name) == 0) {
            *l = g->lines[k]; /* one port, and what is sent is sent once */
            l->first = g->lines[k].first;
            break;
        }
    bool again = l->first != i;
    const char *name = hk_c_word(g->arena, line->name);
    if (!again && line->kind != HK_CHART_BETWEEN) {
        l->port = field(g, name);
        l->value = line->type ? field(g, hk_cg_print(g, "%s_value", name)) : NULL;
    }
    if (!again && line->kind == HK_CHART_FROM_PLATFORM) {
        l->edge = field(g, hk_cg_print(g, "%s_edge", name));
        l->before = field(g, hk_cg_print(g, "%s_before", name));
    }
    if (line->kind != HK_CHART_TO_PLATFORM)
        l->there = field(g, hk_cg_print(g, "%s_there", name));
    if (line->kind != HK_CHART_TO_PLATFORM && line->type)
        l->received = field(g, hk_cg_print(g, "%s_received", name));
    if (line->kind != HK_CHART_FROM_PLATFORM)
        l->sent = field(g, hk_cg_print(g, "%s_sent", name));
    if (line->kind == HK_CHART_BETWEEN && line->type)
        l->sending = field(g, hk_cg_print(g, "%s_sending", name));
}

static void name_operation(hk_cg *g, uint32_t i) {
    const hk_chart_operation *operation = &g->chart->operations[i];
    hk_cg_operation *o = &g->operations[i];
    o->c = field(g, operation->name);
    o->called = field(g, hk_cg_print(g, "%s_called", operation->name));
    o->parameters = HK_NEW_ARRAY(g->arena, const char *, operation->parameter_count + 1);
    for (uint32_t k = 0; k < operation->parameter_count; k++)
        o->parameters[k] =
            field(g, hk_cg_print(g, "%s_%s", operation->name, operation->parameters[k].name));
}

/* Enumerators of states have the names of the items of the port, which tell equal names apart. */
static void name_nodes(hk_cg *g, uint32_t i) {
    const hk_chart_machine *machine = &g->chart->machines[i];
    hk_cg_machine *m = &g->machines[i];
    uint32_t count = 0;
    const char *const *items = hk_chart_state_items(g->arena, machine, &count);
    hk_scope scope = {0};
    m->nodes = HK_NEW_ARRAY(g->arena, const char *, machine->node_count + 1);
    m->states = HK_NEW_ARRAY(g->arena, const char *, machine->node_count + 1);
    for (uint32_t k = 0; k < machine->node_count; k++) {
        const hk_chart_node *node = &machine->nodes[k];
        bool state = node->kind == HK_CHART_STATE;
        const char *name = state ? items[hk_chart_state_item(machine, k)] : node->name;
        m->nodes[k] = hk_scope_name(g->arena, &scope, name);
        if (state)
            m->states[k] =
                hk_scope_name(g->arena, &g->scope, hk_cg_print(g, "%s_in_%s", m->c, m->nodes[k]));
    }
    hk_scope_finish(&scope);
}

static void name_machine(hk_cg *g, uint32_t i) {
    const hk_chart_machine *machine = &g->chart->machines[i];
    hk_cg_machine *m = &g->machines[i];
    hk_scope names = {0}, clocks = {0};
    m->c = field(g, machine->path);
    name_nodes(g, i);
    m->transitions = HK_NEW_ARRAY(g->arena, const char *, machine->transition_count + 1);
    for (uint32_t k = 0; k < machine->transition_count; k++)
        m->transitions[k] = hk_scope_name(g->arena, &names, machine->transitions[k].name);
    m->clocks = HK_NEW_ARRAY(g->arena, const char *, machine->clock_count + 1);
    for (uint32_t k = 0; k < machine->clock_count; k++)
        m->clocks[k] =
            hk_scope_name(g->arena, &clocks, hk_cg_print(g, "clock_%s", machine->clocks[k].name));
    hk_scope_finish(&names);
    hk_scope_finish(&clocks);
}

const char *hk_cg_fn(hk_cg *g, uint32_t machine, const char *kind, const char *name) {
    const char *key = hk_cg_print(g, "%u %s %s", (unsigned)machine, kind, name);
    uint32_t index = hk_map_get(&g->named, key);
    if (index == HK_MAP_NONE) {
        index = (uint32_t)g->named_count;
        hk_map_put(&g->named, key, index);
        const char *made = hk_scope_name(
            g->arena, &g->scope,
            hk_cg_print(g, "%s_%s%s%s", g->machines[machine].c, kind, *name ? "_" : "", name));
        HK_PUSH(g->named_as, g->named_count, g->named_cap, made);
    }
    return g->named_as[index];
}

/* Small letters alone may be the name of a function of the C library (floor, memcpy), or of a
 * parameter (self, t): those have no '_' at their end. */
const char *hk_cg_module_name(hk_arena *arena, hk_scope *scope, const hk_chart *chart) {
    const char *name = chart->name;
    bool small = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(name);
    return hk_scope_name(arena, scope, small ? hk_arena_printf(arena, "%s_", name) : name);
}

static void name_module(hk_cg *g) {
    static const char *const own[] = {"init",   "cycle", "step", "output",  "complaint",
                                      "remark", "ports", "type", "domains", "streams"};
    g->name = hk_cg_module_name(g->arena, &g->scope, g->chart);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        hk_map_put(&g->scope.taken, hk_cg_print(g, "%s_%s", g->name, own[i]), 0);
}

void hk_cg_name_all(hk_cg *g) {
    const hk_chart *chart = g->chart;
    static const char *const own[] = {"time", "cycle", "trouble", "given"};
    name_module(g);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        hk_map_put(&g->fields.taken, own[i], 0);
    g->time_unit = field(g, "timeUnit");
    g->types = HK_NEW_ARRAY(g->arena, const char *, chart->type_count + 1);
    g->type_parts = HK_NEW_ARRAY(g->arena, const char **, chart->type_count + 1);
    for (uint32_t i = 0; i < chart->type_count; i++)
        name_type(g, i);
    g->lines = HK_NEW_ARRAY(g->arena, hk_cg_line, chart->line_count + 1);
    for (uint32_t i = 0; i < chart->line_count; i++)
        name_line(g, i);
    g->operations = HK_NEW_ARRAY(g->arena, hk_cg_operation, chart->operation_count + 1);
    for (uint32_t i = 0; i < chart->operation_count; i++)
        name_operation(g, i);
    g->variables = HK_NEW_ARRAY(g->arena, const char *, chart->variable_count + 1);
    for (uint32_t i = 0; i < chart->variable_count; i++)
        g->variables[i] = field(g, chart->variables[i].path);
    g->machines = HK_NEW_ARRAY(g->arena, hk_cg_machine, chart->machine_count + 1);
    for (uint32_t i = 0; i < chart->machine_count; i++)
        name_machine(g, i);
    g->functions = HK_NEW_ARRAY(g->arena, const char *, chart->function_count + 1);
    for (uint32_t i = 0; i < chart->function_count; i++)
        g->functions[i] = global(g, chart->functions[i]->name);
}

void hk_cg_finish(hk_cg *g) {
    hk_scope_finish(&g->scope);
    hk_scope_finish(&g->fields);
    hk_map_finish(&g->named);
    hk_free(g->named_as);
    hk_free(g->limits);
    hk_free(g->resumes);
    hk_text_finish(&g->heads);
    hk_text_finish(&g->now.vars);
    hk_text_finish(&g->now.body);
    hk_free(g->now.locals);
}
