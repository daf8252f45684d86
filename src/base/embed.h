/* SPDX-License-Identifier: MIT
 *
 * Files that are part of the program: hk_embed() of cmake/embed.cmake turns them into tables. */
#ifndef HK_BASE_EMBED_H
#define HK_BASE_EMBED_H

#include <stddef.h>

typedef struct hk_embedded {
    const char *name; /* path below the folder they come from, with '/'; NULL ends the table */
    const char *data; /* the bytes of the file, and a '\0' that SIZE does not count */
    size_t size;
} hk_embedded;

#endif
