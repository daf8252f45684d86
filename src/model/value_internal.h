/* SPDX-License-Identifier: MIT
 *
 * What the files about values share. */
#ifndef HK_MODEL_VALUE_INTERNAL_H
#define HK_MODEL_VALUE_INTERNAL_H

#include "model/value.h"

/* One number between two stores: exactly one of the three fields holds it. */
typedef struct hk_scalar {
    enum { HK_SCALAR_REAL, HK_SCALAR_SIGNED, HK_SCALAR_UNSIGNED } kind;
    double real;
    int64_t integer;
    uint64_t natural;
} hk_scalar;

hk_scalar hk_scalar_load(hk_store store, const void *data);
/* False: it does not fit. */
bool hk_scalar_save(hk_store store, void *data, hk_scalar n);

#endif
