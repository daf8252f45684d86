/* SPDX-License-Identifier: MIT
 *
 * For the sources of FMUs: the prototypes of fmi2_api.h, marked as visible. */
#ifndef HK_FMI_FMI2_EXPORT_H
#define HK_FMI_FMI2_EXPORT_H

#include "fmi/fmi2_api.h"

#define FMI2(need, name, result, arguments)                                                        \
    __attribute__((visibility("default"))) fmi2##name##Fn fmi2##name;
HK_FMI2_FUNCTIONS(FMI2)
#undef FMI2

#endif
