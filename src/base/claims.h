/* SPDX-License-Identifier: MIT
 *
 * Which files a piece of work reads and writes, so that it never destroys what it reads and never
 * writes two things to one place. A file is known by device and inode, and by the real folder and
 * the name it has there, so that links and ways around make no difference. What is not a regular
 * file (a pipe, /dev/null) is nobody's. The list is the context's, if it keeps one: without,
 * nothing is refused. All functions may be called from any thread. */
#ifndef HK_BASE_CLAIMS_H
#define HK_BASE_CLAIMS_H

#include "base/diag.h"

/* CTX is a whole piece of work from here on and keeps a list; before it reads and writes. */
void hk_claim_begin(hk_ctx *ctx);
/* CTX is a part of the work of OTHER: they have one list, if OTHER has one. */
void hk_claim_share(hk_ctx *ctx, hk_ctx *other);

/* PATH is about to be read. HK_E_USAGE if it is claimed: it would be overwritten. Those who read
 * whole files, tables and archives say so by themselves. */
HK_NODISCARD hk_status hk_claim_read(hk_ctx *ctx, const char *path);
/* What was read at PATH is there to be replaced: it may be written by hk_file_rewrite. */
void hk_claim_replaceable(hk_ctx *ctx, const char *path);

/* PATH will be written by BY ("--trace", "the record"; lives as long as the claim), from now until
 * hk_claim_end or the end of the context. HK_E_USAGE if something else is to write it, or reads it;
 * HK_E_FILE_WRITE if another process, or another piece of work in this one, has claimed it. "-" is
 * standard output and no file. */
HK_NODISCARD hk_status hk_claim_write(hk_ctx *ctx, const char *path, const char *by);
/* The same for what may replace what was read and is replaceable. */
HK_NODISCARD hk_status hk_claim_rewrite(hk_ctx *ctx, const char *path, const char *by);
void hk_claim_end(hk_ctx *ctx, const char *path); /* it is written: now it may be read */
/* Fails if PATH was read; for those who write at once. */
HK_NODISCARD hk_status hk_claim_check(hk_ctx *ctx, const char *path, bool replaces);

/* A run, in this process or another, is writing the file now: it has no end yet. Only by the name
 * that the other has for it, or links to that. */
bool hk_claim_is_being_written(const char *path);

/* The paths of what was read so far, in that order, in ARENA; a file that was read twice is there
 * twice. */
const char **hk_claim_list_read(hk_ctx *ctx, hk_arena *arena, size_t *ret_count);
/* Forgets what was read: nobody needs it any more. */
void hk_claim_forget(hk_ctx *ctx);

/* diag.c: where a context keeps its list; NULL: it has none. */
typedef struct hk_claims hk_claims;
hk_claims *hk_ctx_claims(const hk_ctx *ctx);
void hk_ctx_set_claims(hk_ctx *ctx, hk_claims *claims); /* once, and it releases them at its end */
void hk_claims_release(hk_claims *claims);              /* NULL: nothing */

/* The path at the end of a chain of links, whether there is a file or not. */
const char *hk_claim_target(hk_arena *arena, const char *path);

#endif
