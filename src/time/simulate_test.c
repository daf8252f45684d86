/* SPDX-License-Identifier: MIT
 *
 * Nodes in one process, over queues of the smallest size: every schedule ends, each activation sees
 * what the lag rule says, and what the nodes did is accepted by a checker that shares nothing with
 * them. And where the static check says that there is a cycle, they hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "flow_rig.h"

enum { GRAPHS = 1500, SHORT = 40 };

static void show(const hk_flow_graph *g) {
    for (uint32_t c = 0; c < g->cell_count; c++) {
        fprintf(stderr, "%s: level %u, until %lld, offset %lld, periods", g->cells[c].name,
                g->cells[c].level, (long long)g->nodes[g->cells[c].node].end,
                (long long)g->cells[c].offset);
        for (uint32_t i = 0; i < g->cells[c].period_count; i++)
            fprintf(stderr, " %lld", (long long)g->cells[c].periods[i]);
        fprintf(stderr, "\n");
    }
    for (uint32_t f = 0; f < g->flow_count; f++)
        fprintf(stderr, "flow %u: %s lag %lld\n", f, g->flows[f].name, (long long)g->flows[f].lag);
}

static void judge(const flow_run *r, uint64_t seed) {
    size_t event = 0;
    const char *wrong = r->wrong;
    if (!wrong)
        wrong = hk_node_trace_judge(r->arena, r->graph, r->events, r->event_count, &event);
    if (!wrong)
        return;
    show(r->graph);
    fail_msg("graph %llu, schedule %d: %s (event %zu of %zu)", (unsigned long long)seed,
             (int)r->schedule, wrong, event, r->event_count);
}

/* No more wait than the bound says where there is one, although nothing keeps them from it. */
static void judge_most(const flow_run *r, uint64_t seed, size_t *tight, size_t *bounded) {
    const hk_flow_bound *bounds = hk_flow_bounds(r->arena, r->graph);
    for (uint32_t f = 0; f < r->graph->flow_count; f++) {
        if (!bounds[f].most)
            continue;
        *bounded += 1;
        *tight += r->queues[f].most == bounds[f].most;
        if (r->queues[f].most > bounds[f].most) {
            show(r->graph);
            fail_msg("graph %llu: flow %u held %lld, not %lld", (unsigned long long)seed, f,
                     (long long)r->queues[f].most, (long long)bounds[f].most);
        }
    }
}

static void random_graphs(void **state) {
    (void)state;
    size_t hung = 0, free = 0, tight = 0, bounded = 0, messages = 0, crossing = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        dice d = dice_of(seed);
        hk_arena *arena = hk_arena_create();
        hk_tick end = seed % 50 == 0 ? 0 : 1 + roll(&d, SHORT);
        hk_flow_graph *g = roll_graph(&d, 6, 3, end, seed % 4 != 0);
        hk_flow_cycle cycle;
        hk_flow_verdict verdict = hk_flow_find_cycle(arena, g, &cycle);
        assert_true(verdict != HK_FLOW_UNCLEAR);
        assert_true(seed % 4 == 0 || verdict == HK_FLOW_FREE);
        for (uint32_t f = 0; f < g->flow_count; f++)
            crossing += g->flows[f].lag == 0;
        for (int s = 0; s < FLOW_SCHEDULES; s++) {
            flow_run r = flow_run_all(arena, g, flow_capacities(arena, g), (flow_schedule)s, seed);
            messages += r.event_count;
            if (verdict == HK_FLOW_CYCLE)
                assert_true(r.hung);
            else
                judge(&r, seed);
            flow_run_finish(&r);
            r = flow_run_all(arena, g, NULL, (flow_schedule)s, seed);
            if (verdict == HK_FLOW_FREE)
                judge(&r, seed);
            judge_most(&r, seed, &tight, &bounded);
            flow_run_finish(&r);
        }
        hung += verdict == HK_FLOW_CYCLE;
        free += verdict == HK_FLOW_FREE;
        hk_flow_graph_destroy(g);
        hk_arena_destroy(arena);
    }
    print_message("%zu graphs end, %zu hang as foreseen; %zu events; %zu flows without lag; "
                  "bound met exactly %zu of %zu times\n",
                  free, hung, messages, crossing, tight, bounded);
    assert_true(free >= 1000 && hung >= 50 && tight >= bounded / 10);
}

/* ---- stop times that hang the reference implementation ---- */

/* Four nodes of periods 4, 3, 2, 1, each with a flow to all others, that is seen a period later. */
static hk_flow_graph *bodies(hk_tick stop) {
    hk_flow_graph *g = hk_flow_graph_create(1, 0, stop);
    for (uint32_t n = 0; n < 4; n++) {
        char name[8];
        snprintf(name, sizeof name, "body%u", n);
        hk_flow_graph_add_node(g, name, HK_NOWHERE);
        hk_flow_graph_add_cell(g, n, name, 4 - n, 0, 0);
    }
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++)
            if (a != b)
                hk_flow_graph_add_flow(g, a, b, 4 - a);
    hk_flow_graph_finish(g);
    return g;
}

static void stop_times(void **state) {
    (void)state;
    static const hk_tick stops[] = {0,  1,  2,  3,  4,     5,     6,     7,     8,     9,
                                    10, 11, 12, 13, 10000, 10001, 10002, 10003, 10006, 10007};
    static const int64_t three[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        hk_arena *arena = hk_arena_create();
        hk_flow_graph *g = bodies(stops[i]);
        for (int s = 0; s < FLOW_SCHEDULES; s++) {
            flow_run r =
                flow_run_all(arena, g, s ? three : flow_capacities(arena, g), (flow_schedule)s, i);
            judge(&r, (uint64_t)stops[i]);
            flow_run_finish(&r);
        }
        hk_flow_graph_destroy(g);
        hk_arena_destroy(arena);
    }
}

/* ---- a node that ends before the others ---- */

static void early_ends(void **state) {
    (void)state;
    for (hk_tick early = 0; early < 40; early++)
        for (uint32_t node = 0; node < 4; node++) {
            hk_arena *arena = hk_arena_create();
            hk_flow_graph *g = bodies(40);
            g->nodes[node].end = early;
            for (int s = 0; s < FLOW_SCHEDULES; s++) {
                flow_run r = flow_run_all(arena, g, flow_capacities(arena, g), (flow_schedule)s,
                                          (uint64_t)early);
                judge(&r, (uint64_t)early);
                flow_run_finish(&r);
            }
            hk_flow_graph_destroy(g);
            hk_arena_destroy(arena);
        }
}

/* ---- a run that ends by itself ---- */

/* Exactly the activations before it were made. */
static void judge_stop(const flow_run *r, uint64_t seed) {
    size_t expected = 0, made = 0;
    for (uint32_t c = 0; c < r->graph->cell_count; c++)
        for (hk_activation b = hk_activation_first(r->graph, c); b.at < r->stop;
             b = hk_activation_next(r->graph, c, b))
            expected++;
    for (size_t i = 0; i < r->event_count; i++)
        made += r->events[i].did.what == HK_RULES_RUN;
    if (r->wrong || made != expected) {
        show(r->graph);
        fail_msg("graph %llu, stop %lld: %s, %zu of %zu activations", (unsigned long long)seed,
                 (long long)r->stop, r->wrong ? r->wrong : "nothing wrong", made, expected);
    }
}

static void runs_that_end_by_themselves(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 500; seed++) {
        dice d = dice_of(seed);
        hk_arena *arena = hk_arena_create();
        hk_flow_graph *g = roll_graph(&d, 5, 3, 30, true);
        for (int s = 0; s < FLOW_SCHEDULES; s++) {
            flow_run r = flow_run_make(arena, g, flow_capacities(arena, g), (flow_schedule)s, seed);
            r.stop = roll(&d, 31);
            flow_run_on(&r);
            judge_stop(&r, seed);
            flow_run_finish(&r);
        }
        hk_flow_graph_destroy(g);
        hk_arena_destroy(arena);
    }
}

/* ---- the checker finds what was changed ---- */

static void spoil(dice *d, hk_node_event *events, size_t *count) {
    size_t i = roll(d, (uint32_t)*count), k = roll(d, (uint32_t)*count);
    hk_node_event kept = events[i];
    switch (roll(d, 6)) {
    case 0: /* lost */
        for (; i + 1 < *count; i++)
            events[i] = events[i + 1];
        *count -= 1;
        break;
    case 1: /* twice */
        events[k] = kept;
        break;
    case 2: /* another time */
        events[i].did.at += 1 + roll(d, 3);
        break;
    case 3: /* another promise */
        events[i].did.promise += events[i].did.promise == HK_TICK_NEVER ? -1 : 1;
        break;
    case 4: /* another flow */
        events[i].did.flow += 1;
        break;
    default: /* another order */
        events[i] = events[k];
        events[k] = kept;
    }
}

/* One thread of a story: what a node runs and sends, or (FLOW) what it does at the end of a flow.
 */
static bool belongs(const hk_node_event *e, uint32_t node, uint32_t flow) {
    bool acts = e->did.what == HK_RULES_RUN || e->did.what == HK_RULES_SEND;
    return e->node == node && (flow == HK_MAP_NONE ? acts : !acts && e->did.flow == flow);
}

static bool same_event(const hk_rules_action *x, const hk_rules_action *y) {
    bool run = x->what == HK_RULES_RUN, shut = x->what == HK_RULES_CLOSE;
    return x->what == y->what && (shut || x->at == y->at) &&
           (run ? x->cell == y->cell : x->flow == y->flow) &&
           (run || shut || x->promise == y->promise);
}

static bool same_thread(const flow_run *r, const hk_node_event *events, uint32_t node,
                        uint32_t flow) {
    size_t count = r->event_count;
    for (size_t a = 0, b = 0;; a++, b++) {
        while (a < count && !belongs(&r->events[a], node, flow))
            a++;
        while (b < count && !belongs(&events[b], node, flow))
            b++;
        if (a == count || b == count)
            return a == b;
        if (!same_event(&r->events[a].did, &events[b].did))
            return false;
    }
}

/* What makes no difference: the order of events that do not see each other, and a promise that an
 * event does not have. */
static bool same_story(const flow_run *r, const hk_node_event *events, size_t count) {
    bool same = count == r->event_count;
    for (uint32_t n = 0; n < r->graph->node_count && same; n++) {
        same = same_thread(r, events, n, HK_MAP_NONE);
        for (uint32_t f = 0; f < r->graph->flow_count && same; f++)
            same = same_thread(r, events, n, f);
    }
    return same;
}

static void changed_traces_are_refused(void **state) {
    (void)state;
    size_t refused = 0, harmless = 0;
    for (uint64_t seed = 1; seed < 400; seed++) {
        dice d = dice_of(seed);
        hk_arena *arena = hk_arena_create();
        hk_flow_graph *g = roll_graph(&d, 4, 2, 12, true);
        flow_run r = flow_run_all(arena, g, flow_capacities(arena, g), FLOW_FAIR, seed);
        judge(&r, seed);
        for (int i = 0; i < 10 && r.event_count; i++) {
            hk_node_event *events = HK_NEW_ARRAY(arena, hk_node_event, r.event_count);
            size_t count = r.event_count, at = 0;
            memcpy(events, r.events, count * sizeof *events);
            spoil(&d, events, &count);
            if (hk_node_trace_judge(arena, g, events, count, &at))
                refused++;
            else if (same_story(&r, events, count))
                harmless++;
            else
                fail_msg("graph %llu: change %d was accepted", (unsigned long long)seed, i);
        }
        flow_run_finish(&r);
        hk_flow_graph_destroy(g);
        hk_arena_destroy(arena);
    }
    print_message("%zu changed traces refused, %zu changes made no difference\n", refused,
                  harmless);
    assert_true(refused > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(stop_times),
        cmocka_unit_test(early_ends),
        cmocka_unit_test(runs_that_end_by_themselves),
        cmocka_unit_test(changed_traces_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
