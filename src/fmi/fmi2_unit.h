/* SPDX-License-Identifier: MIT
 *
 * An instance of an FMI 2.0 co-simulation FMU; private to the fmi2 files. */
#ifndef HK_FMI_FMI2_UNIT_H
#define HK_FMI_FMI2_UNIT_H

#include "fmi/fmi2_api.h"
#include "fmi/fmu.h"

/* Where the instance stands in the state machine of the standard. */
typedef enum hk_fmi2_phase {
    HK_FMI2_INSTANTIATED,
    HK_FMI2_INITIALIZING,
    HK_FMI2_STEPPING,  /* "step complete" */
    HK_FMI2_DISCARDED, /* "step failed" */
    HK_FMI2_TERMINATED,
    HK_FMI2_BROKEN, /* after Error: may only be freed, or given an older state */
    HK_FMI2_DEAD    /* after Fatal: may not be called at all */
} hk_fmi2_phase;

/* An input that waits for initialization mode, the first time it may be set. */
typedef struct hk_fmi2_pending {
    uint32_t variable;
    void *data; /* one element, in the store of the variable */
} hk_fmi2_pending;

typedef struct hk_fmi2_unit {
    hk_unit base;
    hk_fmu *fmu;
    hk_arena *arena; /* this struct, reference arrays, thunks */
    hk_library *library;
    hk_fmi2_functions f;
    fmi2Component component;
    fmi2CallbackFunctions callbacks; /* FMUs keep the pointer */
    hk_fmi2_phase phase;
    hk_fmu_log log;
    bool logging; /* everything that the FMU can say was asked for */
    hk_fmi2_pending *pending;
    size_t pending_count, pending_cap;
} hk_fmi2_unit;

const char *hk_fmi2_status_name(int code);
hk_where hk_fmi2_where(const hk_fmi2_unit *unit);
/* Turns what a call returned into a status; above Warning it adds a diagnostic that names instance
 * and call, and moves the phase. */
hk_status hk_fmi2_check(hk_ctx *ctx, hk_fmi2_unit *unit, const char *call, int code);
/* Moves the phase after a call that returned CODE. */
void hk_fmi2_mark(hk_fmi2_unit *unit, int code);
/* An optional function is needed now: an error if the library lacks it. */
hk_status hk_fmi2_need(hk_ctx *ctx, const hk_fmi2_unit *unit, bool there, const char *call);

/* fmi2_log.c */
void hk_fmi2_log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...) HK_PRINTF(5, 6);

/* fmi2_exchange.c */
hk_status hk_fmi2_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value);
hk_status hk_fmi2_set_pending(hk_ctx *ctx, hk_fmi2_unit *unit);
hk_status hk_fmi2_bind_get(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                           void *values, hk_call *ret_call);
hk_status hk_fmi2_bind_set(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                           void *values, hk_call *ret_call);

/* fmi2_state.c */
hk_status hk_fmi2_state_get(hk_ctx *ctx, hk_unit *base, void **state);
hk_status hk_fmi2_state_set(hk_ctx *ctx, hk_unit *base, void *state);
void hk_fmi2_state_free(hk_unit *base, void *state);
hk_status hk_fmi2_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                             size_t *ret_size);
hk_status hk_fmi2_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                             void **ret_state);

#endif
