/* SPDX-License-Identifier: MIT
 *
 * FMI 2.0 co-simulation around a native component of hocket. */
#include "shell_model.h"

#include "fmi/fmi2_export.h"
#include "shell_version.h"

#include <stdlib.h>

typedef struct instance {
    hk_shell base;
    fmi2CallbackLogger *logger;
    fmi2ComponentEnvironment environment;
} instance;

static const unsigned readable =
    HK_SHELL_INITIALIZING | HK_SHELL_STEPPING | HK_SHELL_TERMINATED | HK_SHELL_FAILED;

/* Errors and remarks are all there is to log, and they are logged whether logging is on or not. */
static void write_log(const hk_shell *x, const char *text) {
    const instance *i = (const instance *)x;
    if (i->logger)
        i->logger(i->environment, x->name ? x->name : "", x->mild ? fmi2Warning : fmi2Error,
                  x->mild ? HK_SHELL_NOTES : HK_SHELL_ERRORS, "%s", text);
}

const char *FMI2_NAME(GetTypesPlatform)(void) {
    return "default";
}

const char *FMI2_NAME(GetVersion)(void) {
    return "2.0";
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
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

fmi2Status FMI2_NAME(SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count,
                                      const fmi2String categories[]) {
    (void)on;
    NEED(c && (categories || !count));
    return hk_shell_check_categories(c, "fmi2SetDebugLogging", count, categories);
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

HK_SHELL_LIFE(FMI2_NAME, fmi2, Component)

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

HK_SHELL_STATES(FMI2_NAME, fmi2, Component, FMUstate, DeSerialize)

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Status FMI2_NAME(GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknown[],
                                               size_t unknown_count,
                                               const fmi2ValueReference known[], size_t known_count,
                                               const fmi2Real known_dv[], fmi2Real unknown_dv[]) {
    NEED(c && (!unknown_count || (unknown && unknown_dv)) && (!known_count || (known && known_dv)));
    return hk_shell_derivative(
        c, "fmi2GetDirectionalDerivative", &(hk_shell_named){unknown, unknown_count, unknown_count},
        &(hk_shell_named){known, known_count, known_count}, known_dv, unknown_dv);
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

/* Model exchange is not offered. */
HK_SHELL_LEAVE_ASIDE
#define FMI2(need, name, result, arguments)                                                        \
    HK_SHELL_REFUSED(FMI2_NAME(name), "fmi2" #name, result, arguments, c,                          \
                     "only co-simulation is offered")
HK_FMI2_EXCHANGE(FMI2)
#undef FMI2
