/* SPDX-License-Identifier: MIT
 *
 * What a co-simulation is to those who reason about its calls: instances with ports, who drives
 * whom, what an output depends on. Made from a model and its plan, or read from a small text; the
 * three views on it (specification, contracts, traces) share it.
 *
 * A call is about one port or one instance; a bulk call of FMI is the sequence of its calls. */
#ifndef HK_SOUND_SOUND_H
#define HK_SOUND_SOUND_H

#include "base/file.h"
#include "plan/program.h"

typedef struct hk_sound_port {
    const char *name; /* "controller.r" */
    uint32_t instance;
    bool is_output;
    bool observed; /* recorded or looked at, though nothing is connected to it */
    /* Inputs */
    uint32_t source; /* the output that drives it; HK_MAP_NONE: none */
    bool reactive;   /* wants a value from the end of its step; else delayed: from the beginning */
    bool initial;    /* set once before the first get, with a value of its own */
    const hk_transform *conversion; /* what becomes of the value of its source; NULL: nothing */
    uint32_t elements; /* FMI 2 has so many variables for it, "walls[1]", ...; 0: it is one */
    /* Outputs: inputs of the same instance that act without delay, in steps and at initialization.
     */
    const uint32_t *depends, *depends_init;
    size_t depends_count, depends_init_count;
    int line; /* in the text it was read from; 0: made */
} hk_sound_port;

typedef struct hk_sound_instance {
    const char *name;
    uint32_t parameters; /* set once before the first get: so many */
    int64_t rate;        /* takes part in every rate-th cycle; 0 and 1: in all */
    int64_t first;       /* ... from this one on */
    hk_ratio period;     /* from one of its steps to the next, in seconds; 0: any */
    bool can_reject;     /* may do less than a step */
    bool can_save;       /* its state can be saved and put back */
    bool is_fmu;
    int line; /* as of ports */
} hk_sound_instance;

/* Traces: a value that is more than one number. */
typedef struct hk_sound_value {
    const double *numbers; /* NULL: it is text */
    size_t count;
    const char *text; /* several texts: each with a NUL after it; NULL: nothing that compares */
    size_t size;
} hk_sound_value;

/* What a multi-model says that something begins with. */
typedef struct hk_sound_initial {
    const char *name; /* "rover.wallSensor.threshold" */
    uint32_t instance;
    uint32_t port;   /* an input; HK_MAP_NONE: a parameter */
    uint32_t number; /* of the parameters of its instance, from 0 */
    uint32_t elements;
    const char *unit; /* of the value, as the file says; NULL: none */
    hk_sound_value value;
    /* Names of an enumeration, whose numbers only what runs knows: see hk_sound_use_model. */
    const char *const *items;
    size_t item_count;
} hk_sound_initial;

typedef struct hk_sound_system {
    hk_arena *arena;
    const char *name;
    hk_sound_instance *instances;
    size_t instance_count;
    hk_sound_port *ports;
    size_t port_count;
    double start, cycle;            /* seconds: of the first cycle, and of each; 0: any */
    const uint32_t *const *port_of; /* from a plan: per component and variable; NULL: made */
    const hk_plan *plan;            /* the one it was made from; NULL: none */
    /* From a multi-model: start values are calls of the specification, and these are they. */
    const hk_sound_initial *initials;
    size_t initial_count;
    bool of_file; /* made from a multi-model */
    bool starts;  /* ... whose experiment says START */
} hk_sound_system;

/* Which ports take part: all, or those that are connected or observed. CONTRACT: the same, and each
 * instance has its own cycle instead of common phases; for traces only. */
typedef enum hk_sound_view { HK_VIEW_STRICT, HK_VIEW_CONNECTED, HK_VIEW_CONTRACT } hk_sound_view;

/* sound_system.c. Lags 'current' (0) make an input reactive, others delayed. OBSERVED (NULL:
 * nothing) is what a run records: what of it changes by itself is read even if nothing is connected
 * to it, and so belongs to every view. */
HK_NODISCARD hk_status hk_sound_from_plan(hk_ctx *ctx, const hk_plan *plan, hk_sound_view view,
                                          const hk_program_observed *observed,
                                          hk_sound_system **ret_system);
/* sound_profile.c: the same from a multi-model itself, as the paper has it: its EComponents, all
 * their ports, parameters and initial values, whatever runs them. STEP: the cycle of blocks that
 * say none, in seconds; 0: not known. */
struct hk_multimodel;
HK_NODISCARD hk_status hk_sound_from_profile(hk_ctx *ctx, const struct hk_multimodel *profile,
                                             hk_ratio step, hk_sound_system **ret_system);
/* sound_units.c: whether a multi-model speaks of units or items of enumerations; and its values in
 * the units and numbers of what runs, which MODEL knows by the same names. */
bool hk_sound_needs_model(const hk_sound_system *system);
void hk_sound_use_model(hk_sound_system *system, hk_model *model);
void hk_sound_destroy(hk_sound_system *system); /* NULL is fine */

/* One step of a master, or one call of a trace. */
typedef enum hk_sound_op {
    HK_OP_SET,       /* port: an input (or an initial value) */
    HK_OP_GET,       /* port: an output */
    HK_OP_STEP,      /* instance, by h of time */
    HK_OP_SAVE,      /* instance */
    HK_OP_RESTORE,   /* instance */
    HK_OP_PARAMETER, /* instance: one of its parameters is set; port: which, from 0 */
    HK_OP_LOOP       /* masters only: see hk_sound_loop */
} hk_sound_op;

struct hk_sound_loop;
typedef struct hk_sound_call {
    hk_sound_op op;
    uint32_t port, instance;
    double t, h;  /* traces: of a step */
    double value; /* traces: of a get or set; masters: the size of a step; if has_value */
    bool has_value;
    const hk_sound_value *many; /* traces: instead of value; NULL: none */
    bool timed;                 /* traces: a get or set that says when, in t */
    bool altered;               /* traces: a set of what no connection alone has brought */
    uint32_t initial; /* traces: an initial value of the system, plus 1; 0: it is not one */
    bool failed;      /* traces: it returned neither OK nor Warning */
    bool warned;      /* traces: it returned Warning */
    bool tentative;   /* masters, in loops: the value may still change */
    bool exchange;    /* of initial values, in initialization mode: the phases do not see it.
                         Traces of a plan: a parameter (port: the variable) is a start value */
    bool stale;       /* masters: sets the value of the cycle before, steps from its time */
    uint32_t carries; /* masters: sets the value of this output, plus 1; 0: of the source */
    bool other;       /* masters: gives another initial value than the system says */
    uint32_t as;      /* masters: step by what this instance accepted; HK_MAP_NONE: by H */
    const struct hk_sound_loop *loop;
    int line;         /* in the text it was read from; 0: made */
    const char *note; /* in a counterexample: what it found; NULL: nothing that is reported */
} hk_sound_call;

typedef enum hk_loop_kind { HK_LOOP_CONVERGED, HK_LOOP_ACCEPTED } hk_loop_kind;
typedef struct hk_sound_loop {
    hk_loop_kind kind;
    const uint32_t *watched; /* CONVERGED: ports; ACCEPTED: instances */
    size_t watched_count;
    const hk_sound_call *body, *retry;
    size_t body_count, retry_count;
} hk_sound_loop;

/* An orchestration algorithm: what is done before the first step, and in each. A step is a
 * sequence, or, if BEFORE is given, a partial order: call i comes after the calls in before[i]. */
typedef struct hk_sound_master {
    const hk_sound_call *init, *step;
    size_t init_count, step_count;
    const uint32_t *const *before; /* NULL: one after the other */
    const size_t *before_count;
    /* Call i also comes after the calls in before_last[i] of the step before. NULL: a step begins
     * when the one before has ended. */
    const uint32_t *const *before_last;
    const size_t *before_last_count;
} hk_sound_master;

/* INCOMPLETE: ended within a phase, which is not a violation. INCONCLUSIVE: nothing can be said: a
 * call failed, so what follows is outside of the specification; or there are no calls. */
typedef enum hk_sound_outcome {
    HK_SOUND_OK,
    HK_SOUND_VIOLATION,
    HK_SOUND_INCOMPLETE,
    HK_SOUND_INCONCLUSIVE
} hk_sound_outcome;

/* A verdict: what was looked at, and the first thing that is wrong. */
typedef struct hk_sound_verdict {
    bool holds;
    hk_sound_outcome outcome;   /* of traces; else OK or VIOLATION, as holds says, or not filled */
    const char *why;            /* one sentence with names; NULL if it holds */
    const hk_sound_call *trace; /* a shortest wrong sequence, as far as there is one */
    size_t trace_count;
    uint64_t calls, cycles; /* looked at */
    /* Traces only: */
    uint64_t gaps, missed;          /* where the trace leaves something out; cycles of that */
    uint64_t values, unvalued;      /* values of connected inputs: compared, not comparable */
    uint64_t passed_over, warnings; /* calls that are not in the view; that returned Warning */
    bool uninitialized;             /* it says nothing about initialization mode, ... */
    uint64_t unstarted;             /* ... about so many start values */
    /* Contracts and synthesis only: */
    const char *hint; /* how to mend what is wrong; NULL: no idea */
    const char *when; /* in which step, and who accepts how much; NULL: not said */
    bool trace_after; /* the trace is not wrong at its end, but in what it leaves behind */
    const char *fmi;  /* what FMI does not allow, one sentence; NULL: nothing was seen */
    bool sampled;     /* there are too many combinations of accepted steps to try all */
} hk_sound_verdict;

/* master.c: what the engine does according to its plan. */
hk_sound_master *hk_sound_master_of_plan(hk_arena *arena, const hk_sound_system *system,
                                         const hk_plan *plan);
/* refine.c: is every run of the master a run of the specification (the phase automaton and its time
 * layer)? Order containment, no search. MAX_STEP: how long a step is that does not say it. */
hk_sound_verdict hk_sound_refines(hk_arena *arena, const hk_sound_system *system,
                                  const hk_sound_master *master, int64_t max_step);
/* contract.c: do the preconditions of all its operations hold (facts 2.7)? fmi_legal says whether
 * no instance is read after it was set without a step in between. */
hk_sound_verdict hk_sound_keeps_contract(hk_arena *arena, const hk_sound_system *system,
                                         const hk_sound_master *master, int64_t max_step,
                                         bool *ret_fmi_legal);
/* algorithm_phases.c: why the specification is not about this system, in one sentence; NULL: it is,
 * because every connected input is delayed and no output that is read acts at once on one. */
const char *hk_sound_unphased(hk_arena *arena, const hk_sound_system *system);
/* spec.c: whether a step is taken back, in loops or outside of them. */
bool hk_sound_goes_back(const hk_sound_call *calls, size_t count);
/* A master in words (NULL: none) and its system as the specification sees them. Unless the view is
 * strict, ports that are neither connected nor observed and calls about them are left out. Before
 * the first step gets and sets may come in any order that their dependencies ask for, as often as
 * it takes: that is the exchange of initial values. If it is complete, it stands for those phases
 * of the first cycle that the step does not begin with; if its calls are in phases, they are these.
 */
typedef struct hk_sound_phased {
    const hk_sound_system *system;
    const hk_sound_master *master;
    /* By hk_sound_onto: the first thing that runs otherwise than the file says, and that no order
     * of calls shows; and the first that phases would show, for those that have none. NULL: there
     * is nothing. */
    const char *differs, *unlike;
} hk_sound_phased;
hk_sound_phased hk_sound_in_phases(hk_arena *arena, const hk_sound_system *system,
                                   const hk_sound_master *master, hk_sound_view view);
/* sound_onto.c: PHASED, which is of a plan, in the words of a multi-model (hk_sound_from_profile).
 * Gets and settings of what that does not speak of are left out, and told; its settings are those
 * of the model that is planned. FILE_NAME: how messages call it. */
HK_NODISCARD hk_status hk_sound_onto(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *file,
                                     const char *file_name, hk_sound_phased *phased);
/* synthesis.c: a correct master; a verdict says why not, or which scenario FMI cannot execute. Of
 * ports that nothing is connected to it gets and sets those that are observed. */
hk_sound_verdict hk_sound_synthesise(hk_arena *arena, const hk_sound_system *system,
                                     hk_sound_master **ret_master);
/* sound_trace.c: a recorded run against the specification and its time layer, online and offline
 * alike. In the contract view each instance is held to its contract instead (trace_contract.c). */
typedef struct hk_sound_checker hk_sound_checker;
hk_sound_checker *hk_sound_checker_create(const hk_sound_system *system, hk_sound_view view,
                                          double start_time);
/* Where rates differ, outputs are read at the end of the step that made them, as hocket does it; or
 * (LATE) at the beginning of the next one of their instance. */
void hk_sound_checker_read_late(hk_sound_checker *checker);
bool hk_sound_checker_call(hk_sound_checker *checker, const hk_sound_call *call); /* false: wrong */
/* The trace begins, or goes on after a gap, at time T with calls like this one: what came before is
 * not known and taken as right. STEPPED: a get reads what a step that began at T has made. */
void hk_sound_checker_resume(hk_sound_checker *checker, const hk_sound_call *call, double t,
                             bool stepped);
/* The calls of the trace were made in another order than its phases allow: says so. */
void hk_sound_checker_object(hk_sound_checker *checker, const char *what);
void hk_sound_checker_pass_over(hk_sound_checker *checker); /* a call that is not in the view */
hk_sound_verdict hk_sound_checker_end(hk_arena *arena, hk_sound_checker *checker); /* frees it */
const char *hk_sound_outcome_name(hk_sound_outcome outcome);                       /* "VIOLATION" */
/* What the calls of a trace are to be. */
typedef struct hk_sound_wanted {
    const hk_sound_system *system;
    hk_sound_view view;
    double start; /* time */
} hk_sound_wanted;
/* trace_read.c: the same for a file, or for standard input if PATH is "-" (docs/monitor.md): JSON
 * lines as `hocket run --trace` writes them, or lines like "S controller.r 0.0 ok", "G arena.slope
 * 0.02 ok", "D arena 0.1 0.1 ok", "# comment". Variables of the plan that are not in the view are
 * passed over; names that nobody has are an error. */
HK_NODISCARD hk_status hk_sound_check_file(hk_ctx *ctx, hk_arena *arena,
                                           const hk_sound_wanted *wanted, const char *path,
                                           hk_sound_verdict *ret_verdict);
/* The same for a text in memory, with a NUL after its last byte; it is the same again afterwards.
 * FILE: how messages call it. */
typedef struct hk_sound_text {
    const char *file;
    char *data;
    size_t size;
} hk_sound_text;
HK_NODISCARD hk_status hk_sound_check_text(hk_ctx *ctx, hk_arena *arena,
                                           const hk_sound_wanted *wanted, const hk_sound_text *text,
                                           hk_sound_verdict *ret_verdict);

/* cspm.c, promela.c: the specification and the master as text for other tools, always the same for
 * the same input. VALUES: how many different ones there are. With one the order of the calls is
 * looked at; with two also what goes where, since masters only copy values. */
const char *hk_sound_cspm(hk_arena *arena, const hk_sound_phased *phased, int64_t max_step,
                          unsigned values);
/* algorithm_phases.c: what of it is about some of the instances (IN: per instance); what they get
 * from others is anything. */
hk_sound_phased hk_sound_part(hk_arena *arena, const hk_sound_phased *all, const bool *in);
/* A partial order becomes several processes that wait for each other. NULL: calls of the master
 * wait for each other in a circle. When a trail of spin is followed it prints "call N" for each. */
const char *hk_sound_promela(hk_arena *arena, const hk_sound_system *system,
                             const hk_sound_master *master, int64_t max_step);
const hk_sound_call *hk_sound_promela_call(const hk_sound_master *master, size_t number);
enum { HK_SPIN_VECTOR = 16384 }; /* bytes of a state that spin's program has to bear */

/* "get controller.r", "step arena at 0.1 by 0.1" */
const char *hk_sound_call_text(hk_arena *arena, const hk_sound_system *system,
                               const hk_sound_call *call);

/* algorithm.c: a system and a master in words (docs/masters.md). What is read lives in ARENA, and
 * so does the system: do not destroy it. A text without an algorithm gives no master (NULL). A file
 * named .conf or .json is one of the Scenario-Verifier (import.c). */
HK_NODISCARD hk_status hk_sound_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                          hk_sound_system **ret_system,
                                          hk_sound_master **ret_master, int64_t *ret_max_step);
/* algorithm_print.c: the text that is read as just that. MASTER may be NULL. */
const char *hk_sound_print_text(hk_arena *arena, const hk_sound_system *system,
                                const hk_sound_master *master, int64_t max_step);

/* contract_plan.c: does a plan keep the contracts? Calls that do not are an error. The lags are
 * looked at for every activation of the transient and one hyperperiod; warnings name the
 * connections that do not keep them, and RET_BROKEN (may be NULL) says how many these are. */
HK_NODISCARD hk_status hk_sound_check_plan(hk_ctx *ctx, const hk_plan *plan, size_t *ret_broken);
/* The same in words, for summaries and records. */
const char *hk_sound_plan_words(hk_arena *arena, size_t broken);

/* contract_modelled.c: what the components declare to act without delay, and what the plan makes of
 * it. SYSTEM is made from the plan. */
typedef struct hk_sound_modelled {
    size_t late;             /* outputs that are read and, by feedthrough, come a step late */
    const char *const *loop; /* ports that act on each other in a ring; NULL: there are none */
    size_t loop_count;
    const char *text; /* in one sentence or two, with names */
} hk_sound_modelled;
hk_sound_modelled hk_sound_as_modelled(hk_arena *arena, const hk_sound_system *system,
                                       const hk_plan *plan);

#endif
