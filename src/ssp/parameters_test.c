/* SPDX-License-Identifier: MIT
 *
 * Parameter sets: values that are written item by item, shapes, what is there twice. */
#include "ssp/ssp_rig.h"

#define VALUE(text)            "<ssv:Value value=\"" text "\"/>"
#define PARAMETER(name, typed) "<ssv:Parameter name=\"" name "\">" typed "</ssv:Parameter>\n"
#define TEXTS(parameters)                                                                          \
    SYSTEM "<ssd:Elements><ssd:Component name=\"t\" source=\"texts.fmu\">\n" BIND(                 \
        SET(parameters) "</ssd:ParameterValues>") "</ssd:Component></ssd:Elements>" TAIL

static const hk_value *value(fixture *f, uint32_t variable) {
    const hk_component *c = &f->model->components[0];
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable)
            return &c->settings[i].value;
    fail_msg("variable %u is not set", variable);
    return NULL;
}

static void expect_texts(fixture *f, uint32_t variable, const char *const *wanted, size_t count) {
    const hk_value *given = value(f, variable);
    assert_int_equal(given->count, count);
    for (size_t i = 0; i < count; i++) {
        const hk_bytes *text = (const hk_bytes *)given->data + i;
        assert_int_equal(text->size, strlen(wanted[i]));
        assert_memory_equal(text->data, wanted[i], text->size);
    }
}

/* Blanks, quotes and nothing at all are as good as other texts. */
static void test_items(void **state) {
    fixture *f = *state;
    expect_ok(f,
              TEXTS(PARAMETER("names", "<ssv:String>" VALUE("one two") VALUE("")
                                           VALUE("say &quot;hi&quot; \\") "</ssv:String>")
                        PARAMETER("label", "<ssv:String>" VALUE("a \\ b") "</ssv:String>")
                            PARAMETER("paces", "<ssv:Enumeration>" VALUE("very fast")
                                                   VALUE("slow") "</ssv:Enumeration>")
                                PARAMETER("blobs",
                                          "<ssv:Binary>" VALUE("") VALUE("00ff") "</ssv:Binary>")),
              0);
    expect_texts(f, NAMES, (const char *[]){"one two", "", "say \"hi\" \\"}, 3);
    expect_texts(f, LABEL, (const char *[]){"a \\ b"}, 1);
    const int64_t *paces_given = value(f, PACES)->data;
    assert_true(paces_given[0] == 2 && paces_given[1] == 1);
    const hk_bytes *blobs = value(f, BLOBS)->data;
    assert_true(blobs[0].size == 0 && blobs[1].size == 2);
    assert_memory_equal(blobs[1].data, "\0\xff", 2);
}

/* One text fills an array, whatever it holds; a list of numbers is still a list. */
static void test_one_text(void **state) {
    fixture *f = *state;
    expect_ok(f, TEXTS(PARAMETER("names", "<ssv:String value=\"one two three\"/>")), 0);
    expect_texts(f, NAMES, (const char *[]){"one two three", "one two three", "one two three"}, 3);
}

static void test_mapped_items(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Elements><ssd:Component name=\"t\" source=\"texts.fmu\">\n" BIND(SET(PARAMETER(
            "p",
            "<ssv:Enumeration>" VALUE("gentle walk") VALUE(
                "very fast") "</ssv:Enumeration>")) "</ssd:ParameterValues>"
                                                    "<ssd:ParameterMapping><ssm:ParameterMapping "
                                                    "version=\"1.0\">"
                                                    "<ssm:MappingEntry source=\"p\" "
                                                    "target=\"paces\">"
                                                    "<ssc:EnumerationMappingTransformation>"
                                                    "<ssc:MapEntry source=\"gentle walk\" "
                                                    "target=\"slow\"/>"
                                                    "</ssc:EnumerationMappingTransformation></"
                                                    "ssm:MappingEntry>"
                                                    "</ssm:ParameterMapping></"
                                                    "ssd:ParameterMapping>") "</ssd:Component>"
                                                                             "</ssd:Elements>" TAIL,
        0);
    const int64_t *given = value(f, PACES)->data;
    assert_true(given[0] == 1 && given[1] == 2);
}

static void test_wrong_items(void **state) {
    fixture *f = *state;
    const hk_diag *d = expect_fail(
        f, TEXTS(PARAMETER("names", "<ssv:String>" VALUE("a b") VALUE("c") "</ssv:String>")),
        HK_E_VALUE, "parameter 'names' has 2 values, and 't.names' has 3 elements");
    assert_true(d->where.line > 0);
    expect_fail(f, TEXTS(PARAMETER("names", "<ssv:String>" VALUE("one for all") "</ssv:String>")),
                HK_E_VALUE, "parameter 'names' has 1 value, and 't.names' has 3 elements");
    expect_fail(f, TEXTS(PARAMETER("label", "<ssv:String>" VALUE("a") VALUE("b") "</ssv:String>")),
                HK_E_VALUE, "parameter 'label' has 2 values, and 't.label' has 1 element");
    expect_fail(f, TEXTS(PARAMETER("label", "<ssv:String><ssv:Value/></ssv:String>")), HK_E_SSP,
                "a Value of parameter 'label' has no value");
    expect_fail(f, TEXTS(PARAMETER("label", "<ssv:String value=\"x\">" VALUE("a") "</ssv:String>")),
                HK_E_SSP, "parameter 'label' has a value and elements Value");
    expect_fail(f,
                TEXTS(PARAMETER("paces", "<ssv:Enumeration>" VALUE("slow")
                                             VALUE("very") "</ssv:Enumeration>")),
                HK_E_VALUE, "is not a value of type Enumeration for 't.paces'");
}

#define REAL(name, value)   PARAMETER(name, "<ssv:Real value=\"" value "\"/>")
#define MAP(source, target) "<ssm:MappingEntry source=\"" source "\" target=\"" target "\"/>\n"
#define WITH_MAP(parameters, entries)                                                              \
    SYSTEM "<ssd:Elements>" PLANT(                                                                 \
        "a",                                                                                       \
        BIND(SET(                                                                                  \
            parameters) "</ssd:ParameterValues><ssd:ParameterMapping>"                             \
                        "<ssm:ParameterMapping version=\"1.0\">\n" entries                         \
                        "</ssm:ParameterMapping></ssd:ParameterMapping>")) "</ssd:Elements>" TAIL

/* Which of the two would count is nowhere said. */
static void test_twice(void **state) {
    fixture *f = *state;
    const hk_diag *d =
        expect_fail(f, WITH_MAP(REAL("p", "1") REAL("p", "2"), MAP("p", "k")), HK_E_DUPLICATE,
                    "parameter 'p' is given twice, with different values");
    assert_non_null(strstr(d->text, "is in line 8"));
    assert_int_equal(d->where.line, 9);
    d = expect_fail(f, WITH_MAP(REAL("p", "1") REAL("q", "2"), MAP("p", "k") MAP("q", "k")),
                    HK_E_DUPLICATE, "'p' and 'q' are both mapped to 'k'");
    assert_non_null(strstr(d->text, "is in line 11"));
    assert_int_equal(d->where.line, 12);
}

/* One source for two targets is fine; the same value twice does no harm. */
static void test_once(void **state) {
    fixture *f = *state;
    expect_ok(f, WITH_MAP(REAL("p", "5") REAL("p", "5"), MAP("p", "k") MAP("p", "u")), 1);
    find_diag(f, "parameter 'p' is given twice; the first is in line 8");
    assert_true(setting(f, 0, K) == 5 && setting(f, 0, U) == 5);
}

static void test_shapes(void **state) {
    fixture *f = *state;
    static const size_t dims[] = {3};
    text_variables[NAMES].dims = dims;
    text_variables[NAMES].dim_count = 1;
#define ABC        "<ssv:String>" VALUE("a") VALUE("b") VALUE("c") "</ssv:String>"
#define SIZE(text) "<ssc:Dimension size=\"" text "\"/>"
    expect_fail(f, TEXTS(PARAMETER("names", ABC SIZE("3") SIZE("1"))), HK_E_VALUE,
                "parameter 'names' is 3 x 1, and 't.names' is 3");
    expect_fail(f, TEXTS(PARAMETER("label", "<ssv:String value=\"a\"/>" SIZE("1"))), HK_E_VALUE,
                "parameter 'label' is 1, and 't.label' is a scalar");
    expect_fail(f, TEXTS(PARAMETER("names", ABC SIZE("-3"))), HK_E_VALUE,
                "size '-3' of a Dimension is not a number above 0");
    hk_ctx_clear(f->ctx);
    expect_ok(f, TEXTS(PARAMETER("names", ABC SIZE("3"))), 0);
    expect_texts(f, NAMES, (const char *[]){"a", "b", "c"}, 3);
    text_variables[NAMES].dim_count = 0;
}

/* One fault, one message: nothing is said about a file that would not be read anyway. */
static void test_other_bases(void **state) {
    fixture *f = *state;
#define BOUND(attributes, content)                                                                 \
    SYSTEM "<ssd:Elements>" PLANT("a", "<ssd:ParameterBindings><ssd:ParameterBinding " attributes  \
                                       ">" content "</ssd:ParameterBinding></ssd:"                 \
                                       "ParameterBindings>") "</ssd:Elements>" TAIL
    static const char *const texts[] = {
        BOUND("source=\"gone.ssv\" sourceBase=\"other\"", ""),
        BOUND("source=\"gone.ssv\" type=\"text/csv\"", ""),
        BOUND("source=\"gone.ssv\" sourceBase=\"other\"",
              "<ssd:ParameterMapping source=\"gone.ssm\"/>"),
        BOUND("",
              "<ssd:ParameterValues>" SET(REAL(
                  "k", "1")) "</ssd:ParameterValues>"
                             "<ssd:ParameterMapping source=\"gone.ssm\" sourceBase=\"other\"/>"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hk_ctx_clear(f->ctx);
        expect_fail(f, texts[i], HK_E_SSP, "");
        assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
    }
}

/* SSP: what a mapping leaves out is not applied. Who gave it may have thought otherwise. */
static void test_unmapped(void **state) {
    fixture *f = *state;
    expect_ok(f, WITH_MAP(REAL("p", "5") REAL("u", "3"), MAP("p", "k")), 1);
    const hk_diag *d = find_diag(f, "parameter 'u' is not applied: the mapping of its binding");
    assert_int_equal(d->where.line, 9);
    assert_true(setting(f, 0, K) == 5 && isnan(setting(f, 0, U)));
    /* Given by its own name and by mapping: the mapping counts. */
    hk_model_destroy(f->model);
    f->model = NULL;
    hk_ctx_clear(f->ctx);
    expect_ok(f, WITH_MAP(REAL("k", "1") REAL("p", "5"), MAP("p", "k")), 1);
    find_diag(f, "parameter 'k' is not applied");
    assert_true(setting(f, 0, K) == 5);
    /* What fits nowhere anyway is only a note, however many there are. */
    hk_model_destroy(f->model);
    f->model = NULL;
    hk_ctx_clear(f->ctx);
    expect_ok(f, WITH_MAP(REAL("p", "5") REAL("q", "1") REAL("r", "1"), MAP("p", "k")), 0);
    find_diag(f, "parameter 'q' is not applied: the mapping of its binding does not name it, and "
                 "neither are 1 others");
}

/* Two parameters of one set may not reach the same elements. */
static void test_overlap(void **state) {
    fixture *f = *state;
#define NAMES_ABC "<ssv:String>" VALUE("a") VALUE("b") VALUE("c") "</ssv:String>"
    const hk_diag *d = expect_fail(
        f, TEXTS(PARAMETER("names", NAMES_ABC) PARAMETER("names[2]", "<ssv:String value=\"x\"/>")),
        HK_E_DUPLICATE, "parameters 'names' and 'names[2]' of one set both give a value to");
    assert_int_equal(d->where.line, 10);
    assert_non_null(strstr(d->text, "is in line 9"));
    expect_fail(
        f, TEXTS(PARAMETER("names[2]", "<ssv:String value=\"x\"/>") PARAMETER("names", NAMES_ABC)),
        HK_E_DUPLICATE, "parameters 'names[2]' and 'names' of one set");
    hk_ctx_clear(f->ctx);
    expect_ok(f,
              TEXTS(PARAMETER("names[1]", "<ssv:String value=\"x\"/>")
                        PARAMETER("names[2]", "<ssv:String value=\"y\"/>")),
              1); /* the third has no value */
}

/* Through a connector of a system, and directly: two values for one variable. */
static void test_two_ways(void **state) {
    fixture *f = *state;
#define INNER(parameters)                                                                          \
    SYSTEM                                                                                         \
    "<ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/></ssd:Connectors>\n" BIND(         \
        SET(parameters) "</ssd:ParameterValues>") "<ssd:Elements>" PLANT("a", "")                  \
        PLANT("b", "") "</ssd:Elements>"                                                           \
                       "<ssd:Connections><ssd:Connection startConnector=\"in\" "                   \
                       "endElement=\"a\" endConnector=\"u\"/></ssd:Connections>" TAIL
    expect_fail(f, INNER(REAL("in", "1") REAL("a.u", "2")), HK_E_DUPLICATE,
                "parameters 'in' and 'a.u' of one set both give a value to 'a.u'");
    hk_ctx_clear(f->ctx);
    expect_ok(f, INNER(REAL("in", "1") REAL("b.u", "2")), 0);
    assert_true(setting(f, 0, U) == 1 && setting(f, 1, U) == 2);
}

/* Outer bindings count, which is reported once. */
static void test_replaced(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM BIND(SET(REAL("a.k", "2") REAL(
            "b.k",
            "2")) "</ssd:ParameterValues>") "<ssd:Elements>\n" PLANT("a",
                                                                     BIND(SET(REAL(
                                                                         "k",
                                                                         "1")) "</"
                                                                               "ssd:"
                                                                               "ParameterValues>"))
            PLANT("b", BIND(SET(REAL("k", "1")) "</ssd:ParameterValues>")) "</ssd:Elements>" TAIL,
        0);
    const hk_diag *d = find_diag(f, "this value replaces that of parameter 'k' in line 11");
    assert_non_null(strstr(d->text, "and so do 1 others"));
    assert_int_equal(d->where.line, 8);
    assert_true(setting(f, 0, K) == 2 && setting(f, 1, K) == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_items),    TEST(test_one_text), TEST(test_mapped_items), TEST(test_wrong_items),
        TEST(test_twice),    TEST(test_once),     TEST(test_shapes),       TEST(test_other_bases),
        TEST(test_unmapped), TEST(test_overlap),  TEST(test_two_ways),     TEST(test_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
