/* SPDX-License-Identifier: MIT
 *
 * CSPm: what is read is whole, every mistake has its place, and what is asserted gets an answer or
 * an error, within limits. */
#include "fuzz.h"

#include "csp/csp.h"

enum { STATES = 2000, ASSERTIONS = 8 };

static hk_status answer_all(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    hk_csp_script *script = NULL;
    HK_TRY(hk_csp_read(ctx, arena, text, &script));
    HK_ASSERT(hk_ctx_count(ctx, HK_ERROR) == 0);
    hk_status status = HK_OK;
    size_t count = hk_csp_assertion_count(script);
    hk_csp_machine *machine = hk_csp_machine_create(ctx, script, STATES);
    for (size_t i = 0; i < count && i < ASSERTIONS && status == HK_OK; i++) {
        hk_csp_verdict verdict;
        status = hk_csp_answer(machine, arena, i, &verdict);
        HK_ASSERT(status != HK_OK || verdict.holds || verdict.limited || verdict.why);
    }
    hk_csp_machine_destroy(machine);
    hk_csp_close(script);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_text(answer_all, "fuzz.csp", data, size);
    return 0;
}
