/* SPDX-License-Identifier: MIT
 *
 * A system that is compiled (src/fuse) as the command line shows it. */
#ifndef HK_CLI_COMPILING_H
#define HK_CLI_COMPILING_H

#include "cli/progress.h"
#include "fuse/fuse_options.h"

/* Stays where it is, as long as something may be compiled. */
typedef struct hk_compiling {
    hk_cli *cli;
    hk_progress_mode mode;
    hk_fuse_options options; /* what is to be handed on */
} hk_compiling;

/* CHOICE: value of --progress, or NULL. */
void hk_compiling_begin(hk_cli *cli, const char *choice, hk_compiling *compiling);
void hk_compiling_end(hk_compiling *compiling); /* also of one that was never begun, all zero */

#endif
