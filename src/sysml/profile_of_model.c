/* SPDX-License-Identifier: MIT
 *
 * A model and its tree as a multi-model, and that as a file. */
#include "sysml/profile_of_internal.h"

#include "base/file.h"
#include "base/seconds.h"

#include <stdarg.h>
#include <string.h>

void hk_profile_of_left(hk_profile_maker *m, hk_where where, const char *what) {
    if (hk_left_out_add(m->left, what))
        hk_warn(m->complaints.ctx, HK_E_NO_WORDS, where, NULL,
                "a multi-model has no words for %s: left out", what);
}

void hk_profile_of_refuse(hk_profile_maker *m, hk_where where, const char *hint, const char *format,
                          ...) {
    va_list args;
    va_start(args, format);
    hk_complain_args(&m->complaints, HK_E_NO_WORDS, where, hint, format, args);
    va_end(args);
}

int hk_profile_of_word(hk_profile_maker *m, const hk_tree_element *e, const char *word,
                       const char *const *words, int count) {
    for (int i = 1; word && i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    if (word)
        hk_profile_of_refuse(m, e->block.where, NULL,
                             "'%s', which block '%s' says, is not a word of the profile", word,
                             e->block.name);
    return 0;
}

const char *hk_profile_of_name(hk_profile_maker *m, const char *name, bool exact) {
    char *base = hk_arena_strdup(m->arena, name);
    if (!exact && *base >= 'a' && *base <= 'z')
        *base = (char)(*base - 'a' + 'A');
    const char *unique = base;
    for (int number = 2;; number++) {
        uint32_t fresh = (uint32_t)m->block_names.count;
        if (hk_map_put(&m->block_names, unique, fresh) == fresh)
            return unique;
        unique = hk_arena_printf(m->arena, "%s_%d", base, number);
    }
}

/* ---- connections -------------------------------------------------------------------------------
 */

static bool *flags_of(hk_profile_maker *m, bool **per_component, uint32_t component) {
    if (!per_component[component])
        per_component[component] =
            HK_NEW_ARRAY(m->arena, bool, m->model->components[component].info->variable_count + 1);
    return per_component[component];
}

static void check_connection(hk_profile_maker *m, const hk_connection *k) {
    hk_where where = hk_connection_where(m->model, k);
    if (!hk_connection_is_plain(m->model, k))
        hk_profile_of_refuse(m, where, "let a component calculate it: hk.Gain, hk.Sum",
                             "a value is changed on its way, and a flow hands it on as it is");
    if (k->from_slice.count || k->to_slice.count)
        hk_profile_of_refuse(m, where, "connect whole arrays",
                             "elements of an array are connected, and a flow joins whole ports");
    if (hk_connection_lag(k, m->model->experiment.algorithm) == HK_LAG_OBSERVE)
        hk_profile_of_refuse(m, where, NULL, "a flow cannot have the lag 'observe'");
    if (k->delay.num)
        hk_profile_of_refuse(m, where, NULL, "a flow has no delay");
    if (k->initial.data)
        hk_profile_of_refuse(m, where, NULL,
                             "a flow has no initial value of its own: the output is read before "
                             "the first step");
}

/* Which inputs are driven, by values of which age, and where values come from. */
static void look_at_connections(hk_profile_maker *m) {
    for (size_t i = 0; i < m->model->connection_count; i++) {
        const hk_connection *k = &m->model->connections[i];
        hk_lag lag = hk_connection_lag(k, m->model->experiment.algorithm);
        flags_of(m, m->reactive, k->to_component)[k->to_variable] = lag == HK_LAG_CURRENT;
        flags_of(m, m->source, k->from_component)[k->from_variable] = true;
        check_connection(m, k);
    }
}

static hk_profile_end end_of(hk_profile_maker *m, uint32_t component, uint32_t variable) {
    hk_profile_end end = {
        .instance = m->instance_of[component], .port = HK_PROFILE_NONE, .rest = ""};
    const char *name = m->model->components[component].info->variables[variable].name;
    end.chain = hk_arena_printf(m->arena, "%s.%s", m->model->components[component].name, name);
    if (end.instance == HK_PROFILE_NONE)
        return end;
    const hk_profile_instance *i = (const hk_profile_instance *)m->instances.data + end.instance;
    const hk_profile_block *b = (const hk_profile_block *)m->blocks.data + i->block;
    for (uint32_t p = 0; p < b->port_count && end.port == HK_PROFILE_NONE; p++)
        if (strcmp(b->ports[p].name, name) == 0)
            end.port = p;
    return end;
}

static void add_connections(hk_profile_maker *m) {
    hk_profile_connection *all =
        HK_NEW_ARRAY(m->arena, hk_profile_connection, m->model->connection_count + 1);
    for (size_t i = 0; i < m->model->connection_count; i++) {
        const hk_connection *k = &m->model->connections[i];
        all[i] = (hk_profile_connection){.name = hk_arena_printf(m->arena, "c%zu", i + 1),
                                         .number = (uint32_t)i + 1,
                                         .from = end_of(m, k->from_component, k->from_variable),
                                         .to = end_of(m, k->to_component, k->to_variable),
                                         .file = m->profile->file};
        if (all[i].from.port == HK_PROFILE_NONE || all[i].to.port == HK_PROFILE_NONE)
            hk_profile_of_refuse(m, hk_connection_where(m->model, k), NULL,
                                 "'%s' and '%s' cannot both be ports of a block", all[i].from.chain,
                                 all[i].to.chain);
    }
    m->profile->connections = all;
    m->profile->connection_count = m->model->connection_count;
}

/* ---- the tree ----------------------------------------------------------------------------------
 */

/* Notes are places for comments at variables, and may have none. */
static bool has_comments(const hk_tree_element *e) {
    bool has = e->above.count || e->inside.count;
    for (size_t i = 0; i < e->note_count; i++)
        has = has || e->notes[i].above.count;
    return has;
}

static void look_at_element(hk_profile_maker *m, const hk_tree_element *e) {
    if (e->geometry.count)
        hk_profile_of_left(m, e->where, "geometry");
    for (size_t i = 0; i < e->annotation_count; i++)
        hk_profile_of_left(m, e->annotations[i].where, e->annotations[i].what);
    if (has_comments(e))
        hk_profile_of_left(m, e->where, "comments");
    if (e->service_count || e->interface_count)
        hk_profile_of_refuse(m, e->where, NULL,
                             "'%s' asks for or provides interfaces of functions, for which a "
                             "multi-model has no words",
                             e->name);
    if (e->role != HK_TREE_NO_ROLE && e->role != HK_TREE_ROLE_ENVIRONMENT)
        hk_profile_of_left(m, e->where,
                           hk_arena_printf(m->arena, "the role '%s'", hk_tree_role_words[e->role]));
}

static uint32_t add_element(hk_profile_maker *m, const hk_tree_element *e, uint32_t parent);

static void add_parts(hk_profile_maker *m, const hk_tree_element *system, uint32_t instance,
                      uint32_t block) {
    hk_list parts = HK_LIST(hk_profile_part);
    for (size_t i = 0; i < system->element_count; i++) {
        const hk_tree_element *e = system->elements[i];
        if (e->kind != HK_TREE_SYSTEM && e->kind != HK_TREE_COMPONENT) {
            hk_profile_of_refuse(m, e->where, "connect the components directly",
                                 "signal dictionaries are not written");
            continue;
        }
        uint32_t inner = add_element(m, e, instance);
        hk_profile_part part = {.name = e->name,
                                .block = inner,
                                .block_name = ((hk_profile_block *)m->blocks.data)[inner].name,
                                .least = 1,
                                .most = 1};
        hk_list_add(&parts, &part);
    }
    hk_profile_block *b = (hk_profile_block *)m->blocks.data + block;
    b->part_count = parts.count;
    b->parts = hk_list_keep(m->arena, &parts);
}

static hk_profile_kind kind_of_system(hk_profile_maker *m, const hk_tree_element *e) {
    if (!e->parent)
        return HK_PROFILE_SYSTEM;
    int said = hk_profile_of_word(m, e, e->block.stereotype, hk_profile_marks, HK_PROFILE_KINDS);
    if (said && hk_profile_is_logical((hk_profile_kind)said))
        return (hk_profile_kind)said;
    return e->role == HK_TREE_ROLE_ENVIRONMENT ? HK_PROFILE_ENVIRONMENT : HK_PROFILE_LCOMPONENT;
}

/* Adds the instance of an element and those in it; its block. */
static uint32_t add_element(hk_profile_maker *m, const hk_tree_element *e, uint32_t parent) {
    uint32_t index = (uint32_t)m->instances.count;
    hk_profile_instance instance = {.name = e->name,
                                    .path = e->name,
                                    .parent = parent,
                                    .environment = HK_PROFILE_NONE,
                                    .platform = HK_PROFILE_NONE};
    look_at_element(m, e);
    if (e->kind == HK_TREE_COMPONENT) {
        hk_profile_of_component(m, e, &instance);
        m->instance_of[e->component] = index;
        hk_list_add(&m->instances, &instance);
        return instance.block;
    }
    uint32_t block = (uint32_t)m->blocks.count;
    hk_profile_block b = {.kind = kind_of_system(m, e),
                          .name = e->block.name ? hk_profile_of_name(m, e->block.name, true)
                                                : hk_profile_of_name(m, e->name, false),
                          .file = m->profile->file};
    hk_profile_port *no_ports = NULL;
    instance.block = block;
    hk_list_add(&m->blocks, &b);
    hk_list_add(&m->ports, &no_ports);
    hk_list_add(&m->instances, &instance);
    add_parts(m, e, index, block);
    return block;
}

/* ---- what holds for the whole ------------------------------------------------------------------
 */

static void set_experiment(hk_profile_maker *m) {
    const hk_experiment *e = &m->model->experiment;
    const bool given[] = {e->start_source > HK_FROM_DEFAULT, e->has_stop, e->has_step,
                          e->output_interval.num > 0};
    const hk_ratio times[] = {e->start, e->stop, e->step, e->output_interval};
    char text[48];
    for (size_t i = 0; i < 4; i++) {
        bool good = !given[i] || hk_seconds_format(times[i], text);
        const char *digits = given[i] ? text : NULL;
        if (!good)
            hk_profile_of_refuse(
                m, (hk_where){.file = m->model->file}, NULL,
                "the %s of the experiment, %s s, is not a decimal number of seconds",
                hk_profile_experiment_words[i], digits);
        m->profile->experiment.texts[i] = hk_arena_strdup(m->arena, digits);
    }
    if (e->has_tolerance)
        m->profile->experiment.texts[HK_PROFILE_TOLERANCE] =
            hk_value_format(m->arena, HK_TYPE_F64, HK_STORE_F64, &e->tolerance);
}

static void look_at_whole(hk_profile_maker *m) {
    const hk_model *model = m->model;
    hk_where where = {.file = model->file};
    const struct {
        size_t count;
        const char *what;
    } needed[] = {{model->processor_count, "processors"},
                  {model->constraint_count, "constraints of ages"},
                  {model->requirement_count, "interfaces of functions"},
                  {model->shared_count, "parameters that are shared"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].count)
            hk_profile_of_refuse(m, where, NULL, "a multi-model has no words for %s",
                                 needed[i].what);
    if (model->alias_count || model->inlet_count || model->shown_count ||
        model->tree->root->connector_count)
        hk_profile_of_left(m, where, "connectors of the outermost system");
    if (model->description)
        hk_profile_of_left(m, where, "a description");
    if (model->tree->lost_comment.file)
        hk_profile_of_left(m, model->tree->lost_comment, "comments");
    if (model->tree->rest.count)
        hk_profile_of_left(m, where, "comments");
}

static void make_profile(hk_profile_maker *m) {
    size_t count = m->model->component_count;
    m->instance_of = HK_NEW_ARRAY(m->arena, uint32_t, count + 1);
    memset(m->instance_of, 0xff, (count + 1) * sizeof *m->instance_of);
    m->reactive = HK_NEW_ARRAY(m->arena, bool *, count + 1);
    m->source = HK_NEW_ARRAY(m->arena, bool *, count + 1);
    look_at_connections(m);
    look_at_whole(m);
    set_experiment(m);
    add_element(m, m->model->tree->root, HK_PROFILE_NONE);
    hk_profile_of_values(m);
    m->profile->block_count = m->blocks.count;
    m->profile->instance_count = m->instances.count;
    add_connections(m);
    m->profile->blocks = hk_list_keep(m->arena, &m->blocks);
    m->profile->instances = hk_list_keep(m->arena, &m->instances);
    m->profile->enum_count = m->enums.count;
    m->profile->enums = hk_list_keep(m->arena, &m->enums);
}

/* ---- the file ----------------------------------------------------------------------------------
 */

/* What was written is read again: a writer that is wrong is not believed. */
static hk_status read_again(hk_ctx *ctx, hk_copies *copies) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_model *again;
    hk_status status = hk_sysml_read(quiet, copies->path, &again);
    if (status == HK_OK) {
        hk_model_destroy(again);
    } else {
        const char *reason = "";
        for (size_t i = hk_ctx_count(quiet, HK_NOTE); i-- > 0;)
            if (hk_ctx_diag(quiet, i)->severity == HK_ERROR)
                reason = hk_ctx_diag(quiet, i)->text;
        status = hk_error(ctx, HK_E_CHECK_FAILED, (hk_where){.file = copies->path}, NULL,
                          "what is written cannot be read back: %s", reason);
        hk_copies_remove(copies);
    }
    hk_ctx_destroy(quiet);
    return status;
}

static hk_status write_file(hk_profile_maker *m) {
    make_profile(m);
    if (m->complaints.first)
        return m->complaints.first;
    if (m->guessed)
        hk_note(
            m->complaints.ctx, (hk_where){.file = m->copies->path},
            "kinds of components are not known in %s: RoboChart modules are written as cyber, all "
            "else as physical",
            m->model->file);
    HK_TRY(hk_copies_write(m->copies, hk_profile_print(m->arena, m->profile)));
    return read_again(m->complaints.ctx, m->copies);
}

hk_status hk_sysml_write(hk_ctx *ctx, const hk_model *model, const char *path, hk_left_out *left) {
    HK_ASSERT(model->tree);
    hk_arena *arena = hk_arena_create();
    hk_multimodel profile = {.file = path, .system_name = model->name};
    hk_copies copies = {0};
    hk_profile_maker m = {.complaints = {.ctx = ctx},
                          .arena = arena,
                          .model = model,
                          .left = left,
                          .copies = &copies,
                          .profile = &profile,
                          .blocks = HK_LIST(hk_profile_block),
                          .instances = HK_LIST(hk_profile_instance),
                          .enums = HK_LIST(hk_profile_enum),
                          .ports = HK_LIST(hk_profile_port *)};
    const char *said = model->tree->root->block.package;
    char *package = hk_arena_strdup(arena, said && *said ? said : model->name);
    if (!said && *package >= 'a' && *package <= 'z')
        *package = (char)(*package - 'a' + 'A');
    profile.package = package;
    hk_status status = hk_copies_begin(ctx, arena, path, &copies);
    if (status == HK_OK)
        status = write_file(&m);
    hk_free(m.ports.data);
    hk_map_finish(&m.block_names);
    hk_map_finish(&m.alike);
    hk_map_finish(&m.enum_names);
    hk_copies_finish(&copies);
    hk_arena_destroy(arena);
    return status;
}
