/* SPDX-License-Identifier: MIT */
#include "base/fpenv.h"
#include "native/native.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static void test_loads_once(void **state) {
    fixture *f = *state;
    const hk_info *first = NULL, *second = NULL;
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", "counter", &first),
                     HK_OK);
    size_t owned = f->model->owned_count;
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", "counter", &second),
                     HK_OK);
    assert_ptr_equal(first, second);
    /* The only type needs no name. */
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", NULL, &second), HK_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(f->model->owned_count, owned);
    assert_non_null(strstr(first->file, "good.so"));
    hk_unit_options options = {.name = "c"};
    hk_unit *unit = NULL;
    hk_step_call step;
    assert_int_equal(first->unit_class->open(f->ctx, first, &options, &unit), HK_OK);
    unit->unit_class->bind_step(unit, &step);
    step.fn.plain(step.self, 0.0, 1.0);
    assert_int_equal(*(int32_t *)unit->unit_class->address(unit, 0), 1);
    unit->unit_class->close(unit);
}

static void test_restores_the_floating_point_environment(void **state) {
    fixture *f = *state;
    const hk_info *info = NULL;
    uint64_t before = hk_fpenv_read();
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/rounding.so", "counter", &info),
                     HK_OK);
    assert_true(hk_fpenv_read() == before);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "rounding"));
}

static void refuse(fixture *f, const char *file, const char *type, const char *text,
                   const char *hint) {
    const hk_info *info = NULL;
    const char *path = hk_arena_printf(f->model->arena, "%s/%s", PLUGIN_DIR, file);
    assert_int_equal(hk_plugin_info(f->ctx, f->model, path, type, &info), HK_E_PLUGIN);
    assert_null(info);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_non_null(strstr(diag->where.file, file));
    if (!strstr(diag->text, text))
        fail_msg("'%s' does not say '%s'", diag->text, text);
    if (hint)
        assert_non_null(strstr(diag->hint, hint));
}

static void test_refused(void **state) {
    fixture *f = *state;
    refuse(f, "missing.so", "counter", "cannot be loaded", NULL);
    refuse(f, "none.so", "counter", "does not export hk_plugin", "define hk_plugin()");
    refuse(f, "null.so", "counter", "returned NULL", NULL);
    refuse(f, "abi.so", "counter", "ABI", "build it again");
    refuse(f, "good.so", "countr", "no type called 'countr'", "'counter'");
    refuse(f, "good.so", "pump", "no type called 'pump'", "it offers: counter");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_loads_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_restores_the_floating_point_environment, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
