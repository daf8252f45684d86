/* SPDX-License-Identifier: MIT
 *
 * Nodes and transitions of a machine as shapes and arrows. */
#include "chart/chart_run.h"
#include "chart/chart_words.h"
#include "draw/diagram.h"

#include <inttypes.h>

static const hk_diagram_room ACTION = {.width = 210, .lines = 5};
static const hk_diagram_room LABEL = {.width = 170, .lines = 3};

static const char *count_words(const hk_diagram *d, uint64_t count) {
    return hk_canvas_print(d->canvas, "%" PRIu64 "\u00d7", count);
}

static const char *node_path(const hk_diagram *d, const hk_chart_machine *m, uint32_t node) {
    const hk_chart_node *n = &m->nodes[node];
    return hk_canvas_print(d->canvas, "%s.%s",
                           n->parent == HK_CHART_NONE ? m->path : node_path(d, m, n->parent),
                           n->name);
}

static void add_action(hk_diagram *d, hk_diagram_shape *shape, const char *word,
                       const char *action) {
    if (!action)
        return;
    hk_diagram_room room = ACTION;
    room.who = shape->path;
    hk_diagram_add_words(d, &shape->words, hk_canvas_print(d->canvas, "%s %s", word, action), room);
}

static size_t add_node(hk_diagram *d, uint32_t machine, uint32_t node, size_t parent) {
    static const hk_diagram_kind kinds[] = {
        [HK_CHART_INITIAL] = HK_DIAGRAM_INITIAL,
        [HK_CHART_FINAL] = HK_DIAGRAM_FINAL,
        [HK_CHART_JUNCTION] = HK_DIAGRAM_JUNCTION,
        [HK_CHART_PROBABILISTIC] = HK_DIAGRAM_PROBABILISTIC,
        [HK_CHART_STATE] = HK_DIAGRAM_STATE,
    };
    const hk_chart_machine *m = &d->chart->machines[machine];
    const hk_chart_node *n = &m->nodes[node];
    const hk_diagram_counts *counts = d->options->counts;
    hk_diagram_shape shape = {
        .kind = kinds[n->kind], .parent = parent, .path = node_path(d, m, node), .seen = true};
    if (n->kind == HK_CHART_STATE) {
        hk_chart_state_words words = hk_chart_words_of_state(hk_canvas_arena(d->canvas), n);
        if (counts) {
            uint64_t count = counts->nodes[hk_chart_first_node(d->chart, machine) + node];
            shape.count = count_words(d, count);
            shape.seen = count > 0;
        }
        hk_diagram_add_name(&shape.words, n->name);
        add_action(d, &shape, "entry", words.entry);
        add_action(d, &shape, "during", words.during);
        add_action(d, &shape, "exit", words.exit);
    }
    return hk_diagram_add_shape(d, shape);
}

static void add_transition(hk_diagram *d, uint32_t machine, uint32_t index, const size_t *shapes) {
    const hk_chart_machine *m = &d->chart->machines[machine];
    const hk_chart_transition *t = &m->transitions[index];
    const hk_diagram_counts *counts = d->options->counts;
    hk_chart_transition_words words = hk_chart_words_of_transition(hk_canvas_arena(d->canvas), t);
    const char *parts[3] = {words.trigger, words.guard, words.action};
    hk_diagram_arrow arrow = {
        .from = shapes[t->from], .to = shapes[t->to], .transition = true, .seen = true};
    const char *whole = "";
    for (size_t i = 0; i < 3; i++)
        whole = parts[i] ? hk_canvas_print(d->canvas, "%s\n%s", whole, parts[i]) : whole;
    if (counts) {
        uint64_t count = counts->transitions[hk_chart_first_transition(d->chart, machine) + index];
        hk_diagram_add_name(&arrow.words, count_words(d, count));
        arrow.seen = count > 0;
        arrow.look = count ? NULL : "d1";
    }
    arrow.tip = hk_canvas_print(d->canvas, "transition %s.%s: %s \u2192 %s%s", m->path, t->name,
                                d->shapes[arrow.from].path, d->shapes[arrow.to].path, whole);
    hk_diagram_room room = LABEL;
    room.who = hk_canvas_print(d->canvas, "%s.%s", m->path, t->name);
    hk_diagram_add_parts(d, &arrow.words, parts, room);
    hk_diagram_add_arrow(d, arrow);
}

void hk_diagram_collect_states(hk_diagram *d, uint32_t machine, size_t parent) {
    const hk_chart_machine *m = &d->chart->machines[machine];
    size_t *shapes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, m->node_count + 1);
    for (int initial = 1; initial >= 0; initial--) /* the layout begins with what comes first */
        for (uint32_t i = 0; i < m->node_count; i++)
            if ((m->nodes[i].kind == HK_CHART_INITIAL && m->nodes[i].depth == 0) == initial) {
                uint32_t around = m->nodes[i].parent;
                size_t shape = around == HK_CHART_NONE ? parent : shapes[around];
                shapes[i] = add_node(d, machine, i, shape);
            }
    for (uint32_t i = 0; i < m->transition_count; i++)
        add_transition(d, machine, i, shapes);
}
