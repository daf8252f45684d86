/* SPDX-License-Identifier: MIT
 *
 * Help texts and the option part of the man pages, made from the tables. */
#include "cli/cli.h"

#include <string.h>

enum { HELP_COLUMN = 30, HELP_WIDTH_MAX = 100 };

/* Writes TEXT wrapped, every line after the first indented; the cursor is at column AT. */
static void wrap(FILE *out, const char *text, int at, int indent, int width) {
    bool first = true;
    const char *word;
    size_t length;
    while (hk_next_word(&text, &word, &length)) {
        if (!first && at + 1 + (int)length > width) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)length, word);
        at += (int)length + (first ? 0 : 1);
        first = false;
    }
    fputc('\n', out);
}

static void paragraphs(FILE *out, const char *text, int width) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *paragraph = hk_alloc(length + 1);
        memcpy(paragraph, text, length);
        wrap(out, paragraph, 0, 0, width);
        hk_free(paragraph);
        text += length;
        if (*text)
            text++;
    }
}

static int help_width(const hk_cli *cli) {
    return cli->width > HELP_WIDTH_MAX ? HELP_WIDTH_MAX : cli->width;
}

static bool is_terminal_color(const hk_cli *cli, FILE *out) {
    return out == stdout ? cli->color_out : cli->color_err;
}

void hk_help_program(const hk_cli *cli, FILE *out) {
    bool color = is_terminal_color(cli, out);
    const char *on = hk_style_on(color, HK_BOLD), *off = hk_style_off(color);
    fprintf(out,
            "%shocket%s %s: many models, one system, exactly in time\n\n"
            "Usage: hocket VERB [OPERAND...] [OPTION...]\n\n%sVerbs:%s\n",
            on, off, cli->build->version, on, off);
    const hk_verb *verb;
    for (size_t i = 0; (verb = hk_verb_at(i)); i++)
        fprintf(out, "  %s%-11s%s %s\n", on, verb->name, off, verb->summary);
    fprintf(out,
            "\n%sStart here:%s\n"
            "  hocket info system.ssp                what is in it\n"
            "  hocket run system.ssp -o result.csv   simulate it\n"
            "  hocket plot result.csv                look at the result\n\n"
            "'hocket help VERB' explains a verb. Exit status: 0 done, 1 the answer is no, 2 wrong\n"
            "usage, 3 unreadable input, 4 a component failed, 5 internal error, 124 time limit,\n"
            "130 interrupted.\n",
            on, off);
}

/* "-o, --output FILE", in the writing of the help or of scdoc. */
static void option_form(const hk_option *option, char *text, size_t size, bool scdoc) {
    const char *bold = scdoc ? "*" : "", *under = scdoc ? "_" : "";
    int at = 0;
    if (option->letter)
        at += snprintf(text, size, "%s-%c%s, ", bold, option->letter, bold);
    at += snprintf(text + at, size - (size_t)at, "%s--%s%s", bold, option->name, bold);
    if (option->argument)
        snprintf(text + at, size - (size_t)at, option->optional ? "[=%s%s%s]" : " %s%s%s", under,
                 option->argument, under);
}

void hk_help_verb(const hk_cli *cli, const hk_verb *verb, FILE *out) {
    bool color = is_terminal_color(cli, out);
    const char *on = hk_style_on(color, HK_BOLD), *off = hk_style_off(color);
    const char *called = hk_cli_called(cli, verb);
    fprintf(out, "%s%s%s: %s\n\nUsage: %s %s%s[OPTION...]\n\n", on, called, off, verb->summary,
            called, verb->operands ? verb->operands : "", verb->operands ? " " : "");
    paragraphs(out, verb->description, help_width(cli));
    const char *group = "";
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->group)
            continue;
        if (strcmp(group, option->group) != 0)
            fprintf(out, "\n%s%s:%s\n", on, option->group, off);
        group = option->group;
        char form[96];
        option_form(option, form, sizeof form, false);
        int used = fprintf(out, "  %s%s", option->letter ? "" : "    ", form);
        fprintf(out, "%*s", used + 2 > HELP_COLUMN ? 0 : HELP_COLUMN - used, "");
        if (used + 2 > HELP_COLUMN)
            fprintf(out, "\n%*s", HELP_COLUMN, "");
        wrap(out, option->help, HELP_COLUMN, HELP_COLUMN, help_width(cli));
    }
}

static void put_scdoc(FILE *out, const char *text) {
    for (; *text; text++) {
        if (strchr("*_\\", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

void hk_help_scdoc(const hk_verb *verb, FILE *out) {
    const hk_option *option;
    for (size_t i = 0; (option = hk_option_at(&verb->options, i)); i++) {
        if (!option->group)
            continue;
        char form[96];
        option_form(option, form, sizeof form, true);
        fprintf(out, "%s\n\t", form);
        put_scdoc(out, option->help);
        fputs(".\n\n", out);
    }
}
