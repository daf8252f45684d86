/* SPDX-License-Identifier: MIT
 *
 * What is in a file: the answer of `hocket info`. */
#ifndef HK_REPORT_INFO_REPORT_H
#define HK_REPORT_INFO_REPORT_H

#include "chart/chart_check.h"
#include "fmi/fmi.h"
#include "report/report.h"
#include "sound/sound.h"

/* Which variables; zero in every field: all. */
typedef struct hk_info_filter {
    const char *causality; /* "input" ...; NULL: any */
    hk_texts patterns;     /* of names, in a system also with that of the component before it */
} hk_info_filter;

/* The answer about REQUEST's file, of whatever kind, or about a built-in component ("hk.Gain",
 * "hk"). An FMU that is damaged has an answer, too, and a failure. */
HK_NODISCARD hk_status hk_info_report(hk_report *report, const hk_request *request,
                                      const hk_info_filter *filter);

/* "hk" or "hk.Gain", and there is no file of that name. */
bool hk_names_builtin(const char *operand);
/* By its extension: .master, or .conf and .json of the Scenario-Verifier. */
bool hk_names_master(const char *path);

/* ---- variables: report/info_variables.c ---- */

/* OWNER: the component of a system; NULL: there is no system. */
bool hk_info_wants(const hk_info_filter *filter, hk_arena *arena, const char *owner,
                   const hk_variable *variable);
size_t hk_info_count_variables(const hk_info_filter *filter, hk_arena *arena, const char *owner,
                               const hk_info *info);
/* One element of the start value, as text. */
const char *hk_info_start(hk_arena *arena, const hk_variable *variable, size_t index);
void hk_info_put_variables(hk_json *json, hk_arena *arena, const hk_info_filter *filter,
                           const char *owner, const hk_info *info);
void hk_info_put_defaults(hk_json *json, const hk_defaults *defaults);

/* ---- FMUs: report/info_fmu.c ---- */

/* What there is to say of an FMU beyond its description. */
typedef struct hk_fmu_view {
    hk_arena *arena;
    const char *path;
    hk_fmu *fmu; /* NULL: it cannot be opened at all */
    const hk_info *info;
    const hk_fmu_facts *facts;
    const char *why_not; /* it cannot run here; NULL: it can */
    const char **terminals;
    size_t terminal_count, terminal_cap;
    bool documentation;
} hk_fmu_view;

/* What an FMU can do, as words and as keys of the answer. */
typedef struct hk_ability {
    bool is;
    const char *key, *text;
} hk_ability;
enum { HK_ABILITIES = 10 };

/* Also of an FMU that is damaged, as far as it can be read: the failure is its status. Closed in
 * any case. */
HK_NODISCARD hk_status hk_fmu_view_open(hk_ctx *ctx, hk_arena *arena, const char *path,
                                        hk_fmu_view *ret_view);
void hk_fmu_view_close(hk_fmu_view *view);
void hk_fmu_view_abilities(const hk_fmu_view *view, hk_ability ret_abilities[HK_ABILITIES]);

/* ---- built-in components: report/info_builtin.c ---- */

/* The type called NAME, with INFO in a model that the caller destroys. */
HK_NODISCARD hk_status hk_builtin_open(hk_ctx *ctx, hk_arena *arena, const char *name,
                                       const hk_unit_type **ret_type, const hk_info **ret_info,
                                       hk_model **ret_model);
const char *hk_builtin_stamp(const hk_unit_type *type); /* "start", "end" */

/* ---- languages: report/info_lang.c, report/info_master.c ---- */

/* "component.service", in the arena of the model. */
const char *hk_info_service(const hk_model *model, uint32_t component, uint32_t service);
/* Who provides R when a run of the scenario begins; NULL: nobody is bound. */
const char *hk_info_provider(const hk_simulation *simulation, const hk_scenario *scenario,
                             const hk_requirement *r);

/* A scenario in words, with its master. */
typedef struct hk_master_text {
    hk_sound_system *system;
    hk_sound_master *master; /* NULL: there is none */
    int64_t max_step;
    size_t connections;
} hk_master_text;

HK_NODISCARD hk_status hk_master_text_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                           hk_master_text *ret_text);
size_t hk_master_text_ports(const hk_master_text *text, uint32_t instance, bool outputs);

/* ---- RoboChart: report/info_chart.c ---- */

/* A model of the module of a file, which is its only component; NULL: the file has none. */
HK_NODISCARD hk_status hk_info_chart_open(hk_ctx *ctx, const char *path, hk_model **ret_model,
                                          hk_chart_facts *ret_facts);
/* The start value as text; NULL: it has none. */
const char *hk_chart_show_value(hk_arena *arena, const hk_chart_variable *variable);
/* What a line leads to: "c1.s0.activate", or an event of the platform. */
const char *hk_chart_line_end(hk_arena *arena, const hk_chart *chart, uint32_t line);
const char *hk_chart_operation_word(const hk_chart_operation *operation); /* "visible" ... */

/* ---- systems: report/info_system.c ---- */

/* The variable of a component that a connector of the outermost system is for. */
const char *hk_info_behind(hk_arena *arena, const hk_model *model, uint32_t component,
                           uint32_t variable);

#endif
