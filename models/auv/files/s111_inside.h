/* SPDX-License-Identifier: MIT
 *
 * What the two files that read S-111 share. */
#ifndef HK_MODELS_AUV_S111_INSIDE_H
#define HK_MODELS_AUV_S111_INSIDE_H

#include "hdf5_access.h"
#include "s111.h"

#ifdef HK_HDF5

enum { S111_GRID = 2, S111_NODES = 3 }; /* data coding formats */
enum { S111_MOST_BYTES = 1000 * 1000 * 1000 };
/* Of nodes times records, in one instance. */
enum { S111_MOST_VALUES = 50 * 1000 * 1000, S111_MOST_TIMES = 100 * 1000 };

typedef struct s111_reader {
    const char *path;
    words *why;
    char where[32]; /* in the file; "": all of it */
    hid_t file, features;
    int format, zone;
    float fill[2]; /* of speed and direction */
    char unit[32]; /* of speed, if it is not knots */
    char *block;
    size_t used, room;
} s111_reader;

extern const char *const hk_auv_s111_members[2];

/* "'x.h5': WHERE WHAT: MORE"; always false. */
bool hk_auv_s111_fail(s111_reader *r, const char *what, const char *more);
/* SIZE bytes of zeros at the end of the block. */
bool hk_auv_s111_room(s111_reader *r, size_t size, uint64_t *ret_offset);
/* The instance SurfaceCurrent.NUMBER. */
bool hk_auv_s111_instance(s111_reader *r, unsigned number, s111_instance *ret);

#endif
#endif
