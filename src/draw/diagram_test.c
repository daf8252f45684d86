/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chart/chart_words.h"
#include "draw/diagram.h"

#include <string.h>

/* ---- faults of layouts ---- */

/* From (0, 0) to (90, 0), straight, with its head up to (100, 0). */
static double straight[] = {0, 0, 30, 0, 60, 0, 90, 0};

static hk_layout_edge edge_with_label(double x, double y) {
    return (hk_layout_edge){.from = 0,
                            .to = 1,
                            .label_w = 20,
                            .label_h = 10,
                            .points = straight,
                            .point_count = 4,
                            .tip_x = 100,
                            .label_x = x,
                            .label_y = y};
}

static hk_layout_faults judge(hk_box third, hk_layout_edge *edges, size_t count) {
    hk_layout_node nodes[] = {
        {.box = {-20, -10, 20, 20}}, {.box = {100, -10, 20, 20}}, {.box = third}};
    return hk_layout_judge(
        &(hk_layout){.nodes = nodes, .node_count = 3, .edges = edges, .edge_count = count});
}

static void faults_are_found(void **state) {
    (void)state;
    const hk_box aside = {40, 60, 20, 20};
    hk_layout_edge edges[] = {edge_with_label(50, 20), edge_with_label(50, -20)};
    hk_layout_faults f = judge(aside, edges, 2);
    assert_true(f.crossed == 0 && f.covered == 0 && f.struck == 0);
    f = judge((hk_box){40, -10, 20, 15}, edges, 1);
    assert_int_equal(f.crossed, 1);
    f = judge((hk_box){92, 1, 4, 4}, edges, 1); /* the head alone comes near it */
    assert_int_equal(f.crossed, 1);
    f = judge((hk_box){40, 18, 20, 20}, edges, 1); /* the label */
    assert_int_equal(f.crossed, 1);
    edges[1] = edge_with_label(60, 22);
    f = judge(aside, edges, 2);
    assert_true(f.crossed == 0 && f.covered == 1 && f.struck == 0);
    edges[1] = edge_with_label(50, 0); /* the first edge goes through it, as its own does */
    f = judge(aside, edges, 2);
    assert_true(f.crossed == 0 && f.covered == 0 && f.struck == 1);
}

/* A label that another edge passes through goes where none does, and stays where nothing is free.
 */
static void labels_are_freed(void **state) {
    (void)state;
    static double across[] = {50, 5, 50, 30, 50, 60, 50, 90}; /* down from below the first edge */
    hk_layout_node nodes[] = {{.box = {0, 0, 5, 5}}, {.box = {190, 0, 5, 5}}};
    hk_layout_edge edges[] = {edge_with_label(50, 14), edge_with_label(150, 60)};
    edges[1].points = across;
    edges[1].tip_x = 50;
    edges[1].tip_y = 100;
    hk_layout l = {.nodes = nodes,
                   .node_count = 2,
                   .edges = edges,
                   .edge_count = 2,
                   .width = 200,
                   .height = 100};
    assert_int_equal(hk_layout_judge(&l).struck, 1);
    hk_layout_free_labels(&l);
    hk_layout_faults f = hk_layout_judge(&l);
    assert_true(f.struck == 0 && f.covered == 0 && f.crossed == 0);
    assert_true(edges[0].label_y > 5 && edges[0].label_y < 20); /* still beside its own */
    assert_true(edges[1].label_x == 150 && edges[1].label_y == 60);
    edges[0] = edge_with_label(50, 14);
    l.height = 19;
    nodes[1].box = (hk_box){56, 6, 140, 12};
    nodes[0].box = (hk_box){0, 6, 44, 12};
    hk_layout_free_labels(&l);
    assert_true(edges[0].label_x == 50 && edges[0].label_y == 14);
}

/* ---- a whole one ---- */

static const char MODULE[] =
    "package P\n"
    "module M {\n"
    "  robotic platform Body { event go : int event done }\n"
    "  controller K {\n"
    "    event go : int event done\n"
    "    stm S {\n"
    "      event go : int event done\n"
    "      clock C\n"
    "      var n : int = 0\n"
    "      initial i\n"
    "      state Wait { during n = n + 1 }\n"
    "      state Busy {\n"
    "        entry send done ; # C\n"
    "        exit n = 0\n"
    "        initial j\n"
    "        state Inside { }\n"
    "        probabilistic p\n"
    "        final f\n"
    "        transition u0 { from j to Inside }\n"
    "        transition u1 { from Inside to p condition n > 3 }\n"
    "        transition u2 { from p to f probability 0.25 }\n"
    "        transition u3 { from p to Inside probability 0.75 action n = 1 }\n"
    "      }\n"
    "      transition t0 { from i to Wait }\n"
    "      transition t1 { from Wait to Busy trigger go ? n # C <{ 9 } condition n > 0 action n = "
    "2 }\n"
    "      transition t2 { from Busy to Wait condition since ( C ) >= 3 }\n"
    "      transition t3 { from Busy to Busy trigger go . 7 }\n"
    "      transition t4 { from Wait to Wait condition else }\n"
    "    }\n"
    "    connection K on go to S on go\n"
    "    connection S on done to K on done\n"
    "  }\n"
    "  connection Body on go to K on go ( _async )\n"
    "  connection K on done to Body on done ( _async )\n"
    "}\n";

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_chart *chart;
} rig;

static rig rig_make(void) {
    rig r = {.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    hk_file_text text = {"m.rct", MODULE, sizeof MODULE - 1};
    assert_int_equal(hk_chart_read_text(r.ctx, r.arena, &text, NULL, &r.chart), HK_OK);
    return r;
}

static void rig_end(rig *r) {
    hk_arena_destroy(r->arena);
    hk_ctx_destroy(r->ctx);
}

static void words_are_those_of_the_file(void **state) {
    (void)state;
    rig r = rig_make();
    const hk_chart_machine *m = &r.chart->machines[0];
    hk_chart_state_words busy = hk_chart_words_of_state(r.arena, &m->nodes[2]);
    assert_string_equal(busy.entry, "done; # C");
    assert_string_equal(busy.exit, "n = 0");
    assert_null(busy.during);
    hk_chart_transition_words t1 = hk_chart_words_of_transition(r.arena, &m->transitions[1]);
    assert_string_equal(t1.trigger, "go ? n #C <{9}");
    assert_string_equal(t1.guard, "[n > 0]");
    assert_string_equal(t1.action, "/ n = 2");
    hk_chart_transition_words t3 = hk_chart_words_of_transition(r.arena, &m->transitions[3]);
    assert_string_equal(t3.trigger, "go . 7");
    assert_null(t3.guard);
    assert_null(t3.action);
    assert_string_equal(hk_chart_words_of_transition(r.arena, &m->transitions[4]).guard, "[else]");
    rig_end(&r);
}

static size_t count_of(const hk_canvas *canvas, const char *words) {
    size_t count, found = 0;
    const hk_text_box *texts = hk_canvas_texts(canvas, &count);
    for (size_t i = 0; i < count; i++)
        found += strcmp(texts[i].words, words) == 0;
    return found;
}

static void texts_keep_clear(void **state) {
    (void)state;
    rig r = rig_make();
    const uint64_t nodes[16] = {0, 3, 2}, transitions[16] = {1, 2};
    hk_diagram_counts counts = {nodes, transitions, "out.csv"};
    hk_canvas *canvas = hk_canvas_create();
    hk_picture picture =
        hk_diagram_draw(r.ctx, r.chart, &(hk_diagram_options){.counts = &counts}, canvas);
    if (!hk_layout_is_built_in()) {
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
        assert_int_equal(count_of(canvas, "Inside"), 1);
        assert_int_equal(count_of(canvas, "during n = n + 1"), 1);
        assert_int_equal(count_of(canvas, "P"), 2); /* the draw, and its sample */
        assert_int_equal(count_of(canvas, "p{0.75} / n = 1"), 1);
        assert_int_equal(count_of(canvas, "3\u00d7"), 1);
        assert_int_equal(count_of(canvas, "2\u00d7"), 2);
        assert_int_equal(count_of(canvas, "Run out.csv: 2 of 3 states entered, 2 of 9 transitions "
                                          "taken. With \u00d7: how often."),
                         1);
    }
    hk_canvas_destroy(canvas);
    rig_end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(labels_are_freed),
        cmocka_unit_test(words_are_those_of_the_file),
        cmocka_unit_test(texts_keep_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
