/* SPDX-License-Identifier: MIT
 *
 * Where processes of one run that were started by hand find each other: a socket in a folder that
 * nobody but this user can write to. It is there while the recorder waits for its nodes, and is
 * gone before the run begins. */
#ifndef HK_NODES_MEETING_PLACE_H
#define HK_NODES_MEETING_PLACE_H

#include "base/diag.h"

/* The folder that PLACE means: a path if there is a '/' in it, else a name below
 * $XDG_RUNTIME_DIR/hocket. */
HK_NODISCARD hk_status hk_meeting_path(hk_ctx *ctx, hk_arena *arena, const char *place,
                                       const char **ret_path);

typedef struct hk_meeting_host {
    const char *path;  /* of the folder; lives in the arena of hk_meeting_open */
    const char *above; /* a folder of ours around it; NULL: none */
    int folder;        /* open and locked; -1: it is not open */
    int socket;        /* listens, without waiting */
    bool made;         /* the folder is ours, and goes with the socket */
} hk_meeting_host;

/* Makes the folder if it is not there, removes the socket of a run that was killed, and listens.
 * Fails if another run meets there now. */
HK_NODISCARD hk_status hk_meeting_open(hk_ctx *ctx, hk_arena *arena, const char *path,
                                       hk_meeting_host *ret_host);
void hk_meeting_close(hk_meeting_host *host); /* also what was never opened, if it is -1 */

/* Whoever waits there. *RET_FD is -1: nobody does, yet. */
HK_NODISCARD hk_status hk_meeting_reach(hk_ctx *ctx, const char *path, int *ret_fd);

/* The process at the other end belongs to this user. */
bool hk_meeting_is_ours(int fd);

#endif
