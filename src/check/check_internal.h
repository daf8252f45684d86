/* SPDX-License-Identifier: MIT
 *
 * What the files that check a model share. */
#ifndef HK_CHECK_CHECK_INTERNAL_H
#define HK_CHECK_CHECK_INTERNAL_H

#include "check/check.h"

/* The work of one check. */
typedef struct hk_checker {
    hk_ctx *ctx;
    const hk_model *model;
    hk_arena *arena;
    size_t *first_slot; /* of each component: variables of all components in one row */
    uint32_t *driver;   /* per slot: the first connection that drives it; HK_MAP_NONE: none */
    uint32_t **drivers; /* per slot: the connection of each element; NULL: one drives them all */
    size_t error_count;
    hk_status error; /* of the last error */
} hk_checker;

static inline void hk_check_failed(hk_checker *k, hk_status error) {
    k->error_count++;
    k->error = error;
}

/* check_connections.c: ends, types and units of all connections; notes who drives what. */
void hk_check_connections(hk_checker *k);

#endif
