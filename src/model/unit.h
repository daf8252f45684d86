/* SPDX-License-Identifier: MIT
 *
 * hk_unit: a running instance of a component, whatever is behind it. The engine is written
 * against this interface alone. Cold calls go through the class; the hot ones (get, set, step) are
 * asked for once as plain function pointers with their arguments, and the engine then calls them
 * directly, in bulk, without a layer in between. */
#ifndef HK_MODEL_UNIT_H
#define HK_MODEL_UNIT_H

#include "model/info.h"

#include <stdatomic.h>

/* What a hot call returns: the numbers of fmi2Status. */
enum {
    HK_UNIT_OK,
    HK_UNIT_WARNING,
    HK_UNIT_DISCARD,
    HK_UNIT_ERROR,
    HK_UNIT_FATAL,
    HK_UNIT_PENDING
};

/* True for all but OK and Warning; a stranger's library may return any number, also below 0. */
static inline bool hk_unit_bad(int code) {
    return (unsigned)code > HK_UNIT_WARNING;
}

/* A bulk read or write of N variables of one store. The shape says how fn is to be called; the
 * engine sorts calls by shape, so that it decides once per run of calls and not once per call. */
typedef enum hk_shape {
    HK_SHAPE_REFS,       /* int fn(self, refs, n, values): FMI 1.0, FMI 2.0 */
    HK_SHAPE_REFS_SIZED, /* int fn(self, refs, n, values, value_count): FMI 3.0 */
    HK_SHAPE_COUNT
} hk_shape;

typedef int hk_refs_fn(void *self, const uint32_t *refs, size_t n, void *values);
typedef int hk_refs_sized_fn(void *self, const uint32_t *refs, size_t n, void *values,
                             size_t value_count);

typedef struct hk_call {
    hk_shape shape;
    union {
        hk_refs_fn *refs;
        hk_refs_sized_fn *refs_sized;
    } fn;
    void *self;
    const uint32_t *refs; /* owned by the unit */
    size_t n;
    void *values; /* owned by the engine; elements in the order of the variables */
    size_t value_count;
    const char *name; /* "fmi2GetReal", for messages */
} hk_call;

/* What a get or set is about: variables of one store, and where their values lie. */
typedef struct hk_call_about {
    const uint32_t *variables;
    size_t count;
    void *values;
} hk_call_about;

/* One activation. */
typedef enum hk_step_shape {
    HK_STEP_PLAIN,    /* int fn(self, t, h): native components; all but HK_STEP_OK is a failure */
    HK_STEP_FLAGGED,  /* int fn(self, t, h, flag): fmi2DoStep and fmiDoStep */
    HK_STEP_REPORTED, /* fmi3DoStep: like FLAGGED, and it fills a report */
    HK_STEP_SHAPES
} hk_step_shape;

/* What a step says beside its status. The unit owns it; the engine looks at the three flags after
 * every step, and calls step_failed if one is set. A stranger writes these as bool, but a bool that
 * is neither 0 nor 1 must not be read as one. */
typedef struct hk_step_report {
    unsigned char event_needed, terminate, early;
    double last_time;
} hk_step_report;

typedef int hk_step_plain_fn(void *self, double t, double h);
typedef int hk_step_flagged_fn(void *self, double t, double h, int flag);
typedef int hk_step_reported_fn(void *self, double t, double h, bool flag, bool *event_needed,
                                bool *terminate, bool *early, double *last_time);

typedef struct hk_step_call {
    hk_step_shape shape;
    bool
        flag; /* FLAGGED, REPORTED: what the step is told beside the time, the same in every step */
    union {
        hk_step_plain_fn *plain;
        hk_step_flagged_fn *flagged;
        hk_step_reported_fn *reported;
    } fn;
    void *self;
    hk_step_report *report; /* of REPORTED steps */
    const char *name;       /* "fmi2DoStep" */
    bool may_pend; /* it may only begin the step: all of a phase begin before one is waited for */
} hk_step_call;

/* How a step has ended that needed to be looked at. */
typedef enum hk_outcome {
    HK_OUTCOME_DONE,   /* it is complete after all */
    HK_OUTCOME_LAST,   /* it is complete, and the component asks to end the simulation after it */
    HK_OUTCOME_ENDED,  /* the component ended the simulation inside it, normally */
    HK_OUTCOME_PENDING /* it has only begun: step_wait tells how it ends */
} hk_outcome;

typedef struct hk_stepped {
    hk_outcome outcome;
    double time; /* ENDED: when that was */
} hk_stepped;

/* The calls above, for the question whether one may be made. */
typedef enum hk_unit_call { HK_UNIT_GET, HK_UNIT_SET, HK_UNIT_STEP } hk_unit_call;

typedef struct hk_unit hk_unit;

typedef struct hk_unit_options {
    const char *name;   /* of the instance */
    const char *folder; /* of the system file, where relative files are looked for; NULL: "." */
    void *place;        /* zeroed memory for its struct, which outlives it, of the size that the
                           class says; NULL: it gets its own */
    uint64_t seed, run; /* of its random numbers, with the name */
    bool logging;       /* ask the component for its own log messages */
    bool tolerance_defined;
    double tolerance, start;
    bool stop_defined; /* the component is told when the run ends */
    double stop;
    bool may_go_back; /* a state may be restored that is older than the step before */
    /* For messages. The time of the run; NULL: it is at `start`. And where the instance writes
     * down each call that it makes by itself (those of the loop are known), NULL when it is over;
     * a signal handler or another thread may look there at any time. NULL: nobody does. */
    const _Atomic double *now;
    _Atomic(const char *) *calling;
    /* Where it says what text holds the last lines it said; NULL when it is gone. */
    _Atomic(const char *) *said;
} hk_unit_options;

/* Prepares a bulk call, see hk_unit_class. */
typedef hk_status hk_bind_fn(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                             void *values, hk_call *ret_call);

/* How the services of an instance are reached. */
typedef struct hk_unit_services {
    /* The struct of functions of a provided interface, and what their first argument is to be. */
    const void *(*table)(hk_unit *unit, uint32_t service, void **ret_self);
    /* Gives a required interface its provider. */
    void (*bind)(hk_unit *unit, uint32_t service, void *self, const void *functions);
    /* Where a required interface keeps its provider, a hk_binding; NULL: an instance cannot live in
     * memory of the caller. */
    void *(*place)(hk_unit *unit, uint32_t service);
} hk_unit_services;

/* Every function that returns hk_status adds a diagnostic naming instance, call and time if it
 * fails.
 * Order of the calls: open, set_start* (values before initialization), enter_init, then in
 * initialization mode set/get through calls, exit_init, then set/step/get, terminate, close. close
 * may come at any time and does what the state of the instance still allows. */
typedef struct hk_unit_class {
    const hk_unit_services *services; /* NULL: the class has none */
    /* How large the struct of an instance is that can live in memory of the caller, so that all of
     * a system lie together: hk_unit_options.place. NULL: it cannot. */
    size_t (*instance_size)(const hk_info *info);
    /* The component is stopped or started again between two activations; NULL: it need not know. */
    hk_status (*start)(hk_ctx *ctx, hk_unit *unit, double t);
    hk_status (*stop)(hk_ctx *ctx, hk_unit *unit, double t);

    /* Can an instance be made on this machine at all? Cheap; NULL: yes. */
    hk_status (*can_open)(hk_ctx *ctx, const hk_info *info);
    /* Does once what all instances of all processes that are forked later can share. NULL: there
     * is nothing. */
    hk_status (*prepare)(hk_ctx *ctx, const hk_info *info);
    /* Another description of the same type: its structural parameters VARIABLES have VALUES (in
     * their own types) as start values, and the sizes of all arrays follow. It lives as long as
     * INFO and is what open is given. NULL: the type has no structural parameters. */
    hk_status (*resize)(hk_ctx *ctx, const hk_info *info, const uint32_t *variables,
                        const hk_value *values, size_t n, const hk_info **ret_info);
    hk_status (*open)(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                      hk_unit **ret_unit);
    void (*close)(hk_unit *unit);
    /* Sets one variable before initialization. VALUE has the variable's type and count. */
    hk_status (*set_start)(hk_ctx *ctx, hk_unit *unit, uint32_t variable, const hk_value *value);
    hk_status (*enter_init)(hk_ctx *ctx, hk_unit *unit);
    /* NULL: there is nothing to do. */
    hk_status (*exit_init)(hk_ctx *ctx, hk_unit *unit);
    hk_status (*terminate)(hk_ctx *ctx, hk_unit *unit);
    /* In initialization mode: outputs are to follow the inputs now. NULL: they do by themselves. */
    hk_status (*refresh)(hk_ctx *ctx, hk_unit *unit, double t);

    /* Where the first element of a variable lies, in its store, readable and writable at any time
     * between two calls; NULL: there is no such place, it is reached by calls. An output lies there
     * as the last step has left it, so one that services change in between has no such place. */
    void *(*address)(hk_unit *unit, uint32_t variable);
    /* Prepares a bulk call for VARIABLES, which all have the same store; those of BYTES may be text
     * and binary mixed. VALUES stays valid as long as the unit: an array of that store, for BYTES
     * of hk_bytes, with the elements of all variables one after the other. What a get of BYTES
     * points to is valid until the next call into the instance. */
    hk_bind_fn *bind_get, *bind_set;
    void (*bind_step)(hk_unit *unit, hk_step_call *ret_call);
    /* May the engine make such a call now, by the standard behind the component? SET_BEFORE:
     * something was set since the last step. An internal error if not. The loop does not ask, since
     * the monitor knows its order; all others do. NULL: every call may be made at any time. */
    hk_status (*may)(hk_ctx *ctx, hk_unit *unit, hk_unit_call call, bool set_before);
    /* A step returned something bad, or its report says that it ended early or that the simulation
     * is to end: find out what happened and add a diagnostic. HK_OK: no failure after all, and
     * *ret_stepped is filled in. A step that ended early is continued. */
    hk_status (*step_failed)(hk_ctx *ctx, hk_unit *unit, int code, double t, double h,
                             hk_stepped *ret_stepped);
    /* Waits for the end of a step that step_failed found pending; the same answers but PENDING.
     * NULL: steps of this class never are. */
    hk_status (*step_wait)(hk_ctx *ctx, hk_unit *unit, double t, double h, hk_stepped *ret_stepped);
    /* Marks the instance after a get or set that returned a bad CODE. What it said about that, to
     * end a message with; "" if nothing. */
    const char *(*call_failed)(hk_unit *unit, int code);

    /* After a get or set that returned a bad code: HK_OK, or the instance is not there any more,
     * and this says why. NULL: as long as this process is there, it is. */
    hk_status (*gone)(hk_ctx *ctx, hk_unit *unit);

    /* The file with the code of the instance, loaded by now: a shared library, or the program that
     * the type is linked into. NULL: hocket's own code. The path lives as long as the unit. */
    const char *(*library)(hk_unit *unit);

    /* How often each of info->covered occurred so far; they live as long as the unit. NULL: nothing
     * is counted. */
    const uint64_t *(*covered)(hk_unit *unit);

    /* The state in memory; the object is reused if *state is not NULL. NULL functions: cannot. */
    hk_status (*state_get)(hk_ctx *ctx, hk_unit *unit, void **state);
    hk_status (*state_set)(hk_ctx *ctx, hk_unit *unit, void *state);
    void (*state_free)(hk_unit *unit, void *state);
    /* What makes the bytes of a state readable: KEY must be the same text in the instance that
     * reads them; BUILD, a number made of its code, should be (0: not known). KEY lives in ARENA.
     * NULL: nothing is known. */
    void (*state_key)(hk_unit *unit, hk_arena *arena, const char **ret_key, uint64_t *ret_build);
    /* The state as bytes (free with hk_free), and back. */
    hk_status (*state_save)(hk_ctx *ctx, hk_unit *unit, void *state, char **ret_data,
                            size_t *ret_size);
    hk_status (*state_load)(hk_ctx *ctx, hk_unit *unit, const char *data, size_t size,
                            void **ret_state);
} hk_unit_class;

/* For a class that is put in front of another one, OWN: what OWN does not do is not done in front
 * of it, either. */
#define HK_HOOK_BEFORE(own, hook) .hook = (own)->hook ? hook : NULL
/* All that every such class has, but those that bind. Its functions have the names of the hooks;
 * what closes an instance is close_unit. */
#define HK_HOOKS_BEFORE(own)                                                                       \
    HK_HOOK_BEFORE(own, start), HK_HOOK_BEFORE(own, stop),                                         \
        .close = close_unit, .set_start = set_start, .enter_init = enter_init,                     \
        .exit_init = exit_init, .terminate = terminate, HK_HOOK_BEFORE(own, refresh),              \
        HK_HOOK_BEFORE(own, may), .step_failed = step_failed, HK_HOOK_BEFORE(own, step_wait),      \
        .call_failed = call_failed, HK_HOOK_BEFORE(own, library), HK_HOOK_BEFORE(own, covered),    \
        HK_HOOK_BEFORE(own, state_get), HK_HOOK_BEFORE(own, state_set),                            \
        HK_HOOK_BEFORE(own, state_free), HK_HOOK_BEFORE(own, state_key),                           \
        HK_HOOK_BEFORE(own, state_save), HK_HOOK_BEFORE(own, state_load)

/* What classes have whose instances are in this process, with functions that are called NAME_open
 * and so on; and what those have whose states are in memory and bytes. */
#define HK_LIFE_HOOKS(name)                                                                        \
    .open = name##_open, .close = name##_close, .set_start = name##_set_start,                     \
    .enter_init = name##_enter_init, .address = name##_address, .bind_step = name##_bind_step,     \
    .step_failed = name##_step_failed
#define HK_STATE_HOOKS(name)                                                                       \
    .state_get = name##_state_get, .state_set = name##_state_set, .state_free = name##_state_free, \
    .state_save = name##_state_save, .state_load = name##_state_load
/* Where they are in a file of their own. */
#define HK_STATE_FUNCTIONS(name)                                                                   \
    hk_status name##_state_get(hk_ctx *ctx, hk_unit *base, void **ret_state);                      \
    hk_status name##_state_set(hk_ctx *ctx, hk_unit *base, void *state);                           \
    void name##_state_free(hk_unit *base, void *state);                                            \
    hk_status name##_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,          \
                                size_t *ret_size);                                                 \
    hk_status name##_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,         \
                                void **ret_state)

/* Those whose variables are all reached by address. */
hk_bind_fn hk_unit_bind_refused;
const char *hk_unit_call_failed(hk_unit *unit, int code); /* it has no more to say */
#define HK_ADDRESS_HOOKS                                                                           \
    .bind_get = hk_unit_bind_refused, .bind_set = hk_unit_bind_refused,                            \
    .call_failed = hk_unit_call_failed

/* What every instance begins with. */
struct hk_unit {
    const hk_unit_class *unit_class;
    const hk_info *info;
    const char *name; /* of the instance */
    /* Functions that are missing although `info` says that the type has states: one for those in
     * memory, one for those as bytes; NULL: none. */
    const char *lacks_memory, *lacks_bytes;
};

static inline hk_status hk_unit_exit_init(hk_ctx *ctx, hk_unit *unit) {
    return unit->unit_class->exit_init ? unit->unit_class->exit_init(ctx, unit) : HK_OK;
}

static inline hk_status hk_unit_terminate(hk_ctx *ctx, hk_unit *unit) {
    return unit->unit_class->terminate ? unit->unit_class->terminate(ctx, unit) : HK_OK;
}

#endif
