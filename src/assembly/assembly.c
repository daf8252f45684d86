/* SPDX-License-Identifier: MIT */
#include "assembly/assembly.h"

#include "assembly/bindings.h"
#include "assembly/isolation.h"
#include "assembly/remote_units.h"
#include "assembly/start_values.h"
#include "base/file.h"
#include "base/number.h"
#include "base/packed.h"
#include "base/seconds.h"
#include "check/check.h"
#include "lang/lang.h"
#include "lang/schedule/schedule.h"
#include "native/native.h"
#include "plan/constraints.h"
#include "plan/overrun.h"
#include "sound/sound.h"

#include <string.h>

/* ---- the file ---- */

hk_status hk_request_begin(hk_ctx *ctx, const char *file, hk_request *ret_request) {
    *ret_request = (hk_request){.file = file};
    return hk_file_classify(ctx, file, &ret_request->kind);
}

hk_status hk_assembly_open(hk_ctx *ctx, const hk_request *request, hk_assembly *ret_assembly) {
    hk_assembly *a = ret_assembly;
    *a = (hk_assembly){.arena = hk_arena_create(), .request = request};
    hk_ratio asked;
    const hk_ratio *step = hk_wish_read_step(&request->wishes.step, &asked) ? &asked : NULL;
    if (request->kind != HK_FILE_SIMULATION && request->parameter_set)
        return hk_model_open_with_set(ctx, request->file, request->kind, request->parameter_set,
                                      step, &a->model);
    if (request->kind != HK_FILE_SIMULATION)
        return hk_model_open_kind(ctx, request->file, request->kind, step, &a->model);
    const hk_simulation_wishes wishes = {request->system, request->parameter_set,
                                         request->defines.all, request->defines.count};
    HK_TRY(hk_simulation_open(ctx, request->file, &wishes, &a->simulation));
    a->model = a->simulation->model;
    return HK_OK;
}

void hk_assembly_take(const hk_request *request, hk_model *model, hk_simulation *simulation,
                      hk_assembly *ret_assembly) {
    *ret_assembly = (hk_assembly){.arena = hk_arena_create(),
                                  .request = request,
                                  .model = model,
                                  .simulation = simulation,
                                  .borrowed = true};
}

void hk_assembly_close(hk_assembly *assembly) {
    hk_plan_destroy(assembly->plan);
    if (assembly->simulation && !assembly->borrowed)
        hk_simulation_destroy(assembly->simulation);
    else if (!assembly->borrowed)
        hk_model_destroy(assembly->model);
    if (assembly->arena)
        hk_arena_destroy(assembly->arena);
    *assembly = (hk_assembly){0};
}

/* ---- what is asked for ---- */

static const char *names_hint(const hk_assembly *a) {
    const char *file = a->simulation ? a->model->file : a->request->file;
    if (hk_packed_is(file)) /* a tool has no such verb, and nobody else can read the file in it */
        return hk_arena_printf(a->arena, "'hocket info %s' lists what is there, where the model is",
                               hk_path_name(file));
    return hk_arena_printf(a->arena, "'hocket info %s' lists what is there", file);
}

/* Files come first, so that the command line has the last word. */
static hk_status set_values(hk_ctx *ctx, hk_assembly *a) {
    const hk_request *r = a->request;
    hk_start_values values = {0};
    hk_start_rules rules = {.names_hint = names_hint(a)};
    if (a->simulation) {
        rules.fixed_sizes = "a structural parameter decides sizes that the scenarios have been "
                            "read with";
        rules.fixed_hint = "set it in the system";
    }
    for (size_t i = 0; i < r->set_files.count; i++)
        HK_TRY(hk_set_file_read(ctx, a->arena, r->set_files.all[i], &values));
    for (size_t i = 0; i < r->sets.count; i++)
        HK_TRY(hk_start_value_split(ctx, a->arena, r->sets.all[i], &values));
    return hk_start_values_set(ctx, a->arena, a->model, &values, &rules, &a->settings);
}

static hk_status read_conditions(hk_ctx *ctx, hk_assembly *a) {
    const hk_texts *texts = &a->request->stop_when;
    a->stop_when = HK_NEW_ARRAY(a->arena, hk_stop_when, texts->count);
    for (size_t i = 0; i < texts->count; i++)
        HK_TRY(hk_condition_read(ctx, a->arena, a->model,
                                 &(hk_asker){.who = "--stop-when", .fallback = names_hint(a)},
                                 texts->all[i], &a->stop_when[i]));
    a->stop_when_count = texts->count;
    return HK_OK;
}

/* A run that goes beyond a table sees its first or its last row there. */
static void tell_tables(hk_ctx *ctx, const hk_model *model) {
    double start = hk_ratio_to_double(model->experiment.start);
    double stop = hk_ratio_to_double(model->experiment.stop);
    char end[HK_NUMBER_MAX + 1], run[48];
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        hk_table_ends t;
        if (!hk_table_span(info, &t))
            continue;
        if (t.last < stop && hk_seconds_tellable(stop - t.last, stop)) {
            end[hk_write_f64(t.last, end)] = '\0';
            hk_note(ctx, (hk_where){.file = info->file, .line = t.last_line},
                    "the table ends at %s s, and the run at %s s: from there on its last row holds",
                    end, hk_ratio_format(model->experiment.stop, run));
        }
        if (t.first > start && hk_seconds_tellable(t.first - start, t.first)) {
            end[hk_write_f64(t.first, end)] = '\0';
            hk_note(ctx, (hk_where){.file = info->file, .line = t.first_line},
                    "the table begins at %s s, and the run at %s s: before it its first row holds",
                    end, hk_ratio_format(model->experiment.start, run));
        }
    }
}

hk_status hk_assembly_settle(hk_ctx *ctx, hk_assembly *assembly) {
    HK_TRY(hk_settings_complete(ctx, assembly->arena, &assembly->request->wishes, assembly->model,
                                &assembly->settings));
    if (assembly->borrowed) /* else those that were asked for come later */
        tell_tables(ctx, assembly->model);
    return HK_OK;
}

hk_status hk_assembly_check(hk_ctx *ctx, hk_model *model) {
    HK_TRY(hk_check_model(ctx, model));
    hk_model_lower(model);
    return HK_OK;
}

/* It gives all connections their lags, and with them what the plan is about. */
static hk_status take_master(hk_ctx *ctx, hk_assembly *a) {
    const char *file = a->request->master;
    if (!file)
        return HK_OK;
    const hk_wish *algorithm = &a->request->wishes.algorithm;
    if (a->simulation)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "name its system",
                        "--master is not for simulations: a master says nothing of what its "
                        "events change");
    if (algorithm->text && strcmp(algorithm->from, "command line") == 0)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out --algorithm",
                        "--algorithm is for connections without a lag, and --master gives all one");
    if (algorithm->text)
        hk_note(ctx, (hk_where){.file = file}, "%s has no say: the master gives all lags",
                algorithm->from);
    hk_settings_drop(&a->settings, "algorithm");
    hk_settings_add(&a->settings, "master", file, HK_FROM_USER, "command line");
    return hk_master_file_apply(ctx, a->arena, a->model, file, &a->master);
}

static void say_again(hk_ctx *ctx, const hk_ctx *said) {
    for (size_t i = 0; i < hk_ctx_count(said, HK_NOTE); i++)
        hk_say_again(ctx, hk_ctx_diag(said, i));
}

hk_status hk_assembly_set(hk_ctx *ctx, hk_assembly *assembly) {
    const hk_request *r = assembly->request;
    for (size_t i = 0; i < r->tables.count; i++)
        HK_TRY(hk_table_add(ctx, assembly->model, r->tables.all[i]));
    return set_values(ctx, assembly);
}

static hk_status put_on(hk_ctx *ctx, hk_assembly *a) {
    HK_TRY(hk_assembly_set(ctx, a));
    HK_TRY(read_conditions(ctx, a));
    return hk_assembly_check(ctx, a->model);
}

/* Settings come before tables, which are not part of the system whose defaults count; what had to
 * be guessed is worth a note only if nothing is wrong. */
hk_status hk_assembly_complete(hk_ctx *ctx, hk_assembly *assembly) {
    const hk_request *r = assembly->request;
    if (r->schedule)
        HK_TRY(hk_schedule_read(ctx, assembly->model, r->schedule));
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status = hk_assembly_settle(aside, assembly), judged = HK_OK;
    if (status == HK_OK)
        judged = put_on(ctx, assembly);
    if (judged == HK_OK) {
        say_again(ctx, aside);
        if (status == HK_OK)
            tell_tables(ctx, assembly->model);
    }
    hk_ctx_destroy(aside);
    HK_TRY(status);
    HK_TRY(judged);
    HK_TRY(hk_assembly_isolate(ctx, assembly));
    HK_TRY(hk_assembly_check_remote(ctx, assembly));
    return take_master(ctx, assembly);
}

/* ---- the plan ---- */

static hk_status look_at_contract(hk_ctx *ctx, hk_assembly *a) {
    size_t broken = 0;
    if (!a->request->contract)
        return HK_OK;
    HK_TRY(hk_sound_check_plan(ctx, a->plan, &broken));
    a->contract = hk_sound_plan_words(a->arena, broken);
    return HK_OK;
}

hk_status hk_assembly_plan(hk_ctx *ctx, hk_assembly *assembly, bool quiet) {
    hk_plan_options options = {.algorithm = assembly->settings.algorithm};
    hk_bindings bindings;
    if (assembly->simulation) {
        bindings = hk_simulation_bindings(assembly->simulation, assembly->arena);
        options.bindings = &bindings;
    }
    options.levels = assembly->master ? assembly->master->levels : NULL;
    hk_plan_destroy(assembly->plan);
    assembly->plan = NULL;
    HK_TRY(hk_plan_make(ctx, assembly->model, &options, &assembly->plan));
    if (assembly->master)
        HK_TRY(hk_master_file_prove(ctx, assembly->master, assembly->plan));
    if (!quiet) {
        hk_plan_warn_constraints(ctx, assembly->plan);
        hk_plan_warn_load(ctx, assembly->plan);
    }
    hk_plan_warn_late_services(ctx, assembly->plan);
    return look_at_contract(ctx, assembly);
}
