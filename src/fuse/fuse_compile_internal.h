/* SPDX-License-Identifier: MIT
 *
 * What fuse_compile.c and fuse_compile_words.c share. */
#ifndef HK_FUSE_FUSE_COMPILE_INTERNAL_H
#define HK_FUSE_FUSE_COMPILE_INTERNAL_H

#include "base/command.h"
#include "fuse/fuse_compile.h"

#include <hk/fused.h>

typedef struct hk_fuse_job {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_fuse_printed printed;
    const hk_fuse_options *options;
    const char *folder;       /* temporary: all files, objects, logs, the library */
    const char *compiler;     /* the first line of what the compiler says of itself */
    const char *cxx_compiler; /* the same of that of C++; NULL: there is nothing for it */
    const char *compilers;    /* all that all of them say */
    const char *whole;        /* words that let the linker compile; "": it cannot */
    char key[65];
    hk_fuse_text *batches; /* files that include several others, so that there are not too many */
    size_t batch_count;
    hk_task *tasks; /* one for each call of the compiler */
    size_t task_count, task_cap;
    hk_command link;
    bool given_up; /* nothing is made, and that was reported */
} hk_fuse_job;

#define HK_FUSE_STAMP_FILE   "stamp.c"
#define HK_FUSE_EXPORTS_FILE "exports.map"
#define HK_FUSE_LIBRARY_FILE "fused.so"

bool hk_fuse_has_cpp(const hk_fuse_job *job);
/* The words of a call: of the compiler of C, or C++. */
void hk_fuse_begin_words(const hk_fuse_job *job, hk_command *command, bool cpp);
/* The first of these words that may change results; NULL: there is none. */
const char *hk_fuse_unknown_word(const hk_fuse_job *job, const hk_command *command);
/* Those that emitted C, and units of leaves, are compiled with; without names of files. */
void hk_fuse_add_flags(const hk_fuse_job *job, hk_command *command);
/* All flags of the compiler of C, or C++, as one text: those of the user, and the list. */
const char *hk_fuse_flags_text(const hk_fuse_job *job, bool cpp);
/* The source of what each library says of itself: its key, compilers and flags. */
const char *hk_fuse_stamp_text(const hk_fuse_job *job);
/* Fills the batches: the C files that are compiled of those that were emitted. */
void hk_fuse_gather(hk_fuse_job *job);
/* Fills the tasks and the link. */
void hk_fuse_plan(hk_fuse_job *job);
/* Does the task with this number compile a unit of leaves? */
bool hk_fuse_is_unit(const hk_fuse_job *job, size_t task);
void hk_fuse_job_finish(hk_fuse_job *job);
/* What decides about the bytes of the library. */
void hk_fuse_fingerprint(hk_fuse_job *job);

#endif
