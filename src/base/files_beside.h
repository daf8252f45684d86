/* SPDX-License-Identifier: MIT
 *
 * The folder for the files of one that is written: "x_files" beside "x.system". */
#ifndef HK_BASE_FILES_BESIDE_H
#define HK_BASE_FILES_BESIDE_H

#include "base/diag.h"
#include "base/map.h"
#include "base/memory.h"

const char *hk_beside_name(hk_arena *arena, const char *path); /* without the folder it is in */
/* Makes the folder of the file PATH. It must be new: what is there already is not mixed with what
 * is written, and all of it can be removed if something fails later. */
HK_NODISCARD hk_status hk_beside_make(hk_ctx *ctx, hk_arena *arena, const char *path,
                                      const char **ret_folder);

/* The files that a text at PATH names: those that lie somewhere are named by the way to them, those
 * in temporary folders (of a package that was unpacked) are copied beside it. */
typedef struct hk_copies {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *path, *folder; /* the folder is absolute */
    const char *copies;        /* name of the folder for copies */
    hk_map copied;             /* name in there -> index of its source */
    const char **sources;
    size_t source_count, source_cap;
} hk_copies;
/* Fails if there is no folder that PATH could be in. */
HK_NODISCARD hk_status hk_copies_begin(hk_ctx *ctx, hk_arena *arena, const char *path,
                                       hk_copies *ret_copies);
/* How the text names the file at PATH, an absolute one without links. */
const char *hk_copies_file(hk_copies *b, const char *path);
/* Makes the copies and writes the text; after an error nothing is there. */
HK_NODISCARD hk_status hk_copies_write(hk_copies *b, const char *text);
/* Takes back what hk_copies_write has made. */
void hk_copies_remove(hk_copies *b);
void hk_copies_finish(hk_copies *b);

#endif
