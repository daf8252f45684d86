/* SPDX-License-Identifier: MIT
 *
 * The parser and the printer with a language of their own: "box NAME { ... }" and "item NAME =
 * VALUE;", boxes inside boxes. */
#include "text/parser.h"
#include "text/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

typedef struct node {
    bool box;
    hk_name name;
    hk_literal value;
    struct node *nodes;
    size_t count;
    hk_place at, end;
} node;

enum { BOX, ITEM };
HK_LEVEL(box, "box", "item");

static bool read_node(hk_parser *p, void *into, size_t word, hk_place at) {
    node n = {.box = word == BOX, .name = HK_MISSING, .value = HK_MISSING, .at = at};
    bool ok;
    if (n.box) {
        hk_list inner = HK_LIST(node);
        ok = hk_parser_head(p, "a name", &n.name) && hk_parser_enter(p);
        if (ok) {
            ok = hk_parser_braces(p, &box_level, &n.at, read_node, &inner, &n.end);
            hk_parser_leave(p);
        }
        n.count = inner.count;
        n.nodes = hk_list_keep(p->arena, &inner);
    } else {
        ok = hk_parser_name(p, "a name", &n.name) && hk_parser_expect_mark(p, "=") &&
             hk_parser_literal(p, &n.value) && hk_parser_semicolon(p, &n.at);
    }
    if (ok)
        hk_list_add(into, &n);
    return ok;
}

static void print_node(hk_printer *pr, const node *n) {
    hk_print_line(pr, &n->at);
    hk_print(pr, n->box ? "box " : "item ");
    hk_print_name(pr, &n->name);
    if (!n->box) {
        hk_print(pr, " = ");
        hk_print_literal(pr, &n->value);
        hk_print(pr, ";");
        hk_print_end(pr, &n->at);
    } else if (hk_print_open(pr, &n->at, &n->end, n->count == 0)) {
        for (size_t i = 0; i < n->count; i++)
            print_node(pr, &n->nodes[i]);
        hk_print_close(pr, &n->end);
    }
}

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
} rig;

/* What TEXT looks like when it is printed again. */
static const char *again(rig *r, const char *text, hk_status expected) {
    hk_parser p;
    hk_list nodes = HK_LIST(node);
    hk_place end;
    hk_parser_begin(&p, r->ctx, r->arena, &(hk_file_text){"f", text, strlen(text)}, &box_level);
    hk_parser_whole(&p, &box_level, read_node, &nodes, &end);
    assert_int_equal(hk_parser_finish(&p), expected);
    size_t count = nodes.count;
    const node *all = hk_list_keep(r->arena, &nodes);
    hk_printer pr = {0};
    for (size_t i = 0; i < count; i++)
        print_node(&pr, &all[i]);
    hk_print_rest(&pr, &end);
    return hk_print_finish(&pr, r->arena);
}

static void assert_said(const rig *r, size_t index, int line, int column, const char *text) {
    const hk_diag *d = hk_ctx_diag(r->ctx, index);
    assert_non_null(d);
    assert_string_equal(d->text, text);
    assert_int_equal(d->where.line, line);
    assert_int_equal(d->where.column, column);
}

static int setup(void **state) {
    rig *r = hk_alloc(sizeof *r);
    r->ctx = hk_ctx_create(NULL, NULL);
    r->arena = hk_arena_create();
    *state = r;
    return 0;
}

static int teardown(void **state) {
    rig *r = *state;
    hk_ctx_destroy(r->ctx);
    hk_arena_destroy(r->arena);
    hk_free(r);
    return 0;
}

static void comments_and_order_stay(void **state) {
    rig *r = *state;
    const char *text = "// first\n"
                       "box a { // opens\n"
                       "  item x = 5ms; // behind\n"
                       "\n"
                       "  // above\n"
                       "  item \"a b\" = {1, true, \"t\"};\n"
                       "  box inner {}\n"
                       "  // last\n"
                       "}\n"
                       "\n"
                       "// rest\n";
    assert_string_equal(again(r, text, HK_OK), text);
    const char *loose = "// first\nbox a{// opens\nitem x=5ms;// behind\n\n// above\n"
                        "item \"a b\"={1,true,\"t\"};box inner{}\n// last\n}\n\n// rest\n";
    assert_string_equal(again(r, loose, HK_OK), text);
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 0);
}

/* One message for each mistake, and what is right around them is read. */
static void goes_on_behind_mistakes(void **state) {
    rig *r = *state;
    const char *printed = again(r,
                                "box a {\n"
                                "  itme x = 1;\n"
                                "  item y 2;\n"
                                "  item z = 3\n"
                                "  item w = 4;\n"
                                "}\n"
                                "}\n"
                                "item v = 5;\n",
                                HK_E_LANGUAGE);
    assert_string_equal(printed, "box a {\n  item z = 3;\n  item w = 4;\n}\nitem v = 5;\n");
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 4);
    assert_said(r, 0, 2, 3, "expected 'box' or 'item', found 'itme'");
    assert_string_equal(hk_ctx_diag(r->ctx, 0)->hint, "did you mean 'item'?");
    assert_said(r, 1, 3, 10, "expected '=', found '2'");
    assert_said(r, 2, 4, 13, "expected ';' behind '3'");
    assert_said(r, 3, 7, 1, "this '}' closes nothing");
}

static void a_body_is_not_closed(void **state) {
    rig *r = *state;
    assert_string_equal(again(r, "box a {\n  item x = 1;\n", HK_E_LANGUAGE),
                        "box a {\n  item x = 1;\n}\n");
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 1);
    assert_said(r, 0, 3, 1,
                "expected '}', found the end of the file; the body that begins in line 1 is not "
                "closed");
}

static void depth_is_limited(void **state) {
    rig *r = *state;
    char text[8000] = "", *at = text;
    for (int i = 0; i < 250; i++)
        at = stpcpy(at, "box b {\n");
    for (int i = 0; i < 250; i++)
        at = stpcpy(at, "}\n");
    again(r, text, HK_E_LANGUAGE);
    assert_int_equal(hk_ctx_count(r->ctx, HK_NOTE), 1);
    assert_string_equal(hk_ctx_diag(r->ctx, 0)->text, "this is nested more than 200 deep");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(comments_and_order_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(goes_on_behind_mistakes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_body_is_not_closed, setup, teardown),
        cmocka_unit_test_setup_teardown(depth_is_limited, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
