/* SPDX-License-Identifier: MIT
 *
 * A test FMU of FMI 3.0 whose outputs become its inputs in every step: all types, each as a scalar,
 * a vector of 5, a matrix [2][3] and a vector whose size is the structural parameter `n`. It
 * refuses what its state does not allow. The value reference of a variable is
 * 1000 * (kind + 1) + 10 * shape + role; feedthrough3.cmake writes the description. */
#include "fmi/fmi3_export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOAT32,
    FLOAT64,
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    INT64,
    UINT64,
    BOOLEAN,
    ENUMERATION,
    STRING,
    BINARY,
    KINDS
};
enum { SCALAR, VECTOR, MATRIX, SIZED, SHAPES };
enum { IN, OUT, PARAMETER, ROLES };
enum { REF_TIME = 0, REF_N = 1 };
enum { CONFIGURING, INSTANTIATED, INITIALIZING, STEPPING, TERMINATED };

/* One element of text or binary; always followed by a zero. */
typedef struct blob {
    size_t size;
    char *data;
} blob;

typedef struct slot {
    size_t count;
    void *data;
} slot;

typedef struct feedthrough {
    slot slots[KINDS][SHAPES][ROLES];
    uint64_t n;
    double time;
    int phase;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback *log;
} feedthrough;

typedef struct saved {
    size_t size;
    unsigned char bytes[];
} saved;

#define TOKEN "{b3a7c0de-0000-4000-8000-00000000f33d}"

static const size_t element_sizes[KINDS] = {
    4, 8, 1, 1, 2, 2, 4, 4, 8, 8, 1, 8, sizeof(blob), sizeof(blob)};

static int is_bytes(int kind) {
    return kind == STRING || kind == BINARY;
}

static fmi3Status refuse(feedthrough *f, const char *what) {
    char text[96];
    snprintf(text, sizeof text, "%s is wrong in state %d", what, f->phase);
    if (f->log)
        f->log(f->environment, fmi3Error, "logStatusError", text);
    f->phase = TERMINATED;
    return fmi3Error;
}

static void put_blob(blob *b, const void *data, size_t size) {
    char *copy = calloc(size + 1, 1);
    if (size)
        memcpy(copy, data, size);
    free(b->data);
    *b = (blob){size, copy};
}

static void clear_slot(slot *s, int kind) {
    for (size_t k = 0; is_bytes(kind) && k < s->count; k++)
        free(((blob *)s->data)[k].data);
    free(s->data);
    *s = (slot){0, NULL};
}

/* New elements are not what the description says they start with: that is for the importer to
 * say. */
static void make_slot(slot *s, int kind, size_t count) {
    clear_slot(s, kind);
    *s = (slot){count, calloc(count ? count : 1, element_sizes[kind])};
    for (size_t k = 0; is_bytes(kind) && k < count; k++)
        put_blob((blob *)s->data + k, "", 0);
}

static void make_slots(feedthrough *f, int first_shape) {
    const size_t counts[SHAPES] = {1, 5, 6, (size_t)f->n};
    for (int kind = 0; kind < KINDS; kind++)
        for (int shape = first_shape; shape < SHAPES; shape++)
            for (int role = 0; role < ROLES; role++)
                make_slot(&f->slots[kind][shape][role], kind, counts[shape]);
}

const char *fmi3GetVersion(void) {
    return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count,
                               const fmi3String categories[]) {
    (void)i;
    (void)on;
    (void)count;
    (void)categories;
    return fmi3OK;
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
    (void)event_mode_used;
    (void)early_return_allowed;
    (void)intermediate;
    (void)intermediate_count;
    (void)intermediate_update;
    if (strcmp(token, TOKEN) != 0 || resources)
        return NULL; /* there is no such folder in the archive */
    feedthrough *f = calloc(1, sizeof *f);
    f->phase = INSTANTIATED;
    f->environment = environment;
    f->log = log;
    f->n = 3;
    make_slots(f, SCALAR);
    return f;
}

void fmi3FreeInstance(fmi3Instance i) {
    feedthrough *f = i;
    for (int kind = 0; f && kind < KINDS; kind++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (int role = 0; role < ROLES; role++)
                clear_slot(&f->slots[kind][shape][role], kind);
    free(f);
}

static fmi3Status move(feedthrough *f, const char *call, int from, int to) {
    if (f->phase != from)
        return refuse(f, call);
    f->phase = to;
    return fmi3OK;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance i) {
    return move(i, "fmi3EnterConfigurationMode", INSTANTIATED, CONFIGURING);
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance i) {
    fmi3Status status = move(i, "fmi3ExitConfigurationMode", CONFIGURING, INSTANTIATED);
    if (status == fmi3OK)
        make_slots(i, SIZED);
    return status;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_defined,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean stop_defined, fmi3Float64 stop) {
    (void)tolerance_defined;
    (void)tolerance;
    (void)stop_defined;
    (void)stop;
    ((feedthrough *)i)->time = start;
    return move(i, "fmi3EnterInitializationMode", INSTANTIATED, INITIALIZING);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
    return move(i, "fmi3ExitInitializationMode", INITIALIZING, STEPPING);
}

fmi3Status fmi3Terminate(fmi3Instance i) {
    return move(i, "fmi3Terminate", STEPPING, TERMINATED);
}

fmi3Status fmi3Reset(fmi3Instance i) {
    return refuse(i, "fmi3Reset");
}

/* The elements that a reference of KIND names; NULL: there are none. Enumerations are read and set
 * as Int64. */
static slot *find(feedthrough *f, int kind, fmi3ValueReference ref) {
    fmi3ValueReference shape = ref / 10 % 100, role = ref % 10;
    if (kind == INT64 && ref / 1000 == ENUMERATION + 1)
        kind = ENUMERATION;
    if (ref / 1000 != (fmi3ValueReference)kind + 1 || shape >= SHAPES || role >= ROLES)
        return NULL;
    return &f->slots[kind][shape][role];
}

static int get(feedthrough *f, int kind, const fmi3ValueReference refs[], size_t n, void *values,
               size_t value_count) {
    size_t done = 0, size = element_sizes[kind];
    const slot time = {1, &f->time}, sized = {1, &f->n};
    for (size_t k = 0; k < n; k++) {
        const slot *s = kind == FLOAT64 && refs[k] == REF_TIME ? &time
                        : kind == UINT64 && refs[k] == REF_N   ? &sized
                                                               : find(f, kind, refs[k]);
        if (!s || done + s->count > value_count)
            return 0;
        memcpy((char *)values + done * size, s->data, s->count * size);
        done += s->count;
    }
    return done == value_count;
}

static int set(feedthrough *f, int kind, const fmi3ValueReference refs[], size_t n,
               const void *values, size_t value_count) {
    size_t done = 0, size = element_sizes[kind];
    for (size_t k = 0; k < n; k++) {
        slot *s = find(f, kind, refs[k]);
        if (!s || refs[k] % 10 == OUT || done + s->count > value_count ||
            (refs[k] % 10 == PARAMETER && f->phase == STEPPING))
            return 0;
        memcpy(s->data, (const char *)values + done * size, s->count * size);
        done += s->count;
    }
    return done == value_count && f->phase != CONFIGURING && f->phase != TERMINATED;
}

#define GET(Name, type, kind)                                                                      \
    fmi3Status fmi3Get##Name(fmi3Instance i, const fmi3ValueReference refs[], size_t n,            \
                             type values[], size_t value_count) {                                  \
        return get(i, kind, refs, n, values, value_count) ? fmi3OK : refuse(i, "fmi3Get" #Name);   \
    }
#define SET(Name, type, kind)                                                                      \
    fmi3Status fmi3Set##Name(fmi3Instance i, const fmi3ValueReference refs[], size_t n,            \
                             const type values[], size_t value_count) {                            \
        return set(i, kind, refs, n, values, value_count) ? fmi3OK : refuse(i, "fmi3Set" #Name);   \
    }
#define GET_SET(Name, kind) GET(Name, fmi3##Name, kind) SET(Name, fmi3##Name, kind)
GET_SET(Float32, FLOAT32)
GET_SET(Float64, FLOAT64)
GET_SET(Int8, INT8)
GET_SET(UInt8, UINT8)
GET_SET(Int16, INT16)
GET_SET(UInt16, UINT16)
GET_SET(Int32, INT32)
GET_SET(UInt32, UINT32)
GET_SET(Int64, INT64)
GET_SET(Boolean, BOOLEAN)
GET(UInt64, fmi3UInt64, UINT64)

fmi3Status fmi3SetUInt64(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const fmi3UInt64 values[], size_t value_count) {
    feedthrough *f = i;
    if (n == 1 && value_count == 1 && refs[0] == REF_N && f->phase == CONFIGURING) {
        f->n = values[0];
        return fmi3OK;
    }
    return set(i, UINT64, refs, n, values, value_count) ? fmi3OK : refuse(i, "fmi3SetUInt64");
}

typedef struct named {
    const fmi3ValueReference *refs;
    size_t count, values;
} named;

static int get_bytes(feedthrough *f, int kind, named v, size_t sizes[], const void *values[]) {
    size_t done = 0;
    for (size_t k = 0; k < v.count; k++) {
        const slot *s = find(f, kind, v.refs[k]);
        if (!s || done + s->count > v.values)
            return 0;
        for (size_t e = 0; e < s->count; e++, done++) {
            const blob *b = (const blob *)s->data + e;
            values[done] = b->data;
            if (sizes)
                sizes[done] = b->size;
        }
    }
    return done == v.values;
}

static int set_bytes(feedthrough *f, int kind, named v, const size_t sizes[],
                     const void *const values[]) {
    size_t done = 0;
    for (size_t k = 0; k < v.count; k++) {
        slot *s = find(f, kind, v.refs[k]);
        if (!s || v.refs[k] % 10 == OUT || done + s->count > v.values)
            return 0;
        for (size_t e = 0; e < s->count; e++, done++)
            put_blob((blob *)s->data + e, values[done], sizes ? sizes[done] : strlen(values[done]));
    }
    return done == v.values && f->phase != CONFIGURING && f->phase != TERMINATED;
}

fmi3Status fmi3GetString(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         fmi3String values[], size_t value_count) {
    return get_bytes(i, STRING, (named){refs, n, value_count}, NULL, (const void **)values)
               ? fmi3OK
               : refuse(i, "fmi3GetString");
}

fmi3Status fmi3SetString(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const fmi3String values[], size_t value_count) {
    return set_bytes(i, STRING, (named){refs, n, value_count}, NULL, (const void *const *)values)
               ? fmi3OK
               : refuse(i, "fmi3SetString");
}

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference refs[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t value_count) {
    return get_bytes(i, BINARY, (named){refs, n, value_count}, sizes, (const void **)values)
               ? fmi3OK
               : refuse(i, "fmi3GetBinary");
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                         const size_t sizes[], const fmi3Binary values[], size_t value_count) {
    return set_bytes(i, BINARY, (named){refs, n, value_count}, sizes, (const void *const *)values)
               ? fmi3OK
               : refuse(i, "fmi3SetBinary");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 t, fmi3Float64 h, fmi3Boolean no_set_state_before,
                      fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
                      fmi3Float64 *last_time) {
    feedthrough *f = i;
    (void)no_set_state_before;
    if (f->phase != STEPPING)
        return refuse(f, "fmi3DoStep");
    for (int kind = 0; kind < KINDS; kind++)
        for (int shape = 0; shape < SHAPES; shape++) {
            const slot *in = &f->slots[kind][shape][IN];
            slot *out = &f->slots[kind][shape][OUT];
            if (!is_bytes(kind))
                memcpy(out->data, in->data, in->count * element_sizes[kind]);
            for (size_t k = 0; is_bytes(kind) && k < in->count; k++) {
                const blob *b = (const blob *)in->data + k;
                put_blob((blob *)out->data + k, b->data, b->size);
            }
        }
    f->time = t + h;
    *event_needed = *terminate = *early_return = false;
    *last_time = t + h;
    return fmi3OK;
}

/* Writes the whole state to TARGET, or only counts if that is NULL; with READ the other way. */
static size_t pass(feedthrough *f, unsigned char *bytes, int read) {
    size_t done = 0;
#define PASS(place, length)                                                                        \
    do {                                                                                           \
        if (bytes && read)                                                                         \
            memcpy(place, bytes + done, length);                                                   \
        else if (bytes)                                                                            \
            memcpy(bytes + done, place, length);                                                   \
        done += (length);                                                                          \
    } while (0)
    PASS(&f->time, sizeof f->time);
    PASS(&f->phase, sizeof f->phase);
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < SHAPES * ROLES; k++) {
            slot *s = &f->slots[kind][k / ROLES][k % ROLES];
            if (!is_bytes(kind))
                PASS(s->data, s->count * element_sizes[kind]);
            for (size_t e = 0; is_bytes(kind) && e < s->count; e++) {
                blob *b = (blob *)s->data + e;
                size_t size = b->size;
                PASS(&size, sizeof size);
                if (read)
                    put_blob(b, bytes + done, size);
                else if (bytes)
                    memcpy(bytes + done, b->data, size);
                done += size;
            }
        }
    return done;
}

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState *state) {
    size_t size = pass(i, NULL, 0);
    saved *s = realloc(*state, sizeof *s + size);
    s->size = size;
    pass(i, s->bytes, 0);
    *state = s;
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
    pass(i, ((saved *)state)->bytes, 1);
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
    *size = ((saved *)state)->size;
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte bytes[],
                                 size_t size) {
    const saved *s = state;
    if (size != s->size)
        return refuse(i, "fmi3SerializeFMUState");
    memcpy(bytes, s->bytes, size);
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state) {
    saved *s = malloc(sizeof *s + size);
    (void)i;
    s->size = size;
    memcpy(s->bytes, bytes, size);
    *state = s;
    return fmi3OK;
}
