/* SPDX-License-Identifier: MIT
 *
 * A scenario under way as bytes: what keep.c writes and keep_read.c reads. */
#ifndef HK_PLAY_KEEP_H
#define HK_PLAY_KEEP_H

#include "play/play_internal.h"

enum { HK_KEEP_VERSION = 3 };

/* What the events and the expectations of a scenario are, as far as a run goes by them. */
uint64_t hk_keep_events(const hk_scenario *s);
uint64_t hk_keep_expectations(const hk_scenario *s);
/* keep_read.c: as in hk_keeper. */
hk_status hk_keep_load(void *user, const char *path, const char *data, size_t size);

#endif
