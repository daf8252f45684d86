/* SPDX-License-Identifier: MIT
 *
 * Search in what is sorted. */
#ifndef HK_BASE_SEARCH_H
#define HK_BASE_SEARCH_H

#include <stddef.h>

/* LOW, a size_t, becomes the first I from LOW to before END for which BELOW does not hold, or END.
 * BELOW is an expression about I; behind one for which it does not hold there is none for which it
 * does. */
#define HK_SEARCH(low, end, i, below)                                                              \
    for (size_t hk_high_ = (end), i; (low) < hk_high_;) {                                          \
        (i) = (low) + (hk_high_ - (low)) / 2;                                                      \
        if (below)                                                                                 \
            (low) = (i) + 1;                                                                       \
        else                                                                                       \
            hk_high_ = (i);                                                                        \
    }

#endif
