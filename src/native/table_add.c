/* SPDX-License-Identifier: MIT
 *
 * What a table is described as, and what its columns drive. */
#include "native/table_internal.h"

#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

hk_where hk_sheet_where(const hk_model *model, const char *file, const char *name) {
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
    return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, hk_sheet_where(model, file, name), hint,
                    "no component has a variable of this name");
}

static hk_status find_targets(hk_ctx *ctx, const hk_model *model, const char *file,
                              const char *const *names, size_t count, hk_sheet_target *targets) {
    for (size_t i = 0; i < count; i++) {
        targets[i].inlet = hk_model_inlet(model, names[i]);
        if (targets[i].inlet)
            targets[i].at = hk_branch_address(targets[i].inlet->branches);
        else if (!hk_model_find(model, names[i], &targets[i].at))
            return unknown_column(ctx, model, file, names[i]);
    }
    return HK_OK;
}

static void release_origin(void *object) {
    hk_sheet_origin *origin = object;
    hk_map_finish(&origin->info.by_name);
    for (size_t i = 0; i < origin->table.column_count; i++)
        hk_free(origin->table.columns[i].cells);
    hk_free(origin->table.times);
}

/* Each column becomes an output that has the type and the unit of the input it drives. TARGETS
 * NULL: it drives none yet. */
static hk_status describe(hk_ctx *ctx, hk_model *model, const char *const *names,
                          const hk_sheet_target *targets, hk_sheet_origin *origin) {
    hk_info *info = &origin->info;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        static const hk_variable none = {.variability = HK_CONTINUOUS};
        bool variable = targets && !targets[i].inlet; /* units of others are in transformations */
        const hk_variable *driven = variable ? hk_address_variable(model, &targets[i].at) : &none;
        const hk_sheet_column *c = &origin->table.columns[i];
        const char *name = hk_arena_strdup(model->arena, names[i]);
        if (hk_map_put(&info->by_name, name, i) != i)
            return hk_error(ctx, HK_E_CSV, hk_sheet_where(model, info->file, name),
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

/* A table whose time is elsewhere would be read as if its first column were the time. */
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
                            hk_sheet_target *targets, hk_sheet_origin *origin) {
    const char *const *names = hk_table_names(reader) + 1;
    hk_sheet *t = &origin->table;
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
        .unit_class = &hk_table_class,
        .origin = origin,
    };
    t->columns = HK_NEW_ARRAY(model->arena, hk_sheet_column, count + 1);
    t->column_count = count;
    if (targets)
        HK_TRY(find_targets(ctx, model, file, names, count, targets));
    hk_sheet_shape(model, t, targets, hk_table_about(reader) + 1);
    HK_TRY(hk_sheet_read(ctx, model, file, reader, t));
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
                            hk_sheet_target **ret_targets, const hk_info **ret_info) {
    hk_table_reader *reader = NULL;
    HK_TRY(hk_table_open(ctx, file, &reader));
    hk_sheet_origin *origin = HK_NEW(model->arena, hk_sheet_origin);
    hk_model_own(model, origin, release_origin);
    origin->table.hold = hold;
    if (ret_targets)
        *ret_targets = HK_NEW_ARRAY(model->arena, hk_sheet_target, hk_table_columns(reader));
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
    if (info->unit_class != &hk_table_class)
        return false;
    const hk_sheet *t = &((const hk_sheet_origin *)info->origin)->table;
    *ret_ends = (hk_table_ends){t->times[0], t->times[t->rows - 1], t->first_line, t->last_line};
    return true;
}

/* A column on the way to what it drives. */
typedef struct feed {
    hk_ctx *ctx;
    hk_model *model;
    const hk_sheet *table;
    hk_address from; /* its variable has the number of the column */
    const char *name;
    hk_where where;
} feed;

/* The table is start-stamped: what it shows at t is seen at t. */
static hk_status drive(const feed *f, const hk_address *to, const hk_branch *branch) {
    hk_connection like = {.lag = HK_LAG_OBSERVE,
                          .delay = {0, 1},
                          .where = f->where,
                          .transform = {.kind = HK_TRANSFORM_NONE, .factor = 1}};
    hk_joined joined;
    if (branch) {
        like.transform = branch->transform;
        like.suppress_unit_conversion = true; /* it is in the transformation */
    }
    return hk_model_join(f->ctx, f->model, &f->from, to, &like, &joined);
}

/* A cell as a number; false: it is none. */
static bool cell_number(const hk_sheet_column *c, size_t row, double *ret_number) {
    hk_store store = hk_is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type);
    return store != HK_STORE_BYTES &&
           hk_value_convert(HK_STORE_F64, ret_number, store, c->cells + row * c->cell_size, 1);
}

/* One warning for each column, however many of its rows are out of range. */
static void check_range(const feed *f, const hk_address *to, const hk_transform *change,
                        const char *name) {
    const hk_sheet *t = f->table;
    const hk_variable *v = hk_address_variable(f->model, to);
    const char *first = NULL;
    double time = 0, found = 0, number;
    size_t count = 0;
    if (isnan(v->min) && isnan(v->max))
        return;
    for (size_t row = 0; row < t->rows; row++) {
        if (!cell_number(&t->columns[f->from.variable], row, &number))
            continue;
        if (change)
            number = hk_transform_value(change, number);
        if (!(number < v->min || number > v->max) || count++)
            continue;
        first = hk_range_words(f->model->arena, v->min, v->max, number);
        time = t->times[row];
        found = number;
    }
    char value[HK_NUMBER_MAX + 1], at[HK_NUMBER_MAX + 1];
    value[hk_write_f64(found, value)] = '\0';
    at[hk_write_f64(time, at)] = '\0';
    if (count)
        hk_warn(f->ctx, HK_E_PARAMETER, f->where, NULL,
                "'%s' is %s at t = %s s, %s; %zu of %zu rows are out of its range", name, value, at,
                first, count, t->rows);
}

/* The column to all that the connector of its name drives. */
static hk_status drive_branches(const feed *f, const hk_sheet_target *to) {
    const hk_branch *all = to->inlet ? to->inlet->branches : hk_model_branches(f->model, f->name);
    for (const hk_branch *b = all; b; b = b->next) {
        hk_address branch = hk_branch_address(b);
        if (!to->inlet && !branch.count) { /* one element of the connector is that of each */
            branch.element = to->at.element;
            branch.count = to->at.count;
        }
        if (to->inlet)
            check_range(f, &branch, &b->transform,
                        hk_address_name(f->model->arena, f->model, &branch));
        HK_TRY(drive(f, &branch, b));
    }
    return HK_OK;
}

hk_status hk_table_add(hk_ctx *ctx, hk_model *model, const char *path) {
    const char *file = hk_arena_strdup(model->arena, path);
    hk_sheet_target *targets = NULL;
    const hk_info *info = NULL;
    uint32_t component = 0;
    HK_TRY(open_table(ctx, model, file, false, &targets, &info));
    HK_TRY(hk_model_add_component(ctx, model, free_name(model), info, (hk_where){.file = file},
                                  &component));
    const hk_sheet_origin *origin = info->origin;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const char *name = info->variables[i].name;
        feed f = {.ctx = ctx,
                  .model = model,
                  .table = &origin->table,
                  .from = {.component = component, .variable = i},
                  .name = name,
                  .where = hk_sheet_where(model, file, name)};
        if (!targets[i].inlet) {
            check_range(&f, &targets[i].at, NULL, name);
            HK_TRY(drive(&f, &targets[i].at, NULL));
        }
        HK_TRY(drive_branches(&f, &targets[i]));
    }
    return HK_OK;
}
