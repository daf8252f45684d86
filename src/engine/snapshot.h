/* SPDX-License-Identifier: MIT
 *
 * Saved states. */
#ifndef HK_ENGINE_SNAPSHOT_H
#define HK_ENGINE_SNAPSHOT_H

#include "engine/sim_parts.h"

#include "base/buffer.h"

/* What is changed during a run and does not lie in the block. */
typedef struct hk_changed {
    hk_provider *providers;       /* per requirement: who is bound */
    struct hk_trouble **troubles; /* per connection: its faults; NULL: none has any */
    size_t order;                 /* in use */
    bool *gaps;                   /* per component: it was stopped for a while */
} hk_changed;

/* A saved state. The block is a copy of the simulation's own; pointers to text in it are put right
 * when it is restored. */
struct hk_snapshot {
    char *block;
    hk_blob *blobs;
    size_t blob_count;
    void **states; /* one per component */
    size_t state_count;
    bool torn;        /* the last save into it failed: parts of it are of two times */
    const char *path; /* of the file that it is from; NULL: none, or that is closed */
    bool from_file;   /* outputs are to be read again from the components */
    hk_changed changed;
    hk_tick
        *away; /* per component that runs elsewhere: its newest activation; NULL: all run here */
    hk_buffer *kept; /* one per listener */
    bool *held;      /* per port: the file holds its newest value; NULL: not from a file */
    bool *lacking;   /* per port: the file does not hold its past; NULL: not from a file */
    struct hk_given_value *given; /* what the run that wrote the file was given before it began */
    size_t given_count;
};

/* snapshot.c: all but the states of the components stays. */
void hk_snapshot_free_states(hk_sim *sim, hk_snapshot *snapshot);
/* changed.c: takes what is there now, brings it back, frees it. Putting back comes before the block
 * is, and replaces the faults by copies of those that were saved. */
void hk_changed_save(const hk_sim *sim, hk_changed *to);
HK_NODISCARD hk_status hk_changed_restore(hk_sim *sim, const hk_snapshot *snapshot);
void hk_changed_free(const hk_sim *sim, hk_changed *changed);
/* What listeners keep. Who has loaded its part is called at the next instant. */
HK_NODISCARD hk_status hk_kept_save(hk_sim *sim, hk_snapshot *snapshot);
HK_NODISCARD hk_status hk_kept_restore(hk_sim *sim, const hk_snapshot *snapshot);
/* state_pasts.c: the newest values stand in for the past that a file does not hold. */
void hk_snapshot_fill_pasts(hk_sim *sim, const hk_snapshot *snapshot);

#endif
