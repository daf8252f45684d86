/* SPDX-License-Identifier: MIT
 *
 * Landlock: the kernel lets this process write to no file but those below some folders, whatever
 * its user may do. The interface has grown, and headers may be older than the kernel: so the few
 * words of it that are needed are here. */
#define _GNU_SOURCE /* O_PATH */
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 }; /* of every processor */
enum { ASK_VERSION = 1, BENEATH_A_PATH = 1 };

/* Rights on files, by the version that knows them first. */
enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_CHAR = 1 << 6,
    MAKE_DIR = 1 << 7,
    MAKE_REG = 1 << 8,
    MAKE_SOCK = 1 << 9,
    MAKE_FIFO = 1 << 10,
    MAKE_BLOCK = 1 << 11,
    MAKE_SYM = 1 << 12,
    REFER = 1 << 13,     /* 2 */
    TRUNCATE = 1 << 14,  /* 3 */
    IOCTL_DEV = 1 << 15, /* 5 */
    ALWAYS = EXECUTE | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR | MAKE_DIR | MAKE_REG |
             MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM,
    OWN = ALWAYS & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK), /* in its own folder */
    NET = 3,                                            /* 4: bind and connect of TCP */
    SCOPES = 3 /* 6: abstract sockets of the machine, and signals, beyond this process */
};

typedef struct ruleset {
    uint64_t files, net, scopes;
} ruleset;

typedef struct beneath {
    uint64_t rights;
    int32_t folder;
} __attribute__((packed)) beneath;

int hk_landlock_version(const char **ret_why_not) {
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    *ret_why_not = version > 0           ? NULL
                   : errno == EOPNOTSUPP ? "it is switched off (the boot parameter lsm= lacks it)"
                   : errno == ENOSYS     ? "this kernel has none (it came with Linux 5.13)"
                                         : "it cannot be asked here, perhaps in a container";
    return version > 0 ? (int)version : 0;
}

/* 0 or errno. */
static int permit(int rules, int file, uint64_t rights) {
    const beneath b = {.rights = rights, .folder = file};
    return syscall(ADD_RULE, rules, BENEATH_A_PATH, &b, 0) == 0 ? 0 : errno;
}

/* PATH is without links: one that is there now was put there by somebody else. */
static int permit_path(int rules, const char *path, uint64_t rights, int how) {
    int file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC | how);
    int problem = file < 0 ? errno : permit(rules, file, rights);
    if (file >= 0)
        close(file);
    return problem;
}

static int permit_all(int rules, const hk_sandbox *box, int folder, uint64_t handled) {
    static const char *const nowhere[] = {"/dev/null", "/dev/zero", "/dev/full"};
    const uint64_t own = handled & (OWN | REFER | TRUNCATE);
    int problem = permit(rules, folder, own);
    for (size_t i = 0; i < box->write.count && !problem; i++)
        problem = permit_path(rules, box->write.all[i], own, O_DIRECTORY);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere && !problem; i++)
        (void)permit_path(rules, nowhere[i], handled & (WRITE_FILE | TRUNCATE), 0);
    return problem;
}

int hk_landlock_seal(const hk_sandbox *box, int folder) {
    const char *why_not;
    int version = hk_landlock_version(&why_not);
    ruleset r = {.files = ALWAYS};
    size_t size = sizeof r.files;
    r.files |= version >= 2 ? REFER : 0;
    r.files |= version >= 3 ? TRUNCATE : 0;
    r.files |= version >= 5 ? IOCTL_DEV : 0;
    if (version >= 4) {
        r.net = box->network ? 0 : NET;
        size += sizeof r.net;
    }
    if (version >= 6) {
        r.scopes = SCOPES;
        size += sizeof r.scopes;
    }
    long rules = syscall(CREATE_RULESET, &r, size, 0);
    if (rules < 0)
        return errno;
    int problem = permit_all((int)rules, box, folder, r.files);
    if (!problem && syscall(RESTRICT_SELF, (int)rules, 0) != 0)
        problem = errno;
    close((int)rules);
    return problem;
}
