/* SPDX-License-Identifier: MIT
 *
 * Values of a multi-model in the units of what runs: a file may give a mass in g to what wants kg,
 * and the calls of a run are in kg. Items of enumerations are numbers there. */
#include "sound/sound.h"

#include "model/address.h"

#include <string.h>

/* What of the model a name of the file means; NULL: nothing. */
static const hk_variable *variable_of(hk_model *model, const char *name) {
    hk_address at;
    return hk_model_find_end(model, name, &at) ? hk_address_variable(model, &at) : NULL;
}

/* As the model does it when it is given the value, to the last bit. */
static void convert_initial(hk_arena *arena, hk_sound_initial *initial, const hk_variable *v) {
    hk_uom unit;
    double factor, offset;
    const double *from = initial->value.numbers;
    if (!from || !v || !v->uom || !hk_uom_parse(initial->unit, &unit) ||
        !hk_uom_conversion(&unit, v->uom, v->relative, &factor, &offset) ||
        (factor == 1 && offset == 0))
        return;
    double *to = HK_NEW_ARRAY(arena, double, initial->value.count + 1);
    for (size_t i = 0; i < initial->value.count; i++)
        to[i] = v->type == HK_TYPE_F32 ? (double)(float)(factor * (double)(float)from[i] + offset)
                                       : factor * from[i] + offset;
    initial->value.numbers = to;
}

/* An item that what runs does not have leaves no number. */
static void number_items(hk_arena *arena, hk_sound_initial *initial, const hk_variable *v) {
    double *numbers = HK_NEW_ARRAY(arena, double, initial->item_count + 1);
    for (size_t i = 0; i < initial->item_count; i++) {
        const hk_enum *e = v ? v->enumeration : NULL;
        size_t k = 0;
        while (e && k < e->item_count && strcmp(e->item_names[k], initial->items[i]) != 0)
            k++;
        if (!e || k == e->item_count)
            return;
        numbers[i] = (double)e->item_values[k];
    }
    initial->value = (hk_sound_value){.numbers = numbers, .count = initial->item_count};
}

/* What a flow makes of a value: what the units at its ends ask for, if both are known. */
static void convert_flow(hk_sound_system *s, hk_sound_port *to, hk_model *model) {
    const hk_variable *a = variable_of(model, s->ports[to->source].name);
    const hk_variable *b = variable_of(model, to->name);
    double factor, offset;
    if (!a || !b || !a->uom || !b->uom ||
        !hk_uom_conversion(a->uom, b->uom, a->relative || b->relative, &factor, &offset))
        return;
    to->conversion = NULL;
    if (factor == 1 && offset == 0)
        return;
    hk_transform *t = HK_NEW(s->arena, hk_transform);
    *t = (hk_transform){.kind = HK_TRANSFORM_LINEAR, .factor = factor, .offset = offset};
    to->conversion = t;
}

bool hk_sound_needs_model(const hk_sound_system *system) {
    for (size_t i = 0; i < system->initial_count; i++)
        if (system->initials[i].unit || system->initials[i].items)
            return true;
    for (size_t p = 0; p < system->port_count; p++)
        if (system->ports[p].conversion)
            return true;
    return false;
}

void hk_sound_use_model(hk_sound_system *system, hk_model *model) {
    HK_ASSERT(system->of_file);
    hk_sound_initial *initials =
        HK_NEW_ARRAY(system->arena, hk_sound_initial, system->initial_count + 1);
    for (size_t i = 0; i < system->initial_count; i++) {
        initials[i] = system->initials[i];
        if (initials[i].unit)
            convert_initial(system->arena, &initials[i], variable_of(model, initials[i].name));
        if (initials[i].items)
            number_items(system->arena, &initials[i], variable_of(model, initials[i].name));
    }
    system->initials = initials;
    for (size_t p = 0; p < system->port_count; p++)
        if (!system->ports[p].is_output && system->ports[p].source != HK_MAP_NONE)
            convert_flow(system, &system->ports[p], model);
}
