/* SPDX-License-Identifier: MIT
 *
 * The schedule file: a small text that can accompany any system and says where its components run,
 * with which lags its connections work, and what must hold about the age of data.
 *
 *     # comment
 *     processor LP1: cables elevator engine        # order of execution
 *     processor LP2: fcc1a fcc1b
 *     cut hla                                       # or: cut keep
 *     component elevator period 5ms offset 1ms priority 2
 *     link cables.delta_e_c -> elevator.delta_e_c lag previous delay 10ms initial 0.012
 *     latency az -> fcc1a -> fcc1b min 0ms max 20ms
 *     coincidence az -> fcc1b, az -> fcc1a -> fcc1b
 *     freshness cables max 40ms
 *
 * One statement a line; times are exact ("0.005", "1/200", "5ms"); names with other characters than
 * letters, digits, '_', '.', '[' and ']' are in double quotes. */
#ifndef HK_LANG_SCHEDULE_H
#define HK_LANG_SCHEDULE_H

#include "model/model.h"

/* Adds what the schedule says to MODEL, whose components and connections are complete. Reports all
 * mistakes it finds, each with its place, and fails if there was one. FIRST_LINE is the number of
 * the first line of DATA in FILE. */
HK_NODISCARD hk_status hk_schedule_parse(hk_ctx *ctx, hk_model *model, const char *file,
                                         int first_line, const char *data, size_t size);
HK_NODISCARD hk_status hk_schedule_read(hk_ctx *ctx, hk_model *model, const char *path);

#endif
