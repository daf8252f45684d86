/* SPDX-License-Identifier: MIT
 *
 * The built-in components whose parameters are texts: points of a curve as lists or as a column of
 * a table, and units. */
#include "base/file.h"
#include "base/number.h"
#include "base/packed.h"
#include "format/table_read.h"
#include "model/uom.h"
#include "native/native_internal.h"

#include <math.h>
#include <string.h>

/* A curve: y over x, x never falling. Of points with equal x the last counts. */
typedef struct points {
    const double *x, *y;
    size_t count;
} points;

static hk_where text_where(hk_arena *arena, const char *component, const char *parameter) {
    return (hk_where){.element = hk_arena_printf(arena, "parameter '%s' of component '%s'",
                                                 parameter, component)};
}

/* Text parameters end with a NUL, wherever they come from. */
static const char *text_of(const hk_bytes *bytes) {
    return bytes->data ? bytes->data : "";
}

/* The curve at X. *GUESS is where the last search ended: it speeds up this one, changes no result.
 */
static double value_at(const points *p, double x, bool linear, bool extrapolate, size_t *guess) {
    size_t row = hk_find_row(p->x, p->count, *guess, x);
    *guess = row;
    bool above = row + 1 == p->count && x > p->x[row], below = x < p->x[row];
    if (!linear || p->count == 1 || x == p->x[row] || ((above || below) && !extrapolate))
        return p->y[row];
    size_t from = above ? row - 1 : row;
    double width = p->x[from + 1] - p->x[from];
    if (width == 0) /* a jump at the edge has no line to go on along */
        return p->y[row];
    return p->y[from] + (p->y[from + 1] - p->y[from]) * ((x - p->x[from]) / width);
}

/* --- reading -----------------------------------------------------------------------------------*/

/* Cells are numbers. */
static hk_status check_cells(hk_ctx *ctx, const char *path, const hk_table *table, int column) {
    for (size_t row = 0; row < table->rows; row++)
        if (isnan(table->values[column][row]))
            return hk_error(ctx, HK_E_CSV, (hk_where){.file = path, .line = table->lines[row]},
                            "cells are numbers, 'true' or 'false'",
                            "the cell of column '%s' is not a number", table->names[column]);
    return HK_OK;
}

/* A file of points, and the column of it that is wanted; empty: the first after the time. */
typedef struct point_file {
    const char *path, *column;
    hk_where where; /* of the column's name */
} point_file;

static hk_status choose_column(hk_ctx *ctx, hk_arena *arena, const point_file *file,
                               const hk_table *table, int *ret_column) {
    const char *path = file->path, *name = file->column;
    int column = *name ? hk_table_find(table, name) : 1;
    if (column <= 0) {
        return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, file->where,
                        hk_hint_closest(arena, name, table->names + 1, table->columns - 1,
                                        "leave it out to take the first column after the time"),
                        "'%s' has no column '%s'", path, name);
    }
    HK_TRY(check_cells(ctx, path, table, column));
    *ret_column = column;
    return HK_OK;
}

/* FILE lies in FOLDER, unless no tool carries it: then it is named by who runs it. */
static const char *path_of(hk_arena *arena, const char *folder, const hk_bytes *file) {
    const char *path = hk_path_join(arena, folder, text_of(file));
    return hk_packed_is(path) && !hk_packed_exists(path) ? text_of(file) : path;
}

static hk_status read_file(hk_ctx *ctx, hk_arena *arena, const point_file *file,
                           points *ret_points) {
    const char *path = file->path;
    const hk_table *table = NULL;
    int at = 0;
    HK_TRY(hk_table_read(ctx, arena, path, &table));
    if (table->columns < 2 || table->rows == 0)
        return hk_error(ctx, HK_E_CSV, (hk_where){.file = path},
                        "give a first column, one more column, and a row",
                        "the table has %zu columns and %zu rows", table->columns, table->rows);
    HK_TRY(choose_column(ctx, arena, file, table, &at));
    *ret_points = (points){table->values[0], table->values[at], table->rows};
    return HK_OK;
}

/* "0 1.5 2", also with commas or semicolons. */
static hk_status read_list(hk_ctx *ctx, hk_arena *arena, const char *text, hk_where where,
                           double **ret_values, size_t *ret_count) {
    static const char gaps[] = " \t\r\n,;";
    double *values = HK_NEW_ARRAY(arena, double, strlen(text) / 2 + 1);
    size_t count = 0;
    for (const char *at = text + strspn(text, gaps); *at; at += strspn(at, gaps)) {
        size_t length = strcspn(at, gaps);
        if (!hk_read_f64(at, length, &values[count]) || !isfinite(values[count]))
            return hk_error(ctx, HK_E_VALUE, where, "write numbers with spaces between them",
                            "'%.*s' is not a number", (int)(length < 40 ? length : 40), at);
        count++;
        at += length;
    }
    *ret_values = values;
    *ret_count = count;
    return HK_OK;
}

static hk_status check_lists(hk_ctx *ctx, hk_where where, const points *p, size_t y_count) {
    if (p->count == 0)
        return hk_error(ctx, HK_E_PARAMETER, where,
                        "give the points as x = \"0 1 2\"; y = \"5 7 9\", or name a file",
                        "the table has no points");
    if (p->count != y_count)
        return hk_error(ctx, HK_E_PARAMETER, where, "give one y for each x",
                        "x has %zu values, y has %zu", p->count, y_count);
    for (size_t i = 1; i < p->count; i++)
        if (p->x[i] < p->x[i - 1])
            return hk_error(ctx, HK_E_PARAMETER, where, "sort the points by x",
                            "value %zu of x is smaller than the one before it", i + 1);
    return HK_OK;
}

/* --- hk.Table ----------------------------------------------------------------------------------*/

#define TEXT(type, field, what)                                                                    \
    HK_PORT(type, field, HK_PARAMETER, HK_TYPE_STRING, .start = "", .description = (what))
#define FLAG(type, field, value, what)                                                             \
    HK_PORT(type, field, HK_PARAMETER, HK_TYPE_BOOL, .start = (value), .tunable = true,            \
            .description = (what))
typedef struct lookup {
    double u, y;
    hk_bytes xs, ys, file, column;
    bool linear, extrapolate;
    const void *loaded; /* points */
    size_t row;
} lookup;

static hk_status lookup_load(hk_ctx *ctx, hk_arena *arena, void *self, const char *folder,
                             const char *component, const void **ret_loaded) {
    const lookup *x = self;
    points *p = HK_NEW(arena, points);
    if (*text_of(&x->file)) {
        HK_TRY(read_file(ctx, arena,
                         &(point_file){path_of(arena, folder, &x->file), text_of(&x->column),
                                       text_where(arena, component, "column")},
                         p));
    } else {
        double *xs = NULL, *ys = NULL;
        size_t y_count = 0;
        hk_where where = text_where(arena, component, "xs");
        HK_TRY(read_list(ctx, arena, text_of(&x->xs), where, &xs, &p->count));
        HK_TRY(read_list(ctx, arena, text_of(&x->ys), text_where(arena, component, "ys"), &ys,
                         &y_count));
        p->x = xs;
        p->y = ys;
        HK_TRY(check_lists(ctx, where, p, y_count));
    }
    *ret_loaded = p;
    return HK_OK;
}

static int lookup_output(void *self, double t) {
    lookup *x = self;
    (void)t;
    x->y = value_at(x->loaded, x->u, x->linear, x->extrapolate, &x->row);
    return HK_STEP_OK;
}

static int lookup_step(void *self, double t, double h) {
    (void)h;
    return lookup_output(self, t);
}

static const hk_port lookup_ports[] = {
    HK_PORT(lookup, u, HK_INPUT, HK_TYPE_F64, .start = "0", .description = "where to look"),
    HK_PORT(lookup, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "u", .description = "the curve at u"),
    TEXT(lookup, xs, "points, ascending: \"0 1 2.5\""),
    TEXT(lookup, ys, "their values: \"5 7 9\""),
    TEXT(lookup, file,
         "table (.csv, .mat, .h5) with the points in its first column, instead of xs and ys"),
    TEXT(lookup, column, "its column with the values; the second if not given"),
    FLAG(lookup, linear, "true", "linear between points; else the value of the last one before u"),
    FLAG(lookup, extrapolate, "false",
         "go on along the first and last line; else hold the first and last value"),
};
const hk_unit_type hk_lookup_type = {
    HK_BUILTIN_TYPE(lookup, "hk.Table", lookup_ports), .stamp = HK_STAMP_START,
    .description = "A function given by points", .output = lookup_output, .step = lookup_step};

/* --- hk.Replay ---------------------------------------------------------------------------------*/

typedef struct replay {
    double y, shift;
    hk_bytes file, column;
    bool linear;
    const void *loaded; /* points */
    size_t row;
} replay;

static hk_status replay_load(hk_ctx *ctx, hk_arena *arena, void *self, const char *folder,
                             const char *component, const void **ret_loaded) {
    const replay *x = self;
    points *p = HK_NEW(arena, points);
    if (!*text_of(&x->file))
        return hk_error(ctx, HK_E_PARAMETER, text_where(arena, component, "file"),
                        "give the table that it is to replay", "it has no file");
    HK_TRY(read_file(ctx, arena,
                     &(point_file){path_of(arena, folder, &x->file), text_of(&x->column),
                                   text_where(arena, component, "column")},
                     p));
    *ret_loaded = p;
    return HK_OK;
}

static int replay_output(void *self, double t) {
    replay *x = self;
    x->y = value_at(x->loaded, t + x->shift, x->linear, false, &x->row);
    return HK_STEP_OK;
}

static int replay_step(void *self, double t, double h) {
    (void)h;
    return replay_output(self, t);
}

static const hk_port replay_ports[] = {
    HK_PORT(replay, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "",
            .description = "the column at t + shift; outside the file its first and last value"),
    TEXT(replay, file, "table (.csv, .mat, .h5), its first column the time in s"),
    TEXT(replay, column, "name of the column; the second if not given"),
    FLAG(replay, linear, "true", "linear between rows; else the value of the last row"),
    HK_PORT(replay, shift, HK_PARAMETER, HK_TYPE_F64, .start = "0", .unit = "s", .tunable = true,
            .description = "time in the file when the time of the run is 0"),
};
const hk_unit_type hk_replay_type = {
    HK_BUILTIN_TYPE(replay, "hk.Replay", replay_ports), .stamp = HK_STAMP_START,
    .description = "A column of a table over time", .output = replay_output, .step = replay_step};

/* --- hk.UnitAdapter ----------------------------------------------------------------------------*/

typedef struct adapter {
    double u, y, factor, offset;
    hk_bytes from, to;
    const void *loaded; /* nothing: factor and offset are all that is needed */
} adapter;

static hk_status read_uom(hk_ctx *ctx, hk_where where, const char *text, hk_uom *ret_uom) {
    if (!hk_uom_parse(*text ? text : "1", ret_uom))
        return hk_error(ctx, HK_E_VALUE, where, "write it like \"m/s\", \"kg.m2\" or \"degC\"",
                        "unit '%s' is not known", text);
    return HK_OK;
}

static hk_status adapter_load(hk_ctx *ctx, hk_arena *arena, void *self, const char *folder,
                              const char *component, const void **ret_loaded) {
    adapter *x = self;
    hk_uom from, to;
    char from_dimension[96], to_dimension[96];
    hk_where where = text_where(arena, component, "to");
    (void)folder, (void)ret_loaded;
    HK_TRY(read_uom(ctx, text_where(arena, component, "from"), text_of(&x->from), &from));
    HK_TRY(read_uom(ctx, where, text_of(&x->to), &to));
    if (!hk_uom_conversion(&from, &to, false, &x->factor, &x->offset))
        return hk_error(ctx, HK_E_UNIT_MISMATCH, where, "both must measure the same thing",
                        "'%s' (%s) cannot become '%s' (%s)", text_of(&x->from),
                        hk_uom_dimension(&from, from_dimension), text_of(&x->to),
                        hk_uom_dimension(&to, to_dimension));
    return HK_OK;
}

static int adapter_output(void *self, double t) {
    adapter *x = self;
    (void)t;
    x->y = x->factor * x->u + x->offset;
    return HK_STEP_OK;
}

static int adapter_step(void *self, double t, double h) {
    (void)h;
    return adapter_output(self, t);
}

static const hk_port adapter_ports[] = {
    HK_PORT(adapter, u, HK_INPUT, HK_TYPE_F64, .start = "0", .description = "number in from"),
    HK_PORT(adapter, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "u",
            .description = "the same quantity in to"),
    TEXT(adapter, from, "unit of u: \"deg\""),
    TEXT(adapter, to, "unit of y: \"rad\""),
};
const hk_unit_type hk_adapter_type = {
    HK_BUILTIN_TYPE(adapter, "hk.UnitAdapter", adapter_ports), .stamp = HK_STAMP_START,
    .description = "Another unit, where the ends of a connection do not say theirs",
    .output = adapter_output, .step = adapter_step};

const hk_builtin_loader *hk_builtin_loader_of(const hk_unit_type *type) {
    static const struct {
        const hk_unit_type *type;
        hk_builtin_loader loader;
    } all[] = {{&hk_lookup_type, {lookup_load, offsetof(lookup, loaded)}},
               {&hk_replay_type, {replay_load, offsetof(replay, loaded)}},
               {&hk_adapter_type, {adapter_load, offsetof(adapter, loaded)}}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].type == type)
            return &all[i].loader;
    return NULL;
}
