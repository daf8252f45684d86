/* SPDX-License-Identifier: MIT */
#include "assembly/start_values.h"

#include "assembly/values.h"

#include <string.h>

typedef struct setter {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_model *model;
    const hk_start_values *values;
    const hk_start_rules *rules;
    hk_map given;     /* what is set -> its number, in the order of first mention */
    uint32_t *latest; /* by that number: the value that counts */
    size_t given_count;
    hk_status first; /* failure */
} setter;

static void failed(setter *s, hk_status status) {
    if (s->first == HK_OK)
        s->first = status;
}

hk_status hk_start_value_split(hk_ctx *ctx, hk_arena *arena, const char *text,
                               hk_start_values *values) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "write --set NAME=VALUE",
                        "--set: '%s' has no name and value", text);
    hk_start_value value = {.name = hk_arena_strndup(arena, text, (size_t)(equals - text)),
                            .text = equals + 1,
                            .where = {.element = hk_arena_printf(arena, "--set %s", text)}};
    hk_start_values_add(arena, values, &value);
    return HK_OK;
}

/* "params.csv:3", or what was written on the command line. */
static const char *place_of(const setter *s, const hk_start_value *v) {
    if (v->where.file)
        return hk_arena_printf(s->arena, "%s:%d", v->where.file, v->where.line);
    return v->where.element;
}

/* The same for a value that the files of the system give. Of single elements it is not known who
 * has given them. */
static void tell_of_system(setter *s, const hk_start_value *now, const hk_address *at) {
    const hk_component *c = &s->model->components[at->component];
    const hk_setting *before = hk_component_last_setting(c, at->variable);
    if (before && before->source == HK_FROM_SYSTEM && !at->count)
        hk_note(s->ctx, before->where, "the start value of '%s' is replaced by that of %s",
                now->name, place_of(s, now));
}

/* Says who replaces whom; false: both stand in one file, and which counts is nowhere said. */
static bool tell_again(setter *s, size_t index, const hk_address *at) {
    const char *key =
        hk_arena_printf(s->arena, "%u %u %u %u", (unsigned)at->component, (unsigned)at->variable,
                        (unsigned)at->element, (unsigned)at->count);
    const hk_start_value *now = &s->values->all[index];
    uint32_t number = hk_map_put(&s->given, key, (uint32_t)s->given_count);
    if (number == s->given_count) {
        s->latest[s->given_count++] = (uint32_t)index;
        tell_of_system(s, now, at);
        return true;
    }
    const hk_start_value *before = &s->values->all[s->latest[number]];
    s->latest[number] = (uint32_t)index;
    if (now->where.file && before->where.file && strcmp(now->where.file, before->where.file) == 0) {
        failed(s, hk_error(s->ctx, HK_E_DUPLICATE, now->where, "remove one of the two",
                           "'%s' is given twice; the first stands in line %d", now->name,
                           before->where.line));
        return false;
    }
    hk_note(s->ctx, before->where, "the start value of '%s' is replaced by that of %s",
            before->name, place_of(s, now));
    return true;
}

/* Texts and lists that were written as such stay what they are. */
static hk_status fit_text(setter *s, const hk_start_value *v, const hk_address *at,
                          const char **ret_text) {
    const hk_variable *variable = hk_address_variable(s->model, at);
    size_t count = hk_address_count(s->model, at);
    *ret_text = v->text;
    if (v->items && v->items != count)
        return hk_error(s->ctx, HK_E_VALUE, v->where, NULL,
                        "'%s' has %zu element%s, and %zu value%s are given", v->name, count,
                        count == 1 ? "" : "s", v->items, v->items == 1 ? "" : "s");
    if (v->is_text && count != 1 && variable->type == HK_TYPE_STRING)
        *ret_text = hk_value_list(s->arena, &v->text, 1);
    return HK_OK;
}

static hk_status set_one(setter *s, size_t index, const hk_address *at) {
    const hk_start_value *v = &s->values->all[index];
    const char *text;
    HK_TRY(fit_text(s, v, at, &text));
    if (v->uom)
        return hk_model_set_number(s->ctx, s->model, v->name, at, text, v->uom, v->where);
    return hk_model_set_text(s->ctx, s->model, v->name, at, text, v->where);
}

static bool is_structural(const setter *s, const hk_address *at) {
    return hk_address_variable(s->model, at)->causality == HK_STRUCTURAL_PARAMETER;
}

/* Names that are not known yet may be elements that a larger array will have. */
static void set_sizes(setter *s) {
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        hk_address at;
        if (!hk_model_find(s->model, v->name, &at) || !is_structural(s, &at))
            continue;
        hk_status status = HK_OK;
        if (s->rules->fixed_sizes)
            status = hk_error(s->ctx, HK_E_USAGE, v->where, s->rules->fixed_hint, "%s",
                              s->rules->fixed_sizes);
        else if (tell_again(s, i, &at))
            status = set_one(s, i, &at);
        if (status != HK_OK)
            failed(s, status);
    }
}

static void set_others(setter *s) {
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        hk_address at;
        hk_status status =
            hk_model_need_at(s->ctx, s->model, v->where.file ? v->where : HK_NOWHERE,
                             v->where.file ? NULL : "--set", s->rules->names_hint, v->name, &at);
        if (status == HK_OK && !is_structural(s, &at) && tell_again(s, i, &at))
            status = set_one(s, i, &at);
        if (status != HK_OK)
            failed(s, status);
    }
}

/* Those that hold at last, in the order in which they were given. */
static void report(const setter *s, hk_settings *settings) {
    bool *holds = HK_NEW_ARRAY(s->arena, bool, s->values->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < s->given_count; i++)
        holds[s->latest[i]] = true;
    settings->values = HK_NEW_ARRAY(s->arena, struct hk_settings_row, s->values->count + 1);
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        if (!holds[i])
            continue;
        settings->values[count++] = (struct hk_settings_row){
            v->name, v->uom ? hk_arena_printf(s->arena, "%s %s", v->text, v->uom->name) : v->text,
            HK_FROM_USER, v->where.file ? place_of(s, v) : "command line"};
    }
    settings->value_count = count;
}

hk_status hk_start_values_set(hk_ctx *ctx, hk_arena *arena, hk_model *model,
                              const hk_start_values *values, const hk_start_rules *rules,
                              hk_settings *ret_settings) {
    setter s = {.ctx = ctx, .arena = arena, .model = model, .values = values, .rules = rules};
    s.latest = HK_NEW_ARRAY(arena, uint32_t, values->count + 1);
    set_sizes(&s);
    if (s.first == HK_OK)
        set_others(&s);
    if (s.first == HK_OK && ret_settings)
        report(&s, ret_settings);
    hk_map_finish(&s.given);
    return s.first;
}
