/* SPDX-License-Identifier: MIT
 *
 * A multi-model of the profile as one of INTO-CPS. Names and values of the block are those of the
 * profile, connections those of the model, where arrays of FMI 2.0 are the scalars that they are.
 */
#include "sysml/multimodel.h"

#include "base/complaints.h"
#include "base/file.h"
#include "base/files_beside.h"
#include "base/number.h"
#include "base/seconds.h"
#include "format/json.h"
#include "sysml/profile_rules.h"

#include <stdlib.h>
#include <string.h>

typedef struct writer {
    hk_complaints complaints;
    hk_arena *arena;
    const hk_multimodel *profile;
    const hk_model *model;
    hk_left_out *left;
    hk_copies copies;
    hk_map instances;   /* path -> index */
    const char **names; /* per instance: how the file calls it */
    hk_ratio step;      /* num 0: is not known */
    hk_map redefined;   /* "block.member" of which an instance has a value of its own */
} writer;

#define REFUSE(w, where, hint, ...)                                                                \
    ((void)hk_complain(&(w)->complaints, HK_E_NO_WORDS, (where), (hint), __VA_ARGS__))

static void tell(writer *w, hk_where where, const char *what) {
    if (hk_left_out_add(w->left, what))
        hk_warn(w->complaints.ctx, HK_E_NO_WORDS, where, NULL,
                "INTO-CPS has no words for %s: left out", what);
}

static const hk_profile_block *block_of(const writer *w, uint32_t instance) {
    return &w->profile->blocks[w->profile->instances[instance].block];
}

/* ---- what has no words -------------------------------------------------------------------------
 */

static bool is_fmu(const hk_profile_block *b) {
    return b->fmu && strcmp(hk_path_extension(b->fmu), ".fmu") == 0;
}

static void look_at_block(writer *w, const hk_profile_block *b) {
    hk_where where = hk_place_where(b->file, &b->at);
    hk_ratio cycle;
    bool meant;
    if (!is_fmu(b))
        REFUSE(w, where, "make an FMU of it: hocket export",
               "block '%s' runs '%s', and a multi-model of INTO-CPS has FMUs", b->name,
               b->fmu ? b->fmu : "nothing");
    if (strpbrk(b->name, "{}"))
        REFUSE(w, where, "give it another name", "the name '%s' has a brace in it", b->name);
    for (size_t i = 0; i < b->port_count; i++)
        if (b->ports[i].reactive)
            REFUSE(w, hk_place_where(b->file, &b->ports[i].at), NULL,
                   "input '%s' of '%s' is reactive, and in INTO-CPS all inputs are delayed",
                   b->ports[i].name, b->name);
    if (!b->cycle || !hk_seconds_parse(b->cycle, &cycle, &meant))
        return;
    if (!w->step.num)
        w->step = cycle;
    if (hk_ratio_compare(cycle, w->step) != 0)
        REFUSE(w, where, NULL,
               "the cycle of '%s', %s s, is not the step of all others, and INTO-CPS has one step "
               "size",
               b->name, b->cycle);
}

static void look_at_whole(writer *w) {
    const hk_experiment *e = &w->model->experiment;
    const hk_profile_experiment *x = &w->profile->experiment;
    hk_where where = {.file = w->profile->file};
    if (e->has_step)
        w->step = e->step;
    for (size_t i = 0; i < w->profile->block_count; i++)
        if (w->profile->blocks[i].kind == HK_PROFILE_ECOMPONENT)
            look_at_block(w, &w->profile->blocks[i]);
    tell(w, where, "kinds and platforms of blocks");
    if (e->output_interval.num)
        tell(w, hk_place_where(x->file, &x->at[HK_PROFILE_INTERVAL]), "the output interval");
    if (e->has_tolerance)
        tell(w, hk_place_where(x->file, &x->at[HK_PROFILE_TOLERANCE]), "the tolerance");
}

/* Instances in LComponents get a name without dots, which end a name here. */
static void name_instances(writer *w) {
    hk_map taken = {0};
    w->names = HK_NEW_ARRAY(w->arena, const char *, w->profile->instance_count + 1);
    for (uint32_t i = 1; i < w->profile->instance_count; i++) {
        const hk_profile_instance *instance = &w->profile->instances[i];
        if (block_of(w, i)->kind != HK_PROFILE_ECOMPONENT)
            continue;
        hk_where where = hk_place_where(w->profile->file, &instance->at);
        char *name = hk_arena_strdup(w->arena, instance->path);
        for (char *c = strchr(name, '.'); c; c = strchr(c, '.'))
            *c++ = '_';
        w->names[i] = name;
        hk_map_put(&w->instances, instance->path, i);
        if (strcmp(name, instance->path) != 0)
            tell(w, where,
                 hk_arena_printf(w->arena, "LComponents ('%s' is called '%s')", instance->path,
                                 name));
        if (hk_map_put(&taken, name, i) != i)
            REFUSE(w, where, "give it another name", "two instances would be called '%s'", name);
    }
    hk_map_finish(&taken);
}

/* ---- names -------------------------------------------------------------------------------------
 */

static uint32_t instance_of(const writer *w, uint32_t component) {
    return hk_map_get(&w->instances, w->model->components[component].name);
}

static const char *variable_name(writer *w, uint32_t component, uint32_t variable) {
    uint32_t i = instance_of(w, component);
    return hk_arena_printf(w->arena, "{%s}.%s.%s", block_of(w, i)->name, w->names[i],
                           w->model->components[component].info->variables[variable].name);
}

/* ---- parameters --------------------------------------------------------------------------------
 */

/* The member of the block that a variable is, or is an element of; NONE: it is none. */
static uint32_t member_of(writer *w, const hk_profile_block *b, const char *variable) {
    uint32_t member = hk_profile_member(b, variable);
    const char *bracket = strrchr(variable, '[');
    if (member != HK_MAP_NONE || !bracket)
        return member;
    return hk_profile_member(b, hk_arena_strndup(w->arena, variable, (size_t)(bracket - variable)));
}

static void find_redefined(writer *w) {
    for (uint32_t i = 1; i < w->profile->instance_count; i++) {
        const hk_profile_instance *instance = &w->profile->instances[i];
        const hk_profile_block *b = block_of(w, i);
        for (size_t k = 0; k < b->port_count + b->variable_count; k++)
            if (instance->values[k].literal.kind != HK_LITERAL_NONE)
                hk_map_put(&w->redefined, hk_arena_printf(w->arena, "%u.%zu", instance->block, k),
                           1);
    }
}

/* A parameter is written if the instance gives it a value, or the block does and no instance of it;
 * else only if the FMU would begin with another one. */
static bool is_written(writer *w, uint32_t component, const hk_setting *s) {
    const hk_variable *v = &w->model->components[component].info->variables[s->variable];
    uint32_t i = instance_of(w, component);
    const hk_profile_instance *instance = &w->profile->instances[i];
    const hk_profile_block *b = block_of(w, i);
    uint32_t member = member_of(w, b, v->name);
    if (member == HK_MAP_NONE || instance->values[member].literal.kind != HK_LITERAL_NONE)
        return true;
    const char *key = hk_arena_printf(w->arena, "%u.%u", instance->block, member);
    bool others = hk_map_get(&w->redefined, key) != HK_MAP_NONE;
    if (member >= b->port_count && !others)
        return true;
    return !v->start.data || !hk_value_same(&v->start, &s->value);
}

static void put_value(writer *w, hk_json *json, uint32_t component, const hk_setting *s) {
    const hk_variable *v = &w->model->components[component].info->variables[s->variable];
    const char *key = variable_name(w, component, s->variable);
    hk_store store = hk_store_of(v->type);
    const char *text = hk_value_format(w->arena, v->type, store, s->value.data);
    double number;
    int64_t whole;
    if (v->dim_count || v->type == HK_TYPE_BINARY)
        REFUSE(w, s->where, NULL,
               "the value of '%s' is an array or binary, and one of INTO-CPS is not", v->name);
    else if (v->type == HK_TYPE_BOOL)
        hk_json_bool(json, key, strcmp(text, "true") == 0);
    else if (store == HK_STORE_BYTES)
        hk_json_string(json, key, text);
    else if (hk_read_i64(text, strlen(text), &whole) && v->type != HK_TYPE_F64 &&
             v->type != HK_TYPE_F32)
        hk_json_i64(json, key, whole);
    else if (hk_read_f64(text, strlen(text), &number) && number - number == 0)
        hk_json_f64(json, key, number);
    else
        REFUSE(w, s->where, NULL, "the value of '%s' is not a finite number", v->name);
}

static void put_parameters(writer *w, hk_json *json) {
    hk_json_object(json, "parameters");
    for (uint32_t c = 0; c < w->model->component_count; c++) {
        const hk_component *component = &w->model->components[c];
        for (uint32_t v = 0; v < component->info->variable_count; v++) {
            const hk_setting *s = hk_component_last_setting(component, v);
            if (s && is_written(w, c, s)) /* of inputs that are driven, too */
                put_value(w, json, c, s);
        }
    }
    hk_json_end(json);
}

/* ---- connections -------------------------------------------------------------------------------
 */

static void put_connections(writer *w, hk_json *json) {
    size_t count = w->model->connection_count;
    hk_map sources = {0};
    uint32_t *first = HK_NEW_ARRAY(w->arena, uint32_t, count + 1);
    uint32_t *last = HK_NEW_ARRAY(w->arena, uint32_t, count + 1);
    uint32_t *next = HK_NEW_ARRAY(w->arena, uint32_t, count + 1);
    const char **names = HK_NEW_ARRAY(w->arena, const char *, count + 1);
    size_t groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        const hk_connection *k = &w->model->connections[i];
        const char *from = variable_name(w, k->from_component, k->from_variable);
        uint32_t group = hk_map_put(&sources, from, (uint32_t)groups);
        if (group == groups) {
            names[groups] = from;
            first[groups++] = i;
        } else {
            next[last[group]] = i;
        }
        last[group] = i;
        next[i] = UINT32_MAX;
        if (k->from_slice.count || k->to_slice.count)
            REFUSE(w, hk_connection_where(w->model, k), NULL,
                   "elements of an array are connected, and INTO-CPS joins whole variables");
    }
    hk_json_object(json, "connections");
    for (size_t g = 0; g < groups; g++) {
        hk_json_array(json, names[g]);
        for (uint32_t i = first[g]; i != UINT32_MAX; i = next[i])
            hk_json_string(json, NULL,
                           variable_name(w, w->model->connections[i].to_component,
                                         w->model->connections[i].to_variable));
        hk_json_end(json);
    }
    hk_json_end(json);
    hk_map_finish(&sources);
}

static void put_fmus(writer *w, hk_json *json) {
    hk_json_object(json, "fmus");
    for (size_t i = 0; i < w->profile->block_count; i++) {
        const hk_profile_block *b = &w->profile->blocks[i];
        if (b->kind != HK_PROFILE_ECOMPONENT || !is_fmu(b))
            continue;
        const char *path = hk_path_join(w->arena, hk_path_folder(w->arena, b->file), b->fmu);
        hk_json_string(json, hk_arena_printf(w->arena, "{%s}", b->name),
                       hk_copies_file(&w->copies, hk_path_real(w->arena, path)));
    }
    hk_json_end(json);
}

/* ---- files -------------------------------------------------------------------------------------
 */

typedef void put_fn(writer *w, hk_json *json);

static const char *print(writer *w, put_fn *put) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    hk_json json;
    hk_json_begin_object(&json, out);
    put(w, &json);
    hk_json_end(&json);
    fclose(out);
    const char *kept = hk_arena_strndup(w->arena, text, size);
    free(text);
    return kept;
}

static void put_multimodel(writer *w, hk_json *json) {
    put_fmus(w, json);
    put_connections(w, json);
    put_parameters(w, json);
}

static void put_experiment(writer *w, hk_json *json) {
    const hk_experiment *e = &w->model->experiment;
    hk_json_f64(json, "startTime", hk_ratio_to_double(e->start));
    if (e->has_stop)
        hk_json_f64(json, "endTime", hk_ratio_to_double(e->stop));
    if (!w->step.num)
        return;
    hk_json_object(json, "algorithm");
    hk_json_string(json, "type", "fixed-step");
    hk_json_f64(json, "size", hk_ratio_to_double(w->step));
    hk_json_end(json);
}

static hk_status write_files(writer *w, const char *path) {
    look_at_whole(w);
    name_instances(w);
    find_redefined(w);
    if (w->complaints.count)
        return w->complaints.first;
    const char *text = print(w, put_multimodel);
    if (w->complaints.count)
        return w->complaints.first;
    const hk_experiment *e = &w->model->experiment;
    bool known = e->has_stop || w->step.num || e->start_source > HK_FROM_DEFAULT;
    const char *experiment = hk_multimodel_experiment(w->arena, path);
    if (known) {
        const char *times = print(w, put_experiment);
        HK_TRY(hk_file_write(w->complaints.ctx, experiment, times, strlen(times)));
        hk_note(w->complaints.ctx, (hk_where){.file = path}, "the experiment is written to %s",
                experiment);
    }
    hk_status status = hk_copies_write(&w->copies, text);
    if (status && known)
        hk_folder_remove(experiment);
    return status;
}

hk_status hk_multimodel_write(hk_ctx *ctx, const char *from, const char *path, hk_left_out *left) {
    hk_arena *arena = hk_arena_create();
    writer w = {.complaints = {.ctx = ctx}, .arena = arena, .left = left};
    const hk_multimodel *profile = NULL;
    hk_model *model = NULL;
    hk_status status = hk_sysml_read(ctx, from, &model);
    if (status == HK_OK)
        status = hk_profile_read(ctx, arena, from, &profile);
    if (status == HK_OK)
        status = hk_copies_begin(ctx, arena, path, &w.copies);
    w.model = model;
    w.profile = profile;
    if (status == HK_OK)
        status = write_files(&w, path);
    hk_map_finish(&w.instances);
    hk_map_finish(&w.redefined);
    hk_copies_finish(&w.copies);
    hk_profile_finish(profile);
    hk_model_destroy(model);
    hk_arena_destroy(arena);
    return status;
}
