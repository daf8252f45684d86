/* SPDX-License-Identifier: MIT
 *
 * How processes that were started by hand become one run: they meet at a place, tell each other
 * what they have read, and begin only if that is the same. The recorder waits; nodes come to it. A
 * node takes nothing from anybody but descriptors of the wires: it has its own files and its own
 * plan. */
#ifndef HK_NODES_MEETING_H
#define HK_NODES_MEETING_H

#include "nodes/greeting.h"
#include "nodes/wires.h"

/* What somebody asks for. */
typedef struct hk_meet {
    const char *place; /* hk_meeting_path; NULL: nobody meets, the nodes are forked */
    unsigned number;   /* of the node that this process is, from 1 on; 0: the recorder */
    /* Called when it waits for others, and for whom; may be NULL. */
    void (*waits)(void *user, const char *text);
    void *user;
} hk_meet;

typedef struct hk_meeting {
    const hk_meet *meet;
    unsigned count; /* of nodes, beside the recorder */
    hk_transport transport;
    double timeout_s;
    const hk_agreement *agreement;
    /* Who waits at the place, and who comes there, for messages; NULL: the recorder, a node. */
    const char *host, *guest;
    bool (*stopped)(void *user); /* nobody waits any more; NULL: signals alone say so */
    void *user;
} hk_meeting;

/* Waits until all nodes are there and have the same. RET_FDS: per node, what it says from then on
 * comes from there; they do not wait. The place is free again. */
HK_NODISCARD hk_status hk_meeting_hold(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fds);
/* A node begins, with these descriptors. False: it is gone. */
HK_NODISCARD bool hk_meeting_begin(int fd, const int *descriptors, size_t count);
/* The run is over; to each node. */
void hk_meeting_end(int fd, hk_status status, const char *text);

/* A node: waits for the recorder, and until all others are there. The descriptors are the caller's
 * to close and free, also if they are not those that it expects. */
HK_NODISCARD hk_status hk_meeting_join(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fd,
                                       int **ret_descriptors, size_t *ret_count);
/* The first half of it: whoever waits there, once it has the same. Its own greetings were heard. */
HK_NODISCARD hk_status hk_meeting_visit(hk_ctx *ctx, const hk_meeting *meeting, int *ret_fd);
/* How the run ended, from the recorder. False: it is gone without a word. */
bool hk_meeting_hear_end(hk_arena *arena, int fd, hk_greeting *ret_ended);

/* Writes all of it, and waits for room as long as somebody reads. False: nobody does. */
bool hk_meeting_send(int fd, const void *data, size_t size);
bool hk_meeting_greet(int fd, const hk_greeting *greeting);
/* The next greeting of those that come from FD, as far as it is there; IN is kept until it is
 * whole. Nothing behind it is read. */
typedef enum hk_heard { HK_HEARD, HK_HEARD_NOT_YET, HK_HEARD_END, HK_HEARD_WRONG } hk_heard;
hk_heard hk_meeting_hear(hk_arena *arena, int fd, hk_buffer *in, hk_greeting *ret_greeting);

/* meeting_wait.c: who waits for others says so after a while, and ends by Ctrl-C or --timeout. */
typedef struct hk_patience {
    const hk_meeting *meeting;
    const char *path;
    int64_t began_ns, next_ns;
} hk_patience;
hk_patience hk_patience_begin(const hk_meeting *meeting, const char *path);
void hk_patience_end(void);
bool hk_patience_stopped(void); /* by a signal */
/* Says FOR_WHOM if it is time to. Not HK_OK: it is over. */
HK_NODISCARD hk_status hk_patience_look(hk_ctx *ctx, hk_patience *patience, const char *for_whom);

/* Async-signal-safe: this process waits for others now, and nothing runs yet. */
bool hk_meeting_waits(void);

enum { HK_MEETING_LOOK_MS = 50 };

#endif
