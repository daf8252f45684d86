/* SPDX-License-Identifier: MIT */
#include "plan/program.h"

/* What is done with a variable. */
enum { IN = 1, EVERY = 2, ROW = 4, ONCE = 8 };

typedef struct work {
    hk_program *program;
    const hk_plan *plan;
    const hk_model *model;
    size_t *first_variable; /* per component: where its variables begin in USE */
    unsigned char *use;
    uint32_t *first_copy, *incoming; /* connections into each component, by index */
    hk_program_call *calls;          /* room for those that follow */
    hk_program_copy *copies;
} work;

bool hk_program_is_static(const hk_variable *v) {
    HK_ASSERT(v);
    return v->causality == HK_PARAMETER || v->causality == HK_STRUCTURAL_PARAMETER ||
           v->causality == HK_INPUT || v->variability == HK_CONSTANT || v->variability == HK_FIXED;
}

static const hk_variable *variable_of(const work *w, uint32_t component, uint32_t variable) {
    return &w->model->components[component].info->variables[variable];
}

static unsigned char *use_of(work *w, uint32_t component, uint32_t variable) {
    return &w->use[w->first_variable[component] + variable];
}

/* Rows that are rarer than the component's steps and meet their ends need not be read every time.
 */
static bool rows_are_rare(const work *w, uint32_t component, hk_tick interval) {
    const hk_plan_component *c = &w->plan->components[component];
    return w->model->components[component].info->stamp == HK_STAMP_END && c->offset == 0 &&
           !c->pattern && interval > c->period && interval % c->period == 0;
}

static void find_uses(work *w, const hk_program_observed *observed) {
    for (size_t i = 0; i < w->model->connection_count; i++) {
        const hk_connection *k = &w->model->connections[i];
        *use_of(w, k->from_component, k->from_variable) |= EVERY;
        *use_of(w, k->to_component, k->to_variable) |= IN;
    }
    for (size_t i = 0; observed && i < observed->count; i++) {
        const hk_signal *s = &observed->signals[i];
        unsigned char *use = use_of(w, s->component, s->variable);
        if (hk_program_is_static(variable_of(w, s->component, s->variable)))
            *use |= ONCE;
        else if (rows_are_rare(w, s->component, observed->row_interval))
            *use |= ROW;
        else
            *use |= EVERY;
    }
}

static void index_incoming(work *w) {
    size_t n = w->model->component_count, count = w->model->connection_count;
    w->first_copy = hk_alloc((n + 2) * sizeof *w->first_copy);
    w->incoming = hk_alloc((count + 1) * sizeof *w->incoming);
    for (size_t i = 0; i < count; i++)
        w->first_copy[w->model->connections[i].to_component + 2]++;
    for (size_t c = 0; c < n; c++)
        w->first_copy[c + 2] += w->first_copy[c + 1];
    for (uint32_t i = 0; i < count; i++) /* the places move up to where the next ones begin */
        w->incoming[w->first_copy[w->model->connections[i].to_component + 1]++] = i;
}

/* The calls of a component about variables of that use. */
static void add_calls(work *w, hk_program_calls *to, uint32_t component, unsigned use) {
    size_t count = w->model->components[component].info->variable_count;
    for (uint32_t v = 0; v < count; v++)
        if (*use_of(w, component, v) & use) {
            *w->calls++ = (hk_program_call){.component = component, .variable = v};
            to->count++;
        }
}

static void add_copies(work *w, hk_program_cell *cell, uint32_t component) {
    for (uint32_t i = w->first_copy[component]; i < w->first_copy[component + 1]; i++) {
        *w->copies++ = (hk_program_copy){.connection = w->incoming[i],
                                         .newest = w->plan->connections[w->incoming[i]].direct};
        cell->copy_count++;
    }
}

static void fill_cell(work *w, hk_program_cell *cell, const uint32_t *members, size_t count) {
    cell->copies = w->copies;
    for (size_t m = 0; m < count; m++)
        add_copies(w, cell, members[m]);
    cell->sets.all = w->calls;
    for (size_t m = 0; m < count; m++)
        add_calls(w, &cell->sets, members[m], IN);
    cell->steps = (hk_program_calls){w->calls, count};
    for (size_t m = 0; m < count; m++)
        *w->calls++ = (hk_program_call){.component = members[m], .variable = HK_MAP_NONE};
    cell->gets.all = w->calls;
    for (size_t m = 0; m < count; m++)
        add_calls(w, &cell->gets, members[m], EVERY);
}

/* For each rate, the runs of equal level. */
static void make_cells(work *w) {
    hk_program *program = w->program;
    program->cells = HK_NEW_ARRAY(program->arena, hk_program_cell, w->model->component_count);
    for (uint32_t r = 0; r < w->plan->rate_count; r++) {
        const hk_rate *rate = &w->plan->rates[r];
        for (size_t begin = 0, end; begin < rate->count; begin = end) {
            uint32_t level = w->plan->components[rate->components[begin]].level;
            end = begin + 1;
            while (end < rate->count && w->plan->components[rate->components[end]].level == level)
                end++;
            hk_program_cell *cell = &program->cells[program->cell_count++];
            *cell = (hk_program_cell){.rate = r, .level = level};
            fill_cell(w, cell, rate->components + begin, end - begin);
        }
    }
}

/* The calls of all components about variables of that use, beside the cells. */
static void collect(work *w, hk_program_calls *to, unsigned use) {
    to->all = w->calls;
    for (uint32_t c = 0; c < w->model->component_count; c++)
        add_calls(w, to, c, use);
}

static void make_init(work *w) {
    hk_program *program = w->program;
    program->init = w->plan->init_nodes;
    program->init_end = w->plan->init_group_end;
    program->init_count = w->plan->init_group_count;
    program->given = HK_NEW_ARRAY(program->arena, uint32_t, w->model->connection_count);
    for (uint32_t i = 0; i < w->model->connection_count; i++)
        if (w->model->connections[i].initial.data)
            program->given[program->given_count++] = i;
}

/* How many calls there will be: a variable may be set and got. */
static size_t count_calls(const work *w, size_t variables) {
    size_t count = w->model->component_count;
    for (size_t i = 0; i < variables; i++)
        count += (w->use[i] & IN ? 1u : 0u) + (w->use[i] & (EVERY | ROW | ONCE) ? 1u : 0u);
    return count;
}

hk_program *hk_program_make(const hk_plan *plan, const hk_program_observed *observed) {
    HK_ASSERT(plan);
    HK_ASSERT(plan->model);
    const hk_model *model = plan->model;
    hk_arena *arena = hk_arena_create();
    hk_program *program = HK_NEW(arena, hk_program);
    *program = (hk_program){.arena = arena, .plan = plan};
    work w = {.program = program, .plan = plan, .model = model};
    w.first_variable = hk_alloc((model->component_count + 1) * sizeof *w.first_variable);
    program->depth = HK_NEW_ARRAY(arena, uint32_t, model->component_count);
    for (size_t c = 0; c < model->component_count; c++) {
        w.first_variable[c + 1] = w.first_variable[c] + model->components[c].info->variable_count;
        program->depth[c] = plan->components[c].depth;
    }
    size_t variables = w.first_variable[model->component_count];
    w.use = hk_alloc(variables + 1);
    find_uses(&w, observed);
    for (size_t i = 0; i < variables; i++) /* what is got for others, or was set, is known */
        if (w.use[i] & (IN | EVERY))
            w.use[i] &= (unsigned char)~(ROW | ONCE);
    index_incoming(&w);
    w.calls = HK_NEW_ARRAY(arena, hk_program_call, count_calls(&w, variables));
    w.copies = HK_NEW_ARRAY(arena, hk_program_copy, model->connection_count);
    make_init(&w);
    make_cells(&w);
    collect(&w, &program->once, ONCE);
    collect(&w, &program->row, ROW);
    hk_free(w.first_copy);
    hk_free(w.incoming);
    hk_free(w.use);
    hk_free(w.first_variable);
    return program;
}

void hk_program_destroy(hk_program *program) {
    if (program)
        hk_arena_destroy(program->arena);
}
