/* SPDX-License-Identifier: MIT
 *
 * Traces: verdicts and their words, the time layer, the contract view, and files. */
#include "sound/sound.h"

#include "base/file.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sound_rig.h"

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_sound_system *s;
    hk_sound_call *trace;
    size_t count;
    const char *folder;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    f->s = sound_detector(f->arena, false);
    f->trace = sound_run(f->arena, f->s, sound_jacobi(f->arena, f->s, NULL, false), 3, &f->count);
    *state = f;
    return hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_sound_verdict check(fixture *f) {
    return sound_check(f->arena, f->s, f->trace, f->count);
}

static hk_sound_call *nth(fixture *f, hk_sound_op op, size_t n) {
    for (size_t i = 0; i < f->count; i++)
        if (f->trace[i].op == op && n-- == 0)
            return &f->trace[i];
    fail();
    return NULL;
}

static void test_verdicts(void **state) {
    fixture *f = *state;
    hk_sound_verdict v = check(f);
    assert_int_equal(v.outcome, HK_SOUND_OK);
    assert_int_equal(v.calls, 8 + 3 * 29);
    assert_int_equal(v.cycles, 3);
    f->count -= 2;
    v = check(f);
    assert_int_equal(v.outcome, HK_SOUND_INCOMPLETE);
    assert_true(v.holds);
    assert_string_equal(v.why, "ended inside phase STEP; still due: step chemDetect, step arena");
    f->count -= 20;
    hk_sound_call early = *nth(f, HK_OP_SET, 8 + 1);
    f->trace[f->count - 1] = early;
    v = check(f);
    assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
    assert_string_equal(v.why, "trace violation at event 73 (cycle 2, t=0.2): set controller.r in "
                               "phase GET; still due: get wallSensor.wright, get mobility.gpspos, "
                               "get mobility.gpsdir, get chemDetect.detected and 3 more");
    /* M7: a call that does not return OK. */
    f->trace[40].failed = true;
    v = check(f);
    assert_int_equal(v.outcome, HK_SOUND_INCONCLUSIVE);
    assert_non_null(strstr(v.why, "did not return OK"));
}

static void test_time(void **state) {
    fixture *f = *state;
    hk_sound_call *step = nth(f, HK_OP_STEP, 7), was = *step;
    step->h = 0.2;
    assert_non_null(strstr(check(f).why, "step mobility at 0.1 by 0.2: others step by 0.1"));
    *step = was;
    step->t = 0;
    assert_non_null(strstr(check(f).why, "step mobility at 0 by 0.1: it is at 0.1"));
    *step = was;
    step->h = 0;
    assert_non_null(strstr(check(f).why, "a step is longer than 0"));
    *step = was;
    for (size_t i = 0; i < 5; i++) /* nobody advances */
        nth(f, HK_OP_STEP, 5 + i)->t = 0;
    assert_int_equal(check(f).outcome, HK_SOUND_VIOLATION);
}

/* Sums of 0.1 and products of it are both fine. */
static void test_time_is_not_exact(void **state) {
    fixture *f = *state;
    f->trace = sound_run(f->arena, f->s, sound_jacobi(f->arena, f->s, NULL, false), 500, &f->count);
    double t = 0;
    size_t steps = 0;
    for (size_t i = 0; i < f->count; i++)
        if (f->trace[i].op == HK_OP_STEP) {
            f->trace[i].t = t;
            if (++steps % 5 == 0)
                t += 0.1;
        }
    assert_int_equal(check(f).outcome, HK_SOUND_OK);
}

static void test_roll_back_is_a_violation_of_phases(void **state) { /* M6, strict view */
    fixture *f = *state;
    hk_sound_call last = f->trace[f->count - 1];
    f->trace[f->count - 1] = (hk_sound_call){.op = HK_OP_RESTORE, .instance = last.instance};
    hk_sound_verdict v = check(f);
    assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
    assert_non_null(strstr(v.why, "restore arena in phase STEP"));
}

/* ---- files ---- */

static hk_sound_verdict from_file(fixture *f, const char *text, hk_sound_view view) {
    const char *path = hk_path_join(f->arena, f->folder, "trace.txt");
    assert_int_equal(hk_file_write(f->ctx, path, text, strlen(text)), HK_OK);
    hk_sound_verdict v = {0};
    assert_int_equal(
        hk_sound_check_file(f->ctx, f->arena, &(hk_sound_wanted){f->s, view, 0}, path, &v), HK_OK);
    return v;
}

static const char *as_text(fixture *f, size_t count) {
    const char *text = "# another tool\n";
    for (size_t i = 0; i < count; i++) {
        const hk_sound_call *c = &f->trace[i];
        bool step = c->op == HK_OP_STEP;
        char line[128];
        if (step)
            snprintf(line, sizeof line, "D %s %.17g %.17g ok\n", f->s->instances[c->instance].name,
                     c->t, c->h);
        else
            snprintf(line, sizeof line, "%s %s %.17g ok\n", c->op == HK_OP_GET ? "G" : "S",
                     f->s->ports[c->port].name, c->value);
        text = hk_arena_printf(f->arena, "%s%s", text, line);
    }
    return text;
}

static const char *as_json(fixture *f, size_t from) {
    static const char *const words[] = {"set", "get", "step"};
    const char *text = "";
    for (size_t i = from; i < f->count; i++) {
        const hk_sound_call *c = &f->trace[i];
        const char *name = f->s->instances[c->instance].name;
        char line[256];
        double t = (double)((i - 8) / 29) * 0.1;
        if (c->op == HK_OP_STEP)
            snprintf(line, sizeof line,
                     "{\"n\":%zu,\"t\":%.17g,\"op\":\"step\",\"instance\":\"%s\",\"h\":%.17g}\n", i,
                     c->t, name, c->h);
        else
            snprintf(line, sizeof line,
                     "{\"n\":%zu,\"t\":%.17g,\"op\":\"%s\",\"instance\":\"%s\",\"ports\":[\"%s\"],"
                     "\"values\":[%.17g]}\n",
                     i, t, words[c->op], name, strchr(f->s->ports[c->port].name, '.') + 1,
                     c->value);
        text = hk_arena_printf(f->arena, "%s%s", text, line);
    }
    return text;
}

static void test_files_say_what_runs_say(void **state) { /* M8 */
    fixture *f = *state;
    hk_sound_verdict online = check(f), offline = from_file(f, as_text(f, f->count), 0);
    assert_int_equal(offline.outcome, HK_SOUND_OK);
    assert_int_equal(offline.calls, online.calls);
    sound_rng rng = {5};
    hk_sound_master *m = sound_jacobi(f->arena, f->s, NULL, false);
    for (sound_fault fault = 0; fault < FAULT_COUNT; fault++) {
        hk_sound_master *mutant = sound_mutant(f->arena, &rng, f->s, m, fault);
        f->trace = sound_run(f->arena, f->s, mutant, 4, &f->count);
        online = check(f);
        offline = from_file(f, as_text(f, f->count), 0);
        assert_int_equal(offline.outcome, online.outcome);
        assert_string_equal(offline.why, online.why);
    }
}

static void test_json_begins_anywhere(void **state) {
    fixture *f = *state;
    assert_int_equal(from_file(f, as_json(f, 8), 0).outcome, HK_SOUND_OK);
    assert_int_equal(from_file(f, as_json(f, 8 + 13), 0).outcome, HK_SOUND_OK); /* with sets */
    assert_int_equal(from_file(f, as_json(f, 8 + 29 + 24), 0).outcome, HK_SOUND_OK);
    nth(f, HK_OP_SET, 8 + 11 + 3)->value += 1;
    hk_sound_verdict v = from_file(f, as_json(f, 8), 0);
    assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
    assert_non_null(strstr(v.why, "set wallSensor.walls to"));
}

static void test_wrong_files(void **state) {
    fixture *f = *state;
    static const char *const wrong[] = {
        "S controller.r\n",
        "Q controller.r 1 ok\n",
        "G nobody.y 1 ok\n",
        "D arena x 0.1 ok\n",
        "{\"op\":\"set\"}\n",
        "{\"op\":\"fly\",\"instance\":\"arena\",\"t\":0}\n",
        "{\"op\":\"step\",\"instance\":\"arena\",\"t\":0}\n",
        "{\"op\":\"step\",\"instance\":\"nobody\",\"t\":0,\"h\":1}\n",
        "{\"op\":\"step\",\n",
        "{\"op\":[[[\n",
        "{\"op\":\"get\",\"instance\":\"arena\",\"t\":0,\"ports\":[3]}\n",
        "{\"op\"\n",
        "{\"a"};
    const char *path = hk_path_join(f->arena, f->folder, "trace.txt");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hk_sound_verdict v;
        hk_ctx_clear(f->ctx);
        assert_int_equal(hk_file_write(f->ctx, path, wrong[i], strlen(wrong[i])), HK_OK);
        assert_int_equal(hk_sound_check_file(f->ctx, f->arena,
                                             &(hk_sound_wanted){f->s, HK_VIEW_STRICT, 0}, path, &v),
                         HK_E_LANGUAGE);
        assert_int_equal(hk_ctx_diag(f->ctx, 0)->where.line, 1);
    }
}

/* ---- the contract view: Gauss-Seidel, no common phases ---- */

static void test_contract_view(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a", "b"};
    static const sound_row rows[] = {
        {"a.y", NULL, false}, {"a.u", "b.y", false}, {"b.y", NULL, false}, {"b.u", "a.y", false}};
    f->s = sound_system(f->arena, names, 2, rows, 4);
    f->s->ports[3].reactive = true; /* b wants the end of a's step */
    const char *head = "G a.y 1 ok\nG b.y 2 ok\n";
    const char *cycle = "S a.u 2 ok\nD a 0 0.1 ok\nG a.y 3 ok\nS b.u 3 ok\nD b 0 0.1 ok\n"
                        "G b.y 4 ok\n";
    const char *text = hk_arena_printf(f->arena, "%s%s", head, cycle);
    assert_int_equal(from_file(f, text, HK_VIEW_CONTRACT).outcome, HK_SOUND_OK);
    assert_int_equal(from_file(f, text, HK_VIEW_STRICT).outcome, HK_SOUND_VIOLATION);
    static const char *const wrong[][2] = {
        {"S a.u 2 ok\nS b.u 1 ok\n", "it wants the end of the step"},
        {"D a 0 0.1 ok\n", "a.u was not set"},
        {"S a.u 2 ok\nG a.y 1 ok\n", "get a.y again"},
        {"S a.u 2 ok\nD a 0 0.1 ok\nS b.u 3 ok\n", "a.y was not read"},
        {"S a.u 2 ok\nD a 0 0.1 ok\nD a 0 0.1 ok\n", "step a at 0: it is at 0.1"},
        {"S a.u 2 ok\nS a.u 2 ok\n", "set a.u again"},
        {"S a.u 2 ok\nD a 0.1 0.1 ok\n", "step a at 0.1: it is at 0"},
        {"S a.u 2 ok\nD a 0 0 ok\n", "longer than 0"},
        {"S a.u 2 ok\nD a 0 0.1 ok\nS a.u 2 ok\n", "it wants the beginning of the step, and b is "
                                                   "still at 0"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        hk_sound_verdict v =
            from_file(f, hk_arena_printf(f->arena, "%s%s", head, wrong[i][0]), HK_VIEW_CONTRACT);
        assert_int_equal(v.outcome, HK_SOUND_VIOLATION);
        if (!strstr(v.why, wrong[i][1]))
            fail_msg("'%s' does not say '%s'", v.why, wrong[i][1]);
    }
}

/* Nobody may stay behind or be missing, and a trace may be cut anywhere. */
static void test_contract_view_of_all(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a", "b"};
    static const sound_row rows[] = {
        {"a.y", NULL, false}, {"a.u", "", false}, {"b.y", NULL, false}};
    f->s = sound_system(f->arena, names, 2, rows, 3);
    for (size_t p = 0; p < 3; p++)
        f->s->ports[p].observed = true;
    const char *head = "G a.y 1 ok\nG b.y 2 ok\nS a.u 5 ok\nD a 0 0.1 ok\n";
    static const struct {
        const char *text;
        hk_sound_outcome outcome;
        const char *says;
    } cases[] = {
        {"G a.y 3 ok\nD b 0 0.1 ok\nG b.y 4 ok\n", HK_SOUND_OK, NULL},
        {"G a.y 3 ok\nD b 0 0.1 ok\n", HK_SOUND_INCOMPLETE, "still due: get b.y"},
        {"G a.y 3 ok\n", HK_SOUND_INCOMPLETE, "still due: step b"},
        {"G a.y 3 ok\nS a.u 1 ok\nD a 0.1 0.1 ok\n", HK_SOUND_VIOLATION,
         "step a at 0.1: b is still at 0"},
        {"S a.u 1 ok\nG a.y 3 ok\n", HK_SOUND_VIOLATION, "after an input of a was set"},
        {"G a.y 3 ok\nV b ok\nD b 0 0.2 ok\nR b ok\nD b 0 0.1 ok\nG b.y 4 ok\n", HK_SOUND_OK, NULL},
        {"G a.y 3 ok\nR b ok\n", HK_SOUND_VIOLATION, "restore b: it was not saved"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_sound_verdict v =
            from_file(f, hk_arena_printf(f->arena, "%s%s", head, cases[i].text), HK_VIEW_CONTRACT);
        assert_int_equal(v.outcome, cases[i].outcome);
        if (cases[i].says && !strstr(v.why, cases[i].says))
            fail_msg("'%s' does not say '%s'", v.why, cases[i].says);
    }
}

/* ---- several rates ---- */

static void test_rates(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"fast", "slow"};
    static const sound_row rows[] = {{"fast.y", NULL, false}, {"slow.u", "fast.y", false}};
    f->s = sound_system(f->arena, names, 2, rows, 2);
    f->s->instances[1].rate = 2;
    f->s->cycle = 0.1;
    const char *fine = "G fast.y 1 ok\nS slow.u 1 ok\nD fast 0 0.1 ok\nD slow 0 0.2 ok\n"
                       "G fast.y 2 ok\nD fast 0.1 0.1 ok\n"
                       "G fast.y 3 ok\nS slow.u 3 ok\nD slow 0.2 0.2 ok\nD fast 0.2 0.1 ok\n";
    assert_int_equal(from_file(f, fine, 0).outcome, HK_SOUND_OK);
    assert_non_null(strstr(from_file(f,
                                     "G fast.y 1 ok\nS slow.u 1 ok\nD slow 0 0.1 ok\n"
                                     "D fast 0 0.1 ok\nG fast.y 1 ok\nS slow.u 1 ok\n",
                                     0)
                               .why,
                           "in phase STEP"));
    assert_non_null(strstr(from_file(f, "G fast.y 1 ok\nS slow.u 1 ok\nD slow 0 0.3 ok\n", 0).why,
                           "its step is 0.2 long"));
}

/* One call of an instance in a trace; u: set, s: step, g: get. */
static const char *call_of(hk_arena *arena, char what, int n, const char *instance, bool second) {
    const char *op = "get", *about = "\"ports\":[\"y\"],\"values\":[[1,2]]";
    if (what == 's') {
        op = "step";
        about = "\"h\":1";
    } else if (what == 'u') {
        op = "set";
        about = "\"ports\":[\"u\"],\"values\":[null]";
    }
    return hk_arena_printf(
        arena, "{\"n\":%d,\"t\":0,\"op\":\"%s\",\"instance\":\"%s\",%s,\"phase\":3%s}\n", n, op,
        instance, about, second ? ",\"thread\":1" : "");
}

/* Two threads, each with one instance: calls of different instances may be swapped. */
static void test_threads_are_put_in_order(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a", "b"};
    static const sound_row rows[] = {
        {"a.y", NULL, false}, {"a.u", "b.y", false}, {"b.y", NULL, false}, {"b.u", "a.y", false}};
    static const char *const orders[] = {"usg", "ugs", "sug"};
    f->s = sound_system(f->arena, names, 2, rows, 4);
    for (size_t k = 0; k < 3; k++) {
        const char *text = "";
        int n = 10; /* begins in the middle */
        for (int i = 0; i < 2; i++)
            for (const char *c = orders[k]; *c; c++, n++)
                text = hk_arena_printf(f->arena, "%s%s", text,
                                       call_of(f->arena, *c, n, names[i], i == 1));
        assert_int_equal(from_file(f, text, HK_VIEW_STRICT).outcome,
                         k == 0 ? HK_SOUND_OK : HK_SOUND_VIOLATION);
    }
}

/* The order in which calls were really made: phases follow each other. */
static void test_phases_follow_each_other(void **state) {
    fixture *f = *state;
    static const char *const names[] = {"a", "b"};
    static const sound_row rows[] = {{"a.y", NULL, false}, {"b.u", "a.y", false}};
    f->s = sound_system(f->arena, names, 2, rows, 2);
    for (int early = 0; early < 2; early++) {
        const char *text = "{\"t\":0,\"op\":\"get\",\"instance\":\"a\",\"ports\":[\"y\"],"
                           "\"values\":[0],\"phase\":2}\n";
        for (int t = 0; t < 3; t++)
            text = hk_arena_printf(
                f->arena,
                "%s{\"t\":%d,\"op\":\"set\",\"instance\":\"b\",\"ports\":[\"u\"],\"values\":[%d],"
                "\"phase\":%d,\"thread\":1,\"order\":%d}\n"
                "{\"t\":%d,\"op\":\"step\",\"instance\":\"a\",\"h\":1,\"phase\":%d,\"order\":%d}\n"
                "{\"t\":%d,\"op\":\"get\",\"instance\":\"a\",\"ports\":[\"y\"],\"values\":[%d],"
                "\"phase\":%d,\"order\":%d}\n"
                "{\"t\":%d,\"op\":\"step\",\"instance\":\"b\",\"h\":1,\"phase\":%d,\"thread\":1,"
                "\"order\":%d}\n",
                text, t, t, t + 3, 4 * t + 1 - 3 * (early && t), t, t + 3, 4 * t, t, t + 1, t + 3,
                4 * t + 2, t, t + 3, 4 * t + 3);
        hk_sound_verdict v = from_file(f, text, HK_VIEW_STRICT);
        assert_int_equal(v.outcome, early ? HK_SOUND_VIOLATION : HK_SOUND_OK);
        if (early)
            assert_non_null(strstr(v.why, "set b.u was made before the phase before it ended"));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_verdicts),
                                       TEST(test_time),
                                       TEST(test_time_is_not_exact),
                                       TEST(test_roll_back_is_a_violation_of_phases),
                                       TEST(test_files_say_what_runs_say),
                                       TEST(test_json_begins_anywhere),
                                       TEST(test_wrong_files),
                                       TEST(test_contract_view),
                                       TEST(test_contract_view_of_all),
                                       TEST(test_rates),
                                       TEST(test_threads_are_put_in_order),
                                       TEST(test_phases_follow_each_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
