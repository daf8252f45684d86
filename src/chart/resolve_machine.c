/* SPDX-License-Identifier: MIT
 *
 * One machine as it is used in one place: nodes, transitions, events, clocks. */
#include "chart/resolve_internal.h"

#include <math.h>
#include <string.h>

hk_rcenv hk_rcr_env(hk_rcmachine *machine) {
    return (hk_rcenv){.r = machine->module->r,
                      .file = machine->file,
                      .names = machine->names,
                      .name_count = machine->name_count,
                      .machine = machine};
}

/* ---- events and clocks ------------------------------------------------------------------------
 */

/* Events of an operation are those of its caller. */
static bool find_callers_event(hk_rcmachine *m, const hk_rcmember *member, hk_chart_event *event) {
    const hk_rcmachine *caller = m->caller;
    for (size_t i = 0; i < caller->event_count; i++)
        if (strcmp(caller->events[i].name, event->name) == 0 &&
            caller->events[i].type == event->type) {
            event->in = caller->events[i].in;
            event->out = caller->events[i].out;
            return true;
        }
    return hk_rcr_error(m->module->r, hk_rcr_where(member->file, member->at), HK_E_CHART,
                        "an operation uses the events of the machine that calls it",
                        "machine '%s', which calls operation '%s', has no such event '%s'",
                        caller->name, m->name, event->name);
}

static void collect_events(hk_rcmachine *m) {
    hk_resolver *r = m->module->r;
    m->events = HK_NEW_ARRAY(r->arena, hk_chart_event, m->members.count + 1);
    for (size_t i = 0; i < m->members.count; i++) {
        const hk_rcmember *member = &m->members.all[i];
        if (member->kind != HK_RC_EVENT)
            continue;
        hk_chart_event event = {.name = member->name,
                                .in = HK_CHART_NONE,
                                .out = HK_CHART_NONE,
                                .file = member->file->file,
                                .line = member->at->line,
                                .column = member->at->column};
        if (member->item->type) {
            event.type = hk_rcr_type(r, member->file, member->item->type);
            if (!event.type)
                continue;
        }
        if (m->caller) {
            (void)find_callers_event(m, member, &event);
        } else {
            event.in = hk_rcr_line_of(r, m, event.name, true);
            event.out = hk_rcr_line_of(r, m, event.name, false);
        }
        m->events[m->event_count++] = event;
    }
}

static void collect_clocks(hk_rcmachine *m) {
    m->clocks = HK_NEW_ARRAY(m->module->r->arena, hk_chart_clock, m->members.count + 1);
    for (size_t i = 0; i < m->members.count; i++)
        if (m->members.all[i].kind == HK_RC_CLOCK)
            m->clocks[m->clock_count++] =
                (hk_chart_clock){.name = m->members.all[i].name, .largest = 0};
}

bool hk_rcr_clock(hk_rcmachine *m, const hk_name *name, const char *rule, uint32_t *ret_clock) {
    for (size_t i = 0; i < m->clock_count; i++)
        if (strcmp(m->clocks[i].name, name->text) == 0) {
            *ret_clock = (uint32_t)i;
            return true;
        }
    return hk_rcr_rule(m->module->r, hk_rcr_where(m->file, &name->at), rule,
                       "declare it: clock NAME", "machine '%s' has no clock '%s'",
                       m->item->name.text, name->text);
}

bool hk_rcr_event(hk_rcmachine *m, const hk_name *name, uint32_t *ret_event) {
    hk_resolver *r = m->module->r;
    for (size_t i = 0; i < m->event_count; i++)
        if (strcmp(m->events[i].name, name->text) == 0) {
            *ret_event = (uint32_t)i;
            return true;
        }
    if (strcmp(name->text, "exec") == 0) /* a statement, unless an event has that name */
        return hk_rcr_refuse(r, hk_rcr_where(m->file, &name->at), "exec (of RoboSim)", NULL);
    const char **names = HK_NEW_ARRAY(r->arena, const char *, m->event_count + 1);
    for (size_t i = 0; i < m->event_count; i++)
        names[i] = m->events[i].name;
    return hk_rcr_error(
        r, hk_rcr_where(m->file, &name->at), HK_E_NAME,
        hk_complaint_suggest(&r->complaints, r->arena, name->text, names, m->event_count),
        "machine '%s' has no event '%s'", m->item->name.text, name->text);
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

static bool is_node(hk_rcitem_kind kind) {
    return kind == HK_RC_INITIAL || kind == HK_RC_FINAL || kind == HK_RC_JUNCTION ||
           kind == HK_RC_PROBABILISTIC || kind == HK_RC_STATE;
}

static size_t count_nodes(const hk_rcitem *body) {
    size_t count = 0;
    for (size_t i = 0; i < body->item_count; i++)
        if (is_node(body->items[i].kind))
            count += 1 + count_nodes(&body->items[i]);
    return count;
}

static hk_chart_node_kind kind_of(hk_rcitem_kind kind) {
    switch (kind) {
    case HK_RC_INITIAL:
        return HK_CHART_INITIAL;
    case HK_RC_FINAL:
        return HK_CHART_FINAL;
    case HK_RC_JUNCTION:
        return HK_CHART_JUNCTION;
    case HK_RC_PROBABILISTIC:
        return HK_CHART_PROBABILISTIC;
    default:
        return HK_CHART_STATE;
    }
}

/* A state comes before those in it. Returns the initial node of BODY; NONE: it has none. */
static uint32_t add_nodes(hk_rcmachine *m, const hk_rcitem *body, uint32_t parent, uint32_t depth) {
    uint32_t initial = HK_CHART_NONE;
    for (size_t i = 0; i < body->item_count; i++) {
        const hk_rcitem *item = &body->items[i];
        if (!is_node(item->kind))
            continue;
        uint32_t index = (uint32_t)m->node_count++;
        hk_chart_node *node = &m->nodes[index];
        m->node_items[index] = item;
        *node = (hk_chart_node){.kind = kind_of(item->kind),
                                .name = item->name.text,
                                .parent = parent,
                                .initial = HK_CHART_NONE,
                                .final = HK_CHART_NONE,
                                .depth = depth,
                                .item = item,
                                .line = item->name.at.line,
                                .column = item->name.at.column};
        if (node->kind == HK_CHART_INITIAL && initial == HK_CHART_NONE)
            initial = index;
        if (node->kind == HK_CHART_FINAL && parent != HK_CHART_NONE &&
            m->nodes[parent].final == HK_CHART_NONE)
            m->nodes[parent].final = index;
        if (node->kind == HK_CHART_STATE)
            node->initial = add_nodes(m, item, index, depth + 1);
    }
    return initial;
}

static void resolve_actions(hk_rcmachine *m, uint32_t index) {
    const hk_rcitem *item = m->node_items[index];
    hk_chart_node *node = &m->nodes[index];
    for (size_t i = 0; i < item->item_count; i++) {
        const hk_rcitem *action = &item->items[i];
        const hk_chart_stmt **place = action->kind == HK_RC_ENTRY    ? &node->entry
                                      : action->kind == HK_RC_DURING ? &node->during
                                      : action->kind == HK_RC_EXIT   ? &node->exit
                                                                     : NULL;
        if (place)
            *place = hk_rcr_stmt(m, action->action);
    }
}

/* ---- transitions ------------------------------------------------------------------------------
 */

/* Names that are not there have been reported by the rules. */
static bool find_node(const hk_rcmachine *m, uint32_t container, const char *name,
                      uint32_t *ret_node) {
    for (size_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].parent == container && strcmp(m->nodes[i].name, name) == 0) {
            *ret_node = (uint32_t)i;
            return true;
        }
    return false;
}

/* e, e?x, e.v; the guard then reads what is received. */
static bool resolve_trigger(hk_rcmachine *m, const hk_rcstmt *trigger, hk_rcenv *env,
                            hk_chart_transition *t) {
    hk_resolver *r = m->module->r;
    hk_where where = hk_rcr_where(m->file, &trigger->at);
    bool stores = trigger->other.text[0];
    if (!hk_rcr_event(m, &trigger->name, &t->trigger))
        return false;
    const hk_chart_event *event = &m->events[t->trigger];
    if (trigger->kind == HK_RCS_SEND && trigger->value)
        return false; /* the rules have said so */
    if (!event->type != !(stores || trigger->value))
        return hk_rcr_rule(r, where, "Tg", NULL,
                           event->type ? "event '%s' has a value, which is not asked for: e ? x"
                                       : "event '%s' has no value",
                           event->name);
    if (stores) {
        hk_rcexpr name = {.kind = HK_RCE_REF, .name = trigger->other, .at = trigger->other.at};
        t->stores = hk_rcr_target(env, &name, &t->place);
        if (!t->stores)
            return false;
        if (!hk_rcr_fits(t->place.type, event->type))
            return hk_rcr_rule(
                r, where, "Tg", NULL, "event '%s' is of type %s, and variable '%s' of type %s",
                event->name, event->type->name, trigger->other.text, t->place.type->name);
        env->received = event->in == HK_CHART_NONE ? NULL : trigger->other.text;
        if (env->received)
            env->received_cell = ((hk_rcline *)r->lines.data)[event->in].line.cell;
    }
    if (trigger->value &&
        !hk_rcr_code(env, trigger->value, event->type, "the value of the event", &t->match))
        return false;
    t->match.expr = hk_rcr_compared(t->match.expr);
    return true;
}

static bool resolve_conditions(hk_rcmachine *m, const hk_rcway *way, hk_rcenv *env,
                               hk_chart_transition *t) {
    hk_resolver *r = m->module->r;
    uint32_t *resets = HK_NEW_ARRAY(r->arena, uint32_t, way->reset_count + 1);
    bool ok = true;
    for (size_t i = 0; i < way->reset_count; i++)
        ok = hk_rcr_clock(m, &way->resets[i], "TS1", &resets[t->reset_count++]) && ok;
    t->resets = resets;
    if (way->probability)
        ok = hk_rcr_code(env, way->probability, hk_rcr_core(r, HK_CHART_REAL), "a probability",
                         &t->probability) &&
             ok;
    if (way->deadline)
        ok = hk_rcr_amount(env, way->deadline, "a deadline", &t->deadline) && ok;
    if (way->condition) {
        env->guard = true;
        ok = hk_rcr_code(env, way->condition, hk_rcr_core(r, HK_CHART_BOOLEAN), "a condition",
                         &t->guard) &&
             ok;
        env->guard = false;
    }
    return ok;
}

static void resolve_transition(hk_rcmachine *m, const hk_rcitem *item, uint32_t container) {
    const hk_rcway *way = item->way;
    hk_chart_transition t = {.name = item->name.text,
                             .trigger = HK_CHART_NONE,
                             .otherwise = way->otherwise,
                             .item = item,
                             .line = item->name.at.line,
                             .column = item->name.at.column};
    hk_rcenv env = hk_rcr_env(m);
    bool ok = find_node(m, container, way->from.text, &t.from);
    ok = find_node(m, container, way->to.text, &t.to) && ok;
    if (way->trigger)
        ok = resolve_trigger(m, way->trigger, &env, &t) && ok;
    ok = resolve_conditions(m, way, &env, &t) && ok;
    if (way->action)
        ok = (t.action = hk_rcr_stmt(m, way->action)) && ok;
    if (ok)
        hk_list_add(&m->transitions, &t);
}

static void resolve_transitions(hk_rcmachine *m, const hk_rcitem *body, uint32_t container) {
    for (size_t i = 0; i < body->item_count; i++)
        if (body->items[i].kind == HK_RC_TRANSITION)
            resolve_transition(m, &body->items[i], container);
}

/* The transitions out of each node, as they are declared. */
static void collect_outgoing(hk_rcmachine *m) {
    const hk_chart_transition *all = m->transitions.data;
    uint32_t *outgoing = HK_NEW_ARRAY(m->module->r->arena, uint32_t, m->transitions.count + 1);
    for (size_t i = 0; i < m->node_count; i++) {
        m->nodes[i].outgoing = outgoing;
        for (uint32_t k = 0; k < m->transitions.count; k++)
            if (all[k].from == i)
                outgoing[m->nodes[i].outgoing_count++] = k;
        outgoing += m->nodes[i].outgoing_count;
    }
}

/* Ways out of a probabilistic junction: those that are known before a run. */
static void check_chances(hk_rcmachine *m) {
    const hk_chart_transition *all = m->transitions.data;
    hk_rcenv env = hk_rcr_env(m);
    for (size_t i = 0; i < m->node_count; i++) {
        const hk_chart_node *node = &m->nodes[i];
        double sum = 0, value;
        bool known = node->kind == HK_CHART_PROBABILISTIC && node->outgoing_count;
        for (uint32_t k = 0; known && k < node->outgoing_count; k++) {
            const hk_chart_transition *t = &all[node->outgoing[k]];
            known = t->probability.expr && hk_rcr_constant(&env, t->probability.expr, true, &value);
            if (known && (value < 0 || value > 1))
                known = hk_rcr_rule(
                    env.r, (hk_where){.file = m->file->file, .line = t->line, .column = t->column},
                    "PJ1", NULL, "the probability of transition '%s' is not from 0 to 1", t->name);
            sum += known ? value : 0;
        }
        if (known && fabs(sum - 1) > 1e-9)
            hk_rcr_rule(
                env.r,
                (hk_where){.file = m->file->file, .line = node->line, .column = node->column},
                "PJ3", NULL, "the probabilities out of junction '%s' add up to %.9g, not 1",
                node->name, sum);
    }
}

/* Operations that are required and that nobody has. */
static void check_required(hk_rcmachine *m) {
    for (size_t i = 0; i < m->members.count; i++) {
        const hk_rcmember *member = &m->members.all[i];
        if (member->kind == HK_RC_SIGNATURE && member->by == HK_RC_REQUIRES &&
            !hk_rcr_provides(m, member->name))
            hk_rcr_rule(m->module->r, hk_rcr_where(member->file, member->at), "required",
                        "the platform provides it, or the controller defines it",
                        "the operation '%s' is required, and nobody provides it", member->name);
    }
}

static uint32_t depth_of(const hk_rcmachine *m) {
    uint32_t depth = 1;
    for (size_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].depth + 1 > depth)
            depth = m->nodes[i].depth + 1;
    return depth;
}

void hk_rcr_machine(hk_rcmodule *module, hk_rcmachine *m) {
    hk_resolver *r = module->r;
    size_t count = count_nodes(m->item);
    m->module = module;
    hk_list_add(&r->used, &m->item);
    check_required(m);
    m->transitions = HK_LIST(hk_chart_transition);
    collect_events(m);
    collect_clocks(m);
    m->nodes = HK_NEW_ARRAY(r->arena, hk_chart_node, count + 1);
    m->node_items = HK_NEW_ARRAY(r->arena, const hk_rcitem *, count + 1);
    uint32_t initial = add_nodes(m, m->item, HK_CHART_NONE, 0);
    for (uint32_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == HK_CHART_STATE)
            resolve_actions(m, i);
    resolve_transitions(m, m->item, HK_CHART_NONE);
    for (uint32_t i = 0; i < m->node_count; i++)
        resolve_transitions(m, m->node_items[i], i);
    collect_outgoing(m);
    check_chances(m);
    hk_chart_machine *made = &((hk_chart_machine *)r->machines.data)[m->index];
    made->name = m->item->name.text;
    made->path = m->path;
    made->controller = m->controller;
    made->caller = m->caller ? m->caller->index : HK_CHART_NONE;
    made->nodes = m->nodes;
    made->node_count = (uint32_t)m->node_count;
    made->initial = initial;
    made->transition_count = (uint32_t)m->transitions.count;
    made->transitions = hk_list_keep(r->arena, &m->transitions);
    made->events = m->events;
    made->event_count = (uint32_t)m->event_count;
    made->clocks = m->clocks;
    made->clock_count = (uint32_t)m->clock_count;
    made->depth = depth_of(m);
    made->file = m->file->file;
    made->line = m->item->name.at.line;
    made->column = m->item->name.at.column;
    hk_map_finish(&m->performed);
}
