/* SPDX-License-Identifier: MIT
 *
 * Frames and geodesy with the same bits everywhere: attitudes (hk/geo_attitude.h), the ellipsoid
 * WGS-84, local frames, UTM. Made of hk/math.h and of sqrt and remainder, which are exact: what
 * that header says of compilers and of bits holds here too. docs/geodesy.md has the frames, the
 * signs, how exact each function is, and the traps.
 *
 * Angles are in radians, latitude north and longitude east, the height in metres above the
 * ellipsoid; a local frame is north, east, down at an origin. Two kinds of local frames differ, by
 * 8 cm after 1 km: hk_geo_tangent_* (a plane that touches the ellipsoid at the origin) and
 * hk_geo_flat_* (a map, metres per radian as at the origin). All parts of a system use the same. */
#ifndef HK_GEO_H
#define HK_GEO_H

#include <hk/geo_attitude.h>
#include <hk/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- WGS-84 ---- */

#define HK_GEO_A          6378137.0             /* half of the long axis, m */
#define HK_GEO_B          6356752.314245179     /* half of the short axis, m */
#define HK_GEO_F          0.0033528106647474805 /* flattening, 1 / 298.257223563 */
#define HK_GEO_E2         0.0066943799901413165 /* square of the eccentricity, f (2 - f) */
#define HK_GEO_E          0.08181919084262149   /* eccentricity */
#define HK_GEO_EARTH_RATE 7.292115e-5           /* rad/s */

typedef struct hk_geo_point {
    double latitude, longitude; /* rad */
    double height;              /* m */
} hk_geo_point;

static inline hk_geo_point hk_geo_point_of_degrees(double latitude, double longitude,
                                                   double height) {
    hk_geo_point point;
    point.latitude = hk_geo_radians(latitude);
    point.longitude = hk_geo_radians(longitude);
    point.height = height;
    return point;
}

/* Of curvature: N across the meridian, M along it. */
static inline double hk_geo_radius_n(double latitude) {
    double s = hk_sin(latitude);
    return HK_GEO_A / hk_math_sqrt_(1 - HK_GEO_E2 * s * s);
}

static inline double hk_geo_radius_m(double latitude) {
    double s = hk_sin(latitude), w = 1 - HK_GEO_E2 * s * s;
    return HK_GEO_A * (1 - HK_GEO_E2) / (w * hk_math_sqrt_(w));
}

/* Of the ellipsoid (Somigliana), with its decrease in free air, m/s2. */
static inline double hk_geo_gravity(double latitude, double height) {
    double s = hk_sin(latitude), square = s * s;
    return 9.7803253359 * (1 + 0.001931852652 * square) / hk_math_sqrt_(1 - HK_GEO_E2 * square) -
           3.086e-6 * height;
}

/* How the Earth turns, and how a frame that stays level turns because it travels, seen from it. */
static inline hk_geo_vector3 hk_geo_earth_rate(double latitude) {
    return hk_geo_vector(HK_GEO_EARTH_RATE * hk_cos(latitude), 0,
                         -HK_GEO_EARTH_RATE * hk_sin(latitude));
}

static inline hk_geo_vector3 hk_geo_transport_rate(hk_geo_point at, hk_geo_vector3 speed) {
    double n = hk_geo_radius_n(at.latitude) + at.height,
           m = hk_geo_radius_m(at.latitude) + at.height;
    return hk_geo_vector(speed.y / n, -speed.x / m, -speed.y * hk_tan(at.latitude) / n);
}

/* ---- the centre of the Earth: x to 0 N 0 E, y to 0 N 90 E, z to the north pole, m ---- */

static inline hk_geo_vector3 hk_geo_ecef_of_point(hk_geo_point point) {
    double s = hk_sin(point.latitude), c = hk_cos(point.latitude);
    double n = HK_GEO_A / hk_math_sqrt_(1 - HK_GEO_E2 * s * s);
    return hk_geo_vector((n + point.height) * c * hk_cos(point.longitude),
                         (n + point.height) * c * hk_sin(point.longitude),
                         (n * (1 - HK_GEO_E2) + point.height) * s);
}

/* By Bowring's formula, repeated until nothing changes: near the surface the second time. For
 * heights from -3000 km on; near the centre the answer is not unique. */
static inline hk_geo_point hk_geo_point_of_ecef(hk_geo_vector3 ecef) {
    hk_geo_point point;
    double p = hk_hypot(ecef.x, ecef.y), s = 2, c = 0;
    point.longitude = hk_atan2(ecef.y, ecef.x);
    if (p > 0) {
        double up = ecef.z, out = p * (1 - HK_GEO_F), last = 3; /* of the reduced latitude */
        for (int i = 0; i < 8 && s != last; i++) {
            last = s;
            double length = hk_hypot(up, out), sine = up / length, cosine = out / length;
            up = ecef.z + HK_GEO_E2 / (1 - HK_GEO_E2) * HK_GEO_B * sine * sine * sine;
            out = p - HK_GEO_E2 * HK_GEO_A * cosine * cosine * cosine;
            length = hk_hypot(up, out);
            s = up / length;
            c = out / length;
            up *= 1 - HK_GEO_F;
        }
        point.latitude = hk_atan2(s, c);
    } else {
        s = hk_math_signed_(1, ecef.z);
        point.latitude = hk_math_signed_(HK_GEO_PI / 2, ecef.z);
    }
    point.height = p * c + ecef.z * s - HK_GEO_A * hk_math_sqrt_(1 - HK_GEO_E2 * s * s);
    return point;
}

/* ---- local frames ---- */

/* An origin, with what does not change while it does not. */
typedef struct hk_geo_frame {
    hk_geo_point origin;
    hk_geo_vector3 ecef;     /* of the origin */
    hk_geo_matrix3 to_ned;   /* from ECEF */
    double north_per_radian; /* M + h */
    double east_per_radian;  /* (N + h) cos(latitude) */
} hk_geo_frame;

static inline hk_geo_frame hk_geo_frame_at(hk_geo_point origin) {
    double s = hk_sin(origin.latitude), c = hk_cos(origin.latitude);
    double u = hk_sin(origin.longitude), v = hk_cos(origin.longitude);
    hk_geo_matrix3 to_ned = {{{-s * v, -s * u, c}, {-u, v, 0}, {-c * v, -c * u, -s}}};
    hk_geo_frame frame;
    frame.origin = origin;
    frame.ecef = hk_geo_ecef_of_point(origin);
    frame.to_ned = to_ned;
    frame.north_per_radian = hk_geo_radius_m(origin.latitude) + origin.height;
    frame.east_per_radian = (hk_geo_radius_n(origin.latitude) + origin.height) * c;
    return frame;
}

static inline hk_geo_vector3 hk_geo_ned_of_ecef(const hk_geo_frame *frame, hk_geo_vector3 ecef) {
    return hk_geo_apply(&frame->to_ned, hk_geo_subtract(ecef, frame->ecef));
}

static inline hk_geo_vector3 hk_geo_ecef_of_ned(const hk_geo_frame *frame, hk_geo_vector3 ned) {
    return hk_geo_add(frame->ecef, hk_geo_apply_transposed(&frame->to_ned, ned));
}

static inline hk_geo_vector3 hk_geo_tangent_of_point(const hk_geo_frame *frame,
                                                     hk_geo_point point) {
    return hk_geo_ned_of_ecef(frame, hk_geo_ecef_of_point(point));
}

static inline hk_geo_point hk_geo_tangent_to_point(const hk_geo_frame *frame, hk_geo_vector3 ned) {
    return hk_geo_point_of_ecef(hk_geo_ecef_of_ned(frame, ned));
}

/* Not at a pole, where a radian of longitude has no length. */
static inline hk_geo_vector3 hk_geo_flat_of_point(const hk_geo_frame *frame, hk_geo_point point) {
    return hk_geo_vector((point.latitude - frame->origin.latitude) * frame->north_per_radian,
                         hk_geo_turn(frame->origin.longitude, point.longitude) *
                             frame->east_per_radian,
                         frame->origin.height - point.height);
}

static inline hk_geo_point hk_geo_flat_to_point(const hk_geo_frame *frame, hk_geo_vector3 ned) {
    hk_geo_point point;
    point.latitude = frame->origin.latitude + ned.x / frame->north_per_radian;
    point.longitude = hk_geo_wrap(frame->origin.longitude + ned.y / frame->east_per_radian);
    point.height = frame->origin.height - ned.z;
    return point;
}

/* ---- UTM ---- */

typedef struct hk_geo_utm {
    double easting, northing; /* m */
    int zone;                 /* 1 to 60 */
    bool south;               /* 10 000 km are added to its northings */
} hk_geo_utm;

#define HK_GEO_UTM_RADIUS_ 6364902.166165086 /* 0.9996 times the mean radius of a meridian */

/* Krueger's series, for WGS-84: the Fourier coefficients of the rectifying latitude over the
 * conformal one, of the conformal over the rectifying, and of the geodetic over the conformal. */
static const double hk_geo_rectifying_[6] = {0.0008377318206244698,  7.608527773572489e-07,
                                             1.1976455032424921e-09, 2.4291706803973132e-12,
                                             5.711818369154105e-15,  1.479998027052621e-17};
static const double hk_geo_conformal_[6] = {-0.0008377321640579487,  -5.905870152220365e-08,
                                            -1.673482665343825e-10,  -2.1647981104903862e-13,
                                            -3.7879309688396013e-16, -7.236769287965758e-19};
static const double hk_geo_geodetic_[6] = {0.0033565514691328323,  6.571873198627697e-06,
                                           1.7646404113343272e-08, 5.38775406839921e-11,
                                           1.7639829049873024e-13, 6.034536328020986e-16};

/* The sum of c[j - 1] sin(2 j (X + i Y)), real part and imaginary part, after Clenshaw. */
static inline void hk_geo_series_(const double c[6], double x, double y, double *real,
                                  double *imaginary) {
    double s = hk_sin(2 * x), k = hk_cos(2 * x), sh = hk_sinh(2 * y), ch = hk_cosh(2 * y);
    double factor = 2 * k * ch, turn = -2 * s * sh; /* 2 cos(2 (x + i y)) */
    double a = 0, b = 0, last_a = 0, last_b = 0;
    for (int j = 5; j >= 0; j--) {
        double next_a = c[j] + (factor * a - turn * b) - last_a;
        double next_b = (factor * b + turn * a) - last_b;
        last_a = a;
        last_b = b;
        a = next_a;
        b = next_b;
    }
    *real = a * (s * ch) - b * (k * sh);
    *imaginary = a * (k * sh) + b * (s * ch);
}

static inline double hk_geo_central_meridian_(int zone) {
    return hk_geo_radians(6 * zone - 183);
}

/* The zone in which maps show a place, with the exceptions for Norway and Svalbard. */
static inline int hk_geo_utm_zone(double latitude, double longitude) {
    double x = hk_geo_wrap_degrees(hk_geo_degrees(longitude)), y = hk_geo_degrees(latitude);
    if (y >= 56 && y < 64 && x >= 3 && x < 12)
        return 32;
    if (y >= 72 && y <= 84 && x >= 0 && x < 42)
        return x < 9 ? 31 : x < 21 ? 33 : x < 33 ? 35 : 37;
    int zone = (int)floor((x + 180) / 6) + 1;
    return zone > 60 ? 1 : zone;
}

/* Also for places in the zones beside it, as grids that cross a border need; the height has no part
 * in it. */
static inline hk_geo_utm hk_geo_utm_of_point(hk_geo_point point, int zone, bool south) {
    double s = hk_sin(point.latitude), c = hk_cos(point.latitude), tangent = s / c;
    double shift = hk_sinh(HK_GEO_E * hk_atanh(HK_GEO_E * s));
    double conformal =
        tangent * hk_math_sqrt_(1 + shift * shift) - shift * hk_math_sqrt_(1 + tangent * tangent);
    double aside = hk_geo_turn(hk_geo_central_meridian_(zone), point.longitude);
    double x = hk_atan2(conformal, hk_cos(aside));
    double y = hk_asinh(hk_sin(aside) / hk_hypot(conformal, hk_cos(aside)));
    double more_x, more_y;
    hk_geo_series_(hk_geo_rectifying_, x, y, &more_x, &more_y);
    hk_geo_utm utm;
    utm.easting = 500000 + HK_GEO_UTM_RADIUS_ * (y + more_y);
    utm.northing = (south ? 10000000 : 0) + HK_GEO_UTM_RADIUS_ * (x + more_x);
    utm.zone = zone;
    utm.south = south;
    return utm;
}

/* The height is 0. */
static inline hk_geo_point hk_geo_utm_to_point(hk_geo_utm utm) {
    double x = (utm.northing - (utm.south ? 10000000 : 0)) / HK_GEO_UTM_RADIUS_;
    double y = (utm.easting - 500000) / HK_GEO_UTM_RADIUS_, more_x, more_y;
    hk_geo_series_(hk_geo_conformal_, x, y, &more_x, &more_y);
    x += more_x;
    y += more_y;
    double aside = hk_sinh(y), c = hk_cos(x);
    double conformal = hk_atan2(hk_sin(x), hk_hypot(aside, c)), more, none;
    hk_geo_series_(hk_geo_geodetic_, conformal, 0, &more, &none);
    hk_geo_point point;
    point.latitude = conformal + more;
    point.longitude = hk_geo_wrap(hk_geo_central_meridian_(utm.zone) + hk_atan2(aside, c));
    point.height = 0;
    return point;
}

#ifdef __cplusplus
}
#endif
#endif
