/* SPDX-License-Identifier: MIT
 *
 * FMI 1.0 co-simulation around a native component of hocket, and hocket's extension of it: the
 * functions that save the state, which FMI 1.0 does not have. */
#include "shell_model.h"

#ifndef MODEL_IDENTIFIER /* the standard's own name for it */
#define MODEL_IDENTIFIER HK_SHELL_ID
#endif
#define HK_FMI1_ID MODEL_IDENTIFIER
#include "fmi/fmi1_export.h"
#include "shell_version.h"

#include <stdlib.h>

typedef struct instance {
    hk_shell base;
    fmi1CallbackLogger *logger;
} instance;

/* Errors are all there is to log, and they are logged whether logging is on or not. */
static void write_log(const hk_shell *x, const char *text) {
    const instance *i = (const instance *)x;
    union {
        const instance *from;
        fmi1Component to;
    } self = {i};
    if (i->logger)
        i->logger(self.to, x->name ? x->name : "", x->mild ? fmi1Warning : fmi1Error,
                  x->mild ? HK_SHELL_NOTES : HK_SHELL_ERRORS, "%s", text);
}

const char *FMI1_NAME(GetTypesPlatform)(void) {
    return "standard32";
}

const char *FMI1_NAME(GetVersion)(void) {
    return "1.0";
}

fmi1Status FMI1_NAME(SetDebugLogging)(fmi1Component c, fmi1Boolean on) {
    (void)on;
    NEED(c);
    return fmi1OK;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi1Component FMI1_NAME(InstantiateSlave)(fmi1String name, fmi1String guid, fmi1String location,
                                          fmi1String mime_type, fmi1Real timeout,
                                          fmi1Boolean visible, fmi1Boolean interactive,
                                          fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
    (void)location;
    (void)mime_type;
    (void)timeout;
    (void)visible;
    (void)interactive;
    (void)logging;
    instance *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->base.log = write_log;
    i->logger = callbacks.logger;
    if (hk_shell_open(&i->base, "fmiInstantiateSlave", name, guid, true))
        return i;
    free(i);
    return NULL;
}

void FMI1_NAME(FreeSlaveInstance)(fmi1Component c) {
    if (!c)
        return;
    hk_shell_close(c);
    free(c);
}

fmi1Status FMI1_NAME(InitializeSlave)(fmi1Component c, fmi1Real start, fmi1Boolean stop_defined,
                                      fmi1Real stop) {
    NEED(c);
    if (hk_shell_set_experiment(c, "fmiInitializeSlave", start, stop_defined, stop) != HK_SHELL_OK)
        return fmi1Error;
    return hk_shell_initialize(c, "fmiInitializeSlave", HK_SHELL_STARTED);
}

fmi1Status FMI1_NAME(TerminateSlave)(fmi1Component c) {
    NEED(c);
    return hk_shell_terminate(c, "fmiTerminateSlave");
}

fmi1Status FMI1_NAME(ResetSlave)(fmi1Component c) {
    NEED(c);
    return hk_shell_reset(c);
}

fmi1Status FMI1_NAME(GetReal)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                              fmi1Real values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_real(c, "fmiGetReal", HK_SHELL_ALL, refs, n, values);
}

fmi1Status FMI1_NAME(GetInteger)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                 fmi1Integer values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_integer(c, "fmiGetInteger", HK_SHELL_ALL, refs, n, values);
}

fmi1Status FMI1_NAME(GetBoolean)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                 fmi1Boolean values[]) {
    NEED(c && (!n || (refs && values)));
    for (size_t i = 0; i < n; i++) {
        bool value;
        if (hk_shell_get_boolean(c, "fmiGetBoolean", HK_SHELL_ALL, refs[i], &value) != HK_SHELL_OK)
            return fmi1Error;
        values[i] = value ? fmi1True : fmi1False;
    }
    return fmi1OK;
}

fmi1Status FMI1_NAME(GetString)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                fmi1String values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_string(c, "fmiGetString", HK_SHELL_ALL, refs, n, values);
}

fmi1Status FMI1_NAME(SetReal)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                              const fmi1Real values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_real(c, "fmiSetReal", refs, n, values);
}

fmi1Status FMI1_NAME(SetInteger)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                 const fmi1Integer values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_integer(c, "fmiSetInteger", refs, n, values);
}

fmi1Status FMI1_NAME(SetBoolean)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                 const fmi1Boolean values[]) {
    NEED(c && (!n || (refs && values)));
    for (size_t i = 0; i < n; i++)
        if (hk_shell_set_boolean(c, "fmiSetBoolean", refs[i], values[i] != fmi1False) !=
            HK_SHELL_OK)
            return fmi1Error;
    return fmi1OK;
}

fmi1Status FMI1_NAME(SetString)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                                const fmi1String values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_string(c, "fmiSetString", refs, n, values);
}

fmi1Status FMI1_NAME(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                              size_t n, const fmi1Integer order[],
                                              const fmi1Real values[]) {
    (void)refs;
    (void)order;
    (void)values;
    NEED(c);
    return n ? hk_shell_refuse(c, "fmiSetRealInputDerivatives", "not offered") : fmi1OK;
}

fmi1Status FMI1_NAME(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                               size_t n, const fmi1Integer order[],
                                               fmi1Real values[]) {
    (void)refs;
    (void)order;
    (void)values;
    NEED(c);
    return n ? hk_shell_refuse(c, "fmiGetRealOutputDerivatives", "not offered") : fmi1OK;
}

fmi1Status FMI1_NAME(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step) {
    NEED(c);
    if (!new_step)
        return hk_shell_refuse(c, "fmiDoStep", "steps cannot be repeated");
    return hk_shell_step(c, "fmiDoStep", t, h);
}

fmi1Status FMI1_NAME(CancelStep)(fmi1Component c) {
    NEED(c);
    return hk_shell_refuse(c, "fmiCancelStep", "steps are never pending");
}

fmi1Status FMI1_NAME(GetRealStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Real *value) {
    NEED(c && value);
    if (kind != fmi1LastSuccessfulTime)
        return fmi1Discard;
    *value = ((const hk_shell *)c)->head.t;
    return fmi1OK;
}

/* Steps are never pending, so there is nothing to say. */
#define NO_STATUS(name, type)                                                                      \
    fmi1Status FMI1_NAME(name)(fmi1Component c, fmi1StatusKind kind, type * value) {               \
        (void)c;                                                                                   \
        (void)kind;                                                                                \
        (void)value;                                                                               \
        return fmi1Discard;                                                                        \
    }
NO_STATUS(GetStatus, fmi1Status)
NO_STATUS(GetIntegerStatus, fmi1Integer)
NO_STATUS(GetBooleanStatus, fmi1Boolean)
NO_STATUS(GetStringStatus, fmi1String)

fmi1Status FMI1X_NAME(GetState)(fmi1Component c, void **state) {
    NEED(c);
    return hk_shell_state_get(c, "hkGetState", state);
}

fmi1Status FMI1X_NAME(SetState)(fmi1Component c, void *state) {
    NEED(c);
    return hk_shell_state_set(c, "hkSetState", state);
}

fmi1Status FMI1X_NAME(FreeState)(fmi1Component c, void **state) {
    NEED(c);
    return hk_shell_state_free(c, state);
}

fmi1Status FMI1X_NAME(StateSize)(fmi1Component c, void *state, size_t *size) {
    NEED(c);
    return hk_shell_state_size(c, "hkStateSize", state, size);
}

fmi1Status FMI1X_NAME(SaveState)(fmi1Component c, void *state, char bytes[], size_t size) {
    NEED(c);
    return hk_shell_state_save(c, "hkSaveState", state, bytes, size);
}

fmi1Status FMI1X_NAME(LoadState)(fmi1Component c, const char bytes[], size_t size, void **state) {
    NEED(c);
    return hk_shell_state_load(c, "hkLoadState", bytes, size, state);
}
