/* SPDX-License-Identifier: MIT
 *
 * What the names in properties stand for. A name may be given from its end on, as long as one thing
 * has it: "flagged" for "c0.s0.flagged". */
#include "explore/property.h"

#include "base/number.h"

#include <string.h>

static const hk_chart *chart_of(const hk_namer *n, unsigned unit) {
    return unit ? n->scope->plant : n->scope->controller;
}

/* 2: it is this name; 1: it ends in it, behind a dot; 0: neither. */
static int fits(const char *full, const char *name) {
    size_t length = strlen(full), end = strlen(name);
    if (strcmp(full, name) == 0)
        return 2;
    return length > end && full[length - end - 1] == '.' && strcmp(full + length - end, name) == 0;
}

/* A search for one thing that a name stands for. */
typedef struct search {
    const char *name;
    int best; /* fit of what was found */
    size_t count;
    uint32_t index;
    const char **names; /* all that were looked at, for hints */
    size_t name_count, name_cap;
} search;

static void offer(search *s, const char *full, uint32_t index) {
    int fit = fits(full, s->name);
    HK_PUSH(s->names, s->name_count, s->name_cap, full);
    if (!fit || fit < s->best || (fit == s->best && index == s->index))
        return;
    s->count = fit > s->best ? 1 : s->count + 1;
    s->index = fit > s->best ? index : s->index;
    s->best = fit;
}

/* Reports that nothing, or more than one thing, has the name. */
static bool settle(const hk_namer *n, search *s, const char *what, uint32_t *ret_index) {
    const char *hint = NULL;
    if (s->count == 0)
        hint = hk_hint_closest(n->arena, s->name, s->names, s->name_count, NULL);
    if (s->count == 0)
        hk_error(n->ctx, HK_E_NAME, n->where, hint, "there is not %s '%s'", what, s->name);
    else if (s->count > 1)
        hk_error(n->ctx, HK_E_NAME, n->where, "write more of its path",
                 "'%s' stands for %zu things", s->name, s->count);
    hk_free(s->names);
    if (s->count != 1)
        return false;
    *ret_index = s->index;
    return true;
}

/* "plant.NAME" is of the plant. */
static const char *split_unit(const hk_namer *n, const char *name, unsigned *ret_unit) {
    bool plant = n->scope->plant && strncmp(name, "plant.", 6) == 0;
    *ret_unit = plant ? 1 : 0;
    return plant ? name + 6 : name;
}

bool hk_name_machine(const hk_namer *n, const char *name, unsigned *ret_unit,
                     uint32_t *ret_machine) {
    unsigned unit;
    search s = {.name = split_unit(n, name, &unit)};
    const hk_chart *chart = chart_of(n, unit);
    for (uint32_t m = 0; m < chart->machine_count; m++) {
        offer(&s, chart->machines[m].path, m);
        if (!fits(chart->machines[m].path, s.name))
            offer(&s, chart->machines[m].name, m);
    }
    if (!settle(n, &s, "a machine", ret_machine))
        return false;
    *ret_unit = unit;
    return true;
}

bool hk_name_node(const hk_namer *n, unsigned unit, uint32_t machine, const char *name,
                  uint32_t *ret_node) {
    const hk_chart_machine *m = &chart_of(n, unit)->machines[machine];
    search s = {.name = name};
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].kind != HK_CHART_STATE)
            continue;
        const char *path = m->nodes[i].name;
        for (uint32_t p = m->nodes[i].parent; p != HK_CHART_NONE; p = m->nodes[p].parent)
            path = hk_arena_printf(n->arena, "%s.%s", m->nodes[p].name, path);
        offer(&s, path, i);
    }
    return settle(n, &s, "a state", ret_node);
}

bool hk_name_transition(const hk_namer *n, unsigned unit, uint32_t machine, const char *name,
                        uint32_t *ret_transition) {
    const hk_chart_machine *m = &chart_of(n, unit)->machines[machine];
    search s = {.name = name};
    for (uint32_t i = 0; i < m->transition_count; i++)
        offer(&s, m->transitions[i].name, i);
    return settle(n, &s, "a transition", ret_transition);
}

/* ---- values */

/* Lines of one event of the platform are one thing, which the first stands for. */
static bool is_again(const hk_chart *chart, uint32_t line) {
    for (uint32_t i = 0; i < line; i++)
        if (chart->lines[i].kind == chart->lines[line].kind &&
            chart->lines[i].kind != HK_CHART_BETWEEN &&
            strcmp(chart->lines[i].name, chart->lines[line].name) == 0)
            return true;
    return false;
}

/* Things with a value, in one list: lines, operations, their arguments, variables. */
static void collect(const hk_namer *n, const hk_chart *chart, search *s, hk_ask_value *found) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < chart->line_count; i++, index++) {
        const hk_chart_line *l = &chart->lines[i];
        found[index] = (hk_ask_value){
            .op = HK_ASK_EVENT,
            .index = i,
            .type = l->type,
            .cell = l->kind == HK_CHART_FROM_PLATFORM ? l->cell : l->sent,
        };
        if (!is_again(chart, i))
            offer(s, l->name, index);
    }
    for (uint32_t i = 0; i < chart->operation_count; i++) {
        const hk_chart_operation *o = &chart->operations[i];
        found[index] = (hk_ask_value){.op = HK_ASK_OPERATION, .index = i};
        offer(s, o->name, index++);
        for (uint32_t k = 0; k < o->parameter_count; k++) {
            found[index] = (hk_ask_value){.op = HK_ASK_OPERATION,
                                          .index = i,
                                          .type = o->parameters[k].type,
                                          .cell = o->cell + o->parameters[k].offset};
            offer(s, hk_arena_printf(n->arena, "%s_%s", o->name, o->parameters[k].name), index++);
        }
    }
    for (uint32_t i = 0; i < chart->variable_count; i++, index++) {
        const hk_chart_variable *v = &chart->variables[i];
        found[index] = (hk_ask_value){.op = HK_ASK_COMPARE, .type = v->type, .cell = v->cell};
        offer(s, v->path, index);
    }
}

/* What an event of a machine stands for: what it sends, or what arrives there. False: nothing. */
static bool end_of(const hk_chart *chart, const hk_chart_event *e, hk_ask_value *ret_value) {
    bool receives = e->out == HK_CHART_NONE;
    uint32_t line = receives ? e->in : e->out, first = 0;
    if (line == HK_CHART_NONE)
        return false;
    const hk_chart_line *l = &chart->lines[line];
    bool between = l->kind == HK_CHART_BETWEEN;
    while (!between &&
           (chart->lines[first].kind != l->kind || strcmp(chart->lines[first].name, l->name) != 0))
        first++; /* that of the platform */
    *ret_value = (hk_ask_value){.op = between && receives ? HK_ASK_ARRIVAL : HK_ASK_EVENT,
                                .index = between ? line : first,
                                .type = l->type,
                                .cell = receives ? l->cell : l->sent};
    return true;
}

/* Its number among those that were found: several that mean the same are one. */
static uint32_t number_of(const hk_ask_value *value, hk_ask_value *found, uint32_t *count) {
    uint32_t index = 0;
    while (index < *count && (found[index].op != value->op || found[index].index != value->index))
        index++;
    if (index == *count)
        found[(*count)++] = *value;
    return index;
}

/* Ends of lines by the names that machines have for them: "c1.s0.activate" for what "c0.s0.flagged"
 * sends, which arrives there one cycle later; "c0.s0.found" for the platform's "alarm". */
static uint32_t collect_ends(const hk_namer *n, const hk_chart *chart, search *s,
                             hk_ask_value *found) {
    uint32_t count = 0;
    for (uint32_t m = 0; m < chart->machine_count; m++)
        for (uint32_t i = 0; i < chart->machines[m].event_count; i++) {
            const hk_chart_event *e = &chart->machines[m].events[i];
            hk_ask_value value;
            if (end_of(chart, e, &value))
                offer(s, hk_arena_printf(n->arena, "%s.%s", chart->machines[m].path, e->name),
                      number_of(&value, found, &count));
        }
    return count;
}

/* The names that things have beside their own: those of ends, and whole ones of variables. */
static void collect_others(const hk_namer *n, const hk_chart *chart, search *s,
                           hk_ask_value *found) {
    uint32_t count = collect_ends(n, chart, s, found);
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (v->machine == HK_CHART_NONE)
            continue;
        found[count] = (hk_ask_value){.op = HK_ASK_COMPARE, .type = v->type, .cell = v->cell};
        offer(s, hk_arena_printf(n->arena, "%s.%s", chart->machines[v->machine].path, v->name),
              count++);
    }
}

static size_t count_values(const hk_chart *chart) {
    size_t count = chart->line_count + chart->variable_count;
    for (uint32_t i = 0; i < chart->machine_count; i++)
        count += chart->machines[i].event_count;
    for (uint32_t i = 0; i < chart->operation_count; i++)
        count += 1 + chart->operations[i].parameter_count;
    return count;
}

/* Goes to the part of VALUE that PATH names: fields of records, `size` of sequences. */
static bool go_inside(const hk_namer *n, const char *path, hk_ask_value *value) {
    static const hk_chart_type length = {.kind = HK_CHART_NAT, .name = "nat", .size = 1};
    char *rest = hk_arena_strdup(n->arena, path), *after = NULL;
    for (char *word = strtok_r(rest, ".", &after); word; word = strtok_r(NULL, ".", &after)) {
        const hk_chart_type *type = value->type;
        bool found = type && type->kind == HK_CHART_SEQUENCE && strcmp(word, "size") == 0;
        if (found)
            value->type = &length; /* it comes first */
        for (uint32_t i = 0; type && i < type->field_count && !found; i++)
            if (strcmp(type->fields[i].name, word) == 0) {
                value->cell += type->fields[i].offset;
                value->type = type->fields[i].type;
                found = true;
            }
        if (!found) {
            hk_error(n->ctx, HK_E_NAME, n->where, NULL, "%s does not have a part '%s'",
                     type ? type->name : "what has no value", word);
            return false;
        }
    }
    return true;
}

/* The longest beginning of NAME that stands for something; *ret_rest: what is behind it. */
static bool find_value(const hk_namer *n, unsigned unit, const char *name, hk_ask_value *ret_value,
                       const char **ret_rest) {
    const hk_chart *chart = chart_of(n, unit);
    hk_ask_value *found = HK_NEW_ARRAY(n->arena, hk_ask_value, count_values(chart) + 1);
    char *begin = hk_arena_strdup(n->arena, name);
    for (size_t length = strlen(begin);; length = (size_t)(strrchr(begin, '.') - begin)) {
        begin[length] = '\0';
        search s = {.name = begin};
        collect(n, chart, &s, found);
        if (!s.count)
            collect_others(n, chart, &s, found);
        bool last = strchr(begin, '.') == NULL;
        if (s.count || last) {
            uint32_t index = 0;
            s.name = s.count ? begin : name;
            bool ok = settle(n, &s, "an event, operation or variable", &index);
            *ret_value = found[index];
            *ret_rest = name[length] ? name + length + 1 : "";
            return ok;
        }
        hk_free(s.names);
    }
}

const char *hk_name_plain(hk_arena *arena, const char *name) {
    char *plain = hk_arena_strdup(arena, name), *to = plain;
    for (const char *from = plain; *from; from++)
        if (*from != '^' || (to != plain && to[-1] != '.'))
            *to++ = *from;
    *to = '\0';
    return plain;
}

bool hk_name_value(const hk_namer *n, const char *name, hk_ask_value *ret_value) {
    hk_ask_value value = {0};
    unsigned unit;
    const char *rest = "", *own = split_unit(n, name, &unit);
    if (!find_value(n, unit, own, &value, &rest) || !go_inside(n, rest, &value))
        return false;
    value.unit = unit;
    *ret_value = value;
    return true;
}

bool hk_read_cell(const hk_chart_type *type, const char *text, hk_cell *ret_cell) {
    hk_cell cell = {.i = 0};
    size_t length = strlen(text);
    bool truth = false, ok = false;
    switch (type->kind) {
    case HK_CHART_BOOLEAN:
        ok = hk_read_bool(text, length, &truth);
        cell.i = truth;
        break;
    case HK_CHART_NAT:
    case HK_CHART_INT:
    case HK_CHART_GIVEN:
        ok = hk_read_i64(text, length, &cell.i) && (type->kind == HK_CHART_INT || cell.i >= 0);
        break;
    case HK_CHART_REAL:
        ok = hk_read_f64(text, length, &cell.r) && cell.r - cell.r == 0;
        break;
    case HK_CHART_ENUMERATION:
        for (uint32_t i = 0; i < type->item_count && !ok; i++)
            if (strcmp(type->items[i], text) == 0) {
                cell.i = i;
                ok = true;
            }
        break;
    default:
        break;
    }
    if (ok)
        *ret_cell = cell;
    return ok;
}
