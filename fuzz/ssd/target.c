/* SPDX-License-Identifier: MIT
 *
 * System structure descriptions, alone: nothing they refer to is opened. The canonical form of one
 * means the same, and its own canonical form is itself. */
#include "fuzz.h"

#include "base/memory.h"
#include "ssp/ssp.h"

#include <string.h>

static bool is_read(const char *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    bool good = hk_ssp_parse_ssd(ctx, "fuzz.ssd", data, size) == HK_OK;
    hk_ctx_destroy(ctx);
    return good;
}

static void write_again(const uint8_t *data, size_t size, bool good) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const char *once, *twice;
    hk_status status = hk_ssp_format(ctx, arena, "fuzz.ssd", (const char *)data, size, &once);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        HK_ASSERT(hk_ssp_format(ctx, arena, "fuzz.ssd", once, strlen(once), &twice) == HK_OK);
        HK_ASSERT(strcmp(once, twice) == 0);
        HK_ASSERT(is_read(once, strlen(once)) == good);
    } else {
        HK_ASSERT(!good);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_status status = hk_ssp_parse_ssd(ctx, "fuzz.ssd", (const char *)data, size);
    fuzz_check_diags(ctx, status, data, size);
    hk_ctx_destroy(ctx);
    write_again(data, size, status == HK_OK);
    return 0;
}
