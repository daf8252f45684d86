/* SPDX-License-Identifier: MIT
 *
 * A streaming JSON writer: no tree, exact numbers, valid output whatever the strings hold
 * (bytes that are not UTF-8 become U+FFFD). No layout; each value at the top ends with a line
 * break, so several in a row are JSON lines. */
#ifndef HK_FORMAT_JSON_H
#define HK_FORMAT_JSON_H

#include <hk/base.h>

#include <stdio.h>

enum { HK_JSON_DEPTH_MAX = 64 };

typedef struct hk_json {
    FILE *out;
    int depth;
    bool comma[HK_JSON_DEPTH_MAX]; /* per depth: an element was written */
    char last[HK_JSON_DEPTH_MAX];  /* per depth: what closes it */
} hk_json;

void hk_json_begin(hk_json *json, FILE *out);
void hk_json_begin_object(hk_json *json, FILE *out); /* that is the value at the top */
/* KEY is NULL inside arrays and at the top. */
void hk_json_object(hk_json *json, const char *key);
void hk_json_array(hk_json *json, const char *key);
void hk_json_end(hk_json *json); /* closes the innermost object or array */
/* An array of objects: what follows it in braces puts the members of the object that I counts. It
 * must not be left early. */
#define HK_JSON_EACH(json, key, i, count)                                                          \
    for (size_t i = (hk_json_array(json, key), 0); hk_json_each(json, i, count); i++)
bool hk_json_each(hk_json *json, size_t index, size_t count);           /* for HK_JSON_EACH alone */
void hk_json_string(hk_json *json, const char *key, const char *value); /* NULL writes null */
void hk_json_f64(hk_json *json, const char *key, double value);         /* nan and inf write null */
void hk_json_i64(hk_json *json, const char *key, int64_t value);
void hk_json_u64(hk_json *json, const char *key, uint64_t value);
void hk_json_bool(hk_json *json, const char *key, bool value);
/* A value that is JSON already, without a line break: one that was read. */
void hk_json_as_it_is(hk_json *json, const char *key, const char *value, size_t size);

#endif
