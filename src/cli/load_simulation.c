/* SPDX-License-Identifier: MIT
 *
 * From a .simulation file to a simulation that can be played. */
#include "check/check.h"
#include "cli/load.h"
#include "lang/lang.h"

/* For systems that are not in hocket's languages. */
static hk_status open_system(void *user, hk_ctx *ctx, const char *path, hk_model **ret_model) {
    (void)ctx; /* the one of the command line */
    return hk_load_model(user, path, ret_model);
}

hk_status hk_load_simulation(hk_cli *cli, const hk_args *args, const char *path,
                             hk_simulation **ret_simulation) {
    const char *system = hk_args_value(args, "system"), *text;
    const char **defines = NULL;
    size_t count = 0, cap = 0;
    hk_simulation_options options = {.open = open_system, .user = cli};
    hk_simulation *simulation = NULL;
    if (system)
        HK_TRY(hk_load_model(cli, system, &options.system));
    while ((text = hk_args_nth(args, "define", count)))
        HK_PUSH(defines, count, cap, text);
    options.parameters = defines;
    options.parameter_count = count;
    hk_status status = hk_simulation_read(cli->ctx, path, &options, &simulation);
    hk_free(defines);
    if (status != HK_OK) {
        hk_model_destroy(options.system); /* nobody has taken it */
        return status;
    }
    status = hk_check_model(cli->ctx, simulation->model);
    if (status != HK_OK) {
        hk_simulation_destroy(simulation);
        return status;
    }
    hk_model_lower(simulation->model);
    *ret_simulation = simulation;
    return HK_OK;
}
