/* SPDX-License-Identifier: MIT
 *
 * Diagnostics for people and for programs. */
#include "base/file.h"
#include "cli/cli.h"
#include "engine/guard.h"
#include "format/escape.h"

#include <string.h>

enum {
    SOURCE_LIMIT = 16 << 20, /* larger files are not opened again to show a line of them */
    SOURCE_WIDTH = 160,      /* a longer line would bury its caret */
    REPEATS_SHOWN = 10       /* of one code, errors aside */
};

/* Finds line number LINE (from 1) of DATA. */
static bool find_line(const char *data, size_t size, int line, const char **ret_text,
                      size_t *ret_length) {
    const char *text = data, *end = data + size;
    for (int i = 1; i < line; i++) {
        text = memchr(text, '\n', (size_t)(end - text));
        if (!text)
            return false;
        text++;
    }
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    size_t length = (size_t)((stop ? stop : end) - text);
    if (length && text[length - 1] == '\r')
        length--;
    *ret_text = text;
    *ret_length = length;
    return true;
}

static void put_source(FILE *out, const char *text, size_t length) {
    for (size_t i = 0, glyph; i < length; i += glyph) {
        bool plain = hk_glyph_at(text + i, length - i, &glyph) == HK_GLYPH_PLAIN;
        (void)fwrite(plain || text[i] == '\t' ? text + i : " ", 1, plain ? glyph : 1, out);
    }
    fputc('\n', out);
}

static void put_caret(FILE *out, bool color, const char *text, int column) {
    fputs("      | ", out);
    for (int i = 0; i < column - 1; i++) /* tabs keep their width */
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            fputc(text[i] == '\t' ? '\t' : ' ', out);
    fprintf(out, "%s^%s\n", hk_style_on(color, HK_GREEN), hk_style_off(color));
}

/* The line and a caret below the column, if the file can be read and holds text. */
static void print_source(FILE *out, bool color, const hk_where *where) {
    if (!where->file || where->line <= 0 || !hk_file_exists(where->file))
        return;
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    char *data = NULL;
    size_t size = 0, length;
    const char *text;
    if (hk_file_read(silent, where->file, SOURCE_LIMIT, &data, &size) == HK_OK &&
        !memchr(data, 0, size) && find_line(data, size, where->line, &text, &length) && length &&
        length <= SOURCE_WIDTH) {
        fprintf(out, "%5d | ", where->line);
        put_source(out, text, length);
        if (where->column > 0 && (size_t)where->column <= length + 1)
            put_caret(out, color, text, where->column);
    }
    hk_free(data);
    hk_ctx_destroy(silent);
}

/* Lines after the first are what somebody else said, and are below it. */
static void put_lines(FILE *out, const char *text) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n' && line != text;
        if (line != text)
            fputs("\n    ", out);
        hk_put_clean_part(out, line, strcspn(line, "\n"));
    }
}

const char *hk_program_name(const hk_cli *cli) {
    return cli->tool ? hk_path_name(cli->tool->file) : "hocket";
}

static void print_text(const hk_cli *cli, FILE *out, bool color, const hk_diag *diag) {
    hk_style style = diag->severity == HK_ERROR     ? HK_RED
                     : diag->severity == HK_WARNING ? HK_YELLOW
                                                    : HK_CYAN;
    const hk_where *where = &diag->where;
    if (cli->redrawn_line)
        fputs("\r\033[K", stderr);
    fputs(hk_style_on(color, HK_BOLD), out);
    hk_put_clean(out, where->file ? where->file : hk_program_name(cli));
    if (where->file && where->line > 0 && where->column > 0)
        fprintf(out, ":%d:%d", where->line, where->column);
    else if (where->file && where->line > 0)
        fprintf(out, ":%d", where->line);
    fputs(": ", out);
    fprintf(out, "%s%s%s", hk_style_off(color), hk_style_on(color, style),
            hk_severity_name(diag->severity));
    if (diag->code != HK_OK)
        fprintf(out, "[HK%04d]", (int)diag->code);
    fprintf(out, ":%s ", hk_style_off(color));
    if (where->element && !strstr(diag->text, where->element)) {
        hk_put_clean(out, where->element);
        fputs(": ", out);
    }
    put_lines(out, diag->text);
    fputc('\n', out);
    print_source(out, color, where);
    if (diag->hint) {
        fprintf(out, "  %shint:%s ", hk_style_on(color, HK_CYAN), hk_style_off(color));
        hk_put_clean(out, diag->hint);
        fputc('\n', out);
    }
    fflush(out);
}

void hk_message_print(void *user, const hk_diag *diag) {
    hk_cli *cli = user;
    hk_guard_standard_error();
    if (cli->quiet && diag->severity == HK_NOTE)
        return;
    if (diag->severity != HK_ERROR && !cli->findings_on_stdout &&
        cli->repeats[diag->code % HK_CODE_LIMIT]++ >= REPEATS_SHOWN && diag->code != HK_OK)
        return;
    if (cli->json) {
        if (cli->findings_on_stdout)
            return; /* they are part of the answer */
        hk_json json;
        hk_json_begin(&json, stderr);
        hk_report_diag(&json, NULL, diag);
        fflush(stderr);
    } else if (cli->findings_on_stdout) {
        print_text(cli, stdout, cli->color_out, diag);
    } else {
        print_text(cli, stderr, cli->color_err, diag);
    }
}

void hk_messages_finish(hk_cli *cli) {
    if (cli->json || cli->quiet || cli->findings_on_stdout)
        return;
    for (int code = 1; code < HK_CODE_LIMIT; code++)
        if (cli->repeats[code] > REPEATS_SHOWN)
            fprintf(stderr, "%s: note: %d more like HK%04d; 'hocket check' lists them all%s\n",
                    hk_program_name(cli), cli->repeats[code] - REPEATS_SHOWN, code,
                    cli->tool ? ", where the model is" : "");
}
