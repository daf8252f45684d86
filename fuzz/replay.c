/* SPDX-License-Identifier: MIT
 *
 * The main program of a fuzz target where there is no libFuzzer: gives it every file of the folders
 * named on the command line, and every file cut short at a few places. */
#include "fuzz.h"

#include "base/file.h"

#include <dirent.h>
#include <stdio.h>

/* The input lies in memory of exactly its size, so that a sanitizer sees a step beyond its end. */
static void replay_bytes(const char *data, size_t size) {
    uint8_t *copy = hk_alloc(size ? size : 1);
    for (size_t i = 0; i < size; i++)
        copy[i] = (uint8_t)data[i];
    (void)LLVMFuzzerTestOneInput(copy, size);
    hk_free(copy);
}

static bool replay_file(hk_ctx *ctx, const char *path) {
    enum { CUTS = 16 };
    char *data;
    size_t size;
    if (hk_file_read(ctx, path, 0, &data, &size) != HK_OK)
        return false;
    replay_bytes(data, size);
    for (size_t i = 0; i < CUTS; i++)
        replay_bytes(data, size * i / CUTS);
    hk_free(data);
    return true;
}

static int replay_folder(hk_ctx *ctx, const char *folder) {
    int count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    hk_arena *arena = hk_arena_create();
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        if (!replay_file(ctx, hk_path_join(arena, folder, entry->d_name))) {
            count = -1;
            break;
        }
        count++;
    }
    hk_arena_destroy(arena);
    closedir(dir);
    return count;
}

int main(int argc, char **argv) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    int status = argc < 2;
    for (int i = 1; i < argc; i++) {
        int count = replay_folder(ctx, argv[i]);
        if (count <= 0) {
            fprintf(stderr, "%s: no corpus can be read\n", argv[i]);
            status = 1;
        } else {
            printf("%s: %d files replayed\n", argv[i], count);
        }
    }
    hk_ctx_destroy(ctx);
    return status;
}
