/* SPDX-License-Identifier: MIT
 *
 * Heads of requests: what browsers write is read, and what could be understood in two ways is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/accept_key.h"
#include "web/http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_text(const char *text, hk_http_request *ret_request) {
    return hk_http_read(text, strlen(text), ret_request);
}

static const char handshake[] = "GET /chat/x?y=1 HTTP/1.1\r\n"
                                "Host: 127.0.0.1:8420\r\n"
                                "Origin: http://127.0.0.1:8420\r\n"
                                "upgrade: WebSocket\r\n"
                                "Connection: keep-alive, Upgrade\r\n"
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                                "Sec-WebSocket-Protocol: chat , superchat\r\n"
                                "Sec-WebSocket-Version: 13\r\n"
                                "\r\n"
                                "more";

static void whole_head(void **state) {
    (void)state;
    hk_http_request r;
    assert_int_equal(read_text(handshake, &r), 200);
    assert_true(hk_http_is(r.method, "GET"));
    assert_true(hk_http_is(r.path, "/chat/x"));
    assert_true(hk_http_is(r.host, "127.0.0.1:8420"));
    assert_true(hk_http_is(r.origin, "http://127.0.0.1:8420"));
    assert_true(hk_http_is(r.version, "13"));
    assert_true(r.upgrades);
    assert_int_equal(r.size, strlen(handshake) - 4);
    hk_http_text item;
    assert_true(hk_http_item(&r.protocols, &item));
    assert_true(hk_http_is(item, "chat"));
    assert_true(hk_http_item(&r.protocols, &item));
    assert_true(hk_http_is(item, "superchat"));
    assert_false(hk_http_item(&r.protocols, &item));
}

/* Cut anywhere, it is not complete, and nothing behind its end is looked at. */
static void piece_by_piece(void **state) {
    (void)state;
    hk_http_request r;
    size_t size = strlen(handshake) - 4;
    for (size_t i = 0; i < size; i++)
        assert_int_equal(hk_http_read(handshake, i, &r), 0);
    assert_int_equal(hk_http_read(handshake, size, &r), 200);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *text;
    } all[] = {{400, "\r\n\r\n"},
               {400, "GET /\r\n\r\n"},
               {400, "GET / HTTP/1.1 x\r\n\r\n"},
               {400, "GET  / HTTP/1.1\r\n\r\n"},
               {400, "GET x HTTP/1.1\r\n\r\n"},
               {400, "GET http://h/ HTTP/1.1\r\n\r\n"},
               {400, "GET /\x7f HTTP/1.1\r\n\r\n"},
               {505, "GET / HTTP/2.0\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost : a\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\n: a\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost:\r\nHost: b\r\n\r\n"},
               {400, "GET / HTTP/1.1\nHost: b\r\n\r\n"},
               {400, "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n"},
               {413, "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n"},
               {413, "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        hk_http_request r;
        int status = read_text(all[i].text, &r);
        if (status != all[i].status)
            print_message("%zu: %s", i, all[i].text);
        assert_int_equal(status, all[i].status);
    }
}

static void too_long(void **state) {
    (void)state;
    hk_http_request r;
    char *text = malloc(HK_HTTP_HEAD_MAX + 1);
    memset(text, 'a', HK_HTTP_HEAD_MAX);
    assert_int_equal(hk_http_read(text, HK_HTTP_HEAD_MAX - 1, &r), 0);
    assert_int_equal(hk_http_read(text, HK_HTTP_HEAD_MAX, &r), 431);
    size_t size = (size_t)snprintf(text, HK_HTTP_HEAD_MAX, "GET / HTTP/1.1\r\n");
    for (int i = 0; i <= HK_HTTP_FIELDS_MAX; i++)
        size += (size_t)snprintf(text + size, HK_HTTP_HEAD_MAX - size, "a%d: b\r\n", i);
    size += (size_t)snprintf(text + size, HK_HTTP_HEAD_MAX - size, "\r\n");
    assert_int_equal(hk_http_read(text, size, &r), 431);
    free(text);
}

/* The example of RFC 6455, 1.3, and keys that are none. */
static void accepted_key(void **state) {
    (void)state;
    char accept[HK_ACCEPT_SIZE + 1];
    assert_true(hk_accept_key((hk_http_text){"dGhlIHNhbXBsZSBub25jZQ==", 24}, accept));
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_false(hk_accept_key((hk_http_text){"dGhlIHNhbXBsZSBub25jZQ=", 23}, accept));
    assert_false(hk_accept_key((hk_http_text){"dGhlIHNhbXBsZSBub25jZQQ=", 24}, accept));
    assert_false(hk_accept_key((hk_http_text){"dGhlIHNhbXBsZSBub25j\"Q==", 24}, accept));
    assert_false(hk_accept_key((hk_http_text){0}, accept));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_head),
                                       cmocka_unit_test(piece_by_piece), cmocka_unit_test(refused),
                                       cmocka_unit_test(too_long), cmocka_unit_test(accepted_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
