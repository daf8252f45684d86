/* SPDX-License-Identifier: MIT
 *
 * Saving and restoring an instance; the functions have the same form in all versions. */
#include "fmi/instance.h"

#define STATE_BYTES_MAX ((size_t)16 << 30)

static hk_status may_save(hk_ctx *ctx, const hk_instance *in, bool able, bool there) {
    if (able && there && !hk_library_poisoned(in->library))
        return HK_OK;
    return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                    "the FMU of '%s' cannot save its state%s", in->base.name,
                    able && !there ? ": it says it can, but its library lacks the functions" : "");
}

hk_status hk_instance_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_save(ctx, in, base->info->can.save_state, in->calls.state_get != NULL));
    HK_TRY(hk_instance_may(ctx, in, HK_FMI_STATE_GET, in->names->state_get));
    HK_TRY(hk_instance_check(ctx, in, in->names->state_get,
                             in->calls.state_get(in->component, state)));
    if (!*state)
        return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                        "component '%s': %s gave no state", in->base.name, in->names->state_get);
    return HK_OK;
}

hk_status hk_instance_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_save(ctx, in, base->info->can.save_state, in->calls.state_set != NULL));
    HK_TRY(hk_instance_may(ctx, in, HK_FMI_STATE_SET, in->names->state_set));
    HK_TRY(hk_instance_check(ctx, in, in->names->state_set,
                             in->calls.state_set(in->component, state)));
    /* States are taken while stepping: that is where an older one leads back to. */
    if (in->phase > HK_PHASE_STEPPING)
        in->phase = HK_PHASE_STEPPING;
    return HK_OK;
}

void hk_instance_state_free(hk_unit *base, void *state) {
    hk_instance *in = (hk_instance *)base;
    if (state && in->calls.state_free && !hk_library_poisoned(in->library))
        hk_instance_mark(in, in->calls.state_free(in->component, &state));
}

hk_status hk_instance_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                 size_t *ret_size) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_save(ctx, in, base->info->can.serialize_state,
                    in->calls.state_size && in->calls.state_save));
    size_t size = 0;
    HK_TRY(hk_instance_check(ctx, in, in->names->state_size,
                             in->calls.state_size(in->component, state, &size)));
    if (size > STATE_BYTES_MAX)
        return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                        "component '%s': %s says %zu bytes, which no state needs", in->base.name,
                        in->names->state_size, size);
    char *data = hk_alloc(size + 1);
    hk_status status = hk_instance_check(ctx, in, in->names->state_save,
                                         in->calls.state_save(in->component, state, data, size));
    if (status != HK_OK) {
        hk_free(data);
        return status;
    }
    *ret_data = data;
    *ret_size = size;
    return HK_OK;
}

hk_status hk_instance_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                                 void **ret_state) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_save(ctx, in, base->info->can.serialize_state, in->calls.state_load != NULL));
    void *state = NULL;
    HK_TRY(hk_instance_check(ctx, in, in->names->state_load,
                             in->calls.state_load(in->component, data, size, &state)));
    *ret_state = state;
    return HK_OK;
}
