/* SPDX-License-Identifier: MIT
 *
 * Reads CSPm as far as our own export uses it: words and signs, brackets that close, declarations,
 * and that every name is declared. A definition begins in the first column; clauses of one function
 * stand together. */
#include "base/map.h"
#include "sound/sound.h"

#include <string.h>

typedef struct token {
    const char *text; /* in the arena */
    int line;
    bool word, first; /* first: of a line, in the first column */
} token;

typedef struct reader {
    hk_arena *arena;
    token *tokens;
    size_t count, cap;
    hk_map declared; /* name -> kind */
    const char *error;
} reader;

enum { KIND_BUILTIN, KIND_TYPE, KIND_CHANNEL, KIND_FUNCTION };

static const char *fail(reader *r, int line, const char *what, const char *name) {
    if (!r->error)
        r->error = hk_arena_printf(r->arena, "line %d: %s%s%s%s", line, what, name ? " '" : "",
                                   name ? name : "", name ? "'" : "");
    return r->error;
}

static bool word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '\'';
}

/* The longest sign that stands at C; 0: none. */
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

static void split(reader *r, const char *text) {
    int line = 1;
    bool first = true;
    for (const char *c = text; *c && !r->error;) {
        size_t length = 0;
        if (*c == '\n') {
            line++;
            first = true;
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
        bool word = length > 0;
        if (!word)
            length = sign_length(c);
        if (!length) {
            fail(r, line, "no such sign", hk_arena_strndup(r->arena, c, 1));
            return;
        }
        token t = {hk_arena_strndup(r->arena, c, length), line, word, first};
        HK_PUSH(r->tokens, r->count, r->cap, t);
        first = false;
        c += length;
    }
}

static bool is(const reader *r, size_t i, const char *text) {
    return i < r->count && strcmp(r->tokens[i].text, text) == 0;
}

static bool is_name(const reader *r, size_t i) {
    return i < r->count && r->tokens[i].word &&
           !(r->tokens[i].text[0] >= '0' && r->tokens[i].text[0] <= '9') && !is(r, i, "_");
}

static bool is_keyword(const char *word) {
    static const char *const words[] = {"datatype", "nametype", "channel", "assert", "let",
                                        "within",   "if",       "then",    "else",   "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void check_brackets(reader *r) {
    static const char *const open[] = {"(", "{", "[", "[|", "{|", ":["};
    static const char *const close[] = {")", "}", "]", "|]", "|}", "]"};
    size_t *stack = hk_alloc((r->count + 1) * sizeof *stack);
    size_t depth = 0;
    for (size_t i = 0; i < r->count && !r->error; i++)
        for (size_t k = 0; k < 6; k++) {
            if (is(r, i, open[k]))
                stack[depth++] = k;
            if (!is(r, i, close[k]) || (k == 5))
                continue;
            const char *wanted = depth ? close[stack[--depth]] : "";
            if (!is(r, i, wanted))
                fail(r, r->tokens[i].line, "this closes what was not opened", r->tokens[i].text);
        }
    if (depth && !r->error)
        fail(r, r->count ? r->tokens[r->count - 1].line : 1, "something is not closed", NULL);
    hk_free(stack);
}

static size_t end_of(const reader *r, size_t begin) {
    size_t end = begin + 1;
    while (end < r->count && !r->tokens[end].first)
        end++;
    return end;
}

static void declare(reader *r, size_t i, uint32_t kind) {
    if (hk_map_get(&r->declared, r->tokens[i].text) != HK_MAP_NONE)
        fail(r, r->tokens[i].line, "declared twice", r->tokens[i].text);
    hk_map_put(&r->declared, r->tokens[i].text, kind);
}

/* Names of types, channels and functions; a function may have several clauses in a row. */
static void collect(reader *r) {
    const char *last = "";
    for (size_t i = 0; i < r->count && !r->error; i = end_of(r, i)) {
        size_t end = end_of(r, i);
        const char *text = r->tokens[i].text;
        if (!r->tokens[i].first || !is_name(r, i)) {
            fail(r, r->tokens[i].line, "no definition begins with", text);
        } else if (strcmp(text, "datatype") == 0 || strcmp(text, "nametype") == 0) {
            bool data = strcmp(text, "datatype") == 0;
            if (!is_name(r, i + 1) || !is(r, i + 2, "="))
                fail(r, r->tokens[i].line, "a type has a name and '='", NULL);
            else
                declare(r, i + 1, KIND_TYPE);
            for (size_t k = i + 3; data && k < end && !r->error; k += 2) {
                if (!is_name(r, k) || (k + 1 < end && !is(r, k + 1, "|")))
                    fail(r, r->tokens[i].line, "a datatype is a list of names with '|'", NULL);
                else
                    declare(r, k, KIND_TYPE);
            }
        } else if (strcmp(text, "channel") == 0) {
            for (size_t k = i + 1; k < end && !is(r, k, ":") && !r->error; k++)
                if (is_name(r, k))
                    declare(r, k, KIND_CHANNEL);
        } else if (strcmp(text, "assert") != 0) {
            if (strcmp(text, last) != 0)
                declare(r, i, KIND_FUNCTION);
            size_t k = i + 1;
            while (k < end && !is(r, k, "="))
                k++;
            if (k == end || k + 1 == end)
                fail(r, r->tokens[i].line, "a definition has '=' and a body", NULL);
        }
        last = text;
    }
}

/* Names that a definition brings along: parameters, what is read, what is ranged over, and the
 * definitions of its let. */
static void collect_local(const reader *r, size_t begin, size_t end, hk_map *local) {
    size_t equals = begin;
    while (equals < end && !is(r, equals, "="))
        equals++;
    for (size_t i = begin + 1; i < equals; i++)
        if (is_name(r, i))
            hk_map_put(local, r->tokens[i].text, 0);
    int newest_line = -1;
    for (size_t i = equals; i < end; i++) {
        if (!is_name(r, i) || is_keyword(r->tokens[i].text))
            continue;
        bool read = is(r, i - 1, "?"), over = is(r, i + 1, ":") || is(r, i + 1, "<-");
        bool starts = r->tokens[i].line != r->tokens[i - 1].line || is(r, i - 1, "let");
        if (read || over)
            hk_map_put(local, r->tokens[i].text, 0);
        if (!starts || r->tokens[i].line == newest_line)
            continue;
        newest_line = r->tokens[i].line;
        size_t k = i + 1;
        if (is(r, k, "("))
            while (k < end && !is(r, k - 1, ")"))
                k++;
        for (size_t p = i; is(r, k, "=") && p < k; p++)
            if (is_name(r, p))
                hk_map_put(local, r->tokens[p].text, 0);
    }
}

static void check_names(reader *r, size_t begin, size_t end) {
    static const char *const assertion[] = {"deadlock", "divergence", "free", "F"};
    hk_map local = {0};
    bool assert_line = is(r, begin, "assert");
    if (!is_keyword(r->tokens[begin].text))
        collect_local(r, begin, end, &local);
    for (size_t i = begin; i < end && !r->error; i++) {
        const char *text = r->tokens[i].text;
        bool fine = !is_name(r, i) || is_keyword(text) || hk_map_get(&local, text) != HK_MAP_NONE ||
                    hk_map_get(&r->declared, text) != HK_MAP_NONE;
        for (size_t k = 0; assert_line && k < 4; k++)
            fine = fine || strcmp(text, assertion[k]) == 0;
        if (!fine)
            fail(r, r->tokens[i].line, "nothing is called", text);
    }
    hk_map_finish(&local);
}

const char *hk_sound_cspm_check(hk_arena *arena, const char *text) {
    static const char *const builtin[] = {"SKIP",  "STOP", "union", "Union", "member",
                                          "empty", "diff", "inter", "card"};
    reader r = {.arena = arena};
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
        hk_map_put(&r.declared, builtin[i], KIND_BUILTIN);
    split(&r, text);
    if (!r.error)
        check_brackets(&r);
    if (!r.error)
        collect(&r);
    for (size_t i = 0; i < r.count && !r.error; i = end_of(&r, i))
        check_names(&r, i, end_of(&r, i));
    hk_map_finish(&r.declared);
    hk_free(r.tokens);
    return r.error;
}
