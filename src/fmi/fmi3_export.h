/* SPDX-License-Identifier: MIT
 *
 * For the sources of FMUs: the prototypes of fmi3_api.h, marked as visible. */
#ifndef HK_FMI_FMI3_EXPORT_H
#define HK_FMI_FMI3_EXPORT_H

#include "fmi/fmi3_api.h"

#define FMI3(need, name, result, arguments)                                                        \
    __attribute__((visibility("default"))) fmi3##name##Fn fmi3##name;
HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3

#endif
