/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: Ctrl-C, Ctrl-\, SIGTERM, a terminal that is closed, and processor time that is used
 * up. The run ends when the call under way does; if that takes more than a second, a line names the
 * component. */
#include "base/ledger.h"
#include "cli/run.h"
#include "engine/guard.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
enum { HANGUP = 2, QUIT = 3, COUNT = sizeof numbers / sizeof *numbers };
/* How often each has come: from the system, from others, and from the parent, who passes it on. */
static volatile sig_atomic_t from_system[COUNT], from_others[COUNT], from_parent[COUNT];
static struct sigaction before[COUNT], before_timer;
static pid_t owner; /* workers are told by the same key, and one line is enough */
static bool silent, redraws, has_timer;
static volatile sig_atomic_t waiting_said, hung_up;
static void (*told)(int number); /* of a signal */
static const char *program = "hocket";
static const char *answer_head; /* of --json; NULL: no answer is made */
static const char *kept_what = "", *kept_path;
static struct stat kept_before; /* what was there before the run; without a time: nothing */
static timer_t timer;           /* its signal is one that is ignored where nobody handles it */

static void say(const char *const *parts, size_t count) {
    char line[1024];
    size_t size = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *c = parts[i]; *c && size < sizeof line; c++)
            line[size++] = *c;
    ssize_t ignored = write(STDERR_FILENO, line, size);
    (void)ignored;
}

void hk_run_keeps(const char *what, const char *path) {
    hk_ledger_keeps(what, path);
    kept_what = what;
    kept_path = path;
    if (!path || stat(path, &kept_before) != 0)
        kept_before = (struct stat){0};
}

/* What is there now is what was there before. Of the logs in a folder that is told one by one. */
static bool is_of_earlier(void) {
    struct stat now;
    return stat(kept_path, &now) == 0 && S_ISREG(now.st_mode) && now.st_ino == kept_before.st_ino &&
           now.st_dev == kept_before.st_dev && now.st_size == kept_before.st_size &&
           now.st_mtim.tv_sec == kept_before.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == kept_before.st_mtim.tv_nsec;
}

static const char *line_start(void) {
    return redraws ? "\r\033[K" : "";
}

/* "the record 'x.csv' is kept ..." behind the WORDS. */
static void say_kept(const char *words) {
    const char *const nothing[] = {line_start(), program, ": ", words, "nothing was recorded\n"};
    const char *const earlier[] = {line_start(),
                                   program,
                                   ": ",
                                   words,
                                   "nothing was recorded; '",
                                   kept_path ? kept_path : "",
                                   "' is of an earlier run\n"};
    const char *const parts[] = {line_start(),
                                 program,
                                 ": ",
                                 words,
                                 kept_what,
                                 " '",
                                 kept_path ? kept_path : "",
                                 "' is kept, up to where the run has come\n"};
    if (silent || getpid() != owner)
        return;
    if (kept_path && is_of_earlier())
        say(earlier, sizeof earlier / sizeof *earlier);
    else if (kept_path && access(kept_path, F_OK) == 0) /* else no row has come so far */
        say(parts, sizeof parts / sizeof *parts);
    else if (*words) /* a fault without a record was told as a whole */
        say(nothing, sizeof nothing / sizeof *nothing);
}

void hk_run_say_kept(void) {
    say_kept("");
}

_Noreturn void hk_run_end_at_once(void) {
    static const char tail[] = ",\"status\":\"HK0901\",\"exit\":130}\n";
    _Static_assert(HK_E_INTERRUPTED == 901, "the text names it");
    hk_ledger_ending();
    say_kept("ended at once; ");
    if (answer_head && getpid() == owner) {
        int out = hk_guard_answers_to();
        ssize_t ignored[] = {write(out, answer_head, strlen(answer_head)),
                             write(out, tail, sizeof tail - 1)};
        (void)ignored;
    }
    hk_guard_end(130);
}

void hk_run_say_waiting(const char *who) {
    const char *const parts[] = {line_start(), program, ": waiting for ", who,
                                 "; press Ctrl-C again to end at once\n"};
    if (silent || getpid() != owner || waiting_said)
        return;
    waiting_said = 1;
    say(parts, sizeof parts / sizeof *parts);
}

static void wake_in_a_second(void) {
    const struct itimerspec second = {.it_value = {.tv_sec = 1}};
    if (has_timer)
        timer_settime(timer, 0, &second, NULL);
}

static void on_timer(int number) {
    char who[512];
    (void)number;
    if (getpid() != owner)
        return;
    if (hk_guard_waits_for(who, sizeof who))
        hk_run_say_waiting(who);
    else
        wake_in_a_second();
}

static void watch_timer(bool on) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG};
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (has_timer) {
        timer_delete(timer);
        sigaction(SIGURG, &before_timer, NULL);
    }
    has_timer = on && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    if (has_timer)
        sigaction(SIGURG, &action, &before_timer);
}

/* How many wishes that is. Who signals a whole group reaches this process twice: directly, and by
 * the parent of the run. */
static int wishes(int i) {
    int others = from_others[i] > from_parent[i] ? from_others[i] : from_parent[i];
    return from_system[i] + others;
}

/* True: there is a wish more than before. */
static bool count_wish(int number, const siginfo_t *info) {
    const hk_ledger *ledger = hk_ledger_get();
    int i = 0;
    while (i + 1 < COUNT && numbers[i] != number)
        i++;
    int so_far = wishes(i);
    if (info->si_code == SI_KERNEL)
        from_system[i]++;
    else if (ledger && info->si_pid == atomic_load(&ledger->parent))
        from_parent[i]++;
    else
        from_others[i]++;
    return wishes(i) > so_far;
}

/* A terminal that is closed sends SIGHUP, and so does its shell; when the processor time is used
 * up, the system says so every second: that is one wish, not a second one to end at once. */
static void on_signal(int number, siginfo_t *info, void *unused) {
    (void)unused;
    hk_ledger_heard();
    if (!count_wish(number, info))
        return;
    bool repeats = number == SIGHUP || number == SIGXCPU;
    if (!repeats || !hung_up++)
        told(number);
}

/* The run has ended because of a wish, and its record is being closed: one wish more is meant for
 * that. The same one once more, which the parent passes on, is not. */
static void end_now(int number) {
    (void)number;
    hk_folder_remove_temporary();
    hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
}

static bool is_wished(void) {
    int all = 0;
    for (int i = 0; i < COUNT; i++)
        all += wishes(i);
    return all > 0;
}

void hk_run_watch(const hk_cli *cli, void (*handler)(int number)) {
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    bool keeps = !handler && is_wished();
    if (handler || keeps) /* one may come before the others have them again */
        told = handler ? handler : end_now;
    owner = getpid();
    silent = cli->quiet || cli->json;
    answer_head = handler && cli->json ? hk_failure_head(cli) : NULL;
    redraws = hk_stderr_is_terminal();
    program = hk_program_name(cli);
    waiting_said = 0;
    watch_timer(handler != NULL);
    hung_up = handler ? 0 : hung_up; /* the shell's may come while the record is closed */
    for (int i = 0; i < COUNT && !keeps; i++)
        sigaction(numbers[i], handler ? &action : &before[i], handler ? &before[i] : NULL);
    /* Of nohup: the run goes on when its terminal is closed. Of a script: Ctrl-\ is not for it. */
    if (handler && before[HANGUP].sa_handler == SIG_IGN)
        sigaction(SIGHUP, &before[HANGUP], NULL);
    if (handler && before[QUIT].sa_handler == SIG_IGN)
        sigaction(SIGQUIT, &before[QUIT], NULL);
}

void hk_run_say_interrupted(void) {
    const char *const parts[] = {
        line_start(), program,
        ": interrupted: the run ends when the call under way does; again: at once\n"};
    if (getpid() != owner)
        return;
    if (!silent)
        say(parts, sizeof parts / sizeof *parts);
    wake_in_a_second();
}
