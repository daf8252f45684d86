/* SPDX-License-Identifier: MIT
 *
 * Values: numbers, symbols, tuples, sets and events. */
#include "csp/machine.h"

#include <stdlib.h>
#include <string.h>

uint32_t hk_csp_make(hk_csp_machine *m, hk_csp_value_kind kind, const uint32_t *words,
                     size_t count) {
    return hk_rows_put_kind(&m->values, kind, words, count);
}

uint32_t hk_csp_make_int(hk_csp_machine *m, int64_t number) {
    uint64_t bits = (uint64_t)number;
    return hk_csp_make(m, HK_VALUE_INT, (uint32_t[]){(uint32_t)(bits >> 32), (uint32_t)bits}, 2);
}

hk_csp_value_kind hk_csp_kind_of(const hk_csp_machine *m, uint32_t value) {
    size_t length;
    return (hk_csp_value_kind)hk_rows_get(&m->values, value, &length)[0];
}

const uint32_t *hk_csp_words(const hk_csp_machine *m, uint32_t value, size_t *ret_count) {
    size_t length;
    const uint32_t *row = hk_rows_get(&m->values, value, &length);
    *ret_count = length - 1;
    return row + 1;
}

int64_t hk_csp_int_of(const hk_csp_machine *m, uint32_t value) {
    size_t count;
    const uint32_t *words = hk_csp_words(m, value, &count);
    return (int64_t)((uint64_t)words[0] << 32 | words[1]);
}

/* ---- sets --------------------------------------------------------------------------------------
 */

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t hk_csp_make_set(hk_csp_machine *m, uint32_t *values, size_t count) {
    size_t kept = 0;
    if (count > 1)
        qsort(values, count, sizeof *values, by_number);
    for (size_t i = 0; i < count; i++)
        if (!kept || values[kept - 1] != values[i])
            values[kept++] = values[i];
    return hk_csp_make(m, HK_VALUE_SET, values, kept);
}

static const struct hk_csp_members *members_of(hk_csp_machine *m, uint32_t set) {
    if (set >= m->members_count) {
        size_t was = m->members_count;
        m->members_count = 2 * (size_t)set + 64;
        m->members = hk_realloc(m->members, m->members_count * sizeof *m->members);
        memset(m->members + was, 0, (m->members_count - was) * sizeof *m->members);
    }
    struct hk_csp_members *all = &m->members[set];
    if (all->bits)
        return all;
    size_t count;
    const uint32_t *words = hk_csp_words(m, set, &count);
    all->size = count ? (size_t)words[count - 1] + 1 : 1; /* they are in order */
    all->bits = hk_alloc(all->size / 8 + 1);
    for (size_t i = 0; i < count; i++)
        all->bits[words[i] / 8] |= (uint8_t)(1u << words[i] % 8);
    return all;
}

bool hk_csp_has(hk_csp_machine *m, uint32_t set, uint32_t value) {
    if (set == m->empty)
        return false;
    const struct hk_csp_members *all = members_of(m, set);
    return value < all->size && (all->bits[value / 8] >> value % 8 & 1);
}

uint32_t hk_csp_field_set(hk_csp_machine *m, uint32_t channel, size_t field) {
    hk_csp_channel *c = &m->script->channels[channel];
    if (!c->sets) {
        c->sets = HK_NEW_ARRAY(m->script->arena, uint32_t, c->type_count + 1);
        for (size_t i = 0; i < c->type_count; i++)
            c->sets[i] = hk_csp_evaluate_set(m, c->types[i]);
    }
    return c->sets[field];
}

/* ---- words -------------------------------------------------------------------------------------
 */

static const char *join(hk_arena *arena, const hk_csp_machine *m, const uint32_t *values,
                        size_t count, const char *between) {
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? between : "",
                               hk_csp_value_text(arena, m, values[i]));
    return text;
}

const char *hk_csp_value_text(hk_arena *arena, const hk_csp_machine *m, uint32_t value) {
    size_t count;
    const uint32_t *words = hk_csp_words(m, value, &count);
    switch (hk_csp_kind_of(m, value)) {
    case HK_VALUE_INT:
        return hk_arena_printf(arena, "%lld", (long long)hk_csp_int_of(m, value));
    case HK_VALUE_TRUTH:
        return words[0] ? "true" : "false";
    case HK_VALUE_SYMBOL:
        return m->script->symbols[words[0]];
    case HK_VALUE_TUPLE:
        return hk_arena_printf(arena, "(%s)", join(arena, m, words, count, ", "));
    case HK_VALUE_SET:
        return hk_arena_printf(arena, "{%s%s}", join(arena, m, words, count > 8 ? 8 : count, ", "),
                               count > 8 ? ", ..." : "");
    case HK_VALUE_EVENT:
        return hk_arena_printf(arena, "%s%s%s", m->script->channels[words[0]].name,
                               count > 1 ? "." : "", join(arena, m, words + 1, count - 1, "."));
    case HK_VALUE_NONE:
        break;
    }
    return value == HK_CSP_TICK ? "it ends" : "something that is not seen";
}

void hk_csp_wrong(hk_csp_machine *m, const hk_csp_expr *at, const char *format, ...) {
    if (m->status != HK_OK)
        return;
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(m->script->arena, format, args);
    va_end(args);
    m->status = hk_error(m->ctx, HK_E_LANGUAGE,
                         at ? hk_place_where(m->script->file, &at->at)
                            : (hk_where){.file = m->script->file},
                         NULL, "%s", text);
}
