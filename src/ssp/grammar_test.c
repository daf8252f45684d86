/* SPDX-License-Identifier: MIT
 *
 * How often an element may be where: what occurs twice and may occur once is an error at the
 * second that names the first, since nobody would read both. */
#include "ssp/ssp_rig.h"

#define ONE "<ssd:Elements>\n" PLANT("a", "") "</ssd:Elements>\n"
#define DESCRIBED(more)                                                                            \
    HEAD "<ssd:System name=\"Root\">\n" ONE "</ssd:System>\n" more                                 \
         "</ssd:SystemStructureDescription>"
#define HOLDS(content)                                                                             \
    SYSTEM "<ssd:Elements>\n<ssd:Component name=\"a\" source=\"plant.fmu\">\n" content             \
           "</ssd:Component></ssd:Elements>" TAIL
#define NO_SET                                                                                     \
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>" SET(                      \
        "") "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>\n"
#define K_IS(typed)                                                                                \
    BIND(SET("<ssv:Parameter name=\"k\">" typed "</ssv:Parameter>") "</ssd:ParameterValues>")

static const struct row {
    const char *text, *message;
    int first, second; /* lines */
} rows[] = {
    {DESCRIBED("<ssd:System name=\"Other\">\n" ONE "</ssd:System>"),
     "'SystemStructureDescription' may have one 'System', and this is another", 7, 12},
    {DESCRIBED("<ssd:DefaultExperiment stopTime=\"1\"/>\n<ssd:DefaultExperiment stopTime=\"2\"/>"),
     "may have one 'DefaultExperiment'", 12, 13},
    {DESCRIBED("<ssd:Units/>\n<ssd:Units/>"), "may have one 'Units'", 12, 13},
    {SYSTEM ONE "<ssd:Elements>" PLANT("b", "") "</ssd:Elements>" TAIL,
     "'System' may have one 'Elements'", 8, 11},
    {SYSTEM TWO "<ssd:Connections/>\n<ssd:Connections>" LINK "/></ssd:Connections>" TAIL,
     "'System' may have one 'Connections'", 12, 13},
    {HOLDS(PORTS "\n" PORTS), "'Component' may have one 'Connectors'", 10, 11},
    {HOLDS(NO_SET NO_SET), "'Component' may have one 'ParameterBindings'", 10, 11},
    {HOLDS("<ssd:Annotations/>\n<ssd:Annotations/>"), "may have one 'Annotations'", 10, 11},
    {HOLDS(K_IS("<ssv:Real value=\"1\"/>\n<ssv:Real value=\"2\"/>")),
     "'Parameter' may have one 'Real'", 10, 11},
    {HOLDS(K_IS("<ssv:Real value=\"1\"/>\n<ssv:Integer value=\"2\"/>")),
     "'Parameter' may not have 'Integer' beside 'Real'", 10, 11},
    {SYSTEM TWO "<ssd:Connections>" LINK ">\n<ssc:LinearTransformation factor=\"2\"/>\n"
                "<ssc:BooleanMappingTransformation/></ssd:Connection></ssd:Connections>" TAIL,
     "'Connection' may not have 'BooleanMappingTransformation' beside 'LinearTransformation'", 13,
     14},
};

static void test_twice(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_ctx_destroy(f->ctx);
        f->ctx = hk_ctx_create(NULL, NULL);
        const hk_diag *d = expect_fail(f, rows[i].text, HK_E_DUPLICATE, rows[i].message);
        char line[32];
        snprintf(line, sizeof line, "is in line %d", rows[i].first);
        if (!strstr(d->text, line) || d->where.line != rows[i].second)
            fail_msg("row %zu: line %d: %s", i, d->where.line, d->text);
        assert_non_null(d->hint);
    }
}

/* One message, however many there are. */
static void test_many_times(void **state) {
    fixture *f = *state;
    expect_fail(f, DESCRIBED("<ssd:Units/><ssd:Units/><ssd:Units/><ssd:Units/>"), HK_E_DUPLICATE,
                "may have one 'Units'");
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
}

/* What may occur often: entries of lists, clocks of a connector beside its type. */
static void test_often(void **state) {
    fixture *f = *state;
    expect_ok(f,
              HEAD "<ssd:System name=\"Root\">\n<ssd:Elements>\n"
                   "<ssd:Component name=\"a\" source=\"plant.fmu\"><ssd:Connectors>"
                   "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real/><ssd:Clock name=\"c\"/>"
                   "<ssd:Clock name=\"d\"/></ssd:Connector></ssd:Connectors></ssd:Component>\n"
                   "</ssd:Elements></ssd:System>\n"
                   "<ssc:MetaData kind=\"general\" type=\"text/plain\"/>"
                   "<ssc:MetaData kind=\"general\" type=\"text/plain\"/>"
                   "</ssd:SystemStructureDescription>",
              1); /* clocks are ignored */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_twice),
        TEST(test_many_times),
        TEST(test_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
