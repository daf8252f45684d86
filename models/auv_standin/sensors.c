/* SPDX-License-Identifier: MIT
 *
 * Sensors: a change of frame, an error model, a reader of measured values, and an adapter that asks
 * the one that is bound. */
#include "standin.h"

/* ---- sensors.BodyToSensor ---- */

typedef struct body_to_sensor {
    coordinate3d in, out;
    double theta;
    double known, sine, cosine; /* of the angle that was seen last */
} body_to_sensor;

static const hk_port body_to_sensor_ports[] = {
    XYZ(body_to_sensor, in, "in", HK_INPUT, "m/s"),
    XYZ(body_to_sensor, out, "out", HK_OUTPUT, "m/s"),
    PARAMETER(body_to_sensor, theta, "thetaDVL", "deg", "0"),
};

static int body_to_sensor_init(void *self, double t) {
    body_to_sensor *x = self;
    (void)t;
    x->known = x->theta;
    x->sine = hk_sin(DEGREES(x->theta));
    x->cosine = hk_cos(DEGREES(x->theta));
    return HK_STEP_OK;
}

static int body_to_sensor_step(void *self, double t, double h) {
    body_to_sensor *x = self;
    (void)h;
    if (x->theta != x->known)
        body_to_sensor_init(self, t);
    x->out.x = x->cosine * x->in.x + x->sine * x->in.y;
    x->out.y = x->cosine * x->in.y - x->sine * x->in.x;
    x->out.z = x->in.z;
    return HK_STEP_OK;
}

const hk_unit_type hk_standin_body_to_sensor = {
    STANDIN_TYPE(body_to_sensor, "sensors.BodyToSensor", body_to_sensor_ports),
    .init = body_to_sensor_init, .step = body_to_sensor_step};

/* ---- sensors.Error3D ---- */

typedef struct error3d {
    coordinate3d in, out;
    double sigma, bias;
    hk_stream noise;
    int64_t number; /* of the activation */
} error3d;

static const hk_port error3d_ports[] = {
    XYZ(error3d, in, "in", HK_INPUT, NULL),
    XYZ(error3d, out, "out", HK_OUTPUT, NULL),
    PARAMETER(error3d, sigma, "sigma", NULL, "0"),
    PARAMETER(error3d, bias, "bias", NULL, "0"),
};

static int error3d_step(void *self, double t, double h) {
    error3d *x = self;
    (void)t, (void)h;
    x->out = x->in;
    if (x->bias != 0)
        x->out = (coordinate3d){x->in.x + x->bias, x->in.y + x->bias, x->in.z + x->bias};
    if (x->sigma > 0) {
        x->out.x += x->sigma * hk_stream_normal(&x->noise, x->number, 0);
        x->out.y += x->sigma * hk_stream_normal(&x->noise, x->number, 1);
        x->out.z += x->sigma * hk_stream_normal(&x->noise, x->number, 2);
    }
    x->number++;
    return HK_STEP_OK;
}

static coordinate3d error3d_value(void *self) {
    return ((error3d *)self)->out;
}

static const source3d error3d_source = {error3d_value};
static const hk_service error3d_services[] = {
    {"pitfEDVL", &hk_standin_source3d, &error3d_source, 0}};
static const hk_stream_field error3d_streams[] = {
    {.name = "noise", .offset = offsetof(error3d, noise)}};

const hk_unit_type hk_standin_error3d = {STANDIN_TYPE(error3d, "sensors.Error3D", error3d_ports),
                                         .description = "White noise and a bias",
                                         .step = error3d_step,
                                         .services = error3d_services,
                                         .service_count = COUNT(error3d_services),
                                         .streams = error3d_streams,
                                         .stream_count = COUNT(error3d_streams),
                                         .random_scales = "sigma"};

/* ---- sensors.DvlReader ---- */

typedef struct dvl_reader {
    hk_bytes file_name;
    bool opened;
} dvl_reader;

static const hk_port dvl_reader_ports[] = {NAMED(dvl_reader, file_name, "fileName", HK_PARAMETER,
                                                 HK_TYPE_STRING, .start = "dvl.csv",
                                                 .tunable = true)};

static int dvl_reader_step(void *self, double t, double h) {
    dvl_reader *x = self;
    (void)t, (void)h;
    x->opened = x->opened || hk_standin_open(&x->file_name);
    return x->opened ? HK_STEP_OK : HK_STEP_FAILED;
}

static coordinate3d dvl_reader_value(void *self) {
    (void)self;
    return (coordinate3d){0};
}

static const source3d dvl_reader_source = {dvl_reader_value};
static const hk_service dvl_reader_services[] = {
    {"pItfReader", &hk_standin_source3d, &dvl_reader_source, 0}};

const hk_unit_type hk_standin_dvl_reader = {
    STANDIN_TYPE(dvl_reader, "sensors.DvlReader", dvl_reader_ports), .step = dvl_reader_step,
    .services = dvl_reader_services, .service_count = COUNT(dvl_reader_services)};

/* ---- sensors.DvlAdapter ---- */

typedef struct dvl_adapter {
    coordinate3d out;
    source3d_binding source;
} dvl_adapter;

static const hk_port dvl_adapter_ports[] = {XYZ(dvl_adapter, out, "out", HK_OUTPUT, "m/s")};

static int dvl_adapter_step(void *self, double t, double h) {
    dvl_adapter *x = self;
    (void)t, (void)h;
    x->out = x->source.functions->get_value(x->source.self);
    return HK_STEP_OK;
}

static const hk_service dvl_adapter_services[] = {
    {"rItfEDVL", &hk_standin_source3d, NULL, offsetof(dvl_adapter, source)}};

const hk_unit_type hk_standin_dvl_adapter = {
    STANDIN_TYPE(dvl_adapter, "sensors.DvlAdapter", dvl_adapter_ports), .step = dvl_adapter_step,
    .services = dvl_adapter_services, .service_count = COUNT(dvl_adapter_services)};
