/* SPDX-License-Identifier: MIT
 *
 * The functions of FMI 3.0 that a test FMU has no use for. Since 3.0.1 a library must export them
 * all, and FMPy loads them all. What the FMU defines itself takes the place of these. */
#include "fmi/fmi3_export.h"

/* Stands for functions of every type: none of them is ever called. */
static fmi3Status refuse(void) {
    return fmi3Error;
}

#ifndef __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
#define FMI3(need, name, result, arguments)                                                        \
    extern __attribute__((weak, alias("refuse"))) fmi3##name##Fn fmi3##name;
HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3
