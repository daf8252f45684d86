/* SPDX-License-Identifier: MIT
 *
 * Makes the flat model of what a tree says: values are followed through the connectors of systems
 * and the entries of dictionaries, from component to component, and calls through the interfaces of
 * systems. A front end finds out what the ends of connections mean in its language and adds them
 * as edges between connectors (nodes) and variables; what follows from that is found here, once for
 * all of them. Front ends say what is wrong in their own words: they are given each problem.
 *
 * flatten.c follows ways and makes connections, flatten_change.c puts together what a value
 * undergoes on its way, flatten_drivers.c finds inputs that are driven twice and loops that nothing
 * reads, flatten_services.c follows calls. */
#ifndef HK_MODEL_FLATTEN_H
#define HK_MODEL_FLATTEN_H

#include "model/address.h"
#include "model/tree.h"

/* ---- the graph ---- */

/* A connector of a system: nothing of it is left in the model but what passes through. */
typedef struct hk_flat_node {
    const char *system; /* its name, for messages; NULL: is not needed */
    const hk_tree_connector *connector;
    uint32_t inbound;    /* the edge that drives it; HK_MAP_NONE: none */
    uint32_t first_leaf; /* list of the leaves that it drives if nothing drives it */
    bool on_way;         /* while a way is followed, against loops */
    bool looped;         /* it is on a way that is reported as a loop */
    uint32_t stamp;      /* of the search for loops; 0: not looked at */
    /* One element of a connector is a node of its own. */
    uint32_t whole;                 /* the node of all elements; HK_MAP_NONE: it is that */
    const char *index;              /* "[2]", "[1,2]" */
    uint32_t first_part, next_part; /* its elements that connections name; HK_MAP_NONE: the end */
} hk_flat_node;

/* Where an edge begins or ends: a connector of a system, or a variable of a component. */
typedef struct hk_flat_end {
    bool is_node;
    uint32_t node;
    /* A variable. */
    hk_address at;
    const char *name;  /* as the connection writes it; elements of it are named by that */
    const char *frame; /* NULL: none */
    hk_ratio delay;    /* of what comes out of it; num 0: none */
    hk_lag lag;        /* of what goes in, unless the way says another */
    /* Both: what is declared; NULL: nothing. */
    const hk_tree_connector *connector;
} hk_flat_end;

/* A connection, or one part of one that joins records. */
typedef struct hk_flat_edge {
    hk_flat_end from, to;
    const hk_tree_connection *connection;
    uint32_t link, part; /* numbers of the front end */
} hk_flat_edge;

/* A variable that a connector leads to which nothing drives. */
typedef struct hk_flat_leaf {
    hk_address at;
    uint32_t next;          /* of the same connector; HK_MAP_NONE: none */
    hk_transform transform; /* from the connector to the variable, units included if uom is there */
    const hk_uom *uom;      /* the first on the way; NULL: none, so the variable's own counts */
    const hk_tree_connection *connection; /* the last on the way */
} hk_flat_leaf;

/* The edges from a source to a sink, in the direction of the data. */
typedef struct hk_flat_route {
    const hk_flat_edge **edges;
    size_t count, cap;
    bool transformed, suppressed, mapped;
    const char *want; /* element of the source that is meant, "[2]"; NULL: all of it */
    const char *into; /* element of the sink; NULL: all of it */
    uint32_t split; /* the connector whose elements come from several sources; HK_MAP_NONE: none */
} hk_flat_route;

/* What all connections of a route say together. */
typedef struct hk_flat_way {
    hk_lag lag;
    hk_ratio delay;
    const char *frame; /* the last that is declared on it, the sink's left out; NULL: none */
    bool bad;          /* one of its edges is not usable */
} hk_flat_way;

/* An interface of functions of a component or of a system. */
typedef struct hk_flat_interface {
    uint32_t component, service; /* component HK_MAP_NONE: of a system */
    uint32_t first_call, last_call;
    uint32_t stamp;
    bool bad; /* what leads from it was not understood */
} hk_flat_interface;

/* From an interface that asks to TO, which answers. */
typedef struct hk_flat_call {
    uint32_t to, next;
} hk_flat_call;

/* ---- problems ---- */

typedef enum hk_flat_kind {
    HK_FLAT_LOOP,       /* ROUTE leads through connectors only; it closes in NODE */
    HK_FLAT_DELAY,      /* the delays up to EDGE do not add up */
    HK_FLAT_FRAME,      /* the way brings HAVE, and its end is in WANT */
    HK_FLAT_UNIT,       /* the value is in HAVE and is wanted in WANT: other dimensions */
    HK_FLAT_RANGE,      /* factor or offset up to EDGE are too large or too small for a Float64 */
    HK_FLAT_MAP_SOURCE, /* HAVE, of the map of EDGE, is not a value of the source */
    HK_FLAT_MAP_TARGET, /* the same of the target */
    HK_FLAT_MAP_REAL,   /* the value that comes to the map of EDGE is a real number */
    HK_FLAT_MIXED,      /* EDGE is linear and OTHER a map */
    HK_FLAT_ELEMENT,    /* there is no element HAVE in the component AT is of */
    HK_FLAT_UNDIVIDED,  /* AT is a group, and NODE is driven by nothing */
    HK_FLAT_PIECES,     /* elements of a connector are themselves put together of elements */
    HK_FLAT_JOIN,       /* the ends do not fit: STATUS, which is reported already */
    HK_FLAT_TWO_DRIVERS /* AT is driven twice: by the way that ends here, and in line LINE */
} hk_flat_kind;

typedef struct hk_flat_problem {
    hk_flat_kind kind;
    hk_where where;
    const hk_flat_route *route;
    const hk_flat_edge *edge, *other;
    uint32_t node;
    hk_address at;
    const char *have, *want;
    hk_status status;
    int line;
} hk_flat_problem;

/* What a front end is asked. */
typedef struct hk_flat_hooks {
    void *user;
    void (*report)(void *user, const hk_flat_problem *problem);
    /* Is nothing wrong with the edge that is reported already? NULL: nothing is. */
    bool (*usable)(void *user, const hk_flat_edge *edge);
    /* The route has become these connections of the model; it may have an initial value. */
    void (*connected)(void *user, const hk_flat_route *route, const hk_joined *joined);
} hk_flat_hooks;

typedef struct hk_flat {
    hk_ctx *ctx;
    hk_arena *arena; /* of all below */
    hk_model *model;
    hk_flat_hooks hooks;
    hk_flat_node *nodes;
    size_t node_count, node_cap;
    hk_flat_edge *edges;
    size_t edge_count, edge_cap;
    hk_flat_leaf *leaves;
    size_t leaf_count, leaf_cap;
    hk_flat_route route; /* in hand */
    hk_flat_interface *interfaces;
    size_t interface_count, interface_cap;
    hk_flat_call *calls;
    size_t call_count, call_cap;
} hk_flat;

/* ---- making the graph ---- */

uint32_t hk_flat_add_node(hk_flat *flat, const char *system, const hk_tree_connector *connector);
/* The node of one element, "[2]", of the node WHOLE; *RET_NEW: it was not there yet. */
uint32_t hk_flat_part(hk_flat *flat, uint32_t whole, const char *index, bool *ret_new);
/* Adds an edge. If it ends in a connector that another one drives, all of it or some, returns that
 * one, and the first stays; else HK_MAP_NONE. */
uint32_t hk_flat_add_edge(hk_flat *flat, const hk_flat_edge *edge);
/* The edge before EDGE, which begins in a connector; HK_MAP_NONE: nothing drives that, or EDGE
 * begins in a component. */
uint32_t hk_flat_before(const hk_flat *flat, uint32_t edge);

/* ---- following ---- */

/* Follows EDGE back to a component or to a connector that nothing drives. False after a problem. */
bool hk_flat_follow(hk_flat *flat, uint32_t edge, hk_flat_route *ret_route);
/* Lag, delay and frame of ROUTE. Delays that do not add up are a problem. */
hk_flat_way hk_flat_say(hk_flat *flat, const hk_flat_route *route);
/* The address of an end, or of the element INDEX of it (NULL: of all). False after a problem. */
bool hk_flat_narrow(hk_flat *flat, const hk_flat_end *end, const char *index, hk_where where,
                    hk_address *ret_at);
/* All that a value undergoes on the way, units included; with maps, those. False after a problem.
 */
bool hk_flat_change(hk_flat *flat, const hk_flat_route *route, hk_transform *ret_transform);
/* The node that ROUTE, which nothing drives, begins in: that of one element if no more is wanted,
 * which is made if it is not there. HK_MAP_NONE: an element of an element is wanted. */
uint32_t hk_flat_origin(hk_flat *flat, const hk_flat_route *route);
/* Do all of the connector of NODE and elements of it lead to variables, or elements of it if NODE
 * is all of it? Then no one value can be given to NODE. */
bool hk_flat_is_divided(const hk_flat *flat, uint32_t node);
/* EDGE, which ends in a component, and all before it become connections of the model; or a leaf of
 * the connector that they begin in, if nothing drives that. */
void hk_flat_connect(hk_flat *flat, uint32_t edge);
/* No input may be driven twice, also if a connector that nothing drives is one of the two; two that
 * come from components are left to the check of the whole model. */
void hk_flat_check_drivers(hk_flat *flat);

/* NAME, of the outermost system, becomes a name for what NODE drives, if nothing drives that: for
 * the first variable that gets the value as it is; the others are branches. If there is none it
 * leads to branches only. */
void hk_flat_name_input(const hk_flat *flat, uint32_t node, const char *name);
/* The same without a name for one of them: for an element, or for a system inside by its PATH,
 * "system.connector". */
void hk_flat_add_inlet(const hk_flat *flat, uint32_t node, const char *path, bool outermost);
/* A copy that lives as long as the model. */
const hk_uom *hk_flat_keep_unit(const hk_flat *flat, const hk_uom *uom);

/* Connectors may not drive themselves, also where no component reads them. A loop that a way was
 * followed into is not reported again. */
void hk_flat_check_loops(hk_flat *flat);

/* flatten_change.c, for flatten.c: the unit at an end that counts; DECLARED_ONLY: not that of the
 * variable. */
const hk_uom *hk_flat_unit(const hk_flat *flat, const hk_flat_end *end, bool declared_only);
void hk_flat_append(hk_transform *t, double factor, double offset); /* a linear one behind it */
/* The unit of the first connector of a system on the way that has one; NULL: none has. */
const hk_uom *hk_flat_first_unit(const hk_flat *flat, const hk_flat_route *route);

/* ---- calls ---- */

/* Adds an interface; COMPONENT HK_MAP_NONE: of a system. */
uint32_t hk_flat_add_interface(hk_flat *flat, uint32_t component, uint32_t service);
void hk_flat_add_call(hk_flat *flat, uint32_t from, uint32_t to);
bool hk_flat_has_call(const hk_flat *flat, uint32_t from, uint32_t to);
/* Nothing answers what SERVICE of COMPONENT asks; UNSURE: something on the way was not understood.
 */
typedef void hk_flat_missing_fn(void *user, uint32_t component, uint32_t service, bool unsure);
/* One requirement of the model for each interface that a component requires, in the order they were
 * added; candidates are in the order of the calls. */
void hk_flat_require(hk_flat *flat, hk_flat_missing_fn *missing, void *user);

#endif
