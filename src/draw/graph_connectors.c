/* SPDX-License-Identifier: MIT
 *
 * Connectors of the outermost system in its graph: the inputs of a component that are given from
 * outside are one box, and so are its outputs that are shown outside. */
#include "draw/graph_drawing.h"

#include <math.h>
#include <string.h>

enum { NAME_MAX = 200, LISTED = 12, HEIGHT = 24 };

/* The box of COMPONENT for inputs, or for outputs. */
static hk_graph_connector *box_of(hk_graph_drawing *d, uint32_t component, bool input) {
    for (size_t i = 0; i < d->connector_count; i++)
        if (d->connectors[i].component == component && d->connectors[i].input == input)
            return &d->connectors[i];
    hk_graph_connector *c = &d->connectors[d->connector_count++];
    *c = (hk_graph_connector){.component = component, .input = input, .words = "", .list = ""};
    return c;
}

static void add_name(hk_graph_drawing *d, hk_graph_connector *c, const char *name) {
    if (c->last && strcmp(c->last, name) == 0)
        return; /* it drives several inputs of the component */
    c->last = name;
    if (c->count++ < LISTED) {
        c->words = hk_canvas_print(d->canvas, "%s%s%s", c->words, *c->words ? ", " : "", name);
        c->list = hk_canvas_print(d->canvas, "%s\n%s", c->list, name);
    } else if (c->count == LISTED + 1) {
        c->list = hk_canvas_print(d->canvas, "%s\n\u2026", c->list);
    }
}

/* Parameters are not drawn, and neither is what is inside of a component. */
static void add_variable(hk_graph_drawing *d, uint32_t component, uint32_t variable,
                         const char *name) {
    const hk_component *c = &d->plan->model->components[component];
    hk_causality causality = c->info->variables[variable].causality;
    if (causality == HK_INPUT || causality == HK_OUTPUT)
        add_name(d, box_of(d, component, causality == HK_INPUT), name);
}

static void add_branches(hk_graph_drawing *d, const hk_branch *branch, const char *name) {
    for (; branch; branch = branch->next)
        add_variable(d, branch->component, branch->variable, name);
}

void hk_graph_collect_connectors(hk_graph_drawing *d) {
    const hk_model *model = d->plan->model;
    d->connectors = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_graph_connector,
                                 2 * model->component_count + 1);
    for (size_t i = 0; i < model->inlet_count; i++)
        if (model->inlets[i].outermost)
            add_branches(d, model->inlets[i].branches, model->inlets[i].name);
    for (size_t i = 0; i < model->alias_count; i++) {
        const hk_alias *a = &model->aliases[i];
        add_variable(d, a->component, a->variable, a->name);
        add_branches(d, a->branches, a->name);
    }
    for (size_t i = 0; i < model->shown_count; i++)
        add_name(d, box_of(d, model->shown[i].component, false), model->shown[i].name);
    for (size_t i = 0; i < d->connector_count; i++) {
        hk_graph_connector *c = &d->connectors[i];
        bool fits = hk_lettering_pixels(HK_LETTERS_SMALL, c->words) <= NAME_MAX;
        if (c->count > LISTED || (c->count > 1 && !fits))
            c->words =
                hk_canvas_print(d->canvas, "%zu %s", c->count, c->input ? "inputs" : "outputs");
    }
}

hk_layout_node hk_graph_connector_node(const hk_graph_connector *c) {
    double w = fmin(hk_lettering_pixels(HK_LETTERS_SMALL, c->words), NAME_MAX);
    return (hk_layout_node){.parent = SIZE_MAX, .w = ceil(w) + 20, .h = HEIGHT};
}

void hk_graph_draw_connector(const hk_graph_drawing *d, const hk_graph_connector *c, hk_box box) {
    const char *tip =
        hk_canvas_print(d->canvas, "%s of the system:%s", c->input ? "input" : "output", c->list);
    hk_canvas_group(d->canvas);
    hk_canvas_rect(d->canvas, box, HEIGHT / 2.0, "r a", tip);
    hk_canvas_text_in(d->canvas,
                      (hk_label){.x = box.x + box.w / 2,
                                 .y = box.y + 16,
                                 .anchor = HK_ANCHOR_MIDDLE,
                                 .lettering = HK_LETTERS_SMALL,
                                 .words = c->words},
                      box.w - 16);
    hk_canvas_group_end(d->canvas);
}
