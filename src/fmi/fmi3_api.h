/* SPDX-License-Identifier: MIT
 *
 * The C interface of FMI 3.0, declared by hocket from the text of the standard. Enumerations are
 * plain ints here: what a stranger's library returns need not be one of the named values. */
#ifndef HK_FMI_FMI3_API_H
#define HK_FMI_FMI3_API_H

#include "fmi/shared_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;
typedef int fmi3Status;
typedef int fmi3DependencyKind;
typedef int fmi3IntervalQualifier;

enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };
enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent };
enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged };

typedef void fmi3LogMessageCallback(fmi3InstanceEnvironment environment, fmi3Status status,
                                    fmi3String category, fmi3String message);
typedef void fmi3ClockUpdateCallback(fmi3InstanceEnvironment environment);
typedef void fmi3LockPreemptionCallback(void);
typedef void fmi3UnlockPreemptionCallback(void);
typedef void fmi3IntermediateUpdateCallback(fmi3InstanceEnvironment environment, fmi3Float64 t,
                                            fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                            fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                            fmi3Boolean *early_return_requested,
                                            fmi3Float64 *early_return_time);

/* Get and Set of one type of number: HK_FMI3_VALUE(FMI3, NAME). */
#define HK_FMI3_VALUE(FMI3, name)                                                                  \
    FMI3(OPTIONAL, Get##name, fmi3Status,                                                          \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3##name values[],          \
          size_t value_count))                                                                     \
    FMI3(OPTIONAL, Set##name, fmi3Status,                                                          \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3##name values[],    \
          size_t value_count))

/* The types whose values lie in memory as they are: DO(FMI3, NAME). */
#define HK_FMI3_TYPES(DO, FMI3)                                                                    \
    DO(FMI3, Float32)                                                                              \
    DO(FMI3, Float64)                                                                              \
    DO(FMI3, Int8)                                                                                 \
    DO(FMI3, UInt8)                                                                                \
    DO(FMI3, Int16)                                                                                \
    DO(FMI3, UInt16)                                                                               \
    DO(FMI3, Int32) DO(FMI3, UInt32) DO(FMI3, Int64) DO(FMI3, UInt64) DO(FMI3, Boolean)

/* Event mode of co-simulation, with clocks. */
#define HK_FMI3_EVENTS(FMI3)                                                                       \
    FMI3(OPTIONAL, EnterEventMode, fmi3Status, (fmi3Instance i))                                   \
    FMI3(OPTIONAL, GetClock, fmi3Status,                                                           \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3Clock values[]))          \
    FMI3(OPTIONAL, SetClock, fmi3Status,                                                           \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3Clock values[]))    \
    FMI3(OPTIONAL, EvaluateDiscreteStates, fmi3Status, (fmi3Instance i))                           \
    FMI3(OPTIONAL, UpdateDiscreteStates, fmi3Status,                                               \
         (fmi3Instance i, fmi3Boolean * need_update, fmi3Boolean * terminate,                      \
          fmi3Boolean * nominals_changed, fmi3Boolean * values_changed,                            \
          fmi3Boolean * next_event_defined, fmi3Float64 * next_event))                             \
    FMI3(OPTIONAL, EnterStepMode, fmi3Status, (fmi3Instance i))

/* What a co-simulation FMU without structural parameters has no use for: since 3.0.1 it exports
 * them nevertheless, as it does those of model exchange and scheduled execution. */
#define HK_FMI3_BEYOND(FMI3)                                                                       \
    FMI3(OPTIONAL, GetNumberOfVariableDependencies, fmi3Status,                                    \
         (fmi3Instance i, fmi3ValueReference ref, size_t * count))                                 \
    FMI3(OPTIONAL, GetVariableDependencies, fmi3Status,                                            \
         (fmi3Instance i, fmi3ValueReference dependent, size_t dependent_elements[],               \
          fmi3ValueReference independents[], size_t independent_elements[],                        \
          fmi3DependencyKind kinds[], size_t count))                                               \
    FMI3(OPTIONAL, GetAdjointDerivative, fmi3Status,                                               \
         (fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknown_count,               \
          const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],         \
          size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count))                 \
    FMI3(OPTIONAL, EnterConfigurationMode, fmi3Status, (fmi3Instance i))                           \
    FMI3(OPTIONAL, ExitConfigurationMode, fmi3Status, (fmi3Instance i))                            \
    FMI3(OPTIONAL, GetIntervalDecimal, fmi3Status,                                                 \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3Float64 intervals[],      \
          fmi3IntervalQualifier qualifiers[]))                                                     \
    FMI3(OPTIONAL, GetIntervalFraction, fmi3Status,                                                \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3UInt64 counters[],        \
          fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[]))                           \
    FMI3(OPTIONAL, GetShiftDecimal, fmi3Status,                                                    \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3Float64 shifts[]))        \
    FMI3(OPTIONAL, GetShiftFraction, fmi3Status,                                                   \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, fmi3UInt64 counters[],        \
          fmi3UInt64 resolutions[]))                                                               \
    FMI3(OPTIONAL, SetIntervalDecimal, fmi3Status,                                                 \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n,                               \
          const fmi3Float64 intervals[]))                                                          \
    FMI3(OPTIONAL, SetIntervalFraction, fmi3Status,                                                \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3UInt64 counters[],  \
          const fmi3UInt64 resolutions[]))                                                         \
    FMI3(OPTIONAL, SetShiftDecimal, fmi3Status,                                                    \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3Float64 shifts[]))  \
    FMI3(OPTIONAL, SetShiftFraction, fmi3Status,                                                   \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3UInt64 counters[],  \
          const fmi3UInt64 resolutions[]))                                                         \
    HK_FMI_CONTINUOUS(FMI3, fmi3, Instance i, Float64, ContinuousStateDerivatives)                 \
    FMI3(OPTIONAL, GetNumberOfEventIndicators, fmi3Status, (fmi3Instance i, size_t * count))       \
    FMI3(OPTIONAL, GetNumberOfContinuousStates, fmi3Status, (fmi3Instance i, size_t * count))      \
    FMI3(OPTIONAL, GetOutputDerivatives, fmi3Status,                                               \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const fmi3Int32 orders[],     \
          fmi3Float64 values[], size_t value_count))                                               \
    FMI3(OPTIONAL, ActivateModelPartition, fmi3Status,                                             \
         (fmi3Instance i, fmi3ValueReference clock, fmi3Float64 t))

/* All functions of the standard, FMI3(NEED, NAME, RESULT, ARGUMENTS); NEED as in fmi2_api.h, for
 * co-simulation without event mode. Those of model exchange and scheduled execution are listed too:
 * since 3.0.1 a library exports every one of them. */
#define HK_FMI3_FUNCTIONS(FMI3)                                                                    \
    FMI3(OPTIONAL, GetVersion, const char *, (void))                                               \
    FMI3(OPTIONAL, SetDebugLogging, fmi3Status,                                                    \
         (fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String categories[]))            \
    FMI3(OPTIONAL, InstantiateModelExchange, fmi3Instance,                                         \
         (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,            \
          fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback * log)) \
    FMI3(REQUIRED, InstantiateCoSimulation, fmi3Instance,                                          \
         (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,            \
          fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,      \
          const fmi3ValueReference intermediate[], size_t intermediate_count,                      \
          fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,                        \
          fmi3IntermediateUpdateCallback *intermediate_update))                                    \
    FMI3(OPTIONAL, InstantiateScheduledExecution, fmi3Instance,                                    \
         (fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,            \
          fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback * log,  \
          fmi3ClockUpdateCallback * clock_update, fmi3LockPreemptionCallback * lock,               \
          fmi3UnlockPreemptionCallback * unlock))                                                  \
    FMI3(REQUIRED, EnterInitializationMode, fmi3Status,                                            \
         (fmi3Instance i, fmi3Boolean tolerance_defined, fmi3Float64 tolerance, fmi3Float64 start, \
          fmi3Boolean stop_defined, fmi3Float64 stop))                                             \
    HK_FMI_LIFE(FMI3, fmi3, Instance i)                                                            \
    HK_FMI3_TYPES(HK_FMI3_VALUE, FMI3)                                                             \
    HK_FMI3_VALUE(FMI3, String)                                                                    \
    FMI3(OPTIONAL, GetBinary, fmi3Status,                                                          \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, size_t sizes[],               \
          fmi3Binary values[], size_t value_count))                                                \
    FMI3(OPTIONAL, SetBinary, fmi3Status,                                                          \
         (fmi3Instance i, const fmi3ValueReference refs[], size_t n, const size_t sizes[],         \
          const fmi3Binary values[], size_t value_count))                                          \
    HK_FMI_STATES(FMI3, fmi3, Instance i, FMUState, Deserialize)                                   \
    FMI3(OPTIONAL, GetDirectionalDerivative, fmi3Status,                                           \
         (fmi3Instance i, const fmi3ValueReference unknowns[], size_t unknown_count,               \
          const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],         \
          size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count))                 \
    FMI3(REQUIRED, DoStep, fmi3Status,                                                             \
         (fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,           \
          fmi3Boolean * event_needed, fmi3Boolean * terminate, fmi3Boolean * early_return,         \
          fmi3Float64 * last_time))                                                                \
    HK_FMI3_EVENTS(FMI3)                                                                           \
    HK_FMI3_BEYOND(FMI3)

/* fmi3GetFloat64Fn and so on: the types of the functions. */
#define FMI3(need, name, result, arguments) typedef result fmi3##name##Fn arguments;
HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3

/* What was found in one library; optional functions that it lacks are NULL. */
typedef struct hk_fmi3_functions {
#define FMI3(need, name, result, arguments) fmi3##name##Fn *name;
    HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3
} hk_fmi3_functions;

#endif
