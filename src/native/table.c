/* SPDX-License-Identifier: MIT
 *
 * A table of values over time as a component: the inputs of a run that come from a file. */
#include "native/table_internal.h"

#include "base/search.h"

#include <string.h>

typedef struct table_unit {
    hk_unit base;
    const hk_sheet *table;
    size_t row; /* where the last search ended: speeds up the next one, changes no result */
    double start, at;
    char *values;
} table_unit;

size_t hk_find_row(const double *times, size_t rows, size_t guess, double t) {
    if (times[guess] <= t && guess + 1 < rows && times[guess + 1] <= t)
        guess++;
    if (times[guess] <= t && (guess + 1 == rows || times[guess + 1] > t))
        return guess;
    size_t later = 0;
    HK_SEARCH(later, rows, i, times[i] <= t)
    return later ? later - 1 : 0;
}

static void evaluate_real(const hk_sheet_column *c, size_t row, double part, char *to) {
    const double *cells = (const double *)(const void *)c->cells;
    double value = cells[row];
    if (part > 0 && c->linear)
        value += (cells[row + 1] - cells[row]) * part;
    float narrow = (float)value;
    memcpy(to, c->type == HK_TYPE_F32 ? (void *)&narrow : (void *)&value,
           hk_store_size(hk_store_of(c->type)));
}

static void evaluate(table_unit *unit, double t) {
    const hk_sheet *all = unit->table;
    const double *times = all->times;
    size_t row = hk_find_row(times, all->rows, unit->row, t);
    unit->row = row;
    unit->at = t;
    bool between = row + 1 < all->rows && t > times[row];
    double part = between ? (t - times[row]) / (times[row + 1] - times[row]) : 0.0;
    for (size_t i = 0; i < all->column_count; i++) {
        const hk_sheet_column *c = &all->columns[i];
        char *to = unit->values + c->offset;
        if (hk_is_real(c->type))
            evaluate_real(c, row, part, to);
        else
            memcpy(to, c->cells + row * c->cell_size, c->cell_size);
    }
}

static hk_status table_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                            hk_unit **ret_unit) {
    (void)ctx;
    const hk_sheet_origin *origin = info->origin;
    table_unit *unit = hk_alloc(sizeof *unit);
    unit->base = (hk_unit){.unit_class = &hk_table_class, .info = info, .name = options->name};
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

static void *table_address(hk_unit *base, uint32_t variable) {
    table_unit *unit = (table_unit *)base;
    return unit->values + unit->table->columns[variable].offset;
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
    const hk_sheet *t = ((table_unit *)base)->table;
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

const hk_unit_class hk_table_class = {
    HK_LIFE_HOOKS(table),
    HK_STATE_HOOKS(table),
    .refresh = table_refresh,
    HK_ADDRESS_HOOKS,
};
