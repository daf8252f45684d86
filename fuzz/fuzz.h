/* SPDX-License-Identifier: MIT
 *
 * What the fuzz targets share: the entry point, and the promise every reader makes about what it
 * rejects. A broken promise aborts, which is how libFuzzer and the replay see a finding. */
#ifndef HK_FUZZ_FUZZ_H
#define HK_FUZZ_FUZZ_H

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"

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

/* READ is given the input as the text FILE, and says why if it fails, and only then. */
static inline void fuzz_try_text(hk_status (*read)(hk_ctx *ctx, hk_arena *arena,
                                                   const hk_file_text *text),
                                 const char *file, const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_file_text text = {.file = file, .data = (const char *)data, .size = size};
    hk_status status = read(ctx, arena, &text);
    HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

#endif
