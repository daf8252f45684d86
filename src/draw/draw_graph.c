/* SPDX-License-Identifier: MIT */
#include "draw/draw_graph.h"

#include "base/map.h"
#include "draw/gantt.h"
#include "draw/graph_drawing.h"
#include "model/tree.h"
#include "plan/ages.h"

#include <math.h>
#include <string.h>

enum {
    MARGIN = 16,
    BELOW = 8,
    HEADING = 30,
    BOX_HEIGHT = 42,
    BOX_MIN = 70,
    NAME_MAX = 200, /* pixels; longer names are shortened */
    NEST_LABEL = 18,
    LEGEND_LINE = 22,
    WIDTH_MIN = 480,
    NONE = HK_SVG_COLOURS - 1 /* the colour of what is on no processor: grey */
};

static const double LABELS_APART = 70; /* pixels between boxes, for labels on arrows */

/* ---- what is drawn ---- */

/* "5 ms", "0 \u2026 15 ms" */
static const char *age_words(const hk_graph_drawing *d, const hk_graph_flow *f) {
    if (!f->any)
        return "initial values";
    const char *most = hk_gantt_time(hk_canvas_arena(d->canvas), d->plan, f->most);
    if (f->least == f->most)
        return most;
    const char *least = hk_gantt_time(hk_canvas_arena(d->canvas), d->plan, f->least);
    const char *unit = strchr(least, ' '), *same = strchr(most, ' ');
    int length = unit && same && strcmp(unit, same) == 0 ? (int)(unit - least) : (int)strlen(least);
    return hk_canvas_print(d->canvas, "%.*s \u2026 %s", length, least, most);
}

static hk_graph_flow *flow_of(hk_graph_drawing *d, hk_map *known, const hk_hop *hop, bool service) {
    const char *key = hk_canvas_print(d->canvas, "%u %u %d", hop->from, hop->to, service);
    uint32_t next = (uint32_t)d->flow_count, found = hk_map_put(known, key, next);
    if (found == next)
        d->flows[d->flow_count++] = (hk_graph_flow){.from = hop->from,
                                                    .to = hop->to,
                                                    .least = INT64_MAX,
                                                    .most = INT64_MIN,
                                                    .service = service,
                                                    .list = ""};
    return &d->flows[found];
}

static void collect_flows(hk_graph_drawing *d) {
    hk_map known = {0};
    uint32_t count = hk_hop_count(d->plan);
    d->flows = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_graph_flow, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        enum { NAMED = 12 };
        hk_hop hop = hk_plan_hop(d->plan, i);
        hk_ages ages = hk_age_hop(d->plan, i);
        hk_graph_flow *f = flow_of(d, &known, &hop, hk_hop_dependency(d->plan, i) != NULL);
        if (ages.any) {
            f->least = ages.min < f->least ? ages.min : f->least;
            f->most = ages.max > f->most ? ages.max : f->most;
            f->any = true;
        }
        f->earlier = f->earlier || hop.lag > 0;
        if (f->count++ < NAMED)
            f->list = hk_canvas_print(d->canvas, "%s\n%s", f->list, hk_hop_name(d->plan, i));
        else if (f->count == NAMED + 1)
            f->list = hk_canvas_print(d->canvas, "%s\n\u2026", f->list);
    }
    for (size_t i = 0; i < d->flow_count; i++)
        d->flows[i].age = age_words(d, &d->flows[i]);
    hk_map_finish(&known);
}

/* What is written at the nest called NAME: the last part of it, and the role if one is declared
 * there. */
static const char *nest_words(const hk_graph_drawing *d, const char *name) {
    const hk_model *model = d->plan->model;
    const hk_tree_element *e = model->tree ? model->tree->root : NULL;
    const char *shown = *name == ' ' ? model->root : hk_text_last_part(name);
    for (const char *at = name; e && *name != ' ' && *at; at += *at == '.') {
        size_t length = strcspn(at, ".");
        e = hk_tree_find(e, hk_arena_strndup(hk_canvas_arena(d->canvas), at, length));
        at += length;
    }
    return e && e->role != HK_TREE_NO_ROLE
               ? hk_canvas_print(d->canvas, "%s (%s)", shown, hk_tree_role_words[e->role])
               : shown;
}

/* The nest called NAME, and those around it; SIZE_MAX: it is none. */
static size_t nest_of(hk_graph_drawing *d, hk_map *known, const char *name) {
    hk_layout *l = &d->layout;
    if (!name)
        return SIZE_MAX;
    uint32_t found = hk_map_get(known, name);
    if (found != HK_MAP_NONE)
        return found;
    const char *dot = strrchr(name, '.');
    const char *outer =
        dot ? hk_arena_strndup(hk_canvas_arena(d->canvas), name, (size_t)(dot - name)) : NULL;
    const char *root = d->plan->model->root;
    size_t parent = nest_of(d, known,
                            outer          ? outer
                            : *name == ' ' ? NULL
                            : root         ? " " /* the outermost composite */
                                           : NULL);
    size_t index = l->nest_count++;
    const char *shown = nest_words(d, name);
    d->nest_names[index] = shown;
    l->nests[index] =
        (hk_layout_node){.parent = parent,
                         .w = fmin(hk_lettering_pixels(HK_LETTERS_STRONG, shown), NAME_MAX) + 4,
                         .h = NEST_LABEL};
    (void)hk_map_put(known, name, (uint32_t)index);
    return index;
}

/* What is below the name: the period, and the processor. */
static const char *second_line(const hk_graph_drawing *d, uint32_t c) {
    const hk_model *model = d->plan->model;
    uint32_t processor = model->components[c].processor;
    const char *period =
        hk_gantt_time(hk_canvas_arena(d->canvas), d->plan, d->plan->components[c].period);
    return processor == HK_MAP_NONE ? hk_canvas_print(d->canvas, "every %s", period)
                                    : hk_canvas_print(d->canvas, "%s, every %s",
                                                      model->processors[processor].name, period);
}

static void collect_boxes(hk_graph_drawing *d) {
    const hk_model *model = d->plan->model;
    hk_layout *l = &d->layout;
    size_t parts = 2;
    for (size_t i = 0; i < model->component_count; i++)
        for (const char *c = model->components[i].name; *c; c++)
            parts += *c == '.';
    hk_map known = {0};
    l->nests = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_layout_node, parts);
    d->nest_names = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), const char *, parts);
    l->node_count = model->component_count + d->connector_count;
    l->nodes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_layout_node, l->node_count + 1);
    for (size_t i = 0; i < d->connector_count; i++)
        l->nodes[model->component_count + i] = hk_graph_connector_node(&d->connectors[i]);
    for (uint32_t i = 0; i < model->component_count; i++) {
        const char *name = model->components[i].name, *dot = strrchr(name, '.');
        const char *around =
            dot ? hk_arena_strndup(hk_canvas_arena(d->canvas), name, (size_t)(dot - name)) : NULL;
        double w = fmin(hk_lettering_pixels(HK_LETTERS_STRONG, hk_text_last_part(name)), NAME_MAX);
        w = fmax(w, fmin(hk_lettering_pixels(HK_LETTERS_TINY, second_line(d, i)), NAME_MAX));
        l->nodes[i] = (hk_layout_node){.parent = nest_of(d, &known,
                                                         around        ? around
                                                         : model->root ? " "
                                                                       : NULL),
                                       .w = ceil(fmax(w + 18, BOX_MIN)),
                                       .h = BOX_HEIGHT};
    }
    hk_map_finish(&known);
}

static void collect_edges(hk_graph_drawing *d) {
    hk_layout *l = &d->layout;
    hk_font font = hk_lettering_font(HK_LETTERS_TINY);
    l->edge_count = d->flow_count + d->connector_count;
    l->edges = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_layout_edge, l->edge_count + 1);
    for (size_t i = 0; i < d->connector_count; i++) {
        const hk_graph_connector *c = &d->connectors[i];
        size_t outside = d->plan->model->component_count + i, inside = c->component;
        l->edges[d->flow_count + i] = (hk_layout_edge){.from = c->input ? outside : inside,
                                                       .to = c->input ? inside : outside};
    }
    for (size_t i = 0; i < d->flow_count; i++) {
        const hk_graph_flow *f = &d->flows[i];
        l->edges[i] = (hk_layout_edge){.from = f->from, .to = f->to};
        if (f->label && !d->usual) {
            l->edges[i].label_w = hk_text_pixels(font, f->label) + 8;
            l->edges[i].label_h = 14;
        }
    }
}

/* ---- drawing ---- */

static hk_box moved(const hk_graph_drawing *d, hk_box box) {
    return (hk_box){box.x + MARGIN, box.y + d->top, box.w, box.h};
}

static void draw_nests(const hk_graph_drawing *d) {
    for (size_t i = 0; i < d->layout.nest_count; i++)
        hk_canvas_rect(d->canvas, moved(d, d->layout.nests[i].box), 6, "nest", NULL);
}

hk_label hk_graph_nest_label(const hk_graph_drawing *d, size_t i) {
    hk_box box = d->layout.nests[i].box;
    return (hk_label){.x = box.x + 8,
                      .y = box.y + 16,
                      .lettering = HK_LETTERS_STRONG,
                      .words = d->nest_names[i],
                      .look = "halo"};
}

/* Over the arrows, which may pass below them. */
static void name_nests(const hk_graph_drawing *d) {
    for (size_t i = 0; i < d->layout.nest_count; i++) {
        hk_label label = hk_graph_nest_label(d, i);
        label.x += MARGIN;
        label.y += d->top;
        hk_canvas_text_in(d->canvas, label, d->layout.nests[i].box.w - 16);
    }
}

static unsigned colour_of(const hk_graph_drawing *d, uint32_t component) {
    uint32_t processor = d->plan->model->components[component].processor;
    return processor == HK_MAP_NONE ? NONE : processor % NONE;
}

static const char *box_look(const hk_graph_drawing *d, unsigned colour) {
    return hk_canvas_print(d->canvas, "b c%u f%u", colour, colour);
}

static void draw_boxes(const hk_graph_drawing *d) {
    const hk_model *model = d->plan->model;
    for (uint32_t i = 0; i < model->component_count; i++) {
        hk_box box = moved(d, d->layout.nodes[i].box);
        const hk_component *c = &model->components[i];
        hk_canvas_group(d->canvas);
        hk_canvas_rect(d->canvas, box, 4, box_look(d, colour_of(d, i)),
                       hk_canvas_print(d->canvas, "%s: %s, %s, phase %u", c->name, c->info->name,
                                       c->info->kind, d->plan->components[i].level + 1));
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = box.x + box.w / 2,
                                     .y = box.y + 18,
                                     .anchor = HK_ANCHOR_MIDDLE,
                                     .lettering = HK_LETTERS_STRONG,
                                     .words = hk_text_last_part(c->name)},
                          box.w - 10);
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = box.x + box.w / 2,
                                     .y = box.y + 33,
                                     .anchor = HK_ANCHOR_MIDDLE,
                                     .lettering = HK_LETTERS_TINY,
                                     .words = second_line(d, i)},
                          box.w - 10);
        hk_canvas_group_end(d->canvas);
    }
}

static const char *edge_tip(const hk_graph_drawing *d, const hk_graph_flow *f) {
    return hk_canvas_print(d->canvas, "%zu %s%s, %s:%s", f->count,
                           f->service ? "call" : "connection", f->count == 1 ? "" : "s", f->age,
                           f->list);
}

static void draw_edge(const hk_graph_drawing *d, const hk_layout_edge *e, unsigned colour,
                      const char *line, const char *tip) {
    hk_arrow_draw(d->canvas, e,
                  (hk_arrow){.x = MARGIN,
                             .y = d->top,
                             .line = hk_canvas_print(d->canvas, "e c%u%s", colour, line),
                             .head = hk_canvas_print(d->canvas, "f%u", colour),
                             .tip = tip});
}

static void draw_edges(const hk_graph_drawing *d) {
    for (size_t i = 0; i < d->flow_count; i++) {
        const hk_graph_flow *f = &d->flows[i];
        draw_edge(d, &d->layout.edges[i], colour_of(d, f->from),
                  f->service   ? " d2"
                  : f->earlier ? " w2"
                               : "",
                  edge_tip(d, f));
    }
    for (size_t i = 0; i < d->connector_count; i++) {
        draw_edge(d, &d->layout.edges[d->flow_count + i], NONE, "", NULL);
        hk_graph_draw_connector(d, &d->connectors[i],
                                moved(d, d->layout.nodes[d->plan->model->component_count + i].box));
    }
}

/* Over all arrows. */
static void draw_labels(const hk_graph_drawing *d) {
    for (size_t i = 0; i < d->flow_count; i++) {
        const hk_layout_edge *e = &d->layout.edges[i];
        if (!d->flows[i].label)
            continue;
        hk_box box = {e->label_x - e->label_w / 2 + 2, e->label_y - e->label_h / 2 + 1,
                      e->label_w - 4, e->label_h - 2};
        hk_canvas_rect(d->canvas, moved(d, box), 3, "plate", NULL);
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = e->label_x + MARGIN,
                                     .y = e->label_y + d->top + 3.5,
                                     .anchor = HK_ANCHOR_MIDDLE,
                                     .lettering = HK_LETTERS_TINY,
                                     .words = d->flows[i].label},
                          e->label_w);
    }
}

/* Colours of the processors that have components; returns where it ends. */
static double draw_legend(const hk_graph_drawing *d, double y, double width) {
    const hk_model *model = d->plan->model;
    double x = MARGIN;
    bool any = false;
    for (size_t i = 0; i < model->processor_count; i++) {
        if (!model->processors[i].count)
            continue;
        any = true;
        double needed =
            20 + fmin(hk_lettering_pixels(HK_LETTERS_PLAIN, model->processors[i].name), NAME_MAX);
        if (x > MARGIN && x + needed > width - MARGIN) {
            x = MARGIN;
            y += LEGEND_LINE;
        }
        hk_canvas_rect(d->canvas, (hk_box){x, y, 12, 12}, 2, box_look(d, (unsigned)(i % NONE)),
                       NULL);
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = x + 18, .y = y + 10, .words = model->processors[i].name},
                          NAME_MAX);
        x += needed + 16;
    }
    return any ? y + LEGEND_LINE : y;
}

static double draw_note(const hk_graph_drawing *d, double y, double width,
                        const hk_graph_note *note) {
    const char *look = note->good ? "ok" : note->bad ? "bad" : NULL;
    return hk_graph_put_wrapped(
               d, (hk_label){.x = MARGIN, .y = y + 11, .words = note->words, .look = look},
               width - 2 * MARGIN) -
           11;
}

/* What occurs among the arrows, and is to be explained. */
typedef struct seen {
    bool several, bare, coloured, dashed, dotted;
} seen;

static seen look_at_arrows(const hk_graph_drawing *d) {
    seen s = {0};
    for (size_t i = 0; i < d->flow_count; i++) {
        const hk_graph_flow *f = &d->flows[i];
        s.several = s.several || ((d->tabled || f->label) && f->count > 1);
        s.bare = s.bare || !f->label;
        s.coloured = s.coloured || d->plan->model->components[f->from].processor != HK_MAP_NONE;
        s.dashed = s.dashed || (f->earlier && !f->service);
        s.dotted = s.dotted || f->service;
    }
    return s;
}

/* What the arrows and the words beside them mean. */
static double draw_meanings(const hk_graph_drawing *d, double y, double width) {
    seen s = look_at_arrows(d);
    const char *colour = s.coloured ? ", in the colour of the processor that sends" : "";
    const char *arrows =
        d->tabled
            ? hk_canvas_print(d->canvas, "Arrows: values that arrive%s. How old they are:", colour)
            : hk_canvas_print(d->canvas, "Arrows: how old the values are that arrive%s.", colour);
    const char *usual = !d->usual || !s.bare ? NULL
                        : strcmp(d->usual, "0") == 0
                            ? "Arrows without words: 0, values of the same instant."
                            : hk_canvas_print(d->canvas, "Arrows without words: %s.", d->usual);
    const char *lines[] = {
        arrows, usual,
        s.several ? "In brackets: how many connections there are, if not one." : NULL,
        s.dashed && s.dotted
            ? "Dashed: some are of an earlier instant. Dotted: a call of a service."
        : s.dashed ? "Dashed: some are of an earlier instant."
        : s.dotted ? "Dotted: a call of a service."
                   : NULL};
    if (d->connector_count) {
        const char *words = "Round boxes: connectors of the system.";
        y = draw_note(d, y, width, &(hk_graph_note){.words = words});
    }
    const size_t order[2][4] = {{0, 1, 2, 3}, {3, 1, 2, 0}}; /* the table comes next */
    for (size_t i = 0; d->flow_count && i < 4; i++) {
        const char *words = lines[order[d->tabled][i]];
        if (words)
            y = draw_note(d, y, width, &(hk_graph_note){.words = words});
    }
    return y;
}

static hk_picture draw(const hk_graph_drawing *d) {
    double width = fmax(d->layout.width + 2 * MARGIN, WIDTH_MIN);
    if (d->options->title)
        hk_canvas_text_in(d->canvas,
                          (hk_label){.x = MARGIN,
                                     .y = MARGIN + 14,
                                     .lettering = HK_LETTERS_HEADING,
                                     .words = d->options->title},
                          width - 2 * MARGIN);
    draw_nests(d);
    draw_boxes(d);
    draw_edges(d);
    draw_labels(d);
    name_nests(d);
    double y = draw_legend(d, d->top + d->layout.height + 14, width);
    y = draw_meanings(d, y, width);
    if (d->tabled)
        y = hk_graph_draw_ages(d, y + 6, width);
    for (size_t i = 0; i < d->options->note_count; i++)
        y = draw_note(d, y, width, &d->options->notes[i]);
    return (hk_picture){.canvas = d->canvas,
                        .width = width,
                        .height = y + BELOW,
                        .title = d->options->title ? d->options->title : "System"};
}

hk_picture hk_graph_draw(hk_ctx *ctx, const hk_plan *plan, const hk_graph_options *options,
                         hk_canvas *canvas) {
    hk_graph_drawing d = {.plan = plan,
                          .options = options,
                          .canvas = canvas,
                          .top = MARGIN + (options->title ? HEADING : 0)};
    collect_flows(&d);
    hk_graph_choose_labels(&d);
    hk_graph_collect_connectors(&d);
    collect_boxes(&d);
    collect_edges(&d);
    for (size_t i = 0; d.usual && i < d.flow_count; i++)
        d.layout.apart = d.flows[i].label ? LABELS_APART : d.layout.apart;
    hk_status status = hk_layout_find(ctx, hk_canvas_arena(canvas), &d.layout);
    if (status)
        return (hk_picture){.status = status, .canvas = canvas};
    if (d.usual && !hk_graph_place_labels(&d))
        hk_graph_table_ages(&d);
    return draw(&d);
}

bool hk_graph_is_built_in(void) {
    return hk_layout_is_built_in();
}
