/* SPDX-License-Identifier: MIT */
#include "record/outfile.h"

#include "format/crc32.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool is_stdout(const char *path) {
    return strcmp(path, "-") == 0;
}

hk_status hk_outfile_error(hk_ctx *ctx, const hk_outfile *file, int problem) {
    const char *hint = NULL;
    hk_where where = {.file = is_stdout(file->path) ? "standard output" : file->path};
    if (problem == HK_OUTFILE_LOST)
        return hk_error(ctx, HK_E_FILE_WRITE, where,
                        "hocket alone may use the files that it opens; what was written up to "
                        "there is kept",
                        "cannot write %s: a component has closed it, or has opened another file "
                        "under its number",
                        file->what);
    if (problem == HK_OUTFILE_CHANGED)
        return hk_error(ctx, HK_E_FILE_WRITE, where,
                        "a component, or another program, has changed, moved or removed it",
                        "%s is not what was written: its content or its place is another",
                        file->what);
    if (problem == EPIPE)
        return hk_error(ctx, HK_E_FILE_WRITE, where,
                        "what came before was handed over; 'head' and the like end when they have "
                        "enough",
                        "cannot write %s: who reads it has ended", file->what);
    if (problem == ENOENT)
        hint = "create the folder first, or check the spelling";
    else if (problem == EACCES || problem == EPERM || problem == EROFS)
        hint = "check the permissions";
    else if (problem == ESPIPE)
        hint = "its format needs a file; .csv can be written to a pipe";
    else if (hk_outfile_is_full(problem))
        hint = "free some space, or record less: fewer variables, a larger output interval";
    char reason[128] = "unknown reason";
    (void)strerror_r(problem, reason, sizeof reason);
    return hk_error(ctx, HK_E_FILE_WRITE, where, hint, "cannot write %s: %s", file->what, reason);
}

hk_status hk_outfile_check(hk_ctx *ctx, const hk_outfile *file) {
    struct stat info;
    if (is_stdout(file->path))
        return HK_OK;
    HK_TRY(hk_file_check(ctx, file->path));
    bool unreadable =
        stat(file->path, &info) == 0 && S_ISREG(info.st_mode) && access(file->path, R_OK) != 0;
    return unreadable ? hk_outfile_error(ctx, file, errno) : HK_OK;
}

void hk_outfile_init(hk_outfile *file, const char *path, const char *what) {
    enum { PRIVATE_FD = 10 }; /* out of the way of those who close what they did not open */
    *file = (hk_outfile){.fd = -1, .path = path, .what = what};
    if (is_stdout(path)) {
        file->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, PRIVATE_FD);
        file->id = hk_file_identify(file->fd);
        return;
    }
    hk_arena *arena = hk_arena_create();
    const char *place = hk_path_absolute(arena, path);
    file->place = memcpy(hk_alloc(strlen(place) + 1), place, strlen(place) + 1);
    hk_arena_destroy(arena);
}

void hk_outfile_continue(hk_outfile *file, uint64_t size, uint32_t sum) {
    HK_ASSERT(file);
    HK_ASSERT(file->fd < 0 && size);
    file->continues = true;
    file->size = size;
    file->sum = sum;
}

static int open_file(hk_outfile *file) {
    struct stat info;
    if (is_stdout(file->path))
        return EBADF;
    /* A pipe that is open for both would not wait for its reader. */
    bool regular = stat(file->place, &info) != 0 || S_ISREG(info.st_mode);
    int how = (regular ? O_RDWR : O_WRONLY) | O_CREAT | O_CLOEXEC;
    how |= file->continues ? 0 : O_TRUNC;
    do
        file->fd = open(file->place, how, 0666);
    while (file->fd < 0 && errno == EINTR);
    if (file->fd < 0)
        return errno;
    file->id = hk_file_identify(file->fd);
    file->regular = fstat(file->fd, &info) == 0 && S_ISREG(info.st_mode);
    if (file->continues && (!file->regular || (uint64_t)info.st_size < file->size))
        return HK_OUTFILE_CHANGED;
    return file->continues && ftruncate(file->fd, (off_t)file->size) != 0 ? errno : 0;
}

/* Writes at PLACE, in a pipe behind what it was given, until it fails; *ret_written says how far it
 * came. */
static int write_at(const hk_outfile *file, uint64_t place, const char *data, size_t size,
                    size_t *ret_written) {
    int fd = file->fd;
    *ret_written = 0;
    while (*ret_written < size) {
        const char *at = data + *ret_written;
        size_t left = size - *ret_written;
        ssize_t n = file->regular ? pwrite(fd, at, left, (off_t)(place + *ret_written))
                                  : write(fd, at, left);
        if (n > 0)
            *ret_written += (size_t)n;
        else if (n < 0 && errno == EAGAIN) /* standard output may have been made non-blocking */
            (void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, 1000);
        else if (n == 0 || errno != EINTR)
            return n == 0 ? EIO : errno;
    }
    return 0;
}

static void add(hk_outfile *file, const char *data, size_t size) {
    file->size += size;
    file->sum = hk_crc32_more(file->sum, data, size);
}

bool hk_outfile_is_full(int problem) {
    return problem == ENOSPC || problem == EDQUOT || problem == EFBIG;
}

/* What was handed to a pipe cannot be taken back. */
static void cut_back(hk_outfile *file, const char *data, size_t written, size_t whole) {
    if (!file->regular) {
        add(file, data, written);
        return;
    }
    add(file, data, whole);
    int ignored = file->size ? ftruncate(file->fd, (off_t)file->size) : unlink(file->place);
    (void)ignored;
}

/* The file is ours still, and all that was written is in it, and nothing else. */
static int look(const hk_outfile *file) {
    struct stat info;
    if (!hk_file_is(file->fd, file->id))
        return HK_OUTFILE_LOST;
    bool same =
        !file->regular || (fstat(file->fd, &info) == 0 && (uint64_t)info.st_size == file->size);
    return same ? 0 : HK_OUTFILE_CHANGED;
}

/* ... and holds it. */
static int look_inside(const hk_outfile *file) {
    enum { CHUNK_BYTES = 256 << 10 };
    char *chunk = hk_realloc(NULL, CHUNK_BYTES);
    size_t head = file->head ? file->head->size : 0;
    uint32_t sum = 0;
    uint64_t at = 0;
    int problem = 0;
    while (!problem && at < file->size) {
        size_t want = at < head && head - at < CHUNK_BYTES ? head - at : CHUNK_BYTES;
        ssize_t got = pread(file->fd, chunk, want, (off_t)at);
        if (got < 0 && errno != EINTR)
            problem = errno;
        else if (got == 0)
            problem = HK_OUTFILE_CHANGED;
        else if (got > 0 && at < head && memcmp(chunk, file->head->bytes + at, (size_t)got) != 0)
            problem = HK_OUTFILE_CHANGED;
        sum = got > 0 && at >= head ? hk_crc32_more(sum, chunk, (size_t)got) : sum;
        at += got > 0 ? (uint64_t)got : 0;
    }
    hk_free(chunk);
    return !problem && (at != file->size || sum != file->sum) ? HK_OUTFILE_CHANGED : problem;
}

/* ... and it is where it was put. */
static int look_at_place(const hk_outfile *file) {
    struct stat info;
    int problem = look(file);
    if (problem || !file->regular || !file->size)
        return problem;
    bool there = stat(file->place, &info) == 0 && info.st_dev == file->id.device &&
                 info.st_ino == file->id.node;
    return there ? look_inside(file) : HK_OUTFILE_CHANGED;
}

static sigset_t loud_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigaddset(&set, SIGPIPE);
    return set;
}

sigset_t hk_outfile_quiet(void) {
    sigset_t quiet = loud_signals(), before;
    pthread_sigmask(SIG_BLOCK, &quiet, &before);
    return before;
}

void hk_outfile_loud(const sigset_t *before, bool failed) {
    sigset_t quiet = loud_signals();
    if (failed) /* take the signal, so that it never arrives */
        (void)sigtimedwait(&quiet, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* What a write does with the file, without SIGXFSZ and SIGPIPE. */
typedef struct task {
    const char *data;
    size_t size;
    size_t written; /* by the plain one: how far it came */
    const hk_outfile_head *head;
} task;

static int quietly(hk_outfile *file, task *t, int (*write_it)(hk_outfile *, task *)) {
    sigset_t before = hk_outfile_quiet();
    int problem = write_it(file, t);
    hk_outfile_loud(&before, problem == EFBIG || problem == EPIPE);
    return problem;
}

int hk_outfile_open(hk_outfile *file) {
    int problem = file->fd < 0 ? open_file(file) : 0;
    return problem ? problem : look(file);
}

static int append(hk_outfile *file, task *t) {
    return write_at(file, file->size, t->data, t->size, &t->written);
}

int hk_outfile_write(hk_outfile *file, const char *data, size_t size,
                     size_t (*whole)(const char *data, size_t size)) {
    int problem = hk_outfile_open(file);
    if (problem)
        return problem;
    task t = {.data = data, .size = size};
    problem = quietly(file, &t, append);
    if (problem)
        cut_back(file, data, t.written, whole(data, t.written));
    else
        add(file, data, size);
    return problem;
}

/* The block, and then the count. A large block takes a while: its cover is written first, and taken
 * away last. */
static int append_counted(hk_outfile *file, task *t) {
    const hk_outfile_head *head = t->head;
    uint64_t end = file->size ? file->size : head->size;
    size_t covered = head->cover_size, ignored;
    int problem = file->size ? 0 : write_at(file, 0, head->bytes, head->changes, &ignored);
    if (!problem && !file->size)
        problem = write_at(file, head->changes, head->empty, head->size - head->changes, &ignored);
    if (!problem && covered)
        problem = write_at(file, end, head->cover, covered, &ignored);
    if (!problem && covered && ftruncate(file->fd, (off_t)(end + t->size)) != 0)
        problem = errno;
    if (!problem)
        problem = write_at(file, end + covered, t->data + covered, t->size - covered, &ignored);
    if (!problem && covered)
        problem = write_at(file, end, t->data, covered, &ignored);
    return problem ? problem
                   : write_at(file, head->changes, head->bytes + head->changes,
                              head->size - head->changes, &ignored);
}

int hk_outfile_write_counted(hk_outfile *file, const char *data, size_t size,
                             const hk_outfile_head *head) {
    HK_ASSERT(head->changes <= head->size && head->cover_size <= size);
    int problem = hk_outfile_open(file);
    if (problem)
        return problem;
    if (!file->regular)
        return ESPIPE;
    file->head = head;
    task t = {.data = data, .size = size, .head = head};
    problem = quietly(file, &t, append_counted);
    if (problem) {
        int ignored = ftruncate(file->fd, (off_t)file->size);
        (void)ignored;
    } else {
        file->size = file->size ? file->size : head->size;
        add(file, data, size);
    }
    return problem;
}

int hk_outfile_close(hk_outfile *file) {
    int problem = 0;
    if (file->fd >= 0)
        problem = look_at_place(file);
    if (file->fd >= 0 && !problem && file->head && !file->size)
        problem = unlink(file->place) == 0 ? 0 : errno;
    if (file->fd >= 0 && problem != HK_OUTFILE_LOST && close(file->fd) != 0 && errno != EINTR)
        problem = errno;
    hk_free(file->place);
    file->place = NULL;
    file->fd = -1;
    return problem;
}
