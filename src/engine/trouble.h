/* SPDX-License-Identifier: MIT
 *
 * The faults of one connection: for trouble.c, which applies them, and state_changes.c, which saves
 * them. */
#ifndef HK_ENGINE_TROUBLE_H
#define HK_ENGINE_TROUBLE_H

#include "engine/sim_parts.h"

#include "base/random.h"

/* What is wrong with one element. */
typedef struct hk_defect {
    bool on[HK_FAULT_KINDS];
    double value[HK_FAULT_KINDS];
    hk_tick delay;
    bool stuck_known; /* what is held is known: the value of the fault, or what came first */
} hk_defect;

typedef struct hk_trouble {
    hk_defect *elements;
    size_t count;
    size_t faults; /* of all elements together */
    bool sent;     /* the input holds what the consumer saw last, for drops */
    char *held;    /* stuck values, as the output has them */
    hk_stream noise, drops;
    hk_tick first, period; /* of the consumer: draws go by the number of its activation */
    const char *start;     /* what the input has without a connection */
} hk_trouble;

/* Without a fault; for hk_trouble_free. */
hk_trouble *hk_trouble_create(hk_sim *sim, uint32_t connection);
void hk_trouble_free(hk_trouble *x); /* NULL is fine */
/* The output whose values it changes. */
const hk_variable *hk_trouble_source(const hk_sim *sim, const hk_connection *k);
/* Whether so much of the past of the connection is known. */
bool hk_trouble_may_delay(const hk_sim *sim, uint32_t connection, hk_tick delay);

#endif
