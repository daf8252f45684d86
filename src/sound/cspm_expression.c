/* SPDX-License-Identifier: MIT
 *
 * Expressions of CSPm by recursive descent. From weak to strong: hiding, interleaving, parallel,
 * internal and external choice, sequence, prefix, fields, comparisons, sums. What is repeated over
 * a set, "let" and "if" reach as far as they can. */
#include "sound/cspm_read.h"

#include <string.h>

enum { NESTED_MAX = 200 };

static hk_cspm_kind read_operand(hk_cspm_reader *r);

static bool is_number(const hk_cspm_reader *r) {
    const char *text = hk_cspm_text(r, r->at);
    return *text && strspn(text, "0123456789") == strlen(text);
}

static hk_cspm_kind common(hk_cspm_reader *r, hk_cspm_kind a, hk_cspm_kind b) {
    if (a == HK_CSPM_ANY || b == HK_CSPM_ANY)
        return a == HK_CSPM_ANY ? b : a;
    hk_cspm_want(r, b, a);
    return a;
}

/* A pattern: its names become local. */
static void read_pattern(hk_cspm_reader *r) {
    if (hk_cspm_skip(r, "(")) {
        do
            read_pattern(r);
        while (hk_cspm_skip(r, ","));
        hk_cspm_expect(r, ")");
    } else if (hk_cspm_is(r, "_") || is_number(r)) {
        r->at++;
    } else {
        const char *text =
            hk_cspm_expect_name(r, "there is to be a name, a number, '_' or a tuple");
        const hk_cspm_name *known = text ? hk_cspm_find(r, text) : NULL;
        if (text && !(known && known->constant))
            hk_cspm_add(r, (hk_cspm_name){.text = text});
    }
}

/* ---- values, sets and events ---- */

/* Arguments in brackets, as many as the name has. */
static void read_arguments(hk_cspm_reader *r, const hk_cspm_name *of) {
    uint32_t count = 0;
    const char *text = of->text;
    uint32_t wanted = of->channel ? 0 : of->count;
    if (hk_cspm_skip(r, "(")) {
        do {
            (void)hk_cspm_expression(r);
            count++;
        } while (hk_cspm_skip(r, ","));
        hk_cspm_expect(r, ")");
    }
    if (count != wanted)
        hk_cspm_fail(
            r, hk_arena_printf(r->arena, "%u arguments, but %u are to be given to", count, wanted),
            text);
}

/* Generators "x <- S" and conditions, up to the end of a comprehension. */
static void read_generators(hk_cspm_reader *r) {
    do {
        size_t at = r->at;
        bool generator = false;
        int depth = 0; /* of brackets: a tuple may be on the left */
        for (; at < r->end && (depth || strcmp(hk_cspm_text(r, at), ",") != 0) && !generator &&
               strcmp(hk_cspm_text(r, at), "}") != 0;
             at++) {
            depth += strcmp(hk_cspm_text(r, at), "(") == 0;
            depth -= strcmp(hk_cspm_text(r, at), ")") == 0;
            generator = strcmp(hk_cspm_text(r, at), "<-") == 0;
        }
        if (generator) {
            read_pattern(r);
            if (hk_cspm_expect(r, "<-"))
                hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
        } else {
            hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_TRUTH);
        }
    } while (hk_cspm_skip(r, ","));
}

/* Where the '|' of a comprehension is; 0: it is none. */
static size_t find_bar(const hk_cspm_reader *r) {
    int depth = 0;
    for (size_t i = r->at; i < r->end && depth >= 0; i++) {
        const char *t = r->tokens[i].text;
        if (depth == 0 && strcmp(t, "|") == 0)
            return i;
        depth += strcmp(t, "{") == 0 || strcmp(t, "(") == 0 || strcmp(t, "{|") == 0;
        depth -= strcmp(t, "}") == 0 || strcmp(t, ")") == 0 || strcmp(t, "|}") == 0;
    }
    return 0;
}

static hk_cspm_kind read_set(hk_cspm_reader *r) {
    size_t locals = r->name_count, bar = find_bar(r), head = r->at;
    if (bar) { /* the names of the generators are known in front of them */
        r->at = bar + 1;
        read_generators(r);
        size_t behind = r->at;
        r->at = head;
        (void)hk_cspm_value(r);
        if (r->at != bar)
            hk_cspm_fail(r, "there is to be '|', not", hk_cspm_text(r, r->at));
        r->at = behind;
        r->name_count = locals;
    } else if (!hk_cspm_is(r, "}")) {
        (void)hk_cspm_value(r);
        if (hk_cspm_skip(r, ".."))
            hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_VALUE);
        else
            while (hk_cspm_skip(r, ","))
                (void)hk_cspm_value(r);
    }
    hk_cspm_expect(r, "}");
    return HK_CSPM_SET;
}

static hk_cspm_kind read_completions(hk_cspm_reader *r) {
    do
        hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_EVENT);
    while (hk_cspm_skip(r, ","));
    hk_cspm_expect(r, "|}");
    return HK_CSPM_SET;
}

static hk_cspm_kind read_brackets(hk_cspm_reader *r) {
    hk_cspm_kind k = hk_cspm_expression(r);
    bool tuple = false;
    while (hk_cspm_skip(r, ",")) {
        (void)hk_cspm_expression(r);
        tuple = true;
    }
    hk_cspm_expect(r, ")");
    return tuple ? HK_CSPM_VALUE : k;
}

static hk_cspm_kind read_atom(hk_cspm_reader *r) {
    if (hk_cspm_skip(r, "("))
        return read_brackets(r);
    if (hk_cspm_skip(r, "{"))
        return read_set(r);
    if (hk_cspm_skip(r, "{|"))
        return read_completions(r);
    if (is_number(r)) {
        r->at++;
        return HK_CSPM_VALUE;
    }
    const char *text =
        hk_cspm_expect_name(r, "there is to be a name, a number, a set or a bracket");
    const hk_cspm_name *known = text ? hk_cspm_find(r, text) : NULL;
    if (text && !known) {
        r->at--;
        hk_cspm_fail(r, "nothing is called", text);
    }
    if (!known)
        return HK_CSPM_ANY;
    hk_cspm_kind k = known->kind; /* names may move while arguments are read */
    read_arguments(r, known);
    return k;
}

static hk_cspm_kind read_sum(hk_cspm_reader *r) {
    hk_cspm_kind k = read_atom(r);
    while (hk_cspm_is(r, "+") || hk_cspm_is(r, "-") || hk_cspm_is(r, "*") || hk_cspm_is(r, "%")) {
        r->at++;
        hk_cspm_want(r, k, HK_CSPM_VALUE);
        hk_cspm_want(r, read_atom(r), HK_CSPM_VALUE);
        k = HK_CSPM_VALUE;
    }
    return k;
}

static hk_cspm_kind read_comparison(hk_cspm_reader *r) {
    if (hk_cspm_skip(r, "not")) {
        hk_cspm_want(r, read_comparison(r), HK_CSPM_TRUTH);
        return HK_CSPM_TRUTH;
    }
    hk_cspm_kind k = read_sum(r);
    if (!hk_cspm_is(r, "==") && !hk_cspm_is(r, "<") && !hk_cspm_is(r, ">"))
        return k;
    r->at++;
    hk_cspm_want(r, k, HK_CSPM_VALUE);
    hk_cspm_want(r, read_sum(r), HK_CSPM_VALUE);
    return HK_CSPM_TRUTH;
}

hk_cspm_kind hk_cspm_field(hk_cspm_reader *r) {
    return read_comparison(r);
}

/* Fields that a channel has got by dots, '?' and '!'. */
static void check_fields(hk_cspm_reader *r, const hk_cspm_name *channel, uint32_t fields,
                         bool whole) {
    if (fields > channel->count || (whole && fields < channel->count))
        hk_cspm_fail(r,
                     hk_arena_printf(r->arena, "%u fields, but %u are to be given to", fields,
                                     channel->count),
                     channel->text);
}

/* "a.b.c"; RET_CHANNEL: what it begins with, if that is a channel, and how many fields follow. */
static hk_cspm_kind read_dotted(hk_cspm_reader *r, hk_cspm_name *ret_channel,
                                uint32_t *ret_fields) {
    const hk_cspm_name *known =
        hk_cspm_is_name(r, r->at) ? hk_cspm_find(r, hk_cspm_text(r, r->at)) : NULL;
    hk_cspm_name channel = known && known->channel ? *known : (hk_cspm_name){0};
    uint32_t fields = 0;
    hk_cspm_kind k = read_comparison(r);
    while (hk_cspm_skip(r, ".")) {
        hk_cspm_want(r, k, HK_CSPM_VALUE);
        hk_cspm_want(r, read_comparison(r), HK_CSPM_VALUE);
        k = channel.text ? HK_CSPM_EVENT : HK_CSPM_VALUE;
        fields++;
    }
    if (channel.text)
        check_fields(r, &channel, fields, false);
    *ret_channel = channel;
    *ret_fields = fields;
    return k;
}

hk_cspm_kind hk_cspm_value(hk_cspm_reader *r) {
    hk_cspm_name channel;
    uint32_t fields;
    hk_cspm_kind k = read_dotted(r, &channel, &fields);
    if (k == HK_CSPM_PROCESS)
        hk_cspm_want(r, k, HK_CSPM_VALUE);
    return k;
}

/* ---- processes ---- */

/* Fields with '?' and '!', then "-> P"; what is read is local there. */
static hk_cspm_kind read_prefix(hk_cspm_reader *r) {
    hk_cspm_name channel;
    uint32_t fields = 0;
    size_t locals = r->name_count;
    hk_cspm_kind k = read_dotted(r, &channel, &fields);
    bool event = hk_cspm_is(r, "?") || hk_cspm_is(r, "!") || hk_cspm_is(r, "->");
    if (!event)
        return k;
    hk_cspm_want(r, k, HK_CSPM_EVENT);
    for (bool more = true; more && !r->error;) {
        if (hk_cspm_skip(r, "?")) {
            read_pattern(r);
            if (hk_cspm_skip(r, ":"))
                hk_cspm_want(r, read_atom(r), HK_CSPM_SET);
        } else if (hk_cspm_skip(r, "!")) {
            hk_cspm_want(r, read_sum(r), HK_CSPM_VALUE);
        } else {
            more = false;
        }
        fields += more;
    }
    if (channel.text)
        check_fields(r, &channel, fields, true);
    if (hk_cspm_expect(r, "->"))
        hk_cspm_want(r, read_operand(r), HK_CSPM_PROCESS);
    r->name_count = locals;
    return HK_CSPM_PROCESS;
}

/* "x:S, y:T @", after a sign that is repeated for all of them. */
static void read_ranges(hk_cspm_reader *r) {
    do {
        size_t begin = r->name_count;
        read_pattern(r);
        if (r->name_count == begin)
            hk_cspm_fail(r, "a range is to have a name, before", hk_cspm_text(r, r->at));
        if (hk_cspm_expect(r, ":"))
            hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
    } while (hk_cspm_skip(r, ","));
    hk_cspm_expect(r, "@");
}

/* "||| x:S @ P", "|| x:S @ [A] P", "[| A |] x:S @ P". */
static hk_cspm_kind read_replicated(hk_cspm_reader *r) {
    size_t locals = r->name_count;
    bool alphabets = hk_cspm_is(r, "||"), shared = hk_cspm_is(r, "[|");
    r->at++;
    if (shared) {
        hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
        hk_cspm_expect(r, "|]");
    }
    read_ranges(r);
    if (alphabets && hk_cspm_expect(r, "[")) {
        hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
        hk_cspm_expect(r, "]");
    }
    hk_cspm_want(r, hk_cspm_expression(r), HK_CSPM_PROCESS);
    r->name_count = locals;
    return HK_CSPM_PROCESS;
}

/* The sign that is here joins processes, and how strongly; 0: it does not. */
static int strength(const hk_cspm_reader *r) {
    static const char *const signs[] = {"\\", "|||", "[|", "[", "|~|", "[]", ";"};
    static const int strengths[] = {1, 2, 3, 3, 4, 5, 6};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (hk_cspm_is(r, signs[i]))
            return strengths[i];
    return 0;
}

static void read_alphabets(hk_cspm_reader *r) {
    hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
    hk_cspm_expect(r, "||");
    hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
    hk_cspm_expect(r, "]");
}

/* What is read with signs at least as strong as LEAST. */
static hk_cspm_kind read_joined(hk_cspm_reader *r, int least) {
    hk_cspm_kind k = read_operand(r);
    for (int s; !r->error && (s = strength(r)) >= least && s > 0;) {
        hk_cspm_want(r, k, HK_CSPM_PROCESS);
        const char *sign = hk_cspm_text(r, r->at++);
        if (strcmp(sign, "\\") == 0) {
            hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
            k = HK_CSPM_PROCESS;
            continue;
        }
        if (strcmp(sign, "[|") == 0) {
            hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_SET);
            hk_cspm_expect(r, "|]");
        } else if (strcmp(sign, "[") == 0) {
            read_alphabets(r);
        }
        hk_cspm_want(r, read_joined(r, s + 1), HK_CSPM_PROCESS);
        k = HK_CSPM_PROCESS;
    }
    return k;
}

static hk_cspm_kind read_if(hk_cspm_reader *r) {
    hk_cspm_want(r, hk_cspm_value(r), HK_CSPM_TRUTH);
    hk_cspm_expect(r, "then");
    hk_cspm_kind k = hk_cspm_expression(r);
    hk_cspm_expect(r, "else");
    return common(r, k, hk_cspm_expression(r));
}

/* A head "f(x,y) ="; how many arguments there are. False: none begins here. */
bool hk_cspm_head(const hk_cspm_reader *r, size_t at, uint32_t *ret_count) {
    uint32_t count = 0;
    int depth = 0;
    if (!hk_cspm_is_name(r, at))
        return false;
    at++;
    if (strcmp(hk_cspm_text(r, at), "(") == 0) {
        count = 1;
        do {
            depth += strcmp(hk_cspm_text(r, at), "(") == 0;
            depth -= strcmp(hk_cspm_text(r, at), ")") == 0;
            count += depth == 1 && strcmp(hk_cspm_text(r, at), ",") == 0;
            at++;
        } while (depth > 0 && at < r->end);
    }
    *ret_count = count;
    return strcmp(hk_cspm_text(r, at), "=") == 0;
}

void hk_cspm_definition(hk_cspm_reader *r, hk_cspm_name *ret_found) {
    size_t locals = r->name_count;
    ret_found->text = hk_cspm_expect_name(r, "a definition is to begin with a name");
    ret_found->count = 0;
    if (hk_cspm_skip(r, "(")) {
        do {
            read_pattern(r);
            ret_found->count++;
        } while (hk_cspm_skip(r, ","));
        hk_cspm_expect(r, ")");
    }
    if (hk_cspm_expect(r, "="))
        ret_found->kind = hk_cspm_expression(r);
    r->name_count = locals;
}

/* Its definitions begin lines; each may use all of them. */
static hk_cspm_kind read_let(hk_cspm_reader *r) {
    size_t locals = r->name_count;
    int depth = 0;
    uint32_t count;
    for (size_t i = r->at; i < r->end && depth >= 0; i++) {
        depth += strcmp(hk_cspm_text(r, i), "let") == 0;
        depth -= strcmp(hk_cspm_text(r, i), "within") == 0;
        if (depth == 0 && (i == r->at || r->tokens[i].begins) && hk_cspm_head(r, i, &count))
            hk_cspm_add(r, (hk_cspm_name){.text = r->tokens[i].text, .count = count});
    }
    hk_cspm_name found = {0};
    do
        hk_cspm_definition(r, &found);
    while (!r->error && !hk_cspm_is(r, "within") && *hk_cspm_text(r, r->at));
    hk_cspm_expect(r, "within");
    hk_cspm_kind k = hk_cspm_expression(r);
    r->name_count = locals;
    return k;
}

static hk_cspm_kind read_operand(hk_cspm_reader *r) {
    if (hk_cspm_skip(r, "let"))
        return read_let(r);
    if (hk_cspm_skip(r, "if"))
        return read_if(r);
    if (hk_cspm_is(r, "|||") || hk_cspm_is(r, "||") || hk_cspm_is(r, "[|") || hk_cspm_is(r, "[]") ||
        hk_cspm_is(r, "|~|"))
        return read_replicated(r);
    return read_prefix(r);
}

hk_cspm_kind hk_cspm_expression(hk_cspm_reader *r) {
    hk_cspm_kind k = HK_CSPM_ANY;
    if (r->nested++ > NESTED_MAX)
        hk_cspm_fail(r, "this is nested too deeply", NULL);
    else if (!r->error)
        k = read_joined(r, 1);
    r->nested--;
    return k;
}
