/* SPDX-License-Identifier: MIT
 *
 * Data links. Each one says where the basic values of its targets come from; what an input of a
 * leaf gets is then found by following that through the ports of composites. */
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

static hk_slot *slot_at(hk_system *s, uint32_t slot) {
    return slot & HK_PORT_SLOT ? &s->port_slots[slot & ~HK_PORT_SLOT] : &s->slots[slot];
}

static void drive(hk_system *s, const hk_end *from, const hk_end *to, uint32_t link) {
    for (size_t i = 0; i < to->part_count; i++) {
        hk_slot *slot = slot_at(s, hk_end_slot(s, to, i));
        if (slot->driver == HK_MAP_NONE) {
            slot->driver = hk_end_slot(s, from, i);
            slot->link = link;
            slot->part = (uint32_t)i;
            continue;
        }
        const hk_linkwork *first = &s->links[slot->link];
        hk_complain(&s->complaints, HK_E_TWO_DRIVERS, hk_system_where(s, &to->name->at),
                    "remove one of the two links",
                    "'%s' is driven twice: by '%s' (line %d) and by '%s' (line %d)", to->name->text,
                    first->syntax->from.text, first->where.line, from->name->text,
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
                                        from->type, unit, parts);
    if (status != HK_OK) {
        hk_system_failed(s, status);
        return;
    }
    work->initial = parts;
    work->units = HK_NEW_ARRAY(s->arena, const char *, from->part_count + 1);
    for (size_t i = 0; i < from->part_count; i++)
        work->units[i] = hk_end_unit(from, i);
}

/* What is driven twice is found by the check of the whole model, which knows single elements. */
static void link_element(hk_system *s, const hk_end *from, const hk_end *to, uint32_t link) {
    struct hk_elementlink element = {*from, *to, link};
    if (from->member && to->member) {
        HK_PUSH(s->element_links, s->element_link_count, s->element_link_cap, element);
        return;
    }
    hk_complain(&s->complaints, HK_E_CONNECTION, hk_system_where(s, &to->name->at),
                "ports of composites pass whole arrays on",
                "an element of an array can be linked from leaf to leaf only");
    s->links[link].bad = true;
}

void hk_system_link(hk_system *s, hk_scope *scope, const hk_link *link) {
    hk_end from, to;
    hk_linkwork common = {.syntax = link, .delay = {0, 1}};
    bool known = hk_system_find_end(s, scope, &link->from, &from);
    if (*link->lag.text)
        (void)hk_system_lag(s, &link->lag, &common.lag);
    (void)hk_system_time(s, &link->delay, "delay", false, &common.delay);
    if (known)
        read_initial(s, link, &from, &common);
    for (size_t i = 0; i < link->to_count; i++) {
        if (!hk_system_find_end(s, scope, &link->to[i], &to) || !known)
            continue;
        if (!check_direction(s, &from, &to)) {
            known &= gives(&from); /* the beginning is wrong once, not for each target */
            continue;
        }
        hk_linkwork work = common;
        work.where = hk_system_where(s, &link->to[i].at);
        work.bad = !check_types(s, &from, &to);
        if (work.bad)
            continue;
        work.bad = !check_parts(s, &from, &to);
        uint32_t index = (uint32_t)s->link_count;
        HK_PUSH(s->links, s->link_count, s->link_cap, work);
        if (from.slice.count || to.slice.count) {
            link_element(s, &from, &to, index);
            continue;
        }
        drive(s, &from, &to, index);
    }
}

/* ---- following data ---------------------------------------------------------------------------
 */

/* What comes in through the link at SLOT, given what is at its beginning. */
static hk_flow through(hk_system *s, const hk_slot *slot, hk_flow flow) {
    const hk_linkwork *link = &s->links[slot->link];
    flow.bad = flow.bad || link->bad;
    if (link->lag != HK_LAG_DEFAULT)
        flow.lag = link->lag;
    if (link->initial) {
        flow.initial = &link->initial[slot->part];
        flow.initial_unit = link->units[slot->part];
    }
    if (!hk_ratio_add(flow.delay, link->delay, &flow.delay) && !flow.bad) {
        hk_complain(&s->complaints, HK_E_TIME, link->where, NULL, "the delays are too long");
        flow.bad = true;
    }
    return flow;
}

uint32_t hk_system_slot_leaf(const hk_system *s, uint32_t slot) {
    size_t low = 0, high = s->leaf_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (s->leaves[middle].first_slot <= slot)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static const char *leaf_frame(const hk_system *s, uint32_t leaf, uint32_t variable) {
    const hk_leafkind *kind = s->leaves[leaf].kind;
    return kind->frames ? kind->frames[variable] : NULL;
}

static hk_flow flow_of_leaf(const hk_system *s, uint32_t slot) {
    uint32_t leaf = hk_system_slot_leaf(s, slot);
    return (hk_flow){.state = HK_FLOW_DONE,
                     .source = slot,
                     .delay = s->leaves[leaf].delay,
                     .frame = leaf_frame(s, leaf, slot - s->leaves[leaf].first_slot)};
}

/* Ports that are driven by themselves through others. */
static void report_circle(hk_system *s, uint32_t slot) {
    const hk_slot *at = slot_at(s, slot);
    hk_complain(&s->complaints, HK_E_CONNECTION, s->links[at->link].where,
                "a leaf must produce the value", "links lead in a circle through ports only");
}

/* Follows ports of composites up to the leaf that produces the value, each port once. */
static hk_flow flow_at(hk_system *s, uint32_t slot) {
    uint32_t *path = NULL;
    size_t count = 0, cap = 0;
    hk_flow flow = {.state = HK_FLOW_DONE, .source = HK_MAP_NONE, .delay = {0, 1}};
    for (;;) {
        if (!(slot & HK_PORT_SLOT)) {
            flow = flow_of_leaf(s, slot);
            break;
        }
        hk_flow *here = &s->flows[slot & ~HK_PORT_SLOT];
        if (here->state == HK_FLOW_DONE) {
            flow = *here;
            break;
        }
        if (here->state == HK_FLOW_BUSY) {
            report_circle(s, slot);
            flow.bad = true;
            break;
        }
        here->state = HK_FLOW_BUSY;
        HK_PUSH(path, count, cap, slot);
        const hk_slot *at = slot_at(s, slot);
        if (at->driver == HK_MAP_NONE)
            break;
        slot = at->driver;
    }
    while (count-- > 0) {
        uint32_t index = path[count] & ~HK_PORT_SLOT;
        if (s->port_slots[index].driver != HK_MAP_NONE)
            flow = through(s, &s->port_slots[index], flow);
        if (s->port_frames[index])
            flow.frame = s->port_frames[index];
        flow.state = HK_FLOW_DONE;
        s->flows[index] = flow;
    }
    hk_free(path);
    return flow;
}

static const char *variable_path(hk_system *s, const hk_leafnode *leaf, uint32_t variable) {
    return hk_arena_printf(s->arena, "%s.%s", s->model->components[leaf->component].name,
                           leaf->kind->info->variables[variable].name);
}

static void connect(hk_system *s, uint32_t leaf, uint32_t variable) {
    const hk_leafnode *to = &s->leaves[leaf];
    const hk_slot *slot = &s->slots[to->first_slot + variable];
    hk_flow flow = through(s, slot, flow_at(s, slot->driver));
    const hk_linkwork *link = &s->links[slot->link];
    if (flow.bad || flow.source == HK_MAP_NONE)
        return;
    uint32_t producer = hk_system_slot_leaf(s, flow.source);
    const hk_leafnode *from = &s->leaves[producer];
    uint32_t source = flow.source - from->first_slot;
    const char *frame = leaf_frame(s, leaf, variable);
    if (frame && flow.frame && strcmp(frame, flow.frame) != 0) {
        frames_differ(s, link->where, variable_path(s, from, source), flow.frame,
                      variable_path(s, to, variable), frame);
        s->links[slot->link].bad = true; /* once for all parts */
        return;
    }
    hk_connection *k =
        hk_model_connect(s->model, from->component, source, to->component, variable, link->where);
    k->lag = flow.lag != HK_LAG_DEFAULT ? flow.lag : slot->lag; /* else the model's default */
    k->delay = flow.delay;
    const hk_variable *v = &from->kind->info->variables[source];
    if (flow.initial &&
        !hk_system_convert(s->model->arena, v, flow.initial_unit, flow.initial, &k->initial))
        hk_complain(&s->complaints, HK_E_VALUE, link->where, NULL,
                    "the initial value does not fit '%s'", variable_path(s, from, source));
}

static void connect_element(hk_system *s, const struct hk_elementlink *e) {
    const hk_linkwork *link = &s->links[e->link];
    const hk_leafnode *from = &s->leaves[e->from.leaf], *to = &s->leaves[e->to.leaf];
    uint32_t source = e->from.member->variables[e->from.first_part];
    uint32_t sink = e->to.member->variables[e->to.first_part];
    hk_connection *k =
        hk_model_connect(s->model, from->component, source, to->component, sink, link->where);
    k->from_slice = e->from.slice;
    k->to_slice = e->to.slice;
    k->lag = link->lag != HK_LAG_DEFAULT ? link->lag : s->slots[to->first_slot + sink].lag;
    if (!hk_ratio_add(from->delay, link->delay, &k->delay))
        hk_complain(&s->complaints, HK_E_TIME, link->where, NULL, "the delays are too long");
    const hk_variable *v = &from->kind->info->variables[source];
    if (link->initial &&
        !hk_system_convert(s->model->arena, v, link->units[0], &link->initial[0], &k->initial))
        hk_complain(&s->complaints, HK_E_VALUE, link->where, NULL,
                    "the initial value does not fit '%s'", variable_path(s, from, source));
}

/* Ports of the root composite are extra names for what leads to them. */
static void add_aliases(hk_system *s, const hk_scope *root) {
    for (size_t i = 0; i < root->member_count; i++) {
        const hk_compositeport *port = root->members[i].port;
        if (!port || port->broken || port->role != HK_ROLE_OUTPUT)
            continue;
        for (size_t p = 0; p < port->var.type->part_count; p++) {
            hk_flow flow = flow_at(s, HK_PORT_SLOT | (port->first + (uint32_t)p));
            if (flow.bad || flow.source == HK_MAP_NONE)
                continue;
            const hk_leafnode *from = &s->leaves[hk_system_slot_leaf(s, flow.source)];
            (void)hk_model_add_alias(
                s->model, hk_part_name(s->arena, port->var.name, port->var.type->parts[p].name),
                from->component, flow.source - from->first_slot, NULL);
        }
    }
}

void hk_system_connect_all(hk_system *s) {
    s->flows = HK_NEW_ARRAY(s->arena, hk_flow, s->port_slot_count + 1);
    for (uint32_t i = 0; i < s->leaf_count; i++) {
        const hk_leafnode *leaf = &s->leaves[i];
        size_t count = leaf->kind ? leaf->kind->info->variable_count : 0;
        for (uint32_t v = 0; v < count; v++)
            if (s->slots[leaf->first_slot + v].driver != HK_MAP_NONE)
                connect(s, i, v);
    }
    for (size_t i = 0; i < s->element_link_count; i++)
        if (!s->links[s->element_links[i].link].bad)
            connect_element(s, &s->element_links[i]);
    if (s->scope_count)
        add_aliases(s, s->scopes[0]);
}
