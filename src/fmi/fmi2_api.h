/* SPDX-License-Identifier: MIT
 *
 * The C interface of FMI 2.0, declared by hocket from the text of the standard. Enumerations are
 * plain ints here: what a stranger's library returns need not be one of the named values. */
#ifndef HK_FMI_FMI2_API_H
#define HK_FMI_FMI2_API_H

#include "fmi/shared_api.h"

#include <stddef.h>

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef char fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef int fmi2Status;
typedef int fmi2Type;
typedef int fmi2StatusKind;

enum { fmi2False, fmi2True };
enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum { fmi2ModelExchange, fmi2CoSimulation };
enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

typedef void fmi2CallbackLogger(fmi2ComponentEnvironment environment, fmi2String instance,
                                fmi2Status status, fmi2String category, fmi2String message, ...);
typedef void *fmi2CallbackAllocateMemory(size_t count, size_t size);
typedef void fmi2CallbackFreeMemory(void *memory);
typedef void fmi2StepFinished(fmi2ComponentEnvironment environment, fmi2Status status);

typedef struct fmi2CallbackFunctions {
    fmi2CallbackLogger *logger;
    fmi2CallbackAllocateMemory *allocateMemory;
    fmi2CallbackFreeMemory *freeMemory;
    fmi2StepFinished *stepFinished;
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

/* The functions of co-simulation, FMI2(NEED, NAME, RESULT, ARGUMENTS). The standard demands all of
 * them; hocket insists on those without which nothing can run (REQUIRED) and asks for the others
 * (OPTIONAL) when it has a use for them. */
#define HK_FMI2_FUNCTIONS(FMI2)                                                                    \
    FMI2(OPTIONAL, GetTypesPlatform, const char *, (void))                                         \
    FMI2(OPTIONAL, GetVersion, const char *, (void))                                               \
    FMI2(OPTIONAL, SetDebugLogging, fmi2Status,                                                    \
         (fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]))           \
    FMI2(REQUIRED, Instantiate, fmi2Component,                                                     \
         (fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,                   \
          const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging))       \
    FMI2(REQUIRED, SetupExperiment, fmi2Status,                                                    \
         (fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,      \
          fmi2Boolean stop_defined, fmi2Real stop))                                                \
    FMI2(REQUIRED, EnterInitializationMode, fmi2Status, (fmi2Component c))                         \
    HK_FMI_LIFE(FMI2, fmi2, Component c)                                                           \
    HK_FMI_VALUES(FMI2, fmi2)                                                                      \
    HK_FMI_STATES(FMI2, fmi2, Component c, FMUstate, DeSerialize)                                  \
    FMI2(OPTIONAL, GetDirectionalDerivative, fmi2Status,                                           \
         (fmi2Component c, const fmi2ValueReference unknown[], size_t unknown_count,               \
          const fmi2ValueReference known[], size_t known_count, const fmi2Real known_dv[],         \
          fmi2Real unknown_dv[]))                                                                  \
    HK_FMI_SLOPES(FMI2, fmi2)                                                                      \
    FMI2(REQUIRED, DoStep, fmi2Status,                                                             \
         (fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before))               \
    HK_FMI_STEP_STATUS_CALLS(FMI2, fmi2)

/* fmi2GetRealFn and so on: the types of the functions. */
#define FMI2(need, name, result, arguments) typedef result fmi2##name##Fn arguments;
HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2

/* What was found in one library; optional functions that it lacks are NULL. */
typedef struct hk_fmi2_functions {
#define FMI2(need, name, result, arguments) fmi2##name##Fn *name;
    HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2
} hk_fmi2_functions;

#endif
