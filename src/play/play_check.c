/* SPDX-License-Identifier: MIT
 *
 * What can be said about a simulation before it is played. */
#include "play/play_internal.h"

#include <string.h>

enum { LARGE_MB = 100, TIME_BYTES = 9, CELL_BYTES = 19 }; /* of a usual row of numbers */

void hk_check_fail(hk_checking *c, hk_status code, hk_where where, const char *hint,
                   const char *text) {
    HK_ASSERT(c && text);
    (void)hk_error(c->ctx, code, where, hint, "%s", text);
    if (!c->errors++)
        c->first = code;
}

void hk_check_complain(hk_checking *c, hk_where where, const char *hint, const char *text) {
    HK_ASSERT(c && text);
    if (c->options->strict)
        hk_check_fail(c, HK_E_SCENARIO, where, hint, text);
    else
        hk_warn(c->ctx, HK_E_SCENARIO, where, hint, "%s", text);
}

static const char *words(hk_checking *c, hk_ratio when) {
    return hk_time_words(c->arena, c->simulation, when);
}

/* ---- times ---- */

/* The exact time of a step. */
static bool step_time(const hk_experiment *x, int64_t step, hk_ratio *ret_time) {
    hk_ratio since;
    int64_t common = hk_gcd(step, x->step.den), num;
    return !__builtin_mul_overflow(x->step.num, common ? step / common : step, &num) &&
           hk_ratio_make(num, common ? x->step.den / common : x->step.den, &since) &&
           hk_ratio_add(x->start, since, ret_time);
}

/* Not by a connection. */
static bool sets_variable(const hk_action *a) {
    return a->kind == HK_ACTION_SET || a->kind == HK_ACTION_RAMP || a->kind == HK_ACTION_OVERRIDE ||
           (a->kind == HK_ACTION_RELEASE && !a->connection_count);
}

/* The last value that the list gives the variable; NULL: it gives none. *ret_sure: it is known. */
static const hk_value *last_set(const hk_actions *actions, const hk_action *set,
                                const hk_value *before, bool *ret_sure) {
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        bool same =
            sets_variable(a) && a->component == set->component && a->variable == set->variable;
        if (same)
            before = &a->value;
        *ret_sure = *ret_sure && !(same && a->kind != HK_ACTION_SET);
    }
    return before;
}

/* What the variable of SET, which never happens, is at the end; NULL: that cannot be said. */
static const hk_value *final_value(const hk_checking *c, const hk_action *set) {
    const hk_component *x = &c->simulation->model->components[set->component];
    const hk_value *value = &x->info->variables[set->variable].start;
    bool sure = true;
    for (size_t i = 0; i < x->setting_count; i++)
        if (x->settings[i].variable == set->variable)
            value = &x->settings[i].value;
    value = last_set(&c->simulation->begin, set, value, &sure);
    value = last_set(&c->scenario->begin, set, value, &sure);
    for (size_t i = 0; i < c->scenario->event_count; i++) {
        const hk_event *e = &c->scenario->events[i];
        const hk_value *next = last_set(&e->actions, set, value, &sure);
        if (e->kind == HK_AT &&
            hk_ratio_compare(e->from, c->simulation->model->experiment.stop) > 0)
            continue;
        sure = sure && (e->kind == HK_AT || next == value);
        value = next;
    }
    return sure && value->data ? value : NULL;
}

/* "; the speed stays 2.5 m/s": for what an event that never fires was to set. */
static const char *stays(hk_checking *c, const hk_actions *actions) {
    enum { SHOWN = 3 };
    const char *text = "";
    size_t shown = 0;
    for (size_t i = 0; actions && i < actions->count && shown < SHOWN; i++) {
        const hk_action *a = &actions->all[i];
        const hk_value *value = a->kind == HK_ACTION_SET && !a->more ? final_value(c, a) : NULL;
        if (!value || value->count != 1)
            continue;
        const hk_variable *v =
            &c->simulation->model->components[a->component].info->variables[a->variable];
        const char *dot = strrchr(v->name, '.');
        text = hk_arena_printf(
            c->arena, "%s%s the %s stays %s%s%s", text, shown++ ? "," : ";",
            dot ? dot + 1 : v->name,
            hk_value_format(c->arena, value->type, hk_store_of(value->type), value->data),
            v->unit ? " " : "", v->unit ? v->unit : "");
    }
    return text;
}

/* LOST: what does not happen if the moment never comes; NULL: nothing. */
static void check_moment(hk_checking *c, hk_ratio when, const char *what, hk_where where,
                         const hk_actions *lost) {
    const hk_experiment *x = &c->simulation->model->experiment;
    int64_t step = 0;
    bool exact = false;
    hk_ratio effective;
    if (hk_ratio_compare(when, x->stop) > 0) {
        hk_check_complain(c, where, "lengthen the simulation, or leave it out",
                          hk_arena_printf(c->arena,
                                          "%s at %s is after the end %s, it never fires%s", what,
                                          words(c, when), words(c, x->stop), stays(c, lost)));
    } else if (hk_ratio_compare(when, x->start) < 0) {
        hk_check_complain(c, where, NULL,
                          hk_arena_printf(c->arena, "%s at %s is before the start, it fires at %s",
                                          what, words(c, when), words(c, x->start)));
    } else if (hk_grid_step(x, when, &step, &exact) && !exact && step_time(x, step, &effective)) {
        hk_check_complain(c, where, "give a whole number of steps",
                          hk_arena_printf(c->arena,
                                          "%s at %s lies between two steps, it fires at %s", what,
                                          words(c, when), words(c, effective)));
    }
}

static void check_event_times(hk_checking *c, const hk_event *e) {
    const hk_experiment *x = &c->simulation->model->experiment;
    int64_t first, last;
    bool exact;
    switch (e->kind) {
    case HK_AT:
        check_moment(c, e->from, "event", e->where, &e->actions);
        break;
    case HK_DURING:
        check_moment(c, e->from, "event", e->where, &e->actions);
        if (hk_ratio_compare(e->to, x->stop) < 0)
            check_moment(c, e->to, "the end of an event", e->where, NULL);
        if (hk_grid_step(x, e->from, &first, &exact) && hk_grid_step(x, e->to, &last, &exact) &&
            last <= first)
            hk_check_complain(c, e->where, NULL, "the event lasts no whole step, it never fires");
        break;
    case HK_EVERY:
        check_moment(c, e->from, "event", e->where, &e->actions);
        if (hk_ratio_compare(e->to, x->step) < 0)
            hk_check_fail(c, HK_E_SCENARIO, e->where, "give at least one step",
                          hk_arena_printf(c->arena,
                                          "the period %s of the event is shorter than a step",
                                          words(c, e->to)));
        break;
    case HK_WHEN:
        break;
    }
}

/* A requirement keeps a sample of each step, since what it measures is known at the end only. */
static void check_samples(hk_checking *c, const hk_expectation *e) {
    enum { SAMPLES_MAX = 100 * 1000 * 1000 };
    const hk_experiment *x = &c->simulation->model->experiment;
    int64_t first = 0, last = c->steps;
    bool exact;
    if (e->has_from)
        (void)hk_grid_step(x, e->from, &first, &exact);
    if (e->has_to)
        (void)hk_grid_step(x, e->to, &last, &exact);
    last = last < c->steps ? last : c->steps;
    if (last - first > SAMPLES_MAX)
        hk_check_fail(c, HK_E_SCENARIO, e->where, "measure a part of the run: during [T1, T2]",
                      hk_arena_printf(c->arena,
                                      "the requirement would keep %lld samples, more than %d",
                                      (long long)(last - first), SAMPLES_MAX));
}

/* What must hold, or is measured, over all of a window is decided by a run that sees all of it. */
static void check_window(hk_checking *c, const hk_expectation *e) {
    const hk_experiment *x = &c->simulation->model->experiment;
    bool whole = e->kind == HK_ALWAYS || e->kind == HK_MEASURED;
    if (!whole || !e->has_to || hk_ratio_compare(e->to, x->stop) <= 0)
        return;
    hk_check_complain(
        c, e->where, "lengthen the simulation, or end the window at its end",
        hk_arena_printf(c->arena,
                        "the expectation is about the time until %s, after the end %s: "
                        "its window is seen in part only",
                        words(c, e->to), words(c, x->stop)));
}

static void check_expectation(hk_checking *c, const hk_expectation *e) {
    const hk_experiment *x = &c->simulation->model->experiment;
    if (e->kind == HK_MEASURED)
        check_samples(c, e);
    bool from = e->has_from || e->kind == HK_AT_TIME;
    if (from && hk_ratio_compare(e->from, x->stop) > 0)
        hk_check_complain(c, e->where, "lengthen the simulation, or leave it out",
                          hk_arena_printf(c->arena, "the expectation is about %s, after the end %s",
                                          words(c, e->from), words(c, x->stop)));
    else
        check_window(c, e);
    if (e->kind != HK_AFTER && from && e->has_to && hk_ratio_compare(e->to, e->from) < 0)
        hk_check_fail(c, HK_E_SCENARIO, e->where, NULL, "the expectation ends before it begins");
}

/* ---- actions ---- */

static bool is_driven(const hk_model *model, uint32_t component, uint32_t variable) {
    for (size_t i = 0; i < model->connection_count; i++)
        if (model->connections[i].to_component == component &&
            model->connections[i].to_variable == variable)
            return true;
    return false;
}

/* Values are between two steps what they were at the first of them. */
static void check_delays(hk_checking *c, const hk_actions *actions) {
    const hk_experiment *x = &c->simulation->model->experiment;
    hk_experiment from_zero = *x;
    from_zero.start = (hk_ratio){0, 1};
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        int64_t steps = 0;
        bool exact = true;
        hk_ratio effective;
        if (a->kind == HK_ACTION_FAULT && a->fault.kind == HK_FAULT_DELAY && !a->more &&
            hk_grid_step(&from_zero, a->fault.delay, &steps, &exact) && !exact &&
            step_time(&from_zero, steps, &effective))
            hk_check_complain(
                c, a->where, "give a whole number of steps",
                hk_arena_printf(c->arena,
                                "the delay %s is not a whole number of steps of %s, it is that "
                                "of %s",
                                words(c, a->fault.delay), words(c, x->step), words(c, effective)));
    }
}

/* What is set while a run is under way must be able to change. */
static void check_actions(hk_checking *c, const hk_actions *actions) {
    const hk_model *model = c->simulation->model;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (!sets_variable(a))
            continue;
        const hk_component *component = &model->components[a->component];
        const hk_variable *v = &component->info->variables[a->variable];
        bool tunable = v->causality == HK_PARAMETER && v->variability == HK_TUNABLE;
        bool input = v->causality == HK_INPUT && !is_driven(model, a->component, a->variable);
        if (!tunable && !input)
            hk_check_fail(c, HK_E_SCENARIO, a->where,
                          "only tunable parameters and inputs that nothing drives may change",
                          hk_arena_printf(c->arena, "'%s.%s' cannot be set during the run",
                                          component->name, v->name));
        if (a->kind == HK_ACTION_RAMP && hk_store_of(v->type) == HK_STORE_BYTES)
            hk_check_fail(
                c, HK_E_SCENARIO, a->where, "ramps need numbers",
                hk_arena_printf(c->arena, "'%s.%s' is not a number", component->name, v->name));
    }
}

/* Those of a beginning are there before initialization, but ramps are not. */
static void check_begin(hk_checking *c, const hk_actions *begin) {
    for (size_t i = 0; i < begin->count; i++)
        if (begin->all[i].kind != HK_ACTION_SET && sets_variable(&begin->all[i])) {
            hk_actions one = {&begin->all[i], 1};
            check_actions(c, &one);
        }
    check_delays(c, begin);
}

static bool binds(const hk_actions *begin, const hk_requirement *r) {
    for (size_t i = 0; i < begin->count; i++)
        if (begin->all[i].kind == HK_ACTION_BIND && begin->all[i].component == r->component &&
            begin->all[i].service == r->service)
            return true;
    return false;
}

static void check_bindings(hk_checking *c) {
    const hk_model *model = c->simulation->model;
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        if (r->candidate_count == 1 || (r->candidate_count && r->bound != HK_MAP_NONE) ||
            binds(&c->simulation->begin, r) || binds(&c->scenario->begin, r))
            continue;
        const hk_component *component = &model->components[r->component];
        hk_check_fail(
            c, HK_E_SERVICE, r->where,
            r->candidate_count
                ? hk_arena_printf(c->arena, "bind one at the beginning of the scenario: %s",
                                  hk_requirement_providers(c->arena, model, r))
                : "link it to a component that provides it",
            hk_arena_printf(c->arena, "'%s.%s' has %zu providers%s in scenario '%s'",
                            component->name, component->info->services[r->service].name,
                            r->candidate_count, r->candidate_count ? ", and none is bound" : "",
                            c->scenario->name));
    }
}

/* ---- logs and repetitions ---- */

static void check_size(hk_checking *c, const hk_scenario_log *log, int64_t rows) {
    double bytes = (double)rows * (double)(TIME_BYTES + CELL_BYTES * log->count);
    double runs = c->options->only_run < 0 ? (double)c->scenario->repetitions : 1;
    double mb = bytes / 1e6, all = mb * runs;
    if (all < LARGE_MB)
        return;
    char one[HK_NUMBER_MAX + 1], sum[HK_NUMBER_MAX + 1];
    one[hk_write_i64((int64_t)(mb + 0.5), one)] = '\0';
    sum[hk_write_i64((int64_t)(all + 0.5), sum)] = '\0';
    if (runs > 1)
        hk_note(c->ctx, log->where,
                "'%s' will have %lld rows, about %s MB in each run, %s MB in all", log->file,
                (long long)rows, one, sum);
    else
        hk_note(c->ctx, log->where, "'%s' will have %lld rows, about %s MB", log->file,
                (long long)rows, one);
}

static void check_log(hk_checking *c, size_t index) {
    const hk_scenario_log *log = &c->scenario->logs[index];
    const hk_experiment *x = &c->simulation->model->experiment;
    hk_experiment from_zero = *x;
    from_zero.start = (hk_ratio){0, 1};
    int64_t steps = 0;
    bool exact = false;
    for (size_t i = 0; i < index; i++)
        if (strcmp(c->scenario->logs[i].file, log->file) == 0)
            hk_check_fail(c, HK_E_DUPLICATE, log->where, "give each log a file of its own",
                          hk_arena_printf(c->arena, "two logs write '%s'", log->file));
    if (!hk_grid_step(&from_zero, log->period, &steps, &exact) || !exact || steps < 1)
        hk_check_fail(c, HK_E_SCENARIO, log->where, "a log has a row every so many steps",
                      hk_arena_printf(c->arena,
                                      "the period %s of '%s' is not a whole number of steps of %s",
                                      words(c, log->period), log->file, words(c, x->step)));
    else
        check_size(c, log, c->steps / steps + 1);
}

static bool faults_random(const hk_actions *actions) {
    for (size_t i = 0; i < actions->count; i++)
        if (actions->all[i].kind == HK_ACTION_FAULT &&
            (actions->all[i].fault.kind == HK_FAULT_NOISE ||
             actions->all[i].fault.kind == HK_FAULT_DROP))
            return true;
    return false;
}

static bool is_zero(const hk_value *value) {
    double number = 0;
    for (size_t i = 0; i < value->count; i++) {
        hk_store store = hk_store_of(value->type);
        const char *at = (const char *)value->data + i * hk_store_size(store);
        if (!hk_value_convert(HK_STORE_F64, &number, store, at, 1) || number != 0)
            return false;
    }
    return true;
}

/* Does ACTIONS change the variable? *ret_zero: to 0, at last. */
static bool sets(const hk_actions *actions, uint32_t component, uint32_t variable, bool *ret_zero) {
    bool found = false;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (sets_variable(a) && a->component == component && a->variable == variable) {
            *ret_zero = a->kind == HK_ACTION_SET && is_zero(&a->value);
            found = true;
        }
    }
    return found;
}

/* Is the parameter 0 during the whole run? */
static bool stays_zero(const hk_checking *c, uint32_t component, uint32_t variable) {
    const hk_component *x = &c->simulation->model->components[component];
    const hk_scenario *s = c->scenario;
    const hk_value *start = &x->info->variables[variable].start;
    bool zero = !start->data || is_zero(start), unused;
    for (size_t i = 0; i < x->setting_count; i++)
        if (x->settings[i].variable == variable)
            zero = is_zero(&x->settings[i].value);
    (void)sets(&c->simulation->begin, component, variable, &zero);
    (void)sets(&s->begin, component, variable, &zero);
    for (size_t i = 0; i < s->event_count; i++)
        if (sets(&s->events[i].actions, component, variable, &unused))
            return false;
    return zero;
}

static bool draws(const hk_checking *c, uint32_t component) {
    const hk_info *info = c->simulation->model->components[component].info;
    bool silent = info->random_scale_count > 0;
    for (size_t i = 0; i < info->random_scale_count && silent; i++)
        silent = stays_zero(c, component, info->random_scales[i]);
    return info->can.has_streams && !silent;
}

static void check_randomness(hk_checking *c) {
    const hk_scenario *s = c->scenario;
    const hk_model *model = c->simulation->model;
    bool random = faults_random(&c->simulation->begin) || faults_random(&s->begin);
    for (size_t i = 0; i < s->event_count && !random; i++)
        random = faults_random(&s->events[i].actions);
    for (uint32_t i = 0; i < model->component_count && !random; i++)
        random = draws(c, i);
    if (s->repetitions > 1 && !random)
        hk_note(c->ctx, s->where,
                "no random source is active in '%s', the %lld runs will be identical", s->name,
                (long long)s->repetitions);
}

/* ---- all of it ---- */

static void check_scenario(hk_checking *c) {
    const hk_scenario *s = c->scenario;
    bool last =
        c->options->scenario || s == &c->simulation->scenarios[c->simulation->scenario_count - 1];
    check_bindings(c);
    hk_check_calls(c, last);
    check_begin(c, &c->simulation->begin);
    check_begin(c, &s->begin);
    for (size_t i = 0; i < s->event_count; i++) {
        check_event_times(c, &s->events[i]);
        check_actions(c, &s->events[i].actions);
        check_delays(c, &s->events[i].actions);
    }
    for (size_t i = 0; i < s->expectation_count; i++)
        check_expectation(c, &s->expectations[i]);
    for (size_t i = 0; i < s->log_count; i++)
        check_log(c, i);
    check_randomness(c);
}

/* "the simulation has 'calm', 'rough'", the first few. */
static const char *scenarios_there(const hk_checking *c, const hk_simulation *s) {
    enum { SHOWN = 8 };
    const char *text = "the simulation has ";
    for (size_t i = 0; i < s->scenario_count && i < SHOWN; i++)
        text = hk_arena_printf(c->arena, "%s%s'%s'", text, i ? ", " : "", s->scenarios[i].name);
    return s->scenario_count > SHOWN ? hk_arena_printf(c->arena, "%s, ...", text) : text;
}

/* --scenario and --run must name something. */
static hk_status check_choice(hk_checking *c) {
    const hk_simulation *s = c->simulation;
    const hk_play_options *o = c->options;
    const char **names = HK_NEW_ARRAY(c->arena, const char *, s->scenario_count + 1);
    int64_t most = 0;
    bool found = false;
    for (size_t i = 0; i < s->scenario_count; i++) {
        names[i] = s->scenarios[i].name;
        if (o->scenario && strcmp(o->scenario, names[i]) != 0)
            continue;
        found = true;
        most = s->scenarios[i].repetitions > most ? s->scenarios[i].repetitions : most;
    }
    const char *close = o->scenario ? hk_closest(o->scenario, names, s->scenario_count) : NULL;
    if (o->scenario && !found)
        return hk_error(c->ctx, HK_E_USAGE, (hk_where){.file = s->file},
                        hk_hint_name(c->arena, close, scenarios_there(c, s)),
                        "there is no scenario '%s'", o->scenario);
    if (o->only_run >= 0 && o->only_run >= most)
        return hk_error(c->ctx, HK_E_USAGE, (hk_where){.file = s->file},
                        hk_arena_printf(c->arena, "the last one is %lld", (long long)most - 1),
                        "there is no run %lld", (long long)o->only_run);
    return HK_OK;
}

hk_status hk_play_check(hk_ctx *ctx, const hk_simulation *simulation,
                        const hk_play_options *options) {
    HK_ASSERT(ctx && simulation && options);
    const hk_experiment *x = &simulation->model->experiment;
    hk_checking c = {
        .ctx = ctx, .arena = hk_arena_create(), .simulation = simulation, .options = options};
    bool exact;
    hk_status status = check_choice(&c);
    if (status == HK_OK && !hk_grid_step(x, x->stop, &c.steps, &exact))
        status = hk_error(ctx, HK_E_TIME, (hk_where){.file = simulation->file}, NULL,
                          "the step or the length of the simulation is out of range");
    for (size_t i = 0; i < simulation->scenario_count && status == HK_OK; i++) {
        c.scenario = &simulation->scenarios[i];
        if (!options->scenario || strcmp(options->scenario, c.scenario->name) == 0)
            check_scenario(&c);
    }
    hk_arena_destroy(c.arena);
    if (status != HK_OK || !c.errors)
        return status;
    return c.errors == 1 ? c.first : HK_E_CHECK_FAILED;
}
