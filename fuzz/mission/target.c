/* SPDX-License-Identifier: MIT
 *
 * Tables as missions and as logs of states: what is accepted has an answer, and curves through it
 * have one everywhere; what is not has words that name the file. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include "spline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern const hk_unit_type hk_auv_csv_mission, hk_auv_drone_reader;

static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, 2};

static void *port(const hk_unit_type *type, void *self, const char *name) {
    for (size_t i = 0; i < type->port_count; i++)
        if (strcmp(type->ports[i].name, name) == 0)
            return (char *)self + type->ports[i].offset;
    HK_ASSERT(false);
    return NULL;
}

static bool is_number(hk_geo_vector3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* Places that no vehicle reaches are places all the same, until their distances have no squares. */
static bool is_reachable(const waypoint *p) {
    double size = fabs(p->position.x) + fabs(p->position.y) + fabs(p->position.z) + p->speed;
    return size < 1e9;
}

static void walk(const waypoint *points, int32_t count, int64_t curve) {
    words why = {""};
    spline *s = hk_auv_spline_make(points, count, curve, 0.5, &why);
    HK_ASSERT((s != NULL) == !*why.text);
    for (int i = 0; s && i <= 20; i++) {
        double length = s->length * i / 20;
        int32_t piece = hk_auv_spline_piece_at(s, length, 0);
        spline_point p = hk_auv_spline_at(&s->pieces[piece], length);
        HK_ASSERT(is_number(p.position) && is_number(p.direction));
    }
    free(s);
}

static void look_at_mission(void *self) {
    const waypoint_source *source = hk_auv_csv_mission.services[0].functions;
    int32_t count = source->get_count(self);
    HK_ASSERT(count > 0);
    waypoint *points = malloc((size_t)count * sizeof *points);
    HK_ASSERT(points);
    bool reachable = true;
    for (int32_t i = 0; i < count; i++) {
        points[i] = source->get_waypoint(self, i);
        HK_ASSERT(points[i].speed >= 0);
        reachable = reachable && is_reachable(&points[i]);
    }
    for (int64_t curve = CATMULL_ROM; reachable && count < 200 && curve <= IN_TENSION; curve++)
        walk(points, count, curve);
    free(points);
}

static void step_all(const hk_unit_type *type, const char *path) {
    void *self = calloc(1, type->instance_size);
    HK_ASSERT(self);
    hk_resource *resource = (hk_resource *)((char *)self + type->resource->offset);
    *(hk_bytes *)port(type, self, "fileName") = (hk_bytes){path, strlen(path)};
    bool is_log = type == &hk_auv_drone_reader;
    if (is_log)
        *(double *)port(type, self, "timeScale") = 1;
    bool good = type->step(self, 0, 0.1) == HK_STEP_OK;
    HK_ASSERT(good == !type->complaint(self));
    HK_ASSERT(good == (resource->data != NULL));
    HK_ASSERT(good || strstr(type->complaint(self), path));
    if (good && !is_log)
        look_at_mission(self);
    for (int i = 1; good && is_log && i < 20; i++)
        HK_ASSERT(type->step(self, 0.1 * i, 0.1) == HK_STEP_OK);
    type->resource->release(resource->data);
    free(self);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    int file = memfd_create("fuzz.csv", MFD_CLOEXEC);
    HK_ASSERT(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    step_all(&hk_auv_csv_mission, path);
    step_all(&hk_auv_drone_reader, path);
    close(file);
    return 0;
}
