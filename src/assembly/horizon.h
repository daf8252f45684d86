/* SPDX-License-Identifier: MIT
 *
 * How the times of an experiment fit each other: its grid, and what no double can tell apart. */
#ifndef HK_ASSEMBLY_HORIZON_H
#define HK_ASSEMBLY_HORIZON_H

#include "model/model.h"

/* Is TIME a whole number of STEPs? */
bool hk_horizon_is_whole(hk_ratio time, hk_ratio step);
/* What all periods and offsets are multiples of; the shortest period if that is much shorter still.
 * False: no component has a period. */
bool hk_horizon_common_period(const hk_model *model, hk_ratio *ret_period);
/* The shortest time from one activation of a component to its next. */
hk_ratio hk_horizon_shortest_step(const hk_model *model);
/* A stop time that only digits of rounding part from the end of a step is moved there, which is
 * reported: else the last step would be one that the clock of a component cannot tell. WHERE is for
 * that note. True: it was moved. */
bool hk_horizon_fit_stop(hk_ctx *ctx, hk_model *model, hk_where where);
/* The same for rows: so that none comes right before the last one, at the same time. */
bool hk_horizon_fit_interval(hk_ctx *ctx, hk_model *model, hk_where where);

#endif
