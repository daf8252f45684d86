/* SPDX-License-Identifier: MIT */
#include "model/model.h"
#include "base/number.h"
#include "model/address.h"
#include "model/unit.h"

#include <math.h>
#include <string.h>

const char *hk_source_name(hk_source source) {
    static const char *const names[] = {
        [HK_FROM_DEFAULT] = "default",    [HK_FROM_DESCRIPTION] = "model description",
        [HK_FROM_SYSTEM] = "system file", [HK_FROM_ENVIRONMENT] = "environment",
        [HK_FROM_USER] = "command line",
    };
    return names[source];
}

hk_model *hk_model_create(const char *name, const char *file) {
    hk_model *model = hk_alloc(sizeof *model);
    model->arena = hk_arena_create();
    model->name = hk_arena_strdup(model->arena, name);
    model->file = hk_arena_strdup(model->arena, file);
    hk_ratio zero = {0, 1};
    model->experiment.start = model->experiment.stop = zero;
    model->experiment.step = model->experiment.output_interval = zero;
    return model;
}

void hk_model_destroy(hk_model *model) {
    if (!model)
        return;
    /* The other way round: what was opened last may stand on what was opened first. */
    for (size_t i = model->owned_count; i-- > 0;)
        model->owned[i].release(model->owned[i].object);
    hk_free(model->owned);
    hk_free(model->libraries);
    for (size_t i = 0; i < model->component_count; i++)
        hk_free(model->components[i].settings);
    hk_free(model->components);
    hk_free(model->connections);
    hk_free(model->aliases);
    hk_free(model->inlets);
    hk_free(model->shown);
    for (size_t i = 0; i < model->processor_count; i++)
        hk_free(model->processors[i].components);
    hk_free(model->processors);
    hk_free(model->constraints);
    hk_free(model->requirements);
    hk_free(model->shared);
    for (size_t i = 0; i < model->delegate_count; i++) {
        hk_free(model->delegates[i].ends);
        hk_free(model->delegates[i].connections);
    }
    hk_free(model->delegates);
    hk_map_finish(&model->by_delegate);
    hk_map_finish(&model->by_name);
    hk_map_finish(&model->by_alias);
    hk_map_finish(&model->by_inlet);
    hk_arena_destroy(model->arena);
    hk_free(model);
}

void hk_model_own(hk_model *model, void *object, void (*release)(void *object)) {
    struct hk_owned owned = {release, object};
    HK_PUSH(model->owned, model->owned_count, model->owned_cap, owned);
}

/* Copies the strings; most places are in the model's own file, whose name is there once. */
static hk_where keep_where(hk_model *model, hk_where where) {
    if (where.file && model->file && strcmp(where.file, model->file) == 0)
        where.file = model->file;
    else
        where.file = hk_arena_strdup(model->arena, where.file);
    where.element = hk_arena_strdup(model->arena, where.element);
    return where;
}

hk_status hk_model_add_component(hk_ctx *ctx, hk_model *model, const char *name,
                                 const hk_info *info, hk_where where, uint32_t *ret_index) {
    uint32_t index = (uint32_t)model->component_count;
    uint32_t other = hk_map_get(&model->by_name, name);
    if (other != HK_MAP_NONE && !model->components[other].where.line)
        return hk_error(ctx, HK_E_DUPLICATE, where, "give one of them another name",
                        "two components are called '%s'", name);
    if (other != HK_MAP_NONE)
        return hk_error(ctx, HK_E_DUPLICATE, where, "give one of them another name",
                        "two components are called '%s'; the other one is in line %d", name,
                        model->components[other].where.line);
    hk_component component = {
        .name = hk_arena_strdup(model->arena, name),
        .info = info,
        .period = {0, 1},
        .offset = {0, 1},
        .processor = HK_MAP_NONE,
        .where = keep_where(model, where),
    };
    hk_map_put(&model->by_name, component.name, index);
    HK_PUSH(model->components, model->component_count, model->component_cap, component);
    model->lowered = false;
    *ret_index = index;
    return HK_OK;
}

void hk_model_round_periods(hk_model *model) {
    const double close = 1e-9;
    const hk_ratio step = model->experiment.step;
    for (size_t i = 0; step.num > 0 && i < model->component_count; i++) {
        hk_component *c = &model->components[i];
        double steps = c->has_period ? hk_ratio_to_double(c->period) / hk_ratio_to_double(step) : 0;
        double whole = round(steps);
        int64_t num;
        if (whole >= 1 && whole < 0x1p52 && fabs(steps - whole) <= close * whole &&
            !__builtin_mul_overflow(step.num, (int64_t)whole, &num))
            (void)hk_ratio_make(num, step.den, &c->period);
    }
}

hk_connection *hk_model_connect(hk_model *model, uint32_t from_component, uint32_t from_variable,
                                uint32_t to_component, uint32_t to_variable, hk_where where) {
    hk_connection connection = {
        .from_component = from_component,
        .from_variable = from_variable,
        .to_component = to_component,
        .to_variable = to_variable,
        .transform = {.kind = HK_TRANSFORM_NONE, .factor = 1},
        .delay = {0, 1},
        .where = keep_where(model, where),
    };
    HK_PUSH(model->connections, model->connection_count, model->connection_cap, connection);
    model->lowered = false;
    return &model->connections[model->connection_count - 1];
}

bool hk_model_add_alias(hk_model *model, const char *name, uint32_t component, uint32_t variable,
                        const hk_branch *branches) {
    if (hk_map_get(&model->by_alias, name) != HK_MAP_NONE)
        return false;
    hk_alias alias = {hk_arena_strdup(model->arena, name), component, variable, branches};
    hk_map_put(&model->by_alias, alias.name, (uint32_t)model->alias_count);
    HK_PUSH(model->aliases, model->alias_count, model->alias_cap, alias);
    return true;
}

void hk_model_add_inlet(hk_model *model, const char *name, const hk_branch *branches,
                        bool outermost) {
    hk_inlet inlet = {hk_arena_strdup(model->arena, name), branches, outermost};
    HK_ASSERT(branches);
    hk_map_put(&model->by_inlet, inlet.name, (uint32_t)model->inlet_count);
    HK_PUSH(model->inlets, model->inlet_count, model->inlet_cap, inlet);
}

void hk_model_add_shown(hk_model *model, const hk_shown *shown) {
    hk_shown copy = *shown;
    copy.name = hk_arena_strdup(model->arena, shown->name);
    HK_PUSH(model->shown, model->shown_count, model->shown_cap, copy);
}

uint32_t hk_model_add_delegate(hk_model *model, const char *name, hk_delegate_kind kind) {
    uint32_t index = (uint32_t)model->delegate_count;
    hk_delegate delegate = {.name = hk_arena_strdup(model->arena, name), .kind = kind};
    hk_map_put(&model->by_delegate, delegate.name, index);
    HK_PUSH(model->delegates, model->delegate_count, model->delegate_cap, delegate);
    return index;
}

const char *hk_requirement_providers(hk_arena *arena, const hk_model *model,
                                     const hk_requirement *requirement) {
    const char *text = "";
    size_t count = requirement->candidate_count;
    for (size_t i = 0; i < count; i++) {
        const hk_component *c = &model->components[requirement->candidates[i].component];
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " and ";
        text = hk_arena_printf(arena, "%s%s'%s.%s'", text, between, c->name,
                               c->info->services[requirement->candidates[i].service].name);
    }
    return text;
}

bool hk_model_is_single(const hk_model *model) {
    for (size_t i = 1; i < model->component_count; i++)
        if (!model->components[i].info->can.only_feeds)
            return false;
    return model->component_count > 0;
}

/* Where a setting comes from is in the message's place; the text names the variable. */
static hk_status not_settable(hk_ctx *ctx, const hk_component *component,
                              const hk_variable *variable, hk_where where) {
    const char *hint =
        "only inputs, and variables whose 'initial' is exact or approx, take a value";
    if (variable->variability == HK_CONSTANT)
        return hk_error(ctx, HK_E_PARAMETER, where, "constants never change",
                        "'%s.%s' is a constant and cannot be set", component->name, variable->name);
    return hk_error(ctx, HK_E_PARAMETER, where, hint,
                    "'%s.%s' cannot be set: it is computed by the component (causality %s, "
                    "initial %s)",
                    component->name, variable->name, hk_causality_name(variable->causality),
                    hk_initial_name(variable->initial));
}

static hk_status not_a_value(hk_ctx *ctx, hk_model *model, const hk_component *component,
                             const hk_variable *variable, size_t count,
                             const hk_given_text *given) {
    const char *hint = NULL;
    if (variable->enumeration)
        hint = hk_enum_items(model->arena, variable->enumeration);
    else if (variable->type == HK_TYPE_BOOL)
        hint = "write true or false";
    else if (variable->type == HK_TYPE_BINARY)
        hint = "write pairs of hexadecimal digits";
    else if (count != 1)
        hint = hk_arena_printf(model->arena, "write one value, or %zu separated by spaces%s", count,
                               variable->type == HK_TYPE_STRING ? ", each in quotes" : "");
    return hk_error(ctx, HK_E_VALUE, given->from.where, hint,
                    "'%s' is not a value of type %s for '%s.%s'", given->text,
                    hk_type_name(variable->type), component->name, variable->name);
}

/* Brings VALUE, given in UNIT, to the unit of VARIABLE. */
static hk_status convert_unit(hk_ctx *ctx, const hk_component *component,
                              const hk_variable *variable, const hk_uom *unit, hk_where where,
                              hk_value *value) {
    if (!variable->uom) {
        if (variable->unit && unit->name && strcmp(variable->unit, unit->name) == 0)
            return HK_OK;
        hk_warn(ctx, HK_E_UNIT_MISMATCH, where, NULL,
                "'%s.%s' has no known unit, so the value in '%s' is taken without conversion",
                component->name, variable->name, unit->name ? unit->name : "?");
        return HK_OK;
    }
    double factor, offset;
    char have[96], want[96];
    if (!hk_uom_conversion(unit, variable->uom, variable->relative, &factor, &offset)) {
        if (hk_uom_same_name(unit, variable->uom)) {
            hk_warn(ctx, HK_E_UNIT_MISMATCH, where, "correct one of the definitions",
                    "'%s.%s' (%s) and its value (%s) mean different things by the unit '%s'; the "
                    "value is taken without conversion",
                    component->name, variable->name, hk_uom_dimension(variable->uom, want),
                    hk_uom_dimension(unit, have), unit->name);
            return HK_OK;
        }
        return hk_error(ctx, HK_E_UNIT_MISMATCH, where, NULL,
                        "'%s.%s' is in '%s' (%s) and cannot be given in '%s' (%s)", component->name,
                        variable->name, variable->unit, hk_uom_dimension(variable->uom, want),
                        unit->name ? unit->name : "?", hk_uom_dimension(unit, have));
    }
    if (factor == 1 && offset == 0)
        return HK_OK;
    double *wide = value->data;
    float *narrow = value->data;
    if (value->type != HK_TYPE_F64 && value->type != HK_TYPE_F32)
        return hk_error(ctx, HK_E_UNIT_MISMATCH, where, "give the value in the variable's own unit",
                        "'%s.%s' is of type %s, which cannot be converted from '%s' to '%s'",
                        component->name, variable->name, hk_type_name(value->type),
                        unit->name ? unit->name : "?", variable->unit);
    for (size_t i = 0; i < value->count; i++) {
        if (value->type == HK_TYPE_F64)
            wide[i] = factor * wide[i] + offset;
        else
            narrow[i] = (float)(factor * (double)narrow[i] + offset);
    }
    return HK_OK;
}

/* Settings are few sources in order, so this is an append unless they come in unusual order. */
static void insert_setting(hk_component *component, hk_setting setting) {
    HK_PUSH(component->settings, component->setting_count, component->setting_cap, setting);
    size_t i = component->setting_count - 1;
    for (; i > 0 && component->settings[i - 1].source > setting.source; i--)
        component->settings[i] = component->settings[i - 1];
    component->settings[i] = setting;
}

hk_status hk_model_set_value(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                             const hk_value *value, hk_origin origin) {
    hk_component *c = &model->components[component];
    const hk_variable *v = &c->info->variables[variable];
    HK_ASSERT(value->type == v->type && value->count == v->count);
    if (!hk_variable_settable(v))
        return not_settable(ctx, c, v, origin.where);
    hk_setting setting = {variable, *value, origin.source, keep_where(model, origin.where)};
    insert_setting(c, setting);
    return HK_OK;
}

/* Brings VALUE to COUNT elements if they are all alike: one value was given for all of them. */
static bool refit(hk_arena *arena, hk_value *value, size_t count) {
    if (!value->data || value->count == count)
        return true;
    size_t size = hk_store_size(hk_store_of(value->type));
    const char *first = value->data;
    for (size_t i = 1; i < value->count; i++)
        if (memcmp(first, first + i * size, size) != 0)
            return false;
    char *data = hk_arena_alloc(arena, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy(data + i * size, first, size);
    *value = (hk_value){.type = value->type, .count = count, .data = data};
    return true;
}

static hk_status misfit(hk_ctx *ctx, const hk_component *component, const hk_variable *variable,
                        size_t count, hk_where where) {
    return hk_error(ctx, HK_E_PARAMETER, where, "set structural parameters first, then arrays",
                    "'%s.%s' was given %zu values, and a structural parameter now gives it %zu "
                    "elements",
                    component->name, variable->name, count, variable->count);
}

/* The place in an array of the new shape of what is at ELEMENT in the old one; false: there is
 * none. */
static bool move_element(const hk_variable *old, const hk_variable *fresh, uint32_t *element) {
    size_t indices = old->dim_count, rest = *element, to = 0, below = 1;
    for (size_t d = indices; d-- > 0; rest /= old->dims[d]) {
        size_t index = rest % old->dims[d];
        if (index >= fresh->dims[d])
            return false;
        to += index * below;
        below *= fresh->dims[d];
    }
    *element = (uint32_t)to;
    return true;
}

/* Elements that a connection names stay those of the same indices. */
static bool refit_slice(hk_slice *slice, bool paired, const hk_variable *old,
                        const hk_variable *fresh) {
    if (!slice->count || !fresh->dim_count)
        return true;
    uint32_t first = slice->first, last = slice->first + slice->count - 1;
    bool fits = move_element(old, fresh, &first) && move_element(old, fresh, &last) &&
                last - first + 1 == slice->count;
    slice->first = fits ? first : slice->first;
    return fits && (!paired || old->count == fresh->count);
}

static hk_status refit_connection(hk_ctx *ctx, hk_model *model, uint32_t component,
                                  const hk_info *info, hk_connection *k) {
    const hk_component *c = &model->components[component];
    bool lost = false;
    if (k->from_component == component) {
        const hk_variable *v = &info->variables[k->from_variable];
        if (!k->from_slice.count && !refit(model->arena, &k->initial, v->count))
            return misfit(ctx, c, v, k->initial.count, k->where);
        lost = !refit_slice(&k->from_slice, k->paired, &c->info->variables[k->from_variable], v);
    }
    if (k->to_component == component)
        lost |= !refit_slice(&k->to_slice, k->paired, &c->info->variables[k->to_variable],
                             &info->variables[k->to_variable]);
    if (!lost)
        return HK_OK;
    return hk_error(ctx, HK_E_PARAMETER, hk_connection_where(model, k), NULL,
                    "the connection joins single elements of an array, which a structural "
                    "parameter of '%s' gives another size",
                    c->name);
}

/* Fits what was given to arrays of a component before its structural parameters changed. */
static hk_status refit_all(hk_ctx *ctx, hk_model *model, uint32_t component, const hk_info *info) {
    const hk_component *c = &model->components[component];
    for (size_t i = 0; i < c->setting_count; i++) {
        hk_setting *s = &c->settings[i];
        const hk_variable *v = &info->variables[s->variable];
        if (!refit(model->arena, &s->value, v->count))
            return misfit(ctx, c, v, s->value.count, s->where);
    }
    for (size_t i = 0; i < model->connection_count; i++)
        HK_TRY(refit_connection(ctx, model, component, info, &model->connections[i]));
    return HK_OK;
}

/* Of a structural parameter, which is not among the settings of the model. */
static void warn_range(hk_ctx *ctx, const hk_model *model, const hk_component *c,
                       const hk_variable *v, const hk_value *value, hk_where where) {
    double number;
    if (!hk_value_convert(HK_STORE_F64, &number, hk_store_of(value->type), value->data, 1))
        return;
    const char *range = hk_range_words(model->arena, v->min, v->max, number);
    if (range)
        hk_warn(ctx, HK_E_PARAMETER, where, NULL, "'%s.%s' is set %s", c->name, v->name, range);
}

/* A structural parameter decides sizes, so the component gets another description; its value is
 * the start value there. */
static hk_status restructure(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                             const hk_value *value, hk_where where) {
    hk_component *c = &model->components[component];
    const hk_info *info = NULL;
    warn_range(ctx, model, c, &c->info->variables[variable], value, where);
    hk_status status = c->info->unit_class->resize(ctx, c->info, &variable, value, 1, &info);
    if (status != HK_OK) {
        hk_note(ctx, where, "it has to do with the value of the structural parameter '%s.%s'",
                c->name, c->info->variables[variable].name);
        return status;
    }
    HK_TRY(refit_all(ctx, model, component, info));
    c->info = info;
    model->lowered = false;
    return HK_OK;
}

hk_status hk_model_set(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                       const hk_given_text *given) {
    hk_component *c = &model->components[component];
    const hk_variable *v = &c->info->variables[variable];
    hk_where where = given->from.where;
    if (!hk_variable_settable(v))
        return not_settable(ctx, c, v, where);
    hk_value value;
    if (!hk_value_parse(model->arena, v->type, v->count, v->enumeration, given->text, &value))
        return not_a_value(ctx, model, c, v, v->count, given);
    if (given->unit)
        HK_TRY(convert_unit(ctx, c, v, given->unit, where, &value));
    if (v->causality == HK_STRUCTURAL_PARAMETER && c->info->unit_class &&
        c->info->unit_class->resize)
        return restructure(ctx, model, component, variable, &value, where);
    hk_setting setting = {variable, value, given->from.source, keep_where(model, where)};
    insert_setting(c, setting);
    return HK_OK;
}

void hk_model_unset(hk_model *model, uint32_t component, uint32_t variable) {
    hk_component *c = &model->components[component];
    size_t kept = 0;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable != variable)
            c->settings[kept++] = c->settings[i];
    c->setting_count = kept;
}

/* What the elements of a variable have before SOURCE gives them something else. */
static const void *value_before(hk_ctx *ctx, const hk_component *c, uint32_t variable,
                                hk_source source, hk_where where) {
    const hk_variable *v = &c->info->variables[variable];
    const void *data = v->start.data;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable && c->settings[i].source <= source)
            data = c->settings[i].value.data;
    if (!data)
        hk_warn(ctx, HK_E_PARAMETER, where, "set the whole array",
                "the other elements of '%s.%s' have no start value and get %s", c->name, v->name,
                hk_store_of(v->type) == HK_STORE_BYTES ? "an empty one" : "0");
    return data;
}

hk_status hk_model_set_slice(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                             hk_slice slice, const hk_given_text *given) {
    const hk_component *c = &model->components[component];
    const hk_variable *v = &c->info->variables[variable];
    hk_where where = given->from.where;
    if (!slice.count)
        return hk_model_set(ctx, model, component, variable, given);
    if (!hk_variable_settable(v))
        return not_settable(ctx, c, v, where);
    hk_value part, whole = {.type = v->type, .count = v->count};
    if (!hk_value_parse(model->arena, v->type, slice.count, v->enumeration, given->text, &part))
        return not_a_value(ctx, model, c, v, slice.count, given);
    if (given->unit)
        HK_TRY(convert_unit(ctx, c, v, given->unit, where, &part));
    size_t size = hk_store_size(hk_store_of(v->type));
    whole.data = hk_arena_alloc(model->arena, v->count * size);
    const void *before = value_before(ctx, c, variable, given->from.source, where);
    if (before)
        memcpy(whole.data, before, v->count * size);
    memcpy((char *)whole.data + slice.first * size, part.data, slice.count * size);
    return hk_model_set_value(ctx, model, component, variable, &whole, given->from);
}

size_t hk_slice_count(const hk_slice *slice, const hk_variable *variable) {
    return slice->count ? slice->count : variable->count;
}

size_t hk_connection_count(const hk_model *model, const hk_connection *connection) {
    return hk_slice_count(
        &connection->to_slice,
        &model->components[connection->to_component].info->variables[connection->to_variable]);
}

const char *hk_connection_name(const hk_model *model, const hk_connection *connection) {
    hk_address from = hk_connection_source(connection), to = hk_connection_sink(connection);
    return hk_arena_printf(model->arena, "%s -> %s", hk_address_name(model->arena, model, &from),
                           hk_address_name(model->arena, model, &to));
}

hk_where hk_connection_where(const hk_model *model, const hk_connection *connection) {
    hk_where where = connection->where;
    where.element =
        hk_arena_printf(model->arena, "connection %s", hk_connection_name(model, connection));
    return where;
}
