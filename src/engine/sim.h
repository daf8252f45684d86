/* SPDX-License-Identifier: MIT
 *
 * A simulation: the plan turned into instances, slots, copies and calls, and run. */
#ifndef HK_ENGINE_SIM_H
#define HK_ENGINE_SIM_H

#include "base/buffer.h"
#include "model/scenario.h"
#include "model/unit.h"
#include "plan/plan.h"

typedef struct hk_sim hk_sim;

/* One column of the record: one element of one variable. */
typedef struct hk_column {
    const char *name; /* "component.variable", "component.array[2]" (from 1) */
    const char *unit; /* NULL: none */
    uint32_t component, variable, element;
    hk_type type;
    hk_store store;
    size_t offset; /* in a row, in bytes; BYTES cells are hk_bytes valid until row_end returns */
    const hk_transform *transform; /* of the value, on its way into the row; NULL: none */
    const hk_variable *of; /* whose element it is: shape, items, description; NULL: not known */
} hk_column;

/* Takes the rows. row_begin gives room for one row (row_size bytes); the engine fills it and calls
 * row_end. Neither may block for long, allocate or lock: they are in the hot loop. row_end is
 * false if the row could not be taken; the run then ends. */
typedef struct hk_sink {
    void *(*row_begin)(void *user);
    bool (*row_end)(void *user, double time);
    void *user;
} hk_sink;

/* A condition that ends the run: variable OP threshold. */
typedef enum hk_compare { HK_LT, HK_LE, HK_GT, HK_GE, HK_EQ, HK_NE } hk_compare;
typedef struct hk_stop_when {
    uint32_t component, variable;
    hk_compare compare;
    double threshold;
    const char *text;              /* as the user wrote it */
    uint32_t element;              /* of the variable, from 0 */
    const hk_transform *transform; /* what it makes of the value counts; NULL: the value itself */
} hk_stop_when;

/* Called at the first instant at or after the tick it asked for, before anything else happens
 * there; may change the simulation by hk_sim_write, hk_sim_start ... below. Returns the tick at
 * which it wants to be called next (HK_TICK_NEVER: not again); now + 1 is the next instant. */
typedef struct hk_hook {
    hk_tick (*call)(void *user, hk_sim *sim, hk_tick now);
    void *user;
    hk_tick first;
} hk_hook;

/* What the engine checks of itself while it runs. */
typedef enum hk_monitor {
    HK_MONITOR_PHASE, /* each call once, for the right instance, with the right memory, in order */
    HK_MONITOR_OFF,
    HK_MONITOR_VALUES /* and that what is set is what was got: for debugging, slow */
} hk_monitor;

/* Takes the calls as lines of JSON (docs/soundness.md); write may not keep TEXT. */
typedef struct hk_trace_sink {
    void (*write)(void *user, const char *text, size_t size);
    void *user;
    uint64_t every; /* every so many instants; 0 and 1: all */
} hk_trace_sink;

/* Called about ten times a second from the loop. */
typedef struct hk_progress_receiver {
    void (*call)(void *user, double t, double start, double stop);
    void *user;
} hk_progress_receiver;

/* What a listener knows of a run, as a part of its states. It is read by the program that wrote it
 * only, from a file perhaps: LOAD believes nothing of it. PATH is that of the file; NULL: the state
 * is of this run. */
typedef struct hk_keeper {
    const char *name; /* of the part; NULL: it keeps nothing */
    hk_status (*save)(void *user, hk_buffer *to);
    hk_status (*load)(void *user, const char *path, const char *data, size_t size);
    void *user;
} hk_keeper;

/* Who follows a run, by any of these four; what is zero is not wanted. A run has any number of
 * listeners, and each sees what it would see alone. Of those that want the same thing the first in
 * the list comes first. */
typedef struct hk_listener {
    hk_sink sink;             /* takes rows; row_begin NULL: none */
    const hk_column *columns; /* what a row holds; offsets are filled by hk_columns_layout */
    size_t column_count;
    hk_tick interval; /* rows at start + k * interval, and at the end; 0: hk_plan_row_interval */
    bool on_grid;     /* no row at an end that lies between two of these */
    hk_hook hook;     /* call NULL: none */
    hk_progress_receiver progress; /* call NULL: none */
    hk_trace_sink trace;           /* write NULL: none */
    hk_keeper keeper;
} hk_listener;

typedef struct hk_sim_options {
    hk_monitor monitor;
    const hk_listener *listeners; /* needed until the simulation is made; columns as long as it */
    size_t listener_count;
    const uint32_t *shaky; /* connections that may become faulty; others may too, but a 'drop' of
                              theirs begins with the value after it */
    size_t shaky_count;
    const hk_signal *observed; /* what hooks ask for by hk_sim_value_f64 */
    size_t observed_count;
    uint64_t seed, run; /* of random numbers */
    /* What a scenario sets and binds at its beginning: the SET and BIND actions of these lists are
     * applied before initialization, in order, on top of the model's own settings and bindings. */
    const hk_actions *preset;
    size_t preset_count;
    double real_time;    /* pace: simulated seconds per second; 0: as fast as possible */
    unsigned threads;    /* at most this many, where they pay; 0 and 1: one */
    bool threads_always; /* share every phase, also where it does not pay: for tests */
    double timeout_s;    /* wall time of the run; 0: none */
    bool extrapolate;    /* inputs of real type that components hold are extrapolated linearly */
    bool allow_nan;
    bool allow_stopped; /* a stopped component answers calls as it is, with a warning */
    bool fmi_logging;
    /* After a state was loaded from a file, what the user has asked for (HK_FROM_USER) is set
     * again, and refused where that is not possible any more. */
    bool set_after_load;
    bool may_go_back; /* hk_sim_restore may be given a state that is older than the time it has */
    const hk_stop_when *stop_when;
    size_t stop_when_count;
    double init_tolerance; /* for loops of initial values; 0: 1e-9 */
    int init_iterations;   /* 0: 100 */
    const bool *isolated;  /* by component: it has a process of its own; NULL: none has */
    const int *remote; /* by component: leads to who serves it; -1: nobody does; NULL: none is */
    const struct hk_sim_part *part; /* part.h: only some components run here; NULL: all do */
    unsigned profile_every; /* instants between two that are timed; 0: often first, rarely later */
    const bool *sandboxed;  /* by component: that process is locked in, as isolate/sandbox.h says */
    const struct hk_sandbox *sandbox;
} hk_sim_options;

/* Lays out a row: fills the offsets, returns the size of a row. */
size_t hk_columns_layout(hk_column *columns, size_t count);

/* Instantiates all components, applies the settings, initialises, exchanges initial values and
 * stops what the model declares as inactive. The model and plan must outlive it. */
HK_NODISCARD hk_status hk_sim_create(hk_ctx *ctx, const hk_plan *plan,
                                     const hk_sim_options *options, hk_sim **ret_sim);
void hk_sim_destroy(hk_sim *sim); /* terminates and frees what is still alive; NULL is fine */

/* Runs to the stop time (or to the end that a condition, a component or hk_sim_interrupt sets). */
HK_NODISCARD hk_status hk_sim_run(hk_sim *sim);
/* Runs until the next instant is at or after UNTIL. */
HK_NODISCARD hk_status hk_sim_run_until(hk_sim *sim, hk_tick until);
hk_tick hk_sim_now(const hk_sim *sim);
/* A listener, by its index in the options, gets no rows any more: what takes them is closed. */
void hk_sim_end_rows(hk_sim *sim, size_t listener);
/* Ends the run at the next instant; may be called from a signal handler or another thread. */
void hk_sim_interrupt(hk_sim *sim);
/* Makes hk_sim_run_until return at the next instant, as if that were asked for; the run goes on
 * when it is called again. As hk_sim_interrupt. */
void hk_sim_yield(hk_sim *sim);
/* Why the run ended before its stop time: NULL if it did not. */
const char *hk_sim_end_reason(const hk_sim *sim);
/* The component that has asked for that end; HK_MAP_NONE: none has. */
uint32_t hk_sim_ended_by(const hk_sim *sim);
/* How many threads run it at present. */
unsigned hk_sim_threads(const hk_sim *sim);
/* With real-time pacing: by how many seconds the latest instant came too late. */
double hk_sim_worst_late(const hk_sim *sim);

/* What the monitor has looked at so far. */
typedef struct hk_soundness {
    hk_monitor monitor;
    uint64_t calls, phases;    /* gets, sets and steps; and the lists of them that were compared */
    uint64_t values, unvalued; /* VALUES: connections compared, and those that cannot be */
} hk_soundness;
hk_soundness hk_sim_soundness(const hk_sim *sim);

size_t hk_sim_component_count(const hk_sim *sim);
/* Where the code of a component lies; NULL: it is hocket's own (hk_unit_class.library). */
const char *hk_sim_library(const hk_sim *sim, uint32_t component);
/* How often each of the `covered` of its type occurred so far; NULL: nothing is counted. */
const uint64_t *hk_sim_covered(const hk_sim *sim, uint32_t component);

/* A variable as the engine sees it now (the newest published value), first element. */
bool hk_sim_read_f64(const hk_sim *sim, uint32_t component, uint32_t variable, double *ret_value);
/* Sets a tunable parameter or unconnected input; takes effect at the next activation. */
HK_NODISCARD hk_status hk_sim_write(hk_sim *sim, uint32_t component, uint32_t variable,
                                    const hk_value *value);

/* Access to one variable for a program that reads and writes by hand between two instants, found
 * once and owned by the simulation. */
typedef struct hk_access hk_access;
hk_access *hk_sim_access(hk_sim *sim, uint32_t component, uint32_t variable);
/* All elements as they are now, in the variable's own store, valid until the simulation is touched
 * again. What the engine does not exchange is asked of the component. */
HK_NODISCARD hk_status hk_access_read(hk_access *access, const void **ret_data);
bool hk_access_writable(const hk_access *access); /* as for hk_sim_write */
/* Sets all COUNT elements, which lie in STORE at DATA; text is copied. */
HK_NODISCARD hk_status hk_access_write(hk_access *access, hk_store store, const void *data,
                                       size_t count);

/* The value that holds now, as a row of this instant would show it: for conditions. */
HK_NODISCARD bool hk_sim_value_f64(const hk_sim *sim, uint32_t component, uint32_t variable,
                                   uint32_t element, double *ret_value);
/* Between instants, or in the hook; each takes effect at the instant that comes next.
 * Stopping: stop() of the component is called, its steps are not executed, its outputs keep their
 * values. Starting goes on from there. Both say in *ret_changed whether anything changed. */
HK_NODISCARD hk_status hk_sim_start_component(hk_sim *sim, uint32_t component, bool *ret_changed);
HK_NODISCARD hk_status hk_sim_stop_component(hk_sim *sim, uint32_t component, bool *ret_changed);
bool hk_sim_is_ending(const hk_sim *sim); /* its last row is under way, or was */
bool hk_sim_is_active(const hk_sim *sim, uint32_t component);
uint64_t hk_sim_activations(const hk_sim *sim, uint32_t component); /* steps executed so far */
/* Adds a fault to a connection, takes one away from an element, or all. A delay needs a plan that
 * keeps the past of the connection: hk_plan_keep_past. */
HK_NODISCARD hk_status hk_sim_add_fault(hk_sim *sim, uint32_t connection, const hk_fault *fault);
HK_NODISCARD hk_status hk_sim_remove_fault(hk_sim *sim, uint32_t connection, hk_fault_kind kind,
                                           uint32_t element);
HK_NODISCARD hk_status hk_sim_clear_faults(hk_sim *sim, uint32_t connection);
/* Binds a required interface to another provider; calls a function of a provided one. */
HK_NODISCARD hk_status hk_sim_bind(hk_sim *sim, uint32_t component, uint32_t service,
                                   uint32_t provider, uint32_t provider_service);
HK_NODISCARD hk_status hk_sim_call(hk_sim *sim, uint32_t component, uint32_t service,
                                   uint32_t function, const void *const *arguments, void *result);
/* Ends the run before the instant that comes next, normally; REASON lives on. */
void hk_sim_finish_early(hk_sim *sim, const char *reason);

/* The whole state: instances, slots, histories, time. */
typedef struct hk_snapshot hk_snapshot;
/* Needs every component to be able to save its state; names the one that is not. */
HK_NODISCARD hk_status hk_snapshot_possible(hk_sim *sim, bool to_file);
/* The same for a state at the stop time, which must be the end of a whole step of each. */
HK_NODISCARD hk_status hk_snapshot_possible_at_stop(hk_sim *sim);
HK_NODISCARD hk_status hk_sim_save(hk_sim *sim, hk_snapshot **snapshot); /* reuses *snapshot */
HK_NODISCARD hk_status hk_sim_restore(hk_sim *sim, const hk_snapshot *snapshot);
void hk_snapshot_destroy(hk_sim *sim, hk_snapshot *snapshot);
HK_NODISCARD hk_status hk_snapshot_write(hk_sim *sim, const hk_snapshot *snapshot,
                                         const char *path);
/* Refuses a state that means something else here: of another component, or of one that would not go
 * on where it is. Warns of parameters that have other values here: those of the state hold. */
HK_NODISCARD hk_status hk_snapshot_read(hk_sim *sim, const char *path, hk_snapshot **ret_snapshot);
/* Both at once: the state as it is now goes to a file; the run goes on from a file, which must be
 * of a time before its stop. */
HK_NODISCARD hk_status hk_sim_save_file(hk_sim *sim, const char *path);
HK_NODISCARD hk_status hk_sim_load_file(hk_sim *sim, const char *path);
/* How many states a run has left on its way, and of which time the last one is. */
typedef struct hk_states_left {
    uint64_t count;
    double last_s;
} hk_states_left;
/* States that a run leaves on its way, in one file: each replaces the one before, as a whole. */
typedef struct hk_checkpoints {
    const char *path; /* NULL: none */
    hk_ratio every;   /* seconds of simulated time, from the start on; above 0 */
    void (*before)(
        void *user); /* is to bring what was recorded so far into its files; may be NULL */
    void *user;
    /* What writes one instead of all that: of a run of which only a part runs here. NULL: nothing
     * does. */
    hk_status (*write)(void *user, hk_sim *sim);
    void *write_user;
    hk_states_left *left; /* is counted up; may be NULL */
} hk_checkpoints;
/* One was written, of the state as it is now. */
void hk_checkpoint_count(const hk_checkpoints *checkpoints, const hk_sim *sim);
/* As hk_sim_run. A note says if none is due. */
HK_NODISCARD hk_status hk_sim_run_saving(hk_sim *sim, const hk_checkpoints *checkpoints);
/* The time of the state in a file; nothing else is looked at. */
HK_NODISCARD hk_status hk_snapshot_time(hk_ctx *ctx, const char *path, hk_ratio *ret_seconds);

/* Where the time went: steps are counted, times extrapolated from sampled instants. */
typedef struct hk_profile_row {
    const char *name; /* of the component */
    double get_s, set_s, step_s;
    uint64_t steps, timed; /* in all, and those whose time was taken */
    uint64_t overran;      /* of these: with real-time pacing, took longer than a period lasts */
} hk_profile_row;
typedef struct hk_profile {
    hk_profile_row *rows; /* one per component, in model order */
    size_t row_count;
    double copy_s, record_s, total_s; /* total: wall time inside hk_sim_run */
    double init_s;
    uint64_t instants;
    double simulated_s;
} hk_profile;
const hk_profile *hk_sim_profile(hk_sim *sim); /* owned by the simulation */

#endif
