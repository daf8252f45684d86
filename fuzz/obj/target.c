/* SPDX-License-Identifier: MIT
 *
 * OBJ files: mesh.h says what is promised. */
#include "mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_mesh(hk_obj_parse, data, size);
    return 0;
}
