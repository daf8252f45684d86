/* SPDX-License-Identifier: MIT */
#include "format/hdf5.h"

#ifdef HK_HDF5

#include "format/hdf5_internal.h"

#include <string.h>

enum { ITEMS_MAX = 1 << 20 };

/* --- attributes --------------------------------------------------------------------------------*/

/* Copies the strings of an attribute, of any length or of a fixed one; NULL: there is none. */
static const char **read_texts(const hk_hdf5 *h, hk_arena *arena, hid_t object, const char *name,
                               size_t *ret_count) {
    if (h->H5Aexists(object, name) <= 0)
        return NULL;
    hid_t attribute = h->H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = h->H5Aget_type(attribute), space = h->H5Aget_space(attribute);
    hssize_t count = h->H5Sget_simple_extent_npoints(space);
    const char **texts = NULL;
    bool fits = h->H5Tget_class(type) == H5T_STRING && count > 0 && count <= ITEMS_MAX;
    if (fits && h->H5Tis_variable_str(type) > 0) {
        char **all = hk_alloc((size_t)count * sizeof *all);
        if (h->H5Aread(attribute, type, all) >= 0) {
            texts = HK_NEW_ARRAY(arena, const char *, (size_t)count);
            for (hssize_t i = 0; i < count; i++)
                texts[i] = hk_arena_strdup(arena, all[i] ? all[i] : "");
            (void)h->H5Dvlen_reclaim(type, space, H5P_DEFAULT, all);
        }
        hk_free(all);
    } else if (fits) {
        size_t size = h->H5Tget_size(type);
        char *all = hk_alloc((size_t)count * size + 1);
        if (size && h->H5Aread(attribute, type, all) >= 0) {
            texts = HK_NEW_ARRAY(arena, const char *, (size_t)count);
            for (hssize_t i = 0; i < count; i++)
                texts[i] = hk_arena_strndup(arena, all + (size_t)i * size,
                                            strnlen(all + (size_t)i * size, size));
        }
        hk_free(all);
    }
    (void)h->H5Sclose(space);
    (void)h->H5Tclose(type);
    (void)h->H5Aclose(attribute);
    *ret_count = (size_t)(count > 0 ? count : 0);
    return texts;
}

static const char *read_text(const hk_hdf5 *h, hk_arena *arena, hid_t object, const char *name) {
    size_t count = 0;
    const char **texts = read_texts(h, arena, object, name, &count);
    return texts && count == 1 ? texts[0] : NULL;
}

/* Whole numbers of an attribute, COUNT of them; false: it is something else. */
static bool read_integers(const hk_hdf5 *h, hid_t object, const char *name, size_t count,
                          int64_t *ret_numbers) {
    if (h->H5Aexists(object, name) <= 0)
        return false;
    hid_t attribute = h->H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = h->H5Aget_type(attribute), space = h->H5Aget_space(attribute);
    bool read = h->H5Tget_class(type) == H5T_INTEGER &&
                h->H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
                h->H5Aread(attribute, h->H5T_NATIVE_INT64_g, ret_numbers) >= 0;
    (void)h->H5Sclose(space);
    (void)h->H5Tclose(type);
    (void)h->H5Aclose(attribute);
    return read;
}

static void read_items(const hk_hdf5 *h, hk_arena *arena, hk_h5_set *set) {
    size_t count = 0;
    const char **names = read_texts(h, arena, set->id, "items", &count);
    int64_t *values = names ? HK_NEW_ARRAY(arena, int64_t, count) : NULL;
    if (!names || !read_integers(h, set->id, "item_values", count, values))
        return;
    set->item_names = names;
    set->item_values = values;
    set->item_count = count;
}

/* --- types -------------------------------------------------------------------------------------*/

/* As h5py and hocket write Booleans. */
static bool is_bool(const hk_hdf5 *h, hid_t type) {
    static const char *const words[] = {"FALSE", "TRUE"};
    bool is = h->H5Tget_nmembers(type) == 2;
    for (unsigned i = 0; i < 2 && is; i++) {
        char *name = h->H5Tget_member_name(type, i);
        is = name && strcmp(name, words[i]) == 0;
        (void)h->H5free_memory(name);
    }
    return is;
}

static bool take_number(const hk_hdf5 *h, hid_t type, H5T_class_t class, hk_h5_set *set) {
    set->type = h->H5Tget_native_type(type, H5T_DIR_ASCEND);
    set->size = set->type >= 0 ? h->H5Tget_size(set->type) : 0;
    if (class == H5T_FLOAT) {
        set->kind = HK_H5_FLOAT;
        return set->size == sizeof(float) || set->size == sizeof(double);
    }
    hid_t base = class == H5T_ENUM ? h->H5Tget_super(type) : -1;
    set->kind = HK_H5_INTEGER;
    set->is_signed = h->H5Tget_sign(base >= 0 ? base : type) == H5T_SGN_2;
    set->is_bool = class == H5T_ENUM && is_bool(h, type);
    if (base >= 0)
        (void)h->H5Tclose(base);
    return set->size == 1 || set->size == 2 || set->size == 4 || set->size == 8;
}

static bool take_type(const hk_hdf5 *h, hid_t type, hk_h5_set *set) {
    H5T_class_t class = h->H5Tget_class(type);
    if (class == H5T_FLOAT || class == H5T_INTEGER || class == H5T_ENUM)
        return take_number(h, type, class, set);
    set->type = class == H5T_STRING || class == H5T_VLEN ? h->H5Tcopy(type) : -1;
    set->size = set->type >= 0 ? h->H5Tget_size(set->type) : 0;
    if (class == H5T_STRING) {
        set->kind = h->H5Tis_variable_str(type) > 0 ? HK_H5_TEXT : HK_H5_CHARS;
        return set->size > 0;
    }
    if (class != H5T_VLEN)
        return false;
    hid_t base = h->H5Tget_super(type);
    set->kind = HK_H5_BINARY;
    bool bytes = h->H5Tget_class(base) == H5T_INTEGER && h->H5Tget_size(base) == 1;
    (void)h->H5Tclose(base);
    return bytes;
}

/* --- datasets ----------------------------------------------------------------------------------*/

static bool take_shape(const hk_hdf5 *h, hk_h5_set *set) {
    enum { ELEMENTS_MAX = 1 << 24 };
    hid_t space = h->H5Dget_space(set->id);
    set->rank = h->H5Sget_simple_extent_ndims(space);
    bool right = set->rank >= 1 && set->rank <= H5S_MAX_RANK &&
                 h->H5Sget_simple_extent_dims(space, set->dims, NULL) == set->rank;
    (void)h->H5Sclose(space);
    set->elements = 1;
    for (int i = 1; i < set->rank && right; i++) {
        right = set->dims[i] > 0 && set->dims[i] <= ELEMENTS_MAX / set->elements;
        set->elements *= right ? (size_t)set->dims[i] : 1;
    }
    return right;
}

bool hk_h5_set_open(const hk_hdf5 *h, hk_arena *arena, hid_t file, const char *link,
                    hk_h5_set *ret_set) {
    hk_h5_set set = {.link = hk_arena_strdup(arena, link), .type = -1, .place = INT64_MAX};
    set.id = h->H5Dopen2(file, link, H5P_DEFAULT);
    if (set.id < 0)
        return false;
    hid_t type = h->H5Dget_type(set.id);
    bool usable = type >= 0 && take_shape(h, &set) && take_type(h, type, &set);
    if (type >= 0)
        (void)h->H5Tclose(type);
    if (!usable) {
        hk_h5_set_close(h, &set);
        return false;
    }
    set.name = read_text(h, arena, set.id, "name");
    set.name = set.name ? set.name : set.link;
    set.unit = read_text(h, arena, set.id, "unit");
    set.unit = set.unit ? set.unit : read_text(h, arena, set.id, "units");
    set.escaped = read_text(h, arena, set.id, "escapes") != NULL;
    (void)read_integers(h, set.id, "column", 1, &set.place);
    read_items(h, arena, &set);
    *ret_set = set;
    return true;
}

void hk_h5_set_close(const hk_hdf5 *h, hk_h5_set *set) {
    if (set->type >= 0)
        (void)h->H5Tclose(set->type);
    (void)h->H5Dclose(set->id);
    hk_free(set->block);
    set->block = NULL;
}

/* The space of COUNT rows in memory. */
static hid_t rows_space(const hk_hdf5 *h, const hk_h5_set *set, size_t count) {
    hsize_t dims[H5S_MAX_RANK];
    memcpy(dims, set->dims, sizeof dims);
    dims[0] = count;
    return h->H5Screate_simple(set->rank, dims, NULL);
}

bool hk_h5_set_read(const hk_hdf5 *h, hk_h5_set *set, size_t first, size_t count) {
    hsize_t start[H5S_MAX_RANK] = {first}, dims[H5S_MAX_RANK];
    memcpy(dims, set->dims, sizeof dims);
    dims[0] = count;
    hid_t from = h->H5Dget_space(set->id), to = rows_space(h, set, count);
    bool read = h->H5Sselect_hyperslab(from, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0 &&
                h->H5Dread(set->id, set->type, to, from, H5P_DEFAULT, set->block) >= 0;
    (void)h->H5Sclose(from);
    (void)h->H5Sclose(to);
    return read;
}

void hk_h5_set_forget(const hk_hdf5 *h, hk_h5_set *set, size_t count) {
    if ((set->kind != HK_H5_TEXT && set->kind != HK_H5_BINARY) || !count)
        return;
    hid_t space = rows_space(h, set, count);
    (void)h->H5Dvlen_reclaim(set->type, space, H5P_DEFAULT, set->block);
    (void)h->H5Sclose(space);
}

#endif
