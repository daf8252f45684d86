/* SPDX-License-Identifier: MIT
 *
 * A RoboChart module as a component: start-stamped, with the ports of chart_ports.h. An activation
 * at t of length h runs every cycle that begins in [t, t + h): the first of them sees the inputs of
 * t, and what they emit holds from t on. So a consumer that sees the component without lag sees, at
 * t, what the controller made of the inputs at t, and the plan puts it behind the controller. */
#ifndef HK_CHART_CHART_COMPONENT_H
#define HK_CHART_CHART_COMPONENT_H

#include "chart/chart.h"
#include "model/model.h"

/* Reads the module MODULE (NULL: the only one) of the file at PATH and describes it; MODEL owns it.
 */
HK_NODISCARD hk_status hk_chart_info(hk_ctx *ctx, hk_model *model, const char *path,
                                     const char *module, const hk_info **ret_info);
/* The same of a chart that was read. */
HK_NODISCARD hk_status hk_chart_describe(hk_ctx *ctx, hk_model *model, const hk_chart *chart,
                                         const hk_info **ret_info);
/* The chart behind a component; NULL: it is not one of these. */
const hk_chart *hk_chart_of(const hk_info *info);

#endif
