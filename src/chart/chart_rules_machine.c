/* SPDX-License-Identifier: MIT
 *
 * The rules of machines: nodes and transitions. */
#include "chart/resolve_internal.h"

#include <string.h>

static hk_where where_of(const hk_rcfile *file, const hk_rcitem *item) {
    return hk_rcr_where(file, &item->name.at);
}

static bool is_node(hk_rcitem_kind kind) {
    return kind == HK_RC_INITIAL || kind == HK_RC_FINAL || kind == HK_RC_JUNCTION ||
           kind == HK_RC_PROBABILISTIC || kind == HK_RC_STATE;
}

static const hk_rcitem *find_node(const hk_rcitem *body, const char *name) {
    for (size_t i = 0; i < body->item_count; i++)
        if (is_node(body->items[i].kind) && strcmp(body->items[i].name.text, name) == 0)
            return &body->items[i];
    return NULL;
}

static bool is_anywhere(const hk_rcitem *body, const char *name) {
    if (find_node(body, name))
        return true;
    for (size_t i = 0; i < body->item_count; i++)
        if (body->items[i].kind == HK_RC_STATE && is_anywhere(&body->items[i], name))
            return true;
    return false;
}

/* ---- transitions ------------------------------------------------------------------------------
 */

static const char *suggest(hk_resolver *r, const hk_rcitem *body, const char *name) {
    const char **names = HK_NEW_ARRAY(r->arena, const char *, body->item_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < body->item_count; i++)
        if (is_node(body->items[i].kind))
            names[count++] = body->items[i].name.text;
    return hk_complaint_suggest(&r->complaints, r->arena, name, names, count);
}

/* An end of a transition of BODY, which is in MACHINE. */
static const hk_rcitem *find_end(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *machine,
                                 const hk_rcitem *body, const hk_name *name) {
    const hk_rcitem *node = find_node(body, name->text);
    if (node)
        return node;
    if (is_anywhere(machine, name->text))
        hk_rcr_rule(r, hk_rcr_where(file, &name->at), "T1",
                    "a transition stays in the machine or state that it is declared in",
                    "a transition leads between levels: '%s' is not beside it", name->text);
    else
        hk_rcr_error(r, hk_rcr_where(file, &name->at), HK_E_NAME, suggest(r, body, name->text),
                     "there is no state or junction '%s' here", name->text);
    return NULL;
}

static void check_source(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item,
                         const hk_rcitem *from) {
    const hk_rcway *way = item->way;
    const char *name = item->name.text;
    bool chance = from->kind == HK_RC_PROBABILISTIC;
    if (from->kind == HK_RC_FINAL)
        hk_rcr_rule(r, where_of(file, item), "FS1", NULL,
                    "transition '%s' leads out of the final state '%s'", name, from->name.text);
    else if (way->trigger && from->kind != HK_RC_STATE)
        hk_rcr_rule(r, hk_rcr_where(file, &way->trigger->at), "J3", NULL,
                    "transition '%s' has a trigger, and does not begin at a state", name);
    if (chance && !way->probability)
        hk_rcr_rule(r, where_of(file, item), "PJ1", NULL,
                    "transition '%s' leads out of a probabilistic junction, and has no probability",
                    name);
    if (chance && (way->condition || way->otherwise))
        hk_rcr_rule(r, where_of(file, item), "PJ2", NULL,
                    "transition '%s' leads out of a probabilistic junction, and has a condition",
                    name);
    if (!chance && way->probability)
        hk_rcr_rule(r, hk_rcr_where(file, &way->probability->at), "PT1", NULL,
                    "transition '%s' has a probability, and does not begin at a probabilistic "
                    "junction",
                    name);
}

static void check_transition(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *machine,
                             const hk_rcitem *body, const hk_rcitem *item) {
    const hk_rcway *way = item->way;
    const hk_rcitem *from = find_end(r, file, machine, body, &way->from);
    const hk_rcitem *to = find_end(r, file, machine, body, &way->to);
    if (from)
        check_source(r, file, item, from);
    if (to && to->kind == HK_RC_INITIAL)
        hk_rcr_rule(r, hk_rcr_where(file, &way->to.at), "IJ1", NULL,
                    "transition '%s' leads to the initial junction '%s'", item->name.text,
                    to->name.text);
    if (way->trigger && way->trigger->kind == HK_RCS_SEND && way->trigger->value)
        hk_rcr_rule(r, hk_rcr_where(file, &way->trigger->at), "T2",
                    "a trigger is e, e ? x or e . v", "the trigger of '%s' sends '%s'",
                    item->name.text, way->trigger->name.text);
    if (way->deadline && !way->trigger)
        hk_rcr_rule(r, hk_rcr_where(file, &way->deadline->at), "TT1", NULL,
                    "transition '%s' has a deadline, and no trigger", item->name.text);
}

/* ---- nodes ------------------------------------------------------------------------------------
 */

static void count_ways(const hk_rcitem *body, const char *name, size_t *in, size_t *out) {
    *in = *out = 0;
    for (size_t i = 0; i < body->item_count; i++)
        if (body->items[i].kind == HK_RC_TRANSITION) {
            *out += strcmp(body->items[i].way->from.text, name) == 0;
            *in += strcmp(body->items[i].way->to.text, name) == 0;
        }
}

static void check_node(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *body,
                       const hk_rcitem *node) {
    size_t in, out;
    if (node->kind == HK_RC_STATE || node->kind == HK_RC_FINAL)
        return;
    count_ways(body, node->name.text, &in, &out);
    if (node->kind == HK_RC_INITIAL) {
        if (out != 1)
            hk_rcr_rule(r, where_of(file, node), "IJ2", NULL,
                        "%zu transitions lead out of the initial junction '%s'; it must be one",
                        out, node->name.text);
    } else if (!in || !out) {
        hk_rcr_rule(r, where_of(file, node), "J1", NULL, "no transition leads %s junction '%s'",
                    in ? "out of" : "to", node->name.text);
    }
}

static void check_actions(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *state) {
    static const hk_rcitem_kind kinds[] = {HK_RC_ENTRY, HK_RC_DURING, HK_RC_EXIT};
    for (size_t k = 0; k < 3; k++) {
        size_t count = 0;
        for (size_t i = 0; i < state->item_count; i++)
            if (state->items[i].kind == kinds[k] && ++count == 2)
                hk_rcr_rule(r, hk_rcr_where(file, &state->items[i].at), "S2", "join them by ';'",
                            "state '%s' has two %s actions", state->name.text,
                            hk_rct_word(kinds[k]));
    }
}

/* A machine, or a state with others in it. */
static void check_body(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *machine,
                       const hk_rcitem *body) {
    size_t initials = 0, states = 0, inside = 0;
    for (size_t i = 0; i < body->item_count; i++) {
        const hk_rcitem *item = &body->items[i];
        initials += item->kind == HK_RC_INITIAL;
        states += item->kind == HK_RC_STATE;
        inside += is_node(item->kind) || item->kind == HK_RC_TRANSITION;
        if (is_node(item->kind))
            check_node(r, file, body, item);
        if (item->kind == HK_RC_TRANSITION)
            check_transition(r, file, machine, body, item);
        if (item->kind == HK_RC_STATE) {
            check_actions(r, file, item);
            check_body(r, file, machine, item);
        }
    }
    const char *what = body == machine ? "machine" : "state";
    if (initials != 1 && (inside || body == machine))
        hk_rcr_rule(r, where_of(file, body), "STM3", NULL,
                    "%s '%s' has %zu initial junctions; it must have one", what, body->name.text,
                    initials);
    if (!states && (inside || body == machine))
        hk_rcr_rule(r, where_of(file, body), "STM4", NULL, "%s '%s' has no state%s", what,
                    body->name.text, body == machine ? "" : " in it");
}

void hk_rcr_rules_machine(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *machine) {
    check_body(r, file, machine, machine);
}
