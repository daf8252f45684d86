/* SPDX-License-Identifier: MIT
 *
 * What one process hands to another that was not forked from it: descriptors over a socket, and
 * memory that both see. */
#ifndef HK_BASE_DESCRIPTORS_H
#define HK_BASE_DESCRIPTORS_H

#include "base/diag.h"

/* One byte over the UNIX socket FD, and a descriptor with it. False: nobody reads any more. */
bool hk_descriptor_send(int fd, int descriptor);
/* The next one, which is the caller's; -1: none came. Between them nothing else may be read from FD
 * than what was written before: descriptors get lost with the bytes they came with. */
int hk_descriptor_take(int fd);

/* Zeroed memory that has a descriptor, no name, and a size that nobody can change any more; NULL:
 * there is none (errno). */
void *hk_memory_to_share(size_t size, int *ret_descriptor);
/* Such memory of another process; NULL: it is something else, or not of this size. */
void *hk_memory_of(int descriptor, size_t size);

#endif
