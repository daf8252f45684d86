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
    hk_vault *v = hk_alloc(sizeof *v);
    v->words = words;
    v->columns = hk_alloc((words + 1) * sizeof *v->columns);
    v->active = hk_alloc((words + 1) * sizeof *v->active);
    v->picked = hk_alloc((words + 1) * sizeof *v->picked);
    v->row = hk_alloc(SLACK + 4 * (size_t)words + SLACK);
    v->row_size = 1;
    v->slot_count = 1024;
    v->slots = hk_alloc(v->slot_count * sizeof *v->slots);
    return v;
}

void hk_vault_destroy(hk_vault *v) {
    if (!v)
        return;
    for (uint32_t w = 0; w < v->words; w++) {
        hk_free(v->columns[w].values);
        hk_free(v->columns[w].slots);
    }
    hk_free(v->columns);
    hk_free(v->active);
    hk_free(v->picked);
    hk_free(v->row);
    hk_free(v->rows);
    hk_free(v->slots);
    hk_free(v);
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

static void pack(const hk_vault *v, const uint32_t *picked, unsigned char *row) {
    memset(row, 0, v->row_size + SLACK);
    for (uint32_t i = 0; i < v->active_count; i++)
        write_field(row, &v->columns[v->active[i]], picked[v->active[i]]);
}

static unsigned char *row_of(const hk_vault *v, size_t number) {
    return v->rows + number * v->row_size;
}

static size_t slot_of(const hk_vault *v, const unsigned char *row) {
    return mix(hk_hash(HK_HASH_SEED, row, v->row_size)) & (v->slot_count - 1);
}

static void rebuild(hk_vault *v) {
    memset(v->slots, 0, v->slot_count * sizeof *v->slots);
    for (size_t i = 0; i < v->count; i++) {
        size_t at = slot_of(v, row_of(v, i));
        while (v->slots[at])
            at = (at + 1) & (v->slot_count - 1);
        v->slots[at] = (uint32_t)i + 1;
    }
}

static void lay_out(hk_vault *v) {
    size_t bits = 0;
    v->active_count = 0;
    for (uint32_t w = 0; w < v->words; w++) {
        column *c = &v->columns[w];
        c->offset = bits;
        while (c->count > UINT64_C(1) << c->bits)
            c->bits++;
        bits += c->bits;
        if (c->bits)
            v->active[v->active_count++] = w;
    }
    v->row_bits = bits;
    v->row_size = bits ? (bits + 7) / 8 : 1;
}

/* A word has more values than its bits can tell: all rows are written again. */
static void widen(hk_vault *v) {
    hk_vault old = *v;
    uint32_t *picked = hk_alloc((v->words + 1) * sizeof *picked);
    column *before = hk_alloc((v->words + 1) * sizeof *before);
    uint32_t *active = hk_alloc((v->words + 1) * sizeof *active);
    memcpy(before, v->columns, v->words * sizeof *before);
    memcpy(active, v->active, v->active_count * sizeof *active);
    lay_out(v);
    v->rows = hk_alloc(v->cap * v->row_size + SLACK);
    unsigned char *row = hk_alloc(v->row_size + SLACK);
    for (size_t i = 0; i < v->count; i++) {
        for (uint32_t k = 0; k < old.active_count; k++)
            picked[active[k]] = read_field(row_of(&old, i), &before[active[k]]);
        pack(v, picked, row);
        memcpy(row_of(v, i), row, v->row_size);
    }
    hk_free(row);
    hk_free(old.rows);
    hk_free(picked);
    hk_free(before);
    hk_free(active);
    rebuild(v);
}

static bool pick(hk_vault *v, const uint64_t *state) {
    bool fits = true;
    for (uint32_t w = 0; w < v->words; w++) {
        column *c = &v->columns[w];
        if (!c->count || c->values[c->newest] != state[w])
            c->newest = find_value(c, state[w]);
        v->picked[w] = c->newest;
        fits = fits && c->newest < UINT64_C(1) << c->bits;
    }
    return fits;
}

/* A quarter more at a time, so that little is held for nothing. */
static void make_room(hk_vault *v) {
    if (v->count == v->cap) {
        v->cap += v->cap / 4 + 1024;
        v->rows = hk_realloc(v->rows, v->cap * v->row_size + SLACK);
    }
    if (4 * v->count > 3 * v->slot_count) {
        hk_free(v->slots);
        v->slot_count *= 2;
        v->slots = hk_alloc(v->slot_count * sizeof *v->slots);
        rebuild(v);
    }
}

uint32_t hk_vault_put(hk_vault *v, const uint64_t *state, bool *ret_new) {
    if (!pick(v, state))
        widen(v);
    make_room(v);
    pack(v, v->picked, v->row);
    size_t at = slot_of(v, v->row);
    while (v->slots[at]) {
        if (memcmp(row_of(v, v->slots[at] - 1), v->row, v->row_size) == 0) {
            *ret_new = false;
            return v->slots[at] - 1;
        }
        at = (at + 1) & (v->slot_count - 1);
    }
    HK_ASSERT(v->count < HK_VAULT_NONE - 1);
    memcpy(row_of(v, v->count), v->row, v->row_size);
    v->slots[at] = (uint32_t)++v->count;
    *ret_new = true;
    return (uint32_t)v->count - 1;
}

void hk_vault_get(const hk_vault *v, uint32_t number, uint64_t *ret_state) {
    HK_ASSERT(number < v->count);
    for (uint32_t w = 0; w < v->words; w++)
        ret_state[w] = v->columns[w].values[0];
    for (uint32_t i = 0; i < v->active_count; i++) {
        const column *c = &v->columns[v->active[i]];
        ret_state[v->active[i]] = c->values[read_field(row_of(v, number), c)];
    }
}

uint32_t hk_vault_count(const hk_vault *v) {
    return (uint32_t)v->count;
}

size_t hk_vault_values(const hk_vault *v, uint32_t word) {
    HK_ASSERT(word < v->words);
    return v->columns[word].count;
}

size_t hk_vault_row(const hk_vault *v) {
    return v->row_size;
}

size_t hk_vault_memory(const hk_vault *v) {
    size_t sum = v->cap * v->row_size + v->slot_count * sizeof *v->slots;
    for (uint32_t w = 0; w < v->words; w++)
        sum += v->columns[w].cap * sizeof(uint64_t) + v->columns[w].slot_count * sizeof(uint32_t);
    return sum;
}
