/* SPDX-License-Identifier: MIT */
#include "base/claims.h"

#include "base/file.h"
#include "base/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* What tells one file from another. */
typedef struct identity {
    bool exists, placed; /* placed: the folder is known */
    dev_t device, folder_device;
    ino_t inode, folder_inode;
    char name[NAME_MAX + 1];
} identity;

typedef struct claim {
    identity file;
    char *path;       /* as it was given */
    char *place;      /* the same from the root: the folder may be another one later */
    const char *by;   /* who writes it; NULL: it is read */
    bool replaceable; /* read: may be replaced; written: may replace */
    int lock;         /* -1: none */
} claim;

struct hk_claims {
    pthread_mutex_t lock;
    claim *list;
    size_t count, cap;
    size_t users;
};

/* ---- which file a path means ---- */

const char *hk_claim_target(hk_arena *arena, const char *path) {
    enum { LINKS_MAX = 16 };
    char target[PATH_MAX];
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length <= 0)
            break;
        target[length] = '\0';
        path = hk_path_join(arena, hk_path_folder(arena, path), target);
    }
    return path;
}

/* False: it is none that could be destroyed. */
static bool identify(const char *path, identity *ret) {
    *ret = (identity){0};
    if (strcmp(path, "-") == 0)
        return false;
    hk_arena *arena = hk_arena_create();
    path = hk_claim_target(arena, path);
    struct stat file, folder;
    ret->exists = stat(path, &file) == 0;
    bool tracked = !ret->exists || S_ISREG(file.st_mode);
    if (ret->exists) {
        ret->device = file.st_dev;
        ret->inode = file.st_ino;
    }
    const char *name = hk_path_name(path);
    if (stat(hk_path_folder(arena, path), &folder) == 0 && strlen(name) <= NAME_MAX) {
        ret->placed = true;
        ret->folder_device = folder.st_dev;
        ret->folder_inode = folder.st_ino;
        memcpy(ret->name, name, strlen(name));
    }
    hk_arena_destroy(arena);
    return tracked;
}

static bool same_inode(const identity *a, const identity *b) {
    return a->exists && b->exists && a->device == b->device && a->inode == b->inode;
}

static bool same_place(const identity *a, const identity *b) {
    return a->placed && b->placed && a->folder_device == b->folder_device &&
           a->folder_inode == b->folder_inode && strcmp(a->name, b->name) == 0;
}

/* Is it the file of the claim? One that was replaced in the meantime has left its inode to anybody.
 */
static bool same(const claim *claimed, const identity *file) {
    identity now;
    if (same_place(&claimed->file, file))
        return true;
    return same_inode(&claimed->file, file) && identify(claimed->place, &now) &&
           same_inode(&now, file);
}

/* ---- other processes ---- */

/* An address that one socket of this machine can have at a time, made of the folder and the name.
 * It needs no file, works for files that are not there yet and for those that are replaced by
 * renaming, and is free again when the process ends, however it does. */
static socklen_t lock_address(const identity *file, struct sockaddr_un *ret_address) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char *c = file->name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
    *ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(ret_address->sun_path + 1, sizeof ret_address->sun_path - 1,
                          "hocket:%jx:%jx:%016jx", (uintmax_t)file->folder_device,
                          (uintmax_t)file->folder_inode, (uintmax_t)hash);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

/* -1: it is taken; -2: there are no such sockets here, so nothing can be said. */
static int take_lock(const identity *file) {
    enum { PRIVATE_FD = 10, TAKEN = -1, UNKNOWN = -2 };
    struct sockaddr_un address;
    if (!file->placed)
        return UNKNOWN;
    socklen_t size = lock_address(file, &address);
    int low = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, PRIVATE_FD);
    if (low >= 0)
        close(low);
    if (fd < 0)
        return UNKNOWN;
    if (bind(fd, (struct sockaddr *)&address, size) == 0)
        return fd;
    int problem = errno;
    close(fd);
    return problem == EADDRINUSE ? TAKEN : UNKNOWN;
}

/* Whether somebody has it. It is not taken for that: who begins to write now would not get it. */
static bool lock_is_taken(const identity *file) {
    struct sockaddr_un address;
    int fd = file->placed ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0)
        return false;
    socklen_t size = lock_address(file, &address);
    bool taken = connect(fd, (struct sockaddr *)&address, size) == 0;
    close(fd);
    return taken;
}

bool hk_claim_is_being_written(const char *path) {
    identity file;
    return identify(path, &file) && file.exists && lock_is_taken(&file);
}

/* ---- the list ---- */

void hk_claim_begin(hk_ctx *ctx) {
    hk_claims *claims = hk_alloc(sizeof *claims);
    pthread_mutex_init(&claims->lock, NULL);
    claims->users = 1;
    hk_ctx_set_claims(ctx, claims);
}

void hk_claim_share(hk_ctx *ctx, hk_ctx *other) {
    hk_claims *claims = hk_ctx_claims(other);
    if (!claims)
        return;
    pthread_mutex_lock(&claims->lock);
    claims->users++;
    pthread_mutex_unlock(&claims->lock);
    hk_ctx_set_claims(ctx, claims);
}

static void drop(hk_claims *c, size_t i) {
    if (c->list[i].lock >= 0)
        close(c->list[i].lock);
    hk_free(c->list[i].path);
    hk_free(c->list[i].place);
    c->list[i] = c->list[--c->count];
}

void hk_claims_release(hk_claims *c) {
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    bool last = --c->users == 0;
    pthread_mutex_unlock(&c->lock);
    if (!last)
        return;
    while (c->count)
        drop(c, c->count - 1);
    pthread_mutex_destroy(&c->lock);
    hk_free(c->list);
    hk_free(c);
}

static char *copy(const char *text) {
    return memcpy(hk_alloc(strlen(text) + 1), text, strlen(text) + 1);
}

static void add(hk_claims *c, const char *path, claim what) {
    hk_arena *arena = hk_arena_create();
    what.path = copy(path);
    what.place = copy(hk_path_absolute(arena, path));
    hk_arena_destroy(arena);
    HK_PUSH(c->list, c->count, c->cap, what);
}

/* The first that has FILE, is read or written as READ says, and is not back for who may
 * replace it. */
static const claim *find(const hk_claims *c, const identity *file, bool read, bool replaces) {
    for (size_t i = 0; i < c->count; i++) {
        const claim *other = &c->list[i];
        if ((other->by == NULL) == read && !(replaces && other->replaceable) && same(other, file))
            return other;
    }
    return NULL;
}

static hk_status overwrites(hk_ctx *ctx, const char *written, const char *by, const char *read) {
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = written}, "choose another name",
                    "%s would overwrite '%s', which is read", by, read);
}

hk_status hk_claim_read(hk_ctx *ctx, const char *path) {
    claim mine = {.lock = -1};
    hk_claims *c = hk_ctx_claims(ctx);
    if (!c || hk_packed_is(path) || !identify(path, &mine.file))
        return HK_OK;
    hk_status status = HK_OK;
    pthread_mutex_lock(&c->lock);
    const claim *other = find(c, &mine.file, false, true);
    if (other)
        status = overwrites(ctx, other->path, other->by, path);
    else
        add(c, path, mine);
    pthread_mutex_unlock(&c->lock);
    return status;
}

void hk_claim_replaceable(hk_ctx *ctx, const char *path) {
    hk_claims *c = hk_ctx_claims(ctx);
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->count; i++)
        if (!c->list[i].by && strcmp(c->list[i].path, path) == 0)
            c->list[i].replaceable = true;
    pthread_mutex_unlock(&c->lock);
}

static hk_status check_reads(hk_ctx *ctx, const hk_claims *c, const char *path, const char *by,
                             const claim *mine) {
    const claim *reader = find(c, &mine->file, true, mine->replaceable);
    return reader ? overwrites(ctx, path, by, reader->path) : HK_OK;
}

/* `> FILE` in the shell: the answer or the messages go there. */
static hk_status check_standard(hk_ctx *ctx, const char *path, const claim *mine) {
    static const struct {
        int fd;
        const char *name;
    } all[] = {{STDOUT_FILENO, "standard output"}, {STDERR_FILENO, "standard error"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        hk_file_id id = hk_file_identify(all[i].fd);
        if (mine->file.exists && id.device == mine->file.device && id.node == mine->file.inode)
            return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "choose another name",
                            "%s and %s would both write '%s'", mine->by, all[i].name, path);
    }
    return HK_OK;
}

static hk_status claim_write(hk_ctx *ctx, hk_claims *c, const char *path, claim mine) {
    HK_TRY(check_reads(ctx, c, path, mine.by, &mine));
    HK_TRY(check_standard(ctx, path, &mine));
    const claim *writer = find(c, &mine.file, false, false);
    if (writer && strcmp(writer->by, mine.by) == 0)
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "choose another name",
                        "%s would be written to '%s' twice at a time", mine.by, writer->path);
    if (writer)
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "choose another name",
                        "%s and %s would both write '%s'", writer->by, mine.by, writer->path);
    mine.lock = take_lock(&mine.file);
    if (mine.lock == -1)
        return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = path},
                        "wait for its end, or choose another name",
                        "%s cannot be written: another run writes this file now", mine.by);
    add(c, path, mine);
    return HK_OK;
}

static hk_status claim_it(hk_ctx *ctx, const char *path, const char *by, bool replaces) {
    claim mine = {.by = by, .replaceable = replaces};
    hk_claims *c = hk_ctx_claims(ctx);
    if (!c || !identify(path, &mine.file))
        return HK_OK;
    pthread_mutex_lock(&c->lock);
    hk_status status = claim_write(ctx, c, path, mine);
    pthread_mutex_unlock(&c->lock);
    return status;
}

hk_status hk_claim_write(hk_ctx *ctx, const char *path, const char *by) {
    return claim_it(ctx, path, by, false);
}

hk_status hk_claim_rewrite(hk_ctx *ctx, const char *path, const char *by) {
    return claim_it(ctx, path, by, true);
}

hk_status hk_claim_check(hk_ctx *ctx, const char *path, bool replaces) {
    claim mine = {.replaceable = replaces};
    hk_claims *c = hk_ctx_claims(ctx);
    if (!c || !identify(path, &mine.file))
        return HK_OK;
    pthread_mutex_lock(&c->lock);
    hk_status status = check_reads(ctx, c, path, "what is written", &mine);
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* Ends the claims to read or to write; PATH NULL: all of them. */
static void end_all(hk_ctx *ctx, bool read, const char *path) {
    hk_claims *c = hk_ctx_claims(ctx);
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    for (size_t i = c->count; i-- > 0;)
        if ((c->list[i].by == NULL) == read && (!path || strcmp(c->list[i].path, path) == 0))
            drop(c, i);
    pthread_mutex_unlock(&c->lock);
}

void hk_claim_end(hk_ctx *ctx, const char *path) {
    end_all(ctx, false, path);
}

const char **hk_claim_list_read(hk_ctx *ctx, hk_arena *arena, size_t *ret_count) {
    HK_ASSERT(ctx && arena && ret_count);
    hk_claims *claims = hk_ctx_claims(ctx);
    *ret_count = 0;
    if (!claims)
        return NULL;
    pthread_mutex_lock(&claims->lock);
    const char **paths = HK_NEW_ARRAY(arena, const char *, claims->count + 1);
    for (size_t i = 0; i < claims->count; i++)
        if (!claims->list[i].by)
            paths[(*ret_count)++] = hk_arena_strdup(arena, claims->list[i].place);
    pthread_mutex_unlock(&claims->lock);
    return paths;
}

void hk_claim_forget(hk_ctx *ctx) {
    end_all(ctx, true, NULL);
}
