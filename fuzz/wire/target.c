/* SPDX-License-Identifier: MIT
 *
 * Frames of WebSockets: the same messages come out whether the bytes come at once or one by one,
 * and no message is longer than it may be. */
#include "fuzz.h"

#include "base/map.h"
#include "web/wire.h"

typedef struct heard {
    uint64_t hash;
    size_t count;
} heard;

static int take(void *user, hk_wire_kind kind, const char *data, size_t size) {
    heard *h = user;
    HK_ASSERT(size <= HK_WIRE_MESSAGE_MAX);
    h->hash = hk_hash(h->hash + (uint64_t)kind, data, size);
    h->count++;
    return kind == HK_WIRE_CLOSE ? HK_CLOSE_NORMAL : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    hk_wire_reader whole = {0}, pieces = {0};
    heard a = {0}, b = {0};
    int at_once = hk_wire_read(&whole, bytes, size, take, &a), one_by_one = 0;
    for (size_t i = 0; i < size && !one_by_one; i++)
        one_by_one = hk_wire_read(&pieces, bytes + i, 1, take, &b);
    HK_ASSERT(at_once == one_by_one && a.count == b.count && a.hash == b.hash);
    hk_wire_forget(&whole);
    hk_wire_forget(&pieces);
    return 0;
}
