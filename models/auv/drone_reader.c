/* SPDX-License-Identifier: MIT
 *
 * drone.DroneReader: the states of a log, again. A row is seen from its time on and holds until the
 * next one; between two rows only where that is asked for. */
#include "columns.h"
#include "drone_common.h"

#include <stdlib.h>
#include <string.h>

enum { HOLD_ROWS, BETWEEN_ROWS };
enum { HOLD_LAST, STOP_AT_END };

typedef struct drone_reader {
    state state;
    /* Parameters. */
    hk_bytes file_name;
    double time_scale, time_offset, gravity;
    int64_t interpolation, end_policy;
    place place;
    hk_resource file; /* states_log */
    int64_t row;      /* rows that were seen */
    double time;      /* of the state */
    bool begun;
    bool settled; /* nothing changed in the last step, so nothing does before the next row */
    double known_gravity;
    pose pose;
    int64_t pose_row; /* between this row and the next; -1: it is that of a row */
    double pose_part; /* of the way from it */
    words why;
} drone_reader;

typedef struct logged {
    double at;
    hk_geo_vector3 position, velocity; /* ned; velocity over ground, as far as it is logged */
    hk_geo_quaternion attitude;
    hk_geo_vector3 turn; /* to the next attitude */
} logged;

typedef struct states_log {
    table_key key;
    size_t count;
    bool has_speed;
    logged rows[];
} states_log;

static const hk_port drone_reader_ports[] = {
    STATE(drone_reader, state, "state", HK_OUTPUT),
    NAMED(drone_reader, file_name, "fileName", HK_PARAMETER, HK_TYPE_STRING, .start = "drone.csv"),
    NAMED(drone_reader, time_scale, "timeScale", HK_PARAMETER, HK_TYPE_F64, .start = "1"),
    NAMED(drone_reader, time_offset, "timeOffset", HK_PARAMETER, HK_TYPE_F64, .unit = "s",
          .start = "0"),
    NAMED(drone_reader, interpolation, "interpolation", HK_PARAMETER, HK_TYPE_ENUM,
          .start = "Hold"),
    ITEM_PARAMETER(drone_reader, end_policy, "endPolicy", "Hold"),
    PARAMETER(drone_reader, gravity, "gravity", "m/s2", "9.80665"),
    PLACE_PARAMETERS(drone_reader, place),
};

/* ---- reading ---- */

enum {
    TIME,
    NORTH,
    EAST,
    LATITUDE,
    LONGITUDE,
    DEPTH,
    UP,
    ROLL,
    PITCH,
    YAW,
    SURGE,
    SWAY,
    HEAVE,
    ALL
};

static const struct {
    const char *names;
    quantity what;
    const char *bare;
} meanings[ALL] = {
    [TIME] = {"time t", A_TIME, "s"},
    [NORTH] = {"north nedPosition.x", A_LENGTH, "m"},
    [EAST] = {"east nedPosition.y", A_LENGTH, "m"},
    [LATITUDE] = {"latitude lat", AN_ANGLE, "deg"},
    [LONGITUDE] = {"longitude lon", AN_ANGLE, "deg"},
    [DEPTH] = {"depth down nedPosition.z", A_LENGTH, "m"},
    [UP] = {"altitude height", A_LENGTH, "m"},
    [ROLL] = {"roll attitude.x", AN_ANGLE, "rad"},
    [PITCH] = {"pitch attitude.y", AN_ANGLE, "rad"},
    [YAW] = {"yaw heading attitude.z", AN_ANGLE, "rad"},
    [SURGE] = {"surge bodySpeed.x", A_SPEED, "m/s"},
    [SWAY] = {"sway bodySpeed.y", A_SPEED, "m/s"},
    [HEAVE] = {"heave bodySpeed.z", A_SPEED, "m/s"},
};

typedef struct layout {
    column columns[ALL];
} layout;

static bool has(const layout *l, int meaning) {
    return hk_auv_column_is(l->columns[meaning]);
}

static bool find_columns(const csv_file *file, layout *l, words *why) {
    for (int i = 0; i < ALL; i++)
        if (!hk_auv_column_find(file, meanings[i].names, meanings[i].what, meanings[i].bare,
                                &l->columns[i], why))
            return false;
    const char *path = hk_auv_csv_path(file);
    bool ned = has(l, NORTH) && has(l, EAST), geo = has(l, LATITUDE) && has(l, LONGITUDE);
    if (!has(l, TIME) || !has(l, YAW))
        return hk_auv_fail(why, "%s: there is no column '%s'", path, has(l, TIME) ? "yaw" : "time"),
               false;
    if (ned == geo)
        return hk_auv_fail(why,
                           "%s: states have %s: columns 'north' and 'east', or 'latitude' and "
                           "'longitude'",
                           path, ned ? "two places" : "no place"),
               false;
    if (has(l, DEPTH) == has(l, UP))
        return hk_auv_fail(why, "%s: states have one column 'depth' (down) or 'altitude' (up)",
                           path),
               false;
    if (has(l, SURGE) != has(l, SWAY) || has(l, SURGE) != has(l, HEAVE))
        return hk_auv_fail(why, "%s: of 'surge', 'sway' and 'heave' all are there or none", path),
               false;
    return true;
}

static bool read_row(drone_reader *x, const csv_file *file, size_t row, const layout *l,
                     logged *ret) {
    double v[ALL];
    bool complete = true;
    for (int i = 0; i < ALL; i++) {
        v[i] = has(l, i) ? hk_auv_column_get(file, row, l->columns[i]) : 0;
        complete = complete && isfinite(v[i]);
    }
    if (!complete)
        return hk_auv_fail(&x->why, "%s:%zu: the state is not complete", hk_auv_csv_path(file),
                           hk_auv_csv_line(file, row)),
               false;
    for (int i = ROLL; i <= YAW; i++)
        if (fabs(v[i]) > 2 * PI + 1e-9 && !*hk_auv_csv_unit(file, (size_t)l->columns[i].index))
            return hk_auv_fail(&x->why,
                               "%s:%zu: %g rad in '%.40s' is more than a whole turn: are these "
                               "degrees? Say so in the first line, '%.40s [deg]' or '[rad]'",
                               hk_auv_csv_path(file), hk_auv_csv_line(file, row), v[i],
                               hk_auv_csv_name(file, (size_t)l->columns[i].index),
                               hk_auv_csv_name(file, (size_t)l->columns[i].index)),
                   false;
    ret->at = v[TIME] * x->time_scale + x->time_offset;
    double down = v[DEPTH] - v[UP];
    coordinate3d p = {v[NORTH], v[EAST], down};
    if (has(l, LATITUDE))
        p = hk_auv_ned_of_point(&x->place, (hk_geo_point){v[LATITUDE], v[LONGITUDE], -down});
    ret->position = hk_geo_vector(p.x, p.y, p.z);
    ret->attitude = hk_geo_quaternion_of_euler((hk_geo_euler){v[ROLL], v[PITCH], v[YAW]});
    ret->velocity = hk_geo_rotate(ret->attitude, hk_geo_vector(v[SURGE], v[SWAY], v[HEAVE]));
    return true;
}

/* Rows after each other in time. */
static bool read_rows(drone_reader *x, const csv_file *file, const layout *l, states_log *log) {
    for (size_t i = 0; i < log->count; i++) {
        if (!read_row(x, file, i, l, &log->rows[i]))
            return false;
        if (i > 0 && !(log->rows[i].at > log->rows[i - 1].at))
            return hk_auv_fail(&x->why, "%s:%zu: the time %.9g s is not after %.9g s",
                               hk_auv_csv_path(file), hk_auv_csv_line(file, i), log->rows[i].at,
                               log->rows[i - 1].at),
                   false;
        if (i > 0)
            log->rows[i - 1].turn = hk_geo_turn_of_quaternion(hk_geo_quaternion_product(
                hk_geo_conjugate(log->rows[i - 1].attitude), log->rows[i].attitude));
    }
    return true;
}

static void free_log(void *data) {
    states_log *log = data;
    if (log)
        free(log->key.name);
    free(log);
}

static states_log *make_log(drone_reader *x, const csv_file *file) {
    layout l;
    size_t rows = hk_auv_csv_rows(file);
    if (!find_columns(file, &l, &x->why))
        return NULL;
    states_log *log = calloc(1, sizeof *log + rows * sizeof *log->rows);
    if (!log) {
        hk_auv_fail(&x->why, "%s: there is no memory left", hk_auv_csv_path(file));
        return NULL;
    }
    log->count = rows;
    log->has_speed = has(&l, SURGE);
    if (read_rows(x, file, &l, log))
        return log;
    free_log(log);
    return NULL;
}

/* NULL: it cannot be read, and WHY says why. */
static const states_log *log_of(drone_reader *x) {
    const double wanted[5] = {(double)x->place.earth, x->place.latitude, x->place.longitude,
                              x->time_scale, x->time_offset};
    states_log *log = x->file.data;
    if (log && hk_auv_key_fits(&log->key, &x->file_name, wanted))
        return log;
    free_log(log);
    x->file.data = NULL;
    if (!isfinite(x->time_scale) || !(x->time_scale > 0) || !isfinite(x->time_offset)) {
        hk_auv_fail(&x->why, "timeScale is %g and timeOffset %g: a scale is above 0", x->time_scale,
                    x->time_offset);
        return NULL;
    }
    csv_file *file = hk_auv_csv_read(x->file.folder, &x->file_name, &x->why);
    if (!file)
        return NULL;
    log = make_log(x, file);
    hk_auv_csv_free(file);
    if (log && !hk_auv_key_make(&log->key, &x->file_name, wanted)) {
        free_log(log);
        log = NULL;
        hk_auv_fail(&x->why, "there is no memory left");
    }
    x->file.data = log;
    return log;
}

/* ---- between rows ---- */

static hk_geo_vector3 speed_between(const logged *a, const logged *b) {
    return hk_geo_scale(1 / (b->at - a->at), hk_geo_subtract(b->position, a->position));
}

/* What one knows who has seen the rows until ROW, and no others. */
static pose held(const states_log *log, size_t row, hk_geo_vector3 *ret_position) {
    const logged *a = &log->rows[row];
    *ret_position = a->position;
    pose p = {a->attitude, a->velocity};
    if (!log->has_speed && row > 0)
        p.velocity = speed_between(a - 1, a);
    return p;
}

static pose between(const states_log *log, size_t row, double part, hk_geo_vector3 *ret_position) {
    const logged *a = &log->rows[row], *b = a + 1;
    *ret_position =
        hk_geo_add(a->position, hk_geo_scale(part, hk_geo_subtract(b->position, a->position)));
    hk_geo_vector3 change = hk_geo_subtract(b->velocity, a->velocity);
    return (pose){hk_geo_turned(a->attitude, hk_geo_scale(part, a->turn)),
                  log->has_speed ? hk_geo_add(a->velocity, hk_geo_scale(part, change))
                                 : speed_between(a, b)};
}

/* The pose at NOW; writes position and attitude. Times are sums of steps: SLACK is what is the same
 * instant. */
static pose pose_at(drone_reader *x, const states_log *log, double now, double slack) {
    while ((size_t)x->row < log->count && log->rows[x->row].at <= now + slack)
        x->row++;
    hk_geo_vector3 at;
    pose p;
    x->pose_row = -1;
    bool last = (size_t)x->row == log->count;
    if (last && now > log->rows[log->count - 1].at + slack) { /* behind the last one it rests */
        p = (pose){log->rows[log->count - 1].attitude, {0, 0, 0}};
        at = log->rows[log->count - 1].position;
    } else if (x->row == 0) { /* it waits for the first row */
        p = (pose){log->rows[0].attitude, {0, 0, 0}};
        at = log->rows[0].position;
    } else if (x->interpolation == BETWEEN_ROWS && !last) {
        const logged *a = &log->rows[x->row - 1];
        x->pose_row = x->row - 1;
        x->pose_part = (now - a->at) / (a[1].at - a->at);
        p = between(log, (size_t)x->row - 1, x->pose_part, &at);
    } else {
        p = held(log, (size_t)x->row - 1, &at);
    }
    hk_geo_euler angles = hk_geo_euler_of_quaternion(p.attitude);
    x->state.ned_position = (coordinate3d){at.x, at.y, at.z};
    x->state.attitude = (coordinate3d){angles.roll, angles.pitch, angles.yaw};
    x->time = now;
    return p;
}

/* ---- steps and answers ---- */

static bool begin(drone_reader *x) {
    const states_log *log = log_of(x);
    if (!log)
        return false;
    x->pose = pose_at(x, log, x->time, 0);
    hk_auv_look(&x->state, &x->pose, &x->pose, 1, x->gravity);
    x->begun = true;
    return true;
}

static int drone_reader_init(void *self, double t) {
    drone_reader *x = self;
    x->time = x->state.stamp = t;
    return HK_STEP_OK;
}

/* No row until END; behind the last one, if the last state was there, too. */
static bool nothing_new(const drone_reader *x, const states_log *log, double end, double slack) {
    if (x->gravity != x->known_gravity)
        return false;
    if ((size_t)x->row < log->count)
        return log->rows[x->row].at > end + slack;
    return x->time > log->rows[log->count - 1].at + slack;
}

static int drone_reader_step(void *self, double t, double h) {
    drone_reader *x = self;
    if (!x->begun) {
        x->time = t;
        if (!begin(x))
            return HK_STEP_FAILED;
    }
    const states_log *log = log_of(x);
    if (!log)
        return HK_STEP_FAILED;
    double end = t + h, slack = 1e-6 * h;
    x->state.stamp = end;
    if (x->end_policy == STOP_AT_END && end > log->rows[log->count - 1].at + slack)
        return hk_auv_fail(&x->why, "'%.80s' ends at %.9g s, and endPolicy is Stop",
                           (const char *)x->file_name.data, log->rows[log->count - 1].at);
    if (x->settled && nothing_new(x, log, end, slack))
        return HK_STEP_OK;
    coordinate3d before = x->state.ned_position;
    int64_t row = x->pose_row;
    double part = x->pose_part;
    pose now = pose_at(x, log, end, slack);
    if (row >= 0 && row == x->pose_row) { /* it turns evenly */
        hk_geo_vector3 turn = hk_geo_scale(x->pose_part - part, log->rows[row].turn);
        hk_auv_look_turned(&x->state, &x->pose, &now, turn, h, x->gravity);
    } else {
        hk_auv_look(&x->state, &x->pose, &now, h, x->gravity);
    }
    x->settled = memcmp(&now, &x->pose, sizeof now) == 0 &&
                 memcmp(&before, &x->state.ned_position, sizeof before) == 0;
    x->known_gravity = x->gravity;
    x->pose = now;
    return HK_STEP_OK;
}

/* Who asks before the first step gets what holds at the start; a file that cannot be read is a
 * failure of that step. */
static state reader_get_state(void *self) {
    drone_reader *x = self;
    if (!x->begun)
        begin(x);
    return x->state;
}

static const state_source reader_source = {reader_get_state};
static const hk_service drone_reader_services[] = {
    {"pState", &hk_auv_state_source, &reader_source, 0}};
static const hk_enum_item interpolation_items[] = {{"Hold", HOLD_ROWS}, {"Linear", BETWEEN_ROWS}};
static const hk_enum_type interpolation_type = {"drone.Interpolation", interpolation_items,
                                                COUNT(interpolation_items)};
static const hk_enum_item end_items[] = {{"Hold", HOLD_LAST}, {"Stop", STOP_AT_END}};
static const hk_enum_type end_type = {"drone.EndPolicy", end_items, COUNT(end_items)};
static const hk_domain drone_reader_domains[] = {
    {.port = "interpolation", .enumeration = &interpolation_type},
    {.port = "endPolicy", .enumeration = &end_type},
    PLACE_DOMAIN,
};
static const hk_resource_field drone_reader_resource = {offsetof(drone_reader, file), free_log};

COMPLAINT(drone_reader)

const hk_unit_type hk_auv_drone_reader = {
    AUV_WHOLE_TYPE(drone_reader, "drone.DroneReader", "The states of a log"),
    .init = drone_reader_init, .resource = &drone_reader_resource};
