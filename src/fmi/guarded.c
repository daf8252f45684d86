/* SPDX-License-Identifier: MIT
 *
 * Texts that an FMU points to. The pointer may lead nowhere, and the text may have no end: it is
 * copied by the kernel, which says so instead of ending the process. */
#define _GNU_SOURCE /* process_vm_readv, pipe2 */
#include "fmi/fmu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/uio.h>
#endif

enum { PAGE_BYTES = 4096 };

/* Where a process may not look into itself: a pipe refuses what cannot be read, too. */
static bool copy_by_pipe(char *to, const char *from, size_t size) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    bool copied =
        write(ends[1], from, size) == (ssize_t)size && read(ends[0], to, size) == (ssize_t)size;
    close(ends[0]);
    close(ends[1]);
    return copied;
}

/* SIZE bytes, all in one page. */
static bool copy(char *to, const char *from, size_t size) {
#ifdef __linux__
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    if (got >= 0 || (errno != ENOSYS && errno != EPERM))
        return got == (ssize_t)size;
#endif
    return copy_by_pipe(to, from, size);
}

/* As hk_guarded_text; *ret_length is how much there is. */
static char *copy_text(const char *text, size_t max, size_t *ret_length) {
    static const char unreadable[] = "(a text that cannot be read)";
    char *result = NULL;
    size_t length = 0, cap = 0;
    while (length < max) {
        size_t rest = PAGE_BYTES - ((uintptr_t)(text + length) % PAGE_BYTES);
        size_t size = rest < max - length ? rest : max - length;
        if (length + size + 1 > cap) {
            cap = length + size + 1;
            result = hk_realloc(result, cap);
        }
        if (!copy(result + length, text + length, size)) {
            if (length)
                break; /* it ends where the memory does */
            hk_free(result);
            *ret_length = sizeof unreadable - 1;
            return memcpy(hk_alloc(sizeof unreadable), unreadable, sizeof unreadable);
        }
        size_t more = strnlen(result + length, size);
        length += more;
        if (more < size)
            break;
    }
    if (!result)
        result = hk_alloc(1);
    result[length] = '\0';
    *ret_length = length;
    return result;
}

char *hk_guarded_text(const char *text, size_t max) {
    size_t length;
    return text ? copy_text(text, max, &length) : NULL;
}

size_t hk_cut_mark(char mark[HK_CUT_MARK_BYTES], size_t more, bool many) {
    return (size_t)snprintf(mark, HK_CUT_MARK_BYTES, " [cut, %s%zu bytes more]",
                            many ? "at least " : "", more);
}

size_t hk_cut_length(const char *text, size_t max) {
    size_t length = max;
    while (length && max - length < 4 && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    return length;
}

char *hk_guarded_message(const char *text) {
    size_t length = 0;
    if (!text)
        return NULL;
    char *all = copy_text(text, HK_FMU_READ_BYTES, &length);
    if (length <= HK_FMU_LOG_BYTES)
        return all;
    size_t kept = hk_cut_length(all, HK_FMU_LOG_BYTES);
    char mark[HK_CUT_MARK_BYTES];
    size_t size = hk_cut_mark(mark, length - kept, length == HK_FMU_READ_BYTES);
    memcpy(all + kept, mark, size + 1);
    return hk_realloc(all, kept + size + 1);
}
