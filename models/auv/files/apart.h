/* SPDX-License-Identifier: MIT
 *
 * Files of formats that a library takes apart, read in a child process: libraries crash, hang, ask
 * for all memory and keep a state of their own that threads disturb when a file is damaged or
 * somebody else uses them. Whatever happens there is one message here. The library is loaded in
 * the child, so a run that reads no such file does not pay for it. */
#ifndef HK_MODELS_AUV_APART_H
#define HK_MODELS_AUV_APART_H

#include "auv.h"

/* What a reader makes of a file: one block, without addresses in it. */
typedef struct block {
    void *data;
    size_t size;
} block;

/* Allocates the block. False: WHY says why, with the path in it. */
typedef bool read_fn(const char *path, const void *options, block *ret_block, words *why);

/* NULL: it cannot be read. The caller frees it. */
void *hk_auv_read_apart(const char *path, read_fn *read, const void *options, words *why);

/* What a leaf keeps of its file. */
typedef struct opened_file {
    char *name; /* as the parameter has it */
    char *path; /* with the folder of the system */
    void *data; /* the block */
} opened_file;

/* The file of that name, read when it is not the one that is held. NULL: asked->why says why. */
const opened_file *hk_auv_opened(asked_file *asked, read_fn *read, const void *options);
void hk_auv_close(void *data); /* fits hk_resource_field.release */

/* A function or a variable of a shared library. */
typedef struct symbol {
    const char *name;
    void *to; /* a pointer */
} symbol;

/* Loads all of them. A library that this process uses already is loaded once more, with a state of
 * its own. The text says what is missing; NULL: nothing. */
const char *hk_auv_load(const char *library, const symbol *symbols, size_t count);

#endif
