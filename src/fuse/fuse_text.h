/* SPDX-License-Identifier: MIT
 *
 * A file of emitted C. */
#ifndef HK_FUSE_FUSE_TEXT_H
#define HK_FUSE_FUSE_TEXT_H

typedef struct hk_fuse_text {
    const char *name, *text; /* "cell_0_1.c", without a folder */
} hk_fuse_text;

#endif
