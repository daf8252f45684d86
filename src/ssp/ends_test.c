/* SPDX-License-Identifier: MIT
 *
 * What connections name, and what becomes of it on the way through connectors of systems. */
#include "ssp/ssp_rig.h"

#include "model/address.h"

#define EDGE(from, to)            "<ssd:Connection " from " " to "/>\n"
#define START(element, connector) "startElement=\"" element "\" startConnector=\"" connector "\""
#define END(element, connector)   "endElement=\"" element "\" endConnector=\"" connector "\""
#define OWN_START(connector)      "startConnector=\"" connector "\""
#define OWN_END(connector)        "endConnector=\"" connector "\""
#define WIRES(edges)              "<ssd:Connections>\n" edges "</ssd:Connections>"
#define PASS(name)                                                                                 \
    "<ssd:System name=\"" name "\">" PORTS WIRES(EDGE(OWN_START("u"), OWN_END("y"))) "</"          \
                                                                                     "ssd:System>"

/* Connectors that drive each other are wrong, also where no component reads them. */
static void test_loop_unread(void **state) {
    fixture *f = *state;
    const hk_diag *d = expect_fail(
        f,
        SYSTEM "<ssd:Elements>" PLANT("a", "") PASS("v") PASS("w") "</ssd:Elements>" WIRES(
            EDGE(START("v", "y"), END("w", "u")) EDGE(START("w", "y"), END("v", "u"))) TAIL,
        HK_E_CONNECTION, "connectors of systems form a loop without a component in it");
    assert_string_equal(d->where.element, "connection w.y -> v.u");
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 1);
}

#define INPUT(name)                                                                                \
    "<ssd:Connectors><ssd:Connector name=\"" name "\" kind=\"input\"/></ssd:Connectors>"
#define INNER(name, edges)                                                                         \
    "<ssd:System name=\"" name "\">" INPUT("c") "<ssd:Elements>" PLANT("x", "")                    \
        PLANT("z", "") "</ssd:Elements>" WIRES(edges) "</ssd:System>"
#define GIVE(name, value)                                                                          \
    BIND(SET("<ssv:Parameter name=\"" name "\"><ssv:Real value=\"" value                           \
             "\"/></ssv:Parameter>") "</ssd:ParameterValues>")
#define ELEMENT_OF(given, edges)                                                                   \
    SYSTEM INPUT("d") given "<ssd:Elements>" INNER("w", edges) "</ssd:Elements>" WIRES(            \
        EDGE(OWN_START("d"), END("w", "c"))) TAIL

/* Through a connector that nothing drives one element of an outer one is read: that has a name. */
static void test_undriven_element(void **state) {
    fixture *f = *state;
    expect_ok(f, ELEMENT_OF(GIVE("d[2]", "7"), EDGE(OWN_START("c[2]"), END("x", "u"))), 0);
    assert_true(setting(f, 0, U) == 7);
    const hk_inlet *inlet = hk_model_inlet(f->model, "d[2]");
    assert_true(inlet && inlet->outermost && !inlet->branches->next);
    assert_true(inlet->branches->component == 0 && inlet->branches->variable == U);
    assert_null(hk_model_inlet(f->model, "d"));
    assert_non_null(strstr(hk_model_why_not(f->model, "d"), "single elements"));
}

static void test_undriven_whole(void **state) {
    fixture *f = *state;
    const hk_diag *d =
        expect_fail(f, ELEMENT_OF(GIVE("d", "7"), EDGE(OWN_START("c[2]"), END("x", "u"))),
                    HK_E_PARAMETER, "'d' cannot be set: connections take single elements of");
    assert_string_equal(d->hint, "set 'd[2]'");
    assert_true(d->where.line > 0);
}

/* All of a connector leads to one component and an element of it to another. */
static void test_undriven_both(void **state) {
    fixture *f = *state;
#define BOTH EDGE(OWN_START("c[2]"), END("x", "u")) EDGE(OWN_START("c"), END("z", "u"))
    hk_address at;
    expect_ok(f, ELEMENT_OF("", BOTH), 0);
    find_diag(f, "connections take all of connector 'd' of system 'Root' and elements of it");
    assert_false(hk_model_find(f->model, "d", &at) || hk_model_find(f->model, "d[2]", &at));
    assert_true(!hk_model_inlet(f->model, "d") && !hk_model_inlet(f->model, "d[2]"));
    hk_model_destroy(f->model);
    f->model = NULL;
    expect_fail(f, ELEMENT_OF(GIVE("d", "7"), BOTH), HK_E_PARAMETER,
                "'d' cannot be set: connections take all and elements");
    expect_fail(f, ELEMENT_OF(GIVE("d[2]", "7"), BOTH), HK_E_PARAMETER,
                "'d[2]' cannot be set: connections take all and elements");
}

/* An element has one name, and what is not one is reported where it is written. */
static void test_indices(void **state) {
    fixture *f = *state;
    static const char *const wrong[] = {"[ 1]", "[+1]", "[01]", "[0]",   "[-1]",
                                        "[]",   "[1,]", "[,1]", "[1]x]", "[1"};
    expect_ok(f, ELEMENT_OF("", EDGE(OWN_START("c[1,20]"), END("x", "u"))), 0);
    hk_model_destroy(f->model);
    f->model = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[4096], message[64];
        snprintf(text, sizeof text, ELEMENT_OF("", EDGE("startConnector=\"c%s\"", END("x", "u"))),
                 wrong[i]);
        snprintf(message, sizeof message, "'c%s' does not name an element of connector 'c'",
                 wrong[i]);
        const hk_diag *d = expect_fail(f, text, HK_E_CONNECTION, message);
        assert_non_null(strstr(d->where.element, "connection c"));
    }
}

/* The connection that names an element which is not there, and not the last on the way. */
static void test_missing_element(void **state) {
    fixture *f = *state;
    const hk_diag *d =
        expect_fail(f,
                    SYSTEM "<ssd:Elements>" PLANT("a", "")
                        INNER("w", EDGE(OWN_START("c"), END("x", "u"))) "</ssd:Elements>" WIRES(
                            EDGE(START("a", "y"), END("w", "c[6]"))) TAIL,
                    HK_E_CONNECTION, "component 'w.x' has no element 'u[6]'");
    assert_string_equal(d->where.element, "connection a.y -> w.c[6]");
}

#define MAP                                                                                        \
    "<ssc:IntegerMappingTransformation><ssc:MapEntry source=\"1\" target=\"2\"/>"                  \
    "</ssc:IntegerMappingTransformation>"
#define CHANGE(from, to, how) "<ssd:Connection " from " " to ">" how "</ssd:Connection>\n"

/* A map is not for real numbers, neither between components nor through a system. */
static void test_map_of_reals(void **state) {
    fixture *f = *state;
    static const char message[] = "the value that comes to it is a real number";
    const hk_diag *d = expect_fail(
        f, SYSTEM TWO WIRES(CHANGE(START("a", "y"), END("b", "u"), MAP)) TAIL, HK_E_SSP, message);
    assert_string_equal(d->where.element, "connection a.y -> b.u");
    hk_ctx_destroy(f->ctx);
    f->ctx = hk_ctx_create(NULL, NULL);
    d = expect_fail(
        f,
        SYSTEM "<ssd:Elements>" PLANT("a", "")
            INNER("w", CHANGE(OWN_START("c"), END("x", "u"), MAP)) "</ssd:Elements>" WIRES(
                EDGE(START("a", "y"), END("w", "c"))) TAIL,
        HK_E_SSP, message);
    assert_string_equal(d->where.element, "connection c -> x.u");
}

/* An item becomes a number, and that would have to be converted. */
static void test_map_and_units(void **state) {
    fixture *f = *state;
#define MAPPED(unit)                                                                               \
    SYSTEM "<ssd:Elements>" PLANT(                                                                 \
        "a",                                                                                       \
        "") "<ssd:System name=\"w\"><ssd:Connectors><ssd:Connector "                               \
            "name=\"c\" kind=\"input\"><ssc:Real unit=\"" unit "\"/></ssd:Connector>"              \
            "</ssd:Connectors><ssd:Elements>" PLANT("x", "") "</ssd:Elements>" WIRES(EDGE(         \
                OWN_START("c"),                                                                    \
                END("x",                                                                           \
                    "u"))) "</ssd:System></ssd:Elements>" WIRES(CHANGE(START("a", "mode"),         \
                                                                       END("w", "c"),              \
                                                                       MAP)) "</"                  \
                                                                             "ssd:System><ssd:"    \
                                                                             "Units><ssc:Unit "    \
                                                                             "name=\"km\"><ssc:"   \
                                                                             "BaseUnit m=\"1\" "   \
                                                                             "factor=\"1000\"/>"   \
                                                                             "</"                  \
                                                                             "ssc:Unit><ssc:Unit " \
                                                                             "name=\"m\"><ssc:"    \
                                                                             "BaseUnit "           \
                                                                             "m=\"1\"/></"         \
                                                                             "ssc:Unit></"         \
                                                                             "ssd:Units>"          \
                                                                             "</"                  \
                                                                             "ssd:"                \
                                                                             "SystemStructureDesc" \
                                                                             "ription>"
    expect_ok(f, MAPPED("m"), 1); /* 'mode' is not declared */
    assert_true(f->model->connections[0].transform.kind == HK_TRANSFORM_MAP);
    hk_model_destroy(f->model);
    f->model = NULL;
    const hk_diag *d = expect_fail(f, MAPPED("km"), HK_E_UNIT_MISMATCH,
                                   "the value is in 'km' and is wanted in 'm'");
    assert_string_equal(d->where.element, "connection c -> x.u");
}

static void test_factors(void **state) {
    fixture *f = *state;
#define LARGE "<ssc:LinearTransformation factor=\"1e308\"/>"
    const hk_diag *d = expect_fail(
        f,
        SYSTEM "<ssd:Elements>" PLANT("a", "")
            INNER("w", CHANGE(OWN_START("c"), END("x", "u"), LARGE)) "</ssd:Elements>" WIRES(
                CHANGE(START("a", "y"), END("w", "c"), LARGE)) TAIL,
        HK_E_VALUE, "too large or too small for a Float64");
    assert_string_equal(d->where.element, "connection c -> x.u");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_loop_unread),   TEST(test_undriven_element), TEST(test_undriven_whole),
        TEST(test_undriven_both), TEST(test_indices),          TEST(test_missing_element),
        TEST(test_map_of_reals),  TEST(test_factors),          TEST(test_map_and_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
