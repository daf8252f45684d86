/* SPDX-License-Identifier: MIT
 *
 * What the options of the command line ask for, in the words of assembly/assembly.h. */
#ifndef HK_CLI_REQUEST_H
#define HK_CLI_REQUEST_H

#include "assembly/assembly.h"
#include "cli/cli.h"

/* What options and environment ask of whatever file. Options that the verb does not have ask for
 * nothing. What it points to lives in the arena of the command line. */
hk_request hk_request_options(hk_cli *cli, const hk_args *args);
/* The same of FILE. */
HK_NODISCARD hk_status hk_request_read(hk_cli *cli, const hk_args *args, const char *file,
                                       hk_request *ret_request);
/* All values of a repeatable option, or none if the verb does not have it. */
hk_texts hk_request_texts(hk_cli *cli, const hk_args *args, const char *option);
void hk_settings_print(const hk_settings *settings, FILE *out);

#endif
