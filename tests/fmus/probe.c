/* SPDX-License-Identifier: MIT
 *
 * A test FMU that passes every kind of value through, keeps a state that can be saved, and
 * misbehaves on demand. What cannot be chosen by a parameter is chosen when it is compiled:
 *   PROBE_ANY_GUID          accepts every GUID
 *   PROBE_NEEDS_LIBM        calls pow, without naming libm
 *   PROBE_ROUNDS_UP         changes the rounding mode when it is loaded
 *   PROBE_NO_DOSTEP         does not export fmi2DoStep
 *   PROBE_NO_STRINGS        does not export the functions for text
 *   PROBE_RUDE_START        fmi2Instantiate writes log messages with NULL in all places, some
 *                           with an environment that is none, and takes
 *                           over the signals of the process; and the version is wrong */
#include "fmi/fmi2_export.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the parameter `fault` asks for, at the step that begins at or after `fault_time`. */
enum {
    FAULT_NONE,
    FAULT_NAN,
    FAULT_DISCARD,    /* half of the step was done */
    FAULT_TERMINATED, /* Discard, and the FMU asks to end */
    FAULT_ERROR,
    FAULT_FATAL,
    FAULT_CRASH,
    FAULT_HANG,
    FAULT_LOG_STORM,
    FAULT_PENDING, /* the step is complete at the third question */
    FAULT_PENDING_ERROR,
    FAULT_ROUNDING,   /* leaves another rounding mode behind */
    FAULT_INIT_ERROR, /* fmi2ExitInitializationMode fails */
    FAULT_WARNING,
    FAULT_INFINITE,
    FAULT_EXIT, /* calls exit(0) */
    FAULT_ABORT
};

/* Value references: one range per type is not needed, types have their own. */
enum { REAL_IN, REAL_OUT, REAL_STATE, REAL_GAIN, REAL_FAULT_TIME, REAL_TIME, REAL_POWER, REALS };
enum { INT_IN, INT_OUT, INT_FAULT, INT_ENUM_IN, INT_ENUM_OUT, INT_STEPS, INT_CALLS, INTS };
enum { BOOL_IN, BOOL_OUT, BOOL_SETUP_FIRST, BOOLS };
enum { TEXT_IN, TEXT_OUT, TEXT_RESOURCES, TEXT_PARAMETER, TEXTS };
enum { TEXT_MAX = 512 };

typedef struct values {
    double real[REALS];
    int integer[INTS];
    int boolean[BOOLS];
    char text[TEXTS][TEXT_MAX];
    double last_time;
    int set_up, questions;
} values;

typedef struct probe {
    values v;
    const fmi2CallbackFunctions *callbacks;
    char name[64];
} probe;

/* Steps of all instances that have begun and not ended, and the most there ever were. */
static int under_way, most_under_way;
__attribute__((visibility("default"))) int probe_most_under_way(void);
int probe_most_under_way(void) {
    return most_under_way;
}

#define GUID "{8d8dfd2f-3a3d-4ab0-9d4b-0c6f2a3b9c11}"

static void say(const probe *p, fmi2Status status, const char *category, const char *text) {
    p->callbacks->logger(p->callbacks->componentEnvironment, p->name, status, category, "%s", text);
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
#ifdef PROBE_RUDE_START
    return "1.0";
#else
    return "2.0";
#endif
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)c;
    (void)on;
    (void)count;
    (void)categories;
    return fmi2OK;
}

#ifdef PROBE_ROUNDS_UP
__attribute__((constructor)) static void at_load(void) {
    fesetround(FE_UPWARD);
}
#endif

static void copy_text(char *target, const char *source) {
    snprintf(target, TEXT_MAX, "%s", source ? source : "");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)visible;
    (void)logging;
    probe *p = callbacks->allocateMemory(1, sizeof *p);
    p->callbacks = callbacks; /* as older FMUs do */
    snprintf(p->name, sizeof p->name, "%s", name);
#ifdef PROBE_RUDE_START
    signal(SIGINT, SIG_IGN);
    callbacks->logger(callbacks->componentEnvironment, NULL, fmi2OK, NULL, NULL);
    /* Some number the instances themselves and hand the number on. */
    callbacks->logger((void *)1, name, fmi2OK, NULL, "from number %d: #r1#", 1);
    callbacks->logger((void *)2, "somebody", fmi2OK, NULL, "from number %d: #r1#", 2);
    callbacks->logger(NULL, NULL, fmi2Warning, NULL, "nobody's message %d%%", 7);
#endif
#ifdef PROBE_ANY_GUID
    (void)guid;
#else
    if (strcmp(guid, GUID) != 0) {
        say(p, fmi2Error, "logStatusError", "this library has another GUID");
        callbacks->freeMemory(p);
        return NULL;
    }
#endif
    if (type != fmi2CoSimulation) {
        callbacks->freeMemory(p);
        return NULL;
    }
    p->v.real[REAL_GAIN] = 1;
    p->v.real[REAL_POWER] = 1;
    copy_text(p->v.text[TEXT_RESOURCES], resources);
    return p;
}

void fmi2FreeInstance(fmi2Component c) {
    probe *p = c;
    if (p)
        p->callbacks->freeMemory(p);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    probe *p = c;
    (void)tolerance_defined;
    (void)tolerance;
    (void)stop_defined;
    (void)stop;
    p->v.real[REAL_TIME] = start;
    p->v.real[REAL_GAIN] = 1; /* what was set before is lost, as in some FMUs */
    p->v.set_up = 1;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    probe *p = c;
    p->v.boolean[BOOL_SETUP_FIRST] = p->v.set_up;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    probe *p = c;
    if (p->v.integer[INT_FAULT] == FAULT_INIT_ERROR) {
        say(p, fmi2Error, "logStatusError", "no initial solution");
        return fmi2Error;
    }
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) {
    (void)c;
    return fmi2OK;
}

/* Outputs follow the inputs at once, so that initialization mode shows direct feedthrough. */
static void update(probe *p) {
    p->v.real[REAL_OUT] = p->v.real[REAL_GAIN] * p->v.real[REAL_IN];
    p->v.integer[INT_OUT] = p->v.integer[INT_IN];
    p->v.integer[INT_ENUM_OUT] = p->v.integer[INT_ENUM_IN];
    p->v.boolean[BOOL_OUT] = p->v.boolean[BOOL_IN];
    memcpy(p->v.text[TEXT_OUT], p->v.text[TEXT_IN], TEXT_MAX);
}

#define ACCESS(Name, type, field, count)                                                           \
    fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference refs[], size_t n,           \
                             type out[]) {                                                         \
        probe *p = c;                                                                              \
        update(p);                                                                                 \
        p->v.integer[INT_CALLS]++;                                                                 \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (refs[i] >= count)                                                                  \
                return fmi2Error;                                                                  \
            out[i] = p->v.field[refs[i]];                                                          \
        }                                                                                          \
        return fmi2OK;                                                                             \
    }                                                                                              \
    fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference refs[], size_t n,           \
                             const type in[]) {                                                    \
        probe *p = c;                                                                              \
        for (size_t i = 0; i < n; i++) {                                                           \
            if (refs[i] >= count)                                                                  \
                return fmi2Error;                                                                  \
            p->v.field[refs[i]] = in[i];                                                           \
        }                                                                                          \
        return fmi2OK;                                                                             \
    }
ACCESS(Real, fmi2Real, real, REALS)
ACCESS(Integer, fmi2Integer, integer, INTS)
ACCESS(Boolean, fmi2Boolean, boolean, BOOLS)

#ifndef PROBE_NO_STRINGS
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                         fmi2String out[]) {
    probe *p = c;
    update(p);
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= TEXTS)
            return fmi2Error;
        out[i] = p->v.text[refs[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                         const fmi2String in[]) {
    probe *p = c;
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= TEXTS)
            return fmi2Error;
        copy_text(p->v.text[refs[i]], in[i]);
    }
    return fmi2OK;
}
#endif

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    const probe *p = c;
    if (!*state)
        *state = malloc(sizeof p->v);
    memcpy(*state, &p->v, sizeof p->v);
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    probe *p = c;
    memcpy(&p->v, state, sizeof p->v);
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c;
    (void)state;
    *size = sizeof(values);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    (void)c;
    if (size != sizeof(values))
        return fmi2Error;
    memcpy(bytes, state, size);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    probe *p = c;
    if (size != sizeof(values)) {
        say(p, fmi2Error, "logStatusError", "the state has the wrong size");
        return fmi2Error;
    }
    *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi2OK;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real known_dv[],
                                        fmi2Real unknown_dv[]) {
    (void)c;
    (void)unknown;
    (void)unknown_count;
    (void)known;
    (void)known_count;
    (void)known_dv;
    (void)unknown_dv;
    return fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                       const fmi2Integer order[], const fmi2Real in[]) {
    (void)c;
    (void)refs;
    (void)n;
    (void)order;
    (void)in;
    return fmi2Error;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                        const fmi2Integer order[], fmi2Real out[]) {
    (void)c;
    (void)refs;
    (void)n;
    (void)order;
    (void)out;
    return fmi2Error;
}

#ifndef PROBE_NO_DOSTEP
static void log_storm(const probe *p) {
    const fmi2CallbackFunctions *k = p->callbacks;
    static char long_text[20000];
    memset(long_text, 'x', sizeof long_text - 1);
    for (int i = 0; i < 1000; i++)
        k->logger(k->componentEnvironment, NULL, fmi2OK, NULL, "message %d of %s", i, "many");
    k->logger(k->componentEnvironment, p->name, fmi2Warning, "logAll", long_text);
}

/* Does what the fault asks for; true: the step ends with *status. */
static int misbehave(probe *p, double t, double h, fmi2Status *status) {
    volatile int *nowhere = NULL;
    p->v.last_time = t;
    switch (p->v.integer[INT_FAULT]) {
    case FAULT_NAN:
        p->v.real[REAL_STATE] = NAN;
        return 0;
    case FAULT_DISCARD:
    case FAULT_TERMINATED:
        p->v.last_time = t + h / 2;
        *status = fmi2Discard;
        return 1;
    case FAULT_ERROR:
        say(p, fmi2Error, "logStatusError", "the solver gave up");
        *status = fmi2Error;
        return 1;
    case FAULT_FATAL:
        *status = fmi2Fatal;
        return 1;
    case FAULT_CRASH:
        *nowhere = 1;
        return 0;
    case FAULT_HANG:
        for (;;)
            sleep(1);
    case FAULT_LOG_STORM:
        log_storm(p);
        return 0;
    case FAULT_PENDING:
    case FAULT_PENDING_ERROR:
        p->v.questions = 0;
        under_way++;
        most_under_way = under_way > most_under_way ? under_way : most_under_way;
        *status = fmi2Pending;
        return 1;
    case FAULT_ROUNDING:
        fesetround(FE_DOWNWARD);
        return 0;
    case FAULT_INFINITE:
        p->v.real[REAL_STATE] = -INFINITY;
        p->v.real[REAL_IN] = 0;
        return 0;
    case FAULT_EXIT:
        exit(0);
    case FAULT_ABORT:
        abort();
    case FAULT_WARNING:
        say(p, fmi2Warning, "logStatusWarning", "#r3# and #i3# are near #s9#, ## and 100%#");
        *status = fmi2Warning;
        return 0;
    default:
        return 0;
    }
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before) {
    probe *p = c;
    fmi2Status status = fmi2OK;
    (void)no_set_state_before;
    int faulty = p->v.integer[INT_FAULT] != FAULT_NONE && t >= p->v.real[REAL_FAULT_TIME];
    if (faulty && misbehave(p, t, h, &status) && status != fmi2Pending)
        return status;
    p->v.real[REAL_STATE] += h * p->v.real[REAL_IN];
    p->v.real[REAL_TIME] = t + h;
    p->v.integer[INT_STEPS]++;
#ifdef PROBE_NEEDS_LIBM
    p->v.real[REAL_POWER] = pow(2, p->v.integer[INT_STEPS]);
#endif
    return status;
}
#endif

fmi2Status fmi2CancelStep(fmi2Component c) {
    (void)c;
    return fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
    probe *p = c;
    if (kind != fmi2DoStepStatus)
        return fmi2Discard;
    int fails = p->v.integer[INT_FAULT] == FAULT_PENDING_ERROR;
    *value = ++p->v.questions < 3 ? fmi2Pending : fails ? fmi2Error : fmi2OK;
    under_way -= *value != fmi2Pending;
    return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    const probe *p = c;
    if (kind != fmi2LastSuccessfulTime)
        return fmi2Discard;
    *value = p->v.last_time;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
    (void)c;
    (void)kind;
    (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    const probe *p = c;
    if (kind != fmi2Terminated)
        return fmi2Discard;
    *value = p->v.integer[INT_FAULT] == FAULT_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
    (void)c;
    (void)kind;
    (void)value;
    return fmi2Discard;
}
