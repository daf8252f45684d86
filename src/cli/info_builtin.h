/* SPDX-License-Identifier: MIT
 *
 * `hocket info hk`, `hocket info hk.Gain`: the built-in components. */
#ifndef HK_CLI_INFO_BUILTIN_H
#define HK_CLI_INFO_BUILTIN_H

#include "cli/cli.h"
#include "model/model.h"

/* "hk" or "hk.Gain", and no file of that name. */
bool hk_names_builtin(const char *operand);

HK_NODISCARD hk_status hk_info_builtin(hk_cli *cli, const hk_args *args, const char *name);

#endif
