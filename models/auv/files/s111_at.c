/* SPDX-License-Identifier: MIT
 *
 * The current at a place and a time: east and north are joined by lines in time, and between the
 * nodes of a grid; speed and angle are not. */
#include "grid_cell.h"
#include "s111.h"

/* ---- times ---- */

/* Days from 1970-01-01 in the Gregorian calendar. */
static int64_t days_of(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int number_of(const char *digits, int count) {
    int number = 0;
    for (int i = 0; i < count; i++)
        number = 10 * number + (digits[i] - '0');
    return number;
}

bool hk_auv_utc(const char *text, double *ret_seconds) {
    enum { DATE = 8, ALL = 14 };
    char digits[ALL];
    int count = 0;
    bool parted = false;
    for (; *text; text++) {
        if (*text >= '0' && *text <= '9' && count < ALL && (count != DATE || parted))
            digits[count++] = *text;
        else if ((*text == 'T' || *text == ' ') && count == DATE && !parted)
            parted = true;
        else if (*text == 'Z' && count == ALL && !text[1])
            break;
        else if (*text != '-' && *text != ':')
            return false;
    }
    if (count != ALL)
        return false;
    int month = number_of(digits + 4, 2), day = number_of(digits + 6, 2);
    int hour = number_of(digits + 8, 2), minute = number_of(digits + 10, 2);
    int second = number_of(digits + 12, 2);
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
        return false;
    *ret_seconds = (double)(days_of(number_of(digits, 4), month, day) * 86400 + hour * 3600 +
                            minute * 60 + second);
    return true;
}

/* ---- places ---- */

static const void *at_offset(const s111 *file, uint64_t offset) {
    return (const char *)file + offset;
}

/* Up to four nodes and how much each counts. */
typedef struct corners {
    int count;
    uint64_t node[4];
    double weight[4];
} corners;

static bool grid_corners(const s111 *file, const s111_instance *g, double y, double x,
                         corners *ret) {
    double width = g->dx * (double)(g->columns - 1), across = x - g->x0;
    if (!file->zone)
        across = width / 2 + remainder(across - width / 2, 360);
    uint64_t row, column;
    double up, right;
    ret->count = 0;
    if (!hk_auv_grid_cell((y - g->y0) / g->dy, g->rows, 0, &row, &up) ||
        !hk_auv_grid_cell(across / g->dx, g->columns, 0, &column, &right))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        double w = (i & 1 ? right : 1 - right) * (i & 2 ? up : 1 - up);
        if (w == 0)
            continue;
        ret->node[ret->count] = (row + (i >> 1)) * g->columns + column + (i & 1);
        ret->weight[ret->count++] = w;
    }
    return true;
}

/* The nearest node, where distances are those of a map. */
static bool nearest_node(const s111 *file, const s111_instance *g, double y, double x, double reach,
                         corners *ret) {
    const double *nodes = at_offset(file, g->nodes_at);
    double shrink = file->zone ? 1 : hk_cos(DEGREES(y)), best = reach * reach;
    uint64_t low = 0, high = g->columns;
    ret->count = 0;
    while (low < high) { /* the first node with y - reach or more */
        uint64_t middle = low + (high - low) / 2;
        if (nodes[2 * middle] < y - reach)
            low = middle + 1;
        else
            high = middle;
    }
    for (uint64_t i = low; i < g->columns && nodes[2 * i] <= y + reach; i++) {
        double up = nodes[2 * i] - y, right = nodes[2 * i + 1] - x;
        if (!file->zone)
            right = remainder(right, 360) * shrink;
        double square = up * up + right * right;
        if (square <= best) {
            best = square;
            *ret = (corners){1, {i}, {1}};
        }
    }
    return ret->count != 0;
}

/* What is not known has no part in it, and the rest counts for all. */
static bool current_at(const s111 *file, const s111_instance *g, uint64_t time, const corners *c,
                       coordinate2d *ret) {
    const float *all = at_offset(file, g->currents_at);
    const float *now = all + 2 * time * (g->rows ? g->rows * g->columns : g->columns);
    double weight = 0;
    *ret = (coordinate2d){0, 0};
    for (int i = 0; i < c->count; i++) {
        double east = now[2 * c->node[i]], north = now[2 * c->node[i] + 1];
        if (isnan(east) || isnan(north))
            continue;
        weight += c->weight[i];
        ret->x += c->weight[i] * east;
        ret->y += c->weight[i] * north;
    }
    ret->x /= weight;
    ret->y /= weight;
    return weight > GRID_ROUNDING;
}

/* ---- both ---- */

/* Beyond the last time the last one holds. */
static bool instance_at(const s111 *file, const s111_instance *g, const corners *c, double time,
                        coordinate2d *ret) {
    const double *times = at_offset(file, g->times_at);
    if (!(time >= times[0]))
        return false;
    uint64_t low = 0, high = g->times;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        *(times[middle] <= time ? &low : &high) = middle;
    }
    if (low + 1 == g->times || time == times[low])
        return current_at(file, g, low, c, ret);
    coordinate2d a, b;
    if (!current_at(file, g, low, c, &a) || !current_at(file, g, low + 1, c, &b))
        return false;
    double part = (time - times[low]) / (times[low + 1] - times[low]);
    *ret = (coordinate2d){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
    return true;
}

bool hk_auv_s111_at(const s111 *file, double y, double x, double time, double reach,
                    coordinate2d *ret_current) {
    for (uint64_t i = 0; i < file->count; i++) {
        const s111_instance *g = &file->instances[i];
        corners c;
        bool inside =
            g->rows ? grid_corners(file, g, y, x, &c) : nearest_node(file, g, y, x, reach, &c);
        if (inside && instance_at(file, g, &c, time, ret_current))
            return true;
    }
    return false;
}
