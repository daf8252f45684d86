/* SPDX-License-Identifier: MIT
 *
 * Two records, compared signal by signal and row by row, in memory that does not grow with their
 * length.
 *
 * Two numbers a and b are equal if |a - b| <= absolute + relative * max(|a|, |b|); NaN equals NaN,
 * and -0 equals 0 unless bits are compared. Whole numbers beyond 2^53 are compared as such. All
 * that is not a number, or is in quotes, is compared as text. */
#ifndef HK_RECORD_COMPARE_H
#define HK_RECORD_COMPARE_H

#include "base/diag.h"

typedef struct hk_tolerance {
    double absolute, relative; /* both zero: exactly equal */
} hk_tolerance;

/* At which times the records are compared. */
typedef enum hk_compare_times {
    HK_TIMES_SAME,   /* row by row: both must have the same times */
    HK_TIMES_BOTH,   /* at the times of both; where one has no row there it is interpolated */
    HK_TIMES_FIRST,  /* at the times of the first */
    HK_TIMES_SECOND, /* at the times of the second */
} hk_compare_times;

typedef struct hk_patterns {
    const char *const *patterns; /* as in record/select.h */
    size_t count;
} hk_patterns;

/* Zero means the default everywhere. Patterns are held against the names of the first record, and
 * against those names of the second that the first does not have. */
typedef struct hk_compare_options {
    hk_tolerance tolerance;
    const struct hk_tolerance_for {
        const char *pattern;
        hk_tolerance tolerance;
    } * tolerances; /* for some signals; the last one that matches counts */
    size_t tolerance_count;
    hk_patterns only, ignore;
    const struct hk_renamed {
        const char *first, *second;
    } * renamed; /* a signal of the first record and what the second calls it */
    size_t renamed_count;
    bool common; /* only the signals that both have */
    bool bits;   /* -0 is not 0 */
    hk_compare_times times;
    double time_tolerance;
    bool twice; /* the files will be read once more, so refuse pipes */
    /* How to interpolate; without these a signal is held if all its cells are whole numbers,
     * Booleans or text, and is joined by lines otherwise. */
    hk_patterns hold, linear;
    /* Called for each point of each signal, with NaN for what is not a number. NULL: not wanted. */
    void (*on_point)(void *user, double time, double first, double second);
    void *user;
} hk_compare_options;

enum { HK_SHOWN_MAX = 64 }; /* bytes of a value that are kept, its NUL included */

/* One place where a signal has two values; index 0 is the first record, 1 the second. */
typedef struct hk_point {
    uint64_t row; /* number of the pair of rows, from 1 */
    double time;
    int lines[2];                 /* 0: interpolated */
    char values[2][HK_SHOWN_MAX]; /* as they stand in the files, cut if they are long */
    bool numbers;                 /* both are; else the difference is infinite */
    double difference, relative;  /* |a - b|, and that by max(|a|, |b|) */
} hk_point;

typedef struct hk_compared {
    const char *names[2];
    uint64_t compared, different; /* points */
    double max_absolute, max_relative, rms;
    double excess;  /* the largest difference by its tolerance; infinite if that is zero */
    hk_point first; /* that differs; only if `different` */
    hk_point worst; /* of all that differ; only if `different` */
    double largest; /* of the values that are not the same in both */
    hk_tolerance tolerance;
} hk_compared;

typedef struct hk_comparison {
    bool equal;
    uint64_t rows[2], points; /* points: pairs of rows that were compared */
    hk_compared *signals;     /* that both have, in the order of the first record */
    size_t signal_count;
    hk_compared **worst; /* those that differ, the worst first */
    size_t worst_count;
    const hk_compared *earliest; /* the one whose first difference comes first; NULL: none */
    const char **only_in[2];
    size_t only_in_count[2];
    /* HK_TIMES_SAME: where the rows stop to have the same times. */
    bool grids_differ;
    struct {
        bool ended; /* it has no more rows; time and line are those of the last */
        bool event; /* its time is that of the row before */
        double time;
        int line;
    } grid[2];
    uint64_t outside; /* the other modes: rows before the other record begins, or after its end */
} hk_comparison;

/* Compares two CSV files. The result lives in ARENA. Records that differ are not a failure. Other
 * modes than HK_TIMES_SAME read each file twice, so that pipes are refused. */
HK_NODISCARD hk_status hk_records_compare(hk_ctx *ctx, hk_arena *arena, const char *const paths[2],
                                          const hk_compare_options *options,
                                          const hk_comparison **ret_comparison);

#endif
