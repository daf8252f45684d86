/* SPDX-License-Identifier: MIT */
#include "chart/chart_words.h"

#include "chart/print_internal.h"

static const char *stmt_words(hk_arena *arena, const hk_rcstmt *stmt) {
    hk_printer pr = {0};
    hk_rcw_stmt(&pr, stmt);
    return hk_print_finish(&pr, arena);
}

hk_chart_state_words hk_chart_words_of_state(hk_arena *arena, const hk_chart_node *node) {
    hk_chart_state_words words = {0};
    for (size_t i = 0; i < node->item->item_count; i++) {
        const hk_rcitem *item = &node->item->items[i];
        const char **place = item->kind == HK_RC_ENTRY    ? &words.entry
                             : item->kind == HK_RC_DURING ? &words.during
                             : item->kind == HK_RC_EXIT   ? &words.exit
                                                          : NULL;
        if (place)
            *place = stmt_words(arena, item->action);
    }
    return words;
}

static void put_between(hk_printer *pr, const char *open, const hk_rcexpr *expr,
                        const char *close) {
    hk_print(pr, pr->size ? " " : "");
    hk_print(pr, open);
    hk_rcw_expr(pr, expr);
    hk_print(pr, close);
}

static const char *trigger_words(hk_arena *arena, const hk_rcway *way) {
    hk_printer pr = {0};
    if (way->trigger)
        hk_rcw_stmt(&pr, way->trigger);
    if (way->probability)
        put_between(&pr, "p{", way->probability, "}");
    for (size_t i = 0; i < way->reset_count; i++) {
        hk_print(&pr, pr.size ? " #" : "#");
        hk_rcw_name(&pr, way->resets[i].text);
    }
    if (way->deadline)
        put_between(&pr, "<{", way->deadline, "}");
    return pr.size ? hk_print_finish(&pr, arena) : NULL;
}

static const char *guard_words(hk_arena *arena, const hk_rcway *way) {
    if (way->otherwise)
        return "[else]";
    if (!way->condition)
        return NULL;
    hk_printer pr = {0};
    put_between(&pr, "[", way->condition, "]");
    return hk_print_finish(&pr, arena);
}

hk_chart_transition_words hk_chart_words_of_transition(hk_arena *arena,
                                                       const hk_chart_transition *transition) {
    const hk_rcway *way = transition->item->way;
    return (hk_chart_transition_words){
        .trigger = trigger_words(arena, way),
        .guard = guard_words(arena, way),
        .action =
            way->action ? hk_arena_printf(arena, "/ %s", stmt_words(arena, way->action)) : NULL};
}
