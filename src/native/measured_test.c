/* SPDX-License-Identifier: MIT
 *
 * Built-in components that are made to measure. */
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

static const hk_info *need(fixture *f, const char *name) {
    const hk_info *info;
    assert_int_equal(hk_builtin_info(f->ctx, f->model, name, HK_NOWHERE, &info), HK_OK);
    assert_string_equal(info->name, name);
    return info;
}

static void test_ports(void **state) {
    fixture *f = *state;
    const hk_info *scalar = need(f, "hk.VectorSum?inputs=3");
    assert_int_not_equal(hk_info_find(scalar, "in[2]"), HK_MAP_NONE);
    assert_int_not_equal(hk_info_find(scalar, "out"), HK_MAP_NONE);
    const hk_info *vector = need(f, "hk.VectorSum?inputs=2&dimension=3");
    assert_int_equal(vector->variable_count, 2 * 3 + 3 + 2);
    uint32_t out = hk_info_find(vector, "out[1]");
    assert_int_not_equal(out, HK_MAP_NONE);
    assert_int_equal(vector->variables[out].depends.count, 2);
    assert_int_equal(vector->variables[out].depends.on[1], hk_info_find(vector, "in[1][1]"));
    assert_false(hk_variable_settable(&vector->variables[hk_info_find(vector, "inputs")]));
    assert_int_equal(vector->stamp, HK_STAMP_START);
    assert_ptr_equal(vector, need(f, "hk.VectorSum?inputs=2&dimension=3"));
    need(f, "hk.Gain");
    need(f, "hk.Hold?type=Float64");
    need(f, "hk.Hold?type=Boolean");
}

static void test_refused(void **state) {
    fixture *f = *state;
    static const char *const wrong[] = {"hk.VectorSum",
                                        "hk.VectorSum?",
                                        "hk.VectorSum?inputs=0",
                                        "hk.VectorSum?inputs=1001",
                                        "hk.VectorSum?inputs=2&",
                                        "hk.VectorSum?inputs=2&dimension=0",
                                        "hk.VectorSum?dimension=2",
                                        "hk.VectorSum?inputs=2&dimension=2&x=1",
                                        "hk.VectorSum?inputs=99999999999999999999",
                                        "hk.Hold?type=String",
                                        "hk.Gian",
                                        ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const hk_info *info;
        assert_int_equal(hk_builtin_info(f->ctx, f->model, wrong[i], HK_NOWHERE, &info),
                         HK_E_PLUGIN);
    }
    assert_non_null(hk_ctx_diag(f->ctx, 10)->hint);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 10)->hint, "hk.Gain"));
}

static void test_holds(void **state) {
    (void)state;
    assert_string_equal(hk_hold_type(HK_TYPE_F64)->name, "hk.Hold?type=Float64");
    assert_string_equal(hk_hold_type(HK_TYPE_I32)->name, "hk.Hold?type=Int64");
    assert_string_equal(hk_hold_type(HK_TYPE_ENUM)->name, "hk.Hold?type=Int64");
    assert_string_equal(hk_hold_type(HK_TYPE_BOOL)->name, "hk.Hold?type=Boolean");
    assert_null(hk_hold_type(HK_TYPE_STRING));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ports, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_holds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
