/* SPDX-License-Identifier: MIT
 *
 * From a file to a model. */
#ifndef HK_ASSEMBLY_LOAD_H
#define HK_ASSEMBLY_LOAD_H

#include "model/scenario.h"

typedef enum hk_file_kind {
    HK_FILE_FMU,
    HK_FILE_SYSTEM,
    HK_FILE_TABLE,
    HK_FILE_SIMULATION,
    HK_FILE_TYPES,
    HK_FILE_CHART,
    HK_FILE_SCENE
} hk_file_kind;

/* By extension, capitals or not. Says so if the file is not there or of no known kind. */
HK_NODISCARD hk_status hk_file_classify(hk_ctx *ctx, const char *path, hk_file_kind *ret_kind);
/* A system, or an FMU or a RoboChart module as a system of one component that is named after it. */
HK_NODISCARD hk_status hk_model_open(hk_ctx *ctx, const char *path, hk_model **ret_model);
/* The same of a file that was classified. STEP: what is asked for in place of the step size that
 * the file says, for files whose rates are multiples of it; NULL: nothing. */
HK_NODISCARD hk_status hk_model_open_kind(hk_ctx *ctx, const char *path, hk_file_kind kind,
                                          const hk_ratio *step, hk_model **ret_model);
/* The same of a system in SSP with one of several parameter sets; others have none, and that is
 * reported. */
HK_NODISCARD hk_status hk_model_open_with_set(hk_ctx *ctx, const char *path, hk_file_kind kind,
                                              const char *parameter_set, const hk_ratio *step,
                                              hk_model **ret_model);
/* What may be asked for when a simulation is opened. */
typedef struct hk_simulation_wishes {
    const char *system;         /* that it is played on; NULL: the one beside it */
    const char *parameter_set;  /* of the system; NULL: all that it binds */
    const char *const *defines; /* "name=value" of its parameters */
    size_t define_count;
} hk_simulation_wishes;
/* A simulation with its system. Neither is checked. */
HK_NODISCARD hk_status hk_simulation_open(hk_ctx *ctx, const char *path,
                                          const hk_simulation_wishes *wishes,
                                          hk_simulation **ret_simulation);
/* Opens the FMU at PATH; MODEL owns it from then on. NAME NULL: that of the FMU's model. */
HK_NODISCARD hk_status hk_model_add_fmu(hk_ctx *ctx, hk_model *model, const char *name,
                                        const char *path, uint32_t *ret_index);
/* The same of a RoboChart file with one module. */
HK_NODISCARD hk_status hk_model_add_chart(hk_ctx *ctx, hk_model *model, const char *name,
                                          const char *path, uint32_t *ret_index);
/* The hint hk_hint_closest() for NAME among all "component.variable" of the model, in ARENA. */
const char *hk_model_hint(hk_arena *arena, const hk_model *model, const char *name,
                          const char *fallback);
/* Splits "12.5 km/h" into number and unit; *ret_unit is "" if there is none. False: no number. */
bool hk_quantity_split(const char *text, size_t *ret_number_length, const char **ret_unit);

#endif
