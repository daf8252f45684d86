/* SPDX-License-Identifier: MIT
 *
 * From a scene file to things: what each may have and must have, and who is meant by a name. */
#include "scene/scene_internal.h"

#include "base/number.h"

#include <string.h>

enum { THINGS_MAX = 10000 };
#define SCENE_BYTES_MAX ((size_t)64 << 20)

const char *const hk_scene_frame_words[3] = {"local", "enu", "ned"};
const char *const hk_scene_view_words[HK_VIEWS] = {"perspective", "top", "side", "front"};

hk_status hk_scene_complain(hk_scene_reading *r, const hk_place *at, const char *hint,
                            const char *format, ...) {
    va_list args;
    va_start(args, format);
    hk_status status = hk_complain_args(&r->complaints, HK_E_SCENE, hk_place_where(r->file, at),
                                        hint, format, args);
    va_end(args);
    return status;
}

/* ---- what a thing may have ---- */

#define BIT(word) ((uint32_t)1 << (word))
#define PLACED    (BIT(HK_SCENE_AT) | BIT(HK_SCENE_ATTITUDE) | BIT(HK_SCENE_SCALE))
#define COLOURED  (BIT(HK_SCENE_COLOUR) | BIT(HK_SCENE_OPACITY))

static const struct rule {
    uint32_t may, must; /* beside those that it must */
    uint32_t one_of;    /* one of them at least; 0: nothing */
} rules[HK_SCENE_KINDS] = {
    [HK_SCENE_GROUP] = {PLACED, 0, 0},
    [HK_SCENE_BOX] = {PLACED | COLOURED, BIT(HK_SCENE_SIZE), 0},
    [HK_SCENE_SPHERE] = {PLACED | COLOURED, BIT(HK_SCENE_RADIUS), 0},
    [HK_SCENE_CYLINDER] = {PLACED | COLOURED | BIT(HK_SCENE_TOP) | BIT(HK_SCENE_ALONG),
                           BIT(HK_SCENE_RADIUS) | BIT(HK_SCENE_LENGTH), 0},
    [HK_SCENE_PLANE] = {PLACED | COLOURED, BIT(HK_SCENE_SIZE), 0},
    [HK_SCENE_MESH] = {PLACED | COLOURED | BIT(HK_SCENE_AXES), BIT(HK_SCENE_FILE), 0},
    [HK_SCENE_HEIGHTS] = {PLACED | COLOURED, BIT(HK_SCENE_FILE), 0},
    [HK_SCENE_WATER] = {PLACED | COLOURED, BIT(HK_SCENE_SIZE), 0},
    [HK_SCENE_OUTLINE] = {PLACED | COLOURED | BIT(HK_SCENE_HEIGHT), BIT(HK_SCENE_FILE), 0},
    [HK_SCENE_TRAIL] = {BIT(HK_SCENE_COLOUR) | BIT(HK_SCENE_LAST), BIT(HK_SCENE_OF), 0},
    [HK_SCENE_LABEL] = {BIT(HK_SCENE_AT) | BIT(HK_SCENE_OF) | BIT(HK_SCENE_COLOUR), 0,
                        BIT(HK_SCENE_TEXT) | BIT(HK_SCENE_VALUE)},
    [HK_SCENE_ARROW] = {PLACED | BIT(HK_SCENE_OF) | BIT(HK_SCENE_COLOUR), BIT(HK_SCENE_VECTOR), 0},
    [HK_SCENE_CAMERA] = {BIT(HK_SCENE_AT) | BIT(HK_SCENE_LOOK) | BIT(HK_SCENE_FOLLOW) |
                             BIT(HK_SCENE_ANGLE) | BIT(HK_SCENE_WIDTH),
                         BIT(HK_SCENE_VIEW), 0},
};

/* "'at', 'size'" */
static const char *list_words(hk_arena *arena, uint32_t words, const char *between) {
    const char *list = "";
    for (int i = 0; i < HK_SCENE_WORDS; i++)
        if (words & BIT(i))
            list = hk_arena_printf(arena, "%s%s'%s'", list, *list ? between : "",
                                   hk_scene_property_words[i]);
    return list;
}

static bool may_have(hk_scene_reading *r, const hk_scene_thing *thing,
                     const hk_scene_property *property) {
    const struct rule *rule = &rules[thing->kind];
    uint32_t all = rule->may | rule->must | rule->one_of;
    const char *word = hk_scene_property_words[property->word];
    if (!(all & BIT(property->word))) {
        hk_scene_complain(
            r, &property->at,
            hk_arena_printf(r->arena, "it may have %s", list_words(r->arena, all, ", ")),
            "a %s has no '%s'", hk_scene_kind_words[thing->kind], word);
        return false;
    }
    if (thing->has[property->word]) {
        hk_scene_complain(r, &property->at, NULL, "'%s' is given twice", word);
        return false;
    }
    return true;
}

static void check_missing(hk_scene_reading *r, const hk_scene_thing *thing) {
    const struct rule *rule = &rules[thing->kind];
    uint32_t missing = rule->must, chosen = rule->one_of;
    for (int i = 0; i < HK_SCENE_WORDS; i++)
        if (thing->has[i]) {
            missing &= ~BIT(i);
            chosen = chosen & BIT(i) ? 0 : chosen;
        }
    if (missing)
        hk_scene_complain(r, &thing->at, NULL, "the %s '%s' needs %s",
                          hk_scene_kind_words[thing->kind], thing->name,
                          list_words(r->arena, missing, " and "));
    if (chosen)
        hk_scene_complain(r, &thing->at, NULL, "the %s '%s' needs %s",
                          hk_scene_kind_words[thing->kind], thing->name,
                          list_words(r->arena, chosen, " or "));
}

/* ---- colours ---- */

static const struct {
    const char *word;
    uint32_t colour;
} colours[] = {{"blue", 0x0072b2},   {"vermilion", 0xd55e00}, {"green", 0x009e73},
               {"pink", 0xcc79a7},   {"orange", 0xe69f00},    {"sky", 0x56b4e9},
               {"violet", 0x4b3ca8}, {"grey", 0x8c959f},      {"black", 0x24292f},
               {"white", 0xf6f8fa},  {"red", 0xc62828},       {"yellow", 0xf2d13d},
               {"brown", 0x8d6e4f},  {"sand", 0xd9c79b},      {"sea", 0x2f7fae}};
enum { COLOURS = sizeof colours / sizeof *colours };

const char *const *hk_scene_colour_words(size_t *ret_count) {
    HK_ASSERT(ret_count);
    static const char *words[COLOURS];
    for (size_t i = 0; i < COLOURS; i++)
        words[i] = colours[i].word;
    *ret_count = COLOURS;
    return words;
}

bool hk_scene_colour(const char *text, uint32_t *ret_colour) {
    HK_ASSERT(text && ret_colour);
    uint32_t value = 0;
    for (size_t i = 0; i < COLOURS; i++)
        if (strcmp(colours[i].word, text) == 0) {
            *ret_colour = colours[i].colour;
            return true;
        }
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (size_t i = 1; i < 7; i++) {
        int digit = hk_read_hex_digit(text[i]);
        if (digit < 0)
            return false;
        value = value << 4 | (uint32_t)digit;
    }
    *ret_colour = value;
    return true;
}

static uint32_t default_colour(hk_scene_kind kind) {
    static const uint32_t own[HK_SCENE_KINDS] = {
        [HK_SCENE_WATER] = 0x2f7fae, [HK_SCENE_HEIGHTS] = 0xd9c79b, [HK_SCENE_OUTLINE] = 0x8c959f,
        [HK_SCENE_LABEL] = 0x24292f, [HK_SCENE_ARROW] = 0xc62828,   [HK_SCENE_TRAIL] = 0x0072b2,
        [HK_SCENE_PLANE] = 0xe9ecef};
    return own[kind] ? own[kind] : 0xe69f00;
}

static void read_colour(hk_scene_reading *r, hk_scene_thing *thing, const hk_name *name) {
    size_t count;
    const char *const *words = hk_scene_colour_words(&count);
    if (!hk_scene_colour(name->text, &thing->colour))
        hk_scene_complain(r, &name->at,
                          hk_hint_closest(r->arena, name->text, words, count,
                                          "a word as red or blue, or \"#d55e00\""),
                          "'%s' is not a colour", name->text);
}

/* ---- things ---- */

static int word_index(const char *text, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return 0;
}

static void read_property(hk_scene_reading *r, size_t index, const hk_scene_property *property) {
    static const char *const alongs[] = {"x", "y", "z"}, *const axes[] = {"flu", "frd", "gltf"};
    hk_scene_thing *thing = &r->scene->things[index];
    const char *text = property->name.text;
    if (!may_have(r, thing, property))
        return;
    thing->has[property->word] = true;
    switch (property->word) {
    case HK_SCENE_OF:
    case HK_SCENE_FOLLOW:
        r->links[index] = property;
        thing->follows = property->word == HK_SCENE_FOLLOW;
        break;
    case HK_SCENE_COLOUR:
        read_colour(r, thing, &property->name);
        break;
    case HK_SCENE_TEXT:
        thing->text = text;
        break;
    case HK_SCENE_FILE:
        thing->file = text;
        break;
    case HK_SCENE_ALONG:
        thing->along = word_index(text, alongs, 3);
        break;
    case HK_SCENE_AXES:
        thing->axes = (hk_scene_axes)word_index(text, axes, 3);
        break;
    case HK_SCENE_VIEW:
        thing->view = (hk_scene_view)word_index(text, hk_scene_view_words, HK_VIEWS);
        break;
    default:
        if (property->word == HK_SCENE_LOOK && *text)
            r->links[index] = property;
        else
            hk_scene_read_numbers(r, thing, property);
    }
}

static void add_thing(hk_scene_reading *r, const hk_scene_node *node, size_t parent);

/* Files come last: which axes a mesh has is said beside it. */
static void read_items(hk_scene_reading *r, const hk_scene_node *node, size_t index) {
    const hk_scene_property *file = NULL;
    for (size_t i = 0; i < node->item_count; i++) {
        const hk_scene_property *property = node->items[i].property;
        if (property)
            read_property(r, index, property);
        if (property && property->word == HK_SCENE_FILE && r->scene->things[index].file)
            file = property;
    }
    check_missing(r, &r->scene->things[index]);
    hk_status status = file ? hk_scene_read_file(r, &r->scene->things[index], file) : HK_OK;
    if (status != HK_OK)
        hk_complaint_heard(&r->complaints, status);
    for (size_t i = 0; i < node->item_count; i++) {
        const hk_scene_node *inner = node->items[i].node;
        if (!inner)
            continue;
        if (node->kind == HK_SCENE_GROUP)
            add_thing(r, inner, index);
        else
            hk_scene_complain(r, &inner->at, "put both into a group",
                              "a %s has no things in it, and '%s' is one",
                              hk_scene_kind_words[node->kind], inner->name.text);
    }
}

static void add_thing(hk_scene_reading *r, const hk_scene_node *node, size_t parent) {
    hk_scene *scene = r->scene;
    size_t index = scene->count;
    if (index == THINGS_MAX) {
        if (!r->names.count || hk_map_get(&r->names, "") == HK_MAP_NONE) {
            hk_scene_complain(r, &node->at, NULL, "a scene has %d things at most", THINGS_MAX);
            hk_map_put(&r->names, "", 0);
        }
        return;
    }
    hk_scene_thing thing = {.kind = node->kind,
                            .name = node->name.text,
                            .parent = parent,
                            .colour = default_colour(node->kind),
                            .of = HK_SCENE_NOBODY,
                            .along = 2,
                            .at = node->at};
    hk_scene_default_numbers(&thing);
    if (hk_map_put(&r->names, thing.name, (uint32_t)index) != index)
        hk_complain(&r->complaints, HK_E_DUPLICATE, hk_place_where(r->file, &node->name.at), NULL,
                    "two things are called '%s'; the other one is in line %d", thing.name,
                    scene->things[hk_map_get(&r->names, thing.name)].at.line);
    bool camera_inside = node->kind == HK_SCENE_CAMERA && parent != HK_SCENE_NOBODY;
    if (camera_inside)
        hk_scene_complain(r, &node->at, "put it outside, and let it follow a thing",
                          "a camera is not in a group");
    const hk_scene_property *none = NULL;
    size_t links = index;
    HK_PUSH(scene->things, scene->count, r->cap, thing);
    HK_PUSH(r->links, links, r->link_cap, none);
    read_items(r, node, index);
}

/* ---- names ---- */

static void link_thing(hk_scene_reading *r, size_t index) {
    hk_scene_thing *thing = &r->scene->things[index];
    const hk_scene_property *property = r->links[index];
    if (!property)
        return;
    uint32_t of = hk_map_get(&r->names, property->name.text);
    if (of == HK_MAP_NONE) {
        hk_complain(&r->complaints, HK_E_NAME, hk_place_where(r->file, &property->name.at),
                    hk_hint_name(r->arena, hk_map_closest(&r->names, property->name.text), NULL),
                    "there is no thing called '%s'", property->name.text);
        return;
    }
    hk_scene_kind kind = r->scene->things[of].kind;
    if (kind >= HK_SCENE_TRAIL) {
        hk_scene_complain(r, &property->name.at, NULL, "a %s has no place that '%s' could be of",
                          hk_scene_kind_words[kind], thing->name);
        return;
    }
    thing->of = of;
    if (thing->has[HK_SCENE_FOLLOW] && thing->has[HK_SCENE_LOOK])
        hk_scene_complain(r, &property->at, "leave out one of them",
                          "a camera that follows a thing looks at it");
}

static hk_status finish(hk_scene_reading *r) {
    hk_scene *scene = r->scene;
    hk_scene_thing *things = scene->things;
    for (size_t i = 0; i < scene->count; i++)
        link_thing(r, i);
    scene->things = HK_NEW_ARRAY(r->arena, hk_scene_thing, scene->count + 1);
    if (scene->count)
        memcpy(scene->things, things, scene->count * sizeof *things);
    hk_free(things);
    hk_free(r->links);
    hk_map_finish(&r->names);
    return r->complaints.first;
}

hk_status hk_scene_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                             const char *folder, hk_scene **ret_scene) {
    HK_ASSERT(ctx && arena && text && ret_scene);
    hk_scenefile *tree;
    HK_TRY(hk_scene_parse(ctx, arena, text->file, text->data, text->size, &tree));
    hk_scene *scene = HK_NEW(arena, hk_scene);
    *scene = (hk_scene){.file = hk_arena_strdup(arena, text->file), .name = tree->name.text};
    scene->frame = (hk_scene_frame)word_index(tree->frame.text, hk_scene_frame_words, 3);
    hk_scene_reading r = {.complaints = {.ctx = ctx},
                          .arena = arena,
                          .file = scene->file,
                          .folder = folder,
                          .scene = scene};
    for (size_t i = 0; i < tree->node_count; i++)
        add_thing(&r, tree->nodes[i], HK_SCENE_NOBODY);
    *ret_scene = scene;
    return finish(&r);
}

hk_status hk_scene_read(hk_ctx *ctx, hk_arena *arena, const char *path, hk_scene **ret_scene) {
    HK_ASSERT(ctx && arena && path && ret_scene);
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, SCENE_BYTES_MAX, &data, &size));
    const char *kept = hk_arena_strndup(arena, data, size);
    hk_free(data);
    hk_file_text text = {path, kept, size};
    return hk_scene_read_text(ctx, arena, &text, hk_path_folder(arena, path), ret_scene);
}

size_t hk_scene_find(const hk_scene *scene, const char *name) {
    HK_ASSERT(scene && name);
    for (size_t i = 0; i < scene->count; i++)
        if (strcmp(scene->things[i].name, name) == 0)
            return i;
    return HK_SCENE_NOBODY;
}
