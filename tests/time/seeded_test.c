/* SPDX-License-Identifier: MIT
 *
 * Each defect of the rules is seen: nodes hang, break a promise, see another message than the lag
 * rule says, or do what the judge of traces refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "flow_rig.h"
#include "seeded.h"

int hk_seed_bug;

enum { GRAPHS = 300 };

/* What is wrong with a run of a random graph; NULL: nothing. In ARENA. */
static const char *run_one(hk_arena *arena, uint64_t seed) {
    dice d = dice_of(seed);
    hk_flow_graph *g = roll_graph(&d, 5, 3, 1 + roll(&d, 30), true);
    const char *wrong = NULL;
    for (int s = 0; s < FLOW_SCHEDULES && !wrong; s++) {
        flow_run r = flow_run_all(arena, g, flow_capacities(arena, g), (flow_schedule)s, seed);
        size_t at = 0;
        wrong = r.wrong;
        if (!wrong)
            wrong = hk_node_trace_judge(arena, g, r.events, r.event_count, &at);
        flow_run_finish(&r);
    }
    wrong = wrong ? hk_arena_strdup(arena, wrong) : NULL;
    hk_flow_graph_destroy(g);
    return wrong;
}

static void every_defect_is_caught(void **state) {
    (void)state;
    for (hk_seed_bug = BUG_NONE; hk_seed_bug < BUGS; hk_seed_bug++) {
        hk_arena *arena = hk_arena_create();
        size_t caught = 0;
        const char *first = NULL;
        for (uint64_t seed = 0; seed < GRAPHS; seed++) {
            const char *wrong = run_one(arena, seed);
            first = first ? first : wrong;
            caught += wrong != NULL;
        }
        print_message("defect %2d: %3zu of %d graphs, first: %s\n", hk_seed_bug, caught,
                      (int)GRAPHS, first ? first : "nothing");
        assert_true((caught > 0) == (hk_seed_bug != BUG_NONE));
        hk_arena_destroy(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_defect_is_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
