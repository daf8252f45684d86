/* SPDX-License-Identifier: MIT
 *
 * The body of the animals of FMI 1.0. */
#include "animal.h"

#define HK_FMI1_ID animal
#include "fmi/fmi1_export.h"

#include <stdlib.h>
#include <string.h>

typedef struct beast {
    animal a; /* first: the instance is both */
    fmi1CallbackFunctions host;
} beast;

static fmi1CallbackFunctions *host(animal *a) {
    return a->library_side;
}

static void say(animal *a, int status, const char *category, const char *text) {
    if (strchr(text, '%')) /* as FMUs do that forget that it is a format */
        host(a)->logger(a, "animal", status, category, text);
    else
        host(a)->logger(a, "animal", status, category, "%s", text);
}

static void say_null(animal *a) {
    host(a)->logger(a, NULL, OK, NULL, NULL);
    host(a)->logger(NULL, NULL, WARNING, NULL, NULL);
}

static void say_wild(animal *a) {
    host(a)->logger(a, ANIMAL_NOWHERE, OK, ANIMAL_NOWHERE, ANIMAL_NOWHERE);
    host(a)->logger(ANIMAL_NOWHERE, "animal", OK, "logAll", "%s and %s", ANIMAL_NOWHERE, "more");
}

static void step_finished(animal *a) {
    if (host(a)->stepFinished)
        host(a)->stepFinished(a, OK);
}

const char *FMI1_NAME(GetTypesPlatform)(void) {
    return "standard32";
}

const char *FMI1_NAME(GetVersion)(void) {
    return animal_version("1.0");
}

fmi1Status FMI1_NAME(SetDebugLogging)(fmi1Component c, fmi1Boolean on) {
    (void)on;
    return act(c, "debug");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi1Component FMI1_NAME(InstantiateSlave)(fmi1String name, fmi1String guid, fmi1String location,
                                          fmi1String mime_type, fmi1Real timeout,
                                          fmi1Boolean visible, fmi1Boolean interactive,
                                          fmi1CallbackFunctions callbacks, fmi1Boolean logging) {
    static beast *first;
    (void)name, (void)mime_type, (void)timeout, (void)visible, (void)interactive, (void)logging;
    beast *b = callbacks.allocateMemory(1, sizeof *b);
    b->host = callbacks;
    b->a.library_side = &b->host;
    b->a.say = say;
    b->a.say_null = say_null;
    b->a.say_wild = say_wild;
    b->a.step_finished = step_finished;
    char resources[4096] = "";
    if (location) {
        size_t length = strlen(location);
        bool slash = length && location[length - 1] == '/';
        strncat(resources, location, sizeof resources - 16);
        strcat(resources, slash ? "resources" : "/resources");
    }
    bool good = animal_born(&b->a, guid, location ? resources : NULL) &&
                act(&b->a, "instantiate") <= WARNING;
    if (good && is_to(&b->a, "same", "instantiate") && first) {
        callbacks.freeMemory(b);
        return first;
    }
    if (!good) {
        callbacks.freeMemory(b);
        return NULL;
    }
    return first = b;
}

void FMI1_NAME(FreeSlaveInstance)(fmi1Component c) {
    beast *b = c;
    if (!b)
        return;
    act(&b->a, "free");
    animal_dies(&b->a);
    if (!is_to(&b->a, "same", "instantiate"))
        b->host.freeMemory(b);
}

fmi1Status FMI1_NAME(InitializeSlave)(fmi1Component c, fmi1Real start, fmi1Boolean stop_defined,
                                      fmi1Real stop) {
    animal *a = c;
    (void)stop;
    a->stop_told = stop_defined;
    a->t = start;
    int status = act(a, "enter");
    return status ? status : act(a, "exit");
}

fmi1Status FMI1_NAME(TerminateSlave)(fmi1Component c) {
    return act(c, "terminate");
}

fmi1Status FMI1_NAME(ResetSlave)(fmi1Component c) {
    return act(c, "reset");
}

#define GET(Name, type, Value)                                                                     \
    fmi1Status FMI1_NAME(Get##Name)(fmi1Component c, const fmi1ValueReference refs[], size_t n,    \
                                    type out[]) {                                                  \
        animal *a = c;                                                                             \
        int status = act(a, "get0");                                                               \
        status = status ? status : act(a, "get");                                                  \
        for (size_t i = 0; i < n && status <= WARNING; i++)                                        \
            out[i] = (type)(Value);                                                                \
        return status;                                                                             \
    }
GET(Real, fmi1Real, animal_real(a, refs[i]))
GET(Integer, fmi1Integer, refs[i] == N ? a->n : a->mode)
GET(Boolean, fmi1Boolean, refs[i] == B ? a->b : 0)
GET(String, fmi1String, refs[i] == S ? a->text : a->resource)

fmi1Status FMI1_NAME(SetReal)(fmi1Component c, const fmi1ValueReference refs[], size_t n,
                              const fmi1Real in[]) {
    animal *a = c;
    int status = act(a, "set0");
    status = status ? status : act(a, "set");
    for (size_t i = 0; i < n; i++)
        *(refs[i] == X ? &a->x : refs[i] == Y ? &a->y : &a->k) = in[i];
    return status;
}

#define SET(Name, type)                                                                            \
    fmi1Status FMI1_NAME(Set##Name)(fmi1Component c, const fmi1ValueReference refs[], size_t n,    \
                                    const type in[]) {                                             \
        (void)c, (void)refs, (void)n, (void)in;                                                    \
        return fmi1OK;                                                                             \
    }
SET(Integer, fmi1Integer)
SET(Boolean, fmi1Boolean)
SET(String, fmi1String)

fmi1Status FMI1_NAME(SetRealInputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                              size_t n, const fmi1Integer order[],
                                              const fmi1Real in[]) {
    (void)refs, (void)n, (void)order, (void)in;
    return act(c, "derivatives");
}

fmi1Status FMI1_NAME(GetRealOutputDerivatives)(fmi1Component c, const fmi1ValueReference refs[],
                                               size_t n, const fmi1Integer order[],
                                               fmi1Real out[]) {
    (void)c, (void)refs, (void)n, (void)order, (void)out;
    return fmi1Error;
}

fmi1Status FMI1_NAME(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step) {
    animal *a = c;
    a->told = new_step;
    a->t = t;
    int status = act(a, "step");
    if (status == OK || status == WARNING || status == PENDING)
        animal_steps(a, t, h);
    return status;
}

fmi1Status FMI1_NAME(CancelStep)(fmi1Component c) {
    (void)c;
    return fmi1Error;
}

fmi1Status FMI1_NAME(GetStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Status *value) {
    animal *a = c;
    return kind == fmi1DoStepStatus ? animal_pending(a, value) : DISCARD;
}

fmi1Status FMI1_NAME(GetRealStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Real *value) {
    const animal *a = c;
    if (kind != fmi1LastSuccessfulTime)
        return DISCARD;
    *value = a->last;
    return OK;
}

fmi1Status FMI1_NAME(GetIntegerStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Integer *value) {
    (void)c, (void)kind, (void)value;
    return DISCARD;
}

fmi1Status FMI1_NAME(GetBooleanStatus)(fmi1Component c, fmi1StatusKind kind, fmi1Boolean *value) {
    (void)c, (void)kind, (void)value;
    return DISCARD;
}

fmi1Status FMI1_NAME(GetStringStatus)(fmi1Component c, fmi1StatusKind kind, fmi1String *value) {
    (void)c, (void)kind, (void)value;
    return DISCARD;
}

/* hocket's extension for states, which the description of a plain animal does not announce. */
fmi1Status FMI1X_NAME(GetState)(fmi1Component c, void **state) {
    return animal_get_state(c, state);
}

fmi1Status FMI1X_NAME(SetState)(fmi1Component c, void *state) {
    return animal_set_state(c, state);
}

fmi1Status FMI1X_NAME(FreeState)(fmi1Component c, void **state) {
    (void)c;
    return animal_free_state(state);
}

fmi1Status FMI1X_NAME(StateSize)(fmi1Component c, void *state, size_t *size) {
    (void)state;
    return animal_state_size(c, size);
}

fmi1Status FMI1X_NAME(SaveState)(fmi1Component c, void *state, char bytes[], size_t size) {
    return animal_save(c, state, bytes, size);
}

fmi1Status FMI1X_NAME(LoadState)(fmi1Component c, const char bytes[], size_t size, void **state) {
    return animal_load(c, bytes, size, state);
}
