/* SPDX-License-Identifier: MIT */
#include "nodes/agreement.h"

#include "base/map.h"

#include <string.h>

/* A greeting must fit into the buffer of a socket: both sides send theirs before they read. */
enum { ITEMS_MAX = 400, TEXT_MAX = 100 };

static const char *keep(hk_arena *arena, const char *text) {
    size_t length = strlen(text);
    if (length <= TEXT_MAX)
        return hk_arena_strdup(arena, text);
    enum { HASH = 20 };
    return hk_arena_printf(arena, "%.*s...%016llx", (int)(TEXT_MAX - HASH), text,
                           (unsigned long long)hk_hash(HK_HASH_SEED, text, length));
}

void hk_agreement_add(hk_agreement *a, const char *what, const char *value) {
    HK_ASSERT(a && a->arena && what && value);
    if (a->count >= ITEMS_MAX) {
        a->rest = hk_hash(a->rest ? a->rest : HK_HASH_SEED, what, strlen(what) + 1);
        a->rest = hk_hash(a->rest, value, strlen(value) + 1);
        return;
    }
    hk_agreed one = {keep(a->arena, what), keep(a->arena, value)};
    HK_PUSH(a->all, a->count, a->cap, one);
}

void hk_agreement_number(hk_agreement *a, const char *what, uint64_t number) {
    HK_ASSERT(a && what);
    hk_agreement_add(a, what, hk_arena_printf(a->arena, "%llu", (unsigned long long)number));
}

void hk_agreement_finish(hk_agreement *a) {
    HK_ASSERT(a);
    hk_free(a->all);
    a->all = NULL;
    a->count = a->cap = 0;
}

void hk_agreement_write(const hk_agreement *a, hk_buffer *to) {
    HK_ASSERT(a && to);
    hk_buffer_u64(to, a->rest);
    hk_buffer_u64(to, a->count);
    for (size_t i = 0; i < a->count; i++) {
        hk_buffer_text(to, a->all[i].what);
        hk_buffer_text(to, a->all[i].value);
    }
}

bool hk_agreement_read(hk_buffer_source *from, hk_agreement *ret_agreement) {
    HK_ASSERT(from && from->arena && ret_agreement);
    hk_agreement a = {.arena = from->arena, .rest = hk_source_u64(from)};
    size_t count = hk_source_count(from);
    bool good = from->good && count <= ITEMS_MAX;
    for (size_t i = 0; i < count && good; i++) {
        hk_agreed one = {.what = hk_source_text(from)};
        one.value = hk_source_text(from);
        good = from->good && one.what && one.value && strlen(one.what) <= TEXT_MAX &&
               strlen(one.value) <= TEXT_MAX;
        if (good)
            HK_PUSH(a.all, a.count, a.cap, one);
    }
    if (!good) {
        hk_agreement_finish(&a);
        return false;
    }
    *ret_agreement = a;
    return true;
}

/* The value that ITEM of FROM has in A, mostly at the same place; NULL: A has none. */
static const char *value_in(const hk_agreement *a, const hk_agreement *from, size_t item) {
    const char *what = from->all[item].what;
    if (item < a->count && strcmp(a->all[item].what, what) == 0)
        return a->all[item].value;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->all[i].what, what) == 0)
            return a->all[i].value;
    return NULL;
}

const char *hk_agreement_difference(hk_arena *arena, const hk_agreement *here,
                                    const hk_agreement *there) {
    HK_ASSERT(arena && here && there);
    for (size_t i = 0; i < here->count; i++) {
        const hk_agreed *mine = &here->all[i];
        const char *other = value_in(there, here, i);
        if (!other)
            return hk_arena_printf(arena, "%s is '%s' here and is not given there", mine->what,
                                   mine->value);
        if (strcmp(other, mine->value) != 0)
            return hk_arena_printf(arena, "%s is '%s' here and '%s' there", mine->what, mine->value,
                                   other);
    }
    for (size_t i = 0; i < there->count; i++)
        if (!value_in(here, there, i))
            return hk_arena_printf(arena, "%s is not given here and is '%s' there",
                                   there->all[i].what, there->all[i].value);
    if (here->rest != there->rest || here->count != there->count)
        return "one of many start values and files is another here than there";
    return NULL;
}
