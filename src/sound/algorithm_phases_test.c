/* SPDX-License-Identifier: MIT
 *
 * What the specification sees of masters in words, and what is made for systems without one. */
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct text {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
} text;

static text read(const char *source) {
    text t = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_sound_read_text(t.ctx, t.arena,
                                        &(hk_file_text){"x", source, strlen(source)}, &t.system,
                                        &t.master, &t.max_step),
                     HK_OK);
    return t;
}

static void drop(text *t) {
    hk_arena_destroy(t->arena);
    hk_ctx_destroy(t->ctx);
}

static hk_sound_verdict refines(const text *t, const hk_sound_master *master, hk_sound_view view) {
    hk_sound_phased seen = hk_sound_in_phases(t->arena, t->system, master, view);
    return hk_sound_refines(t->arena, seen.system, seen.master, t->max_step);
}

/* WHY NULL: it refines the specification. */
static void expect(const char *source, hk_sound_view view, const char *why) {
    text t = read(source);
    hk_sound_verdict v = refines(&t, t.master, view);
    if (v.why && !(why && strstr(v.why, why)))
        print_message("%s\n", v.why);
    assert_int_equal(v.holds, why == NULL);
    assert_true(!why || strstr(v.why, why));
    drop(&t);
}

#define RING                                                                                       \
    "scenario s { instance A { in u; out y init [u]; } instance B { in u; out y; } connect A.y "   \
    "-> "                                                                                          \
    "B.u; connect B.y -> A.u; } algorithm { "
#define HANSEN "step { step A, B; get A.y, B.y; set A.u, B.u; } }"

static void the_exchange_stands_for_phases(void **state) {
    (void)state;
    /* As the dependencies ask for it; then the step goes on where the exchange has ended. */
    expect(RING "init { get B.y; set A.u; get A.y; set B.u; } " HANSEN, HK_VIEW_STRICT, NULL);
    expect(RING "init { get B.y; set A.u; get A.y; set B.u; get A.y, B.y; } step { set A.u, B.u; "
                "step A, B; get A.y, B.y; } }",
           HK_VIEW_STRICT, NULL);
    expect(RING "init { get B.y; set A.u; get A.y; set B.u; } step { get A.y, B.y; set A.u, B.u; "
                "step A, B; } }",
           HK_VIEW_STRICT, NULL);
    expect(RING
           "init { until converged (A.y, B.y) { set A.u; get A.y; set B.u; get B.y; } } " HANSEN,
           HK_VIEW_STRICT, NULL);
    /* In phases by itself, too, if the step begins with sets of its own. */
    expect(RING "init { get A.y, B.y; set A.u, B.u; } step { set A.u, B.u; step A, B; get A.y, "
                "B.y; } }",
           HK_VIEW_STRICT, NULL);
    expect(RING "init { get A.y, B.y; set A.u; } step { set A.u, B.u; step A, B; get A.y, B.y; } }",
           HK_VIEW_STRICT, "set A.u again in phase SET");
    /* One that is not complete, or sets what was read before the last time, is none. */
    expect(RING "init { get B.y; set A.u; get A.y; } " HANSEN, HK_VIEW_STRICT, "set A.u in phase");
    expect(RING "init { get B.y; set A.u; get A.y; set B.u; get B.y; } " HANSEN, HK_VIEW_STRICT,
           "set A.u in phase");
    expect(RING "init { get B.y; set A.u; get A.y; step A; set B.u; } " HANSEN, HK_VIEW_STRICT,
           "set A.u in phase");
    /* What the step does is not excused by it. */
    expect(RING "init { get B.y; set A.u; get A.y; set B.u; } step { step A, B; get A.y; set B.u; "
                "get B.y; set A.u; } }",
           HK_VIEW_STRICT, "set B.u in phase GET");
}

static void settings_come_first(void **state) {
    static const char scenario[] =
        "scenario s { instance A { parameters 2; in u initial; out y init [u]; } instance B { in "
        "u; out y; } connect A.y -> B.u; connect B.y -> A.u; } algorithm { init { %s } " HANSEN;
    static const struct {
        const char *init, *why;
    } cases[] = {
        {"parameter A; parameter A; set A.u; get B.y; set A.u; get A.y; set B.u;", NULL},
        {"parameter A, A; set A.u; get A.y, B.y; set A.u, B.u;", NULL},
        {"parameter A; set A.u; get B.y; set A.u; get A.y; set B.u;", "parameter of A"},
        {"parameter A, A, A; set A.u; get A.y, B.y; set A.u, B.u;", "parameter of A"},
        {"parameter A; set A.u; get A.y, B.y; parameter A; set A.u, B.u;", "parameter of A"},
        {"parameter A, A; get B.y; set A.u; get A.y; set B.u;", "set A.u"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[600];
        snprintf(source, sizeof source, scenario, cases[i].init);
        expect(source, HK_VIEW_STRICT, cases[i].why);
    }
}

static void unconnected_ports_are_left_out(void **state) {
#define SPARE                                                                                      \
    "scenario s { instance A { in u; in spare; out y; out z; } instance B { in u; out y; } "       \
    "connect A.y -> B.u; connect B.y -> A.u; } algorithm { init { get A.y, B.y; set A.u, B.u; } "
    (void)state;
    expect(SPARE "step { step A, B; get A.y, B.y; set A.u, B.u; } }", HK_VIEW_CONNECTED, NULL);
    expect(SPARE "step { step A, B; get A.y, B.y; set A.u, B.u; } }", HK_VIEW_STRICT, "get A.z");
    expect(SPARE "step { step A, B; get A.y, A.z, B.y; set A.u, A.spare, B.u; } }",
           HK_VIEW_CONNECTED, NULL);
    /* In a partial order what is left out still orders the others. */
    expect(SPARE
           "step { par { a: step A; b: step B; c: get A.z after a, b; d: get A.y after c; e: "
           "get B.y after c; f: set A.spare after d, e; set A.u after f; set B.u after f; } } }",
           HK_VIEW_CONNECTED, NULL);
    expect(SPARE
           "step { par { a: step A; b: step B; c: get A.z after a; d: get A.y after c; e: "
           "get B.y after b; f: set A.spare after d, e; set A.u after f; set B.u after f; } } }",
           HK_VIEW_CONNECTED, "'get A.y' wait for 'step B'");
}

/* Whatever has phases: what is made for it refines the specification, and so does its text. */
static void what_is_made_has_phases(void **state) {
    static const char *const scenarios[] = {
        "scenario s { instance A { in u; out y; } instance B { in u; out y; } connect A.y -> B.u; "
        "connect B.y -> A.u; }",
        "scenario s { instance A { parameters 3; in u initial; in free initial; out y init [u]; "
        "out z; } instance B { in u; out y init [u]; } connect A.y -> B.u; connect B.y -> A.u; }",
        "scenario s { max step 3; instance A { can reject; in u; out y; } instance B { in u; in "
        "v; out y; } instance C { out observed y; out z; } connect A.y -> B.u; connect B.y -> A.u; "
        "connect C.z -> B.v; }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        text t = read(scenarios[i]);
        hk_sound_master *made;
        bool legal;
        assert_null(t.master);
        assert_null(hk_sound_unphased(t.arena, t.system));
        assert_true(hk_sound_synthesise(t.arena, t.system, &made).holds);
        text again = read(hk_sound_print_text(t.arena, t.system, made, t.max_step));
        hk_sound_verdict v = refines(&again, again.master, HK_VIEW_CONNECTED);
        if (!v.holds)
            print_message("%s\n%s\n", v.why,
                          hk_sound_print_text(t.arena, t.system, made, t.max_step));
        assert_true(v.holds);
        assert_true(
            hk_sound_keeps_contract(again.arena, again.system, again.master, again.max_step, &legal)
                .holds);
        assert_true(legal);
        drop(&again);
        drop(&t);
    }
}

static void some_systems_have_no_phases(void **state) {
    static const struct {
        const char *source, *why;
    } cases[] = {
        {"scenario s { instance A { in reactive u; out y; } connect A.y -> A.u; }", "A.u"},
        {"scenario s { instance A { in u; out y [u]; } connect A.y -> A.u; }",
         "A.y depends on A.u without delay"},
        {"scenario s { instance A { in u; in v; out y [v]; out z [u]; } connect A.y -> A.u; }",
         NULL}, /* nothing drives the one, and nobody reads the other */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text t = read(cases[i].source);
        const char *why = hk_sound_unphased(t.arena, t.system);
        assert_int_equal(why == NULL, cases[i].why == NULL);
        assert_true(!why || strstr(why, cases[i].why));
        drop(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exchange_stands_for_phases), cmocka_unit_test(settings_come_first),
        cmocka_unit_test(unconnected_ports_are_left_out), cmocka_unit_test(what_is_made_has_phases),
        cmocka_unit_test(some_systems_have_no_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
