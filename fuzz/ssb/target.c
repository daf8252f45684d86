/* SPDX-License-Identifier: MIT
 *
 * Signal dictionaries, alone. */
#include "fuzz.h"

#include "ssp/ssp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_status status =
        hk_ssp_parse_part(ctx, "fuzz.ssb", "SignalDictionary", (const char *)data, size);
    fuzz_check_diags(ctx, status, data, size);
    hk_ctx_destroy(ctx);
    return 0;
}
