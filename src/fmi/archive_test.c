/* SPDX-License-Identifier: MIT
 *
 * The cache of unpacked FMUs, platforms, URIs. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/file.h"
#include "fmi/fmu.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static hk_ctx *ctx;
static hk_arena *arena;
static const char *home; /* of the cache */

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    assert_int_equal(hk_folder_temporary(ctx, arena, &home), HK_OK);
    setenv("XDG_CACHE_HOME", home, 1);
    unsetenv("HK_NO_CACHE");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_folder_remove(home);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

static hk_fmu *open_probe(void) {
    hk_fmu *fmu;
    assert_int_equal(hk_fmu_open(ctx, HK_FMU_DIR "/probe.fmu", &fmu), HK_OK);
    return fmu;
}

static size_t count_entries(const char *folder) {
    DIR *dir = opendir(folder);
    size_t count = 0;
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
        count += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return count;
}

static void test_survey(void **state) {
    (void)state;
    hk_fmu *fmu = open_probe();
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    assert_int_equal(facts->platform_count, 1);
    assert_true(facts->has_resources && !facts->has_sources);
    assert_int_equal(count_entries(home), 0); /* opening unpacks nothing */
    hk_fmu_close(fmu);
}

static void test_cache(void **state) {
    (void)state;
    hk_fmu *fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    const char *folder = hk_arena_strdup(arena, fmu->folder);
    assert_int_equal(strncmp(folder, home, strlen(home)), 0);
    const char *note = hk_path_join(arena, folder, "resources/note.txt");
    assert_true(hk_file_exists(note));
    hk_fmu_close(fmu);
    assert_true(hk_file_exists(note)); /* the cache stays */

    /* the second time the same folder serves, untouched */
    const char *extra = hk_path_join(arena, folder, "extra");
    assert_int_equal(hk_file_write(ctx, extra, "x", 1), HK_OK);
    fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    assert_string_equal(fmu->folder, folder);
    assert_true(hk_file_exists(extra));
    hk_fmu_close(fmu);

    /* a damaged one is replaced */
    assert_int_equal(hk_file_write(ctx, note, "cut", 3), HK_OK);
    fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    assert_false(hk_file_exists(extra));
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(ctx, note, 0, &data, &size), HK_OK);
    assert_string_equal(data, "A resource of the probe.\n");
    hk_free(data);
    hk_fmu_close(fmu);
    assert_int_equal(count_entries(hk_path_folder(arena, folder)), 1); /* nothing left behind */
}

/* Many processes unpack the same FMU at the same time. */
static void test_concurrent(void **state) {
    (void)state;
    enum { PROCESSES = 8 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            hk_fmu *fmu;
            bool good = hk_fmu_open(ctx, HK_FMU_DIR "/probe.fmu", &fmu) == HK_OK &&
                        hk_fmu_unpack(ctx, fmu) == HK_OK &&
                        hk_file_exists(hk_path_join(arena, fmu->folder, "modelDescription.xml"));
            _exit(good ? 0 : 1);
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_entries(hk_path_join(arena, home, "hocket/fmu")), 1);
}

static void test_private(void **state) {
    (void)state;
    setenv("HK_NO_CACHE", "1", 1);
    hk_fmu *fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    const char *folder = hk_arena_strdup(arena, fmu->folder);
    assert_true(hk_folder_exists(folder));
    hk_fmu_close(fmu);
    assert_false(hk_folder_exists(folder));
    assert_int_equal(count_entries(home), 0);
}

/* A cache that cannot be written is no obstacle. */
static void test_no_cache_possible(void **state) {
    (void)state;
    const char *file = hk_path_join(arena, home, "file");
    assert_int_equal(hk_file_write(ctx, file, "", 0), HK_OK);
    setenv("XDG_CACHE_HOME", file, 1);
    hk_fmu *fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, fmu), HK_OK);
    assert_true(fmu->folder_private);
    hk_fmu_close(fmu);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
}

static void test_foreign_platform(void **state) {
    (void)state;
    static const char description[] =
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
        "modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/></fmiModelDescription>";
    const hk_zip_item items[] = {
        {.name = "modelDescription.xml", .data = description, .size = sizeof description - 1},
        {.name = "binaries/win64/m.dll", .data = "x", .size = 1},
        {.name = "binaries/darwin64/m.dylib", .data = "x", .size = 1},
        {.name = "binaries/win64/other.dll", .data = "x", .size = 1}};
    const char *path = hk_path_join(arena, home, "foreign.fmu");
    assert_int_equal(hk_zip_write(ctx, path, items, 4), HK_OK);
    hk_fmu *fmu;
    assert_int_equal(hk_fmu_open(ctx, path, &fmu), HK_OK);
    const hk_info *info = hk_fmu_info(fmu);
    hk_unit *unit = NULL;
    assert_int_equal(info->unit_class->open(ctx, info, &(hk_unit_options){.name = "a"}, &unit),
                     HK_E_FMI_UNSUPPORTED);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "win64, darwin64"));
    hk_fmu_close(fmu);
}

static void test_no_description(void **state) {
    (void)state;
    const hk_zip_item item = {.name = "m/modelDescription.xml", .data = "x", .size = 1};
    const char *path = hk_path_join(arena, home, "nested.fmu");
    assert_int_equal(hk_zip_write(ctx, path, &item, 1), HK_OK);
    hk_fmu *fmu = NULL;
    assert_int_equal(hk_fmu_open(ctx, path, &fmu), HK_E_FMI_DESCRIPTION);
    assert_null(fmu);
    assert_int_not_equal(hk_fmu_open(ctx, "/nonexistent.fmu", &fmu), HK_OK);
}

static void test_damaged_library(void **state) {
    (void)state;
    static const char description[] =
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"><CoSimulation "
        "modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/></fmiModelDescription>";
    hk_fmu *probe = open_probe();
    const char *library =
        hk_arena_printf(arena, "binaries/%s/m.so", hk_fmu_get_facts(probe)->platforms[0]);
    hk_fmu_close(probe);
    const hk_zip_item items[] = {
        {.name = "modelDescription.xml", .data = description, .size = sizeof description - 1},
        {.name = library, .data = "this is no library", .size = 18}};
    const char *path = hk_path_join(arena, home, "damaged.fmu");
    assert_int_equal(hk_zip_write(ctx, path, items, 2), HK_OK);
    hk_fmu *fmu;
    assert_int_equal(hk_fmu_open(ctx, path, &fmu), HK_OK);
    const hk_info *info = hk_fmu_info(fmu);
    hk_unit *unit = NULL;
    assert_int_equal(info->unit_class->open(ctx, info, &(hk_unit_options){.name = "a"}, &unit),
                     HK_E_FMU_LOAD);
    hk_fmu_close(fmu);
}

static void test_uri(void **state) {
    (void)state;
    assert_string_equal(hk_fmu_uri(arena, "/a/b-c_d.e~f/resources"),
                        "file:///a/b-c_d.e~f/resources");
    assert_string_equal(hk_fmu_uri(arena, "/a b#c?d%e{f}/ü"),
                        "file:///a%20b%23c%3Fd%25e%7Bf%7D/%C3%BC");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(survey),
        TEST(cache),
        TEST(concurrent),
        TEST(private),
        TEST(foreign_platform),
        TEST(no_cache_possible),
        TEST(no_description),
        TEST(damaged_library),
        TEST(uri),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
