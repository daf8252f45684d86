/* SPDX-License-Identifier: MIT
 *
 * Values that the command line gives to variables, with units. */
#include "base/number.h"
#include "cli/run.h"

#include <ctype.h>
#include <string.h>

static hk_status find_variable(const hk_run *run, const char *option, const char *name,
                               uint32_t *ret_component, uint32_t *ret_variable) {
    if (hk_model_find(run->model, name, ret_component, ret_variable))
        return HK_OK;
    const char *close = hk_closest_variable(run->cli, run->model, name);
    const char *hint =
        close ? hk_arena_printf(run->cli->arena, "did you mean '%s'?", close)
              : hk_arena_printf(run->cli->arena, "'hocket info %s' lists what is there", run->file);
    return hk_error(run->cli->ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE, hint,
                    "--%s: there is no variable '%s'", option, name);
}

static bool is_number(hk_type type) {
    return type != HK_TYPE_STRING && type != HK_TYPE_BINARY && type != HK_TYPE_ENUM &&
           type != HK_TYPE_BOOL;
}

/* Splits "12.5 km/h" if the variable takes numbers and a unit follows one. */
static hk_status split_unit(const hk_run *run, const hk_variable *v, const char *text,
                            const char **ret_number, hk_uom *ret_uom, bool *ret_has_unit) {
    size_t length;
    const char *unit;
    *ret_number = text;
    *ret_has_unit = false;
    if (!is_number(v->type) || !hk_quantity_split(text, &length, &unit) || !*unit ||
        strchr("0123456789+-.,;", *unit)) /* the next number of an array */
        return HK_OK;
    if (!hk_uom_parse(unit, ret_uom))
        return hk_error(run->cli->ctx, HK_E_VALUE, HK_NOWHERE,
                        "units are written like m, km/h, N.m, kg.m2, degC",
                        "'%s' in '%s' is no unit that hocket knows", unit, text);
    if (!v->uom)
        return hk_error(run->cli->ctx, HK_E_VALUE, HK_NOWHERE, "write the number alone",
                        "variable '%s' has no unit, so '%s' cannot be converted", v->name, text);
    *ret_number = hk_arena_strndup(run->cli->arena, text, length);
    *ret_has_unit = true;
    return HK_OK;
}

static hk_status set_one(hk_run *run, const char *text) {
    hk_cli *cli = run->cli;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "write --set NAME=VALUE",
                        "--set: '%s' has no name and value", text);
    const char *name = hk_arena_strndup(cli->arena, text, (size_t)(equals - text));
    uint32_t component, variable;
    HK_TRY(find_variable(run, "set", name, &component, &variable));
    const hk_variable *v = &run->model->components[component].info->variables[variable];
    const char *number;
    hk_uom uom;
    bool has_unit;
    HK_TRY(split_unit(run, v, equals + 1, &number, &uom, &has_unit));
    hk_where where = {.element = hk_arena_printf(cli->arena, "--set %s", text)};
    const hk_uom *unit = has_unit ? &uom : NULL;
    HK_TRY(
        hk_model_set(cli->ctx, run->model, component, variable, number, unit, HK_FROM_USER, where));
    for (const hk_branch *b = hk_model_branches(run->model, name); b; b = b->next) {
        const hk_component *c = &run->model->components[b->component];
        if (b->transform.kind != HK_TRANSFORM_NONE)
            return hk_error(cli->ctx, HK_E_PARAMETER, where, "set the inputs one by one",
                            "'%s' also drives '%s.%s', through a transformation", name, c->name,
                            c->info->variables[b->variable].name);
        HK_TRY(hk_model_set(cli->ctx, run->model, b->component, b->variable, number, unit,
                            HK_FROM_USER, where));
    }
    return HK_OK;
}

hk_status hk_run_set_values(hk_run *run) {
    const char *text;
    for (size_t i = 0; (text = hk_args_nth(run->args, "set", i)); i++)
        HK_TRY(set_one(run, text));
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

static hk_status read_threshold(hk_run *run, const char *text, const hk_variable *v,
                                const char *condition, double *ret_threshold) {
    hk_cli *cli = run->cli;
    const char *number;
    hk_uom uom;
    bool has_unit, boolean;
    double value, factor, offset;
    HK_TRY(split_unit(run, v, text, &number, &uom, &has_unit));
    if (hk_read_bool(number, strlen(number), &boolean) && v->type == HK_TYPE_BOOL)
        value = boolean;
    else if (!hk_read_f64(number, strlen(number), &value))
        return hk_error(cli->ctx, HK_E_VALUE, HK_NOWHERE, "write --stop-when 'component.y > 3.5'",
                        "--stop-when: '%s' in '%s' is no number", text, condition);
    if (has_unit) {
        if (!hk_uom_conversion(&uom, v->uom, v->relative, &factor, &offset))
            return hk_error(cli->ctx, HK_E_UNIT_MISMATCH, HK_NOWHERE, NULL,
                            "--stop-when: '%s' cannot be converted to '%s', the unit of '%s'",
                            uom.name, v->unit, v->name);
        value = factor * value + offset;
    }
    *ret_threshold = value;
    return HK_OK;
}

static hk_status read_condition(hk_run *run, const char *text, hk_stop_when *ret_condition) {
    hk_cli *cli = run->cli;
    const char *sign;
    size_t length;
    hk_stop_when condition = {.text = text};
    if (!find_operator(text, &sign, &length, &condition.compare))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "write --stop-when 'component.y > 3.5'; signs: < <= > >= == !=",
                        "--stop-when: '%s' compares nothing", text);
    size_t name_length = (size_t)(sign - text);
    while (name_length && isspace((unsigned char)text[name_length - 1]))
        name_length--;
    const char *name = hk_arena_strndup(cli->arena, text, name_length);
    name += strspn(name, " \t");
    HK_TRY(find_variable(run, "stop-when", name, &condition.component, &condition.variable));
    const hk_variable *v =
        &run->model->components[condition.component].info->variables[condition.variable];
    if (v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "--stop-when: '%s' is text, which cannot be compared", name);
    sign += length;
    HK_TRY(read_threshold(run, sign + strspn(sign, " \t"), v, text, &condition.threshold));
    *ret_condition = condition;
    return HK_OK;
}

hk_status hk_run_stop_conditions(hk_run *run) {
    size_t count = 0;
    while (hk_args_nth(run->args, "stop-when", count))
        count++;
    hk_stop_when *conditions = HK_NEW_ARRAY(run->cli->arena, hk_stop_when, count);
    for (size_t i = 0; i < count; i++)
        HK_TRY(read_condition(run, hk_args_nth(run->args, "stop-when", i), &conditions[i]));
    run->options.stop_when = conditions;
    run->options.stop_when_count = count;
    return HK_OK;
}
