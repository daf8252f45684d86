/* SPDX-License-Identifier: MIT
 *
 * The module, its platform, controllers and machines as shapes, and its connections as arrows. */
#include "draw/diagram.h"

#include <string.h>

static const hk_diagram_room LIST = {.width = 340, .lines = 5};
static const hk_diagram_room EVENTS = {.width = 150, .lines = 12};

size_t hk_diagram_add_shape(hk_diagram *d, hk_diagram_shape shape) {
    if (shape.parent != SIZE_MAX)
        d->shapes[shape.parent].children++;
    HK_PUSH(d->shapes, d->shape_count, d->shape_cap, shape);
    return d->shape_count - 1;
}

void hk_diagram_add_arrow(hk_diagram *d, hk_diagram_arrow arrow) {
    HK_ASSERT(d->shapes[arrow.from].parent == d->shapes[arrow.to].parent);
    HK_PUSH(d->arrows, d->arrow_count, d->arrow_cap, arrow);
}

/* ---- boxes ---- */

static const char *joined(const hk_diagram *d, const char *list, const char *next) {
    return hk_canvas_print(d->canvas, "%s%s%s", list, *list ? ", " : "", next);
}

static void add_list(hk_diagram *d, hk_diagram_shape *shape, const char *word, const char *list) {
    hk_diagram_room room = LIST;
    room.who = shape->path;
    if (*list)
        hk_diagram_add_words(d, &shape->words, hk_canvas_print(d->canvas, "%s %s", word, list),
                             room);
}

static const char *signature(const hk_diagram *d, const hk_chart_operation *o) {
    const char *parameters = "";
    for (uint32_t i = 0; i < o->parameter_count; i++)
        parameters = joined(d, parameters, o->parameters[i].name);
    return hk_canvas_print(d->canvas, "%s(%s)", o->name, parameters);
}

static size_t add_platform(hk_diagram *d) {
    const hk_chart *chart = d->chart;
    hk_diagram_shape shape = {.kind = HK_DIAGRAM_PLATFORM, .path = chart->platform, .seen = true};
    const char *variables = "", *operations = "";
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (chart->variables[i].platform)
            variables = joined(d, variables, chart->variables[i].name);
    for (uint32_t i = 0; i < chart->operation_count; i++)
        operations = joined(d, operations, signature(d, &chart->operations[i]));
    hk_diagram_add_name(&shape.words, chart->platform);
    hk_diagram_add_words(d, &shape.words, "robotic platform", LIST);
    add_list(d, &shape, "variables", variables);
    add_list(d, &shape, "operations", operations);
    return hk_diagram_add_shape(d, shape);
}

/* "s0 : DetectAndFlag"; what is called as it is defined has its name once. */
static const char *instance(const hk_diagram *d, const char *path, const char *name) {
    const char *last = hk_text_last_part(path);
    return strcmp(last, name) == 0 ? name : hk_canvas_print(d->canvas, "%s : %s", last, name);
}

static size_t add_machine(hk_diagram *d, uint32_t index, size_t parent) {
    const hk_chart *chart = d->chart;
    const hk_chart_machine *m = &chart->machines[index];
    bool called = m->caller != HK_CHART_NONE;
    hk_diagram_shape shape = {.kind = called ? HK_DIAGRAM_OPERATION : HK_DIAGRAM_MACHINE,
                              .parent = parent,
                              .path = m->path,
                              .seen = true};
    const char *constants = "", *variables = "", *clocks = "";
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (v->machine == index && v->constant)
            constants = joined(d, constants, v->name);
        else if (v->machine == index)
            variables = joined(d, variables, v->name);
    }
    for (uint32_t i = 0; i < m->clock_count; i++)
        clocks = joined(d, clocks, m->clocks[i].name);
    hk_diagram_add_name(&shape.words, instance(d, m->path, m->name));
    hk_diagram_add_words(d, &shape.words, called ? "operation" : "machine", LIST);
    add_list(d, &shape, "constants", constants);
    add_list(d, &shape, "variables", variables);
    add_list(d, &shape, "clocks", clocks);
    size_t added = hk_diagram_add_shape(d, shape);
    hk_diagram_collect_states(d, index, added);
    return added;
}

/* ---- connections ---- */

/* What it is called where it arrives. */
static const char *received_as(const hk_chart *chart, uint32_t line) {
    const hk_chart_machine *m = &chart->machines[chart->lines[line].to_machine];
    for (uint32_t i = 0; i < m->event_count; i++)
        if (m->events[i].in == line)
            return m->events[i].name;
    return "";
}

static const char *sent_as(const hk_chart *chart, uint32_t line) {
    const hk_chart_machine *m = &chart->machines[chart->lines[line].from_machine];
    for (uint32_t i = 0; i < m->event_count; i++)
        if (m->events[i].out == line)
            return m->events[i].name;
    return "";
}

/* The name of a machine's event, with that of the machine if its controller, whose shape the arrow
 * ends at, has several. */
static const char *end_words(const hk_diagram *d, uint32_t machine, const char *event,
                             bool at_controller) {
    const hk_chart_machine *m = &d->chart->machines[machine];
    bool several = d->chart->controllers[m->controller].machine_count > 1;
    return at_controller && several
               ? hk_canvas_print(d->canvas, "%s.%s", hk_text_last_part(m->path), event)
               : event;
}

/* "flagged \u2192 activate"; once if both are the same. */
static const char *line_words(const hk_diagram *d, uint32_t index, bool at_controller) {
    const hk_chart_line *l = &d->chart->lines[index];
    const char *from = l->kind == HK_CHART_FROM_PLATFORM
                           ? l->name
                           : end_words(d, l->from_machine, sent_as(d->chart, index), at_controller);
    const char *to = l->kind == HK_CHART_TO_PLATFORM
                         ? l->name
                         : end_words(d, l->to_machine, received_as(d->chart, index), at_controller);
    return strcmp(from, to) == 0 ? from : hk_canvas_print(d->canvas, "%s\u2192%s", from, to);
}

/* Where the things of the module are among the shapes. */
typedef struct places {
    size_t platform;
    size_t *controllers, *machines;
} places;

/* The two shapes of one parent that a connection joins. */
static void ends_of(const hk_diagram *d, const places *p, const hk_chart_line *l, size_t ends[2]) {
    const uint32_t machines[2] = {l->from_machine, l->to_machine};
    const hk_chart_machine *all = d->chart->machines;
    bool inside =
        l->kind == HK_CHART_BETWEEN && all[machines[0]].controller == all[machines[1]].controller;
    for (size_t i = 0; i < 2; i++)
        ends[i] = machines[i] == HK_CHART_NONE ? p->platform
                  : inside                     ? p->machines[machines[i]]
                                               : p->controllers[all[machines[i]].controller];
}

/* All connections from one shape to another are one arrow. */
static void add_lines(hk_diagram *d, const places *p, uint32_t first) {
    const hk_chart *chart = d->chart;
    size_t ends[2], others[2];
    const char *names = "";
    ends_of(d, p, &chart->lines[first], ends);
    bool at_controller = d->shapes[ends[0]].parent == 0;
    for (uint32_t i = 0; i < chart->line_count; i++) {
        ends_of(d, p, &chart->lines[i], others);
        if (others[0] != ends[0] || others[1] != ends[1])
            continue;
        if (i < first)
            return; /* it was there before */
        names = joined(d, names, line_words(d, i, at_controller));
    }
    hk_diagram_arrow arrow = {.from = ends[0], .to = ends[1], .seen = true};
    hk_diagram_room room = EVENTS;
    room.who = hk_canvas_print(d->canvas, "%s \u2192 %s", d->shapes[ends[0]].path,
                               d->shapes[ends[1]].path);
    arrow.tip = hk_canvas_print(d->canvas, "events %s: %s", room.who, names);
    hk_diagram_add_words(d, &arrow.words, names, room);
    hk_diagram_add_arrow(d, arrow);
}

static void add_calls(hk_diagram *d, const places *p) {
    for (uint32_t i = 0; i < d->chart->machine_count; i++) {
        const hk_chart_machine *m = &d->chart->machines[i];
        if (m->caller == HK_CHART_NONE)
            continue;
        hk_diagram_arrow arrow = {
            .from = p->machines[m->caller], .to = p->machines[i], .look = "d2", .seen = true};
        arrow.tip = hk_canvas_print(d->canvas, "call %s \u2192 %s", d->shapes[arrow.from].path,
                                    d->shapes[arrow.to].path);
        hk_diagram_add_words(d, &arrow.words, "calls", EVENTS);
        hk_diagram_add_arrow(d, arrow);
    }
}

void hk_diagram_collect(hk_diagram *d) {
    const hk_chart *chart = d->chart;
    places p = {.controllers =
                    HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, chart->controller_count + 1),
                .machines =
                    HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, chart->machine_count + 1)};
    (void)hk_diagram_add_shape(
        d, (hk_diagram_shape){
               .kind = HK_DIAGRAM_MODULE, .parent = SIZE_MAX, .path = chart->name, .seen = true});
    p.platform = add_platform(d);
    for (uint32_t i = 0; i < chart->controller_count; i++) {
        const hk_chart_controller *c = &chart->controllers[i];
        hk_diagram_shape shape = {.kind = HK_DIAGRAM_CONTROLLER, .path = c->path, .seen = true};
        hk_diagram_add_name(&shape.words, instance(d, c->path, c->name));
        hk_diagram_add_words(d, &shape.words, "controller", LIST);
        p.controllers[i] = hk_diagram_add_shape(d, shape);
        for (uint32_t m = 0; m < chart->machine_count; m++)
            if (chart->machines[m].controller == i)
                p.machines[m] = add_machine(d, m, p.controllers[i]);
    }
    for (uint32_t i = 0; i < chart->line_count; i++)
        add_lines(d, &p, i);
    add_calls(d, &p);
}
