/* SPDX-License-Identifier: MIT
 *
 * An instance of an FMI 2.0 co-simulation FMU; private to the fmi2 files. */
#ifndef HK_FMI_FMI2_UNIT_H
#define HK_FMI_FMI2_UNIT_H

#include "fmi/fmi2_api.h"
#include "fmi/instance.h"

typedef struct hk_fmi2_unit {
    hk_instance in; /* inputs wait for initialization mode, the first time they may be set */
    hk_fmi2_functions f;
    fmi2CallbackFunctions callbacks; /* FMUs keep the pointer */
} hk_fmi2_unit;

/* fmi2_exchange.c */
hk_status hk_fmi2_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value);
hk_status hk_fmi2_set_waiting(hk_ctx *ctx, hk_fmi2_unit *unit);
hk_bind_fn hk_fmi2_bind_get, hk_fmi2_bind_set;

#endif
