/* SPDX-License-Identifier: MIT
 *
 * What is said about system structures and model descriptions, with its place. That the model means
 * the right thing is tested with FMUs: tests/interop/osp. */
#include "osp/osp.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEAD                                                                                       \
    "<OspSystemStructure xmlns=\"http://opensimulationplatform.com/MSMI/OSPSystemStructure\" "     \
    "version=\"0.1\">\n"
#define STEP "<BaseStepSize>0.1</BaseStepSize>\n"
#define SIMS "<Simulators>\n<Simulator name=\"a\" source=\"a.fmu\"/>\n</Simulators>\n"
#define TAIL "</OspSystemStructure>\n"
#define MODEL                                                                                      \
    "<OspModelDescription xmlns=\"http://opensimulationplatform.com/MSMI/OSPModelDescription\" "   \
    "version=\"1.0\">\n<VariableGroups>\n"
#define MODEL_TAIL "</VariableGroups>\n</OspModelDescription>\n"

typedef struct said {
    const char *text;
    hk_status status;
    hk_severity severity;
    int line;
    const char *words;
} said;

/* Exactly one thing of at least that severity is said, at that line. */
static void expect(const said *s) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_status status = hk_osp_parse(ctx, "x.xml", s->text, strlen(s->text));
    const hk_diag *found = NULL;
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(ctx, i);
        if (strstr(d->text, s->words))
            found = d;
    }
    if (status != s->status || !found || found->severity != s->severity ||
        found->where.line != s->line || hk_ctx_count(ctx, HK_NOTE) != 1) {
        for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
            print_error("%d: %s\n", hk_ctx_diag(ctx, i)->where.line, hk_ctx_diag(ctx, i)->text);
        fail_msg("expected '%s' in line %d of\n%s", s->words, s->line, s->text);
    }
    hk_ctx_destroy(ctx);
}

static void test_good(void **state) {
    (void)state;
    static const char *const good[] = {
        HEAD STEP SIMS TAIL,
        HEAD STEP SIMS "<Connections xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
                       "xsi:schemaLocation=\"a b\"/>" TAIL,
        HEAD "<StartTime> 1.5 </StartTime><EndTime>2</EndTime>" STEP
             "<Algorithm>fixedStep</Algorithm>" SIMS "<Functions/><Connections/>" TAIL,
        MODEL
        "<Generic name=\"g\"><Variable ref=\"x\"/><Force name=\"f\"><Variable ref=\"y\"/></Force>"
        "</Generic>" MODEL_TAIL,
        MODEL "<VariableGroup name=\"g\" type=\"Force\"><Variable "
              "name=\"x\"/></VariableGroup>" MODEL_TAIL,
        MODEL "<AzimuthThrusterFeedback name=\"t\"><AzimuthAngle name=\"a\"><Variable ref=\"x\"/>"
              "</AzimuthAngle><Force name=\"f\"><Variable ref=\"y\"/></Force>"
              "</AzimuthThrusterFeedback>" MODEL_TAIL,
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        assert_int_equal(hk_osp_parse(ctx, "x.xml", good[i], strlen(good[i])), HK_OK);
        assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
        hk_ctx_destroy(ctx);
    }
}

static void test_errors(void **state) {
    (void)state;
    static const said rows[] = {
        {"<x/>", HK_E_OSP, HK_ERROR, 1, "the root element is 'x'"},
        {HEAD STEP "<Simulators/>" TAIL, HK_E_OSP, HK_ERROR, 1, "no simulators"},
        {HEAD STEP SIMS SIMS TAIL, HK_E_DUPLICATE, HK_ERROR, 6, "the first is in line 3"},
        {HEAD "<BaseStepSize>soon</BaseStepSize>" SIMS TAIL, HK_E_VALUE, HK_ERROR, 2,
         "'soon' is not a time"},
        {HEAD "<BaseStepSize>-1</BaseStepSize>" SIMS TAIL, HK_E_TIME, HK_ERROR, 2,
         "must be above 0"},
        {HEAD "<StartTime>2</StartTime>\n<EndTime>1</EndTime>" STEP SIMS TAIL, HK_E_TIME, HK_ERROR,
         3, "EndTime lies before StartTime"},
        {HEAD STEP "<Algorithm>magic</Algorithm>" SIMS TAIL, HK_E_OSP, HK_ERROR, 3,
         "'magic' is not known"},
        {HEAD STEP "<Simulators>\n<Simulator name=\"a\"/>\n</Simulators>" TAIL, HK_E_OSP, HK_ERROR,
         4, "has no attribute 'source'"},
        {HEAD STEP "<Simulators>\n<Simulator name=\"a\" source=\"a.fmu\"/>\n"
                   "<Simulator name=\"a\" source=\"b.fmu\"/>\n</Simulators>" TAIL,
         HK_E_DUPLICATE, HK_ERROR, 5, "two simulators 'a'; the first is in line 4"},
        {HEAD STEP "<Simulators>\n<Simulator name=\"a\" source=\"a.fmu\"><InitialValues>\n"
                   "<InitialValue variable=\"p\"/></InitialValues></Simulator>\n</Simulators>" TAIL,
         HK_E_OSP, HK_ERROR, 5, "the initial value of 'p' is missing"},
        {HEAD STEP
         "<Simulators>\n<Simulator name=\"a\" source=\"a.fmu\"><InitialValues>\n"
         "<InitialValue variable=\"p\"><Real value=\"1\"/>\n<Integer value=\"2\"/></InitialValue>"
         "</InitialValues></Simulator>\n</Simulators>" TAIL,
         HK_E_DUPLICATE, HK_ERROR, 6,
         "'InitialValue' may not have 'Integer' beside 'Real', which is in line 5"},
        {HEAD STEP SIMS "<Functions>\n<Magic name=\"f\"/></Functions>" TAIL, HK_E_OSP, HK_ERROR, 7,
         "the function 'Magic' is not known"},
        {HEAD STEP SIMS "<Functions>\n<Sum name=\"f\" inputCount=\"0\"/></Functions>" TAIL,
         HK_E_VALUE, HK_ERROR, 7, "'0' is not a number from 1 to 1000"},
        {HEAD STEP SIMS "<Functions>\n<Sum name=\"a\" inputCount=\"1\"/></Functions>" TAIL,
         HK_E_DUPLICATE, HK_ERROR, 7, "two functions or simulators 'a'"},
        {HEAD STEP SIMS
         "<Functions>\n<LinearTransformation name=\"f\" factor=\"x\"/></Functions>" TAIL,
         HK_E_VALUE, HK_ERROR, 7, "factor 'x' is not a number"},
        {HEAD STEP SIMS
         "<Functions>\n<LinearTransformation name=\"f\" factor=\"\"/></Functions>" TAIL,
         HK_E_VALUE, HK_ERROR, 7, "factor '' is not a number"},
        {HEAD STEP "<Simulators>\n<Simulator name=\"a\" source=\"a.fmu\" "
                   "stepSize=\"\"/></Simulators>" TAIL,
         HK_E_VALUE, HK_ERROR, 4, "stepSize '' is not a time"},
        {HEAD STEP SIMS
         "<Connections>\n<VariableConnection>\n<Variable simulator=\"a\" name=\"x\"/>"
         "</VariableConnection></Connections>" TAIL,
         HK_E_OSP, HK_ERROR, 7, "joins two 'Variable'"},
        {MODEL "<Force><Variable ref=\"x\"/></Force>" MODEL_TAIL, HK_E_OSP, HK_ERROR, 3,
         "'Force' has no attribute 'name'"},
        {MODEL "<Generic name=\"g\">\n<Variable/></Generic>" MODEL_TAIL, HK_E_OSP, HK_ERROR, 4,
         "'Variable' has no attribute 'ref'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(&rows[i]);
}

static void test_warnings(void **state) {
    (void)state;
    static const said rows[] = {
        {"<OspSystemStructure version=\"0.1\">\n" STEP SIMS TAIL, HK_OK, HK_WARNING, 1,
         "the namespace is ''"},
        {HEAD SIMS TAIL, HK_OK, HK_NOTE, 1, "there is no BaseStepSize; it is 0.1 s"},
        {HEAD STEP "<Algorithm>ecco</Algorithm>" SIMS TAIL, HK_OK, HK_WARNING, 3, "fixed steps"},
        {HEAD STEP SIMS
         "<EccoConfiguration>\n<SafetyFactor>1</SafetyFactor></EccoConfiguration>" TAIL,
         HK_OK, HK_NOTE, 6, "'EccoConfiguration' of 'OspSystemStructure' is not used"},
        {HEAD STEP SIMS "<Conections/>" TAIL, HK_OK, HK_WARNING, 6, "unknown element 'Conections'"},
        {HEAD STEP SIMS
         "<Connections>\n<VariableConnection powerBond=\"p\">"
         "<Variable simulator=\"a\" name=\"x\"/><Variable simulator=\"a\" name=\"y\"/>"
         "</VariableConnection>\n<VariableConnection powerBond=\"q\">"
         "<Variable simulator=\"a\" name=\"x\"/><Variable simulator=\"a\" name=\"y\"/>"
         "</VariableConnection></Connections>" TAIL,
         HK_OK, HK_NOTE, 7, "attribute 'powerBond' of 'VariableConnection' is not used"},
        {HEAD STEP SIMS "<Connections xmlns:t=\"urn:t\" t:colour=\"red\"/>" TAIL, HK_OK, HK_NOTE, 6,
         "attribute 'colour' of 'urn:t' is not used"},
        {MODEL "<Forse name=\"f\"><Variable ref=\"x\"/></Forse>" MODEL_TAIL, HK_OK, HK_WARNING, 3,
         "'Forse' is not a kind of group"},
        {MODEL "<LinearMechanicalPort name=\"p\"><Force name=\"f\"><Variable ref=\"x\"/></Force>"
               "</LinearMechanicalPort>" MODEL_TAIL,
         HK_OK, HK_WARNING, 3, "does not hold what a LinearMechanicalPort holds"},
        {MODEL
         "<Frequency name=\"p\"><Variable ref=\"x\"/><Variable ref=\"y\"/></Frequency>" MODEL_TAIL,
         HK_OK, HK_WARNING, 3, "does not hold what a Frequency holds"},
        {MODEL
         "<Force name=\"p\"><Variable ref=\"x\"/></Force>\n<Force name=\"p\"><Variable ref=\"y\"/>"
         "</Force>" MODEL_TAIL,
         HK_OK, HK_WARNING, 4, "two groups 'p'"},
        {MODEL "<Force name=\"p\"><Variable ref=\"x\" axis=\"z\"/></Force>" MODEL_TAIL, HK_OK,
         HK_NOTE, 3, "'axis' is not used"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect(&rows[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
