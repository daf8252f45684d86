/* SPDX-License-Identifier: MIT
 *
 * Two nodes that do nothing but wait for each other, against the same messages by hand; two that
 * compute; and an FMU in a process of its own. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "run.h"

#include "base/bell.h"
#include "base/clock.h"
#include "check/check.h"
#include "fmi/fmi.h"
#include "isolate/isolate.h"
#include "native/native.h"
#include "nodes/frame.h"
#include "nodes/wires.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 500, MESSAGE = HK_FRAME_HEAD + sizeof(double), WORKER_CHUNK = 20 };

/* ---- the other process ---- */

/* Where the system puts two processes that wait for each other, on one processor or on two, changes
 * what a message takes by a factor of four, and it may stay so for as long as they live. So the one
 * who measures is on the first processor, and the one who answers on the second, by hand and on
 * nodes. */
typedef enum whose { ASKS, ANSWERS } whose;

/* Of ALL, which this process may use. */
static void take_processor(const cpu_set_t *all, whose which) {
    cpu_set_t one;
    CPU_ZERO(&one);
    for (size_t cpu = 0, found = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, all) && found++ == which)
            CPU_SET(cpu, &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* may fail: then the system decides */
}

/* A process that runs BODY and nothing else; it ends with this one. -1: there is none. */
static pid_t begin_process(void (*body)(void *user), void *user) {
    pid_t parent = getpid(), pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
        body(user);
    _exit(0);
}

static void end_process(pid_t pid) {
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* ---- by hand ---- */

/* Sockets: one write and one read on each side. */
typedef struct bare_sockets {
    const cpu_set_t *processors;
    int ends[2];
    pid_t pid;
} bare_sockets;

static bool pass(int fd, bool out, char *message) {
    for (size_t done = 0; done < MESSAGE;) {
        ssize_t n = out ? send(fd, message + done, MESSAGE - done, MSG_NOSIGNAL)
                        : recv(fd, message + done, MESSAGE - done, 0);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static void answer_sockets(void *user) {
    const bare_sockets *s = user;
    char message[MESSAGE];
    take_processor(s->processors, ANSWERS);
    close(s->ends[0]);
    while (pass(s->ends[1], false, message) && pass(s->ends[1], true, message))
        continue;
}

static hk_status sockets_chunk(void *user) {
    const bare_sockets *s = user;
    char message[MESSAGE] = {0};
    for (int i = 0; i < CHUNK; i++)
        if (!pass(s->ends[0], true, message) || !pass(s->ends[0], false, message))
            return HK_E_INTERNAL;
    return HK_OK;
}

/* Shared memory: a ring each way; who waits looks again for a while, then sleeps. */
enum { SLOTS = 8 };

typedef struct bare_ring {
    _Alignas(HK_CACHE_LINE) _Atomic uint32_t head; /* written so far: a futex */
    _Atomic uint32_t sleeps;
    _Alignas(HK_CACHE_LINE) _Atomic uint32_t tail;
    _Alignas(HK_CACHE_LINE) char slots[SLOTS][HK_CACHE_LINE];
} bare_ring;

typedef struct bare_memory {
    const cpu_set_t *processors;
    bare_ring *rings; /* there, and back */
    unsigned spin;
    pid_t pid;
} bare_memory;

static void ring_send(bare_ring *r, const char *message) {
    uint32_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    while (head - atomic_load_explicit(&r->tail, memory_order_acquire) == SLOTS)
        hk_pause();
    memcpy(r->slots[head % SLOTS], message, MESSAGE);
    atomic_store(&r->head, head + 1);
    if (atomic_load(&r->sleeps))
        hk_futex_wake(&r->head);
}

static void ring_wait(bare_ring *r, uint32_t tail, unsigned *spin) {
    enum { PATIENCE_MS = 1000 };
    unsigned looks = hk_spin_looks(spin);
    for (unsigned i = 0; i < looks; i++) {
        if (atomic_load_explicit(&r->head, memory_order_acquire) != tail) {
            hk_spin_learn(spin, looks, true);
            return;
        }
        hk_pause();
    }
    hk_spin_learn(spin, looks, false);
    atomic_store(&r->sleeps, 1);
    while (atomic_load(&r->head) == tail)
        (void)hk_futex_wait(&r->head, tail, PATIENCE_MS);
    atomic_store(&r->sleeps, 0);
}

static void ring_receive(bare_ring *r, char *ret_message, unsigned *spin) {
    uint32_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    ring_wait(r, tail, spin);
    memcpy(ret_message, r->slots[tail % SLOTS], MESSAGE);
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

static void answer_memory(void *user) {
    bare_memory *m = user;
    char message[MESSAGE];
    take_processor(m->processors, ANSWERS);
    for (;;) {
        ring_receive(&m->rings[0], message, &m->spin);
        ring_send(&m->rings[1], message);
    }
}

static hk_status memory_chunk(void *user) {
    bare_memory *m = user;
    char message[MESSAGE] = {0};
    for (int i = 0; i < CHUNK; i++) {
        ring_send(&m->rings[0], message);
        ring_receive(&m->rings[1], message, &m->spin);
    }
    return HK_OK;
}

/* ---- by the engine ---- */

/* Two components, each on a node; this process has the first. With 'hocket run' the recorder is a
 * process of its own, which runs no component. Where nothing but messages counts, the first node
 * takes its place, so that there are as many messages and processes as by hand. */
enum { FIRST, SECOND, RECORDER, PARTS };

typedef struct two_nodes {
    bench *b;
    bench_run run;
    bool recorder;               /* there is one */
    const cpu_set_t *processors; /* not NULL: each node is on its own of these */
    hk_plan_flows *flows;
    hk_wires *wires;
    hk_sim_part part;
    pid_t pids[PARTS];
} two_nodes;

static void run_part(void *user) {
    two_nodes *n = user;
    uint32_t node = n->part.node;
    hk_sim *sim = NULL;
    if (n->processors && node == SECOND)
        take_processor(n->processors, ANSWERS);
    else if (n->processors)
        (void)sched_setaffinity(0, sizeof *n->processors, n->processors);
    n->part.wire = hk_wires_take(n->wires, node, NULL, NULL);
    hk_sim_options options = {.part = &n->part};
    if (hk_sim_create(n->b->ctx, n->run.plan, &options, &sim) == HK_OK)
        n->b->missed += hk_sim_run(sim) != HK_OK; /* nobody looks: this process ends */
    hk_wires_leave(n->wires, node);
}

/* The model of the run is there. */
static hk_status start_nodes(two_nodes *n, hk_transport transport) {
    const hk_placement apart = {.node_of = (const uint32_t[]){FIRST, SECOND},
                                .node_count = n->recorder ? PARTS : RECORDER,
                                .recorder = n->recorder ? RECORDER : FIRST};
    hk_sim_options options = {0};
    hk_ctx *ctx = n->b->ctx;
    hk_model_lower(n->run.model);
    HK_TRY(hk_plan_make(ctx, n->run.model, &(hk_plan_options){0}, &n->run.plan));
    HK_TRY(hk_part_flows(ctx, n->run.plan, &apart, &options, &n->flows));
    HK_TRY(hk_wires_make(ctx, n->flows, transport, &n->wires));
    for (uint32_t node = SECOND; node < apart.node_count; node++) {
        n->part = (hk_sim_part){.flows = n->flows, .node = node};
        n->pids[node] = begin_process(run_part, n);
        if (n->pids[node] < 0)
            return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "there is no other process");
    }
    n->part.node = FIRST;
    n->part.wire = hk_wires_take(n->wires, FIRST, NULL, NULL);
    options.part = &n->part;
    return hk_sim_create(ctx, n->run.plan, &options, &n->run.sim);
}

static void end_nodes(two_nodes *n) {
    if (n->wires)
        hk_wires_stop(n->wires);
    for (uint32_t node = SECOND; node < PARTS; node++)
        end_process(n->pids[node]);
    bench_run_stop(&n->run);
    hk_wires_destroy(n->wires);
    hk_plan_flows_destroy(n->flows);
    hk_model_destroy(n->run.model);
}

/* ---- nodes: nothing but messages ---- */

typedef struct echo {
    double u, y;
} echo;

static int echo_step(void *self, double t, double h) {
    echo *x = self;
    (void)t, (void)h;
    x->y = x->u;
    return HK_STEP_OK;
}

static const hk_port echo_ports[] = {
    HK_PORT(echo, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(echo, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "", .start = "1"),
};
static const hk_unit_type echo_type = {HK_UNIT_TYPE(echo), .ports = echo_ports, .port_count = 2,
                                       .step = echo_step, .stamp = HK_STAMP_START};

/* More steps than are measured, and not many more: a recorder that has nothing to look at goes
 * through all of them at once before it takes messages. */
enum { PAIRS = 400, QUICK_PAIRS = 5, STOP_S = (PAIRS + PAIRS / 20 + 10) * CHUNK / 1000 };

/* Each step is one message there and one back: the second sees what the first has just said, and
 * the first what the second has said in the step before. */
static hk_status make_echoes(bench *b, hk_model *model) {
    const hk_info *info;
    uint32_t index;
    HK_TRY(hk_native_info(b->ctx, model, &echo_type, &info));
    HK_TRY(hk_model_add_component(b->ctx, model, "there", info, HK_NOWHERE, &index));
    HK_TRY(hk_model_add_component(b->ctx, model, "back", info, HK_NOWHERE, &index));
    hk_model_connect(model, 0, 1, 1, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    hk_model_connect(model, 1, 1, 0, 0, HK_NOWHERE);
    bench_run_set_time(model, STOP_S);
    return hk_check_model(b->ctx, model);
}

/* One transport: by hand, as two nodes, and with a recorder beside them. */
typedef struct duel {
    hk_transport transport;
    cpu_set_t processors;
    bench_work bare;
    const char *by_hand;
    double limit;
} duel;

static hk_status measure(bench *b, const duel *d, bool recorder) {
    const char *const names[] = {d->by_hand, recorder ? "nodes and recorder" : "two nodes"};
    two_nodes n = {.b = b,
                   .run.model = hk_model_create("echoes", NULL),
                   .recorder = recorder,
                   .processors = &d->processors};
    bench_pairs results = {0};
    hk_status status = make_echoes(b, n.run.model);
    if (status == HK_OK)
        status = start_nodes(&n, d->transport);
    if (status == HK_OK) {
        n.run.chunk = CHUNK * n.run.plan->components[0].period;
        status = bench_paired(d->bare, (bench_work){bench_run_chunk, &n.run},
                              b->quick ? QUICK_PAIRS : PAIRS, &results);
    }
    if (status == HK_OK)
        bench_report_two(b, &results, names, CHUNK, "step",
                         (bench_limits){NAN, recorder ? (double)NAN : d->limit});
    end_nodes(&n);
    bench_pairs_finish(&results);
    return status;
}

/* The process that answers by hand is there. */
static hk_status measure_both(bench *b, const duel *d) {
    take_processor(&d->processors, ASKS);
    hk_status status = measure(b, d, false);
    if (status == HK_OK && !b->quick)
        status = measure(b, d, true);
    (void)sched_setaffinity(0, sizeof d->processors, &d->processors);
    return status;
}

static hk_status find_processors(bench *b, cpu_set_t *ret_all) {
    return sched_getaffinity(0, sizeof *ret_all, ret_all) == 0
               ? HK_OK
               : hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "there is no processor");
}

static hk_status measure_sockets(bench *b) {
    bare_sockets s = {.ends = {-1, -1}};
    duel d = {HK_OVER_SOCKETS, .bare = {sockets_chunk, &s}, "sockets by hand", 1 / 0.8};
    HK_TRY(find_processors(b, &d.processors));
    s.processors = &d.processors;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s.ends) != 0)
        return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "there is no socket");
    s.pid = begin_process(answer_sockets, &s);
    close(s.ends[1]);
    hk_status status = s.pid < 0 ? HK_E_INTERNAL : measure_both(b, &d);
    close(s.ends[0]);
    end_process(s.pid);
    return status;
}

static hk_status measure_memory(bench *b) {
    bare_memory m = {.rings = hk_shared_memory(2 * sizeof *m.rings), .spin = HK_SPIN_MOST};
    duel d = {HK_OVER_MEMORY, .bare = {memory_chunk, &m}, "memory by hand", 1 / 0.6};
    HK_TRY(find_processors(b, &d.processors));
    m.processors = &d.processors;
    if (!m.rings)
        return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "there is no shared memory");
    m.pid = begin_process(answer_memory, &m);
    hk_status status = m.pid < 0 ? HK_E_INTERNAL : measure_both(b, &d);
    end_process(m.pid);
    munmap(m.rings, 2 * sizeof *m.rings);
    return status;
}

/* True: it can be said how fast two processes are. */
static bool can_judge(const bench *b) {
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        fprintf(stderr, "bench: %s is left out: there is one processor\n", b->case_name);
        return false;
    }
    if (b->quick && !bench_two_are_free()) {
        fprintf(stderr, "bench: %s is left out: no second processor is free\n", b->case_name);
        return false;
    }
    return true;
}

hk_status bench_sockets(bench *b) {
    return can_judge(b) ? measure_sockets(b) : HK_OK;
}

hk_status bench_memory(bench *b) {
    return can_judge(b) ? measure_memory(b) : HK_OK;
}

/* ---- nodes2: two FMUs that compute for 1 ms ---- */

static hk_status measure_workers(bench *b, const hk_info *info, bench_run *one, two_nodes *two,
                                 bench_pairs *results) {
    static const char *const names[2] = {"one process", "two nodes"};
    double rounds = 0;
    HK_TRY(bench_workers_calibrate(b, info, &rounds));
    HK_TRY(bench_workers_make(b, info, rounds, one->model));
    HK_TRY(bench_workers_make(b, info, rounds, two->run.model));
    HK_TRY(bench_run_start(b, one, &(hk_sim_options){0}));
    HK_TRY(start_nodes(two, HK_OVER_MEMORY));
    one->chunk = two->run.chunk = WORKER_CHUNK * one->plan->components[0].period;
    HK_TRY(bench_paired((bench_work){bench_run_chunk, one},
                        (bench_work){bench_run_chunk, &two->run}, b->quick ? 5 : 150, results));
    bench_report_two(b, results, names, WORKER_CHUNK, "step", (bench_limits){NAN, 1 / 1.8});
    return HK_OK;
}

hk_status bench_nodes2(bench *b) {
    if (!can_judge(b))
        return HK_OK;
    bench_run one = {.model = hk_model_create("workers", NULL)};
    two_nodes two = {.b = b, .run.model = hk_model_create("workers", NULL), .recorder = true};
    bench_pairs results = {0};
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_open(b->ctx, HK_BENCH_FMUS "/worker.fmu", &fmu);
    if (status == HK_OK)
        status = measure_workers(b, hk_fmu_info(fmu), &one, &two, &results);
    end_nodes(&two);
    bench_run_finish(&one);
    hk_fmu_close(fmu);
    bench_pairs_finish(&results);
    return status;
}

/* ---- isolated: an FMU in a process of its own ---- */

/* The processes of two would keep each other from looking again: one at a time. */
static hk_status measure_isolated(bench *b, const hk_info *info, bench_run runs[2],
                                  bench_pairs *results) {
    const bool isolated[] = {true};
    for (int i = 0; i < 2; i++) {
        uint32_t index;
        hk_sim_options options = {.isolated = i ? isolated : NULL};
        HK_TRY(hk_model_add_component(b->ctx, runs[i].model, "ground", info, HK_NOWHERE, &index));
        bench_run_set_time(runs[i].model, 1000000);
        HK_TRY(bench_run_start(b, &runs[i], &options));
        runs[i].chunk = CHUNK * runs[i].plan->components[0].period;
    }
    return bench_paired((bench_work){bench_run_chunk, &runs[0]},
                        (bench_work){bench_run_chunk, &runs[1]}, b->quick ? 5 : 400, results);
}

/* SPIN: how often who waits looks before it sleeps; 0: only futexes. */
static hk_status report_isolated(bench *b, const hk_info *info, unsigned spin) {
    static const char *const names[2] = {"direct", "isolated"};
    const double more_ns = 3000;
    bench_run runs[2] = {{.model = hk_model_create("direct", NULL)},
                         {.model = hk_model_create("isolated", NULL)}};
    bench_pairs results = {0};
    hk_isolate_set_spin(spin);
    hk_status status = measure_isolated(b, info, runs, &results);
    hk_isolate_set_spin(HK_SPIN_MOST);
    if (status == HK_OK && spin)
        bench_report_two(b, &results, names, CHUNK, "step", (bench_limits){NAN, NAN});
    if (status == HK_OK)
        bench_report(b, spin ? "more per step" : "more per step, only futexes",
                     bench_median_difference(&results) / CHUNK, spin ? more_ns : (double)NAN, "ns");
    for (int i = 0; i < 2; i++)
        bench_run_finish(&runs[i]);
    bench_pairs_finish(&results);
    return status;
}

hk_status bench_isolated(bench *b) {
    hk_fmu *fmu = NULL;
    if (!can_judge(b))
        return HK_OK;
    hk_status status = hk_fmu_open(b->ctx, HK_BENCH_FMUS "/kit_ground.fmu", &fmu);
    if (status == HK_OK)
        status = report_isolated(b, hk_fmu_info(fmu), HK_SPIN_MOST);
    if (status == HK_OK)
        status = report_isolated(b, hk_fmu_info(fmu), 0);
    hk_fmu_close(fmu);
    return status;
}
