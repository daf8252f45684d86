/* SPDX-License-Identifier: MIT
 *
 * Which files the sources of components name. */
#include "ssp/ssp_rig.h"

static void test_sources(void **state) {
    fixture *f = *state;
    static const struct {
        const char *source, *message;
        hk_status code;
    } bad[] = {
        {"C:/plant.fmu", "names a drive of Windows", HK_E_SSP},
        {"C:\\plant.fmu", "names a drive of Windows", HK_E_SSP},
        {"file://ship.example/plant.fmu", "names a machine", HK_E_SSP},
        {"a/../..", "the file '..' does not exist", HK_E_FILE_READ},
        {"resources/", "names no file", HK_E_SSP},
        {"http://example.org/plant.fmu", "uses the scheme 'http:'", HK_E_SSP},
        {"plant%zz.fmu", "has a '%' without two", HK_E_SSP},
        {"plant%00.fmu", "has a '%' without two", HK_E_SSP},
        {"", "names no file", HK_E_SSP},
        {"plant.fmu#x", "an FMU has no parts", HK_E_SSP},
        {"plant2.fmu", "the file 'plant2.fmu' does not exist", HK_E_FILE_READ},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *text = hk_arena_printf(f->arena,
                                           SYSTEM "<ssd:Elements><ssd:Component name=\"a\" "
                                                  "source=\"%s\"/></ssd:Elements>" TAIL,
                                           bad[i].source);
        expect_fail(f, text, bad[i].code, bad[i].message);
    }
    hk_ctx_clear(f->ctx);
    expect_ok(f,
              SYSTEM "<ssd:Elements><ssd:Component name=\"a\" source=\"file:./pl%61nt.fmu\"/>"
                     "<ssd:Component name=\"p\" source=\"plant.fmu#Type\""
                     " type=\"application/x-hocket-plugin\"/></ssd:Elements>" TAIL,
              0);
    assert_int_equal(f->model->component_count, 2);
}

/* A loose file names others as its owner keeps them: detours, folders above, the root. */
static void test_ways(void **state) {
    fixture *f = *state;
    const char *name = hk_path_name(f->folder);
    const char *const ways[] = {
        "x/../plant.fmu",
        "./x//y/.././../plant.fmu",
        "file:plant.fmu",
        "x\\..\\plant.fmu",
        hk_arena_printf(f->arena, "../%s/plant.fmu", name),
        hk_arena_printf(f->arena, "%s/plant.fmu", f->folder),
        hk_arena_printf(f->arena, "file://%s/plant.fmu", f->folder),
        hk_arena_printf(f->arena, "file://localhost%s/plant.fmu", f->folder)};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        hk_ctx_clear(f->ctx);
        hk_model_destroy(f->model);
        f->model = NULL;
        expect_ok(f,
                  hk_arena_printf(f->arena,
                                  SYSTEM "<ssd:Elements><ssd:Component name=\"a\" "
                                         "source=\"%s\"/></ssd:Elements>" TAIL,
                                  ways[i]),
                  strchr(ways[i], '\\') != NULL);
    }
}

/* A package holds what it needs. */
static void test_ways_in_a_package(void **state) {
    fixture *f = *state;
    static const struct {
        const char *source, *message;
    } rows[] = {{"../plant.fmu", "leaves the folder of the system"},
                {"x/%2e%2E/../plant.fmu", "leaves the folder of the system"},
                {"x\\..\\..\\plant.fmu", "leaves the folder of the system"},
                {"/plant.fmu", "is absolute"},
                {"\\plant.fmu", "is absolute"},
                {"file:///plant.fmu", "is absolute"},
                {"x/../plant.fmu", NULL}};
    const char *path = hk_path_join(f->arena, f->folder, "s.ssp");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = hk_arena_printf(f->arena,
                                           SYSTEM "<ssd:Elements><ssd:Component name=\"a\" "
                                                  "source=\"%s\"/></ssd:Elements>" TAIL,
                                           rows[i].source);
        const hk_zip_item items[] = {
            {.name = "SystemStructure.ssd", .data = text, .size = strlen(text)},
            {.name = "plant.fmu", .data = "", .size = 0}};
        assert_int_equal(hk_zip_write(f->ctx, path, items, 2), HK_OK);
        hk_status status =
            hk_ssp_read_with(f->ctx, path, &(hk_ssp_options){0}, &doubles, &f->model);
        assert_int_equal(status, rows[i].message ? HK_E_SSP : HK_OK);
        if (rows[i].message)
            find_diag(f, rows[i].message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_sources),
        TEST(test_ways),
        TEST(test_ways_in_a_package),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
