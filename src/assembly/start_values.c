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
    hk_map variables;  /* those that are set -> their number in `owners` */
    uint32_t **owners; /* of a variable, by element: 1 + the value that counts; 0: none */
    size_t owner_count;
    size_t *held;    /* by value: how many elements have it at last */
    hk_status first; /* failure */
} setter;

static void failed(setter *s, hk_status status) {
    if (s->first == HK_OK)
        s->first = status;
}

/* What is wrong with a value of the command line is wrong usage, whatever its message says: a name,
 * a number, a unit, or what cannot be set. */
static void value_failed(setter *s, const hk_start_value *value, hk_status status) {
    if (status != HK_OK)
        failed(s, value->where.file ? status : HK_E_USAGE);
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

static uint32_t *owners_of(setter *s, const hk_address *at) {
    const char *key =
        hk_arena_printf(s->arena, "%u %u", (unsigned)at->component, (unsigned)at->variable);
    uint32_t number = hk_map_put(&s->variables, key, (uint32_t)s->owner_count);
    if (number == s->owner_count)
        s->owners[s->owner_count++] =
            HK_NEW_ARRAY(s->arena, uint32_t, hk_address_variable(s->model, at)->count + 1);
    return s->owners[number];
}

/* Both are in one file, and which of them counts is nowhere said. */
static void tell_twice(setter *s, const hk_start_value *first, const hk_start_value *second) {
    bool same = strcmp(first->name, second->name) == 0;
    failed(s, hk_error(s->ctx, HK_E_DUPLICATE, second->where, "remove one of the two",
                       same ? "'%s' is given twice; the first is in line %d"
                            : "'%s' is given twice; the first is in line %d, as '%s'",
                       second->name, first->where.line, first->name));
}

/* Says who replaces whom, wholly or in part; false after an error. */
static bool take(setter *s, size_t index, const hk_address *at) {
    const hk_start_value *now = &s->values->all[index];
    size_t first = at->count ? at->element : 0, count = hk_address_count(s->model, at);
    uint32_t *owners = owners_of(s, at);
    tell_of_system(s, now, at);
    for (size_t i = first; i < first + count; i++) {
        uint32_t owner = owners[i];
        owners[i] = (uint32_t)index + 1;
        s->held[index]++;
        if (!owner || owner == index + 1)
            continue;
        const hk_start_value *before = &s->values->all[owner - 1];
        if (now->file && now->file == before->file) {
            tell_twice(s, before, now);
            return false;
        }
        s->held[owner - 1]--;
        bool more = i + 1 < first + count && owners[i + 1] == owner; /* to be reported at the end */
        if (!more)
            hk_note(s->ctx, before->where, "the start value of '%s' is replaced%s by that of %s",
                    before->name, s->held[owner - 1] ? " in part" : "", place_of(s, now));
    }
    return true;
}

static bool same_shape(const hk_start_value *v, const hk_variable *variable, const hk_address *at) {
    bool same = !at->count && v->size_count == variable->dim_count;
    for (size_t i = 0; same && i < v->size_count; i++)
        same = v->sizes[i] == variable->dims[i];
    return same;
}

static const char *shape_text(hk_arena *arena, const size_t *sizes, size_t count) {
    const char *text = count ? "" : "a scalar";
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(arena, "%s%s%zu", text, i ? " x " : "", sizes[i]);
    return text;
}

/* Texts and lists that were written as such stay what they are. */
static hk_status fit_text(setter *s, const hk_start_value *v, const hk_address *at,
                          const char **ret_text) {
    const hk_variable *variable = hk_address_variable(s->model, at);
    size_t count = hk_address_count(s->model, at);
    *ret_text = v->text;
    if ((v->size_count > 1 || v->declared) && !same_shape(v, variable, at))
        return hk_error(
            s->ctx, HK_E_VALUE, v->where,
            v->declared ? "give it the Dimensions of the variable, or none"
                        : "nest the arrays as deep as it has dimensions, or give one flat array",
            "'%s' is %s, and %s is given", v->name,
            at->count ? shape_text(s->arena, &count, 1)
                      : shape_text(s->arena, variable->dims, variable->dim_count),
            shape_text(s->arena, v->sizes, v->size_count));
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
        return hk_model_set_number(s->ctx, s->model, v->name, at,
                                   &(hk_given_text){text, v->uom, {HK_FROM_USER, v->where}});
    return hk_model_set_text(s->ctx, s->model, v->name, at, text, v->where);
}

static bool is_structural(const setter *s, const hk_address *at) {
    return hk_address_variable(s->model, at)->causality == HK_STRUCTURAL_PARAMETER;
}

/* Arrays of the system that are given other values need not fit the sizes that are given too. */
static void make_room(setter *s) {
    bool *resized = HK_NEW_ARRAY(s->arena, bool, s->model->component_count + 1);
    hk_address at;
    for (size_t i = 0; i < s->values->count; i++)
        if (hk_model_find(s->model, s->values->all[i].name, &at) && is_structural(s, &at))
            resized[at.component] = true;
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        if (!hk_model_find(s->model, v->name, &at) || at.count || is_structural(s, &at) ||
            !resized[at.component])
            continue;
        tell_of_system(s, v, &at);
        hk_model_unset(s->model, at.component, at.variable);
    }
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
        else if (take(s, i, &at))
            status = set_one(s, i, &at);
        value_failed(s, v, status);
    }
}

/* An input of a system that is not one variable: all that it leads to are set. */
static hk_status set_inlet(setter *s, size_t index, const hk_inlet *inlet) {
    const hk_start_value *v = &s->values->all[index];
    const char *text = v->text;
    for (const hk_branch *b = inlet->branches; b; b = b->next) {
        hk_address at = hk_branch_address(b);
        if (is_structural(s, &at))
            return hk_error(s->ctx, HK_E_PARAMETER, v->where,
                            hk_arena_printf(s->arena, "set '%s' itself",
                                            hk_address_name(s->arena, s->model, &at)),
                            "'%s' leads to a structural parameter, which decides sizes", v->name);
        HK_TRY(fit_text(s, v, &at, &text));
        if (!take(s, index, &at))
            return HK_OK;
    }
    return hk_model_set_inlet(s->ctx, s->model, inlet, text, v->uom, v->where);
}

static void set_others(setter *s) {
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        const hk_inlet *inlet = hk_model_inlet(s->model, v->name);
        hk_address at;
        if (inlet) {
            value_failed(s, v, set_inlet(s, i, inlet));
            continue;
        }
        const hk_asker asker = {v->where.file ? NULL : "--set", s->rules->names_hint,
                                v->where.file ? v->where : HK_NOWHERE};
        hk_status status = hk_model_need_at(s->ctx, s->model, &asker, v->name, &at);
        if (status == HK_OK && !is_structural(s, &at) && take(s, i, &at))
            status = set_one(s, i, &at);
        value_failed(s, v, status);
    }
}

/* Those that hold at last, in the order in which they were given. */
static void report(const setter *s, hk_settings *settings) {
    size_t count = 0;
    settings->values = HK_NEW_ARRAY(s->arena, struct hk_settings_row, s->values->count + 1);
    for (size_t i = 0; i < s->values->count; i++) {
        const hk_start_value *v = &s->values->all[i];
        if (!s->held[i])
            continue;
        settings->values[count++] = (struct hk_settings_row){
            v->name, v->uom ? hk_arena_printf(s->arena, "%s %s", v->text, v->uom->name) : v->text,
            HK_FROM_USER, v->where.file ? place_of(s, v) : "command line"};
    }
    settings->value_count = count;
}

/* How many variables may be set at most. */
static size_t count_targets(const hk_model *model, const hk_start_values *values) {
    size_t count = values->count;
    for (size_t i = 0; i < values->count; i++) {
        const hk_inlet *inlet = hk_model_inlet(model, values->all[i].name);
        for (const hk_branch *b = inlet ? inlet->branches : NULL; b; b = b->next)
            count++;
    }
    return count;
}

hk_status hk_start_values_set(hk_ctx *ctx, hk_arena *arena, hk_model *model,
                              const hk_start_values *values, const hk_start_rules *rules,
                              hk_settings *ret_settings) {
    setter s = {.ctx = ctx, .arena = arena, .model = model, .values = values, .rules = rules};
    s.owners = HK_NEW_ARRAY(arena, uint32_t *, count_targets(model, values) + 1);
    s.held = HK_NEW_ARRAY(arena, size_t, values->count + 1);
    if (!rules->fixed_sizes)
        make_room(&s);
    set_sizes(&s);
    if (s.first == HK_OK)
        set_others(&s);
    if (s.first == HK_OK && ret_settings)
        report(&s, ret_settings);
    hk_map_finish(&s.variables);
    return s.first;
}
