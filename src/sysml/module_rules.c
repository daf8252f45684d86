/* SPDX-License-Identifier: MIT
 *
 * Rules between an EComponent with the platform RoboChart and its module. What the platform sends
 * the block receives, so directions are reversed. */
#include "sysml/rules_internal.h"

#include "base/file.h"
#include "base/seconds.h"
#include "chart/chart_ports.h"
#include "model/uom.h"
#include "sysml/profile_rules.h"

#include <string.h>

#define BROKEN(r, id, block, at, hint, ...)                                                        \
    hk_rule_broken((r), (id), (block)->file, (at), (hint), __VA_ARGS__)

/* A block and what its module has. */
typedef struct pairing {
    hk_ruler *r;
    const hk_profile_block *block;
    const hk_chart *chart;
    hk_chart_ports ports;
    hk_map names; /* of ports -> index */
} pairing;

/* What a port of the module is for the rules. */
static const struct {
    hk_profile_rule rule; /* COUNT: a parameter, or is not seen from outside */
    bool output, event;
    const char *what;
} kinds[] = {
    [HK_CHART_PORT_RECEIVED] = {HK_RULE_PROFILE_M1, false, true, "event"},
    [HK_CHART_PORT_RECEIVED_VALUE] = {HK_RULE_PROFILE_M1, false, false, "the value of an event,"},
    [HK_CHART_PORT_SENT] = {HK_RULE_PROFILE_M1, true, true, "event"},
    [HK_CHART_PORT_SENT_VALUE] = {HK_RULE_PROFILE_M1, true, false, "the value of an event,"},
    [HK_CHART_PORT_VARIABLE] = {HK_RULE_PROFILE_M2, true, false, "variable"},
    [HK_CHART_PORT_CALLED] = {HK_RULE_PROFILE_M3, true, true, "operation"},
    [HK_CHART_PORT_ARGUMENT] = {HK_RULE_PROFILE_M3, true, false, "the argument of an operation,"},
    [HK_CHART_PORT_CONSTANT] = {HK_PROFILE_RULE_COUNT, false, false, "constant"},
    [HK_CHART_PORT_EDGE] = {HK_PROFILE_RULE_COUNT, false, false, "constant"},
    [HK_CHART_PORT_TIME_UNIT] = {HK_PROFILE_RULE_COUNT, false, false, "constant"},
    [HK_CHART_PORT_STATE] = {HK_PROFILE_RULE_COUNT, false, false, "state"}};

static const char *type_name(const hk_chart_port *p) {
    return p->type == HK_TYPE_F64    ? "Real"
           : p->type == HK_TYPE_I64  ? "Integer"
           : p->type == HK_TYPE_BOOL ? "Boolean"
                                     : p->enumeration;
}

static const char *show_items(const pairing *p, const char *name, const char *const *items,
                              size_t count) {
    const char *text = name;
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(p->r->arena, "%s%s%s", text, i ? ", " : " (", items[i]);
    return count ? hk_arena_printf(p->r->arena, "%s)", text) : text;
}

/* With its items, where it is an enumeration. */
static const char *show_type(const pairing *p, const hk_chart_port *port) {
    return port->type == HK_TYPE_ENUM
               ? show_items(p, port->enumeration, port->items, port->item_count)
               : type_name(port);
}

static const char *show_own(const pairing *p, const hk_profile_shape *own) {
    if (own->type != HK_PROFILE_ENUM)
        return own->type_name ? own->type_name : "none";
    const hk_profile_enum *e = &p->r->profile->enums[own->enumeration];
    return show_items(p, own->type_name, e->items, e->item_count);
}

/* Values are numbers, so items must be the same in the same order. */
static bool items_fit(const pairing *p, const hk_chart_port *port, uint32_t enumeration) {
    const hk_profile_enum *e = &p->r->profile->enums[enumeration];
    bool fit = e->item_count == port->item_count;
    for (size_t i = 0; fit && i < e->item_count; i++)
        fit = strcmp(e->items[i], port->items[i]) == 0;
    return fit;
}

static bool type_fits(const pairing *of, const hk_chart_port *p, const hk_profile_shape *own) {
    const hk_profile_type wanted = p->type == HK_TYPE_F64    ? HK_PROFILE_REAL
                                   : p->type == HK_TYPE_I64  ? HK_PROFILE_INTEGER
                                   : p->type == HK_TYPE_BOOL ? HK_PROFILE_BOOLEAN
                                                             : HK_PROFILE_ENUM;
    if (own->type == HK_PROFILE_ENUM && wanted == HK_PROFILE_ENUM)
        return items_fit(of, p, own->enumeration);
    return own->type == wanted || own->type == HK_PROFILE_UNKNOWN;
}

/* ---- M1 to M3 ----------------------------------------------------------------------------------
 */

static const char *declaration(const pairing *p, const hk_chart_port *port) {
    const char *way = kinds[port->kind].output ? "out" : "in";
    if (kinds[port->kind].event)
        return hk_arena_printf(p->r->arena, "write '%s item %s;'", way, port->name);
    return hk_arena_printf(p->r->arena, "write '%s attribute %s : %s;'", way, port->name,
                           type_name(port));
}

static void expect(pairing *p, const hk_chart_port *port) {
    const hk_profile_block *b = p->block;
    hk_profile_rule rule = kinds[port->kind].rule;
    const char *what = kinds[port->kind].what;
    uint32_t index = hk_profile_member(b, port->name);
    if (index == HK_MAP_NONE || index >= b->port_count) {
        BROKEN(p->r, rule, b, &b->at, declaration(p, port),
               "%s '%s' of module '%s' is not a port of block '%s'", what, port->name,
               p->chart->name, b->name);
        return;
    }
    const hk_profile_port *own = &b->ports[index];
    bool typed = own->shape.type != HK_PROFILE_TYPELESS;
    if (own->output != kinds[port->kind].output)
        BROKEN(p->r, rule, b, &own->at, declaration(p, port),
               "%s '%s' of module '%s' is an %s of its block, and port '%s' of '%s' is not", what,
               port->name, p->chart->name, kinds[port->kind].output ? "output" : "input", own->name,
               b->name);
    else if (kinds[port->kind].event ? typed : !typed || !type_fits(p, port, &own->shape))
        BROKEN(p->r, rule, b, &own->at, declaration(p, port),
               "%s '%s' of module '%s' %s%s, and port '%s' of '%s' is of type %s", what, port->name,
               p->chart->name, kinds[port->kind].event ? "has no type" : "is of type ",
               kinds[port->kind].event ? "" : show_type(p, port), own->name, b->name,
               show_own(p, &own->shape));
    else if (own->shape.size_count)
        BROKEN(p->r, rule, b, &own->at, declaration(p, port),
               "%s '%s' of module '%s' is one value, and port '%s' of '%s' has %u elements", what,
               port->name, p->chart->name, own->name, b->name, own->shape.sizes[0]);
}

static void look_for(pairing *p, hk_profile_rule rule) {
    for (uint32_t i = 0; i < p->ports.count; i++)
        if (kinds[p->ports.all[i].kind].rule == rule)
            expect(p, &p->ports.all[i]);
}

/* ---- M4 to M6 ----------------------------------------------------------------------------------
 */

static const hk_chart_port *find(const pairing *p, const char *name) {
    uint32_t index = hk_map_get(&p->names, name);
    return index == HK_MAP_NONE ? NULL : &p->ports.all[index];
}

static bool is_constant(const hk_chart_port *port) {
    return port && (port->kind == HK_CHART_PORT_CONSTANT || port->kind == HK_CHART_PORT_EDGE ||
                    port->kind == HK_CHART_PORT_TIME_UNIT);
}

static void look_at_constants(pairing *p) {
    const hk_profile_block *b = p->block;
    for (size_t i = 0; i < b->variable_count; i++) {
        const hk_profile_variable *v = &b->variables[i];
        const hk_chart_port *port = find(p, v->name);
        if (!is_constant(port)) {
            const char *close = hk_map_closest(&p->names, v->name);
            BROKEN(p->r, HK_RULE_PROFILE_M4, b, &v->at,
                   close ? hk_hint_name(p->r->arena, close, NULL) : NULL,
                   "'%s' of block '%s' is not a constant of module '%s'", v->name, b->name,
                   p->chart->name);
        } else if (!type_fits(p, port, &v->shape)) {
            BROKEN(p->r, HK_RULE_PROFILE_M4, b, &v->at, NULL,
                   "constant '%s' of module '%s' is of type %s, and '%s' of block '%s' is of type "
                   "%s",
                   v->name, p->chart->name, show_type(p, port), v->name, b->name,
                   show_own(p, &v->shape));
        }
    }
}

/* The length of a cycle in seconds: time units of the module, each as long as TEXT says in UNIT
 * (NULL: seconds). */
static bool cycle_of(const pairing *p, const char *text, const char *unit, hk_ratio *ret_cycle) {
    hk_uom own, second;
    double factor, offset;
    hk_ratio length;
    bool meant;
    if (!text || !hk_seconds_parse(text, &length, &meant))
        return false;
    if (unit) { /* one that is not a time is reported where units are compared */
        if (!hk_uom_parse(unit, &own) || !hk_uom_parse("s", &second) ||
            !hk_uom_conversion(&own, &second, true, &factor, &offset) ||
            !hk_seconds_from_double(hk_ratio_to_double(length) * factor, &length))
            return false;
    }
    return length.num > 0 &&
           hk_ratio_times(length, p->chart->cycle.num, p->chart->cycle.den, ret_cycle);
}

static void compare_cycle(pairing *p, const char *file, const hk_place *at, const char *path,
                          const hk_ratio *cycle) {
    const hk_profile_block *b = p->block;
    char text[48];
    hk_ratio own;
    bool meant;
    if (b->cycle && hk_seconds_parse(b->cycle, &own, &meant) && hk_ratio_compare(own, *cycle) != 0)
        hk_rule_broken(
            p->r, HK_RULE_PROFILE_M5, file, at,
            "a cycle is as many time units as the module says, and 'timeUnit' is their length",
            "the cycle of block '%s' is %s s, and that of module '%s'%s%s%s is %s s", b->name,
            b->cycle, p->chart->name, path ? " in '" : "", path ? path : "", path ? "'" : "",
            hk_ratio_format(*cycle, text));
}

/* The block says how long a time unit is, and its instances may say otherwise. */
static void look_at_cycle(pairing *p) {
    const hk_profile_block *b = p->block;
    const hk_multimodel *profile = p->r->profile;
    size_t v = 0;
    while (v < b->variable_count && strcmp(b->variables[v].name, "timeUnit") != 0)
        v++;
    bool said = v < b->variable_count;
    const char *unit = said ? b->variables[v].shape.unit : NULL;
    hk_ratio cycle;
    if (cycle_of(p, said ? b->variables[v].init.literal.text : "1", unit, &cycle))
        compare_cycle(p, b->file, &b->at, NULL, &cycle);
    for (uint32_t i = 0; said && i < profile->instance_count; i++) {
        const hk_profile_instance *instance = &profile->instances[i];
        if (hk_ruler_block(p->r, i) != b)
            continue;
        const hk_literal *l = &instance->values[b->port_count + v].literal;
        if (l->kind != HK_LITERAL_NONE && cycle_of(p, l->text, unit, &cycle))
            compare_cycle(p, profile->file, &l->at, instance->path, &cycle);
    }
}

static void look_at_kind(pairing *p) {
    const hk_profile_block *b = p->block;
    if (b->component != HK_PROFILE_CYBER)
        BROKEN(p->r, HK_RULE_PROFILE_M5, b, &b->at, "write kind = ComponentKind::cyber",
               "block '%s' runs module '%s', and is not cyber", b->name, p->chart->name);
    else if (b->time != HK_PROFILE_DISCRETE)
        BROKEN(p->r, HK_RULE_PROFILE_M5, b, &b->at, "write modelType = ModelType::discrete",
               "block '%s' runs module '%s', and is not discrete", b->name, p->chart->name);
    else
        look_at_cycle(p);
}

static void look_at_others(pairing *p) {
    for (size_t i = 0; i < p->block->port_count; i++) {
        const hk_profile_port *own = &p->block->ports[i];
        const hk_chart_port *port = find(p, own->name);
        if (port && kinds[port->kind].rule != HK_PROFILE_RULE_COUNT)
            continue;
        const char *close = hk_map_closest(&p->names, own->name);
        BROKEN(p->r, HK_RULE_PROFILE_M6, p->block, &own->at,
               close ? hk_hint_name(p->r->arena, close, NULL) : NULL,
               "port '%s' of block '%s' is not an event, variable or operation of module '%s'",
               own->name, p->block->name, p->chart->name);
    }
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static void look_at_pair(pairing *p) {
    for (uint32_t i = 0; i < p->ports.count; i++)
        hk_map_put(&p->names, p->ports.all[i].name, i);
    look_for(p, HK_RULE_PROFILE_M1);
    look_for(p, HK_RULE_PROFILE_M2);
    look_for(p, HK_RULE_PROFILE_M3);
    look_at_constants(p);
    look_at_kind(p);
    look_at_others(p);
    hk_map_finish(&p->names);
}

hk_status hk_module_compare(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                            const hk_profile_block *block, const hk_chart *chart) {
    hk_ruler r = hk_ruler_begin(ctx, arena, profile, &(hk_profile_wishes){0});
    pairing p = {.r = &r, .block = block, .chart = chart};
    HK_TRY(hk_chart_ports_make(ctx, arena, chart, &p.ports));
    look_at_pair(&p);
    return r.complaints.first;
}

hk_status hk_module_check(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                          const hk_profile_wishes *wishes) {
    hk_ruler r = hk_ruler_begin(ctx, arena, profile, wishes);
    for (size_t i = 0; i < profile->block_count; i++) {
        const hk_profile_block *b = &profile->blocks[i];
        size_t length;
        if (!hk_ruler_is_chart(b) || !b->fmu || !hk_chart_names(b->fmu, &length))
            continue;
        const char *path = hk_path_join(arena, hk_path_folder(arena, b->file), b->fmu);
        hk_ctx *quiet =
            hk_ctx_create(NULL, NULL); /* what is wrong with it is said by who runs it */
        pairing p = {.r = &r, .block = b};
        if (hk_chart_read(quiet, arena, path, b->type, &p.chart) == HK_OK &&
            hk_chart_ports_make(quiet, arena, p.chart, &p.ports) == HK_OK)
            look_at_pair(&p);
        hk_ctx_destroy(quiet);
    }
    return r.complaints.first;
}
