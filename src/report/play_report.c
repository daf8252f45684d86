/* SPDX-License-Identifier: MIT */
#include "report/play_report.h"

#include "record/about.h"
#include "report/run_report.h"

#include <math.h>
#include <string.h>

hk_status hk_play_outcome(const hk_play_report *report, bool interrupted) {
    for (size_t i = 0; i < report->run_count; i++)
        if (report->runs[i].status != HK_OK)
            return report->runs[i].status;
    if (interrupted)
        return HK_E_INTERRUPTED;
    return report->all_held ? HK_OK : HK_E_EXPECTATION;
}

int hk_play_exit(hk_status status) {
    int code = hk_status_exit(status);
    return code == 1 && status != HK_E_EXPECTATION ? hk_status_exit(HK_E_LANGUAGE) : code;
}

int64_t hk_play_count(const hk_simulation *s, const hk_play_options *o) {
    int64_t count = 0;
    for (size_t i = 0; i < s->scenario_count; i++)
        if (!o->scenario || strcmp(o->scenario, s->scenarios[i].name) == 0)
            count += o->only_run < 0 ? s->scenarios[i].repetitions : 1;
    return count;
}

/* ---- studies of repetitions ---- */

/* Requirement number INDEX of the COUNT runs of one scenario. */
static hk_study study(const hk_play_run *runs, size_t count, size_t index, hk_arena *arena) {
    double *values = HK_NEW_ARRAY(arena, double, count + 1);
    hk_study f = {.scenario = runs[0].scenario, .least = NAN, .most = NAN};
    for (size_t i = 0; i < count; i++) {
        if (index >= runs[i].verdict_count) /* its worker came to its end before it could tell */
            continue;
        const hk_verdict *v = &runs[i].verdicts[index];
        f.about = f.about ? f.about : v->measured;
        f.least = v->measured->value >= f.least ? f.least : v->measured->value;
        f.most = v->measured->value <= f.most ? f.most : v->measured->value;
        values[f.runs] = v->measured->value;
        f.held += v->held;
        f.undecided += v->undecided;
        f.runs++;
        f.reason = f.reason ? f.reason : v->reason;
    }
    f.spread = hk_spread_of(values, f.runs);
    return f;
}

/* Of the runs of one scenario, which are together. */
static void add_scenario(const hk_play_run *runs, size_t count, hk_arena *arena, hk_study *ret_all,
                         size_t *ret_count) {
    while (count > 1 && !runs->verdict_count) { /* one that could not tell */
        runs++;
        count--;
    }
    for (size_t i = 0; i < runs[0].verdict_count; i++)
        if (runs[0].verdicts[i].measured)
            ret_all[(*ret_count)++] = study(runs, count, i, arena);
}

hk_study *hk_study_all(const hk_play_report *report, hk_arena *arena, size_t *ret_count) {
    size_t most = 0;
    for (size_t i = 0; i < report->run_count; i++)
        most += report->runs[i].verdict_count;
    hk_study *all = HK_NEW_ARRAY(arena, hk_study, most + 1);
    *ret_count = 0;
    for (size_t i = 0, next; i < report->run_count; i = next) {
        for (next = i + 1; next < report->run_count; next++)
            if (strcmp(report->runs[next].scenario, report->runs[i].scenario) != 0)
                break;
        add_scenario(&report->runs[i], next - i, arena, all, ret_count);
    }
    return all;
}

/* ---- JSON ---- */

static void put_measured(hk_json *json, const hk_measured *m) {
    hk_json_object(json, "measured");
    hk_json_string(json, "name", m->name);
    hk_report_optional(json, "value", m->value);
    hk_report_optional(json, "min", m->min);
    hk_report_optional(json, "max", m->max);
    hk_report_optional(json, "reference", m->reference);
    hk_json_string(json, "unit", m->unit);
    hk_json_end(json);
}

static void put_verdict(hk_json *json, const hk_verdict *v) {
    hk_json_object(json, NULL);
    hk_json_string(json, "expect", v->words);
    hk_json_bool(json, "held", v->held);
    hk_json_bool(json, "decided", !v->undecided);
    if (v->idle)
        hk_json_bool(json, "idle", true);
    if (!isnan(v->time))
        hk_json_f64(json, "time", v->time);
    if (v->message)
        hk_json_string(json, "message", v->message);
    if (v->measured)
        put_measured(json, v->measured);
    hk_json_i64(json, "line", v->where.line);
    hk_json_end(json);
}

static void put_verdicts(hk_json *json, const hk_play_run *run) {
    hk_json_array(json, "verdicts");
    for (size_t i = 0; i < run->verdict_count; i++)
        put_verdict(json, &run->verdicts[i]);
    hk_json_end(json);
}

static void put_nodes(hk_json *json, const hk_play_run *run, bool paced) {
    if (!run->node_count)
        return;
    hk_json_array(json, "nodes");
    for (size_t i = 0; i < run->node_count; i++)
        hk_node_put(json, &run->nodes[i], paced);
    hk_json_end(json);
}

static void put_run(const hk_play_answer *a, hk_arena *arena, const hk_play_run *run,
                    hk_json *json) {
    const hk_play_report *report = a->report;
    const hk_model *model = a->simulation->model;
    hk_json_object(json, NULL);
    hk_json_string(json, "scenario", run->scenario);
    hk_json_i64(json, "run", run->index);
    hk_json_string(json, "status", hk_report_status(arena, run->status));
    hk_json_string(json, "end_reason", run->end_reason);
    hk_json_f64(json, "time", run->time);
    hk_json_f64(json, "simulated_s", run->seconds_played);
    hk_json_f64(json, "wall_s", run->seconds_taken);
    put_nodes(json, run, a->real_time > 0);
    put_verdicts(json, run);
    hk_report_texts(json, "logs", run->logs, run->log_count);
    hk_left_put(json, run->checkpoint, &run->left);
    if (run->state)
        hk_json_string(json, "state", run->state);
    hk_json_i64(json, "rows", (int64_t)run->rows);
    hk_put_checked(json, "sound", &run->sound, report->contract);
    if (report->fused)
        hk_fused_put(json, &run->fused);
    hk_report_texts(json, "trace", run->trace, run->trace_count);
    hk_json_object(json, "activations");
    for (size_t i = 0; i < model->component_count; i++)
        hk_json_i64(json, model->components[i].name, (int64_t)run->activations[i]);
    hk_json_end(json);
    hk_json_end(json);
}

/* What the repetitions of each scenario have in common. */
static void put_studies(hk_json *json, const hk_play_report *report, hk_arena *arena) {
    size_t count;
    const hk_study *all = hk_study_all(report, arena, &count);
    if (!count)
        return;
    HK_JSON_EACH(json, "studies", i, count) {
        const hk_study *s = &all[i];
        bool distance = hk_spread_is_distance(s->about->unit);
        hk_json_string(json, "scenario", s->scenario);
        hk_json_string(json, "name", s->about->name);
        hk_json_string(json, "unit", s->about->unit);
        hk_json_i64(json, "runs", (int64_t)s->runs);
        hk_json_i64(json, "held", (int64_t)s->held);
        hk_json_i64(json, "undecided", (int64_t)s->undecided);
        hk_json_i64(json, "measured", (int64_t)s->spread.count);
        hk_report_optional(json, "mean", s->spread.mean);
        hk_report_optional(json, "deviation", s->spread.deviation);
        hk_report_optional(json, "least", s->spread.least);
        hk_report_optional(json, "most", s->spread.most);
        hk_report_optional(json, "cep50", distance ? s->spread.r50 : (double)NAN);
        hk_report_optional(json, "r95", distance ? s->spread.r95 : (double)NAN);
    }
}

void hk_play_put(const hk_play_answer *a, hk_arena *arena, hk_json *json) {
    const hk_play_report *report = a->report;
    hk_json_string(json, "kind", "simulation");
    hk_json_string(json, "file", a->file);
    hk_json_string(json, "name", a->simulation->name);
    hk_json_string(json, "status", hk_report_status(arena, a->status));
    hk_json_i64(json, "exit", a->exit);
    hk_json_bool(json, "all_held", report->all_held);
    hk_json_f64(json, "wall_s", a->seconds);
    hk_json_array(json, "runs");
    for (size_t i = 0; i < report->run_count; i++)
        put_run(a, arena, &report->runs[i], json);
    hk_json_end(json);
    put_studies(json, report, arena);
    if (a->page)
        hk_json_string(json, "report", a->page);
}
