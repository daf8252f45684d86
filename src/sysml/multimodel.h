/* SPDX-License-Identifier: MIT
 *
 * Multi-models of INTO-CPS: a JSON file with FMUs, connections and parameters, and the experiment
 * in a file beside it ("x.coe.json" of "x.mm.json" or "x.json"). */
#ifndef HK_SYSML_MULTIMODEL_H
#define HK_SYSML_MULTIMODEL_H

#include "sysml/sysml.h"

/* Reads the multi-model at PATH and the experiment beside it, if there is one. What is not read is
 * told. Every connection has the lag `previous`, as the master of INTO-CPS with fixed steps. */
HK_NODISCARD hk_status hk_multimodel_read(hk_ctx *ctx, const char *path, hk_model **ret_model);
/* Writes the multi-model of the SysML file FROM, which runs FMUs only, as PATH, and its experiment
 * beside that. What INTO-CPS has no words for and a run needs is an error (HK_E_NO_WORDS), and
 * nothing is written; what else is left out is told, and added to LEFT. */
HK_NODISCARD hk_status hk_multimodel_write(hk_ctx *ctx, const char *from, const char *path,
                                           hk_left_out *left);
/* Reads a text alone, for tests of strangers' files: is it a multi-model? FMUs are not opened. */
HK_NODISCARD hk_status hk_multimodel_check(hk_ctx *ctx, const hk_file_text *text);
/* The same of an experiment. */
HK_NODISCARD hk_status hk_multimodel_check_experiment(hk_ctx *ctx, const hk_file_text *text);
/* The file of the experiment of the multi-model at PATH, in ARENA. */
const char *hk_multimodel_experiment(hk_arena *arena, const char *path);

#endif
