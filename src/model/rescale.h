/* SPDX-License-Identifier: MIT
 *
 * A component whose variables are told in other units than it computes in: everything outside, from
 * settings to records, sees the told ones, and every value is converted on its way in and out. */
#ifndef HK_MODEL_RESCALE_H
#define HK_MODEL_RESCALE_H

#include "model/info.h"

typedef struct hk_scale {
    bool used;                     /* false: the variable is told as it is */
    double factor, offset;         /* told = factor * own + offset */
    double own_factor, own_offset; /* own = own_factor * told + own_offset */
} hk_scale;

/* Tells VARIABLE, a real one, in UNIT: start value, limits and nominal value are converted. False:
 * UNIT is of another dimension. *ret_scale is not used if the units are the same. Texts and values
 * live in ARENA. */
bool hk_variable_rescale(hk_arena *arena, hk_variable *variable, const char *unit,
                         const hk_uom *uom, hk_scale *ret_scale);
/* TOLD is a description of INFO whose variables were rescaled by SCALES, one per variable; it gets
 * a class that converts. The variables of INFO are reached by calls, not by their addresses. All of
 * them live as long as ARENA, whose end is not before that of the last instance. */
void hk_info_rescale(hk_arena *arena, hk_info *told, const hk_info *info, const hk_scale *scales);

#endif
