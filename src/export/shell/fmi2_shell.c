/* SPDX-License-Identifier: MIT
 *
 * FMI 2.0 co-simulation around a native component of hocket. */
#include "shell_model.h"

#include "fmi/fmi2_export.h"
#include "shell_core.h"

#include <stdlib.h>
#include <string.h>

typedef struct instance {
    hk_shell base;
    fmi2CallbackLogger *logger;
    fmi2ComponentEnvironment environment;
} instance;

static const char *const error_category = "logStatusError";
static const unsigned readable =
    HK_SHELL_INITIALIZING | HK_SHELL_STEPPING | HK_SHELL_TERMINATED | HK_SHELL_FAILED;

/* Errors are all there is to log, and they are logged whether logging is on or not. */
static void write_log(const hk_shell *x, const char *text) {
    const instance *i = (const instance *)x;
    if (i->logger)
        i->logger(i->environment, x->name ? x->name : "", fmi2Error, error_category, "%s", text);
}

/* The instance must be one, and arrays must be there. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return fmi2Error;                                                                      \
    } while (0)

const char *FMI2_NAME(GetTypesPlatform)(void) {
    return "default";
}

const char *FMI2_NAME(GetVersion)(void) {
    return "2.0";
}

fmi2Component FMI2_NAME(Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                     fmi2String resources, const fmi2CallbackFunctions *callbacks,
                                     fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources;
    (void)visible;
    (void)logging;
    instance *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->base.log = write_log;
    if (callbacks) {
        i->logger = callbacks->logger;
        i->environment = callbacks->componentEnvironment;
    }
    if (type != fmi2CoSimulation)
        hk_shell_refuse(&i->base, "fmi2Instantiate", "only co-simulation is offered");
    else if (hk_shell_open(&i->base, "fmi2Instantiate", name, guid, true))
        return i;
    free(i);
    return NULL;
}

void FMI2_NAME(FreeInstance)(fmi2Component c) {
    if (!c)
        return;
    hk_shell_close(c);
    free(c);
}

fmi2Status FMI2_NAME(SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count,
                                      const fmi2String categories[]) {
    (void)on;
    NEED(c && (categories || !count));
    for (size_t i = 0; i < count; i++)
        if (!categories[i] ||
            (strcmp(categories[i], error_category) != 0 && strcmp(categories[i], "logAll") != 0))
            return hk_shell_refuse(c, "fmi2SetDebugLogging", "a category is unknown");
    return fmi2OK;
}

fmi2Status FMI2_NAME(SetupExperiment)(fmi2Component c, fmi2Boolean tolerance_defined,
                                      fmi2Real tolerance, fmi2Real start, fmi2Boolean stop_defined,
                                      fmi2Real stop) {
    (void)tolerance_defined;
    (void)tolerance;
    NEED(c);
    return hk_shell_set_experiment(c, "fmi2SetupExperiment", start, stop_defined, stop);
}

fmi2Status FMI2_NAME(EnterInitializationMode)(fmi2Component c) {
    NEED(c);
    return hk_shell_initialize(c, "fmi2EnterInitializationMode", HK_SHELL_INITIALIZING);
}

fmi2Status FMI2_NAME(ExitInitializationMode)(fmi2Component c) {
    NEED(c);
    return hk_shell_finish_initialization(c, "fmi2ExitInitializationMode");
}

fmi2Status FMI2_NAME(Terminate)(fmi2Component c) {
    NEED(c);
    return hk_shell_terminate(c, "fmi2Terminate");
}

fmi2Status FMI2_NAME(Reset)(fmi2Component c) {
    NEED(c);
    return hk_shell_reset(c);
}

fmi2Status FMI2_NAME(GetReal)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                              fmi2Real values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_real(c, "fmi2GetReal", readable, refs, n, values);
}

fmi2Status FMI2_NAME(GetInteger)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                 fmi2Integer values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_integer(c, "fmi2GetInteger", readable, refs, n, values);
}

fmi2Status FMI2_NAME(GetBoolean)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                 fmi2Boolean values[]) {
    NEED(c && (!n || (refs && values)));
    for (size_t i = 0; i < n; i++) {
        bool value;
        if (hk_shell_get_boolean(c, "fmi2GetBoolean", readable, refs[i], &value) != HK_SHELL_OK)
            return fmi2Error;
        values[i] = value ? fmi2True : fmi2False;
    }
    return fmi2OK;
}

fmi2Status FMI2_NAME(GetString)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                fmi2String values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_get_string(c, "fmi2GetString", readable, refs, n, values);
}

fmi2Status FMI2_NAME(SetReal)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                              const fmi2Real values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_real(c, "fmi2SetReal", refs, n, values);
}

fmi2Status FMI2_NAME(SetInteger)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                 const fmi2Integer values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_integer(c, "fmi2SetInteger", refs, n, values);
}

fmi2Status FMI2_NAME(SetBoolean)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                 const fmi2Boolean values[]) {
    NEED(c && (!n || (refs && values)));
    for (size_t i = 0; i < n; i++)
        if (hk_shell_set_boolean(c, "fmi2SetBoolean", refs[i], values[i] != fmi2False) !=
            HK_SHELL_OK)
            return fmi2Error;
    return fmi2OK;
}

fmi2Status FMI2_NAME(SetString)(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                const fmi2String values[]) {
    NEED(c && (!n || (refs && values)));
    return hk_shell_set_string(c, "fmi2SetString", refs, n, values);
}

fmi2Status FMI2_NAME(DoStep)(fmi2Component c, fmi2Real t, fmi2Real h,
                             fmi2Boolean no_set_state_before) {
    (void)no_set_state_before;
    NEED(c);
    return hk_shell_step(c, "fmi2DoStep", t, h);
}

fmi2Status FMI2_NAME(CancelStep)(fmi2Component c) {
    NEED(c);
    return hk_shell_refuse(c, "fmi2CancelStep", "steps are never pending");
}

fmi2Status FMI2_NAME(GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    NEED(c);
    return hk_shell_state_get(c, "fmi2GetFMUstate", state);
}

fmi2Status FMI2_NAME(SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
    NEED(c);
    return hk_shell_state_set(c, "fmi2SetFMUstate", state);
}

fmi2Status FMI2_NAME(FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    NEED(c);
    return hk_shell_state_free(c, state);
}

fmi2Status FMI2_NAME(SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size) {
    NEED(c);
    return hk_shell_state_size(c, "fmi2SerializedFMUstateSize", state, size);
}

fmi2Status FMI2_NAME(SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                        size_t size) {
    NEED(c);
    return hk_shell_state_save(c, "fmi2SerializeFMUstate", state, bytes, size);
}

fmi2Status FMI2_NAME(DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate *state) {
    NEED(c);
    return hk_shell_state_load(c, "fmi2DeSerializeFMUstate", bytes, size, state);
}

fmi2Status FMI2_NAME(GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknown[],
                                               size_t unknown_count,
                                               const fmi2ValueReference known[], size_t known_count,
                                               const fmi2Real known_dv[], fmi2Real unknown_dv[]) {
    NEED(c && (!unknown_count || (unknown && unknown_dv)) && (!known_count || (known && known_dv)));
    return hk_shell_derivative(c, "fmi2GetDirectionalDerivative", unknown, unknown_count, known,
                               known_count, known_dv, known_count, unknown_dv, unknown_count);
}

fmi2Status FMI2_NAME(SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference refs[],
                                              size_t n, const fmi2Integer order[],
                                              const fmi2Real values[]) {
    (void)refs;
    (void)order;
    (void)values;
    NEED(c);
    return n ? hk_shell_refuse(c, "fmi2SetRealInputDerivatives", "not offered") : fmi2OK;
}

fmi2Status FMI2_NAME(GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference refs[],
                                               size_t n, const fmi2Integer order[],
                                               fmi2Real values[]) {
    (void)refs;
    (void)order;
    (void)values;
    NEED(c);
    return n ? hk_shell_refuse(c, "fmi2GetRealOutputDerivatives", "not offered") : fmi2OK;
}

fmi2Status FMI2_NAME(GetRealStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    NEED(c && value);
    if (kind != fmi2LastSuccessfulTime)
        return fmi2Discard;
    *value = ((const hk_shell *)c)->head.t;
    return fmi2OK;
}

fmi2Status FMI2_NAME(GetBooleanStatus)(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    NEED(c && value);
    if (kind != fmi2Terminated)
        return fmi2Discard;
    *value = fmi2False;
    return fmi2OK;
}

/* Steps are never pending, so the standard lets these say nothing. */
#define NO_STATUS(name, type)                                                                      \
    fmi2Status FMI2_NAME(name)(fmi2Component c, fmi2StatusKind kind, type * value) {               \
        (void)c;                                                                                   \
        (void)kind;                                                                                \
        (void)value;                                                                               \
        return fmi2Discard;                                                                        \
    }
NO_STATUS(GetStatus, fmi2Status)
NO_STATUS(GetIntegerStatus, fmi2Integer)
NO_STATUS(GetStringStatus, fmi2String)

/* Model exchange is not offered. The macro names the arguments only to leave them aside. */
#define REFUSE(name, arguments, ...)                                                               \
    fmi2Status FMI2_NAME(name) arguments {                                                         \
        const void *unused[] = {__VA_ARGS__};                                                      \
        (void)unused;                                                                              \
        NEED(c);                                                                                   \
        return hk_shell_refuse(c, "fmi2" #name, "only co-simulation is offered");                  \
    }

REFUSE(EnterEventMode, (fmi2Component c), NULL)
REFUSE(NewDiscreteStates, (fmi2Component c, fmi2EventInfo *info), info)
REFUSE(EnterContinuousTimeMode, (fmi2Component c), NULL)
REFUSE(CompletedIntegratorStep,
       (fmi2Component c, fmi2Boolean no_set_state_before, fmi2Boolean *enter_event_mode,
        fmi2Boolean *terminate),
       &no_set_state_before, enter_event_mode, terminate)
REFUSE(SetTime, (fmi2Component c, fmi2Real t), &t)
REFUSE(SetContinuousStates, (fmi2Component c, const fmi2Real states[], size_t count), states,
       &count)
REFUSE(GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t count), derivatives, &count)
REFUSE(GetEventIndicators, (fmi2Component c, fmi2Real indicators[], size_t count), indicators,
       &count)
REFUSE(GetContinuousStates, (fmi2Component c, fmi2Real states[], size_t count), states, &count)
REFUSE(GetNominalsOfContinuousStates, (fmi2Component c, fmi2Real nominals[], size_t count),
       nominals, &count)
