/* SPDX-License-Identifier: MIT */
#include "model/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

/* A component that asks by `r` and one that answers by `p`. */
static const hk_service_info asking[] = {{.name = "r", .interface = "I", .provided = false}};
static const hk_service_info answering[] = {{.name = "p", .interface = "I", .provided = true}};
static const hk_service_info other[] = {{.name = "p", .interface = "J", .provided = true}};
static hk_variable variables[] = {
    {.name = "u", .type = HK_TYPE_F64, .count = 1, .causality = HK_INPUT},
    {.name = "y", .type = HK_TYPE_F64, .count = 1, .causality = HK_OUTPUT}};
static const hk_info ask = {.name = "ask", .services = asking, .service_count = 1};
static const hk_info answer = {.name = "answer", .services = answering, .service_count = 1};
static const hk_info wrong = {.name = "wrong", .services = other, .service_count = 1};
static const hk_info plain = {.name = "plain", .variables = variables, .variable_count = 2};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f = (fixture){hk_ctx_create(NULL, NULL), hk_model_create("m", "m.x")};
    hk_tree_create(f.model, "root");
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    return 0;
}

static hk_tree_element *add(fixture *f, hk_tree_element *system, const char *name,
                            const hk_info *info) {
    hk_tree_element *e = hk_tree_add(f->model->tree, system, HK_TREE_COMPONENT, name);
    assert_int_equal(
        hk_model_add_component(f->ctx, f->model, name, info, HK_NOWHERE, &e->component), HK_OK);
    return e;
}

static void serve(fixture *f, hk_tree_element *system, const char *from, const char *to) {
    hk_tree_service service = {.from = from, .to = to};
    HK_TREE_PUSH(f->model->arena, system->services, system->service_count, system->service_cap,
                 service);
}

static void expose(fixture *f, hk_tree_element *system, const char *name, bool provided) {
    hk_tree_interface i = {.name = name, .interface = "I", .provided = provided};
    HK_TREE_PUSH(f->model->arena, system->interfaces, system->interface_count,
                 system->interface_cap, i);
}

/* From inside one system to inside another, and to a second one beside it. */
static void services_lead_through_systems(void **state) {
    fixture *f = *state;
    hk_tree_element *root = f->model->tree->root;
    hk_tree_element *left = hk_tree_add(f->model->tree, root, HK_TREE_SYSTEM, "left");
    hk_tree_element *right = hk_tree_add(f->model->tree, root, HK_TREE_SYSTEM, "right");
    add(f, left, "a", &ask);
    add(f, right, "b", &answer);
    add(f, root, "c", &answer);
    expose(f, left, "out", false);
    expose(f, right, "in", true);
    serve(f, left, "a.r", "out");
    serve(f, root, "left.out", "right.in");
    serve(f, root, "left.out", "c.p");
    serve(f, right, "in", "b.p");
    assert_int_equal(hk_tree_require(f->ctx, f->model), HK_OK);
    assert_int_equal(f->model->requirement_count, 1);
    const hk_requirement *r = &f->model->requirements[0];
    assert_int_equal(r->candidate_count, 2);
    assert_string_equal(f->model->components[r->candidates[0].component].name, "b");
    assert_string_equal(f->model->components[r->candidates[1].component].name, "c");
    assert_int_equal(r->bound, HK_MAP_NONE);
}

static void one_candidate_is_bound(void **state) {
    fixture *f = *state;
    add(f, f->model->tree->root, "a", &ask);
    add(f, f->model->tree->root, "b", &answer);
    serve(f, f->model->tree->root, "a.r", "b.p");
    serve(f, f->model->tree->root, "a.r", "b.p");
    assert_int_equal(hk_tree_require(f->ctx, f->model), HK_OK);
    assert_int_equal(f->model->requirements[0].candidate_count, 1);
    assert_int_equal(f->model->requirements[0].bound, 0);
}

static void mistakes_of_services(void **state) {
    fixture *f = *state;
    add(f, f->model->tree->root, "a", &ask);
    assert_int_equal(hk_tree_require(f->ctx, f->model), HK_E_SERVICE);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "'a.r' requires 'I', and nothing provides it");
    add(f, f->model->tree->root, "w", &wrong);
    serve(f, f->model->tree->root, "a.r", "w.p");
    assert_int_equal(hk_tree_require(f->ctx, f->model), HK_E_SERVICE);
    assert_string_equal(hk_ctx_diag(f->ctx, 1)->text,
                        "interfaces differ: 'a.r' is a 'I', 'w.p' is a 'J'");
}

/* Services that lead in a circle end. */
static void circles_end(void **state) {
    fixture *f = *state;
    hk_tree_element *root = f->model->tree->root;
    hk_tree_element *s = hk_tree_add(f->model->tree, root, HK_TREE_SYSTEM, "s");
    add(f, s, "a", &ask);
    expose(f, s, "out", false);
    expose(f, s, "in", true);
    serve(f, s, "a.r", "out");
    serve(f, root, "s.out", "s.in");
    serve(f, s, "in", "out");
    assert_int_equal(hk_tree_require(f->ctx, f->model), HK_E_SERVICE);
}

static hk_tree_source built_in(const hk_info *info) {
    return (hk_tree_source){.kind = HK_TREE_BUILTIN, .part = info->name};
}

static void a_flat_model_has_a_tree(void **state) {
    fixture *f = *state;
    uint32_t a, b;
    int64_t from[] = {1}, to[] = {2};
    assert_int_equal(hk_model_add_component(f->ctx, f->model, "s.a", &plain, HK_NOWHERE, &a),
                     HK_OK);
    assert_int_equal(hk_model_add_component(f->ctx, f->model, "b", &plain, HK_NOWHERE, &b), HK_OK);
    hk_connection *k = hk_model_connect(f->model, a, 1, b, 0, HK_NOWHERE);
    k->transform = (hk_transform){HK_TRANSFORM_MAP, 1, 0, from, to, 1};
    k->lag = HK_LAG_OBSERVE;
    hk_tree_from_model(f->model, built_in);
    const hk_tree_element *root = f->model->tree->root;
    assert_string_equal(root->name, "m");
    assert_int_equal(root->element_count, 2);
    assert_ptr_equal(hk_tree_find(root, "s.a"), root->elements[0]);
    assert_null(hk_tree_find(root, "a"));
    assert_string_equal(root->elements[0]->source.part, "plain");
    assert_int_equal(root->connection_count, 1);
    assert_string_equal(root->connections[0].from.element, "s.a");
    assert_string_equal(root->connections[0].to.connector, "u");
    assert_string_equal(root->connections[0].map_to[0], "2");
    assert_int_equal(root->connections[0].lag, HK_LAG_OBSERVE);
}

static void comments_are_kept(void **state) {
    fixture *f = *state;
    hk_tree *tree = hk_tree_create(f->model, "m");
    hk_tree_element *e = hk_tree_add(tree, tree->root, HK_TREE_COMPONENT, "c");
    assert_null(hk_tree_note_find(e, "p"));
    for (int i = 0; i < 9; i++) /* more than fit at first */
        hk_tree_comment(tree->arena, &hk_tree_note_add(tree, e, i % 2 ? "q" : "p")->above,
                        i == 8 ? "// last" : "// one");
    assert_int_equal(e->note_count, 2);
    assert_int_equal(hk_tree_note_find(e, "p")->above.count, 5);
    hk_tree_comment_all(tree->arena, &e->inside, &hk_tree_note_find(e, "p")->above);
    assert_int_equal(e->inside.count, 5);
    assert_string_equal(e->inside.texts[4], "// last");
}

static void kinds_have_names(void **state) {
    (void)state;
    assert_string_equal(hk_tree_kind_name(HK_TREE_UNSPECIFIED), "unspecified");
    assert_string_equal(hk_tree_kind_name(HK_TREE_LOCAL), "local");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(services_lead_through_systems, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_candidate_is_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mistakes_of_services, set_up, tear_down),
        cmocka_unit_test_setup_teardown(circles_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_flat_model_has_a_tree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comments_are_kept, set_up, tear_down),
        cmocka_unit_test(kinds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
