/* SPDX-License-Identifier: MIT
 *
 * Tools: a copy of the program with a model in it, which runs that model wherever it is copied to.
 * Behind the bytes of the program is a ZIP archive of all files that a run reads, and a
 * description of them; a mark inside the program says where. */
#ifndef HK_TOOL_TOOL_H
#define HK_TOOL_TOOL_H

#include "base/diag.h"
#include "fuse/fuse_options.h"

#define HK_TOOL_MAGIC "hocket tool 1\r\n"

/* It lies in the program's own memory, so that hocket itself need not look for anything when it
 * starts, and a tool that was cut off knows that it is one. */
typedef struct hk_tool_mark {
    char magic[16];
    uint64_t program;       /* bytes of the program; 0: it carries nothing, it is hocket itself */
    uint64_t archive;       /* bytes of the archive behind it, up to the end of the file */
    uint32_t before, after; /* CRC-32 of the program up to the mark, and from its end on */
    char description[64];   /* SHA-256 of the description, as hexadecimal digits */
    uint32_t self;          /* CRC-32 of all that is above */
    uint32_t unused;
} hk_tool_mark;

/* How the program was built that is copied. */
typedef struct hk_tool_program {
    const volatile hk_tool_mark *mark; /* where it lies in the program that runs */
    const char *version, *type, *compiler;
} hk_tool_program;

/* ---- running one ---- */

typedef struct hk_tool {
    const char *file;  /* its own; what it carries lies below it (base/packed.h) */
    const char *model; /* the path to run: "./tool/x.system" */
    const char *made;  /* "hocket 0.1.0", which it is a copy of */
    const char *fused; /* the path of its fused code; NULL: it has none */
    size_t file_count;
} hk_tool;

bool hk_tool_is(const volatile hk_tool_mark *mark);
/* Looks at the program's own file and mounts what it carries. Says so if anything is damaged: of
 * the program and the description here, of a file when it is first read. */
HK_NODISCARD hk_status hk_tool_open(hk_ctx *ctx, const volatile hk_tool_mark *mark,
                                    hk_tool **ret_tool);
void hk_tool_close(hk_tool *tool); /* NULL is fine */

/* ---- making one ---- */

/* What is asked for. */
typedef struct hk_tool_wish {
    const char *model, *output;
    const hk_fuse_options *fused; /* how the model is compiled to fused code; NULL: it is not */
} hk_tool_wish;

typedef struct hk_tool_made {
    size_t files;          /* of the model, that it carries */
    bool fused;            /* it has fused code */
    uint64_t bytes;        /* of the tool */
    const char *libraries; /* what had to be put beside it: "libexpat.so.1, ..."; NULL: nothing */
} hk_tool_made;

/* Reads the model as a run would, through the same paths that the tool will use, and writes the
 * output with everything that was read. What cannot be packed is refused. For fused code instances
 * are made of its components: install a guard. */
HK_NODISCARD hk_status hk_tool_make(hk_ctx *ctx, hk_arena *arena, const hk_tool_program *program,
                                    const hk_tool_wish *wish, hk_tool_made *ret_made);

#endif
