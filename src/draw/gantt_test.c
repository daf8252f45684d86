/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/gantt.h"
#include "fake_model.h"

#include <stdlib.h>

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_model *model;
    hk_plan *plan;
} rig;

/* a every 2 ms -> b every 4 ms, offset 2 ms; -> c every 6 ms. */
static rig rig_make(bool processors) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL),
             .arena = hk_arena_create(),
             .model = hk_model_create("m", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_END, 1, 1);
    uint32_t a = fake_add(r.ctx, r.model, "alpha", info, "0.002", NULL);
    uint32_t b = fake_add(r.ctx, r.model, "apex", info, "0.004", "0.002");
    uint32_t c = fake_add(r.ctx, r.model, "a", info, "0.006", NULL);
    hk_model_connect(r.model, a, 1, b, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(r.model, a, 1, c, 0, HK_NOWHERE);
    fake_experiment(r.model, "0.001", "1");
    uint32_t one, two;
    if (processors) {
        assert_int_equal(hk_model_add_processor(r.ctx, r.model, "P1", HK_NOWHERE, &one), HK_OK);
        assert_int_equal(hk_model_add_processor(r.ctx, r.model, "P2", HK_NOWHERE, &two), HK_OK);
        assert_int_equal(hk_model_assign(r.ctx, r.model, one, c, HK_NOWHERE), HK_OK);
        assert_int_equal(hk_model_assign(r.ctx, r.model, one, a, HK_NOWHERE), HK_OK);
        assert_int_equal(hk_model_assign(r.ctx, r.model, two, b, HK_NOWHERE), HK_OK);
    }
    hk_model_lower(r.model);
    assert_int_equal(hk_plan_make(r.ctx, r.model, &(hk_plan_options){0}, &r.plan), HK_OK);
    return r;
}

static void rig_end(rig *r) {
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

static void hyperperiod_and_instants(void **state) {
    (void)state;
    rig r = rig_make(false);
    hk_gantt g;
    hk_gantt_init(&g, r.arena, r.plan, NULL, HK_GANTT_INSTANTS);
    hk_tick ms = r.plan->ticks_per_second / 1000;
    assert_int_equal(g.hyperperiod, 12 * ms);
    assert_true(g.whole);
    assert_int_equal(g.instant_count, 6);
    for (size_t i = 0; i < g.instant_count; i++)
        assert_int_equal(g.instants[i], (hk_tick)(2 * i) * ms);
    assert_int_equal(g.bar_count, 6 + 3 + 2);
    assert_int_equal(g.row_count, 1);
    assert_false(g.rows[0].declared);
    assert_int_equal(g.rows[0].step, 2 * ms);
    hk_gantt_init(&g, r.arena, r.plan, NULL, 2);
    assert_int_equal(g.instant_count, 2);
    assert_false(g.whole);
    rig_end(&r);
}

static void bars_wait_and_do_not_overlap(void **state) {
    (void)state;
    rig r = rig_make(true);
    hk_gantt g;
    hk_gantt_init(&g, r.arena, r.plan, (const double[]){2, 1, 1}, HK_GANTT_INSTANTS);
    assert_int_equal(g.row_count, 2);
    assert_string_equal(g.rows[0].name, "P1");
    /* At 6 ms all three are due: 'a' before 'alpha' on P1, 'apex' on P2 after both. */
    double end[3] = {0}, from[3] = {0};
    for (size_t i = 0; i < g.bar_count; i++)
        if (g.bars[i].instant == 3) {
            end[g.bars[i].component] = g.bars[i].to;
            from[g.bars[i].component] = g.bars[i].from;
        }
    assert_true(from[2] == 0 && end[2] == 0.25);
    assert_true(from[0] == 0.25 && end[0] == 0.75);
    assert_true(from[1] == 0.75 && end[1] == 1);
    rig_end(&r);
}

static void codes_differ(void **state) {
    (void)state;
    rig r = rig_make(false);
    hk_gantt g;
    hk_gantt_init(&g, r.arena, r.plan, NULL, HK_GANTT_INSTANTS);
    assert_string_equal(g.codes[0], "A");
    assert_string_equal(g.codes[1], "P");
    assert_string_equal(g.codes[2], "a");
    rig_end(&r);
}

static void times_are_exact(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_plan plan = {.ticks_per_second = 3000};
    assert_string_equal(hk_gantt_time(arena, &plan, 0), "0");
    assert_string_equal(hk_gantt_time(arena, &plan, 60), "20 ms");
    assert_string_equal(hk_gantt_time(arena, &plan, 1), "1/3 ms");
    assert_string_equal(hk_gantt_time(arena, &plan, 4500), "1.5 s");
    assert_string_equal(hk_gantt_time(arena, &plan, -60), "-20 ms");
    plan.ticks_per_second = INT64_C(1000000007);
    assert_string_equal(hk_gantt_time(arena, &plan, 2000000015), "2000000015/1000000007 s");
    plan.ticks_per_second = INT64_C(1) << 60;
    assert_string_equal(hk_gantt_time(arena, &plan, INT64_C(1) << 59), "0.5 s");
    hk_arena_destroy(arena);
}

static void text_has_the_width(void **state) {
    (void)state;
    rig r = rig_make(true);
    for (size_t width = 1; width < 130; width += 8) {
        hk_gantt g;
        hk_gantt_init(&g, r.arena, r.plan, NULL, HK_GANTT_INSTANTS);
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        hk_gantt_text(&g, r.arena, &(hk_gantt_options){.width = width, .ascii = true}, out);
        fclose(out);
        assert_true(strlen(text) > 0);
        if (width > 30)
            for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                assert_true(strlen(line) <= (line[0] == ' ' ? width + 30 : width));
        free(text);
    }
    rig_end(&r);
}

/* Thirty components of which one costs much: none is lost, however little room there is. */
static void everybody_has_a_column(void **state) {
    (void)state;
    enum { COUNT = 30 };
    rig r = {.ctx = hk_ctx_create(NULL, NULL),
             .arena = hk_arena_create(),
             .model = hk_model_create("many", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_START, 1, 1);
    double costs[COUNT] = {[7] = 1};
    for (int i = 0; i < COUNT; i++)
        fake_add(r.ctx, r.model, hk_arena_printf(r.arena, "c%d", i), info, "0.01", NULL);
    fake_experiment(r.model, "0.01", "1");
    hk_model_lower(r.model);
    assert_int_equal(hk_plan_make(r.ctx, r.model, &(hk_plan_options){0}, &r.plan), HK_OK);
    for (size_t width = 20; width < 120; width += 10) {
        hk_gantt g;
        char *text = NULL;
        size_t size = 0;
        hk_gantt_init(&g, r.arena, r.plan, costs, HK_GANTT_INSTANTS);
        FILE *out = open_memstream(&text, &size);
        hk_gantt_text(&g, r.arena, &(hk_gantt_options){.width = width, .ascii = true}, out);
        fclose(out);
        const char *line = strchr(text, '|');
        size_t letters = 0, columns = strcspn(line + 1, "|");
        for (size_t i = 1; i <= columns; i++)
            letters += line[i] != '=' && line[i] != ' ';
        assert_int_equal(letters, columns < COUNT ? columns : COUNT);
        bool told = strstr(text, "no room here") != NULL;
        assert_int_equal(told, columns < COUNT);
        assert_null(strstr(text, "first 1 instants"));
        free(text);
    }
    rig_end(&r);
}

/* Where activations overrun, all repeats when the pattern of skipped ones does. */
static void repeats_with_the_overruns(void **state) {
    (void)state;
    rig r = {.ctx = hk_ctx_create(NULL, NULL),
             .arena = hk_arena_create(),
             .model = hk_model_create("late", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_START, 1, 1);
    for (int i = 0; i < 2; i++) {
        uint32_t c = fake_add(r.ctx, r.model, i ? "b" : "a", info, "0.01", NULL);
        r.model->components[c].has_cost = r.model->components[c].has_overrun = true;
        r.model->components[c].cost = seconds(i ? "0.001" : "0.015");
        r.model->components[c].overrun = HK_OVERRUN_SKIP;
    }
    fake_experiment(r.model, "0.01", "1");
    hk_model_lower(r.model);
    assert_int_equal(hk_plan_make(r.ctx, r.model, &(hk_plan_options){0}, &r.plan), HK_OK);
    hk_gantt g;
    hk_gantt_init(&g, r.arena, r.plan, (const double[]){0.015, 0.001}, HK_GANTT_INSTANTS);
    hk_tick ms = r.plan->ticks_per_second / 1000;
    assert_int_equal(g.hyperperiod, 20 * ms); /* a and b at 0, none at 10 ms */
    assert_true(g.whole);
    assert_int_equal((hk_tick)g.instant_count * 10 * ms, g.transient + g.hyperperiod);
    for (size_t i = 0; i < g.bar_count; i++)
        assert_int_equal(g.bars[i].instant % 2, 0);
    assert_true(g.shown[0] && g.shown[1]);
    rig_end(&r);
}

/* No text overlaps another one or leaves the picture, whatever it costs whom. */
static void texts_keep_clear(void **state) {
    (void)state;
    for (int dear = 0; dear < 3; dear++) {
        rig r = rig_make(true);
        hk_gantt g;
        double costs[] = {dear == 0 ? 1 : 0.01, dear == 1 ? 1 : 0.01, dear == 2 ? 1 : 0.01, 0.01};
        hk_gantt_init(&g, r.arena, r.plan, r.plan->model->component_count <= 4 ? costs : NULL,
                      HK_GANTT_INSTANTS);
        hk_canvas *canvas = hk_canvas_create();
        hk_picture picture = hk_gantt_draw(&g, &(hk_gantt_options){.title = "A title"}, canvas);
        size_t count;
        const hk_text_box *texts = hk_canvas_texts(canvas, &count);
        assert_true(count > 3);
        for (size_t i = 0; i < count; i++) {
            hk_box whole = {0, 0, picture.width, picture.height};
            if (!hk_box_inside(texts[i].box, whole))
                fail_msg("'%s' is cut off", texts[i].words);
            for (size_t k = 0; k < i; k++)
                if (hk_box_overlap(texts[i].box, texts[k].box))
                    fail_msg("'%s' overlaps '%s'", texts[i].words, texts[k].words);
        }
        hk_canvas_destroy(canvas);
        rig_end(&r);
    }
}

/* How many texts of the picture of G hold WORDS. */
static size_t count_texts(const hk_gantt *g, const char *words) {
    hk_canvas *canvas = hk_canvas_create();
    (void)hk_gantt_draw(g, &(hk_gantt_options){0}, canvas);
    size_t count, found = 0;
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    for (size_t i = 0; i < count; i++)
        found += strstr(texts[i].words, words) != NULL;
    hk_canvas_destroy(canvas);
    return found;
}

/* The picture explains what is in it, and nothing else. */
static void explains_what_is_there(void **state) {
    (void)state;
    rig r = rig_make(true);
    hk_gantt g;
    hk_gantt_init(&g, r.arena, r.plan, NULL, HK_GANTT_INSTANTS);
    assert_int_equal(count_texts(&g, "alpha"), 6); /* in its boxes, and not in a legend */
    assert_int_equal(count_texts(&g, " \u2013 "), 0);
    assert_int_equal(count_texts(&g, "10 ms"), 1);
    assert_int_equal(count_texts(&g, "12 ms"), 2); /* the end, and when all repeats */
    assert_int_equal(count_texts(&g, "not durations"), 1);
    hk_gantt_init(&g, r.arena, r.plan, (const double[]){0.05, 1, 1}, HK_GANTT_INSTANTS);
    assert_int_equal(count_texts(&g, " \u2013 alpha"), 1); /* too narrow for its name */
    assert_int_equal(count_texts(&g, " \u2013 "), 1);
    assert_int_equal(count_texts(&g, "not durations"), 0);
    hk_gantt_init(&g, r.arena, r.plan, NULL, 2);
    assert_int_equal(count_texts(&g, "4 ms"), 1); /* the instant after those that are shown */
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hyperperiod_and_instants),
        cmocka_unit_test(bars_wait_and_do_not_overlap),
        cmocka_unit_test(codes_differ),
        cmocka_unit_test(times_are_exact),
        cmocka_unit_test(text_has_the_width),
        cmocka_unit_test(everybody_has_a_column),
        cmocka_unit_test(repeats_with_the_overruns),
        cmocka_unit_test(texts_keep_clear),
        cmocka_unit_test(explains_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
