/* SPDX-License-Identifier: MIT
 *
 * Where values lie: the variables that the engine exchanges, their memory and their past. */
#ifndef HK_ENGINE_SLOTS_H
#define HK_ENGINE_SLOTS_H

#include "engine/sim.h"
#include "plan/plan.h"

#include <stdatomic.h>

typedef struct hk_range {
    uint32_t begin, end;
} hk_range;

/* What a port is needed for. */
enum {
    USE_IN = 1,       /* an input that a connection drives */
    USE_EVERY = 2,    /* read after every activation */
    USE_ROW = 4,      /* read only after activations whose value a row will show */
    USE_STATIC = 8,   /* does not change by itself: parameters, constants, undriven inputs */
    USE_HISTORY = 16, /* past activations are kept */
    USE_DELAYED = 32, /* ... because a connection looks at them, not only the record */
    USE_SHOWN = 64    /* a driven input that the record or a condition looks at */
};

/* A variable of an instance that the engine exchanges. */
typedef struct hk_engine_port {
    uint32_t component, variable;
    unsigned use;
    bool by_address;      /* the unit keeps it in memory; else it lies in a buffer of ours */
    bool apart;           /* what lies in the unit's memory may change after it was published */
    size_t offset;        /* in the block, until address is known */
    void *address;        /* first element, in the variable's store */
    bool relayed;         /* an input that might be borrowed: its own slot need not hold it */
    const void *borrowed; /* inputs that are set right out of their producer's memory; else NULL */
    size_t bytes;         /* of all its elements */
    size_t frame_offset;  /* in a frame of the history */
    uint32_t frame_blob;  /* first of its texts among those of a frame */
    uint32_t blob;        /* first blob of its elements; UINT32_MAX: not text or binary */
} hk_engine_port;

/* Text or binary that the engine owns. Grows when it has to. */
typedef struct hk_blob {
    char *data;
    size_t size, cap;
} hk_blob;

/* Element INDEX of LIST, or its end. A list of nothing has no place, and C knows no way from
 * nowhere, not even one of length 0. */
#define HK_AT(list, index) ((list) ? (list) + (index) : NULL)

/* Past activations of one instance, newest at head, each with the tick from which on it is seen:
 * its own, plus its lateness. The initial value is the activation with the tick TICK_INITIAL. */
#define TICK_INITIAL INT64_MIN
typedef struct hk_history {
    uint32_t frames; /* 0: none */
    size_t frame_size;
    hk_tick period;
    const hk_pattern *pattern; /* NULL: each activation is executed and in time */
    bool gaps;                 /* the component was stopped for a while */
    uint32_t *head;            /* these three lie in the block */
    hk_tick *ticks;
    char *data;
    size_t head_offset, ticks_offset, data_offset;
    uint32_t blob, blobs_per_frame;
} hk_history;

typedef struct hk_sim_instance {
    hk_unit *unit;
    _Atomic(const char *) said; /* its last lines, for messages; NULL: none */
    hk_range ports;
    hk_history past;
    const hk_tick *last; /* newest activation: that of its cell, or its own while it is stopped */
    const hk_tick *cell_last;
    uint64_t set_at; /* set by hand before its time: activations of its rate then, plus 1 */
} hk_sim_instance;

/* Memory of a connection that extrapolates: the two newest activations it has seen. */
typedef struct hk_slope {
    double newest, before;
    hk_tick newest_tick, before_tick;
} hk_slope;

/* All data of the engine that changes during a run lies in one piece: saving is one copy. */
typedef struct hk_sim_memory {
    char *block;
    size_t block_size;
    hk_blob *blobs;
    size_t blob_count, blob_cap;
    /* All native components, one after the other, behind a head for fused code: places.c. */
    char *system;
    size_t system_size;
    void *system_memory;
    size_t *places; /* per component: where it lies in there; 0: elsewhere */
} hk_sim_memory;

struct hk_incoming;
struct hk_exchange;

typedef struct hk_sim_slots {
    hk_sim_instance *instances;
    hk_engine_port *ports; /* by component, then variable */
    size_t port_count;
    uint32_t *texts; /* ports of the gets that deliver text */
    size_t text_count, text_cap;
    hk_slope *slopes; /* one per connection, in the block; used where inputs are extrapolated */
    struct hk_exchange *once; /* gets done once, after initialization */
    size_t once_count, once_cap;
    struct hk_incoming *incoming; /* wiring.c */
    bool *newest;   /* per connection: takes the newest value, without a look into the past */
    bool *borrowed; /* per connection: the set can read the producer's memory, without a copy */
} hk_sim_slots;

/* ports.c */
/* Asserts that there is such a variable; NULL: the engine does not keep it. */
const hk_engine_port *hk_sim_port(const hk_sim *sim, uint32_t component, uint32_t variable);
/* Where the first element lies that a connection takes, and where it brings it. */
const void *hk_source_address(const hk_sim *sim, const hk_connection *k);
void *hk_target_address(const hk_sim *sim, const hk_connection *k);

/* places.c: memory for all components that can live in it. */
void hk_places_make(hk_sim *sim);
/* copies.c */
const void *hk_history_seen(const hk_sim_instance *producer, size_t frame_offset, hk_tick latest,
                            hk_tick *ret_tick);
void hk_history_push(hk_sim *sim, hk_sim_instance *producer, hk_tick t);
void hk_blob_assign(hk_blob *b, hk_bytes value);
/* Takes the texts that a get has delivered into memory of ours. */
void hk_texts_keep(hk_sim *sim, hk_range texts);

#endif
