/* SPDX-License-Identifier: MIT */
#include "nodes/node_lines.h"

#include "base/file.h"
#include "engine/away.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1 << 16, HEAD = HK_MOMENT_TEXT + 1, TICK_DIGITS = 16, PHASE_DIGITS = 24 };

typedef struct lines_of {
    int fd;
    char *text; /* not written yet, in the process of the node */
    size_t used;
    int problem; /* an errno */
    /* When they are put together: */
    FILE *from;
    char *line;
    size_t cap;
    ssize_t size; /* of the next one, with its end; below 1: there is none */
} lines_of;

struct hk_lines {
    lines_of *all;
    unsigned count;
};

/* A file without a name, private to the user. */
static int open_unnamed(void) {
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int size = snprintf(path, sizeof path, "%s/hocket-XXXXXX", folder && *folder ? folder : "/tmp");
    if (size < 0 || (size_t)size >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkstemp(path); /* of mode 600 */
    if (fd >= 0) {
        (void)unlink(path);
        (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

hk_status hk_lines_make(hk_ctx *ctx, unsigned node_count, hk_lines **ret_lines) {
    HK_ASSERT(ctx && ret_lines);
    hk_lines *l = hk_alloc(sizeof *l);
    *l = (hk_lines){.all = hk_alloc(node_count * sizeof *l->all), .count = node_count};
    for (unsigned i = 0; i < node_count; i++)
        l->all[i].fd = -1;
    for (unsigned i = 0; i < node_count; i++) {
        l->all[i].fd = open_unnamed();
        if (l->all[i].fd < 0) {
            hk_status status =
                hk_error(ctx, HK_E_FILE_WRITE, HK_NOWHERE, "TMPDIR names the folder for such files",
                         "no temporary file for node %u: %s", i + 1, strerror(errno));
            hk_lines_destroy(l);
            return status;
        }
    }
    *ret_lines = l;
    return HK_OK;
}

void hk_lines_destroy(hk_lines *l) {
    for (unsigned i = 0; l && i < l->count; i++) {
        if (l->all[i].fd >= 0)
            close(l->all[i].fd);
        hk_free(l->all[i].text);
    }
    if (l)
        hk_free(l->all);
    hk_free(l);
}

/* ---- in the process of a node ---- */

static void write_out(lines_of *x) {
    const char *at = x->text;
    while (x->used && !x->problem) {
        ssize_t n = write(x->fd, at, x->used);
        if (n < 0 && errno != EINTR)
            x->problem = errno;
        if (n > 0) {
            at += n;
            x->used -= (size_t)n;
        }
    }
    x->used = 0;
}

void hk_lines_put(hk_lines *l, unsigned node, const char *text, size_t size) {
    HK_ASSERT(l && node < l->count);
    lines_of *x = &l->all[node];
    if (!x->text)
        x->text = hk_alloc(ROOM);
    while (size && !x->problem) {
        size_t part = size < ROOM - x->used ? size : ROOM - x->used;
        memcpy(x->text + x->used, text, part);
        x->used += part;
        text += part;
        size -= part;
        if (x->used == ROOM)
            write_out(x);
    }
}

hk_status hk_lines_end(hk_ctx *ctx, hk_lines *l, unsigned node) {
    HK_ASSERT(ctx && l && node < l->count);
    lines_of *x = &l->all[node];
    write_out(x);
    return x->problem ? hk_error(ctx, HK_E_FILE_WRITE, HK_NOWHERE,
                                 "make room where temporary files are (TMPDIR)",
                                 "what node %u writes down cannot be kept: %s", node + 1,
                                 strerror(x->problem))
                      : HK_OK;
}

void hk_lines_end_from_signal(hk_lines *l, unsigned node) {
    write_out(&l->all[node]);
}

/* ---- all of them ---- */

/* A line that a process which is gone has left without an end is not one. */
static void read_next(lines_of *x) {
    x->size = x->from ? getline(&x->line, &x->cap, x->from) : -1;
    if (x->size > 0 && (x->size <= HEAD || x->line[x->size - 1] != '\n'))
        x->size = -1;
}

static void begin_reading(lines_of *x) {
    (void)lseek(x->fd, 0, SEEK_SET);
    x->from = fdopen(x->fd, "r");
    if (x->from)
        x->fd = -1; /* it is that of the stream now */
    read_next(x);
}

static void end_reading(lines_of *x) {
    if (x->from)
        (void)fclose(x->from);
    free(x->line); /* it is that of getline */
    x->from = NULL;
    x->line = NULL;
}

static lines_of *earliest(hk_lines *l) {
    lines_of *first = NULL;
    for (unsigned i = 0; i < l->count; i++)
        if (l->all[i].size > 0 && (!first || memcmp(l->all[i].line, first->line, HEAD) < 0))
            first = &l->all[i];
    return first;
}

/* Components are ended after every run. */
static bool is_after_run(const char *line) {
    char after[HK_MOMENT_TEXT];
    hk_moment_write(&HK_MOMENT_AFTER, after);
    return memcmp(line, after, TICK_DIGITS) == 0;
}

/* What is asked of a component that has ended the run comes last in its phase. */
static bool is_asked_last(const char *line, const char *until) {
    static const char last[] = {'0', '0' + HK_MOMENT_LAST};
    return memcmp(line, until, PHASE_DIGITS) == 0 &&
           memcmp(line + PHASE_DIGITS, last, sizeof last) == 0;
}

void hk_lines_each(hk_lines *l, const hk_moment *until,
                   void (*take)(void *user, const hk_node_line *line), void *user) {
    HK_ASSERT(l && until && take);
    char end[HK_MOMENT_TEXT], before[PHASE_DIGITS] = {0}, initial[HK_MOMENT_TEXT];
    hk_moment_write(until, end);
    hk_moment_write(&(hk_moment){.tick = HK_MOMENT_INITIAL}, initial);
    for (unsigned i = 0; i < l->count; i++)
        begin_reading(&l->all[i]);
    for (lines_of *x = earliest(l); x; x = earliest(l)) {
        if (memcmp(x->line, end, sizeof end) <= 0 || is_asked_last(x->line, end) ||
            is_after_run(x->line)) {
            hk_node_line line = {.node = (unsigned)(x - l->all),
                                 .kind = x->line[HK_MOMENT_TEXT],
                                 .same_phase = memcmp(x->line, before, sizeof before) == 0,
                                 .after_run = is_after_run(x->line),
                                 .text = x->line + HEAD,
                                 .size = (size_t)x->size - HEAD - 1};
            if (memcmp(x->line, initial, TICK_DIGITS) == 0)
                line.stage = 1 + (unsigned)(x->line[PHASE_DIGITS - 1] - '0');
            memcpy(before, x->line, sizeof before);
            take(user, &line);
        }
        read_next(x);
    }
    for (unsigned i = 0; i < l->count; i++)
        end_reading(&l->all[i]);
}
