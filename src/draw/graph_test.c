/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/draw_graph.h"
#include "draw/graph_layout.h"
#include "fake_model.h"
#include "model/tree.h"

#include <string.h>

enum { COUNT = 12 };

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_model *model;
    hk_plan *plan;
} rig;

/* Components of two nested composites on two processors, each with the next and with two others. */
static rig rig_make(void) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL),
             .arena = hk_arena_create(),
             .model = hk_model_create("m", NULL)};
    hk_info *info = fake_info(r.model, HK_STAMP_END, 3, 1);
    uint32_t all[COUNT], processors[2];
    for (int i = 0; i < COUNT; i++)
        all[i] = fake_add(r.ctx, r.model,
                          hk_arena_printf(r.arena, "%scomponent_number_%d",
                                          i % 3 == 0   ? ""
                                          : i % 3 == 1 ? "outer."
                                                       : "outer.inner.",
                                          i),
                          info, i % 2 ? "0.002" : "0.005", NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        for (uint32_t k = 0; k < 3; k++)
            hk_model_connect(r.model, all[i], 3, all[(i + 1 + 3 * k) % COUNT], k, HK_NOWHERE);
    fake_experiment(r.model, "0.001", "1");
    for (int p = 0; p < 2; p++)
        assert_int_equal(
            hk_model_add_processor(r.ctx, r.model, p ? "two" : "one", HK_NOWHERE, &processors[p]),
            HK_OK);
    for (uint32_t i = 0; i + 1 < COUNT; i++) /* the last one is on none */
        assert_int_equal(hk_model_assign(r.ctx, r.model, processors[i % 2], all[i], HK_NOWHERE),
                         HK_OK);
    hk_model_lower(r.model);
    assert_int_equal(hk_plan_make(r.ctx, r.model, &(hk_plan_options){0}, &r.plan), HK_OK);
    return r;
}

static void rig_end(rig *r) {
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

static size_t count_of(const hk_text_box *texts, size_t count, const char *words) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += strcmp(texts[i].words, words) == 0;
    return found;
}

static void texts_keep_clear(void **state) {
    (void)state;
    rig r = rig_make();
    hk_canvas *canvas = hk_canvas_create();
    hk_graph_note notes[] = {{"holds: something", true, false}, {"broken: else", false, true}};
    hk_graph_options options = {.title = "A graph", .notes = notes, .note_count = 2};
    hk_picture picture = hk_graph_draw(r.ctx, r.plan, &options, canvas);
    if (!hk_graph_is_built_in()) {
        assert_int_equal(picture.status, HK_E_FILE_KIND);
    } else {
        assert_int_equal(picture.status, HK_OK);
        size_t count;
        const hk_text_box *texts = hk_canvas_texts(canvas, &count);
        for (size_t i = 0; i < count; i++) {
            if (!hk_box_inside(texts[i].box, (hk_box){0, 0, picture.width, picture.height}))
                fail_msg("'%s' is cut off", texts[i].words);
            for (size_t k = 0; k < i; k++)
                if (hk_box_overlap(texts[i].box, texts[k].box))
                    fail_msg("'%s' overlaps '%s'", texts[i].words, texts[k].words);
        }
        assert_int_equal(count_of(texts, count, "outer"), 1);
        assert_int_equal(count_of(texts, count, "inner"), 1);
        assert_int_equal(count_of(texts, count, "component_number_7"), 1);
        assert_int_equal(count_of(texts, count, "two, every 2 ms"), 5);
        assert_int_equal(count_of(texts, count, "every 2 ms"), 1);
        assert_int_equal(count_of(texts, count, "broken: else"), 1);
    }
    hk_canvas_destroy(canvas);
    rig_end(&r);
}

/* A composite shows the role that it declares, and not one that is declared around it. */
static void roles_are_shown(void **state) {
    (void)state;
    if (!hk_layout_is_built_in())
        skip();
    rig r = rig_make();
    hk_tree *tree = hk_tree_create(r.model, "root");
    hk_tree_element *outer = hk_tree_add(tree, tree->root, HK_TREE_SYSTEM, "outer");
    hk_tree_add(tree, outer, HK_TREE_SYSTEM, "inner");
    outer->role = HK_TREE_ROLE_SENSORS;
    hk_canvas *canvas = hk_canvas_create();
    size_t count;
    hk_picture picture = hk_graph_draw(r.ctx, r.plan, &(hk_graph_options){0}, canvas);
    assert_int_equal(picture.status, HK_OK);
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    assert_int_equal(count_of(texts, count, "outer (sensors)"), 1);
    assert_int_equal(count_of(texts, count, "inner"), 1);
    hk_canvas_destroy(canvas);
    rig_end(&r);
}

/* Connectors of the outermost system are boxes of their own; one for each side of a component. */
static void connectors_are_drawn(void **state) {
    (void)state;
    if (!hk_layout_is_built_in())
        skip();
    rig r = rig_make();
    hk_branch more = {.component = 2, .variable = 1};
    assert_true(hk_model_add_alias(r.model, "speed", 1, 3, NULL));
    assert_true(hk_model_add_alias(r.model, "force", 1, 0, &more));
    assert_true(hk_model_add_alias(r.model, "torque", 1, 1, NULL));
    for (int i = 0; i < 30; i++)
        assert_true(
            hk_model_add_alias(r.model, hk_arena_printf(r.arena, "way_out_%d", i), 5, 3, NULL));
    hk_canvas *canvas = hk_canvas_create();
    size_t count;
    hk_picture picture = hk_graph_draw(r.ctx, r.plan, &(hk_graph_options){0}, canvas);
    assert_int_equal(picture.status, HK_OK);
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    assert_int_equal(count_of(texts, count, "speed"), 1);
    assert_int_equal(count_of(texts, count, "force, torque"), 1);
    assert_int_equal(count_of(texts, count, "force"), 1); /* of the other component it drives */
    assert_int_equal(count_of(texts, count, "30 outputs"), 1);
    assert_int_equal(count_of(texts, count, "Round boxes: connectors of the system."), 1);
    hk_canvas_destroy(canvas);
    rig_end(&r);
}

/* Boxes lie in the boxes around them, and not on each other. */
static void boxes_are_nested(void **state) {
    (void)state;
    if (!hk_layout_is_built_in())
        skip();
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_layout_node nests[] = {{.parent = SIZE_MAX, .w = 50, .h = 18},
                              {.parent = 0, .w = 50, .h = 18}};
    hk_layout_node nodes[] = {{.parent = SIZE_MAX, .w = 80, .h = 40},
                              {.parent = 0, .w = 80, .h = 40},
                              {.parent = 1, .w = 120, .h = 40}};
    hk_layout_edge edges[] = {{.from = 0, .to = 1, .label_w = 40, .label_h = 14},
                              {.from = 1, .to = 2},
                              {.from = 2, .to = 2, .label_w = 40, .label_h = 14}};
    hk_layout layout = {.nodes = nodes,
                        .node_count = 3,
                        .nests = nests,
                        .nest_count = 2,
                        .edges = edges,
                        .edge_count = 3};
    for (int again = 0; again < 3; again++) { /* it can be asked for more than once */
        edges[0].point_count = edges[1].point_count = edges[2].point_count = 0;
        assert_int_equal(hk_layout_find(ctx, arena, &layout), HK_OK);
        assert_true(hk_box_inside(nests[1].box, nests[0].box));
        assert_true(hk_box_inside(nodes[1].box, nests[0].box));
        assert_true(hk_box_inside(nodes[2].box, nests[1].box));
        assert_false(hk_box_overlap(nodes[0].box, nests[0].box));
        assert_false(hk_box_overlap(nodes[1].box, nests[1].box));
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(edges[i].point_count % 3, 1);
        assert_true(layout.width > 200 && layout.height > 40);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_keep_clear),
        cmocka_unit_test(roles_are_shown),
        cmocka_unit_test(connectors_are_drawn),
        cmocka_unit_test(boxes_are_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
