/* SPDX-License-Identifier: MIT
 *
 * From files in hocket's languages to the one model and its scenarios. */
#ifndef HK_LANG_LANG_H
#define HK_LANG_LANG_H

#include "lang/types/types.h"
#include "model/scenario.h"
#include "model/tree.h"

/* Reads a .system file with all it imports into a model: composites are flattened (a leaf is called
 * by its path below the root composite, "Environment.MNT.myMntModel"), records become variables
 * "port.field", links are followed through composite ports. */
HK_NODISCARD hk_status hk_system_read(hk_ctx *ctx, const char *path, hk_model **ret_model);
/* Writes MODEL, which has a tree, as the system file PATH: reading it gives the same run. What a
 * system file cannot say and a run needs is refused (HK_E_LANGUAGE), and no file is made; what else
 * is left out is reported and added to LEFT. Files that leaves come from are named by the way to
 * them; those out of a package are copied to a folder beside PATH (base/files_beside.h). */
HK_NODISCARD hk_status hk_system_write(hk_ctx *ctx, const hk_model *model, const char *path,
                                       hk_left_out *left);
/* Writes the system file FROM, which MODEL was read from, to TO in canonical form, with the values
 * that MODEL has got from the user (HK_FROM_USER). All else stays, comments too. */
HK_NODISCARD hk_status hk_system_edit(hk_ctx *ctx, const hk_model *model, const char *from,
                                      const char *to);
/* Reads a .simulation file and the system it is about: SYSTEM if not NULL (any file that hocket
 * runs, opened by the caller and owned by the simulation once it is read), else NAME.system,
 * NAME.ssp, NAME.ssd or NAME.fmu beside it, NAME being what the file calls its system. PARAMETERS
 * are "name=value" from the command line. */
typedef struct hk_simulation_options {
    hk_model *system;
    const char *const *parameters;
    size_t parameter_count;
    /* Opens a system that is not in hocket's language; NULL: such systems are refused. */
    hk_status (*open)(void *user, hk_ctx *ctx, const char *path, hk_model **ret_model);
    void *user;
} hk_simulation_options;
HK_NODISCARD hk_status hk_simulation_read(hk_ctx *ctx, const char *path,
                                          const hk_simulation_options *options,
                                          hk_simulation **ret_simulation);
/* The same for a text; the system is looked for beside FILE. */
HK_NODISCARD hk_status hk_simulation_read_text(hk_ctx *ctx, const char *file, const char *data,
                                               size_t size, const hk_simulation_options *options,
                                               hk_simulation **ret_simulation);

#endif
