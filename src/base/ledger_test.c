/* SPDX-License-Identifier: MIT */
#include "base/ledger.h"

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
    hk_ledger_keeps("the record", "x");
    assert_int_equal(l->end, HK_END_UNKNOWN);
    assert_string_equal(l->kept_path, "");
    l->child = getpid();
    hk_ledger_keeps("the record", "x");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_a_parent),
        cmocka_unit_test(test_who_may_speak),
        cmocka_unit_test(test_records_of_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
