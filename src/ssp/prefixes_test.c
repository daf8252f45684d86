/* SPDX-License-Identifier: MIT
 *
 * Namespace prefixes that are used and not declared. */
#include "ssp/ssp_rig.h"

static void test_unbound_prefix(void **state) {
    fixture *f = *state;
    const hk_diag *d =
        expect_fail(f,
                    "<ssd:SystemStructureDescription version=\"1.0\" name=\"x\"\n"
                    " xmlns:ssd=\"http://ssp-standard.org/SSP1/SystemStructureDescription\">\n"
                    "<ssd:System name=\"r\">\n  <ssv:ParameterSet/></ssd:System>"
                    "</ssd:SystemStructureDescription>",
                    HK_E_XML, "the namespace prefix 'ssv:' is used but not declared");
    assert_int_equal(d->where.line, 4);
    assert_non_null(strstr(d->hint, "xmlns:ssv=\"http://ssp-standard.org/SSP1/"
                                    "SystemStructureParameterValues\""));
}

static void test_unbound_attribute(void **state) {
    fixture *f = *state;
    expect_fail(f, SYSTEM "<ssd:Elements note=\"a:b\" ssc:type=\"x\" ssb:a=\"b\"/>" TAIL, HK_E_XML,
                "the namespace prefix 'ssb:' is used but not declared");
}

/* Annotations are other tools' data: that they forgot to declare themselves harms nobody else. */
static void test_unbound_annotation(void **state) {
    fixture *f = *state;
    expect_ok(f,
              "<?xml version=\"1.0\"?>\n<!-- <x> -->\n" SYSTEM TWO
              "<ssd:Annotations><ssc:Annotation type=\"com.opensimulationplatform\">\n"
              "<osp:FixedStepAlgorithm baseStepSize=\"0.5\" vico:note=\"x\"/>"
              "</ssc:Annotation></ssd:Annotations>" TAIL,
              2);
    const hk_diag *d =
        find_diag(f, "prefix 'osp:' is used but not declared; it is taken for one of");
    assert_true(d->where.line == 15 && d->hint);
    find_diag(f, "prefix 'vico:' is used but not declared");
    assert_int_equal(f->model->component_count, 2);
    assert_true(f->model->experiment.step.den == 2); /* steps are found by name */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_unbound_prefix),
        TEST(test_unbound_attribute),
        TEST(test_unbound_annotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
