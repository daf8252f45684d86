/* SPDX-License-Identifier: MIT
 *
 * Messages of instances. They name variables by type and reference, "#r12#" in FMI 1.0 and 2.0, or
 * by reference alone, "#12#" in FMI 3.0; "##" stands for "#". */
#include "fmi/instance.h"

#include <pthread.h>
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
    /* Names may be longer than what stands for them, but not without end. */
    while (*text && length < 2 * (size_t)HK_FMU_LOG_BYTES) {
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
    if (*text) {
        char mark[HK_CUT_MARK_BYTES];
        size_t size = hk_cut_mark(mark, strlen(text), false);
        for (size_t i = 0; i < size; i++)
            HK_PUSH(result, length, cap, mark[i]);
    }
    HK_PUSH(result, length, cap, '\0');
    return result;
}

/* All instances that are there. What an FMU hands to its logger as the environment may be anything:
 * it is believed only if it is one of these. */
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_instance *known;

void hk_instance_know(hk_instance *in) {
    pthread_mutex_lock(&known_lock);
    in->next_known = known;
    known = in;
    pthread_mutex_unlock(&known_lock);
}

void hk_instance_forget(hk_instance *in) {
    pthread_mutex_lock(&known_lock);
    hk_instance **link = &known;
    while (*link && *link != in)
        link = &(*link)->next_known;
    if (*link)
        *link = in->next_known;
    pthread_mutex_unlock(&known_lock);
}

/* The one with that address, else with that name, else the only one; NULL: it cannot be told. */
static hk_instance *find_known(const void *environment, const char *name) {
    for (hk_instance *in = known; in; in = in->next_known)
        if (in == environment)
            return in;
    for (hk_instance *in = known; name && in; in = in->next_known)
        if (strcmp(in->base.name, name) == 0)
            return in;
    return environment && known && !known->next_known ? known : NULL;
}

bool hk_instance_log_wish(const hk_instance *in, const char *const **ret_names, size_t *ret_count) {
    if (in->logging)
        return hk_fmu_log_choice(in->fmu, in->arena, ret_names, ret_count);
    *ret_names = in->fmu->failure_logs;
    *ret_count = in->fmu->failure_log_count;
    return *ret_count > 0;
}

void hk_instance_log_from(const void *environment, const char *instance, int status,
                          const char *category, const char *text) {
    pthread_mutex_lock(&known_lock); /* the instance must not go while its message is written */
    hk_instance *in = find_known(environment, instance);
    hk_instance_log(in, instance, status, category, text);
    pthread_mutex_unlock(&known_lock);
}

void hk_instance_log_formatted(const void *environment, const char *instance, int status,
                               const char *category, const char *message, va_list args) {
    char *name = hk_guarded_text(instance, HK_FMU_SAID_BYTES);
    char *kind = hk_guarded_text(category, HK_FMU_SAID_BYTES);
    char *format = hk_guarded_text(message, HK_FMU_READ_BYTES);
    char *text = format ? hk_fmu_log_format(format, args) : NULL;
    hk_instance_log_from(environment, name, status, kind, text);
    hk_free(text);
    hk_free(format);
    hk_free(kind);
    hk_free(name);
}

void hk_instance_log(hk_instance *in, const char *instance, int status, const char *category,
                     const char *text) {
    char *copy = NULL;
    /* A thread of a dead instance may still talk when its description is gone. */
    if (in && in->phase != HK_PHASE_DEAD && text && strchr(text, '#'))
        copy = name_variables(in, text);
    hk_fmu_log_add(in ? &in->log : NULL, instance, status, category, copy ? copy : text);
    hk_free(copy);
}
