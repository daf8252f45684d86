/* SPDX-License-Identifier: MIT */
#include "assembly/values.h"

#include "assembly/load.h"
#include "base/number.h"

#include <ctype.h>
#include <string.h>

hk_status hk_model_need_at(hk_ctx *ctx, const hk_model *model, const hk_asker *asker,
                           const char *name, hk_address *ret_address) {
    const char *who = asker->who;
    if (hk_model_find(model, name, ret_address))
        return HK_OK;
    const char *why = hk_model_why_not(model, name);
    if (why)
        return hk_error(ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE, NULL, "%s%s'%s' cannot be used: %s",
                        who ? who : "", who ? ": " : "", name, why);
    hk_arena *arena = hk_arena_create();
    hk_status status = hk_error(
        ctx, HK_E_UNKNOWN_SIGNAL, asker->where, hk_model_hint(arena, model, name, asker->fallback),
        "%s%sthere is no variable '%s'", who ? who : "", who ? ": " : "", name);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_model_need(hk_ctx *ctx, const hk_model *model, const char *who, const char *fallback,
                        const char *name, hk_address *ret_address) {
    return hk_model_need_at(ctx, model, &(hk_asker){.who = who, .fallback = fallback}, name,
                            ret_address);
}

static bool is_number(hk_type type) {
    return type != HK_TYPE_STRING && type != HK_TYPE_BINARY && type != HK_TYPE_ENUM &&
           type != HK_TYPE_BOOL;
}

hk_status hk_unit_split(hk_ctx *ctx, hk_arena *arena, const hk_variable *v, const char *text,
                        hk_where where, hk_quantity *ret_quantity) {
    size_t length;
    const char *unit;
    *ret_quantity = (hk_quantity){.number = text};
    if (!is_number(v->type) || !hk_quantity_split(text, &length, &unit) || !*unit ||
        strchr("0123456789+-.,;", *unit)) /* the next number of an array */
        return HK_OK;
    if (!hk_uom_parse(unit, &ret_quantity->uom))
        return hk_error(ctx, HK_E_VALUE, where, "units are written like m, km/h, N.m, kg.m2, degC",
                        "'%s' in '%s' is not a unit that hocket knows", unit, text);
    if (!v->uom)
        return hk_error(ctx, HK_E_VALUE, where, "write the number alone",
                        "variable '%s' has no unit, so '%s' cannot be converted", v->name, text);
    ret_quantity->number = hk_arena_strndup(arena, text, length);
    ret_quantity->has_unit = true;
    return HK_OK;
}

/* Only the last wish counts; programs that set a value for each of many runs would else collect
 * them. */
static void forget_earlier(hk_component *c, uint32_t variable) {
    size_t kept = 0, last = c->setting_count;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable && c->settings[i].source == HK_FROM_USER)
            last = i;
    for (size_t i = 0; i < c->setting_count; i++) {
        const hk_setting *s = &c->settings[i];
        if (i == last || s->variable != variable || s->source != HK_FROM_USER)
            c->settings[kept++] = *s;
    }
    c->setting_count = kept;
}

static hk_status set_one(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                         hk_slice slice, const hk_given_text *given) {
    HK_TRY(hk_model_set_slice(ctx, model, component, variable, slice, given));
    forget_earlier(&model->components[component], variable);
    return HK_OK;
}

/* What is set here is set for all that share it. */
static hk_status set_followers(hk_ctx *ctx, hk_model *model, uint32_t component, uint32_t variable,
                               hk_where where) {
    for (size_t i = 0; i < model->shared_count; i++) {
        const hk_shared *shared = &model->shared[i];
        if (shared->component != component || shared->variable != variable)
            continue;
        for (const hk_branch *b = shared->others; b; b = b->next) {
            HK_TRY(hk_model_spread(ctx, model, shared, b, HK_FROM_USER, where));
            forget_earlier(&model->components[b->component], b->variable);
        }
    }
    return HK_OK;
}

hk_status hk_model_set_text(hk_ctx *ctx, hk_model *model, const char *name, const hk_address *at,
                            const char *text, hk_where where) {
    const hk_variable *v = hk_address_variable(model, at);
    hk_quantity q;
    HK_TRY(hk_unit_split(ctx, model->arena, v, text, where, &q));
    const hk_given_text given = {q.number, q.has_unit ? &q.uom : NULL, {HK_FROM_USER, where}};
    return hk_model_set_number(ctx, model, name, at, &given);
}

/* What a connector hands on to a branch: each number that is given (without a unit: in that of the
 * connector), after units and transformation. */
static hk_status transform_text(hk_ctx *ctx, hk_model *model, const char *name, const hk_branch *b,
                                const hk_given_text *given, const char **ret_text) {
    const char *text = given->text;
    const hk_uom *unit = given->unit;
    hk_where where = given->from.where;
    static const char blanks[] = " \t\n\r,;";
    const hk_variable *v = &model->components[b->component].info->variables[b->variable];
    const hk_uom *wanted = b->uom ? b->uom : v->uom;
    double factor = 1, offset = 0, number;
    bool truth;
    const char *result = "";
    if (unit && wanted && !hk_uom_conversion(unit, wanted, v->relative, &factor, &offset))
        return hk_error(ctx, HK_E_UNIT_MISMATCH, where, NULL,
                        "'%s' is given in '%s' and is wanted in '%s'", name, unit->name,
                        wanted->name ? wanted->name : "?");
    for (const char *c = text + strspn(text, blanks); *c; c += strspn(c, blanks)) {
        const char *word = hk_arena_strndup(model->arena, c, strcspn(c, blanks));
        if (hk_read_bool(word, strlen(word), &truth))
            number = truth;
        else if (!hk_read_f64(word, strlen(word), &number))
            return hk_error(ctx, HK_E_VALUE, where, "give it as a number",
                            "'%s' is not a number, so what '%s' drives cannot be calculated", word,
                            name);
        char shown[HK_NUMBER_MAX + 1];
        number = hk_transform_value(&b->transform, factor * number + offset);
        shown[hk_write_f64(number, shown)] = '\0';
        result = hk_arena_printf(model->arena, "%s%s%s", result, *result ? " " : "", shown);
        c += strcspn(c, blanks);
    }
    *ret_text = result;
    return HK_OK;
}

static hk_status set_branch(hk_ctx *ctx, hk_model *model, const char *name, const hk_branch *b,
                            const hk_given_text *given) {
    bool plain = b->transform.kind == HK_TRANSFORM_NONE;
    hk_given_text own = *given;
    hk_where where = given->from.where;
    HK_TRY(hk_model_refuse_follower(ctx, model, b->component, b->variable, where));
    if (!plain || (own.unit && b->uom)) {
        HK_TRY(transform_text(ctx, model, name, b, given, &own.text));
        own.unit = NULL;
    }
    HK_TRY(set_one(ctx, model, b->component, b->variable, b->slice, &own));
    return set_followers(ctx, model, b->component, b->variable, where);
}

hk_status hk_model_set_inlet(hk_ctx *ctx, hk_model *model, const hk_inlet *inlet, const char *text,
                             const hk_uom *unit, hk_where where) {
    for (const hk_branch *b = inlet->branches; b; b = b->next) {
        hk_quantity q = {.number = text};
        if (!unit) {
            hk_variable v = model->components[b->component].info->variables[b->variable];
            v.name = inlet->name;
            v.uom = b->uom ? b->uom : v.uom;
            HK_TRY(hk_unit_split(ctx, model->arena, &v, text, where, &q));
        }
        const hk_given_text given = {q.number, q.has_unit ? &q.uom : unit, {HK_FROM_USER, where}};
        HK_TRY(set_branch(ctx, model, inlet->name, b, &given));
    }
    return HK_OK;
}

hk_status hk_model_set_number(hk_ctx *ctx, hk_model *model, const char *name, const hk_address *at,
                              const hk_given_text *number) {
    hk_where where = number->from.where;
    hk_slice slice = {at->element, at->count};
    HK_TRY(hk_model_refuse_follower(ctx, model, at->component, at->variable, where));
    HK_TRY(set_one(ctx, model, at->component, at->variable, slice, number));
    HK_TRY(set_followers(ctx, model, at->component, at->variable, where));
    for (const hk_branch *b = hk_model_branches(model, name); b; b = b->next) {
        hk_branch part = *b;
        if (!part.slice.count) /* one element of the connector is that of all that it drives */
            part.slice = slice;
        HK_TRY(set_branch(ctx, model, name, &part, number));
    }
    return HK_OK;
}

static bool find_operator(const char *text, const char **ret_at, size_t *ret_length,
                          hk_compare *ret_compare) {
    static const struct {
        const char *sign;
        hk_compare compare;
    } signs[] = {{"<=", HK_LE}, {">=", HK_GE}, {"==", HK_EQ}, {"!=", HK_NE},
                 {"<", HK_LT},  {">", HK_GT},  {"=", HK_EQ}};
    const char *at = strpbrk(text, "<>=!");
    for (size_t i = 0; at && i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].sign);
        if (strncmp(at, signs[i].sign, length) == 0) {
            *ret_at = at;
            *ret_length = length;
            *ret_compare = signs[i].compare;
            return true;
        }
    }
    return false;
}

/* TEXT is what the condition compares with. */
static hk_status read_threshold(hk_ctx *ctx, hk_arena *arena, const char *who, const char *text,
                                const hk_variable *v, hk_stop_when *condition) {
    hk_quantity q;
    bool boolean;
    double value, factor, offset;
    HK_TRY(hk_unit_split(ctx, arena, v, text, HK_NOWHERE, &q));
    const char *number = q.number;
    hk_value item;
    if (hk_read_bool(number, strlen(number), &boolean) && v->type == HK_TYPE_BOOL)
        value = boolean;
    else if (v->type == HK_TYPE_ENUM &&
             hk_value_parse(arena, v->type, 1, v->enumeration, number, &item))
        value = (double)*(const int64_t *)item.data;
    else if (!hk_read_f64(number, strlen(number), &value))
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                        v->enumeration
                            ? hk_enum_items(arena, v->enumeration)
                            : hk_arena_printf(arena, "write %s 'component.y > 3.5'", who),
                        "%s: '%s' in '%s' is not %s", who, text, condition->text,
                        v->enumeration ? "an item of the enumeration" : "a number");
    if (q.has_unit) {
        if (!hk_uom_conversion(&q.uom, v->uom, v->relative, &factor, &offset))
            return hk_error(ctx, HK_E_UNIT_MISMATCH, HK_NOWHERE, NULL,
                            "%s: '%s' cannot be converted to '%s', the unit of '%s'", who,
                            q.uom.name, v->unit, v->name);
        value = factor * value + offset;
    }
    condition->threshold = value;
    return HK_OK;
}

hk_status hk_condition_read(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                            const hk_asker *asker, const char *text, hk_stop_when *ret_condition) {
    const char *who = asker->who;
    const char *sign;
    size_t length;
    hk_stop_when condition = {.text = text};
    if (!find_operator(text, &sign, &length, &condition.compare))
        return hk_error(
            ctx, HK_E_USAGE, HK_NOWHERE,
            hk_arena_printf(arena, "write %s 'component.y > 3.5'; signs: < <= > >= == !=", who),
            "%s: '%s' compares nothing", who, text);
    size_t name_length = (size_t)(sign - text);
    while (name_length && isspace((unsigned char)text[name_length - 1]))
        name_length--;
    const char *name = hk_arena_strndup(arena, text, name_length);
    name += strspn(name, " \t");
    hk_address at;
    const hk_shown *shown = hk_model_shown(model, name);
    if (shown)
        at = (hk_address){shown->component, shown->variable, shown->element, 1, NULL};
    else
        HK_TRY(hk_model_need_at(ctx, model, asker, name, &at));
    hk_variable looked_at = *hk_address_variable(model, &at);
    const hk_variable *v = &looked_at;
    if (shown) {
        looked_at.name = shown->name;
        looked_at.unit = shown->unit;
        looked_at.uom = shown->uom;
        condition.transform = shown->transform.kind ? &shown->transform : NULL;
    }
    condition.component = at.component;
    condition.variable = at.variable;
    condition.element = at.element;
    if (v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "%s: '%s' is text, which cannot be compared", who, name);
    if (hk_address_count(model, &at) != 1)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                        hk_arena_printf(arena, "name one element, like '%s[1]'", name),
                        "%s: '%s' has %zu elements", who, name, hk_address_count(model, &at));
    sign += length;
    HK_TRY(read_threshold(ctx, arena, who, sign + strspn(sign, " \t"), v, &condition));
    *ret_condition = condition;
    return HK_OK;
}
