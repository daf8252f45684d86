/* SPDX-License-Identifier: MIT
 *
 * What a component obtains outside of its struct, and its words for a failure. */
#include "native/native.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct reader {
    double y;
    hk_resource file;
    char why[32];
} reader;

static int released;

static int reader_step(void *self, double t, double h) {
    reader *x = self;
    (void)h;
    if (!x->file.data)
        x->file.data = strdup(x->file.folder);
    x->y += 1;
    if (t < 1)
        return HK_STEP_OK;
    strcpy(x->why, "the file ends");
    return HK_STEP_FAILED;
}

static void reader_release(void *data) {
    released++;
    free(data);
}

static const char *reader_complaint(const void *self) {
    return ((const reader *)self)->why;
}

static const hk_port reader_ports[] = {HK_PORT(reader, y, HK_OUTPUT, HK_TYPE_F64)};
static const hk_resource_field reader_file = {offsetof(reader, file), reader_release};
static const hk_unit_type reader_type = {
    HK_UNIT_TYPE(reader), .ports = reader_ports,         .port_count = 1,
    .step = reader_step,  .complaint = reader_complaint, .resource = &reader_file};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("model", NULL);
    released = 0;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    free(f);
    return 0;
}

static hk_unit *open_reader(fixture *f, const char *folder) {
    const hk_info *info = NULL;
    assert_int_equal(hk_native_info(f->ctx, f->model, &reader_type, &info), HK_OK);
    hk_unit *unit = NULL;
    hk_unit_options options = {.name = "r", .folder = folder};
    assert_int_equal(info->unit_class->open(f->ctx, info, &options, &unit), HK_OK);
    assert_int_equal(info->unit_class->enter_init(f->ctx, unit), HK_OK);
    return unit;
}

/* Who takes a state over keeps what it has obtained itself; the bytes of a state hold no address.
 */
static void test_not_part_of_the_state(void **state) {
    fixture *f = *state;
    hk_unit *one = open_reader(f, "here"), *other = open_reader(f, "there");
    const hk_unit_class *class = one->unit_class;
    reader *x = class->address(one, 0), *y = class->address(other, 0);
    reader_step(x, 0, 1);
    void *kept = NULL, *read = NULL;
    char *data = NULL, *again = NULL;
    size_t size = 0;
    assert_int_equal(class->state_get(f->ctx, one, &kept), HK_OK);
    assert_int_equal(class->state_save(f->ctx, one, kept, &data, &size), HK_OK);
    assert_int_equal(class->state_load(f->ctx, other, data, size, &read), HK_OK);
    assert_int_equal(class->state_set(f->ctx, other, read), HK_OK);
    assert_true(y->y == 1);
    assert_null(y->file.data);
    assert_string_equal(y->file.folder, "there");
    reader_step(y, 0, 1);
    assert_string_equal(y->file.data, "there");
    assert_int_equal(class->state_set(f->ctx, one, kept), HK_OK);
    assert_string_equal(x->file.data, "here");
    size_t same = 0;
    class->state_free(other, read);
    class->state_free(one, kept);
    kept = NULL;
    y->y = 1;
    assert_int_equal(class->state_get(f->ctx, other, &kept), HK_OK);
    assert_int_equal(class->state_save(f->ctx, other, kept, &again, &same), HK_OK);
    assert_int_equal(same, size);
    assert_memory_equal(again, data, size);
    class->state_free(other, kept);
    hk_free(data);
    hk_free(again);
    class->close(one);
    class->close(other);
    assert_int_equal(released, 2);
}

static void test_released_only_if_obtained(void **state) {
    fixture *f = *state;
    hk_unit *unit = open_reader(f, "here");
    unit->unit_class->close(unit);
    assert_int_equal(released, 0);
}

static void test_complaint(void **state) {
    fixture *f = *state;
    hk_unit *unit = open_reader(f, "here");
    reader *x = unit->unit_class->address(unit, 0);
    assert_int_equal(reader_step(x, 2, 1), HK_STEP_FAILED);
    hk_stepped end;
    assert_int_equal(unit->unit_class->step_failed(f->ctx, unit, HK_STEP_FAILED, 2, 1, &end),
                     HK_E_UNIT_FAILED);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "component 'r': step returned 3 at t = 2 s: the file ends");
    unit->unit_class->close(unit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_not_part_of_the_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_released_only_if_obtained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_complaint, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
