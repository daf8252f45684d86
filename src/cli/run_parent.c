/* SPDX-License-Identifier: MIT
 *
 * `hocket run` and its parent (src/parent): who has one, and what it says. */
#include "base/file.h"
#include "cli/run.h"
#include "engine/guard.h"
#include "parent/parent.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_parent(const hk_cli *cli, const hk_args *args) {
    bool sanitized = *cli->build->sanitizers && strcmp(cli->build->sanitizers, "none") != 0;
    return !sanitized && !hk_args_has(args, "no-parent") &&
           !hk_args_has(args, "explain-settings") && !hk_parent_is_looked_at();
}

static void say_kept_back(void *user, const char *where) {
    hk_cli *cli = user;
    if (!cli->quiet && !cli->json)
        fprintf(stderr,
                "%s%s: the signal does not reach hocket %s: a component has taken it; again: at "
                "once\n",
                hk_stderr_is_terminal() ? "\r\033[K" : "", hk_program_name(cli), where);
}

/* What is there of the record, as far as the parent knows. */
static void say_kept(const hk_cli *cli, const char *words) {
    hk_parent_kept kept = hk_parent_keeps();
    bool there = *kept.path && hk_file_exists(kept.path);
    if (cli->quiet || cli->json)
        return;
    fprintf(stderr, "%s: %s", hk_program_name(cli), words);
    if (kept.begun && *kept.path)
        fprintf(stderr, "%s '%s' is kept, up to where the run has come\n", kept.what, kept.path);
    else if (there && hk_file_is_regular(kept.path))
        fprintf(stderr, "nothing was recorded; '%s' is of an earlier run\n", kept.path);
    else
        fputs("nothing was recorded\n", stderr);
}

/* By the same signal as the child, so that a shell knows. */
_Noreturn static void end_by(int number) {
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    enum { BY_SIGNAL = 128 };
    hk_guard_end(BY_SIGNAL + number); /* it was ignored */
}

bool hk_run_parent(hk_cli *cli, const hk_args *args, hk_status *ret_status) {
    hk_parent_end end;
    if (!wants_parent(cli, args))
        return false;
    if (hk_parent_begin(say_kept_back, cli, &end) != HK_PARENT_OVER)
        return false;
    cli->redrawn_line = hk_stderr_is_terminal(); /* the child may have left one */
    hk_parent_verdict verdict = hk_parent_judge(cli->ctx, &end);
    if (verdict.signal)
        end_by(verdict.signal);
    if (verdict.status == HK_OK) {
        hk_messages_finish(cli);
        hk_guard_end(verdict.exit);
    }
    if (verdict.status != HK_E_FILE_WRITE)
        say_kept(cli, verdict.status == HK_E_INTERRUPTED ? "ended at once; " : "");
    *ret_status = verdict.status;
    return true;
}

void hk_run_wrote(const hk_written *written) {
    hk_parent_files(written);
}
