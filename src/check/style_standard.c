/* SPDX-License-Identifier: MIT
 *
 * One list of units and frames for a whole architecture: what goes from one role to another is in
 * them, so that every source can take the place of another. */
#include "check/style_internal.h"

#include <string.h>

/* Where something is: a port, or a connection, whose place is looked for when it is needed. */
typedef struct spot {
    const hk_connection *connection; /* NULL: a port */
    hk_where where;
} spot;

static hk_where where_of(const hk_styler *s, spot at) {
    return at.connection ? hk_style_cross_at(s, at.connection).where : at.where;
}

/* ---- units ---- */

/* Nothing to be in: no unit, or that of a pure number. */
static bool is_pure(const hk_uom *uom) {
    static const int8_t none[HK_BASE_UNITS];
    return !uom || (memcmp(uom->exponent, none, sizeof none) == 0 && uom->factor == 1);
}

/* The units of the list for the quantity of UOM; "": it has none, or UOM is one of them. */
static const char *better_units(const hk_styler *s, const hk_uom *uom) {
    const char *list = "";
    for (size_t i = 0; i < s->rules->units.count; i++) {
        hk_uom unit;
        double factor, offset;
        bool known = hk_uom_parse(s->rules->units.all[i], &unit);
        HK_ASSERT(known);
        if (!hk_uom_same_dimension(uom, &unit) ||
            !hk_uom_conversion(uom, &unit, false, &factor, &offset))
            continue;
        if (factor == 1 && offset == 0)
            return "";
        list = hk_arena_printf(s->arena, "%s%s'%s'", list, *list ? " or " : "",
                               s->rules->units.all[i]);
    }
    return list;
}

/* PORT in UNIT is between roles; it is told of once. */
static void check_unit(hk_styler *s, const char *port, const hk_uom *uom, const char *unit,
                       spot at) {
    const char *better = is_pure(uom) ? "" : better_units(s, uom);
    if (*better && hk_style_first(s, hk_arena_printf(s->arena, "unit %s", port)))
        hk_complain(&s->complaints, HK_E_STYLE, where_of(s, at),
                    hk_arena_printf(s->arena, "declare it in %s", better),
                    "style '%s': '%s' is between roles and in '%s'", s->rules->name, port, unit);
}

/* ---- frames ---- */

static bool has_frame(const hk_styler *s, const char *frame) {
    for (size_t i = 0; i < s->rules->frames.count; i++)
        if (strcmp(s->rules->frames.all[i], frame) == 0)
            return true;
    return false;
}

static const char *frame_list(const hk_styler *s) {
    const char *list = "frames are";
    for (size_t i = 0; i < s->rules->frames.count; i++)
        list = hk_arena_printf(s->arena, "%s%s %s", list, i ? "," : "", s->rules->frames.all[i]);
    list = hk_arena_printf(s->arena, "%s; others are for", list);
    for (size_t i = 0, k = 0; i < HK_TREE_ROLES; i++)
        if (s->rules->own_frames[i])
            list = hk_arena_printf(s->arena, "%s%s %s", list, k++ ? " and" : "",
                                   hk_tree_role_words[i]);
    return list;
}

static void check_frame(hk_styler *s, hk_tree_role role, const char *port, const char *frame,
                        spot at) {
    if (frame && !s->rules->own_frames[role] && !has_frame(s, frame) &&
        hk_style_first(s, hk_arena_printf(s->arena, "frame %s", port)))
        hk_complain(&s->complaints, HK_E_STYLE, where_of(s, at), frame_list(s),
                    "style '%s': '%s' is between roles and in the frame '%s', which role %s does "
                    "not have",
                    s->rules->name, port, frame, hk_tree_role_words[role]);
}

/* ---- connections ---- */

/* One end of a connection. */
typedef struct side {
    const char *name, *unit, *frame; /* name: of the whole port */
    const hk_uom *uom;
} side;

/* "Drone.a.position.x": parts of one port are told of once. */
static const char *port_of(const hk_styler *s, uint32_t component, const char *variable) {
    return hk_arena_printf(s->arena, "%s.%.*s", s->model->components[component].name,
                           (int)strcspn(variable, ".["), variable);
}

static side side_of(const hk_styler *s, uint32_t component, uint32_t variable,
                    const hk_uom *declared) {
    const hk_variable *v = &s->model->components[component].info->variables[variable];
    const hk_tree_element *leaf = s->leaves[component];
    const hk_uom *uom = declared ? declared : v->uom;
    return (side){.name = port_of(s, component, v->name),
                  .unit = declared ? declared->name : v->unit,
                  .uom = uom,
                  .frame = leaf && leaf->frames ? leaf->frames[variable] : NULL};
}

/* What a leaf leaves open, since it is of use for many quantities, a port of its composite may say.
 */
static void take_port(const hk_styler *s, const hk_tree_connector *port, side *one) {
    if (!port)
        return;
    if (is_pure(one->uom) && port->unit) {
        hk_uom *read = HK_NEW(s->arena, hk_uom);
        one->uom = port->uom ? port->uom : hk_uom_parse(port->unit, read) ? read : NULL;
        one->unit = port->unit;
    }
    one->frame = one->frame ? one->frame : port->frame;
}

/* A unit or a frame at one end only. */
static void check_both(hk_styler *s, const side *has, const side *lacks, const char *what,
                       const char *word, spot at) {
    if (hk_style_first(s, hk_arena_printf(s->arena, "%s %s %s", what, has->name, lacks->name)))
        hk_complain(&s->complaints, HK_E_STYLE, where_of(s, at),
                    hk_arena_printf(s->arena, "declare the same %s at both ends", what),
                    "style '%s': '%s' has the %s '%s', and '%s' has none", s->rules->name,
                    has->name, what, word, lacks->name);
}

static void check_connection(hk_styler *s, const hk_connection *k) {
    hk_tree_role a = hk_style_role(s, k->from_component), b = hk_style_role(s, k->to_component);
    if (k->shared || a == b || a == HK_TREE_NO_ROLE || b == HK_TREE_NO_ROLE)
        return;
    side from = side_of(s, k->from_component, k->from_variable, k->from_uom);
    side to = side_of(s, k->to_component, k->to_variable, k->to_uom);
    spot at = {.connection = k};
    if (is_pure(from.uom) != is_pure(to.uom) || !from.frame != !to.frame) {
        hk_style_crossing crossing = hk_style_cross_at(s, k);
        at = (spot){.where = crossing.where};
        take_port(s, crossing.from, &from);
        take_port(s, crossing.to, &to);
    }
    if (is_pure(from.uom) != is_pure(to.uom)) {
        const side *has = is_pure(from.uom) ? &to : &from;
        check_both(s, has, has == &to ? &from : &to, "unit", has->unit, at);
    }
    check_unit(s, from.name, from.uom, from.unit, at);
    check_unit(s, to.name, to.uom, to.unit, at);
    if (!from.frame != !to.frame) {
        const side *has = from.frame ? &from : &to;
        check_both(s, has, has == &to ? &from : &to, "frame", has->frame, at);
    }
    check_frame(s, a, from.name, from.frame, at);
    check_frame(s, b, to.name, to.frame, at);
}

/* ---- ports of composites ---- */

/* Those of a composite with a role: what goes to other roles and comes from them passes there. */
static void check_ports(hk_styler *s, const hk_tree_element *e) {
    for (size_t i = 0; e->role != HK_TREE_NO_ROLE && i < e->connector_count; i++) {
        const hk_tree_connector *c = &e->connectors[i];
        spot at = {.where = c->where};
        const char *port =
            hk_arena_printf(s->arena, "%s.%s", hk_style_path(s, e), c->port ? c->port : c->name);
        hk_uom read;
        const hk_uom *uom = c->uom                                    ? c->uom
                            : c->unit && hk_uom_parse(c->unit, &read) ? &read
                                                                      : NULL;
        check_unit(s, port, uom, c->unit ? c->unit : uom ? uom->name : "", at);
        check_frame(s, e->role, port, c->frame, at);
    }
    for (size_t i = 0; i < e->element_count; i++)
        check_ports(s, e->elements[i]);
}

void hk_style_standard(hk_styler *s) {
    check_ports(s, s->model->tree->root);
    for (size_t i = 0; i < s->model->connection_count; i++)
        check_connection(s, &s->model->connections[i]);
}
