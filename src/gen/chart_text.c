/* SPDX-License-Identifier: MIT
 *
 * Functions of generated C while they are being written, and the small texts in them. */
#include "gen/chart_internal.h"

#include "base/number.h"

#include <stdarg.h>
#include <string.h>

hk_cg_function hk_cg_begin(hk_cg *g) {
    hk_cg_function before = g->now;
    g->now = (hk_cg_function){0};
    return before;
}

void hk_cg_end(hk_cg *g, hk_cg_function before, const char *head) {
    const hk_cg_function *f = &g->now;
    hk_cg_put_wrapped(g->out, 0, head);
    hk_text_put(g->out, " {\n%s%s}\n\n", f->vars.size ? f->vars.data : "",
                f->body.size ? f->body.data : "");
    hk_text_finish(&g->now.vars);
    hk_text_finish(&g->now.body);
    hk_free(g->now.locals);
    g->now = before;
}

enum { COLUMN_MAX = 100 };

/* Where a line of LENGTH may end: behind a comma that is not in a text; 0: nowhere. */
static size_t break_of(const char *text, size_t length) {
    size_t at = 0;
    bool quoted = false;
    for (size_t i = 0; i < length && text[i]; i++) {
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
            quoted = !quoted;
        if (!quoted && text[i] == ',' && text[i + 1] == ' ')
            at = i + 1;
    }
    return at;
}

void hk_cg_put_wrapped(hk_text *out, int indent, const char *text) {
    hk_text_put(out, "%*s", indent, "");
    for (size_t room = COLUMN_MAX - (size_t)indent; strlen(text) > room;) {
        size_t at = break_of(text, room);
        if (!at)
            break;
        hk_text_put(out, "%.*s\n%*s", (int)at, text, indent + 8, "");
        text += at + 1;
        room = COLUMN_MAX - (size_t)indent - 8;
    }
    hk_text_put(out, "%s", text);
}

void hk_cg_line_put(hk_cg *g, int depth, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *made = hk_arena_vprintf(g->arena, format, args);
    va_end(args);
    hk_cg_put_wrapped(&g->now.body, 4 * depth, made);
    hk_text_put(&g->now.body, "\n");
}

const char *hk_cg_print(const hk_cg *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *made = hk_arena_vprintf(g->arena, format, args);
    va_end(args);
    return made;
}

const char *hk_cg_var(hk_cg *g, const hk_chart_type *type, const char *stem) {
    const char *name = hk_cg_print(g, "%s%u", stem, ++g->now.var_count);
    hk_text_put(&g->now.vars, "    %s %s;\n", hk_cg_type(g, type), name);
    return name;
}

const char *hk_cg_at(const hk_cg *g, int line, int column) {
    return hk_cg_print(g, "HK_AT(%d, %d)", line, column);
}

const char *hk_cg_int(const hk_cg *g, int64_t value) {
    if (value == INT64_MIN) /* the number without its sign is not one that C can write */
        return "INT64_MIN";
    bool small = value >= -2147483647 && value <= 2147483647;
    return hk_cg_print(g, small ? "%lld" : "INT64_C(%lld)", (long long)value);
}

const char *hk_cg_real(const hk_cg *g, double value) {
    char text[HK_NUMBER_MAX];
    size_t length = hk_write_f64(value, text);
    bool plain = !memchr(text, '.', length) && !memchr(text, 'e', length);
    return hk_cg_print(g, "%.*s%s", (int)length, text, plain ? ".0" : "");
}

const char *hk_cg_quoted(const hk_cg *g, const char *text) {
    hk_text made = {0};
    hk_text_literal(&made, text);
    const char *kept = hk_arena_strndup(g->arena, made.data, made.size);
    hk_text_finish(&made);
    return kept;
}
