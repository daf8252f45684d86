/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "base/fpenv.h"
#include "format/sha256.h"
#include "native/native.h"
#include "native/plugin_note.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static void test_loads_once(void **state) {
    fixture *f = *state;
    const hk_info *first = NULL, *second = NULL;
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", "counter", &first),
                     HK_OK);
    size_t owned = f->model->owned_count;
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", "counter", &second),
                     HK_OK);
    assert_ptr_equal(first, second);
    /* The only type needs no name. */
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/good.so", NULL, &second), HK_OK);
    assert_ptr_equal(first, second);
    assert_int_equal(f->model->owned_count, owned);
    assert_non_null(strstr(first->file, "good.so"));
    hk_unit_options options = {.name = "c"};
    hk_unit *unit = NULL;
    hk_step_call step;
    assert_int_equal(first->unit_class->open(f->ctx, first, &options, &unit), HK_OK);
    unit->unit_class->bind_step(unit, &step);
    step.fn.plain(step.self, 0.0, 1.0);
    assert_int_equal(*(int32_t *)unit->unit_class->address(unit, 0), 1);
    unit->unit_class->close(unit);
}

static void test_restores_the_floating_point_environment(void **state) {
    fixture *f = *state;
    const hk_info *info = NULL;
    uint64_t before = hk_fpenv_read();
    assert_int_equal(hk_plugin_info(f->ctx, f->model, PLUGIN_DIR "/rounding.so", "counter", &info),
                     HK_OK);
    assert_true(hk_fpenv_read() == before);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "rounding"));
}

/* What cmake/package/hocketNote.cmake has put there, as this build compiles the plugin. */
static void test_carries_a_note(void **state) {
    fixture *f = *state;
    hk_arena *arena = f->model->arena;
    const hk_plugin_note *note = NULL;
    assert_int_equal(hk_plugin_note_read(f->ctx, arena, PLUGIN_DIR "/good.so", &note), HK_OK);
    assert_non_null(note);
    assert_int_equal(note->source_count, 1);
    assert_string_equal(note->sources[0].name, "plugin.c");
    assert_non_null(strstr(note->folder, "tests/plugins"));
    assert_non_null(strstr(note->flags, "-ffp-contract=off"));
    assert_null(hk_plugin_note_difference(arena, note));
    assert_int_equal(note->header_count, 0);
    bool defined = false, included = false;
    for (size_t i = 0; i < note->define_count; i++)
        defined |= strcmp(note->defines[i], "PLUGIN_GOOD") == 0;
    for (size_t i = 0; i < note->hocket_count; i++)
        included |= strcmp(note->hocket[i].name, "hk/unit.h") == 0;
    assert_true(defined && included);
    const char *path = hk_path_join(arena, note->folder, "plugin.c");
    char *data = NULL, hex[65];
    size_t size = 0;
    assert_int_equal(hk_file_read(f->ctx, path, 0, &data, &size), HK_OK);
    hk_sha256_hex(data, size, hex);
    hk_free(data);
    assert_string_equal(note->sources[0].sha256, hex);
}

static void test_may_carry_none(void **state) {
    fixture *f = *state;
    const hk_plugin_note *note = NULL;
    const char *missing = PLUGIN_DIR "/missing.so";
    assert_int_equal(hk_plugin_note_read(f->ctx, f->model->arena, "/proc/self/exe", &note), HK_OK);
    assert_null(note);
    assert_int_equal(hk_plugin_note_read(f->ctx, f->model->arena, __FILE__, &note),
                     hk_file_exists(__FILE__) ? HK_OK : HK_E_FILE_READ);
    assert_null(note);
    assert_int_equal(hk_plugin_note_read(f->ctx, f->model->arena, missing, &note), HK_E_FILE_READ);
}

static void refuse(fixture *f, const char *file, const char *type, const char *text,
                   const char *hint) {
    const hk_info *info = NULL;
    const char *path = hk_arena_printf(f->model->arena, "%s/%s", PLUGIN_DIR, file);
    assert_int_equal(hk_plugin_info(f->ctx, f->model, path, type, &info), HK_E_PLUGIN);
    assert_null(info);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_non_null(strstr(diag->where.file, file));
    if (!strstr(diag->text, text))
        fail_msg("'%s' does not say '%s'", diag->text, text);
    if (hint)
        assert_non_null(strstr(diag->hint, hint));
}

static void test_refused(void **state) {
    fixture *f = *state;
    refuse(f, "missing.so", "counter", "cannot be loaded", NULL);
    refuse(f, "none.so", "counter", "does not export hk_plugin", "define hk_plugin()");
    refuse(f, "null.so", "counter", "returned NULL", NULL);
    refuse(f, "abi.so", "counter", "ABI", "build it again");
    refuse(f, "good.so", "countr", "no type called 'countr'", "'counter'");
    refuse(f, "good.so", "pump", "no type called 'pump'", "it offers: counter");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_loads_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_restores_the_floating_point_environment, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_carries_a_note, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_may_carry_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
