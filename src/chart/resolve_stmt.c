/* SPDX-License-Identifier: MIT
 *
 * Statements of a machine's actions. */
#include "chart/resolve_internal.h"

#include <string.h>

static hk_where where_of(const hk_rcmachine *m, const hk_place *at) {
    return hk_rcr_where(m->file, at);
}

static hk_chart_stmt *make(hk_rcmachine *m, hk_chart_does does, const hk_place *at) {
    hk_chart_stmt *stmt = HK_NEW(m->module->r->arena, hk_chart_stmt);
    *stmt = (hk_chart_stmt){.does = does,
                            .event = HK_CHART_NONE,
                            .operation = HK_CHART_NONE,
                            .machine = HK_CHART_NONE,
                            .clock = HK_CHART_NONE,
                            .line = at->line,
                            .column = at->column};
    return stmt;
}

/* ---- places that are assigned to --------------------------------------------------------------
 */

static bool target_of_name(hk_rcenv *env, const hk_rcexpr *place, hk_chart_target *target) {
    hk_resolver *r = env->r;
    hk_where where = hk_rcr_where(env->file, &place->at);
    for (size_t i = 0; i < env->name_count; i++) {
        const hk_rcname *name = &env->names[i];
        if (strcmp(name->name, place->name.text) != 0)
            continue;
        if (name->parameter)
            return hk_rcr_rule(r, where, "parameter", NULL, "parameter '%s' is assigned to",
                               name->name);
        if (name->constant)
            return hk_rcr_error(r, where, HK_E_CHART, NULL, "constant '%s' is assigned to",
                                name->name);
        *target = (hk_chart_target){.cell = name->cell, .type = name->type};
        return true;
    }
    if (env->machine && env->machine->members.broken)
        return false;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, env->name_count + 1);
    for (size_t i = 0; i < env->name_count; i++)
        names[i] = env->names[i].name;
    return hk_rcr_error(
        r, where, HK_E_NAME,
        hk_complaint_suggest(&r->complaints, r->arena, place->name.text, names, env->name_count),
        "there is no variable '%s' here", place->name.text);
}

static bool target_of_field(hk_rcenv *env, const hk_rcexpr *place, hk_chart_target *target) {
    const hk_chart_field *field = hk_rcr_field(env, place, target->type);
    if (!field)
        return false;
    if (target->index)
        target->inner += field->offset;
    else
        target->cell += field->offset;
    target->type = field->type;
    return true;
}

/* An index that is a number is a place of its own, unless it is one in a sequence. */
static bool target_of_index(hk_rcenv *env, const hk_rcexpr *place, hk_chart_target *target) {
    hk_resolver *r = env->r;
    hk_where where = hk_rcr_where(env->file, &place->at);
    const hk_chart_type *type = target->type;
    bool matrix = type->kind == HK_CHART_MATRIX;
    if (!type->element)
        return hk_rcr_error(r, where, HK_E_CHART, NULL,
                            "only sequences, vectors, matrices and tuples have elements");
    if (target->index)
        return hk_rcr_refuse(r, where, "assignments to an element of an element", NULL);
    if (place->arg_count != (matrix ? 3 : 2))
        return hk_rcr_error(r, where, HK_E_CHART, NULL,
                            matrix ? "an element of a matrix has two indices"
                                   : "an element of a sequence or vector has one index");
    const hk_chart_type *integer = hk_rcr_core(r, HK_CHART_INT);
    const hk_chart_expr *index = hk_rcr_value(env, place->args[1], integer, "an index");
    const hk_chart_expr *column =
        matrix ? hk_rcr_value(env, place->args[2], integer, "an index") : NULL;
    if (!index || (matrix && !column))
        return false;
    target->index = index;
    target->column = column;
    target->element = type->element;
    target->length = matrix ? type->rows : type->length;
    target->columns = matrix ? type->columns : 1;
    target->sequence = type->kind == HK_CHART_SEQUENCE;
    target->type = type->element;
    return true;
}

bool hk_rcr_target(hk_rcenv *env, const hk_rcexpr *place, hk_chart_target *ret_target) {
    if (place->kind == HK_RCE_REF)
        return target_of_name(env, place, ret_target);
    if (!hk_rcr_target(env, place->args[0], ret_target))
        return false;
    return place->kind == HK_RCE_FIELD || ret_target->type->kind == HK_CHART_TUPLE
               ? target_of_field(env, place, ret_target)
               : target_of_index(env, place, ret_target);
}

static const hk_chart_stmt *resolve_assignment(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_rcenv env = hk_rcr_env(m);
    hk_chart_stmt *made = make(m, HK_CHART_ASSIGN, &stmt->at);
    if (!hk_rcr_target(&env, stmt->place, &made->place))
        return NULL;
    made->place.frame_size = env.local_max;
    if (env.local_max > env.r->frame_size)
        env.r->frame_size = env.local_max;
    if (!hk_rcr_code(&env, stmt->value, made->place.type, "what is assigned to", &made->value))
        return NULL;
    return made;
}

/* ---- communication ----------------------------------------------------------------------------
 */

/* A plain event is sent if it is connected to somebody; else it can only be received. */
static hk_chart_does direction(const hk_rcstmt *stmt, const hk_chart_event *event) {
    bool plain = stmt->kind == HK_RCS_SEND && !stmt->value;
    if (plain && event->out == HK_CHART_NONE && event->in != HK_CHART_NONE)
        return HK_CHART_RECEIVE;
    return stmt->kind == HK_RCS_SEND ? HK_CHART_SEND : HK_CHART_RECEIVE;
}

static const hk_chart_stmt *resolve_communication(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_resolver *r = m->module->r;
    hk_rcenv env = hk_rcr_env(m);
    hk_chart_stmt *made = make(m, HK_CHART_SEND, &stmt->at);
    bool stores = stmt->other.text[0], valued = stores || stmt->value;
    if (!hk_rcr_event(m, &stmt->name, &made->event))
        return NULL;
    const hk_chart_event *event = &m->events[made->event];
    if (!event->type != !valued) {
        hk_rcr_rule(r, where_of(m, &stmt->at), "Tg", NULL,
                    event->type
                        ? "event '%s' has a value of type %s, which is not said: e ! v or e "
                          "? x"
                        : "event '%s' has no value%s",
                    event->name, event->type ? event->type->name : "");
        return NULL;
    }
    made->does = direction(stmt, event);
    made->blocks = made->does == HK_CHART_RECEIVE;
    if (stmt->value &&
        !hk_rcr_code(&env, stmt->value, event->type, "the value of the event", &made->value))
        return NULL;
    if (made->does == HK_CHART_RECEIVE)
        made->value.expr = hk_rcr_compared(made->value.expr);
    if (!stores)
        return made;
    hk_rcexpr name = {.kind = HK_RCE_REF, .name = stmt->other, .at = stmt->other.at};
    if (!hk_rcr_target(&env, &name, &made->place))
        return NULL;
    if (hk_rcr_fits(made->place.type, event->type))
        return made;
    hk_rcr_rule(r, where_of(m, &stmt->at), "Tg", NULL,
                "event '%s' is of type %s, and variable '%s' of type %s", event->name,
                event->type->name, stmt->other.text, made->place.type->name);
    return NULL;
}

/* ---- time ---------------------------------------------------------------------------------------
 */

static const hk_chart_stmt *resolve_wait(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_rcenv env = hk_rcr_env(m);
    hk_chart_stmt *made = make(m, HK_CHART_WAIT, &stmt->at);
    const hk_rcexpr *value = stmt->value;
    made->blocks = true;
    if (value->kind != HK_RCE_RANGE)
        return hk_rcr_amount(&env, value, "a wait", &made->value) ? made : NULL;
    if (value->open_left || value->open_right) {
        hk_rcr_refuse(m->module->r, where_of(m, &value->at), "wait in an open interval",
                      "write wait([a, b])");
        return NULL;
    }
    const hk_chart_type *whole = hk_rcr_core(m->module->r, HK_CHART_INT);
    bool ok = hk_rcr_code(&env, value->args[0], whole, "an end of the interval", &made->value) &&
              hk_rcr_code(&env, value->args[1], whole, "an end of the interval", &made->until);
    return ok ? made : NULL;
}

static const hk_chart_stmt *resolve_deadline(hk_rcmachine *m, const hk_rcstmt *stmt,
                                             hk_chart_stmt *made) {
    hk_rcenv env = hk_rcr_env(m);
    return hk_rcr_amount(&env, stmt->value, "a deadline", &made->value) ? made : NULL;
}

/* ---- structure --------------------------------------------------------------------------------
 */

static hk_chart_stmt *resolve_parts(hk_rcmachine *m, const hk_rcstmt *stmt, hk_chart_does does) {
    hk_chart_stmt *made = make(m, does, &stmt->at);
    size_t count = stmt->part_count;
    const hk_chart_stmt **parts =
        HK_NEW_ARRAY(m->module->r->arena, const hk_chart_stmt *, count + 1);
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        parts[i] = hk_rcr_stmt(m, stmt->parts[i]);
        ok = parts[i] && ok;
        made->blocks |= parts[i] && parts[i]->blocks;
    }
    if (does == HK_CHART_CHOICE && count == 1)
        parts[count++] = make(m, HK_CHART_SKIP, &stmt->at);
    made->parts = parts;
    made->part_count = (uint32_t)count;
    return ok ? made : NULL;
}

static const hk_chart_stmt *resolve_choice(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_rcenv env = hk_rcr_env(m);
    hk_chart_code condition;
    bool ok = hk_rcr_code(&env, stmt->value, hk_rcr_core(m->module->r, HK_CHART_BOOLEAN),
                          "what 'if' asks", &condition);
    hk_chart_stmt *made = resolve_parts(m, stmt, HK_CHART_CHOICE);
    if (!made || !ok)
        return NULL;
    made->value = condition;
    return made;
}

const hk_chart_stmt *hk_rcr_stmt(hk_rcmachine *m, const hk_rcstmt *stmt) {
    hk_chart_stmt *made;
    switch (stmt->kind) {
    case HK_RCS_SKIP:
        return make(m, HK_CHART_SKIP, &stmt->at);
    case HK_RCS_ASSIGN:
        return resolve_assignment(m, stmt);
    case HK_RCS_SEND:
    case HK_RCS_RECEIVE:
        return resolve_communication(m, stmt);
    case HK_RCS_CALL:
        return hk_rcr_call_operation(m, stmt);
    case HK_RCS_WAIT:
        return resolve_wait(m, stmt);
    case HK_RCS_RESET:
        made = make(m, HK_CHART_RESET, &stmt->at);
        return hk_rcr_clock(m, &stmt->name, "TS1", &made->clock) ? made : NULL;
    case HK_RCS_IF:
        return resolve_choice(m, stmt);
    case HK_RCS_SEQUENTIAL:
        return resolve_parts(m, stmt, HK_CHART_SEQUENTIAL);
    case HK_RCS_PARENS:
        return hk_rcr_stmt(m, stmt->parts[0]);
    case HK_RCS_DEADLINE:
        made = resolve_parts(m, stmt, HK_CHART_DEADLINE);
        return made ? resolve_deadline(m, stmt, made) : NULL;
    }
    return NULL;
}
