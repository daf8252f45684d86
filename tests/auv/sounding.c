/* SPDX-License-Identifier: MIT
 *
 * For tests of the environment alone: its leaves that need no library, and one that goes along a
 * line and asks for the sea bed and the current there. */
#include "environment.h"

extern const hk_unit_type hk_auv_earth, hk_auv_current_model, hk_auv_current_series,
    hk_auv_current_adapter, hk_auv_mnt_model, hk_auv_mnt_adapter;

typedef struct sounding {
    double depth, east, north;
    bool known;
    double from_north, from_east, north_speed, east_speed;
    double latitude, longitude, latitude_speed, longitude_speed;
    mnt_source_binding bed;
    current_source_binding current;
} sounding;

static const hk_port sounding_ports[] = {
    NUMBER_OUT(sounding, depth, "depth", "m"),
    NUMBER_OUT(sounding, east, "east", "m/s"),
    NUMBER_OUT(sounding, north, "north", "m/s"),
    TRUTH_OUT(sounding, known, "known"),
    PARAMETER(sounding, from_north, "fromNorth", "m", "0"),
    PARAMETER(sounding, from_east, "fromEast", "m", "0"),
    PARAMETER(sounding, north_speed, "northSpeed", "m/s", "0"),
    PARAMETER(sounding, east_speed, "eastSpeed", "m/s", "0"),
    PARAMETER(sounding, latitude, "latitude", "deg", "0"),
    PARAMETER(sounding, longitude, "longitude", "deg", "0"),
    PARAMETER(sounding, latitude_speed, "latitudeSpeed", "deg/s", "0"),
    PARAMETER(sounding, longitude_speed, "longitudeSpeed", "deg/s", "0"),
};
static const hk_service sounding_services[] = {
    {"rMnt", &hk_auv_mnt_source, NULL, offsetof(sounding, bed)},
    {"rCurrent", &hk_auv_current_source, NULL, offsetof(sounding, current)},
};

/* A run does not record what is not a number. */
static double shown(double number) {
    return isnan(number) ? -1e9 : number;
}

static int sounding_step(void *self, double t, double h) {
    sounding *x = self;
    (void)h;
    coordinate2d at = {x->from_north + t * x->north_speed, x->from_east + t * x->east_speed};
    coordinate2d place = {x->latitude + t * x->latitude_speed,
                          x->longitude + t * x->longitude_speed};
    x->depth = shown(x->bed.functions->get_depth(x->bed.self, at));
    x->known =
        x->current.functions->set_time(x->current.self, (int64_t)floor(1000 * t + 0.5), place);
    coordinate2d current = x->current.functions->get_current(x->current.self);
    x->east = shown(current.x);
    x->north = shown(current.y);
    return HK_STEP_OK;
}

static const hk_unit_type sounding_type = {AUV_TYPE(sounding, "test.Sounding", sounding_ports),
                                           .step = sounding_step, .services = sounding_services,
                                           .service_count = COUNT(sounding_services)};

static const hk_unit_type *const types[] = {
    &hk_auv_earth,     &hk_auv_current_model, &hk_auv_current_series, &hk_auv_current_adapter,
    &hk_auv_mnt_model, &hk_auv_mnt_adapter,   &sounding_type,         NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}
