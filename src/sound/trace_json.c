/* SPDX-License-Identifier: MIT
 *
 * A line of a trace is one object of JSON, whose members are looked at where they lie. */
#include "sound/sound_trace.h"

#include "base/number.h"

#include <string.h>

static const char *const key_names[] = {"n",     "t",      "op",    "instance", "mode",
                                        "ports", "values", "h",     "status",   "cell",
                                        "phase", "thread", "order", "altered"};
_Static_assert(sizeof key_names / sizeof *key_names == HK_KEYS, "one name for each key");

static hk_trace_key key_of(const char *text) {
    hk_trace_key key = 0;
    while (key < HK_KEYS && strcmp(key_names[key], text) != 0)
        key++;
    return key;
}

const char *hk_trace_record(hk_arena *arena, const char *line, hk_json_span ret_members[HK_KEYS]) {
    size_t size = strlen(line);
    hk_json_fault fault;
    hk_json_span rest = {line + strspn(line, " \t\r"), 0}, name, value;
    memset(ret_members, 0, HK_KEYS * sizeof *ret_members);
    if (!hk_json_check(line, size, &fault))
        return hk_arena_printf(arena, "this is not JSON: %s (byte %zu)", fault.what, fault.at + 1);
    if (*rest.at != '{')
        return "this is not an object";
    rest.size = size - (size_t)(rest.at - line);
    while (hk_json_next_member(&rest, &name, &value)) {
        const char *text = hk_json_decode(arena, name, NULL);
        hk_trace_key known = key_of(text);
        if (known == HK_KEYS)
            return hk_arena_printf(arena, "a call has no member '%s'", text);
        if (ret_members[known].size)
            return hk_arena_printf(arena, "'%s' is given twice", text);
        ret_members[known] = value;
    }
    return NULL;
}

/* A whole number that is not below 0, or nothing. */
static bool count_of(hk_json_span s, int64_t *ret_count) {
    double number;
    *ret_count = -1;
    if (!s.size)
        return true;
    if (!hk_json_number(s, &number) || !(number >= 0 && number <= 0x1p53) ||
        number != (double)(int64_t)number)
        return false;
    *ret_count = (int64_t)number;
    return true;
}

static bool begins_with(hk_json_span s, const char *one_of) {
    return !s.size || strchr(one_of, *s.at);
}

const char *hk_trace_members(const hk_json_span members[HK_KEYS], hk_trace_line *line,
                             hk_sound_call *call) {
    hk_json_span mode = members[HK_KEY_MODE];
    if (!count_of(members[HK_KEY_N], &line->n))
        return "'n' is to be a whole number";
    if (!count_of(members[HK_KEY_CELL], &line->cell))
        return "'cell' is to be a whole number";
    if (!count_of(members[HK_KEY_PHASE], &line->phase))
        return "'phase' is to be a whole number";
    if (!count_of(members[HK_KEY_THREAD], &line->thread))
        return "'thread' is to be a whole number";
    if (!count_of(members[HK_KEY_ORDER], &line->order))
        return "'order' is to be a whole number";
    if (!begins_with(members[HK_KEY_H], "-0123456789"))
        return "'h' is to be a number";
    if (!begins_with(members[HK_KEY_STATUS], "\""))
        return "'status' is to be a text";
    if (!begins_with(members[HK_KEY_VALUES], "["))
        return "'values' is to be a list";
    if (!begins_with(members[HK_KEY_ALTERED], "tf"))
        return "'altered' is to be true or false";
    line->mode = hk_json_is_string(mode, "start")  ? HK_TRACE_START
                 : hk_json_is_string(mode, "init") ? HK_TRACE_INIT
                                                   : HK_TRACE_STEP;
    if (mode.size && line->mode == HK_TRACE_STEP && !hk_json_is_string(mode, "step"))
        return "'mode' is to be start, init or step";
    call->exchange = line->mode != HK_TRACE_STEP;
    call->altered = members[HK_KEY_ALTERED].size && *members[HK_KEY_ALTERED].at == 't';
    return NULL;
}

/* A number, a Boolean, or the text of a number that JSON has no form for. */
static bool number_of(hk_json_span s, double *ret_value) {
    bool truth;
    if (s.size && *s.at != '"' && hk_read_f64(s.at, s.size, ret_value))
        return true;                               /* a plain text may write it as JSON may not */
    if (s.size > 2 && *s.at == '"' && s.size <= 6) /* "nan", "inf", "-inf" */
        return strchr("nNiI-+", s.at[1]) && hk_read_f64(s.at + 1, s.size - 2, ret_value);
    if (!hk_read_bool(s.at, s.size, &truth))
        return false;
    *ret_value = truth;
    return true;
}

static bool is_null(hk_json_span s) {
    return s.size == 4 && memcmp(s.at, "null", 4) == 0;
}

/* NULL: an element is neither a number nor a text; with nothing in it: one is null. */
static const hk_sound_value *list_of(hk_arena *arena, hk_json_span s) {
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    hk_json_span list = s, element;
    size_t count = 0, size = 0;
    bool numbers = true, null = false;
    while (hk_json_element(&list, &element))
        count++;
    double *all = HK_NEW_ARRAY(arena, double, count + 1);
    char *texts = hk_arena_alloc(arena, s.size + count + 1);
    list = s;
    for (size_t i = 0; hk_json_element(&list, &element); i++) {
        size_t length = 0;
        bool number = number_of(element, &all[i]);
        const char *text = hk_json_decode(arena, element, &length);
        if (!number && !text && !is_null(element))
            return NULL;
        numbers = numbers && number;
        null = null || is_null(element);
        if (text)
            memcpy(texts + size, text, length + 1);
        size += length + 1;
    }
    if (null)
        return value;
    *value = numbers ? (hk_sound_value){.numbers = all, .count = count}
                     : (hk_sound_value){.text = texts, .size = size};
    return value;
}

bool hk_trace_value(hk_arena *arena, hk_json_span s, hk_sound_call *call) {
    call->many = NULL;
    call->has_value = number_of(s, &call->value);
    if (call->has_value || is_null(s))
        return true;
    if (s.size && *s.at == '[')
        return (call->many = list_of(arena, s)) != NULL;
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    value->text = hk_json_decode(arena, s, &value->size);
    call->many = value->text ? value : NULL;
    return call->many != NULL;
}
