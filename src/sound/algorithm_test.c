/* SPDX-License-Identifier: MIT
 *
 * The text form of scenarios and masters: every mistake has a message with its place, and what is
 * printed is read as the same. */
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
    hk_status status;
} rig;

static rig read_text(const char *text) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    r.status = hk_sound_read_text(r.ctx, r.arena, &(hk_file_text){"x.master", text, strlen(text)},
                                  &r.system, &r.master, &r.max_step);
    return r;
}

static void drop(rig *r) {
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

#define SCENARIO                                                                                   \
    "scenario s {\n"                                                                               \
    "  instance A { in u; out y; }\n"                                                              \
    "  instance B { in u; out y; }\n"                                                              \
    "  connect A.y -> B.u;\n"                                                                      \
    "}\n"
#define STEP(body) SCENARIO "algorithm { init { } step {\n" body "\n} }"

static void mistakes_have_places(void **state) {
    static const struct {
        const char *text;
        int line;
        const char *message;
    } rows[] = {
        {"", 1, "there is no scenario"},
        {"scenario s {", 1, "expected '}'"},
        {"scenario { }", 1, "expected the name of the scenario"},
        {"algorithm { }\nscenario s { }", 1, "the scenario must come before the algorithm"},
        {"scenario s { }\nscenario t { }", 2, "the scenario is given twice"},
        {"scenario s {\nmax step 0;\n}", 2, "the largest step is a whole number from 1 to 1000"},
        {"scenario s {\nmax step 2;\nmax step 2;\n}", 3, "the largest step is given twice"},
        {"scenario s {\nmax step 2;\ninstance A { can reject; }\n}", 2,
         "with a largest step of 2 it is not seen what happens when 'A'"},
        {"scenario s {\ninstance A { }\ninstance A { }\n}", 3, "instance 'A' is given twice"},
        {"scenario s {\ninstance A { in u;\nout u; }\n}", 3, "port 'A.u' is given twice"},
        {"scenario s {\ninstance A { out y [\nv]; }\n}", 3, "there is no input 'A.v'"},
        {"scenario s {\ninstance A { can fly; }\n}", 2, "expected 'reject'"},
        {"scenario s {\ninstance A { rate 0; }\n}", 2, "the rate is a whole number from 1"},
        {"scenario s {\ninstance A { in u; out y; }\nconnect A.u -> A.u;\n}", 3,
         "'A.u' is not an output"},
        {"scenario s {\ninstance A { in u; out y; }\nconnect A.y -> A.v;\n}", 3,
         "there is no input 'A.v'"},
        {"scenario s {\ninstance A { in u; out y; }\nconnect A.y -> A.u;\nconnect A.y -> A.u;\n}",
         4, "input 'A.u' has two sources"},
        {STEP("get A.u;"), 7, "'A.u' is not an output"},
        {STEP("get A.z;"), 7, "there is no output 'A.z'"},
        {STEP("step C;"), 7, "there is no instance 'C'"},
        {STEP("step A as C;"), 7, "there is no instance 'C'"},
        {STEP("step A by -1;"), 7, "the size of a step is a whole number from 0"},
        {STEP("stepp A;"), 7, "expected 'get', 'set', 'step'"},
        {STEP("get tentative A.y;"), 7, "'tentative' is for values that a loop may still change"},
        {"scenario s {\nadaptive { }\n}", 2, "adaptive scenarios, with several configurations"},
        {"scenario s {\ninstance A {\nclock c; }\n}", 3, "clocks of FMI 3 are not supported"},
        {STEP("until happy (A) { }"), 7, "expected 'converged' or 'accepted'"},
        {STEP("until converged (A.w) { }"), 7, "there is no port 'A.w'"},
        {STEP("until accepted (A) {\npar { step A; } }"), 8, "'par' is allowed in 'step' itself"},
        {STEP("par { a: get A.y;\na: get B.y; }"), 8, "label 'a' is given twice"},
        {STEP("par { a: get A.y, B.y; }"), 7, "a label is for one call"},
        {STEP("par { get A.y after b;\nb: get B.y; }"), 7, "there is no label"},
        {SCENARIO "algorithm { step { } step { } }", 6, "'step' is given twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r = read_text(rows[i].text);
        assert_int_equal(r.status, HK_E_LANGUAGE);
        assert_true(hk_ctx_count(r.ctx, HK_ERROR) > 0);
        const hk_diag *first = hk_ctx_diag(r.ctx, 0);
        if (first->where.line != rows[i].line || !strstr(first->text, rows[i].message))
            print_message("%s\n%d: %s\n", rows[i].text, first->where.line, first->text);
        assert_int_equal(first->where.line, rows[i].line);
        assert_non_null(strstr(first->text, rows[i].message));
        assert_null(r.system);
        drop(&r);
    }
}

/* However often it is used; what follows from it is not told. */
static void a_missing_name_is_one_mistake(void **state) {
    static const struct {
        const char *text;
        int line;
        const char *message;
    } rows[] = {
        {STEP("get A.z; get B.y;\nget A.z;"), 7, "there is no output 'A.z'; it is used once more"},
        {STEP("get A.z;\nget A.z;\nuntil converged (A.z) { get A.z; }"), 7,
         "there is no output 'A.z'; it is used 2 times more"},
        {STEP("set A.y;\nset A.y;"), 7, "'A.y' is not an input; it is used once more"},
        {STEP("get C.y;\nset C.u;\nstep C;"), 7,
         "there is no instance 'C'; it is used 2 times more"},
        {STEP("par { a: get A.z;\nget B.y after a; }"), 7, "there is no output 'A.z'"},
        {"scenario s {\ninstance A { in u; }\nconnect A.y -> A.u;\n}\n"
         "algorithm { init { get A.y; set A.u; }\nstep { get A.y; set A.u; step A; } }",
         3, "there is no output 'A.y'; it is used 2 times more"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r = read_text(rows[i].text);
        assert_int_equal(r.status, HK_E_LANGUAGE);
        assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), 1);
        assert_int_equal(hk_ctx_diag(r.ctx, 0)->where.line, rows[i].line);
        assert_string_equal(hk_ctx_diag(r.ctx, 0)->text, rows[i].message);
        drop(&r);
    }
}

static void names_are_suggested(void **state) {
    (void)state;
    rig r = read_text("scenario s { instance tank { out level; } } "
                      "algorithm { init { get tank.levle; } step { } }");
    assert_int_equal(r.status, HK_E_LANGUAGE);
    assert_non_null(strstr(hk_ctx_diag(r.ctx, 0)->hint, "tank.level"));
    drop(&r);
}

/* All words of the language, and names that need quotes. */
static const char whole[] = "scenario \"two words\" {\n"
                            "  max step 7;\n"
                            "  instance sub.a {\n"
                            "    can reject;\n"
                            "    cannot save;\n"
                            "    native;\n"
                            "    rate 3 from 2;\n"
                            "    parameters 4;\n"
                            "    in reactive u initial;\n"
                            "    in \"reactive\";\n"
                            "    out observed y [u, \"reactive\"] init [u];\n"
                            "    out \"z[1]\" init [u];\n"
                            "  }\n"
                            "  instance b {\n"
                            "    in u;\n"
                            "  }\n"
                            "  connect \"sub.a.z[1]\" -> b.u;\n"
                            "}\n"
                            "\n"
                            "algorithm {\n"
                            "  init {\n"
                            "    parameter sub.a;\n"
                            "    until converged (sub.a.y, \"sub.a.z[1]\") {\n"
                            "      get tentative sub.a.y;\n"
                            "    } retry {\n"
                            "      restore sub.a;\n"
                            "    }\n"
                            "  }\n"
                            "  step {\n"
                            "    par {\n"
                            "      c1: step sub.a;\n"
                            "      c2: step b as sub.a after c1;\n"
                            "      c3: step b by 2 after c1;\n"
                            "      c4: until accepted (b) after c2, c3 {\n"
                            "        set tentative b.u;\n"
                            "      }\n"
                            "      c5: save b after c4;\n"
                            "    }\n"
                            "  }\n"
                            "}\n";

static void all_is_printed_as_it_was_read(void **state) {
    (void)state;
    rig r = read_text(whole);
    for (size_t i = 0; i < hk_ctx_count(r.ctx, HK_NOTE); i++)
        print_message("%d: %s\n", hk_ctx_diag(r.ctx, i)->where.line, hk_ctx_diag(r.ctx, i)->text);
    assert_int_equal(r.status, HK_OK);
    const hk_sound_instance *a = &r.system->instances[0];
    assert_int_equal(r.max_step, 7);
    assert_true(a->can_reject && !a->can_save && !a->is_fmu);
    assert_int_equal(a->rate, 3);
    assert_int_equal(a->first, 2);
    assert_int_equal(a->parameters, 4);
    assert_true(r.system->ports[0].reactive && r.system->ports[0].initial);
    assert_false(r.system->ports[1].reactive);
    assert_true(r.system->ports[2].observed);
    assert_int_equal(r.system->ports[2].depends_count, 2);
    assert_int_equal(r.system->ports[2].depends[1], 1);
    assert_int_equal(r.system->ports[4].source, 3);
    assert_int_equal(r.master->step[2].line, 33);
    assert_int_equal(r.master->before_count[3], 2);
    assert_string_equal(hk_sound_print_text(r.arena, r.system, r.master, r.max_step), whole);
    drop(&r);
}

/* What follows a parallel block follows all that ends it; one without an order is a sequence. */
static void orders_are_composed(void **state) {
    (void)state;
    rig r = read_text(STEP("get A.y; par { a: set B.u; b: step A; step B after a; } get B.y;"));
    assert_int_equal(r.status, HK_OK);
    assert_int_equal(r.master->step_count, 5);
    const size_t counts[] = {0, 1, 1, 1, 2};
    const uint32_t last[] = {0, 0, 0, 1, 3};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(r.master->before_count[i], counts[i]);
        if (counts[i])
            assert_int_equal(r.master->before[i][counts[i] - 1], last[i]);
    }
    drop(&r);
    r = read_text(STEP("get A.y; set B.u; step A, B;"));
    assert_int_equal(r.status, HK_OK);
    assert_int_equal(r.master->step_count, 4);
    assert_null(r.master->before);
    drop(&r);
}

static void an_algorithm_may_be_missing(void **state) {
    (void)state;
    rig r = read_text(SCENARIO);
    assert_int_equal(r.status, HK_OK);
    assert_null(r.master);
    assert_int_equal(r.max_step, 1);
    drop(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_have_places), cmocka_unit_test(a_missing_name_is_one_mistake),
        cmocka_unit_test(names_are_suggested),  cmocka_unit_test(all_is_printed_as_it_was_read),
        cmocka_unit_test(orders_are_composed),  cmocka_unit_test(an_algorithm_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
