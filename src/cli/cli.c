/* SPDX-License-Identifier: MIT
 *
 * From the words of the command line to a verb and back to an exit status. */
#include "cli/cli.h"

#include "base/claims.h"
#include "base/file.h"
#include "parent/parent.h"
#include "report/play_report.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static const hk_verb *const verbs[] = {
    &hk_verb_info,    &hk_verb_check,   &hk_verb_plan,   &hk_verb_trace,      &hk_verb_prove,
    &hk_verb_run,     &hk_verb_serve,   &hk_verb_node,   &hk_verb_plot,       &hk_verb_compare,
    &hk_verb_export,  &hk_verb_convert, &hk_verb_build,  &hk_verb_new,        &hk_verb_fmt,
    &hk_verb_gen,     &hk_verb_explain, &hk_verb_doctor, &hk_verb_completion, &hk_verb_help,
    &hk_verb_version,
};

const hk_verb *hk_verb_at(size_t index) {
    return index < sizeof verbs / sizeof *verbs ? verbs[index] : NULL;
}

const hk_verb *hk_verb_find(const char *name) {
    const hk_verb *verb;
    for (size_t i = 0; (verb = hk_verb_at(i)); i++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

hk_report hk_cli_report(const hk_cli *cli) {
    return (hk_report){.ctx = cli->ctx, .arena = cli->arena, .out = stdout};
}

void hk_cli_reported(hk_cli *cli, const hk_report *report) {
    cli->answered = cli->answered || report->answered;
}

void hk_answer_begin(hk_cli *cli, hk_json *json, const char *name) {
    hk_report report = hk_cli_report(cli);
    hk_report_begin(&report, json, name);
    hk_cli_reported(cli, &report);
}

void hk_answer_end(hk_json *json) {
    hk_json_end(json);
}

const char *hk_failure_head(const hk_cli *cli) {
    return hk_arena_printf(cli->arena, "{\"schema\":\"hocket.failure/1\",\"version\":\"%s\"",
                           cli->build->version);
}

/* The common options are wanted before the rest is read: they say how to report what is wrong. */
static void look_ahead(hk_cli *cli, int count, char *const *words) {
    const char *color = NULL;
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        if (strcmp(words[i], "--json") == 0)
            cli->json = true;
        else if (strcmp(words[i], "-q") == 0 || strcmp(words[i], "--quiet") == 0)
            cli->quiet = true;
        else if (strncmp(words[i], "--color=", 8) == 0)
            color = words[i] + 8;
        else if (strcmp(words[i], "--color") == 0 && i + 1 < count)
            color = words[i + 1];
    }
    hk_terminal_setup(cli, color);
}

hk_status hk_cli_unknown_verb(hk_cli *cli, const char *word, const char *before) {
    const char *names[sizeof verbs / sizeof *verbs];
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        names[i] = verbs[i]->name;
    const char *close = hk_closest(word, names, sizeof verbs / sizeof *verbs);
    const char *hint = "'hocket help' lists the verbs";
    if (close)
        hint = hk_hint_name(cli->arena, hk_arena_printf(cli->arena, "%s %s", before, close), NULL);
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint, "there is no verb '%s'", word);
}

static hk_status not_a_verb(hk_cli *cli, const char *word) {
    if (word[0] == '-')
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "options come after the verb: hocket VERB [OPTION...]",
                        "'%s' is not an option of hocket itself", word);
    if (hk_file_exists(word))
        return hk_error(
            cli->ctx, HK_E_USAGE, HK_NOWHERE,
            hk_hint_name(cli->arena, hk_arena_printf(cli->arena, "hocket run %s", word), NULL),
            "there is no verb '%s'", word);
    return hk_cli_unknown_verb(cli, word, "hocket");
}

const char *hk_cli_called(const hk_cli *cli, const hk_verb *verb) {
    return cli->tool ? hk_path_name(cli->tool->file)
                     : hk_arena_printf(cli->arena, "hocket %s", verb->name);
}

/* ".a, .b or .c" of "a b c". */
static const char *list_extensions(hk_arena *arena, const char *words) {
    const char *list = "";
    for (; *words; words += strspn(words, " ")) {
        int length = (int)strcspn(words, " ");
        const char *mark = !*list ? "" : words[length] ? ", " : " or ";
        list = hk_arena_printf(arena, "%s%s.%.*s", list, mark, length, words);
        words += length;
    }
    return list;
}

typedef struct operand_counts {
    size_t min, max;
} operand_counts;

/* Of "FILE [SIGNAL...]": what is in brackets can be left out, what ends in dots goes on. */
static operand_counts count_operands(const char *operands) {
    operand_counts counts = {0};
    for (const char *word = operands ? operands : ""; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        bool dots = length > 3 && strncmp(word + length - (*word == '[' ? 4 : 3), "...", 3) == 0;
        counts.min += *word != '[';
        counts.max = dots || counts.max == SIZE_MAX ? SIZE_MAX : counts.max + 1;
        word += length;
    }
    return counts;
}

static hk_status wrong_count(hk_cli *cli, const hk_verb *verb, size_t count) {
    const operand_counts allowed = count_operands(verb->operands);
    const char *called = hk_cli_called(cli, verb);
    const char *hint =
        hk_arena_printf(cli->arena, "usage: %s %s%s[OPTION...]", called,
                        verb->operands ? verb->operands : "", verb->operands ? " " : "");
    if (count == 0 && verb->files && strcmp(verb->operands, "FILE") == 0)
        hint = hk_arena_printf(cli->arena, "%s; files are named %s", hint,
                               list_extensions(cli->arena, verb->files));
    if (count < allowed.min)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint, "'%s' needs %s", called,
                        verb->operands);
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                    allowed.max ? "'%s' takes no more than %zu operand%s"
                                : "'%s' takes no operands",
                    called, allowed.max, allowed.max == 1 ? "" : "s");
}

hk_status hk_cli_check_output(hk_cli *cli, const char *option, const char *path) {
    if (hk_path_is_stdout(path))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a file (./- if it is to be called so)",
                        "--%s %s: standard output carries the answer, and cannot take this as well",
                        option, path);
    return hk_file_check(cli->ctx, path);
}

/* What the verb is told to write is claimed before it reads or writes anything. */
static hk_status claim_outputs(hk_cli *cli, hk_args *args) {
    for (size_t i = 0; i < args->given_count; i++) {
        struct hk_given *given = &args->given[i];
        const hk_option *option = given->option;
        const char *path = given->value;
        if (!path || path != hk_args_value(args, option->name))
            continue;
        if (option->streams && hk_path_is_stdout(path))
            given->value = "-";
        else if (option->written)
            HK_TRY(hk_cli_check_output(cli, option->name, path));
        if (option->written && strcmp(given->value, "-") != 0)
            HK_TRY(
                hk_claim_write(cli->ctx, path, hk_arena_printf(cli->arena, "--%s", option->name)));
    }
    return HK_OK;
}

hk_status hk_cli_do(hk_cli *cli, const hk_verb *verb, int count, char *const *words,
                    const char *operand) {
    hk_args args;
    HK_TRY(hk_args_parse(cli->ctx, hk_cli_called(cli, verb), &verb->options, count, words, &args));
    hk_status status = HK_OK;
    const operand_counts allowed = count_operands(verb->operands);
    cli->quiet = hk_args_has(&args, "quiet"); /* also where it is in "-qo FILE" */
    if (hk_args_has(&args, "help")) {
        hk_help_verb(cli, verb, stdout);
    } else if (args.operand_count < allowed.min || args.operand_count > allowed.max) {
        status = wrong_count(cli, verb, args.operand_count);
    } else if (verb->has_parent && hk_run_parent(cli, &args, &status)) {
        /* this is the parent, and the run is over */
    } else if ((status = claim_outputs(cli, &args)) == HK_OK) {
        if (operand)
            HK_PUSH(args.operands, args.operand_count, args.operand_cap, operand);
        status = verb->run(cli, &args);
    }
    hk_args_finish(&args);
    return status;
}

int hk_cli_exit(const hk_cli *cli, hk_status status) {
    return cli->gives_verdict ? hk_play_exit(status) : hk_status_exit(status);
}

static hk_status dispatch(hk_cli *cli, int argc, char **argv) {
    if (hk_tool_is(cli->build->mark)) {
        look_ahead(cli, argc - 1, argv + 1);
        return hk_cli_tool(cli, argc - 1, argv + 1);
    }
    if (argc < 2) {
        hk_help_program(cli, stderr);
        return HK_E_USAGE;
    }
    look_ahead(cli, argc - 2, argv + 2);
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        word = "version";
    const hk_verb *verb = hk_verb_find(word);
    if (!verb)
        return not_a_verb(cli, word);
    return hk_cli_do(cli, verb, argc - 2, argv + 2, NULL);
}

int hk_cli_main(const hk_build *build, int argc, char **argv) {
    hk_cli cli = {.build = build, .arena = hk_arena_create()};
    cli.repeats = HK_NEW_ARRAY(cli.arena, int, HK_CODE_LIMIT);
    cli.ctx = hk_ctx_create(hk_message_print, &cli);
    hk_claim_begin(cli.ctx);
    hk_terminal_setup(&cli, NULL);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a write that fails */

    hk_remove_temporary_when_stopped();
    hk_status status = dispatch(&cli, argc, argv);
    if (cli.json && !cli.answered && status != HK_OK) {
        hk_json json;
        hk_answer_begin(&cli, &json, "failure");
        hk_json_string(&json, "status", hk_arena_printf(cli.arena, "HK%04d", (int)status));
        hk_json_i64(&json, "exit", hk_cli_exit(&cli, status));
        hk_answer_end(&json);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == HK_OK)
        status = hk_error(cli.ctx, HK_E_FILE_WRITE, HK_NOWHERE, NULL,
                          "standard output cannot be written: %s", strerror(errno));
    hk_messages_finish(&cli);
    hk_ctx_destroy(cli.ctx);
    int code = hk_cli_exit(&cli, status);
    hk_tool_close(cli.tool);
    hk_arena_destroy(cli.arena);
    hk_parent_finish(code);
    return code;
}
