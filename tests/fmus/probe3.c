/* SPDX-License-Identifier: MIT
 *
 * A test FMU of FMI 3.0 that passes values through, keeps a state that can be saved, refuses every
 * call that its state does not allow, and misbehaves on demand. What cannot be chosen by a
 * parameter is chosen when it is compiled:
 *   PROBE_ANY_TOKEN     accepts every instantiation token
 *   PROBE_RUDE_START    fmi3InstantiateCoSimulation logs with NULL in all places
 *   PROBE_VERSION       what fmi3GetVersion returns
 *   PROBE_NO_DOSTEP     does not export fmi3DoStep
 *   PROBE_NO_BINARY     does not export the functions for binary values */
#include "fmi/fmi3_export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PROBE_VERSION
#define PROBE_VERSION "3.0"
#endif

/* What the parameter `fault` asks for, at the step that begins at or after `fault_time`. */
enum {
    FAULT_NONE,
    FAULT_NAN,
    FAULT_DISCARD,   /* nothing happened */
    FAULT_TERMINATE, /* half of the step was done, and the FMU asks to end */
    FAULT_ERROR,
    FAULT_FATAL,
    FAULT_EARLY,     /* every second call does half of what is asked for */
    FAULT_STUCK,     /* returns early without having moved */
    FAULT_CRUMBS,    /* returns early after the smallest bit of time */
    FAULT_BACKWARDS, /* returns early at a time before the step */
    FAULT_SILENT,    /* writes none of the four results of the step */
    FAULT_LOG_STORM,
    FAULT_INIT_ERROR, /* fmi3ExitInitializationMode fails */
    FAULT_WARNING,    /* with a message that names variables and looks like a format */
    FAULT_TRUTH,      /* Booleans are 7 and not true */
    FAULT_NULL_BYTES, /* texts and binary values are NULL */
    FAULT_FULL,       /* "early", but the step is complete; and asks for an event */
    FAULT_END_FULL,   /* the step is complete, and the FMU asks to end */
    FAULT_BEYOND,     /* "early", and beyond the end of the step */
    /* No fault: at `fault_time` the state begins to change three times as fast, backwards. The
     * event is left to event mode if the FMU may return early. */
    EVENT,
    FAULT_EVENT /* the same, and it is left to event mode in any case */
};

enum { TIME, REAL_IN, REAL_OUT, STATE, GAIN, FAULT_TIME, FLOATS };
enum { FAULT = 10, CALLS, INT_IN, INT_OUT, INTS };
enum { ENUM_IN = 20, ENUM_OUT, ENUMS };
enum { BOOL_IN = 30, BOOL_OUT, EARLY_ALLOWED, EVENT_MODE, HAS_LOG, BOOLS };
enum { TEXT_IN = 40, TEXT_OUT, RESOURCES, LABEL, TEXTS };
enum { BLOB_IN = 50, BLOB_OUT, BLOBS };
enum { TEXT_MAX = 512, BLOB_MAX = 256 };

typedef enum phase { INSTANTIATED, INITIALIZING, STEPPING, TERMINATED } phase;

typedef struct values {
    double number[FLOATS];
    int32_t integer[INTS - FAULT];
    int64_t choice[ENUMS - ENUM_IN];
    unsigned char truth[BOOLS - BOOL_IN];
    char text[TEXTS - TEXT_IN][TEXT_MAX];
    unsigned char blob[BLOBS - BLOB_IN][BLOB_MAX];
    size_t blob_size[BLOBS - BLOB_IN];
    phase phase;
} values;

typedef struct probe {
    values v;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback *log;
    /* Texts and binary values are handed out here, and wiped by the next call: an importer that
     * keeps them too long is found out. */
    char shown[TEXTS - TEXT_IN][TEXT_MAX];
    unsigned char shown_blob[BLOBS - BLOB_IN][BLOB_MAX];
} probe;

#define TOKEN "{b3a7c0de-0000-4000-8000-000000000003}"

static void say(const probe *p, fmi3Status status, const char *category, const char *text) {
    if (p->log)
        p->log(p->environment, status, category, text);
}

/* Every call begins with this. */
static int allowed(probe *p, const char *call, unsigned phases) {
    memset(p->shown, '!', sizeof p->shown - 1);
    memset(p->shown_blob, '!', sizeof p->shown_blob);
    if (phases >> p->v.phase & 1)
        return 1;
    char text[96];
    snprintf(text, sizeof text, "%s is not allowed in state %d", call, (int)p->v.phase);
    say(p, fmi3Error, "logStatusError", text);
    return 0;
}
#define IN(phase) (1U << (phase))
#define ANYTIME   0xfU

static fmi3Status fails(probe *p, fmi3Status status) {
    if (status == fmi3Error)
        p->v.phase = TERMINATED;
    return status;
}

const char *fmi3GetVersion(void) {
    return PROBE_VERSION;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
    (void)on;
    if ((count == 0) != (categories == NULL))
        return fails(i, fmi3Error);
    return fmi3OK;
}

static void copy_text(char *target, const char *source) {
    snprintf(target, TEXT_MAX, "%s", source ? source : "");
}

fmi3Instance /* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                            fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode_used,
                            fmi3Boolean early_return_allowed,
                            const fmi3ValueReference intermediate[], size_t intermediate_count,
                            fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
                            fmi3IntermediateUpdateCallback *intermediate_update) {
    (void)name;
    (void)visible;
    (void)logging;
    (void)intermediate;
    probe *p = calloc(1, sizeof *p);
    p->environment = environment;
    p->log = log;
#ifdef PROBE_RUDE_START
    log((void *)1, fmi3OK, NULL, "from number 1: #1#"); /* some number their instances */
    log(NULL, fmi3Warning, NULL, NULL);
    log(NULL, fmi3OK, "nobody", "100%s and #1#");
    log(environment, 77, NULL, NULL);
#endif
#ifdef PROBE_ANY_TOKEN
    (void)token;
#else
    if (strcmp(token, TOKEN) != 0) {
        say(p, fmi3Error, "logStatusError", "this library has another token");
        free(p);
        return NULL;
    }
#endif
    if (intermediate_count || intermediate_update) {
        free(p);
        return NULL;
    }
    p->v.number[GAIN] = 1;
    p->v.truth[EARLY_ALLOWED - BOOL_IN] = early_return_allowed;
    p->v.truth[EVENT_MODE - BOOL_IN] = event_mode_used;
    p->v.truth[HAS_LOG - BOOL_IN] = log != NULL;
    copy_text(p->v.text[RESOURCES - TEXT_IN], resources ? resources : "none");
    return p;
}

void fmi3FreeInstance(fmi3Instance i) {
    free(i);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
    probe *p = i;
    (void)tolerance_defined;
    (void)tolerance;
    (void)stop_defined;
    (void)stop;
    if (!allowed(p, "fmi3EnterInitializationMode", IN(INSTANTIATED)))
        return fails(p, fmi3Error);
    p->v.number[TIME] = start;
    p->v.phase = INITIALIZING;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
    probe *p = i;
    if (!allowed(p, "fmi3ExitInitializationMode", IN(INITIALIZING)))
        return fails(p, fmi3Error);
    if (p->v.integer[FAULT - FAULT] == FAULT_INIT_ERROR) {
        say(p, fmi3Error, "logStatusError", "no initial solution");
        return fails(p, fmi3Error);
    }
    p->v.phase = STEPPING;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance i) {
    probe *p = i;
    if (!allowed(p, "fmi3Terminate", IN(STEPPING)))
        return fails(p, fmi3Error);
    p->v.phase = TERMINATED;
    say(p, fmi3OK, "logAll", "terminated");
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance i) {
    (void)i;
    return fmi3Error;
}

/* Outputs follow the inputs at once, so that initialization mode shows direct feedthrough. */
static void update(probe *p) {
    values *v = &p->v;
    v->number[REAL_OUT] = v->number[GAIN] * v->number[REAL_IN];
    v->integer[INT_OUT - FAULT] = v->integer[INT_IN - FAULT];
    v->choice[ENUM_OUT - ENUM_IN] = v->choice[ENUM_IN - ENUM_IN];
    v->truth[BOOL_OUT - BOOL_IN] = v->truth[BOOL_IN - BOOL_IN];
    if (v->integer[FAULT - FAULT] == FAULT_TRUTH && v->truth[BOOL_IN - BOOL_IN])
        v->truth[BOOL_OUT - BOOL_IN] = 7;
    memcpy(v->text[TEXT_OUT - TEXT_IN], v->text[TEXT_IN - TEXT_IN], TEXT_MAX);
    memcpy(v->blob[BLOB_OUT - BLOB_IN], v->blob[BLOB_IN - BLOB_IN], BLOB_MAX);
    v->blob_size[BLOB_OUT - BLOB_IN] = v->blob_size[BLOB_IN - BLOB_IN];
}

static int known(const fmi3ValueReference refs[], size_t n, size_t value_count,
                 fmi3ValueReference first, fmi3ValueReference end) {
    for (size_t k = 0; k < n; k++)
        if (refs[k] < first || refs[k] >= end)
            return 0;
    return n == value_count;
}

/* Booleans are moved as bytes: a 7 is not C bool. */
#define ACCESS(Name, type, field, first, end)                                                      \
    fmi3Status fmi3Get##Name(fmi3Instance i, const fmi3ValueReference refs[], size_t n,            \
                             type out[], size_t value_count) {                                     \
        probe *p = i;                                                                              \
        if (!allowed(p, "fmi3Get" #Name, ANYTIME) || !known(refs, n, value_count, first, end))     \
            return fails(p, fmi3Error);                                                            \
        update(p);                                                                                 \
        for (size_t k = 0; k < n; k++)                                                             \
            memcpy(&out[k], &p->v.field[refs[k] - first], sizeof *out);                            \
        return fmi3OK;                                                                             \
    }                                                                                              \
    fmi3Status fmi3Set##Name(fmi3Instance i, const fmi3ValueReference refs[], size_t n,            \
                             const type in[], size_t value_count) {                                \
        probe *p = i;                                                                              \
        if (!allowed(p, "fmi3Set" #Name, ANYTIME & ~IN(TERMINATED)) ||                             \
            !known(refs, n, value_count, first, end))                                              \
            return fails(p, fmi3Error);                                                            \
        for (size_t k = 0; k < n; k++)                                                             \
            memcpy(&p->v.field[refs[k] - first], &in[k], sizeof *in);                              \
        return fmi3OK;                                                                             \
    }
ACCESS(Float64, fmi3Float64, number, TIME, FLOATS)
ACCESS(Int32, fmi3Int32, integer, FAULT, INTS)
ACCESS(Int64, fmi3Int64, choice, ENUM_IN, ENUMS)
ACCESS(Boolean, fmi3Boolean, truth, BOOL_IN, BOOLS)

fmi3Status fmi3GetString(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         fmi3String out[], size_t value_count) {
    probe *p = i;
    if (!allowed(p, "fmi3GetString", ANYTIME) || !known(refs, n, value_count, TEXT_IN, TEXTS))
        return fails(p, fmi3Error);
    update(p);
    memcpy(p->shown, p->v.text, sizeof p->shown);
    for (size_t k = 0; k < n; k++)
        out[k] =
            p->v.integer[FAULT - FAULT] == FAULT_NULL_BYTES ? NULL : p->shown[refs[k] - TEXT_IN];
    return fmi3OK;
}

fmi3Status fmi3SetString(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const fmi3String in[], size_t value_count) {
    probe *p = i;
    if (!allowed(p, "fmi3SetString", ANYTIME & ~IN(TERMINATED)) ||
        !known(refs, n, value_count, TEXT_IN, TEXTS))
        return fails(p, fmi3Error);
    for (size_t k = 0; k < n; k++)
        copy_text(p->v.text[refs[k] - TEXT_IN], in[k]);
    return fmi3OK;
}

#ifndef PROBE_NO_BINARY
fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference refs[], size_t n, size_t sizes[],
                         fmi3Binary out[], size_t value_count) {
    probe *p = i;
    if (!allowed(p, "fmi3GetBinary", ANYTIME) || !known(refs, n, value_count, BLOB_IN, BLOBS))
        return fails(p, fmi3Error);
    update(p);
    memcpy(p->shown_blob, p->v.blob, sizeof p->shown_blob);
    for (size_t k = 0; k < n; k++) {
        out[k] = p->v.integer[FAULT - FAULT] == FAULT_NULL_BYTES ? NULL
                                                                 : p->shown_blob[refs[k] - BLOB_IN];
        sizes[k] = p->v.blob_size[refs[k] - BLOB_IN];
    }
    return fmi3OK;
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const size_t sizes[], const fmi3Binary in[], size_t value_count) {
    probe *p = i;
    if (!allowed(p, "fmi3SetBinary", ANYTIME & ~IN(TERMINATED)) ||
        !known(refs, n, value_count, BLOB_IN, BLOBS))
        return fails(p, fmi3Error);
    for (size_t k = 0; k < n; k++) {
        if (sizes[k] > BLOB_MAX || !in[k])
            return fails(p, fmi3Error);
        memcpy(p->v.blob[refs[k] - BLOB_IN], in[k], sizes[k]);
        p->v.blob_size[refs[k] - BLOB_IN] = sizes[k];
    }
    return fmi3OK;
}
#endif

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state) {
    const probe *p = i;
    if (!*state)
        *state = malloc(sizeof p->v);
    memcpy(*state, &p->v, sizeof p->v);
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
    probe *p = i;
    memcpy(&p->v, state, sizeof p->v);
    return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState *state) {
    (void)i;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t *size) {
    (void)i;
    (void)state;
    *size = sizeof(values);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    (void)i;
    if (size != sizeof(values))
        return fmi3Error;
    memcpy(bytes, state, size);
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state) {
    probe *p = i;
    if (size != sizeof(values)) {
        say(p, fmi3Error, "logStatusError", "the state has the wrong size");
        return fails(p, fmi3Error);
    }
    *state = malloc(size);
    memcpy(*state, bytes, size);
    return fmi3OK;
}

#ifndef PROBE_NO_DOSTEP
static void log_storm(const probe *p) {
    static char long_text[20000];
    memset(long_text, 'x', sizeof long_text - 1);
    for (int k = 0; k < 1000; k++)
        say(p, fmi3OK, NULL, "one of %s %d many");
    say(p, fmi3Warning, "logAll", long_text);
}

typedef struct report {
    bool event_needed, terminate, early;
    double last_time;
} report;

/* Does what the fault asks for: another end of the step, another status. */
static fmi3Status misbehave(probe *p, double t, double h, report *r) {
    switch (p->v.integer[FAULT - FAULT]) {
    case FAULT_NAN:
        p->v.number[STATE] = NAN;
        return fmi3OK;
    case FAULT_DISCARD:
        return fmi3Discard;
    case FAULT_TERMINATE:
        *r = (report){false, true, true, t + h / 2};
        return fmi3OK;
    case FAULT_END_FULL:
        r->terminate = true;
        return fmi3OK;
    case FAULT_ERROR:
        say(p, fmi3Error, "logStatusError", "the solver gave up");
        return fails(p, fmi3Error);
    case FAULT_FATAL:
        return fmi3Fatal;
    case FAULT_EARLY:
        if (p->v.integer[CALLS - FAULT] % 2 == 1)
            *r = (report){false, false, true, t + h / 2};
        return fmi3OK;
    case FAULT_STUCK:
        *r = (report){false, false, true, t};
        return fmi3OK;
    case FAULT_CRUMBS:
        *r = (report){false, false, true, nextafter(t, INFINITY)};
        return fmi3OK;
    case FAULT_BACKWARDS:
        *r = (report){false, false, true, t - h};
        return fmi3OK;
    case FAULT_FULL:
        *r = (report){true, false, true, t + h};
        return fmi3OK;
    case FAULT_BEYOND:
        *r = (report){false, false, true, t + 2 * h};
        return fmi3OK;
    case FAULT_LOG_STORM:
        log_storm(p);
        return fmi3OK;
    case FAULT_WARNING:
        say(p, fmi3Warning, "logStatusWarning", "#4# and #20# are near #99#, ## and 100%s #");
        return fmi3Warning;
    default:
        return fmi3OK;
    }
}

/* How far the state goes from T on by H seconds, over the event between them; or to the event. */
static double go_over_event(probe *p, double t, double h, report *r) {
    double event = p->v.number[FAULT_TIME], rate = p->v.number[REAL_IN];
    bool left_to_event_mode =
        p->v.truth[EARLY_ALLOWED - BOOL_IN] || p->v.integer[FAULT - FAULT] == FAULT_EVENT;
    if (left_to_event_mode) { /* event mode would change the rate, and never comes */
        if (t < event && event < t + h)
            *r = (report){true, false, true, event};
        return (r->last_time - t) * rate;
    }
    double before = event < t ? 0 : event > t + h ? h : event - t;
    return before * rate - (h - before) * 3 * rate;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
    probe *p = i;
    fmi3Status status = fmi3OK;
    report r = {false, false, false, t + h};
    (void)no_set_state_before;
    if (!allowed(p, "fmi3DoStep", IN(STEPPING)))
        return fails(p, fmi3Error);
    p->v.integer[CALLS - FAULT]++;
    int fault = p->v.integer[FAULT - FAULT], event = fault == EVENT || fault == FAULT_EVENT;
    int faulty = fault != FAULT_NONE && !event && t >= p->v.number[FAULT_TIME];
    if (faulty)
        status = misbehave(p, t, h, &r);
    double way = event ? go_over_event(p, t, h, &r) : (r.last_time - t) * p->v.number[REAL_IN];
    if (status <= fmi3Warning) {
        p->v.number[STATE] += way;
        p->v.number[TIME] = r.last_time;
    }
    if (faulty && fault == FAULT_SILENT)
        return status;
    *event_needed = r.event_needed;
    *terminate = r.terminate;
    *early_return = r.early;
    *last_time = r.last_time;
    return status;
}
#endif
