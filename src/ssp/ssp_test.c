/* SPDX-License-Identifier: MIT
 *
 * Systems, connections, parameters, units, packages. */
#include "ssp/ssp_rig.h"

#include "model/address.h"

static void test_simple(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM TWO "<ssd:Connections>" LINK "/>"
                         "<ssd:Connection startElement=\"a\" startConnector=\"u\" endElement=\"b\""
                         " endConnector=\"y\"/></ssd:Connections>\n</ssd:System>"
                         "<ssd:DefaultExperiment startTime=\"0.5\" stopTime=\"2\"/>"
                         "</ssd:SystemStructureDescription>",
              0);
    assert_string_equal(f->model->name, "truck");
    assert_int_equal(f->model->component_count, 2);
    assert_int_equal(opened, 1);
    assert_int_equal(f->model->connection_count, 2);
    const hk_connection *k = f->model->connections;
    assert_string_equal(hk_connection_name(f->model, &k[0]), "a.y -> b.u");
    assert_string_equal(hk_connection_name(f->model, &k[1]), "b.y -> a.u");
    assert_int_equal(k[0].where.line, 12);
    const hk_experiment *e = &f->model->experiment;
    assert_true(e->has_stop && e->stop.num == 2 && e->start.num == 1 && e->start.den == 2);
    assert_true(e->stop_source == HK_FROM_SYSTEM && !e->has_step);
}

static void test_unknown_names(void **state) {
    fixture *f = *state;
    const char *text =
        SYSTEM TWO "<ssd:Connections>\n"
                   "<ssd:Connection startElement=\"a\" startConnector=\"T.strat\" endElement=\"b\""
                   " endConnector=\"u\"/>\n"
                   "<ssd:Connection startElement=\"aa\" startConnector=\"y\" endElement=\"b\""
                   " endConnector=\"u\"/>\n"
                   "<ssd:Connection startConnector=\"x\" endElement=\"b\" endConnector=\"u\"/>\n"
                   "</ssd:Connections>" TAIL;
    const hk_diag *d = expect_fail(f, text, HK_E_CONNECTION, "component 'a' has no variable");
    assert_string_equal(d->text, "component 'a' has no variable 'T.strat'");
    assert_string_equal(d->hint, "did you mean 'T.start'?");
    assert_string_equal(d->where.element, "connection a.T.strat -> b.u");
    assert_true(d->where.line == 13 && d->where.column == 1);
    assert_string_equal(find_diag(f, "no element 'aa'")->hint, "did you mean 'a'?");
    find_diag(f, "system 'Root' has no connector 'x'");
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 3);
}

static void test_same_direction(void **state) {
    fixture *f = *state;
    expect_fail(f,
                SYSTEM TWO "<ssd:Connections><ssd:Connection startElement=\"a\""
                           " startConnector=\"u\" endElement=\"b\" endConnector=\"u\"/>"
                           "</ssd:Connections>" TAIL,
                HK_E_CONNECTION, "both ends are inputs");
}

static void test_missing_connector(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\"/>"
                     "<ssd:Component name=\"b\" source=\"plant.fmu\"/></ssd:Elements>"
                     "<ssd:Connections>"
                     "<ssd:Connection startElement=\"b\" startConnector=\"u\" endElement=\"a\""
                     " endConnector=\"y\"/>"
                     "<ssd:Connection startElement=\"b\" startConnector=\"y\" endElement=\"a\""
                     " endConnector=\"u\"/></ssd:Connections>" TAIL,
              2); /* one for each component */
    find_diag(f, "component 'a' has no connector 'y'; the variable of that name is used");
    assert_string_equal(hk_connection_name(f->model, f->model->connections), "a.y -> b.u");
}

/* Root.in -> Sub.in -> Sub.a.u, Sub.a.y -> Sub.out -> b.u, b.y -> Root.out */
static const char nested[] = SYSTEM
    "<ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/>"
    "<ssd:Connector name=\"out\" kind=\"output\"/></ssd:Connectors>\n"
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"
    "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>"
    "<ssv:Parameter name=\"in\"><ssv:Real value=\"3\"/></ssv:Parameter>"
    "<ssv:Parameter name=\"Sub.a.k\"><ssv:Real value=\"20\"/></ssv:Parameter>"
    "<ssv:Parameter name=\"nobody.k\"><ssv:Real value=\"20\"/></ssv:Parameter>"
    "</ssv:Parameters></ssv:ParameterSet>"
    "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>\n"
    "<ssd:Elements><ssd:System name=\"Sub\">"
    "<ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/>"
    "<ssd:Connector name=\"out\" kind=\"output\"><ssc:Real unit=\"km\"/></ssd:Connector>"
    "</ssd:Connectors>\n"
    "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"
    "<ssv:ParameterSet version=\"1.0\" name=\"p\"><ssv:Parameters>"
    "<ssv:Parameter name=\"a.k\"><ssv:Real value=\"10\"/></ssv:Parameter>"
    "<ssv:Parameter name=\"a.T.start\"><ssv:Real value=\"10\" unit=\"degC\"/></ssv:Parameter>"
    "</ssv:Parameters></ssv:ParameterSet>"
    "</ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>\n"
    "<ssd:Elements>" PLANT(
        "a",
        "") "</ssd:Elements><ssd:Connections>\n"
            "<ssd:Connection startConnector=\"in\" endElement=\"a\" endConnector=\"u\">"
            "<ssc:LinearTransformation factor=\"2\" offset=\"1\"/></ssd:Connection>\n"
            "<ssd:Connection startConnector=\"out\" endElement=\"a\" endConnector=\"y\">"
            "<ssc:LinearTransformation factor=\"3\"/></ssd:Connection>\n"
            "</ssd:Connections></ssd:System>" PLANT(
                "b",
                "") "</ssd:Elements>\n"
                    "<ssd:Connections>"
                    "<ssd:Connection startConnector=\"in\" endElement=\"Sub\" endConnector=\"in\"/>"
                    "<ssd:Connection startElement=\"Sub\" startConnector=\"out\" endElement=\"b\""
                    " endConnector=\"u\"><ssc:LinearTransformation offset=\"5\"/></ssd:Connection>"
                    "<ssd:Connection startElement=\"b\" startConnector=\"y\" endConnector=\"out\"/>"
                    "</ssd:Connections>" TAIL;

static void test_nested(void **state) {
    fixture *f = *state;
    expect_ok(f, nested, 0);
    assert_int_equal(f->model->connection_count, 1);
    const hk_connection *k = f->model->connections;
    assert_string_equal(hk_connection_name(f->model, k), "Sub.a.y -> b.u");
    /* m to km, times 3, km to m, plus 5 */
    assert_int_equal(k->transform.kind, HK_TRANSFORM_LINEAR);
    assert_true(fabs(k->transform.factor - 3) < 1e-14 && k->transform.offset == 5);
    assert_true(k->suppress_unit_conversion);
    hk_address at;
    assert_true(hk_model_find(f->model, "out", &at));
    assert_true(at.component == 1 && at.variable == Y);
}

static void test_nested_parameters(void **state) {
    fixture *f = *state;
    expect_ok(f, nested, 0);
    assert_true(setting(f, 0, K) == 20);           /* outer beats inner */
    assert_true(setting(f, 0, T_START) == 283.15); /* degC to K */
    assert_true(setting(f, 0, U) == 7);            /* through two systems: 2 * 3 + 1 */
    find_diag(f, "parameter 'nobody.k' matches nothing in 'Root'");
}

static void test_files(void **state) {
    fixture *f = *state;
    put(f, "p q.ssv",
        "<ParameterSet xmlns=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\""
        " version=\"1.0\" name=\"x\"><Parameters>"
        "<Parameter name=\"gain\"><Real value=\"4\"/></Parameter>"
        "<Parameter name=\"k\"><Real value=\"100\"/></Parameter></Parameters></ParameterSet>");
    put(f, "m.ssm",
        "<ParameterMapping xmlns=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\""
        " xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" version=\"1.0\">"
        "<MappingEntry source=\"gain\" target=\"k\"><ssc:LinearTransformation factor=\"2\"/>"
        "</MappingEntry></ParameterMapping>");
    expect_ok(f,
              SYSTEM "<ssd:ParameterBindings>"
                     "<ssd:ParameterBinding source=\"p%20q.ssv\" prefix=\"b.\"/>"
                     "</ssd:ParameterBindings><ssd:Elements>" PLANT(
                         "a", "<ssd:ParameterBindings><ssd:ParameterBinding source=\"p%20q.ssv\">"
                              "<ssd:ParameterMapping source=\"m.ssm\"/></ssd:ParameterBinding>"
                              "</ssd:ParameterBindings>") PLANT("b", "") "</ssd:Elements>" TAIL,
              1);
    find_diag(f, "parameter 'k' is not applied: the mapping of its binding does not name it");
    assert_true(setting(f, 0, K) == 8);
    assert_true(setting(f, 1, K) == 100);
    find_diag(f, "parameter 'b.gain' matches nothing");
}

static void test_bad_parameter(void **state) {
    fixture *f = *state;
    put(f, "p.ssv",
        "<ParameterSet xmlns=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\""
        " version=\"1.0\" name=\"x\"><Parameters>\n"
        "<Parameter name=\"k\"><Real value=\"four\"/></Parameter></Parameters></ParameterSet>");
    const hk_diag *d =
        expect_fail(f,
                    SYSTEM "<ssd:Elements>" PLANT(
                        "a", "<ssd:ParameterBindings><ssd:ParameterBinding"
                             " source=\"p.ssv\"/></ssd:ParameterBindings>") "</ssd:Elements>" TAIL,
                    HK_E_VALUE, "'four' is not a value of type Float64 for 'a.k'");
    assert_int_equal(d->where.line, 2);
    assert_string_equal(hk_path_name(d->where.file), "p.ssv");
}

#define SIZED(name)                                                                                \
    "<ssd:Component name=\"" name "\" source=\"sized.fmu\"><ssd:Connectors>"                       \
    "<ssd:Connector name=\"u\" kind=\"input\"/><ssd:Connector name=\"y\" kind=\"output\"/>"        \
    "<ssd:Connector name=\"n\" kind=\"structuralParameter\"/></ssd:Connectors></ssd:Component>"

/* An array is set before the size that it needs, which comes through a connector of the system. */
static void test_structural(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM
        "<ssd:Connectors><ssd:Connector name=\"size\" kind=\"structuralParameter\"/>"
        "</ssd:Connectors><ssd:ParameterBindings><ssd:ParameterBinding>"
        "<ssd:ParameterValues>"
        "<ssv:ParameterSet version=\"1.0\" name=\"set\"><ssv:Parameters>"
        "<ssv:Parameter name=\"a.u\"><ssv:Real value=\"1 2 3\"/></ssv:Parameter>"
        "<ssv:Parameter name=\"size\"><ssv:Integer value=\"3\"/></ssv:Parameter>"
        "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>"
        "</ssd:ParameterBinding></ssd:ParameterBindings><ssd:Elements>" SIZED("a") SIZED(
            "b") "</ssd:Elements><ssd:Connections>"
                 "<ssd:Connection startConnector=\"size\" endElement=\"a\" endConnector=\"n\"/>"
                 "<ssd:Connection startConnector=\"size\" endElement=\"b\" "
                 "endConnector=\"n\"/>" LINK
                 "><ssd:Annotations><ssc:Annotation type=\"org.hocket.schedule\">"
                 "<hk:Link initial=\"7 8 9\"/></ssc:Annotation></ssd:Annotations>"
                 "</ssd:Connection></ssd:Connections>" TAIL,
        0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(f->model->components[i].info->variables[U].count, 3);
    const hk_component *a = &f->model->components[0];
    assert_int_equal(a->setting_count, 1);
    assert_true(((double *)a->settings[0].value.data)[2] == 3);
    assert_int_equal(f->model->connection_count, 1);
    assert_true(((double *)f->model->connections[0].initial.data)[2] == 9);
}

static void test_units_and_maps(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM
        "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\"><ssd:Connectors>"
        "<ssd:Connector name=\"y\" kind=\"output\"><ssc:Real unit=\"perch\"/></ssd:Connector>"
        "<ssd:Connector name=\"mode\" kind=\"output\"><ssc:Enumeration name=\"M\"/></ssd:Connector>"
        "</ssd:Connectors></ssd:Component><ssd:Component name=\"b\" source=\"plant.fmu\">"
        "<ssd:Connectors>"
        "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real unit=\"m\"/></ssd:Connector>"
        "<ssd:Connector name=\"wanted\" kind=\"input\"/>"
        "</ssd:Connectors></ssd:Component></ssd:Elements>"
        "<ssd:Connections>" LINK "/>"
        "<ssd:Connection startElement=\"a\" startConnector=\"mode\" endElement=\"b\""
        " endConnector=\"wanted\"><ssc:EnumerationMappingTransformation>"
        "<ssc:MapEntry source=\"low\" target=\"10\"/><ssc:MapEntry source=\"high\" target=\"20\"/>"
        "</ssc:EnumerationMappingTransformation></ssd:Connection></ssd:Connections></ssd:System>"
        "<ssd:Enumerations><ssc:Enumeration name=\"M\"><ssc:Item name=\"low\" value=\"3\"/>"
        "<ssc:Item name=\"high\" value=\"4\"/></ssc:Enumeration></ssd:Enumerations>"
        "<ssd:Units><ssc:Unit name=\"perch\"><ssc:BaseUnit m=\"1\" factor=\"5.0292\"/></ssc:Unit>"
        "</ssd:Units></ssd:SystemStructureDescription>",
        1);
    find_diag(f, "connector 'y' of component 'a' is in 'perch' and the variable in 'm'");
    const hk_connection *k = f->model->connections;
    assert_non_null(k[0].from_uom);
    assert_true(k[0].from_uom->factor == 5.0292 && k[0].from_uom->exponent[HK_M] == 1);
    assert_null(k[0].to_uom);
    assert_int_equal(k[1].transform.kind, HK_TRANSFORM_MAP);
    assert_int_equal(k[1].transform.map_count, 2);
    assert_true(k[1].transform.map_from[1] == 4 && k[1].transform.map_to[1] == 20);
}

/* a.SOURCE -> S.in, in UNIT -> S.b.u, with CHANGE on the second part. */
#define THROUGH(source, unit, leaf_unit, change)                                                   \
    SYSTEM "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\"><ssd:Connectors>"         \
           "<ssd:Connector name=\"" source "\" kind=\"output\"/></ssd:Connectors></ssd:Component>" \
           "<ssd:System name=\"S\"><ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\">"     \
           "<ssc:Real unit=\"" unit "\"/></ssd:Connector></ssd:Connectors><ssd:Elements>"          \
           "<ssd:Component name=\"b\" source=\"plant.fmu\"><ssd:Connectors>"                       \
           "<ssd:Connector name=\"u\" kind=\"input\"><ssc:Real unit=\"" leaf_unit "\"/>"           \
           "</ssd:Connector></ssd:Connectors></ssd:Component></ssd:Elements><ssd:Connections>"     \
           "<ssd:Connection startConnector=\"in\" endElement=\"b\" endConnector=\"u\">" change     \
           "</ssd:Connection></ssd:Connections></ssd:System></ssd:Elements><ssd:Connections>\n"    \
           "<ssd:Connection startElement=\"a\" startConnector=\"" source "\" endElement=\"S\""     \
           " endConnector=\"in\"/></ssd:Connections>" TAIL

static hk_transform through(fixture *f, const char *text) {
    hk_model_destroy(f->model);
    f->model = NULL;
    assert_int_equal(read_text(f, text), HK_OK);
    assert_int_equal(f->model->connection_count, 1);
    assert_true(f->model->connections[0].suppress_unit_conversion);
    return f->model->connections[0].transform;
}

static void test_units_on_the_way(void **state) {
    fixture *f = *state;
    /* a source without unit: the connector of the system says what it is */
    hk_transform t = through(f, THROUGH("raw", "km", "m", ""));
    assert_true(t.kind == HK_TRANSFORM_LINEAR && t.factor == 1000 && t.offset == 0);
    /* there and back changes nothing, not even the last bit */
    t = through(f, THROUGH("y", "nmi", "m", ""));
    assert_int_equal(t.kind, HK_TRANSFORM_NONE);
    /* differences have no offset, also through systems */
    t = through(f, THROUGH("diff", "degC", "K", "<ssc:LinearTransformation factor=\"2\"/>"));
    assert_true(t.factor == 2 && t.offset == 0);
    hk_model_destroy(f->model);
    f->model = NULL;
    const hk_diag *d = expect_fail(f, THROUGH("y", "s", "m", ""), HK_E_UNIT_MISMATCH,
                                   "the value is in 'm' and is wanted in 's'");
    assert_string_equal(d->where.element, "connection a.y -> S.in");
}

/* The name of a connector stands for a variable only if both have the same value. */
static void test_output_in_another_unit(void **state) {
    fixture *f = *state;
    hk_address at;
    expect_ok(f,
              SYSTEM "<ssd:Connectors>"
                     "<ssd:Connector name=\"far\" kind=\"output\"><ssc:Real unit=\"km\"/>"
                     "</ssd:Connector><ssd:Connector name=\"near\" kind=\"output\">"
                     "<ssc:Real unit=\"m\"/></ssd:Connector></ssd:Connectors>" TWO
                     "<ssd:Connections>"
                     "<ssd:Connection startElement=\"a\" startConnector=\"y\""
                     " endConnector=\"far\"/>"
                     "<ssd:Connection startElement=\"a\" startConnector=\"y\""
                     " endConnector=\"near\"/></ssd:Connections>" TAIL,
              0);
    assert_true(hk_model_find(f->model, "near", &at));
    assert_false(hk_model_find(f->model, "far", &at));
    assert_int_equal(f->model->shown_count, 1);
    const hk_shown *far = &f->model->shown[0];
    assert_string_equal(far->name, "far");
    assert_string_equal(far->unit, "km");
    assert_true(far->component == 0 && far->variable == Y && far->transform.factor == 0.001);
}

/* A connector that drives three inputs: one as it is, one transformed, one as it is. */
static void test_branches(void **state) {
    fixture *f = *state;
    hk_address at;
    expect_ok(
        f,
        SYSTEM
        "<ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/>"
        "</ssd:Connectors><ssd:Elements>" PLANT("a", "") PLANT("b", "") PLANT(
            "c", "") "</ssd:Elements><ssd:Connections>"
                     "<ssd:Connection startConnector=\"in\" endElement=\"a\" endConnector=\"u\">"
                     "<ssc:LinearTransformation factor=\"2\"/></ssd:Connection>"
                     "<ssd:Connection startConnector=\"in\" endElement=\"b\""
                     " endConnector=\"u\"/>"
                     "<ssd:Connection startConnector=\"in\" endElement=\"c\""
                     " endConnector=\"u\"/></ssd:Connections>" TAIL,
        0);
    assert_true(hk_model_find(f->model, "in", &at) && at.component == 1 && at.variable == U);
    const hk_branch *b = hk_model_branches(f->model, "in");
    assert_true(b && b->component == 0 && b->transform.factor == 2);
    assert_true(b->next && b->next->component == 2 && !b->next->next);
    put(f, "in.csv", "time,in\n0,1\n");
    size_t before = f->model->connection_count;
    assert_int_equal(hk_table_add(f->ctx, f->model, hk_path_join(f->arena, f->folder, "in.csv")),
                     HK_OK);
    assert_int_equal(f->model->connection_count, before + 3);
}

static void test_empty_unit(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM
              "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\">"
              "<ssd:Connectors><ssd:Connector name=\"y\" kind=\"output\">"
              "<ssc:Real unit=\"perch\"/></ssd:Connector></ssd:Connectors></ssd:Component>" PLANT(
                  "b", "") "</ssd:Elements><ssd:Connections>" LINK "/></ssd:Connections>"
                           "</ssd:System><ssd:Units><ssc:Unit name=\"perch\"/></ssd:Units>"
                           "</ssd:SystemStructureDescription>",
              2);
    find_diag(f, "unit 'perch' has no BaseUnit");
    assert_null(f->model->connections[0].from_uom);
}

static void test_foreign_elements(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM "<ssd:Elements xmlns:v=\"urn:v\">" PLANT(
                  "a", "") "<v:Component name=\"z\" source=\"nowhere.fmu\"/></ssd:Elements>" TAIL,
              1);
    assert_int_equal(f->model->component_count, 1);
}

static void test_boolean_mapping(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Elements>" PLANT(
            "a", BIND(SET("<ssv:Parameter name=\"fast\"><ssv:Boolean "
                          "value=\"1\"/></ssv:Parameter>") "</"
                                                           "ssd:ParameterValues><ssd:"
                                                           "ParameterMapping><ssm:ParameterMapping"
                                                           " version=\"1.0\"><ssm:MappingEntry "
                                                           "source=\"fast\" target=\"k\">"
                                                           "<ssc:BooleanMappingTransformation><"
                                                           "ssc:MapEntry source=\"true\" "
                                                           "target=\"5\"/>"
                                                           "</ssc:BooleanMappingTransformation></"
                                                           "ssm:MappingEntry></"
                                                           "ssm:ParameterMapping>"
                                                           "</ssd:ParameterMapping>")) "</"
                                                                                       "ssd:"
                                                                                       "Elements"
                                                                                       ">" TAIL,
        0);
    assert_true(setting(f, 0, K) == 5);
}

static void test_unmatched(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Elements>" PLANT(
            "a", BIND(SET("<ssv:Parameter name=\"nobody_p\"><ssv:Real value=\"1\"/></ssv:Parameter>"
                          "<ssv:Parameter name=\"nobody_q\"><ssv:Real value=\"1\"/></ssv:Parameter>"
                          "<ssv:Parameter name=\"k\"><ssv:Real value=\"1\"/></ssv:Parameter>"
                          "<ssv:Parameter name=\"nobody_r\"><ssv:String><ssv:Value value=\"a\"/>"
                          "<ssv:Value value=\"b\"/></ssv:String></ssv:Parameter>") "</"
                                                                                   "ssd:"
                                                                                   "ParameterValues"
                                                                                   ">")) "</"
                                                                                         "ssd:"
                                                                                         "Elements"
                                                                                         ">" TAIL,
        0);
    find_diag(f, "parameter 'nobody_p' matches nothing in 'a' and is ignored, and so are 2 others");
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
    assert_true(setting(f, 0, K) == 1);
}

static void test_set_as_mapping(void **state) {
    fixture *f = *state;
    put(f, "p.ssv",
        "<ParameterSet xmlns=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\""
        " version=\"1.0\" name=\"x\"><Parameters/></ParameterSet>");
    expect_fail(f,
                SYSTEM "<ssd:ParameterBindings><ssd:ParameterBinding source=\"p.ssv\">"
                       "<ssd:ParameterMapping source=\"p.ssv\"/></ssd:ParameterBinding>"
                       "</ssd:ParameterBindings>" TWO TAIL,
                HK_E_SSP, "the root element is 'ParameterSet'");
}

static void test_other_tools(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM TWO "<ssd:Annotations><ssc:Annotation type=\"org.openmodelica\">"
                         "<oms:Annotations xmlns:oms=\"https://example.org/oms.xsd\">"
                         "<oms:SimulationInformation><oms:FixedStepMaster description=\"x\""
                         " stepSize=\"0.002\"/></oms:SimulationInformation></oms:Annotations>"
                         "</ssc:Annotation></ssd:Annotations>" TAIL,
              0);
    assert_true(f->model->experiment.has_step && f->model->experiment.step.den == 500);
    hk_model_destroy(f->model);
    f->model = NULL;
    expect_ok(f,
              SYSTEM TWO "</ssd:System><ssd:DefaultExperiment><ssd:Annotations>"
                         "<ssc:Annotation type=\"com.opensimulationplatform\">"
                         "<osp:Algorithm xmlns:osp=\"http://opensimulationplatform.com/x\">"
                         "<osp:FixedStepAlgorithm baseStepSize=\"1e-4\"/></osp:Algorithm>"
                         "</ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>"
                         "</ssd:SystemStructureDescription>",
              0);
    assert_true(f->model->experiment.step.den == 10000);
}

static void test_warnings(void **state) {
    fixture *f = *state;
    expect_ok(
        f,
        SYSTEM "<ssd:Elements>" PLANT("a", "<vendor xmlns=\"urn:v\"/>") PLANT(
            "b", "") "</ssd:Elements><ssd:Connections>" LINK " colour=\"red\"/>"
                     "<ssd:Connection startElement=\"b\" startConnector=\"y\" endElement=\"a\""
                     " endConnector=\"u\" colour=\"blue\"/></ssd:Connections>"
                     "<ssd:Conections/><ssd:SystemGeometry x1=\"0\"/></ssd:System>"
                     "<ssd:DefaultExperiment startTime=\"10\"/></ssd:SystemStructureDescription>",
        4);
    find_diag(f, "unknown attribute 'colour' of 'Connection' is ignored");
    assert_string_equal(find_diag(f, "unknown element 'Conections'")->hint,
                        "did you mean 'Connections'?");
    find_diag(f, "element 'vendor' of namespace 'urn:v' inside 'Component' is ignored");
    find_diag(f, "was stopTime meant?");
}

static void test_refused(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text, *message;
        hk_status code;
    } bad[] = {
        {"<a/>", "the root element is 'a'", HK_E_SSP},
        {HEAD "</ssd:SystemStructureDescription>", "has no System", HK_E_SSP},
        {SYSTEM "<ssd:Elements>" PLANT("a", "") PLANT("a", "") "</ssd:Elements>" TAIL,
         "two elements are called 'a'", HK_E_DUPLICATE},
        {SYSTEM "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\""
                " type=\"text/x-modelica\"/></ssd:Elements>" TAIL,
         "the type 'text/x-modelica' is not supported", HK_E_SSP},
        {SYSTEM
         "<ssd:Elements><ssd:Component name=\"a\" source=\"inner.ssd\"/></ssd:Elements>" TAIL,
         "the file 'inner.ssd' does not exist", HK_E_FILE_READ},
        {SYSTEM "<ssd:Elements><ssd:Component name=\"a\"/></ssd:Elements>" TAIL,
         "the component has no source", HK_E_SSP},
        {SYSTEM "<ssd:Connectors><ssd:Connector name=\"x\" kind=\"inptu\"/></ssd:Connectors>" TAIL,
         "has the unknown kind 'inptu'", HK_E_SSP},
        {SYSTEM "<ssd:Elements><ssd:System name=\"s\"><ssd:Connectors>"
                "<ssd:Connector name=\"i\" kind=\"input\"/><ssd:Connector name=\"o\""
                " kind=\"output\"/></ssd:Connectors><ssd:Connections><ssd:Connection"
                " startConnector=\"i\" endConnector=\"o\"/></ssd:Connections></ssd:System>" PLANT(
                    "a", "") "</ssd:Elements><ssd:Connections><ssd:Connection startElement=\"s\""
                             " startConnector=\"o\" endElement=\"s\" endConnector=\"i\"/>"
                             "<ssd:Connection startElement=\"s\" startConnector=\"o\""
                             " endElement=\"a\" endConnector=\"u\"/></ssd:Connections>" TAIL,
         "form a loop", HK_E_CONNECTION},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        hk_ctx *ctx = f->ctx;
        f->ctx = hk_ctx_create(NULL, NULL);
        expect_fail(f, bad[i].text, bad[i].code, bad[i].message);
        hk_ctx_destroy(f->ctx);
        f->ctx = ctx;
    }
}

static void test_package(void **state) {
    fixture *f = *state;
    const char *ssd = SYSTEM "<ssd:Elements><ssd:Component name=\"a\""
                             " source=\"resources/plant.fmu\"/></ssd:Elements>" TAIL;
    hk_zip_item items[] = {{.name = "SystemStructure.ssd", .data = ssd, .size = strlen(ssd)},
                           {.name = "resources/plant.fmu", .data = "x", .size = 1}};
    const char *path = hk_path_join(f->arena, f->folder, "s.ssp");
    assert_int_equal(hk_zip_write(f->ctx, path, items, 2), HK_OK);
    assert_int_equal(hk_ssp_read_with(f->ctx, path, &(hk_ssp_options){0}, &doubles, &f->model),
                     HK_OK);
    assert_int_equal(f->model->component_count, 1);
    assert_int_equal(f->model->owned_count, 1);
    const char *unpacked = hk_arena_strdup(f->arena, f->model->owned[0].object);
    assert_true(hk_folder_exists(unpacked));
    hk_model_destroy(f->model);
    f->model = NULL;
    assert_false(hk_folder_exists(unpacked));
    assert_int_equal(hk_zip_write(f->ctx, path, items + 1, 1), HK_OK);
    assert_int_equal(hk_ssp_read_with(f->ctx, path, &(hk_ssp_options){0}, &doubles, &f->model),
                     HK_E_SSP);
    find_diag(f, "has no SystemStructure.ssd");
}

static void test_many(void **state) {
    fixture *f = *state;
    enum { N = 10000, ROOM = 4 << 20 };
    char *text = hk_alloc(ROOM);
    size_t n = (size_t)snprintf(text, ROOM, "%s<ssd:Elements>", SYSTEM);
    for (int i = 0; i < N; i++)
        n += (size_t)snprintf(text + n, ROOM - n,
                              "<ssd:Component name=\"c%d\" source=\"plant.fmu\">%s"
                              "</ssd:Component>\n",
                              i, PORTS);
    n += (size_t)snprintf(text + n, ROOM - n, "</ssd:Elements><ssd:Connections>");
    for (int i = 0; i < N; i++)
        n += (size_t)snprintf(text + n, ROOM - n,
                              "<ssd:Connection startElement=\"c%d\" startConnector=\"y\" "
                              "endElement=\"c%d\" endConnector=\"u\"/>\n",
                              i, (i + 1) % N);
    n += (size_t)snprintf(text + n, ROOM - n, "</ssd:Connections>%s", TAIL);
    assert_true(n < ROOM);
    expect_ok(f, text, 0);
    hk_free(text);
    assert_int_equal(f->model->connection_count, N);
    assert_int_equal(opened, 1);
}

static void test_parse_only(void **state) {
    fixture *f = *state;
    static const char *const texts[] = {"", "<", "x", SYSTEM, SYSTEM TAIL, nested};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t errors = hk_ctx_count(f->ctx, HK_ERROR);
        hk_status status = hk_ssp_parse_ssd(f->ctx, "x.ssd", texts[i], strlen(texts[i]));
        assert_int_equal(status != HK_OK, i < 4);
        assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR) > errors, i < 4);
    }
}

/* The FMU may do both, so it is asked and not the system. */
static void test_implementation(void **state) {
    fixture *f = *state;
#define MADE_AS(word)                                                                              \
    SYSTEM "<ssd:Elements><ssd:Component name=\"a\" source=\"plant.fmu\" implementation=\"" word   \
           "\"/></ssd:Elements>" TAIL
    expect_fail(f, MADE_AS("ModelExchage"), HK_E_SSP, "the implementation 'ModelExchage' is not");
    hk_ctx_clear(f->ctx);
    expect_ok(f, MADE_AS("ModelExchange"), 1);
    assert_string_equal(find_diag(f, "it asks for ModelExchange")->where.element, "component 'a'");
    assert_int_equal(f->model->component_count, 1);
}

static void test_no_components(void **state) {
    fixture *f = *state;
    const hk_diag *d = expect_fail(f, SYSTEM "<ssd:Elements/>" TAIL, HK_E_SSP,
                                   "system 'Root' has no components, so there is nothing to run");
    assert_true(d->where.line == 7 && d->hint);
}

/* A value for a connector of a system that leads nowhere, or gets its value elsewhere. */
static void test_idle_connectors(void **state) {
    fixture *f = *state;
    expect_ok(f,
              SYSTEM
              "<ssd:Connectors><ssd:Connector name=\"in\" kind=\"input\"/>"
              "<ssd:Connector name=\"out\" kind=\"output\"/></ssd:Connectors>\n" BIND(SET(
                  "<ssv:Parameter name=\"in\"><ssv:Real value=\"1\"/></ssv:Parameter>"
                  "<ssv:Parameter name=\"out\"><ssv:Real value=\"1\"/></ssv:Parameter>"
                  "<ssv:Parameter name=\"a.k\"><ssv:Real value=\"1\"/></ssv:Parameter>") "</"
                                                                                         "ssd:"
                                                                                         "Parameter"
                                                                                         "Values>")
                  TWO "<ssd:Connections><ssd:Connection startElement=\"a\" startConnector=\"y\" "
                      "endConnector=\"out\"/></ssd:Connections>" TAIL,
              2);
    find_diag(f, "the value of 'in' is not used: connector 'in' of system 'Root' leads to no "
                 "component");
    find_diag(f, "connector 'out' of system 'Root' gets its value from a connection");
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_simple),
        TEST(test_unknown_names),
        TEST(test_same_direction),
        TEST(test_missing_connector),
        TEST(test_nested),
        TEST(test_nested_parameters),
        TEST(test_files),
        TEST(test_bad_parameter),
        TEST(test_structural),
        TEST(test_units_and_maps),
        TEST(test_other_tools),
        TEST(test_warnings),
        TEST(test_refused),
        TEST(test_package),
        TEST(test_many),
        TEST(test_parse_only),
        TEST(test_units_on_the_way),
        TEST(test_output_in_another_unit),
        TEST(test_branches),
        TEST(test_empty_unit),
        TEST(test_foreign_elements),
        TEST(test_boolean_mapping),
        TEST(test_unmatched),
        TEST(test_set_as_mapping),
        TEST(test_implementation),
        TEST(test_no_components),
        TEST(test_idle_connectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
