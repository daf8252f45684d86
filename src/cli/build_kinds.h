/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket build`: one function per kind of operand. */
#ifndef HK_CLI_BUILD_KINDS_H
#define HK_CLI_BUILD_KINDS_H

#include "cli/cli.h"

/* cli/build_tool.c: a system or a simulation, by its name, becomes a program that runs it. */
bool hk_build_is_model(const char *path);
HK_NODISCARD hk_status hk_build_tool(hk_cli *cli, const hk_args *args, const char *path);

/* cli/build_emit.c: --emit-c: the cells of the model at PATH as C. */
HK_NODISCARD hk_status hk_build_emit(hk_cli *cli, const hk_args *args, const char *path);

#endif
