/* SPDX-License-Identifier: MIT
 *
 * What the files that read schedules share: the reader, and how it meets tokens. schedule.c owns
 * the statements about where and when components run, schedule_paths.c those about ages,
 * schedule_names.c what names mean. */
#ifndef HK_LANG_SCHEDULE_INTERNAL_H
#define HK_LANG_SCHEDULE_INTERNAL_H

#include "base/complaints.h"
#include "lang/schedule/schedule.h"
#include "text/lexer.h"

enum { HK_COMPONENT_WORDS = 6, HK_LINK_WORDS = 3 };

typedef struct hk_schedule {
    hk_ctx *ctx;
    hk_complaints complaints;
    hk_model *model;
    hk_arena *arena; /* dies with the reader */
    const char *file;
    hk_lexer lexer;
    hk_token token; /* the next one, not yet taken */
    /* Lines in which something was said already, so that it is said once; 0: not yet. */
    int cut_line, processor_line;
    int (*component_lines)[HK_COMPONENT_WORDS];
    int (*link_lines)[HK_LINK_WORDS];
    bool partition_failed; /* a processor was not read to its end: what is missing says nothing */
    const char **component_names; /* for suggestions; made when the first one is needed */
    uint32_t *ids;                /* of the path that is being read */
    size_t id_count, id_cap;
} hk_schedule;

hk_where hk_schedule_where(const hk_schedule *s, const hk_token *token);
/* Takes the next token and returns it. */
hk_token hk_schedule_take(hk_schedule *s);
bool hk_schedule_at_end(const hk_schedule *s); /* of the line */
/* The next token is none that may be here. WANTED: "a time", "'->'". HINT may be NULL. */
hk_status hk_schedule_unexpected(hk_schedule *s, const char *wanted, const char *hint);
/* Takes one of the COUNT words, or fails. */
HK_NODISCARD hk_status hk_schedule_word(hk_schedule *s, const char *const *words, size_t count,
                                        size_t *ret_index);
/* Takes the time behind WORD. */
HK_NODISCARD hk_status hk_schedule_time(hk_schedule *s, const char *word, bool positive,
                                        hk_ratio *ret_time);
/* Notes that something is said here, and fails if it was said before: WHAT of NAME. */
HK_NODISCARD hk_status hk_schedule_once(hk_schedule *s, const hk_token *here, int *line,
                                        const char *what, const char *name);

/* schedule_names.c */
HK_NODISCARD hk_status hk_schedule_component(hk_schedule *s, uint32_t *ret_component);
/* "a.y -> b.u": takes both ends and finds the connection. */
HK_NODISCARD hk_status hk_schedule_connection(hk_schedule *s, uint32_t *ret_connection);

/* schedule_paths.c */
HK_NODISCARD hk_status hk_schedule_latency(hk_schedule *s, hk_where where);
HK_NODISCARD hk_status hk_schedule_coincidence(hk_schedule *s, hk_where where);
HK_NODISCARD hk_status hk_schedule_freshness(hk_schedule *s, hk_where where);

#endif
