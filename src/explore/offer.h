/* SPDX-License-Identifier: MIT
 *
 * The values that an input can bring: a finite list, whatever its type. Truths and enumerations are
 * whole by themselves; given types are 0 and 1 unless something else is said; numbers and lengths
 * of sequences have to be given. */
#ifndef HK_EXPLORE_OFFER_H
#define HK_EXPLORE_OFFER_H

#include "explore/property.h"

typedef struct hk_offer hk_offer;
struct hk_offer {
    const hk_chart_type *type;
    uint64_t count;        /* of values */
    const hk_cell *values; /* a scalar */
    /* RECORD, TUPLE: one for each field; else one for the elements */
    const hk_offer *const *parts;
    uint32_t longest; /* SEQUENCE */
};

enum { HK_OFFER_MAX = 1000000 }; /* values of one event */

/* What was said about values: bounds of options and files. `used` and `left` have one element for
 * each. */
typedef struct hk_ask_bounds {
    const hk_ask_bound *all;
    size_t count;
    bool *used;
    bool *left; /* it is about something that a plant brings: it is right, but not needed */
} hk_ask_bounds;

/* What has values: how messages and bounds call it ("gas"), and where it is. */
typedef struct hk_offer_of {
    const char *path;
    const hk_chart_type *type;
    hk_where where;
} hk_offer_of;

HK_NODISCARD hk_status hk_offer_make(hk_ctx *ctx, hk_arena *arena, const hk_ask_bounds *bounds,
                                     const hk_offer_of *of, const hk_offer **ret_offer);
/* PATH, and all that it is made of, needs no bounds. */
void hk_offer_leave(hk_arena *arena, const hk_ask_bounds *bounds, const char *path,
                    const hk_chart_type *type);
/* Bounds of nothing are errors; those that are not needed are told. */
HK_NODISCARD hk_status hk_ask_bounds_check(hk_ctx *ctx, const hk_ask_bounds *bounds);
/* Value number INDEX. */
void hk_offer_put(const hk_offer *offer, uint64_t index, hk_cell *cells);

/* "NAME=VALUES" of an option; *ret_bound lives in ARENA. */
HK_NODISCARD hk_status hk_ask_bound_read(hk_ctx *ctx, hk_arena *arena, const char *option,
                                         bool length, const char *text, hk_ask_bound *ret_bound);

#endif
