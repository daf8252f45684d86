/* SPDX-License-Identifier: MIT
 *
 * Inside the child process that reads (hdf5_table.c): a table of the datasets of an HDF5 file. Each
 * value becomes the text that CSV would have for it; an array gives one column for each of its
 * elements. */
#include "format/hdf5.h"

#ifdef HK_HDF5

#include "base/file.h"
#include "base/number.h"
#include "base/packed.h"
#include "format/escape.h"
#include "format/hdf5_internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

/* What a column is of a dataset. */
typedef struct element {
    size_t set, index;
} element;

typedef struct hdf5 {
    hk_ctx *ctx;
    const char *path;
    hk_arena *arena;
    hid_t file;
    uint64_t file_bytes;
    hk_h5_set *sets; /* the time first */
    size_t set_count, set_cap, rows;
    hk_table_column *columns;
    element *elements;
    size_t count;

    size_t block, block_rows, block_cap;
    size_t next;
    double last;
    char *texts; /* HK_NUMBER_MAX bytes for each cell */
    char *bytes; /* of texts that are made of other bytes, of the row */
    size_t bytes_used, bytes_cap;
    hk_table_cell *cells;
    hk_table_row row;
} hdf5;

static hk_status wrong(const hdf5 *self, const char *what) {
    return hk_error(self->ctx, HK_E_CSV, (hk_where){.file = self->path},
                    "a table has a dataset 'time' of numbers at its root, and others of the same "
                    "length",
                    "%s", what);
}

/* Inside the library. */
static hk_status library_failed(const hdf5 *self) {
    char why[160];
    hk_hdf5_why(why, sizeof why);
    return hk_error(self->ctx, HK_E_FILE_READ, (hk_where){.file = self->path},
                    "a file that a run is writing now is locked; one that was cut may be broken",
                    "cannot read it as HDF5: %s", why);
}

/* --- what there is -----------------------------------------------------------------------------*/

/* By the column they say they are; those of others by name, as the library has them. */
static int by_place(const void *a, const void *b) {
    const hk_h5_set *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return strcmp(x->link, y->link);
}

static bool is_time(const hk_h5_set *set) {
    return strcmp(set->link, "time") == 0 && set->rank == 1 &&
           (set->kind == HK_H5_FLOAT || set->kind == HK_H5_INTEGER);
}

/* The name of a link at the root, in the order of their names; NULL: the library has none. */
static const char *link_at(const hk_hdf5 *h, const hdf5 *self, hsize_t index) {
    ssize_t length = h->H5Lget_name_by_idx(self->file, ".", H5_INDEX_NAME, H5_ITER_INC, index, NULL,
                                           0, H5P_DEFAULT);
    if (length <= 0)
        return NULL;
    char *name = hk_arena_alloc(self->arena, (size_t)length + 1);
    bool read = h->H5Lget_name_by_idx(self->file, ".", H5_INDEX_NAME, H5_ITER_INC, index, name,
                                      (size_t)length + 1, H5P_DEFAULT) == length;
    return read ? name : NULL;
}

static void open_sets(const hk_hdf5 *h, hdf5 *self, size_t *ret_left_out) {
    H5G_info_t info;
    *ret_left_out = 0;
    if (h->H5Gget_info(self->file, &info) < 0)
        return;
    for (hsize_t i = 0; i < info.nlinks; i++) {
        hk_h5_set set;
        const char *name = link_at(h, self, i);
        if (name && hk_h5_set_open(h, self->arena, self->file, name, &set))
            HK_PUSH(self->sets, self->set_count, self->set_cap, set);
        else
            ++*ret_left_out;
    }
}

/* Keeps the time and what has its length. */
static hk_status choose_sets(const hk_hdf5 *h, hdf5 *self, size_t left_out) {
    size_t kept = 0;
    hk_h5_set *time = NULL;
    for (size_t i = 0; i < self->set_count && !time; i++)
        time = is_time(&self->sets[i]) ? &self->sets[i] : NULL;
    if (!time)
        return wrong(self, "it has no dataset 'time' that is a list of numbers");
    time->place = INT64_MIN;
    self->rows = (size_t)time->dims[0];
    qsort(self->sets, self->set_count, sizeof *self->sets, by_place);
    for (size_t i = 0; i < self->set_count; i++) {
        if (self->sets[i].dims[0] == self->rows) {
            self->sets[kept++] = self->sets[i];
        } else {
            hk_h5_set_close(h, &self->sets[i]);
            left_out++;
        }
    }
    self->set_count = kept;
    if (left_out)
        hk_note(self->ctx, (hk_where){.file = self->path},
                "%zu of the objects at its root %s left out: not of the length of the time, or "
                "not numbers or texts",
                left_out, left_out == 1 ? "is" : "are");
    return HK_OK;
}

/* What a file says of its size is not believed: even compressed, a byte of it is not more than
 * about a thousand (the most of deflate). */
static hk_status check_size(const hdf5 *self) {
    enum { EXPANDS_MOST = 1100, FREE_BYTES = 64 << 20 };
    double most = FREE_BYTES + (double)EXPANDS_MOST * (double)self->file_bytes;
    for (size_t i = 0; i < self->set_count; i++) {
        const hk_h5_set *set = &self->sets[i];
        most -= (double)self->rows * (double)set->elements * (double)set->size;
        if (most < 0)
            return hk_error(
                self->ctx, HK_E_FILE_READ,
                (hk_where){.file = self->path,
                           .element = hk_arena_printf(self->arena, "dataset '%s'", set->name)},
                "the file is damaged",
                "it says that it has %zu rows, more than a file of %llu bytes can hold", self->rows,
                (unsigned long long)self->file_bytes);
    }
    return HK_OK;
}

static hk_type type_of(const hk_h5_set *set) {
    static const hk_type integers[2][4] = {{HK_TYPE_U8, HK_TYPE_U16, HK_TYPE_U32, HK_TYPE_U64},
                                           {HK_TYPE_I8, HK_TYPE_I16, HK_TYPE_I32, HK_TYPE_I64}};
    switch (set->kind) {
    case HK_H5_FLOAT:
        return set->size == sizeof(float) ? HK_TYPE_F32 : HK_TYPE_F64;
    case HK_H5_TEXT:
    case HK_H5_CHARS:
        return HK_TYPE_STRING;
    case HK_H5_BINARY:
        return HK_TYPE_BINARY;
    case HK_H5_INTEGER:
        break;
    }
    if (set->is_bool || set->item_count)
        return set->is_bool ? HK_TYPE_BOOL : HK_TYPE_ENUM;
    return integers[set->is_signed][set->size == 8 ? 3 : set->size / 2];
}

/* "q[2]", "m[1,3]": from 1, the last index runs first. */
static const char *element_name(const hdf5 *self, const hk_h5_set *set, size_t index) {
    const char *text = "";
    for (int i = set->rank - 1; i > 0; i--) {
        size_t size = (size_t)set->dims[i];
        text = hk_arena_printf(self->arena, "%zu%s%s", index % size + 1, *text ? "," : "", text);
        index /= size;
    }
    return hk_arena_printf(self->arena, "%s[%s]", set->name, text);
}

static void make_columns(hdf5 *self) {
    for (size_t i = 0; i < self->set_count; i++)
        self->count += self->sets[i].elements;
    self->columns = HK_NEW_ARRAY(self->arena, hk_table_column, self->count);
    self->elements = HK_NEW_ARRAY(self->arena, element, self->count);
    size_t c = 0;
    for (size_t i = 0; i < self->set_count; i++) {
        const hk_h5_set *set = &self->sets[i];
        bool array = set->rank > 1;
        size_t *dims = HK_NEW_ARRAY(self->arena, size_t, (size_t)set->rank);
        for (int k = 1; k < set->rank; k++)
            dims[k - 1] = (size_t)set->dims[k];
        for (size_t e = 0; e < set->elements; e++, c++) {
            self->elements[c] = (element){i, e};
            self->columns[c] =
                (hk_table_column){.name = array ? element_name(self, set, e) : set->name,
                                  .unit = set->unit,
                                  .type = type_of(set),
                                  .item_names = set->item_names,
                                  .item_values = set->item_values,
                                  .item_count = set->item_count,
                                  .array = array ? set->name : NULL,
                                  .dims = dims,
                                  .dim_count = (size_t)set->rank - 1,
                                  .element = e};
        }
    }
}

static void make_room(hdf5 *self) {
    size_t row_bytes = 1;
    for (size_t i = 0; i < self->set_count; i++)
        row_bytes += self->sets[i].elements * self->sets[i].size;
    size_t fit = BLOCK_BYTES / row_bytes + 1;
    self->block_cap = fit < self->rows ? fit : self->rows;
    for (size_t i = 0; i < self->set_count; i++)
        self->sets[i].block =
            hk_alloc(self->block_cap * self->sets[i].elements * self->sets[i].size + 1);
    self->texts = hk_alloc(self->count * HK_NUMBER_MAX);
    self->cells = hk_alloc(self->count * sizeof *self->cells);
    self->row.cells = self->cells;
    self->last = -INFINITY;
}

/* --- cells -------------------------------------------------------------------------------------*/

static size_t write_integer(const hk_h5_set *set, const char *from, char *text) {
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
    } x;
    memcpy(&x, from, set->size);
    switch (set->size) {
    case 1:
        return set->is_signed ? hk_write_i64(x.i8, text) : hk_write_u64(x.u8, text);
    case 2:
        return set->is_signed ? hk_write_i64(x.i16, text) : hk_write_u64(x.u16, text);
    case 4:
        return set->is_signed ? hk_write_i64(x.i32, text) : hk_write_u64(x.u32, text);
    default:
        return set->is_signed ? hk_write_i64(x.i64, text) : hk_write_u64(x.u64, text);
    }
}

static size_t write_float(const hk_h5_set *set, const char *from, char *text) {
    double f64;
    float f32;
    if (set->size == sizeof f32) {
        memcpy(&f32, from, sizeof f32);
        return hk_write_f32(f32, text);
    }
    memcpy(&f64, from, sizeof f64);
    return hk_write_f64(f64, text);
}

/* Where the bytes of a text or a binary value are. */
static hk_table_cell view_bytes(const hk_h5_set *set, const char *from) {
    char *text;
    hvl_t data;
    hk_table_cell cell = {.text = from, .is_text = true};
    if (set->kind == HK_H5_CHARS) {
        cell.length = strnlen(from, set->size);
    } else if (set->kind == HK_H5_TEXT) {
        memcpy(&text, from, sizeof text);
        cell.text = text ? text : "";
        cell.length = strlen(cell.text);
    } else {
        memcpy(&data, from, sizeof data);
        cell.text = data.p ? data.p : "";
        cell.length = data.p ? data.len : 0;
    }
    return cell;
}

static size_t write_hex(const hk_table_cell *cell, char *out) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < cell->length; i++) {
        unsigned char byte = (unsigned char)cell->text[i];
        out[2 * i] = digits[byte >> 4];
        out[2 * i + 1] = digits[byte & 15];
    }
    return 2 * cell->length;
}

static const char *place_of(const hdf5 *self, size_t column) {
    const hk_h5_set *set = &self->sets[self->elements[column].set];
    size_t row = self->next - self->block;
    return set->block + (row * set->elements + self->elements[column].index) * set->size;
}

/* Room for the bytes of all texts of the row that are not read as they are. */
static void make_bytes(hdf5 *self) {
    size_t need = 0;
    self->bytes_used = 0;
    for (size_t i = 0; i < self->count; i++) {
        const hk_h5_set *set = &self->sets[self->elements[i].set];
        if (set->kind == HK_H5_BINARY || set->escaped)
            need += 2 * view_bytes(set, place_of(self, i)).length;
    }
    if (need > self->bytes_cap) {
        self->bytes_cap = 2 * need;
        self->bytes = hk_realloc(self->bytes, self->bytes_cap);
    }
}

static hk_table_cell read_cell(hdf5 *self, size_t column) {
    const hk_h5_set *set = &self->sets[self->elements[column].set];
    const char *from = place_of(self, column);
    char *text = self->texts + column * HK_NUMBER_MAX;
    if (set->kind == HK_H5_FLOAT)
        return (hk_table_cell){.text = text, .length = write_float(set, from, text)};
    if (set->kind == HK_H5_INTEGER)
        return (hk_table_cell){.text = text, .length = write_integer(set, from, text)};
    hk_table_cell cell = view_bytes(set, from);
    if (set->kind != HK_H5_BINARY && !set->escaped)
        return cell;
    char *out = self->bytes + self->bytes_used;
    cell.length = set->kind == HK_H5_BINARY ? write_hex(&cell, out)
                                            : hk_unescape(cell.text, cell.length, out);
    cell.text = cell.length ? out : "";
    self->bytes_used += cell.length;
    return cell;
}

/* --- rows --------------------------------------------------------------------------------------*/

/* Inside the library. */
static void forget_block(const hk_hdf5 *h, hdf5 *self) {
    for (size_t i = 0; i < self->set_count; i++)
        hk_h5_set_forget(h, &self->sets[i], self->block_rows);
    self->block_rows = 0;
}

static hk_status read_block(hdf5 *self) {
    const hk_hdf5 *h = hk_hdf5_enter();
    size_t left = self->rows - self->next;
    size_t count = left < self->block_cap ? left : self->block_cap;
    hk_status status = HK_OK;
    forget_block(h, self);
    for (size_t i = 0; i < self->set_count && status == HK_OK; i++)
        if (!hk_h5_set_read(h, &self->sets[i], self->next, count)) {
            status = library_failed(self);
            while (i-- > 0)
                hk_h5_set_forget(h, &self->sets[i], count);
            break;
        }
    if (status == HK_OK) {
        self->block = self->next;
        self->block_rows = count;
    }
    hk_hdf5_leave();
    return status;
}

static hk_status hdf5_next(void *user, const hk_table_row **ret_row) {
    hdf5 *self = user;
    *ret_row = NULL;
    if (self->next == self->rows)
        return HK_OK;
    if (self->next >= self->block + self->block_rows)
        HK_TRY(read_block(self));
    make_bytes(self);
    for (size_t i = 0; i < self->count; i++)
        self->cells[i] = read_cell(self, i);
    if (!hk_read_f64(self->cells[0].text, self->cells[0].length, &self->row.time))
        self->row.time = (double)NAN;
    HK_TRY(hk_table_check_time(self->ctx, self->path, self->next + 1, self->row.time, self->last));
    self->last = self->row.time;
    self->next++;
    self->row.line = self->next < INT_MAX ? (int)self->next : INT_MAX;
    *ret_row = &self->row;
    return HK_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

static void hdf5_close(void *user) {
    hdf5 *self = user;
    const hk_hdf5 *h = hk_hdf5_enter();
    forget_block(h, self);
    for (size_t i = 0; i < self->set_count; i++)
        hk_h5_set_close(h, &self->sets[i]);
    if (self->file >= 0)
        (void)h->H5Fclose(self->file);
    hk_hdf5_leave();
    hk_free(self->sets);
    hk_free(self->texts);
    hk_free(self->bytes);
    hk_free(self->cells);
    hk_arena_destroy(self->arena);
    hk_free(self);
}

/* A file that a tool carries is given to the library as it lies in memory. */
static hid_t open_packed(const hk_hdf5 *h, const char *path, const char *data, size_t size) {
    enum { GROW_BYTES = 1 << 16 };
    hid_t access = h->H5Pcreate(h->H5P_CLS_FILE_ACCESS_ID_g), file = -1;
    char *copy = hk_alloc(size + 1);
    memcpy(copy, data, size);
    if (h->H5Pset_fapl_core(access, GROW_BYTES, false) >= 0 &&
        h->H5Pset_file_image(access, copy, size) >= 0)
        file = h->H5Fopen(path, HK_HDF5_READ, access);
    (void)h->H5Pclose(access);
    hk_free(copy);
    return file;
}

static hk_status begin(hdf5 *self, const char *data, size_t size) {
    const hk_hdf5 *h = hk_hdf5_enter();
    hk_status status = HK_OK;
    size_t left_out = 0;
    self->file = data ? open_packed(h, self->path, data, size)
                      : h->H5Fopen(self->path, HK_HDF5_READ, H5P_DEFAULT);
    hsize_t bytes = 0;
    if (self->file < 0 || h->H5Fget_filesize(self->file, &bytes) < 0) {
        status = library_failed(self);
    } else {
        self->file_bytes = bytes;
        open_sets(h, self, &left_out);
        status = choose_sets(h, self, left_out);
    }
    hk_hdf5_leave();
    return status;
}

static hk_status hdf5_open(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    (void)strict;
    const char *data = NULL;
    size_t size = 0;
    if (hk_packed_is(path))
        HK_TRY(hk_packed_view(ctx, path, &data, &size));
    hdf5 *self = hk_alloc(sizeof *self);
    *self = (hdf5){.ctx = ctx, .path = path, .arena = hk_arena_create(), .file = -1};
    hk_status status = begin(self, data, size);
    if (status == HK_OK)
        status = check_size(self);
    if (status != HK_OK) {
        hdf5_close(self);
        return status;
    }
    make_columns(self);
    make_room(self);
    *ret_self = self;
    return HK_OK;
}

static const hk_table_column *hdf5_columns(const void *user, size_t *ret_count) {
    const hdf5 *self = user;
    *ret_count = self->count;
    return self->columns;
}

static size_t hdf5_rows(const void *user) {
    return ((const hdf5 *)user)->rows;
}

const hk_table_format hk_hdf5_inside = {.open = hdf5_open,
                                        .close = hdf5_close,
                                        .next = hdf5_next,
                                        .columns = hdf5_columns,
                                        .rows = hdf5_rows};

#endif
