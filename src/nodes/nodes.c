/* SPDX-License-Identifier: MIT
 *
 * The processes of a run. They are forked from the one that has read and planned the model, so that
 * all of them have the same; nothing of them outlives it. Each tells at its end how it went, over a
 * pipe; one that is gone without a word is found by its process. */
#include "nodes/nodes.h"

#include "base/buffer.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "engine/guard.h"
#include "nodes/joined.h"
#include "nodes/nodes_internal.h"
#include "nodes/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct node {
    pid_t pid; /* 0: it is gone */
    bool met;  /* it was started by hand: its process is not ours, and has no number here */
    int fd;    /* what it tells; -1: closed */
    int how;   /* its process ended */
    hk_buffer told;
    bool has_told;
    hk_status status;
    hk_ctx *said;
    const char *last_words; /* of a process that a component took down */
    bool ended;             /* by us, since it would not */
    hk_tick reached;
} node;

struct hk_nodes {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_plan_flows *flows;
    hk_wires *wires;
    hk_shelves *shelves;
    const char *loaded;               /* the state that all go on from */
    size_t loading_said, loaded_said; /* what we said about it: from, to */
    hk_watch *watch;
    hk_sim_part part;
    node *all;
    unsigned count;
    unsigned first_lost; /* the first node that was found gone; count: none was */
    hk_joined *joined;   /* this process is a node, and has none itself; NULL: the recorder */
    const char *lost_at; /* when it was found: where it was, and who waited for whom */
    int64_t late_ns;     /* when --timeout ends the run; 0: it does not */
    double timeout_s;
    const char *late; /* it has: who was waited for */
};

/* A process that nobody has: what is started by hand is neither waited for nor killed. */
enum { NO_PROCESS = INT32_MAX };

/* ---- in the process of a node ---- */

/* A report is a length and as many bytes; last words have this bit in the length. */
static const uint64_t LAST_WORDS = UINT64_C(1) << 63;

enum { CUT_OFF = 251 }; /* exit status of a node that cannot speak any more */

/* What a node tells the recorder through. A component may have closed it, or put a file of its own
 * in its place. */
typedef struct teller {
    int fd;
    hk_file_id id;
} teller;

static void tell_all(const teller *to, const void *data, size_t size) {
    const char *at = data;
    while (size && hk_file_is(to->fd, to->id)) {
        ssize_t n = write(to->fd, at, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* nobody asks any more */
        at += n;
        size -= (size_t)n;
    }
}

/* Async-signal-safe. */
static void tell_last_words(void *user, const char *text) {
    uint64_t head = strlen(text) | LAST_WORDS;
    tell_all(user, &head, sizeof head);
    tell_all(user, text, strlen(text));
}

static void tell_report(const teller *to, hk_status status, hk_tick reached, const hk_ctx *said) {
    hk_buffer b = {0};
    hk_nodes_report(&b, status, reached, said);
    uint64_t head = b.size;
    tell_all(to, &head, sizeof head);
    tell_all(to, b.data, b.size);
    hk_free(b.data);
}

static hk_status run_node(hk_nodes *n, uint32_t number, const hk_sim_options *sim_options,
                          const hk_nodes_options *options, hk_ctx *ctx, hk_tick *ret_reached) {
    hk_sim_options o = *sim_options;
    hk_sim_part part = {n->flows, number, hk_wires_take(n->wires, number, NULL, NULL)};
    o.part = &part;
    o.listeners = hk_nodes_unseen(n->arena, sim_options);
    hk_watch_answer(n->wires);
    hk_sim *sim = NULL;
    hk_status status = hk_sim_create(ctx, n->part.flows->plan, &o, &sim);
    if (status == HK_OK && options->prepare)
        status = options->prepare(options->user, sim);
    if (status == HK_OK)
        status = hk_shelves_run_node(n->shelves, number, ctx, sim);
    hk_wires_leave(n->wires, number);
    if (sim)
        *ret_reached = hk_sim_now(sim);
    hk_sim_destroy(sim);
    return status;
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
}

_Noreturn static void be_node(hk_nodes *n, uint32_t number, const hk_sim_options *sim_options,
                              const hk_nodes_options *options, int fd) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_tick reached = n->flows->plan->start;
    teller to = {fd, hk_file_identify(fd)};
    hk_guard_options guard = {.tell = tell_last_words, .tell_user = &to, .place = options->place};
    hk_folder_forget_temporary(); /* those are not ours */
    leave_signals_alone();
    hk_guard_remove();
    hk_guard_install(&guard);
    hk_status status = run_node(n, number, sim_options, options, ctx, &reached);
    hk_guard_remove();
    hk_folder_remove_temporary();
    bool cut = !hk_file_is(fd, to.id) || hk_wires_cut(n->wires);
    if (!cut || status != HK_E_NODE_LOST) /* else: it is not the others who are lost */
        tell_report(&to, status, reached, ctx);
    (void)fflush(NULL); /* what components have printed */
    hk_guard_end(cut ? CUT_OFF : 0);
}

/* ---- in the process of the recorder ---- */

static hk_status start_node(hk_nodes *n, uint32_t number, const hk_sim_options *sim_options,
                            const hk_nodes_options *options) {
    pid_t parent = getpid(), pid = 0;
    int fd = -1;
    int problem = hk_child_fork(&pid, &fd);
    if (problem)
        return hk_error(n->ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes",
                        "no process could be started for node %u: %s", (unsigned)number + 1,
                        strerror(problem));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
        be_node(n, number, sim_options, options, fd);
    }
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    n->all[number] = (node){.pid = pid, .fd = fd};
    hk_watch_node(n->watch, number, pid);
    return HK_OK;
}

static bool take_report(hk_nodes *n, node *x) {
    uint64_t head = 0;
    if (x->told.size < sizeof head)
        return false;
    memcpy(&head, x->told.data, sizeof head);
    uint64_t size = head & ~LAST_WORDS;
    if (x->told.size - sizeof head < size || x->has_told)
        return false;
    const char *data = x->told.data + sizeof head;
    if (head & LAST_WORDS) {
        x->last_words = hk_arena_strndup(n->arena, data, size);
        return false;
    }
    hk_buffer_source s = {n->arena, data, size, true};
    x->status = (hk_status)hk_source_u64(&s);
    x->reached = (hk_tick)hk_source_u64(&s);
    x->said = hk_ctx_create(NULL, NULL);
    hk_source_diags(&s, x->said);
    x->has_told = s.good;
    return true;
}

/* What a node has told since we looked last. */
static void listen_to(hk_nodes *n, node *x) {
    char piece[4096];
    for (;;) {
        ssize_t got = x->fd >= 0 ? read(x->fd, piece, sizeof piece) : 0;
        if (got > 0) {
            hk_buffer_put(&x->told, piece, (size_t)got);
            continue;
        }
        if (got == 0 && x->fd >= 0) {
            close(x->fd);
            x->fd = -1;
        }
        if (got == 0 || errno != EINTR)
            break;
    }
    (void)take_report(n, x);
}

/* One that was started by hand goes on until it hears how the run ended. */
static bool is_gone(node *x) {
    if (x->met)
        return x->has_told || x->fd < 0;
    pid_t gone = waitpid(x->pid, &x->how, WNOHANG);
    return gone != 0 && !(gone < 0 && errno == EINTR);
}

/* One that does not stop. */
static void make_stop(node *x) {
    if (x->met) { /* it finds out, and ends by itself */
        close(x->fd);
        x->fd = -1;
    } else {
        (void)kill(x->pid, SIGKILL);
    }
}

/* Which processes are gone by now. A node that is gone without having said that it leaves is lost;
 * what it has sent still arrives. */
static void look_after(void *user) {
    hk_nodes *n = user;
    for (unsigned i = 0; i < n->count; i++) {
        node *x = &n->all[i];
        if (!x->pid)
            continue;
        listen_to(n, x);
        if (!is_gone(x))
            continue;
        listen_to(n, x);
        x->pid = 0;
        hk_watch_node(n->watch, i, 0);
        if (!x->has_told && !x->ended && n->first_lost == n->count) {
            n->first_lost = i;
            n->lost_at = hk_watch_lost(n->watch, i);
        }
        hk_wires_leave(n->wires, i);
    }
}

/* It does not end by itself. Who was found to hang is reported anyway. */
static void end_node(hk_nodes *n, unsigned number) {
    node *x = &n->all[number];
    if (!x->ended && !hk_watch_hung(n->watch) && !n->late)
        hk_note(n->ctx, HK_NOWHERE, "%s did not end with the run, and was killed: it was at %s",
                hk_watch_name(n->watch, number), hk_watch_place(n->watch, number));
    x->ended = true;
    make_stop(x);
}

/* The recorder waits: who hangs, or keeps the run from ending in time, ends it. */
static void look_after_all(void *user) {
    hk_nodes *n = user;
    look_after(n);
    if (n->late_ns && hk_clock_ns() >= n->late_ns && !n->late)
        n->late = hk_watch_chain(n->watch);
    bool hangs = hk_watch_look(n->watch);
    uint32_t culprit = hk_watch_culprit(n->watch);
    if (culprit < n->count && n->all[culprit].pid)
        end_node(n, culprit);
    if (hangs || n->late)
        hk_wires_stop(n->wires);
}

static bool any_left(const hk_nodes *n) {
    for (unsigned i = 0; i < n->count; i++)
        if (n->all[i].pid)
            return true;
    return false;
}

/* Waits for all processes. Those that are told to stop, and do not, are made to. */
static void end_all(hk_nodes *n, bool stop) {
    enum { SECOND_NS = 1000000000, LOOK_MS = 2 };
    bool late = n->late || hk_watch_hung(n->watch); /* who has not answered until now will not */
    int64_t until = hk_clock_ns() + (late ? SECOND_NS / 4 : SECOND_NS);
    if (stop)
        hk_wires_stop(n->wires);
    for (look_after(n); any_left(n); look_after_all(n)) {
        stop = stop || hk_wires_stopped(n->wires);
        for (unsigned i = 0; i < n->count && stop && hk_clock_ns() > until; i++)
            if (n->all[i].pid)
                end_node(n, i);
        (void)poll(NULL, 0, LOOK_MS);
    }
}

/* One message for a process that is gone without having said why. */
static hk_status say_lost(hk_nodes *n, uint32_t number) {
    const node *x = &n->all[number];
    if (x->last_words)
        return hk_error(n->ctx, HK_E_UNIT_CRASHED, HK_NOWHERE, NULL, "%s", x->last_words);
    if (x->met)
        return hk_error(n->ctx, HK_E_NODE_LOST, HK_NOWHERE,
                        "the record holds what was known before",
                        "%s is gone: its process ended without a word%s",
                        hk_watch_name(n->watch, number), n->lost_at);
    bool killed = WIFSIGNALED(x->how);
    if (!killed && WEXITSTATUS(x->how) == CUT_OFF)
        return hk_error(n->ctx, HK_E_NODE_LOST, HK_NOWHERE,
                        "a component must not close what it has not opened; --isolate protects",
                        "%s is gone: a component of it has closed what it speaks through%s",
                        hk_watch_name(n->watch, number), n->lost_at);
    return hk_error(n->ctx, HK_E_NODE_LOST, HK_NOWHERE, "the record holds what was known before",
                    "%s is gone: its process ended by %s %d%s", hk_watch_name(n->watch, number),
                    killed ? "signal" : "exit status",
                    killed ? WTERMSIG(x->how) : WEXITSTATUS(x->how), n->lost_at);
}

/* One message for a run that was ended from here. */
static hk_status say_hung(hk_nodes *n) {
    const char *hung = hk_watch_hung(n->watch);
    if (hung)
        return hk_error(n->ctx, HK_E_UNIT_HUNG, HK_NOWHERE,
                        "raise --watchdog if it needs more time", "%s", hung);
    char limit[HK_NUMBER_MAX + 1];
    limit[hk_write_f64(n->timeout_s, limit)] = '\0';
    return hk_error(n->ctx, HK_E_UNIT_HUNG, HK_NOWHERE, "raise --timeout",
                    "the run is not finished after %s s: %s", limit, n->late);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* All nodes read the same state: what they find in it, as we did, was said. */
static bool was_said(const hk_nodes *n, const hk_diag *d) {
    for (size_t i = n->loading_said; i < n->loaded_said; i++) {
        const hk_diag *own = hk_ctx_diag(n->ctx, i);
        if (own->code == d->code && same_text(own->text, d->text) &&
            same_text(own->where.file, d->where.file) &&
            same_text(own->where.element, d->where.element))
            return true;
    }
    return false;
}

static void say_what_nodes_said(hk_nodes *n) {
    for (unsigned i = 0; i < n->count; i++)
        for (size_t k = 0; n->all[i].said && k < hk_ctx_count(n->all[i].said, HK_NOTE); k++)
            if (!was_said(n, hk_ctx_diag(n->all[i].said, k)))
                hk_say_again(n->ctx, hk_ctx_diag(n->all[i].said, k));
}

/* What the nodes have to say, in their order; the status of the one whose failure ended the run. */
static hk_status gather(hk_nodes *n, hk_status status) {
    say_what_nodes_said(n);
    hk_status first = HK_OK;
    hk_tick when = HK_TICK_NEVER;
    for (unsigned i = 0; i < n->count; i++) {
        const node *x = &n->all[i];
        bool own = x->has_told && x->status != HK_OK && x->status != HK_E_NODE_LOST;
        if (own && x->reached < when) {
            first = x->status;
            when = x->reached;
        }
    }
    if (first != HK_OK)
        return first;
    if (hk_watch_hung(n->watch) || n->late)
        return say_hung(n);
    if (n->first_lost < n->count)
        return say_lost(n, n->first_lost);
    if (status == HK_E_NODE_LOST && !hk_ctx_count(n->ctx, HK_ERROR))
        return hk_error(n->ctx, status, HK_NOWHERE, NULL,
                        "a node ended before it had sent all that others wait for");
    return status;
}

static hk_status place(hk_ctx *ctx, hk_nodes *n, const hk_plan *plan,
                       const hk_sim_options *sim_options, const hk_nodes_options *options) {
    size_t components = plan->model->component_count;
    uint32_t *node_of = HK_NEW_ARRAY(n->arena, uint32_t, components + 1);
    if (options->node_of)
        memcpy(node_of, options->node_of, components * sizeof *node_of);
    else
        hk_place_components(plan, options->count, NULL, node_of);
    hk_placement placement = {
        .node_of = node_of, .node_count = options->count + 1, .recorder = options->count};
    return hk_part_flows(ctx, plan, &placement, sim_options, &n->flows);
}

/* ---- processes that were started by hand ---- */

static hk_status meet(hk_nodes *n, const hk_meeting *meeting) {
    int *fds = HK_NEW_ARRAY(n->arena, int, n->count);
    HK_TRY(hk_meeting_hold(n->ctx, meeting, fds));
    for (uint32_t i = 0; i < n->count; i++)
        n->all[i] = (node){.pid = NO_PROCESS, .met = true, .fd = fds[i]};
    n->first_lost = hk_meeting_hand_out(fds, n->count, n->wires);
    return n->first_lost == n->count ? HK_OK : say_lost(n, n->first_lost);
}

/* Those hear how it went. */
static hk_status tell_end(const hk_nodes *n, hk_status status, const hk_sim *sim) {
    for (unsigned i = 0; i < n->count; i++)
        if (n->all[i].met && n->all[i].fd >= 0)
            hk_meeting_tell_end(n->all[i].fd, n->ctx, status, sim);
    return status;
}

/* This process is one of them. */
static hk_status join(hk_nodes *n, const hk_meeting *meeting, const hk_sim_options *sim_options,
                      hk_sim **ret_sim) {
    n->count = 0; /* it looks after nobody */
    return hk_joined_start(n->ctx, n->flows, meeting, sim_options, &n->joined, ret_sim);
}

hk_status hk_nodes_start(hk_ctx *ctx, const hk_plan *plan, const hk_sim_options *sim_options,
                         const hk_nodes_options *options, hk_nodes **ret_nodes, hk_sim **ret_sim) {
    HK_ASSERT(ctx && plan && sim_options && options && ret_nodes && ret_sim);
    HK_ASSERT(options->count > 0 && !sim_options->part);
    hk_arena *arena = hk_arena_create();
    hk_nodes *n = HK_NEW(arena, hk_nodes);
    *n = (hk_nodes){.ctx = ctx, .arena = arena, .count = options->count};
    n->first_lost = n->count;
    n->all = HK_NEW_ARRAY(arena, node, n->count);
    hk_status status = place(ctx, n, plan, sim_options, options);
    bool joins = options->meet && options->meet->number;
    const hk_meeting meeting = {options->meet, n->count, options->transport, sim_options->timeout_s,
                                options->agreement};
    if (status == HK_OK && options->meet)
        hk_nodes_agree(n->flows, sim_options, options);
    if (status == HK_OK && joins)
        status = join(n, &meeting, sim_options, ret_sim);
    else if (status == HK_OK)
        status = (options->meet ? hk_wires_make_open
                                : hk_wires_make)(ctx, n->flows, options->transport, &n->wires);
    n->loaded = options->states.load;
    if (status == HK_OK && !joins)
        status = hk_shelves_make(ctx, n->wires, n->count, &options->states, &n->shelves);
    if (status == HK_OK && !joins)
        n->watch = hk_watch_create(ctx, n->wires, n->flows, options->watchdog_s);
    if (sim_options->timeout_s > 0 && sim_options->timeout_s < 1e9) {
        n->timeout_s = sim_options->timeout_s;
        n->late_ns = hk_clock_ns() + (int64_t)(n->timeout_s * 1e9);
    }
    n->part = (hk_sim_part){.flows = n->flows, .node = n->count};
    if (status == HK_OK && options->meet && !joins)
        status = meet(n, &meeting);
    for (uint32_t i = 0; i < n->count && status == HK_OK && !options->meet; i++)
        status = start_node(n, i, sim_options, options);
    if (status == HK_OK && !joins) {
        hk_sim_options o = *sim_options;
        n->part.wire = hk_wires_take(n->wires, n->count, look_after_all, n);
        o.part = &n->part;
        status = hk_sim_create(ctx, plan, &o, ret_sim);
        if (status != HK_OK) {
            end_all(n, true);
            status = tell_end(n, gather(n, status), NULL);
        }
    }
    if (status != HK_OK) {
        hk_nodes_destroy(n);
        return status;
    }
    *ret_nodes = n;
    return HK_OK;
}

/* Nodes have refused a state, each because of a component of its own: as in one process, only the
 * first of these components is worth a message. */
static hk_status say_refusal(hk_nodes *n, hk_status status) {
    const hk_model *model = n->flows->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++) {
        const node *x = &n->all[n->flows->placement.node_of[c]];
        for (size_t k = 0; x->said && k < hk_ctx_count(x->said, HK_NOTE); k++) {
            const hk_diag *d = hk_ctx_diag(x->said, k);
            if (d->severity != HK_ERROR || !same_text(d->where.element, model->components[c].name))
                continue;
            hk_say_again(n->ctx, d);
            return d->code;
        }
    }
    return gather(n, status);
}

hk_status hk_nodes_load(hk_nodes *n, hk_sim *sim) {
    HK_ASSERT(n && sim && n->loaded);
    size_t errors = hk_ctx_count(n->ctx, HK_ERROR);
    n->loading_said = hk_ctx_count(n->ctx, HK_NOTE);
    hk_status status = hk_sim_load_file(sim, n->loaded);
    n->loaded_said = hk_ctx_count(n->ctx, HK_NOTE);
    if (status == HK_OK)
        return status;
    end_all(n, true);
    return hk_ctx_count(n->ctx, HK_ERROR) > errors ? status : say_refusal(n, status);
}

hk_status hk_nodes_save(hk_nodes *n, const char *path) {
    HK_ASSERT(n && path);
    return hk_shelves_save(n->shelves, path);
}

hk_status hk_nodes_run(hk_nodes *n, hk_sim *sim, const hk_checkpoints *checkpoints) {
    HK_ASSERT(n && sim && checkpoints);
    if (n->joined)
        return hk_joined_run(n->joined, sim);
    hk_status status = hk_shelves_run(n->shelves, sim, checkpoints);
    bool stop = status != HK_OK || hk_sim_end_reason(sim);
    if (stop) /* there is a reason already */
        n->late_ns = 0;
    hk_wires_leave(n->wires, n->count);
    end_all(n, stop);
    for (unsigned i = 0; i < n->count; i++)
        if (!n->all[i].has_told) { /* it had no chance to clean up */
            hk_folder_remove_leftovers();
            break;
        }
    return tell_end(n, gather(n, status), sim);
}

void hk_nodes_destroy(hk_nodes *n) {
    if (!n)
        return;
    if (n->wires)
        end_all(n, true);
    for (unsigned i = 0; i < n->count; i++) {
        if (n->all[i].pid == 0 && n->all[i].fd > 0)
            close(n->all[i].fd);
        hk_ctx_destroy(n->all[i].said);
        hk_free(n->all[i].told.data);
    }
    hk_shelves_destroy(n->shelves);
    hk_joined_destroy(n->joined);
    hk_watch_destroy(n->watch);
    hk_wires_destroy(n->wires);
    hk_plan_flows_destroy(n->flows);
    hk_arena_destroy(n->arena);
}

uint64_t hk_nodes_messages(const hk_nodes *n) {
    HK_ASSERT(n);
    return n->joined ? hk_joined_messages(n->joined) : hk_wires_sent(n->wires);
}
