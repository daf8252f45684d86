/* SPDX-License-Identifier: MIT
 *
 * Graphviz tells what it has found in attributes of the graph: positions as text, in points from
 * the lower left. One point is one pixel here. */
#include "base/number.h"
#include "draw/layout_internal.h"

#include <math.h>
#include <string.h>

#ifndef HK_GVC_LIBRARY

bool hk_layout_is_built_in(void) {
    return false;
}

const char *hk_layout_by_graphviz(hk_arena *arena, hk_layout *layout) {
    (void)arena;
    (void)layout;
    return "this program was built without it";
}

#else

#include <dlfcn.h>
#include <gvc.h>

bool hk_layout_is_built_in(void) {
    return true;
}

/* The functions of the two libraries. */
typedef struct graphviz {
    void *gvc_library, *cgraph_library;
    __typeof__(gvContext) *context;
    __typeof__(gvLayout) *layout;
    __typeof__(gvRender) *render;
    __typeof__(agopen) *open;
    __typeof__(agnode) *node;
    __typeof__(agedge) *edge;
    __typeof__(agsubg) *subgraph;
    __typeof__(agattr) *attribute;
    __typeof__(agset) *set;
    __typeof__(agget) *get;
    __typeof__(agstrdup_html) *html;
    __typeof__(agstrfree) *free_text;
    __typeof__(agseterr) *report;
    Agdesc_t *directed;
} graphviz;

static bool find(void *library, const char *name, void *ret_function) {
    void *symbol = dlsym(library, name);
    memcpy(ret_function, &symbol, sizeof symbol); /* a pointer to a function is one here */
    return symbol != NULL;
}

/* NULL, or what is missing. */
static const char *load(graphviz *g) {
    g->cgraph_library = dlopen(HK_CGRAPH_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    g->gvc_library = g->cgraph_library ? dlopen(HK_GVC_LIBRARY, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!g->gvc_library)
        return dlerror();
    void *v = g->gvc_library, *c = g->cgraph_library;
    bool all = find(v, "gvContext", &g->context) && find(v, "gvLayout", &g->layout) &&
               find(v, "gvRender", &g->render) && find(c, "agopen", &g->open) &&
               find(c, "agnode", &g->node) && find(c, "agedge", &g->edge) &&
               find(c, "agsubg", &g->subgraph) && find(c, "agattr", &g->attribute) &&
               find(c, "agset", &g->set) && find(c, "agget", &g->get) &&
               find(c, "agstrdup_html", &g->html) && find(c, "agstrfree", &g->free_text) &&
               find(c, "agseterr", &g->report) && find(c, "Agdirected", &g->directed);
    return all ? NULL : "the library lacks a function";
}

/* ---- the graph, as Graphviz has it ---- */

typedef struct work {
    graphviz g;
    hk_arena *arena;
    hk_layout *layout;
    Agraph_t *graph;
    Agnode_t **nodes;
    Agraph_t **nests;
    Agedge_t **edges;
} work;

/* Graphviz takes texts that it may not change as ones that it may. */
static char *words(const work *w, const char *text) {
    return hk_arena_strdup(w->arena, text);
}

static void set(const work *w, void *object, const char *name, const char *value) {
    (void)w->g.set(object, words(w, name), words(w, value));
}

static void declare(const work *w, int kind, const char *name, const char *value) {
    (void)w->g.attribute(w->graph, kind, words(w, name), words(w, value));
}

/* A label that has a size and no words: those are ours. */
static void set_label(const work *w, Agraph_t *graph, void *object, double width, double height) {
    const char *table = hk_arena_printf(
        w->arena,
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" "
        "HEIGHT=\"%d\"><TR><TD></TD></TR></TABLE>",
        (int)ceil(width), (int)ceil(height));
    char *html = w->g.html(graph, words(w, table));
    (void)w->g.set(object, words(w, "label"), html);
    (void)w->g.free_text(graph, html);
}

/* A box whose rows have places for edges: a table, which Graphviz knows the cells of. */
static void set_rows(const work *w, Agnode_t *object, const hk_layout_node *node) {
    int width = (int)node->w, half = width / 2;
    const char *table = hk_arena_printf(
        w->arena,
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR><TD "
        "COLSPAN=\"2\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD></TR>",
        width, (int)node->head);
    for (size_t i = 0; i < node->rows; i++)
        table = hk_arena_printf(
            w->arena,
            "%s<TR><TD PORT=\"l%zu\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD><TD "
            "PORT=\"r%zu\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD></TR>",
            table, i, half, (int)node->row, i, width - half, (int)node->row);
    int rest = (int)(node->h - node->head - (double)node->rows * node->row);
    table = hk_arena_printf(w->arena,
                            "%s<TR><TD COLSPAN=\"2\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" "
                            "HEIGHT=\"%d\"></TD></TR></TABLE>",
                            table, width, rest > 0 ? rest : 1);
    char *html = w->g.html(w->graph, words(w, table));
    (void)w->g.set(object, words(w, "label"), html);
    (void)w->g.free_text(w->graph, html);
}

static const char *inches(const work *w, double pixels) {
    return hk_arena_printf(w->arena, "%d.%03d", (int)pixels / 72,
                           (int)(fmod(pixels, 72) / 72 * 1000));
}

static void declare_all(const work *w, const char *direction) {
    double apart = w->layout->apart > 0 ? w->layout->apart : 36;
    const struct {
        int kind;
        const char *name, *value;
    } all[] = {{AGRAPH, "rankdir", direction},
               {AGRAPH, "nodesep", "0.35"},
               {AGRAPH, "ranksep", inches(w, apart)},
               {AGRAPH, "label", ""},
               {AGRAPH, "labeljust", "l"},
               {AGRAPH, "margin", "10"},
               {AGRAPH, "bb", ""},
               {AGRAPH, "lp", ""},
               {AGNODE, "shape", "box"},
               {AGNODE, "fixedsize", "true"},
               {AGNODE, "width", "1"},
               {AGNODE, "height", "0.5"},
               {AGNODE, "margin", "0"},
               {AGNODE, "label", ""},
               {AGNODE, "pos", ""},
               {AGEDGE, "tailport", ""},
               {AGEDGE, "headport", ""},
               {AGEDGE, "label", ""},
               {AGEDGE, "pos", ""},
               {AGEDGE, "lp", ""}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        declare(w, all[i].kind, all[i].name, all[i].value);
}

static void build(work *w, const char *direction) {
    hk_layout *l = w->layout;
    w->graph = w->g.open(words(w, "g"), *w->g.directed, NULL);
    declare_all(w, direction);
    w->nests = HK_NEW_ARRAY(w->arena, Agraph_t *, l->nest_count + 1);
    w->nodes = HK_NEW_ARRAY(w->arena, Agnode_t *, l->node_count + 1);
    w->edges = HK_NEW_ARRAY(w->arena, Agedge_t *, l->edge_count + 1);
    for (size_t i = 0; i < l->nest_count; i++) {
        const hk_layout_node *nest = &l->nests[i];
        Agraph_t *around = nest->parent == SIZE_MAX ? w->graph : w->nests[nest->parent];
        w->nests[i] = w->g.subgraph(around, hk_arena_printf(w->arena, "cluster_%zu", i), 1);
        set_label(w, w->graph, w->nests[i], nest->w, nest->h);
    }
    for (size_t i = 0; i < l->node_count; i++) {
        const hk_layout_node *node = &l->nodes[i];
        Agraph_t *around = node->parent == SIZE_MAX ? w->graph : w->nests[node->parent];
        w->nodes[i] = w->g.node(around, hk_arena_printf(w->arena, "n%zu", i), 1);
        set(w, w->nodes[i], "width", inches(w, node->w));
        set(w, w->nodes[i], "height", inches(w, node->h));
        if (node->round)
            set(w, w->nodes[i], "shape", "circle");
        if (node->rows)
            set_rows(w, w->nodes[i], node);
    }
    for (size_t i = 0; i < l->edge_count; i++) {
        const hk_layout_edge *edge = &l->edges[i];
        if (edge->from == edge->to && l->nodes[edge->from].rows)
            continue; /* Graphviz cannot lead it from one side to the other */
        w->edges[i] = w->g.edge(w->graph, w->nodes[edge->from], w->nodes[edge->to],
                                hk_arena_printf(w->arena, "e%zu", i), 1);
        if (l->nodes[edge->from].rows)
            set(w, w->edges[i], "tailport", hk_arena_printf(w->arena, "r%zu:e", edge->from_row));
        if (l->nodes[edge->to].rows)
            set(w, w->edges[i], "headport", hk_arena_printf(w->arena, "l%zu:w", edge->to_row));
        if (edge->label_w > 0)
            set_label(w, w->graph, w->edges[i], edge->label_w, edge->label_h);
    }
}

/* ---- what it has found ---- */

/* Takes the next number of a text in which commas and spaces part them; false at its end. */
static bool next_number(const char **text, double *ret_number) {
    *text += strspn(*text, ", \n\\");
    size_t length = strcspn(*text, ", \n\\");
    if (!length || !hk_read_f64(*text, length, ret_number))
        return false;
    *text += length;
    return true;
}

static bool read_numbers(const char *text, double *numbers, size_t count) {
    size_t i = 0;
    while (text && i < count && next_number(&text, &numbers[i]))
        i++;
    return i == count;
}

static bool take_box(const work *w, void *object, double height, hk_box *ret_box) {
    double corners[4];
    if (!read_numbers(w->g.get(object, words(w, "bb")), corners, 4))
        return false;
    *ret_box =
        (hk_box){corners[0], height - corners[3], corners[2] - corners[0], corners[3] - corners[1]};
    return true;
}

/* An edge that Graphviz was not asked about, or has lost: straight from row to row. */
static void take_straight(const work *w, hk_layout_edge *edge) {
    const hk_layout_node *from = &w->layout->nodes[edge->from], *to = &w->layout->nodes[edge->to];
    double x = from->box.x + from->box.w, y = from->box.y + from->head;
    y += ((double)edge->from_row + 0.5) * from->row;
    edge->tip_x = to->box.x;
    edge->tip_y = to->box.y + to->head + ((double)edge->to_row + 0.5) * to->row;
    edge->points = HK_NEW_ARRAY(w->arena, double, 8);
    edge->point_count = 4;
    for (size_t i = 0; i < 4; i++) {
        double part = (double)i / 3;
        edge->points[2 * i] = x + part * (edge->tip_x - 9 - x);
        edge->points[2 * i + 1] = y + part * (edge->tip_y - y);
    }
}

/* "e,x,y x,y x,y ...": the point of the arrow, then those of the curve. */
static bool take_edge(const work *w, size_t index, double height) {
    hk_layout_edge *edge = &w->layout->edges[index];
    const char *text = w->g.get(w->edges[index], words(w, "pos"));
    double at[2];
    if (!text)
        return false;
    const char *tip = strstr(text, "e,");
    if (!tip || !read_numbers(tip + 2, at, 2))
        return false;
    edge->tip_x = at[0];
    edge->tip_y = height - at[1];
    text = strchr(tip, ' ');
    edge->points = HK_NEW_ARRAY(w->arena, double, text ? strlen(text) : 1);
    edge->point_count = 0;
    while (text && next_number(&text, &at[0]) && next_number(&text, &at[1])) {
        edge->points[2 * edge->point_count] = at[0];
        edge->points[2 * edge->point_count++ + 1] = height - at[1];
    }
    if (edge->label_w > 0 && read_numbers(w->g.get(w->edges[index], words(w, "lp")), at, 2)) {
        edge->label_x = at[0];
        edge->label_y = height - at[1];
    }
    return edge->point_count >= 4;
}

static bool take(work *w) {
    hk_layout *l = w->layout;
    double bounds[4], at[2];
    if (!read_numbers(w->g.get(w->graph, words(w, "bb")), bounds, 4))
        return false;
    l->width = bounds[2];
    l->height = bounds[3];
    for (size_t i = 0; i < l->nest_count; i++)
        if (!take_box(w, w->nests[i], l->height, &l->nests[i].box))
            return false;
    for (size_t i = 0; i < l->node_count; i++) {
        hk_layout_node *node = &l->nodes[i];
        if (!read_numbers(w->g.get(w->nodes[i], words(w, "pos")), at, 2))
            return false;
        node->box =
            (hk_box){at[0] - node->w / 2, l->height - at[1] - node->h / 2, node->w, node->h};
    }
    for (size_t i = 0; i < l->edge_count; i++) {
        if (w->edges[i] && take_edge(w, i, l->height))
            continue;
        if (!l->nodes[l->edges[i].from].rows || !l->nodes[l->edges[i].to].rows)
            return false;
        take_straight(w, &l->edges[i]);
    }
    return true;
}

static bool lay_out(work *w, GVC_t *context, const char *direction) {
    build(w, direction);
    return w->g.layout(context, w->graph, "dot") == 0 &&
           w->g.render(context, w->graph, "dot", NULL) == 0 && take(w);
}

/* How many times the graph must shrink to fit a page. */
static double shrinking(const hk_layout *l) {
    static const double page_width = 1000, page_height = 1300;
    return fmax(l->width / page_width, l->height / page_height);
}

/* Nothing is freed: the process ends. */
const char *hk_layout_by_graphviz(hk_arena *arena, hk_layout *layout) {
    static const double much = 1.25;
    static const char failed[] = "its layout 'dot' has failed";
    work w = {.arena = arena, .layout = layout};
    const char *missing = load(&w.g);
    if (missing)
        return missing;
    (void)w.g.report(AGMAX); /* what goes wrong is said by us */
    GVC_t *context = w.g.context();
    if (layout->way == HK_LAYOUT_DOWN)
        return lay_out(&w, context, "TB") ? NULL : failed;
    bool found = lay_out(&w, context, "LR");
    double across = shrinking(layout);
    if (found && across > 1 && layout->way == HK_LAYOUT_FITTING) {
        found = lay_out(&w, context, "TB");
        if (found && shrinking(layout) * much > across)
            found = lay_out(&w, context, "LR");
    }
    return found ? NULL : failed;
}

#endif
