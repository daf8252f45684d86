/* SPDX-License-Identifier: MIT
 *
 * Values in and out of an FMI 2.0 instance. Numbers go through the FMU's own functions; text needs
 * a thunk between C strings and hk_bytes, and truth values one that makes all that is not 0 a 1. */
#include "fmi/fmi2_unit.h"

/* Others may compare with fmi2True, so 7 or -1 must not be passed on. */
static int get_truth(void *self, const uint32_t *refs, size_t n, void *values) {
    const hk_fmi2_unit *unit = self;
    fmi2Boolean *truths = values;
    int code = unit->f.GetBoolean(unit->in.component, refs, n, truths);
    for (size_t i = 0; !hk_unit_bad(code) && i < n; i++)
        truths[i] = truths[i] != fmi2False;
    return code;
}

static hk_status bind(hk_ctx *ctx, hk_fmi2_unit *unit, bool set, hk_call_about about,
                      hk_call *ret_call) {
    const hk_accessor all[2][4] = HK_ACCESSORS(unit->f, "fmi2");
    HK_TRY(hk_accessors_bind(ctx, &unit->in, all, set, about, ret_call));
    if (!set && hk_instance_store(&unit->in, about) == HK_STORE_BOOL32) {
        ret_call->self = unit;
        ret_call->fn.refs = get_truth;
    }
    return HK_OK;
}

HK_INSTANCE_BIND_HOOKS(fmi2)

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
