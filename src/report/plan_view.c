/* SPDX-License-Identifier: MIT */
#include "report/plan_view.h"

#include "model/address.h"
#include "plan/variant.h"
#include "report/show.h"

#include <string.h>

hk_status hk_view_open(hk_view *view, const hk_report *report, const hk_request *request) {
    *view = (hk_view){
        .ctx = report->ctx, .arena = report->arena, .file = request->file, .request = *request};
    HK_TRY(hk_assembly_open(view->ctx, &view->request, &view->made));
    view->model = view->made.model;
    return hk_assembly_complete(view->ctx, &view->made);
}

hk_status hk_view_take(hk_view *view, const hk_report *report, const hk_request *request,
                       hk_model *model, hk_simulation *simulation) {
    HK_ASSERT(model && model->lowered);
    *view = (hk_view){.ctx = report->ctx,
                      .arena = report->arena,
                      .file = request->file,
                      .request = *request,
                      .model = model};
    hk_assembly_take(&view->request, model, simulation, &view->made);
    return hk_assembly_settle(view->ctx, &view->made);
}

static void plan_waiting(hk_view *view) {
    hk_plan_options options = {.algorithm = view->made.settings.algorithm};
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_model *variant = hk_variant_copy(view->model, view->arena);
    variant->cut = HK_CUT_KEEP;
    if (hk_plan_make(silent, variant, &options, &view->waiting) != HK_OK)
        view->waiting = NULL;
    hk_ctx_destroy(silent);
}

hk_status hk_view_plan(hk_view *view) {
    hk_plan_destroy(view->waiting);
    view->plan = view->waiting = NULL;
    HK_TRY(hk_assembly_plan(view->ctx, &view->made, true));
    view->plan = view->made.plan;
    if (view->model->processor_count && view->model->cut == HK_CUT_HLA)
        plan_waiting(view);
    return HK_OK;
}

void hk_view_close(hk_view *view) {
    for (size_t i = 0; view->programs && i < view->plan->order_count; i++)
        hk_program_destroy(view->programs[i]);
    if (view->nodes)
        hk_plan_flows_destroy(view->nodes->flows);
    hk_allocation_destroy(view->allocation);
    hk_plan_destroy(view->waiting);
    hk_assembly_close(&view->made);
}

const char *hk_view_time(const hk_view *view, hk_tick tick) {
    return hk_gantt_time(view->arena, view->plan, tick);
}

const char *hk_view_duration(const hk_view *view, hk_ratio duration) {
    hk_tick tick;
    char text[48];
    if (hk_tick_from_ratio(duration, view->plan->ticks_per_second, &tick))
        return hk_view_time(view, tick);
    return hk_arena_printf(view->arena, "%s s", hk_ratio_format(duration, text));
}

const char *hk_view_ages(const hk_view *view, hk_ages ages) {
    if (!ages.any)
        return "initial only";
    if (ages.min == ages.max)
        return hk_view_time(view, ages.min);
    const char *low = hk_view_time(view, ages.min), *high = hk_view_time(view, ages.max);
    const char *low_unit = strchr(low, ' '), *high_unit = strchr(high, ' ');
    /* "5 .. 15 ms": the unit once, where it is the same. */
    int length = low_unit && high_unit && strcmp(low_unit, high_unit) == 0 ? (int)(low_unit - low)
                                                                           : (int)strlen(low);
    return hk_arena_printf(view->arena, "%.*s .. %s", length, low, high);
}

/* A service is 'current'; at a connection, what the model says of it. */
static hk_lag lag_of(const hk_view *view, uint32_t hop) {
    if (hk_hop_dependency(view->plan, hop))
        return HK_LAG_CURRENT;
    return hk_connection_lag(&view->model->connections[hop], view->made.settings.algorithm);
}

const char *hk_view_lag_word(const hk_view *view, uint32_t hop) {
    return hk_plan_hop(view->plan, hop).cut ? "previous" : hk_lag_words[lag_of(view, hop)];
}

const char *hk_view_processor(const hk_view *view, uint32_t component) {
    uint32_t processor = view->model->components[component].processor;
    return processor == HK_MAP_NONE ? NULL : view->model->processors[processor].name;
}

const char *hk_view_policy(const hk_view *view, uint32_t component) {
    static const char *const words[] = {"stop", "late", "skip"};
    return words[view->model->components[component].overrun];
}

static const char *end_of(const hk_view *view, uint32_t hop, bool from) {
    const hk_model *model = view->model;
    const hk_plan_dependency *d = hk_hop_dependency(view->plan, hop);
    if (!d) {
        const hk_connection *k = &model->connections[hop];
        hk_address at = from ? hk_connection_source(k) : hk_connection_sink(k);
        return hk_address_name(view->arena, model, &at);
    }
    const hk_requirement *r = &model->requirements[d->requirement];
    const hk_component *c = &model->components[from ? d->from : d->to];
    uint32_t service = from ? r->candidates[d->candidate].service : r->service;
    return hk_arena_printf(view->arena, "%s.%s", c->name, c->info->services[service].name);
}

const char *hk_view_source(const hk_view *view, uint32_t hop) {
    return end_of(view, hop, true);
}

const char *hk_view_sink(const hk_view *view, uint32_t hop) {
    return end_of(view, hop, false);
}

double hk_view_load(const hk_view *view, const hk_gantt_row *row) {
    double load = 0;
    for (size_t i = 0; i < row->count; i++)
        load += view->cost_s[row->components[i]] /
                hk_tick_seconds(view->plan->components[row->components[i]].period,
                                view->plan->ticks_per_second);
    return load;
}

const char *hk_view_cut_reason(const hk_view *view, uint32_t index) {
    hk_hop hop = hk_plan_hop(view->plan, index);
    const hk_component *from = &view->model->components[hop.from];
    const hk_component *to = &view->model->components[hop.to];
    if (!hop.cut)
        return NULL;
    const char *why = to->priority < from->priority    ? "because of its priority"
                      : to->priority == from->priority ? "because of its place in the model"
                                                       : "because only its inputs may be cut";
    return hk_arena_printf(view->arena, "asked to be current; '%s' runs first %s", to->name, why);
}

bool hk_view_lag_before(const hk_view *view, uint32_t hop, hk_tick *ret_lag) {
    if (!view->waiting || hk_plan_hop(view->waiting, hop).lag == hk_plan_hop(view->plan, hop).lag)
        return false;
    *ret_lag = hk_plan_hop(view->waiting, hop).lag;
    return true;
}

const char *hk_view_remark(const hk_view *view, uint32_t index) {
    hk_hop hop = hk_plan_hop(view->plan, index);
    hk_arena *arena = view->arena;
    const char *from = hk_view_processor(view, hop.from);
    const char *to = hk_view_processor(view, hop.to);
    hk_tick before, lag = hop.lag;
    const char *cut = hk_view_cut_reason(view, index);
    const char *crossing =
        from && to && from != to ? hk_arena_printf(arena, "%s -> %s", from, to) : NULL;
    if (cut)
        return crossing ? hk_arena_printf(arena, "%s; %s", crossing, cut) : cut;
    if (hk_view_lag_before(view, index, &before))
        return hk_arena_printf(arena, "%s%schanged by the cut: %s -> %s", crossing ? crossing : "",
                               crossing ? "; " : "", hk_view_time(view, before),
                               hk_view_time(view, lag));
    if (crossing)
        return lag == 0 ? hk_arena_printf(arena, "%s; waits for it", crossing) : crossing;
    const hk_component *components = view->model->components;
    bool late = from && from == to && lag_of(view, index) == HK_LAG_CURRENT && lag > 0 &&
                components[hop.from].rank >= components[hop.to].rank;
    return late ? hk_arena_printf(arena, "'%s' runs after '%s' in %s", components[hop.from].name,
                                  components[hop.to].name, from)
                : NULL;
}

const char *hk_view_transform(const hk_view *view, const hk_connection *k) {
    const hk_variable *from =
        &view->model->components[k->from_component].info->variables[k->from_variable];
    const hk_variable *to =
        &view->model->components[k->to_component].info->variables[k->to_variable];
    return hk_view_change(view, from->unit, to->unit, &k->conversion);
}

const char *hk_view_change(const hk_view *view, const char *from, const char *to,
                           const hk_transform *t) {
    hk_arena *arena = view->arena;
    const char *units =
        from && to && strcmp(from, to) != 0 ? hk_arena_printf(arena, "%s -> %s, ", from, to) : "";
    if (t->kind == HK_TRANSFORM_MAP)
        return hk_arena_printf(arena, "%sby a table of %zu entries", units, t->map_count);
    if (t->kind != HK_TRANSFORM_LINEAR)
        return NULL;
    const char *offset =
        t->offset == 0
            ? ""
            : hk_arena_printf(arena, " %s %s", t->offset < 0 ? "-" : "+",
                              hk_show_f64(arena, t->offset < 0 ? -t->offset : t->offset));
    return hk_arena_printf(arena, "%sx %s%s", units, hk_show_f64(arena, t->factor), offset);
}

const char *hk_view_constraint_kind(const hk_constraint *c) {
    static const char *const kinds[] = {"latency", "coincidence", "freshness"};
    return kinds[c->kind];
}

const char *hk_view_constraint(const hk_view *view, const hk_constraint *c) {
    hk_arena *arena = view->arena;
    const char *text = hk_arena_printf(arena, "%s ", hk_view_constraint_kind(c));
    for (size_t p = 0; p < c->path_count; p++)
        text = hk_arena_printf(arena, "%s%s%s", text, p ? ", " : "",
                               hk_model_path_name(view->model, &c->paths[p]));
    if (c->has_min)
        text = hk_arena_printf(arena, "%s min %s", text, hk_view_duration(view, c->min));
    if (c->has_max)
        text = hk_arena_printf(arena, "%s max %s", text, hk_view_duration(view, c->max));
    return text;
}

hk_ages hk_view_constraint_ages(const hk_view *view, const hk_constraint *c, size_t path) {
    if (c->kind != HK_FRESHNESS)
        return hk_age_path(view->plan, &c->paths[path]);
    hk_ages all = {0};
    for (uint32_t i = 0; i < hk_hop_count(view->plan); i++) {
        if (hk_plan_hop(view->plan, i).to != c->paths[0].components[0])
            continue;
        hk_ages one = hk_age_hop(view->plan, i);
        if (!one.any)
            continue;
        all.min = all.any && all.min < one.min ? all.min : one.min;
        all.max = all.any && all.max > one.max ? all.max : one.max;
        all.any = true;
    }
    return all;
}
