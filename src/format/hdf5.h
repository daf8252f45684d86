/* SPDX-License-Identifier: MIT
 *
 * HDF5, through libhdf5. The library is loaded when a file of that format is read or written and
 * not before: it brings twenty others along, which would cost every start of hocket more than it
 * takes today. So nothing is linked, and its functions are called through a table. */
#ifndef HK_FORMAT_HDF5_H
#define HK_FORMAT_HDF5_H

#include "format/table_read.h"

/* Tables in HDF5: datasets at the root whose first dimension is that of a dataset "time". */
extern const hk_table_format hk_hdf5_table;

/* Can it be used? The error says which package is missing; also in builds without it. */
HK_NODISCARD hk_status hk_hdf5_load(hk_ctx *ctx, const char *path);

/* How many rows can be read of the file; false: it cannot be read. For the one who writes it. */
bool hk_hdf5_count_rows(const char *path, uint64_t *ret_rows);

#ifdef HK_HDF5

#include <hdf5.h>

/* What is used of the library. Its constants whose macros would call it are written out below. */
typedef struct hk_hdf5 {
#define HK_H5_FUNCTION(name) __typeof__(&(name)) name;
#define HK_H5_ID(name)       hid_t name;
#include "format/hdf5.def"
#undef HK_H5_FUNCTION
#undef HK_H5_ID
    hid_t text; /* a string of any length, in UTF-8 */
} hk_hdf5;

enum { HK_HDF5_READ = 0, HK_HDF5_REPLACE = 2 }; /* how a file is opened */

/* After hk_hdf5_load. Its functions are called between these two alone, by one thread at a time. */
const hk_hdf5 *hk_hdf5_enter(void);
void hk_hdf5_leave(void);
/* What the library says went wrong last, in this thread; between the two. */
void hk_hdf5_why(char *text, size_t size);

#endif

#endif
