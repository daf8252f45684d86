/* SPDX-License-Identifier: MIT
 *
 * Variables of a component: which are wanted, and as JSON. */
#include "record/select.h"
#include "report/info_report.h"

#include <string.h>

bool hk_info_wants(const hk_info_filter *filter, hk_arena *arena, const char *owner,
                   const hk_variable *v) {
    if (filter->causality && strcmp(filter->causality, hk_causality_name(v->causality)) != 0)
        return false;
    if (!filter->patterns.count)
        return true;
    const char *full = owner ? hk_arena_printf(arena, "%s.%s", owner, v->name) : v->name;
    for (size_t i = 0; i < filter->patterns.count; i++)
        if (hk_glob_match(filter->patterns.all[i], v->name) ||
            hk_glob_match(filter->patterns.all[i], full))
            return true;
    return false;
}

size_t hk_info_count_variables(const hk_info_filter *filter, hk_arena *arena, const char *owner,
                               const hk_info *info) {
    size_t count = 0;
    for (size_t i = 0; i < info->variable_count; i++)
        count += hk_info_wants(filter, arena, owner, &info->variables[i]);
    return count;
}

const char *hk_info_start(hk_arena *arena, const hk_variable *v, size_t index) {
    hk_store store = hk_store_of(v->type);
    const char *data = v->start.data;
    return hk_value_format(arena, v->type, store, data + index * hk_store_size(store));
}

static void put_text(hk_json *json, const char *key, const char *text) {
    if (text)
        hk_json_string(json, key, text);
}

/* A scalar is one text; an array is an array of texts. */
static void put_start(hk_arena *arena, hk_json *json, const hk_variable *v) {
    if (!v->start.data)
        return;
    if (v->start.count == 1 && !v->dim_count) {
        hk_json_string(json, "start", hk_info_start(arena, v, 0));
        return;
    }
    hk_json_array(json, "start");
    for (size_t i = 0; i < v->start.count; i++)
        hk_json_string(json, NULL, hk_info_start(arena, v, i));
    hk_json_end(json);
}

static void put_shape(hk_json *json, const hk_info *info, const hk_variable *v) {
    if (v->dim_count) {
        hk_json_array(json, "dimensions");
        for (size_t i = 0; i < v->dim_count; i++)
            hk_json_i64(json, NULL, (int64_t)v->dims[i]);
        hk_json_end(json);
    }
    if (v->enumeration) {
        HK_JSON_EACH(json, "items", i, v->enumeration->item_count) {
            hk_json_string(json, "name", v->enumeration->item_names[i]);
            hk_json_i64(json, "value", v->enumeration->item_values[i]);
        }
    }
    if (v->causality == HK_OUTPUT && v->depends.known) {
        hk_json_array(json, "depends_on");
        for (size_t i = 0; i < v->depends.count; i++)
            hk_json_string(json, NULL, info->variables[v->depends.on[i]].name);
        hk_json_end(json);
    }
}

void hk_info_put_variables(hk_json *json, hk_arena *arena, const hk_info_filter *filter,
                           const char *owner, const hk_info *info) {
    hk_json_array(json, "variables");
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (!hk_info_wants(filter, arena, owner, v))
            continue;
        hk_json_object(json, NULL);
        hk_json_string(json, "name", v->name);
        hk_json_i64(json, "reference", v->ref);
        hk_json_string(json, "type", hk_type_name(v->type));
        hk_json_string(json, "causality", hk_causality_name(v->causality));
        hk_json_string(json, "variability", hk_variability_name(v->variability));
        if (v->initial != HK_INITIAL_NONE)
            hk_json_string(json, "initial", hk_initial_name(v->initial));
        hk_json_i64(json, "count", (int64_t)v->count);
        put_text(json, "unit", v->unit);
        put_text(json, "display_unit", v->display_unit);
        put_text(json, "quantity", v->quantity);
        put_text(json, "declared_type", v->declared_type);
        put_start(arena, json, v);
        hk_report_optional(json, "min", v->min);
        hk_report_optional(json, "max", v->max);
        hk_report_optional(json, "nominal", v->nominal);
        if (v->alias_of != i)
            hk_json_string(json, "alias_of", info->variables[v->alias_of].name);
        if (v->negated)
            hk_json_bool(json, "negated", true);
        if (v->state)
            hk_json_bool(json, "state", true);
        put_text(json, "unusable", v->unusable);
        put_shape(json, info, v);
        put_text(json, "description", v->description);
        hk_json_end(json);
    }
    hk_json_end(json);
}

void hk_info_put_defaults(hk_json *json, const hk_defaults *d) {
    hk_json_object(json, "default_experiment");
    if (d->has_start)
        hk_json_f64(json, "start_time", hk_ratio_to_double(d->start));
    if (d->has_stop)
        hk_json_f64(json, "stop_time", hk_ratio_to_double(d->stop));
    if (d->has_step)
        hk_json_f64(json, "step_size", hk_ratio_to_double(d->step));
    if (d->has_tolerance)
        hk_json_f64(json, "tolerance", d->tolerance);
    hk_json_end(json);
}
