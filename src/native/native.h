/* SPDX-License-Identifier: MIT
 *
 * Components that are not FMUs: native C components, linked or from a plugin, and tables. */
#ifndef HK_NATIVE_NATIVE_H
#define HK_NATIVE_NATIVE_H

#include "model/model.h"
#include "model/unit.h"

#include <hk/world.h>

/* Makes the description of a native type; it lives in the model's arena. */
HK_NODISCARD hk_status hk_native_info(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                                      const hk_info **ret_info);
/* Limits of hk_sum_info. */
enum { HK_SUM_INPUTS_MAX = 1000, HK_SUM_DIMENSION_MAX = 100 };
/* The built-in component called NAME: "hk.Gain", or one that is made to measure:
 * "hk.VectorSum?inputs=3&dimension=2" (without a dimension: of numbers), "hk.Hold?type=Boolean"
 * (Float64, Int64). What is made to measure is called so itself: hk_info.name. */
HK_NODISCARD hk_status hk_builtin_info(hk_ctx *ctx, hk_model *model, const char *name,
                                       hk_where where, const hk_info **ret_info);
/* A start-stamped sum of INPUTS vectors, ports in[0][0] ... and out[0] ..., or, with DIMENSION 0,
 * of numbers: in[0] ... and out. */
HK_NODISCARD hk_status hk_sum_info(hk_ctx *ctx, hk_model *model, size_t inputs, size_t dimension,
                                   const hk_info **ret_info);
/* What passes values of this type on from `u` to `y` at its own rate; NULL: there is none. */
const hk_unit_type *hk_hold_type(hk_type type);
/* The type behind a description that this room made of one; NULL: it made it of something else. */
const hk_unit_type *hk_native_type_of(const hk_info *info);
/* Loads the plugin at PATH (a shared library) and finds the type called NAME in it, or the only one
 * if NAME is NULL. MODEL owns the library from then on. One library is loaded once, however many
 * types are asked of it. */
HK_NODISCARD hk_status hk_plugin_info(hk_ctx *ctx, hk_model *model, const char *path,
                                      const char *name, const hk_info **ret_info);

/* The same where the type may as well be elsewhere: *ret_info is NULL if it is not in there. */
HK_NODISCARD hk_status hk_plugin_find(hk_ctx *ctx, hk_model *model, const char *path,
                                      const char *name, const hk_info **ret_info);

/* What the plugin at PATH has for worlds, as it says; *ret_types is NULL: nothing. */
HK_NODISCARD hk_status hk_plugin_world(hk_ctx *ctx, hk_model *model, const char *path,
                                       const hk_world_types **ret_types);

/* Makes the description of the table at PATH (format/table_read.h) as a component: start-stamped,
 * one output per column, linear between rows; held until the next row with HOLD, and where the
 * table says that a column is not a real number, or all its cells are 'true' or 'false'. */
HK_NODISCARD hk_status hk_table_info(hk_ctx *ctx, hk_model *model, const char *path, bool hold,
                                     const hk_info **ret_info);
/* Reads the table at PATH and adds it to MODEL as a component named "input" (or "input2" ...):
 * start-stamped, one output per column, linear between rows where the driven input is continuous
 * and held where it is not. Each column is connected, with lag 0, to the variable it names
 * ("component.variable", or "variable" in a model of one component). */
HK_NODISCARD hk_status hk_table_add(hk_ctx *ctx, hk_model *model, const char *path);
/* The times of the first and the last row of a table, and the lines they are in. */
typedef struct hk_table_ends {
    double first, last;
    int first_line, last_line;
} hk_table_ends;
bool hk_table_span(const hk_info *info, hk_table_ends *ret_ends); /* false: it is not a table */

#endif
