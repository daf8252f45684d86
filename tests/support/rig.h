/* SPDX-License-Identifier: MIT
 *
 * A small system of native components, checked, planned and run in a test, with its record kept in
 * memory. Functions fail the test where a failure is not what a test asks about. */
#ifndef HK_TEST_RIG_H
#define HK_TEST_RIG_H

#include "check/check.h"
#include "engine/sim.h"
#include "model/address.h"
#include "native/native.h"

#include <string.h>

enum { RIG_COLUMNS = 64 };

typedef struct rig {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    hk_sim *sim;
    hk_sim_options options;
    hk_listener listener; /* the only one, unless a test has its own */
    hk_algorithm algorithm;
    bool bind_any; /* every provider may be bound, not only those that are */
    hk_ratio past; /* so much the first connection keeps, for delays that begin later */
    hk_column columns[RIG_COLUMNS];
    size_t row_size;
    char *cells; /* texts are replaced by their first eight bytes, so that rows can be compared */
    double *times;
    size_t rows, cap;
} rig;

static inline void *rig_row_begin(void *user) {
    rig *r = user;
    if (r->rows == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 1024;
        r->cells = hk_realloc(r->cells, r->cap * (r->row_size + 8));
        r->times = hk_realloc(r->times, r->cap * sizeof *r->times);
    }
    char *row = r->cells + r->rows * r->row_size;
    memset(row, 0, r->row_size);
    return row;
}

static inline bool rig_row_end(void *user, double time) {
    rig *r = user;
    char *row = r->cells + r->rows * r->row_size;
    for (size_t i = 0; i < r->listener.column_count; i++) {
        if (r->columns[i].store != HK_STORE_BYTES)
            continue;
        hk_bytes *cell = (hk_bytes *)(void *)(row + r->columns[i].offset);
        uint64_t start = 0;
        memcpy(&start, cell->data, cell->size < 8 ? cell->size : 8);
        memcpy(&cell->data, &start, 8);
    }
    r->times[r->rows++] = time;
    return true;
}

static inline hk_ratio rig_seconds(const char *text) {
    hk_ratio ratio = {0, 1};
    assert_true(hk_ratio_parse(text, &ratio));
    return ratio;
}

/* INTERVAL NULL: a row per step. */
static inline void rig_begin(rig *r, const char *step, const char *stop, const char *interval) {
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("rig", NULL)};
    hk_experiment *x = &r->model->experiment;
    x->start = (hk_ratio){0, 1};
    x->step = rig_seconds(step);
    x->stop = rig_seconds(stop);
    x->output_interval = interval ? rig_seconds(interval) : (hk_ratio){0, 1};
    x->has_step = x->has_stop = true;
}

/* PERIOD and OFFSET may be NULL. */
static inline uint32_t rig_add(rig *r, const char *name, const hk_unit_type *type,
                               const char *period, const char *offset) {
    const hk_info *info = NULL;
    uint32_t index = 0;
    for (size_t i = 0; i < r->model->component_count; i++)
        if (strcmp(r->model->components[i].info->name, type->name) == 0)
            info = r->model->components[i].info;
    if (!info)
        assert_int_equal(hk_native_info(r->ctx, r->model, type, &info), HK_OK);
    assert_int_equal(hk_model_add_component(r->ctx, r->model, name, info, HK_NOWHERE, &index),
                     HK_OK);
    hk_component *c = &r->model->components[index];
    c->has_period = period != NULL;
    if (period)
        c->period = rig_seconds(period);
    if (offset)
        c->offset = rig_seconds(offset);
    return index;
}

static inline void rig_find(const rig *r, const char *path, uint32_t *component,
                            uint32_t *variable) {
    hk_address at;
    if (!hk_model_find(r->model, path, &at))
        fail_msg("no '%s'", path);
    *component = at.component;
    *variable = at.variable;
}

static inline hk_connection *rig_connect(rig *r, const char *from, const char *to) {
    uint32_t fc, fv, tc, tv;
    rig_find(r, from, &fc, &fv);
    rig_find(r, to, &tc, &tv);
    return hk_model_connect(r->model, fc, fv, tc, tv, HK_NOWHERE);
}

static inline void rig_set(rig *r, const char *path, const char *text) {
    uint32_t c, v;
    rig_find(r, path, &c, &v);
    assert_int_equal(hk_model_set(r->ctx, r->model, c, v,
                                  &(hk_given_text){text, NULL, {HK_FROM_USER, HK_NOWHERE}}),
                     HK_OK);
}

/* Records every element of a variable. */
static inline void rig_record(rig *r, const char *path) {
    uint32_t c, v;
    rig_find(r, path, &c, &v);
    const hk_variable *about = &r->model->components[c].info->variables[v];
    for (uint32_t e = 0; e < about->count; e++) {
        assert_true(r->listener.column_count < RIG_COLUMNS);
        r->columns[r->listener.column_count++] = (hk_column){.name = path,
                                                             .component = c,
                                                             .variable = v,
                                                             .element = e,
                                                             .type = about->type,
                                                             .store = about->store};
    }
}

static inline hk_status rig_start(rig *r) {
    HK_TRY(hk_check_model(r->ctx, r->model));
    hk_model_lower(r->model);
    hk_bindings bindings = hk_bindings_of(r->model, r->model->arena);
    for (size_t i = 0; i < r->model->requirement_count && r->bind_any; i++)
        for (size_t c = 0; c < r->model->requirements[i].candidate_count; c++)
            bindings.may[i][c] = true;
    hk_plan_options how = {.algorithm = r->algorithm, .bindings = &bindings};
    HK_TRY(hk_plan_make(r->ctx, r->model, &how, &r->plan));
    if (r->past.num)
        HK_TRY(hk_plan_keep_past(r->ctx, r->plan, 0, r->past, HK_NOWHERE));
    r->row_size = hk_columns_layout(r->columns, r->listener.column_count);
    r->listener.columns = r->columns;
    if (r->listener.column_count && !r->listener.sink.row_begin)
        r->listener.sink = (hk_sink){rig_row_begin, rig_row_end, r};
    if (!r->options.listener_count) {
        r->options.listeners = &r->listener;
        r->options.listener_count = 1;
    }
    return hk_sim_create(r->ctx, r->plan, &r->options, &r->sim);
}

static inline hk_status rig_run(rig *r) {
    HK_TRY(rig_start(r));
    return hk_sim_run(r->sim);
}

static inline void rig_end(rig *r) {
    hk_sim_destroy(r->sim);
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_ctx_destroy(r->ctx);
    hk_free(r->cells);
    hk_free(r->times);
    *r = (rig){0};
}

static inline const void *rig_cell(const rig *r, size_t row, size_t column) {
    assert_true(row < r->rows && column < r->listener.column_count);
    return r->cells + row * r->row_size + r->columns[column].offset;
}

static inline double rig_f64(const rig *r, size_t row, size_t column) {
    double value = 0;
    assert_int_equal(r->columns[column].store, HK_STORE_F64);
    memcpy(&value, rig_cell(r, row, column), 8);
    return value;
}

/* A text cell, at most its first seven bytes. */
static inline const char *rig_text(const rig *r, size_t row, size_t column) {
    assert_int_equal(r->columns[column].store, HK_STORE_BYTES);
    return rig_cell(r, row, column);
}

static inline const hk_diag *rig_error(const rig *r) {
    const hk_diag *found = NULL;
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        if (hk_ctx_diag(r->ctx, i)->severity == HK_ERROR)
            found = hk_ctx_diag(r->ctx, i);
    assert_non_null(found);
    return found;
}

static inline void rig_says(const hk_diag *diag, const char *part, const char *file, int line) {
    if (strstr(diag->text, part))
        return;
    print_error("'%s' does not say '%s'\n", diag->text, part);
    _fail(file, line);
}
#define assert_says(diag, part) rig_says(diag, part, __FILE__, __LINE__)

static inline void rig_exactly(double value, double expected, const char *text, const char *file,
                               int line) {
    if (value == expected)
        return;
    print_error("%s is %.17g, expected %.17g\n", text, value, expected);
    _fail(file, line);
}
#define assert_exactly(value, expected) rig_exactly(value, expected, #value, __FILE__, __LINE__)

#endif
