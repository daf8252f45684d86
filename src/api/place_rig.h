/* SPDX-License-Identifier: MIT
 *
 * A folder of its own for a test that asks about files; the working directory is there. */
#ifndef HK_API_PLACE_RIG_H
#define HK_API_PLACE_RIG_H

#include "api/test_rig.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct place {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
    char *before;
    hk_context *context;
} place;

static inline void put(const char *name, const char *text) {
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0 && fclose(f) == 0);
}

static inline void place_begin(place *p) {
    *p = (place){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    OK(hk_folder_temporary(p->ctx, p->arena, &p->folder));
    p->before = getcwd(NULL, 0);
    assert_int_equal(chdir(p->folder), 0);
    OK(hk_context_create(&p->context));
}

static inline void place_end(place *p) {
    hk_context_destroy(p->context);
    assert_int_equal(chdir(p->before), 0);
    hk_folder_remove(p->folder);
    free(p->before);
    hk_arena_destroy(p->arena);
    hk_ctx_destroy(p->ctx);
}

#endif
