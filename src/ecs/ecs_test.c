/* SPDX-License-Identifier: MIT */
#include "ecs/ecs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

typedef struct Body {
    double position[3], velocity[3];
} Body;
typedef struct Mass {
    double m;
} Mass;

static const hk_component_type body_type = {HK_COMPONENT(Body)};
static const hk_component_type mass_type = {HK_COMPONENT(Mass)};
static const hk_component_type pose_type = {HK_COMPONENT(hk_pose)};

typedef struct fixture {
    hk_ecs *ecs;
    hk_ecs_kind body, mass, pose;
    hk_entity a, b, c;
} fixture;

static hk_entity make(hk_ecs *ecs, const char *name) {
    hk_entity entity = HK_NO_ENTITY;
    assert_int_equal(hk_ecs_new(ecs, name, &entity), HK_ECS_OK);
    return entity;
}

static int set_up(void **state) {
    static fixture f;
    const Mass one = {1};
    const hk_pose still = {.orientation = {1}, .world_orientation = {1}};
    f = (fixture){.ecs = hk_ecs_create()};
    f.body = hk_ecs_add_type(f.ecs, &body_type, NULL);
    f.mass = hk_ecs_add_type(f.ecs, &mass_type, &one);
    f.pose = hk_ecs_add_type(f.ecs, &pose_type, &still);
    f.a = make(f.ecs, "a");
    f.b = make(f.ecs, "b");
    f.c = make(f.ecs, NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    hk_ecs_destroy(((fixture *)*state)->ecs);
    return 0;
}

static void entities_have_names_that_are_used_once(void **state) {
    const fixture *f = *state;
    hk_entity other = 7;
    assert_true(hk_ecs_find(f->ecs, "a") == f->a);
    assert_true(hk_ecs_find(f->ecs, "x") == HK_NO_ENTITY);
    assert_int_equal(hk_ecs_new(f->ecs, "a", &other), HK_ECS_NAME_USED);
    assert_true(other == 7);
    assert_int_equal(hk_ecs_remove(f->ecs, f->a), HK_ECS_OK);
    assert_true(hk_ecs_find(f->ecs, "a") == HK_NO_ENTITY);
    hk_entity again = make(f->ecs, "a");
    assert_true(again != f->a);
    assert_int_equal((uint32_t)again, (uint32_t)f->a);
    assert_false(hk_ecs_there(f->ecs, f->a));
    assert_int_equal(hk_ecs_remove(f->ecs, f->a), HK_ECS_GONE);
    assert_string_equal(hk_ecs_name(f->ecs, f->c), "");
}

static void components_keep_their_data_when_others_come(void **state) {
    const fixture *f = *state;
    assert_int_equal(hk_ecs_give(f->ecs, f->a, f->body), HK_ECS_OK);
    Body *body = hk_ecs_data(f->ecs, f->a, f->body);
    body->velocity[2] = -4;
    assert_int_equal(hk_ecs_give(f->ecs, f->a, f->mass), HK_ECS_OK);
    assert_int_equal(hk_ecs_give(f->ecs, f->a, hk_ecs_tag(f->ecs, "Body")), HK_ECS_OK);
    body = hk_ecs_data(f->ecs, f->a, f->body);
    assert_true(body->velocity[2] == -4);
    assert_true(((Mass *)hk_ecs_data(f->ecs, f->a, f->mass))->m == 1);
    assert_null(hk_ecs_data(f->ecs, f->a, hk_ecs_tag(f->ecs, "Body")));
    assert_int_equal(hk_ecs_take(f->ecs, f->a, f->body), HK_ECS_OK);
    assert_null(hk_ecs_data(f->ecs, f->a, f->body));
    assert_int_equal(hk_ecs_give(f->ecs, f->a, f->body), HK_ECS_OK);
    assert_true(((Body *)hk_ecs_data(f->ecs, f->a, f->body))->velocity[2] == 0);
}

static void families_follow(void **state) {
    const fixture *f = *state;
    size_t family, none;
    char unknown[64];
    const hk_family names = {.with = "Mass Body", .tags = "falling", .without_tags = "held"};
    assert_int_equal(hk_ecs_add_family(f->ecs, &names, &family, unknown), HK_ECS_OK);
    assert_int_equal(hk_ecs_add_family(f->ecs, &(hk_family){.without = "Mess"}, &none, unknown),
                     HK_ECS_NO_TYPE);
    assert_string_equal(unknown, "Mess");
    assert_null(hk_ecs_members(f->ecs, family)->batches);
    hk_entity all[] = {f->a, f->b, f->c};
    for (int i = 0; i < 3; i++) {
        hk_ecs_give(f->ecs, all[i], f->body);
        hk_ecs_give(f->ecs, all[i], f->mass);
        hk_ecs_give(f->ecs, all[i], hk_ecs_tag(f->ecs, "falling"));
        ((Mass *)hk_ecs_data(f->ecs, all[i], f->mass))->m = i;
    }
    const hk_members *members = hk_ecs_members(f->ecs, family);
    uint64_t version = members->version;
    assert_int_equal(members->count, 3);
    const Mass *mass = hk_batch_read(members->batches, 0);
    assert_true(mass[2].m == 2 && members->batches->entities[2] == f->c);
    hk_ecs_give(f->ecs, f->a, hk_ecs_tag(f->ecs, "held"));
    members = hk_ecs_members(f->ecs, family);
    assert_int_equal(members->count, 2);
    assert_true(members->version != version);
    assert_true(members->batches->entities[0] == f->c); /* the last took its place */
    assert_null(members->batches->next);
}

static void commands_are_done_in_their_order(void **state) {
    const fixture *f = *state;
    hk_ecs_failure failure;
    const Mass five = {5};
    hk_ecs_later_by(f->ecs, 3);
    hk_entity d = hk_ecs_later_new(f->ecs, "d");
    assert_false(hk_ecs_there(f->ecs, d));
    assert_true(hk_ecs_known(f->ecs, d));
    hk_ecs_later_give(f->ecs, d, f->mass, &five);
    hk_ecs_later_parent(f->ecs, d, f->a);
    hk_ecs_later_remove(f->ecs, f->b);
    hk_ecs_later_give(f->ecs, f->b, f->mass, NULL); /* left out */
    assert_true(hk_ecs_apply(f->ecs, &failure));
    assert_true(((Mass *)hk_ecs_data(f->ecs, d, f->mass))->m == 5);
    assert_true(hk_ecs_parent(f->ecs, d) == f->a);
    assert_false(hk_ecs_there(f->ecs, f->b));
    hk_ecs_later_give(f->ecs, d, f->mass, NULL);
    hk_entity twice = hk_ecs_later_new(f->ecs, "a");
    hk_ecs_later_remove(f->ecs, d);
    assert_false(hk_ecs_apply(f->ecs, &failure));
    assert_int_equal(failure.result, HK_ECS_NAME_USED);
    assert_int_equal(failure.who, 3);
    assert_string_equal(failure.what, "a");
    assert_true(((Mass *)hk_ecs_data(f->ecs, d, f->mass))->m == 1);
    assert_false(hk_ecs_known(f->ecs, twice));
}

static void children_go_with_their_parent(void **state) {
    const fixture *f = *state;
    assert_int_equal(hk_ecs_set_parent(f->ecs, f->b, f->a), HK_ECS_OK);
    assert_int_equal(hk_ecs_set_parent(f->ecs, f->c, f->b), HK_ECS_OK);
    assert_int_equal(hk_ecs_set_parent(f->ecs, f->a, f->c), HK_ECS_CYCLE);
    assert_int_equal(hk_ecs_set_parent(f->ecs, f->a, f->a), HK_ECS_CYCLE);
    assert_int_equal(hk_ecs_remove(f->ecs, f->b), HK_ECS_OK);
    assert_int_equal(hk_ecs_count(f->ecs), 1);
    assert_true(hk_ecs_there(f->ecs, f->a));
}

static void poses_follow_from_parents(void **state) {
    const fixture *f = *state;
    hk_entity all[] = {f->c, f->b, f->a}; /* the parent comes last */
    hk_ecs_set_parent(f->ecs, f->c, f->b);
    hk_ecs_set_parent(f->ecs, f->b, f->a);
    for (int i = 0; i < 3; i++) {
        hk_ecs_give(f->ecs, all[i], f->pose);
        hk_pose *pose = hk_ecs_data(f->ecs, all[i], f->pose);
        pose->position[0] = 1;
        pose->orientation[0] = pose->orientation[3] = sqrt(0.5); /* a quarter turn about z */
    }
    hk_ecs_place(f->ecs, f->pose);
    const hk_pose *c = hk_ecs_data(f->ecs, f->c, f->pose);
    assert_true(fabs(c->world_position[0] - 0) < 1e-14);
    assert_true(fabs(c->world_position[1] - 1) < 1e-14);
    assert_true(fabs(c->world_orientation[0] + sqrt(0.5)) < 1e-14);
    assert_true(fabs(c->world_orientation[3] - sqrt(0.5)) < 1e-14);
}

static void what_was_restored_goes_on_alike(void **state) {
    const fixture *f = *state;
    hk_buffer bytes = {0};
    size_t family;
    char unknown[64];
    hk_ecs_add_family(f->ecs, &(hk_family){.with = "Mass"}, &family, unknown);
    hk_ecs_give(f->ecs, f->a, f->mass);
    hk_ecs_give(f->ecs, f->b, f->mass);
    hk_ecs_set_parent(f->ecs, f->b, f->a);
    hk_ecs_give(f->ecs, f->b, hk_ecs_tag(f->ecs, "late"));
    hk_ecs_remove(f->ecs, f->c);
    uint64_t hash = hk_ecs_hash(f->ecs);
    hk_ecs_save(f->ecs, &bytes);
    hk_ecs_give(f->ecs, f->a, hk_ecs_tag(f->ecs, "later"));
    hk_ecs_remove(f->ecs, f->b);
    assert_true(hk_ecs_hash(f->ecs) != hash);
    assert_true(hk_ecs_load(f->ecs, bytes.data, bytes.size));
    assert_true(hk_ecs_hash(f->ecs) == hash);
    assert_int_equal(hk_ecs_members(f->ecs, family)->count, 2);
    assert_true(hk_ecs_find(f->ecs, "b") == f->b);
    assert_int_equal((uint32_t)make(f->ecs, "new"), (uint32_t)f->c);
    for (size_t cut = 0; cut < bytes.size; cut++)
        assert_false(hk_ecs_load(f->ecs, bytes.data, cut));
    for (size_t i = 0; i < bytes.size; i++) { /* whatever a byte is, nothing breaks */
        bytes.data[i] ^= 0x55;
        if (hk_ecs_load(f->ecs, bytes.data, bytes.size)) {
            hk_ecs_place(f->ecs, f->pose);
            hk_entity a = hk_ecs_find(f->ecs, "a");
            hk_ecs_remove(f->ecs, a);
        }
        bytes.data[i] ^= 0x55;
    }
    assert_true(hk_ecs_load(f->ecs, bytes.data, bytes.size));
    assert_true(hk_ecs_hash(f->ecs) == hash);
    hk_free(bytes.data);
}

static void a_million_entities_cost_little(void **state) {
    const fixture *f = *state;
    enum { N = 1000000 };
    hk_ecs_kind kinds[] = {f->body, f->mass};
    char name[32];
    hk_entity entity;
    for (int i = 0; i < N; i++) {
        snprintf(name, sizeof name, "star[%d]", i);
        assert_int_equal(hk_ecs_new_with(f->ecs, name, kinds, 2, &entity), HK_ECS_OK);
    }
    size_t data, all = hk_ecs_bytes(f->ecs, &data);
    assert_true(data == (size_t)N * (sizeof(Body) + sizeof(Mass)));
    assert_true((all - data) / N <= 200);
    assert_true(hk_ecs_find(f->ecs, "star[999999]") == entity);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(entities_have_names_that_are_used_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(components_keep_their_data_when_others_come, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(families_follow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(commands_are_done_in_their_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(children_go_with_their_parent, set_up, tear_down),
        cmocka_unit_test_setup_teardown(poses_follow_from_parents, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_restored_goes_on_alike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_million_entities_cost_little, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
