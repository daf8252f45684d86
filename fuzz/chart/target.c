/* SPDX-License-Identifier: MIT
 *
 * RoboChart: language.h says what is promised of texts; and whatever was understood is resolved and
 * checked: it is right, or mistakes are reported. */
#include "language.h"

#include "chart/chart_check.h"
#include "same_chart.h"

static hk_status parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, void **ret_tree) {
    hk_rcfile *tree;
    hk_status status = hk_rct_parse(ctx, arena, file, data, size, &tree);
    *ret_tree = tree;
    return status;
}

static const char *print(hk_arena *arena, const void *tree) {
    return hk_rct_print(arena, tree);
}

static bool same(const void *a, const void *b) {
    return same_rct(a, b);
}

static void resolve(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_file_text text = {.file = "fuzz.rct", .data = (const char *)data, .size = size};
    const hk_chart *chart = NULL;
    hk_chart_facts facts;
    hk_status status = hk_chart_read_text(ctx, arena, &text, NULL, &chart);
    HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    hk_ctx_clear(ctx);
    status = hk_chart_check_text(ctx, &text, &facts);
    HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const fuzz_language language = {"fuzz.rct", "again.rct", parse, print, same};
    fuzz_try_language(&language, data, size);
    resolve(data, size);
    return 0;
}
