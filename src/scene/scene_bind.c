/* SPDX-License-Identifier: MIT
 *
 * The signals of a scene, found in a record. */
#include "scene/scene_internal.h"

#include "model/uom.h"

#include <string.h>

typedef struct binding {
    hk_complaints complaints;
    hk_arena *arena;
    hk_scene *scene;
    const hk_table *record;
    const char *file; /* of the record */
    hk_map columns, told;
    const char *unitless; /* signals without a unit, for one note */
    size_t unitless_count;
} binding;

enum { SUFFIXES = 4, UNITLESS_SHOWN = 5 };

/* How the parts of vectors are called behind the name of the vector. */
typedef struct naming {
    const char *parts[4];
} naming;

static const naming place_names[] = {{{".x", ".y", ".z", NULL}},
                                     {{"[1]", "[2]", "[3]", NULL}},
                                     {{".north", ".east", ".down", NULL}},
                                     {{".east", ".north", ".up", NULL}}};
static const naming angle_names[] = {{{".roll", ".pitch", ".yaw", NULL}},
                                     {{".phi", ".theta", ".psi", NULL}},
                                     {{".x", ".y", ".z", NULL}},
                                     {{"[1]", "[2]", "[3]", NULL}}};
static const naming quaternion_names[] = {{{".w", ".x", ".y", ".z"}},
                                          {{"[1]", "[2]", "[3]", "[4]"}},
                                          {{".q0", ".q1", ".q2", ".q3"}},
                                          {{".qw", ".qx", ".qy", ".qz"}}};

static const naming *names_for(const hk_scene_thing *thing, hk_scene_word word) {
    if (word != HK_SCENE_ATTITUDE || thing->turn == HK_TURN_DIRECTION)
        return place_names;
    return thing->turn == HK_TURN_QUATERNION ? quaternion_names : angle_names;
}

/* North, east, down are the axes of one frame, east, north, up of the other. */
static bool fits_frame(const binding *b, const naming *names, size_t i) {
    return names != place_names || i < 2 || (i == 2) == (b->scene->frame == HK_SCENE_NED);
}

static uint32_t find_part(const binding *b, const hk_scene_thing *thing,
                          const hk_scene_number *number) {
    const naming *names = names_for(thing, number->word);
    for (size_t i = 0; i < SUFFIXES; i++) {
        const char *name =
            hk_arena_printf(b->arena, "%s%s", number->signal, names[i].parts[number->part]);
        uint32_t column = hk_map_get(&b->columns, name);
        if (column != HK_MAP_NONE && fits_frame(b, names, i))
            return column;
    }
    return HK_MAP_NONE;
}

static void say_missing(binding *b, const hk_scene_number *number) {
    bool part = number->part != SIZE_MAX;
    if (hk_map_get(&b->told, number->signal) != HK_MAP_NONE)
        return;
    hk_map_put(&b->told, number->signal, 0);
    const char *also = part && hk_map_get(&b->columns, number->signal) != HK_MAP_NONE
                           ? "it is one number, and several are needed here"
                           : NULL;
    hk_complain(&b->complaints, HK_E_UNKNOWN_SIGNAL,
                hk_place_where(b->scene->file, &number->from->signal.at),
                also ? also
                     : hk_complaint_suggest(&b->complaints, b->arena,
                                            part ? hk_arena_printf(b->arena, "%s.x", number->signal)
                                                 : number->signal,
                                            b->record->names, b->record->columns),
                part ? "there is no vector '%s' (.x .y .z or [1] [2] [3] ...) in %s"
                     : "there is no signal '%s' in %s",
                number->signal, b->file);
}

/* ---- units ---- */

static void mismatch(binding *b, const hk_scene_number *number, const char *hint,
                     const char *text) {
    hk_complain(&b->complaints, HK_E_UNIT_MISMATCH,
                hk_place_where(b->scene->file, &number->from->signal.at), hint, "%s", text);
}

static bool parse_unit(binding *b, const hk_scene_number *number, const char *unit,
                       hk_uom *ret_uom) {
    if (hk_uom_parse(unit, ret_uom))
        return true;
    mismatch(
        b, number, NULL,
        hk_arena_printf(b->arena, "the unit '%s' of '%s' is not known", unit, number->column_name));
    return false;
}

/* The record says one unit and the scene another. */
static bool contradicts(binding *b, const hk_scene_number *number, const char *said,
                        const char *written) {
    hk_uom one, other;
    double factor, shift;
    if (!parse_unit(b, number, said, &one) || !parse_unit(b, number, written, &other))
        return true;
    if (hk_uom_conversion(&one, &other, false, &factor, &shift) && factor == 1 && shift == 0)
        return false;
    mismatch(b, number, "leave out 'in': the record says it",
             hk_arena_printf(b->arena, "'%s' is in '%s' by the record, and in '%s' by the scene",
                             number->column_name, said, written));
    return true;
}

static void note_unitless(binding *b, const char *name, const char *unit) {
    if (hk_map_get(&b->told, name) != HK_MAP_NONE)
        return;
    hk_map_put(&b->told, name, 0);
    if (b->unitless_count++ < UNITLESS_SHOWN)
        b->unitless = hk_arena_printf(b->arena, "%s%s'%s' (%s)", b->unitless,
                                      *b->unitless ? ", " : "", name, unit);
}

/* A label shows its value as it is recorded, or in the unit that it asks for. */
static void bind_shown(binding *b, hk_scene_thing *thing, hk_scene_number *number,
                       const char *said) {
    const char *wanted = number->from->unit.text;
    hk_uom from, to;
    thing->unit = *wanted ? wanted : said ? said : "";
    if (!*wanted || !said || !parse_unit(b, number, said, &from) ||
        !parse_unit(b, number, wanted, &to))
        return;
    if (!hk_uom_conversion(&from, &to, false, &number->factor, &number->shift))
        mismatch(b, number, NULL,
                 hk_arena_printf(b->arena, "'%s' is in '%s', which cannot be shown in '%s'",
                                 number->column_name, said, wanted));
}

static void bind_unit(binding *b, hk_scene_thing *thing, hk_scene_number *number,
                      const char *said) {
    const char *written = *number->from->unit.text ? number->from->unit.text : NULL;
    const char *wanted = hk_scene_unit_of(number->word, thing->turn);
    const char *unit = said ? said : written;
    hk_uom from, to;
    if (number->word == HK_SCENE_VALUE) {
        bind_shown(b, thing, number, said);
        return;
    }
    if (said && written && contradicts(b, number, said, written))
        return;
    if (!unit) {
        if (wanted && strcmp(wanted, "1") != 0)
            note_unitless(b, number->column_name, wanted);
        return;
    }
    if (!parse_unit(b, number, unit, &from))
        return;
    if (!wanted) {
        number->factor = from.factor;
        return;
    }
    HK_ASSERT(hk_uom_parse(wanted, &to));
    if (!hk_uom_conversion(&from, &to, false, &number->factor, &number->shift))
        mismatch(b, number, NULL,
                 hk_arena_printf(b->arena, "'%s' is in '%s', and '%s' is in %s",
                                 number->column_name, unit, hk_scene_property_words[number->word],
                                 strcmp(wanted, "1") == 0 ? "plain numbers" : wanted));
}

static void bind_number(binding *b, hk_scene_thing *thing, hk_scene_number *number) {
    uint32_t column = number->part == SIZE_MAX ? hk_map_get(&b->columns, number->signal)
                                               : find_part(b, thing, number);
    if (column == HK_MAP_NONE) {
        say_missing(b, number);
        return;
    }
    number->column = b->record->values[column];
    number->column_name = b->record->names[column];
    number->factor = 1;
    number->shift = 0;
    const char *said = b->record->about ? b->record->about[column].unit : NULL;
    bind_unit(b, thing, number, said && *said ? said : NULL);
}

hk_status hk_scene_bind(hk_ctx *ctx, hk_arena *arena, hk_scene *scene, const hk_table *record,
                        const char *file) {
    binding b = {.complaints = {.ctx = ctx},
                 .arena = arena,
                 .scene = scene,
                 .record = record,
                 .file = file,
                 .unitless = ""};
    HK_ASSERT(scene && record);
    for (size_t i = 0; i < record->columns; i++)
        hk_map_put(&b.columns, record->names[i], (uint32_t)i);
    for (size_t i = 0; i < scene->count; i++)
        for (size_t k = 0; k < HK_SCENE_NUMBERS; k++)
            if (scene->things[i].numbers[k].signal)
                bind_number(&b, &scene->things[i], &scene->things[i].numbers[k]);
    if (b.unitless_count)
        hk_note(ctx, (hk_where){.file = file}, "no unit is written beside the record: %s%s",
                b.unitless,
                b.unitless_count > UNITLESS_SHOWN
                    ? hk_arena_printf(arena, " and %zu more", b.unitless_count - UNITLESS_SHOWN)
                    : "");
    hk_map_finish(&b.columns);
    hk_map_finish(&b.told);
    scene->record = record;
    scene->record_file = file;
    if (b.complaints.first == HK_OK && !record->rows)
        return hk_error(ctx, HK_E_CSV, (hk_where){.file = file}, NULL,
                        "there are no rows in this record");
    return b.complaints.first;
}
