/* SPDX-License-Identifier: MIT
 *
 * A table of numbers over time as a component: the inputs of a run that come from a CSV file. */
#include "native/native_internal.h"

#include "format/csv.h"

#include <math.h>
#include <string.h>

typedef struct table_origin {
    hk_info info;
    const hk_table *table;
    const bool *linear; /* per output: interpolate, else hold */
} table_origin;

/* Where a column goes. */
typedef struct target {
    uint32_t component, variable;
} target;

typedef struct table_unit {
    hk_unit base;
    const hk_table *table;
    const bool *linear;
    size_t row; /* where the last search ended: speeds up the next one, changes no result */
    double start;
    double *values; /* one per output */
} table_unit;

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

static void evaluate(table_unit *unit, double t) {
    const hk_table *table = unit->table;
    const double *times = table->values[0];
    size_t row = hk_find_row(times, table->rows, unit->row, t);
    unit->row = row;
    bool between = row + 1 < table->rows && t > times[row];
    double part = between ? (t - times[row]) / (times[row + 1] - times[row]) : 0.0;
    for (size_t i = 0; i + 1 < table->columns; i++) {
        const double *column = table->values[i + 1];
        unit->values[i] = column[row];
        if (between && unit->linear[i])
            unit->values[i] += (column[row + 1] - column[row]) * part;
    }
}

static const hk_unit_class table_class;

static hk_status table_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                            hk_unit **ret_unit) {
    (void)ctx;
    const table_origin *origin = info->origin;
    table_unit *unit = hk_alloc(sizeof *unit);
    unit->base = (hk_unit){.unit_class = &table_class, .info = info, .name = options->name};
    unit->table = origin->table;
    unit->linear = origin->linear;
    unit->start = options->start;
    unit->values = hk_alloc((info->variable_count + 1) * sizeof *unit->values);
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
    return &((table_unit *)base)->values[variable];
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
                                   double *ret_time) {
    (void)t;
    (void)h;
    (void)ret_time;
    return hk_error(ctx, HK_E_INTERNAL, (hk_where){.file = base->info->file}, NULL,
                    "a table returned %d", code);
}

static const char *table_call_failed(hk_unit *base, int code) {
    (void)base;
    (void)code;
    return "";
}

/* The values are all the state there is: where the last search ended changes no result. */
static size_t state_size(const hk_unit *base) {
    return base->info->variable_count * sizeof(double);
}

static hk_status table_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    (void)ctx;
    if (!*state)
        *state = hk_alloc(state_size(base) + 1);
    memcpy(*state, ((table_unit *)base)->values, state_size(base));
    return HK_OK;
}

static hk_status table_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    (void)ctx;
    memcpy(((table_unit *)base)->values, state, state_size(base));
    return HK_OK;
}

static void table_state_free(hk_unit *base, void *state) {
    (void)base;
    hk_free(state);
}

static hk_status table_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                  size_t *ret_size) {
    (void)ctx;
    char *data = hk_alloc(state_size(base) + 1);
    memcpy(data, state, state_size(base));
    *ret_data = data;
    *ret_size = state_size(base);
    return HK_OK;
}

static hk_status table_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                                  void **ret_state) {
    if (size != state_size(base))
        return hk_error(ctx, HK_E_STATE_FILE, (hk_where){.file = base->info->file},
                        "restore with the table that was there when the state was saved",
                        "saved state has %zu bytes, the table's has %zu", size, state_size(base));
    void *state = hk_alloc(size + 1);
    memcpy(state, data, size);
    *ret_state = state;
    return HK_OK;
}

static const hk_unit_class table_class = {
    .open = table_open,
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
    const char *close = hk_closest(name, names, count);
    const char *hint = close ? hk_arena_printf(model->arena, "did you mean '%s'?", close)
                             : "name each column 'component.variable' after the input it drives";
    return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, column_where(model, file, name), hint,
                    "no component has a variable of this name");
}

static hk_status check_cells(hk_ctx *ctx, const hk_model *model, const char *file,
                             const hk_table *table, size_t column) {
    hk_where where = column_where(model, file, table->names[column]);
    for (size_t row = 0; row < table->rows; row++) {
        where.line = table->lines[row];
        if (isnan(table->values[column][row]))
            return hk_error(ctx, HK_E_CSV, where, "cells are numbers, 'true' or 'false'",
                            "the cell is no number");
    }
    return HK_OK;
}

static hk_status find_targets(hk_ctx *ctx, const hk_model *model, const char *file,
                              const hk_table *table, target *targets) {
    for (size_t i = 1; i < table->columns; i++) {
        target *to = &targets[i - 1];
        if (!hk_model_find(model, table->names[i], &to->component, &to->variable))
            return unknown_column(ctx, model, file, table->names[i]);
        HK_TRY(check_cells(ctx, model, file, table, i));
    }
    return HK_OK;
}

static void release_origin(void *object) {
    hk_map_finish(&((table_origin *)object)->info.by_name);
}

/* Each column becomes an output that has the unit of the input it drives. TARGETS NULL: it drives
 * none yet. */
static hk_status describe(hk_ctx *ctx, hk_model *model, const char *file, const hk_table *table,
                          const target *targets, const hk_info **ret_info) {
    size_t count = table->columns - 1;
    table_origin *origin = HK_NEW(model->arena, table_origin);
    bool *linear = HK_NEW_ARRAY(model->arena, bool, count + 1);
    hk_info *info = &origin->info;
    origin->table = table;
    origin->linear = linear;
    *info = (hk_info){
        .name = "table",
        .kind = "table",
        .file = file,
        .stamp = HK_STAMP_START,
        .variables = HK_NEW_ARRAY(model->arena, hk_variable, count + 1),
        .variable_count = count,
        .can = {.variable_step = true, .save_state = true, .serialize_state = true},
        .unit_class = &table_class,
        .origin = origin,
    };
    for (uint32_t i = 0; i < count; i++) {
        static const hk_variable none = {.variability = HK_CONTINUOUS};
        const hk_variable *driven =
            targets ? &model->components[targets[i].component].info->variables[targets[i].variable]
                    : &none;
        const char *name = table->names[i + 1];
        if (hk_map_put(&info->by_name, name, i) != i) {
            hk_map_finish(&info->by_name);
            return hk_error(ctx, HK_E_CSV, column_where(model, file, name), "remove one of them",
                            "two columns have this name");
        }
        linear[i] = driven->variability == HK_CONTINUOUS;
        info->variables[i] = (hk_variable){
            .name = name,
            .ref = i,
            .type = HK_TYPE_F64,
            .store = HK_STORE_F64,
            .causality = HK_OUTPUT,
            .variability = linear[i] ? HK_CONTINUOUS : HK_DISCRETE,
            .initial = HK_CALCULATED,
            .count = 1,
            .unit = driven->unit,
            .uom = driven->uom,
            .relative = driven->relative,
            .min = (double)NAN,
            .max = (double)NAN,
            .nominal = (double)NAN,
            .depends = {.known = true},
            .depends_init = {.known = true},
            .alias_of = i,
        };
    }
    hk_model_own(model, origin, release_origin);
    *ret_info = info;
    return HK_OK;
}

/* "input", or if that is taken "input2", "input3" ... */
static const char *free_name(const hk_model *model) {
    const char *name = "input";
    for (unsigned n = 2; hk_map_get(&model->by_name, name) != HK_MAP_NONE; n++)
        name = hk_arena_printf(model->arena, "input%u", n);
    return name;
}

static hk_status read_table(hk_ctx *ctx, hk_model *model, const char *file,
                            const hk_table **ret_table) {
    const hk_table *table = NULL;
    HK_TRY(hk_csv_read(ctx, model->arena, file, &table));
    if (table->columns < 2 || table->rows == 0)
        return hk_error(ctx, HK_E_CSV, (hk_where){.file = file},
                        "give a time column, one more column, and a row",
                        "the table has %zu columns and %zu rows", table->columns, table->rows);
    *ret_table = table;
    return HK_OK;
}

hk_status hk_table_info(hk_ctx *ctx, hk_model *model, const char *path, const hk_info **ret_info) {
    const char *file = hk_arena_strdup(model->arena, path);
    const hk_table *table = NULL;
    HK_TRY(read_table(ctx, model, file, &table));
    for (size_t i = 1; i < table->columns; i++)
        HK_TRY(check_cells(ctx, model, file, table, i));
    return describe(ctx, model, file, table, NULL, ret_info);
}

hk_status hk_table_add(hk_ctx *ctx, hk_model *model, const char *path) {
    const char *file = hk_arena_strdup(model->arena, path);
    const hk_table *table = NULL;
    HK_TRY(read_table(ctx, model, file, &table));
    hk_where where = {.file = file};
    target *targets = HK_NEW_ARRAY(model->arena, target, table->columns);
    const hk_info *info = NULL;
    uint32_t component = 0;
    HK_TRY(find_targets(ctx, model, file, table, targets));
    HK_TRY(describe(ctx, model, file, table, targets, &info));
    HK_TRY(hk_model_add_component(ctx, model, free_name(model), info, where, &component));
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const char *name = info->variables[i].name;
        where = column_where(model, file, name);
        /* The table is start-stamped: what it shows at t is seen at t. */
        hk_model_connect(model, component, i, targets[i].component, targets[i].variable, where)
            ->lag = HK_LAG_OBSERVE;
        for (const hk_branch *b = hk_model_branches(model, name); b; b = b->next) {
            hk_connection *connection =
                hk_model_connect(model, component, i, b->component, b->variable, where);
            connection->lag = HK_LAG_OBSERVE;
            connection->transform = b->transform;
            connection->suppress_unit_conversion = true; /* it is in the transformation */
        }
    }
    return HK_OK;
}
