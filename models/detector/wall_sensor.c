/* SPDX-License-Identifier: MIT
 *
 * Says on which side a wall is near. A wall ahead counts for the side that has less room, and of
 * two walls the nearer one is reported, so that never both sides are: what to do then is not left
 * open.
 */
#include "detector.h"

typedef struct wall_sensor {
    double walls[WALL_COUNT];
    double wleft, wright;
    double threshold;
} wall_sensor;

static const hk_port wall_sensor_ports[] = {
    DETECTOR_LIST(wall_sensor, walls, HK_INPUT, WALL_COUNT, .unit = "m", .start = "10",
                  .description = "Free distances: left, right, front, back"),
    HK_PORT(wall_sensor, wleft, HK_OUTPUT, HK_TYPE_F64, .depends_on = "walls",
            .description = "1: a wall is near, on the left"),
    HK_PORT(wall_sensor, wright, HK_OUTPUT, HK_TYPE_F64, .depends_on = "walls",
            .description = "1: a wall is near, on the right"),
    DETECTOR_PARAMETER(wall_sensor, threshold, "m", "0.3", "A wall that is nearer is reported"),
};

static int wall_sensor_output(void *self, double t) {
    wall_sensor *s = self;
    const double *walls = s->walls;
    (void)t;
    bool left_first = walls[WALL_LEFT] <= walls[WALL_RIGHT];
    bool near = walls[WALL_FRONT] < s->threshold || walls[WALL_LEFT] < s->threshold ||
                walls[WALL_RIGHT] < s->threshold;
    s->wleft = near && left_first ? 1 : 0;
    s->wright = near && !left_first ? 1 : 0;
    return HK_STEP_OK;
}

static int wall_sensor_step(void *self, double t, double h) {
    (void)h;
    return wall_sensor_output(self, t);
}

const hk_unit_type hk_detector_wall_sensor_type = {
    DETECTOR_TYPE(wall_sensor, "WallSensor", wall_sensor_ports, HK_STAMP_START),
    .description = "On which side of a rover a wall is near", .output = wall_sensor_output,
    .step = wall_sensor_step};
