/* SPDX-License-Identifier: MIT
 *
 * The four interfaces: how a scenario calls their functions by name, and what a caller gets while
 * the provider is stopped. */
#include "standin.h"

#include <stdio.h>

static const hk_field number_field[] = {{.name = "", .type = HK_TYPE_F64}};
static const hk_field truth_field[] = {{.name = "", .type = HK_TYPE_BOOL}};
static const hk_field time_field[] = {{.name = "", .type = HK_TYPE_I64, .unit = "ms"}};
static const hk_field speed_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "m/s"}};
static const hk_field angle_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "deg"}};
static const hk_field second_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "s"}};
static const hk_field xy_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, x)},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, y)},
};
static const hk_field xy_metre_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, x), .unit = "m"},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, y), .unit = "m"},
};
static const hk_field xyz_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, x)},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, y)},
    {.name = "z", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, z)},
};

static const hk_argument number_result = {"", sizeof(double), number_field, 1};
static const hk_argument truth_result = {"", sizeof(bool), truth_field, 1};
static const hk_argument xy_result = {"", sizeof(coordinate2d), xy_fields, 2};
static const hk_argument xyz_result = {"", sizeof(coordinate3d), xyz_fields, 3};

/* ---- environment.CurrentSource ---- */

static void call_set_time(const void *functions, void *self, const void *const *arguments,
                          void *result) {
    const current_source *f = functions;
    *(bool *)result =
        f->set_time(self, *(const int64_t *)arguments[0], *(const coordinate2d *)arguments[1]);
}

static void call_get_current(const void *functions, void *self, const void *const *arguments,
                             void *result) {
    const current_source *f = functions;
    (void)arguments;
    *(coordinate2d *)result = f->get_current(self);
}

static bool stopped_set_time(void *self, int64_t time, coordinate2d position) {
    (void)time, (void)position;
    hk_service_stopped(self);
    return false;
}

static coordinate2d stopped_get_current(void *self) {
    hk_service_stopped(self);
    return (coordinate2d){0};
}

static const hk_argument set_time_arguments[] = {{"time", sizeof(int64_t), time_field, 1},
                                                 {"position", sizeof(coordinate2d), xy_fields, 2}};
static const hk_function current_source_functions[] = {
    {"setTime", set_time_arguments, COUNT(set_time_arguments), &truth_result, call_set_time},
    {"getCurrent", NULL, 0, &xy_result, call_get_current},
};
static const current_source current_source_stopped = {stopped_set_time, stopped_get_current};

const hk_interface hk_standin_current_source = {
    .name = "environment.CurrentSource",
    .signature = "bool setTime(long time unit \"ms\", {double x; double y;} position); "
                 "{double x; double y;} getCurrent();",
    .functions = current_source_functions,
    .function_count = COUNT(current_source_functions),
    .stopped = &current_source_stopped};

/* ---- environment.CurrentConfig ---- */

static void call_set_speed(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    const current_config *f = functions;
    (void)result;
    f->set_speed(self, *(const double *)arguments[0], *(const double *)arguments[1]);
}

static void call_set_signal(const void *functions, void *self, const void *const *arguments,
                            void *result) {
    const current_config *f = functions;
    (void)result;
    f->set_signal(self, *(const double *)arguments[0], *(const double *)arguments[1],
                  *(const double *)arguments[2]);
}

static void stopped_set_speed(void *self, double speed, double direction) {
    (void)speed, (void)direction;
    hk_service_stopped(self);
}

static void stopped_set_signal(void *self, double amplitude, double period, double offset) {
    (void)amplitude, (void)period, (void)offset;
    hk_service_stopped(self);
}

static const hk_argument set_speed_arguments[] = {{"speed", sizeof(double), speed_field, 1},
                                                  {"direction", sizeof(double), angle_field, 1}};
static const hk_argument set_signal_arguments[] = {{"amplitude", sizeof(double), speed_field, 1},
                                                   {"period", sizeof(double), second_field, 1},
                                                   {"offset", sizeof(double), second_field, 1}};
static const hk_function current_config_functions[] = {
    {"setSpeed", set_speed_arguments, COUNT(set_speed_arguments), NULL, call_set_speed},
    {"setSignal", set_signal_arguments, COUNT(set_signal_arguments), NULL, call_set_signal},
};
static const current_config current_config_stopped = {stopped_set_speed, stopped_set_signal};

const hk_interface hk_standin_current_config = {
    .name = "environment.CurrentConfig",
    .signature = "void setSpeed(double speed unit \"m/s\", double direction unit \"deg\"); "
                 "void setSignal(double amplitude unit \"m/s\", double period unit \"s\", "
                 "double offset unit \"s\");",
    .functions = current_config_functions,
    .function_count = COUNT(current_config_functions),
    .stopped = &current_config_stopped};

/* ---- environment.MntSource ---- */

static void call_get_depth(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    const mnt_source *f = functions;
    *(double *)result = f->get_depth(self, *(const coordinate2d *)arguments[0]);
}

static double stopped_get_depth(void *self, coordinate2d position) {
    (void)position;
    hk_service_stopped(self);
    return 0;
}

static const hk_argument get_depth_arguments[] = {
    {"position", sizeof(coordinate2d), xy_metre_fields, 2}};
static const hk_function mnt_source_functions[] = {
    {"getDepth", get_depth_arguments, COUNT(get_depth_arguments), &number_result, call_get_depth}};
static const mnt_source mnt_source_stopped = {stopped_get_depth};

const hk_interface hk_standin_mnt_source = {
    .name = "environment.MntSource",
    .signature = "double getDepth({double x; double y;} position unit \"m\");",
    .functions = mnt_source_functions,
    .function_count = COUNT(mnt_source_functions),
    .stopped = &mnt_source_stopped};

/* ---- sensors.Source3D ---- */

static void call_get_value(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    const source3d *f = functions;
    (void)arguments;
    *(coordinate3d *)result = f->get_value(self);
}

static coordinate3d stopped_get_value(void *self) {
    hk_service_stopped(self);
    return (coordinate3d){0};
}

static const hk_function source3d_functions[] = {
    {"getValue", NULL, 0, &xyz_result, call_get_value}};
static const source3d source3d_stopped = {stopped_get_value};

const hk_interface hk_standin_source3d = {.name = "sensors.Source3D",
                                          .signature =
                                              "{double x; double y; double z;} getValue();",
                                          .functions = source3d_functions,
                                          .function_count = COUNT(source3d_functions),
                                          .stopped = &source3d_stopped};

/* ---- files ---- */

bool hk_standin_open(const hk_bytes *file_name) {
    FILE *file = file_name->size ? fopen(file_name->data, "rb") : NULL;
    bool good = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return good;
}
