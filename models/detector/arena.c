/* SPDX-License-Identifier: MIT
 *
 * A room with inner walls, a floor that is not level, and sources of a chemical. Distances are
 * those that a disc, the rover, can be moved until it touches a wall: rays are cast from its centre
 * at walls that are thicker by its radius. A rover outside of the room ends the run. */
#include "detector.h"

#include <math.h>
#include <stdio.h>

enum {
    CORNERS_MAX = 12,
    INNER_MAX = 8,
    SOURCES_MAX = 4,
    SOURCE_NUMBERS = 4, /* x, y, strength, width */
    GRID = 6,           /* nodes of the height map in x and in y */
    WHY_SIZE = 120
};

typedef struct arena {
    double position[2], direction[2];
    double walls[WALL_COUNT], slope, concentration;
    double room[2 * CORNERS_MAX];
    double inner[4 * INNER_MAX];
    double sources[SOURCE_NUMBERS * SOURCES_MAX];
    double heights[GRID * GRID];
    double grid_origin[2], grid_cell;
    double radius, range;
    int64_t corner_count, inner_count, source_count;
    char why[WHY_SIZE];
} arena;

#define ARENA_COUNT(field, default_text, words)                                                    \
    HK_PORT(arena, field, HK_PARAMETER, HK_TYPE_I64, .start = (default_text),                      \
            .description = (words))

static const hk_port arena_ports[] = {
    DETECTOR_LIST(arena, position, HK_INPUT, 2, .unit = "m", .start = "0",
                  .description = "Where the rover is"),
    DETECTOR_LIST(arena, direction, HK_INPUT, 2, .start = "1",
                  .description = "Where it looks to, of any length"),
    DETECTOR_LIST(arena, walls, HK_OUTPUT, WALL_COUNT, .unit = "m",
                  .depends_on = "position direction",
                  .description = "Free distances: left, right, front, back"),
    HK_PORT(arena, slope, HK_OUTPUT, HK_TYPE_F64, .depends_on = "position direction",
            .description = "Of the floor in that direction: rise over run"),
    HK_PORT(arena, concentration, HK_OUTPUT, HK_TYPE_F64, .depends_on = "position",
            .description = "Of the chemical, where the rover is"),
    ARENA_COUNT(corner_count, "5", "Corners of the room"),
    DETECTOR_LIST(arena, room, HK_PARAMETER, 2 * CORNERS_MAX, .unit = "m",
                  .start = "-0.5 -0.5 9.5 -0.5 9.5 4.5 7.5 7.5 -0.5 7.5"
                           " 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                  .description = "x and y of each corner, one after the other"),
    ARENA_COUNT(inner_count, "3", "Walls in the room"),
    DETECTOR_LIST(arena, inner, HK_PARAMETER, 4 * INNER_MAX, .unit = "m",
                  .start = "3 -0.5 3 3 5.5 7.5 5.5 4 6.5 1.5 7.5 1.5"
                           " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                  .description = "x, y, x, y: the two ends of each wall"),
    ARENA_COUNT(source_count, "1", "Sources of the chemical"),
    DETECTOR_LIST(arena, sources, HK_PARAMETER, SOURCE_NUMBERS *SOURCES_MAX,
                  .start = "7.5 4.5 1 0.8 0 0 0 0 0 0 0 0 0 0 0 0", .tunable = true,
                  .description = "x, y, strength and width (standard deviation) of each"),
    DETECTOR_LIST(arena, heights, HK_PARAMETER, GRID *GRID, .unit = "m",
                  .start = "0 0 0 0 0 0 0 0 0.1 0.1 0 0 0 0 0.2 0.2 0 0"
                           " 0 0 0.1 0.1 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                  .description = "Of the floor at the nodes of a grid, row by row; between them "
                                 "bilinear, around them as at its edge"),
    DETECTOR_LIST(arena, grid_origin, HK_PARAMETER, 2, .unit = "m", .start = "-0.5",
                  .description = "Where the first node is"),
    HK_PORT(arena, grid_cell, HK_PARAMETER, HK_TYPE_F64, .unit = "m", .start = "2",
            .description = "From node to node"),
    HK_PORT(arena, radius, HK_PARAMETER, HK_TYPE_F64, .unit = "m", .start = "0.25",
            .description = "Of the rover"),
    HK_PORT(arena, range, HK_PARAMETER, HK_TYPE_F64, .unit = "m", .start = "100",
            .description = "Distance that is reported where no wall is nearer"),
};

static vector pair_of(const double *numbers) {
    return (vector){numbers[0], numbers[1]};
}

/* ---- walls */

/* How far the rover can go from AT in DIRECTION until it touches the round end of a wall at CENTRE.
 */
static double distance_to_end(vector at, vector direction, vector centre, double radius) {
    vector from = minus(at, centre);
    double along = dot(from, direction), root = along * along - dot(from, from) + radius * radius;
    return along < 0 && root >= 0 ? -along - sqrt(root) : (double)INFINITY;
}

/* ... until it touches the straight sides of a wall of LENGTH in direction E from A. */
static double distance_to_side(vector from, vector direction, vector e, double length,
                               double radius) {
    double off = dot(from, left_of(e)), rate = dot(direction, left_of(e));
    double closing = off > 0 ? -rate : rate;
    if (!(closing > 0))
        return (double)INFINITY;
    double distance = (fabs(off) - radius) / closing;
    double where = dot(plus(from, distance, direction), e);
    return distance >= 0 && where >= 0 && where <= length ? distance : (double)INFINITY;
}

/* ... until it touches the wall from A to B; 0 if it overlaps it and would go on into it. A rover
 * that overlaps it and goes away is free: the distance from a wall never shrinks again. */
static double distance_to_wall(const arena *x, vector at, vector direction, const double *ends) {
    vector a = pair_of(ends), b = pair_of(ends + 2), from = minus(at, a), e;
    double length = hk_hypot(b.x - a.x, b.y - a.y);
    if (!set_direction(minus(b, a), &e))
        return distance_to_end(at, direction, a, x->radius);
    double along = dot(from, e);
    along = along < 0 ? 0 : along > length ? length : along;
    vector away = minus(from, plus((vector){0, 0}, along, e));
    if (hk_hypot(away.x, away.y) < x->radius)
        return dot(away, direction) < 0 ? 0 : (double)INFINITY;
    double side = distance_to_side(from, direction, e, length, x->radius);
    double first = distance_to_end(at, direction, a, x->radius);
    double last = distance_to_end(at, direction, b, x->radius);
    return fmin(side, fmin(first, last));
}

static double cast(const arena *x, vector direction) {
    vector at = pair_of(x->position);
    double nearest = x->range;
    for (int64_t i = 0; i < x->corner_count; i++) {
        const double *a = x->room + 2 * i, *b = x->room + 2 * ((i + 1) % x->corner_count);
        const double ends[] = {a[0], a[1], b[0], b[1]};
        nearest = fmin(nearest, distance_to_wall(x, at, direction, ends));
    }
    for (int64_t i = 0; i < x->inner_count; i++)
        nearest = fmin(nearest, distance_to_wall(x, at, direction, x->inner + 4 * i));
    return nearest;
}

/* By the number of sides that a ray to the right crosses. */
static bool is_inside(const arena *x, vector at) {
    bool inside = false;
    for (int64_t i = 0; i < x->corner_count; i++) {
        vector a = pair_of(x->room + 2 * i), b = pair_of(x->room + 2 * ((i + 1) % x->corner_count));
        if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

/* ---- floor and air */

/* The cell that X is in, and how far in it, from 0 to 1. *RET_INSIDE: it is between two nodes; else
 * it is beyond the last one, where the floor goes on level. */
static int find_cell(double x, double *ret_part, bool *ret_inside) {
    double whole = floor(x);
    *ret_inside = x >= 0 && x <= GRID - 1;
    if (!(x > 0))
        whole = 0;
    if (whole > GRID - 2)
        whole = GRID - 2;
    *ret_part = x < 0 ? 0 : fmin(x - whole, 1);
    return (int)whole;
}

static double slope_along(const arena *x, vector direction) {
    double px, py;
    bool in_x, in_y;
    int column = find_cell((x->position[0] - x->grid_origin[0]) / x->grid_cell, &px, &in_x);
    int row = find_cell((x->position[1] - x->grid_origin[1]) / x->grid_cell, &py, &in_y);
    const double *low = x->heights + GRID * row + column, *high = low + GRID;
    double east = (low[1] - low[0]) * (1 - py) + (high[1] - high[0]) * py;
    double north = (high[0] - low[0]) * (1 - px) + (high[1] - low[1]) * px;
    vector gradient = {in_x ? east / x->grid_cell : 0, in_y ? north / x->grid_cell : 0};
    return dot(gradient, direction);
}

static double concentration_at(const arena *x, vector at) {
    double sum = 0;
    for (int64_t i = 0; i < x->source_count; i++) {
        const double *source = x->sources + SOURCE_NUMBERS * i;
        vector off = minus(at, pair_of(source));
        sum += source[2] * hk_exp(-dot(off, off) / (2 * source[3] * source[3]));
    }
    return sum;
}

/* ---- the component */

#define ARENA_FAIL(x, ...) (snprintf((x)->why, WHY_SIZE, __VA_ARGS__), HK_STEP_FAILED)

static int arena_output(void *self, double t) {
    arena *x = self;
    vector at = pair_of(x->position), front;
    (void)t;
    if (!set_direction(pair_of(x->direction), &front))
        return ARENA_FAIL(x, "the direction (%g, %g) is none", x->direction[0], x->direction[1]);
    if (!is_inside(x, at))
        return ARENA_FAIL(x, "the rover is at (%g, %g), outside of the room", at.x, at.y);
    vector left = left_of(front);
    x->walls[WALL_LEFT] = cast(x, left);
    x->walls[WALL_RIGHT] = cast(x, (vector){-left.x, -left.y});
    x->walls[WALL_FRONT] = cast(x, front);
    x->walls[WALL_BACK] = cast(x, (vector){-front.x, -front.y});
    x->slope = slope_along(x, front);
    x->concentration = concentration_at(x, at);
    return HK_STEP_OK;
}

static int check_count(arena *x, const char *name, int64_t count, int64_t least, int64_t most) {
    if (count >= least && count <= most)
        return HK_STEP_OK;
    return ARENA_FAIL(x, "%s is %lld: from %lld to %lld are possible", name, (long long)count,
                      (long long)least, (long long)most);
}

static int arena_init(void *self, double t) {
    arena *x = self;
    (void)t;
    if (check_count(x, "corner_count", x->corner_count, 3, CORNERS_MAX) ||
        check_count(x, "inner_count", x->inner_count, 0, INNER_MAX) ||
        check_count(x, "source_count", x->source_count, 0, SOURCES_MAX))
        return HK_STEP_FAILED;
    if (!(x->grid_cell > 0))
        return ARENA_FAIL(x, "grid_cell is %g m: it must be more than 0", x->grid_cell);
    if (!(x->radius >= 0))
        return ARENA_FAIL(x, "radius is %g m: it must not be less than 0", x->radius);
    return HK_STEP_OK;
}

static int arena_step(void *self, double t, double h) {
    arena *x = self;
    (void)h;
    for (int64_t i = 0; i < x->source_count; i++)
        if (!(x->sources[SOURCE_NUMBERS * i + 3] > 0))
            return ARENA_FAIL(x, "the width of source %lld is %g m: it must be more than 0",
                              (long long)i + 1, x->sources[SOURCE_NUMBERS * i + 3]);
    return arena_output(self, t);
}

static const char *arena_complaint(const void *self) {
    return ((const arena *)self)->why;
}

const hk_unit_type hk_detector_arena_type = {
    DETECTOR_TYPE(arena, "Arena", arena_ports, HK_STAMP_START),
    .description = "A room with walls, a floor that is not level, and sources of a chemical",
    .init = arena_init,
    .output = arena_output,
    .step = arena_step,
    .complaint = arena_complaint};
