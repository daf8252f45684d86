/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: the file beside a record (about.h says what is in it), from the record's
 * first byte to its end, also on a disk that is full by then. */
#ifndef HK_RECORD_BESIDE_H
#define HK_RECORD_BESIDE_H

#include "base/diag.h"
#include "base/ledger.h"

#include <sys/stat.h>

typedef struct hk_beside {
    char *path;  /* from the root; NULL: nothing is said of the record */
    mode_t mode; /* of the one before; 0: there was none */
    char *begun; /* what is said there until it is known how the run ends; NULL: nothing */
    hk_ledger_record *noted; /* for the parent of the run; NULL: it has none */
} hk_beside;

/* Where it is said what the record at PATH is, from the root, as components may change the folder;
 * NULL: nowhere, it is standard output. Free with hk_free. */
char *hk_beside_place(const char *path);
/* The record at PATH and what it says about itself, which is beside it, are those of this work. */
HK_NODISCARD hk_status hk_beside_claim(hk_ctx *ctx, const hk_beside *beside, const char *path);
void hk_beside_unclaim(hk_ctx *ctx, const hk_beside *beside, const char *path);
/* It is about the record that is being replaced. What follows has its mode, as the record has.
 * Async-signal-safe, as the next. */
void hk_beside_forget(hk_beside *beside);
/* Says what is known when the run begins, and reserves room for what is said when it has ended.
 * That it cannot be written is reported then. */
void hk_beside_begin(const hk_beside *beside);
/* Says TEXT of a record that found no room. False: there is none for it either, and what was said
 * before, if anything, stays. */
bool hk_beside_say_in_part(const hk_beside *beside, const char *text);
/* ... and one warning says so. */
void hk_beside_warn(hk_ctx *ctx, const hk_beside *beside);

#endif
