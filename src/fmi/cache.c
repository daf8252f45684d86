/* SPDX-License-Identifier: MIT */
#include "fmi/cache.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOUR_S = 3600, DAY_S = 24 * HOUR_S };

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

bool hk_cache_keeps(const char *entry) {
    static const char *const others[] = {"resources/", "sources/", "documentation/"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (starts_with(entry, others[i]))
            return false;
    return true;
}

/* ---- trust ---- */

const char *hk_cache_distrust(const char *folder) {
    struct stat info;
    if (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
        return "is not a folder";
    if (info.st_uid != geteuid())
        return "belongs to another user";
    return info.st_mode & (S_IWGRP | S_IWOTH) ? "can be written by others" : NULL;
}

/* Who can write to a folder can put another one in the place of those in it, unless it is sticky as
 * /tmp is. */
static bool lies_open(hk_arena *arena, const char *folder) {
    struct stat info;
    return stat(hk_path_folder(arena, folder), &info) == 0 &&
           (info.st_mode & (S_IWGRP | S_IWOTH)) && !(info.st_mode & S_ISVTX);
}

static const char *cache_path(hk_arena *arena) {
    const char *no_cache = getenv("HK_NO_CACHE");
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (no_cache && no_cache[0] && strcmp(no_cache, "0") != 0)
        return NULL;
    if (base && base[0] == '/')
        return hk_arena_printf(arena, "%s/hocket/fmu", base);
    return home && home[0] == '/' ? hk_arena_printf(arena, "%s/.cache/hocket/fmu", home) : NULL;
}

/* Made for us alone, whatever the umask is. That it cannot be had is not an error. */
static bool make_folder(hk_arena *arena, const char *parent, const char *folder) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const char *base = hk_path_folder(arena, parent);
    bool made = hk_folder_make(quiet, hk_path_folder(arena, base)) == HK_OK &&
                (mkdir(base, 0700) == 0 || errno == EEXIST) &&
                (mkdir(parent, 0700) == 0 || errno == EEXIST) &&
                (mkdir(folder, 0700) == 0 || errno == EEXIST);
    hk_ctx_destroy(quiet);
    return made && access(folder, W_OK | X_OK) == 0;
}

const char *hk_cache_folder(hk_ctx *ctx, hk_arena *arena) {
    static atomic_flag said = ATOMIC_FLAG_INIT;
    const char *folder = cache_path(arena);
    if (!folder)
        return NULL;
    const char *parent = hk_path_folder(arena, folder), *at = parent;
    if (!hk_folder_exists(folder) && !make_folder(arena, parent, folder))
        return NULL;
    const char *why = hk_cache_distrust(parent);
    if (!why && lies_open(arena, parent))
        why = "lies in a folder that others can write to";
    if (!why) {
        why = hk_cache_distrust(folder);
        at = folder;
    }
    if (why && !atomic_flag_test_and_set(&said))
        hk_note(ctx, (hk_where){.file = at},
                "the cache %s and is not used: FMUs are unpacked for each run; 'chmod go-w' or "
                "another XDG_CACHE_HOME mends it",
                why);
    return why || access(folder, W_OK | X_OK) != 0 ? NULL : folder;
}

/* ---- entries ---- */

/* True if the file at PATH is what the archive holds as its entry INDEX, byte for byte: a checksum
 * could be forged. */
static bool same_contents(const hk_zip *zip, size_t index, const char *path) {
    struct stat info;
    bool same = false;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        (uint64_t)info.st_size == hk_zip_size(zip, index)) {
        size_t size = (size_t)info.st_size;
        void *data = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0) : "";
        same = data != MAP_FAILED && hk_zip_equals(zip, index, data, size);
        if (size && data != MAP_FAILED)
            munmap(data, size);
    }
    close(fd);
    return same;
}

/* True for a file or a folder that is ours alone: no link, and nobody else writes to it. */
static bool is_ours(const struct stat *info) {
    return (S_ISDIR(info->st_mode) || (S_ISREG(info->st_mode) && info->st_nlink == 1)) &&
           info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

/* How many files lie in the folder at PATH and below; more than there can be if something there is
 * not ours alone. */
static size_t files_below(hk_arena *arena, const char *path) {
    enum { TOO_MANY = HK_ZIP_ENTRIES_MAX + 1 };
    struct stat info;
    if (lstat(path, &info) != 0 || !is_ours(&info))
        return TOO_MANY;
    if (!S_ISDIR(info.st_mode))
        return 1;
    size_t count = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            count += files_below(arena, hk_path_join(arena, path, e->d_name));
    if (folder)
        closedir(folder);
    return count;
}

/* True if FOLDER is ours alone and holds every file of the archive as it is there, and nothing
 * else: what an FMU has written beside its library would be found there by its next run. */
static bool complete(const hk_zip *zip, const char *folder) {
    hk_arena *arena = hk_arena_create();
    struct stat info;
    size_t kept = 0;
    bool whole =
        !hk_cache_distrust(folder) && lstat(hk_path_join(arena, folder, "resources"), &info) != 0;
    for (size_t i = 0; whole && i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i);
        bool is_file = name[0] && name[strlen(name) - 1] != '/';
        if (is_file && hk_cache_keeps(name)) {
            whole = same_contents(zip, i, hk_path_join(arena, folder, name));
            kept++;
        }
    }
    whole = whole && files_below(arena, folder) == kept;
    hk_arena_destroy(arena);
    return whole;
}

/* ---- entries in use ---- */

/* Each entry that this process uses is locked, for all of its users together, so that no other
 * process removes it. There is a limit to files that a process may open; beyond that the time of
 * the last use must do. */
typedef struct use {
    struct use *next;
    char *entry;
    int fd;
    size_t users;
} use;
enum { LOCKS_MAX = 128 };
static pthread_mutex_t uses_lock = PTHREAD_MUTEX_INITIALIZER;
static use *uses;
static size_t lock_count;

static int lock_entry(const char *entry, int how) {
    int fd = open(entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, how | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Called before the entry is looked at, and after it was made anew. */
static void hold(const char *entry) {
    pthread_mutex_lock(&uses_lock);
    use *u = uses;
    while (u && strcmp(u->entry, entry) != 0)
        u = u->next;
    if (!u && lock_count < LOCKS_MAX) {
        u = hk_alloc(sizeof *u);
        *u = (use){.next = uses, .entry = strdup(entry), .fd = -1};
        uses = u;
        lock_count++;
    }
    if (u) {
        u->users++;
        int before = u->fd;
        u->fd = lock_entry(entry, LOCK_SH); /* it may be another folder than before */
        if (before >= 0)
            close(before);
    }
    pthread_mutex_unlock(&uses_lock);
}

void hk_cache_release(const char *entry) {
    pthread_mutex_lock(&uses_lock);
    use **link = &uses, *u;
    while (*link && strcmp((*link)->entry, entry) != 0)
        link = &(*link)->next;
    u = *link;
    if (u && --u->users == 0) {
        *link = u->next;
        if (u->fd >= 0)
            close(u->fd);
        free(u->entry);
        hk_free(u);
        lock_count--;
    }
    pthread_mutex_unlock(&uses_lock);
}

/* Removes it unless somebody uses it. */
static bool remove_unused(const char *path) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return false;
    int fd = S_ISDIR(info.st_mode) ? lock_entry(path, LOCK_EX) : -1;
    if (S_ISDIR(info.st_mode) && fd < 0)
        return false;
    hk_folder_remove(path);
    if (fd >= 0)
        close(fd);
    return true;
}

void hk_cache_touch(const char *folder) {
    struct stat info;
    if (stat(folder, &info) == 0 && time(NULL) - info.st_mtime > HOUR_S)
        (void)utimensat(AT_FDCWD, folder, NULL, 0);
}

/* Puts the folder FRESH in the place of TARGET. Another process may do the same at this moment: if
 * what is there in the end is whole, it does not matter who put it there. */
static bool install(hk_arena *arena, const hk_zip *zip, const char *fresh, const char *target) {
    for (int attempt = 0; attempt < 8; attempt++) {
        if (rename(fresh, target) == 0)
            return true;
        if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
            return false;
        if (complete(zip, target)) {
            hk_folder_remove(fresh);
            return true;
        }
        const char *damaged = hk_arena_printf(arena, "%s.damaged", fresh);
        if (rename(target, damaged) == 0)
            hk_folder_remove(damaged);
    }
    return false;
}

static hk_status unpack(hk_ctx *ctx, hk_arena *arena, hk_zip *zip, const char *cache,
                        const char *target) {
    static const char hint[] = "set HK_NO_CACHE=1 to do without the cache";
    char *fresh = hk_arena_printf(arena, "%s/unpacking-XXXXXX", cache);
    if (!mkdtemp(fresh))
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = cache}, hint,
                        "cannot make a folder for the unpacked FMU: %s", strerror(errno));
    hk_status status = hk_zip_extract(ctx, zip, hk_cache_keeps, fresh);
    if (status != HK_OK) {
        hk_folder_remove(fresh);
        return status;
    }
    if (!install(arena, zip, fresh, target)) {
        int why = errno;
        hk_folder_remove(fresh);
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = target}, hint,
                        "cannot put the unpacked FMU in its place: %s", strerror(why));
    }
    hk_cache_tidy(cache, target, HK_CACHE_BYTES);
    return HK_OK;
}

hk_status hk_cache_take(hk_ctx *ctx, hk_arena *arena, hk_zip *zip, const char *cache,
                        const char **ret_folder) {
    char key[65];
    hk_zip_fingerprint(zip, key);
    const char *target = hk_path_join(arena, cache, key);
    hold(target);
    if (complete(zip, target)) {
        hk_cache_touch(target);
    } else {
        hk_status status = unpack(ctx, arena, zip, cache, target);
        hk_cache_release(target);
        HK_TRY(status);
        hold(target); /* the new one */
    }
    *ret_folder = target;
    return HK_OK;
}

/* ---- order ---- */

typedef struct kept {
    const char *path;
    int64_t bytes;
    time_t used;
} kept;

static int64_t bytes_below(hk_arena *arena, const char *path) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return 0;
    int64_t bytes = (int64_t)info.st_blocks * 512;
    DIR *folder = S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    for (const struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            bytes += bytes_below(arena, hk_path_join(arena, path, e->d_name));
    if (folder)
        closedir(folder);
    return bytes;
}

static int oldest_first(const void *a, const void *b) {
    const kept *x = a, *y = b;
    return x->used < y->used ? -1 : x->used > y->used;
}

void hk_cache_tidy(const char *cache, const char *keep, int64_t bytes_max) {
    hk_arena *arena = hk_arena_create();
    kept *all = NULL;
    size_t count = 0, cap = 0;
    int64_t bytes = 0;
    time_t now = time(NULL);
    struct stat info;
    DIR *folder = opendir(cache);
    for (const struct dirent *e = folder ? readdir(folder) : NULL; e; e = readdir(folder)) {
        const char *path = hk_path_join(arena, cache, e->d_name);
        if (e->d_name[0] == '.' || strcmp(path, keep) == 0 || lstat(path, &info) != 0)
            continue;
        kept one = {path, bytes_below(arena, path), info.st_mtime};
        bytes += one.bytes;
        HK_PUSH(all, count, cap, one);
    }
    if (folder)
        closedir(folder);
    bytes += bytes_below(arena, keep);
    if (count)
        qsort(all, count, sizeof *all, oldest_first);
    for (size_t i = 0; i < count; i++) {
        bool left = starts_with(hk_path_name(all[i].path), "unpacking-");
        time_t age = now - all[i].used;
        /* What was used in the last hour may be in use. */
        if (age > (left ? DAY_S : HK_CACHE_DAYS * DAY_S) || (bytes > bytes_max && age > HOUR_S)) {
            if (remove_unused(all[i].path))
                bytes -= all[i].bytes;
        }
    }
    hk_free(all);
    hk_arena_destroy(arena);
}
