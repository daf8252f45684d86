/* SPDX-License-Identifier: MIT
 *
 * The C interface of FMI 2.0, declared by hocket from the text of the standard. Enumerations are
 * plain ints here: what a stranger's library returns need not be one of the named values. */
#ifndef HK_FMI_FMI2_API_H
#define HK_FMI_FMI2_API_H

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
    FMI2(REQUIRED, FreeInstance, void, (fmi2Component c))                                          \
    FMI2(REQUIRED, SetupExperiment, fmi2Status,                                                    \
         (fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance, fmi2Real start,      \
          fmi2Boolean stop_defined, fmi2Real stop))                                                \
    FMI2(REQUIRED, EnterInitializationMode, fmi2Status, (fmi2Component c))                         \
    FMI2(REQUIRED, ExitInitializationMode, fmi2Status, (fmi2Component c))                          \
    FMI2(REQUIRED, Terminate, fmi2Status, (fmi2Component c))                                       \
    FMI2(OPTIONAL, Reset, fmi2Status, (fmi2Component c))                                           \
    FMI2(OPTIONAL, GetReal, fmi2Status,                                                            \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Real values[]))          \
    FMI2(OPTIONAL, GetInteger, fmi2Status,                                                         \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Integer values[]))       \
    FMI2(OPTIONAL, GetBoolean, fmi2Status,                                                         \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2Boolean values[]))       \
    FMI2(OPTIONAL, GetString, fmi2Status,                                                          \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, fmi2String values[]))        \
    FMI2(OPTIONAL, SetReal, fmi2Status,                                                            \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Real values[]))    \
    FMI2(OPTIONAL, SetInteger, fmi2Status,                                                         \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Integer values[])) \
    FMI2(OPTIONAL, SetBoolean, fmi2Status,                                                         \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Boolean values[])) \
    FMI2(OPTIONAL, SetString, fmi2Status,                                                          \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2String values[]))  \
    FMI2(OPTIONAL, GetFMUstate, fmi2Status, (fmi2Component c, fmi2FMUstate * state))               \
    FMI2(OPTIONAL, SetFMUstate, fmi2Status, (fmi2Component c, fmi2FMUstate state))                 \
    FMI2(OPTIONAL, FreeFMUstate, fmi2Status, (fmi2Component c, fmi2FMUstate * state))              \
    FMI2(OPTIONAL, SerializedFMUstateSize, fmi2Status,                                             \
         (fmi2Component c, fmi2FMUstate state, size_t * size))                                     \
    FMI2(OPTIONAL, SerializeFMUstate, fmi2Status,                                                  \
         (fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size))                     \
    FMI2(OPTIONAL, DeSerializeFMUstate, fmi2Status,                                                \
         (fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state))              \
    FMI2(OPTIONAL, GetDirectionalDerivative, fmi2Status,                                           \
         (fmi2Component c, const fmi2ValueReference unknown[], size_t unknown_count,               \
          const fmi2ValueReference known[], size_t known_count, const fmi2Real known_dv[],         \
          fmi2Real unknown_dv[]))                                                                  \
    FMI2(OPTIONAL, SetRealInputDerivatives, fmi2Status,                                            \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Integer order[],   \
          const fmi2Real values[]))                                                                \
    FMI2(OPTIONAL, GetRealOutputDerivatives, fmi2Status,                                           \
         (fmi2Component c, const fmi2ValueReference refs[], size_t n, const fmi2Integer order[],   \
          fmi2Real values[]))                                                                      \
    FMI2(REQUIRED, DoStep, fmi2Status,                                                             \
         (fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before))               \
    FMI2(OPTIONAL, CancelStep, fmi2Status, (fmi2Component c))                                      \
    FMI2(OPTIONAL, GetStatus, fmi2Status,                                                          \
         (fmi2Component c, fmi2StatusKind kind, fmi2Status * value))                               \
    FMI2(OPTIONAL, GetRealStatus, fmi2Status,                                                      \
         (fmi2Component c, fmi2StatusKind kind, fmi2Real * value))                                 \
    FMI2(OPTIONAL, GetIntegerStatus, fmi2Status,                                                   \
         (fmi2Component c, fmi2StatusKind kind, fmi2Integer * value))                              \
    FMI2(OPTIONAL, GetBooleanStatus, fmi2Status,                                                   \
         (fmi2Component c, fmi2StatusKind kind, fmi2Boolean * value))                              \
    FMI2(OPTIONAL, GetStringStatus, fmi2Status,                                                    \
         (fmi2Component c, fmi2StatusKind kind, fmi2String * value))

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
