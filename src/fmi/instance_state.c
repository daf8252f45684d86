/* SPDX-License-Identifier: MIT
 *
 * Saving and restoring an instance; the functions have the same form in all versions. */
#include "fmi/instance.h"

#include "base/file.h"
#include "base/map.h"

#define STATE_BYTES_MAX ((size_t)16 << 30)

void hk_instance_check_states(hk_instance *in) {
    const hk_instance_calls *f = &in->calls;
    const hk_instance_names *n = in->names;
    if (in->base.info->can.save_state)
        in->base.lacks_memory = !f->state_get    ? n->state_get
                                : !f->state_set  ? n->state_set
                                : !f->state_free ? n->state_free
                                                 : NULL;
    if (in->base.info->can.serialize_state)
        in->base.lacks_bytes = !f->state_size   ? n->state_size
                               : !f->state_save ? n->state_save
                               : !f->state_load ? n->state_load
                                                : NULL;
}

/* ABLE: the description says so; THERE: and so does the library. */
static hk_status may_call(hk_ctx *ctx, const hk_instance *in, bool able, bool there,
                          const char *call) {
    if (able && there && !hk_library_poisoned(in->library))
        return HK_OK;
    return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                    "component '%s': %s cannot be called%s: %s", in->base.name, call,
                    hk_instance_when(in),
                    !able    ? "the FMU does not say that it can save its state"
                    : !there ? "the library does not export it"
                             : "an instance of its FMU returned Fatal");
}

hk_status hk_instance_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_call(ctx, in, base->info->can.save_state, in->calls.state_get != NULL,
                    in->names->state_get));
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_STATE_GET, in->names->state_get,
                            in->calls.state_get(in->component, state)));
    if (!*state)
        return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                        "component '%s': %s gave no state%s", in->base.name, in->names->state_get,
                        hk_instance_when(in));
    return HK_OK;
}

hk_status hk_instance_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_call(ctx, in, base->info->can.save_state, in->calls.state_set != NULL,
                    in->names->state_set));
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_STATE_SET, in->names->state_set,
                            in->calls.state_set(in->component, state)));
    /* States are taken while stepping: that is where an older one leads back to. */
    if (in->phase > HK_PHASE_STEPPING)
        in->phase = HK_PHASE_STEPPING;
    return HK_OK;
}

void hk_instance_state_free(hk_unit *base, void *state) {
    hk_instance *in = (hk_instance *)base;
    if (!state || !in->calls.state_free || hk_library_poisoned(in->library) ||
        !hk_instance_legal(in, HK_FMI_STATE_OTHER))
        return;
    hk_instance_calling(in, in->names->state_free);
    hk_instance_mark(in, in->calls.state_free(in->component, &state));
    hk_instance_calling(in, NULL);
}

/* The GUID stands for the description, the library for what is behind it. */
void hk_instance_state_key(hk_unit *base, hk_arena *arena, const char **ret_key,
                           uint64_t *ret_build) {
    hk_instance *in = (hk_instance *)base;
    hk_ctx *silent = hk_ctx_create(NULL, NULL); /* a file that is gone is not a reason to fail */
    const char *path;
    char *data;
    size_t size;
    *ret_key =
        hk_arena_printf(arena, "the %s '%s'", in->names->identity ? in->names->identity : "GUID",
                        in->fmu->facts.guid ? in->fmu->facts.guid : "");
    if (!in->build && hk_fmu_binary(silent, in->fmu, arena, &path) == HK_OK &&
        hk_file_read(silent, path, 0, &data, &size) == HK_OK) {
        in->build = hk_hash(HK_HASH_SEED, data, size);
        hk_free(data);
    }
    *ret_build = in->build;
    hk_ctx_destroy(silent);
}

hk_status hk_instance_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                                 size_t *ret_size) {
    hk_instance *in = (hk_instance *)base;
    HK_TRY(may_call(ctx, in, base->info->can.serialize_state,
                    in->calls.state_size && in->calls.state_save, in->names->state_save));
    size_t size = 0;
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_STATE_OTHER, in->names->state_size,
                            in->calls.state_size(in->component, state, &size)));
    if (size > STATE_BYTES_MAX)
        return hk_error(ctx, HK_E_UNIT_STATE, hk_instance_where(in), NULL,
                        "component '%s': %s says %zu bytes%s, which no state needs", in->base.name,
                        in->names->state_size, size, hk_instance_when(in));
    char *data = hk_alloc(size + 1);
    hk_status status = HK_INSTANCE_CALL(ctx, in, HK_FMI_STATE_OTHER, in->names->state_save,
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
    HK_TRY(may_call(ctx, in, base->info->can.serialize_state, in->calls.state_load != NULL,
                    in->names->state_load));
    void *state = NULL;
    HK_TRY(HK_INSTANCE_CALL(ctx, in, HK_FMI_STATE_OTHER, in->names->state_load,
                            in->calls.state_load(in->component, data, size, &state)));
    *ret_state = state;
    return HK_OK;
}
