/* SPDX-License-Identifier: MIT
 *
 * `hocket serve`: a run that a person drives from a page, or a record that is shown there. */
#include "cli/run.h"
#include "cli/serving.h"
#include "format/table_read.h"

#include <signal.h>
#include <string.h>

static void on_interrupt(int number) {
    (void)number;
    hk_serving_interrupt();
}

static hk_status serve_record(hk_cli *cli, const hk_args *args) {
    hk_serving serving = {.stays = true};
    const hk_table *table;
    HK_TRY(hk_table_read(cli->ctx, cli->arena, args->operands[0], &table));
    HK_TRY(hk_serving_open(cli, args, NULL, table, &serving));
    hk_run_watch(cli, on_interrupt);
    hk_live_replay(serving.live);
    hk_run_watch(cli, NULL);
    hk_serving_close(&serving);
    return HK_OK;
}

hk_status hk_run_advance(hk_run *run, const hk_started *started) {
    run->serving.stays = run->cli->serves;
    HK_TRY(hk_serving_open(run->cli, run->args, &run->made, NULL, &run->serving));
    hk_status status = run->serving.live ? hk_serving_drive(&run->serving, run->sim, run->plan)
                                         : hk_started_run(started, &run->checkpoints);
    hk_serving_close(&run->serving);
    return status;
}

hk_status hk_serve_file(hk_cli *cli, const hk_args *args) {
    cli->serves = true;
    return hk_table_is(args->operands[0]) ? serve_record(cli, args) : hk_run_file(cli, args);
}
