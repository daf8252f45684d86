/* SPDX-License-Identifier: MIT
 *
 * A current from a file of S-111, read when it is asked for the first time, or in the first step.
 */
#include "s111.h"

#include "environment.h"

#include <hk/geo.h>
#include <string.h>

enum { DEPTH_ANY, DEPTH_EXACT };
static const hk_enum_item depth_items[] = {{"Any", DEPTH_ANY}, {"Exact", DEPTH_EXACT}};
static const hk_enum_type depth_type = {"environment.DepthPolicy", depth_items, COUNT(depth_items)};

typedef struct s111_current {
    asked_file asked;
    hk_bytes time_origin;
    int64_t end, depth_policy;
    double depth, reach;
    coordinate2d answer;
    char origin_text[24]; /* of ORIGIN, if it IS_READ */
    double origin;
    bool is_read;
} s111_current;

static const hk_port s111_current_ports[] = {
    FILE_PORTS(s111_current, "current.h5"),
    TEXT_PARAMETER(s111_current, time_origin, "timeOrigin", ""),
    ITEM_PARAMETER(s111_current, end, "end", "0"),
    ITEM_PARAMETER(s111_current, depth_policy, "depthPolicy", "0"),
    PARAMETER(s111_current, depth, "depth", "m", "4.5"),
    PARAMETER(s111_current, reach, "reach", "m", "5000"),
};
static const hk_domain s111_current_domains[] = {
    {.port = "end", .enumeration = &hk_auv_end_type},
    {.port = "depthPolicy", .enumeration = &depth_type},
    {.port = "depth", .min = "0", .max = "12000"},
    {.port = "reach", .min = "0", .max = "1e6"},
};

static const s111 *content(s111_current *x) {
    const opened_file *file = hk_auv_opened(&x->asked, hk_auv_read_s111, NULL);
    return file ? file->data : NULL;
}

/* UTC at the time 0 of the run, seconds since 1970. */
static bool find_origin(s111_current *x, const s111 *file, double *ret_origin) {
    const char *text = x->time_origin.size ? x->time_origin.data : "";
    if (x->is_read && strcmp(text, x->origin_text) != 0)
        x->is_read = false;
    if (!x->is_read && strlen(text) < sizeof x->origin_text && hk_auv_utc(text, &x->origin)) {
        memcpy(x->origin_text, text, strlen(text) + 1);
        x->is_read = true;
    }
    *ret_origin = x->is_read ? x->origin : file->first;
    if (x->is_read || !*text)
        return true;
    hk_auv_fail(&x->asked.why,
                "timeOrigin is '%.40s': a time as 20260101T000000Z or 2026-01-01T00:00:00 is "
                "expected, or nothing for that of the first record",
                text);
    return false;
}

static bool find_current(s111_current *x, const s111 *file, double time, coordinate2d position,
                         coordinate2d *ret) {
    double north = position.x, east = position.y, reach = x->reach;
    if (time > file->last && x->end == END_REPEAT && file->last > file->first)
        time = file->first + fmod(time - file->first, file->last - file->first);
    if (file->zone) {
        hk_geo_utm utm =
            hk_geo_utm_of_point(hk_geo_point_of_degrees(north, east, 0), file->zone, file->south);
        north = utm.northing;
        east = utm.easting;
    } else {
        reach /= 60 * 1852;
    }
    return hk_auv_s111_at(file, north, east, time, reach, ret);
}

static bool s111_set_time(void *self, int64_t time, coordinate2d position) {
    s111_current *x = self;
    const s111 *file = content(x);
    double origin;
    if (file && find_origin(x, file, &origin) &&
        find_current(x, file, origin + 1e-3 * (double)time, position, &x->answer))
        return true;
    x->answer = UNKNOWN_CURRENT;
    return false;
}

static coordinate2d s111_get_current(void *self) {
    s111_current *x = self;
    x->asked.requests++;
    return x->answer;
}

static int s111_current_step(void *self, double t, double h) {
    s111_current *x = self;
    const s111 *file = content(x);
    double origin;
    (void)h;
    if (!file || !find_origin(x, file, &origin))
        return HK_STEP_FAILED;
    const char *name = ((const opened_file *)x->asked.file.data)->path;
    if (x->depth_policy == DEPTH_EXACT && !(file->has_depth && fabs(file->depth - x->depth) < 0.05))
        return hk_auv_fail(
            &x->asked.why, "'%s' %s%g m, and %g m is expected (depthPolicy Exact)", name,
            file->has_depth ? "holds for a depth of " : "does not say its depth: ", file->depth,
            x->depth);
    if (x->end == END_STOP && origin + t > file->last)
        return hk_auv_fail(&x->asked.why, "'%s' ends at %g s of this run, and 'end' is Stop", name,
                           file->last - origin);
    if (origin + t < file->first)
        return hk_auv_fail(&x->asked.why, "'%s' begins at %g s of this run: set another timeOrigin",
                           name, file->first - origin);
    return HK_STEP_OK;
}

FILE_COMPLAINT(s111_current)

static const current_source s111_source = {s111_set_time, s111_get_current};
static const hk_service s111_current_services[] = {
    {"pS111", &hk_auv_current_source, &s111_source, 0}};
static const hk_resource_field s111_current_resource = {offsetof(s111_current, asked.file),
                                                        hk_auv_close};

const hk_unit_type hk_auv_s111_current = {AUV_WHOLE_TYPE(s111_current,
                                                         "environment.S111CurrentFile",
                                                         "A current from a file of IHO S-111"),
                                          .resource = &s111_current_resource};
