/* SPDX-License-Identifier: MIT
 *
 * FMI 2.0 co-simulation around a unit of the quarter truck: the same functions as the native
 * component, called in the same order, so that both give the same bits. QT_FMU names the unit.
 * All variables are real; a value reference is the index of the port. */
#include "fmi/fmi2_export.h"
#include "qt_core.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT (&QT_FMU)

typedef enum phase { INSTANTIATED = 1, INITIALIZING = 2, STEPPING = 4, TERMINATED = 8 } phase;

/* All that changes: a copy of it, and of the unit's struct behind it, is the FMU's state. */
typedef struct fmu_state {
    uint64_t phase; /* of type phase */
    double t, stop;
    uint64_t has_stop, has_start, init_due, output_due; /* flags, wide to leave no gaps */
    double self[];
} fmu_state;

typedef struct instance {
    char *name;
    fmi2CallbackLogger *logger;
    fmi2ComponentEnvironment environment;
    fmu_state *now;
} instance;

static const char *const error_category = "logStatusError";

static size_t state_size(void) {
    return sizeof(fmu_state) + UNIT->type->instance_size;
}

static fmi2Status fail(const instance *c, const char *text) {
    if (c->logger)
        c->logger(c->environment, c->name, fmi2Error, error_category, "%s", text);
    return fmi2Error;
}

static double *field(const instance *c, fmi2ValueReference ref) {
    return &c->now->self[UNIT->type->ports[ref].offset / sizeof(double)];
}

static void reset(instance *c) {
    memset(c->now, 0, state_size());
    c->now->phase = INSTANTIATED;
    for (fmi2ValueReference i = 0; i < UNIT->type->port_count; i++)
        *field(c, i) = UNIT->starts[i];
}

/* Brings what is read up to date with what was set. */
static bool settle(const instance *c) {
    fmu_state *now = c->now;
    if (now->init_due && UNIT->type->init(now->self, now->t) != HK_STEP_OK)
        return false;
    if (now->output_due && UNIT->type->output(now->self, now->t) != HK_STEP_OK)
        return false;
    now->init_due = now->output_due = false;
    return true;
}

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)resources;
    (void)visible;
    (void)logging; /* errors are all there is to log, and they are logged always */
    instance about = {.name = NULL};
    if (callbacks) {
        about.logger = callbacks->logger;
        about.environment = callbacks->componentEnvironment;
    }
    char none[] = "";
    about.name = none;
    if (!name || !*name) {
        fail(&about, "fmi2Instantiate: the instance has no name");
        return NULL;
    }
    if (type != fmi2CoSimulation) {
        fail(&about, "fmi2Instantiate: only co-simulation is offered");
        return NULL;
    }
    if (!guid || strcmp(guid, UNIT->guid) != 0) {
        fail(&about, "fmi2Instantiate: the GUID is not that of modelDescription.xml");
        return NULL;
    }
    instance *c = calloc(1, sizeof *c);
    char *copy = calloc(strlen(name) + 1, 1);
    fmu_state *now = calloc(1, state_size());
    if (!c || !copy || !now) {
        free(c);
        free(copy);
        free(now);
        return NULL;
    }
    memcpy(copy, name, strlen(name));
    *c = about;
    c->name = copy;
    c->now = now;
    reset(c);
    return c;
}

void fmi2FreeInstance(fmi2Component component) {
    instance *c = component;
    if (!c)
        return;
    free(c->name);
    free(c->now);
    free(c);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t count,
                               const fmi2String categories[]) {
    (void)on;
    for (size_t i = 0; i < count; i++)
        if (strcmp(categories[i], error_category) != 0)
            return fail(component, "fmi2SetDebugLogging: unknown category");
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined,
                               fmi2Real tolerance, fmi2Real start, fmi2Boolean stop_defined,
                               fmi2Real stop) {
    instance *c = component;
    (void)tolerance_defined; /* the integrator's step is fixed */
    (void)tolerance;
    if (c->now->phase != INSTANTIATED)
        return fail(c, "fmi2SetupExperiment: called after initialization");
    if (stop_defined && stop < start)
        return fail(c, "fmi2SetupExperiment: the stop time is before the start time");
    c->now->t = start;
    c->now->stop = stop;
    c->now->has_stop = stop_defined != fmi2False;
    c->now->has_start = true;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    instance *c = component;
    if (c->now->phase != INSTANTIATED)
        return fail(c, "fmi2EnterInitializationMode: not possible in this state");
    if (!c->now->has_start)
        return fail(c, "fmi2EnterInitializationMode: fmi2SetupExperiment was not called");
    c->now->phase = INITIALIZING;
    c->now->init_due = c->now->output_due = true;
    return settle(c) ? fmi2OK
                     : fail(c, "fmi2EnterInitializationMode: a mass, stiffness, frequency, gravity "
                               "or integrator step is not positive");
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    instance *c = component;
    if (c->now->phase != INITIALIZING)
        return fail(c, "fmi2ExitInitializationMode: not in initialization mode");
    if (!settle(c))
        return fail(c, "fmi2ExitInitializationMode: a parameter is not positive");
    c->now->phase = STEPPING;
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component component) {
    instance *c = component;
    if (c->now->phase != STEPPING)
        return fail(c, "fmi2Terminate: the simulation is not running");
    c->now->phase = TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component) {
    reset(component);
    return fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference refs[], size_t n,
                       fmi2Real values[]) {
    instance *c = component;
    if (!(c->now->phase & (INITIALIZING | STEPPING | TERMINATED)))
        return fail(c, "fmi2GetReal: not possible before initialization mode");
    if ((c->now->init_due || c->now->output_due) && !settle(c))
        return fail(c, "fmi2GetReal: a parameter is not positive");
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= UNIT->type->port_count)
            return fail(c, "fmi2GetReal: unknown value reference");
        values[i] = *field(c, refs[i]);
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference refs[], size_t n,
                       const fmi2Real values[]) {
    instance *c = component;
    for (size_t i = 0; i < n; i++) {
        if (refs[i] >= UNIT->type->port_count)
            return fail(c, "fmi2SetReal: unknown value reference");
        hk_causality causality = UNIT->type->ports[refs[i]].causality;
        if (causality != HK_INPUT && causality != HK_PARAMETER)
            return fail(c, "fmi2SetReal: only inputs and parameters can be set");
        if (causality == HK_PARAMETER && !(c->now->phase & (INSTANTIATED | INITIALIZING)))
            return fail(c, "fmi2SetReal: parameters are fixed after initialization");
        if (c->now->phase == TERMINATED)
            return fail(c, "fmi2SetReal: not possible after fmi2Terminate");
        *field(c, refs[i]) = values[i];
        c->now->init_due |= causality == HK_PARAMETER && c->now->phase == INITIALIZING;
    }
    c->now->output_due = c->now->phase != INSTANTIATED;
    return fmi2OK;
}

/* Variables of the other types do not exist, so only nothing can be got and set. */
#define NOTHING_TO(name, type)                                                                     \
    fmi2Status fmi2##name(fmi2Component c, const fmi2ValueReference refs[], size_t n,              \
                          type values[]) {                                                         \
        (void)refs;                                                                                \
        (void)values;                                                                              \
        return n == 0 ? fmi2OK : fail(c, "fmi2" #name ": all variables are of type Real");         \
    }
NOTHING_TO(GetInteger, fmi2Integer)
NOTHING_TO(GetBoolean, fmi2Boolean)
NOTHING_TO(GetString, fmi2String)
NOTHING_TO(SetInteger, const fmi2Integer)
NOTHING_TO(SetBoolean, const fmi2Boolean)
NOTHING_TO(SetString, const fmi2String)

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real t, fmi2Real h,
                      fmi2Boolean no_set_state_before) {
    instance *c = component;
    (void)no_set_state_before;
    const double tolerance = 1e-9 * (1.0 + fabs(t));
    if (c->now->phase != STEPPING)
        return fail(c, "fmi2DoStep: the simulation is not running");
    if (!(h >= 0.0))
        return fail(c, "fmi2DoStep: the step is negative");
    if (!(fabs(t - c->now->t) <= tolerance))
        return fail(c, "fmi2DoStep: the step does not begin where the last one ended");
    if (c->now->has_stop && t + h > c->now->stop + tolerance)
        return fail(c, "fmi2DoStep: the step ends after the stop time");
    if (UNIT->type->step(c->now->self, t, h) != HK_STEP_OK)
        return fail(c, "fmi2DoStep: the step failed");
    c->now->t = t + h;
    c->now->output_due = false;
    return fmi2OK;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return fail(c, "fmi2CancelStep: steps are never pending");
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    instance *c = component;
    if (!*state)
        *state = malloc(state_size());
    if (!*state)
        return fail(c, "fmi2GetFMUstate: out of memory");
    memcpy(*state, c->now, state_size());
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    instance *c = component;
    if (!state)
        return fail(c, "fmi2SetFMUstate: there is no state");
    memcpy(c->now, state, state_size());
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    (void)component;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    (void)component;
    (void)state;
    *size = state_size();
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[],
                                 size_t size) {
    if (!state || size < state_size())
        return fail(component, "fmi2SerializeFMUstate: the buffer is too small");
    memcpy(bytes, state, state_size());
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state) {
    if (size != state_size())
        return fail(component, "fmi2DeSerializeFMUstate: these bytes are no state of this FMU");
    void *copy = malloc(state_size());
    if (!copy)
        return fail(component, "fmi2DeSerializeFMUstate: out of memory");
    memcpy(copy, bytes, size);
    *state = copy;
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[],
                                        size_t unknown_count, const fmi2ValueReference known[],
                                        size_t known_count, const fmi2Real known_dv[],
                                        fmi2Real unknown_dv[]) {
    (void)unknown;
    (void)unknown_count;
    (void)known;
    (void)known_count;
    (void)known_dv;
    (void)unknown_dv;
    return fail(c, "fmi2GetDirectionalDerivative: not offered");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                       const fmi2Integer order[], const fmi2Real values[]) {
    (void)refs;
    (void)n;
    (void)order;
    (void)values;
    return fail(c, "fmi2SetRealInputDerivatives: not offered");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                                        const fmi2Integer order[], fmi2Real values[]) {
    (void)refs;
    (void)n;
    (void)order;
    (void)values;
    return fail(c, "fmi2GetRealOutputDerivatives: not offered");
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *value) {
    const instance *c = component;
    if (kind != fmi2LastSuccessfulTime)
        return fmi2Discard;
    *value = c->now->t;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    (void)c;
    if (kind != fmi2Terminated)
        return fmi2Discard;
    *value = fmi2False;
    return fmi2OK;
}

/* Steps are never pending, so the standard lets these say nothing. */
#define NO_STATUS(name, type)                                                                      \
    fmi2Status fmi2##name(fmi2Component c, fmi2StatusKind kind, type *value) {                     \
        (void)c;                                                                                   \
        (void)kind;                                                                                \
        (void)value;                                                                               \
        return fmi2Discard;                                                                        \
    }
NO_STATUS(GetStatus, fmi2Status)
NO_STATUS(GetIntegerStatus, fmi2Integer)
NO_STATUS(GetStringStatus, fmi2String)
