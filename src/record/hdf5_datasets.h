/* SPDX-License-Identifier: MIT
 *
 * Inside the record room, where there is HDF5: the columns of a record as datasets. Columns that
 * are all the elements of one array, in order, are one dataset with its shape. */
#ifndef HK_RECORD_HDF5_DATASETS_H
#define HK_RECORD_HDF5_DATASETS_H

#include "format/hdf5.h"
#include "record/writer.h"

typedef struct hk_h5_dataset {
    const hk_column *columns; /* of its elements; NULL: the time */
    size_t count;             /* of elements */
    bool array;
    size_t size;  /* of an element in the buffer */
    char *buffer; /* the rows that were gathered */
    hid_t id, type;
} hk_h5_dataset;

typedef struct hk_h5_datasets {
    hk_h5_dataset *all; /* the time first */
    size_t count, cap;
    size_t chunk, chunk_bytes;    /* rows; of all datasets together */
    size_t text_bytes;            /* of the texts in the buffers */
    size_t filled;                /* rows in the buffers */
    uint64_t rows, flushed;       /* in the datasets; in the file */
    double until;                 /* time of the last row in the datasets */
    hid_t bool_type, binary_type; /* 0: not needed so far */
    const char *escaped;          /* the first column with a text that was escaped; NULL: none */
    double escaped_at;
} hk_h5_datasets;

void hk_h5_datasets_init(hk_h5_datasets *sets, const hk_column *columns, size_t count);
void hk_h5_datasets_finish(hk_h5_datasets *sets);
/* Takes as many rows as fit into the chunk. */
size_t hk_h5_datasets_take(hk_h5_datasets *sets, hk_rows rows);
bool hk_h5_datasets_full(const hk_h5_datasets *sets);
/* How much longer the file becomes, at most, when the rows in the buffers are written. */
uint64_t hk_h5_datasets_need(const hk_h5_datasets *sets);
uint64_t hk_h5_datasets_rows(const hk_h5_datasets *sets); /* taken so far */

/* These inside the library; false: it says why. */
bool hk_h5_datasets_create(const hk_hdf5 *h, hk_h5_datasets *sets, hid_t file);
bool hk_h5_datasets_write(const hk_hdf5 *h, hk_h5_datasets *sets);
void hk_h5_datasets_close(const hk_hdf5 *h, hk_h5_datasets *sets);
/* An attribute of OBJECT; one that is there is replaced. */
bool hk_h5_put_text(const hk_hdf5 *h, hid_t object, const char *name, const char *text);

#endif
