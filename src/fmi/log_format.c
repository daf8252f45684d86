/* SPDX-License-Identifier: MIT
 *
 * The messages of FMI 1.0 and 2.0 are written printf-style, by a stranger: arguments may be
 * missing, be of another type, or point nowhere. So the format is followed here, conversion by
 * conversion: texts are read guardedly, nothing is written through a pointer, and there is a limit
 * to widths and to the number of conversions. */
#include "fmi/fmu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Widths beyond are nobody's; more arguments would be read from memory that is none of theirs. */
enum { WIDTH_MAX = 999, CONVERSIONS_MAX = 40, SPEC_BYTES = 32 };

typedef struct line {
    char *text;
    size_t used, cap;
    size_t lost; /* bytes beyond the limit */
} line;

/* Room for SIZE bytes more and a NUL, as far as the limit goes; how many of them have a place. */
static size_t make_room(line *l, size_t size) {
    size_t left = HK_FMU_LOG_BYTES - l->used, fits = size < left ? size : left;
    if (l->used + fits + 1 > l->cap) {
        l->cap = 2 * (l->used + fits) + 256;
        l->text = hk_realloc(l->text, l->cap);
    }
    l->lost += size - fits;
    return fits;
}

static void put_bytes(line *l, const char *text, size_t size) {
    size_t fits = make_room(l, size);
    memcpy(l->text + l->used, text, fits);
    l->used += fits;
}

/* One "%...": flags, width and precision as printf has them, and what is to be converted. */
typedef struct conversion {
    char flags[8];
    int width, precision; /* below 0: not given */
    char length;          /* 'H' for hh, 'q' for ll, else the letter; '\0': none */
    char kind;
} conversion;

static int read_number(const char **at, va_list *args) {
    long value = 0;
    if (**at == '*') {
        (*at)++;
        value = va_arg(*args, int);
    } else {
        char *end;
        value = strtol(*at, &end, 10);
        *at = end;
    }
    return value < 0 ? -1 : value > WIDTH_MAX ? WIDTH_MAX : (int)value;
}

static const char *read_conversion(const char *at, va_list *args, conversion *ret) {
    conversion c = {.width = -1, .precision = -1};
    size_t flags = strspn(at, "-+ #0");
    memcpy(c.flags, at, flags < sizeof c.flags - 1 ? flags : sizeof c.flags - 1);
    at += flags;
    if (*at == '*' || (*at >= '1' && *at <= '9'))
        c.width = read_number(&at, args);
    if (*at == '.') {
        at++;
        c.precision = *at == '*' || (*at >= '0' && *at <= '9') ? read_number(&at, args) : 0;
    }
    if ((at[0] == 'h' && at[1] == 'h') || (at[0] == 'l' && at[1] == 'l')) {
        c.length = at[0] == 'h' ? 'H' : 'q';
        at += 2;
    } else if (*at && strchr("hlqLjzt", *at)) {
        c.length = *at++;
    }
    c.kind = *at;
    *ret = c;
    return *at ? at + 1 : at;
}

/* The format for one value: LETTERS stand for its type. */
static void make_spec(const conversion *c, const char *letters, char spec[SPEC_BYTES]) {
    char width[12] = "", precision[12] = "";
    if (c->width >= 0)
        snprintf(width, sizeof width, "%d", c->width);
    if (c->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", c->precision);
    snprintf(spec, SPEC_BYTES, "%%%s%s%s%s", c->flags, width, precision, letters);
}

static intmax_t next_signed(const conversion *c, va_list *args) {
    switch (c->length) {
    case 'H':
        return (signed char)va_arg(*args, int);
    case 'h':
        return (short)va_arg(*args, int);
    case 'l':
    case 'z':
    case 't':
        return va_arg(*args, long);
    case 'q':
    case 'j':
    case 'L':
        return va_arg(*args, long long);
    default:
        return va_arg(*args, int);
    }
}

static uintmax_t next_unsigned(const conversion *c, va_list *args) {
    intmax_t value = next_signed(c, args);
    switch (c->length) {
    case 'H':
        return (unsigned char)value;
    case 'h':
        return (unsigned short)value;
    case '\0':
        return (unsigned)value;
    default:
        return (uintmax_t)value;
    }
}

/* The format is ours by now, made of parts that were looked at. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PUT(l, spec, value)                                                                        \
    do {                                                                                           \
        __typeof__(value) value_ = (value);                                                        \
        int put_ = snprintf(NULL, 0, spec, value_);                                                \
        size_t fits_ = make_room((l), put_ < 0 ? 0 : (size_t)put_);                                \
        snprintf((l)->text + (l)->used, fits_ + 1, spec, value_);                                  \
        (l)->used += fits_;                                                                        \
    } while (0)

static void put_text(line *l, const conversion *c, const char *wild) {
    size_t most = c->precision >= 0 ? (size_t)c->precision : (size_t)HK_FMU_READ_BYTES;
    char *text = c->length == 'l' ? NULL : hk_guarded_text(wild, most);
    char spec[SPEC_BYTES];
    make_spec(c, "s", spec);
    const char *shown = text ? text : c->length == 'l' ? "(a wide text)" : "(null)";
    PUT(l, spec, shown);
    hk_free(text);
}

static void put_number(line *l, const conversion *c, va_list *args) {
    char letters[3] = {'j', c->kind, '\0'}, spec[SPEC_BYTES];
    make_spec(c, letters, spec);
    if (c->kind == 'd' || c->kind == 'i')
        PUT(l, spec, next_signed(c, args));
    else
        PUT(l, spec, next_unsigned(c, args));
}

static void put_real(line *l, const conversion *c, va_list *args) {
    char letters[3] = {'L', c->kind, '\0'}, spec[SPEC_BYTES];
    bool is_long = c->length == 'L';
    make_spec(c, is_long ? letters : letters + 1, spec);
    if (is_long)
        PUT(l, spec, va_arg(*args, long double));
    else
        PUT(l, spec, va_arg(*args, double));
}

/* False: it is not a conversion. */
static bool put_converted(line *l, const conversion *c, va_list *args) {
    char spec[SPEC_BYTES];
    if (c->kind == '%') {
        put_bytes(l, "%", 1);
    } else if (c->kind == 's') {
        put_text(l, c, va_arg(*args, const char *));
    } else if (c->kind == 'c') {
        make_spec(c, "c", spec);
        PUT(l, spec, va_arg(*args, int));
    } else if (c->kind == 'p') {
        make_spec(c, "p", spec);
        PUT(l, spec, va_arg(*args, void *));
    } else if (c->kind == 'n') {
        (void)va_arg(*args, void *); /* what it asks for is not done */
    } else if (c->kind && strchr("diuoxX", c->kind)) {
        put_number(l, c, args);
    } else if (c->kind && strchr("fFeEgGaA", c->kind)) {
        put_real(l, c, args);
    } else {
        return false;
    }
    return true;
}
#pragma GCC diagnostic pop

char *hk_fmu_log_format(const char *format, va_list args) {
    line l = {0};
    va_list rest;
    va_copy(rest, args);
    for (int conversions = 0; *format;) {
        size_t plain = strcspn(format, "%");
        put_bytes(&l, format, plain);
        format += plain;
        conversion c;
        const char *next = *format ? read_conversion(format + 1, &rest, &c) : NULL;
        if (!next)
            break;
        if (conversions++ >= CONVERSIONS_MAX || !put_converted(&l, &c, &rest)) {
            put_bytes(&l, format, strlen(format)); /* from here on it is only text */
            break;
        }
        format = next;
    }
    va_end(rest);
    char mark[HK_CUT_MARK_BYTES] = "";
    size_t size = 0, whole = l.used;
    (void)make_room(&l, 0);
    if (l.lost) {
        l.used = hk_cut_length(l.text, l.used);
        size = hk_cut_mark(mark, l.lost + whole - l.used,
                           l.lost + HK_FMU_LOG_BYTES >= HK_FMU_READ_BYTES);
    }
    l.text = hk_realloc(l.text, l.used + size + 1);
    memcpy(l.text + l.used, mark, size);
    l.text[l.used + size] = '\0';
    return l.text;
}
