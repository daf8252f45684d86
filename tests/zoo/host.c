/* SPDX-License-Identifier: MIT
 *
 * A program in which FMUs are run as a library would run them: zoo_host FMU...
 * It says that it may go back to older states, though it never does.
 * Each is opened, run from 0 to 1 s in steps of 0.25 s with all its outputs recorded, and closed;
 * then the process must be as it was before. What is not is said on standard output, one line each;
 * so are the diagnostics. The exit status is 1 if anything had changed. */
#include "base/fpenv.h"
#include "engine/sim.h"
#include "fmi/fmi.h"

#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { SIGNALS = 32, PATH_ROOM = 4096, ROW_ROOM = 1 << 20 };

/* What a host may expect to find again. */
typedef struct state {
    char locale[256];
    locale_t thread_locale;
    uint64_t fpenv;
    struct sigaction handlers[SIGNALS];
    sigset_t mask;
    stack_t signal_stack;
    char folder[PATH_ROOM];
    mode_t umask;
    bool timer;
    int files, first, second; /* open descriptors; what 1 and 2 are */
} state;

static int count_files(void) {
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

static int identity(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 ? (int)(info.st_ino % 1000003) : -1;
}

static void look(state *s) {
    memset(s, 0, sizeof *s);
    snprintf(s->locale, sizeof s->locale, "%s", setlocale(LC_ALL, NULL));
    s->thread_locale = uselocale((locale_t)0);
    s->fpenv = hk_fpenv_read();
    for (int i = 1; i < SIGNALS; i++)
        sigaction(i, NULL, &s->handlers[i]);
    pthread_sigmask(SIG_BLOCK, NULL, &s->mask);
    sigaltstack(NULL, &s->signal_stack);
    if (!getcwd(s->folder, sizeof s->folder))
        strcpy(s->folder, "nowhere");
    s->umask = umask(0);
    umask(s->umask);
    struct itimerval timer;
    s->timer =
        getitimer(ITIMER_REAL, &timer) == 0 && (timer.it_value.tv_sec || timer.it_value.tv_usec);
    s->files = count_files();
    s->first = identity(1);
    s->second = identity(2);
}

static int differ(bool different, const char *what) {
    if (different)
        fprintf(stdout, "changed: %s\n", what);
    return different;
}

static int compare(const state *a, const state *b) {
    int changes = 0;
    char text[64];
    changes += differ(strcmp(a->locale, b->locale) != 0, "the locale");
    changes += differ(a->thread_locale != b->thread_locale, "the locale of the thread");
    changes += differ(a->fpenv != b->fpenv, "the floating-point environment");
    for (int i = 1; i < SIGNALS; i++) {
        snprintf(text, sizeof text, "the handler of signal %d", i);
        changes += differ(a->handlers[i].sa_handler != b->handlers[i].sa_handler, text);
    }
    for (int i = 1; i < SIGNALS; i++) {
        snprintf(text, sizeof text, "whether signal %d is blocked", i);
        changes += differ(sigismember(&a->mask, i) != sigismember(&b->mask, i), text);
    }
    changes += differ(a->signal_stack.ss_sp != b->signal_stack.ss_sp, "the signal stack");
    changes += differ(strcmp(a->folder, b->folder) != 0, "the working directory");
    changes += differ(a->umask != b->umask, "the umask");
    changes += differ(a->timer != b->timer, "the alarm");
    changes += differ(a->first != b->first, "standard output");
    changes += differ(a->second != b->second, "standard error");
    snprintf(text, sizeof text, "open files: %+d", b->files - a->files);
    changes += differ(a->files != b->files, text);
    return changes;
}

static void print_diag(void *user, const hk_diag *diag) {
    (void)user;
    if (diag->severity != HK_NOTE)
        fprintf(stdout, "%s: %s\n", diag->severity == HK_ERROR ? "error" : "warning", diag->text);
}

static char row[ROW_ROOM];

static void *row_begin(void *user) {
    (void)user;
    return row;
}

static bool row_end(void *user, double time) {
    (void)time;
    ++*(int *)user;
    return true;
}

static hk_status simulate(hk_ctx *ctx, hk_model *model, int *rows) {
    const hk_info *info = model->components[0].info;
    hk_column *columns = hk_alloc(info->variable_count * sizeof *columns);
    hk_listener listener = {.columns = columns, .sink = {row_begin, row_end, rows}};
    hk_sim_options options = {.listeners = &listener, .listener_count = 1, .may_go_back = true};
    for (uint32_t v = 0; v < info->variable_count && v < 1000; v++) {
        const hk_variable *about = &info->variables[v];
        if (about->causality == HK_OUTPUT)
            columns[listener.column_count++] = (hk_column){
                .name = about->name, .variable = v, .type = about->type, .store = about->store};
    }
    hk_columns_layout(columns, listener.column_count);
    hk_plan *plan = NULL;
    hk_sim *sim = NULL;
    hk_model_lower(model);
    hk_status status = hk_plan_make(ctx, model, &(hk_plan_options){0}, &plan);
    if (status == HK_OK)
        status = hk_sim_create(ctx, plan, &options, &sim);
    if (status == HK_OK)
        status = hk_sim_run(sim);
    hk_sim_destroy(sim);
    hk_plan_destroy(plan);
    hk_free(columns);
    return status;
}

static hk_status visit(hk_ctx *ctx, const char *path, int *rows) {
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_open(ctx, path, &fmu);
    if (status != HK_OK)
        return status;
    hk_model *model = hk_model_create("zoo", path);
    hk_experiment *x = &model->experiment;
    x->step = (hk_ratio){1, 4};
    x->start = (hk_ratio){0, 1};
    x->stop = (hk_ratio){1, 1};
    x->output_interval = (hk_ratio){0, 1};
    x->has_step = x->has_stop = true;
    uint32_t index;
    status = hk_model_add_component(ctx, model, "animal", hk_fmu_info(fmu), HK_NOWHERE, &index);
    if (status == HK_OK)
        status = simulate(ctx, model, rows);
    hk_model_destroy(model);
    hk_fmu_close(fmu);
    return status;
}

int main(int count, char **words) {
    int changes = 0;
    /* A host of some character: other than at the start in all that it can choose. */
    umask(027);
    signal(SIGUSR2, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < count; i++) {
        state before, after;
        int rows = 0;
        hk_ctx *ctx = hk_ctx_create(print_diag, NULL);
        look(&before);
        hk_status status = visit(ctx, words[i], &rows);
        look(&after);
        fprintf(stdout, "status %d, rows %d\n", (int)status, rows);
        changes += compare(&before, &after);
        hk_ctx_destroy(ctx);
    }
    return changes > 0;
}
