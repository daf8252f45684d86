/* SPDX-License-Identifier: MIT
 *
 * Deeds that reach out of the process: other programs, children, the network, files of the user,
 * floods of words. */
#define _GNU_SOURCE
#include "animal.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- other programs and children ---- */

static int do_exec(animal *a) {
    execl("/bin/true", "true", (char *)NULL);
    if (a->say) /* nobody to say it to while it is loaded */
        a->say(a, ERROR, "logStatusError", "no other program may run");
    return ERROR;
}
static void live_long(void) {
    for (int i = 0; i < 600; i++)
        sleep(1);
    _exit(0);
}
/* What the call returns that has made CHILD. */
static int made(animal *a, pid_t child) {
    if (child < 0)
        a->say(a, ERROR, "logStatusError", "no other process");
    return child < 0 ? ERROR : OK;
}
static int do_fork_live(animal *a) {
    pid_t child = fork();
    if (child == 0)
        live_long();
    return made(a, child);
}
static int do_fork_daemon(animal *a) { /* of nobody's family */
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            live_long();
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    return made(a, child);
}
static int do_fork_many(animal *a) {
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0)
            live_long();
        if (child < 0)
            return made(a, child);
    }
    return OK;
}
static int do_fork_go_on(animal *a) { /* the child, too, returns from the call */
    pid_t child = fork();
    if (child > 0)
        usleep(100000);
    return made(a, child);
}
static int do_vfork_exec(animal *a) {
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(7);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    return made(a, child);
}
static int do_shell(animal *a) {
    return system("exit 0") == 0 ? a->n < 0 : ERROR;
}
static int do_child_of_shell(animal *a) {
    return system("sleep 600 &") == 0 ? a->n < 0 : ERROR;
}
static int do_leave_group(animal *a) {
    setsid();
    setpgid(0, 0);
    return a->n < 0;
}

/* ---- what a stranger wants ---- */

static int do_network(animal *a) { /* nobody listens there: what counts is who says no */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0) {
        a->say(a, ERROR, "logStatusError", "no network");
        return ERROR;
    }
    (void)!connect(fd, (struct sockaddr *)&address, sizeof address);
    close(fd);
    return a->n < 0;
}
static int write_to(animal *a, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) {
        a->say(a, ERROR, "logStatusError", "it cannot be written");
        return ERROR;
    }
    fputs("mine\n", file);
    fclose(file);
    return a->n < 0;
}
static int do_write_home(animal *a) {
    char path[4096];
    snprintf(path, sizeof path, "%s/.profile", getenv("HOME") ? getenv("HOME") : "");
    return write_to(a, path);
}
static int do_write_resources(animal *a) {
    char path[4096];
    snprintf(path, sizeof path, "%s/mine.txt", a->resources);
    return write_to(a, path);
}
static int do_write_temporary(animal *a) {
    char path[] = "/tmp/zoo-animal-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0) {
        a->say(a, ERROR, "logStatusError", "it cannot be written");
        return ERROR;
    }
    close(fd);
    unlink(path);
    return a->n < 0;
}
static int do_read_file(animal *a) {
    FILE *file = fopen("/etc/passwd", "r");
    if (!file) {
        a->say(a, ERROR, "logStatusError", "it cannot be read");
        return ERROR;
    }
    fclose(file);
    return a->n < 0;
}
static int do_trace_me(animal *a) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    return a->n < 0;
}
static int do_trace_parent(animal *a) {
    if (ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0)
        ptrace(PTRACE_INTERRUPT, getppid(), NULL, NULL);
    return a->n < 0;
}
static int do_one_processor(animal *a) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    sched_setaffinity(0, sizeof set, &set);
    setpriority(PRIO_PROCESS, 0, 5);
    return a->n < 0;
}
static int do_clear_environment(animal *a) {
    clearenv();
    setenv("TZ", "nowhere", 1);
    setenv("LANG", "tlh_QX", 1);
    return a->n < 0;
}

/* ---- floods ---- */

static int do_flood_output(animal *a) {
    for (int i = 0; i < 200000; i++)
        puts("much ado about nothing, and more of it");
    return a->n < 0;
}
static int do_flood_errors(animal *a) {
    for (int i = 0; i < 20000; i++)
        fputs("much ado about nothing\n", stderr);
    return a->n < 0;
}
static int do_garbage(animal *a) {
    char text[256];
    for (int i = 0; i < 255; i++)
        text[i] = (char)(i + 1);
    text[255] = '\0';
    for (int i = 0; i < 100; i++)
        a->say(a, WARNING, "logAll", text);
    return a->n < 0;
}

const animal_deed hostile_reach[] = {
    {"exec", do_exec},
    {"fork_live", do_fork_live},
    {"fork_daemon", do_fork_daemon},
    {"fork_many", do_fork_many},
    {"fork_go_on", do_fork_go_on},
    {"vfork_exec", do_vfork_exec},
    {"shell", do_shell},
    {"child_of_shell", do_child_of_shell},
    {"leave_group", do_leave_group},
    {"network", do_network},
    {"write_home", do_write_home},
    {"write_resources", do_write_resources},
    {"write_temporary", do_write_temporary},
    {"read_file", do_read_file},
    {"trace_me", do_trace_me},
    {"trace_parent", do_trace_parent},
    {"one_processor", do_one_processor},
    {"clear_environment", do_clear_environment},
    {"flood_output", do_flood_output},
    {"flood_errors", do_flood_errors},
    {"garbage", do_garbage},
    {NULL, NULL},
};
