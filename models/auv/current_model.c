/* SPDX-License-Identifier: MIT
 *
 * A current that is the same everywhere and varies as a sine: toward a direction, with the speed
 * nominalSpeed + amplitude sin(2 pi (t + offset) / period). */
#include "environment.h"

typedef struct current_model {
    coordinate2d current;
    double mean_speed, mean_direction;
    int64_t configurations, requests;
    double nominal_speed, direction, amplitude, period, offset;
    double time;                /* s, of the next answer */
    double turned, east, north; /* the direction, and where it points */
    bool known;                 /* these three are */
    words why;
} current_model;

static const hk_port current_model_ports[] = {
    NUMBER_OUT(current_model, current.x, "current.x", "m/s"),
    NUMBER_OUT(current_model, current.y, "current.y", "m/s"),
    NUMBER_OUT(current_model, mean_speed, "meanSpeed", "m/s"),
    NUMBER_OUT(current_model, mean_direction, "meanDirection", "deg"),
    HK_PORT(current_model, configurations, HK_OUTPUT, HK_TYPE_I64),
    HK_PORT(current_model, requests, HK_OUTPUT, HK_TYPE_I64),
    PARAMETER(current_model, nominal_speed, "nominalSpeed", "m/s", "0"),
    PARAMETER(current_model, direction, "direction", "deg", "0"),
    PARAMETER(current_model, amplitude, "amplitude", "m/s", "0"),
    PARAMETER(current_model, period, "period", "s", "44712"),
    PARAMETER(current_model, offset, "offset", "s", "0"),
};
static const hk_domain current_model_domains[] = {{.port = "period", .min = "1", .max = "1e9"}};

static coordinate2d current_at(current_model *x, double t) {
    double speed = x->nominal_speed;
    if (x->amplitude != 0)
        speed += x->amplitude * hk_sin(2 * PI * (t + x->offset) / x->period);
    if (!x->known || x->turned != x->direction) {
        x->turned = x->direction;
        x->east = hk_sin(DEGREES(x->direction));
        x->north = hk_cos(DEGREES(x->direction));
        x->known = true;
    }
    return (coordinate2d){speed * x->east, speed * x->north};
}

static bool model_set_time(void *self, int64_t time, coordinate2d position) {
    (void)position;
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
    {"pConfigCurrentModel", &hk_auv_current_config, &model_config, 0},
    {"itfCurrentModel", &hk_auv_current_source, &model_source, 0},
};

static int current_model_step(void *self, double t, double h) {
    current_model *x = self;
    if (!(x->period > 0))
        return hk_auv_fail(&x->why, "the period of the current is %g s: it must be more than 0",
                           x->period);
    x->current = current_at(x, t + h);
    x->mean_speed = x->nominal_speed;
    x->mean_direction = x->direction;
    return HK_STEP_OK;
}

COMPLAINT(current_model)

const hk_unit_type hk_auv_current_model = {
    AUV_WHOLE_TYPE(current_model, "environment.CurrentModel", "A current that varies as a sine")};
