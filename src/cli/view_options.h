/* SPDX-License-Identifier: MIT
 *
 * What `hocket plan`, `hocket trace` and `hocket prove` share: the options that say which system it
 * is about, and with what. */
#ifndef HK_CLI_VIEW_OPTIONS_H
#define HK_CLI_VIEW_OPTIONS_H

#include "cli/request.h"
#include "cli/run_options.h"
#include "report/plan_view.h"

/* Opens the system of the first operand with the options. */
HK_NODISCARD hk_status hk_cli_open_view(hk_cli *cli, const hk_args *args, hk_view *view);
/* cli/plan_text.c: the plan for people; each connection for itself if EACH. */
void hk_plan_print(hk_cli *cli, const hk_view *view, bool each);
void hk_plan_heading(const hk_cli *cli, const char *text);
/* Words one after the other, broken at the width of the terminal, further lines at INDENT. */
void hk_plan_words(const hk_cli *cli, const char *const *words, size_t count, size_t indent);
/* cli/plan_nodes_text.c: nothing if nobody has asked. */
void hk_plan_print_nodes(const hk_cli *cli, const hk_view *view);

/* The options that it reads; for tables of verbs. */
#define HK_VIEW_OPTIONS                                                                            \
    HK_BUILD_OPTION("System"),                                                                     \
        HK_SCHEDULE_OPTION("System", "processors, lags and constraints from a schedule file"),     \
        HK_SYSTEM_OPTION(HK_FOR_ALL, "System",                                                     \
                         "of a simulation: instead of the one beside the file"),                   \
        HK_DEFINE_OPTION(HK_FOR_ALL, "System",                                                     \
                         "give a parameter of a simulation another value; may be repeated"),       \
        {.name = "set",                                                                            \
         .argument = "NAME=VALUE",                                                                 \
         .repeatable = true,                                                                       \
         .group = "System",                                                                        \
         .help = "start value of a parameter or input; may be repeated"},                          \
        {.name = "parameter-set",                                                                  \
         .argument = "NAME",                                                                       \
         .group = "System",                                                                        \
         .help = "of an SSP: apply only the parameter sets that it binds under this name"},        \
        HK_SET_FILE_OPTION(                                                                        \
            "System",                                                                              \
            "start values from a file (.ssv, .csv or .json); --set counts before it; may be "      \
            "repeated"),                                                                           \
        {.name = "master",                                                                         \
         .argument = "FILE.master",                                                                \
         .files = "master",                                                                        \
         .group = "System",                                                                        \
         .help = "lags and order of an orchestration algorithm in words, which is proved first"},  \
        HK_START_TIME_OPTION("System", "first instant (default: of the file, else 0)"),            \
        {.name = "stop-time",                                                                      \
         .argument = "TIME",                                                                       \
         .aliases = "stopTime",                                                                    \
         .group = "System",                                                                        \
         .help = "last instant (default: of the file, else one second after the start)"},          \
        HK_STEP_SIZE_OPTION("System", "step of components without a period of their own"),         \
        HK_ALGORITHM_OPTION(                                                                       \
            "System",                                                                              \
            "for connections without a lag: 'jacobi' (default) or 'gauss-seidel' (default of "     \
            ".system files)")

#endif
