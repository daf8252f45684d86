/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/rescale.h"
#include "model/unit.h"

#include <math.h>
#include <string.h>

/* A component with a temperature in K, two lengths in m and a number, reached by calls. */
enum { TEMPERATURE, LENGTHS, SMALL, PLAIN, VARIABLES };

typedef struct tank {
    hk_unit base;
    double values[5]; /* temperature, two lengths, an unused one, the plain number */
    float small;
    int closed;
} tank;

static tank instance;

static hk_status tank_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                           hk_unit **ret_unit) {
    (void)ctx;
    instance =
        (tank){.base = {.unit_class = info->unit_class, .info = info, .name = options->name}};
    *ret_unit = &instance.base;
    return HK_OK;
}

static void tank_close(hk_unit *unit) {
    ((tank *)unit)->closed++;
}

static double *place_of(tank *t, uint32_t variable) {
    static const size_t places[] = {[TEMPERATURE] = 0, [LENGTHS] = 1, [PLAIN] = 4};
    return &t->values[places[variable]];
}

static hk_status tank_set_start(hk_ctx *ctx, hk_unit *unit, uint32_t variable,
                                const hk_value *value) {
    (void)ctx;
    memcpy(place_of((tank *)unit, variable), value->data, value->count * sizeof(double));
    return HK_OK;
}

static int tank_get(void *self, const uint32_t *refs, size_t n, void *values) {
    tank *t = self;
    double *to = values;
    if (n == 1 && refs[0] == SMALL) {
        *(float *)values = t->small;
        return HK_UNIT_OK;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < t->base.info->variables[refs[i]].count; k++)
            *to++ = place_of(t, refs[i])[k];
    return HK_UNIT_OK;
}

static int tank_set(void *self, const uint32_t *refs, size_t n, void *values, size_t count) {
    tank *t = self;
    const double *from = values;
    assert_int_equal(count, 4);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < t->base.info->variables[refs[i]].count; k++)
            place_of(t, refs[i])[k] = *from++;
    return HK_UNIT_OK;
}

static hk_status tank_bind_get(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                               void *values, hk_call *ret_call) {
    (void)ctx;
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS,
                          .fn.refs = tank_get,
                          .self = unit,
                          .refs = variables,
                          .n = n,
                          .values = values,
                          .name = "tank_get"};
    return HK_OK;
}

static hk_status tank_bind_set(hk_ctx *ctx, hk_unit *unit, const uint32_t *variables, size_t n,
                               void *values, hk_call *ret_call) {
    (void)ctx;
    *ret_call = (hk_call){.shape = HK_SHAPE_REFS_SIZED,
                          .fn.refs_sized = tank_set,
                          .self = unit,
                          .refs = variables,
                          .n = n,
                          .values = values,
                          .value_count = 4,
                          .name = "tank_set"};
    return HK_OK;
}

static hk_status tank_resize(hk_ctx *ctx, const hk_info *info, const uint32_t *variables,
                             const hk_value *values, size_t n, const hk_info **ret_info) {
    static double starts[] = {1, 2, 3};
    static hk_variable resized[VARIABLES];
    static hk_info other;
    (void)ctx;
    (void)variables;
    (void)values;
    (void)n;
    memcpy(resized, info->variables, sizeof resized);
    resized[LENGTHS].count = 3;
    resized[LENGTHS].start = (hk_value){HK_TYPE_F64, 3, starts};
    other = *info;
    other.variables = resized;
    *ret_info = &other;
    return HK_OK;
}

static const hk_unit_class tank_class = {.open = tank_open,
                                         .close = tank_close,
                                         .set_start = tank_set_start,
                                         .bind_get = tank_bind_get,
                                         .bind_set = tank_bind_set,
                                         .resize = tank_resize};

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_uom kelvin, metre, celsius, centimetre;
    hk_variable own[VARIABLES];
    hk_info info, told;
    hk_scale scales[VARIABLES];
    hk_unit *unit;
} fixture;

static double starts[] = {0.5, 1.5};

static int set_up(void **state) {
    static fixture f;
    f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_true(hk_uom_parse("K", &f.kelvin) && hk_uom_parse("degC", &f.celsius));
    assert_true(hk_uom_parse("m", &f.metre) && hk_uom_parse("cm", &f.centimetre));
    hk_variable none = {
        .type = HK_TYPE_F64, .count = 1, .min = (double)NAN, .max = (double)NAN, .nominal = 2};
    for (size_t i = 0; i < VARIABLES; i++)
        f.own[i] = none;
    f.own[TEMPERATURE].unit = "K";
    f.own[TEMPERATURE].uom = &f.kelvin;
    f.own[TEMPERATURE].min = 0;
    f.own[LENGTHS].unit = f.own[SMALL].unit = "m";
    f.own[LENGTHS].uom = f.own[SMALL].uom = &f.metre;
    f.own[LENGTHS].count = 2;
    f.own[LENGTHS].max = 3;
    f.own[LENGTHS].start = (hk_value){HK_TYPE_F64, 2, starts};
    f.own[SMALL].type = HK_TYPE_F32;
    f.own[SMALL].store = HK_STORE_F32;
    f.info = (hk_info){
        .name = "tank", .variables = f.own, .variable_count = VARIABLES, .unit_class = &tank_class};
    f.told = f.info;
    f.told.variables = HK_NEW_ARRAY(f.arena, hk_variable, VARIABLES);
    memcpy(f.told.variables, f.own, sizeof f.own);
    hk_variable *v = f.told.variables;
    assert_true(
        hk_variable_rescale(f.arena, &v[TEMPERATURE], "degC", &f.celsius, &f.scales[TEMPERATURE]));
    assert_true(hk_variable_rescale(f.arena, &v[LENGTHS], "cm", &f.centimetre, &f.scales[LENGTHS]));
    assert_true(hk_variable_rescale(f.arena, &v[SMALL], "cm", &f.centimetre, &f.scales[SMALL]));
    hk_info_rescale(f.arena, &f.told, &f.info, f.scales);
    assert_int_equal(
        f.told.unit_class->open(f.ctx, &f.told, &(hk_unit_options){.name = "t"}, &f.unit), HK_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    f->unit->unit_class->close(f->unit);
    assert_int_equal(instance.closed, 1);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    return 0;
}

static void near(double have, double want) {
    if (!(fabs(have - want) < 1e-9 * (1 + fabs(want))))
        fail_msg("%.17g, expected %.17g", have, want);
}

static void descriptions(void **state) {
    fixture *f = *state;
    const hk_variable *v = f->told.variables;
    assert_string_equal(v[TEMPERATURE].unit, "degC");
    near(v[TEMPERATURE].min, -273.15);
    assert_true(isnan(v[TEMPERATURE].max));
    near(v[LENGTHS].max, 300);
    near(v[LENGTHS].nominal, 200);
    near(((double *)v[LENGTHS].start.data)[1], 150);
    assert_string_equal(f->own[LENGTHS].unit, "m");
    hk_variable other = f->own[LENGTHS];
    hk_scale scale;
    assert_false(hk_variable_rescale(f->arena, &other, "K", &f->kelvin, &scale));
    assert_true(hk_variable_rescale(f->arena, &other, "m", &f->metre, &scale));
    assert_false(scale.used);
}

static int call(const hk_call *c, void *values) {
    return c->shape == HK_SHAPE_REFS
               ? c->fn.refs(c->self, c->refs, c->n, values)
               : c->fn.refs_sized(c->self, c->refs, c->n, values, c->value_count);
}

static void values(void **state) {
    fixture *f = *state;
    const hk_unit_class *k = f->unit->unit_class;
    static const uint32_t three[] = {TEMPERATURE, LENGTHS, PLAIN};
    double given[] = {20, 100, 250, 7}, got[4], temperature = 30;
    hk_call set, get;
    assert_int_equal(k->bind_set(f->ctx, f->unit, three, 3, given, &set), HK_OK);
    assert_int_equal(call(&set, set.values), HK_UNIT_OK);
    near(instance.values[0], 293.15);
    near(instance.values[1], 1);
    near(instance.values[2], 2.5);
    near(instance.values[4], 7);
    near(given[0], 20); /* they are not ours to change */
    assert_int_equal(k->bind_get(f->ctx, f->unit, three, 3, got, &get), HK_OK);
    assert_int_equal(call(&get, get.values), HK_UNIT_OK);
    for (size_t i = 0; i < 4; i++)
        near(got[i], given[i]);
    hk_value start = {HK_TYPE_F64, 1, &temperature};
    assert_int_equal(k->set_start(f->ctx, f->unit, TEMPERATURE, &start), HK_OK);
    near(instance.values[0], 303.15);
    /* Single precision, and a call for what is reported as it is, which is passed on untouched. */
    static const uint32_t small[] = {SMALL}, plain[] = {PLAIN};
    float length;
    instance.small = 0.5f;
    assert_int_equal(k->bind_get(f->ctx, f->unit, small, 1, &length, &get), HK_OK);
    assert_int_equal(call(&get, get.values), HK_UNIT_OK);
    near((double)length, 50);
    assert_int_equal(k->bind_get(f->ctx, f->unit, plain, 1, got, &get), HK_OK);
    assert_ptr_equal(get.self, &instance);
}

static void sizes(void **state) {
    fixture *f = *state;
    const hk_info *other;
    assert_int_equal(f->told.unit_class->resize(f->ctx, &f->told, NULL, NULL, 0, &other), HK_OK);
    const hk_variable *v = &other->variables[LENGTHS];
    assert_int_equal(v->count, 3);
    assert_string_equal(v->unit, "cm");
    near(((double *)v->start.data)[2], 300);
    near(v->max, 300);
    assert_ptr_not_equal(other->unit_class, &tank_class);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(descriptions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
