/* SPDX-License-Identifier: MIT
 *
 * Frames: whole messages come out however the bytes come in, and what is wrong closes the
 * connection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/wire.h"

#include <stdlib.h>
#include <string.h>

enum { TAKEN_MAX = 8 };

typedef struct taken {
    int kinds[TAKEN_MAX];
    char texts[TAKEN_MAX][128];
    size_t sizes[TAKEN_MAX];
    size_t count;
    int answer;
} taken;

static int take(void *user, hk_wire_kind kind, const char *data, size_t size) {
    taken *t = user;
    assert_true(t->count < TAKEN_MAX);
    t->kinds[t->count] = kind;
    t->sizes[t->count] = size;
    memcpy(t->texts[t->count++], data, size < 128 ? size : 128);
    return t->answer;
}

/* A frame as clients write it: masked. */
static void frame(hk_buffer *to, int first, const char *text) {
    static const unsigned char mask[4] = {0x37, 0xfa, 0x21, 0x3d};
    size_t size = strlen(text);
    char head[] = {(char)first, (char)(0x80 | size)};
    hk_buffer_put(to, head, 2);
    hk_buffer_put(to, mask, 4);
    for (size_t i = 0; i < size; i++) {
        char c = (char)(text[i] ^ mask[i % 4]);
        hk_buffer_put(to, &c, 1);
    }
}

/* A text in three frames with a ping between them, then an empty binary message. */
static hk_buffer conversation(void) {
    hk_buffer b = {0};
    frame(&b, 0x01, "Hel");
    frame(&b, 0x89, "ping");
    frame(&b, 0x00, "l\xc3");
    frame(&b, 0x80, "\xb6");
    frame(&b, 0x82, "");
    return b;
}

static void check_conversation(const taken *t) {
    assert_int_equal(t->count, 3);
    assert_int_equal(t->kinds[0], HK_WIRE_PING);
    assert_memory_equal(t->texts[0], "ping", 4);
    assert_int_equal(t->kinds[1], HK_WIRE_TEXT);
    assert_int_equal(t->sizes[1], 6);
    assert_memory_equal(t->texts[1], "Hell\xc3\xb6", 6);
    assert_int_equal(t->kinds[2], HK_WIRE_BINARY);
    assert_int_equal(t->sizes[2], 0);
}

static void in_any_pieces(void **state) {
    (void)state;
    hk_buffer b = conversation();
    for (size_t piece = 1; piece <= b.size; piece++) {
        hk_wire_reader r = {0};
        taken t = {0};
        for (size_t at = 0; at < b.size; at += piece)
            assert_int_equal(
                hk_wire_read(&r, b.data + at, at + piece < b.size ? piece : b.size - at, take, &t),
                0);
        check_conversation(&t);
        hk_wire_forget(&r);
    }
    hk_free(b.data);
}

static int read_bytes(const char *data, size_t size) {
    hk_wire_reader r = {0};
    taken t = {0};
    int why = hk_wire_read(&r, data, size, take, &t);
    assert_true(!why || !t.count);
    hk_wire_forget(&r);
    return why;
}

static void refused(void **state) {
    (void)state;
    assert_int_equal(read_bytes("\x81\x05Hello", 7), HK_CLOSE_PROTOCOL); /* not masked */
    assert_int_equal(read_bytes("\xc1\x80", 2), HK_CLOSE_PROTOCOL);      /* a reserved bit */
    assert_int_equal(read_bytes("\x83\x80", 2), HK_CLOSE_PROTOCOL);      /* no such kind */
    assert_int_equal(read_bytes("\x80\x80", 2), HK_CLOSE_PROTOCOL);      /* goes on with nothing */
    assert_int_equal(read_bytes("\x09\x80", 2), HK_CLOSE_PROTOCOL);      /* half a ping */
    assert_int_equal(read_bytes("\x89\xfe", 2), HK_CLOSE_PROTOCOL);      /* a long ping */
    assert_int_equal(read_bytes("\x81\x81\0\0\0\0\xff", 7), HK_CLOSE_TEXT);
    hk_buffer b = {0};
    frame(&b, 0x01, "a");
    frame(&b, 0x81, "b"); /* a message begins within another */
    assert_int_equal(read_bytes(b.data, b.size), HK_CLOSE_PROTOCOL);
    hk_free(b.data);
}

/* What is claimed is refused at once, and costs nothing. */
static void too_big(void **state) {
    (void)state;
    assert_int_equal(read_bytes("\x82\xff\0\0\0\0\x40\0\0\0\0\0\0\0", 14), HK_CLOSE_TOO_BIG);
    assert_int_equal(read_bytes("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14),
                     HK_CLOSE_TOO_BIG);
    assert_int_equal(read_bytes("\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14),
                     HK_CLOSE_TOO_BIG);
    /* The parts of a message count together. */
    hk_wire_reader r = {0};
    taken t = {0};
    int why = 0;
    size_t frames = 0;
    static const char head[] = "\x02\xfe\x40\0\0\0\0\0", more[] = "\0\xfe\x40\0\0\0\0\0";
    char *data = calloc(1, 0x4000);
    while (!why) {
        why = hk_wire_read(&r, frames ? more : head, 8, take, &t);
        if (!why)
            assert_int_equal(hk_wire_read(&r, data, 0x4000, take, &t), 0);
        frames++;
    }
    assert_int_equal(why, HK_CLOSE_TOO_BIG);
    assert_int_equal(frames, HK_WIRE_MESSAGE_MAX / 0x4000 + 1);
    assert_true(r.message.cap <= 4 * (size_t)HK_WIRE_MESSAGE_MAX);
    free(data);
    hk_wire_forget(&r);
}

static void taker_closes(void **state) {
    (void)state;
    hk_buffer b = conversation();
    hk_wire_reader r = {0};
    taken t = {.answer = HK_CLOSE_POLICY};
    assert_int_equal(hk_wire_read(&r, b.data, b.size, take, &t), HK_CLOSE_POLICY);
    assert_int_equal(t.count, 1);
    hk_wire_forget(&r);
    hk_free(b.data);
}

static void heads(void **state) {
    (void)state;
    unsigned char head[HK_WIRE_HEAD_MAX];
    assert_int_equal(hk_wire_head(HK_WIRE_TEXT, 125, head), 2);
    assert_memory_equal(head, "\x81\x7d", 2);
    assert_int_equal(hk_wire_head(HK_WIRE_BINARY, 126, head), 4);
    assert_memory_equal(head, "\x82\x7e\0\x7e", 4);
    assert_int_equal(hk_wire_head(HK_WIRE_BINARY, 65535, head), 4);
    assert_int_equal(hk_wire_head(HK_WIRE_BINARY, 65536, head), 10);
    assert_memory_equal(head, "\x82\x7f\0\0\0\0\0\1\0\0", 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_any_pieces), cmocka_unit_test(refused),
                                       cmocka_unit_test(too_big), cmocka_unit_test(taker_closes),
                                       cmocka_unit_test(heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
