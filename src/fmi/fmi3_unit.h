/* SPDX-License-Identifier: MIT
 *
 * An instance of an FMI 3.0 co-simulation FMU; private to the fmi3 files. */
#ifndef HK_FMI_FMI3_UNIT_H
#define HK_FMI_FMI3_UNIT_H

#include "fmi/fmi3_api.h"
#include "fmi/instance.h"

struct hk_fmi3_bytes;

typedef struct hk_fmi3_unit {
    hk_instance in;
    hk_fmi3_functions f;
    hk_unit_options options;     /* fmi3EnterInitializationMode is told the experiment */
    hk_step_report report;       /* of the last step; what the FMU does not write stays false */
    struct hk_fmi3_bytes *bytes; /* all calls for texts and binary values */
    /* Warnings are given once per instance. */
    bool told_event, told_time, told_early;
} hk_fmi3_unit;

/* fmi3_exchange.c */
hk_status hk_fmi3_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value);
/* Gives the FMU the structural parameters of the description that the instance is made of, and
 * then the start values of the arrays whose size has changed. */
hk_status hk_fmi3_configure(hk_ctx *ctx, hk_fmi3_unit *unit);
hk_bind_fn hk_fmi3_bind_get, hk_fmi3_bind_set;
void hk_fmi3_free_bytes(hk_fmi3_unit *unit); /* what the calls of `bytes` hold */

#endif
