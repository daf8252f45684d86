/* SPDX-License-Identifier: MIT
 *
 * A message may hold anything, also ends of lines, so it is a line of hexadecimal digits. */
#include "nodes/merge_log.h"

#include "fmi/fmi.h"

static const char digits[] = "0123456789abcdef";

enum { MASK = 15, BITS = 4, MESSAGE = 'M' };

static void put_hex(hk_buffer *to, const hk_buffer *bytes) {
    for (size_t i = 0; i < bytes->size; i++) {
        unsigned char c = (unsigned char)bytes->data[i];
        const char both[] = {digits[c >> BITS], digits[c & MASK]};
        hk_buffer_put(to, both, sizeof both);
    }
}

static int digit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* One at a time: hk_fmu_set_journal. */
static void write_line(void *user, const hk_fmu_message *message) {
    const hk_node_log *log = user;
    hk_buffer bytes = {0}, line = {0};
    hk_moment now = hk_said_now(log->said);
    char head[HK_MOMENT_TEXT + 1];
    hk_moment_write(&now, head);
    head[HK_MOMENT_TEXT] = MESSAGE;
    hk_buffer_f64(&bytes, message->time);
    hk_buffer_u64(&bytes, (uint64_t)(int64_t)message->status);
    hk_buffer_text(&bytes, message->instance);
    hk_buffer_text(&bytes, message->category);
    hk_buffer_text(&bytes, message->text);
    hk_buffer_put(&line, head, sizeof head);
    put_hex(&line, &bytes);
    hk_buffer_put(&line, "\n", 1);
    hk_lines_put(log->lines, log->node, line.data, line.size);
    hk_free(bytes.data);
    hk_free(line.data);
}

void hk_log_to_lines(const hk_node_log *log) {
    HK_ASSERT(log && log->lines && log->said);
    hk_fmu_set_journal(write_line, (void *)(uintptr_t)log);
}

static void write_down(void *user, const hk_node_line *line) {
    hk_arena *arena = hk_arena_create();
    char *bytes = hk_arena_alloc(arena, line->size / 2 + 1);
    const double *ended = user;
    for (size_t i = 0; i < line->size / 2; i++)
        bytes[i] = (char)((unsigned)digit(line->text[2 * i]) << BITS |
                          (unsigned)digit(line->text[2 * i + 1]));
    hk_buffer_source s = {arena, bytes, line->size / 2, true};
    hk_fmu_message message = {.time = hk_source_f64(&s)};
    message.status = (int)(int64_t)hk_source_u64(&s);
    message.instance = hk_source_text(&s);
    message.category = hk_source_text(&s);
    message.text = hk_source_text(&s);
    if (line->after_run) /* a node may have been ahead */
        message.time = *ended;
    if (s.good && message.text)
        hk_fmu_write_down(&message);
    hk_arena_destroy(arena);
}

void hk_log_merge(hk_lines *lines, const hk_moment *until, double ended) {
    HK_ASSERT(lines && until);
    hk_lines_each(lines, until, write_down, &ended);
}
