/* SPDX-License-Identifier: MIT
 *
 * Which mathematics the components of a run compute with. Nobody can see what a component calls,
 * but what it can call is in the symbol table of its library: of libm no more than that, unless
 * it brings a copy of its own. */
#ifndef HK_RECORD_MATHEMATICS_H
#define HK_RECORD_MATHEMATICS_H

#include "engine/sim.h"
#include "format/json.h"

/* Of one library. */
typedef struct hk_mathematics_of {
    const char *library;     /* the name of its file; NULL: hocket's own code */
    const char *portable;    /* "hk/math.h 1": it was compiled with that; NULL: it was not */
    const char *const *libm; /* functions of libm it can call whose last bits differ */
    size_t libm_count;
    const char *const *needs; /* libraries it is linked with, other than the system's */
    size_t needs_count;
    bool unread; /* the file cannot be read, so that nothing is known */
} hk_mathematics_of;

typedef struct hk_mathematics {
    const hk_mathematics_of *all; /* each library once, in the order of the components */
    size_t count;
    bool libm; /* results may depend on libm: one can call it, or is not known */
} hk_mathematics;

/* Of the components of SIM. Everything lives in ARENA. */
const hk_mathematics *hk_mathematics_read(hk_arena *arena, const hk_sim *sim);
void hk_put_mathematics(hk_json *json, const char *key, const hk_mathematics *mathematics);

#endif
