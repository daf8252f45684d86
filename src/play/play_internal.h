/* SPDX-License-Identifier: MIT
 *
 * Inside the player. A stage is what all runs share, made before the first one and not changed by
 * any; a scene is a scenario on it, with all its times in ticks; a playing is one run under way. */
#ifndef HK_PLAY_PLAY_INTERNAL_H
#define HK_PLAY_PLAY_INTERNAL_H

#include "assembly/bindings.h"
#include "assembly/recording.h"
#include "base/buffer.h"
#include "base/file.h"
#include "base/number.h"
#include "nodes/nodes.h"
#include "play/play.h"
#include "record/written.h"
#include "sound/sound.h"

/* ---- what is prepared ---- */

/* A log on the grid. */
typedef struct hk_scene_log {
    const hk_scenario_log *log; /* NULL: the record that was asked for beside them */
    size_t count;               /* of columns */
    hk_tick period;
    hk_column *columns;
    size_t row_size;
} hk_scene_log;

typedef struct hk_scene_event {
    hk_tick first, last; /* DURING: from, to; AT, EVERY: the first time; NEVER: not at all */
} hk_scene_event;

/* An expectation's window in ticks; AFTER: `to` is how long. */
typedef struct hk_scene_window {
    hk_tick from, to;
} hk_scene_window;

/* The lists of a beginning: the simulation's, the scenario's, and what the user sets. */
enum { HK_PRESETS = 3 };

typedef struct hk_scene {
    const hk_scenario *scenario;
    const hk_plan
        *plan; /* the stage's; a copy, if connections of it must keep more of their past */
    hk_actions preset[HK_PRESETS]; /* in which shared parameters are spelled out */
    hk_scene_event *events;
    uint32_t *timed, *whens, *others; /* indices: AT events by time, WHEN events, all others */
    size_t timed_count, when_count, other_count;
    hk_scene_window *windows;
    hk_signal *observed;
    size_t observed_count;
    uint32_t *shaky; /* connections that a fault may touch; sorted, each once */
    size_t shaky_count;
    hk_scene_log *logs; /* those of the scenario, and then the record */
    size_t log_count;
    hk_tick step;
    hk_column *judged; /* what expectations look at */
    size_t judged_count, judged_size;
    hk_tick judging_interval; /* how often they look */
    bool rows_for_grid; /* the engine is to stop at every step, though nothing is activated there */
} hk_scene;

typedef struct hk_stage {
    hk_arena *arena;
    const hk_assembly *made;
    const hk_simulation *simulation; /* those of the assembly */
    const hk_plan *plan;
    const hk_play_options *options;
    hk_scene *scenes; /* one per scenario */
    /* Shared by all workers: an interrupt that one process gets ends the runs of all. */
    volatile sig_atomic_t *stop; /* NULL: no workers */
    /* How far the run that is played in this process has come, 0 to 1; NULL: nobody asks. */
    volatile double *part;
    void (*watch)(void *user); /* called when it has changed; NULL: somebody else looks at it */
    void *watch_user;
} hk_stage;
/* True for a failure that is the system's and not that of a run: none of the others can begin. */
bool hk_run_hopeless(hk_status status);
bool hk_stage_interrupted(const hk_stage *stage);

/* prepare.c */
HK_NODISCARD hk_status hk_stage_make(hk_ctx *ctx, const hk_assembly *made,
                                     const hk_play_options *options, hk_stage **ret_stage);
void hk_stage_destroy(hk_stage *stage); /* NULL is fine */
/* The file of a log of one run, in ARENA; LOG NULL: of the record. */
const char *hk_log_path(hk_arena *arena, const hk_simulation *simulation,
                        const hk_play_options *options, const hk_scenario *scenario,
                        const hk_scenario_log *log, int64_t run);

/* looks.c: the scenario of this name; NULL: the first. It is there: hk_play_check. */
uint32_t hk_scenario_index(const hk_simulation *simulation, const char *name);

/* moments.c: times and the grid of steps. The number of the first step at or after WHEN, which may
 * be negative; false if it does not fit. */
bool hk_grid_step(const hk_experiment *x, hk_ratio when, int64_t *ret_step, bool *ret_exact);
/* The first tick of the grid at or after WHEN; HK_TICK_NEVER: beyond every run. */
hk_tick hk_grid_tick(const hk_plan *plan, hk_ratio when);
/* WHEN in ticks, rounded up or down; HK_TICK_NEVER: beyond every run. */
hk_tick hk_ticks_of(const hk_plan *plan, hk_ratio when, bool up);
/* "2700000 ms", in the unit of the simulation's file. */
const char *hk_time_words(hk_arena *arena, const hk_simulation *simulation, hk_ratio when);
const char *hk_seconds_words(hk_arena *arena, double seconds); /* "2.5 s" */

/* ---- one run ---- */

/* A ramp under way. */
typedef struct hk_ramp {
    const hk_action *action;
    hk_tick from, length;
    double *start; /* one per element */
} hk_ramp;

/* A variable that the scenario sets, with the value it has now. */
typedef struct hk_known {
    uint32_t component, variable;
    hk_value value;
    bool held;        /* it is overridden */
    hk_value beneath; /* what it has when it is released */
} hk_known;

/* What a DURING has found of something that it changes. Layers of one thing lie on each other: when
 * the uppermost goes, what it has found is put back; when one below it goes, what that has found is
 * what the one above it would have found without it. */
typedef struct hk_layer {
    hk_action_kind kind; /* SET, START, FAULT or BIND: what it is about */
    uint32_t index;      /* known variable, component, slot of a fault, requirement */
    uint32_t above, below;
    hk_value value;       /* SET */
    bool active;          /* START */
    hk_fault fault;       /* FAULT; its kind HK_FAULT_KINDS: off */
    hk_provider provider; /* BIND */
} hk_layer;

typedef struct hk_event_state {
    hk_tick next;    /* HK_TICK_NEVER: no more */
    hk_ratio period; /* EVERY: the exact time of the next */
    bool armed, was; /* WHEN; was: the condition held when it was last looked at */
    bool inside;     /* DURING */
    uint32_t first_layer, end_layer;
} hk_event_state;

typedef struct hk_sample {
    double time, value;
} hk_sample;

/* Of a signal over a window; one requirement takes them for all that look at the same. */
typedef struct hk_samples {
    hk_sample *all;
    size_t count, cap, owner;
    bool of_end; /* the last one alone */
} hk_samples;

typedef struct hk_judging {
    bool decided, held, was;
    bool triggered;   /* AFTER: at least once */
    bool looked;      /* ALWAYS: at one step of its window at least */
    const char *seen; /* values that broke it: "level.y is 5.2"; NULL: none */
    double time;
    hk_samples *samples; /* MEASURED */
    hk_tick
        pending; /* AFTER: when the time of the oldest open trigger is up; NEVER: none is open */
} hk_judging;

typedef struct hk_playing {
    hk_ctx *ctx;
    hk_arena *arena; /* of the result */
    hk_arena *scratch;
    const hk_stage *stage;
    const hk_scene *scene;
    int64_t index;
    int64_t began; /* by the wall clock */
    hk_tick first; /* where it began, or went on */
    hk_sim *sim;
    hk_nodes *nodes;  /* that run its components; NULL: SIM does */
    hk_status status; /* of what the hook has done */
    hk_event_state *events;
    size_t timed_next;
    uint32_t *whens; /* those that may fire yet, in the order of the text */
    size_t when_count;
    uint32_t *queue; /* the others: a heap, the next one is the first */
    size_t queue_count;
    hk_ramp *ramps;
    size_t ramp_count, ramp_cap;
    hk_known *known; /* sorted */
    size_t known_count, known_cap;
    hk_fault *faults;       /* by slot: a kind on an element of a shaky connection */
    uint32_t *fault_first;  /* per shaky connection: its first element among those of all */
    hk_provider *providers; /* per requirement */
    bool *rests;            /* per component: it was stopped with all of a composite */
    hk_layer *layers;
    size_t layer_count, layer_cap;
    uint32_t *tops[4]; /* by what it is about and its index: the uppermost layer */
    hk_judging *judgings;
    const char **trace;
    size_t trace_count, trace_cap;
    hk_about_event *told; /* the first events, for the logs; told.c */
    size_t told_count;    /* of all */
    hk_recorder **recorders;
    hk_written written;     /* the logs, looked at again when the components are gone */
    size_t own_listeners;   /* those of the caller come after them */
    char *row;              /* what expectations look at now */
    hk_judging *before_end; /* as they were before the last row; NULL: there was none */
    size_t *samples_before_end;
    bool finished;       /* the scenario has ended the run */
    bool saved;          /* the state of its end is written */
    hk_states_left left; /* on its way */
    bool unresumed;      /* logs that were to go on are left as they are */
    hk_tick end_tick;    /* when the run was over */
    double end;
} hk_playing;

/* keep.c: the scenario as a part of states. The last row is about to be judged. */
hk_keeper hk_keep(hk_playing *p);
void hk_keep_judgings(hk_playing *p);

/* actions.c */
void hk_playing_learn(hk_playing *p); /* what is known before the first action */
HK_NODISCARD hk_status hk_action_do(hk_playing *p, const hk_action *action, hk_tick tick);
void hk_action_trace(hk_playing *p, hk_tick tick, const char *before, const char *words);
HK_NODISCARD hk_status hk_ramps_move(hk_playing *p, hk_tick now);
size_t hk_find_shaky(const hk_playing *p, uint32_t connection);
/* The slot of a kind of fault on an element of a shaky connection. */
size_t hk_fault_slot(const hk_playing *p, size_t shaky, size_t element, hk_fault_kind kind);
/* Elements [*ret_first, result) of a shaky connection that SLICE stands for. */
size_t hk_fault_elements(const hk_playing *p, size_t shaky, const hk_slice *slice,
                         size_t *ret_first);
HK_NODISCARD hk_status hk_put_back_value(hk_playing *p, const hk_known *known,
                                         const hk_value *value);
HK_NODISCARD hk_status hk_put_back_fault(hk_playing *p, size_t slot, const hk_fault *fault);
HK_NODISCARD hk_status hk_put_back_provider(hk_playing *p, size_t requirement, hk_provider to);
/* The action for every variable that has one value with its own; in ARENA. */
hk_actions hk_spell_out(const hk_model *model, hk_arena *arena, const hk_action *set);

/* known.c */
void hk_known_learn(hk_playing *p); /* which there are, and what they are at the beginning */
hk_known *hk_find_known(const hk_playing *p, uint32_t component, uint32_t variable);
hk_value hk_value_now(hk_playing *p, const hk_known *known);
/* Sets the variable or, if it is overridden, what lies beneath; and asks for that. */
HK_NODISCARD hk_status hk_known_put(hk_playing *p, uint32_t component, uint32_t variable,
                                    const hk_value *value);
bool hk_known_f64(const hk_playing *p, uint32_t component, uint32_t variable, uint32_t element,
                  double *ret_value);
HK_NODISCARD hk_status hk_known_override(hk_playing *p, const hk_action *action);
/* *ret_any becomes true if something was overridden. */
HK_NODISCARD hk_status hk_known_release(hk_playing *p, const hk_action *action, bool *ret_any);

/* windows.c: what a DURING changes, and how it is put back. */
void hk_windows_begin(hk_playing *p);
void hk_window_open(hk_playing *p, hk_event_state *state, const hk_actions *actions);
HK_NODISCARD hk_status hk_window_close(hk_playing *p, hk_event_state *state);
/* A layer of a window that is open is among those that count: after hk_windows_begin. */
void hk_window_again(hk_playing *p, uint32_t layer);
/* More than one window has a say whether the component is active. */
bool hk_windows_overlap(const hk_playing *p, uint32_t component);

/* events.c */
void hk_events_begin(hk_playing *p);
void hk_events_queue(hk_playing *p);          /* those that come by their time, as they are now */
hk_tick hk_events_first(const hk_playing *p); /* when the hook is wanted first */
hk_tick hk_events_hook(void *user, hk_sim *sim, hk_tick now);

/* judge.c: a condition asks for its signals. */
typedef bool hk_look_fn(const void *user, const hk_signal *signal, double *ret_value);
bool hk_test_holds(const hk_test *test, hk_look_fn *look, const void *user);
void hk_judge_begin(hk_playing *p);
void hk_judge(hk_playing *p, hk_tick now); /* by the row that p holds */
/* Who judges, at every step; false: there is nothing to be judged, or to be stopped at. */
bool hk_judge_listen(hk_playing *p, hk_listener *ret_listener);
void hk_judge_end(hk_playing *p, hk_play_run *run);

/* measure.c: room for the samples of a requirement; one of them; what is measured, NaN: nothing can
 * be; whether its limits are kept; how they are not. */
void hk_measure_begin(hk_playing *p, size_t index);
/* It is about the last row of a run alone, wherever that is. */
bool hk_measure_is_of_end(const hk_expectation *expectation);
void hk_measure_take(hk_samples *samples, double time, double value);
double hk_measure_value(const hk_measure *measure, const hk_samples *samples);
/* When a sample was not a number that this depends on, so that nothing can be said; NaN: never. */
double hk_measure_unknown(const hk_measure *measure, const hk_samples *samples);
bool hk_measure_held(const hk_measure *measure, double value);
const char *hk_measure_words(hk_arena *arena, const hk_measure *measure, double value);

/* told.c: what the logs say about what was done and expected. */
void hk_told_event(hk_playing *p, double time, const char *before, const char *words);
size_t hk_told_kept(const hk_playing *p); /* how many of the first events are there */
void hk_told_all(hk_playing *p, const hk_play_run *run, hk_about *about);

/* logs.c: opens the files. hk_logs_listen: who fills them, one for each log of the scene. */
HK_NODISCARD hk_status hk_logs_open(hk_playing *p, hk_play_run *run);
void hk_logs_flush(void *playing);       /* all rows so far are in their files */
void hk_logs_start(const hk_playing *p); /* the simulation is made */
size_t hk_logs_listen(const hk_playing *p, hk_listener *ret_listeners);
HK_NODISCARD hk_status hk_logs_close(hk_playing *p, hk_play_run *run, const hk_about *about);

typedef struct hk_run_key {
    uint32_t scenario;
    int64_t index;
} hk_run_key;
/* play_run.c: plays one run. What it has to say goes to CTX, the result to ARENA. */
void hk_run_play(hk_ctx *ctx, hk_arena *arena, const hk_stage *stage, hk_run_key key,
                 hk_play_run *ret_run);

/* workers.c: plays RUNS in processes; each is reported as it comes, in order. */
typedef void hk_run_told_fn(void *user, size_t number, const hk_play_run *run, const hk_ctx *said);
/* A few times a second: how much of all runs is simulated, in runs. */
typedef void hk_run_watch_fn(void *user, double runs);
/* The runs that are to be played, and who hears of them. */
typedef struct hk_play_order {
    const hk_run_key *keys;
    size_t count;
    hk_play_run *runs; /* one for each, filled in */
    hk_run_told_fn *told;
    hk_run_watch_fn *watch;
    void *user;
} hk_play_order;
HK_NODISCARD hk_status hk_workers_play(hk_ctx *ctx, hk_arena *arena, hk_stage *stage,
                                       unsigned workers, const hk_play_order *order);
/* result.c: a run and what was said in it as bytes, and back. */
void hk_result_write(hk_buffer *buffer, const hk_play_run *run, size_t components,
                     const hk_ctx *said);
HK_NODISCARD bool hk_result_read(hk_arena *arena, const char *data, size_t size, size_t components,
                                 hk_play_run *ret_run, hk_ctx *said);

/* ---- play_check.c, check_calls.c: what can be said before the first run ---- */

typedef struct hk_checking {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_simulation *simulation;
    const hk_play_options *options;
    const hk_scenario *scenario;
    int64_t steps; /* of a run */
    size_t errors;
    hk_status first;
} hk_checking;
void hk_check_fail(hk_checking *c, hk_status code, hk_where where, const char *hint,
                   const char *text);
/* Something that will run, but hardly as it was meant. */
void hk_check_complain(hk_checking *c, hk_where where, const char *hint, const char *text);
/* Calls of what is stopped by then. LAST: of all scenarios, so the end of the simulation comes. */
void hk_check_calls(hk_checking *c, bool last);

#endif
