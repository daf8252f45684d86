/* SPDX-License-Identifier: MIT
 *
 * The files beside a system structure description, each alone. */
#ifndef HK_FUZZ_SSP_PART_H
#define HK_FUZZ_SSP_PART_H

#include "fuzz.h"

#include "ssp/ssp.h"

static inline int fuzz_try_ssp_part(const char *file, const char *root, const uint8_t *data,
                                    size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_status status = hk_ssp_parse_part(ctx, file, root, (const char *)data, size);
    fuzz_check_diags(ctx, status, data, size);
    hk_ctx_destroy(ctx);
    return 0;
}

#endif
