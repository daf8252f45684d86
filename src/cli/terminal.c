/* SPDX-License-Identifier: MIT
 *
 * What the terminal can show: colours, its size. */
#include "cli/cli.h"
#include "format/escape.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 80, WIDTH_MIN = 40 };

const char *hk_style_on(bool color, hk_style style) {
    static const char *const codes[] = {"",         "\033[1m",  "\033[2m", "\033[1;31m",
                                        "\033[33m", "\033[36m", "\033[32m"};
    return color ? codes[style] : "";
}

const char *hk_style_off(bool color) {
    return color ? "\033[0m" : "";
}

static struct winsize window_of(int fd) {
    struct winsize size = {0};
    if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0)
        return (struct winsize){0};
    return size;
}

int hk_terminal_width(int fd) {
    struct winsize size = window_of(fd);
    return size.ws_col ? size.ws_col : isatty(fd) ? WIDTH_DEFAULT : 0;
}

int hk_terminal_height(int fd) {
    return window_of(fd).ws_row;
}

bool hk_stderr_is_terminal(void) {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

bool hk_terminal_is_utf8(void) {
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) {
            const char *dot = strchr(value, '.');
            return dot && (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
        }
    }
    return false;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && *value;
}

static bool wants_color(const char *choice, int fd) {
    if (choice && strcmp(choice, "always") == 0)
        return true;
    if (choice && strcmp(choice, "never") == 0)
        return false;
    if (is_set("NO_COLOR"))
        return false;
    if (is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0)
        return true;
    const char *term = getenv("TERM");
    return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

void hk_terminal_setup(hk_cli *cli, const char *color) {
    cli->color_out = wants_color(color, STDOUT_FILENO);
    cli->color_err = wants_color(color, STDERR_FILENO);
    int width = hk_terminal_width(STDOUT_FILENO);
    cli->width = width >= WIDTH_MIN ? width : WIDTH_DEFAULT;
}

void hk_put_clean_part(FILE *out, const char *text, size_t size) {
    size_t length;
    for (; size; text += length, size -= length) {
        hk_glyph glyph = hk_glyph_at(text, size, &length);
        if (glyph == HK_GLYPH_PLAIN)
            (void)fwrite(text, 1, length, out);
        else
            fputs(glyph != HK_GLYPH_BROKEN ? " "
                  : hk_terminal_is_utf8()  ? "\xef\xbf\xbd"
                                           : "?",
                  out);
    }
}

void hk_put_clean(FILE *out, const char *text) {
    hk_put_clean_part(out, text, strlen(text));
}
