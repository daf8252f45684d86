/* SPDX-License-Identifier: MIT
 *
 * Types, expressions and statements of RoboChart in their canonical form. Brackets are those of the
 * tree, so nothing has to be known here of what binds more. */
#include "chart/print_internal.h"

#include <string.h>

void hk_rcw_name(hk_printer *pr, const char *name) {
    while (*name) {
        const char *colon = strstr(name, "::");
        size_t length = colon ? (size_t)(colon - name) : strlen(name);
        char part[64];
        bool short_one = length < sizeof part;
        if (short_one) { /* words of the language are */
            memcpy(part, name, length);
            part[length] = '\0';
        }
        if (short_one && hk_rct_is_keyword(part))
            hk_print(pr, "^");
        for (size_t i = 0; i < length; i++)
            hk_print(pr, (char[2]){name[i], '\0'});
        hk_print(pr, colon ? "::" : "");
        name += length + (colon ? 2 : 0);
    }
}

/* ---- types ------------------------------------------------------------------------------------
 */

static void put_sized(hk_printer *pr, const char *word, const hk_rctype *type) {
    hk_print(pr, word);
    hk_print(pr, "(");
    hk_rcw_type(pr, type->parts[0]);
    for (size_t i = 0; i < 2 && type->sizes[i]; i++) {
        hk_print(pr, ", ");
        hk_rcw_expr(pr, type->sizes[i]);
    }
    hk_print(pr, ")");
}

static void put_joined(hk_printer *pr, const hk_rctype *type, const char *mark) {
    for (size_t i = 0; i < type->part_count; i++) {
        hk_print(pr, i ? mark : "");
        hk_rcw_type(pr, type->parts[i]);
    }
}

void hk_rcw_type(hk_printer *pr, const hk_rctype *type) {
    switch (type->kind) {
    case HK_RCT_NAME:
        hk_rcw_name(pr, type->name.text);
        break;
    case HK_RCT_ANY:
        hk_print(pr, "?");
        hk_rcw_name(pr, type->name.text);
        break;
    case HK_RCT_SEQ:
        put_sized(pr, "Seq", type);
        break;
    case HK_RCT_SET:
        put_sized(pr, "Set", type);
        break;
    case HK_RCT_VECTOR:
        put_sized(pr, "vector", type);
        break;
    case HK_RCT_MATRIX:
        put_sized(pr, "matrix", type);
        break;
    case HK_RCT_PARENS:
        put_sized(pr, "", type);
        break;
    case HK_RCT_PRODUCT:
        put_joined(pr, type, " * ");
        break;
    case HK_RCT_FUNCTION:
        put_joined(pr, type, " -> ");
        break;
    case HK_RCT_RELATION:
        put_joined(pr, type, " <-> ");
        break;
    }
}

void hk_rcw_var(hk_printer *pr, const hk_rcvar *var) {
    hk_rcw_name(pr, var->name.text);
    if (var->type) {
        hk_print(pr, " : ");
        hk_rcw_type(pr, var->type);
    }
    if (var->value) {
        hk_print(pr, " = ");
        hk_rcw_expr(pr, var->value);
    }
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static void put_args(hk_printer *pr, const char *open, const hk_rcexpr *expr, size_t first,
                     const char *close) {
    hk_print(pr, open);
    for (size_t i = first; i < expr->arg_count; i++) {
        hk_print(pr, i > first ? ", " : "");
        hk_rcw_expr(pr, expr->args[i]);
    }
    hk_print(pr, close);
}

/* Values behind MARK: let and records. */
static void put_values(hk_printer *pr, const hk_rcexpr *expr, const char *mark) {
    for (size_t i = 0; i < expr->var_count; i++) {
        hk_print(pr, i ? ", " : "");
        hk_rcw_name(pr, expr->vars[i].name.text);
        hk_print(pr, mark);
        hk_rcw_expr(pr, expr->vars[i].value);
    }
}

/* x : T, ... | P @ E */
static void put_binder(hk_printer *pr, const hk_rcexpr *expr) {
    for (size_t i = 0; i < expr->var_count; i++) {
        hk_print(pr, i ? ", " : "");
        hk_rcw_var(pr, &expr->vars[i]);
    }
    if (expr->args[0]) {
        hk_print(pr, " | ");
        hk_rcw_expr(pr, expr->args[0]);
    }
    if (expr->args[1]) {
        hk_print(pr, " @ ");
        hk_rcw_expr(pr, expr->args[1]);
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A number may not come right behind a point: it would be one with what is before. */
static void put_field(hk_printer *pr, const hk_rcexpr *expr) {
    bool number = is_digit(expr->name.text[0]);
    hk_rcw_expr(pr, expr->args[0]);
    hk_print(pr, number ? " . " : ".");
    if (number)
        hk_print(pr, expr->name.text);
    else
        hk_rcw_name(pr, expr->name.text);
}

static void put_expr(hk_printer *pr, const void *expr) {
    hk_rcw_expr(pr, expr);
}

/* Conditions that are joined may stand on several lines. */
static void put_binary(hk_printer *pr, const hk_rcexpr *expr) {
    bool joins = expr->name.text[0] == '/' || expr->name.text[0] == '\\' ||
                 strcmp(expr->name.text, "=>") == 0 || strcmp(expr->name.text, "iff") == 0;
    hk_rcw_expr(pr, expr->args[0]);
    hk_print(pr, " ");
    hk_print(pr, expr->name.text);
    if (joins && strcmp(expr->name.text, "/") != 0 && pr->depth > 0)
        hk_print_wrap(pr, hk_print_length(put_expr, expr->args[1]));
    else
        hk_print(pr, " ");
    hk_rcw_expr(pr, expr->args[1]);
}

static void put_choice(hk_printer *pr, const hk_rcexpr *expr) {
    hk_print(pr, "if ");
    hk_rcw_expr(pr, expr->args[0]);
    hk_print(pr, " then ");
    hk_rcw_expr(pr, expr->args[1]);
    hk_print(pr, " else ");
    hk_rcw_expr(pr, expr->args[2]);
    hk_print(pr, " end");
}

static void put_matrix(hk_printer *pr, const hk_rcexpr *expr) {
    hk_print(pr, "[| ");
    for (size_t i = 0; i < expr->arg_count; i++)
        put_args(pr, i ? "; " : "", expr->args[i], 0, "");
    hk_print(pr, " |]");
}

static void put_word_call(hk_printer *pr, const char *word, const hk_rcexpr *expr) {
    hk_print(pr, word);
    hk_print(pr, "(");
    hk_rcw_name(pr, expr->name.text);
    hk_print(pr, ")");
}

static void put_prefix(hk_printer *pr, const char *word, const hk_rcexpr *expr) {
    hk_print(pr, word);
    hk_rcw_expr(pr, expr->args[0]);
}

/* Those that consist of values between brackets. */
static bool put_brackets(hk_printer *pr, const hk_rcexpr *expr) {
    switch (expr->kind) {
    case HK_RCE_TUPLE:
        put_args(pr, "(| ", expr, 0, " |)");
        return true;
    case HK_RCE_SEQ:
        put_args(pr, expr->arg_count ? "< " : "<", expr, 0, expr->arg_count ? " >" : ">");
        return true;
    case HK_RCE_SET:
        put_args(pr, "{", expr, 0, "}");
        return true;
    case HK_RCE_VECTOR:
        put_args(pr, "[| ", expr, 0, " |]");
        return true;
    case HK_RCE_RANGE:
        put_args(pr, expr->open_left ? "(" : "[", expr, 0, expr->open_right ? ")" : "]");
        return true;
    case HK_RCE_PARENS:
        put_args(pr, "(", expr, 0, ")");
        return true;
    case HK_RCE_CALL:
        hk_rcw_expr(pr, expr->args[0]);
        put_args(pr, "(", expr, 1, ")");
        return true;
    case HK_RCE_INDEX:
        hk_rcw_expr(pr, expr->args[0]);
        put_args(pr, "[", expr, 1, "]");
        return true;
    default:
        return false;
    }
}

static void put_bound(hk_printer *pr, const hk_rcexpr *expr) {
    switch (expr->kind) {
    case HK_RCE_RECORD:
        hk_rcw_name(pr, expr->name.text);
        hk_print(pr, " (| ");
        put_values(pr, expr, " = ");
        hk_print(pr, " |)");
        break;
    case HK_RCE_SET_RANGE:
        put_prefix(pr, "{", expr);
        hk_print(pr, " to ");
        hk_rcw_expr(pr, expr->args[1]);
        hk_print(pr, "}");
        break;
    case HK_RCE_SET_COMP:
        hk_print(pr, "{");
        put_binder(pr, expr);
        hk_print(pr, "}");
        break;
    case HK_RCE_LET:
        hk_print(pr, "let ");
        put_values(pr, expr, " == ");
        hk_print(pr, " @ ");
        hk_rcw_expr(pr, expr->args[0]);
        break;
    default:
        hk_print(pr, expr->name.text);
        hk_print(pr, " ");
        put_binder(pr, expr);
    }
}

void hk_rcw_expr(hk_printer *pr, const hk_rcexpr *expr) {
    if (put_brackets(pr, expr))
        return;
    switch (expr->kind) {
    case HK_RCE_REF:
        hk_rcw_name(pr, expr->name.text);
        break;
    case HK_RCE_SINCE:
        put_word_call(pr, "since", expr);
        break;
    case HK_RCE_SINCE_ENTRY:
        put_word_call(pr, "sinceEntry", expr);
        break;
    case HK_RCE_UNARY_CALL:
        hk_print(pr, expr->name.text);
        put_args(pr, "(", expr, 0, ")");
        break;
    case HK_RCE_FIELD:
        put_field(pr, expr);
        break;
    case HK_RCE_NEGATE:
        put_prefix(pr, "-", expr);
        break;
    case HK_RCE_NOT:
        put_prefix(pr, "not ", expr);
        break;
    case HK_RCE_BINARY:
        put_binary(pr, expr);
        break;
    case HK_RCE_IF:
        put_choice(pr, expr);
        break;
    case HK_RCE_TYPED:
        put_prefix(pr, "", expr);
        hk_print(pr, expr->name.text[0] == 'a' ? " as " : " is ");
        hk_rcw_type(pr, expr->type);
        break;
    case HK_RCE_MATRIX:
        put_matrix(pr, expr);
        break;
    case HK_RCE_RECORD:
    case HK_RCE_SET_RANGE:
    case HK_RCE_SET_COMP:
    case HK_RCE_LET:
    case HK_RCE_BINDER:
        put_bound(pr, expr);
        break;
    default: /* numbers, texts, truths, words */
        hk_print(pr, expr->name.text);
    }
}

/* ---- statements -------------------------------------------------------------------------------
 */

static void put_communication(hk_printer *pr, const hk_rcstmt *stmt) {
    hk_rcw_name(pr, stmt->name.text);
    if (stmt->other.text[0]) {
        hk_print(pr, " ? ");
        hk_rcw_name(pr, stmt->other.text);
    } else if (stmt->value) {
        hk_print(pr, stmt->kind == HK_RCS_SEND ? " ! " : " . ");
        hk_rcw_expr(pr, stmt->value);
    }
}

static void put_call(hk_printer *pr, const hk_rcstmt *stmt) {
    hk_rcw_name(pr, stmt->name.text);
    hk_print(pr, "(");
    for (size_t i = 0; i < stmt->arg_count; i++) {
        hk_print(pr, i ? ", " : "");
        hk_rcw_expr(pr, stmt->args[i]);
    }
    hk_print(pr, ")");
}

static void put_if(hk_printer *pr, const hk_rcstmt *stmt) {
    hk_print(pr, "if ");
    hk_rcw_expr(pr, stmt->value);
    hk_print(pr, " then ");
    hk_rcw_stmt(pr, stmt->parts[0]);
    if (stmt->part_count > 1) {
        hk_print(pr, " else ");
        hk_rcw_stmt(pr, stmt->parts[1]);
    }
    hk_print(pr, " end");
}

static void put_stmt(hk_printer *pr, const void *stmt) {
    hk_rcw_stmt(pr, stmt);
}

static void put_sequence(hk_printer *pr, const hk_rcstmt *stmt) {
    for (size_t i = 0; i < stmt->part_count; i++) {
        if (i) {
            hk_print(pr, ";");
            if (pr->depth > 0)
                hk_print_wrap(pr, hk_print_length(put_stmt, stmt->parts[i]));
            else
                hk_print(pr, " ");
        }
        hk_rcw_stmt(pr, stmt->parts[i]);
    }
}

/* VALUE between brackets, behind WORD. */
static void put_value(hk_printer *pr, const char *open, const hk_rcexpr *value, const char *close) {
    hk_print(pr, open);
    hk_rcw_expr(pr, value);
    hk_print(pr, close);
}

void hk_rcw_stmt(hk_printer *pr, const hk_rcstmt *stmt) {
    switch (stmt->kind) {
    case HK_RCS_SKIP:
        hk_print(pr, "skip");
        break;
    case HK_RCS_ASSIGN:
        hk_rcw_expr(pr, stmt->place);
        put_value(pr, " = ", stmt->value, "");
        break;
    case HK_RCS_SEND:
    case HK_RCS_RECEIVE:
        put_communication(pr, stmt);
        break;
    case HK_RCS_CALL:
        put_call(pr, stmt);
        break;
    case HK_RCS_WAIT:
        put_value(pr, "wait(", stmt->value, ")");
        break;
    case HK_RCS_RESET:
        hk_print(pr, "# ");
        hk_rcw_name(pr, stmt->name.text);
        break;
    case HK_RCS_IF:
        put_if(pr, stmt);
        break;
    case HK_RCS_SEQUENTIAL:
        put_sequence(pr, stmt);
        break;
    case HK_RCS_PARENS:
        hk_print(pr, "(");
        hk_rcw_stmt(pr, stmt->parts[0]);
        hk_print(pr, ")");
        break;
    case HK_RCS_DEADLINE:
        hk_rcw_stmt(pr, stmt->parts[0]);
        put_value(pr, " <{", stmt->value, "}");
        break;
    }
}
