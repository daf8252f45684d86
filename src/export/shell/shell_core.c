/* SPDX-License-Identifier: MIT
 *
 * The life of an instance. */
#include "shell_core.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int hk_shell_refuse(const hk_shell *x, const char *call, const char *text) {
    char message[512];
    snprintf(message, sizeof message, "%s: %s", call, text);
    if (x->log)
        x->log(x, message);
    return HK_SHELL_ERROR;
}

int hk_shell_refuse_ref(const hk_shell *x, const char *call, unsigned ref, const char *text) {
    char message[256];
    const char *name = "";
    if (ref < x->variable_count && x->variables[ref].port < x->type->port_count)
        name = x->type->ports[x->variables[ref].port].name;
    snprintf(message, sizeof message, "value reference %u%s%s%s %s", ref, *name ? " (" : "", name,
             *name ? ")" : "", text);
    return hk_shell_refuse(x, call, message);
}

int hk_shell_check_categories(const hk_shell *x, const char *call, size_t count,
                              const char *const *categories) {
    for (size_t i = 0; i < count; i++)
        if (!categories[i] || (strcmp(categories[i], HK_SHELL_ERRORS) != 0 &&
                               strcmp(categories[i], HK_SHELL_NOTES) != 0))
            return hk_shell_refuse(x, call, "a category is unknown");
    return HK_SHELL_OK;
}

int hk_shell_failed(hk_shell *x, const char *call, const char *function, int code) {
    char message[384];
    const char *why = HK_UNIT_HAS(x->type, complaint) ? x->type->complaint(x->now.self) : NULL;
    snprintf(message, sizeof message, "the component's function '%s' returned %d%s%s", function,
             code, why ? ": " : "", why ? why : "");
    x->head.phase = HK_SHELL_FAILED;
    x->head.init_due = x->head.output_due = 0;
    return hk_shell_refuse(x, call, message);
}

/* Bytes per element of a port in the component's struct. */
static size_t element_size(int type) {
    switch (type) {
    case HK_TYPE_I8:
    case HK_TYPE_U8:
        return 1;
    case HK_TYPE_BOOL:
        return sizeof(bool);
    case HK_TYPE_I16:
    case HK_TYPE_U16:
        return 2;
    case HK_TYPE_F32:
    case HK_TYPE_I32:
    case HK_TYPE_U32:
        return 4;
    case HK_TYPE_STRING:
    case HK_TYPE_BINARY:
        return sizeof(hk_bytes);
    default:
        return 8;
    }
}

static bool is_bytes(int type) {
    return type == HK_TYPE_STRING || type == HK_TYPE_BINARY;
}

static size_t elements(const hk_port *port) {
    return port->count ? port->count : 1;
}

/* Replaces what *BYTES points to by a copy that *OWNED keeps; a NUL follows it. */
static void adopt(hk_bytes *bytes, void **owned) {
    char *copy = NULL;
    if (bytes->data) {
        copy = malloc(bytes->size + 1);
        if (!copy)
            abort(); /* half a state is worse than none */
        memcpy(copy, bytes->data, bytes->size);
        copy[bytes->size] = 0;
    }
    free(*owned);
    *owned = copy;
    bytes->data = copy;
}

void hk_shell_copy(const hk_shell *x, hk_shell_block *to, const hk_shell_block *from) {
    memcpy(to->self, from->self, x->type->instance_size);
    for (size_t i = 0; i < x->slot_count; i++)
        adopt((hk_bytes *)(void *)(to->self + x->slots[i]), &to->owned[i]);
}

bool hk_shell_make_block(const hk_shell *x, hk_shell_block *block) {
    block->self = calloc(1, x->type->instance_size + 1);
    block->owned = calloc(x->slot_count + 1, sizeof *block->owned);
    return block->self && block->owned;
}

void hk_shell_free_block(const hk_shell *x, hk_shell_block *block) {
    for (size_t i = 0; block->owned && i < x->slot_count; i++)
        free(block->owned[i]);
    free(block->owned);
    free(block->self);
    *block = (hk_shell_block){0};
}

static int compare_slots(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return x < y ? -1 : x > y;
}

static bool find_slots(hk_shell *x) {
    size_t count = 0;
    for (size_t i = 0; i < x->type->port_count; i++)
        if (is_bytes(x->type->ports[i].type))
            count += elements(&x->type->ports[i]);
    x->slots = calloc(count + 1, sizeof *x->slots);
    if (!x->slots)
        return false;
    count = 0;
    for (size_t i = 0; i < x->type->port_count; i++) {
        const hk_port *port = &x->type->ports[i];
        for (size_t k = 0; is_bytes(port->type) && k < elements(port); k++)
            x->slots[count++] = port->offset + k * sizeof(hk_bytes);
    }
    qsort(x->slots, count, sizeof *x->slots, compare_slots);
    for (size_t i = 0; i < count; i++) /* ports may share a field */
        if (i == 0 || x->slots[i] != x->slots[i - 1])
            x->slots[x->slot_count++] = x->slots[i];
    return true;
}

static unsigned settable_in(const hk_unit_type *type, const hk_port *port) {
    const unsigned before = HK_SHELL_INSTANTIATED | HK_SHELL_INITIALIZING;
    const unsigned running = HK_SHELL_STARTED | HK_SHELL_STEPPING;
    switch (port->causality) {
    case HK_INPUT:
        return before | running;
    case HK_PARAMETER:
        return port->tunable ? before | running : before;
    case HK_CALCULATED_PARAMETER:
        return 0;
    default:
        return port->start || !type->output ? before : 0;
    }
}

static size_t stream_count(const hk_unit_type *type) {
    return HK_UNIT_HAS(type, streams) ? type->stream_count : 0;
}

/* As hocket does it: from seed, run, the name of the instance and that of the stream. */
static void fill_streams(hk_shell *x) {
    size_t n = stream_count(x->type);
    for (size_t i = 0; i < n; i++) {
        const hk_stream_field *field = &x->type->streams[i];
        hk_stream stream = hk_stream_make(x->head.seed, x->head.run, x->name, field->name);
        memcpy(x->now.self + field->offset, &stream, sizeof stream);
    }
}

static void add_in_head(hk_shell *x, void *at, int type, unsigned settable) {
    x->variables[x->variable_count++] = (hk_shell_variable){.at = at,
                                                            .count = 1,
                                                            .port = SIZE_MAX,
                                                            .type = type,
                                                            .settable = settable,
                                                            .restarts = true};
}

/* The flag of an event is not a number where events are clocks. */
static int type_of(size_t port, int type) {
    if (!hk_shell_data.events)
        return type;
    int role = hk_shell_data.events[port].role;
    return role == HK_SHELL_HIDDEN                                   ? HK_SHELL_TYPE_NONE
           : role == HK_SHELL_CLOCK_IN || role == HK_SHELL_CLOCK_OUT ? HK_SHELL_TYPE_CLOCK
                                                                     : type;
}

static bool list_variables(hk_shell *x, bool by_element) {
    size_t count = 4; /* seed, run, time and the clock of the cycle */
    for (size_t i = 0; i < x->type->port_count; i++)
        count += by_element ? elements(&x->type->ports[i]) : 1;
    x->variables = calloc(count, sizeof *x->variables);
    if (!x->variables)
        return false;
    for (size_t i = 0; i < x->type->port_count; i++) {
        const hk_port *port = &x->type->ports[i];
        hk_shell_variable v = {.at = x->now.self + port->offset,
                               .count = by_element ? 1 : elements(port),
                               .port = i,
                               .type = type_of(i, port->type),
                               .settable = settable_in(x->type, port),
                               .restarts = port->causality != HK_INPUT};
        for (size_t k = 0; k < elements(port); k += v.count) {
            x->variables[x->variable_count++] = v;
            v.at += element_size(port->type);
        }
    }
    if (stream_count(x->type)) {
        const unsigned before = HK_SHELL_INSTANTIATED | HK_SHELL_INITIALIZING;
        add_in_head(x, &x->head.seed, HK_TYPE_U64, before);
        add_in_head(x, &x->head.run, HK_TYPE_U64, before);
    }
    if (!by_element)
        add_in_head(x, &x->head.t, HK_TYPE_F64, 0);
    if (hk_shell_data.events)
        add_in_head(x, NULL, HK_SHELL_TYPE_CLOCK, 0);
    x->active = calloc(x->type->port_count + 1, sizeof *x->active);
    return x->active != NULL;
}

static void put_starts(hk_shell *x) {
    for (size_t i = 0; i < x->slot_count; i++)
        ((hk_bytes *)(void *)(x->now.self + x->slots[i]))->data = "";
    for (size_t i = 0; i < x->type->port_count; i++) {
        const hk_port *port = &x->type->ports[i];
        if (hk_shell_data.starts[i])
            memcpy(x->now.self + port->offset, hk_shell_data.starts[i],
                   elements(port) * element_size(port->type));
    }
    for (size_t i = 0; i < x->slot_count; i++)
        adopt((hk_bytes *)(void *)(x->now.self + x->slots[i]), &x->now.owned[i]);
    x->head = (hk_shell_head){.phase = HK_SHELL_INSTANTIATED};
    if (stream_count(x->type)) {
        const void *const *more = hk_shell_data.starts + x->type->port_count;
        memcpy(&x->head.seed, more[0], sizeof x->head.seed);
        memcpy(&x->head.run, more[1], sizeof x->head.run);
    }
}

static const char *find_type(hk_shell *x) {
    const char *reason = NULL;
    hk_shell_types_fn *types = hk_shell_data.types;
    if (!types)
        types = hk_shell_data.load(hk_shell_data.plugin, &x->library, &reason);
    const hk_unit_type *const *list = types ? types() : NULL;
    if (!list)
        return reason ? reason : "the component offers no types";
    for (; *list; list++) {
        if ((*list)->abi != HK_UNIT_ABI || (*list)->size < HK_UNIT_TYPE_MIN)
            return "the component was built for another hk/unit.h";
        if (strcmp((*list)->name, hk_shell_data.type) == 0)
            break;
    }
    if (!*list || (*list)->port_count != hk_shell_data.port_count)
        return "the component is not the one that was exported";
    x->type = *list;
    return NULL;
}

/* Whether the process has its one instance, of an FMU that allows no more. */
static atomic_bool taken;

static bool take(hk_shell *x) {
    x->only = hk_shell_data.once_per_process && !atomic_exchange(&taken, true);
    return x->only || !hk_shell_data.once_per_process;
}

bool hk_shell_open(hk_shell *x, const char *call, const char *name, const char *guid,
                   bool by_element) {
    const char *wrong = NULL;
    if (!name || !*name)
        wrong = "the instance has no name";
    else if (!guid || strcmp(guid, hk_shell_data.guid) != 0)
        wrong = "the GUID or token is not that of modelDescription.xml";
    else if (!take(x))
        wrong = "this process has an instance already, and the FMU allows one only";
    else
        wrong = find_type(x);
    if (!wrong) {
        size_t length = strlen(name) + 1;
        x->name = malloc(length);
        if (x->name)
            memcpy(x->name, name, length);
        if (!x->name || !find_slots(x) || !hk_shell_make_block(x, &x->now) ||
            !hk_shell_make_block(x, &x->before) || !list_variables(x, by_element))
            wrong = "out of memory";
    }
    if (wrong) {
        hk_shell_refuse(x, call, wrong);
        hk_shell_close(x);
        return false;
    }
    put_starts(x);
    return true;
}

static void end(hk_shell *x) {
    if (x->begun && x->type->end)
        x->type->end(x->now.self);
    x->begun = false;
}

static bool is_pointed_to(const hk_shell *x, const hk_bytes *text) {
    uintptr_t from = (uintptr_t)text->data;
    for (size_t i = 0; i < x->slot_count; i++) {
        const hk_bytes *bytes = (const void *)(x->now.self + x->slots[i]);
        uintptr_t at = (uintptr_t)bytes->data;
        if (at >= from && at <= from + text->size)
            return true;
    }
    return false;
}

/* Frees the replaced texts that nothing points to any more, or all of them. */
static void free_retired(hk_shell *x, bool all) {
    size_t kept = 0;
    for (size_t i = 0; i < x->retired_count; i++) {
        union {
            const void *from;
            void *to;
        } text = {x->retired[i].data};
        if (!all && is_pointed_to(x, &x->retired[i]))
            x->retired[kept++] = x->retired[i];
        else
            free(text.to);
    }
    x->retired_count = kept;
}

void hk_shell_close(hk_shell *x) {
    if (x->type) {
        end(x);
        free_retired(x, true);
        hk_shell_free_block(x, &x->now);
        hk_shell_free_block(x, &x->before);
    }
    free(x->retired);
    free(x->slots);
    free(x->variables);
    free(x->active);
    free(x->name);
    if (x->library)
        hk_shell_data.unload(x->library);
    if (x->only)
        atomic_store(&taken, false);
}

int hk_shell_reset(hk_shell *x) {
    end(x);
    memset(x->active, 0, x->type->port_count);
    x->cycle_active = x->cycle_done = x->busy = false;
    memset(x->now.self, 0, x->type->instance_size);
    put_starts(x);
    return HK_SHELL_OK;
}

int hk_shell_set_experiment(hk_shell *x, const char *call, double start, bool stop_defined,
                            double stop) {
    if (x->head.phase != HK_SHELL_INSTANTIATED)
        return hk_shell_refuse(x, call, "not possible after initialization");
    if (!isfinite(start) || (stop_defined && !(stop >= start)))
        return hk_shell_refuse(x, call, "the stop time is before the start time");
    x->head.t = start;
    x->head.stop = stop_defined ? stop : 0.0;
    x->head.has_stop = stop_defined;
    x->head.has_start = true;
    return HK_SHELL_OK;
}

static int run_init(hk_shell *x, const char *call) {
    x->begun = true;
    fill_streams(x);
    double t = hk_shell_data.events ? 0.0 : x->head.t; /* with clocks it has a time of its own */
    int code = x->type->init ? x->type->init(x->now.self, t) : HK_STEP_OK;
    free_retired(x, false);
    return code == HK_STEP_OK ? HK_SHELL_OK : hk_shell_failed(x, call, "init", code);
}

static int run_output(hk_shell *x, const char *call) {
    int code = x->type->output ? x->type->output(x->now.self, x->head.t) : HK_STEP_OK;
    free_retired(x, false);
    return code == HK_STEP_OK ? HK_SHELL_OK : hk_shell_failed(x, call, "output", code);
}

int hk_shell_settle(hk_shell *x, const char *call) {
    if (x->head.init_due) {
        /* init is to be called once: it gets what it would have got with the new values. */
        end(x);
        hk_shell_copy(x, &x->now, &x->before);
        if (run_init(x, call) != HK_SHELL_OK)
            return HK_SHELL_ERROR;
    }
    if (x->head.output_due && run_output(x, call) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    x->head.init_due = x->head.output_due = 0;
    return HK_SHELL_OK;
}

int hk_shell_initialize(hk_shell *x, const char *call, unsigned phase) {
    if (x->head.phase != HK_SHELL_INSTANTIATED)
        return hk_shell_refuse(x, call, "the instance is initialized already");
    if (!x->head.has_start)
        return hk_shell_refuse(x, call, "the start time was not set up");
    x->head.phase = phase;
    if (phase == HK_SHELL_INITIALIZING)
        hk_shell_copy(x, &x->before, &x->now);
    return run_init(x, call) == HK_SHELL_OK ? run_output(x, call) : HK_SHELL_ERROR;
}

int hk_shell_finish_initialization(hk_shell *x, const char *call) {
    if (x->head.phase != HK_SHELL_INITIALIZING)
        return hk_shell_refuse(x, call, "the instance is not in initialization mode");
    if (hk_shell_settle(x, call) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    x->head.phase = HK_SHELL_STEPPING;
    x->head.event_mode = hk_shell_data.events != NULL;
    return HK_SHELL_OK;
}

int hk_shell_step(hk_shell *x, const char *call, double t, double h) {
    if (!(x->head.phase & (HK_SHELL_STARTED | HK_SHELL_STEPPING)))
        return hk_shell_refuse(x, call, "the simulation is not running");
    /* Importers add up steps: their time is a little off. */
    const double tolerance = 1e-9 * (1.0 + fabs(t));
    if (!(h > 0.0) || !isfinite(h))
        return hk_shell_refuse(x, call, "the step is not positive");
    if (!(fabs(t - x->head.t) <= tolerance))
        return hk_shell_refuse(x, call, "the step does not begin where the last one ended");
    if (x->head.has_stop && t + h > x->head.stop + tolerance)
        return hk_shell_refuse(x, call, "the step ends after the stop time");
    if (x->head.output_due && hk_shell_settle(x, call) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    if (x->head.event_mode)
        return hk_shell_refuse(x, call, "the instance is in event mode");
    int code = hk_shell_data.events ? HK_STEP_OK : x->type->step(x->now.self, t, h);
    if (x->retired_count)
        free_retired(x, false);
    if (code != HK_STEP_OK)
        return hk_shell_failed(x, call, "step", code);
    x->head.t = t + h;
    x->head.phase = HK_SHELL_STEPPING;
    return HK_SHELL_OK;
}

int hk_shell_terminate(hk_shell *x, const char *call) {
    if (!(x->head.phase & (HK_SHELL_STARTED | HK_SHELL_STEPPING)))
        return hk_shell_refuse(x, call, "the simulation is not running");
    x->head.phase = HK_SHELL_TERMINATED;
    const char *remark = HK_UNIT_HAS(x->type, remark) ? x->type->remark(x->now.self) : NULL;
    x->mild = true;
    if (remark && x->log)
        x->log(x, remark);
    x->mild = false;
    return HK_SHELL_OK;
}

/* Takes over an old text; if there is no room to remember it, it is never freed. */
static void retire(hk_shell *x, void *old, size_t size) {
    hk_bytes *grown = realloc(x->retired, (x->retired_count + 1) * sizeof *grown);
    if (!grown)
        return;
    x->retired = grown;
    x->retired[x->retired_count++] = (hk_bytes){old, size};
}

void hk_shell_put_bytes(hk_shell *x, const hk_shell_variable *v, size_t k, const void *data,
                        size_t size) {
    hk_bytes *place = (hk_bytes *)(void *)v->at + k;
    size_t offset = (size_t)((char *)place - x->now.self);
    const size_t *slot = bsearch(&offset, x->slots, x->slot_count, sizeof *x->slots, compare_slots);
    void **owned = &x->now.owned[slot - x->slots];
    if (*owned)
        retire(x, *owned, place->size);
    *owned = NULL;
    *place = (hk_bytes){data ? data : "", data ? size : 0};
    adopt(place, owned);
}

void hk_shell_note_initial(hk_shell *x, const hk_shell_variable *v) {
    x->head.output_due = true;
    if (x->head.phase != HK_SHELL_INITIALIZING)
        return;
    x->head.init_due |= v->restarts;
    if (v->port == SIZE_MAX)
        return;
    size_t offset = (size_t)(v->at - x->now.self);
    char *place = x->before.self + offset;
    memcpy(place, v->at, v->count * element_size(v->type));
    for (size_t k = 0; is_bytes(v->type) && k < v->count; k++, offset += sizeof(hk_bytes)) {
        const size_t *slot =
            bsearch(&offset, x->slots, x->slot_count, sizeof *x->slots, compare_slots);
        adopt((hk_bytes *)(void *)place + k, &x->before.owned[slot - x->slots]);
    }
}
