/* SPDX-License-Identifier: MIT
 *
 * What fmi1_shell.c, fmi2_shell.c and fmi3_shell.c share. */
#ifndef HK_SHELL_VERSION_H
#define HK_SHELL_VERSION_H

#include "shell_core.h"

#include <stdlib.h>

/* The instance must be one, and arrays must be there. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return HK_SHELL_ERROR;                                                                 \
    } while (0)

/* FMI 2.0, 3.0: from the end of initialization to the end of the instance. V is what types begin
 * with, UNIT the instance's own type, NAME(NAME) a function's name for the linker. */
#define HK_SHELL_LIFE(NAME, v, unit)                                                               \
    v##Status NAME(ExitInitializationMode)(v##unit x) {                                            \
        NEED(x);                                                                                   \
        return hk_shell_finish_initialization(x, #v "ExitInitializationMode");                     \
    }                                                                                              \
    v##Status NAME(Terminate)(v##unit x) {                                                         \
        NEED(x);                                                                                   \
        return hk_shell_terminate(x, #v "Terminate");                                              \
    }                                                                                              \
    v##Status NAME(Reset)(v##unit x) {                                                             \
        NEED(x);                                                                                   \
        return hk_shell_reset(x);                                                                  \
    }                                                                                              \
    void NAME(FreeInstance)(v##unit x) {                                                           \
        if (x)                                                                                     \
            hk_shell_close(x);                                                                     \
        free(x);                                                                                   \
    }

/* FMI 2.0, 3.0: a function that is there, as the standard demands, and refuses. What it is given is
 * left aside, which a file says by HK_SHELL_LEAVE_ASIDE before the first of them. */
#define HK_SHELL_REFUSED(name, text, result, arguments, x, why)                                    \
    result name arguments {                                                                        \
        NEED(x);                                                                                   \
        return hk_shell_refuse(x, text, why);                                                      \
    }
#ifdef __GNUC__
#define HK_SHELL_LEAVE_ASIDE _Pragma("GCC diagnostic ignored \"-Wunused-parameter\"")
#else
#define HK_SHELL_LEAVE_ASIDE
#endif

/* FMI 2.0, 3.0: states. KEPT and DESERIALIZE are as in HK_FMI_STATES. */
#define HK_SHELL_STATES(NAME, v, unit, kept, deserialize)                                          \
    v##Status NAME(Get##kept)(v##unit x, v##kept * state) {                                        \
        NEED(x);                                                                                   \
        return hk_shell_state_get(x, #v "Get" #kept, state);                                       \
    }                                                                                              \
    v##Status NAME(Set##kept)(v##unit x, v##kept state) {                                          \
        NEED(x);                                                                                   \
        return hk_shell_state_set(x, #v "Set" #kept, state);                                       \
    }                                                                                              \
    v##Status NAME(Free##kept)(v##unit x, v##kept * state) {                                       \
        NEED(x);                                                                                   \
        return hk_shell_state_free(x, state);                                                      \
    }                                                                                              \
    v##Status NAME(Serialized##kept##Size)(v##unit x, v##kept state, size_t * size) {              \
        NEED(x);                                                                                   \
        return hk_shell_state_size(x, #v "Serialized" #kept "Size", state, size);                  \
    }                                                                                              \
    v##Status NAME(Serialize##kept)(v##unit x, v##kept state, v##Byte bytes[], size_t size) {      \
        NEED(x);                                                                                   \
        return hk_shell_state_save(x, #v "Serialize" #kept, state, bytes, size);                   \
    }                                                                                              \
    v##Status NAME(deserialize##kept)(v##unit x, const v##Byte bytes[], size_t size,               \
                                      v##kept *state) {                                            \
        NEED(x);                                                                                   \
        return hk_shell_state_load(x, #v #deserialize #kept, bytes, size, state);                  \
    }

#endif
