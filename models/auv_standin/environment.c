/* SPDX-License-Identifier: MIT
 *
 * The sea: its bed and its current, each from a model or from a file, and an adapter that passes
 * requests on to the one that is bound. */
#include "standin.h"

/* ---- current from a model ---- */

typedef struct current_model {
    coordinate2d current;
    double mean_speed, mean_direction;
    int64_t configurations, requests;
    double nominal_speed, direction, amplitude, period, offset;
    double time; /* s, of the next answer */
} current_model;

static const hk_port current_model_ports[] = {
    NAMED(current_model, current.x, "current.x", HK_OUTPUT, HK_TYPE_F64, .unit = "m/s"),
    NAMED(current_model, current.y, "current.y", HK_OUTPUT, HK_TYPE_F64, .unit = "m/s"),
    NAMED(current_model, mean_speed, "meanSpeed", HK_OUTPUT, HK_TYPE_F64, .unit = "m/s"),
    NAMED(current_model, mean_direction, "meanDirection", HK_OUTPUT, HK_TYPE_F64, .unit = "deg"),
    HK_PORT(current_model, configurations, HK_OUTPUT, HK_TYPE_I64),
    HK_PORT(current_model, requests, HK_OUTPUT, HK_TYPE_I64),
    PARAMETER(current_model, nominal_speed, "nominalSpeed", "m/s", "0"),
    PARAMETER(current_model, direction, "direction", "deg", "0"),
    PARAMETER(current_model, amplitude, "amplitude", "m/s", "0"),
    PARAMETER(current_model, period, "period", "s", "44712"),
    PARAMETER(current_model, offset, "offset", "s", "0"),
};

static coordinate2d current_at(const current_model *x, double t) {
    const double turn = 2 * 3.14159265358979323846;
    double speed = x->nominal_speed;
    if (x->amplitude != 0)
        speed += x->amplitude * hk_sin(turn * (t - x->offset) / x->period);
    double angle = DEGREES(x->direction);
    return (coordinate2d){speed * hk_sin(angle), speed * hk_cos(angle)};
}

static bool model_set_time(void *self, int64_t time, coordinate2d position) {
    (void)position; /* the same everywhere */
    ((current_model *)self)->time = 1e-3 * (double)time;
    return true;
}

static coordinate2d model_get_current(void *self) {
    current_model *x = self;
    x->requests++;
    return current_at(x, x->time);
}

static void model_set_speed(void *self, double speed, double direction) {
    current_model *x = self;
    x->nominal_speed = speed;
    x->direction = direction;
    x->configurations++;
}

static void model_set_signal(void *self, double amplitude, double period, double offset) {
    current_model *x = self;
    x->amplitude = amplitude;
    x->period = period;
    x->offset = offset;
    x->configurations++;
}

static const current_source model_source = {model_set_time, model_get_current};
static const current_config model_config = {model_set_speed, model_set_signal};
static const hk_service current_model_services[] = {
    {"pConfigCurrentModel", &hk_standin_current_config, &model_config, 0},
    {"itfCurrentModel", &hk_standin_current_source, &model_source, 0},
};

static int current_model_step(void *self, double t, double h) {
    current_model *x = self;
    if (!(x->period > 0))
        return HK_STEP_FAILED;
    x->current = current_at(x, t + h);
    x->mean_speed = x->nominal_speed;
    x->mean_direction = x->direction;
    return HK_STEP_OK;
}

const hk_unit_type hk_standin_current_model = {
    STANDIN_TYPE(current_model, "environment.CurrentModel", current_model_ports),
    .description = "A current that varies as a sine", .step = current_model_step,
    .services = current_model_services, .service_count = COUNT(current_model_services)};

/* ---- current from a file ---- */

typedef struct reader {
    hk_bytes file_name;
    bool opened;
    int64_t requests;
} reader;

static int reader_step(void *self, double t, double h) {
    reader *x = self;
    (void)t, (void)h;
    x->opened = x->opened || hk_standin_open(&x->file_name);
    return x->opened ? HK_STEP_OK : HK_STEP_FAILED;
}

#define FILE_NAME(default_text)                                                                    \
    NAMED(reader, file_name, "fileName", HK_PARAMETER, HK_TYPE_STRING, .start = (default_text),    \
          .tunable = true)

static bool file_set_time(void *self, int64_t time, coordinate2d position) {
    (void)time, (void)position;
    return ((reader *)self)->opened;
}

static coordinate2d file_get_current(void *self) {
    ((reader *)self)->requests++;
    return (coordinate2d){0};
}

static const current_source file_source = {file_set_time, file_get_current};
static const hk_port s111_ports[] = {
    HK_PORT(reader, requests, HK_OUTPUT, HK_TYPE_I64),
    FILE_NAME("current.h5"),
};
static const hk_service s111_services[] = {{"pS111", &hk_standin_current_source, &file_source, 0}};

const hk_unit_type hk_standin_s111_current_file = {
    STANDIN_TYPE(reader, "environment.S111CurrentFile", s111_ports), .step = reader_step,
    .services = s111_services, .service_count = COUNT(s111_services)};

/* ---- current, whichever is bound ---- */

typedef struct current_adapter {
    current_source_binding source;
} current_adapter;

static bool adapter_set_time(void *self, int64_t time, coordinate2d position) {
    const current_source_binding *to = &((current_adapter *)self)->source;
    return to->functions->set_time(to->self, time, position);
}

static coordinate2d adapter_get_current(void *self) {
    const current_source_binding *to = &((current_adapter *)self)->source;
    return to->functions->get_current(to->self);
}

static int adapter_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h; /* it only answers */
    return HK_STEP_OK;
}

static const current_source adapter_source = {adapter_set_time, adapter_get_current};
static const hk_service current_adapter_services[] = {
    {"pCurrent", &hk_standin_current_source, &adapter_source, 0},
    {"rCurrentSource", &hk_standin_current_source, NULL, offsetof(current_adapter, source)},
};

const hk_unit_type hk_standin_current_adapter = {.abi = HK_UNIT_ABI,
                                                 .size = sizeof(hk_unit_type),
                                                 .name = "environment.CurrentAdapter",
                                                 .instance_size = sizeof(current_adapter),
                                                 .step = adapter_step,
                                                 .services = current_adapter_services,
                                                 .service_count = COUNT(current_adapter_services)};

/* ---- sea bed from a model ---- */

typedef struct mnt_model {
    int64_t requests;
    double depth;
} mnt_model;

static const hk_port mnt_model_ports[] = {
    HK_PORT(mnt_model, requests, HK_OUTPUT, HK_TYPE_I64),
    PARAMETER(mnt_model, depth, "depth", "m", "100"),
};

static double mnt_model_depth(void *self, coordinate2d position) {
    mnt_model *x = self;
    (void)position; /* the bed is flat */
    x->requests++;
    return x->depth;
}

static const mnt_source mnt_model_source = {mnt_model_depth};
static const hk_service mnt_model_services[] = {
    {"pMntModel", &hk_standin_mnt_source, &mnt_model_source, 0}};

const hk_unit_type hk_standin_mnt_model = {
    STANDIN_TYPE(mnt_model, "environment.MntModel", mnt_model_ports), .step = adapter_step,
    .services = mnt_model_services, .service_count = COUNT(mnt_model_services)};

/* ---- sea bed from a file ---- */

static const hk_port geo_tiff_ports[] = {
    HK_PORT(reader, requests, HK_OUTPUT, HK_TYPE_I64),
    FILE_NAME("bathy.tif"),
};

static double geo_tiff_depth(void *self, coordinate2d position) {
    (void)position;
    ((reader *)self)->requests++;
    return 0;
}

static const mnt_source geo_tiff_source = {geo_tiff_depth};
static const hk_service geo_tiff_services[] = {
    {"pGeoTiff", &hk_standin_mnt_source, &geo_tiff_source, 0}};

const hk_unit_type hk_standin_geo_tiff = {
    STANDIN_TYPE(reader, "environment.GeoTiff", geo_tiff_ports), .step = reader_step,
    .services = geo_tiff_services, .service_count = COUNT(geo_tiff_services)};

/* ---- sea bed, whichever is bound ---- */

typedef struct mnt_adapter {
    double depth;
    mnt_source_binding source;
} mnt_adapter;

static const hk_port mnt_adapter_ports[] = {
    HK_PORT(mnt_adapter, depth, HK_OUTPUT, HK_TYPE_F64, .unit = "m")};

static double mnt_adapter_depth(void *self, coordinate2d position) {
    const mnt_source_binding *to = &((mnt_adapter *)self)->source;
    return to->functions->get_depth(to->self, position);
}

static int mnt_adapter_step(void *self, double t, double h) {
    mnt_adapter *x = self;
    (void)t, (void)h;
    x->depth = mnt_adapter_depth(x, (coordinate2d){0});
    return HK_STEP_OK;
}

static const mnt_source mnt_adapter_source = {mnt_adapter_depth};
static const hk_service mnt_adapter_services[] = {
    {"pMnt", &hk_standin_mnt_source, &mnt_adapter_source, 0},
    {"rMntSource", &hk_standin_mnt_source, NULL, offsetof(mnt_adapter, source)},
};

const hk_unit_type hk_standin_mnt_adapter = {
    STANDIN_TYPE(mnt_adapter, "environment.MntAdapter", mnt_adapter_ports),
    .step = mnt_adapter_step, .services = mnt_adapter_services,
    .service_count = COUNT(mnt_adapter_services)};
