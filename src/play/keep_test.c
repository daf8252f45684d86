/* SPDX-License-Identifier: MIT
 *
 * A scenario that goes on from a state whose bytes were changed behind a checksum that is right:
 * whatever they say, no crash, no hang, no leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/map.h"
#include "show.h"

static hk_event every(const char *period, hk_actions actions) {
    return (hk_event){
        .kind = HK_EVERY, .from = {0, 1}, .to = rig_seconds(period), .actions = actions};
}

/* In the middle of everything at 5 s. */
static void begin(show *s) {
    show_begin(s, "1", "10");
    rig_add(&s->r, "count", &show_counter_type, NULL, NULL);
    rig_add(&s->r, "gain", &show_gain_type, NULL, NULL);
    rig_connect(&s->r, "count.y", "gain.u");
    show_log(s, "gain.u");
    hk_fault stuck = {.kind = HK_FAULT_STUCK}, late = {.kind = HK_FAULT_DELAY, .delay = {2, 1}};
    show_during(s, "2", "8", DO(s, show_fault(s, 0, stuck), show_set(s, "gain.k", "3")));
    show_during(s, "4", "7", DO(s, show_fault(s, 0, late), show_ramp(s, "gain.k", "9", "6")));
    show_during(s, "3", "6", DO(s, show_activity(s, HK_ACTION_STOP, 0)));
    show_event(s, every("3", DO(s, show_set(s, "gain.k", "2"))));
    show_event(s, (hk_event){.kind = HK_WHEN,
                             .condition = show_test(s, "gain.u", HK_GREATER, 1),
                             .actions = DO(s, show_set(s, "gain.k", "4"))});
    show_at(s, "6", DO(s, show_set(s, "gain.k", "5")));
    show_expect(
        s, (hk_expectation){.kind = HK_ALWAYS, .condition = show_test(s, "gain.u", HK_LESS, 2)});
    show_expect(s, (hk_expectation){.kind = HK_AFTER,
                                    .trigger = show_test(s, "gain.u", HK_GREATER, 1),
                                    .condition = show_test(s, "gain.u", HK_GREATER, 7),
                                    .has_to = true,
                                    .to = {4, 1}});
    hk_measure *m = HK_NEW(s->r.model->arena, hk_measure);
    *m = (hk_measure){.name = "mean",
                      .metric = HK_METRIC_MAXIMUM,
                      .signal = show_test(s, "gain.u", HK_LESS, 0)->left.signal,
                      .min = (double)NAN,
                      .max = (double)NAN};
    show_expect(s, (hk_expectation){.kind = HK_MEASURED, .measure = m});
    show_ready(s);
}

/* Where the part of the scenario lies: statefile.h. */
enum {
    NAMES = 8 + (8 + sizeof "count" - 1) + (8 + sizeof "gain" - 1) + 8 +
            (8 + sizeof "count.y -> gain.u" - 1),
    PART_SIZE = 8 + 24 + NAMES + 8 + 16,
    PART = PART_SIZE + 8,
    STRIDE = 5
};

static void write_forged(const char *path, char *data, size_t size) {
    uint64_t sum = hk_hash(HK_HASH_SEED, data, size - 8);
    for (size_t i = 0; i < 8; i++)
        data[size - 8 + i] = (char)(sum >> (8 * i));
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    assert_int_equal(hk_file_write(ctx, path, data, size), HK_OK);
    hk_ctx_destroy(ctx);
}

static void forged(void **state) {
    (void)state;
    show s;
    begin(&s);
    const char *path = hk_path_join(s.r.model->arena, s.options.folder, "s.hks");
    s.options.save_state = path;
    s.r.model->experiment.stop = (hk_ratio){5, 1};
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->runs[0].status, HK_OK);
    s.options.save_state = NULL;
    s.options.load_state = path;
    s.r.model->experiment.stop = (hk_ratio){10, 1};
    assert_int_equal(show_play(&s), HK_OK);
    assert_int_equal(s.report->runs[0].status, HK_OK);
    char *data, *copy;
    size_t size, part = 0, refused = 0;
    assert_int_equal(hk_file_read(s.r.ctx, path, 0, &data, &size), HK_OK);
    copy = hk_alloc(size);
    for (size_t i = 0; i < 8; i++)
        part |= (size_t)(unsigned char)data[PART_SIZE + i] << (8 * i);
    assert_true(part > 500 && PART + part < size);
    for (size_t i = 0; i < part; i += STRIDE) {
        memcpy(copy, data, size);
        copy[PART + i] = (char)(copy[PART + i] ^ (i % 3 == 0 ? 0xff : i % 3 == 1 ? 0x01 : 0x80));
        write_forged(path, copy, size);
        assert_int_equal(show_play(&s), HK_OK); /* that a run fails is told of the run */
        refused += s.report->runs[0].status == HK_E_STATE_FILE;
    }
    assert_true(refused > part / STRIDE / 4);
    hk_free(copy);
    hk_free(data);
    show_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
