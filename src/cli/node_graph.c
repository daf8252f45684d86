/* SPDX-License-Identifier: MIT
 *
 * `hocket node GRAPH.node`: a graph that was written by hand, run by the time rules alone: a
 * process for each node, a pipe for each flow, and nobody in the centre. What the cells compute is
 * nothing; what is shown is that all come to their end, and how often each was activated. */
#include "cli/node_graph.h"

#include "base/child.h"
#include "base/file.h"
#include "engine/guard.h"
#include "report/graph_pipes.h"
#include "time/cycles.h"
#include "time/node_file.h"
#include "time/nodes_promela.h"
#include "time/rules.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct graph_run {
    hk_cli *cli;
    hk_arena *arena;
    hk_flow_graph *graph;
    int (*pipes)[2];       /* per flow */
    pid_t *pids;           /* per node */
    int *told;             /* per node: how it went; -1: none */
    uint64_t *activations; /* per cell */
    uint64_t *sent;        /* per flow */
    uint64_t *taken;
} graph_run;

/* All of it, or false: who wrote is gone. */
static bool take(int fd, void *ret, size_t size) {
    for (char *at = ret; size;) {
        ssize_t n = read(fd, at, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* ---- in the process of a node ---- */

/* Who has closed a flow needs nothing of it any more. */
static void give(int fd, const hk_graph_message *m) {
    while (write(fd, m, sizeof *m) < 0 && errno == EINTR)
        continue;
}

static hk_breach do_one(graph_run *r, hk_rules *rules, const hk_rules_action *a) {
    hk_graph_message m = {a->at, a->promise};
    switch (a->what) {
    case HK_RULES_RUN:
        r->activations[a->cell]++;
        return hk_rules_ran(rules, a->cell, a->at);
    case HK_RULES_SEND:
        give(r->pipes[a->flow][1], &m);
        r->sent[a->flow]++;
        return hk_rules_sent(rules, a->flow, a->at, a->promise);
    case HK_RULES_CLOSE:
        close(r->pipes[a->flow][0]);
        return hk_rules_closed(rules, a->flow);
    case HK_RULES_RECEIVE:
        if (!take(r->pipes[a->flow][0], &m, sizeof m))
            hk_guard_end(hk_status_exit(HK_E_NODE_LOST));
        r->taken[a->flow]++;
        return hk_rules_received(rules, a->flow, m.stamp, m.promise);
    case HK_RULES_END:
        break;
    }
    return HK_BREACH_NONE;
}

_Noreturn static void be_node(graph_run *r, uint32_t node, int fd) {
    const hk_flow_graph *g = r->graph;
    hk_rules *rules = hk_rules_make(r->arena, g, node);
    for (uint32_t f = 0; f < g->flow_count; f++) { /* ends of others: they end with those */
        if (g->cells[g->flows[f].from].node != node)
            close(r->pipes[f][1]);
        if (g->cells[g->flows[f].to].node != node)
            close(r->pipes[f][0]);
    }
    hk_rules_action a;
    hk_breach breach = HK_BREACH_NONE;
    signal(SIGPIPE, SIG_IGN);
    while (breach == HK_BREACH_NONE && (a = hk_rules_next_action(rules)).what != HK_RULES_END)
        breach = do_one(r, rules, &a);
    if (breach != HK_BREACH_NONE)
        hk_guard_end(hk_status_exit(HK_E_INTERNAL));
    hk_child_put(fd, r->activations, g->cell_count * sizeof *r->activations);
    hk_child_put(fd, r->sent, g->flow_count * sizeof *r->sent);
    hk_child_put(fd, r->taken, g->flow_count * sizeof *r->taken);
    hk_guard_end(0);
}

/* ---- in this one ---- */

static hk_status start_nodes(graph_run *r) {
    pid_t parent = getpid();
    for (uint32_t n = 0; n < r->graph->node_count; n++) {
        int fd = -1, problem = hk_child_fork(&r->pids[n], &fd);
        if (problem)
            return hk_error(r->cli->ctx, HK_E_INTERNAL, HK_NOWHERE, "use fewer nodes",
                            "no process could be started: %s", strerror(problem));
        if (r->pids[n] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != parent)
                hk_guard_end(hk_status_exit(HK_E_INTERRUPTED));
            be_node(r, n, fd);
        }
        r->told[n] = fd;
    }
    return HK_OK;
}

static bool hear_numbers(int fd, uint64_t *sums, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t number = 0;
        if (!take(fd, &number, sizeof number))
            return false;
        sums[i] += number;
    }
    return true;
}

/* How each ended; the first that did not is named. */
static hk_status hear_all(graph_run *r) {
    const hk_flow_graph *g = r->graph;
    hk_status status = HK_OK;
    for (uint32_t n = 0; n < g->node_count; n++) {
        if (r->told[n] < 0)
            continue;
        bool good = hear_numbers(r->told[n], r->activations, g->cell_count) &&
                    hear_numbers(r->told[n], r->sent, g->flow_count) &&
                    hear_numbers(r->told[n], r->taken, g->flow_count);
        hk_child child = {r->pids[n], r->told[n]};
        (void)hk_child_end(&child, !good);
        if (!good && status == HK_OK)
            status = hk_error(r->cli->ctx, HK_E_NODE_LOST, g->nodes[n].where, NULL,
                              "node '%s' did not come to its end", g->nodes[n].name);
    }
    return status;
}

static void show(const graph_run *r, const char *path) {
    const hk_flow_graph *g = r->graph;
    hk_json json;
    if (!r->cli->json) {
        for (uint32_t c = 0; c < g->cell_count && !r->cli->quiet; c++)
            printf("cell %-20s %10llu activation%s\n", g->cells[c].name,
                   (unsigned long long)r->activations[c], hk_plural(r->activations[c]));
        for (uint32_t f = 0; f < g->flow_count && !r->cli->quiet; f++)
            printf("flow %-20s %10llu sent, %llu taken\n", g->flows[f].name,
                   (unsigned long long)r->sent[f], (unsigned long long)r->taken[f]);
        return;
    }
    hk_answer_begin(r->cli, &json, "node");
    hk_json_string(&json, "file", path);
    HK_JSON_EACH(&json, "cells", c, g->cell_count) {
        hk_json_string(&json, "name", g->cells[c].name);
        hk_json_i64(&json, "activations", (int64_t)r->activations[c]);
    }
    HK_JSON_EACH(&json, "flows", f, g->flow_count) {
        hk_json_string(&json, "name", g->flows[f].name);
        hk_json_i64(&json, "sent", (int64_t)r->sent[f]);
        hk_json_i64(&json, "taken", (int64_t)r->taken[f]);
    }
    hk_answer_end(&json);
}

/* A message takes about a microsecond: what takes minutes is said before. */
static void warn_of_length(const graph_run *r) {
    const hk_flow_graph *g = r->graph;
    const double many = 1e8;
    for (uint32_t c = 0; c < g->cell_count; c++) {
        const hk_flow_cell *cell = &g->cells[c];
        double cycle = 0;
        for (uint32_t k = 0; k < cell->period_count; k++)
            cycle += (double)cell->periods[k];
        double all = (double)(g->nodes[cell->node].end - cell->offset) / cycle * cell->period_count;
        if (all > many) {
            hk_warn(r->cli->ctx, HK_E_TIME, cell->where,
                    "choose a longer period, or an earlier stop time",
                    "the cell '%s' is activated about %s times, which takes long", cell->name,
                    hk_show_count(r->arena, (uint64_t)all));
            return;
        }
    }
}

static hk_status run(graph_run *r, const char *path) {
    const hk_flow_graph *g = r->graph;
    r->pids = HK_NEW_ARRAY(r->arena, pid_t, g->node_count + 1);
    r->told = HK_NEW_ARRAY(r->arena, int, g->node_count + 1);
    r->activations = HK_NEW_ARRAY(r->arena, uint64_t, g->cell_count + 1);
    r->sent = HK_NEW_ARRAY(r->arena, uint64_t, g->flow_count + 1);
    r->taken = HK_NEW_ARRAY(r->arena, uint64_t, g->flow_count + 1);
    for (uint32_t n = 0; n < g->node_count; n++)
        r->told[n] = -1;
    hk_status status = hk_graph_pipes_open(r->cli->ctx, r->arena, g, &r->pipes);
    if (status == HK_OK)
        warn_of_length(r);
    (void)fflush(NULL);
    if (status == HK_OK)
        status = start_nodes(r);
    hk_graph_pipes_close(g, r->pipes);
    hk_status heard = hear_all(r);
    status = status == HK_OK ? heard : status;
    if (status == HK_OK)
        show(r, path);
    return status;
}

static hk_status write_promela(const graph_run *r, const char *path) {
    const char *text =
        hk_nodes_promela(r->arena, r->graph, &(hk_promela_options){.progress_of = HK_MAP_NONE});
    if (!text)
        return hk_error(r->cli->ctx, HK_E_TIME, HK_NOWHERE, "choose a coarser tick",
                        "a time of the graph is too large for spin");
    return hk_file_write(r->cli->ctx, path, text, strlen(text));
}

hk_status hk_node_graph(hk_cli *cli, const char *path, const char *promela) {
    HK_ASSERT(cli && path);
    graph_run r = {.cli = cli, .arena = hk_arena_create()};
    hk_status status = hk_node_file_read(cli->ctx, path, &r.graph);
    if (status == HK_OK && promela) /* also of one that hangs: spin is to find that */
        status = write_promela(&r, promela);
    else if (status == HK_OK)
        status = hk_flow_graph_check(cli->ctx, r.graph);
    if (status == HK_OK && !promela)
        status = run(&r, path);
    hk_flow_graph_destroy(r.graph);
    hk_arena_destroy(r.arena);
    return status;
}
