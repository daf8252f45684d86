/* SPDX-License-Identifier: MIT
 *
 * Which words compile what. */
#include "fuse/fuse_compile_internal.h"

#include "base/cflags.h"
#include "base/compiler.h"
#include "base/file.h"
#include "format/sha256.h"
#include "fuse/fuse_headers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hk_fuse_has_cpp(const hk_fuse_job *job) {
    for (size_t i = 0; i < job->printed.leaves->unit_count; i++)
        if (job->printed.leaves->how[i].cpp)
            return true;
    return false;
}

void hk_fuse_begin_words(const hk_fuse_job *job, hk_command *command, bool cpp) {
    const char *cc = job->options->cc ? job->options->cc : hk_compiler_words("CC", "cc");
    command->deadline_ns = job->options->deadline_ns;
    hk_command_add_words(command, job->arena, cpp ? hk_compiler_words("CXX", "c++") : cc);
}

const char *hk_fuse_unknown_word(const hk_fuse_job *job, const hk_command *command) {
    const char *text = "";
    for (size_t i = 1; i < command->count; i++)
        text = hk_arena_printf(job->arena, "%s %s", text, command->words[i]);
    return hk_cflags_unknown(job->arena, text, false);
}

/* The user's level of optimisation is as good as ours; all else of the list holds. Two numbers that
 * a step has just stored one by one are not loaded as one: that has to wait until both are in the
 * cache. */
void hk_fuse_add_flags(const hk_fuse_job *job, hk_command *command) {
    size_t count;
    const char *const *flags = hk_plugin_flags(&count);
    bool own = false;
    (void)job;
    for (size_t i = 0; i < command->count; i++)
        own |= strncmp(command->words[i], "-O", 2) == 0;
    for (size_t i = 0; i < count; i++)
        if (!own || strncmp(flags[i], "-O", 2) != 0)
            hk_command_add(command, flags[i]);
    hk_command_add(command, "-fno-tree-slp-vectorize");
}

static hk_task *add_task(hk_fuse_job *job, const char *name, bool cpp) {
    hk_task task = {.log = hk_arena_printf(job->arena, "%s/%s.log", job->folder, name)};
    hk_fuse_begin_words(job, &task.command, cpp);
    hk_command_add(&task.command, "-c");
    hk_command_add(&task.command, "-w");
    hk_fuse_add_flags(job, &task.command);
    HK_PUSH(job->tasks, job->task_count, job->task_cap, task);
    return &job->tasks[job->task_count - 1];
}

static void end_task(hk_fuse_job *job, hk_task *task, const char *name) {
    hk_command_add(&task->command, "-I.");
    hk_command_add(&task->command, "-o");
    hk_command_add(&task->command, hk_arena_printf(job->arena, "%s.o", name));
    hk_command_add(&task->command, name);
}

/* What cells say is read once: it need not be fast, but soon there. */
static void plan_file(hk_fuse_job *job, const char *name) {
    hk_task *task = add_task(job, name, false);
    hk_command_add(&task->command, HK_PLUGIN_STD_C);
    if (strcmp(name, "says.c") == 0)
        hk_command_add(&task->command, "-O0");
    else
        hk_command_add_words(&task->command, job->arena, job->whole);
    end_task(job, task, name);
}

static void plan_unit(hk_fuse_job *job, const char *name, const hk_leaf_unit *how) {
    hk_task *task = add_task(job, name, how->cpp);
    for (size_t i = 0; i < how->word_count; i++)
        hk_command_add(&task->command, how->words[i]);
    hk_command_add_words(&task->command, job->arena, job->whole);
    end_task(job, task, name);
}

/* Symbols are bound inside the library; one that is nowhere is found now and not when the library
 * is loaded. Nothing of it is seen but what the engine looks for. */
static void plan_link(hk_fuse_job *job) {
    hk_command *c = &job->link;
    hk_fuse_begin_words(job, c, hk_fuse_has_cpp(job));
    hk_fuse_add_flags(job, c);
    hk_command_add_words(c, job->arena, job->whole);
    hk_command_add(c, "-shared");
    hk_command_add(c, "-Wl,-Bsymbolic");
    hk_command_add(c, "-Wl,-z,defs");
    hk_command_add(c, "-Wl,--version-script=" HK_FUSE_EXPORTS_FILE);
    hk_command_add(c, "-o");
    hk_command_add(c, HK_FUSE_LIBRARY_FILE);
    for (size_t i = 0; i < job->task_count; i++)
        hk_command_add(
            c, hk_arena_printf(job->arena, "%s.o",
                               job->tasks[i].command.words[job->tasks[i].command.count - 1]));
    hk_command_add(c, "-lm");
}

/* Each of them reads what lies where in the whole system, so their number must not grow with it. To
 * start a compiler takes longer than to compile a cell. */
enum { BATCHES_MAX = 16, CELLS_EACH = 8 };

static bool is_cell(const char *name) {
    return hk_is_c_name(name) && strncmp(name, "cell_", strlen("cell_")) == 0;
}

void hk_fuse_gather(hk_fuse_job *job) {
    size_t cells = 0, batches, number = 0;
    for (size_t i = 0; i < job->printed.count; i++)
        cells += is_cell(job->printed.files[i].name);
    batches = (cells + CELLS_EACH - 1) / CELLS_EACH;
    batches = batches < BATCHES_MAX ? batches : BATCHES_MAX;
    job->batches = HK_NEW_ARRAY(job->arena, hk_fuse_text, batches + 1);
    job->batch_count = batches;
    for (size_t b = 0, i = 0; b < batches; b++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        HK_ASSERT(out);
        for (; i < job->printed.count && number < cells * (b + 1) / batches; i++)
            if (is_cell(job->printed.files[i].name)) {
                fprintf(out, "#include \"%s\"\n", job->printed.files[i].name);
                number++;
            }
        (void)fclose(out);
        job->batches[b] = (hk_fuse_text){hk_arena_printf(job->arena, "batch_%zu.c", b),
                                         hk_arena_strdup(job->arena, text)};
        free(text);
    }
}

void hk_fuse_plan(hk_fuse_job *job) {
    for (size_t i = 0; i < job->batch_count; i++)
        plan_file(job, job->batches[i].name);
    for (size_t i = 0; i < job->printed.count; i++)
        if (hk_is_c_name(job->printed.files[i].name) && !is_cell(job->printed.files[i].name))
            plan_file(job, job->printed.files[i].name);
    for (size_t i = 0; i < job->printed.leaves->unit_count; i++)
        plan_unit(job, job->printed.leaves->units[i].name, &job->printed.leaves->how[i]);
    plan_file(job, HK_FUSE_STAMP_FILE);
    plan_link(job);
}

bool hk_fuse_is_unit(const hk_fuse_job *job, size_t task) {
    const size_t end = job->task_count - 1; /* the stamp is the last one */
    return task < end && task >= end - job->printed.leaves->unit_count;
}

void hk_fuse_job_finish(hk_fuse_job *job) {
    for (size_t i = 0; i < job->task_count; i++)
        hk_command_finish(&job->tasks[i].command);
    hk_command_finish(&job->link);
    hk_free(job->tasks);
}

/* ---- what the library says of itself ---- */

const char *hk_fuse_flags_text(const hk_fuse_job *job, bool cpp) {
    hk_command words = {0};
    const char *text = "";
    hk_fuse_begin_words(job, &words, cpp);
    hk_fuse_add_flags(job, &words);
    for (size_t i = 0; i < words.count; i++)
        if (*text || words.words[i][0] == '-') /* the compiler, and who starts it, come first */
            text = hk_arena_printf(job->arena, "%s%s%s", text, *text ? " " : "", words.words[i]);
    hk_command_finish(&words);
    return text;
}

static void put_symbol(FILE *out, const char *name, const char *text) {
    fprintf(out, "__attribute__((visibility(\"default\"))) const char %s[] = \"", name);
    for (const char *c = text; *c; c++)
        if (strchr("\\\"?", *c) || (unsigned char)*c < ' ') /* "??/" may be a backslash */
            fprintf(out, "\\%03o", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    fputs("\";\n", out);
}

const char *hk_fuse_stamp_text(const hk_fuse_job *job) {
    hk_arena *arena = job->arena;
    const char *compiler = job->compiler;
    const char *flags = hk_cflags_short(arena, hk_fuse_flags_text(job, false));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    if (job->cxx_compiler) {
        compiler = hk_arena_printf(arena, "%s; C++: %s", compiler, job->cxx_compiler);
        flags = hk_arena_printf(arena, "%s; C++: %s", flags,
                                hk_cflags_short(arena, hk_fuse_flags_text(job, true)));
    }
    put_symbol(out, HK_FUSE_STAMP, job->key);
    put_symbol(out, HK_FUSED_COMPILER, compiler);
    put_symbol(out, HK_FUSED_FLAGS, flags);
    (void)fclose(out);
    const char *copy = hk_arena_strdup(arena, text);
    free(text);
    return copy;
}

/* ---- the key ---- */

static void put_text(FILE *out, const hk_fuse_text *file) {
    char hex[65];
    hk_sha256_hex(file->text, strlen(file->text), hex);
    fprintf(out, "file %s %s\n", file->name, hex);
}

static void put_flags(const hk_fuse_job *job, FILE *out, bool cpp) {
    hk_command words = {0};
    hk_fuse_begin_words(job, &words, cpp);
    hk_fuse_add_flags(job, &words);
    for (size_t i = 0; i < words.count; i++)
        fprintf(out, "%s ", words.words[i]);
    fputc('\n', out);
    hk_command_finish(&words);
}

/* Files of the system that sources include are not seen: docs/fused.md says so. */
void hk_fuse_fingerprint(hk_fuse_job *job) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    fprintf(out, "hocket fused 2\n%s\n%s\n", job->compilers, hk_compiler_environment(job->arena));
    put_flags(job, out, false);
    if (hk_fuse_has_cpp(job))
        put_flags(job, out, true);
    fputs(hk_fuse_headers_hash(job->arena), out);
    for (size_t i = 0; i < job->printed.count; i++)
        put_text(out, &job->printed.files[i]);
    for (size_t i = 0; i < job->printed.leaves->unit_count; i++) {
        put_text(out, &job->printed.leaves->units[i]);
        for (size_t k = 0; k < job->printed.leaves->how[i].word_count; k++)
            fprintf(out, "word %s\n", job->printed.leaves->how[i].words[k]);
    }
    fputs(job->printed.leaves->made_of ? job->printed.leaves->made_of : "", out);
    (void)fclose(out);
    hk_sha256_hex(text, size, job->key);
    free(text);
}
