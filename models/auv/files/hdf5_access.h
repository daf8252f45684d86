/* SPDX-License-Identifier: MIT
 *
 * What the readers of HDF5 files share: attributes and tables of an open file. They run in a
 * process of their own (apart.h), which ends when all is read: nothing is closed. */
#ifndef HK_MODELS_AUV_HDF5_ACCESS_H
#define HK_MODELS_AUV_HDF5_ACCESS_H

#include "apart.h"

#ifdef HK_HDF5

#include <hdf5.h>

typedef struct h5_library {
#define H5_FUNCTION(name) __typeof__(&(name)) name;
#define H5_ID(name)       hid_t name;
#include "libhdf5.def"
#undef H5_FUNCTION
#undef H5_ID
} h5_library;

extern h5_library hk_auv_h5;

/* False: WHY says why. */
bool hk_auv_h5_load(const char *path, words *why);
/* What the library has said first. */
const char *hk_auv_h5_reason(void);

/* Whether all groups and the last name of a path are there. */
bool hk_auv_h5_has(hid_t at, const char *name);
/* An attribute that is one number, of any type. False: there is none. */
bool hk_auv_h5_number(hid_t at, const char *name, double *ret_number);
/* An attribute that is one text, cut to the room. False: there is none. */
bool hk_auv_h5_text(hid_t at, const char *name, char *text, size_t room);

/* The size of a dataset in each of its RANK dimensions. False: it has not that many. */
bool hk_auv_h5_size(hid_t set, int rank, hsize_t *ret_size);
/* Reads two members of a compound as pairs of numbers. False: it has no such members, or it is
 * damaged. */
bool hk_auv_h5_pairs(hid_t set, const char *const names[2], bool as_double, void *pairs);

/* The texts of two members of the rows of a table: calls TAKE for each row. False: it is not a
 * table with such members. */
typedef void h5_take_fn(void *user, const char *first, const char *second);
bool hk_auv_h5_texts(hid_t set, const char *const names[2], h5_take_fn *take, void *user);

#endif
#endif
