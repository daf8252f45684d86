/* SPDX-License-Identifier: MIT
 *
 * Deeds that are after files and descriptors of others. The record is out.csv in the folder of the
 * run. */
#define _GNU_SOURCE
#include "animal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char record[] = "out.csv", beside[] = "out.csv-metadata.json";
enum { DESCRIPTORS = 256 };

/* Until the first rows are in the record: not long after they are there to be written. */
static void await_rows(void) {
    struct stat info;
    for (int i = 0; i < 150 && (stat(record, &info) != 0 || info.st_size == 0); i++)
        usleep(10000);
}

/* A descriptor of this process under which the record is; -1: there is none. */
static int find_record(void) {
    struct stat wanted, info;
    await_rows();
    if (stat(record, &wanted) != 0)
        return -1;
    for (int fd = 3; fd < DESCRIPTORS; fd++)
        if (fstat(fd, &info) == 0 && info.st_ino == wanted.st_ino && info.st_dev == wanted.st_dev)
            return fd;
    return -1;
}

/* PATH over all descriptors from FROM on. */
static void take_over(const char *path, int from) {
    int mine = open(path, O_WRONLY);
    for (int fd = from; fd < DESCRIPTORS; fd++)
        if (fd != mine && fcntl(fd, F_GETFD) >= 0)
            dup2(mine, fd);
}

static int do_close_everything(animal *a) {
    for (int fd = 0; fd < DESCRIPTORS; fd++)
        close(fd);
    return a->n < 0;
}
static int do_close_late(animal *a) {
    await_rows();
    return do_close_everything(a);
}
static int do_null_output(animal *a) {
    int mine = open("/dev/null", O_WRONLY);
    dup2(mine, 1);
    dup2(mine, 2);
    return a->n < 0;
}
static int do_take_all(animal *a) {
    await_rows();
    take_over("/dev/null", 3);
    return a->n < 0;
}
static int do_take_full(animal *a) {
    await_rows();
    take_over("/dev/full", 3);
    return a->n < 0;
}
static int do_truncate_fd(animal *a) {
    int fd = find_record();
    return fd >= 0 && ftruncate(fd, 0) != 0 ? ERROR : a->n < 0;
}
static int do_seek_fd(animal *a) {
    int fd = find_record();
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return a->n < 0;
}
static int do_write_fd(animal *a) {
    static const char row[] = "0.6,6,6,6,6,6,6\n";
    int fd = find_record();
    return fd >= 0 && write(fd, row, sizeof row - 1) < 0 ? ERROR : a->n < 0;
}
static int do_flags_fd(animal *a) {
    int fd = find_record();
    if (fd >= 0)
        fcntl(fd, F_SETFL, O_NONBLOCK | O_APPEND);
    return a->n < 0;
}
static int do_append_path(animal *a) {
    await_rows();
    FILE *file = fopen(record, "a");
    if (file) {
        fputs("0.6,6,6,6,6,6,6\n", file);
        fclose(file);
    }
    return a->n < 0;
}
static int do_truncate_path(animal *a) {
    await_rows();
    return truncate(record, 0) == 0 ? a->n < 0 : OK;
}
static int do_unlink_record(animal *a) {
    await_rows();
    return unlink(record) == 0 ? a->n < 0 : OK;
}
static int do_replace_record(animal *a) {
    await_rows();
    unlink(record);
    FILE *file = fopen(record, "w");
    if (file) {
        fputs("time,animal.y\n0,0\n1,1\n", file);
        fclose(file);
    }
    return a->n < 0;
}
static int do_link_record(animal *a) {
    await_rows();
    unlink(record);
    return symlink("/dev/null", record) == 0 ? a->n < 0 : OK;
}
static int do_mode_record(animal *a) {
    await_rows();
    return chmod(record, 0) == 0 ? a->n < 0 : OK;
}
static int do_unlink_beside(animal *a) {
    await_rows();
    unlink(beside);
    return a->n < 0;
}
static int do_replace_beside(animal *a) {
    await_rows();
    FILE *file = fopen(beside, "w");
    if (file) {
        fputs("{}", file);
        fclose(file);
    }
    return a->n < 0;
}
static int do_small_files(animal *a) {
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){10, 10});
    return a->n < 0;
}
static int do_no_files(animal *a) {
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
    return a->n < 0;
}

/* ---- its own folder, and what is temporary ---- */

static const char *temporary(void) {
    const char *folder = getenv("TMPDIR");
    return folder ? folder : "/tmp";
}
static int do_remove_temporary(animal *a) {
    char command[4096];
    snprintf(command, sizeof command, "rm -rf '%s'/*", temporary());
    return system(command) == 0 ? a->n < 0 : OK;
}
/* What is hard to remove: a FIFO, a folder without rights, a socket's name, deep ones. */
static int do_litter(animal *a) {
    char path[4096];
    snprintf(path, sizeof path, "%s/fifo", a->resources);
    mkfifo(path, 0600);
    snprintf(path, sizeof path, "%s/closed", a->resources);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/closed/in", a->resources);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/closed", a->resources);
    chmod(path, 0);
    snprintf(path, sizeof path, "%s/away", a->resources);
    return symlink("/", path) == 0 ? a->n < 0 : OK;
}
static int do_rewrite_resources(animal *a) {
    char path[4096];
    snprintf(path, sizeof path, "%s/note.txt", a->resources);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs("changed\n", file);
        fclose(file);
    }
    return a->n < 0;
}
/* Its own library, as the next run would load it. */
static int do_rewrite_library(animal *a) {
    char line[4096], *path;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "animal.so") && (path = strchr(line, '/'))) {
            path[strcspn(path, "\n")] = '\0';
            chmod(path, 0600);
            FILE *out = fopen(path, "r+");
            if (out) { /* not the code that runs now */
                fseek(out, -1, SEEK_END);
                fputc('x', out);
                fclose(out);
            }
            break;
        }
    if (maps)
        fclose(maps);
    return a->n < 0;
}

const animal_deed hostile_files[] = {
    {"close_everything", do_close_everything},
    {"close_late", do_close_late},
    {"null_output", do_null_output},
    {"take_all", do_take_all},
    {"take_full", do_take_full},
    {"truncate_fd", do_truncate_fd},
    {"seek_fd", do_seek_fd},
    {"write_fd", do_write_fd},
    {"flags_fd", do_flags_fd},
    {"append_path", do_append_path},
    {"truncate_path", do_truncate_path},
    {"unlink_record", do_unlink_record},
    {"replace_record", do_replace_record},
    {"link_record", do_link_record},
    {"mode_record", do_mode_record},
    {"unlink_beside", do_unlink_beside},
    {"replace_beside", do_replace_beside},
    {"small_files", do_small_files},
    {"no_files", do_no_files},
    {"remove_temporary", do_remove_temporary},
    {"litter", do_litter},
    {"rewrite_resources", do_rewrite_resources},
    {"rewrite_library", do_rewrite_library},
    {NULL, NULL},
};
