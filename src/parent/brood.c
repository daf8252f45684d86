/* SPDX-License-Identifier: MIT
 *
 * Processes that components have started. Those whose own parent is gone come to the parent of the
 * run, whatever group or session they are in. */
#define _GNU_SOURCE /* gettid */
#include "parent/parent.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A number as text, backwards from END; returns where it begins. */
static char *put_number(char *end, pid_t number) {
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

size_t hk_brood_list(pid_t *children, size_t room) {
    char digits[16] = "", path[64] = "/proc/self/task/", text[4096];
    char *number = put_number(digits + sizeof digits - 1, gettid());
    size_t at = strlen(path), count = 0;
    for (const char *c = number; *c; c++)
        path[at++] = *c;
    memcpy(path + at, "/children", sizeof "/children");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    pid_t value = 0;
    for (ssize_t got; fd >= 0 && (got = read(fd, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                value = 10 * value + (text[i] - '0');
            } else if (value && count < room) {
                children[count++] = value;
                value = 0;
            }
        }
    if (fd >= 0)
        close(fd);
    return count;
}

static bool is_known(pid_t process, const pid_t *known, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (known[i] == process)
            return true;
    return false;
}

static void name_of(pid_t process, char *name, size_t room) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)process);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, name, room - 1) : 0;
    name[got > 0 ? got : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
}

/* Zombies that nobody else waits for. False: there is no child any more. */
static bool reap(void) {
    for (;;) {
        pid_t gone = waitpid(-1, NULL, WNOHANG);
        if (gone == 0)
            return true;
        if (gone < 0 && errno != EINTR)
            return false;
    }
}

static size_t send(int number, const pid_t *known, size_t known_count, hk_parent_end *end) {
    pid_t children[256];
    size_t count = hk_brood_list(children, sizeof children / sizeof *children), sent = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_known(children[i], known, known_count))
            continue;
        if (!end->left_count && !end->left) {
            end->left = children[i];
            name_of(end->left, end->left_name, sizeof end->left_name);
        }
        (void)kill(children[i], number);
        (void)kill(children[i], SIGCONT); /* one that is stopped cannot follow */
        sent++;
    }
    return sent;
}

/* First they are asked to end, as a tool that a component talks to may have something to write. */
void hk_brood_end(const pid_t *known, size_t known_count, hk_parent_end *end) {
    enum { POLITE_NS = 500000000, LOOK_MS = 2 };
    static const int64_t most_ns = INT64_C(5000000000); /* one in the kernel may never end */
    int64_t began = hk_clock_ns();
    bool asked = false;
    while (reap() && hk_clock_ns() - began < most_ns) {
        bool late = hk_clock_ns() - began > POLITE_NS;
        size_t sent = !asked || late ? send(late ? SIGKILL : SIGTERM, known, known_count, end) : 1;
        if (!sent)
            return;
        if (!asked)
            end->left_count = sent;
        asked = true;
        (void)poll(NULL, 0, LOOK_MS);
    }
}
