/* SPDX-License-Identifier: MIT
 *
 * Saving and restoring an FMI 2.0 instance. */
#include "fmi/fmi2_unit.h"

static hk_status may_save(hk_ctx *ctx, const hk_fmi2_unit *unit, bool able, bool there) {
    if (able && there && !hk_library_poisoned(unit->library))
        return HK_OK;
    return hk_error(ctx, HK_E_UNIT_STATE, hk_fmi2_where(unit), NULL,
                    "the FMU of '%s' cannot save its state%s", unit->base.name,
                    able && !there ? ": it says it can, but its library lacks the functions" : "");
}

hk_status hk_fmi2_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(may_save(ctx, unit, base->info->can.save_state, unit->f.GetFMUstate != NULL));
    return hk_fmi2_check(ctx, unit, "fmi2GetFMUstate", unit->f.GetFMUstate(unit->component, state));
}

hk_status hk_fmi2_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(may_save(ctx, unit, base->info->can.save_state, unit->f.SetFMUstate != NULL));
    HK_TRY(
        hk_fmi2_check(ctx, unit, "fmi2SetFMUstate", unit->f.SetFMUstate(unit->component, state)));
    /* States are taken while stepping: that is where an older one leads back to. */
    if (unit->phase > HK_FMI2_STEPPING)
        unit->phase = HK_FMI2_STEPPING;
    return HK_OK;
}

void hk_fmi2_state_free(hk_unit *base, void *state) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    if (state && unit->f.FreeFMUstate && !hk_library_poisoned(unit->library))
        hk_fmi2_mark(unit, unit->f.FreeFMUstate(unit->component, &state));
}

hk_status hk_fmi2_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                             size_t *ret_size) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(may_save(ctx, unit, base->info->can.serialize_state,
                    unit->f.SerializedFMUstateSize && unit->f.SerializeFMUstate));
    size_t size = 0;
    HK_TRY(hk_fmi2_check(ctx, unit, "fmi2SerializedFMUstateSize",
                         unit->f.SerializedFMUstateSize(unit->component, state, &size)));
    char *data = hk_alloc(size + 1);
    hk_status status = hk_fmi2_check(ctx, unit, "fmi2SerializeFMUstate",
                                     unit->f.SerializeFMUstate(unit->component, state, data, size));
    if (status != HK_OK) {
        hk_free(data);
        return status;
    }
    *ret_data = data;
    *ret_size = size;
    return HK_OK;
}

hk_status hk_fmi2_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                             void **ret_state) {
    hk_fmi2_unit *unit = (hk_fmi2_unit *)base;
    HK_TRY(
        may_save(ctx, unit, base->info->can.serialize_state, unit->f.DeSerializeFMUstate != NULL));
    void *state = NULL;
    HK_TRY(hk_fmi2_check(ctx, unit, "fmi2DeSerializeFMUstate",
                         unit->f.DeSerializeFMUstate(unit->component, data, size, &state)));
    *ret_state = state;
    return HK_OK;
}
