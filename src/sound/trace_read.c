/* SPDX-License-Identifier: MIT
 *
 * Recorded traces, one call per line: JSON as `hocket run --trace` writes it, or a plain text that
 * is easily made by other tools. */
#include "sound/trace_reader.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>
#include <strings.h>

enum { TRACE_LIMIT = 1 << 30 };

typedef hk_trace_reader reader;

static hk_status wrong(reader *r, const char *hint, const char *what) {
    return hk_error(r->ctx, HK_E_LANGUAGE, (hk_where){.file = r->file, .line = r->line}, hint, "%s",
                    what);
}

/* What the checker finds says more, so this is reported only where it finds nothing. */
static void object(reader *r, const char *why) {
    if (!why || r->objection)
        return;
    r->objection = why;
    r->objection_line = r->line;
}

static hk_status find_instance(reader *r, const char *name, uint32_t *ret_index) {
    *ret_index = hk_map_get(&r->instances, name);
    if (*ret_index == HK_MAP_NONE)
        return wrong(r, "give the system that the trace was made with",
                     hk_arena_printf(r->arena, "the system has no instance '%s'", name));
    return HK_OK;
}

/* The port with this name, "instance.port"; HK_MAP_NONE: a variable of the plan that is not in the
 * view. */
static hk_status find_port(reader *r, const char *name, uint32_t *ret_port) {
    *ret_port = hk_map_get(&r->ports, name);
    for (const char *dot = strchr(name, '.'); *ret_port == HK_MAP_NONE && dot;
         dot = strchr(dot + 1, '.')) {
        const char *front = hk_arena_strndup(r->arena, name, (size_t)(dot - name));
        uint32_t instance = hk_map_get(&r->instances, front);
        if (r->variables && instance != HK_MAP_NONE &&
            hk_map_get(&r->variables[instance], dot + 1) != HK_MAP_NONE)
            return HK_OK;
    }
    if (*ret_port == HK_MAP_NONE)
        return wrong(r, "give the system that the trace was made with",
                     hk_arena_printf(r->arena, "the system has no port '%s'", name));
    return HK_OK;
}

/* "ok", "fmi2OK", "Warning", ... */
static void read_status(const char *status, hk_sound_call *call) {
    if (strncasecmp(status, "fmi", 3) == 0)
        status += 3 + strspn(status + 3, "123");
    call->warned = strcasecmp(status, "warning") == 0;
    call->failed = !call->warned && strcasecmp(status, "ok") != 0;
}

/* ---- plain text ---- */

static size_t split(char *line, char **words, size_t cap) {
    size_t count = 0;
    for (char *c = line; count < cap;) {
        c += strspn(c, " \t\r");
        if (!*c || *c == '#')
            break;
        words[count++] = c;
        c += strcspn(c, " \t\r");
        if (*c)
            *c++ = '\0';
    }
    return count;
}

/* "M init" begins initialization mode, "M step" ends it. */
static hk_status read_mode(reader *r, char **words, size_t count) {
    bool init = count == 2 && strcmp(words[1], "init") == 0;
    if (!init && (count != 2 || strcmp(words[1], "step") != 0))
        return wrong(r, "write 'M init' or 'M step'", "this is not a mode");
    r->initializing = init;
    return HK_OK;
}

static bool read_arguments(reader *r, hk_sound_call *call, char **words) {
    uint64_t which = 0;
    switch (call->op) {
    case HK_OP_SET:
    case HK_OP_GET:
        if (!hk_trace_value(r->arena, (hk_json_span){words[2], strlen(words[2])}, call)) {
            hk_sound_value *text = HK_NEW(r->arena, hk_sound_value); /* a word is a text */
            *text = (hk_sound_value){.text = words[2], .size = strlen(words[2])};
            call->many = text;
        }
        return true;
    case HK_OP_STEP:
        return hk_read_f64(words[2], strlen(words[2]), &call->t) &&
               hk_read_f64(words[3], strlen(words[3]), &call->h);
    case HK_OP_PARAMETER:
        if (!hk_read_u64(words[2], strlen(words[2]), &which) || which >= UINT32_MAX)
            return false;
        call->port = (uint32_t)which;
        return true;
    default:
        return true;
    }
}

static hk_status read_plain(reader *r, const char *line) {
    static const char kinds[] = "SGDVRP";
    static const hk_sound_op ops[] = {HK_OP_SET,  HK_OP_GET,     HK_OP_STEP,
                                      HK_OP_SAVE, HK_OP_RESTORE, HK_OP_PARAMETER};
    static const size_t lengths[] = {4, 4, 5, 3, 3, 4};
    char *words[8];
    size_t count = split(hk_arena_strdup(r->arena, line), words, 8);
    if (!count)
        return HK_OK;
    if (strcmp(words[0], "M") == 0)
        return read_mode(r, words, count);
    const char *kind = strlen(words[0]) == 1 ? strchr(kinds, *words[0]) : NULL;
    const char *form = "write 'S port value status', 'G port value status' or 'D instance t h "
                       "status'";
    if (!kind || count != lengths[kind - kinds])
        return wrong(r, form, "this is not a call");
    hk_sound_call call = {
        .op = ops[kind - kinds], .as = HK_MAP_NONE, .line = r->line, .exchange = r->initializing};
    read_status(words[count - 1], &call);
    bool port = call.op == HK_OP_SET || call.op == HK_OP_GET;
    HK_TRY(port ? find_port(r, words[1], &call.port) : find_instance(r, words[1], &call.instance));
    if (port && call.port == HK_MAP_NONE) {
        hk_sound_checker_pass_over(r->checker);
        return HK_OK;
    }
    if (port)
        call.instance = r->system->ports[call.port].instance;
    if (!read_arguments(r, &call, words))
        return wrong(r, form, "this is not a number");
    hk_trace_wait(r, &call, call.t, -1, false);
    return HK_OK;
}

/* ---- JSON ---- */

static bool op_of(hk_json_span name, hk_sound_op *ret_op) {
    static const char *const names[] = {"set", "get", "step", "save", "restore"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (hk_json_is_string(name, names[i])) {
            *ret_op = (hk_sound_op)i;
            return true;
        }
    return false;
}

/* The port of a name in a line about an instance; others may write the name of the instance again.
 * Start values are about variables, which need not be ports. */
static hk_status find_of(reader *r, const hk_sound_call *call, const char *name,
                         uint32_t *ret_port) {
    if (call->op == HK_OP_PARAMETER) {
        *ret_port = hk_map_get(&r->variables[call->instance], name);
        if (*ret_port == HK_MAP_NONE)
            return wrong(r, "give the system that the trace was made with",
                         hk_arena_printf(r->arena, "'%s' has no variable '%s'",
                                         r->system->instances[call->instance].name, name));
        return HK_OK;
    }
    *ret_port = hk_map_get(&r->ports, name);
    if (*ret_port != HK_MAP_NONE && r->system->ports[*ret_port].instance == call->instance)
        return HK_OK;
    return find_port(
        r, hk_arena_printf(r->arena, "%s.%s", r->system->instances[call->instance].name, name),
        ret_port);
}

/* What a record says of the port NAME; VALUE of size 0: not its value. *ret_call is what is asked
 * about; false: nothing is, or not yet. */
static hk_status read_port(reader *r, const hk_trace_line *line, const char *name,
                           hk_json_span value, hk_sound_call *ret_call, bool *ret_asked) {
    hk_sound_call call = *line->call;
    *ret_asked = false;
    if (!r->gather)
        HK_TRY(find_of(r, &call, name, &call.port));
    if (value.size && !hk_trace_value(r->arena, value, &call))
        return wrong(r, "a number that a double can hold, a text, true, false, null, or a list",
                     hk_arena_printf(r->arena, "this is not a value of '%s'", name));
    if (r->gather) {
        hk_trace_gathered found =
            hk_trace_gather_take(r, name, line->mode == HK_TRACE_START, &call);
        if (found == HK_GATHER_UNKNOWN)
            hk_sound_checker_pass_over(r->checker);
        if (found != HK_GATHER_WHOLE)
            return HK_OK;
    }
    uint32_t variable = r->program ? hk_map_get(&r->variables[call.instance], name) : HK_MAP_NONE;
    if (variable != HK_MAP_NONE)
        object(r, hk_trace_program_port(r->program, line, variable, &call));
    *ret_asked = call.port != HK_MAP_NONE;
    if (!*ret_asked)
        hk_sound_checker_pass_over(r->checker);
    *ret_call = call;
    return HK_OK;
}

static hk_status read_ports(reader *r, const hk_json_span *members, const hk_trace_line *line) {
    hk_json_span ports = members[HK_KEY_PORTS], values = members[HK_KEY_VALUES], element;
    hk_json_span value = {0};
    hk_sound_call call;
    bool valued = values.size > 0, gap = line->gap, asked;
    if (!ports.size || *ports.at != '[')
        return wrong(r, NULL, "'ports' is to be a list of names");
    if (r->program && !valued)
        return wrong(r, "a value that is not known is null", "'values' is missing");
    while (hk_json_element(&ports, &element)) {
        const char *name = hk_json_decode(r->arena, element, NULL);
        if (!name)
            return wrong(r, NULL, "'ports' is to be a list of names");
        if (valued && !hk_json_element(&values, &value))
            return wrong(r, NULL, "there are fewer values than ports");
        HK_TRY(read_port(r, line, name, value, &call, &asked));
        if (!asked)
            continue;
        hk_trace_wait(r, &call, call.t, line->order, gap);
        gap = false;
    }
    return valued && hk_json_element(&values, &value)
               ? wrong(r, NULL, "there are more values than ports")
               : HK_OK;
}

/* Records have numbers. Some may be left out, if whole instants are: then what is between is not
 * known. */
static hk_status find_gap(reader *r, hk_trace_line *line) {
    const hk_sound_call *call = line->call;
    bool numbered = line->n >= 0, first = !r->any;
    int64_t missing = numbered ? line->n - (r->last + 1) : 0;
    bool later = call->t > r->last_t && !hk_near(call->t, r->last_t);
    if (numbered && line->n <= r->last)
        return wrong(r, "each record has a number of its own, and they go up",
                     "'n' is not above that of the record before");
    if (!first && missing > 0 && (!later || (line->phase >= 0 && line->phase == r->last_phase)))
        return wrong(r, "whole instants may be left out (--trace-sample), single calls not",
                     hk_arena_printf(r->arena, "%lld record%s missing before this one",
                                     (long long)missing, missing == 1 ? " is" : "s are"));
    r->any = true;
    r->last = line->n;
    r->last_t = call->t;
    r->last_phase = line->phase;
    if (call->exchange)
        return HK_OK;
    /* A trace of a plan may do without initialization, or begin later. */
    bool late_start = call->t > r->start && !hk_near(call->t, r->start);
    line->gap = missing > 0 || (!r->begun && (late_start || (first && r->system->plan)));
    return HK_OK;
}

/* A trace of a plan that counts phases is one that hocket has written. */
static void follow_program(reader *r, const hk_trace_line *line) {
    if (!r->any && line->phase >= 0 && r->system->plan)
        r->program = hk_trace_program_make(r->system->plan);
    else if (!r->program && line->cell >= 0 && r->system->plan)
        object(r, "a line with a 'cell' has a 'phase', and so have those before it");
}

static hk_status read_call(reader *r, const hk_json_span *members) {
    hk_sound_call call = {.as = HK_MAP_NONE, .line = r->line};
    hk_trace_line line = {.call = &call};
    const char *name = hk_json_decode(r->arena, members[HK_KEY_INSTANCE], NULL);
    const char *status = hk_json_decode(r->arena, members[HK_KEY_STATUS], NULL);
    if (!op_of(members[HK_KEY_OP], &call.op))
        return wrong(r, "set, get, step, save or restore", "'op' is not a call");
    if (!name || !hk_json_number(members[HK_KEY_T], &call.t))
        return wrong(r, NULL, "'instance' or 't' is missing");
    HK_TRY(find_instance(r, name, &call.instance));
    const char *fault = hk_trace_members(members, &line, &call);
    if (fault)
        return wrong(r, NULL, fault);
    if (line.mode == HK_TRACE_START && call.op == HK_OP_SET && r->system->plan)
        call.op = HK_OP_PARAMETER;
    call.timed = call.op != HK_OP_STEP;
    if (call.op == HK_OP_STEP && !hk_json_number(members[HK_KEY_H], &call.h))
        return wrong(r, NULL, "a step has no 'h'");
    if (status)
        read_status(status, &call);
    follow_program(r, &line);
    HK_TRY(find_gap(r, &line));
    if (r->program)
        object(r, hk_trace_program_line(r->program, &line));
    if (line.phase != r->phase)
        hk_trace_flush(r);
    r->phase = line.phase;
    r->threads = r->threads || line.thread >= 0 || line.order >= 0;
    if (call.op == HK_OP_SET || call.op == HK_OP_GET || call.op == HK_OP_PARAMETER)
        return read_ports(r, members, &line);
    if (r->gather && call.op == HK_OP_STEP)
        hk_trace_gather_step(r, call.instance);
    hk_trace_wait(r, &call, call.t, line.order, line.gap);
    return HK_OK;
}

static hk_status read_json(reader *r, const char *line) {
    hk_json_span members[HK_KEYS];
    if (!line[strspn(line, " \t\r")])
        return HK_OK;
    const char *fault = hk_trace_record(r->arena, line, members);
    if (fault)
        return wrong(r, "one object of JSON in each line", fault);
    return read_call(r, members);
}

/* ---- files ---- */

/* The first line that is not empty shows what the file is; comments are for plain text alone. */
static hk_status read_line(reader *r, const char *line) {
    char first = line[strspn(line, " \t\r")];
    if (!r->known && first) {
        r->json = first == '{' || first == '[';
        r->known = first != '#';
        r->commented = r->commented || !r->known;
    }
    if (r->json && r->commented)
        return wrong(r, "one object of JSON in each line, and nothing else",
                     "a trace in JSON has comments before this line");
    return r->json ? read_json(r, line) : read_plain(r, line);
}

static hk_status read_lines(reader *r, char *data, size_t size) {
    for (char *line = data; line < data + size;) {
        char *end = line + strcspn(line, "\n"), was = *end;
        r->line++;
        if (!was && end < data + size)
            return wrong(r, NULL, "there is a NUL byte in this line");
        *end = '\0';
        hk_status status = read_line(r, line);
        *end = was;
        if (status != HK_OK)
            return status;
        line = end + (was != '\0');
    }
    return HK_OK;
}

static void name_all(reader *r) {
    const hk_sound_system *system = r->system;
    for (uint32_t i = 0; i < system->port_count; i++)
        hk_map_put(&r->ports, system->ports[i].name, i);
    for (uint32_t i = 0; i < system->instance_count; i++)
        hk_map_put(&r->instances, system->instances[i].name, i);
    if (system->of_file)
        r->gather = hk_trace_gather_make(system);
    if (!system->plan)
        return;
    r->variables = hk_alloc((system->instance_count + 1) * sizeof *r->variables);
    for (uint32_t i = 0; i < system->instance_count; i++) {
        const hk_info *info = system->plan->model->components[i].info;
        for (uint32_t v = 0; v < info->variable_count; v++)
            hk_map_put(&r->variables[i], info->variables[v].name, v);
    }
}

static void finish(reader *r) {
    hk_free(r->waiting);
    hk_arena_destroy(r->arena);
    hk_map_finish(&r->ports);
    hk_map_finish(&r->instances);
    for (uint32_t i = 0; r->variables && i < r->system->instance_count; i++)
        hk_map_finish(&r->variables[i]);
    hk_free(r->variables);
    hk_trace_program_free(r->program);
    hk_trace_gather_free(r->gather);
}

static hk_status check_data(hk_ctx *ctx, hk_arena *arena, const hk_sound_wanted *wanted,
                            const hk_sound_text *text, bool late, hk_sound_verdict *ret_verdict) {
    reader r = {.ctx = ctx,
                .arena = hk_arena_create(),
                .system = wanted->system,
                .start = wanted->start,
                .checker = hk_sound_checker_create(wanted->system, wanted->view, wanted->start),
                .file = text->file,
                .last = -1,
                .last_phase = -1,
                .order = -1,
                .phase = -1};
    if (late)
        hk_sound_checker_read_late(r.checker);
    name_all(&r);
    hk_status status = read_lines(&r, text->data, text->size);
    hk_trace_flush(&r);
    hk_sound_verdict verdict = hk_sound_checker_end(arena, r.checker);
    if (status == HK_OK && r.program)
        object(&r, hk_trace_program_end(r.program));
    if (status == HK_OK && r.objection && verdict.holds) {
        r.line = r.objection_line;
        status = wrong(
            &r, "give the options that the run had; if they are the same, the trace is damaged",
            r.objection);
    }
    finish(&r);
    if (status == HK_OK)
        *ret_verdict = verdict;
    return status;
}

hk_status hk_sound_check_text(hk_ctx *ctx, hk_arena *arena, const hk_sound_wanted *wanted,
                              const hk_sound_text *text, hk_sound_verdict *ret_verdict) {
    bool multirate = false;
    size_t mark = text->size >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    for (size_t i = 0; i < wanted->system->instance_count; i++)
        multirate = multirate || wanted->system->instances[i].rate > 1;
    const hk_sound_text lines = {text->file, text->data + mark, text->size - mark};
    HK_TRY(check_data(ctx, arena, wanted, &lines, false, ret_verdict));
    /* Others may read the outputs of a slow instance only when it takes part again. */
    if (!multirate || wanted->view == HK_VIEW_CONTRACT ||
        ret_verdict->outcome != HK_SOUND_VIOLATION)
        return HK_OK;
    hk_sound_verdict late;
    HK_TRY(check_data(ctx, arena, wanted, &lines, true, &late));
    if (late.outcome != HK_SOUND_VIOLATION || late.calls > ret_verdict->calls)
        *ret_verdict = late;
    return HK_OK;
}

hk_status hk_sound_check_file(hk_ctx *ctx, hk_arena *arena, const hk_sound_wanted *wanted,
                              const char *path, hk_sound_verdict *ret_verdict) {
    bool standard = strcmp(path, "-") == 0;
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, standard ? "/dev/stdin" : path, TRACE_LIMIT, &data, &size));
    hk_status status =
        hk_sound_check_text(ctx, arena, wanted, &(hk_sound_text){path, data, size}, ret_verdict);
    hk_free(data);
    return status;
}
