/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket convert`: skeletons. */
#ifndef HK_CLI_CONVERT_SKELETON_H
#define HK_CLI_CONVERT_SKELETON_H

#include "cli/cli.h"

/* Makes the second operand from the first: .sysml to .rct, or back. */
HK_NODISCARD hk_status hk_convert_skeleton(hk_cli *cli, const hk_args *args);

#endif
