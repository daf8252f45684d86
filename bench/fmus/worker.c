/* SPDX-License-Identifier: MIT
 *
 * An FMU that computes, and does not sleep: `rounds` times x -> 3.9 x (1 - x) in every step. That
 * is chaotic: after some steps one wrong bit has changed every digit of the output. */
#include "plain_life.h"

#include "fmi/fmi2_export.h"

#include <stdlib.h>
#include <string.h>

#define GUID "{5b1c6a52-9f0e-4c0f-8f6e-3d0b7f2f6a10}"

enum { U, Y, ROUNDS, VALUES };

typedef struct worker {
    double values[VALUES];
} worker;

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)name, (void)resources, (void)callbacks, (void)visible, (void)logging;
    if (type != fmi2CoSimulation || strcmp(guid, GUID) != 0)
        return NULL;
    worker *w = calloc(1, sizeof *w);
    if (w)
        *w = (worker){{[U] = 0.5, [Y] = 0.3, [ROUNDS] = 1000}};
    return w;
}

PLAIN_LIFE(fmi2, Component, Real, SetupExperiment)
PLAIN_CALL(fmi2, Component, EnterInitializationMode)

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       fmi2Real values[]) {
    const worker *w = c;
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= VALUES)
            return fmi2Error;
        values[i] = w->values[refs[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       const fmi2Real values[]) {
    worker *w = c;
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= VALUES)
            return fmi2Error;
        w->values[refs[i]] = values[i];
    }
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set_state_before) {
    (void)t, (void)h, (void)no_set_state_before;
    worker *w = c;
    double x = 0.5 * (w->values[U] + w->values[Y]);
    size_t rounds = w->values[ROUNDS] > 0 ? (size_t)w->values[ROUNDS] : 0;
    for (size_t i = 0; i < rounds; i++)
        x = 3.9 * x * (1 - x);
    w->values[Y] = x;
    return fmi2OK;
}
