/* SPDX-License-Identifier: MIT
 *
 * States in few bytes: lists of values, packed rows, and an open-addressing table of their numbers.
 */
#include "explore/vault.h"

#include "base/map.h"

#include <string.h>

/* The values of one word. */
typedef struct column {
    uint64_t *values;
    uint32_t *slots; /* open addressing: number of a value + 1; 0: free */
    size_t count, cap, slot_count;
    unsigned bits;   /* that numbers of values have in a row */
    size_t offset;   /* of the first */
    uint32_t newest; /* number of the value that was put last: the next one mostly has it, too */
} column;

struct hk_vault {
    column *columns;
    uint32_t words;
    uint32_t *active, active_count; /* columns that take bits */
    uint32_t *picked;               /* scratch: numbers of the values of a state */
    unsigned char *rows, *row;      /* row: scratch */
    size_t row_size, row_bits;
    size_t count, cap;
    uint32_t *slots; /* number of a state + 1; 0: free */
    size_t slot_count;
};

/* A field is read and written as part of the 8 bytes that it begins in, so rows have some behind
 * them; numbers of values have at most 32 bits. */
enum { SLACK = 8 };

hk_vault *hk_vault_create(uint32_t words) {
    hk_vault *s = hk_alloc(sizeof *s);
    s->words = words;
    s->columns = hk_alloc((words + 1) * sizeof *s->columns);
    s->active = hk_alloc((words + 1) * sizeof *s->active);
    s->picked = hk_alloc((words + 1) * sizeof *s->picked);
    s->row = hk_alloc(SLACK + 4 * (size_t)words + SLACK);
    s->row_size = 1;
    s->slot_count = 1024;
    s->slots = hk_alloc(s->slot_count * sizeof *s->slots);
    return s;
}

void hk_vault_destroy(hk_vault *s) {
    if (!s)
        return;
    for (uint32_t w = 0; w < s->words; w++) {
        hk_free(s->columns[w].values);
        hk_free(s->columns[w].slots);
    }
    hk_free(s->columns);
    hk_free(s->active);
    hk_free(s->picked);
    hk_free(s->row);
    hk_free(s->rows);
    hk_free(s->slots);
    hk_free(s);
}

/* ---- values of a word */

static size_t mix(uint64_t value) {
    value ^= value >> 33;
    value *= UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
    value *= UINT64_C(0xc4ceb9fe1a85ec53);
    return (size_t)(value ^ (value >> 33));
}

static void place_value(column *c, uint32_t number) {
    size_t at = mix(c->values[number]) & (c->slot_count - 1);
    while (c->slots[at])
        at = (at + 1) & (c->slot_count - 1);
    c->slots[at] = number + 1;
}

static uint32_t add_value(column *c, uint64_t value) {
    uint32_t number = (uint32_t)c->count;
    HK_PUSH(c->values, c->count, c->cap, value);
    if (2 * c->count > c->slot_count) {
        hk_free(c->slots);
        c->slot_count = c->slot_count ? 2 * c->slot_count : 16;
        c->slots = hk_alloc(c->slot_count * sizeof *c->slots);
        for (uint32_t i = 0; i < number; i++)
            place_value(c, i);
    }
    place_value(c, number);
    return number;
}

static uint32_t find_value(column *c, uint64_t value) {
    if (c->slot_count)
        for (size_t at = mix(value) & (c->slot_count - 1); c->slots[at];
             at = (at + 1) & (c->slot_count - 1))
            if (c->values[c->slots[at] - 1] == value)
                return c->slots[at] - 1;
    return add_value(c, value);
}

/* ---- rows */

static void write_field(unsigned char *row, const column *c, uint32_t number) {
    uint64_t part;
    unsigned char *at = row + c->offset / 8;
    memcpy(&part, at, sizeof part);
    part |= (uint64_t)number << (c->offset % 8);
    memcpy(at, &part, sizeof part);
}

static uint32_t read_field(const unsigned char *row, const column *c) {
    uint64_t part;
    memcpy(&part, row + c->offset / 8, sizeof part);
    return (uint32_t)((part >> (c->offset % 8)) & ((UINT64_C(1) << c->bits) - 1));
}

static void pack(const hk_vault *s, const uint32_t *picked, unsigned char *row) {
    memset(row, 0, s->row_size + SLACK);
    for (uint32_t i = 0; i < s->active_count; i++)
        write_field(row, &s->columns[s->active[i]], picked[s->active[i]]);
}

static unsigned char *row_of(const hk_vault *s, size_t number) {
    return s->rows + number * s->row_size;
}

static size_t slot_of(const hk_vault *s, const unsigned char *row) {
    return mix(hk_hash(HK_HASH_SEED, row, s->row_size)) & (s->slot_count - 1);
}

static void rebuild(hk_vault *s) {
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (size_t i = 0; i < s->count; i++) {
        size_t at = slot_of(s, row_of(s, i));
        while (s->slots[at])
            at = (at + 1) & (s->slot_count - 1);
        s->slots[at] = (uint32_t)i + 1;
    }
}

static void lay_out(hk_vault *s) {
    size_t bits = 0;
    s->active_count = 0;
    for (uint32_t w = 0; w < s->words; w++) {
        column *c = &s->columns[w];
        c->offset = bits;
        while (c->count > UINT64_C(1) << c->bits)
            c->bits++;
        bits += c->bits;
        if (c->bits)
            s->active[s->active_count++] = w;
    }
    s->row_bits = bits;
    s->row_size = bits ? (bits + 7) / 8 : 1;
}

/* A word has more values than its bits can tell: all rows are written again. */
static void widen(hk_vault *s) {
    hk_vault old = *s;
    uint32_t *picked = hk_alloc((s->words + 1) * sizeof *picked);
    column *before = hk_alloc((s->words + 1) * sizeof *before);
    uint32_t *active = hk_alloc((s->words + 1) * sizeof *active);
    memcpy(before, s->columns, s->words * sizeof *before);
    memcpy(active, s->active, s->active_count * sizeof *active);
    lay_out(s);
    s->rows = hk_alloc(s->cap * s->row_size + SLACK);
    unsigned char *row = hk_alloc(s->row_size + SLACK);
    for (size_t i = 0; i < s->count; i++) {
        for (uint32_t k = 0; k < old.active_count; k++)
            picked[active[k]] = read_field(row_of(&old, i), &before[active[k]]);
        pack(s, picked, row);
        memcpy(row_of(s, i), row, s->row_size);
    }
    hk_free(row);
    hk_free(old.rows);
    hk_free(picked);
    hk_free(before);
    hk_free(active);
    rebuild(s);
}

static bool pick(hk_vault *s, const uint64_t *state) {
    bool fits = true;
    for (uint32_t w = 0; w < s->words; w++) {
        column *c = &s->columns[w];
        if (!c->count || c->values[c->newest] != state[w])
            c->newest = find_value(c, state[w]);
        s->picked[w] = c->newest;
        fits = fits && c->newest < UINT64_C(1) << c->bits;
    }
    return fits;
}

/* A quarter more at a time, so that little is held for nothing. */
static void make_room(hk_vault *s) {
    if (s->count == s->cap) {
        s->cap += s->cap / 4 + 1024;
        s->rows = hk_realloc(s->rows, s->cap * s->row_size + SLACK);
    }
    if (4 * s->count > 3 * s->slot_count) {
        hk_free(s->slots);
        s->slot_count *= 2;
        s->slots = hk_alloc(s->slot_count * sizeof *s->slots);
        rebuild(s);
    }
}

uint32_t hk_vault_put(hk_vault *s, const uint64_t *state, bool *ret_new) {
    if (!pick(s, state))
        widen(s);
    make_room(s);
    pack(s, s->picked, s->row);
    size_t at = slot_of(s, s->row);
    while (s->slots[at]) {
        if (memcmp(row_of(s, s->slots[at] - 1), s->row, s->row_size) == 0) {
            *ret_new = false;
            return s->slots[at] - 1;
        }
        at = (at + 1) & (s->slot_count - 1);
    }
    HK_ASSERT(s->count < HK_VAULT_NONE - 1);
    memcpy(row_of(s, s->count), s->row, s->row_size);
    s->slots[at] = (uint32_t)++s->count;
    *ret_new = true;
    return (uint32_t)s->count - 1;
}

void hk_vault_get(const hk_vault *s, uint32_t number, uint64_t *ret_state) {
    HK_ASSERT(number < s->count);
    for (uint32_t w = 0; w < s->words; w++)
        ret_state[w] = s->columns[w].values[0];
    for (uint32_t i = 0; i < s->active_count; i++) {
        const column *c = &s->columns[s->active[i]];
        ret_state[s->active[i]] = c->values[read_field(row_of(s, number), c)];
    }
}

uint32_t hk_vault_count(const hk_vault *s) {
    return (uint32_t)s->count;
}

size_t hk_vault_row(const hk_vault *s) {
    return s->row_size;
}

size_t hk_vault_memory(const hk_vault *s) {
    size_t sum = s->cap * s->row_size + s->slot_count * sizeof *s->slots;
    for (uint32_t w = 0; w < s->words; w++)
        sum += s->columns[w].cap * sizeof(uint64_t) + s->columns[w].slot_count * sizeof(uint32_t);
    return sum;
}
