/* SPDX-License-Identifier: MIT */
#include "text/print.h"

#include "text/parser.h"

#include <string.h>

enum { INDENT = 2, WIDTH = 100 };

void hk_print(hk_printer *pr, const char *text) {
    size_t length = strlen(text);
    if (pr->size + length + 1 > pr->cap) {
        pr->cap = 2 * pr->cap + length + 256;
        pr->text = hk_realloc(pr->text, pr->cap);
    }
    memcpy(pr->text + pr->size, text, length + 1);
    pr->size += length;
}

const char *hk_print_finish(hk_printer *pr, hk_arena *arena) {
    const char *text = hk_arena_strndup(arena, pr->text ? pr->text : "", pr->size);
    hk_free(pr->text);
    *pr = (hk_printer){0};
    return text;
}

static void indent(hk_printer *pr) {
    pr->line = pr->size;
    for (int i = 0; i < INDENT * pr->depth; i++)
        hk_print(pr, " ");
}

static void put_before(hk_printer *pr, const hk_place *at) {
    for (size_t i = 0; i < at->before_count && !pr->bare; i++) {
        if (!*at->before[i]) {
            hk_print_blank(pr);
            continue;
        }
        indent(pr);
        hk_print(pr, at->before[i]);
        hk_print(pr, "\n");
    }
}

void hk_print_line(hk_printer *pr, const hk_place *at) {
    if (at->blank)
        hk_print_blank(pr);
    put_before(pr, at);
    indent(pr);
}

void hk_print_end(hk_printer *pr, const hk_place *at) {
    if (at->behind && !pr->bare) {
        hk_print(pr, " ");
        hk_print(pr, at->behind);
    }
    hk_print(pr, "\n");
}

void hk_print_wrap(hk_printer *pr, size_t length) {
    if (pr->size - pr->line + 1 + length <= WIDTH) {
        hk_print(pr, " ");
        return;
    }
    hk_print(pr, "\n");
    pr->depth += 2;
    indent(pr);
    pr->depth -= 2;
}

size_t hk_print_length(hk_put_fn *put, const void *what) {
    hk_printer pr = {0};
    put(&pr, what);
    hk_free(pr.text);
    return pr.size;
}

void hk_print_blank(hk_printer *pr) {
    bool there = pr->size >= 2 && pr->text[pr->size - 2] == '\n';
    if (pr->size != pr->opened && !there && !pr->bare)
        hk_print(pr, "\n");
}

bool hk_print_open(hk_printer *pr, const hk_place *at, const hk_place *end, bool empty) {
    if (empty && (pr->bare || (!at->behind && !end->before_count))) {
        hk_print(pr, " {}");
        hk_print_end(pr, end);
        return false;
    }
    hk_print(pr, " {");
    hk_print_end(pr, at);
    pr->opened = pr->size;
    pr->depth++;
    return true;
}

void hk_print_close(hk_printer *pr, const hk_place *end) {
    put_before(pr, end);
    pr->depth--;
    indent(pr);
    hk_print(pr, "}");
    hk_print_end(pr, end);
}

void hk_print_rest(hk_printer *pr, const hk_place *end) {
    if (end->before_count)
        hk_print_blank(pr);
    put_before(pr, end);
}

/* ---- parts of statements ----------------------------------------------------------------------
 */

void hk_print_quoted(hk_printer *pr, const char *text) {
    char c[2] = {0};
    hk_print(pr, "\"");
    for (; *text; text++) {
        c[0] = *text;
        hk_print(pr, *text == '"' ? "\"\"" : c);
    }
    hk_print(pr, "\"");
}

void hk_print_name(hk_printer *pr, const hk_name *name) {
    if (name->quoted || !hk_is_path(name->text))
        hk_print_quoted(pr, name->text);
    else
        hk_print(pr, name->text);
}

static bool is_frequency(const char *unit) {
    return strcmp(unit, "Hz") == 0 || strcmp(unit, "kHz") == 0 || strcmp(unit, "MHz") == 0;
}

/* Units of letters need no quotes. */
static bool is_plain_unit(const char *unit) {
    for (; *unit; unit++)
        if (!((*unit >= 'a' && *unit <= 'z') || (*unit >= 'A' && *unit <= 'Z')))
            return false;
    return true;
}

static void put_unit(hk_printer *pr, const char *unit) {
    if (!unit)
        return;
    bool plain = is_plain_unit(unit);
    if (!plain || is_frequency(unit))
        hk_print(pr, " ");
    if (plain)
        hk_print(pr, unit);
    else
        hk_print_quoted(pr, unit);
}

void hk_print_number(hk_printer *pr, const hk_number *number) {
    hk_print(pr, number->text);
    if (number->text[0] == '$' && number->unit) /* else it would belong to the name */
        hk_print(pr, " ");
    put_unit(pr, number->unit);
}

bool hk_print_unit_is_quoted(const hk_literal *literal) {
    return literal->kind == HK_LITERAL_NUMBER && literal->unit && !is_plain_unit(literal->unit);
}

void hk_print_literal(hk_printer *pr, const hk_literal *literal) {
    if (literal->kind == HK_LITERAL_LIST) {
        hk_print(pr, "{");
        for (size_t i = 0; i < literal->item_count; i++) {
            hk_print(pr, i ? ", " : "");
            hk_print_literal(pr, &literal->items[i]);
        }
        hk_print(pr, "}");
    } else if (literal->kind == HK_LITERAL_TEXT) {
        hk_print_quoted(pr, literal->text);
    } else {
        hk_print(pr, literal->text);
        put_unit(pr, literal->kind == HK_LITERAL_NUMBER ? literal->unit : NULL);
    }
}

/* ---- elements ---------------------------------------------------------------------------------
 */

static const void *element_at(const hk_elements *elements, size_t index) {
    return (const char *)elements->data + index * elements->size;
}

static const hk_place *place_of(const hk_elements *elements, size_t index) {
    return (const hk_place *)((const char *)element_at(elements, index) + elements->place);
}

static bool has_comments(const hk_elements *elements) {
    for (size_t i = 0; i < elements->count; i++)
        if (place_of(elements, i)->before_count || place_of(elements, i)->behind)
            return true;
    return false;
}

static void put_row(hk_printer *pr, const hk_elements *elements) {
    for (size_t i = 0; i < elements->count; i++) {
        hk_print(pr, i ? ", " : "");
        elements->put(pr, element_at(elements, i));
    }
}

static void put_column(hk_printer *pr, const hk_elements *elements) {
    hk_print(pr, "\n");
    pr->depth++;
    for (size_t i = 0; i < elements->count; i++) {
        const hk_place *at = place_of(elements, i);
        hk_print_line(pr, at);
        elements->put(pr, element_at(elements, i));
        hk_print(pr, i + 1 < elements->count ? "," : "");
        hk_print_end(pr, at);
    }
    pr->depth--;
    indent(pr);
}

void hk_print_elements(hk_printer *pr, const char *open, hk_elements elements, const char *close) {
    hk_print(pr, open);
    size_t mark = pr->size;
    bool column = has_comments(&elements);
    if (!column) {
        put_row(pr, &elements);
        column = elements.count > 1 && pr->size - pr->line + strlen(close) + 1 > WIDTH;
        if (column)
            pr->size = mark;
    }
    if (column)
        put_column(pr, &elements);
    hk_print(pr, close);
}
