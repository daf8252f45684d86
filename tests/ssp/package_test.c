/* SPDX-License-Identifier: MIT
 *
 * Packages with real FMUs and plugins: read, check, close. */
#include "base/file.h"
#include "check/check.h"
#include "model/address.h"
#include "ssp/ssp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect_quarter_truck(const char *path, const char *kind) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = NULL;
    hk_status status = hk_ssp_read(ctx, path, NULL, &model);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        print_message("%s: %s\n", path, hk_ctx_diag(ctx, i)->text);
    assert_int_equal(status, HK_OK);
    assert_int_equal(model->component_count, 3);
    assert_int_equal(model->connection_count, 4);
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    for (size_t i = 0; i < 3; i++)
        assert_non_null(strstr(model->components[i].info->kind, kind));
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(model->connections[i].transform.kind, HK_TRANSFORM_NONE);
    hk_address at;
    assert_true(hk_model_find(model, "chassis.Spring.k", &at));
    const hk_component *chassis = &model->components[at.component];
    bool found = false;
    for (size_t i = 0; i < chassis->setting_count; i++)
        if (chassis->settings[i].variable == at.variable)
            found = *(double *)chassis->settings[i].value.data == 15000;
    assert_true(found);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

static void test_fmus(void **state) {
    (void)state;
    expect_quarter_truck(HK_MODEL_DIR "/quarter_truck.ssp", "FMI 2.0");
}

static void test_plugin(void **state) {
    (void)state;
    expect_quarter_truck(HK_MODEL_DIR "/quarter_truck_native.ssp", "native");
}

/* The file is opened once, so the check sees two instances of one FMU. */
static void test_once_per_process(void **state) {
    (void)state;
    static const char text[] =
        "<SystemStructureDescription version=\"1.0\" name=\"x\""
        " xmlns=\"http://ssp-standard.org/SSP1/SystemStructureDescription\"><System name=\"s\">"
        "<Elements><Component name=\"a\" source=\"probe_once.fmu\"/>"
        "<Component name=\"b\" source=\"probe_once.fmu\"/></Elements></System>"
        "</SystemStructureDescription>";
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const char *path = HK_FMU_DIR "/once.ssd";
    hk_model *model = NULL;
    assert_int_equal(hk_file_write(ctx, path, text, strlen(text)), HK_OK);
    assert_int_equal(hk_ssp_read(ctx, path, NULL, &model), HK_OK);
    assert_ptr_equal(model->components[0].info, model->components[1].info);
    assert_int_equal(hk_check_model(ctx, model), HK_OK);
    assert_int_equal(hk_check_first_instance(model, 1), 0);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fmus),
        cmocka_unit_test(test_plugin),
        cmocka_unit_test(test_once_per_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
