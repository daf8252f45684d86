/* SPDX-License-Identifier: MIT
 *
 * Functions that have the same form in several versions of FMI, as parts of the tables in
 * fmiN_api.h: FMI(NEED, NAME, RESULT, ARGUMENTS) with types that begin with V, "fmi2" say. What
 * the versions name differently is an argument, too. */
#ifndef HK_FMI_SHARED_API_H
#define HK_FMI_SHARED_API_H

/* FMI 1.0, 2.0: Get and Set of the four types. */
#define HK_FMI_GET(FMI, v, type)                                                                   \
    FMI(OPTIONAL, Get##type, v##Status,                                                            \
        (v##Component c, const v##ValueReference refs[], size_t n, v##type values[]))
#define HK_FMI_SET(FMI, v, type)                                                                   \
    FMI(OPTIONAL, Set##type, v##Status,                                                            \
        (v##Component c, const v##ValueReference refs[], size_t n, const v##type values[]))
#define HK_FMI_VALUES(FMI, v)                                                                      \
    HK_FMI_GET(FMI, v, Real)                                                                       \
    HK_FMI_GET(FMI, v, Integer)                                                                    \
    HK_FMI_GET(FMI, v, Boolean)                                                                    \
    HK_FMI_GET(FMI, v, String)                                                                     \
    HK_FMI_SET(FMI, v, Real)                                                                       \
    HK_FMI_SET(FMI, v, Integer) HK_FMI_SET(FMI, v, Boolean) HK_FMI_SET(FMI, v, String)

/* FMI 1.0, 2.0: derivatives of inputs and outputs. */
#define HK_FMI_SLOPES(FMI, v)                                                                      \
    FMI(OPTIONAL, SetRealInputDerivatives, v##Status,                                              \
        (v##Component c, const v##ValueReference refs[], size_t n, const v##Integer order[],       \
         const v##Real values[]))                                                                  \
    FMI(OPTIONAL, GetRealOutputDerivatives, v##Status,                                             \
        (v##Component c, const v##ValueReference refs[], size_t n, const v##Integer order[],       \
         v##Real values[]))

/* FMI 1.0, 2.0: steps that go on in the background, or were not made. */
#define HK_FMI_STATUS(FMI, v, type, name)                                                          \
    FMI(OPTIONAL, Get##name, v##Status, (v##Component c, v##StatusKind kind, v##type * value))
#define HK_FMI_STEP_STATUS_CALLS(FMI, v)                                                           \
    FMI(OPTIONAL, CancelStep, v##Status, (v##Component c))                                         \
    HK_FMI_STATUS(FMI, v, Status, Status)                                                          \
    HK_FMI_STATUS(FMI, v, Real, RealStatus)                                                        \
    HK_FMI_STATUS(FMI, v, Integer, IntegerStatus)                                                  \
    HK_FMI_STATUS(FMI, v, Boolean, BooleanStatus)                                                  \
    HK_FMI_STATUS(FMI, v, String, StringStatus)

/* FMI 2.0, 3.0: the end of initialization, and of the instance. */
#define HK_FMI_LIFE(FMI, v, unit)                                                                  \
    FMI(REQUIRED, ExitInitializationMode, v##Status, (v##unit))                                    \
    FMI(REQUIRED, Terminate, v##Status, (v##unit))                                                 \
    FMI(OPTIONAL, Reset, v##Status, (v##unit))                                                     \
    FMI(REQUIRED, FreeInstance, void, (v##unit))

/* FMI 2.0, 3.0: states. UNIT is the first argument, "Component c" or "Instance i", KEPT is FMUstate
 * or FMUState. */
#define HK_FMI_STATES(FMI, v, unit, kept, deserialize)                                             \
    FMI(OPTIONAL, Get##kept, v##Status, (v##unit, v##kept * state))                                \
    FMI(OPTIONAL, Set##kept, v##Status, (v##unit, v##kept state))                                  \
    FMI(OPTIONAL, Free##kept, v##Status, (v##unit, v##kept * state))                               \
    FMI(OPTIONAL, Serialized##kept##Size, v##Status, (v##unit, v##kept state, size_t * size))      \
    FMI(OPTIONAL, Serialize##kept, v##Status,                                                      \
        (v##unit, v##kept state, v##Byte bytes[], size_t size))                                    \
    FMI(OPTIONAL, deserialize##kept, v##Status,                                                    \
        (v##unit, const v##Byte bytes[], size_t size, v##kept *state))

/* FMI 2.0, 3.0: continuous time, of model exchange. REAL: Real or Float64. */
#define HK_FMI_CONTINUOUS(FMI, v, unit, real, rates)                                               \
    FMI(OPTIONAL, EnterContinuousTimeMode, v##Status, (v##unit))                                   \
    FMI(OPTIONAL, CompletedIntegratorStep, v##Status,                                              \
        (v##unit, v##Boolean no_set_state_before, v##Boolean * enter_event_mode,                   \
         v##Boolean * terminate))                                                                  \
    FMI(OPTIONAL, SetTime, v##Status, (v##unit, v##real t))                                        \
    FMI(OPTIONAL, SetContinuousStates, v##Status, (v##unit, const v##real states[], size_t count)) \
    FMI(OPTIONAL, Get##rates, v##Status, (v##unit, v##real derivatives[], size_t count))           \
    FMI(OPTIONAL, GetEventIndicators, v##Status, (v##unit, v##real indicators[], size_t count))    \
    FMI(OPTIONAL, GetContinuousStates, v##Status, (v##unit, v##real states[], size_t count))       \
    FMI(OPTIONAL, GetNominalsOfContinuousStates, v##Status,                                        \
        (v##unit, v##real nominals[], size_t count))

#endif
