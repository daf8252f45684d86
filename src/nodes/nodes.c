/* SPDX-License-Identifier: MIT
 *
 * The processes of a run. They are forked from the one that has read and planned the model, so that
 * all of them have the same; nothing of them outlives it. Each tells at its end how it went, over a
 * pipe; one that is gone without a word is found by its process. */
#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"
#include "engine/guard.h"
#include "fmi/fmi.h"
#include "nodes/node_listeners.h"
#include "nodes/nodes_internal.h"
#include "plan/place.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A process that nobody has: what is started by hand is neither waited for nor killed. */
enum { NO_PROCESS = INT32_MAX };

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
        hk_nodes_live(n, number, sim_options, options, fd);
    }
    (void)fcntl(fd, F_SETFL, O_NONBLOCK);
    n->all[number] = (hk_node){.pid = pid, .fd = fd};
    hk_watch_node(n->watch, number, pid);
    return HK_OK;
}

static bool take_report(hk_nodes *n, hk_node *x) {
    uint64_t head = 0;
    if (x->told.size < sizeof head)
        return false;
    memcpy(&head, x->told.data, sizeof head);
    uint64_t size = head & ~HK_LAST_WORDS;
    if (x->told.size - sizeof head < size || x->has_told)
        return false;
    const char *data = x->told.data + sizeof head;
    hk_buffer_source s = {n->arena, data, size, true};
    if (head & HK_LAST_WORDS) {
        hk_source_get(&s, &x->last_moment, sizeof x->last_moment);
        if (s.good) {
            x->last_words = hk_arena_strndup(n->arena, s.at, s.left);
            size_t length = strlen(x->last_words);
            x->last_hint = length < s.left ? x->last_words + length + 1 : "";
        }
        return false;
    }
    x->status = (hk_status)hk_source_u64(&s);
    x->has_told = hk_said_unpack(&s, &x->said);
    x->accounted = (hk_bytes){s.at, s.left}; /* in what it has told, to which nothing is added */
    return true;
}

/* What a node has told since we looked last. */
static void listen_to(hk_nodes *n, hk_node *x) {
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
static bool is_gone(hk_node *x) {
    if (x->met)
        return x->has_told || x->fd < 0;
    pid_t gone = waitpid(x->pid, &x->how, WNOHANG);
    return gone != 0 && !(gone < 0 && errno == EINTR);
}

/* One that does not stop. */
static void make_stop(hk_node *x) {
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
        hk_node *x = &n->all[i];
        if (!x->pid)
            continue;
        listen_to(n, x);
        if (!is_gone(x))
            continue;
        listen_to(n, x);
        x->pid = 0;
        hk_watch_node(n->watch, i, 0);
        bool lost = !x->has_told && !x->last_words && !x->ended;
        if (lost && n->first_lost == n->count) {
            n->first_lost = i;
            n->lost_at = hk_watch_lost(n->watch, i);
        }
        hk_wires_leave(n->wires, i);
    }
}

/* It does not end by itself. Who was found to hang is reported anyway. */
static void end_node(hk_nodes *n, unsigned number) {
    hk_node *x = &n->all[number];
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

/* It waits for another one, and ends when that does. */
static bool is_held_up(const hk_nodes *n, unsigned number) {
    hk_node_place place;
    hk_wires_place(n->wires, number, &place);
    return place.waits_for != HK_MAP_NONE;
}

/* Waits for all processes. Those that are told to stop, and do not, are made to: first those who
 * are to blame. */
static void end_all(hk_nodes *n, bool stop) {
    enum { SECOND_NS = 1000000000, GRACE_NS = SECOND_NS / 4, LOOK_MS = 2 };
    bool late = n->late || hk_watch_hung(n->watch); /* who has not answered until now will not */
    int64_t until = hk_clock_ns() + (late ? GRACE_NS : SECOND_NS);
    if (stop)
        hk_wires_stop(n->wires);
    for (look_after(n); any_left(n); look_after_all(n)) {
        stop = stop || hk_wires_stopped(n->wires);
        int64_t over = hk_clock_ns() - until;
        for (unsigned i = 0; i < n->count && stop && over > 0; i++)
            if (n->all[i].pid && (over > GRACE_NS || !is_held_up(n, i)))
                end_node(n, i);
        (void)poll(NULL, 0, LOOK_MS);
    }
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
    for (uint32_t i = 0; i < n->count; i++) {
        n->all[i] = (hk_node){.pid = NO_PROCESS, .met = true, .fd = fds[i]};
        hk_watch_node(n->watch, i, NO_PROCESS);
    }
    n->first_lost = hk_meeting_hand_out(fds, n->count, n->wires);
    return n->first_lost == n->count ? HK_OK : hk_nodes_say_lost(n, n->first_lost);
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

/* The wires and all that comes with them, in the process that starts or meets the nodes. */
static hk_status equip(hk_nodes *n, const hk_sim_options *sim_options,
                       const hk_nodes_options *options) {
    HK_TRY((options->meet ? hk_wires_make_open : hk_wires_make)(n->ctx, n->flows,
                                                                options->transport, &n->wires));
    n->watch = hk_watch_create(n->ctx, n->wires, n->flows, options->watchdog_s);
    n->loaded = options->states.load;
    if (sim_options->timeout_s > 0 && sim_options->timeout_s < 1e9) {
        n->timeout_s = sim_options->timeout_s;
        n->late_ns = hk_clock_ns() + (int64_t)(n->timeout_s * 1e9);
    }
    HK_TRY(hk_shelves_make(n->ctx, n->wires, n->count, &options->states, &n->shelves));
    if (n->trace.write)
        HK_TRY(hk_lines_make(n->ctx, n->count, &n->traced));
    return hk_fmu_has_journal() && !options->meet ? hk_lines_make(n->ctx, n->count, &n->logged)
                                                  : HK_OK;
}

/* This process is the recorder. */
static hk_status lead(hk_nodes *n, const hk_meeting *meeting, const hk_sim_options *sim_options,
                      const hk_nodes_options *options, hk_sim **ret_sim) {
    hk_sim_options own = *sim_options;
    own.threads = 1; /* it runs no component */
    own.listeners = hk_listeners_of_recorder(n->arena, sim_options, &n->trace);
    HK_TRY(equip(n, sim_options, options));
    if (options->meet)
        HK_TRY(meet(n, meeting));
    for (uint32_t i = 0; i < n->count && !options->meet; i++)
        HK_TRY(start_node(n, i, sim_options, options));
    n->part = (hk_sim_part){.flows = n->flows,
                            .node = n->count,
                            .wire = hk_wires_take(n->wires, n->count, look_after_all, n)};
    own.part = &n->part;
    n->said_before = hk_ctx_count(n->ctx, HK_NOTE);
    hk_status status = hk_sim_create(n->ctx, n->flows->plan, &own, ret_sim);
    if (status == HK_OK)
        return HK_OK;
    end_all(n, true);
    return tell_end(n, hk_nodes_gather(n, status, HK_MOMENT_AFTER), NULL);
}

hk_status hk_nodes_start(hk_ctx *ctx, const hk_plan *plan, const hk_sim_options *sim_options,
                         const hk_nodes_options *options, hk_nodes **ret_nodes, hk_sim **ret_sim) {
    HK_ASSERT(ctx && plan && sim_options && options && ret_nodes && ret_sim);
    HK_ASSERT(options->count > 0 && !sim_options->part);
    hk_arena *arena = hk_arena_create();
    hk_nodes *n = HK_NEW(arena, hk_nodes);
    *n = (hk_nodes){.ctx = ctx, .arena = arena, .count = options->count, .lost_at = ""};
    n->first_lost = n->count;
    n->all = HK_NEW_ARRAY(arena, hk_node, n->count);
    hk_status status = place(ctx, n, plan, sim_options, options);
    const hk_meeting meeting = {.meet = options->meet,
                                .count = n->count,
                                .transport = options->transport,
                                .timeout_s = sim_options->timeout_s,
                                .agreement = options->agreement,
                                .stopped = options->stopped,
                                .user = options->user};
    if (status == HK_OK && options->meet)
        hk_nodes_agree(n->flows, sim_options, options);
    if (status == HK_OK)
        status = options->meet && options->meet->number
                     ? join(n, &meeting, sim_options, ret_sim)
                     : lead(n, &meeting, sim_options, options, ret_sim);
    if (status != HK_OK) {
        hk_nodes_destroy(n);
        return status;
    }
    *ret_nodes = n;
    return HK_OK;
}

/* The run could not go on. True: since a component has failed, and not since a process is gone, or
 * since we have ended it. */
static bool is_failure(hk_nodes *n) {
    enum { SECOND_NS = 1000000000, LOOK_MS = 1 };
    hk_moment when;
    int64_t until = hk_clock_ns() + SECOND_NS;
    if (n->late || hk_watch_hung(n->watch))
        return false;
    for (look_after(n); n->first_lost == n->count && hk_clock_ns() < until; look_after(n)) {
        for (unsigned i = 0; i < n->count; i++)
            if (hk_node_has_failed(&n->all[i], &when))
                return true;
        (void)poll(NULL, 0, LOOK_MS);
    }
    return false;
}

/* What they did, added up with what the recorder did. */
static void take_accounts(hk_nodes *n, hk_sim *sim) {
    for (unsigned i = 0; i < n->count; i++) {
        hk_node *x = &n->all[i];
        hk_buffer_source s = {n->arena, x->accounted.data, x->accounted.size, true};
        if (x->has_told && x->accounted.size && !hk_sim_take_account(sim, &s, &x->account))
            x->account = (hk_part_account){0};
    }
}

/* One that was killed had no chance to clean up. */
static void clean_up(const hk_nodes *n) {
    for (unsigned i = 0; i < n->count; i++)
        if (!n->all[i].has_told) {
            hk_folder_remove_leftovers();
            return;
        }
}

hk_status hk_nodes_load(hk_nodes *n, hk_sim *sim) {
    HK_ASSERT(n && sim && n->loaded);
    size_t errors = hk_ctx_count(n->ctx, HK_ERROR);
    hk_status status = hk_sim_load_file(sim, n->loaded);
    if (status == HK_OK)
        return status;
    end_all(n, true);
    return hk_ctx_count(n->ctx, HK_ERROR) > errors ? status : hk_nodes_say_refusal(n, status);
}

hk_status hk_nodes_save(hk_nodes *n, const char *path) {
    HK_ASSERT(n && path);
    return hk_shelves_save(n->shelves, path);
}

hk_status hk_nodes_run(hk_nodes *n, hk_sim *sim, const hk_checkpoints *checkpoints) {
    HK_ASSERT(n && sim && checkpoints);
    if (n->joined)
        return hk_joined_run(n->joined, sim);
    n->sim = sim;
    hk_status status = hk_shelves_run(n->shelves, sim, checkpoints);
    bool lost = status == HK_E_NODE_LOST, stop = status != HK_OK || hk_sim_end_reason(sim);
    if (lost && is_failure(n))
        hk_sim_settle(sim);
    hk_part_fall_back(sim);
    if (stop) /* there is a reason already */
        n->late_ns = 0;
    if (status == HK_OK)
        hk_wires_end(n->wires, hk_part_last(sim));
    hk_wires_leave(n->wires, n->count);
    end_all(n, stop);
    clean_up(n);
    take_accounts(n, sim);
    status = hk_nodes_gather(n, status, lost ? HK_MOMENT_AFTER : hk_sim_end_moment(sim));
    return tell_end(n, status, sim);
}

void hk_nodes_destroy(hk_nodes *n) {
    if (!n)
        return;
    if (n->wires)
        end_all(n, true);
    for (unsigned i = 0; i < n->count; i++) {
        if (n->all[i].pid == 0 && n->all[i].fd > 0)
            close(n->all[i].fd);
        hk_said_finish(&n->all[i].said);
        hk_free(n->all[i].told.data);
    }
    hk_shelves_destroy(n->shelves);
    hk_joined_destroy(n->joined);
    hk_watch_destroy(n->watch);
    hk_wires_destroy(n->wires);
    hk_lines_destroy(n->traced);
    hk_lines_destroy(n->logged);
    hk_plan_flows_destroy(n->flows);
    hk_arena_destroy(n->arena);
}

unsigned hk_nodes_count(const hk_nodes *n) {
    HK_ASSERT(n);
    return n->count;
}

hk_node_about hk_nodes_about(const hk_nodes *n, unsigned number) {
    HK_ASSERT(n && number < n->count);
    const hk_model *model = n->flows->plan->model;
    hk_node_about about = {.members = hk_watch_members(n->watch, number),
                           .did = n->all[number].account,
                           .sent = hk_wires_sent_by(n->wires, number)};
    const char **names = HK_NEW_ARRAY(n->arena, const char *, model->component_count);
    for (uint32_t c = 0; c < model->component_count; c++)
        if (n->flows->placement.node_of[c] == number)
            names[about.component_count++] = model->components[c].name;
    about.components = names;
    return about;
}

uint64_t hk_nodes_messages(const hk_nodes *n) {
    HK_ASSERT(n);
    return n->joined ? hk_joined_messages(n->joined) : hk_wires_sent(n->wires);
}
