/* SPDX-License-Identifier: MIT
 *
 * Two records compared: equal, or where and by how much not. hk/answer.h says what holds for every
 * answer. */
#ifndef HK_COMPARE_H
#define HK_COMPARE_H

#include <hk/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are equal if |a - b| <= abs + rel * max(|a|, |b|). Lists of texts hold patterns of names,
 * with '*' and '?', unless something else is said. */
typedef struct hk_ask_compare_options {
    size_t size;
    double rel, abs;
    const char *const *tolerance_for; /* "wheel.*=1e-6,1e-3": abs and perhaps rel of some signals */
    size_t tolerance_for_count;
    bool bits; /* -0 is not 0 */
    const char *const *only;
    size_t only_count;
    const char *const *ignore;
    size_t ignore_count;
    const char *const *map; /* "name=other": what the second record calls a signal of the first */
    size_t map_count;
    bool common;             /* leave out signals that only one of the records has */
    double time_tolerance;   /* seconds */
    const char *interpolate; /* at the times of "both", "first" or "second"; NULL: row by row */
    const char *const *hold; /* with interpolate: these are held until their next row */
    size_t hold_count;
    const char *const *linear; /* with interpolate: these are joined by lines */
    size_t linear_count;
    size_t limit; /* of the worst signals in the JSON; 0: ten */
} hk_ask_compare_options;

/* What `hocket compare` answers. The status is HK_E_DIFFERENT if they differ. */
HK_EXPORT HK_NODISCARD hk_status hk_ask_compare(hk_context *context, const char *first,
                                                const char *second,
                                                const hk_ask_compare_options *options,
                                                hk_answer **ret_answer);

/* Set size before each of these is filled. */
typedef struct hk_compare_info {
    size_t size;
    bool equal;
    size_t signal_count;    /* that both have */
    size_t different_count; /* of those, the ones that differ */
    uint64_t rows;          /* that were compared */
    bool same_times;
    const char *first_signal; /* whose difference comes first; NULL: none differs */
    double first_time;        /* NaN: none differs */
} hk_compare_info;

typedef struct hk_compare_signal_info {
    size_t size;
    const char *name, *name_in_second;
    double max_absolute, max_relative, rms; /* of its differences */
    uint64_t different, compared;           /* rows */
    double worst_time;
    const char *worst_first, *worst_second; /* the two values there, as they are in the files */
} hk_compare_signal_info;

/* HK_E_USAGE: the answer is not a comparison, or there is no such signal. */
HK_EXPORT HK_NODISCARD hk_status hk_compare_get(const hk_answer *answer, hk_compare_info *ret_info);
/* Those that differ, the worst first. */
HK_EXPORT HK_NODISCARD hk_status hk_compare_get_signal(const hk_answer *answer, size_t index,
                                                       hk_compare_signal_info *ret_info);

#ifdef __cplusplus
}
#endif
#endif
