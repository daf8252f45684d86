/* SPDX-License-Identifier: MIT
 *
 * From a type file to C: a header with the data types and interfaces, a header and a skeleton with
 * protected regions per leaf type, the tables that hocket reads, and a project that builds the
 * plugin. Generating again keeps every line that a user wrote. */
#ifndef HK_GEN_GEN_H
#define HK_GEN_GEN_H

#include "base/diag.h"

typedef struct hk_gen_options {
    const char *types;  /* path of the type file */
    const char *folder; /* where to write; made if it is not there */
    const char *const *leaves;
    size_t leaf_count; /* 0: all leaf types of the file */
    bool check;        /* only find out what would change */
    bool force;        /* replace files that were edited outside their regions, keeping a copy */
} hk_gen_options;

typedef enum hk_gen_action {
    HK_GEN_UNCHANGED,
    HK_GEN_CREATED,
    HK_GEN_CHANGED,
    HK_GEN_REPLACED, /* changed by force; the old text is in `backup` */
    HK_GEN_KEPT      /* not ours to change: of a leaf that is no more, or the user's project file */
} hk_gen_action;

typedef struct hk_gen_file {
    const char *path;
    hk_gen_action action;
    const char *backup; /* NULL: none */
} hk_gen_file;

/* A region that is gone, or does so again. */
typedef struct hk_gen_region {
    const char *path, *name;
    int line; /* in the old file */
    bool restored;
} hk_gen_region;

/* A name that C does not take as it is. */
typedef struct hk_gen_name {
    const char *name, *c_name;
} hk_gen_name;

typedef struct hk_gen_report {
    const char *package;
    hk_gen_file *files;
    size_t file_count, file_cap;
    hk_gen_region *regions;
    size_t region_count, region_cap;
    hk_gen_name *names;
    size_t name_count, name_cap;
    size_t changes; /* files written, or with `check` files that would be */
} hk_gen_report;

/* Writes all files that change, or none. The report's strings live in ARENA; finish it. */
HK_NODISCARD hk_status hk_gen_run(hk_ctx *ctx, hk_arena *arena, const hk_gen_options *options,
                                  hk_gen_report *ret_report);
void hk_gen_report_finish(hk_gen_report *report);

/* The file at PATH was generated, and the list of sources beside it does not name it any more. */
bool hk_gen_is_left_over(hk_arena *arena, const char *path);

#endif
