/* SPDX-License-Identifier: MIT
 *
 * The process of a node: it runs its part, and tells at its end how it went. */
#include "base/child.h"
#include "base/file.h"
#include "engine/guard.h"
#include "nodes/node_listeners.h"
#include "nodes/nodes_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a node tells the recorder, and through what. A component may have closed that, or put a file
 * of its own in its place. */
typedef struct teller {
    int fd;
    hk_file_id id;
    hk_said said;
    hk_buffer account;
} teller;

static void tell_all(const teller *t, const void *data, size_t size) {
    const char *at = data;
    while (size && hk_file_is(t->fd, t->id)) {
        ssize_t n = write(t->fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* nobody asks any more */
        at += n;
        size -= (size_t)n;
    }
}

/* Async-signal-safe. */
static void keep_lines(void *user) {
    const hk_nodes *n = user;
    if (n->traced)
        hk_lines_end_from_signal(n->traced, n->number);
    if (n->logged)
        hk_lines_end_from_signal(n->logged, n->number);
}

/* Async-signal-safe. */
static void tell_last_words(void *user, const char *text, const char *hint) {
    const teller *t = user;
    hk_moment when = hk_said_now(&t->said);
    uint64_t head = (sizeof when + strlen(text) + 1 + strlen(hint)) | HK_LAST_WORDS;
    tell_all(t, &head, sizeof head);
    tell_all(t, &when, sizeof when);
    tell_all(t, text, strlen(text) + 1);
    tell_all(t, hint, strlen(hint));
}

void hk_nodes_report(hk_buffer *to, hk_status status, const hk_said *said,
                     const hk_buffer *account) {
    HK_ASSERT(to && said && account);
    hk_buffer_u64(to, (uint64_t)status);
    hk_said_pack(to, said);
    hk_buffer_put(to, account->data, account->size);
}

static void tell_report(const teller *t, hk_status status) {
    hk_buffer b = {0};
    hk_nodes_report(&b, status, &t->said, &t->account);
    uint64_t head = b.size;
    tell_all(t, &head, sizeof head);
    tell_all(t, b.data, b.size);
    hk_free(b.data);
}

static void put_traced(void *user, const char *text, size_t size) {
    hk_nodes *n = user;
    hk_lines_put(n->traced, n->number, text, size);
}

static hk_status run_node(hk_nodes *n, const hk_sim_options *sim_options,
                          const hk_nodes_options *options, teller *t) {
    hk_said *said = &t->said;
    hk_sim_options o = *sim_options;
    hk_sim_part part = {n->flows, n->number, hk_wires_take(n->wires, n->number, NULL, NULL),
                        &said->sim};
    o.part = &part;
    o.timeout_s = 0; /* the recorder has the time of all */
    o.listeners = hk_listeners_of_node(n->arena, sim_options, put_traced, n);
    hk_watch_answer(n->wires);
    hk_sim *sim = NULL;
    hk_status status = hk_sim_create(said->ctx, n->flows->plan, &o, &sim);
    if (status == HK_OK && options->prepare)
        status = options->prepare(options->user, sim);
    if (status == HK_OK)
        status = hk_shelves_run_node(n->shelves, n->number, said->ctx, sim);
    hk_wires_leave(n->wires, n->number);
    bool why_not_known = status == HK_E_NODE_LOST && !hk_ctx_count(said->ctx, HK_ERROR);
    bool in_order = (status == HK_OK || why_not_known) && hk_wires_await_end(n->wires);
    if (sim && (status == HK_OK || why_not_known)) {
        hk_sim_over(sim, in_order);
        status = in_order ? HK_OK : status;
    }
    if (sim)
        hk_sim_account(sim, &t->account);
    hk_sim_destroy(sim);
    said->sim = NULL;
    said->over = true;
    hk_status kept = n->traced ? hk_lines_end(said->ctx, n->traced, n->number) : HK_OK;
    if (n->logged && kept == HK_OK)
        kept = hk_lines_end(said->ctx, n->logged, n->number);
    return status == HK_OK ? kept : status;
}

/* The time of a processor is limited for each process by itself. */
static pid_t recorder;

static void pass_on(int number) {
    if (getppid() == recorder)
        (void)kill(recorder, number);
}

/* The terminal sends its signals to all processes; the recorder decides what becomes of them. */
static void leave_signals_alone(void) {
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1};
    recorder = getppid();
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_IGN);
    sigaction(SIGXCPU, &action, NULL);
    hk_watch_end_when_told();
}

_Noreturn void hk_nodes_live(hk_nodes *n, uint32_t number, const hk_sim_options *sim_options,
                             const hk_nodes_options *options, int fd) {
    teller t = {.fd = fd, .id = hk_file_identify(fd)};
    hk_said_begin(&t.said);
    n->number = number;
    const hk_node_log log = {n->logged, number, &t.said};
    if (n->logged)
        hk_log_to_lines(&log);
    hk_guard_options guard = {.flush = keep_lines,
                              .user = n,
                              .tell = tell_last_words,
                              .tell_user = &t,
                              .place = options->place};
    hk_folder_forget_temporary(); /* those are not ours */
    leave_signals_alone();
    hk_guard_remove();
    hk_guard_install(&guard);
    hk_status status = run_node(n, sim_options, options, &t);
    hk_guard_remove();
    hk_folder_remove_temporary();
    bool cut = !hk_file_is(fd, t.id) || hk_wires_cut(n->wires);
    if (!cut || status != HK_E_NODE_LOST) /* else: it is not the others who are lost */
        tell_report(&t, status);
    (void)fflush(NULL); /* what components have printed */
    hk_guard_end(cut ? HK_CUT_OFF : 0);
}
