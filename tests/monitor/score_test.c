/* SPDX-License-Identifier: MIT
 *
 * Bursts play the score, all other instants go by the lists it was written from: both come to the
 * same bits, and see the same things. */
#include "system.h"

#include "engine/score.h"

#include <math.h>

static const struct {
    const char *package; /* NULL: native */
    hk_voice_kind kind;
} systems[] = {
    {NULL, VOICE_MIXED},
    {NULL, VOICE_MEMORY},
    {"quarter_truck", VOICE_REFS},
    {"quarter_truck_fmi1", VOICE_REFS},
    {"quarter_truck_fmi3", VOICE_SIZED},
};
enum { SYSTEMS = sizeof systems / sizeof systems[0], MOST = 64 };

static void open_system(rig *r, size_t system) {
    if (systems[system].package)
        open_package(r, systems[system].package, "0.5");
    else if (systems[system].kind == VOICE_MIXED)
        make_mixers(r, "0.5", NULL);
    else
        make_arrows(r, "0.5");
}

/* Every double of every component, at the end. */
static size_t read_all(rig *r, double *values) {
    size_t n = 0;
    for (uint32_t c = 0; c < r->model->component_count; c++) {
        const hk_info *info = r->model->components[c].info;
        for (uint32_t v = 0; v < info->variable_count && n < MOST; v++)
            if (info->variables[v].causality == HK_OUTPUT)
                n += hk_sim_read_f64(r->sim, c, v, &values[n]);
    }
    assert_true(n > 0);
    return n;
}

static void same_bits(void **state) {
    (void)state;
    for (size_t i = 0; i < SYSTEMS; i++)
        for (int monitor = 0; monitor < 2; monitor++) {
            double by_lists[MOST], by_score[MOST];
            rig r;
            open_system(&r, i);
            r.options.profile_every = 1;
            assert_int_equal(run_and_tell(&r), HK_OK);
            assert_int_equal(r.sim->profile.sampled, r.sim->profile.instants);
            size_t n = read_all(&r, by_lists);
            rig_end(&r);
            open_system(&r, i);
            r.options.monitor = monitor ? HK_MONITOR_PHASE : HK_MONITOR_OFF;
            assert_int_equal(run_and_tell(&r), HK_OK);
            assert_int_equal(r.sim->score->voices[0].kind, systems[i].kind);
            assert_true(r.sim->profile.sampled < r.sim->profile.instants);
            assert_int_equal(read_all(&r, by_score), n);
            assert_memory_equal(by_lists, by_score, n * sizeof *by_lists);
            rig_end(&r);
        }
}

/* Truths among doubles: copied one by one, in the same loop. */
typedef struct gauge {
    double in, out;
    bool ask, answer, odd;
} gauge;

static int gauge_step(void *self, double t, double h) {
    gauge *g = self;
    g->out += g->ask ? h * g->in : t;
    g->odd = !g->odd;
    g->answer = g->ask != g->odd;
    return HK_STEP_OK;
}
static const hk_port gauge_ports[] = {
    HK_PORT(gauge, in, HK_INPUT, HK_TYPE_F64),
    HK_PORT(gauge, ask, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(gauge, out, HK_OUTPUT, HK_TYPE_F64, .start = "1", .depends_on = ""),
    HK_PORT(gauge, answer, HK_OUTPUT, HK_TYPE_BOOL, .start = "true", .depends_on = ""),
};
static const hk_unit_type gauge_type = {HK_UNIT_TYPE(gauge), .ports = gauge_ports, .port_count = 4,
                                        .step = gauge_step};

static double run_gauges(unsigned profile_every) {
    double out;
    rig r;
    rig_begin(&r, "0.01", "0.5", NULL);
    rig_add(&r, "p", &gauge_type, NULL, NULL);
    rig_add(&r, "q", &gauge_type, NULL, NULL);
    rig_connect(&r, "p.out", "q.in");
    rig_connect(&r, "q.out", "p.in");
    rig_connect(&r, "p.answer", "q.ask");
    rig_connect(&r, "q.answer", "p.ask");
    r.options.profile_every = profile_every;
    assert_int_equal(run_and_tell(&r), HK_OK);
    const hk_voice *v = &r.sim->score->voices[0];
    assert_int_equal(v->kind, VOICE_MEMORY);
    assert_int_equal(v->threes_end - v->ones, 2);
    assert_int_equal(v->bytes_end - v->threes_end, 2);
    assert_true(hk_sim_read_f64(r.sim, 0, 2, &out));
    rig_end(&r);
    return out;
}

static void truths(void **state) {
    (void)state;
    double by_lists = run_gauges(1), by_score = run_gauges(0);
    assert_memory_equal(&by_lists, &by_score, sizeof by_lists);
}

/* An input and an output at one place: what a copy reads another may have written. */
static int pass_step(void *self, double t, double h) {
    (void)t;
    *(double *)self += h;
    return HK_STEP_OK;
}
static const hk_port pass_ports[] = {
    {.name = "u", .offset = 0, .causality = HK_INPUT, .type = HK_TYPE_F64},
    {.name = "y", .offset = 0, .causality = HK_OUTPUT, .type = HK_TYPE_F64, .depends_on = ""},
};
typedef double pass;
static const hk_unit_type pass_type = {HK_UNIT_TYPE(pass), .ports = pass_ports, .port_count = 2,
                                       .step = pass_step};

static void one_place(void **state) {
    (void)state;
    rig r;
    rig_begin(&r, "0.01", "0.1", NULL);
    rig_add(&r, "p", &pass_type, NULL, NULL);
    rig_add(&r, "q", &pass_type, NULL, NULL);
    rig_connect(&r, "p.y", "q.u");
    rig_connect(&r, "q.y", "p.u");
    assert_int_equal(run_and_tell(&r), HK_OK);
    assert_int_equal(r.sim->score->voices[0].kind, VOICE_MIXED);
    rig_end(&r);
}

/* Outputs, as many as a test asks for; one of them is not finite from some time on. */
enum { OUTPUTS = 5 };
static int bad_one;
static double bad_value;
typedef struct source {
    double y[OUTPUTS];
} source;

static int source_step(void *self, double t, double h) {
    source *s = self;
    for (int i = 0; i < OUTPUTS; i++)
        s->y[i] = t + h > 0.05 && i == bad_one ? bad_value : 1e308;
    return HK_STEP_OK;
}
#define OUTPUT(index)                                                                              \
    {                                                                                              \
        .name = "y" #index, .offset = (index) * sizeof(double), .causality = HK_OUTPUT,            \
        .type = HK_TYPE_F64, .start = "0", .depends_on = ""                                        \
    }
static const hk_port source_ports[] = {OUTPUT(0), OUTPUT(1), OUTPUT(2), OUTPUT(3), OUTPUT(4)};

static void not_finite(void **state) {
    (void)state;
    static const char *const wires[OUTPUTS][2] = {{"s.y0", "p.in.x"},
                                                  {"s.y1", "p.in.y"},
                                                  {"s.y2", "p.in.z"},
                                                  {"s.y3", "p.u"},
                                                  {"s.y4", "q.u"}};
    const double values[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (uint32_t count = 1; count <= OUTPUTS; count++)
        for (bad_one = -1; bad_one < (int)count; bad_one++) {
            hk_unit_type type = {HK_UNIT_TYPE(source), .ports = source_ports, .port_count = count,
                                 .step = source_step};
            rig r;
            rig_begin(&r, "0.01", "0.1", NULL);
            bad_value = values[(count + (uint32_t)bad_one) % 4];
            rig_add(&r, "s", &type, NULL, NULL);
            rig_add(&r, "p", &arrow_type, NULL, NULL);
            rig_add(&r, "q", &arrow_type, NULL, NULL);
            for (uint32_t i = 0; i < count; i++) /* what nobody reads nobody looks at */
                rig_connect(&r, wires[i][0], wires[i][1]);
            hk_status status = rig_run(&r);
            assert_int_equal(r.sim->score->voices[0].kind, VOICE_MEMORY);
            if (bad_one < 0) {
                assert_int_equal(status, HK_OK);
            } else {
                char name[] = "y0";
                name[1] = (char)('0' + bad_one);
                assert_int_not_equal(status, HK_OK);
                assert_says(rig_error(&r), name);
                assert_says(rig_error(&r), "0.05 s");
            }
            rig_end(&r);
        }
}

/* What stands still is copied once in a burst: from a component that steps less often. Who is given
 * it may change it at once, and nothing is left out; later it is an error. */
static double spoil_from, spoil_value;
static bool was_given_nan;
typedef struct keeper {
    double given, sum;
    bool flag;
} keeper;

static int keeper_step(void *self, double t, double h) {
    keeper *k = self;
    was_given_nan = was_given_nan || !isfinite(k->given);
    k->sum += h * k->given + (k->flag ? 1 : 0);
    if (t >= spoil_from)
        k->given = spoil_value;
    return HK_STEP_OK;
}
static const hk_port keeper_ports[] = {
    HK_PORT(keeper, given, HK_INPUT, HK_TYPE_F64),
    HK_PORT(keeper, flag, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(keeper, sum, HK_OUTPUT, HK_TYPE_F64, .start = "0", .depends_on = ""),
};
static const hk_unit_type keeper_type = {HK_UNIT_TYPE(keeper), .ports = keeper_ports,
                                         .port_count = 3, .step = keeper_step};

static hk_status run_keeper(rig *r, unsigned profile_every, double *ret_sum) {
    rig_begin(r, "0.001", "2", NULL);
    r->algorithm = HK_GAUSS_SEIDEL;
    rig_add(r, "slow", &gauge_type, "1", NULL);
    rig_add(r, "k", &keeper_type, NULL, NULL);
    rig_connect(r, "slow.out", "k.given");
    rig_connect(r, "slow.answer", "k.flag");
    rig_connect(r, "k.sum", "slow.in")->lag = HK_LAG_PREVIOUS;
    r->options.profile_every = profile_every;
    hk_status status = rig_run(r);
    assert_int_equal(r->sim->score->still_count, 2);
    assert_true(hk_sim_read_f64(r->sim, 1, 2, ret_sum));
    return status;
}

static void stands_still(void **state) {
    (void)state;
    static const struct {
        double from;
        bool caught;
    } cases[] = {{INFINITY, false}, {0, false}, {0.5, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double by_lists = 0, by_notes = 0;
        rig r;
        spoil_from = cases[i].from;
        spoil_value = 77;
        assert_int_equal(run_keeper(&r, 1, &by_lists), HK_OK);
        rig_end(&r);
        hk_status status = run_keeper(&r, 0, &by_notes);
        if (cases[i].caught) {
            assert_int_equal(status, HK_E_UNIT_FAILED);
            assert_says(rig_error(&r), "component 'k' has changed 'given', which it is given");
        } else {
            assert_int_equal(status, HK_OK);
            assert_exactly(by_notes, by_lists);
        }
        rig_end(&r);
    }
}

/* Of several voices: a copy looks at what it brings, before somebody is given it. */
static void nobody_is_given_nan(void **state) {
    (void)state;
    for (bad_one = -1; bad_one < OUTPUTS; bad_one++) {
        hk_unit_type type = {HK_UNIT_TYPE(source), .ports = source_ports, .port_count = OUTPUTS,
                             .step = source_step};
        static const char *const to[OUTPUTS] = {"p.in.x", "p.in.y", "p.in.z", "p.u", "q.u"};
        rig r;
        rig_begin(&r, "0.01", "0.1", NULL);
        r.algorithm = HK_GAUSS_SEIDEL;
        bad_value = bad_one % 2 ? NAN : INFINITY;
        rig_add(&r, "s", &type, NULL, NULL);
        rig_add(&r, "p", &arrow_type, NULL, NULL);
        rig_add(&r, "q", &arrow_type, NULL, NULL);
        rig_add(&r, "k", &keeper_type, NULL, NULL);
        rig_connect(&r, "s.y4", "k.given");
        spoil_from = INFINITY;
        was_given_nan = false;
        for (uint32_t i = 0; i < OUTPUTS; i++) {
            char from[] = "s.y0";
            from[3] = (char)('0' + i);
            rig_connect(&r, from, to[i]);
        }
        hk_status status = rig_run(&r);
        assert_non_null(r.sim->score->notes);
        assert_int_equal(r.sim->score->count, 2);
        assert_true(r.sim->score->looked[0]);
        assert_ptr_equal(r.sim->score->voices[0].left, r.sim->score->voices[0].left_end);
        assert_int_equal(status == HK_OK, bad_one < 0);
        if (bad_one >= 0) {
            char name[] = "y0";
            name[1] = (char)('0' + bad_one);
            assert_says(rig_error(&r), name);
            assert_says(rig_error(&r), "0.05 s");
            assert_false(was_given_nan);
        }
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),    cmocka_unit_test(truths),
        cmocka_unit_test(one_place),    cmocka_unit_test(not_finite),
        cmocka_unit_test(stands_still), cmocka_unit_test(nobody_is_given_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
