/* SPDX-License-Identifier: MIT
 *
 * Recorded traces, one call per line: JSON as `hocket run --trace` writes it, or a plain text that
 * is easily made by other tools. */
#include "sound/trace.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>
#include <strings.h>

enum { TRACE_LIMIT = 1 << 30, LINES_PER_ARENA = 4096 };

typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena; /* of a few lines */
    const hk_sound_system *system;
    double start;
    hk_sound_checker *checker;
    hk_map ports, instances, *variables; /* variables: of a plan, per component */
    const char *file;
    int line, emptied; /* emptied: when the arena was, the last time */
    bool begun, json;
    bool initializing; /* plain text: in initialization mode */
    bool any;          /* a record was read; what follows is of the last one: */
    int64_t last;      /* its number; below 0: it has none */
    double last_t;
    int64_t last_phase;
    int64_t order; /* calls of all phases before this one were made before this; below 0: any */
    /* The calls of one phase, which may have been made by several threads. */
    struct waiting {
        hk_sound_call call;
        double t;
        int64_t order;
        bool gap;
    } * waiting;
    size_t waiting_count, waiting_cap;
    int64_t phase; /* of those; below 0: none */
    bool threads;
} reader;

static hk_status wrong(reader *r, const char *hint, const char *what) {
    return hk_error(r->ctx, HK_E_LANGUAGE, (hk_where){.file = r->file, .line = r->line}, hint, "%s",
                    what);
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

/* ---- the order of calls ---- */

/* A call is passed on; where a trace begins in the middle the checker is told so. */
static void pass_on(reader *r, const struct waiting *w) {
    if (w->gap) /* the reading of the first outputs is phase 2 */
        hk_sound_checker_resume(r->checker, &w->call, w->t,
                                w->t > r->start ? !hk_near(w->t, r->start) || r->phase > 2
                                                : r->phase > 2);
    hk_sound_checker_call(r->checker, &w->call);
}

static int rank(hk_sound_op op) {
    return op == HK_OP_SET ? 0 : op == HK_OP_STEP ? 1 : op == HK_OP_GET ? 2 : 3;
}

/* Each instance is set, then stepped, then read; by the order in which the calls were really made,
 * where the trace tells it. */
static bool in_order(const reader *r) {
    size_t count = r->system->instance_count + 1;
    int *last = hk_alloc(count * sizeof *last);
    int64_t *made = hk_alloc(count * sizeof *made);
    bool fine = true;
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct waiting *w = &r->waiting[i];
        const hk_sound_call *c = &w->call;
        fine = fine && rank(c->op) >= last[c->instance];
        fine = fine && (w->order < 0 || w->order + 1 >= made[c->instance]);
        last[c->instance] = rank(c->op);
        made[c->instance] = w->order + 1;
    }
    hk_free(last);
    hk_free(made);
    return fine;
}

/* Phases follow each other: the calls of one were made after all those of the one before. */
static void check_barrier(reader *r) {
    int64_t most = r->order;
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct waiting *w = &r->waiting[i];
        if (w->order < 0)
            continue;
        if (w->order <= r->order)
            hk_sound_checker_object(
                r->checker,
                hk_arena_printf(r->arena, "%s was made before the phase before it ended",
                                hk_sound_call_text(r->arena, r->system, &w->call)));
        most = w->order > most ? w->order : most;
    }
    r->order = most;
}

/* Threads work through their instances side by side. Calls of different instances do not touch each
 * other, so they may be swapped: what is looked at is the serial order, sets, steps, gets. Where
 * the calls of one instance are out of order, nothing is swapped. */
static void flush(reader *r) {
    check_barrier(r);
    bool swap = r->threads && in_order(r);
    for (int k = 0; k < (swap ? 4 : 1); k++)
        for (size_t i = 0; i < r->waiting_count; i++)
            if (!swap || rank(r->waiting[i].call.op) == k)
                pass_on(r, &r->waiting[i]);
    r->waiting_count = 0;
    r->threads = false;
    if (r->line - r->emptied >= LINES_PER_ARENA) { /* nothing of what was read is needed any more */
        hk_arena_destroy(r->arena);
        r->arena = hk_arena_create();
        r->emptied = r->line;
    }
}

static void wait_for_phase(reader *r, const hk_sound_call *call, double t, int64_t order,
                           bool gap) {
    struct waiting w = {*call, t, order, gap};
    HK_PUSH(r->waiting, r->waiting_count, r->waiting_cap, w);
    r->begun = r->begun || !call->exchange;
    if (r->phase < 0)
        flush(r);
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
        return wrong(r, "write 'M init' or 'M step'", "this is no mode");
    r->initializing = init;
    return HK_OK;
}

static bool read_arguments(reader *r, hk_sound_call *call, char **words) {
    uint64_t which = 0;
    switch (call->op) {
    case HK_OP_SET:
    case HK_OP_GET:
        hk_trace_value(r->arena, (hk_json_span){words[2], strlen(words[2])}, call);
        if (!call->has_value && !call->many) { /* a word is a text */
            hk_sound_value *text = HK_NEW(r->arena, hk_sound_value);
            *text = (hk_sound_value){.text = words[2], .size = strlen(words[2])};
            call->many = strcmp(words[2], "null") == 0 ? NULL : text;
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
        return wrong(r, form, "this is no call");
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
        return wrong(r, form, "this is no number");
    wait_for_phase(r, &call, call.t, -1, false);
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

static hk_status read_ports(reader *r, const hk_json_span *members, hk_sound_call call, double t,
                            int64_t order, bool gap) {
    hk_json_span ports = members[HK_KEY_PORTS], values = members[HK_KEY_VALUES], element, value;
    bool valued = values.size > 0;
    if (!ports.size || *ports.at != '[')
        return wrong(r, NULL, "'ports' is to be a list of names");
    while (hk_json_element(&ports, &element)) {
        const char *name = hk_json_decode(r->arena, element, NULL);
        if (!name)
            return wrong(r, NULL, "'ports' is to be a list of names");
        if (valued && !hk_json_element(&values, &value))
            return wrong(r, NULL, "there are fewer values than ports");
        HK_TRY(find_of(r, &call, name, &call.port));
        if (call.port == HK_MAP_NONE) {
            hk_sound_checker_pass_over(r->checker);
            continue;
        }
        call.has_value = false;
        call.many = NULL;
        if (valued)
            hk_trace_value(r->arena, value, &call);
        wait_for_phase(r, &call, t, order, gap);
        gap = false;
    }
    return valued && hk_json_element(&values, &value)
               ? wrong(r, NULL, "there are more values than ports")
               : HK_OK;
}

/* Records have numbers. Some may be left out, if whole instants are: then what is between is not
 * known. */
static hk_status find_gap(reader *r, const hk_json_span *members, const hk_sound_call *call,
                          double phase, bool *ret_gap) {
    double n = 0;
    bool numbered = hk_json_number(members[HK_KEY_N], &n), first = !r->any;
    int64_t number = (int64_t)n, missing = numbered ? number - (r->last + 1) : 0;
    bool later = call->t > r->last_t && !hk_near(call->t, r->last_t);
    *ret_gap = false;
    if (numbered && number <= r->last)
        return wrong(r, "each record has a number of its own, and they go up",
                     "'n' is not above that of the record before");
    if (!first && missing > 0 && (!later || (phase >= 0 && (int64_t)phase == r->last_phase)))
        return wrong(r, "whole instants may be left out (--trace-sample), single calls not",
                     hk_arena_printf(r->arena, "%lld record%s missing before this one",
                                     (long long)missing, missing == 1 ? " is" : "s are"));
    r->any = true;
    r->last = numbered ? number : -1;
    r->last_t = call->t;
    r->last_phase = phase >= 0 ? (int64_t)phase : -1;
    if (call->exchange)
        return HK_OK;
    /* A trace of a plan may do without initialization, or begin later. */
    bool late_start = call->t > r->start && !hk_near(call->t, r->start);
    *ret_gap = missing > 0 || (!r->begun && (late_start || (first && r->system->plan)));
    return HK_OK;
}

/* Members that need not be there, but must be what they are. */
static hk_status check_forms(reader *r, const hk_json_span *members) {
    static const struct {
        hk_trace_key key;
        const char *first, *wrong; /* how a value begins */
    } forms[] = {{HK_KEY_N, "-0123456789", "'n' is to be a number"},
                 {HK_KEY_H, "-0123456789", "'h' is to be a number"},
                 {HK_KEY_PHASE, "-0123456789", "'phase' is to be a number"},
                 {HK_KEY_THREAD, "-0123456789", "'thread' is to be a number"},
                 {HK_KEY_ORDER, "-0123456789", "'order' is to be a number"},
                 {HK_KEY_STATUS, "\"", "'status' is to be a text"},
                 {HK_KEY_VALUES, "[", "'values' is to be a list"},
                 {HK_KEY_ALTERED, "tf", "'altered' is to be true or false"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        hk_json_span s = members[forms[i].key];
        if (s.size && !strchr(forms[i].first, *s.at))
            return wrong(r, NULL, forms[i].wrong);
    }
    hk_json_span mode = members[HK_KEY_MODE];
    if (mode.size && !hk_json_is_string(mode, "start") && !hk_json_is_string(mode, "init") &&
        !hk_json_is_string(mode, "step"))
        return wrong(r, "start, init or step", "'mode' is not a mode");
    return HK_OK;
}

static hk_status read_call(reader *r, const hk_json_span *members) {
    hk_sound_call call = {.as = HK_MAP_NONE, .line = r->line};
    const char *name = hk_json_decode(r->arena, members[HK_KEY_INSTANCE], NULL);
    const char *status = hk_json_decode(r->arena, members[HK_KEY_STATUS], NULL);
    if (!op_of(members[HK_KEY_OP], &call.op))
        return wrong(r, "set, get, step, save or restore", "'op' is no call");
    if (!name || !hk_json_number(members[HK_KEY_T], &call.t))
        return wrong(r, NULL, "'instance' or 't' is missing");
    HK_TRY(find_instance(r, name, &call.instance));
    bool start = hk_json_is_string(members[HK_KEY_MODE], "start");
    HK_TRY(check_forms(r, members));
    call.exchange = start || hk_json_is_string(members[HK_KEY_MODE], "init");
    if (start && call.op == HK_OP_SET && r->system->plan)
        call.op = HK_OP_PARAMETER;
    call.altered = members[HK_KEY_ALTERED].size && *members[HK_KEY_ALTERED].at == 't';
    call.timed = call.op != HK_OP_STEP;
    if (status)
        read_status(status, &call);
    double phase = -1, thread = 0, order = -1;
    bool gap, threaded = hk_json_number(members[HK_KEY_THREAD], &thread);
    (void)hk_json_number(members[HK_KEY_PHASE], &phase);
    threaded = hk_json_number(members[HK_KEY_ORDER], &order) || threaded;
    HK_TRY(find_gap(r, members, &call, phase, &gap));
    if ((int64_t)phase != r->phase)
        flush(r);
    r->phase = (int64_t)phase;
    r->threads = r->threads || threaded;
    if (call.op == HK_OP_SET || call.op == HK_OP_GET || call.op == HK_OP_PARAMETER)
        return read_ports(r, members, call, call.t, (int64_t)order, gap);
    if (call.op == HK_OP_STEP && !hk_json_number(members[HK_KEY_H], &call.h))
        return wrong(r, NULL, "a step has no 'h'");
    wait_for_phase(r, &call, call.t, (int64_t)order, gap);
    return HK_OK;
}

static hk_status read_json(reader *r, const char *line) {
    hk_json_span members[HK_KEYS];
    if (!line[strspn(line, " \t\r")])
        return HK_OK;
    const char *fault = hk_trace_record(r->arena, line, members);
    if (fault)
        return wrong(r, "one object of JSON in each line", fault);
    if (!members[HK_KEY_OP].size && !members[HK_KEY_INSTANCE].size)
        return HK_OK; /* a head or a tail that tells about the run */
    return read_call(r, members);
}

/* ---- files ---- */

static hk_status read_lines(reader *r, char *data) {
    bool known = false;
    for (char *line = data; *line;) {
        char *end = line + strcspn(line, "\n"), was = *end;
        *end = '\0';
        r->line++;
        char first = line[strspn(line, " \t\r")];
        if (!known && first) {
            r->json = first == '{' || first == '[';
            known = first != '#';
        }
        hk_status status = r->json ? read_json(r, line) : read_plain(r, line);
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
}

static hk_status check_data(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *system,
                            hk_sound_view view, double start_time, const char *path, char *data,
                            bool late, hk_sound_verdict *ret_verdict) {
    reader r = {.ctx = ctx,
                .arena = hk_arena_create(),
                .system = system,
                .start = start_time,
                .checker = hk_sound_checker_create(system, view, start_time),
                .file = path,
                .last = -1,
                .last_phase = -1,
                .order = -1,
                .phase = -1};
    if (late)
        hk_sound_checker_read_late(r.checker);
    name_all(&r);
    hk_status status = read_lines(&r, data);
    flush(&r);
    finish(&r);
    hk_sound_verdict verdict = hk_sound_checker_end(arena, r.checker);
    if (status == HK_OK)
        *ret_verdict = verdict;
    return status;
}

hk_status hk_sound_check_file(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *system,
                              hk_sound_view view, double start_time, const char *path,
                              hk_sound_verdict *ret_verdict) {
    bool standard = strcmp(path, "-") == 0, multirate = false;
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, standard ? "/dev/stdin" : path, TRACE_LIMIT, &data, &size));
    for (size_t i = 0; i < system->instance_count; i++)
        multirate = multirate || system->instances[i].rate > 1;
    char *text = strncmp(data, "\xef\xbb\xbf", 3) == 0 ? data + 3 : data;
    hk_status status =
        check_data(ctx, arena, system, view, start_time, path, text, false, ret_verdict);
    /* Others may read the outputs of a slow instance only when it takes part again. */
    if (status == HK_OK && multirate && view != HK_VIEW_CONTRACT &&
        ret_verdict->outcome == HK_SOUND_VIOLATION) {
        hk_sound_verdict late;
        status = check_data(ctx, arena, system, view, start_time, path, text, true, &late);
        if (status == HK_OK &&
            (late.outcome != HK_SOUND_VIOLATION || late.calls > ret_verdict->calls))
            *ret_verdict = late;
    }
    hk_free(data);
    return status;
}
