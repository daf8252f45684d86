/* SPDX-License-Identifier: MIT
 *
 * What a scenario does: the statements between braces of begin, end and events. */
#include "lang/simulation/parse_simulation.h"

#include <string.h>
#include <strings.h>

static const char *const action_words[] = {"bind",   "ramp", "fault",  "repair",   "finish",
                                           "remove", "add",  "change", "override", "release"};
static const hk_level action_level = {
    .words = action_words, .count = 10, .texts = true, .what = "a path in double quotes"};

static bool read_path(hk_parser *p, hk_name *ret_name) {
    return hk_parser_text(p, "a path in double quotes", ret_name);
}

static bool read_bind(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_BIND;
    return read_path(p, &s->path) && hk_parser_expect(p, "to") && read_path(p, &s->other);
}

static bool read_ramp(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_RAMP;
    return read_path(p, &s->path) && hk_parser_expect(p, "to") && hk_parser_literal(p, &s->value) &&
           hk_parser_expect(p, "over") && hk_parser_quantity(p, "a time", &s->over);
}

/* "from" [-> "to"] */
static bool read_ends(hk_parser *p, hk_statement *s) {
    return read_path(p, &s->path) && (!hk_parser_skip_mark(p, "->") || read_path(p, &s->other));
}

static bool read_fault(hk_parser *p, hk_statement *s) {
    static const char *const kinds[] = {"stuck", "bias", "scale",    "noise",
                                        "delay", "drop", "quantise", "disconnect"};
    s->kind = HK_SAY_FAULT;
    if (!read_ends(p, s) || !hk_parser_word(p, kinds, 8, &s->word))
        return false;
    bool none = strcmp(s->word.text, "disconnect") == 0;
    bool maybe = strcmp(s->word.text, "stuck") == 0;
    if (none || (maybe && hk_parser_is_mark(p, ";")))
        return true;
    return hk_parser_literal(p, &s->value);
}

static bool read_repair(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_REPAIR;
    return read_ends(p, s);
}

static bool read_finish(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_FINISH;
    if (p->token.kind == HK_TOKEN_NAME)
        return hk_parser_literal(p, &s->value);
    return hk_parser_is_mark(p, ";") ||
           hk_parser_unexpected(p, "the reason in double quotes or ';'", NULL);
}

static bool read_remove(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_REMOVE;
    return read_path(p, &s->path);
}

static bool read_add(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_ADD;
    return read_path(p, &s->path);
}

static bool read_change(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_CHANGE;
    return read_path(p, &s->path) && hk_parser_expect(p, "to") &&
           hk_parser_name(p, "the name of a variant", &s->word);
}

static bool read_override(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_OVERRIDE;
    return read_path(p, &s->path) && hk_parser_expect_mark(p, "=") &&
           hk_parser_literal(p, &s->value);
}

static bool read_release(hk_parser *p, hk_statement *s) {
    s->kind = HK_SAY_RELEASE;
    return read_path(p, &s->path);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static bool read_argument(hk_parser *p, hk_callargument *ret_argument) {
    hk_callargument argument = {
        .label = HK_MISSING, .name = HK_MISSING, .value = HK_MISSING, .at = hk_parser_here(p)};
    if (hk_token_is_mark(&p->next, ":")) {
        if (!hk_parser_name(p, "a label", &argument.label))
            return false;
        hk_parser_take(p);
    }
    if (hk_token_is_mark(&p->next, "=")) {
        if (!hk_parser_path(p, "the name of an argument", &argument.name))
            return false;
        hk_parser_take(p);
    }
    *ret_argument = argument;
    return hk_parser_literal(p, &ret_argument->value);
}

/* Fig. 10 of the paper writes "; ," between arguments. */
static bool read_separator(hk_parser *p) {
    bool semicolon = hk_parser_skip_mark(p, ";");
    if (hk_parser_skip_mark(p, ","))
        return true;
    if (semicolon && !hk_parser_is_mark(p, ")"))
        hk_parser_unexpected(p, "',' or ')'", NULL);
    return false;
}

static bool read_arguments(hk_parser *p, hk_statement *s) {
    hk_list arguments = HK_LIST(hk_callargument);
    size_t errors = p->complaints.count;
    bool more = !hk_parser_is_mark(p, ")"), ok = true;
    hk_parser_settle_before(p, &s->at);
    while (ok && more) {
        hk_callargument argument;
        ok = read_argument(p, &argument);
        if (ok) {
            more = read_separator(p);
            hk_parser_settle(p, &argument.at);
            hk_list_add(&arguments, &argument);
        }
    }
    s->argument_count = arguments.count;
    s->arguments = hk_list_keep(p->arena, &arguments);
    if (!ok || p->complaints.count > errors)
        return false;
    return hk_parser_skip_mark(p, ")") || hk_parser_unexpected(p, "',' or ')'", NULL);
}

static bool read_activation(hk_parser *p, hk_statement *s) {
    const char *word = p->token.text;
    bool start = strcasecmp(word, "Start") == 0, stop = strcasecmp(word, "Stop") == 0;
    if (!hk_parser_is(p, "Start") && !hk_parser_is(p, "Stop"))
        return hk_parser_unexpected(p, "'Start', 'Stop' or a function in double quotes",
                                    hk_hint_name(p->arena,
                                                 start  ? "Start"
                                                 : stop ? "Stop"
                                                        : NULL,
                                                 NULL));
    s->kind = start ? HK_SAY_START : HK_SAY_STOP;
    hk_parser_take(p);
    return hk_parser_expect_mark(p, "(") && hk_parser_expect_mark(p, ")");
}

/* A statement that begins with a path. */
static bool read_about(hk_parser *p, hk_statement *s) {
    if (!read_path(p, &s->path))
        return false;
    if (hk_parser_skip_mark(p, "=")) {
        s->kind = HK_SAY_SET;
        return hk_parser_literal(p, &s->value);
    }
    if (!hk_parser_skip_mark(p, "."))
        return hk_parser_unexpected(p, "'=' or '.'", NULL);
    if (p->token.kind != HK_TOKEN_NAME)
        return read_activation(p, s);
    s->kind = HK_SAY_CALL;
    return read_path(p, &s->other) && hk_parser_expect_mark(p, "(") && read_arguments(p, s);
}

static bool read_action(hk_parser *p, void *into, size_t word, hk_place at) {
    static bool (*const readers[])(hk_parser *, hk_statement *) = {
        read_bind, read_ramp,   read_fault,    read_repair,  read_finish, read_remove,
        read_add,  read_change, read_override, read_release, read_about};
    hk_statement s = {.path = HK_MISSING,
                      .other = HK_MISSING,
                      .value = HK_MISSING,
                      .over = HK_MISSING,
                      .word = HK_MISSING,
                      .at = at};
    if (!readers[word](p, &s) || !hk_parser_semicolon(p, &s.at))
        return false;
    hk_list_add(into, &s);
    return true;
}

bool hk_parser_block(hk_parser *p, hk_place *at, hk_block *ret_block) {
    hk_list statements = HK_LIST(hk_statement);
    hk_place end = {0};
    bool ok = hk_parser_braces(p, &action_level, at, read_action, &statements, &end);
    *ret_block = (hk_block){.given = true, .count = statements.count, .at = *at, .end = end};
    ret_block->statements = hk_list_keep(p->arena, &statements);
    return ok;
}
