/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: the options that are about states. */
#include "base/claims.h"
#include "cli/listing.h"
#include "cli/run.h"
#include "report/show.h"

#include <string.h>

hk_status hk_run_state(hk_cli *cli, const hk_args *args, const char **ret_path) {
    const char *load = hk_args_value(args, "load-state"), *resume = hk_args_value(args, "resume");
    if (load && resume)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--load-state and --resume both name a state");
    *ret_path = load ? load : resume;
    return HK_OK;
}

static bool is_state(const char *name) {
    return strcmp(hk_path_extension(name), ".hks") == 0;
}

/* Where PATH is not a state: those that are there, with their times; INSTEAD: there is nothing to
 * say. */
static const char *other_states(hk_cli *cli, const char *path, const char *instead) {
    enum { SHOWN = 5 };
    const char *folder = hk_folder_exists(path) ? path : hk_path_folder(cli->arena, path);
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_texts found = {0};
    const char *text = "";
    size_t count = 0;
    if (!hk_list_folder(cli->arena, folder, is_state, &found))
        found.count = 0;
    for (size_t i = 0; i < found.count; i++) {
        hk_ratio at;
        if (hk_snapshot_time(silent, found.all[i], &at) == HK_OK && ++count <= SHOWN)
            text = hk_arena_printf(cli->arena, "%s%s'%s' (at %s s)", text, *text ? ", " : "",
                                   hk_path_name(found.all[i]),
                                   hk_show_f64(cli->arena, hk_ratio_to_double(at)));
    }
    hk_ctx_destroy(silent);
    if (!count && hk_file_exists(path))
        return instead;
    if (!count)
        return hk_arena_printf(cli->arena,
                               "no state (.hks) is in the folder '%s'; --checkpoint and "
                               "--save-state write one",
                               folder);
    return hk_arena_printf(cli->arena, "in the folder '%s' there %s %s%s", folder,
                           count == 1 ? "is" : "are", text, count > SHOWN ? " and more" : "");
}

hk_status hk_run_check_state(hk_cli *cli, const char *path) {
    hk_ratio at;
    if (!path)
        return HK_OK;
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_status status = hk_snapshot_time(silent, path, &at);
    if (status != HK_OK) {
        const hk_diag *said = hk_ctx_diag(silent, 0);
        hk_error(cli->ctx, status, (hk_where){.file = path}, other_states(cli, path, said->hint),
                 "%s", said->text);
    }
    hk_ctx_destroy(silent);
    return status;
}

/* every=T[,file=F] */
hk_status hk_run_checkpoints(hk_cli *cli, const hk_args *args, hk_checkpoints *ret_checkpoints) {
    static const char every[] = "every=", file[] = ",file=";
    const char *text = hk_args_value(args, "checkpoint");
    hk_checkpoints made = {.path = "checkpoint.hks"};
    if (!text)
        return HK_OK;
    const char *end = strchr(text, ',');
    size_t length = end ? (size_t)(end - text) : strlen(text);
    bool good = length >= strlen(every) && strncmp(text, every, strlen(every)) == 0;
    const char *seconds = good ? hk_arena_printf(cli->arena, "%.*s", (int)(length - strlen(every)),
                                                 text + strlen(every))
                               : "";
    good = good && hk_ratio_parse(seconds, &made.every) && made.every.num > 0;
    if (end && good) {
        good = strncmp(end, file, strlen(file)) == 0 && end[strlen(file)];
        made.path = end + strlen(file);
    }
    if (!good)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "as in --checkpoint every=10 or --checkpoint every=0.5,file=half.hks",
                        "--checkpoint: '%s' does not say every how many seconds a state is written",
                        text);
    HK_TRY(hk_cli_check_output(cli, "checkpoint", made.path));
    HK_TRY(hk_claim_rewrite(cli->ctx, made.path, "--checkpoint"));
    *ret_checkpoints = made;
    return HK_OK;
}

hk_status hk_run_claim_state(hk_cli *cli, const hk_args *args) {
    const char *state = hk_args_value(args, "save-state");
    if (!state)
        return HK_OK;
    HK_TRY(hk_cli_check_output(cli, "save-state", state));
    return hk_claim_rewrite(cli->ctx, state, "--save-state");
}

void hk_run_put_left(FILE *out, hk_arena *arena, const char *path, const hk_states_left *left) {
    if (path && left->count)
        fprintf(out, "checkpoint %s (%s state%s, the last at %s s)\n", path,
                hk_show_count(arena, left->count), left->count == 1 ? "" : "s",
                hk_show_f64(arena, left->last_s));
}
