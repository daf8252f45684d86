/* SPDX-License-Identifier: MIT
 *
 * HDF5 files as tables. What libhdf5 makes of a damaged file is not in our hands: it crashes, or
 * asks for all memory. It reads in a process of its own (table_apart.h). */
#include "format/hdf5.h"

#ifndef HK_HDF5

static hk_status hdf5_open(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    (void)strict;
    (void)ret_self;
    return hk_hdf5_load(ctx, path);
}

const hk_table_format hk_hdf5_table = {.extensions = ".h5 .hdf5", .open = hdf5_open};

#else

#include "base/claims.h"
#include "base/file.h"
#include "base/packed.h"
#include "format/hdf5_internal.h"
#include "format/table_apart.h"

#include <sys/stat.h>

/* Nobody is inside the library when the process becomes two. */
static void hold(void) {
    (void)hk_hdf5_enter();
}

static const hk_apart apart = {
    .inside = &hk_hdf5_inside, .library = "libhdf5", .hold = hold, .release = hk_hdf5_leave};

static hk_status check_file(hk_ctx *ctx, const char *path, uint64_t *ret_size) {
    hk_where where = {.file = path};
    struct stat info;
    HK_TRY(hk_claim_read(ctx, path));
    hk_table_tell_open(ctx, path);
    if (!hk_file_exists(path))
        return hk_error(ctx, HK_E_FILE_READ, where, "check the spelling of the path",
                        "cannot read it: No such file or directory");
    if (!hk_file_is_regular(path) || stat(path, &info) != 0)
        return hk_error(ctx, HK_E_FILE_READ, where, "name a file", "it is not a regular file");
    *ret_size = (uint64_t)info.st_size;
    return HK_OK;
}

static hk_status hdf5_open(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    const char *data = NULL;
    size_t packed = 0;
    uint64_t size = 0;
    if (hk_packed_is(path))
        HK_TRY(hk_packed_view(ctx, path, &data, &packed));
    else
        HK_TRY(check_file(ctx, path, &size));
    HK_TRY(hk_hdf5_load(ctx, path));
    return hk_apart_open(ctx, &apart, path, data ? packed : size, strict, ret_self);
}

static hk_status count_rows(hk_ctx *ctx, const char *path, uint64_t size, uint64_t *ret_rows) {
    void *self = NULL;
    const hk_table_row *row = NULL;
    *ret_rows = 0;
    HK_TRY(hk_apart_open(ctx, &apart, path, size, true, &self));
    hk_status status;
    while ((status = hk_apart_next(self, &row)) == HK_OK && row)
        ++*ret_rows;
    hk_apart_close(self);
    return status;
}

bool hk_hdf5_count_rows(const char *path, uint64_t *ret_rows) {
    struct stat info;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    bool read = stat(path, &info) == 0 &&
                count_rows(quiet, path, (uint64_t)info.st_size, ret_rows) == HK_OK;
    hk_ctx_destroy(quiet);
    return read;
}

const hk_table_format hk_hdf5_table = {.extensions = ".h5 .hdf5",
                                       .open = hdf5_open,
                                       .close = hk_apart_close,
                                       .next = hk_apart_next,
                                       .columns = hk_apart_columns,
                                       .rows = hk_apart_rows};

#endif
