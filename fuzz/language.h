/* SPDX-License-Identifier: MIT
 *
 * What every language of ours promises: a file that is understood is printed, is understood again,
 * and says the same; so does a second printing. */
#ifndef HK_FUZZ_LANGUAGE_H
#define HK_FUZZ_LANGUAGE_H

#include "fuzz.h"

#include "same_tree.h"

typedef struct fuzz_language {
    const char *file, *again; /* names of the input and of what was printed */
    hk_status (*parse)(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, void **ret_tree);
    const char *(*print)(hk_arena *arena, const void *tree);
    bool (*same)(const void *a, const void *b);
} fuzz_language;

static inline void fuzz_try_language(const fuzz_language *l, const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    void *first, *second;
    hk_status status = l->parse(ctx, arena, l->file, (const char *)data, size, &first);
    fuzz_check_diags(ctx, status, data, size);
    if (status == HK_OK) {
        const char *text = l->print(arena, first);
        HK_ASSERT(l->parse(ctx, arena, l->again, text, strlen(text), &second) == HK_OK);
        HK_ASSERT(l->same(first, second));
        HK_ASSERT(strcmp(text, l->print(arena, second)) == 0);
    } else {
        HK_ASSERT(first && hk_ctx_count(ctx, HK_ERROR) <= 50);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

/* What is tried of the language NAME, whose trees are of TYPE. */
#define FUZZ_TREES(name, type)                                                                     \
    static hk_status parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,       \
                           size_t size, void **ret_tree) {                                         \
        type *tree;                                                                                \
        hk_status status = hk_##name##_parse(ctx, arena, file, data, size, &tree);                 \
        *ret_tree = tree;                                                                          \
        return status;                                                                             \
    }                                                                                              \
    static const char *print(hk_arena *arena, const void *tree) {                                  \
        return hk_##name##_print(arena, tree);                                                     \
    }                                                                                              \
    static bool same(const void *a, const void *b) {                                               \
        return same_##name(a, b);                                                                  \
    }                                                                                              \
    static const fuzz_language language = {"fuzz." #name, "again." #name, parse, print, same};

/* The whole target, where there is nothing else to try. */
#define FUZZ_LANGUAGE(name, type)                                                                  \
    FUZZ_TREES(name, type)                                                                         \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                                 \
        fuzz_try_language(&language, data, size);                                                  \
        return 0;                                                                                  \
    }

#endif
