/* SPDX-License-Identifier: MIT
 *
 * SysML v2: language.h says what is promised of texts; and whatever was understood becomes a
 * multi-model that the rules can be asked about. */
#include "language.h"

#include "sysml/profile_rules.h"
#include "sysml/sysml_syntax.h"

#include <string.h>

/* The canonical text holds all that a tree says. */
static bool same_sysml(const void *a, const void *b) {
    hk_arena *arena = hk_arena_create();
    bool equal = strcmp(hk_sysml_print(arena, a), hk_sysml_print(arena, b)) == 0;
    hk_arena_destroy(arena);
    return equal;
}

FUZZ_TREES(sysml, hk_sysml_file)

static hk_status judge(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text) {
    const hk_multimodel *profile = NULL;
    HK_TRY(hk_profile_read_text(ctx, arena, text, &profile));
    HK_ASSERT(hk_ctx_count(ctx, HK_ERROR) == 0);
    hk_status status = hk_profile_check(ctx, arena, profile, &(hk_profile_wishes){0});
    hk_profile_finish(profile);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_language(&language, data, size);
    fuzz_try_text(judge, "fuzz.sysml", data, size);
    return 0;
}
