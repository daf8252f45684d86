/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include "base/claims.h"
#include "base/ledger.h"
#include "base/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static hk_status cannot(hk_ctx *ctx, hk_status code, const char *path, const char *what) {
    int problem = errno;
    const char *hint = NULL;
    if (problem == ENOENT)
        hint = code == HK_E_FILE_READ ? "check the spelling of the path"
                                      : "create the folder first, or check the spelling";
    else if (problem == EACCES || problem == EPERM)
        hint = "check the permissions";
    else if (problem == ENOSPC)
        hint = "free some space on the disk";
    char reason[128] = "unknown reason";
    (void)strerror_r(problem, reason, sizeof reason);
    return hk_error(ctx, code, (hk_where){.file = path}, hint, "cannot %s: %s", what, reason);
}

static hk_status too_large(hk_ctx *ctx, const char *path, size_t limit) {
    return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, NULL,
                    "is larger than the %zu bytes allowed here", limit);
}

/* A file that is open. */
typedef struct opened {
    int fd;
    const char *path;
    size_t size; /* what the file system says, which may be wrong (pipes, /proc) */
} opened;

/* Reads to its end. */
static hk_status read_all(hk_ctx *ctx, opened file, size_t limit, char **ret_data,
                          size_t *ret_size) {
    const char *path = file.path;
    size_t cap = file.size + 1, used = 0;
    char *data = hk_realloc(NULL, cap + 1);
    for (;;) {
        if (used == cap) {
            cap *= 2;
            data = hk_realloc(data, cap + 1);
        }
        ssize_t got = read(file.fd, data + used, cap - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            hk_free(data);
            return cannot(ctx, HK_E_FILE_READ, path, "read it");
        }
        if (got == 0)
            break;
        used += (size_t)got;
        if (limit && used > limit) {
            hk_free(data);
            return too_large(ctx, path, limit);
        }
    }
    data[used] = '\0';
    *ret_data = data;
    *ret_size = used;
    return HK_OK;
}

static hk_status read_packed(hk_ctx *ctx, const char *path, size_t limit, char **ret_data,
                             size_t *ret_size) {
    const char *data;
    HK_TRY(hk_packed_view(ctx, path, &data, ret_size));
    if (limit && *ret_size > limit)
        return too_large(ctx, path, limit);
    *ret_data = memcpy(hk_realloc(NULL, *ret_size + 1), data, *ret_size + 1);
    return HK_OK;
}

hk_status hk_file_read(hk_ctx *ctx, const char *path, size_t limit, char **ret_data,
                       size_t *ret_size) {
    if (hk_packed_is(path))
        return read_packed(ctx, path, limit, ret_data, ret_size);
    HK_TRY(hk_claim_read(ctx, path));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot(ctx, HK_E_FILE_READ, path, "open it");
    struct stat info;
    hk_status status;
    if (fstat(fd, &info) != 0)
        status = cannot(ctx, HK_E_FILE_READ, path, "read it");
    else if (S_ISDIR(info.st_mode))
        status = hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, "name a file inside it",
                          "is a folder, not a file");
    else if (limit && S_ISREG(info.st_mode) && (uintmax_t)info.st_size > limit)
        status = too_large(ctx, path, limit);
    else
        status =
            read_all(ctx, (opened){fd, path, S_ISREG(info.st_mode) ? (size_t)info.st_size : 4096},
                     limit, ret_data, ret_size);
    close(fd);
    return status;
}

/* Writes and closes FD; false with errno set if anything went wrong. */
static bool write_all(int fd, const char *data, size_t size) {
    while (size) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0) {
            int problem = errno;
            close(fd);
            errno = problem;
            return false;
        }
        data += put;
        size -= (size_t)put;
    }
    return close(fd) == 0;
}

static hk_status cannot_be_written(hk_ctx *ctx, const char *path, const char *hint,
                                   const char *why) {
    return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, hint, "cannot be written: %s",
                    why);
}

hk_status hk_file_check(hk_ctx *ctx, const char *path) {
    struct stat info;
    bool there = stat(path, &info) == 0;
    if (there && S_ISDIR(info.st_mode))
        return cannot_be_written(ctx, path, "name a file inside it", "it is a folder");
    hk_arena *arena = hk_arena_create();
    const char *folder = hk_path_folder(arena, path);
    bool home = hk_folder_exists(folder);
    /* What is replaced goes through a new file beside it. */
    bool open = access(there ? path : folder, there ? W_OK : W_OK | X_OK) == 0;
    int problem = errno;
    hk_arena_destroy(arena);
    if (!home)
        return cannot_be_written(ctx, path, "create the folder first, or check the spelling",
                                 "its folder does not exist");
    if (open)
        return HK_OK;
    char reason[128] = "unknown reason";
    (void)strerror_r(problem, reason, sizeof reason);
    return cannot_be_written(ctx, path, "check the permissions", reason);
}

bool hk_path_is_stdout(const char *path) {
    enum { LINKS_MAX = 16 };
    char here[PATH_MAX], own[PATH_MAX], target[PATH_MAX];
    if (strcmp(path, "-") == 0)
        return true;
    if (!realpath("/proc/self/fd", own))
        return false;
    hk_arena *arena = hk_arena_create();
    bool found = false;
    for (int i = 0; i < LINKS_MAX && !found; i++) {
        found = strcmp(hk_path_name(path), "1") == 0 &&
                realpath(hk_path_folder(arena, path), here) && strcmp(here, own) == 0;
        ssize_t length = found ? 0 : readlink(path, target, sizeof target - 1);
        if (length <= 0)
            break;
        target[length] = '\0';
        path = hk_path_join(arena, hk_path_folder(arena, path), target);
    }
    hk_arena_destroy(arena);
    return found;
}

/* The mode of a program whose file may be used as MODE says. */
static mode_t executable(mode_t mode) {
    return mode | (mode & 0444) >> 2;
}

static hk_status write_file(hk_ctx *ctx, const char *path, const void *data, size_t size,
                            bool program) {
    static atomic_uint serial;
    struct stat info;
    HK_TRY(hk_file_check(ctx, path));
    bool there = stat(path, &info) == 0;
    if (there && !S_ISREG(info.st_mode)) { /* a pipe or a device cannot be renamed onto */
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || !write_all(fd, data, size))
            return cannot(ctx, HK_E_FILE_WRITE, path, "write it");
        return HK_OK;
    }
    hk_arena *arena = hk_arena_create();
    char target[PATH_MAX]; /* a link stays a link: what it points to is replaced */
    const char *final = there && realpath(path, target) ? target : hk_claim_target(arena, path);
    const char *temporary = hk_arena_printf(arena, "%s.%ld-%u.tmp", final, (long)getpid(),
                                            atomic_fetch_add(&serial, 1));
    hk_ledger_record *noted = hk_ledger_open_temporary(hk_path_absolute(arena, temporary));
    hk_status status = HK_OK;
    /* What is replaced keeps its mode: a file that nobody else may read stays one. */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                  there     ? 0600
                  : program ? 0777
                            : 0666);
    if (fd >= 0 && there)
        (void)fchmod(fd, program ? executable(info.st_mode & 0777) : info.st_mode & 0777);
    if (fd < 0) {
        status = cannot(ctx, HK_E_FILE_WRITE, path, "create it");
    } else if (!write_all(fd, data, size) || rename(temporary, final) != 0) {
        status = cannot(ctx, HK_E_FILE_WRITE, path, "write it");
        unlink(temporary);
    }
    hk_ledger_close(noted);
    hk_arena_destroy(arena);
    return status;
}

hk_file_id hk_file_identify(int fd) {
    struct stat info;
    return fstat(fd, &info) == 0 ? (hk_file_id){info.st_dev, info.st_ino} : (hk_file_id){0};
}

bool hk_file_is(int fd, hk_file_id id) {
    hk_file_id now = hk_file_identify(fd);
    return id.node && now.device == id.device && now.node == id.node;
}

hk_file_stamp hk_file_stamp_of(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return (hk_file_stamp){0};
    return (hk_file_stamp){.id = {info.st_dev, info.st_ino},
                           .size = (uint64_t)info.st_size,
                           .changed_s = info.st_ctim.tv_sec,
                           .changed_ns = info.st_ctim.tv_nsec};
}

bool hk_file_stamp_same(hk_file_stamp a, hk_file_stamp b) {
    return a.id.device == b.id.device && a.id.node == b.id.node && a.size == b.size &&
           a.changed_s == b.changed_s && a.changed_ns == b.changed_ns;
}

hk_status hk_file_write(hk_ctx *ctx, const char *path, const void *data, size_t size) {
    HK_TRY(hk_claim_check(ctx, path, false));
    return write_file(ctx, path, data, size, false);
}

hk_status hk_file_write_program(hk_ctx *ctx, const char *path, const void *data, size_t size) {
    HK_TRY(hk_claim_check(ctx, path, false));
    return write_file(ctx, path, data, size, true);
}

hk_status hk_file_rewrite(hk_ctx *ctx, const char *path, const void *data, size_t size) {
    HK_TRY(hk_claim_check(ctx, path, true));
    return write_file(ctx, path, data, size, false);
}

bool hk_file_exists(const char *path) {
    struct stat info;
    if (hk_packed_is(path))
        return hk_packed_exists(path);
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool hk_file_is_regular(const char *path) {
    struct stat info;
    if (hk_packed_is(path))
        return hk_packed_exists(path);
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool hk_folder_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

hk_status hk_folder_make(hk_ctx *ctx, const char *path) {
    hk_arena *arena = hk_arena_create();
    char *part = hk_arena_strdup(arena, path);
    hk_status status = HK_OK;
    for (size_t i = 1; status == HK_OK && part[0]; i++) {
        char c = path[i];
        if (c != '/' && c != '\0')
            continue;
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && !hk_folder_exists(part))
            status = cannot(ctx, HK_E_FILE_WRITE, part, "create the folder");
        part[i] = c;
        if (!c)
            break;
    }
    hk_arena_destroy(arena);
    return status;
}

const char *hk_path_join(hk_arena *arena, const char *folder, const char *name) {
    size_t length = strlen(folder);
    const char *root = name[0] == '/' ? hk_packed_root(folder) : NULL;
    if (root)
        return hk_arena_printf(arena, "%s/%s", root, name);
    if (name[0] == '/' || !length || strcmp(folder, ".") == 0)
        return hk_arena_strdup(arena, name);
    return hk_arena_printf(arena, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
}

const char *hk_path_folder(hk_arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash)
        return ".";
    return slash == path ? "/" : hk_arena_strndup(arena, path, (size_t)(slash - path));
}

const char *hk_path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *hk_path_extension(const char *path) {
    const char *name = hk_path_name(path);
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot : name + strlen(name);
}

const char *hk_path_absolute(hk_arena *arena, const char *path) {
    char here[PATH_MAX];
    if (path[0] == '/' || hk_packed_is(path) || !getcwd(here, sizeof here))
        return hk_arena_strdup(arena, path);
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    if (strcmp(path, ".") == 0 || !path[0])
        return hk_arena_strdup(arena, here);
    return hk_path_join(arena, here, path);
}

const char *hk_path_real(hk_arena *arena, const char *path) {
    if (hk_packed_is(path)) {
        const char *identity = hk_packed_identity(path);
        return identity ? identity : path;
    }
    char *real = realpath(path, NULL);
    const char *found = hk_arena_strdup(arena, real ? real : path);
    free(real);
    return found;
}

const char *hk_path_way(hk_arena *arena, const char *folder, const char *file) {
    size_t common = 0, up = 0;
    for (size_t i = 0; folder[i] == file[i] || !folder[i]; i++) {
        if (file[i] == '/' && (folder[i] == '/' || !folder[i]))
            common = i + 1;
        if (!folder[i] || !file[i])
            break;
    }
    const char *rest = common > strlen(folder) ? "" : folder + common;
    for (const char *c = rest; *c; c++)
        up += *c == '/' || !c[1];
    const char *path = file + common;
    while (up--)
        path = hk_arena_printf(arena, "../%s", path);
    return path;
}
