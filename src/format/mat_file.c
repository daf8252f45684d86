/* SPDX-License-Identifier: MIT */
#include "format/mat_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 4096, SMALL_MAX = 1 << 28 };

hk_status hk_mat_bad(const hk_mat_file *m, const char *name, const char *what) {
    return hk_error(
        m->ctx, HK_E_CSV,
        (hk_where){.file = m->path,
                   .element = name ? hk_arena_printf(m->arena, "matrix '%s'", name) : NULL},
        "hocket reads MAT-files of version 4: result files of Modelica tools, or "
        "matrices of which one is called 'time'",
        "%s", what);
}

hk_status hk_mat_read_at(const hk_mat_file *m, uint64_t at, void *to, size_t size) {
    HK_ASSERT(at <= m->size && size <= m->size - at);
    if (m->fd < 0) {
        memcpy(to, m->data + at, size);
        return HK_OK;
    }
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(m->fd, (char *)to + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return hk_error(m->ctx, HK_E_FILE_READ, (hk_where){.file = m->path}, NULL,
                            "cannot read it: %s", got ? strerror(errno) : "it became shorter");
        done += (size_t)got;
    }
    return HK_OK;
}

size_t hk_mat_element_size(int32_t type) {
    static const size_t sizes[] = {8, 4, 4, 2, 2, 1};
    int32_t p = type / 10 % 10;
    return type >= 0 && type < 100 && type % 10 <= 1 && p <= 5 ? sizes[p] : 0;
}

/* What other files of that extension begin with. */
static hk_status check_version(const hk_mat_file *m) {
    char head[128] = "";
    HK_TRY(hk_mat_read_at(m, 0, head, m->size < sizeof head ? (size_t)m->size : sizeof head));
    if (memcmp(head, "MATLAB 5.0", 10) == 0)
        return hk_error(m->ctx, HK_E_CSV, (hk_where){.file = m->path},
                        "save it as version 4: save('x.mat', '-v4'), or "
                        "scipy.io.savemat(..., format='4')",
                        "it is a MAT-file of version 5 to 7");
    if (memcmp(head, "MATLAB 7.3", 10) == 0 || memcmp(head, "\x89HDF", 4) == 0)
        return hk_error(m->ctx, HK_E_CSV, (hk_where){.file = m->path},
                        "save it as version 4, or as .h5",
                        "it is a MAT-file of version 7.3, which is HDF5");
    return HK_OK;
}

/* The matrix that begins at *AT, and *AT behind it. *RET_RIGHT false: what is there is none. */
static hk_status read_matrix(hk_mat_file *m, uint64_t *at, bool *ret_right) {
    hk_mat_header h;
    *ret_right = false;
    if (m->size - *at < sizeof h)
        return HK_OK;
    HK_TRY(hk_mat_read_at(m, *at, &h, sizeof h));
    size_t element = hk_mat_element_size(h.type);
    if (!element || h.rows < 0 || h.columns < 0 || (h.imaginary & ~1) || h.name_size < 1 ||
        h.name_size > NAME_MAX_BYTES || m->size - *at - sizeof h < (uint64_t)h.name_size)
        return HK_OK;
    char *name = hk_arena_alloc(m->arena, (size_t)h.name_size + 1);
    HK_TRY(hk_mat_read_at(m, *at + sizeof h, name, (size_t)h.name_size));
    hk_matrix found = {name, h, *at + sizeof h + (uint64_t)h.name_size};
    uint64_t cells = (uint64_t)h.rows * (uint64_t)h.columns, left = m->size - found.at;
    if (cells > left / element / (h.imaginary ? 2 : 1))
        return HK_OK;
    *at = found.at + cells * element * (h.imaginary ? 2 : 1);
    *ret_right = true;
    HK_PUSH(m->matrices, m->count, m->cap, found);
    return HK_OK;
}

const hk_matrix *hk_mat_find(const hk_mat_file *file, const char *name) {
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->matrices[i].name, name) == 0)
            return &file->matrices[i];
    return NULL;
}

bool hk_mat_is_trajectory(const hk_mat_file *m) {
    return m->count && strcmp(m->matrices[0].name, "Aclass") == 0;
}

/* A run that was killed leaves bytes behind the last whole block. */
hk_status hk_mat_walk(hk_mat_file *m) {
    uint64_t at = 0;
    bool right = true;
    HK_TRY(check_version(m));
    while (at < m->size && right)
        HK_TRY(read_matrix(m, &at, &right));
    if (right && m->count)
        return HK_OK;
    if (!m->count)
        return hk_mat_bad(m, NULL, "it is not a MAT-file of version 4");
    if (!hk_mat_is_trajectory(m) || !hk_mat_find(m, "data_2"))
        return hk_mat_bad(m, m->matrices[m->count - 1].name,
                          "what follows this matrix is not one, or the file is cut");
    static const char hint[] = "the program that wrote the file was probably stopped";
    unsigned long long left = m->size - at;
    if (m->strict)
        return hk_error(m->ctx, HK_E_CSV, (hk_where){.file = m->path}, hint,
                        "the file is cut: its last %llu bytes belong to no whole block of rows",
                        left);
    hk_warn(m->ctx, HK_E_CSV, (hk_where){.file = m->path}, hint,
            "the last %llu bytes belong to no whole block of rows and are left out", left);
    return HK_OK;
}

/* One element as a number. */
double hk_mat_number(const char *from, int32_t type) {
    double f64 = 0;
    float f32;
    int32_t i32;
    int16_t i16;
    uint16_t u16;
    switch (type / 10 % 10) {
    case 0:
        memcpy(&f64, from, sizeof f64);
        return f64;
    case 1:
        memcpy(&f32, from, sizeof f32);
        return (double)f32;
    case 2:
        memcpy(&i32, from, sizeof i32);
        return i32;
    case 3:
        memcpy(&i16, from, sizeof i16);
        return i16;
    case 4:
        memcpy(&u16, from, sizeof u16);
        return u16;
    default:
        return (unsigned char)*from;
    }
}

/* All elements of a matrix as numbers, in the order of the file. */
hk_status hk_mat_numbers(const hk_mat_file *m, const hk_matrix *x, double **ret_numbers) {
    size_t element = hk_mat_element_size(x->header.type);
    size_t count = (size_t)x->header.rows * (size_t)x->header.columns;
    if (count > SMALL_MAX)
        return hk_mat_bad(m, x->name, "it is too large");
    char *bytes = hk_alloc(count * element + 1);
    hk_status status = hk_mat_read_at(m, x->at, bytes, count * element);
    double *numbers = HK_NEW_ARRAY(m->arena, double, count);
    for (size_t i = 0; i < count && status == HK_OK; i++)
        numbers[i] = hk_mat_number(bytes + i * element, x->header.type);
    hk_free(bytes);
    *ret_numbers = numbers;
    return status;
}

/* The columns of a matrix of characters, without the spaces and NULs at their ends. */
hk_status hk_mat_texts(const hk_mat_file *m, const hk_matrix *x, const char ***ret_texts) {
    double *codes = NULL;
    HK_TRY(hk_mat_numbers(m, x, &codes));
    size_t length = (size_t)x->header.rows, count = (size_t)x->header.columns;
    const char **texts = HK_NEW_ARRAY(m->arena, const char *, count);
    char *text = hk_arena_alloc(m->arena, count * (length + 1) + 1);
    for (size_t i = 0; i < count; i++, text += length + 1) {
        size_t size = 0;
        for (size_t k = 0; k < length; k++) {
            double code = codes[i * length + k];
            text[k] = (char)(unsigned char)(code >= 0 && code < 256 ? code : '?');
        }
        while (size < length && text[size])
            size++;
        while (size && text[size - 1] == ' ')
            size--;
        text[size] = '\0';
        texts[i] = text;
    }
    *ret_texts = texts;
    return HK_OK;
}
