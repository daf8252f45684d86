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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_loop_unread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
