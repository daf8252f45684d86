/* SPDX-License-Identifier: MIT
 *
 * Defects that are built into the rules of nodes to see them caught: hk_seed_bug chooses one while
 * the test runs. Each is a piece of text for a seam of time/rules.c. */
#ifndef HK_TEST_TIME_SEEDED_H
#define HK_TEST_TIME_SEEDED_H

extern int hk_seed_bug;

enum {
    BUG_NONE,
    BUG_LEVELS,        /* cells of one instant run from the highest level down */
    BUG_FIRST_PROMISE, /* the first message is expected without its lag */
    BUG_OFF_BY_ONE,    /* a cell runs although a message of its own instant may come */
    BUG_WHOLE_NODE,    /* a cell waits for the flows into all cells of its node */
    BUG_ONE_FLOW,      /* a cell waits for the first of its flows only */
    BUG_NEVER_CLOSED,  /* a finished sink does not close its flows */
    BUG_NO_LAG,        /* stamps without the lag */
    BUG_EARLY_END,     /* the end of a flow is promised one message too early */
    BUG_SAME_PERIOD,   /* the promise is the stamp plus the first period, although periods vary */
    BUG_LOST_PROMISE,  /* the promise of a message is forgotten */
    BUG_LATE_PROMISE,  /* ... is taken for a tick later */
    BUGS
};

#define SEAM_order(r)                                                                              \
    for (uint32_t seed_i = 0; hk_seed_bug == BUG_LEVELS && seed_i < (r)->cell_count; seed_i++)     \
        if (until_end(r, (r)->cells[seed_i].next.at) == least && least != HK_TICK_NEVER)           \
    (r)->current = seed_i

#define SEAM_first(r, flow)                                                                        \
    if (hk_seed_bug == BUG_FIRST_PROMISE && first != HK_TICK_NEVER)                                \
    (r)->flows[flow].next = first

#define SEAM_blocking(r, cell, t, found)                                                           \
    if (hk_seed_bug == BUG_OFF_BY_ONE && *(found) != HK_MAP_NONE &&                                \
        (r)->flows[*(found)].next == (t))                                                          \
        *(found) = HK_MAP_NONE;                                                                    \
    if (hk_seed_bug == BUG_ONE_FLOW && in->count && *(found) != in->all[0])                        \
        *(found) = HK_MAP_NONE;                                                                    \
    for (uint32_t seed_f = 0; hk_seed_bug == BUG_WHOLE_NODE && seed_f < (r)->graph->flow_count;    \
         seed_f++)                                                                                 \
        if ((r)->flows[seed_f].in && (r)->flows[seed_f].next <= (t) && !(r)->flows[seed_f].closed) \
    *(found) = seed_f

#define SEAM_done(r, done)                                                                         \
    if (hk_seed_bug == BUG_NEVER_CLOSED)                                                           \
    *(done) = false

#define SEAM_sending(r, action)                                                                    \
    if (hk_seed_bug == BUG_NO_LAG) {                                                               \
        (action)->at -= lag;                                                                       \
        (action)->promise -= next == HK_TICK_NEVER ? 0 : lag;                                      \
    } else if (hk_seed_bug == BUG_EARLY_END && next != HK_TICK_NEVER &&                            \
               hk_activation_next((r)->graph, (action)->cell, (r)->cells[(r)->running].next).at == \
                   HK_TICK_NEVER) {                                                                \
        (action)->promise = HK_TICK_NEVER;                                                         \
    } else if (hk_seed_bug == BUG_SAME_PERIOD && next != HK_TICK_NEVER) {                          \
        (action)->promise = (action)->at + (r)->graph->cells[(action)->cell].periods[0];           \
    }

#define SEAM_received(own, stamp)                                                                  \
    if (hk_seed_bug == BUG_LOST_PROMISE)                                                           \
        (own)->next = (stamp);                                                                     \
    if (hk_seed_bug == BUG_LATE_PROMISE && (own)->next != HK_TICK_NEVER)                           \
    (own)->next += 1

#endif
