/* SPDX-License-Identifier: MIT
 *
 * Between the source of a measured value that is bound, a model or a log, and those who use it.
 * What a source has of a later moment than this step is not seen before: one that is activated less
 * often has it already. While a source is not valid the last value that was holds. */
#include "sensors.h"

/* Times are sums of steps: what differs in the last digits is the same moment. */
#define SAME_MOMENT(h) (1e-6 * (h))

#define COPY_NUMBER(to, from) (*(to) = *(from))

#define ASKER(struct_type, measured_type, value_type, interface, ask, copy)                        \
    typedef struct struct_type {                                                                   \
        measured_type measured;                                                                    \
        interface##_binding source;                                                                \
    } struct_type;                                                                                 \
    static inline int ask(void *self, double t, double h) {                                        \
        struct_type *x = self;                                                                     \
        const interface *source = x->source.functions;                                             \
        double stamp = source->get_stamp(x->source.self);                                          \
        if (stamp > t + h + SAME_MOMENT(h))                                                        \
            return HK_STEP_OK;                                                                     \
        x->measured.valid = source->is_valid(x->source.self);                                      \
        if (x->measured.valid) {                                                                   \
            value_type value = source->get_value(x->source.self);                                  \
            copy(&x->measured.value, &value);                                                      \
            x->measured.stamp = stamp;                                                             \
        }                                                                                          \
        return HK_STEP_OK;                                                                         \
    }
ASKER(source3d_adapter, measured3d, coordinate3d, source3d, ask3d, hk_auv_copy)
ASKER(source1d_adapter, measured1d, double, source1d, ask1d, COPY_NUMBER)

/* ---- the types: one for each quantity ---- */

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

#define REQUIRED(name, interface, struct_type)                                                     \
    {                                                                                              \
        { name, &(interface), NULL, offsetof(struct_type, source) }                                \
    }

static const hk_service dvl_adapter_services[] =
    REQUIRED("rItfEDVL", hk_auv_velocity_source, source3d_adapter);
static const hk_service any3d_adapter_services[] =
    REQUIRED("rSource", hk_auv_source3d, source3d_adapter);
static const hk_service gyro_adapter_services[] =
    REQUIRED("rSource", hk_auv_angular_rate_source, source3d_adapter);
static const hk_service accelerometer_adapter_services[] =
    REQUIRED("rSource", hk_auv_acceleration_source, source3d_adapter);
static const hk_service gps_adapter_services[] =
    REQUIRED("rSource", hk_auv_position_source, source3d_adapter);
static const hk_service any1d_adapter_services[] =
    REQUIRED("rSource", hk_auv_source1d, source1d_adapter);
static const hk_service depth_adapter_services[] =
    REQUIRED("rSource", hk_auv_depth_source, source1d_adapter);
static const hk_service compass_adapter_services[] =
    REQUIRED("rSource", hk_auv_heading_source, source1d_adapter);

/* A type has a step of its own, so that a compiler that knows to whom it is bound can put what it
 * calls into it. */
#define ADAPTER(c_name, full_name, struct_type, ask, port_table, service_table)                    \
    static int c_name##_step(void *self, double t, double h) {                                     \
        return ask(self, t, h);                                                                    \
    }                                                                                              \
    const hk_unit_type hk_auv_##c_name = {AUV_TYPE(struct_type, full_name, port_table),            \
                                          .description = "Asks the source that is bound",          \
                                          .stamp = HK_STAMP_END,                                   \
                                          .step = c_name##_step,                                   \
                                          .services = (service_table),                             \
                                          .service_count = COUNT(service_table)}

ADAPTER(dvl_adapter, "sensors.DvlAdapter", source3d_adapter, ask3d, dvl_ports,
        dvl_adapter_services);
ADAPTER(source3d_adapter, "sensors.Source3DAdapter", source3d_adapter, ask3d, any3d_ports,
        any3d_adapter_services);
ADAPTER(gyro_adapter, "sensors.GyroAdapter", source3d_adapter, ask3d, gyro_ports,
        gyro_adapter_services);
ADAPTER(accelerometer_adapter, "sensors.AccelerometerAdapter", source3d_adapter, ask3d,
        accelerometer_ports, accelerometer_adapter_services);
ADAPTER(gps_adapter, "sensors.GpsAdapter", source3d_adapter, ask3d, gps_ports,
        gps_adapter_services);
ADAPTER(source1d_adapter, "sensors.Source1DAdapter", source1d_adapter, ask1d, any1d_ports,
        any1d_adapter_services);
ADAPTER(depth_adapter, "sensors.DepthAdapter", source1d_adapter, ask1d, depth_ports,
        depth_adapter_services);
ADAPTER(compass_adapter, "sensors.CompassAdapter", source1d_adapter, ask1d, compass_ports,
        compass_adapter_services);
