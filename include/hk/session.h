/* SPDX-License-Identifier: MIT
 *
 * A session: one run of a system, or of a scenario of a simulation. Created, it is initialised
 * at the start time; then it is advanced, read, written, saved and restored.
 *
 *     hk_session *session;
 *     hk_var level;
 *     double value;
 *     hk_session_create(system, NULL, &session);
 *     hk_session_var(session, "tank.level", &level);
 *     while (!hk_session_done(session)) {
 *         hk_session_step(session, 1);
 *         hk_session_get_f64(session, level, &value, 1);
 *     }
 *     hk_session_destroy(session);
 *
 * Instants are the moments at which a component is activated or a row is recorded; between two of
 * them nothing changes, and that is where a program looks and acts.
 *
 * A session whose component failed returns that status from then on, until a state that was saved
 * before is restored.
 *
 * Threads: use a session, and the system it was made of, on one thread at a time; it may be another
 * one than made it. Only hk_session_interrupt may be called at any time, from any thread or signal
 * handler. Sessions of different systems are independent.
 *
 * The process: components may not change it, so hocket puts back what they did to the working
 * directory, the umask, the locale and the handlers of signals, and warns. It compares with what it
 * found when a session was made, or when a call began that runs to the stop time; so do not change
 * them on another thread meanwhile. While an FMU is loaded and instantiated the working directory
 * is the folder of its library. */
#ifndef HK_SESSION_H
#define HK_SESSION_H

#include <hk/answer.h>
#include <hk/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_session hk_session;

/* A row of the record while it is made. */
typedef struct hk_row hk_row;
/* Called for each row, on the thread that runs the session. It may look at the row and interrupt
 * the session, nothing else. */
typedef void hk_row_fn(void *user, const hk_row *row);

HK_EXPORT double hk_row_time(const hk_row *row);
HK_EXPORT size_t hk_row_count(const hk_row *row); /* of columns; an array has one per element */
HK_EXPORT const char *hk_row_name(const hk_row *row, size_t column); /* NULL: no such column */
/* A number; NaN for text, binary and columns that are not there. */
HK_EXPORT double hk_row_f64(const hk_row *row, size_t column);
/* Text or binary, valid during the call; data NULL for numbers. */
HK_EXPORT hk_bytes hk_row_bytes(const hk_row *row, size_t column);

/* Zero means the default everywhere; set size to sizeof(hk_session_options). */
typedef struct hk_session_options {
    size_t size;
    const char *record;             /* a .csv, .mat or .h5 file to write; NULL: none */
    const char *const *record_what; /* patterns of names with '*' and '?' */
    size_t record_what_count;       /* 0: all outputs */
    hk_row_fn *on_row;              /* NULL: none; sees the columns that record_what chooses */
    void *on_row_user;
    unsigned threads;  /* at most so many, where they pay; 0: one. The result is the same */
    double real_time;  /* simulated seconds per second; 0: as fast as possible */
    double timeout_s;  /* wall time of the run; 0: no limit */
    bool extrapolate;  /* real inputs linearly over the step, instead of holding them */
    bool allow_nan;    /* let values pass that are not finite, instead of failing */
    bool fmu_messages; /* ask the FMUs for their log: hk_set_fmu_log */
    const char *const *stop_when; /* conditions that end the run: "tank.level > 25 cm" */
    size_t stop_when_count;
    /* Simulations: which scenario (NULL: the first) and which of its runs (the first is 0), and the
     * folder where its logs are written to (NULL: they are not). A record has a row at each step.
     */
    const char *scenario;
    int64_t run;
    const char *log_folder;
} hk_session_options;

/* Completes the system, instantiates and initialises all components. OPTIONS may be NULL. */
HK_EXPORT HK_NODISCARD hk_status hk_session_create(hk_system *system,
                                                   const hk_session_options *options,
                                                   hk_session **ret_session);
/* Ends the components and closes the record, in whatever state they are. NULL is fine. */
HK_EXPORT void hk_session_destroy(hk_session *session);

/* --- time ---------------------------------------------------------------------------------- */

/* Runs every instant before UNTIL; from the stop time on, to the end. */
HK_EXPORT HK_NODISCARD hk_status hk_session_advance(hk_session *session, double until);
/* The same for the exact time NUM/DEN. */
HK_EXPORT HK_NODISCARD hk_status hk_session_advance_exact(hk_session *session, int64_t num,
                                                          int64_t den);
/* Runs the next COUNT instants, less if the run ends. */
HK_EXPORT HK_NODISCARD hk_status hk_session_step(hk_session *session, uint64_t count);
/* Runs to the stop time and closes the record; a record that could not be written is reported here.
 */
HK_EXPORT HK_NODISCARD hk_status hk_session_finish(hk_session *session);
/* The instant that comes next, in seconds. */
HK_EXPORT double hk_session_time(const hk_session *session);
HK_EXPORT HK_NODISCARD hk_status hk_session_time_exact(const hk_session *session, int64_t *ret_num,
                                                       int64_t *ret_den);
/* True if there is nothing more to run: the stop time, an early end, a failure. */
HK_EXPORT bool hk_session_done(const hk_session *session);
/* Why the run ended before its stop time; NULL: it did not. Valid until the session is touched. */
HK_EXPORT const char *hk_session_end_reason(const hk_session *session);
/* Ends the run normally after the instant in progress. The call that runs returns HK_OK, and
 * the end reason is "interrupted". */
HK_EXPORT void hk_session_interrupt(hk_session *session);

/* --- expectations of a scenario ------------------------------------------------------------ */

/* Set size to sizeof(hk_expectation_info) before it is filled. Texts live as long as the session.
 */
typedef struct hk_expectation_info {
    size_t size;
    const char *words;   /* as it is written */
    const char *message; /* what the simulation says about it; NULL: nothing */
    bool held;
    bool undecided; /* the run failed, or ended, before it could be decided */
    double time;    /* when it was decided; NaN: at no one instant */
} hk_expectation_info;

/* After hk_session_finish; before, and of a system alone, there are none. */
HK_EXPORT size_t hk_session_expectation_count(const hk_session *session);
HK_EXPORT HK_NODISCARD hk_status hk_session_expectation(hk_session *session, size_t index,
                                                        hk_expectation_info *ret_info);

/* --- variables ----------------------------------------------------------------------------- */

/* A variable of one session, or an element of an array ("a.y[2]"), found once by name. 0 is none.
 */
typedef uint64_t hk_var;

HK_EXPORT HK_NODISCARD hk_status hk_session_var(hk_session *session, const char *name,
                                                hk_var *ret_var);
HK_EXPORT HK_NODISCARD hk_status hk_session_describe(const hk_session *session, hk_var var,
                                                     hk_variable_info *ret_info);

/* Each reads all elements: COUNT must be that of the variable. Numbers of any type are converted;
 * what does not fit (a fraction to an integer, text to a number) gives HK_E_VALUE. Texts and
 * binaries stay valid until the session is touched again. */
HK_EXPORT HK_NODISCARD hk_status hk_session_get_f64(hk_session *session, hk_var var,
                                                    double *ret_values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_get_i64(hk_session *session, hk_var var,
                                                    int64_t *ret_values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_get_u64(hk_session *session, hk_var var,
                                                    uint64_t *ret_values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_get_bool(hk_session *session, hk_var var,
                                                     bool *ret_values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_get_text(hk_session *session, hk_var var,
                                                     const char **ret_values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_get_binary(hk_session *session, hk_var var,
                                                       hk_bytes *ret_values, size_t count);
/* The items of an enumeration by name; they live as long as the system. */
HK_EXPORT HK_NODISCARD hk_status hk_session_get_item(hk_session *session, hk_var var,
                                                     const char **ret_items, size_t count);

/* Each sets all elements of an input that nothing drives or of a tunable parameter (else
 * HK_E_PARAMETER); it takes effect at the next activation. A parameter that is shared is set where
 * it is owned, for all; one that follows another is refused too. Texts and binaries are copied. */
HK_EXPORT HK_NODISCARD hk_status hk_session_set_f64(hk_session *session, hk_var var,
                                                    const double *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_set_i64(hk_session *session, hk_var var,
                                                    const int64_t *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_set_u64(hk_session *session, hk_var var,
                                                    const uint64_t *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_set_bool(hk_session *session, hk_var var,
                                                     const bool *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_set_text(hk_session *session, hk_var var,
                                                     const char *const *values, size_t count);
HK_EXPORT HK_NODISCARD hk_status hk_session_set_binary(hk_session *session, hk_var var,
                                                       const hk_bytes *values, size_t count);
/* Items of an enumeration by name; what is none is refused. A number that is not an item gives one
 * warning, and the component has the last word. */
HK_EXPORT HK_NODISCARD hk_status hk_session_set_item(hk_session *session, hk_var var,
                                                     const char *const *items, size_t count);

/* --- states -------------------------------------------------------------------------------- */

/* All that a run depends on: components, values under way, time. The record is not part of it:
 * after a restore its times go back. */
typedef struct hk_state hk_state;

/* Saves into *STATE, which is made if it is NULL and used again if not. */
HK_EXPORT HK_NODISCARD hk_status hk_session_save(hk_session *session, hk_state **state);
/* Goes back to a state of the same session, also after a failure or an end. */
HK_EXPORT HK_NODISCARD hk_status hk_session_restore(hk_session *session, const hk_state *state);
HK_EXPORT void hk_state_destroy(hk_state *state); /* NULL is fine; also after its session */
/* The same in a file, for another process that runs the same system. */
HK_EXPORT HK_NODISCARD hk_status hk_session_save_file(hk_session *session, const char *path);
HK_EXPORT HK_NODISCARD hk_status hk_session_load_file(hk_session *session, const char *path);

/* --- where the time went ------------------------------------------------------------------- */

/* Seconds of wall time. Set size to sizeof(hk_run_times) before it is filled. */
typedef struct hk_run_times {
    size_t size;
    double total_s; /* inside the functions that run */
    double init_s;  /* inside hk_session_create */
    double copy_s, record_s;
    double simulated_s; /* of simulated time */
    uint64_t instants;
} hk_run_times;

/* Steps are counted, times extrapolated from samples. Set size to sizeof(hk_component_times). */
typedef struct hk_component_times {
    size_t size;
    const char *name;
    double get_s, set_s, step_s;
    uint64_t steps;
} hk_component_times;

HK_EXPORT HK_NODISCARD hk_status hk_session_times(hk_session *session, hk_run_times *ret_times);
HK_EXPORT HK_NODISCARD hk_status hk_session_component_times(hk_session *session, size_t component,
                                                            hk_component_times *ret_times);

/* --- the answer ---------------------------------------------------------------------------- */

/* What `hocket run --json` answers, of the run so far (hk/answer.h): settings, times, costs of the
 * components, what was checked, the record once it is closed. Of a scenario, which must have ended,
 * it is the answer about one run (hk/simulation.h). The member "reproduce", a command, is null. */
HK_EXPORT HK_NODISCARD hk_status hk_session_answer(hk_session *session, hk_answer **ret_answer);

/* --- messages of FMUs ---------------------------------------------------------------------- */

/* STATUS is the number of the FMI status; CATEGORY may be NULL. */
typedef void hk_fmu_message_fn(void *user, const char *instance, int status, const char *category,
                               const char *message);
/* Where the log messages of all FMUs of the process go, one at a time, from whatever thread the FMU
 * uses; NULL drops them (the default). Set it while no session exists. */
HK_EXPORT void hk_set_fmu_log(hk_fmu_message_fn *log, void *user);

#ifdef __cplusplus
}
#endif
#endif
