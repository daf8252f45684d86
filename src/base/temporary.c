/* SPDX-License-Identifier: MIT
 *
 * Temporary folders, and how folders are removed with all they hold. */
#include "base/file.h"
#include "base/ledger.h"
#include "base/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Temporary folders that exist. A slot is free if its path is empty; when all are taken, a folder
 * is not remembered, and stays if the process crashes. */
enum { TEMPORARY_MAX = 64 };
static pthread_mutex_t temporary_lock = PTHREAD_MUTEX_INITIALIZER;
static char temporary[TEMPORARY_MAX][PATH_MAX];

/* Puts NEXT into the slot that holds PATH. */
static void replace_temporary(const char *path, const char *next) {
    pthread_mutex_lock(&temporary_lock);
    int i = 0;
    while (i < TEMPORARY_MAX && strcmp(temporary[i], path) != 0)
        i++;
    if (i < TEMPORARY_MAX && strlen(next) < PATH_MAX)
        memcpy(temporary[i], next, strlen(next) + 1);
    pthread_mutex_unlock(&temporary_lock);
}

const char *hk_folder_of_temporary(void) {
    const char *parent = getenv("TMPDIR");
    return parent && *parent ? parent : "/tmp";
}

bool hk_path_is_temporary(const char *path) {
    hk_arena *arena = hk_arena_create();
    const char *begin = hk_path_join(arena, hk_path_real(arena, hk_folder_of_temporary()),
                                     hk_leftovers_prefix(arena));
    bool is = strncmp(path, begin, strlen(begin)) == 0;
    hk_arena_destroy(arena);
    return is;
}

void hk_folder_remove_leftovers(void) {
    hk_leftovers_remove(hk_folder_of_temporary());
}

hk_status hk_folder_temporary(hk_ctx *ctx, hk_arena *arena, const char **ret_path) {
    const char *parent = hk_folder_of_temporary();
    static atomic_flag tidied = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&tidied))
        hk_leftovers_remove(parent);
    char *path = hk_arena_printf(arena, "%s/%sXXXXXX", parent, hk_leftovers_prefix(arena));
    if (!mkdtemp(path)) {
        char reason[128] = "unknown reason";
        (void)strerror_r(errno, reason, sizeof reason);
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = parent},
                        "name a folder that can be written to in TMPDIR",
                        "cannot create a temporary folder there: %s", reason);
    }
    hk_arena *scratch = hk_arena_create(); /* the folder may be another one at the end */
    replace_temporary("", hk_path_absolute(scratch, path));
    hk_arena_destroy(scratch);
    *ret_path = path;
    return HK_OK;
}

/* A component may have taken away our right to open files; we can take it back. */
static bool took_limit_back(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return false;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* ... and may have made folders that nobody can look into. */
static bool took_rights_back(int parent, const char *name) {
    struct stat info;
    return fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == geteuid() && fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW) == 0;
}

static int open_folder(int parent, const char *name) {
    const int how = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat info;
    int fd = openat(parent, name, how);
    if (fd < 0 && ((errno == EMFILE && took_limit_back()) ||
                   (errno == EACCES && took_rights_back(parent, name))))
        fd = openat(parent, name, how);
    if (fd >= 0 && fstat(fd, &info) == 0 && (info.st_mode & S_IRWXU) != S_IRWXU)
        (void)fchmod(fd, S_IRWXU); /* else nothing in it can be removed */
    return fd;
}

static void remove_at(int parent, const char *name) {
    if (unlinkat(parent, name, 0) == 0)
        return;
    int fd = open_folder(parent, name);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder) {
        for (struct dirent *entry; (entry = readdir(folder));)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                remove_at(fd, entry->d_name);
        closedir(folder);
    } else if (fd >= 0) {
        close(fd);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

void hk_folder_remove(const char *path) {
    remove_at(AT_FDCWD, path);
    hk_arena *scratch = hk_arena_create();
    replace_temporary(hk_path_absolute(scratch, path), "");
    hk_arena_destroy(scratch);
}

/* As remove_at, with system calls only: a signal handler may not call opendir. */
static void remove_bare(int parent, const char *name) {
    struct entry {
        uint64_t inode, offset;
        unsigned short size;
        unsigned char type;
        char name[];
    };
    _Alignas(uint64_t) char block[2048];
    if (unlinkat(parent, name, 0) == 0)
        return;
    int fd = open_folder(parent, name);
    long got;
    while (fd >= 0 && (got = syscall(SYS_getdents64, fd, block, sizeof block)) > 0) {
        for (long at = 0; at < got;) {
            const struct entry *e = (const void *)(block + at);
            if (strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0)
                remove_bare(fd, e->name);
            at += e->size;
        }
    }
    if (fd >= 0)
        close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void hk_folder_remove_temporary(void) {
    hk_ledger_remove_temporary(getpid());
    for (int i = 0; i < TEMPORARY_MAX; i++)
        if (temporary[i][0])
            remove_bare(AT_FDCWD, temporary[i]);
}

void hk_folder_forget_temporary(void) {
    for (int i = 0; i < TEMPORARY_MAX; i++)
        temporary[i][0] = '\0';
}
