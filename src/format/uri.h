/* SPDX-License-Identifier: MIT
 *
 * Parts of URIs as systems name their files with. */
#ifndef HK_FORMAT_URI_H
#define HK_FORMAT_URI_H

#include "base/memory.h"

/* Replaces %41 by A, in place. False, and TEXT is in pieces: a '%' without two digits, or %00. */
bool hk_uri_decode(char *text);
/* Length of the scheme of TEXT without its ':'; 0: it has none. One letter is a drive of Windows.
 */
size_t hk_uri_scheme(const char *text);

/* "proxyfmu://HOST[:PORT]?file=FILE": an FMU that another process, perhaps elsewhere, is to run.
 * Also "proxy-fmu" and "fmu-proxy". */
typedef struct hk_uri_proxy {
    const char *host; /* without the port; "" if none is named */
    const char *file; /* as written, not decoded; NULL: none is named */
    bool local;       /* the host is this machine */
} hk_uri_proxy;
bool hk_uri_is_proxy(const char *text);
hk_uri_proxy hk_uri_read_proxy(hk_arena *arena, const char *text); /* of one that is a proxy */

#endif
