/* SPDX-License-Identifier: MIT
 *
 * Scenarios and masters in words, for `info`, `check` and `fmt`. */
#ifndef HK_CLI_INFO_MASTER_H
#define HK_CLI_INFO_MASTER_H

#include "cli/cli.h"

/* By its extension: .master, or .conf and .json of the Scenario-Verifier. */
bool hk_names_master(const char *path);
HK_NODISCARD hk_status hk_info_master(hk_cli *cli, const char *path);
/* Reads it, and sees whether its algorithm keeps the contracts of its instances. */
HK_NODISCARD hk_status hk_check_master(hk_cli *cli, const char *path, size_t *ret_instances,
                                       size_t *ret_connections);
/* In its canonical form. A file with comments, which it has no place for, is refused. */
HK_NODISCARD hk_status hk_format_master(hk_cli *cli, const char *path, const char *data,
                                        size_t size, const char **ret_text);

#endif
