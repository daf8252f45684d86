/* SPDX-License-Identifier: MIT
 *
 * From a file to a model with its experiment settings: what the verbs share. The
 * work is done in src/api; the command line adds its options and the environment. */
#ifndef HK_CLI_LOAD_H
#define HK_CLI_LOAD_H

#include "api/load.h"
#include "api/settings.h"
#include "cli/cli.h"
#include "fmi/fmi.h"
#include "model/scenario.h"

/* By extension, capitals or not. Says so if the file is not there or of no known kind. */
HK_NODISCARD hk_status hk_file_kind_of(hk_cli *cli, const char *path, hk_file_kind *ret_kind);
/* A system, or an FMU as a system of one component that is named after its model. */
HK_NODISCARD hk_status hk_load_model(hk_cli *cli, const char *path, hk_model **ret_model);
/* A simulation with its system, which --system may name and --define may give values; checked. For
 * verbs that take both options. */
HK_NODISCARD hk_status hk_load_simulation(hk_cli *cli, const hk_args *args, const char *path,
                                          hk_simulation **ret_simulation);
/* What --schedule says, if it was given, onto the model as its file describes it. */
HK_NODISCARD hk_status hk_load_schedule(hk_cli *cli, const hk_args *args, hk_model *model);
/* What --algorithm says, or else the model. */
hk_algorithm hk_choose_algorithm(const hk_args *args, const hk_model *model);
/* The name closest to NAME among all "component.variable" of the model; NULL: none is close. */
const char *hk_closest_variable(const hk_cli *cli, const hk_model *model, const char *name);

/* What was asked for on the command line; NULL: not asked for. */
typedef struct hk_request {
    const char *start, *stop, *duration, *step, *output_interval, *tolerance, *algorithm;
    bool resumes; /* from a state of the time RESUMED */
    hk_ratio resumed;
} hk_request;

/* Completes the model's experiment: flags, then environment, then what the file says, then what the
 * components say, then built in. What had to be guessed is said in a note. */
HK_NODISCARD hk_status hk_settings_apply(hk_cli *cli, const hk_request *request, hk_model *model,
                                         hk_settings *ret_settings);
void hk_settings_print(const hk_settings *settings, FILE *out);

#endif
