/* SPDX-License-Identifier: MIT
 *
 * What nodes say before a run: what is read lies inside of what was given, and is the same again
 * when it is written and read once more. */
#include "fuzz.h"

#include "nodes/greeting.h"

#include <string.h>

static void look_again(hk_arena *arena, const hk_greeting *g) {
    hk_buffer b = {0};
    hk_greeting back;
    hk_greeting_write(g, &b);
    HK_ASSERT(hk_greeting_size(b.data) == b.size);
    HK_ASSERT(hk_greeting_read(arena, b.data, b.size, &back));
    HK_ASSERT(back.kind == g->kind && back.number == g->number);
    HK_ASSERT(strcmp(back.text, g->text) == 0);
    HK_ASSERT(!hk_agreement_difference(arena, &g->agreement, &back.agreement));
    hk_agreement_finish(&back.agreement);
    hk_free(b.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_arena *arena = hk_arena_create();
    hk_greeting g;
    if (hk_greeting_read(arena, (const char *)data, size, &g)) {
        if (g.protocol == HK_GREETING_PROTOCOL)
            look_again(arena, &g);
        hk_agreement_finish(&g.agreement);
    }
    hk_arena_destroy(arena);
    return 0;
}
