/* SPDX-License-Identifier: MIT
 *
 * A simulation as a person describes it, with every name resolved against a model: what is set,
 * bound, stopped and called at the beginning and at events, what is logged, what is expected. Front
 * ends fill it in (src/lang), the player (src/play) plays it. Times are exact seconds. */
#ifndef HK_MODEL_SCENARIO_H
#define HK_MODEL_SCENARIO_H

#include "model/model.h"

#include <hk/service.h>

/* Something with a value: an element of a variable, or what an output of the outermost system makes
 * of it. */
typedef struct hk_signal {
    uint32_t component, variable, element;
    const hk_shown *shown; /* NULL: the value itself */
} hk_signal;

/* The value of the signal where VALUE is that of the variable. */
static inline double hk_signal_value(const hk_signal *signal, double value) {
    return signal->shown ? hk_transform_value(&signal->shown->transform, value) : value;
}

/* ---- what can be done -------------------------------------------------------------------------
 */

/* What may happen to values on a connection, before they are converted for the consumer; several
 * may be active at once, applied in this order. */
typedef enum hk_fault_kind {
    HK_FAULT_DELAY,      /* what the consumer would have seen DELAY earlier */
    HK_FAULT_STUCK,      /* the value at the beginning of the fault, or VALUE if it has one */
    HK_FAULT_SCALE,      /* times VALUE */
    HK_FAULT_BIAS,       /* plus VALUE */
    HK_FAULT_NOISE,      /* plus a normal random number with the deviation VALUE */
    HK_FAULT_QUANTISE,   /* to the nearest multiple of VALUE, halves away from zero */
    HK_FAULT_DROP,       /* with probability VALUE nothing is sent: what was seen last holds */
    HK_FAULT_DISCONNECT, /* the start value of the input, as if there were no connection */
    /* Not a fault that is written as one, and no repair ends it: VALUE, whatever else happens. It
     * is what the input gets, in the unit of the input. */
    HK_FAULT_OVERRIDE,
    HK_FAULT_KINDS
} hk_fault_kind;
const char *hk_fault_name(hk_fault_kind kind); /* "stuck" */

typedef struct hk_fault {
    hk_fault_kind kind;
    bool has_value;    /* STUCK may have none */
    double value;      /* in the unit of the output, but for OVERRIDE */
    hk_ratio delay;    /* DELAY */
    hk_slice elements; /* of those that the connection joins, from 0; count 0: all */
} hk_fault;

typedef enum hk_action_kind {
    HK_ACTION_SET,
    HK_ACTION_BIND,
    HK_ACTION_START,
    HK_ACTION_STOP,
    HK_ACTION_CALL,
    HK_ACTION_RAMP,
    HK_ACTION_FAULT,
    HK_ACTION_REPAIR,   /* ends all faults of its connections */
    HK_ACTION_OVERRIDE, /* a variable that nothing drives has VALUE until it is released */
    HK_ACTION_RELEASE,  /* ends the override of its connections or, if it has none, the variable */
    HK_ACTION_FINISH
} hk_action_kind;

typedef struct hk_action {
    hk_action_kind kind;
    /* SET, RAMP, OVERRIDE, RELEASE: the variable; BIND: component and service that require; CALL:
     * component and service that provide; START, STOP: components. */
    uint32_t component;
    uint32_t variable;
    uint32_t service;
    uint32_t provider, provider_service; /* BIND */
    const uint32_t *components;          /* START, STOP: leaves, in model order */
    size_t component_count;
    hk_value value;    /* SET, OVERRIDE: in the variable's own type and unit; RAMP: the target */
    hk_ratio over;     /* RAMP: how long it takes; linear, whole at its end */
    uint32_t function; /* CALL: index in the interface */
    const void *const *arguments; /* CALL: one value per argument, in its C type */
    hk_fault fault;
    const uint32_t *connections; /* FAULT, REPAIR, RELEASE */
    size_t connection_count;
    bool more;         /* belongs to the statement of the action before it */
    const char *text;  /* FINISH: the reason */
    const char *words; /* as a person would write it, for the event trace */
    hk_where where;
} hk_action;

typedef struct hk_actions {
    hk_action *all;
    size_t count;
} hk_actions;

/* ---- conditions -------------------------------------------------------------------------------
 */

typedef enum hk_test_kind { HK_TEST_COMPARE, HK_TEST_AND, HK_TEST_OR, HK_TEST_NOT } hk_test_kind;
typedef enum hk_relation {
    HK_LESS,
    HK_LESS_EQUAL,
    HK_GREATER,
    HK_GREATER_EQUAL,
    HK_EQUAL,
    HK_NOT_EQUAL
} hk_relation;

/* One side of a comparison: a signal or a number, in the unit of the signal on the left, or on the
 * right if there is none. */
typedef struct hk_term {
    bool is_signal, absolute;
    hk_signal signal;
    bool converted; /* of a signal: factor * value + offset counts */
    double factor, offset;
    double number;
} hk_term;

typedef struct hk_test hk_test;
struct hk_test {
    hk_test_kind kind;
    hk_term left, right;
    hk_relation relation;
    double tolerance; /* of EQUAL and NOT_EQUAL */
    const hk_test *a, *b;
    const char *words; /* as written */
};

/* ---- the simulation ---------------------------------------------------------------------------
 */

typedef enum hk_event_kind { HK_AT, HK_WHEN, HK_DURING, HK_EVERY } hk_event_kind;

typedef struct hk_event {
    hk_event_kind kind;
    hk_ratio from, to; /* AT: from; DURING: [from, to); EVERY: from, and to is the period */
    const hk_test *condition;
    const hk_test *until; /* WHEN: armed again once this holds; NULL: once the condition does not */
    bool once;
    hk_actions actions;
    hk_where where;
} hk_event;

typedef enum hk_expectation_kind {
    HK_ALWAYS,     /* at every instant in [from, to] */
    HK_EVENTUALLY, /* at some instant in [from, to] */
    HK_AT_TIME,    /* at the first instant at or after from */
    HK_AFTER,      /* each time the trigger becomes true: within `to` after that */
    HK_MEASURED    /* something measured over [from, to] lies within limits */
} hk_expectation_kind;

/* What can be measured of a signal. The first four are about its response x, what it has moved away
 * from its base, in the direction of its target; xf is the last one. */
typedef enum hk_metric {
    HK_METRIC_SETTLING,  /* s: until the last sample with |x - xf| > band |xf| */
    HK_METRIC_RISE,      /* s: from the last sample below 0.1 xf to the last one below 0.9 xf */
    HK_METRIC_OVERSHOOT, /* %: the largest x - xf, of |xf| */
    HK_METRIC_ERROR,     /* %: |target - xf|, of the target, seen from the base */
    HK_METRIC_FINAL,     /* the rest in the unit of the signal */
    HK_METRIC_MAXIMUM,
    HK_METRIC_MINIMUM,
    HK_METRIC_MEAN,
    HK_METRICS
} hk_metric;
extern const char *const hk_metric_words[HK_METRICS]; /* "settling" */

/* A requirement: a name, what is measured, and its limits. NaN: not given. */
typedef struct hk_measure {
    const char *name;
    hk_metric metric;
    hk_signal signal;
    double base;   /* where the response begins; NaN: at the first sample */
    double target; /* where it should go */
    double band;   /* of settling: a share of xf */
    double min, max;
    double reference; /* what somebody else has found, to be shown beside */
    const char *unit; /* of what is measured; NULL: none */
} hk_measure;

typedef struct hk_expectation {
    hk_expectation_kind kind;
    const hk_test *condition, *trigger;
    bool has_from, has_to;
    hk_ratio from, to;
    const hk_measure *measure; /* MEASURED, which has no condition */
    const char *message;       /* NULL: none */
    const char *words;
    hk_where where;
} hk_expectation;

typedef struct hk_scenario_log {
    const char *file;
    hk_ratio period;
    const hk_signal *signals;
    const char *const *names; /* of the columns */
    size_t count;
    hk_where where;
} hk_scenario_log;

enum { HK_REPETITIONS_MAX = 1000000 };

typedef struct hk_scenario {
    const char *name;
    int64_t repetitions; /* 1 to HK_REPETITIONS_MAX */
    hk_actions begin, end;
    hk_event *events; /* AT events by time, equal ones in the order of the text */
    size_t event_count;
    hk_expectation *expectations;
    size_t expectation_count;
    hk_scenario_log *logs;
    size_t log_count;
    hk_where where;
} hk_scenario;

typedef struct hk_simulation {
    hk_arena *arena; /* holds all that it points to */
    const char *name, *file;
    const char *time_unit; /* of times in the file, for messages: "ms"; NULL: seconds */
    hk_model *model;       /* its experiment is filled in: start, stop, step */
    uint64_t seed;
    hk_actions begin, end; /* begin: before each run; end: once, after all */
    hk_scenario *scenarios;
    size_t scenario_count;
} hk_simulation;

/* What beside its work makes a component count as used. */
typedef enum hk_used_rule {
    HK_USED_TOUCHED,   /* it is started or stopped anywhere */
    HK_USED_OR_STOPPED /* it is stopped by the first 'begin', or by those of all scenarios */
} hk_used_rule;
/* Per component, false before: somebody uses what it does, it does nothing for others, or RULE
 * excuses it. False: nothing is logged, expected or stopped, so all outputs are for the one who
 * runs it. */
bool hk_simulation_used(const hk_simulation *simulation, hk_used_rule rule, bool *ret_used);
/* Per component, true before for those whose work is looked at anyway: what it does reaches
 * something that the simulation looks at, by components that run; or it never runs itself. False:
 * the simulation looks at nothing, so all outputs are for the one who runs it. */
bool hk_simulation_reached(const hk_simulation *simulation, bool *ret_reached);

void hk_simulation_destroy(hk_simulation *simulation); /* and its model; NULL is fine */

#endif
