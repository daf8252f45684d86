/* SPDX-License-Identifier: MIT
 *
 * The child writes a head and then the block, or the words for its failure. Who ends before all of
 * that is written has failed. */
#define _GNU_SOURCE /* pipe2, dlmopen */
#include "apart.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_S = 120, CPU_S = 60 };
static const uint64_t LARGEST = UINT64_C(1) << 30;    /* of a block */
static const uint64_t MORE_BYTES = UINT64_C(3) << 30; /* that a library may ask for */

typedef struct head {
    uint64_t good; /* 1: a block follows, 0: words */
    uint64_t size;
} head;

/* ---- the child ---- */

/* Not _exit(): the program may have one of its own, for components. */
static _Noreturn void leave(int status) {
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Handlers of the parent would speak of its components. */
static void reset_signals(void) {
    sigset_t none;
    for (int number = 1; number <= SIGSYS; number++)
        (void)signal(number, SIG_DFL);
    (void)signal(SIGINT, SIG_IGN); /* who presses Ctrl-C means the parent */
    (void)signal(SIGPIPE, SIG_IGN);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

static uint64_t memory_now(void) {
    char text[32] = ""; /* of the first number */
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && !fgets(text, sizeof text, file))
        *text = 0;
    if (file)
        fclose(file);
    return strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void set_limit(unsigned what, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    limit.rlim_max = most < limit.rlim_max ? most : limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(what, &limit);
}

static void be_quiet_and_modest(void) {
    int none = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; none >= 0 && fd <= STDERR_FILENO; fd++)
        (void)dup2(none, fd);
    uint64_t now = memory_now();
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, CPU_S);
    if (now)
        set_limit(RLIMIT_AS, now + MORE_BYTES);
    (void)alarm(PATIENCE_S);
}

/* No handler is left that could interrupt it. */
static void put(int pipe, const void *data, size_t size) {
    const char *next = data;
    while (size) {
        ssize_t written = write(pipe, next, size);
        if (written <= 0)
            leave(1);
        next += written;
        size -= (size_t)written;
    }
}

static _Noreturn void work(int pipe, const char *path, read_fn *read, const void *options) {
    block made = {0};
    words why = {""};
    reset_signals();
    be_quiet_and_modest();
    bool good = read(path, options, &made, &why);
    if (good && made.size > LARGEST) {
        hk_auv_fail(&why, "'%s' is too large: what is in it needs %zu bytes", path, made.size);
        good = false;
    }
    head h = {good, good ? made.size : sizeof why.text};
    put(pipe, &h, sizeof h);
    put(pipe, good ? made.data : why.text, h.size);
    leave(0);
}

/* ---- the parent ---- */

/* A child of a process with threads has what they were about to change, and their locks: where the
 * C library or a sanitizer does not care for that it waits for ever. It is tried again then. */
enum { TRIES = 4, LOOK_MS = 2000, LOOKS = 3 };

typedef struct reading {
    pid_t child;
    int pipe;
    bool patient;  /* waits as long as the child lives */
    bool is_stuck; /* the child does nothing */
    bool said;     /* there are words */
} reading;

/* Processor time, in ns. */
static int64_t time_used(pid_t child) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return -1;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* False: there will be nothing to read. */
static bool await(reading *r) {
    int64_t before = -1;
    for (int looks = 0; looks < LOOKS;) {
        struct pollfd ready = {.fd = r->pipe, .events = POLLIN};
        int count = poll(&ready, 1, LOOK_MS);
        if (count > 0)
            return true;
        if (count < 0 && errno != EINTR)
            return false;
        int64_t now = time_used(r->child);
        looks = count == 0 && !r->patient && now == before && now >= 0 ? looks + 1 : 0;
        before = now;
    }
    r->is_stuck = true;
    return false;
}

static bool take(reading *r, void *data, size_t size) {
    char *next = data;
    while (size && await(r)) {
        ssize_t got = read(r->pipe, next, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        size -= (size_t)got;
    }
    return size == 0;
}

/* How the child ended; -1 if somebody else in this process has taken that away. */
static int ended(pid_t child) {
    int status = 0;
    pid_t done;
    do
        done = waitpid(child, &status, 0);
    while (done < 0 && errno == EINTR);
    return done < 0 ? -1 : status;
}

static void say_damaged(const char *path, int status, words *why) {
    int number = status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGALRM || number == SIGXCPU || number == SIGKILL)
        hk_auv_fail(why, "'%s' is damaged: reading it does not come to an end", path);
    else if (number)
        hk_auv_fail(why, "'%s' is damaged: the library that reads it ends by signal %d", path,
                    number);
    else
        hk_auv_fail(why, "'%s' is damaged: the library that reads it gives up", path);
}

static void *take_block(reading *r, words *why) {
    head h;
    if (!take(r, &h, sizeof h) || h.size > LARGEST || (!h.good && h.size != sizeof why->text))
        return NULL;
    if (!h.good) {
        r->said = take(r, why->text, sizeof why->text);
        why->text[sizeof why->text - 1] = 0;
        return NULL;
    }
    void *data = malloc(h.size ? h.size : 1);
    if (data && take(r, data, h.size))
        return data;
    r->said = !data;
    if (!data)
        hk_auv_fail(why, "there is no memory left: %llu bytes are needed",
                    (unsigned long long)h.size);
    free(data);
    return NULL;
}

/* One try. */
static void *try_to_read(const char *path, read_fn *read, const void *options, words *why,
                         reading *r) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return hk_auv_fail(why, "'%s' cannot be read: %s", path, strerror(errno)), NULL;
    (void)fflush(NULL); /* a library might write out what the child has inherited */
    r->child = fork();
    if (r->child == 0)
        work(ends[1], path, read, options);
    int problem = errno;
    close(ends[1]);
    r->pipe = ends[0];
    void *data = r->child > 0 ? take_block(r, why) : NULL;
    close(ends[0]);
    if (r->child < 0)
        return hk_auv_fail(why, "'%s' cannot be read: %s", path, strerror(problem)), NULL;
    if (r->is_stuck)
        (void)kill(r->child, SIGKILL);
    int status = ended(r->child);
    if (!data && !r->said && !r->is_stuck)
        say_damaged(path, status, why);
    return data;
}

void *hk_auv_read_apart(const char *path, read_fn *read, const void *options, words *why) {
    reading r = {.is_stuck = true};
    void *data = NULL;
    struct stat about;
    if (access(path, R_OK) != 0 || stat(path, &about) != 0)
        return hk_auv_fail(why, "'%s' cannot be opened: %s", path, strerror(errno)), NULL;
    if (!S_ISREG(about.st_mode)) /* a pipe could be waited for without end */
        return hk_auv_fail(why, "'%s' is %s, not a file", path,
                           S_ISDIR(about.st_mode) ? "a folder" : "a device or a pipe"),
               NULL;
    for (int i = 0; i < TRIES && r.is_stuck; i++) {
        r = (reading){.patient = i == TRIES - 1};
        data = try_to_read(path, read, options, why, &r);
    }
    return data;
}

/* ---- the file of a leaf ---- */

static char *join(const char *folder, const char *name) {
    bool alone = *name == '/' || !folder || !*folder || strcmp(folder, ".") == 0;
    size_t size = strlen(name) + (alone ? 0 : strlen(folder) + 1) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", alone ? "" : folder, alone ? "" : "/", name);
    return path;
}

void hk_auv_close(void *data) {
    opened_file *file = data;
    if (!file)
        return;
    free(file->name);
    free(file->path);
    free(file->data);
    free(file);
}

const opened_file *hk_auv_opened(asked_file *asked, read_fn *read, const void *options) {
    opened_file *now = asked->file.data;
    const char *text = asked->name.data && asked->name.size ? asked->name.data : "";
    if (now && strcmp(now->name, text) == 0)
        return now;
    hk_auv_close(now);
    asked->file.data = NULL;
    if (!*text)
        return hk_auv_fail(&asked->why, "there is no name of a file: set 'fileName'"), NULL;
    opened_file *made = calloc(1, sizeof *made);
    if (made) {
        made->name = join(NULL, text);
        made->path = join(asked->file.folder, text);
    }
    if (!made || !made->name || !made->path)
        hk_auv_fail(&asked->why, "there is no memory left");
    else
        made->data = hk_auv_read_apart(made->path, read, options, &asked->why);
    if (!made || !made->data)
        return hk_auv_close(made), NULL;
    asked->file.data = made;
    return made;
}

/* ---- libraries ---- */

const char *hk_auv_load(const char *library, const symbol *symbols, size_t count) {
    void *here = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    void *handle = here ? dlmopen(LM_ID_NEWLM, library, RTLD_NOW | RTLD_LOCAL)
                        : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle && here)
        handle = here;
    if (!handle)
        return "it is not there";
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(handle, symbols[i].name);
        if (!found)
            return "it is of another version";
        memcpy(symbols[i].to, &found, sizeof found); /* ISO C knows no other way to a function */
    }
    return NULL;
}
