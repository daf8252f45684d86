/* SPDX-License-Identifier: MIT
 *
 * Reads the table of a plant. */
#include "explore/plant.h"

#include "format/csv.h"
#include "text/parser.h"

#include <string.h>

typedef struct reading {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_chart *chart;
    hk_csv *csv;
    size_t columns, next; /* which column is `next` */
    hk_plant *plant;
    hk_list states, rows;
    int line; /* of the row */
} reading;

static hk_status wrong_cell(const reading *r, const hk_table_cell *cell, const char *hint,
                            const char *what) {
    return hk_error(r->ctx, HK_E_CSV, hk_csv_place(r->csv, r->line, cell->column), hint,
                    "'%.*s' is not %s", (int)cell->length, cell->text, what);
}

/* ---- header */

static hk_status read_output(reading *r, size_t column, hk_plant_output *output) {
    hk_ask_scope scope = {.controller = r->chart};
    hk_namer namer = {.ctx = r->ctx,
                      .arena = r->arena,
                      .scope = &scope,
                      .where = hk_csv_name_place(r->csv, column)};
    output->name = hk_name_plain(r->arena, hk_csv_names(r->csv)[column]);
    if (!hk_name_value(&namer, output->name, &output->value))
        return HK_E_NAME;
    const hk_ask_value *v = &output->value;
    if ((v->op == HK_ASK_EVENT || v->op == HK_ASK_ARRIVAL) &&
        r->chart->lines[v->index].kind == HK_CHART_FROM_PLATFORM)
        return hk_error(
            r->ctx, HK_E_NAME, namer.where, "what the plant brings comes behind the column 'next'",
            "'%s' is an input of the controller, not something that it does", output->name);
    return HK_OK;
}

static hk_status read_input(reading *r, size_t column, uint32_t *ret_line) {
    const char *name = hk_name_plain(r->arena, hk_csv_names(r->csv)[column]);
    const char **names = HK_NEW_ARRAY(r->arena, const char *, r->chart->line_count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < r->chart->line_count; i++) {
        if (r->chart->lines[i].kind != HK_CHART_FROM_PLATFORM)
            continue;
        names[count++] = r->chart->lines[i].name;
        if (strcmp(r->chart->lines[i].name, name) == 0) {
            *ret_line = i;
            return HK_OK;
        }
    }
    return hk_error(
        r->ctx, HK_E_NAME, hk_csv_name_place(r->csv, column),
        hk_hint_closest(r->arena, name, names, count,
                        "columns behind 'next' are events that the controller receives"),
        "'%s' is not an event that the platform sends", name);
}

static hk_status twice(const reading *r, size_t column) {
    return hk_error(r->ctx, HK_E_NAME, hk_csv_name_place(r->csv, column), NULL,
                    "the column '%s' is there twice", hk_csv_names(r->csv)[column]);
}

/* Columns are told apart by what they are of: 'x' and 'S.x' may be one. */
static hk_status check_columns(const reading *r, const hk_plant *p) {
    for (size_t i = 0; i < p->output_count; i++)
        for (size_t k = 0; k < i; k++) {
            const hk_ask_value *a = &p->outputs[i].value, *b = &p->outputs[k].value;
            if (a->op == b->op && a->index == b->index && a->cell == b->cell && a->type == b->type)
                return twice(r, 1 + i);
        }
    for (size_t i = 0; i < p->input_count; i++)
        for (size_t k = 0; k < i; k++)
            if (p->inputs[i] == p->inputs[k])
                return twice(r, r->next + 1 + i);
    return HK_OK;
}

static hk_status read_header(reading *r) {
    const char *const *names = hk_csv_names(r->csv);
    r->columns = hk_csv_columns(r->csv);
    for (r->next = 1; r->next < r->columns && strcmp(names[r->next], "next") != 0;)
        r->next++;
    if (strcmp(names[0], "state") != 0 || r->next >= r->columns)
        return hk_error(r->ctx, HK_E_CSV, hk_csv_place(r->csv, 1, 0),
                        "state,OUTPUTS of the controller,next,INPUTS of it",
                        "the table of a plant has the columns 'state' (the first one) and 'next'");
    hk_plant *p = r->plant;
    p->output_count = r->next - 1;
    p->input_count = r->columns - r->next - 1;
    hk_plant_output *outputs = HK_NEW_ARRAY(r->arena, hk_plant_output, p->output_count + 1);
    uint32_t *inputs = HK_NEW_ARRAY(r->arena, uint32_t, p->input_count + 1);
    for (size_t i = 0; i < p->output_count; i++)
        HK_TRY(read_output(r, 1 + i, &outputs[i]));
    for (size_t i = 0; i < p->input_count; i++)
        HK_TRY(read_input(r, r->next + 1 + i, &inputs[i]));
    p->outputs = outputs;
    p->inputs = inputs;
    return check_columns(r, p);
}

/* ---- rows */

static bool cell_is(const hk_table_cell *cell, const char *text) {
    return cell->length == strlen(text) && memcmp(cell->text, text, cell->length) == 0;
}

static uint32_t state_number(reading *r, const hk_table_cell *cell) {
    const char *name = hk_arena_strndup(r->arena, cell->text, cell->length);
    const char **names = r->states.data;
    for (size_t i = 0; i < r->states.count; i++)
        if (strcmp(names[i], name) == 0)
            return (uint32_t)i;
    hk_list_add(&r->states, &name);
    return (uint32_t)r->states.count - 1;
}

static hk_status read_value(reading *r, const hk_table_cell *cell, const hk_chart_type *type,
                            const char *hint, hk_plant_cell *ret_cell) {
    const char *text = hk_arena_strndup(r->arena, cell->text, cell->length);
    ret_cell->kind = HK_PLANT_VALUE;
    if (hk_chart_is_scalar(type) && hk_read_cell(type, text, &ret_cell->value))
        return HK_OK;
    return wrong_cell(r, cell, hint, hk_arena_printf(r->arena, "a value of %s", type->name));
}

/* A condition: empty or *: any; 0 and 1 of what has no value; a value. '-': it does not happen. */
static hk_status read_condition(reading *r, const hk_table_cell *cell, const hk_ask_value *of,
                                hk_plant_cell *ret_cell) {
    bool event = of->op != HK_ASK_COMPARE;
    if (cell->length == 0 || cell_is(cell, "*"))
        return HK_OK;
    if (event && (cell_is(cell, "-") || (!of->type && cell_is(cell, "0")))) {
        ret_cell->kind = HK_PLANT_ABSENT;
        return HK_OK;
    }
    if (!of->type && !cell_is(cell, "1"))
        return wrong_cell(r, cell, "empty: any", "0 or 1");
    if (!of->type) {
        ret_cell->kind = HK_PLANT_PRESENT;
        return HK_OK;
    }
    return read_value(r, cell, of->type, "empty: any", ret_cell);
}

/* An input: empty or '-': it does not come (0, if it has no value); *: it may; a value. */
static hk_status read_bring(reading *r, const hk_table_cell *cell, const hk_chart_type *type,
                            hk_plant_cell *ret_cell) {
    if (cell_is(cell, "*"))
        return HK_OK;
    ret_cell->kind = HK_PLANT_ABSENT;
    if (cell->length == 0 || cell_is(cell, "-") || (!type && cell_is(cell, "0")))
        return HK_OK;
    ret_cell->kind = HK_PLANT_PRESENT;
    if (type)
        return read_value(r, cell, type, "empty: it does not come; *: it may", ret_cell);
    return cell_is(cell, "1") ? HK_OK : wrong_cell(r, cell, "* : it may come", "0, 1 or *");
}

static hk_status read_row(reading *r, const hk_table_row *row) {
    const hk_plant *p = r->plant;
    hk_plant_cell *outputs = HK_NEW_ARRAY(r->arena, hk_plant_cell, p->output_count + 1);
    hk_plant_cell *inputs = HK_NEW_ARRAY(r->arena, hk_plant_cell, p->input_count + 1);
    r->line = row->line;
    if (row->cells[0].length == 0 || row->cells[r->next].length == 0)
        return wrong_cell(r, &row->cells[row->cells[0].length ? r->next : 0], NULL,
                          "the name of a state");
    for (size_t i = 0; i < p->output_count; i++)
        HK_TRY(read_condition(r, &row->cells[1 + i], &p->outputs[i].value, &outputs[i]));
    for (size_t i = 0; i < p->input_count; i++)
        HK_TRY(read_bring(r, &row->cells[r->next + 1 + i], r->chart->lines[p->inputs[i]].type,
                          &inputs[i]));
    hk_plant_row kept = {.state = state_number(r, &row->cells[0]),
                         .next = state_number(r, &row->cells[r->next]),
                         .outputs = outputs,
                         .inputs = inputs,
                         .line = row->line};
    hk_list_add(&r->rows, &kept);
    return HK_OK;
}

static hk_status read_all(reading *r) {
    const hk_table_row *row = NULL;
    hk_csv_be_strict(r->csv, false);
    HK_TRY(read_header(r));
    for (;;) {
        HK_TRY(hk_csv_next(r->csv, &row));
        if (!row)
            break;
        HK_TRY(read_row(r, row));
    }
    if (!r->rows.count)
        return hk_error(r->ctx, HK_E_CSV, hk_csv_place(r->csv, 0, 0), NULL,
                        "the table of the plant does not have a row");
    return HK_OK;
}

hk_status hk_plant_read(hk_ctx *ctx, hk_arena *arena, const char *path, const hk_chart *controller,
                        const hk_plant **ret_plant) {
    hk_plant *plant = HK_NEW(arena, hk_plant);
    reading r = {.ctx = ctx,
                 .arena = arena,
                 .chart = controller,
                 .plant = plant,
                 .states = HK_LIST(const char *),
                 .rows = HK_LIST(hk_plant_row)};
    plant->file = path;
    HK_TRY(hk_csv_open(ctx, path, &r.csv));
    hk_status status = read_all(&r);
    hk_csv_close(r.csv);
    plant->state_count = r.states.count;
    plant->row_count = r.rows.count;
    plant->states = hk_list_keep(arena, &r.states);
    plant->rows = hk_list_keep(arena, &r.rows);
    *ret_plant = plant;
    return status;
}
