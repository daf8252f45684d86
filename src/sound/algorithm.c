/* SPDX-License-Identifier: MIT
 *
 * Reads a scenario and an orchestration algorithm in words: docs/masters.md. Names of the algorithm
 * are looked up as they are read; those of the scenario when it is complete. */
#include "base/map.h"
#include "base/number.h"
#include "lang/parser.h"
#include "sound/sound.h"

#include <string.h>

enum { STEP_MAX = 1000, ORDER_MAX = 1 << 20, RATE_MAX = 1000000 };

HK_LEVEL(file, "scenario", "algorithm");
HK_LEVEL(scenario, "max", "instance", "connect");
HK_LEVEL(instance, "in", "out", "can", "cannot", "rate", "parameters", "native");
HK_LEVEL(algorithm, "init", "step");
/* Those of a parallel block can have labels, which are any other word. */
#define CALL_WORDS "get", "set", "step", "save", "restore", "parameter"
HK_LEVEL(body, CALL_WORDS, "until", "par");
static const char *const par_words[] = {CALL_WORDS, "until"};
static const hk_level par_level = {.words = par_words,
                                   .count = sizeof par_words / sizeof *par_words,
                                   .any = true,
                                   .what = "a label"};
HK_LEVEL(all, "scenario", "algorithm", "max", "instance", "connect", "in", "out", "can", "cannot",
         "rate", "parameters", "native", "init", CALL_WORDS, "until", "par");
enum { WORD_GET, WORD_SET, WORD_STEP, WORD_SAVE, WORD_RESTORE, WORD_PARAMETER, WORD_UNTIL };

typedef struct dependency {
    hk_name input; /* without the instance */
    uint32_t output;
    bool at_init;
} dependency;

typedef struct link {
    hk_name from, to;
} link;

typedef struct reader {
    hk_parser parser;
    hk_arena *arena;
    const char *name;
    hk_list instances, ports, dependencies, links;
    hk_map instance_names, port_names;
    int64_t max_step;
    bool has_scenario, has_algorithm, has_max, has_init, has_step;
    hk_sound_system *system;
    hk_sound_master *master;
    /* The step as a partial order: for each call those that it comes right after. */
    uint32_t *frontier;
    size_t frontier_count, frontier_cap;
    hk_list before, before_count;
    size_t order_size;
    bool parallel;
} reader;

/* A sequence of calls that is being read. */
typedef struct block {
    reader *r;
    hk_list calls;
    bool ordered; /* the step itself: its order is kept */
    /* A parallel block: where it begins, its labels, what it comes after. */
    bool par;
    size_t begin;
    hk_map labels;
    uint32_t *base;
    size_t base_count;
} block;

static bool wrong(reader *r, const hk_place *at, const char *hint, const char *text) {
    return hk_parser_error(&r->parser, at->line, at->column, hint, "%s", text);
}

/* ---- the scenario ---------------------------------------------------------------------------- */

static bool read_whole(reader *r, const char *what, int64_t least, int64_t most,
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

static bool read_dependencies(reader *r, uint32_t output, bool at_init) {
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

static bool read_port(reader *r, bool output) {
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
    reader *r = into;
    int64_t value;
    enum { IN, OUT, CAN, CANNOT, RATE, PARAMETERS, NATIVE };
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
        if (!read_whole(r, "the rate", 1, RATE_MAX, &instance->rate))
            return false;
        if (hk_parser_skip(p, "from") &&
            !read_whole(r, "the first cycle", 0, RATE_MAX, &instance->first))
            return false;
        break;
    case PARAMETERS:
        if (!read_whole(r, "the number of parameters", 0, RATE_MAX, &value))
            return false;
        instance->parameters = (uint32_t)value;
        break;
    default:
        instance->is_fmu = false;
    }
    return hk_parser_semicolon(p, &at);
}

static bool read_instance(reader *r, hk_place *at) {
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
    hk_list_add(&r->instances, &instance);
    return hk_parser_braces(&r->parser, &instance_level, at, read_instance_statement, r, &end);
}

static bool read_scenario_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    reader *r = into;
    link l;
    enum { MAX, INSTANCE };
    if (word == INSTANCE)
        return read_instance(r, &at);
    if (word == MAX) {
        if (!hk_parser_once(p, &at, r->has_max, "the largest step"))
            return false;
        r->has_max = true;
        return hk_parser_expect(p, "step") &&
               read_whole(r, "the largest step", 1, STEP_MAX, &r->max_step) &&
               hk_parser_semicolon(p, &at);
    }
    if (!hk_parser_path(p, "an output", &l.from) || !hk_parser_expect_mark(p, "->") ||
        !hk_parser_path(p, "an input", &l.to))
        return false;
    hk_list_add(&r->links, &l);
    return hk_parser_semicolon(p, &at);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool unknown(reader *r, const hk_name *name, const char *what, const hk_map *map) {
    const char *hint = NULL;
    if (!hk_parser_is_mute(&r->parser)) {
        const char **names = hk_alloc((map->count + 1) * sizeof *names);
        size_t count = 0;
        for (size_t i = 0; i < map->cap; i++)
            if (map->entries[i].key)
                names[count++] = map->entries[i].key;
        const char *close = hk_closest(name->text, names, count);
        hint = close ? hk_arena_printf(r->arena, "did you mean '%s'?", close) : NULL;
        hk_free(names);
    }
    return hk_parser_error(&r->parser, name->at.line, name->at.column, hint, "there is no %s '%s'",
                           what, name->text);
}

static bool find_port(reader *r, const hk_name *name, bool output, uint32_t *ret_port) {
    const char *what = output ? "output" : "input";
    uint32_t port = hk_map_get(&r->port_names, name->text);
    if (port == HK_MAP_NONE)
        return unknown(r, name, what, &r->port_names);
    if (((const hk_sound_port *)r->ports.data)[port].is_output != output)
        return hk_parser_error(&r->parser, name->at.line, name->at.column, NULL, "'%s' is no %s",
                               name->text, what);
    *ret_port = port;
    return true;
}

static bool find_instance(reader *r, const hk_name *name, uint32_t *ret_instance) {
    *ret_instance = hk_map_get(&r->instance_names, name->text);
    return *ret_instance != HK_MAP_NONE || unknown(r, name, "instance", &r->instance_names);
}

static void resolve_links(reader *r) {
    const link *links = r->links.data;
    hk_sound_port *ports = r->ports.data;
    for (size_t i = 0; i < r->links.count; i++) {
        uint32_t from = 0, to = 0;
        if (!find_port(r, &links[i].from, true, &from) || !find_port(r, &links[i].to, false, &to))
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

static void resolve_dependencies(reader *r) {
    const dependency *dependencies = r->dependencies.data;
    for (size_t i = 0; i < r->dependencies.count; i++) {
        const dependency *d = &dependencies[i];
        hk_sound_port *output = (hk_sound_port *)r->ports.data + d->output;
        const hk_sound_instance *owner =
            (const hk_sound_instance *)r->instances.data + output->instance;
        hk_name full = d->input;
        uint32_t input = 0;
        full.text = hk_arena_printf(r->arena, "%s.%s", owner->name, d->input.text);
        if (!find_port(r, &full, false, &input))
            continue;
        if (d->at_init)
            add_dependency(r->arena, &output->depends_init, &output->depends_init_count, input);
        else
            add_dependency(r->arena, &output->depends, &output->depends_count, input);
    }
}

static bool read_scenario(reader *r, hk_place *at) {
    hk_name name;
    hk_place end;
    if (!hk_parser_once(&r->parser, at, r->has_scenario, "the scenario"))
        return false;
    r->has_scenario = true;
    if (!hk_parser_path(&r->parser, "the name of the scenario", &name) ||
        !hk_parser_braces(&r->parser, &scenario_level, at, read_scenario_statement, r, &end))
        return false;
    r->name = name.text;
    resolve_links(r);
    resolve_dependencies(r);
    return true;
}

/* ---- the algorithm --------------------------------------------------------------------------- */

static const char order_hint[] = "use fewer and smaller parallel blocks";

/* Notes that the call that comes next follows those in LIST. */
static bool keep_order(block *b, const uint32_t *list, size_t count, const hk_place *at) {
    reader *r = b->r;
    uint32_t *kept = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    if (count)
        memcpy(kept, list, count * sizeof *kept);
    r->order_size += count;
    if (r->order_size > ORDER_MAX)
        return wrong(r, at, order_hint, "the order is too large");
    hk_list_add(&r->before, &kept);
    hk_list_add(&r->before_count, &count);
    return true;
}

static void set_frontier(reader *r, uint32_t call) {
    r->frontier_count = 0;
    HK_PUSH(r->frontier, r->frontier_count, r->frontier_cap, call);
}

/* AFTER: the calls of the same parallel block that it follows; NULL or empty: as it stands. */
static bool add_call(block *b, hk_sound_call call, const hk_list *after, const hk_place *at) {
    reader *r = b->r;
    call.line = at->line;
    if (b->par && after && after->count) {
        if (!keep_order(b, after->data, after->count, at))
            return false;
    } else if (b->par) {
        if (!keep_order(b, b->base, b->base_count, at))
            return false;
    } else if (b->ordered) {
        if (!keep_order(b, r->frontier, r->frontier_count, at))
            return false;
        set_frontier(r, (uint32_t)b->calls.count);
    }
    hk_list_add(&b->calls, &call);
    return true;
}

static bool read_after(block *b, hk_list *after) {
    hk_parser *p = &b->r->parser;
    do {
        hk_name label;
        if (!hk_parser_name(p, "a label", &label))
            return false;
        uint32_t call = hk_map_get(&b->labels, label.text);
        if (call == HK_MAP_NONE)
            return unknown(b->r, &label, "label before this statement", &b->labels);
        hk_list_add(after, &call);
    } while (hk_parser_skip_mark(p, ","));
    return true;
}

/* How a step is made: "as A", "by 2". */
static bool read_size(reader *r, hk_sound_call *call) {
    hk_name name;
    int64_t size;
    if (hk_parser_skip(&r->parser, "as"))
        return hk_parser_path(&r->parser, "an instance", &name) &&
               find_instance(r, &name, &call->as);
    if (!hk_parser_skip(&r->parser, "by"))
        return true;
    if (!read_whole(r, "the size of a step", 0, STEP_MAX, &size))
        return false;
    call->has_value = true;
    call->value = (double)size;
    return true;
}

/* "get A.x, A.v": the statement begins with WORD and may name several. */
static bool read_calls(block *b, size_t word, const char *label, hk_place at) {
    static const hk_sound_op ops[] = {HK_OP_GET,  HK_OP_SET,     HK_OP_STEP,
                                      HK_OP_SAVE, HK_OP_RESTORE, HK_OP_PARAMETER};
    reader *r = b->r;
    hk_parser *p = &r->parser;
    hk_sound_call call = {.op = ops[word], .as = HK_MAP_NONE};
    hk_list named = HK_LIST(uint32_t), after = HK_LIST(uint32_t);
    bool ports = word == WORD_GET || word == WORD_SET, good = false;
    call.tentative = ports && hk_parser_skip(p, "tentative");
    do {
        hk_name name;
        uint32_t index;
        if (!hk_parser_path(p, ports ? "a port" : "an instance", &name) ||
            !(ports ? find_port(r, &name, word == WORD_GET, &index)
                    : find_instance(r, &name, &index)))
            goto done;
        hk_list_add(&named, &index);
    } while (hk_parser_skip_mark(p, ","));
    if (word == WORD_STEP && !read_size(r, &call))
        goto done;
    if (b->par && hk_parser_skip(p, "after") && !read_after(b, &after))
        goto done;
    if (label && named.count > 1) {
        wrong(r, &at, "give it a statement of its own", "a label is for one call");
        goto done;
    }
    if (!hk_parser_semicolon(p, &at))
        goto done;
    for (size_t i = 0; i < named.count; i++) {
        uint32_t index = ((const uint32_t *)named.data)[i];
        call.port = ports ? index : 0;
        call.instance = ports ? ((const hk_sound_port *)r->ports.data)[index].instance : index;
        if (!add_call(b, call, &after, &at))
            goto done;
    }
    good = true;
done:
    hk_free(named.data);
    hk_free(after.data);
    return good;
}

static bool read_body_statement(hk_parser *p, void *into, size_t word, hk_place at);

static const hk_sound_call *keep_calls(reader *r, block *b, size_t *ret_count) {
    *ret_count = b->calls.count;
    return hk_list_keep(r->arena, &b->calls);
}

static bool read_braces(reader *r, hk_place *at, const hk_sound_call **ret_calls,
                        size_t *ret_count) {
    block inner = {.r = r, .calls = HK_LIST(hk_sound_call)};
    hk_place end;
    if (!hk_parser_enter(&r->parser))
        return false;
    bool good = hk_parser_braces(&r->parser, &body_level, at, read_body_statement, &inner, &end);
    hk_parser_leave(&r->parser);
    *ret_calls = keep_calls(r, &inner, ret_count);
    return good;
}

/* "converged (A.x, B.y)" or "accepted (A, B)". */
static bool read_watched(reader *r, hk_sound_loop *loop) {
    static const char *const kinds[] = {"converged", "accepted"};
    hk_parser *p = &r->parser;
    hk_list watched = HK_LIST(uint32_t);
    hk_name kind, name;
    uint32_t index;
    bool good = false;
    if (!hk_parser_word(p, kinds, 2, &kind) || !hk_parser_expect_mark(p, "("))
        return false;
    loop->kind = strcmp(kind.text, kinds[0]) == 0 ? HK_LOOP_CONVERGED : HK_LOOP_ACCEPTED;
    do {
        bool ports = loop->kind == HK_LOOP_CONVERGED;
        if (!hk_parser_path(p, ports ? "an output" : "an instance", &name) ||
            !(ports ? find_port(r, &name, true, &index) : find_instance(r, &name, &index)))
            goto done;
        hk_list_add(&watched, &index);
    } while (hk_parser_skip_mark(p, ","));
    good = hk_parser_expect_mark(p, ")");
done:
    loop->watched_count = watched.count;
    loop->watched = hk_list_keep(r->arena, &watched);
    return good;
}

static bool read_until(block *b, hk_place at) {
    reader *r = b->r;
    hk_sound_loop *loop = HK_NEW(r->arena, hk_sound_loop);
    hk_sound_call call = {.op = HK_OP_LOOP, .as = HK_MAP_NONE, .loop = loop};
    hk_list after = HK_LIST(uint32_t);
    hk_place retry = at;
    bool good = read_watched(r, loop);
    if (good && b->par && hk_parser_skip(&r->parser, "after"))
        good = read_after(b, &after);
    good = good && read_braces(r, &at, &loop->body, &loop->body_count);
    if (good && hk_parser_skip(&r->parser, "retry"))
        good = read_braces(r, &retry, &loop->retry, &loop->retry_count);
    good = good && add_call(b, call, &after, &at);
    hk_free(after.data);
    return good;
}

/* A statement of a parallel block, with a label before it or not. */
static bool read_par_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    block *b = into;
    hk_name label = HK_MISSING;
    if (word == par_level.count) {
        hk_name first;
        if (!hk_parser_name(p, "a label", &label) || !hk_parser_expect_mark(p, ":") ||
            !hk_parser_word(p, par_words, par_level.count, &first))
            return false;
        for (word = 0; strcmp(par_words[word], first.text) != 0;)
            word++;
        if (hk_map_get(&b->labels, label.text) != HK_MAP_NONE)
            return hk_parser_error(p, label.at.line, label.at.column, "use another one",
                                   "label '%s' is given twice", label.text);
    }
    uint32_t call = (uint32_t)b->calls.count;
    if (!(word == WORD_UNTIL ? read_until(b, at)
                             : read_calls(b, word, label.text[0] ? label.text : NULL, at)))
        return false;
    if (label.text[0])
        hk_map_put(&b->labels, label.text, call);
    return true;
}

/* What comes after a parallel block follows those of its calls that nothing follows in it. */
static void leave_par(block *b) {
    reader *r = b->r;
    size_t count = b->calls.count - b->begin;
    bool *followed = hk_alloc(count + 1);
    for (size_t i = b->begin; i < r->before.count; i++)
        for (size_t k = 0; k < ((const size_t *)r->before_count.data)[i]; k++) {
            uint32_t call = ((uint32_t *const *)r->before.data)[i][k];
            if (call >= b->begin)
                followed[call - b->begin] = true;
        }
    if (count)
        r->frontier_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!followed[i])
            HK_PUSH(r->frontier, r->frontier_count, r->frontier_cap, (uint32_t)(b->begin + i));
    hk_free(followed);
}

static bool read_par(block *b, hk_place *at) {
    reader *r = b->r;
    hk_place end;
    if (!b->ordered)
        return wrong(r, at, NULL, "'par' may stand in 'step' itself only, not in a loop or 'init'");
    block par = {.r = r, .calls = b->calls, .par = true, .begin = b->calls.count};
    r->order_size += r->frontier_count;
    if (r->order_size > ORDER_MAX)
        return wrong(r, at, order_hint, "the order is too large");
    par.base = HK_NEW_ARRAY(r->arena, uint32_t, r->frontier_count + 1);
    par.base_count = r->frontier_count;
    if (r->frontier_count)
        memcpy(par.base, r->frontier, r->frontier_count * sizeof *par.base);
    bool good = hk_parser_braces(&r->parser, &par_level, at, read_par_statement, &par, &end);
    b->calls = par.calls;
    leave_par(&par);
    hk_map_finish(&par.labels);
    r->parallel = true;
    return good;
}

static bool read_body_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    block *b = into;
    (void)p;
    if (word < WORD_UNTIL)
        return read_calls(b, word, NULL, at);
    return word == WORD_UNTIL ? read_until(b, at) : read_par(b, &at);
}

static bool read_algorithm_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    reader *r = into;
    bool step = word == 1, *has = step ? &r->has_step : &r->has_init;
    block b = {.r = r, .calls = HK_LIST(hk_sound_call), .ordered = step};
    hk_place end;
    if (!hk_parser_once(p, &at, *has, step ? "'step'" : "'init'"))
        return false;
    *has = true;
    bool good = hk_parser_braces(p, &body_level, &at, read_body_statement, &b, &end);
    if (step)
        r->master->step = keep_calls(r, &b, &r->master->step_count);
    else
        r->master->init = keep_calls(r, &b, &r->master->init_count);
    return good;
}

static bool read_file_statement(hk_parser *p, void *into, size_t word, hk_place at) {
    reader *r = into;
    hk_place end;
    if (word == 0)
        return read_scenario(r, &at);
    if (!r->has_scenario)
        return wrong(r, &at, NULL, "the scenario must stand before the algorithm");
    if (!hk_parser_once(p, &at, r->has_algorithm, "the algorithm"))
        return false;
    r->has_algorithm = true;
    r->master = HK_NEW(r->arena, hk_sound_master);
    return hk_parser_braces(p, &algorithm_level, &at, read_algorithm_statement, r, &end);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void keep_system(reader *r) {
    hk_sound_system *system = HK_NEW(r->arena, hk_sound_system);
    *system = (hk_sound_system){.arena = r->arena,
                                .name = r->name ? r->name : "",
                                .instance_count = r->instances.count,
                                .port_count = r->ports.count};
    system->instances = hk_list_keep(r->arena, &r->instances);
    system->ports = hk_list_keep(r->arena, &r->ports);
    r->system = system;
    size_t *counts = hk_list_keep(r->arena, &r->before_count);
    const uint32_t *const *before = hk_list_keep(r->arena, &r->before);
    if (r->master && r->parallel) {
        r->master->before = before;
        r->master->before_count = counts;
    }
}

hk_status hk_sound_read_text(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                             size_t size, hk_sound_system **ret_system,
                             hk_sound_master **ret_master, int64_t *ret_max_step) {
    reader r = {.arena = arena,
                .instances = HK_LIST(hk_sound_instance),
                .ports = HK_LIST(hk_sound_port),
                .dependencies = HK_LIST(dependency),
                .links = HK_LIST(link),
                .before = HK_LIST(uint32_t *),
                .before_count = HK_LIST(size_t),
                .max_step = 1};
    hk_place end;
    hk_parser_begin(&r.parser, ctx, arena, file, data, size, &all_level);
    hk_parser_whole(&r.parser, &file_level, read_file_statement, &r, &end);
    if (!r.has_scenario && !r.parser.errors)
        wrong(&r, &end, "write scenario NAME { ... }", "there is no scenario");
    keep_system(&r);
    hk_free(r.dependencies.data);
    hk_free(r.links.data);
    hk_free(r.frontier);
    hk_map_finish(&r.instance_names);
    hk_map_finish(&r.port_names);
    HK_TRY(hk_parser_finish(&r.parser));
    *ret_system = r.system;
    *ret_master = r.master;
    *ret_max_step = r.max_step;
    return HK_OK;
}
