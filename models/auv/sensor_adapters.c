/* SPDX-License-Identifier: MIT
 *
 * Between the source of a measured value that is bound, a model or a log, and those who use it.
 * What a source has of a later moment than this step is not seen before: one that is activated less
 * often has it already. While a source is not valid the last value that was holds. */
#include "sensors.h"

/* Times are sums of steps: what differs in the last digits is the same moment. */
#define SAME_MOMENT(h) (1e-6 * (h))

typedef struct source3d_adapter {
    measured3d measured;
    source3d_binding source;
} source3d_adapter;

static int source3d_adapter_step(void *self, double t, double h) {
    source3d_adapter *x = self;
    const source3d *source = x->source.functions;
    double stamp = source->get_stamp(x->source.self);
    if (stamp > t + h + SAME_MOMENT(h))
        return HK_STEP_OK;
    x->measured.valid = source->is_valid(x->source.self);
    if (x->measured.valid) {
        x->measured.value = source->get_value(x->source.self);
        x->measured.stamp = stamp;
    }
    return HK_STEP_OK;
}

typedef struct source1d_adapter {
    measured1d measured;
    source1d_binding source;
} source1d_adapter;

static int source1d_adapter_step(void *self, double t, double h) {
    source1d_adapter *x = self;
    const source1d *source = x->source.functions;
    double stamp = source->get_stamp(x->source.self);
    if (stamp > t + h + SAME_MOMENT(h))
        return HK_STEP_OK;
    x->measured.valid = source->is_valid(x->source.self);
    if (x->measured.valid) {
        x->measured.value = source->get_value(x->source.self);
        x->measured.stamp = stamp;
    }
    return HK_STEP_OK;
}

/* ---- the types: one for each unit ---- */

#define ADAPTER_PORTS_3D(port_name, u)                                                             \
    {                                                                                              \
        XYZ(source3d_adapter, measured.value, port_name, HK_OUTPUT, u),                            \
            TRUTH_OUT(source3d_adapter, measured.valid, "valid"),                                  \
            NUMBER_OUT(source3d_adapter, measured.stamp, "stamp", "s")                             \
    }

#define ADAPTER_PORTS_1D(port_name, u)                                                             \
    {                                                                                              \
        NUMBER_OUT(source1d_adapter, measured.value, port_name, u),                                \
            TRUTH_OUT(source1d_adapter, measured.valid, "valid"),                                  \
            NUMBER_OUT(source1d_adapter, measured.stamp, "stamp", "s")                             \
    }

static const hk_port dvl_ports[] = ADAPTER_PORTS_3D("out", "m/s");
static const hk_port any3d_ports[] = ADAPTER_PORTS_3D("value", NULL);
static const hk_port gyro_ports[] = ADAPTER_PORTS_3D("value", "rad/s");
static const hk_port accelerometer_ports[] = ADAPTER_PORTS_3D("value", "m/s2");
static const hk_port gps_ports[] = ADAPTER_PORTS_3D("value", "m");
static const hk_port any1d_ports[] = ADAPTER_PORTS_1D("value", NULL);
static const hk_port depth_ports[] = ADAPTER_PORTS_1D("value", "m");
static const hk_port compass_ports[] = ADAPTER_PORTS_1D("value", "rad");

static const hk_service dvl_services[] = {
    {"rItfEDVL", &hk_auv_source3d, NULL, offsetof(source3d_adapter, source)}};
static const hk_service services3d[] = {
    {"rSource", &hk_auv_source3d, NULL, offsetof(source3d_adapter, source)}};
static const hk_service services1d[] = {
    {"rSource", &hk_auv_source1d, NULL, offsetof(source1d_adapter, source)}};

#define ADAPTER(struct_type, full_name, port_table, service_table)                                 \
    {                                                                                              \
        AUV_TYPE(struct_type, full_name, port_table),                                              \
            .description = "Asks the source that is bound", .stamp = HK_STAMP_END,                 \
            .step = struct_type##_step, .services = (service_table),                               \
            .service_count = COUNT(service_table)                                                  \
    }

const hk_unit_type hk_auv_dvl_adapter =
    ADAPTER(source3d_adapter, "sensors.DvlAdapter", dvl_ports, dvl_services);
const hk_unit_type hk_auv_source3d_adapter =
    ADAPTER(source3d_adapter, "sensors.Source3DAdapter", any3d_ports, services3d);
const hk_unit_type hk_auv_gyro_adapter =
    ADAPTER(source3d_adapter, "sensors.GyroAdapter", gyro_ports, services3d);
const hk_unit_type hk_auv_accelerometer_adapter =
    ADAPTER(source3d_adapter, "sensors.AccelerometerAdapter", accelerometer_ports, services3d);
const hk_unit_type hk_auv_gps_adapter =
    ADAPTER(source3d_adapter, "sensors.GpsAdapter", gps_ports, services3d);
const hk_unit_type hk_auv_source1d_adapter =
    ADAPTER(source1d_adapter, "sensors.Source1DAdapter", any1d_ports, services1d);
const hk_unit_type hk_auv_depth_adapter =
    ADAPTER(source1d_adapter, "sensors.DepthAdapter", depth_ports, services1d);
const hk_unit_type hk_auv_compass_adapter =
    ADAPTER(source1d_adapter, "sensors.CompassAdapter", compass_ports, services1d);
