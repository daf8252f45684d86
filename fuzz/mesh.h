/* SPDX-License-Identifier: MIT
 *
 * What every reader of meshes promises: one message, or a mesh that is whole. */
#ifndef HK_FUZZ_MESH_H
#define HK_FUZZ_MESH_H

#include "fuzz.h"

#include "scene/mesh.h"

#include <math.h>

typedef hk_status fuzz_mesh_reader(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                   hk_mesh **ret_mesh);

static inline void fuzz_try_mesh(fuzz_mesh_reader *read, const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_mesh *mesh = NULL;
    char *kept = hk_alloc(size + 1);
    for (size_t i = 0; i < size; i++)
        kept[i] = (char)data[i];
    hk_file_text text = {"fuzz", kept, size};
    hk_status status = read(ctx, arena, &text, &mesh);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT(hk_ctx_count(ctx, HK_ERROR) == (status != HK_OK));
    if (status == HK_OK) {
        HK_ASSERT(mesh->face_count && mesh->firsts[mesh->face_count] == mesh->corner_count);
        for (size_t i = 0; i < mesh->face_count; i++)
            HK_ASSERT(mesh->firsts[i + 1] >= mesh->firsts[i] + 2);
        for (size_t i = 0; i < mesh->corner_count; i++)
            HK_ASSERT(mesh->corners[i] < mesh->point_count);
        for (size_t i = 0; i < mesh->point_count; i++)
            HK_ASSERT(isfinite(mesh->points[i].x) && isfinite(mesh->points[i].y) &&
                      isfinite(mesh->points[i].z));
    }
    hk_free(kept);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

#endif
