/* SPDX-License-Identifier: MIT
 *
 * The experiment settings that the command line and the environment ask for. */
#include "cli/load.h"

#include <stdlib.h>

void hk_settings_print(const hk_settings *settings, FILE *out) {
    for (size_t i = 0; i < settings->count; i++) {
        const struct hk_settings_row *row = &settings->rows[i];
        fprintf(out, "%-16s %-14s %s\n", row->name, row->value, row->from);
    }
}

static hk_wish wish_for(const char *flag, const char *variable) {
    const char *environment = getenv(variable);
    if (flag)
        return (hk_wish){flag, HK_FROM_USER, "command line"};
    if (environment && *environment)
        return (hk_wish){environment, HK_FROM_ENVIRONMENT, variable};
    return (hk_wish){NULL, HK_FROM_DEFAULT, NULL};
}

hk_status hk_settings_apply(hk_cli *cli, const hk_request *request, hk_model *model,
                            hk_settings *ret_settings) {
    hk_wishes wishes = {
        .start = wish_for(request->start, "HK_START_TIME"),
        .stop = wish_for(request->stop, "HK_STOP_TIME"),
        .duration = {request->duration, HK_FROM_USER, "command line"},
        .step = wish_for(request->step, "HK_STEP_SIZE"),
        .output_interval = wish_for(request->output_interval, "HK_OUTPUT_INTERVAL"),
        .tolerance = wish_for(request->tolerance, "HK_TOLERANCE"),
        .algorithm = wish_for(request->algorithm, "HK_ALGORITHM"),
        .resumes = request->resumes,
        .resumed = request->resumed,
    };
    return hk_settings_complete(cli->ctx, cli->arena, &wishes, model, ret_settings);
}
