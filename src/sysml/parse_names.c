/* SPDX-License-Identifier: MIT
 *
 * Names, chains of names and values of the SysML subset. */
#include "sysml/parse_internal.h"

#include <stdlib.h>
#include <string.h>

/* Words that SysML v2 keeps for itself, sorted. */
static const char *const reserved[] = {
    "about",      "abstract",     "accept",      "action",      "actor",      "after",
    "alias",      "all",          "allocate",    "allocation",  "analysis",   "and",
    "as",         "assert",       "assign",      "assume",      "at",         "attribute",
    "bind",       "binding",      "by",          "calc",        "case",       "comment",
    "concern",    "connect",      "connection",  "constant",    "constraint", "crosses",
    "decide",     "def",          "default",     "defined",     "dependency", "derived",
    "do",         "doc",          "else",        "end",         "entry",      "enum",
    "event",      "exhibit",      "exit",        "expose",      "false",      "filter",
    "first",      "flow",         "for",         "fork",        "frame",      "from",
    "hastype",    "if",           "implies",     "import",      "in",         "include",
    "individual", "inout",        "interface",   "istype",      "item",       "join",
    "language",   "library",      "locale",      "loop",        "merge",      "message",
    "meta",       "metadata",     "new",         "nonunique",   "not",        "null",
    "objective",  "occurrence",   "of",          "or",          "ordered",    "out",
    "package",    "parallel",     "part",        "perform",     "port",       "private",
    "protected",  "public",       "redefines",   "ref",         "references", "render",
    "rendering",  "rep",          "require",     "requirement", "return",     "satisfy",
    "send",       "snapshot",     "specializes", "stakeholder", "standard",   "state",
    "subject",    "subsets",      "succession",  "terminate",   "then",       "timeslice",
    "to",         "transition",   "true",        "until",       "use",        "variant",
    "variation",  "verification", "verify",      "via",         "view",       "viewpoint",
    "when",       "while",        "xor"};

static int compare_words(const void *word, const void *entry) {
    return strcmp(word, *(const char *const *)entry);
}

bool hk_sysml_is_reserved(const char *word) {
    return bsearch(word, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved,
                   compare_words) != NULL;
}

static bool is_plain(const char *name) {
    if (!*name || (*name >= '0' && *name <= '9'))
        return false;
    for (; *name; name++) {
        bool letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (!letter && *name != '_' && !(*name >= '0' && *name <= '9'))
            return false;
    }
    return true;
}

const char *hk_sysml_spell(hk_arena *arena, const char *name) {
    if (is_plain(name) && !hk_sysml_is_reserved(name))
        return name;
    char *text = hk_arena_alloc(arena, 2 * strlen(name) + 3), *to = text;
    *to++ = '\'';
    for (; *name; name++) {
        if (*name == '\'' || *name == '\\')
            *to++ = '\\';
        *to++ = *name;
    }
    *to++ = '\'';
    *to = '\0';
    return text;
}

/* What is between the quotes of the token, with \n, \t, \r, \b and \f as those of C; any other
 * character behind a backslash must be a quote or a backslash. False: it is not, which is reported;
 * a NAME has no control characters. */
static bool unquote(hk_parser *p, bool name, const char **ret_text) {
    static const char letters[] = "ntrbf", means[] = "\n\t\r\b\f";
    const char *from = p->token.text + 1;
    size_t length = strlen(from) - 1, used = 0;
    char *text = hk_arena_alloc(p->arena, length + 1);
    for (size_t i = 0; i < length; i++) {
        const char *letter = NULL;
        if (from[i] == '\\' && i + 1 < length) {
            letter = strchr(letters, from[++i]);
            if (letter ? name : !strchr("\"'\\", from[i]))
                return hk_parser_error(p, p->token.line, p->token.column, NULL,
                                       letter ? "a name has no control characters"
                                              : "a backslash in quotes is before a quote, a "
                                                "backslash or one of n, t, r, b and f");
        }
        text[used++] = letter ? means[letter - letters] : from[i];
    }
    text[used] = '\0';
    *ret_text = text;
    return true;
}

static bool is_quoted(const hk_parser *p, char quote) {
    return p->token.kind == HK_TOKEN_NAME && p->token.text[0] == quote;
}

bool hk_smp_is_name(const hk_parser *p) {
    return is_quoted(p, '\'') ||
           (p->token.kind == HK_TOKEN_WORD && !hk_sysml_is_reserved(p->token.text));
}

bool hk_smp_name(hk_parser *p, const char *what, const char **ret_name, hk_place *ret_at) {
    if (p->token.kind == HK_TOKEN_WORD && hk_sysml_is_reserved(p->token.text))
        return hk_parser_unexpected(
            p, what,
            hk_arena_printf(p->arena, "'%s' is a word of SysML: as a name it is in single quotes",
                            p->token.text));
    if (!hk_smp_is_name(p))
        return hk_parser_unexpected(p, what, NULL);
    const char *name = p->token.text;
    if (is_quoted(p, '\'') && !unquote(p, true, &name))
        return false;
    if (!*name)
        return hk_parser_error(p, p->token.line, p->token.column, NULL,
                               "expected %s, found quotes with nothing between them", what);
    *ret_name = name;
    *ret_at = hk_parser_here(p);
    hk_parser_take(p);
    return true;
}

/* More than any system is deep, and few enough for those who try a name from its end. */
enum { PARTS_MAX = 1000 };

static const char *join_parts(hk_arena *arena, const char *separator, const char *const *parts,
                              size_t count) {
    size_t size = 1, between = strlen(separator);
    for (size_t i = 0; i < count; i++)
        size += strlen(parts[i]) + between;
    char *text = hk_arena_alloc(arena, size), *to = text;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(parts[i]);
        memcpy(to, separator, i ? between : 0);
        to += i ? between : 0;
        memcpy(to, parts[i], length);
        to += length;
    }
    *to = '\0';
    return text;
}

bool hk_smp_path(hk_parser *p, const char *separator, const char *what, hk_sysml_name *ret_name) {
    hk_list parts = HK_LIST(const char *);
    hk_sysml_name name = {.text = ""};
    bool good = true, more = true;
    while (good && more) {
        const char *part;
        hk_place at = {0};
        good = hk_smp_name(p, what, &part, &at);
        if (!good)
            break;
        if (!parts.count)
            name.at = at;
        if (parts.count == PARTS_MAX) {
            good = hk_parser_error(p, at.line, at.column, NULL, "a name has %d parts at most",
                                   PARTS_MAX);
            break;
        }
        hk_list_add(&parts, &part);
        /* an import ends in ::*, which is not a part */
        more = hk_parser_is_mark(p, separator) && !hk_token_is_mark(&p->next, "*") &&
               !hk_token_is_mark(&p->next, "**");
        if (more)
            hk_parser_take(p);
    }
    name.part_count = parts.count;
    name.parts = hk_list_keep(p->arena, &parts);
    name.text = join_parts(p->arena, separator, name.parts, name.part_count);
    if (good)
        *ret_name = name;
    return good;
}

bool hk_smp_paths(hk_parser *p, const char *separator, const char *what,
                  const hk_sysml_name **ret_names, size_t *ret_count) {
    hk_list names = HK_LIST(hk_sysml_name);
    bool good;
    do {
        hk_sysml_name name;
        good = hk_smp_path(p, separator, what, &name);
        if (good)
            hk_list_add(&names, &name);
    } while (good && hk_parser_skip_mark(p, ","));
    *ret_count = names.count;
    *ret_names = hk_list_keep(p->arena, &names);
    return good;
}

/* (a, b): a list of values. The opening bracket is ahead. */
static bool parse_list(hk_parser *p, hk_sysml_expr *expr) {
    hk_list items = HK_LIST(hk_sysml_expr);
    bool good = hk_parser_enter(p);
    if (!good)
        return false;
    hk_parser_take(p);
    while (good && !hk_parser_is_mark(p, ")")) {
        hk_sysml_expr item;
        good = hk_smp_expr(p, &item);
        if (good)
            hk_list_add(&items, &item);
        if (good && !hk_parser_skip_mark(p, ","))
            break;
    }
    good = good && hk_parser_expect_mark(p, ")");
    expr->kind = HK_SYSML_LIST;
    expr->item_count = items.count;
    expr->items = hk_list_keep(p->arena, &items);
    hk_parser_leave(p);
    return good;
}

static bool parse_minus(hk_parser *p, hk_sysml_expr *expr) {
    hk_sysml_expr *inner = HK_NEW(p->arena, hk_sysml_expr);
    hk_parser_take(p);
    if (p->token.kind != HK_TOKEN_NUMBER)
        return hk_parser_unexpected(p, "a number behind '-'", NULL);
    *inner =
        (hk_sysml_expr){.kind = HK_SYSML_NUMBER, .text = p->token.text, .at = hk_parser_here(p)};
    hk_parser_take(p);
    expr->kind = HK_SYSML_MINUS;
    expr->items = inner;
    expr->item_count = 1;
    return true;
}

bool hk_smp_expr(hk_parser *p, hk_sysml_expr *ret_expr) {
    hk_sysml_expr expr = {.kind = HK_SYSML_NUMBER, .text = "", .at = hk_parser_here(p)};
    bool good = true;
    if (p->token.kind == HK_TOKEN_NUMBER || is_quoted(p, '"') || hk_parser_is(p, "true") ||
        hk_parser_is(p, "false") || hk_parser_is_mark(p, "*")) {
        expr.kind = p->token.kind == HK_TOKEN_NUMBER ? HK_SYSML_NUMBER
                    : is_quoted(p, '"')              ? HK_SYSML_TEXT
                    : hk_parser_is_mark(p, "*")      ? HK_SYSML_STAR
                                                     : HK_SYSML_TRUTH;
        expr.text = p->token.text;
        good = !is_quoted(p, '"') || unquote(p, false, &expr.text);
        hk_parser_take(p);
    } else if (hk_parser_is_mark(p, "-")) {
        good = parse_minus(p, &expr);
    } else if (hk_parser_is_mark(p, "(")) {
        good = parse_list(p, &expr);
    } else if (hk_smp_is_name(p)) {
        hk_sysml_name name;
        good = hk_smp_path(p, "::", "a value", &name);
        expr.kind = HK_SYSML_NAME;
        expr.text = good ? name.text : "";
        if (good)
            expr.name = name;
    } else {
        good = hk_parser_unexpected(p, "a value",
                                    "values are numbers, texts, true, false, items "
                                    "of enumerations and lists (a, b)");
    }
    if (good)
        *ret_expr = expr;
    return good;
}

bool hk_smp_refuse(hk_parser *p, const char *word) {
    return hk_parser_error(p, p->token.line, p->token.column,
                           "docs/sysml.md lists what a multi-model is written with",
                           "not in hocket's subset: %s", word);
}
