/* SPDX-License-Identifier: MIT
 *
 * What `hocket run --meet` and `hocket node` share. */
#include "cli/run.h"

static void say_waiting(void *user, const char *text) {
    const hk_cli *cli = user;
    fprintf(stderr, "%s: ", hk_program_name(cli));
    hk_put_clean(stderr, text);
    fputc('\n', stderr);
}

hk_meet hk_run_meet(hk_cli *cli, const hk_args *args) {
    return (hk_meet){.place = hk_args_value(args, "meet"),
                     .waits = cli->quiet ? NULL : say_waiting,
                     .user = cli};
}

static void *unseen_begin(void *user) {
    return user;
}

static bool unseen_end(void *user, double time) {
    (void)user, (void)time;
    return true;
}

void hk_run_listen_unseen(hk_cli *cli, const hk_recording *recording, hk_listener *ret_listener) {
    ret_listener->columns = recording->columns;
    ret_listener->column_count = recording->column_count;
    ret_listener->sink =
        (hk_sink){unseen_begin, unseen_end, hk_arena_alloc(cli->arena, recording->row_size + 8)};
}
