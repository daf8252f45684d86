/* SPDX-License-Identifier: MIT
 *
 * Random systems on several nodes are saved in the middle of a run: what is put together of the
 * parts is what one process writes; the run is not disturbed; and one that goes on from it, on
 * nodes, shows what the reference interpreter of the lag rule sees. Parts that are damaged make no
 * state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"
#include "node_threads.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SYSTEMS = 300 };

typedef struct node {
    pthread_t thread;
    const hk_plan *plan;
    hk_sim_part part;
    hk_sim_options options;
    hk_listener listener;
    hk_status status;
    struct run *run;
    uint64_t unseen[COMPONENTS_MAX * 4]; /* rows that are not taken */
} node;

typedef struct run {
    node_threads threads;
    node nodes[NODES_MAX];
    uint32_t count;
    hk_tick save_at;  /* all save there ... */
    const char *load; /* ... or go on from this file */
    hk_buffer parts[NODES_MAX];
    bool saved[NODES_MAX];
    hk_buffer whole;
} run;

static void *unseen_row(void *user) {
    return user;
}

static bool row_unseen(void *user, double time) {
    (void)user, (void)time;
    return true;
}

static bool all_saved(run *r) {
    bool all = true;
    pthread_mutex_lock(&r->threads.lock);
    for (uint32_t i = 0; i + 1 < r->count; i++)
        all = all && r->saved[i];
    pthread_mutex_unlock(&r->threads.lock);
    return all;
}

/* A part that is cut off, or whose numbers are not possible, makes no state. */
static hk_status refuse_damaged(run *r, hk_sim *sim, hk_bytes *parts) {
    enum { FIRST_NUMBER = 8, FIRST_SIZE = 16, CUTS = 6 };
    const hk_bytes good = parts[0];
    const size_t cuts[CUTS] = {0, 7, 8, 17, good.size / 2, good.size - 1};
    const uint64_t large[] = {UINT64_C(1) << 40, UINT64_MAX - 1};
    hk_buffer made = {0};
    bool refused = true;
    for (size_t i = 0; i < CUTS; i++) {
        parts[0].size = cuts[i];
        refused = refused && hk_part_join(sim, parts, r->count - 1, &made) == HK_E_NODE_LOST;
    }
    char *bad = hk_alloc(good.size);
    for (size_t i = 0; i < 4 && good.size > FIRST_SIZE + 16; i++) {
        memcpy(bad, good.data, good.size);
        memcpy(bad + (i % 2 ? FIRST_SIZE : FIRST_NUMBER), &large[i / 2], 8);
        parts[0] = (hk_bytes){bad, good.size};
        refused = refused && hk_part_join(sim, parts, r->count - 1, &made) == HK_E_NODE_LOST;
    }
    const uint64_t nothing[] = {(uint64_t)hk_sim_now(sim), UINT64_MAX, UINT64_MAX, UINT64_MAX};
    parts[0] = (hk_bytes){nothing, sizeof nothing};
    if (good.size > sizeof nothing)
        refused = refused && hk_part_join(sim, parts, r->count - 1, &made) == HK_E_NODE_LOST;
    parts[0] = good;
    hk_free(bad);
    hk_free(made.data);
    return refused ? HK_OK : HK_E_INTERNAL;
}

/* The recorder is the last. */
static hk_status save(node *n, hk_sim *sim) {
    run *r = n->run;
    if (n->part.node + 1 < r->count) {
        HK_TRY(hk_part_save(sim, &r->parts[n->part.node]));
        pthread_mutex_lock(&r->threads.lock);
        r->saved[n->part.node] = true;
        note_change(&r->threads);
        pthread_mutex_unlock(&r->threads.lock);
        return HK_OK;
    }
    for (;;) {
        uint64_t seen = hk_part_changes(sim);
        if (all_saved(r))
            break;
        if (!hk_part_make_way(sim, seen))
            return HK_E_NODE_LOST;
    }
    hk_bytes parts[NODES_MAX];
    for (uint32_t i = 0; i + 1 < r->count; i++) {
        parts[i] = (hk_bytes){r->parts[i].data, r->parts[i].size};
        if (hk_part_time(parts[i].data, parts[i].size) != hk_sim_now(sim))
            return HK_E_TIME;
    }
    HK_TRY(refuse_damaged(r, sim, parts));
    return hk_part_join(sim, parts, r->count - 1, &r->whole);
}

static hk_status go(node *n, hk_ctx *ctx, hk_sim **ret_sim) {
    HK_TRY(hk_sim_create(ctx, n->plan, &n->options, ret_sim));
    if (n->run->load)
        HK_TRY(hk_sim_load_file(*ret_sim, n->run->load));
    HK_TRY(hk_sim_run_until(*ret_sim, n->run->save_at));
    if (!n->run->load)
        HK_TRY(save(n, *ret_sim));
    return hk_sim_run(*ret_sim);
}

static void *run_node(void *user) {
    node *n = user;
    hk_sim *sim = NULL;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    n->options.part = &n->part;
    n->status = go(n, ctx, &sim);
    node_thread_leaves(&n->run->threads);
    hk_sim_destroy(sim);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE) && n->status != HK_OK; i++)
        print_error("node %u: %s\n", n->part.node, hk_ctx_diag(ctx, i)->text);
    hk_ctx_destroy(ctx);
    return NULL;
}

typedef struct system {
    hk_ctx *ctx;
    hk_plan *plan;
    hk_placement placement;
    uint32_t node_of[COMPONENTS_MAX];
    hk_column columns[COMPONENTS_MAX * 4];
    hk_listener listener;
    hk_sim_options options;
    bool inputs;
    uint32_t seed;
    tape rows;
} system_;

static void run_on_nodes(system_ *s, run *r) {
    hk_plan_flows *flows = NULL;
    assert_int_equal(hk_part_flows(s->ctx, s->plan, &s->placement, &s->options, &flows), HK_OK);
    node_threads_begin(&r->threads, flows);
    r->count = s->placement.node_count;
    for (uint32_t i = 0; i < r->count; i++) {
        node *n = &r->nodes[i];
        *n = (node){.plan = s->plan,
                    .part = {flows, i, THREAD_WIRE(&r->threads)},
                    .options = s->options,
                    .listener = s->listener,
                    .run = r};
        if (i != s->placement.recorder)
            n->listener.sink = (hk_sink){unseen_row, row_unseen, n->unseen};
        n->options.listeners = &n->listener;
        assert_int_equal(pthread_create(&n->thread, NULL, run_node, n), 0);
    }
    for (uint32_t i = 0; i < r->count; i++)
        pthread_join(r->nodes[i].thread, NULL);
    if (r->threads.stuck)
        fail_msg("system %u: all nodes wait for each other", s->seed);
    for (uint32_t i = 0; i < r->count; i++)
        if (r->nodes[i].status != HK_OK)
            fail_msg("system %u: node %u fails", s->seed, i);
    compare(s->plan, &s->rows, s->inputs, s->seed);
    node_threads_end(&r->threads);
    hk_plan_flows_destroy(flows);
}

/* The file of one process, and how many rows it has written by then. */
static size_t save_alone(system_ *s, hk_tick at, const char *path, hk_buffer *ret_bytes) {
    hk_sim *sim = NULL;
    s->rows.rows = 0;
    assert_int_equal(hk_sim_create(s->ctx, s->plan, &s->options, &sim), HK_OK);
    assert_int_equal(hk_sim_run_until(sim, at), HK_OK);
    assert_int_equal(hk_sim_save_file(sim, path), HK_OK);
    hk_sim_destroy(sim);
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(s->ctx, path, 0, &data, &size), HK_OK);
    *ret_bytes = (hk_buffer){data, size, size};
    return s->rows.rows;
}

static void save_and_go_on(system_ *s, dice *d, const char *path) {
    static run r;
    hk_tick length = s->plan->stop - s->plan->start;
    hk_tick at = s->plan->start + 1 + (hk_tick)roll(d, (uint32_t)(length * 3 / 4));
    hk_buffer alone;
    size_t before = save_alone(s, at, path, &alone);
    r = (run){.save_at = at};
    s->rows.rows = 0;
    run_on_nodes(s, &r);
    if (r.whole.size != alone.size || memcmp(r.whole.data, alone.data, alone.size) != 0)
        fail_msg("system %u: the state at %lld ticks is another one", s->seed, (long long)at);
    for (uint32_t i = 0; i < r.count; i++)
        hk_free(r.parts[i].data);
    hk_free(r.whole.data);
    hk_free(alone.data);
    r = (run){.save_at = at, .load = path};
    s->rows.rows = before;
    run_on_nodes(s, &r);
}

/* False: there is no plan. */
static bool run_system(uint32_t seed, const char *path) {
    static system_ s;
    dice d = {hk_stream_make(seed, 0, "part_states_test", "system"), 0};
    hk_algorithm algorithm;
    memset(&s, 0, sizeof s);
    s.ctx = hk_ctx_create(NULL, NULL);
    s.seed = seed;
    s.inputs = seed % 2;
    hk_model *model = random_model(s.ctx, &d, &algorithm);
    assert_int_equal(hk_check_model(s.ctx, model), HK_OK);
    hk_model_lower(model);
    hk_status planned =
        hk_plan_make(s.ctx, model, &(hk_plan_options){.algorithm = algorithm}, &s.plan);
    if (planned == HK_OK) {
        uint32_t nodes = 1 + roll(&d, 4);
        for (size_t c = 0; c < model->component_count; c++)
            s.node_of[c] = roll(&d, nodes);
        s.placement =
            (hk_placement){.node_of = s.node_of, .node_count = nodes + 1, .recorder = nodes};
        s.listener = (hk_listener){.columns = s.columns,
                                   .column_count = all_columns(model, s.inputs, s.columns),
                                   .sink = {tape_begin, tape_end, &s.rows}};
        hk_columns_layout(s.columns, s.listener.column_count);
        s.options = (hk_sim_options){.listeners = &s.listener, .listener_count = 1};
        save_and_go_on(&s, &d, path);
    }
    hk_plan_destroy(s.plan);
    hk_model_destroy(model);
    hk_ctx_destroy(s.ctx);
    return planned == HK_OK;
}

static void random_systems(void **state) {
    const char *path = *state;
    size_t ran = 0;
    for (uint32_t seed = 0; ran < SYSTEMS; seed++)
        ran += run_system(seed, path);
}

static int make_path(void **state) {
    static char path[] = "part_states_XXXXXX";
    int fd = mkstemp(path);
    *state = path;
    return fd < 0 || close(fd);
}

static int remove_path(void **state) {
    return unlink(*state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_systems, make_path, remove_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
