/* SPDX-License-Identifier: MIT
 *
 * The packages rosace.ssp and r_rosace.ssp, run by the engine: the published figures, and for every
 * partition and configuration the same bytes as the executor of tests/support/sea.h gives, with the
 * schedule files and with lags set one by one. */
#include "lang/schedule/schedule.h"
#include "properties.h"
#include "ssp/ssp.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "sea_rosace.h"

static rig open_package(const char *file) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL)};
    hk_status status = hk_ssp_read(r.ctx, file, NULL, &r.model);
    for (size_t i = 0; i < hk_ctx_count(r.ctx, HK_NOTE); i++)
        print_message("%s: %s\n", file, hk_ctx_diag(r.ctx, i)->text);
    assert_int_equal(status, HK_OK);
    assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), 0);
    assert_true(r.model->experiment.has_algorithm);
    r.algorithm = r.model->experiment.algorithm;
    return r;
}

/* The row that is sampled at T: rows are every 5 ms. */
static size_t row_at(const rig *r, double t) {
    size_t row = (size_t)(t * 200.0 + 0.5);
    expect_within("time", r->times[row], t, 0.0);
    return row;
}

/* ---- as the packages are ---- */

/* The components that are first in the model run first: that is E1. */
static void expect_cuts(const rig *r) {
    static const char *const from[] = {"fcc2b", "cables", "cables"};
    static const char *const to[] = {"fcc1b", "elevator", "engine"};
    size_t cuts = 0;
    for (size_t i = 0; i < r->model->connection_count; i++) {
        const hk_connection *k = &r->model->connections[i];
        if (!r->plan->connections[i].cut)
            continue;
        assert_true(cuts < 3);
        assert_string_equal(r->model->components[k->from_component].name, from[cuts]);
        assert_string_equal(r->model->components[k->to_component].name, to[cuts]);
        cuts++;
    }
    assert_int_equal(cuts, 3);
}

static void test_samples_of_e1(void **state) {
    (void)state;
    static const double times[] = {1.0, 10.0, 49.995};
    static const char *const names[] = {"flight_dynamics.h", "flight_dynamics.vz",
                                        "flight_dynamics.va", "cables.delta_e_c",
                                        "cables.delta_th_c"};
    static const double values[3][5] = {
        {9999.998787650, 0.007955069, 229.999907367, 0.013180026, 1.567091815},
        {9987.465038969, 2.549638983, 230.150995310, 0.012319587, 1.282300411},
        {9887.681183001, 2.479321086, 229.999619481, 0.012603000, 1.357010948}};
    rig r = open_package(HK_MODEL_DIR "/r_rosace.ssp");
    assert_int_equal(r.model->component_count, 15);
    assert_int_equal(r.model->connection_count, 59);
    for (size_t c = 0; c < 5; c++)
        rig_record(&r, names[c]);
    assert_int_equal(rig_run(&r), HK_OK);
    assert_int_equal(r.rows, 10001);
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < 5; c++)
            expect_within(names[c], rig_f64(&r, row_at(&r, times[i]), c), values[i][c], 0.51e-9);
    expect_cuts(&r);

    double *vz = hk_alloc(r.rows * sizeof *vz);
    for (size_t i = 0; i < r.rows; i++)
        vz[i] = rig_f64(&r, i, 1);
    rosace_properties p = hk_rosace_properties(r.times, vz, r.rows, 2.5, false);
    expect_within("P1", p.settling, 8.240, 1e-9);
    expect_within("P2", p.overshoot, 4.6815, 0.51e-4);
    expect_within("P3", p.rise, 5.110, 1e-9);
    expect_within("P4", p.error, 0.8272, 0.51e-4);
    assert_true(hk_rosace_properties_met(&p, &hk_rosace_limits_vz));
    hk_free(vz);
    rig_end(&r);
}

static void test_published_trace(void **state) {
    (void)state;
    static const double times[] = {0.02, 0.10, 0.50, 1.96};
    static const char *const names[] = {
        "flight_dynamics.va", "flight_dynamics.az",    "flight_dynamics.q",   "flight_dynamics.vz",
        "flight_dynamics.h",  "va_control.delta_th_c", "vz_control.delta_e_c"};
    static const double tolerances[] = {2.3e-13, 1e-13, 1e-14, 1e-13, 1e-11, 1e-14, 1e-14};
    static const double values[4][7] = {
        {230.000003501089509, 0.000006572640119, 7.0312166e-8, 4.3907528e-8, 9999.999999999659849,
         1.586866091903903, 0.011978244166991},
        {230.000018561007039, 0.000187169870594, 2.431436038e-6, 4.133011358e-6,
         9999.999999931389539, 1.586870033347554, 0.011852727398156},
        {230.000215372557847, -0.002485543932972, 0.000282525965044, 0.000022336621840,
         9999.999965634246109, 1.590985340562374, 0.011299799102356},
        {229.997721979748945, -0.193854446905094, 0.002374124185291, -0.111930317122137,
         10000.046380851672438, 1.640301513050412, 0.010250055016503}};
    rig r = open_package(HK_MODEL_DIR "/rosace.ssp");
    for (size_t c = 0; c < 7; c++)
        rig_record(&r, names[c]);
    assert_int_equal(rig_run(&r), HK_OK);
    for (size_t i = 0; i < 4; i++)
        for (size_t c = 0; c < 7; c++)
            expect_within(names[c], rig_f64(&r, row_at(&r, times[i]), c), values[i][c],
                          tolerances[c]);
    expect_within("h at the end", rig_f64(&r, r.rows - 1, 4), 11000.0, 0.01);
    rig_end(&r);
}

/* ---- partitions ---- */

static int component_of(const sea *s, const hk_model *model, uint32_t component) {
    const char *name = model->components[component].name;
    return sea_component_index(s, name, strlen(name));
}

static int rank_of(const sea *s, int component) {
    int rank = 0;
    while (s->order[rank] != component)
        rank++;
    return rank;
}

/* Configuration C: what a command computer passes on inside its processor starts at 0. */
static void apply_initial_values(rig *r, const sea *s, const configuration *c) {
    static double zero = 0.0;
    for (size_t i = 0; i < r->model->connection_count && c->zero_inside; i++) {
        hk_connection *k = &r->model->connections[i];
        const sea_component *from = &s->components[component_of(s, r->model, k->from_component)];
        const sea_component *to = &s->components[component_of(s, r->model, k->to_component)];
        if (from->lp == to->lp && strcmp(from->type->name, "fcc_com") == 0)
            k->initial = (hk_value){HK_TYPE_F64, 1, &zero};
    }
}

/* A lag for every connection, without a schedule. Inside a processor: current if the producer
 * is first, else previous. From another one: what is older than a step of the producer's
 * processor. */
static void apply_lags(rig *r, const sea *s) {
    for (size_t i = 0; i < r->model->connection_count; i++) {
        hk_connection *k = &r->model->connections[i];
        int from = component_of(s, r->model, k->from_component);
        int to = component_of(s, r->model, k->to_component);
        int lp = s->components[from].lp;
        if (lp == s->components[to].lp) {
            k->lag = rank_of(s, from) < rank_of(s, to) ? HK_LAG_CURRENT : HK_LAG_PREVIOUS;
            continue;
        }
        k->lag = HK_LAG_CURRENT;
        assert_true(hk_ratio_make(s->lp_step[lp], 200, &k->delay));
    }
}

/* Every parameter of the executor's components that is not a start value of the type. */
static void apply_parameters(rig *r, const sea *s) {
    for (int i = 0; i < s->count; i++) {
        const sea_component *c = &s->components[i];
        for (size_t p = 0; p < c->type->port_count; p++) {
            const hk_port *port = &c->type->ports[p];
            char path[96], text[HK_NUMBER_MAX + 1];
            const char *at = c->self + port->offset;
            if (port->causality != HK_PARAMETER)
                continue;
            snprintf(path, sizeof path, "%s.%s", c->name, port->name);
            size_t length =
                port->type == HK_TYPE_F64   ? hk_write_f64(*(const double *)(const void *)at, text)
                : port->type == HK_TYPE_I32 ? hk_write_i64(*(const int32_t *)(const void *)at, text)
                                            : hk_write_i64(*(const bool *)at, text);
            text[length] = '\0';
            rig_set(r, path, text);
        }
    }
}

static const char *const watched[] = {
    "flight_dynamics.h", "flight_dynamics.vz", "flight_dynamics.va", "cables.delta_e_c",
    "cables.delta_th_c", "fcc1b.mismatch_th",  "fcc2b.mismatch_th"};
enum { WATCHED = sizeof watched / sizeof *watched };

typedef struct trial {
    const char *schedule; /* a file beside the package; NULL: lags are set one by one */
    int number, partition;
    const configuration *config;
    const char *stop;
    unsigned threads; /* that share every phase, also where it does not pay */
} trial;

/* The engine gives what the executor gives for the partition. */
static void expect_same_bytes(const trial *x) {
    rig r = open_package(HK_MODEL_DIR "/r_rosace.ssp");
    sea s = start_r_rosace(x->number, x->partition, x->config);
    const double *seen[WATCHED];
    if (x->schedule) {
        char path[256];
        snprintf(path, sizeof path, HK_MODEL_DIR "/%s", x->schedule);
        assert_int_equal(hk_schedule_read(r.ctx, r.model, path), HK_OK);
    } else {
        apply_lags(&r, &s);
    }
    apply_initial_values(&r, &s, x->config);
    apply_parameters(&r, &s);
    r.model->experiment.stop = rig_seconds(x->stop);
    r.options.threads = x->threads;
    r.options.threads_always = x->threads > 1;
    for (int i = 0; i < WATCHED; i++) {
        rig_record(&r, watched[i]);
        seen[i] = sea_f64(&s, watched[i]);
    }
    assert_int_equal(rig_run(&r), HK_OK);
    assert_true(r.rows > 1);
    for (size_t row = 0; row + 1 < r.rows; row++) {
        sea_tick(&s);
        for (size_t i = 0; i < WATCHED; i++)
            if (memcmp(rig_cell(&r, row, i), seen[i], 8) != 0)
                fail_msg("%s, case %d, partition %d, row %zu: %s differs",
                         x->schedule ? x->schedule : "lags", x->number, x->partition, row,
                         watched[i]);
    }
    sea_end(&s);
    rig_end(&r);
}

static const char *const files[] = {
    [E1] = "e1.schedule", [E2] = "e2.schedule", [E3] = "e3.schedule",
    [E4] = "e4.schedule", [E5] = "e5.schedule",
};

static void test_schedule_files_give_the_same_bytes(void **state) {
    (void)state;
    const configuration *const configs[] = {&config_a, &config_b, &config_c};
    for (int e = E1; e <= E5; e++) {
        for (int c = 0; c < 3; c++)
            expect_same_bytes(&(trial){files[e], 1, e, configs[c], "50", 1});
        expect_same_bytes(&(trial){files[e], 2, e, &config_a, "50", 1});
        expect_same_bytes(&(trial){files[e], 2, e, &config_a, "1", 2});
    }
    expect_same_bytes(&(trial){files[E1], 3, E1, &config_a, "120", 1});
    expect_same_bytes(&(trial){files[E1], 4, E1, &config_a, "400", 1});
    expect_same_bytes(&(trial){files[E5], 4, E5, &config_a, "120", 1});
}

/* 15 processors that wait for each other give what one gives: the expected bytes are E1's. */
static void test_keeping_gives_the_bytes_of_e1(void **state) {
    (void)state;
    const char *keep = "e2_keep.schedule";
    expect_same_bytes(&(trial){keep, 1, E1, &config_a, "50", 1});
    expect_same_bytes(&(trial){keep, 1, E1, &config_a, "2", 2});
    expect_same_bytes(&(trial){keep, 2, E1, &config_b, "50", 1});
}

static void test_lags_give_the_same_bytes(void **state) {
    (void)state;
    for (int e = UPSTREAM; e <= COUPLES; e++)
        expect_same_bytes(&(trial){NULL, 1, e, &config_b, "50", 1});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_of_e1),
        cmocka_unit_test(test_published_trace),
        cmocka_unit_test(test_schedule_files_give_the_same_bytes),
        cmocka_unit_test(test_keeping_gives_the_bytes_of_e1),
        cmocka_unit_test(test_lags_give_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
