/* SPDX-License-Identifier: MIT
 *
 * `hocket run` and `hocket node`: SIGUSR1 asks where the run is. The answer goes to standard error,
 * and the run goes on. On several nodes it is a line for each of them and one for the chain of
 * those who wait; a process that has others play its runs passes the question on. */
#include "cli/run.h"
#include "engine/guard.h"
#include "nodes/meeting.h"
#include "nodes/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const char *program = "hocket";
static bool as_json, redraws;

/* Everything from here on is async-signal-safe. Only one question is answered at a time, so that
 * the answer need not lie on the stack of a component. */
static char answer[1 << 17], found[1 << 16];
static size_t answer_size;

static void add(const char *text) {
    for (; *text && answer_size < sizeof answer - 4; text++)
        answer[answer_size++] = *text;
}

/* Lines after the first are indented; with --json it is one string. */
static void add_lines(const char *text) {
    static const char hex[] = "0123456789abcdef";
    for (; *text && answer_size < sizeof answer - 16; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            add(as_json ? "\\n" : "\n  ");
        else if (as_json && (c == '"' || c == '\\'))
            add(c == '"' ? "\\\"" : "\\\\");
        else if (as_json && c < ' ')
            add((const char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15], '\0'});
        else
            answer[answer_size++] = *text;
    }
}

static void put_answer(void) {
    for (size_t done = 0; done < answer_size;) {
        ssize_t n = write(STDERR_FILENO, answer + done, answer_size - done);
        if (n <= 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

static void find_answer(void) {
    static const char waits[] = "no simulation runs now: it waits for others to come";
    size_t size = hk_meeting_waits() ? 0 : hk_watch_tell(found, sizeof found);
    if (size) /* without the end of its last line */
        found[size - 1] = '\0';
    if (hk_meeting_waits())
        memcpy(found, waits, sizeof waits);
    else if (!size && !hk_guard_where(found, sizeof found))
        memcpy(found, "no simulation runs now", sizeof "no simulation runs now");
    const char *run = hk_play_run_name();
    answer_size = 0;
    if (as_json)
        add("{\"severity\":\"note\",\"code\":null,\"file\":null,\"element\":null,\"text\":\"");
    else
        add(redraws ? "\r\033[K" : "");
    if (!as_json) {
        add(program);
        add(": ");
    }
    if (run) {
        add_lines(run);
        add(": ");
    }
    add(size ? "on several nodes:" : "");
    add_lines(size ? "\n" : "");
    add_lines(found);
    add(as_json ? "\",\"hint\":null}\n" : "\n");
}

static void on_question(int number) {
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    int kept = errno;
    if (!hk_play_pass_on(number) && !atomic_flag_test_and_set(&busy)) {
        find_answer();
        put_answer();
        atomic_flag_clear(&busy);
    }
    errno = kept;
}

void hk_run_answer_questions(const hk_cli *cli) {
    struct sigaction action = {.sa_handler = on_question, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    program = hk_program_name(cli);
    as_json = cli->json;
    redraws = hk_stderr_is_terminal();
    if (sigaction(SIGUSR1, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGUSR1, &action, NULL);
}
