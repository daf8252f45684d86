/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: the connections of a multi-model while they are drawn. An EComponent is a
 * box with its inputs at the left and its outputs at the right; what groups others is a box around
 * theirs. */
#ifndef HK_DRAW_CONNECTIONS_H
#define HK_DRAW_CONNECTIONS_H

#include "draw/draw_profile.h"
#include "draw/graph_layout.h"

enum { HK_CONNECTIONS_NAME = 120 }; /* pixels of the names of ports */

/* A port of an instance. */
typedef struct hk_connections_port {
    uint32_t port;
    bool used; /* a flow begins or ends there */
} hk_connections_port;

typedef struct hk_connections_box {
    uint32_t instance;
    const char *first, *second; /* "controller : ChemicalDetector"; what it is */
    hk_connections_port *inputs, *outputs;
    size_t input_count, output_count;
} hk_connections_box;

typedef struct hk_connections_flow {
    uint32_t connection;
    const char *name; /* beside its end; NULL: it has none */
} hk_connections_flow;

typedef struct hk_connections {
    const hk_multimodel *profile;
    hk_canvas *canvas;
    hk_connections_box *boxes;  /* one for each node of the layout */
    const char **nests;         /* words of each nest of the layout */
    hk_connections_flow *flows; /* one for each edge of the layout */
    hk_layout layout;           /* has been moved to its place in the picture */
    hk_box all;                 /* of boxes, flows and names, before that */
} hk_connections;

/* connections_collect.c: all that is drawn, for the layout. */
void hk_connections_collect(hk_connections *c);
/* Where the name of a flow is written, and how wide it is; 0: it has none. */
hk_label hk_connections_name(const hk_connections *c, size_t flow);
double hk_connections_name_width(const hk_connections *c, size_t flow);
/* connections_route.c: leads flows around the boxes where the layout has not. Returns how many
 * these are. Needs the layout. */
size_t hk_connections_route(hk_connections *c);
/* draw_connections.c: draws it on the canvas that C has; the rest of C is made. */
hk_picture hk_connections_draw(hk_ctx *ctx, hk_connections *c, const char *title);

#endif
