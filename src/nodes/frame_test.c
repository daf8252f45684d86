/* SPDX-License-Identifier: MIT
 *
 * Messages as bytes: what was written is read, and what was damaged is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nodes/frame.h"

#include <string.h>

static void round_trip(void **state) {
    (void)state;
    char frame[HK_FRAME_HEAD + 5];
    hk_flow_message m = {.flow = 3,
                         .kind = HK_MESSAGE_LOOK,
                         .at = -7,
                         .next = HK_TICK_NEVER,
                         .end = 12,
                         .data = {"12345", 5}};
    hk_frame_head(&m, frame);
    memcpy(frame + HK_FRAME_HEAD, m.data.data, m.data.size);
    assert_int_equal(hk_frame_size(frame), sizeof frame);
    hk_flow_message back;
    assert_true(hk_frame_read(frame, sizeof frame, 4, &back));
    assert_int_equal(back.flow, 3);
    assert_int_equal(back.kind, HK_MESSAGE_LOOK);
    assert_int_equal(back.at, -7);
    assert_true(back.next == HK_TICK_NEVER);
    assert_int_equal(back.end, 12);
    assert_int_equal(back.data.size, 5);
    assert_memory_equal(back.data.data, "12345", 5);
    assert_false(hk_frame_read(frame, sizeof frame, 3, &back)); /* there is no such flow */
    assert_false(hk_frame_read(frame, sizeof frame - 1, 4, &back));
    assert_false(hk_frame_read(frame, HK_FRAME_HEAD - 1, 4, &back));
}

static void damaged(void **state) {
    (void)state;
    char frame[HK_FRAME_HEAD] = {0};
    hk_flow_message m = {0}, back;
    hk_frame_head(&m, frame);
    assert_true(hk_frame_read(frame, sizeof frame, 1, &back));
    memset(frame, 0xff, 8); /* longer than any message */
    assert_int_equal(hk_frame_size(frame), 0);
    assert_false(hk_frame_read(frame, sizeof frame, 1, &back));
    hk_frame_head(&m, frame);
    frame[12] = HK_MESSAGE_ENDED + 1; /* a kind that is not known */
    assert_false(hk_frame_read(frame, sizeof frame, 1, &back));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
