/* SPDX-License-Identifier: MIT
 *
 * Files of the Scenario-Verifier, as HOCON and as JSON: what is understood is printed as a master
 * that is read as just that. */
#include "fuzz.h"

#include "sound/sound.h"

#include <string.h>

static void try_form(const char *file, const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_sound_system *system, *again;
    hk_sound_master *master, *second;
    int64_t max_step, same;
    hk_status status = hk_sound_read_text(
        ctx, arena, &(hk_file_text){file, (const char *)data, size}, &system, &master, &max_step);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        const char *text = hk_sound_print_text(arena, system, master, max_step);
        HK_ASSERT(hk_sound_read_text(ctx, arena,
                                     &(hk_file_text){"again.master", text, strlen(text)}, &again,
                                     &second, &same) == HK_OK);
        HK_ASSERT(strcmp(text, hk_sound_print_text(arena, again, second, same)) == 0);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_form("fuzz.conf", data, size);
    try_form("fuzz.json", data, size);
    return 0;
}
