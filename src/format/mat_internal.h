/* SPDX-License-Identifier: MIT
 *
 * Inside the reader of MAT-files: the file as a list of matrices (mat_file.c) for the one that
 * makes a table of them (mat_read.c). */
#ifndef HK_FORMAT_MAT_INTERNAL_H
#define HK_FORMAT_MAT_INTERNAL_H

#include "format/mat.h"

typedef struct hk_matrix {
    const char *name;
    hk_mat_header header;
    uint64_t at; /* of its first element, in the file */
} hk_matrix;

typedef struct hk_mat_file {
    hk_ctx *ctx;
    const char *path;
    int fd;           /* -1: all is in memory */
    const char *data; /* of a file in memory */
    uint64_t size;
    bool strict; /* bytes behind the last block are an error */
    hk_arena *arena;
    hk_matrix *matrices;
    size_t count, cap;
} hk_mat_file;

/* Finds the matrices, without reading what is in them. No size in the file is trusted before it is
 * known to lie inside. */
HK_NODISCARD hk_status hk_mat_walk(hk_mat_file *file);
const hk_matrix *hk_mat_find(const hk_mat_file *file, const char *name); /* NULL: there is none */
bool hk_mat_is_trajectory(const hk_mat_file *file);                      /* of a Modelica tool */
size_t hk_mat_element_size(int32_t type);                                /* 0: it is not a type */
HK_NODISCARD hk_status hk_mat_read_at(const hk_mat_file *file, uint64_t at, void *to, size_t size);
/* One element as a number. */
double hk_mat_number(const char *from, int32_t type);
/* All elements of a matrix as numbers, in the order of the file. */
HK_NODISCARD hk_status hk_mat_numbers(const hk_mat_file *file, const hk_matrix *matrix,
                                      double **ret_numbers);
/* The columns of a matrix of characters, without the spaces at their ends. */
HK_NODISCARD hk_status hk_mat_texts(const hk_mat_file *file, const hk_matrix *matrix,
                                    const char ***ret_texts);
/* Says what is wrong with a matrix (NULL: with the file). */
hk_status hk_mat_bad(const hk_mat_file *m, const char *name, const char *what);

#endif
