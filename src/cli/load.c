/* SPDX-License-Identifier: MIT */
#include "cli/load.h"

#include "lang/lang.h"
#include "lang/schedule.h"

#include <string.h>

hk_status hk_file_kind_of(hk_cli *cli, const char *path, hk_file_kind *ret_kind) {
    return hk_file_classify(cli->ctx, path, ret_kind);
}

hk_status hk_load_model(hk_cli *cli, const char *path, hk_model **ret_model) {
    return hk_model_open(cli->ctx, path, ret_model);
}

hk_status hk_load_schedule(hk_cli *cli, const hk_args *args, hk_model *model) {
    const char *path = hk_args_value(args, "schedule");
    return path ? hk_schedule_read(cli->ctx, model, path) : HK_OK;
}

const char *hk_closest_variable(const hk_cli *cli, const hk_model *model, const char *name) {
    return hk_model_closest(cli->arena, model, name);
}

hk_algorithm hk_choose_algorithm(const hk_args *args, const hk_model *model) {
    const char *text = hk_args_value(args, "algorithm");
    if (text)
        return strcmp(text, "jacobi") == 0 ? HK_JACOBI : HK_GAUSS_SEIDEL;
    return model->experiment.has_algorithm ? model->experiment.algorithm : HK_JACOBI;
}
