/* SPDX-License-Identifier: MIT
 *
 * The folder is opened once, and all that follows is done in what was opened: nobody can exchange
 * it meanwhile. A lock on it says that a run meets there; it goes with the process that has it, so
 * a socket in a folder without a lock is one that a killed process has left. */
#define _GNU_SOURCE /* struct ucred */
#include "nodes/meeting_place.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static const char SOCKET[] = "recorder";
static const char MADE[] = ".made-by-hocket"; /* who has made a folder may be killed */

enum { FOLDER_MODE = 0700, SOCKET_MODE = 0600, WRITABLE_BY_OTHERS = 022, GUESTS_AT_ONCE = 64 };

static hk_where at(const char *path) {
    return (hk_where){.file = path};
}

hk_status hk_meeting_path(hk_ctx *ctx, hk_arena *arena, const char *place, const char **ret_path) {
    HK_ASSERT(ctx && arena && place && ret_path);
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (!*place || strcmp(place, ".") == 0 || strcmp(place, "..") == 0)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "a name, or a folder with a '/' in it",
                        "--meet: '%s' is not a place to meet", place);
    if (strchr(place, '/')) {
        *ret_path = hk_path_absolute(arena, place);
        return HK_OK;
    }
    if (!runtime || runtime[0] != '/')
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a folder of yours, with a '/' in it: --meet ./meeting",
                        "--meet: there is no folder for '%s', since XDG_RUNTIME_DIR is not %s",
                        place, runtime && *runtime ? "an absolute path" : "set");
    *ret_path = hk_path_join(arena, hk_path_join(arena, runtime, "hocket"), place);
    return HK_OK;
}

/* ---- the folder ---- */

/* -1: there is none. */
static hk_status open_folder(hk_ctx *ctx, const char *path, int *ret_fd) {
    struct stat about;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *ret_fd = -1;
    if (fd < 0 && errno == ENOENT)
        return HK_OK;
    if (fd < 0)
        return hk_error(ctx, HK_E_MEETING, at(path), "name a folder of yours",
                        "the place to meet cannot be opened: %s", strerror(errno));
    const char *why = NULL;
    if (fstat(fd, &about) != 0 || about.st_uid != geteuid())
        why = "belongs to somebody else";
    else if (about.st_mode & WRITABLE_BY_OTHERS)
        why = "can be written by others";
    if (why) {
        close(fd);
        return hk_error(ctx, HK_E_MEETING, at(path), "chmod 700, or name another folder of yours",
                        "the place to meet %s", why);
    }
    *ret_fd = fd;
    return HK_OK;
}

static bool make_folder(const char *path, bool *ret_made) {
    *ret_made = mkdir(path, FOLDER_MODE) == 0;
    return *ret_made || errno == EEXIST;
}

/* Opens the folder, and makes it before if it is not there. */
static hk_status make_and_open(hk_ctx *ctx, hk_meeting_host *h) {
    bool ignored;
    if (h->above && !make_folder(h->above, &ignored))
        return hk_error(ctx, HK_E_MEETING, at(h->above), "name a folder of yours: --meet ./meeting",
                        "no folder can be made to meet in: %s", strerror(errno));
    if (!make_folder(h->path, &h->made))
        return hk_error(ctx, HK_E_MEETING, at(h->path), "name a folder that can be made",
                        "no folder can be made to meet in: %s", strerror(errno));
    HK_TRY(open_folder(ctx, h->path, &h->folder));
    if (h->folder < 0)
        return HK_OK;
    struct stat marked;
    if (h->made)
        close(openat(h->folder, MADE, O_WRONLY | O_CREAT | O_CLOEXEC, SOCKET_MODE));
    else
        h->made = fstatat(h->folder, MADE, &marked, AT_SYMLINK_NOFOLLOW) == 0;
    return HK_OK;
}

/* A run that has just met removes its folder while we open it: then again. */
static hk_status take_folder(hk_ctx *ctx, hk_meeting_host *h) {
    enum { TRIES = 20 };
    for (int i = 0; i < TRIES; i++) {
        struct stat about;
        HK_TRY(make_and_open(ctx, h));
        if (h->folder < 0)
            continue;
        if (flock(h->folder, LOCK_EX | LOCK_NB) != 0)
            return hk_error(ctx, HK_E_MEETING, at(h->path), "name another place with --meet",
                            "another run waits for its nodes there");
        if (fstat(h->folder, &about) == 0 && about.st_nlink > 0)
            return HK_OK;
        close(h->folder);
        h->folder = -1;
    }
    return hk_error(ctx, HK_E_MEETING, at(h->path), NULL, "the place to meet does not stay there");
}

/* ---- the socket ---- */

/* A name for the socket in the open folder that is short, whatever the path is. */
static struct sockaddr_un address_in(int folder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", folder,
                   SOCKET);
    return address;
}

static hk_status remove_old(hk_ctx *ctx, const hk_meeting_host *h) {
    struct stat about;
    if (fstatat(h->folder, SOCKET, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return HK_OK;
    if (S_ISSOCK(about.st_mode) && unlinkat(h->folder, SOCKET, 0) == 0)
        return HK_OK;
    return hk_error(ctx, HK_E_MEETING, at(h->path), "name another place with --meet",
                    "there is a '%s' in the place to meet which is not a socket", SOCKET);
}

static hk_status listen_there(hk_ctx *ctx, hk_meeting_host *h) {
    struct sockaddr_un address = address_in(h->folder);
    HK_TRY(remove_old(ctx, h));
    h->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* The name gets the mode that the socket has. */
    if (h->socket < 0 || fchmod(h->socket, SOCKET_MODE) != 0 ||
        bind(h->socket, (const struct sockaddr *)&address, sizeof address) != 0 ||
        fchmodat(h->folder, SOCKET, SOCKET_MODE, 0) != 0 || listen(h->socket, GUESTS_AT_ONCE) != 0)
        return hk_error(ctx, HK_E_MEETING, at(h->path), "name another place with --meet",
                        "no socket can be made to meet at: %s", strerror(errno));
    return HK_OK;
}

hk_status hk_meeting_open(hk_ctx *ctx, hk_arena *arena, const char *path,
                          hk_meeting_host *ret_host) {
    HK_ASSERT(ctx && arena && path && ret_host);
    hk_meeting_host h = {.path = path, .folder = -1, .socket = -1};
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    const char *ours = runtime ? hk_path_join(arena, runtime, "hocket") : NULL;
    const char *above = hk_path_folder(arena, path);
    h.above = ours && strcmp(ours, above) == 0 ? ours : NULL;
    hk_status status = take_folder(ctx, &h);
    if (status == HK_OK)
        status = listen_there(ctx, &h);
    if (status != HK_OK) {
        hk_meeting_close(&h);
        return status;
    }
    *ret_host = h;
    return HK_OK;
}

void hk_meeting_close(hk_meeting_host *h) {
    HK_ASSERT(h);
    if (h->socket >= 0) {
        (void)unlinkat(h->folder, SOCKET, 0);
        close(h->socket);
    }
    if (h->folder >= 0 && h->made && h->socket >= 0) {
        (void)unlinkat(h->folder, MADE, 0);
        (void)rmdir(h->path); /* not if somebody has put something there */
        if (h->above)
            (void)rmdir(h->above);
    }
    if (h->folder >= 0)
        close(h->folder);
    h->folder = h->socket = -1;
}

bool hk_meeting_is_ours(int fd) {
    struct ucred who = {0};
    socklen_t size = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
}

hk_status hk_meeting_reach(hk_ctx *ctx, const char *path, int *ret_fd) {
    HK_ASSERT(ctx && path && ret_fd);
    int folder = -1;
    *ret_fd = -1;
    HK_TRY(open_folder(ctx, path, &folder));
    if (folder < 0)
        return HK_OK;
    struct sockaddr_un address = address_in(folder);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool there = fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
    close(folder);
    if (!there) {
        if (fd >= 0)
            close(fd);
        return HK_OK;
    }
    if (!hk_meeting_is_ours(fd)) {
        close(fd);
        return hk_error(ctx, HK_E_MEETING, at(path), "name a folder of yours",
                        "who waits at the place to meet belongs to another user");
    }
    *ret_fd = fd;
    return HK_OK;
}
