/* SPDX-License-Identifier: MIT
 *
 * What the pieces of `hocket info` share: info_variables.c writes tables of variables, info_fmu.c
 * what an FMU is. */
#ifndef HK_CLI_INFO_VIEW_H
#define HK_CLI_INFO_VIEW_H

#include "cli/request.h"
#include "fmi/fmi.h"

void hk_info_heading(const hk_cli *cli, const char *text);
void hk_info_fact(const char *name, const char *value); /* nothing for NULL and "" */
const char *hk_info_ratio(hk_cli *cli, hk_ratio r);

/* The variables that --causality and --variable leave, as a table or as JSON. OWNER: the component
 * of a system, whose variables are also matched by "owner.variable"; NULL: there is no system. */
void hk_info_print_variables(hk_cli *cli, const hk_args *args, const char *owner,
                             const hk_info *info);
void hk_info_put_variables(hk_cli *cli, hk_json *json, const hk_args *args, const char *owner,
                           const hk_info *info);
/* How many of them there are. */
size_t hk_info_count_variables(hk_cli *cli, const hk_args *args, const char *owner,
                               const hk_info *info);
void hk_info_put_defaults(hk_json *json, const hk_defaults *defaults);

HK_NODISCARD hk_status hk_info_fmu(hk_cli *cli, const hk_args *args, const char *path);

#endif
