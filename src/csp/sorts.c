/* SPDX-License-Identifier: MIT
 *
 * What every expression of a script is: a process, an event, a set, a value, a condition. What
 * variables are is not known before they have values, and what depends on them is left to those who
 * work it out; all else is wrong wherever it stands, whether something comes to it or not. A
 * definition is what its clauses are, so the text is gone through until nothing more is found. */
#include "csp/csp_syntax.h"

#include <string.h>

enum { ROUNDS = 8 };

typedef struct sorter {
    hk_ctx *ctx;
    const hk_csp_script *script;
    hk_status status;
    bool news; /* more is known than before */
} sorter;

static const char *const words[] = {
    [HK_CSP_UNSORTED] = "something", [HK_CSP_A_PROCESS] = "a process",
    [HK_CSP_AN_EVENT] = "an event",  [HK_CSP_A_SET] = "a set",
    [HK_CSP_A_VALUE] = "a value",    [HK_CSP_A_CONDITION] = "a condition"};

static hk_csp_sort sort_of(sorter *s, const hk_csp_expr *e);

/* FOUND at E is WANTED, unless nothing is known about it. */
static void want(sorter *s, const hk_csp_expr *e, hk_csp_sort found, hk_csp_sort wanted) {
    bool fine = found == HK_CSP_UNSORTED || wanted == HK_CSP_UNSORTED || found == wanted ||
                (wanted == HK_CSP_A_VALUE && found != HK_CSP_A_PROCESS);
    if (!fine && s->status == HK_OK)
        s->status = hk_error(s->ctx, HK_E_LANGUAGE, hk_place_where(s->script->file, &e->at), NULL,
                             "this is %s, and is to be %s", words[found], words[wanted]);
}

static void expect(sorter *s, const hk_csp_expr *e, hk_csp_sort wanted) {
    if (s->status == HK_OK)
        want(s, e, sort_of(s, e), wanted);
}

static void expect_all(sorter *s, const hk_csp_expr *e, hk_csp_sort wanted) {
    for (size_t i = 0; i < e->kid_count; i++)
        expect(s, e->kids[i], wanted);
}

/* ---- values ------------------------------------------------------------------------------------
 */

static hk_csp_sort builtin_sort(sorter *s, const hk_csp_expr *e) {
    bool member = e->number == HK_CSP_MEMBER;
    for (size_t i = 0; i < e->kid_count; i++)
        expect(s, e->kids[i], member && i == 0 ? HK_CSP_A_VALUE : HK_CSP_A_SET);
    return member || e->number == HK_CSP_EMPTY ? HK_CSP_A_CONDITION
           : e->number == HK_CSP_CARD          ? HK_CSP_A_VALUE
                                               : HK_CSP_A_SET;
}

static hk_csp_sort operation_sort(sorter *s, const hk_csp_expr *e) {
    static const char *const joins[] = {"and", "or", "not"};
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
        if (strcmp(e->name, joins[i]) == 0) {
            expect_all(s, e, HK_CSP_A_CONDITION);
            return HK_CSP_A_CONDITION;
        }
    expect_all(s, e, HK_CSP_A_VALUE);
    return strchr("=!<>", *e->name) ? HK_CSP_A_CONDITION : HK_CSP_A_VALUE;
}

static void expect_ranges(sorter *s, const hk_csp_expr *e) {
    for (size_t i = 0; i < e->range_count; i++)
        expect(s, e->ranges[i].of, e->ranges[i].pattern ? HK_CSP_A_SET : HK_CSP_A_CONDITION);
}

static void learn(sorter *s, hk_csp_definition *d) {
    for (size_t i = 0; i < d->clause_count && s->status == HK_OK; i++) {
        hk_csp_sort found = sort_of(s, d->clauses[i].body);
        if (d->sort == HK_CSP_UNSORTED && found != HK_CSP_UNSORTED) {
            d->sort = found;
            s->news = true;
        } else {
            want(s, d->clauses[i].body, found, d->sort);
        }
    }
}

static hk_csp_sort choice_sort(sorter *s, const hk_csp_expr *e) {
    expect(s, e->kids[0], HK_CSP_A_CONDITION);
    hk_csp_sort one = sort_of(s, e->kids[1]), other = sort_of(s, e->kids[2]);
    if (one == HK_CSP_UNSORTED)
        return other;
    want(s, e->kids[2], other, one);
    return one;
}

/* ---- processes ---------------------------------------------------------------------------------
 */

/* The channel that E begins with, and how many fields it gives it; NULL: that is not known here. */
static const hk_csp_channel *channel_of(const sorter *s, const hk_csp_expr *e, size_t *ret_given) {
    const hk_csp_expr *first = e->kind == HK_CSP_DOTTED ? e->kids[0] : e;
    *ret_given = e->kind == HK_CSP_DOTTED ? e->kid_count - 1 : 0;
    return first->kind == HK_CSP_CHANNEL ? &s->script->channels[first->number] : NULL;
}

static void expect_prefix(sorter *s, const hk_csp_expr *e) {
    size_t given;
    const hk_csp_expr *event = e->fields[0].given;
    expect(s, event, HK_CSP_AN_EVENT);
    for (size_t i = 1; i < e->field_count; i++) {
        if (e->fields[i].given)
            expect(s, e->fields[i].given, HK_CSP_A_VALUE);
        if (e->fields[i].among)
            expect(s, e->fields[i].among, HK_CSP_A_SET);
    }
    const hk_csp_channel *channel = channel_of(s, event, &given);
    given += e->field_count - 1;
    if (channel && given != channel->type_count && s->status == HK_OK)
        s->status = hk_error(s->ctx, HK_E_LANGUAGE, hk_place_where(s->script->file, &e->at), NULL,
                             "'%s' has %zu fields, and %zu are given", channel->name,
                             channel->type_count, given);
    expect(s, e->kids[0], HK_CSP_A_PROCESS);
}

/* What is shared, hidden or an alphabet is a set, the others are processes. */
static void expect_joined(sorter *s, const hk_csp_expr *e) {
    for (size_t i = 0; i < e->kid_count; i++) {
        bool set = (e->kind == HK_CSP_SHARED && i == 0) ||
                   (e->kind == HK_CSP_ALPHABETS && i % 2 == 0) ||
                   ((e->kind == HK_CSP_HIDE || e->kind == HK_CSP_REPLICATED) && i == 1);
        expect(s, e->kids[i], set ? HK_CSP_A_SET : HK_CSP_A_PROCESS);
    }
}

static hk_csp_sort process_sort(sorter *s, const hk_csp_expr *e) {
    expect_ranges(s, e);
    if (e->kind == HK_CSP_PREFIX)
        expect_prefix(s, e);
    else
        expect_joined(s, e);
    return HK_CSP_A_PROCESS;
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static hk_csp_sort value_sort(sorter *s, const hk_csp_expr *e) {
    bool set = e->kind == HK_CSP_SET || e->kind == HK_CSP_RANGE ||
               e->kind == HK_CSP_COMPREHENSION || e->kind == HK_CSP_COMPLETIONS;
    size_t given;
    expect_ranges(s, e);
    expect_all(s, e, HK_CSP_A_VALUE);
    if (set)
        return HK_CSP_A_SET;
    return e->kind == HK_CSP_DOTTED && channel_of(s, e, &given) ? HK_CSP_AN_EVENT
           : e->kind == HK_CSP_DOTTED                           ? HK_CSP_UNSORTED
                                                                : HK_CSP_A_VALUE;
}

static hk_csp_sort sort_of(sorter *s, const hk_csp_expr *e) {
    if (s->status != HK_OK)
        return HK_CSP_UNSORTED;
    switch (e->kind) {
    case HK_CSP_NUMBER:
    case HK_CSP_CONSTANT:
        return HK_CSP_A_VALUE;
    case HK_CSP_TRUTH:
        return HK_CSP_A_CONDITION;
    case HK_CSP_CHANNEL:
        return HK_CSP_AN_EVENT;
    case HK_CSP_NAME:
    case HK_CSP_VARIABLE:
        return HK_CSP_UNSORTED;
    case HK_CSP_CALL:
        expect_all(s, e, HK_CSP_UNSORTED);
        return e->called->sort;
    case HK_CSP_BUILTIN:
        return builtin_sort(s, e);
    case HK_CSP_OPERATION:
        return operation_sort(s, e);
    case HK_CSP_IF:
        return choice_sort(s, e);
    case HK_CSP_LET:
        for (size_t i = 0; i < e->definition_count; i++)
            learn(s, &e->definitions[i]);
        return sort_of(s, e->kids[0]);
    case HK_CSP_SKIP:
    case HK_CSP_STOP:
        return HK_CSP_A_PROCESS;
    default:
        return e->kind < HK_CSP_IF ? value_sort(s, e) : process_sort(s, e);
    }
}

hk_status hk_csp_find_sorts(hk_ctx *ctx, const hk_csp_script *script) {
    sorter s = {.ctx = ctx, .script = script, .news = true};
    for (int round = 0; round < ROUNDS && s.news && s.status == HK_OK; round++) {
        s.news = false;
        for (size_t i = 0; i < script->channel_count; i++)
            for (size_t k = 0; k < script->channels[i].type_count; k++)
                if (i == 0 || script->channels[i].types != script->channels[i - 1].types)
                    expect(&s, script->channels[i].types[k], HK_CSP_A_SET);
        for (size_t i = 0; i < script->definition_count; i++)
            learn(&s, script->definitions[i]);
        for (size_t i = 0; i < script->assertion_count; i++) {
            expect(&s, script->assertions[i].left, HK_CSP_A_PROCESS);
            if (script->assertions[i].right)
                expect(&s, script->assertions[i].right, HK_CSP_A_PROCESS);
        }
    }
    return s.status;
}
