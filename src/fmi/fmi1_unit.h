/* SPDX-License-Identifier: MIT
 *
 * An instance of an FMI 1.0 co-simulation FMU; private to the fmi1 files. */
#ifndef HK_FMI_FMI1_UNIT_H
#define HK_FMI_FMI1_UNIT_H

#include "fmi/fmi1_api.h"
#include "fmi/instance.h"

typedef struct hk_fmi1_unit hk_fmi1_unit;
struct hk_fmi1_unit {
    hk_instance in;
    hk_fmi1_functions f;
    hk_fmi1_unit *next; /* in the list of those that may log */
};

/* fmi1_log.c: FMI 1.0 does not hand an environment back, so the logger looks for the instance among
 * all that are known. Between enter and leave messages of this thread belong to UNIT, whatever the
 * FMU calls it: that is how an instance is known while it is being made. Leave sets its component.
 */
void hk_fmi1_log_enter(hk_fmi1_unit *unit);
void hk_fmi1_log_leave(hk_fmi1_unit *unit, fmi1Component component);
void hk_fmi1_log_forget(hk_instance *in);
void hk_fmi1_log(fmi1Component c, fmi1String instance, fmi1Status status, fmi1String category,
                 fmi1String message, ...) HK_PRINTF(5, 6);

/* fmi1_exchange.c */
hk_status hk_fmi1_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value);
hk_bind_fn hk_fmi1_bind_get, hk_fmi1_bind_set;

#endif
