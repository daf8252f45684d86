/* SPDX-License-Identifier: MIT
 *
 * From a file to a model with its experiment settings: what `check`, `info` and `run` share. */
#ifndef HK_CLI_LOAD_H
#define HK_CLI_LOAD_H

#include "cli/cli.h"
#include "fmi/fmi.h"
#include "model/model.h"

typedef enum hk_file_kind { HK_FILE_FMU, HK_FILE_SYSTEM, HK_FILE_TABLE } hk_file_kind;

/* By extension, capitals or not. Says so if the file is not there or of no known kind. */
HK_NODISCARD hk_status hk_file_kind_of(hk_cli *cli, const char *path, hk_file_kind *ret_kind);
/* A system, or an FMU as a system of one component that is named after its model. */
HK_NODISCARD hk_status hk_load_model(hk_cli *cli, const char *path, hk_model **ret_model);
/* What --schedule says, if it was given, onto the model as its file describes it. */
HK_NODISCARD hk_status hk_load_schedule(hk_cli *cli, const hk_args *args, hk_model *model);
/* The name closest to NAME among all "component.variable" of the model; NULL: none is close. */
const char *hk_closest_variable(const hk_cli *cli, const hk_model *model, const char *name);
/* Splits "12.5 km/h" into number and unit; *ret_unit is "" if there is none. False: no number. */
bool hk_quantity_split(const char *text, size_t *ret_number_length, const char **ret_unit);

/* What was asked for on the command line; NULL: not asked for. */
typedef struct hk_request {
    const char *start, *stop, *duration, *step, *output_interval, *tolerance, *algorithm;
} hk_request;

enum { HK_SETTINGS_MAX = 16 };

/* The settings of a run with the place each came from, for --explain-settings and the summary. */
typedef struct hk_settings {
    struct hk_settings_row {
        const char *name; /* of the option: "stop-time" */
        const char *value;
        hk_source source;
        const char *from; /* in words: "HK_STEP_SIZE", "smallest step of the components" */
    } rows[HK_SETTINGS_MAX];
    size_t count;
    hk_algorithm algorithm;
} hk_settings;

/* Completes the model's experiment: flags, then environment, then what the file says, then what the
 * components say, then built in. What had to be guessed is said in a note. */
HK_NODISCARD hk_status hk_settings_apply(hk_cli *cli, const hk_request *request, hk_model *model,
                                         hk_settings *ret_settings);
void hk_settings_print(const hk_settings *settings, FILE *out);

/* Adds one setting for the report of them. */
void hk_settings_add(hk_settings *settings, const char *name, const char *value, hk_source source,
                     const char *from);

#endif
