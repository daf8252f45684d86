/* SPDX-License-Identifier: MIT
 *
 * A run under way, as clients drive it. */
#ifndef HK_LIVE_DRIVE_H
#define HK_LIVE_DRIVE_H

#include "live/live_internal.h"

typedef struct hk_driver {
    hk_live *live;
    const hk_live_run *run;
    hk_arena *arena;
    hk_drive_state state;
    hk_status status;   /* of the run */
    const char *reason; /* why it is as it is; NULL: somebody said so */
    hk_tick goal;       /* where it pauses; HK_TICK_NEVER: nowhere */
    uint64_t steps;     /* instants until it pauses; 0: it does not count */
    hk_live_pace pace;
    hk_stop_when condition; /* that makes it pause */
    bool has_condition, condition_held;
    int64_t measured; /* for how fast it is */
    double measured_at, factor;
    uint32_t *wanted;
    size_t wanted_count;
    uint64_t wanted_version;
    hk_look look;
    hk_tick looked;       /* when values were put down last */
    size_t said;          /* messages of the context that clients have */
    uint64_t set_by_hand; /* values that clients have set */
    bool changed;         /* they are others since, though time stands still */
} hk_driver;

/* drive.c: a value as JSON. */
void hk_drive_put_value(hk_driver *driver, hk_look *look, uint32_t what);
/* drive_orders.c */
void hk_drive_pause_when(hk_driver *driver, const hk_order *order);
bool hk_drive_condition_holds(hk_driver *driver);
void hk_drive_get(hk_driver *driver, const hk_order *order);
void hk_drive_set(hk_driver *driver, const hk_order *order);

#endif
