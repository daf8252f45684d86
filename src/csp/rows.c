/* SPDX-License-Identifier: MIT */
#include "csp/rows.h"

#include "base/diag.h"
#include "base/memory.h"

#include <string.h>

void hk_rows_finish(hk_rows *r) {
    hk_free(r->words);
    hk_free(r->ends);
    hk_free(r->slots);
    *r = (hk_rows){0};
}

const uint32_t *hk_rows_get(const hk_rows *r, uint32_t number, size_t *ret_length) {
    HK_ASSERT(number < r->count);
    size_t begin = number ? r->ends[number - 1] : 0;
    *ret_length = r->ends[number] - begin;
    return r->words + begin;
}

static uint64_t mix(const uint32_t *row, size_t length) {
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15) + length;
    for (size_t i = 0; i < length; i++) {
        h = (h ^ row[i]) * UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return h;
}

static bool is_row(const hk_rows *r, uint32_t number, const uint32_t *row, size_t length) {
    size_t own;
    const uint32_t *words = hk_rows_get(r, number, &own);
    return own == length && (!length || memcmp(words, row, length * sizeof *row) == 0);
}

static void place(hk_rows *r, uint32_t number, uint64_t hash) {
    size_t at = (size_t)hash & (r->slot_count - 1);
    while (r->slots[at])
        at = (at + 1) & (r->slot_count - 1);
    r->slots[at] = number + 1;
}

static void grow(hk_rows *r) {
    hk_free(r->slots);
    r->slot_count = r->slot_count ? 2 * r->slot_count : 64;
    r->slots = hk_alloc(r->slot_count * sizeof *r->slots);
    for (uint32_t i = 0; i < r->count; i++) {
        size_t length;
        const uint32_t *row = hk_rows_get(r, i, &length);
        place(r, i, mix(row, length));
    }
}

uint32_t hk_rows_put(hk_rows *r, const uint32_t *row, size_t length) {
    uint64_t hash = mix(row, length);
    if (3 * (r->count + 1) > 2 * r->slot_count)
        grow(r);
    for (size_t at = (size_t)hash & (r->slot_count - 1); r->slots[at];
         at = (at + 1) & (r->slot_count - 1))
        if (is_row(r, r->slots[at] - 1, row, length))
            return r->slots[at] - 1;
    HK_ASSERT(r->count < UINT32_MAX - 1);
    if (r->word_count + length > r->word_cap) {
        r->word_cap = 2 * (r->word_count + length) + 64;
        r->words = hk_realloc(r->words, r->word_cap * sizeof *r->words);
    }
    if (length)
        memcpy(r->words + r->word_count, row, length * sizeof *row);
    r->word_count += length;
    HK_PUSH(r->ends, r->count, r->cap, r->word_count);
    place(r, (uint32_t)r->count - 1, hash);
    return (uint32_t)r->count - 1;
}

uint32_t hk_rows_put_kind(hk_rows *r, uint32_t kind, const uint32_t *words, size_t count) {
    enum { FEW = 64 };
    uint32_t few[FEW + 1], *row = few;
    if (count > FEW)
        row = hk_alloc((count + 1) * sizeof *row);
    row[0] = kind;
    if (count)
        memcpy(row + 1, words, count * sizeof *row);
    uint32_t number = hk_rows_put(r, row, count + 1);
    if (row != few)
        hk_free(row);
    return number;
}
