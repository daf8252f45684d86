/* SPDX-License-Identifier: MIT
 *
 * Temporary folders of processes that were killed. A process that gets no chance to clean up leaves
 * its folders behind; so their names say whose they are, and the next process that makes one
 * removes those whose owner is gone. */
#ifndef HK_BASE_LEFTOVERS_H
#define HK_BASE_LEFTOVERS_H

#include "base/memory.h"

/* "hocket-4026531836.1234.567890-", for a folder of this process; "hocket-" where the system does
 * not tell who a process is. */
const char *hk_leftovers_prefix(hk_arena *arena);
/* Removes from FOLDER what processes of this user have left that are gone. */
void hk_leftovers_remove(const char *folder);

#endif
