/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share. */
#ifndef HK_TOOL_TOOL_INTERNAL_H
#define HK_TOOL_TOOL_INTERNAL_H

#include "base/map.h"
#include "base/packed.h"
#include "tool/tool.h"

#include <stdio.h>

#define HK_TOOL_DESCRIPTION "hocket-tool.json" /* its name in the archive */
#define HK_TOOL_FUSED_ENTRY "fused.so"
#define HK_TOOL_FUSED_PATH  "//fused.so" /* by which no model asks for a file of its own */

/* A file that a tool carries, under one of the paths by which it is asked for. */
typedef struct hk_tool_file {
    const char *path;  /* below the root: relative to the folder of the model, or from '/' on */
    const char *entry; /* in the archive; the same for all paths of one file */
    uint64_t size;
    char sha256[65];
} hk_tool_file;

/* How a plugin was compiled, as its note says. */
typedef struct hk_tool_plugin {
    const char *path, *compiler, *flags;
} hk_tool_plugin;

/* hocket-tool.json */
typedef struct hk_tool_description {
    const char *version, *type, *compiler; /* of the program */
    const char *model;                     /* the path of it */
    const char *fused;                     /* that of the fused code; NULL: there is none */
    hk_tool_file *files;
    size_t file_count;
    const hk_tool_plugin *plugins; /* that carry a note; for people: nobody reads them back */
    size_t plugin_count;
} hk_tool_description;

/* tool_describe.c. Free with free(). */
char *hk_tool_describe(const hk_tool_description *d, size_t *ret_size);
HK_NODISCARD hk_status hk_tool_read_description(hk_ctx *ctx, hk_arena *arena, const char *file,
                                                const char *data, size_t size,
                                                hk_tool_description *ret);

/* tool_collect.c: all files that a run reads, as they are asked for. */
typedef struct hk_collected {
    const char *path; /* as for hk_tool_file */
    const char *real; /* the file */
    char *data;       /* NULL: another path of a file that came before: SAME says which */
    size_t size, same;
} hk_collected;

typedef struct hk_collection {
    const char *folder; /* of the model, from the root of the system */
    const char *shown;  /* the same as its user names it */
    hk_ctx *reading;    /* whose claims hold all that is read */
    hk_arena *arena;
    hk_collected *all;
    size_t count, cap;
    hk_map by_path, by_real;
    char *fused; /* the library of fused code; NULL: there is none */
    size_t fused_size;
} hk_collection;

/* What is collected, and who is told. */
typedef struct hk_collecting {
    hk_ctx *reading, *fusing; /* of the model, of its compilation */
    const char *root;         /* what the folder is mounted at meanwhile */
    const char *model;        /* a name in the folder */
    const hk_fuse_options *fused;
} hk_collecting;

/* Reads the model and all that a run of it reads. */
HK_NODISCARD hk_status hk_tool_collect(const hk_collecting *wanted, hk_collection *c);
void hk_tool_collection_finish(hk_collection *c);

struct hk_assembly;
/* tool_fused.c: compiles what was assembled. A library only if there is a compiler. */
HK_NODISCARD hk_status hk_tool_fuse(const hk_collecting *wanted, hk_arena *arena,
                                    const struct hk_assembly *made, char **ret_data,
                                    size_t *ret_size);

/* tool_program.c: the program that runs, as a file. */
HK_NODISCARD hk_status hk_tool_read_self(hk_ctx *ctx, char **ret_data, size_t *ret_size);
/* Where MARK lies in that file. */
size_t hk_tool_mark_offset(const volatile hk_tool_mark *mark);
/* The file that it was started as, open for reading; -1: it cannot be found. */
int hk_tool_open_self(hk_arena *arena, const char **ret_path);
uint32_t hk_tool_mark_check(const hk_tool_mark *mark); /* what `self` is to be */

/* needed.c: libraries that are not the C library's. */
/* Warns of those that the libraries in a file need and that are not packed with it. */
void hk_tool_warn_needed(hk_ctx *ctx, const char *path, const void *data, size_t size);
/* Puts those that the program itself needs beside OUTPUT; *ret_names: NULL if there are none. */
HK_NODISCARD hk_status hk_tool_place_needed(hk_ctx *ctx, hk_arena *arena, const void *program,
                                            size_t size, const char *output,
                                            const char **ret_names);

#endif
