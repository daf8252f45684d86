/* SPDX-License-Identifier: MIT
 *
 * Schedules that a system carries with it, as annotations and as text. */
#include "ssp/ssp_rig.h"

#define NOTE(content)                                                                              \
    "<ssd:Annotations><ssc:Annotation type=\"org.hocket.schedule\">" content                       \
    "</ssc:Annotation></ssd:Annotations>"

static void test_schedule(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM "<ssd:Elements>" PLANT(
                  "a", NOTE("<hk:Schedule period=\"0.01\" offset=\"1/1000\" priority=\"2\"/>"))
                  PLANT("b", "") "</ssd:Elements><ssd:Connections>" LINK ">" NOTE(
                      "<hk:Link lag=\"observe\" delay=\"0.002\" "
                      "initial=\"1.5\"/>") "</ssd:Connection></"
                                           "ssd:Connections>" NOTE("<hk:Experiment "
                                                                   "stepSize=\"0.001\" "
                                                                   "outputInterval=\"0.01\""
                                                                   " algorithm=\"gauss-seidel\"/>")
                                               TAIL,
              0);
    const hk_component *a = &f->model->components[0];
    assert_true(a->has_period && a->period.num == 1 && a->period.den == 100);
    assert_true(a->offset.den == 1000 && a->priority == 2);
    assert_false(f->model->components[1].has_period);
    const hk_connection *k = f->model->connections;
    assert_true(k->lag == HK_LAG_OBSERVE && k->delay.num == 1 && k->delay.den == 500);
    assert_true(*(double *)k->initial.data == 1.5);
    const hk_experiment *e = &f->model->experiment;
    assert_true(e->has_step && e->step.den == 1000 && e->step_source == HK_FROM_SYSTEM);
    assert_true(e->output_interval.den == 100);
    assert_true(e->has_algorithm && e->algorithm == HK_GAUSS_SEIDEL);
}

static void test_bad_schedule(void **state) {
    fixture *f = *state;
    expect_fail(f,
                SYSTEM "<ssd:Elements>" PLANT("a", NOTE("<hk:Schedule perriod=\"0.01\"/>"))
                    PLANT("b", "") "</ssd:Elements><ssd:Connections>" LINK ">" NOTE(
                        "<hk:Link lag=\"later\" delay=\"-1\"/>") "</ssd:Connection>"
                                                                 "</ssd:Connections>" TAIL,
                HK_E_SSP, "unknown attribute 'perriod'");
    find_diag(f, "lag 'later' is none of previous");
    find_diag(f, "delay '-1' of 'Link' must be at least 0");
}

static void test_schedule_text(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM TWO "<ssd:Connections>" LINK "/></ssd:Connections>" NOTE(
                  "<hk:Experiment stepSize=\"0.001\"/><hk:Schedule>\n"
                  "processor P1: b # <![CDATA[&]]>\nprocessor P2: a\ncut hla\n"
                  "component a period 5ms\nlink a.y -&gt; b.u lag current\n"
                  "latency a -> b max 20ms\n</hk:Schedule>") TAIL,
              0);
    const hk_model *m = f->model;
    assert_int_equal(m->processor_count, 2);
    assert_true(m->components[0].processor == 1 && m->components[1].processor == 0);
    assert_true(m->cut == HK_CUT_HLA && m->components[0].period.den == 200);
    assert_true(m->connections[0].lag == HK_LAG_CURRENT && m->constraint_count == 1);
    assert_true(m->experiment.has_step);
    /* Behind the System it is as good. */
    hk_model_destroy(f->model);
    f->model = NULL;
    expect_ok(
        f,
        SYSTEM TWO "</ssd:System>" NOTE(
            "<hk:Schedule>processor P: a b</hk:Schedule>") "</ssd:SystemStructureDescription>",
        0);
    assert_int_equal(f->model->processor_count, 1);
}

static void test_bad_schedule_text(void **state) {
    fixture *f = *state;
    const hk_diag *d =
        expect_fail(f,
                    SYSTEM TWO NOTE("<hk:Schedule>\n# first\n"
                                    "processor P1: a bb\nfreshness b max 1x\n</hk:Schedule>") TAIL,
                    HK_E_SCHEDULE, "there is no component 'bb'");
    /* The text begins in the line of its element, which is 12. */
    assert_true(d->where.line == 14 && d->where.column == 17);
    assert_string_equal(hk_path_name(d->where.file), "s.ssd");
    assert_int_equal(find_diag(f, "'1x' is not a time")->where.line, 15);
    expect_fail(f,
                SYSTEM TWO NOTE("<hk:Schedule/>") "</ssd:System>" NOTE(
                    "<hk:Schedule/>") "</ssd:SystemStructureDescription>",
                HK_E_DUPLICATE, "the system has two schedules");
    expect_fail(f, SYSTEM TWO NOTE("<hk:Schedule period=\"1\"/><hk:Scedule/>") TAIL, HK_E_SSP,
                "unknown attribute 'period' of 'Schedule'");
    assert_string_equal(find_diag(f, "element 'Scedule' does not belong here")->hint,
                        "did you mean 'Schedule'?");
    expect_fail(f,
                SYSTEM "<ssd:Elements>" PLANT(
                    "a", NOTE("<hk:Schedule>processor P: a</hk:Schedule>")) "</ssd:Elements>" TAIL,
                HK_E_SSP, "the Schedule of component 'a' holds text");
}

static void test_schedule_of_a_system(void **state) {
    fixture *f = *state;
    expect_fail(f,
                SYSTEM "<ssd:Elements><ssd:System name=\"s\">" NOTE(
                    "<hk:Schedule period=\"0.01\"/>") "</ssd:System></ssd:Elements>" TAIL,
                HK_E_SSP, "a system inside another has no schedule of its own");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_schedule),          TEST(test_bad_schedule),         TEST(test_schedule_text),
        TEST(test_bad_schedule_text), TEST(test_schedule_of_a_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
