/* SPDX-License-Identifier: MIT
 *
 * Between the files of the trace checker. */
#ifndef HK_SOUND_SOUND_TRACE_H
#define HK_SOUND_SOUND_TRACE_H

#include "format/json_read.h"
#include "sound/spec.h"

#include <math.h>

/* Times of traces are sums or products of steps: both are fine. */
static inline bool hk_near(double a, double b) {
    return isfinite(a - b) && fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

const char *hk_trace_number(hk_arena *arena, double value);

/* trace_values.c: what outputs were, and what their inputs must therefore be set to. */
typedef struct hk_trace_values hk_trace_values;
hk_trace_values *hk_trace_values_make(hk_arena *arena, const hk_sound_system *system);
void hk_trace_values_free(hk_trace_values *values); /* what does not lie in the arena */
/* Inputs see what was read last, whatever the lags of the plan say. */
void hk_trace_values_newest(hk_trace_values *values, bool newest);
/* An output was read: as the step that began at BEGIN has made it (-INFINITY: initialization). */
void hk_trace_values_got(hk_trace_values *values, const hk_sound_call *call, double begin);
/* A connected input is set at NOW (-INFINITY: in initialization mode): why that is wrong; NULL: it
 * is not. */
const char *hk_trace_values_set(hk_trace_values *values, const hk_sound_call *call, double now);
/* A start value; NTH: of those that the variable is given, from 0. */
const char *hk_trace_values_start(hk_trace_values *values, const hk_sound_call *call, size_t nth);
/* An initial value of a multi-model. */
const char *hk_trace_values_initial(hk_trace_values *values, const hk_sound_call *call);
void hk_trace_values_gap(hk_trace_values *values, double t); /* what was before T is not known */
/* Steps that began before T may not have been read where the trace can tell. */
void hk_trace_values_known_from(hk_trace_values *values, double t);
/* The instance is back at T: what it has done since is undone. */
void hk_trace_values_undo(hk_trace_values *values, uint32_t instance, double t);
void hk_trace_values_count(const hk_trace_values *values, uint64_t *ret_compared,
                           uint64_t *ret_not);

/* trace_init.c: start values and the exchange of initial values. */
typedef struct hk_trace_init hk_trace_init;
hk_trace_init *hk_trace_init_make(hk_arena *arena, const hk_sound_system *system,
                                  hk_trace_values *values);
/* Why the call is wrong; NULL: it is not. */
const char *hk_trace_init_take(hk_trace_init *init, const hk_sound_call *call);
/* The first call after it comes: what is missing; NULL: nothing. */
const char *hk_trace_init_end(const hk_trace_init *init);
size_t hk_trace_init_unstarted(const hk_trace_init *init); /* start values that did not come */

/* trace_contract.c: a run by the contracts of its instances. */
typedef struct hk_contract_run hk_contract_run;
hk_contract_run *hk_contract_run_make(hk_arena *arena, const hk_spec *spec, hk_trace_values *values,
                                      double start);
/* Why the call is wrong; NULL: it is not, and was taken. */
const char *hk_contract_run_take(hk_contract_run *run, const hk_sound_call *call);
/* What came before is taken as right: each instance is where it next steps, from T on. HEAD: the
 * trace begins here, perhaps in the middle of an instant. */
void hk_contract_run_resume(hk_contract_run *run, double t, bool stepped, bool head);
double hk_contract_run_time(const hk_contract_run *run); /* of the last step */
/* What is missing for all instances to have come equally far; NULL: nothing. */
const char *hk_contract_run_due(const hk_contract_run *run);

/* trace_json.c */
typedef enum hk_trace_mode { HK_TRACE_STEP, HK_TRACE_START, HK_TRACE_INIT } hk_trace_mode;
/* A line of JSON. Numbers that it does not have are below 0. */
typedef struct hk_trace_line {
    const hk_sound_call *call;
    hk_trace_mode mode;
    int64_t n, phase, cell, thread, order;
    bool gap; /* something is left out before it */
} hk_trace_line;

/* Members of a line that mean something here. */
typedef enum hk_trace_key {
    HK_KEY_N,
    HK_KEY_T,
    HK_KEY_OP,
    HK_KEY_INSTANCE,
    HK_KEY_MODE,
    HK_KEY_PORTS,
    HK_KEY_VALUES,
    HK_KEY_H,
    HK_KEY_STATUS,
    HK_KEY_CELL,
    HK_KEY_PHASE,
    HK_KEY_THREAD,
    HK_KEY_ORDER,
    HK_KEY_ALTERED,
    HK_KEYS
} hk_trace_key;
/* NULL: the line is such an object; else why not. */
const char *hk_trace_record(hk_arena *arena, const char *line, hk_json_span ret_members[HK_KEYS]);
/* The members that a line need not have must be what they are: why not; NULL: they are. Numbers,
 * mode and the marks of the call are filled in. */
const char *hk_trace_members(const hk_json_span members[HK_KEYS], hk_trace_line *ret_line,
                             hk_sound_call *call);
/* A value into VALUE or MANY of the call; neither: it is null. False: it is none that a call has,
 * such as a number that no double can hold. */
bool hk_trace_value(hk_arena *arena, hk_json_span s, hk_sound_call *call);

/* trace_program.c: lines that hocket has written against the program of the plan. */
typedef struct hk_trace_program hk_trace_program;
hk_trace_program *hk_trace_program_make(const hk_plan *plan);
void hk_trace_program_free(hk_trace_program *program); /* NULL is fine */
/* Why this cannot be a line of the program's trace, or, after all lines, why they cannot be all;
 * NULL: it can. Lives as long as PROGRAM. PORT: CALL is about that variable. */
const char *hk_trace_program_line(hk_trace_program *program, const hk_trace_line *line);
const char *hk_trace_program_port(hk_trace_program *program, const hk_trace_line *line,
                                  uint32_t variable, const hk_sound_call *call);
const char *hk_trace_program_end(hk_trace_program *program);

#endif
