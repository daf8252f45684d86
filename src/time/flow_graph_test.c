/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "fake_model.h"
#include "flow_rig.h"

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_info *end, *start; /* two inputs, two outputs each */
    hk_plan *plan;
    hk_flow_graph *graph;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", "m.ssd");
    f->end = fake_info(f->model, HK_STAMP_END, 2, 2);
    f->start = fake_info(f->model, HK_STAMP_START, 2, 2);
    fake_experiment(f->model, "0.001", "1");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_flow_graph_destroy(f->graph);
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_status place(fixture *f, const uint32_t *node_of, uint32_t nodes) {
    hk_model_lower(f->model);
    assert_int_equal(
        hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &f->plan),
        HK_OK);
    return hk_flow_graph_of_plan(
        f->ctx, f->plan, &(hk_placement){.node_of = node_of, .node_count = nodes}, &f->graph);
}

/* a -> b -> c without delay, from node 0 to node 1 and back; a and d have one cell. */
static void cells_and_flows(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->start, "0.002", NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", f->start, "0.002", NULL);
    uint32_t c = fake_add(f->ctx, f->model, "c", f->end, "0.004", "0.002");
    uint32_t d = fake_add(f->ctx, f->model, "d", f->start, "0.002", NULL);
    for (uint32_t y = 2; y < 4; y++)
        f->end->variables[y].depends_init = (hk_depends){.known = true};
    hk_model_connect(f->model, a, 2, b, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(f->model, d, 2, b, 1, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(f->model, b, 2, c, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(f->model, c, 2, b, 1, HK_NOWHERE); /* previous */
    hk_model_connect(f->model, a, 3, d, 1, HK_NOWHERE); /* stays */
    hk_model_connect(f->model, b, 3, c, 1, HK_NOWHERE)->delay = seconds("0.001");
    assert_int_equal(place(f, (const uint32_t[]){0, 1, 0, 0}, 2), HK_OK);
    const hk_flow_graph *g = f->graph;
    assert_int_equal(g->ticks_per_second, 1000);
    assert_int_equal(g->end, 1000);
    assert_int_equal(g->node_count, 2);
    assert_string_equal(g->nodes[1].name, "node1");
    assert_int_equal(g->cell_count, 3);
    assert_int_equal(g->nodes[0].cells.count, 2);
    assert_int_equal(g->cells[0].periods[0], 2);
    assert_int_equal(g->cells[1].periods[0], 4);
    assert_int_equal(g->cells[1].offset, 2);
    assert_true(g->cells[1].level > g->cells[2].level && g->cells[2].level > g->cells[0].level);
    assert_int_equal(g->flow_count, 4);
    assert_string_equal(g->flows[0].name, "a.y0 -> b.u0 and 1 more");
    assert_int_equal(g->flows[0].from, 0);
    assert_int_equal(g->flows[0].to, 2);
    assert_int_equal(g->flows[0].lag, 0);
    assert_int_equal(g->flows[0].connections.count, 2);
    assert_int_equal(g->flows[0].connections.all[1], 1);
    assert_string_equal(g->flows[1].name, "c.y0 -> b.u1");
    assert_int_equal(g->flows[1].lag, 4);
    assert_int_equal(g->flows[2].lag, 0);
    assert_int_equal(g->flows[3].lag, 2); /* of one pair of cells, but another lag: 1 + 1 ms */
    assert_int_equal(g->flows[3].from, g->flows[2].from);
}

/* A shared parameter is a connection like others. */
static void shares_cross(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->start, NULL, NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", f->start, NULL, NULL);
    hk_model_connect(f->model, a, 2, b, 0, HK_NOWHERE)->shared = true;
    assert_int_equal(place(f, (const uint32_t[]){0, 1}, 2), HK_OK);
    assert_int_equal(f->graph->flow_count, 1);
}

static void services_do_not_cross(void **state) {
    fixture *f = *state;
    static const hk_service_info service = {.name = "p", .interface = "i"};
    f->start->services = &service;
    f->start->service_count = 1;
    fake_add(f->ctx, f->model, "a", f->start, NULL, NULL);
    fake_add(f->ctx, f->model, "b", f->start, NULL, NULL);
    static hk_provider provider = {0, 0};
    hk_requirement q = {.component = 1, .candidates = &provider, .candidate_count = 1};
    HK_PUSH(f->model->requirements, f->model->requirement_count, f->model->requirement_cap, q);
    assert_int_equal(place(f, (const uint32_t[]){1, 0}, 2), HK_E_PLACEMENT);
    assert_string_equal(newest_error(f->ctx)->text,
                        "a service cannot be called from another node: 'b' on 'node0' calls 'a' on "
                        "'node1'");
}

static void one_node_has_no_flows(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->start, NULL, NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", f->start, NULL, NULL);
    hk_model_connect(f->model, a, 2, b, 0, HK_NOWHERE)->shared = true;
    assert_int_equal(place(f, (const uint32_t[]){0, 0}, 1), HK_OK);
    assert_int_equal(f->graph->flow_count, 0);
    assert_int_equal(f->graph->cell_count, 1);
}

/* Initial values of a loop of outputs that depend on inputs are iterated together. */
static void loops_of_initial_values_do_not_cross(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->end, NULL, NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", f->end, NULL, NULL);
    hk_model_connect(f->model, a, 2, b, 0, HK_NOWHERE);
    hk_model_connect(f->model, b, 2, a, 0, HK_NOWHERE);
    hk_status status = place(f, (const uint32_t[]){0, 1}, 2);
    bool loop = false;
    for (size_t g = 0, begin = 0; g < f->plan->init_group_count; g++) {
        loop = loop || f->plan->init_group_end[g] - begin > 1;
        begin = f->plan->init_group_end[g];
    }
    assert_true(loop);
    assert_int_equal(status, HK_E_PLACEMENT);
    const char *text = newest_error(f->ctx)->text;
    assert_non_null(strstr(text, "a loop of initial values cannot cross nodes: "));
    assert_non_null(strstr(text, "'a' on 'node0'"));
    assert_non_null(strstr(text, "'b' on 'node1'"));
}

/* ---- random plans on random nodes ---- */

enum { PLANS = 400, COMPONENTS = 10, INPUTS = 6 };

static hk_model *roll_model(dice *d, hk_ctx *ctx) {
    static const char *const periods[] = {"0.001", "0.002", "0.002", "0.003", "0.004"};
    static const char *const offsets[] = {NULL, NULL, "0.001"};
    hk_model *model = hk_model_create("m", "m.ssd");
    hk_info *infos[2] = {fake_info(model, HK_STAMP_END, INPUTS, 1),
                         fake_info(model, HK_STAMP_START, INPUTS, 1)};
    uint32_t used[COMPONENTS] = {0};
    fake_experiment(model, "0.001", "0.024");
    for (uint32_t i = 0; i < 2; i++)
        infos[i]->variables[INPUTS].depends_init = (hk_depends){.known = true};
    for (uint32_t c = 0; c < COMPONENTS; c++) {
        char name[8] = {'c', (char)('0' + c)};
        uint32_t p = roll(d, 5);
        fake_add(ctx, model, name, infos[roll(d, 2)], periods[p], p ? offsets[roll(d, 3)] : NULL);
    }
    for (int i = 0; i < 3 * COMPONENTS; i++) {
        uint32_t from = roll(d, COMPONENTS), to = roll(d, COMPONENTS);
        if (used[to] == INPUTS)
            continue;
        hk_connection *k = hk_model_connect(model, from, INPUTS, to, used[to]++, HK_NOWHERE);
        k->lag = (hk_lag)roll(d, HK_LAGS);
        if (k->lag == HK_LAG_OBSERVE && from >= to)
            k->lag = HK_LAG_CURRENT; /* of 'observe' alone there may be no cycle */
        k->delay = roll(d, 4) ? (hk_ratio){0, 1} : (hk_ratio){roll(d, 5), 1000};
    }
    hk_model_lower(model);
    return model;
}

/* Each connection that crosses has its lag, its producer and its consumer. */
static void judge_flows(const hk_plan *plan, const hk_flow_graph *g, const uint32_t *node_of) {
    size_t crossing = 0, carried = 0;
    for (size_t i = 0; i < plan->model->connection_count; i++) {
        const hk_connection *k = &plan->model->connections[i];
        crossing += node_of[k->from_component] != node_of[k->to_component];
    }
    for (uint32_t f = 0; f < g->flow_count; f++)
        for (uint32_t i = 0; i < g->flows[f].connections.count; i++, carried++) {
            uint32_t index = g->flows[f].connections.all[i];
            const hk_connection *k = &plan->model->connections[index];
            const hk_plan_component *from = &plan->components[k->from_component];
            const hk_plan_component *to = &plan->components[k->to_component];
            const hk_flow_cell *a = &g->cells[g->flows[f].from], *b = &g->cells[g->flows[f].to];
            assert_int_equal(g->flows[f].lag, plan->connections[index].lag);
            assert_int_equal(a->node, node_of[k->from_component]);
            assert_int_equal(b->node, node_of[k->to_component]);
            assert_true(a->periods[0] == from->period && a->offset == from->offset);
            assert_true(b->periods[0] == to->period && b->offset == to->offset);
            assert_true(a->level == from->level && b->level == to->level);
        }
    assert_int_equal(crossing, carried);
}

static void random_plans(void **state) {
    (void)state;
    size_t flows = 0, without_lag = 0;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        dice d = dice_of(seed);
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_model *model = roll_model(&d, ctx);
        hk_plan *plan = NULL;
        hk_flow_graph *g = NULL;
        uint32_t node_of[COMPONENTS], nodes = 1 + roll(&d, 4);
        for (uint32_t c = 0; c < COMPONENTS; c++)
            node_of[c] = roll(&d, nodes);
        hk_plan_options options = {.algorithm = roll(&d, 2) ? HK_JACOBI : HK_GAUSS_SEIDEL};
        assert_int_equal(hk_plan_make(ctx, model, &options, &plan), HK_OK);
        hk_placement placement = {.node_of = node_of, .node_count = nodes};
        assert_int_equal(hk_flow_graph_of_plan(ctx, plan, &placement, &g), HK_OK);
        judge_flows(plan, g, node_of);
        assert_int_equal(hk_flow_graph_check(ctx, g), HK_OK);
        for (int s = 0; s < FLOW_SCHEDULES; s++) {
            flow_run r =
                flow_run_all(g->arena, g, flow_capacities(g->arena, g), (flow_schedule)s, seed);
            if (r.wrong)
                fail_msg("plan %llu: %s", (unsigned long long)seed, r.wrong);
            flow_run_finish(&r);
        }
        flows += g->flow_count;
        for (uint32_t f = 0; f < g->flow_count; f++)
            without_lag += g->flows[f].lag == 0;
        hk_flow_graph_destroy(g);
        hk_plan_destroy(plan);
        hk_model_destroy(model);
        hk_ctx_destroy(ctx);
    }
    print_message("%zu flows, %zu without lag\n", flows, without_lag);
    assert_true(flows > PLANS && without_lag > PLANS);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(cells_and_flows),
        TEST(shares_cross),
        TEST(services_do_not_cross),
        TEST(one_node_has_no_flows),
        TEST(loops_of_initial_values_do_not_cross),
        cmocka_unit_test(random_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
