/* SPDX-License-Identifier: MIT
 *
 * Parameters of a simulation, and what the command line says about them. */
#include "base/number.h"
#include "lang/simulation/simulation_internal.h"
#include "text/parser.h"

#include <string.h>

static bool mentions_parameter(const hk_literal *l) {
    if (l->kind == HK_LITERAL_WORD)
        return l->text[0] == '$';
    for (size_t i = 0; l->kind == HK_LITERAL_LIST && i < l->item_count; i++)
        if (mentions_parameter(&l->items[i]))
            return true;
    return false;
}

/* TEXT takes the place of a literal of the same kind. */
static hk_status override(hk_simread *r, const char *name, const char *text, hk_literal *literal) {
    hk_where where = {.element = hk_arena_printf(r->arena, "parameter '%s'", name)};
    bool truth;
    size_t length = strlen(text);
    const char *wanted = NULL;
    if (literal->kind == HK_LITERAL_LIST)
        wanted = "cannot be given here, because it is a list";
    else if (literal->kind == HK_LITERAL_NUMBER) {
        length = hk_number_length(text);
        const char *unit = text + length + strspn(text + length, " ");
        if (!length || (*unit && strchr("+-./0123456789", *unit)))
            wanted = "is a number";
        else if (*unit)
            literal->unit = hk_arena_strdup(r->arena, unit);
    } else if (literal->kind == HK_LITERAL_BOOL &&
               (!hk_read_bool(text, length, &truth) || length < 2)) {
        wanted = "is true or false";
    }
    if (wanted)
        return hk_complain(&r->complaints, HK_E_VALUE, where, NULL,
                           "the parameter '%s' %s, found '%s'", name, wanted, text);
    literal->text = hk_arena_strndup(r->arena, text, length);
    return HK_OK;
}

static void apply_option(hk_simread *r, const char *option, hk_literal *values) {
    const char *equals = strchr(option, '=');
    const char *name =
        hk_arena_strndup(r->arena, option, equals ? (size_t)(equals - option) : strlen(option));
    const char **names = HK_NEW_ARRAY(r->arena, const char *, r->file->parameter_count + 1);
    hk_where where = {.element = hk_arena_printf(r->arena, "parameter '%s'", name)};
    for (size_t i = 0; i < r->file->parameter_count; i++) {
        names[i] = r->file->parameters[i].name.text;
        if (strcmp(names[i], name) == 0 && equals) {
            (void) override(r, name, equals + 1, &values[i]);
            return;
        }
    }
    const char *hint =
        equals ? hk_simread_suggest(r, name, names, r->file->parameter_count) : "write NAME=VALUE";
    if (!hint && r->file->parameter_count)
        hint = hk_arena_printf(r->arena, "it has %s",
                               hk_simread_list(r, names, r->file->parameter_count));
    hk_complain(
        &r->complaints, HK_E_USAGE, where, hint ? hint : "declare it: parameter NAME = VALUE;",
        equals ? "the simulation has no parameter '%s'" : "the parameter '%s' has no value", name);
}

void hk_simread_parameters(hk_simread *r, const hk_simulation_options *options) {
    size_t n = r->file->parameter_count;
    hk_literal *values = HK_NEW_ARRAY(r->arena, hk_literal, n + 1);
    for (size_t i = 0; i < n; i++) {
        const hk_scenarioparameter *p = &r->file->parameters[i];
        values[i] = p->value;
        if (mentions_parameter(&p->value)) {
            hk_simread_error(r, HK_E_SCENARIO, &p->value.at, "write the value itself",
                             "a parameter cannot have another one as its value");
            values[i] = (hk_literal){.kind = HK_LITERAL_NUMBER, .text = "0", .at = p->value.at};
        }
        for (size_t k = 0; k < i; k++)
            if (strcmp(r->file->parameters[k].name.text, p->name.text) == 0)
                hk_simread_error(r, HK_E_DUPLICATE, &p->name.at, "remove one of them",
                                 "the parameter '%s' is declared twice; the other one is in "
                                 "line %d",
                                 p->name.text, r->file->parameters[k].name.at.line);
    }
    for (size_t i = 0; options && i < options->parameter_count; i++)
        apply_option(r, options->parameters[i], values);
    r->parameters = values;
}
