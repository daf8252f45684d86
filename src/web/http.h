/* SPDX-License-Identifier: MIT
 *
 * The head of an HTTP request, read from bytes of a stranger: a pure function, which keeps nothing
 * and allocates nothing. */
#ifndef HK_WEB_HTTP_H
#define HK_WEB_HTTP_H

#include <hk/base.h>

enum { HK_HTTP_HEAD_MAX = 8192, HK_HTTP_FIELDS_MAX = 64 };

/* A part of the bytes that were read; without it SIZE is 0. */
typedef struct hk_http_text {
    const char *at;
    size_t size;
} hk_http_text;

typedef struct hk_http_request {
    hk_http_text method,
        path; /* the path begins with '/'; what is behind a '?' is not part of it */
    hk_http_text host, origin;
    hk_http_text key, version, protocols; /* Sec-WebSocket-... */
    bool upgrades;                        /* asks for a WebSocket */
    size_t size;                          /* of the head; bytes behind it are not its own */
} hk_http_request;

/* 0: the head is not complete yet. 200: RET_REQUEST is filled. Else the status of HTTP to answer
 * with: 400, 413 (there is a body), 431 (too long) or 505. */
int hk_http_read(const char *data, size_t size, hk_http_request *ret_request);
bool hk_http_is(hk_http_text text, const char *word);       /* to the letter */
bool hk_http_is_alike(hk_http_text text, const char *word); /* whatever the case of its letters */
/* Takes the next item of a list with commas, without the space around it; false at its end. */
bool hk_http_item(hk_http_text *list, hk_http_text *ret_item);
const char *hk_http_reason(int status); /* "Not Found" */

#endif
