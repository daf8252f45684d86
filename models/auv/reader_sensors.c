/* SPDX-License-Identifier: MIT
 *
 * The readers of logs: one type for each sensor, in its unit and with the names of columns that are
 * taken if none are given. */
#include "reader_log.h"

COMPLAINT(log_reader)

/* As a source it has the stamp of its last row, also of one that is not valid: an adapter that is
 * activated more often then sees neither before its time. */
static coordinate3d log_reader_value(void *self) {
    return ((const log_reader *)self)->measured.value;
}

static bool log_reader_valid(void *self) {
    return ((const log_reader *)self)->measured.valid;
}

static double log_reader_stamp(void *self) {
    return ((const log_reader *)self)->seen;
}

static const source3d log_reader_source = {log_reader_value, log_reader_valid, log_reader_stamp};

static double first_value(void *self) {
    return ((const log_reader *)self)->measured.value.x;
}

static const source1d first_source = {first_value, log_reader_valid, log_reader_stamp};

static const hk_enum_item interpolation_items[] = {{"Hold", LOG_HOLD}, {"Linear", LOG_LINEAR}};
static const hk_enum_type interpolation_type = {"sensors.Interpolation", interpolation_items,
                                                COUNT(interpolation_items)};
static const hk_enum_item end_items[] = {
    {"Hold", LOG_END_HOLD}, {"Invalid", LOG_END_INVALID}, {"Stop", LOG_END_STOP}};
static const hk_enum_type end_type = {"sensors.EndPolicy", end_items, COUNT(end_items)};

static const hk_domain reader_domains[] = {
    {.port = "interpolation", .enumeration = &interpolation_type},
    {.port = "endPolicy", .enumeration = &end_type},
    {.port = "earth", .enumeration = &hk_auv_earth_type}};
enum { DOMAINS_OF_ALL = 2 }; /* the third is for places */

#define PROVIDED(interface, functions)                                                             \
    {                                                                                              \
        { "pItfReader", &(interface), &(functions), 0 }                                            \
    }

static const hk_service dvl_reader_services[] = PROVIDED(hk_auv_velocity_source, log_reader_source);
static const hk_service gyro_reader_services[] =
    PROVIDED(hk_auv_angular_rate_source, log_reader_source);
static const hk_service accelerometer_reader_services[] =
    PROVIDED(hk_auv_acceleration_source, log_reader_source);
static const hk_service gps_reader_services[] = PROVIDED(hk_auv_position_source, log_reader_source);
static const hk_service depth_reader_services[] = PROVIDED(hk_auv_depth_source, first_source);
static const hk_service compass_reader_services[] = PROVIDED(hk_auv_heading_source, first_source);
static const hk_resource_field reader_resource = {offsetof(log_reader, file), hk_log_free};

#define COMMON_PORTS(file)                                                                         \
    TEXT_PARAMETER(log_reader, file_name, "fileName", file),                                       \
        TEXT_PARAMETER(log_reader, time_column, "timeColumn", "time"),                             \
        TEXT_PARAMETER(log_reader, valid_column, "validColumn", ""),                               \
        TEXT_PARAMETER(log_reader, unit, "unit", ""),                                              \
        TEXT_PARAMETER(log_reader, no_data, "noData", ""),                                         \
        PARAMETER(log_reader, time_scale, "timeScale", NULL, "1"),                                 \
        PARAMETER(log_reader, time_offset, "timeOffset", "s", "0"),                                \
        ITEM_PARAMETER(log_reader, interpolation, "interpolation", "0"),                           \
        ITEM_PARAMETER(log_reader, end, "endPolicy", "0")

#define READER_PORTS_3D(file, u, x, y, z)                                                          \
    MEASURED_3D(log_reader, u), COMMON_PORTS(file),                                                \
        TEXT_PARAMETER(log_reader, column[0], "xColumn", x),                                       \
        TEXT_PARAMETER(log_reader, column[1], "yColumn", y),                                       \
        TEXT_PARAMETER(log_reader, column[2], "zColumn", z)

#define READER_PORTS_1D(file, u, name)                                                             \
    NUMBER_OUT(log_reader, measured.value.x, "out", u),                                            \
        TRUTH_OUT(log_reader, measured.valid, "valid"),                                            \
        NUMBER_OUT(log_reader, measured.stamp, "stamp", "s"), COMMON_PORTS(file),                  \
        TEXT_PARAMETER(log_reader, column[0], "column", name)

#define READER(full_name, port_table, service_table, step_function, domains_of_it)                 \
    {                                                                                              \
        AUV_TYPE(log_reader, full_name, port_table),                                               \
            .description = "Reads a log", .stamp = HK_STAMP_END, .step = (step_function),          \
            .services = (service_table), .service_count = COUNT(service_table),                    \
            .domains = reader_domains, .domain_count = (domains_of_it),                            \
            .complaint = log_reader_complaint, .resource = &reader_resource,                       \
            .remark = hk_log_remark                                                                \
    }

/* ---- the types ---- */

static const log_kind speed_kind = {.what = A_SPEED, .columns = 3};
static int dvl_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &speed_kind, t, h);
}
static const hk_port dvl_reader_ports[] = {READER_PORTS_3D("dvl.csv", "m/s", "vx", "vy", "vz")};
const hk_unit_type hk_auv_dvl_reader = READER("sensors.DvlReader", dvl_reader_ports,
                                              dvl_reader_services, dvl_reader_step, DOMAINS_OF_ALL);

static const log_kind rate_kind = {.what = A_RATE, .columns = 3};
static int gyro_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &rate_kind, t, h);
}
static const hk_port gyro_reader_ports[] = {READER_PORTS_3D("gyro.csv", "rad/s", "p", "q", "r")};
const hk_unit_type hk_auv_gyro_reader =
    READER("sensors.GyroReader", gyro_reader_ports, gyro_reader_services, gyro_reader_step,
           DOMAINS_OF_ALL);

static const log_kind force_kind = {.what = AN_ACCELERATION, .columns = 3};
static int accelerometer_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &force_kind, t, h);
}
static const hk_port accelerometer_reader_ports[] = {
    READER_PORTS_3D("accelerometer.csv", "m/s2", "ax", "ay", "az")};
const hk_unit_type hk_auv_accelerometer_reader =
    READER("sensors.AccelerometerReader", accelerometer_reader_ports, accelerometer_reader_services,
           accelerometer_reader_step, DOMAINS_OF_ALL);

static const log_kind place_kind = {.what = A_LENGTH, .columns = 3, .place = true};
static int gps_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &place_kind, t, h);
}
static const hk_port gps_reader_ports[] = {
    READER_PORTS_3D("gps.csv", "m", "north", "east", "down"),
    ITEM_PARAMETER(log_reader, earth, "earth", "0"),
    PARAMETER(log_reader, origin_latitude, "originLatitude", "deg", "0"),
    PARAMETER(log_reader, origin_longitude, "originLongitude", "deg", "0")};
const hk_unit_type hk_auv_gps_reader =
    READER("sensors.GpsReader", gps_reader_ports, gps_reader_services, gps_reader_step,
           COUNT(reader_domains));

static const log_kind depth_kind = {.what = A_LENGTH, .columns = 1, .pressure = true};
static int depth_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &depth_kind, t, h);
}
static const hk_port depth_reader_ports[] = {
    READER_PORTS_1D("depth.csv", "m", "depth"),
    PARAMETER(log_reader, density, "density", "kg/m3", "1025"),
    PARAMETER(log_reader, gravity, "gravity", "m/s2", "9.80665"),
    PARAMETER(log_reader, atmosphere, "atmosphere", "Pa", "101325")};
const hk_unit_type hk_auv_depth_reader =
    READER("sensors.DepthReader", depth_reader_ports, depth_reader_services, depth_reader_step,
           DOMAINS_OF_ALL);

static const log_kind heading_kind = {.what = AN_ANGLE, .columns = 1};
static int compass_reader_step(void *self, double t, double h) {
    return hk_log_step(self, &heading_kind, t, h);
}
static const hk_port compass_reader_ports[] = {READER_PORTS_1D("compass.csv", "rad", "heading")};
const hk_unit_type hk_auv_compass_reader =
    READER("sensors.CompassReader", compass_reader_ports, compass_reader_services,
           compass_reader_step, DOMAINS_OF_ALL);
