/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "flow_rig.h"
#include "node_text.h"

#include <string.h>

/* The error of the check; NULL: none. In CTX. */
static const hk_diag *check(hk_ctx *ctx, const char *text) {
    hk_flow_graph *g = graph_of_text(text);
    hk_status status = hk_flow_graph_check(ctx, g);
    hk_flow_graph_destroy(g);
    assert_int_equal(status, hk_ctx_count(ctx, HK_ERROR) ? HK_E_ZERO_LAG_CYCLE : HK_OK);
    return status == HK_OK ? NULL : hk_ctx_diag(ctx, 0);
}

/* SAID NULL: there is no cycle. */
static void says(const char *text, const char *said) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_diag *d = check(ctx, text);
    if (!d != !said || (d && strcmp(d->text, said) != 0))
        fail_msg("%s\ngave: %s", text, d ? d->text : "nothing");
    if (d) {
        assert_int_equal(d->where.line, 2);
        assert_non_null(strstr(d->hint, "lag"));
        assert_non_null(strstr(d->hint, "offsets"));
        assert_non_null(strstr(d->hint, "on one node"));
    }
    hk_ctx_destroy(ctx);
}

static void known_graphs(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *said; /* NULL: there is no cycle */
    } rows[] = {
        {"stop 9; node a period 2; node b period 2;\nflow a -> b observes; flow b -> a observes;",
         "nodes wait for each other at 0 s: 'a' before 'b' (flow a -> b), 'b' before 'a' (flow b "
         "-> a)"},
        /* offset by half a period: never due together */
        {"stop 9; node a period 2; node b period 2 offset 1;"
         "flow a -> b observes; flow b -> a observes;",
         NULL},
        {"stop 99; node a period 2 offset 1; node b period 4;"
         "flow a -> b observes; flow b -> a observes;",
         NULL},
        {"stop 99; node a period 2 offset 1; node b period 3;\n"
         "flow f: a -> b observes; flow g: b -> a observes;",
         "nodes wait for each other at 3 s: 'a' before 'b' (flow f), 'b' before 'a' (flow g)"},
        /* ... but the run ends before, or one of them does */
        {"stop 3; node a period 2 offset 1; node b period 3;"
         "flow a -> b observes; flow b -> a observes;",
         NULL},
        {"stop 9; node a until 3 period 2 offset 1; node b period 3;"
         "flow a -> b observes; flow b -> a observes;",
         NULL},
        {"stop 9; node a period 2; node b period 2; flow a -> b observes; flow b -> a lag 1;",
         NULL},
        /* three that meet late */
        {"stop 999; node a period 6; node b period 10 offset 4; node c period 15 offset 9;\n"
         "flow a -> b observes; flow b -> c observes; flow c -> a observes;",
         "nodes wait for each other at 24 s: 'a' before 'b' (flow a -> b), 'b' before 'c' (flow b "
         "-> c), 'c' before 'a' (flow c -> a)"},
        /* the order of cells on their nodes closes it */
        {"stop 9; node a { cell p period 1; cell q period 1; }"
         "node b { cell r period 1; cell s period 1; }\n"
         "flow a.q -> b.r observes; flow b.s -> a.p observes;",
         "nodes wait for each other at 0 s: 'a.p' before 'a.q' (by the order of the node), 'a.q' "
         "before 'b.r' (flow a.q -> b.r), 'b.r' before 'b.s' (by the order of the node), 'b.s' "
         "before 'a.p' (flow b.s -> a.p)"},
        {"stop 9; node a { cell p period 1; cell q period 1; }"
         "node b { cell r period 1; cell s period 1; }"
         "flow a.p -> b.s observes; flow b.r -> a.q observes;",
         NULL},
        /* there and back in the order of the levels */
        {"stop 9; node a { cell p period 1; cell q period 1 level 2; }"
         "node b { cell r period 1 level 1; }"
         "flow a.p -> b observes; flow b -> a.q observes;",
         NULL},
        /* periods that vary: a at 0 3 5 8 10 13 ..., b at 1 4 7 10 */
        {"stop 99; node a period 3, 2; node b period 3 offset 1;\n"
         "flow a -> b observes; flow b -> a observes;",
         "nodes wait for each other at 10 s: 'a' before 'b' (flow a -> b), 'b' before 'a' (flow b "
         "-> a)"},
        {"stop 10; node a period 3, 2; node b period 3 offset 1;"
         "flow a -> b observes; flow b -> a observes;",
         NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        says(rows[i].text, rows[i].said);
}

/* ---- against a look at every instant ---- */

typedef struct looking {
    const hk_flow_graph *graph;
    bool due[64];
    int seen[64]; /* 1: on the path; 2: done */
} looking;

static bool closes(looking *l, uint32_t cell) {
    const hk_flow_graph *g = l->graph;
    const hk_flow_list *cells = &g->nodes[g->cells[cell].node].cells;
    bool found = l->seen[cell] == 1, later = false;
    if (l->seen[cell])
        return found;
    l->seen[cell] = 1;
    for (uint32_t i = 0; i < g->cells[cell].out.count && !found; i++) {
        const hk_flow *f = &g->flows[g->cells[cell].out.all[i]];
        found = f->lag == 0 && l->due[f->to] && closes(l, f->to);
    }
    for (uint32_t i = 0; i < cells->count && !found; i++) {
        found = later && l->due[cells->all[i]] && closes(l, cells->all[i]);
        later = later || cells->all[i] == cell;
    }
    l->seen[cell] = 2;
    return found;
}

/* The first instant at which cells wait for each other; HK_TICK_NEVER: there is none. */
static hk_tick first_by_looking(const hk_flow_graph *g) {
    hk_activation beats[64];
    for (uint32_t c = 0; c < g->cell_count; c++)
        beats[c] = hk_activation_first(g, c);
    for (hk_tick t = 0; t < g->end; t++) {
        looking l = {.graph = g};
        for (uint32_t c = 0; c < g->cell_count; c++) {
            l.due[c] = beats[c].at == t;
            if (l.due[c])
                beats[c] = hk_activation_next(g, c, beats[c]);
        }
        for (uint32_t c = 0; c < g->cell_count; c++)
            if (l.due[c] && closes(&l, c))
                return t;
    }
    return HK_TICK_NEVER;
}

static void random_graphs(void **state) {
    (void)state;
    size_t cycles = 0, late = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        dice d = dice_of(seed);
        hk_flow_graph *g = roll_graph(&d, 5, 3, 250, false);
        hk_flow_cycle cycle = {0};
        hk_flow_verdict verdict = hk_flow_find_cycle(g->arena, g, &cycle);
        hk_tick first = first_by_looking(g);
        hk_tick found = verdict == HK_FLOW_CYCLE ? cycle.first : HK_TICK_NEVER;
        if (found != first)
            fail_msg("graph %llu: %lld, not %lld", (unsigned long long)seed, (long long)found,
                     (long long)first);
        for (size_t i = 0; i < cycle.count; i++) {
            uint32_t before = cycle.cells[i ? i - 1 : cycle.count - 1], f = cycle.flows[i];
            if (f == HK_MAP_NONE)
                assert_int_equal(g->cells[before].node, g->cells[cycle.cells[i]].node);
            else
                assert_true(g->flows[f].from == before && g->flows[f].to == cycle.cells[i] &&
                            g->flows[f].lag == 0);
        }
        cycles += verdict == HK_FLOW_CYCLE;
        late += verdict == HK_FLOW_CYCLE && first > 0;
        hk_flow_graph_destroy(g);
    }
    print_message("%zu cycles, %zu of them after the first instant\n", cycles, late);
    assert_true(cycles > 500 && late > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_graphs),
                                       cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
