/* SPDX-License-Identifier: MIT
 *
 * The answer to the key of a WebSocket handshake (RFC 6455, 4.2.2): base64 of the SHA-1 of the key
 * and a fixed text. SHA-1 protects nothing here; it shows that the server has understood the
 * question. */
#ifndef HK_WEB_ACCEPT_KEY_H
#define HK_WEB_ACCEPT_KEY_H

#include "web/http.h"

enum { HK_ACCEPT_SIZE = 28 };

/* False: the key is not base64 of 16 bytes. */
bool hk_accept_key(hk_http_text key, char ret_accept[HK_ACCEPT_SIZE + 1]);

#endif
