/* SPDX-License-Identifier: MIT
 *
 * A table of values over time as a component: the inputs of a run that come from a file. */
#include "native/native_internal.h"

#include "base/number.h"
#include "format/csv.h"
#include "model/address.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The cells of one column below each other, in the natural store of its type; those of real numbers
 * as doubles, which are interpolated. */
typedef struct column {
    hk_type type;
    const hk_enum *enumeration;
    bool linear; /* interpolate, else hold */
    bool words;  /* so far all its cells are 'true' or 'false' */
    char *cells;
    size_t cell_size;
    size_t offset; /* of its value among those of all columns */
} column;

typedef struct table {
    double *times;
    size_t rows, cap;
    int first_line, last_line;
    column *columns;
    size_t column_count, value_bytes;
    bool hold; /* every column, until its next row */
} table;

typedef struct table_origin {
    hk_info info;
    table table;
} table_origin;

typedef struct table_unit {
    hk_unit base;
    const table *table;
    size_t row; /* where the last search ended: speeds up the next one, changes no result */
    double start, at;
    char *values;
} table_unit;

static bool is_real(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

size_t hk_find_row(const double *times, size_t rows, size_t guess, double t) {
    if (times[guess] <= t && guess + 1 < rows && times[guess + 1] <= t)
        guess++;
    if (times[guess] <= t && (guess + 1 == rows || times[guess + 1] > t))
        return guess;
    size_t low = 0, high = rows; /* rows below low are <= t, rows from high on are > t */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (times[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

static void evaluate_real(const column *c, size_t row, double part, char *to) {
    const double *cells = (const double *)(const void *)c->cells;
    double value = cells[row];
    if (part > 0 && c->linear)
        value += (cells[row + 1] - cells[row]) * part;
    float narrow = (float)value;
    memcpy(to, c->type == HK_TYPE_F32 ? (void *)&narrow : (void *)&value,
           hk_store_size(hk_store_of(c->type)));
}

static void evaluate(table_unit *unit, double t) {
    const table *all = unit->table;
    const double *times = all->times;
    size_t row = hk_find_row(times, all->rows, unit->row, t);
    unit->row = row;
    unit->at = t;
    bool between = row + 1 < all->rows && t > times[row];
    double part = between ? (t - times[row]) / (times[row + 1] - times[row]) : 0.0;
    for (size_t i = 0; i < all->column_count; i++) {
        const column *c = &all->columns[i];
        char *to = unit->values + c->offset;
        if (is_real(c->type))
            evaluate_real(c, row, part, to);
        else
            memcpy(to, c->cells + row * c->cell_size, c->cell_size);
    }
}

static const hk_unit_class table_class;

static hk_status table_begin(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                             hk_unit **ret_unit) {
    (void)ctx;
    const table_origin *origin = info->origin;
    table_unit *unit = hk_alloc(sizeof *unit);
    unit->base = (hk_unit){.unit_class = &table_class, .info = info, .name = options->name};
    unit->table = &origin->table;
    unit->start = options->start;
    unit->values = hk_alloc(unit->table->value_bytes + 1);
    *ret_unit = &unit->base;
    return HK_OK;
}

static void table_close(hk_unit *base) {
    hk_free(((table_unit *)base)->values);
    hk_free(base);
}

static hk_status table_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable,
                                 const hk_value *value) {
    (void)value;
    return hk_error(ctx, HK_E_PARAMETER, (hk_where){.file = base->info->file},
                    "change the table instead", "column '%s' of a table cannot be set",
                    base->info->variables[variable].name);
}

static hk_status table_refresh(hk_ctx *ctx, hk_unit *base, double t) {
    (void)ctx;
    evaluate((table_unit *)base, t);
    return HK_OK;
}

static hk_status table_enter_init(hk_ctx *ctx, hk_unit *base) {
    return table_refresh(ctx, base, ((table_unit *)base)->start);
}

static hk_status table_phase_ends(hk_ctx *ctx, hk_unit *base) {
    (void)ctx;
    (void)base;
    return HK_OK;
}

static void *table_address(hk_unit *base, uint32_t variable) {
    table_unit *unit = (table_unit *)base;
    return unit->values + unit->table->columns[variable].offset;
}

static hk_status table_bind(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                            void *values, hk_call *ret_call) {
    (void)base;
    (void)variables;
    (void)n;
    (void)values;
    (void)ret_call;
    return hk_error(ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                    "columns of tables are reached by address");
}

static int table_step(void *self, double t, double h) {
    (void)h;
    evaluate(self, t);
    return HK_STEP_OK;
}

static void table_bind_step(hk_unit *base, hk_step_call *ret_call) {
    *ret_call = (hk_step_call){
        .shape = HK_STEP_PLAIN, .fn.plain = table_step, .self = base, .name = "step"};
}

static hk_status table_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                   hk_stepped *ret_stepped) {
    (void)t;
    (void)h;
    (void)ret_stepped;
    return hk_error(ctx, HK_E_INTERNAL, (hk_where){.file = base->info->file}, NULL,
                    "a table returned %d", code);
}

static const char *table_call_failed(hk_unit *base, int code) {
    (void)base;
    (void)code;
    return "";
}

/* All values follow from the time; where the last search ended changes no result. */
typedef struct table_state {
    double at;
    uint64_t rows, columns;
} table_state;

static hk_status table_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    (void)ctx;
    const table_unit *unit = (table_unit *)base;
    if (!*state)
        *state = hk_alloc(sizeof(table_state));
    *(table_state *)*state = (table_state){unit->at, unit->table->rows, unit->table->column_count};
    return HK_OK;
}

static hk_status table_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    (void)ctx;
    evaluate((table_unit *)base, ((const table_state *)state)->at);
    return HK_OK;
}

static void table_state_free(hk_unit *base, void *state) {
    (void)base;
    hk_free(state);
}

static hk_status table_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                  size_t *ret_size) {
    (void)ctx;
    (void)base;
    char *data = hk_alloc(sizeof(table_state));
    memcpy(data, state, sizeof(table_state));
    *ret_data = data;
    *ret_size = sizeof(table_state);
    return HK_OK;
}

static hk_status table_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                                  void **ret_state) {
    const table *t = ((table_unit *)base)->table;
    table_state s = {0};
    if (size == sizeof s)
        memcpy(&s, data, size);
    if (s.rows != t->rows || s.columns != t->column_count)
        return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = base->info->file},
                        "restore with the table that was there when the state was saved",
                        "the state was saved with another table: this one has %zu rows and %zu "
                        "columns",
                        t->rows, t->column_count);
    void *state = hk_alloc(sizeof s);
    memcpy(state, &s, sizeof s);
    *ret_state = state;
    return HK_OK;
}

static const hk_unit_class table_class = {
    .open = table_begin,
    .close = table_close,
    .set_start = table_set_start,
    .enter_init = table_enter_init,
    .exit_init = table_phase_ends,
    .terminate = table_phase_ends,
    .refresh = table_refresh,
    .address = table_address,
    .bind_get = table_bind,
    .bind_set = table_bind,
    .bind_step = table_bind_step,
    .step_failed = table_step_failed,
    .call_failed = table_call_failed,
    .state_get = table_state_get,
    .state_set = table_state_set,
    .state_free = table_state_free,
    .state_save = table_state_save,
    .state_load = table_state_load,
};

static hk_where column_where(const hk_model *model, const char *file, const char *name) {
    return (hk_where){.file = file, .element = hk_arena_printf(model->arena, "column '%s'", name)};
}

static hk_status unknown_column(hk_ctx *ctx, const hk_model *model, const char *file,
                                const char *name) {
    size_t count = 0;
    for (size_t c = 0; c < model->component_count; c++)
        count += model->components[c].info->variable_count;
    const char **names = HK_NEW_ARRAY(model->arena, const char *, 2 * count + 1);
    count = 0;
    for (size_t c = 0; c < model->component_count; c++) {
        const hk_component *component = &model->components[c];
        for (size_t v = 0; v < component->info->variable_count; v++) {
            const hk_variable *variable = &component->info->variables[v];
            if (variable->causality != HK_INPUT)
                continue;
            names[count++] =
                hk_arena_printf(model->arena, "%s.%s", component->name, variable->name);
            if (hk_model_is_single(model))
                names[count++] = variable->name;
        }
    }
    const char *hint =
        hk_hint_closest(model->arena, name, names, count,
                        "name each column 'component.variable' after the input it drives");
    return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, column_where(model, file, name), hint,
                    "no component has a variable of this name");
}

/* What a column drives: a variable, or an input of a system that leads to several; then `at` is the
 * first of those. */
typedef struct target {
    hk_address at;
    const hk_inlet *inlet; /* NULL: a variable */
} target;

static hk_status find_targets(hk_ctx *ctx, const hk_model *model, const char *file,
                              const char *const *names, size_t count, target *targets) {
    for (size_t i = 0; i < count; i++) {
        targets[i].inlet = hk_model_inlet(model, names[i]);
        if (targets[i].inlet)
            targets[i].at = hk_branch_address(targets[i].inlet->branches);
        else if (!hk_model_find(model, names[i], &targets[i].at))
            return unknown_column(ctx, model, file, names[i]);
    }
    return HK_OK;
}

/* The type of a column is that of its variable; what is changed on its way is a number before. */
static hk_type type_of(const target *to, const hk_variable *v) {
    bool linear = false, map = false;
    for (const hk_branch *b = to->inlet ? to->inlet->branches : NULL; b; b = b->next) {
        linear |= b->transform.kind == HK_TRANSFORM_LINEAR;
        map |= b->transform.kind == HK_TRANSFORM_MAP;
    }
    return linear ? HK_TYPE_F64 : map ? HK_TYPE_I64 : v->type;
}

/* Columns that drive nothing yet are numbers. Those that say they are Booleans, whole numbers or
 * items of an enumeration are held: between two rows there is nothing they could be. */
static void shape_columns(hk_model *model, table *t, const target *targets,
                          const hk_table_column *about) {
    for (size_t i = 0; i < t->column_count; i++) {
        const hk_variable *v = targets ? hk_address_variable(model, &targets[i].at) : NULL;
        column *c = &t->columns[i];
        c->type = v ? type_of(&targets[i], v) : HK_TYPE_F64;
        c->enumeration = v && c->type == v->type ? v->enumeration : NULL;
        bool real = v ? v->variability == HK_CONTINUOUS
                      : about[i].type == HK_TYPE_COUNT || is_real(about[i].type);
        c->linear = is_real(c->type) && real && !t->hold;
        c->words = !v;
        c->cell_size = hk_store_size(is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type));
        c->offset = t->value_bytes;
        t->value_bytes += (hk_store_size(hk_store_of(c->type)) + 7) / 8 * 8;
    }
}

/* A cell as a value of its column: numbers may be written as 'true' and 'false', and truth values
 * as numbers. */
static bool read_cell(hk_arena *arena, const column *c, const char *text, void *to) {
    hk_value value;
    double number;
    bool truth;
    if (!is_real(c->type) && hk_value_parse(arena, c->type, 1, c->enumeration, text, &value)) {
        memcpy(to, value.data, c->cell_size);
        return true;
    }
    hk_store store = is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type);
    if (store == HK_STORE_BYTES)
        return false;
    if (!hk_read_f64(text, strlen(text), &number)) {
        if (!hk_read_bool(text, strlen(text), &truth))
            return false;
        number = truth;
    }
    return !isnan(number) && hk_value_convert(store, to, HK_STORE_F64, &number, 1);
}

static hk_status wrong_cell(hk_ctx *ctx, const hk_model *model, const char *file, const char *name,
                            const hk_table_row *row, size_t at, const column *c, const char *text) {
    hk_where where = column_where(model, file, name);
    where.line = row->line;
    where.column = row->cells[at].column;
    if (!*text && c->type != HK_TYPE_BINARY)
        return hk_error(ctx, HK_E_CSV, where, "every row gives each column a value",
                        "the cell is empty");
    if (is_real(c->type))
        return hk_error(ctx, HK_E_CSV, where,
                        hk_csv_has_decimal_comma(&row->cells[at])
                            ? HK_CSV_POINT_HINT
                            : "cells are numbers, 'true' or 'false'",
                        "the cell '%s' is no number", text);
    const char *hint = "its cells are whole numbers, 'true' or 'false'";
    if (c->type == HK_TYPE_BOOL)
        hint = "its cells are 'true' or 'false', 1 or 0";
    else if (c->type == HK_TYPE_BINARY)
        hint = "write pairs of hexadecimal digits";
    else if (c->enumeration)
        hint = hk_enum_items(model->arena, c->enumeration);
    return hk_error(ctx, HK_E_CSV, where, hint, "the cell '%s' is no %s value", text,
                    hk_type_name(c->type));
}

static void grow(table *t) {
    t->cap = t->cap ? 2 * t->cap : 64;
    t->times = hk_realloc(t->times, t->cap * sizeof *t->times);
    for (size_t i = 0; i < t->column_count; i++)
        t->columns[i].cells = hk_realloc(t->columns[i].cells, t->cap * t->columns[i].cell_size);
}

/* Room for what is read on the way to a cell. */
typedef struct scratch {
    hk_arena *arena;
    size_t used;
    char *text;
    size_t cap;
} scratch;

static const char *cell_text(scratch *s, const hk_table_cell *cell) {
    enum { RENEWED_AFTER = 4096 }; /* cells: an arena does not forget */
    if (!s->arena || s->used++ == RENEWED_AFTER) {
        hk_arena_destroy(s->arena);
        s->arena = hk_arena_create();
        s->used = 0;
    }
    if (cell->length + 1 > s->cap) {
        s->cap = 2 * cell->length + 64;
        s->text = hk_realloc(s->text, s->cap);
    }
    if (cell->length)
        memcpy(s->text, cell->text, cell->length);
    s->text[cell->length] = '\0';
    return s->text;
}

static hk_status read_row(hk_ctx *ctx, hk_model *model, const char *file,
                          const hk_table_reader *reader, const hk_table_row *row, table *t,
                          scratch *s) {
    if (t->rows == t->cap)
        grow(t);
    t->times[t->rows] = row->time;
    for (size_t i = 0; i < t->column_count; i++) {
        column *c = &t->columns[i];
        bool kept = c->type == HK_TYPE_STRING || c->type == HK_TYPE_BINARY;
        const char *text = cell_text(s, &row->cells[i + 1]);
        bool truth;
        c->words = c->words && !strpbrk(text, "01") && hk_read_bool(text, strlen(text), &truth);
        if (!read_cell(kept ? model->arena : s->arena, c, text, c->cells + t->rows * c->cell_size))
            return wrong_cell(ctx, model, file, hk_table_names(reader)[i + 1], row, i + 1, c, text);
    }
    t->first_line = t->rows ? t->first_line : row->line;
    t->last_line = row->line;
    t->rows++;
    return HK_OK;
}

static hk_status read_rows(hk_ctx *ctx, hk_model *model, const char *file, hk_table_reader *reader,
                           table *t) {
    scratch s = {0};
    const hk_table_row *row = NULL;
    hk_status status = hk_table_next(reader, &row);
    while (status == HK_OK && row) {
        status = read_row(ctx, model, file, reader, row, t, &s);
        if (status == HK_OK)
            status = hk_table_next(reader, &row);
    }
    hk_arena_destroy(s.arena);
    hk_free(s.text);
    return status;
}

static void release_origin(void *object) {
    table_origin *origin = object;
    hk_map_finish(&origin->info.by_name);
    for (size_t i = 0; i < origin->table.column_count; i++)
        hk_free(origin->table.columns[i].cells);
    hk_free(origin->table.times);
}

/* Each column becomes an output that has the type and the unit of the input it drives. TARGETS
 * NULL: it drives none yet. */
static hk_status describe(hk_ctx *ctx, hk_model *model, const char *const *names,
                          const target *targets, table_origin *origin) {
    hk_info *info = &origin->info;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        static const hk_variable none = {.variability = HK_CONTINUOUS};
        bool variable = targets && !targets[i].inlet; /* units of others are in transformations */
        const hk_variable *driven = variable ? hk_address_variable(model, &targets[i].at) : &none;
        const column *c = &origin->table.columns[i];
        const char *name = hk_arena_strdup(model->arena, names[i]);
        if (hk_map_put(&info->by_name, name, i) != i)
            return hk_error(ctx, HK_E_CSV, column_where(model, info->file, name),
                            "remove one of them", "two columns have this name");
        info->variables[i] = (hk_variable){
            .name = name,
            .ref = i,
            .type = c->type,
            .store = hk_store_of(c->type),
            .causality = HK_OUTPUT,
            .variability = c->linear ? HK_CONTINUOUS : HK_DISCRETE,
            .initial = HK_CALCULATED,
            .count = 1,
            .unit = driven->unit,
            .uom = driven->uom,
            .relative = driven->relative,
            .enumeration = c->enumeration,
            .min = (double)NAN,
            .max = (double)NAN,
            .nominal = (double)NAN,
            .depends = {.known = true},
            .depends_init = {.known = true},
            .alias_of = i,
        };
    }
    return HK_OK;
}

/* "input", or if that is taken "input2", "input3" ... */
static const char *free_name(const hk_model *model) {
    const char *name = "input";
    for (unsigned n = 2; hk_map_get(&model->by_name, name) != HK_MAP_NONE; n++)
        name = hk_arena_printf(model->arena, "input%u", n);
    return name;
}

/* "time", "Time", "time [s]" */
static bool is_time(const char *name) {
    return strncasecmp(name, "time", 4) == 0 && (!name[4] || strchr(" [(", name[4]));
}

/* A table whose time stands elsewhere would be read as if its first column were the time. */
static hk_status check_time_first(hk_ctx *ctx, const char *file, const char *const *names,
                                  size_t count) {
    for (size_t i = 1; i < count && !is_time(names[0]); i++)
        if (is_time(names[i]))
            return hk_error(ctx, HK_E_CSV, (hk_where){.file = file, .line = 1},
                            "make the time the first column",
                            "the first column is '%s', and the time is column %zu, '%s'", names[0],
                            i + 1, names[i]);
    return HK_OK;
}

/* Fills ORIGIN; TARGETS is NULL, or has room for one per column. */
static hk_status read_table(hk_ctx *ctx, hk_model *model, const char *file, hk_table_reader *reader,
                            target *targets, table_origin *origin) {
    const char *const *names = hk_table_names(reader) + 1;
    table *t = &origin->table;
    size_t count = hk_table_columns(reader) - 1;
    HK_TRY(check_time_first(ctx, file, hk_table_names(reader), count + 1));
    origin->info = (hk_info){
        .name = "table",
        .kind = "table",
        .file = file,
        .stamp = HK_STAMP_START,
        .variables = HK_NEW_ARRAY(model->arena, hk_variable, count + 1),
        .variable_count = count,
        .can = {.only_feeds = true,
                .variable_step = true,
                .save_state = true,
                .serialize_state = true},
        .unit_class = &table_class,
        .origin = origin,
    };
    t->columns = HK_NEW_ARRAY(model->arena, column, count + 1);
    t->column_count = count;
    if (targets)
        HK_TRY(find_targets(ctx, model, file, names, count, targets));
    shape_columns(model, t, targets, hk_table_about(reader) + 1);
    HK_TRY(read_rows(ctx, model, file, reader, t));
    for (size_t i = 0; i < count && t->rows; i++)
        t->columns[i].linear = t->columns[i].linear && !t->columns[i].words;
    if (!count || !t->rows)
        return hk_error(ctx, HK_E_CSV, (hk_where){.file = file},
                        "give a time column, one more column, and a row",
                        "the table has %zu columns and %zu rows", count + 1, t->rows);
    return describe(ctx, model, names, targets, origin);
}

/* *ret_targets is NULL if the columns are to drive nothing yet. */
static hk_status open_table(hk_ctx *ctx, hk_model *model, const char *file, bool hold,
                            target **ret_targets, const hk_info **ret_info) {
    hk_table_reader *reader = NULL;
    HK_TRY(hk_table_open(ctx, file, &reader));
    table_origin *origin = HK_NEW(model->arena, table_origin);
    hk_model_own(model, origin, release_origin);
    origin->table.hold = hold;
    if (ret_targets)
        *ret_targets = HK_NEW_ARRAY(model->arena, target, hk_table_columns(reader));
    hk_status status =
        read_table(ctx, model, file, reader, ret_targets ? *ret_targets : NULL, origin);
    hk_table_close(reader);
    if (status == HK_OK)
        *ret_info = &origin->info;
    return status;
}

hk_status hk_table_info(hk_ctx *ctx, hk_model *model, const char *path, bool hold,
                        const hk_info **ret_info) {
    return open_table(ctx, model, hk_arena_strdup(model->arena, path), hold, NULL, ret_info);
}

bool hk_table_span(const hk_info *info, hk_table_ends *ret_ends) {
    if (info->unit_class != &table_class)
        return false;
    const table *t = &((const table_origin *)info->origin)->table;
    *ret_ends = (hk_table_ends){t->times[0], t->times[t->rows - 1], t->first_line, t->last_line};
    return true;
}

/* The table is start-stamped: what it shows at t is seen at t. */
static hk_status drive(hk_ctx *ctx, hk_model *model, const hk_address *from, const hk_address *to,
                       const hk_branch *branch, hk_where where) {
    hk_connection like = {.lag = HK_LAG_OBSERVE,
                          .delay = {0, 1},
                          .transform = {.kind = HK_TRANSFORM_NONE, .factor = 1}};
    size_t first, count;
    if (branch) {
        like.transform = branch->transform;
        like.suppress_unit_conversion = true; /* it is in the transformation */
    }
    return hk_model_join(ctx, model, from, to, &like, where, &first, &count);
}

/* A cell as a number; false: it is none. */
static bool cell_number(const column *c, size_t row, double *ret_number) {
    hk_store store = is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type);
    return store != HK_STORE_BYTES &&
           hk_value_convert(HK_STORE_F64, ret_number, store, c->cells + row * c->cell_size, 1);
}

/* One warning for each column, however many of its rows are out of range. */
static void check_range(hk_ctx *ctx, hk_model *model, const table *t, size_t index,
                        const hk_address *to, const hk_transform *change, const char *name,
                        hk_where where) {
    const hk_variable *v = hk_address_variable(model, to);
    const char *first = NULL;
    double time = 0, found = 0, number;
    size_t count = 0;
    if (isnan(v->min) && isnan(v->max))
        return;
    for (size_t row = 0; row < t->rows; row++) {
        if (!cell_number(&t->columns[index], row, &number))
            continue;
        if (change)
            number = hk_transform_value(change, number);
        if (!(number < v->min || number > v->max) || count++)
            continue;
        first = hk_range_words(model->arena, v->min, v->max, number);
        time = t->times[row];
        found = number;
    }
    char value[HK_NUMBER_MAX + 1], at[HK_NUMBER_MAX + 1];
    value[hk_write_f64(found, value)] = '\0';
    at[hk_write_f64(time, at)] = '\0';
    if (count)
        hk_warn(ctx, HK_E_PARAMETER, where, NULL,
                "'%s' is %s at t = %s s, %s; %zu of %zu rows are out of its range", name, value, at,
                first, count, t->rows);
}

/* Column I to all that the connector of its name drives. */
static hk_status drive_branches(hk_ctx *ctx, hk_model *model, const table *t, uint32_t i,
                                const hk_address *from, const target *to, const char *name,
                                hk_where where) {
    const hk_branch *all = to->inlet ? to->inlet->branches : hk_model_branches(model, name);
    for (const hk_branch *b = all; b; b = b->next) {
        hk_address branch = hk_branch_address(b);
        if (!to->inlet && !branch.count) { /* one element of the connector is that of each */
            branch.element = to->at.element;
            branch.count = to->at.count;
        }
        if (to->inlet)
            check_range(ctx, model, t, i, &branch, &b->transform,
                        hk_address_name(model->arena, model, &branch), where);
        HK_TRY(drive(ctx, model, from, &branch, b, where));
    }
    return HK_OK;
}

hk_status hk_table_add(hk_ctx *ctx, hk_model *model, const char *path) {
    const char *file = hk_arena_strdup(model->arena, path);
    target *targets = NULL;
    const hk_info *info = NULL;
    uint32_t component = 0;
    HK_TRY(open_table(ctx, model, file, false, &targets, &info));
    HK_TRY(hk_model_add_component(ctx, model, free_name(model), info, (hk_where){.file = file},
                                  &component));
    const table_origin *origin = info->origin;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const char *name = info->variables[i].name;
        hk_address from = {.component = component, .variable = i};
        hk_where where = column_where(model, file, name);
        if (!targets[i].inlet) {
            check_range(ctx, model, &origin->table, i, &targets[i].at, NULL, name, where);
            HK_TRY(drive(ctx, model, &from, &targets[i].at, NULL, where));
        }
        HK_TRY(drive_branches(ctx, model, &origin->table, i, &from, &targets[i], name, where));
    }
    return HK_OK;
}
