/* SPDX-License-Identifier: MIT
 *
 * What the mock FMUs (tests/fmus/mock.h) write down, and are told: their function mock_open returns
 * it. */
#ifndef HK_TEST_MOCK_BOOK_H
#define HK_TEST_MOCK_BOOK_H

#include <stdbool.h>

/* States: I instantiated, G configuration mode, M initialization mode, C step complete or step
 * mode, P step in progress, F step failed, E the same with the end requested, K step canceled, R
 * reconfiguration mode, T terminated, X error, Z fatal. */
typedef struct mock_book {
    char state;
    bool set_since_step;
    unsigned calls, illegal;
    const char *newest; /* function that was called last */
    double stop;        /* that it was told; 0: none. All outputs show it */
    /* What the next step returns, and whether it then asks for the end; who is told when a pending
     * step is asked about. */
    int next;
    bool ends;
    void (*asked)(void);
} mock_book;

#endif
