/* SPDX-License-Identifier: MIT
 *
 * A small system: az feeds a and b, a feeds b, b feeds sub.c. Every kind of statement, and every
 * mistake with the place at which it is found. */
#include "lang/schedule/schedule.h"

#include "base/file.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *mode_names[] = {"off", "on"};
static const int64_t mode_values[] = {0, 7};
static const hk_enum modes = {"Mode", mode_names, mode_values, 2};
static hk_variable variables[] = {
    {.name = "u", .causality = HK_INPUT, .count = 1},
    {.name = "v", .causality = HK_INPUT, .count = 1},
    {.name = "y", .causality = HK_OUTPUT, .count = 1},
    {.name = "der(x)", .causality = HK_OUTPUT, .count = 3},
    {.name = "mode",
     .causality = HK_OUTPUT,
     .type = HK_TYPE_ENUM,
     .enumeration = &modes,
     .count = 1},
};
enum { U, V, Y, DER, MODE, VARIABLES };
enum { AZ, A, B, C, COMPONENTS };
static hk_info info = {.name = "Plant", .variables = variables, .variable_count = VARIABLES};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    static fixture f;
    static const char *const names[COMPONENTS] = {"az", "a", "b", "sub.c"};
    uint32_t index;
    f = (fixture){hk_ctx_create(NULL, NULL), hk_model_create("m", "m.ssd")};
    for (uint32_t i = 0; i < VARIABLES; i++)
        hk_map_put(&info.by_name, variables[i].name, i);
    for (size_t i = 0; i < COMPONENTS; i++)
        assert_int_equal(
            hk_model_add_component(f.ctx, f.model, names[i], &info, HK_NOWHERE, &index), HK_OK);
    hk_model_connect(f.model, AZ, Y, A, U, HK_NOWHERE);
    hk_model_connect(f.model, AZ, Y, B, U, HK_NOWHERE);
    hk_model_connect(f.model, A, MODE, B, V, HK_NOWHERE);
    hk_model_connect(f.model, B, DER, C, U, HK_NOWHERE);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_map_finish(&info.by_name);
    return 0;
}

static hk_status parse(fixture *f, const char *text) {
    return hk_schedule_parse(f->ctx, f->model, "s.txt", 1, text, strlen(text));
}

static void expect_ok(fixture *f, const char *text) {
    if (parse(f, text) == HK_OK && hk_ctx_count(f->ctx, HK_NOTE) == 0)
        return;
    const hk_diag *d = hk_ctx_diag(f->ctx, 0);
    fail_msg("%d:%d: %s", d->where.line, d->where.column, d->text);
}

static bool is_time(hk_ratio r, int64_t num, int64_t den) {
    return r.num == num && r.den == den;
}

static void test_processors(void **state) {
    fixture *f = *state;
    expect_ok(f, "# where\n\nprocessor LP1: b az # order\r\n\t\r\nprocessor \"L P2\": sub.c a\n"
                 "cut hla");
    const hk_model *m = f->model;
    assert_int_equal(m->processor_count, 2);
    assert_string_equal(m->processors[1].name, "L P2");
    assert_true(m->processors[1].where.line == 5 && m->processors[1].where.column == 1);
    assert_string_equal(m->processors[1].where.file, "s.txt");
    assert_int_equal(m->processors[0].count, 2);
    assert_true(m->components[B].processor == 0 && m->components[B].rank == 0);
    assert_true(m->components[AZ].processor == 0 && m->components[AZ].rank == 1);
    assert_true(m->components[C].processor == 1 && m->components[A].rank == 1);
    assert_int_equal(m->cut, HK_CUT_HLA);
    /* Another schedule takes the place of this one. */
    expect_ok(f, "cut keep\nprocessor LP1: az a b sub.c");
    assert_true(m->processor_count == 1 && m->components[C].rank == 3);
    assert_true(m->components[C].processor == 0 && m->cut == HK_CUT_KEEP);
    /* One that says nothing about processors leaves them. */
    expect_ok(f, "freshness b max 1");
    assert_int_equal(m->processor_count, 1);
}

static void test_components(void **state) {
    fixture *f = *state;
    expect_ok(f, "component a period 5ms offset 1/1000 priority -2\ncomponent sub.c priority 3\n"
                 "component \"az\" offset 1e-6s\ncomponent sub.c period 0.25");
    const hk_component *c = f->model->components;
    assert_true(c[A].has_period && is_time(c[A].period, 1, 200) && is_time(c[A].offset, 1, 1000));
    assert_true(c[A].priority == -2 && c[C].priority == 3);
    assert_true(!c[AZ].has_period && is_time(c[AZ].offset, 1, 1000000));
    assert_true(c[C].has_period && is_time(c[C].period, 1, 4));
}

static void test_execution_times(void **state) {
    fixture *f = *state;
    expect_ok(f, "component a cost 3ms\ncomponent b cost 1/400 deadline 2ms overrun late\n"
                 "component az overrun skip cost 1us\ncomponent sub.c cost 1 overrun stop");
    const hk_component *c = f->model->components;
    assert_true(c[A].has_cost && is_time(c[A].cost, 3, 1000) && !c[A].has_deadline);
    assert_true(c[A].overrun == HK_OVERRUN_STOP && !c[A].has_overrun); /* without a word */
    assert_true(c[B].has_cost && is_time(c[B].cost, 1, 400));
    assert_true(c[B].has_deadline && is_time(c[B].deadline, 1, 500));
    assert_true(c[B].overrun == HK_OVERRUN_LATE && c[AZ].overrun == HK_OVERRUN_SKIP);
    assert_true(c[C].overrun == HK_OVERRUN_STOP && c[C].has_overrun);
}

static void test_links(void **state) {
    fixture *f = *state;
    expect_ok(f, "link az.y->a.u lag previous delay 10ms initial -0.012\n"
                 "link az.y -> b.u lag observe\nlink a.mode -> b.v initial on lag current\n"
                 "link \"b.der(x)\" -> sub.c.u initial \"1 2 3\" delay 0\n");
    const hk_connection *k = f->model->connections;
    assert_true(k[0].lag == HK_LAG_PREVIOUS && is_time(k[0].delay, 1, 100));
    assert_true(*(double *)k[0].initial.data == -0.012);
    assert_true(k[1].lag == HK_LAG_OBSERVE && !k[1].initial.data);
    assert_true(k[2].lag == HK_LAG_CURRENT && *(int64_t *)k[2].initial.data == 7);
    assert_true(k[3].lag == HK_LAG_DEFAULT && ((double *)k[3].initial.data)[2] == 3);
}

static void test_constraints(void **state) {
    fixture *f = *state;
    expect_ok(f, "latency az -> a -> b min 0ms max 20ms\n  coincidence az -> b, az -> a -> b\n"
                 "freshness sub.c max 40ms\nlatency b -> sub.c min 1us\n"
                 "coincidence az -> b, a -> b");
    const hk_constraint *c = f->model->constraints;
    assert_int_equal(f->model->constraint_count, 5);
    assert_true(c[0].kind == HK_LATENCY && c[0].path_count == 1 && c[0].has_min && c[0].has_max);
    assert_true(is_time(c[0].min, 0, 1) && is_time(c[0].max, 1, 50));
    assert_string_equal(hk_model_path_name(f->model, &c[0].paths[0]), "az -> a -> b");
    assert_true(c[1].kind == HK_COINCIDENCE && c[1].path_count == 2);
    assert_true(!c[1].has_min && !c[1].has_max);
    assert_string_equal(hk_model_path_name(f->model, &c[1].paths[0]), "az -> b");
    assert_string_equal(hk_model_path_name(f->model, &c[1].paths[1]), "az -> a -> b");
    assert_true(c[1].where.line == 2 && c[1].where.column == 3);
    assert_true(c[2].kind == HK_FRESHNESS && c[2].paths[0].count == 1);
    assert_true(c[2].paths[0].components[0] == C && is_time(c[2].max, 1, 25));
    assert_true(c[3].has_min && !c[3].has_max && is_time(c[3].min, 1, 1000000));
    assert_int_equal(c[4].path_count, 2); /* of two sources */
    assert_string_equal(hk_model_path_name(f->model, &c[4].paths[1]), "a -> b");
}

typedef struct spot {
    int line, column;
} spot;

/* Exactly one error: its place, its text, its hint (NULL: none; "*": any). */
static void expect_error(void **state, const char *schedule, spot at, hk_status code,
                         const char *text, const char *hint) {
    tear_down(state);
    set_up(state);
    fixture *f = *state;
    hk_status status = parse(f, schedule);
    const hk_diag *d = hk_ctx_count(f->ctx, HK_NOTE) ? hk_ctx_diag(f->ctx, 0) : NULL;
    if (!d || status != code || d->code != code || hk_ctx_count(f->ctx, HK_NOTE) != 1 ||
        d->where.line != at.line || d->where.column != at.column || strcmp(d->text, text) != 0)
        fail_msg("%s\n%zu: %d:%d: HK%04d %s (%s)", schedule, hk_ctx_count(f->ctx, HK_NOTE),
                 d ? d->where.line : 0, d ? d->where.column : 0, (int)status, d ? d->text : "",
                 d && d->hint ? d->hint : "no hint");
    assert_string_equal(d->where.file, "s.txt");
    if (!hint)
        assert_null(d->hint);
    else if (strcmp(hint, "*") != 0)
        assert_string_equal(d->hint ? d->hint : "no hint", hint);
}

static void test_wrong_names(void **state) {
    const hk_status s = HK_E_SCHEDULE;
    expect_error(state, "\nprocessor P: az a b sub.d", (spot){2, 21}, s,
                 "there is no component 'sub.d'", "did you mean 'sub.c'?");
    expect_error(state, "freshness zzzzzzz max 1", (spot){1, 11}, s,
                 "there is no component 'zzzzzzz'", NULL);
    expect_error(state, "latency az -> a.u max 1", (spot){1, 15}, s, "there is no component 'a.u'",
                 "name the component alone: 'a'");
    expect_error(state, "link az.yy -> a.u lag previous", (spot){1, 6}, s,
                 "component 'az' has no port 'yy'", "did you mean 'az.y'?");
    expect_error(state, "link az.y -> subb.c.u lag previous", (spot){1, 14}, s,
                 "there is no component 'subb.c'", "did you mean 'sub.c'?");
    expect_error(state, "link y -> a.u lag previous", (spot){1, 6}, s,
                 "'y' is not a port of a component", "write component.port");
    expect_error(state, "link a.u -> az.y lag previous", (spot){1, 6}, s,
                 "there is no connection 'a.u -> az.y'", "did you mean 'az.y -> a.u'?");
    expect_error(state, "link az.y -> b.v lag previous", (spot){1, 6}, s,
                 "there is no connection 'az.y -> b.v'", "did you mean 'a.mode -> b.v'?");
    expect_error(state, "link b.y -> az.u lag previous", (spot){1, 6}, s,
                 "there is no connection 'b.y -> az.u'", NULL);
    expect_error(state, "latency az -> sub.c max 1", (spot){1, 15}, s,
                 "there is no connection from 'az' to 'sub.c'", "'az' is connected to 'a' and 'b'");
    expect_error(state, "latency b -> az max 1", (spot){1, 14}, s,
                 "there is no connection from 'b' to 'az'", "the connection goes from 'az' to 'b'");
}

static void test_wrong_words(void **state) {
    const hk_status s = HK_E_SCHEDULE;
    expect_error(state, "  proccessor P: az a b sub.c", (spot){1, 3}, s,
                 "expected 'processor', 'cut', 'component', 'link', 'latency', 'coincidence' or "
                 "'freshness', found 'proccessor'",
                 "did you mean 'processor'?");
    expect_error(state, "cut kepp", (spot){1, 5}, s, "expected 'hla' or 'keep', found 'kepp'",
                 "did you mean 'keep'?");
    expect_error(state, "cut", (spot){1, 4}, s,
                 "expected 'hla' or 'keep', found the end of the line", NULL);
    expect_error(state, "cut hla keep", (spot){1, 9}, s,
                 "expected the end of the line, found 'keep'", NULL);
    expect_error(state, "component a", (spot){1, 12}, s,
                 "expected 'period', 'offset', 'priority', 'cost', 'deadline' or 'overrun', found "
                 "the end of the line",
                 NULL);
    expect_error(state, "link az.y -> a.u lag later", (spot){1, 22}, s,
                 "expected 'previous', 'observe' or 'current', found 'later'", NULL);
    expect_error(state, "link az.y a.u lag previous", (spot){1, 11}, s,
                 "expected '->', found 'a.u'", "*");
    expect_error(state, "freshness a min 1", (spot){1, 13}, s, "expected 'max', found 'min'", "*");
    expect_error(state, "latency a -> b max 5 ms", (spot){1, 22}, s,
                 "expected 'max' or 'min', found 'ms'", "units come right behind the number: 5ms");
    expect_error(state, "latency a -> b", (spot){1, 15}, s,
                 "expected 'max' or 'min', found the end of the line", NULL);
    expect_error(state, "latency a max 1", (spot){1, 11}, s, "expected '->', found 'max'", "*");
    expect_error(state, "processor P az a b sub.c", (spot){1, 13}, s, "expected ':', found 'az'",
                 "*");
    expect_error(state, "processor : az a b sub.c", (spot){1, 11}, s,
                 "expected the name of the processor, found ':'", NULL);
    expect_error(state, "freshness \"\303\244 max 1", (spot){1, 11}, s,
                 "the quotes are not closed in this line", "*");
    expect_error(state, "freshness \"\303\244\" \303\266", (spot){1, 11}, s,
                 "there is no component '\303\244'", "*");
    expect_error(state, "freshness a \303\266", (spot){1, 13}, s,
                 "the character '\303\266' does not belong here", "*");
    expect_error(state, "link az.y -> a.u initial ;", (spot){1, 26}, s,
                 "the character ';' does not belong here", "*");
    expect_error(state, "cut \001", (spot){1, 5}, s, "the byte 0x01 does not belong here", "*");
}

static void test_wrong_partitions(void **state) {
    const hk_status s = HK_E_SCHEDULE;
    expect_error(state, "processor P: az a b\nprocessor Q: sub.c az", (spot){2, 20}, s,
                 "component 'az' is in the processors 'P' and 'Q'", "*");
    expect_error(state, "processor P: az a b az sub.c", (spot){1, 21}, s,
                 "component 'az' occurs twice in processor 'P'", "*");
    expect_error(state, "processor P: az a\nprocessor P: b sub.c", (spot){2, 1}, HK_E_DUPLICATE,
                 "two processors are called 'P'; the other one is in line 1", "*");
    expect_error(state, "processor P: az a b sub.c\nprocessor Q: # none", (spot){2, 1}, s,
                 "processor 'Q' has no components", "*");
    expect_error(state, "processor P: az, a", (spot){1, 16}, s, "expected a component, found ','",
                 "components of a processor are separated by spaces");
    expect_error(state, "cut hla\nprocessor P: az a\n", (spot){2, 1}, s,
                 "no processor has the components 'b', 'sub.c'", "*");
    expect_error(state, "processor P: az a b\n", (spot){1, 1}, s,
                 "no processor has the component 'sub.c'", "*");
    expect_error(state, "cut hla\ncut hla", (spot){2, 1}, s,
                 "the cut of the system is given twice; the other one is in line 1", "*");
}

static void test_many_missing(void **state) {
    fixture *f = *state;
    uint32_t index;
    for (int i = 0; i < 20; i++) {
        const char *name = hk_arena_printf(f->model->arena, "x%d", i);
        assert_int_equal(hk_model_add_component(f->ctx, f->model, name, &info, HK_NOWHERE, &index),
                         HK_OK);
    }
    assert_int_equal(parse(f, "processor P: az a b sub.c"), HK_E_SCHEDULE);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "no processor has the components 'x0', 'x1', 'x2', 'x3', 'x4', 'x5', "
                        "'x6', 'x7' and 12 more");
}

static void test_wrong_values(void **state) {
    const hk_status s = HK_E_SCHEDULE;
    expect_error(state, "freshness a max", (spot){1, 16}, s,
                 "expected a time behind 'max', found the end of the line", "*");
    expect_error(state, "freshness a max soon", (spot){1, 17}, s,
                 "expected a time behind 'max', found 'soon'", "*");
    expect_error(state, "freshness a max 5parsec", (spot){1, 17}, HK_E_VALUE,
                 "'5parsec' is not a time", "*");
    expect_error(state, "freshness a max 99999999999999999999", (spot){1, 17}, HK_E_VALUE,
                 "'99999999999999999999' is not a time", "*");
    expect_error(state, "freshness a max -1ms", (spot){1, 17}, HK_E_TIME,
                 "max '-1ms' must be at least 0", NULL);
    expect_error(state, "component a period 0", (spot){1, 20}, HK_E_TIME,
                 "period '0' must be above 0", NULL);
    expect_error(state, "component a cost 0", (spot){1, 18}, HK_E_TIME, "cost '0' must be above 0",
                 NULL);
    expect_error(state, "component a cost 1 deadline 0ms", (spot){1, 29}, HK_E_TIME,
                 "deadline '0ms' must be above 0", NULL);
    expect_error(state, "component a cost 1 overrun slip", (spot){1, 28}, s,
                 "expected 'late', 'skip' or 'stop', found 'slip'", "did you mean 'skip'?");
    expect_error(state, "component a cost 1 cost 2", (spot){1, 20}, s,
                 "cost of 'a' is given twice; the other one is in line 1", "remove one of them");
    expect_error(state, "component a priority 1.5", (spot){1, 22}, HK_E_VALUE,
                 "priority '1.5' is not a small integer", NULL);
    expect_error(state, "component a priority", (spot){1, 21}, s,
                 "expected an integer behind 'priority', found the end of the line", NULL);
    expect_error(state, "link az.y -> a.u initial much", (spot){1, 26}, HK_E_VALUE,
                 "initial 'much' is not a value of type Float64", NULL);
    expect_error(state, "link b.\"der\"", (spot){1, 6}, s, "component 'b' has no port ''", "*");
    expect_error(state, "link \"b.der(x)\" -> sub.c.u initial \"1 2\"", (spot){1, 36}, HK_E_VALUE,
                 "initial '1 2' is not a value of type Float64", "*");
    expect_error(state, "latency a -> b max 1ms min 0.002", (spot){1, 1}, s,
                 "min (0.002 s) is larger than max (0.001 s)", "*");
    expect_error(state, "latency a -> b max 1ms max 2ms", (spot){1, 24}, s,
                 "max of this statement is given twice; the other one is in line 1", "*");
    expect_error(state, "component a period 1\ncut hla\ncomponent a period 1", (spot){3, 13}, s,
                 "period of 'a' is given twice; the other one is in line 1", "*");
    expect_error(state, "link az.y -> a.u delay 1\nlink az.y -> a.u lag current delay 1",
                 (spot){2, 30}, s,
                 "delay of 'az.y -> a.u' is given twice; the other one is in line 1", "*");
}

static void test_wrong_groups(void **state) {
    const hk_status s = HK_E_SCHEDULE;
    expect_error(state, "coincidence az -> b", (spot){1, 20}, s,
                 "expected ',' and another path, found the end of the line", "*");
    expect_error(state, "coincidence az -> b, az", (spot){1, 24}, s,
                 "expected '->', found the end of the line", "*");
    expect_error(state, "coincidence az -> b, az -> a", (spot){1, 22}, s,
                 "this path ends at 'a', the first one at 'b'", "*");
    expect_error(state, "coincidence az -> b, az -> a -> b, az -> b", (spot){1, 36}, s,
                 "the path 'az -> b' occurs here twice", "*");
    expect_error(state, "coincidence az -> b,", (spot){1, 21}, s,
                 "expected a component, found the end of the line", NULL);
}

/* One mistake a line, whatever else is there; lines without one count. */
static void test_recovery(void **state) {
    fixture *f = *state;
    static const char text[] = "processor P: nobody nowhere az\n"
                               "component a period -1 offset -1\n"
                               "component b period 1ms\n"
                               "!!! ??? \"\n"
                               "latency x -> y -> z max\n"
                               "freshness a max 1ms";
    static const int lines[] = {1, 2, 4, 5};
    assert_int_equal(hk_schedule_parse(f->ctx, f->model, "s.txt", 101, text, sizeof text - 1),
                     HK_E_SCHEDULE);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(hk_ctx_diag(f->ctx, i)->where.line, 100 + lines[i]);
    assert_true(is_time(f->model->components[B].period, 1, 1000));
    assert_int_equal(f->model->constraint_count, 1);
}

static void test_many_errors(void **state) {
    fixture *f = *state;
    char text[400];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? '\n' : 'x';
    assert_int_equal(hk_schedule_parse(f->ctx, f->model, "s.txt", 1, text, sizeof text),
                     HK_E_SCHEDULE);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 50);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 51);
}

/* Pieces of good schedules in any order, cut off anywhere: no crash, one error a line at most. */
static void test_garbage(void **state) {
    static const char *const pieces[] = {
        "processor ", "P: ",        "az ",     "a ",         "b ",           "sub.c ", "cut hla",
        "link ",      "az.y ",      "-> ",     "a.u ",       "lag",          " max",   " 5ms",
        "\n",         ", ",         "latency", "\"",         "coincidence ", "#",      "1/0",
        "-",          "freshness ", "\r",      " initial 1", "\xc3",         "\xff"};
    const hk_stream random = hk_stream_make(1, 0, "schedule", "garbage");
    for (int round = 0; round < 3000; round++) {
        fixture *f = *state;
        char text[256] = "";
        size_t used = 0, lines = 1;
        for (uint32_t i = 0; i < 24; i++) {
            const char *piece =
                pieces[hk_stream_u64(&random, round, i) % (sizeof pieces / sizeof *pieces)];
            size_t length = strlen(piece);
            if (used + length >= sizeof text)
                break;
            memcpy(text + used, piece, length);
            used += length;
        }
        used = used ? used - hk_stream_u64(&random, round, 99) % 2 : 0;
        for (size_t i = 0; i < used; i++)
            lines += text[i] == '\n';
        hk_status status = hk_schedule_parse(f->ctx, f->model, "s.txt", 1, text, used);
        size_t errors = hk_ctx_count(f->ctx, HK_ERROR);
        assert_true((status == HK_OK) == (errors == 0));
        assert_true(errors <= lines + 1); /* one more: components without a processor */
        tear_down(state);
        set_up(state);
    }
}

static void test_file(void **state) {
    fixture *f = *state;
    hk_arena *arena = f->model->arena;
    const char *folder, *path,
        text[] = "\xef\xbb\xbf"
                 "cut hla\ncut x\n";
    assert_int_equal(hk_folder_temporary(f->ctx, arena, &folder), HK_OK);
    path = hk_path_join(arena, folder, "s.txt");
    assert_int_equal(hk_file_write(f->ctx, path, text, 3 + 8), HK_OK);
    assert_int_equal(hk_schedule_read(f->ctx, f->model, path), HK_OK);
    assert_int_equal(f->model->cut, HK_CUT_HLA);
    assert_int_equal(hk_file_write(f->ctx, path, text, sizeof text - 1), HK_OK);
    assert_int_equal(hk_schedule_read(f->ctx, f->model, path), HK_E_SCHEDULE);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->where.file, path);
    assert_int_equal(hk_schedule_read(f->ctx, f->model, folder), HK_E_FILE_READ);
    hk_folder_remove(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_processors),   TEST(test_components),   TEST(test_execution_times),
        TEST(test_links),        TEST(test_constraints),  TEST(test_wrong_names),
        TEST(test_wrong_words),  TEST(test_many_missing), TEST(test_wrong_partitions),
        TEST(test_wrong_values), TEST(test_wrong_groups), TEST(test_recovery),
        TEST(test_many_errors),  TEST(test_garbage),      TEST(test_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
