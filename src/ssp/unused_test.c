/* SPDX-License-Identifier: MIT
 *
 * What is in a description and is not used is reported once, with its place. */
#include "ssp/ssp_rig.h"

#define ANNOTATED(type, content)                                                                   \
    "<ssd:Annotations><ssc:Annotation type=\"" type "\">\n" content                                \
    "</ssc:Annotation></ssd:Annotations>"
#define OMS  "<oms:SimulationInformation xmlns:oms=\"urn:oms\">\n"
#define OSP  "<osp:Algorithm xmlns:osp=\"urn:osp\">\n"
#define HINT "<osp:StepSizeHint xmlns:osp=\"urn:osp\" value=\"0.1\"/>"

/* Step sizes are taken, the rest of what other tools say about a run is named. */
static void test_other_tools(void **state) {
    fixture *f = *state;
    static const struct {
        const char *annotation, *name;
    } rows[] = {
        {OMS "<oms:VariableStepSolver description=\"cvode\" maximumStepSize=\"0.1\"/>"
             "</oms:SimulationInformation>",
         "'VariableStepSolver'"},
        {OMS "<oms:VariableStepMaster initialStepSize=\"0.1\"/></oms:SimulationInformation>",
         "'VariableStepMaster'"},
        {OSP "<osp:EccoAlgorithm safetyFactor=\"0.99\"/></osp:Algorithm>", "'EccoAlgorithm'"},
        {"<v:Rate xmlns:v=\"urn:v\" baseStepSize=\"0.1\"/>", "'Rate'"},
        {"<e:Scenario xmlns:e=\"urn:e\"><e:Action time=\"1\"/></e:Scenario>", "'Scenario'"},
        {HINT, "'StepSizeHint'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_ctx_clear(f->ctx);
        hk_model_destroy(f->model);
        f->model = NULL;
        const char *text =
            hk_arena_printf(f->arena, "%s%s%s%s",
                            SYSTEM TWO "<ssd:Annotations>"
                                       "<ssc:Annotation type=\"org.example\">\n",
                            rows[i].annotation, "</ssc:Annotation></ssd:Annotations>", TAIL);
        expect_ok(f, text, 1);
        const hk_diag *d = find_diag(f, "decides how other tools run the system; it is not used");
        assert_non_null(strstr(d->text, rows[i].name));
        assert_non_null(strstr(d->text, "'org.example'"));
        assert_true(d->where.line >= 13 && d->hint);
    }
}

/* Once, however many components say it; our own annotation and what is only data are not meant. */
static void test_once(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM "<ssd:Elements>" PLANT("a", ANNOTATED("org.example", HINT))
                  PLANT("b", ANNOTATED("org.example", HINT)) PLANT(
                      "c", ANNOTATED("org.hocket.schedule", "<hk:Schedule priority=\"1\"/>"))
                      PLANT("d", ANNOTATED("org.example",
                                           "<x:Colour xmlns:x=\"urn:x\"/>")) "</ssd:Elements>" TAIL,
              1);
    find_diag(f, "'StepSizeHint' of the annotation 'org.example'");
}

static void test_used_step(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM TWO ANNOTATED("org.openmodelica", OMS "<oms:FixedStepMaster stepSize=\"0.25\" "
                                                           "relativeTolerance=\"1e-4\"/>"
                                                           "</oms:SimulationInformation>") TAIL,
              0);
    assert_true(f->model->experiment.has_step && f->model->experiment.step.den == 4);
    find_diag(f, "of 'FixedStepMaster' the step size is used, and not relativeTolerance=\"1e-4\"");
}

/* Two step sizes: one is used, the other is named. */
static void test_two_steps(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM TWO ANNOTATED(
                  "org.openmodelica",
                  OMS "<oms:FixedStepMaster stepSize=\"0.25\"/>"
                      "</oms:SimulationInformation>") "</"
                                                      "ssd:System><ssd:"
                                                      "DefaultExperiment>" ANNOTATED("com."
                                                                                     "opensimulatio"
                                                                                     "nplatform",
                                                                                     OSP "<osp:"
                                                                                         "FixedStep"
                                                                                         "Algorithm"
                                                                                         " baseStep"
                                                                                         "Size=\"0."
                                                                                         "5\"/></"
                                                                                         "osp:"
                                                                                         "Algorithm"
                                                                                         ">") "</"
                                                                                              "ssd:"
                                                                                              "Defa"
                                                                                              "ultE"
                                                                                              "xper"
                                                                                              "imen"
                                                                                              "t></"
                                                                                              "ssd:"
                                                                                              "Syst"
                                                                                              "emSt"
                                                                                              "ruct"
                                                                                              "ureD"
                                                                                              "escr"
                                                                                              "ipti"
                                                                                              "on>",
              1);
    assert_true(f->model->experiment.step.den == 2);
    find_diag(f, "'FixedStepMaster' of the annotation 'org.openmodelica'");
}

static void test_sources(void **state) {
    fixture *f = *state;
    put(f, "there.txt", "x");
    expect_ok(f,
              SYSTEM TWO
              "<ssc:MetaData kind=\"general\" type=\"text/plain\" source=\"there.txt\"/>\n"
              "<ssc:MetaData kind=\"general\" type=\"text/plain\" source=\"gone.txt\"/>\n"
              "<ssc:MetaData kind=\"general\" type=\"x\" source=\"http://a.b/c\"/>\n"
              "<ssc:Signature role=\"authenticity\" type=\"x\" source=\"gone.sig\"/>\n"
              "<ssc:Signature role=\"authenticity\" type=\"x\"/>\n" TAIL,
              2);
    assert_int_equal(find_diag(f, "the file 'gone.txt' of a MetaData does not exist")->where.line,
                     13);
    assert_int_equal(find_diag(f, "the file 'gone.sig' of a Signature does not exist")->where.line,
                     15);
    find_diag(f, "signatures are not verified");
    find_diag(f, "known and not used here: MetaData, Signature");
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 4);
}

#define CONNECTOR(name, content)                                                                   \
    "<ssd:Connector name=\"" name "\" kind=\"input\">" content "</ssd:Connector>\n"
#define COMPONENT(name, source, connectors)                                                        \
    "<ssd:Component name=\"" name "\" source=\"" source "\"><ssd:Connectors>\n" connectors         \
    "</ssd:Connectors></ssd:Component>\n"

static void test_connectors(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Connectors>" CONNECTOR(
            "in",
            "<ssc:Dimension size=\"2\"/>") "</ssd:"
                                           "Connectors><ssd:Elements>\n" COMPONENT(
                                               "a", "plant.fmu",
                                               CONNECTOR("u",
                                                         "<ssc:Real/><ssc:Dimension size=\"2\"/>")
                                                   CONNECTOR("w", "<ssc:Real/>")
                                                       CONNECTOR("x", "<ssc:Real/>"))
                                               COMPONENT(
                                                   "b", "plant.fmu",
                                                   CONNECTOR("u",
                                                             "<ssc:Real/><ssd:Clock name=\"c\"/>")
                                                       CONNECTOR("y", "<ssc:Dimension "
                                                                      "sizeConnector=\"n\"/"
                                                                      ">")) "</"
                                                                            "ssd:"
                                                                            "Elements>" TAIL,
        5);
    find_diag(f, "connector 'u' of component 'a' is 2, and the variable is a scalar");
    assert_true(find_diag(f, "connector 'w' of component 'a' has no variable and is ignored, and "
                             "so are 1 others")
                    ->where.line > 0);
    find_diag(f, "connector 'u' belongs to the clock 'c', which is ignored");
    find_diag(f, "'b' has no connector 'n' that could be the size of another");
    find_diag(f, "connector 'y' of component 'b' is ?, and the variable is a scalar");
    find_diag(f, "the dimensions of connector 'in' are not looked at");
}

/* Attributes of all types are known, and others are told. */
static void test_attributes(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Elements>" COMPONENT(
            "a", "plant.fmu",
            CONNECTOR("u", "<ssc:Int8 unti=\"m\"/>") CONNECTOR("wanted", "<ssc:UInt64 unti=\"m\"/>")
                CONNECTOR(
                    "k",
                    "<ssc:Binary mime-type=\"text/plain\" mime=\"x\"/>")) "</ssd:Elements>" TAIL,
        3);
    find_diag(f, "unknown attribute 'unti' of 'Int8' is ignored");
    find_diag(f, "unknown attribute 'unti' of 'UInt64' is ignored");
    find_diag(f, "unknown attribute 'mime' of 'Binary' is ignored");
}

/* That the source of something not read is looked at does not take the place of what is reported.
 */
static void test_silent_source(void **state) {
    fixture *f = *state;
    put(f, "there.txt", "x");
    expect_ok(f,
              SYSTEM "<ssd:Elements>\n<ssd:Component name=\"a\" source=\"x\\..\\plant.fmu\"/>\n"
                     "</ssd:Elements>\n<ssc:MetaData kind=\"general\" type=\"text/plain\" "
                     "source=\"x\\..\\there.txt\"/>\n" TAIL,
              1);
    assert_int_equal(find_diag(f, "has backslashes")->where.line, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_other_tools), TEST(test_once),       TEST(test_used_step),
        TEST(test_two_steps),   TEST(test_sources),    TEST(test_silent_source),
        TEST(test_connectors),  TEST(test_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
