/* SPDX-License-Identifier: MIT
 *
 * Messages of instances. They name variables by type and reference, "#r12#" in FMI 1.0 and 2.0, or
 * by reference alone, "#12#" in FMI 3.0; "##" stands for "#". */
#include "fmi/instance.h"

#include <stdlib.h>
#include <string.h>

/* The letter of a variable's type; enumerations are read as integers. */
static char letter_of(const hk_variable *v) {
    switch (v->type) {
    case HK_TYPE_F64:
        return 'r';
    case HK_TYPE_BOOL:
        return 'b';
    case HK_TYPE_STRING:
        return 's';
    default:
        return 'i';
    }
}

/* The variable that TEXT, which begins behind a '#', names; NULL: none. */
static const char *find_named(const hk_instance *in, const char *text, const char **ret_end) {
    const hk_info *info = in->base.info;
    char letter = in->names->untyped_refs ? '\0' : text[0];
    const char *number = letter ? text + 1 : text;
    size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits > 10 || number[digits] != '#')
        return NULL;
    unsigned long long ref = strtoull(number, NULL, 10);
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->ref == ref && (!letter || letter == letter_of(v))) {
            *ret_end = number + digits + 1;
            return v->name;
        }
    }
    return NULL;
}

/* The text with the names of the variables in it; free with hk_free. */
static char *name_variables(const hk_instance *in, const char *text) {
    char *result = NULL;
    size_t length = 0, cap = 0;
    while (*text && length < HK_FMU_LOG_BYTES) {
        const char *end = text + 1, *name = NULL;
        if (text[0] == '#' && text[1] == '#')
            end = text + 2;
        else if (text[0] == '#' && text[1])
            name = find_named(in, text + 1, &end);
        if (!name)
            HK_PUSH(result, length, cap, *text);
        for (; name && *name; name++)
            HK_PUSH(result, length, cap, *name);
        text = end;
    }
    HK_PUSH(result, length, cap, '\0');
    return result;
}

void hk_instance_log(hk_instance *in, const char *instance, int status, const char *category,
                     const char *text) {
    char *copy = NULL;
    /* A thread of a dead instance may still talk when its description is gone. */
    if (in && in->phase != HK_PHASE_DEAD && text && strchr(text, '#'))
        copy = name_variables(in, text);
    else if (text && strnlen(text, HK_FMU_LOG_BYTES) == HK_FMU_LOG_BYTES)
        copy = memcpy(hk_alloc(HK_FMU_LOG_BYTES), text, HK_FMU_LOG_BYTES - 1);
    hk_fmu_log_add(in ? &in->log : NULL, instance, status, category, copy ? copy : text);
    hk_free(copy);
}
