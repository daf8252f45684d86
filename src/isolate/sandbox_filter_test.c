/* SPDX-License-Identifier: MIT
 *
 * What the filter of a sandbox decides: it is run here as the kernel runs it, call by call, in
 * every mode; what the kernel makes of it is seen by tests/isolate/sandbox_test.py. */
#define _GNU_SOURCE /* F_SETLEASE */
#include "isolate/sandbox_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#if defined(__x86_64__) || defined(__aarch64__)

#if defined(__x86_64__)
enum { HERE = (int)AUDIT_ARCH_X86_64, ELSEWHERE = (int)AUDIT_ARCH_AARCH64 };
#else
enum { HERE = (int)AUDIT_ARCH_AARCH64, ELSEWHERE = (int)AUDIT_ARCH_X86_64 };
#endif

enum { SELF = 4711, OTHER = 4712, NEW_LANDLOCK = 7, OLD_LANDLOCK = 1 };
#define ASKED      SECCOMP_RET_USER_NOTIF
#define ALLOWED    SECCOMP_RET_ALLOW
#define FAILS(nr)  (SECCOMP_RET_ERRNO | (uint32_t)(nr))
#define FREE_MODES 4

/* With reports and Landlock, without reports, without Landlock, without both. */
static hk_filter_wish mode(unsigned which, bool network) {
    return (hk_filter_wish){.network = network,
                            .reports = which == 0 || which == 2,
                            .landlock = which < 2 ? NEW_LANDLOCK : 0,
                            .process = SELF};
}

static uint32_t run(const struct sock_filter *program, size_t count,
                    const struct seccomp_data *data) {
    uint32_t a = 0;
    for (size_t at = 0; at < count; at++) {
        const struct sock_filter *one = &program[at];
        switch (one->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(one->k % 4 == 0 && one->k + 4 <= sizeof *data);
            memcpy(&a, (const char *)data + one->k, sizeof a);
            break;
        case BPF_ALU | BPF_AND | BPF_K:
            a &= one->k;
            break;
        case BPF_JMP | BPF_JEQ | BPF_K:
            at += a == one->k ? one->jt : one->jf;
            break;
        case BPF_JMP | BPF_JSET | BPF_K:
            at += a & one->k ? one->jt : one->jf;
            break;
        case BPF_RET | BPF_K:
            return one->k;
        default:
            fail_msg("an instruction that is not known: %d", one->code);
        }
    }
    fail_msg("the filter has no end");
    return 0;
}

static uint32_t verdict_of(const hk_filter_wish *wish, const struct seccomp_data *data) {
    static struct sock_filter room[HK_FILTER_ROOM];
    size_t count = hk_sandbox_filter(wish, room);
    assert_true(count > 0);
    return run(room, count, data);
}

/* A call of up to three arguments. */
static uint32_t verdict(hk_filter_wish wish, long number, uint64_t a, uint64_t b, uint64_t c) {
    struct seccomp_data data = {
        .nr = (int)number, .arch = (uint32_t)HERE, .args = {a, b, c, 0, 0, 0}};
    return verdict_of(&wish, &data);
}

static uint32_t denied(hk_filter_wish wish, int error) {
    return wish.reports ? ASKED : FAILS(error);
}

static void test_what_is_listed(void **state) {
    (void)state;
    size_t count;
    const hk_sandbox_call *calls = hk_sandbox_calls(&count);
    for (unsigned m = 0; m < FREE_MODES; m++)
        for (size_t i = 0; i < count; i++) {
            hk_filter_wish wish = mode(m, false);
            uint32_t got = verdict(wish, calls[i].number, OTHER, OTHER, OTHER);
            if (calls[i].rule == HK_RULE_FREE)
                assert_int_equal(got, ALLOWED);
            else if (calls[i].rule == HK_RULE_DENIED || calls[i].rule == HK_RULE_NETWORK)
                assert_int_equal(got, denied(wish, hk_sandbox_errno(calls[i].deed)));
            else if (calls[i].rule == HK_RULE_MISSING)
                assert_int_equal(got, FAILS(ENOSYS));
        }
}

static void test_each_is_listed_once(void **state) {
    (void)state;
    size_t count;
    const hk_sandbox_call *calls = hk_sandbox_calls(&count);
    for (size_t i = 0; i < count; i++)
        assert_ptr_equal(hk_sandbox_call_of(calls[i].number), &calls[i]);
}

static void test_what_is_not_known(void **state) {
    (void)state;
    for (unsigned m = 0; m < FREE_MODES; m++) {
        hk_filter_wish wish = mode(m, true);
        struct seccomp_data data = {.nr = SYS_getpid, .arch = (uint32_t)ELSEWHERE};
        assert_int_equal(verdict_of(&wish, &data), denied(wish, ENOSYS));
        assert_int_equal(verdict(wish, 0x40000000 | SYS_getpid, 0, 0, 0), denied(wish, ENOSYS));
        assert_int_equal(verdict(wish, -1, 0, 0, 0), denied(wish, ENOSYS));
        assert_int_equal(verdict(wish, 3000, 0, 0, 0), denied(wish, ENOSYS));
    }
}

/* Only Landlock and the warden know which folder is meant. */
static void test_files(void **state) {
    (void)state;
    static const int changing[] = {O_WRONLY, O_RDWR,           O_WRONLY | O_CREAT,
                                   O_CREAT,  O_RDWR | O_TRUNC, O_WRONLY | O_RDWR};
    for (unsigned m = 0; m < FREE_MODES; m++) {
        hk_filter_wish wish = mode(m, false);
        uint32_t write = wish.reports ? ASKED : wish.landlock ? ALLOWED : FAILS(EACCES);
        assert_int_equal(verdict(wish, SYS_openat, 0, 0, O_RDONLY | O_CLOEXEC), ALLOWED);
        assert_int_equal(verdict(wish, SYS_openat, 0, 0, O_RDONLY | O_DIRECTORY), ALLOWED);
        for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
            assert_int_equal(verdict(wish, SYS_openat, 0, 0, (uint64_t)changing[i]), write);
        assert_int_equal(verdict(wish, SYS_unlinkat, 0, 0, 0), write);
    }
}

/* An old Landlock does not see that a file is cut. */
static void test_files_that_are_cut(void **state) {
    (void)state;
    for (unsigned m = 0; m < FREE_MODES; m++) {
        hk_filter_wish wish = mode(m, false);
        wish.landlock = OLD_LANDLOCK;
        assert_int_equal(verdict(wish, SYS_openat, 0, 0, O_RDONLY | O_TRUNC), FAILS(EACCES));
        assert_int_equal(verdict(wish, SYS_truncate, 0, 0, 0), FAILS(EACCES));
        assert_int_not_equal(verdict(wish, SYS_openat, 0, 0, O_WRONLY | O_TRUNC), FAILS(EACCES));
    }
}

static void test_processes(void **state) {
    (void)state;
    const uint64_t thread = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    for (unsigned m = 0; m < FREE_MODES; m++) {
        hk_filter_wish wish = mode(m, true);
        assert_int_equal(verdict(wish, SYS_clone, 17, 0, 0), denied(wish, EPERM));
        assert_int_equal(verdict(wish, SYS_clone, CLONE_VM | CLONE_VFORK, 0, 0),
                         denied(wish, EPERM));
        assert_int_equal(verdict(wish, SYS_clone, thread, 0, 0), wish.reports ? ASKED : ALLOWED);
        assert_int_equal(verdict(wish, SYS_clone, thread | CLONE_NEWNET, 0, 0), FAILS(EPERM));
    }
}

static void test_other_processes(void **state) {
    (void)state;
    static const long all[] = {SYS_kill,      SYS_tgkill,           SYS_rt_sigqueueinfo,
                               SYS_prlimit64, SYS_process_vm_readv, SYS_sched_setaffinity};
    for (unsigned m = 0; m < FREE_MODES; m++)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            hk_filter_wish wish = mode(m, false);
            assert_int_equal(verdict(wish, all[i], SELF, 0, 0), ALLOWED);
            assert_int_equal(verdict(wish, all[i], OTHER, 0, 0), denied(wish, EPERM));
            assert_int_equal(verdict(wish, all[i], (uint64_t)-1, 0, 0), denied(wish, EPERM));
        }
    hk_filter_wish wish = mode(1, false);
    assert_int_equal(verdict(wish, SYS_fcntl, 0, F_GETFL, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_fcntl, 0, F_SETOWN, OTHER), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_fcntl, 0, F_SETLK, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_fcntl, 0, F_SETLEASE, F_WRLCK), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_fcntl, 0, HK_SETDELEG, 0), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_setpriority, PRIO_PROCESS, 0, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_setpriority, PRIO_USER, 0, 0), FAILS(EPERM));
}

static void test_sockets(void **state) {
    (void)state;
    for (unsigned m = 0; m < FREE_MODES; m++)
        for (unsigned network = 0; network < 2; network++) {
            hk_filter_wish wish = mode(m, network);
            uint32_t net = network ? ALLOWED : denied(wish, EACCES);
            assert_int_equal(verdict(wish, SYS_socket, AF_INET, SOCK_STREAM, 0), net);
            assert_int_equal(verdict(wish, SYS_socket, AF_INET6, SOCK_DGRAM, 0), net);
            assert_int_equal(verdict(wish, SYS_connect, 3, 0, 0), net);
            assert_int_equal(verdict(wish, SYS_socket, AF_UNIX, SOCK_STREAM, 0),
                             denied(wish, EAFNOSUPPORT));
            assert_int_equal(verdict(wish, SYS_socket, AF_PACKET, SOCK_RAW, 0),
                             denied(wish, EACCES));
            assert_int_equal(verdict(wish, SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
                             ALLOWED);
            assert_int_equal(verdict(wish, SYS_socketpair, AF_UNIX, SOCK_DGRAM, 0),
                             denied(wish, EACCES));
        }
}

static void test_words_to_the_kernel(void **state) {
    (void)state;
    hk_filter_wish wish = mode(1, false);
    assert_int_equal(verdict(wish, SYS_prctl, PR_SET_NAME, 0, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_prctl, PR_SET_PDEATHSIG, 0, 0), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_prctl, PR_SET_SECCOMP, 2, 0), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_ioctl, 1, FIONREAD, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_ioctl, 0, TIOCSTI, 0), FAILS(EPERM));
    /* the upper half is not looked at by the kernel */
    assert_int_equal(verdict(wish, SYS_ioctl, 0, (UINT64_C(1) << 32) | TIOCSTI, 0), FAILS(EPERM));
    assert_int_equal(verdict(wish, SYS_personality, UINT32_MAX, 0, 0), ALLOWED);
    assert_int_equal(verdict(wish, SYS_personality, 0x0040000, 0, 0), FAILS(EPERM));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_listed),      cmocka_unit_test(test_each_is_listed_once),
        cmocka_unit_test(test_what_is_not_known),   cmocka_unit_test(test_files),
        cmocka_unit_test(test_files_that_are_cut),  cmocka_unit_test(test_processes),
        cmocka_unit_test(test_other_processes),     cmocka_unit_test(test_sockets),
        cmocka_unit_test(test_words_to_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void) {
    return 0; /* there is no filter for this processor */
}
#endif
