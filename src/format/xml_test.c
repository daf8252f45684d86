/* SPDX-License-Identifier: MIT */
#include "format/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static const hk_xml *parse(hk_ctx *ctx, hk_arena *arena, const char *text) {
    const hk_xml *root = NULL;
    if (hk_xml_parse(ctx, arena, "t.xml", text, strlen(text), &root) != HK_OK)
        fail_msg("refused: %s", hk_ctx_diag(ctx, 0)->text);
    return root;
}

static void builds_a_tree(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = parse(ctx, arena,
                               "<?xml version='1.0' encoding='UTF-8'?>\n"
                               "<s:Root xmlns:s='urn:s' xmlns='urn:d' a='1' s:b='2'>\n"
                               "  <One/>text <s:Two c='&lt;&#228;'>in<![CDATA[ner]]></s:Two> more\n"
                               "  <t:Two xmlns:t='urn:s'/>\n"
                               "</s:Root>\n");
    assert_string_equal(root->ns, "urn:s");
    assert_string_equal(root->name, "Root");
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 1);
    assert_int_equal(root->attr_count, 2);
    assert_string_equal(hk_xml_attr_get(root, "a"), "1");
    assert_null(hk_xml_attr_get(root, "b"));
    assert_string_equal(root->attrs[1].ns, "urn:s");
    assert_string_equal(root->text, "\n  text  more\n  \n");
    const hk_xml *one = root->child;
    assert_string_equal(one->ns, "urn:d");
    assert_string_equal(one->text, "");
    const hk_xml *two = hk_xml_child(root, "urn:s", "Two");
    assert_string_equal(hk_xml_attr_get(two, "c"), "<\xc3\xa4");
    assert_string_equal(two->text, "inner");
    assert_int_equal(two->line, 3);
    assert_int_equal(two->column, 14);
    const hk_xml *again = hk_xml_next(two, NULL, "Two");
    assert_ptr_equal(again->ns, root->ns);
    assert_ptr_equal(again->name, two->name);
    assert_null(hk_xml_next(again, NULL, "Two"));
    assert_null(hk_xml_child(root, "urn:d", "Two"));
    hk_where where = hk_xml_where("t.xml", two);
    assert_int_equal(where.line, 3);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void layout_is_no_text(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = parse(ctx, arena, "<a>\n <b> </b>\n</a>");
    assert_string_equal(root->text, "");
    assert_string_equal(root->child->text, " ");
    assert_string_equal(root->ns, "");
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void expect_fails(const char *text, size_t size, int line, int column, const char *word) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = NULL;
    assert_int_equal(hk_xml_parse(ctx, arena, "t.xml", text, size, &root), HK_E_XML);
    assert_null(root);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
    const hk_diag *diag = hk_ctx_diag(ctx, 0);
    assert_string_equal(diag->where.file, "t.xml");
    if (!strstr(diag->text, word))
        fail_msg("'%s' does not say '%s'", diag->text, word);
    if (line) {
        assert_int_equal(diag->where.line, line);
        assert_int_equal(diag->where.column, column);
    }
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void refuses_bad_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *word;
    } cases[] = {{"", 1, 1, "no element"},
                 {"<a>\n <b></c>\n</a>", 2, 7, "mismatched"},
                 {"<a>", 1, 4, "no element"},
                 {"<a b='1' b='2'/>", 1, 10, "duplicate"},
                 {"<p:a/>", 1, 1, "prefix"},
                 {"<a/><b/>", 1, 5, "junk"},
                 {"<a>&nothing;</a>", 1, 4, "undefined entity"},
                 {"<a>\xff</a>", 1, 4, "token"},
                 {"<?xml version='1.0' encoding='klingon'?><a/>", 0, 0, "encoding"},
                 {"\n<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", 2, 0, "document type"},
                 {"<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>", 1, 0, "document type"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_fails(cases[i].text, strlen(cases[i].text), cases[i].column ? cases[i].line : 0,
                     cases[i].column, cases[i].word);
    expect_fails("<a>\0</a>", 8, 1, 4, "token");
}

static void limits(void **state) {
    (void)state;
    static char text[20000];
    for (int depth = HK_XML_DEPTH_MAX; depth <= HK_XML_DEPTH_MAX + 1; depth++) {
        text[0] = '\0';
        for (int i = 0; i < depth; i++)
            memcpy(text + 3 * i, "<a>", 3);
        for (int i = 0; i < depth; i++)
            memcpy(text + 3 * depth + 4 * i, "</a>", 5);
        if (depth > HK_XML_DEPTH_MAX) {
            expect_fails(text, strlen(text), 1, 3 * HK_XML_DEPTH_MAX + 1, "deep");
            continue;
        }
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        hk_arena *arena = hk_arena_create();
        parse(ctx, arena, text);
        hk_arena_destroy(arena);
        hk_ctx_destroy(ctx);
    }
    memset(text, 'u', sizeof text);
    memcpy(text, "<a xmlns='", 10);
    memcpy(text + 10000, "'/>", 4);
    expect_fails(text, strlen(text), 0, 0, "namespace");
}

/* A small file must not make us hold much: elements and attributes are counted. */
static void counts_elements(void **state) {
    (void)state;
    enum { COUNT = HK_XML_ELEMENTS_MAX };
    char *text = hk_alloc((size_t)COUNT * 4 + 16);
    memcpy(text, "<r>", 3);
    for (size_t i = 0; i < COUNT; i++)
        memcpy(text + 3 + 4 * i, "<a/>", 4);
    expect_fails(text, 3 + (size_t)COUNT * 4, 1, 4 * COUNT, "more than 1000000 elements");
    hk_free(text);
}

/* Many more are not built at all; what is in comments and texts is not counted. */
static void counts_before_it_builds(void **state) {
    (void)state;
    enum { COUNT = 3 * HK_XML_ELEMENTS_MAX };
    char *text = hk_alloc((size_t)COUNT * 5 + 40);
    size_t used = 0;
    memcpy(text, "<r>", 3);
    for (used = 3; used < (size_t)COUNT * 5; used += 5)
        memcpy(text + used, "<a/>\n", 5);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = NULL;
    uint64_t before = hk_alloc_count();
    assert_int_equal(hk_xml_parse(ctx, arena, "t.xml", text, used, &root), HK_E_XML);
    assert_true(hk_alloc_count() - before < 20);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "more than 1000000 elements"));
    assert_int_equal(hk_ctx_diag(ctx, 0)->where.line, HK_XML_ELEMENTS_MAX);
    memcpy(text, "<r><!--", 7);
    memcpy(text + 7, "          ", 10);
    memcpy(text + used, "--></r>", 7);
    assert_int_equal(hk_xml_parse(ctx, arena, "t.xml", text, used + 7, &root), HK_OK);
    memcpy(text, "<r><![CDATA[", 12);
    memcpy(text + used, "]]></r>", 7);
    assert_int_equal(hk_xml_parse(ctx, arena, "t.xml", text, used + 7, &root), HK_OK);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    hk_free(text);
}

/* What is before a fault, prefixes of nobody, text under a wrong name. */
static void lenient(void **state) {
    (void)state;
    static const char cut[] = "<r x:a='1'><b c='\xe4'/><d",
                      wide[] = "<?xml version='1.0' encoding='utf-16'?><r/>";
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = NULL;
    hk_xml_borne borne;
    assert_int_equal(hk_xml_parse_leniently(ctx, arena, &(hk_file_text){"t.xml", cut, strlen(cut)},
                                            &root, &borne),
                     HK_E_XML);
    assert_string_equal(hk_xml_attr_get(root->child, "c"), "\xc3\xa4");
    assert_null(root->child->next);
    assert_string_equal(root->attrs[0].ns, HK_XML_UNDECLARED "x");
    assert_int_equal(borne.prefix_count, 1);
    assert_string_equal(borne.prefix, "x");
    assert_string_equal(borne.encoding, "Windows-1252");
    assert_int_equal(borne.encoding_column, 18);
    assert_int_equal(hk_xml_parse_leniently(
                         ctx, arena, &(hk_file_text){"t.xml", wide, strlen(wide)}, &root, &borne),
                     HK_OK);
    assert_string_equal(borne.encoding, "UTF-8");
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

/* Names are shared and the memory is linear: a large description is nothing special. */
static void many_elements(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    char *text = hk_alloc(COUNT * 80 + 100);
    size_t used = (size_t)sprintf(text, "<m xmlns='urn:m'>\n");
    for (int i = 0; i < COUNT; i++)
        used += (size_t)sprintf(text + used, "<v name='x%d' ref='%d' kind='real'/>\n", i, i);
    used += (size_t)sprintf(text + used, "</m>");
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_xml *root = NULL;
    uint64_t before = hk_alloc_count();
    assert_int_equal(hk_xml_parse(ctx, arena, "t.xml", text, used, &root), HK_OK);
    assert_true(hk_alloc_count() - before < 200);
    int count = 0;
    for (const hk_xml *v = root->child; v; v = v->next, count++) {
        assert_ptr_equal(v->name, root->child->name);
        assert_int_equal(v->line, count + 2);
    }
    assert_int_equal(count, COUNT);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    hk_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builds_a_tree),           cmocka_unit_test(layout_is_no_text),
        cmocka_unit_test(refuses_bad_text),        cmocka_unit_test(limits),
        cmocka_unit_test(many_elements),           cmocka_unit_test(counts_elements),
        cmocka_unit_test(counts_before_it_builds), cmocka_unit_test(lenient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
