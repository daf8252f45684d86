/* SPDX-License-Identifier: MIT
 *
 * Several sessions in one process, of which one crashes, in a process of its own. */
#include "test_rig.h"

#include "api/api_internal.h"
#include "base/file.h"
#include "engine/guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Crashes in a step, or when its output is asked for by hand. */
typedef struct fragile {
    double y, crash_at;
} fragile;

static int fragile_step(void *self, double t, double h) {
    fragile *x = self;
    (void)h;
    if (x->crash_at >= 0 && t >= x->crash_at)
        raise(SIGSEGV);
    x->y = t;
    return HK_STEP_OK;
}

static const hk_port fragile_ports[] = {
    HK_PORT(fragile, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(fragile, crash_at, HK_PARAMETER, HK_TYPE_F64, .start = "-1"),
};
static const hk_unit_type fragile_type = {HK_UNIT_TYPE(fragile), .ports = fragile_ports,
                                          .port_count = 2, .step = fragile_step};

/* A component that runs a session of its own in its steps. */
typedef struct host {
    double y, crash_at;
    hk_session *inner;
} host;
static hk_session *inner;

static int host_step(void *self, double t, double h) {
    host *x = self;
    (void)h;
    if (hk_session_step(inner, 1) != HK_OK)
        return HK_STEP_FAILED;
    if (x->crash_at >= 0 && t >= x->crash_at)
        raise(SIGSEGV);
    x->y = t;
    return HK_STEP_OK;
}

static const hk_port host_ports[] = {
    HK_PORT(host, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(host, crash_at, HK_PARAMETER, HK_TYPE_F64, .start = "-1"),
};
static const hk_unit_type host_type = {HK_UNIT_TYPE(host), .ports = host_ports, .port_count = 2,
                                       .step = host_step};

static hk_session *begin(hk_context *context, const char *name, const hk_unit_type *type,
                         const char *record, const char *crash_at) {
    hk_system *system = NULL;
    hk_session *session = NULL;
    char component[32];
    snprintf(component, sizeof component, "%s_part", name);
    OK(hk_system_create(context, name, &system));
    OK(hk_system_register(system, type));
    OK(hk_system_add_native(system, component, type->name));
    snprintf(component, sizeof component, "%s_part.crash_at", name);
    OK(hk_system_set_text(system, component, crash_at));
    OK(hk_system_set_times(system, 0, 10, 1));
    OK(hk_session_create(
        system, &(hk_session_options){.size = sizeof(hk_session_options), .record = record},
        &session));
    return session;
}

static hk_session *sessions[2];

static void flush(void *user) {
    (void)user;
    for (int i = 0; i < 2; i++)
        hk_recorder_flush_from_signal(sessions[i]->recording.recorder);
}

/* WHICH of the two crashes, at 4 s; NESTED: the first runs in a component of the second. */
static _Noreturn void child(const char *folder, int which, bool nested) {
    char paths[2][256];
    hk_context *context = NULL;
    signal(SIGSEGV, SIG_DFL); /* the test framework has a handler of its own */
    OK(hk_context_create(&context));
    for (int i = 0; i < 2; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%d.csv", folder, i);
    hk_guard_install(&(hk_guard_options){.flush = flush});
    inner = sessions[0] = begin(context, "left", &fragile_type, paths[0], which == 0 ? "4" : "-1");
    sessions[1] = begin(context, "right", nested ? &host_type : &fragile_type, paths[1],
                        which == 1 ? "4" : "-1");
    for (int i = 0; i < 10; i++) {
        if (!nested)
            OK(hk_session_step(sessions[0], 1));
        OK(hk_session_step(sessions[1], 1));
    }
    _exit(98);
}

static int run_child(const char *folder, int which, bool nested, char *text, size_t room) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        child(folder, which, nested);
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

/* A header, and rows up to the time of the crash; of the other one at least those before it. */
static void readable(hk_ctx *ctx, const char *folder, int i) {
    char path[256], *data;
    size_t size, lines = 0;
    snprintf(path, sizeof path, "%s/%d.csv", folder, i);
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    for (size_t k = 0; k < size; k++)
        lines += data[k] == '\n';
    assert_true(size > 0 && data[size - 1] == '\n' && strncmp(data, "time,", 5) == 0);
    assert_in_range(lines, 1 + 4, 1 + 6);
    hk_free(data);
}

static void the_right_one_is_named(void **state) {
    (void)state;
    static const char *const names[] = {
        "component 'left_part' of simulation 1 ('left'): crashed (invalid memory access) in ",
        "component 'right_part' of simulation 2 ('right'): crashed (invalid memory access) in "};
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    for (int k = 0; k < 4; k++) {
        /* Not one of hk_folder_temporary: the child removes those when it ends. */
        char text[4096], folder[] = "/tmp/hocket-guard-XXXXXX";
        assert_non_null(mkdtemp(folder));
        int status = run_child(folder, k % 2, k >= 2, text, sizeof text);
        if (!strstr(text, names[k % 2]) || !strstr(text, "at t = 4 s") ||
            strstr(text, names[!(k % 2)]))
            fail_msg("case %d: %s", k, text);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), hk_status_exit(HK_E_UNIT_CRASHED));
        readable(ctx, folder, 0);
        readable(ctx, folder, 1);
        hk_folder_remove(folder);
    }
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_right_one_is_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
