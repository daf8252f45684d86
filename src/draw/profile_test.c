/* SPDX-License-Identifier: MIT
 *
 * The diagrams of multi-models, by their boxes: nothing overlaps, no text is cut, and no line goes
 * through a box that it does not lead to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dice.h"
#include "draw/architecture.h"
#include "draw/connections.h"
#include "draw/diagram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTIONS = 6, EACH = 9, PORTS = 4 };

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_multimodel *profile;
    hk_canvas *canvas;
    hk_picture picture;
} rig;

static void put_section(FILE *out, int s) {
    fprintf(out, "#lcomponent part def Section%d {\n", s);
    for (int k = 0; k < EACH; k++)
        fprintf(out, "part unit%d : Component_%d_%d;\n", k, s, k);
    fputs("}\n", out);
    for (int k = 0; k < EACH; k++) {
        fprintf(out,
                "#ecomponent part def Component_%d_%d {\n@EComponent { kind = "
                "ComponentKind::%s; platform = \"Simulink\"; modelType = "
                "ModelType::continuous; fmu = \"x.fmu\"; }\n",
                s, k, k % 3 ? "physical" : "subsystem");
        for (int i = 0; i < PORTS; i++)
            fprintf(out, "in attribute input_%d : Real = 0.0;\nout attribute y%d : Real;\n", i, i);
        fputs("#parameter attribute level : Real[3] = (1.0, 2.0, 3.0);\n}\n", out);
    }
}

/* 61 blocks, in six sections; flows to most inputs, some of them back. */
static char *large_model(void) {
    dice d = {.stream = hk_stream_make(18, 0, "draw", "profile")};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fputs("package Plant {\n#system part def Whole {\n", out);
    for (int s = 0; s < SECTIONS; s++)
        fprintf(out, "part section%d : Section%d;\n", s, s);
    fputs("}\n", out);
    for (int s = 0; s < SECTIONS; s++)
        put_section(out, s);
    fputs("part whole : Whole {\n", out);
    for (int s = 0; s < SECTIONS; s++)
        for (int k = 0; k < EACH; k++)
            for (int i = 0; i < PORTS / 2; i++)
                fprintf(out,
                        "flow f%d_%d_%d from section%d.unit%d.y%u to section%d.unit%d.input_%d;\n",
                        s, k, i, roll(&d, 4) ? s : (int)roll(&d, SECTIONS),
                        roll(&d, 5) && k ? k - 1 : (int)roll(&d, EACH), roll(&d, PORTS), s, k, i);
    fputs("}\n}\n", out);
    fclose(out);
    return text;
}

static rig rig_of(const char *path, const char *text) {
    rig r = {hk_ctx_create(NULL, NULL), hk_arena_create(), NULL, hk_canvas_create(), {.width = 0}};
    hk_status status =
        path ? hk_profile_read(r.ctx, r.arena, path, &r.profile)
             : hk_profile_read_text(r.ctx, r.arena,
                                    &(hk_file_text){"text.sysml", text, strlen(text)}, &r.profile);
    if (status)
        fail_msg("%d: %s", hk_ctx_diag(r.ctx, 0)->where.line, hk_ctx_diag(r.ctx, 0)->text);
    return r;
}

static rig rig_make(const char *path) {
    char *text = path ? NULL : large_model();
    rig r = rig_of(path, text);
    free(text);
    return r;
}

static void rig_end(rig *r) {
    hk_canvas_destroy(r->canvas);
    hk_profile_finish(r->profile);
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

/* Texts are in the picture and clear of each other; WHOLE: none is shortened. */
static void look_at_texts(const rig *r, bool whole) {
    size_t count;
    const hk_text_box *texts = hk_canvas_texts(r->canvas, &count);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        if (!hk_box_inside(texts[i].box, (hk_box){0, 0, r->picture.width, r->picture.height}))
            fail_msg("'%s' is outside of the picture", texts[i].words);
        if (whole && strstr(texts[i].words, "\u2026"))
            fail_msg("'%s' is cut", texts[i].words);
        for (size_t k = 0; k < i; k++)
            if (hk_box_overlap(texts[i].box, texts[k].box))
                fail_msg("'%s' is over '%s'", texts[i].words, texts[k].words);
    }
}

/* A text is in one box wholly, or in none. */
static void look_at_borders(const rig *r, const hk_box *boxes, size_t box_count) {
    size_t count;
    const hk_text_box *texts = hk_canvas_texts(r->canvas, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < box_count; k++)
            if (hk_box_overlap(texts[i].box, boxes[k]) && !hk_box_inside(texts[i].box, boxes[k]))
                fail_msg("'%s' is cut by the border of box %zu", texts[i].words, k);
    for (size_t i = 0; i < box_count; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(hk_box_overlap(boxes[i], boxes[k]));
}

/* ---- architecture ---- */

static hk_box shrunk(hk_box b) {
    return (hk_box){b.x + 0.5, b.y + 0.5, b.w - 1, b.h - 1};
}

static void look_at_architecture(const char *path, size_t box_count) {
    rig r = rig_make(path);
    hk_architecture a = {.profile = r.profile, .canvas = r.canvas};
    r.picture = hk_architecture_draw(&a, "Title");
    assert_int_equal(a.box_count, box_count);
    look_at_texts(&r, true);
    hk_box *boxes = HK_NEW_ARRAY(r.arena, hk_box, a.box_count);
    for (size_t i = 0; i < a.box_count; i++)
        boxes[i] = a.boxes[i].box;
    look_at_borders(&r, boxes, a.box_count);
    for (size_t s = 0; s < a.stroke_count; s++) {
        const hk_architecture_stroke *k = &a.strokes[s];
        hk_box line = {k->x1 < k->x2 ? k->x1 : k->x2, k->y1,
                       k->x1 < k->x2 ? k->x2 - k->x1 : k->x1 - k->x2, k->y2 - k->y1};
        line.w = line.w > 0 ? line.w : 0.1;
        line.h = line.h > 0 ? line.h : 0.1;
        for (size_t i = 0; i < a.box_count; i++)
            assert_false(hk_box_overlap(line, shrunk(boxes[i])));
        size_t texts_count;
        const hk_text_box *texts = hk_canvas_texts(r.canvas, &texts_count);
        for (size_t i = 0; i < texts_count; i++)
            if (hk_box_overlap(line, texts[i].box))
                fail_msg("a line goes through '%s'", texts[i].words);
    }
    assert_true(r.picture.height < 1.6 * r.picture.width);
    hk_architecture_finish(&a);
    rig_end(&r);
}

static void architecture_of_the_detector(void **state) {
    (void)state;
    look_at_architecture(HK_SYSML_DIR "/detector.sysml", 7);
}

static void architecture_of_60_blocks(void **state) {
    (void)state;
    look_at_architecture(NULL, 1 + SECTIONS + SECTIONS * EACH);
}

/* A block that several have is whole in one place; what is part of nothing is there, too. */
static void blocks_are_shown_once(void **state) {
    (void)state;
    static const char text[] =
        "package P {\n#system part def S { part a : A; part b : B; part c : A; }\n"
        "#lcomponent part def A { part w : W[4]; part v : W; }\n"
        "#lcomponent part def B { part w : W; }\n"
        "#ecomponent part def W { out attribute y : Real; }\n"
        "#ecomponent part def Unused { out attribute y : Real; }\npart s : S;\n}\n";
    rig r = rig_of(NULL, text);
    hk_architecture a = {.profile = r.profile, .canvas = r.canvas};
    r.picture = hk_architecture_draw(&a, "Title");
    size_t again = 0;
    for (size_t i = 0; i < a.box_count; i++)
        again += a.boxes[i].again;
    assert_int_equal(a.box_count, 6); /* S; A, B; W; W again; Unused */
    assert_int_equal(again, 1);
    assert_string_equal(a.boxes[1].role, "a, c");
    assert_string_equal(a.boxes[3].role, "w [4], v");
    hk_architecture_finish(&a);
    rig_end(&r);
}

/* ---- connections ---- */

/* The title of a group is in it, and in no group and no box beside it. */
static void look_at_titles(const rig *r, const hk_connections *c) {
    size_t count;
    const hk_text_box *texts = hk_canvas_texts(r->canvas, &count);
    const hk_layout *l = &c->layout;
    for (size_t n = 0; n < l->nest_count; n++) {
        hk_box title = {0};
        for (size_t i = 0; i < count; i++)
            if (strcmp(texts[i].words, c->nests[n]) == 0 &&
                hk_box_inside(texts[i].box, l->nests[n].box))
                title = texts[i].box;
        if (title.w <= 0)
            fail_msg("'%s' is not in its group", c->nests[n]);
        for (size_t k = n + 1; k < l->nest_count; k++)
            if (hk_box_overlap(title, l->nests[k].box))
                fail_msg("'%s' is over group %zu", c->nests[n], k);
        for (size_t k = 0; k < l->node_count; k++)
            if (hk_box_overlap(title, l->nodes[k].box))
                fail_msg("'%s' is over box %zu", c->nests[n], k);
    }
}

static void look_at_connections(rig r, size_t node_count, size_t edge_count) {
    hk_connections c = {.profile = r.profile, .canvas = r.canvas};
    r.picture = hk_connections_draw(r.ctx, &c, "Title");
    if (!hk_layout_is_built_in()) {
        assert_int_equal(r.picture.status, HK_E_FILE_KIND);
        rig_end(&r);
        return;
    }
    assert_int_equal(r.picture.status, HK_OK);
    const hk_layout *l = &c.layout;
    assert_int_equal(l->node_count, node_count);
    assert_int_equal(l->edge_count, edge_count);
    look_at_texts(&r, true);
    hk_box *boxes = HK_NEW_ARRAY(r.arena, hk_box, l->node_count);
    for (size_t i = 0; i < l->node_count; i++) {
        boxes[i] = l->nodes[i].box;
        for (size_t k = l->nodes[i].parent; k != SIZE_MAX; k = l->nests[k].parent)
            assert_true(hk_box_inside(boxes[i], l->nests[k].box));
    }
    look_at_borders(&r, boxes, l->node_count);
    look_at_titles(&r, &c);
    for (size_t e = 0; e < l->edge_count; e++)
        for (size_t i = 0; i < l->node_count; i++)
            if (i != l->edges[e].from && i != l->edges[e].to &&
                hk_layout_edge_meets(&l->edges[e], boxes[i]))
                fail_msg("flow %zu goes through box %zu", e, i);
    /* an end is at the row of its port */
    for (size_t e = 0; e < l->edge_count; e++) {
        const hk_layout_edge *edge = &l->edges[e];
        const hk_layout_node *to = &l->nodes[edge->to];
        double y = to->box.y + to->head + ((double)edge->to_row + 0.5) * to->row;
        assert_true(edge->tip_y > y - 3 && edge->tip_y < y + 3);
        assert_true(edge->tip_x > to->box.x - 3 && edge->tip_x < to->box.x + 3);
        for (int k = 0; k <= 100; k++) {
            double at[2];
            hk_layout_edge_point(edge, k / 100.0, at);
            assert_true(hk_box_inside((hk_box){at[0], at[1], 0, 0}, l->nests[0].box));
        }
    }
    rig_end(&r);
}

static void connections_of_the_detector(void **state) {
    (void)state;
    look_at_connections(rig_make(HK_SYSML_DIR "/detector.sysml"), 5, 11);
}

static void connections_of_60_blocks(void **state) {
    (void)state;
    look_at_connections(rig_make(NULL), (size_t)SECTIONS * EACH,
                        (size_t)SECTIONS * EACH * PORTS / 2);
}

/* Groups that are narrower than their titles, beside, below and in each other. */
static void connections_of_narrow_groups(void **state) {
    (void)state;
    static const char text[] =
        "package P {\n#system part def Everything { part a : AGroupWithAVeryLongName; part b : "
        "AGroupWithAVeryLongName; part inner : Outermost; part c : W; }\n"
        "#roboticPlatform part def AGroupWithAVeryLongName { part w : W; part v : W; }\n"
        "#lcomponent part def Outermost { part n : NearlyAsLongAsTheOtherOne; }\n"
        "#environment part def NearlyAsLongAsTheOtherOne { part w : W; }\n"
        "#ecomponent part def W { in attribute u : Real = 0.0; out attribute y : Real; }\n"
        "part everything : Everything {\nflow f1 from c.y to a.w.u;\nflow f2 from a.w.y to a.v.u;\n"
        "flow f3 from c.y to b.w.u;\nflow f4 from b.w.y to inner.n.w.u;\n"
        "flow f5 from inner.n.w.y to c.u;\nflow f6 from a.v.y to b.v.u;\n}\n}\n";
    look_at_connections(rig_of(NULL, text), 6, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(architecture_of_the_detector),
        cmocka_unit_test(architecture_of_60_blocks),
        cmocka_unit_test(blocks_are_shown_once),
        cmocka_unit_test(connections_of_the_detector),
        cmocka_unit_test(connections_of_60_blocks),
        cmocka_unit_test(connections_of_narrow_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
