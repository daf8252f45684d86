/* SPDX-License-Identifier: MIT */
#include "base/command.h"

#include "base/clock.h"
#include "base/file.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

typedef struct yard {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
} yard;

static int make(void **state) {
    yard *y = hk_alloc(sizeof *y);
    *y = (yard){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_folder_temporary(y->ctx, y->arena, &y->folder), HK_OK);
    *state = y;
    return 0;
}

static int tear(void **state) {
    yard *y = *state;
    hk_folder_remove(y->folder);
    hk_arena_destroy(y->arena);
    hk_ctx_destroy(y->ctx);
    hk_free(y);
    return 0;
}

static hk_task task(const yard *y, size_t number, const char *script) {
    hk_task t = {.log = hk_arena_printf(y->arena, "%s/%zu.log", y->folder, number)};
    hk_command_add(&t.command, "sh");
    hk_command_add(&t.command, "-c");
    hk_command_add(&t.command, script);
    return t;
}

static const char *contents(const yard *y, const char *name) {
    char *data = NULL;
    size_t size = 0;
    if (hk_file_read(y->ctx, hk_path_join(y->arena, y->folder, name), 0, &data, &size) != HK_OK)
        return "";
    const char *text = hk_arena_strdup(y->arena, data);
    hk_free(data);
    return text;
}

static void count_ended(void *user, size_t ended) {
    size_t *last = user;
    assert_true(ended >= *last);
    *last = ended;
}

static void all_are_run(void **state) {
    const yard *y = *state;
    enum { COUNT = 20 };
    hk_task tasks[COUNT];
    size_t ended = 0;
    for (size_t i = 0; i < COUNT; i++)
        tasks[i] = task(y, i, hk_arena_printf(y->arena, "echo %zu; echo x >> all", i));
    assert_int_equal(hk_tasks_run(tasks, COUNT, 3, y->folder, count_ended, &ended), COUNT);
    assert_int_equal(ended, COUNT);
    assert_int_equal(strlen(contents(y, "all")), 2 * COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const char *log = contents(y, hk_arena_printf(y->arena, "%zu.log", i));
        assert_string_equal(log, hk_arena_printf(y->arena, "%zu\n", i));
        hk_command_finish(&tasks[i].command);
    }
}

/* Each waits for the other: that ends only if they run at the same time. */
static void two_run_at_the_same_time(void **state) {
    const yard *y = *state;
    hk_task tasks[] = {
        task(y, 0, "touch a; while [ ! -e b ]; do sleep 0.01; done"),
        task(y, 1, "touch b; while [ ! -e a ]; do sleep 0.01; done"),
    };
    for (size_t i = 0; i < 2; i++)
        tasks[i].command.deadline_ns = hk_clock_ns() + INT64_C(900000000000);
    assert_int_equal(hk_tasks_run(tasks, 2, 2, y->folder, NULL, NULL), 2);
    for (size_t i = 0; i < 2; i++)
        hk_command_finish(&tasks[i].command);
}

static void none_is_begun_after_a_failure(void **state) {
    const yard *y = *state;
    hk_task tasks[] = {task(y, 0, "sleep 0.2; exit 3"), task(y, 1, "exit 4"),
                       task(y, 2, "touch begun"), task(y, 3, "touch begun")};
    /* the first by order, although the second failed before it */
    assert_int_equal(hk_tasks_run(tasks, 4, 2, y->folder, NULL, NULL), 0);
    assert_int_equal(tasks[0].code, 3);
    assert_int_equal(tasks[1].code, 4);
    assert_int_equal(tasks[3].code, 0);
    assert_false(hk_file_exists(hk_path_join(y->arena, y->folder, "begun")));
    for (size_t i = 0; i < 4; i++)
        hk_command_finish(&tasks[i].command);
}

static void a_late_one_is_ended(void **state) {
    const yard *y = *state;
    hk_task tasks[] = {task(y, 0, "sleep 600"), task(y, 1, "true")};
    tasks[0].command.deadline_ns = hk_clock_ns() + 100000000;
    assert_int_equal(hk_tasks_run(tasks, 2, 2, y->folder, NULL, NULL), 0);
    assert_int_equal(tasks[0].code, HK_COMMAND_LATE);
    assert_int_equal(tasks[1].code, 0);
    for (size_t i = 0; i < 2; i++)
        hk_command_finish(&tasks[i].command);
}

static void a_program_that_is_not_there(void **state) {
    const yard *y = *state;
    hk_task none = {.log = hk_arena_printf(y->arena, "%s/log", y->folder)};
    hk_command_add(&none.command, "/nowhere/at/all");
    assert_int_equal(hk_tasks_run(&none, 1, 4, y->folder, NULL, NULL), 0);
    assert_int_equal(none.code, HK_COMMAND_NONE);
    assert_int_equal(hk_tasks_run(NULL, 0, 4, y->folder, NULL, NULL), 0);
    hk_command_finish(&none.command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_are_run, make, tear),
        cmocka_unit_test_setup_teardown(two_run_at_the_same_time, make, tear),
        cmocka_unit_test_setup_teardown(none_is_begun_after_a_failure, make, tear),
        cmocka_unit_test_setup_teardown(a_late_one_is_ended, make, tear),
        cmocka_unit_test_setup_teardown(a_program_that_is_not_there, make, tear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
