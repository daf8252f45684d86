/* SPDX-License-Identifier: MIT
 *
 * A line of a trace is one object of JSON, whose members are looked at where they lie. */
#include "sound/trace.h"

#include "base/number.h"

#include <string.h>

static const char *const key_names[] = {"n",      "t",      "op",     "instance", "mode",
                                        "ports",  "values", "h",      "status",   "phase",
                                        "thread", "order",  "altered"};

static hk_trace_key key_of(const char *text, size_t length) {
    for (hk_trace_key key = 0; key < HK_KEYS; key++)
        if (strncmp(key_names[key], text, length) == 0 && !key_names[key][length])
            return key;
    return HK_KEYS;
}

/* A known name of which one byte is another. */
static const char *damaged(const char *text) {
    for (hk_trace_key key = 0; key < HK_KEYS; key++) {
        size_t length = strlen(key_names[key]), other = 0;
        for (size_t i = 0; strlen(text) == length && i < length; i++)
            other += text[i] != key_names[key][i];
        if (other == 1 && length > 1)
            return key_names[key];
    }
    return NULL;
}

/* Unknown members are fine, unless they look like one that is damaged. */
static const char *check_member(hk_arena *arena, hk_json_span name, hk_trace_key known,
                                const hk_json_span *members) {
    if (known < HK_KEYS)
        return members[known].size ? hk_arena_printf(arena, "'%s' is given twice", key_names[known])
                                   : NULL;
    const char *text = hk_json_decode(arena, name, NULL), *meant = damaged(text);
    return meant
               ? hk_arena_printf(arena, "there is no member '%s'; did you mean '%s'?", text, meant)
               : NULL;
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
        hk_trace_key known = key_of(name.at + 1, name.size - 2);
        const char *wrong = check_member(arena, name, known, ret_members);
        if (wrong)
            return wrong;
        if (known < HK_KEYS)
            ret_members[known] = value;
    }
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

static const hk_sound_value *list_of(hk_arena *arena, hk_json_span s) {
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    hk_json_span list = s, element;
    size_t count = 0, size = 0;
    bool numbers = true;
    while (hk_json_element(&list, &element))
        count++;
    double *all = HK_NEW_ARRAY(arena, double, count + 1);
    char *texts = hk_arena_alloc(arena, s.size + count + 1);
    list = s;
    for (size_t i = 0; hk_json_element(&list, &element); i++) {
        size_t length = 0;
        numbers = numbers && number_of(element, &all[i]);
        const char *text = hk_json_decode(arena, element, &length);
        if (!text && !numbers)
            return value; /* null, or a list of lists */
        if (text)
            memcpy(texts + size, text, length + 1);
        size += length + 1;
    }
    *value = numbers ? (hk_sound_value){.numbers = all, .count = count}
                     : (hk_sound_value){.text = texts, .size = size};
    return value;
}

void hk_trace_value(hk_arena *arena, hk_json_span s, hk_sound_call *call) {
    call->many = NULL;
    call->has_value = number_of(s, &call->value);
    if (call->has_value || !s.size)
        return;
    if (*s.at == '[') {
        call->many = list_of(arena, s);
        return;
    }
    hk_sound_value *value = HK_NEW(arena, hk_sound_value);
    value->text = hk_json_decode(arena, s, &value->size);
    call->many = value->text ? value : NULL;
}
