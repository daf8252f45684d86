/* SPDX-License-Identifier: MIT */
#ifndef HK_CLI_LISTING_H
#define HK_CLI_LISTING_H

#include "base/memory.h"

/* The files in FOLDER whose names are WANTED, by name; hidden ones are not. False: it cannot be
 * read, and errno says why. What is returned lives in ARENA. */
HK_NODISCARD bool hk_list_folder(hk_arena *arena, const char *folder, bool (*wanted)(const char *),
                                 hk_texts *ret_paths);

#endif
