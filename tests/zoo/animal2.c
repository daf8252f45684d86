/* SPDX-License-Identifier: MIT
 *
 * The body of the animals of FMI 2.0. */
#include "animal.h"

#include "fmi/fmi2_export.h"

#include <stdlib.h>
#include <string.h>

static const fmi2CallbackFunctions *host(const animal *a) {
    return a->library_side; /* the pointer is kept, as most FMUs do */
}

static void say(animal *a, int status, const char *category, const char *text) {
    if (strchr(text, '%')) /* as FMUs do that forget that it is a format */
        host(a)->logger(host(a)->componentEnvironment, "animal", status, category, text);
    else
        host(a)->logger(host(a)->componentEnvironment, "animal", status, category, "%s", text);
}

static void say_null(animal *a) {
    host(a)->logger(host(a)->componentEnvironment, NULL, OK, NULL, NULL);
    host(a)->logger(NULL, NULL, WARNING, NULL, NULL);
}

static void say_wild(animal *a) {
    host(a)->logger(host(a)->componentEnvironment, ANIMAL_NOWHERE, OK, ANIMAL_NOWHERE,
                    ANIMAL_NOWHERE);
    host(a)->logger(ANIMAL_NOWHERE, "animal", OK, "logAll", "%s and %s", ANIMAL_NOWHERE, "more");
}

static void step_finished(animal *a) {
    if (host(a)->stepFinished)
        host(a)->stepFinished(host(a)->componentEnvironment, OK);
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return animal_version("2.0");
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)on, (void)count, (void)categories;
    return act(c, "debug");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    static animal *first;
    (void)name, (void)type, (void)visible, (void)logging;
    animal *a =
        callbacks->allocateMemory ? callbacks->allocateMemory(1, sizeof *a) : calloc(1, sizeof *a);
    union {
        const fmi2CallbackFunctions *given;
        void *kept;
    } side = {.given = callbacks};
    a->library_side = side.kept;
    a->say = say;
    a->say_null = say_null;
    a->say_wild = say_wild;
    a->step_finished = step_finished;
    bool good = animal_born(a, guid, resources) && act(a, "instantiate") <= WARNING;
    if (good && is_to(a, "same", "instantiate") && first) {
        callbacks->freeMemory(a);
        return first;
    }
    if (!good) {
        callbacks->freeMemory(a);
        return NULL;
    }
    return first = a;
}

void fmi2FreeInstance(fmi2Component c) {
    animal *a = c;
    if (!a)
        return;
    act(a, "free");
    animal_dies(a);
    if (!is_to(a, "same", "instantiate"))
        host(a)->freeMemory(a);
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    (void)tolerance_defined, (void)tolerance, (void)stop;
    animal *a = c;
    a->stop_told = stop_defined;
    a->t = start;
    return act(a, "setup");
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return act(c, "enter");
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return act(c, "exit");
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return act(c, "terminate");
}

fmi2Status fmi2Reset(fmi2Component c) {
    return act(c, "reset");
}

#define GET(Name, type, Value)                                                                     \
    fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference refs[], size_t n,           \
                             type out[]) {                                                         \
        animal *a = c;                                                                             \
        int status = act(a, "get0");                                                               \
        status = status ? status : act(a, "get");                                                  \
        for (size_t i = 0; i < n && status <= WARNING; i++)                                        \
            out[i] = Value;                                                                        \
        return status;                                                                             \
    }
GET(Real, fmi2Real, animal_real(a, refs[i]))
GET(Integer, fmi2Integer, refs[i] == N ? a->n : a->mode)
GET(Boolean, fmi2Boolean, refs[i] == B ? a->b : 0)
GET(String, fmi2String, refs[i] == S ? a->text : a->resource)

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       const fmi2Real in[]) {
    animal *a = c;
    int status = act(a, "set0");
    status = status ? status : act(a, "set");
    for (size_t i = 0; i < n; i++)
        *(refs[i] == X ? &a->x : refs[i] == Y ? &a->y : &a->k) = in[i];
    return status;
}

#define SET(Name, type)                                                                            \
    fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference refs[], size_t n,           \
                             const type in[]) {                                                    \
        (void)c, (void)refs, (void)n, (void)in;                                                    \
        return fmi2OK;                                                                             \
    }
SET(Integer, fmi2Integer)
SET(Boolean, fmi2Boolean)
SET(String, fmi2String)

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return animal_get_state(c, state);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return animal_set_state(c, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    return animal_free_state(state);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)state;
    return animal_state_size(c, size);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    return animal_save(c, state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    return animal_load(c, bytes, size, state);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real known_dv[],
                                        fmi2Real unknown_dv[]) {
    (void)c, (void)unknown, (void)unknown_count, (void)known, (void)known_count, (void)known_dv;
    (void)unknown_dv;
    return fmi2Error;
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                       const fmi2Integer order[], const fmi2Real in[]) {
    (void)refs, (void)n, (void)order, (void)in;
    return act(c, "derivatives");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                        const fmi2Integer order[], fmi2Real out[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)out;
    return fmi2Error;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before) {
    animal *a = c;
    a->told = no_set_state_before;
    a->t = t;
    int status = act(a, "step");
    if (status == OK || status == WARNING || status == PENDING)
        animal_steps(a, t, h);
    return status;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    (void)c;
    return fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
    return kind == fmi2DoStepStatus ? animal_pending(c, value) : DISCARD;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    const animal *a = c;
    if (kind != fmi2LastSuccessfulTime)
        return DISCARD;
    *value = a->last;
    return OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
    (void)c, (void)kind, (void)value;
    return DISCARD;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    const animal *a = c;
    if (kind != fmi2Terminated)
        return DISCARD;
    *value = a->terminated;
    return OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
    (void)c, (void)kind, (void)value;
    return DISCARD;
}
