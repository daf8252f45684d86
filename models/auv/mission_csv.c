/* SPDX-License-Identifier: MIT
 *
 * mission.CsvMission: way-points from a table. */
#include "columns.h"
#include "place.h"

#include <stdlib.h>

typedef struct csv_mission {
    int32_t count;
    hk_bytes file_name;
    place place;
    hk_resource file; /* a route */
    words why, far;
} csv_mission;

typedef struct route {
    table_key key;
    int32_t count;
    waypoint points[];
} route;

static const hk_port csv_mission_ports[] = {
    HK_PORT(csv_mission, count, HK_OUTPUT, HK_TYPE_I32),
    NAMED(csv_mission, file_name, "fileName", HK_PARAMETER, HK_TYPE_STRING, .start = "mission.csv"),
    PLACE_PARAMETERS(csv_mission, place),
};

/* ---- reading ---- */

typedef struct layout {
    column north, east, latitude, longitude, down, up, speed;
} layout;

static bool find_columns(const csv_file *file, layout *l, words *why) {
    const char *path = hk_auv_csv_path(file);
    char names[100];
    hk_auv_csv_names(file, names, sizeof names);
    if (!hk_auv_column_find(file, "north", A_LENGTH, "m", &l->north, why) ||
        !hk_auv_column_find(file, "east", A_LENGTH, "m", &l->east, why) ||
        !hk_auv_column_find(file, "latitude lat", AN_ANGLE, "deg", &l->latitude, why) ||
        !hk_auv_column_find(file, "longitude lon", AN_ANGLE, "deg", &l->longitude, why) ||
        !hk_auv_column_find(file, "depth down", A_LENGTH, "m", &l->down, why) ||
        !hk_auv_column_find(file, "altitude height", A_LENGTH, "m", &l->up, why) ||
        !hk_auv_column_find(file, "speed", A_SPEED, "m/s", &l->speed, why))
        return false;
    bool ned = hk_auv_column_is(l->north) && hk_auv_column_is(l->east);
    bool geo = hk_auv_column_is(l->latitude) && hk_auv_column_is(l->longitude);
    if (ned == geo)
        return hk_auv_fail(why,
                           "%s: way-points have %s: columns 'north' and 'east', or 'latitude' "
                           "and 'longitude'; there are %s",
                           path, ned ? "two places" : "no place", names),
               false;
    if (hk_auv_column_is(l->down) == hk_auv_column_is(l->up))
        return hk_auv_fail(
                   why,
                   "%s: way-points have one column 'depth' (down) or 'altitude' (up); there are %s",
                   path, names),
               false;
    if (!hk_auv_column_is(l->speed))
        return hk_auv_fail(why, "%s: there is no column 'speed'; there are %s", path, names), false;
    return true;
}

/* A flat Earth is one near its origin: who is far away has another origin in mind. */
static void note_far(csv_mission *x, const csv_file *file, size_t row, const waypoint *point) {
    enum { FAR = 100000 };
    double away =
        sqrt(point->position.x * point->position.x + point->position.y * point->position.y);
    if (x->place.earth != EARTH_FLAT || away <= FAR || *x->far.text)
        return;
    hk_auv_fail(&x->far,
                "%s:%zu: the way-point is %.0f km away from the origin of a flat Earth (%g, %g): "
                "are latitude, longitude and the origin right?",
                hk_auv_csv_path(file), hk_auv_csv_line(file, row), away / 1000, x->place.latitude,
                x->place.longitude);
}

static bool read_point(csv_mission *x, const csv_file *file, size_t row, const layout *l,
                       waypoint *ret) {
    double down = hk_auv_column_is(l->down) ? hk_auv_column_get(file, row, l->down)
                                            : -hk_auv_column_get(file, row, l->up);
    if (hk_auv_column_is(l->north))
        ret->position = (coordinate3d){hk_auv_column_get(file, row, l->north),
                                       hk_auv_column_get(file, row, l->east), down};
    else
        ret->position = hk_auv_ned_of_point(
            &x->place, (hk_geo_point){hk_auv_column_get(file, row, l->latitude),
                                      hk_auv_column_get(file, row, l->longitude), -down});
    ret->speed = hk_auv_column_get(file, row, l->speed);
    const char *path = hk_auv_csv_path(file);
    size_t line = hk_auv_csv_line(file, row);
    if (!isfinite(ret->position.x) || !isfinite(ret->position.y) || !isfinite(ret->position.z))
        return hk_auv_fail(&x->why, "%s:%zu: the place of the way-point is not complete", path,
                           line),
               false;
    if (hk_auv_column_is(l->latitude) && fabs(hk_auv_column_get(file, row, l->latitude)) > PI / 2)
        return hk_auv_fail(&x->why, "%s:%zu: a latitude is at most 90 degrees", path, line), false;
    if (down < 0)
        return hk_auv_fail(&x->why, "%s:%zu: the way-point is %g m above the surface", path, line,
                           -down),
               false;
    note_far(x, file, row, ret);
    if (!(ret->speed >= 0))
        return hk_auv_fail(&x->why, "%s:%zu: the speed of the way-point is not 0 or more", path,
                           line),
               false;
    return true;
}

static void free_route(void *data) {
    route *r = data;
    if (r)
        free(r->key.name);
    free(r);
}

static route *read_route(csv_mission *x, const csv_file *file) {
    layout l;
    size_t rows = hk_auv_csv_rows(file);
    if (!find_columns(file, &l, &x->why))
        return NULL;
    route *r = rows > 1000000 ? NULL : calloc(1, sizeof *r + rows * sizeof *r->points);
    if (!r) {
        hk_auv_fail(&x->why, "%s: %zu way-points are too many", hk_auv_csv_path(file), rows);
        return NULL;
    }
    r->count = (int32_t)rows;
    for (size_t i = 0; i < rows; i++)
        if (!read_point(x, file, i, &l, &r->points[i])) {
            free_route(r);
            return NULL;
        }
    return r;
}

/* NULL: it cannot be read, and WHY says why. */
static const route *route_of(csv_mission *x) {
    const double wanted[5] = {(double)x->place.earth, x->place.latitude, x->place.longitude};
    route *r = x->file.data;
    if (r && hk_auv_key_fits(&r->key, &x->file_name, wanted))
        return r;
    free_route(r);
    x->file.data = NULL;
    x->far = (words){0};
    csv_file *file = hk_auv_csv_read(x->file.folder, &x->file_name, &x->why);
    if (!file)
        return NULL;
    r = read_route(x, file);
    hk_auv_csv_free(file);
    if (r && !hk_auv_key_make(&r->key, &x->file_name, wanted)) {
        free_route(r);
        r = NULL;
        hk_auv_fail(&x->why, "there is no memory left");
    }
    x->file.data = r;
    return r;
}

/* ---- answering ---- */

static int32_t mission_get_count(void *self) {
    const route *r = route_of(self);
    return r ? r->count : -1;
}

static waypoint mission_get_waypoint(void *self, int32_t index) {
    const route *r = route_of(self);
    const double nothing = (double)NAN;
    return r && index >= 0 && index < r->count ? r->points[index]
                                               : (waypoint){{nothing, nothing, nothing}, nothing};
}

static int csv_mission_step(void *self, double t, double h) {
    csv_mission *x = self;
    (void)t, (void)h;
    const route *r = route_of(x);
    x->count = r ? r->count : 0;
    return r ? HK_STEP_OK : HK_STEP_FAILED;
}

static const waypoint_source mission_source = {mission_get_count, mission_get_waypoint};
static const hk_service csv_mission_services[] = {
    {"pMission", &hk_auv_waypoint_source, &mission_source, 0}};
static const hk_domain csv_mission_domains[] = {PLACE_DOMAIN};
static const hk_resource_field csv_mission_resource = {offsetof(csv_mission, file), free_route};

COMPLAINT(csv_mission)

static const char *csv_mission_remark(void *self) {
    const csv_mission *x = self;
    return *x->far.text ? x->far.text : NULL;
}

const hk_unit_type hk_auv_csv_mission = {
    AUV_TYPE(csv_mission, "mission.CsvMission", csv_mission_ports),
    .description = "Way-points from a table",
    .step = csv_mission_step,
    SERVICES(csv_mission_services),
    DOMAINS(csv_mission_domains),
    .complaint = csv_mission_complaint,
    .resource = &csv_mission_resource,
    .remark = csv_mission_remark};
