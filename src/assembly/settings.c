/* SPDX-License-Identifier: MIT
 *
 * The precedence of the experiment settings. */
#include "assembly/settings.h"

#include "assembly/horizon.h"
#include "base/number.h"
#include "base/seconds.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_DEFAULT = 1000 }; /* in a run whose step nobody knows */

/* One completion in progress. */
typedef struct completion {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_wishes *wishes;
    hk_model *model;
    hk_settings settings;
} completion;

hk_wish hk_wish_of(const char *text, const char *variable) {
    const char *environment = getenv(variable);
    if (text)
        return (hk_wish){text, HK_FROM_USER, "command line"};
    if (environment && *environment)
        return (hk_wish){environment, HK_FROM_ENVIRONMENT, variable};
    return (hk_wish){NULL, HK_FROM_DEFAULT, NULL};
}

bool hk_wish_read_step(const hk_wish *step, hk_ratio *ret_step) {
    if (!step->text)
        return false;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    bool good = hk_time_read(aside, HK_NOWHERE, step->text, ret_step) && ret_step->num > 0;
    hk_ctx_destroy(aside);
    return good;
}

/* What a person has to change: an option, or the field of the experiment in a program. */
static const char *means(const completion *c, const char *option, const char *field) {
    return c->wishes->from_program ? field : option;
}

void hk_settings_drop(hk_settings *settings, const char *name) {
    size_t kept = 0;
    for (size_t i = 0; i < settings->count; i++)
        if (strcmp(settings->rows[i].name, name) != 0)
            settings->rows[kept++] = settings->rows[i];
    settings->count = kept;
}

void hk_settings_add(hk_settings *settings, const char *name, const char *value, hk_source source,
                     const char *from) {
    HK_ASSERT(settings->count < HK_SETTINGS_MAX);
    settings->rows[settings->count++] = (struct hk_settings_row){name, value, source, from};
}

static hk_status read_time(const completion *c, const hk_wish *w, const char *name, bool positive,
                           hk_ratio *ret_time) {
    hk_ratio value;
    hk_where where = {.element = hk_arena_printf(c->arena, "%s (%s)", name, w->from)};
    if (!hk_time_read(c->ctx, where, w->text, &value))
        return hk_error(c->ctx, HK_E_USAGE, HK_NOWHERE,
                        "seconds: 0.001, 1e-3, 1/120, or with a unit: 20ms, 3min",
                        "'%s' (%s) is not a time for %s", w->text, w->from, name);
    if (positive && value.num <= 0)
        return hk_error(c->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%s (%s) must be above 0, not %s",
                        name, w->from, w->text);
    *ret_time = value;
    return HK_OK;
}

static void add_time(completion *c, const char *name, hk_ratio value, hk_source source,
                     const char *from) {
    char text[48];
    hk_settings_add(&c->settings, name, hk_arena_strdup(c->arena, hk_ratio_format(value, text)),
                    source, from);
}

static const char *source_words(const completion *c, hk_source source) {
    if (source == HK_FROM_SYSTEM)
        return c->model->file ? hk_arena_strdup(c->arena, c->model->file) : "the system";
    if (source == HK_FROM_DESCRIPTION)
        return "default experiment of the FMU";
    return "built in";
}

/* Times are the simulation's, where there is one. */
static const char *time_words(const completion *c, hk_source source) {
    if (source == HK_FROM_SYSTEM && c->wishes->simulation)
        return c->wishes->simulation;
    return source_words(c, source);
}

/* What a single component's description suggests, where the system file is silent. */
static void take_defaults(hk_model *model) {
    hk_experiment *e = &model->experiment;
    if (model->component_count != 1)
        return;
    const hk_defaults *defaults = &model->components[0].info->defaults;
    if (defaults->has_start && e->start_source < HK_FROM_DESCRIPTION) {
        e->start = defaults->start;
        e->start_source = HK_FROM_DESCRIPTION;
    }
    if (defaults->has_stop && !e->has_stop) {
        e->stop = defaults->stop;
        e->has_stop = true;
        e->stop_source = HK_FROM_DESCRIPTION;
    }
    if (defaults->has_tolerance && !e->has_tolerance) {
        e->tolerance = defaults->tolerance;
        e->has_tolerance = true;
        e->tolerance_source = HK_FROM_DESCRIPTION;
    }
}

static hk_status apply_start(completion *c) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *w = &c->wishes->start;
    if (e->start.den == 0)
        e->start = (hk_ratio){0, 1};
    if (w->text) {
        HK_TRY(read_time(c, w, "the start time", false, &e->start));
        e->start_source = w->source;
    }
    add_time(c, "start-time", e->start, e->start_source,
             w->text ? w->from : time_words(c, e->start_source));
    return HK_OK;
}

/* The stop time as the start, or the time of the state, plus the duration; without any the duration
 * is one second. */
static hk_status apply_duration(completion *c, const char **ret_from) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *d = &c->wishes->duration;
    hk_ratio duration = {1, 1};
    if (d->text)
        HK_TRY(read_time(c, d, "the duration", true, &duration));
    else if (!c->wishes->only_drawn)
        hk_note(c->ctx, HK_NOWHERE, "no stop time is known, so 1 s is simulated; %s changes it",
                means(c, "--stop-time", "hk_experiment_options.stop"));
    if (!hk_ratio_add(c->wishes->resumes ? c->wishes->resumed : e->start, duration, &e->stop))
        return hk_error(c->ctx, HK_E_TICK_OVERFLOW, HK_NOWHERE, NULL,
                        "start time plus duration does not fit");
    e->stop_source = d->text ? d->source : HK_FROM_DEFAULT;
    *ret_from = d->text ? "command line (--duration)" : "built in";
    return HK_OK;
}

static hk_status apply_stop(completion *c) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *w = &c->wishes->stop;
    const char *from = NULL;
    if (c->wishes->duration.text && w->text && w->source == HK_FROM_USER)
        return hk_error(c->ctx, HK_E_USAGE, HK_NOWHERE, "give one of them",
                        "--stop-time and --duration say the same thing twice");
    if (c->wishes->duration.text || !(w->text || e->has_stop)) {
        HK_TRY(apply_duration(c, &from));
    } else if (w->text) {
        HK_TRY(read_time(c, w, "the stop time", false, &e->stop));
        e->stop_source = w->source;
        from = w->from;
    }
    e->has_stop = true;
    e->tell_stop |= c->wishes->tell_stop;
    /* Then it is the command line that is wrong, not the model. */
    bool asked = w->text || c->wishes->start.text;
    if (hk_ratio_compare(e->stop, e->start) <= 0) {
        char start[48], stop[48];
        return hk_error(
            c->ctx, c->wishes->from_program || !asked ? HK_E_TIME : HK_E_USAGE, HK_NOWHERE,
            means(c, "--stop-time and --start-time set them", "hk_experiment_options sets them"),
            "stop time %s s is not after start time %s s", hk_ratio_format(e->stop, stop),
            hk_ratio_format(e->start, start));
    }
    add_time(c, "stop-time", e->stop, e->stop_source, from ? from : time_words(c, e->stop_source));
    return HK_OK;
}

/* The smallest step that a component without a period of its own suggests. */
static const char *suggested_step(const completion *c, hk_ratio *ret_step) {
    const hk_model *model = c->model;
    const char *who = NULL;
    hk_ratio best = {0, 1};
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *m = &model->components[i];
        if (m->has_period || !m->info->defaults.has_step || m->info->defaults.step.num <= 0)
            continue;
        if (!who || hk_ratio_compare(m->info->defaults.step, best) < 0) {
            best = m->info->defaults.step;
            who = m->name;
        }
    }
    if (who)
        *ret_step = best;
    return who ? hk_arena_printf(c->arena, "default experiment of '%s'", who) : NULL;
}

/* A period that every component has by itself needs no step. */
static bool needs_step(const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++)
        if (!model->components[i].has_period)
            return true;
    return false;
}

/* A simulation ends at the end of a step, and its components are activated at whole steps, also
 * where the command line says something else than the files. */
static hk_status check_grid(const completion *c) {
    const hk_experiment *e = &c->model->experiment;
    hk_ratio length;
    char text[48], step[48];
    (void)hk_ratio_format(e->step, step);
    if (!hk_ratio_sub(e->stop, e->start, &length) || !hk_horizon_is_whole(length, e->step))
        return hk_error(c->ctx, HK_E_TIME, HK_NOWHERE, NULL,
                        "stop time %s s is not the end of a step of the simulation, which is %s s",
                        hk_ratio_format(e->stop, text), step);
    for (size_t i = 0; i < c->model->component_count; i++) {
        const hk_component *m = &c->model->components[i];
        if (m->has_period && !hk_horizon_is_whole(m->period, e->step))
            return hk_error(c->ctx, HK_E_TIME, m->where, NULL,
                            "'%s' is activated every %s s, which is not a whole number of steps of "
                            "%s s, the simulation's",
                            m->name, hk_ratio_format(m->period, text), step);
    }
    return HK_OK;
}

static hk_status guess_step(const completion *c, const char **ret_from) {
    hk_experiment *e = &c->model->experiment;
    const char *field = means(c, "--step-size", "hk_experiment_options.step");
    hk_ratio horizon;
    int64_t den;
    bool common = hk_horizon_common_period(c->model, &e->step);
    if (!common && (!hk_ratio_sub(e->stop, e->start, &horizon) ||
                    __builtin_mul_overflow(horizon.den, (int64_t)STEPS_DEFAULT, &den) ||
                    !hk_ratio_make(horizon.num, den, &e->step)))
        return hk_error(c->ctx, HK_E_TICK_OVERFLOW, HK_NOWHERE,
                        hk_arena_printf(c->arena, "give %s", field),
                        "no step size is known, and none could be chosen");
    char text[48];
    *ret_from = common ? "common period of the components" : "built in (a thousandth of the run)";
    const char *why = common ? "the common period of the others"
                             : hk_arena_printf(c->arena, "%d steps", STEPS_DEFAULT);
    if (needs_step(c->model))
        hk_note(c->ctx, HK_NOWHERE, "no step size is known, so %s s is used (%s); %s changes it",
                hk_ratio_format(e->step, text), why, field);
    return HK_OK;
}

static hk_status apply_step(completion *c) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *w = &c->wishes->step;
    const char *from = w->from;
    if (w->text) {
        HK_TRY(read_time(c, w, "the step size", true, &e->step));
        e->step_source = w->source;
    } else if (e->has_step) {
        from = time_words(c, e->step_source);
    } else if ((from = suggested_step(c, &e->step))) {
        e->step_source = HK_FROM_DESCRIPTION;
    } else {
        HK_TRY(guess_step(c, &from));
        e->step_source = HK_FROM_DEFAULT;
    }
    e->has_step = true;
    hk_model_round_periods(c->model);
    add_time(c, "step-size", e->step, e->step_source, from);
    return HK_OK;
}

/* Where a time was asked for, in words, for a note about it. */
static hk_where place_of(const completion *c, const hk_wish *w) {
    if (!w->text)
        return (hk_where){.file = c->wishes->simulation ? c->wishes->simulation : c->model->file};
    return (hk_where){.element = w->from};
}

static void fit_stop(completion *c) {
    const hk_wish *w = c->wishes->duration.text ? &c->wishes->duration : &c->wishes->stop;
    char text[48];
    if (!hk_horizon_fit_stop(c->ctx, c->model, place_of(c, w)))
        return;
    for (size_t i = 0; i < c->settings.count; i++)
        if (strcmp(c->settings.rows[i].name, "stop-time") == 0)
            c->settings.rows[i].value =
                hk_arena_strdup(c->arena, hk_ratio_format(c->model->experiment.stop, text));
}

/* libcosim takes whole steps only, and ends behind the stop time. */
static void tell_short_step(const completion *c) {
    const hk_experiment *e = &c->model->experiment;
    char step[48], stop[48];
    hk_ratio length;
    if (!c->model->from_osp || !hk_ratio_sub(e->stop, e->start, &length))
        return;
    for (size_t i = 0; i < c->model->component_count; i++) {
        const hk_component *m = &c->model->components[i];
        hk_ratio period = m->has_period ? m->period : e->step;
        if (m->info->stamp == HK_STAMP_START || hk_horizon_is_whole(length, period))
            continue;
        hk_note(
            c->ctx, m->where,
            "its last step is shortened to end at the stop time, %s s, which is not a whole number "
            "of its steps of %s s; libcosim takes the whole step",
            hk_ratio_format(e->stop, stop), hk_ratio_format(period, step));
        return;
    }
}

/* Rows that are more or fewer than the steps, though nobody asked for that in so many words. */
static void tell_rows(const completion *c) {
    const hk_experiment *e = &c->model->experiment;
    const hk_wish *step = &c->wishes->step;
    hk_ratio shortest = hk_horizon_shortest_step(c->model);
    char rows[48], text[48];
    (void)hk_ratio_format(shortest, text);
    if (e->output_interval.num && hk_ratio_compare(e->output_interval, shortest) < 0)
        hk_note(c->ctx, place_of(c, &c->wishes->output_interval),
                "the output interval %s s is below %s s, the shortest step: rows between steps "
                "repeat what the last step gave",
                hk_ratio_format(e->output_interval, rows), text);
    else if (!e->output_interval.num && step->text && hk_ratio_compare(e->step, shortest) > 0)
        hk_note(c->ctx, place_of(c, step),
                "a row is recorded every %s s, the step size, but components step every %s s; %s "
                "changes it",
                hk_ratio_format(e->step, rows), text,
                means(c, "--output-interval", "hk_experiment_options.output_interval"));
}

static hk_status apply_interval(completion *c) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *w = &c->wishes->output_interval;
    if (w->text) {
        HK_TRY(read_time(c, w, "the output interval", true, &e->output_interval));
        e->output_interval_source = w->source;
    }
    if (e->output_interval.den == 0)
        e->output_interval = (hk_ratio){0, 1};
    if (e->output_interval.num)
        (void)hk_horizon_fit_interval(c->ctx, c->model, place_of(c, w));
    if (!c->wishes->simulation)
        tell_rows(c);
    if (c->wishes->simulation)
        hk_settings_add(&c->settings, "output-interval", "of each log", HK_FROM_SYSTEM,
                        c->wishes->simulation);
    else if (e->output_interval.num == 0)
        hk_settings_add(&c->settings, "output-interval", "every step", HK_FROM_DEFAULT, "built in");
    else
        add_time(c, "output-interval", e->output_interval, e->output_interval_source,
                 w->text ? w->from : source_words(c, e->output_interval_source));
    return HK_OK;
}

static hk_status apply_tolerance(completion *c) {
    hk_experiment *e = &c->model->experiment;
    const hk_wish *w = &c->wishes->tolerance;
    if (w->text) {
        double value;
        if (!hk_read_f64(w->text, strlen(w->text), &value) || !(value > 0) || value > 1)
            return hk_error(c->ctx, HK_E_USAGE, HK_NOWHERE, "a number like 1e-6",
                            "'%s' (%s) is not a relative tolerance", w->text, w->from);
        e->tolerance = value;
        e->has_tolerance = true;
        e->tolerance_source = w->source;
    }
    char text[HK_NUMBER_MAX];
    const char *shown = "not given";
    if (e->has_tolerance)
        shown = hk_arena_strndup(c->arena, text, hk_write_f64(e->tolerance, text));
    hk_settings_add(&c->settings, "tolerance", shown, e->tolerance_source,
                    w->text ? w->from : source_words(c, e->tolerance_source));
    return HK_OK;
}

static hk_status apply_algorithm(completion *c) {
    const hk_experiment *e = &c->model->experiment;
    hk_wish w = c->wishes->algorithm;
    if (!w.text)
        w.source = e->algorithm_source;
    c->settings.algorithm = e->has_algorithm ? e->algorithm : HK_JACOBI;
    if (w.text && !hk_algorithm_find(w.text, &c->settings.algorithm))
        return hk_error(c->ctx, HK_E_USAGE, HK_NOWHERE, "one of: jacobi gauss-seidel",
                        "there is no algorithm '%s' (%s)", w.text, w.from);
    hk_settings_add(&c->settings, "algorithm", hk_algorithm_words[c->settings.algorithm], w.source,
                    w.text                                            ? w.from
                    : w.source == HK_FROM_DEFAULT && e->has_algorithm ? "built in (.system files)"
                                                                      : source_words(c, w.source));
    return HK_OK;
}

/* Events, logs and expectations of a simulation count from its start, in its steps. */
static hk_status leave_to_simulation(const completion *c, hk_wish *wish, const char *what) {
    hk_where where = {.file = c->wishes->simulation};
    if (!c->wishes->simulation || !wish->text)
        return HK_OK;
    if (wish->source == HK_FROM_USER)
        return hk_error(
            c->ctx, HK_E_USAGE, where, "change it there, or give it a parameter and use --define",
            "%s is not for simulations: events, logs and expectations are written for the "
            "start and the step of the file",
            what);
    hk_note(c->ctx, where, "%s is not used: a simulation says it itself", wish->from);
    *wish = (hk_wish){0};
    return HK_OK;
}

hk_status hk_settings_complete(hk_ctx *ctx, hk_arena *arena, const hk_wishes *wishes,
                               hk_model *model, hk_settings *ret_settings) {
    hk_wishes wanted = *wishes;
    completion c = {.ctx = ctx, .arena = arena, .wishes = &wanted, .model = model};
    HK_TRY(leave_to_simulation(&c, &wanted.start,
                               means(&c, "--start-time", "hk_experiment_options.start")));
    HK_TRY(leave_to_simulation(&c, &wanted.step,
                               means(&c, "--step-size", "hk_experiment_options.step")));
    HK_TRY(leave_to_simulation(
        &c, &wanted.output_interval,
        means(&c, "--output-interval", "hk_experiment_options.output_interval")));
    take_defaults(model);
    HK_TRY(apply_start(&c));
    HK_TRY(apply_stop(&c));
    HK_TRY(apply_step(&c));
    fit_stop(&c);
    tell_short_step(&c);
    if (wanted.simulation)
        HK_TRY(check_grid(&c));
    HK_TRY(apply_interval(&c));
    HK_TRY(apply_tolerance(&c));
    HK_TRY(apply_algorithm(&c));
    *ret_settings = c.settings;
    return HK_OK;
}
