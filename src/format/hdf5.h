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

#ifdef HK_HDF5

#include <hdf5.h>

/* Macros of the library's headers that are functions of other versions are written out here, and
 * constants whose macros would call it. */
#define HK_HDF5_FUNCTIONS(X)                                                                       \
    X(H5open)                                                                                      \
    X(H5dont_atexit)                                                                               \
    X(H5Eset_auto2)                                                                                \
    X(H5Ewalk2) X(H5Eclear2) X(H5Fcreate) X(H5Fopen) X(H5Fclose) X(H5Fflush) X(H5Fget_vfd_handle)  \
        X(H5Pcreate) X(H5Pclose) X(H5Pset_chunk) X(H5Pset_chunk_cache) X(H5Pset_char_encoding)     \
            X(H5Pset_obj_track_times) X(H5Pset_fapl_core) X(H5Pset_file_image) X(H5Screate) X(     \
                H5Screate_simple) X(H5Sclose) X(H5Sselect_hyperslab) X(H5Sget_simple_extent_ndims) \
                X(H5Sget_simple_extent_dims) X(H5Sget_simple_extent_npoints) X(H5Dcreate2)         \
                    X(H5Dopen2) X(H5Dclose) X(H5Dwrite) X(H5Dread) X(H5Dset_extent)                \
                        X(H5Dget_space) X(H5Dget_type) X(H5Dvlen_reclaim) X(H5Acreate2)            \
                            X(H5Awrite) X(H5Aclose) X(H5Aopen) X(H5Aread) X(H5Aexists)             \
                                X(H5Adelete) X(H5Aget_type) X(H5Aget_space) X(H5Tcopy)             \
                                    X(H5Tenum_create) X(H5Tenum_insert) X(H5Tget_nmembers)         \
                                        X(H5Tget_member_name) X(H5Tset_size) X(H5Tset_cset)        \
                                            X(H5Tget_cset) X(H5Tvlen_create) X(H5Tget_class)       \
                                                X(H5Tget_size) X(H5Tget_sign) X(H5Tget_super)      \
                                                    X(H5Tget_native_type) X(H5Tis_variable_str)    \
                                                        X(H5Tclose) X(H5Gget_info)                 \
                                                            X(H5Lget_name_by_idx) X(H5Lexists)     \
                                                                X(H5free_memory)
#define HK_HDF5_IDS(X)                                                                             \
    X(H5T_NATIVE_DOUBLE_g)                                                                         \
    X(H5T_NATIVE_FLOAT_g)                                                                          \
    X(H5T_NATIVE_INT8_g)                                                                           \
    X(H5T_NATIVE_UINT8_g) X(H5T_NATIVE_INT16_g) X(H5T_NATIVE_UINT16_g) X(H5T_NATIVE_INT32_g)       \
        X(H5T_NATIVE_UINT32_g) X(H5T_NATIVE_INT64_g) X(H5T_NATIVE_UINT64_g) X(H5T_C_S1_g)          \
            X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_DATASET_CREATE_ID_g)                             \
                X(H5P_CLS_DATASET_ACCESS_ID_g) X(H5P_CLS_LINK_CREATE_ID_g)

#define HK_HDF5_FUNCTION(name) __typeof__(&(name)) name;
#define HK_HDF5_ID(name)       hid_t name;
typedef struct hk_hdf5 {
    HK_HDF5_FUNCTIONS(HK_HDF5_FUNCTION)
    HK_HDF5_IDS(HK_HDF5_ID)
    hid_t text; /* a string of any length, in UTF-8 */
} hk_hdf5;
#undef HK_HDF5_FUNCTION
#undef HK_HDF5_ID

enum { HK_HDF5_READ = 0, HK_HDF5_REPLACE = 2 }; /* how a file is opened */

/* After hk_hdf5_load. Its functions are called between these two alone, by one thread at a time. */
const hk_hdf5 *hk_hdf5_enter(void);
void hk_hdf5_leave(void);
/* What the library says went wrong last, in this thread; between the two. */
void hk_hdf5_why(char *text, size_t size);

#endif

#endif
