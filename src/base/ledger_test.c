/* SPDX-License-Identifier: MIT */
#include "base/ledger.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static void test_without_a_parent(void **state) {
    (void)state;
    hk_ledger_forget();
    assert_null(hk_ledger_get());
    assert_false(hk_ledger_is_ours());
    assert_null(hk_ledger_open("/x"));
    hk_ledger_begun(NULL);
    hk_ledger_close(NULL);
    hk_ledger_guarded(true);
    hk_ledger_heard();
    hk_ledger_ending();
    hk_ledger_told(4);
    hk_ledger_keeps("the record", "x");
}

/* Only the process of the run can say how it ends, and once. */
static void test_who_may_speak(void **state) {
    (void)state;
    hk_ledger *l = hk_ledger_make();
    assert_non_null(l);
    hk_ledger_told(4);
    hk_ledger_said(4);
    hk_ledger_keeps("the record", "x");
    assert_int_equal(l->end, HK_END_UNKNOWN);
    assert_int_equal(l->said, 0);
    assert_string_equal(l->kept_path, "");
    l->child = getpid();
    hk_ledger_keeps("the record", "x");
    hk_ledger_said(4);
    assert_int_equal(l->said, 4);
    hk_ledger_told(4);
    hk_ledger_told(5);
    assert_int_equal(l->end, HK_END_TOLD);
    assert_int_equal(l->status, 4);
    assert_string_equal(l->kept_path, "x");
    hk_ledger_forget();
}

/* What a process that is gone was writing stays known until its place is needed. */
static void test_records_of_others(void **state) {
    (void)state;
    hk_ledger *l = hk_ledger_make();
    pid_t pid = fork();
    if (pid == 0) {
        for (int i = 0; i < HK_LEDGER_RECORDS; i++)
            hk_ledger_begun(hk_ledger_open("/of/another"));
        _exit(hk_ledger_open("/one/too/many") ? 1 : 0);
    }
    int how;
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    for (int i = 0; i < HK_LEDGER_RECORDS; i++) {
        assert_int_equal(l->records[i].owner, pid);
        assert_true(l->records[i].begun);
        assert_string_equal(l->records[i].path, "/of/another");
    }
    hk_ledger_record *mine = hk_ledger_open("/mine");
    assert_ptr_equal(mine, &l->records[0]);
    assert_int_equal(mine->owner, getpid());
    assert_false(mine->begun);
    hk_ledger_close(mine);
    assert_int_equal(mine->owner, 0);
    hk_ledger_forget();
}

/* A file that was to be renamed goes with the process that was writing it, and no other does. */
static void test_temporary_files(void **state) {
    (void)state;
    char half[] = "/tmp/ledger_test_XXXXXX", other[] = "/tmp/ledger_test_XXXXXX";
    close(mkstemp(half));
    close(mkstemp(other));
    (void)hk_ledger_make();
    pid_t pid = fork();
    if (pid == 0)
        _exit(hk_ledger_open_temporary(half) && hk_ledger_open(other) ? 0 : 1);
    int how;
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_int_equal(how, 0);
    hk_ledger_remove_temporary(getpid());
    assert_int_equal(access(half, F_OK), 0);
    hk_ledger_remove_temporary(pid);
    assert_int_not_equal(access(half, F_OK), 0);
    hk_ledger_remove_temporary(0);
    assert_int_equal(access(other, F_OK), 0);
    assert_int_equal(unlink(other), 0);
    char much[PATH_MAX + 10];
    memset(much, 'x', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    assert_null(hk_ledger_open_temporary(much));
    hk_ledger_forget();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_parent),
        cmocka_unit_test(test_who_may_speak),
        cmocka_unit_test(test_records_of_others),
        cmocka_unit_test(test_temporary_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
