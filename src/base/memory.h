/* SPDX-License-Identifier: MIT
 *
 * The one seam to the allocator, growable arrays, and arenas.
 *
 * Running out of memory ends the process with a clear message (HK0903): sizes that come from files
 * are limited where they are read, so this means the machine is exhausted. */
#ifndef HK_BASE_MEMORY_H
#define HK_BASE_MEMORY_H

#include <hk/base.h>

#include <stdarg.h>

void *hk_alloc(size_t size);              /* zeroed; never NULL */
void *hk_realloc(void *old, size_t size); /* what is new is not zeroed; never NULL */
void hk_free(void *memory);               /* NULL is fine */
uint64_t hk_alloc_count(void);            /* calls of hk_alloc and hk_realloc so far */

/* Appends VALUE to ARRAY (a pointer) that holds COUNT of CAP elements. */
#define HK_PUSH(array, count, cap, value)                                                          \
    do {                                                                                           \
        if ((count) == (cap))                                                                      \
            (array) = hk_realloc((array), HK_GROW(cap) * sizeof *(array));                         \
        (array)[(count)++] = (value);                                                              \
    } while (0)
#define HK_GROW(cap) ((size_t)((cap) = (cap) ? 2 * (cap) : 8))

/* Texts in a row, which are somebody else's. */
typedef struct hk_texts {
    const char *const *all;
    size_t count;
} hk_texts;

/* An arena hands out memory that is freed all at once. */
typedef struct hk_arena hk_arena;

hk_arena *hk_arena_create(void);
void hk_arena_destroy(hk_arena *arena);                   /* NULL is fine */
void *hk_arena_alloc(hk_arena *arena, size_t size);       /* zeroed, aligned for any type */
char *hk_arena_strdup(hk_arena *arena, const char *text); /* NULL gives NULL */
char *hk_arena_strndup(hk_arena *arena, const char *text, size_t length);
char *hk_arena_printf(hk_arena *arena, const char *format, ...) HK_PRINTF(2, 3);
char *hk_arena_vprintf(hk_arena *arena, const char *format, va_list args) HK_PRINTF(2, 0);

#define HK_NEW(arena, type)          ((type *)hk_arena_alloc((arena), sizeof(type)))
#define HK_NEW_ARRAY(arena, type, n) ((type *)hk_arena_alloc((arena), (size_t)(n) * sizeof(type)))

#endif
