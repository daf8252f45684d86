/* SPDX-License-Identifier: MIT
 *
 * How fused code is made. */
#ifndef HK_FUSE_FUSE_OPTIONS_H
#define HK_FUSE_FUSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero in every field is a good choice. */
typedef struct hk_fuse_options {
    const char *cc; /* the C compiler, with options if need be; NULL: $CC, or cc. An -O among them
                       is taken in place of ours: it changes no result */
    unsigned processes;  /* compilers at the same time; 0: one for each processor */
    int64_t deadline_ns; /* of hk_clock_ns, for all of it; 0: none */
    /* Is told how many of how many files are compiled: first 0 of ALL. May be NULL. */
    void (*progress)(void *user, size_t done, size_t all);
    /* Is told what the compiler said after the diagnostic that it failed. May be NULL. */
    void (*said)(void *user, const char *text);
    void *user;
    /* Where libraries are kept if there is no cache (fmi/cache.h): by who starts several processes
     * that need the same one. NULL: they are not kept. */
    const char *folder;
    /* Made before, and perhaps carried by the program (base/packed.h): it is loaded as far as it
     * fits, and nothing is compiled. NULL: there is none. */
    const char *library;
    /* That there is no compiler, or no folder for temporary files, is an error; else a note, and
     * nothing is made. */
    bool needed;
} hk_fuse_options;

#endif
