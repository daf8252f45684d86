/* SPDX-License-Identifier: MIT
 *
 * Calls of the C compiler: $CC, or cc. */
#include "export/export_internal.h"

#include "base/cflags.h"
#include "base/command.h"
#include "base/compiler.h"
#include "base/file.h"

#include <errno.h>
#include <string.h>

/* The file as it was given that the compiler calls NAME; NULL: none of them. The compiler sees them
 * by another name when it works in the stage. */
static const char *given_file(const hk_export *e, const char *name) {
    for (size_t i = 0; i < e->options->file_count; i++)
        if (strcmp(name, e->options->files[i]) == 0 ||
            (i < e->unit_count && strcmp(name, e->units[i]) == 0))
            return e->options->files[i];
    return NULL;
}

/* Where the first error is, if it is in a file that was given; else the first of the files. */
static hk_where place_of(const hk_export *e, const char *said) {
    hk_complaint c;
    while (hk_complaint_next(e->arena, &said, &c)) {
        const char *file = given_file(e, c.file);
        if (file)
            return (hk_where){.file = file, .line = c.line, .column = c.column};
    }
    return (hk_where){.file = e->options->files[0]};
}

static hk_status fail(const hk_export *e, const hk_command *c, int code, const char *log) {
    char *said = NULL;
    size_t size = 0;
    if (code == HK_COMMAND_NONE)
        return hk_error(e->ctx, HK_E_COMPILER, HK_NOWHERE,
                        "install a C compiler, or set CC to its name",
                        "the compiler '%s' cannot be started", c->words[0]);
    if (code < 0)
        return hk_error(e->ctx, HK_E_COMPILER, HK_NOWHERE, NULL, "cannot start it: %s",
                        strerror(errno));
    if (hk_file_read(e->ctx, log, 0, &said, &size) != HK_OK)
        return HK_E_COMPILER;
    hk_status status = hk_error(
        e->ctx, HK_E_COMPILER, place_of(e, said),
        "give all sources of the component, folders of headers with --include, and definitions "
        "with --define",
        "the compiler '%s' failed%s", c->words[0], *said ? "" : " and said nothing");
    if (e->options->said)
        e->options->said(e->options->user, said);
    hk_free(said);
    return status;
}

/* Runs the command in FOLDER (NULL: here) and takes its words. */
static hk_status run(const hk_export *e, hk_command *c, const char *folder, const char *out) {
    const char *log = hk_path_join(e->arena, e->folder, "compiler.log");
    int code = hk_command_run(c, folder, out, log);
    hk_status status = code == 0 ? HK_OK : fail(e, c, code, log);
    hk_command_finish(c);
    return status;
}

static void add_defines(const hk_export *e, hk_command *c) {
    for (size_t i = 0; i < e->options->define_count; i++)
        hk_command_add(c, hk_arena_printf(e->arena, "-D%s", e->options->defines[i]));
}

hk_status hk_export_compile(hk_export *e, const char *const *units, size_t count,
                            const char *output) {
    /* A component has the same bits as an FMU and as a plugin: the flags are those of plugins.
     * Symbols of the library are bound inside it (-Bsymbolic), so that no other FMU in the process
     * can take their place; nothing of it depends on when and where it was made. */
    static const char *const flags[] = {
        "-std=c17",    "-shared",        "-s",  "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE",
        "-Wl,-z,defs", "-Wl,-Bsymbolic", "-I.",
    };
    hk_command c = {0};
    hk_command_add_words(&c, e->arena, hk_compiler_words("CC", "cc"));
    size_t count_of_plugins;
    const char *const *of_plugins = hk_plugin_flags(&count_of_plugins);
    for (size_t i = 0; i < count_of_plugins; i++)
        hk_command_add(&c, of_plugins[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        hk_command_add(&c, flags[i]);
    for (size_t i = 0; i < e->include_count; i++)
        hk_command_add(&c, hk_arena_printf(e->arena, "-I%s", e->includes[i]));
    if (e->options->fmi == 3)
        hk_command_add(&c, "-DFMI3_OVERRIDE_FUNCTION_PREFIX");
    add_defines(e, &c);
    hk_command_add(&c, "-o");
    hk_command_add(&c, output);
    for (size_t i = 0; i < count; i++)
        hk_command_add_file(&c, e->arena, units[i]);
    hk_command_add(&c, "-lm");
    hk_command_add(&c, "-ldl");
    return run(e, &c, e->stage, NULL);
}

hk_status hk_export_list_headers(hk_export *e, const char *source, const char **ret) {
    hk_command c = {0};
    char *text = NULL;
    size_t size = 0;
    const char *out = hk_path_join(e->arena, e->folder, "headers.mk");
    hk_command_add_words(&c, e->arena, hk_compiler_words("CC", "cc"));
    hk_command_add(&c, "-std=c17");
    hk_command_add(&c, "-MM");
    add_defines(e, &c);
    for (size_t i = 0; i < e->options->include_count; i++)
        hk_command_add(&c, hk_arena_printf(e->arena, "-I%s", e->options->includes[i]));
    hk_command_add(&c, hk_arena_printf(e->arena, "-I%s", e->stage));
    hk_command_add_file(&c, e->arena, source);
    HK_TRY(run(e, &c, NULL, out));
    HK_TRY(hk_file_read(e->ctx, out, 0, &text, &size));
    *ret = hk_arena_strndup(e->arena, text, size);
    hk_free(text);
    return HK_OK;
}
