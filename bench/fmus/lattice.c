/* SPDX-License-Identifier: MIT
 *
 * An FMU of FMI 3.0 with one large array in and one out. A step changes one element only, so that
 * nearly all of its time is the exchange of values. */
#include "plain_life.h"

#include "fmi/fmi3_export.h"

#include <stdlib.h>
#include <string.h>

#define TOKEN "{b2b6f0d4-51f3-4d2c-93a3-6d3b1f7c0e55}"

enum { TIME, U, Y, SIZE = 10000 };

typedef struct lattice {
    double u[SIZE], y[SIZE];
    size_t next;
} lattice;

fmi3Instance /* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                            fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used,
                            fmi3Boolean early_return_allowed,
                            const fmi3ValueReference intermediate[], size_t intermediate_count,
                            fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
                            fmi3IntermediateUpdateCallback *intermediate_update) {
    (void)name, (void)resources, (void)visible, (void)logging, (void)event_mode_used;
    (void)early_return_allowed, (void)intermediate, (void)intermediate_count, (void)environment;
    (void)log, (void)intermediate_update;
    return strcmp(token, TOKEN) == 0 ? calloc(1, sizeof(lattice)) : NULL;
}

PLAIN_LIFE(fmi3, Instance, Float64, EnterInitializationMode)

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          fmi3Float64 values[], size_t value_count) {
    const lattice *x = i;
    if (n != 1 || value_count != SIZE || (refs[0] != U && refs[0] != Y))
        return fmi3Error;
    memcpy(values, refs[0] == U ? x->u : x->y, sizeof x->u);
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                          const fmi3Float64 values[], size_t value_count) {
    lattice *x = i;
    if (n != 1 || value_count != SIZE || refs[0] != U)
        return fmi3Error;
    memcpy(x->u, values, sizeof x->u);
    return fmi3OK;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
    (void)no_set_state_before;
    lattice *x = i;
    x->y[x->next] = 0.5 * (x->y[x->next] + x->u[x->next]) + h;
    x->next = x->next + 1 == SIZE ? 0 : x->next + 1;
    *event_needed = *terminate = *early_return = false;
    *last_time = t + h;
    return fmi3OK;
}
