/* SPDX-License-Identifier: MIT
 *
 * Heads of requests: what is read lies inside of what was given, and a head that is complete is the
 * same whatever comes behind it. */
#include "fuzz.h"

#include "web/accept_key.h"
#include "web/http.h"

static void inside(hk_http_text text, const char *data, size_t size) {
    HK_ASSERT(!text.size || (text.at >= data && text.at + text.size <= data + size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    hk_http_request r, again;
    int status = hk_http_read(text, size, &r);
    HK_ASSERT(status == 0 || status == 200 || status >= 400);
    if (status != 200)
        return 0;
    const hk_http_text all[] = {r.method, r.path, r.host, r.origin, r.key, r.version, r.protocols};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        inside(all[i], text, r.size);
    HK_ASSERT(r.path.at[0] == '/' && hk_http_read(text, r.size, &again) == 200);
    HK_ASSERT(again.path.size == r.path.size && again.upgrades == r.upgrades);
    hk_http_text list = r.protocols, item;
    while (hk_http_item(&list, &item))
        inside(item, text, r.size);
    char accept[HK_ACCEPT_SIZE + 1];
    (void)hk_accept_key(r.key, accept);
    return 0;
}
