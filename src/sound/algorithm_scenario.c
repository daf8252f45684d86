/* SPDX-License-Identifier: MIT
 *
 * Reads the scenario of a master in words: docs/masters.md. Names are looked up when it is
 * complete. */
#include "base/number.h"
#include "sound/algorithm.h"

#include <string.h>

enum { RATE_MAX = 1000000 };

HK_LEVEL(scenario, "max", "instance", "connect", "adaptive", "configuration");
HK_LEVEL(instance, "in", "out", "can", "cannot", "rate", "parameters", "native", "clock",
         "clocked");

typedef struct dependency {
    hk_name input; /* without the instance */
    uint32_t output;
    bool at_init;
} dependency;

typedef struct link {
    hk_name from, to;
} link;

bool hk_master_read_whole(hk_master_reader *r, const char *what, int64_t least, int64_t most,
                          int64_t *ret_value) {
    hk_number number;
    int64_t value;
    if (!hk_parser_number(&r->parser, what, &number))
        return false;
    if (number.unit || !hk_read_i64(number.text, strlen(number.text), &value) || value < least ||
        value > most)
        return hk_parser_error(&r->parser, number.at.line, number.at.column, NULL,
                               "%s is a whole number from %d to %d", what, (int)least, (int)most);
    *ret_value = value;
    return true;
}

/* Parts of a name may be in quotes by themselves: A."x[1]". */
bool hk_master_read_path(hk_master_reader *r, const char *what, hk_name *ret_name) {
    if (!hk_parser_path(&r->parser, what, ret_name))
        return false;
    while (hk_parser_skip_mark(&r->parser, ".")) {
        hk_name part;
        if (!hk_parser_path(&r->parser, what, &part))
            return false;
        ret_name->text = hk_arena_printf(r->arena, "%s.%s", ret_name->text, part.text);
        ret_name->quoted = true;
    }
    return true;
}

static bool read_dependencies(hk_master_reader *r, uint32_t output, bool at_init) {
    hk_parser *p = &r->parser;
    if (!hk_parser_expect_mark(p, "["))
        return false;
    if (hk_parser_skip_mark(p, "]"))
        return true;
    do {
        dependency d = {.output = output, .at_init = at_init};
        if (!hk_parser_path(p, "an input of the same instance", &d.input))
            return false;
        hk_list_add(&r->dependencies, &d);
    } while (hk_parser_skip_mark(p, ","));
    return hk_parser_expect_mark(p, "]");
}

static bool read_port(hk_master_reader *r, bool output) {
    hk_parser *p = &r->parser;
    uint32_t index = (uint32_t)r->ports.count, instance = (uint32_t)r->instances.count - 1;
    const hk_sound_instance *owner = (const hk_sound_instance *)r->instances.data + instance;
    hk_sound_port port = {.instance = instance, .is_output = output, .source = HK_MAP_NONE};
    hk_name name;
    if (output)
        port.observed = hk_parser_skip(p, "observed");
    else
        port.reactive = hk_parser_skip(p, "reactive");
    if (!hk_parser_path(p, output ? "the name of an output" : "the name of an input", &name))
        return false;
    port.line = name.at.line;
    port.name = hk_arena_printf(r->arena, "%s.%s", owner->name, name.text);
    if (hk_map_put(&r->port_names, port.name, index) != index)
        return hk_parser_error(p, name.at.line, name.at.column, "remove one of them",
                               "port '%s' is given twice", port.name);
    port.initial = !output && hk_parser_skip(p, "initial");
    hk_list_add(&r->ports, &port);
    if (output && hk_parser_is_mark(p, "[") && !read_dependencies(r, index, false))
        return false;
    return !output || !hk_parser_skip(p, "init") || read_dependencies(r, index, true);
}

static bool read_instance_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_master_reader *r = into;
    int64_t value;
    enum { IN, OUT, CAN, CANNOT, RATE, PARAMETERS, NATIVE };
    if (word > NATIVE)
        return hk_master_wrong(r, &at, "leave out event mode: a scenario is about step mode",
                               "clocks of FMI 3 are not supported");
    if (word == IN || word == OUT)
        return read_port(r, word == OUT) && hk_parser_semicolon(p, &at);
    /* Ports do not move it: the list is read anew here. */
    hk_sound_instance *instance = (hk_sound_instance *)r->instances.data + r->instances.count - 1;
    switch (word) {
    case CAN:
        if (!hk_parser_expect(p, "reject"))
            return false;
        instance->can_reject = true;
        break;
    case CANNOT:
        if (!hk_parser_expect(p, "save"))
            return false;
        instance->can_save = false;
        break;
    case RATE:
        if (!hk_master_read_whole(r, "the rate", 1, RATE_MAX, &instance->rate))
            return false;
        if (hk_parser_skip(p, "from") &&
            !hk_master_read_whole(r, "the first cycle", 0, RATE_MAX, &instance->first))
            return false;
        break;
    case PARAMETERS:
        if (!hk_master_read_whole(r, "the number of parameters", 0, RATE_MAX, &value))
            return false;
        instance->parameters = (uint32_t)value;
        break;
    default:
        instance->is_fmu = false;
    }
    return hk_parser_semicolon(p, &at);
}

static bool read_instance(hk_master_reader *r, hk_place *at) {
    hk_sound_instance instance = {.rate = 1, .can_save = true, .is_fmu = true};
    hk_name name;
    hk_place end;
    if (!hk_parser_path(&r->parser, "the name of the instance", &name))
        return false;
    uint32_t index = (uint32_t)r->instances.count;
    if (hk_map_put(&r->instance_names, name.text, index) != index)
        return hk_parser_error(&r->parser, name.at.line, name.at.column, "remove one of them",
                               "instance '%s' is given twice", name.text);
    instance.name = name.text;
    instance.line = name.at.line;
    hk_list_add(&r->instances, &instance);
    return hk_parser_braces(&r->parser, &instance_level, at, read_instance_statement, r, &end);
}

static bool read_scenario_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_master_reader *r = into;
    link l;
    enum { MAX, INSTANCE, CONNECT };
    if (word > CONNECT)
        return hk_master_wrong(
            r, &at, "prove each configuration as a scenario of its own",
            "adaptive scenarios, with several configurations, are not supported");
    if (word == INSTANCE)
        return read_instance(r, &at);
    if (word == MAX) {
        if (!hk_parser_once(p, &at, r->has_max, "the largest step"))
            return false;
        r->has_max = true;
        r->max_at = at;
        return hk_parser_expect(p, "step") &&
               hk_master_read_whole(r, "the largest step", 1, HK_MASTER_STEP_MAX, &r->max_step) &&
               hk_parser_semicolon(p, &at);
    }
    if (!hk_master_read_path(r, "an output", &l.from) || !hk_parser_expect_mark(p, "->") ||
        !hk_master_read_path(r, "an input", &l.to))
        return false;
    hk_list_add(&r->links, &l);
    return hk_parser_semicolon(p, &at);
}

/* ---- names ----------------------------------------------------------------------------------- */

bool hk_master_unknown(hk_master_reader *r, const hk_name *name, const char *what,
                       const hk_map *map) {
    const char *close = hk_parser_is_mute(&r->parser) ? NULL : hk_map_closest(map, name->text);
    const char *hint = hk_hint_name(r->arena, close, NULL);
    return hk_parser_error(&r->parser, name->at.line, name->at.column, hint, "there is no %s '%s'",
                           what, name->text);
}

/* A name that stands for nothing, or not for what it is used as: one mistake, however often it is
 * used. All are reported at the end, when the uses are counted. */
typedef struct missing {
    hk_place at;
    const char *name, *text;
    const hk_map *names; /* what it may have meant; NULL: it is there */
    size_t uses;         /* further ones */
} missing;

static bool miss(hk_master_reader *r, const hk_name *name, const char *text, const hk_map *names) {
    uint32_t next = (uint32_t)r->missing.count;
    uint32_t index = hk_map_put(&r->missing_names, names ? name->text : text, next);
    r->missing.size = sizeof(missing);
    if (index == next)
        hk_list_add(&r->missing, &(missing){name->at, name->text, text, names, 0});
    else
        ((missing *)r->missing.data)[index].uses++;
    return false;
}

static bool miss_instance(hk_master_reader *r, const hk_name *name) {
    return miss(r, name, hk_arena_printf(r->arena, "there is no instance '%s'", name->text),
                &r->instance_names);
}

/* Is an instance there that it could be a port of? Names of both may have dots. */
static bool has_owner(const hk_master_reader *r, const char *port) {
    for (const char *dot = strchr(port, '.'); dot; dot = strchr(dot + 1, '.'))
        if (hk_map_get(&r->instance_names,
                       hk_arena_strndup(r->arena, port, (size_t)(dot - port))) != HK_MAP_NONE)
            return true;
    return false;
}

static bool miss_port(hk_master_reader *r, const hk_name *name, const char *what) {
    const char *dot = strrchr(name->text, '.');
    if (dot && !has_owner(r, name->text)) { /* all of its ports are missing for one reason */
        hk_name owner = *name;
        owner.text = hk_arena_strndup(r->arena, name->text, (size_t)(dot - name->text));
        return miss_instance(r, &owner);
    }
    return miss(r, name, hk_arena_printf(r->arena, "there is no %s '%s'", what, name->text),
                &r->port_names);
}

void hk_master_tell_missing(hk_master_reader *r) {
    const missing *all = r->missing.data;
    for (size_t i = 0; i < r->missing.count && !hk_parser_is_mute(&r->parser); i++) {
        const missing *m = &all[i];
        const char *more = m->uses == 0 ? ""
                           : m->uses == 1
                               ? "; it is used once more"
                               : hk_arena_printf(r->arena, "; it is used %zu times more", m->uses);
        const char *close = m->names ? hk_map_closest(m->names, m->name) : NULL;
        hk_parser_error(&r->parser, m->at.line, m->at.column, hk_hint_name(r->arena, close, NULL),
                        "%s%s", m->text, more);
    }
    hk_free(r->missing.data);
    hk_map_finish(&r->missing_names);
}

bool hk_master_find_port(hk_master_reader *r, const hk_name *name, bool output,
                         uint32_t *ret_port) {
    const char *what = output ? "output" : "input";
    uint32_t port = hk_map_get(&r->port_names, name->text);
    if (port == HK_MAP_NONE)
        return miss_port(r, name, what);
    if (((const hk_sound_port *)r->ports.data)[port].is_output != output)
        return miss(r, name, hk_arena_printf(r->arena, "'%s' is not an %s", name->text, what),
                    NULL);
    *ret_port = port;
    return true;
}

bool hk_master_find_any_port(hk_master_reader *r, const hk_name *name, uint32_t *ret_port) {
    *ret_port = hk_map_get(&r->port_names, name->text);
    return *ret_port != HK_MAP_NONE || miss_port(r, name, "port");
}

bool hk_master_find_instance(hk_master_reader *r, const hk_name *name, uint32_t *ret_instance) {
    *ret_instance = hk_map_get(&r->instance_names, name->text);
    return *ret_instance != HK_MAP_NONE || miss_instance(r, name);
}

static void resolve_links(hk_master_reader *r) {
    const link *links = r->links.data;
    hk_sound_port *ports = r->ports.data;
    for (size_t i = 0; i < r->links.count; i++) {
        uint32_t from = 0, to = 0;
        if (!hk_master_find_port(r, &links[i].from, true, &from) ||
            !hk_master_find_port(r, &links[i].to, false, &to))
            continue;
        if (ports[to].source != HK_MAP_NONE)
            hk_parser_error(&r->parser, links[i].to.at.line, links[i].to.at.column,
                            "remove one of the connections", "input '%s' has two sources",
                            ports[to].name);
        ports[to].source = from;
    }
}

static void add_dependency(hk_arena *arena, const uint32_t **list, size_t *count, uint32_t input) {
    /* Lists grow to powers of two; those of one output are few, those of all may be many. */
    if ((*count & (*count + 1)) == 0) {
        uint32_t *larger = HK_NEW_ARRAY(arena, uint32_t, 2 * *count + 1);
        if (*count)
            memcpy(larger, *list, *count * sizeof *larger);
        *list = larger;
    }
    ((uint32_t *)(uintptr_t)*list)[(*count)++] = input;
}

static void resolve_dependencies(hk_master_reader *r) {
    const dependency *dependencies = r->dependencies.data;
    for (size_t i = 0; i < r->dependencies.count; i++) {
        const dependency *d = &dependencies[i];
        hk_sound_port *output = (hk_sound_port *)r->ports.data + d->output;
        const hk_sound_instance *owner =
            (const hk_sound_instance *)r->instances.data + output->instance;
        hk_name full = d->input;
        uint32_t input = 0;
        full.text = hk_arena_printf(r->arena, "%s.%s", owner->name, d->input.text);
        if (!hk_master_find_port(r, &full, false, &input))
            continue;
        if (d->at_init)
            add_dependency(r->arena, &output->depends_init, &output->depends_init_count, input);
        else
            add_dependency(r->arena, &output->depends, &output->depends_count, input);
    }
}

/* With a small step nothing, or not enough, could be rejected: that would prove little. */
static void settle_max_step(hk_master_reader *r) {
    const hk_sound_instance *instances = r->instances.data;
    for (size_t i = 0; i < r->instances.count; i++) {
        if (!instances[i].can_reject || r->max_step >= HK_MASTER_STEP_REJECTED)
            continue;
        if (r->has_max)
            hk_parser_error(&r->parser, r->max_at.line, r->max_at.column,
                            "write 'max step 3;' or more, or leave it out",
                            "with a largest step of %d it is not seen what happens when '%s' and "
                            "others reject one",
                            (int)r->max_step, instances[i].name);
        r->max_step = HK_MASTER_STEP_REJECTED;
    }
}

bool hk_master_read_scenario(hk_master_reader *r, hk_place *at) {
    hk_name name;
    hk_place end;
    if (!hk_parser_once(&r->parser, at, r->has_scenario, "the scenario"))
        return false;
    r->has_scenario = true;
    r->dependencies = HK_LIST(dependency);
    r->links = HK_LIST(link);
    bool good = hk_parser_path(&r->parser, "the name of the scenario", &name) &&
                hk_parser_braces(&r->parser, &scenario_level, at, read_scenario_statement, r, &end);
    if (good) {
        r->name = name.text;
        resolve_links(r);
        resolve_dependencies(r);
        settle_max_step(r);
    }
    hk_free(r->dependencies.data);
    hk_free(r->links.data);
    return good;
}
