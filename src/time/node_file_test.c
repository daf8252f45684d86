/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "time/node_file.h"

#include <stdio.h>
#include <string.h>

static hk_status parse(hk_ctx *ctx, const char *text, hk_flow_graph **ret_graph) {
    return hk_node_file_parse(ctx, &(hk_file_text){"x.node", text, strlen(text)}, ret_graph);
}

static void a_whole_file(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_flow_graph *g = NULL;
    assert_int_equal(parse(ctx,
                           "// three nodes\n"
                           "stop 1 s;\n"
                           "node uav period 10 ms;\n"
                           "node wind until 0.5 s {\n"
                           "    cell map period 1/40 s, 50 ms level 1;\n"
                           "    cell gust period 20 ms offset 5 ms;\n"
                           "}\n"
                           "node log { cell all period 2.5 ms; }\n"
                           "flow position: uav -> wind.gust lag 5 ms;\n"
                           "flow wind.gust -> uav observes;\n"
                           "flow uav -> log; /* the only cell of a node needs no name */\n",
                           &g),
                     HK_OK);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    assert_int_equal(g->ticks_per_second, 400);
    assert_int_equal(g->end, 400);
    assert_int_equal(g->node_count, 3);
    assert_int_equal(g->cell_count, 4);
    assert_int_equal(g->flow_count, 3);
    assert_int_equal(g->nodes[1].end, 200);
    assert_int_equal(g->nodes[2].end, 400);
    assert_string_equal(g->cells[0].name, "uav");
    assert_string_equal(g->cells[1].name, "wind.map");
    assert_int_equal(g->cells[1].period_count, 2);
    assert_int_equal(g->cells[1].periods[0], 10);
    assert_int_equal(g->cells[1].periods[1], 20);
    assert_int_equal(g->cells[2].offset, 2);
    assert_int_equal(g->cells[2].where.line, 6);
    /* by level: gust before map */
    assert_int_equal(g->nodes[1].cells.count, 2);
    assert_int_equal(g->nodes[1].cells.all[0], 2);
    assert_int_equal(g->nodes[1].cells.all[1], 1);
    assert_string_equal(g->flows[0].name, "position");
    assert_int_equal(g->flows[0].lag, 2);
    assert_int_equal(g->flows[0].where.line, 9);
    assert_string_equal(g->flows[1].name, "wind.gust -> uav");
    assert_int_equal(g->flows[1].lag, 0);
    assert_int_equal(g->flows[2].lag, 4); /* its period */
    assert_int_equal(g->flows[2].to, 3);
    assert_int_equal(g->cells[0].out.count, 2);
    assert_int_equal(g->cells[0].in.count, 1);
    assert_int_equal(g->cells[0].in.all[0], 1);

    /* 0, 10, 30, 40, 60 ... until 200 */
    static const hk_tick expected[] = {0, 10, 30, 40, 60};
    hk_activation activation = hk_activation_first(g, 1);
    for (size_t i = 0; i < 5; i++, activation = hk_activation_next(g, 1, activation))
        assert_int_equal(activation.at, expected[i]);
    while (activation.at < 190)
        activation = hk_activation_next(g, 1, activation);
    assert_int_equal(activation.at, 190);
    assert_true(hk_activation_next(g, 1, activation).at == HK_TICK_NEVER);
    assert_int_equal(hk_cell_longest(g, 1), 20);
    assert_int_equal(hk_cell_shortest(g, 1), 10);
    assert_int_equal(hk_cell_repeat(g, 1), 30);
    assert_string_equal(hk_flow_time(g, 2), "0.005 s");
    hk_flow_graph_destroy(g);
    hk_ctx_destroy(ctx);
}

static void mistakes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        hk_status code;
        int line;
        const char *said;
    } rows[] = {
        {"node a period 1;", HK_E_LANGUAGE, 0, "there is no stop time"},
        {"stop 1;\nstop 2;", HK_E_LANGUAGE, 2, "the stop time is given twice"},
        {"stop 1;\nnode a period 0;", HK_E_TIME, 2, "period '0' must be above 0"},
        {"stop 1;\nnode a period 5 Hz;", HK_E_VALUE, 2, "period '5Hz' is not a time"},
        {"stop 1;\nnode a period 1 offset 1;", HK_E_TIME, 2,
         "the offset of the cell 'a' is not below its longest period"},
        {"stop 1;\nnode a until 2 period 1;", HK_E_TIME, 2,
         "the node 'a' ends after the stop time"},
        {"stop 1;\nnode a { }", HK_E_LANGUAGE, 2, "the node 'a' has no cell"},
        {"stop 1;\nnode a period 1;\nnode a period 1;", HK_E_DUPLICATE, 3,
         "there are two nodes 'a'"},
        {"stop 1;\nnode a { cell x period 1;\ncell x period 1; }", HK_E_DUPLICATE, 3,
         "there are two cells 'a.x'"},
        {"stop 1;\nnode a period 1;\nnode b period 1;\nflow a -> c;", HK_E_NAME, 4,
         "there is no cell 'c'"},
        {"stop 1;\nnode a period 1;\nnode b { cell x period 1; cell y period 1; }\nflow a -> b;",
         HK_E_NAME, 4, "the node 'b' has several cells"},
        {"stop 1;\nnode b { cell x period 1; cell y period 1; }\nflow b.x -> b.y;", HK_E_CONNECTION,
         3, "a flow leads from one node to another, and 'b.x' is the same node as 'b.y'"},
        {"stop 1;\nnode a period 1, 2;\nnode b period 1;\nflow a -> b;", HK_E_TIME, 4,
         "the lag of a flow from a cell with several periods must be given"},
        {"stop 1;\nnode a period 1;\nnode b period 1;\nflow f: a -> b;\nflow f: b -> a;",
         HK_E_DUPLICATE, 5, "there are two flows 'f'"},
        {"stop 1;\nnode a period 1;\nnode b period 1;\nflow a -> b lag -1;", HK_E_TIME, 4, NULL},
        {"stop 1;\nnode a { cell x period 1 level 1.5; }", HK_E_LANGUAGE, 2,
         "a level is a whole number from 0 to 1000000"},
        {"stop 1/1000003;\nnode a period 1/1000033;\nnode b period 1/1000037;\nnode c period "
         "1/1000039;",
         HK_E_TICK_OVERFLOW, 4,
         "there is no tick in which this time and those before it are whole numbers"},
        {"stop 3000000000000000000;", HK_E_TICK_OVERFLOW, 1,
         "this time has too many ticks of 1/1 s"},
        {"stop -1 s;\nnode a period 1;", HK_E_TIME, 1, "stop time '-1s' must be at least 0"},
        {"stop 1 s;", HK_E_LANGUAGE, 0, "there is no node"},
        {"stop 1;\nflow;", HK_E_LANGUAGE, 2, NULL},
        {"stop 1;\nnode a perod 1;", HK_E_LANGUAGE, 2, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_flow_graph *g = NULL;
        hk_status status = parse(ctx, rows[i].text, &g);
        const hk_diag *d = hk_ctx_count(ctx, HK_ERROR) ? hk_ctx_diag(ctx, 0) : NULL;
        if (status != rows[i].code || !d || d->where.line != rows[i].line ||
            (rows[i].said && strcmp(d->text, rows[i].said) != 0))
            fail_msg("%s\ngave HK%d, line %d: %s", rows[i].text, (int)status, d ? d->where.line : 0,
                     d ? d->text : "");
        if (hk_ctx_count(ctx, HK_ERROR) != 1)
            fail_msg("%s\ngave more: %s", rows[i].text, hk_ctx_diag(ctx, 1)->text);
        assert_null(g);
        hk_ctx_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_whole_file), cmocka_unit_test(mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
