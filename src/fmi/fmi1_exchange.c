/* SPDX-License-Identifier: MIT
 *
 * Values in and out of an FMI 1.0 instance. Numbers go through the FMU's own functions. Thunks are
 * for text, for truth values that are read (all that is not 0 becomes 1), and for calls that hold a
 * negated alias, whose value the importer has to turn round. */
#include "fmi/fmi1_unit.h"

#include <string.h>

/* What a thunk for numbers and truth values needs: it is used as `self` in the hk_call. */
typedef struct turned_call {
    const hk_instance *in;
    hk_refs_fn *function;
    hk_store store;
    const size_t *turned; /* which of the values are of negated aliases */
    size_t turned_count;
    void *copy; /* room for all values: those of the caller stay as they are */
} turned_call;

static void turn_round(const turned_call *call, void *values) {
    for (size_t i = 0; i < call->turned_count; i++) {
        size_t at = call->turned[i];
        if (call->store == HK_STORE_F64)
            ((double *)values)[at] = -((double *)values)[at];
        else if (call->store == HK_STORE_I32) /* the least number is its own opposite */
            ((int32_t *)values)[at] = (int32_t)(0u - ((uint32_t *)values)[at]);
        else
            ((char *)values)[at] = !((char *)values)[at];
    }
}

static int get_turned(void *self, const uint32_t *refs, size_t n, void *values) {
    const turned_call *call = self;
    int code = call->function(call->in->component, refs, n, values);
    if (hk_unit_bad(code))
        return code;
    char *truths = values;
    for (size_t i = 0; call->store == HK_STORE_BOOL8 && i < n; i++)
        truths[i] = truths[i] != fmi1False;
    turn_round(call, values);
    return code;
}

static int set_turned(void *self, const uint32_t *refs, size_t n, void *values) {
    const turned_call *call = self;
    memcpy(call->copy, values, n * hk_store_size(call->store));
    turn_round(call, call->copy);
    return call->function(call->in->component, refs, n, call->copy);
}

static turned_call *make_turned(const hk_instance *in, hk_refs_fn *function, hk_store store,
                                const uint32_t *variables, size_t n) {
    turned_call *call = HK_NEW(in->arena, turned_call);
    size_t *turned = HK_NEW_ARRAY(in->arena, size_t, n), count = 0;
    for (size_t i = 0; i < n; i++)
        if (in->fmu->info.variables[variables[i]].negated)
            turned[count++] = i;
    *call = (turned_call){.in = in,
                          .function = function,
                          .store = store,
                          .turned = turned,
                          .turned_count = count,
                          .copy = hk_arena_alloc(in->arena, n * hk_store_size(store))};
    return call;
}

static hk_status check_refs(hk_ctx *ctx, const hk_instance *in, const uint32_t *variables,
                            size_t n) {
    for (size_t i = 0; i < n; i++) {
        const hk_variable *v = &in->base.info->variables[variables[i]];
        if (v->ref == HK_FMI1_NO_REFERENCE)
            return hk_error(ctx, HK_E_FMI_UNSUPPORTED, hk_instance_where(in), NULL,
                            "component '%s': '%s' can be neither read nor set, since its "
                            "valueReference is 4294967295, which is FMI 1.0 for none",
                            in->base.name, v->name);
    }
    return HK_OK;
}

static bool any_negated(const hk_instance *in, const uint32_t *variables, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (in->fmu->info.variables[variables[i]].negated)
            return true;
    return false;
}

static hk_status bind(hk_ctx *ctx, hk_fmi1_unit *unit, bool set, hk_call_about about,
                      hk_call *ret_call) {
    const hk_instance *in = &unit->in;
    const hk_accessor all[2][4] = HK_ACCESSORS(unit->f, "fmi");
    hk_store store = hk_instance_store(in, about);
    hk_call call;
    HK_TRY(hk_accessors_bind(ctx, in, all, set, about, &call));
    HK_TRY(check_refs(ctx, in, about.variables, about.count));
    if (store != HK_STORE_BYTES &&
        ((!set && store == HK_STORE_BOOL8) || any_negated(in, about.variables, about.count))) {
        call.self = make_turned(in, call.fn.refs, store, about.variables, about.count);
        call.fn.refs = set ? set_turned : get_turned;
    }
    *ret_call = call;
    return HK_OK;
}

HK_INSTANCE_BIND_HOOKS(fmi1)

/* Inputs and all that has a start value may be set at once, before fmiInitializeSlave. */
hk_status hk_fmi1_set_start(hk_ctx *ctx, hk_unit *base, uint32_t variable, const hk_value *value) {
    hk_instance *in = (hk_instance *)base;
    void *data;
    hk_call call;
    HK_TRY(hk_instance_start(ctx, in, variable, value, &data));
    HK_TRY(hk_fmi1_bind_set(ctx, base, &variable, 1, data, &call));
    hk_instance_calling(in, call.name);
    return hk_instance_check_start(ctx, in, variable, call.name,
                                   call.fn.refs(call.self, call.refs, call.n, call.values));
}
