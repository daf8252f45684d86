/* SPDX-License-Identifier: MIT
 *
 * The rules of FMI over any text: they go on whatever they find, and every finding has a place. */
#include "fuzz.h"

#include "check/fmu_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_fmu_findings findings;
    hk_status status =
        hk_check_description(ctx, "modelDescription.xml", (const char *)data, size, &findings);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT((status == HK_OK) == (findings.errors == 0));
    HK_ASSERT(hk_ctx_count(ctx, HK_ERROR) <= findings.errors);
    hk_ctx_destroy(ctx);
    return 0;
}
