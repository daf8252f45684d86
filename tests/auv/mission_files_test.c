/* SPDX-License-Identifier: MIT
 *
 * Missions and logs that are cut off after each of their bytes, or have a byte changed: an answer,
 * or words that name the file; never more. mission_replay_test.py shows what the words are. */
#include "mission_rig.h"

#include <unistd.h>

extern const hk_unit_type hk_auv_csv_mission, hk_auv_drone_reader;

static const char mission[] = "latitude [deg],longitude,depth [cm],speed [kn]\r\n"
                              "48.1,-4.2,1000,3\n# turn here\n48.2,-4.3,1200,3.5\n48.3,-4,nan,1\n";
static const char states[] = "time [ms];north;east;altitude;heading [deg];roll;surge;sway;heave\n"
                             "0;0;0;-1;5;0;1;2;3\n1000;5;1;-1;6;0;1;-;3\n2000;9;1;-1;7;0.1;1;2;3\n";

static char folder[] = "/tmp/mission_files_XXXXXX";

static void put(const char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/x.csv", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* True: it could be read. Where not, words say why, and the same again. */
static bool reads(const hk_unit_type *type) {
    rig r = rig_make(type, 0.1);
    rig_set_text(&r, "fileName", "x.csv");
    rig_resource(&r)->folder = folder;
    rig_init(&r);
    bool good = rig_try(&r);
    if (!good) {
        assert_non_null(strstr(rig_complaint(&r), "x.csv"));
        assert_null(rig_resource(&r)->data);
        assert_false(rig_try(&r));
    }
    for (int i = 0; good && i < 30; i++)
        assert_true(rig_try(&r));
    rig_end(&r);
    return good;
}

static void cut_and_change(const hk_unit_type *type, const char *text, size_t size, size_t good) {
    size_t count = 0;
    char *copy = malloc(size);
    assert_non_null(copy);
    for (size_t i = 0; i <= size; i++) {
        put(text, i);
        bool read = reads(type);
        assert_true(!read || text[i - 1] == '\n'); /* never half a row */
        count += read;
    }
    assert_int_equal(count, good);
    static const char bytes[] = {0, '\n', ',', '-', '9', '"', '\x80'};
    for (size_t i = 0; i < size; i++) {
        memcpy(copy, text, size);
        copy[i] = bytes[i % sizeof bytes];
        put(copy, size);
        reads(type);
    }
    free(copy);
}

static void test_missions(void **unused) {
    (void)unused;
    cut_and_change(&hk_auv_csv_mission, mission, sizeof mission - 1, 3);
    put(mission, sizeof mission - 1);
    assert_false(reads(&hk_auv_csv_mission)); /* one of its depths is missing */
    put(mission, (size_t)(strstr(mission, "48.3") - mission));
    assert_true(reads(&hk_auv_csv_mission));
}

static void test_logs(void **unused) {
    (void)unused;
    cut_and_change(&hk_auv_drone_reader, states, sizeof states - 1, 1);
    put(states, (size_t)(strstr(states, "1000;") - states));
    assert_true(reads(&hk_auv_drone_reader));
}

/* The answers before and after a step, and of a place that is not there. */
static void test_answers(void **unused) {
    (void)unused;
    put(mission, (size_t)(strstr(mission, "48.3") - mission));
    rig r = rig_make(&hk_auv_csv_mission, 1);
    rig_set_text(&r, "fileName", "x.csv");
    rig_resource(&r)->folder = folder;
    rig_init(&r);
    assert_null(rig_resource(&r)->data); /* nothing is read before somebody asks */
    const waypoint_source *source = r.type->services[0].functions;
    assert_int_equal(source->get_count(r.self), 2);
    waypoint p = source->get_waypoint(r.self, 1);
    rig_within("depth", p.position.z, 12, 1e-9);
    rig_within("speed", p.speed, 3.5 * 1852 / 3600, 1e-12);
    assert_true(isnan(source->get_waypoint(r.self, 2).speed));
    assert_true(isnan(source->get_waypoint(r.self, -1).position.x));
    rig_end(&r);
}

static int make_folder(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **unused) {
    (void)unused;
    char path[64];
    snprintf(path, sizeof path, "%s/x.csv", folder);
    return unlink(path) || rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_missions), cmocka_unit_test(test_logs),
                                       cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
