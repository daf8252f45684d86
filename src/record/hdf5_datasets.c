/* SPDX-License-Identifier: MIT */
#include "format/hdf5.h"

#ifdef HK_HDF5

#include "record/hdf5_datasets.h"

#include "format/escape.h"
#include "record/about.h"

#include <stdio.h>
#include <string.h>

/* A chunk of all datasets together has about a megabyte, but at least 64 rows if these have no more
 * than four. */
enum { CHUNK_BYTES = 1 << 20, CHUNK_BYTES_MAX = 4 << 20, FEW_ROWS = 64, MANY_ROWS = 4096 };

static size_t chunk_rows(size_t row_bytes) {
    size_t rows = CHUNK_BYTES / row_bytes, most = CHUNK_BYTES_MAX / row_bytes;
    if (rows < FEW_ROWS)
        rows = most < FEW_ROWS ? most : FEW_ROWS;
    return rows < 1 ? 1 : rows > MANY_ROWS ? MANY_ROWS : rows;
}

/* --- which datasets there are ------------------------------------------------------------------*/

/* Are the columns from FIRST on all the elements of their array, in order? */
static bool is_whole_array(const hk_column *first, size_t left) {
    const hk_variable *v = first->of;
    if (!v || !v->dim_count || first->transform || v->count > left || first->element != 0)
        return false;
    for (size_t i = 1; i < v->count; i++)
        if (first[i].of != v || first[i].component != first->component ||
            first[i].variable != first->variable || first[i].element != i || first[i].transform)
            return false;
    return v->count > 0;
}

static size_t cell_size(const hk_column *column) {
    if (column->store == HK_STORE_BOOL32)
        return sizeof(int8_t);
    if (column->store == HK_STORE_BYTES)
        return column->type == HK_TYPE_BINARY ? sizeof(hvl_t) : sizeof(char *);
    return hk_store_size(column->store);
}

void hk_h5_datasets_init(hk_h5_datasets *sets, const hk_column *columns, size_t count) {
    *sets = (hk_h5_datasets){0};
    hk_h5_dataset time = {.count = 1, .size = sizeof(double)};
    size_t row_bytes = sizeof(double);
    HK_PUSH(sets->all, sets->count, sets->cap, time);
    for (size_t i = 0; i < count;) {
        bool array = is_whole_array(&columns[i], count - i);
        hk_h5_dataset d = {.columns = &columns[i],
                           .count = array ? columns[i].of->count : 1,
                           .array = array,
                           .size = cell_size(&columns[i])};
        HK_PUSH(sets->all, sets->count, sets->cap, d);
        row_bytes += d.count * d.size;
        i += d.count;
    }
    sets->chunk = chunk_rows(row_bytes);
    sets->chunk_bytes = sets->chunk * row_bytes;
    for (size_t i = 0; i < sets->count; i++)
        sets->all[i].buffer = hk_alloc(sets->chunk * sets->all[i].count * sets->all[i].size);
}

/* --- rows --------------------------------------------------------------------------------------*/

uint64_t hk_h5_datasets_rows(const hk_h5_datasets *sets) {
    return sets->rows + sets->filled;
}

/* A new chunk and its place in an index for each dataset; texts lie in heaps. */
uint64_t hk_h5_datasets_need(const hk_h5_datasets *sets) {
    enum { INDEX_BYTES = 8 << 10, MORE_BYTES = 64 << 10 };
    return sets->chunk_bytes + 2 * sets->text_bytes + sets->count * INDEX_BYTES + MORE_BYTES;
}

/* A chunk that was begun is filled up, so that each is written in one piece. */
static size_t room(const hk_h5_datasets *sets) {
    return sets->chunk - (size_t)(sets->rows % sets->chunk);
}

bool hk_h5_datasets_full(const hk_h5_datasets *sets) {
    return sets->filled == room(sets);
}

/* Texts as in CSV: what is not to be printed, or is not text at all, is escaped. */
static char *copy_text(hk_h5_datasets *sets, const hk_column *column, const char *row,
                       hk_bytes text) {
    size_t size = hk_escaped_size(text.data, text.size);
    char *copy = hk_alloc(size + 1);
    (void)hk_escape(text.data, text.size, copy);
    if (size != text.size && !sets->escaped) {
        sets->escaped = column->name;
        memcpy(&sets->escaped_at, row, sizeof sets->escaped_at);
    }
    return copy;
}

enum { HEAP_BYTES = 32 }; /* of a text in a heap, beside its own */

static void take_bytes(hk_h5_datasets *sets, const hk_column *column, const char *row, char *to) {
    hk_bytes bytes;
    memcpy(&bytes, row + sizeof(double) + column->offset, sizeof bytes);
    sets->text_bytes += HEAP_BYTES + 4 * bytes.size; /* as many as \xHH has */
    if (column->type == HK_TYPE_BINARY) {
        hvl_t data = {.len = bytes.size, .p = hk_alloc(bytes.size + 1)};
        if (bytes.size)
            memcpy(data.p, bytes.data, bytes.size);
        memcpy(to, &data, sizeof data);
    } else {
        char *text = copy_text(sets, column, row, bytes);
        memcpy(to, &text, sizeof text);
    }
}

static void take_cell(hk_h5_datasets *sets, const hk_column *column, const char *row, char *to) {
    const char *cell = row + sizeof(double) + column->offset;
    int32_t truth;
    switch (column->store) {
    case HK_STORE_BYTES:
        take_bytes(sets, column, row, to);
        break;
    case HK_STORE_BOOL32:
        memcpy(&truth, cell, sizeof truth);
        *to = truth != 0;
        break;
    case HK_STORE_BOOL8:
        *to = *cell != 0;
        break;
    default:
        memcpy(to, cell, hk_store_size(column->store));
        break;
    }
}

size_t hk_h5_datasets_take(hk_h5_datasets *sets, hk_rows rows) {
    size_t fits = room(sets) - sets->filled;
    size_t count = rows.count < fits ? rows.count : fits;
    for (size_t r = 0; r < count; r++) {
        const char *row = rows.first + r * rows.stride;
        size_t at = sets->filled + r;
        memcpy(sets->all[0].buffer + at * sizeof(double), row, sizeof(double));
        for (size_t i = 1; i < sets->count; i++) {
            hk_h5_dataset *d = &sets->all[i];
            for (size_t e = 0; e < d->count; e++)
                take_cell(sets, &d->columns[e], row, d->buffer + (at * d->count + e) * d->size);
        }
    }
    sets->filled += count;
    return count;
}

/* Texts that were copied. */
static void forget_rows(hk_h5_datasets *sets) {
    for (size_t i = 1; i < sets->count; i++) {
        hk_h5_dataset *d = &sets->all[i];
        for (size_t k = 0; d->columns->store == HK_STORE_BYTES && k < sets->filled * d->count;
             k++) {
            void *copy;
            hvl_t data;
            if (d->columns->type == HK_TYPE_BINARY) {
                memcpy(&data, d->buffer + k * d->size, sizeof data);
                copy = data.p;
            } else {
                memcpy(&copy, d->buffer + k * d->size, sizeof copy);
            }
            hk_free(copy);
        }
    }
    sets->filled = sets->text_bytes = 0;
}

void hk_h5_datasets_finish(hk_h5_datasets *sets) {
    forget_rows(sets);
    for (size_t i = 0; i < sets->count; i++)
        hk_free(sets->all[i].buffer);
    hk_free(sets->all);
}

/* --- inside the library ------------------------------------------------------------------------*/

static bool put_attribute(const hk_hdf5 *h, hid_t object, const char *name, hid_t type,
                          size_t count, const void *data) {
    hsize_t dims[1] = {count};
    hid_t space = count ? h->H5Screate_simple(1, dims, NULL) : h->H5Screate(H5S_SCALAR);
    if (h->H5Aexists(object, name) > 0)
        (void)h->H5Adelete(object, name);
    hid_t attribute = h->H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && h->H5Awrite(attribute, type, data) >= 0;
    if (attribute >= 0)
        (void)h->H5Aclose(attribute);
    (void)h->H5Sclose(space);
    return done;
}

/* A string of SIZE bytes with its NUL, in UTF-8. */
static hid_t make_text(const hk_hdf5 *h, size_t size) {
    hid_t type = h->H5Tcopy(h->H5T_C_S1_g);
    bool made =
        type >= 0 && h->H5Tset_size(type, size) >= 0 && h->H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    return made ? type : -1;
}

/* Texts of one length lie where the attribute is, and no heap of the file is needed to read them.
 * The library has no more than 64 KiB for an attribute: longer ones are of any length. COUNT 0: a
 * single one. */
static bool put_texts(const hk_hdf5 *h, hid_t object, const char *name, size_t count,
                      const char *const *texts) {
    enum { FIXED_MAX = 32 << 10 };
    size_t all = count ? count : 1, size = 1;
    for (size_t i = 0; i < all; i++)
        size = strlen(texts[i]) >= size ? strlen(texts[i]) + 1 : size;
    if (size > FIXED_MAX / all)
        return put_attribute(h, object, name, h->text, count, texts);
    char *fixed = hk_alloc(all * size);
    for (size_t i = 0; i < all; i++)
        memcpy(fixed + i * size, texts[i], strlen(texts[i]));
    hid_t type = make_text(h, size);
    bool done = type >= 0 && put_attribute(h, object, name, type, count, fixed);
    if (type >= 0)
        (void)h->H5Tclose(type);
    hk_free(fixed);
    return done;
}

bool hk_h5_put_text(const hk_hdf5 *h, hid_t object, const char *name, const char *text) {
    return put_texts(h, object, name, 0, &text);
}

static bool put_items(const hk_hdf5 *h, hid_t object, const hk_enum *items) {
    return put_texts(h, object, "items", items->item_count, items->item_names) &&
           put_attribute(h, object, "item_values", h->H5T_NATIVE_INT64_g, items->item_count,
                         items->item_values);
}

/* As h5py and others have it: an enumeration of FALSE and TRUE. */
static hid_t make_bool(const hk_hdf5 *h) {
    hid_t type = h->H5Tenum_create(h->H5T_NATIVE_INT8_g);
    const int8_t no = 0, yes = 1;
    bool made = type >= 0 && h->H5Tenum_insert(type, "FALSE", &no) >= 0 &&
                h->H5Tenum_insert(type, "TRUE", &yes) >= 0;
    return made ? type : -1;
}

static hid_t type_of(const hk_hdf5 *h, hk_h5_datasets *sets, const hk_column *column) {
    switch (column->store) {
    case HK_STORE_F64:
        return h->H5T_NATIVE_DOUBLE_g;
    case HK_STORE_F32:
        return h->H5T_NATIVE_FLOAT_g;
    case HK_STORE_I8:
        return h->H5T_NATIVE_INT8_g;
    case HK_STORE_U8:
        return h->H5T_NATIVE_UINT8_g;
    case HK_STORE_I16:
        return h->H5T_NATIVE_INT16_g;
    case HK_STORE_U16:
        return h->H5T_NATIVE_UINT16_g;
    case HK_STORE_I32:
        return h->H5T_NATIVE_INT32_g;
    case HK_STORE_U32:
        return h->H5T_NATIVE_UINT32_g;
    case HK_STORE_I64:
        return h->H5T_NATIVE_INT64_g;
    case HK_STORE_U64:
        return h->H5T_NATIVE_UINT64_g;
    case HK_STORE_BOOL8:
    case HK_STORE_BOOL32:
        sets->bool_type = sets->bool_type ? sets->bool_type : make_bool(h);
        return sets->bool_type;
    case HK_STORE_BYTES:
        if (column->type != HK_TYPE_BINARY)
            return h->text;
        if (!sets->binary_type)
            sets->binary_type = h->H5Tvlen_create(h->H5T_NATIVE_UINT8_g);
        return sets->binary_type;
    case HK_STORE_COUNT:
        break;
    }
    return -1;
}

/* The name of an array is that of its elements without their index. */
static const char *name_of(hk_arena *arena, const hk_h5_dataset *d) {
    if (!d->columns)
        return "time";
    const char *name = d->columns->name, *bracket = d->array ? strrchr(name, '[') : NULL;
    return bracket ? hk_arena_strndup(arena, name, (size_t)(bracket - name)) : name;
}

/* What a dataset can be called: '/' would part groups, and a name must be new. */
static const char *link_name(const hk_hdf5 *h, hk_arena *arena, hid_t file, const char *name) {
    char *safe = hk_arena_alloc(arena, 3 * strlen(name) + 4), *p = safe;
    for (const char *c = name; *c; c++)
        if (*c == '/' || *c == '%' || (c == name && *c == '.'))
            p += snprintf(p, 4, "%%%02X", (unsigned)(unsigned char)*c);
        else
            *p++ = *c;
    *p = '\0';
    if (!*safe)
        safe = hk_arena_strdup(arena, "%");
    const char *link = safe;
    for (unsigned n = 2; h->H5Lexists(file, link, H5P_DEFAULT) > 0; n++)
        link = hk_arena_printf(arena, "%s%%%u", safe, n);
    return link;
}

static bool describe(const hk_hdf5 *h, const hk_h5_dataset *d, const char *name, size_t index) {
    const hk_column *column = d->columns;
    const hk_enum *items = column ? hk_column_items(column) : NULL;
    const char *unit = column ? column->unit : "s";
    const char *text = column && column->of ? column->of->description : NULL;
    const int64_t place = (int64_t)index;
    return hk_h5_put_text(h, d->id, "name", name) &&
           hk_h5_put_text(h, d->id, "type", hk_type_name(column ? column->type : HK_TYPE_F64)) &&
           put_attribute(h, d->id, "column", h->H5T_NATIVE_INT64_g, 0, &place) &&
           (!unit || hk_h5_put_text(h, d->id, "unit", unit)) &&
           (!text || hk_h5_put_text(h, d->id, "description", text)) &&
           (!column || column->type != HK_TYPE_STRING ||
            hk_h5_put_text(h, d->id, "escapes", "\\xHH")) &&
           (!items || put_items(h, d->id, items));
}

/* The shape of ROWS rows. */
static int shape_of(const hk_h5_dataset *d, hsize_t rows, hsize_t dims[H5S_MAX_RANK]) {
    int rank = 1;
    dims[0] = rows;
    for (size_t i = 0; d->array && i < d->columns->of->dim_count && rank < H5S_MAX_RANK; i++)
        dims[rank++] = d->columns->of->dims[i];
    return rank;
}

static bool create(const hk_hdf5 *h, const hk_h5_datasets *sets, hk_h5_dataset *d, hid_t file,
                   const char *link) {
    hsize_t dims[H5S_MAX_RANK], most[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
    int rank = shape_of(d, 0, dims);
    (void)shape_of(d, H5S_UNLIMITED, most);
    (void)shape_of(d, sets->chunk, chunk);
    size_t bytes = sets->chunk * d->count * d->size;
    hid_t space = h->H5Screate_simple(rank, dims, most);
    hid_t made = h->H5Pcreate(h->H5P_CLS_DATASET_CREATE_ID_g);
    hid_t used = h->H5Pcreate(h->H5P_CLS_DATASET_ACCESS_ID_g);
    hid_t named = h->H5Pcreate(h->H5P_CLS_LINK_CREATE_ID_g);
    enum { SLOTS = 7 }; /* one chunk is written at a time */
    if (h->H5Pset_chunk(made, rank, chunk) >= 0 && h->H5Pset_obj_track_times(made, false) >= 0 &&
        h->H5Pset_chunk_cache(used, SLOTS, bytes, 1.0) >= 0 &&
        h->H5Pset_char_encoding(named, H5T_CSET_UTF8) >= 0)
        d->id = h->H5Dcreate2(file, link, d->type, space, named, made, used);
    (void)h->H5Pclose(named);
    (void)h->H5Pclose(used);
    (void)h->H5Pclose(made);
    (void)h->H5Sclose(space);
    return d->id >= 0;
}

bool hk_h5_datasets_create(const hk_hdf5 *h, hk_h5_datasets *sets, hid_t file) {
    hk_arena *arena = hk_arena_create();
    bool done = true;
    size_t index = 0;
    for (size_t i = 0; i < sets->count; i++)
        sets->all[i].id = -1;
    for (size_t i = 0; i < sets->count && done; i++) {
        hk_h5_dataset *d = &sets->all[i];
        const char *name = name_of(arena, d);
        d->type = d->columns ? type_of(h, sets, d->columns) : h->H5T_NATIVE_DOUBLE_g;
        done = d->type >= 0 && create(h, sets, d, file, link_name(h, arena, file, name)) &&
               describe(h, d, name, index);
        index += d->count;
    }
    hk_arena_destroy(arena);
    return done;
}

static bool write_one(const hk_hdf5 *h, const hk_h5_datasets *sets, const hk_h5_dataset *d) {
    hsize_t dims[H5S_MAX_RANK], first[H5S_MAX_RANK] = {sets->rows}, count[H5S_MAX_RANK];
    int rank = shape_of(d, sets->rows + sets->filled, dims);
    (void)shape_of(d, sets->filled, count);
    if (h->H5Dset_extent(d->id, dims) < 0)
        return false;
    hid_t from = h->H5Screate_simple(rank, count, NULL), to = h->H5Dget_space(d->id);
    bool done = h->H5Sselect_hyperslab(to, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
                h->H5Dwrite(d->id, d->type, from, to, H5P_DEFAULT, d->buffer) >= 0;
    (void)h->H5Sclose(from);
    (void)h->H5Sclose(to);
    return done;
}

bool hk_h5_datasets_write(const hk_hdf5 *h, hk_h5_datasets *sets) {
    for (size_t i = 0; i < sets->count; i++)
        if (!write_one(h, sets, &sets->all[i]))
            return false;
    size_t filled = sets->filled;
    if (filled)
        memcpy(&sets->until, sets->all[0].buffer + (filled - 1) * sizeof(double),
               sizeof sets->until);
    forget_rows(sets);
    sets->rows += filled;
    return true;
}

void hk_h5_datasets_close(const hk_hdf5 *h, hk_h5_datasets *sets) {
    for (size_t i = 0; i < sets->count; i++)
        if (sets->all[i].id >= 0)
            (void)h->H5Dclose(sets->all[i].id);
    if (sets->bool_type > 0)
        (void)h->H5Tclose(sets->bool_type);
    if (sets->binary_type > 0)
        (void)h->H5Tclose(sets->binary_type);
}

#endif
