/* SPDX-License-Identifier: MIT
 *
 * Texts made at random from the grammar, with comments, are understood; what is printed of them is
 * read as the same tree, and printed as the same text. Texts that were cut or mixed up are refused
 * with a message, or understood. */
#include "same_chart.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <hk/random.h>

enum { ROUNDS = 400 };

typedef struct maker {
    hk_arena *arena;
    hk_stream stream;
    int64_t drawn;
} maker;

static uint64_t below(maker *m, uint64_t limit) {
    return hk_stream_u64(&m->stream, m->drawn++, 0) % limit;
}

static bool chance(maker *m, unsigned percent) {
    return below(m, 100) < percent;
}

#define PICK(m, array) ((array)[below((m), sizeof(array) / sizeof *(array))])
#define TEXT(m, ...)   hk_arena_printf((m)->arena, __VA_ARGS__)

static const char *gap(maker *m) {
    static const char *const gaps[] = {
        "\n",       "\n  ", " ", "\n\n", " // behind\n", "\n/* above */ ", "\n// one\n\n// two\n",
        " /* a */ "};
    return PICK(m, gaps);
}

static const char *name(maker *m) {
    static const char *const names[] = {"a",   "b1",   "_x",    "^as", "^state",
                                        "Seq", "size", "cycle", "^a"};
    return PICK(m, names);
}

static const char *path(maker *m) {
    return chance(m, 70) ? name(m) : TEXT(m, "%s::%s", name(m), name(m));
}

static const char *expr(maker *m, int depth);

static const char *type(maker *m, int depth) {
    if (depth == 0)
        return path(m);
    const char *a = type(m, depth - 1), *b = type(m, depth - 1);
    switch (below(m, 9)) {
    case 0:
        return TEXT(m, "Seq( %s)", a);
    case 1:
        return TEXT(m, "Set(%s )", a);
    case 2:
        return TEXT(m, "(%s) * Seq(%s) * nat", a, b);
    case 3:
        return TEXT(m, "(%s)->%s", a, b);
    case 4:
        return TEXT(m, "(%s)<->(%s)", a, b);
    case 5:
        return TEXT(m, "vector(%s, %d)", a, (int)below(m, 5));
    case 6:
        return TEXT(m, "matrix(%s, n,(2))", a);
    case 7:
        return TEXT(m, "? %s", name(m));
    default:
        return path(m);
    }
}

static const char *atom(maker *m, int depth) {
    static const char *const plain[] = {"1",      "0.5",        "true",
                                        "false",  "\"t\\\"x\"", "'q'",
                                        "result", "since(C)",   "sinceEntry ( a::^state )",
                                        "<>",     "{}",         "(||)"};
    if (depth == 0)
        return chance(m, 50) ? PICK(m, plain) : path(m);
    const char *a = expr(m, depth - 1), *b = expr(m, depth - 1);
    switch (below(m, 16)) {
    case 0:
        return TEXT(m, "(%s)", a);
    case 1:
        return TEXT(m, "(%s,%s]", a, b);
    case 2:
        return TEXT(m, "[%s , %s)", a, b);
    case 3:
        return TEXT(m, "{ %s,%s}", a, b);
    case 4:
        return TEXT(m, "{%s to %s}", a, b);
    case 5:
        return TEXT(m, "[|%s,%s;1 ,2|]", a, b);
    case 6:
        return TEXT(m, "[|%s|]", a);
    case 7:
        return TEXT(m, "(|%s, %s|)", a, b);
    case 8:
        return TEXT(m, "< (%s) , %s>", a, atom(m, depth - 1));
    case 9:
        return TEXT(m, "%s (| %s = %s |)", path(m), name(m), a);
    case 10:
        return TEXT(m, "if %s then %s else 3 end", a, b);
    case 11:
        return TEXT(m, "{%s : %s | %s @ %s}", name(m), type(m, 1), a, b);
    case 12:
        return TEXT(m, "%s(%s, %s)", path(m), a, b);
    case 13:
        return TEXT(m, "%s [%s] . %s", name(m), a, name(m));
    case 14:
        return TEXT(m, "%s.1 . 2", name(m));
    default:
        return TEXT(m, "inverse(%s)", a);
    }
}

static const char *expr(maker *m, int depth) {
    static const char *const operators[] = {"+",     "-",    "*",   "/",   "%",  "^ ",
                                            " cat ", "==",   "!=",  "<",   "<=", ">",
                                            ">=",    " in ", "/\\", "\\/", "=>", " iff "};
    static const char *const words[] = {"forall", "exists", "exists1", "lambda"};
    if (depth == 0)
        return atom(m, 0);
    switch (below(m, 12)) {
    case 0:
        return TEXT(m, "%s %s : %s, c : nat | %s @ %s", PICK(m, words), name(m), type(m, 1),
                    expr(m, depth - 1), expr(m, depth - 1));
    case 1:
        return TEXT(m, "not not %s", atom(m, depth - 1));
    case 2:
        return TEXT(m, "- - %s", atom(m, depth - 1));
    case 3:
        return TEXT(m, "let %s == %s @ %s", name(m), expr(m, depth - 1), expr(m, depth - 1));
    case 4:
        return TEXT(m, "%s as %s", atom(m, depth - 1), type(m, 1));
    case 5:
    case 6:
        return atom(m, depth);
    case 7:
        return TEXT(m, "the %s : T @ %s", name(m), expr(m, depth - 1));
    default:
        return TEXT(m, "%s%s %s %s %s", atom(m, depth - 1), chance(m, 5) ? "// in it\n" : "",
                    PICK(m, operators), atom(m, depth - 1), "+ 1");
    }
}

static const char *stmt(maker *m, int depth) {
    const char *e = expr(m, 1);
    switch (below(m, depth ? 14 : 10)) {
    case 0:
        return "skip";
    case 1:
        return TEXT(m, "%s.%s[%s] = %s", name(m), name(m), e, expr(m, 2));
    case 2:
        return TEXT(m, "%s = %s", name(m), e);
    case 3:
        return TEXT(m, "send %s", name(m));
    case 4:
        return TEXT(m, "%s ? %s", name(m), path(m));
    case 5:
        return TEXT(m, "%s!(%s)", name(m), e);
    case 6:
        return TEXT(m, "%s.(%s)", name(m), e);
    case 7:
        return TEXT(m, "%s(%s , %s)", path(m), e, e);
    case 8:
        return TEXT(m, "wait([%s,2])", e);
    case 9:
        return TEXT(m, "#%s", name(m));
    case 10:
        return TEXT(m, "if %s then %s else %s end", e, stmt(m, depth - 1), stmt(m, depth - 1));
    case 11:
        return TEXT(m, "(%s)", stmt(m, depth - 1));
    case 12:
        return TEXT(m, "(%s) <{ %s }", stmt(m, depth - 1), e);
    default:
        return TEXT(m, "%s;%s", stmt(m, depth - 1), stmt(m, depth - 1));
    }
}

static const char *items(maker *m, int kind, int depth);

static const char *node(maker *m, int depth) {
    static const char *const plain[] = {"initial", "final", "junction", "probabilistic"};
    if (chance(m, 40))
        return TEXT(m, "%s %s", PICK(m, plain), name(m));
    return TEXT(m, "state %s { entry %s%s%s%s during %s %s exit %s %s}", name(m), stmt(m, 2),
                gap(m), depth ? node(m, depth - 1) : "", gap(m), stmt(m, 1), gap(m), stmt(m, 0),
                gap(m));
}

static const char *way(maker *m) {
    const char *action = chance(m, 50) ? TEXT(m, "action %s", stmt(m, 2)) : "";
    const char *condition = chance(m, 60)   ? TEXT(m, "condition %s", expr(m, 2))
                            : chance(m, 50) ? "condition else"
                                            : "";
    static const char *const triggers[] = {
        "", "trigger e", "trigger e ? x #C # ^on <{ 2 }", "probability 0.5", "#C", "trigger e.1"};
    return TEXT(m, "transition %s {%s from %s to %s %s %s %s }", name(m),
                chance(m, 20) ? "// in\n" : "", name(m), name(m), PICK(m, triggers), condition,
                action);
}

enum { IN_FILE, IN_INTERFACE, IN_PLATFORM, IN_CONTROLLER, IN_MACHINE, IN_MODULE, IN_FUNCTION };

static const char *member(maker *m, int kind) {
    if (kind == IN_INTERFACE && chance(m, 40))
        return TEXT(m, "%s(%s : %s, b : nat)%s", name(m), name(m), type(m, 2),
                    chance(m, 50) ? "[terminates]" : "");
    switch (below(m, kind == IN_INTERFACE ? 4 : 6)) {
    case 0:
        return TEXT(m, "var %s : %s = %s,%s c : real", name(m), type(m, 2), expr(m, 2), gap(m));
    case 1:
        return TEXT(m, "const %s : %s", name(m), type(m, 2));
    case 2:
        return TEXT(m, "%sevent %s : %s", chance(m, 20) ? "_broadcast " : "", name(m), type(m, 1));
    case 3:
        return TEXT(m, "clock %s", name(m));
    case 4:
        return TEXT(m, "uses %s", path(m));
    default:
        return TEXT(m, "requires %s", path(m));
    }
}

static const char *item(maker *m, int kind, int depth) {
    const char *n = name(m);
    switch (kind) {
    case IN_INTERFACE:
    case IN_PLATFORM:
        return member(m, kind);
    case IN_FUNCTION:
        return TEXT(m, "%s %s", chance(m, 50) ? "precondition" : "postcondition", expr(m, 3));
    case IN_MACHINE:
        return chance(m, 30) ? member(m, kind) : chance(m, 50) ? node(m, depth) : way(m);
    case IN_CONTROLLER:
        if (chance(m, 40))
            return member(m, kind);
        if (chance(m, 50))
            return TEXT(m, "connection %s on %s to %s on %s%s", n, name(m), name(m), name(m),
                        chance(m, 50) ? "(_async)[ mult ]" : "");
        return chance(m, 50) ? TEXT(m, "sref %s = %s", n, path(m))
                             : TEXT(m, "stm %s {%s}", n, items(m, IN_MACHINE, 1));
    case IN_MODULE:
        return chance(m, 20)   ? TEXT(m, "cycleDef cycle == %s", expr(m, 1))
               : chance(m, 50) ? TEXT(m, "cref %s = %s", n, path(m))
                               : TEXT(m, "controller %s {%s}", n, items(m, IN_CONTROLLER, 1));
    default:
        break;
    }
    switch (below(m, 11)) {
    case 0:
        return TEXT(m, "import %s::*", path(m));
    case 1:
        return TEXT(m, "type %s", n);
    case 2:
        return TEXT(m, "datatype %s { a : %s%s b : nat }", n, type(m, 2), gap(m));
    case 3:
        return TEXT(m, "enumeration %s { one%stwo(%s, nat) }", n, gap(m), type(m, 1));
    case 4:
        return TEXT(m, "interface %s {%s}", n, items(m, IN_INTERFACE, depth));
    case 5:
        return TEXT(m, "robotic platform %s {%s}", n, items(m, IN_PLATFORM, depth));
    case 6:
        return TEXT(m, "controller %s {%s}", n, items(m, IN_CONTROLLER, depth));
    case 7:
        return TEXT(m, "stm %s {%s}", n, items(m, IN_MACHINE, depth));
    case 8:
        return TEXT(m, "operation %s(a : %s) {%s}", n, type(m, 1),
                    chance(m, 50) ? items(m, IN_MACHINE, depth) : " terminates ");
    case 9:
        return TEXT(m, "function %s() : %s {%s}", n, type(m, 2), items(m, IN_FUNCTION, depth));
    default:
        return TEXT(m, "module %s {%s}", n, items(m, IN_MODULE, depth));
    }
}

static const char *items(maker *m, int kind, int depth) {
    const char *text = "";
    for (uint64_t count = below(m, 4); count; count--)
        text = TEXT(m, "%s%s%s", text, gap(m), item(m, kind, depth));
    return TEXT(m, "%s%s", text, gap(m));
}

static const char *messages(hk_arena *arena, const hk_ctx *ctx) {
    const char *text = "";
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE) && i < 5; i++) {
        const hk_diag *d = hk_ctx_diag(ctx, i);
        text =
            hk_arena_printf(arena, "%s%d:%d: %s\n", text, d->where.line, d->where.column, d->text);
    }
    return text;
}

static void check_text(hk_ctx *ctx, hk_arena *arena, const char *text) {
    hk_rcfile *first, *second;
    if (hk_rct_parse(ctx, arena, "f", text, strlen(text), &first) != HK_OK)
        fail_msg("%s%s", text, messages(arena, ctx));
    const char *printed = hk_rct_print(arena, first);
    if (hk_rct_parse(ctx, arena, "g", printed, strlen(printed), &second) != HK_OK)
        fail_msg("%s\n%s%s", text, printed, messages(arena, ctx));
    if (!same_rct(first, second))
        fail_msg("not the same again:\n%s\n%s", text, printed);
    assert_string_equal(printed, hk_rct_print(arena, second));
}

/* What is cut or has a byte too many or too few is not a reason to crash or to be silent. */
static void check_broken(maker *m, hk_arena *arena, const char *text) {
    size_t length = strlen(text);
    char *broken = hk_arena_strdup(arena, text);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_rcfile *file = NULL;
    if (length) {
        broken[below(m, length)] = "{}()<>;:=|#^x1\"/"[below(m, 16)];
        length = chance(m, 50) ? length : below(m, length);
    }
    hk_status status = hk_rct_parse(ctx, arena, "f", broken, length, &file);
    assert_non_null(file);
    assert_int_equal(status == HK_OK, hk_ctx_count(ctx, HK_ERROR) == 0);
    hk_ctx_destroy(ctx);
}

static void test_random(void **state) {
    (void)state;
    for (int64_t round = 0; round < ROUNDS; round++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        maker m = {.arena = arena, .stream = hk_stream_make(11, (uint64_t)round, "charts", "test")};
        const char *text = TEXT(&m, "%spackage %s%s", gap(&m), path(&m), items(&m, IN_FILE, 2));
        check_text(ctx, arena, text);
        check_broken(&m, arena, text);
        hk_arena_destroy(arena);
        hk_ctx_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
