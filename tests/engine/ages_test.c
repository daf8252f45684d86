/* SPDX-License-Identifier: MIT
 *
 * Ages by analysis against ages observed, on 1000 random systems with several rates, offsets,
 * delays, lag words and partitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "witness.h"

enum { SYSTEMS = 1000, ON_THREE_THREADS = 100 };

static dice dice_of(uint32_t seed, const char *purpose) {
    return (dice){hk_stream_make(seed, 0, "ages_test", purpose), 0};
}

static void observed_equals_foretold(void **state) {
    (void)state;
    census count = {0};
    for (uint32_t seed = 0; count.systems < SYSTEMS; seed++) {
        dice d = dice_of(seed, "system");
        system_of_witnesses s;
        if (!make(&d, &s, NULL))
            continue;
        unsigned most = count.systems++ < ON_THREE_THREADS ? 3 : 2;
        for (unsigned threads = 1; threads <= most; threads++) {
            run(&s, threads);
            check_all(&s, seed, d, &count);
        }
        finish(&s);
    }
    assert_true(count.long_chains > 2000); /* the systems are as rich as they are meant to be */
    assert_true(count.crossing > 2000);
    assert_true(count.delayed_start > 2000);
}

/* The comparison finds a wrong lag: a plan is changed behind the back of its run. */
static void a_wrong_lag_is_found(void **state) {
    (void)state;
    size_t changed = 0, found = 0;
    for (uint32_t seed = 0; seed < 100; seed++) {
        dice d = dice_of(seed, "system");
        system_of_witnesses s;
        if (!make(&d, &s, NULL))
            continue;
        run(&s, 1);
        for (uint32_t i = 0; i < s.model->connection_count && s.whole; i++) {
            uint32_t from = s.model->connections[i].from_component;
            s.plan->connections[i].lag += s.plan->components[from].period;
            changed++;
            found += wrong_origins(s.plan, (hk_chain){&i, 1}) > 0;
            s.plan->connections[i].lag -= s.plan->components[from].period;
        }
        finish(&s);
    }
    assert_true(changed > 500);
    assert_int_equal(found, changed);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(observed_equals_foretold),
                                       cmocka_unit_test(a_wrong_lag_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
