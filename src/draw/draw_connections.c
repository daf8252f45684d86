/* SPDX-License-Identifier: MIT */
#include "draw/architecture.h"
#include "draw/connections.h"
#include "draw/diagram.h"

#include <math.h>

enum { HEADING = 34, WIDTH_MIN = 480, PORT = 7 };

/* A port that nothing is joined to is empty. */
static const char STYLE[] =
    ".open{fill:#fff;fill-opacity:1;stroke-width:1}"
    ".port{stroke:none}.rule{stroke-width:1;stroke-opacity:.45;fill:none}\n";

static void move(hk_layout *l, double x, double y) {
    for (size_t i = 0; i < l->node_count + l->nest_count; i++) {
        hk_layout_node *n = i < l->node_count ? &l->nodes[i] : &l->nests[i - l->node_count];
        n->box.x += x;
        n->box.y += y;
    }
    for (size_t i = 0; i < l->edge_count; i++) {
        hk_layout_edge *e = &l->edges[i];
        for (size_t k = 0; k < e->point_count; k++) {
            e->points[2 * k] += x;
            e->points[2 * k + 1] += y;
        }
        e->tip_x += x;
        e->tip_y += y;
    }
}

/* ---- boxes ---- */

static int colour_at(const char *look) { /* "b c2 f2" */
    return look[3] - '0';
}

static void draw_port(const hk_connections *c, hk_box square, bool used, int colour,
                      const char *tip) {
    hk_canvas_rect(c->canvas, square, 0,
                   used ? hk_canvas_print(c->canvas, "port f%d", colour)
                        : hk_canvas_print(c->canvas, "open c%d", colour),
                   tip);
}

static void draw_ports(const hk_connections *c, size_t node, int colour) {
    const hk_connections_box *b = &c->boxes[node];
    const hk_layout_node *n = &c->layout.nodes[node];
    const hk_profile_block *block = &c->profile->blocks[c->profile->instances[b->instance].block];
    for (size_t i = 0; i < b->input_count + b->output_count; i++) {
        bool in = i < b->input_count;
        size_t row = in ? i : i - b->input_count;
        const hk_connections_port *p = in ? &b->inputs[row] : &b->outputs[row];
        const hk_profile_port *port = &block->ports[p->port];
        double y = n->box.y + n->head + ((double)row + 0.5) * n->row;
        double x = in ? n->box.x : n->box.x + n->box.w - PORT;
        const char *tip = hk_canvas_print(c->canvas, "%s %s%s%s", in ? "in" : "out", port->name,
                                          port->shape.type_name ? " : " : ", an event",
                                          port->shape.type_name ? port->shape.type_name : "");
        draw_port(c, (hk_box){x, y - PORT / 2.0, PORT, PORT}, p->used, colour, tip);
        hk_canvas_text_in(c->canvas,
                          (hk_label){.x = in ? x + PORT + 4 : x - 4,
                                     .y = y + 3.5,
                                     .anchor = in ? HK_ANCHOR_START : HK_ANCHOR_END,
                                     .lettering = HK_LETTERS_TINY,
                                     .words = port->name},
                          HK_CONNECTIONS_NAME);
    }
}

static void draw_box(const hk_connections *c, size_t node) {
    const hk_connections_box *b = &c->boxes[node];
    const hk_layout_node *n = &c->layout.nodes[node];
    const hk_profile_block *block = &c->profile->blocks[c->profile->instances[b->instance].block];
    const char *look = hk_profile_look(hk_canvas_arena(c->canvas), block);
    double x = n->box.x + n->box.w / 2, room = n->box.w - 10;
    hk_canvas_group(c->canvas);
    hk_canvas_rect(c->canvas, n->box, 3, look, c->profile->instances[b->instance].path);
    hk_canvas_text_in(c->canvas,
                      (hk_label){.x = x,
                                 .y = n->box.y + 16,
                                 .anchor = HK_ANCHOR_MIDDLE,
                                 .lettering = HK_LETTERS_STRONG,
                                 .words = b->first},
                      room);
    hk_canvas_text_in(c->canvas,
                      (hk_label){.x = x,
                                 .y = n->box.y + 29,
                                 .anchor = HK_ANCHOR_MIDDLE,
                                 .lettering = HK_LETTERS_TINY,
                                 .words = b->second},
                      room);
    if (n->rows)
        hk_canvas_line(c->canvas, n->box.x, n->box.y + 35, n->box.x + n->box.w, n->box.y + 35,
                       hk_canvas_print(c->canvas, "rule %s", look));
    draw_ports(c, node, colour_at(look));
    hk_canvas_group_end(c->canvas);
}

/* After the flows, so that it can be read where one crosses it. */
static void draw_title(const hk_connections *c, size_t nest) {
    hk_box box = c->layout.nests[nest].box;
    hk_canvas_text_in(c->canvas,
                      (hk_label){.x = box.x + 8,
                                 .y = box.y + 16,
                                 .lettering = HK_LETTERS_STRONG,
                                 .words = c->nests[nest],
                                 .look = "halo"},
                      box.w - 16);
}

/* ---- flows ---- */

static const char *flow_tip(const hk_connections *c, size_t flow) {
    const hk_profile_connection *own = &c->profile->connections[c->flows[flow].connection];
    return hk_canvas_print(c->canvas, "%s%s%s to %s", own->name, *own->name ? ": " : "",
                           own->from.chain, own->to.chain);
}

/* In the colour of what it comes from. */
static void draw_flow(const hk_connections *c, size_t flow) {
    const hk_layout_edge *e = &c->layout.edges[flow];
    const hk_profile_instance *from = &c->profile->instances[c->boxes[e->from].instance];
    int colour =
        colour_at(hk_profile_look(hk_canvas_arena(c->canvas), &c->profile->blocks[from->block]));
    hk_arrow_draw(c->canvas, e,
                  (hk_arrow){.line = hk_canvas_print(c->canvas, "e c%d", colour),
                             .head = hk_canvas_print(c->canvas, "f%d", colour),
                             .tip = flow_tip(c, flow)});
}

/* ---- places ---- */

/* With more room between the boxes the more flows lead back beside them. */
static hk_status find_places(hk_ctx *ctx, hk_connections *c) {
    static const double each = 6, most = 120;
    HK_TRY(hk_layout_find(ctx, hk_canvas_arena(c->canvas), &c->layout));
    size_t back = hk_connections_route(c);
    if (!back)
        return HK_OK;
    c->layout.apart += fmin(each * (double)back, most);
    HK_TRY(hk_layout_find(ctx, hk_canvas_arena(c->canvas), &c->layout));
    (void)hk_connections_route(c);
    return HK_OK;
}

static void include(hk_box *all, hk_box box) {
    double right = fmax(all->x + all->w, box.x + box.w),
           bottom = fmax(all->y + all->h, box.y + box.h);
    all->x = fmin(all->x, box.x);
    all->y = fmin(all->y, box.y);
    all->w = right - all->x;
    all->h = bottom - all->y;
}

/* What a flow and its name need. */
static void include_flow(hk_connections *c, size_t flow) {
    enum { POINTS = 60 };
    static const double pad = 10;
    const hk_layout_edge *e = &c->layout.edges[flow];
    double name = 12 + hk_connections_name_width(c, flow);
    for (int k = 0; k <= POINTS; k++) {
        double at[2];
        hk_layout_edge_point(e, (double)k / POINTS, at);
        include(&c->all, (hk_box){at[0] - pad, at[1] - pad, 2 * pad, 2 * pad});
    }
    include(&c->all, (hk_box){e->tip_x - name - pad, e->tip_y - pad, name, 2 * pad});
}

/* The frame has all boxes, flows and their names in it, and room for its own name. */
static void grow(hk_connections *c) {
    static const double pad = 12, head = 30;
    hk_layout *l = &c->layout;
    size_t frames = l->nest_count && l->nests[0].parent == SIZE_MAX;
    c->all = l->node_count ? l->nodes[0].box : (hk_box){0, 0, l->width, l->height};
    for (size_t i = 0; i < l->node_count; i++)
        include(&c->all, l->nodes[i].box);
    for (size_t i = frames; i < l->nest_count; i++)
        include(&c->all, l->nests[i].box);
    for (size_t i = 0; i < l->edge_count; i++)
        include_flow(c, i);
    c->all = (hk_box){c->all.x - pad, c->all.y - head, c->all.w + 2 * pad, c->all.h + head + pad};
    if (!frames)
        return;
    c->all.w = fmax(c->all.w, l->nests[0].w + 2 * pad);
    l->nests[0].box = c->all;
}

hk_picture hk_connections_draw(hk_ctx *ctx, hk_connections *c, const char *title) {
    double margin = HK_ARCHITECTURE_MARGIN;
    hk_connections_collect(c);
    hk_status status = find_places(ctx, c);
    if (status)
        return (hk_picture){.status = status, .canvas = c->canvas};
    grow(c);
    move(&c->layout, margin - c->all.x, margin + HEADING - c->all.y);
    double width = fmax(c->all.w + 2 * margin, WIDTH_MIN);
    hk_canvas_text_in(
        c->canvas,
        (hk_label){.x = margin, .y = margin + 14, .lettering = HK_LETTERS_HEADING, .words = title},
        width - 2 * margin);
    for (size_t i = 0; i < c->layout.nest_count; i++)
        hk_canvas_rect(c->canvas, c->layout.nests[i].box, 5, "nest", NULL);
    for (size_t i = 0; i < c->layout.node_count; i++)
        draw_box(c, i);
    for (size_t i = 0; i < c->layout.edge_count; i++)
        draw_flow(c, i);
    for (size_t i = 0; i < c->layout.nest_count; i++)
        draw_title(c, i);
    for (size_t i = 0; i < c->layout.edge_count; i++) {
        hk_label name = c->flows[i].name ? hk_connections_name(c, i) : (hk_label){0};
        if (name.words)
            hk_canvas_text(c->canvas, &name);
    }
    double y = hk_profile_draw_legend(c->canvas, c->profile, margin + HEADING + c->all.h + 14);
    return (hk_picture){
        .canvas = c->canvas, .width = width, .height = y, .title = title, .style = STYLE};
}

hk_status hk_connections_write(hk_ctx *ctx, const hk_multimodel *profile, const char *title,
                               const char *path) {
    hk_canvas *canvas = hk_canvas_create();
    hk_connections c = {.profile = profile, .canvas = canvas};
    hk_picture picture = hk_connections_draw(ctx, &c, title ? title : profile->package);
    return hk_picture_write(ctx, picture, path);
}
