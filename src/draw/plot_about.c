/* SPDX-License-Identifier: MIT
 *
 * What is written beside a record (record/about.h), as far as a plot shows it. Members that are
 * missing, or are something else than they should be, are passed over: another tool may have
 * written the file. */
#include "draw/plot.h"
#include "format/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const hk_json_value *object, const char *name) {
    const hk_json_value *v = object ? hk_json_member(object, name) : NULL;
    return v && v->kind == HK_JSON_STRING ? v->text : NULL;
}

static double number_of(const hk_json_value *object, const char *name, double otherwise) {
    const hk_json_value *v = hk_json_member(object, name);
    return v && v->kind == HK_JSON_NUMBER ? v->number : otherwise;
}

static hk_plot_kind kind_of(hk_type type) {
    if (type == HK_TYPE_BOOL)
        return HK_PLOT_BOOLEAN;
    return (type >= HK_TYPE_I8 && type <= HK_TYPE_U64) || type == HK_TYPE_ENUM ? HK_PLOT_INTEGER
                                                                               : HK_PLOT_REAL;
}

static int by_value(const void *a, const void *b) {
    double x = ((const hk_plot_item *)a)->value, y = ((const hk_plot_item *)b)->value;
    return (x > y) - (x < y);
}

void hk_plot_describe(hk_arena *arena, const hk_table_column *about, hk_plot_column *column) {
    hk_plot_item *items = HK_NEW_ARRAY(arena, hk_plot_item, about->item_count + 1);
    for (size_t k = 0; k < about->item_count; k++)
        items[k] = (hk_plot_item){(double)about->item_values[k], about->item_names[k]};
    if (about->item_count)
        qsort(items, about->item_count, sizeof *items, by_value);
    column->unit = about->unit && *about->unit ? about->unit : NULL;
    column->kind = about->item_count ? HK_PLOT_ENUMERATION : kind_of(about->type);
    column->text = about->type == HK_TYPE_STRING || about->type == HK_TYPE_BINARY;
    column->items = items;
    column->item_count = about->item_count;
}

static void learn_columns(hk_arena *arena, const hk_json_value *root, hk_plot_column *columns,
                          size_t count) {
    hk_table_column *about = HK_NEW_ARRAY(arena, hk_table_column, count + 1);
    for (size_t i = 0; i < count; i++)
        about[i] = (hk_table_column){.name = columns[i].name, .type = HK_TYPE_COUNT};
    hk_table_learn(arena, root, about, count);
    for (size_t i = 0; i < count; i++)
        hk_plot_describe(arena, &about[i], &columns[i]);
}

static hk_plot_outcome outcome_of(const char *verdict) {
    return !verdict                         ? HK_PLOT_UNDECIDED
           : strcmp(verdict, "holds") == 0  ? HK_PLOT_HOLDS
           : strcmp(verdict, "broken") == 0 ? HK_PLOT_BROKEN
                                            : HK_PLOT_UNDECIDED;
}

static bool learn_limit(const hk_json_value *v, const hk_plot_verdict *verdict,
                        hk_plot_limit *ret_limit) {
    static const char *const keys[] = {"at_least", "above", "at_most", "below"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        double value = number_of(v, keys[k], (double)NAN);
        if (!isfinite(value) || !text_of(v, "column"))
            continue;
        *ret_limit = (hk_plot_limit){.column = text_of(v, "column"),
                                     .value = value,
                                     .upper = k >= 2,
                                     .strict = k % 2 == 1,
                                     .from = number_of(v, "from_s", -(double)INFINITY),
                                     .to = number_of(v, "to_s", (double)INFINITY),
                                     .outcome = verdict->outcome,
                                     .broken = verdict->time};
        return true;
    }
    return false;
}

static void learn_expectations(hk_arena *arena, const hk_json_value *list, hk_plot_marks *marks) {
    size_t limits = 0;
    for (const hk_json_value *e = list->first; e; e = e->next)
        limits += hk_json_member(e, "limits") ? hk_json_member(e, "limits")->count : 0;
    hk_plot_verdict *verdicts = HK_NEW_ARRAY(arena, hk_plot_verdict, list->count + 1);
    hk_plot_limit *bounds = HK_NEW_ARRAY(arena, hk_plot_limit, limits + 1);
    for (const hk_json_value *e = list->first; e; e = e->next) {
        const hk_json_value *inner = hk_json_member(e, "limits");
        hk_plot_verdict verdict = {.words = text_of(e, "expects"),
                                   .outcome = outcome_of(text_of(e, "verdict")),
                                   .time = number_of(e, "time_s", (double)NAN)};
        if (!verdict.words)
            continue;
        verdicts[marks->verdict_count++] = verdict;
        for (const hk_json_value *v = inner ? inner->first : NULL; v; v = v->next)
            marks->limit_count += learn_limit(v, &verdict, &bounds[marks->limit_count]);
    }
    marks->verdicts = verdicts;
    marks->limits = bounds;
}

static void learn_events(hk_arena *arena, const hk_json_value *list, hk_plot_marks *marks) {
    hk_plot_event *events = HK_NEW_ARRAY(arena, hk_plot_event, list->count + 1);
    for (const hk_json_value *v = list->first; v; v = v->next) {
        double time = number_of(v, "time_s", (double)NAN);
        if (isfinite(time) && text_of(v, "what"))
            events[marks->event_count++] = (hk_plot_event){time, text_of(v, "what")};
    }
    marks->events = events;
}

static void learn_run(hk_arena *arena, const hk_json_value *root, hk_plot_table *table) {
    hk_plot_marks *marks = &table->marks;
    const hk_json_value *notes = hk_json_member(root, "notes");
    const hk_json_value *run = notes && notes->kind == HK_JSON_ARRAY ? notes->first : NULL;
    const hk_json_value *events = run ? hk_json_member(run, "events") : NULL;
    const hk_json_value *expects = run ? hk_json_member(run, "expectations") : NULL;
    table->scenario = run ? text_of(run, "scenario") : NULL;
    if (events && events->kind == HK_JSON_ARRAY)
        learn_events(arena, events, marks);
    if (expects && expects->kind == HK_JSON_ARRAY)
        learn_expectations(arena, expects, marks);
}

hk_status hk_plot_learn(hk_ctx *ctx, hk_arena *arena, const hk_file_text *beside,
                        hk_plot_table *table, hk_plot_column *columns) {
    hk_json_value *root;
    HK_TRY(hk_json_read(ctx, arena, HK_E_CSV, beside, &root));
    if (columns)
        learn_columns(arena, root, columns, table->column_count);
    learn_run(arena, root, table);
    return HK_OK;
}
