/* SPDX-License-Identifier: MIT
 *
 * C from a RoboChart module: a native component that does, to the bit, what the interpreter
 * (chart/chart_run.h) does. It allocates nothing and has the names of the model. */
#ifndef HK_GEN_CHART_GEN_H
#define HK_GEN_CHART_GEN_H

#include "chart/chart.h"
#include "gen/gen_text.h"

/* The whole C file of CHART, behind what is in *RET_TEXT. TIME_UNIT: start value of that parameter,
 * in seconds. */
HK_NODISCARD hk_status hk_gen_chart_text(hk_ctx *ctx, hk_arena *arena, const hk_chart *chart,
                                         double time_unit, hk_text *ret_text);

#endif
