/* SPDX-License-Identifier: MIT
 *
 * The calls of the compilers, and what they say. */
#include "native/plugin_build_internal.h"

#include "base/cflags.h"
#include "base/command.h"
#include "base/compiler.h"
#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *log_path(const hk_plugin_job *job) {
    return hk_path_join(job->arena, job->temporary, "compiler.log");
}

/* ---- which compilers ---- */

static hk_status no_compiler(const hk_plugin_job *job, const char *program, int language) {
    if (language == 1)
        return hk_error(job->ctx, HK_E_COMPILER, (hk_where){.file = job->shown},
                        "install a C++ compiler, or set CXX to its name",
                        "there are files in C++, and the compiler '%s' cannot be started", program);
    return hk_error(job->ctx, HK_E_COMPILER, (hk_where){.file = job->shown},
                    "install a C compiler, or name one with CC or 'hocket build --cc'",
                    "the compiler '%s' cannot be started", program);
}

/* The words of the compiler itself, behind the first, are flags as well. */
static const char *flags_of(const hk_plugin_job *job, const char *words, int language) {
    const char *text =
        hk_arena_printf(job->arena, "%s %s", language ? HK_PLUGIN_STD_CXX : HK_PLUGIN_STD_C,
                        hk_plugin_flags_text(job->arena));
    words += strspn(words, " \t\r\n");
    const char *rest = words + strcspn(words, " \t\r\n");
    return *rest ? hk_arena_printf(job->arena, "%s %s", rest + 1, text) : text;
}

static hk_status ask(hk_plugin_job *job, int language) {
    hk_plugin_language *l = &job->languages[language];
    const char *cc = job->options->cc ? job->options->cc : hk_compiler_words("CC", "cc");
    l->words = language ? hk_compiler_words("CXX", "c++") : cc;
    l->flags = flags_of(job, l->words, language);
    l->name = hk_compiler_name(job->arena, l->words, log_path(job));
    return l->name ? HK_OK : no_compiler(job, l->words, language);
}

/* What the user adds wins, and is the user's to answer for; better said now than at each run. */
static void warn_of_flags(const hk_plugin_job *job, const hk_plugin_language *l, int language) {
    const char *difference = hk_cflags_difference(job->arena, l->flags);
    if (difference)
        hk_warn(job->ctx, HK_E_PLUGIN, (hk_where){.file = job->shown},
                language ? "leave these flags out of CXX: docs/plugins.md"
                         : "leave these flags out of --cc and CC: docs/plugins.md",
                "it is compiled %s: its results may have other bits with another compiler, on "
                "another machine, or fused",
                difference);
}

hk_status hk_plugin_ask_compilers(hk_plugin_job *job) {
    for (int i = 0; i < 2; i++)
        if (job->languages[i].used)
            HK_TRY(ask(job, i));
    for (int i = 0; i < 2; i++)
        if (job->languages[i].used)
            warn_of_flags(job, &job->languages[i], i);
    return HK_OK;
}

/* ---- what they say ---- */

/* The file of the user that a compiler means by NAME; NULL: it is one of ours. */
static const char *user_file(const hk_plugin_job *job, const char *name) {
    if (strncmp(name, job->temporary, strlen(job->temporary)) == 0)
        return NULL;
    if (strncmp(name, "./", 2) == 0)
        name += 2;
    return *name == '/' ? name : hk_path_join(job->arena, job->shown, name);
}

/* Linkers name the file and its line, "pump.c:12: undefined reference", or a place in its code:
 * "pump.c:(.text+0x9): undefined reference". */
static hk_where linked_place(const hk_plugin_job *job, const char *said) {
    for (size_t i = 0; i < job->unit_count; i++) {
        const char *name = hk_arena_printf(job->arena, "%s:", job->units[i].file);
        for (const char *at = said; (at = strstr(at, name)); at++) {
            const char *behind = at + strlen(name);
            if (*behind == '(' || isdigit((unsigned char)*behind))
                return (hk_where){.file = hk_path_join(job->arena, job->shown, job->units[i].file),
                                  .line = (int)strtol(behind, NULL, 10)};
        }
    }
    return (hk_where){.file = job->shown};
}

/* The first error in a file of the user, else the first one; its place goes to *ret_where. */
static hk_complaint first_complaint(const hk_plugin_job *job, const char *said,
                                    hk_where *ret_where) {
    const char *rest = said;
    hk_complaint c;
    while (hk_complaint_next(job->arena, &rest, &c)) {
        const char *file = user_file(job, c.file);
        *ret_where = (hk_where){.file = file, .line = c.line, .column = c.column};
        if (file)
            return c;
    }
    *ret_where = linked_place(job, said);
    return hk_complaint_first(job->arena, said);
}

static const char *hint_for(const char *text) {
    if (strstr(text, "No such file"))
        return "headers are looked for in the folder itself, beside those of hocket and of the "
               "system; CMake can be told of others: hocket_add_plugin";
    if (strstr(text, "undefined reference"))
        return "define it in a file of the folder; libraries other than that of mathematics need "
               "CMake: hocket_add_plugin";
    return NULL;
}

static hk_status fail(const hk_plugin_job *job, const hk_command *command, int code) {
    char *said = NULL;
    size_t size = 0;
    hk_where where;
    if (code < 0)
        return hk_error(job->ctx, HK_E_COMPILER, (hk_where){.file = job->shown}, NULL,
                        "the compiler '%s' cannot be started: %s", command->words[0],
                        strerror(errno));
    if (hk_file_read(job->ctx, log_path(job), 0, &said, &size) != HK_OK)
        return HK_E_COMPILER;
    hk_complaint first = first_complaint(job, said, &where);
    hk_status status =
        hk_error(job->ctx, HK_E_COMPILER, where, hint_for(first.text), "the compiler '%s' %s%s",
                 command->words[0], *first.text ? "says: " : "failed and said nothing", first.text);
    if (job->options->said)
        job->options->said(job->options->user, said);
    hk_free(said);
    return status;
}

/* Runs it in the folder of the sources and takes its words; MADE is what it is to make. */
static hk_status run(hk_plugin_job *job, hk_command *command, const char *made) {
    char *said = NULL;
    size_t size = 0;
    const char *program = command->words[0];
    int code = hk_command_run(command, job->folder, NULL, log_path(job));
    hk_status status = code == 0 ? HK_OK : fail(job, command, code);
    hk_command_finish(command);
    HK_TRY(status);
    if (!hk_file_exists(made))
        return hk_error(job->ctx, HK_E_COMPILER, (hk_where){.file = job->shown},
                        "name a C compiler with --cc or CC, a C++ compiler with CXX",
                        "the compiler '%s' says that all is well, and made nothing", program);
    if (hk_file_read(job->ctx, log_path(job), 0, &said, &size) == HK_OK && *said &&
        job->options->said)
        job->options->said(job->options->user, said); /* warnings */
    hk_free(said);
    return HK_OK;
}

/* ---- calls ---- */

hk_status hk_plugin_compile(hk_plugin_job *job, const hk_plugin_unit *unit) {
    const char *const more[] = {
        "-Wall",
        "-g1", /* lines, so that a crash has a place; the code is the same with and without */
        "-I.", hk_arena_printf(job->arena, "-I%s", job->headers),
        /* where they stood while it was compiled means nothing to anybody */
        hk_arena_printf(job->arena, "-ffile-prefix-map=%s/=", job->temporary),
        hk_arena_printf(job->arena, "-ffile-prefix-map=%s/=", job->headers), "-MMD", "-MT", "note",
        "-MF", unit->rule, "-o", unit->object, "-c"};
    size_t count;
    const char *const *flags = hk_plugin_flags(&count);
    hk_command c = {0};
    hk_command_add_words(&c, job->arena, job->languages[unit->language].words);
    hk_command_add(&c, unit->language ? HK_PLUGIN_STD_CXX : HK_PLUGIN_STD_C);
    for (size_t i = 0; i < count; i++)
        hk_command_add(&c, flags[i]);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        hk_command_add(&c, more[i]);
    hk_command_add_file(&c, job->arena, unit->file);
    return run(job, &c, unit->object);
}

/* A symbol that is nowhere is found now and not when the library is loaded; those of the library
 * are bound inside it, so that no other plugin in the process can take their place. */
hk_status hk_plugin_link(hk_plugin_job *job, const char *note) {
    hk_command c = {0};
    hk_command_add_words(&c, job->arena, job->languages[job->languages[1].used ? 1 : 0].words);
    hk_command_add(&c, "-shared");
    hk_command_add(&c, "-Wl,-z,defs");
    hk_command_add(&c, "-Wl,-Bsymbolic");
    hk_command_add(&c, "-o");
    hk_command_add(&c, job->library);
    for (size_t i = 0; i < job->unit_count; i++)
        hk_command_add(&c, job->units[i].object);
    hk_command_add(&c, note);
    hk_command_add(&c, "-lm");
    return run(job, &c, job->library);
}
