/* SPDX-License-Identifier: MIT
 *
 * Inside the readers of tables: one whose library may crash, hang or take all memory when a file is
 * damaged reads in a child process (base/child.h), and hands columns and rows over one by one. */
#ifndef HK_FORMAT_TABLE_APART_H
#define HK_FORMAT_TABLE_APART_H

#include "format/table_read.h"

typedef struct hk_apart {
    const hk_table_format *inside; /* the reader that is in the child */
    const char *library;           /* what it relies on: "libhdf5" */
    /* Around the moment at which the process becomes two, in the parent; the child releases, too.
     */
    void (*hold)(void);
    void (*release)(void);
} hk_apart;

/* As the functions of hk_table_format. BYTES is the size of the file, which limits the time that
 * may be spent on it. */
HK_NODISCARD hk_status hk_apart_open(hk_ctx *ctx, const hk_apart *how, const char *path,
                                     uint64_t bytes, bool strict, void **ret_self);
void hk_apart_close(void *self);
HK_NODISCARD hk_status hk_apart_next(void *self, const hk_table_row **ret_row);
const hk_table_column *hk_apart_columns(const void *self, size_t *ret_count);
size_t hk_apart_rows(const void *self);

#endif
