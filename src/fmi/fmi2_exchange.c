/* SPDX-License-Identifier: MIT
 *
 * Values in and out of an FMI 2.0 instance. Numbers go through the FMU's own functions; text needs
 * a thunk between C strings and hk_bytes, and truth values one that makes all that is not 0 a 1. */
#include "fmi/fmi2_unit.h"

#include <string.h>

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

/* What a text call needs: it stands as `self` in the hk_call. */
typedef struct text_call {
    hk_fmi2_unit *unit;
    fmi2String *strings; /* room for n */
} text_call;

static int get_text(void *self, const uint32_t *refs, size_t n, void *values) {
    const text_call *call = self;
    hk_bytes *bytes = values;
    int code = call->unit->f.GetString(call->unit->component, refs, n, call->strings);
    if (hk_unit_bad(code))
        return code;
    for (size_t i = 0; i < n; i++) {
        const char *text = call->strings[i] ? call->strings[i] : "";
        bytes[i] = (hk_bytes){.data = text, .size = strlen(text)};
    }
    return code;
}

/* Others may compare with fmi2True, so 7 or -1 must not be passed on. */
static int get_truth(void *self, const uint32_t *refs, size_t n, void *values) {
    const hk_fmi2_unit *unit = self;
    fmi2Boolean *truths = values;
    int code = unit->f.GetBoolean(unit->component, refs, n, truths);
    for (size_t i = 0; !hk_unit_bad(code) && i < n; i++)
        truths[i] = truths[i] != fmi2False;
    return code;
}

static int set_text(void *self, const uint32_t *refs, size_t n, void *values) {
    const text_call *call = self;
    const hk_bytes *bytes = values;
    for (size_t i = 0; i < n; i++)
        call->strings[i] = bytes[i].data ? bytes[i].data : "";
    return call->unit->f.SetString(call->unit->component, refs, n, call->strings);
}

static hk_status bind(hk_ctx *ctx, hk_fmi2_unit *unit, accessor use, hk_refs_fn *text_thunk,
                      const uint32_t *variables, size_t n, void *values, hk_call *ret_call) {
    HK_TRY(hk_fmi2_need(ctx, unit, use.function != NULL, use.name));
    const hk_variable *all = unit->base.info->variables;
    uint32_t *refs = HK_NEW_ARRAY(unit->arena, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        refs[i] = all[variables[i]].ref;
    hk_call call = {.shape = HK_SHAPE_REFS,
                    .self = unit->component,
                    .refs = refs,
                    .n = n,
                    .values = values,
                    .value_count = n,
                    .name = use.name};
    if (n && all[variables[0]].store == HK_STORE_BYTES) {
        text_call *text = HK_NEW(unit->arena, text_call);
        *text = (text_call){unit, HK_NEW_ARRAY(unit->arena, fmi2String, n)};
        call.self = text;
        call.fn.refs = text_thunk;
    } else {
        call.fn.refs = (hk_refs_fn *)use.function;
    }
    *ret_call = call;
    return HK_OK;
}

hk_status hk_fmi2_bind_get(hk_ctx *ctx, hk_unit *base, const uint32_t *variables, size_t n,
                           void *values, hk_call *ret_call) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    hk_store store = n ? base->info->variables[variables[0]].store : HK_STORE_F64;
    HK_TRY(bind(ctx, unit, getter(unit, store), get_text, variables, n, values, ret_call));
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
    return bind(ctx, unit, setter(unit, store), set_text, variables, n, values, ret_call);
}

/* Sets one variable from DATA, which lies in its store. */
static hk_status set_one(hk_ctx *ctx, hk_fmi2_unit *unit, uint32_t variable, void *data) {
    const hk_variable *v = &unit->base.info->variables[variable];
    accessor use = setter(unit, v->store);
    HK_TRY(hk_fmi2_need(ctx, unit, use.function != NULL, use.name));
    int code;
    if (v->store == HK_STORE_BYTES) {
        fmi2String string;
        code = set_text(&(text_call){unit, &string}, &v->ref, 1, data);
    } else {
        code = ((hk_refs_fn *)use.function)(unit->component, &v->ref, 1, data);
    }
    if (!hk_unit_bad(code))
        return HK_OK;
    return hk_fmi2_check(
        ctx, unit,
        hk_arena_printf(unit->arena, "%s for the start value of '%s'", use.name, v->name), code);
}

hk_status hk_fmi2_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    const hk_variable *v = &base->info->variables[variable];
    if (!hk_variable_settable(v))
        return hk_error(ctx, HK_E_PARAMETER, hk_fmi2_where(unit), NULL,
                        "'%s.%s' cannot be set: it is %s, %s, and its initial value is %s",
                        base->name, v->name, hk_causality_name(v->causality),
                        hk_variability_name(v->variability), hk_initial_name(v->initial));
    void *data = hk_arena_alloc(unit->arena, hk_store_size(v->store));
    if (!hk_value_convert(v->store, data, hk_store_of(value->type), value->data, 1))
        return hk_error(ctx, HK_E_CONVERSION, hk_fmi2_where(unit), NULL,
                        "the value for '%s.%s' does not fit its type, %s", base->name, v->name,
                        hk_type_name(v->type));
    if (v->causality != HK_INPUT)
        return set_one(ctx, unit, variable, data);
    if (v->store == HK_STORE_BYTES) { /* the caller's text may be gone by then */
        hk_bytes *bytes = data;
        bytes->data = hk_arena_strndup(unit->arena, bytes->data ? bytes->data : "", bytes->size);
    }
    hk_fmi2_pending pending = {variable, data};
    HK_PUSH(unit->pending, unit->pending_count, unit->pending_cap, pending);
    return HK_OK;
}

hk_status hk_fmi2_set_pending(hk_ctx *ctx, hk_fmi2_unit *unit) {
    for (size_t i = 0; i < unit->pending_count; i++)
        HK_TRY(set_one(ctx, unit, unit->pending[i].variable, unit->pending[i].data));
    unit->pending_count = 0;
    return HK_OK;
}
