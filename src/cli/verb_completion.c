/* SPDX-License-Identifier: MIT
 *
 * `hocket completion`: scripts for the shells, made from the option tables. */
#include "cli/cli.h"

#include <string.h>

static void each_verb(FILE *out, void (*write)(FILE *out, const hk_verb *verb)) {
    const hk_verb *verb;
    for (size_t i = 0; (verb = hk_verb_at(i)); i++)
        write(out, verb);
}

static void bash_name(FILE *out, const hk_verb *verb) {
    fprintf(out, " %s", verb->name);
}

/* What may follow each option that takes an argument. */
static void bash_arguments(FILE *out, const hk_verb *verb) {
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->argument || !option->group)
            continue;
        fprintf(out, "        %s:--%s", verb->name, option->name);
        if (option->letter)
            fprintf(out, "|%s:-%c", verb->name, option->letter);
        if (option->choices)
            fprintf(out, ") COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
                    option->choices);
        else if (option->files)
            fprintf(out, ") _hocket_files %s; return ;;\n", option->files);
        else if (option->optional)
            fputs(") ;;\n", out);
        else
            fputs(") return ;;\n", out);
    }
}

static void bash_verb(FILE *out, const hk_verb *verb) {
    fprintf(out, "        %s) options='", verb->name);
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++)
        if (option->group)
            fprintf(out, "%s--%s", i ? " " : "", option->name);
    fprintf(out, "'; words='%s'; files='%s' ;;\n", verb->words ? verb->words : "",
            verb->files ? verb->files : "");
}

static void write_bash(FILE *out) {
    fputs("# bash completion for hocket; use: source <(hocket completion bash)\n"
          "_hocket_files() {\n"
          "    local extension\n"
          "    compopt -o filenames\n"
          "    if (( $# == 0 )); then COMPREPLY=($(compgen -f -- \"$cur\")); return; fi\n"
          "    COMPREPLY=($(compgen -d -- \"$cur\"))\n"
          "    for extension in \"$@\"; do\n"
          "        COMPREPLY+=($(compgen -f -X \"!*.$extension\" -- \"$cur\"))\n"
          "    done\n"
          "}\n"
          "_hocket() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options='' words='' files=''\n"
          "    COMPREPLY=()\n"
          "    if [[ $cur == '=' ]]; then cur=''\n"
          "    elif [[ $prev == '=' ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
          "    if (( COMP_CWORD == 1 )); then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    each_verb(out, bash_name);
    fputs("' -- \"$cur\")); return\n"
          "    fi\n"
          "    case \"${COMP_WORDS[1]}:$prev\" in\n",
          out);
    each_verb(out, bash_arguments);
    fputs("    esac\n"
          "    case \"${COMP_WORDS[1]}\" in\n",
          out);
    each_verb(out, bash_verb);
    fputs("    esac\n"
          "    if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "    elif [[ ${COMP_WORDS[1]} == help ]]; then COMPREPLY=($(compgen -W '",
          out);
    each_verb(out, bash_name);
    fputs("' -- \"$cur\"))\n"
          "    elif [[ -n $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    elif [[ -n $files ]]; then _hocket_files $files; fi\n"
          "}\n"
          "complete -F _hocket hocket\n",
          out);
}

/* TEXT inside single quotes; the characters of SPECIAL get a backslash. */
static void put_quoted(FILE *out, const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fprintf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
    }
}

static void zsh_name(FILE *out, const hk_verb *verb) {
    fprintf(out, "        '%s:", verb->name);
    put_quoted(out, verb->summary, ":");
    fputs("'\n", out);
}

/* A glob for _files: *.(csv|fmu). */
static void zsh_files(FILE *out, const char *extensions) {
    fputs("_files", out);
    const char *word;
    size_t length;
    bool first = true;
    while (hk_next_word(&extensions, &word, &length)) {
        fprintf(out, "%s%.*s", first ? " -g \"*.(" : "|", (int)length, word);
        first = false;
    }
    if (!first)
        fputs(")\"", out);
}

/* One option for _arguments, in its long form or as a letter. */
static void zsh_option(FILE *out, const hk_option *option, bool letter) {
    fprintf(out, " \\\n            '%s", option->repeatable ? "*" : "");
    if (letter)
        fprintf(out, "-%c", option->letter);
    else
        fprintf(out, "--%s%s", option->name, option->optional ? "=-" : option->argument ? "=" : "");
    fputc('[', out);
    put_quoted(out, option->help, "[]:\\");
    fputc(']', out);
    if (option->argument)
        fprintf(out, "%s%s:", option->optional ? "::" : ":", option->argument);
    if (option->choices)
        fprintf(out, "(%s)", option->choices);
    else if (option->files)
        zsh_files(out, option->files);
    fputc('\'', out);
}

static void zsh_verb(FILE *out, const hk_verb *verb) {
    fprintf(out, "        %s) _arguments", verb->name);
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->group)
            continue;
        zsh_option(out, option, false);
        if (option->letter)
            zsh_option(out, option, true);
    }
    if (verb->files) {
        fputs(" \\\n            '*:file:", out);
        zsh_files(out, verb->files);
        fputc('\'', out);
    } else if (verb->words) {
        fprintf(out, " \\\n            '1:%s:(%s)'", verb->name, verb->words);
    } else if (verb == &hk_verb_help) {
        fputs(" \\\n            '1:verb:(", out);
        each_verb(out, bash_name);
        fputs(")'", out);
    }
    fputs(" ;;\n", out);
}

static void write_zsh(FILE *out) {
    fputs("#compdef hocket\n"
          "# zsh completion for hocket; save as _hocket in a folder of $fpath\n"
          "_hocket() {\n"
          "    local -a verbs\n"
          "    verbs=(\n",
          out);
    each_verb(out, zsh_name);
    fputs("    )\n"
          "    if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
          "    local verb=$words[2]\n"
          "    shift words\n"
          "    (( CURRENT-- ))\n"
          "    case $verb in\n",
          out);
    each_verb(out, zsh_verb);
    fputs("    esac\n"
          "}\n"
          "if [[ $funcstack[1] == _hocket ]]; then _hocket \"$@\"; else compdef _hocket hocket; "
          "fi\n",
          out);
}

static void fish_verb(FILE *out, const hk_verb *verb) {
    fprintf(out, "complete -c hocket -n __fish_use_subcommand -a %s -d '", verb->name);
    put_quoted(out, verb->summary, "");
    fputs("'\n", out);
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->group)
            continue;
        fprintf(out, "complete -c hocket -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
                option->name);
        if (option->letter)
            fprintf(out, " -s %c", option->letter);
        if (option->argument && !option->optional)
            fputs(" -r", out);
        if (option->choices)
            fprintf(out, " -a '%s'", option->choices);
        if (option->files)
            fputs(" -F", out);
        fputs(" -d '", out);
        put_quoted(out, option->help, "");
        fputs("'\n", out);
    }
    if (verb->files)
        fprintf(out, "complete -c hocket -n '__fish_seen_subcommand_from %s' -F\n", verb->name);
    if (verb->words)
        fprintf(out, "complete -c hocket -n '__fish_seen_subcommand_from %s' -a '%s'\n", verb->name,
                verb->words);
}

static void write_fish(FILE *out) {
    fputs("# fish completion for hocket; save as ~/.config/fish/completions/hocket.fish\n"
          "complete -c hocket -f\n",
          out);
    each_verb(out, fish_verb);
}

static hk_status run_completion(hk_cli *cli, const hk_args *args) {
    const char *shell = args->operands[0];
    if (cli->json)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out --json",
                        "a completion script cannot be written as JSON");
    if (strcmp(shell, "bash") == 0)
        write_bash(stdout);
    else if (strcmp(shell, "zsh") == 0)
        write_zsh(stdout);
    else if (strcmp(shell, "fish") == 0)
        write_fish(stdout);
    else
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "one of: bash zsh fish",
                        "there is no completion for the shell '%s'", shell);
    return HK_OK;
}

const hk_verb hk_verb_completion = {
    .name = "completion",
    .summary = "print a completion script for bash, zsh or fish",
    .operands = "SHELL",
    .words = "bash zsh fish",
    .description = "SHELL is bash, zsh or fish. For bash, add this line to ~/.bashrc: "
                   "source <(hocket completion bash)",
    .run = run_completion,
};
