/* SPDX-License-Identifier: MIT
 *
 * The calls of the compiler, and what it says. */
#include "fmi/build_internal.h"

#include "base/compiler.h"
#include "base/file.h"
#include "format/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void begin(const hk_build_job *job, hk_command *command, bool cpp) {
    const char *cc = job->options->cc ? job->options->cc : hk_compiler_words("CC", "cc");
    command->deadline_ns = job->options->deadline_ns;
    hk_command_add_words(command, job->arena, cpp ? hk_compiler_words("CXX", "c++") : cc);
}

/* "C99" becomes -std=gnu99: sources written for a standard use more of the system than it has. */
static void add_language(const hk_build_job *job, const hk_source_set *set, bool cpp,
                         hk_command *command) {
    const char *said = set->language;
    const char *year = said ? said + strcspn(said, "0123456789") : "";
    bool of_cpp = said && strncmp(said, "C++", 3) == 0;
    if (*year && of_cpp == cpp)
        hk_command_add(command, hk_arena_printf(job->arena, "-std=gnu%s%s", cpp ? "++" : "", year));
}

/* What importers define, by the rules of each version, so that the functions of a shared library
 * have the names that it must have. */
static void add_prefix(const hk_build_job *job, hk_command *command) {
    const char *id = job->fmu->facts.model_identifier;
    if (job->version == 1)
        hk_command_add(command, hk_arena_printf(job->arena, "-DMODEL_IDENTIFIER=%s", id));
    else
        hk_command_add(command, job->version == 2 ? "-DFMI2_OVERRIDE_FUNCTION_PREFIX"
                                                  : "-DFMI3_OVERRIDE_FUNCTION_PREFIX");
    if (job->version != 3 && !job->recipe.described && job->fmu->facts.co_simulation)
        hk_command_add(command, "-DFMI_COSIMULATION"); /* asked for by many who share a template */
}

static void plan_unit(hk_build_job *job, const hk_source_set *set, const char *file) {
    hk_build_unit unit = {.file = file};
    hk_command *c = &unit.command;
    bool cpp = hk_recipe_is_cpp(set, file);
    job->has_cpp |= cpp;
    begin(job, c, cpp);
    hk_command_add(c, "-c");
    hk_command_add(c, "-w");
    hk_command_add(c, "-O2");
    add_language(job, set, cpp, c);
    for (size_t i = 0; i < set->option_count; i++)
        hk_command_add(c, set->options[i]);
    hk_command_add(c, "-fPIC");
    hk_command_add(c, "-ffp-contract=off");
    add_prefix(job, c);
    for (size_t i = 0; i < set->define_count; i++)
        hk_command_add(c, hk_arena_printf(job->arena, "-D%s", set->defines[i]));
    hk_command_add(c, "-I.");
    for (size_t i = 0; i < set->include_count; i++)
        hk_command_add(c, hk_arena_printf(job->arena, "-I%s", set->includes[i]));
    hk_command_add(c, "-I../headers"); /* last: an FMU may bring headers of its own */
    hk_command_add(c, "-o");
    hk_command_add(c, hk_arena_printf(job->arena, "../objects/%zu.o", job->unit_count));
    if (cpp && !strcmp(hk_path_extension(file), ".c")) {
        hk_command_add(c, "-x");
        hk_command_add(c, "c++");
    }
    hk_command_add_file(c, job->arena, file);
    HK_PUSH(job->units, job->unit_count, job->unit_cap, unit);
}

/* Symbols are bound inside the library, so that no other FMU in the process can take their place;
 * one that is nowhere is found now and not when the library is loaded. */
static void plan_link(hk_build_job *job) {
    hk_command *c = &job->link;
    begin(job, c, job->has_cpp);
    hk_command_add(c, "-shared");
    hk_command_add(c, "-s");
    hk_command_add(c, "-Wl,-Bsymbolic");
    hk_command_add(c, "-Wl,-z,defs");
    hk_command_add(c, "-o");
    hk_command_add(c, "../library.so");
    for (size_t i = 0; i < job->unit_count; i++)
        hk_command_add(c, hk_arena_printf(job->arena, "../objects/%zu.o", i));
    for (size_t i = 0; i < job->recipe.library_count; i++) {
        const char *word = job->recipe.libraries[i];
        hk_command_add(c, *word == '-' ? word : hk_arena_printf(job->arena, "../%s", word));
    }
    hk_command_add(c, "-lm");
    hk_command_add(c, "-ldl");
    hk_command_add(c, "-lpthread");
}

void hk_build_plan(hk_build_job *job) {
    for (size_t i = 0; i < job->recipe.set_count; i++)
        for (size_t k = 0; k < job->recipe.sets[i].file_count; k++)
            plan_unit(job, &job->recipe.sets[i], job->recipe.sets[i].files[k]);
    plan_link(job);
}

void hk_build_finish(hk_build_job *job) {
    for (size_t i = 0; i < job->unit_count; i++)
        hk_command_finish(&job->units[i].command);
    hk_command_finish(&job->link);
    hk_free(job->units);
    hk_recipe_finish(&job->recipe);
}

/* ---- what is said ---- */

static const char *log_path(const hk_build_job *job) {
    return hk_path_join(job->arena, job->folder, "compiler.log");
}

static hk_status no_compiler(const hk_build_job *job, const char *program, bool cpp) {
    hk_where where = {.file = job->fmu->shown};
    if (cpp)
        return hk_error(
            job->ctx, HK_E_COMPILER, where, "install a C++ compiler, or set CXX to its name",
            "the FMU has sources in C++, and the compiler '%s' cannot be started", program);
    return hk_error(job->ctx, HK_E_COMPILER, where,
                    "install a C compiler, or name one with CC or 'hocket build --cc'",
                    "the compiler '%s' cannot be started", program);
}

static hk_where place_of(const hk_build_job *job, const hk_complaint *c) {
    const char *file = c->file;
    if (!file || *file == '/' || strncmp(file, "../", 3) == 0)
        return (hk_where){.file = job->fmu->shown};
    if (strncmp(file, "./", 2) == 0)
        file += 2;
    return (hk_where){.file = hk_arena_printf(job->arena, "%s/sources/%s", job->fmu->shown, file),
                      .line = c->line,
                      .column = c->column};
}

static hk_status late(const hk_build_job *job, const char *program) {
    return hk_error(job->ctx, HK_E_UNIT_HUNG, (hk_where){.file = job->fmu->shown},
                    "raise --timeout, or compile it before: hocket build",
                    "the compiler '%s' is not finished when --timeout ends the run", program);
}

static hk_status fail(const hk_build_job *job, const hk_command *command, int code) {
    char *said = NULL;
    size_t size = 0;
    if (code == HK_COMMAND_LATE)
        return late(job, command->words[0]);
    if (code < 0)
        return hk_error(job->ctx, HK_E_COMPILER, HK_NOWHERE, NULL,
                        "the compiler '%s' cannot be started: %s", command->words[0],
                        strerror(errno));
    if (hk_file_read(job->ctx, log_path(job), 0, &said, &size) != HK_OK)
        return HK_E_COMPILER;
    hk_complaint first = hk_complaint_first(job->arena, said);
    const char *hint = strstr(first.text, "No such file or directory")
                           ? "the FMU does not hold all files that its sources include"
                           : "the sources are not complete, or not for this compiler; CC, or "
                             "'hocket build --cc', names another one";
    hk_status status =
        hk_error(job->ctx, HK_E_COMPILER, place_of(job, &first), hint, "the compiler '%s' %s%s",
                 command->words[0], *first.text ? "says: " : "failed and said nothing", first.text);
    if (job->options->said)
        job->options->said(job->options->user, said);
    hk_free(said);
    return status;
}

/* The file that the command is to make, in FOLDER. */
static const char *output_of(const hk_build_job *job, const hk_command *command,
                             const char *folder) {
    size_t i = command->count - 1;
    while (strcmp(command->words[i], "-o") != 0)
        i--;
    return hk_path_join(job->arena, folder, command->words[i + 1]);
}

hk_status hk_build_run(hk_build_job *job, hk_command *command) {
    const char *sources = hk_path_join(job->arena, job->folder, "sources");
    int code = hk_command_run(command, sources, NULL, log_path(job));
    if (code != 0)
        return fail(job, command, code);
    if (hk_file_exists(output_of(job, command, sources)))
        return HK_OK;
    return hk_error(job->ctx, HK_E_COMPILER, (hk_where){.file = job->fmu->shown},
                    "name a C compiler with --cc or CC",
                    "the compiler '%s' says that all is well, and made nothing", command->words[0]);
}

static hk_status ask_one(hk_build_job *job, bool cpp) {
    hk_command command = {0};
    char *said = NULL;
    size_t size = 0;
    begin(job, &command, cpp);
    const char *program = command.words[0];
    hk_command_add(&command, "--version");
    int code = hk_command_run(&command, NULL, NULL, log_path(job));
    hk_command_finish(&command);
    if (code == HK_COMMAND_LATE)
        return late(job, program);
    if (code == HK_COMMAND_NONE || code < 0)
        return no_compiler(job, program, cpp);
    HK_TRY(hk_file_read(job->ctx, log_path(job), 0, &said, &size));
    const char *line = hk_arena_strndup(job->arena, said, strcspn(said, "\n"));
    if (!job->compiler) /* one that does not know the option is known by its name */
        job->compiler = code == 0 && *line ? line : program;
    job->compilers = hk_arena_printf(job->arena, "%s%s\n%s\n", job->compilers ? job->compilers : "",
                                     program, said);
    hk_free(said);
    return HK_OK;
}

hk_status hk_build_ask_compilers(hk_build_job *job) {
    size_t cpp = 0;
    for (size_t i = 0; i < job->recipe.set_count; i++)
        for (size_t k = 0; k < job->recipe.sets[i].file_count; k++)
            cpp += hk_recipe_is_cpp(&job->recipe.sets[i], job->recipe.sets[i].files[k]);
    if (cpp < job->unit_count)
        HK_TRY(ask_one(job, false));
    return cpp ? ask_one(job, true) : HK_OK;
}

/* ---- what the library has ---- */

typedef struct wanted {
    const char *prefix, *word, *function; /* "<prefix><word><function>" */
} wanted;

static wanted wanted_of(const hk_build_job *job) {
    const hk_fmu_facts *facts = &job->fmu->facts;
    if (job->version == 1)
        return (wanted){hk_arena_printf(job->arena, "%s_", facts->model_identifier), "fmi",
                        facts->co_simulation ? "InstantiateSlave" : "InstantiateModel"};
    if (job->version == 2)
        return (wanted){"", "fmi2", "Instantiate"};
    return (wanted){"", "fmi3",
                    facts->co_simulation    ? "InstantiateCoSimulation"
                    : facts->model_exchange ? "InstantiateModelExchange"
                                            : "InstantiateScheduledExecution"};
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), want = strlen(end);
    return length >= want && strcmp(text + length - want, end) == 0;
}

/* The prefix that the functions bear; NULL: there are none. */
static const char *find_prefix(hk_arena *arena, const hk_elf *elf, const wanted *w) {
    const char *plain = hk_arena_printf(arena, "%s%s", w->word, w->function);
    const char *right = hk_arena_printf(arena, "%s%s", w->prefix, plain), *found = NULL;
    for (size_t i = 0; i < elf->export_count; i++) {
        if (strcmp(elf->exports[i], right) == 0)
            return w->prefix;
        if (ends_with(elf->exports[i], plain))
            found =
                hk_arena_strndup(arena, elf->exports[i], strlen(elf->exports[i]) - strlen(plain));
    }
    return found;
}

/* Sources may name their prefix themselves, with headers of their own that know nothing of
 * importers: each function then gets its right name besides. */
static hk_status link_renamed(hk_build_job *job, const hk_elf *elf, const wanted *w,
                              const char *prefix) {
    const char *begin_of = hk_arena_printf(job->arena, "%s%s", prefix, w->word);
    for (size_t i = 0; i < elf->export_count; i++)
        if (strncmp(elf->exports[i], begin_of, strlen(begin_of)) == 0)
            hk_command_add(&job->link,
                           hk_arena_printf(job->arena, "-Wl,--defsym=%s%s=%s", w->prefix,
                                           elf->exports[i] + strlen(prefix), elf->exports[i]));
    return hk_build_run(job, &job->link);
}

hk_status hk_build_check_exports(hk_build_job *job) {
    const char *path = hk_path_join(job->arena, job->folder, "library.so");
    char *data = NULL;
    size_t size = 0;
    const hk_elf *elf = NULL;
    HK_TRY(hk_file_read(job->ctx, path, HK_ZIP_BYTES_MAX, &data, &size));
    hk_status status = hk_elf_read(job->ctx, job->arena, job->fmu->shown, data, size, &elf);
    hk_free(data);
    HK_TRY(status);
    const wanted w = wanted_of(job);
    const char *prefix = find_prefix(job->arena, elf, &w);
    if (!prefix)
        return hk_error(job->ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = job->fmu->shown},
                        "the sources are not complete: export the FMU again, with all of them",
                        "the sources define no function '%s%s%s', which the FMU needs", w.prefix,
                        w.word, w.function);
    return strcmp(prefix, w.prefix) == 0 ? HK_OK : link_renamed(job, elf, &w, prefix);
}
