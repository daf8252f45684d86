/* SPDX-License-Identifier: MIT
 *
 * Multi-models of INTO-CPS and their experiments: a text is understood, or refused with an error;
 * nothing is opened. */
#include "fuzz.h"

#include "sysml/multimodel.h"

static hk_status model(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    (void)arena;
    return hk_multimodel_check(ctx, text);
}

static hk_status experiment(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    (void)arena;
    return hk_multimodel_check_experiment(ctx, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_text(model, "fuzz.json", data, size);
    fuzz_try_text(experiment, "fuzz.json", data, size);
    return 0;
}
