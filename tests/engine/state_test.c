/* SPDX-License-Identifier: MIT
 *
 * Save, run on, restore, run again: the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/libm.h"
#include "base/map.h"
#include "state.h"

#include <stdio.h>

/* A chaotic map: one bit that is lost shows at once. It talks about it, too. */
typedef struct chaos {
    double x, u;
    hk_bytes say, hear;
    uint64_t heard; /* not a port: state only */
    char text[8];
} chaos;

static int chaos_step(void *self, double t, double h) {
    (void)t, (void)h;
    chaos *c = self;
    for (size_t i = 0; i < c->hear.size; i++)
        c->heard = c->heard * 31 + ((const unsigned char *)c->hear.data)[i];
    double mixed =
        0.7 * c->x + 0.2 * (c->u < 0 ? -c->u : c->u) + 0.1 * (double)(c->heard % 97) / 97;
    mixed = mixed < 1 ? mixed : 0.5;
    c->x = 3.9 * mixed * (1 - mixed);
    int length = snprintf(c->text, sizeof c->text, "%u", (unsigned)(c->x * 1e6) % 100000);
    c->say = (hk_bytes){c->text, (size_t)length};
    return HK_STEP_OK;
}

#define CHAOS_PORTS                                                                                \
    HK_PORT(chaos, x, HK_OUTPUT, HK_TYPE_F64, .start = "0.3", .depends_on = ""),                   \
        HK_PORT(chaos, u, HK_INPUT, HK_TYPE_F64),                                                  \
        HK_PORT(chaos, say, HK_OUTPUT, HK_TYPE_STRING, .start = "first", .depends_on = ""),        \
        HK_PORT(chaos, hear, HK_INPUT, HK_TYPE_STRING)
static const hk_port chaos_ports[] = {CHAOS_PORTS};
static const hk_unit_type chaos_type = {HK_UNIT_TYPE(chaos), .ports = chaos_ports, .port_count = 4,
                                        .step = chaos_step};
static const hk_unit_type sampled = {.abi = HK_UNIT_ABI,
                                     .size = sizeof(hk_unit_type),
                                     .name = "sampled",
                                     .instance_size = sizeof(chaos),
                                     .ports = chaos_ports,
                                     .port_count = 4,
                                     .stamp = HK_STAMP_START,
                                     .step = chaos_step};

/* Four rates, one with an offset; delays of numbers and texts; held inputs that are extrapolated.
 * The tick is 1 ms or finer. */
static void build(rig *r, const char *stop, const char *interval) {
    rig_begin(r, "0.001", stop, interval);
    rig_add(r, "a", &chaos_type, NULL, NULL);
    rig_add(r, "b", &chaos_type, "0.003", NULL);
    rig_add(r, "c", &sampled, "0.002", "0.001");
    rig_add(r, "d", &chaos_type, "0.010", NULL);
    rig_connect(r, "a.x", "b.u");
    rig_connect(r, "b.x", "c.u")->delay = rig_seconds("0.007");
    rig_connect(r, "c.x", "d.u");
    rig_connect(r, "d.x", "a.u");
    rig_connect(r, "a.say", "d.hear");
    rig_connect(r, "d.say", "c.hear");
    rig_connect(r, "c.say", "b.hear")->delay = rig_seconds("0.005");
    r->options.extrapolate = true;
}

static void record_all(rig *r) {
    static const char *const parts[] = {"x", "u", "say", "hear"};
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int c = 0; c < 4; c++)
        for (int p = 0; p < 4; p++)
            rig_record(r, hk_arena_printf(r->model->arena, "%s.%s", names[c], parts[p]));
}

static bool same_cell(const rig *a, size_t row_a, size_t column_a, const rig *b, size_t row_b,
                      size_t column_b) {
    size_t size = hk_store_size(a->columns[column_a].store);
    return memcmp(rig_cell(a, row_a, column_a), rig_cell(b, row_b, column_b), size) == 0;
}

static void in_memory(void **state) {
    (void)state;
    static const hk_tick moments[] = {0, 1, 10, 17, 29, 30, 93};
    rig r;
    build(&r, "0.2", NULL);
    record_all(&r);
    assert_int_equal(rig_start(&r), HK_OK);
    hk_snapshot *snapshot = NULL;
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        assert_int_equal(hk_sim_run_until(r.sim, moments[i]), HK_OK);
        assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
        size_t before = r.rows;
        assert_int_equal(before, moments[i]); /* a row per tick */
        assert_int_equal(hk_sim_run(r.sim), HK_OK);
        assert_int_equal(r.rows, 201);
        size_t bytes = r.rows * r.row_size;
        char *first = hk_alloc(bytes);
        memcpy(first, r.cells, bytes);
        for (int again = 0; again < 2; again++) {
            r.rows = before;
            assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
            assert_int_equal(hk_sim_now(r.sim), moments[i]);
            assert_int_equal(hk_sim_run(r.sim), HK_OK);
            assert_int_equal(r.rows, 201);
            assert_memory_equal(first, r.cells, bytes);
            assert_exactly(r.times[200], 0.2);
        }
        hk_free(first);
        r.rows = before;
        assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
    }
    /* The test can fail: another value in one component gives other bytes. */
    char *straight = hk_alloc(r.row_size);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    memcpy(straight, r.cells + 150 * r.row_size, r.row_size);
    assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
    r.rows = 93;
    assert_int_equal(hk_sim_run_until(r.sim, 94), HK_OK);
    assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 100), HK_OK);
    assert_int_equal(hk_sim_restore(r.sim, snapshot), HK_OK);
    r.rows = 95; /* off by one on purpose */
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    assert_memory_not_equal(straight, r.cells + 150 * r.row_size, r.row_size);
    hk_free(straight);
    hk_snapshot_destroy(r.sim, snapshot);
    rig_end(&r);
}

/* ---- through a file ---------------------------------------------------------------------------
 */

static void load_and_run(rig *r, const char *path) {
    assert_int_equal(rig_start(r), HK_OK);
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_snapshot_read(r->sim, path, &snapshot), HK_OK);
    assert_int_equal(hk_sim_restore(r->sim, snapshot), HK_OK);
    hk_snapshot_destroy(r->sim, snapshot);
    assert_int_equal(hk_sim_run(r->sim), HK_OK);
}

static void in_a_file(void **state) {
    fixture *f = *state;
    static const hk_tick moments[] = {0, 1, 17, 30};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        rig one, two;
        build(&one, "0.2", NULL);
        build(&two, "0.2", NULL);
        record_all(&one);
        record_all(&two);
        run_and_save(&one, moments[i], f->path);
        load_and_run(&two, f->path);
        size_t skipped = (size_t)moments[i];
        assert_int_equal(two.rows, 201 - skipped);
        for (size_t row = 0; row < two.rows; row++)
            for (size_t c = 0; c < two.listener.column_count; c++)
                if (!same_cell(&one, row + skipped, c, &two, row, c))
                    fail_msg("saved at %d, row %zu, column %s", (int)moments[i], row,
                             two.columns[c].name);
        rig_end(&one);
        rig_end(&two);
    }
}

/* A longer run with rows every half millisecond (so half the tick). */
static void longer_and_finer(void **state) {
    fixture *f = *state;
    rig one, two;
    build(&one, "0.2", NULL);
    build(&two, "0.31", "0.0005");
    record_all(&one);
    record_all(&two);
    run_and_save(&one, 30, f->path);
    load_and_run(&two, f->path);
    assert_int_equal(one.plan->ticks_per_second, 1000);
    assert_int_equal(two.plan->ticks_per_second, 2000);
    assert_exactly(two.times[two.rows - 1], 0.31);
    assert_exactly(two.times[0], 0.03);
    /* Then the first run comes to its end: steps are shortened, and the middle of a step moves. */
    for (size_t row = 30; row < 198; row++)
        for (size_t c = 0; c < two.listener.column_count; c++)
            if (!same_cell(&one, row, c, &two, 2 * (row - 30), c))
                fail_msg("row %zu, column %s", row, two.columns[c].name);
    rig_end(&one);
    rig_end(&two);
}

/* The run that goes on records what the first did not: it must not show anything else than a run
 * from the start would. At 30 ms every component has just ended a step. */
static void other_columns(void **state) {
    fixture *f = *state;
    rig whole, one, two;
    build(&whole, "0.2", NULL);
    build(&one, "0.2", NULL);
    build(&two, "0.2", NULL);
    record_all(&whole);
    rig_record(&one, "a.x");
    record_all(&two);
    assert_int_equal(rig_run(&whole), HK_OK);
    run_and_save(&one, 30, f->path);
    load_and_run(&two, f->path);
    for (size_t row = 30; row < 201; row++)
        for (size_t c = 0; c < two.listener.column_count; c++)
            if (!same_cell(&whole, row, c, &two, row - 30, c))
                fail_msg("row %zu, column %s", row, two.columns[c].name);
    rig_end(&two);

    /* And a run that records nothing may end in the same state. */
    build(&two, "0.2", NULL);
    load_and_run(&two, f->path);
    double x, y;
    for (uint32_t c = 0; c < 4; c++) {
        assert_true(hk_sim_read_f64(whole.sim, c, 0, &x));
        assert_true(hk_sim_read_f64(two.sim, c, 0, &y));
        assert_exactly(x, y);
    }
    rig_end(&whole);
    rig_end(&one);
    rig_end(&two);
}

/* Saved at 35 ms, in the middle of the step of b from 33 to 36 ms. What b said before, the state
 * does not hold, since nobody listens to it: that is reported, and from 36 ms on everything is
 * right. Other pasts are in the state, because connections need them. */
static void in_the_middle_of_a_step(void **state) {
    fixture *f = *state;
    rig whole, one, two;
    build(&whole, "0.2", NULL);
    build(&one, "0.2", NULL);
    build(&two, "0.2", NULL);
    record_all(&whole);
    record_all(&two);
    assert_int_equal(rig_run(&whole), HK_OK);
    run_and_save(&one, 35, f->path);
    load_and_run(&two, f->path);
    assert_int_equal(notes_about(&two, "before t = 0.036 s"), 1);
    assert_int_equal(notes_about(&two, "'b.say'"), 1);
    for (size_t row = 35; row < 201; row++)
        for (size_t c = 0; c < two.listener.column_count; c++)
            if ((row >= 36 || strcmp(two.columns[c].name, "b.say") != 0) &&
                !same_cell(&whole, row, c, &two, row - 35, c))
                fail_msg("row %zu, column %s", row, two.columns[c].name);
    rig_end(&whole);
    rig_end(&one);
    rig_end(&two);
}

/* ---- files that are wrong ---------------------------------------------------------------------
 */

static void small(rig *r, const char *second, const char *step) {
    rig_begin(r, step, "0.02", NULL);
    rig_add(r, "a", &chaos_type, NULL, NULL);
    rig_add(r, second, &chaos_type, NULL, NULL);
    r->options.extrapolate = true;
    hk_model_connect(r->model, 0, 0, 1, 1, HK_NOWHERE)->delay = rig_seconds("0.002");
    hk_model_connect(r->model, 1, 2, 0, 3, HK_NOWHERE);
    rig_record(r, "a.x");
}

static hk_status try_bytes(rig *r, const fixture *f, const char *data, size_t size) {
    assert_int_equal(hk_file_write(f->ctx, f->path, data, size), HK_OK);
    hk_snapshot *snapshot = NULL;
    hk_status status = hk_snapshot_read(r->sim, f->path, &snapshot);
    assert_int_equal(status == HK_OK, snapshot != NULL);
    if (status == HK_OK && hk_sim_restore(r->sim, snapshot) == HK_OK) {
        hk_status ran = hk_sim_run_until(r->sim, 12);
        assert_true(ran == HK_OK || ran == HK_E_UNIT_NAN);
    }
    hk_snapshot_destroy(r->sim, snapshot);
    return status;
}

static void put_checksum(char *data, size_t size) {
    uint64_t sum = hk_hash(HK_HASH_SEED, data, size - 8);
    for (int i = 0; i < 8; i++)
        data[size - 8 + (size_t)i] = (char)(sum >> (8 * i));
}

static void damaged_files(void **state) {
    fixture *f = *state;
    rig r;
    small(&r, "b", "0.001");
    run_and_save(&r, 7, f->path);
    char *data, *copy;
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    copy = hk_alloc(size + 16);
    assert_int_equal(try_bytes(&r, f, data, size), HK_OK);
    for (size_t length = 0; length < size; length++)
        assert_int_equal(try_bytes(&r, f, data, length), HK_E_STATE_FILE);
    assert_non_null(rig_error(&r)->hint);
    assert_non_null(strstr(rig_error(&r)->where.file, "state.hks"));
    for (size_t i = 0; i < size; i++) {
        memcpy(copy, data, size);
        copy[i] ^= 0x40;
        assert_int_equal(try_bytes(&r, f, copy, size), HK_E_STATE_FILE);
    }
    memcpy(copy, data, size);
    assert_int_equal(try_bytes(&r, f, copy, size + 8), HK_E_STATE_FILE);
    hk_free(copy);
    hk_free(data);
    rig_end(&r);
}

/* Damage behind a checksum that is right: whatever it says, no crash, no hang, no leak. */
static void forged_files(void **state) {
    fixture *f = *state;
    rig r;
    small(&r, "b", "0.001");
    run_and_save(&r, 7, f->path);
    char *data, *copy;
    size_t size, refused = 0;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    copy = hk_alloc(size);
    static const unsigned char masks[] = {0x01, 0x80, 0xff};
    for (size_t i = 8; i + 8 < size; i++)
        for (int m = 0; m < 3; m++) {
            memcpy(copy, data, size);
            copy[i] = (char)(copy[i] ^ masks[m]);
            put_checksum(copy, size);
            hk_status status = try_bytes(&r, f, copy, size);
            assert_true(status == HK_OK || status == HK_E_STATE_FILE || status == HK_E_TIME);
            refused += status != HK_OK;
        }
    assert_true(refused > size / 4);
    for (size_t length = 16; length < size; length++) {
        memcpy(copy, data, length);
        put_checksum(copy, length);
        assert_int_equal(try_bytes(&r, f, copy, length), HK_E_STATE_FILE);
    }
    hk_free(copy);
    hk_free(data);
    rig_end(&r);
}

static void foreign_files(void **state) {
    fixture *f = *state;
    rig one;
    small(&one, "b", "0.001");
    run_and_save(&one, 7, f->path);
    for (int way = 0; way < 4; way++) {
        rig two;
        small(&two, way == 0 ? "other" : "b", way == 1 ? "0.002" : "0.001");
        if (way == 2)
            rig_add(&two, "extra", &chaos_type, NULL, NULL);
        if (way == 3)
            two.model->experiment.start = rig_seconds("0.001");
        assert_int_equal(rig_start(&two), HK_OK);
        hk_snapshot *snapshot = NULL;
        /* 7 ms is not a multiple of a tick of 2 ms */
        assert_int_equal(hk_snapshot_read(two.sim, f->path, &snapshot),
                         way == 1 ? HK_E_TIME : HK_E_STATE_FILE);
        assert_null(snapshot);
        assert_non_null(rig_error(&two)->hint);
        /* The run itself is not harmed. */
        assert_int_equal(hk_sim_run(two.sim), HK_OK);
        rig_end(&two);
    }
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_snapshot_read(one.sim, "/nowhere/at/all.hks", &snapshot), HK_E_FILE_READ);
    rig_end(&one);
}

static void other_formats(void **state) {
    fixture *f = *state;
    rig r;
    small(&r, "b", "0.001");
    run_and_save(&r, 7, f->path);
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    data[7] = '1';
    put_checksum(data, size);
    assert_int_equal(try_bytes(&r, f, data, size), HK_E_STATE_FILE);
    assert_string_equal(rig_error(&r)->text,
                        "the state has format 1, this hocket reads format 5 only");
    hk_free(data);
    rig_end(&r);
}

/* The time of a state that is damaged is not believed. */
static void time_of_damaged(void **state) {
    fixture *f = *state;
    rig r;
    small(&r, "b", "0.001");
    run_and_save(&r, 7, f->path);
    char *data;
    size_t size;
    hk_ratio time;
    assert_int_equal(hk_snapshot_time(r.ctx, f->path, &time), HK_OK);
    assert_true(hk_ratio_to_double(time) == 0.007);
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    data[8 + 16] ^= 2; /* the third word is the time */
    assert_int_equal(hk_file_write(f->ctx, f->path, data, size), HK_OK);
    assert_int_equal(hk_snapshot_time(r.ctx, f->path, &time), HK_E_STATE_FILE);
    hk_free(data);
    rig_end(&r);
}

/* Where another mathematical library is at work the run goes on, but it is said. */
static void other_libm(void **state) {
    fixture *f = *state;
    rig r;
    small(&r, "b", "0.001");
    run_and_save(&r, 7, f->path);
    char *data, here[HK_LIBM_TEXT];
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    size_t before = hk_ctx_count(r.ctx, HK_WARNING);
    assert_int_equal(try_bytes(&r, f, data, size), HK_OK);
    assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), before);
    memset(data + size - 16, 0x5a, 8); /* before the checksum */
    put_checksum(data, size);
    assert_int_equal(try_bytes(&r, f, data, size), HK_OK);
    assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), before + 1);
    const char *text = hk_ctx_diag(r.ctx, hk_ctx_count(r.ctx, HK_NOTE) - 1)->text;
    assert_non_null(strstr(text, "was saved with libm 5a5a5a5a5a5a5a5a, this run has "));
    assert_non_null(strstr(text, hk_libm_text(hk_libm_hash(), here)));
    hk_free(data);
    rig_end(&r);
}

/* From the middle of a component's period no run could go on. */
static void after_a_shortened_step(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "0.01", NULL);
    rig_add(&r, "a", &chaos_type, NULL, NULL);
    rig_add(&r, "slow", &chaos_type, "0.003", NULL);
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_snapshot_possible(r.sim, true), HK_OK);
    assert_int_equal(hk_snapshot_possible_at_stop(r.sim), HK_E_TIME); /* known before the run */
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_E_TIME);
    assert_non_null(strstr(rig_error(&r)->text, "'slow'"));
    assert_null(snapshot);
    rig_end(&r);
}

/* A component whose state can be neither taken nor given back when it is told so. */
static const hk_unit_class *native;
static hk_unit_class stubborn;
static bool refuses;

static hk_status stubborn_get(hk_ctx *ctx, hk_unit *unit, void **state) {
    if (refuses)
        return hk_error(ctx, HK_E_UNIT_STATE, HK_NOWHERE, NULL, "'%s' says no", unit->name);
    return native->state_get(ctx, unit, state);
}

static hk_status stubborn_set(hk_ctx *ctx, hk_unit *unit, void *state) {
    if (refuses)
        return hk_error(ctx, HK_E_UNIT_STATE, HK_NOWHERE, NULL, "'%s' says no", unit->name);
    return native->state_set(ctx, unit, state);
}

static hk_status stubborn_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                               hk_unit **ret_unit) {
    HK_TRY(native->open(ctx, info, options, ret_unit));
    (*ret_unit)->unit_class = &stubborn;
    return HK_OK;
}

/* What is half saved is not restored, and what is half restored is not run. */
static void half_done(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.001", "0.1", NULL);
    rig_add(&r, "a", &chaos_type, NULL, NULL);
    rig_add(&r, "b", &sampled, NULL, NULL);
    hk_info changed = *r.model->components[1].info;
    native = changed.unit_class;
    stubborn = *native;
    stubborn.open = stubborn_open;
    stubborn.state_get = stubborn_get;
    stubborn.state_set = stubborn_set;
    changed.unit_class = &stubborn;
    r.model->components[1].info = &changed;
    refuses = false;
    assert_int_equal(rig_start(&r), HK_OK);
    hk_snapshot *good = NULL, *torn = NULL;
    assert_int_equal(hk_sim_save(r.sim, &good), HK_OK);
    assert_int_equal(hk_sim_save(r.sim, &torn), HK_OK);
    assert_int_equal(hk_sim_run_until(r.sim, 5), HK_OK);
    refuses = true;
    assert_int_equal(hk_sim_save(r.sim, &torn), HK_E_UNIT_STATE);
    assert_int_equal(hk_sim_restore(r.sim, good), HK_E_UNIT_STATE);
    assert_int_equal(hk_sim_run_until(r.sim, 10), HK_E_UNIT_STATE);
    assert_int_equal(hk_sim_now(r.sim), 5);
    refuses = false;
    assert_int_equal(hk_sim_save(r.sim, &torn), HK_E_UNIT_STATE); /* of what is half restored */
    assert_int_equal(hk_sim_restore(r.sim, torn), HK_E_UNIT_STATE);
    assert_non_null(strstr(rig_error(&r)->text, "not complete"));
    assert_int_equal(hk_sim_restore(r.sim, good), HK_OK);
    assert_int_equal(hk_sim_save(r.sim, &torn), HK_OK);
    assert_int_equal(hk_sim_restore(r.sim, torn), HK_OK);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    hk_snapshot_destroy(r.sim, good);
    hk_snapshot_destroy(r.sim, torn);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_shortened_step),
        cmocka_unit_test(in_memory),
        cmocka_unit_test(half_done),
        cmocka_unit_test_setup_teardown(in_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(longer_and_finer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(in_the_middle_of_a_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forged_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(foreign_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_libm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(time_of_damaged, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
