/* SPDX-License-Identifier: MIT
 *
 * Inside the reader of HDF5: datasets of a file (hdf5_sets.c) for the one that makes a table of
 * them (hdf5_read.c). */
#ifndef HK_FORMAT_HDF5_INTERNAL_H
#define HK_FORMAT_HDF5_INTERNAL_H

#include "format/hdf5.h"

/* The reader itself, for the child process that it runs in (hdf5_table.c). */
extern const hk_table_format hk_hdf5_inside;

typedef enum hk_h5_kind {
    HK_H5_FLOAT,
    HK_H5_INTEGER, /* enumerations, too */
    HK_H5_TEXT,    /* of any length */
    HK_H5_CHARS,   /* of SIZE bytes */
    HK_H5_BINARY
} hk_h5_kind;

/* A dataset that can be columns of a table. */
typedef struct hk_h5_set {
    const char *link, *name;
    hid_t id, type; /* type: in memory */
    hk_h5_kind kind;
    size_t size; /* of an element in memory */
    bool is_signed, is_bool, escaped;
    int rank;
    hsize_t dims[H5S_MAX_RANK]; /* the rows first */
    size_t elements;            /* of a row */
    int64_t place;              /* the column it is to be; INT64_MAX: it does not say */
    const char *unit;
    const char **item_names;
    int64_t *item_values;
    size_t item_count;
    char *block; /* rows that were read */
} hk_h5_set;

/* These inside the library (hk_hdf5_enter). */

/* The dataset behind LINK; false: it is not one, or of a type that no column has. Everything but
 * the block lives in ARENA. */
bool hk_h5_set_open(const hk_hdf5 *h, hk_arena *arena, hid_t file, const char *link,
                    hk_h5_set *ret_set);
void hk_h5_set_close(const hk_hdf5 *h, hk_h5_set *set);
/* Reads COUNT rows from FIRST on into the block; false: the library says why. */
bool hk_h5_set_read(const hk_hdf5 *h, hk_h5_set *set, size_t first, size_t count);
/* Gives back what texts of the block point to. */
void hk_h5_set_forget(const hk_hdf5 *h, hk_h5_set *set, size_t count);

#endif
