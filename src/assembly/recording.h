/* SPDX-License-Identifier: MIT
 *
 * The last part of the way to a run: what is recorded of it and where to, and the simulation of the
 * engine. */
#ifndef HK_ASSEMBLY_RECORDING_H
#define HK_ASSEMBLY_RECORDING_H

#include "assembly/assembly.h"
#include "record/recorder.h"

typedef struct hk_recording {
    hk_column *columns;
    size_t column_count, row_size;
    bool by_default;       /* no pattern was given */
    hk_recorder *recorder; /* NULL: not opened, or closed */
} hk_recording;

/* Chooses and lays out the columns, in ARENA; without patterns, what is recorded by default. */
HK_NODISCARD hk_status hk_recording_select(hk_ctx *ctx, const hk_model *model, hk_texts patterns,
                                           hk_arena *arena, hk_recording *ret_recording);
/* Opens the file. BEGUN: what it says about itself from the first row on; NULL: nothing. Says so if
 * there is nothing to record but the time. */
HK_NODISCARD hk_status hk_recording_open(hk_ctx *ctx, const hk_model *model, const char *path,
                                         const hk_about *begun, hk_recording *recording);
/* Makes the simulation of a plan of the assembly: what was assembled and is not the model's (the
 * conditions that end a run) goes into OPTIONS. It is compiled if that was asked for. */
HK_NODISCARD hk_status hk_assembly_simulate(hk_ctx *ctx, const hk_assembly *assembly,
                                            const hk_plan *plan, hk_sim_options *options,
                                            hk_sim **ret_sim);

#endif
