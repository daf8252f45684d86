/* SPDX-License-Identifier: MIT
 *
 * Where the ages of a graph are written: beside the arrows, or in a table below, in which senders
 * with the same receivers share a line. */
#include "draw/graph_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 12,    /* arrows that all have a label */
    OTHERS = 12, /* labels beside arrows if those with the usual age have none */
    MARGIN = 16,
    LINE = 16,
    GAP = 8
};

/* ---- beside the arrows ---- */

static const char *most_common(const hk_graph_drawing *d, size_t *ret_count) {
    const char *best = NULL;
    *ret_count = 0;
    for (size_t i = 0; i < d->flow_count; i++) {
        size_t count = 0;
        for (size_t k = 0; k < d->flow_count; k++)
            count += strcmp(d->flows[i].age, d->flows[k].age) == 0;
        if (count > *ret_count) {
            *ret_count = count;
            best = d->flows[i].age;
        }
    }
    return best;
}

/* "5 ms (3)": with the number of connections. */
static const char *label_of(const hk_graph_drawing *d, const hk_graph_flow *f) {
    return f->count == 1 ? f->age : hk_canvas_print(d->canvas, "%s (%zu)", f->age, f->count);
}

void hk_graph_choose_labels(hk_graph_drawing *d) {
    size_t usual = 0;
    const char *age = d->flow_count > FEW ? most_common(d, &usual) : NULL;
    d->tabled = age && d->flow_count - usual > OTHERS;
    d->usual = d->tabled ? NULL : age;
    for (size_t i = 0; i < d->flow_count && !d->tabled; i++)
        if (!age || strcmp(d->flows[i].age, age) != 0)
            d->flows[i].label = label_of(d, &d->flows[i]);
}

void hk_graph_table_ages(hk_graph_drawing *d) {
    d->tabled = true;
    d->usual = NULL;
    for (size_t i = 0; i < d->flow_count; i++)
        d->flows[i].label = NULL;
}

/* ---- as a table ---- */

/* Flows of one age from one sender, or from several that have the same receivers. */
typedef struct line {
    const hk_graph_flow *first;
    const char *senders, *receivers;
} line;

/* The last part of a component's name if it is the only one that ends so, else the whole. */
static const char *short_name(const hk_graph_drawing *d, uint32_t component) {
    const hk_model *model = d->plan->model;
    const char *name = model->components[component].name, *part = hk_text_last_part(name);
    for (uint32_t i = 0; i < model->component_count; i++)
        if (i != component && strcmp(hk_text_last_part(model->components[i].name), part) == 0)
            return name;
    return part;
}

static int by_age(const void *a, const void *b) {
    const hk_graph_flow *f = *(const hk_graph_flow *const *)a,
                        *g = *(const hk_graph_flow *const *)b;
    if (f->any != g->any)
        return f->any ? -1 : 1;
    if (f->most != g->most)
        return f->most < g->most ? -1 : 1;
    if (f->least != g->least)
        return f->least < g->least ? -1 : 1;
    return f->from != g->from ? (f->from < g->from ? -1 : 1) : (f->to > g->to) - (f->to < g->to);
}

static const hk_graph_flow **sorted(const hk_graph_drawing *d) {
    const hk_graph_flow **all =
        HK_NEW_ARRAY(hk_canvas_arena(d->canvas), const hk_graph_flow *, d->flow_count + 1);
    for (size_t i = 0; i < d->flow_count; i++)
        all[i] = &d->flows[i];
    qsort(all, d->flow_count, sizeof(const hk_graph_flow *), by_age);
    return all;
}

/* Senders of one age that have the same receivers become one line. */
static void merge(const hk_graph_drawing *d, line *lines, size_t *count) {
    line last = lines[*count - 1];
    for (size_t i = 0; i + 1 < *count; i++)
        if (strcmp(lines[i].first->age, last.first->age) == 0 &&
            strcmp(lines[i].receivers, last.receivers) == 0) {
            lines[i].senders = hk_canvas_print(d->canvas, "%s, %s", lines[i].senders, last.senders);
            --*count;
            return;
        }
}

static line *make_lines(const hk_graph_drawing *d, size_t *ret_count) {
    const hk_graph_flow **all = sorted(d);
    line *lines = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), line, d->flow_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < d->flow_count; i++) {
        const hk_graph_flow *f = all[i], *before = i ? all[i - 1] : NULL;
        const char *to = short_name(d, f->to);
        if (f->count > 1)
            to = hk_canvas_print(d->canvas, "%s (%zu)", to, f->count);
        if (before && before->from == f->from && strcmp(before->age, f->age) == 0) {
            lines[count - 1].receivers =
                hk_canvas_print(d->canvas, "%s, %s", lines[count - 1].receivers, to);
            continue;
        }
        if (count)
            merge(d, lines, &count);
        lines[count++] = (line){f, short_name(d, f->from), to};
    }
    if (count)
        merge(d, lines, &count);
    *ret_count = count;
    return lines;
}

double hk_graph_put_wrapped(const hk_graph_drawing *d, hk_label label, double room) {
    label.lettering = HK_LETTERS_SMALL;
    return hk_canvas_text_wrapped(d->canvas, label, room, LINE);
}

double hk_graph_draw_ages(const hk_graph_drawing *d, double y, double width) {
    size_t count;
    line *lines = make_lines(d, &count);
    double column = 0;
    for (size_t i = 0; i < count; i++)
        column = fmax(column, hk_lettering_pixels(HK_LETTERS_STRONG, lines[i].first->age));
    column = MARGIN + ceil(column) + 14;
    for (size_t i = 0; i < count; i++) {
        bool again = i && strcmp(lines[i].first->age, lines[i - 1].first->age) == 0;
        if (!again)
            hk_canvas_text_in(d->canvas,
                              (hk_label){.x = MARGIN,
                                         .y = y + 11,
                                         .lettering = HK_LETTERS_STRONG,
                                         .words = lines[i].first->age},
                              column - MARGIN);
        const char *words =
            hk_canvas_print(d->canvas, "%s \u2192 %s", lines[i].senders, lines[i].receivers);
        hk_label label = {.x = column, .y = y + 11, .words = words};
        y = hk_graph_put_wrapped(d, label, width - column - MARGIN) - 11;
    }
    return count ? y + GAP : y;
}
