/* SPDX-License-Identifier: MIT
 *
 * Inside every FMU that `hocket export` makes: a native component of hocket, and around it a shell
 * that speaks FMI. This part knows no version of FMI; fmi1_shell.c, fmi2_shell.c and fmi3_shell.c
 * translate. It calls the component exactly as hocket itself does: init and output on entering the
 * initialization, output again after an input changed there, and then step after step. */
#ifndef HK_SHELL_CORE_H
#define HK_SHELL_CORE_H

#include "shell_names.h"

#include <hk/unit.h>

/* What the functions return: the numbers all versions of FMI have in common. */
enum { HK_SHELL_OK = 0, HK_SHELL_ERROR = 3 };

/* Where an instance is in its life; one bit each, so that sets of them can be written down. */
enum {
    HK_SHELL_INSTANTIATED = 1,
    HK_SHELL_INITIALIZING = 2, /* FMI 2.0 and 3.0: initialization mode */
    HK_SHELL_STARTED = 4,      /* FMI 1.0: initialized, and no step yet */
    HK_SHELL_STEPPING = 8,
    HK_SHELL_TERMINATED = 16,
    HK_SHELL_FAILED = 32, /* a function of the component failed */
    HK_SHELL_ALL = 63
};

/* FMI 3.0, where events are clocks: what a port is there. The component has a flag per event, 1.0
 * where it occurs; a clocked port is the value of one. */
enum { HK_SHELL_PLAIN, HK_SHELL_CLOCK_IN, HK_SHELL_CLOCK_OUT, HK_SHELL_CLOCKED, HK_SHELL_HIDDEN };
typedef struct hk_shell_event {
    int role;
    size_t clock; /* CLOCKED: the port of the flag */
} hk_shell_event;
/* Types of variables that no function for values takes. */
enum { HK_SHELL_TYPE_CLOCK = HK_TYPE_COUNT, HK_SHELL_TYPE_NONE };

/* What is different in each FMU: the generated file shell_model.c. */
typedef const hk_unit_type *const *hk_shell_types_fn(void);
typedef hk_shell_types_fn *hk_shell_load_fn(const char *file, void **ret_library,
                                            const char **ret_reason);
typedef struct hk_shell_model {
    const char *type;         /* name of the component's type */
    const char *guid;         /* of the model description */
    hk_shell_types_fn *types; /* of the component that is linked in; NULL: it is a plugin */
    const char *plugin;       /* its file, beside this library */
    hk_shell_load_fn *load;
    void (*unload)(void *library);
    /* Per port the elements, in the port's own type; NULL: zero. With random numbers two more
     * follow, each one uint64_t: seed and run. */
    const void *const *starts;
    size_t port_count;
    bool once_per_process; /* a second instance is refused */
    /* FMI 3.0: per port; NULL: there are no clocks. The component steps by STEP, of its own time,
     * at each tick of the clock that comes behind all other variables. */
    const hk_shell_event *events;
    double step;
} hk_shell_model;
extern const hk_shell_model hk_shell_data;

/* What a value reference stands for. */
typedef struct hk_shell_variable {
    char *at; /* the first element */
    size_t count;
    size_t port;       /* SIZE_MAX: not in the component's struct, but in the head */
    int type;          /* hk_type, or one of the two above */
    unsigned settable; /* the phases in which it may be set */
    bool restarts;     /* setting it during initialization asks for another init */
} hk_shell_variable;

/* A copy of the component's struct, with what its texts point to. */
typedef struct hk_shell_block {
    char *self;
    void **owned; /* per slot: what was allocated for it */
} hk_shell_block;

/* All that changes beside the struct. Wide fields leave no gaps. */
typedef struct hk_shell_head {
    uint64_t phase;
    double t, stop;
    uint64_t has_stop, has_start, init_due, output_due;
    uint64_t seed, run; /* of the random numbers */
    uint64_t event_mode, ticks;
} hk_shell_head;

typedef struct hk_shell hk_shell;
typedef void hk_shell_log_fn(const hk_shell *x, const char *text);

struct hk_shell {
    hk_shell_log_fn *log;
    char *name;
    const hk_unit_type *type;
    void *library;
    hk_shell_variable *variables; /* by value reference */
    size_t variable_count;
    size_t *slots; /* offsets of every hk_bytes in the struct */
    size_t slot_count;
    hk_shell_head head;
    hk_shell_block now;    /* the component's struct */
    hk_shell_block before; /* as it was before init, with what was set since; while INITIALIZING */
    bool begun;            /* init was called, so end must be */
    bool mild;             /* what is logged is not an error, but a remark of the component */
    bool only;             /* it is the one instance that the process may hold */
    /* Texts of inputs that were replaced: an output may point to them until the component's next
     * call, and longer if that call leaves it as it is. */
    hk_bytes *retired;
    size_t retired_count;
    /* FMI 3.0 with clocks, in an instant of event mode: which were set, per port; whether the one
     * of the cycle was; whether the cycle is done. */
    bool *active;
    bool cycle_active, cycle_done, busy;
};

/* Fills X, of which only LOG is set. BY_ELEMENT: each element of an array has a reference of its
 * own; else each port has one, and time the last of all. Between them come seed and run. False: a
 * message was logged, and nothing is held. */
bool hk_shell_open(hk_shell *x, const char *call, const char *name, const char *guid,
                   bool by_element);
void hk_shell_close(hk_shell *x);
/* Logs "CALL: TEXT" and returns HK_SHELL_ERROR. Nothing else happens: the call is refused. */
int hk_shell_refuse(const hk_shell *x, const char *call, const char *text);
int hk_shell_refuse_ref(const hk_shell *x, const char *call, unsigned ref, const char *text);

/* FMI 2.0, 3.0: refuses unless the shell has messages of all these categories. */
#define HK_SHELL_ERRORS "logStatusError"
#define HK_SHELL_NOTES  "logAll"
int hk_shell_check_categories(const hk_shell *x, const char *call, size_t count,
                              const char *const *categories);

int hk_shell_set_experiment(hk_shell *x, const char *call, double start, bool stop_defined,
                            double stop);
/* From INSTANTIATED to PHASE, which is INITIALIZING or STARTED. */
int hk_shell_initialize(hk_shell *x, const char *call, unsigned phase);
int hk_shell_finish_initialization(hk_shell *x, const char *call);
int hk_shell_step(hk_shell *x, const char *call, double t, double h);
int hk_shell_terminate(hk_shell *x, const char *call);
int hk_shell_reset(hk_shell *x);

/* Calls output, and init if need be, after values were set during initialization. */
int hk_shell_settle(hk_shell *x, const char *call);
/* Before values are read, in one of PHASES. */
static inline int hk_shell_before_get(hk_shell *x, const char *call, unsigned phases) {
    if (!(x->head.phase & phases))
        return hk_shell_refuse(x, call, "values cannot be read in this state");
    return x->head.output_due ? hk_shell_settle(x, call) : HK_SHELL_OK;
}
/* The variable of REF, or NULL after a message. */
static inline const hk_shell_variable *hk_shell_find(const hk_shell *x, const char *call,
                                                     unsigned ref) {
    if (ref < x->variable_count)
        return &x->variables[ref];
    hk_shell_refuse_ref(x, call, ref, "is unknown");
    return NULL;
}
/* The same, for a variable that is to be set. */
static inline const hk_shell_variable *hk_shell_find_settable(const hk_shell *x, const char *call,
                                                              unsigned ref) {
    const hk_shell_variable *v = hk_shell_find(x, call, ref);
    if (!v || v->settable & x->head.phase)
        return v;
    hk_shell_refuse_ref(x, call, ref, "cannot be set in this state");
    return NULL;
}
/* After V was set; the second part only during initialization. What was set before init, or before
 * it is called again, the component is told. */
void hk_shell_note_initial(hk_shell *x, const hk_shell_variable *v);
static inline void hk_shell_note_set(hk_shell *x, const hk_shell_variable *v) {
    if (x->head.phase == HK_SHELL_STEPPING)
        return;
    char *self = x->head.phase == HK_SHELL_INSTANTIATED   ? x->now.self
                 : x->head.phase == HK_SHELL_INITIALIZING ? x->before.self
                                                          : NULL;
    if (self && v->port != SIZE_MAX && HK_UNIT_HAS(x->type, given))
        x->type->given(self, v->port);
    if (x->head.phase & (HK_SHELL_INITIALIZING | HK_SHELL_STARTED))
        hk_shell_note_initial(x, v);
}
/* Sets element K of V, a text or binary, to a copy of the bytes. */
void hk_shell_put_bytes(hk_shell *x, const hk_shell_variable *v, size_t k, const void *data,
                        size_t size);

/* shell_state.c: the whole state of an instance in memory and as bytes, as fmi2GetFMUstate ... */
int hk_shell_state_get(hk_shell *x, const char *call, void **state);
int hk_shell_state_set(hk_shell *x, const char *call, const void *state);
int hk_shell_state_free(hk_shell *x, void **old);
int hk_shell_state_size(hk_shell *x, const char *call, const void *from, size_t *size);
int hk_shell_state_save(hk_shell *x, const char *call, const void *state, void *bytes, size_t size);
int hk_shell_state_load(hk_shell *x, const char *call, const void *bytes, size_t size,
                        void **state);
/* A deep copy between two blocks, and the two ends of a block's life. */
void hk_shell_copy(const hk_shell *x, hk_shell_block *to, const hk_shell_block *from);
bool hk_shell_make_block(const hk_shell *x, hk_shell_block *block);
void hk_shell_free_block(const hk_shell *x, hk_shell_block *block);

/* Variables that a caller names, and how many values it has or wants for all of them. */
typedef struct hk_shell_named {
    const unsigned *refs;
    size_t count, values;
} hk_shell_named;

/* fmi3_events.c: before V is read (SETTING: set) in event mode or out of it. */
int hk_shell_check_clock(hk_shell *x, const char *call, unsigned ref, const hk_shell_variable *v,
                         bool setting);
/* Logs why the component's FUNCTION failed; from here on the instance is FAILED. */
int hk_shell_failed(hk_shell *x, const char *call, const char *function, int code);

/* shell_derivative.c: SEED and SENSITIVITY hold the elements of the variables one after another. */
int hk_shell_derivative(hk_shell *x, const char *call, const hk_shell_named *unknowns,
                        const hk_shell_named *knowns, const double *seed, double *sensitivity);

/* shell_scalar.c: the values of FMI 1.0 and 2.0. Integers are checked to fit, both ways. */
int hk_shell_get_real(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                      size_t n, double *values);
int hk_shell_set_real(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                      const double *values);
int hk_shell_get_integer(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                         size_t n, int *values);
int hk_shell_set_integer(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                         const int *values);
int hk_shell_get_string(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                        size_t n, const char **values);
int hk_shell_set_string(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                        const char *const *values);
int hk_shell_get_boolean(hk_shell *x, const char *call, unsigned phases, unsigned ref,
                         bool *ret_value);
int hk_shell_set_boolean(hk_shell *x, const char *call, unsigned ref, bool value);

/* shell_plugin.c: the component as a shared library beside this one. */
hk_shell_load_fn hk_shell_load_plugin;
void hk_shell_unload_plugin(void *library);

#endif
