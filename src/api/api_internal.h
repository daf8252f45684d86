/* SPDX-License-Identifier: MIT
 *
 * What is behind the public objects. */
#ifndef HK_API_API_INTERNAL_H
#define HK_API_API_INTERNAL_H

#include "assembly/recording.h"
#include "engine/sim.h"
#include "play/play.h"
#include "record/written.h"

#include <hk/session.h>

#include <stdatomic.h>

/* Systems and sessions of a context may live on different threads, so the count is atomic. */
struct hk_context {
    atomic_size_t references; /* its creator, and each system */
    atomic_size_t systems;    /* that may read their files again */
    hk_ctx *ctx;
    hk_arena *texts; /* of hk_context_errors */
};

hk_context *hk_context_retain(hk_context *context);
/* With the last system nobody needs the files any more that were read for it. */
void hk_context_forget_files(hk_context *context);

typedef struct hk_native_type {
    const hk_unit_type *type;
    const hk_info *info;
} hk_native_type;

struct hk_system {
    atomic_size_t references; /* its creator, and each session */
    hk_context *context;
    hk_ctx *ctx;
    hk_model *model;
    hk_simulation *simulation; /* owns the model; NULL: a system alone */
    hk_native_type *types;     /* those that were registered */
    size_t type_count, type_cap;
    hk_request request;       /* texts in the model's arena, or in TEXTS */
    hk_arena *opened, *texts; /* what its file was opened with; NULL: it was made without one */
    hk_experiment experiment; /* as the file says; completed anew for each session */
    bool complete;            /* no changes of components and connections any more */
};

hk_system *hk_system_retain(hk_system *system);
/* Checks the model, once. */
HK_NODISCARD hk_status hk_system_complete(hk_system *system);
/* The same, and its experiment is that of the file again: for those who complete it anew. */
HK_NODISCARD hk_status hk_system_ready(hk_system *system);
/* Completes the experiment and makes the plan of a run; the assembly is closed in any case. */
HK_NODISCARD hk_status hk_system_plan(hk_system *system, bool quiet, hk_assembly *ret_assembly);

/* A variable that the program has asked for. */
typedef struct hk_bound {
    const hk_variable *about;
    hk_access *access;
    hk_address at;
    size_t count;     /* elements it means */
    bool item_warned; /* it was set to what is not an item of its enumeration */
    void *scratch;    /* room for all elements in any store: results are written on success only */
} hk_bound;

struct hk_row {
    const hk_session *session;
    const char *cells;
    double time;
};

struct hk_session {
    hk_system *system;
    hk_ctx *ctx;
    hk_arena *arena;
    uint32_t serial; /* in every hk_var, so that those of other sessions are known */
    hk_session_options options;
    hk_assembly made;
    const hk_plan *plan; /* that of the assembly */
    hk_sim *sim;         /* that of the performance, if there is one */
    hk_play_options play;
    hk_performance *performance; /* of a scenario; NULL: the system runs alone */
    const hk_play_run *outcome;  /* what it came to; NULL: it has not ended */
    hk_recording recording;
    const char *record_path;
    hk_written written;         /* the record, looked at again when the components are gone */
    hk_recorder_stats recorded; /* of the record, once it is closed */
    hk_listener listeners[2];   /* the program, and the record */
    size_t listener_count, record_listener;
    hk_row row; /* in progress */
    char *row_cells;
    hk_bound *vars;
    size_t var_count, var_cap;
    hk_state *states; /* all that are alive */
    bool finished;    /* the stop time was reached */
    bool failed;
    hk_status ended; /* what the last call that ran ended with */
};

struct hk_state {
    hk_session *session; /* NULL: it is gone */
    hk_snapshot *snapshot;
    hk_state *next, *before; /* in the session's list */
};

/* session_states.c: frees what the states hold; they belong to the program. */
void hk_states_detach(hk_session *session);

/* Options and answers begin with their size, as the caller's headers know it. TAKE: what the caller
 * does not know is zero; what only the caller knows must be. False: no size, or such a field. GIVE:
 * fills what the caller knows. */
bool hk_options_take(void *ret_options, size_t size, const void *given);
bool hk_answer_give(void *ret_answer, const void *full, size_t size);
hk_status hk_wrong_size(hk_ctx *ctx, const char *type);
/* Declares NAME, the OPTIONS of TYPE that the caller gave; all zero if they are NULL. */
#define HK_TAKE_OPTIONS(ctx, type, options, name)                                                  \
    type name = {0};                                                                               \
    HK_TRY(hk_options_read(ctx, #type, options, &(name), sizeof(name)))
HK_NODISCARD hk_status hk_options_read(hk_ctx *ctx, const char *type, const void *options,
                                       void *ret_options, size_t size);
/* answer.c: what OPTIONS ask for, but for the file; NULL: nothing. */
HK_NODISCARD hk_status hk_file_options_read(hk_ctx *ctx, const hk_file_options *options,
                                            hk_request *ret_request);
/* COUNT texts called NAME, none of which may be NULL. */
HK_NODISCARD hk_status hk_texts_read(hk_ctx *ctx, const char *name, const char *const *texts,
                                     size_t count, hk_texts *ret_texts);
/* A program that checks nothing else than the message should see which argument it forgot. */
hk_status hk_is_null(const hk_context *context, const char *what);
/* The same for arguments of a function of a system or session, which may be NULL itself. */
hk_status hk_missing_argument(hk_ctx *ctx, const char *function);
#define HK_MISSING_ARGUMENT(self) hk_missing_argument((self) ? (self)->ctx : NULL, __func__)

/* system_values.c */
extern const char hk_names_hint[]; /* for names that are like no other */
/* ELEMENT: of one element of it. */
bool hk_variable_give(const hk_variable *variable, bool element, hk_variable_info *ret_info);

#endif
