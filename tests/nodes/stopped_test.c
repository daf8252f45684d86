/* SPDX-License-Identifier: MIT
 *
 * A component has ended the run, in order, while another node is behind: that one still comes to
 * the instant in which the run has ended, so that it has counted what a run on one node counts.
 * The order is forced: what the node waits for comes together with the end of the run, while it
 * waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mixers.h"

#include "base/buffer.h"
#include "engine/part.h"
#include "nodes/wires.h"

#include <unistd.h>

/* A runs on the first node, B on the second; the third records. */
enum { A, B, RECORDER, NODES, Y = 3 };

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_column columns[COMPONENTS_MAX * 4];
    hk_listener listener;
    hk_plan_flows *flows;
    uint64_t row[COMPONENTS_MAX * 4];
} fixture;

static void *row_begin(void *user) {
    return user;
}

static bool row_end(void *user, double time) {
    (void)user, (void)time;
    return true;
}

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    const hk_info *near, *info;
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("two", NULL);
    f->model->experiment.step = (hk_ratio){1, 100};
    f->model->experiment.stop = (hk_ratio){1, 1};
    assert_int_equal(hk_native_info(f->ctx, f->model, &moving, &near), HK_OK);
    info = far_info(f->model, near);
    for (uint32_t c = A; c <= B; c++) {
        uint32_t index;
        assert_int_equal(
            hk_model_add_component(f->ctx, f->model, c == A ? "a" : "b", info, HK_NOWHERE, &index),
            HK_OK);
        f->model->components[index].period = (hk_ratio){1, 100};
        f->model->components[index].has_period = true;
    }
    hk_model_connect(f->model, A, Y, B, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    assert_int_equal(hk_check_model(f->ctx, f->model), HK_OK);
    hk_model_lower(f->model);
    assert_int_equal(hk_plan_make(f->ctx, f->model, &(hk_plan_options){0}, &f->plan), HK_OK);
    f->listener = (hk_listener){.columns = f->columns,
                                .column_count = all_columns(f->model, false, f->columns),
                                .sink = {row_begin, row_end, f->row}};
    hk_columns_layout(f->columns, f->listener.column_count);
    const hk_placement placement = {
        .node_of = (const uint32_t[]){A, B}, .node_count = NODES, .recorder = RECORDER};
    const hk_sim_options options = {.listeners = &f->listener, .listener_count = 1};
    assert_int_equal(hk_part_flows(f->ctx, f->plan, &placement, &options, &f->flows), HK_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_plan_flows_destroy(f->flows);
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* All ends of the wires, in one process. */
typedef struct ends {
    hk_wires *all[NODES];
    hk_part_wire a, b;
    uint32_t flow;   /* from A to B */
    hk_tick next;    /* the first activation */
    bool sent, told; /* what B needs before the run; the end */
} ends;

static void open_ends(fixture *f, hk_transport transport, ends *e) {
    *e = (ends){.next = f->plan->start};
    assert_int_equal(hk_wires_make_open(f->ctx, f->flows, transport, &e->all[RECORDER]), HK_OK);
    for (uint32_t node = A; node <= B; node++) {
        hk_wires_given given = {.transport = transport, .node = node};
        given.count = hk_wires_lend(e->all[RECORDER], node, &given.fds);
        for (size_t i = 0; i < given.count; i++)
            given.fds[i] = dup(given.fds[i]);
        assert_int_equal(hk_wires_make_of(f->ctx, f->flows, &given, &e->all[node]), HK_OK);
        hk_free(given.fds);
    }
    e->a = hk_wires_take(e->all[A], A, NULL, NULL);
    e->b = hk_wires_take(e->all[B], B, NULL, NULL);
    (void)hk_wires_take(e->all[RECORDER], RECORDER, NULL, NULL);
    e->flow = (uint32_t)(hk_plan_flow_find(f->flows, A, B) - f->flows->all);
}

static void close_ends(ends *e) {
    for (int i = 0; i < NODES; i++)
        hk_wires_destroy(e->all[i]);
}

static void send_of_a(ends *e, hk_message_kind kind, hk_tick at, hk_tick next) {
    const uint64_t value = 42;
    const hk_flow_message m = {.flow = e->flow,
                               .kind = kind,
                               .at = at,
                               .next = next,
                               .end = HK_TICK_NEVER,
                               .data = {(const char *)&value, sizeof value}};
    assert_int_equal(e->a.send(e->a.user, &m), HK_WIRE_DONE);
}

static void send_first(ends *e) {
    if (!e->sent)
        send_of_a(e, HK_MESSAGE_FIRST, INT64_MIN, e->next);
    e->sent = true;
}

/* A has ended the run in its first step, and the recorder has told everybody. */
static void end_run(ends *e) {
    if (e->told)
        return;
    e->told = true;
    hk_wires_leave(e->all[A], A);
    hk_wires_end(e->all[RECORDER], e->next);
    hk_wires_leave(e->all[RECORDER], RECORDER);
    hk_wires_stop(e->all[RECORDER]);
}

/* The end of B, in which all that it waits for happens while it waits. */
static hk_wire_answer late_send(void *user, const hk_flow_message *m) {
    ends *e = user;
    return e->b.send(e->b.user, m);
}

static hk_wire_answer late_peek(void *user, uint32_t flow, hk_flow_message *ret_message) {
    ends *e = user;
    return e->b.peek(e->b.user, flow, ret_message);
}

static void late_drop(void *user, uint32_t flow) {
    ends *e = user;
    e->b.drop(e->b.user, flow);
}

static uint64_t late_changes(void *user) {
    ends *e = user;
    return e->b.changes(e->b.user);
}

static bool late_wait(void *user, uint64_t seen, uint32_t flow) {
    ends *e = user;
    send_first(e);
    end_run(e);
    return e->b.wait(e->b.user, seen, flow);
}

/* What B has counted where the run ended at once. */
static hk_buffer count(fixture *f, hk_transport transport, bool late) {
    ends e;
    hk_sim *sim = NULL;
    hk_buffer account = {0};
    open_ends(f, transport, &e);
    const hk_part_wire wire = {.send = late_send,
                               .peek = late_peek,
                               .drop = late_drop,
                               .changes = late_changes,
                               .wait = late_wait,
                               .now = e.b.now,
                               .user = &e};
    const hk_sim_part part = {f->flows, B, wire, NULL};
    const hk_sim_options options = {
        .listeners = &f->listener, .listener_count = 1, .monitor = HK_MONITOR_PHASE, .part = &part};
    far_ref_count = 0;
    send_of_a(&e, HK_MESSAGE_INITIAL, Y, INT64_MIN);
    if (!late)
        send_first(&e);
    assert_int_equal(hk_sim_create(f->ctx, f->plan, &options, &sim), HK_OK);
    end_run(&e);
    assert_int_equal(hk_sim_run(sim), HK_E_NODE_LOST);
    assert_true(hk_wires_await_end(e.all[B]));
    hk_sim_over(sim, true);
    hk_sim_account(sim, &account);
    hk_sim_destroy(sim);
    close_ends(&e);
    return account;
}

static uint64_t number(const hk_buffer *b, size_t i) {
    uint64_t n;
    assert_true((i + 1) * sizeof n <= b->size);
    memcpy(&n, b->data + i * sizeof n, sizeof n);
    return n;
}

static void what_is_counted(fixture *f, hk_transport transport) {
    enum { SUMS = 5, TALLY = 7 }; /* part_account.c: sums, entries, and then times */
    hk_buffer in_time = count(f, transport, false), late = count(f, transport, true);
    size_t entries = (size_t)number(&in_time, SUMS);
    assert_true(number(&in_time, 0) > 0 && entries > 0); /* before the run, and in it */
    for (size_t i = 0; i < SUMS + 1 + entries * TALLY; i++)
        assert_int_equal(number(&late, i), number(&in_time, i));
    hk_free(in_time.data);
    hk_free(late.data);
}

static void over_memory(void **state) {
    what_is_counted(*state, HK_OVER_MEMORY);
}

static void over_sockets(void **state) {
    what_is_counted(*state, HK_OVER_SOCKETS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(over_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(over_sockets, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
