/* SPDX-License-Identifier: MIT
 *
 * SysML v2: language.h says what is promised of texts; and whatever was understood becomes a
 * multi-model that the rules can be asked about. */
#include "language.h"

#include "sysml/profile_rules.h"
#include "sysml/sysml_syntax.h"

#include <string.h>

static hk_status parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, void **ret_tree) {
    hk_sysml_file *tree;
    hk_status status = hk_sysml_parse(ctx, arena, file, data, size, &tree);
    *ret_tree = tree;
    return status;
}

static const char *print(hk_arena *arena, const void *tree) {
    return hk_sysml_print(arena, tree);
}

/* The canonical text holds all that a tree says. */
static bool same(const void *a, const void *b) {
    hk_arena *arena = hk_arena_create();
    bool equal = strcmp(hk_sysml_print(arena, a), hk_sysml_print(arena, b)) == 0;
    hk_arena_destroy(arena);
    return equal;
}

static void judge(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_file_text text = {.file = "fuzz.sysml", .data = (const char *)data, .size = size};
    const hk_multimodel *profile = NULL;
    hk_status status = hk_profile_read_text(ctx, arena, &text, &profile);
    HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
    if (status == HK_OK) {
        status = hk_profile_check(ctx, arena, profile, &(hk_profile_wishes){0});
        HK_ASSERT((status == HK_OK) == (hk_ctx_count(ctx, HK_ERROR) == 0));
        hk_profile_finish(profile);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const fuzz_language language = {"fuzz.sysml", "again.sysml", parse, print, same};
    fuzz_try_language(&language, data, size);
    judge(data, size);
    return 0;
}
