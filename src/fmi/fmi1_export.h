/* SPDX-License-Identifier: MIT
 *
 * For the sources of FMUs: the functions of fmi1_api.h, visible and with their prefix. Define
 * HK_FMI1_ID as the model identifier before; a function is then defined as
 *
 *     fmi1Status FMI1_NAME(DoStep)(fmi1Component c, fmi1Real t, fmi1Real h, fmi1Boolean new_step)
 */
#ifndef HK_FMI_FMI1_EXPORT_H
#define HK_FMI_FMI1_EXPORT_H

#include "fmi/fmi1_api.h"

#if defined(_WIN32) || defined(__CYGWIN__)
#define FMI1_Export __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI1_Export __attribute__((visibility("default")))
#else
#define FMI1_Export
#endif

#define FMI1_PASTE(id, word, name)  id##word##name
#define FMI1_EXPAND(id, word, name) FMI1_PASTE(id, word, name)
#define FMI1_NAME(name)             FMI1_EXPAND(HK_FMI1_ID, _fmi, name)
#define FMI1X_NAME(name)            FMI1_EXPAND(HK_FMI1_ID, _hk, name)

#define FMI1(need, name, result, arguments) FMI1_Export fmi1##name##Fn FMI1_NAME(name);
HK_FMI1_FUNCTIONS(FMI1)
#undef FMI1
#define FMI1X(name, result, arguments) FMI1_Export fmi1##name##Fn FMI1X_NAME(name);
HK_FMI1_EXTENSIONS(FMI1X)
#undef FMI1X

#endif
