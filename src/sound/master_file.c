/* SPDX-License-Identifier: MIT
 *
 * A master in words meets a model: names, connections, lag words, order of steps. */
#include "sound/master_file.h"

#include "base/file.h"
#include "base/map.h"
#include "sound/contract.h"

#include <string.h>

typedef struct reading {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_model *model;
    hk_master_file *file;
    hk_map ports; /* name -> port of the master */
    uint32_t *component_of, *variable_of, *input_of, *connection_of;
} reading;

static hk_where at_line(const hk_master_file *file, int line) {
    return (hk_where){.file = file->file, .line = line};
}

/* ---- what can be said ------------------------------------------------------------------------ */

static hk_status cannot_say(hk_ctx *ctx, const hk_model *model, const hk_connection *k,
                            const char *what) {
    return hk_error(ctx, HK_E_UNSOUND, hk_connection_where(model, k),
                    "leave it out, or run without a master",
                    "a master cannot say that a "
                    "connection %s",
                    what);
}

hk_status hk_master_sayable(hk_ctx *ctx, const hk_model *model) {
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (k->delay.num)
            return cannot_say(ctx, model, k, "has a delay");
        if (k->lag == HK_LAG_OBSERVE)
            return cannot_say(ctx, model, k, "has the lag 'observe'");
    }
    for (size_t c = 0; c < model->component_count; c++)
        if (model->components[c].has_cost)
            return hk_error(ctx, HK_E_UNSOUND, model->components[c].where,
                            "leave out the cost, or run without a master",
                            "a master cannot say that '%s' has a cost", model->components[c].name);
    if (model->processor_count && model->cut == HK_CUT_HLA)
        return hk_error(ctx, HK_E_UNSOUND, model->processors[0].where,
                        "use 'cut keep', or run without a master",
                        "a master cannot say that processors are cut as in HLA");
    return HK_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

static hk_status unknown(reading *r, int line, const char *what, const char *name,
                         const hk_map *names) {
    return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, line),
                    hk_hint_name(r->arena, hk_map_closest(names, name), NULL),
                    "the system has no %s '%s'", what, name);
}

static hk_status find_components(reading *r) {
    const hk_sound_system *system = r->file->system;
    bool *found = hk_alloc(r->model->component_count + 1);
    hk_status status = HK_OK;
    for (size_t i = 0; i < system->instance_count && status == HK_OK; i++) {
        r->component_of[i] = hk_map_get(&r->model->by_name, system->instances[i].name);
        if (r->component_of[i] == HK_MAP_NONE)
            status = unknown(r, system->instances[i].line, "component", system->instances[i].name,
                             &r->model->by_name);
        else
            found[r->component_of[i]] = true;
    }
    for (size_t c = 0; c < r->model->component_count && status == HK_OK; c++)
        if (!found[c])
            status = hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, 0), NULL,
                              "the master has no instance '%s'", r->model->components[c].name);
    hk_free(found);
    return status;
}

static hk_status find_variables(reading *r) {
    const hk_sound_system *system = r->file->system;
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        const hk_component *c = &r->model->components[r->component_of[port->instance]];
        const char *name = port->name + strlen(c->name) + 1;
        uint32_t v = 0;
        while (v < c->info->variable_count && strcmp(c->info->variables[v].name, name) != 0)
            v++;
        if (v == c->info->variable_count)
            return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, port->line), NULL,
                            "the system has no variable '%s'", port->name);
        r->variable_of[p] = v;
        r->connection_of[p] = HK_MAP_NONE;
        hk_map_put(&r->ports, port->name, p);
    }
    return HK_OK;
}

static uint32_t find_port(reading *r, uint32_t component, uint32_t variable) {
    const hk_component *c = &r->model->components[component];
    return hk_map_get(
        &r->ports, hk_arena_printf(r->arena, "%s.%s", c->name, c->info->variables[variable].name));
}

static hk_status find_connections(reading *r) {
    const hk_sound_system *system = r->file->system;
    for (uint32_t i = 0; i < r->model->connection_count; i++) {
        const hk_connection *k = &r->model->connections[i];
        hk_where where = hk_connection_where(r->model, k);
        uint32_t from = find_port(r, k->from_component, k->from_variable);
        uint32_t to = find_port(r, k->to_component, k->to_variable);
        if (from == HK_MAP_NONE || to == HK_MAP_NONE || system->ports[to].source != from)
            return hk_error(r->ctx, HK_E_UNSOUND, where, NULL,
                            "the master does not have this connection");
        if (r->connection_of[to] != HK_MAP_NONE)
            return hk_error(r->ctx, HK_E_UNSOUND, where, "run without a master",
                            "a master cannot say that an input has several sources");
        r->connection_of[to] = i;
        r->input_of[i] = to;
    }
    for (uint32_t p = 0; p < system->port_count; p++)
        if (system->ports[p].source != HK_MAP_NONE && r->connection_of[p] == HK_MAP_NONE)
            return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, system->ports[p].line), NULL,
                            "the system has no connection %s -> %s",
                            system->ports[system->ports[p].source].name, system->ports[p].name);
    return HK_OK;
}

/* ---- lag words and order --------------------------------------------------------------------- */

static void give_words(reading *r) {
    for (uint32_t i = 0; i < r->model->connection_count; i++) {
        hk_connection *k = &r->model->connections[i];
        hk_lag word =
            r->file->system->ports[r->input_of[i]].reactive ? HK_LAG_CURRENT : HK_LAG_PREVIOUS;
        if (k->lag != HK_LAG_DEFAULT && k->lag != word)
            hk_note(r->ctx, hk_connection_where(r->model, k),
                    "the master gives it the lag '%s', the system says '%s'", hk_lag_words[word],
                    hk_lag_words[k->lag]);
        k->lag = word;
    }
}

/* What is more than one call after the other needs more than a program has. */
static const char *beyond(const hk_sound_call *call) {
    switch (call->op) {
    case HK_OP_LOOP:
        return "a loop in 'step'";
    case HK_OP_SAVE:
        return "'save'";
    case HK_OP_RESTORE:
        return "'restore'";
    case HK_OP_PARAMETER:
        return "'parameter' in 'step'";
    default:
        break;
    }
    if (call->op == HK_OP_STEP && (call->as != HK_MAP_NONE || call->has_value))
        return "a step of another length";
    return call->tentative ? "'tentative'" : NULL;
}

static hk_status check_calls(const reading *r) {
    const hk_sound_master *master = r->file->master;
    for (size_t i = 0; i < r->file->system->instance_count; i++) {
        const hk_sound_instance *instance = &r->file->system->instances[i];
        if (instance->can_reject)
            return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, instance->line),
                            "'hocket prove' proves such a master",
                            "instances that can reject a step cannot be run yet: '%s'",
                            instance->name);
    }
    for (size_t i = 0; i < master->step_count; i++) {
        const char *what = beyond(&r->file->step[i]);
        if (what)
            return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, r->file->step[i].line),
                            "'hocket prove' proves such a master",
                            "%s cannot be run yet: a master that is run makes each call once",
                            what);
    }
    return HK_OK;
}

static int kind_of(const hk_sound_call *call) {
    return call->op == HK_OP_SET ? 0 : call->op == HK_OP_STEP ? 1 : 2;
}

static bool may_ask(const hk_requirement *q, uint32_t provider) {
    for (size_t c = 0; c < q->candidate_count; c++)
        if (q->candidates[c].component == provider)
            return true;
    return false;
}

static bool changes(const hk_model *model, const hk_requirement *q) {
    return hk_interface_mutable(
        model->components[q->component].info->services[q->service].definition);
}

/* Both may call one provider, and one of them changes it. */
static bool may_meet(const hk_model *model, const hk_requirement *q, const hk_requirement *other) {
    for (size_t c = 0; c < q->candidate_count; c++)
        if (may_ask(other, q->candidates[c].component))
            return changes(model, q) || changes(model, other);
    return false;
}

/* It matters which of the two is stepped first: one may call a service of the other, or both one
 * that is changed by it. */
static bool may_call(const hk_model *model, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *q = &model->requirements[i];
        if (q->component != a && q->component != b)
            continue;
        uint32_t other = q->component == a ? b : a;
        if (may_ask(q, other))
            return true;
        for (size_t k = 0; k < model->requirement_count; k++)
            if (model->requirements[k].component == other &&
                may_meet(model, q, &model->requirements[k]))
                return true;
    }
    return false;
}

/* Does a component that was stepped on this level call the one that is stepped by CALL, or it one
 * of them, or do they see each other's calls? Those are among the calls from BEGIN on. */
static bool calls_another(const reading *r, size_t begin, size_t call, const uint32_t *levels,
                          uint32_t level) {
    const hk_sound_call *step = r->file->step;
    uint32_t component = r->component_of[step[call].instance];
    for (size_t i = begin; i < call && r->model->requirement_count; i++) {
        uint32_t other = r->component_of[step[i].instance];
        if (step[i].op == HK_OP_STEP && levels[other] == level &&
            may_call(r->model, component, other))
            return true;
    }
    return false;
}

/* A group ends where a call would have to be before one that is in it already. Components that
 * are stepped in one group have one level; but those that call each other, or change one
 * that both call, run in the order in which they are written. */
static void find_levels(reading *r) {
    hk_master_file *file = r->file;
    size_t count = file->master->step_count;
    uint32_t *group_of = HK_NEW_ARRAY(r->arena, uint32_t, count);
    uint32_t *levels = HK_NEW_ARRAY(r->arena, uint32_t, r->model->component_count);
    uint32_t group = 0, level = 0, stepped = HK_MAP_NONE;
    size_t begin = 0; /* of the group */
    for (size_t i = 0; i < count; i++) {
        const hk_sound_call *call = &file->step[i];
        if (i && kind_of(call) < kind_of(call - 1)) {
            group++;
            begin = i;
        }
        group_of[i] = group;
        if (call->op != HK_OP_STEP)
            continue;
        bool next = stepped != HK_MAP_NONE && stepped != group;
        level += next || calls_another(r, begin, i, levels, level);
        stepped = group;
        levels[r->component_of[call->instance]] = level;
    }
    file->group_of = group_of;
    file->levels = levels;
}

/* Parallel steps: one order that stands for all of them. */
static hk_status take_order(const reading *r) {
    hk_master_file *file = r->file;
    const char *why = NULL, *fmi = NULL;
    file->step = file->master->step;
    if (!file->master->before)
        return HK_OK;
    file->step = hk_contract_order(r->arena, file->system, file->master, &why, &fmi);
    if (file->step && !fmi)
        return HK_OK;
    return hk_error(r->ctx, HK_E_UNSOUND, at_line(file, 0), NULL, "%s", why ? why : fmi);
}

static hk_status read_text(reading *r, const char *data, size_t size) {
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
    HK_TRY(hk_sound_read_text(r->ctx, r->arena, &(hk_file_text){r->file->file, data, size}, &system,
                              &master, &max_step));
    if (!master)
        return hk_error(r->ctx, HK_E_UNSOUND, at_line(r->file, 0),
                        "'hocket prove' makes one: hocket prove FILE -o made.master",
                        "there is no algorithm");
    r->file->system = system;
    r->file->master = master;
    return HK_OK;
}

static hk_status meet(reading *r) {
    const hk_sound_system *system = r->file->system;
    r->component_of = HK_NEW_ARRAY(r->arena, uint32_t, system->instance_count);
    r->variable_of = HK_NEW_ARRAY(r->arena, uint32_t, system->port_count);
    r->connection_of = HK_NEW_ARRAY(r->arena, uint32_t, system->port_count);
    r->input_of = HK_NEW_ARRAY(r->arena, uint32_t, r->model->connection_count);
    HK_TRY(hk_master_sayable(r->ctx, r->model));
    HK_TRY(find_components(r));
    HK_TRY(find_variables(r));
    HK_TRY(find_connections(r));
    HK_TRY(take_order(r));
    HK_TRY(check_calls(r));
    find_levels(r);
    give_words(r);
    r->file->component_of = r->component_of;
    r->file->variable_of = r->variable_of;
    r->file->connection_of = r->connection_of;
    r->file->input_of = r->input_of;
    return HK_OK;
}

static reading begin(hk_ctx *ctx, hk_arena *arena, hk_model *model, const char *file) {
    reading r = {.ctx = ctx, .arena = arena, .model = model};
    r.file = HK_NEW(arena, hk_master_file);
    *r.file =
        (hk_master_file){.arena = arena, .file = hk_arena_strdup(arena, file), .model = model};
    return r;
}

static hk_status apply(reading r, const char *data, size_t size, hk_master_file **ret_master) {
    hk_status status = read_text(&r, data, size);
    if (status == HK_OK)
        status = meet(&r);
    hk_map_finish(&r.ports);
    if (status == HK_OK)
        *ret_master = r.file;
    return status;
}

hk_status hk_master_text_apply(hk_ctx *ctx, hk_arena *arena, hk_model *model, const char *file,
                               const char *text, hk_master_file **ret_master) {
    return apply(begin(ctx, arena, model, file), text, strlen(text), ret_master);
}

hk_status hk_master_file_apply(hk_ctx *ctx, hk_arena *arena, hk_model *model, const char *file,
                               hk_master_file **ret_master) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, file, 0, &data, &size));
    hk_status status = apply(begin(ctx, arena, model, file), data, size, ret_master);
    hk_free(data);
    return status;
}
