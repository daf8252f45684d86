/* SPDX-License-Identifier: MIT
 *
 * The components of the examples do what their files say. */
#include "native/native.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A tank without inflow drains like exp(-valve/area t). */
static void test_tank_drains(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("m", NULL);
    const hk_info *info = NULL;
    hk_unit *unit = NULL;
    hk_unit_options options = {.name = "tank"};
    assert_int_equal(hk_plugin_info(ctx, model, EXAMPLES_DIR "/01_hello/tank.so", "tank", &info),
                     HK_OK);
    assert_int_equal(info->unit_class->open(ctx, info, &options, &unit), HK_OK);
    assert_int_equal(unit->unit_class->enter_init(ctx, unit), HK_OK);
    assert_true(*(double *)unit->unit_class->address(unit, hk_info_find(info, "outflow")) == 0.2);
    hk_step_call step;
    unit->unit_class->bind_step(unit, &step);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(step.fn.plain(step.self, i * 0.001, 0.001), HK_STEP_OK);
    double level = *(double *)unit->unit_class->address(unit, hk_info_find(info, "level"));
    assert_true(fabs(level - exp(-1.0)) < 1e-4);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    unit->unit_class->close(unit);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tank_drains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
