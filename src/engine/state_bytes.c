/* SPDX-License-Identifier: MIT
 *
 * The bytes of a state in a file: words, strings and times, written and read. */
#include "engine/statefile.h"

#include "base/number.h"

#include <string.h>

/* ---- writing ---- */

void hk_state_word(hk_buffer *b, uint64_t word) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
    hk_buffer_put(b, bytes, 8);
}

void hk_state_bytes(hk_buffer *b, const void *data, size_t size) {
    hk_state_word(b, size);
    hk_buffer_put(b, data, size);
}

void hk_state_text(hk_buffer *b, const char *text) {
    hk_state_bytes(b, text, strlen(text));
}

/* ---- reading ---- */

void hk_state_bad(hk_state_reader *r, const char *why) {
    if (!r->failed)
        hk_error(r->sim->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path},
                 "load a state that was saved by a run of this system", "%s", why);
    r->status = r->failed ? r->status : HK_E_STATE_FILE;
    r->failed = true;
}

const char *hk_state_get(hk_state_reader *r, size_t size) {
    if (r->failed || size > r->left) {
        hk_state_bad(r, "the state ends in the middle");
        return NULL;
    }
    const char *at = r->data;
    r->data += size;
    r->left -= size;
    return at;
}

uint64_t hk_state_get_word(hk_state_reader *r) {
    const char *bytes = hk_state_get(r, 8);
    uint64_t word = 0;
    for (int i = 0; bytes && i < 8; i++)
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return word;
}

hk_bytes hk_state_get_bytes(hk_state_reader *r) {
    hk_bytes value = {0};
    size_t size = (size_t)hk_state_get_word(r);
    value.data = hk_state_get(r, size);
    value.size = value.data ? size : 0;
    return value;
}

/* No component has an activation there, so none could go on. */
static void off_grid(hk_state_reader *r, hk_tick tick) {
    char time[HK_NUMBER_MAX + 1];
    time[hk_write_f64(hk_tick_seconds(tick, r->ticks_per_second), time)] = '\0';
    hk_error(r->sim->ctx, HK_E_TIME, (hk_where){.file = r->path},
             "go on with the steps of the run that saved the state, or with others that meet its "
             "times",
             "a time in the state, %s s, lies between the steps of this run", time);
    r->status = HK_E_TIME;
    r->failed = true;
}

hk_tick hk_state_here(hk_state_reader *r, hk_tick tick) {
    int64_t ours = r->sim->plan->ticks_per_second;
    hk_ratio seconds;
    hk_tick here = 0;
    if (r->failed || tick == TICK_INITIAL)
        return tick;
    if (!hk_ratio_make(tick, r->ticks_per_second, &seconds) ||
        !hk_tick_from_ratio(seconds, ours, &here))
        off_grid(r, tick);
    return here;
}
