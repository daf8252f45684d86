/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include "base/child.h"
#include "base/ledger.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_uint_fast64_t alloc_count;

static bool silent;

void hk_child_starve_silently(void) {
    silent = true;
}

static void *require(void *memory) {
    if (!memory) {
        static const char text[] = "hocket: error[HK0903]: out of memory\n";
        ssize_t ignored = silent ? 0 : write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
        enum { STATUS = 5 };
        hk_ledger_told(STATUS);
        for (;;) /* not _exit(): the program may have one of its own, for components */
            syscall(SYS_exit_group, STATUS);
    }
    return memory;
}

void *hk_alloc(size_t size) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    return require(calloc(1, size ? size : 1));
}

void *hk_realloc(void *old, size_t size) {
    atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    return require(realloc(old, size ? size : 1));
}

void hk_free(void *memory) {
    free(memory);
}

uint64_t hk_alloc_count(void) {
    return atomic_load_explicit(&alloc_count, memory_order_relaxed);
}

/* The first chunk of an arena is small, since most arenas are; each next one is larger. */
enum { FIRST_BYTES = 2 * 1024, CHUNK_BYTES = 64 * 1024, ALIGN = alignof(max_align_t) };

typedef struct chunk {
    struct chunk *next;
    alignas(max_align_t) unsigned char bytes[];
} chunk;

struct hk_arena {
    chunk *chunks; /* the newest first; only that one has room */
    size_t used, size;
};

hk_arena *hk_arena_create(void) {
    return hk_alloc(sizeof(hk_arena));
}

void hk_arena_destroy(hk_arena *arena) {
    if (!arena)
        return;
    for (chunk *c = arena->chunks; c;) {
        chunk *next = c->next;
        hk_free(c);
        c = next;
    }
    hk_free(arena);
}

void *hk_arena_alloc(hk_arena *arena, size_t size) {
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (!arena->chunks || size > arena->size - arena->used) {
        size_t usual = arena->chunks ? 4 * arena->size : FIRST_BYTES;
        usual = usual < CHUNK_BYTES ? usual : CHUNK_BYTES;
        size_t room = size > usual ? size : usual;
        chunk *c = hk_alloc(sizeof *c + room);
        c->next = arena->chunks;
        arena->chunks = c;
        arena->size = room;
        arena->used = 0;
    }
    void *memory = arena->chunks->bytes + arena->used;
    arena->used += size;
    return memory;
}

char *hk_arena_strndup(hk_arena *arena, const char *text, size_t length) {
    char *copy = hk_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *hk_arena_strdup(hk_arena *arena, const char *text) {
    return text ? hk_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *hk_arena_vprintf(hk_arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        length = 0;
    char *text = hk_arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *hk_arena_printf(hk_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = hk_arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}
