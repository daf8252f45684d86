/* SPDX-License-Identifier: MIT
 *
 * What the child says of its end, and whether that is so. */
#include "parent/parent.h"

#include "base/buffer.h"
#include "base/child.h"
#include "base/file.h"
#include "base/leftovers.h"
#include "engine/remains.h"
#include "format/crc32.h"
#include "record/about.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the child ---- */

void hk_parent_files(const hk_written *written) {
    hk_ledger *l = hk_ledger_get();
    hk_buffer b = {0};
    if (!hk_ledger_is_ours())
        return;
    hk_written_put(written, &b);
    if (b.size <= HK_LEDGER_FILES) { /* else there are too many to be looked at */
        memcpy(l->files, b.data, b.size);
        l->files_size = b.size;
        l->files_sum = hk_crc32_more(0, b.data, b.size);
    }
    hk_free(b.data);
}

void hk_parent_finish(int status) {
    hk_ledger *l = hk_ledger_get();
    if (!hk_ledger_is_ours() || atomic_load(&l->end) != HK_END_UNKNOWN)
        return;
    l->status = status;
    l->mute = fcntl(STDERR_FILENO, F_GETFD) < 0;
    atomic_store(&l->end, HK_END_FINISHED);
}

/* ---- in the parent ---- */

/* Did it end as it has said? */
static bool ended_so(const hk_ledger *l, const hk_parent_end *end) {
    return l->end != HK_END_UNKNOWN && WIFEXITED(end->how) && WEXITSTATUS(end->how) == l->status;
}

static hk_status check_files(hk_ctx *ctx, const hk_ledger *l) {
    hk_written written = {0};
    hk_arena *arena = hk_arena_create();
    hk_status status = HK_OK;
    size_t size = l->files_size <= HK_LEDGER_FILES ? l->files_size : 0;
    hk_buffer_source from = {arena, l->files, size, true};
    bool intact = hk_crc32_more(0, l->files, size) == l->files_sum;
    if (size && intact)
        hk_written_take(&from, &written);
    if (!intact || (size && !from.good))
        status = hk_error(ctx, HK_E_UNIT_CRASHED, HK_NOWHERE, "run it again with --isolate all",
                          "a component has damaged what the run says about its files");
    hk_status kept = hk_written_check(ctx, &written);
    hk_arena_destroy(arena);
    return status == HK_OK ? kept : status;
}

static void clean_up(void) {
    hk_ledger_remove_temporary(0);
    const char *folder = getenv("TMPDIR");
    hk_leftovers_remove(folder && *folder ? folder : "/tmp");
}

/* "was killed (SIGKILL)", "ended with exit status 0", "had become 'sleep', and ended with ...". */
static const char *how_text(hk_arena *arena, const hk_parent_end *end) {
    const char *how = WIFSIGNALED(end->how) ? hk_signal_words(WTERMSIG(end->how))
                                            : hk_arena_printf(arena, "ended with exit status %d",
                                                              WEXITSTATUS(end->how));
    return *end->became
               ? hk_arena_printf(arena, "became the program '%s', and %s", end->became, how)
               : how;
}

static hk_status say_vanished(hk_ctx *ctx, const hk_parent_end *end) {
    hk_arena *arena = hk_arena_create();
    char where[1024] = "";
    bool killed = WIFSIGNALED(end->how) && WTERMSIG(end->how) == SIGKILL;
    bool crashed = WIFSIGNALED(end->how) && !killed;
    (void)hk_remains_describe(end->child, where, sizeof where);
    hk_status status = hk_error(
        ctx, HK_E_UNIT_CRASHED, HK_NOWHERE,
        killed    ? "another program has killed it, or the memory of the machine was used up"
        : crashed ? "the fault is in a component; --isolate all runs each in a process of its own"
                  : "a component must report its failure instead of ending the program",
        "the process of the run %s%s%s", how_text(arena, end), *where ? " " : "", where);
    hk_arena_destroy(arena);
    return status;
}

/* It was stopped, and did not say so itself when it was let go on. */
static hk_status say_late(hk_ctx *ctx, const hk_parent_end *end) {
    char where[1024] = "";
    bool hung = end->late == HK_LATE_WATCHDOG;
    (void)hk_remains_describe(end->child, where, sizeof where);
    return hk_error(ctx, HK_E_UNIT_HUNG, HK_NOWHERE,
                    hung ? "raise --watchdog if the component needs more time"
                         : "raise --timeout if the component needs more time",
                    "%s: the process of the run was stopped%s%s",
                    hung ? "the time limit of a call has passed" : "the time limit has passed",
                    *where ? " " : "", where);
}

static bool is_wish(int number) {
    return number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT ||
           number == SIGXCPU;
}

static bool is_fault(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

/* Who reads what hocket says has ended. */
static bool nobody_reads(void) {
    struct pollfd both[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    return poll(both, 2, 0) > 0 && ((both[0].revents | both[1].revents) & POLLERR);
}

/* It has not said how it ends, or did not end so. */
static hk_parent_verdict judge_vanished(hk_ctx *ctx, hk_ledger *l, const hk_parent_end *end) {
    int number = WIFSIGNALED(end->how) ? WTERMSIG(end->how) : 0;
    bool ended_for_us = (end->killed && end->late == HK_LATE_NOT) || (number && is_wish(number));
    hk_about_cut_off_of(0, ended_for_us ? "interrupted" : "failed: cut off");
    clean_up();
    if (l->said && (!end->killed || end->late != HK_LATE_NOT)) /* one message is enough */
        return (hk_parent_verdict){.exit = l->said};
    if (end->late != HK_LATE_NOT)
        return (hk_parent_verdict){.status = say_late(ctx, end)};
    if (end->killed)
        return (hk_parent_verdict){.status = HK_E_INTERRUPTED};
    /* Of hocket's own before components live, of who wants it to end, or of one who reads no more:
     * as without a parent. */
    if (number && (is_wish(number) || (is_fault(number) && !l->guarded && !*end->became) ||
                   (number == SIGPIPE && nobody_reads())))
        return (hk_parent_verdict){.signal = number};
    return (hk_parent_verdict){.status = say_vanished(ctx, end)};
}

static void warn_of_left(hk_ctx *ctx, const hk_parent_end *end) {
    if (end->left_count == 1)
        hk_warn(ctx, HK_E_UNIT_CRASHED, HK_NOWHERE,
                "a component has started it, and must end it before its own end",
                "the process %ld ('%s') was still there when the run had ended, and was ended",
                (long)end->left, end->left_name);
    else if (end->left_count)
        hk_warn(ctx, HK_E_UNIT_CRASHED, HK_NOWHERE,
                "components have started them, and must end them before their own end",
                "%zu processes were still there when the run had ended, and were ended; the first "
                "is %ld ('%s')",
                end->left_count, (long)end->left, end->left_name);
}

/* Why it failed, for one, could not be said. */
static void tell_what_is_lost(hk_ctx *ctx, const hk_ledger *l) {
    static const char hint[] = "--isolate all runs each component in a process of its own";
    static const char words[] = "a component has closed it, and what the run has said is lost";
    hk_where where = {.file = "standard error"};
    if (!l->mute || fcntl(STDERR_FILENO, F_GETFD) < 0)
        return;
    if (l->status != 0)
        (void)hk_error(ctx, HK_E_FILE_WRITE, where, hint, "%s; its exit status is %d", words,
                       l->status);
    else
        hk_warn(ctx, HK_E_FILE_WRITE, where, hint, "%s", words);
}

hk_parent_verdict hk_parent_judge(hk_ctx *ctx, const hk_parent_end *end) {
    hk_ledger *l = hk_ledger_get();
    HK_ASSERT(ctx && end && l);
    if (!ended_so(l, end))
        return judge_vanished(ctx, l, end);
    if (l->end == HK_END_TOLD) {
        bool wished = l->status == hk_status_exit(HK_E_INTERRUPTED);
        hk_about_cut_off_of(0, wished ? "interrupted" : "failed: cut off"); /* if it could not */
        clean_up();
        return (hk_parent_verdict){.exit = l->status};
    }
    warn_of_left(ctx, end);
    hk_status status = l->status == 0 ? check_files(ctx, l) : HK_OK; /* else all is said */
    if (l->status != 0) /* a component may have kept it from that */
        clean_up();
    tell_what_is_lost(ctx, l);
    return (hk_parent_verdict){.status = status, .exit = l->status};
}

hk_parent_kept hk_parent_keeps(void) {
    const hk_ledger *l = hk_ledger_get();
    hk_parent_kept kept = {.what = l->kept_what, .path = l->kept_path};
    for (size_t i = 0; i < HK_LEDGER_RECORDS; i++)
        kept.begun = kept.begun || (l->records[i].owner && l->records[i].begun);
    return kept;
}
