/* SPDX-License-Identifier: MIT
 *
 * Multi-models of INTO-CPS and their experiments: a text is understood, or refused with an error;
 * nothing is opened. */
#include "fuzz.h"

#include "sysml/multimodel.h"

static void judge(hk_status (*check)(hk_ctx *, const hk_file_text *), const uint8_t *data,
                  size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_file_text text = {.file = "fuzz.json", .data = (const char *)data, .size = size};
    hk_status status = check(ctx, &text);
    HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    judge(hk_multimodel_check, data, size);
    judge(hk_multimodel_check_experiment, data, size);
    return 0;
}
