/* SPDX-License-Identifier: MIT
 *
 * Systems: made, filled with components and connections, completed. */
#include "api/api_internal.h"

#include "assembly/load.h"
#include "base/seconds.h"
#include "lang/schedule/schedule.h"
#include "native/native.h"
#include "plan/ages.h"
#include "plan/overrun.h"
#include "report/report.h"

#include <math.h>
#include <string.h>

static hk_system *make(hk_context *context, hk_model *model, hk_simulation *simulation) {
    hk_system *system = hk_alloc(sizeof *system);
    atomic_init(&system->references, 1);
    system->context = hk_context_retain(context);
    atomic_fetch_add(&context->systems, 1);
    system->ctx = context->ctx;
    system->model = model;
    system->simulation = simulation;
    system->experiment = model->experiment;
    system->request.wishes.from_program = true;
    return system;
}

hk_status hk_system_create(hk_context *context, const char *name, hk_system **ret_system) {
    if (!context || !name || !ret_system)
        return hk_is_null(context, name ? "ret_system" : "the name of the system");
    *ret_system = make(context, hk_model_create(name, NULL), NULL);
    return HK_OK;
}

static const char *copy(hk_arena *arena, const char *text) {
    return text ? hk_arena_strdup(arena, text) : NULL;
}

static hk_texts copy_all(hk_arena *arena, hk_texts texts) {
    const char **all = HK_NEW_ARRAY(arena, const char *, texts.count + 1);
    for (size_t i = 0; i < texts.count; i++)
        all[i] = hk_arena_strdup(arena, texts.all[i]);
    return (hk_texts){all, texts.count};
}

/* The model remembers where its values come from, and the program's texts may be gone by then. */
static hk_request copy_request(hk_arena *arena, const hk_request *r) {
    hk_request own = *r;
    own.file = copy(arena, r->file);
    own.schedule = copy(arena, r->schedule);
    own.tables = copy_all(arena, r->tables);
    own.set_files = copy_all(arena, r->set_files);
    own.sets = copy_all(arena, r->sets);
    own.wishes.start.text = copy(arena, r->wishes.start.text);
    own.wishes.stop.text = copy(arena, r->wishes.stop.text);
    own.wishes.step.text = copy(arena, r->wishes.step.text);
    own.wishes.algorithm.text = copy(arena, r->wishes.algorithm.text);
    return own;
}

/* The model as it was read, with what is asked for on it; sessions complete it. */
static hk_status open_model(hk_ctx *ctx, const hk_request *request, hk_assembly *made) {
    HK_TRY(hk_assembly_open(ctx, request, made));
    if (request->schedule)
        HK_TRY(hk_schedule_read(ctx, made->model, request->schedule));
    return hk_assembly_set(ctx, made);
}

/* What sessions ask for is what they do not find in the model. */
static void take(hk_system *system, const hk_request *request, hk_assembly *made) {
    hk_wishes wishes = request->wishes;
    wishes.from_program = true;
    system->opened = made->arena;
    system->request = (hk_request){.file = request->file, .wishes = wishes};
    if (made->simulation)
        system->request.wishes.simulation = made->simulation->file;
    made->arena = NULL;
    made->borrowed = true; /* the system has them now */
}

static hk_status open_system(hk_context *context, const hk_request *request,
                             hk_system **ret_system) {
    hk_assembly made = {0};
    hk_arena *texts = hk_arena_create();
    hk_request own = copy_request(texts, request);
    hk_status status = open_model(context->ctx, &own, &made);
    if (status == HK_OK) {
        *ret_system = make(context, made.model, made.simulation);
        take(*ret_system, &own, &made);
        (*ret_system)->texts = texts;
    } else {
        hk_arena_destroy(texts);
        hk_context_forget_files(context);
    }
    hk_assembly_close(&made);
    return status;
}

hk_status hk_system_open_with(hk_context *context, const char *path, const hk_file_options *options,
                              hk_system **ret_system) {
    hk_request common, request;
    if (!context || !path || !ret_system)
        return hk_is_null(context, path ? "ret_system" : "the path of the system");
    HK_TRY(hk_file_options_read(context->ctx, options, &common));
    if (common.master)
        return hk_error(context->ctx, HK_E_USAGE, (hk_where){.file = common.master},
                        "hk_ask_plan and hk_ask_prove take one",
                        "a system cannot be opened with a master");
    HK_TRY(hk_request_for(context->ctx, &common, path, &request));
    return open_system(context, &request, ret_system);
}

hk_status hk_system_open(hk_context *context, const char *path, hk_system **ret_system) {
    return hk_system_open_with(context, path, NULL, ret_system);
}

hk_system *hk_system_retain(hk_system *system) {
    atomic_fetch_add(&system->references, 1);
    return system;
}

void hk_system_destroy(hk_system *system) {
    if (!system || atomic_fetch_sub(&system->references, 1) > 1)
        return;
    if (system->simulation)
        hk_simulation_destroy(system->simulation);
    else
        hk_model_destroy(system->model);
    hk_free(system->types);
    hk_arena_destroy(system->opened);
    hk_arena_destroy(system->texts);
    atomic_fetch_sub(&system->context->systems, 1);
    hk_context_forget_files(system->context);
    hk_context_destroy(system->context);
    hk_free(system);
}

/* What only changes as long as no session depends on it. */
static hk_status must_be_open(const hk_system *system) {
    if (system->simulation)
        return hk_error(system->ctx, HK_E_USAGE, (hk_where){.file = system->simulation->file},
                        "change its system", "a simulation is written for its system as it is");
    if (!system->complete)
        return HK_OK;
    return hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE,
                    "add and connect before hk_system_check and the first session",
                    "system '%s' is complete: only start values and the experiment may change",
                    system->model->name);
}

static hk_status check_name(const hk_system *system, const char *name) {
    HK_TRY(must_be_open(system));
    if (!*name)
        return hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "a component needs a name");
    return HK_OK;
}

static const hk_info *find_type(const hk_system *system, const char *name) {
    for (size_t i = 0; i < system->type_count; i++)
        if (strcmp(system->types[i].type->name, name) == 0)
            return system->types[i].info;
    return NULL;
}

hk_status hk_system_register(hk_system *system, const hk_unit_type *type) {
    const hk_info *info;
    if (!system || !type)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(must_be_open(system));
    HK_TRY(hk_native_info(system->ctx, system->model, type, &info));
    if (find_type(system, type->name))
        return hk_error(system->ctx, HK_E_DUPLICATE, HK_NOWHERE, NULL,
                        "a type called '%s' is registered already", type->name);
    hk_native_type known = {type, info};
    HK_PUSH(system->types, system->type_count, system->type_cap, known);
    return HK_OK;
}

static hk_status unknown_type(const hk_system *system, const char *type) {
    hk_arena *arena = hk_arena_create();
    const char **names = HK_NEW_ARRAY(arena, const char *, system->type_count + 1);
    for (size_t i = 0; i < system->type_count; i++)
        names[i] = system->types[i].type->name;
    hk_status status = hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE,
                                hk_hint_closest(arena, type, names, system->type_count,
                                                "hk_system_register makes a type known"),
                                "no type called '%s' is registered", type);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_system_add_native(hk_system *system, const char *name, const char *type) {
    uint32_t index;
    if (!system || !name || !type)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(check_name(system, name));
    const hk_info *info = find_type(system, type);
    if (!info)
        return unknown_type(system, type);
    return hk_model_add_component(system->ctx, system->model, name, info, HK_NOWHERE, &index);
}

hk_status hk_system_add_plugin(hk_system *system, const char *name, const char *path,
                               const char *type) {
    uint32_t index;
    const hk_info *info;
    if (!system || !name || !path || !type)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(check_name(system, name));
    HK_TRY(hk_plugin_info(system->ctx, system->model, path, type, &info));
    return hk_model_add_component(system->ctx, system->model, name, info, HK_NOWHERE, &index);
}

hk_status hk_system_add_fmu(hk_system *system, const char *name, const char *path) {
    uint32_t index;
    if (!system || !name || !path)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(check_name(system, name));
    return hk_model_add_fmu(system->ctx, system->model, name, path, &index);
}

hk_status hk_system_add_chart(hk_system *system, const char *name, const char *path) {
    uint32_t index;
    if (!system || !name || !path)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(check_name(system, name));
    return hk_model_add_chart(system->ctx, system->model, name, path, &index);
}

hk_status hk_system_add_table(hk_system *system, const char *path) {
    if (!system || !path)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(must_be_open(system));
    return hk_table_add(system->ctx, system->model, path);
}

static hk_status need_component(const hk_system *system, const char *name, hk_component **ret_c) {
    HK_TRY(must_be_open(system));
    const hk_model *model = system->model;
    uint32_t index = hk_map_get(&model->by_name, name);
    if (index != HK_MAP_NONE) {
        *ret_c = &model->components[index];
        return HK_OK;
    }
    hk_arena *arena = hk_arena_create();
    const char **names = HK_NEW_ARRAY(arena, const char *, model->component_count + 1);
    for (size_t i = 0; i < model->component_count; i++)
        names[i] = model->components[i].name;
    hk_status status = hk_error(system->ctx, HK_E_UNKNOWN_SIGNAL, HK_NOWHERE,
                                hk_hint_closest(arena, name, names, model->component_count, NULL),
                                "there is no component '%s'", name);
    hk_arena_destroy(arena);
    return status;
}

static hk_status read_time(const hk_system *system, const char *text, hk_ratio *ret_time) {
    hk_status code;
    const char *wrong =
        hk_time_judge(system->ctx, HK_NOWHERE, text, HK_TIME_UNITS, ret_time, &code);
    if (!wrong)
        return HK_OK;
    return hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE,
                    "seconds: 0.001, 1e-3, 1/120, or with a unit: 20ms, 3min", "'%s' %s", text,
                    wrong);
}

hk_status hk_system_set_period(hk_system *system, const char *component, const char *period,
                               const char *offset) {
    hk_component *c = NULL;
    hk_ratio every, first = {0, 1};
    if (!system || !component || !period)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(need_component(system, component, &c));
    HK_TRY(read_time(system, period, &every));
    if (offset)
        HK_TRY(read_time(system, offset, &first));
    if (every.num <= 0)
        return hk_error(system->ctx, HK_E_TIME, HK_NOWHERE, NULL,
                        "the period of '%s' must be above 0, not %s", component, period);
    if (first.num < 0)
        return hk_error(system->ctx, HK_E_TIME, HK_NOWHERE, NULL,
                        "the offset of '%s' must be at least 0, not %s", component, offset);
    c->has_period = true;
    c->period = every;
    c->offset = first;
    return HK_OK;
}

hk_status hk_system_set_priority(hk_system *system, const char *component, int priority) {
    hk_component *c = NULL;
    if (!system || !component)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(need_component(system, component, &c));
    c->priority = priority;
    return HK_OK;
}

/* A connection with its options, before it is added. */
static hk_status read_link(const hk_system *system, const hk_link_options *o,
                           const hk_address *source, hk_connection *k) {
    const hk_variable *from = hk_address_variable(system->model, source);
    if (o->lag < HK_LAG_DEFAULT || o->lag > HK_LAG_CURRENT)
        return hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE, NULL, "%d is not a lag", (int)o->lag);
    k->lag = o->lag;
    if (o->delay)
        HK_TRY(read_time(system, o->delay, &k->delay));
    if (k->delay.num < 0)
        return hk_error(system->ctx, HK_E_TIME, HK_NOWHERE, NULL,
                        "the delay must be at least 0, not %s", o->delay);
    if (!isfinite(o->factor) || !isfinite(o->offset))
        return hk_error(system->ctx, HK_E_VALUE, HK_NOWHERE, NULL,
                        "factor and offset are finite numbers");
    if (o->initial &&
        !hk_value_parse(system->model->arena, from->type, hk_address_count(system->model, source),
                        from->enumeration, o->initial, &k->initial))
        return hk_error(system->ctx, HK_E_VALUE, HK_NOWHERE, NULL,
                        "initial '%s' is not a value of type %s", o->initial,
                        hk_type_name(from->type));
    if (o->factor != 0 || o->offset != 0)
        k->transform = (hk_transform){.kind = HK_TRANSFORM_LINEAR,
                                      .factor = o->factor != 0 ? o->factor : 1,
                                      .offset = o->offset};
    return HK_OK;
}

static hk_status need_end(hk_system *system, const char *name, hk_address *ret_end) {
    if (hk_model_find_end(system->model, name, ret_end))
        return HK_OK;
    return hk_model_need(system->ctx, system->model, NULL, hk_names_hint, name, ret_end);
}

/* What else the connector at the end of K, which is SINK, drives. */
static hk_status join_branches(hk_system *system, const hk_branch *branches,
                               const hk_address *source, const hk_address *sink, hk_connection *k) {
    hk_joined joined;
    for (const hk_branch *b = branches; b; b = b->next) {
        hk_address branch = hk_branch_address(b);
        if (!branch.count) { /* one element of the connector is that of all that it drives */
            branch.element = sink->element;
            branch.count = sink->count;
        }
        k->transform = b->transform;
        k->suppress_unit_conversion = true; /* it is in the transformation */
        HK_TRY(hk_model_join(system->ctx, system->model, source, &branch, k, &joined));
    }
    return HK_OK;
}

hk_status hk_system_connect(hk_system *system, const char *from, const char *to,
                            const hk_link_options *options) {
    hk_connection k = {.delay = {0, 1}, .transform = {.kind = HK_TRANSFORM_NONE, .factor = 1}};
    if (!system || !from || !to)
        return HK_MISSING_ARGUMENT(system);
    HK_TAKE_OPTIONS(system->ctx, hk_link_options, options, given);
    HK_TRY(must_be_open(system));
    hk_model *model = system->model;
    hk_address source, sink;
    hk_joined joined;
    HK_TRY(need_end(system, from, &source));
    HK_TRY(need_end(system, to, &sink));
    HK_TRY(read_link(system, &given, &source, &k));
    const hk_branch *branches = hk_model_branches(model, to);
    if (branches && k.transform.kind != HK_TRANSFORM_NONE)
        return hk_error(system->ctx, HK_E_USAGE, HK_NOWHERE, "connect to the inputs one by one",
                        "connector '%s' drives several inputs, so no factor can be put before it",
                        to);
    HK_TRY(hk_model_join(system->ctx, model, &source, &sink, &k, &joined));
    return join_branches(system, branches, &source, &sink, &k);
}

hk_status hk_system_read_schedule(hk_system *system, const char *path) {
    if (!system || !path)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(must_be_open(system));
    return hk_schedule_read(system->ctx, system->model, path);
}

hk_status hk_system_parse_schedule(hk_system *system, const char *text) {
    if (!system || !text)
        return HK_MISSING_ARGUMENT(system);
    HK_TRY(must_be_open(system));
    return hk_schedule_parse(system->ctx, system->model, "schedule", 1, text, strlen(text));
}

size_t hk_system_scenario_count(const hk_system *system) {
    return system && system->simulation ? system->simulation->scenario_count : 0;
}

const char *hk_system_scenario(const hk_system *system, size_t index, int64_t *ret_runs) {
    if (index >= hk_system_scenario_count(system))
        return NULL;
    if (ret_runs)
        *ret_runs = system->simulation->scenarios[index].repetitions;
    return system->simulation->scenarios[index].name;
}

hk_status hk_system_complete(hk_system *system) {
    if (system->complete)
        return HK_OK;
    if (!system->model->component_count)
        return hk_error(system->ctx, HK_E_CHECK_FAILED, HK_NOWHERE,
                        "hk_system_add_native, ..._plugin and ..._fmu add them",
                        "system '%s' has no components", system->model->name);
    HK_TRY(
        hk_assembly_check(system->ctx, system->model)); /* with errors it stays open for repair */
    system->complete = true;
    return HK_OK;
}

hk_status hk_system_ready(hk_system *system) {
    HK_TRY(hk_system_complete(system));
    system->model->experiment = system->experiment;
    return HK_OK;
}

hk_status hk_system_plan(hk_system *system, bool quiet, hk_assembly *ret_assembly) {
    hk_assembly_take(&system->request, system->model, system->simulation, ret_assembly);
    system->model->experiment = system->experiment;
    HK_TRY(hk_assembly_settle(system->ctx, ret_assembly));
    return hk_assembly_plan(system->ctx, ret_assembly, quiet);
}

hk_status hk_system_check(hk_system *system) {
    hk_assembly made;
    if (!system)
        return HK_E_USAGE;
    HK_TRY(hk_system_complete(system));
    hk_status status = hk_system_plan(system, true, &made), overruns = HK_OK;
    if (status == HK_OK) {
        status = hk_plan_check_constraints(system->ctx, made.plan);
        overruns = hk_plan_check_overruns(system->ctx, made.plan);
    }
    hk_assembly_close(&made);
    return status != HK_OK ? status : overruns;
}
