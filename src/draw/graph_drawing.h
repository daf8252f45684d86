/* SPDX-License-Identifier: MIT
 *
 * Inside the draw room: the graph of a system while it is drawn. */
#ifndef HK_DRAW_GRAPH_DRAWING_H
#define HK_DRAW_GRAPH_DRAWING_H

#include "draw/draw_graph.h"
#include "draw/graph_layout.h"

/* All that leads from one component to another. */
typedef struct hk_graph_flow {
    uint32_t from, to;
    hk_tick least, most;
    bool any;     /* values arrive, not initial ones only */
    bool earlier; /* some are of an earlier instant */
    bool service; /* a call, not a value */
    size_t count;
    const char *list;  /* its connections, a line each */
    const char *age;   /* "5 ms", "0 \u2026 15 ms" */
    const char *label; /* beside its arrow; NULL: nothing */
} hk_graph_flow;

/* Inputs of a component that are connectors of the outermost system, or its outputs that are. */
typedef struct hk_graph_connector {
    uint32_t component;
    bool input;
    size_t count;
    const char *words; /* in its box */
    const char *list;  /* a line each */
    const char *last;  /* the name that was added last */
} hk_graph_connector;

typedef struct hk_graph_drawing {
    const hk_plan *plan;
    const hk_graph_options *options;
    hk_canvas *canvas;
    hk_graph_flow *flows;
    size_t flow_count;
    hk_graph_connector *connectors; /* in the layout they come after components and flows */
    size_t connector_count;
    const char *usual;       /* the age of all arrows that have no label; NULL: they have none */
    bool tabled;             /* ages are in a table below, not beside the arrows */
    const char **nest_names; /* the last part of each */
    hk_layout layout;
    double top;
} hk_graph_drawing;

/* ---- graph_connectors.c ---- */

void hk_graph_collect_connectors(hk_graph_drawing *d);
/* Its box, outside of all others. */
hk_layout_node hk_graph_connector_node(const hk_graph_connector *c);
void hk_graph_draw_connector(const hk_graph_drawing *d, const hk_graph_connector *c, hk_box box);

/* ---- graph_labels.c ---- */

/* Puts the labels of a graph that has a usual age on their arrows, clear of boxes and of each
 * other. False: they have no room. Needs the layout. */
bool hk_graph_place_labels(const hk_graph_drawing *d);

/* ---- graph_ages.c ---- */

/* Writes ages beside the arrows as long as they are few; of many those that are not the usual one;
 * of too many none. Needs the flows and their ages. */
void hk_graph_choose_labels(hk_graph_drawing *d);
/* There is no room beside the arrows: all ages are in the table. */
void hk_graph_table_ages(hk_graph_drawing *d);
/* Writes small words in as many lines as they need; returns the baseline of the line after them. */
double hk_graph_put_wrapped(const hk_graph_drawing *d, hk_label label, double room);
/* The ages of all flows as a table, from Y on; returns where it ends. */
double hk_graph_draw_ages(const hk_graph_drawing *d, double y, double width);

/* ---- draw_graph.c ---- */

/* The name of box I around boxes, in the coordinates of the layout. */
hk_label hk_graph_nest_label(const hk_graph_drawing *d, size_t i);

#endif
