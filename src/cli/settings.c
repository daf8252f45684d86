/* SPDX-License-Identifier: MIT
 *
 * The experiment settings and where they come from. */
#include "base/number.h"
#include "cli/load.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_DEFAULT = 1000 }; /* in a run whose step nobody knows */

void hk_settings_add(hk_settings *settings, const char *name, const char *value, hk_source source,
                     const char *from) {
    HK_ASSERT(settings->count < HK_SETTINGS_MAX);
    settings->rows[settings->count++] = (struct hk_settings_row){name, value, source, from};
}

void hk_settings_print(const hk_settings *settings, FILE *out) {
    for (size_t i = 0; i < settings->count; i++) {
        const struct hk_settings_row *row = &settings->rows[i];
        fprintf(out, "%-16s %-14s %s\n", row->name, row->value, row->from);
    }
}

/* A value that flags or the environment give; the text as written. */
typedef struct wish {
    const char *text; /* NULL: nobody asks */
    hk_source source;
    const char *from;
} wish;

static wish wish_for(const char *flag, const char *variable) {
    const char *environment = getenv(variable);
    if (flag)
        return (wish){flag, HK_FROM_USER, "command line"};
    if (environment && *environment)
        return (wish){environment, HK_FROM_ENVIRONMENT, variable};
    return (wish){NULL, HK_FROM_DEFAULT, NULL};
}

static hk_status read_time(hk_cli *cli, const wish *w, const char *name, bool positive,
                           hk_ratio *ret_time) {
    hk_ratio value;
    if (!hk_time_parse(w->text, &value))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "seconds: 0.001, 1e-3, 1/120, or with a unit: 20ms, 3min",
                        "'%s' (%s) is no time for %s", w->text, w->from, name);
    if (positive && value.num <= 0)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%s (%s) must be above 0, not %s",
                        name, w->from, w->text);
    *ret_time = value;
    return HK_OK;
}

static void add_time(hk_cli *cli, hk_settings *settings, const char *name, hk_ratio value,
                     hk_source source, const char *from) {
    char text[48];
    hk_settings_add(settings, name, hk_arena_strdup(cli->arena, hk_ratio_format(value, text)),
                    source, from);
}

static const char *source_words(hk_cli *cli, const hk_model *model, hk_source source) {
    if (source == HK_FROM_SYSTEM)
        return hk_arena_printf(cli->arena, "%s", model->file);
    if (source == HK_FROM_DESCRIPTION)
        return "default experiment of the FMU";
    return "built in";
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

static hk_status apply_start(hk_cli *cli, const hk_request *request, hk_model *model,
                             hk_settings *settings) {
    hk_experiment *e = &model->experiment;
    wish w = wish_for(request->start, "HK_START_TIME");
    if (e->start.den == 0)
        e->start = (hk_ratio){0, 1};
    if (w.text) {
        HK_TRY(read_time(cli, &w, "the start time", false, &e->start));
        e->start_source = w.source;
    }
    add_time(cli, settings, "start-time", e->start, e->start_source,
             w.text ? w.from : source_words(cli, model, e->start_source));
    return HK_OK;
}

static hk_status apply_stop(hk_cli *cli, const hk_request *request, hk_model *model,
                            hk_settings *settings) {
    hk_experiment *e = &model->experiment;
    wish w = wish_for(request->stop, "HK_STOP_TIME");
    const char *from = NULL;
    if (request->stop && request->duration)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "give one of them",
                        "--stop-time and --duration say the same thing twice");
    if (request->duration || !(w.text || e->has_stop)) {
        hk_ratio duration = {1, 1};
        wish d = {request->duration, HK_FROM_USER, "command line"};
        if (d.text)
            HK_TRY(read_time(cli, &d, "the duration", true, &duration));
        else
            hk_note(cli->ctx, HK_NOWHERE,
                    "no stop time is known, so 1 s is simulated; --stop-time changes it");
        if (!hk_ratio_add(e->start, duration, &e->stop))
            return hk_error(cli->ctx, HK_E_TICK_OVERFLOW, HK_NOWHERE, NULL,
                            "start time plus duration does not fit");
        e->stop_source = d.text ? HK_FROM_USER : HK_FROM_DEFAULT;
        from = d.text ? "command line (--duration)" : "built in";
    } else if (w.text) {
        HK_TRY(read_time(cli, &w, "the stop time", false, &e->stop));
        e->stop_source = w.source;
        from = w.from;
    }
    e->has_stop = true;
    if (hk_ratio_compare(e->stop, e->start) <= 0) {
        char start[48], stop[48];
        return hk_error(cli->ctx, HK_E_TIME, HK_NOWHERE, "--stop-time and --start-time set them",
                        "stop time %s s is not after start time %s s",
                        hk_ratio_format(e->stop, stop), hk_ratio_format(e->start, start));
    }
    add_time(cli, settings, "stop-time", e->stop, e->stop_source,
             from ? from : source_words(cli, model, e->stop_source));
    return HK_OK;
}

/* The smallest step that a component without a period of its own suggests. */
static const char *suggested_step(hk_cli *cli, const hk_model *model, hk_ratio *ret_step) {
    const char *who = NULL;
    hk_ratio best = {0, 1};
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        if (c->has_period || !c->info->defaults.has_step || c->info->defaults.step.num <= 0)
            continue;
        if (!who || hk_ratio_compare(c->info->defaults.step, best) < 0) {
            best = c->info->defaults.step;
            who = c->name;
        }
    }
    if (who)
        *ret_step = best;
    return who ? hk_arena_printf(cli->arena, "default experiment of '%s'", who) : NULL;
}

/* A period that every component has by itself needs no step. */
static bool needs_step(const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++)
        if (!model->components[i].has_period)
            return true;
    return false;
}

static hk_status guess_step(hk_cli *cli, hk_model *model) {
    hk_experiment *e = &model->experiment;
    hk_ratio horizon;
    int64_t den;
    if (!hk_ratio_sub(e->stop, e->start, &horizon) ||
        __builtin_mul_overflow(horizon.den, (int64_t)STEPS_DEFAULT, &den) ||
        !hk_ratio_make(horizon.num, den, &e->step))
        return hk_error(cli->ctx, HK_E_TICK_OVERFLOW, HK_NOWHERE, "give --step-size",
                        "no step size is known, and none could be chosen");
    char text[48];
    if (needs_step(model))
        hk_note(cli->ctx, HK_NOWHERE,
                "no step size is known, so %s s is used (%d steps); --step-size changes it",
                hk_ratio_format(e->step, text), STEPS_DEFAULT);
    return HK_OK;
}

static hk_status apply_step(hk_cli *cli, const hk_request *request, hk_model *model,
                            hk_settings *settings) {
    hk_experiment *e = &model->experiment;
    wish w = wish_for(request->step, "HK_STEP_SIZE");
    const char *from = w.from;
    if (w.text) {
        HK_TRY(read_time(cli, &w, "the step size", true, &e->step));
        e->step_source = w.source;
    } else if (e->has_step) {
        from = source_words(cli, model, e->step_source);
    } else if ((from = suggested_step(cli, model, &e->step))) {
        e->step_source = HK_FROM_DESCRIPTION;
    } else {
        HK_TRY(guess_step(cli, model));
        e->step_source = HK_FROM_DEFAULT;
        from = "built in (a thousandth of the run)";
    }
    e->has_step = true;
    add_time(cli, settings, "step-size", e->step, e->step_source, from);
    return HK_OK;
}

static hk_status apply_interval(hk_cli *cli, const hk_request *request, hk_model *model,
                                hk_settings *settings) {
    hk_experiment *e = &model->experiment;
    wish w = wish_for(request->output_interval, "HK_OUTPUT_INTERVAL");
    if (w.text) {
        HK_TRY(read_time(cli, &w, "the output interval", true, &e->output_interval));
        e->output_interval_source = w.source;
    }
    if (e->output_interval.den == 0)
        e->output_interval = (hk_ratio){0, 1};
    if (e->output_interval.num == 0)
        hk_settings_add(settings, "output-interval", "every step", HK_FROM_DEFAULT, "built in");
    else
        add_time(cli, settings, "output-interval", e->output_interval, e->output_interval_source,
                 w.text ? w.from : source_words(cli, model, e->output_interval_source));
    return HK_OK;
}

static hk_status apply_tolerance(hk_cli *cli, const hk_request *request, hk_model *model,
                                 hk_settings *settings) {
    hk_experiment *e = &model->experiment;
    wish w = wish_for(request->tolerance, "HK_TOLERANCE");
    if (w.text) {
        double value;
        if (!hk_read_f64(w.text, strlen(w.text), &value) || !(value > 0) || value > 1)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a number like 1e-6",
                            "'%s' (%s) is no relative tolerance", w.text, w.from);
        e->tolerance = value;
        e->has_tolerance = true;
        e->tolerance_source = w.source;
    }
    hk_settings_add(settings, "tolerance",
                    e->has_tolerance ? hk_show_f64(cli->arena, e->tolerance) : "not given",
                    e->tolerance_source,
                    w.text ? w.from : source_words(cli, model, e->tolerance_source));
    return HK_OK;
}

static hk_status apply_algorithm(hk_cli *cli, const hk_request *request, const hk_model *model,
                                 hk_settings *settings) {
    const hk_experiment *e = &model->experiment;
    wish w = wish_for(request->algorithm, "HK_ALGORITHM");
    if (!w.text && e->has_algorithm)
        w.source = HK_FROM_SYSTEM;
    settings->algorithm = e->has_algorithm ? e->algorithm : HK_JACOBI;
    if (w.text && strcmp(w.text, "gauss-seidel") == 0)
        settings->algorithm = HK_GAUSS_SEIDEL;
    else if (w.text && strcmp(w.text, "jacobi") == 0)
        settings->algorithm = HK_JACOBI;
    else if (w.text)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "one of: jacobi gauss-seidel",
                        "there is no algorithm '%s' (%s)", w.text, w.from);
    hk_settings_add(settings, "algorithm",
                    settings->algorithm == HK_JACOBI ? "jacobi" : "gauss-seidel", w.source,
                    w.text ? w.from : source_words(cli, model, w.source));
    return HK_OK;
}

hk_status hk_settings_apply(hk_cli *cli, const hk_request *request, hk_model *model,
                            hk_settings *ret_settings) {
    hk_settings settings = {0};
    take_defaults(model);
    HK_TRY(apply_start(cli, request, model, &settings));
    HK_TRY(apply_stop(cli, request, model, &settings));
    HK_TRY(apply_step(cli, request, model, &settings));
    HK_TRY(apply_interval(cli, request, model, &settings));
    HK_TRY(apply_tolerance(cli, request, model, &settings));
    HK_TRY(apply_algorithm(cli, request, model, &settings));
    *ret_settings = settings;
    return HK_OK;
}
