/* SPDX-License-Identifier: MIT
 *
 * Start values from a file, as somebody gives them to a run: a parameter set of SSP (.ssv), a table
 * of names and values (.csv) or an object of JSON (.json). */
#ifndef HK_ASSEMBLY_SET_FILE_H
#define HK_ASSEMBLY_SET_FILE_H

#include "model/model.h"

/* One start value as it is written. */
typedef struct hk_start_value {
    const char *name, *text;
    const hk_uom
        *uom;     /* of TEXT, where the file says what it means; NULL: TEXT may end in a unit */
    size_t items; /* TEXT is a list of so many; 0: it is one value, or a list by itself */
    const size_t *sizes; /* of the arrays inside arrays that TEXT is; none: it is flat */
    size_t size_count;
    bool declared; /* the file says that SIZES are those of the variable */
    unsigned file; /* the number of the file it is in, from 1; 0: none */
    bool is_text;  /* TEXT is one text, whatever it holds */
    hk_where where;
} hk_start_value;

typedef struct hk_start_values {
    hk_start_value *all; /* in ARENA, with all that they point to */
    size_t count, cap;
    unsigned file_count; /* read until now: a file may be given twice */
} hk_start_values;

/* Adds the values of the file to VALUES. */
HK_NODISCARD hk_status hk_set_file_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                        hk_start_values *values);
void hk_start_values_add(hk_arena *arena, hk_start_values *values, const hk_start_value *value);

#endif
