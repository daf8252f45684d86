/* SPDX-License-Identifier: MIT
 *
 * A model with its plan, and words for what is in it: for answers about plans, traces and proofs.
 */
#ifndef HK_REPORT_PLAN_VIEW_H
#define HK_REPORT_PLAN_VIEW_H

#include "draw/gantt.h"
#include "plan/allocate.h"
#include "plan/constraints.h"
#include "plan/overrun.h"
#include "plan/pace.h"
#include "plan/program.h"
#include "report/report.h"

/* Where the costs of activations come from that a speed-up is told with. */
typedef enum hk_cost_source {
    HK_COSTS_GIVEN,
    HK_COSTS_MEASURED,
    HK_COSTS_PARTLY,
    HK_COSTS_EQUAL
} hk_cost_source;

/* A run on nodes, before it begins: report/plan_nodes.c. */
typedef struct hk_view_nodes {
    uint32_t count;       /* of nodes; the recorder is one more, and the last */
    uint32_t group_count; /* of components that stay together */
    const char *scenario; /* whose conditions, expectations and logs count; NULL: a system alone */
    hk_plan_flows *flows;
    int64_t *most;        /* per flow: more never wait; 0: the sender may have to */
    hk_flow_messages sum; /* of all flows */
    double per_second;    /* messages, of simulated time */
    hk_cost_source costs;
    double *cost_s; /* per component */
    hk_pace pace;
    hk_pace apart; /* the same with a node for all that can be placed apart */
} hk_view_nodes;

/* Closed by hk_view_close in any case. It does not move: the assembly points to its request. */
typedef struct hk_view {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    hk_request request;
    hk_assembly made;
    hk_model *model; /* those of the assembly */
    hk_plan *plan;
    /* The plan with `cut keep`, to see what `cut hla` changes; NULL: it changes nothing. */
    hk_plan *waiting;
    const char **cost_texts; /* by component: as somebody declares it; NULL: nobody does */
    hk_ratio *costs;         /* seconds per activation, by component; NULL: not known */
    bool *costed;   /* it was declared or measured; else it is taken as 1 us by an allocation */
    double *cost_s; /* the same as numbers; 0: it was not */
    hk_allocation *allocation;
    const char *gantt_file, *schedule_file; /* written; NULL: none */
    hk_gantt gantt;
    hk_program **programs; /* of each order; NULL: not asked for */
    hk_view_nodes *nodes;  /* NULL: not asked for */
} hk_view;

/* Loads and checks the model with all that is asked for. */
HK_NODISCARD hk_status hk_view_open(hk_view *view, const hk_report *report,
                                    const hk_request *request);
/* A model that a program owns, checked and with its experiment, in place of a file; it is not
 * changed but for its experiment, which is completed. SIMULATION NULL: it has none. */
HK_NODISCARD hk_status hk_view_take(hk_view *view, const hk_report *report,
                                    const hk_request *request, hk_model *model,
                                    hk_simulation *simulation);
/* Plans it, again if its schedule has changed. */
HK_NODISCARD hk_status hk_view_plan(hk_view *view);
void hk_view_close(hk_view *view);

/* What is asked of a plan; zero in every field: nothing but the plan. */
typedef struct hk_view_wishes {
    hk_texts costs;       /* "name=time" of components */
    bool measure;         /* what activations take, in a short run */
    uint32_t processors;  /* an allocation to so many is searched; 0: none */
    const char *cut;      /* of the allocation: "keep" or "hla"; NULL: as the schedule says */
    const char *output;   /* where the schedule of the allocation is written; NULL: nowhere */
    const char *gantt;    /* where the chart is drawn, .svg, .png or .pdf; NULL: nowhere */
    bool program;         /* the calls of a run */
    hk_texts shows;       /* patterns of what is recorded, for the program and the nodes */
    unsigned nodes;       /* a run on so many is looked at; 0: none */
    const char *scenario; /* of it; NULL: the first */
} hk_view_wishes;

enum { HK_PROCESSORS_MAX = 1024 }; /* of an allocation */

/* Do the wishes contradict each other? */
HK_NODISCARD hk_status hk_view_check(hk_ctx *ctx, const hk_view_wishes *wishes);
/* Does all that is asked for, with a view that was opened. */
HK_NODISCARD hk_status hk_view_make(hk_view *view, const hk_view_wishes *wishes);
/* The verdict on a plan that was made: its load, constraints, overruns. */
HK_NODISCARD hk_status hk_view_judge(const hk_view *view);
/* report/plan_json.c: the members of the answer. STATUS: the verdict. */
void hk_view_put(const hk_view *view, hk_status status, hk_json *json);

/* Words; all live in the arena of the view. */
const char *hk_view_time(const hk_view *view, hk_tick tick);            /* "20 ms", "0" */
const char *hk_view_duration(const hk_view *view, hk_ratio duration);   /* the same of seconds */
const char *hk_view_ages(const hk_view *view, hk_ages ages);            /* "5 ms", "0 .. 15 ms" */
const char *hk_view_lag_word(const hk_view *view, uint32_t hop);        /* "previous" */
const char *hk_view_processor(const hk_view *view, uint32_t component); /* "LP1", NULL: none */
/* Why a cycle was cut at this hop, given by its index; NULL: it was not. */
const char *hk_view_cut_reason(const hk_view *view, uint32_t index);
/* The lag before `cut hla` changed it; false: it did not. */
bool hk_view_lag_before(const hk_view *view, uint32_t hop, hk_tick *ret_lag);
/* What else there is to say about a hop, given by its index; NULL: nothing. */
const char *hk_view_remark(const hk_view *view, uint32_t index);
/* "m -> km, x 0.001": what T does to a value in FROM that is told in TO; NULL: nothing. */
const char *hk_view_change(const hk_view *view, const char *from, const char *to,
                           const hk_transform *t);
/* The same of a connection. */
const char *hk_view_transform(const hk_view *view, const hk_connection *k);
const char *hk_view_constraint(const hk_view *view, const hk_constraint *constraint);
/* Ages of what a constraint is about; freshness: of all that the component reads. */
hk_ages hk_view_constraint_ages(const hk_view *view, const hk_constraint *constraint, size_t path);
const char *hk_view_constraint_kind(const hk_constraint *constraint); /* "latency" */
const char *hk_view_policy(const hk_view *view, uint32_t component);  /* "late", "skip", "stop" */
/* Where a hop begins or ends: "a.y"; of a service, from the one who provides to the one who calls.
 */
const char *hk_view_source(const hk_view *view, uint32_t hop);
const char *hk_view_sink(const hk_view *view, uint32_t hop);
/* Seconds of computation per second of simulated time, of the components whose cost is known. */
double hk_view_load(const hk_view *view, const hk_gantt_row *row);

/* report/plan_costs.c. The costs that are declared are those of the model from here on, as if its
 * files said so; before it is planned. */
HK_NODISCARD hk_status hk_view_declare_costs(hk_view *view, hk_texts costs);
HK_NODISCARD hk_status hk_view_find_costs(hk_view *view, bool measured);
/* report/plan_schedule.c: the allocation as a schedule, with the costs that were declared and what
 * else the schedule OLD says; NULL: there is none. */
void hk_schedule_rewrite(FILE *out, const hk_view *view, const char *old);
/* report/plan_program.c. Makes the programs of all orders; what PATTERNS name is looked at by
 * rows. */
HK_NODISCARD hk_status hk_view_program(hk_view *view, hk_texts patterns);
const char *hk_view_program_text(const hk_view *view, size_t order);
void hk_view_put_program(const hk_view *view, hk_json *json); /* nothing if none were made */

/* report/plan_nodes.c. */
HK_NODISCARD hk_status hk_view_find_nodes(hk_view *view, const hk_view_wishes *wishes);
const char *hk_view_node(const hk_view *view, uint32_t node); /* "node 1", "recorder" */
/* Messages of a flow per second of simulated time. */
double hk_view_flow_rate(const hk_view *view, const hk_plan_flow *flow);
/* FROM has values for TO: it may be waited for. TO may have to make room: the same. */
bool hk_view_waits_for_values(const hk_view *view, uint32_t node, uint32_t from);
bool hk_view_waits_for_room(const hk_view *view, uint32_t node, uint32_t to);
extern const char *const hk_cost_source_words[]; /* "given" */
/* report/plan_nodes_json.c: nothing if nobody has asked. */
void hk_view_put_nodes(const hk_view *view, hk_json *json);

#endif
