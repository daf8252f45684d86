/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share: the entry point, and the promise every reader makes about what it
 * rejects. A broken promise aborts, which is how libFuzzer and the replay see a finding. */
#ifndef HK_FUZZ_FUZZ_H
#define HK_FUZZ_FUZZ_H

#include "base/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A rejected input has an error with text; a line in it lies inside the input. */
static inline void fuzz_check_diags(const hk_ctx *ctx, hk_status status, const uint8_t *data,
                                    size_t size) {
    int lines = 2; /* the reader may be behind the last line */
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n' || data[i] == '\r';
    HK_ASSERT(status == HK_OK || hk_ctx_count(ctx, HK_ERROR) > 0);
    HK_ASSERT(status != HK_OK || hk_ctx_count(ctx, HK_ERROR) == 0);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++) {
        const hk_diag *diag = hk_ctx_diag(ctx, i);
        HK_ASSERT(diag->text && diag->text[0]);
        HK_ASSERT(diag->where.line >= 0 && diag->where.line <= lines);
        HK_ASSERT(diag->where.column >= 0);
    }
}

#endif
