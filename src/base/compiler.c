/* SPDX-License-Identifier: MIT */
#include "base/compiler.h"

#include "base/command.h"
#include "base/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *hk_compiler_words(const char *variable, const char *otherwise) {
    const char *value = getenv(variable);
    return value && value[strspn(value, " \t\r\n")] ? value : otherwise;
}

const char *hk_compiler_name(hk_arena *arena, const char *words, const char *log) {
    hk_command command = {0};
    char *said = NULL;
    size_t size = 0;
    hk_command_add_words(&command, arena, words);
    const char *name = command.words[0];
    hk_command_add(&command, "--version");
    int code = hk_command_run(&command, NULL, NULL, log);
    hk_command_finish(&command);
    if (code == HK_COMMAND_NONE || code < 0)
        return NULL;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (code == 0 && hk_file_read(quiet, log, 0, &said, &size) == HK_OK && *said && *said != '\n')
        name = hk_arena_strndup(arena, said, strcspn(said, "\n"));
    hk_free(said);
    hk_ctx_destroy(quiet);
    return name;
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

/* What the linker misses: "...: undefined reference to `x'". */
static const char *find_unlocated(const char *line) {
    static const char *const words[] = {"undefined reference to", "multiple definition of",
                                        "cannot find ", "error: "};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
        found = strstr(line, "ld returned") ? NULL : strstr(line, words[i]);
    return found;
}

hk_complaint hk_complaint_first(hk_arena *arena, const char *said) {
    hk_complaint first = {0};
    const char *rest = said;
    if (hk_complaint_next(arena, &rest, &first))
        return first;
    for (const char *line = said; *line && !first.text; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        first.text = find_unlocated(hk_arena_strndup(arena, line, length));
        line += length;
    }
    if (!first.text)
        first.text = hk_arena_strndup(arena, said, strcspn(said, "\n"));
    return first;
}

bool hk_is_cpp_name(const char *file) {
    static const char *const endings[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(hk_path_extension(file), endings[i]) == 0)
            return true;
    return false;
}

bool hk_is_c_name(const char *file) {
    return strcmp(hk_path_extension(file), ".c") == 0;
}

const char *hk_rule_files(const char *rule) {
    const char *colon = strstr(rule, ": ");
    return colon ? colon + 2 : "";
}

bool hk_rule_next(hk_arena *arena, const char **rule, const char **ret_file) {
    const char *at = *rule;
    char *word = hk_arena_alloc(arena, strlen(at) + 1), *to = word;
    for (; *at; at++) {
        bool kept = (*at == '\\' && at[1] && strchr(" #", at[1])) || (*at == '$' && at[1] == '$');
        bool blank = !kept && (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n'));
        if (blank && to > word)
            break;
        if (!blank)
            *to++ = kept ? *++at : *at;
    }
    *rule = at;
    *ret_file = word;
    return to > word;
}

const char *hk_compiler_environment(hk_arena *arena) {
    static const char *const names[] = {
        "CPATH",         "C_INCLUDE_PATH",  "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
        "COMPILER_PATH", "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH",  "CCC_OVERRIDE_OPTIONS",
        "LD_RUN_PATH",   "LDEMULATION",
    };
    const char *text = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            text = hk_arena_printf(arena, "%s%s=%s\n", text, names[i], value);
    }
    return text;
}
