/* SPDX-License-Identifier: MIT
 *
 * A world as the engine sees it: ports by address, steps, states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "world/world.h"

#include <string.h>

/* ---- what there is: two ways to be a body, which have fields of equal names */

typedef struct Body {
    double z, v, hidden;
} Body;
typedef struct Float {
    float z; /* another type */
    double depth, v;
} Float;
static const hk_port body_fields[] = {
    HK_PORT(Body, z, HK_LOCAL, HK_TYPE_F64, .unit = "m"),
    HK_PORT(Body, v, HK_LOCAL, HK_TYPE_F64, .unit = "m/s"),
};
static const hk_port float_fields[] = {
    HK_PORT(Float, z, HK_LOCAL, HK_TYPE_F32, .unit = "m"),
    HK_PORT(Float, depth, HK_LOCAL, HK_TYPE_F64, .unit = "m", .start = "7"),
    HK_PORT(Float, v, HK_LOCAL, HK_TYPE_F64, .unit = "m/s"),
};
static const hk_component_type body_type = {HK_COMPONENT(Body), .fields = body_fields,
                                            .field_count = 2};
static const hk_component_type float_type = {HK_COMPONENT(Float), .fields = float_fields,
                                             .field_count = 3};

typedef struct Mover {
    double gain;
    int64_t seen, acts;
} Mover;
static const hk_port mover_ports[] = {
    HK_PORT(Mover, gain, HK_PARAMETER, HK_TYPE_F64, .start = "2", .tunable = true),
    HK_PORT(Mover, seen, HK_OUTPUT, HK_TYPE_I64),
    HK_PORT(Mover, acts, HK_OUTPUT, HK_TYPE_I64),
};

static int mover_step(void *self, hk_view *view, double t, double h) {
    Mover *x = self;
    (void)t;
    x->seen = (int64_t)view->families[0].count;
    x->acts++;
    for (const hk_batch *b = hk_batches(view, 0); b; b = b->next) {
        Body *body = hk_batch_write(b, 0);
        for (size_t i = 0; i < b->count; i++) {
            body[i].z += x->gain * h;
            body[i].hidden += 1;
        }
    }
    return HK_STEP_OK;
}

/* Makes a child of everybody in its first activation, and removes "second" in its third. */
static int maker_step(void *self, hk_view *view, double t, double h) {
    (void)self, (void)t, (void)h;
    if (view->activation == 0)
        for (const hk_batch *b = hk_batches(view, 0); b; b = b->next)
            for (size_t i = 0; i < b->count; i++) {
                hk_entity child = view->calls->create(view->world, NULL);
                view->calls->give(view->world, child, "Body", NULL);
                view->calls->tag(view->world, child, "young", true);
                view->calls->set_parent(view->world, child, b->entities[i]);
            }
    hk_entity second = view->calls->find(view->world, "second");
    if (view->activation == 2 && second)
        view->calls->remove(view->world, second);
    return HK_STEP_OK;
}

static const hk_family bodies[] = {{.with = "Body"}},
                       old[] = {{.with = "Body", .without_tags = "young"}};
static const hk_system_type mover_type = {
    HK_SYSTEM_OF(Mover), .ports = mover_ports, .port_count = 3,   .families = bodies,
    .family_count = 1,   .writes = "Body",     .step = mover_step};
static const hk_system_type maker_type = {HK_SYSTEM(Maker), .families = old, .family_count = 1,
                                          .step = maker_step};

static const hk_component_type *const types[] = {&hk_world_pose, &body_type, &float_type};
static const hk_world_system systems[] = {
    {.name = "Mover", .type = &mover_type, .priority = 2, .every = 1},
    {.name = "Slow", .type = &mover_type, .priority = 3, .every = 3, .dormant = true},
    {.name = "Maker", .type = &maker_type, .priority = 1, .every = 1, .dormant = true},
};
static const hk_world_part first_parts[] = {
    {&body_type, 1}, {&float_type, 2}, {&hk_world_pose, HK_WORLD_ALWAYS}};
static const hk_world_part second_parts[] = {{&body_type, HK_WORLD_ALWAYS},
                                             {&hk_world_pose, HK_WORLD_ALWAYS}};
static const char *const variants[] = {"falling", "floating"};
static const hk_world_entity entities[] = {
    {.name = "first",
     .parent = HK_MAP_NONE,
     .variants = variants,
     .variant_count = 2,
     .parts = first_parts,
     .part_count = 3},
    {.name = "second", .parent = 0, .parts = second_parts, .part_count = 2},
    {.name = "third",
     .parent = HK_MAP_NONE,
     .dormant = true,
     .parts = second_parts,
     .part_count = 1},
    {.name = "many", .parent = HK_MAP_NONE, .copies = 10, .parts = second_parts, .part_count = 1},
};
static const hk_world_spec spec = {.name = "w",
                                   .types = types,
                                   .type_count = 3,
                                   .systems = systems,
                                   .system_count = 3,
                                   .entities = entities,
                                   .entity_count = 4};

/* ---- one that runs */

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    const hk_info *info;
    hk_unit *unit;
    hk_step_call step;
    double t;
} fixture;

static void *at(const fixture *f, const char *name) {
    uint32_t index = hk_info_find(f->info, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return f->info->unit_class->address(f->unit, index);
}

static double real(const fixture *f, const char *name) {
    return *(double *)at(f, name);
}

static void set_is(const fixture *f, const char *name, int64_t value) {
    *(int64_t *)at(f, name) = value;
}

static void give(fixture *f, const char *name, double value) {
    const hk_value v = {HK_TYPE_F64, 1, &value};
    assert_int_equal(
        f->info->unit_class->set_start(f->ctx, f->unit, hk_info_find(f->info, name), &v), HK_OK);
}

static int go(fixture *f, int steps) {
    int code = HK_STEP_OK;
    for (int i = 0; i < steps && code == HK_STEP_OK; i++, f->t += 0.5)
        code = f->step.fn.plain(f->step.self, f->t, 0.5);
    return code;
}

static int set_up(void **state) {
    static fixture f;
    const hk_unit_options options = {.name = "w"};
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("m", NULL)};
    assert_int_equal(hk_world_info(f.ctx, f.model, &spec, &f.info), HK_OK);
    assert_ptr_equal(hk_world_of(f.info), &spec);
    const hk_unit_class *class = f.info->unit_class;
    assert_int_equal(class->open(f.ctx, f.info, &options, &f.unit), HK_OK);
    give(&f, "first.Body.z", 10);
    give(&f, "first.Body.v", 3);
    give(&f, "many.Body.z", -5);
    assert_int_equal(class->enter_init(f.ctx, f.unit), HK_OK);
    class->bind_step(f.unit, &f.step);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    f->info->unit_class->close(f->unit);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    return 0;
}

static void fields_are_ports(void **state) {
    fixture *f = *state;
    assert_true(real(f, "first.Body.z") == 10);
    assert_int_equal(go(f, 4), HK_STEP_OK);
    assert_true(real(f, "first.Body.z") == 14);
    assert_true(real(f, "second.Body.z") == 4);
    assert_true(real(f, "third.Body.z") == 0);
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 12);
    *(double *)at(f, "Mover.gain") = 4;
    assert_int_equal(go(f, 1), HK_STEP_OK);
    assert_true(real(f, "first.Body.z") == 16);
}

static void what_goes_keeps_its_values_and_has_them_when_it_comes(void **state) {
    fixture *f = *state;
    go(f, 2);
    set_is(f, "first.is", 0);
    go(f, 2);
    assert_true(real(f, "first.Body.z") == 12 && real(f, "second.Body.z") == 2);
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 10); /* the child went, too */
    set_is(f, "first.is", 1);
    set_is(f, "third.is", 1);
    go(f, 1);
    assert_true(real(f, "first.Body.z") == 13 && real(f, "second.Body.z") == 3);
    assert_true(real(f, "third.Body.z") == 1);
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 13);
}

static void a_change_keeps_fields_of_equal_name_type_and_unit(void **state) {
    fixture *f = *state;
    go(f, 2);
    set_is(f, "first.is", 2);
    go(f, 1);
    assert_true(real(f, "first.Float.v") == 3);
    assert_true(real(f, "first.Float.depth") == 7);
    assert_true(*(float *)at(f, "first.Float.z") == 0); /* of another type */
    assert_true(real(f, "first.Body.z") == 12);         /* as it was last */
    set_is(f, "first.is", 1);
    go(f, 1);
    assert_true(real(f, "first.Body.z") == 13 && real(f, "first.Body.v") == 3);
    set_is(f, "first.is", 3);
    assert_int_not_equal(go(f, 1), HK_STEP_OK);
    hk_stepped stepped;
    assert_int_equal(f->info->unit_class->step_failed(f->ctx, f->unit, 3, f->t, 0.5, &stepped),
                     HK_E_UNIT_FAILED);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "3 is not something that entity 'first'"));
}

static void systems_come_and_go_and_have_rates(void **state) {
    fixture *f = *state;
    *(bool *)at(f, "Slow.active") = true;
    *(bool *)at(f, "Mover.active") = false;
    go(f, 7); /* at 0, 3 and 6, by three steps each */
    assert_int_equal(*(int64_t *)at(f, "Slow.acts"), 3);
    assert_int_equal(*(int64_t *)at(f, "Mover.acts"), 0);
    assert_true(real(f, "first.Body.z") == 10 + 3 * 2 * 1.5);
}

static void systems_make_and_remove(void **state) {
    fixture *f = *state;
    *(bool *)at(f, "Maker.active") = true;
    go(f, 2);
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 24);
    go(f, 2); /* "second" goes with its child */
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 22);
    assert_int_equal(*(int64_t *)at(f, "second.is"), 0);
    set_is(f, "second.is", 1);
    go(f, 1);
    assert_int_equal(*(int64_t *)at(f, "Mover.seen"), 23);
}

static void states_go_on_alike(void **state) {
    fixture *f = *state;
    const hk_unit_class *class = f->info->unit_class;
    void *kept = NULL, *loaded = NULL, *again = NULL;
    char *bytes, *other;
    size_t size, other_size;
    *(bool *)at(f, "Maker.active") = true;
    go(f, 1);
    set_is(f, "first.is", 2);
    go(f, 1);
    assert_int_equal(class->state_get(f->ctx, f->unit, &kept), HK_OK);
    assert_int_equal(class->state_save(f->ctx, f->unit, kept, &bytes, &size), HK_OK);
    set_is(f, "first.is", 1);
    go(f, 5);
    double z = real(f, "first.Body.z");
    int64_t seen = *(int64_t *)at(f, "Mover.seen");
    for (int round = 0; round < 2; round++) {
        if (round)
            assert_int_equal(class->state_load(f->ctx, f->unit, bytes, size, &loaded), HK_OK);
        assert_int_equal(class->state_set(f->ctx, f->unit, round ? loaded : kept), HK_OK);
        assert_int_equal(class->state_get(f->ctx, f->unit, &again), HK_OK);
        assert_int_equal(class->state_save(f->ctx, f->unit, again, &other, &other_size), HK_OK);
        assert_int_equal(other_size, size);
        assert_memory_equal(other, bytes, size);
        hk_free(other);
        set_is(f, "first.is", 1);
        go(f, 5);
        assert_true(real(f, "first.Body.z") == z);
        assert_int_equal(*(int64_t *)at(f, "Mover.seen"), seen);
    }
    for (size_t cut = 0; cut < size; cut += 7) /* whatever is in a file, nothing breaks */
        assert_int_equal(class->state_load(f->ctx, f->unit, bytes, cut, &again), HK_E_STATE_FILE);
    class->state_free(f->unit, kept);
    class->state_free(f->unit, loaded);
    class->state_free(f->unit, again);
    hk_free(bytes);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(fields_are_ports),
        TEST(what_goes_keeps_its_values_and_has_them_when_it_comes),
        TEST(a_change_keeps_fields_of_equal_name_type_and_unit),
        TEST(systems_come_and_go_and_have_rates),
        TEST(systems_make_and_remove),
        TEST(states_go_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
