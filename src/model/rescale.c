/* SPDX-License-Identifier: MIT
 *
 * An instance within an instance: calls are passed on, and values converted. Units whose variables
 * all agree are never wrapped, so the layer costs nothing where it does nothing. */
#include "model/rescale.h"

#include "model/unit.h"

#include <math.h>
#include <string.h>

/* ---- descriptions */

static double apply(double factor, double offset, double x) {
    return factor * x + offset;
}

/* COUNT values of a real store, from SOURCE to TARGET, which may be the same. */
static void convert(hk_store store, double factor, double offset, const void *source, void *target,
                    size_t count) {
    if (store == HK_STORE_F64) {
        const double *from = source;
        double *to = target;
        for (size_t i = 0; i < count; i++)
            to[i] = apply(factor, offset, from[i]);
    } else {
        const float *from = source;
        float *to = target;
        for (size_t i = 0; i < count; i++)
            to[i] = (float)apply(factor, offset, (double)from[i]);
    }
}

static hk_value told_value(hk_arena *arena, const hk_value *own, const hk_scale *scale) {
    hk_store store = hk_store_of(own->type);
    hk_value told = *own;
    if (!own->data)
        return told;
    told.data = hk_arena_alloc(arena, own->count * hk_store_size(store) + 1);
    convert(store, scale->factor, scale->offset, own->data, told.data, own->count);
    return told;
}

bool hk_variable_rescale(hk_arena *arena, hk_variable *v, const char *unit, const hk_uom *uom,
                         hk_scale *ret_scale) {
    hk_scale s = {.factor = 1, .own_factor = 1};
    HK_ASSERT(v->uom && (v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32));
    if (!hk_uom_conversion(v->uom, uom, v->relative, &s.factor, &s.offset) ||
        !hk_uom_conversion(uom, v->uom, v->relative, &s.own_factor, &s.own_offset))
        return false;
    s.used = s.factor != 1 || s.offset != 0;
    *ret_scale = s;
    if (!s.used)
        return true;
    hk_uom *kept = HK_NEW(arena, hk_uom);
    *kept = *uom;
    v->unit = hk_arena_strdup(arena, unit);
    v->uom = kept;
    v->start = told_value(arena, &v->start, &s);
    double low = apply(s.factor, s.offset, v->min), high = apply(s.factor, s.offset, v->max);
    v->min = s.factor < 0 ? high : low; /* NaN stays what it is */
    v->max = s.factor < 0 ? low : high;
    v->nominal = fabs(s.factor) * v->nominal;
    return true;
}

/* What is behind a rescaled description. */
typedef struct rescaled {
    hk_unit_class unit_class;
    hk_arena *arena;
    const hk_info *own;
    const hk_scale *scales; /* per variable */
} rescaled;

typedef struct rescaled_unit {
    hk_unit base;
    hk_arena *arena;
    hk_unit *own;
    const hk_scale *scales;
} rescaled_unit;

static rescaled_unit *of(hk_unit *unit) {
    return (rescaled_unit *)unit;
}

/* ---- values */

/* A call for several variables; those that are told as they are have the factor 1. */
typedef struct rescaled_call {
    hk_call own;
    hk_store store;
    struct piece {
        size_t first, count;
        const hk_scale *scale;
    } * pieces;
    size_t piece_count;
    void *values; /* of a set, on their way in */
    size_t bytes;
} rescaled_call;

static int pass_on(const rescaled_call *c, void *values) {
    const hk_call *k = &c->own;
    return k->shape == HK_SHAPE_REFS
               ? k->fn.refs(k->self, k->refs, k->n, values)
               : k->fn.refs_sized(k->self, k->refs, k->n, values, k->value_count);
}

static int get_values(void *self, const uint32_t *refs, size_t n, void *values) {
    const rescaled_call *c = self;
    (void)refs;
    (void)n;
    int code = pass_on(c, values);
    for (size_t i = 0; !hk_unit_bad(code) && i < c->piece_count; i++) {
        const struct piece *p = &c->pieces[i];
        char *told = (char *)values + p->first * hk_store_size(c->store);
        if (p->scale->used)
            convert(c->store, p->scale->factor, p->scale->offset, told, told, p->count);
    }
    return code;
}

static int set_values(void *self, const uint32_t *refs, size_t n, void *values) {
    const rescaled_call *c = self;
    (void)refs;
    (void)n;
    memcpy(c->values, values, c->bytes);
    for (size_t i = 0; i < c->piece_count; i++) {
        const struct piece *p = &c->pieces[i];
        char *own = (char *)c->values + p->first * hk_store_size(c->store);
        if (p->scale->used)
            convert(c->store, p->scale->own_factor, p->scale->own_offset, own, own, p->count);
    }
    return pass_on(c, c->values);
}

typedef hk_status bind_fn(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call);

static hk_status bind(hk_ctx *ctx, hk_unit *base, hk_call_about about, bool set,
                      hk_call *ret_call) {
    const uint32_t *variables = about.variables;
    size_t n = about.count;
    void *values = about.values;
    rescaled_unit *u = of(base);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= u->scales[variables[i]].used;
    bind_fn *own = set ? u->own->unit_class->bind_set : u->own->unit_class->bind_get;
    if (!any)
        return own(ctx, u->own, variables, n, values, ret_call);
    rescaled_call *c = HK_NEW(u->arena, rescaled_call);
    c->store = base->info->variables[variables[0]].store;
    c->pieces = HK_NEW_ARRAY(u->arena, struct piece, n);
    c->piece_count = n;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t elements = base->info->variables[variables[i]].count;
        c->pieces[i] = (struct piece){count, elements, &u->scales[variables[i]]};
        count += elements;
    }
    c->bytes = count * hk_store_size(c->store);
    c->values = hk_arena_alloc(u->arena, c->bytes + 1);
    HK_TRY(own(ctx, u->own, variables, n, set ? c->values : values, &c->own));
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = set ? set_values : get_values,
                          .self = c,
                          .refs = c->own.refs,
                          .n = n,
                          .values = values,
                          .value_count = count,
                          .name = c->own.name};
    return HK_OK;
}

static hk_status bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    return bind(ctx, unit, (hk_call_about){variables, n, values}, false, ret_call);
}

static hk_status bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                          void *values, hk_call *ret_call) {
    return bind(ctx, unit, (hk_call_about){variables, n, values}, true, ret_call);
}

static hk_status set_start(hk_ctx *ctx, hk_unit *unit, uint32_t variable, const hk_value *value) {
    rescaled_unit *u = of(unit);
    const hk_scale *s = &u->scales[variable];
    if (!s->used)
        return u->own->unit_class->set_start(ctx, u->own, variable, value);
    hk_store store = hk_store_of(value->type);
    hk_value own = *value;
    own.data = hk_arena_alloc(u->arena, value->count * hk_store_size(store) + 1);
    convert(store, s->own_factor, s->own_offset, value->data, own.data, value->count);
    return u->own->unit_class->set_start(ctx, u->own, variable, &own);
}

/* ---- what is passed on as it is */

static const void *service_table(hk_unit *unit, uint32_t service, void **ret_self) {
    return of(unit)->own->unit_class->services->table(of(unit)->own, service, ret_self);
}

static void service_bind(hk_unit *unit, uint32_t service, void *self, const void *functions) {
    of(unit)->own->unit_class->services->bind(of(unit)->own, service, self, functions);
}

static const hk_unit_services services = {.table = service_table, .bind = service_bind};

static hk_status start(hk_ctx *ctx, hk_unit *unit, double t) {
    return of(unit)->own->unit_class->start(ctx, of(unit)->own, t);
}

static hk_status stop(hk_ctx *ctx, hk_unit *unit, double t) {
    return of(unit)->own->unit_class->stop(ctx, of(unit)->own, t);
}

static hk_status can_open(hk_ctx *ctx, const hk_info *info) {
    const rescaled *r = info->origin;
    return r->own->unit_class->can_open(ctx, r->own);
}

static hk_status prepare(hk_ctx *ctx, const hk_info *info) {
    const rescaled *r = info->origin;
    return r->own->unit_class->prepare(ctx, r->own);
}

static hk_status enter_init(hk_ctx *ctx, hk_unit *unit) {
    return of(unit)->own->unit_class->enter_init(ctx, of(unit)->own);
}

static hk_status exit_init(hk_ctx *ctx, hk_unit *unit) {
    return hk_unit_exit_init(ctx, of(unit)->own);
}

static hk_status terminate(hk_ctx *ctx, hk_unit *unit) {
    return hk_unit_terminate(ctx, of(unit)->own);
}

static hk_status refresh(hk_ctx *ctx, hk_unit *unit, double t) {
    return of(unit)->own->unit_class->refresh(ctx, of(unit)->own, t);
}

static void bind_step(hk_unit *unit, hk_step_call *ret_call) {
    of(unit)->own->unit_class->bind_step(of(unit)->own, ret_call);
}

static hk_status step_failed(hk_ctx *ctx, hk_unit *unit, int code, double t, double h,
                             hk_stepped *ret_stepped) {
    return of(unit)->own->unit_class->step_failed(ctx, of(unit)->own, code, t, h, ret_stepped);
}

static hk_status step_wait(hk_ctx *ctx, hk_unit *unit, double t, double h,
                           hk_stepped *ret_stepped) {
    return of(unit)->own->unit_class->step_wait(ctx, of(unit)->own, t, h, ret_stepped);
}

static const char *call_failed(hk_unit *unit, int code) {
    return of(unit)->own->unit_class->call_failed(of(unit)->own, code);
}

static hk_status state_get(hk_ctx *ctx, hk_unit *unit, void **state) {
    return of(unit)->own->unit_class->state_get(ctx, of(unit)->own, state);
}

static hk_status state_set(hk_ctx *ctx, hk_unit *unit, void *state) {
    return of(unit)->own->unit_class->state_set(ctx, of(unit)->own, state);
}

static void state_free(hk_unit *unit, void *state) {
    of(unit)->own->unit_class->state_free(of(unit)->own, state);
}

static hk_status may(hk_ctx *ctx, hk_unit *unit, hk_unit_call call, bool set_before) {
    return of(unit)->own->unit_class->may(ctx, of(unit)->own, call, set_before);
}

static void state_key(hk_unit *unit, hk_arena *arena, const char **ret_key, uint64_t *ret_build) {
    of(unit)->own->unit_class->state_key(of(unit)->own, arena, ret_key, ret_build);
}

static const char *library(hk_unit *unit) {
    return of(unit)->own->unit_class->library(of(unit)->own);
}

static const uint64_t *covered(hk_unit *unit) {
    return of(unit)->own->unit_class->covered(of(unit)->own);
}

static hk_status state_save(hk_ctx *ctx, hk_unit *unit, void *state, char **ret_data,
                            size_t *ret_size) {
    return of(unit)->own->unit_class->state_save(ctx, of(unit)->own, state, ret_data, ret_size);
}

static hk_status state_load(hk_ctx *ctx, hk_unit *unit, const char *data, size_t size,
                            void **ret_state) {
    return of(unit)->own->unit_class->state_load(ctx, of(unit)->own, data, size, ret_state);
}

/* ---- instances */

static void close_unit(hk_unit *unit) {
    rescaled_unit *u = of(unit);
    u->own->unit_class->close(u->own);
    hk_arena_destroy(u->arena);
}

static hk_status open_unit(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    const rescaled *r = info->origin;
    hk_unit *own;
    HK_TRY(r->own->unit_class->open(ctx, r->own, options, &own));
    hk_arena *arena = hk_arena_create();
    rescaled_unit *u = HK_NEW(arena, rescaled_unit);
    *u = (rescaled_unit){.base = *own, .arena = arena, .own = own, .scales = r->scales};
    u->base.unit_class = info->unit_class;
    u->base.info = info;
    *ret_unit = &u->base;
    return HK_OK;
}

/* Sizes change, units do not. */
static hk_status resize(hk_ctx *ctx, const hk_info *info, const uint32_t *variables,
                        const hk_value *values, size_t n, const hk_info **ret_info) {
    const rescaled *r = info->origin;
    const hk_info *own;
    HK_TRY(r->own->unit_class->resize(ctx, r->own, variables, values, n, &own));
    hk_info *told = HK_NEW(r->arena, hk_info);
    *told = *info;
    told->variables = HK_NEW_ARRAY(r->arena, hk_variable, info->variable_count + 1);
    for (size_t i = 0; i < info->variable_count; i++) {
        hk_variable *v = &told->variables[i];
        *v = info->variables[i];
        v->dims = own->variables[i].dims;
        v->count = own->variables[i].count;
        v->start = own->variables[i].start;
        if (r->scales[i].used)
            v->start = told_value(r->arena, &v->start, &r->scales[i]);
    }
    hk_info_rescale(r->arena, told, own, r->scales);
    *ret_info = told;
    return HK_OK;
}

void hk_info_rescale(hk_arena *arena, hk_info *told, const hk_info *info, const hk_scale *scales) {
    const hk_unit_class *own = info->unit_class;
    HK_ASSERT(!own->address);
    rescaled *r = HK_NEW(arena, rescaled);
    *r = (rescaled){.arena = arena, .own = info, .scales = scales};
    r->unit_class = (hk_unit_class){
        HK_HOOKS_BEFORE(own),          .services = own->services ? &services : NULL,
        HK_HOOK_BEFORE(own, can_open), HK_HOOK_BEFORE(own, prepare),
        HK_HOOK_BEFORE(own, resize),   .open = open_unit,
        .bind_get = bind_get,          .bind_set = bind_set,
        .bind_step = bind_step,
    };
    told->unit_class = &r->unit_class;
    told->origin = r;
}
