/* SPDX-License-Identifier: MIT
 *
 * Declarations of a CSPm script: types, channels, definitions and what is asserted. A definition
 * ends where nothing that follows can go on with it. */
#include "csp/parse_internal.h"

#include <string.h>

/* ---- nodes -------------------------------------------------------------------------------------
 */

hk_csp_expr *hk_csp_new(hk_csp_parser *c, hk_csp_kind kind, hk_place at) {
    hk_csp_script *s = c->script;
    hk_csp_expr *e = HK_NEW(s->arena, hk_csp_expr);
    e->kind = kind;
    e->at = at;
    e->index = (uint32_t)s->expr_count;
    HK_PUSH(s->exprs, s->expr_count, s->expr_cap, e);
    return e;
}

bool hk_csp_give(hk_csp_parser *c, hk_csp_expr *expr, hk_csp_expr *const *kids, size_t count) {
    expr->kids = HK_NEW_ARRAY(c->script->arena, hk_csp_expr *, count + 1);
    expr->kid_count = count;
    for (size_t i = 0; i < count; i++) {
        expr->kids[i] = kids[i];
        if (kids[i]->height + 1 > expr->height)
            expr->height = kids[i]->height + 1;
    }
    return expr->height <= HK_CSP_HEIGHT_MAX ||
           hk_parser_error(&c->p, expr->at.line, expr->at.column, NULL,
                           "this is nested too deeply");
}

/* ---- names -------------------------------------------------------------------------------------
 */

static bool add_global(hk_csp_parser *c, const char *name, struct hk_csp_global entry,
                       const hk_place *at) {
    hk_csp_script *s = c->script;
    uint32_t number = hk_map_put(&s->globals, name, (uint32_t)s->entry_count);
    if (number < s->entry_count)
        return hk_parser_error(&c->p, at->line, at->column, NULL, "'%s' is declared twice", name);
    HK_PUSH(s->entries, s->entry_count, s->entry_cap, entry);
    return true;
}

static bool read_name(hk_csp_parser *c, const char *what, const char **ret_name, hk_place *ret_at) {
    *ret_at = hk_parser_here(&c->p);
    if (c->p.token.kind != HK_TOKEN_WORD || hk_parser_is(&c->p, "_"))
        return hk_parser_unexpected(&c->p, what, NULL);
    *ret_name = c->p.token.text;
    hk_parser_take(&c->p);
    return true;
}

/* Clauses of one function are together. */
static hk_csp_definition *new_definition(hk_csp_parser *c, hk_list *list, const char *name) {
    hk_csp_definition **all = list->data;
    if (list->count && strcmp(all[list->count - 1]->name, name) == 0)
        return all[list->count - 1];
    hk_csp_definition *d = HK_NEW(c->script->arena, hk_csp_definition);
    d->name = name;
    d->cached = HK_CSP_NONE;
    d->at = hk_parser_here(&c->p);
    hk_list_add(list, &d);
    return d;
}

/* ---- declarations ------------------------------------------------------------------------------
 */

/* datatype T = A | B: T is the set of them. */
static bool read_datatype(hk_csp_parser *c, hk_list *definitions) {
    const char *name = "";
    hk_place at;
    hk_parser_take(&c->p);
    if (!read_name(c, "the name of a type", &name, &at) || !hk_parser_expect_mark(&c->p, "="))
        return false;
    hk_csp_expr *set = hk_csp_new(c, HK_CSP_SET, at);
    hk_list kids = HK_LIST(hk_csp_expr *);
    bool good = true;
    do {
        const char *symbol = "";
        hk_place here;
        good = read_name(c, "a name", &symbol, &here);
        if (good && hk_parser_is_mark(&c->p, "."))
            good =
                hk_parser_error(&c->p, here.line, here.column, NULL,
                                "not in hocket's subset: a constructor with fields, '%s'", symbol);
        if (!good)
            break;
        hk_csp_script *s = c->script;
        hk_csp_expr *kid = hk_csp_new(c, HK_CSP_CONSTANT, here);
        kid->name = symbol;
        kid->number = (int64_t)s->symbol_count;
        good = add_global(
            c, symbol, (struct hk_csp_global){HK_CSP_IS_SYMBOL, (uint32_t)s->symbol_count}, &here);
        HK_PUSH(s->symbols, s->symbol_count, s->symbol_cap, symbol);
        hk_list_add(&kids, &kid);
    } while (good && hk_parser_skip_mark(&c->p, "|"));
    good = hk_csp_give(c, set, kids.data, kids.count) && good;
    hk_free(kids.data);
    hk_csp_definition *d = new_definition(c, definitions, name);
    if (d->clause_count)
        return hk_parser_error(&c->p, at.line, at.column, NULL, "'%s' is declared twice", name);
    d->clauses = HK_NEW(c->script->arena, hk_csp_clause);
    d->clauses[0] = (hk_csp_clause){.body = set, .at = at};
    d->clause_count = 1;
    return good;
}

/* channel a, b : T.U */
static bool read_channels(hk_csp_parser *c) {
    hk_csp_script *s = c->script;
    size_t first = s->channel_count;
    hk_parser_take(&c->p);
    do {
        hk_csp_channel channel = {0};
        if (!read_name(c, "the name of a channel", &channel.name, &channel.at) ||
            !add_global(c, channel.name,
                        (struct hk_csp_global){HK_CSP_IS_CHANNEL, (uint32_t)s->channel_count},
                        &channel.at))
            return false;
        HK_PUSH(s->channels, s->channel_count, s->channel_cap, channel);
    } while (hk_parser_skip_mark(&c->p, ","));
    if (!hk_parser_skip_mark(&c->p, ":"))
        return true;
    hk_list types = HK_LIST(hk_csp_expr *);
    hk_csp_expr *type;
    do {
        type = hk_csp_atom(c);
        if (type)
            hk_list_add(&types, &type);
    } while (type && hk_parser_skip_mark(&c->p, "."));
    size_t count = types.count;
    hk_csp_expr **all = hk_list_keep(s->arena, &types);
    for (size_t i = first; i < s->channel_count; i++) {
        s->channels[i].types = all;
        s->channels[i].type_count = count;
    }
    return type != NULL;
}

bool hk_csp_read_clause(hk_csp_parser *c, hk_list *list) {
    const char *name = "";
    hk_place at;
    if (!read_name(c, "a declaration", &name, &at))
        return false;
    hk_list patterns = HK_LIST(hk_csp_pattern);
    bool good = true;
    if (hk_parser_skip_mark(&c->p, "(")) {
        do {
            hk_csp_pattern *pattern = hk_csp_read_pattern(c);
            good = pattern != NULL;
            if (good)
                hk_list_add(&patterns, pattern);
        } while (good && hk_parser_skip_mark(&c->p, ","));
        good = good && hk_parser_expect_mark(&c->p, ")");
    }
    hk_csp_clause clause = {.at = at};
    size_t arity = patterns.count;
    clause.patterns = hk_list_keep(c->script->arena, &patterns);
    good = good && hk_parser_expect_mark(&c->p, "=");
    clause.body = good ? hk_csp_expression(c) : NULL;
    if (!clause.body)
        return false;
    hk_csp_definition *d = new_definition(c, list, name);
    if (d->clause_count && (d->arity != arity || !arity))
        return hk_parser_error(
            &c->p, at.line, at.column, NULL,
            arity ? "'%s' has another number of arguments above" : "'%s' is declared twice", name);
    if (!(d->clause_count & (d->clause_count - 1))) { /* a power of two: it is full */
        hk_csp_clause *all = HK_NEW_ARRAY(c->script->arena, hk_csp_clause, 2 * d->clause_count + 1);
        if (d->clause_count)
            memcpy(all, d->clauses, d->clause_count * sizeof *all);
        d->clauses = all;
    }
    d->clauses[d->clause_count++] = clause;
    d->arity = arity;
    d->at = d->clause_count == 1 ? at : d->at;
    return true;
}

/* ---- assertions --------------------------------------------------------------------------------
 */

/* ":[deadlock free [F]]" */
static bool read_property(hk_csp_parser *c, struct hk_csp_asserted *a) {
    hk_parser *p = &c->p;
    bool deadlock = hk_parser_skip(p, "deadlock");
    if (!deadlock && !hk_parser_skip(p, "divergence"))
        return hk_parser_unexpected(p, "'deadlock free' or 'divergence free'",
                                    "hocket looks for these two");
    a->shown.question = deadlock ? HK_CSP_DEADLOCK : HK_CSP_DIVERGES;
    if (!hk_parser_expect(p, "free"))
        return false;
    if (hk_parser_skip_mark(p, "[") &&
        ((!hk_parser_skip(p, "F") && !hk_parser_skip(p, "FD") && !hk_parser_expect(p, "F")) ||
         !hk_parser_expect_mark(p, "]")))
        return false;
    return hk_parser_expect_mark(p, "]");
}

/* The line from the token behind the one ahead, as it is shown. */
static const char *rest_of_line(hk_csp_parser *c) {
    const char *begin = c->p.lexer.at - strlen(c->p.next.text), *end = begin;
    while (end < c->p.lexer.end && *end != '\n' && *end)
        end++;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\r'))
        end--;
    return hk_arena_strndup(c->script->arena, begin, (size_t)(end - begin));
}

static bool read_assert(hk_csp_parser *c) {
    hk_parser *p = &c->p;
    hk_csp_script *s = c->script;
    struct hk_csp_asserted a = {.shown = {.line = p->token.line}};
    a.shown.text = p->next.kind == HK_TOKEN_WORD ? rest_of_line(c) : "";
    hk_parser_take(p);
    a.shown.negated = hk_parser_skip(p, "not");
    a.left = hk_csp_expression(c);
    if (!a.left)
        return false;
    if (hk_parser_is_mark(p, "[F=") || hk_parser_is_mark(p, "[FD="))
        return hk_parser_unexpected(p, "'[T=' or ':['", "hocket compares traces");
    if (hk_parser_skip_mark(p, ":")) {
        if (!hk_parser_expect_mark(p, "[") || !read_property(c, &a))
            return false;
    } else if (hk_parser_expect_mark(p, "[T=")) {
        a.shown.question = HK_CSP_REFINES;
        a.right = hk_csp_expression(c);
        if (!a.right)
            return false;
    } else {
        return false;
    }
    HK_PUSH(s->assertions, s->assertion_count, s->assertion_cap, a);
    return true;
}

/* ---- the script --------------------------------------------------------------------------------
 */

static bool read_declaration(hk_csp_parser *c, hk_list *definitions) {
    hk_parser *p = &c->p;
    if (hk_parser_is(p, "datatype"))
        return read_datatype(c, definitions);
    if (hk_parser_is(p, "channel"))
        return read_channels(c);
    if (hk_parser_is(p, "assert"))
        return read_assert(c);
    static const char *const others[] = {"subtype",  "external", "transparent", "include",
                                         "instance", "module",   "exports",     "print"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hk_parser_is(p, others[i]))
            return hk_parser_error(p, p->token.line, p->token.column, NULL,
                                   "not in hocket's subset: %s", others[i]);
    hk_parser_skip(p, "nametype"); /* a name for a set is a definition */
    return hk_csp_read_clause(c, definitions);
}

static bool keep_definitions(hk_csp_parser *c, hk_list *list) {
    hk_csp_script *s = c->script;
    bool good = true;
    s->definition_count = list->count;
    s->definitions = hk_list_keep(s->arena, list);
    for (uint32_t i = 0; i < s->definition_count; i++)
        good =
            add_global(c, s->definitions[i]->name, (struct hk_csp_global){HK_CSP_IS_DEFINITION, i},
                       &s->definitions[i]->at) &&
            good;
    return good;
}

hk_status hk_csp_read(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                      hk_csp_script **ret_script) {
    hk_csp_script *s = HK_NEW(arena, hk_csp_script);
    *s = (hk_csp_script){.arena = arena, .file = hk_arena_strdup(arena, text->file)};
    hk_csp_parser c = {.script = s};
    static const hk_level none = {0};
    hk_parser_begin_style(&c.p, ctx, arena, text, &none, HK_STYLE_CSPM);
    hk_list definitions = HK_LIST(hk_csp_definition *);
    bool good = true;
    while (good && c.p.token.kind != HK_TOKEN_END)
        good = read_declaration(&c, &definitions);
    good = keep_definitions(&c, &definitions) && good;
    hk_status status = hk_parser_finish(&c.p);
    HK_ASSERT(good == (status == HK_OK));
    if (status == HK_OK)
        status = hk_csp_find_names(ctx, s);
    if (status == HK_OK)
        status = hk_csp_find_sorts(ctx, s);
    if (status == HK_OK)
        *ret_script = s;
    else
        hk_csp_close(s);
    return status;
}

void hk_csp_close(hk_csp_script *s) {
    if (!s)
        return;
    hk_map_finish(&s->globals);
    hk_free(s->entries);
    hk_free(s->symbols);
    hk_free(s->channels);
    hk_free(s->exprs);
    hk_free(s->assertions);
}

size_t hk_csp_assertion_count(const hk_csp_script *script) {
    return script->assertion_count;
}

const hk_csp_assertion *hk_csp_assertion_at(const hk_csp_script *script, size_t index) {
    HK_ASSERT(index < script->assertion_count);
    return &script->assertions[index].shown;
}
