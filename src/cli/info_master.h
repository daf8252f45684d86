/* SPDX-License-Identifier: MIT
 *
 * Masters in words, for `fmt`. */
#ifndef HK_CLI_INFO_MASTER_H
#define HK_CLI_INFO_MASTER_H

#include "cli/cli.h"

/* In its canonical form. A file with comments, which it has no place for, is refused. */
HK_NODISCARD hk_status hk_format_master(hk_cli *cli, const char *path, const char *data,
                                        size_t size, const char **ret_text);

#endif
