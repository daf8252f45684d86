/* SPDX-License-Identifier: MIT */
#include "spline.h"

#include <stdlib.h>

static const hk_enum_item curve_items[] = {
    {"CatmullRom", CATMULL_ROM}, {"NaturalCubic", NATURAL_CUBIC}, {"InTension", IN_TENSION}};
const hk_enum_type hk_auv_curve = {"drone.Curve", curve_items, COUNT(curve_items)};

typedef hk_geo_vector3 vector;

static vector place_of(const waypoint *point) {
    return hk_geo_vector(point->position.x, point->position.y, point->position.z);
}

static vector sum(double a, vector x, double b, vector y) {
    return hk_geo_add(hk_geo_scale(a, x), hk_geo_scale(b, y));
}

/* ---- a point of a piece ---- */

/* sinh(a x) / sinh(a) and cosh(a x) / sinh(a), for any a without overflow. */
static double sinh_part(double a, double x) {
    return (hk_exp(a * (x - 1)) - hk_exp(-a * (x + 1))) / (1 - hk_exp(-2 * a));
}

static double cosh_part(double a, double x) {
    return (hk_exp(a * (x - 1)) + hk_exp(-a * (x + 1))) / (1 - hk_exp(-2 * a));
}

static vector position(const spline_piece *p, double u) {
    const vector *c = p->c;
    if (p->bend == 0)
        return hk_geo_add(
            c[0], hk_geo_scale(u, hk_geo_add(c[1], hk_geo_scale(u, sum(1, c[2], u, c[3])))));
    vector bent = sum(sinh_part(p->bend, 1 - u) - (1 - u), c[2], sinh_part(p->bend, u) - u, c[3]);
    return hk_geo_add(bent, sum(1 - u, c[0], u, c[1]));
}

/* By u. */
static vector derivative(const spline_piece *p, double u) {
    const vector *c = p->c;
    if (p->bend == 0)
        return hk_geo_add(c[1], hk_geo_scale(u, sum(2, c[2], 3 * u, c[3])));
    double a = p->bend;
    vector bent = sum(1 - a * cosh_part(a, 1 - u), c[2], a * cosh_part(a, u) - 1, c[3]);
    return hk_geo_add(bent, hk_geo_subtract(c[1], c[0]));
}

/* ---- lengths ---- */

/* Gauss and Legendre, five points. */
static double length_between(const spline_piece *p, double from, double to) {
    static const double nodes[3] = {0, 0.5384693101056831, 0.9061798459386640};
    static const double weights[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double length = weights[0] * hk_geo_length(derivative(p, middle));
    for (int i = 1; i < 3; i++)
        length += weights[i] * (hk_geo_length(derivative(p, middle - half * nodes[i])) +
                                hk_geo_length(derivative(p, middle + half * nodes[i])));
    return half * length;
}

static void measure(spline_piece *p) {
    p->table[0] = 0;
    for (int j = 0; j < SPLINE_PARTS; j++)
        p->table[j + 1] = p->table[j] + length_between(p, (double)j / SPLINE_PARTS,
                                                       (double)(j + 1) / SPLINE_PARTS);
    p->length = p->table[SPLINE_PARTS];
}

/* Newton's steps inside of one interval of the table; one that leaves it halves it instead. */
static double parameter_at(const spline_piece *p, double length) {
    int low = 0, high = SPLINE_PARTS;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (p->table[middle] <= length)
            low = middle;
        else
            high = middle;
    }
    double first = (double)low / SPLINE_PARTS, a = first, b = (double)high / SPLINE_PARTS;
    double share = (length - p->table[low]) / (p->table[high] - p->table[low]);
    if (!(share > 0))
        return a;
    if (share >= 1)
        return b;
    double u = a + share * (b - a);
    for (int i = 0; i < 60; i++) {
        double more = p->table[low] + length_between(p, first, u) - length;
        double next = u - more / hk_geo_length(derivative(p, u));
        if (fabs(more) <= 1e-14 * p->length || fabs(next - u) <= 1e-15)
            break;
        if (more > 0)
            b = u;
        else
            a = u;
        u = next > a && next < b ? next : 0.5 * (a + b);
    }
    return u;
}

/* At a cusp the derivative is 0: there the curve goes as it does a little further inside. */
static vector direction(const spline_piece *p, double u) {
    vector d = derivative(p, u);
    double length = hk_geo_length(d);
    for (double aside = 1e-6; !(length > 1e-9 * p->length) && aside < 1; aside *= 10) {
        d = derivative(p, u < 0.5 ? u + aside : u - aside);
        length = hk_geo_length(d);
    }
    return hk_geo_scale(1 / length, d);
}

spline_point hk_auv_spline_at(const spline_piece *piece, double length) {
    double u = parameter_at(piece, length - piece->begin);
    return (spline_point){position(piece, u), direction(piece, u)};
}

double hk_auv_spline_speed(const spline_piece *piece, double length) {
    double square =
        piece->speed[0] * piece->speed[0] + 2 * piece->acceleration * (length - piece->begin);
    return square > 0 ? sqrt(square) : 0;
}

int32_t hk_auv_spline_piece_at(const spline *s, double length, int32_t piece) {
    while (piece > 0 && length < s->pieces[piece].begin)
        piece--;
    while (piece < s->count - 1 && length >= s->pieces[piece + 1].begin)
        piece++;
    return piece;
}

int32_t hk_auv_spline_piece_then(const spline *s, double time, int32_t piece) {
    while (piece > 0 && time < s->pieces[piece].begin_time)
        piece--;
    while (piece < s->count - 1 && time >= s->pieces[piece + 1].begin_time)
        piece++;
    return piece;
}

/* ---- centripetal Catmull-Rom ---- */

static vector neighbour(const waypoint *points, int32_t count, int32_t i) {
    if (i < 0)
        return sum(2, place_of(&points[0]), -1, place_of(&points[1]));
    if (i >= count)
        return sum(2, place_of(&points[count - 1]), -1, place_of(&points[count - 2]));
    return place_of(&points[i]);
}

/* The tangent at B, of C - B as far as BC goes; knots are roots of distances. */
static vector tangent(vector a, vector b, vector c, double ab, double bc, double span) {
    vector in = hk_geo_scale(1 / ab, hk_geo_subtract(b, a));
    vector out = hk_geo_scale(1 / bc, hk_geo_subtract(c, b));
    vector over = hk_geo_scale(1 / (ab + bc), hk_geo_subtract(c, a));
    return hk_geo_scale(span, hk_geo_add(hk_geo_subtract(in, over), out));
}

static void hermite(spline_piece *p, vector from, vector to, vector leaving, vector arriving) {
    vector way = hk_geo_subtract(to, from);
    p->c[0] = from;
    p->c[1] = leaving;
    p->c[2] = hk_geo_subtract(hk_geo_scale(3, way), sum(2, leaving, 1, arriving));
    p->c[3] = hk_geo_add(hk_geo_scale(-2, way), hk_geo_add(leaving, arriving));
}

static void catmull_rom(spline *s, const waypoint *points, double tension) {
    int32_t count = s->count + 1;
    for (int32_t i = 0; i < s->count; i++) {
        vector p[4];
        double t[3];
        for (int k = 0; k < 4; k++)
            p[k] = neighbour(points, count, i - 1 + k);
        for (int k = 0; k < 3; k++)
            t[k] = sqrt(hk_geo_length(hk_geo_subtract(p[k + 1], p[k])));
        if (tension == 1) {
            s->pieces[i].c[0] = p[1];
            s->pieces[i].c[1] = hk_geo_subtract(p[2], p[1]);
            continue;
        }
        hermite(&s->pieces[i], p[1], p[2],
                hk_geo_scale(1 - tension, tangent(p[0], p[1], p[2], t[0], t[1], t[1])),
                hk_geo_scale(1 - tension, tangent(p[1], p[2], p[3], t[1], t[2], t[1])));
    }
}

/* ---- curves with a continuous second derivative ---- */

/* What one piece adds to the system of equations for the second derivatives. */
typedef struct link {
    double aside, own; /* factors of the neighbour's and of one's own */
    vector slope;
} link;

static link link_of(const waypoint *points, double sigma) {
    vector way = hk_geo_subtract(place_of(&points[1]), place_of(&points[0]));
    double h = hk_geo_length(way);
    if (sigma == 0)
        return (link){h / 6, h / 3, hk_geo_scale(1 / h, way)};
    double a = sigma * h, square = sigma * sigma;
    return (link){(1 / h - sigma * 2 * hk_exp(-a) / (1 - hk_exp(-2 * a))) / square,
                  (sigma * cosh_part(a, 1) - 1 / h) / square, hk_geo_scale(1 / h, way)};
}

/* Second derivatives M by Thomas' algorithm; BELOW is room for as many numbers. At the ends they
 * are 0. */
static void bend(const waypoint *points, int32_t last, double sigma, vector *m, double *below) {
    m[0] = m[last] = (vector){0};
    below[0] = 0;
    for (int32_t i = 1; i < last; i++) {
        link before = link_of(points + i - 1, sigma), after = link_of(points + i, sigma);
        double own = before.own + after.own - before.aside * below[i - 1];
        below[i] = after.aside / own;
        vector right = hk_geo_subtract(hk_geo_subtract(after.slope, before.slope),
                                       hk_geo_scale(before.aside, m[i - 1]));
        m[i] = hk_geo_scale(1 / own, right);
    }
    for (int32_t i = last - 1; i > 0; i--)
        m[i] = hk_geo_subtract(m[i], hk_geo_scale(below[i], m[i + 1]));
}

static void bent_piece(spline_piece *p, const waypoint *points, const vector *m, double sigma) {
    vector from = place_of(&points[0]), to = place_of(&points[1]);
    vector way = hk_geo_subtract(to, from);
    double h = hk_geo_length(way);
    p->bend = sigma * h;
    p->c[0] = from;
    if (sigma == 0) {
        p->c[1] = hk_geo_subtract(way, hk_geo_scale(h * h / 6, sum(2, m[0], 1, m[1])));
        p->c[2] = hk_geo_scale(h * h / 2, m[0]);
        p->c[3] = hk_geo_scale(h * h / 6, hk_geo_subtract(m[1], m[0]));
        return;
    }
    p->c[1] = to;
    p->c[2] = hk_geo_scale(1 / (sigma * sigma), m[0]);
    p->c[3] = hk_geo_scale(1 / (sigma * sigma), m[1]);
}

/* TENSION per mean distance. So little of it that it is lost in rounding is none. */
static double sigma_of(const waypoint *points, int32_t last, double tension) {
    double all = 0, least = INFINITY;
    for (int32_t i = 0; i < last; i++) {
        double h = hk_geo_length(hk_geo_subtract(place_of(&points[i + 1]), place_of(&points[i])));
        all += h;
        least = h < least ? h : least;
    }
    double sigma = tension * last / all;
    return sigma * least < 1e-3 ? 0 : sigma;
}

static bool bent(spline *s, const waypoint *points, double tension) {
    size_t count = (size_t)s->count + 1;
    vector *m = calloc(count, sizeof *m);
    double *below = calloc(count, sizeof *below);
    if (m && below) {
        double sigma = tension == 0 ? 0 : sigma_of(points, s->count, tension);
        bend(points, s->count, sigma, m, below);
        for (int32_t i = 0; i < s->count; i++)
            bent_piece(&s->pieces[i], points + i, m + i, sigma);
    }
    free(below);
    free(m);
    return m && below;
}

/* ---- making ---- */

static bool good(const waypoint *points, int32_t count, int64_t curve, double tension, words *why) {
    if (count < 2)
        return hk_auv_fail(why, "a curve needs two way-points, and there %s %d",
                           count == 1 ? "is" : "are", count),
               false;
    double most = curve == CATMULL_ROM ? 1 : 20; /* of a tighter one the table is too coarse */
    if (!(tension >= 0 && tension <= most))
        return hk_auv_fail(why, "a tension of %g is not in 0 to %g", tension, most), false;
    for (int32_t i = 0; i < count; i++) {
        const waypoint *p = &points[i];
        if (!isfinite(p->position.x) || !isfinite(p->position.y) || !isfinite(p->position.z) ||
            !(p->speed >= 0))
            return hk_auv_fail(why, "way-point %d is not known", i + 1), false;
        if (i == 0)
            continue;
        if (!(hk_geo_length(hk_geo_subtract(place_of(p), place_of(p - 1))) > 1e-6))
            return hk_auv_fail(why, "way-points %d and %d are at the same place", i, i + 1), false;
        if (p->speed + p[-1].speed == 0)
            return hk_auv_fail(why, "leg %d begins and ends with a speed of 0: it takes forever",
                               i),
                   false;
    }
    return true;
}

static void add_up(spline *s, const waypoint *points) {
    for (int32_t i = 0; i < s->count; i++) {
        spline_piece *p = &s->pieces[i];
        measure(p);
        double from = points[i].speed, to = points[i + 1].speed;
        p->speed[0] = from;
        p->speed[1] = to;
        p->acceleration = (to * to - from * from) / (2 * p->length);
        p->begin = s->length;
        p->begin_time = s->duration;
        p->duration = 2 * p->length / (from + to);
        s->length += p->length;
        s->duration += p->duration;
    }
}

spline *hk_auv_spline_make(const waypoint *points, int32_t count, int64_t curve, double tension,
                           words *why) {
    if (!good(points, count, curve, tension, why))
        return NULL;
    spline *s = calloc(1, sizeof *s + (size_t)(count - 1) * sizeof *s->pieces);
    if (s) {
        s->count = count - 1;
        if (curve == CATMULL_ROM)
            catmull_rom(s, points, tension);
        else if (!bent(s, points, curve == IN_TENSION ? tension : 0)) {
            free(s);
            s = NULL;
        }
    }
    if (!s) {
        hk_auv_fail(why, "there is no memory left for %d way-points", count);
        return NULL;
    }
    add_up(s, points);
    return s;
}
