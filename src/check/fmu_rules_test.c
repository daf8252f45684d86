/* SPDX-License-Identifier: MIT
 *
 * How findings are made and shown; what each rule finds is tested by tests/rules. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "check/fmu_rules.h"

#include "base/file.h"
#include "format/zip.h"

#include <string.h>

#define HEAD                                                                                       \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\" "         \
    "modelName=\"m\" guid=\"1\">\n<CoSimulation modelIdentifier=\"m\"/>\n<ModelVariables>\n"
#define TAIL "</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>\n"
#define PARAMETER(name, ref, rest)                                                                 \
    "<ScalarVariable name=\"" name "\" valueReference=\"" ref                                      \
    "\" causality=\"parameter\" variability=\"fixed\">" rest "</ScalarVariable>\n"

static hk_status check(hk_ctx *ctx, const char *text, hk_fmu_findings *ret) {
    return hk_check_description(ctx, "x.xml", text, strlen(text), ret);
}

static void test_right(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_fmu_findings found;
    assert_int_equal(check(ctx, HEAD PARAMETER("a", "1", "<Real start=\"1\"/>") TAIL, &found),
                     HK_OK);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    assert_int_equal(found.errors + found.warnings, 0);
    hk_ctx_destroy(ctx);
}

static void test_place(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_fmu_findings found;
    const char *text = HEAD PARAMETER("a", "1", "<Real start=\"1\"/>")
        PARAMETER("b", "2", "<Real/>") PARAMETER("a", "3", "<Real start=\"x\"/>") TAIL;
    assert_int_equal(check(ctx, text, &found), HK_E_FMI_RULE);
    assert_int_equal(found.errors, 3);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 3);
    const hk_diag *first = hk_ctx_diag(ctx, 0);
    assert_int_equal(first->code, HK_E_FMI_RULE);
    assert_string_equal(first->where.file, "x.xml");
    assert_int_equal(first->where.line, 6);
    assert_int_equal(first->where.column, 1);
    assert_string_equal(first->where.element, "ScalarVariable 'b'");
    assert_string_equal(first->text,
                        "the start value is missing [start-missing; FMI 2.0.5, 2.2.7]");
    assert_int_equal(hk_ctx_diag(ctx, 1)->where.line, 7);
    hk_ctx_destroy(ctx);
}

static void test_many(void **state) {
    (void)state;
    enum { COUNT = 25 };
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const char *text = HEAD;
    hk_fmu_findings found;
    for (int i = 0; i < COUNT; i++)
        text = hk_arena_printf(arena,
                               "%s<ScalarVariable name=\"p%d\" valueReference=\"%d\" "
                               "causality=\"parameter\" variability=\"fixed\"><Real/>"
                               "</ScalarVariable>\n",
                               text, i, i);
    assert_int_equal(check(ctx, hk_arena_printf(arena, "%s" TAIL, text), &found), HK_E_FMI_RULE);
    assert_int_equal(found.errors, COUNT);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 10);
    assert_string_equal(hk_ctx_diag(ctx, 10)->text, "and 15 more of the rule 'start-missing'");
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void test_not_xml(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "<a>",
                                        "<!DOCTYPE x><a/>",
                                        "<a/>",
                                        "<fmiModelDescription/>",
                                        "<fmiModelDescription fmiVersion=\"9\"/>"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_fmu_findings found;
        hk_status status = check(ctx, texts[i], &found);
        assert_int_equal(status, i < 3 ? HK_E_XML : HK_E_FMI_RULE);
        assert_int_equal(found.errors, 1);
        assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
        hk_ctx_destroy(ctx);
    }
}

/* An FMU without library, and one whose description is packed in a folder. */
static void test_archive(void **state) {
    (void)state;
    static const char *const names[] = {"modelDescription.xml", "m/modelDescription.xml"};
    static const char *const rules[] = {"[no-implementation; FMI 2.0.5, 2.3]",
                                        "[description-place]"};
    hk_arena *arena = hk_arena_create();
    for (size_t i = 0; i < 2; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        const char *folder, *text = HEAD PARAMETER("a", "1", "<Real start=\"1\"/>") TAIL;
        hk_fmu_findings found;
        assert_int_equal(hk_folder_temporary(ctx, arena, &folder), HK_OK);
        const char *path = hk_path_join(arena, folder, "m.fmu");
        hk_zip_item item = {.name = names[i], .data = text, .size = strlen(text)};
        assert_int_equal(hk_zip_write(ctx, path, &item, 1), HK_OK);
        assert_int_equal(hk_check_fmu(ctx, path, &found), HK_E_FMI_RULE);
        assert_int_equal(found.errors, 1);
        assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, rules[i]));
        hk_folder_remove(folder);
        assert_int_equal(hk_check_fmu(ctx, path, &found), HK_E_FILE_READ);
        hk_ctx_destroy(ctx);
    }
    hk_arena_destroy(arena);
}

static void test_table(void **state) {
    (void)state;
    const hk_fmu_rule *r;
    size_t count = 0;
    for (; (r = hk_fmu_rule_at(count)); count++) {
        assert_true(r->name[0] && r->sentence[0]);
        assert_true(r->sentence[strlen(r->sentence) - 1] == '.');
        assert_true(*r->reference[0] || *r->reference[1] || *r->reference[2]);
        for (size_t i = 0; i < count; i++)
            assert_string_not_equal(hk_fmu_rule_at(i)->name, r->name);
    }
    assert_true(count > 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),   cmocka_unit_test(test_place),
        cmocka_unit_test(test_many),    cmocka_unit_test(test_not_xml),
        cmocka_unit_test(test_archive), cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
