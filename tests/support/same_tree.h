/* SPDX-License-Identifier: MIT
 *
 * Two syntax trees are the same if they differ in lines and columns only. */
#ifndef HK_TEST_SAME_TREE_H
#define HK_TEST_SAME_TREE_H

#include "lang/syntax.h"

#include <string.h>

/* A and B are parameters of the function these are in. */
#define SAME(what, field)                                                                          \
    do {                                                                                           \
        if (!same_##what(&a->field, &b->field))                                                    \
            return false;                                                                          \
    } while (0)
#define SAME_VALUE(field)                                                                          \
    do {                                                                                           \
        if (a->field != b->field)                                                                  \
            return false;                                                                          \
    } while (0)
#define SAME_LIST(what, field, length)                                                             \
    do {                                                                                           \
        SAME_VALUE(length);                                                                        \
        for (size_t same_i = 0; same_i < a->length; same_i++)                                      \
            SAME(what, field[same_i]);                                                             \
    } while (0)
/* Pointers to one of it, or NULL. */
#define SAME_OPTIONAL(what, field)                                                                 \
    do {                                                                                           \
        if (!a->field != !b->field || (a->field && !same_##what(a->field, b->field)))              \
            return false;                                                                          \
    } while (0)

static inline bool same_text(const char *const *a, const char *const *b) {
    return (!*a && !*b) || (*a && *b && strcmp(*a, *b) == 0);
}

static inline bool same_place(const hk_place *a, const hk_place *b) {
    SAME_LIST(text, before, before_count);
    SAME(text, behind);
    return true;
}

static inline bool same_name(const hk_name *a, const hk_name *b) {
    SAME(text, text);
    SAME_VALUE(quoted);
    SAME(place, at);
    return true;
}

static inline bool same_number(const hk_number *a, const hk_number *b) {
    SAME(text, text);
    SAME(text, unit);
    SAME(place, at);
    return true;
}

static inline bool same_literal(const hk_literal *a, const hk_literal *b) {
    SAME_VALUE(kind);
    SAME(text, text);
    SAME(text, unit);
    SAME_LIST(literal, items, item_count);
    SAME(place, at);
    return true;
}

static inline bool same_decl(const hk_decl *a, const hk_decl *b) {
    SAME_VALUE(is_private);
    SAME(name, type);
    SAME(name, name);
    SAME(literal, start);
    SAME(name, unit);
    SAME(name, frame);
    SAME_VALUE(has_range);
    SAME(number, min);
    SAME(number, max);
    SAME(name, mode);
    SAME(place, at);
    return true;
}

static inline bool same_datatype(const hk_datatype *a, const hk_datatype *b) {
    SAME_VALUE(kind);
    SAME(name, name);
    SAME_LIST(decl, fields, field_count);
    SAME(name, element);
    SAME_LIST(number, sizes, size_count);
    SAME_LIST(name, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_function(const hk_functiondecl *a, const hk_functiondecl *b) {
    SAME(name, result);
    SAME(name, name);
    SAME_LIST(decl, arguments, argument_count);
    SAME(place, at);
    return true;
}

static inline bool same_interface(const hk_interfacedecl *a, const hk_interfacedecl *b) {
    SAME(name, name);
    SAME_LIST(function, functions, function_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_use(const hk_interfaceuse *a, const hk_interfaceuse *b) {
    SAME(name, interface);
    SAME(name, name);
    SAME(place, at);
    return true;
}

static inline bool same_leafsection(const hk_leafsection *a, const hk_leafsection *b) {
    SAME_VALUE(kind);
    if (a->kind == HK_SECTION_PROVIDED || a->kind == HK_SECTION_REQUIRED)
        SAME_LIST(use, uses, count);
    else
        SAME_LIST(decl, decls, count);
    SAME(name, value);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_leaftype(const hk_leaftype *a, const hk_leaftype *b) {
    SAME(name, name);
    SAME_LIST(leafsection, sections, section_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_typesection(const hk_typesection *a, const hk_typesection *b) {
    SAME_VALUE(kind);
    if (a->kind == HK_SECTION_DATATYPES)
        SAME_LIST(datatype, datatypes, count);
    else if (a->kind == HK_SECTION_INTERFACES)
        SAME_LIST(interface, interfaces, count);
    else
        SAME_LIST(leaftype, leaves, count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_declaration(const hk_declaration *a, const hk_declaration *b) {
    SAME(name, name);
    SAME_LIST(typesection, sections, section_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_types(const hk_typefile *a, const hk_typefile *b) {
    SAME_LIST(name, imports, import_count);
    SAME_LIST(declaration, declarations, declaration_count);
    SAME(place, end);
    return true;
}

static inline bool same_leafitem(const hk_leafitem *a, const hk_leafitem *b) {
    SAME_VALUE(kind);
    SAME(number, number);
    SAME(name, name);
    SAME(literal, value);
    SAME(name, word);
    SAME(place, at);
    return true;
}

static inline bool same_leaf(const hk_leaf *a, const hk_leaf *b) {
    SAME(name, name);
    SAME(name, type);
    SAME_LIST(leafitem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_link(const hk_link *a, const hk_link *b) {
    SAME(name, from);
    SAME_LIST(name, to, to_count);
    SAME(name, lag);
    SAME(number, delay);
    SAME(literal, initial);
    return true;
}

static inline bool same_way(const hk_way *a, const hk_way *b) {
    SAME_LIST(name, steps, count);
    return true;
}

static inline bool same_age(const hk_agedecl *a, const hk_agedecl *b) {
    SAME_LIST(way, ways, way_count);
    SAME(number, min);
    SAME(number, max);
    return true;
}

static inline bool same_composite(const hk_composite *a, const hk_composite *b);

static inline bool same_part(const hk_partdecl *a, const hk_partdecl *b) {
    SAME(name, type);
    SAME_LIST(leafitem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_entityitem(const hk_entityitem *a, const hk_entityitem *b) {
    SAME_VALUE(kind);
    SAME(name, name);
    SAME_OPTIONAL(part, part);
    SAME_OPTIONAL(leaf, leaf);
    SAME_OPTIONAL(link, link);
    SAME_LIST(entityitem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_entity(const hk_entitydecl *a, const hk_entitydecl *b) {
    SAME(name, name);
    SAME(number, copies);
    SAME_VALUE(dormant);
    SAME_LIST(entityitem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_worlditem(const hk_worlditem *a, const hk_worlditem *b) {
    SAME_VALUE(kind);
    SAME(name, plugin);
    SAME(number, number);
    SAME_OPTIONAL(leaf, system);
    SAME_OPTIONAL(entity, entity);
    SAME(place, at);
    return true;
}

static inline bool same_world(const hk_worlddecl *a, const hk_worlddecl *b) {
    SAME(name, name);
    SAME_LIST(worlditem, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_item(const hk_item *a, const hk_item *b) {
    SAME_VALUE(kind);
    SAME_OPTIONAL(composite, composite);
    SAME_OPTIONAL(leaf, leaf);
    SAME_OPTIONAL(world, world);
    SAME_OPTIONAL(decl, port);
    SAME_OPTIONAL(use, use);
    SAME_OPTIONAL(link, link);
    SAME_OPTIONAL(age, age);
    SAME(name, word);
    SAME(place, at);
    return true;
}

static inline bool same_composite(const hk_composite *a, const hk_composite *b) {
    SAME(name, name);
    SAME(name, role);
    SAME_LIST(item, items, item_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_system(const hk_systemfile *a, const hk_systemfile *b) {
    SAME(name, name);
    SAME_LIST(name, imports, import_count);
    SAME_LIST(name, plugins, plugin_count);
    SAME_OPTIONAL(composite, root);
    SAME(place, at);
    SAME(place, end);
    SAME(place, rest);
    return true;
}

static inline bool same_operand(const hk_operand *a, const hk_operand *b) {
    SAME(name, path);
    SAME_VALUE(absolute);
    SAME(literal, value);
    return true;
}

static inline bool same_condition(const hk_condition *a, const hk_condition *b) {
    SAME_VALUE(kind);
    SAME(operand, left);
    SAME(operand, right);
    SAME(text, op);
    SAME(literal, tolerance);
    SAME_OPTIONAL(condition, a);
    SAME_OPTIONAL(condition, b);
    return true;
}

/* A number in quotes has become a plain one. */
static inline bool same_argument(const hk_callargument *a, const hk_callargument *b) {
    SAME(name, label);
    SAME(name, name);
    SAME(place, at);
    if (a->value.kind == HK_LITERAL_TEXT && b->value.kind == HK_LITERAL_NUMBER)
        return same_text(&a->value.text, &b->value.text) && !b->value.unit;
    SAME(literal, value);
    return true;
}

static inline bool same_statement(const hk_statement *a, const hk_statement *b) {
    SAME_VALUE(kind);
    SAME(name, path);
    SAME(name, other);
    SAME(literal, value);
    SAME(number, over);
    SAME(name, word);
    SAME_LIST(argument, arguments, argument_count);
    SAME(place, at);
    return true;
}

static inline bool same_block(const hk_block *a, const hk_block *b) {
    SAME_VALUE(given);
    SAME_LIST(statement, statements, count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_event(const hk_eventdecl *a, const hk_eventdecl *b) {
    SAME_VALUE(kind);
    SAME(number, from);
    SAME(number, to);
    SAME_OPTIONAL(condition, condition);
    SAME_OPTIONAL(condition, until);
    SAME_VALUE(once);
    SAME(block, body);
    SAME(place, at);
    return true;
}

static inline bool same_require(const hk_requiredecl *a, const hk_requiredecl *b) {
    SAME(name, name);
    SAME(name, metric);
    SAME(name, path);
    SAME(literal, from);
    SAME(literal, to);
    SAME(literal, within);
    SAME(literal, min);
    SAME(literal, max);
    SAME(literal, reference);
    return true;
}

static inline bool same_expect(const hk_expectdecl *a, const hk_expectdecl *b) {
    SAME_VALUE(kind);
    SAME_OPTIONAL(condition, condition);
    SAME_OPTIONAL(condition, trigger);
    SAME_OPTIONAL(require, require);
    SAME(number, from);
    SAME(number, to);
    SAME(name, message);
    SAME(place, at);
    return true;
}

static inline bool same_log(const hk_logdecl *a, const hk_logdecl *b) {
    SAME(name, file);
    SAME(number, period);
    SAME_LIST(name, signals, signal_count);
    SAME(place, at);
    SAME(place, end);
    return true;
}

static inline bool same_scenario(const hk_scenariodecl *a, const hk_scenariodecl *b) {
    SAME(name, name);
    SAME(number, repetitions);
    SAME(block, begin);
    SAME(block, finish);
    SAME_LIST(event, events, event_count);
    SAME_LIST(expect, expects, expect_count);
    SAME_LIST(log, logs, log_count);
    SAME_VALUE(has_events);
    SAME_VALUE(has_expects);
    SAME_VALUE(has_logs);
    SAME(place, at);
    SAME(place, events_at);
    SAME(place, events_end);
    SAME(place, expects_at);
    SAME(place, expects_end);
    SAME(place, logs_at);
    SAME(place, logs_end);
    return true;
}

static inline bool same_scenarioparameter(const hk_scenarioparameter *a,
                                          const hk_scenarioparameter *b) {
    SAME(name, name);
    SAME(literal, value);
    SAME(place, at);
    return true;
}

static inline bool same_simulation(const hk_simulationfile *a, const hk_simulationfile *b) {
    SAME(name, name);
    SAME(name, unit);
    SAME(name, system);
    SAME(number, start);
    SAME(number, stop);
    SAME(number, step);
    SAME(number, seed);
    SAME_LIST(scenarioparameter, parameters, parameter_count);
    SAME(block, begin);
    SAME(block, finish);
    SAME_LIST(scenario, scenarios, scenario_count);
    SAME_VALUE(has_scenarios);
    SAME(place, scenarios_at);
    SAME(place, scenarios_end);
    SAME(place, at);
    SAME(place, end);
    return true;
}

#endif
