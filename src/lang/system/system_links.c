/* SPDX-License-Identifier: MIT
 *
 * Data links. Each one says where the basic values of its targets come from; what an input of a
 * leaf gets is then found by the flattener (model/flatten.h), through the ports of composites. */
#include "lang/system/system_internal.h"

#include <string.h>

/* ---- one link ---------------------------------------------------------------------------------
 */

/* Data comes out of outputs of what is inside, and in through the inputs of the composite itself.
 */
static bool gives(const hk_end *end) {
    return end->role == (end->own ? HK_ROLE_INPUT : HK_ROLE_OUTPUT);
}

static bool takes(const hk_end *end) {
    return end->role == (end->own ? HK_ROLE_OUTPUT : HK_ROLE_INPUT);
}

static const char *role_text(hk_system *s, const hk_end *end) {
    static const char *const words[] = {
        [HK_ROLE_INPUT] = "an input",
        [HK_ROLE_OUTPUT] = "an output",
        [HK_ROLE_PARAMETER] = "a parameter",
        [HK_ROLE_PROVIDED] = "a provided interface",
        [HK_ROLE_REQUIRED] = "a required interface",
    };
    return end->own ? hk_arena_printf(s->arena, "%s of the composite itself", words[end->role])
                    : words[end->role];
}

static const char *wrong_end_hint(const hk_end *from, const hk_end *to) {
    if (gives(to) && takes(from))
        return "the link points the wrong way: swap its ends";
    if (!from->type || !to->type)
        return "interfaces are joined by 'service'";
    if (to->role == HK_ROLE_PARAMETER)
        return "parameters are set by 'param', or joined by 'share'";
    return "a link leads from an output to inputs";
}

static bool check_direction(hk_system *s, const hk_end *from, const hk_end *to) {
    const hk_end *wrong = gives(from) ? to : from;
    if (gives(from) && takes(to))
        return true;
    hk_complain(&s->complaints, HK_E_CONNECTION, hk_system_where(s, &wrong->name->at),
                wrong_end_hint(from, to), "'%s' is %s, so a link cannot %s there",
                wrong->name->text, role_text(s, wrong), wrong == from ? "begin" : "end");
    return false;
}

/* Ports of a behaviour without leaf type are records without a name: neither declared nor of core.
 */
static bool is_nameless(const hk_lang_type *type) {
    return !type->syntax && strncmp(type->name, "core.", 5) != 0;
}

static bool same_parts(const hk_lang_type *a, const hk_lang_type *b) {
    if (a->part_count != b->part_count)
        return false;
    for (size_t i = 0; i < a->part_count; i++) {
        const hk_part *x = &a->parts[i], *y = &b->parts[i];
        if (strcmp(x->name, y->name) != 0 || x->count != y->count ||
            !hk_type_connectable(x->type, y->type))
            return false;
    }
    return true;
}

/* Records are the same by name, everything else by what it is made of. */
static bool same_type(const hk_lang_type *a, const hk_lang_type *b) {
    if (a == b)
        return true;
    if (a->kind == HK_LANG_ARRAY || b->kind == HK_LANG_ARRAY) {
        const hk_part *x = a->parts, *y = b->parts;
        bool flat = a->part_count == 1 && b->part_count == 1 && !*x->name && !*y->name;
        if (flat && x->dim_count == y->dim_count && x->dim_count)
            return hk_type_connectable(x->type, y->type) &&
                   memcmp(x->dims, y->dims, x->dim_count * sizeof *x->dims) == 0;
        return a->kind == b->kind && a->dim_count == b->dim_count &&
               memcmp(a->dims, b->dims, a->dim_count * sizeof *a->dims) == 0 &&
               same_type(a->element, b->element);
    }
    if (a->kind == HK_LANG_RECORD || b->kind == HK_LANG_RECORD)
        return a->kind == b->kind && (is_nameless(a) || is_nameless(b)) && same_parts(a, b);
    if (a->kind == HK_LANG_ENUM && b->kind == HK_LANG_ENUM && a->items && b->items)
        return strcmp(a->name, b->name) == 0;
    return hk_type_connectable(a->basic, b->basic);
}

static bool check_types(hk_system *s, const hk_end *from, const hk_end *to) {
    if (same_type(from->type, to->type))
        return true;
    bool records = from->type->kind == HK_LANG_RECORD && to->type->kind == HK_LANG_RECORD;
    hk_complain(&s->complaints, HK_E_CONNECTION, hk_system_where(s, &to->name->at),
                records ? "records must be of one type; their fields can be linked one by one"
                        : NULL,
                "types differ: '%s' is '%s', '%s' is '%s'", from->name->text, from->type->name,
                to->name->text, to->type->name);
    return false;
}

/* Ends of leaves are left to the check of the whole model, which also converts. */
static bool check_units(hk_system *s, const hk_end *from, const hk_end *to, size_t part) {
    const char *a = hk_end_unit(from, part), *b = hk_end_unit(to, part);
    hk_uom x, y;
    double factor, offset;
    bool leaves = from->member && to->member;
    bool told = (from->port && from->port->unit_told) || (to->port && to->port->unit_told);
    if (leaves || !a || !b || !hk_uom_parse(a, &x) || !hk_uom_parse(b, &y) ||
        hk_uom_conversion(&x, &y, false, &factor, &offset))
        return true;
    if (told) /* all links of a port with a wrong unit disagree: that is one mistake */
        return false;
    if (from->port)
        from->port->unit_told = true;
    if (to->port)
        to->port->unit_told = true;
    hk_complain(&s->complaints, HK_E_UNIT_MISMATCH, hk_system_where(s, &to->name->at),
                "correct one of the units", "units do not agree: '%s' is in '%s', '%s' in '%s'",
                from->name->text, a, to->name->text, b);
    return false;
}

static void frames_differ(hk_system *s, hk_where where, const char *from, const char *from_frame,
                          const char *to, const char *to_frame) {
    hk_complain(&s->complaints, HK_E_FRAME, where,
                "put an adapter between them, hk.Rotation for example",
                "frames differ: '%s' is in '%s', '%s' is in '%s'", from, from_frame, to, to_frame);
}

static bool check_parts(hk_system *s, const hk_end *from, const hk_end *to) {
    for (size_t i = 0; i < to->part_count; i++) {
        const char *a = hk_end_frame(from, i), *b = hk_end_frame(to, i);
        if (a && b && strcmp(a, b) != 0) {
            frames_differ(s, hk_system_where(s, &to->name->at), from->name->text, a, to->name->text,
                          b);
            return false;
        }
        if (!check_units(s, from, to, i))
            return false;
    }
    return true;
}

/* The edge that drives the end of EDGE already; HK_MAP_NONE: none does. Elements of arrays are left
 * to the check of the whole model, which knows them. */
static uint32_t add_edge(hk_system *s, const hk_flat_edge *edge, const hk_end *to) {
    if (edge->to.is_node || edge->to.at.count || edge->from.at.count)
        return hk_flat_add_edge(&s->flat, edge);
    hk_slot *slot = &s->slots[s->leaves[to->leaf].first_slot + edge->to.at.variable];
    if (slot->inbound != HK_MAP_NONE)
        return slot->inbound;
    slot->inbound = (uint32_t)s->flat.edge_count;
    return hk_flat_add_edge(&s->flat, edge);
}

static void drive(hk_system *s, const hk_end *from, const hk_end *to, uint32_t link) {
    for (size_t i = 0; i < to->part_count; i++) {
        hk_flat_edge edge = {.from = hk_end_flat(s, from, i),
                             .to = hk_end_flat(s, to, i),
                             .connection = s->links[link].connection,
                             .link = link,
                             .part = (uint32_t)i};
        uint32_t other = add_edge(s, &edge, to);
        if (other == HK_MAP_NONE)
            continue;
        const hk_linkwork *first = &s->links[s->flat.edges[other].link];
        hk_complain(&s->complaints, HK_E_TWO_DRIVERS, hk_system_where(s, &to->name->at),
                    "remove one of the two links",
                    "'%s' is driven twice: by '%s' (line %d) and by '%s' (line %d)", to->name->text,
                    first->syntax->from.text, first->connection->where.line, from->name->text,
                    to->name->at.line);
        s->links[link].bad = true;
        return;
    }
}

static void read_initial(hk_system *s, const hk_link *link, const hk_end *from, hk_linkwork *work) {
    if (link->initial.kind == HK_LITERAL_NONE || !from->type)
        return;
    hk_value *parts = HK_NEW_ARRAY(s->arena, hk_value, from->part_count + 1);
    const char *unit = from->part_count ? hk_end_unit(from, 0) : NULL;
    hk_status status = hk_literal_value(s->complaints.ctx, s->model->arena, s->file, &link->initial,
                                        (hk_typed){from->type, unit}, parts);
    if (status != HK_OK) {
        hk_system_failed(s, status);
        return;
    }
    work->initial = parts;
    work->units = HK_NEW_ARRAY(s->arena, const char *, from->part_count + 1);
    for (size_t i = 0; i < from->part_count; i++)
        work->units[i] = hk_end_unit(from, i);
}

static bool check_element(hk_system *s, const hk_end *from, const hk_end *to) {
    if ((!from->slice.count && !to->slice.count) || (from->member && to->member))
        return true;
    hk_complain(&s->complaints, HK_E_CONNECTION, hk_system_where(s, &to->name->at),
                "ports of composites pass whole arrays on",
                "an element of an array can be linked from leaf to leaf only");
    return false;
}

void hk_system_link(hk_system *s, hk_scope *scope, const hk_link *link) {
    hk_end from, to;
    hk_linkwork common = {.syntax = link};
    hk_tree_connection said = {.factor = 1, .delay = {0, 1}};
    bool known = hk_system_find_end(s, scope, &link->from, &from);
    if (*link->lag.text)
        (void)hk_system_lag(s, &link->lag, &said.lag);
    (void)hk_system_time(s, &link->delay, "delay", false, &said.delay);
    if (known)
        read_initial(s, link, &from, &common);
    for (size_t i = 0; i < link->to_count; i++) {
        if (!hk_system_find_end(s, scope, &link->to[i], &to) || !known)
            continue;
        if (!check_direction(s, &from, &to)) {
            known &= gives(&from); /* the beginning is wrong once, not for each target */
            continue;
        }
        if (!check_types(s, &from, &to))
            continue;
        hk_tree_connection *connection = HK_NEW(s->arena, hk_tree_connection);
        *connection = said;
        connection->where = hk_system_where(s, &link->to[i].at);
        hk_linkwork work = common;
        work.connection = connection;
        work.bad = !check_parts(s, &from, &to);
        uint32_t index = (uint32_t)s->link_count;
        HK_PUSH(s->links, s->link_count, s->link_cap, work);
        if (check_element(s, &from, &to))
            drive(s, &from, &to, index);
    }
}

/* ---- what the flattener asks ------------------------------------------------------------------
 */

static const char *variable_path(hk_system *s, const hk_flat_end *end) {
    const hk_component *c = &s->model->components[end->at.component];
    return hk_arena_printf(s->arena, "%s.%s", c->name, c->info->variables[end->at.variable].name);
}

static bool *told(const hk_system *s, const hk_flat_edge *edge) {
    return &s->told[edge - s->flat.edges];
}

/* Ports that are driven by themselves through others: once, however many leaves they lead to. */
static void report_circle(hk_system *s, const hk_flat_problem *p) {
    bool new = true;
    for (size_t i = 0; i < p->route->count; i++) {
        new = new && !*told(s, p->route->edges[i]);
        *told(s, p->route->edges[i]) = true;
    }
    if (new)
        hk_complain(&s->complaints, HK_E_CONNECTION,
                    s->flat.edges[s->flat.nodes[p->node].inbound].connection->where,
                    "a leaf must produce the value", "links lead in a circle through ports only");
}

/* Ports have no units and no transformations here, and no variable is a group: nothing else can be
 * wrong. */
static void report(void *user, const hk_flat_problem *p) {
    hk_system *s = user;
    HK_ASSERT(p->kind <= HK_FLAT_FRAME);
    if (p->kind == HK_FLAT_LOOP) {
        report_circle(s, p);
    } else if (p->kind == HK_FLAT_DELAY) {
        hk_complain(&s->complaints, HK_E_TIME, p->where, NULL, "the delays are too long");
        *told(s, p->edge) = true;
    } else {
        frames_differ(s, p->where, variable_path(s, &p->route->edges[0]->from), p->have,
                      variable_path(s, &p->edge->to), p->want);
        s->links[p->edge->link].bad = true; /* once for all parts */
    }
}

static bool is_usable(void *user, const hk_flat_edge *edge) {
    const hk_system *s = user;
    return !s->links[edge->link].bad && !*told(s, edge);
}

/* 'edge' on any link of the way: the input is an event, and its component is to take it when the
 * value rises. */
static void put_edge(hk_system *s, const hk_flat_route *route) {
    const hk_flat_edge *said = NULL, *to = route->edges[route->count - 1];
    for (size_t i = 0; i < route->count; i++)
        if (s->links[route->edges[i]->link].syntax->edge)
            said = route->edges[i];
    if (!said)
        return;
    const hk_component *c = &s->model->components[to->to.at.component];
    const char *name =
        hk_arena_printf(s->arena, "%s_edge", c->info->variables[to->to.at.variable].name);
    uint32_t variable = hk_info_find(c->info, name);
    bool *yes = HK_NEW(s->model->arena, bool);
    *yes = true;
    const hk_variable *v = variable == HK_MAP_NONE ? NULL : &c->info->variables[variable];
    if (!v || v->type != HK_TYPE_BOOL || v->causality != HK_PARAMETER) {
        hk_complain(&s->complaints, HK_E_CONNECTION, said->connection->where,
                    "leave out 'edge', or put a component between them that finds edges",
                    "'%s' is not an event of a controller: '%s' has no parameter '%s'",
                    variable_path(s, &to->to), c->name, name);
        return;
    }
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable && !*(const bool *)c->settings[i].value.data) {
            hk_complain(
                &s->complaints, HK_E_CONNECTION, said->connection->where, "leave out one of them",
                "'edge' of the link says another thing than '%s = false' of '%s'", name, c->name);
            return;
        }
    hk_status status = hk_model_set_value(s->complaints.ctx, s->model, to->to.at.component,
                                          variable, &(hk_value){HK_TYPE_BOOL, 1, yes},
                                          (hk_origin){HK_FROM_SYSTEM, said->connection->where});
    if (status != HK_OK)
        hk_system_failed(s, status);
}

/* The last initial value on the way counts. */
static void connected(void *user, const hk_flat_route *route, const hk_joined *joined) {
    hk_system *s = user;
    put_edge(s, route);
    const hk_flat_edge *from = route->edges[0], *to = route->edges[route->count - 1];
    hk_connection *k = &s->model->connections[joined->first];
    size_t i = route->count;
    while (i > 0 && !s->links[route->edges[i - 1]->link].initial)
        i--;
    if (!i)
        return;
    const hk_flat_edge *given = route->edges[i - 1];
    const hk_linkwork *link = &s->links[given->link];
    const hk_variable *v = hk_address_variable(s->model, &from->from.at);
    if (!hk_system_convert(s->model->arena, v, link->units[given->part],
                           &link->initial[given->part], &k->initial))
        hk_complain(&s->complaints, HK_E_VALUE, to->connection->where, NULL,
                    "the initial value does not fit '%s'", variable_path(s, &from->from));
}

void hk_system_begin_links(hk_system *s) {
    s->flat = (hk_flat){
        .ctx = s->complaints.ctx,
        .arena = s->arena,
        .model = s->model,
        .hooks = {.user = s, .report = report, .usable = is_usable, .connected = connected}};
}

/* ---- the whole --------------------------------------------------------------------------------
 */

/* Ports of the root composite are extra names for what leads to them. */
static void add_alias(hk_system *s, const char *name, uint32_t node) {
    hk_flat_route *route = &s->flat.route;
    uint32_t inbound = s->flat.nodes[node].inbound;
    if (inbound == HK_MAP_NONE || !hk_flat_follow(&s->flat, inbound, route))
        return;
    const hk_flat_end *from = &route->edges[0]->from;
    if (!hk_flat_say(&s->flat, route).bad && !from->is_node)
        (void)hk_model_add_alias(s->model, name, from->at.component, from->at.variable, NULL);
}

/* Inputs that nothing drives are names for what they drive. */
static void name_inputs(hk_system *s, const hk_scope *scope) {
    for (size_t i = 0; i < scope->member_count; i++) {
        const hk_compositeport *port = scope->members[i].port;
        if (!port || port->broken || port->role != HK_ROLE_INPUT)
            continue;
        for (uint32_t p = 0; p < port->var.type->part_count; p++) {
            const char *name = port->connectors[p].name;
            uint32_t node = port->first + p;
            if (hk_flat_is_divided(&s->flat, node))
                continue; /* nobody could divide a value */
            if (*scope->path)
                hk_flat_add_inlet(&s->flat, node,
                                  hk_arena_printf(s->arena, "%s.%s", scope->path, name), false);
            else
                hk_flat_name_input(&s->flat, node, name);
        }
    }
}

static void add_aliases(hk_system *s, const hk_scope *root) {
    for (size_t i = 0; i < root->member_count; i++) {
        const hk_compositeport *port = root->members[i].port;
        if (!port || port->broken || port->role != HK_ROLE_OUTPUT)
            continue;
        for (uint32_t p = 0; p < port->var.type->part_count; p++)
            add_alias(s, port->connectors[p].name, port->first + p);
    }
}

/* In the order of the inputs, then single elements in the order of the text. */
void hk_system_connect_all(hk_system *s) {
    hk_flat *flat = &s->flat;
    s->told = HK_NEW_ARRAY(s->arena, bool, flat->edge_count + 1);
    for (size_t i = 0; i < s->slot_count; i++)
        if (s->slots[i].inbound != HK_MAP_NONE)
            hk_flat_connect(flat, s->slots[i].inbound);
    for (uint32_t i = 0; i < flat->edge_count; i++) {
        const hk_flat_edge *e = &flat->edges[i];
        if ((e->from.at.count || e->to.at.count) && is_usable(s, e))
            hk_flat_connect(flat, i);
    }
    if (s->scope_count)
        add_aliases(s, s->scopes[0]);
    for (size_t i = 0; i < s->scope_count; i++)
        name_inputs(s, s->scopes[i]);
    hk_flat_check_loops(flat);
}
