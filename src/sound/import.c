/* SPDX-License-Identifier: MIT
 *
 * Reads scenarios and algorithms in the two forms of the Scenario-Verifier (INTO-CPS): the .conf
 * that people write, in HOCON, and the JSON that tools exchange. Both say the same with other
 * words, so one reader goes through the tree of either. */
#include "sound/algorithm.h"

#include "format/hocon.h"

#include <string.h>

typedef struct import {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    hk_list instances, ports;
    hk_map instance_names, port_names;
    const hk_json_value *max_at; /* where the largest step is given; NULL: nowhere */
    int64_t max_step;
} import;

typedef const hk_json_value node;

static hk_status wrong(import *m, node *at, const char *hint, const char *text) {
    return hk_error(m->ctx, HK_E_LANGUAGE,
                    (hk_where){.file = m->file, .line = at->line, .column = at->column}, hint, "%s",
                    text);
}

/* A member by its name in HOCON or in JSON. */
static node *member(node *object, const char *conf, const char *json) {
    node *found = hk_json_member(object, conf);
    return found ? found : hk_json_member(object, json);
}

/* All members are among WORDS (NULL at the end); others are told. */
static hk_status expect_object(import *m, node *at, const char *const *words) {
    if (at->kind != HK_JSON_OBJECT)
        return wrong(m, at, NULL, "expected an object in braces");
    for (node *n = at->first; n; n = n->next) {
        bool known = false;
        for (size_t i = 0; words[i] && !known; i++)
            known = strcmp(n->name, words[i]) == 0;
        if (!known)
            hk_note(m->ctx, (hk_where){.file = m->file, .line = n->line, .column = n->column},
                    "'%s' is not used", n->name);
    }
    return HK_OK;
}

static hk_status expect_list(import *m, node *at) {
    return at->kind == HK_JSON_ARRAY ? HK_OK : wrong(m, at, NULL, "expected a list in brackets");
}

static bool is_empty(node *at) {
    return !at || ((at->kind == HK_JSON_ARRAY || at->kind == HK_JSON_OBJECT) && !at->count);
}

static hk_status refuse_clocks(import *m, node *at, const char *conf, const char *json) {
    node *clocks = member(at, conf, json);
    return is_empty(clocks) ? HK_OK
                            : wrong(m, clocks, "a scenario is about step mode, without clocks",
                                    "clocks of FMI 3 are not supported");
}

/* Names go into masters in words, where they are in quotes at most. */
static bool is_name(const char *text) {
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f || *c == '"' || *c == '\\')
            return false;
    return *text != '\0';
}

/* ---- the scenario ---- */

static hk_status read_port(import *m, node *at, bool output) {
    static const char *const words[] = {"reactivity",       "dependencies", "dependencies-init",
                                        "dependenciesInit", "clocks",       NULL};
    if (!is_name(at->name))
        return wrong(m, at, NULL, "a port has no name, or one with control characters or quotes");
    uint32_t index = (uint32_t)m->ports.count, instance = (uint32_t)m->instances.count - 1;
    const hk_sound_instance *owner = (const hk_sound_instance *)m->instances.data + instance;
    hk_sound_port port = {.instance = instance, .is_output = output, .source = HK_MAP_NONE};
    HK_TRY(expect_object(m, at, words));
    HK_TRY(refuse_clocks(m, at, "clocks", "clocks"));
    node *reactivity = hk_json_member(at, "reactivity");
    if (!output && reactivity) {
        bool text = reactivity->kind == HK_JSON_STRING;
        port.reactive = text && strcmp(reactivity->text, "reactive") == 0;
        if (!text || (!port.reactive && strcmp(reactivity->text, "delayed") != 0))
            return wrong(m, reactivity, NULL, "'reactivity' is 'delayed' or 'reactive'");
    }
    port.name = hk_arena_printf(m->arena, "%s.%s", owner->name, at->name);
    if (hk_map_put(&m->port_names, port.name, index) != index)
        return wrong(m, at, NULL, hk_arena_printf(m->arena, "port '%s' is given twice", port.name));
    hk_list_add(&m->ports, &port);
    return HK_OK;
}

static hk_status read_ports(import *m, node *list, bool output) {
    if (list && list->kind != HK_JSON_OBJECT)
        return wrong(m, list, NULL, "expected an object in braces");
    for (node *n = list ? list->first : NULL; n; n = n->next)
        HK_TRY(read_port(m, n, output));
    return HK_OK;
}

static hk_status find_port(import *m, node *at, const char *name, int output, uint32_t *ret_port) {
    *ret_port = hk_map_get(&m->port_names, name);
    if (*ret_port == HK_MAP_NONE ||
        (output >= 0 && ((const hk_sound_port *)m->ports.data)[*ret_port].is_output != output))
        return wrong(m, at, NULL,
                     hk_arena_printf(m->arena, "there is no %s '%s'",
                                     output < 0 ? "port"
                                     : output   ? "output"
                                                : "input",
                                     name));
    return HK_OK;
}

/* What an output depends on: inputs of the same instance. */
static hk_status read_dependencies(import *m, node *list, const char *owner,
                                   const uint32_t **ret_list, size_t *ret_count) {
    if (!list)
        return HK_OK;
    HK_TRY(expect_list(m, list));
    uint32_t *found = HK_NEW_ARRAY(m->arena, uint32_t, list->count + 1);
    for (node *n = list->first; n; n = n->next) {
        if (n->kind != HK_JSON_STRING)
            return wrong(m, n, NULL, "expected the name of an input");
        HK_TRY(find_port(m, n, hk_arena_printf(m->arena, "%s.%s", owner, n->text), 0,
                         &found[(*ret_count)++]));
    }
    *ret_list = found;
    return HK_OK;
}

static hk_status read_instance(import *m, node *at) {
    static const char *const words[] = {
        "can-reject-step", "canRejectStep", "inputs",        "outputs",      "path",
        "input-clocks",    "inputClocks",   "output-clocks", "outputClocks", NULL};
    if (!is_name(at->name))
        return wrong(m, at, NULL, "an FMU has no name, or one with control characters or quotes");
    uint32_t index = (uint32_t)m->instances.count;
    hk_sound_instance instance = {.name = at->name, .rate = 1, .can_save = true, .is_fmu = true};
    HK_TRY(expect_object(m, at, words));
    HK_TRY(refuse_clocks(m, at, "input-clocks", "inputClocks"));
    HK_TRY(refuse_clocks(m, at, "output-clocks", "outputClocks"));
    node *rejects = member(at, "can-reject-step", "canRejectStep");
    if (rejects && rejects->kind != HK_JSON_BOOL)
        return wrong(m, rejects, NULL, "expected true or false");
    instance.can_reject = rejects && rejects->number != 0;
    hk_map_put(&m->instance_names, at->name, index);
    hk_list_add(&m->instances, &instance);
    HK_TRY(read_ports(m, hk_json_member(at, "inputs"), false));
    node *outputs = hk_json_member(at, "outputs");
    HK_TRY(read_ports(m, outputs, true));
    for (node *n = outputs ? outputs->first : NULL; n; n = n->next) {
        uint32_t p =
            hk_map_get(&m->port_names, hk_arena_printf(m->arena, "%s.%s", at->name, n->name));
        hk_sound_port *port = (hk_sound_port *)m->ports.data + p;
        HK_TRY(read_dependencies(m, hk_json_member(n, "dependencies"), at->name, &port->depends,
                                 &port->depends_count));
        HK_TRY(read_dependencies(m, member(n, "dependencies-init", "dependenciesInit"), at->name,
                                 &port->depends_init, &port->depends_init_count));
    }
    return HK_OK;
}

/* "fmu.port", or { fmu, port }. OUTPUT below 0: either. */
static hk_status read_reference(import *m, node *at, int output, uint32_t *ret_port) {
    node *fmu = hk_json_member(at, "fmu"), *port = hk_json_member(at, "port");
    if (at->kind == HK_JSON_STRING)
        return find_port(m, at, at->text, output, ret_port);
    if (!fmu || !port || fmu->kind != HK_JSON_STRING || port->kind != HK_JSON_STRING)
        return wrong(m, at, NULL, "expected a port: its FMU, a dot, its name");
    return find_port(m, at, hk_arena_printf(m->arena, "%s.%s", fmu->text, port->text), output,
                     ret_port);
}

static const char *trim(hk_arena *arena, const char *begin, const char *end) {
    while (begin < end && strchr(" \t", *begin))
        begin++;
    while (begin < end && strchr(" \t", end[-1]))
        end--;
    return hk_arena_strndup(arena, begin, (size_t)(end - begin));
}

static hk_status read_connection(import *m, node *at) {
    const char *arrow = at->kind == HK_JSON_STRING ? strstr(at->text, "->") : NULL;
    node *source = hk_json_member(at, "srcPort"), *target = hk_json_member(at, "trgPort");
    uint32_t from, to;
    if (arrow) {
        HK_TRY(find_port(m, at, trim(m->arena, at->text, arrow), 1, &from));
        HK_TRY(find_port(m, at, trim(m->arena, arrow + 2, at->text + at->text_size), 0, &to));
    } else if (source && target) {
        HK_TRY(read_reference(m, source, 1, &from));
        HK_TRY(read_reference(m, target, 0, &to));
    } else {
        return wrong(m, at, NULL, "expected a connection: OUTPUT -> INPUT");
    }
    hk_sound_port *port = (hk_sound_port *)m->ports.data + to;
    if (port->source != HK_MAP_NONE)
        return wrong(m, at, "remove one of the connections",
                     hk_arena_printf(m->arena, "input '%s' has two sources", port->name));
    port->source = from;
    return HK_OK;
}

static hk_status read_whole(import *m, node *at, int64_t least, int64_t *ret_value) {
    if (at->kind != HK_JSON_NUMBER || !(at->number >= (double)least) ||
        at->number > HK_MASTER_STEP_MAX || at->number != (double)(int64_t)at->number)
        return wrong(m, at, NULL, "expected a whole number of units, at most 1000");
    *ret_value = (int64_t)at->number;
    return HK_OK;
}

/* Several configurations would be several scenarios. */
static hk_status refuse_adaptive(import *m, node *at) {
    node *config = member(at, "configuration", "config");
    node *configurations = config ? hk_json_member(config, "configurations") : NULL;
    return is_empty(config) || (config->kind == HK_JSON_OBJECT && is_empty(configurations))
               ? HK_OK
               : wrong(m, config, "prove each configuration as a scenario of its own",
                       "adaptive scenarios, with several configurations, are not supported");
}

static hk_status settle_max_step(import *m, node *scenario) {
    const hk_sound_instance *instances = m->instances.data;
    bool rejects = false;
    m->max_at = member(scenario, "max-possible-step-size", "maxPossibleStepSize");
    m->max_step = 1;
    if (m->max_at)
        HK_TRY(read_whole(m, m->max_at, 1, &m->max_step));
    for (size_t i = 0; i < m->instances.count; i++)
        rejects = rejects || instances[i].can_reject;
    if (!rejects || m->max_step >= HK_MASTER_STEP_REJECTED)
        return HK_OK;
    if (m->max_at)
        hk_note(m->ctx, (hk_where){.file = m->file, .line = m->max_at->line},
                "steps of up to %d are tried, so that two FMUs can reject differently",
                HK_MASTER_STEP_REJECTED);
    m->max_step = HK_MASTER_STEP_REJECTED;
    return HK_OK;
}

static hk_status read_scenario(import *m, node *at) {
    static const char *const words[] = {"fmus",
                                        "connections",
                                        "configuration",
                                        "config",
                                        "max-possible-step-size",
                                        "maxPossibleStepSize",
                                        "clock-connections",
                                        "clockConnections",
                                        NULL};
    HK_TRY(expect_object(m, at, words));
    HK_TRY(refuse_adaptive(m, at));
    HK_TRY(refuse_clocks(m, at, "clock-connections", "clockConnections"));
    node *fmus = hk_json_member(at, "fmus"), *connections = hk_json_member(at, "connections");
    if (!fmus || fmus->kind != HK_JSON_OBJECT)
        return wrong(m, at, NULL, "the scenario has no 'fmus'");
    for (node *n = fmus->first; n; n = n->next)
        HK_TRY(read_instance(m, n));
    if (connections)
        HK_TRY(expect_list(m, connections));
    for (node *n = connections ? connections->first : NULL; n; n = n->next)
        HK_TRY(read_connection(m, n));
    return settle_max_step(m, at);
}

/* ---- the algorithm ---- */

static hk_status read_calls(import *m, node *list, int depth, const hk_sound_call **ret_calls,
                            size_t *ret_count);

static hk_status find_instance(import *m, node *at, uint32_t *ret_instance) {
    node *fmu = at->kind == HK_JSON_OBJECT ? hk_json_member(at, "fmu") : at;
    const char *name = fmu && fmu->kind == HK_JSON_STRING ? fmu->text : NULL;
    *ret_instance = name ? hk_map_get(&m->instance_names, name) : HK_MAP_NONE;
    if (*ret_instance == HK_MAP_NONE)
        return wrong(m, at, NULL,
                     name ? hk_arena_printf(m->arena, "there is no FMU '%s'", name)
                          : "expected the name of an FMU");
    return HK_OK;
}

static hk_status read_loop(import *m, node *at, int depth, hk_sound_call *call) {
    static const char *const words[] = {
        "until-converged", "untilConverged",  "until-step-accept", "untilStepAccept",
        "iterate",         "if-retry-needed", "ifRetryNeeded",     NULL};
    hk_sound_loop *loop = HK_NEW(m->arena, hk_sound_loop);
    HK_TRY(expect_object(m, at, words));
    node *converged = member(at, "until-converged", "untilConverged");
    node *accepted = member(at, "until-step-accept", "untilStepAccept");
    node *watched = converged ? converged : accepted, *body = hk_json_member(at, "iterate");
    node *retry = member(at, "if-retry-needed", "ifRetryNeeded");
    if (!watched || !body || (converged && accepted))
        return wrong(m, at, NULL,
                     "a loop has 'until-converged' or 'until-step-accept', and 'iterate'");
    HK_TRY(expect_list(m, watched));
    uint32_t *all = HK_NEW_ARRAY(m->arena, uint32_t, watched->count + 1);
    for (node *n = watched->first; n; n = n->next) {
        uint32_t *next = &all[loop->watched_count++];
        HK_TRY(converged ? read_reference(m, n, 1, next) : find_instance(m, n, next));
    }
    loop->kind = converged ? HK_LOOP_CONVERGED : HK_LOOP_ACCEPTED;
    loop->watched = all;
    HK_TRY(read_calls(m, body, depth + 1, &loop->body, &loop->body_count));
    if (retry)
        HK_TRY(read_calls(m, retry, depth + 1, &loop->retry, &loop->retry_count));
    call->op = HK_OP_LOOP;
    call->loop = loop;
    return HK_OK;
}

/* How far: { step: A, by: 2 }, { step: A, by-same-as: B }, or "by": { "RelativeStepSize": ... }. */
static hk_status read_size(import *m, node *at, hk_sound_call *call) {
    node *by = hk_json_member(at, "by"), *as = hk_json_member(at, "by-same-as");
    int64_t size = 0;
    if (as)
        return find_instance(m, as, &call->as);
    if (!by)
        return HK_OK;
    if (by->kind == HK_JSON_OBJECT) {
        node *relative = hk_json_member(by, "RelativeStepSize");
        node *absolute = hk_json_member(by, "AbsoluteStepSize");
        if (relative)
            return find_instance(m, relative, &call->as);
        if (hk_json_member(by, "DefaultStepSize"))
            return HK_OK;
        by = absolute && absolute->kind == HK_JSON_OBJECT && absolute->first ? absolute->first : by;
    }
    HK_TRY(read_whole(m, by, 0, &size));
    call->has_value = true;
    call->value = (double)size;
    return HK_OK;
}

/* A call is one word, with at most what belongs to it: a second one must not get lost. */
static hk_status check_members(import *m, node *at, const char *word) {
    for (node *n = at->first; n; n = n->next) {
        bool step = strcmp(word, "step") == 0;
        if (strcmp(n->name, word) == 0 ||
            (step && (strcmp(n->name, "by") == 0 || strcmp(n->name, "by-same-as") == 0)))
            continue;
        return wrong(
            m, n, "one call in each pair of braces",
            hk_arena_printf(m->arena, "'%s' does not belong to the call '%s'", n->name, word));
    }
    return HK_OK;
}

static hk_status read_call(import *m, node *at, int depth, hk_sound_call *call) {
    static const struct {
        const char *conf, *json;
        hk_sound_op op;
        bool tentative;
    } words[] = {{"get", "Get", HK_OP_GET, false},
                 {"set", "Set", HK_OP_SET, false},
                 {"get", "InitGet", HK_OP_GET, false},
                 {"set", "InitSet", HK_OP_SET, false},
                 {"get-tentative", "GetTentative", HK_OP_GET, true},
                 {"set-tentative", "SetTentative", HK_OP_SET, true},
                 {"step", "Step", HK_OP_STEP, false},
                 {"save-state", "SaveState", HK_OP_SAVE, false},
                 {"restore-state", "RestoreState", HK_OP_RESTORE, false},
                 {"loop", "StepLoop", HK_OP_LOOP, false},
                 {"loop", "AlgebraicLoop", HK_OP_LOOP, false},
                 {"loop", "AlgebraicLoopInit", HK_OP_LOOP, false}};
    *call = (hk_sound_call){.as = HK_MAP_NONE, .line = at->line};
    for (size_t i = 0; i < sizeof words / sizeof *words && at->kind == HK_JSON_OBJECT; i++) {
        node *conf = hk_json_member(at, words[i].conf), *json = hk_json_member(at, words[i].json);
        node *what = conf ? conf : json;
        if (!what)
            continue;
        HK_TRY(check_members(m, at, conf ? words[i].conf : words[i].json));
        call->op = words[i].op;
        call->tentative = words[i].tentative;
        if (call->tentative && !depth)
            return wrong(m, at, NULL, "a tentative value is for loops, and here is none");
        if (call->op == HK_OP_LOOP)
            return read_loop(m, what, depth, call);
        if (call->op != HK_OP_GET && call->op != HK_OP_SET) {
            HK_TRY(find_instance(m, what, &call->instance));
            return call->op == HK_OP_STEP ? read_size(m, conf ? at : json, call) : HK_OK;
        }
        node *port = json ? hk_json_member(json, "port") : NULL;
        bool nested = port && port->kind == HK_JSON_OBJECT;
        HK_TRY(read_reference(m, nested ? port : what, call->op == HK_OP_GET, &call->port));
        call->instance = ((const hk_sound_port *)m->ports.data)[call->port].instance;
        return HK_OK;
    }
    return wrong(m, at, "get, set, step, save-state, restore-state, loop", "this is not a call");
}

static hk_status read_calls(import *m, node *list, int depth, const hk_sound_call **ret_calls,
                            size_t *ret_count) {
    HK_TRY(expect_list(m, list));
    hk_sound_call *calls = HK_NEW_ARRAY(m->arena, hk_sound_call, list->count + 1);
    for (node *n = list->first; n; n = n->next)
        HK_TRY(read_call(m, n, depth, &calls[(*ret_count)++]));
    *ret_calls = calls;
    return HK_OK;
}

static hk_status read_algorithm(import *m, node *root, hk_sound_master **ret_master) {
    node *init = hk_json_member(root, "initialization");
    node *step = member(root, "cosim-step", "cosimStep");
    bool named = step && step->kind == HK_JSON_OBJECT;
    *ret_master = NULL;
    if (named && step->count > 1)
        return wrong(m, step, "prove each of them as a scenario of its own",
                     "adaptive scenarios, with several steps, are not supported");
    step = named ? step->first : step;
    if (is_empty(step) && is_empty(init))
        return HK_OK; /* one is made */
    hk_sound_master *master = HK_NEW(m->arena, hk_sound_master);
    if (init)
        HK_TRY(read_calls(m, init, 0, &master->init, &master->init_count));
    if (step)
        HK_TRY(read_calls(m, step, 0, &master->step, &master->step_count));
    *ret_master = master;
    return HK_OK;
}

static hk_status read_root(import *m, node *root, const char **ret_name,
                           hk_sound_master **ret_master) {
    static const char *const words[] = {
        "name",      "scenario",         "initialization",  "cosim-step",
        "cosimStep", "event-strategies", "eventStrategies", NULL};
    HK_TRY(expect_object(m, root, words));
    HK_TRY(refuse_clocks(m, root, "event-strategies", "eventStrategies"));
    node *scenario = hk_json_member(root, "scenario"), *name = hk_json_member(root, "name");
    if (!scenario)
        return wrong(m, root, NULL, "there is no 'scenario'");
    *ret_name =
        name && name->kind == HK_JSON_STRING && is_name(name->text) ? name->text : "unnamed";
    HK_TRY(read_scenario(m, scenario));
    return read_algorithm(m, root, ret_master);
}

hk_status hk_sound_import(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                          hk_sound_system **ret_system, hk_sound_master **ret_master,
                          int64_t *ret_max_step) {
    bool json = strcasecmp(hk_path_extension(text->file), ".json") == 0;
import m = {.ctx = ctx, .arena = arena, .file = text->file, .instances = HK_LIST(hk_sound_instance), .ports = HK_LIST(hk_sound_port) };
    hk_json_value *root;
    const char *name = "";
    HK_TRY(json ? hk_json_read(ctx, arena, HK_E_LANGUAGE, text, &root)
                : hk_hocon_read(ctx, arena, text->file, text->data, text->size, &root));
    hk_status status = read_root(&m, root, &name, ret_master);
    hk_sound_system *system = HK_NEW(arena, hk_sound_system);
    *system = (hk_sound_system){.arena = arena,
                                .name = name,
                                .instance_count = m.instances.count,
                                .port_count = m.ports.count};
    system->instances = hk_list_keep(arena, &m.instances);
    system->ports = hk_list_keep(arena, &m.ports);
    hk_map_finish(&m.instance_names);
    hk_map_finish(&m.port_names);
    *ret_system = system;
    *ret_max_step = m.max_step;
    return status;
}
