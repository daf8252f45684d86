/* SPDX-License-Identifier: MIT */
#include "base/compiler.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *hk_compiler_words(const char *variable, const char *otherwise) {
    const char *value = getenv(variable);
    return value && value[strspn(value, " \t\r\n")] ? value : otherwise;
}

static bool read_line(hk_arena *arena, const char *line, hk_complaint *ret) {
    const char *error = strstr(line, "error: ");
    const char *colon = strchr(line, ':');
    while (colon && !isdigit((unsigned char)colon[1]))
        colon = strchr(colon + 1, ':');
    if (!error || !colon || colon > error)
        return false;
    char *next = NULL;
    long row = strtol(colon + 1, &next, 10);
    long column = *next == ':' ? strtol(next + 1, NULL, 10) : 0;
    *ret = (hk_complaint){.file = hk_arena_strndup(arena, line, (size_t)(colon - line)),
                          .text = error + strlen("error: "),
                          .line = (int)row,
                          .column = (int)column};
    return true;
}

bool hk_complaint_next(hk_arena *arena, const char **said, hk_complaint *ret) {
    while (**said) {
        size_t length = strcspn(*said, "\n");
        const char *line = hk_arena_strndup(arena, *said, length);
        *said += length + ((*said)[length] == '\n');
        if (read_line(arena, line, ret))
            return true;
    }
    return false;
}
