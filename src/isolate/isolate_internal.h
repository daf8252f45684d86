/* SPDX-License-Identifier: MIT
 *
 * What the two processes share: a page with the request of a step, its answer and the values; a
 * socket for all other requests; a pipe for what FMUs say. This process trusts no number that the
 * child writes. */
#ifndef HK_ISOLATE_INTERNAL_H
#define HK_ISOLATE_INTERNAL_H

#include "base/bell.h"
#include "base/buffer.h"
#include "isolate/isolate.h"
#include "isolate/sandbox.h"

#include <sys/types.h>

/* By the page: a step with the sets before and the gets after it, or only some of these. All others
 * go through the socket. */
typedef enum hk_iso_op {
    HK_ISO_EXCHANGE, /* sets and gets */
    HK_ISO_STEP,     /* sets, the step, gets */
    HK_ISO_COLD,     /* a message waits at the socket; those that follow are their first numbers */
    HK_ISO_SET_START,
    HK_ISO_ENTER_INIT,
    HK_ISO_EXIT_INIT,
    HK_ISO_TERMINATE,
    HK_ISO_REFRESH,
    HK_ISO_START,
    HK_ISO_STOP,
    HK_ISO_BIND,
    HK_ISO_GET_TEXT,
    HK_ISO_SET_TEXT,
    HK_ISO_MAY,
    HK_ISO_STEP_FAILED,
    HK_ISO_STEP_WAIT,
    HK_ISO_CALL_FAILED,
    HK_ISO_COVERED,
    HK_ISO_STATE_GET,
    HK_ISO_STATE_SET,
    HK_ISO_STATE_FREE,
    HK_ISO_STATE_KEY,
    HK_ISO_STATE_SAVE,
    HK_ISO_STATE_LOAD,
    HK_ISO_CLOSE
} hk_iso_op;

/* Where a request ended that did not go well. */
typedef enum hk_iso_part { HK_ISO_ALL_DONE, HK_ISO_IN_SET, HK_ISO_IN_STEP } hk_iso_part;

enum {
    HK_ISO_LIST = 64,       /* calls that one request names */
    HK_ISO_WORDS = 4096,    /* of a component that is about to go */
    HK_ISO_LOOK_MS = 10,    /* how long to wait before looking after the other process */
    HK_ISO_ORPHAN_MS = 100, /* the same for the child */
    HK_ISO_CUT_OFF = 251,   /* exit status of a child that cannot be asked any more */
};

typedef struct hk_iso_page {
    hk_bell asked; /* by the parent, which writes what follows */
    hk_iso_op op;
    uint32_t set_count, get_count;
    _Atomic uint32_t crowded; /* there are more processes than processors: nobody looks in vain */
    double t, h;
    _Atomic double now; /* of the run */
    uint32_t sets[HK_ISO_LIST], gets[HK_ISO_LIST];

    hk_bell answered; /* by the child, likewise */
    hk_iso_part part;
    uint32_t done; /* sets (IN_SET: before the one that failed), else gets */
    int code;      /* of the set or the step */
    int codes[HK_ISO_LIST];
    _Atomic uint32_t busy;         /* with a request */
    _Atomic uint32_t spoke;        /* something is in the pipe */
    _Atomic(const char *) calling; /* what it is in, if that is not what was asked for: a text of
                                      the program, which both have at the same place */
    _Atomic uint32_t last_size;    /* of its last words */
    char last_words[HK_ISO_WORDS];
} hk_iso_page;

/* Values lie behind the page, by call. */
enum { HK_ISO_VALUES = (sizeof(hk_iso_page) + HK_CACHE_LINE - 1) / HK_CACHE_LINE * HK_CACHE_LINE };

/* What the child is given when it begins. */
typedef struct hk_iso_birth {
    const hk_info *info;
    const hk_unit_options *options;
    hk_iso_page *page;
    int fd, log_fd;
    const char *folder; /* for temporary files; in a sandbox without links */
    pid_t parent;
    size_t (*place)(char *text, size_t size);
    const hk_sandbox *sandbox; /* NULL: none */
    unsigned spin;             /* as it was for the other side: hk_spin_looks */
    size_t page_size;
    int door;      /* to its warden; -1: nobody waits there */
    int folder_fd; /* FOLDER, as it was when it was made; -1: there is no sandbox */
} hk_iso_birth;

/* child.c: never returns. */
_Noreturn void hk_iso_live(const hk_iso_birth *birth);
/* last_words.c: what a process has to say that is about to go. SAID is what the component said. */
void hk_iso_keep_last_words(const hk_iso_birth *birth, _Atomic(const char *) *said);

/* wire.c: whole messages over the socket. False: the other end is gone. MAY_WAIT is asked every
 * HK_ISO_LOOK_MS while nothing comes; NULL: wait for ever. */
typedef bool hk_iso_patience_fn(void *user);
bool hk_iso_send(int fd, const hk_buffer *message);
bool hk_iso_receive(int fd, hk_buffer *message, hk_iso_patience_fn *may_wait, void *user);
/* Values of a type, and texts. A text is followed by a NUL that does not count. */
void hk_iso_put_value(hk_buffer *b, const hk_value *value);
hk_value hk_iso_take_value(hk_buffer_source *s);
void hk_iso_put_texts(hk_buffer *b, const hk_bytes *texts, size_t count);
void hk_iso_take_texts(hk_buffer_source *s, hk_bytes *texts, size_t count);

/* ---- in this process ---- */

typedef struct hk_iso_unit hk_iso_unit;

/* A get or set that was bound. */
typedef struct hk_iso_call {
    hk_iso_unit *of;
    uint32_t number;
    bool set, waits; /* its values wait for the next request */
    char *values;    /* in the page; NULL: texts */
    size_t bytes, count;
    uint64_t fetched; /* at which age */
    int code;
    const char *name;
    hk_buffer kept; /* texts that were got last */
} hk_iso_call;

struct hk_iso_unit {
    hk_unit base;
    hk_unit_class unit_class;
    hk_arena *arena;
    hk_ctx *ctx; /* of the one who opened it, for what is said when it is closed */
    const hk_unit_class *own;
    pid_t pid; /* 0: it is gone */
    int how;   /* it has ended, as waitpid says it; -1: nobody knows */
    int fd, log_fd;
    bool remote;   /* served by a process that is not a child of this one */
    int page_fd;   /* of the page of a remote one; -1: none */
    int folder_fd; /* of its folder until its process is there; -1: none */
    bool counted;
    hk_iso_page *page;
    size_t size, used;
    unsigned spin;
    bool runs;        /* initialised: sets wait for the step */
    bool stepped;     /* before that, what is got is got once */
    bool lost_inside; /* a request */
    uint64_t age;     /* counts what may have changed its values */
    hk_iso_call **calls;
    size_t call_count, call_cap;
    uint32_t sets[HK_ISO_LIST], set_count; /* that wait */
    uint32_t wanted[HK_ISO_LIST], wanted_count;
    const hk_iso_call *failed; /* the set that failed before the last step; NULL: none */
    hk_buffer message, answer, heard;
    bool deaf; /* what came over the pipe of messages cannot be read */
    const _Atomic double *now;
    _Atomic(const char *) *calling;
    double start;
    hk_step_call step;
    int reported; /* what the last step returned that has a report */
    const char *library, *last_call;
    uint64_t *covered;         /* what it said last; NULL: was not asked */
    const char *folder;        /* for its temporary files: gone with it, however it ends */
    const char *child_folder;  /* ... as the child knows it; in a sandbox without links */
    const hk_sandbox *sandbox; /* NULL: none */
    struct hk_warden *warden;  /* of the sandbox; NULL: none */
    bool reports;              /* the kernel asks him */
    const char *seen, *shown;  /* what the child is in, as it says, and a copy of that text */
};

/* process.c: starts it, and waits for how the opening went. */
hk_status hk_iso_begin(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options);
void hk_iso_end(hk_iso_unit *u); /* makes sure that it is gone, and frees what is shared */
/* A request by the page; false: the process is gone. CALL is its name for messages. */
bool hk_iso_ask(hk_iso_unit *u, hk_iso_op op, const char *call);
/* A request by the socket: begins u->message; sends it, takes the answer, and adds what the child
 * has to say to CTX. The source is of the rest of the answer. */
hk_buffer *hk_iso_request(hk_iso_unit *u, hk_iso_op op);
hk_status hk_iso_answer(hk_ctx *ctx, hk_iso_unit *u, const char *call, hk_buffer_source *ret_rest);
/* The message about a process that is gone: HK_E_UNIT_CRASHED, said once. */
hk_status hk_iso_say_lost(hk_ctx *ctx, hk_iso_unit *u);
double hk_iso_now(const hk_iso_unit *u);

/* log_pipe.c: takes what FMUs have said, and what was denied; nothing more comes. */
void hk_iso_listen(hk_iso_unit *u);
void hk_iso_heard_all(hk_iso_unit *u);

/* handlers.c: of the child. Before its library goes, and with it the functions that a component has
 * for its timers, they are forgotten. */
void hk_iso_take_signals(void (*on_fatal)(int number));
void hk_iso_forget_handlers(void);

size_t hk_iso_page_size(const hk_info *info);

/* remote.c: the same where the process is not a child of this one. */
void *hk_remote_page(hk_iso_unit *u);
hk_status hk_remote_start(hk_ctx *ctx, hk_iso_unit *u, const hk_unit_options *options);
bool hk_remote_is_there(hk_iso_unit *u);
void hk_remote_leave(hk_iso_unit *u);

/* exchange.c */
hk_bind_fn hk_iso_bind_get, hk_iso_bind_set;
void hk_iso_bind_step(hk_unit *unit, hk_step_call *ret_call);
int hk_iso_flush(hk_iso_unit *u); /* makes the sets that wait */
/* isolate.c: the message about u->failed. */
hk_status hk_iso_say_failed(hk_ctx *ctx, hk_iso_unit *u, int code);

#endif
