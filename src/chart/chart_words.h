/* SPDX-License-Identifier: MIT
 *
 * Actions and transitions in the words of the file, in their canonical form: for pictures. */
#ifndef HK_CHART_CHART_WORDS_H
#define HK_CHART_CHART_WORDS_H

#include "chart/chart.h"

/* What a state does, each in a line; NULL: nothing. */
typedef struct hk_chart_state_words {
    const char *entry, *during, *exit;
} hk_chart_state_words;

/* The parts of a transition as RoboChart writes them beside its arrow; NULL: it has none. */
typedef struct hk_chart_transition_words {
    const char *trigger; /* "found ? x # C <{3}", "p{0.5}" */
    const char *guard;   /* "[x > 0]", "[else]" */
    const char *action;  /* "/ x = 0" */
} hk_chart_transition_words;

hk_chart_state_words hk_chart_words_of_state(hk_arena *arena, const hk_chart_node *node);
hk_chart_transition_words hk_chart_words_of_transition(hk_arena *arena,
                                                       const hk_chart_transition *transition);

#endif
