/* SPDX-License-Identifier: MIT
 *
 * Values that the command line gives to variables, with units; the work is done
 * in api/values.h. */
#include "api/values.h"
#include "cli/run.h"

#include <string.h>

static const char *names_hint(const hk_run *run) {
    return hk_arena_printf(run->cli->arena, "'hocket info %s' lists what is there", run->file);
}

/* Sets the variable that TEXT names if it is a structural parameter, or if it
 * is none. */
static hk_status set_one(hk_run *run, const char *text, bool structural) {
    hk_cli *cli = run->cli;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "write --set NAME=VALUE",
                        "--set: '%s' has no name and value", text);
    const char *name = hk_arena_strndup(cli->arena, text, (size_t)(equals - text));
    hk_address at;
    HK_TRY(hk_model_need(cli->ctx, run->model, "--set", names_hint(run), name, &at));
    if ((hk_address_variable(run->model, &at)->causality == HK_STRUCTURAL_PARAMETER) != structural)
        return HK_OK;
    hk_where where = {.element = hk_arena_printf(cli->arena, "--set %s", text)};
    return hk_model_set_text(cli->ctx, run->model, name, &at, equals + 1, where);
}

hk_status hk_run_set_values(hk_run *run) {
    const char *text;
    for (int pass = 0; pass < 2; pass++) /* structural parameters first: they decide sizes */
        for (size_t i = 0; (text = hk_args_nth(run->args, "set", i)); i++)
            HK_TRY(set_one(run, text, pass == 0));
    return HK_OK;
}

hk_status hk_run_stop_conditions(hk_run *run) {
    size_t count = 0;
    while (hk_args_nth(run->args, "stop-when", count))
        count++;
    hk_stop_when *conditions = HK_NEW_ARRAY(run->cli->arena, hk_stop_when, count);
    for (size_t i = 0; i < count; i++)
        HK_TRY(hk_condition_read(run->cli->ctx, run->cli->arena, run->model, "--stop-when",
                                 names_hint(run), hk_args_nth(run->args, "stop-when", i),
                                 &conditions[i]));
    run->options.stop_when = conditions;
    run->options.stop_when_count = count;
    return HK_OK;
}
