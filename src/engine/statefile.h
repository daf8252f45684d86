/* SPDX-License-Identifier: MIT
 *
 * A state in a file (.hks), for the files that write and read one. It holds what the model means,
 * not how a run was laid out: it can be loaded by a run that records other signals, has another
 * stop time, or a finer tick.
 *
 *   "HKSTATE5", then little-endian 64-bit words and byte strings (length first):
 *   ticks per second, start, now;
 *   number of components, each: name; number of connections, each: name;
 *   number of parts that belong to listeners, each: name, bytes;
 *   number of components, and for each
 *     name, name of its type, key and build of its state (hk_unit_class.state_key),
 *     newest activation of its rate, the end of its step; whether it is active, how much its own
 *     clock is behind, whether it was stopped for a while, its newest activation; state;
 *     number of values that were given before the run, each: name, hash;
 *     number of driven inputs and outputs that are exchanged, each: name, bytes;
 *     number of kept activations (newest first), each: tick, number of ports, each: name, bytes;
 *   number of connections that extrapolate, each: index, two values, two ticks;
 *   number of required interfaces, each: who is bound, a component and its service;
 *   number of faulty connections, each: index, name, whether a value was sent, values that it is
 *     stuck at; number of elements, each: bits of its faults, a value for each, delay;
 *   hash of the mathematical library (base/libm.h); checksum.
 *
 * Texts are byte strings that hold their elements, each with its length first. */
#ifndef HK_ENGINE_STATEFILE_H
#define HK_ENGINE_STATEFILE_H

#include "engine/snapshot.h"

#include "base/buffer.h"

#define HK_STATE_MAGIC   "HKSTATE"
#define HK_STATE_VERSION '5'

/* What the state of the component does not hold: what lies in memory of ours, driven inputs and
 * outputs that are read after every activation (a component may have been set since), and outputs
 * that were published and may have changed since. Inputs that are set right out of the memory of
 * their producers, or would be if that lay somewhere else, are not held: another run may have other
 * memory. */
static inline bool hk_state_holds(const hk_sim_instance *inst, const hk_engine_port *p) {
    bool text = inst->unit->info->variables[p->variable].store == HK_STORE_BYTES;
    bool output = p->use & USE_EVERY && !p->by_address && (!text || p->blob != UINT32_MAX);
    bool input = p->use & USE_IN && (!p->by_address || text) && !p->relayed;
    return input || output || p->apart;
}

/* state_bytes.c: little-endian words, and byte strings with their length first. */
void hk_state_word(hk_buffer *b, uint64_t word);
void hk_state_bytes(hk_buffer *b, const void *data, size_t size);
void hk_state_text(hk_buffer *b, const char *text);

/* What other nodes have packed: by component, and by connection of the component that it leads to.
 */
typedef struct hk_state_pieces {
    hk_bytes *components, *slopes, *troubles; /* size 0: none came */
} hk_state_pieces;

struct hk_given_value;

/* statefile.c: all of a file, or what a node packs of it for others. */
HK_NODISCARD hk_status hk_state_pack(hk_buffer *b, hk_sim *sim, const hk_snapshot *s,
                                     const hk_state_pieces *pieces);
HK_NODISCARD hk_status hk_state_put_component(hk_buffer *b, hk_sim *sim, const hk_snapshot *s,
                                              size_t component, const struct hk_given_value *list,
                                              size_t count);
void hk_state_put_slope(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s, size_t connection);
/* The instant that comes next in a saved run. */
hk_tick hk_state_now(const hk_sim *sim, const hk_snapshot *s);

/* A file that is read. What is wrong ends the reading with one message. */
typedef struct hk_state_reader {
    hk_sim *sim;
    const char *path;
    const char *data;
    size_t left;
    int64_t ticks_per_second; /* of the file */
    hk_snapshot *snapshot;
    hk_blob name;   /* of a variable */
    hk_tick *ends;  /* per component: where the last step of its rate ended */
    hk_tick *steps; /* per component: how long that was, in ticks of the file */
    size_t given_cap;
    bool same_connections; /* in the same order */
    bool failed;
    hk_status status; /* why */
} hk_state_reader;

void hk_state_bad(hk_state_reader *r, const char *why);
const char *hk_state_get(hk_state_reader *r, size_t size);
uint64_t hk_state_get_word(hk_state_reader *r);
hk_bytes hk_state_get_bytes(hk_state_reader *r);
/* A tick of the file in ticks of this run. */
hk_tick hk_state_here(hk_state_reader *r, hk_tick tick);

/* state_changes.c: when a component was activated last, and whether it is stopped; who is bound and
 * what is faulty; what listeners keep. hk_state_get_clock is the newest activation that it has seen
 * itself. */
void hk_state_put_clock(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s, size_t c);
hk_tick hk_state_get_clock(hk_state_reader *r, size_t c);
/* PIECES: of connections to components that run elsewhere; NULL: none does. */
void hk_state_put_changes(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s,
                          const struct hk_state_pieces *pieces);
void hk_state_put_trouble(hk_buffer *b, const hk_sim *sim, uint32_t connection,
                          const struct hk_trouble *x);
void hk_state_get_changes(hk_state_reader *r);
void hk_state_put_parts(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s);
void hk_state_get_parts(hk_state_reader *r);

/* state_plan.c: whose state it is. */
void hk_state_put_names(hk_buffer *b, const hk_sim *sim);
void hk_state_get_names(hk_state_reader *r);

/* What makes a state of the unit readable; it lives in ARENA. */
typedef struct hk_state_key {
    const char *key;
    uint64_t build;
} hk_state_key;
hk_state_key hk_state_key_of(hk_unit *unit, hk_arena *arena);

/* state_frame.c: the last word of a file is the checksum of all before it. */
bool hk_state_checksum_agrees(const char *data, size_t size);
bool hk_state_is_other_format(char version);
/* Says so; HK_E_STATE_FILE. */
hk_status hk_state_other_format(hk_ctx *ctx, const char *path, char version);

/* state_parameters.c: a value that a variable was given before the run, by its hash. */
typedef struct hk_given_value {
    uint32_t component, variable;
    uint64_t hash;
} hk_given_value;

/* What was given to the components, by component: by the model here, or by the run whose state was
 * loaded last. */
size_t hk_given_list(const hk_sim *sim, hk_given_value **ret_list); /* free with hk_free */
/* The state of a run in which FILED was given is to be loaded here: warns of what is another here,
 * and fails if that is a wish of the user that cannot be fulfilled. */
HK_NODISCARD hk_status hk_given_compare(hk_sim *sim, const char *path, const hk_given_value *filed,
                                        size_t count);
/* The state is loaded: the wishes of the user that can be fulfilled. */
HK_NODISCARD hk_status hk_given_apply(hk_sim *sim, const hk_snapshot *snapshot);

#endif
