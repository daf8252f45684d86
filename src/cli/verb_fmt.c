/* SPDX-License-Identifier: MIT
 *
 * `hocket fmt`: files of hocket's languages and of SSP in their canonical form. */
#include "base/claims.h"
#include "base/file.h"
#include "chart/chart_syntax.h"
#include "cli/cli.h"
#include "cli/info_master.h"
#include "lang/syntax.h"
#include "report/info_report.h"
#include "scene/scene_syntax.h"
#include "ssp/ssp.h"
#include "sysml/sysml_syntax.h"

#include <string.h>
#include <strings.h>

#define FILE_BYTES_MAX ((size_t)1 << 30)

/* In a comment, which is printed as it is, the languages take any byte; a text has no zero. */
static hk_status check_zeros(hk_cli *cli, const char *path, const char *data, size_t size) {
    const char *zero = memchr(data, '\0', size), *line = data;
    int number = 1;
    if (!zero)
        return HK_OK;
    for (const char *p = data; p < zero; p++)
        if (*p == '\n') {
            line = p + 1;
            number++;
        }
    hk_where where = {.file = path, .line = number, .column = (int)(zero - line) + 1};
    return hk_error(cli->ctx, HK_E_LANGUAGE, where, "take it out: a text has no such byte",
                    "the byte 0x00 does not belong here");
}

/* A file of the language NAME, whose trees are of TYPE. */
#define FORMAT(name, type)                                                                         \
    static hk_status format_##name(hk_cli *cli, const char *path, const char *data, size_t size,   \
                                   const char **ret_text) {                                        \
        type *file;                                                                                \
        HK_TRY(hk_##name##_parse(cli->ctx, cli->arena, path, data, size, &file));                  \
        HK_TRY(check_zeros(cli, path, data, size));                                                \
        *ret_text = hk_##name##_print(cli->arena, file);                                           \
        return HK_OK;                                                                              \
    }
FORMAT(types, hk_typefile)
FORMAT(system, hk_systemfile)
FORMAT(simulation, hk_simulationfile)
FORMAT(rct, hk_rcfile)
FORMAT(sysml, hk_sysml_file)
FORMAT(scene, hk_scenefile)

static hk_status format_ssp(hk_cli *cli, const char *path, const char *data, size_t size,
                            const char **ret_text) {
    return hk_ssp_format(cli->ctx, cli->arena, path, data, size, ret_text);
}

static const struct language {
    const char *extension;
    hk_status (*format)(hk_cli *cli, const char *path, const char *data, size_t size,
                        const char **ret_text);
    const char *begins; /* words that such a text begins with; NULL: it says nothing */
} languages[] = {
    {".types", format_types, "Declaration dataTypes interfaces LeafComponentTypes import"},
    {".system", format_system, "system"},
    {".simulation", format_simulation, "Simulation"},
    {".rct", format_rct,
     "package module controller stm robotic interface enumeration function operation"},
    {".sysml", format_sysml, "library #"},
    {".scene", format_scene, "scene"},
    {".master", hk_format_master, "scenario algorithm"},
    {".conf", hk_format_master, NULL},
    {".json", hk_format_master, "{"},
    {".ssd", format_ssp, "<"}, /* of all files of SSP */
    {".ssv", format_ssp, NULL},
    {".ssm", format_ssp, NULL},
    {".ssb", format_ssp, NULL}};
enum { LANGUAGE_COUNT = sizeof languages / sizeof *languages };

static hk_status format(hk_cli *cli, const char *path, const char *data, size_t size,
                        const char **ret_text) {
    for (size_t i = 0; i < LANGUAGE_COUNT; i++)
        if (strcasecmp(hk_path_extension(path), languages[i].extension) == 0)
            return languages[i].format(cli, path, data, size, ret_text);
    return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path}, NULL,
                    "fmt knows files named .types, .system, .simulation, .scene, .master, .rct, "
                    ".sysml, .ssd, .ssv, .ssm and .ssb");
}

/* ---- standard input ---- */

/* The first word or mark of a text, behind blanks, comments and the mark of its encoding. */
static const char *skip_blanks(const char *p) {
    if (strncmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    for (;;) {
        p += strspn(p, " \t\r\n");
        if (strncmp(p, "//", 2) == 0) {
            p += strcspn(p, "\n");
        } else if (strncmp(p, "/*", 2) == 0) {
            const char *end = strstr(p, "*/");
            p = end ? end + 2 : p + strlen(p);
        } else {
            return p;
        }
    }
}

static bool begins_with(const char *text, const char *words) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strspn(text, letters);
    length = length || !*text ? length : 1;
    for (; words && *words; words += strspn(words, " ")) {
        size_t word = strcspn(words, " ");
        if (word == length && memcmp(words, text, length) == 0)
            return true;
        words += word;
    }
    return false;
}

/* Packages of RoboChart have no braces, those of SysML do. */
static bool is_sysml_package(const char *text) {
    if (!begins_with(text, "package"))
        return false;
    const char *name = skip_blanks(text + strlen("package"));
    bool quoted = *name == '\'';
    name += quoted ? 1 + strcspn(name + 1, "'") : strcspn(name, " \t\r\n{;/");
    return *skip_blanks(quoted && *name ? name + 1 : name) == '{';
}

/* What messages call the text, with the extension of its language. */
static hk_status name_input(hk_cli *cli, const hk_args *args, const char *data,
                            const char **ret_path) {
    const char *asked = hk_args_value(args, "language"), *first = skip_blanks(data);
    if (!asked && is_sysml_package(first))
        asked = "sysml";
    for (size_t i = 0; i < LANGUAGE_COUNT; i++) {
        const struct language *l = &languages[i];
        if (asked ? strcmp(asked, l->extension + 1) == 0 : begins_with(first, l->begins)) {
            *ret_path = hk_arena_printf(cli->arena, "standard input%s", l->extension);
            return HK_OK;
        }
    }
    return hk_error(cli->ctx, HK_E_FILE_KIND, HK_NOWHERE, "name it: hocket fmt - --language system",
                    "standard input does not begin like a text that fmt knows");
}

static hk_status read_text(hk_cli *cli, const hk_args *args, const char **path, char **ret_data,
                           size_t *ret_size) {
    if (strcmp(*path, "-") != 0)
        return hk_file_read(cli->ctx, *path, FILE_BYTES_MAX, ret_data, ret_size);
    if (hk_args_has(args, "write"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave --write out: the text is printed",
                        "standard input cannot be rewritten");
    HK_TRY(hk_input_read(cli, ret_data, ret_size));
    hk_status status = name_input(cli, args, *ret_data, path);
    if (status != HK_OK)
        hk_free(*ret_data);
    return status;
}

/* ---- files ---- */

/* The line in which DATA begins to differ from TEXT. */
static int first_difference(const char *data, size_t size, const char *text) {
    int line = 1;
    for (size_t i = 0; i < size && text[i] && text[i] == data[i]; i++)
        line += data[i] == '\n';
    return line;
}

/* What becomes of a file that is not in its canonical form. */
static hk_status handle(hk_cli *cli, const hk_args *args, const char *path, bool input,
                        const char *text, int line) {
    if (hk_args_has(args, "check"))
        return hk_error(cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = path, .line = line},
                        input ? "'hocket fmt -' without --check prints it"
                              : "hocket fmt --write puts it right",
                        "this is not the canonical form");
    if (!hk_args_has(args, "write"))
        return HK_OK;
    if (hk_names_master(path) && strcasecmp(hk_path_extension(path), ".master") != 0)
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = path},
                        "print it, and write that to a file named .master",
                        "a file of another tool is shown as a master, not replaced by one");
    hk_claim_replaceable(cli->ctx, path);
    HK_TRY(hk_file_rewrite(cli->ctx, path, text, strlen(text)));
    if (!cli->quiet && !cli->json)
        fprintf(stderr, "rewritten: %s\n", path);
    return HK_OK;
}

static hk_status run_file(hk_cli *cli, const hk_args *args, const char *path, hk_json *json) {
    bool shows = !hk_args_has(args, "check") && !hk_args_has(args, "write");
    bool input = strcmp(path, "-") == 0;
    char *data;
    size_t size;
    const char *text = NULL;
    HK_TRY(read_text(cli, args, &path, &data, &size));
    hk_status status = format(cli, path, data, size, &text);
    if (status == HK_OK) {
        bool canonical = strlen(text) == size && memcmp(text, data, size) == 0;
        if (!canonical)
            status = handle(cli, args, path, input, text, first_difference(data, size, text));
        if (json) {
            hk_json_object(json, NULL);
            hk_json_string(json, "file", path);
            hk_json_bool(json, "canonical", canonical);
            if (shows)
                hk_json_string(json, "text", text);
            hk_json_end(json);
        } else if (shows) {
            fputs(text, stdout);
        }
    }
    hk_free(data);
    return status;
}

static hk_status run_fmt(hk_cli *cli, const hk_args *args) {
    hk_status first = HK_OK;
    hk_json json;
    if (hk_args_has(args, "check") && hk_args_has(args, "write"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "use one of them",
                        "--check and --write exclude each other");
    bool input = false;
    for (size_t i = 0; i < args->operand_count; i++)
        input |= strcmp(args->operands[i], "-") == 0;
    if (hk_args_has(args, "language") && !input)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "hocket fmt - --language system",
                        "--language is of standard input; the name of a file says its language");
    if (cli->json) {
        hk_answer_begin(cli, &json, "fmt");
        hk_json_array(&json, "files");
    }
    for (size_t i = 0; i < args->operand_count; i++) {
        hk_status status = run_file(cli, args, args->operands[i], cli->json ? &json : NULL);
        first = hk_status_exit(status) > hk_status_exit(first) ? status : first;
    }
    if (cli->json) {
        hk_json_end(&json);
        hk_answer_end(&json);
    }
    return first;
}

static const hk_option options[] = {
    {.name = "check",
     .group = "Formatting",
     .help = "print nothing; exit with status 1 if a file is not in the canonical form"},
    {.name = "write",
     .letter = 'w',
     .group = "Formatting",
     .help = "rewrite the files in place instead of printing them"},
    {.name = "language",
     .argument = "LANGUAGE",
     .choices = "types system simulation scene rct sysml master conf json ssd ssv ssm ssb",
     .group = "Formatting",
     .help = "of what standard input holds: types, system, simulation, scene, rct, sysml, master, "
             "conf, json, ssd, ssv, ssm, ssb; else its first word says it"},
};

const hk_verb hk_verb_fmt = {
    .name = "fmt",
    .summary = "print files of hocket's languages and of SSP in canonical form",
    .operands = "FILE...",
    .files = "types system simulation scene master rct sysml ssd ssv ssm ssb",
    .description =
        "FILE is a type, system, simulation, scene or master file, RoboChart (.rct), SysML v2 "
        "(.sysml), "
        "or a file of SSP "
        "(.ssd, .ssv, .ssm, "
        ".ssb), or '-': standard input. Its "
        "canonical form has one statement or element a line and two spaces for each level; "
        "comments "
        "are kept, and so is all that other tools have written into annotations. A file with "
        "mistakes is never touched.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_fmt,
};
