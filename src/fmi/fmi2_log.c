/* SPDX-License-Identifier: MIT
 *
 * The logger that FMI 2.0 instances call. Messages are written printf-style, and name variables by
 * type and reference: "#r12#"; "##" stands for "#". */
#include "fmi/fmi2_unit.h"

#include <stdlib.h>
#include <string.h>

/* The variable that TEXT, which begins behind a '#', names; NULL: none. */
static const char *find_named(const hk_info *info, const char *text, const char **ret_end) {
    static const struct {
        char letter;
        hk_store store;
    } kinds[] = {
        {'r', HK_STORE_F64}, {'i', HK_STORE_I32}, {'b', HK_STORE_BOOL32}, {'s', HK_STORE_BYTES}};
    size_t digits = strspn(text + 1, "0123456789");
    if (digits == 0 || digits > 10 || text[1 + digits] != '#')
        return NULL;
    unsigned long long ref = strtoull(text + 1, NULL, 10);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].letter != text[0])
            continue;
        for (size_t i = 0; i < info->variable_count; i++) {
            const hk_variable *v = &info->variables[i];
            if (v->ref == ref && v->store == kinds[k].store) {
                *ret_end = text + 2 + digits;
                return v->name;
            }
        }
    }
    return NULL;
}

/* The text with the names of the variables in it; free with hk_free. */
static char *name_variables(const hk_info *info, const char *text) {
    char *result = NULL;
    size_t length = 0, cap = 0;
    while (*text && length < HK_FMU_LOG_BYTES) {
        const char *end = text + 1, *name = NULL;
        if (text[0] == '#' && text[1] == '#')
            end = text + 2;
        else if (text[0] == '#' && text[1])
            name = find_named(info, text + 1, &end);
        if (!name)
            HK_PUSH(result, length, cap, *text);
        for (; name && *name; name++)
            HK_PUSH(result, length, cap, *name);
        text = end;
    }
    HK_PUSH(result, length, cap, '\0');
    return result;
}

void hk_fmi2_log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...) {
    hk_fmi2_unit *unit = environment;
    char *text = NULL;
    if (message) {
        va_list args;
        va_start(args, message);
        text = hk_fmu_log_format(message, args);
        va_end(args);
    }
    /* A thread of a dead instance may still talk when its description is gone. */
    if (unit && unit->phase != HK_FMI2_DEAD && text && strchr(text, '#')) {
        char *named = name_variables(unit->base.info, text);
        hk_free(text);
        text = named;
    }
    hk_fmu_log_add(unit ? &unit->log : NULL, instance, status, category, text);
    hk_free(text);
}
