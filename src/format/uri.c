/* SPDX-License-Identifier: MIT */
#include "format/uri.h"

#include "base/number.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

bool hk_uri_decode(char *text) {
    char *out = text;
    for (const char *c = text; *c; c++) {
        int high, low;
        if (*c != '%') {
            *out++ = *c;
            continue;
        }
        if ((high = hk_read_hex_digit(c[1])) < 0 || (low = hk_read_hex_digit(c[2])) < 0 ||
            high + low == 0)
            return false;
        *out++ = (char)(high * 16 + low);
        c += 2;
    }
    *out = 0;
    return true;
}

size_t hk_uri_scheme(const char *text) {
    size_t length = 0;
    if (!isalpha((unsigned char)text[0]))
        return 0;
    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("+-.", text[length])))
        length++;
    return text[length] == ':' && length > 1 ? length : 0;
}

bool hk_uri_is_proxy(const char *text) {
    static const char *const schemes[] = {"proxyfmu", "proxy-fmu", "fmu-proxy"};
    size_t length = hk_uri_scheme(text);
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (length == strlen(schemes[i]) && strncasecmp(text, schemes[i], length) == 0)
            return true;
    return false;
}

hk_uri_proxy hk_uri_read_proxy(hk_arena *arena, const char *text) {
    const char *rest = text + hk_uri_scheme(text) + 1;
    rest += strspn(rest, "/");
    hk_uri_proxy proxy = {.host = hk_arena_strndup(arena, rest, strcspn(rest, ":/?#"))};
    const char *query = strchr(rest, '?');
    while (query) {
        const char *next = strchr(query + 1, '&');
        if (strncmp(query + 1, "file=", 5) == 0) {
            const char *file = query + 6;
            proxy.file = next ? hk_arena_strndup(arena, file, (size_t)(next - file))
                              : hk_arena_strdup(arena, file);
        }
        query = next;
    }
    static const char *const here[] = {"", "localhost", "127.0.0.1"};
    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        proxy.local = proxy.local || strcasecmp(proxy.host, here[i]) == 0;
    return proxy;
}
