/* SPDX-License-Identifier: MIT
 *
 * The answers about each kind of file, which hk_info_report chooses from. */
#ifndef HK_REPORT_INFO_REPORT_INTERNAL_H
#define HK_REPORT_INFO_REPORT_INTERNAL_H

#include "report/info_report.h"

HK_NODISCARD hk_status hk_info_put_fmu(hk_report *report, const char *path,
                                       const hk_info_filter *filter);
HK_NODISCARD hk_status hk_info_put_builtin(hk_report *report, const char *name,
                                           const hk_info_filter *filter);
HK_NODISCARD hk_status hk_info_put_simulation(hk_report *report, const hk_request *request);
HK_NODISCARD hk_status hk_info_put_types(hk_report *report, const char *path);
HK_NODISCARD hk_status hk_info_put_chart(hk_report *report, const char *path,
                                         const hk_info_filter *filter);
HK_NODISCARD hk_status hk_info_put_scene(hk_report *report, const char *path);
HK_NODISCARD hk_status hk_info_put_master(hk_report *report, const char *path);
/* Systems and entities, if it is a world. */
void hk_info_put_world(hk_json *json, const hk_info *info);

#endif
