/* SPDX-License-Identifier: MIT
 *
 * Compilers of C: which one is meant, and what it says. */
#ifndef HK_BASE_COMPILER_H
#define HK_BASE_COMPILER_H

#include "base/memory.h"

/* The compiler that the environment names (VARIABLE is CC or CXX), or OTHERWISE. It may be several
 * words: "ccache gcc -m64". */
const char *hk_compiler_words(const char *variable, const char *otherwise);

/* What compilers and linkers read of the environment, as far as it decides what they make: a line
 * "NAME=VALUE" for each that is set. */
const char *hk_compiler_environment(hk_arena *arena);

/* What the compiler of these WORDS calls itself: the first line of its --version, or its first word
 * if it does not know that. NULL: it cannot be started. LOG is a file to be written. */
const char *hk_compiler_name(hk_arena *arena, const char *words, const char *log);

/* A line that tells of an error in a file, as all compilers write it: "FILE:LINE:COLUMN: error:
 * TEXT". */
typedef struct hk_complaint {
    const char *file, *text;
    int line, column; /* column 0: it is not said */
} hk_complaint;
/* The next one in *SAID, which moves behind it; false: there is none. */
bool hk_complaint_next(hk_arena *arena, const char **said, hk_complaint *ret);
/* The first one, else what a linker misses, else the first line: then its file is NULL. */
hk_complaint hk_complaint_first(hk_arena *arena, const char *said);

/* Is the file in C++, by its name? If not, it is in C or in something else. */
bool hk_is_cpp_name(const char *file);
bool hk_is_c_name(const char *file);

/* Rules of make that a compiler writes (-MM, -MMD): "target: a.c b.h \<newline> c\ d.h". The next
 * file behind the colon of *RULE, which moves behind it; false: there is none. */
bool hk_rule_next(hk_arena *arena, const char **rule, const char **ret_file);
/* Moves to what is behind the colon of the first rule. */
const char *hk_rule_files(const char *rule);

#endif
