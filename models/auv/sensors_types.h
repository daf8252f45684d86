/* SPDX-License-Identifier: MIT
 *
 * All types of sensors.types, for tables of a plugin: {HK_AUV_SENSORS NULL}. */
#ifndef HK_MODELS_SENSORS_TYPES_H
#define HK_MODELS_SENSORS_TYPES_H

#include <hk/unit.h>

extern const hk_unit_type hk_auv_body_to_sensor, hk_auv_body_to_gyro, hk_auv_body_to_accelerometer,
    hk_auv_body_to_gps, hk_auv_body_to_depth, hk_auv_body_to_compass, hk_auv_gyro_error,
    hk_auv_accelerometer_error, hk_auv_dvl_error, hk_auv_gps_error, hk_auv_depth_error,
    hk_auv_compass_error, hk_auv_dvl_reader, hk_auv_gyro_reader, hk_auv_accelerometer_reader,
    hk_auv_gps_reader, hk_auv_depth_reader, hk_auv_compass_reader, hk_auv_dvl_adapter,
    hk_auv_source3d_adapter, hk_auv_gyro_adapter, hk_auv_accelerometer_adapter, hk_auv_gps_adapter,
    hk_auv_source1d_adapter, hk_auv_depth_adapter, hk_auv_compass_adapter;

/* A comma behind each. */
#define HK_AUV_SENSORS                                                                             \
    &hk_auv_body_to_sensor, &hk_auv_body_to_gyro, &hk_auv_body_to_accelerometer,                   \
        &hk_auv_body_to_gps, &hk_auv_body_to_depth, &hk_auv_body_to_compass, &hk_auv_gyro_error,   \
        &hk_auv_accelerometer_error, &hk_auv_dvl_error, &hk_auv_gps_error, &hk_auv_depth_error,    \
        &hk_auv_compass_error, &hk_auv_dvl_reader, &hk_auv_gyro_reader,                            \
        &hk_auv_accelerometer_reader, &hk_auv_gps_reader, &hk_auv_depth_reader,                    \
        &hk_auv_compass_reader, &hk_auv_dvl_adapter, &hk_auv_source3d_adapter,                     \
        &hk_auv_gyro_adapter, &hk_auv_accelerometer_adapter, &hk_auv_gps_adapter,                  \
        &hk_auv_source1d_adapter, &hk_auv_depth_adapter, &hk_auv_compass_adapter,

#endif
