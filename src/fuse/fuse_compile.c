/* SPDX-License-Identifier: MIT
 *
 * From text to a library: a temporary folder with all files, several calls of the compiler side by
 * side, one of the linker. */
#include "fuse/fuse_compile_internal.h"

#include "base/compiler.h"
#include "base/file.h"
#include "fmi/cache.h"
#include "fuse/fuse_headers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is said ---- */

static const char *in_folder(const hk_fuse_job *job, const char *name) {
    return hk_path_join(job->arena, job->folder, name);
}

static hk_status late(const hk_fuse_job *job, const char *program) {
    return hk_error(job->ctx, HK_E_UNIT_HUNG, HK_NOWHERE,
                    "raise --timeout, or run it without --fused",
                    "the compiler '%s' is not finished when --timeout ends the run", program);
}

/* Files of leaves are named by their own path; those of ours are gone when somebody looks. */
static hk_where place_of(const hk_complaint *c) {
    if (!c->file || *c->file != '/')
        return HK_NOWHERE;
    return (hk_where){.file = c->file, .line = c->line, .column = c->column};
}

/* Nothing is made, for want of a compiler that can be used. */
static hk_status give_up(hk_fuse_job *job, bool cpp, const char *why) {
    if (job->options->needed)
        return hk_error(job->ctx, HK_E_COMPILER, HK_NOWHERE,
                        cpp ? "install a C++ compiler, or set CXX to its name"
                            : "install a C compiler, or set CC to its name",
                        "%s", why);
    hk_note(job->ctx, HK_NOWHERE,
            "%s, so nothing is fused: the run is interpreted; %s names another one", why,
            cpp ? "CXX" : "CC");
    job->given_up = true;
    return HK_OK;
}

/* An error in a source of a plugin is the user's. What is wrong with text of ours is not, and
 * without it there is a result. */
static hk_status fail(hk_fuse_job *job, const hk_command *command, bool leaf, int code,
                      const char *log) {
    char *said = NULL;
    size_t size = 0;
    if (code == HK_COMMAND_LATE)
        return late(job, command->words[0]);
    if (code < 0 || code == HK_COMMAND_NONE)
        return hk_error(job->ctx, HK_E_COMPILER, HK_NOWHERE, "run it without --fused",
                        "the compiler '%s' cannot be started%s%s", command->words[0],
                        code < 0 ? ": " : "", code < 0 ? strerror(errno) : "");
    if (hk_file_read(job->ctx, log, 0, &said, &size) != HK_OK)
        return HK_E_COMPILER;
    hk_complaint first = hk_complaint_first(job->arena, said);
    const hk_where place = place_of(&first);
    const char *why =
        hk_arena_printf(job->arena, "the compiler '%s' %s%s", command->words[0],
                        *first.text ? "says: " : "failed and said nothing", first.text);
    if (!(leaf && place.file) && !job->options->needed) {
        hk_free(said);
        return give_up(job, false, why);
    }
    hk_status status =
        hk_error(job->ctx, HK_E_COMPILER, place,
                 "without --fused the run needs no compiler; CC names another one", "%s", why);
    if (job->options->said)
        job->options->said(job->options->user, said);
    hk_free(said);
    return status;
}

/* ---- the compilers ---- */

/* The command, which is short, and what it says. */
static int ask(const hk_fuse_job *job, hk_command *command, const char **ret_said) {
    const char *log = in_folder(job, "asked.log");
    char *said = NULL;
    size_t size = 0;
    int code = hk_command_run(command, job->folder, NULL, log);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    bool read = hk_file_read(quiet, log, 0, &said, &size) == HK_OK;
    *ret_said = read ? hk_arena_strdup(job->arena, said) : "";
    hk_free(said);
    hk_ctx_destroy(quiet);
    return code;
}

static hk_status ask_one(hk_fuse_job *job, bool cpp, bool *ret_there) {
    hk_command command = {0};
    const char *said, *why = NULL;
    hk_fuse_begin_words(job, &command, cpp);
    const char *program = command.words[0], *word = hk_fuse_unknown_word(job, &command);
    hk_command_add(&command, "--version");
    int code = ask(job, &command, &said);
    hk_command_finish(&command);
    if (code == HK_COMMAND_LATE)
        return late(job, program);
    if (code < 0 || code == HK_COMMAND_NONE)
        why = hk_arena_printf(job->arena, "the compiler '%s' cannot be started", program);
    else if (word)
        why = hk_arena_printf(job->arena,
                              "the compiler '%s' is to be called with %s, which may change results",
                              program, word);
    else if (code != 0)
        why = hk_arena_printf(
            job->arena, "the compiler '%s' failed when it was asked for its version", program);
    *ret_there = !why;
    if (why)
        return give_up(job, cpp, why);
    const char *line = hk_arena_strndup(job->arena, said, strcspn(said, "\n"));
    if (cpp)
        job->cxx_compiler = *line ? line : program;
    else
        job->compiler = *line ? line : program;
    job->compilers = hk_arena_printf(job->arena, "%s%s\n%s\n", job->compilers ? job->compilers : "",
                                     program, said);
    return HK_OK;
}

static hk_status ask_compilers(hk_fuse_job *job, bool *ret_there) {
    HK_TRY(ask_one(job, false, ret_there));
    return *ret_there && hk_fuse_has_cpp(job) ? ask_one(job, true, ret_there) : HK_OK;
}

/* Can the compiler and the linker do it with these words? */
static bool can_link(const hk_fuse_job *job, const char *words) {
    hk_command command = {0};
    const char *said;
    hk_fuse_begin_words(job, &command, hk_fuse_has_cpp(job));
    hk_fuse_add_flags(job, &command);
    hk_command_add_words(&command, job->arena, words);
    hk_command_add(&command, "-shared");
    hk_command_add(&command, "-o");
    hk_command_add(&command, "probe.so");
    hk_command_add(&command, "probe.c");
    int code = ask(job, &command, &said);
    hk_command_finish(&command);
    return code == 0;
}

/* The user may say that nothing is to be optimised: then it need not be when it is linked, either.
 */
static bool is_optimised(const hk_fuse_job *job) {
    hk_command command = {0};
    bool optimised = true;
    hk_fuse_begin_words(job, &command, hk_fuse_has_cpp(job));
    for (size_t i = 1; i < command.count; i++)
        if (strncmp(command.words[i], "-O", 2) == 0)
            optimised = strcmp(command.words[i], "-O0") != 0;
    hk_command_finish(&command);
    return optimised;
}

/* A step has two callers, its cell and an instant, and is a part of both if it is not very large:
 * that GCC does only if it is told so. */
static const char inlining[] =
    "-flto=auto --param=max-inline-insns-auto=100 --param=inline-unit-growth=100"
    " --param=large-function-growth=400";

/* Where the linker cannot compile, cells call steps; the result is the same. */
static hk_status choose_linking(hk_fuse_job *job) {
    static const char probe[] = "int hk_probe(int x);\nint hk_probe(int x) { return x + 1; }\n";
    static const char *const ways[] = {inlining, "-flto=auto", "-flto -fuse-ld=lld",
                                       "-flto -fuse-ld=gold", "-flto"};
    job->whole = "";
    if (!is_optimised(job))
        return HK_OK;
    HK_TRY(hk_file_write(job->ctx, in_folder(job, "probe.c"), probe, strlen(probe)));
    for (size_t i = 0; !*job->whole && i < sizeof ways / sizeof *ways; i++)
        if (can_link(job, ways[i]))
            job->whole = ways[i];
    return HK_OK;
}

/* ---- compiling ---- */

static hk_status write_text(const hk_fuse_job *job, const char *name, const char *text) {
    return hk_file_write(job->ctx, in_folder(job, name), text, strlen(text));
}

static hk_status stage(const hk_fuse_job *job) {
    static const char exports[] = "{ global: hk_fused; " HK_FUSE_STAMP "; " HK_FUSED_COMPILER
                                  "; " HK_FUSED_FLAGS "; local: *; };\n";
    HK_TRY(hk_fuse_headers_write(job->ctx, job->arena, job->folder));
    for (size_t i = 0; i < job->printed.count; i++)
        HK_TRY(write_text(job, job->printed.files[i].name, job->printed.files[i].text));
    for (size_t i = 0; i < job->printed.leaves->unit_count; i++)
        HK_TRY(write_text(job, job->printed.leaves->units[i].name,
                          job->printed.leaves->units[i].text));
    for (size_t i = 0; i < job->batch_count; i++)
        HK_TRY(write_text(job, job->batches[i].name, job->batches[i].text));
    HK_TRY(write_text(job, HK_FUSE_EXPORTS_FILE, exports));
    return write_text(job, HK_FUSE_STAMP_FILE, hk_fuse_stamp_text(job));
}

static void tell(void *user, size_t ended) {
    const hk_fuse_job *job = user;
    if (job->options->progress)
        job->options->progress(job->options->user, ended, job->task_count);
}

static unsigned process_count(const hk_fuse_job *job) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return job->options->processes ? job->options->processes : online > 1 ? (unsigned)online : 1;
}

static hk_status compile(hk_fuse_job *job) {
    HK_TRY(choose_linking(job));
    hk_fuse_gather(job);
    HK_TRY(stage(job));
    hk_fuse_plan(job);
    tell(job, 0);
    size_t failed =
        hk_tasks_run(job->tasks, job->task_count, process_count(job), job->folder, tell, job);
    if (failed < job->task_count)
        return fail(job, &job->tasks[failed].command, hk_fuse_is_unit(job, failed),
                    job->tasks[failed].code, job->tasks[failed].log);
    const char *log = in_folder(job, "link.log");
    int code = hk_command_run(&job->link, job->folder, NULL, log);
    if (code != 0)
        return fail(job, &job->link, false, code, log);
    if (hk_file_exists(in_folder(job, HK_FUSE_LIBRARY_FILE)))
        return HK_OK;
    return give_up(job, hk_fuse_has_cpp(job),
                   hk_arena_printf(job->arena,
                                   "the compiler '%s' says that all is well, and made nothing",
                                   job->link.words[0]));
}

/* ---- what was made before ---- */

static bool is_wanted(void) {
    const char *no_cache = getenv("HK_NO_CACHE");
    return !no_cache || !*no_cache || strcmp(no_cache, "0") == 0;
}

/* Where libraries are kept; that there is no such place is reported, unless it was asked for. */
static const char *find_cache(const hk_fuse_job *job) {
    size_t before = hk_ctx_count(job->ctx, HK_NOTE);
    const char *cache = hk_cache_folder(job->ctx, job->arena);
    if (!cache && is_wanted() && hk_ctx_count(job->ctx, HK_NOTE) == before)
        hk_note(job->ctx, HK_NOWHERE,
                "there is no cache that can be written to, so fused code is compiled for each "
                "run; XDG_CACHE_HOME names another place");
    return cache ? cache : job->options->folder;
}

/* Keeps the library, if that can be done. */
static void keep(const hk_fuse_job *job, hk_fuse_built *built) {
    char *data = NULL;
    size_t size = 0;
    const char *cache = built->cache;
    built->cache = NULL;
    if (!cache || hk_file_read(job->ctx, built->library, 0, &data, &size) != HK_OK)
        return;
    bool kept = hk_cache_put_built(job->arena, cache, job->key, data, size);
    const int why = errno;
    hk_free(data);
    const char *path = kept ? hk_cache_path_built(job->arena, cache, job->key, NULL) : NULL;
    if (!path) {
        hk_note(job->ctx, (hk_where){.file = cache},
                "the fused code cannot be kept (%s): it is compiled again for the next run",
                kept ? "it is not there any more" : strerror(why));
        return;
    }
    built->library = path;
    built->cache = cache;
}

static hk_status make(hk_fuse_job *job, hk_fuse_built *built) {
    HK_TRY(compile(job));
    if (job->given_up) {
        built->cache = NULL;
        return HK_OK;
    }
    built->library = in_folder(job, HK_FUSE_LIBRARY_FILE);
    built->files = job->task_count;
    built->whole = *job->whole;
    keep(job, built);
    return HK_OK;
}

/* Of several processes that need it one makes it. */
static hk_status obtain(hk_fuse_job *job, hk_fuse_built *built) {
    bool there = true;
    HK_TRY(ask_compilers(job, &there));
    if (!there)
        return HK_OK;
    hk_fuse_fingerprint(job);
    built->compiler = job->compiler;
    built->key = hk_arena_strdup(job->arena, job->key);
    built->cache = find_cache(job);
    if (!built->cache)
        return make(job, built);
    const char *cache = built->cache;
    bool damaged = false;
    built->library = hk_cache_path_built(job->arena, cache, job->key, &damaged);
    if (built->library)
        return HK_OK;
    if (damaged)
        hk_note(job->ctx, (hk_where){.file = cache},
                "the fused code that was kept there is damaged: it is compiled again");
    int lock = hk_cache_lock(job->arena, cache, job->key, job->options->deadline_ns);
    built->library = hk_cache_path_built(job->arena, cache, job->key, NULL);
    hk_status status = built->library ? HK_OK : make(job, built);
    hk_cache_unlock(job->arena, cache, job->key, lock);
    return status;
}

/* Without one nothing can be compiled, as without a compiler. */
static hk_status make_folder(hk_fuse_job *job) {
    if (job->options->needed)
        return hk_folder_temporary(job->ctx, job->arena, &job->folder);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_folder_temporary(quiet, job->arena, &job->folder) != HK_OK) {
        const hk_diag *why = hk_ctx_diag(quiet, 0);
        hk_note(job->ctx, why->where,
                "%s; so nothing is fused: the run is interpreted; TMPDIR names another place",
                why->text);
        job->folder = NULL;
    }
    hk_ctx_destroy(quiet);
    return HK_OK;
}

hk_status hk_fuse_make(hk_ctx *ctx, hk_arena *arena, const hk_fuse_printed *printed,
                       const hk_fuse_options *options, hk_fuse_built *ret_built) {
    hk_fuse_job job = {.ctx = ctx, .arena = arena, .printed = *printed, .options = options};
    hk_fuse_built built = {0};
    HK_TRY(make_folder(&job));
    *ret_built = built;
    if (!job.folder)
        return HK_OK;
    job.folder = hk_path_absolute(arena, job.folder);
    hk_status status = obtain(&job, &built);
    hk_fuse_job_finish(&job);
    if (status == HK_OK && built.library && !built.cache)
        built.temporary = job.folder;
    else
        hk_folder_remove(job.folder);
    if (status == HK_OK)
        *ret_built = built;
    return status;
}

void hk_fuse_discard(hk_arena *arena, const hk_fuse_built *built) {
    if (built->cache)
        hk_cache_drop_built(arena, built->cache, built->key);
}
