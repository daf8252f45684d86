/* SPDX-License-Identifier: MIT
 *
 * An FMU 2.0 that does what its parameter `deed` names, once, in the step that begins at 0.5;
 * `where` is a path that some deeds are about. Its output `result` is 0 for a deed that was done,
 * else the number of the error; `count` is what some of them count. */
#define _GNU_SOURCE
#include "fmi/fmi2_export.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct body {
    char deed[64], where[1024];
    double y, result, count;
    int done;
} body;

static int of(long returned) {
    return returned < 0 ? errno : 0;
}

static const char *in_folder(const char *name) {
    static char path[2048];
    snprintf(path, sizeof path, "%s/%s", getenv("TMPDIR"), name);
    return path;
}

static const char *at_parent(const char *name) {
    static char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)getppid(), name);
    return path;
}

/* ---- network ---- */

static int deed_socket(body *b) {
    return (void)b, of(socket(AF_INET, SOCK_STREAM, 0));
}

static int deed_socket_unix(body *b) {
    return (void)b, of(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int deed_socket_netlink(body *b) {
    return (void)b, of(socket(AF_NETLINK, SOCK_RAW, 0));
}

static int deed_socket_packet(body *b) {
    return (void)b, of(socket(AF_PACKET, SOCK_RAW, 0));
}

static int deed_pair(body *b) {
    int both[2];
    char word = 0;
    (void)b;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0)
        return errno;
    return write(both[0], "x", 1) == 1 && read(both[1], &word, 1) == 1 && word == 'x' ? 0 : EIO;
}

static int deed_pair_datagram(body *b) {
    int both[2];
    return (void)b, of(socketpair(AF_UNIX, SOCK_DGRAM, 0, both));
}

/* With what it has: its own pair, and what it has inherited. */
static int deed_connect(body *b) {
    int both[2];
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket"};
    (void)b;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, both) != 0)
        return -1;
    return of(connect(both[0], (struct sockaddr *)&to, sizeof to));
}

static int deed_bind(body *b) {
    int both[2];
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "\0hocket-deed"};
    (void)b;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0)
        return -1;
    return of(bind(both[0], (struct sockaddr *)&to, sizeof to));
}

/* A connection to the port that `where` names. */
static int deed_reach(body *b) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)atoi(b->where)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    return s < 0 ? errno : of(connect(s, (struct sockaddr *)&to, sizeof to));
}

/* ---- programs and processes ---- */

static char *const program[] = {"/bin/sh", "-c", "exit 0", NULL};

static int deed_exec(body *b) {
    return (void)b, of(execve(program[0], program, environ));
}

static int deed_execveat(body *b) {
    int fd = open("/bin/sh", O_RDONLY);
    return (void)b, of(syscall(SYS_execveat, fd, "", program, environ, AT_EMPTY_PATH));
}

static int deed_fork(body *b) {
    (void)b;
    pid_t pid = fork();
    if (pid == 0)
        syscall(SYS_exit_group, 0);
    return of(pid);
}

static int deed_fork_bomb(body *b) {
    int error = 0;
    for (int i = 0; i < 1000; i++) {
        pid_t pid = fork();
        if (pid == 0)
            for (;;)
                pause();
        error = of(pid);
        b->count += pid > 0;
    }
    return error;
}

/* All signals are blocked while it clones. */
static int deed_spawn(body *b) {
    pid_t pid;
    return (void)b, posix_spawn(&pid, program[0], NULL, NULL, program, environ);
}

static int deed_system(body *b) {
    (void)b;
    errno = 0;
    return system("exit 0") == 0 ? 0 : errno;
}

static int deed_clone_namespace(body *b) {
    return (void)b, of(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static void *idle(void *end) {
    while (!*(volatile int *)end)
        usleep(1000);
    return NULL;
}

static int deed_threads(body *b) {
    static volatile int end;
    pthread_t all[64];
    int n = 0, error = 0;
    while (n < 64 && !(error = pthread_create(&all[n], NULL, idle, (void *)(uintptr_t)&end)))
        n++;
    end = 1;
    b->count = n;
    while (n)
        pthread_join(all[--n], NULL);
    return error;
}

static void *socket_in_thread(void *result) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    *(int *)result = deed_socket(NULL);
    return NULL;
}

static int deed_blocked_thread(body *b) {
    pthread_t t;
    int result = -1;
    (void)b;
    if (pthread_create(&t, NULL, socket_in_thread, &result) == 0)
        pthread_join(t, NULL);
    return result;
}

static void on_signal(int number) {
    (void)number;
}

/* Its own handlers of all signals change nothing. */
static int deed_handlers(body *b) {
    for (int i = 1; i < 65; i++)
        signal(i, i % 2 ? on_signal : SIG_IGN);
    return deed_socket(b);
}

/* ---- limits ---- */

static int deed_memory_bomb(body *b) {
    const size_t piece = (size_t)16 << 20;
    for (char *p; b->count < 1e6 && (p = malloc(piece)); b->count += 16)
        memset(p, 1, piece);
    return errno;
}

static int deed_spin(body *b) {
    for (volatile uint64_t i = 0;; i++)
        (void)b;
    return 0;
}

static int deed_big_file(body *b) {
    int fd = open(in_folder("big"), O_WRONLY | O_CREAT, 0600);
    (void)b;
    if (fd < 0 || lseek(fd, (off_t)2 << 30, SEEK_SET) < 0)
        return -1;
    return of(write(fd, "x", 1));
}

static int deed_raise_limits(body *b) {
    struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
    return (void)b, of(setrlimit(RLIMIT_AS, &most));
}

static int deed_limit_parent(body *b) {
    struct rlimit few = {3, 3};
    return (void)b, of(prlimit(getppid(), RLIMIT_NOFILE, &few, NULL));
}

static int deed_core(body *b) {
    struct rlimit core;
    return (void)b, getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_max == 0 ? 0 : EPERM;
}

/* ---- files ---- */

static int write_to(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    if (fd < 0)
        return errno;
    int error = write(fd, "mine\n", 5) == 5 ? 0 : errno;
    close(fd);
    return error;
}

static int deed_write(body *b) {
    return write_to(b->where, O_WRONLY | O_CREAT | O_TRUNC);
}

static int deed_append(body *b) {
    return write_to(b->where, O_WRONLY | O_APPEND);
}

static int deed_read_write(body *b) {
    return write_to(b->where, O_RDWR);
}

static int deed_cut_by_reading(body *b) {
    return of(open(b->where, O_RDONLY | O_TRUNC));
}

static int deed_nameless(body *b) {
    return write_to(b->where, O_TMPFILE | O_WRONLY);
}

static int deed_openat2(body *b) {
    struct {
        uint64_t flags, mode, resolve;
    } how = {O_WRONLY | O_CREAT, 0600, 0};
    return of(syscall(437, AT_FDCWD, b->where, &how, sizeof how));
}

static int deed_write_own(body *b) {
    (void)b;
    int error = write_to(in_folder("own"), O_WRONLY | O_CREAT | O_TRUNC);
    error = error ? error : write_to(in_folder("own"), O_RDWR | O_APPEND);
    error = error ? error : of(mkdir(in_folder("sub"), 0700));
    char own[2048];
    snprintf(own, sizeof own, "%s", in_folder("own"));
    error = error ? error : of(rename(own, in_folder("sub/own")));
    error = error ? error : of(symlink("own", in_folder("sub/link")));
    error = error ? error : of(truncate(in_folder("sub/own"), 1));
    error = error ? error : of(unlink(in_folder("sub/own")));
    error = error ? error : of(chdir(in_folder("sub")));
    error = error ? error : write_to("relative", O_WRONLY | O_CREAT);
    return error ? error : of(unlink("relative"));
}

static int deed_write_null(body *b) {
    FILE *f = fopen("/dev/null", "w");
    return (void)b, f && fclose(f) == 0 ? 0 : errno;
}

/* A link in its own folder leads out of it. */
static int deed_write_by_link(body *b) {
    if (symlink(b->where, in_folder("out")) != 0)
        return -1;
    return write_to(in_folder("out"), O_WRONLY | O_APPEND);
}

static int deed_write_by_folder(body *b) {
    int folder = open(b->where, O_RDONLY | O_DIRECTORY);
    int fd = openat(folder, "new", O_WRONLY | O_CREAT, 0600);
    return folder < 0 ? -1 : of(fd);
}

static int deed_write_by_dots(body *b) {
    char path[4096];
    snprintf(path, sizeof path, "%s/../../../../../../../..%s", getenv("TMPDIR"), b->where);
    return write_to(path, O_WRONLY | O_APPEND);
}

/* Another thread changes the path between two looks at it. */
static char racing[2048];
static volatile int race_over;

static void *change_path(void *out) {
    char own[2048];
    snprintf(own, sizeof own, "%s", in_folder("racing"));
    while (!race_over) {
        memcpy(racing, own, strlen(own) + 1);
        memcpy(racing, out, strlen(out) + 1);
    }
    return NULL;
}

static int deed_race(body *b) {
    pthread_t t;
    int got_out = 0;
    pthread_create(&t, NULL, change_path, b->where);
    for (int i = 0; i < 2000; i++) {
        struct stat before, after;
        int there = stat(b->where, &before);
        int fd = open(racing, O_WRONLY | O_APPEND | O_CREAT, 0600);
        if (fd >= 0 && there == 0 && fstat(fd, &after) == 0)
            got_out |= before.st_ino == after.st_ino;
        close(fd);
    }
    race_over = 1;
    pthread_join(t, NULL);
    return got_out ? 0 : EACCES;
}

static int deed_truncate(body *b) {
    return of(truncate(b->where, 0));
}

static int deed_unlink(body *b) {
    return of(unlink(b->where));
}

static int deed_rename(body *b) {
    return of(rename(b->where, in_folder("taken")));
}

static int deed_rename_out(body *b) {
    if (write_to(in_folder("mine"), O_WRONLY | O_CREAT))
        return -1;
    return of(rename(in_folder("mine"), b->where));
}

static int deed_link(body *b) {
    return of(link(b->where, in_folder("linked")));
}

static int deed_symlink(body *b) {
    return of(symlink("/etc/passwd", strcat(b->where, ".link")));
}

static int deed_mkdir(body *b) {
    return of(mkdir(strcat(b->where, ".d"), 0700));
}

static int deed_mkfifo(body *b) {
    return of(mkfifo(strcat(b->where, ".fifo"), 0600));
}

static int deed_chmod(body *b) {
    return of(chmod(b->where, 0777));
}

static int deed_fchmod(body *b) {
    return of(fchmod(open(b->where, O_RDONLY), 0777));
}

static int deed_chown(body *b) {
    return of(chown(b->where, getuid(), getgid()));
}

static int deed_touch(body *b) {
    return of(utimes(b->where, NULL));
}

static int deed_attribute(body *b) {
    return of(syscall(SYS_setxattr, b->where, "user.deed", "1", 1, 0));
}

static int deed_read(body *b) {
    char c;
    int fd = open(b->where, O_RDONLY);
    return fd < 0 ? errno : of(read(fd, &c, 1));
}

/* Who opens the file then waits for the lease to end: 45 s, as Linux comes. */
static int deed_lease(body *b) {
    int fd = open(b->where, O_RDONLY);
    return fd < 0 ? errno : of(fcntl(fd, F_SETLEASE, F_WRLCK));
}

/* ---- other processes ---- */

static int deed_kill_parent(body *b) {
    return (void)b, of(kill(getppid(), SIGTERM));
}

static int deed_kill_all(body *b) {
    return (void)b, of(kill(-1, SIGCONT));
}

static int deed_kill_self(body *b) {
    signal(SIGUSR2, SIG_IGN);
    return (void)b, of(kill(getpid(), SIGUSR2)) | of(raise(SIGUSR2)) | of(kill(0, SIGUSR2));
}

/* Then a signal to its own group would be one to hocket. */
static int deed_join_group(body *b) {
    return (void)b, of(setpgid(0, getpgid(getppid())));
}

/* What is typed there is not for it. */
static int deed_read_terminal(body *b) {
    char c;
    int fd = open("/dev/tty", O_RDONLY);
    return (void)b, fd < 0 ? -1 : of(read(fd, &c, 1));
}

static int deed_kill_thread_of_parent(body *b) {
    return (void)b, of(syscall(SYS_tkill, getppid(), SIGTERM));
}

static int deed_queue_parent(body *b) {
    return (void)b, of(sigqueue(getppid(), SIGTERM, (union sigval){0}));
}

static int deed_signal_by_file(body *b) {
    int ends[2];
    (void)b;
    return pipe(ends) ? -1 : of(fcntl(ends[0], F_SETOWN, getppid()));
}

static int deed_ptrace_parent(body *b) {
    return (void)b, of(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
}

static int deed_write_parent(body *b) {
    int mine = 1;
    struct iovec here = {&mine, sizeof mine}, there = {&mine, sizeof mine};
    return (void)b, of(process_vm_writev(getppid(), &here, 1, &there, 1, 0));
}

static int deed_read_parent(body *b) {
    int mine = 1;
    struct iovec here = {&mine, sizeof mine}, there = {&mine, sizeof mine};
    return (void)b, of(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}

static int deed_memory_of_parent(body *b) {
    return (void)b, of(open(at_parent("mem"), O_RDWR));
}

static int deed_look_at_parent(body *b) {
    return (void)b, of(open(at_parent("mem"), O_RDONLY));
}

static int deed_descriptor_of_parent(body *b) {
    int fd = (int)syscall(434, getppid(), 0);
    return (void)b, of(fd);
}

static int deed_slow_parent(body *b) {
    struct sched_param p = {0};
    return (void)b, of(sched_setscheduler(getppid(), SCHED_IDLE, &p));
}

static void *affinity(void *result) {
    cpu_set_t all;
    *(int *)result = of(sched_getaffinity(0, sizeof all, &all)) |
                     pthread_setaffinity_np(pthread_self(), sizeof all, &all);
    return NULL;
}

static int deed_own_thread(body *b) {
    pthread_t t;
    int result = -1;
    (void)b;
    if (pthread_create(&t, NULL, affinity, &result) == 0)
        pthread_join(t, NULL);
    return result;
}

static int deed_outlive(body *b) {
    return (void)b, of(prctl(PR_SET_PDEATHSIG, 0));
}

static int deed_name(body *b) {
    return (void)b, of(prctl(PR_SET_NAME, "deed"));
}

/* ---- the machine ---- */

static int deed_shared_memory(body *b) {
    return (void)b, of(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
}

static int deed_memory_file(body *b) {
    return (void)b, of(memfd_create("deed", 0));
}

static int deed_io_uring(body *b) {
    char parameters[256] = {0};
    return (void)b, of(syscall(425, 4, parameters));
}

static int deed_bpf(body *b) {
    return (void)b, of(syscall(SYS_bpf, 0, NULL, 0));
}

static int deed_mount(body *b) {
    return (void)b, of(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
}

static int deed_unshare(body *b) {
    return (void)b, of(unshare(CLONE_NEWUSER));
}

static int deed_setuid(body *b) {
    return (void)b, of(setuid(getuid()));
}

static int deed_another_filter(body *b) {
    return (void)b, of(syscall(SYS_seccomp, 0, 0, NULL));
}

static int deed_type_into_terminal(body *b) {
    char c = 'x';
    return (void)b, of(ioctl(0, TIOCSTI, &c));
}

static int deed_unknown_call(body *b) {
    return (void)b, of(syscall(3000));
}

static int deed_x32(body *b) {
#ifdef __x86_64__
    return (void)b, of(syscall(0x40000000 | SYS_socket, AF_INET, SOCK_STREAM, 0));
#else
    return (void)b, ENOSYS;
#endif
}

/* socket() by the interface of 32 bits, 359 there. */
static int deed_int80(body *b) {
    (void)b;
#ifdef __x86_64__
    long got = 359;
    __asm__ volatile("int $0x80"
                     : "+a"(got)
                     : "b"((long)AF_INET), "c"((long)SOCK_STREAM), "d"(0L)
                     : "memory", "r8", "r9", "r10", "r11");
    return (int)got < 0 ? (int)-got : 0;
#else
    return ENOSYS;
#endif
}

/* ---- what it finds ---- */

/* Counts descriptors, but 0, 1, 2 and that of the folder that is read. */
static int deed_descriptors(body *b) {
    DIR *all = opendir("/proc/self/fd");
    char path[512], to[512];
    for (struct dirent *e; all && (e = readdir(all));) {
        snprintf(path, sizeof path, "/proc/self/fd/%s", e->d_name);
        ssize_t n = readlink(path, to, sizeof to - 1);
        int fd = atoi(e->d_name);
        b->count += n > 0 && fd > 2 && fd != dirfd(all);
    }
    return all ? closedir(all) : -1;
}

/* Writes `where` to all pipes. */
static int deed_garble(body *b) {
    struct stat info;
    for (int fd = 3; fd < 64; fd++)
        if (fstat(fd, &info) == 0 && S_ISFIFO(info.st_mode) &&
            write(fd, b->where, strlen(b->where)) > 0)
            b->count++;
    return 0;
}

/* Counts memory that it shares with somebody. */
static int deed_shared_maps(body *b) {
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        char rights[8] = "";
        b->count += sscanf(line, "%*s %7s", rights) == 1 && rights[3] == 's';
    }
    return maps ? fclose(maps) : -1;
}

static int deed_speak(body *b) {
    (void)b;
    printf("spoken\n");
    return fflush(stdout) == 0 ? 0 : errno;
}

static int deed_read_input(body *b) {
    char c;
    ssize_t n = read(0, &c, 1);
    b->count = (double)n;
    return of(n);
}

static int deed_outlive_spinning(body *b) {
    (void)prctl(PR_SET_PDEATHSIG, 0);
    (void)prctl(PR_SET_NAME, "deed-spins");
    return deed_spin(b);
}

/* A way to `where` that does not begin with its name. */
static int deed_write_by_root(body *b) {
    char path[2048];
    snprintf(path, sizeof path, "/proc/self/root%s", b->where);
    return of(open(path, O_WRONLY | O_APPEND));
}

static int deed_write_by_descriptor(body *b) {
    (void)b;
    return of(open("/proc/self/fd/2", O_WRONLY | O_APPEND));
}

static int deed_end(body *b) {
    (void)b;
    _exit(3);
}

static int deed_raise_realtime(body *b) {
    return (void)b, of(raise(SIGRTMIN));
}

/* Folders that nobody can look into. */
static int deed_dark_folders(body *b) {
    (void)b;
    if (chdir(getenv("TMPDIR")) != 0 || mkdir("dark", 0300) != 0 || mkdir("dark/er", 0300) != 0 ||
        mkdir("dark/er/shut", 0) != 0 || symlink("/", "dark/link") != 0)
        return errno;
    return of(open("dark/er/file", O_WRONLY | O_CREAT, 0));
}

static int deed_nothing(body *b) {
    return (void)b, 0;
}

#define DEED(name)                                                                                 \
    { #name, deed_##name }
static const struct {
    const char *name;
    int (*act)(body *b);
} deeds[] = {
    DEED(socket),
    DEED(socket_unix),
    DEED(socket_netlink),
    DEED(socket_packet),
    DEED(pair),
    DEED(pair_datagram),
    DEED(connect),
    DEED(bind),
    DEED(reach),
    DEED(exec),
    DEED(execveat),
    DEED(fork),
    DEED(fork_bomb),
    DEED(spawn),
    DEED(system),
    DEED(clone_namespace),
    DEED(threads),
    DEED(blocked_thread),
    DEED(handlers),
    DEED(memory_bomb),
    DEED(spin),
    DEED(big_file),
    DEED(raise_limits),
    DEED(limit_parent),
    DEED(core),
    DEED(write),
    DEED(append),
    DEED(read_write),
    DEED(cut_by_reading),
    DEED(nameless),
    DEED(openat2),
    DEED(write_own),
    DEED(write_null),
    DEED(write_by_link),
    DEED(write_by_folder),
    DEED(write_by_dots),
    DEED(race),
    DEED(truncate),
    DEED(unlink),
    DEED(rename),
    DEED(rename_out),
    DEED(link),
    DEED(symlink),
    DEED(mkdir),
    DEED(mkfifo),
    DEED(chmod),
    DEED(fchmod),
    DEED(chown),
    DEED(touch),
    DEED(attribute),
    DEED(read),
    DEED(kill_parent),
    DEED(kill_all),
    DEED(kill_self),
    DEED(join_group),
    DEED(read_terminal),
    DEED(kill_thread_of_parent),
    DEED(queue_parent),
    DEED(signal_by_file),
    DEED(ptrace_parent),
    DEED(write_parent),
    DEED(read_parent),
    DEED(memory_of_parent),
    DEED(look_at_parent),
    DEED(descriptor_of_parent),
    DEED(slow_parent),
    DEED(own_thread),
    DEED(outlive),
    DEED(name),
    DEED(shared_memory),
    DEED(memory_file),
    DEED(io_uring),
    DEED(bpf),
    DEED(mount),
    DEED(unshare),
    DEED(setuid),
    DEED(another_filter),
    DEED(type_into_terminal),
    DEED(unknown_call),
    DEED(x32),
    DEED(int80),
    DEED(descriptors),
    DEED(shared_maps),
    DEED(speak),
    DEED(read_input),
    DEED(outlive_spinning),
    DEED(write_by_root),
    DEED(lease),
    DEED(garble),
    DEED(write_by_descriptor),
    DEED(end),
    DEED(raise_realtime),
    DEED(dark_folders),
    DEED(nothing),
};

/* ---- FMI ---- */

const char *fmi2GetTypesPlatform(void) {
    return "default";
}

const char *fmi2GetVersion(void) {
    return "2.0";
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of FMI */
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
    (void)name, (void)type, (void)guid, (void)resources, (void)callbacks, (void)visible,
        (void)logging;
    body *b = calloc(1, sizeof *b);
    b->result = -2;
    strcpy(b->deed, "nothing");
    return b;
}

void fmi2FreeInstance(fmi2Component c) {
    free(c);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n,
                               const fmi2String categories[]) {
    return (void)c, (void)on, (void)n, (void)categories, fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    return (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop,
           fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return (void)c, fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return (void)c, fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return (void)c, fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c) {
    return (void)c, fmi2OK;
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                       fmi2Real values[]) {
    const body *b = c;
    for (size_t i = 0; i < n; i++)
        values[i] = refs[i] == 0 ? b->y : refs[i] == 1 ? b->result : b->count;
    return fmi2OK;
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference refs[], size_t n,
                         const fmi2String values[]) {
    body *b = c;
    for (size_t i = 0; i < n; i++) {
        char *to = refs[i] == 10 ? b->deed : b->where;
        snprintf(to, refs[i] == 10 ? sizeof b->deed : sizeof b->where, "%s", values[i]);
    }
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean no_set) {
    body *b = c;
    (void)no_set;
    b->y = t + h;
    if (t < 0.5 || b->done++)
        return fmi2OK;
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
        if (strcmp(deeds[i].name, b->deed) == 0) {
            b->result = deeds[i].act(b);
            return fmi2OK;
        }
    return fmi2Error;
}
