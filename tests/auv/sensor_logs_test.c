/* SPDX-License-Identifier: MIT
 *
 * The readers of logs: what is seen when, columns, units, validity, the end, and files that are not
 * what they should be. */
#include "leaf_rig.h"
#include "sensors_types.h"

#include <unistd.h>

static char folder[] = "/tmp/hk_sensor_logs_XXXXXX";

static void write_bytes(const char *name, const char *text, size_t size) {
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_log(const char *text) {
    write_bytes("log.csv", text, strlen(text));
}

/* A reader of log.csv. */
static leaf new_reader(const hk_unit_type *type) {
    leaf x = leaf_new(type);
    ((hk_resource *)(x.self + type->resource->offset))->folder = folder;
    leaf_text(&x, "fileName", "log.csv");
    return x;
}

/* Steps by H until the end of a step is NOW. */
static void go_to(const leaf *x, double *t, double now, double h) {
    while (*t < now - h / 2) {
        leaf_step(x, *t, h);
        *t += h;
    }
}

static void assert_seen(const leaf *x, double value, bool valid, double stamp) {
    const char *out = x->type->ports[0].name; /* out, or out.x */
    assert_near(leaf_get(x, out), value, 1e-12);
    assert_int_equal(leaf_get(x, "valid"), valid);
    assert_near(leaf_get(x, "stamp"), stamp, 1e-12);
}

/* ---- what is seen when ---- */

/* The first row of a time holds, whatever the others say. */
static void test_rows_that_repeat_a_time_are_left_out(void **unused) {
    (void)unused;
    write_log("depth,stamp [ms]\n10,1000\n20,1000\n-,1000\n30,2000\n40,2000\n");
    leaf x = new_reader(&hk_auv_depth_reader);
    leaf_text(&x, "timeColumn", "stamp");
    double t = 0;
    go_to(&x, &t, 1, 0.01);
    assert_seen(&x, 10, true, 1);
    go_to(&x, &t, 1.99, 0.01);
    assert_seen(&x, 10, true, 1);
    go_to(&x, &t, 2.5, 0.01);
    assert_seen(&x, 30, true, 2);
    assert_string_equal(x.type->remark(x.self),
                        "3 of the 5 rows of 'log.csv' repeat the time of the row before and are "
                        "left out, the first in line 3");
    leaf_free(&x);
}

static void test_rows_are_seen_from_their_stamp_on(void **unused) {
    (void)unused;
    write_log("time,depth\n1,10\n2.5,20\n2.6,nan\n3,30\n3.5,-\n4,40\n");
    leaf x = new_reader(&hk_auv_depth_reader);
    double t = 0;
    go_to(&x, &t, 0.99, 0.01);
    assert_seen(&x, 0, false, 0); /* nothing yet */
    go_to(&x, &t, 1, 0.01);
    assert_seen(&x, 10, true, 1);
    go_to(&x, &t, 2.49, 0.01);
    assert_seen(&x, 10, true, 1); /* held, nothing of 20 */
    go_to(&x, &t, 2.5, 0.01);
    assert_seen(&x, 20, true, 2.5);
    go_to(&x, &t, 2.6, 0.01);
    assert_seen(&x, 20, false, 2.5); /* the last valid one */
    go_to(&x, &t, 2.99, 0.01);
    assert_seen(&x, 20, false, 2.5);
    go_to(&x, &t, 3, 0.01);
    assert_seen(&x, 30, true, 3);
    go_to(&x, &t, 3.7, 0.01);
    assert_seen(&x, 30, false, 3);
    go_to(&x, &t, 100, 0.01);
    assert_seen(&x, 40, true, 4); /* the end is held */
    const source1d *source = leaf_provides(&x, "pItfReader");
    assert_true(source->get_value(x.self) == 40 && source->is_valid(x.self) &&
                source->get_stamp(x.self) == 4);
    leaf_free(&x);
}

/* A reader that is activated less often than its adapter has rows before they are true. */
static void test_a_slow_reader_shows_nothing_early(void **unused) {
    (void)unused;
    write_log("time,depth\n0.05,10\n0.15,20\n0.25,nan\n0.35,30\n");
    leaf x = new_reader(&hk_auv_depth_reader), y = leaf_new(&hk_auv_depth_adapter);
    leaf_bind(&y, "rSource", x.self, leaf_provides(&x, "pItfReader"));
    for (int i = 0; i < 45; i++) {
        if (i % 10 == 0)
            leaf_step(&x, i * 0.01, 0.1);
        leaf_step(&y, i * 0.01, 0.01);
        int now = i + 1; /* hundredths */
        double value = now < 5 ? 0 : now < 15 ? 10 : now < 35 ? 20 : 30;
        bool valid = (now >= 5 && now < 25) || now >= 35;
        assert_near(leaf_get(&y, "value"), value, 0);
        assert_int_equal(leaf_get(&y, "valid"), valid);
    }
    leaf_free(&x);
    leaf_free(&y);
}

static void test_lines_where_they_are_asked_for(void **unused) {
    (void)unused;
    write_log("time,depth\n1,10\n2,20\n3,nan\n4,40\n5,50\n");
    leaf x = new_reader(&hk_auv_depth_reader);
    leaf_set(&x, "interpolation", leaf_item(&x, "interpolation", "Linear"));
    double t = 0;
    go_to(&x, &t, 0.9, 0.1);
    assert_seen(&x, 0, false, 0);
    go_to(&x, &t, 1.5, 0.1);
    assert_seen(&x, 15, true, 1.5);
    go_to(&x, &t, 2.5, 0.1);
    assert_seen(&x, 20, true, 2); /* no line to what is not valid */
    go_to(&x, &t, 3.5, 0.1);
    assert_seen(&x, 20, false, 2); /* nor is it valid because of what comes */
    go_to(&x, &t, 4.2, 0.1);
    assert_seen(&x, 42, true, 4.2);
    go_to(&x, &t, 6, 0.1);
    assert_seen(&x, 50, true, 5);
    leaf_free(&x);
    /* A heading goes the short way. */
    write_log("time,heading [deg]\n0,170\n1,-170\n2,-170\n");
    x = new_reader(&hk_auv_compass_reader);
    leaf_set(&x, "interpolation", leaf_item(&x, "interpolation", "Linear"));
    leaf_step(&x, 0, 0.25);
    assert_near(leaf_get(&x, "out"), DEGREES(175), 1e-12);
    leaf_step(&x, 0.25, 0.5);
    assert_near(leaf_get(&x, "out"), DEGREES(-175), 1e-12);
    leaf_free(&x);
}

/* What a reader has to say at the end of a run. */
static void assert_remark(const char *text, double end, const char *remark) {
    write_log(text);
    leaf x = new_reader(&hk_auv_depth_reader);
    double t = 0;
    assert_null(x.type->remark(x.self)); /* nothing was read */
    go_to(&x, &t, end, 0.01);
    const char *said = x.type->remark(x.self);
    if (remark)
        assert_string_equal(said, remark);
    else
        assert_null(said);
    leaf_free(&x);
}

static void test_what_was_not_seen_is_told(void **unused) {
    (void)unused;
    assert_remark("time,depth\n-1,1\n-0.5,1\n0.001,1\n0.5,2\n5,3\n", 2, NULL);
    assert_remark(
        "time,depth\n0,1\n# two\n0.502,2\n0.505,3\n0.51,4\n0.6,5\n0.605,6\n9,7\n", 2,
        "2 of the 7 rows of 'log.csv' were not seen, the first in line 4: a later one came "
        "in the same step");
    assert_remark("time,depth\n-2,1\n-1,2\n", 2,
                  "no row of 'log.csv' is of the time of the run: its rows are from -2 s to -1 s "
                  "(timeScale, timeOffset)");
    assert_remark("time,depth\n7,1\n8,2\n", 2,
                  "no row of 'log.csv' is of the time of the run: its rows are from 7 s to 8 s "
                  "(timeScale, timeOffset)");
    assert_remark("time,depth\n0,1\n1,2\n", 2.5,
                  "'log.csv' ends at 1 s, before the run: its last row is held from then on");
    assert_remark("time,depth\n0,1\n1,2\n1,3\n", 2.5,
                  "'log.csv' ends at 1 s, before the run: its last row is held from then on; 1 of "
                  "the 3 rows of 'log.csv' repeats the time of the row before and is left out, the "
                  "first in line 4");
}

static void test_the_end(void **unused) {
    (void)unused;
    write_log("time,depth\n1,10\n1.5,20\n");
    static const char *const policies[] = {"Hold", "Invalid", "Stop"};
    for (int i = 0; i < 3; i++) {
        leaf x = new_reader(&hk_auv_depth_reader);
        leaf_set(&x, "endPolicy", leaf_item(&x, "endPolicy", policies[i]));
        double t = 0;
        go_to(&x, &t, 1.9, 0.1); /* the last row holds as long as the one before it */
        assert_seen(&x, 20, true, 1.5);
        if (i == 2) {
            leaf_refuses(&x, t, 0.1, "'log.csv' ends at 1.5 s, and endPolicy is Stop");
        } else {
            go_to(&x, &t, 5, 0.1);
            assert_seen(&x, 20, i == 0, 1.5);
        }
        leaf_free(&x);
    }
}

/* A saved state has no file: who takes it over reads the file again and goes on where it was. */
static void test_a_state_goes_on(void **unused) {
    (void)unused;
    write_log("time,depth\n1,10\n2,20\n3,30\n");
    leaf x = new_reader(&hk_auv_depth_reader), y = new_reader(&hk_auv_depth_reader);
    double t = 0;
    go_to(&x, &t, 2.5, 0.1);
    hk_resource *resource = (hk_resource *)(y.self + y.type->resource->offset), own = *resource;
    memcpy(y.self, x.self, x.type->instance_size);
    *resource = own;
    leaf_step(&y, t, 0.1);
    assert_seen(&y, 20, true, 2);
    t += 0.1;
    go_to(&y, &t, 3, 0.1);
    assert_seen(&y, 30, true, 3);
    leaf_free(&x);
    leaf_free(&y);
}

/* ---- columns and units ---- */

static void test_columns_and_units(void **unused) {
    (void)unused;
    write_log("# a comment\nstamp [ms];ok;up [cm/s];aside [mm/s];ahead [kn]\n"
              "1000;1;-50;250;10\n2000;0;1;1;1\n3000;1;9999;1;1\n4000;nan;1;1;1\n5000;1;1;1;1\n");
    leaf x = new_reader(&hk_auv_dvl_reader);
    leaf_text(&x, "timeColumn", "stamp");
    leaf_text(&x, "xColumn", "ahead");
    leaf_text(&x, "yColumn", "aside");
    leaf_text(&x, "zColumn", "-up");
    leaf_text(&x, "validColumn", "ok");
    leaf_text(&x, "noData", "9999");
    leaf_set(&x, "timeScale", 2);
    leaf_set(&x, "timeOffset", -1);
    double t = 0;
    go_to(&x, &t, 0.9, 0.1);
    assert_seen(&x, 0, false, 0);
    go_to(&x, &t, 1, 0.1); /* 1 s * 2 - 1 s */
    assert_seen(&x, 10 * 1852.0 / 3600, true, 1);
    assert_near(leaf_get(&x, "out.y"), 0.25, 1e-15);
    assert_near(leaf_get(&x, "out.z"), 0.5, 1e-15);
    for (int i = 3; i <= 7; i += 2) { /* flag 0, mark, flag that is not a number */
        go_to(&x, &t, i, 0.1);
        assert_seen(&x, 10 * 1852.0 / 3600, false, 1);
    }
    go_to(&x, &t, 9, 0.1);
    assert_seen(&x, 1852.0 / 3600, true, 9);
    leaf_free(&x);
    /* A unit by parameter wins over that of the file; a column may be left out. */
    write_log("time,p [rad/s],q\n0,90,180\n");
    x = new_reader(&hk_auv_gyro_reader);
    leaf_text(&x, "unit", "deg/s");
    leaf_text(&x, "zColumn", "");
    leaf_step(&x, 0, 0.1);
    assert_near(leaf_get(&x, "out.x"), PI / 2, 1e-15);
    assert_near(leaf_get(&x, "out.y"), PI, 1e-15);
    assert_near(leaf_get(&x, "out.z"), 0, 0);
    leaf_free(&x);
    write_log("time,ax [g],ay [mg],az [m/s2]\n0,-1,1,3\n");
    x = new_reader(&hk_auv_accelerometer_reader);
    leaf_step(&x, 0, 0.1);
    assert_near(leaf_get(&x, "out.x"), -9.80665, 1e-15);
    assert_near(leaf_get(&x, "out.y"), 9.80665e-3, 1e-15);
    assert_near(leaf_get(&x, "out.z"), 3, 0);
    leaf_free(&x);
}

static void test_depth_from_pressure_and_places(void **unused) {
    (void)unused;
    write_log("time,p [dbar]\n0,10.1325\n1,20.1325\n");
    leaf x = new_reader(&hk_auv_depth_reader);
    leaf_text(&x, "column", "p");
    leaf_step(&x, 0, 0.1);
    assert_seen(&x, 0, true, 0);
    leaf_step(&x, 0.9, 0.1);
    assert_seen(&x, 1e5 / (1025 * 9.80665), true, 1);
    leaf_free(&x);
    /* 0.01 degrees north and east of 48 N 4 W; on a plane and on the ellipsoid. */
    write_log("time,lon [deg],lat [deg],h [m]\n0,-3.99,48.01,2\n");
    for (int earth = 0; earth < 2; earth++) {
        x = new_reader(&hk_auv_gps_reader);
        leaf_text(&x, "xColumn", "lat");
        leaf_text(&x, "yColumn", "lon");
        leaf_text(&x, "zColumn", "h");
        leaf_set(&x, "originLatitude", 48);
        leaf_set(&x, "originLongitude", -4);
        leaf_set(&x, "earth", earth);
        leaf_step(&x, 0, 0.1);
        /* M = 6370743.6 m, N = 6389962.0 m there; cos 48 = 0.669131 */
        assert_near(leaf_get(&x, "out.x"), 1111.9, 0.2);
        assert_near(leaf_get(&x, "out.y"), 746.2, 0.3);
        double drop = earth ? (1111.9 * 1111.9 + 746.2 * 746.2) / (2 * 6.377e6) : 0;
        assert_near(leaf_get(&x, "out.z"), -2 + drop, 2e-3);
        leaf_free(&x);
    }
}

/* ---- what is wrong ---- */

static void refuse(const hk_unit_type *type, const char *text, const char *says) {
    write_log(text);
    leaf x = new_reader(type);
    leaf_refuses(&x, 0, 0.1, says);
    leaf_free(&x);
}

static void test_what_is_wrong_is_said(void **unused) {
    (void)unused;
    const hk_unit_type *depth = &hk_auv_depth_reader;
    refuse(depth, "time,depth\n1,10\n2,20\n1.5,30\n",
           "log.csv:4: time 1.5 s is before 2 s of line 3");
    refuse(depth, "time,depth\n1,10\nnan,20\n", "log.csv:3: the row has no time");
    refuse(depth, "time,deep\n1,10\n",
           "there is no column 'depth' (column); there are 'time', 'deep'");
    refuse(depth, "t,depth\n1,10\n", "there is no column 'time' (timeColumn)");
    refuse(depth, "time,depth [fathom]\n1,10\n", "'fathom', the unit of column 'depth'");
    refuse(depth, "time,depth [rad]\n1,10\n", "column 'depth' is in 'rad', which does not fit");
    refuse(depth, "time [m],depth\n1,10\n", "column 'time' is in 'm', which does not fit");
    refuse(depth, "time,depth\n1,ten\n", "log.csv:2: 'ten' in column 'depth' is not a number");
    refuse(depth, "time,depth\n1,10\n2\n", "log.csv:3:");
    refuse(depth, "time,depth\n", "has no rows");
    refuse(depth, "", "is empty");
    refuse(&hk_auv_dvl_reader, "time,vx,vy\n1,1,1\n", "there is no column 'vz' (zColumn)");
    refuse(&hk_auv_gps_reader, "time,north [deg],east [m],down\n1,1,1,1\n",
           "must both be angles, or both lengths");
    refuse(&hk_auv_gps_reader, "time,north [m],east [m],down [deg]\n1,1,1,1\n",
           "zColumn is an angle");

    write_log("time,depth\n1,10\n");
    leaf x = new_reader(depth);
    leaf_text(&x, "fileName", "missing.csv");
    leaf_refuses(&x, 0, 0.1, "missing.csv' cannot be opened");
    leaf_text(&x, "fileName", "log.csv");
    leaf_text(&x, "noData", "none");
    leaf_refuses(&x, 0, 0.1, "noData is 'none', which is not a number");
    leaf_text(&x, "noData", "");
    leaf_text(&x, "validColumn", "ok");
    leaf_refuses(&x, 0, 0.1, "there is no column 'ok' (validColumn)");
    leaf_text(&x, "validColumn", "");
    leaf_set(&x, "timeScale", 0);
    leaf_refuses(&x, 0, 0.1, "a scale is above 0");
    leaf_free(&x);
}

/* A file that is cut is a mistake at every byte of it, but where a row ends: then it is a shorter
 * log. */
static void test_files_that_are_cut(void **unused) {
    (void)unused;
    static const char text[] = "time [s],vx [m/s],vy [m/s],vz [m/s]\n"
                               "0.0,1.0,2.0,3.0\n0.5,1.5,2.5,3.5\n1.0,nan,2.0,3.0\n1.5,2,3,4\n";
    size_t size = strlen(text), head = strcspn(text, "\n") + 1;
    for (size_t cut = 0; cut <= size; cut++) {
        write_bytes("log.csv", text, cut);
        leaf x = new_reader(&hk_auv_dvl_reader);
        int result = HK_STEP_OK;
        for (int i = 0; i < 20 && result == HK_STEP_OK; i++)
            result = x.type->step(x.self, i * 0.1, 0.1);
        assert_int_equal(result == HK_STEP_OK, cut > head && text[cut - 1] == '\n');
        if (result != HK_STEP_OK)
            assert_non_null(strstr(x.type->complaint(x.self), "log.csv"));
        if (cut > head && text[cut - 1] != '\n')
            assert_non_null(strstr(x.type->complaint(x.self), "the last line does not end"));
        leaf_free(&x);
    }
}

static int set_up(void **unused) {
    (void)unused;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    char path[100];
    snprintf(path, sizeof path, "%s/log.csv", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_seen_from_their_stamp_on),
        cmocka_unit_test(test_rows_that_repeat_a_time_are_left_out),
        cmocka_unit_test(test_a_slow_reader_shows_nothing_early),
        cmocka_unit_test(test_lines_where_they_are_asked_for),
        cmocka_unit_test(test_what_was_not_seen_is_told),
        cmocka_unit_test(test_the_end),
        cmocka_unit_test(test_a_state_goes_on),
        cmocka_unit_test(test_columns_and_units),
        cmocka_unit_test(test_depth_from_pressure_and_places),
        cmocka_unit_test(test_what_is_wrong_is_said),
        cmocka_unit_test(test_files_that_are_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
