/* SPDX-License-Identifier: MIT
 *
 * What is in a table, a record of a run for example, for the answer and for the text: read row by
 * row, in memory that does not grow with its length. */
#ifndef HK_REPORT_INFO_TABLE_H
#define HK_REPORT_INFO_TABLE_H

#include "format/table_read.h"
#include "report/report.h"

/* A number; whole ones beyond 2^53, which a double cannot hold, as they are. */
typedef struct hk_exact {
    double real; /* NaN: there is none */
    bool wide, negative;
    uint64_t magnitude; /* of wide ones */
} hk_exact;

typedef struct hk_column_facts {
    hk_table_column about;
    const char *array; /* the array it is an element of, also where only names say so; NULL: none */
    const size_t *dims;
    size_t dim_count, element;
    hk_exact min, max;
    uint64_t nan, texts; /* cells that are not a number; that are texts */
} hk_column_facts;

typedef struct hk_table_facts {
    hk_column_facts *columns;
    size_t count;
    uint64_t rows;
    double first, last; /* the time; NaN: there are no rows */
    const char *ended;  /* how its run ended, as the file beside it says; NULL: not known */
} hk_table_facts;

HK_NODISCARD hk_status hk_table_facts_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                           hk_table_facts *ret_facts);
const char *hk_show_exact(hk_arena *arena, const hk_exact *number);
/* The answer of `info`. */
HK_NODISCARD hk_status hk_info_put_table(hk_report *report, const char *path);

#endif
