/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: what is checked of the calls of a run, and where they are written down. */
#include "base/file.h"
#include "base/number.h"
#include "cli/run.h"
#include "sound/sound.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *monitor_name(const hk_args *args) {
    const char *name = hk_args_value(args, "monitor");
    return name ? name : "phase";
}

hk_monitor hk_run_monitor(const hk_args *args) {
    const char *name = monitor_name(args);
    if (strcmp(name, "off") == 0)
        return HK_MONITOR_OFF;
    return strcmp(name, "values") == 0 ? HK_MONITOR_VALUES : HK_MONITOR_PHASE;
}

/* ---- --trace ---- */

static void write_calls(void *user, const char *text, size_t size) {
    const hk_run *run = user;
    if (run->trace)
        (void)fwrite(text, 1, size, run->trace); /* ferror tells when it is closed */
}

/* Nothing is written before all components have read their files, since one of them might be the
 * one that the trace is to overwrite. */
void hk_run_trace_begin(hk_run *run) {
    if (!run->trace_place)
        return;
    (void)fclose(run->trace); /* completes trace_head */
    int fd = open(run->trace_place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    run->trace = fd < 0 ? NULL : fdopen(fd, "w");
    run->trace_id = hk_file_identify(fd);
    if (run->trace)
        (void)fwrite(run->trace_head, 1, run->trace_head_size, run->trace);
    else
        run->trace_problem = errno;
    free(run->trace_head);
    run->trace_head = NULL;
    run->trace_place = NULL;
}

static hk_status read_every(hk_run *run, uint64_t *ret_every) {
    const char *text = hk_args_value(run->args, "trace-sample");
    if (!text)
        return HK_OK;
    if (!hk_args_value(run->args, "trace"))
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with --trace",
                        "--trace-sample without a trace");
    if (!hk_read_u64(text, strlen(text), ret_every) || *ret_every < 1)
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number above 0",
                        "--trace-sample: '%s' is no such number", text);
    return HK_OK;
}

static hk_status cannot_write(hk_run *run, const char *path, int problem) {
    return hk_error(run->cli->ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL,
                    "cannot be written: %s", strerror(problem));
}

/* What would make it fail later. */
static int look_for_problems(hk_run *run, const char *path) {
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return EISDIR;
    bool there = access(path, F_OK) == 0;
    const char *what = there ? path : hk_path_folder(run->cli->arena, path);
    return access(what, there ? W_OK : W_OK | X_OK) == 0 ? 0 : errno;
}

hk_status hk_run_trace_open(hk_run *run) {
    const char *path = hk_args_value(run->args, "trace");
    uint64_t every = 1;
    HK_TRY(read_every(run, &every));
    if (!path)
        return HK_OK;
    bool standard = strcmp(path, "-") == 0;
    bool taken = run->cli->json || (run->record && strcmp(run->record, "-") == 0);
    if (standard && taken)
        return hk_error(run->cli->ctx, HK_E_USAGE, HK_NOWHERE, "name a file with --trace",
                        "standard output cannot take the trace together with %s",
                        run->cli->json ? "--json" : "the record");
    /* Components that print are sent elsewhere later: it is taken as it is now. */
    int problem = standard ? 0 : look_for_problems(run, path);
    if (problem)
        return cannot_write(run, path, problem);
    int fd = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    run->trace = !standard ? open_memstream(&run->trace_head, &run->trace_head_size)
                 : fd < 0  ? NULL
                           : fdopen(fd, "w");
    if (!run->trace)
        return cannot_write(run, path, errno);
    run->trace_id = hk_file_identify(fd);
    run->trace_place = standard ? NULL : hk_path_absolute(run->cli->arena, path);
    run->options.trace = (hk_trace_sink){write_calls, run, every};
    return HK_OK;
}

hk_status hk_run_trace_close(hk_run *run, hk_status status) {
    const char *path = hk_args_value(run->args, "trace");
    if (status != HK_E_USAGE) /* how far the calls came is worth most if something failed */
        hk_run_trace_begin(run);
    FILE *file = run->trace;
    bool begun = !run->trace_place;
    int problem = run->trace_problem;
    run->trace = NULL;
    run->trace_place = NULL;
    run->trace_problem = 0;
    if (!file)
        return problem && status == HK_OK ? cannot_write(run, path, problem) : status;
    bool lost = begun && !hk_file_is(fileno(file), run->trace_id), bad = ferror(file) != 0;
    errno = bad ? errno : 0;
    problem = fclose(file) != 0 || bad ? (errno ? errno : EIO) : 0;
    free(run->trace_head);
    run->trace_head = NULL;
    if (lost && status == HK_OK)
        return hk_error(run->cli->ctx, HK_E_FILE_WRITE, (hk_where){.file = path},
                        "hocket alone may use the files that it opens",
                        "cannot write the trace: a component has closed it, or has opened another "
                        "file under its number");
    if (!problem && begun && strcmp(path, "-") != 0)
        run->traced = path;
    return problem && status == HK_OK ? cannot_write(run, path, problem) : status;
}

/* ---- reports ---- */

void hk_run_put_sound(FILE *out, hk_arena *arena, const hk_soundness *sound, const char *contract) {
    if (sound->monitor == HK_MONITOR_OFF) {
        fprintf(out, "sound      not checked: --monitor=off\n");
        return;
    }
    fprintf(out, "sound      %s calls in %s phases checked", hk_show_count(arena, sound->calls),
            hk_show_count(arena, sound->phases));
    if (sound->monitor == HK_MONITOR_VALUES)
        fprintf(out, ", %s values compared, %s not", hk_show_count(arena, sound->values),
                hk_show_count(arena, sound->unvalued));
    fprintf(out, "%s%s\n", contract ? "; " : "", contract ? contract : "");
}
