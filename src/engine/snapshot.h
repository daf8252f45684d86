/* SPDX-License-Identifier: MIT
 *
 * Saved states. */
#ifndef HK_ENGINE_SNAPSHOT_H
#define HK_ENGINE_SNAPSHOT_H

#include "engine/sim_parts.h"

/* A saved state. The block is a copy of the simulation's own; pointers to text in it are put right
 * when it is restored. */
struct hk_snapshot {
    char *block;
    hk_blob *blobs;
    size_t blob_count;
    void **states; /* one per component */
    size_t state_count;
    bool torn;      /* the last save into it failed: parts of it are of two times */
    bool from_file; /* outputs are to be read again from the components */
    bool *lacking;  /* per port: the file does not hold its past; NULL: not from a file */
    struct hk_given_value *given; /* what the run that wrote the file was given before it began */
    size_t given_count;
};

/* snapshot.c: all but the states of the components stays. */
void hk_snapshot_free_states(hk_sim *sim, hk_snapshot *snapshot);
/* state_pasts.c: the newest values stand in for the past that a file does not hold. */
void hk_snapshot_fill_pasts(hk_sim *sim, const hk_snapshot *snapshot);

#endif
