/* SPDX-License-Identifier: MIT
 *
 * Components that take the process down, each in a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/guard.h"
#include "rig.h"

#include "base/clock.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum way {
    FINE,
    SEGV,
    ABORT,
    EXIT,
    HANG,
    SEGV_OUTSIDE,
    HANG_OUTSIDE,
    SEGV_JSON,    /* the fault is told to a program */
    SEGV_IN_FLUSH /* ... and the flush crashes, too */
};

/* Falls over in its second step, at t = 0.25. */
typedef struct bomb {
    double y;
    int32_t way, k;
} bomb;

static int bomb_step(void *self, double t, double h) {
    (void)t, (void)h;
    bomb *b = self;
    if (++b->k != 2)
        return HK_STEP_OK;
    switch (b->way) {
    case SEGV:
        raise(SIGSEGV);
        break;
    case ABORT:
        abort();
    case EXIT:
        exit(0);
    case HANG:
        for (;;)
            pause();
    default:
        break;
    }
    return HK_STEP_OK;
}

static const hk_port bomb_ports[] = {
    HK_PORT(bomb, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(bomb, way, HK_PARAMETER, HK_TYPE_I32),
};
static const hk_unit_type bomb_type = {HK_UNIT_TYPE(bomb), .ports = bomb_ports, .port_count = 2,
                                       .step = bomb_step};

static void flush(void *user) {
    if (*(const enum way *)user == SEGV_IN_FLUSH)
        __builtin_trap();
    static const char text[] = "flushed\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
}

static _Noreturn void child(enum way way) {
    rig r;
    signal(SIGSEGV, SIG_DFL); /* the test framework has a handler of its own */
    rig_begin(&r, "0.25", "1", NULL);
    rig_add(&r, "tnt", &bomb_type, NULL, NULL);
    rig_set(&r, "tnt.way", (const char *const[]){"0", "1", "2", "3", "4", "0", "0", "1", "1"}[way]);
    hk_guard_install(
        &(hk_guard_options){.flush = flush,
                            .user = &way,
                            .timeout_s = way == HANG || way == HANG_OUTSIDE ? 1 : 0,
                            .json_head = way == SEGV_JSON ? "{\"schema\":\"s\"" : NULL});
    if (rig_start(&r) != HK_OK || hk_sim_run(r.sim) != HK_OK)
        _exit(99);
    if (way == SEGV_OUTSIDE)
        raise(SIGSEGV);
    for (; way == HANG_OUTSIDE;)
        pause();
    hk_guard_remove();
    rig_end(&r);
    _exit(0);
}

/* Returns the status of the child; what it wrote is in TEXT. */
static int run_child(enum way way, char *text, size_t room) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        child(way);
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while (n + 1 < room && (got = read(ends[0], text + n, room - 1 - n)) > 0)
        n += (size_t)got;
    text[n] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void told_by_name(void **state) {
    (void)state;
    static const struct {
        enum way way;
        int exit;
        const char *text;
    } cases[] = {
        {FINE, 0, NULL},
        {SEGV, 4,
         "hocket: error[HK0506]: component 'tnt': crashed (invalid memory access) in step "
         "at t = 0.25 s\n  hint: the fault is in the component\nflushed\n"},
        {ABORT, 4,
         "hocket: error[HK0506]: component 'tnt': aborted in step at t = 0.25 s\n  hint: the fault "
         "is in the component\nflushed\n"},
        {EXIT, 4,
         "hocket: error[HK0506]: component 'tnt': called exit() in step at t = 0.25 s\n"
         "  hint: a component must report its failure instead of ending the program\nflushed\n"},
        {HANG, 124,
         "hocket: error[HK0507]: component 'tnt': did not return in time in step at t = 0.25 s\n"
         "  hint: raise --timeout if the component needs more time\nflushed\n"},
        {HANG_OUTSIDE, 124,
         "hocket: error[HK0507]: the time limit has passed\n"
         "  hint: raise --timeout if the component needs more time\nflushed\n"},
        {SEGV_JSON, 4,
         "{\"severity\":\"error\",\"code\":\"HK0506\",\"file\":null,\"element\":\"tnt\",\"text\":"
         "\"component 'tnt': crashed (invalid memory access) in step at t = 0.25 "
         "s\",\"hint\":\"the "
         "fault is in the component\"}\n"
         "{\"schema\":\"s\",\"status\":\"HK0506\",\"exit\":4}\nflushed\n"},
#ifndef __SANITIZE_THREAD__ /* it blocks all signals in a handler */
        {SEGV_IN_FLUSH, 4,
         "hocket: error[HK0506]: component 'tnt': crashed (invalid memory access) in step "
         "at t = 0.25 s\n  hint: the fault is in the component\n"},
#endif
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        int64_t begin = hk_clock_ns();
        int status = run_child(cases[i].way, text, sizeof text);
        assert_true(hk_clock_ns() - begin < INT64_C(300000000000));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != cases[i].exit)
            fail_msg("case %zu: status %d, '%s'", i, status, text);
        assert_string_equal(text, cases[i].text ? cases[i].text : "");
    }
}

/* A fault that is not inside a component is not its fault: the record is brought to an end, and the
 * process dies of it as ever. */
static void faults_of_others(void **state) {
    (void)state;
    char text[16384];
    int status = run_child(SEGV_OUTSIDE, text, sizeof text);
    assert_null(strstr(text, "tnt"));
    assert_non_null(strstr(text, "flushed"));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_by_name),
        cmocka_unit_test(faults_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
