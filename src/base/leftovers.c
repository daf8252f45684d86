/* SPDX-License-Identifier: MIT */
#include "base/leftovers.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Numbers of processes are given again, and mean something only among those that see each other
 * (a container has numbers of its own): so an owner is all three. */
typedef struct owner {
    uint64_t space, process, started;
} owner;

/* The text of a small file of /proc. */
static bool read_small(const char *path, char *text, size_t room) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/* When the process was started, in ticks since the machine was; 0: it is no more. */
static uint64_t start_of(uint64_t process) {
    enum { STARTED = 22, STATE = 3 };
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%" PRIu64 "/stat", process);
    const char *at = read_small(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    if (!at || strlen(at) < 3 || at[2] == 'Z' || at[2] == 'X')
        return 0;
    at += 2;
    for (int field = STATE; field < STARTED && at; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

static owner self(void) {
    char text[64];
    ssize_t size = readlink("/proc/self/ns/pid", text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    const char *digits = strchr(text, '[');
    return (owner){.space = digits ? strtoull(digits + 1, NULL, 10) : 0,
                   .process = (uint64_t)getpid(),
                   .started = start_of((uint64_t)getpid())};
}

const char *hk_leftovers_prefix(hk_arena *arena) {
    const owner me = self();
    if (!me.space || !me.started)
        return "hocket-";
    return hk_arena_printf(arena, "hocket-%" PRIu64 ".%" PRIu64 ".%" PRIu64 "-", me.space,
                           me.process, me.started);
}

/* False: the name does not say whose it is. */
static bool read_owner(const char *name, owner *ret) {
    uint64_t *const parts[] = {&ret->space, &ret->process, &ret->started};
    static const char ends[] = "..-";
    if (strncmp(name, "hocket-", 7) != 0)
        return false;
    name += 7;
    for (int i = 0; i < 3; i++) {
        char *end;
        if (*name < '1' || *name > '9')
            return false;
        *parts[i] = strtoull(name, &end, 10);
        if (*end != ends[i])
            return false;
        name = end + 1;
    }
    return strlen(name) == 6; /* what mkdtemp puts there */
}

void hk_leftovers_remove(const char *folder) {
    const owner me = self();
    hk_arena *arena = hk_arena_create();
    struct stat info;
    DIR *all = me.space ? opendir(folder) : NULL;
    for (const struct dirent *e = all ? readdir(all) : NULL; e; e = readdir(all)) {
        owner whose;
        if (!read_owner(e->d_name, &whose) || whose.space != me.space ||
            start_of(whose.process) == whose.started)
            continue;
        const char *path = hk_path_join(arena, folder, e->d_name);
        if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid())
            hk_folder_remove(path);
    }
    if (all)
        closedir(all);
    hk_arena_destroy(arena);
}
