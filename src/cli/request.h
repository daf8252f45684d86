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
/* The options that say how something is run, and change nothing of its result. */
enum { HK_WAYS = 9 };
extern const char *const hk_request_ways[HK_WAYS];
/* Those that were given, among the settings; after these are completed. */
void hk_request_tell_ways(hk_cli *cli, const hk_args *args, hk_settings *ret_settings);
void hk_settings_print(const hk_settings *settings, FILE *out);

#endif
