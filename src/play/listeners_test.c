/* SPDX-License-Identifier: MIT
 *
 * A log, a record, a reader and an expectation on one run of a scenario: each is what it is alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "show.h"

enum { LOG = 1, SLOW_LOG = 2, RECORD = 4, READER = 8, EXPECTATION = 16, ALL = 31 };

typedef struct reader {
    double cell;
    char text[512];
} reader;

static void *reader_begin(void *user) {
    return &((reader *)user)->cell;
}

static bool reader_end(void *user, double time) {
    reader *r = user;
    size_t size = strlen(r->text);
    snprintf(r->text + size, sizeof r->text - size, "%g %g\n", time, r->cell);
    return true;
}

typedef struct outcome {
    char log[512], slow[512], record[512], verdict[512];
    reader reader;
} outcome;

static void keep(char (*ret_text)[512], const char *text) {
    if (text)
        snprintf(*ret_text, sizeof *ret_text, "%s", text);
}

static void play(unsigned who, outcome *ret) {
    show s;
    *ret = (outcome){0};
    show_begin(&s, "1/2", "5");
    rig_add(&s.r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s.r, "gain", &show_gain_type, "1", NULL);
    rig_connect(&s.r, "count.y", "gain.u");
    show_at(&s, "2", DO(&s, show_set(&s, "gain.k", "3")));
    hk_column column = {
        .name = "gain.u", .component = 1, .type = HK_TYPE_F64, .store = HK_STORE_F64};
    hk_column seen = {.name = "count.y", .type = HK_TYPE_F64, .store = HK_STORE_F64};
    hk_listener listener = {
        .sink = {reader_begin, reader_end, &ret->reader}, .columns = &seen, .column_count = 1};
    (void)hk_columns_layout(&seen, 1);
    if (who & LOG)
        show_log_in(&s, 0, "log.csv", "1", "gain.y count.y gain.mode");
    if (who & SLOW_LOG)
        show_log_in(&s, 0, "slow.csv", "3/2", "count.y");
    if (who & RECORD)
        s.options.record = (hk_play_record){&column, 1};
    if (who & READER) {
        s.options.listeners = &listener;
        s.options.listener_count = 1;
    }
    if (who & EXPECTATION)
        show_expect(&s, (hk_expectation){.kind = HK_ALWAYS,
                                         .condition = show_test(&s, "gain.y", HK_LESS, 12)});
    show_ready(&s);
    assert_int_equal(show_play(&s), HK_OK);
    keep(&ret->log, show_file(&s, "log.csv"));
    keep(&ret->slow, show_file(&s, "slow.csv"));
    keep(&ret->record, show_file(&s, "record.csv"));
    const hk_play_run *run = &s.report->runs[0];
    if (who & EXPECTATION)
        snprintf(ret->verdict, sizeof ret->verdict, "%d %g %s", run->verdicts[0].held,
                 run->verdicts[0].time, run->verdicts[0].message);
    show_end(&s);
}

static void same_as_alone(void **state) {
    (void)state;
    outcome all, log, slow, record, read, expected;
    play(ALL, &all);
    play(LOG, &log);
    play(SLOW_LOG, &slow);
    play(RECORD, &record);
    play(READER, &read);
    play(EXPECTATION, &expected);
    assert_string_equal(all.log, log.log);
    assert_string_equal(all.slow, slow.slow);
    assert_string_equal(all.record, record.record);
    assert_string_equal(all.reader.text, read.reader.text);
    assert_string_equal(all.verdict, expected.verdict);
    assert_string_equal(all.slow, "time,count.y\n0,0\n1.5,3\n3,6\n4.5,9\n");
    assert_non_null(strstr(all.reader.text, "\n4.5 9\n5 10\n"));
    assert_true(all.verdict[0] == '0' && strlen(all.log) > 50 && strlen(all.record) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
