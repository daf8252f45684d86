/* SPDX-License-Identifier: MIT
 *
 * The program is a tool: it does what `hocket run` does with the model that it carries, and nothing
 * else. */
#include "cli/cli.h"

#include "base/file.h"

#include <string.h>

/* `run` without its operand. */
static hk_verb verb_of(hk_cli *cli) {
    hk_verb verb = hk_verb_run;
    verb.name = hk_path_name(cli->tool->file);
    verb.summary = hk_arena_printf(cli->arena, "simulates %s", hk_path_name(cli->tool->model));
    verb.operands = NULL;
    verb.files = NULL;
    verb.description = hk_arena_printf(
        cli->arena,
        "This program carries the model and all files that it reads. 'hocket build' has made it "
        "(%s), and it takes the options of 'hocket run'. Files that options name are yours, "
        "relative to the working directory.\n\n"
        "Times are exact: 0.001, 1e-3, 1/120 and 20ms are read as fractions. Settings come from "
        "the "
        "command line, then from HK_START_TIME, HK_STOP_TIME, HK_STEP_SIZE, HK_OUTPUT_INTERVAL, "
        "HK_TOLERANCE and HK_ALGORITHM, then from the model. Without -o nothing is written; of a "
        "simulation the logs go to the folder -o names, or to the working directory, and the exit "
        "status is 1 if an expectation does not hold. '--version' says what this program is.",
        cli->tool->made);
    return verb;
}

static void put_version(hk_cli *cli) {
    const hk_tool *tool = cli->tool;
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "version");
        hk_json_string(&json, "build", cli->build->type);
        hk_json_string(&json, "compiler", cli->build->compiler);
        hk_json_string(&json, "model", hk_path_name(tool->model));
        hk_json_i64(&json, "files", (int64_t)tool->file_count);
        hk_answer_end(&json);
    } else {
        printf("%s: %s, made by %s\n", hk_path_name(tool->file), hk_path_name(tool->model),
               tool->made);
    }
}

static bool asks_version(int count, char **words) {
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--version") == 0 || strcmp(words[i], "-V") == 0)
            return true;
    return false;
}

/* A verb of hocket: what was meant is hocket itself. */
static hk_status not_hocket(hk_cli *cli, const char *word) {
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                    hk_arena_printf(cli->arena, "'hocket %s' does that", word),
                    "'%s' runs %s and nothing else; it has no verb '%s'",
                    hk_path_name(cli->tool->file), hk_path_name(cli->tool->model), word);
}

hk_status hk_cli_tool(hk_cli *cli, int count, char **words) {
    HK_TRY(hk_tool_open(cli->ctx, cli->build->mark, &cli->tool));
    if (asks_version(count, words)) {
        put_version(cli);
        return HK_OK;
    }
    if (count > 0 && hk_verb_find(words[0]))
        return not_hocket(cli, words[0]);
    hk_verb verb = verb_of(cli);
    return hk_cli_do(cli, &verb, count, words, cli->tool->model);
}
