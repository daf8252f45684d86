/* SPDX-License-Identifier: MIT
 *
 * What the FMUs say of themselves is what the native components say: names, order, causality,
 * units, start values and dependencies of all 121 variables. */
#include "fmi/fmi.h"
#include "native/native.h"
#include "quarter_truck.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_same_depends(const hk_info *fmu, const hk_depends *a, const hk_depends *b) {
    assert_true(a->known && b->known);
    /* The FMU also lists states and parameters; inputs are what matters here. */
    size_t inputs = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (fmu->variables[a->on[i]].causality != HK_INPUT)
            continue;
        bool found = false;
        for (size_t k = 0; k < b->count; k++)
            found = found || b->on[k] == a->on[i];
        assert_true(found);
        inputs++;
    }
    assert_int_equal(inputs, b->count);
}

static void compare(const hk_info *fmu, const hk_info *native) {
    assert_int_equal(fmu->variable_count, native->variable_count);
    for (size_t i = 0; i < fmu->variable_count; i++) {
        const hk_variable *a = &fmu->variables[i], *b = &native->variables[i];
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->description, b->description);
        assert_string_equal(a->unit, b->unit);
        assert_int_equal(a->ref, b->ref);
        assert_int_equal(a->type, b->type);
        assert_int_equal(a->causality, b->causality);
        assert_int_equal(a->variability, b->variability);
        assert_int_equal(a->initial, b->initial);
        assert_non_null(a->uom);
        assert_non_null(b->uom);
        if (!hk_uom_same_dimension(a->uom, b->uom))
            fail_msg("%s: the unit %s has two meanings", a->name, a->unit);
        assert_int_equal(a->start.data != NULL, b->start.data != NULL);
        if (a->start.data)
            assert_memory_equal(a->start.data, b->start.data, sizeof(double));
        if (a->causality == HK_OUTPUT) {
            assert_same_depends(fmu, &a->depends, &b->depends);
            assert_same_depends(fmu, &a->depends_init, &b->depends_init);
        }
    }
}

static void test_descriptions_agree(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model = hk_model_create("m", NULL);
    for (size_t i = 0; hk_quarter_truck_types[i]; i++) {
        const hk_unit_type *type = hk_quarter_truck_types[i];
        const hk_info *linked = NULL, *plugged = NULL;
        hk_fmu *fmu = NULL;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.fmu", QT_FMU_DIR, type->name);
        assert_int_equal(hk_fmu_open(ctx, path, &fmu), HK_OK);
        assert_int_equal(hk_native_info(ctx, model, type, &linked), HK_OK);
        snprintf(path, sizeof path, "%s/quarter_truck_native/resources/quarter_truck.so",
                 QT_MODEL_DIR);
        assert_int_equal(hk_plugin_info(ctx, model, path, type->name, &plugged), HK_OK);
        compare(hk_fmu_info(fmu), linked);
        compare(hk_fmu_info(fmu), plugged);
        hk_fmu_close(fmu);
    }
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_descriptions_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
