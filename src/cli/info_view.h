/* SPDX-License-Identifier: MIT
 *
 * What the pieces of `hocket info` share: info_variables_text.c writes tables of variables,
 * info_fmu_text.c what an FMU is. */
#ifndef HK_CLI_INFO_VIEW_H
#define HK_CLI_INFO_VIEW_H

#include "cli/request.h"
#include "report/info_report.h"

void hk_info_heading(const hk_cli *cli, const char *text);
void hk_info_fact(const char *name, const char *value); /* nothing for NULL and "" */
const char *hk_info_ratio(hk_cli *cli, hk_ratio r);

/* What --causality and --variable leave. */
hk_info_filter hk_info_read_filter(hk_cli *cli, const hk_args *args);
/* A table of them. OWNER: the component of a system, whose variables are also matched by
 * "owner.variable"; NULL: there is no system. */
void hk_info_print_variables(hk_cli *cli, const hk_args *args, const char *owner,
                             const hk_info *info);

/* Each prints what is in the file, for people. */
HK_NODISCARD hk_status hk_info_fmu(hk_cli *cli, const hk_args *args, const char *path);
HK_NODISCARD hk_status hk_info_builtin(hk_cli *cli, const hk_args *args, const char *name);
HK_NODISCARD hk_status hk_info_simulation(hk_cli *cli, const hk_args *args, const char *path);
HK_NODISCARD hk_status hk_info_types(hk_cli *cli, const char *path);
HK_NODISCARD hk_status hk_info_chart(hk_cli *cli, const hk_args *args, const char *path);
HK_NODISCARD hk_status hk_info_scene(hk_cli *cli, const char *path);
HK_NODISCARD hk_status hk_info_master(hk_cli *cli, const char *path);
/* Systems and entities of worlds; nothing if there are none. */
void hk_info_worlds(hk_cli *cli, const hk_model *model);
/* Required interfaces and who may provide them; nothing if there are none. */
void hk_info_services(hk_cli *cli, const hk_model *model);

#endif
