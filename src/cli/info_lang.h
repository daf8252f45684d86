/* SPDX-License-Identifier: MIT
 *
 * Inside `hocket info`: what is in files of hocket's own languages. */
#ifndef HK_CLI_INFO_LANG_H
#define HK_CLI_INFO_LANG_H

#include "cli/request.h"

HK_NODISCARD hk_status hk_info_simulation(hk_cli *cli, const hk_args *args, const char *path);
HK_NODISCARD hk_status hk_info_types(hk_cli *cli, const char *path);
/* Required interfaces and who may provide them; nothing if there are none. */
void hk_info_services(hk_cli *cli, const hk_model *model);

#endif
