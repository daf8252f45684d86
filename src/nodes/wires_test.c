/* SPDX-License-Identifier: MIT
 *
 * Messages of all sizes, smaller and larger than a ring, go both ways between two processes, and
 * come as they went, whoever is faster; and so do those of numbers, which have a size at most. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_model.h"

#include "base/diag.h"
#include "nodes/wires.h"

#include <hk/random.h>

#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGES = 4000, LARGEST = 5000, PATIENCE_S = 100 };

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_plan_flows *flows;
    hk_wires *wires;
    size_t largest; /* message */
} fixture;

/* Two components on two nodes, each of which sees the other. */
static int set_up(void **state, bool texts) {
    fixture *f = hk_alloc(sizeof *f);
    f->largest = texts ? LARGEST : 2 * sizeof(double); /* a number and a time */
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", "m.ssd");
    const hk_info *info = fake_info(f->model, HK_STAMP_START, 1, 1);
    for (uint32_t i = 0; texts && i < info->variable_count; i++)
        info->variables[i].store = HK_STORE_BYTES;
    fake_experiment(f->model, "0.001", "1");
    uint32_t a = fake_add(f->ctx, f->model, "a", info, NULL, NULL);
    uint32_t b = fake_add(f->ctx, f->model, "b", info, NULL, NULL);
    hk_model_connect(f->model, a, 1, b, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(f->model, b, 1, a, 0, HK_NOWHERE);
    hk_model_lower(f->model);
    assert_int_equal(
        hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &f->plan),
        HK_OK);
    const hk_placement apart = {
        .node_of = (const uint32_t[]){0, 1}, .node_count = 2, .recorder = 0};
    /* Fake components have no loops of initial values that matter here. */
    f->plan->init_group_count = 0;
    assert_int_equal(hk_plan_flows_make(f->ctx, f->plan, &apart, NULL, &f->flows), HK_OK);
    assert_int_equal(f->flows->count, 2);
    *state = f;
    return 0;
}

static int set_up_texts(void **state) {
    return set_up(state, true);
}

static int set_up_numbers(void **state) {
    return set_up(state, false);
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_wires_destroy(f->wires);
    hk_plan_flows_destroy(f->flows);
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* What message NUMBER of a node holds: mostly little, now and then more than a ring. */
static size_t fill(uint32_t node, uint32_t number, size_t largest, char data[LARGEST]) {
    hk_stream dice = hk_stream_make(node, 0, "wires_test", "message");
    uint64_t word = hk_stream_u64(&dice, number, 0);
    size_t small = largest < 200 ? largest + 1 : 200;
    size_t size = (size_t)(word >> 8) % (word % 8 ? small : largest);
    for (size_t i = 0; i < size; i++)
        data[i] = (char)(word + i * 7);
    return size;
}

/* True: it is the one that was expected. */
static bool is_right(const hk_flow_message *m, uint32_t from, uint32_t number, size_t largest) {
    char expected[LARGEST];
    size_t size = fill(from, number, largest, expected);
    return m->kind == HK_MESSAGE_VALUES && m->at == number && m->next == number + 1 &&
           m->data.size == size && (!size || memcmp(m->data.data, expected, size) == 0);
}

/* Sends all of its own and takes all of the other. False: something was wrong. */
static bool talk(const fixture *f, uint32_t node, uint32_t seed) {
    hk_wires *wires = f->wires;
    hk_part_wire w = hk_wires_take(wires, node, NULL, NULL);
    hk_stream dice = hk_stream_make(seed, node, "wires_test", "pace");
    uint32_t sent = 0, taken = 0, out = node, in = 1 - node; /* flows are by component */
    for (uint32_t round = 0; sent < MESSAGES || taken < MESSAGES; round++) {
        char data[LARGEST];
        hk_flow_message m = {.flow = out,
                             .kind = HK_MESSAGE_VALUES,
                             .at = sent,
                             .next = sent + 1,
                             .end = HK_TICK_NEVER};
        uint64_t seen = w.changes(w.user), what = hk_stream_u64(&dice, round, 0) % 4;
        bool moved = false;
        if (sent < MESSAGES && what != 0) {
            m.data = (hk_bytes){data, fill(node, sent, f->largest, data)};
            hk_wire_answer answer = w.send(w.user, &m);
            if (answer == HK_WIRE_LOST)
                return false;
            moved = answer == HK_WIRE_DONE;
            sent += moved;
        }
        if (taken < MESSAGES && what != 1) {
            hk_wire_answer answer = w.peek(w.user, in, &m);
            if (answer == HK_WIRE_LOST ||
                (answer == HK_WIRE_DONE && !is_right(&m, in, taken, f->largest)))
                return false;
            if (answer == HK_WIRE_DONE) {
                w.drop(w.user, in);
                moved = true;
                taken++;
            }
        }
        if (!moved && what > 1 && !w.wait(w.user, seen, sent < MESSAGES ? HK_MAP_NONE : in))
            return false;
    }
    hk_wires_leave(wires, node);
    return true;
}

static void messages_come_as_they_went(fixture *f, hk_transport transport) {
    for (uint32_t seed = 0; seed < 2; seed++) {
        assert_int_equal(hk_wires_make(f->ctx, f->flows, transport, &f->wires), HK_OK);
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            alarm(PATIENCE_S);
            _exit(talk(f, 1, seed) ? 0 : 1);
        }
        bool good = talk(f, 0, seed);
        int how = -1;
        assert_int_equal(waitpid(pid, &how, 0), pid);
        assert_true(good);
        assert_int_equal(how, 0);
        assert_int_equal(hk_wires_sent(f->wires), 2 * MESSAGES);
        hk_wires_destroy(f->wires);
        f->wires = NULL;
    }
}

static void over_memory(void **state) {
    messages_come_as_they_went(*state, HK_OVER_MEMORY);
}

static void over_sockets(void **state) {
    messages_come_as_they_went(*state, HK_OVER_SOCKETS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(over_memory, set_up_texts, tear_down),
        cmocka_unit_test_setup_teardown(over_sockets, set_up_texts, tear_down),
        cmocka_unit_test_setup_teardown(over_memory, set_up_numbers, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
