/* SPDX-License-Identifier: MIT
 *
 * What every name of a script means: a variable, a symbol, a channel, a definition. Each place that
 * binds a variable has one of its own, so values need no scopes later; each expression knows the
 * variables that it needs, so that what was not evaluated yet can be kept with their values. A
 * local definition needs all variables around it. */
#include "csp/csp_syntax.h"

#include "base/complaints.h"

#include <stdlib.h>
#include <string.h>

const char *const hk_csp_builtin_names[] = {"union", "Union",  "inter", "diff",
                                            "card",  "member", "empty"};
const size_t hk_csp_builtin_arity[] = {2, 1, 2, 2, 1, 2, 1};

typedef struct local {
    const char *name;
    uint32_t variable;             /* NONE: a definition */
    hk_csp_definition *definition; /* NULL: a variable */
} local;

typedef struct finder {
    hk_ctx *ctx;
    hk_csp_script *script;
    hk_status status;
    local *locals;
    size_t count, cap;
    bool *needed; /* per variable, for the union of lists */
    size_t needed_cap;
} finder;

static void complain(finder *f, const hk_place *at, const char *hint, const char *text) {
    if (f->status == HK_OK)
        f->status =
            hk_error(f->ctx, HK_E_LANGUAGE, hk_place_where(f->script->file, at), hint, "%s", text);
}

/* ---- variables that are needed -----------------------------------------------------------------
 */

typedef struct needs {
    uint32_t *all;
    size_t count, cap;
} needs;

static void need(finder *f, needs *n, uint32_t variable) {
    if (variable >= f->needed_cap) {
        size_t was = f->needed_cap;
        f->needed_cap = 2 * (size_t)variable + 64;
        f->needed = hk_realloc(f->needed, f->needed_cap * sizeof *f->needed);
        memset(f->needed + was, 0, (f->needed_cap - was) * sizeof *f->needed);
    }
    if (f->needed[variable])
        return;
    f->needed[variable] = true;
    HK_PUSH(n->all, n->count, n->cap, variable);
}

static void need_all(finder *f, needs *n, const uint32_t *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        need(f, n, all[i]);
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Keeps them in order, without those that EXPR binds itself: FROM and above. */
static void keep_needs(finder *f, needs *n, hk_csp_expr *e, uint32_t from) {
    size_t kept = 0;
    for (size_t i = 0; i < n->count; i++) {
        f->needed[n->all[i]] = false;
        if (n->all[i] < from)
            n->all[kept++] = n->all[i];
    }
    if (kept > 1)
        qsort(n->all, kept, sizeof *n->all, by_number);
    uint32_t *all = HK_NEW_ARRAY(f->script->arena, uint32_t, kept + 1);
    if (kept)
        memcpy(all, n->all, kept * sizeof *all);
    e->free = all;
    e->free_count = kept;
    hk_free(n->all);
}

/* ---- scopes ------------------------------------------------------------------------------------
 */

static const struct hk_csp_global *global_of(const finder *f, const char *name) {
    uint32_t number = hk_map_get(&f->script->globals, name);
    return number == HK_MAP_NONE ? NULL : &f->script->entries[number];
}

static void bind(finder *f, hk_csp_pattern *p) {
    const struct hk_csp_global *global = p->kind == HK_CSP_BOUND ? global_of(f, p->name) : NULL;
    if (global && global->kind == HK_CSP_IS_SYMBOL) {
        p->kind = HK_CSP_EQUAL_SYMBOL;
        p->number = global->index;
    } else if (p->kind == HK_CSP_BOUND) {
        p->number = f->script->variable_count++;
        local one = {.name = p->name, .variable = (uint32_t)p->number};
        HK_PUSH(f->locals, f->count, f->cap, one);
    }
    for (size_t i = 0; i < p->part_count; i++)
        bind(f, &p->parts[i]);
}

static const local *local_of(const finder *f, const char *name) {
    for (size_t i = f->count; i-- > 0;)
        if (strcmp(f->locals[i].name, name) == 0)
            return &f->locals[i];
    return NULL;
}

static void check_arity(finder *f, const hk_csp_expr *e, size_t arity) {
    if (e->kid_count != arity)
        complain(f, &e->at, NULL,
                 hk_arena_printf(f->script->arena, "'%s' has %zu argument%s, and %zu are given",
                                 e->name, arity, arity == 1 ? "" : "s", e->kid_count));
}

static bool find_builtin(hk_csp_expr *e) {
    for (size_t i = 0; i < HK_CSP_BUILTINS; i++)
        if (strcmp(e->name, hk_csp_builtin_names[i]) == 0) {
            e->kind = HK_CSP_BUILTIN;
            e->number = (int64_t)i;
            return true;
        }
    return false;
}

static void find_name(finder *f, hk_csp_expr *e) {
    const local *near = local_of(f, e->name);
    const struct hk_csp_global *global = near ? NULL : global_of(f, e->name);
    if (near && !near->definition) {
        e->kind = HK_CSP_VARIABLE;
        e->number = near->variable;
        check_arity(f, e, 0);
    } else if (near || (global && global->kind == HK_CSP_IS_DEFINITION)) {
        e->kind = HK_CSP_CALL;
        e->called = near ? near->definition : f->script->definitions[global->index];
        check_arity(f, e, e->called->arity);
    } else if (global) {
        e->kind = global->kind == HK_CSP_IS_SYMBOL ? HK_CSP_CONSTANT : HK_CSP_CHANNEL;
        e->number = global->index;
        check_arity(f, e, 0);
    } else if (find_builtin(e)) {
        check_arity(f, e, hk_csp_builtin_arity[e->number]);
    } else {
        const char *close = hk_map_closest(&f->script->globals, e->name);
        complain(f, &e->at, hk_hint_name(f->script->arena, close, NULL),
                 hk_arena_printf(f->script->arena, "nothing is called '%s'", e->name));
    }
}

/* ---- expressions -------------------------------------------------------------------------------
 */

static void find_in(finder *f, hk_csp_expr *e);

static void find_in_clause(finder *f, hk_csp_definition *d, hk_csp_clause *clause) {
    size_t locals = f->count;
    for (size_t i = 0; i < d->arity; i++)
        bind(f, &clause->patterns[i]);
    find_in(f, clause->body);
    f->count = locals;
}

/* The definitions know each other, and all variables that are there. */
static void find_in_let(finder *f, hk_csp_expr *e) {
    needs around = {0};
    for (size_t i = 0; i < f->count; i++) {
        if (!f->locals[i].definition)
            need(f, &around, f->locals[i].variable);
        else if (f->locals[i].definition->local)
            need_all(f, &around, f->locals[i].definition->around,
                     f->locals[i].definition->around_count);
    }
    hk_csp_expr list = {0};
    keep_needs(f, &around, &list, HK_CSP_NONE);
    for (size_t i = 0; i < e->definition_count; i++) {
        hk_csp_definition *d = &e->definitions[i];
        d->around = list.free;
        d->around_count = list.free_count;
        local one = {.name = d->name, .variable = HK_CSP_NONE, .definition = d};
        HK_PUSH(f->locals, f->count, f->cap, one);
    }
    for (size_t i = 0; i < e->definition_count && f->status == HK_OK; i++)
        for (size_t k = 0; k < e->definitions[i].clause_count; k++)
            find_in_clause(f, &e->definitions[i], &e->definitions[i].clauses[k]);
}

/* What is bound from left to right, each before what is behind it. */
static void find_in_parts(finder *f, hk_csp_expr *e) {
    for (size_t i = 0; i < e->range_count; i++) {
        find_in(f, e->ranges[i].of);
        if (e->ranges[i].pattern)
            bind(f, e->ranges[i].pattern);
    }
    for (size_t i = 0; i < e->field_count; i++) {
        hk_csp_field *field = &e->fields[i];
        if (field->given)
            find_in(f, field->given);
        if (field->among)
            find_in(f, field->among);
        if (field->pattern)
            bind(f, field->pattern);
    }
}

static void collect(finder *f, hk_csp_expr *e, uint32_t first) {
    needs n = {0};
    if (e->kind == HK_CSP_VARIABLE)
        need(f, &n, (uint32_t)e->number);
    if (e->kind == HK_CSP_CALL && e->called->local)
        need_all(f, &n, e->called->around, e->called->around_count);
    for (size_t i = 0; i < e->kid_count; i++)
        need_all(f, &n, e->kids[i]->free, e->kids[i]->free_count);
    for (size_t i = 0; i < e->range_count; i++)
        need_all(f, &n, e->ranges[i].of->free, e->ranges[i].of->free_count);
    for (size_t i = 0; i < e->field_count; i++) {
        const hk_csp_field *field = &e->fields[i];
        if (field->given)
            need_all(f, &n, field->given->free, field->given->free_count);
        if (field->among)
            need_all(f, &n, field->among->free, field->among->free_count);
    }
    for (size_t i = 0; i < e->definition_count; i++)
        need_all(f, &n, e->definitions[i].around, e->definitions[i].around_count);
    keep_needs(f, &n, e, first);
}

/* Variables that are bound in an expression are newer than those around it. */
static void find_in(finder *f, hk_csp_expr *e) {
    size_t locals = f->count;
    uint32_t first = f->script->variable_count;
    if (f->status != HK_OK)
        return;
    if (e->kind == HK_CSP_NAME)
        find_name(f, e);
    if (e->kind == HK_CSP_LET)
        find_in_let(f, e);
    bool shared = e->kind == HK_CSP_REPLICATED && e->number == HK_CSP_SHARED;
    if (shared) /* what is shared does not know what is repeated */
        find_in(f, e->kids[1]);
    find_in_parts(f, e);
    for (size_t i = 0; i < e->kid_count; i++)
        if (!shared || i != 1)
            find_in(f, e->kids[i]);
    f->count = locals;
    if (f->status == HK_OK)
        collect(f, e, first);
}

hk_status hk_csp_find_names(hk_ctx *ctx, hk_csp_script *s) {
    finder f = {.ctx = ctx, .script = s};
    for (size_t i = 0; i < s->channel_count; i++)
        for (size_t k = 0; k < s->channels[i].type_count; k++)
            if (i == 0 || s->channels[i].types != s->channels[i - 1].types)
                find_in(&f, s->channels[i].types[k]);
    for (size_t i = 0; i < s->definition_count; i++)
        for (size_t k = 0; k < s->definitions[i]->clause_count; k++)
            find_in_clause(&f, s->definitions[i], &s->definitions[i]->clauses[k]);
    for (size_t i = 0; i < s->assertion_count; i++) {
        find_in(&f, s->assertions[i].left);
        if (s->assertions[i].right)
            find_in(&f, s->assertions[i].right);
    }
    hk_free(f.locals);
    hk_free(f.needed);
    return f.status;
}
