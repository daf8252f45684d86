/* SPDX-License-Identifier: MIT
 *
 * Systems: start values, the experiment, and what is in them. */
#include "api/api_internal.h"

#include "assembly/start_values.h"
#include "base/number.h"
#include "base/seconds.h"

#include <math.h>
#include <string.h>

const char hk_names_hint[] = "variables are named component.variable";

hk_status hk_system_set_text(hk_system *system, const char *variable, const char *value) {
    hk_address at;
    if (!system || !variable || !value)
        return HK_MISSING_ARGUMENT(system);
    hk_model *model = system->model;
    const hk_inlet *inlet = hk_model_inlet(model, variable);
    if (inlet)
        return hk_model_set_inlet(system->ctx, model, inlet, value, NULL,
                                  (hk_where){.element = variable});
    HK_TRY(hk_model_need(system->ctx, model, NULL, hk_names_hint, variable, &at));
    if (system->complete && hk_address_variable(model, &at)->causality == HK_STRUCTURAL_PARAMETER)
        return hk_error(system->ctx, HK_E_PARAMETER, HK_NOWHERE,
                        "set it before hk_system_check and the first session",
                        "'%s' changes the size of variables, and the system is complete", variable);
    return hk_model_set_text(system->ctx, model, variable, &at, value,
                             (hk_where){.element = variable});
}

hk_status hk_system_set_file(hk_system *system, const char *path) {
    if (!system || !path)
        return HK_MISSING_ARGUMENT(system);
    hk_start_values values = {0};
    hk_start_rules rules = {.names_hint = hk_names_hint};
    if (system->complete) {
        rules.fixed_sizes = "a structural parameter changes the size of variables, and the system "
                            "is complete";
        rules.fixed_hint = "set it before hk_system_check and the first session";
    }
    hk_arena *arena = system->model->arena;
    HK_TRY(hk_set_file_read(system->ctx, arena, path, &values));
    return hk_start_values_set(system->ctx, arena, system->model, &values, &rules, NULL);
}

/* A list of numbers as text that reads back exactly. */
typedef struct list {
    char *text;
    size_t size;
} list;

static list list_begin(size_t count) {
    return (list){.text = hk_alloc(count * (HK_NUMBER_MAX + 1) + 1)};
}

static hk_status list_set(hk_system *system, const char *variable, list l) {
    hk_status status = hk_system_set_text(system, variable, l.text);
    hk_free(l.text);
    return status;
}

/* One value, or one for each element; before memory is asked for, or values are looked at. */
static hk_status check_count(hk_system *system, const char *variable, size_t count,
                             size_t *ret_wanted) {
    hk_address at;
    const hk_inlet *inlet = hk_model_inlet(system->model, variable);
    if (inlet)
        at = hk_branch_address(inlet->branches);
    else
        HK_TRY(hk_model_need(system->ctx, system->model, NULL, hk_names_hint, variable, &at));
    size_t wanted = hk_address_count(system->model, &at);
    if (count != 1 && count != wanted)
        return hk_error(system->ctx, HK_E_VALUE, HK_NOWHERE, NULL,
                        "'%s' has %zu element%s, not %zu", variable, wanted, wanted == 1 ? "" : "s",
                        count);
    *ret_wanted = wanted;
    return HK_OK;
}

/* A number of a list as text; returns the length. */
typedef size_t write_fn(const void *values, size_t i, char *text);

static size_t write_real(const void *values, size_t i, char *text) {
    return hk_write_f64(((const double *)values)[i], text);
}

static size_t write_whole(const void *values, size_t i, char *text) {
    return hk_write_i64(((const int64_t *)values)[i], text);
}

static hk_status set_numbers(hk_system *system, const char *variable, const void *values,
                             size_t count, write_fn *write) {
    size_t wanted;
    HK_TRY(check_count(system, variable, count, &wanted));
    list l = list_begin(count);
    for (size_t i = 0; i < count; i++) {
        l.size += write(values, i, l.text + l.size);
        l.text[l.size++] = i + 1 < count ? ' ' : '\0';
    }
    return list_set(system, variable, l);
}

hk_status hk_system_set_f64(hk_system *system, const char *variable, const double *values,
                            size_t count) {
    if (!system || !variable || !values || !count)
        return HK_MISSING_ARGUMENT(system);
    return set_numbers(system, variable, values, count, write_real);
}

hk_status hk_system_set_i64(hk_system *system, const char *variable, const int64_t *values,
                            size_t count) {
    if (!system || !variable || !values || !count)
        return HK_MISSING_ARGUMENT(system);
    return set_numbers(system, variable, values, count, write_whole);
}

hk_status hk_system_set_texts(hk_system *system, const char *variable, const char *const *values,
                              size_t count) {
    size_t wanted;
    if (!system || !variable || !values || !count)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(check_count(system, variable, count, &wanted));
    for (size_t i = 0; i < count; i++)
        if (!values[i])
            return HK_MISSING_ARGUMENT(system);
    hk_arena *arena = hk_arena_create();
    hk_value all = {.type = HK_TYPE_STRING, .count = wanted};
    hk_bytes *texts = all.data = HK_NEW_ARRAY(arena, hk_bytes, wanted + 1);
    for (size_t i = 0; i < wanted; i++) {
        const char *text = values[count == 1 ? 0 : i];
        texts[i] = (hk_bytes){text, strlen(text)};
    }
    hk_status status = hk_system_set_text(system, variable, hk_value_format_all(arena, &all));
    hk_arena_destroy(arena);
    return status;
}

static void wish(hk_system *system, hk_wish *w, const char *text) {
    if (text)
        *w = (hk_wish){hk_arena_strdup(system->model->arena, text), HK_FROM_USER,
                       "hk_system_set_experiment"};
}

hk_status hk_system_set_experiment(hk_system *system, const hk_experiment_options *options) {
    hk_experiment_options o;
    if (!system || !options)
        return HK_MISSING_ARGUMENT(system);
    if (!hk_options_take(&o, sizeof o, options))
        return hk_wrong_size(system->ctx, "hk_experiment_options");
    hk_wishes *w = &system->request.wishes;
    wish(system, &w->start, o.start);
    wish(system, &w->stop, o.stop);
    wish(system, &w->step, o.step);
    wish(system, &w->output_interval, o.output_interval);
    wish(system, &w->algorithm, o.algorithm);
    w->tell_stop |= o.tell_stop;
    if (o.tolerance != 0) {
        char text[HK_NUMBER_MAX + 1];
        text[hk_write_f64(o.tolerance, text)] = '\0';
        wish(system, &w->tolerance, text);
    }
    return HK_OK;
}

static hk_status time_text(const hk_system *system, double seconds, char *buffer,
                           const char **ret_text) {
    hk_ratio exact;
    *ret_text = NULL;
    if (isnan(seconds))
        return HK_OK;
    if (!hk_seconds_from_double(seconds, &exact))
        return hk_error(system->ctx, HK_E_TIME, HK_NOWHERE, "give it as text: \"1/120\"",
                        "a time is infinite, or has too many digits");
    buffer[hk_write_f64(seconds, buffer)] = '\0';
    *ret_text = buffer;
    return HK_OK;
}

hk_status hk_system_set_times(hk_system *system, double start, double stop, double step) {
    hk_experiment_options o = {.size = sizeof o};
    char buffers[3][48];
    if (!system)
        return HK_E_USAGE;
    HK_TRY(time_text(system, start, buffers[0], &o.start));
    HK_TRY(time_text(system, stop, buffers[1], &o.stop));
    HK_TRY(time_text(system, step, buffers[2], &o.step));
    return hk_system_set_experiment(system, &o);
}

size_t hk_system_component_count(const hk_system *system) {
    return system ? system->model->component_count : 0;
}

hk_status hk_system_component(const hk_system *system, size_t component,
                              hk_component_info *ret_info) {
    if (!system || !ret_info || component >= system->model->component_count)
        return HK_E_USAGE;
    const hk_component *c = &system->model->components[component];
    hk_component_info full = {.name = c->name,
                              .type = c->info->name,
                              .kind = c->info->kind,
                              .description = c->info->description,
                              .variable_count = c->info->variable_count,
                              .can_save_state = c->info->can.save_state,
                              .can_serialize_state = c->info->can.serialize_state};
    return hk_answer_give(ret_info, &full, sizeof full)
               ? HK_OK
               : hk_wrong_size(system->ctx, "hk_component_info");
}

bool hk_variable_give(const hk_variable *v, bool element, hk_variable_info *ret_info) {
    const hk_enum *e = v->enumeration;
    hk_variable_info full = {.name = v->name,
                             .type = v->type,
                             .causality = v->causality,
                             .count = element ? 1 : v->count,
                             .unit = v->unit,
                             .description = v->description,
                             .min = v->min,
                             .max = v->max,
                             .settable = hk_variable_settable(v),
                             .tunable =
                                 v->causality == HK_PARAMETER && v->variability == HK_TUNABLE,
                             .dims = element ? NULL : v->dims,
                             .dim_count = element ? 0 : v->dim_count,
                             .item_names = e ? e->item_names : NULL,
                             .item_values = e ? e->item_values : NULL,
                             .item_count = e ? e->item_count : 0};
    return hk_answer_give(ret_info, &full, sizeof full);
}

hk_status hk_system_variable(const hk_system *system, size_t component, size_t variable,
                             hk_variable_info *ret_info) {
    if (!system || !ret_info || component >= system->model->component_count)
        return HK_E_USAGE;
    const hk_info *info = system->model->components[component].info;
    if (variable >= info->variable_count)
        return HK_E_USAGE;
    return hk_variable_give(&info->variables[variable], false, ret_info)
               ? HK_OK
               : hk_wrong_size(system->ctx, "hk_variable_info");
}
