/* SPDX-License-Identifier: MIT */
#include "format/xml_document.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){hk_ctx_create(NULL, NULL), hk_arena_create()};
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    return 0;
}

static hk_xml_document *read(fixture *f, const char *text) {
    hk_xml_document *doc = NULL;
    if (hk_xml_document_read(f->ctx, f->arena, "t.xml", text, strlen(text), &doc) != HK_OK)
        fail_msg("refused: %s", hk_ctx_diag(f->ctx, 0)->text);
    return doc;
}

/* Printed, and printed again from what was printed. */
static void expect_print(fixture *f, const char *text, const char *expected) {
    const char *once = hk_xml_document_print(f->arena, read(f, text));
    assert_string_equal(once, expected);
    assert_string_equal(hk_xml_document_print(f->arena, read(f, once)), expected);
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

static void everything_is_kept(void **state) {
    expect_print(*state,
                 "<?xml version='1.0' encoding='ISO-8859-1'?>\n<!--top--><?pi  a b?>\n\n"
                 "<a:r xmlns:a='u' b='1' c='&#10;&quot;&lt;\xe4'><x/>\n\n\n\n<y>t<z/> u </y>"
                 "<!-- two\n lines --><w>\n</w><![CDATA[]]></a:r><!--end-->",
                 HEAD
                 "<!--top-->\n<?pi a b?>\n\n"
                 "<a:r xmlns:a=\"u\" b=\"1\" c=\"&#10;&quot;&lt;\xc3\xa4\"><x/>\n\n\n\n"
                 "<y>t<z/> u </y><!-- two\n lines --><w>\n</w><![CDATA[]]></a:r>\n<!--end-->\n");
}

static void blanks_between_elements_are_layout(void **state) {
    expect_print(*state,
                 "<r xmlns='u'\n xmlns:p='v'><x  a = '1'   b='2'></x>\n\n\n"
                 "<y><!--c--><?pi?><z>text &amp; more</z></y>\n</r>",
                 HEAD "<r\n    xmlns=\"u\"\n    xmlns:p=\"v\">\n  <x a=\"1\" b=\"2\"/>\n\n  <y>\n"
                      "    <!--c-->\n    <?pi?>\n    <z>text &amp; more</z>\n  </y>\n</r>\n");
    expect_print(*state, "<r xml:space='preserve'> <x/> </r>",
                 HEAD "<r xml:space=\"preserve\"> <x/> </r>\n");
}

static void verbatim_elements_stay(void **state) {
    fixture *f = *state;
    hk_xml_document *doc = read(f, "<r><x> <y/>\n <z/></x><x> <y/></x></r>");
    hk_xml_find(doc->root, "x")->verbatim = true;
    assert_string_equal(hk_xml_document_print(f->arena, doc),
                        HEAD "<r>\n  <x> <y/>\n <z/></x>\n  <x>\n    <y/>\n  </x>\n</r>\n");
}

static void documents_are_changed(void **state) {
    fixture *f = *state;
    hk_xml_document *doc = read(f, "<p:r a='1' b='2' c='3'><p:x/><q:x/></p:r>");
    hk_xml_node *first = hk_xml_find(doc->root, "x");
    assert_string_equal(hk_xml_local(first), "x");
    assert_int_equal(first->line, 1);
    assert_int_equal(first->column, 24);
    assert_string_equal(hk_xml_find_next(first, "x")->name, "q:x");
    assert_null(hk_xml_find_next(hk_xml_find_next(first, "x"), "x"));
    hk_xml_set(doc, doc->root, "b", "<");
    hk_xml_set(doc, doc->root, "d", "4");
    hk_xml_unset(doc->root, "a");
    hk_xml_unset(doc->root, "none");
    assert_null(hk_xml_get(doc->root, "a"));
    hk_xml_node *new = hk_xml_add_before(doc, doc->root, first, "n");
    hk_xml_add_text(doc, new, "t");
    hk_xml_add_before(doc, doc->root, NULL, "last");
    assert_string_equal(hk_xml_document_print(f->arena, doc),
                        HEAD "<p:r b=\"&lt;\" c=\"3\" d=\"4\">\n  <n>t</n>\n  <p:x/>\n  <q:x/>\n"
                             "  <last/>\n</p:r>\n");
}

static void documents_are_made(void **state) {
    fixture *f = *state;
    hk_xml_document *doc = hk_xml_document_create(f->arena);
    hk_xml_node *root = hk_xml_add(doc, &doc->top, "r");
    for (int i = 0; i < 6; i++)
        hk_xml_set(doc, root, hk_arena_printf(f->arena, "a%d", i), "v");
    hk_xml_add(doc, root, "x");
    assert_ptr_equal(doc->root, root);
    assert_string_equal(
        hk_xml_document_print(f->arena, doc),
        HEAD "<r a0=\"v\" a1=\"v\" a2=\"v\" a3=\"v\" a4=\"v\" a5=\"v\">\n  <x/>\n</r>\n");
}

static void wrong_ones_are_refused(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        int line;
    } cases[] = {{"", 1},
                 {"<a>\n<b></a>", 2},
                 {"<!DOCTYPE a><a/>", 1},
                 {"<a/>\n<b/>", 2},
                 {"<a b='1' b='2'/>", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hk_xml_document *doc;
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        assert_int_equal(hk_xml_document_read(ctx, f->arena, "t.xml", cases[i].text,
                                              strlen(cases[i].text), &doc),
                         HK_E_XML);
        assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
        assert_int_equal(hk_ctx_diag(ctx, 0)->where.line, cases[i].line);
        hk_ctx_destroy(ctx);
    }
}

static void depth_is_limited(void **state) {
    fixture *f = *state;
    char text[200 * 3 + 1];
    hk_xml_document *doc;
    for (size_t i = 0; i < 200; i++)
        memcpy(text + 3 * i, "<a>", 3);
    assert_int_equal(hk_xml_document_read(f->ctx, f->arena, "t.xml", text, sizeof text - 1, &doc),
                     HK_E_XML);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "more than 128"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(everything_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blanks_between_elements_are_layout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(verbatim_elements_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(documents_are_changed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(documents_are_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_ones_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depth_is_limited, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
