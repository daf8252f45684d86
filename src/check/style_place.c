/* SPDX-License-Identifier: MIT
 *
 * Where a way from one leaf to another crosses from one composite to the other: the statement that
 * a person would change. */
#include "check/style_internal.h"

#include <string.h>

/* A connection or a service, inside of a system. */
typedef struct hop {
    const char *from_element, *from, *to_element, *to; /* element NULL: of the system itself */
    hk_where where;
} hop;

typedef struct walk {
    hk_arena *arena;
    const hk_style_way *way;
    hop crossing;
    const hk_tree_element *system; /* that it is in */
} walk;

/* "element.interface", or "interface". */
static void split(hk_arena *arena, const char *path, const char **ret_element,
                  const char **ret_name) {
    size_t length = strcspn(path, ".");
    *ret_element = path[length] ? hk_arena_strndup(arena, path, length) : NULL;
    *ret_name = path[length] ? path + length + 1 : path;
}

static size_t hop_count(const walk *w, const hk_tree_element *system) {
    return w->way->service ? system->service_count : system->connection_count;
}

static hop hop_at(const walk *w, const hk_tree_element *system, size_t index) {
    hop h;
    if (w->way->service) {
        const hk_tree_service *s = &system->services[index];
        split(w->arena, s->from, &h.from_element, &h.from);
        split(w->arena, s->to, &h.to_element, &h.to);
        h.where = s->where;
    } else {
        const hk_tree_connection *k = &system->connections[index];
        h = (hop){k->from.element, k->from.connector, k->to.element, k->to.connector, k->where};
    }
    return h;
}

/* NAME, or an element of it. */
static bool names(const char *connector, const char *name) {
    size_t length = strlen(name);
    return strncmp(connector, name, length) == 0 &&
           (connector[length] == '\0' || connector[length] == '[');
}

/* Does what comes to NAME of E reach the end of the way? */
static bool leads(const walk *w, const hk_tree_element *e, const char *name) {
    if (e == w->way->to)
        return names(name, w->way->to_name);
    for (size_t i = 0; e->kind == HK_TREE_SYSTEM && i < hop_count(w, e); i++) {
        hop h = hop_at(w, e, i);
        const hk_tree_element *inner = !h.from_element && h.to_element && names(h.from, name)
                                           ? hk_tree_find(e, h.to_element)
                                           : NULL;
        if (inner && leads(w, inner, h.to))
            return true;
    }
    return false;
}

/* Follows what leaves E by NAME outwards, until it goes into what holds the end of the way. */
static bool climb(walk *w, const hk_tree_element *e, const char *name) {
    const hk_tree_element *system = e->parent;
    for (size_t i = 0; system && i < hop_count(w, system); i++) {
        hop h = hop_at(w, system, i);
        if (!h.from_element || strcmp(h.from_element, e->name) != 0 || !names(h.from, name))
            continue;
        const hk_tree_element *other = h.to_element ? hk_tree_find(system, h.to_element) : NULL;
        if (other && leads(w, other, h.to)) {
            w->crossing = h;
            w->system = system;
            return true;
        }
        if (!h.to_element && climb(w, system, h.to))
            return true;
    }
    return false;
}

static const hk_tree_connector *port_at(const walk *w, const char *element, const char *name) {
    const hk_tree_element *e = hk_tree_find(w->system, element);
    for (size_t i = 0; e && e->kind == HK_TREE_SYSTEM && i < e->connector_count; i++)
        if (strcmp(e->connectors[i].name, name) == 0)
            return &e->connectors[i];
    return NULL;
}

bool hk_style_cross(const hk_styler *s, const hk_style_way *way, hk_style_crossing *ret_crossing) {
    walk w = {.arena = s->arena, .way = way};
    if (!climb(&w, way->from, way->from_name))
        return false;
    *ret_crossing = (hk_style_crossing){.where = w.crossing.where};
    if (!way->service) {
        ret_crossing->from = port_at(&w, w.crossing.from_element, w.crossing.from);
        ret_crossing->to = port_at(&w, w.crossing.to_element, w.crossing.to);
    }
    return true;
}

hk_style_crossing hk_style_cross_at(const hk_styler *s, const hk_connection *connection) {
    const hk_component *c = s->model->components;
    uint32_t from = connection->from_component, to = connection->to_component;
    hk_style_way way = {.from = s->leaves[from],
                        .to = s->leaves[to],
                        .from_name = c[from].info->variables[connection->from_variable].name,
                        .to_name = c[to].info->variables[connection->to_variable].name};
    hk_style_crossing crossing = {.where = connection->where};
    (void)hk_style_cross(s, &way, &crossing);
    return crossing;
}

const char *hk_style_path(const hk_styler *s, const hk_tree_element *system) {
    if (!system->parent || !system->parent->parent)
        return system->name;
    return hk_arena_printf(s->arena, "%s.%s", hk_style_path(s, system->parent), system->name);
}
