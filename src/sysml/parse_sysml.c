/* SPDX-License-Identifier: MIT
 *
 * Packages, definitions, usages and what joins them. A member is read front to back: what may be
 * before its kind (visibility, direction, #keywords), the kind, what may be behind the name, and a
 * body or ';'. */
#include "sysml/parse_internal.h"

#include <string.h>

/* A member is easier to read with its first word ahead, so the level has no words of its own, which
 * the loop over a body would take, and every word is "any other". */
static const hk_level member_level = {
    .any = true, .texts = true, .marks = "#@:", .what = "a member"};

static const struct {
    const char *word;
    hk_sysml_kind kind;
} usage_kinds[] = {{"part", HK_SYSML_PART},
                   {"attribute", HK_SYSML_ATTRIBUTE},
                   {"item", HK_SYSML_ITEM},
                   {"port", HK_SYSML_PORT},
                   {"enum", HK_SYSML_ENUM}};

static bool read_member(hk_parser *p, void *into, size_t word, hk_place at);

static void settle_end(hk_parser *p, hk_sysml_element *e, hk_list *members) {
    e->member_count = members->count;
    e->members = hk_list_keep(p->arena, members);
}

/* ';' or '{ members }'. */
static bool read_body(hk_parser *p, hk_sysml_element *e) {
    if (!hk_parser_is_mark(p, "{"))
        return hk_parser_semicolon(p, &e->at);
    hk_list members = HK_LIST(hk_sysml_element);
    bool good = hk_parser_enter(p);
    if (good) {
        e->has_body = true;
        good = hk_parser_braces(p, &member_level, &e->at, read_member, &members, &e->end);
        hk_parser_leave(p);
    }
    settle_end(p, e, &members);
    return good;
}

/* ---- what may be before the kind ---------------------------------------------------------------
 */

static bool read_prefixes(hk_parser *p, hk_sysml_element *e) {
    hk_list prefixes = HK_LIST(hk_sysml_name);
    bool good = true;
    while (good && hk_parser_skip_mark(p, "#")) {
        hk_sysml_name name;
        good = hk_smp_path(p, "::", "a keyword behind '#'", &name);
        if (good)
            hk_list_add(&prefixes, &name);
    }
    e->prefix_count = prefixes.count;
    e->prefixes = hk_list_keep(p->arena, &prefixes);
    return good;
}

static void read_modifiers(hk_parser *p, hk_sysml_element *e) {
    e->is_private = hk_parser_skip(p, "private");
    e->is_public = !e->is_private && hk_parser_skip(p, "public");
    e->is_abstract = hk_parser_skip(p, "abstract");
    if (hk_parser_skip(p, "in"))
        e->direction = HK_SYSML_IN;
    else if (hk_parser_skip(p, "out"))
        e->direction = HK_SYSML_OUT;
    else if (hk_parser_skip(p, "inout"))
        e->direction = HK_SYSML_INOUT;
    e->is_abstract |= hk_parser_skip(p, "abstract");
    e->is_constant = hk_parser_skip(p, "constant");
    e->is_ref = hk_parser_skip(p, "ref");
}

/* ---- what may be behind the name ---------------------------------------------------------------
 */

static bool read_multiplicity(hk_parser *p, hk_sysml_element *e) {
    if (!hk_parser_skip_mark(p, "["))
        return true;
    e->has_multiplicity = true;
    if (!hk_smp_expr(p, &e->lower))
        return false;
    e->upper = e->lower;
    e->has_range = hk_parser_skip_mark(p, "..");
    if (e->has_range && !hk_smp_expr(p, &e->upper))
        return false;
    return hk_parser_expect_mark(p, "]");
}

static bool read_typing(hk_parser *p, hk_sysml_element *e) {
    e->conjugated = hk_parser_skip_mark(p, "~");
    return hk_smp_path(p, "::", "a type", &e->type);
}

static bool read_relations(hk_parser *p, hk_sysml_element *e) {
    for (;;) {
        bool good = true;
        if (hk_parser_skip_mark(p, ":"))
            good = read_typing(p, e);
        else if (hk_parser_is(p, "defined") && hk_token_is(&p->next, "by"))
            good = hk_parser_expect(p, "defined") && hk_parser_expect(p, "by") && read_typing(p, e);
        else if (hk_parser_skip_mark(p, ":>>") || hk_parser_skip(p, "redefines"))
            good = hk_smp_path(p, "::", "what is redefined", &e->redefines);
        else if (hk_parser_skip_mark(p, ":>") || hk_parser_skip(p, "specializes") ||
                 hk_parser_skip(p, "subsets"))
            good =
                hk_smp_paths(p, "::", "what is specialized", &e->specializes, &e->specialize_count);
        else if (hk_parser_is_mark(p, "["))
            good = read_multiplicity(p, e);
        else if (hk_parser_skip(p, "ordered"))
            e->ordered = true;
        else if (hk_parser_skip(p, "nonunique"))
            e->nonunique = true;
        else
            return true;
        if (!good)
            return false;
    }
}

static bool read_value(hk_parser *p, hk_sysml_element *e) {
    e->is_default = hk_parser_skip(p, "default");
    bool equals = hk_parser_skip_mark(p, "=") || hk_parser_skip_mark(p, ":=");
    if (!equals && !e->is_default)
        return true;
    hk_sysml_expr *value = HK_NEW(p->arena, hk_sysml_expr);
    e->value = value;
    return hk_smp_expr(p, value);
}

/* Words that may be behind a feature without a name. */
static bool goes_on(const hk_parser *p) {
    static const char *const words[] = {"default",   "defined", "specializes", "subsets",
                                        "redefines", "ordered", "nonunique"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hk_parser_is(p, words[i]))
            return true;
    return p->token.kind != HK_TOKEN_WORD && p->token.kind != HK_TOKEN_NAME;
}

static bool read_feature(hk_parser *p, hk_sysml_element *e) {
    if (!goes_on(p) && !hk_smp_name(p, "a name", &e->name, &e->name_at))
        return false;
    return read_relations(p, e) && read_value(p, e) && read_body(p, e);
}

static bool read_usage(hk_parser *p, hk_sysml_element *e, hk_sysml_kind kind) {
    e->kind = kind;
    e->has_word = true;
    e->definition = hk_parser_skip(p, "def");
    if (e->definition && !hk_smp_is_name(p))
        return hk_parser_unexpected(p, "a name behind 'def'", NULL);
    return read_feature(p, e);
}

/* ---- what joins --------------------------------------------------------------------------------
 */

/* One end; wheel[1].v and wheel#(1).v are told how they are written. */
static bool read_end(hk_parser *p, const char *what, const char *then, hk_sysml_name *ret_end) {
    if (!hk_smp_path(p, ".", what, ret_end))
        return false;
    if (!hk_parser_is_mark(p, "[") && !hk_parser_is_mark(p, "#"))
        return true;
    return hk_parser_unexpected(
        p, then, hk_arena_printf(p->arena, "one of several is in quotes: '%s[1]'", ret_end->text));
}

static bool read_ends(hk_parser *p, hk_sysml_element *e) {
    hk_sysml_name *ends = HK_NEW_ARRAY(p->arena, hk_sysml_name, 2);
    if (hk_parser_is_mark(p, "("))
        return hk_smp_refuse(p, "connect (a, b, ...)");
    if (!read_end(p, "where it begins", "'to'", &ends[0]) || !hk_parser_expect(p, "to") ||
        !read_end(p, "where it ends", "';'", &ends[1]))
        return false;
    e->ends = ends;
    e->end_count = 2;
    return read_body(p, e);
}

/* flow NAME? (of T[n])? from a.b to c.d; or flow a.b to c.d; */
static bool read_flow(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_FLOW;
    if (hk_parser_is(p, "def"))
        return hk_smp_refuse(p, "flow def");
    bool named =
        hk_smp_is_name(p) && (hk_token_is(&p->next, "of") || hk_token_is(&p->next, "from"));
    if (named && !hk_smp_name(p, "a name", &e->name, &e->name_at))
        return false;
    if (hk_parser_skip(p, "of") &&
        (!hk_smp_path(p, "::", "a type", &e->type) || !read_multiplicity(p, e)))
        return false;
    e->ordered = hk_parser_skip(p, "ordered");
    e->nonunique = hk_parser_skip(p, "nonunique");
    e->from_word = hk_parser_skip(p, "from");
    if (!e->from_word && (e->name || e->type.part_count))
        return hk_parser_unexpected(p, "'from'", NULL);
    return read_ends(p, e);
}

/* connection NAME? connect a to b; connect a to b; interface NAME? (connect)? a to b; */
static bool read_connect(hk_parser *p, hk_sysml_element *e, hk_sysml_kind kind) {
    e->kind = kind;
    if (hk_parser_is(p, "def"))
        return hk_smp_refuse(p, kind == HK_SYSML_INTERFACE ? "interface def" : "connection def");
    bool named =
        hk_smp_is_name(p) && (hk_token_is(&p->next, "connect") || hk_token_is_mark(&p->next, ":"));
    if (named && (!hk_smp_name(p, "a name", &e->name, &e->name_at) || !read_relations(p, e)))
        return false;
    hk_parser_skip(p, "connect");
    return read_ends(p, e);
}

/* dependency NAME? from a to b, c; */
static bool read_dependency(hk_parser *p, hk_sysml_element *e) {
    hk_sysml_name from;
    const hk_sysml_name *to;
    size_t count;
    e->kind = HK_SYSML_DEPENDENCY;
    if (hk_smp_is_name(p) && hk_token_is(&p->next, "from") &&
        !hk_smp_name(p, "a name", &e->name, &e->name_at))
        return false;
    hk_parser_skip(p, "from");
    if (!hk_smp_path(p, ".", "what depends", &from) || !hk_parser_expect(p, "to") ||
        !hk_smp_paths(p, ".", "what it depends on", &to, &count))
        return false;
    hk_sysml_name *ends = HK_NEW_ARRAY(p->arena, hk_sysml_name, count + 1);
    ends[0] = from;
    memcpy(ends + 1, to, count * sizeof *to);
    e->ends = ends;
    e->end_count = count + 1;
    return read_body(p, e);
}

/* ---- metadata, packages, imports ---------------------------------------------------------------
 */

static bool read_metadata(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_METADATA;
    if (!hk_smp_path(p, "::", "a kind of metadata", &e->type))
        return false;
    if (hk_parser_skip(p, "about") &&
        !hk_smp_paths(p, ".", "what it is about", &e->ends, &e->end_count))
        return false;
    return read_body(p, e);
}

/* NAME = E; in metadata and :>> NAME = E; elsewhere. */
static bool read_redefine(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_REDEFINE;
    return hk_smp_path(p, "::", "a name", &e->redefines) && read_relations(p, e) &&
           read_value(p, e) && read_body(p, e);
}

static bool read_import(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_IMPORT;
    if (hk_parser_is(p, "all"))
        return hk_smp_refuse(p, "import all");
    if (!hk_smp_path(p, "::", "what is imported", &e->type))
        return false;
    if (hk_parser_skip_mark(p, "::")) {
        e->wildcard = hk_parser_skip_mark(p, "*");
        e->recursive = !e->wildcard && hk_parser_skip_mark(p, "**");
        if (!e->wildcard && !e->recursive)
            return hk_parser_unexpected(p, "'*', '**' or a name", NULL);
    }
    return hk_parser_semicolon(p, &e->at);
}

static bool read_package(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_PACKAGE;
    return hk_smp_name(p, "the name of a package", &e->name, &e->name_at) && read_body(p, e);
}

/* The text is a comment, which the lexer has put before the next token. */
static bool read_doc(hk_parser *p, hk_sysml_element *e) {
    e->kind = HK_SYSML_DOC;
    if (p->claimed >= p->token.comment_count ||
        strncmp(p->token.comments[p->claimed], "/*", 2) != 0)
        return hk_parser_unexpected(p, "a comment between '/*' and '*/' behind 'doc'", NULL);
    e->doc = p->token.comments[p->claimed++];
    return true;
}

/* ---- members -----------------------------------------------------------------------------------
 */

static bool read_joining(hk_parser *p, hk_sysml_element *e) {
    if (hk_parser_skip(p, "flow"))
        return read_flow(p, e);
    if (hk_parser_skip(p, "interface"))
        return read_connect(p, e, HK_SYSML_INTERFACE);
    if (hk_parser_skip(p, "connection") || hk_parser_is(p, "connect"))
        return read_connect(p, e, HK_SYSML_CONNECT);
    if (hk_parser_skip(p, "dependency"))
        return read_dependency(p, e);
    return hk_smp_refuse(p, hk_token_show(p->arena, &p->token));
}

/* What has no kind: an item of an enumeration, a value of metadata, something redefined. */
static bool read_nameless(hk_parser *p, hk_sysml_element *e) {
    bool assigns = hk_token_is_mark(&p->next, "=");
    e->has_word = hk_parser_skip_mark(p, ":>>");
    if (e->has_word || assigns)
        return read_redefine(p, e);
    if (hk_smp_is_name(p)) {
        e->kind = e->direction == HK_SYSML_UNDIRECTED ? HK_SYSML_ENUM : HK_SYSML_ATTRIBUTE;
        return read_feature(p, e);
    }
    if (p->token.kind == HK_TOKEN_WORD)
        return hk_smp_refuse(p, p->token.text);
    return hk_parser_unexpected(p, "a member", NULL);
}

static bool read_kind(hk_parser *p, hk_sysml_element *e) {
    for (size_t i = 0; i < sizeof usage_kinds / sizeof *usage_kinds; i++)
        if (hk_parser_skip(p, usage_kinds[i].word))
            return read_usage(p, e, usage_kinds[i].kind);
    if (hk_parser_skip(p, "import"))
        return read_import(p, e);
    if (hk_parser_is(p, "package") || hk_parser_is(p, "library")) {
        e->library = hk_parser_skip(p, "library");
        return hk_parser_expect(p, "package") && read_package(p, e);
    }
    if (hk_parser_skip(p, "doc"))
        return read_doc(p, e);
    if (hk_parser_skip_mark(p, "@"))
        return read_metadata(p, e);
    if (hk_parser_skip(p, "metadata")) {
        if (!hk_parser_skip(p, "def"))
            return read_metadata(p, e);
        e->definition = true;
        e->kind = HK_SYSML_METADATA_DEF;
        return read_feature(p, e);
    }
    bool joins = hk_parser_is(p, "flow") || hk_parser_is(p, "interface") ||
                 hk_parser_is(p, "connection") || hk_parser_is(p, "connect") ||
                 hk_parser_is(p, "dependency");
    return joins ? read_joining(p, e) : read_nameless(p, e);
}

static bool read_member(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_sysml_element e = {.at = at};
    (void)word;
    read_modifiers(p, &e);
    bool good = read_prefixes(p, &e);
    if (good && (hk_parser_is(p, "in") || hk_parser_is(p, "out")))
        good = hk_parser_unexpected(p, "a kind", "the direction comes before '#'");
    good = good && read_kind(p, &e);
    if (good || e.name || e.member_count)
        hk_list_add(into, &e); /* its uses are not mistakes, too */
    return good;
}

hk_status hk_sysml_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                         size_t size, hk_sysml_file **ret_file) {
    hk_parser p;
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_file *tree = HK_NEW(arena, hk_sysml_file);
    hk_parser_begin_style(&p, ctx, arena, &(hk_file_text){file, data, size}, &member_level,
                          HK_STYLE_SYSML);
    hk_parser_whole(&p, &member_level, read_member, &members, &tree->end);
    tree->member_count = members.count;
    tree->members = hk_list_keep(arena, &members);
    *ret_file = tree;
    return hk_parser_finish(&p);
}
