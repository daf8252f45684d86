/* SPDX-License-Identifier: MIT */
#include "drone_common.h"

/* ---- enumerations ---- */

static const hk_enum_item speed_reference_items[] = {{"OverGround", OVER_GROUND},
                                                     {"ThroughWater", THROUGH_WATER}};
const hk_enum_type hk_auv_speed_reference = {"drone.SpeedReference", speed_reference_items,
                                             COUNT(speed_reference_items)};

static const hk_enum_item start_attitude_items[] = {
    {"AlongCourse", ALONG_COURSE}, {"IntoCurrent", INTO_CURRENT}, {"GivenHeading", GIVEN_HEADING}};
const hk_enum_type hk_auv_start_attitude = {"drone.StartAttitude", start_attitude_items,
                                            COUNT(start_attitude_items)};

/* ---- steering ---- */

/* Through the water it goes as over ground, less the current. */
steering hk_auv_steer_over_ground(double speed, double along, double across) {
    double ahead = speed - along;
    if (across == 0 && ahead >= 0)
        return (steering){speed, ahead, 0, 1, 0};
    double water = sqrt(ahead * ahead + across * across);
    return (steering){speed, water, hk_atan2(-across, ahead), ahead / water, -across / water};
}

steering_result hk_auv_steer_through_water(double speed, double along, double across,
                                           steering *ret) {
    double left = speed * speed - across * across;
    if (left < 0)
        return PUSHED_ACROSS;
    double ahead = across == 0 ? speed : sqrt(left), over_ground = ahead + along;
    if (speed == 0 && along >= 0) { /* it rests in the water, which may take it along its track */
        *ret = (steering){along, 0, 0, 1, 0};
        return STEERED;
    }
    if (!(over_ground > 0))
        return PUSHED_BACK;
    *ret = (steering){over_ground, speed, across == 0 ? 0 : hk_atan2(-across, ahead), ahead / speed,
                      -across / speed};
    return STEERED;
}

/* ---- the current ---- */

static bool ask(const current_source_binding *source, place *p, const course_line *line,
                double time, coordinate2d *ret) {
    double ahead = time - line->time;
    coordinate3d at = {line->position.x + ahead * line->north,
                       line->position.y + ahead * line->east, line->position.z};
    hk_geo_point point = hk_auv_point_of_ned(p, at);
    coordinate2d where = {hk_geo_degrees(point.latitude), hk_geo_degrees(point.longitude)};
    if (!source->functions->set_time(source->self, (int64_t)floor(1e3 * time + 0.5), where))
        return false;
    coordinate2d c = source->functions->get_current(source->self);
    *ret = (coordinate2d){c.y, c.x};
    return isfinite(c.x) && isfinite(c.y);
}

static void hold(stream *s, coordinate2d current, double from, double to) {
    *s = (stream){from, to, current, current, true, true};
}

bool hk_auv_stream_reach(stream *s, const current_source_binding *source, place *p,
                         const course_line *line, double end, double period) {
    coordinate2d now, then;
    if (!(period > end - line->time)) { /* as often as it steps */
        if (!ask(source, p, line, end, &now))
            return false;
        hold(s, now, end, end);
        return true;
    }
    if (s->known && end <= s->to_time)
        return true;
    /* It goes on from where the last line ended, unless that is long ago. */
    bool goes_on = s->known && line->time <= s->to_time;
    double from = goes_on ? s->to_time : line->time, to = from + period;
    if (goes_on)
        now = s->to;
    else if (!ask(source, p, line, from, &now))
        return false;
    if (ask(source, p, line, to, &then)) {
        *s = (stream){from, to, now, then, true, now.x == then.x && now.y == then.y};
        return true;
    }
    /* The future is not known: what holds at the end of this step. */
    if (!ask(source, p, line, end, &now))
        return false;
    hold(s, now, line->time, to);
    return true;
}

/* ---- what is seen on board ---- */

static coordinate3d coordinates(hk_geo_vector3 v) {
    return (coordinate3d){v.x, v.y, v.z};
}

void hk_auv_look(state *s, const pose *from, const pose *to, double h, double gravity) {
    hk_geo_quaternion turn =
        hk_geo_quaternion_product(hk_geo_conjugate(from->attitude), to->attitude);
    hk_auv_look_turned(s, from, to, hk_geo_turn_of_quaternion(turn), h, gravity);
}

void hk_auv_look_turned(state *s, const pose *from, const pose *to, hk_geo_vector3 turn, double h,
                        double gravity) {
    hk_geo_quaternion middle = hk_geo_turned(from->attitude, hk_geo_scale(0.5, turn));
    hk_geo_vector3 force =
        hk_geo_subtract(hk_geo_scale(1 / h, hk_geo_subtract(to->velocity, from->velocity)),
                        hk_geo_vector(0, 0, gravity));
    s->body_rotation_speed = coordinates(hk_geo_scale(1 / h, turn));
    s->body_acceleration = coordinates(hk_geo_rotate(hk_geo_conjugate(middle), force));
    s->body_speed = coordinates(hk_geo_rotate(hk_geo_conjugate(to->attitude), to->velocity));
}
