/* SPDX-License-Identifier: MIT
 *
 * The logger that FMI 1.0 instances call. It is told the component, which does not exist yet while
 * it is being made, and the name of the instance, which FMUs may get wrong. */
#include "fmi/fmi1_unit.h"

#include <string.h>

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static hk_fmi1_unit *list;
static _Thread_local hk_fmi1_unit *in_the_making;

void hk_fmi1_log_enter(hk_fmi1_unit *unit) {
    pthread_mutex_lock(&list_lock);
    unit->next = list;
    list = unit;
    pthread_mutex_unlock(&list_lock);
    in_the_making = unit;
}

void hk_fmi1_log_leave(hk_fmi1_unit *unit, fmi1Component component) {
    pthread_mutex_lock(&list_lock);
    unit->in.component = component;
    pthread_mutex_unlock(&list_lock);
    in_the_making = NULL;
}

void hk_fmi1_log_forget(hk_instance *in) {
    pthread_mutex_lock(&list_lock);
    hk_fmi1_unit **link = &list;
    while (*link && &(*link)->in != in)
        link = &(*link)->next;
    if (*link)
        *link = (*link)->next;
    pthread_mutex_unlock(&list_lock);
}

/* The instance that a message comes from, or NULL: by its component, else the one that this thread
 * is making, else by its name. */
static hk_fmi1_unit *find(fmi1Component c, const char *name) {
    for (hk_fmi1_unit *unit = list; c && unit; unit = unit->next)
        if (unit->in.component == c)
            return unit;
    if (in_the_making)
        return in_the_making;
    for (hk_fmi1_unit *unit = list; name && unit; unit = unit->next)
        if (strcmp(unit->in.base.name, name) == 0)
            return unit;
    return NULL;
}

void hk_fmi1_log(fmi1Component c, fmi1String instance, fmi1Status status, fmi1String category,
                 fmi1String message, ...) {
    char *name = hk_guarded_text(instance, HK_FMU_SAID_BYTES);
    va_list args;
    va_start(args, message);
    /* The instance must not go while its message is written. */
    pthread_mutex_lock(&list_lock);
    hk_fmi1_unit *unit = find(c, name);
    hk_instance_log_formatted(unit ? &unit->in : NULL, name, status, category, message, args);
    pthread_mutex_unlock(&list_lock);
    va_end(args);
    hk_free(name);
}
