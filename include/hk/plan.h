/* SPDX-License-Identifier: MIT
 *
 * Plans: what a run of a system or simulation will do, before it does it: order, lags, how old what
 * each component sees is, constraints, processors; and where a value comes from. hk/answer.h says
 * what holds for every answer.
 *
 * Times are in seconds; ticks_per_second makes them exact again. NaN: there is none. */
#ifndef HK_PLAN_H
#define HK_PLAN_H

#include <hk/answer.h>
#include <hk/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_ask_plan_options {
    size_t size;
    unsigned allocate;       /* search an allocation to at most so many processors; 0: none */
    const char *cut;         /* of the allocation: "keep" or "hla"; NULL: as the schedule says */
    const char *output;      /* write its schedule to this file; NULL: nowhere */
    const char *const *cost; /* "wheel=30us": what an activation takes */
    size_t cost_count;
    bool measure;                       /* measure that in a short run, for allocation and chart */
    const char *gantt;                  /* draw a chart to this .svg, .png or .pdf */
    bool program;                       /* the calls of a run are part of the JSON */
    const char *const *output_variable; /* with program: patterns of what is recorded */
    size_t output_variable_count;
} hk_ask_plan_options;

/* What `hocket plan` answers. A constraint that is broken, or an overrun that stops the run, is the
 * status of the answer. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_plan(hk_context *context, const char *path,
                                             const hk_file_options *file,
                                             const hk_ask_plan_options *options,
                                             hk_answer **ret_answer);

/* The same of a system that the program has opened or built, as its next session would run it; it
 * completes the system. allocate, cut, output and cost would change it and are refused. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_plan_of(hk_system *system,
                                                const hk_ask_plan_options *options,
                                                hk_answer **ret_answer);

/* Set size before each of these is filled. */
typedef struct hk_plan_info {
    size_t size;
    const char *algorithm; /* "jacobi" or "gauss-seidel" */
    const char *cut;       /* "keep" or "hla" */
    int64_t ticks_per_second;
    double start_s, stop_s;
    double hyperperiod_s; /* after which all repeats; NaN: not within a run */
    size_t component_count, connection_count, constraint_count, processor_count;
    /* Of an allocation; schedule NULL: none was asked for. */
    const char *schedule; /* in the language of schedule files */
    bool optimal;         /* none is better; else it is the best one found */
    double largest_load;
} hk_plan_info;

typedef struct hk_plan_component_info {
    size_t size;
    const char *name;
    const char *processor; /* NULL: on none */
    unsigned phase;        /* within an instant, from 1 */
    double period_s, offset_s;
    double cost_s; /* of an activation, declared or measured */
} hk_plan_component_info;

/* A connection, or a service: from the one who provides to the one who calls. */
typedef struct hk_plan_connection_info {
    size_t size;
    const char *from, *to;
    const char *lag; /* "previous", "observe", "current" */
    bool service;
    bool crossing;               /* between two processors */
    double lag_s, delay_s;       /* the delay is part of the lag */
    double age_min_s, age_max_s; /* of what is seen; NaN: initial values only */
    double initial_until_s; /* the last activation that sees an initial value; NaN: none does */
    const char *cycle_cut;  /* why a cycle was cut here; NULL: it was not */
} hk_plan_connection_info;

typedef struct hk_plan_constraint_info {
    size_t size;
    const char *kind; /* "latency", "coincidence", "freshness" */
    const char *text; /* in the words of a schedule */
    bool holds;
    double age_min_s, age_max_s; /* of all its paths together */
} hk_plan_constraint_info;

typedef struct hk_plan_processor_info {
    size_t size;
    const char *name; /* NULL: the components that are on no processor */
    double step_s;
    double
        load; /* share of its time that it is busy, where all costs are known; NaN: they are not */
    const char *const *components; /* in the order of execution */
    size_t component_count;
} hk_plan_processor_info;

/* HK_E_USAGE: the answer is not a plan, or there is no such one in it. */
HK_EXPORT HK_NODISCARD hk_status hk_plan_get(const hk_answer *answer, hk_plan_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_plan_get_component(const hk_answer *answer, size_t index,
                                                       hk_plan_component_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_plan_get_connection(const hk_answer *answer, size_t index,
                                                        hk_plan_connection_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_plan_get_constraint(const hk_answer *answer, size_t index,
                                                        hk_plan_constraint_info *ret_info);
HK_EXPORT HK_NODISCARD hk_status hk_plan_get_processor(const hk_answer *answer, size_t index,
                                                       hk_plan_processor_info *ret_info);

/* Signal and time must be given. */
typedef struct hk_ask_trace_options {
    size_t size;
    const char *signal; /* "wheel.f" */
    const char *at;     /* a time, as text: "1.5", "20ms" */
    int depth;          /* how many connections are followed, up to 32; 0: three; below 0: none */
} hk_ask_trace_options;

/* What `hocket trace` answers: where the value of a signal comes from that a record shows at a
 * time. Nothing is run. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_trace(hk_context *context, const char *path,
                                              const hk_file_options *file,
                                              const hk_ask_trace_options *options,
                                              hk_answer **ret_answer);

/* The same of a system that the program has opened or built; it completes the system. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_trace_of(hk_system *system,
                                                 const hk_ask_trace_options *options,
                                                 hk_answer **ret_answer);

#ifdef __cplusplus
}
#endif
#endif
