/* SPDX-License-Identifier: MIT
 *
 * The head: eight letters, the version of the protocol, the kind, the length of what follows. */
#include "nodes/greeting.h"

#include <string.h>

static const char LETTERS[8] = {'h', 'o', 'c', 'k', 'e', 't', '\r', '\n'};

void hk_greeting_write(const hk_greeting *g, hk_buffer *to) {
    HK_ASSERT(g && to);
    hk_buffer about = {0};
    hk_buffer_u64(&about, g->number);
    if (g->kind == HK_GREETING_HELLO)
        hk_agreement_write(&g->agreement, &about);
    else
        hk_buffer_text(&about, g->text ? g->text : "");
    uint32_t protocol = HK_GREETING_PROTOCOL, kind = (uint32_t)g->kind;
    HK_ASSERT(about.size <= HK_GREETING_MAX);
    hk_buffer_put(to, LETTERS, sizeof LETTERS);
    hk_buffer_put(to, &protocol, sizeof protocol);
    hk_buffer_put(to, &kind, sizeof kind);
    hk_buffer_u64(to, about.size);
    hk_buffer_put(to, about.data, about.size);
    hk_free(about.data);
}

size_t hk_greeting_size(const char data[HK_GREETING_HEAD]) {
    uint64_t size = 0;
    memcpy(&size, data + 16, sizeof size);
    if (memcmp(data, LETTERS, sizeof LETTERS) != 0 || size > HK_GREETING_MAX)
        return 0;
    return HK_GREETING_HEAD + (size_t)size;
}

bool hk_greeting_read(hk_arena *arena, const char *data, size_t size, hk_greeting *ret_greeting) {
    HK_ASSERT(arena && data && ret_greeting);
    hk_greeting g = {.text = ""};
    uint32_t kind = 0;
    if (size < HK_GREETING_HEAD || hk_greeting_size(data) != size)
        return false;
    memcpy(&g.protocol, data + 8, sizeof g.protocol);
    memcpy(&kind, data + 12, sizeof kind);
    if (g.protocol != HK_GREETING_PROTOCOL) { /* what it says may mean anything */
        *ret_greeting = g;
        return true;
    }
    if (kind > HK_GREETING_ENDED)
        return false;
    g.kind = (hk_greeting_kind)kind;
    hk_buffer_source s = {arena, data + HK_GREETING_HEAD, size - HK_GREETING_HEAD, true};
    g.number = hk_source_u64(&s);
    if (g.kind != HK_GREETING_HELLO)
        g.text = hk_source_text(&s);
    else if (!hk_agreement_read(&s, &g.agreement))
        return false;
    if (!s.good || s.left || !g.text) {
        hk_agreement_finish(&g.agreement);
        return false;
    }
    *ret_greeting = g;
    return true;
}

const char *hk_greeting_difference(hk_arena *arena, const hk_agreement *here,
                                   const hk_greeting *there) {
    HK_ASSERT(arena && here && there);
    if (there->protocol != HK_GREETING_PROTOCOL)
        return hk_arena_printf(arena, "the protocol is %u here and %u there", HK_GREETING_PROTOCOL,
                               there->protocol);
    return there->kind == HK_GREETING_HELLO
               ? hk_agreement_difference(arena, here, &there->agreement)
               : NULL;
}
