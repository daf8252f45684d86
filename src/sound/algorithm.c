/* SPDX-License-Identifier: MIT
 *
 * Reads an orchestration algorithm in words: docs/masters.md. Its names are looked up as they are
 * read; the scenario is before it. */
#include "sound/algorithm.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

enum { ORDER_MAX = 1 << 20 };

HK_LEVEL(file, "scenario", "algorithm");
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

/* A sequence of calls that is being read. */
typedef struct block {
    hk_master_reader *r;
    hk_list calls;
    bool ordered; /* the step itself: its order is kept */
    /* A parallel block: where it begins, its labels, what it comes after. */
    bool par;
    size_t begin;
    hk_map labels;
    uint32_t *base;
    size_t base_count;
} block;

bool hk_master_wrong(hk_master_reader *r, const hk_place *at, const char *hint, const char *text) {
    return hk_parser_error(&r->parser, at->line, at->column, hint, "%s", text);
}

/* ---- the algorithm --------------------------------------------------------------------------- */

static const char order_hint[] = "use fewer and smaller parallel blocks";

/* Notes that the call that comes next follows those in LIST. */
static bool keep_order(block *b, const uint32_t *list, size_t count, const hk_place *at) {
    hk_master_reader *r = b->r;
    uint32_t *kept = HK_NEW_ARRAY(r->arena, uint32_t, count + 1);
    if (count)
        memcpy(kept, list, count * sizeof *kept);
    r->order_size += count;
    if (r->order_size > ORDER_MAX)
        return hk_master_wrong(r, at, order_hint, "the order is too large");
    hk_list_add(&r->before, &kept);
    hk_list_add(&r->before_count, &count);
    return true;
}

static void set_frontier(hk_master_reader *r, uint32_t call) {
    r->frontier_count = 0;
    HK_PUSH(r->frontier, r->frontier_count, r->frontier_cap, call);
}

/* AFTER: the calls of the same parallel block that it follows; NULL or empty: as it stands. */
static bool add_call(block *b, hk_sound_call call, const hk_list *after, const hk_place *at) {
    hk_master_reader *r = b->r;
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
            return hk_master_unknown(b->r, &label, "label before this statement", &b->labels);
        hk_list_add(after, &call);
    } while (hk_parser_skip_mark(p, ","));
    return true;
}

/* How a step is made: "as A", "by 2". */
static bool read_size(hk_master_reader *r, hk_sound_call *call) {
    hk_name name;
    int64_t size;
    if (hk_parser_skip(&r->parser, "as"))
        return hk_master_read_path(r, "an instance", &name) &&
               hk_master_find_instance(r, &name, &call->as);
    if (!hk_parser_skip(&r->parser, "by"))
        return true;
    if (!hk_master_read_whole(r, "the size of a step", 0, HK_MASTER_STEP_MAX, &size))
        return false;
    call->has_value = true;
    call->value = (double)size;
    return true;
}

/* Parameters have no names: each statement is about the next one. */
static uint32_t next_parameter(hk_master_reader *r, uint32_t instance) {
    while (r->parameters_set.count <= instance)
        hk_list_add(&r->parameters_set, &(uint32_t){0});
    return ((uint32_t *)r->parameters_set.data)[instance]++;
}

/* Ports or instances, with commas between them, to NAMED. */
static bool read_named(hk_master_reader *r, size_t word, bool ports, hk_list *named) {
    do {
        hk_name name;
        uint32_t index;
        if (!hk_master_read_path(r, ports ? "a port" : "an instance", &name) ||
            !(ports ? hk_master_find_port(r, &name, word == WORD_GET, &index)
                    : hk_master_find_instance(r, &name, &index)))
            return false;
        hk_list_add(named, &index);
    } while (hk_parser_skip_mark(&r->parser, ","));
    return true;
}

/* "get A.x, A.v": the statement begins with WORD and may name several. */
static bool read_calls(block *b, size_t word, const char *label, hk_place at) {
    static const hk_sound_op ops[] = {HK_OP_GET,  HK_OP_SET,     HK_OP_STEP,
                                      HK_OP_SAVE, HK_OP_RESTORE, HK_OP_PARAMETER};
    hk_master_reader *r = b->r;
    hk_parser *p = &r->parser;
    hk_sound_call call = {.op = ops[word], .as = HK_MAP_NONE};
    hk_list named = HK_LIST(uint32_t), after = HK_LIST(uint32_t);
    bool ports = word == WORD_GET || word == WORD_SET, good = false;
    hk_place here = hk_parser_here(p);
    call.tentative = ports && hk_parser_skip(p, "tentative");
    if (call.tentative && !r->loops)
        return hk_master_wrong(
            r, &here, "leave it out",
            "'tentative' is for values that a loop may still change, and here is "
            "not a loop");
    if (!read_named(r, word, ports, &named) || (word == WORD_STEP && !read_size(r, &call)))
        goto done;
    if (b->par && hk_parser_skip(p, "after") && !read_after(b, &after))
        goto done;
    if (label && named.count > 1) {
        hk_master_wrong(r, &at, "give it a statement of its own", "a label is for one call");
        goto done;
    }
    if (!hk_parser_semicolon(p, &at))
        goto done;
    for (size_t i = 0; i < named.count; i++) {
        uint32_t index = ((const uint32_t *)named.data)[i];
        call.port = ports ? index : word == WORD_PARAMETER ? next_parameter(r, index) : 0;
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

static const hk_sound_call *keep_calls(hk_master_reader *r, block *b, size_t *ret_count) {
    *ret_count = b->calls.count;
    return hk_list_keep(r->arena, &b->calls);
}

static bool read_braces(hk_master_reader *r, hk_place *at, const hk_sound_call **ret_calls,
                        size_t *ret_count) {
    block inner = {.r = r, .calls = HK_LIST(hk_sound_call)};
    hk_place end;
    if (!hk_parser_enter(&r->parser))
        return false;
    r->loops++;
    bool good = hk_parser_braces(&r->parser, &body_level, at, read_body_statement, &inner, &end);
    r->loops--;
    hk_parser_leave(&r->parser);
    *ret_calls = keep_calls(r, &inner, ret_count);
    return good;
}

/* "converged (A.x, B.y)" or "accepted (A, B)". */
static bool read_watched(hk_master_reader *r, hk_sound_loop *loop) {
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
        if (!hk_master_read_path(r, ports ? "a port" : "an instance", &name) ||
            !(ports ? hk_master_find_any_port(r, &name, &index)
                    : hk_master_find_instance(r, &name, &index)))
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
    hk_master_reader *r = b->r;
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
    bool good = word == WORD_UNTIL ? read_until(b, at)
                                   : read_calls(b, word, label.text[0] ? label.text : NULL, at);
    if (label.text[0]) /* also of a wrong one: the label is there */
        hk_map_put(&b->labels, label.text, call);
    return good;
}

/* What comes after a parallel block follows those of its calls that nothing follows in it. */
static void leave_par(block *b) {
    hk_master_reader *r = b->r;
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
    hk_master_reader *r = b->r;
    hk_place end;
    if (!b->ordered)
        return hk_master_wrong(r, at, NULL,
                               "'par' is allowed in 'step' itself only, not in a loop or 'init'");
    block par = {.r = r, .calls = b->calls, .par = true, .begin = b->calls.count};
    r->order_size += r->frontier_count;
    if (r->order_size > ORDER_MAX)
        return hk_master_wrong(r, at, order_hint, "the order is too large");
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
    hk_master_reader *r = into;
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
    hk_master_reader *r = into;
    hk_place end;
    if (word == 0)
        return hk_master_read_scenario(r, &at);
    if (!r->has_scenario)
        return hk_master_wrong(r, &at, NULL, "the scenario must come before the algorithm");
    if (!hk_parser_once(p, &at, r->has_algorithm, "the algorithm"))
        return false;
    r->has_algorithm = true;
    r->master = HK_NEW(r->arena, hk_sound_master);
    return hk_parser_braces(p, &algorithm_level, &at, read_algorithm_statement, r, &end);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void keep_system(hk_master_reader *r) {
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

hk_status hk_sound_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                             hk_sound_system **ret_system, hk_sound_master **ret_master,
                             int64_t *ret_max_step) {
    const char *extension = hk_path_extension(text->file);
    if (strcasecmp(extension, ".json") == 0 || strcasecmp(extension, ".conf") == 0)
        return hk_sound_import(ctx, arena, text, ret_system, ret_master, ret_max_step);
    hk_master_reader r = {.arena = arena,
                          .instances = HK_LIST(hk_sound_instance),
                          .ports = HK_LIST(hk_sound_port),
                          .before = HK_LIST(uint32_t *),
                          .before_count = HK_LIST(size_t),
                          .parameters_set = HK_LIST(uint32_t),
                          .max_step = 1};
    hk_place end;
    hk_parser_begin(&r.parser, ctx, arena, text, &all_level);
    hk_parser_whole(&r.parser, &file_level, read_file_statement, &r, &end);
    hk_master_tell_missing(&r);
    if (!r.has_scenario && !r.parser.complaints.count)
        hk_master_wrong(&r, &end, "write scenario NAME { ... }", "there is no scenario");
    keep_system(&r);
    hk_free(r.parameters_set.data);
    hk_free(r.frontier);
    hk_map_finish(&r.instance_names);
    hk_map_finish(&r.port_names);
    HK_TRY(hk_parser_finish(&r.parser));
    *ret_system = r.system;
    *ret_master = r.master;
    *ret_max_step = r.max_step;
    return HK_OK;
}
