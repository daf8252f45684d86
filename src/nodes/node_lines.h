/* SPDX-License-Identifier: MIT
 *
 * Lines that nodes write down while they run, each with its moment in front (hk_moment_write) and a
 * letter behind that; and all of them together, in the order of one node. Each node has a file
 * without a name for them, so they may be many. */
#ifndef HK_NODES_NODE_LINES_H
#define HK_NODES_NODE_LINES_H

#include "engine/part.h"

typedef struct hk_lines hk_lines;

/* Before the processes are there: all have the same files. */
HK_NODISCARD hk_status hk_lines_make(hk_ctx *ctx, unsigned node_count, hk_lines **ret_lines);
void hk_lines_destroy(hk_lines *lines); /* NULL is fine */

/* In the process of a node: whole lines. What cannot be written is told at the end. */
void hk_lines_put(hk_lines *lines, unsigned node, const char *text, size_t size);
HK_NODISCARD hk_status hk_lines_end(hk_ctx *ctx, hk_lines *lines, unsigned node);
void hk_lines_end_from_signal(hk_lines *lines, unsigned node);

/* A line without its end, and what it begins with. */
typedef struct hk_node_line {
    unsigned node;
    char kind;       /* the letter behind the moment */
    bool same_phase; /* as the line before it: the same tick and level */
    unsigned stage;  /* before the first instant: 1 + its level; else 0 */
    bool after_run;
    const char *text; /* behind the letter */
    size_t size;
} hk_node_line;

/* All lines up to UNTIL, when the processes are gone; what a component that ended the run there was
 * asked for after that; and what came after the run, when components were ended. */
void hk_lines_each(hk_lines *lines, const hk_moment *until,
                   void (*take)(void *user, const hk_node_line *line), void *user);

#endif
