/* SPDX-License-Identifier: MIT
 *
 * The probe of FMI 1.0: passes every kind of value through, and misbehaves on demand. It insists on
 * the order of calls: outputs can be read only after fmiInitializeSlave, parameters be set only
 * before it. What cannot be chosen by a parameter is chosen when it is compiled:
 *   PROBE_NO_STATE      does not export hocket's functions for states
 *   PROBE_RUDE_START    fmiInstantiateSlave logs with NULL in all places */
#define HK_FMI1_ID probe1
#include "fmi/fmi1_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the parameter `fault` asks for, at the step that begins at or after `fault_time`; the
 * numbers are those of probe.c. */
enum {
    FAULT_NONE,
    FAULT_DISCARD = 2, /* half of the step was done */
    FAULT_ERROR = 4,
    FAULT_FATAL,
    FAULT_PENDING = 9, /* the step is complete at the third question */
    FAULT_PENDING_ERROR,
    FAULT_INIT_ERROR = 12, /* fmiInitializeSlave fails */
    FAULT_WARNING
};

enum { REAL_IN, REAL_OUT, REAL_STATE, REAL_GAIN, REAL_FAULT_TIME, REAL_START_IN, REALS };
enum { INT_IN, INT_OUT, INT_FAULT, INT_ENUM_IN, INT_ENUM_OUT, INT_STEPS, INTS };
enum { BOOL_IN, BOOL_OUT, BOOLS };
enum { TEXT_IN, TEXT_OUT, TEXT_LOCATION, TEXT_PARAMETER, TEXT_MIME, TEXTS };
enum { TEXT_MAX = 512 };

typedef struct values {
    double real[REALS];
    int integer[INTS];
    char boolean[BOOLS];
    char text[TEXTS][TEXT_MAX];
    double last_time;
    int initialized, questions;
} values;

typedef struct probe {
    values v;
    fmi1CallbackFunctions callbacks;
    char name[64];
} probe;

#define GUID "{8d8dfd2f-3a3d-4ab0-9d4b-0c6f2a3b9c11}"

static void copy_text(char *target, const char *source) {
    snprintf(target, TEXT_MAX, "%s", source ? source : "");
}

const char *FMI1_NAME(GetTypesPlatform)(void) {
    return "standard32";
}

const char *FMI1_NAME(GetVersion)(void) {
    return "1.0";
}

fmi1Status FMI1_NAME(SetDebugLogging)(fmi1Component c, fmi1Boolean on) {
    (void)c;
    (void)on;
    return fmi1OK;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi1Component FMI1_NAME(InstantiateSlave)(fmi1String name, fmi1String guid, fmi1String location,
                                          fmi1String mime_type, fmi1Real timeout,
                                          fmi1Boolean visible, fmi1Boolean interactive,
                                          fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
#ifdef PROBE_RUDE_START
    callbacks.logger(NULL, NULL, fmi1OK, NULL, NULL);
    callbacks.logger(NULL, "somebody", fmi1Warning, NULL, "nobody's message %d%%", 7);
#endif
    if (strcmp(guid, GUID) != 0) {
        callbacks.logger(NULL, name, fmi1Error, "error", "this library has another GUID");
        return NULL;
    }
    if (timeout < 0 || timeout > 0 || visible || interactive || (logging && logging != fmi1True))
        return NULL;
    probe *p = callbacks.allocateMemory(1, sizeof *p);
    p->callbacks = callbacks;
    snprintf(p->name, sizeof p->name, "%s", name);
    p->v.real[REAL_GAIN] = 1;
    p->v.integer[INT_ENUM_IN] = 2;
    copy_text(p->v.text[TEXT_LOCATION], location);
    copy_text(p->v.text[TEXT_MIME], mime_type);
    return p;
}

fmi1Status FMI1_NAME(InitializeSlave)(fmi1Component c, fmi1Real start, fmi1Boolean stop_defined,
                                      fmi1Real stop) {
    probe *p = c;
    if (p->v.initialized || (stop_defined && stop < start))
        return fmi1Error;
    if (p->v.integer[INT_FAULT] == FAULT_INIT_ERROR) {
        p->callbacks.logger(p, p->name, fmi1Error, "error", "no initial solution");
        return fmi1Error;
    }
    p->v.initialized = 1;
    p->v.last_time = start;
    p->v.real[REAL_START_IN] = p->v.real[REAL_IN];
    return fmi1OK;
}

fmi1Status FMI1_NAME(TerminateSlave)(fmi1Component c) {
    const probe *p = c;
    return p->v.initialized ? fmi1OK : fmi1Fatal;
}

fmi1Status FMI1_NAME(ResetSlave)(fmi1Component c) {
    (void)c;
    return fmi1Error;
}

void FMI1_NAME(FreeSlaveInstance)(fmi1Component c) {
    probe *p = c;
    p->callbacks.logger(c, p->name, fmi1OK, "life", "gone");
    p->callbacks.freeMemory(p);
}

static void update(probe *p) {
    p->v.real[REAL_OUT] = p->v.real[REAL_GAIN] * p->v.real[REAL_IN];
    p->v.integer[INT_OUT] = p->v.integer[INT_IN];
    p->v.integer[INT_ENUM_OUT] = p->v.integer[INT_ENUM_IN];
    p->v.boolean[BOOL_OUT] = p->v.boolean[BOOL_IN];
    memcpy(p->v.text[TEXT_OUT], p->v.text[TEXT_IN], TEXT_MAX);
}

/* Inputs have their own references, 0 in all types but for the enumeration. */
static int may_set(const probe *p, unsigned ref, int integer) {
    return !p->v.initialized || ref == 0 || (integer && ref == INT_ENUM_IN);
}

#define ACCESS(Name, type, field, count, integer)                                                  \
    fmi1Status FMI1_NAME(Get##Name)(fmi1Component c, const fmi1ValueReference refs[], size_t n,    \
                                    type out[]) {                                                  \
        probe *p = c;                                                                              \
        update(p);                                                                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (refs[i] >= count || !p->v.initialized)                                             \
                return fmi1Error;                                                                  \
            out[i] = p->v.field[refs[i]];                                                          \
        }                                                                                          \
        return fmi1OK;                                                                             \
    }                                                                                              \
    fmi1Status FMI1_NAME(Set##Name)(fmi1Component c, const fmi1ValueReference refs[], size_t n,    \
                                    const type in[]) {                                             \
        probe *p = c;                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (refs[i] >= count || !may_set(p, refs[i], integer))                                 \
                return fmi1Error;                                                                  \
            p->v.field[refs[i]] = in[i];                                                           \
        }                                                                                          \
        return fmi1OK;                                                                             \
    }
ACCESS(Real, fmi1Real, real, REALS, 0)
ACCESS(Integer, fmi1Integer, integer, INTS, 1)
ACCESS(Boolean, fmi1Boolean, boolean, BOOLS, 0)

fmi1Status FMI1_NAME(GetString)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                fmi1String out[]) {
    probe *p = c;
    update(p);
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= TEXTS || !p->v.initialized)
            return fmi1Error;
        out[i] = p->v.text[refs[i]];
    }
    return fmi1OK;
}

fmi1Status FMI1_NAME(SetString)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                const fmi1String in[]) {
    probe *p = c;
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= TEXTS || !may_set(p, refs[i], 0))
            return fmi1Error;
        copy_text(p->v.text[refs[i]], in[i]);
    }
    return fmi1OK;
}

fmi1Status FMI1_NAME(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                              size_t n, const fmi1Integer order[],
                                              const fmi1Real in[]) {
    (void)c;
    (void)refs;
    (void)n;
    (void)order;
    (void)in;
    return fmi1Error;
}

fmi1Status FMI1_NAME(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                               size_t n, const fmi1Integer order[],
                                               fmi1Real out[]) {
    (void)c;
    (void)refs;
    (void)n;
    (void)order;
    (void)out;
    return fmi1Error;
}

/* Does what the fault asks for; true: the step ends with *status. */
static int misbehave(probe *p, double t, double h, fmi1Status *status) {
    p->v.last_time = t;
    switch (p->v.integer[INT_FAULT]) {
    case FAULT_DISCARD:
        p->v.last_time = t + h / 2;
        *status = fmi1Discard;
        return 1;
    case FAULT_ERROR:
        p->callbacks.logger(p, "another name", fmi1Error, "error", "the solver gave up");
        *status = fmi1Error;
        return 1;
    case FAULT_FATAL:
        *status = fmi1Fatal;
        return 1;
    case FAULT_PENDING:
    case FAULT_PENDING_ERROR:
        p->v.questions = 0;
        *status = fmi1Pending;
        return 0;
    case FAULT_WARNING:
        p->callbacks.logger(p, p->name, fmi1Warning, "warning", "#r3#, #b0# and #i2# %d%%", 100);
        *status = fmi1Warning;
        return 0;
    default:
        return 0;
    }
}

fmi1Status FMI1_NAME(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step) {
    probe *p = c;
    fmi1Status status = fmi1OK;
    if (!p->v.initialized || new_step != fmi1True)
        return fmi1Error;
    int faulty = p->v.integer[INT_FAULT] != FAULT_NONE && t >= p->v.real[REAL_FAULT_TIME];
    if (faulty && misbehave(p, t, h, &status))
        return status;
    p->v.real[REAL_STATE] += h * p->v.real[REAL_IN];
    p->v.integer[INT_STEPS]++;
    return status;
}

fmi1Status FMI1_NAME(CancelStep)(fmi1Component c) {
    (void)c;
    return fmi1Error;
}

fmi1Status FMI1_NAME(GetStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Status *value) {
    probe *p = c;
    if (kind != fmi1DoStepStatus)
        return fmi1Discard;
    int fails = p->v.integer[INT_FAULT] == FAULT_PENDING_ERROR;
    *value = ++p->v.questions < 3 ? fmi1Pending : fails ? fmi1Error : fmi1OK;
    return fmi1OK;
}

fmi1Status FMI1_NAME(GetRealStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Real *value) {
    const probe *p = c;
    if (kind != fmi1LastSuccessfulTime)
        return fmi1Discard;
    *value = p->v.last_time;
    return fmi1OK;
}

fmi1Status FMI1_NAME(GetIntegerStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Integer *value) {
    (void)c;
    (void)kind;
    (void)value;
    return fmi1Discard;
}

fmi1Status FMI1_NAME(GetBooleanStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Boolean *value) {
    (void)c;
    (void)kind;
    (void)value;
    return fmi1Discard;
}

fmi1Status FMI1_NAME(GetStringStatus)(fmi1Component c, fmi1StatusKind kind, fmi1String *value) {
    (void)c;
    (void)kind;
    (void)value;
    return fmi1Discard;
}

#ifndef PROBE_NO_STATE
fmi1Status FMI1X_NAME(GetState)(fmi1Component c, void **state) {
    const probe *p = c;
    if (!*state)
        *state = malloc(sizeof p->v);
    memcpy(*state, &p->v, sizeof p->v);
    return fmi1OK;
}

fmi1Status FMI1X_NAME(SetState)(fmi1Component c, void *state) {
    probe *p = c;
    memcpy(&p->v, state, sizeof p->v);
    return fmi1OK;
}

fmi1Status FMI1X_NAME(FreeState)(fmi1Component c, void **state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi1OK;
}

fmi1Status FMI1X_NAME(StateSize)(fmi1Component c, void *state, size_t *size) {
    (void)c;
    (void)state;
    *size = sizeof(values);
    return fmi1OK;
}

fmi1Status FMI1X_NAME(SaveState)(fmi1Component c, void *state, char bytes[], size_t size) {
    (void)c;
    if (size != sizeof(values))
        return fmi1Error;
    memcpy(bytes, state, size);
    return fmi1OK;
}

fmi1Status FMI1X_NAME(LoadState)(fmi1Component c, const char bytes[], size_t size, void **state) {
    (void)c;
    if (size != sizeof(values))
        return fmi1Error;
    *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi1OK;
}
#endif
