/* SPDX-License-Identifier: MIT
 *
 * Values in and out of an FMI 2.0 instance. Numbers go through the FMU's own functions; text needs
 * a thunk between C strings and hk_bytes, and truth values one that makes all that is not 0 a 1. */
#include "fmi/fmi2_unit.h"

/* The getter and setter of a store. Their last arguments differ in type, hence the common type. */
typedef struct accessor {
    hk_symbol *function;
    const char *name;
} accessor;

static accessor getter(const hk_fmi2_unit *unit, hk_store store) {
    switch (store) {
    case HK_STORE_F64:
        return (accessor){(hk_symbol *)unit->f.GetReal, "fmi2GetReal"};
    case HK_STORE_I32:
        return (accessor){(hk_symbol *)unit->f.GetInteger, "fmi2GetInteger"};
    case HK_STORE_BOOL32:
        return (accessor){(hk_symbol *)unit->f.GetBoolean, "fmi2GetBoolean"};
    default:
        return (accessor){(hk_symbol *)unit->f.GetString, "fmi2GetString"};
    }
}

static accessor setter(const hk_fmi2_unit *unit, hk_store store) {
    switch (store) {
    case HK_STORE_F64:
        return (accessor){(hk_symbol *)unit->f.SetReal, "fmi2SetReal"};
    case HK_STORE_I32:
        return (accessor){(hk_symbol *)unit->f.SetInteger, "fmi2SetInteger"};
    case HK_STORE_BOOL32:
        return (accessor){(hk_symbol *)unit->f.SetBoolean, "fmi2SetBoolean"};
    default:
        return (accessor){(hk_symbol *)unit->f.SetString, "fmi2SetString"};
    }
}

/* Others may compare with fmi2True, so 7 or -1 must not be passed on. */
static int get_truth(void *self, const uint32_t *refs, size_t n, void *values) {
    const hk_fmi2_unit *unit = self;
    fmi2Boolean *truths = values;
    int code = unit->f.GetBoolean(unit->in.component, refs, n, truths);
    for (size_t i = 0; !hk_unit_bad(code) && i < n; i++)
        truths[i] = truths[i] != fmi2False;
    return code;
}

static hk_status bind(hk_ctx *ctx, hk_fmi2_unit *unit, accessor use, hk_refs_fn *text_thunk,
                      hk_call_about about, hk_call *ret_call) {
    const uint32_t *variables = about.variables;
    size_t n = about.count;
    hk_instance *in = &unit->in;
    HK_TRY(hk_instance_need(ctx, in, use.function != NULL, use.name));
    hk_call call = {.shape = HK_SHAPE_REFS,
                    .fn.refs = (hk_refs_fn *)use.function,
                    .self = in->component,
                    .refs = hk_instance_refs(in, variables, n),
                    .n = n,
                    .values = about.values,
                    .value_count = n,
                    .name = use.name};
    if (n && in->base.info->variables[variables[0]].store == HK_STORE_BYTES) {
        hk_text_call *text = HK_NEW(in->arena, hk_text_call);
        *text = (hk_text_call){in, unit->f.GetString, unit->f.SetString,
                               HK_NEW_ARRAY(in->arena, const char *, n)};
        call.self = text;
        call.fn.refs = text_thunk;
    }
    *ret_call = call;
    return HK_OK;
}

hk_status hk_fmi2_bind_get(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                           void *values, hk_call *ret_call) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    hk_store store = n ? base->info->variables[variables[0]].store : HK_STORE_F64;
    HK_TRY(bind(ctx, unit, getter(unit, store), hk_text_get, (hk_call_about){variables, n, values},
                ret_call));
    if (store == HK_STORE_BOOL32) {
        ret_call->self = unit;
        ret_call->fn.refs = get_truth;
    }
    return HK_OK;
}

hk_status hk_fmi2_bind_set(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                           void *values, hk_call *ret_call) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    hk_store store = n ? base->info->variables[variables[0]].store : HK_STORE_F64;
    return bind(ctx, unit, setter(unit, store), hk_text_set, (hk_call_about){variables, n, values},
                ret_call);
}

/* Sets one variable from DATA, which lies in its store. */
static hk_status set_one(hk_ctx *ctx, hk_fmi2_unit *unit, uint32_t variable, void *data) {
    hk_call call;
    HK_TRY(hk_fmi2_bind_set(ctx, &unit->in.base, &variable, 1, data, &call));
    HK_TRY(hk_instance_may(ctx, &unit->in, HK_FMI_SET, call.name));
    hk_instance_calling(&unit->in, call.name);
    return hk_instance_check_start(ctx, &unit->in, variable, call.name,
                                   call.fn.refs(call.self, call.refs, call.n, call.values));
}

hk_status hk_fmi2_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    void *data;
    HK_TRY(hk_instance_start(ctx, &unit->in, variable, value, &data));
    if (base->info->variables[variable].causality != HK_INPUT)
        return set_one(ctx, unit, variable, data);
    hk_instance_wait_value(&unit->in, variable, data);
    return HK_OK;
}

hk_status hk_fmi2_set_waiting(hk_ctx *ctx, hk_fmi2_unit *unit) {
    hk_instance *in = &unit->in;
    for (size_t i = 0; i < in->waiting_count; i++)
        HK_TRY(set_one(ctx, unit, in->waiting[i].variable, in->waiting[i].data));
    in->waiting_count = 0;
    return HK_OK;
}
