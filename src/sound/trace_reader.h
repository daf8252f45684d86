/* SPDX-License-Identifier: MIT
 *
 * Between the files that read recorded traces: trace_read.c reads the lines, trace_order.c passes
 * the calls of a phase on in an order that the checker can follow. */
#ifndef HK_SOUND_TRACE_READER_H
#define HK_SOUND_TRACE_READER_H

#include "sound/sound_trace.h"

typedef struct hk_trace_gather hk_trace_gather;

typedef struct hk_trace_reader {
    hk_ctx *ctx;
    hk_arena *arena; /* of a few lines */
    const hk_sound_system *system;
    double start;
    hk_sound_checker *checker;
    hk_trace_program *program; /* the trace is one that hocket has written; NULL: it is not */
    hk_trace_gather *gather;   /* the system is a multi-model; NULL: it is not */
    const char *objection;     /* what the program first has against it, and where */
    int objection_line;
    hk_map ports, instances, *variables; /* variables: of a plan, per component */
    const char *file;
    int line, emptied; /* emptied: when the arena was, the last time */
    bool begun, json;
    bool known, commented; /* what the file is; it begins with comments */
    bool initializing;     /* plain text: in initialization mode */
    bool any;              /* a record was read; what follows is of the last one: */
    int64_t last;          /* its number; below 0: it has none */
    double last_t;
    int64_t last_phase;
    int64_t order; /* calls of all phases before this one were made before this; below 0: any */
    /* The calls of one phase, which may have been made by several threads. */
    struct hk_trace_waiting {
        hk_sound_call call;
        double t;
        int64_t order;
        bool gap;
    } * waiting;
    size_t waiting_count, waiting_cap;
    int64_t phase; /* of those; below 0: none */
    bool threads;
} hk_trace_reader;

/* Takes the call up; it is passed on when its phase ends, or at once if it is of none. */
void hk_trace_wait(hk_trace_reader *r, const hk_sound_call *call, double t, int64_t order,
                   bool gap);
/* Passes on what waits. */
void hk_trace_flush(hk_trace_reader *r);

/* trace_gather.c: names and elements of a multi-model. */
hk_trace_gather *hk_trace_gather_make(const hk_sound_system *system);
void hk_trace_gather_free(hk_trace_gather *gather); /* NULL is fine */
typedef enum hk_trace_gathered {
    HK_GATHER_UNKNOWN, /* the file does not speak of it */
    HK_GATHER_PART,    /* other elements are still to come */
    HK_GATHER_WHOLE    /* CALL is there */
} hk_trace_gathered;
/* NAME of the instance of CALL; START: it is given a start value. */
hk_trace_gathered hk_trace_gather_take(hk_trace_reader *r, const char *name, bool start,
                                       hk_sound_call *call);
/* INSTANCE steps: of no port are only some elements there. */
void hk_trace_gather_step(hk_trace_reader *r, uint32_t instance);

#endif
