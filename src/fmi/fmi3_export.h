/* SPDX-License-Identifier: MIT
 *
 * For the sources of FMUs: the prototypes of fmi3_api.h, visible and with the prefix that the
 * standard's own header would give them. A function is defined as
 *
 *     fmi3Status FMI3_NAME(Terminate)(fmi3Instance i)
 *
 * FMI3_FUNCTION_PREFIX is the prefix, for sources and static libraries. For a shared library it is
 * not defined, or FMI3_OVERRIDE_FUNCTION_PREFIX is: then FMI3_ACTUAL_FUNCTION_PREFIX counts. */
#ifndef HK_FMI_FMI3_EXPORT_H
#define HK_FMI_FMI3_EXPORT_H

#include "fmi/fmi3_api.h"

#if defined(FMI3_FUNCTION_PREFIX) && !defined(FMI3_OVERRIDE_FUNCTION_PREFIX)
#define FMI3_ACTUAL_FUNCTION_PREFIX FMI3_FUNCTION_PREFIX
#endif

#ifndef FMI3_Export
#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI3_Export __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI3_Export __attribute__((visibility("default")))
#else
#define FMI3_Export
#endif
#endif

#ifdef FMI3_ACTUAL_FUNCTION_PREFIX
#define FMI3_PASTE(prefix, name)  prefix##fmi3##name
#define FMI3_EXPAND(prefix, name) FMI3_PASTE(prefix, name)
#define FMI3_NAME(name)           FMI3_EXPAND(FMI3_ACTUAL_FUNCTION_PREFIX, name)
#else
#define FMI3_NAME(name) fmi3##name
#endif

#define FMI3(need, name, result, arguments) FMI3_Export fmi3##name##Fn FMI3_NAME(name);
HK_FMI3_FUNCTIONS(FMI3)
#undef FMI3

#endif
