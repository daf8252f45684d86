/* SPDX-License-Identifier: MIT
 *
 * Recorded traces, one call per line: JSON as `hocket run --trace` writes it, or a plain text that
 * is easily made by other tools. */
#include "sound/sound.h"

#include "base/file.h"
#include "base/number.h"

#include <string.h>

enum { TRACE_LIMIT = 1 << 30, FIELDS = 16, LINES_PER_ARENA = 4096 };

typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena; /* of a few lines */
    const hk_sound_system *system;
    hk_sound_view view;
    hk_sound_checker *checker;
    hk_map ports, instances;
    const char *file;
    int line;
    bool begun, json;
    int64_t last; /* number of the last record; below 0: none */
    /* The calls of one phase, which may have been made by several threads. */
    struct waiting {
        hk_sound_call call;
        double t;
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

static hk_status find(reader *r, const hk_map *map, const char *kind, const char *name,
                      uint32_t *ret_index) {
    *ret_index = hk_map_get(map, name);
    if (*ret_index == HK_MAP_NONE && (map == &r->instances || r->view == HK_VIEW_STRICT))
        return wrong(r, "give the system that the trace was made with",
                     hk_arena_printf(r->arena, "the system has no %s '%s'", kind, name));
    return HK_OK;
}

/* A call is passed on; where a trace begins in the middle the checker is told so. */
static void pass_on(reader *r, const hk_sound_call *call, double t, bool gap) {
    if (gap)
        hk_sound_checker_resume(r->checker, call, t);
    hk_sound_checker_call(r->checker, call);
}

static int rank(hk_sound_op op) {
    return op == HK_OP_SET ? 0 : op == HK_OP_STEP ? 1 : op == HK_OP_GET ? 2 : 3;
}

/* Each instance is set, then stepped, then read. */
static bool in_order(const reader *r) {
    int *last = hk_alloc((r->system->instance_count + 1) * sizeof *last);
    bool fine = true;
    for (size_t i = 0; i < r->waiting_count; i++) {
        const hk_sound_call *c = &r->waiting[i].call;
        fine = fine && rank(c->op) >= last[c->instance];
        last[c->instance] = rank(c->op);
    }
    hk_free(last);
    return fine;
}

/* Threads work through their instances side by side. Calls of different instances do not touch each
 * other, so they may be swapped: what is looked at is the serial order, sets, steps, gets. Where
 * the calls of one instance are out of order, nothing is swapped. */
static void flush(reader *r) {
    bool swap = r->threads && in_order(r);
    for (int k = 0; k < (swap ? 4 : 1); k++)
        for (size_t i = 0; i < r->waiting_count; i++)
            if (!swap || rank(r->waiting[i].call.op) == k)
                pass_on(r, &r->waiting[i].call, r->waiting[i].t, r->waiting[i].gap);
    r->waiting_count = 0;
    r->threads = false;
}

static void wait_for_phase(reader *r, const hk_sound_call *call, double t, bool gap) {
    struct waiting w = {*call, t, gap};
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

static hk_status read_plain(reader *r, char *line) {
    static const char kinds[] = "SGDVRP";
    static const hk_sound_op ops[] = {HK_OP_SET,  HK_OP_GET,     HK_OP_STEP,
                                      HK_OP_SAVE, HK_OP_RESTORE, HK_OP_PARAMETER};
    static const size_t lengths[] = {4, 4, 5, 3, 3, 4};
    char *words[8];
    size_t count = split(line, words, 8);
    if (!count)
        return HK_OK;
    const char *kind = strlen(words[0]) == 1 ? strchr(kinds, *words[0]) : NULL;
    const char *form = "write 'S port value status', 'G port value status' or 'D instance t h "
                       "status'";
    if (!kind || count != lengths[kind - kinds])
        return wrong(r, form, "this is no call");
    hk_sound_call call = {.op = ops[kind - kinds], .as = HK_MAP_NONE, .line = r->line};
    call.failed = strcmp(words[count - 1], "ok") != 0;
    bool port = call.op == HK_OP_SET || call.op == HK_OP_GET;
    uint32_t index;
    HK_TRY(find(r, port ? &r->ports : &r->instances, port ? "port" : "instance", words[1], &index));
    if (index == HK_MAP_NONE)
        return HK_OK;
    *(port ? &call.port : &call.instance) = index;
    if (port)
        call.instance = r->system->ports[index].instance;
    uint64_t which = 0;
    bool fine = true;
    if (port)
        call.has_value = hk_read_f64(words[2], strlen(words[2]), &call.value);
    if (call.op == HK_OP_STEP)
        fine = hk_read_f64(words[2], strlen(words[2]), &call.t) &&
               hk_read_f64(words[3], strlen(words[3]), &call.h);
    if (call.op == HK_OP_PARAMETER)
        fine = hk_read_u64(words[2], strlen(words[2]), &which) && which < UINT32_MAX;
    if (!fine)
        return wrong(r, form, "this is no number");
    if (call.op == HK_OP_PARAMETER)
        call.port = (uint32_t)which;
    pass_on(r, &call, call.t, false);
    return HK_OK;
}

/* ---- JSON: as much of it as a line of a trace needs ---- */

typedef struct span {
    const char *at;
    size_t size;
} span;

static const char *skip_space(const char *c) {
    return c + strspn(c, " \t\r");
}

/* The end of the value that begins at C; NULL: it has none. */
static const char *skip_value(const char *c) {
    int depth = 0;
    do {
        c = skip_space(c);
        if (*c == '"') {
            for (c++; *c && *c != '"'; c++)
                if (*c == '\\' && c[1])
                    c++;
            if (!*c)
                return NULL;
            c++;
        } else if (*c == '[' || *c == '{') {
            depth++;
            c++;
            continue;
        } else if (*c == ']' || *c == '}') {
            depth--;
            c++;
        } else {
            size_t length = strcspn(c, ",:]} \t\r");
            if (!length && !(depth && (*c == ',' || *c == ':')))
                return NULL;
            c += length ? length : 1;
        }
    } while (depth > 0);
    return c;
}

typedef struct record {
    char keys[FIELDS][16];
    span values[FIELDS];
    size_t count;
} record;

static bool read_record(const char *line, record *ret) {
    const char *c = skip_space(line);
    ret->count = 0;
    if (*c++ != '{')
        return false;
    while (*(c = skip_space(c)) == '"' && ret->count < FIELDS) {
        size_t length = strcspn(c + 1, "\"");
        const char *colon = c[length + 1] ? skip_space(c + length + 2) : c;
        if (*colon != ':' || length >= sizeof ret->keys[0])
            return false;
        memcpy(ret->keys[ret->count], c + 1, length);
        ret->keys[ret->count][length] = '\0';
        const char *begin = skip_space(colon + 1), *end = skip_value(begin);
        if (!end)
            return false;
        ret->values[ret->count++] = (span){begin, (size_t)(end - begin)};
        c = skip_space(end);
        if (*c == ',')
            c++;
    }
    return *c == '}' && !*skip_space(c + 1);
}

static span field(const record *rec, const char *key) {
    for (size_t i = 0; i < rec->count; i++)
        if (strcmp(rec->keys[i], key) == 0)
            return rec->values[i];
    return (span){0};
}

/* The text of a string, without escapes of more than one character; NULL: it is none. */
static const char *string_of(reader *r, span s) {
    if (s.size < 2 || *s.at != '"')
        return NULL;
    char *text = hk_arena_strndup(r->arena, s.at + 1, s.size - 2);
    char *to = text;
    for (const char *from = text; *from; from++) {
        from += *from == '\\' && from[1];
        *to++ = *from;
    }
    *to = '\0';
    return text;
}

/* Takes the next element of an array; false at its end. */
static bool next_element(span *array, span *ret) {
    if (!array->size || (*array->at != '[' && *array->at != ','))
        return false;
    const char *begin = skip_space(array->at + 1), *stop = array->at + array->size;
    const char *end = *begin == ']' ? NULL : skip_value(begin);
    if (!end || end > stop)
        return false;
    *ret = (span){begin, (size_t)(end - begin)};
    end = skip_space(end);
    *array = (span){end, (size_t)(stop - end)};
    return true;
}

static bool number_of(span s, double *ret_value) {
    return s.size && hk_read_f64(s.at, s.size, ret_value);
}

static bool op_of(const char *name, hk_sound_op *ret_op) {
    static const char *const names[] = {"set", "get", "step", "save", "restore"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *ret_op = (hk_sound_op)i;
            return true;
        }
    return false;
}

static hk_status read_ports(reader *r, const record *rec, hk_sound_call call, double t, bool gap) {
    span ports = field(rec, "ports"), values = field(rec, "values"), element, value;
    while (next_element(&ports, &element)) {
        const char *name = string_of(r, element);
        if (!name)
            return wrong(r, NULL, "'ports' is to be a list of names");
        const char *full =
            hk_arena_printf(r->arena, "%s.%s", r->system->instances[call.instance].name, name);
        uint32_t port;
        if (hk_map_get(&r->ports, full) == HK_MAP_NONE)
            HK_TRY(find(r, &r->ports, "port", name, &port));
        else
            port = hk_map_get(&r->ports, full);
        call.has_value = next_element(&values, &value) && number_of(value, &call.value);
        if (port == HK_MAP_NONE)
            continue;
        call.port = port;
        wait_for_phase(r, &call, t, gap);
        gap = false;
    }
    return HK_OK;
}

static hk_status read_json(reader *r, const char *line) {
    record rec;
    double t = 0, n = 0;
    if (!*skip_space(line))
        return HK_OK;
    if (!read_record(line, &rec))
        return wrong(r, "one object of JSON in each line", "this is no call");
    const char *op = string_of(r, field(&rec, "op")), *name = string_of(r, field(&rec, "instance"));
    if (!op && !name)
        return HK_OK; /* a head or a tail that tells about the run */
    hk_sound_call call = {.as = HK_MAP_NONE, .line = r->line};
    if (!op_of(op, &call.op))
        return wrong(r, "set, get, step, save or restore", "'op' is no call");
    if (!name || !number_of(field(&rec, "t"), &t))
        return wrong(r, NULL, "'instance' or 't' is missing");
    HK_TRY(find(r, &r->instances, "instance", name, &call.instance));
    const char *status = string_of(r, field(&rec, "status"));
    const char *mode = string_of(r, field(&rec, "mode"));
    call.failed = status && strcmp(status, "ok") != 0;
    call.exchange = mode && strcmp(mode, "init") == 0;
    call.t = t;
    /* Every record has its number; where some are left out, what is between is not known. */
    bool numbered = number_of(field(&rec, "n"), &n);
    bool gap = !call.exchange && (!r->begun || (numbered && (int64_t)n != r->last + 1));
    r->last = numbered ? (int64_t)n : r->last + 1;
    double phase = -1, thread = 0;
    (void)number_of(field(&rec, "phase"), &phase);
    if ((int64_t)phase != r->phase)
        flush(r);
    r->phase = (int64_t)phase;
    r->threads = r->threads || number_of(field(&rec, "thread"), &thread);
    if (call.op == HK_OP_SET || call.op == HK_OP_GET)
        return read_ports(r, &rec, call, t, gap);
    if (call.op == HK_OP_STEP && !number_of(field(&rec, "h"), &call.h))
        return wrong(r, NULL, "a step has no 'h'");
    wait_for_phase(r, &call, t, gap);
    return HK_OK;
}

/* ---- files ---- */

static hk_status read_lines(reader *r, char *data) {
    for (char *line = data; *line;) {
        char *end = line + strcspn(line, "\n");
        bool more = *end != '\0';
        *end = '\0';
        if (r->line++ % LINES_PER_ARENA == 0) {
            hk_arena_destroy(r->arena);
            r->arena = hk_arena_create();
        }
        if (r->line == 1)
            r->json = *skip_space(line) == '{';
        HK_TRY(r->json ? read_json(r, line) : read_plain(r, line));
        line = end + more;
    }
    return HK_OK;
}

hk_status hk_sound_check_file(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *system,
                              hk_sound_view view, double start_time, const char *path,
                              hk_sound_verdict *ret_verdict) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, TRACE_LIMIT, &data, &size));
    reader r = {.ctx = ctx,
                .system = system,
                .view = view,
                .checker = hk_sound_checker_create(system, view, start_time),
                .file = path,
                .last = -1,
                .phase = -1};
    for (uint32_t i = 0; i < system->port_count; i++)
        hk_map_put(&r.ports, system->ports[i].name, i);
    for (uint32_t i = 0; i < system->instance_count; i++)
        hk_map_put(&r.instances, system->instances[i].name, i);
    hk_status status = read_lines(&r, data);
    flush(&r);
    hk_free(r.waiting);
    hk_sound_verdict verdict = hk_sound_checker_end(arena, r.checker);
    if (status == HK_OK)
        *ret_verdict = verdict;
    hk_arena_destroy(r.arena);
    hk_map_finish(&r.ports);
    hk_map_finish(&r.instances);
    hk_free(data);
    return status;
}
