/* SPDX-License-Identifier: MIT
 *
 * Plans and traces, asked for by a program. */
#include "api/answer_internal.h"

#include "report/plan_view.h"
#include "report/trace_report.h"

#include <math.h>

static double seconds(const hk_view *view, hk_tick tick) {
    return hk_tick_seconds(tick, view->plan->ticks_per_second);
}

/* --- what a program reads of a plan ---------------------------------------------------------- */

static void keep_components(const hk_asking *a, const hk_view *view, hk_answer_plan *p) {
    size_t count = view->model->component_count;
    p->components = HK_NEW_ARRAY(a->report.arena, hk_plan_component_info, count);
    p->info.component_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const hk_plan_component *c = &view->plan->components[i];
        bool costed = view->costs && view->costed[i];
        p->components[i] =
            (hk_plan_component_info){.name = hk_asking_keep(a, view->model->components[i].name),
                                     .processor = hk_asking_keep(a, hk_view_processor(view, i)),
                                     .phase = c->level + 1,
                                     .period_s = seconds(view, c->period),
                                     .offset_s = seconds(view, c->offset),
                                     .cost_s = costed ? view->cost_s[i] : (double)NAN};
    }
}

static void keep_connections(const hk_asking *a, const hk_view *view, hk_answer_plan *p) {
    size_t count = hk_hop_count(view->plan);
    p->connections = HK_NEW_ARRAY(a->report.arena, hk_plan_connection_info, count);
    p->info.connection_count = count;
    for (uint32_t i = 0; i < count; i++) {
        hk_hop hop = hk_plan_hop(view->plan, i);
        hk_ages ages = hk_age_hop(view->plan, i);
        bool service = hk_hop_dependency(view->plan, i) != NULL;
        const char *from = hk_view_processor(view, hop.from), *to = hk_view_processor(view, hop.to);
        p->connections[i] = (hk_plan_connection_info){
            .from = hk_asking_keep(a, hk_view_source(view, i)),
            .to = hk_asking_keep(a, hk_view_sink(view, i)),
            .lag = hk_view_lag_word(view, i),
            .service = service,
            .crossing = from && to && from != to,
            .lag_s = seconds(view, hop.lag),
            .delay_s = service ? 0 : hk_ratio_to_double(view->model->connections[i].delay),
            .age_min_s = ages.any ? seconds(view, ages.min) : (double)NAN,
            .age_max_s = ages.any ? seconds(view, ages.max) : (double)NAN,
            .initial_until_s = ages.has_initial ? seconds(view, ages.initial_until) : (double)NAN,
            .cycle_cut = hk_asking_keep(a, hk_view_cut_reason(view, i))};
    }
}

static void keep_constraints(const hk_asking *a, const hk_view *view, hk_answer_plan *p) {
    size_t count = view->model->constraint_count;
    p->constraints = HK_NEW_ARRAY(a->report.arena, hk_plan_constraint_info, count);
    p->info.constraint_count = count;
    for (size_t i = 0; i < count; i++) {
        const hk_constraint *c = &view->model->constraints[i];
        hk_violation v;
        hk_ages all = {0};
        for (size_t k = 0; k < c->path_count; k++) {
            hk_ages one = hk_view_constraint_ages(view, c, k);
            if (!one.any)
                continue;
            all.min = all.any && all.min < one.min ? all.min : one.min;
            all.max = all.any && all.max > one.max ? all.max : one.max;
            all.any = true;
        }
        p->constraints[i] =
            (hk_plan_constraint_info){.kind = hk_view_constraint_kind(c),
                                      .text = hk_asking_keep(a, hk_view_constraint(view, c)),
                                      .holds = hk_constraint_holds(view->plan, c, &v),
                                      .age_min_s = all.any ? seconds(view, all.min) : (double)NAN,
                                      .age_max_s = all.any ? seconds(view, all.max) : (double)NAN};
    }
}

/* NaN: some cost is not known. */
static double load_of(const hk_view *view, const hk_gantt_row *row) {
    for (size_t i = 0; i < row->count; i++)
        if (!view->costs || !view->costed[row->components[i]])
            return (double)NAN;
    return hk_view_load(view, row);
}

static void keep_processors(const hk_asking *a, const hk_view *view, hk_answer_plan *p) {
    size_t count = view->gantt.row_count;
    hk_arena *arena = a->report.arena;
    p->processors = HK_NEW_ARRAY(arena, hk_plan_processor_info, count);
    p->info.processor_count = count;
    for (size_t i = 0; i < count; i++) {
        const hk_gantt_row *row = &view->gantt.rows[i];
        const char **names = HK_NEW_ARRAY(arena, const char *, row->count + 1);
        for (size_t k = 0; k < row->count; k++)
            names[k] = hk_asking_keep(a, view->model->components[row->components[k]].name);
        p->processors[i] =
            (hk_plan_processor_info){.name = row->declared ? hk_asking_keep(a, row->name) : NULL,
                                     .step_s = seconds(view, row->step),
                                     .load = load_of(view, row),
                                     .components = names,
                                     .component_count = row->count};
    }
}

static const hk_answer_plan *keep_plan(const hk_asking *a, const hk_view *view) {
    hk_answer_plan *p = HK_NEW(a->report.arena, hk_answer_plan);
    const hk_allocation *allocation = view->allocation;
    bool repeats = view->gantt.hyperperiod != HK_TICK_NEVER;
    p->info = (hk_plan_info){
        .algorithm = hk_algorithm_words[view->made.settings.algorithm],
        .cut = view->model->cut == HK_CUT_HLA ? "hla" : "keep",
        .ticks_per_second = view->plan->ticks_per_second,
        .start_s = seconds(view, view->plan->start),
        .stop_s = seconds(view, view->plan->stop),
        .hyperperiod_s = repeats ? seconds(view, view->gantt.hyperperiod) : (double)NAN,
        .schedule =
            allocation ? hk_allocation_text(a->report.arena, view->model, allocation) : NULL,
        .optimal = allocation && allocation->optimal,
        .largest_load = allocation ? allocation->makespan : (double)NAN};
    keep_components(a, view, p);
    keep_connections(a, view, p);
    keep_constraints(a, view, p);
    keep_processors(a, view, p);
    return p;
}

/* --- asking ---------------------------------------------------------------------------------- */

static hk_status read_wishes(hk_asking *a, const hk_ask_plan_options *options,
                             hk_view_wishes *ret_wishes) {
    HK_TAKE_OPTIONS(a->report.ctx, hk_ask_plan_options, options, o);
    *ret_wishes = (hk_view_wishes){.measure = o.measure,
                                   .processors = o.allocate,
                                   .cut = o.cut,
                                   .output = o.output,
                                   .gantt = o.gantt,
                                   .program = o.program};
    HK_TRY(hk_texts_read(a->report.ctx, "cost", o.cost, o.cost_count, &ret_wishes->costs));
    HK_TRY(hk_texts_read(a->report.ctx, "output_variable", o.output_variable,
                         o.output_variable_count, &ret_wishes->shows));
    HK_TRY(hk_asking_word(a, "cut", o.cut, "keep hla"));
    if (o.allocate > HK_PROCESSORS_MAX)
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, NULL,
                        "%u processors are more than %d", o.allocate, HK_PROCESSORS_MAX);
    return hk_view_check(a->report.ctx, ret_wishes);
}

static hk_status make(hk_asking *a, hk_view *view, const hk_view_wishes *wishes) {
    hk_json json;
    HK_TRY(hk_view_make(view, wishes));
    hk_status status = hk_view_judge(view);
    hk_report_begin(&a->report, &json, "plan");
    hk_view_put(view, status, &json);
    hk_json_end(&json);
    a->answer->plan = keep_plan(a, view);
    return status;
}

static hk_status open_view(hk_asking *a, const char *path, const hk_file_options *file,
                           hk_view *ret_view) {
    hk_request common, request;
    *ret_view = (hk_view){0};
    HK_TRY(hk_file_options_read(a->report.ctx, file, &common));
    HK_TRY(hk_request_for(a->report.ctx, &common, path, &request));
    return hk_view_open(ret_view, &a->report, &request);
}

/* Of a system that belongs to the program: it is looked at as its next session would run it. */
static hk_status take_view(hk_asking *a, hk_system *system, hk_view *ret_view) {
    HK_TRY(hk_system_ready(system));
    return hk_view_take(ret_view, &a->report, &system->request, system->model, system->simulation);
}

/* PATH NULL: of the system, which keeps its schedule and its costs. */
static hk_status plan(hk_asking *a, const char *path, const hk_file_options *file,
                      hk_system *system, const hk_ask_plan_options *options) {
    hk_view view = {0};
    hk_view_wishes wishes = {0};
    HK_TRY(read_wishes(a, options, &wishes));
    if (!path && (wishes.processors || wishes.costs.count))
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, "ask hk_ask_plan about its file",
                        "allocate and cost would change the system");
    hk_status status = path ? open_view(a, path, file, &view) : take_view(a, system, &view);
    if (status == HK_OK)
        status = make(a, &view, &wishes);
    hk_view_close(&view);
    return status;
}

hk_status hk_ask_plan(hk_context *context, const char *path, const hk_file_options *file,
                      const hk_ask_plan_options *options, hk_answer **ret_answer) {
    hk_asking a;
    if (!context || !path || !ret_answer)
        return hk_is_null(context, path ? "ret_answer" : "path");
    hk_asking_begin(context, &a);
    return hk_asking_end(&a, plan(&a, path, file, NULL, options), ret_answer);
}

hk_status hk_ask_plan_of(hk_system *system, const hk_ask_plan_options *options,
                         hk_answer **ret_answer) {
    hk_asking a;
    if (!system || !ret_answer)
        return hk_is_null(system ? system->context : NULL, "ret_answer");
    hk_asking_begin(system->context, &a);
    return hk_asking_end(&a, plan(&a, NULL, NULL, system, options), ret_answer);
}

static hk_status read_trace(hk_asking *a, const hk_ask_trace_options *options,
                            hk_trace_wishes *ret_wishes) {
    hk_ask_trace_options o = {0};
    if (!options || !hk_options_take(&o, sizeof o, options))
        return hk_wrong_size(a->report.ctx, "hk_ask_trace_options");
    if (!o.signal || !o.at)
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%s is NULL",
                        o.signal ? "at" : "signal");
    if (o.depth > HK_TRACE_DEPTH_MAX)
        return hk_error(a->report.ctx, HK_E_USAGE, HK_NOWHERE, NULL, "a depth of %d is above %d",
                        o.depth, HK_TRACE_DEPTH_MAX);
    uint64_t depth = o.depth > 0 ? (uint64_t)o.depth : 0;
    *ret_wishes = (hk_trace_wishes){
        .signal = o.signal, .at = o.at, .depth = o.depth ? depth : HK_TRACE_DEPTH};
    return HK_OK;
}

/* PATH NULL: of the system. */
static hk_status trace(hk_asking *a, const char *path, const hk_file_options *file,
                       hk_system *system, const hk_ask_trace_options *options) {
    hk_view view = {0};
    hk_trace_wishes wishes;
    HK_TRY(read_trace(a, options, &wishes));
    hk_status status = path ? open_view(a, path, file, &view) : take_view(a, system, &view);
    if (status == HK_OK)
        status = hk_view_plan(&view);
    if (status == HK_OK)
        status = hk_trace_make(&a->report, &view, &wishes, NULL);
    hk_view_close(&view);
    return status;
}

hk_status hk_ask_trace(hk_context *context, const char *path, const hk_file_options *file,
                       const hk_ask_trace_options *options, hk_answer **ret_answer) {
    hk_asking a;
    if (!context || !path || !ret_answer)
        return hk_is_null(context, path ? "ret_answer" : "path");
    hk_asking_begin(context, &a);
    return hk_asking_end(&a, trace(&a, path, file, NULL, options), ret_answer);
}

hk_status hk_ask_trace_of(hk_system *system, const hk_ask_trace_options *options,
                          hk_answer **ret_answer) {
    hk_asking a;
    if (!system || !ret_answer)
        return hk_is_null(system ? system->context : NULL, "ret_answer");
    hk_asking_begin(system->context, &a);
    return hk_asking_end(&a, trace(&a, NULL, NULL, system, options), ret_answer);
}

/* --- reading --------------------------------------------------------------------------------- */

hk_status hk_plan_get(const hk_answer *answer, hk_plan_info *ret_info) {
    if (!answer || !answer->plan || !ret_info)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->plan->info);
}

hk_status hk_plan_get_component(const hk_answer *answer, size_t index,
                                hk_plan_component_info *ret_info) {
    if (!answer || !answer->plan || !ret_info || index >= answer->plan->info.component_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->plan->components[index]);
}

hk_status hk_plan_get_connection(const hk_answer *answer, size_t index,
                                 hk_plan_connection_info *ret_info) {
    if (!answer || !answer->plan || !ret_info || index >= answer->plan->info.connection_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->plan->connections[index]);
}

hk_status hk_plan_get_constraint(const hk_answer *answer, size_t index,
                                 hk_plan_constraint_info *ret_info) {
    if (!answer || !answer->plan || !ret_info || index >= answer->plan->info.constraint_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->plan->constraints[index]);
}

hk_status hk_plan_get_processor(const hk_answer *answer, size_t index,
                                hk_plan_processor_info *ret_info) {
    if (!answer || !answer->plan || !ret_info || index >= answer->plan->info.processor_count)
        return HK_E_USAGE;
    return HK_GIVE(ret_info, &answer->plan->processors[index]);
}
