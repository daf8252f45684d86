/* SPDX-License-Identifier: MIT
 *
 * FMI 3.0 co-simulation around a native component of hocket. What belongs to the other kinds of
 * interface and to structural parameters is there, as the standard demands, and refuses; event mode
 * and clocks are in fmi3_events.c. */
#include "shell_model.h"

#include "fmi/fmi3_export.h"
#include "shell_version.h"

#include <stdlib.h>
#include <string.h>

typedef struct instance {
    hk_shell base;
    fmi3LogMessageCallback *logger;
    fmi3InstanceEnvironment environment;
} instance;

/* Errors are all there is to log, and they are logged whether logging is on or not. */
static void write_log(const hk_shell *x, const char *text) {
    const instance *i = (const instance *)x;
    if (i->logger)
        i->logger(i->environment, x->mild ? fmi3Warning : fmi3Error,
                  x->mild ? HK_SHELL_NOTES : HK_SHELL_ERRORS, text);
}

const char *FMI3_NAME(GetVersion)(void) {
    return "3.0";
}

fmi3Status FMI3_NAME(SetDebugLogging)(fmi3Instance i, fmi3Boolean on, size_t count,
                                      const fmi3String categories[]) {
    (void)on;
    NEED(i && (categories || !count));
    return hk_shell_check_categories(i, "fmi3SetDebugLogging", count, categories);
}

/* An instance that can do no more than log. */
static instance *prepare(fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log) {
    instance *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->base.log = write_log;
    i->logger = log;
    i->environment = environment;
    return i;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Instance FMI3_NAME(InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean event_mode_used, fmi3Boolean early_return_allowed,
    const fmi3ValueReference intermediate[], size_t intermediate_count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
    fmi3IntermediateUpdateCallback *intermediate_update) {
    (void)resources;
    (void)visible;
    (void)logging;
    (void)early_return_allowed;
    (void)intermediate;
    (void)intermediate_count;
    (void)intermediate_update;
    static const char call[] = "fmi3InstantiateCoSimulation";
    instance *i = prepare(environment, log);
    if (!i)
        return NULL;
    if (event_mode_used && !hk_shell_data.events)
        hk_shell_refuse(&i->base, call, "event mode is not offered");
    else if (!event_mode_used && hk_shell_data.events)
        hk_shell_refuse(&i->base, call,
                        "its events are clocks: it needs event mode (eventModeUsed = true)");
    else if (hk_shell_open(&i->base, call, name, token, false))
        return i;
    free(i);
    return NULL;
}

fmi3Status FMI3_NAME(EnterInitializationMode)(fmi3Instance i, fmi3Boolean tolerance_defined,
                                              fmi3Float64 tolerance, fmi3Float64 start,
                                              fmi3Boolean stop_defined, fmi3Float64 stop) {
    (void)tolerance_defined;
    (void)tolerance;
    static const char call[] = "fmi3EnterInitializationMode";
    NEED(i);
    if (hk_shell_set_experiment(i, call, start, stop_defined, stop) != HK_SHELL_OK)
        return fmi3Error;
    return hk_shell_initialize(i, call, HK_SHELL_INITIALIZING);
}

HK_SHELL_LIFE(FMI3_NAME, fmi3, Instance)

static bool has_type(const hk_shell_variable *v, hk_type type) {
    return v->type == (int)type || (type == HK_TYPE_I64 && v->type == HK_TYPE_ENUM);
}

/* V, if it is of TYPE and its elements fit the room that is left; NULL after a message. */
static const hk_shell_variable *fitting(const hk_shell *x, const char *call, unsigned ref,
                                        const hk_shell_variable *v, hk_type type, size_t room) {
    if (!v)
        return NULL;
    if (v->type == HK_SHELL_TYPE_NONE)
        hk_shell_refuse_ref(x, call, ref, "is unknown");
    else if (!has_type(v, type))
        hk_shell_refuse_ref(x, call, ref, "is of another type");
    else if (v->count > room)
        hk_shell_refuse_ref(x, call, ref, "has more elements than values are given");
    else
        return v;
    return NULL;
}

/* The variable of REF if it can be read, or set, as that. */
static inline const hk_shell_variable *to_get(const hk_shell *x, const char *call, unsigned ref,
                                              hk_type type, size_t room) {
    return fitting(x, call, ref, hk_shell_find(x, call, ref), type, room);
}

static inline const hk_shell_variable *to_set(const hk_shell *x, const char *call, unsigned ref,
                                              hk_type type, size_t room) {
    return fitting(x, call, ref, hk_shell_find_settable(x, call, ref), type, room);
}

static fmi3Status end_values(const hk_shell *x, const char *call, size_t left) {
    return left ? hk_shell_refuse(x, call, "there are more values than elements") : fmi3OK;
}

/* One element is the rule; its size is known where this is compiled. */
static inline void copy_elements(char *to, const char *from, size_t count, size_t size) {
    if (count == 1)
        memcpy(to, from, size);
    else
        memcpy(to, from, count * size);
}

static inline fmi3Status get_values(hk_shell *x, const char *call, hk_type type, size_t size,
                                    const hk_shell_named *named, void *values) {
    const fmi3ValueReference *refs = named->refs;
    size_t n = named->count, room = named->values;
    NEED(x && (!n || refs) && (!room || values));
    if (n && hk_shell_before_get(x, call, HK_SHELL_ALL) != HK_SHELL_OK)
        return fmi3Error;
    char *to = values;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = to_get(x, call, refs[i], type, room);
        if (!v || (hk_shell_data.events &&
                   hk_shell_check_clock(x, call, refs[i], v, false) != HK_SHELL_OK))
            return fmi3Error;
        copy_elements(to, v->at, v->count, size);
        to += v->count * size;
        room -= v->count;
    }
    return end_values(x, call, room);
}

static inline fmi3Status set_values(hk_shell *x, const char *call, hk_type type, size_t size,
                                    const hk_shell_named *named, const void *values) {
    const fmi3ValueReference *refs = named->refs;
    size_t n = named->count, room = named->values;
    NEED(x && (!n || refs) && (!room || values));
    const char *from = values;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = to_set(x, call, refs[i], type, room);
        if (!v || (hk_shell_data.events &&
                   hk_shell_check_clock(x, call, refs[i], v, true) != HK_SHELL_OK))
            return fmi3Error;
        copy_elements(v->at, from, v->count, size);
        hk_shell_note_set(x, v);
        from += v->count * size;
        room -= v->count;
    }
    return end_values(x, call, room);
}

#define VALUES(name, constant)                                                                     \
    fmi3Status FMI3_NAME(Get##name)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,     \
                                    fmi3##name values[], size_t value_count) {                     \
        return get_values(i, "fmi3Get" #name, constant, sizeof(fmi3##name),                        \
                          &(hk_shell_named){refs, n, value_count}, values);                        \
    }                                                                                              \
    fmi3Status FMI3_NAME(Set##name)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,     \
                                    const fmi3##name values[], size_t value_count) {               \
        return set_values(i, "fmi3Set" #name, constant, sizeof(fmi3##name),                        \
                          &(hk_shell_named){refs, n, value_count}, values);                        \
    }
VALUES(Float32, HK_TYPE_F32)
VALUES(Float64, HK_TYPE_F64)
VALUES(Int8, HK_TYPE_I8)
VALUES(UInt8, HK_TYPE_U8)
VALUES(Int16, HK_TYPE_I16)
VALUES(UInt16, HK_TYPE_U16)
VALUES(Int32, HK_TYPE_I32)
VALUES(UInt32, HK_TYPE_U32)
VALUES(Int64, HK_TYPE_I64)
VALUES(UInt64, HK_TYPE_U64)
VALUES(Boolean, HK_TYPE_BOOL)

/* SIZES is NULL for texts. */
static fmi3Status get_bytes(hk_shell *x, const char *call, hk_type type,
                            const hk_shell_named *named, size_t *sizes, const void **values) {
    const fmi3ValueReference *refs = named->refs;
    size_t n = named->count, room = named->values;
    NEED(x && (!n || refs) && (!room || values));
    if (n && hk_shell_before_get(x, call, HK_SHELL_ALL) != HK_SHELL_OK)
        return fmi3Error;
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = to_get(x, call, refs[i], type, room - to);
        if (!v)
            return fmi3Error;
        const hk_bytes *bytes = (const void *)v->at;
        for (size_t k = 0; k < v->count; k++, to++) {
            values[to] = bytes[k].data ? bytes[k].data : "";
            if (sizes)
                sizes[to] = bytes[k].data ? bytes[k].size : 0;
        }
    }
    return end_values(x, call, room - to);
}

static fmi3Status set_bytes(hk_shell *x, const char *call, hk_type type,
                            const hk_shell_named *named, const size_t *sizes,
                            const void *const *values) {
    const fmi3ValueReference *refs = named->refs;
    size_t n = named->count, room = named->values;
    NEED(x && (!n || refs) && (!room || values));
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = to_set(x, call, refs[i], type, room - from);
        if (!v)
            return fmi3Error;
        for (size_t k = 0; k < v->count; k++, from++) {
            if (!values[from] && (!sizes || sizes[from]))
                return hk_shell_refuse_ref(x, call, refs[i], "was given no data");
            hk_shell_put_bytes(x, v, k, values[from], sizes ? sizes[from] : strlen(values[from]));
        }
        hk_shell_note_set(x, v);
    }
    return end_values(x, call, room - from);
}

/* Pointers to text and to bytes are pointers to void to the two functions above. */
fmi3Status FMI3_NAME(GetString)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                                fmi3String values[], size_t value_count) {
    return get_bytes(i, "fmi3GetString", HK_TYPE_STRING, &(hk_shell_named){refs, n, value_count},
                     NULL, (const void **)values);
}

fmi3Status FMI3_NAME(SetString)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                                const fmi3String values[], size_t value_count) {
    return set_bytes(i, "fmi3SetString", HK_TYPE_STRING, &(hk_shell_named){refs, n, value_count},
                     NULL, (const void *const *)values);
}

fmi3Status FMI3_NAME(GetBinary)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                                size_t sizes[], fmi3Binary values[], size_t value_count) {
    NEED(!value_count || sizes);
    return get_bytes(i, "fmi3GetBinary", HK_TYPE_BINARY, &(hk_shell_named){refs, n, value_count},
                     sizes, (const void **)values);
}

fmi3Status FMI3_NAME(SetBinary)(fmi3Instance i, const fmi3ValueReference refs[], size_t n,
                                const size_t sizes[], const fmi3Binary values[],
                                size_t value_count) {
    NEED(!value_count || sizes);
    return set_bytes(i, "fmi3SetBinary", HK_TYPE_BINARY, &(hk_shell_named){refs, n, value_count},
                     sizes, (const void *const *)values);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status FMI3_NAME(DoStep)(fmi3Instance i, fmi3Float64 t, fmi3Float64 h,
                             fmi3Boolean no_set_state_before, fmi3Boolean *event_needed,
                             fmi3Boolean *terminate, fmi3Boolean *early_return,
                             fmi3Float64 *last_time) {
    (void)no_set_state_before;
    hk_shell *x = i;
    NEED(x && event_needed && terminate && early_return && last_time);
    fmi3Status status = hk_shell_step(x, "fmi3DoStep", t, h);
    *event_needed = *terminate = *early_return = false;
    *last_time = x->head.t;
    return status;
}

HK_SHELL_STATES(FMI3_NAME, fmi3, Instance, FMUState, Deserialize)

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Status FMI3_NAME(GetDirectionalDerivative)(fmi3Instance i, const fmi3ValueReference unknowns[],
                                               size_t unknown_count,
                                               const fmi3ValueReference knowns[],
                                               size_t known_count, const fmi3Float64 seed[],
                                               size_t seed_count, fmi3Float64 sensitivity[],
                                               size_t sensitivity_count) {
    NEED(i && (!unknown_count || (unknowns && sensitivity)) && (!known_count || (knowns && seed)));
    return hk_shell_derivative(i, "fmi3GetDirectionalDerivative",
                               &(hk_shell_named){unknowns, unknown_count, sensitivity_count},
                               &(hk_shell_named){knowns, known_count, seed_count}, seed,
                               sensitivity);
}

/* All that follows is not offered. */
HK_SHELL_LEAVE_ASIDE
static fmi3Instance refuse_kind(const char *call, fmi3InstanceEnvironment environment,
                                fmi3LogMessageCallback *log) {
    instance *i = prepare(environment, log);
    if (i)
        hk_shell_refuse(&i->base, call, "only co-simulation is offered");
    free(i);
    return NULL;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Instance FMI3_NAME(InstantiateModelExchange)(fmi3String name, fmi3String token,
                                                 fmi3String resources, fmi3Boolean visible,
                                                 fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment,
                                                 fmi3LogMessageCallback *log) {
    return refuse_kind("fmi3InstantiateModelExchange", environment, log);
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi3Instance FMI3_NAME(InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
    fmi3ClockUpdateCallback *clock_update, fmi3LockPreemptionCallback *lock,
    fmi3UnlockPreemptionCallback *unlock) {
    return refuse_kind("fmi3InstantiateScheduledExecution", environment, log);
}

#define FMI3(need, name, result, arguments)                                                        \
    HK_SHELL_REFUSED(FMI3_NAME(name), "fmi3" #name, result, arguments, i, "not offered")
HK_FMI3_BEYOND(FMI3)
#undef FMI3
