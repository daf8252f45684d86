/* SPDX-License-Identifier: MIT
 *
 * Numbers of things: what they are measured in, and what they are bound to. */
#include "base/number.h"
#include "model/uom.h"
#include "scene/scene_internal.h"

#include <math.h>
#include <string.h>

/* Where the numbers of a property are, and how many there may be. */
typedef struct slots {
    size_t first, most;
} slots;

static slots slots_of(hk_scene_word word, const hk_scene_thing *thing) {
    bool flat = thing->kind == HK_SCENE_PLANE || thing->kind == HK_SCENE_WATER;
    switch (word) {
    case HK_SCENE_AT:
        return (slots){HK_SCENE_N_AT, 3};
    case HK_SCENE_ATTITUDE:
        return (slots){HK_SCENE_N_TURN, thing->turn == HK_TURN_QUATERNION ? 4 : 3};
    case HK_SCENE_SCALE:
        return (slots){HK_SCENE_N_SCALE, thing->kind == HK_SCENE_ARROW ? 1 : 3};
    case HK_SCENE_SIZE:
        return (slots){HK_SCENE_N_SIZE, flat ? 2 : 3};
    case HK_SCENE_VECTOR:
        return (slots){HK_SCENE_N_VECTOR, 3};
    case HK_SCENE_LOOK:
        return (slots){HK_SCENE_N_LOOK, 3};
    case HK_SCENE_RADIUS:
        return (slots){HK_SCENE_N_RADIUS, 1};
    case HK_SCENE_TOP:
        return (slots){HK_SCENE_N_TOP, 1};
    case HK_SCENE_LENGTH:
        return (slots){HK_SCENE_N_LENGTH, 1};
    case HK_SCENE_HEIGHT:
        return (slots){HK_SCENE_N_HEIGHT, 1};
    case HK_SCENE_VALUE:
        return (slots){HK_SCENE_N_VALUE, 1};
    case HK_SCENE_OPACITY:
        return (slots){HK_SCENE_N_OPACITY, 1};
    case HK_SCENE_LAST:
        return (slots){HK_SCENE_N_LAST, 1};
    case HK_SCENE_ANGLE:
        return (slots){HK_SCENE_N_ANGLE, 1};
    default:
        HK_ASSERT(word == HK_SCENE_WIDTH);
        return (slots){HK_SCENE_N_WIDTH, 1};
    }
}

const char *hk_scene_unit_of(hk_scene_word word, hk_scene_turn turn) {
    switch (word) {
    case HK_SCENE_ATTITUDE:
        return turn == HK_TURN_DIRECTION ? NULL : turn == HK_TURN_QUATERNION ? "1" : "rad";
    case HK_SCENE_ANGLE:
        return "rad";
    case HK_SCENE_LAST:
        return "s";
    case HK_SCENE_SCALE:
    case HK_SCENE_OPACITY:
        return "1";
    case HK_SCENE_VECTOR:
    case HK_SCENE_VALUE:
        return NULL;
    default:
        return "m";
    }
}

/* "1.5", "1/3" */
static bool read_digits(const char *text, double *ret_value) {
    const char *slash = strchr(text, '/');
    double above, below;
    if (!slash)
        return hk_read_f64(text, strlen(text), ret_value);
    if (!hk_read_f64(text, (size_t)(slash - text), &above) ||
        !hk_read_f64(slash + 1, strlen(slash + 1), &below))
        return false;
    *ret_value = above / below;
    return true;
}

/* A number as it is written, in UNIT (NULL: anything, in base units). */
static double read_literal(hk_scene_reading *r, const hk_literal *literal, const char *unit) {
    double value = 0, factor = 1, offset = 0;
    hk_uom from, to;
    if (!read_digits(literal->text, &value) || !isfinite(value)) {
        hk_scene_complain(r, &literal->at, NULL, "'%s' is not a number that can be used",
                          literal->text);
        return 0;
    }
    if (!literal->unit) {
        if (unit && strcmp(unit, "rad") == 0 && value != 0)
            hk_scene_complain(r, &literal->at, "write 90deg or 1.57rad",
                              "the angle '%s' has no unit", literal->text);
        return value;
    }
    if (!hk_uom_parse(literal->unit, &from))
        hk_scene_complain(r, &literal->at, NULL, "'%s' is not a unit", literal->unit);
    else if (!unit)
        factor = from.factor;
    else if (!hk_uom_parse(unit, &to) || !hk_uom_conversion(&from, &to, false, &factor, &offset))
        hk_scene_complain(r, &literal->at, NULL, "'%s%s' is not in %s", literal->text,
                          literal->unit, strcmp(unit, "1") == 0 ? "plain numbers" : unit);
    return factor * value + offset;
}

static void read_number(hk_scene_reading *r, const hk_scene_value *value, const char *unit,
                        hk_scene_number *number) {
    *number = (hk_scene_number){
        .part = SIZE_MAX, .scale = 1, .from = value, .word = number->word, .factor = 1};
    if (!value->signal.text[0]) {
        number->offset = read_literal(r, &value->number, unit);
        return;
    }
    number->signal = value->signal.text;
    if (value->scale.kind != HK_LITERAL_NONE)
        number->scale = read_literal(r, &value->scale, "1");
    if (value->offset.kind != HK_LITERAL_NONE)
        number->offset = read_literal(r, &value->offset, unit);
    r->scene->signal_count++;
}

static void read_angles(hk_scene_reading *r, hk_scene_thing *thing,
                        const hk_scene_property *property) {
    for (size_t i = 0; i < property->value_count; i++) {
        const hk_scene_value *value = &property->values[i];
        size_t slot = strcmp(value->word.text, "roll") == 0    ? 0
                      : strcmp(value->word.text, "pitch") == 0 ? 1
                                                               : 2;
        read_number(r, value, "rad", &thing->numbers[HK_SCENE_N_TURN + slot]);
    }
}

/* One signal for all, or so many values. */
static void spread(hk_scene_reading *r, hk_scene_thing *thing, const hk_scene_property *property,
                   slots s) {
    const char *unit = hk_scene_unit_of(property->word, thing->turn);
    bool alone = !property->bracketed && s.most > 1;
    bool even = alone && property->word == HK_SCENE_SCALE; /* one number is that of all axes */
    if (alone && !even && !property->values[0].signal.text[0]) {
        hk_scene_complain(r, &property->at, "write (1, 2, 3)", "'%s' has %zu numbers, in brackets",
                          hk_scene_property_words[property->word], s.most);
        return;
    }
    if (!alone && property->value_count != s.most) {
        hk_scene_complain(r, &property->at, NULL, "'%s' has %zu number%s here, and not %zu",
                          hk_scene_property_words[property->word], s.most, hk_plural(s.most),
                          property->value_count);
        return;
    }
    for (size_t i = 0; i < s.most; i++) {
        hk_scene_number *number = &thing->numbers[s.first + i];
        const hk_scene_value *value = &property->values[alone ? 0 : i];
        if (alone && i)
            *number = thing->numbers[s.first];
        else
            read_number(r, value, unit, number);
        if (alone && !even)
            number->part = i;
    }
}

void hk_scene_read_numbers(hk_scene_reading *r, hk_scene_thing *thing,
                           const hk_scene_property *property) {
    if (property->word == HK_SCENE_ATTITUDE)
        thing->turn = strcmp(property->name.text, "quaternion") == 0  ? HK_TURN_QUATERNION
                      : strcmp(property->name.text, "direction") == 0 ? HK_TURN_DIRECTION
                                                                      : HK_TURN_ANGLES;
    slots s = slots_of(property->word, thing);
    for (size_t i = 0; i < s.most; i++)
        thing->numbers[s.first + i].word = property->word;
    if (property->value_count && property->values[0].word.text[0])
        read_angles(r, thing, property);
    else
        spread(r, thing, property, s);
}

void hk_scene_default_numbers(hk_scene_thing *thing) {
    for (size_t i = 0; i < HK_SCENE_NUMBERS; i++)
        thing->numbers[i] = (hk_scene_number){.part = SIZE_MAX, .scale = 1, .factor = 1};
    for (size_t i = 0; i < 3; i++)
        thing->numbers[HK_SCENE_N_SCALE + i].offset = 1;
    thing->numbers[HK_SCENE_N_OPACITY].offset = thing->kind == HK_SCENE_WATER ? 0.35 : 1;
    thing->numbers[HK_SCENE_N_ANGLE].offset = hk_geo_radians(40);
}
