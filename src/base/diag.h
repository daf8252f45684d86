/* SPDX-License-Identifier: MIT
 *
 * Diagnostics: what hocket has to say to a person, kept apart from the status a function returns.
 *
 * The error idiom of the whole code: a function returns hk_status; before it returns a failure it
 * has added one diagnostic to the context, with hk_error(). Outputs are named ret_..., are written
 * at the end, and only on success. */
#ifndef HK_BASE_DIAG_H
#define HK_BASE_DIAG_H

#include "base/memory.h"

/* Where something is. Everything is optional; strings must outlive the call only. */
typedef struct hk_where {
    const char *file;
    int line, column;    /* from 1; 0: not known */
    const char *element; /* "Component 'wheel'", "connection a.y -> b.u" */
} hk_where;

#define HK_NOWHERE ((hk_where){0})

typedef struct hk_diag {
    hk_status code;
    hk_severity severity;
    hk_where where; /* strings owned by the context */
    const char *text;
    const char *hint; /* NULL: none */
} hk_diag;

/* The context carries the diagnostics of one piece of work. Safe to add to from any thread. */
typedef struct hk_ctx hk_ctx;

/* Called for each diagnostic as it is added, under the context's lock. */
typedef void hk_diag_fn(void *user, const hk_diag *diag);

hk_ctx *hk_ctx_create(hk_diag_fn *sink, void *user); /* sink NULL: only keep them */
void hk_ctx_destroy(hk_ctx *ctx);
size_t hk_ctx_count(const hk_ctx *ctx, hk_severity at_least);
const hk_diag *hk_ctx_diag(const hk_ctx *ctx, size_t index); /* in the order they were added */
/* Adds what another context holds. */
void hk_say_again(hk_ctx *ctx, const hk_diag *diag);
void hk_ctx_clear(hk_ctx *ctx); /* forgets them; renamed folders stay renamed */
/* From now on FOLDER is shown as SHOWN in the place and text of a diagnostic: a person knows the
 * package that was unpacked, not the temporary folder it was unpacked to. */
void hk_ctx_rename(hk_ctx *ctx, const char *folder, const char *shown);

/* Adds an error and returns CODE, so that a caller can write `return hk_error(...)`. HINT may be
 * NULL. Texts are whole clauses without a full stop: what was found, what was expected. */
hk_status hk_error(hk_ctx *ctx, hk_status code, hk_where where, const char *hint,
                   const char *format, ...) HK_PRINTF(5, 6);
void hk_warn(hk_ctx *ctx, hk_status code, hk_where where, const char *hint, const char *format, ...)
    HK_PRINTF(5, 6);
void hk_note(hk_ctx *ctx, hk_where where, const char *format, ...) HK_PRINTF(3, 4);

int hk_status_exit(hk_status code);         /* exit status of the process */
hk_status hk_status_by_index(size_t index); /* walks the table; HK_OK: past its end */

/* The end of a noun that COUNT is of: "1 row", "2 rows". */
static inline const char *hk_plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* The closest of NAMES to WORD by edit distance, or NULL if none is close: for "did you mean". */
const char *hk_closest(const char *word, const char *const *names, size_t count);
/* The hint "did you mean 'NAME'?" in ARENA; FALLBACK (may be NULL) if NAME is NULL. */
const char *hk_hint_name(hk_arena *arena, const char *name, const char *fallback);
/* "did you mean 'a', 'b' or 'c'?"; of COUNT names the first few, which alone NAMES must have;
 * FALLBACK if COUNT is 0. */
enum { HK_HINT_NAMES = 3 };
const char *hk_hint_names(hk_arena *arena, const char *const *names, size_t count,
                          const char *fallback);
/* The hint for the closest of NAMES; if none is close for those that end in the parts that WORD is
 * made of ("wheel.Mass.m" for "Mass.m"); FALLBACK if there is none. */
const char *hk_hint_closest(hk_arena *arena, const char *word, const char *const *names,
                            size_t count, const char *fallback);

/* For our own defects only; never reachable from user data. Stays on in release builds. */
#define HK_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : hk_assert_failed(#condition, __FILE__, __LINE__))
_Noreturn void hk_assert_failed(const char *condition, const char *file, int line);

/* Returns early with the status of EXPR if it failed. Only where nothing is held. */
#define HK_TRY(expr)                                                                               \
    do {                                                                                           \
        hk_status try_status_ = (expr);                                                            \
        if (try_status_ != HK_OK)                                                                  \
            return try_status_;                                                                    \
    } while (0)

#endif
