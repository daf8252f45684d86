/* SPDX-License-Identifier: MIT
 *
 * System structures and model descriptions of the Open Simulation Platform, alone: nothing they
 * refer to is opened. */
#include "fuzz.h"

#include "osp/osp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_status status = hk_osp_parse(ctx, "fuzz.xml", (const char *)data, size);
    fuzz_check_diags(ctx, status, data, size);
    hk_ctx_destroy(ctx);
    return 0;
}
