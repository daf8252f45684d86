/* SPDX-License-Identifier: MIT
 *
 * HDF5: one dataset for each variable at the root of the file, named like it, its first dimension
 * the rows; arrays keep their shape. "time" is one of them. Attributes say name, unit, type, items
 * and description; that of the file, "about", what is beside the record.
 *
 * Rows are gathered to chunks, and the file is flushed every flush interval or megabyte: a process
 * that is killed leaves a file that opens and ends with the last flush. Only if the signal falls
 * into the flush itself, the library writes several places of the file, may it be broken. The
 * library is not safe in handlers of signals; after a crash the side thread still writes.
 *
 * A library that finds no room in the middle of its work leaves a file that nobody can read. So
 * there is room on the disk before it begins: if not, the file ends with the rows before. */
#define _GNU_SOURCE /* fallocate */
#include "format/hdf5.h"
#include "record/writer.h"

#ifndef HK_HDF5

static hk_status hdf5_begin(hk_ctx *ctx, const hk_record *record, void **ret_self) {
    (void)ret_self;
    return hk_hdf5_load(ctx, record->path);
}

const hk_writer hk_hdf5_writer = {.extension = ".h5", .other = ".hdf5", .begin = hdf5_begin};

#else

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "format/escape.h"
#include "record/about.h"
#include "record/hdf5_datasets.h"
#include "record/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAILED = -3 }; /* beside the values of errno and of outfile.h: the library says why */

typedef struct hdf5 {
    const hk_record *record;
    hk_outfile place; /* of the file; the library opens it */
    hk_h5_datasets sets;
    hid_t file; /* negative: not open */
    hk_file_id id;
    int fd;
    uint64_t bytes;
    int64_t flushed_ns; /* when */
    int problem;
    bool opens;   /* it was flushed once */
    bool removed; /* what was written could not be read */
    char why[160];
} hdf5;

static hk_status hdf5_begin(hk_ctx *ctx, const hk_record *record, void **ret_self) {
    HK_TRY(hk_hdf5_load(ctx, record->path));
    hdf5 *self = hk_alloc(sizeof *self);
    self->record = record;
    self->file = -1;
    hk_outfile_init(&self->place, record->path, "the record");
    hk_status status = hk_outfile_check(ctx, &self->place);
    if (status != HK_OK) {
        (void)hk_outfile_close(&self->place);
        hk_free(self);
        return status;
    }
    hk_h5_datasets_init(&self->sets, record->columns, record->column_count);
    *ret_self = self;
    return HK_OK;
}

/* --- inside the library ------------------------------------------------------------------------*/

static int failed(hdf5 *self) {
    hk_hdf5_why(self->why, sizeof self->why);
    return FAILED;
}

/* The disk has room for MORE bytes behind all that the library has in mind. A file system that
 * cannot say so is trusted. */
static int reserve(const hk_hdf5 *h, hdf5 *self, uint64_t more) {
    hsize_t size = 0;
    if (h->H5Fget_filesize(self->file, &size) < 0)
        return failed(self);
    uint64_t from = self->bytes < size ? self->bytes : size;
    int result;
    do
        result = fallocate(self->fd, 0, (off_t)from, (off_t)(size - from + more));
    while (result != 0 && errno == EINTR);
    return result != 0 && hk_outfile_is_full(errno) ? errno : 0;
}

/* What of it was not needed. */
static void give_back(const hk_hdf5 *h, hdf5 *self) {
    struct stat info;
    hsize_t size = 0;
    if (h->H5Fget_filesize(self->file, &size) < 0 || fstat(self->fd, &info) != 0)
        return;
    self->bytes = (uint64_t)info.st_size;
    if (self->bytes > size && ftruncate(self->fd, (off_t)size) == 0)
        self->bytes = size;
}

static bool open_file(const hk_hdf5 *h, hdf5 *self) {
    void *handle = NULL;
    self->file = h->H5Fcreate(self->place.place, HK_HDF5_REPLACE, H5P_DEFAULT, H5P_DEFAULT);
    if (self->file < 0 || h->H5Fget_vfd_handle(self->file, H5P_DEFAULT, &handle) < 0)
        return false;
    self->fd = *(int *)handle;
    self->id = hk_file_identify(self->fd);
    uint64_t about = self->record->begun ? 2 * strlen(self->record->begun) : 0;
    self->problem = reserve(h, self, about + hk_h5_datasets_need(&self->sets));
    return !self->problem &&
           (!self->record->begun || hk_h5_put_text(h, self->file, "about", self->record->begun)) &&
           hk_h5_datasets_create(h, &self->sets, self->file) &&
           h->H5Fflush(self->file, H5F_SCOPE_GLOBAL) >= 0; /* from here on it can be opened */
}

/* An empty file that is ours, on a disk with room for what the library writes first. */
static int make_place(const hdf5 *self) {
    enum { FIRST_BYTES = 16 << 10 };
    int fd = open(self->place.place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int problem = fallocate(fd, 0, 0, FIRST_BYTES) == 0 ? 0 : errno;
    close(fd);
    if (!hk_outfile_is_full(problem))
        return 0;
    (void)unlink(self->place.place);
    return problem;
}

/* Makes the file when the first rows come. */
static int make_file(const hk_hdf5 *h, hdf5 *self) {
    const hk_record *record = self->record;
    struct stat info;
    if (stat(self->place.place, &info) == 0 && !S_ISREG(info.st_mode))
        return ESPIPE;
    record->replacing(record->user);
    int problem = make_place(self);
    if (problem)
        return problem;
    record->replaced(record->user);
    if (open_file(h, self)) {
        give_back(h, self);
        self->flushed_ns = hk_clock_ns();
        self->opens = true;
        return 0;
    }
    problem = self->problem ? self->problem : failed(self);
    if (self->file < 0)
        self->removed = unlink(self->place.place) == 0;
    return problem;
}

/* Puts the rows that were gathered into the file. */
static int write_rows(const hk_hdf5 *h, hdf5 *self) {
    if (!self->sets.filled)
        return 0;
    if (!hk_file_is(self->fd, self->id))
        return HK_OUTFILE_LOST;
    int problem = reserve(h, self, hk_h5_datasets_need(&self->sets));
    if (problem)
        return problem;
    return hk_h5_datasets_write(h, &self->sets) ? 0 : failed(self);
}

static int flush_file(const hk_hdf5 *h, hdf5 *self) {
    int problem = write_rows(h, self);
    if (!problem && h->H5Fflush(self->file, H5F_SCOPE_GLOBAL) < 0)
        problem = failed(self);
    if (problem)
        return problem;
    self->sets.flushed = self->sets.rows;
    self->flushed_ns = hk_clock_ns();
    give_back(h, self);
    return 0;
}

/* No room for more: what the library has so far is put into the file, which needs none. */
static void settle(const hk_hdf5 *h, hdf5 *self) {
    if (!hk_outfile_is_full(self->problem) || !self->opens)
        return;
    if (h->H5Fflush(self->file, H5F_SCOPE_GLOBAL) >= 0)
        self->sets.flushed = self->sets.rows;
    give_back(h, self);
}

/* --- the writer --------------------------------------------------------------------------------*/

/* A megabyte of rows is in the datasets, and not in the file. They are flushed in whole chunks. */
static bool due_by_size(const hdf5 *self) {
    enum { FLUSH_BYTES = 1 << 20 };
    const hk_h5_datasets *sets = &self->sets;
    return !sets->filled &&
           (sets->rows - sets->flushed) * (sets->chunk_bytes / sets->chunk) >= FLUSH_BYTES;
}

static int hdf5_put(void *user, hk_rows rows, bool in_signal, size_t *ret_taken) {
    hdf5 *self = user;
    *ret_taken = 0;
    if (in_signal)
        return 0;
    const hk_hdf5 *h = hk_hdf5_enter();
    if (!self->problem && self->file < 0)
        self->problem = make_file(h, self);
    while (!self->problem && *ret_taken < rows.count) {
        if (due_by_size(self))
            self->problem = flush_file(h, self);
        if (self->problem)
            break;
        const char *row = rows.first + *ret_taken * rows.stride;
        size_t left = rows.count - *ret_taken;
        *ret_taken += hk_h5_datasets_take(&self->sets, (hk_rows){row, rows.stride, left});
        if (hk_h5_datasets_full(&self->sets))
            self->problem = write_rows(h, self);
    }
    settle(h, self);
    hk_hdf5_leave();
    return self->problem;
}

static int hdf5_flush(void *user, bool all) {
    hdf5 *self = user;
    bool due = all || hk_clock_ns() - self->flushed_ns >= self->record->flush_ns;
    if (self->problem || self->file < 0 || !due ||
        self->sets.flushed == hk_h5_datasets_rows(&self->sets))
        return self->problem;
    const hk_hdf5 *h = hk_hdf5_enter();
    self->problem = flush_file(h, self);
    settle(h, self);
    hk_hdf5_leave();
    return self->problem;
}

/* The file is where it was put. What it holds is the library's; nobody else has written to it if
 * its descriptor was ours to the end. */
static int look_at_place(const hdf5 *self) {
    struct stat info;
    bool there = stat(self->place.place, &info) == 0 && info.st_dev == self->id.device &&
                 info.st_ino == self->id.node;
    return there ? 0 : HK_OUTFILE_CHANGED;
}

/* What is said of the run at its end. A file whose rows found no room says what it said before, if
 * there is no room for more. */
static int put_about(const hk_hdf5 *h, hdf5 *self, const char *about) {
    enum { MORE_BYTES = 64 << 10 };
    int problem = reserve(h, self, 2 * strlen(about) + MORE_BYTES);
    if (!problem && !hk_h5_put_text(h, self->file, "about", about))
        problem = failed(self);
    return problem;
}

static int close_file(const hk_hdf5 *h, hdf5 *self, const char *about) {
    int problem = self->problem;
    if (!problem)
        problem = flush_file(h, self);
    bool ours = problem != HK_OUTFILE_LOST && problem != FAILED && self->opens;
    if (ours && about) {
        int untold = put_about(h, self, about);
        problem = problem ? problem : untold;
    }
    if (ours && problem != FAILED && h->H5Fflush(self->file, H5F_SCOPE_GLOBAL) < 0)
        problem = failed(self);
    else if (ours && problem != FAILED)
        self->sets.flushed = self->sets.rows;
    if (ours)
        give_back(h, self);
    hk_h5_datasets_close(h, &self->sets);
    if (problem != HK_OUTFILE_LOST && h->H5Fclose(self->file) < 0 && !problem)
        problem = failed(self);
    return problem ? problem : look_at_place(self);
}

/* What a library that has failed leaves behind is of use only if it can be read. */
static void judge(hdf5 *self) {
    bool lost = self->problem != FAILED && !hk_outfile_is_full(self->problem);
    uint64_t rows = 0;
    if (!self->problem || (lost && self->opens) || look_at_place(self) != 0)
        return;
    if (self->opens && hk_hdf5_count_rows(self->place.place, &rows)) {
        self->sets.flushed = rows;
        return;
    }
    self->removed = unlink(self->place.place) == 0;
    self->sets.flushed = 0;
}

static int hdf5_end(void *user, const char *about) {
    hdf5 *self = user;
    struct stat info;
    if (self->file >= 0) {
        const hk_hdf5 *h = hk_hdf5_enter();
        self->problem = close_file(h, self, about);
        hk_hdf5_leave();
        self->file = -1;
        judge(self);
        self->bytes = stat(self->place.place, &info) == 0 ? (uint64_t)info.st_size : 0;
    }
    (void)hk_outfile_close(&self->place); /* never opened: its name alone */
    return self->problem;
}

static hk_record_size hdf5_size(const void *user) {
    const hdf5 *self = user;
    const hk_h5_datasets *sets = &self->sets;
    return (hk_record_size){.rows = sets->flushed,
                            .last = sets->rows && sets->flushed == sets->rows ? sets->until
                                                                              : (double)NAN,
                            .bytes = self->bytes,
                            .regular = true};
}

static hk_status hdf5_error(hk_ctx *ctx, const void *user, int problem) {
    const hdf5 *self = user;
    if (problem != FAILED)
        return hk_outfile_error(ctx, &self->place, problem);
    return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = self->record->path},
                    "the disk may be full; write a .csv file to keep every row that fits",
                    "cannot write the record: HDF5 says: %s%s", self->why,
                    self->removed ? "; what was written cannot be read, and is removed" : "");
}

static void hdf5_tell(hk_ctx *ctx, const void *user) {
    const hdf5 *self = user;
    if (self->sets.escaped)
        hk_record_tell_escaped(ctx, self->record->path, self->sets.escaped, self->sets.escaped_at);
}

static void hdf5_destroy(void *user) {
    hdf5 *self = user;
    hk_h5_datasets_finish(&self->sets);
    hk_free(self);
}

const hk_writer hk_hdf5_writer = {.extension = ".h5",
                                  .other = ".hdf5",
                                  .begin = hdf5_begin,
                                  .put = hdf5_put,
                                  .flush = hdf5_flush,
                                  .end = hdf5_end,
                                  .size = hdf5_size,
                                  .error = hdf5_error,
                                  .tell = hdf5_tell,
                                  .destroy = hdf5_destroy};

#endif
