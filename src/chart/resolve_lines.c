/* SPDX-License-Identifier: MIT
 *
 * Connections: those of the module and of its controllers, followed from the first end to the last.
 */
#include "chart/resolve_internal.h"

#include <string.h>

/* Where a connection begins or ends: the platform, a controller's edge, or a machine. */
typedef struct end {
    const hk_rccontroller *controller; /* NULL: the platform */
    const hk_rcmachine *machine;       /* NULL: the edge of the controller */
    const char *event;
} end;

typedef struct edge {
    end from, to;
    const hk_rccontroller *inside; /* NULL: a connection of the module */
    bool async;
    hk_where where;
} edge;

static bool is_edge(const end *e) {
    return e->controller && !e->machine;
}

static bool same_end(const end *a, const end *b) {
    return a->controller == b->controller && a->machine == b->machine &&
           strcmp(a->event, b->event) == 0;
}

/* Names that are not known have been reported by the rules. */
static bool find_end(const hk_rcmodule *module, const hk_rccontroller *inside, const char *name,
                     const char *event, end *ret_end) {
    *ret_end = (end){.controller = inside, .event = event};
    if (inside) {
        for (size_t i = 0; i < inside->machine_count; i++)
            if (strcmp(inside->machines[i].name, name) == 0) {
                ret_end->machine = &inside->machines[i];
                return true;
            }
        return strcmp(inside->item->name.text, name) == 0;
    }
    for (size_t i = 0; i < module->controller_count; i++)
        if (strcmp(module->controllers[i].path, name) == 0) {
            ret_end->controller = &module->controllers[i];
            return true;
        }
    return strcmp(module->platform_name, name) == 0;
}

static void add_edges(const hk_rcmodule *module, const hk_rccontroller *inside,
                      const hk_rcfile *file, const hk_rcitem *body, hk_list *edges) {
    for (size_t i = 0; i < body->item_count; i++) {
        const hk_rclink *link = body->items[i].link;
        edge made = {.inside = inside};
        if (body->items[i].kind != HK_RC_CONNECTION ||
            !find_end(module, inside, link->from.text, link->from_event.text, &made.from) ||
            !find_end(module, inside, link->to.text, link->to_event.text, &made.to))
            continue;
        made.async = link->async;
        made.where = hk_rcr_where(file, &body->items[i].at);
        hk_list_add(edges, &made);
        if (link->mult) {
            end from = made.from;
            made.from = made.to;
            made.to = from;
            hk_list_add(edges, &made);
        }
    }
}

/* The event that an end is about; NULL: it has been reported that there is none. */
static const hk_rcmember *event_of(const hk_rcmodule *module, const end *e) {
    const hk_rcmembers *members = e->machine      ? &e->machine->members
                                  : e->controller ? &e->controller->members
                                                  : &module->members;
    return hk_rcr_member(members, HK_RC_EVENT, e->event);
}

/* Goes on from the edge of a controller to its other side, as far as there are connections. */
static end follow(const hk_list *edges, const edge *first, bool *async) {
    const edge *all = edges->data, *last = first;
    for (size_t steps = 0; is_edge(&last->to) && steps < edges->count; steps++) {
        const edge *next = NULL;
        for (size_t i = 0; i < edges->count && !next; i++) {
            bool other_side = last->inside ? !all[i].inside : all[i].inside == last->to.controller;
            if (other_side && same_end(&all[i].from, &last->to))
                next = &all[i];
        }
        if (!next)
            break;
        last = next;
        *async |= last->async;
    }
    return last->to;
}

static void add_line(hk_rcmodule *module, const hk_list *edges, const edge *first) {
    hk_resolver *r = module->r;
    bool async = first->async;
    end last = follow(edges, first, &async);
    const hk_rcmember *event = event_of(module, &first->from);
    bool from_platform = !first->from.controller, to_platform = !last.controller;
    if (!event || (is_edge(&last) && !from_platform))
        return; /* it leads nowhere: nobody has it */
    hk_rcline made = {.from = first->from.machine,
                      .to = last.machine,
                      .from_event = first->from.event,
                      .to_event = last.event};
    hk_chart_line *line = &made.line;
    *line = (hk_chart_line){.kind = from_platform ? HK_CHART_FROM_PLATFORM
                                    : to_platform ? HK_CHART_TO_PLATFORM
                                                  : HK_CHART_BETWEEN,
                            .cell = HK_CHART_NONE,
                            .sent = HK_CHART_NONE,
                            .from_machine = HK_CHART_NONE,
                            .to_machine = HK_CHART_NONE,
                            .async = async,
                            .line = first->where.line,
                            .column = first->where.column};
    line->name = from_platform ? first->from.event
                 : to_platform
                     ? last.event
                     : hk_arena_printf(r->arena, "%s.%s", made.from->path, made.from_event);
    line->type = event->item->type ? hk_rcr_type(r, event->file, event->item->type) : NULL;
    if (line->type) {
        line->cell = line->sent = hk_rcr_allocate(r, line->type);
        if (line->kind == HK_CHART_BETWEEN)
            line->sent = hk_rcr_allocate(r, line->type);
    }
    if (from_platform && to_platform)
        return;
    const hk_rcline *lines = r->lines.data;
    for (size_t i = 0; i < r->lines.count; i++)
        if (line->kind != HK_CHART_BETWEEN && lines[i].line.kind != HK_CHART_BETWEEN &&
            strcmp(lines[i].line.name, line->name) == 0) {
            hk_rcr_error(r, first->where, HK_E_SUBSET, "use two events",
                         "not in hocket's subset: event '%s' of the platform in two connections",
                         line->name);
            return;
        }
    hk_list_add(&r->lines, &made);
}

/* Does a connection of the module (INSIDE false) or of the controller touch the event? */
static bool touches(const hk_list *edges, const end *e, bool inside) {
    const edge *all = edges->data;
    for (size_t i = 0; i < edges->count; i++)
        if ((all[i].inside != NULL) == inside &&
            (same_end(&all[i].from, e) || same_end(&all[i].to, e)))
            return true;
    return false;
}

/* Events of the platform and of controllers that nothing is connected to. */
static void lint_events(hk_rcmodule *module, const hk_list *edges, const hk_rccontroller *c) {
    const hk_rcmembers *members = c ? &c->members : &module->members;
    for (size_t i = 0; i < members->count; i++) {
        const hk_rcmember *m = &members->all[i];
        end e = {.controller = c, .event = m->name};
        if (m->kind != HK_RC_EVENT)
            continue;
        bool outer = touches(edges, &e, false), inner = !c || touches(edges, &e, true);
        if (!outer || !inner)
            hk_rcr_warn(module->r, hk_rcr_where(m->file, m->at), "connect it, or take it out",
                        "event '%s' of %s '%s' is not connected%s", m->name,
                        c ? "controller" : "platform", c ? c->path : module->platform_name,
                        !c || (!outer && !inner) ? ""
                        : outer                  ? " to a machine"
                                                 : " to the outside");
    }
}

void hk_rcr_lines(hk_rcmodule *module) {
    hk_list edges = HK_LIST(edge);
    add_edges(module, NULL, module->file, module->item, &edges);
    for (size_t i = 0; i < module->controller_count; i++) {
        const hk_rccontroller *c = &module->controllers[i];
        add_edges(module, c, c->file, c->item, &edges);
    }
    for (size_t i = 0; i < edges.count; i++) {
        const edge *e = &((edge *)edges.data)[i];
        if (!is_edge(&e->from))
            add_line(module, &edges, e);
    }
    if (module->r->lint && module->r->complaints.first == HK_OK) {
        lint_events(module, &edges, NULL);
        for (size_t i = 0; i < module->controller_count; i++)
            lint_events(module, &edges, &module->controllers[i]);
    }
    hk_free(edges.data);
}

uint32_t hk_rcr_line_of(const hk_resolver *r, const hk_rcmachine *machine, const char *event,
                        bool in) {
    const hk_rcline *all = r->lines.data;
    for (uint32_t i = 0; i < r->lines.count; i++)
        if ((in ? all[i].to : all[i].from) == machine &&
            strcmp(in ? all[i].to_event : all[i].from_event, event) == 0)
            return i;
    return HK_CHART_NONE;
}
