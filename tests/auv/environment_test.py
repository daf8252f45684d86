#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The sea of models/auv: the same number at the same place and time from every source of sea beds and of currents, and
what is said of files that are missing, damaged or of another kind."""
import itertools
import math
import struct
import unittest

from sea import GEOGRAPHIC, KNOT, LATITUDE, LONGITUDE, Grid, Sea, geo, tangent_down, tangent_ned, utm_to_geo, write_s111
from hocket_case import OPTIONS, SLOW, THIN, few, main, plain, quick_cc

try:
    import h5py
except ImportError:
    h5py = None

NAN = math.nan
LZW, DEFLATE, PACKBITS, ZSTD, LZMA = 5, 8, 32773, 50000, 34925
SLOPE = {"formula_shape": "Slope", "formula_slopeNorth": 1 / 64, "formula_slopeEast": -1 / 128}
# A line between the middles of pixels, and one through them. On both, and in the middles, float32 has the plane exactly.
ACROSS = {"sounding_fromNorth": -703.0, "sounding_northSpeed": 37.25, "sounding_fromEast": 911.0, "sounding_eastSpeed": -41.875,
          "seconds": 36}
THROUGH = {"sounding_fromNorth": -700.0, "sounding_northSpeed": 50.0, "sounding_fromEast": 900.0, "sounding_eastSpeed": -50.0,
           "seconds": 28}


def slope(north, east):
    return 100 + north / 64 - east / 128


def float32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def depths(rows):
    return [row[0] for row in rows]


class Beds(Sea):
    def setUp(self):
        if not OPTIONS.make_tiff.exists():
            self.skipTest("libtiff-dev is missing")
        super().setUp()

    def same(self, expected, found, tolerance=None):
        """The same numbers as float32; with a tolerance, in metres: a plane is none in the other projection."""
        self.assertEqual(len(expected), len(found))
        for i, (a, b) in enumerate(zip(expected, found)):
            alike = float32(a) == float32(b) if tolerance is None else abs(a - b) <= tolerance
            self.assertTrue(alike, f"{i}: {a} and {b}")

    def bed(self, grid, numbers, *words, at=ACROSS, **more):
        self.tiff("bathy.tif", grid, numbers, *words)
        return depths(self.sound(bed="tiff", **at, **more))

    def test_codings_and_layouts(self):
        """Each coding with each predictor, in strips and tiles, of each type: the same plane."""
        expected, grid = depths(self.sound(**ACROSS, **SLOPE)), Grid()
        self.assertAlmostEqual(expected[0], slope(-703.0, 911.0), 10)
        heights = [-number for number in grid.numbers(slope)]
        cases = list(itertools.product((1, LZW, DEFLATE, PACKBITS, ZSTD, LZMA), ("rows=5", "tile=16"), ("f32", "f64"), (1, 3)))
        cases = [c for c in cases if c[3] == 1 or c[0] in (LZW, DEFLATE, ZSTD, LZMA)]
        for coding, layout, kind, predictor in cases[::1 if SLOW else 1 + THIN]:
            with self.subTest(coding=coding, layout=layout, type=kind, predictor=predictor):
                words = [f"coding={coding}", layout, f"type={kind}"] + ([f"predictor={predictor}"] if predictor > 1 else [])
                self.same(expected, self.bed(grid, heights, *grid.words(), *words))

    @plain
    def test_whole_numbers(self):
        """Also with the predictor of whole numbers; at the middles of pixels."""
        grid = Grid()
        numbers = grid.numbers(lambda north, east: 300.0 + 3 * round(north / 50) - round(east / 50))
        expected = [300 + 3 * (t - 14) - (18 - t) for t in range(28)]
        for kind, predictor, layout in (("i16", 1, "rows=4"), ("i16", 2, "tile=32"), ("u16", 2, "rows=7"), ("i32", 1, "tile=16")):
            with self.subTest(type=kind, predictor=predictor):
                words = [f"type={kind}", f"coding={LZW}", layout] + ([f"predictor={predictor}"] if predictor > 1 else [])
                self.same(expected, self.bed(grid, numbers, *grid.words(), *words, at=THROUGH, tiff_vertical="Depth"))

    @plain
    def test_area_point_matrix_and_sign(self):
        expected, grid = depths(self.sound(**ACROSS, **SLOPE)), Grid()
        numbers = grid.numbers(slope)
        heights = [-number for number in numbers]
        self.same(expected, self.bed(grid, heights, *grid.words(point=True)))
        self.same(expected, self.bed(grid, heights, *grid.words(matrix=True)))
        self.same(expected, self.bed(grid, heights, *grid.words(point=True, matrix=True)))
        self.same(expected, self.bed(grid, numbers, *grid.words(), tiff_vertical="Depth"))
        # A tie point that is not the first pixel.
        tied = [w for w in grid.words() if not w.startswith("tie")]
        x, y = grid.x0 + 4.5 * grid.dx, grid.y0 - 6.5 * grid.dy
        self.same(expected, self.bed(grid, heights, *tied, f"tie=5,7,{x!r},{y!r}"))
        # Half a pixel is 0.5 m north and 0.25 m east of this plane: what area and point differ by.
        wrong = self.bed(grid, heights, *[w.replace(",1025,1", ",1025,2") for w in grid.words()])
        self.assertAlmostEqual(abs(wrong[0] - expected[0]), 25 / 64 + 25 / 128, 6)

    @plain
    def test_utm_and_geographic(self):
        """Pixels of UTM are turned against north by 1 degree here."""
        expected, plain, grid = depths(self.sound(**ACROSS, **SLOPE)), Grid(), Grid(51, 41, zone=30)
        geographic = self.bed(plain, [-n for n in plain.numbers(slope)], *plain.words())
        for point in (False, True):
            utm = self.bed(grid, [-n for n in grid.numbers(slope)], *grid.words(point=point), f"coding={DEFLATE}", "tile=16")
            self.same(expected, utm, 5e-5)
            self.same(geographic, utm, 5e-5)

    @plain
    def test_bands(self):
        expected, grid = depths(self.sound(**ACROSS, **SLOPE)), Grid()
        heights = [-number for number in grid.numbers(slope)]
        for planar, layout in itertools.product((1, 2), ("rows=6", "tile=16")):
            words = grid.words() + ["samples=3", "band=2", f"planar={planar}", layout, f"coding={LZW}"]
            self.same(expected, self.bed(grid, heights, *words, begin='"sea.all.tiff.band" = 2;'))
        self.fails("bathy.tif", "3 bands", "band 4", bed="tiff", begin='"sea.all.tiff.band" = 4;')

    @plain
    def test_shapes_at_pixels(self):
        """A sine and a hill, which only the middles of pixels have as the formula does."""
        grid = Grid()
        for shape, function in (
                ({"formula_shape": "Sine", "formula_amplitude": 12.0, "formula_wavelengthNorth": 730.0, "formula_wavelengthEast": 910.0},
                 lambda n, e: 100 + 12 * math.sin(2 * math.pi * n / 730) * math.sin(2 * math.pi * e / 910)),
                ({"formula_shape": "Hill", "formula_hillHeight": 60.0, "formula_hillNorth": 120.0, "formula_hillEast": -40.0,
                  "formula_hillRadius": 300.0},
                 lambda n, e: 100 - 60 * math.exp(-((n - 120) ** 2 + (e + 40) ** 2) / (2 * 300 ** 2)))):
            expected = depths(self.sound(**THROUGH, **shape))
            self.same([function(-700 + 50 * t, 900 - 50 * t) for t in range(28)], expected, 1e-9)
            self.same(expected, self.bed(grid, [-n for n in grid.numbers(function)], *grid.words(), at=THROUGH))

    def test_missing_data(self):
        """What is not known has no part in a mean; all of it is not a number."""
        grid = Grid()
        place = {"sounding_northSpeed": 12.5, "seconds": 5}  # from the origin to the pixel north of it
        for mark, text, kind in ((9999.0, "9999", "f32"), (-3.4028234663852886e38, "-3.4028234663852886e+38", "f32"),
                                 (NAN, "nan", "f32"), (NAN, "", "f64"), (-32768.0, " -32768 ", "i16"), (0.1, "0.1", "f32")):
            numbers = [-7.0] * (grid.columns * grid.rows)
            numbers[grid.rows // 2 * grid.columns + grid.columns // 2] = mark  # the origin
            words = grid.words() + [f"type={kind}"] + ([f"nodata={text}"] if text else [])
            found = self.bed(grid, numbers, *words, at=place)
            self.assertTrue(math.isnan(found[0]), (text, found))
            self.same([7.0] * 4, found[1:])

    def test_strips_that_are_left_out(self):
        grid = Grid()
        numbers = [-30.0 if i < grid.columns * 10 else 9999.0 for i in range(grid.columns * grid.rows)]
        for layout in ("rows=5", "tile=16"):
            found = self.bed(grid, numbers, *grid.words(), layout, "nodata=9999", "sparse=1",
                             at={"sounding_fromNorth": 100.0, "sounding_northSpeed": 100.0, "seconds": 6})
            self.assertEqual([math.isnan(d) for d in found], [True, True, False, False, False, False], found)

    def test_edges(self):
        """The pixel as an area ends half a pixel beyond its middle, as a point in it."""
        grid = Grid()
        heights = [-number for number in grid.numbers(slope)]
        edge = {"sounding_fromNorth": 750.0, "sounding_northSpeed": 24.0, "seconds": 3}
        for point, known in ((False, [True, True, False]), (True, [True, False, False])):
            found = self.bed(grid, heights, *grid.words(point=point), at=edge)
            self.assertEqual([not math.isnan(d) for d in found], known)
        self.same([slope(750, 0)] * 2, self.bed(grid, heights, *grid.words(), at=edge)[:2])
        far = {"sounding_fromEast": 1e6, "seconds": 1}
        self.assertTrue(math.isnan(self.bed(grid, heights, *grid.words(), at=far)[0]))

    @plain
    def test_longitude_beyond_180(self):
        """A grid may count longitudes from 0 to 360."""
        grid = Grid()
        grid.x0 += 360
        heights = [-number for number in Grid().numbers(slope)]
        self.same(depths(self.sound(**ACROSS, **SLOPE)), self.bed(grid, heights, *grid.words()))

    @plain
    def test_tangent_plane(self):
        """On WGS 84 the bed is measured from the plane that touches the Earth at the origin."""
        grid = Grid(step=700.0)
        latitude, longitude = geo(9000, 4000)
        north, east, down = tangent_ned(latitude, longitude, -50)
        found = self.bed(grid, [-50.0] * (grid.columns * grid.rows), *grid.words(), earth_earth="Wgs84",
                         at={"sounding_fromNorth": north, "sounding_fromEast": east, "seconds": 1})
        self.assertAlmostEqual(found[0], down, 6)
        self.assertAlmostEqual(down - 50, tangent_down(latitude, longitude, 0), 2)
        self.assertGreater(down, 57)

    # ---- files that are not as they should be ----

    def test_missing(self):
        self.fails("tiff", "'", "bathy.tif", "cannot be opened", "No such file", bed="tiff")
        self.fails("no name of a file", bed="tiff", tiff_fileName='""')
        self.write("bathy.tif", "")
        self.fails("bathy.tif", "not a TIFF", bed="tiff")
        self.write("bathy.tif", "GIF89a" * 100)
        self.fails("bathy.tif", "not a TIFF", bed="tiff")
        (self.folder / "folder.tif").mkdir()
        self.fails("folder.tif", bed="tiff", tiff_fileName='"folder.tif"')

    def test_cut(self):
        grid = Grid()
        heights = [-number for number in grid.numbers(slope)]
        for words in (["rows=5", f"coding={LZW}"], ["tile=16", f"coding={DEFLATE}", "predictor=3"], ["rows=5"]):
            whole = self.tiff("bathy.tif", grid, heights, *grid.words(), *words).read_bytes()
            for eighth in few(range(8)):
                (self.folder / "bathy.tif").write_bytes(whole[:len(whole) * eighth // 8])
                self.fails("bathy.tif", bed="tiff", **ACROSS)

    def test_cut_behind_its_directory(self):
        """A file whose directory comes first, as others write it: what is cut off is pixels."""
        values = struct.pack("<64f", *[-5.0] * 64)
        entries = [(256, 4, 1, 8), (257, 4, 1, 8), (258, 3, 1, 32), (259, 3, 1, 1), (273, 4, 1, 1000), (277, 3, 1, 1),
                   (278, 4, 1, 8), (279, 4, 1, 256), (339, 3, 1, 3), (33550, 12, 3, 600), (33922, 12, 6, 700), (34735, 3, 12, 800)]
        head = struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<H", len(entries))
        head += b"".join(struct.pack("<HHII", *e) for e in entries) + struct.pack("<I", 0)
        data = bytearray(1000) + values
        data[:len(head)] = head
        data[600:624] = struct.pack("<3d", 0.001, 0.001, 0)
        data[700:748] = struct.pack("<6d", 0, 0, 0, LONGITUDE - 0.004, LATITUDE + 0.004, 0)
        data[800:824] = struct.pack("<12H", 1, 1, 0, 2, 1024, 0, 1, 2, 2048, 0, 1, 4326)
        path = self.folder / "bathy.tif"
        path.write_bytes(data)
        self.assertEqual(depths(self.sound(bed="tiff", seconds=1)), [5.0])
        for cut in few(range(1000, len(data), 32), 5):
            path.write_bytes(data[:cut])
            self.fails("bathy.tif", "cut off", bed="tiff")
        # Sizes that no memory holds, and tags of other types than they should have.
        for entry, said in (((256, 4, 1, 2 ** 31 - 1), "more than"), ((257, 4, 1, 0), "zero number of strips"), ((258, 3, 1, 16), "16 bits"),
                            ((259, 3, 1, 34712), "method 34712"), ((278, 4, 1, 0), "bathy.tif"),
                            ((33550, 11, 6, 600), "does not say where"), ((34735, 4, 6, 800), "key 1024"),
                            ((34735, 3, 5, 800), "key 1024")):
            changed = bytearray(data)
            place = 10 + 12 * [e[0] for e in entries].index(entry[0])
            changed[place:place + 12] = struct.pack("<HHII", *entry)
            path.write_bytes(changed)
            with self.subTest(entry=entry):
                self.fails("bathy.tif", said, bed="tiff")

    def test_other_systems_of_coordinates(self):
        grid = Grid(5, 5)
        heights, place = [-5.0] * 25, grid.words()[1:]
        for keys, said in (("1024,1,3072,2154", "EPSG 2154"), ("1024,1,3072,32661", "EPSG 32661"), ("1024,1,3072,25827", "25827"),
                           ("1024,2,2048,4277", "EPSG 4277"), ("1024,3,2048,4978", "key 1024"), ("1025,1", "key 1024"),
                           (GEOGRAPHIC + ",2054,9101", "EPSG 9101"), ("1024,1,3072,32630,3076,9002", "EPSG 9002"),
                           (GEOGRAPHIC + ",4099,9003", "EPSG 9003")):
            with self.subTest(keys=keys):
                self.tiff("bathy.tif", grid, heights, f"keys={keys}", *place)
                self.fails("bathy.tif", said, bed="tiff")
        for words, said in ((["tie=0,0,1,1,2,2,3,3"], "several tie points"), ([], "does not say where"), (["scale=0,1", "tie=0,0,1,1"], "scale"),
                            (["scale=nan,1", "tie=0,0,1,1"], "scale"), (["matrix=1,2,0,2,4,0"], "matrix")):
            with self.subTest(words=words):
                self.tiff("bathy.tif", grid, heights, f"keys={GEOGRAPHIC}", *words)
                self.fails("bathy.tif", said, bed="tiff")


# ---- currents ----

def sine(t):
    return 1.0 + 0.4 * math.sin(2 * math.pi * (t + 3) / 60)


TOWARD = math.radians(130)
SINE = {"sine_nominalSpeed": 1.0, "sine_amplitude": 0.4, "sine_period": 60.0, "sine_offset": 3.0, "sine_direction": 130.0}
TIMES = list(range(0, 41, 4))
LINE = {"sounding_latitude": 48.13, "sounding_latitudeSpeed": 0.011, "sounding_longitude": -4.77, "sounding_longitudeSpeed": 0.007,
        "seconds": 38}


def uniform(latitude, longitude, t):
    return sine(t) * math.sin(TOWARD), sine(t) * math.cos(TOWARD)


def swirl(latitude, longitude, t):
    """Linear in place and time, so that what is between nodes and records is exact."""
    return (0.3 + 0.5 * (latitude - 48) - 0.2 * (longitude + 5) + 0.01 * t, -0.4 + 0.3 * (latitude - 48) + 0.4 * (longitude + 5) - 0.004 * t)


class Currents(Sea):
    def same(self, expected, found, tolerance=3e-7):
        self.assertEqual(len(expected), len(found))
        for i, (a, b) in enumerate(zip(expected, found)):
            self.assertTrue(b[3] and abs(a[1] - b[1]) <= tolerance and abs(a[2] - b[2]) <= tolerance, f"{i}: {a} and {b}")

    def along(self, function, rows):
        """What the function has where the line is."""
        return [(0, *function(48.13 + 0.011 * t, -4.77 + 0.007 * t, t), True) for t in range(len(rows))]

    def table(self, head, rows, name="current.csv"):
        return self.write(name, head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def test_model(self):
        rows = self.sound(**SINE, **LINE)
        self.same(self.along(uniform, rows), rows, 1e-12)

    @plain
    def test_series_is_the_model_at_its_rows(self):
        expected = self.sound(**SINE, **LINE)[::4]
        for head, cells in (("time,east,north", lambda t: uniform(0, 0, t)),
                            ("time [s],speed [m/s],direction [deg]", lambda t: (sine(t), 130)),
                            ("direction [rad];time [min];speed [kn]", None)):
            if cells:
                self.table(head, [(t, *cells(t)) for t in TIMES])
            else:
                self.write("current.csv", head + "\n" + "".join(f"{TOWARD};{t / 60!r};{sine(t) / KNOT!r}\n" for t in TIMES))
            for interpolation in ("Hold", "Linear"):
                found = self.sound(current="series", series_interpolation=interpolation, **LINE)[::4]
                self.same(expected, found, 1e-9)

    @plain
    def test_series_between_rows(self):
        self.table("time,east,north", [(10, 1, -2), (20, 2, 0), (30, "nan", 1), (40, 4, 4), (50, 5, 5)])
        rows = self.sound(current="series", seconds=60)
        self.assertEqual([r[3] for r in rows], [10 <= t <= 20 or t >= 40 for t in range(60)])
        self.assertTrue(all(math.isnan(r[1]) and math.isnan(r[2]) for r in rows if not r[3]))
        self.assertEqual([rows[t][1:3] for t in (10, 15, 20, 45, 59)], [(1, -2), (1.5, -1), (2, 0), (4.5, 4.5), (5, 5)])
        rows = self.sound(current="series", seconds=60, series_interpolation="Hold")
        self.assertEqual([r[3] for r in rows], [10 <= t < 30 or t >= 40 for t in range(60)])
        self.assertEqual([rows[t][1:3] for t in (10, 19, 20, 29, 49, 50)], [(1, -2), (1, -2), (2, 0), (2, 0), (4, 4), (5, 5)])

    def test_series_times_and_end(self):
        self.table("time [ms],east,north", [(0, 1, 0), (2000, 3, 0), (4000, 5, 0)])
        self.assertEqual([r[1] for r in self.sound(current="series", seconds=7)], [1, 2, 3, 4, 5, 5, 5])
        self.assertEqual([r[1] for r in self.sound(current="series", seconds=9, series_end="Repeat")], [1, 2, 3, 4, 5, 2, 3, 4, 1])
        self.fails("current.csv", "ends at 4 s", "Stop", current="series", seconds=9, series_end="Stop")
        rows = self.sound(current="series", seconds=7, begin='"sea.all.series.timeScale" = 0.5; "sea.all.series.timeOffset" = 1;')
        self.assertEqual([r[1] for r in rows][1:], [1, 3, 5, 5, 5, 5])
        self.assertFalse(rows[0][3])
        self.table("time,east,north", [(0, 1, 0)])
        self.fails("current.csv", "one row", current="series", series_end="Repeat")

    def test_series_that_are_wrong(self):
        self.fails("current.csv", "cannot be opened", current="series")
        good = "time,east,north\n" + "".join(f"{t},{t}.5,{t}.25\n" for t in range(10, 74))
        self.write("current.csv", good)
        self.sound(current="series", seconds=1)
        for eighth in range(1, 8):
            self.write("current.csv", good[:len(good) * eighth // 8].rstrip("\n"))
            self.fails("current.csv:", "the last line does not end", current="series")
        for text, said in (("", "empty"), ("time,east\n1,2\n", "no column 'north'"), ("east,north\n1,2\n", "no column 'time'"),
                           ("time,speed,north\n1,2,3\n", "no column 'direction'"), ("time [weeks],east,north\n1,2,3\n", "unit 'weeks'"),
                           ("time,east,north\n1,2,x\n", "current.csv:2"), ("time,east,north\n1,2,3\n3,4,5\n3,4,5\n", "current.csv:4"),
                           ("time,east,north\n1,2,3\n0,4,5\n", "current.csv:3"), ("time,east,north\n1,2,3\nnan,4,5\n", "current.csv:3"),
                           ("time,east,north\n1,2\n", "current.csv:2"), ("time,east,north\n", "no rows")):
            with self.subTest(text=text):
                self.write("current.csv", text)
                self.fails("current.csv", said, current="series")

    def test_bad_parameters(self):
        self.fails("period", sine_period=0.0)
        self.fails("radius", formula_shape="Hill", formula_hillRadius=0.0)
        self.fails("latitude 95", earth_originLatitude=95.0)


@unittest.skipUnless(h5py, "h5py is missing")
class Charts(Currents):
    """Files of S-111; what other currents are tested for is tested there."""

    def setUp(self):
        if OPTIONS.without_hdf5:
            self.skipTest("libhdf5-dev is missing")
        super().setUp()

    test_model = test_series_is_the_model_at_its_rows = test_series_between_rows = None
    test_series_times_and_end = test_series_that_are_wrong = test_bad_parameters = None

    def chart(self, currents=swirl, times=TIMES, **how):
        write_s111(self.folder / "current.h5", currents, times, **how)

    def found(self, seconds=38, **more):
        return self.sound(current="s111", **(LINE | {"seconds": seconds}), **more)

    @plain
    def test_same_as_the_model(self):
        expected = self.sound(**SINE, **LINE)
        for coding, packed in ((2, False), (2, True), (3, False)):
            self.chart(uniform, coding=coding, zip=packed)
            self.same(expected[::4], self.found()[::4])

    @plain
    def test_between_nodes_and_records(self):
        for how in ({}, {"coding": 3}, {"swap": True}, {"fixed_texts": True}, {"product": "INT.IHO.S-111.2.0"}, {"fill": ("-123", "1000000")}):
            with self.subTest(**how):
                self.chart(**how)
                rows = self.found()
                self.same(self.along(swirl, rows), rows)

    @plain
    def test_utm(self):
        """Latitude is northing then, longitude easting; the current is linear in those."""
        def current(northing, easting, t):
            return 0.3 + 1e-5 * (northing - 5.35e6) + 0.01 * t, 0.2 - 1e-5 * (easting - 4e5)
        self.chart(current, crs=32630, origin=(5330000.0, 360000.0), step=(5000.0, 5000.0), size=(9, 9))
        latitude, longitude = utm_to_geo(388000.0, 5351000.0, 30)
        rows = self.sound(current="s111", sounding_latitude=latitude, sounding_longitude=longitude, seconds=2)
        self.same([(0, *current(5351000.0, 388000.0, t), True) for t in range(2)], rows)

    @plain
    def test_knots_and_directions(self):
        for degrees, east, north in ((0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0), (30, 0.5, math.sqrt(0.75))):
            self.chart(lambda a, b, t: (2 * KNOT * east, 2 * KNOT * north), times=[0])
            with h5py.File(self.folder / "current.h5") as file:
                value = file["SurfaceCurrent/SurfaceCurrent.01/Group_001/values"][0, 0]
            self.assertAlmostEqual(float(value["surfaceCurrentSpeed"]), 2, 6)
            self.assertAlmostEqual(float(value["surfaceCurrentDirection"]), degrees, 4)
            row = self.found(seconds=1)[0]
            self.assertAlmostEqual(row[1], 1.0288888888888889 * east, 6)
            self.assertAlmostEqual(row[2], 1.0288888888888889 * north, 6)

    @plain
    def test_components_are_joined_not_angles(self):
        """Between 350 and 10 degrees is north, not south."""
        def current(latitude, longitude, t):
            angle = math.radians(350 if longitude < -4.95 else 10)
            return math.sin(angle), math.cos(angle)
        self.chart(current, size=(2, 2), times=[0])
        row = self.sound(current="s111", sounding_latitude=48.05, sounding_longitude=-4.95, seconds=1)[0]
        self.assertAlmostEqual(row[1], 0, 6)
        self.assertAlmostEqual(row[2], math.cos(math.radians(10)), 6)

    def test_fill(self):
        """A corner that is masked has no part; a node that is masked is not known, nor a time beside one."""
        def current(latitude, longitude, t):
            return latitude - 47 + t, 1
        for fill in (("-9999", "-9999"), ("-123", "0"), ("nan", "-9999")):
            self.chart(current, times=[0, 10], size=(2, 2), step=(1.0, 1.0), fill=fill,
                       masked=lambda instance, time, i, j: (time, i, j) in ((0, 1, 1), (1, 0, 0)))
            line = {"sounding_latitude": 48.0, "sounding_longitude": -4.0, "sounding_latitudeSpeed": 0.5, "seconds": 3}
            rows = self.sound(current="s111", sounding_fromNorth=0.0, **line)
            # On the meridian of the masked corner: the other corner counts for all, and the masked one is not known.
            self.assertEqual([row[3] for row in rows], [True, True, False])
            self.assertAlmostEqual(rows[0][1], 1.0, 6)
            # 48.5: at 0 s only the corner 48 N (1), at 10 s both (11, 12 -> 11.5), so 1 + 0.1 (11.5 - 1) at 1 s.
            self.assertAlmostEqual(rows[1][1], 1 + 0.1 * 10.5, 5)
            at_node = self.sound(current="s111", sounding_latitude=48.0, sounding_longitude=-5.0, seconds=12)
            self.assertEqual([row[3] for row in at_node], [True] + [False] * 11)
            self.assertTrue(math.isnan(at_node[5][1]) and math.isnan(at_node[5][2]))

    def test_outside(self):
        self.chart()
        for latitude, longitude, known in ((48.0, -5.0, True), (48.6, -4.0, True), (47.99, -5.0, False), (48.0, -5.01, False),
                                           (48.61, -4.5, False), (48.3, -3.99, False), (48.3, 355.5, True)):
            row = self.sound(current="s111", sounding_latitude=latitude, sounding_longitude=longitude, seconds=1)[0]
            self.assertEqual(row[3], known, (latitude, longitude))

    def test_two_instances(self):
        self.chart(instances=[(48.0, -5.0), (50.0, -5.0)])
        for latitude, known in ((48.3, True), (50.3, True), (49.0, False)):
            row = self.sound(current="s111", sounding_latitude=latitude, sounding_longitude=-4.5, seconds=1)[0]
            self.assertEqual(row[3], known)
            if known:
                self.same([(0, *swirl(latitude, -4.5, 0), True)], [row], 1e-6)
        # Where they overlap, a node that the first does not know is taken from the second.
        self.chart(instances=[(48.0, -5.0), (48.0, -5.0)], masked=lambda instance, time, i, j: instance == 0 and (i, j) == (3, 5))
        row = self.sound(current="s111", sounding_latitude=48.3, sounding_longitude=-4.5, seconds=1)[0]
        self.same([(0, *swirl(48.3, -4.5, 0), True)], [row], 1e-6)

    def test_nodes(self):
        """Those of a grid with holes are a grid; others count as far as they reach."""
        hole = lambda place: abs(place[0] - 48.3) < 0.01 and abs(place[1] + 4.5) < 0.01  # noqa: E731
        self.chart(coding=3, left_out=hole)
        row = self.sound(current="s111", sounding_latitude=48.3, sounding_longitude=-4.5, seconds=1)[0]
        self.assertFalse(row[3])
        row = self.sound(current="s111", sounding_latitude=48.2, sounding_longitude=-4.5, seconds=1)[0]
        self.same([(0, *swirl(48.2, -4.5, 0), True)], [row])
        nodes = [(48.0, -5.0), (48.137, -4.611), (48.59, -4.02), (48.011, -4.3), (48.3, -4.5)]
        self.chart(coding=3, scattered=nodes, size=(1, len(nodes)))
        for latitude, longitude in nodes:
            row = self.sound(current="s111", sounding_latitude=latitude + 0.01, sounding_longitude=longitude - 0.01, seconds=1)[0]
            self.same([(0, *swirl(latitude, longitude, 0), True)], [row], 1e-6)
        for reach, known in ((5000.0, False), (20000.0, True)):
            row = self.sound(current="s111", sounding_latitude=48.4, sounding_longitude=-4.5, seconds=1, s111_reach=reach)[0]
            self.assertEqual(row[3], known)

    def test_times(self):
        for form in ("%Y%m%dT%H%M%SZ", "%Y-%m-%dT%H:%M:%S"):
            self.chart(time_points=form)
            rows = self.found()
            self.same(self.along(swirl, rows), rows)
        # None, or the same in all: the first one and the interval.
        for points in (None, "20260101T000000Z"):
            self.chart(time_points=points, interval=4)
            rows = self.found()
            self.same(self.along(swirl, rows), rows)
        self.chart(times=[3600 * k for k in range(4)])
        rows = self.sound(current="s111", sounding_latitude=48.3, sounding_longitude=-4.5, seconds=2,
                          s111_timeOrigin='"2026-01-01T01:30:00"')
        self.same([(0, *swirl(48.3, -4.5, 5400 + t), True) for t in range(2)], rows, 5e-6)
        self.fails("begins at 3600 s", current="s111", s111_timeOrigin='"20251231T230000Z"')
        self.fails("timeOrigin is 'yesterday'", current="s111", s111_timeOrigin='"yesterday"')

    def test_end(self):
        self.chart(lambda a, b, t: (1 + t, 0), times=[0, 2, 4])
        self.assertEqual([round(r[1], 5) for r in self.found(seconds=7)], [1, 2, 3, 4, 5, 5, 5])
        self.assertEqual([round(r[1], 5) for r in self.found(seconds=9, s111_end="Repeat")], [1, 2, 3, 4, 5, 2, 3, 4, 1])
        self.fails("current.h5", "ends at 4 s", current="s111", s111_end="Stop")

    def test_depth(self):
        self.chart()
        self.found(seconds=1, s111_depthPolicy="Exact")
        self.fails("current.h5", "4.5 m", "10 m", current="s111", s111_depthPolicy="Exact", s111_depth=10.0)

    def test_beside_a_record_in_hdf5(self):
        """The program uses the same library for its records, and has a state in it."""
        self.chart()
        plain = self.found(seconds=5)
        self.sound(current="s111", log="sounding.h5", **(LINE | {"seconds": 5}), repeat=4)
        for run in range(4):
            with h5py.File(self.folder / f"sounding.one.{run:04}.h5") as file:
                self.assertEqual(list(file["sounding.east"][1:]), [row[1] for row in plain])

    @plain
    def test_other_ways_to_run(self):
        """Fused, on two processes, and from a state: the same bytes. What is read is not part of a state."""
        self.chart()
        simulation = self.simulation(current="s111", **LINE)
        log = self.folder / "sounding.csv"
        self.hocket("run", simulation, "--checkpoint", "every=9")
        expected = log.read_bytes()
        for words in (["--fused"], ["--nodes", "2"], ["--resume", "checkpoint.hks"]):
            self.hocket("run", simulation, *words, CC=quick_cc())
            self.assertEqual(log.read_bytes(), expected, words)

    # ---- files that are not as they should be ----

    def test_missing_and_cut(self):
        self.fails("current.h5", "cannot be opened", current="s111")
        for how in ({"zip": True}, {"coding": 3}):
            self.chart(**how)
            whole = (self.folder / "current.h5").read_bytes()
            for eighth in few(range(8)):
                (self.folder / "current.h5").write_bytes(whole[:len(whole) * eighth // 8])
                self.fails("current.h5", current="s111")
        self.write("current.h5", "time,east,north\n")
        self.fails("current.h5", "not an HDF5 file", current="s111")

    def test_damaged(self):
        """Whatever a byte says: a run that works, or one message."""
        self.chart(size=(2, 3), times=[0, 1])
        whole = (self.folder / "current.h5").read_bytes()
        simulation = self.simulation(current="s111", seconds=1)
        for place in range(0, len(whole), 97 if SLOW else 397 * THIN):
            data = bytearray(whole)
            data[place] ^= 0xff
            (self.folder / "current.h5").write_bytes(data)
            done = self.hocket("run", simulation, exit=None)
            self.assertIn(done.returncode, (0, 4), done.stderr)
            if done.returncode:
                self.assertIn("current.h5", done.stderr)

    def test_other_kinds(self):
        one = "SurfaceCurrent/SurfaceCurrent.01"

        def remove(path):
            return lambda file: file.__delitem__(path)

        def attribute(path, name, value):
            return lambda file: file[path].attrs.__setitem__(name, value)

        for how, said in (
                ({"coding": 1}, "1 (fixed stations)"), ({"coding": 4}, "4 (moving platform)"), ({"coding": 8}, "8 (fixed stations"),
                ({"coding": 99}, "99"), ({"crs": 2154}, "EPSG 2154"), ({"crs": None}, "horizontalCRS"), ({"unit": "m/s"}, "not in knots"),
                ({"product": "INT.IHO.S-102.2.1"}, "S-102"), ({"times": [0, 8, 4]}, "Group_003"), ({"times": [0, 4, 4]}, "Group_003"),
                ({"time_points": None}, "timeRecordInterval"),
                ({"change": remove("SurfaceCurrent")}, "no group SurfaceCurrent"), ({"change": remove(one)}, "SurfaceCurrent.01"),
                ({"change": remove(one + "/Group_001")}, "no records"), ({"change": remove(one + "/Group_002")}, "less records"),
                ({"change": remove(one + "/Group_002/values")}, "Group_002/values"),
                ({"change": attribute(one, "startSequence", "0,6")}, "0,6"),
                ({"change": attribute(one, "numPointsLatitudinal", 2 ** 31 - 1)}, "numbers of points"),
                ({"change": attribute(one, "numPointsLatitudinal", 5)}, "7 x 11"),
                ({"change": attribute(one, "numPointsLatitudinal", 0)}, "numbers of points"),
                ({"change": attribute(one, "gridSpacingLatitudinal", 0.0)}, "spacing"),
                ({"change": attribute(one, "gridSpacingLatitudinal", NAN)}, "spacing"),
                ({"change": attribute(one, "gridOriginLatitude", NAN)}, "origin"),
                ({"change": attribute(one, "gridOriginLatitude", "48 N")}, "no grid"),
                ({"coding": 3, "change": remove(one + "/Positioning")}, "list of nodes"),
                ({"coding": 3, "scattered": [(48.0, NAN), (48.5, 1.0)], "size": (1, 2)}, "without a place"),
                ({"coding": 3, "scattered": [(48.0, 0.0)] * 3, "size": (1, 2), "change": remove(one + "/Group_001/values")}, "Group_001/values")):
            with self.subTest(said=said):
                self.chart(**how)
                self.fails("current.h5", said, current="s111")

    def test_sizes_that_no_file_has(self):
        self.chart(size=(2, 2), times=[0])
        with h5py.File(self.folder / "current.h5", "a") as file:
            group = file["SurfaceCurrent/SurfaceCurrent.01"]
            group.attrs["numPointsLatitudinal"] = group.attrs["numPointsLongitudinal"] = 1000
            kind = group["Group_001/values"].dtype
            del group["Group_001/values"]
            group["Group_001"].create_dataset("values", (1000, 1000), kind, chunks=(100, 100))  # nothing is stored
        self.assertTrue(self.found(seconds=1)[0][1] == 0)  # so many values of 0 are what it says
        with h5py.File(self.folder / "current.h5", "a") as file:
            file["SurfaceCurrent/SurfaceCurrent.01"].attrs["numPointsLatitudinal"] = 70000000
        self.fails("current.h5", "numbers of points", current="s111")


if __name__ == "__main__":
    main("--sounding", "--make-tiff", flags=("--without-hdf5",))
