/* SPDX-License-Identifier: MIT
 *
 * Between the files that write CSPm. */
#ifndef HK_SOUND_CSPM_WRITE_H
#define HK_SOUND_CSPM_WRITE_H

#include "sound/spec.h"

#include <stdio.h>

typedef struct hk_cspm_writer {
    FILE *out;
    hk_arena *arena;
    const hk_sound_system *system;
    hk_spec_sizes sizes;             /* of the steps of the master that is written */
    const char **instances, **ports; /* identifiers */
    unsigned values;                 /* how many there are */
    bool stale;                      /* some set carries an old value: cells remember two */
    bool direct;     /* each input is always set from the same output, and nothing is late */
    uint32_t *taken; /* direct: per port the output that it is set from; HK_MAP_NONE: none */
    size_t loops;
} hk_cspm_writer;

/* cspm_master.c */
void hk_cspm_look_at_master(hk_cspm_writer *w);
void hk_cspm_write_master(hk_cspm_writer *w);

#endif
