/* SPDX-License-Identifier: MIT
 *
 * FMUs that bring sources: compiled into a library for this machine. Nothing is compiled unless
 * somebody has asked for it: compiling a stranger's files is work for a compiler, whose output is
 * then run with the rights of the user. */
#ifndef HK_FMI_BUILD_H
#define HK_FMI_BUILD_H

#include "base/diag.h"

/* Is told what the compiler said after the diagnostic that it failed. */
typedef void hk_fmu_said_fn(void *user, const char *text);

typedef struct hk_fmu_build_options {
    const char *cc;       /* the C compiler, with options if need be; NULL: $CC, or cc */
    hk_fmu_said_fn *said; /* NULL: nobody wants to know */
    void *user;
    int64_t deadline_ns; /* of hk_clock_ns, for the compiler; 0: none */
} hk_fmu_build_options;

/* What was made; texts live in the arena. */
typedef struct hk_fmu_built {
    const char *library;  /* its path in the archive */
    const char *compiler; /* as it calls itself */
    size_t files;         /* that were compiled */
    bool replaced;        /* there was one before */
} hk_fmu_built;

/* Writes a copy of the FMU at PATH, with a library for this machine, to OUTPUT. */
HK_NODISCARD hk_status hk_fmu_build(hk_ctx *ctx, hk_arena *arena, const char *path,
                                    const char *output, const hk_fmu_build_options *options,
                                    hk_fmu_built *ret_built);

/* From now on FMUs with sources and no library for this machine are compiled when they are to be
 * run, and what was made is kept in the cache. NULL: they are refused, as at first. OPTIONS must
 * stay. */
void hk_fmu_set_build(const hk_fmu_build_options *options);

#endif
