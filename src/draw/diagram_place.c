/* SPDX-License-Identifier: MIT
 *
 * Where shapes go, from the inside out. Each is laid out in several ways until one has no fault and
 * fits a page. */
#include "draw/diagram.h"

#include <math.h>
#include <string.h>

enum {
    CIRCLE = 16,
    WIDTH_MIN = 56,
    BESIDE = 14, /* between a name and a count */
    LABEL_WIDER = 8,
    LABEL_HIGHER = 4
};

static bool is_circle(const hk_diagram_shape *s) {
    return s->kind >= HK_DIAGRAM_INITIAL;
}

double hk_diagram_head(const hk_diagram_shape *s) {
    return s->words.count ? HK_DIAGRAM_PAD + s->words.h + HK_DIAGRAM_PAD / 2.0 : 0;
}

/* What its words need, or the circle. */
static void size_of(hk_diagram_shape *s) {
    double name =
        s->words.count ? hk_lettering_pixels(HK_LETTERS_STRONG, s->words.all[0].words) : 0;
    if (s->count)
        name += BESIDE + hk_lettering_pixels(HK_LETTERS_STRONG, s->count);
    s->box.w =
        is_circle(s) ? CIRCLE : ceil(fmax(fmax(name, s->words.w) + 2 * HK_DIAGRAM_PAD, WIDTH_MIN));
    s->box.h = is_circle(s) ? CIRCLE : s->words.h + 2 * HK_DIAGRAM_PAD;
}

/* What is in one shape, as a graph. */
typedef struct inside {
    hk_layout layout;
    size_t *shapes, *arrows; /* which its nodes and edges are */
} inside;

/* The loops at one shape are one for the layout, the first, with a label as large as all theirs:
 * several of them would pass through the labels of each other. */
static bool is_laid_out(const hk_diagram *d, size_t arrow) {
    const hk_diagram_arrow *a = &d->arrows[arrow];
    for (size_t i = 0; a->from == a->to && i < arrow; i++)
        if (d->arrows[i].from == a->from && d->arrows[i].to == a->to)
            return false;
    return true;
}

static bool is_loop_at(const hk_diagram_arrow *a, size_t shape) {
    return a->from == shape && a->to == shape;
}

static void size_label(const hk_diagram *d, size_t arrow, hk_layout_edge *edge) {
    size_t shape = d->arrows[arrow].from;
    bool loop = is_loop_at(&d->arrows[arrow], shape);
    for (size_t i = arrow; i < (loop ? d->arrow_count : arrow + 1); i++) {
        const hk_diagram_arrow *a = &d->arrows[i];
        if (!a->words.count || (loop && !is_loop_at(a, shape)))
            continue;
        edge->label_w = fmax(edge->label_w, a->words.w + LABEL_WIDER);
        edge->label_h += a->words.h + LABEL_HIGHER;
    }
}

/* What was found for an arrow, and for the loops that are one with it: their labels are below each
 * other. */
static void take_edge(hk_diagram *d, size_t arrow, const hk_layout_edge *found) {
    size_t shape = d->arrows[arrow].from;
    bool loop = is_loop_at(&d->arrows[arrow], shape);
    double x = found->label_x - found->label_w / 2, y = found->label_y - found->label_h / 2;
    for (size_t i = arrow; i < (loop ? d->arrow_count : arrow + 1); i++) {
        hk_diagram_arrow *a = &d->arrows[i];
        if (loop && !is_loop_at(a, shape))
            continue;
        hk_layout_edge *e = &a->edge;
        *e = *found;
        e->points = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), double, 2 * found->point_count);
        memcpy(e->points, found->points, 2 * found->point_count * sizeof *e->points);
        e->label_w = a->words.w + LABEL_WIDER;
        e->label_h = a->words.h + LABEL_HIGHER;
        e->label_x = x + e->label_w / 2;
        e->label_y = y + e->label_h / 2;
        y += a->words.count ? e->label_h : 0;
    }
}

static inside look_inside(const hk_diagram *d, size_t parent) {
    inside in = {.shapes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, d->shape_count + 1),
                 .arrows = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, d->arrow_count + 1)};
    size_t *nodes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), size_t, d->shape_count + 1);
    hk_layout *l = &in.layout;
    l->nodes = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_layout_node, d->shape_count + 1);
    l->edges = HK_NEW_ARRAY(hk_canvas_arena(d->canvas), hk_layout_edge, d->arrow_count + 1);
    for (size_t i = parent + 1; i < d->shape_count; i++) {
        const hk_diagram_shape *s = &d->shapes[i];
        if (s->parent != parent)
            continue;
        in.shapes[l->node_count] = i;
        nodes[i] = l->node_count;
        l->nodes[l->node_count++] = (hk_layout_node){
            .parent = SIZE_MAX, .round = is_circle(s), .w = s->box.w, .h = s->box.h};
    }
    for (size_t i = 0; i < d->arrow_count; i++) {
        const hk_diagram_arrow *a = &d->arrows[i];
        if (d->shapes[a->from].parent != parent || !is_laid_out(d, i))
            continue;
        in.arrows[l->edge_count] = i;
        l->edges[l->edge_count] = (hk_layout_edge){.from = nodes[a->from], .to = nodes[a->to]};
        size_label(d, i, &l->edges[l->edge_count++]);
    }
    return in;
}

/* How good a layout is; smaller is better. */
typedef struct mark {
    size_t wrong; /* must not be */
    size_t struck;
    double cost; /* how much it must shrink to fit a page, and what is bad to read */
} mark;

static mark mark_of(const hk_layout *l) {
    static const double page_width = 1000, page_height = 1200, struck = 0.2;
    hk_layout_faults f = hk_layout_judge(l);
    return (mark){f.crossed + f.covered, f.struck,
                  fmax(l->width / page_width, l->height / page_height) + struck * (double)f.struck};
}

static bool is_better(mark a, mark b) {
    return a.wrong != b.wrong ? a.wrong < b.wrong : a.cost < b.cost;
}

/* A layout with lists of its own. */
static hk_layout copy_of(hk_arena *arena, const hk_layout *l) {
    hk_layout copy = *l;
    copy.nodes = HK_NEW_ARRAY(arena, hk_layout_node, l->node_count + 1);
    copy.edges = HK_NEW_ARRAY(arena, hk_layout_edge, l->edge_count + 1);
    for (size_t i = 0; i < l->node_count; i++)
        copy.nodes[i] = l->nodes[i];
    for (size_t i = 0; i < l->edge_count; i++)
        copy.edges[i] = l->edges[i];
    return copy;
}

/* Down, as machines are read; to the right if that fits better; further apart if it must be. */
static hk_status find_best(hk_ctx *ctx, hk_arena *arena, hk_layout *layout, size_t *ret_wrong) {
    static const struct {
        hk_layout_way way;
        double apart;
        double weight; /* of its cost */
    } tries[] = {{HK_LAYOUT_DOWN, 26, 1}, {HK_LAYOUT_ACROSS, 26, 1.25},
                 {HK_LAYOUT_DOWN, 50, 1}, {HK_LAYOUT_ACROSS, 50, 1},
                 {HK_LAYOUT_DOWN, 90, 1}, {HK_LAYOUT_ACROSS, 90, 1}};
    static const double small = 0.5; /* of a page: nothing better is looked for */
    hk_layout best = {0};
    mark least = {SIZE_MAX, SIZE_MAX, 0};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        if (i >= 2 && least.wrong == 0 && least.struck == 0)
            break;
        hk_layout l = copy_of(arena, layout);
        l.way = tries[i].way;
        l.apart = tries[i].apart;
        HK_TRY(hk_layout_find(ctx, arena, &l));
        hk_layout_free_labels(&l);
        mark m = mark_of(&l);
        m.cost *= tries[i].weight;
        if (is_better(m, least)) {
            least = m;
            best = l;
        }
        if (least.wrong == 0 && least.cost < small)
            break;
    }
    *layout = best;
    *ret_wrong = least.wrong;
    return HK_OK;
}

static hk_status place_inside(hk_ctx *ctx, hk_diagram *d, size_t parent) {
    hk_diagram_shape *s = &d->shapes[parent];
    double pad = s->kind == HK_DIAGRAM_MODULE ? 0 : HK_DIAGRAM_PAD;
    inside in = look_inside(d, parent);
    hk_layout *l = &in.layout;
    size_t wrong;
    HK_TRY(find_best(ctx, hk_canvas_arena(d->canvas), l, &wrong));
    if (wrong)
        hk_note(
            ctx, (hk_where){.file = d->chart->file},
            "the drawing of '%s' has %zu place%s where an arrow crosses a box or a text lies on "
            "something: no layout was found without that",
            s->path, wrong, wrong == 1 ? "" : "s");
    for (size_t i = 0; i < l->node_count; i++)
        d->shapes[in.shapes[i]].box = l->nodes[i].box;
    for (size_t i = 0; i < l->edge_count; i++)
        take_edge(d, in.arrows[i], &l->edges[i]);
    s->box.w = fmax(s->box.w, ceil(l->width) + 2 * pad);
    s->box.h = hk_diagram_head(s) + ceil(l->height) + 2 * pad;
    return HK_OK;
}

/* From places in their parents to places in the picture: parents come first. */
static void move_all(hk_diagram *d) {
    for (size_t i = 1; i < d->shape_count; i++) {
        hk_diagram_shape *s = &d->shapes[i];
        const hk_diagram_shape *p = &d->shapes[s->parent];
        double pad = p->kind == HK_DIAGRAM_MODULE ? 0 : HK_DIAGRAM_PAD;
        s->box.x += p->box.x + pad;
        s->box.y += p->box.y + pad + hk_diagram_head(p);
    }
    for (size_t i = 0; i < d->arrow_count; i++) {
        hk_layout_edge *e = &d->arrows[i].edge;
        const hk_diagram_shape *p = &d->shapes[d->shapes[d->arrows[i].from].parent];
        double pad = p->kind == HK_DIAGRAM_MODULE ? 0 : HK_DIAGRAM_PAD;
        double x = p->box.x + pad, y = p->box.y + pad + hk_diagram_head(p);
        for (size_t k = 0; k < e->point_count; k++) {
            e->points[2 * k] += x;
            e->points[2 * k + 1] += y;
        }
        e->tip_x += x;
        e->tip_y += y;
        e->label_x += x;
        e->label_y += y;
    }
}

hk_status hk_diagram_place(hk_ctx *ctx, hk_diagram *d) {
    for (size_t i = d->shape_count; i-- > 0;) {
        size_of(&d->shapes[i]);
        if (d->shapes[i].children)
            HK_TRY(place_inside(ctx, d, i));
    }
    d->shapes[0].box.x = HK_DIAGRAM_MARGIN;
    d->shapes[0].box.y = HK_DIAGRAM_MARGIN + 30;
    move_all(d);
    return HK_OK;
}
