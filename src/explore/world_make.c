/* SPDX-License-Identifier: MIT
 *
 * Makes a world: charts, constants, inputs with their values, links between controller and plant,
 * properties, and the first state. */
#include "explore/world.h"

#include "base/file.h"

#include <string.h>

enum { INPUTS_MAX = 10000000, PROPERTIES_MAX_BYTES = 1 << 20 };

typedef struct making {
    hk_world *world;
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_explore_wishes *wishes;
    hk_ask_bounds bounds;
    hk_properties *properties;
} making;

static hk_where line_place(const hk_chart *chart, uint32_t line) {
    const hk_chart_line *l = &chart->lines[line];
    return (hk_where){.file = chart->file, .line = l->line, .column = l->column};
}

/* ---- charts */

static hk_status open_side(const making *m, const char *path, const char *module, unsigned unit) {
    hk_side *s = &m->world->sides[unit];
    HK_TRY(hk_chart_read(m->ctx, m->arena, path, module, &s->chart));
    if (s->chart->machine_count > HK_WORLD_MACHINES)
        return hk_error(m->ctx, HK_E_CONTROLLER, (hk_where){.file = path}, NULL,
                        "%u machines: at most %d are explored together", s->chart->machine_count,
                        (int)HK_WORLD_MACHINES);
    s->runner = hk_chart_runner_create(s->chart);
    s->layout = hk_chart_runner_layout(s->runner);
    HK_ASSERT(s->layout->size % sizeof(uint64_t) == 0);
    s->words = (uint32_t)(s->layout->size / sizeof(uint64_t));
    m->world->side_count = unit + 1;
    return HK_OK;
}

static void make_room(const making *m, hk_side *s) {
    uint32_t nodes = hk_chart_first_node(s->chart, s->chart->machine_count);
    uint32_t transitions = hk_chart_first_transition(s->chart, s->chart->machine_count);
    s->present = HK_NEW_ARRAY(m->arena, bool, s->chart->line_count + 1);
    s->nodes = HK_NEW_ARRAY(m->arena, uint64_t, nodes + 1);
    s->taken = HK_NEW_ARRAY(m->arena, uint64_t, transitions + 1);
    s->node_seen = HK_NEW_ARRAY(m->arena, bool, nodes + 1);
    s->taken_seen = HK_NEW_ARRAY(m->arena, bool, transitions + 1);
    s->tick_caps = HK_NEW_ARRAY(m->arena, uint32_t, s->layout->tick_count + 1);
    s->tick_largest = HK_NEW_ARRAY(m->arena, double, s->layout->tick_count + 1);
    s->root = HK_NEW_ARRAY(m->arena, uint32_t, s->chart->machine_count + 1);
    s->threads = HK_NEW_ARRAY(m->arena, uint32_t, s->chart->machine_count + 1);
    s->report = (hk_chart_report){.nodes = s->nodes, .transitions = s->taken};
    for (uint32_t i = 0; i < s->chart->machine_count; i++) {
        const hk_chart_machine *machine = &s->chart->machines[i];
        s->threads[i + 1] = s->threads[i] + machine->depth;
        s->root[i] = i;
        while (s->chart->machines[s->root[i]].caller != HK_CHART_NONE)
            s->root[i] = s->chart->machines[s->root[i]].caller;
    }
    HK_ASSERT(s->threads[s->chart->machine_count] == s->layout->thread_count);
}

/* ---- constants */

typedef struct constants {
    hk_cell *values;
    bool *given;
} constants;

static hk_status set_constant(const making *m, const hk_chart *chart, const char *setting,
                              constants *c) {
    const char *equals = strchr(setting, '=');
    const char **names = HK_NEW_ARRAY(m->arena, const char *, chart->variable_count + 1);
    size_t count = 0;
    hk_where where = {.element = hk_arena_printf(m->arena, "--set %s", setting)};
    if (!equals)
        return hk_error(m->ctx, HK_E_USAGE, where, "--set lv=0.5", "'%s' is not NAME=VALUE",
                        setting);
    const char *name = hk_arena_strndup(m->arena, setting, (size_t)(equals - setting));
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (!v->constant)
            continue;
        names[count++] = v->path;
        if (strcmp(v->path, name) != 0)
            continue;
        if (!hk_chart_is_scalar(v->type) || !hk_read_cell(v->type, equals + 1, &c->values[v->cell]))
            return hk_error(m->ctx, HK_E_VALUE, where, NULL, "'%s' is not a value of %s",
                            equals + 1, v->type->name);
        c->given[v->cell] = true;
        return HK_OK;
    }
    return hk_error(m->ctx, HK_E_PARAMETER, where,
                    hk_hint_closest(m->arena, name, names, count, NULL),
                    "the module does not have a constant '%s'", name);
}

static hk_status check_constants(const making *m, const hk_chart *chart, const constants *c) {
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (v->constant && !v->start.expr && !c->given[v->cell])
            return hk_error(m->ctx, HK_E_PARAMETER,
                            (hk_where){.file = chart->file, .line = v->line, .column = v->column},
                            hk_arena_printf(m->arena, "--set %s=VALUE", v->path),
                            "constant '%s' does not have a value", v->path);
    }
    return HK_OK;
}

/* The first state of one side; settings are those of the controller. */
static hk_status reset_side(const making *m, unsigned unit) {
    hk_world *w = m->world;
    hk_side *s = &w->sides[unit];
    constants c = {HK_NEW_ARRAY(m->arena, hk_cell, s->chart->memory_size + 1),
                   HK_NEW_ARRAY(m->arena, bool, s->chart->memory_size + 1)};
    for (size_t i = 0; unit == 0 && i < m->wishes->settings.count; i++)
        HK_TRY(set_constant(m, s->chart, m->wishes->settings.all[i], &c));
    HK_TRY(check_constants(m, s->chart, &c));
    void *state = w->first + s->at;
    if (hk_chart_reset(s->runner, state, c.values, c.given, &s->report) != HK_CHART_OK)
        return hk_error(
            m->ctx, HK_E_CONTROLLER,
            (hk_where){.file = s->chart->file, .line = s->report.line, .column = s->report.column},
            NULL, "%s", s->report.text);
    hk_side_cap_clocks(m->arena, s, hk_chart_memory(s->runner, state));
    hk_side_find_idle(w, unit, hk_chart_memory(s->runner, state));
    return HK_OK;
}

/* ---- inputs */

/* The first line of each event that the platform sends. */
static void find_inputs(const making *m, hk_side *s) {
    bool *again = HK_NEW_ARRAY(m->arena, bool, s->chart->line_count + 1);
    s->inputs = HK_NEW_ARRAY(m->arena, hk_world_input, s->chart->line_count + 1);
    for (uint32_t i = 0; i < s->chart->line_count; i++) {
        if (s->chart->lines[i].kind != HK_CHART_FROM_PLATFORM || again[i])
            continue;
        s->inputs[s->input_count++] = (hk_world_input){.name = s->chart->lines[i].name, .line = i};
        for (uint32_t l = i; l != HK_CHART_NONE; l = hk_chart_next_line(s->chart, l))
            again[l] = true;
    }
}

static hk_world_input *find_input(hk_side *s, const char *name) {
    for (size_t i = 0; i < s->input_count; i++)
        if (strcmp(s->inputs[i].name, name) == 0)
            return &s->inputs[i];
    return NULL;
}

/* Is an event free, or a free column of the table? Then its values must be known. */
static bool needs_values(const hk_world *w, unsigned unit, const hk_world_input *input) {
    if (!input->driven || unit || !w->table)
        return !input->driven;
    for (size_t i = 0; i < w->table->input_count; i++)
        for (size_t r = 0; w->table->inputs[i] == input->line && r < w->table->row_count; r++)
            if (w->table->rows[r].inputs[i].kind == HK_PLANT_ANY)
                return true;
    return false;
}

static hk_status bound_inputs(making *m, unsigned unit, uint64_t *inputs) {
    hk_side *s = &m->world->sides[unit];
    for (size_t i = 0; i < s->input_count; i++) {
        hk_world_input *input = &s->inputs[i];
        const hk_chart_type *type = s->chart->lines[input->line].type;
        bool needed = needs_values(m->world, unit, input);
        const char *name = unit ? hk_arena_printf(m->arena, "plant.%s", input->name) : input->name;
        if (type && needed) {
            hk_offer_of of = {
                .path = name, .type = type, .where = line_place(s->chart, input->line)};
            HK_TRY(hk_offer_make(m->ctx, m->arena, &m->bounds, &of, &input->offer));
        } else if (type) {
            hk_offer_leave(m->arena, &m->bounds, name, type);
        }
        if (needed && !input->driven)
            *inputs *= 1 + (input->offer ? input->offer->count : 1);
        if (*inputs > INPUTS_MAX)
            return hk_error(m->ctx, HK_E_VALUE, line_place(s->chart, input->line),
                            "shorter ranges and lengths, or a plant",
                            "more than %d inputs in one cycle", (int)INPUTS_MAX);
    }
    return HK_OK;
}

/* ---- links */

static bool same_type(const hk_chart_type *a, const hk_chart_type *b) {
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->size != b->size || a->item_count != b->item_count ||
        a->field_count != b->field_count || a->length != b->length)
        return false;
    for (uint32_t i = 0; i < a->item_count; i++)
        if (strcmp(a->items[i], b->items[i]) != 0)
            return false;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (!same_type(a->fields[i].type, b->fields[i].type))
            return false;
    return same_type(a->element, b->element);
}

static hk_status add_link(const making *m, unsigned from, const char *name, hk_ask_value value,
                          hk_world_link *links) {
    hk_side *s = &m->world->sides[from], *other = &m->world->sides[1 - from];
    hk_world_input *input = find_input(other, name);
    if (!input)
        return HK_OK;
    if (!same_type(value.type, other->chart->lines[input->line].type))
        return hk_error(m->ctx, HK_E_CONNECTION, line_place(other->chart, input->line), NULL,
                        "'%s' has another type in the other module", name);
    value.unit = from;
    input->driven = true;
    links[s->link_count++] = (hk_world_link){
        .from = value, .size = value.type ? value.type->size : 0, .line = input->line};
    return HK_OK;
}

/* What FROM emits and the other side receives under the same name. */
static hk_status link_side(const making *m, unsigned from) {
    hk_side *s = &m->world->sides[from];
    const hk_chart *c = s->chart;
    hk_world_link *links = HK_NEW_ARRAY(m->arena, hk_world_link,
                                        c->line_count + c->operation_count + c->variable_count + 1);
    for (uint32_t i = 0; i < c->line_count; i++)
        if (c->lines[i].kind == HK_CHART_TO_PLATFORM)
            HK_TRY(add_link(m, from, c->lines[i].name,
                            (hk_ask_value){.op = HK_ASK_EVENT,
                                           .index = i,
                                           .type = c->lines[i].type,
                                           .cell = c->lines[i].sent},
                            links));
    for (uint32_t i = 0; i < c->operation_count; i++) {
        const hk_chart_operation *o = &c->operations[i];
        hk_ask_value value = {.op = HK_ASK_OPERATION, .index = i, .cell = o->cell};
        if (o->parameter_count == 1)
            value.type = o->parameters[0].type;
        if (o->parameter_count <= 1)
            HK_TRY(add_link(m, from, o->name, value, links));
    }
    for (uint32_t i = 0; i < c->variable_count; i++)
        if (c->variables[i].platform && !c->variables[i].constant)
            HK_TRY(add_link(m, from, c->variables[i].name,
                            (hk_ask_value){.op = HK_ASK_COMPARE,
                                           .type = c->variables[i].type,
                                           .cell = c->variables[i].cell},
                            links));
    s->links = links;
    return HK_OK;
}

/* A plant that is linked to nothing is a mistake. */
static hk_status link_sides(const making *m) {
    HK_TRY(link_side(m, 1));
    HK_TRY(link_side(m, 0));
    if (m->world->sides[1].link_count)
        return HK_OK;
    return hk_error(m->ctx, HK_E_CONNECTION, (hk_where){.file = m->wishes->plant},
                    "names of what it sends are those of events that the controller receives",
                    "the plant brings nothing to the controller");
}

/* Controller and plant take turns, one cycle each: their cycles are of one length. */
static hk_status check_cycles(const making *m) {
    const hk_chart *controller = m->world->sides[0].chart, *plant = m->world->sides[1].chart;
    char ours[48], theirs[48];
    if (hk_ratio_compare(controller->cycle, plant->cycle) == 0)
        return HK_OK;
    return hk_error(m->ctx, HK_E_CONNECTION, (hk_where){.file = m->wishes->plant},
                    "they are explored cycle by cycle: give both the same 'cycleDef cycle == N'",
                    "a cycle of the plant has %s time units, one of the controller %s",
                    hk_ratio_format(plant->cycle, theirs),
                    hk_ratio_format(controller->cycle, ours));
}

static hk_status open_plant(const making *m) {
    hk_world *w = m->world;
    const char *path = m->wishes->plant;
    size_t length;
    if (!path)
        return HK_OK;
    if (hk_chart_names(path, &length)) {
        HK_TRY(open_side(m, path, NULL, 1));
        HK_TRY(check_cycles(m));
        make_room(m, &w->sides[1]);
        find_inputs(m, &w->sides[1]);
        return link_sides(m);
    }
    HK_TRY(hk_plant_read(m->ctx, m->arena, path, w->sides[0].chart, &w->table));
    for (size_t i = 0; i < w->table->input_count; i++)
        for (size_t k = 0; k < w->sides[0].input_count; k++)
            if (w->sides[0].inputs[k].line == w->table->inputs[i])
                w->sides[0].inputs[k].driven = true;
    return HK_OK;
}

/* ---- properties */

static hk_status read_text(const making *m, const hk_ask_scope *scope, const char *file,
                           const char *data, size_t size) {
    hk_file_text text = {.file = file, .data = data, .size = size};
    size_t before = m->properties->count + m->properties->bound_count;
    HK_TRY(hk_properties_read(m->ctx, m->arena, scope, &text, m->properties));
    if (m->properties->count + m->properties->bound_count > before)
        return HK_OK;
    return hk_error(m->ctx, HK_E_LANGUAGE, (hk_where){.file = file},
                    "always ...; never ...; reachable ...; deterministic; terminates; range ...",
                    "nothing is asked for");
}

static hk_status read_property_file(const making *m, const hk_ask_scope *scope, const char *path) {
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_file_read(m->ctx, path, PROPERTIES_MAX_BYTES, &data, &size));
    const char *kept = hk_arena_strndup(m->arena, data, size);
    hk_free(data);
    return read_text(m, scope, path, kept, size);
}

static hk_status read_properties(const making *m) {
    const hk_world *w = m->world;
    const hk_explore_wishes *wishes = m->wishes;
    hk_ask_scope *scope = HK_NEW(m->arena, hk_ask_scope);
    *scope = (hk_ask_scope){.controller = w->sides[0].chart,
                            .plant = w->side_count > 1 ? w->sides[1].chart : NULL,
                            .plant_states = w->table ? w->table->states : NULL,
                            .plant_state_count = w->table ? w->table->state_count : 0};
    for (size_t i = 0; i < wishes->property_files.count; i++)
        HK_TRY(read_property_file(m, scope, wishes->property_files.all[i]));
    for (size_t i = 0; i < wishes->properties.count; i++) {
        const char *text = wishes->properties.all[i];
        size_t end = strlen(text);
        while (end && (text[end - 1] == ' ' || text[end - 1] == '\n'))
            end--;
        if (end && text[end - 1] != ';')
            text = hk_arena_printf(m->arena, "%.*s;", (int)end, text);
        HK_TRY(read_text(m, scope, "--property", text, strlen(text)));
    }
    return HK_OK;
}

/* Bounds of options come behind those of files: the last one counts. */
static hk_status read_bounds(making *m) {
    const hk_explore_wishes *wishes = m->wishes;
    size_t files = m->properties->bound_count,
           count = files + wishes->ranges.count + wishes->lengths.count;
    hk_ask_bound *all = HK_NEW_ARRAY(m->arena, hk_ask_bound, count + 1);
    if (files)
        memcpy(all, m->properties->bounds, files * sizeof *all);
    for (size_t i = 0; i < wishes->ranges.count; i++)
        HK_TRY(hk_ask_bound_read(m->ctx, m->arena, "--range", false, wishes->ranges.all[i],
                                 &all[files + i]));
    for (size_t i = 0; i < wishes->lengths.count; i++)
        HK_TRY(hk_ask_bound_read(m->ctx, m->arena, "--length", true, wishes->lengths.all[i],
                                 &all[files + wishes->ranges.count + i]));
    m->bounds = (hk_ask_bounds){.all = all,
                                .count = count,
                                .used = HK_NEW_ARRAY(m->arena, bool, count + 1),
                                .left = HK_NEW_ARRAY(m->arena, bool, count + 1)};
    return HK_OK;
}

/* Outputs that may be infinite. */
static void find_reals(hk_world *w) {
    w->reals = HK_NEW_ARRAY(w->arena, uint32_t, w->ports.count + 1);
    for (uint32_t i = 0; i < w->ports.count; i++) {
        const hk_chart_port *p = &w->ports.all[i];
        bool value = p->kind == HK_CHART_PORT_SENT_VALUE || p->kind == HK_CHART_PORT_VARIABLE ||
                     p->kind == HK_CHART_PORT_ARGUMENT;
        if (value && p->type == HK_TYPE_F64)
            w->reals[w->real_count++] = i;
    }
}

/* ---- all of it */

/* Where everything is in a state, and the first one. */
static hk_status lay_out(const making *m) {
    hk_world *w = m->world;
    for (size_t i = 0; i < w->side_count; i++) {
        w->sides[i].at = w->words;
        w->words += w->sides[i].words;
    }
    w->table_at = w->words;
    w->words += w->table ? 1 + 2 * (uint32_t)w->table->output_count : 0;
    w->monitor_at = w->words;
    w->words += (uint32_t)w->properties->count;
    w->first = HK_NEW_ARRAY(m->arena, uint64_t, w->words + 1);
    w->before = HK_NEW_ARRAY(m->arena, uint64_t, w->sides[0].words + 1);
    for (unsigned i = 0; i < w->side_count; i++)
        HK_TRY(reset_side(m, i));
    w->property_sites = HK_NEW_ARRAY(m->arena, hk_world_site, w->properties->count + 1);
    w->property_found = HK_NEW_ARRAY(m->arena, bool, w->properties->count + 1);
    w->system = (hk_walk_system){
        .user = w, .words = w->words, .begin = hk_world_begin, .step = hk_world_step};
    return HK_OK;
}

hk_status hk_world_make(hk_world *w, hk_ctx *ctx, hk_arena *arena, const char *path,
                        const hk_explore_wishes *wishes) {
    making m = {.world = w, .ctx = ctx, .arena = arena, .wishes = wishes};
    *w = (hk_world){.ctx = ctx, .arena = arena, .inputs = 1};
    m.properties = HK_NEW(arena, hk_properties);
    w->properties = m.properties;
    HK_TRY(open_side(&m, path, wishes->module, 0));
    make_room(&m, &w->sides[0]);
    find_inputs(&m, &w->sides[0]);
    HK_TRY(open_plant(&m));
    HK_TRY(read_properties(&m));
    HK_TRY(read_bounds(&m));
    for (unsigned i = 0; i < w->side_count; i++)
        HK_TRY(bound_inputs(&m, i, &w->inputs));
    HK_TRY(hk_ask_bounds_check(ctx, &m.bounds));
    HK_TRY(hk_chart_ports_make(ctx, arena, w->sides[0].chart, &w->ports));
    find_reals(w);
    return lay_out(&m);
}

void hk_world_finish(hk_world *w) {
    for (size_t i = 0; i < 2; i++)
        hk_chart_runner_destroy(w->sides[i].runner);
    hk_free(w->failures.all);
    hk_free(w->nondeterminism.all);
}
