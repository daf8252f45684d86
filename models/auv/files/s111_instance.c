/* SPDX-License-Identifier: MIT
 *
 * One instance of a file of S-111: where its nodes are, its times, and the current of each. */
#include "s111_inside.h"

#ifdef HK_HDF5

#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define h5   hk_auv_h5
#define fail hk_auv_s111_fail

const char *const hk_auv_s111_members[2] = {"surfaceCurrentSpeed", "surfaceCurrentDirection"};

/* What is made of one instance. */
typedef struct maker {
    s111_reader *reader;
    hid_t group;
    s111_instance made;
    uint64_t nodes;  /* in the file */
    uint64_t *place; /* of each of them in what is made; NULL: they are in order */
    float *pairs;    /* of one time */
} maker;

/* ---- places ---- */

static bool read_grid(maker *m) {
    double rows = 0, columns = 0;
    char start[32] = "0,0";
    s111_instance *g = &m->made;
    if (!hk_auv_h5_number(m->group, "gridOriginLatitude", &g->y0) ||
        !hk_auv_h5_number(m->group, "gridOriginLongitude", &g->x0) ||
        !hk_auv_h5_number(m->group, "gridSpacingLatitudinal", &g->dy) ||
        !hk_auv_h5_number(m->group, "gridSpacingLongitudinal", &g->dx) ||
        !hk_auv_h5_number(m->group, "numPointsLatitudinal", &rows) ||
        !hk_auv_h5_number(m->group, "numPointsLongitudinal", &columns))
        return fail(m->reader, "has no grid", "gridOrigin, gridSpacing and numPoints are expected");
    (void)hk_auv_h5_text(m->group, "startSequence", start, sizeof start);
    if (strcmp(start, "0,0") != 0)
        return fail(m->reader, "begins at another node than 0,0", start);
    if (!isfinite(g->y0) || !isfinite(g->x0) || !(g->dy > 0 && g->dy < 1e9) ||
        !(g->dx > 0 && g->dx < 1e9))
        return fail(m->reader, "has no grid", "its origin or spacing is not a number above 0");
    if (!(rows >= 1 && columns >= 1 && rows * columns <= S111_MOST_VALUES))
        return fail(m->reader, "has no grid", "its numbers of points are 0 or more than are read");
    g->rows = (uint64_t)rows;
    g->columns = (uint64_t)columns;
    m->nodes = g->rows * g->columns;
    return true;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Whether the numbers of an axis (0: y, 1: x) are evenly spaced, but for some that are missing. */
static bool find_axis(const maker *m, const double *nodes, int axis, double *ret_first,
                      double *ret_step) {
    const double same = m->reader->zone ? 0.01 : 1e-5, crooked = 0.02;
    double *sorted = malloc(m->nodes * sizeof *sorted), least = INFINITY;
    if (!sorted)
        return false;
    for (uint64_t i = 0; i < m->nodes; i++)
        sorted[i] = nodes[2 * i + (uint64_t)axis];
    qsort(sorted, m->nodes, sizeof *sorted, compare);
    for (uint64_t i = 1; i < m->nodes; i++)
        if (sorted[i] - sorted[i - 1] > same && sorted[i] - sorted[i - 1] < least)
            least = sorted[i] - sorted[i - 1];
    double first = sorted[0], all = sorted[m->nodes - 1] - first;
    free(sorted);
    double step = isfinite(least) ? all / round(all / least) : 1;
    for (uint64_t i = 0; i < m->nodes; i++) {
        double at = (nodes[2 * i + (uint64_t)axis] - first) / step;
        if (!(fabs(at - round(at)) < crooked))
            return false;
    }
    *ret_first = first;
    *ret_step = step;
    return true;
}

/* Nodes that are those of a grid, but for some that are missing, become one. */
static bool make_grid(maker *m, const double *nodes) {
    s111_instance *g = &m->made;
    if (!find_axis(m, nodes, 0, &g->y0, &g->dy) || !find_axis(m, nodes, 1, &g->x0, &g->dx))
        return false;
    double top = 0, right = 0;
    for (uint64_t i = 0; i < m->nodes; i++) {
        top = fmax(top, round((nodes[2 * i] - g->y0) / g->dy));
        right = fmax(right, round((nodes[2 * i + 1] - g->x0) / g->dx));
    }
    if (!((top + 1) * (right + 1) <= 8.0 * (double)m->nodes + 64))
        return false;
    g->rows = (uint64_t)top + 1;
    g->columns = (uint64_t)right + 1;
    bool *taken = calloc(g->rows * g->columns, sizeof *taken);
    bool good = taken;
    for (uint64_t i = 0; good && i < m->nodes; i++) {
        m->place[i] = (uint64_t)round((nodes[2 * i] - g->y0) / g->dy) * g->columns +
                      (uint64_t)round((nodes[2 * i + 1] - g->x0) / g->dx);
        good = !taken[m->place[i]];
        taken[m->place[i]] = true;
    }
    free(taken);
    return good;
}

typedef struct numbered {
    double y, x;
    uint64_t number;
} numbered;

static int compare_nodes(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Others are sorted from south to north. */
static bool sort_nodes(maker *m, const double *nodes) {
    numbered *all = malloc(m->nodes * sizeof *all);
    if (!all || !hk_auv_s111_room(m->reader, m->nodes * 2 * sizeof(double), &m->made.nodes_at)) {
        free(all);
        return false;
    }
    for (uint64_t i = 0; i < m->nodes; i++)
        all[i] = (numbered){nodes[2 * i], nodes[2 * i + 1], i};
    qsort(all, m->nodes, sizeof *all, compare_nodes);
    double *to = (double *)(void *)(m->reader->block + m->made.nodes_at);
    for (uint64_t i = 0; i < m->nodes; i++) {
        to[2 * i] = all[i].y;
        to[2 * i + 1] = all[i].x;
        m->place[all[i].number] = i;
    }
    free(all);
    m->made.rows = 0;
    m->made.columns = m->nodes;
    return true;
}

static bool read_nodes(maker *m) {
    static const char *const members[] = {"latitude", "longitude"};
    static const char name[] = "Positioning/geometryValues";
    hsize_t count;
    hid_t set = hk_auv_h5_has(m->group, name) ? h5.H5Dopen2(m->group, name, H5P_DEFAULT) : -1;
    if (set < 0 || !hk_auv_h5_size(set, 1, &count))
        return fail(m->reader, "has no list of nodes", "Positioning/geometryValues is expected");
    if (count < 1 || count > S111_MOST_VALUES)
        return fail(m->reader, "has 0 nodes, or more than are read", "");
    m->nodes = count;
    double *nodes = malloc(count * 2 * sizeof *nodes);
    m->place = malloc(count * sizeof *m->place);
    bool good = nodes && m->place;
    if (good && !hk_auv_h5_pairs(set, members, true, nodes))
        good = fail(m->reader, "has damaged nodes", hk_auv_h5_reason());
    for (uint64_t i = 0; good && i < 2 * count; i++)
        if (!isfinite(nodes[i]) || fabs(nodes[i]) > 1e9)
            good = fail(m->reader, "has a node without a place", "its latitude is not a number");
    if (good)
        good = make_grid(m, nodes) || sort_nodes(m, nodes);
    free(nodes);
    return good;
}

/* ---- times ---- */

static void group_name(char *name, size_t room, uint64_t number) {
    snprintf(name, room, "Group_%03llu", (unsigned long long)number);
}

static uint64_t count_times(const maker *m) {
    char name[32];
    uint64_t count = 0;
    do
        group_name(name, sizeof name, count + 1);
    while (hk_auv_h5_has(m->group, name) && ++count < S111_MOST_TIMES);
    return count;
}

/* Where the records have no times of their own. */
static bool regular_times(maker *m, double *times) {
    char text[64] = "";
    double first, interval = 0;
    if (!hk_auv_h5_text(m->group, "dateTimeOfFirstRecord", text, sizeof text) ||
        !hk_auv_utc(text, &first))
        return fail(m->reader, "has no times", "neither timePoint nor dateTimeOfFirstRecord");
    if (m->made.times > 1 &&
        (!hk_auv_h5_number(m->group, "timeRecordInterval", &interval) || !(interval > 0)))
        return fail(m->reader, "has no times", "timeRecordInterval is missing or not above 0");
    for (uint64_t i = 0; i < m->made.times; i++)
        times[i] = first + (double)i * interval;
    return true;
}

static bool read_times(maker *m) {
    double said = 0;
    char name[32], text[64];
    m->made.times = count_times(m);
    if (!m->made.times)
        return fail(m->reader, "has no records", "Group_001 is expected");
    if (hk_auv_h5_number(m->group, "numGRP", &said) && said > (double)m->made.times)
        return fail(m->reader, "has less records than numGRP says", "it is damaged or cut off");
    uint64_t cells = m->made.rows ? m->made.rows * m->made.columns : m->made.columns;
    if (m->made.times > S111_MOST_VALUES / cells)
        return fail(m->reader, "has more values than are read", "at most 50 million in one");
    if (!hk_auv_s111_room(m->reader, m->made.times * sizeof(double), &m->made.times_at))
        return false;
    double *times = (double *)(void *)(m->reader->block + m->made.times_at);
    bool own = true, differ = m->made.times == 1;
    for (uint64_t i = 0; own && i < m->made.times; i++) {
        group_name(name, sizeof name, i + 1);
        hid_t group = h5.H5Gopen2(m->group, name, H5P_DEFAULT);
        own = group >= 0 && hk_auv_h5_text(group, "timePoint", text, sizeof text) &&
              hk_auv_utc(text, &times[i]);
        differ = differ || (i > 0 && times[i] != times[0]);
    }
    if ((!own || !differ) && !regular_times(m, times))
        return false;
    for (uint64_t i = 1; i < m->made.times; i++)
        if (!(times[i] > times[i - 1])) {
            snprintf(text, sizeof text, "Group_%03llu is not after the one before",
                     (unsigned long long)i + 1);
            return fail(m->reader, "has times that do not grow", text);
        }
    return true;
}

/* ---- currents ---- */

static void convert(const maker *m, float *to) {
    const float *fill = m->reader->fill;
    for (uint64_t i = 0; i < m->nodes; i++) {
        float speed = m->pairs[2 * i], direction = m->pairs[2 * i + 1];
        float *at = to + 2 * (m->place ? m->place[i] : i);
        bool known = speed != fill[0] && direction != fill[1] && isfinite(speed) &&
                     isfinite(direction) && fabsf(direction) <= 1e6f;
        double angle = known ? DEGREES((double)direction) : 0;
        at[0] = known ? (float)(KNOT * (double)speed * hk_sin(angle)) : NAN;
        at[1] = known ? (float)(KNOT * (double)speed * hk_cos(angle)) : NAN;
    }
}

static bool read_record(maker *m, uint64_t number, float *to) {
    char name[48], text[120];
    hsize_t size[2] = {0, 1};
    bool grid = m->reader->format == S111_GRID;
    group_name(name, sizeof name - 8, number);
    strcat(name, "/values");
    hid_t set = hk_auv_h5_has(m->group, name) ? h5.H5Dopen2(m->group, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return fail(m->reader, "has no values in", name);
    if (!hk_auv_h5_size(set, grid ? 2 : 1, size) ||
        (grid ? size[0] != m->made.rows || size[1] != m->made.columns : size[0] != m->nodes)) {
        snprintf(text, sizeof text, "%s: %llu x %llu", name, (unsigned long long)size[0],
                 (unsigned long long)size[1]);
        return fail(m->reader, "has values that are not as many as its nodes", text);
    }
    if (!hk_auv_h5_pairs(set, hk_auv_s111_members, false, m->pairs)) {
        snprintf(text, sizeof text, "%s: %.50s", name, hk_auv_h5_reason());
        return fail(m->reader, "cannot be read, or has no speed and direction", text);
    }
    (void)h5.H5Dclose(set);
    convert(m, to);
    return true;
}

static bool read_currents(maker *m) {
    uint64_t cells = m->made.rows ? m->made.rows * m->made.columns : m->made.columns;
    if (!hk_auv_s111_room(m->reader, m->made.times * cells * 2 * sizeof(float),
                          &m->made.currents_at))
        return false;
    float *to = (float *)(void *)(m->reader->block + m->made.currents_at);
    m->pairs = calloc(m->nodes, 2 * sizeof *m->pairs);
    if (!m->pairs)
        return fail(m->reader, "there is no memory left", "");
    for (uint64_t i = 0; i < m->made.times * cells * 2; i++)
        to[i] = NAN; /* where a grid has no node */
    for (uint64_t i = 0; i < m->made.times; i++)
        if (!read_record(m, i + 1, to + i * cells * 2))
            return false;
    return true;
}

bool hk_auv_s111_instance(s111_reader *r, unsigned number, s111_instance *ret) {
    maker m = {.reader = r};
    snprintf(r->where, sizeof r->where, "SurfaceCurrent.%02u", number);
    m.group = h5.H5Gopen2(r->features, r->where, H5P_DEFAULT);
    bool good = m.group >= 0 ? (r->format == S111_GRID ? read_grid(&m) : read_nodes(&m)) &&
                                   read_times(&m) && read_currents(&m)
                             : fail(r, "cannot be opened", hk_auv_h5_reason());
    free(m.place);
    free(m.pairs);
    *ret = m.made;
    return good;
}

#endif
