/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/team.h"

#include <time.h>

enum { MEMBERS = 3, ROUNDS = 2000 };

typedef struct job {
    uint64_t sums[MEMBERS][8]; /* a cache line each */
    uint64_t round;
    unsigned begun[MEMBERS];
} job;

static void begin(void *user, unsigned number) {
    ((job *)user)->begun[number]++;
}

static void add(void *user, unsigned number) {
    job *j = user;
    j->sums[number][0] += j->round * (number + 1);
}

/* Every member does every round once, and each sees what was written before it. */
static void rounds(void **state) {
    (void)state;
    for (unsigned size = 1; size <= MEMBERS; size++) {
        job j = {0};
        hk_team *team = hk_team_create(size, begin, &j);
        assert_int_equal(hk_team_size(team), size);
        uint64_t expected = 0;
        for (j.round = 1; j.round <= ROUNDS; j.round++) {
            hk_team_run(team, add, &j);
            expected += j.round;
        }
        for (unsigned m = 0; m < size; m++)
            assert_int_equal(j.sums[m][0], expected * (m + 1));
        hk_team_destroy(team);
        for (unsigned m = 1; m < size; m++)
            assert_int_equal(j.begun[m], 1);
    }
}

static void linger(void *user, unsigned number) {
    const struct timespec some = {0, 2000000};
    if (number == *(unsigned *)user)
        nanosleep(&some, NULL);
}

/* Both sides fall asleep, and wake up again. */
static void sleepers(void **state) {
    (void)state;
    hk_team *team = hk_team_create(2, NULL, NULL);
    for (int i = 0; i < 20; i++) {
        unsigned slow = (unsigned)i % 2;
        const struct timespec some = {0, 1000000};
        hk_team_run(team, linger, &slow);
        nanosleep(&some, NULL);
    }
    hk_team_destroy(team);
    hk_team_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds), cmocka_unit_test(sleepers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
