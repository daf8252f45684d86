/* SPDX-License-Identifier: MIT
 *
 * Threads: the same bytes as one, used only where they pay, and failures told by name. That every
 * kind of system gives the same bytes is shown by lag_test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "rig.h"

#include <fenv.h>
#include <stdatomic.h>

enum { WORKERS = 6 };

/* Computes for a while and mixes what it reads into what it says. */
typedef struct worker {
    double u, y, work_us, fault_time, fault, thread;
} worker;

/* Numbers the threads as they come. */
static double this_thread(void) {
    static atomic_int count;
    static _Thread_local int number;
    if (!number)
        number = atomic_fetch_add(&count, 1) + 1;
    return number;
}

static int worker_step(void *self, double t, double h) {
    (void)h;
    worker *w = self;
    double x = w->u + 1;
    w->thread = this_thread();
    int64_t until = hk_clock_ns() + (int64_t)(w->work_us * 1000);
    do
        for (int i = 0; i < 20; i++)
            x = x / 1.5 + 0.25;
    while (hk_clock_ns() < until);
    w->y = 0.5 * w->y + 0.25 * w->u + 0.125 * t;
    if (w->fault > 0 && t >= w->fault_time) {
        if (w->fault == 1)
            return HK_STEP_FAILED;
        if (w->fault == 2)
            w->y = 0 * x / 0.0;
        if (w->fault == 3)
            fesetround(FE_UPWARD);
    }
    return x < 0 ? HK_STEP_FAILED : HK_STEP_OK;
}

static const hk_port worker_ports[] = {
    HK_PORT(worker, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(worker, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(worker, work_us, HK_PARAMETER, HK_TYPE_F64, .start = "0"),
    HK_PORT(worker, fault_time, HK_PARAMETER, HK_TYPE_F64, .start = "0"),
    HK_PORT(worker, fault, HK_PARAMETER, HK_TYPE_F64, .start = "0"),
    HK_PORT(worker, thread, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};

static const hk_unit_type worker_type = {HK_UNIT_TYPE(worker), .ports = worker_ports,
                                         .port_count = 6, .step = worker_step};

static const char *const names[WORKERS] = {"a", "b", "c", "d", "e", "f"};

/* A ring of workers, each busy for WORK_US in a step. */
static void ring(rig *r, const char *work_us, const char *stop) {
    rig_begin(r, "0.001", stop, NULL);
    for (int i = 0; i < WORKERS; i++) {
        char path[16] = {names[i][0], 0};
        rig_add(r, names[i], &worker_type, NULL, NULL);
        strcat(path, ".work_us");
        rig_set(r, path, work_us);
    }
    for (int i = 0; i < WORKERS; i++) {
        char from[] = {names[i][0], '.', 'y', 0};
        char to[] = {names[(i + 1) % WORKERS][0], '.', 'u', 0};
        rig_connect(r, from, to);
        rig_record(r, from);
    }
}

static void run_ring(rig *r, unsigned threads, bool always) {
    r->options.threads = threads;
    r->options.threads_always = always;
    assert_int_equal(rig_start(r), HK_OK);
    assert_int_equal(hk_sim_run(r->sim), HK_OK);
}

static void same_bytes(void **state) {
    (void)state;
    rig one;
    ring(&one, "0", "0.3");
    run_ring(&one, 1, false);
    for (unsigned threads = 2; threads <= 4; threads++) {
        rig many;
        ring(&many, "0", "0.3");
        run_ring(&many, threads, true);
        for (size_t row = 0; row < 301; row++)
            for (size_t column = 0; column < WORKERS; column++)
                assert_memory_equal(rig_cell(&one, row, column), rig_cell(&many, row, column), 8);
        rig_end(&many);
    }
    rig_end(&one);
}

/* How many threads run the ring, if the engine decides. */
static unsigned threads_of(const char *work_us) {
    rig r;
    ring(&r, work_us, "0.12");
    run_ring(&r, 2, false);
    unsigned threads = hk_sim_threads(r.sim);
    rig_end(&r);
    return threads;
}

/* Long steps are shared, short ones are not. How much is gained is for the benchmarks to say. The
 * engine measures the first steps, and where other programs keep it waiting it may judge wrongly:
 * one of some tries must be right. */
static void only_where_it_pays(void **state) {
    (void)state;
    static const char *const work_us[] = {"0", "150"};
    for (unsigned i = 0; i < 2; i++) {
        unsigned threads = threads_of(work_us[i]);
        for (int tries = 1; tries < 20 && threads != i + 1; tries++)
            threads = threads_of(work_us[i]);
        assert_int_equal(threads, i + 1);
    }
}

/* Processors as one digit per worker; '-': none. Returns how many threads ran the ring. */
static unsigned run_partition(const char *digits, rig *r) {
    ring(r, "0", "0.05");
    uint32_t processors[WORKERS], count = 0;
    for (uint32_t i = 0; i < WORKERS; i++) {
        char path[16] = {names[i][0], 0};
        rig_record(r, strcat(path, ".thread"));
        if (digits[i] == '-')
            continue;
        uint32_t p = (uint32_t)(digits[i] - '0');
        for (; count <= p; count++) {
            char name[] = {'P', (char)('0' + count), 0};
            assert_int_equal(
                hk_model_add_processor(r->ctx, r->model, name, HK_NOWHERE, &processors[count]),
                HK_OK);
        }
        assert_int_equal(hk_model_assign(r->ctx, r->model, processors[p], i, HK_NOWHERE), HK_OK);
    }
    run_ring(r, 3, true);
    return hk_sim_threads(r->sim);
}

static double thread_of(const rig *r, size_t place) {
    double thread;
    memcpy(&thread, rig_cell(r, r->rows - 1, WORKERS + place), sizeof thread);
    return thread;
}

/* What a schedule puts on one processor is done by one thread; processors may share one. */
static void processors_stay_together(void **state) {
    (void)state;
    static const struct {
        const char *processors;
        unsigned threads, used;
    } rows[] = {{"000000", 1, 1}, {"010101", 3, 2}, {"012012", 3, 3},
                {"00000-", 3, 2}, {"011112", 3, 3}, {"------", 3, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rig r;
        assert_int_equal(run_partition(rows[i].processors, &r), rows[i].threads);
        unsigned used = 0;
        for (size_t a = 0; a < WORKERS; a++) {
            bool first = true;
            for (size_t b = 0; b < a; b++) {
                first = first && thread_of(&r, a) != thread_of(&r, b);
                if (rows[i].processors[a] == rows[i].processors[b] && rows[i].processors[a] != '-')
                    assert_true(thread_of(&r, a) == thread_of(&r, b));
            }
            used += first;
        }
        assert_int_equal(used, rows[i].used);
        rig_end(&r);
    }
}

static void failures_are_told(void **state) {
    (void)state;
    static const struct {
        const char *fault;
        hk_status status;
    } rows[] = {{"1", HK_E_UNIT_FAILED}, {"2", HK_E_UNIT_NAN}};
    for (int i = 0; i < 2; i++) {
        rig r;
        ring(&r, "0", "0.1");
        rig_set(&r, "e.fault", rows[i].fault);
        rig_set(&r, "e.fault_time", "0.05");
        r.options.threads = 3;
        r.options.threads_always = true;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(hk_sim_run(r.sim), rows[i].status);
        assert_non_null(strstr(rig_error(&r)->text, "component 'e'"));
        rig_end(&r);
    }
}

/* A component that changes the rounding mode of its thread sends the others home. */
static void environment(void **state) {
    (void)state;
    rig r;
    ring(&r, "0", "0.1");
    rig_set(&r, "d.fault", "3");
    rig_set(&r, "d.fault_time", "0.05");
    r.options.threads = 2;
    r.options.threads_always = true;
    assert_int_equal(rig_start(&r), HK_OK);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    bool named = false;
    for (size_t i = 0; i < hk_ctx_count(r.ctx, HK_NOTE); i++)
        named = named || strstr(hk_ctx_diag(r.ctx, i)->text, "'d'");
    assert_true(named);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes), cmocka_unit_test(only_where_it_pays),
        cmocka_unit_test(failures_are_told), cmocka_unit_test(environment),
        cmocka_unit_test(processors_stay_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
