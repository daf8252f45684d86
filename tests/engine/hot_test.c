/* SPDX-License-Identifier: MIT
 *
 * The loop allocates nothing and takes no lock, with and without a record. The allocator and
 * pthread_mutex_lock are replaced by functions that count what the thread of the engine does. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "record/recorder.h"
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static _Thread_local bool counting;
static _Thread_local size_t allocations, locks;

#if !SANITIZED
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

/* The C library's own, which need no look-up and may be called from the first moment on. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t nmemb, size_t size);
void *__libc_realloc(void *ptr, size_t size);
void __libc_free(void *ptr);

void *malloc(size_t size) {
    allocations += counting;
    return __libc_malloc(size);
}

void *calloc(size_t nmemb, size_t size) {
    allocations += counting;
    return __libc_calloc(nmemb, size);
}

void *realloc(void *ptr, size_t size) {
    allocations += counting;
    return __libc_realloc(ptr, size);
}

void free(void *ptr) {
    allocations += counting && ptr;
    __libc_free(ptr);
}

typedef int lock_fn(pthread_mutex_t *mutex);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    static lock_fn *real;
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "pthread_mutex_lock");
        memcpy(&real, &found, sizeof real);
    }
    locks += counting;
    return real ? real(mutex) : EINVAL;
}
#endif

/* A component of its own, and one that does what it should not. */
typedef struct worker {
    double u, y;
    hk_bytes say, hear;
    int32_t allocates;
    char text[16];
} worker;

static int worker_step(void *self, double t, double h) {
    worker *w = self;
    w->y += h * (w->u - w->y) + 0.001 * t;
    w->text[0] = (char)('a' + (int)(t * 1000) % 20);
    w->say = (hk_bytes){w->text, 1};
    if (w->allocates) {
        char *volatile memory = malloc(10);
        free(memory);
    }
    return HK_STEP_OK;
}

static const hk_port worker_ports[] = {
    HK_PORT(worker, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(worker, y, HK_OUTPUT, HK_TYPE_F64, .start = "1", .depends_on = ""),
    HK_PORT(worker, say, HK_OUTPUT, HK_TYPE_STRING, .start = "-", .depends_on = ""),
    HK_PORT(worker, hear, HK_INPUT, HK_TYPE_STRING),
    HK_PORT(worker, allocates, HK_PARAMETER, HK_TYPE_I32),
};
static const hk_unit_type worker_type = {HK_UNIT_TYPE(worker), .ports = worker_ports,
                                         .port_count = 5, .step = worker_step};

/* Every kind of copy: plain, linear, delayed, of texts, extrapolated, between rates; a condition
 * that is looked at and never true. */
static void build(rig *r, hk_stop_when *never) {
    rig_begin(r, "0.001", "20", NULL);
    rig_add(r, "a", &worker_type, NULL, NULL);
    rig_add(r, "b", &worker_type, "0.002", NULL);
    rig_add(r, "c", &worker_type, "0.005", "0.001");
    rig_add(r, "d", &worker_type, NULL, NULL);
    rig_connect(r, "a.y", "b.u")->delay = rig_seconds("0.01");
    rig_connect(r, "b.y", "c.u")->transform =
        (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = 0.5, .offset = 1};
    rig_connect(r, "c.y", "a.u");
    rig_connect(r, "a.y", "d.u");
    rig_connect(r, "a.say", "b.hear");
    rig_connect(r, "b.say", "c.hear")->delay = rig_seconds("0.004");
    r->options.extrapolate = true;
    *never = (hk_stop_when){
        .component = 0, .variable = 1, .compare = HK_GT, .threshold = 1e300, .text = "never"};
    r->options.stop_when = never;
    r->options.stop_when_count = 1;
    rig_record(r, "a.y");
    rig_record(r, "b.y");
    rig_record(r, "c.hear");
    rig_record(r, "b.say");
}

/* 10,000 steps of 1 ms; buffers have grown to their size in the 100 before. */
static void count_steps(rig *r) {
    assert_int_equal(hk_sim_run_until(r->sim, 100), HK_OK);
    allocations = locks = 0;
    counting = true;
    hk_status status = hk_sim_run_until(r->sim, 10100);
    counting = false;
    assert_int_equal(status, HK_OK);
    assert_int_equal(hk_sim_now(r->sim), 10100);
}

static void no_allocation_and_no_lock(void **state) {
    (void)state;
    rig r;
    hk_stop_when never;
    build(&r, &never);
    assert_int_equal(rig_start(&r), HK_OK);
    r.cap = 20002; /* room for all rows, so that the test's own tape does not count */
    r.cells = hk_realloc(r.cells, r.cap * (r.row_size + 8));
    r.times = hk_realloc(r.times, r.cap * sizeof *r.times);
    count_steps(&r);
    assert_int_equal(r.rows, 10100);
    assert_int_equal(allocations, 0);
    assert_int_equal(locks, 0);
    rig_end(&r);
}

static void neither_with_a_recorder(void **state) {
    (void)state;
    rig r;
    hk_stop_when never;
    build(&r, &never);
    const char *folder = NULL;
    assert_int_equal(hk_folder_temporary(r.ctx, r.model->arena, &folder), HK_OK);
    hk_recorder *recorder = NULL;
    size_t row_size = hk_columns_layout(r.columns, r.listener.column_count);
    assert_int_equal(
        hk_recorder_open(r.ctx, hk_path_join(r.model->arena, folder, "out.csv"),
                         &(hk_row_layout){r.columns, r.listener.column_count, row_size},
                         &(hk_recorder_options){.block_bytes = 4096}, &recorder),
        HK_OK);
    r.listener.sink = hk_recorder_sink(recorder);
    assert_int_equal(rig_start(&r), HK_OK);
    count_steps(&r);
    assert_int_equal(allocations, 0);
    assert_int_equal(locks, 0);
    hk_recorder_stats stats;
    assert_int_equal(hk_recorder_close(r.ctx, recorder, NULL, &stats), HK_OK);
    assert_int_equal(stats.rows, 10100);
    hk_folder_remove(folder);
    rig_end(&r);
}

/* What is counted is counted: one malloc and one free per step of one component, and a lock. */
static void the_count_can_be_wrong(void **state) {
    (void)state;
    if (SANITIZED)
        skip();
    rig r;
    hk_stop_when never;
    build(&r, &never);
    rig_set(&r, "d.allocates", "1");
    r.listener.column_count = 0;
    assert_int_equal(rig_start(&r), HK_OK);
    count_steps(&r);
    assert_int_equal(allocations, 20000);
    locks = 0;
    counting = true;
    hk_note(r.ctx, HK_NOWHERE, "adding a diagnostic takes the lock of the context");
    counting = false;
    assert_true(locks > 0);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_allocation_and_no_lock),
        cmocka_unit_test(neither_with_a_recorder),
        cmocka_unit_test(the_count_can_be_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
