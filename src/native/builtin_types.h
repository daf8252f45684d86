/* SPDX-License-Identifier: MIT
 *
 * What the definitions of built-in types share. Like builtin.c it is also part of the program as
 * text, so it includes public headers only. */
#ifndef HK_NATIVE_BUILTIN_TYPES_H
#define HK_NATIVE_BUILTIN_TYPES_H

#include <hk/unit.h>

/* The beginning of the definition of a built-in type. */
#define HK_BUILTIN_TYPE(type, full_name, table)                                                    \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (full_name),                         \
    .instance_size = sizeof(type), .ports = (table), .port_count = sizeof(table) / sizeof *(table)

/* Those of builtin.c: the type hk_builtin_NAME, whose step is NAME_step. */
#define HK_BUILTINS(X)                                                                             \
    X(constant)                                                                                    \
    X(sine)                                                                                        \
    X(step_source)                                                                                 \
    X(ramp)                                                                                        \
    X(noise)                                                                                       \
    X(gain)                                                                                        \
    X(sum)                                                                                         \
    X(switcher)                                                                                    \
    X(delay)                                                                                       \
    X(integrator)                                                                                  \
    X(rotation)
#define HK_BUILTIN_DECLARE(name) extern const hk_unit_type hk_builtin_##name;
HK_BUILTINS(HK_BUILTIN_DECLARE)

#endif
