/* SPDX-License-Identifier: MIT
 *
 * A camera that looks down: an event ten times a second that may not be there. SEEN is the presence
 * bit; the place is that of the target where it is set, and nothing otherwise. */
#include "uav.h"

typedef struct camera {
    uav_place position; /* of the aircraft */
    uav_place target;   /* at this very instant */
    uav_event event;
    double range, noise;
    hk_stream errors;
    int64_t number; /* of the activation */
} camera;

static const hk_port camera_ports[] = {
    UAV_PLACE(camera, position, "position", HK_INPUT, "m", .start = NULL),
    UAV_PLACE(camera, target, "target", HK_INPUT, "m", .start = "1e6"),
    UAV_FIELD(camera, event.seen, "event.seen", HK_OUTPUT, HK_TYPE_BOOL, .depends_on = ""),
    UAV_PLACE(camera, event.at, "event.at", HK_OUTPUT, "m", .depends_on = ""),
    UAV_PARAMETER(camera, range, "m", "150"),
    UAV_PARAMETER(camera, noise, "m", "3"),
};

static int camera_step(void *self, double t, double h) {
    camera *c = self;
    (void)t, (void)h;
    double north = c->target.north - c->position.north, east = c->target.east - c->position.east;
    c->event = (uav_event){.seen = hk_hypot(north, east) < c->range};
    if (c->event.seen)
        c->event.at =
            (uav_place){c->target.north + c->noise * hk_stream_normal(&c->errors, c->number, 0),
                        c->target.east + c->noise * hk_stream_normal(&c->errors, c->number, 1)};
    c->number++;
    return HK_STEP_OK;
}

static const hk_stream_field camera_streams[] = {
    {.name = "errors", .offset = offsetof(camera, errors)}};

const hk_unit_type uav_camera_type = {UAV_TYPE(camera, "camera", camera_ports), .step = camera_step,
                                      .streams = camera_streams, .stream_count = 1,
                                      .random_scales = "noise"};
