/* SPDX-License-Identifier: MIT
 *
 * The components of package `hk`, which are linked into hocket: sources, sums, switches, adapters,
 * tables. They are ordinary native types: hk_native_info(ctx, model, type, ...) describes them, and
 * all that a reader of systems must know of a leaf type is in that description. Ports called
 * "u.x", "u.y", "u.z" are one port `u` of the record type core.Coordinate3D.
 *
 * Ports have no unit unless they can have only one, so they take and give values in whatever unit
 * is connected. docs/builtins.md lists all of them. */
#ifndef HK_NATIVE_BUILTIN_H
#define HK_NATIVE_BUILTIN_H

#include <hk/unit.h>

/* All of them, in the order of the documentation; NULL ends the list. */
const hk_unit_type *const *hk_builtin_types(void);
/* By its full name, "hk.Gain"; NULL: there is none. */
const hk_unit_type *hk_builtin_find(const char *name);
/* The name closest to NAME, for "did you mean"; NULL: none is close. */
const char *hk_builtin_closest(const char *name);

/* The file of this room that can be compiled anywhere, and the name of the step of TYPE in it;
 * NULL: it is not there. */
#define HK_BUILTIN_SOURCE "builtin.c"
const char *hk_builtin_step_name(const hk_unit_type *type);

#endif
