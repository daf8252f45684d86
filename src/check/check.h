/* SPDX-License-Identifier: MIT
 *
 * What can be said about a model before it runs, independent of the plan. */
#ifndef HK_CHECK_CHECK_H
#define HK_CHECK_CHECK_H

#include "model/model.h"

/* Checks wiring (ends exist and have the right causality, one driver per input, types can be
 * joined, equal sizes), units (HK_E_UNIT_MISMATCH where they cannot be converted), enumerations,
 * once-per-process, parameter ranges, and warns about unconnected inputs without start value and
 * about start-stamped/needs-tool matters. Reports as much as it finds and returns
 * HK_E_CHECK_FAILED or the code of the only error. It changes nothing: what a run needs is derived
 * by hk_model_lower. */
HK_NODISCARD hk_status hk_check_model(hk_ctx *ctx, const hk_model *model);

/* The first component of the same type, if that allows one instance per process; else COMPONENT. */
uint32_t hk_check_first_instance(const hk_model *model, uint32_t component);

#endif
