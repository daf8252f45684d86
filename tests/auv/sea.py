# SPDX-License-Identifier: MIT
"""A sea for tests: geodesy of its own, files of currents and sea beds, and runs that sound along a line.

Depths and currents are functions of place and time, from which every kind of file is made, so that what comes back
can be compared with the function. The Earth is flat unless a test says so: metres per radian as at the origin."""
import csv
import math
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, call  # noqa: E402

LATITUDE, LONGITUDE = 48.3, -4.5  # of the origin
A, F = 6378137.0, 1 / 298.257223563
E2 = F * (2 - F)
KNOT = 1852 / 3600

SYSTEM = """system sea {{
  import "environment.types";
  import "sounding.types";
  plugin "{sounding}";
  plugin "{files}";
  composite all {{
    leaf earth : environment.Earth {{ frequency 1 Hz; param originLatitude = 48.3; param originLongitude = -4.5; }}
    leaf formula : environment.MntModel {{ frequency 1 Hz; }}
    leaf tiff : environment.GeoTiff {{ frequency 1 Hz; }}
    leaf bed : environment.MntAdapter {{ frequency 1 Hz; }}
    leaf sine : environment.CurrentModel {{ frequency 1 Hz; }}
    leaf series : environment.CurrentSeries {{ frequency 1 Hz; }}
    leaf s111 : environment.S111CurrentFile {{ frequency 1 Hz; }}
    leaf current : environment.CurrentAdapter {{ frequency 1 Hz; }}
    leaf sounding : test.Sounding {{ frequency 1 Hz; }}
    service bed.rMntSource -> formula.pMntModel, tiff.pGeoTiff;
    service current.rCurrentSource -> sine.itfCurrentModel, series.pSeries, s111.pS111;
    service sounding.rMnt -> bed.pMnt;
    service sounding.rCurrent -> current.pCurrent;
    share earth.originLatitude -> tiff.originLatitude;
    share earth.originLongitude -> tiff.originLongitude;
    share earth.earth -> tiff.earth;
  }}
}}
"""
TYPES = """import "interfaces.types";
Declaration test {
  LeafComponentTypes {
    LeafComponentType Sounding {
      requiredInterfaces (environment.MntSource rMnt, environment.CurrentSource rCurrent)
      outputs { core.double depth unit "m"; core.double east unit "m/s"; core.double north unit "m/s"; core.bool known; }
      parameters {
        core.double fromNorth = 0.0 unit "m"; core.double fromEast = 0.0 unit "m";
        core.double northSpeed = 0.0 unit "m/s"; core.double eastSpeed = 0.0 unit "m/s";
        core.double latitude = 0.0 unit "deg"; core.double longitude = 0.0 unit "deg";
        core.double latitudeSpeed = 0.0 unit "deg/s"; core.double longitudeSpeed = 0.0 unit "deg/s";
      }
    }
  }
}
"""
SOURCES = {"formula": "pMntModel", "tiff": "pGeoTiff", "sine": "itfCurrentModel", "series": "pSeries", "s111": "pS111"}


# ---- geodesy ----

def radii(latitude):
    """Of curvature, along the meridian and across it."""
    w = 1 - E2 * math.sin(math.radians(latitude)) ** 2
    return A * (1 - E2) / w ** 1.5, A / math.sqrt(w)


PER_RADIAN = radii(LATITUDE)[0], radii(LATITUDE)[1] * math.cos(math.radians(LATITUDE))


def geo(north, east):
    """Latitude and longitude, on a flat Earth."""
    return LATITUDE + math.degrees(north / PER_RADIAN[0]), LONGITUDE + math.degrees(east / PER_RADIAN[1])


def flat(latitude, longitude):
    return math.radians(latitude - LATITUDE) * PER_RADIAN[0], math.radians(longitude - LONGITUDE) * PER_RADIAN[1]


def ecef(latitude, longitude, height):
    p, q, n = math.radians(latitude), math.radians(longitude), radii(latitude)[1]
    return ((n + height) * math.cos(p) * math.cos(q), (n + height) * math.cos(p) * math.sin(q),
            (n * (1 - E2) + height) * math.sin(p))


def tangent_down(latitude, longitude, height):
    """How far a point is below the plane that touches the Earth at the origin."""
    p, q = math.radians(LATITUDE), math.radians(LONGITUDE)
    d = [a - b for a, b in zip(ecef(latitude, longitude, height), ecef(LATITUDE, LONGITUDE, 0))]
    return -math.cos(p) * math.cos(q) * d[0] - math.cos(p) * math.sin(q) * d[1] - math.sin(p) * d[2]


def tangent_ned(latitude, longitude, height):
    p, q = math.radians(LATITUDE), math.radians(LONGITUDE)
    d = [a - b for a, b in zip(ecef(latitude, longitude, height), ecef(LATITUDE, LONGITUDE, 0))]
    north = -math.sin(p) * math.cos(q) * d[0] - math.sin(p) * math.sin(q) * d[1] + math.cos(p) * d[2]
    return north, -math.sin(q) * d[0] + math.cos(q) * d[1], tangent_down(latitude, longitude, height)


def utm_to_geo(easting, northing, zone):
    """Krueger's series to the third order, of the northern half: 1 mm."""
    n = F / (2 - F)
    scale = 0.9996 * A / (1 + n) * (1 + n ** 2 / 4 + n ** 4 / 64)
    beta = n / 2 - 2 * n ** 2 / 3 + 37 * n ** 3 / 96, n ** 2 / 48 + n ** 3 / 15, 17 * n ** 3 / 480
    delta = 2 * n - 2 * n ** 2 / 3 - 2 * n ** 3, 7 * n ** 2 / 3 - 8 * n ** 3 / 5, 56 * n ** 3 / 15
    x, y = northing / scale, (easting - 500000) / scale
    x, y = (x - sum(b * math.sin(2 * j * x) * math.cosh(2 * j * y) for j, b in enumerate(beta, 1)),
            y - sum(b * math.cos(2 * j * x) * math.sinh(2 * j * y) for j, b in enumerate(beta, 1)))
    conformal = math.asin(math.sin(x) / math.cosh(y))
    latitude = conformal + sum(d * math.sin(2 * j * conformal) for j, d in enumerate(delta, 1))
    return math.degrees(latitude), 6 * zone - 183 + math.degrees(math.atan2(math.sinh(y), math.cos(x)))


# ---- GeoTIFF ----

GEOGRAPHIC = "1024,2,2048,4326"


def utm_keys(zone):
    return f"1024,1,3072,{32600 + zone},3076,9001"


class Grid:
    """Middles of pixels, 50 m apart, around the origin: COLUMNS x ROWS, in degrees or in UTM."""

    def __init__(self, columns=41, rows=31, step=50.0, zone=0, middle=(0.0, 0.0)):
        self.columns, self.rows, self.zone = columns, rows, zone
        if zone:  # about the place of the origin, but not turned as it is
            self.dx = self.dy = step
            self.x0, self.y0 = 388750.0 - columns // 2 * step, 5350850.0 + rows // 2 * step
        else:
            self.y0, self.x0 = geo(middle[0] + rows // 2 * step, middle[1] - columns // 2 * step)
            self.dy, self.dx = math.degrees(step / PER_RADIAN[0]), math.degrees(step / PER_RADIAN[1])

    def place(self, row, column):
        """Latitude and longitude of the middle of a pixel."""
        x, y = self.x0 + column * self.dx, self.y0 - row * self.dy
        return utm_to_geo(x, y, self.zone) if self.zone else (y, x)

    def numbers(self, function):
        """The function of north and east, row by row from the north."""
        return [function(*flat(*self.place(r, c))) for r in range(self.rows) for c in range(self.columns)]

    def words(self, point=False, matrix=False):
        """How make_tiff places it."""
        keys = (utm_keys(self.zone) if self.zone else GEOGRAPHIC) + (",1025,2" if point else ",1025,1")
        x, y = (self.x0, self.y0) if point else (self.x0 - self.dx / 2, self.y0 + self.dy / 2)
        if matrix:
            return [f"keys={keys}", f"matrix={self.dx!r},0,{x!r},0,{-self.dy!r},{y!r}"]
        return [f"keys={keys}", f"scale={self.dx!r},{self.dy!r}", f"tie=0,0,{x!r},{y!r}"]


# ---- S-111 ----

def write_s111(path, currents, times, origin=(48.0, -5.0), step=(0.1, 0.1), size=(7, 11), product="INT.IHO.S-111.1.2",
               crs=4326, coding=2, fill=("-9999", "-9999"), masked=lambda instance, time, i, j: False, instances=None,
               time_points="%Y%m%dT%H%M%SZ", swap=False, fixed_texts=False, change=None, scattered=None, **options):
    """A file of S-111 by h5py. CURRENTS(latitude, longitude, time) gives east and north; TIMES are seconds from
    2026-01-01. INSTANCES are more origins of the same grid. SCATTERED: places of nodes."""
    import datetime
    import h5py
    import numpy
    text = h5py.string_dtype(encoding="utf-8") if not fixed_texts else "S64"
    first = datetime.datetime(2026, 1, 1)
    names = ["surfaceCurrentSpeed", "surfaceCurrentDirection"]
    kind = [(n, "f4") for n in (reversed(names) if swap else names)] + [("speedUncertainty", "f4")]
    with h5py.File(path, "w") as file:
        file.attrs["productSpecification"] = product
        if crs is not None:
            file.attrs["horizontalCRS"] = numpy.int32(crs)
        file.attrs["surfaceCurrentDepth"] = options.get("depth", -4.5)
        rows = numpy.zeros(3, [("code", text), ("name", text), ("uom.name", text), ("fillValue", text)])
        for i, (code, unit, number) in enumerate(((names[0], options.get("unit", "knot"), fill[0]),
                                                  (names[1][:20], "arc-degrees", fill[1]), ("speedUncertainty", "knot", "-1"))):
            rows[i] = tuple(w.encode() if fixed_texts else w for w in (code, code, unit, number))
        file["Group_F/SurfaceCurrent"] = rows
        feature = file.create_group("SurfaceCurrent")
        feature.attrs["dataCodingFormat"] = numpy.uint8(coding)
        for k, (south, west) in enumerate(instances or [origin]):
            group = feature.create_group(f"SurfaceCurrent.{k + 1:02}")
            places = scattered or [(south + i * step[0], west + j * step[1])
                                   for i in range(size[0]) for j in range(size[1])]
            if coding == 3:
                keep = [n for n, p in enumerate(places) if not options.get("left_out", lambda p: False)(p)]
                places = [places[n] for n in keep]
                group["Positioning/geometryValues"] = numpy.array([(x, y) for y, x in places],
                                                                  [("longitude", "f8"), ("latitude", "f8")])
            else:
                for name, number in (("gridOriginLatitude", south), ("gridOriginLongitude", west),
                                     ("gridSpacingLatitudinal", step[0]), ("gridSpacingLongitudinal", step[1])):
                    group.attrs[name] = float(number)
                group.attrs["numPointsLatitudinal"] = numpy.int32(size[0])
                group.attrs["numPointsLongitudinal"] = numpy.uint32(size[1])
                group.attrs["startSequence"] = "0,0"
            group.attrs["numGRP"] = numpy.int32(len(times))
            group.attrs["dateTimeOfFirstRecord"] = (first + datetime.timedelta(seconds=times[0])).strftime("%Y%m%dT%H%M%SZ")
            group.attrs["timeRecordInterval"] = numpy.uint16(options.get("interval", 0))
            for t, time in enumerate(times):
                record = group.create_group(f"Group_{t + 1:03}")
                if time_points:
                    record.attrs["timePoint"] = (first + datetime.timedelta(seconds=time)).strftime(time_points)
                values = numpy.zeros(len(places), kind)
                for n, (latitude, longitude) in enumerate(places):
                    east, north = currents(latitude, longitude, time)
                    bad = masked(k, t, *divmod(n, size[1]))
                    values[n]["surfaceCurrentSpeed"] = float(fill[0]) if bad else math.hypot(east, north) / KNOT
                    values[n]["surfaceCurrentDirection"] = float(fill[1]) if bad else math.degrees(math.atan2(east, north)) % 360
                record.create_dataset("values", data=values if coding == 3 else values.reshape(size),
                                      compression="gzip" if options.get("zip") else None)
        if change:
            change(file)


# ---- runs ----

class Sea(Case):
    """Sounds along a line: where it is at t, a row of the log says at t + 1."""

    def setUp(self):
        super().setUp()
        for name in ("environment.types", "interfaces.types"):
            shutil.copy(self.options.models / "auv" / name, self.folder)
        self.write("sounding.types", TYPES)
        self.write("sea.system", SYSTEM.format(sounding=self.options.sounding,
                                               files=self.options.models / "auv" / "auv_files.so"))

    def simulation(self, bed="formula", current="sine", seconds=20, log="sounding.csv", begin="", repeat=1, **settings):
        """SETTINGS: leaf_parameter=value."""
        lines = [f'bind "sea.all.{bed}.{SOURCES[bed]}" to "sea.all.bed.rMntSource";',
                 f'bind "sea.all.{current}.{SOURCES[current]}" to "sea.all.current.rCurrentSource";', begin]
        lines += [f'"sea.all.{leaf}".Stop();' for leaf in SOURCES if leaf not in (bed, current)]
        for name, value in settings.items():
            leaf, parameter = name.split("_")
            said = value if isinstance(value, str) else repr(value)
            lines.append(f'"sea.all.{leaf}.{parameter}" = {said};')
        logged = "".join(f'"sea.all.sounding.{name}"; ' for name in ("depth", "east", "north", "known"))
        body = "\n  ".join(lines)
        return self.write("sea.simulation", f"""Simulation sounding (s)
system sea;
simulationTime [0,{seconds}]:1;
begin {{
  {body}
}}
scenarios {{
  Scenario one [{repeat}]
  logs {{ {log} timed(1) {{ {logged} }} }}
}}
""")

    def sound(self, *words, log="sounding.csv", **how):
        """What is known at t = 0, 1, ...: (depth, east, north, known) of each."""
        self.hocket("run", self.simulation(log=log, **how), *words)
        if not log.endswith(".csv"):
            return None
        with open(self.folder / log, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[2:]
        shown = [[math.nan if cell == "-1000000000" else float(cell) for cell in row] for row in rows]
        return [(row[1], row[2], row[3], row[4] == 1) for row in shown]

    def fails(self, *said, exit=4, **how):
        """The run ends with one message that has all of these words, and names the file at least."""
        done = self.hocket("run", self.simulation(**how), exit=exit)
        errors = [line for line in done.stderr.splitlines() if "error[" in line]
        self.assertEqual(len(errors), 1, done.stderr)
        for words in said:
            self.assertIn(words, errors[0])
        self.assertEqual([line for line in done.stderr.splitlines() if "TIFF" in line and "error[" not in line], [])
        return errors[0]

    def tiff(self, name, grid, numbers, *words):
        raw = self.folder / "numbers"
        raw.write_bytes(struct.pack(f"{len(numbers)}d", *numbers))
        call(self.options.make_tiff, self.folder / name, raw, grid.columns, grid.rows, *words)
        return self.folder / name
