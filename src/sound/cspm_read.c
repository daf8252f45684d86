/* SPDX-License-Identifier: MIT
 *
 * Reads CSPm as far as our own export uses it: tokens, declarations and assertions; expressions are
 * in cspm_expression.c. Checked are the syntax, that every name is declared, numbers of arguments
 * and of the fields of channels, and what is a process, an event, a set or a value. A definition
 * begins in the first column; clauses of one function are together. */
#include "sound/cspm_read.h"

#include <string.h>

enum { ROUNDS = 8 };

void hk_cspm_fail(hk_cspm_reader *r, const char *what, const char *text) {
    size_t at = r->at < r->end ? r->at : r->end - 1;
    int line = r->end ? r->tokens[at].line : r->line;
    if (!r->error)
        r->error = hk_arena_printf(r->arena, "line %d: %s%s%s%s", line, what, text ? " '" : "",
                                   text ? text : "", text ? "'" : "");
}

/* ---- tokens ---- */

static bool word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\'';
}

/* The longest sign that is at C; 0: none. */
static size_t sign_length(const char *c) {
    static const char *const signs[] = {":[",  "|||", "|~|", "[|", "|]", "{|", "|}", "||", "[]",
                                        "[T=", "->",  "<-",  "..", "==", "=",  ":",  "@",  ";",
                                        ",",   ".",   "?",   "!",  "(",  ")",  "{",  "}",  "[",
                                        "]",   "|",   "\\",  "+",  "-",  "%",  "<",  ">",  "*"};
    size_t best = 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if (length > best && strncmp(c, signs[i], length) == 0)
            best = length;
    }
    return best;
}

static void split(hk_cspm_reader *r, const char *text) {
    r->line = 1;
    bool first = true, begins = true;
    for (const char *c = text; *c && !r->error;) {
        size_t length = 0;
        if (*c == '\n') {
            r->line++;
            first = begins = true;
            c++;
            continue;
        }
        if (*c == ' ' || *c == '\t') {
            first = false;
            c++;
            continue;
        }
        if (strncmp(c, "--", 2) == 0) {
            c += strcspn(c, "\n");
            continue;
        }
        while (word_char(c[length]))
            length++;
        if (!length)
            length = sign_length(c);
        if (!length) {
            hk_cspm_fail(r, "no such sign", hk_arena_strndup(r->arena, c, 1));
            return;
        }
        hk_cspm_token t = {hk_arena_strndup(r->arena, c, length), r->line, first, begins};
        HK_PUSH(r->tokens, r->count, r->cap, t);
        first = begins = false;
        c += length;
    }
}

const char *hk_cspm_text(const hk_cspm_reader *r, size_t i) {
    return i < r->end ? r->tokens[i].text : "";
}

bool hk_cspm_is(const hk_cspm_reader *r, const char *text) {
    return strcmp(hk_cspm_text(r, r->at), text) == 0;
}

bool hk_cspm_skip(hk_cspm_reader *r, const char *text) {
    bool here = !r->error && hk_cspm_is(r, text);
    r->at += here;
    return here;
}

bool hk_cspm_expect(hk_cspm_reader *r, const char *text) {
    if (hk_cspm_skip(r, text))
        return true;
    hk_cspm_fail(r, hk_arena_printf(r->arena, "there is to be '%s', not", text),
                 hk_cspm_text(r, r->at));
    return false;
}

static bool is_keyword(const char *word) {
    static const char *const words[] = {"datatype", "nametype", "channel", "assert", "let",
                                        "within",   "if",       "then",    "else",   "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

bool hk_cspm_is_name(const hk_cspm_reader *r, size_t i) {
    const char *text = hk_cspm_text(r, i);
    return ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z')) && !is_keyword(text);
}

const char *hk_cspm_expect_name(hk_cspm_reader *r, const char *what) {
    if (!r->error && hk_cspm_is_name(r, r->at))
        return r->tokens[r->at++].text;
    hk_cspm_fail(r, what, NULL);
    return NULL;
}

/* ---- names ---- */

const hk_cspm_name *hk_cspm_find(const hk_cspm_reader *r, const char *text) {
    for (size_t i = r->name_count; i-- > r->global_count;)
        if (strcmp(r->names[i].text, text) == 0)
            return &r->names[i];
    uint32_t global = hk_map_get(&r->globals, text);
    return global == HK_MAP_NONE ? NULL : &r->names[global];
}

void hk_cspm_add(hk_cspm_reader *r, hk_cspm_name name) {
    HK_PUSH(r->names, r->name_count, r->name_cap, name);
}

static void declare(hk_cspm_reader *r, hk_cspm_name name) {
    if (name.text && hk_map_get(&r->globals, name.text) != HK_MAP_NONE)
        hk_cspm_fail(r, "declared twice", name.text);
    if (r->error || !name.text)
        return;
    hk_map_put(&r->globals, name.text, (uint32_t)r->name_count);
    hk_cspm_add(r, name);
    r->global_count = r->name_count;
}

/* What is wanted, unless nothing is known about it. */
void hk_cspm_want(hk_cspm_reader *r, hk_cspm_kind found, hk_cspm_kind wanted) {
    static const char *const words[] = {"something", "a process", "an event",
                                        "a set",     "a value",   "a condition"};
    bool fine = found == HK_CSPM_ANY || wanted == HK_CSPM_ANY || found == wanted ||
                (wanted == HK_CSPM_VALUE && found == HK_CSPM_EVENT) ||
                (wanted == HK_CSPM_VALUE && found == HK_CSPM_SET);
    if (!fine && !r->error)
        hk_cspm_fail(r,
                     hk_arena_printf(r->arena, "this is to be %s and is %s, before", words[wanted],
                                     words[found]),
                     hk_cspm_text(r, r->at));
}

/* ---- declarations ---- */

static size_t end_of(const hk_cspm_reader *r, size_t begin) {
    size_t end = begin + 1;
    while (end < r->count && !r->tokens[end].first)
        end++;
    return end;
}

/* "datatype T = A | B" */
static void declare_data(hk_cspm_reader *r) {
    declare(r, (hk_cspm_name){.text = hk_cspm_expect_name(r, "a type is to have a name"),
                              .kind = HK_CSPM_SET});
    hk_cspm_expect(r, "=");
    do
        declare(r, (hk_cspm_name){.text = hk_cspm_expect_name(r, "a datatype is names and '|'"),
                                  .kind = HK_CSPM_VALUE,
                                  .constant = true});
    while (hk_cspm_skip(r, "|"));
}

/* "channel a, b : T.U": names first, since types may be declared later. */
static void declare_channels(hk_cspm_reader *r) {
    size_t begin = r->name_count;
    do
        declare(r, (hk_cspm_name){.text = hk_cspm_expect_name(r, "a channel is to have a name"),
                                  .kind = HK_CSPM_EVENT,
                                  .channel = true});
    while (hk_cspm_skip(r, ","));
    uint32_t fields = 0;
    if (!r->error && hk_cspm_is(r, ":"))
        for (; r->at < r->end; r->at++)
            fields += hk_cspm_is(r, ":") || hk_cspm_is(r, ".");
    for (size_t i = begin; i < r->name_count; i++)
        r->names[i].count = fields;
}

static void check_channels(hk_cspm_reader *r) {
    while (r->at < r->end && !hk_cspm_is(r, ":"))
        r->at++;
    if (!hk_cspm_skip(r, ":"))
        return;
    do
        hk_cspm_want(r, hk_cspm_field(r), HK_CSPM_SET);
    while (hk_cspm_skip(r, "."));
}

/* A function: its first clause declares it, the others follow. */
static void declare_function(hk_cspm_reader *r, const char *last) {
    hk_cspm_name name = {.text = hk_cspm_text(r, r->at)};
    if (!hk_cspm_head(r, r->at, &name.count))
        hk_cspm_fail(r, "no definition begins with", name.text);
    else if (strcmp(name.text, last) != 0)
        declare(r, name);
    else if (hk_cspm_find(r, name.text)->count != name.count)
        hk_cspm_fail(r, "clauses with different numbers of arguments of", name.text);
    r->at = r->end;
}

static void collect(hk_cspm_reader *r) {
    const char *last = "";
    for (size_t i = 0; i < r->count && !r->error; i = r->end) {
        r->at = i;
        r->end = end_of(r, i);
        const char *text = r->tokens[i].text;
        if (!r->tokens[i].first)
            hk_cspm_fail(r, "a definition begins in the first column, not", text);
        else if (hk_cspm_skip(r, "datatype"))
            declare_data(r);
        else if (hk_cspm_skip(r, "channel"))
            declare_channels(r);
        else if (hk_cspm_skip(r, "nametype")) {
            declare(r, (hk_cspm_name){.text = hk_cspm_expect_name(r, "a type is to have a name"),
                                      .kind = HK_CSPM_SET});
            r->at = r->end;
        } else if (hk_cspm_skip(r, "assert"))
            r->at = r->end;
        else
            declare_function(r, last);
        if (r->at != r->end)
            hk_cspm_fail(r, "this does not belong here:", hk_cspm_text(r, r->at));
        last = text;
    }
}

/* ":[deadlock free [F]]" */
static void check_property(hk_cspm_reader *r) {
    if (hk_cspm_skip(r, "deadlock") || hk_cspm_skip(r, "divergence"))
        hk_cspm_expect(r, "free");
    else
        hk_cspm_expect(r, "deterministic");
    if (hk_cspm_skip(r, "[")) {
        if (!hk_cspm_skip(r, "F"))
            hk_cspm_expect(r, "FD");
        hk_cspm_expect(r, "]");
    }
    hk_cspm_expect(r, "]");
}

static void check_assertion(hk_cspm_reader *r) {
    (void)hk_cspm_skip(r, "not");
    hk_cspm_want(r, hk_cspm_expression(r), HK_CSPM_PROCESS);
    if (hk_cspm_skip(r, ":["))
        check_property(r);
    else if (hk_cspm_expect(r, "[T="))
        hk_cspm_want(r, hk_cspm_expression(r), HK_CSPM_PROCESS);
}

/* Reads a clause; true: more is known about what it defines than before. */
static bool check_clause(hk_cspm_reader *r) {
    hk_cspm_name found = {0};
    hk_cspm_definition(r, &found);
    if (r->error)
        return false;
    hk_cspm_name *known = &r->names[hk_map_get(&r->globals, found.text)];
    bool news = known->kind == HK_CSPM_ANY && found.kind != HK_CSPM_ANY;
    if (news)
        known->kind = found.kind;
    else
        hk_cspm_want(r, found.kind, known->kind);
    return news;
}

/* Once through the text; true: more is known than before, so that another round sees more. */
static bool check(hk_cspm_reader *r) {
    bool news = false;
    for (size_t i = 0; i < r->count && !r->error; i = r->end) {
        r->at = i;
        r->end = end_of(r, i);
        if (hk_cspm_skip(r, "datatype"))
            r->at = r->end;
        else if (hk_cspm_skip(r, "channel"))
            check_channels(r);
        else if (hk_cspm_skip(r, "nametype")) {
            r->at++;
            if (hk_cspm_expect(r, "="))
                hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
        } else if (hk_cspm_skip(r, "assert"))
            check_assertion(r);
        else
            news |= check_clause(r);
        if (r->at != r->end)
            hk_cspm_fail(r, "this does not belong here:", hk_cspm_text(r, r->at));
    }
    return news;
}

const char *hk_sound_cspm_check(hk_arena *arena, const char *text) {
    static const hk_cspm_name builtin[] = {{.text = "SKIP", .kind = HK_CSPM_PROCESS},
                                           {.text = "STOP", .kind = HK_CSPM_PROCESS},
                                           {.text = "union", .kind = HK_CSPM_SET, .count = 2},
                                           {.text = "Union", .kind = HK_CSPM_SET, .count = 1},
                                           {.text = "diff", .kind = HK_CSPM_SET, .count = 2},
                                           {.text = "inter", .kind = HK_CSPM_SET, .count = 2},
                                           {.text = "card", .kind = HK_CSPM_VALUE, .count = 1},
                                           {.text = "member", .kind = HK_CSPM_TRUTH, .count = 2},
                                           {.text = "empty", .kind = HK_CSPM_TRUTH, .count = 1}};
    hk_cspm_reader r = {.arena = arena};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        declare(&r, builtin[i]);
    split(&r, text);
    if (!r.error)
        collect(&r);
    for (int round = 0; round < ROUNDS && !r.error; round++)
        if (!check(&r))
            break;
    hk_map_finish(&r.globals);
    hk_free(r.names);
    hk_free(r.tokens);
    return r.error;
}
