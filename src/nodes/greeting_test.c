/* SPDX-License-Identifier: MIT
 *
 * What nodes say to each other before a run: what was written is read, what was damaged is not, and
 * what differs is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nodes/greeting.h"

#include <string.h>

static hk_agreement make(hk_arena *arena, const char *stop) {
    hk_agreement a = {.arena = arena};
    hk_agreement_add(&a, "the version", "1.2");
    hk_agreement_add(&a, "the stop-time", stop);
    hk_agreement_number(&a, "the seed", 7);
    return a;
}

static void round_trip(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_agreement mine = make(arena, "10");
    hk_buffer b = {0};
    hk_greeting_write(&(hk_greeting){.number = 3, .agreement = mine}, &b);
    assert_int_equal(hk_greeting_size(b.data), b.size);
    hk_greeting back;
    assert_true(hk_greeting_read(arena, b.data, b.size, &back));
    assert_int_equal(back.kind, HK_GREETING_HELLO);
    assert_int_equal(back.number, 3);
    assert_null(hk_agreement_difference(arena, &mine, &back.agreement));
    hk_agreement_finish(&back.agreement);
    for (size_t cut = 0; cut < b.size;
         cut++) /* in a block of its own: what lies behind is not read */
        assert_false(hk_greeting_read(arena, memcpy(hk_arena_alloc(arena, cut + 1), b.data, cut),
                                      cut, &back));
    b.size = 0;
    hk_greeting_write(
        &(hk_greeting){.kind = HK_GREETING_ENDED, .number = 431, .text = "node 2 is gone"}, &b);
    assert_true(hk_greeting_read(arena, b.data, b.size, &back));
    assert_int_equal(back.number, 431);
    assert_string_equal(back.text, "node 2 is gone");
    hk_free(b.data);
    hk_agreement_finish(&mine);
    hk_arena_destroy(arena);
}

static void damaged(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_buffer b = {0};
    hk_greeting back;
    hk_greeting_write(&(hk_greeting){.kind = HK_GREETING_BEGIN, .number = 2}, &b);
    b.data[12] = HK_GREETING_ENDED + 1; /* a kind that is not known */
    assert_false(hk_greeting_read(arena, b.data, b.size, &back));
    b.data[8]++; /* of another version anything may follow, and nothing of it is read */
    assert_true(hk_greeting_read(arena, b.data, b.size, &back));
    assert_int_equal(back.protocol, HK_GREETING_PROTOCOL + 1);
    memset(b.data + 16, 0xff, 8);
    assert_int_equal(hk_greeting_size(b.data), 0);
    b.data[0] = 'H';
    assert_int_equal(hk_greeting_size(b.data), 0);
    hk_free(b.data);
    hk_arena_destroy(arena);
}

static void differences(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_agreement here = make(arena, "10"), there = make(arena, "20");
    assert_string_equal(hk_agreement_difference(arena, &here, &there),
                        "the stop-time is '10' here and '20' there");
    hk_agreement_finish(&there);
    there = make(arena, "10");
    hk_agreement_add(&there, "the value of k", "1");
    assert_string_equal(hk_agreement_difference(arena, &here, &there),
                        "the value of k is not given here and is '1' there");
    assert_string_equal(hk_agreement_difference(arena, &there, &here),
                        "the value of k is '1' here and is not given there");
    hk_greeting g = {.protocol = HK_GREETING_PROTOCOL, .agreement = there};
    assert_string_equal(hk_greeting_difference(arena, &here, &g),
                        "the value of k is not given here and is '1' there");
    g.kind = HK_GREETING_BEGIN; /* which says nothing of it */
    assert_null(hk_greeting_difference(arena, &here, &g));
    g.protocol++;
    assert_string_equal(hk_greeting_difference(arena, &here, &g),
                        "the protocol is 1 here and 2 there");
    hk_agreement_finish(&here);
    hk_agreement_finish(&there);
    hk_arena_destroy(arena);
}

/* A greeting stays small, whatever is asked for, and still knows every difference. */
static void many_and_long(void **state) {
    (void)state;
    enum { MANY = 5000, LONG = 1000 };
    hk_arena *arena = hk_arena_create();
    for (int changed = 0; changed < 3; changed++) {
        hk_agreement sides[2] = {{.arena = arena}, {.arena = arena}};
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < MANY; i++) {
                char *value = hk_arena_alloc(arena, LONG + 1);
                memset(value, 'a', LONG);
                value[LONG] = '\0';
                if (side && changed == 1 && i == MANY - 1)
                    value[0] = 'b'; /* far behind */
                if (side && changed == 2 && i == 3)
                    value[LONG - 1] = 'b'; /* beyond what is shown */
                hk_agreement_add(&sides[side], hk_arena_printf(arena, "v%d", i), value);
            }
        hk_buffer b = {0};
        hk_greeting_write(&(hk_greeting){.agreement = sides[0]}, &b);
        assert_true(b.size < HK_GREETING_MAX / 2);
        hk_free(b.data);
        assert_int_equal(hk_agreement_difference(arena, &sides[0], &sides[1]) != NULL, changed > 0);
        hk_agreement_finish(&sides[0]);
        hk_agreement_finish(&sides[1]);
    }
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(damaged),
                                       cmocka_unit_test(differences),
                                       cmocka_unit_test(many_and_long)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
