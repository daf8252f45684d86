/* SPDX-License-Identifier: MIT
 *
 * Models in Promela, judged by spin. */
#ifndef HK_TEST_SPIN_H
#define HK_TEST_SPIN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* HK_SOUND_SPIN=0 leaves it out: most of the time of such a test goes into the C compiler. */
static inline bool spin_is_there(void) {
    const char *wanted = getenv("HK_SOUND_SPIN");
    return !(wanted && strcmp(wanted, "0") == 0) && system("spin -V >/dev/null 2>&1") == 0;
}

/* Errors that spin finds; below 0: it did not come to an answer. FLAGS are for the compiler,
 * OPTIONS for the search. */
static inline int spin_check(const char *promela, const char *flags, const char *options,
                             long *ret_states) {
    char folder[] = "/tmp/hocket_spin_XXXXXX", line[512];
    int errors = -1;
    if (!promela || !mkdtemp(folder))
        return -1;
    snprintf(line, sizeof line, "%s/m.pml", folder);
    FILE *file = fopen(line, "w");
    fputs(promela, file);
    fclose(file);
    snprintf(line, sizeof line,
             "cd %s && spin -a m.pml >out 2>&1 && cc=$(command -v tcc || echo cc -O0) && "
             "$cc -w %s -o pan pan.c >>out 2>&1 && ./pan %s -n >>out 2>&1",
             folder, flags, options);
    int status = system(line);
    bool cut = false;
    snprintf(line, sizeof line, "%s/out", folder);
    file = fopen(line, "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *found = strstr(line, "errors: ");
        if (found)
            errors = atoi(found + 8);
        if (ret_states && strstr(line, "states, stored"))
            *ret_states = atol(line);
        cut = cut || strstr(line, "Search not completed") || strstr(line, "max search depth too");
        if (errors < 0 && status)
            fputs(line, stderr);
    }
    if (file)
        fclose(file);
    if (cut && errors == 0)
        errors = -1; /* what it has not looked at may be wrong */
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line) == 0 ? errors : -1;
}

#endif
