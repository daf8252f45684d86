/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATIENCE_MS = 5000 };

bool hk_descriptor_send(int fd, int descriptor) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(c), &descriptor, sizeof descriptor);
    for (;;) {
        struct pollfd room = {.fd = fd, .events = POLLOUT};
        ssize_t n = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (n == 1)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if ((errno != EAGAIN && errno != EWOULDBLOCK) || poll(&room, 1, PATIENCE_MS) == 0)
            return false;
    }
}

int hk_descriptor_take(int fd) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t n;
    do {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        if (poll(&one, 1, PATIENCE_MS) == 0)
            return -1;
        n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
    const struct cmsghdr *c = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    int descriptor = -1;
    if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
        c->cmsg_len == CMSG_LEN(sizeof descriptor))
        memcpy(&descriptor, CMSG_DATA(c), sizeof descriptor);
    return descriptor;
}

/* Nobody can make it smaller under those who use it. */
enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static void *map_of(int fd, size_t size) {
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    return map == MAP_FAILED ? NULL : map;
}

void *hk_memory_to_share(size_t size, int *ret_descriptor) {
    HK_ASSERT(ret_descriptor);
    int fd = memfd_create("hocket", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    bool good = fd >= 0 && ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, SEALS) == 0;
    void *map = good ? map_of(fd, size) : NULL;
    if (!map && fd >= 0) {
        int problem = errno;
        close(fd);
        errno = problem;
    }
    if (map)
        *ret_descriptor = fd;
    return map;
}

void *hk_memory_of(int descriptor, size_t size) {
    struct stat about;
    bool good = descriptor >= 0 && fstat(descriptor, &about) == 0 &&
                (uint64_t)about.st_size == size &&
                (fcntl(descriptor, F_GET_SEALS) & SEALS) == SEALS;
    void *map = good ? map_of(descriptor, size) : NULL;
    if (!good)
        errno = EPROTO;
    return map;
}
