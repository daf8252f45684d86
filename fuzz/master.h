/* SPDX-License-Identifier: MIT
 *
 * Masters in every form they are read in: what is understood is printed, is understood again, and
 * is printed the same. */
#ifndef HK_FUZZ_MASTER_H
#define HK_FUZZ_MASTER_H

#include "fuzz.h"

#include "sound/sound.h"

#include <string.h>

/* What else is looked at once a master is understood. */
typedef void fuzz_judge(hk_arena *arena, const hk_sound_system *system,
                        const hk_sound_master *master, int64_t max_step);

/* FILE names the form; JUDGE may be NULL. */
static inline void fuzz_try_master(const char *file, const uint8_t *data, size_t size,
                                   fuzz_judge *judge) {
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
        if (judge)
            judge(arena, system, master, max_step);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

#endif
