/* SPDX-License-Identifier: MIT
 *
 * A state in a file (.hks), for the files that write and read one. It holds what the model means,
 * not how a run was laid out: it can be loaded by a run that records other signals, has another
 * stop time, or a finer tick.
 *
 *   "HKSTATE3", then little-endian 64-bit words and byte strings (length first):
 *   ticks per second, start, now; number of components, and for each
 *     name, name of its type, key and build of its state (hk_unit_class.state_key),
 *     newest activation, the end of its step, state;
 *     number of values that were given before the run, each: name, hash;
 *     number of driven inputs and outputs that are published apart, each: name, bytes;
 *     number of kept activations (newest first), each: tick, number of ports, each: name, bytes;
 *   number of connections that extrapolate, each: index, two values, two ticks;
 *   hash of the mathematical library (base/libm.h); checksum.
 *
 * Texts are byte strings that hold their elements, each with its length first. */
#ifndef HK_ENGINE_STATEFILE_H
#define HK_ENGINE_STATEFILE_H

#include "engine/sim_parts.h"

#define HK_STATE_MAGIC   "HKSTATE"
#define HK_STATE_VERSION '3'

/* What the state of the component does not hold: driven inputs in memory of ours, and outputs that
 * were published and may have changed since. */
static inline bool hk_state_holds(const hk_sim_instance *inst, const hk_engine_port *p) {
    bool text = inst->unit->info->variables[p->variable].store == HK_STORE_BYTES;
    return ((p->use & USE_IN) && (!p->by_address || text)) || p->apart;
}

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
