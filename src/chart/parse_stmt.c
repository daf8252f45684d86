/* SPDX-License-Identifier: MIT
 *
 * Statements of RoboChart: actions and triggers. docs/robochart.md has the grammar. */
#include "chart/parse_internal.h"

#include <string.h>

static hk_rcstmt *new_stmt(hk_parser *p, hk_rcstmt_kind kind, hk_place at) {
    hk_rcstmt *stmt = HK_NEW(p->arena, hk_rcstmt);
    *stmt = (hk_rcstmt){.kind = kind, .name = HK_MISSING, .other = HK_MISSING, .at = at};
    return stmt;
}

static void add_parts(hk_parser *p, hk_rcstmt *stmt, const hk_rcstmt *a, const hk_rcstmt *b) {
    const hk_rcstmt **parts = HK_NEW_ARRAY(p->arena, const hk_rcstmt *, 2);
    parts[0] = a;
    parts[1] = b;
    stmt->parts = parts;
    stmt->part_count = 1 + (b != NULL);
}

static const hk_rcstmt *read_if(hk_parser *p, hk_place at) {
    hk_rcstmt *stmt = new_stmt(p, HK_RCS_IF, at);
    const hk_rcstmt *yes = NULL, *no = NULL;
    bool ok = (stmt->value = hk_rcp_expr(p)) && hk_parser_expect(p, "then") &&
              (yes = hk_rcp_statement(p));
    if (ok && hk_parser_skip(p, "else"))
        ok = (no = hk_rcp_statement(p)) != NULL;
    add_parts(p, stmt, yes, no);
    return ok && hk_parser_expect(p, "end") ? stmt : NULL;
}

/* What is behind the name of an event; true also if that is nothing. */
static bool read_communication(hk_parser *p, hk_rcstmt *stmt) {
    stmt->kind = HK_RCS_SEND;
    if (hk_parser_is_mark(p, "[|"))
        return hk_rcp_refuse(p, "[|");
    if (hk_parser_skip_mark(p, "?")) {
        stmt->kind = HK_RCS_RECEIVE;
        return hk_rcp_qualified(p, "the variable that gets the value", &stmt->other);
    }
    if (hk_parser_skip_mark(p, "!"))
        return (stmt->value = hk_rcp_expr(p)) != NULL;
    if (hk_parser_skip_mark(p, ".")) {
        stmt->kind = HK_RCS_RECEIVE;
        return (stmt->value = hk_rcp_call(p)) != NULL;
    }
    return true;
}

const hk_rcstmt *hk_rcp_trigger(hk_parser *p) {
    hk_rcstmt *stmt = new_stmt(p, HK_RCS_SEND, hk_parser_here(p));
    if (hk_parser_is_mark(p, "$")) {
        hk_rcp_refuse(p, "$ (of RoboSim)");
        return NULL;
    }
    bool ok =
        hk_rcp_name(p, "the event of the trigger", &stmt->name) && read_communication(p, stmt);
    return ok ? stmt : NULL;
}

/* The rest of `a.b[1].c = E`, of which PLACE is the beginning. */
static const hk_rcstmt *read_assignment(hk_parser *p, hk_rcstmt *stmt, const hk_rcexpr *place) {
    stmt->kind = HK_RCS_ASSIGN;
    while (place && !hk_parser_is_mark(p, "=")) {
        if (hk_parser_skip_mark(p, ".")) {
            hk_rcexpr *field =
                (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_FIELD, stmt->at, place, NULL);
            place = field && hk_rcp_name(p, "the name of a field", &field->name) ? field : NULL;
        } else if (hk_parser_skip_mark(p, "[")) {
            place = hk_rcp_apply(p, HK_RCE_INDEX, place, "]");
        } else {
            hk_parser_unexpected(p, "'='", NULL);
            return NULL;
        }
    }
    if (!place)
        return NULL;
    hk_parser_take(p);
    stmt->place = place;
    stmt->value = hk_rcp_expr(p);
    return stmt->value ? stmt : NULL;
}

static bool is_plain_name(const hk_rcexpr *expr) {
    return expr->kind == HK_RCE_REF && !strstr(expr->name.text, "::");
}

/* Both `event . value` and `record . field = value` begin with a name and a point. */
static const hk_rcstmt *read_point(hk_parser *p, hk_rcstmt *stmt, const hk_rcexpr *name) {
    hk_parser_take(p);
    const hk_rcexpr *value = hk_rcp_call(p);
    if (!value)
        return NULL;
    bool goes_on =
        hk_parser_is_mark(p, ".") || hk_parser_is_mark(p, "[") || hk_parser_is_mark(p, "=");
    if (!is_plain_name(value) || !goes_on) {
        stmt->kind = HK_RCS_RECEIVE;
        stmt->value = value;
        return stmt;
    }
    hk_rcexpr *field = (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_FIELD, stmt->at, name, NULL);
    field->name = value->name;
    return read_assignment(p, stmt, field);
}

/* Calls, communications and assignments. */
static const hk_rcstmt *read_named(hk_parser *p, hk_place at) {
    hk_rcstmt *stmt = new_stmt(p, HK_RCS_CALL, at);
    if (!hk_rcp_qualified(p, "a statement", &stmt->name))
        return NULL;
    if (hk_parser_skip_mark(p, "("))
        return hk_rcp_list(p, NULL, ")", &stmt->args, &stmt->arg_count) ? stmt : NULL;
    hk_rcexpr *name = hk_rcp_new(p, HK_RCE_REF, at);
    name->name = stmt->name;
    if (hk_parser_is_mark(p, "."))
        return read_point(p, stmt, name);
    if (hk_parser_is_mark(p, "=") || hk_parser_is_mark(p, "["))
        return read_assignment(p, stmt, name);
    return read_communication(p, stmt) ? stmt : NULL;
}

static const hk_rcstmt *read_wait(hk_parser *p, hk_place at) {
    hk_rcstmt *stmt = new_stmt(p, HK_RCS_WAIT, at);
    bool ok = hk_parser_expect_mark(p, "(") && (stmt->value = hk_rcp_expr(p)) &&
              hk_parser_expect_mark(p, ")");
    return ok ? stmt : NULL;
}

static const hk_rcstmt *read_basic(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    hk_rcstmt *stmt;
    bool ok;
    if (hk_parser_skip(p, "if"))
        return read_if(p, at);
    if (hk_parser_skip(p, "skip"))
        return new_stmt(p, HK_RCS_SKIP, at);
    if (hk_parser_skip(p, "wait"))
        return read_wait(p, at);
    if (hk_parser_skip_mark(p, "#")) {
        stmt = new_stmt(p, HK_RCS_RESET, at);
        return hk_rcp_name(p, "the name of a clock", &stmt->name) ? stmt : NULL;
    }
    if (hk_parser_skip_mark(p, "(")) {
        stmt = new_stmt(p, HK_RCS_PARENS, at);
        const hk_rcstmt *part = hk_rcp_statement(p);
        add_parts(p, stmt, part, NULL);
        return part && hk_parser_expect_mark(p, ")") ? stmt : NULL;
    }
    if (hk_parser_is_mark(p, "$")) {
        hk_rcp_refuse(p, "$ (of RoboSim)");
        return NULL;
    }
    if (!hk_parser_skip(p, "send"))
        return read_named(p, at);
    stmt = new_stmt(p, HK_RCS_SEND, at);
    ok = hk_rcp_name(p, "the event that is sent", &stmt->name) && read_communication(p, stmt);
    return ok ? stmt : NULL;
}

static const hk_rcstmt *read_timed(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    const hk_rcstmt *stmt = read_basic(p);
    if (!stmt || !hk_parser_skip_mark(p, "<{"))
        return stmt;
    hk_rcstmt *timed = new_stmt(p, HK_RCS_DEADLINE, at);
    add_parts(p, timed, stmt, NULL);
    bool ok = (timed->value = hk_rcp_expr(p)) && hk_parser_expect_mark(p, "}");
    return ok ? timed : NULL;
}

const hk_rcstmt *hk_rcp_statement(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    if (!hk_parser_enter(p))
        return NULL;
    const hk_rcstmt *stmt = read_timed(p);
    if (stmt && hk_parser_is_mark(p, ";")) {
        hk_rcstmt *all = new_stmt(p, HK_RCS_SEQUENTIAL, at);
        hk_list parts = HK_LIST(const hk_rcstmt *);
        hk_list_add(&parts, &stmt);
        while (stmt && hk_parser_skip_mark(p, ";")) {
            stmt = read_timed(p);
            if (stmt)
                hk_list_add(&parts, &stmt);
        }
        all->part_count = parts.count;
        all->parts = hk_list_keep(p->arena, &parts);
        stmt = stmt ? all : NULL;
    }
    hk_parser_leave(p);
    return stmt;
}
