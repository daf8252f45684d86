/* SPDX-License-Identifier: MIT */
#include "cli/listing.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool hk_list_folder(hk_arena *arena, const char *folder, bool (*wanted)(const char *),
                    hk_texts *ret_paths) {
    HK_ASSERT(arena && folder && wanted && ret_paths);
    DIR *dir = opendir(folder);
    const char **found = NULL;
    size_t count = 0, cap = 0;
    const struct dirent *entry;
    if (!dir)
        return false;
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.' && wanted(entry->d_name))
            HK_PUSH(found, count, cap, hk_path_join(arena, folder, entry->d_name));
    closedir(dir);
    if (count)
        qsort(found, count, sizeof *found, by_name);
    const char **all = HK_NEW_ARRAY(arena, const char *, count + 1);
    if (count)
        memcpy(all, found, count * sizeof *all);
    hk_free(found);
    *ret_paths = (hk_texts){all, count};
    return true;
}
