/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fallocate */
#include "record/beside.h"

#include "base/claims.h"
#include "base/file.h"
#include "record/about.h"
#include "record/outfile.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

char *hk_beside_place(const char *path) {
    if (strcmp(path, "-") == 0)
        return NULL;
    hk_arena *arena = hk_arena_create();
    char *place = hk_about_path(hk_path_absolute(arena, path));
    hk_arena_destroy(arena);
    return place;
}

hk_status hk_beside_claim(hk_ctx *ctx, const hk_beside *b, const char *path) {
    HK_TRY(hk_claim_write(ctx, path, "the record"));
    hk_status status =
        b->path ? hk_claim_write(ctx, b->path, "the description of the record") : HK_OK;
    if (status != HK_OK)
        hk_claim_end(ctx, path);
    return status;
}

void hk_beside_unclaim(hk_ctx *ctx, const hk_beside *b, const char *path) {
    hk_claim_end(ctx, path);
    if (b->path)
        hk_claim_end(ctx, b->path);
}

void hk_beside_forget(hk_beside *b) {
    struct stat info;
    if (!b->path)
        return;
    if (lstat(b->path, &info) == 0 && S_ISREG(info.st_mode))
        b->mode = info.st_mode & 0777;
    (void)unlink(b->path);
}

/* Room for what is said when the run has ended, which is longer, and for the same inside of a
 * record: a disk that is full then has it still. A file system that cannot do so is trusted. */
static void reserve_about(int fd, size_t begun) {
    static const struct {
        size_t times, more;
    } rooms[] = {{5, 192 << 10}, {2, 16 << 10}, {1, 4 << 10}};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0,
                      (off_t)(rooms[i].times * begun + rooms[i].more)) == 0)
            return;
}

void hk_beside_begin(const hk_beside *b) {
    if (!b->begun)
        return;
    int fd =
        open(b->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, b->mode ? 0600 : 0666);
    if (fd < 0)
        return;
    if (b->mode)
        (void)fchmod(fd, b->mode);
    size_t size = strlen(b->begun);
    sigset_t before = hk_outfile_quiet();
    bool whole = write(fd, b->begun, size) == (ssize_t)size;
    if (whole)
        reserve_about(fd, size);
    hk_outfile_loud(&before, true);
    close(fd);
    if (!whole) /* nothing is better than a part */
        (void)unlink(b->path);
}

/* Writes TEXT over what is beside the record, whose room was reserved. If there is too little of
 * it, what was there stays. */
static bool say_in_place(const hk_beside *b, const char *text) {
    int fd = b->begun ? open(b->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0)
        return false;
    off_t size = (off_t)strlen(text), begun = (off_t)strlen(b->begun);
    bool whole = pwrite(fd, text, (size_t)size, 0) == size;
    bool kept = whole || pwrite(fd, b->begun, (size_t)begun, 0) == begun;
    off_t end = whole ? size : begun;
    /* A byte more and back: what is reserved behind the end is given back then. */
    kept = (ftruncate(fd, end + 1) == 0 || !whole) && ftruncate(fd, end) == 0 && kept;
    close(fd);
    return whole && kept;
}

bool hk_beside_say_in_part(const hk_beside *b, const char *text) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* the failure is said */
    sigset_t before = hk_outfile_quiet();
    bool said = hk_file_write(quiet, b->path, text, strlen(text)) == HK_OK;
    said = said || say_in_place(b, text);
    hk_outfile_loud(&before, !said);
    hk_ctx_destroy(quiet);
    return said;
}

void hk_beside_warn(hk_ctx *ctx, const hk_beside *b) {
    hk_warn(ctx, HK_E_FILE_WRITE, (hk_where){.file = b->path}, "free some space, and run it again",
            "there is no room to say of the record how the run ended%s",
            access(b->path, F_OK) == 0 ? "" : ", and what its columns are");
}
