/* SPDX-License-Identifier: MIT
 *
 * Random systems on several nodes, over queues of the smallest size: the recorder sees what the
 * reference interpreter of the lag rule sees, and there are as many messages as the plan says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"
#include "node_threads.h"

enum { SYSTEMS = 1000 };

/* What one node does: all of it in a thread of its own. */
typedef struct node {
    pthread_t thread;
    const hk_plan *plan;
    hk_sim_part part;
    hk_sim_options options;
    hk_listener listener;
    hk_status status;
    node_threads *threads;
    uint64_t unseen[COMPONENTS_MAX * 4]; /* rows that are not taken */
} node;

static void *unseen_row(void *user) {
    return user;
}

static bool row_unseen(void *user, double time) {
    (void)user, (void)time;
    return true;
}

static void *run_node(void *user) {
    node *n = user;
    hk_sim *sim = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    n->options.part = &n->part;
    n->status = hk_sim_create(ctx, n->plan, &n->options, &sim);
    if (n->status == HK_OK)
        n->status = hk_sim_run(sim);
    node_thread_leaves(n->threads);
    hk_sim_destroy(sim);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE) && n->status != HK_OK; i++)
        print_error("node %u: %s\n", n->part.node, hk_ctx_diag(ctx, i)->text);
    hk_ctx_destroy(ctx);
    return NULL;
}

/* What the plan says before the run. */
static uint64_t derived_messages(const hk_plan_flows *flows) {
    uint64_t count = 0;
    for (size_t i = 0; i < flows->count; i++) {
        hk_flow_messages m = hk_plan_flow_messages(flows, &flows->all[i]);
        count += m.before + m.during + m.at_end;
    }
    return count;
}

static void run_on_nodes(const hk_plan *plan, const hk_placement *placement, bool inputs,
                         uint32_t seed) {
    static tape t;
    hk_column columns[COMPONENTS_MAX * 4];
    hk_listener listener = {.columns = columns,
                            .column_count = all_columns(plan->model, inputs, columns),
                            .sink = {tape_begin, tape_end, &t}};
    hk_columns_layout(columns, listener.column_count);
    hk_sim_options options = {.listeners = &listener, .listener_count = 1};
    hk_plan_flows *flows = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    assert_int_equal(hk_part_flows(ctx, plan, placement, &options, &flows), HK_OK);
    node_threads threads;
    node nodes[NODES_MAX];
    node_threads_begin(&threads, flows);
    t.rows = 0;
    for (uint32_t i = 0; i < placement->node_count; i++) {
        nodes[i] = (node){.plan = plan,
                          .part = {flows, i, THREAD_WIRE(&threads)},
                          .options = options,
                          .listener = listener,
                          .threads = &threads};
        if (i != placement->recorder)
            nodes[i].listener.sink = (hk_sink){unseen_row, row_unseen, nodes[i].unseen};
        nodes[i].options.listeners = &nodes[i].listener;
        assert_int_equal(pthread_create(&nodes[i].thread, NULL, run_node, &nodes[i]), 0);
    }
    for (uint32_t i = 0; i < placement->node_count; i++)
        pthread_join(nodes[i].thread, NULL);
    if (threads.stuck)
        fail_msg("system %u: all nodes wait for each other", seed);
    for (uint32_t i = 0; i < placement->node_count; i++)
        if (nodes[i].status != HK_OK)
            fail_msg("system %u: node %u fails", seed, i);
    compare(plan, &t, inputs, seed);
    if (threads.sent != derived_messages(flows))
        fail_msg("system %u: %llu messages, not %llu", seed, (unsigned long long)threads.sent,
                 (unsigned long long)derived_messages(flows));
    node_threads_end(&threads);
    hk_plan_flows_destroy(flows);
    hk_ctx_destroy(ctx);
}

/* False: there is no plan. */
static bool run_system(uint32_t seed, size_t *crossing) {
    dice d = {hk_stream_make(seed, 0, "nodes_test", "system"), 0};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_algorithm algorithm;
    hk_model *model = random_model(ctx, &d, &algorithm);
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    hk_model_lower(model);
    hk_plan *plan = NULL;
    hk_status planned = hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = algorithm}, &plan);
    if (planned == HK_OK) {
        uint32_t node_of[COMPONENTS_MAX];
        uint32_t nodes = 1 + roll(&d, 4);
        for (size_t c = 0; c < model->component_count; c++)
            node_of[c] = roll(&d, nodes);
        /* The recorder is one of them, or runs nothing itself. */
        hk_placement placement = {
            .node_of = node_of, .node_count = nodes + 1, .recorder = roll(&d, nodes + 1)};
        for (size_t i = 0; i < model->connection_count; i++)
            *crossing += node_of[model->connections[i].from_component] !=
                         node_of[model->connections[i].to_component];
        run_on_nodes(plan, &placement, seed % 2, seed);
    } else {
        assert_int_equal(planned, HK_E_ZERO_LAG_CYCLE);
    }
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    return planned == HK_OK;
}

static void thousand_random_systems(void **state) {
    (void)state;
    size_t crossing = 0, ran = 0;
    for (uint32_t seed = 0; ran < SYSTEMS; seed++)
        ran += run_system(seed, &crossing);
    assert_true(crossing > SYSTEMS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thousand_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
