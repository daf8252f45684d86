/* SPDX-License-Identifier: MIT
 *
 * Calls of the C compiler: $CC, or cc. */
#include "export/export_internal.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_PROGRAM = 127 };

typedef struct command {
    const char **words;
    size_t count, cap;
} command;

static void add(command *c, const char *word) {
    HK_PUSH(c->words, c->count, c->cap, word);
}

/* $CC may hold options too: "ccache gcc -m64". */
static void begin(hk_arena *arena, command *c) {
    const char *cc = getenv("CC");
    if (!cc || !cc[strspn(cc, " ")])
        cc = "cc";
    for (cc += strspn(cc, " "); *cc; cc += strspn(cc, " ")) {
        size_t length = strcspn(cc, " ");
        add(c, hk_arena_strndup(arena, cc, length));
        cc += length;
    }
}

/* The child: all it says goes into the file at LOG, and standard output to OUT if there is one. */
static _Noreturn void run_child(const command *c, const char *folder, const char *out,
                                const char *log) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int to = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666) : fd;
    if (fd < 0 || to < 0 || dup2(to, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0 ||
        (folder && chdir(folder) != 0))
        _exit(NO_PROGRAM);
    setenv("LC_ALL", "C", 1);
    union {
        const char **from;
        char *const *to;
    } words = {c->words};
    execvp(c->words[0], words.to);
    _exit(NO_PROGRAM);
}

/* The file as it was given whose name the compiler begins a message with; NULL: none of them. The
 * compiler sees them by another name when it works in the stage. */
static const char *named_file(const hk_export *e, const char *line, size_t *ret_length) {
    for (size_t i = 0; i < e->options->file_count; i++) {
        const char *names[] = {e->options->files[i], i < e->unit_count ? e->units[i] : NULL};
        for (size_t k = 0; k < 2 && names[k]; k++) {
            size_t length = strlen(names[k]);
            *ret_length = length;
            if (strncmp(line, names[k], length) == 0 && line[length] == ':')
                return e->options->files[i];
        }
    }
    return NULL;
}

/* Where the first error is, if it is in a file that was given; else the first of the files. All
 * compilers write "FILE:LINE:COLUMN: error: TEXT". */
static hk_where place_of(const hk_export *e, const char *said) {
    for (const char *line = said; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = 0;
        const char *file = named_file(e, line, &length);
        const char *error = strstr(line, "error:"), *end = strchr(line, '\n');
        if (!file || !error || (end && error > end))
            continue;
        char *next = NULL;
        long row = strtol(line + length + 1, &next, 10);
        long column = *next == ':' ? strtol(next + 1, NULL, 10) : 0;
        return (hk_where){.file = file, .line = (int)row, .column = (int)column};
    }
    return (hk_where){.file = e->options->files[0]};
}

static hk_status fail(const hk_export *e, const command *c, int state, const char *log) {
    char *said = NULL;
    size_t size = 0;
    if (WIFEXITED(state) && WEXITSTATUS(state) == NO_PROGRAM)
        return hk_error(e->ctx, HK_E_COMPILER, HK_NOWHERE,
                        "install a C compiler, or set CC to its name",
                        "the compiler '%s' cannot be started", c->words[0]);
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
static hk_status run(const hk_export *e, command *c, const char *folder, const char *out) {
    add(c, NULL);
    const char *log = hk_path_join(e->arena, e->folder, "compiler.log");
    int state = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(c, folder, out, log);
    hk_status status = HK_OK;
    if (child < 0)
        status = hk_error(e->ctx, HK_E_COMPILER, HK_NOWHERE, NULL, "cannot start it: %s",
                          strerror(errno));
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    if (status == HK_OK && state != 0)
        status = fail(e, c, state, log);
    hk_free(c->words);
    return status;
}

/* The name of a file; the compiler must not take it for an option, or for a list of options. */
static void add_file(const hk_export *e, command *c, const char *name) {
    bool odd = *name == '-' || *name == '@';
    add(c, odd ? hk_arena_printf(e->arena, "./%s", name) : name);
}

static void add_defines(const hk_export *e, command *c) {
    for (size_t i = 0; i < e->options->define_count; i++)
        add(c, hk_arena_printf(e->arena, "-D%s", e->options->defines[i]));
}

hk_status hk_export_compile(hk_export *e, const char *const *units, size_t count,
                            const char *output) {
    /* Symbols of the library are bound inside it (-Bsymbolic), so that no other FMU in the process
     * can take their place; nothing of it depends on when and where it was made. */
    static const char *const flags[] = {
        "-std=c17",
        "-O2",
        "-fPIC",
        "-shared",
        "-s",
        "-fvisibility=hidden",
        "-ffp-contract=off",
        "-D_POSIX_C_SOURCE=200809L",
        "-D_DEFAULT_SOURCE",
        "-Wl,-z,defs",
        "-Wl,-Bsymbolic",
        "-I.",
    };
    command c = {0};
    begin(e->arena, &c);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        add(&c, flags[i]);
    for (size_t i = 0; i < e->include_count; i++)
        add(&c, hk_arena_printf(e->arena, "-I%s", e->includes[i]));
    if (e->options->fmi == 3)
        add(&c, "-DFMI3_OVERRIDE_FUNCTION_PREFIX");
    add_defines(e, &c);
    add(&c, "-o");
    add(&c, output);
    for (size_t i = 0; i < count; i++)
        add_file(e, &c, units[i]);
    add(&c, "-lm");
    add(&c, "-ldl");
    return run(e, &c, e->stage, NULL);
}

hk_status hk_export_list_headers(hk_export *e, const char *source, const char **ret) {
    command c = {0};
    char *text = NULL;
    size_t size = 0;
    const char *out = hk_path_join(e->arena, e->folder, "headers.mk");
    begin(e->arena, &c);
    add(&c, "-std=c17");
    add(&c, "-MM");
    add_defines(e, &c);
    for (size_t i = 0; i < e->options->include_count; i++)
        add(&c, hk_arena_printf(e->arena, "-I%s", e->options->includes[i]));
    add(&c, hk_arena_printf(e->arena, "-I%s", e->stage));
    add_file(e, &c, source);
    HK_TRY(run(e, &c, NULL, out));
    HK_TRY(hk_file_read(e->ctx, out, 0, &text, &size));
    *ret = hk_arena_strndup(e->arena, text, size);
    hk_free(text);
    return HK_OK;
}
