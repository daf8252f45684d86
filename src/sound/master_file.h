/* SPDX-License-Identifier: MIT
 *
 * A master in words that is run (docs/masters.md): it gives the connections of a model their lag
 * words and its components an order; the plan is made with both; then the calls, as they are
 * written, are proved right for that plan.
 *
 * What is run is the program of the plan. It has the master's order of steps; each set is made
 * right before the step that it is for, each get right after the step that it is of. No instance
 * can tell that from the order that is written, and by the proof both hand over the same values. */
#ifndef HK_SOUND_MASTER_FILE_H
#define HK_SOUND_MASTER_FILE_H

#include "plan/program.h"
#include "sound/sound.h"

typedef struct hk_master_file {
    hk_arena *arena;
    const char *file;
    const hk_model *model;
    const hk_sound_system *system; /* as it is written */
    const hk_sound_master *master;
    const hk_sound_call *step;     /* its calls, one after the other */
    const uint32_t *component_of;  /* per instance */
    const uint32_t *variable_of;   /* per port */
    const uint32_t *input_of;      /* per connection: the port that it drives */
    const uint32_t *connection_of; /* per port: the connection that drives it; HK_MAP_NONE: none */
    const uint32_t *group_of; /* per call of the step: a group is sets, then steps, then gets */
    const uint32_t *levels;   /* per component, for hk_plan_options */
} hk_master_file;

/* Reads FILE, finds all it names in MODEL, refuses what cannot be run, and gives the connections of
 * MODEL their lag words. To be called before the plan is made; what it returns lives in ARENA. */
HK_NODISCARD hk_status hk_master_file_apply(hk_ctx *ctx, hk_arena *arena, hk_model *model,
                                            const char *file, hk_master_file **ret_master);
/* The same for a text that is not in a file; messages call it FILE. */
HK_NODISCARD hk_status hk_master_text_apply(hk_ctx *ctx, hk_arena *arena, hk_model *model,
                                            const char *file, const char *text,
                                            hk_master_file **ret_master);
/* PLAN was made of the same model with the levels of MASTER. The first wrong call is an error at
 * its place in the file. */
HK_NODISCARD hk_status hk_master_file_prove(hk_ctx *ctx, const hk_master_file *master,
                                            const hk_plan *plan);
/* The calls as they are written; it lives in the arena of MASTER. */
hk_program *hk_master_file_program(const hk_master_file *master, const hk_plan *plan);
/* What a master cannot say about a model: delays, 'observe', costs, `cut hla`. HK_OK: nothing. */
HK_NODISCARD hk_status hk_master_sayable(hk_ctx *ctx, const hk_model *model);

#endif
