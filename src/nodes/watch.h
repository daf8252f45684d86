/* SPDX-License-Identifier: MIT
 *
 * What becomes of the nodes of a run: who waits for whom, who is slow, who hangs. Nodes say so in
 * the page that all see (wires.h); the recorder looks at it while it waits. */
#ifndef HK_NODES_WATCH_H
#define HK_NODES_WATCH_H

#include "nodes/wires.h"

#include <sys/types.h>

/* In the process of a node, which has taken its wires: a thread that answers which call it is in.
 * It ends with the process. */
void hk_watch_answer(hk_wires *wires);
/* From now on the node ends when hk_watch_end_nodes says so, also inside of a call. */
void hk_watch_end_when_told(void);

/* ---- in the process of the recorder ---- */

typedef struct hk_node_watch hk_node_watch;

/* WATCHDOG_S above 0: a node that does not come back from a call for so long hangs. */
hk_node_watch *hk_watch_create(hk_ctx *ctx, hk_wires *wires, const hk_plan_flows *flows,
                               double watchdog_s);
void hk_watch_destroy(hk_node_watch *watch);                        /* NULL is fine */
void hk_watch_node(hk_node_watch *watch, uint32_t node, pid_t pid); /* 0: its process is gone */

/* Says who is slow, once in a while. True: a node hangs, which hk_watch_hung tells of. For a
 * recorder that waits, about ten times a second; more often is fine. */
HK_NODISCARD bool hk_watch_look(hk_node_watch *watch);
uint32_t hk_watch_culprit(const hk_node_watch *watch); /* the node; HK_MAP_NONE: all of them */
const char *hk_watch_hung(const hk_node_watch *watch); /* the message; NULL: nobody hangs */

/* Texts of the watch's own, which stay as long as it does. "node 2 ('b', 'c')"; " at t = 2.5 s;
 * waiting then: the recorder for 'b' of node 2"; "the recorder waits for 'b' of node 2; it is ...".
 */
const char *hk_watch_name(const hk_node_watch *watch, uint32_t node);
const char *hk_watch_members(const hk_node_watch *w,
                             uint32_t number); /* "'b', 'c'": the first few */
const char *hk_watch_lost(hk_node_watch *watch, uint32_t node);
const char *hk_watch_chain(hk_node_watch *watch);
const char *hk_watch_place(hk_node_watch *watch,
                           uint32_t node); /* "t = 2.5 s, in component 'b' ..." */

/* Async-signal-safe: what each node of the run under way does and who waits for whom, a line each.
 * Returns the length; 0: nothing runs on several nodes here. */
size_t hk_watch_tell(char *room, size_t size);
/* Async-signal-safe, for a process that ends at once: its nodes are gone when this returns. */
void hk_watch_end_nodes(void);

#endif
