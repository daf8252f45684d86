/* SPDX-License-Identifier: MIT
 *
 * What the blocks of an architecture say: stereotype and name, what an EComponent is, variables,
 * ports. */
#include "draw/architecture.h"

#include <math.h>
#include <string.h>

enum { LINES_MAX = 16 /* of a compartment; what is more is counted */, WORDS_MAX = 250 };

static const char *const components[] = {"", "subsystem", "cyber", "physical"};
static const char *const times[] = {"", "discrete", "continuous"};

/* ---- looks ---- */

enum { CYBER, PHYSICAL, SUBSYSTEM, LOGICAL, OTHER, LOOKS };
static const int colours[LOOKS] = {0, 2, 4, 7, 6};
static const char *const meanings[LOOKS] = {"cyber", "physical", "subsystem",
                                            "logical: groups others", "part of a model"};

static size_t look_of(const hk_profile_block *b) {
    if (b->kind != HK_PROFILE_ECOMPONENT)
        return b->kind == HK_PROFILE_POCOMPONENT ? OTHER : LOGICAL;
    return b->component == HK_PROFILE_CYBER       ? CYBER
           : b->component == HK_PROFILE_SUBSYSTEM ? SUBSYSTEM
                                                  : PHYSICAL;
}

const char *hk_profile_look(hk_arena *arena, const hk_profile_block *block) {
    int colour = colours[look_of(block)];
    return hk_arena_printf(arena, "b c%d f%d", colour, colour);
}

const char *hk_profile_stereotype(hk_arena *arena, const hk_profile_block *block) {
    return block->kind == HK_PROFILE_PLAIN
               ? "part"
               : hk_arena_printf(arena, "\u00ab%s\u00bb", hk_profile_kind_words[block->kind]);
}

double hk_profile_draw_legend(hk_canvas *canvas, const hk_multimodel *profile, double y) {
    bool seen[LOOKS] = {0};
    double x = HK_ARCHITECTURE_MARGIN;
    for (size_t i = 0; i < profile->block_count; i++)
        seen[look_of(&profile->blocks[i])] = true;
    for (size_t i = 0; i < LOOKS; i++) {
        if (!seen[i])
            continue;
        hk_canvas_rect(canvas, (hk_box){x, y, 12, 12}, 2,
                       hk_canvas_print(canvas, "b c%d f%d", colours[i], colours[i]), NULL);
        hk_canvas_text(canvas, &(hk_label){.x = x + 18,
                                           .y = y + 10,
                                           .lettering = HK_LETTERS_SMALL,
                                           .words = meanings[i]});
        x += 36 + hk_lettering_pixels(HK_LETTERS_SMALL, meanings[i]);
    }
    return y + 22;
}

/* ---- words ---- */

static const char *literal_words(hk_arena *arena, const hk_literal *l) {
    if (l->kind == HK_LITERAL_TEXT)
        return hk_arena_printf(arena, "\"%s\"", l->text);
    if (l->kind != HK_LITERAL_LIST)
        return l->text;
    const char *list = "(";
    for (size_t i = 0; i < l->item_count; i++)
        list = hk_arena_printf(arena, "%s%s%s", list, i ? ", " : "",
                               literal_words(arena, &l->items[i]));
    return hk_arena_printf(arena, "%s)", list);
}

/* "ls : Real[2] = (0.0, 0.0) [m]" */
static const char *declaration(hk_arena *arena, const char *name, const hk_profile_shape *s,
                               const hk_profile_value *value) {
    const char *words = name;
    if (s->type_name)
        words = hk_arena_printf(arena, "%s : %s", words, s->type_name);
    for (size_t i = 0; i < s->size_count; i++)
        words = hk_arena_printf(arena, "%s[%u]", words, s->sizes[i]);
    if (value && value->literal.kind != HK_LITERAL_NONE)
        words = hk_arena_printf(arena, "%s = %s", words, literal_words(arena, &value->literal));
    return s->unit ? hk_arena_printf(arena, "%s [%s]", words, s->unit) : words;
}

static void add(hk_architecture_box *b, hk_architecture_line line) {
    HK_PUSH(b->lines, b->line_count, b->line_cap, line);
}

static void add_small(hk_architecture_box *b, const char *words, bool ruled) {
    add(b, (hk_architecture_line){.words = words, .lettering = HK_LETTERS_TINY, .ruled = ruled});
}

/* Adds a line of a compartment, the INDEX-th of COUNT; true: no more fit. */
static bool add_listed(hk_architecture *a, hk_architecture_box *b, const char *words, size_t index,
                       size_t count) {
    bool last = index + 1 == LINES_MAX && count > LINES_MAX;
    add_small(b, last ? hk_canvas_print(a->canvas, "\u2026 and %zu more", count - index) : words,
              index == 0);
    return last;
}

static void add_component(hk_architecture *a, hk_architecture_box *box, const hk_profile_block *b) {
    bool ruled = true;
    const char *tags[] = {
        b->component ? hk_canvas_print(a->canvas, "kind = %s", components[b->component]) : NULL,
        b->platform ? hk_canvas_print(a->canvas, "platform = %s", b->platform) : NULL,
        b->time ? hk_canvas_print(a->canvas, "modelType = %s", times[b->time]) : NULL,
        b->cycle ? hk_canvas_print(a->canvas, "cycle = %s s", b->cycle) : NULL};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i]) {
            add_small(box, tags[i], ruled);
            ruled = false;
        }
}

static void add_members(hk_architecture *a, hk_architecture_box *box, const hk_profile_block *b) {
    static const char *const kinds[] = {"parameter", "varInit", "variable"};
    for (size_t i = 0; i < b->variable_count; i++) {
        const hk_profile_variable *v = &b->variables[i];
        const char *words =
            hk_canvas_print(a->canvas, "%s %s", kinds[v->kind],
                            declaration(hk_canvas_arena(a->canvas), v->name, &v->shape, &v->init));
        if (add_listed(a, box, words, i, b->variable_count))
            break;
    }
    for (size_t i = 0; i < b->port_count; i++) {
        const hk_profile_port *p = &b->ports[i];
        const char *words = hk_canvas_print(a->canvas, "%s %s",
                                            p->inout    ? "inout"
                                            : p->output ? "out"
                                                        : "in",
                                            declaration(hk_canvas_arena(a->canvas), p->name,
                                                        &p->shape, p->output ? NULL : &p->init));
        if (add_listed(a, box, words, i, b->port_count))
            break;
    }
}

/* Where the lines are, and how large the box is. */
static void measure(hk_architecture_box *b) {
    static const double above = 6, between = 5, strong = 17, small = 13;
    double y = above, w = 90;
    for (size_t i = 0; i < b->line_count; i++) {
        hk_architecture_line *l = &b->lines[i];
        y += (l->ruled ? between : 0) + (l->lettering == HK_LETTERS_STRONG ? strong : small);
        l->y = y;
        y += l->ruled ? 1 : 0;
        w = fmax(w, fmin(hk_lettering_pixels(l->lettering, l->words), WORDS_MAX));
    }
    b->box.w = ceil(w) + 2 * HK_ARCHITECTURE_PAD;
    b->box.h = ceil(y) + above;
}

static void say(hk_architecture *a, hk_architecture_box *box) {
    const hk_profile_block *b = &a->profile->blocks[box->block];
    add(box, (hk_architecture_line){.words = hk_profile_stereotype(hk_canvas_arena(a->canvas), b),
                                    .lettering = HK_LETTERS_SMALL,
                                    .centred = true});
    add(box,
        (hk_architecture_line){.words = b->name, .lettering = HK_LETTERS_STRONG, .centred = true});
    if (!box->again) {
        add_component(a, box, b);
        add_members(a, box, b);
    }
    measure(box);
}

double hk_architecture_role_width(const hk_architecture_box *box) {
    enum { ROLE_MAX = 150 };
    return fmin(hk_lettering_pixels(HK_LETTERS_TINY, box->role), ROLE_MAX);
}

/* ---- the tree ---- */

static const char *part_words(hk_arena *arena, const hk_profile_part *p) {
    if (p->least == 1 && p->most == 1)
        return p->name;
    if (p->least == p->most)
        return hk_arena_printf(arena, "%s [%u]", p->name, p->least);
    return p->most ? hk_arena_printf(arena, "%s [%u..%u]", p->name, p->least, p->most)
                   : hk_arena_printf(arena, "%s [%u..*]", p->name, p->least);
}

static size_t add_box(hk_architecture *a, uint32_t block, size_t parent, bool *shown) {
    hk_architecture_box b = {.block = block,
                             .again = shown[block],
                             .parent = parent,
                             .first = SIZE_MAX,
                             .next = SIZE_MAX};
    say(a, &b);
    shown[block] = true;
    HK_PUSH(a->boxes, a->box_count, a->box_cap, b);
    return a->box_count - 1;
}

/* Parts of one block are one box, with all their names. */
static size_t box_below(const hk_architecture *a, size_t parent, uint32_t block) {
    size_t i = a->boxes[parent].first;
    while (i != SIZE_MAX && a->boxes[i].block != block)
        i = a->boxes[i].next;
    return i;
}

/* The boxes below those that are there: level by level, so that nothing calls itself. */
static void add_parts(hk_architecture *a, size_t parent, bool *shown) {
    size_t last = SIZE_MAX;
    const hk_profile_block *b = &a->profile->blocks[a->boxes[parent].block];
    for (size_t i = 0; i < b->part_count && !a->boxes[parent].again; i++) {
        const hk_profile_part *p = &b->parts[i];
        if (p->block == HK_PROFILE_NONE)
            continue;
        size_t box = box_below(a, parent, p->block);
        const char *words = part_words(hk_canvas_arena(a->canvas), p);
        if (box != SIZE_MAX) {
            a->boxes[box].role = hk_canvas_print(a->canvas, "%s, %s", a->boxes[box].role, words);
            continue;
        }
        box = add_box(a, p->block, parent, shown);
        a->boxes[box].role = words;
        *(last == SIZE_MAX ? &a->boxes[parent].first : &a->boxes[last].next) = box;
        last = box;
    }
}

void hk_architecture_collect(hk_architecture *a) {
    const hk_multimodel *p = a->profile;
    bool *shown = HK_NEW_ARRAY(hk_canvas_arena(a->canvas), bool, p->block_count + 1);
    bool *part = HK_NEW_ARRAY(hk_canvas_arena(a->canvas), bool, p->block_count + 1);
    size_t done = 0;
    for (size_t i = 0; i < p->block_count; i++)
        for (size_t k = 0; k < p->blocks[i].part_count; k++)
            if (p->blocks[i].parts[k].block != HK_PROFILE_NONE && p->blocks[i].parts[k].block != i)
                part[p->blocks[i].parts[k].block] = true;
    /* The system first, then what is part of nothing; a ring of parts is left for the end. */
    for (int round = 0; round < 3; round++)
        for (uint32_t i = 0; i < p->block_count; i++) {
            bool root = round == 0 ? i == p->system : round == 1 ? !part[i] : true;
            if (!root || shown[i])
                continue;
            (void)add_box(a, i, SIZE_MAX, shown);
            for (; done < a->box_count; done++)
                add_parts(a, done, shown);
        }
}
