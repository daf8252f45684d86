/* SPDX-License-Identifier: MIT
 *
 * Simulations: what is understood is printed, is understood again, and says the same; so does a
 * second printing. */
#include "fuzz.h"

#include "same_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_simulationfile *first, *second;
    hk_status status =
        hk_simulation_parse(ctx, arena, "fuzz.simulation", (const char *)data, size, &first);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        const char *text = hk_simulation_print(arena, first);
        HK_ASSERT(hk_simulation_parse(ctx, arena, "again.simulation", text, strlen(text),
                                      &second) == HK_OK);
        HK_ASSERT(same_simulation(first, second));
        HK_ASSERT(strcmp(text, hk_simulation_print(arena, second)) == 0);
    } else {
        HK_ASSERT(first && hk_ctx_count(ctx, HK_ERROR) <= 50);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}
