/* SPDX-License-Identifier: MIT
 *
 * Ages and constraints on the graph of R-ROSACE (15 components, partitions E1 to E5 of the paper),
 * on its smallest example, the subtractor, and against a step-by-step count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "fake_model.h"
#include "plan/constraints.h"

enum { COMPONENTS = 15 };

static const struct {
    const char *name, *period;
} components[COMPONENTS] = {{"elevator", "0.005"}, {"engine", "0.005"}, {"fd", "0.005"},
                            {"h", "0.02"},         {"vz", "0.01"},      {"va", "0.01"},
                            {"q", "0.01"},         {"az", "0.01"},      {"mode", "0.02"},
                            {"fcu", "0.02"},       {"fcc1a", "0.02"},   {"fcc1b", "0.02"},
                            {"fcc2a", "0.02"},     {"fcc2b", "0.02"},   {"cables", "0.005"}};

static const char *const links[][2] = {
    {"elevator", "fd"},     {"engine", "fd"},    {"fd", "h"},         {"fd", "vz"},
    {"fd", "va"},           {"fd", "q"},         {"fd", "az"},        {"az", "fcc1a"},
    {"az", "fcc1b"},        {"az", "fcc2a"},     {"az", "fcc2b"},     {"h", "fcc1a"},
    {"h", "fcc1b"},         {"h", "fcc2a"},      {"h", "fcc2b"},      {"vz", "fcc1a"},
    {"mode", "fcc1a"},      {"fcu", "fcc1a"},    {"fcc1a", "fcc1b"},  {"fcc2a", "fcc2b"},
    {"fcc1a", "cables"},    {"fcc2a", "cables"}, {"fcc1b", "cables"}, {"fcc2b", "cables"},
    {"cables", "elevator"}, {"cables", "engine"}};
enum { LINKS = sizeof links / sizeof *links };

typedef struct rig {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
} rig;

static uint32_t find(const hk_model *model, const char *name) {
    uint32_t index = hk_map_get(&model->by_name, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return index;
}

/* Processors as text: names separated by spaces, processors by '|'. */
static void partition(rig *r, const char *text) {
    char *copy = hk_arena_strdup(r->model->arena, text);
    uint32_t processor = 0, count = 0;
    char name[8] = "LP1";
    assert_int_equal(hk_model_add_processor(r->ctx, r->model, name, HK_NOWHERE, &processor), HK_OK);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        if (strcmp(word, "|") == 0) {
            name[2] = (char)('2' + count++);
            assert_int_equal(hk_model_add_processor(r->ctx, r->model, name, HK_NOWHERE, &processor),
                             HK_OK);
            continue;
        }
        assert_int_equal(
            hk_model_assign(r->ctx, r->model, processor, find(r->model, word), HK_NOWHERE), HK_OK);
    }
}

static hk_path path(rig *r, const char *text) {
    hk_path p = {HK_NEW_ARRAY(r->model->arena, uint32_t, 8), 0};
    char *copy = hk_arena_strdup(r->model->arena, text);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        p.components[p.count++] = find(r->model, word);
    return p;
}

static void coincide(rig *r, const char *one, const char *other) {
    hk_path *paths = HK_NEW_ARRAY(r->model->arena, hk_path, 2);
    paths[0] = path(r, one);
    paths[1] = path(r, other);
    hk_model_add_constraint(
        r->model, (hk_constraint){.kind = HK_COINCIDENCE, .paths = paths, .path_count = 2});
}

static rig make(const char *processors, hk_cut cut) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("r", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_START, 16, 1);
    for (int i = 0; i < COMPONENTS; i++)
        fake_add(r.ctx, r.model, components[i].name, info, components[i].period, NULL);
    uint32_t used[COMPONENTS] = {0};
    for (int i = 0; i < LINKS; i++) {
        uint32_t from = find(r.model, links[i][0]), to = find(r.model, links[i][1]);
        hk_model_connect(r.model, from, 16, to, used[to]++, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    }
    fake_experiment(r.model, "0.005", "50");
    r.model->cut = cut;
    if (processors)
        partition(&r, processors);
    coincide(&r, "az fcc1b", "az fcc1a fcc1b");
    coincide(&r, "az fcc2b", "az fcc2a fcc2b");
    hk_model_lower(r.model);
    assert_int_equal(
        hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan), HK_OK);
    return r;
}

static void finish(rig *r) {
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_ctx_destroy(r->ctx);
}

static uint32_t link_of(const rig *r, const char *from, const char *to) {
    for (uint32_t i = 0; i < r->model->connection_count; i++)
        if (r->model->connections[i].from_component == find(r->model, from) &&
            r->model->connections[i].to_component == find(r->model, to))
            return i;
    fail();
    return 0;
}

/* Ages in ms; the tick is 5 ms. */
static void assert_ages(const rig *r, const char *from, const char *to, int64_t min, int64_t max) {
    uint32_t link = link_of(r, from, to);
    hk_ages closed = hk_age_hop(r->plan, link);
    hk_ages counted = hk_age_chain(r->plan, (hk_chain){&link, 1});
    assert_int_equal(closed.min * 5, min);
    assert_int_equal(closed.max * 5, max);
    assert_int_equal(counted.min, closed.min);
    assert_int_equal(counted.max, closed.max);
    assert_int_equal(counted.has_initial, closed.has_initial);
    if (closed.has_initial)
        assert_int_equal(counted.initial_until, closed.initial_until);
}

static int64_t chain_age(const rig *r, const char *a, const char *b, const char *c) {
    uint32_t hops[] = {link_of(r, a, b), c ? link_of(r, b, c) : 0};
    hk_ages ages = hk_age_chain(r->plan, (hk_chain){hops, c ? 2 : 1});
    assert_int_equal(ages.min, ages.max);
    return ages.max * 5;
}

#define LP1_E3 "cables elevator engine fd h vz va q az mode fcu | "
static const struct {
    const char *name, *processors;
    int64_t az, h, pair1, pair2, cables_min, cables_max, to_elevator, to_fd, via1, via2;
    bool ok;
} rows[] = {
    {"E1", "elevator engine fd h vz va q az mode fcu fcc1a fcc1b fcc2a fcc2b cables", 0, 0, 0, 0, 0,
     15, 5, 0, 0, 0, true},
    {"E2",
     "elevator | engine | fd | h | vz | va | q | az | mode | fcu | fcc1a | fcc1b | fcc2a | fcc2b | "
     "cables",
     10, 20, 20, 20, 20, 35, 5, 5, 30, 30, false},
    {"E3", LP1_E3 "fcc1a fcc1b fcc2a fcc2b", 10, 20, 0, 0, 20, 35, 0, 0, 10, 10, true},
    {"E4", LP1_E3 "fcc1b fcc1a fcc2a fcc2b", 10, 20, 20, 0, 20, 35, 0, 0, 30, 10, false},
    {"E5", LP1_E3 "fcc1b fcc1a fcc2b fcc2a", 10, 20, 20, 20, 20, 35, 0, 0, 30, 30, false},
};

/* The table of ages, and which partitions are accepted: E1 and E3. */
static void partitions_of_the_paper(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r = make(rows[i].processors, HK_CUT_HLA);
        assert_ages(&r, "az", "fcc1a", rows[i].az, rows[i].az);
        assert_ages(&r, "h", "fcc1a", rows[i].h, rows[i].h);
        assert_ages(&r, "fcc1a", "fcc1b", rows[i].pair1, rows[i].pair1);
        assert_ages(&r, "fcc2a", "fcc2b", rows[i].pair2, rows[i].pair2);
        assert_ages(&r, "fcc1a", "cables", rows[i].cables_min, rows[i].cables_max);
        assert_ages(&r, "cables", "elevator", rows[i].to_elevator, rows[i].to_elevator);
        assert_ages(&r, "elevator", "fd", rows[i].to_fd, rows[i].to_fd);
        assert_int_equal(chain_age(&r, "az", "fcc1b", NULL), rows[i].az);
        assert_int_equal(chain_age(&r, "az", "fcc1a", "fcc1b"), rows[i].via1);
        assert_int_equal(chain_age(&r, "az", "fcc2a", "fcc2b"), rows[i].via2);
        hk_status status = hk_plan_check_constraints(r.ctx, r.plan);
        assert_int_equal(status == HK_OK, rows[i].ok);
        finish(&r);
    }
}

static void violations_name_and_repair(void **state) {
    (void)state;
    rig r = make(rows[3].processors, HK_CUT_HLA); /* E4 */
    assert_int_equal(hk_plan_check_constraints(r.ctx, r.plan), HK_E_COINCIDENCE);
    const hk_diag *d = newest_error(r.ctx);
    assert_non_null(strstr(d->text, "'az -> fcc1b' and 'az -> fcc1a -> fcc1b'"));
    assert_non_null(strstr(d->text, "age 0.01 s"));
    assert_non_null(strstr(d->text, "age 0.03 s"));
    assert_string_equal(d->hint, "run 'fcc1a' before 'fcc1b' in processor 'LP2'");
    finish(&r);
    r = make(rows[1].processors, HK_CUT_HLA); /* E2: both couples are torn apart */
    assert_int_equal(hk_plan_check_constraints(r.ctx, r.plan), HK_E_CHECK_FAILED);
    assert_non_null(newest_error(r.ctx)->hint);
    finish(&r);
}

/* Cutting into processors without 'cut hla' changes no age at all. */
static void keeping_latencies(void **state) {
    (void)state;
    rig one = make(rows[0].processors, HK_CUT_KEEP);
    rig many = make(rows[1].processors, HK_CUT_KEEP);
    for (uint32_t i = 0; i < LINKS; i++) {
        hk_ages a = hk_age_hop(one.plan, i), b = hk_age_hop(many.plan, i);
        assert_int_equal(a.min, b.min);
        assert_int_equal(a.max, b.max);
    }
    finish(&one);
    finish(&many);
}

static void limits(void **state) {
    (void)state;
    rig r = make(rows[2].processors, HK_CUT_HLA); /* E3 */
    hk_path to_cables = path(&r, "az fcc1a cables"), cables = path(&r, "cables");
    static const struct {
        hk_constraint_kind kind;
        const char *min, *max;
        bool ok;
    } cases[] = {
        {HK_LATENCY, "0.03", "0.045", true},   {HK_LATENCY, "0.03", "0.044", false},
        {HK_LATENCY, "0.031", "0.045", false}, {HK_FRESHNESS, "0", "0.035", true},
        {HK_FRESHNESS, "0", "0.034", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_constraint c = {.kind = cases[i].kind,
                           .paths = cases[i].kind == HK_LATENCY ? &to_cables : &cables,
                           .path_count = 1,
                           .has_min = cases[i].kind == HK_LATENCY,
                           .has_max = true,
                           .min = seconds(cases[i].min),
                           .max = seconds(cases[i].max)};
        hk_violation v;
        assert_int_equal(hk_constraint_holds(r.plan, &c, &v), cases[i].ok);
    }
    finish(&r);
}

/* The smallest example of the paper: a source that reaches a subtractor over two ways. */
static void subtractor(void **state) {
    (void)state;
    static const char *const processors[] = {"s a b c", "s a | b c", "b s a c"};
    for (int i = 0; i < 3; i++) {
        rig r = {.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("fig9", NULL)};
        hk_info *info = fake_info(r.model, HK_STAMP_START, 2, 1);
        uint32_t s = fake_add(r.ctx, r.model, "s", info, NULL, NULL);
        uint32_t a = fake_add(r.ctx, r.model, "a", info, NULL, NULL);
        uint32_t b = fake_add(r.ctx, r.model, "b", info, NULL, NULL);
        uint32_t c = fake_add(r.ctx, r.model, "c", info, NULL, NULL);
        hk_model_connect(r.model, s, 2, a, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        hk_model_connect(r.model, s, 2, b, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        hk_model_connect(r.model, a, 2, c, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        hk_model_connect(r.model, b, 2, c, 1, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        fake_experiment(r.model, "0.01", "1");
        r.model->cut = HK_CUT_HLA;
        partition(&r, processors[i]);
        coincide(&r, "s a c", "s b c");
        hk_model_lower(r.model);
        assert_int_equal(
            hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan),
            HK_OK);
        /* One crossing on each way (s -> b, a -> c) is as good as none: they coincide again. */
        hk_status expected = i == 2 ? HK_E_COINCIDENCE : HK_OK;
        assert_int_equal(hk_plan_check_constraints(r.ctx, r.plan), expected);
        if (i == 2)
            assert_string_equal(newest_error(r.ctx)->hint, "run 's' before 'b' in processor 'LP1'");
        finish(&r);
    }
}

/* Figure 9 of the paper: A and B, which have nothing before them, are compared by C. */
typedef struct figure {
    const char *processors; /* NULL: none */
    const char *a, *b, *c;  /* periods */
    const char *b_offset;
    hk_lag from_a, from_b;
    const char *text, *hint; /* NULL: they coincide; else parts of the message */
} figure;

static void check_figure(const figure *f) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("fig9", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_START, 2, 1);
    uint32_t a = fake_add(r.ctx, r.model, "a", info, f->a, NULL);
    uint32_t b = fake_add(r.ctx, r.model, "b", info, f->b, f->b_offset);
    uint32_t c = fake_add(r.ctx, r.model, "c", info, f->c, NULL);
    hk_model_connect(r.model, a, 2, c, 0, HK_NOWHERE)->lag = f->from_a;
    hk_model_connect(r.model, b, 2, c, 1, HK_NOWHERE)->lag = f->from_b;
    fake_experiment(r.model, "0.01", "10");
    r.model->cut = HK_CUT_HLA;
    if (f->processors)
        partition(&r, f->processors);
    coincide(&r, "a c", "b c");
    hk_model_lower(r.model);
    assert_int_equal(
        hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan), HK_OK);
    hk_status status = hk_plan_check_constraints(r.ctx, r.plan);
    assert_int_equal(status, f->text ? HK_E_COINCIDENCE : HK_OK);
    if (f->text) {
        const hk_diag *d = newest_error(r.ctx);
        if (!strstr(d->text, f->text))
            fail_msg("%s", d->text);
        assert_string_equal(d->hint, f->hint);
    }
    finish(&r);
}

static void several_sources(void **state) {
    (void)state;
    static const figure figures[] = {
        {"a b c", "0.01", "0.01", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT, NULL, NULL},
        {"a | b | c", "0.01", "0.01", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT, NULL, NULL},
        /* The second partition of the paper: C sees A of now, and B of the step before. */
        {"a c | b", "0.01", "0.01", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT,
         "'a -> c' and 'b -> c' do not coincide: at t = 0.01 s the first brings 'a' with its "
         "activation of t = 0.01 s (age 0 s), the second 'b' with its activation of t = 0 s "
         "(age 0.01 s)",
         "use 'cut keep': wait for values of other processors instead of delaying them"},
        {"a c b", "0.01", "0.01", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT, "at t = 0.01 s",
         "run 'b' before 'c' in processor 'LP1'"},
        {NULL, "0.01", "0.01", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_PREVIOUS, "at t = 0.01 s",
         "give b.y0 -> c.u1 the lag 'current'"},
        /* The instant counts, not the number of the activation. */
        {NULL, "0.01", "0.02", "0.02", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT, NULL, NULL},
        {NULL, "0.01", "0.02", "0.01", NULL, HK_LAG_CURRENT, HK_LAG_CURRENT, "at t = 0.01 s",
         "'a' and 'b' are activated at different instants: give them one period and offset"},
        {NULL, "0.02", "0.02", "0.02", "0.01", HK_LAG_CURRENT, HK_LAG_CURRENT, "at t = 0.02 s",
         "'a' and 'b' are activated at different instants: give them one period and offset"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        check_figure(&figures[i]);
}

/* ---- against a count of all activations, one by one ---- */

/* a -> c, b -> d -> c, b -> a: each with its connection. */
enum { A_C, B_D, D_C, B_A, WAYS };
static const uint32_t ends[WAYS][2] = {{0, 2}, {1, 3}, {3, 2}, {1, 0}};

static uint32_t draw(int round, uint32_t *drawn, uint32_t below) {
    const hk_stream random = hk_stream_make(9, 0, "ages", "coincidence");
    return (uint32_t)(hk_stream_u64(&random, round, (*drawn)++) % below);
}

/* Half of the rounds have one rate: else hardly anything would coincide. */
static rig draw_model(int round) {
    static const char *const periods[] = {"1", "2", "3", "4", "6"};
    static const char *const offsets[] = {NULL, NULL, "0.5"};
    static const hk_lag lags[] = {HK_LAG_CURRENT, HK_LAG_PREVIOUS, HK_LAG_OBSERVE};
    static const char *const names[] = {"a", "b", "c", "d"};
    rig r = {hk_ctx_create(NULL, NULL), hk_model_create("x", NULL), NULL};
    hk_info *info = fake_info(r.model, round % 3 ? HK_STAMP_START : HK_STAMP_END, 2, 1);
    uint32_t drawn = 0, used[4] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        const char *period = periods[draw(round, &drawn, 5)],
                   *offset = offsets[draw(round, &drawn, 3)];
        fake_add(r.ctx, r.model, names[i], info, round % 2 ? "2" : period,
                 round % 2 ? NULL : offset);
    }
    for (uint32_t i = 0; i < WAYS; i++) {
        hk_connection *k =
            hk_model_connect(r.model, ends[i][0], 2, ends[i][1], used[ends[i][1]]++, HK_NOWHERE);
        k->lag = lags[draw(round, &drawn, 3)];
        if (draw(round, &drawn, 4) == 0)
            k->delay = seconds("2");
    }
    fake_experiment(r.model, "1", "120");
    hk_model_lower(r.model);
    assert_int_equal(
        hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan), HK_OK);
    return r;
}

/* The newest activation that is seen, by looking at all of them. */
static hk_tick look(const hk_plan *plan, uint32_t link, hk_tick t) {
    const hk_plan_component *from = &plan->components[ends[link][0]];
    hk_tick seen = HK_ORIGIN_INITIAL;
    for (hk_tick s = from->offset; t != HK_ORIGIN_INITIAL && s < plan->stop; s += from->period)
        if (s + plan->connections[link].lag <= t)
            seen = s;
    return seen;
}

static bool count_agrees(const hk_plan *plan, bool with_third) {
    const hk_plan_component *sink = &plan->components[2];
    for (hk_tick t = sink->offset; t < plan->stop; t += sink->period) {
        hk_tick first = look(plan, A_C, t);
        hk_tick second = look(plan, B_D, look(plan, D_C, t));
        hk_tick third = look(plan, B_A, first);
        if (first != second || (with_third && third != second))
            return false;
    }
    return true;
}

static void against_counting(void **state) {
    (void)state;
    int held = 0, broken = 0;
    for (int round = 0; round < 2000; round++) {
        rig r = draw_model(round);
        hk_path paths[] = {path(&r, "a c"), path(&r, "b d c"), path(&r, "b a c")};
        for (size_t count = 2; count <= 3; count++) {
            hk_constraint c = {.kind = HK_COINCIDENCE, .paths = paths, .path_count = count};
            hk_violation v;
            bool holds = hk_constraint_holds(r.plan, &c, &v);
            assert_int_equal(holds, count_agrees(r.plan, count == 3));
            *(holds ? &held : &broken) += 1;
        }
        finish(&r);
    }
    assert_true(held > 100 && broken > 100);
}

/* Periods without common multiples repeat after more activations than anybody looks at: said. */
static void too_long_to_be_exact(void **state) {
    (void)state;
    for (int run = 0; run < 2; run++) {
        rig r = {.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("long", NULL)};
        hk_info *info = fake_info(r.model, HK_STAMP_START, 2, 1);
        static const char *const periods[] = {"9.973", "9.967", "9.949"};
        for (int i = 0; i < 3; i++)
            fake_add(r.ctx, r.model, (const char *const[]){"a", "b", "c"}[i], info, periods[i],
                     NULL);
        hk_model_connect(r.model, 0, 2, 1, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        hk_model_connect(r.model, 1, 2, 2, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
        fake_experiment(r.model, "1", run ? "100000" : "100000000000");
        hk_path *paths = HK_NEW(r.model->arena, hk_path);
        *paths = path(&r, "a b c");
        hk_model_add_constraint(r.model, (hk_constraint){.kind = HK_LATENCY,
                                                         .paths = paths,
                                                         .path_count = 1,
                                                         .has_max = true,
                                                         .max = seconds("20")});
        hk_model_lower(r.model);
        assert_int_equal(
            hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan),
            HK_OK);
        assert_int_equal(hk_plan_check_constraints(r.ctx, r.plan), HK_OK);
        assert_int_equal(notes_with(r.ctx, "not all are looked at"), run ? 0 : 1);
        finish(&r);
    }
}

/* Two connections with different lags on each of N hops: 2^N chains. Beyond the limit it is said
 * that not all of them are looked at. */
static void too_many_chains(void **state) {
    (void)state;
    for (int n = 8; n <= 9; n++) {
        rig r = {.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("r", NULL)};
        hk_info *info = fake_info(r.model, HK_STAMP_START, 2, 1);
        uint32_t members[16];
        for (int i = 0; i <= n; i++) {
            const char *name = hk_arena_printf(r.model->arena, "c%d", i);
            fake_add(r.ctx, r.model, name, info, "0.01", NULL);
            members[i] = find(r.model, name);
        }
        for (int i = 0; i < n; i++)
            for (uint32_t k = 0; k < 2; k++) {
                hk_connection *c =
                    hk_model_connect(r.model, members[i], 2, members[i + 1], k, HK_NOWHERE);
                c->lag = k ? HK_LAG_PREVIOUS : HK_LAG_CURRENT;
            }
        fake_experiment(r.model, "0.01", "1");
        hk_path way = {members, (size_t)n + 1};
        hk_constraint at_most = {
            .kind = HK_LATENCY, .paths = &way, .path_count = 1, .has_max = true, .max = {1, 2}};
        hk_model_add_constraint(r.model, at_most);
        hk_model_lower(r.model);
        assert_int_equal(
            hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &r.plan),
            HK_OK);
        hk_ctx_clear(r.ctx);
        assert_int_equal(hk_age_path(r.plan, &way).chains, 1u << n);
        assert_int_equal(hk_plan_check_constraints(r.ctx, r.plan), HK_OK);
        assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), n == 9);
        if (n == 9)
            assert_string_equal(hk_ctx_diag(r.ctx, 0)->text,
                                "this holds for 256 of the 512 chains of connections that its path "
                                "stands for; the others are not looked at");
        hk_ctx_clear(r.ctx);
        hk_plan_warn_constraints(r.ctx, r.plan); /* a run says so, too */
        assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), n == 9);
        finish(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_of_the_paper),
        cmocka_unit_test(violations_name_and_repair),
        cmocka_unit_test(keeping_latencies),
        cmocka_unit_test(limits),
        cmocka_unit_test(subtractor),
        cmocka_unit_test(several_sources),
        cmocka_unit_test(against_counting),
        cmocka_unit_test(too_long_to_be_exact),
        cmocka_unit_test(too_many_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
