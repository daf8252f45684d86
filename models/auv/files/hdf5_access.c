/* SPDX-License-Identifier: MIT */
#include "hdf5_access.h"

#ifdef HK_HDF5

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

h5_library hk_auv_h5;
#define h5 hk_auv_h5
#define TEXT_OF(name)                                                                              \
#name /* names of functions may be macros: what they stand for is looked for */

bool hk_auv_h5_load(const char *path, words *why) {
    static const hid_t *ids[2];
    const symbol symbols[] = {
#define H5_FUNCTION(name) {TEXT_OF(name), &h5.name},
#define H5_ID(name)
#include "libhdf5.def"
#undef H5_FUNCTION
#undef H5_ID
        {"H5T_NATIVE_DOUBLE_g", &ids[0]},
        {"H5T_NATIVE_FLOAT_g", &ids[1]},
    };
    const char *missing = hk_auv_load(HK_HDF5_LIBRARY, symbols, COUNT(symbols));
    if (!missing && (h5.H5dont_atexit() < 0 || h5.H5open() < 0))
        missing = "it does not start";
    if (missing)
        return hk_auv_fail(why, "'%s' needs the library %s: %s; install libhdf5-103-1", path,
                           HK_HDF5_LIBRARY, missing),
               false;
    h5.H5T_NATIVE_DOUBLE_g = *ids[0];
    h5.H5T_NATIVE_FLOAT_g = *ids[1];
    (void)h5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return true;
}

static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *user) {
    if (n == 0 && error->desc)
        snprintf(user, 120, "%s", error->desc);
    return 0;
}

/* The number behind NAME in TEXT; 0: there is none. */
static unsigned long long number_behind(const char *text, const char *name) {
    const char *at = strstr(text, name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

const char *hk_auv_h5_reason(void) {
    static char text[120];
    snprintf(text, sizeof text, "unknown reason");
    (void)h5.H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_reason, text);
    (void)h5.H5Eclear2(H5E_DEFAULT);
    text[strcspn(text, "\n")] = 0;
    unsigned long long there = number_behind(text, "eof = ");
    unsigned long long whole = number_behind(text, "stored_eof = ");
    if (there < whole)
        snprintf(text, sizeof text, "it is cut off: %llu of %llu bytes are there", there, whole);
    return text;
}

bool hk_auv_h5_has(hid_t at, const char *name) {
    char part[256];
    for (const char *end = name; *end;) {
        end = strchr(end + 1, '/');
        if (!end)
            end = name + strlen(name);
        snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
        if (h5.H5Lexists(at, part, H5P_DEFAULT) <= 0)
            return false;
    }
    return true;
}

/* An attribute with one value; less than 0: there is none. */
static hid_t open_attribute(hid_t at, const char *name) {
    hid_t attribute = h5.H5Aexists(at, name) > 0 ? h5.H5Aopen(at, name, H5P_DEFAULT) : -1;
    hid_t space = attribute >= 0 ? h5.H5Aget_space(attribute) : -1;
    return space >= 0 && h5.H5Sget_simple_extent_npoints(space) == 1 ? attribute : -1;
}

bool hk_auv_h5_number(hid_t at, const char *name, double *ret_number) {
    hid_t attribute = open_attribute(at, name);
    hid_t type = attribute >= 0 ? h5.H5Aget_type(attribute) : -1;
    if (type < 0)
        return false;
    H5T_class_t class = h5.H5Tget_class(type);
    return (class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_ENUM) &&
           h5.H5Aread(attribute, h5.H5T_NATIVE_DOUBLE_g, ret_number) >= 0;
}

/* Of a member or an attribute at DATA. */
static void copy_text(hid_t type, const void *data, char *text, size_t room) {
    const char *from = data;
    size_t size = h5.H5Tget_size(type);
    if (h5.H5Tis_variable_str(type) > 0) {
        memcpy(&from, data, sizeof from);
        size = from ? strlen(from) : 0;
    }
    size = size < room - 1 ? size : room - 1;
    if (size)
        memcpy(text, from, size);
    text[size] = 0;
    for (size = strlen(text); size && text[size - 1] == ' ';)
        text[--size] = 0;
}

bool hk_auv_h5_text(hid_t at, const char *name, char *text, size_t room) {
    hid_t attribute = open_attribute(at, name);
    hid_t type = attribute >= 0 ? h5.H5Aget_type(attribute) : -1;
    if (type < 0 || h5.H5Tget_class(type) != H5T_STRING)
        return false;
    char *data = calloc(1, h5.H5Tget_size(type) + sizeof(char *));
    bool good = data && h5.H5Aread(attribute, type, data) >= 0;
    if (good)
        copy_text(type, data, text, room);
    free(data);
    return good;
}

bool hk_auv_h5_size(hid_t set, int rank, hsize_t *ret_size) {
    hid_t space = h5.H5Dget_space(set);
    return space >= 0 && h5.H5Sget_simple_extent_ndims(space) == rank &&
           h5.H5Sget_simple_extent_dims(space, ret_size, NULL) == rank;
}

/* Whether a dataset is a compound with these members. */
static bool has_members(hid_t type, const char *const names[2]) {
    return type >= 0 && h5.H5Tget_class(type) == H5T_COMPOUND &&
           h5.H5Tget_member_index(type, names[0]) >= 0 &&
           h5.H5Tget_member_index(type, names[1]) >= 0;
}

bool hk_auv_h5_pairs(hid_t set, const char *const names[2], bool as_double, void *pairs) {
    size_t size = as_double ? sizeof(double) : sizeof(float);
    hid_t number = as_double ? h5.H5T_NATIVE_DOUBLE_g : h5.H5T_NATIVE_FLOAT_g;
    if (!has_members(h5.H5Dget_type(set), names))
        return false;
    hid_t memory = h5.H5Tcreate(H5T_COMPOUND, 2 * size);
    return memory >= 0 && h5.H5Tinsert(memory, names[0], 0, number) >= 0 &&
           h5.H5Tinsert(memory, names[1], size, number) >= 0 &&
           h5.H5Dread(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, pairs) >= 0;
}

bool hk_auv_h5_texts(hid_t set, const char *const names[2], h5_take_fn *take, void *user) {
    enum { MOST_ROWS = 1000, MOST_BYTES = 1 << 16 };
    hid_t type = h5.H5Dget_type(set), native, members[2];
    hsize_t rows;
    size_t offsets[2];
    if (!has_members(type, names) || !hk_auv_h5_size(set, 1, &rows) || rows > MOST_ROWS)
        return false;
    native = h5.H5Tget_native_type(type, H5T_DIR_DEFAULT);
    size_t size = native >= 0 ? h5.H5Tget_size(native) : 0;
    if (!size || size > MOST_BYTES)
        return false;
    for (int i = 0; i < 2; i++) {
        int index = h5.H5Tget_member_index(native, names[i]);
        members[i] = index >= 0 ? h5.H5Tget_member_type(native, (unsigned)index) : -1;
        if (members[i] < 0 || h5.H5Tget_class(members[i]) != H5T_STRING)
            return false;
        offsets[i] = h5.H5Tget_member_offset(native, (unsigned)index);
    }
    char *data = calloc(rows + 1, size);
    bool good = data && h5.H5Dread(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    for (hsize_t row = 0; good && row < rows; row++) {
        char texts[2][128];
        for (int i = 0; i < 2; i++)
            copy_text(members[i], data + row * size + offsets[i], texts[i], sizeof texts[i]);
        take(user, texts[0], texts[1]);
    }
    free(data);
    return good;
}

#endif
