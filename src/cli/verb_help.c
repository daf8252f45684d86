/* SPDX-License-Identifier: MIT
 *
 * `hocket help`, `hocket version`, `hocket explain`: what hocket says about itself. */
#include "base/number.h"
#include "cli/cli.h"

#include <string.h>

static void put_verb(hk_json *json, const hk_verb *verb) {
    char letter[2] = "";
    hk_json_object(json, NULL);
    hk_json_string(json, "name", verb->name);
    hk_json_string(json, "summary", verb->summary);
    hk_json_string(json, "operands", verb->operands);
    hk_json_array(json, "options");
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->group)
            continue;
        letter[0] = option->letter;
        hk_json_object(json, NULL);
        hk_json_string(json, "name", option->name);
        hk_json_string(json, "letter", *letter ? letter : NULL);
        hk_json_string(json, "argument", option->argument);
        hk_json_bool(json, "repeatable", option->repeatable);
        hk_json_string(json, "help", option->help);
        hk_json_end(json);
    }
    hk_json_end(json);
    hk_json_end(json);
}

/* ONLY: NULL for all verbs. */
static hk_status put_help(hk_cli *cli, const hk_verb *only) {
    hk_json json;
    hk_answer_begin(cli, &json, "help");
    hk_json_array(&json, "verbs");
    const hk_verb *verb;
    for (size_t i = 0; (verb = hk_verb_at(i)); i++)
        if (!only || verb == only)
            put_verb(&json, verb);
    hk_json_end(&json);
    hk_answer_end(&json);
    return HK_OK;
}

static hk_status run_help(hk_cli *cli, const hk_args *args) {
    if (args->operand_count == 0 && cli->json)
        return put_help(cli, NULL);
    if (args->operand_count == 0) {
        hk_help_program(cli, stdout);
        return HK_OK;
    }
    const hk_verb *verb = hk_verb_find(args->operands[0]);
    if (!verb)
        return hk_cli_unknown_verb(cli, args->operands[0], "hocket help");
    if (cli->json)
        return put_help(cli, verb);
    if (hk_args_has(args, "scdoc"))
        hk_help_scdoc(verb, stdout);
    else
        hk_help_verb(cli, verb, stdout);
    return HK_OK;
}

/* Without a group: not shown in any help. */
static const hk_option help_options[] = {
    {.name = "scdoc", .help = "the options of VERB in the language of scdoc, for its man page"},
};

const hk_verb hk_verb_help = {
    .name = "help",
    .summary = "explain a verb and its options",
    .operands = "[VERB]",
    .description = "Without VERB lists the verbs.",
    .options = {help_options, 1},
    .run = run_help,
};

static hk_status run_version(hk_cli *cli, const hk_args *args) {
    (void)args;
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "version");
        hk_json_string(&json, "build", cli->build->type);
        hk_json_string(&json, "compiler", cli->build->compiler);
        hk_answer_end(&json);
    } else {
        printf("hocket %s\n", cli->build->version);
    }
    return HK_OK;
}

const hk_verb hk_verb_version = {
    .name = "version",
    .summary = "print the version",
    .description = "'hocket --version' does the same.",
    .run = run_version,
};

/* Takes "401", "HK401", "hk0401". */
static bool parse_code(const char *text, hk_status *ret_code) {
    if (strncmp(text, "HK", 2) == 0 || strncmp(text, "hk", 2) == 0)
        text += 2;
    uint64_t number;
    if (!hk_read_u64(text, strlen(text), &number))
        return false;
    hk_status code;
    for (size_t i = 0; (code = hk_status_by_index(i)) != HK_OK; i++) {
        if ((uint64_t)code == number) {
            *ret_code = code;
            return true;
        }
    }
    return false;
}

static void put_code_json(hk_cli *cli, hk_json *json, hk_status code) {
    hk_json_object(json, NULL);
    hk_json_string(json, "code", hk_arena_printf(cli->arena, "HK%04d", (int)code));
    hk_json_i64(json, "exit", hk_status_exit(code));
    hk_json_string(json, "text", hk_status_text(code));
    hk_json_string(json, "explanation", hk_status_explain(code));
    hk_json_end(json);
}

static void put_wrapped(const hk_cli *cli, const char *text) {
    int width = cli->width > 100 ? 100 : cli->width, at = 0;
    const char *word;
    size_t length;
    while (hk_next_word(&text, &word, &length)) {
        bool wraps = at && at + 1 + (int)length > width;
        printf("%s%.*s", at == 0 ? "" : wraps ? "\n" : " ", (int)length, word);
        at = (at == 0 || wraps ? 0 : at + 1) + (int)length;
    }
    putchar('\n');
}

static hk_status run_explain(hk_cli *cli, const hk_args *args) {
    hk_status only = HK_OK, code;
    if (args->operand_count && !parse_code(args->operands[0], &only))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "'hocket explain' lists all codes",
                        "there is no code '%s'", args->operands[0]);
    hk_json json;
    if (cli->json) {
        hk_answer_begin(cli, &json, "explain");
        hk_json_array(&json, "codes");
    }
    for (size_t i = 0; (code = hk_status_by_index(i)) != HK_OK; i++) {
        if (only != HK_OK && code != only)
            continue;
        if (cli->json) {
            put_code_json(cli, &json, code);
        } else if (only == HK_OK) {
            printf("HK%04d  exit %-3d  %s\n", (int)code, hk_status_exit(code),
                   hk_status_text(code));
        } else {
            printf("%sHK%04d: %s%s\n\n", hk_style_on(cli->color_out, HK_BOLD), (int)code,
                   hk_status_text(code), hk_style_off(cli->color_out));
            put_wrapped(cli, hk_status_explain(code));
            printf("\nExit status of the process: %d\n", hk_status_exit(code));
        }
    }
    if (cli->json) {
        hk_json_end(&json);
        hk_answer_end(&json);
    }
    return HK_OK;
}

const hk_verb hk_verb_explain = {
    .name = "explain",
    .summary = "explain the code of a message",
    .operands = "[CODE]",
    .description = "CODE is what a message shows in brackets: HK0401, HK401 and 401 are the same. "
                   "Without CODE lists all codes with their exit status.",
    .run = run_explain,
};
