/* SPDX-License-Identifier: MIT
 *
 * What build.c and build_compile.c share. */
#ifndef HK_FMI_BUILD_INTERNAL_H
#define HK_FMI_BUILD_INTERNAL_H

#include "base/command.h"
#include "fmi/build.h"
#include "fmi/cache.h"
#include "fmi/recipe.h"

/* One file and how it is compiled. */
typedef struct hk_build_unit {
    const char *file; /* relative to sources/ */
    hk_command command;
} hk_build_unit;

typedef struct hk_build_job {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_fmu *fmu;
    hk_zip *zip;
    const hk_fmu_build_options *options;
    hk_recipe recipe;
    int version;           /* of FMI: 1, 2, 3 */
    const char *folder;    /* temporary: sources/, headers/, objects/, library.so */
    const char *compilers; /* what all compilers that are used say of themselves */
    const char *compiler;  /* the first line of that */
    hk_build_unit *units;
    size_t unit_count, unit_cap;
    bool has_cpp;
    hk_command link;
    const char *library; /* its path in the archive */
    bool replaced;       /* the archive had one */
    bool ran;            /* a compiler did */
} hk_build_job;

/* Fills units and link: which words compile what. */
void hk_build_plan(hk_build_job *job);
/* Fills compilers, or says which one is not there. */
HK_NODISCARD hk_status hk_build_ask_compilers(hk_build_job *job);
/* Runs a command in sources/; if it fails, its first error is reported with its place. */
HK_NODISCARD hk_status hk_build_run(hk_build_job *job, hk_command *command);
/* Does the library have the functions of FMI? If they bear another prefix, it is linked again. */
HK_NODISCARD hk_status hk_build_check_exports(hk_build_job *job);
void hk_build_finish(hk_build_job *job);

#endif
