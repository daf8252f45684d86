/* SPDX-License-Identifier: MIT
 *
 * What a component has beside its state: what it obtained outside of its struct, and its words for
 * a failure and at the end of a run. */
#include "native/native_internal.h"

#include "base/file.h"

#include <string.h>

hk_resource hk_native_resource(const hk_unit_type *type, const char *self) {
    hk_resource resource = {0};
    if (HK_UNIT_HAS(type, resource))
        memcpy(&resource, self + type->resource->offset, sizeof resource);
    return resource;
}

void hk_native_put_resource(const hk_unit_type *type, char *self, hk_resource resource) {
    if (HK_UNIT_HAS(type, resource))
        memcpy(self + type->resource->offset, &resource, sizeof resource);
}

static const char *real_folder(hk_arena *arena, const char *folder) {
    for (const char *at = folder;;) {
        if (hk_file_is_regular(at))
            return hk_path_folder(arena, at);
        const char *up = hk_path_folder(arena, at);
        if (strcmp(up, ".") == 0 || strcmp(up, at) == 0)
            return folder;
        at = up;
    }
}

void hk_native_begin_resource(const hk_unit_type *type, char *self, const char *folder,
                              hk_arena **ret_arena) {
    if (!HK_UNIT_HAS(type, resource))
        return;
    *ret_arena = hk_arena_create();
    hk_native_put_resource(type, self, (hk_resource){.folder = real_folder(*ret_arena, folder)});
}

void hk_native_release(const hk_unit_type *type, char *self) {
    hk_resource resource = hk_native_resource(type, self);
    if (resource.data && type->resource->release)
        type->resource->release(resource.data);
}

const char *hk_native_complaint(const hk_unit_type *type, const char *self) {
    const char *why = HK_UNIT_HAS(type, complaint) ? type->complaint(self) : NULL;
    return why ? why : "";
}

void hk_native_remark(hk_ctx *ctx, const hk_unit_type *type, void *self, const char *name) {
    const char *remark = HK_UNIT_HAS(type, remark) ? type->remark(self) : NULL;
    if (remark)
        hk_note(ctx, HK_NOWHERE, "component '%s': %s", name, remark);
}
