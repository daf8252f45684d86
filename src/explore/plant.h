/* SPDX-License-Identifier: MIT
 *
 * A plant as a table: for each of its states, and what the controller did in the cycle before,
 * where it goes and what it brings. */
#ifndef HK_EXPLORE_PLANT_H
#define HK_EXPLORE_PLANT_H

#include "explore/property.h"

/* A column of conditions: something that the controller emits, or a variable of it. */
typedef struct hk_plant_output {
    const char *name;
    hk_ask_value value;
} hk_plant_output;

typedef enum hk_plant_cell_kind {
    HK_PLANT_ANY,    /* a condition: whatever it is; an input: any of its values, or none */
    HK_PLANT_ABSENT, /* it does not happen */
    HK_PLANT_PRESENT,
    HK_PLANT_VALUE /* it happens with this value */
} hk_plant_cell_kind;

typedef struct hk_plant_cell {
    hk_plant_cell_kind kind;
    hk_cell value;
} hk_plant_cell;

typedef struct hk_plant_row {
    uint32_t state, next;
    const hk_plant_cell *outputs, *inputs;
    int line;
} hk_plant_row;

typedef struct hk_plant {
    const char *file;
    const char *const *states; /* the first one is where it begins */
    size_t state_count;
    const hk_plant_output *outputs;
    size_t output_count;
    const uint32_t *inputs; /* lines of the controller */
    size_t input_count;
    const hk_plant_row *rows;
    size_t row_count;
} hk_plant;

/* Reads a table: columns `state`, outputs of the controller, `next`, inputs of it. */
HK_NODISCARD hk_status hk_plant_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                     const hk_chart *controller, const hk_plant **ret_plant);

#endif
