#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes tests/math/geo_vectors.h: what hk/geo.h is held against, computed with 50 digits.

usage: make_geo_vectors.py FILE

Needs mpmath. No formula of the header is used where there is another way: rotations are products of rotations about one
axis, or exponentials of matrices; rates are derivatives of such products; a place on the ellipsoid is found by its reduced
latitude; curvature is that of an ellipse in parameters; gravity is the closed form with the values at the equator and at
the poles; UTM is the arc of the meridian as an integral in the complex plane, up to the complex latitude that belongs to
the isometric latitude and the longitude."""
import pathlib
import sys

import mpmath
from mpmath import mp, mpf

mp.dps = 50
A, F = mpf(6378137), 1 / mpf("298.257223563")
B = A * (1 - F)
E2 = F * (2 - F)
E = mpmath.sqrt(E2)


def about(axis, angle):
    """The rotation about one axis."""
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    r = mpmath.eye(3)
    r[i, i] = r[j, j] = mpmath.cos(angle)
    r[i, j], r[j, i] = -mpmath.sin(angle), mpmath.sin(angle)
    return r


def matrix(euler):
    return about(2, euler[2]) * about(1, euler[1]) * about(0, euler[0])


def skew(v):
    return mpmath.matrix([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def unskew(m):
    return [m[2, 1], m[0, 2], m[1, 0]]


def product(p, q):
    s = p[0] * q[0] - sum(p[i] * q[i] for i in (1, 2, 3))
    v = [p[0] * q[i] + q[0] * p[i] for i in (1, 2, 3)]
    c = skew(p[1:]) * mpmath.matrix(q[1:])
    return [s] + [v[i] + c[i] for i in range(3)]


def quaternion(euler):
    parts = []
    for axis in (2, 1, 0):
        part = [mpmath.cos(euler[axis] / 2), mpf(0), mpf(0), mpf(0)]
        part[1 + axis] = mpmath.sin(euler[axis] / 2)
        parts.append(part)
    return product(product(parts[0], parts[1]), parts[2])


def body_rates(euler, rates):
    """R' dR/dt is the matrix of the rotation speed."""
    def at(t):
        return matrix([e + t * r for e, r in zip(euler, rates)])
    h = mpf(10) ** -18
    slope = (at(h) - at(-h)) / (2 * h)
    return unskew(matrix(euler).T * slope)


def meridian(latitude):
    """Where it leaves the ellipsoid: distance from the axis, height above the equator."""
    beta = mpmath.atan2(B * mpmath.sin(latitude), A * mpmath.cos(latitude))
    return A * mpmath.cos(beta), B * mpmath.sin(beta), beta


def ecef(latitude, longitude, height):
    p, z, _ = meridian(latitude)
    p += height * mpmath.cos(latitude)
    return [p * mpmath.cos(longitude), p * mpmath.sin(longitude), z + height * mpmath.sin(latitude)]


def radius_n(latitude):
    p, _, _ = meridian(latitude)
    return p / mpmath.cos(latitude)


def radius_m(latitude):
    _, _, beta = meridian(latitude)
    s, c = mpmath.sin(beta), mpmath.cos(beta)
    return mpmath.sqrt(A * A * s * s + B * B * c * c) ** 3 / (A * B)


def gravity(latitude, height):
    s, c = mpmath.sin(latitude), mpmath.cos(latitude)
    equator, pole = mpf("9.7803253359"), mpf("9.8321849379")
    return (A * equator * c * c + B * pole * s * s) / mpmath.sqrt(A * A * c * c + B * B * s * s) - mpf("3.086e-6") * height


def tangent(origin, point):
    """North, east and down as derivatives of the place by latitude, longitude and height."""
    here = ecef(*origin)
    d = [a - b for a, b in zip(ecef(*point), here)]
    axes = []
    for i, sign in ((0, 1), (1, 1), (2, -1)):
        moved = [[o + (k * mpf(10) ** -18 if i == j else 0) for j, o in enumerate(origin)] for k in (1, -1)]
        slope = [a - b for a, b in zip(ecef(*moved[0]), ecef(*moved[1]))]
        length = mpmath.sqrt(sum(x * x for x in slope))
        axes.append(sign * sum(x * y for x, y in zip(slope, d)) / length)
    return axes


def flat(origin, point):
    aside = point[1] - origin[1]
    aside -= 2 * mpmath.pi * mpmath.nint(aside / (2 * mpmath.pi))
    return [(point[0] - origin[0]) * (radius_m(origin[0]) + origin[2]),
            aside * (meridian(origin[0])[0] + origin[2] * mpmath.cos(origin[0])), origin[2] - point[2]]


def isometric(latitude):
    s = mpmath.sin(latitude)
    return mpmath.atanh(s) - E * mpmath.atanh(E * s)


def utm(latitude, longitude, zone, south):
    aside = longitude - mpmath.radians(6 * zone - 183)
    aside -= 2 * mpmath.pi * mpmath.nint(aside / (2 * mpmath.pi))
    target = mpmath.mpc(isometric(latitude), aside)
    phi = mpmath.findroot(lambda x: isometric(x) - target, mpmath.mpc(latitude, aside * mpmath.cos(latitude)), tol=mpf(10) ** -80)
    arc = mpmath.quad(lambda t: phi * A * (1 - E2) / mpmath.sqrt(1 - E2 * mpmath.sin(t * phi) ** 2) ** 3, [0, mpf(1) / 2, 1])
    factor = mpf("0.9996")
    return [500000 + factor * arc.imag, factor * arc.real + (10000000 if south else 0)]


def row(*numbers):
    return "    {" + ", ".join(n if isinstance(n, str) else repr(float(mpmath.nstr(mpf(n), 40))) for n in numbers) + "},\n"


def table(name, columns, rows):
    return f"static const double {name}[][{columns}] = {{\n" + "".join(rows) + "};\n\n"


EULER = [(0.1, -0.2, 0.3), (-2.9, 1.2, -3.0), (0.5, 1.5, 2.5), (3.1, -1.4, -0.7), (1e-9, 1e-7, -1e-8), (-1.2, 0.0, 1.5),
         (0.0, 0.7, 0.0), (2.0, -1.57, 3.0)]
RATES = [(0.01, -0.02, 0.03), (1.0, 2.0, -0.5), (-0.3, 0.2, 0.1), (0.0, 0.0, 1.0)]
TURNS = [(1e-3, -2e-3, 3e-3), (0.05, 0.06, -0.07), (0.4, -0.5, 0.6), (2.0, 1.0, -2.0), (1e-160, 0.0, 0.0), (3e-9, 0.0, -4e-9),
         (0.0, 0.0, 0.1), (0.06, 0.0, 0.08), (0.0, 3.1, 0.0)]
ORIGINS = [(0.844, -0.08, 0.0), (-0.6, 2.6, 150.0), (0.0, 0.0, -4000.0), (1.2, 3.1415, 10.0), (-1.5, -3.1415, 0.0)]
OFFSETS = [(1.5e-4, 0.0, 0.0), (0.0, 1.8e-4, -20.0), (3e-3, -2e-3, -3000.0), (-1e-5, 2e-4, 5.0), (-1e-7, 1e-7, -1.0)]
PLACES = [(0.0, 0.0, 0.0), (0.844, -0.08, 120.0), (-0.8, 2.0, -11000.0), (1.5, -3.0, 8848.0), (-1.57, 1.0, 35786000.0),
          (1e-9, 3.14159, -5.0), (0.7853981633974483, 1.5707963267948966, 1000000.0), (1.5707963, 0.3, 100.0),
          (-0.3, -1.2, -3000000.0)]
MAPS = [(0.844, -0.08, 30, 0), (0.844, -0.04, 30, 0), (-0.6, 2.6, 56, 1), (0.0, 0.05235987755982989, 31, 0),
        (1e-9, 0.01, 31, 0), (1.46, 0.2, 33, 0), (-1.39, -2.0, 11, 1), (0.3, 3.1415, 60, 0), (0.3, -3.1415, 60, 0),
        (-0.3, 3.14, 1, 1), (1.03, 0.07, 32, 0), (1.3, 0.3, 33, 0), (0.9, -0.2, 30, 0), (-1e-5, 0.6, 36, 1)]


def attitudes():
    rows = []
    for euler in EULER:
        exact = [mpf(x) for x in euler]
        r, q = matrix(exact), quaternion(exact)
        rows.append(row(*euler, *q, *[r[i, j] for i in range(3) for j in range(3)]))
    return table("geo_attitudes", 16, rows)


def rates():
    rows = [row(*euler, *rate, *body_rates([mpf(x) for x in euler], [mpf(x) for x in rate]))
            for euler in EULER[:4] for rate in RATES]
    return table("geo_rates", 9, rows)


def turns():
    rows = []
    for turn in TURNS:
        r = mpmath.expm(skew([mpf(x) for x in turn]), method="taylor")
        rows.append(row(*turn, *[r[i, j] for i in range(3) for j in range(3)]))
    return table("geo_turns", 12, rows)


def places():
    rows = [row(*place, *ecef(*map(mpf, place)), radius_m(mpf(place[0])), radius_n(mpf(place[0])),
                gravity(mpf(place[0]), mpf(place[2]))) for place in PLACES]
    return table("geo_places", 9, rows)


def frames():
    rows = []
    for origin in ORIGINS:
        for offset in OFFSETS:
            point = [a + b for a, b in zip(origin, offset)]
            point[1] = float(point[1] - 2 * mpmath.pi * mpmath.nint(mpf(point[1]) / (2 * mpmath.pi)))
            exact = [mpf(x) for x in point]
            start = [mpf(x) for x in origin]
            rows.append(row(*origin, *point, *tangent(start, exact), *flat(start, exact)))
    return table("geo_frames", 12, rows)


def maps():
    rows = [row(latitude, longitude, str(zone), str(south), *utm(mpf(latitude), mpf(longitude), zone, south))
            for latitude, longitude, zone, south in MAPS]
    quarter = mpmath.quad(lambda t: A * (1 - E2) / mpmath.sqrt(1 - E2 * mpmath.sin(t) ** 2) ** 3, [0, mpmath.pi / 4, mpmath.pi / 2])
    rows.append(row(mpmath.pi / 2, 0.1, "31", "0", 500000, mpf("0.9996") * quarter))
    return table("geo_maps", 6, rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    text = ("/* SPDX-License-Identifier: MIT\n"
            " *\n"
            " * What hk/geo.h is held against. Made by make_geo_vectors.py with 50 digits; do not edit. */\n"
            "/* clang-format off */\n"
            "/* roll, pitch, yaw; w, x, y, z; the matrix by rows */\n" + attitudes() +
            "/* roll, pitch, yaw; their rates; p, q, r */\n" + rates() +
            "/* a turn; its matrix by rows */\n" + turns() +
            "/* latitude, longitude, height; x, y, z; M, N; gravity */\n" + places() +
            "/* an origin; a place; tangent plane; flat Earth */\n" + frames() +
            "/* latitude, longitude; zone, south; easting, northing */\n" + maps())
    pathlib.Path(sys.argv[1]).write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
