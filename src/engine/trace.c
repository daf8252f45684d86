/* SPDX-License-Identifier: MIT
 *
 * The calls of a run as lines of JSON, for those who want to check them afterwards. Each thread
 * writes lines of its own while it works; after each phase they are put one after the other, first
 * those of the first thread, so that the same run gives the same file; with several threads each
 * line also has the number by which the calls were really made, which is another in every run. On
 * several nodes lines come in the order of one thread, whoever has made the calls.
 *
 * What is not reached by calls, but lies in memory that hocket and the component share, has lines,
 * too: its values are set when they are copied, and got when the step is over. */
#include "engine/trace.h"
#include "engine/bind_stages.h"
#include "format/escape.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* Who takes the lines; each has its own numbers, since each may leave out others. */
typedef struct reader {
    hk_trace_sink sink;
    uint64_t number, phase;
    uint64_t left_out, phases_left_out; /* calls and phases since the last line; of a part only */
} reader;

/* A line of a part, of one of its threads. */
typedef struct part_line {
    const char *text;
    size_t size, place;
} part_line;

typedef struct hk_trace {
    reader *readers;
    size_t reader_count;
    bool initial;               /* initialization mode */
    bool stepping;              /* after it */
    atomic_uint_fast64_t order; /* calls of threads so far */
    unsigned initial_lines;     /* of a part: before the first instant, so far */
    hk_blob out;
    part_line *lines; /* of a phase that threads share */
    size_t line_cap;
} hk_trace;

static void put(hk_blob *b, const char *text, size_t size) {
    if (b->size + size + 1 > b->cap) {
        b->cap = 2 * (b->size + size) + 256;
        b->data = hk_realloc(b->data, b->cap);
    }
    memcpy(b->data + b->size, text, size);
    b->size += size;
}

static void put_text(hk_blob *b, const char *text) {
    put(b, text, strlen(text));
}

static void put_f64(hk_blob *b, double value) {
    char digits[HK_NUMBER_MAX + 1];
    size_t size = hk_write_f64(value, digits);
    bool finite = value - value == 0;
    if (!finite)
        put_text(b, "\"");
    put(b, digits, size);
    if (!finite)
        put_text(b, "\"");
}

static void put_u64(hk_blob *b, uint64_t value) {
    char digits[HK_NUMBER_MAX + 1];
    put(b, digits, hk_write_u64(value, digits));
}

static void put_string(hk_blob *b, const char *text, size_t size) {
    static const char hex[] = "0123456789abcdef";
    put_text(b, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        char code[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        char plain[] = {'\\', (char)c};
        size_t length;
        if (c >= 0x7f && hk_glyph_at(text + i, size - i, &length) == HK_GLYPH_CONTROL) {
            unsigned char last = (unsigned char)text[i + length - 1]; /* also beyond ASCII */
            code[4] = hex[last >> 4];
            code[5] = hex[last & 15];
            put(b, code, sizeof code);
            i += length - 1;
        } else if (c < 0x20)
            put(b, code, sizeof code);
        else
            put(b, c == '"' || c == '\\' ? plain : plain + 1, c == '"' || c == '\\' ? 2 : 1);
    }
    put_text(b, "\"");
}

static void put_element(hk_blob *b, hk_store store, const char *at) {
    double value;
    if (store == HK_STORE_BYTES) {
        const hk_bytes *bytes = (const hk_bytes *)(const void *)at;
        if (hk_bytes_are_text(*bytes))
            put_string(b, bytes->data, bytes->size);
        else
            put_text(b, "null"); /* binary */
    } else if (hk_value_convert(HK_STORE_F64, &value, store, at, 1)) {
        put_f64(b, value);
    } else {
        put_text(b, "null"); /* more digits than a double has */
    }
}

static void put_values(hk_blob *b, hk_store store, size_t count, const char *at) {
    if (count != 1)
        put_text(b, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            put_text(b, ",");
        put_element(b, store, at + i * hk_store_size(store));
    }
    if (count != 1)
        put_text(b, "]");
}

static bool wants(const hk_sim *sim, const reader *r) {
    return !sim->trace->stepping || r->sink.every < 2 || sim->profile.instants % r->sink.every == 0;
}

static bool wanted(const hk_sim *sim) {
    const hk_trace *t = sim->trace;
    bool any = false;
    for (size_t i = 0; t && i < t->reader_count && !any; i++)
        any = wants(sim, &t->readers[i]);
    return any;
}

/* ---- parts: lines that are put together with those of other nodes ---- */

static void put_moment(hk_blob *b, const hk_moment *moment, char kind) {
    char text[HK_MOMENT_TEXT + 1];
    hk_moment_write(moment, text);
    text[HK_MOMENT_TEXT] = kind;
    put(b, text, sizeof text);
}

/* Begins a line with its moment, where that is needed. False: the call is made elsewhere. */
static bool begins_here(const hk_sim *sim, hk_blob *b, hk_moment_part part, uint32_t component,
                        hk_moment_way way) {
    if (!sim->part)
        return true;
    if (hk_is_away(sim->part, component))
        return false;
    if (sim->end.ended && sim->end.ender == component && part == HK_MOMENT_GET)
        part = HK_MOMENT_LAST;
    if (!sim->part->running && sim->part->stage < HK_STAGE_READ)
        way.number = sim->trace->initial_lines++;
    hk_moment moment = hk_moment_of(sim, part, component, way);
    put_moment(b, &moment, HK_TRACED_CALL);
    return true;
}

/* How many calls come before this instant that are not written down. */
static void put_left_out(const hk_sim *sim, hk_blob *b, reader *r) {
    put_moment(b, &(hk_moment){.tick = sim->time.now}, HK_TRACED_GAP);
    put_u64(b, r->left_out);
    put_text(b, " ");
    put_u64(b, r->phases_left_out);
    put_text(b, "\n");
    r->left_out = r->phases_left_out = 0;
}

/* The members that all lines begin with, except the number, which is known later. */
static void begin_line(const hk_sim *sim, hk_blob *b, const char *kind, double t,
                       uint32_t component) {
    const char *name = sim->model->components[component].name;
    put_text(b, ",\"t\":");
    put_f64(b, t);
    put_text(b, ",\"op\":\"");
    put_text(b, kind);
    put_text(b, "\",\"instance\":");
    put_string(b, name, strlen(name));
    if (sim->trace->initial)
        put_text(b, ",\"mode\":\"init\"");
    if (sim->trace->stepping) { /* all calls of a component are in one cell of the program */
        put_text(b, ",\"cell\":");
        put_u64(b, (uint64_t)(sim->slots.instances[component].cell_last - sim->loop.cells[0].last));
    }
}

/* When the call is made, or a get has been. */
static void end_line(const hk_sim *sim, hk_blob *b) {
    if (sim->threads.team && !sim->part) {
        put_text(b, ",\"order\":");
        put_u64(b, atomic_fetch_add(&sim->trace->order, 1));
    }
    put_text(b, "\n");
}

/* One of the inputs is not set to what its connection alone brings. */
static bool altered(const hk_sim *sim, const uint32_t *ports, size_t n) {
    bool any = sim->changes.troubles || sim->options.extrapolate;
    for (size_t i = 0; any && i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        if (!sim->options.extrapolate && !sim->changes.troubles[i])
            continue;
        for (size_t p = 0; p < n; p++)
            if (sim->slots.ports[ports[p]].component == k->to_component &&
                sim->slots.ports[ports[p]].variable == k->to_variable)
                return true;
    }
    return false;
}

static void put_name(const hk_sim *sim, hk_blob *b, uint32_t component, uint32_t variable) {
    const char *name = sim->model->components[component].info->variables[variable].name;
    put_string(b, name, strlen(name));
}

/* Ports of a component, whose values lie one after the other AT, or each in its own place if that
 * is NULL. */
typedef struct told_ports {
    const uint32_t *all;
    size_t count;
    const char *at;
} told_ports;

/* What a call that failed has got is left out. */
static void put_ports(const hk_sim *sim, hk_blob *b, told_ports told, bool is_get, int code) {
    size_t n = told.count;
    const char *at = told.at;
    put_text(b, ",\"ports\":[");
    for (size_t i = 0; i < n; i++) {
        const hk_engine_port *p = &sim->slots.ports[told.all[i]];
        if (i)
            put_text(b, ",");
        put_name(sim, b, p->component, p->variable);
    }
    put_text(b, "]");
    bool valued = !is_get || !hk_unit_bad(code);
    for (size_t i = 0; valued && i < n; i++) {
        const hk_engine_port *p = &sim->slots.ports[told.all[i]];
        const hk_variable *v = &sim->model->components[p->component].info->variables[p->variable];
        put_text(b, i ? "," : ",\"values\":[");
        put_values(b, v->store, v->count, at ? at : p->address);
        at = at ? at + p->bytes : NULL;
    }
    if (valued)
        put_text(b, n ? "]" : ",\"values\":[]");
    if (!is_get && altered(sim, told.all, n))
        put_text(b, ",\"altered\":true");
    end_line(sim, b);
}

void hk_trace_exchange(hk_sim *sim, hk_lane *l, const hk_exchange *x, bool is_get, int code) {
    if (!wanted(sim))
        return;
    size_t n = hk_layout_call(sim, x->what.component, x->use, x->store, l->ports);
    if (!begins_here(sim, &l->text, is_get ? HK_MOMENT_GET : HK_MOMENT_SET, x->what.component,
                     hk_moment_exchange(x)))
        return;
    begin_line(sim, &l->text, is_get ? "get" : "set", sim->time.seconds, x->what.component);
    put_ports(sim, &l->text, (told_ports){l->ports, n, x->call.values}, is_get, code);
    if (code != HK_UNIT_OK)
        hk_trace_status(sim, l, code, hk_unit_bad(code));
}

void hk_trace_initial(hk_sim *sim, const hk_engine_port *p, bool is_get, int code) {
    HK_ASSERT(sim && p);
    if (!wanted(sim))
        return;
    uint32_t index = (uint32_t)(p - sim->slots.ports);
    if (!begins_here(sim, &sim->threads.self.text, HK_MOMENT_GET, p->component, (hk_moment_way){0}))
        return;
    begin_line(sim, &sim->threads.self.text, is_get ? "get" : "set", sim->time.seconds,
               p->component);
    put_ports(sim, &sim->threads.self.text, (told_ports){&index, 1, NULL}, is_get, code);
    if (code != HK_UNIT_OK)
        hk_trace_status(sim, &sim->threads.self, code, hk_unit_bad(code));
}

void hk_trace_start(hk_sim *sim, uint32_t component, uint32_t variable, const hk_value *value) {
    HK_ASSERT(sim && value);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    hk_blob *b = &sim->threads.self.text;
    if (!begins_here(sim, b, HK_MOMENT_SET, component, (hk_moment_way){0}))
        return;
    begin_line(sim, b, "set", hk_tick_seconds(sim->plan->start, sim->time.ticks_per_second),
               component);
    put_text(b, ",\"mode\":\"start\",\"ports\":[");
    put_name(sim, b, component, variable);
    put_text(b, "],\"values\":[");
    put_values(b, hk_store_of(value->type), value->count, value->data);
    put_text(b, "]");
    end_line(sim, b);
}

/* A step that ends before its time has done what it was asked for, and still is not a whole step.
 */
void hk_trace_status(hk_sim *sim, hk_lane *l, int code, bool failed) {
    static const char *const names[] = {"discard", "error", "discard", "error", "fatal", "pending"};
    hk_blob *b = &l->text;
    if (!wanted(sim) || !b->size)
        return;
    b->size--; /* its end */
    put_text(b, ",\"status\":\"");
    put_text(b, !failed ? "warning" : code < 0 || code > HK_UNIT_PENDING ? "unknown" : names[code]);
    put_text(b, "\"\n");
}

void hk_trace_memory(hk_sim *sim, hk_lane *l, const hk_cell *c, bool is_get) {
    if (!wanted(sim))
        return;
    for (uint32_t m = 0; m < c->member_count; m++) {
        const hk_sim_instance *inst = &sim->slots.instances[c->members[m]];
        for (uint32_t i = inst->ports.begin;
             i < inst->ports.end && sim->changes.active[c->members[m]]; i++) {
            const hk_engine_port *p = &sim->slots.ports[i];
            if (!p->by_address || !(p->use & (is_get ? USE_EVERY | USE_ROW : USE_IN)))
                continue;
            hk_moment_way way = {.list = is_get ? HK_MOMENT_MEMORY : 0, .number = i};
            if (!begins_here(sim, &l->text, is_get ? HK_MOMENT_GET : HK_MOMENT_COPY, p->component,
                             way))
                continue;
            begin_line(sim, &l->text, is_get ? "get" : "set", sim->time.seconds, p->component);
            put_ports(sim, &l->text, (told_ports){&i, 1, NULL}, is_get, HK_UNIT_OK);
        }
    }
}

void hk_trace_step(hk_sim *sim, hk_lane *l, uint32_t component, double t, double h) {
    if (!wanted(sim))
        return;
    hk_moment_way way = {.list = sim->changes.shift[component] != 0,
                         .shape = hk_moment_step_shape(sim, component)};
    if (!begins_here(sim, &l->text, HK_MOMENT_STEP, component, way))
        return;
    begin_line(sim, &l->text, "step", t, component);
    put_text(&l->text, ",\"h\":");
    put_f64(&l->text, h);
    end_line(sim, &l->text);
}

void hk_trace_compose(hk_blob *out, const char *line, size_t size, hk_trace_place at) {
    HK_ASSERT(out && line);
    put_text(out, "{\"n\":");
    put_u64(out, at.number);
    put(out, line, size);
    put_text(out, ",\"phase\":");
    put_u64(out, at.phase);
    if (at.thread) {
        put_text(out, ",\"thread\":");
        put_u64(out, at.thread);
    }
    put_text(out, "}\n");
}

/* Numbers the lines of a lane and ends them. */
static void gather(hk_blob *out, reader *r, const hk_lane *l, unsigned thread) {
    const char *at = l->text.data, *end = HK_AT(at, l->text.size);
    for (const char *next; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        hk_trace_compose(out, at, (size_t)(next - at),
                         (hk_trace_place){r->number++, r->phase, thread});
    }
}

static int by_moment(const void *a, const void *b) {
    const part_line *x = a;
    const part_line *y = b;
    int order = memcmp(x->text, y->text, HK_MOMENT_TEXT);
    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}

static size_t list_lines(hk_trace *t, const hk_lane *l, size_t count) {
    const char *at = l->text.data, *end = HK_AT(at, l->text.size);
    for (const char *next; at < end; at = next) {
        next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
        part_line line = {at, (size_t)(next - at), count};
        HK_PUSH(t->lines, count, t->line_cap, line);
    }
    return count;
}

/* What the threads of a part have done, in the order in which one would have. */
static void sort_lines(hk_sim *sim) {
    hk_trace *t = sim->trace;
    size_t count = list_lines(t, &sim->threads.self, 0);
    for (unsigned i = 1; i < sim->options.threads; i++)
        count = list_lines(t, &sim->threads.lanes[i], count);
    if (count)
        qsort(t->lines, count, sizeof *t->lines, by_moment);
    for (size_t i = 0; i < count; i++)
        put(&t->out, t->lines[i].text, t->lines[i].size);
}

/* Those of a part are numbered when they are put together with others. */
static void write_part(hk_sim *sim, reader *r) {
    hk_blob *out = &sim->trace->out;
    if (r->phases_left_out)
        put_left_out(sim, out, r);
    if (sim->threads.team)
        sort_lines(sim);
    else if (sim->threads.self.text.size)
        put(out, sim->threads.self.text.data, sim->threads.self.text.size);
    if (out->size)
        r->sink.write(r->sink.user, out->data, out->size);
    out->size = 0;
}

static void write_lines(hk_sim *sim, reader *r) {
    hk_trace *t = sim->trace;
    if (sim->part) {
        write_part(sim, r);
        return;
    }
    gather(&t->out, r, &sim->threads.self, 0);
    for (unsigned i = 1; sim->threads.team && i < sim->options.threads; i++)
        gather(&t->out, r, &sim->threads.lanes[i], i);
    r->phase += !t->stepping || t->out.size > 0; /* after initialization only those with calls */
    if (t->out.size)
        r->sink.write(r->sink.user, t->out.data, t->out.size);
    t->out.size = 0;
}

static void forget_lines(hk_sim *sim) {
    sim->threads.self.text.size = 0;
    for (unsigned i = 1; sim->threads.team && i < sim->options.threads; i++)
        sim->threads.lanes[i].text.size = 0;
}

/* Calls of this phase, by all threads. */
static size_t calls_made(const hk_sim *sim) {
    size_t count = sim->threads.self.made_count;
    for (unsigned i = 1; sim->threads.team && i < sim->options.threads; i++)
        count += sim->threads.lanes[i].made_count;
    return count;
}

void hk_trace_phase(hk_sim *sim) {
    for (size_t i = 0; i < sim->trace->reader_count; i++) {
        reader *r = &sim->trace->readers[i];
        if (wants(sim, r)) {
            write_lines(sim, r);
        } else { /* calls that are left out have numbers, too */
            r->number += calls_made(sim) + 1;
            r->left_out += calls_made(sim);
            r->phases_left_out++;
        }
    }
    forget_lines(sim);
}

void hk_trace_rest(hk_sim *sim) {
    HK_ASSERT(sim);
    bool any = sim->trace && sim->threads.self.text.size;
    for (unsigned i = 1; sim->trace && sim->threads.team && i < sim->options.threads; i++)
        any = any || sim->threads.lanes[i].text.size;
    for (size_t i = 0; any && i < sim->trace->reader_count; i++)
        if (wants(sim, &sim->trace->readers[i]))
            write_lines(sim, &sim->trace->readers[i]);
    if (any)
        forget_lines(sim);
}

void hk_trace_mode(hk_sim *sim, bool initial) {
    HK_ASSERT(sim);
    if (!sim->trace)
        return;
    hk_trace_phase(sim);
    sim->trace->stepping = !initial && !sim->trace->initial;
    sim->trace->initial = initial;
}

void hk_trace_create(hk_sim *sim) {
    HK_ASSERT(sim);
    bool traced = hk_listeners_trace(sim);
    sim->safety.careful =
        sim->safety.careful || traced || sim->options.monitor == HK_MONITOR_VALUES;
    if (!traced)
        return;
    hk_trace *t = sim->trace = HK_NEW(sim->arena, hk_trace);
    t->readers = HK_NEW_ARRAY(sim->arena, reader, sim->listening.count);
    for (size_t i = 0; i < sim->listening.count; i++)
        if (sim->listening.all[i].trace.write)
            t->readers[t->reader_count++].sink = sim->listening.all[i].trace;
    sim->threads.self.ports = HK_NEW_ARRAY(sim->arena, uint32_t, sim->slots.port_count + 1);
}

void hk_trace_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_free(sim->threads.self.text.data);
    for (unsigned i = 1; sim->threads.lanes && i < sim->options.threads; i++)
        hk_free(sim->threads.lanes[i].text.data);
    if (sim->trace) {
        hk_free(sim->trace->out.data);
        hk_free(sim->trace->lines);
    }
}
