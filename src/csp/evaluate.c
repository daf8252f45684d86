/* SPDX-License-Identifier: MIT
 *
 * The values of expressions. Sizes of sets, levels and work are limited, since a script may ask for
 * anything. */
#include "csp/machine.h"

#include <string.h>

enum { SET_MAX = 1 << 20, NESTING_MAX = 1000 };
static const uint64_t work_max = UINT64_C(50000000);

typedef struct list {
    uint32_t *all;
    size_t count, cap;
} list;

bool hk_csp_work(hk_csp_machine *m, const hk_csp_expr *at) {
    if (++m->work > work_max)
        hk_csp_wrong(m, at, "there is too much to calculate");
    return m->status == HK_OK;
}

static bool expect(hk_csp_machine *m, const hk_csp_expr *e, uint32_t value,
                   hk_csp_value_kind kind) {
    static const char *const words[] = {"",        "a number", "a truth", "a symbol",
                                        "a tuple", "a set",    "an event"};
    if (m->status == HK_OK && hk_csp_kind_of(m, value) != kind)
        hk_csp_wrong(m, e, "this is to be %s, and is %s", words[kind],
                     words[hk_csp_kind_of(m, value)]);
    return m->status == HK_OK;
}

uint32_t hk_csp_evaluate_set(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t value = hk_csp_evaluate(m, e);
    return expect(m, e, value, HK_VALUE_SET) ? value : m->empty;
}

static int64_t number_of(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t value = hk_csp_evaluate(m, e);
    return expect(m, e, value, HK_VALUE_INT) ? hk_csp_int_of(m, value) : 0;
}

static uint32_t make_truth(hk_csp_machine *m, bool truth) {
    return hk_csp_make(m, HK_VALUE_TRUTH, &(uint32_t){truth}, 1);
}

static bool truth_of(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t value = hk_csp_evaluate(m, e);
    size_t count;
    return expect(m, e, value, HK_VALUE_TRUTH) && hk_csp_words(m, value, &count)[0];
}

/* A copy, since values may move. */
static uint32_t *copy_words(const hk_csp_machine *m, uint32_t value, size_t *ret_count) {
    const uint32_t *words = hk_csp_words(m, value, ret_count);
    uint32_t *all = hk_alloc((*ret_count + 1) * sizeof *all);
    if (*ret_count)
        memcpy(all, words, *ret_count * sizeof *all);
    return all;
}

/* ---- patterns, calls and ranges ----------------------------------------------------------------
 */

bool hk_csp_match(hk_csp_machine *m, const hk_csp_pattern *p, uint32_t value) {
    hk_csp_value_kind kind = hk_csp_kind_of(m, value);
    size_t count;
    const uint32_t *words = hk_csp_words(m, value, &count);
    switch (p->kind) {
    case HK_CSP_ANYTHING:
        return true;
    case HK_CSP_BOUND:
        m->bound[p->number] = value;
        return true;
    case HK_CSP_EQUAL_NUMBER:
        return kind == HK_VALUE_INT && hk_csp_int_of(m, value) == p->number;
    case HK_CSP_EQUAL_SYMBOL:
        return kind == HK_VALUE_SYMBOL && words[0] == (uint32_t)p->number;
    case HK_CSP_PARTS:
        break;
    }
    if (kind != HK_VALUE_TUPLE || count != p->part_count)
        return false;
    for (size_t i = 0; i < count; i++) /* nothing is made here, so the words do not move */
        if (!hk_csp_match(m, &p->parts[i], words[i]))
            return false;
    return true;
}

/* The clause that fits; its variables are bound. NULL: none does, or a mistake. */
static const hk_csp_clause *choose(hk_csp_machine *m, const hk_csp_expr *call) {
    const hk_csp_definition *d = call->called;
    uint32_t *values = hk_alloc((d->arity + 1) * sizeof *values);
    const hk_csp_clause *chosen = NULL;
    for (size_t i = 0; i < d->arity; i++)
        values[i] = hk_csp_evaluate(m, call->kids[i]);
    for (size_t k = 0; k < d->clause_count && !chosen && m->status == HK_OK; k++) {
        bool fits = true;
        for (size_t i = 0; i < d->arity && fits; i++)
            fits = hk_csp_match(m, &d->clauses[k].patterns[i], values[i]);
        chosen = fits ? &d->clauses[k] : NULL;
    }
    hk_free(values);
    if (!chosen)
        hk_csp_wrong(m, call, "no clause of '%s' fits these arguments", d->name);
    return chosen;
}

static void save_pattern(const hk_csp_machine *m, const hk_csp_pattern *p, list *saved) {
    if (p->kind == HK_CSP_BOUND) {
        HK_PUSH(saved->all, saved->count, saved->cap, (uint32_t)p->number);
        HK_PUSH(saved->all, saved->count, saved->cap, m->bound[p->number]);
    }
    for (size_t i = 0; i < p->part_count; i++)
        save_pattern(m, &p->parts[i], saved);
}

static void put_back(hk_csp_machine *m, list *saved) {
    for (size_t i = 0; i < saved->count; i += 2)
        m->bound[saved->all[i]] = saved->all[i + 1];
    hk_free(saved->all);
}

uint32_t hk_csp_call(hk_csp_machine *m, const hk_csp_expr *call, hk_csp_use_fn *use) {
    const hk_csp_definition *d = call->called;
    list saved = {0}; /* it may be called from inside of itself */
    for (size_t k = 0; k < d->clause_count; k++)
        for (size_t i = 0; i < d->arity; i++)
            save_pattern(m, &d->clauses[k].patterns[i], &saved);
    const hk_csp_clause *clause = choose(m, call);
    uint32_t result = clause ? use(m, clause->body) : 0;
    put_back(m, &saved);
    return result;
}

static uint32_t call(hk_csp_machine *m, const hk_csp_expr *e) {
    hk_csp_definition *d = e->called;
    bool constant = !d->arity && !d->local;
    if (constant && d->cached != HK_CSP_NONE)
        return d->cached;
    uint32_t value = hk_csp_call(m, e, hk_csp_evaluate);
    if (constant && m->status == HK_OK)
        d->cached = value;
    return value;
}

bool hk_csp_for_ranges(hk_csp_machine *m, const hk_csp_expr *e, size_t from, hk_csp_visit_fn *visit,
                       void *user) {
    if (from == e->range_count)
        return hk_csp_work(m, e) && visit(m, user);
    const hk_csp_range *range = &e->ranges[from];
    if (!range->pattern) {
        bool holds = truth_of(m, range->of);
        return m->status == HK_OK && (!holds || hk_csp_for_ranges(m, e, from + 1, visit, user));
    }
    uint32_t set = hk_csp_evaluate_set(m, range->of);
    if (m->status != HK_OK)
        return false;
    size_t count;
    uint32_t *all = copy_words(m, set, &count);
    list saved = {0}; /* this place may be come to again from inside */
    save_pattern(m, range->pattern, &saved);
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        if (hk_csp_match(m, range->pattern, all[i]))
            good = hk_csp_for_ranges(m, e, from + 1, visit, user);
    put_back(m, &saved);
    hk_free(all);
    return good;
}

/* ---- sets --------------------------------------------------------------------------------------
 */

static bool add_to(hk_csp_machine *m, const hk_csp_expr *e, list *to, uint32_t value) {
    if (to->count >= SET_MAX)
        hk_csp_wrong(m, e, "this set has more than %d members", SET_MAX);
    else
        HK_PUSH(to->all, to->count, to->cap, value);
    return m->status == HK_OK;
}

static uint32_t make_set(hk_csp_machine *m, list *members) {
    uint32_t set = m->status == HK_OK ? hk_csp_make_set(m, members->all, members->count) : 0;
    hk_free(members->all);
    return set;
}

typedef struct comprehension {
    const hk_csp_expr *e;
    list members;
} comprehension;

static bool visit_member(hk_csp_machine *m, void *user) {
    comprehension *c = user;
    return add_to(m, c->e, &c->members, hk_csp_evaluate(m, c->e->kids[0]));
}

/* All events that begin with the words of an incomplete one. */
static bool complete(hk_csp_machine *m, const hk_csp_expr *e, list *to, uint32_t *words,
                     size_t count) {
    const hk_csp_channel *channel = &m->script->channels[words[0]];
    if (count == channel->type_count + 1)
        return add_to(m, e, to, hk_csp_make(m, HK_VALUE_EVENT, words, count));
    uint32_t set = hk_csp_field_set(m, words[0], count - 1);
    if (m->status != HK_OK)
        return false;
    size_t choices;
    uint32_t *all = copy_words(m, set, &choices);
    bool good = true;
    for (size_t i = 0; i < choices && good; i++) {
        words[count] = all[i];
        good = complete(m, e, to, words, count + 1);
    }
    hk_free(all);
    return good;
}

static uint32_t completions(hk_csp_machine *m, const hk_csp_expr *e) {
    list members = {0};
    for (size_t i = 0; i < e->kid_count && m->status == HK_OK; i++) {
        uint32_t value = hk_csp_evaluate(m, e->kids[i]);
        if (!expect(m, e->kids[i], value, HK_VALUE_EVENT))
            break;
        size_t count;
        const uint32_t *words = hk_csp_words(m, value, &count);
        size_t whole = m->script->channels[words[0]].type_count + 1;
        uint32_t *row = hk_alloc((whole + 1) * sizeof *row);
        memcpy(row, words, count * sizeof *row);
        complete(m, e, &members, row, count);
        hk_free(row);
    }
    return make_set(m, &members);
}

static uint32_t range(hk_csp_machine *m, const hk_csp_expr *e) {
    int64_t from = number_of(m, e->kids[0]), to = number_of(m, e->kids[1]);
    list members = {0};
    for (int64_t i = from; i <= to && m->status == HK_OK; i++)
        add_to(m, e, &members, hk_csp_make_int(m, i));
    return make_set(m, &members);
}

/* ---- other values ------------------------------------------------------------------------------
 */

static uint32_t row_of(hk_csp_machine *m, const hk_csp_expr *e, hk_csp_value_kind kind) {
    list members = {0};
    for (size_t i = 0; i < e->kid_count && m->status == HK_OK; i++)
        add_to(m, e, &members, hk_csp_evaluate(m, e->kids[i]));
    if (kind == HK_VALUE_SET)
        return make_set(m, &members);
    uint32_t value = m->status == HK_OK ? hk_csp_make(m, kind, members.all, members.count) : 0;
    hk_free(members.all);
    return value;
}

/* "channel.a.b": an event, complete or not. */
static uint32_t dotted(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t first = hk_csp_evaluate(m, e->kids[0]);
    if (!expect(m, e->kids[0], first, HK_VALUE_EVENT))
        return 0;
    size_t count;
    uint32_t *head = copy_words(m, first, &count);
    list words = {head, count, count + 1};
    const hk_csp_channel *channel = &m->script->channels[head[0]];
    for (size_t i = 1; i < e->kid_count && m->status == HK_OK; i++) {
        uint32_t value = hk_csp_evaluate(m, e->kids[i]);
        if (m->status == HK_OK && words.count > channel->type_count)
            hk_csp_wrong(m, e, "'%s' has %zu field%s, and more are given", channel->name,
                         channel->type_count, channel->type_count == 1 ? "" : "s");
        else if (m->status == HK_OK &&
                 !hk_csp_has(m, hk_csp_field_set(m, words.all[0], words.count - 1), value))
            hk_csp_wrong(m, e->kids[i], "field %zu of '%s' cannot be %s", words.count,
                         channel->name, hk_csp_value_text(m->script->arena, m, value));
        HK_PUSH(words.all, words.count, words.cap, value);
    }
    uint32_t value =
        m->status == HK_OK ? hk_csp_make(m, HK_VALUE_EVENT, words.all, words.count) : 0;
    hk_free(words.all);
    return value;
}

static int64_t modulo(hk_csp_machine *m, const hk_csp_expr *e, int64_t a, int64_t b) {
    if (b <= 0)
        hk_csp_wrong(m, e, "this divides by what is not above 0");
    return b > 0 ? ((a % b) + b) % b : 0;
}

static uint32_t calculate(hk_csp_machine *m, const hk_csp_expr *e, int64_t a, int64_t b) {
    char sign = *e->name;
    int64_t result = 0;
    bool over = false;
    if (sign == '+')
        over = __builtin_add_overflow(a, b, &result);
    else if (sign == '-')
        over = __builtin_sub_overflow(a, b, &result);
    else if (sign == '*')
        over = __builtin_mul_overflow(a, b, &result);
    else if (sign == '%')
        result = modulo(m, e, a, b);
    else
        result = (a - modulo(m, e, a, b)) / (b > 0 ? b : 1);
    if (over || result > INT32_MAX || result < -INT32_MAX)
        hk_csp_wrong(m, e, "this number is too large");
    return m->status == HK_OK ? hk_csp_make_int(m, result) : 0;
}

static uint32_t operate(hk_csp_machine *m, const hk_csp_expr *e) {
    const char *sign = e->name;
    if (strcmp(sign, "not") == 0)
        return make_truth(m, !truth_of(m, e->kids[0]));
    if (strcmp(sign, "and") == 0)
        return make_truth(m, truth_of(m, e->kids[0]) && truth_of(m, e->kids[1]));
    if (strcmp(sign, "or") == 0)
        return make_truth(m, truth_of(m, e->kids[0]) || truth_of(m, e->kids[1]));
    if (strcmp(sign, "==") == 0 || strcmp(sign, "!=") == 0) {
        uint32_t a = hk_csp_evaluate(m, e->kids[0]), b = hk_csp_evaluate(m, e->kids[1]);
        return make_truth(m, (a == b) == (*sign == '='));
    }
    int64_t a = number_of(m, e->kids[0]), b = number_of(m, e->kids[1]);
    if (m->status != HK_OK)
        return 0;
    if (*sign == '<' || *sign == '>') {
        bool equal = sign[1] == '=' && a == b;
        return make_truth(m, equal || (*sign == '<' ? a < b : a > b));
    }
    return calculate(m, e, a, b);
}

/* Members of A, and of B that A does not have, or those that B has or has not. */
static uint32_t combine(hk_csp_machine *m, const hk_csp_expr *e, hk_csp_builtin which) {
    uint32_t a = hk_csp_evaluate_set(m, e->kids[0]), b = hk_csp_evaluate_set(m, e->kids[1]);
    list members = {0};
    if (m->status != HK_OK)
        return 0;
    size_t count, more;
    const uint32_t *of_a = hk_csp_words(m, a, &count);
    for (size_t i = 0; i < count; i++)
        if (which == HK_CSP_UNION || hk_csp_has(m, b, of_a[i]) == (which == HK_CSP_INTER))
            add_to(m, e, &members, of_a[i]);
    const uint32_t *of_b = hk_csp_words(m, b, &more);
    for (size_t i = 0; which == HK_CSP_UNION && i < more; i++)
        add_to(m, e, &members, of_b[i]);
    return make_set(m, &members);
}

static uint32_t big_union(hk_csp_machine *m, const hk_csp_expr *e) {
    uint32_t sets = hk_csp_evaluate_set(m, e->kids[0]);
    list members = {0};
    size_t count;
    const uint32_t *all = m->status == HK_OK ? hk_csp_words(m, sets, &count) : NULL;
    for (size_t i = 0; all && i < count && expect(m, e, all[i], HK_VALUE_SET); i++) {
        size_t own;
        const uint32_t *words = hk_csp_words(m, all[i], &own);
        for (size_t k = 0; k < own; k++)
            add_to(m, e, &members, words[k]);
    }
    return make_set(m, &members);
}

static uint32_t builtin(hk_csp_machine *m, const hk_csp_expr *e) {
    size_t count;
    switch ((hk_csp_builtin)e->number) {
    case HK_CSP_UNION:
    case HK_CSP_INTER:
    case HK_CSP_DIFF:
        return combine(m, e, (hk_csp_builtin)e->number);
    case HK_CSP_BIG_UNION:
        return big_union(m, e);
    case HK_CSP_CARD:
        hk_csp_words(m, hk_csp_evaluate_set(m, e->kids[0]), &count);
        return hk_csp_make_int(m, (int64_t)count);
    case HK_CSP_MEMBER: {
        uint32_t value = hk_csp_evaluate(m, e->kids[0]);
        uint32_t set = hk_csp_evaluate_set(m, e->kids[1]);
        return make_truth(m, m->status == HK_OK && hk_csp_has(m, set, value));
    }
    case HK_CSP_EMPTY:
        hk_csp_words(m, hk_csp_evaluate_set(m, e->kids[0]), &count);
        return make_truth(m, count == 0);
    case HK_CSP_BUILTINS:
        break;
    }
    return 0;
}

static uint32_t evaluate(hk_csp_machine *m, const hk_csp_expr *e) {
    switch (e->kind) {
    case HK_CSP_NUMBER:
        return hk_csp_make_int(m, e->number);
    case HK_CSP_TRUTH:
        return make_truth(m, e->number);
    case HK_CSP_VARIABLE:
        return m->bound[e->number];
    case HK_CSP_CONSTANT:
        return hk_csp_make(m, HK_VALUE_SYMBOL, &(uint32_t){(uint32_t)e->number}, 1);
    case HK_CSP_CHANNEL:
        return hk_csp_make(m, HK_VALUE_EVENT, &(uint32_t){(uint32_t)e->number}, 1);
    case HK_CSP_CALL:
        return call(m, e);
    case HK_CSP_BUILTIN:
        return builtin(m, e);
    case HK_CSP_TUPLE:
        return row_of(m, e, HK_VALUE_TUPLE);
    case HK_CSP_SET:
        return row_of(m, e, HK_VALUE_SET);
    case HK_CSP_RANGE:
        return range(m, e);
    case HK_CSP_COMPLETIONS:
        return completions(m, e);
    case HK_CSP_COMPREHENSION: {
        comprehension c = {.e = e};
        hk_csp_for_ranges(m, e, 0, visit_member, &c);
        return make_set(m, &c.members);
    }
    case HK_CSP_DOTTED:
        return dotted(m, e);
    case HK_CSP_OPERATION:
        return operate(m, e);
    case HK_CSP_IF: {
        bool holds = truth_of(m, e->kids[0]);
        return hk_csp_evaluate(m, e->kids[holds ? 1 : 2]);
    }
    case HK_CSP_LET:
        return hk_csp_evaluate(m, e->kids[0]);
    default:
        hk_csp_wrong(m, e, "this is a process, and is to be a value");
        return 0;
    }
}

uint32_t hk_csp_evaluate(hk_csp_machine *m, const hk_csp_expr *e) {
    if (!hk_csp_work(m, e))
        return 0;
    if (m->nesting >= NESTING_MAX) {
        hk_csp_wrong(m, e, "this calls itself too often");
        return 0;
    }
    m->nesting++;
    uint32_t value = evaluate(m, e);
    m->nesting--;
    return m->status == HK_OK ? value : 0;
}
