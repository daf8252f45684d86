/* SPDX-License-Identifier: MIT
 *
 * Option tables and what is read with them. A verb's table is the one source of its options: the
 * parser, --help, the man page and the shell completions are all made from it. */
#ifndef HK_CLI_OPTIONS_H
#define HK_CLI_OPTIONS_H

#include "base/diag.h"

/* What a verb that takes systems and simulations is asked about. */
typedef enum hk_for { HK_FOR_ALL, HK_FOR_SYSTEMS, HK_FOR_SIMULATIONS } hk_for;

typedef struct hk_option {
    const char *name;     /* long form without dashes: "stop-time" */
    char letter;          /* short form; 0: none */
    const char *argument; /* what it takes, for the help: "TIME"; NULL: a switch */
    bool optional;        /* the argument may be left out: --real-time[=FACTOR] */
    bool repeatable;      /* may be given more than once; else only with the same value */
    const char *aliases;  /* other long forms, accepted without a word; separated by spaces */
    const char *choices;  /* the only values allowed, separated by spaces; NULL: anything */
    const char *files;    /* extensions for completion: "csv", "" for any file; NULL: no file */
    bool written;         /* the argument is a file that the verb writes, and no other may touch */
    bool streams;         /* ... or standard output, which then has the value "-" */
    const char *group;    /* heading in the help */
    const char *help;     /* whole clauses, no full stop at the end */
    hk_for only_for;      /* what it means something for */
    const char *why;      /* for systems only: why; a clause for the message */
    const char *instead;  /* for systems only: what to do; the hint */
} hk_option;

/* Options that several verbs have, for their tables: in the group WHERE, with their own help. */
#define HK_OUTPUT_OPTION(word, extensions, where, text)                                            \
    {                                                                                              \
        .name = "output", .letter = 'o', .argument = (word), .files = (extensions),                \
        .written = true, .group = (where), .help = (text)                                          \
    }
/* The system that a simulation is played on, and values of its parameters; WHOM is only_for. */
#define HK_SYSTEM_OPTION(whom, where, text)                                                        \
    {                                                                                              \
        .name = "system", .only_for = (whom), .argument = "FILE",                                  \
        .files = "system ssp ssd xml fmu", .group = (where), .help = (text)                        \
    }
#define HK_DEFINE_OPTION(whom, where, text)                                                        \
    {                                                                                              \
        .name = "define", .only_for = (whom), .letter = 'D', .argument = "NAME=VALUE",             \
        .repeatable = true, .group = (where), .help = (text)                                       \
    }

typedef struct hk_option_table {
    const hk_option *options;
    size_t count;
} hk_option_table;

/* What every verb takes. */
extern const hk_option_table hk_common_options;

/* The command line of one verb, read. */
typedef struct hk_args {
    const hk_option_table *own; /* options of the verb; the common ones come after them */
    struct hk_given {
        const hk_option *option;
        const char *value; /* NULL: a switch, or an optional argument left out */
    } * given;
    size_t given_count, given_cap;
    const char **operands;
    size_t operand_count, operand_cap;
} hk_args;

/* Reads WORDS. CALLED ("hocket run") is for messages. The result points into WORDS; finish it in
 * any case. */
HK_NODISCARD hk_status hk_args_parse(hk_ctx *ctx, const char *called, const hk_option_table *own,
                                     int count, char *const *words, hk_args *ret_args);
void hk_args_finish(hk_args *args);

/* Refuses the first option that is not for WHAT. */
HK_NODISCARD hk_status hk_args_check_for(hk_ctx *ctx, const hk_args *args, hk_for what);

/* By long name, which must be in the table. */
bool hk_args_has(const hk_args *args, const char *name);
const char *hk_args_value(const hk_args *args, const char *name); /* NULL: none */
/* The INDEX-th value of a repeatable option; NULL: no more. */
const char *hk_args_nth(const hk_args *args, const char *name, size_t index);

/* Option number INDEX of the verb's own and then the common ones; NULL: past the end. */
const hk_option *hk_option_at(const hk_option_table *own, size_t index);
/* Takes the next word of a list separated by spaces; false at its end. */
bool hk_next_word(const char **list, const char **ret_word, size_t *ret_length);

#endif
