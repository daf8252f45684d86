/* SPDX-License-Identifier: MIT
 *
 * Before the first run: each scenario on the plan, with its times in ticks. */
#include "play/play_internal.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* ---- what conditions look at, and what faults may touch ---- */

typedef struct signals {
    hk_signal *all;
    size_t count, cap;
} signals;

static void observe_term(signals *list, const hk_term *term) {
    if (term->is_signal)
        HK_PUSH(list->all, list->count, list->cap, term->signal);
}

static void observe_test(signals *list, const hk_test *test) {
    if (!test)
        return;
    if (test->kind == HK_TEST_COMPARE) {
        observe_term(list, &test->left);
        observe_term(list, &test->right);
        return;
    }
    observe_test(list, test->a);
    observe_test(list, test->b);
}

/* Values that are put back, or that ramps begin at, are read before they are changed. */
static void observe_variables(hk_stage *stage, signals *list, const hk_actions *actions,
                              bool during) {
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (a->kind != HK_ACTION_RAMP && a->kind != HK_ACTION_OVERRIDE &&
            !(during && a->kind == HK_ACTION_SET))
            continue;
        hk_actions targets = hk_spell_out(stage->simulation->model, stage->arena, a);
        for (size_t k = 0; k < targets.count; k++) {
            hk_signal signal = {targets.all[k].component, targets.all[k].variable, 0, NULL};
            HK_PUSH(list->all, list->count, list->cap, signal);
        }
    }
}

static void find_observed(hk_stage *stage, hk_scene *scene) {
    signals list = {0};
    const hk_scenario *s = scene->scenario;
    observe_variables(stage, &list, &stage->simulation->begin, false);
    observe_variables(stage, &list, &s->begin, false);
    for (size_t i = 0; i < s->event_count; i++) {
        observe_test(&list, s->events[i].condition);
        observe_test(&list, s->events[i].until);
        observe_variables(stage, &list, &s->events[i].actions, s->events[i].kind == HK_DURING);
    }
    scene->observed = HK_NEW_ARRAY(stage->arena, hk_signal, list.count + 1);
    if (list.count)
        memcpy(scene->observed, list.all, list.count * sizeof *list.all);
    scene->observed_count = list.count;
    hk_free(list.all);
}

typedef struct numbers {
    uint32_t *all;
    size_t count, cap;
} numbers;

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static void add_shaky(numbers *list, const hk_actions *actions) {
    for (size_t i = 0; i < actions->count; i++)
        for (size_t k = 0; k < actions->all[i].connection_count; k++)
            HK_PUSH(list->all, list->count, list->cap, actions->all[i].connections[k]);
}

static void find_shaky(hk_stage *stage, hk_scene *scene) {
    numbers list = {0};
    add_shaky(&list, &stage->simulation->begin);
    add_shaky(&list, &scene->scenario->begin);
    for (size_t i = 0; i < scene->scenario->event_count; i++)
        add_shaky(&list, &scene->scenario->events[i].actions);
    add_shaky(&list, &scene->scenario->end);
    add_shaky(&list, &stage->simulation->end);
    scene->shaky = HK_NEW_ARRAY(stage->arena, uint32_t, list.count + 1);
    if (list.count)
        qsort(list.all, list.count, sizeof *list.all, by_number);
    for (size_t i = 0; i < list.count; i++)
        if (!i || list.all[i] != list.all[i - 1])
            scene->shaky[scene->shaky_count++] = list.all[i];
    hk_free(list.all);
}

/* Connections that will be delayed keep their past, in a plan of the scene's own: *PLAN, NULL until
 * there is one. */
static hk_status keep_pasts(hk_ctx *ctx, const hk_stage *stage, const hk_actions *actions,
                            hk_plan **plan) {
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (a->kind != HK_ACTION_FAULT || a->fault.kind != HK_FAULT_DELAY)
            continue;
        if (!*plan)
            *plan = hk_plan_copy(stage->plan, stage->arena);
        for (size_t k = 0; k < a->connection_count; k++)
            HK_TRY(hk_plan_keep_past(ctx, *plan, a->connections[k], a->fault.delay, a->where));
    }
    return HK_OK;
}

static hk_status take_plan(hk_ctx *ctx, const hk_stage *stage, hk_scene *scene) {
    const hk_scenario *s = scene->scenario;
    hk_plan *own = NULL;
    HK_TRY(keep_pasts(ctx, stage, &stage->simulation->begin, &own));
    HK_TRY(keep_pasts(ctx, stage, &s->begin, &own));
    for (size_t i = 0; i < s->event_count; i++)
        HK_TRY(keep_pasts(ctx, stage, &s->events[i].actions, &own));
    scene->plan = own ? own : stage->plan;
    return HK_OK;
}

/* ---- events and expectations ---- */

static void place_events(hk_stage *stage, hk_scene *scene) {
    const hk_scenario *s = scene->scenario;
    scene->events = HK_NEW_ARRAY(stage->arena, hk_scene_event, s->event_count + 1);
    scene->timed = HK_NEW_ARRAY(stage->arena, uint32_t, s->event_count + 1);
    scene->whens = HK_NEW_ARRAY(stage->arena, uint32_t, s->event_count + 1);
    scene->others = HK_NEW_ARRAY(stage->arena, uint32_t, s->event_count + 1);
    for (size_t i = 0; i < s->event_count; i++) {
        const hk_event *e = &s->events[i];
        hk_scene_event *at = &scene->events[i];
        at->first = e->kind == HK_WHEN ? stage->plan->start : hk_grid_tick(stage->plan, e->from);
        at->last = e->kind == HK_DURING ? hk_grid_tick(stage->plan, e->to) : HK_TICK_NEVER;
        if (at->first > stage->plan->stop || at->last <= at->first)
            at->first = HK_TICK_NEVER;
        if (e->kind == HK_AT)
            scene->timed[scene->timed_count++] = (uint32_t)i;
        else if (e->kind == HK_WHEN)
            scene->whens[scene->when_count++] = (uint32_t)i;
        else
            scene->others[scene->other_count++] = (uint32_t)i;
    }
}

static void place_windows(hk_stage *stage, hk_scene *scene) {
    const hk_scenario *s = scene->scenario;
    scene->windows = HK_NEW_ARRAY(stage->arena, hk_scene_window, s->expectation_count + 1);
    for (size_t i = 0; i < s->expectation_count; i++) {
        const hk_expectation *e = &s->expectations[i];
        scene->windows[i] = (hk_scene_window){
            e->has_from || e->kind == HK_AT_TIME ? hk_ticks_of(stage->plan, e->from, true)
                                                 : stage->plan->start,
            e->has_to ? hk_ticks_of(stage->plan, e->to, false) : HK_TICK_NEVER};
    }
}

/* Conditions are looked at on the grid of steps, also where every component is slower. */
static bool needs_grid(const hk_stage *stage, const hk_scene *scene, hk_tick step) {
    bool looks = false;
    for (size_t i = 0; i < scene->scenario->event_count; i++)
        looks = looks || scene->scenario->events[i].kind == HK_WHEN;
    for (size_t i = 0; i < stage->simulation->model->component_count; i++)
        looks = looks && (stage->plan->components[i].period != step ||
                          stage->plan->components[i].offset != 0);
    return looks;
}

/* ---- logs ---- */

const char *hk_log_path(hk_arena *arena, const hk_simulation *simulation,
                        const hk_play_options *options, const hk_scenario *scenario,
                        const hk_scenario_log *log, int64_t run) {
    HK_ASSERT(arena && simulation && options && scenario);
    bool named = scenario->repetitions > 1 || (!log && simulation->scenario_count > 1);
    const char *file = log ? log->file : "record.csv", *extension = hk_path_extension(file);
    for (size_t i = 0; i < simulation->scenario_count && !named; i++) {
        const hk_scenario *other = &simulation->scenarios[i];
        for (size_t k = 0; other != scenario && k < other->log_count; k++)
            named = named || strcmp(other->logs[k].file, file) == 0;
    }
    int stem = (int)(strlen(file) - strlen(extension));
    if (scenario->repetitions > 1)
        file = hk_arena_printf(arena, "%.*s.%s.%04lld%s", stem, file, scenario->name,
                               (long long)run, extension);
    else if (named)
        file = hk_arena_printf(arena, "%.*s.%s%s", stem, file, scenario->name, extension);
    return options->folder ? hk_path_join(arena, options->folder, file) : file;
}

/* Files that this play writes, and the first log of each; its log is NULL for a record. */
typedef struct log_files {
    hk_arena *arena;
    hk_map paths;
    const hk_scenario_log **all;
    size_t count, cap;
} log_files;

static hk_status note_file(hk_ctx *ctx, const hk_stage *stage, log_files *files,
                           const hk_scenario *scenario, const hk_scenario_log *log, int64_t run) {
    const char *path =
        hk_log_path(files->arena, stage->simulation, stage->options, scenario, log, run);
    uint32_t mine = (uint32_t)files->count, found = hk_map_put(&files->paths, path, mine);
    HK_PUSH(files->all, files->count, files->cap, log);
    if (found == mine)
        return HK_OK;
    const hk_scenario_log *other = files->all[found], *at = log ? log : other;
    return hk_error(ctx, HK_E_SCENARIO, at ? at->where : scenario->where,
                    "names get the scenario and the run where several would write one file; "
                    "choose another name",
                    "two logs would be written to '%s': %s and %s", path,
                    other ? hk_arena_printf(files->arena, "the one of line %d", other->where.line)
                          : "the record",
                    log ? "this one" : "the record");
}

/* A name that is made for a log may be the one that another has by itself. */
static hk_status check_files(hk_ctx *ctx, const hk_stage *stage) {
    const hk_play_options *o = stage->options;
    bool record = o->record.count > 0;
    log_files files = {.arena = hk_arena_create()};
    hk_status status = HK_OK;
    for (size_t i = 0; i < stage->simulation->scenario_count; i++) {
        const hk_scenario *s = &stage->simulation->scenarios[i];
        for (int64_t run = 0; run < s->repetitions && status == HK_OK; run++) {
            for (size_t k = 0; !o->no_logs && !o->node && k < s->log_count && status == HK_OK; k++)
                status = note_file(ctx, stage, &files, s, &s->logs[k], run);
            if (record && status == HK_OK)
                status = note_file(ctx, stage, &files, s, NULL, run);
        }
    }
    hk_map_finish(&files.paths);
    hk_free(files.all);
    hk_arena_destroy(files.arena);
    return status;
}

static hk_column column_of(const hk_model *model, const hk_signal *s, const char *name) {
    const hk_variable *v = &model->components[s->component].info->variables[s->variable];
    return (hk_column){.name = name,
                       .unit = s->shown ? s->shown->unit : v->unit,
                       .component = s->component,
                       .variable = s->variable,
                       .element = s->element,
                       .type = v->type,
                       .store = v->store,
                       .transform =
                           s->shown && s->shown->transform.kind ? &s->shown->transform : NULL,
                       .of = v};
}

static bool is_judged(const hk_scene *scene, const hk_signal *s) {
    for (size_t k = 0; k < scene->judged_count; k++)
        if (scene->judged[k].component == s->component &&
            scene->judged[k].variable == s->variable && scene->judged[k].element == s->element)
            return true;
    return false;
}

/* What expectations look at. */
static void place_judged(hk_stage *stage, hk_scene *scene) {
    const hk_scenario *s = scene->scenario;
    signals list = {0};
    for (size_t i = 0; i < s->expectation_count; i++) {
        observe_test(&list, s->expectations[i].condition);
        observe_test(&list, s->expectations[i].trigger);
        if (s->expectations[i].measure)
            HK_PUSH(list.all, list.count, list.cap, s->expectations[i].measure->signal);
    }
    scene->judged = HK_NEW_ARRAY(stage->arena, hk_column, list.count);
    for (size_t i = 0; i < list.count; i++) {
        if (is_judged(scene, &list.all[i]))
            continue;
        hk_column *c = &scene->judged[scene->judged_count++];
        *c = column_of(stage->simulation->model, &list.all[i], "");
        c->transform = NULL; /* conditions change what they look at themselves */
    }
    scene->judged_size = hk_columns_layout(scene->judged, scene->judged_count);
    hk_free(list.all);
}

static void add_log(hk_stage *stage, hk_scene *scene, const hk_scenario_log *log) {
    hk_scene_log *l = &scene->logs[scene->log_count++];
    *l = (hk_scene_log){.log = log, .count = log->count};
    if (!hk_tick_from_ratio(log->period, stage->plan->ticks_per_second, &l->period))
        l->period = HK_TICK_LIMIT; /* whole steps, but longer than any run */
    l->columns = HK_NEW_ARRAY(stage->arena, hk_column, log->count + 1);
    for (size_t k = 0; k < log->count; k++)
        l->columns[k] = column_of(stage->simulation->model, &log->signals[k], log->names[k]);
    l->row_size = hk_columns_layout(l->columns, l->count);
}

static void add_record(hk_stage *stage, hk_scene *scene) {
    const hk_play_record *record = &stage->options->record;
    if (!record->count)
        return;
    hk_scene_log *l = &scene->logs[scene->log_count++];
    *l = (hk_scene_log){.count = record->count, .period = scene->step};
    l->columns = HK_NEW_ARRAY(stage->arena, hk_column, record->count);
    memcpy(l->columns, record->columns, record->count * sizeof *l->columns);
    l->row_size = hk_columns_layout(l->columns, l->count);
}

/* Every step, unless only the last row counts: then as seldom as may be without rows that no log
 * has. */
static hk_tick judging_interval(const hk_stage *stage, const hk_scene *scene) {
    hk_tick run = stage->plan->stop - stage->plan->start, every = 0;
    for (size_t i = 0; i < scene->scenario->expectation_count; i++)
        if (!hk_measure_is_of_end(&scene->scenario->expectations[i]))
            return scene->step;
    for (size_t i = 0; i < scene->log_count; i++)
        every = hk_gcd(every, scene->logs[i].period);
    every = every ? every : scene->step;
    return scene->rows_for_grid || run <= every ? scene->step : run / every * every;
}

static hk_status place_rows(hk_ctx *ctx, hk_stage *stage, hk_scene *scene) {
    const hk_scenario *s = scene->scenario;
    if (!hk_tick_from_ratio(stage->simulation->model->experiment.step,
                            stage->plan->ticks_per_second, &scene->step))
        return hk_error(ctx, HK_E_TIME, s->where, NULL, "the step does not fit the time grid");
    scene->logs = HK_NEW_ARRAY(stage->arena, hk_scene_log, s->log_count + 1);
    for (size_t i = 0; i < s->log_count; i++)
        add_log(stage, scene, &s->logs[i]);
    add_record(stage, scene);
    place_judged(stage, scene);
    scene->rows_for_grid = needs_grid(stage, scene, scene->step);
    scene->judging_interval = judging_interval(stage, scene);
    return HK_OK;
}

/* ---- the stage ---- */

/* Lists of the beginning in which a shared parameter is set wherever it is. */
static hk_actions spell_out_all(hk_stage *stage, const hk_actions *begin) {
    hk_action *all = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < begin->count; i++) {
        hk_actions targets = {&begin->all[i], 1};
        if (begin->all[i].kind == HK_ACTION_SET)
            targets = hk_spell_out(stage->simulation->model, stage->arena, &begin->all[i]);
        for (size_t k = 0; k < targets.count; k++)
            HK_PUSH(all, count, cap, targets.all[k]);
    }
    hk_actions result = {HK_NEW_ARRAY(stage->arena, hk_action, count + 1), count};
    if (count)
        memcpy(result.all, all, count * sizeof *all);
    hk_free(all);
    return result;
}

/* What a beginning gives a variable; NULL: nothing. */
static const hk_action *find_set(const hk_scene *scene, uint32_t component, uint32_t variable) {
    for (size_t list = 2; list-- > 0;)
        for (size_t i = scene->preset[list].count; i-- > 0;) {
            const hk_action *a = &scene->preset[list].all[i];
            if (a->kind == HK_ACTION_SET && a->component == component && a->variable == variable)
                return a;
        }
    return NULL;
}

/* What the user sets counts more than what the simulation sets at its beginning. Of an array that
 * is not decided element by element. */
static hk_status compare_set(hk_ctx *ctx, const hk_stage *stage, const hk_scene *scene,
                             const hk_action *set) {
    const hk_action *own = find_set(scene, set->component, set->variable);
    const hk_component *c = &stage->simulation->model->components[set->component];
    if (!own)
        return HK_OK;
    if (own->value.count > 1)
        return hk_error(ctx, HK_E_USAGE, set->where, "change it there",
                        "'%s.%s' is an array that the simulation sets itself at its beginning",
                        c->name, c->info->variables[set->variable].name);
    hk_note(ctx, own->where, "'%s.%s' is not set by '%s': the user gives it another value", c->name,
            c->info->variables[set->variable].name, scene->scenario->name);
    return HK_OK;
}

/* They come last. */
static hk_status take_settings(hk_ctx *ctx, hk_stage *stage, hk_scene *scene) {
    const hk_model *model = stage->simulation->model;
    size_t count = 0;
    for (uint32_t c = 0; c < model->component_count; c++)
        count += model->components[c].setting_count;
    hk_actions *list = &scene->preset[2];
    list->all = HK_NEW_ARRAY(stage->arena, hk_action, count + 1);
    for (uint32_t c = 0; c < model->component_count; c++)
        for (size_t i = 0; i < model->components[c].setting_count; i++) {
            const hk_setting *s = &model->components[c].settings[i];
            if (s->source != HK_FROM_USER)
                continue;
            hk_action *set = &list->all[list->count++];
            *set = (hk_action){.kind = HK_ACTION_SET,
                               .component = c,
                               .variable = s->variable,
                               .value = s->value,
                               .where = s->where};
            HK_TRY(compare_set(ctx, stage, scene, set));
        }
    return HK_OK;
}

static hk_status make_scene(hk_ctx *ctx, hk_stage *stage, size_t index) {
    hk_scene *scene = &stage->scenes[index];
    scene->scenario = &stage->simulation->scenarios[index];
    scene->preset[0] = spell_out_all(stage, &stage->simulation->begin);
    scene->preset[1] = spell_out_all(stage, &scene->scenario->begin);
    HK_TRY(take_settings(ctx, stage, scene));
    find_observed(stage, scene);
    find_shaky(stage, scene);
    HK_TRY(take_plan(ctx, stage, scene));
    place_events(stage, scene);
    place_windows(stage, scene);
    return place_rows(ctx, stage, scene);
}

hk_status hk_stage_make(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                        hk_stage **ret_stage) {
    HK_ASSERT(ctx && made && options && ret_stage);
    HK_ASSERT(made->simulation && made->plan);
    hk_arena *arena = hk_arena_create();
    hk_stage *stage = HK_NEW(arena, hk_stage);
    const hk_simulation *simulation = made->simulation;
    *stage = (hk_stage){.arena = arena,
                        .made = made,
                        .simulation = simulation,
                        .plan = made->plan,
                        .options = options};
    stage->scenes = HK_NEW_ARRAY(arena, hk_scene, simulation->scenario_count + 1);
    hk_status status = HK_OK;
    for (size_t i = 0; i < simulation->model->component_count && status == HK_OK; i++) {
        const hk_info *info = simulation->model->components[i].info;
        if (info->unit_class->prepare)
            status = info->unit_class->prepare(ctx, info);
    }
    for (size_t i = 0; i < simulation->scenario_count && status == HK_OK; i++)
        status = make_scene(ctx, stage, i);
    if (status == HK_OK)
        status = check_files(ctx, stage);
    if (status != HK_OK) {
        hk_stage_destroy(stage);
        return status;
    }
    *ret_stage = stage;
    return HK_OK;
}

bool hk_stage_interrupted(const hk_stage *stage) {
    HK_ASSERT(stage);
    const volatile sig_atomic_t *asked = stage->options->interrupted;
    return (asked && *asked) || (stage->stop && *stage->stop);
}

void hk_stage_destroy(hk_stage *stage) {
    if (stage)
        hk_arena_destroy(stage->arena); /* it lives in it */
}
