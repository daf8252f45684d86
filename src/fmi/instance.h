/* SPDX-License-Identifier: MIT
 *
 * What instances of all versions of FMI have in common: the library, the phase, the messages, the
 * values that wait, saved states, and the end. A version's own struct begins with an hk_instance
 * and adds its functions. */
#ifndef HK_FMI_INSTANCE_H
#define HK_FMI_INSTANCE_H

#include "fmi/fmu.h"

/* Where the instance is in the state machine of the standards. */
typedef enum hk_phase {
    HK_PHASE_INSTANTIATED,
    HK_PHASE_CONFIGURING, /* FMI 3.0 */
    HK_PHASE_INITIALIZING,
    HK_PHASE_STEPPING,  /* "step complete", step mode */
    HK_PHASE_PENDING,   /* "step in progress" */
    HK_PHASE_DISCARDED, /* "step failed" */
    HK_PHASE_ENDING,    /* the same, because it asks for the end of the simulation */
    HK_PHASE_CANCELED,
    HK_PHASE_RECONFIGURING, /* FMI 3.0 */
    HK_PHASE_TERMINATED,
    HK_PHASE_BROKEN, /* after Error: may only be freed, or given an older state */
    HK_PHASE_DEAD    /* after Fatal: may not be called at all */
} hk_phase;

/* legal.c: what is called, for the question whether that is legal. */
typedef enum hk_fmi_call {
    HK_FMI_SETUP,
    HK_FMI_ENTER_INIT,
    HK_FMI_EXIT_INIT, /* FMI 1.0: fmiInitializeSlave */
    HK_FMI_ENTER_CONFIG,
    HK_FMI_EXIT_CONFIG,
    HK_FMI_ENTER_EVENT,
    HK_FMI_SET,
    HK_FMI_SET_STRUCTURE,
    HK_FMI_GET,
    HK_FMI_SET_DERIVATIVE,
    HK_FMI_GET_DERIVATIVE,
    HK_FMI_STEP,
    HK_FMI_CANCEL,
    HK_FMI_STEP_STATUS,
    HK_FMI_TERMINATE,
    HK_FMI_RESET,
    HK_FMI_FREE,
    HK_FMI_STATE_GET,
    HK_FMI_STATE_SET,
    HK_FMI_STATE_OTHER, /* free, serialize, deserialize */
    HK_FMI_CALLS
} hk_fmi_call;
/* VERSION: 1, 2, 3. */
bool hk_fmi_legal(int version, hk_phase phase, hk_fmi_call call, bool set_since_step);

/* The names of a version's functions, for messages. */
typedef struct hk_instance_names {
    const char *version, *instantiate, *terminate, *free, *step;
    const char *state_get, *state_set, *state_free, *state_size, *state_save, *state_load;
    const char *identity; /* what the library is checked by; NULL: "GUID" */
    bool untyped_refs;    /* messages name variables as "#12#", without a letter for the type */
} hk_instance_names;

/* Functions that have the same form in every version. The library may lack those of states (NULL);
 * terminate and free must be there before the version sets `component`. */
typedef struct hk_instance_calls {
    int (*terminate)(void *component);
    void (*free)(void *component);
    int (*state_get)(void *component, void **state);
    int (*state_set)(void *component, void *state);
    int (*state_free)(void *component, void **state);
    int (*state_size)(void *component, void *state, size_t *size);
    int (*state_save)(void *component, void *state, char *bytes, size_t size);
    int (*state_load)(void *component, const char *bytes, size_t size, void **state);
} hk_instance_calls;

/* Both for FMI 2.0 and 3.0, where all but the spelling of two words is the same. Bytes of states
 * are unsigned in FMI 3.0; the call is the same. */
#define HK_INSTANCE_NAMES(v, kept, deserialize)                                                    \
    .version = v "GetVersion", .terminate = v "Terminate", .free = v "FreeInstance",               \
    .step = v "DoStep", .state_get = v "Get" kept, .state_set = v "Set" kept,                      \
    .state_free = v "Free" kept, .state_size = v "Serialized" kept "Size",                         \
    .state_save = v "Serialize" kept, .state_load = v deserialize kept
typedef int hk_state_save_fn(void *component, void *state, char *bytes, size_t size);
typedef int hk_state_load_fn(void *component, const char *bytes, size_t size, void **state);
#define HK_INSTANCE_CALLS(f, kept, deserialize)                                                    \
    (hk_instance_calls) {                                                                          \
        .terminate = (f).Terminate, .free = (f).FreeInstance, .state_get = (f).Get##kept,          \
        .state_set = (f).Set##kept, .state_free = (f).Free##kept,                                  \
        .state_size = (f).Serialized##kept##Size,                                                  \
        .state_save = (hk_state_save_fn *)(hk_symbol *)(f).Serialize##kept,                        \
        .state_load = (hk_state_load_fn *)(hk_symbol *)(f).deserialize##kept                       \
    }
/* Finds one function of the library, in a function that returns hk_status. */
#define HK_INSTANCE_FIND(ctx, unit, is_required, type, function, name)                             \
    (unit)->f.function = (type *)hk_library_find((unit)->in.library, name);                        \
    if ((is_required) && !(unit)->f.function)                                                      \
        return hk_instance_need(ctx, &(unit)->in, false, name);

/* A value that waits until it may be set. */
typedef struct hk_waiting {
    uint32_t variable;
    void *data; /* all elements, in the store of the variable */
} hk_waiting;

typedef struct hk_instance {
    hk_unit base;
    hk_fmu *fmu;
    hk_arena *arena; /* the version's struct, reference arrays, thunks */
    hk_library *library;
    const hk_instance_names *names;
    hk_instance_calls calls;
    void *component;                /* what the FMU calls the instance; NULL: not made yet */
    struct hk_instance *next_known; /* in the list of those that may log */
    /* Called by hk_instance_close when the FMU cannot call back any more; NULL: nothing to do. */
    void (*released)(struct hk_instance *in);
    hk_phase phase;
    double start; /* the time of initialization */
    bool stop_defined;
    double stop; /* what the FMU is told of the end, if anything */
    bool may_go_back;
    uint64_t build;                 /* a hash of the library, once it was asked for */
    const _Atomic double *now;      /* as in hk_unit_options */
    _Atomic(const char *) *calling; /* ditto */
    _Atomic(const char *) *said;    /* ditto */
    hk_fmu_log log;
    bool logging; /* everything that the FMU can say was asked for */
    hk_waiting *waiting;
    size_t waiting_count, waiting_cap;
} hk_instance;

/* Begins an instance of SIZE bytes, a struct of the version; nothing is loaded yet. It ends with
 * hk_instance_close, also if it never became complete. */
hk_instance *hk_instance_create(const hk_info *info, const hk_unit_options *options,
                                const hk_instance_names *names, size_t size);
/* Unpacks the FMU and loads its library, whose path lives in the arena of the instance. */
HK_NODISCARD hk_status hk_instance_load(hk_ctx *ctx, hk_instance *in, const char **ret_path);
/* Warns if the library says that it is of another version than the description. GET_VERSION may be
 * NULL. */
void hk_instance_check_version(hk_ctx *ctx, const hk_instance *in,
                               const char *(*get_version)(void));
/* The functions of the library are known: does it keep what the description says about states? */
void hk_instance_check_states(hk_instance *in);
/* The call that makes the instance is between these two: MADE sets its component, and is an error
 * if there is none. GET_VERSION may be NULL. */
typedef struct hk_making {
    hk_visitor visitor;
    hk_visit visit;
} hk_making;
hk_making hk_instance_making(hk_ctx *ctx, hk_instance *in, const char *library_path,
                             const char *(*get_version)(void));
HK_NODISCARD hk_status hk_instance_made(hk_ctx *ctx, hk_instance *in, hk_making *making,
                                        void *component);
/* The end of the hook `open`: closes the instance unless STATUS is HK_OK, and returns STATUS. */
HK_NODISCARD hk_status hk_instance_opened(hk_instance *in, hk_status status, hk_unit **ret_unit);
/* FMI 2.0, 3.0: the hook `exit_init` with the version's function. */
HK_NODISCARD hk_status hk_instance_exit_init(hk_ctx *ctx, hk_instance *in, const char *name,
                                             int (*exit_init)(void *component));
/* Ends the instance with the calls that its phase still allows: the hook `close`. After Fatal it is
 * kept for ever, with all it owns. */
void hk_instance_close(hk_unit *base);
/* The hook `terminate`. */
hk_status hk_instance_terminate(hk_ctx *ctx, hk_unit *base);
/* The hook `call_failed`. */
const char *hk_instance_call_failed(hk_unit *base, int code);

hk_where hk_instance_where(const hk_instance *in);
const char *hk_instance_show(const hk_instance *in, double number); /* for messages */
/* " at t = 0.5 s": where the run is, to end the name of a call with. */
const char *hk_instance_when(const hk_instance *in);
hk_visitor hk_instance_visitor(const hk_instance *in);
/* CALL is about to be made, outside of the loop; NULL: it is over. If it crashes or hangs the
 * message names it. */
void hk_instance_calling(const hk_instance *in, const char *call);
/* Moves the phase after a call that returned CODE. */
void hk_instance_mark(hk_instance *in, int code);
/* Turns what CALL returned into a status; above Warning it adds a diagnostic that names instance,
 * call and time, and moves the phase. CALL is over. */
hk_status hk_instance_check(hk_ctx *ctx, hk_instance *in, const char *call, int code);
/* Makes a call that is named NAME if it is legal, and checks what it returns. */
#define HK_INSTANCE_CALL(ctx, in, kind, name, call)                                                \
    (hk_instance_may(ctx, in, kind, name) != HK_OK                                                 \
         ? HK_E_INTERNAL                                                                           \
         : (hk_instance_calling(in, name), hk_instance_check(ctx, in, name, call)))
/* The function CALL is needed now: an error if it is not THERE. */
hk_status hk_instance_need(hk_ctx *ctx, const hk_instance *in, bool there, const char *call);
/* An internal error if the standard does not allow the call in the state the instance is in. */
hk_status hk_instance_may(hk_ctx *ctx, const hk_instance *in, hk_fmi_call call, const char *name);
bool hk_instance_legal(const hk_instance *in, hk_fmi_call call); /* the same question */
/* The hook `may`. */
hk_status hk_instance_may_exchange(hk_ctx *ctx, hk_unit *base, hk_unit_call call, bool set_before);
/* An instance may not be called any more once any other of its FMU said Fatal. */
hk_status hk_instance_alive(hk_ctx *ctx, hk_instance *in);

/* May the variable be set before initialization? If so VALUE is converted to its store; the data
 * live in the arena, texts still in VALUE. */
hk_status hk_instance_start(hk_ctx *ctx, const hk_instance *in, uint32_t variable,
                            const hk_value *value, void **ret_data);
/* hk_instance_check for CALL, which was to set that variable before or in initialization. */
hk_status hk_instance_check_start(hk_ctx *ctx, hk_instance *in, uint32_t variable, const char *call,
                                  int code);
/* Puts a value from hk_instance_start into in->waiting; texts are copied. */
void hk_instance_wait_value(hk_instance *in, uint32_t variable, void *data);
/* References of the variables, in the arena. */
const uint32_t *hk_instance_refs(const hk_instance *in, const uint32_t *variables, size_t n);

/* Steps. All add a diagnostic that names the step. */
hk_status hk_instance_step_error(hk_ctx *ctx, hk_instance *in, int code, double t, double h);
/* The step was discarded; LAST is the time it reached, or NULL if that is not known. */
hk_status hk_instance_step_discarded(hk_ctx *ctx, hk_instance *in, double t, double h,
                                     const double *last);
/* FMI 1.0, 2.0: did the step that returned CODE end well, or does it go on in the background? Then
 * *ret_stepped says which. */
bool hk_instance_stepped(hk_instance *in, int code, double t, double h, hk_stepped *ret_stepped);
/* FMI 1.0, 2.0: a step goes on in the background; waits for its end. GET_STATUS may be NULL.
 * Returns what the step ended with. */
typedef int hk_get_status_fn(void *component, int kind, int *status);
int hk_instance_wait_step(hk_instance *in, hk_get_status_fn *get_status);

/* exchange.c: values of FMI 1.0 and 2.0, and what FMI 3.0 has in common with them. */
/* A function of the FMU that reads or sets values. The types of their last arguments differ, hence
 * the common type. */
typedef struct hk_accessor {
    hk_symbol *function;
    const char *name;
} hk_accessor;
/* FMI 1.0, 2.0: the functions of F whose names begin with V: those that get, those that set. */
#define HK_ACCESSOR(f, v, name)                                                                    \
    { (hk_symbol *)(f).name, v #name }
#define HK_ACCESSORS(f, v)                                                                         \
    {                                                                                              \
        {HK_ACCESSOR(f, v, GetReal), HK_ACCESSOR(f, v, GetInteger), HK_ACCESSOR(f, v, GetBoolean), \
         HK_ACCESSOR(f, v, GetString)},                                                            \
            {HK_ACCESSOR(f, v, SetReal), HK_ACCESSOR(f, v, SetInteger),                            \
             HK_ACCESSOR(f, v, SetBoolean), HK_ACCESSOR(f, v, SetString)},                         \
    }
/* A call of the one of ALL that the store of the variables asks for; of texts, through a thunk. */
HK_NODISCARD hk_status hk_accessors_bind(hk_ctx *ctx, const hk_instance *in,
                                         const hk_accessor all[2][4], bool set, hk_call_about about,
                                         hk_call *ret_call);
/* That store. */
hk_store hk_instance_store(const hk_instance *in, hk_call_about about);

/* A message of the FMU goes to the log of the instance, with the names of variables in the place of
 * "#r12#" (FMI 1.0, 2.0) or "#12#" (FMI 3.0); "##" stands for "#". IN and the texts may be NULL. */
void hk_instance_log(hk_instance *in, const char *instance, int status, const char *category,
                     const char *text);

/* The same for a message whose sender is said by ENVIRONMENT, which FMUs get wrong: it is looked
 * for among the instances that are known, by that and by its name. */
void hk_instance_log_from(const void *environment, const char *instance, int status,
                          const char *category, const char *text);
/* FMI 1.0, 2.0: MESSAGE is a format. Nothing is trusted to point to something. */
void hk_instance_log_formatted(const void *environment, const char *instance, int status,
                               const char *category, const char *message, va_list args);
/* The categories that the instance is to be asked to talk about: those that were chosen, or, if
 * nobody listens, failures. False: it need not be asked. */
bool hk_instance_log_wish(const hk_instance *in, const char *const **ret_names, size_t *ret_count);
void hk_instance_know(hk_instance *in);
void hk_instance_forget(hk_instance *in);

/* Memory for FMUs of FMI 1.0 and 2.0, zeroed; it is freed with free. */
void *hk_instance_allocate(size_t count, size_t size);

/* The hooks bind_get and bind_set of version V, by its function
 * bind(ctx, unit, set, about, &call). */
#define HK_INSTANCE_BIND_HOOKS(v)                                                                  \
    hk_status hk_##v##_bind_get(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,   \
                                void *values, hk_call *ret_call) {                                 \
        return bind(ctx, (hk_##v##_unit *)base, false, (hk_call_about){variables, n, values},      \
                    ret_call);                                                                     \
    }                                                                                              \
    hk_status hk_##v##_bind_set(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,   \
                                void *values, hk_call *ret_call) {                                 \
        return bind(ctx, (hk_##v##_unit *)base, true, (hk_call_about){variables, n, values},       \
                    ret_call);                                                                     \
    }
/* The hooks that every version V has: its own, which have the same names in all of them, and those
 * of this file. */
#define HK_INSTANCE_HOOKS(v)                                                                       \
    .prepare = hk_fmu_prepare, .open = unit_open, .set_start = hk_##v##_set_start,                 \
    .enter_init = unit_enter_init, .exit_init = unit_exit_init,                                    \
    .terminate = hk_instance_terminate, .bind_get = hk_##v##_bind_get,                             \
    .bind_set = hk_##v##_bind_set, .bind_step = unit_bind_step, .may = hk_instance_may_exchange,   \
    .step_failed = unit_step_failed, .call_failed = hk_instance_call_failed,                       \
    .state_get = hk_instance_state_get, .state_set = hk_instance_state_set,                        \
    .state_free = hk_instance_state_free, .library = hk_instance_library,                          \
    .state_key = hk_instance_state_key, .state_save = hk_instance_state_save,                      \
    .state_load = hk_instance_state_load
/* The hook `library` of hk_unit_class. */
const char *hk_instance_library(hk_unit *base);

/* State: the hooks of hk_unit_class, for all versions. */
hk_status hk_instance_state_get(hk_ctx *ctx, hk_unit *base, void **state);
hk_status hk_instance_state_set(hk_ctx *ctx, hk_unit *base, void *state);
void hk_instance_state_free(hk_unit *base, void *state);
void hk_instance_state_key(hk_unit *base, hk_arena *arena, const char **ret_key,
                           uint64_t *ret_build);
hk_status hk_instance_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                 size_t *ret_size);
hk_status hk_instance_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                                 void **ret_state);

#endif
