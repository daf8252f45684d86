/* SPDX-License-Identifier: MIT
 *
 * glTF, as text and as .glb: mesh.h says what is promised. Files beside it are not opened. */
#include "mesh.h"

static hk_status read_alone(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                            hk_mesh **ret_mesh) {
    return hk_gltf_parse(ctx, arena, text, NULL, ret_mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_mesh(read_alone, data, size);
    return 0;
}
