/* SPDX-License-Identifier: MIT
 *
 * MAT-files of version 4: matrices one behind the other, each with 20 bytes before its name that
 * say what it is. Result files of Modelica tools are such files with six matrices of agreed names:
 *
 *   Aclass       "Atrajectory", "1.1", "", "binTrans": how the others are to be read
 *   name         one column of characters per variable
 *   description  the same: what it is, and its unit in brackets at the end
 *   dataInfo     per variable: in which data matrix it is, in which row of it (negative: the
 *                opposite of it), how to interpolate, how to go on at the ends
 *   data_1       what does not change: its first and its last value
 *   data_2       one column per instant, the time first
 *
 * hocket adds another, "about". Since a matrix lies in its file column by column, the last one is a
 * stream of rows of a record.
 */
#ifndef HK_FORMAT_MAT_H
#define HK_FORMAT_MAT_H

#include "format/table_read.h"

/* The types of MAT-files, MOPT in their terms, on machines with the low byte first. */
enum { HK_MAT_F64 = 0, HK_MAT_F32 = 10, HK_MAT_I32 = 20, HK_MAT_U8 = 50, HK_MAT_TEXT = 51 };

/* The matrix of characters behind the others with what is beside the record
 * ("run.mat-metadata.json"). */
#define HK_MAT_ABOUT "about"

typedef struct hk_mat_header {
    int32_t type;          /* MOPT */
    int32_t rows, columns; /* of the matrix */
    int32_t imaginary;     /* 1: a second matrix follows */
    int32_t name_size;     /* with its NUL */
} hk_mat_header;

/* Reads .mat files: those of Modelica tools, and those whose matrices are columns of a table, one
 * of which is called "time". */
extern const hk_table_format hk_mat_table;
/* The same for a file in memory, which outlives the reader. */
HK_NODISCARD hk_status hk_mat_view(hk_ctx *ctx, const char *path, const char *data, size_t size,
                                   void **ret_self);

#endif
