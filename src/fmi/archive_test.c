/* SPDX-License-Identifier: MIT
 *
 * The cache of unpacked FMUs, platforms, URIs. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/file.h"
#include "fmi/cache.h"
#include "fmi/fmu.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

/* Opens and unpacks the probe; its entry of the cache. */
static const char *unpack_probe(hk_fmu **ret_fmu) {
    *ret_fmu = open_probe();
    assert_int_equal(hk_fmu_unpack(ctx, *ret_fmu), HK_OK);
    return (*ret_fmu)->kept ? hk_arena_strdup(arena, (*ret_fmu)->kept) : NULL;
}

static const char *read_text(const char *folder, const char *name) {
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(ctx, hk_path_join(arena, folder, name), 0, &data, &size), HK_OK);
    const char *text = hk_arena_strdup(arena, data);
    hk_free(data);
    return text;
}

static void test_cache(void **state) {
    (void)state;
    hk_fmu *fmu;
    const char *kept = unpack_probe(&fmu);
    assert_int_equal(strncmp(kept, home, strlen(home)), 0);
    const char *library;
    assert_int_equal(hk_fmu_binary(ctx, fmu, arena, &library), HK_OK);
    char *real = realpath(library, NULL); /* the private folder has links to it only */
    assert_int_equal(strncmp(real, kept, strlen(kept)), 0);
    hk_fmu_close(fmu);
    assert_true(hk_file_exists(real)); /* the cache stays */
    free(real);

    /* the second time the same folder serves, untouched */
    struct stat before, after;
    assert_int_equal(stat(kept, &before), 0);
    assert_string_equal(unpack_probe(&fmu), kept);
    assert_int_equal(stat(kept, &after), 0);
    assert_true(before.st_ino == after.st_ino);
    hk_fmu_close(fmu);
    assert_int_equal(count_entries(hk_path_folder(arena, kept)), 1); /* nothing left behind */
}

static void flip_byte(const char *path, size_t at) {
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    assert_true(at < size);
    data[at] ^= 1;
    FILE *out = fopen(path, "w"); /* in place, with the same length */
    assert_int_equal(fwrite(data, 1, size, out), size);
    fclose(out);
    hk_free(data);
}

/* What is not what the archive holds is replaced, also where its length is the same. */
static void test_changed_contents(void **state) {
    (void)state;
    hk_fmu *fmu;
    const char *kept = unpack_probe(&fmu), *path;
    assert_int_equal(hk_fmu_binary(ctx, fmu, arena, &path), HK_OK);
    char *library = realpath(path, NULL);
    hk_fmu_close(fmu);
    char *data, *again;
    size_t size, size_again;
    assert_int_equal(hk_file_read(ctx, library, 0, &data, &size), HK_OK);
    flip_byte(library, size / 2);
    assert_string_equal(unpack_probe(&fmu), kept);
    hk_fmu_close(fmu);
    assert_int_equal(hk_file_read(ctx, library, 0, &again, &size_again), HK_OK);
    assert_int_equal(size, size_again);
    assert_memory_equal(data, again, size);
    hk_free(data);
    hk_free(again);
    free(library);
    /* nor does what an FMU has written beside its library reach its next run */
    const char *note = hk_path_join(arena, kept, "binaries/note.cal");
    assert_int_equal(hk_file_write(ctx, note, "1", 1), HK_OK);
    assert_string_equal(unpack_probe(&fmu), kept);
    hk_fmu_close(fmu);
    assert_int_not_equal(access(note, F_OK), 0);
    /* resources that somebody has put there are none of the FMU's */
    const char *planted = hk_path_join(arena, kept, "resources");
    assert_int_equal(mkdir(planted, 0700), 0);
    assert_string_equal(unpack_probe(&fmu), kept);
    hk_fmu_close(fmu);
    assert_false(hk_folder_exists(planted));
    assert_int_equal(count_entries(hk_path_folder(arena, kept)), 1);
}

/* An FMU that writes to its resources changes nothing for the next run, nor for one beside it. */
static void test_resources_are_private(void **state) {
    (void)state;
    static const char note[] = "A resource of the probe.\n";
    hk_fmu *fmu, *beside;
    (void)unpack_probe(&fmu);
    const char *folder = hk_arena_strdup(arena, fmu->folder);
    assert_string_equal(read_text(folder, "resources/note.txt"), note);
    flip_byte(hk_path_join(arena, folder, "resources/note.txt"), 3);
    (void)unpack_probe(&beside);
    assert_string_not_equal(beside->folder, folder);
    assert_string_equal(read_text(beside->folder, "resources/note.txt"), note);
    assert_true(hk_file_exists(hk_path_join(arena, folder, "modelDescription.xml")));
    hk_fmu_close(beside);
    hk_fmu_close(fmu);
    assert_false(hk_folder_exists(folder));
    (void)unpack_probe(&fmu);
    assert_string_equal(read_text(fmu->folder, "resources/note.txt"), note);
    hk_fmu_close(fmu);
}

/* A cache that others can write to is not used, and that is said once. */
static void test_open_to_others(void **state) {
    (void)state;
    hk_fmu *fmu;
    const char *cache = hk_path_folder(arena, unpack_probe(&fmu));
    hk_fmu_close(fmu);
    struct stat info;
    assert_int_equal(stat(cache, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    const char *const folders[] = {cache, hk_path_folder(arena, cache)};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(chmod(folders[i], 0770), 0);
        assert_null(unpack_probe(&fmu));
        assert_true(fmu->folder_private);
        assert_true(hk_file_exists(hk_path_join(arena, fmu->folder, "modelDescription.xml")));
        hk_fmu_close(fmu);
        assert_int_equal(chmod(folders[i], 0700), 0);
    }
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    assert_non_null(strstr(hk_ctx_diag(ctx, 0)->text, "can be written by others"));
    assert_non_null(unpack_probe(&fmu));
    /* nor is an entry that others can write to */
    assert_int_equal(chmod(fmu->kept, 0777), 0);
    hk_fmu_close(fmu);
    assert_non_null(unpack_probe(&fmu));
    assert_int_equal(stat(fmu->kept, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    hk_fmu_close(fmu);
    if (geteuid() == 0) { /* only then can it be given away */
        assert_int_equal(chown(cache, 12345, 12345), 0);
        assert_string_equal(hk_cache_distrust(cache), "belongs to another user");
        assert_int_equal(chown(cache, 0, 0), 0);
    }
}

static void make_entry(const char *cache, const char *name, size_t bytes, int64_t age_s) {
    const char *folder = hk_path_join(arena, cache, name);
    char *data = hk_alloc(bytes);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(hk_file_write(ctx, hk_path_join(arena, folder, "f"), data, bytes), HK_OK);
    hk_free(data);
    struct timespec then = {.tv_sec = time(NULL) - age_s};
    assert_int_equal(utimensat(AT_FDCWD, folder, (struct timespec[2]){then, then}, 0), 0);
}

static void test_tidy(void **state) {
    (void)state;
    enum { DAY = 86400, BIG = 1 << 20 };
    hk_fmu *fmu;
    const char *kept = unpack_probe(&fmu), *cache = hk_path_folder(arena, kept);
    make_entry(cache, "unused", 1, 31 * DAY);
    make_entry(cache, "older", BIG, 3 * DAY);
    make_entry(cache, "newer", BIG, 2 * DAY);
    make_entry(cache, "in-use", BIG, 60);
    make_entry(cache, "unpacking-dead", 1, 2 * DAY);
    make_entry(cache, "unpacking-now", 1, 60);
    hk_cache_tidy(cache, kept, 3 * BIG - BIG / 2);
    static const char *const gone[] = {"unused", "older", "unpacking-dead"};
    for (size_t i = 0; i < 3; i++)
        assert_false(hk_folder_exists(hk_path_join(arena, cache, gone[i])));
    assert_int_equal(count_entries(cache), 4);
    assert_true(hk_folder_exists(kept));
    hk_fmu_close(fmu);
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

/* A cache that cannot be written is not an obstacle. */
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
        {.name = library, .data = "this is not a library", .size = 18}};
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
        TEST(changed_contents),
        TEST(resources_are_private),
        TEST(open_to_others),
        TEST(tidy),
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
