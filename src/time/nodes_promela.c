/* SPDX-License-Identifier: MIT
 *
 * A process keeps for each of its cells how long it is until its next activation (due), and for
 * each flow to it how long until the stamp that is promised (next). A message is nothing but the
 * distance to the next stamp; 0: it is the last. */
#include "time/nodes_promela.h"

#include "time/bounds.h"

#include <stdio.h>
#include <stdlib.h>

/* Variables have 16 bits. */
enum { TIME_MAX = 8000, NEVER = 32000, CAPACITY_MAX = 250 };

typedef struct writer {
    FILE *out;
    const hk_flow_graph *graph;
    const hk_promela_options *options;
    const int64_t *capacity;
    int64_t *left; /* per cell: activations in all */
} writer;

static bool ends(const writer *w) {
    return !w->options->endless;
}

static bool never_runs(const writer *w, uint32_t cell) {
    return ends(w) && w->left[cell] == 0;
}

static int64_t activations_of(const hk_flow_graph *graph, uint32_t cell) {
    int64_t count = 0;
    for (hk_activation activation = hk_activation_first(graph, cell);
         activation.at != HK_TICK_NEVER && count <= TIME_MAX;
         activation = hk_activation_next(graph, cell, activation))
        count++;
    return count;
}

/* Names are people's: nothing in a comment may end it. */
static void write_comment(writer *w, const char *name) {
    fprintf(w->out, " /* ");
    for (const char *c = name; *c; c++)
        fputc(*c == '*' || *c == '/' || *c == '\\' || (unsigned char)*c < ' ' ? '?' : *c, w->out);
    fprintf(w->out, " */\n");
}

/* ---- flows ----------------------------------------------------------------------------------- */

static void write_channels(writer *w) {
    for (uint32_t f = 0; f < w->graph->flow_count; f++) {
        const hk_flow *flow = &w->graph->flows[f];
        fprintf(w->out, "chan q%u = [%lld] of { short };", f, (long long)w->capacity[f]);
        write_comment(w, flow->name);
        if (ends(w))
            fprintf(w->out, "bool closed%u%s;\n", f,
                    never_runs(w, flow->to) && !w->options->never_closed ? " = true" : "");
    }
}

/* Behind those with smaller numbers, before those with larger ones. */
static void write_least(writer *w, const hk_flow_list *in, uint32_t i) {
    fprintf(w->out, "next%u <= 0", in->all[i]);
    for (uint32_t k = 0; k < in->count; k++)
        if (k != i)
            fprintf(w->out, " && next%u %s next%u", in->all[i], k < i ? "<" : "<=", in->all[k]);
}

static void write_waiting(writer *w, const hk_flow_cell *cell) {
    if (!cell->in.count)
        return;
    fprintf(w->out, "    do\n");
    for (uint32_t i = 0; i < cell->in.count; i++) {
        uint32_t f = cell->in.all[i];
        fprintf(w->out, "    :: ");
        write_least(w, &cell->in, i);
        fprintf(w->out,
                " ->\n      q%u ? gap;\n"
                "      atomic { if :: gap == 0 -> next%u = NEVER :: else -> next%u = next%u + gap "
                "fi; gap = 0 }\n",
                f, f, f, f);
    }
    fprintf(w->out, "    :: else -> break\n    od;\n");
}

static void write_sending(writer *w, uint32_t flow) {
    const int64_t *most = w->options->at_most;
    fprintf(w->out, "    ");
    if (ends(w))
        fprintf(w->out, "if\n    :: closed%u\n    :: atomic { !closed%u && nfull(q%u) -> ", flow,
                flow, flow);
    fprintf(w->out, "q%u ! gap", flow);
    if (most && most[flow])
        fprintf(w->out, "; assert(len(q%u) <= %lld)", flow, (long long)most[flow]);
    fprintf(w->out, ends(w) ? " }\n    fi;\n" : ";\n");
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The node's time becomes that of the cell. */
static void write_shift(writer *w, const hk_flow_list *cells, uint32_t cell) {
    fprintf(w->out, "    atomic {\n      gap = due%u;\n", cell);
    for (uint32_t i = 0; i < cells->count; i++) {
        uint32_t c = cells->all[i];
        fprintf(w->out, "      if :: due%u < NEVER -> due%u = due%u - gap :: else fi;\n", c, c, c);
        for (uint32_t k = 0; k < w->graph->cells[c].in.count; k++) {
            uint32_t f = w->graph->cells[c].in.all[k];
            fprintf(w->out, "      if :: next%u < NEVER -> next%u = next%u - gap :: else fi;\n", f,
                    f, f);
        }
    }
    fprintf(w->out, "      gap = 0\n    };\n");
}

/* The distance to the next activation, in gap. */
static void write_gap(writer *w, uint32_t cell) {
    const hk_flow_cell *c = &w->graph->cells[cell];
    fprintf(w->out, "    atomic {\n");
    if (c->period_count > 1) {
        fprintf(w->out, "      if\n");
        for (uint32_t i = 0; i < c->period_count; i++)
            fprintf(w->out, "      :: turn%u == %u -> gap = %lld\n", cell, i,
                    (long long)c->periods[i]);
        fprintf(w->out, "      fi;\n      turn%u = (turn%u + 1) %% %u;\n", cell, cell,
                c->period_count);
    } else {
        fprintf(w->out, "      gap = %lld;\n", (long long)c->periods[0]);
    }
    if (ends(w))
        fprintf(w->out, "      left%u--;\n      if :: left%u == 0 -> gap = 0 :: else fi;\n", cell,
                cell);
    fprintf(w->out, "      skip\n    };\n");
}

/* It has run and sent: the next activation, or none. */
static void write_next(writer *w, uint32_t cell) {
    const hk_flow_list *in = &w->graph->cells[cell].in;
    if (!ends(w)) {
        fprintf(w->out, "    atomic { due%u = due%u + gap; gap = 0 }\n", cell, cell);
        return;
    }
    fprintf(w->out, "    atomic {\n      if\n      :: gap == 0 -> due%u = NEVER", cell);
    for (uint32_t i = 0; i < in->count; i++) {
        fprintf(w->out, "; next%u = NEVER", in->all[i]);
        if (!w->options->never_closed)
            fprintf(w->out, "; closed%u = true", in->all[i]);
    }
    fprintf(w->out, "\n      :: else -> due%u = due%u + gap; gap = 0\n      fi\n    }\n", cell,
            cell);
}

/* The first of those that are due first. */
static void write_choice(writer *w, const hk_flow_list *cells, uint32_t i) {
    fprintf(w->out, "  :: due%u < NEVER", cells->all[i]);
    for (uint32_t k = 0; k < cells->count; k++)
        if (k != i)
            fprintf(w->out, " && due%u %s due%u", cells->all[i], k < i ? "<" : "<=", cells->all[k]);
    fprintf(w->out, " ->");
    write_comment(w, w->graph->cells[cells->all[i]].name);
}

static void write_cell(writer *w, const hk_flow_list *cells, uint32_t i, bool progress) {
    uint32_t cell = cells->all[i];
    const hk_flow_cell *c = &w->graph->cells[cell];
    write_choice(w, cells, i);
    write_shift(w, cells, cell);
    write_waiting(w, c);
    if (progress)
        fprintf(w->out, "progress%u:\n", cell);
    write_gap(w, cell);
    for (uint32_t k = 0; k < c->out.count; k++)
        write_sending(w, c->out.all[k]);
    write_next(w, cell);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void write_variables(writer *w, uint32_t cell) {
    const hk_flow_graph *g = w->graph;
    const hk_flow_cell *c = &g->cells[cell];
    long long due = never_runs(w, cell) ? NEVER : (long long)c->offset;
    fprintf(w->out, "  short due%u = %lld;\n", cell, due);
    if (ends(w))
        fprintf(w->out, "  short left%u = %lld;\n", cell, (long long)w->left[cell]);
    if (c->period_count > 1)
        fprintf(w->out, "  byte turn%u = 0;\n", cell);
    for (uint32_t i = 0; i < c->in.count; i++) {
        const hk_flow *flow = &g->flows[c->in.all[i]];
        bool never = never_runs(w, flow->from) || never_runs(w, cell);
        fprintf(w->out, "  short next%u = %lld;\n", c->in.all[i],
                never ? (long long)NEVER : (long long)(g->cells[flow->from].offset + flow->lag));
    }
}

static void write_node(writer *w, uint32_t node) {
    const hk_flow_node *n = &w->graph->nodes[node];
    bool progress = w->options->endless && w->options->progress_of == node;
    fprintf(w->out, "active proctype node%u() {", node);
    write_comment(w, n->name);
    fprintf(w->out, "  short gap = 0;\n");
    for (uint32_t i = 0; i < n->cells.count; i++)
        write_variables(w, n->cells.all[i]);
    fprintf(w->out, "  do\n");
    for (uint32_t i = 0; i < n->cells.count; i++)
        write_cell(w, &n->cells, i, progress);
    if (ends(w))
        fprintf(w->out, "  :: else -> break\n");
    fprintf(w->out, n->cells.count || ends(w) ? "  od\n}\n" : "  :: false\n  od\n}\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool is_small(const writer *w) {
    const hk_flow_graph *g = w->graph;
    for (uint32_t c = 0; c < g->cell_count; c++)
        if (hk_cell_longest(g, c) > TIME_MAX || g->cells[c].period_count > CAPACITY_MAX ||
            (ends(w) && w->left[c] > TIME_MAX))
            return false;
    for (uint32_t f = 0; f < g->flow_count; f++)
        if (g->flows[f].lag > TIME_MAX || w->capacity[f] > CAPACITY_MAX)
            return false;
    return true;
}

static const int64_t *own_capacities(hk_arena *arena, const hk_flow_graph *graph) {
    int64_t *capacity = HK_NEW_ARRAY(arena, int64_t, graph->flow_count);
    const hk_flow_bound *bounds = hk_flow_bounds(arena, graph);
    for (uint32_t f = 0; f < graph->flow_count; f++)
        capacity[f] = bounds[f].capacity;
    return capacity;
}

const char *hk_nodes_promela(hk_arena *arena, const hk_flow_graph *graph,
                             const hk_promela_options *options) {
    char *text = NULL;
    size_t size = 0;
    writer w = {.graph = graph,
                .options = options,
                .capacity = options->capacity ? options->capacity : own_capacities(arena, graph),
                .left = HK_NEW_ARRAY(arena, int64_t, graph->cell_count)};
    for (uint32_t c = 0; c < graph->cell_count && ends(&w); c++)
        w.left[c] = activations_of(graph, c);
    if (!is_small(&w))
        return NULL;
    w.out = open_memstream(&text, &size);
    HK_ASSERT(w.out);
    fprintf(w.out,
            "/* %u nodes, %u flows. A message is the distance to the next stamp; 0: it is the "
            "last. */\n#define NEVER %d\n",
            graph->node_count, graph->flow_count, NEVER);
    write_channels(&w);
    for (uint32_t n = 0; n < graph->node_count; n++)
        write_node(&w, n);
    fclose(w.out);
    const char *kept = hk_arena_strndup(arena, text, size);
    free(text);
    return kept;
}
