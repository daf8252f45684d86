/* SPDX-License-Identifier: MIT
 *
 * Inside the record room: a CSV record that is continued. */
#ifndef HK_RECORD_KEPT_H
#define HK_RECORD_KEPT_H

#include "base/file.h"
#include "record/recorder.h"

#include <hk/unit.h>

/* The beginning of a record that stays. */
typedef struct hk_kept_rows {
    uint64_t bytes, rows;
    uint32_t sum; /* CRC-32 */
} hk_kept_rows;

/* The head and the rows of the file before the time AT. A file that begins with another head, or in
 * which the last of these rows is not there, is refused. */
HK_NODISCARD hk_status hk_kept_find(hk_ctx *ctx, const char *path, hk_bytes head, hk_resumed at,
                                    hk_kept_rows *ret_kept);

#endif
