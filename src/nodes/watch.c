/* SPDX-License-Identifier: MIT
 *
 * The wait-for chain: each node waits for one other at most, so that there is one end of it, which
 * is to blame when nothing goes on. Texts are put together without memory, since a handler of a
 * signal asks for them, too. */
#include "nodes/watch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/thread.h"
#include "engine/guard.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 50000000, TEXT = 4096, FEW = 4 };
static const int64_t SECOND_NS = 1000000000, SLOW_NS = 5 * SECOND_NS, SILENT_NS = 5 * SECOND_NS;

/* What was seen of a node, and for how long that has been so. */
typedef struct seen {
    pid_t pid;   /* 0: it is gone */
    int stopped; /* by which signal; 0: it is not */
    hk_tick now;
    uint64_t sent, call;
    int64_t still_ns; /* it has not come further */
    int64_t call_ns;  /* it is in the same call, or is stopped */
    int64_t mute_ns;  /* it does not answer */
} seen;

struct hk_node_watch {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_wires *wires;
    const hk_plan_flows *flows;
    const char **names, **long_names; /* "node 2"; "node 2 ('b', 'c')" */
    seen *nodes;
    hk_node_place *places, *asked; /* room for a look; the second one is the handler's */
    uint32_t count;
    pid_t process; /* that looks */
    int64_t looked_ns, watchdog_ns, slow_ns;
    uint32_t slow; /* the node that is slow; HK_MAP_NONE: none is */
    uint32_t culprit;
    const char *hung;
};

static hk_node_watch *volatile current; /* a handler of a signal can reach nothing but globals */

/* ---- in the process of a node ---- */

static void *answer(void *user) {
    enum { LONG_MS = 60000 };
    hk_wires *wires = user;
    char text[HK_PLACE_TEXT];
    for (;;) {
        if (!hk_wires_asked(wires, LONG_MS))
            continue;
        uint64_t call = hk_guard_look(text, sizeof text);
        hk_wires_answer(wires, call, text);
    }
    return NULL;
}

void hk_watch_answer(hk_wires *wires) {
    HK_ASSERT(wires);
    pthread_t thread;
    if (hk_thread_start(&thread, answer, wires) == 0) /* else: nobody is told which call it is in */
        pthread_detach(thread);
}

/* ---- texts ---- */

typedef struct text {
    char *at;
    size_t size, room;
} text;

static void add(text *t, const char *words) {
    for (; *words && t->size + 1 < t->room; words++)
        t->at[t->size++] = (unsigned char)*words < ' ' || *words == 0x7f ? ' ' : *words;
    t->at[t->size] = '\0';
}

static void end_line(text *t) {
    if (t->size + 1 < t->room)
        t->at[t->size++] = '\n';
    t->at[t->size] = '\0';
}

static void add_seconds(text *t, const hk_node_watch *w, hk_tick tick) {
    char number[HK_NUMBER_MAX + 1];
    number[hk_write_f64(hk_tick_seconds(tick, w->flows->plan->ticks_per_second), number)] = '\0';
    add(t, number);
    add(t, " s");
}

/* " for 'b' of node 2". */
static void add_for(text *t, const hk_node_watch *w, const hk_node_place *p) {
    const hk_plan_flow *f = &w->flows->all[p->waits_for];
    const char *component = w->flows->plan->model->components[f->component].name;
    add(t, p->room ? " until " : " for '");
    add(t, p->room ? w->names[f->to] : component);
    add(t, p->room ? " takes what '" : "' of ");
    add(t, p->room ? component : w->names[f->from]);
    add(t, p->room ? "' has sent" : "");
}

static const char *stop_name(int number) {
    return number == SIGSTOP   ? "SIGSTOP"
           : number == SIGTSTP ? "SIGTSTP"
           : number == SIGTTIN ? "SIGTTIN"
                               : "SIGTTOU";
}

/* "t = 2.5 s, in component 'b' (fmi2DoStep since 3 s)". */
static void add_place(text *t, const hk_node_watch *w, uint32_t node, const hk_node_place *p) {
    const seen *s = &w->nodes[node];
    if (!s->stopped && p->waits_for == HK_MAP_NONE && p->doing[0]) {
        add(t, p->doing);
        return;
    }
    add(t, "t = ");
    add_seconds(t, w, p->now);
    if (s->stopped) {
        add(t, ", its process is stopped (");
        add(t, stop_name(s->stopped));
        add(t, ")");
    } else if (p->waits_for == HK_MAP_NONE) {
        add(t, p->for_all         ? ", waits for all nodes"
               : node == w->count ? ", busy with its own work"
               : !s->pid          ? ", its process has ended"
               : p->answered      ? ", no simulation is made"
                                  : ", it does not answer");
    }
}

static uint32_t waits_for_node(const hk_node_watch *w, const hk_node_place *p) {
    const hk_plan_flow *f = &w->flows->all[p->waits_for];
    return p->room ? f->to : f->from;
}

/* All nodes as they are now. With ASK they are asked which call they are in, which takes a little;
 * a node that is in a call answers all the same. What they wait for is of before: meanwhile they
 * may wait for the one who asks. */
static void look_at_all(const hk_node_watch *w, hk_node_place *ret_places, bool ask) {
    enum { TIMES = 100, WAIT_NS = 2000000 };
    for (uint32_t i = 0; i <= w->count; i++)
        hk_wires_place(w->wires, i, &ret_places[i]);
    if (!ask)
        return;
    hk_wires_ask(w->wires);
    bool all = false;
    for (int k = 0; k < TIMES && !all; k++) {
        all = true;
        for (uint32_t i = 0; i < w->count; i++) {
            hk_node_place now;
            hk_wires_place(w->wires, i, &now);
            all = all && (now.answered || !w->nodes[i].pid || w->nodes[i].stopped);
            ret_places[i].answered = now.answered;
            ret_places[i].call = now.call;
            memcpy(ret_places[i].doing, now.doing, sizeof now.doing);
        }
        if (!all)
            (void)nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
}

/* Follows the chain from FROM on, and returns its end; HK_MAP_NONE: it has none. T may be NULL. */
static uint32_t follow(const hk_node_watch *w, const hk_node_place *places, uint32_t from,
                       text *t) {
    uint32_t node = from;
    for (uint32_t steps = 0; steps <= w->count; steps++) {
        const hk_node_place *p = &places[node];
        if (p->waits_for == HK_MAP_NONE || (node < w->count && w->nodes[node].stopped))
            return node;
        if (t) {
            add(t, steps ? ", which" : w->names[node]);
            add(t, " waits");
            add_for(t, w, p);
        }
        node = waits_for_node(w, p);
    }
    return HK_MAP_NONE;
}

/* Where to begin: at the recorder; where it waits for all, with the one of them that is behind. */
static uint32_t first_to_wait(const hk_node_watch *w, const hk_node_place *places) {
    uint32_t behind = w->count;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->nodes[i].pid && (behind == w->count || places[i].now < places[behind].now))
            behind = i;
    return places[w->count].left || places[w->count].for_all ? behind : w->count;
}

/* The chain has no end: everybody waits, and nothing will come. */
static bool all_still(const hk_node_watch *w) {
    for (uint32_t i = 0; i < w->count; i++)
        if (w->nodes[i].pid && w->nodes[i].still_ns < w->watchdog_ns)
            return false;
    return w->watchdog_ns > 0;
}

/* "the recorder waits for 'b' of node 2; it is at t = 2.5 s, in ...". */
static void add_chain(text *t, const hk_node_watch *w, const hk_node_place *places) {
    size_t before = t->size;
    uint32_t end = follow(w, places, first_to_wait(w, places), t);
    if (end == HK_MAP_NONE) {
        add(t, all_still(w) ? "; all of them wait for each other" : "; a message is under way");
        return;
    }
    add(t, t->size > before ? "; it" : w->names[end]);
    add(t, " is at ");
    add_place(t, w, end, &places[end]);
}

static const char *keep(hk_node_watch *w, const text *t) {
    return hk_arena_strndup(w->arena, t->at, t->size);
}

const char *hk_watch_name(const hk_node_watch *w, uint32_t node) {
    HK_ASSERT(w && node <= w->count);
    return w->long_names[node];
}

const char *hk_watch_lost(hk_node_watch *w, uint32_t node) {
    HK_ASSERT(w && node < w->count);
    char room[TEXT];
    text t = {.at = room, .room = sizeof room};
    hk_node_place p;
    hk_wires_place(w->wires, node, &p);
    add(&t, " at t = ");
    add_seconds(&t, w, p.now);
    unsigned waiting = 0;
    for (uint32_t i = w->count + 1; i-- > 0;) { /* the recorder first */
        hk_wires_place(w->wires, i, &p);
        if (i == node || p.waits_for == HK_MAP_NONE || waiting++ >= FEW)
            continue;
        add(&t, waiting == 1 ? "; waiting then: " : ", ");
        add(&t, w->names[i]);
        add_for(&t, w, &p);
    }
    if (waiting > FEW)
        add(&t, " and others");
    return keep(w, &t);
}

const char *hk_watch_chain(hk_node_watch *w) {
    HK_ASSERT(w);
    char room[TEXT];
    text t = {.at = room, .room = sizeof room};
    look_at_all(w, w->places, true);
    add_chain(&t, w, w->places);
    return keep(w, &t);
}

const char *hk_watch_place(hk_node_watch *w, uint32_t node) {
    HK_ASSERT(w && node < w->count);
    char room[TEXT];
    text t = {.at = room, .room = sizeof room};
    look_at_all(w, w->places, true);
    add_place(&t, w, node, &w->places[node]);
    return keep(w, &t);
}

size_t hk_watch_tell(char *room, size_t size) {
    HK_ASSERT(room || !size);
    const hk_node_watch *w = current;
    text t = {.at = room, .room = size};
    if (!w || !size || w->process != getpid())
        return 0;
    int kept = errno;
    look_at_all(w, w->asked, true);
    for (uint32_t i = w->count + 1; i-- > 0;) { /* the recorder first */
        const hk_node_place *p = &w->asked[i];
        add(&t, w->long_names[i]);
        add(&t, ": ");
        add_place(&t, w, i, p);
        if (p->waits_for != HK_MAP_NONE) {
            add(&t, ", waits");
            add_for(&t, w, p);
        }
        end_line(&t);
    }
    add_chain(&t, w, w->asked);
    end_line(&t);
    errno = kept;
    return t.size;
}

/* ---- looking ---- */

/* Stops and continues are told once; an end is left to the one who waits for the process. */
static void look_at_process(seen *s) {
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (!s->pid || waitid(P_PID, (id_t)s->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) != 0 ||
            !info.si_pid)
            return;
        s->stopped = info.si_code == CLD_CONTINUED ? 0 : info.si_status;
    }
}

static void look_at_node(hk_node_watch *w, uint32_t node, int64_t passed) {
    seen *s = &w->nodes[node];
    hk_node_place p;
    look_at_process(s);
    hk_wires_place(w->wires, node, &p);
    bool still = p.now == s->now && p.sent == s->sent;
    bool same_call = s->stopped || !p.answered || (p.call && p.call == s->call);
    s->still_ns = still ? s->still_ns + passed : 0;
    s->call_ns = still && same_call ? s->call_ns + passed : 0;
    s->mute_ns = p.answered ? 0 : s->mute_ns + passed;
    s->now = p.now;
    s->sent = p.sent;
    s->call = p.answered ? p.call : s->call;
}

static void say_slow(hk_node_watch *w, uint32_t node) {
    const seen *s = &w->nodes[node];
    hk_note(w->ctx, HK_NOWHERE, "%s has been slow for %lld s: %s", w->long_names[node],
            (long long)(s->still_ns / SECOND_NS), hk_watch_chain(w));
}

/* A node hangs that is stopped, or in one call for too long; who is silent for still longer, too.
 */
static bool hangs(const hk_node_watch *w, uint32_t node) {
    const seen *s = &w->nodes[node];
    if (!w->watchdog_ns || s->still_ns < w->watchdog_ns)
        return false;
    /* As it was seen last: by now it is asked again, and may not have answered yet. */
    bool answered = s->mute_ns == 0, silent = s->mute_ns >= w->watchdog_ns + SILENT_NS;
    return s->stopped || silent || (answered && s->call && s->call_ns >= w->watchdog_ns);
}

static void blame(hk_node_watch *w, uint32_t node) {
    char seconds[HK_NUMBER_MAX + 1];
    seconds[hk_write_f64((double)w->watchdog_ns * 1e-9, seconds)] = '\0';
    w->culprit = node;
    w->hung = hk_arena_printf(w->arena, "%s %s not gone on for %s s: %s",
                              node == HK_MAP_NONE ? "the nodes" : w->long_names[node],
                              node == HK_MAP_NONE ? "have" : "has", seconds, hk_watch_chain(w));
}

bool hk_watch_look(hk_node_watch *w) {
    HK_ASSERT(w);
    int64_t now = hk_clock_ns(), passed = now - w->looked_ns;
    if (w->hung || passed < LOOK_NS)
        return w->hung;
    /* While this process is stopped, so are the others, or nobody waits for them. */
    passed = passed < SECOND_NS / 2 ? passed : SECOND_NS / 2;
    w->looked_ns = now;
    for (uint32_t i = 0; i < w->count; i++)
        look_at_node(w, i, passed);
    look_at_all(w, w->places, false);
    uint32_t end = follow(w, w->places, first_to_wait(w, w->places), NULL);
    if (end == w->count)
        return false;
    if (end == HK_MAP_NONE) {
        if (all_still(w))
            blame(w, HK_MAP_NONE);
        return w->hung;
    }
    const seen *s = &w->nodes[end];
    if (s->still_ns >= (w->watchdog_ns ? LOOK_NS : SECOND_NS) &&
        (s->mute_ns == 0 || s->mute_ns >= SECOND_NS))
        hk_wires_ask(w->wires);
    if (end != w->slow || s->still_ns < w->slow_ns / 2) {
        w->slow = end;
        w->slow_ns = SLOW_NS;
    }
    if (hangs(w, end)) {
        blame(w, end);
    } else if (s->still_ns >= w->slow_ns) {
        say_slow(w, end);
        w->slow_ns *= 2;
    }
    return w->hung;
}

uint32_t hk_watch_culprit(const hk_node_watch *w) {
    HK_ASSERT(w);
    return w->culprit;
}

const char *hk_watch_hung(const hk_node_watch *w) {
    HK_ASSERT(w);
    return w->hung;
}

/* ---- begin and end ---- */

const char *hk_watch_members(const hk_node_watch *w, uint32_t number) {
    HK_ASSERT(w && number < w->count);
    const hk_model *model = w->flows->plan->model;
    const char *names = "";
    size_t count = 0;
    for (uint32_t c = 0; c < model->component_count; c++) {
        if (w->flows->placement.node_of[c] != number)
            continue;
        if (count < FEW)
            names = hk_arena_printf(w->arena, "%s%s'%s'", names, count ? ", " : "",
                                    model->components[c].name);
        count++;
    }
    return count > FEW ? hk_arena_printf(w->arena, "%s and %zu more", names, count - FEW) : names;
}

hk_node_watch *hk_watch_create(hk_ctx *ctx, hk_wires *wires, const hk_plan_flows *flows,
                               double watchdog_s) {
    HK_ASSERT(ctx && wires && flows && flows->placement.node_count > 0);
    hk_arena *arena = hk_arena_create();
    hk_node_watch *w = HK_NEW(arena, hk_node_watch);
    *w = (hk_node_watch){.ctx = ctx,
                         .arena = arena,
                         .wires = wires,
                         .flows = flows,
                         .count = flows->placement.node_count - 1,
                         .process = getpid(),
                         .looked_ns = hk_clock_ns(),
                         .watchdog_ns = (int64_t)((watchdog_s < 1e9 ? watchdog_s : 1e9) * 1e9),
                         .slow_ns = SLOW_NS,
                         .slow = HK_MAP_NONE,
                         .culprit = HK_MAP_NONE};
    HK_ASSERT(flows->placement.recorder == w->count);
    w->nodes = HK_NEW_ARRAY(arena, seen, w->count + 1);
    w->places = HK_NEW_ARRAY(arena, hk_node_place, w->count + 1);
    w->asked = HK_NEW_ARRAY(arena, hk_node_place, w->count + 1);
    w->names = HK_NEW_ARRAY(arena, const char *, w->count + 1);
    w->long_names = HK_NEW_ARRAY(arena, const char *, w->count + 1);
    for (uint32_t i = 0; i < w->count; i++) {
        w->names[i] = hk_arena_printf(arena, "node %u", (unsigned)i + 1);
        const char *members = hk_watch_members(w, i);
        w->long_names[i] =
            hk_arena_printf(arena, "%s (%s)", w->names[i], *members ? members : "no component");
    }
    w->names[w->count] = w->long_names[w->count] = "the recorder";
    current = w;
    return w;
}

void hk_watch_destroy(hk_node_watch *w) {
    if (!w)
        return;
    if (current == w)
        current = NULL;
    hk_arena_destroy(w->arena);
}

void hk_watch_node(hk_node_watch *w, uint32_t node, pid_t pid) {
    HK_ASSERT(w && node < w->count);
    w->nodes[node].pid = pid;
}

/* Waits until all are gone, but not for long. */
static void end_all_by(hk_node_watch *w, int number) {
    enum { TIMES = 150, WAIT_NS = 2000000 };
    uint32_t left = 0;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->nodes[i].pid)
            (void)kill(w->nodes[i].pid, number);
    for (int k = 0; k < TIMES; k++) {
        left = 0;
        for (uint32_t i = 0; i < w->count; i++) {
            if (w->nodes[i].pid && waitpid(w->nodes[i].pid, NULL, WNOHANG) != 0)
                w->nodes[i].pid = 0;
            left += w->nodes[i].pid != 0;
        }
        if (!left)
            return;
        (void)nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
}

/* First they may clean up, wherever they are. */
void hk_watch_end_nodes(void) {
    hk_node_watch *w = current;
    if (!w || w->process != getpid())
        return;
    end_all_by(w, SIGRTMIN);
    end_all_by(w, SIGKILL);
}

static void on_end(int number) {
    (void)number;
    hk_folder_remove_temporary();
    hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
}

void hk_watch_end_when_told(void) {
    struct sigaction action = {.sa_handler = on_end};
    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, NULL);
}
