/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr, _Fork */
#include "native/crash_place.h"

#include "base/file.h"
#include "format/elf.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_S = 2, FRAMES_MAX = 64, LINE_MAX_BYTES = 1024, LIBRARY_LIMIT = 256 << 20 };

/* ---- in a process of its own: the heap may be damaged, and then it ends without an answer ---- */

/* Libraries of the system call back and are called; the mistake is in who called them. */
static bool is_of_system(const char *path) {
    static const char *const names[] = {"libc.",      "libc-",      "libm.",    "libm-",
                                        "libpthread", "libgcc_s",   "libstdc+", "libc++",
                                        "ld-linux",   "linux-vdso", "ld-musl",  "libasan",
                                        "libubsan",   "libtsan",    "ld."};
    const char *name = hk_path_name(path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

typedef struct frame {
    const char *library;
    uint64_t address; /* counted from where the library is loaded */
} frame;

/* The innermost function of a component. An address on the stack is where a call returns to, which
 * may be the next line, so one less is taken; but that at which a signal came is exact: right above
 * it is nothing but the one frame by which the system calls the handler. */
static bool find_frame(frame *ret) {
    void *stack[FRAMES_MAX];
    Dl_info own, info;
    void *self = NULL;
    size_t (*const us)(char *, size_t) = hk_crash_place;
    memcpy(&self, &us, sizeof self);
    bool known = dladdr(self, &own) != 0;
    int count = backtrace(stack, FRAMES_MAX), of_system = 0;
    for (int i = 0; i < count; i++) {
        if (!dladdr(stack[i], &info) || !info.dli_fname)
            continue;
        if (known && info.dli_fbase == own.dli_fbase)
            continue;
        if (is_of_system(info.dli_fname)) {
            of_system++;
            continue;
        }
        uint64_t offset = (uint64_t)((const char *)stack[i] - (const char *)info.dli_fbase);
        *ret = (frame){info.dli_fname, of_system == 1 ? offset : offset - 1};
        return true;
    }
    return false;
}

/* The function that begins last before ADDRESS. */
static const hk_elf_symbol *find_symbol(hk_arena *arena, const frame *f) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    char *data = NULL;
    size_t size = 0;
    const hk_elf_symbol *found = NULL;
    if (hk_file_read(silent, f->library, LIBRARY_LIMIT, &data, &size) != HK_OK)
        return NULL;
    hk_elf_symbols symbols = hk_elf_read_symbols(arena, data, size);
    for (size_t i = 0; i < symbols.count; i++) {
        const hk_elf_symbol *s = &symbols.all[i];
        if (s->function && s->address <= f->address && (!found || s->address > found->address))
            found = s;
    }
    return found;
}

/* What addr2line says: the function, "FILE:LINE" and no more; "??" where it does not know. */
static void ask_addr2line(const frame *f, int answer) {
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(answer, STDOUT_FILENO) < 0 ||
        dup2(nowhere, STDERR_FILENO) < 0)
        return;
    execlp("addr2line", "addr2line", "-f", "-C", "-s", "-e", f->library, address, (char *)NULL);
}

/* "deep" and "pump.c:12" from two lines; false: it does not know the line. */
static bool read_answer(char *lines, const char **ret_function, const char **ret_place) {
    char *second = strchr(lines, '\n');
    if (!second)
        return false;
    *second++ = '\0';
    second[strcspn(second, " \n")] = '\0'; /* " (discriminator 2)" */
    *ret_function = lines;
    *ret_place = second;
    return *lines && strncmp(lines, "??", 2) != 0 && *second && strncmp(second, "??", 2) != 0 &&
           !strstr(second, ":?") && !strstr(second, ":0");
}

static bool place_by_debug_information(const frame *f, char *text, size_t size) {
    char lines[LINE_MAX_BYTES];
    size_t got = 0;
    const char *function, *place;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    pid_t pid = _Fork();
    if (pid == 0) {
        alarm(LIMIT_S);
        ask_addr2line(f, ends[1]);
        syscall(SYS_exit_group, 127);
    }
    close(ends[1]);
    while (pid > 0 && got < sizeof lines - 1) {
        ssize_t n = read(ends[0], lines + got, sizeof lines - 1 - got);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    lines[got] = '\0';
    if (pid > 0)
        (void)waitpid(pid, NULL, 0);
    if (!read_answer(lines, &function, &place))
        return false;
    int length = snprintf(text, size, "%s, %s", function, place);
    return length > 0 && (size_t)length < size;
}

static void look(int answer) {
    char text[LINE_MAX_BYTES] = "";
    frame f;
    if (!find_frame(&f))
        return;
    if (!place_by_debug_information(&f, text, sizeof text)) {
        hk_arena *arena = hk_arena_create();
        const hk_elf_symbol *s = find_symbol(arena, &f);
        if (s)
            snprintf(text, sizeof text, "%s%s%s", s->name, s->file ? ", " : "",
                     s->file ? s->file : "");
    }
    ssize_t ignored = write(answer, text, strlen(text));
    (void)ignored;
}

/* ---- in the handler ---- */

size_t hk_crash_place(char *text, size_t size) {
    int ends[2];
    size_t got = 0;
    *text = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return 0;
    pid_t pid = _Fork();
    if (pid == 0) {
        static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPIPE};
        sigset_t none;
        sigemptyset(&none);
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
            signal(signals[i], SIG_DFL);
        sigprocmask(SIG_SETMASK, &none, NULL);
        alarm(LIMIT_S);
        look(ends[1]);
        for (;;)
            syscall(SYS_exit_group, 0);
    }
    close(ends[1]);
    while (pid > 0 && got < size - 1) {
        ssize_t n = read(ends[0], text + got, size - 1 - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    text[got] = '\0';
    for (size_t i = 0; i < got; i++) /* a name must not command the terminal */
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            text[i] = ' ';
    return got;
}
