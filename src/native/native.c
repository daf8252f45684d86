/* SPDX-License-Identifier: MIT
 *
 * Instances of native components. The component's struct is the place of its variables, so the
 * engine reads and writes them by address and calls the step function itself. Only the outputs of
 * what callers may change are read by a call. */
#define _GNU_SOURCE /* dladdr */
#include "native/native_internal.h"

#include "base/file.h"
#include "base/map.h"
#include "base/number.h"

#include <dlfcn.h>
#include <string.h>

typedef struct native_unit {
    hk_unit base;
    const hk_native_origin *origin;
    char *self;   /* the component's struct */
    bool placed;  /* ... lies in memory of the caller */
    void **owned; /* per slot: what this instance allocated for it, NULL if nothing */
    double start;
    bool begun;         /* init was called, so end must be */
    bool changes_alone; /* nobody but its own steps changes its outputs */
    hk_arena *gets;     /* of the calls that read what does not change alone; NULL: none */
    const char *folder;
    hk_arena *arena;    /* of what it reads by itself or by a loader; NULL: nothing */
    const void *loaded; /* by the loader */
} native_unit;

typedef struct native_state {
    char *self;
    void **owned;
} native_state;

static hk_where unit_where(hk_arena *arena, const hk_unit *unit) {
    return (hk_where){.element = hk_arena_printf(arena, "component '%s'", unit->name)};
}

/* Reports a function of the component that did not return HK_STEP_OK. */
static hk_status function_failed(hk_ctx *ctx, const hk_unit *unit, const char *function, int code,
                                 double t) {
    hk_arena *arena = hk_arena_create();
    char time[HK_NUMBER_MAX + 1];
    time[hk_write_f64(t, time)] = 0;
    const native_unit *native = (const native_unit *)unit;
    const char *why = hk_native_complaint(native->origin->type, native->self);
    hk_status status = hk_error(ctx, HK_E_UNIT_FAILED, unit_where(arena, unit), NULL,
                                "component '%s': %s returned %d at t = %s s%s%s", unit->name,
                                function, code, time, *why ? ": " : "", why);
    hk_arena_destroy(arena);
    return status;
}

/* Replaces what *BYTES points to by a copy that *OWNED keeps. Text and binary alike get a NUL. */
static void adopt(hk_bytes *bytes, void **owned) {
    char *copy = NULL;
    if (bytes->data) {
        copy = hk_alloc(bytes->size + 1);
        memcpy(copy, bytes->data, bytes->size);
    }
    hk_free(*owned);
    *owned = copy;
    bytes->data = copy;
}

/* Copies a struct with what its slots point to. TO may hold copies from before. */
static void copy_self(const hk_native_origin *origin, char *to, void **owned, const char *from) {
    memcpy(to, from, origin->type->instance_size);
    for (size_t i = 0; i < origin->slot_count; i++)
        adopt((hk_bytes *)(void *)(to + origin->slots[i]), &owned[i]);
}

static void free_owned(const hk_native_origin *origin, void **owned) {
    for (size_t i = 0; i < origin->slot_count; i++)
        hk_free(owned[i]);
    hk_free(owned);
}

/* What was loaded is not a state: an instance keeps its own, also when it takes a state over. */
static void put_loaded(native_unit *unit) {
    if (unit->origin->loader)
        memcpy(unit->self + unit->origin->loader->loaded, &unit->loaded, sizeof unit->loaded);
}

static hk_status native_terminate(hk_ctx *ctx, hk_unit *base) {
    const native_unit *unit = (const native_unit *)base;
    hk_native_remark(ctx, unit->origin->type, unit->self, base->name);
    return HK_OK;
}

static void native_close(hk_unit *base) {
    native_unit *unit = (native_unit *)base;
    if (unit->begun && unit->origin->type->end)
        unit->origin->type->end(unit->self);
    hk_native_release(unit->origin->type, unit->self);
    free_owned(unit->origin, unit->owned);
    hk_arena_destroy(unit->arena);
    hk_arena_destroy(unit->gets);
    if (!unit->placed)
        hk_free(unit->self);
    hk_free(unit);
}

/* Puts VALUE into the struct; slots get copies of their own. */
static void put_value(native_unit *unit, uint32_t variable, const hk_value *value) {
    const hk_variable *about = &unit->base.info->variables[variable];
    size_t offset = unit->origin->type->ports[variable].offset;
    memcpy(unit->self + offset, value->data, about->count * hk_store_size(about->store));
    if (about->store != HK_STORE_BYTES)
        return;
    for (size_t i = 0; i < unit->origin->slot_count; i++) {
        size_t slot = unit->origin->slots[i];
        if (slot >= offset && slot < offset + about->count * sizeof(hk_bytes))
            adopt((hk_bytes *)(void *)(unit->self + slot), &unit->owned[i]);
    }
}

static bool provides_mutable(const hk_info *info) {
    bool found = false;
    for (size_t i = 0; i < info->service_count; i++)
        found = found ||
                (info->services[i].provided && hk_interface_mutable(info->services[i].definition));
    return found;
}

static hk_status native_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                             hk_unit **ret_unit) {
    (void)ctx;
    const hk_native_origin *origin = info->origin;
    native_unit *unit = hk_alloc(sizeof *unit);
    unit->base = (hk_unit){.unit_class = &hk_native_class, .info = info, .name = options->name};
    unit->origin = origin;
    unit->start = options->start;
    unit->changes_alone = !provides_mutable(info);
    unit->folder = options->folder ? options->folder : ".";
    unit->placed = options->place != NULL;
    unit->self = unit->placed ? options->place : hk_alloc(origin->type->instance_size + 1);
    unit->owned = hk_alloc((origin->slot_count + 1) * sizeof *unit->owned);
    /* A text without a start value is the empty one, so that a component may always read it. */
    for (size_t i = 0; i < origin->slot_count; i++)
        ((hk_bytes *)(void *)(unit->self + origin->slots[i]))->data = "";
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (origin->type->ports[i].start)
            put_value(unit, i, &info->variables[i].start);
    hk_native_fill_streams(origin->type, unit->self, options->seed, options->run, options->name);
    hk_native_begin_resource(origin->type, unit->self, unit->folder, &unit->arena);
    *ret_unit = &unit->base;
    return HK_OK;
}

static hk_status native_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable,
                                  const hk_value *value) {
    (void)ctx;
    native_unit *unit = (native_unit *)base;
    put_value(unit, variable, value);
    if (HK_UNIT_HAS(unit->origin->type, given))
        unit->origin->type->given(unit->self, variable);
    return HK_OK;
}

static hk_status native_refresh(hk_ctx *ctx, hk_unit *base, double t) {
    native_unit *unit = (native_unit *)base;
    const hk_unit_type *type = unit->origin->type;
    int code = type->output ? type->output(unit->self, t) : HK_STEP_OK;
    return code == HK_STEP_OK ? HK_OK : function_failed(ctx, base, "output", code, t);
}

static hk_status native_enter_init(hk_ctx *ctx, hk_unit *base) {
    native_unit *unit = (native_unit *)base;
    const hk_unit_type *type = unit->origin->type;
    if (unit->origin->loader) {
        if (!unit->arena)
            unit->arena = hk_arena_create();
        HK_TRY(unit->origin->loader->load(ctx, unit->arena, unit->self, unit->folder, base->name,
                                          &unit->loaded));
        put_loaded(unit);
    }
    unit->begun = true;
    int code = type->init ? type->init(unit->self, unit->start) : HK_STEP_OK;
    if (code != HK_STEP_OK)
        return function_failed(ctx, base, "init", code, unit->start);
    return native_refresh(ctx, base, unit->start);
}

/* Where callers change the component between two steps, its memory does not hold what the last step
 * has published: that is read by a call, right after the step. */
static void *native_address(hk_unit *base, uint32_t variable) {
    native_unit *unit = (native_unit *)base;
    hk_causality causality = base->info->variables[variable].causality;
    if (!unit->changes_alone && (causality == HK_OUTPUT || causality == HK_LOCAL))
        return NULL;
    return unit->self + unit->origin->type->ports[variable].offset;
}

static int native_get(void *self, const uint32_t *refs, size_t n, void *values) {
    const native_unit *unit = self;
    char *to = values;
    for (size_t i = 0; i < n; i++) {
        const hk_variable *v = &unit->base.info->variables[refs[i]];
        size_t bytes = v->count * hk_store_size(v->store);
        memcpy(to, unit->self + unit->origin->type->ports[refs[i]].offset, bytes);
        to += bytes;
    }
    return HK_UNIT_OK;
}

static hk_status native_bind_get(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                                 void *values, hk_call *ret_call) {
    (void)ctx;
    native_unit *unit = (native_unit *)base;
    unit->gets = unit->gets ? unit->gets : hk_arena_create();
    uint32_t *refs = HK_NEW_ARRAY(unit->gets, uint32_t, n);
    memcpy(refs, variables, n * sizeof *refs);
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = native_get,
                          .self = unit,
                          .refs = refs,
                          .n = n,
                          .values = values,
                          .name = "get"};
    for (size_t i = 0; i < n; i++)
        ret_call->value_count += base->info->variables[variables[i]].count;
    return HK_OK;
}

static void native_bind_step(hk_unit *base, hk_step_call *ret_call) {
    native_unit *unit = (native_unit *)base;
    *ret_call = (hk_step_call){.shape = HK_STEP_PLAIN,
                               .fn.plain = unit->origin->type->step,
                               .self = unit->self,
                               .name = "step"};
}

static const void *native_service_table(hk_unit *base, uint32_t service, void **ret_self) {
    native_unit *unit = (native_unit *)base;
    *ret_self = unit->self;
    return unit->origin->type->services[service].functions;
}

static void native_service_bind(hk_unit *base, uint32_t service, void *self,
                                const void *functions) {
    native_unit *unit = (native_unit *)base;
    const hk_binding binding = {self, functions};
    memcpy(unit->self + unit->origin->type->services[service].offset, &binding, sizeof binding);
}

static void *native_service_place(hk_unit *base, uint32_t service) {
    native_unit *unit = (native_unit *)base;
    return unit->self + unit->origin->type->services[service].offset;
}

static size_t native_instance_size(const hk_info *info) {
    return ((const hk_native_origin *)info->origin)->type->instance_size;
}

static hk_status native_start(hk_ctx *ctx, hk_unit *base, double t) {
    native_unit *unit = (native_unit *)base;
    const hk_unit_type *type = unit->origin->type;
    int code = HK_UNIT_HAS(type, start) ? type->start(unit->self, t) : HK_STEP_OK;
    return code == HK_STEP_OK ? HK_OK : function_failed(ctx, base, "start", code, t);
}

static hk_status native_stop(hk_ctx *ctx, hk_unit *base, double t) {
    native_unit *unit = (native_unit *)base;
    const hk_unit_type *type = unit->origin->type;
    int code = HK_UNIT_HAS(type, stop) ? type->stop(unit->self, t) : HK_STEP_OK;
    return code == HK_STEP_OK ? HK_OK : function_failed(ctx, base, "stop", code, t);
}

static hk_status native_step_failed(hk_ctx *ctx, hk_unit *base, int code, double t, double h,
                                    hk_stepped *ret_stepped) {
    (void)h;
    (void)ret_stepped;
    return function_failed(ctx, base, "step", code, t);
}

static native_state *make_state(const hk_native_origin *origin) {
    native_state *state = hk_alloc(sizeof *state);
    state->self = hk_alloc(origin->type->instance_size + 1);
    state->owned = hk_alloc((origin->slot_count + 1) * sizeof *state->owned);
    return state;
}

static hk_status native_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    (void)ctx;
    const native_unit *unit = (const native_unit *)base;
    native_state *to = *state ? *state : make_state(unit->origin);
    copy_self(unit->origin, to->self, to->owned, unit->self);
    *state = to;
    return HK_OK;
}

static hk_status native_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    (void)ctx;
    native_unit *unit = (native_unit *)base;
    const native_state *from = state;
    hk_resource own = hk_native_resource(unit->origin->type, unit->self);
    copy_self(unit->origin, unit->self, unit->owned, from->self);
    hk_native_put_resource(unit->origin->type, unit->self, own);
    put_loaded(unit);
    return HK_OK;
}

static void native_state_free(hk_unit *base, void *state) {
    native_state *old = state;
    if (!old)
        return;
    free_owned(((native_unit *)base)->origin, old->owned);
    hk_free(old->self);
    hk_free(old);
}

static uint64_t hash_text(uint64_t hash, const char *text) {
    return hk_hash(hash, text, strlen(text) + 1);
}

/* What lies where in the struct, as far as its type says so. */
static uint64_t hash_layout(const hk_unit_type *type) {
    const size_t sizes[] = {type->abi, type->instance_size, type->port_count};
    uint64_t hash = hk_hash(HK_HASH_SEED, sizes, sizeof sizes);
    for (size_t i = 0; i < type->port_count; i++) {
        const hk_port *p = &type->ports[i];
        const size_t place[] = {p->offset, (size_t)p->type, p->count ? p->count : 1};
        hash = hk_hash(hash_text(hash, p->name), place, sizeof place);
    }
    for (size_t i = 0; HK_UNIT_HAS(type, services) && i < type->service_count; i++)
        hash = hk_hash(hash_text(hash, type->services[i].name), &type->services[i].offset,
                       sizeof type->services[i].offset);
    for (size_t i = 0; HK_UNIT_HAS(type, streams) && i < type->stream_count; i++)
        hash = hk_hash(hash_text(hash, type->streams[i].name), &type->streams[i].offset,
                       sizeof type->streams[i].offset);
    return hash;
}

/* A type that is linked into the host's program, or into a library of its own, and not from a
 * plugin: its code is where its functions are. */
static const char *native_library(hk_unit *base) {
    const hk_unit_type *type = ((native_unit *)base)->origin->type;
    if (base->info->file)
        return base->info->file;
    Dl_info found;
    void *code;
    memcpy(&code, &type->step, sizeof code);
    bool own = strncmp(type->name, "hk.", 3) == 0;
    return !own && dladdr(code, &found) ? found.dli_fname : NULL;
}

static void native_state_key(hk_unit *base, hk_arena *arena, const char **ret_key,
                             uint64_t *ret_build) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL); /* a file that is gone is not a reason to fail */
    char *data;
    size_t size;
    const hk_unit_type *type = ((native_unit *)base)->origin->type;
    *ret_key = hk_arena_printf(arena, "the layout %016llx", (unsigned long long)hash_layout(type));
    *ret_build = 0;
    if (base->info->file && hk_file_read(silent, base->info->file, 0, &data, &size) == HK_OK) {
        *ret_build = hk_hash(HK_HASH_SEED, data, size);
        hk_free(data);
    }
    hk_ctx_destroy(silent);
}

/* The bytes: size of the struct, the struct with its slots empty, then per slot a size (all ones:
 * no data) and that many bytes. Numbers are as this machine writes them, like the struct itself. */
static const uint64_t no_data = UINT64_MAX;

static size_t saved_size(const hk_native_origin *origin, const native_state *state) {
    size_t size = sizeof(uint64_t) + origin->type->instance_size;
    for (size_t i = 0; i < origin->slot_count; i++) {
        const hk_bytes *bytes = (const void *)(state->self + origin->slots[i]);
        size += sizeof(uint64_t) + (bytes->data ? bytes->size : 0);
    }
    return size;
}

static hk_status native_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                   size_t *ret_size) {
    (void)ctx;
    const hk_native_origin *origin = ((native_unit *)base)->origin;
    const native_state *from = state;
    uint64_t self_size = origin->type->instance_size;
    size_t size = saved_size(origin, from);
    char *data = hk_alloc(size), *at = data + sizeof self_size;
    memcpy(data, &self_size, sizeof self_size);
    memcpy(at, from->self, self_size);
    for (size_t i = 0; i < origin->slot_count; i++)
        memset(at + origin->slots[i], 0, sizeof(hk_bytes));
    hk_native_forget_bindings(origin->type, at);
    hk_native_put_resource(origin->type, at, (hk_resource){0});
    if (origin->loader)
        memset(at + origin->loader->loaded, 0, sizeof(const void *));
    at += self_size;
    for (size_t i = 0; i < origin->slot_count; i++) {
        const hk_bytes *bytes = (const void *)(from->self + origin->slots[i]);
        uint64_t length = bytes->data ? bytes->size : no_data;
        memcpy(at, &length, sizeof length);
        at += sizeof length;
        if (!bytes->data)
            continue;
        memcpy(at, bytes->data, bytes->size);
        at += bytes->size;
    }
    *ret_data = data;
    *ret_size = size;
    return HK_OK;
}

/* Takes SIZE bytes from *AT into TARGET; false if there are fewer. */
static bool take(const char **at, const char *end, void *target, size_t size) {
    if ((size_t)(end - *at) < size)
        return false;
    memcpy(target, *at, size);
    *at += size;
    return true;
}

static bool read_state(const hk_native_origin *origin, const char *at, const char *end,
                       native_state *to) {
    uint64_t self_size = 0;
    if (!take(&at, end, &self_size, sizeof self_size) || self_size != origin->type->instance_size ||
        !take(&at, end, to->self, origin->type->instance_size))
        return false;
    for (size_t i = 0; i < origin->slot_count; i++) {
        uint64_t length = 0;
        hk_bytes *bytes = (void *)(to->self + origin->slots[i]);
        *bytes = (hk_bytes){0};
        if (!take(&at, end, &length, sizeof length))
            return false;
        if (length == no_data)
            continue;
        if (length > (size_t)(end - at))
            return false;
        *bytes = (hk_bytes){at, (size_t)length};
        adopt(bytes, &to->owned[i]);
        at += length;
    }
    return at == end;
}

static hk_status native_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                                   void **ret_state) {
    native_state *state = make_state(((native_unit *)base)->origin);
    if (!read_state(((native_unit *)base)->origin, data, data + size, state)) {
        hk_arena *arena = hk_arena_create();
        hk_status status = hk_error(ctx, HK_E_STATE_FILE, unit_where(arena, base),
                                    "restore with the same build of the component that saved",
                                    "saved state of %zu bytes is none of native type '%s'", size,
                                    base->info->name);
        hk_arena_destroy(arena);
        native_state_free(base, state);
        return status;
    }
    *ret_state = state;
    return HK_OK;
}

static const hk_unit_services native_services = {native_service_table, native_service_bind,
                                                 native_service_place};

const hk_unit_class hk_native_class = {
    .services = &native_services,
    .instance_size = native_instance_size,
    .start = native_start,
    .stop = native_stop,
    HK_LIFE_HOOKS(native),
    .terminate = native_terminate,
    .refresh = native_refresh,
    .bind_get = native_bind_get,
    .bind_set = hk_unit_bind_refused,
    .call_failed = hk_unit_call_failed,
    .library = native_library,
    HK_STATE_HOOKS(native),
    .state_key = native_state_key,
};
