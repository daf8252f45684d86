/* SPDX-License-Identifier: MIT
 *
 * For the sources of FMUs: the prototypes of fmi2_api.h and of model exchange, visible and with the
 * prefix that the standard's own header would give them. A function is defined as
 *
 *     fmi2Status FMI2_NAME(Terminate)(fmi2Component c)
 *
 * FMI2_FUNCTION_PREFIX is the prefix, for sources and static libraries. For a shared library it is
 * not defined, or FMI2_OVERRIDE_FUNCTION_PREFIX is: then FMI2_ACTUAL_FUNCTION_PREFIX counts. */
#ifndef HK_FMI_FMI2_EXPORT_H
#define HK_FMI_FMI2_EXPORT_H

#include "fmi/fmi2_api.h"

#if defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_ACTUAL_FUNCTION_PREFIX FMI2_FUNCTION_PREFIX
#endif

#ifndef FMI2_Export
#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI2_Export __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI2_Export __attribute__((visibility("default")))
#else
#define FMI2_Export
#endif
#endif

#ifdef FMI2_ACTUAL_FUNCTION_PREFIX
#define FMI2_PASTE(prefix, name)  prefix##fmi2##name
#define FMI2_EXPAND(prefix, name) FMI2_PASTE(prefix, name)
#define FMI2_NAME(name)           FMI2_EXPAND(FMI2_ACTUAL_FUNCTION_PREFIX, name)
#else
#define FMI2_NAME(name) fmi2##name
#endif

typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

/* The functions of model exchange, as in HK_FMI2_FUNCTIONS. */
#define HK_FMI2_EXCHANGE(FMI2)                                                                     \
    FMI2(OPTIONAL, EnterEventMode, fmi2Status, (fmi2Component c))                                  \
    FMI2(OPTIONAL, NewDiscreteStates, fmi2Status, (fmi2Component c, fmi2EventInfo * info))         \
    HK_FMI_CONTINUOUS(FMI2, fmi2, Component c, Real, Derivatives)
#define FMI2(need, name, result, arguments) typedef result fmi2##name##Fn arguments;
HK_FMI2_EXCHANGE(FMI2)
#undef FMI2

#define FMI2(need, name, result, arguments) FMI2_Export fmi2##name##Fn FMI2_NAME(name);
HK_FMI2_FUNCTIONS(FMI2)
HK_FMI2_EXCHANGE(FMI2)
#undef FMI2

#endif
