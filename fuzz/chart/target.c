/* SPDX-License-Identifier: MIT
 *
 * RoboChart: language.h says what is promised of texts; and whatever was understood is resolved and
 * checked: it is right, or mistakes are reported. */
#include "language.h"

#include "chart/chart_check.h"
#include "same_chart.h"

FUZZ_TREES(rct, hk_rcfile)

static hk_status resolve(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    const hk_chart *chart = NULL;
    return hk_chart_read_text(ctx, arena, text, NULL, &chart);
}

static hk_status check(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    hk_chart_facts facts;
    (void)arena;
    return hk_chart_check_text(ctx, text, &facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_language(&language, data, size);
    fuzz_try_text(resolve, "fuzz.rct", data, size);
    fuzz_try_text(check, "fuzz.rct", data, size);
    return 0;
}
