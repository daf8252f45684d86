/* SPDX-License-Identifier: MIT */
#include "format/json.h"

#include "base/diag.h"
#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

static void escape(FILE *out, unsigned char c) {
    static const char hex[] = "0123456789abcdef";
    switch (c) {
    case '"':
        fputs("\\\"", out);
        break;
    case '\\':
        fputs("\\\\", out);
        break;
    case '\n':
        fputs("\\n", out);
        break;
    case '\r':
        fputs("\\r", out);
        break;
    case '\t':
        fputs("\\t", out);
        break;
    default:
        fputs("\\u00", out);
        putc(hex[c >> 4], out);
        putc(hex[c & 15], out);
    }
}

static void quote(FILE *out, const char *text) {
    putc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        size_t length = hk_utf8_length(p, SIZE_MAX);
        if (!length) {
            fputs("\\ufffd", out);
            p++;
        } else if (length == 2 && p[0] == 0xc2 && p[1] < 0xa0) { /* controls beyond ASCII */
            escape(out, p[1]);
            p += 2;
        } else if (length == 1 && (*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7f)) {
            escape(out, *p++);
        } else {
            fwrite(p, 1, length, out);
            p += length;
        }
    }
    putc('"', out);
}

static void before(hk_json *json, const char *key) {
    if (json->comma[json->depth])
        putc(',', json->out);
    json->comma[json->depth] = json->depth > 0;
    if (key) {
        quote(json->out, key);
        putc(':', json->out);
    }
}

/* A value at the top ends its line, so that several in a row are JSON lines. */
static void after(hk_json *json) {
    if (!json->depth)
        putc('\n', json->out);
}

static void enter(hk_json *json, const char *key, char first, char last) {
    before(json, key);
    HK_ASSERT(json->depth + 1 < HK_JSON_DEPTH_MAX);
    putc(first, json->out);
    json->depth++;
    json->comma[json->depth] = false;
    json->last[json->depth] = last;
}

void hk_json_begin(hk_json *json, FILE *out) {
    *json = (hk_json){.out = out};
}

void hk_json_object(hk_json *json, const char *key) {
    enter(json, key, '{', '}');
}

void hk_json_array(hk_json *json, const char *key) {
    enter(json, key, '[', ']');
}

void hk_json_begin_object(hk_json *json, FILE *out) {
    hk_json_begin(json, out);
    hk_json_object(json, NULL);
}

void hk_json_end(hk_json *json) {
    HK_ASSERT(json->depth > 0);
    putc(json->last[json->depth--], json->out);
    after(json);
}

bool hk_json_each(hk_json *json, size_t index, size_t count) {
    if (index)
        hk_json_end(json);
    if (index < count)
        hk_json_object(json, NULL);
    else
        hk_json_end(json);
    return index < count;
}

static void plain(hk_json *json, const char *key, const char *text, size_t length) {
    before(json, key);
    fwrite(text, 1, length, json->out);
    after(json);
}

void hk_json_string(hk_json *json, const char *key, const char *value) {
    if (!value) {
        plain(json, key, "null", 4);
        return;
    }
    before(json, key);
    quote(json->out, value);
    after(json);
}

void hk_json_f64(hk_json *json, const char *key, double value) {
    char text[HK_NUMBER_MAX];
    if (isfinite(value))
        plain(json, key, text, hk_write_f64(value, text));
    else
        plain(json, key, "null", 4);
}

void hk_json_i64(hk_json *json, const char *key, int64_t value) {
    char text[HK_NUMBER_MAX];
    plain(json, key, text, hk_write_i64(value, text));
}

void hk_json_u64(hk_json *json, const char *key, uint64_t value) {
    char text[HK_NUMBER_MAX];
    plain(json, key, text, hk_write_u64(value, text));
}

void hk_json_bool(hk_json *json, const char *key, bool value) {
    plain(json, key, value ? "true" : "false", value ? 4 : 5);
}

void hk_json_as_it_is(hk_json *json, const char *key, const char *value, size_t size) {
    HK_ASSERT(json && value && size);
    plain(json, key, value, size);
}
