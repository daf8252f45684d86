/* SPDX-License-Identifier: MIT
 *
 * The last part of the way to a run: what is recorded of it and where to, and the simulation of the
 * engine. */
#ifndef HK_ASSEMBLY_RECORDING_H
#define HK_ASSEMBLY_RECORDING_H

#include "assembly/assembly.h"
#include "nodes/nodes.h"
#include "record/recorder.h"

typedef struct hk_recording {
    hk_column *columns;
    size_t column_count, row_size;
    bool by_default;           /* no pattern was given */
    const hk_resumed *resumed; /* the file goes on; NULL: it is replaced */
    hk_recorder *recorder;     /* NULL: not opened, or closed */
} hk_recording;

/* Chooses and lays out the columns, in ARENA; without patterns, what is recorded by default. */
HK_NODISCARD hk_status hk_recording_select(hk_ctx *ctx, const hk_model *model, hk_texts patterns,
                                           hk_arena *arena, hk_recording *ret_recording);
/* Opens the file. BEGUN: what it says about itself from the first row on; NULL: nothing. Says so if
 * there is nothing to record but the time. The caller starts its thread (hk_recorder_start) when
 * the simulation is made. */
HK_NODISCARD hk_status hk_recording_open(hk_ctx *ctx, const hk_model *model, const char *path,
                                         const hk_about *begun, hk_recording *recording);
/* Compiles it, if that was asked for: what the engine would do now. */
HK_NODISCARD hk_status hk_assembly_fuse(hk_ctx *ctx, const hk_assembly *assembly, hk_sim *sim);
/* Makes the simulation of a plan of the assembly: what was assembled and is not the model's (the
 * conditions that end a run) goes into OPTIONS. It is compiled if that was asked for. */
HK_NODISCARD hk_status hk_assembly_simulate(hk_ctx *ctx, const hk_assembly *assembly,
                                            const hk_plan *plan, hk_sim_options *options,
                                            hk_sim **ret_sim);

/* A run that can begin: here, or on several processes. */
typedef struct hk_started {
    hk_sim *sim;
    hk_nodes *nodes; /* NULL: all components run here */
} hk_started;
/* The same on as many nodes as were asked for. PREPARE is called with the simulation of each
 * process but this one (hk_nodes_options); NULL: nothing has to be done there. */
HK_NODISCARD hk_status hk_assembly_start(hk_ctx *ctx, const hk_assembly *assembly,
                                         const hk_plan *plan, hk_sim_options *options,
                                         const hk_nodes_options *prepare, hk_started *ret_started);
/* It goes on from a state, which PREPARE has named for nodes; the state that it has now, or has
 * ended with, goes to a file, which PREPARE has asked for. */
HK_NODISCARD hk_status hk_started_load(const hk_started *started, const char *path);
HK_NODISCARD hk_status hk_started_save(const hk_started *started, const char *path);
/* To its end; PREPARE has asked for the checkpoints of nodes. */
HK_NODISCARD hk_status hk_started_run(const hk_started *started, const hk_checkpoints *checkpoints);
void hk_started_destroy(hk_started *started); /* also of what was never started */

#endif
