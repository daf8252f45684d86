/* SPDX-License-Identifier: MIT
 *
 * Defects in fused code, one at a time: each is refused before it runs, with the place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuse_rig.h"
#include "parts.h"
#include "rig.h"

static const char *const floor_tables[] = {"leaf_floor_p"};
static const hk_leaf all_leaves[] = {
    {&wide_type, "leaf_wide", NULL, NULL},
    {&floor_type, "leaf_floor", NULL, floor_tables},
    {&diver_type, "leaf_diver", NULL, NULL},
};
static const hk_leaves leaves = {.all = all_leaves, .count = 3};

/* Two of a kind that see each other's values of before; a floor and who asks for its depth, which
 * come after. WIRES: as they are, one more, or one that was moved. */
typedef enum wires { RIGHT, MORE, MOVED } wires;

static void make(rig *r, wires how) {
    rig_begin(r, "0.001", "0.1", NULL);
    r->algorithm = HK_JACOBI;
    uint32_t asks, answers;
    rig_add(r, "a", &wide_type, NULL, NULL);
    rig_add(r, "b", &wide_type, NULL, NULL);
    answers = rig_add(r, "floor", &floor_type, "0.002", NULL);
    asks = rig_add(r, "diver", &diver_type, NULL, NULL);
    rig_connect(r, "a.long_out", "b.long_in");
    rig_connect(r, "b.long_out", "a.long_in");
    if (how != MOVED)
        rig_connect(r, "a.near_out", "b.far_in");
    if (how != RIGHT)
        rig_connect(r, "b.near_out", "a.far_in");
    rig_connect(r, "diver.y", "floor.u");
    hk_requirement q = {.component = asks,
                        .candidates = HK_NEW_ARRAY(r->model->arena, hk_provider, 1),
                        .candidate_count = 1};
    q.candidates[0] = (hk_provider){answers, 0};
    HK_PUSH(r->model->requirements, r->model->requirement_count, r->model->requirement_cap, q);
}

static void begin(rig *r, wires how) {
    make(r, how);
    rig_record(r, "a.long_out");
    rig_record(r, "diver.y");
    rig_record(r, "floor.tide"); /* which rows see a step later */
    assert_int_equal(rig_start(r), HK_OK);
}

typedef struct defect {
    const char *file, *old, *by; /* of the emitted text */
    const char *says;            /* of the message */
} defect;

static const defect defects[] = {
    {"cell_0_0.c", "HK_STEP(0, s->a, leaf_wide)", "HK_STEP(1, s->b, leaf_wide)",
     "fused code differs in cell_0_0, statement 5: it would call step of 'b' with"},
    {"cell_0_0.c", "HK_STEP(0, s->a, leaf_wide)", "HK_STEP(0, s->b, leaf_wide)", "statement 5"},
    {"cell_0_0.c", "HK_STEP(0, s->a, leaf_wide)", "HK_STEP(0, s->a, leaf_diver)",
     "as leaf_diver, the engine would call step of 'a'"},
    {"cell_0_0.c", "HK_STEP(0, s->a, leaf_wide)", "HK_STEP_FLAGGED(0)", "statement 5"},
    {"cell_0_0.c", "HK_COPY(s->b.long_in, s->a.long_out)", "HK_COPY(s->b.long_in, s->a.long_in)",
     "statement 2: it would copy 'a.long_in' to 'b.long_in', the engine would copy "
     "'a.long_out' to 'b.long_in'"},
    {"cell_0_0.c", "HK_COPY(s->b.long_in, s->a.long_out);", "",
     "statement 2: it would convert 'a.near_out' to 'b.far_in', the engine would copy"},
    {"cell_0_0.c", "HK_COPY(s->b.long_in, s->a.long_out)",
     "HK_COPY(HK_INSIDE(int64_t, s->b, 80), s->a.long_out)", "statement 2: it would copy"},
    {"cell_0_0.c", "HK_LINEAR(s->b.far_in, s->a.near_out, 0)",
     "HK_LINEAR(s->b.far_in, s->a.near_out, 1)", "statement 3"},
    {"cell_0_0.c", "HK_DUE(0, 0)", "HK_DUE(0, 1)", "the clock of rate 1"},
    {"cell_0_0.c", "HK_GIVEN(0)", "HK_GIVEN(1)", "end cell 1"},
    {"cell_0_0.c", "HK_GIVEN(0);", "HK_GIVEN(0); HK_REST(0);", "the engine would do nothing more"},
    {"cell_0_1.c", "HK_BOUND(s->diver.chart, s->floor, 0,", "HK_BOUND(s->diver.chart, s->a, 0,",
     "bind"},
    {"instant_3.c", "HK_ACT(cell_0_0, 0, 0)", "HK_GIVE(cell_0_0, 0, 0)",
     "fused code differs in instant_3, statement 5: rates or cells come in another order"},
    {"instant_1.c", "HK_RATE(0, 0);", "HK_RATE(1, 0);", "instant_1, statement 1: rates or cells"},
    {"instant_3.c", "HK_RATE(2, 1);", "HK_RATE(1, 1);", "instant_3, statement 2: rates or cells"},
    {"fused.c", ".cell_count = 3", ".cell_count = 2", "it has 2 cells, this one 3"},
    {"fused.c", ".abi = HK_FUSED_ABI", ".abi = 77", "fused code is of version 77"},
    {"fused.c", ".layout = ", ".layout = 1 ^ ", "other names, types, ports or connections"},
};
enum { DEFECTS = sizeof defects / sizeof *defects };

static void are_told(void **state) {
    (void)state;
    fuse_shop shop;
    rig r;
    fuse_shop_begin(&shop);
    begin(&r, RIGHT);
    for (size_t i = 0; i < DEFECTS; i++) {
        fuse_files f = fuse_emitted(&shop, r.sim, &leaves);
        hk_fuse_text *file = fuse_file(&f, defects[i].file);
        file->text = fuse_replaced(shop.arena, file->text, defects[i].old, defects[i].by);
        (void)fuse_add_files(&shop, &f);
    }
    size_t good = fuse_add(&shop, r.sim, &leaves);
    rig_end(&r);
    size_t stale[2];
    for (int i = 0; i < 2; i++) {
        begin(&r, i ? MOVED : MORE);
        stale[i] = fuse_add(&shop, r.sim, &leaves);
        rig_end(&r);
    }
    fuse_shop_build(&shop, "cc -O1", HK_TEST_FOLDER "/parts_leaf.c");
    for (size_t i = 0; i < DEFECTS; i++) {
        begin(&r, RIGHT);
        assert_int_equal(hk_sim_attach_table(r.sim, fuse_table(&shop, i)), HK_E_FUSED);
        assert_says(rig_error(&r), defects[i].says);
        assert_int_equal(hk_sim_run(r.sim), HK_OK); /* the interpreter still works */
        rig_end(&r);
    }
    static const char *const said[] = {
        "it has 2 conversions, this one 1",
        "it would convert 'b.near_out' to 'a.far_in', the engine would convert 'a.near_out' to "
        "'b.far_in'"};
    for (int i = 0; i < 2; i++) {
        begin(&r, RIGHT);
        assert_int_equal(hk_sim_attach_table(r.sim, fuse_table(&shop, stale[i])), HK_E_FUSED);
        assert_says(rig_error(&r), said[i]);
        rig_end(&r);
    }
    begin(&r, RIGHT);
    fuse_attach(&shop, r.ctx, r.sim, good);
    assert_int_equal(hk_sim_run(r.sim), HK_OK);
    assert_true(hk_sim_fused(r.sim).runs > 50);
    rig_end(&r);
    fuse_shop_end(&shop);
}

/* An instant that ends before its end is seen while it runs: nothing of that is said before. */
static void ends_early(void **state) {
    (void)state;
    fuse_shop shop;
    rig r;
    fuse_shop_begin(&shop);
    begin(&r, RIGHT);
    fuse_files f = fuse_emitted(&shop, r.sim, &leaves);
    hk_fuse_text *file = fuse_file(&f, "instant_1.c");
    file->text = fuse_replaced(shop.arena, file->text, "HK_INSTANT_END", "HK_PART_END");
    size_t number = fuse_add_files(&shop, &f);
    fuse_shop_build(&shop, "cc -O1", HK_TEST_FOLDER "/parts_leaf.c");
    fuse_attach(&shop, r.ctx, r.sim, number);
    assert_int_equal(hk_sim_run(r.sim), HK_E_SOUND);
    assert_says(rig_error(&r), "was not done by fused code to the end");
    rig_end(&r);
    fuse_shop_end(&shop);
}

/* Code that was made for a run without a record: what keeps values for rows is interpreted, with a
 * note, and the record is that of the interpreter. */
static void other_columns(void **state) {
    (void)state;
    fuse_shop shop;
    rig a, b;
    fuse_shop_begin(&shop);
    make(&a, RIGHT);
    assert_int_equal(rig_start(&a), HK_OK);
    size_t number = fuse_add(&shop, a.sim, &leaves);
    rig_end(&a);
    fuse_shop_build(&shop, "cc -O1", HK_TEST_FOLDER "/parts_leaf.c");
    begin(&a, RIGHT);
    begin(&b, RIGHT);
    fuse_attach(&shop, b.ctx, b.sim, number);
    hk_fused_count count = hk_sim_fused(b.sim);
    assert_true(count.fused > 0 && count.fused < count.cells);
    assert_says(hk_ctx_diag(b.ctx, hk_ctx_count(b.ctx, HK_NOTE) - 1),
                "cells are interpreted, cell_1_0 for one: other values are recorded");
    assert_int_equal(hk_sim_run(a.sim), HK_OK);
    assert_int_equal(hk_sim_run(b.sim), HK_OK);
    assert_int_equal(a.rows, b.rows);
    assert_memory_equal(a.cells, b.cells, a.rows * a.row_size);
    rig_end(&a);
    rig_end(&b);
    fuse_shop_end(&shop);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_told), cmocka_unit_test(ends_early),
                                       cmocka_unit_test(other_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
