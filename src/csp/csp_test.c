/* SPDX-License-Identifier: MIT
 *
 * Scripts in CSPm: what they assert, what is wrong with them, and how many states there are. */
#include "csp/csp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct answer {
    hk_status status;
    char message[300]; /* the first error */
    int line;
    size_t count;
    hk_csp_verdict verdicts[16];
    hk_arena *arena;
} answer;

static answer ask_within(const char *text, uint64_t limit) {
    answer a = {.arena = hk_arena_create()};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_csp_script *script = NULL;
    a.status = hk_csp_read(ctx, a.arena, &(hk_file_text){"a.csp", text, strlen(text)}, &script);
    if (a.status == HK_OK) {
        a.count = hk_csp_assertion_count(script);
        assert_in_range(a.count, 0, 16);
        hk_csp_machine *machine = hk_csp_machine_create(ctx, script, limit);
        for (size_t i = 0; i < a.count && a.status == HK_OK; i++)
            a.status = hk_csp_answer(machine, a.arena, i, &a.verdicts[i]);
        hk_csp_machine_destroy(machine);
        hk_csp_close(script);
    }
    if (a.status != HK_OK) {
        const hk_diag *d = hk_ctx_diag(ctx, 0);
        snprintf(a.message, sizeof a.message, "%s", d->text);
        a.line = d->where.line;
    }
    hk_ctx_destroy(ctx);
    return a;
}

/* The verdicts of all assertions, as one letter each: holds, broken, limited. */
static void expect(const char *text, const char *letters) {
    answer a = ask_within(text, 0);
    if (a.status != HK_OK)
        fail_msg("%d: %s in\n%s", a.line, a.message, text);
    assert_int_equal(a.count, strlen(letters));
    for (size_t i = 0; i < a.count; i++) {
        const hk_csp_verdict *v = &a.verdicts[i];
        char letter = v->limited ? 'l' : v->holds ? 'h' : 'b';
        if (letter != letters[i])
            fail_msg("assertion %zu is '%c' (%s) in\n%s", i + 1, letter, v->why ? v->why : "",
                     text);
    }
    hk_arena_destroy(a.arena);
}

#define HEAD "channel a, b, c\nchannel x, y : {0..1}\nRUN(S) = [] e:S @ e -> RUN(S)\n"

static void processes_are_those_of_csp(void **state) {
    (void)state;
    expect(HEAD "P = a -> b -> P\nassert P [T= P\nassert P [T= a -> STOP\nassert P [T= b -> STOP\n"
                "assert a -> STOP [T= P\nassert P [T= STOP\nassert P [T= SKIP\n",
           "hhbbhb");
    /* internal and external choice have the same traces, and not the same deadlocks */
    expect(HEAD "E = a -> E [] b -> E\nI = a -> I |~| b -> I\n"
                "assert E [T= I\nassert I [T= E\n"
                "assert (E [| {a,b} |] RUN({a})) :[deadlock free]\n"
                "assert (I [| {a,b} |] RUN({a})) :[deadlock free]\n",
           "hhhb");
    /* what is beside each other, with and without common events */
    expect(HEAD "assert RUN({a}) ||| RUN({b}) [T= RUN({a,b})\n"
                "assert RUN({a,b}) [T= RUN({a}) ||| RUN({b})\n"
                "assert RUN({a,b}) [| {a} |] RUN({a,c}) [T= RUN({a,b,c})\n"
                "assert RUN({a,c}) [{a} || {a,b}] RUN({a,b}) [T= RUN({a,b})\n"
                "assert RUN({a,b}) [T= RUN({a,c}) [{a} || {a,b}] RUN({a,b})\n"
                "assert (a -> b -> STOP) [| {a,b} |] (b -> a -> STOP) :[deadlock free]\n"
                "assert STOP [T= (a -> b -> STOP) [| {a,b} |] (b -> a -> STOP)\n",
           "hhhhhbh");
    /* ending */
    expect(HEAD "assert a -> SKIP ; b -> STOP [T= a -> b -> STOP\n"
                "assert (a -> SKIP ||| b -> SKIP) ; c -> STOP [T= a -> c -> STOP\n"
                "assert (a -> SKIP ||| b -> SKIP) ; c -> STOP [T= b -> a -> c -> STOP\n"
                "assert a -> SKIP [T= a -> STOP\nassert a -> STOP [T= a -> SKIP\n"
                "assert a -> SKIP :[deadlock free]\nassert a -> STOP :[deadlock free]\n"
                "assert STOP ||| SKIP :[deadlock free]\n",
           "hbhhbhbb");
    expect(HEAD "assert x?v -> y!v -> STOP [T= x.1 -> y.1 -> STOP\n"
                "assert x?v -> y!v -> STOP [T= x.1 -> y.0 -> STOP\n"
                "assert x?v:{1} -> STOP [T= x.0 -> STOP\n"
                "assert (x?v -> y!v -> STOP) \\ {| x |} [T= y?w -> STOP\n",
           "hbbh");
}

static void divergence_is_a_ring_of_unseen_steps(void **state) {
    (void)state;
    expect(HEAD
           "P = a -> P\nL = SKIP ; L\nI = I |~| a -> I\nQ = a -> b -> Q\n"
           "assert P :[divergence free]\nassert P \\ {a} :[divergence free]\n"
           "assert L :[divergence free]\nassert I :[divergence free]\n"
           "assert Q \\ {a} :[divergence free]\nassert b -> (P \\ {a}) :[divergence free]\n"
           "assert (P \\ {a}) ; b -> STOP :[divergence free]\nassert STOP :[divergence free]\n",
           "hbbbhbbh");
}

static void names_and_values(void **state) {
    (void)state;
    expect("datatype T = A | B | C\nchannel c : T.{0..2}\nF(A) = {0}\nF(B) = {0,1}\nF(_) = {}\n"
           "G((t,n)) = c.t.n -> SKIP\n"
           "P = ||| t:T @ (||| n:F(t) @ G((t,n)))\n"
           "Q = c.A.0 -> SKIP ||| c.B.0 -> SKIP ||| c.B.1 -> SKIP\n"
           "assert P [T= Q\nassert Q [T= P\n",
           "hh");
    /* an inner name hides an outer one, and each call has its own */
    expect("channel c : {0..5}\n"
           "P(n) = let f(m) = m + n\n         Q(m) = c.f(m) -> (if m < 2 then Q(m+1) else STOP)\n"
           "       within Q(0)\n"
           "assert P(2) [T= c.2 -> c.3 -> c.4 -> STOP\nassert c.2 -> c.3 -> c.4 -> STOP [T= P(2)\n"
           "D(n) = c?m -> D((n+m)%3) [] c.n -> STOP\n"
           "assert D(0) [T= c.1 -> c.1 -> c.2 -> STOP\n",
           "hhh");
    expect("channel c : {0..9}\n"
           "S = { x*2 | x <- {0..4}, not x == 3 }\n"
           "assert c?x:S -> STOP [T= c.8 -> STOP\nassert c?x:S -> STOP [T= c.6 -> STOP\n"
           "assert c.card(S) -> STOP [T= c.4 -> STOP\n"
           "assert c?x:inter(S,{1..4}) -> STOP [T= c.2 -> STOP\n"
           "assert c?x:diff(S,{2}) -> STOP [T= c.2 -> STOP\n"
           "assert c?x:Union({{1},{2,3}}) -> STOP [T= c.3 -> STOP\n",
           "hbhhbh");
}

static void what_is_wrong_shows_how(void **state) {
    (void)state;
    answer a =
        ask_within(HEAD "P = a -> b -> P\nQ = a -> b -> a -> c -> STOP\nassert P [T= Q\n", 0);
    assert_int_equal(a.status, HK_OK);
    assert_int_equal(a.verdicts[0].trace.count, 4);
    assert_string_equal(a.verdicts[0].trace.all[3], "c");
    assert_string_equal(a.verdicts[0].why, "c is not allowed here; allowed: b");
    assert_true(a.verdicts[0].trace_breaks);
    hk_arena_destroy(a.arena);
}

static const struct {
    const char *text, *message;
    int line;
} wrong[] = {
    {"P = Q\n", "nothing is called 'Q'", 1},
    {"P = (SKIP\n", "expected ')'", 2},
    {"channel c : {0..1}\nP = c!x -> SKIP\n", "nothing is called 'x'", 2},
    {"datatype T = A | A\n", "'A' is declared twice", 1},
    {"datatype T = A.{0..1}\n", "not in hocket's subset: a constructor with fields", 1},
    {"P = SKIP\nQ = SKIP\nP = STOP\n", "'P' is declared twice", 3},
    {"P(x) = SKIP\nQ = P\n", "'P' has 1 argument, and 0 are given", 2},
    {"P = SKIP\nassert P [F= P\n", "expected '[T=' or ':['", 2},
    {"P = SKIP\nassert P :[deterministic]\n", "expected 'deadlock free' or", 2},
    {"include \"a.csp\"\n", "not in hocket's subset: include", 1},
    {"channel c : {0..1}\nP = c.2 -> STOP\nassert P :[deadlock free]\n",
     "field 1 of 'c' cannot be 2", 2},
    {"channel c : {0..1}\nP = c -> STOP\nassert P :[deadlock free]\n",
     "'c' has 1 fields, and 0 are given", 2},
    {"P = 3\nassert P :[deadlock free]\n", "this is a value, and is to be a process", 2},
    {"channel a\nP = a -> STOP \\ STOP\nassert P :[deadlock free]\n",
     "this is a process, and is to be a set", 2},
    {"channel a\nP = (a -> SKIP) ||| P\nassert P :[deadlock free]\n", "calls itself, beside others",
     2},
    {"f(0) = 1\nchannel c : {0..1}\nP = c.f(1) -> STOP\nassert P :[deadlock free]\n",
     "no clause of 'f' fits", 3},
    {"f(x) = f(x+1)\nchannel c : {0..1}\nP = c.f(1) -> STOP\nassert P :[deadlock free]\n",
     "too often", 1},
    {"S = {0..100000000}\nchannel c : S\nP = c?x -> P\nassert P :[deadlock free]\n",
     "more than 1048576 members", 1},
    {"P = SKIP)\n", "expected a declaration", 1},
    {"P = {| SKIP }\n", "expected '|}'", 1},
    {"P = {| SKIP |}\n", "this is a process, and is to be a value", 1},
    {"P =\n", "expected an expression", 2},
    {"P\n", "expected '='", 2},
    {"datatype T = A |\n", "expected a name", 2},
    {"datatype = A\n", "expected the name of a type", 1},
    {"P(0) = SKIP\nQ = SKIP\nP(1) = SKIP\n", "'P' is declared twice", 3},
    {"channel c : T\n", "nothing is called 'T'", 1},
    {"channel c : {0..1}.\n", "expected an expression", 2},
    {"P = c!x -> SKIP\n", "nothing is called 'c'", 1},
    {"P = SKIP $ SKIP\n", "$", 1},
    {"P = SKIP ; ; SKIP\n", "expected an expression", 1},
    {"channel c\nP = c -> -> SKIP\n", "expected an expression", 2},
    {"channel c : {0..1}\nP = c?x SKIP\n", "expected '->'", 2},
    {"channel c : {0..1}\nP = c?x!0 -> SKIP\n", "'c' has 1 fields, and 2 are given", 2},
    {"channel c : {0..1}\nP = c.5.6.7 -> SKIP\n", "'c' has 1 fields, and 3 are given", 2},
    {"P = if SKIP then SKIP else SKIP\n", "this is a process, and is to be a condition", 1},
    {"P = if empty({}) then SKIP\n", "expected 'else'", 2},
    {"P = if {} then SKIP else SKIP\n", "this is a set, and is to be a condition", 1},
    {"P = if empty({}) then SKIP else {}\n", "this is a set, and is to be a process", 1},
    {"P = || SKIP\n", "expected ':'", 2},
    {"P = SKIP [| SKIP |] SKIP\n", "this is a process, and is to be a set", 1},
    {"P = [] x @ SKIP\n", "expected ':'", 1},
    {"P = SKIP -> SKIP\n", "this is a process, and is to be an event", 1},
    {"P = 3 ; SKIP\n", "this is a value, and is to be a process", 1},
    {"Q = 3\nP = Q ; SKIP\n", "this is a value, and is to be a process", 2},
    {"P = SKIP ; Q\nQ = {0}\n", "this is a set, and is to be a process", 1},
    {"P = let Q = 3\n  within Q ; SKIP\n", "this is a value, and is to be a process", 2},
    {"P = let Q = SKIP\n", "expected", 2},
    {"P = let Q = R\n  within Q\n", "nothing is called 'R'", 1},
    {"nametype N = 3\nchannel c : N\n", "this is a value, and is to be a set", 2},
    {"P(0) = SKIP\nP(1) = {}\n", "this is a set, and is to be a process", 2},
    {"f(x) = x\nf(x,y) = y\n", "'f' has another number of arguments above", 2},
    {"P = union({})\n", "'union' has 2 arguments, and 1 are given", 1},
    {"P = union(3,{})\n", "this is a value, and is to be a set", 1},
    {"P = SKIP\nassert P [T=\n", "expected an expression", 3},
    {"P = SKIP\nassert P\n", "expected '[T='", 3},
    {"P = SKIP\nassert P :[deadlock fre [F]]\n", "expected 'free'", 2},
    {"P = SKIP\nassert P :[deadlock free [X]]\n", "expected 'F'", 2},
    {"{- open\nP = SKIP\n", "the comment is not closed", 1},
};

static void mistakes_have_a_place(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        answer a = ask_within(wrong[i].text, 0);
        if (a.status == HK_OK || !strstr(a.message, wrong[i].message) || a.line != wrong[i].line)
            fail_msg("%s: %d: '%s'", wrong[i].text, a.line, a.message);
        hk_arena_destroy(a.arena);
    }
}

/* 10^6 states: three counters beside each other. */
static void a_million_states(void **state) {
    (void)state;
    const char *text = "channel up : {0..2}\nP(i,n) = up.i -> P(i,(n+1)%100)\n"
                       "S = ||| i:{0..2} @ P(i,0)\nassert S :[deadlock free]\n";
    answer a = ask_within(text, 0);
    assert_int_equal(a.status, HK_OK);
    assert_true(a.verdicts[0].holds);
    assert_int_equal(a.verdicts[0].states, 1000000);
    hk_arena_destroy(a.arena);
    a = ask_within(text, 1000);
    assert_true(a.verdicts[0].limited && !a.verdicts[0].holds);
    hk_arena_destroy(a.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_are_those_of_csp),
        cmocka_unit_test(divergence_is_a_ring_of_unseen_steps),
        cmocka_unit_test(names_and_values),
        cmocka_unit_test(what_is_wrong_shows_how),
        cmocka_unit_test(mistakes_have_a_place),
        cmocka_unit_test(a_million_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
