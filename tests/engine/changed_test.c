/* SPDX-License-Identifier: MIT
 *
 * What a scenario has changed is part of a state: at every tick of a run in which components are
 * stopped, connections are faulty and another provider is bound, a state in a file goes on in
 * another run, and one in memory in this one, as if nothing had happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "callers.h"
#include "state.h"

enum { STOP = 16 };

typedef void script(hk_sim *sim, hk_tick now);
typedef void builder(rig *r);

/* The ticks from FROM on, each with what is done there. */
static void go_on(hk_sim *sim, hk_tick from, script *act) {
    for (hk_tick t = from; t < STOP; t++) {
        assert_int_equal(hk_sim_run_until(sim, t), HK_OK);
        act(sim, t);
    }
    assert_int_equal(hk_sim_run(sim), HK_OK);
}

/* Rows of B from its first on are those that A has at the same times. */
static void same_rows(const rig *a, const rig *b, hk_tick from) {
    assert_int_equal(b->rows, STOP + 1 - from);
    assert_int_equal(a->row_size, b->row_size);
    for (size_t i = 0; i < b->rows; i++) {
        const char *x = a->cells + ((size_t)from + i) * a->row_size;
        const char *y = b->cells + i * b->row_size;
        assert_exactly(a->times[(size_t)from + i], b->times[i]);
        if (memcmp(x, y, a->row_size) != 0)
            fail_msg("saved at %d: the row at %g differs", (int)from, b->times[i]);
    }
}

static void load(rig *r, const char *path) {
    hk_snapshot *s = NULL;
    assert_int_equal(hk_snapshot_read(r->sim, path, &s), HK_OK);
    assert_int_equal(hk_sim_restore(r->sim, s), HK_OK);
    hk_snapshot_destroy(r->sim, s);
}

static void from_a_file(const char *path, builder *build, script *act, const rig *whole) {
    for (hk_tick at = 1; at < STOP; at++) {
        rig one, two;
        hk_snapshot *s = NULL;
        build(&one);
        assert_int_equal(rig_start(&one), HK_OK);
        for (hk_tick t = 0; t < at; t++) {
            assert_int_equal(hk_sim_run_until(one.sim, t), HK_OK);
            act(one.sim, t);
        }
        assert_int_equal(hk_sim_run_until(one.sim, at), HK_OK);
        assert_int_equal(hk_sim_save(one.sim, &s), HK_OK);
        go_on(one.sim, at, act); /* what is written is the state as it was saved */
        assert_int_equal(hk_snapshot_write(one.sim, s, path), HK_OK);
        hk_snapshot_destroy(one.sim, s);
        same_rows(whole, &one, 0); /* saving changes nothing */
        build(&two);
        assert_int_equal(rig_start(&two), HK_OK);
        load(&two, path);
        go_on(two.sim, at, act);
        same_rows(whole, &two, at);
        rig_end(&one);
        rig_end(&two);
    }
}

/* Back to each state in turn, from the end and from a time in between. */
static void from_memory(builder *build, script *act, const rig *whole) {
    rig r;
    hk_snapshot *states[STOP] = {0};
    build(&r);
    assert_int_equal(rig_start(&r), HK_OK);
    for (hk_tick t = 0; t < STOP; t++) {
        assert_int_equal(hk_sim_run_until(r.sim, t), HK_OK);
        assert_int_equal(hk_sim_save(r.sim, &states[t]), HK_OK);
        act(r.sim, t);
    }
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    for (hk_tick i = 0; i < STOP; i++) {
        hk_tick at = i * 7 % STOP;
        r.rows = 0;
        assert_int_equal(hk_sim_restore(r.sim, states[at]), HK_OK);
        go_on(r.sim, at, act);
        same_rows(whole, &r, at);
        assert_int_equal(hk_sim_restore(r.sim, states[i]), HK_OK);
    }
    for (size_t i = 0; i < STOP; i++)
        hk_snapshot_destroy(r.sim, states[i]);
    rig_end(&r);
}

static void check(const fixture *f, builder *build, script *act) {
    rig whole;
    build(&whole);
    assert_int_equal(rig_start(&whole), HK_OK);
    go_on(whole.sim, 0, act);
    from_a_file(f->path, build, act, &whole);
    from_memory(build, act, &whole);
    rig_end(&whole);
}

/* ---- faults and stops ---- */

typedef struct source {
    double n, y[2];
} source;

static int source_step(void *self, double t, double h) {
    source *s = self;
    (void)t, (void)h;
    s->n += 1;
    s->y[0] = s->n;
    s->y[1] = 100 + s->n;
    return HK_STEP_OK;
}

static const hk_port source_ports[] = {
    HK_PORT(source, y, HK_OUTPUT, HK_TYPE_F64, .count = 2, .depends_on = ""),
    HK_PORT(source, n, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type source_type = {HK_UNIT_TYPE(source), .ports = source_ports,
                                         .port_count = 2, .step = source_step};

typedef struct sink {
    double u[2], sum, own;
} sink;

static int sink_step(void *self, double t, double h) {
    sink *s = self;
    s->sum = s->sum / 2 + s->u[0] + 3 * s->u[1];
    s->own = t + h;
    return HK_STEP_OK;
}

static const hk_port sink_ports[] = {
    HK_PORT(sink, u, HK_INPUT, HK_TYPE_F64, .count = 2, .start = "-1"),
    HK_PORT(sink, sum, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(sink, own, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type sink_type = {HK_UNIT_TYPE(sink), .ports = sink_ports, .port_count = 3,
                                       .step = sink_step};

static void build_faulty(rig *r) {
    rig_begin(r, "1", "16", NULL);
    r->past = (hk_ratio){2, 1};
    rig_add(r, "a", &source_type, NULL, NULL);
    rig_add(r, "b", &sink_type, NULL, NULL);
    rig_add(r, "c", &sink_type, "2", NULL);
    rig_connect(r, "a.y", "b.u");
    rig_connect(r, "a.y", "c.u");
    static const uint32_t shaky[] = {0, 1};
    r->options.shaky = shaky;
    r->options.shaky_count = 2;
    r->options.seed = 5;
    static const char *const names[] = {"a.n",   "b.u[1]", "b.u[2]", "b.sum",
                                        "b.own", "c.sum",  "c.own"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        rig_record(r, names[i]);
}

static void fault(hk_sim *sim, uint32_t connection, hk_fault_kind kind, double value,
                  uint32_t element) {
    hk_fault f = {.kind = kind, .value = value, .delay = {2, 1}, .elements = {element, 1}};
    assert_int_equal(hk_sim_add_fault(sim, connection, &f), HK_OK);
}

static void act_faulty(hk_sim *sim, hk_tick now) {
    bool changed;
    switch (now) {
    case 2:
        fault(sim, 0, HK_FAULT_STUCK, 0, 0); /* at what comes next */
        fault(sim, 0, HK_FAULT_NOISE, 0.5, 1);
        fault(sim, 1, HK_FAULT_DROP, 0.6, 0);
        break;
    case 4:
        fault(sim, 0, HK_FAULT_DELAY, 0, 1);
        assert_int_equal(hk_sim_stop_component(sim, 2, &changed), HK_OK);
        break;
    case 5:
        assert_int_equal(hk_sim_stop_component(sim, 0, &changed), HK_OK);
        break;
    case 8:
        assert_int_equal(hk_sim_start_component(sim, 0, &changed), HK_OK);
        assert_int_equal(hk_sim_remove_fault(sim, 0, HK_FAULT_STUCK, 0), HK_OK);
        break;
    case 9:
        assert_int_equal(hk_sim_start_component(sim, 2, &changed), HK_OK);
        break;
    case 11:
        assert_int_equal(hk_sim_clear_faults(sim, 0), HK_OK);
        fault(sim, 1, HK_FAULT_DISCONNECT, 0, 1);
        assert_int_equal(hk_sim_stop_component(sim, 1, &changed), HK_OK);
        break;
    case 13:
        assert_int_equal(hk_sim_start_component(sim, 1, &changed), HK_OK);
        break;
    default:
        break;
    }
}

static void faults_and_stops(void **state) {
    check(*state, build_faulty, act_faulty);
}

/* ---- bindings and orders ---- */

static void build_orders(rig *r) {
    rig_begin(r, "1", "16", NULL);
    two_orders(r);
    r->bind_any = true;
    rig_record(r, "ask.y");
    rig_record(r, "mix.kept");
    rig_record(r, "cnt.n");
}

static void act_orders(hk_sim *sim, hk_tick now) {
    enum { COUNTS, HOLDS, MIXES, ASKS };
    bool changed;
    if (now == 2 || now == 10)
        assert_int_equal(hk_sim_bind(sim, ASKS, 0, MIXES, 0), HK_OK);
    if (now == 6 || now == 13)
        assert_int_equal(hk_sim_bind(sim, ASKS, 0, HOLDS, 0), HK_OK);
    if (now == 4)
        assert_int_equal(hk_sim_stop_component(sim, COUNTS, &changed), HK_OK);
    if (now == 11)
        assert_int_equal(hk_sim_start_component(sim, COUNTS, &changed), HK_OK);
}

static void orders(void **state) {
    check(*state, build_orders, act_orders);
}

/* ---- what a file must not say ---- */

/* Every byte of a file with faults, stops and bindings changed behind a checksum that is right. */
static void forged(void **state) {
    const fixture *f = *state;
    static builder *const builders[] = {build_faulty, build_orders};
    static script *const acts[] = {act_faulty, act_orders};
    for (int way = 0; way < 2; way++) {
        rig r;
        char *data, *copy;
        size_t size, refused = 0;
        builders[way](&r);
        assert_int_equal(rig_start(&r), HK_OK);
        for (hk_tick t = 0; t < 7; t++) {
            assert_int_equal(hk_sim_run_until(r.sim, t), HK_OK);
            acts[way](r.sim, t);
        }
        hk_snapshot *s = NULL, *good = NULL;
        assert_int_equal(hk_sim_save(r.sim, &good), HK_OK);
        assert_int_equal(hk_snapshot_write(r.sim, good, f->path), HK_OK);
        assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
        copy = hk_alloc(size);
        for (size_t i = 8; i + 8 < size; i++) {
            memcpy(copy, data, size);
            copy[i] = (char)(copy[i] ^ (i % 2 ? 0xff : 0x01));
            uint64_t sum = hk_hash(HK_HASH_SEED, copy, size - 8);
            for (size_t k = 0; k < 8; k++)
                copy[size - 8 + k] = (char)(sum >> (8 * k));
            assert_int_equal(hk_file_write(f->ctx, f->path, copy, size), HK_OK);
            s = NULL;
            hk_status status = hk_snapshot_read(r.sim, f->path, &s);
            assert_true(status == HK_OK || status == HK_E_STATE_FILE || status == HK_E_TIME);
            refused += status != HK_OK;
            if (status == HK_OK && hk_sim_restore(r.sim, s) == HK_OK) {
                hk_status ran = hk_sim_run_until(r.sim, 9);
                assert_true(ran == HK_OK || ran == HK_E_UNIT_NAN || ran == HK_E_STOPPED_PROVIDER);
            }
            hk_snapshot_destroy(r.sim, s);
            assert_int_equal(hk_sim_restore(r.sim, good), HK_OK);
        }
        hk_snapshot_destroy(r.sim, good);
        assert_true(refused > size / 4);
        hk_free(copy);
        hk_free(data);
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(faults_and_stops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(orders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(forged, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
