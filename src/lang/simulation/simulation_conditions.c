/* SPDX-License-Identifier: MIT
 *
 * Conditions, and the expectations that consist of them. */
#include "lang/simulation/simulation_internal.h"
#include "text/parser.h"

#include <math.h>
#include <string.h>

static hk_status read_signal(hk_simread *r, const hk_operand *operand, hk_term *term,
                             const char **ret_words) {
    const char *name;
    HK_TRY(hk_simread_find_signal(r, &operand->path, &term->signal, &name));
    const hk_variable *v = hk_simread_variable(r, &term->signal);
    if (v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY || v->type == HK_TYPE_CLOCK)
        return hk_simread_error(r, HK_E_SCENARIO, &operand->path.at,
                                "numbers, Booleans and items can be compared",
                                "'%s' is of type %s, which cannot be compared", operand->path.text,
                                hk_type_name(v->type));
    term->is_signal = true;
    term->absolute = operand->absolute;
    *ret_words = operand->absolute ? hk_arena_printf(r->arena, "abs(%s)", name) : name;
    return HK_OK;
}

/* A literal is a value of what it is compared to, without its limits. */
static hk_status read_threshold(hk_simread *r, const hk_literal *literal, const hk_term *other,
                                bool relative, double *ret_number) {
    hk_slot slot = hk_simread_slot(r, &other->signal);
    slot.min = slot.max = NAN;
    if (relative) {
        slot.relative = true;
        slot.type = HK_TYPE_F64;
        slot.enumeration = NULL;
    }
    return hk_simread_number(r, literal, &slot, ret_number);
}

/* The right side is brought to the unit of the left one. */
static hk_status match_units(hk_simread *r, const hk_condition *c, const hk_term *a, hk_term *b) {
    const hk_slot x = hk_simread_slot(r, &a->signal), y = hk_simread_slot(r, &b->signal);
    double factor, offset;
    if (!x.uom || !y.uom)
        return HK_OK;
    if (!hk_uom_conversion(y.uom, x.uom, x.relative || y.relative, &factor, &offset))
        return hk_simread_error(r, HK_E_UNIT_MISMATCH, &c->at, NULL,
                                "'%s' is in '%s' and '%s' in '%s', so they cannot be compared",
                                c->left.path.text, x.unit, c->right.path.text, y.unit);
    b->converted = factor != 1 || offset != 0;
    b->factor = factor;
    b->offset = offset;
    return HK_OK;
}

static hk_status read_relation(hk_simread *r, const hk_condition *c, hk_relation *ret_relation) {
    static const char *const marks[] = {"<", "<=", ">", ">=", "==", "!="};
    if (!c->op)
        return hk_simread_missing(r, &c->at);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strcmp(c->op, marks[i]) == 0) {
            *ret_relation = (hk_relation)i;
            return HK_OK;
        }
    return hk_simread_error(r, HK_E_SCENARIO, &c->at,
                            "use one of < <= > >= == !=", "'%s' compares nothing", c->op);
}

static hk_status read_tolerance(hk_simread *r, const hk_condition *c, hk_test *test) {
    if (c->tolerance.kind == HK_LITERAL_NONE)
        return HK_OK;
    if (test->relation != HK_EQUAL && test->relation != HK_NOT_EQUAL)
        return hk_simread_error(r, HK_E_SCENARIO, &c->tolerance.at, "add it to the number",
                                "'within' belongs to '==' and '!=', not to '%s'", c->op);
    HK_TRY(read_threshold(r, &c->tolerance, test->left.is_signal ? &test->left : &test->right, true,
                          &test->tolerance));
    if (test->tolerance < 0)
        return hk_simread_error(r, HK_E_VALUE, &c->tolerance.at, NULL,
                                "a tolerance cannot be negative");
    return HK_OK;
}

static hk_status read_comparison(hk_simread *r, const hk_condition *c, hk_test *test) {
    const char *left = "", *right = "";
    bool a = *c->left.path.text != '\0', b = *c->right.path.text != '\0';
    hk_status status = a ? read_signal(r, &c->left, &test->left, &left) : HK_OK;
    if (b)
        HK_TRY(read_signal(r, &c->right, &test->right, &right));
    HK_TRY(status);
    HK_TRY(read_relation(r, c, &test->relation));
    if ((!a && c->left.value.kind == HK_LITERAL_NONE) ||
        (!b && c->right.value.kind == HK_LITERAL_NONE))
        return hk_simread_missing(r, &c->at);
    if (!a && !b)
        return hk_simread_error(r, HK_E_SCENARIO, &c->at,
                                "one side is a path: \"system.component.variable\" > 1",
                                "a condition between two constants never changes");
    if (a && b)
        HK_TRY(match_units(r, c, &test->left, &test->right));
    if (!a) {
        HK_TRY(read_threshold(r, &c->left.value, &test->right, false, &test->left.number));
        left = hk_simread_show_literal(r, &c->left.value);
    }
    if (!b) {
        HK_TRY(read_threshold(r, &c->right.value, &test->left, false, &test->right.number));
        right = hk_simread_show_literal(r, &c->right.value);
    }
    HK_TRY(read_tolerance(r, c, test));
    bool within = c->tolerance.kind != HK_LITERAL_NONE;
    test->words =
        hk_arena_printf(r->arena, "%s %s %s%s%s", left, c->op, right, within ? " within " : "",
                        within ? hk_simread_show_literal(r, &c->tolerance) : "");
    return HK_OK;
}

static const char *in_brackets(hk_simread *r, const hk_test *test, hk_test_kind outer) {
    bool needed = test->kind != HK_TEST_COMPARE && test->kind != outer &&
                  test->kind != HK_TEST_NOT && !(outer == HK_TEST_OR && test->kind == HK_TEST_AND);
    return needed || (outer == HK_TEST_NOT && test->kind != HK_TEST_COMPARE)
               ? hk_arena_printf(r->arena, "(%s)", test->words)
               : test->words;
}

hk_status hk_simread_condition(hk_simread *r, const hk_condition *c, const hk_place *at,
                               const hk_test **ret_test) {
    static const hk_test_kind kinds[] = {[HK_CONDITION_COMPARE] = HK_TEST_COMPARE,
                                         [HK_CONDITION_AND] = HK_TEST_AND,
                                         [HK_CONDITION_OR] = HK_TEST_OR,
                                         [HK_CONDITION_NOT] = HK_TEST_NOT};
    if (!c)
        return hk_simread_missing(r, at);
    hk_test *test = HK_NEW(r->arena, hk_test);
    test->kind = kinds[c->kind];
    if (c->kind == HK_CONDITION_COMPARE) {
        HK_TRY(read_comparison(r, c, test));
        *ret_test = test;
        return HK_OK;
    }
    hk_status status = hk_simread_condition(r, c->a, &c->at, &test->a);
    if (c->kind != HK_CONDITION_NOT)
        HK_TRY(hk_simread_condition(r, c->b, &c->at, &test->b));
    HK_TRY(status);
    const char *a = in_brackets(r, test->a, test->kind);
    test->words =
        c->kind == HK_CONDITION_NOT
            ? hk_arena_printf(r->arena, "not %s", a)
            : hk_arena_printf(r->arena, "%s %s %s", a, c->kind == HK_CONDITION_AND ? "and" : "or",
                              in_brackets(r, test->b, test->kind));
    *ret_test = test;
    return HK_OK;
}

/* ---- expectations */

static hk_status read_bounds(hk_simread *r, const hk_expectdecl *e, hk_expectation *x) {
    x->has_from = *e->from.text != '\0';
    x->has_to = *e->to.text != '\0';
    if (x->has_from)
        HK_TRY(hk_simread_time(r, "the time of an expectation", e->from.text, e->from.unit,
                               &e->from.at, &x->from));
    if (x->has_to)
        HK_TRY(hk_simread_time(r, "the time of an expectation", e->to.text, e->to.unit, &e->to.at,
                               &x->to));
    const hk_ratio start = r->model->experiment.start;
    if (x->has_from && r->has_times && hk_ratio_compare(x->from, start) < 0)
        return hk_simread_error(r, HK_E_TIME, &e->from.at, NULL,
                                "%s is before the start of the simulation, %s",
                                hk_simread_show_time(r, x->from), hk_simread_show_time(r, start));
    bool span = e->kind == HK_EXPECT_EVENTUALLY || e->kind == HK_EXPECT_AFTER;
    if (x->has_to && span && x->to.num < 0)
        return hk_simread_error(r, HK_E_TIME, &e->to.at, NULL,
                                "the time behind 'within' cannot be negative");
    if (e->kind == HK_EXPECT_EVENTUALLY && x->has_to &&
        !hk_ratio_add(x->to, x->has_from ? x->from : start, &x->to))
        return hk_simread_error(r, HK_E_TIME, &e->to.at, NULL, "the time is too large");
    bool window = e->kind == HK_EXPECT_ALWAYS || e->kind == HK_EXPECT_REQUIRE;
    if (window && x->has_from && x->has_to && hk_ratio_compare(x->to, x->from) < 0)
        return hk_simread_error(r, HK_E_TIME, &e->to.at, NULL,
                                "the expectation ends at %s, before it begins at %s",
                                hk_simread_show_time(r, x->to), hk_simread_show_time(r, x->from));
    return HK_OK;
}

static const char *expect_words(hk_simread *r, const hk_expectdecl *e, const hk_expectation *x) {
    const char *words = x->condition->words;
    hk_ratio span;
    switch (e->kind) {
    case HK_EXPECT_ALWAYS:
        words = hk_arena_printf(r->arena, "always %s", words);
        if (x->has_from)
            words =
                hk_arena_printf(r->arena, "%s from %s", words, hk_simread_show_time(r, x->from));
        return x->has_to
                   ? hk_arena_printf(r->arena, "%s to %s", words, hk_simread_show_time(r, x->to))
                   : words;
    case HK_EXPECT_EVENTUALLY:
        span = x->to;
        if (x->has_to)
            (void)hk_ratio_sub(x->to, x->has_from ? x->from : r->model->experiment.start, &span);
        return x->has_to ? hk_arena_printf(r->arena, "eventually %s within %s", words,
                                           hk_simread_show_time(r, span))
                         : hk_arena_printf(r->arena, "eventually %s", words);
    case HK_EXPECT_AT:
        return hk_arena_printf(r->arena, "at %s %s", hk_simread_show_time(r, x->from), words);
    case HK_EXPECT_AFTER:
        return hk_arena_printf(r->arena, "%s within %s after %s", words,
                               hk_simread_show_time(r, x->to), x->trigger->words);
    case HK_EXPECT_REQUIRE:
        break; /* hk_simread_requirement */
    }
    return words;
}

/* In `"x" < 10 "kN";` the text is the message, though it looks like a unit. */
static void warn_unit(hk_simread *r, const hk_expectdecl *e, const hk_expectation *x) {
    const hk_condition *c = e->kind == HK_EXPECT_AFTER ? e->trigger : e->condition;
    const hk_test *test = e->kind == HK_EXPECT_AFTER ? x->trigger : x->condition;
    bool timed = (e->kind == HK_EXPECT_ALWAYS && (x->has_from || x->has_to)) ||
                 (e->kind == HK_EXPECT_EVENTUALLY && x->has_to);
    while (c->kind != HK_CONDITION_COMPARE) {
        c = c->b ? c->b : c->a;
        test = test->b ? test->b : test->a;
    }
    const hk_literal *last = c->tolerance.kind != HK_LITERAL_NONE ? &c->tolerance : &c->right.value;
    hk_uom uom;
    double factor, offset;
    if (timed || !*e->message.text || last->kind != HK_LITERAL_NUMBER || last->unit ||
        !test->left.is_signal || !hk_uom_parse(e->message.text, &uom))
        return;
    const hk_slot slot = hk_simread_slot(r, &test->left.signal);
    if (slot.uom && hk_uom_conversion(&uom, slot.uom, true, &factor, &offset))
        hk_warn(r->ctx, HK_E_SCENARIO, hk_simread_where(r, &e->message.at),
                hk_is_path(e->message.text)
                    ? hk_arena_printf(r->arena,
                                      "for a unit write %s%s, or put the comparison in brackets",
                                      last->text, e->message.text)
                    : "for a unit put the comparison in brackets",
                "\"%s\" is the message of the expectation, not the unit of %s", e->message.text,
                last->text);
}

static hk_status read_expectation(hk_simread *r, const hk_expectdecl *e, hk_expectation *x) {
    static const hk_expectation_kind kinds[] = {[HK_EXPECT_ALWAYS] = HK_ALWAYS,
                                                [HK_EXPECT_EVENTUALLY] = HK_EVENTUALLY,
                                                [HK_EXPECT_AT] = HK_AT_TIME,
                                                [HK_EXPECT_AFTER] = HK_AFTER};
    if (e->kind == HK_EXPECT_REQUIRE) {
        *x = (hk_expectation){.kind = HK_MEASURED, .where = hk_simread_where(r, &e->at)};
        hk_status found = hk_simread_requirement(r, e->require, x);
        HK_TRY(read_bounds(r, e, x));
        return found;
    }
    *x = (hk_expectation){.kind = kinds[e->kind], .where = hk_simread_where(r, &e->at)};
    hk_status status = hk_simread_condition(r, e->condition, &e->at, &x->condition);
    if (e->kind == HK_EXPECT_AFTER)
        HK_TRY(hk_simread_condition(r, e->trigger, &e->at, &x->trigger));
    HK_TRY(read_bounds(r, e, x));
    HK_TRY(status);
    if ((e->kind == HK_EXPECT_AT && !x->has_from) || (e->kind == HK_EXPECT_AFTER && !x->has_to))
        return hk_simread_missing(r, &e->at);
    x->message = *e->message.text ? hk_arena_strdup(r->arena, e->message.text) : NULL;
    x->words = expect_words(r, e, x);
    warn_unit(r, e, x);
    return HK_OK;
}

void hk_simread_expectations(hk_simread *r, const hk_scenariodecl *decl, hk_scenario *scenario) {
    scenario->expectations = HK_NEW_ARRAY(r->arena, hk_expectation, decl->expect_count + 1);
    for (size_t i = 0; i < decl->expect_count; i++) {
        hk_expectation *x = &scenario->expectations[scenario->expectation_count];
        if (read_expectation(r, &decl->expects[i], x) == HK_OK)
            scenario->expectation_count++;
    }
}
