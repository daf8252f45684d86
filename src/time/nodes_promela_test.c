/* SPDX-License-Identifier: MIT
 *
 * The text itself; what spin makes of it is in tests/time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "node_text.h"
#include "time/nodes_promela.h"

#include <string.h>

static void names_end_no_comment(void **state) {
    (void)state;
    hk_flow_graph *g =
        graph_of_text("stop 9; node \"a*/ x\" period 2; node b { cell p period 1, 3; }"
                      "flow \"f*/\": \"a*/ x\" -> b observes;");
    const char *text = hk_nodes_promela(g->arena, g, &(hk_promela_options){0});
    assert_non_null(text);
    assert_null(strstr(text, "*/ x"));
    assert_non_null(strstr(text, "chan q0 = [1] of { short }; /* f?? */\nbool closed0;\n"));
    assert_non_null(strstr(text, "active proctype node0() { /* a?? x */\n"));
    assert_non_null(strstr(text, "turn1 == 1 -> gap = 3"));
    assert_null(strstr(text, "progress"));
    hk_flow_graph_destroy(g);
}

static void a_run_without_end(void **state) {
    (void)state;
    hk_flow_graph *g =
        graph_of_text("stop 9; node a period 2; node b period 3; flow a -> b lag 5;");
    const int64_t capacity[] = {7}, most[] = {4};
    const char *text = hk_nodes_promela(
        g->arena, g,
        &(hk_promela_options){
            .capacity = capacity, .at_most = most, .endless = true, .progress_of = 1});
    assert_non_null(strstr(text, "chan q0 = [7] of { short };"));
    assert_non_null(strstr(text, "q0 ! gap; assert(len(q0) <= 4);"));
    assert_non_null(strstr(text, "progress1:"));
    assert_null(strstr(text, "progress0:"));
    assert_null(strstr(text, "closed"));
    assert_null(strstr(text, "left"));
    hk_flow_graph_destroy(g);
}

/* Variables of spin are small. */
static void what_is_too_large(void **state) {
    (void)state;
    static const char *const large[] = {
        "stop 9; node a period 8001; node b period 1; flow a -> b;",
        "stop 9; node a period 1; node b period 1; flow a -> b lag 8001;",
        "stop 9001; node a period 1; node b period 1; flow a -> b;",
        "stop 9; node a period 1; node b period 1; flow a -> b lag 300;",
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        hk_flow_graph *g = graph_of_text(large[i]);
        assert_null(hk_nodes_promela(g->arena, g, &(hk_promela_options){0}));
        hk_flow_graph_destroy(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_end_no_comment),
        cmocka_unit_test(a_run_without_end),
        cmocka_unit_test(what_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
