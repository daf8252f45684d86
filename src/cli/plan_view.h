/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket plan` and `hocket trace`: a model with its plan, and words for what stands in it.
 */
#ifndef HK_CLI_PLAN_VIEW_H
#define HK_CLI_PLAN_VIEW_H

#include "cli/request.h"
#include "plan/allocate.h"
#include "plan/constraints.h"
#include "plan/overrun.h"
#include "plan/program.h"
#include "draw/gantt.h"

/* Zero-initialised; closed by hk_view_close in any case. */
typedef struct hk_view {
    hk_cli *cli;
    const hk_args *args;
    const char *file;
    hk_request request;
    hk_assembly made;
    hk_model *model; /* those of the assembly */
    hk_plan *plan;
    /* The plan with `cut keep`, to see what `cut hla` changes; NULL: it changes nothing. */
    hk_plan *waiting;
    const char **cost_texts; /* by component: as --cost says it; NULL: it does not */
    hk_ratio *costs;         /* seconds per activation, by component; NULL: not known */
    bool *costed;   /* it was declared or measured; else it is taken as 1 us by --allocate */
    double *cost_s; /* the same as numbers; 0: it was not */
    hk_allocation *allocation;
    const char *gantt_file, *schedule_file; /* written; NULL: none */
    hk_gantt gantt;
    hk_program **programs; /* of each order; NULL: not asked for */
} hk_view;

/* Loads and checks the model with the schedule and times of the options. */
HK_NODISCARD hk_status hk_view_open(hk_view *view, hk_cli *cli, const hk_args *args);
/* Plans it, again if its schedule has changed. */
HK_NODISCARD hk_status hk_view_plan(hk_view *view);
void hk_view_close(hk_view *view);
/* The options that hk_view_open reads; for tables of verbs. */
#define HK_VIEW_OPTIONS                                                                            \
    HK_BUILD_OPTION("System"),                                                                     \
        {.name = "schedule",                                                                       \
         .argument = "FILE",                                                                       \
         .files = "",                                                                              \
         .group = "System",                                                                        \
         .help = "processors, lags and constraints from a schedule file"},                         \
        {.name = "system",                                                                         \
         .argument = "FILE",                                                                       \
         .files = "system ssp ssd xml fmu",                                                        \
         .group = "System",                                                                        \
         .help = "of a simulation: instead of the one beside the file"},                           \
        {.name = "define",                                                                         \
         .letter = 'D',                                                                            \
         .argument = "NAME=VALUE",                                                                 \
         .repeatable = true,                                                                       \
         .group = "System",                                                                        \
         .help = "give a parameter of a simulation another value; may be repeated"},               \
        {.name = "set",                                                                            \
         .argument = "NAME=VALUE",                                                                 \
         .repeatable = true,                                                                       \
         .group = "System",                                                                        \
         .help = "start value of a parameter or input; may be repeated"},                          \
        {.name = "parameter-set",                                                                  \
         .argument = "NAME",                                                                       \
         .group = "System",                                                                        \
         .help = "of an SSP: apply only the parameter sets that it binds under this name"},        \
        {.name = "set-file",                                                                       \
         .argument = "FILE",                                                                       \
         .repeatable = true,                                                                       \
         .files = "ssv csv json",                                                                  \
         .group = "System",                                                                        \
         .help = "start values from a file (.ssv, .csv or .json); --set counts before it; may be " \
                 "repeated"},                                                                      \
        {.name = "master",                                                                         \
         .argument = "FILE.master",                                                                \
         .files = "master",                                                                        \
         .group = "System",                                                                        \
         .help = "lags and order of an orchestration algorithm in words, which is proved first"},  \
        {.name = "start-time",                                                                     \
         .argument = "TIME",                                                                       \
         .aliases = "startTime",                                                                   \
         .group = "System",                                                                        \
         .help = "first instant (default: of the file, else 0)"},                                  \
        {.name = "stop-time",                                                                      \
         .argument = "TIME",                                                                       \
         .aliases = "stopTime",                                                                    \
         .group = "System",                                                                        \
         .help = "last instant (default: of the file, else one second after the start)"},          \
        {.name = "step-size",                                                                      \
         .argument = "TIME",                                                                       \
         .aliases = "stepSize",                                                                    \
         .group = "System",                                                                        \
         .help = "step of components without a period of their own"},                              \
    {                                                                                              \
        .name = "algorithm", .argument = "NAME", .choices = "jacobi gauss-seidel",                 \
        .group = "System",                                                                         \
        .help = "for connections without a lag: 'jacobi' (default) or 'gauss-seidel' (default of " \
                ".system files)"                                                                   \
    }

/* Words; all live in the arena of the command line. */
const char *hk_view_time(const hk_view *view, hk_tick tick);            /* "20 ms", "0" */
const char *hk_view_duration(const hk_view *view, hk_ratio duration);   /* the same of seconds */
const char *hk_view_ages(const hk_view *view, hk_ages ages);            /* "5 ms", "0 .. 15 ms" */
const char *hk_view_lag_word(const hk_view *view, uint32_t hop);        /* "previous" */
const char *hk_view_processor(const hk_view *view, uint32_t component); /* "LP1", NULL: none */
/* Why a cycle was cut at this hop; NULL: it was not. */
const char *hk_view_cut_reason(const hk_view *view, uint32_t hop);
/* The lag before `cut hla` changed it; false: it did not. */
bool hk_view_lag_before(const hk_view *view, uint32_t hop, hk_tick *ret_lag);
/* What else there is to say about a hop; NULL: nothing. */
const char *hk_view_remark(const hk_view *view, uint32_t hop);
/* What a value undergoes: "m -> mm, x 1000"; NULL: it passes as it is. */
/* "m -> km, x 0.001": what T does to a value in FROM that is told in TO; NULL: nothing. */
const char *hk_view_change(const hk_view *view, const char *from, const char *to,
                           const hk_transform *t);
const char *hk_view_transform(const hk_view *view, const hk_connection *k);
const char *hk_view_constraint(const hk_view *view, const hk_constraint *constraint);
/* Ages of what a constraint is about; freshness: of all that the component reads. */
hk_ages hk_view_constraint_ages(const hk_view *view, const hk_constraint *constraint, size_t path);

const char *hk_view_policy(const hk_view *view, uint32_t component); /* "late", "skip", "stop" */
/* cli/plan_costs.c: --cost and --measure. The costs of --cost are those of the model from here on,
 * as if its files said so; before it is planned. */
HK_NODISCARD hk_status hk_view_declare_costs(hk_view *view);
HK_NODISCARD hk_status hk_view_costs(hk_view *view);
/* cli/plan_schedule.c: the allocation as a schedule, with the costs of --cost and what else stands
 * in the schedule OLD; NULL: there is none. */
void hk_schedule_rewrite(FILE *out, const hk_view *view, const char *old);
/* cli/plan_program.c: --program. Makes it; prints it; puts it into an answer, if there is one. */
HK_NODISCARD hk_status hk_view_program(hk_view *view);
void hk_view_print_program(const hk_view *view);
void hk_view_put_program(const hk_view *view, hk_json *json);
/* cli/plan_text.c, cli/plan_json.c: the answer. */
void hk_view_print(hk_view *view);
void hk_view_answer(hk_view *view, hk_status status);

#endif
