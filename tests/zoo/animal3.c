/* SPDX-License-Identifier: MIT
 *
 * The body of the animals of FMI 3.0. Functions that hocket does not call are not there, as in many
 * FMUs of the first years. */
#include "animal.h"

#include "fmi/fmi3_export.h"

#include <stdlib.h>
#include <string.h>

typedef struct beast {
    animal a; /* first: the instance is both */
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback *log;
    bool early;
} beast;

static void say(animal *a, int status, const char *category, const char *text) {
    const beast *b = a->library_side;
    b->log(b->environment, status, category, text);
}

static void say_null(animal *a) {
    const beast *b = a->library_side;
    b->log(b->environment, OK, NULL, NULL);
    b->log(NULL, WARNING, NULL, NULL);
}

static void say_wild(animal *a) {
    const beast *b = a->library_side;
    b->log(b->environment, OK, ANIMAL_NOWHERE, ANIMAL_NOWHERE);
    b->log(ANIMAL_NOWHERE, OK, "logAll", "and more");
}

static void step_finished(animal *a) {
    (void)a; /* there is no such callback any more */
}

const char *fmi3GetVersion(void) {
    return animal_version("3.0");
}

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
    (void)on, (void)count, (void)categories;
    return act(i, "debug");
}

fmi3Instance /* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                            fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used,
                            fmi3Boolean early_return_allowed,
                            const fmi3ValueReference intermediate[], size_t intermediate_count,
                            fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
                            fmi3IntermediateUpdateCallback *intermediate_update) {
    static beast *first;
    (void)name, (void)visible, (void)logging, (void)event_mode_used, (void)intermediate;
    (void)intermediate_count, (void)intermediate_update;
    beast *b = calloc(1, sizeof *b);
    b->environment = environment;
    b->log = log;
    b->early = early_return_allowed;
    b->a.library_side = b;
    b->a.say = say;
    b->a.say_null = say_null;
    b->a.say_wild = say_wild;
    b->a.step_finished = step_finished;
    bool good = animal_born(&b->a, token, resources) && act(&b->a, "instantiate") <= WARNING;
    if (good && is_to(&b->a, "same", "instantiate") && first) {
        free(b);
        return first;
    }
    if (!good) {
        free(b);
        return NULL;
    }
    return first = b;
}

void fmi3FreeInstance(fmi3Instance i) {
    beast *b = i;
    if (!b)
        return;
    act(&b->a, "free");
    animal_dies(&b->a);
    if (!is_to(&b->a, "same", "instantiate"))
        free(b);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
    (void)tolerance_defined, (void)tolerance, (void)stop;
    animal *a = i;
    a->stop_told = stop_defined;
    a->t = start;
    return act(a, "enter");
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
    return act(i, "exit");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) {
    return act(i, "configure");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) {
    return act(i, "configured");
}

fmi3Status fmi3Terminate(fmi3Instance i) {
    return act(i, "terminate");
}

fmi3Status fmi3Reset(fmi3Instance i) {
    return act(i, "reset");
}

/* An array has three elements whatever its description says; a value is its index added. */
#define GET(Name, type, Value)                                                                     \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference refs[], size_t n,     \
                             type out[], size_t value_count) {                                     \
        animal *a = instance;                                                                      \
        int status = act(a, "get0");                                                               \
        status = status ? status : act(a, "get");                                                  \
        size_t at = 0;                                                                             \
        for (size_t i = 0; i < n && status <= WARNING; i++)                                        \
            for (size_t e = 0; e < (refs[i] == ARRAY ? 3 : 1); e++) {                              \
                if (at == value_count)                                                             \
                    return ERROR;                                                                  \
                out[at++] = (type)(Value);                                                         \
            }                                                                                      \
        return status > WARNING || at == value_count ? status : ERROR;                             \
    }
GET(Float64, fmi3Float64, animal_real(a, refs[i]) + (double)e)
GET(Float32, fmi3Float32, a->f)
GET(Int32, fmi3Int32, a->n)
GET(Int64, fmi3Int64, refs[i] == MODE ? a->mode : a->l)
GET(UInt64, fmi3UInt64, 3)
GET(String, fmi3String, refs[i] == S ? a->text : a->resource)

fmi3Status fmi3GetBoolean(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          fmi3Boolean out[], size_t value_count) {
    const animal *a = i;
    (void)refs;
    unsigned char byte = (unsigned char)a->b;
    if (n != value_count)
        return ERROR;
    for (size_t k = 0; k < n; k++)
        memcpy(&out[k], &byte, 1); /* a bool that is 7 */
    return OK;
}

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference refs[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t value_count) {
    const animal *a = i;
    (void)refs;
    for (size_t k = 0; k < n && k < value_count; k++) {
        values[k] = (const fmi3Byte *)(a->text ? a->text : NULL);
        sizes[k] = 4; /* and a pointer that may be NULL */
    }
    return OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          const fmi3Float64 in[], size_t value_count) {
    animal *a = i;
    (void)value_count;
    int status = act(a, "set0");
    status = status ? status : act(a, "set");
    for (size_t k = 0; k < n; k++)
        *(refs[k] == X ? &a->x : refs[k] == Y ? &a->y : &a->k) = in[k];
    return status;
}

#define SET(Name, type)                                                                            \
    fmi3Status fmi3Set##Name(fmi3Instance i, const fmi3ValueReference refs[], size_t n,            \
                             const type in[], size_t value_count) {                                \
        (void)i, (void)refs, (void)n, (void)in, (void)value_count;                                 \
        return OK;                                                                                 \
    }
SET(Float32, fmi3Float32)
SET(Int32, fmi3Int32)
SET(Int64, fmi3Int64)
SET(UInt64, fmi3UInt64)
SET(Boolean, fmi3Boolean)
SET(String, fmi3String)

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state) {
    return animal_get_state(i, state);
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
    return animal_set_state(i, state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state) {
    (void)i;
    return animal_free_state(state);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size) {
    (void)state;
    return animal_state_size(i, size);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    return animal_save(i, state, bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state) {
    return animal_load(i, bytes, size, state);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
    beast *b = i;
    animal *a = &b->a;
    a->told = no_set_state_before;
    *event_needed = *terminate = *early_return = false;
    a->t = t;
    int status = act(a, "step");
    *terminate = is_to(a, "asks_to_end", "step") || a->terminated;
    bool at_event = is_to(a, "stops_at_event", "step");
    *event_needed = at_event || is_to(a, "needs_event", "step");
    if (at_event || is_to(a, "returns_early", "step") || is_to(a, "stands_still", "step")) {
        *early_return = true;
        h = is_to(a, "stands_still", "step") ? 0 : h / 2;
    }
    if (status <= WARNING)
        animal_steps(a, t, h);
    *last_time = is_to(a, "goes_too_far", "step") ? t + 10 * h : a->last;
    return status;
}
