/* SPDX-License-Identifier: MIT
 *
 * A long file that is written while components run: a record, a trace. It is opened when the first
 * bytes come, and written in place, since a crash must leave what there is so far. Components live
 * in the same process and can write to it, too: what it holds at the end is read back and compared
 * with what was written. Pipes and terminals keep nothing that could be read. */
#ifndef HK_RECORD_OUTFILE_H
#define HK_RECORD_OUTFILE_H

#include "base/file.h"

#include <signal.h>

typedef struct hk_outfile {
    const char *path; /* "-": standard output; for messages */
    const char *what; /* the same: "the record" */
    char *place;      /* the path from the root: components may go to another folder */
    int fd;           /* -1: not opened yet */
    hk_file_id id;    /* what it was opened as: a component may put something else there */
    bool continues;   /* the first SIZE bytes are there before it is opened */
    bool regular;     /* and ours: it is written at SIZE, and can be shortened */
    uint64_t size;    /* bytes written */
    uint32_t sum;     /* CRC-32 of them, but for the head */
    const struct hk_outfile_head *head; /* NULL: none that changes */
} hk_outfile;

/* The beginning of a file that says how long it is, and is written again with each block. COVER
 * lies over the first bytes of a block until all of it is there, so that the one who reads the file
 * then finds something that he can step over; it has fewer bytes than the block. */
typedef struct hk_outfile_head {
    const char *bytes;
    size_t size;
    size_t changes;    /* from this byte on it changes */
    const char *empty; /* what is there before the first block is complete */
    char cover[64];
    size_t cover_size; /* 0: none */
} hk_outfile_head;

/* Takes the place of the file, or standard output as it is now: components that print there are
 * sent elsewhere later. */
void hk_outfile_init(hk_outfile *file, const char *path, const char *what);
/* What is written goes behind the first SIZE bytes of the file, which has the CRC-32 SUM up to
 * there; what is behind them is cut off when it is opened. */
void hk_outfile_continue(hk_outfile *file, uint64_t size, uint32_t sum);
/* Says early what would make opening fail: the folder is missing, or it may not be written (and
 * read: it is read back). */
HK_NODISCARD hk_status hk_outfile_check(hk_ctx *ctx, const hk_outfile *file);
/* The descriptor stands for another file, or the file is not what was written: a component, or
 * another program, has done that. Stands beside the values of errno. */
enum { HK_OUTFILE_LOST = -1, HK_OUTFILE_CHANGED = -2 };
bool hk_outfile_is_full(int problem); /* there is no room for more */
/* Makes the file, empty, if that was not done; else it is done when the first bytes come. */
int hk_outfile_open(hk_outfile *file);
/* Appends DATA; returns 0, errno or one of these. If it fails the file is cut back to what WHOLE
 * says is complete of the part that was written; if nothing is, the file is removed. Raises no
 * SIGXFSZ or SIGPIPE. Async-signal-safe. */
int hk_outfile_write(hk_outfile *file, const char *data, size_t size,
                     size_t (*whole)(const char *data, size_t size));
/* The same for a file with a HEAD, which lives until the file is closed: DATA is behind it, or as
 * if it had never come, and less may be tried. A file without any is removed when it is closed. */
int hk_outfile_write_counted(hk_outfile *file, const char *data, size_t size,
                             const hk_outfile_head *head);
/* Between the two a write that fails is an error and not a signal; FAILED: one may have come. */
sigset_t hk_outfile_quiet(void);
void hk_outfile_loud(const sigset_t *before, bool failed);
/* Reads the file back and compares. Returns 0, errno or one of these; fine if it was never opened.
 */
int hk_outfile_close(hk_outfile *file);
hk_status hk_outfile_error(hk_ctx *ctx, const hk_outfile *file, int problem);

#endif
