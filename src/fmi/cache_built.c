/* SPDX-License-Identifier: MIT
 *
 * Libraries that were compiled here, in the cache. */
#include "fmi/cache.h"

#include "base/clock.h"
#include "base/file.h"
#include "format/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *built_prefix(hk_arena *arena, const char *key) {
    return hk_arena_printf(arena, "built-%s-", key);
}

/* Of the key and the contents together: a library that was built for another key has another one.
 */
static void seal(hk_arena *arena, const char *key, const char *data, size_t size,
                 char ret_hex[65]) {
    hk_sha256_hex(data, size, ret_hex);
    const char *both = hk_arena_printf(arena, "%s %s", key, ret_hex);
    hk_sha256_hex(both, strlen(both), ret_hex);
}

/* The contents of the file, if it is ours alone and what its NAME says. */
static bool read_built(hk_arena *arena, const char *path, const char *name, const char *key,
                       char **ret_data, size_t *ret_size) {
    struct stat info;
    char hash[65];
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    bool good = lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                info.st_nlink == 1 && !(info.st_mode & (S_IWGRP | S_IWOTH)) &&
                hk_file_read(quiet, path, HK_CACHE_BYTES, ret_data, ret_size) == HK_OK;
    hk_ctx_destroy(quiet);
    if (!good)
        return false;
    seal(arena, key, *ret_data, *ret_size, hash);
    if (strlen(name) >= 64 && strcmp(name + strlen(name) - 64, hash) == 0)
        return true;
    hk_free(*ret_data);
    return false;
}

/* The whole file that is kept under KEY and what it holds; what is damaged goes. */
static const char *find_built(hk_arena *arena, const char *cache, const char *key, char **ret_data,
                              size_t *ret_size, bool *ret_damaged) {
    const char *prefix = built_prefix(arena, key), *found = NULL;
    DIR *folder = opendir(cache);
    for (const struct dirent *e = folder ? readdir(folder) : NULL; e && !found;
         e = readdir(folder)) {
        if (strncmp(e->d_name, prefix, strlen(prefix)) != 0)
            continue;
        const char *path = hk_path_join(arena, cache, e->d_name);
        if (read_built(arena, path, e->d_name, key, ret_data, ret_size)) {
            found = path;
        } else {
            hk_folder_remove(path); /* damaged, or not ours: another one takes its place */
            *ret_damaged = true;
        }
    }
    if (folder)
        closedir(folder);
    if (found)
        hk_cache_touch(found);
    return found;
}

bool hk_cache_find_built(hk_arena *arena, const char *cache, const char *key, char **ret_data,
                         size_t *ret_size) {
    bool damaged;
    return find_built(arena, cache, key, ret_data, ret_size, &damaged);
}

const char *hk_cache_path_built(hk_arena *arena, const char *cache, const char *key,
                                bool *ret_damaged) {
    char *data = NULL;
    size_t size = 0;
    bool damaged = false;
    const char *path = find_built(arena, cache, key, &data, &size, &damaged);
    if (ret_damaged)
        *ret_damaged = damaged;
    if (path)
        hk_free(data);
    return path;
}

bool hk_cache_put_built(hk_arena *arena, const char *cache, const char *key, const char *data,
                        size_t size) {
    char hash[65];
    seal(arena, key, data, size, hash);
    char *fresh = hk_arena_printf(arena, "%s/unpacking-XXXXXX", cache);
    const char *path =
        hk_path_join(arena, cache, hk_arena_printf(arena, "%s%s", built_prefix(arena, key), hash));
    int fd = mkstemp(fresh); /* of mode 600 */
    if (fd < 0)
        return false;
    size_t done = 0;
    for (ssize_t put = 0; done < size && put >= 0; done += put > 0 ? (size_t)put : 0)
        put = write(fd, data + done, size - done);
    int why = done < size ? errno : 0;
    bool kept = close(fd) == 0 && done == size && rename(fresh, path) == 0;
    if (!kept) {
        why = why ? why : errno;
        unlink(fresh);
    }
    hk_cache_tidy(cache, path, HK_CACHE_BYTES);
    errno = why;
    return kept;
}

void hk_cache_drop_built(hk_arena *arena, const char *cache, const char *key) {
    const char *path = hk_cache_path_built(arena, cache, key, NULL);
    if (path)
        unlink(path);
}

/* ---- who makes what ---- */

static const char *lock_path(hk_arena *arena, const char *cache, const char *key) {
    return hk_arena_printf(arena, "%s/.making-%s", cache, key);
}

/* The one who has had the lock removes its file: a lock of a file that is gone is none. */
static bool is_at(int fd, const char *path) {
    struct stat held, there;
    return fstat(fd, &held) == 0 && stat(path, &there) == 0 && held.st_dev == there.st_dev &&
           held.st_ino == there.st_ino;
}

int hk_cache_lock(hk_arena *arena, const char *cache, const char *key, int64_t deadline_ns) {
    const char *path = lock_path(arena, cache, key);
    const struct timespec nap = {.tv_nsec = 5000000};
    while (!deadline_ns || hk_clock_ns() < deadline_ns) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
            return -1;
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, path))
            return fd;
        close(fd);
        nanosleep(&nap, NULL);
    }
    return -1;
}

void hk_cache_unlock(hk_arena *arena, const char *cache, const char *key, int lock) {
    if (lock < 0)
        return;
    unlink(lock_path(arena, cache, key));
    close(lock);
}
