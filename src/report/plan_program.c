/* SPDX-License-Identifier: MIT
 *
 * `hocket plan --program`: the program of a plan as text that reads like a master
 * (docs/schedule.md), and for programs. Lines are broken so that they fit a terminal. */
#include "base/number.h"
#include "model/address.h"
#include "plan/program.h"
#include "record/select.h"
#include "report/plan_view.h"
#include "text/parser.h"
#include "text/print.h"

#include <string.h>

enum { WIDTH = 80 };

static const hk_place nowhere = {0};

typedef struct printing {
    hk_printer pr;
    hk_arena *arena;
    const hk_program *program;
    const hk_model *model;
} printing;

static void begin(printing *p) {
    hk_print_line(&p->pr, &nowhere);
}

static void end(printing *p, const char *mark) {
    hk_print(&p->pr, mark);
    hk_print_end(&p->pr, &nowhere);
}

static void open(printing *p, const char *text) {
    begin(p);
    hk_print(&p->pr, text);
    end(p, " {");
    p->pr.depth++;
}

static void close(printing *p) {
    p->pr.depth--;
    begin(p);
    end(p, "}");
}

static const char *name_of(const printing *p, uint32_t component, uint32_t variable) {
    const hk_component *c = &p->model->components[component];
    return variable == HK_MAP_NONE
               ? c->name
               : hk_arena_printf(p->arena, "%s.%s", c->name, c->info->variables[variable].name);
}

static void put_name(printing *p, const char *text) {
    hk_print_name(&p->pr, &(hk_name){.text = text});
}

/* A further word of a statement, in this line if it fits. */
static void put_item(printing *p, bool first, const char *name) {
    if (!first && p->pr.size - p->pr.line + 2 + strlen(name) + 1 > WIDTH) {
        hk_print(&p->pr, ",\n");
        p->pr.line = p->pr.size;
        p->pr.depth += 2;
        begin(p);
        p->pr.depth -= 2;
    } else if (!first) {
        hk_print(&p->pr, ", ");
    }
    put_name(p, name);
}

static void put_calls(printing *p, const char *word, const hk_program_calls *calls) {
    for (size_t i = 0; i < calls->count; i++) {
        if (i == 0) {
            begin(p);
            hk_print(&p->pr, word);
        }
        put_item(p, i == 0, name_of(p, calls->all[i].component, calls->all[i].variable));
    }
    if (calls->count)
        end(p, ";");
}

/* ---- before the first step ------------------------------------------------------------------- */

static bool is_read(const hk_init_node *node) {
    return node->connection == HK_MAP_NONE;
}

/* Reads and writes one after the other; those of one kind that follow each other share a statement.
 */
static void put_nodes(printing *p, const hk_init_node *nodes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || is_read(&nodes[i]) != is_read(&nodes[i - 1]);
        if (first) {
            if (i)
                end(p, ";");
            begin(p);
            hk_print(&p->pr, is_read(&nodes[i]) ? "get " : "set ");
        }
        put_item(p, first, name_of(p, nodes[i].component, nodes[i].variable));
    }
    if (count)
        end(p, ";");
}

static void put_loop(printing *p, const hk_init_node *nodes, size_t count) {
    bool first = true;
    begin(p);
    hk_print(&p->pr, "until converged (");
    for (size_t i = 0; i < count; i++)
        if (is_read(&nodes[i])) {
            put_item(p, first, name_of(p, nodes[i].component, nodes[i].variable));
            first = false;
        }
    hk_print(&p->pr, ")");
    end(p, " {");
    p->pr.depth++;
    put_nodes(p, nodes, count);
    close(p);
}

static void put_init(printing *p) {
    const hk_program *program = p->program;
    open(p, "init");
    for (size_t i = 0; i < program->given_count; i++) {
        const hk_connection *k = &p->model->connections[program->given[i]];
        begin(p);
        hk_print(&p->pr, "set ");
        put_name(p, name_of(p, k->to_component, k->to_variable));
        end(p, " initial;");
    }
    size_t from = 0, at = 0; /* single nodes from FROM on wait to be written together */
    for (size_t g = 0; g < program->init_count; g++) {
        size_t count = program->init_end[g] - at;
        if (count > 1) {
            put_nodes(p, &program->init[from], at - from);
            put_loop(p, &program->init[at], count);
            from = program->init_end[g];
        }
        at = program->init_end[g];
    }
    put_nodes(p, &program->init[from], at - from);
    put_calls(p, "once get ", &program->once);
    close(p);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void put_copy(printing *p, const hk_program_copy *copy) {
    const hk_connection *k = &p->model->connections[copy->connection];
    hk_address from = hk_connection_source(k), to = hk_connection_sink(k);
    begin(p);
    hk_print(&p->pr, "copy ");
    put_name(p, hk_address_name(p->arena, p->model, &from));
    hk_print(&p->pr, " -> ");
    put_name(p, hk_address_name(p->arena, p->model, &to));
    if (!copy->newest) {
        hk_print(&p->pr, " past ");
        hk_print(&p->pr, hk_gantt_time(p->arena, p->program->plan,
                                       p->program->plan->connections[copy->connection].lag));
    }
    end(p, ";");
}

static void put_cell(printing *p, const hk_program_cell *cell) {
    const hk_plan *plan = p->program->plan;
    const hk_rate *rate = &plan->rates[cell->rate];
    const char *text =
        hk_arena_printf(p->arena, "every %s", hk_gantt_time(p->arena, plan, rate->period));
    if (rate->offset)
        text = hk_arena_printf(p->arena, "%s from %s", text,
                               hk_gantt_time(p->arena, plan, rate->offset));
    if (plan->level_count > 1)
        text = hk_arena_printf(p->arena, "%s phase %u", text, cell->level + 1);
    open(p, text);
    for (size_t i = 0; i < cell->copy_count; i++)
        put_copy(p, &cell->copies[i]);
    put_calls(p, "set ", &cell->sets);
    put_calls(p, "step ", &cell->steps);
    put_calls(p, "get ", &cell->gets);
    close(p);
}

static void put_cells(printing *p) {
    const hk_program *program = p->program;
    uint32_t levels = 0;
    for (size_t i = 0; i < program->cell_count; i++)
        levels = program->cells[i].level >= levels ? program->cells[i].level + 1 : levels;
    uint32_t *first = hk_alloc((levels + 2) * sizeof *first);
    uint32_t *order = hk_alloc((program->cell_count + 1) * sizeof *order);
    for (size_t i = 0; i < program->cell_count; i++)
        first[program->cells[i].level + 1]++;
    for (uint32_t level = 0; level < levels; level++)
        first[level + 1] += first[level];
    for (uint32_t i = 0; i < program->cell_count; i++)
        order[first[program->cells[i].level]++] = i;
    for (size_t i = 0; i < program->cell_count; i++)
        put_cell(p, &program->cells[order[i]]);
    hk_free(order);
    hk_free(first);
}

static void put_past(printing *p) {
    char text[HK_NUMBER_MAX + 1];
    for (uint32_t c = 0; c < p->model->component_count; c++) {
        if (!p->program->depth[c])
            continue;
        begin(p);
        hk_print(&p->pr, "keep ");
        put_name(p, p->model->components[c].name);
        text[hk_write_u64(p->program->depth[c], text)] = '\0';
        hk_print(&p->pr, " ");
        hk_print(&p->pr, text);
        end(p, ";");
    }
}

static const char *text_of(hk_arena *arena, const hk_program *program) {
    printing p = {.arena = arena, .program = program, .model = program->plan->model};
    if (program->plan->order_name) {
        hk_print(&p.pr, hk_arena_printf(arena, "// with %s", program->plan->order_name));
        end(&p, "");
    }
    begin(&p);
    hk_print(&p.pr, "program ");
    put_name(&p, p.model->name[0] ? p.model->name : "unnamed");
    end(&p, " {");
    p.pr.depth++;
    put_init(&p);
    put_cells(&p);
    if (program->row.count) {
        open(&p, "row");
        put_calls(&p, "get ", &program->row);
        close(&p);
    }
    put_past(&p);
    close(&p);
    return hk_print_finish(&p.pr, arena);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_json_calls(const hk_view *view, hk_json *json, const char *name,
                           const hk_program_calls *calls) {
    hk_json_array(json, name);
    for (size_t i = 0; i < calls->count; i++) {
        const hk_component *c = &view->model->components[calls->all[i].component];
        uint32_t v = calls->all[i].variable;
        hk_json_string(json, NULL,
                       v == HK_MAP_NONE ? c->name
                                        : hk_arena_printf(view->arena, "%s.%s", c->name,
                                                          c->info->variables[v].name));
    }
    hk_json_end(json);
}

static void put_json_init(const hk_view *view, hk_json *json, const hk_program *program) {
    size_t at = 0;
    HK_JSON_EACH(json, "init", g, program->init_count) {
        hk_json_bool(json, "loop", program->init_end[g] - at > 1);
        hk_json_array(json, "calls");
        for (; at < program->init_end[g]; at++) {
            const hk_init_node *node = &program->init[at];
            const hk_component *c = &view->model->components[node->component];
            hk_json_object(json, NULL);
            hk_json_string(json, is_read(node) ? "get" : "set",
                           hk_arena_printf(view->arena, "%s.%s", c->name,
                                           c->info->variables[node->variable].name));
            hk_json_end(json);
        }
        hk_json_end(json);
    }
}

static void put_json_copies(hk_json *json, const hk_program_cell *cell) {
    HK_JSON_EACH(json, "copies", i, cell->copy_count) {
        hk_json_i64(json, "connection", cell->copies[i].connection);
        hk_json_bool(json, "newest", cell->copies[i].newest);
    }
}

static void put_json_cells(const hk_view *view, hk_json *json, const hk_program *program) {
    HK_JSON_EACH(json, "cells", i, program->cell_count) {
        const hk_program_cell *c = &program->cells[i];
        hk_json_i64(json, "rate", c->rate);
        hk_json_i64(json, "phase", (int64_t)c->level + 1);
        put_json_copies(json, c);
        put_json_calls(view, json, "set", &c->sets);
        put_json_calls(view, json, "step", &c->steps);
        put_json_calls(view, json, "get", &c->gets);
    }
}

static void put_json_past(const hk_view *view, hk_json *json, const hk_program *program) {
    hk_json_object(json, "keep");
    for (size_t c = 0; c < view->model->component_count; c++)
        if (program->depth[c])
            hk_json_i64(json, view->model->components[c].name, program->depth[c]);
    hk_json_end(json);
}

static void put_json_program(const hk_view *view, hk_json *json, const char *name,
                             const hk_program *program) {
    hk_json_object(json, name);
    if (program->plan->order_name)
        hk_json_string(json, "with", program->plan->order_name);
    put_json_init(view, json, program);
    put_json_calls(view, json, "once", &program->once);
    put_json_cells(view, json, program);
    put_json_calls(view, json, "row", &program->row);
    put_json_past(view, json, program);
    hk_json_end(json);
}

/* Where bindings decide about the order, each has its own; the first is the one that is alone. */
void hk_view_put_program(const hk_view *view, hk_json *json) {
    if (!view->programs)
        return;
    put_json_program(view, json, "program", view->programs[0]);
    if (view->plan->order_count == 1)
        return;
    hk_json_array(json, "programs");
    for (size_t i = 0; i < view->plan->order_count; i++)
        put_json_program(view, json, NULL, view->programs[i]);
    hk_json_end(json);
}

/* ---- all of them ---------------------------------------------------------------------------- */

hk_status hk_view_program(hk_view *view, hk_texts patterns) {
    size_t column_count = 0;
    hk_column *columns = NULL;
    if (patterns.count)
        HK_TRY(hk_columns_select(view->ctx, view->model, patterns, view->arena, &columns,
                                 &column_count));
    hk_signal *signals = HK_NEW_ARRAY(view->arena, hk_signal, column_count);
    for (size_t i = 0; i < column_count; i++)
        signals[i] = (hk_signal){columns[i].component, columns[i].variable, 0, NULL};
    view->programs = HK_NEW_ARRAY(view->arena, hk_program *, view->plan->order_count);
    for (size_t i = 0; i < view->plan->order_count; i++)
        view->programs[i] = hk_program_make(
            view->plan->orders[i],
            &(hk_program_observed){signals, column_count, hk_plan_row_interval(view->plan)});
    return HK_OK;
}

const char *hk_view_program_text(const hk_view *view, size_t order) {
    HK_ASSERT(view->programs && order < view->plan->order_count);
    return text_of(view->arena, view->programs[order]);
}
