/* SPDX-License-Identifier: MIT
 *
 * What the tests of states share: a folder for the file, and a run that writes one. */
#ifndef HK_TEST_ENGINE_STATE_H
#define HK_TEST_ENGINE_STATE_H

#include "base/file.h"
#include "rig.h"

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder, *path;
} fixture;

static inline int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    if (hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK)
        return -1;
    f->path = hk_path_join(f->arena, f->folder, "state.hks");
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* Runs to MOMENT, leaves the state in the file and goes on to the end. */
static inline void run_and_save(rig *r, hk_tick moment, const char *path) {
    assert_int_equal(rig_start(r), HK_OK);
    assert_int_equal(hk_sim_run_until(r->sim, moment), HK_OK);
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_save(r->sim, &snapshot), HK_OK);
    assert_int_equal(hk_snapshot_write(r->sim, snapshot, path), HK_OK);
    hk_snapshot_destroy(r->sim, snapshot);
    assert_int_equal(hk_sim_run(r->sim), HK_OK);
}

static inline size_t notes_about(const rig *r, const char *text) {
    size_t n = 0;
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        n += strstr(hk_ctx_diag(r->ctx, i)->text, text) != NULL;
    return n;
}

#endif
