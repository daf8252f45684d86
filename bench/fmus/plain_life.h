/* SPDX-License-Identifier: MIT
 *
 * The life of an FMU whose memory is one block and that has nothing to do when it is initialised
 * and terminated, in any version of FMI: types begin with V, and BEGIN is the function that is told
 * the experiment. */
#ifndef HK_BENCH_PLAIN_LIFE_H
#define HK_BENCH_PLAIN_LIFE_H

#include <stdlib.h>

#define PLAIN_CALL(v, unit, name)                                                                  \
    v##Status v##name(v##unit x) {                                                                 \
        (void)x;                                                                                   \
        return v##OK;                                                                              \
    }

#define PLAIN_LIFE(v, unit, real, begin)                                                           \
    v##Status v##begin(v##unit x, v##Boolean tolerance_defined, v##real tolerance, v##real start,  \
                       v##Boolean stop_defined, v##real stop) {                                    \
        (void)x, (void)tolerance_defined, (void)tolerance, (void)start, (void)stop_defined;        \
        (void)stop;                                                                                \
        return v##OK;                                                                              \
    }                                                                                              \
    PLAIN_CALL(v, unit, ExitInitializationMode)                                                    \
    PLAIN_CALL(v, unit, Terminate)                                                                 \
    void v##FreeInstance(v##unit x) {                                                              \
        free(x);                                                                                   \
    }

#endif
