/* SPDX-License-Identifier: MIT
 *
 * Deeds that damage the memory of the process, or take all of it. */
#define _GNU_SOURCE
#include "animal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Byte by byte: a compiler takes whatever it sees through away. */
static void smear(char *from, int count) {
    for (volatile char *at = from; at < from + count; at++)
        *at = 0x5a;
}
static int do_heap_header(animal *a) { /* what the system's library keeps before a block */
    char *volatile block = malloc(2000), *volatile behind = malloc(2000);
    smear(block - 16, 16);
    free(block);
    free(behind);
    return a->n < 0;
}
static int do_heap_overrun(animal *a) { /* behind a block, and into the next one */
    char *volatile block = malloc(2000), *volatile behind = malloc(2000);
    smear(block, 2100);
    free(behind);
    return a->n < 0;
}
static int do_free_stack(animal *a) {
    char here[64];
    char *volatile middle = here + 8;
    free(middle);
    return a->n < 0;
}
static int do_free_inside(animal *a) {
    char *volatile block = malloc(100), *volatile inside = block + 16;
    free(inside);
    return a->n < 0;
}
static int do_stack_smash(animal *a) {
    char frame[16];
    char *volatile at = frame;
    for (int i = 0; i < 400; i++)
        at[i] = (char)i;
    return a->n < 0;
}

/* What is done with a part of the process: its range of addresses. */
typedef void deal(void *begin, size_t size);

static void take_away(void *begin, size_t size) {
    munmap(begin, size);
}
static void protect(void *begin, size_t size) {
    mprotect(begin, size, PROT_READ);
}

/* Deals with all parts whose line in /proc/self/maps ends with END and has the RIGHTS. */
static void for_all_parts(const char *end, const char *rights, deal *does) {
    char lines[1 << 16];
    FILE *maps = fopen("/proc/self/maps", "r");
    size_t size = maps ? fread(lines, 1, sizeof lines - 1, maps) : 0;
    lines[size] = '\0';
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long begin, behind;
        size_t length = strlen(line), tail = strlen(end);
        if (length > tail && strcmp(line + length - tail, end) == 0 && strstr(line, rights) &&
            sscanf(line, "%lx-%lx", &begin, &behind) == 2)
            does((void *)begin, behind - begin); /* NOLINT(performance-no-int-to-ptr) */
    }
}
static int do_unmap_program(animal *a) {
    for_all_parts("/hocket", "r-xp", take_away);
    return a->n < 0;
}
static int do_protect_heap(animal *a) {
    for_all_parts("[heap]", "rw-p", protect);
    return a->n < 0;
}
static int do_protect_data(animal *a) {
    for_all_parts("/hocket", "rw-p", protect);
    return a->n < 0;
}
static int do_write_constant(animal *a) {
    static const char text[] = "constant";
    volatile uintptr_t at = (uintptr_t)text;
    *(char *)at = 'C'; /* NOLINT(performance-no-int-to-ptr) */
    return a->n < 0;
}
static int do_call_data(animal *a) {
    void (*volatile code)(void) = (void (*)(void))(uintptr_t)a;
    code();
    return a->n < 0;
}

/* At most 8 GB, so that a machine without limits survives it. Pages are touched as they come only
 * up to 64 MB: what is asked for counts, not what is used. */
static int do_memory_bomb(animal *a) {
    enum { PIECE = 64 << 20, PIECES = 128 };
    for (int i = 0; i < PIECES; i++) {
        char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED) {
            a->say(a, ERROR, "logStatusError", "no more memory");
            return ERROR;
        }
        if (i == 0)
            memset(piece, 1, PIECE);
    }
    return OK;
}
/* Nothing may be added, and what is there is used up. */
static int do_small_memory(animal *a) {
    setrlimit(RLIMIT_AS, &(struct rlimit){1 << 20, 1 << 20});
    for (size_t size = 1 << 16; size >= 16; size /= 2)
        while (malloc(size))
            ;
    return a->n < 0;
}
static int do_lock_memory(animal *a) {
    mlockall(MCL_CURRENT | MCL_FUTURE);
    return a->n < 0;
}

const animal_deed hostile_memory[] = {
    {"heap_header", do_heap_header},       {"heap_overrun", do_heap_overrun},
    {"free_stack", do_free_stack},         {"free_inside", do_free_inside},
    {"stack_smash", do_stack_smash},       {"unmap_program", do_unmap_program},
    {"protect_heap", do_protect_heap},     {"protect_data", do_protect_data},
    {"write_constant", do_write_constant}, {"call_data", do_call_data},
    {"memory_bomb", do_memory_bomb},       {"small_memory", do_small_memory},
    {"lock_memory", do_lock_memory},       {NULL, NULL},
};
