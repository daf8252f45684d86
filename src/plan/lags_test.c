/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "fake_model.h"

#include <stdio.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_info *end, *start; /* one input, one output each: u0 = 0, y0 = 1 */
    hk_plan *plan;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", "m.ssd");
    f->end = fake_info(f->model, HK_STAMP_END, 1, 1);
    f->start = fake_info(f->model, HK_STAMP_START, 1, 1);
    fake_experiment(f->model, "0.001", "1");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_status make(fixture *f, hk_algorithm algorithm) {
    hk_plan_destroy(f->plan);
    f->plan = NULL;
    hk_model_lower(f->model);
    return hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = algorithm}, &f->plan);
}

/* The table of docs/semantics.md. The producer's period is 5 ms, the tick 1 ms. */
static void words(void **state) {
    fixture *f = *state;
    uint32_t from[] = {fake_add(f->ctx, f->model, "e", f->end, "0.005", NULL),
                       fake_add(f->ctx, f->model, "s", f->start, "0.005", NULL)};
    uint32_t to = fake_add(f->ctx, f->model, "to", f->end, "0.002", NULL);
    static const struct {
        hk_lag word;
        hk_algorithm algorithm;
        hk_tick lag[2]; /* end-stamped, start-stamped */
    } rows[] = {
        {HK_LAG_PREVIOUS, HK_JACOBI, {5, 1}}, {HK_LAG_PREVIOUS, HK_GAUSS_SEIDEL, {5, 1}},
        {HK_LAG_OBSERVE, HK_JACOBI, {5, 0}},  {HK_LAG_OBSERVE, HK_GAUSS_SEIDEL, {5, 0}},
        {HK_LAG_CURRENT, HK_JACOBI, {0, 0}},  {HK_LAG_CURRENT, HK_GAUSS_SEIDEL, {0, 0}},
        {HK_LAG_DEFAULT, HK_JACOBI, {5, 1}},  {HK_LAG_DEFAULT, HK_GAUSS_SEIDEL, {0, 0}},
    };
    hk_model_connect(f->model, from[0], 1, to, 0, HK_NOWHERE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int stamp = 0; stamp < 2; stamp++)
            for (int delayed = 0; delayed < 2; delayed++) {
                hk_connection *k = &f->model->connections[0];
                k->from_component = from[stamp];
                k->lag = rows[i].word;
                k->delay = seconds(delayed ? "0.007" : "0");
                assert_int_equal(make(f, rows[i].algorithm), HK_OK);
                assert_int_equal(f->plan->ticks_per_second, 1000);
                assert_int_equal(f->plan->connections[0].lag, rows[i].lag[stamp] + 7 * delayed);
                assert_false(f->plan->connections[0].cut);
                /* lag 0 and a common instant: the producer is a phase earlier */
                bool waits = rows[i].lag[stamp] == 0 && !delayed;
                assert_int_equal(f->plan->components[to].level, waits);
            }
}

static void no_order_without_a_common_instant(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->end, "0.002", NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", f->end, "0.002", "0.001");
    hk_model_connect(f->model, a, 1, b, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(f->model, b, 1, a, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(f->plan->connections[i].lag, 0);
        assert_false(f->plan->connections[i].cut);
        assert_int_equal(f->plan->components[i].level, 0);
    }
}

static void ring(fixture *f, int n) {
    for (int i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        fake_add(f->ctx, f->model, name, i % 2 ? f->start : f->end, NULL, NULL);
    }
    for (int i = 0; i < n; i++)
        hk_model_connect(f->model, (uint32_t)i, 1, (uint32_t)((i + 1) % n), 0, HK_NOWHERE)->lag =
            HK_LAG_CURRENT;
}

/* c0 -> c1 -> c2 -> c3 -> c0; connection i leads into c((i + 1) % 4). */
static void a_ring_is_cut_before_its_first(void **state) {
    fixture *f = *state;
    ring(f, 4);
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f->plan->connections[i].cut, i == 3);
        assert_int_equal(f->plan->components[i].level, i);
    }
    assert_int_equal(f->plan->connections[3].lag, 1); /* c3 is start-stamped: previous is 1 tick */
    assert_int_equal(f->plan->level_count, 4);
    assert_int_equal(notes_with(f->ctx, "a cycle is cut here: 'c0' runs before 'c3'"), 1);
}

static void priority_says_where(void **state) {
    fixture *f = *state;
    ring(f, 4);
    for (int i = 0; i < 4; i++)
        f->model->components[i].priority = i == 3 ? 1 : i == 1 ? 1 : 2;
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    static const uint32_t level[] = {3, 0, 1, 2};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f->plan->connections[i].cut, i == 0); /* into c1: first with priority 1 */
        assert_int_equal(f->plan->components[i].level, level[i]);
    }
    assert_int_equal(f->plan->connections[0].lag, 1); /* c0 is end-stamped: its period, 1 tick */
}

static void a_component_that_feeds_itself(void **state) {
    fixture *f = *state;
    ring(f, 1);
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    assert_true(f->plan->connections[0].cut);
    assert_int_equal(f->plan->components[0].level, 0);
    assert_int_equal(f->plan->level_count, 1);
}

/* Two rings that share c0: both are cut into c0, nothing else is. */
static void two_rings(void **state) {
    fixture *f = *state;
    hk_info *wide = fake_info(f->model, HK_STAMP_END, 2, 1); /* u0, u1, y0 = 2 */
    for (int i = 0; i < 3; i++)
        fake_add(f->ctx, f->model, (const char *const[]){"c0", "c1", "c2"}[i], wide, "0.003", NULL);
    const uint32_t ends[][3] = {{0, 1, 0}, {1, 0, 0}, {0, 2, 0}, {2, 0, 1}};
    for (int i = 0; i < 4; i++)
        hk_model_connect(f->model, ends[i][0], 2, ends[i][1], ends[i][2], HK_NOWHERE);
    assert_int_equal(make(f, HK_GAUSS_SEIDEL), HK_OK);
    const hk_tick lags[] = {0, 3, 0, 3};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(f->plan->connections[i].lag, lags[i]);
        assert_int_equal(f->plan->connections[i].cut, lags[i] != 0);
    }
    assert_int_equal(f->plan->components[1].level, 1);
    assert_int_equal(f->plan->components[2].level, 1);
}

static void observe_is_never_cut(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 3; i++)
        fake_add(f->ctx, f->model, (const char *const[]){"ada", "bob", "cyd"}[i], f->start, NULL,
                 NULL);
    for (uint32_t i = 0; i < 3; i++)
        hk_model_connect(f->model, i, 1, (i + 1) % 3, 0, HK_NOWHERE)->lag = HK_LAG_OBSERVE;
    assert_int_equal(make(f, HK_JACOBI), HK_E_ZERO_LAG_CYCLE);
    assert_null(f->plan);
    const hk_diag *d = newest_error(f->ctx);
    assert_non_null(strstr(d->text, "'ada', 'bob', 'cyd'"));
    assert_non_null(strstr(d->hint, "previous"));
    assert_non_null(strstr(d->where.element, "connection ada."));

    /* One 'current' in the ring is the one to give way, whatever the priorities say. */
    f->model->connections[1].lag = HK_LAG_CURRENT; /* bob -> cyd */
    f->model->components[0].priority = -5;
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(f->plan->connections[i].cut, i == 1);
    assert_int_equal(f->plan->components[2].level, 0);

    /* A delay breaks the cycle too. */
    f->model->connections[1].lag = HK_LAG_OBSERVE;
    f->model->connections[1].delay = seconds("0.001");
    assert_int_equal(make(f, HK_JACOBI), HK_OK);
    assert_int_equal(f->plan->connections[1].lag, 1);
}

enum { NODES = 7, LINKS = 14 };

typedef bool reach[NODES][NODES];

/* Who leads to whom by connections that are not cut. */
static void find_leads(const hk_model *m, const bool *cut, reach leads) {
    memset(leads, 0, sizeof(reach));
    for (size_t k = 0; k < m->connection_count; k++)
        if (!cut[k])
            leads[m->connections[k].from_component][m->connections[k].to_component] = true;
    for (int via = 0; via < NODES; via++)
        for (int a = 0; a < NODES; a++)
            for (int b = 0; b < NODES; b++)
                leads[a][b] |= leads[a][via] && leads[via][b];
}

/* False: none of the connections into V that are part of a cycle can be cut. */
static bool rank_of(const hk_model *m, const bool *cut, reach leads, int v, int *ret_rank) {
    int soft = 0, hard = 0;
    for (size_t k = 0; k < m->connection_count; k++) {
        const hk_connection *c = &m->connections[k];
        if (cut[k] || c->to_component != (uint32_t)v || !leads[v][c->from_component])
            continue;
        soft += c->lag == HK_LAG_CURRENT;
        hard += c->lag == HK_LAG_OBSERVE;
    }
    *ret_rank = m->components[v].priority + (hard ? 1000 : 0);
    return soft;
}

/* The component of the cycle through CYCLIC that is cut next; -1: there is none. */
static int best_of_cycle(const hk_model *m, const bool *cut, reach leads, int cyclic) {
    int best = -1, best_rank = 0, rank;
    for (int v = 0; v < NODES; v++) {
        if (!leads[cyclic][v] || !leads[v][cyclic] || !rank_of(m, cut, leads, v, &rank))
            continue;
        if (best < 0 || rank < best_rank) {
            best = v;
            best_rank = rank;
        }
    }
    return best;
}

/* The rule of docs/semantics.md, word by word, on the ends of the connections. False: some cycle
 * cannot be cut. */
static bool cut_word_by_word(const fixture *f, bool *cut) {
    const hk_model *m = f->model;
    for (;;) {
        reach leads;
        find_leads(m, cut, leads);
        int cyclic = 0;
        while (cyclic < NODES && !leads[cyclic][cyclic])
            cyclic++;
        if (cyclic == NODES)
            return true;
        int best = best_of_cycle(m, cut, leads, cyclic);
        if (best < 0)
            return false;
        for (size_t k = 0; k < m->connection_count; k++)
            if (m->connections[k].to_component == (uint32_t)best &&
                leads[best][m->connections[k].from_component] &&
                m->connections[k].lag == HK_LAG_CURRENT)
                cut[k] = true;
    }
}

static uint32_t draw(uint32_t *state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % below;
}

static void random_systems(void **state) {
    fixture *f = *state;
    uint32_t seed = 7, plans = 0, failures = 0;
    hk_info *wide = fake_info(f->model, HK_STAMP_START, LINKS, 1);
    for (int i = 0; i < NODES; i++)
        fake_add(f->ctx, f->model,
                 (const char *const[]){"c0", "c1", "c2", "c3", "c4", "c5", "c6"}[i], wide, NULL,
                 NULL);
    for (uint32_t k = 0; k < LINKS; k++)
        hk_model_connect(f->model, 0, LINKS, 0, k, HK_NOWHERE);
    for (int round = 0; round < 2000; round++) {
        for (int i = 0; i < NODES; i++)
            f->model->components[i].priority = (int)draw(&seed, 3);
        for (uint32_t k = 0; k < LINKS; k++) {
            hk_connection *c = &f->model->connections[k];
            c->from_component = draw(&seed, NODES);
            c->to_component = draw(&seed, NODES);
            c->lag = round % 2 && draw(&seed, 8) == 0 ? HK_LAG_OBSERVE : HK_LAG_CURRENT;
        }
        bool expected[LINKS] = {false};
        bool possible = cut_word_by_word(f, expected);
        assert_int_equal(make(f, HK_JACOBI), possible ? HK_OK : HK_E_ZERO_LAG_CYCLE);
        for (int k = 0; k < LINKS && possible; k++)
            if (f->plan->connections[k].cut != expected[k])
                fail_msg("round %d, connection %d", round, k);
        plans += possible;
        failures += !possible;
    }
    assert_true(plans > 1000 && failures > 10);
}

/* Neighbours that see each other: as many cuts as components, in time that grows with them. */
static void a_long_two_way_chain(void **state) {
    enum { LONG = 20000 };
    fixture *f = *state;
    hk_info *wide = fake_info(f->model, HK_STAMP_END, 2, 1);
    for (uint32_t i = 0; i < LONG; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", (unsigned)i);
        fake_add(f->ctx, f->model, name, wide, NULL, NULL);
    }
    for (uint32_t i = 0; i + 1 < LONG; i++) {
        hk_model_connect(f->model, i, 2, i + 1, 0, HK_NOWHERE);
        hk_model_connect(f->model, i + 1, 2, i, 1, HK_NOWHERE);
    }
    clock_t begin = clock(); /* of this process: a machine with other work is not a slower */
    assert_int_equal(make(f, HK_GAUSS_SEIDEL), HK_OK);
    assert_true(clock() - begin < 3 * CLOCKS_PER_SEC); /* sanitizers included */
    for (uint32_t i = 0; i + 1 < LONG; i++) {
        assert_false(f->plan->connections[2 * i].cut);
        assert_true(f->plan->connections[2 * i + 1].cut);
    }
}

static void a_negative_delay(void **state) {
    fixture *f = *state;
    ring(f, 2);
    f->model->connections[0].delay = seconds("-0.001");
    assert_int_equal(make(f, HK_JACOBI), HK_E_TIME);
    assert_non_null(strstr(newest_error(f->ctx)->where.element, "c0.y0 -> c1.u0"));
}

/* Two processors of two components each, c0 c1 and c2 c3, of start-stamped components. */
static void two_processors(fixture *f) {
    static const char *const names[] = {"c0", "c1", "c2", "c3"};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t processor = 0;
        assert_int_equal(fake_add(f->ctx, f->model, names[i], f->start, "0.001", NULL), i);
        if (i % 2 == 0)
            assert_int_equal(hk_model_add_processor(f->ctx, f->model, i ? "second" : "first",
                                                    HK_NOWHERE, &processor),
                             HK_OK);
        assert_int_equal(hk_model_assign(f->ctx, f->model, i / 2, i, HK_NOWHERE), HK_OK);
    }
    hk_model_connect(f->model, 1, 1, 2, 0, HK_NOWHERE);
}

static void phases_follow_the_order_of_processors(void **state) {
    fixture *f = *state;
    two_processors(f);
    static const uint32_t levels[] = {0, 0, 1, 1}; /* c3 is behind c2, which waits for c1 */
    assert_int_equal(make(f, HK_GAUSS_SEIDEL), HK_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(f->plan->components[i].level, levels[i]);
}

/* c1 before c2 and c3 before c0 by their links: taken at its word, the order could not be run. */
static void waiting_processors_may_contradict_their_order(void **state) {
    fixture *f = *state;
    two_processors(f);
    hk_model_connect(f->model, 3, 1, 0, 0, HK_NOWHERE);
    static const uint32_t levels[] = {1, 0, 1, 0};
    assert_int_equal(make(f, HK_GAUSS_SEIDEL), HK_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(f->plan->components[i].level, levels[i]);
    for (int k = 0; k < 2; k++)
        assert_true(f->plan->connections[k].lag == 0 && !f->plan->connections[k].cut);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_order_without_a_common_instant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_ring_is_cut_before_its_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(priority_says_where, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_component_that_feeds_itself, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_rings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(observe_is_never_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_systems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_two_way_chain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_negative_delay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(phases_follow_the_order_of_processors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waiting_processors_may_contradict_their_order, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
