/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "record/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder, *path, *beside;
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    if (hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK)
        return -1;
    f->path = hk_path_join(f->arena, f->folder, "run.csv");
    f->beside = hk_path_join(f->arena, f->folder, "run.csv-metadata.json");
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static const hk_column columns[] = {
    {.name = "tank.level", .unit = "m", .type = HK_TYPE_F64, .store = HK_STORE_F64},
    {.name = "tank.full", .type = HK_TYPE_BOOL, .store = HK_STORE_BOOL32, .offset = 8},
};

static hk_recorder *open_record(fixture *f, bool thread) {
    hk_recorder *rec = NULL;
    hk_recorder_options options = {.no_thread = !thread};
    assert_int_equal(
        hk_recorder_open(f->ctx, f->path, &(hk_row_layout){columns, 2, 16}, &options, &rec), HK_OK);
    return rec;
}

static void put_row(hk_recorder *rec, double time) {
    hk_sink sink = hk_recorder_sink(rec);
    memset(sink.row_begin(sink.user), 0, 16);
    assert_true(sink.row_end(sink.user, time));
}

static const char *beside(fixture *f) {
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, f->beside, 0, &data, &size), HK_OK);
    const char *text = hk_arena_strdup(f->arena, data);
    hk_free(data);
    return text;
}

static void test_says_what_was_checked(void **state) {
    fixture *f = *state;
    hk_about about = {.system = "tank",
                      .scenario = "overflow",
                      .run = 3,
                      .end = 0.25,
                      .ended = "failed: HK0504",
                      .sound = {.monitor = HK_MONITOR_VALUES, .calls = 9, .phases = 3, .values = 2},
                      .contract = "kept"};
    for (int thread = 0; thread < 2; thread++) {
        hk_recorder *rec = open_record(f, thread);
        put_row(rec, 0);
        put_row(rec, 0.25);
        assert_int_equal(hk_recorder_close(f->ctx, rec, &about, NULL), HK_OK);
        assert_string_equal(
            strstr(beside(f), "\"system\""),
            "\"system\":\"tank\",\"scenario\":\"overflow\",\"run\":3,\"start_s\":0,\"end_s\":0.25,"
            "\"ended\":\"failed: HK0504\",\"rows\":2,\"checked\":{\"monitor\":\"values\","
            "\"calls\":9,\"phases\":3,\"values\":2,\"values_not_compared\":0,\"contract\":\"kept\"}"
            "}],\"tableSchema\":{\"columns\":["
            "{\"titles\":\"time\",\"datatype\":\"double\",\"schema:unitText\":\"s\"},"
            "{\"titles\":\"tank.level\",\"datatype\":\"double\",\"schema:unitText\":\"m\"},"
            "{\"titles\":\"tank.full\",\"datatype\":\"boolean\"}]}}\n");
    }
}

/* What is said of a record that was replaced would be wrong of the new one. */
static void test_goes_with_the_record(void **state) {
    fixture *f = *state;
    for (int thread = 0; thread < 2; thread++) {
        assert_int_equal(hk_file_write(f->ctx, f->beside, "old", 3), HK_OK);
        hk_recorder *rec = open_record(f, thread);
        assert_int_equal(access(f->beside, F_OK), 0); /* as long as the old record is there */
        put_row(rec, 0);
        assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
        assert_int_not_equal(access(f->beside, F_OK), 0);
    }
}

/* From the first rows on it is said that the run has not ended; a process that is killed leaves it
 * so. One that dies in a component says when, at the same length. */
static void test_says_that_it_goes_on(void **state) {
    fixture *f = *state;
    hk_about begun = {.system = "tank", .scenario = "overflow", .run = 3, .reproduce = "hocket"};
    for (int thread = 0; thread < 2; thread++) {
        hk_recorder *rec = NULL;
        hk_recorder_options options = {.no_thread = !thread, .begun = &begun};
        assert_int_equal(
            hk_recorder_open(f->ctx, f->path, &(hk_row_layout){columns, 2, 16}, &options, &rec),
            HK_OK);
        assert_int_not_equal(access(f->beside, F_OK), 0);
        put_row(rec, 0);
        hk_recorder_flush_from_signal(rec);
        assert_non_null(strstr(beside(f),
                               "\"system\":\"tank\",\"scenario\":\"overflow\",\"run\":3,"
                               "\"ended\":\"failed: cut off after 0 s\"                    ,"
                               "\"reproduce\":\"hocket\"}],\"tableSchema\":{\"columns\":["));
        assert_int_equal(hk_recorder_close(f->ctx, rec, &(hk_about){.system = "tank"}, NULL),
                         HK_OK);
        assert_non_null(strstr(beside(f), "\"ended\":\"at its stop time\",\"rows\":1"));
        assert_int_equal(unlink(f->beside), 0);
        assert_int_equal(unlink(f->path), 0);
    }
}

/* ROWS rows of a run that ends as ENDED at END. */
static hk_recorder_stats run_again(fixture *f, bool thread, int rows, const char *ended,
                                   double end) {
    hk_recorder *rec = open_record(f, thread);
    hk_recorder_stats stats;
    for (int i = 0; i < rows; i++)
        put_row(rec, i);
    hk_recorder_flush_from_signal(rec);
    hk_about about = {.system = "tank", .ended = ended, .end = end};
    assert_int_equal(hk_recorder_close(f->ctx, rec, &about, &stats), HK_OK);
    return stats;
}

/* A run that fails in its first step does not replace the record of an earlier one. */
static void test_keeps_an_earlier_record(void **state) {
    fixture *f = *state;
    for (int thread = 0; thread < 2; thread++) {
        assert_false(run_again(f, thread, 3, NULL, 2).kept_earlier);
        hk_recorder_stats kept = run_again(f, thread, 1, "failed: HK0501", 0);
        assert_true(kept.kept_earlier && kept.rows == 0 && kept.bytes == 0);
        assert_non_null(strstr(beside(f), "\"ended\":\"at its stop time\",\"rows\":3"));
        assert_true(run_again(f, thread, 1, "interrupted", 0).kept_earlier);
        assert_false(run_again(f, thread, 1, "failed: HK0501", 0.5).kept_earlier);
        assert_non_null(strstr(beside(f), "\"ended\":\"failed: HK0501\",\"rows\":1"));
        assert_false(run_again(f, thread, 2, "failed: HK0501", 0).kept_earlier);
        assert_false(run_again(f, thread, 1, NULL, 0).kept_earlier);
        assert_int_equal(unlink(f->path), 0);
        assert_false(run_again(f, thread, 1, "failed: HK0501", 0).kept_earlier);
        assert_non_null(strstr(beside(f), "\"rows\":1"));
        assert_int_equal(unlink(f->beside), 0);
        assert_int_equal(unlink(f->path), 0);
    }
}

static void test_no_record_no_word(void **state) {
    fixture *f = *state;
    hk_recorder *rec = open_record(f, true);
    assert_int_equal(hk_recorder_close(f->ctx, rec, &(hk_about){.system = "s"}, NULL), HK_OK);
    assert_int_not_equal(access(f->path, F_OK), 0);
    assert_int_not_equal(access(f->beside, F_OK), 0);
}

static void test_cannot_be_written(void **state) {
    fixture *f = *state;
    hk_recorder *rec = open_record(f, true);
    put_row(rec, 0);
    assert_int_equal(mkdir(f->beside, 0777), 0);
    assert_int_equal(hk_recorder_close(f->ctx, rec, &(hk_about){.system = "s"}, NULL),
                     HK_E_FILE_WRITE);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 1);
}

static void test_names_of_monitors(void **state) {
    (void)state;
    assert_string_equal(hk_monitor_name(HK_MONITOR_PHASE, false), "phase");
    assert_string_equal(hk_monitor_name(HK_MONITOR_PHASE, true), "contract");
    assert_string_equal(hk_monitor_name(HK_MONITOR_VALUES, false), "values");
    assert_string_equal(hk_monitor_name(HK_MONITOR_OFF, false), "off");
}

/* What a plot needs beside the values: items, events, limits with the columns they are about. */
static void test_says_what_a_plot_shows(void **state) {
    fixture *f = *state;
    static const char *names[] = {"off", "on"};
    static const int64_t values[] = {1, 5};
    static const hk_enum mode = {
        .name = "Mode", .item_names = names, .item_values = values, .item_count = 2};
    hk_variable variables[] = {{.name = "level"}, {.name = "mode", .enumeration = &mode}};
    const hk_info info = {.variables = variables, .variable_count = 2};
    hk_component component = {.name = "tank", .info = &info};
    hk_model model = {.components = &component, .component_count = 1};
    const hk_column shown[] = {{.name = "tank.level", .type = HK_TYPE_F64, .store = HK_STORE_F64},
                               {.name = "tank.mode",
                                .variable = 1,
                                .type = HK_TYPE_ENUM,
                                .store = HK_STORE_I32,
                                .of = &variables[1]}};
    const hk_about_event events[] = {{2.5, "set \"tank.mode\" = on"}};
    const hk_about_limit limits[] = {
        {.signal = {.variable = 0}, .upper = true, .value = 3, .from = 1, .to = INFINITY},
        {.signal = {.component = 7}, .strict = true, .value = 1, .from = -INFINITY, .to = 2}};
    const hk_about_expectation expected[] = {{"always", "broken", 2, limits, 2},
                                             {"eventually", "holds", NAN, NULL, 0}};
    hk_about about = {.system = "tank",
                      .model = &model,
                      .events = events,
                      .event_count = 1,
                      .events_left_out = 9,
                      .expectations = expected,
                      .expectation_count = 2};
    char *text = hk_about_text(f->path, shown, 2, 1, &about);
    assert_non_null(strstr(text,
                           "\"schema:valueReference\":[{\"schema:name\":\"off\","
                           "\"schema:value\":1},{\"schema:name\":\"on\",\"schema:value\":5}]"));
    assert_non_null(strstr(text, "\"events\":[{\"time_s\":2.5,\"what\":\"set \\\"tank.mode\\\" = "
                                 "on\"}],\"events_left_out\":9"));
    /* Of a signal that no column shows there is no limit. */
    assert_non_null(strstr(text,
                           "\"expectations\":[{\"expects\":\"always\",\"verdict\":\"broken\","
                           "\"time_s\":2,\"limits\":[{\"column\":\"tank.level\",\"at_most\":3,"
                           "\"from_s\":1}]},{\"expects\":\"eventually\",\"verdict\":\"holds\","
                           "\"limits\":[]}]"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_says_what_was_checked, setup, teardown),
        cmocka_unit_test_setup_teardown(test_says_what_a_plot_shows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_goes_with_the_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_says_that_it_goes_on, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keeps_an_earlier_record, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_record_no_word, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cannot_be_written, setup, teardown),
        cmocka_unit_test(test_names_of_monitors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
