/* SPDX-License-Identifier: MIT
 *
 * RoboChart files in their canonical form. */
#include "chart/print_internal.h"

#include <string.h>

enum { WIDTH = 100 };

/* The word of an item and its name. */
static void put_head(hk_printer *pr, const hk_rcitem *item) {
    hk_print_line(pr, &item->at);
    hk_print(pr, hk_rct_word(item->kind));
    if (item->name.text[0]) {
        hk_print(pr, " ");
        hk_rcw_name(pr, item->name.text);
    }
}

static void put_var(hk_printer *pr, const void *var) {
    hk_rcw_var(pr, var);
}

static void put_vars(hk_printer *pr, const hk_rcitem *item) {
    for (size_t i = 0; i < item->var_count; i++) {
        if (i) {
            hk_print(pr, ",");
            hk_print_wrap(pr, hk_print_length(put_var, &item->vars[i]) + 1);
        }
        hk_rcw_var(pr, &item->vars[i]);
    }
}

static void put_parameters(hk_printer *pr, const hk_rcitem *item) {
    hk_print(pr, "(");
    put_vars(pr, item);
    hk_print(pr, ")");
}

static void put_item(hk_printer *pr, const hk_rcitem *item);

static void put_body(hk_printer *pr, const hk_rcitem *item) {
    if (!hk_print_open(pr, &item->at, &item->end, item->item_count == 0))
        return;
    for (size_t i = 0; i < item->item_count; i++)
        put_item(pr, &item->items[i]);
    hk_print_close(pr, &item->end);
}

/* ---- enumerations: on one line if they fit and have no comments */

static void put_enumerator(hk_printer *pr, const hk_rcitem *item) {
    hk_rcw_name(pr, item->name.text);
    for (size_t i = 0; i < item->var_count; i++) {
        hk_print(pr, i ? ", " : "(");
        hk_rcw_type(pr, item->vars[i].type);
    }
    hk_print(pr, item->var_count ? ")" : "");
}

static bool put_row(hk_printer *pr, const hk_rcitem *item) {
    size_t mark = pr->size;
    bool can = !item->at.behind && !item->end.before_count && item->item_count;
    for (size_t i = 0; i < item->item_count; i++)
        can = can && !item->items[i].at.behind && !item->items[i].at.before_count;
    if (!can)
        return false;
    hk_print(pr, " {");
    for (size_t i = 0; i < item->item_count; i++) {
        hk_print(pr, " ");
        put_enumerator(pr, &item->items[i]);
    }
    hk_print(pr, " }");
    if (pr->size - pr->line > WIDTH) {
        pr->size = mark;
        return false;
    }
    hk_print_end(pr, &item->end);
    return true;
}

/* ---- transitions: on one line if they fit */

static void put_gap(hk_printer *pr, bool column) {
    if (!column) {
        hk_print(pr, " ");
        return;
    }
    hk_print(pr, "\n");
    pr->line = pr->size;
    for (int i = 0; i < pr->depth; i++)
        hk_print(pr, "  ");
}

static void put_trigger(hk_printer *pr, const hk_rcway *way, bool column) {
    if (way->trigger || way->probability || way->reset_count || way->deadline)
        put_gap(pr, column);
    if (way->trigger) {
        hk_print(pr, "trigger ");
        hk_rcw_stmt(pr, way->trigger);
    } else if (way->probability) {
        hk_print(pr, "probability ");
        hk_rcw_expr(pr, way->probability);
    }
    for (size_t i = 0; i < way->reset_count; i++) {
        hk_print(pr, i || way->trigger || way->probability ? " # " : "# ");
        hk_rcw_name(pr, way->resets[i].text);
    }
    if (way->deadline) {
        hk_print(pr, way->trigger || way->probability || way->reset_count ? " <{" : "<{");
        hk_rcw_expr(pr, way->deadline);
        hk_print(pr, "}");
    }
}

static void put_way(hk_printer *pr, const hk_rcway *way, bool column) {
    hk_print(pr, " {");
    put_gap(pr, column);
    hk_print(pr, "from ");
    hk_rcw_name(pr, way->from.text);
    hk_print(pr, " to ");
    hk_rcw_name(pr, way->to.text);
    put_trigger(pr, way, column);
    if (way->otherwise || way->condition) {
        put_gap(pr, column);
        hk_print(pr, way->otherwise ? "condition else" : "condition ");
        if (way->condition)
            hk_rcw_expr(pr, way->condition);
    }
    if (way->action) {
        put_gap(pr, column);
        hk_print(pr, "action ");
        hk_rcw_stmt(pr, way->action);
    }
}

static void put_transition(hk_printer *pr, const hk_rcitem *item) {
    put_head(pr, item);
    size_t mark = pr->size, line = pr->line;
    int depth = pr->depth;
    pr->depth = 0; /* nothing is wrapped */
    put_way(pr, item->way, false);
    hk_print(pr, " }");
    pr->depth = depth;
    if (pr->size - line > WIDTH) {
        pr->size = mark;
        pr->line = line;
        pr->depth++;
        put_way(pr, item->way, true);
        pr->depth--;
        hk_print(pr, "\n");
        for (int i = 0; i < depth; i++)
            hk_print(pr, "  ");
        hk_print(pr, "}");
    }
    hk_print_end(pr, &item->at);
}

/* ---- items ------------------------------------------------------------------------------------
 */

/* An end of a connection: a node, and its event. */
static void put_end(hk_printer *pr, const char *before, const hk_name *node, const hk_name *event) {
    hk_print(pr, before);
    hk_rcw_name(pr, node->text);
    hk_print(pr, " on ");
    hk_rcw_name(pr, event->text);
}

static void put_connection(hk_printer *pr, const hk_rclink *link) {
    put_end(pr, " ", &link->from, &link->from_event);
    put_end(pr, " to ", &link->to, &link->to_event);
    hk_print(pr, link->async ? " (_async)" : "");
    hk_print(pr, link->mult ? " [mult]" : "");
}

static void put_named(hk_printer *pr, const hk_rcitem *item) {
    hk_print_line(pr, &item->at);
    if (item->kind == HK_RC_ITEM)
        put_enumerator(pr, item);
    else
        hk_rcw_name(pr, item->name.text);
    if (item->kind == HK_RC_SIGNATURE) {
        put_parameters(pr, item);
        hk_print(pr, item->flag ? " [terminates]" : "");
    } else if (item->kind == HK_RC_FIELD) {
        hk_print(pr, " : ");
        hk_rcw_type(pr, item->type);
    }
    hk_print_end(pr, &item->at);
}

/* What follows the word and the name of an item without a body. */
static void put_rest(hk_printer *pr, const hk_rcitem *item) {
    switch (item->kind) {
    case HK_RC_IMPORT:
    case HK_RC_USES:
    case HK_RC_PROVIDES:
    case HK_RC_REQUIRES:
        hk_print(pr, " ");
        hk_rcw_name(pr, item->target.text);
        hk_print(pr, item->flag ? "::*" : "");
        break;
    case HK_RC_RREF:
    case HK_RC_CREF:
    case HK_RC_SREF:
    case HK_RC_OPREF:
        hk_print(pr, " = ");
        hk_rcw_name(pr, item->target.text);
        break;
    case HK_RC_VAR:
    case HK_RC_CONST:
        hk_print(pr, " ");
        put_vars(pr, item);
        break;
    case HK_RC_EVENT:
        hk_print(pr, item->type ? " : " : "");
        if (item->type)
            hk_rcw_type(pr, item->type);
        break;
    case HK_RC_CONNECTION:
        put_connection(pr, item->link);
        break;
    case HK_RC_CYCLE:
        hk_print(pr, " cycle == ");
        hk_rcw_expr(pr, item->value);
        break;
    case HK_RC_PRECONDITION:
    case HK_RC_POSTCONDITION:
        hk_print(pr, " ");
        hk_rcw_expr(pr, item->value);
        break;
    case HK_RC_ENTRY:
    case HK_RC_DURING:
    case HK_RC_EXIT:
        hk_print(pr, " ");
        hk_rcw_stmt(pr, item->action);
        break;
    default:
        break;
    }
}

static bool has_body(hk_rcitem_kind kind) {
    switch (kind) {
    case HK_RC_INTERFACE:
    case HK_RC_PLATFORM:
    case HK_RC_RECORD:
    case HK_RC_ENUMERATION:
    case HK_RC_CONTROLLER:
    case HK_RC_MACHINE:
    case HK_RC_OPERATION:
    case HK_RC_FUNCTION:
    case HK_RC_MODULE:
    case HK_RC_STATE:
        return true;
    default:
        return false;
    }
}

static void put_item(hk_printer *pr, const hk_rcitem *item) {
    if (item->kind == HK_RC_TRANSITION) {
        put_transition(pr, item);
        return;
    }
    if (item->kind == HK_RC_SIGNATURE || item->kind == HK_RC_FIELD || item->kind == HK_RC_ITEM) {
        put_named(pr, item);
        return;
    }
    if (item->kind == HK_RC_EVENT && item->flag) {
        hk_print_line(pr, &item->at);
        hk_print(pr, "_broadcast event ");
        hk_rcw_name(pr, item->name.text);
    } else {
        put_head(pr, item);
    }
    if (!has_body(item->kind)) {
        put_rest(pr, item);
        hk_print_end(pr, &item->at);
        return;
    }
    if (item->kind == HK_RC_OPERATION || item->kind == HK_RC_FUNCTION)
        put_parameters(pr, item);
    if (item->kind == HK_RC_FUNCTION) {
        hk_print(pr, " : ");
        hk_rcw_type(pr, item->type);
    }
    if (item->kind != HK_RC_ENUMERATION || !put_row(pr, item))
        put_body(pr, item);
}

static const char *put_file(hk_printer pr, hk_arena *arena, const hk_rcfile *file) {
    if (file->package.text[0]) {
        hk_print_line(&pr, &file->package_at);
        hk_print(&pr, "package ");
        hk_rcw_name(&pr, file->package.text);
        hk_print_end(&pr, &file->package_at);
        hk_print_blank(&pr);
    }
    for (size_t i = 0; i < file->item_count; i++)
        put_item(&pr, &file->items[i]);
    hk_print_rest(&pr, &file->end);
    return hk_print_finish(&pr, arena);
}

const char *hk_rct_print(hk_arena *arena, const hk_rcfile *file) {
    return put_file((hk_printer){0}, arena, file);
}

const char *hk_rct_print_bare(hk_arena *arena, const hk_rcfile *file) {
    return put_file((hk_printer){.bare = true}, arena, file);
}
