/* SPDX-License-Identifier: MIT
 *
 * The program that runs, seen as a file. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/file.h"
#include "format/crc32.h"
#include "tool/tool_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

/* As it was called, which a person knows, and which is there without /proc. */
int hk_tool_open_self(hk_arena *arena, const char **ret_path) {
    char target[PATH_MAX];
    const char *called = (const char *)getauxval(AT_EXECFN);
    int fd = called ? open(called, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        *ret_path = hk_arena_strdup(arena, called);
        return fd;
    }
    ssize_t length = readlink(SELF, target, sizeof target - 1);
    *ret_path = length > 0 ? hk_arena_strndup(arena, target, (size_t)length) : SELF;
    return open(SELF, O_RDONLY | O_CLOEXEC);
}

/* Here the file must be the very one that runs, also if another has its name by now. */
hk_status hk_tool_read_self(hk_ctx *ctx, char **ret_data, size_t *ret_size) {
    const char *called = (const char *)getauxval(AT_EXECFN);
    const char *path = access(SELF, R_OK) == 0 || !called ? SELF : called;
    return hk_file_read(ctx, path, 0, ret_data, ret_size);
}

typedef struct place {
    uintptr_t address;
    size_t offset; /* SIZE_MAX: not found */
} place;

/* The first that is asked about is the program itself. */
static int find_offset(struct dl_phdr_info *info, size_t size, void *user) {
    place *p = user;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)(info->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_LOAD && p->address >= start && p->address - start < part->p_filesz)
            p->offset = (size_t)part->p_offset + (size_t)(p->address - start);
    }
    return 1;
}

size_t hk_tool_mark_offset(const volatile hk_tool_mark *mark) {
    place p = {.address = (uintptr_t)mark, .offset = SIZE_MAX};
    dl_iterate_phdr(find_offset, &p);
    return p.offset;
}

uint32_t hk_tool_mark_check(const hk_tool_mark *mark) {
    return hk_crc32(mark, offsetof(hk_tool_mark, self));
}
