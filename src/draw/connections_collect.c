/* SPDX-License-Identifier: MIT
 *
 * Instances, ports and flows of a multi-model as boxes, rows and edges. */
#include "draw/architecture.h"
#include "draw/connections.h"

#include <math.h>
#include <string.h>

enum {
    HEAD = 40,
    ROW = 17,
    FOOT = 5,
    BOX_MIN = 110,
    WORDS_MAX = 230,
    TITLE_MAX = 480,
    NAME_MAX = 70,
    BETWEEN = 40
};

static const hk_profile_block *block_of(const hk_connections *c, uint32_t instance) {
    return &c->profile->blocks[c->profile->instances[instance].block];
}

/* "controller : ChemicalDetector" */
static const char *instance_words(const hk_connections *c, uint32_t instance) {
    const hk_profile_instance *i = &c->profile->instances[instance];
    return hk_canvas_print(c->canvas, "%s : %s", instance ? i->name : c->profile->system_name,
                           block_of(c, instance)->name);
}

static const char *kind_words(const hk_connections *c, const hk_profile_block *b) {
    const char *words = hk_profile_stereotype(hk_canvas_arena(c->canvas), b);
    return b->platform ? hk_canvas_print(c->canvas, "%s %s", words, b->platform) : words;
}

/* ---- boxes ---- */

static double widest(const hk_profile_block *b, const hk_connections_port *ports, size_t count) {
    double w = 0;
    for (size_t i = 0; i < count; i++)
        w = fmax(w, hk_lettering_pixels(HK_LETTERS_TINY, b->ports[ports[i].port].name));
    return fmin(w, HK_CONNECTIONS_NAME);
}

static void add_ports(hk_connections *c, hk_connections_box *box, const hk_profile_block *b) {
    box->inputs = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_connections_port, b->port_count + 1);
    box->outputs = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_connections_port, b->port_count + 1);
    for (uint32_t i = 0; i < b->port_count; i++) {
        hk_connections_port port = {.port = i};
        if (b->ports[i].output)
            box->outputs[box->output_count++] = port;
        else
            box->inputs[box->input_count++] = port;
    }
}

static void add_box(hk_connections *c, uint32_t instance, size_t nest) {
    const hk_profile_block *b = block_of(c, instance);
    hk_connections_box *box = &c->boxes[c->layout.node_count];
    *box = (hk_connections_box){
        .instance = instance, .first = instance_words(c, instance), .second = kind_words(c, b)};
    add_ports(c, box, b);
    size_t rows = box->input_count > box->output_count ? box->input_count : box->output_count;
    double w = fmin(hk_lettering_pixels(HK_LETTERS_STRONG, box->first), WORDS_MAX);
    w = fmax(w, fmin(hk_lettering_pixels(HK_LETTERS_TINY, box->second), WORDS_MAX));
    w = fmax(w, widest(b, box->inputs, box->input_count) +
                    widest(b, box->outputs, box->output_count) + BETWEEN);
    c->layout.nodes[c->layout.node_count++] =
        (hk_layout_node){.parent = nest,
                         .w = ceil(fmax(w, BOX_MIN)) + 18,
                         .h = HEAD + (double)rows * ROW + FOOT,
                         .head = HEAD,
                         .row = ROW,
                         .rows = rows};
}

static void add_nest(hk_connections *c, uint32_t instance, size_t nest) {
    const char *words = instance_words(c, instance);
    if (instance)
        words = hk_canvas_print(
            c->canvas, "%s %s",
            hk_profile_stereotype(hk_canvas_arena(c->canvas), block_of(c, instance)), words);
    c->nests[c->layout.nest_count] = words;
    c->layout.nests[c->layout.nest_count++] = (hk_layout_node){
        .parent = nest,
        .w = ceil(fmin(hk_lettering_pixels(HK_LETTERS_STRONG, words), TITLE_MAX)) + 18,
        .h = 18};
}

/* EComponents, and what has nothing in it, are boxes; others are around theirs. What is inside of
 * an EComponent is not connected, and not drawn. */
static void collect_boxes(hk_connections *c, size_t *node_of) {
    const hk_multimodel *p = c->profile;
    size_t *nest_of = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), size_t, p->instance_count + 1);
    bool *has = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), bool, p->instance_count + 1);
    for (size_t i = 1; i < p->instance_count; i++)
        has[p->instances[i].parent] = true;
    for (uint32_t i = 0; i < p->instance_count; i++) {
        uint32_t parent = p->instances[i].parent;
        size_t nest = parent == HK_PROFILE_NONE ? SIZE_MAX : nest_of[parent];
        bool inside = parent != HK_PROFILE_NONE && node_of[parent] != SIZE_MAX;
        bool box = block_of(c, i)->kind == HK_PROFILE_ECOMPONENT || !has[i];
        nest_of[i] = nest;
        node_of[i] = SIZE_MAX;
        if (inside) {
            node_of[i] = node_of[parent];
        } else if (box) {
            node_of[i] = c->layout.node_count;
            add_box(c, i, nest);
        } else {
            nest_of[i] = c->layout.nest_count;
            add_nest(c, i, nest);
        }
    }
}

/* ---- flows ---- */

static bool find_row(hk_connections_port *ports, size_t count, uint32_t port, size_t *ret_row) {
    for (size_t i = 0; i < count; i++)
        if (ports[i].port == port) {
            ports[i].used = true;
            *ret_row = i;
            return true;
        }
    return false;
}

static void collect_flows(hk_connections *c, const size_t *node_of) {
    const hk_multimodel *p = c->profile;
    for (uint32_t i = 0; i < p->connection_count; i++) {
        const hk_profile_connection *own = &p->connections[i];
        const hk_profile_end *from = &own->from, *to = &own->to;
        if (from->instance == HK_PROFILE_NONE || to->instance == HK_PROFILE_NONE ||
            from->port == HK_PROFILE_NONE || to->port == HK_PROFILE_NONE)
            continue; /* a rule says so */
        hk_layout_edge e = {.from = node_of[from->instance], .to = node_of[to->instance]};
        if (e.from == SIZE_MAX || e.to == SIZE_MAX)
            continue;
        hk_connections_box *a = &c->boxes[e.from], *b = &c->boxes[e.to];
        if (a->instance != from->instance || b->instance != to->instance ||
            !find_row(a->outputs, a->output_count, from->port, &e.from_row) ||
            !find_row(b->inputs, b->input_count, to->port, &e.to_row))
            continue;
        c->flows[c->layout.edge_count] =
            (hk_connections_flow){.connection = i, .name = *own->name ? own->name : NULL};
        c->layout.edges[c->layout.edge_count++] = e;
    }
}

void hk_connections_collect(hk_connections *c) {
    const hk_multimodel *p = c->profile;
    hk_layout *l = &c->layout;
    size_t *node_of = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), size_t, p->instance_count + 1);
    c->boxes = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_connections_box, p->instance_count + 1);
    c->nests = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), const char *, p->instance_count + 1);
    c->flows =
        HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_connections_flow, p->connection_count + 1);
    l->nodes = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_layout_node, p->instance_count + 1);
    l->nests = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_layout_node, p->instance_count + 1);
    l->edges = HK_NEW_ARRAY(hk_canvas_arena(c->canvas), hk_layout_edge, p->connection_count + 1);
    l->way = HK_LAYOUT_ACROSS;
    l->apart = 56;
    if (p->instance_count)
        collect_boxes(c, node_of);
    collect_flows(c, node_of);
    for (size_t i = 0; i < l->edge_count; i++)
        l->apart = fmax(l->apart, hk_connections_name_width(c, i) + 44);
}

double hk_connections_name_width(const hk_connections *c, size_t flow) {
    const char *name = c->flows[flow].name;
    return name ? fmin(hk_lettering_pixels(HK_LETTERS_TINY, name), NAME_MAX) : 0;
}

hk_label hk_connections_name(const hk_connections *c, size_t flow) {
    const hk_layout_edge *e = &c->layout.edges[flow];
    return (hk_label){.x = e->tip_x - 12,
                      .y = e->tip_y - 3,
                      .anchor = HK_ANCHOR_END,
                      .lettering = HK_LETTERS_TINY,
                      .words = hk_text_shorten(hk_canvas_arena(c->canvas),
                                               hk_lettering_font(HK_LETTERS_TINY),
                                               c->flows[flow].name, NAME_MAX),
                      .look = "halo"};
}
