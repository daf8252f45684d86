#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Missions from files, the vehicles that follow them and the replay of logs, through the built program. Curves, turns and
dead reckoning are computed here once more, in another way. Standard library only."""
import csv
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main  # noqa: E402

TYPES = """Declaration test {
  LeafComponentTypes {
    LeafComponentType Sea {
      providedInterfaces (environment.CurrentSource pCurrent, environment.MntSource pMnt)
      outputs { core.double requests; core.double longitude unit "deg"; }
      parameters {
        core.double north = 0.0 unit "m/s";
        core.double east = 0.0 unit "m/s";
        core.double perSecond = 0.0;
        core.double perDegree = 0.0;
        core.double knownUntil = 1e9 unit "s";
        core.double depth = 100.0 unit "m";
        core.double slope = 0.0;
        core.double knownTo = 1e9 unit "m";
      }
    }
  }
}
"""
SYSTEM = """system vehicles {
  import "interfaces.types";
  import "mission.types";
  import "drone.types";
  import "test.types";
  plugin "mission_sea.so";
  composite comp {
    leaf sea     : test.Sea             { frequency 1 Hz; }
    leaf mission : mission.CsvMission   { frequency 1 Hz; }
    leaf spline  : drone.SplineMission  { frequency 100 Hz; }
    leaf simple  : drone.SimpleMission  { frequency 100 Hz; }
    leaf reader  : drone.DroneReader    { frequency 100 Hz; }
    leaf drone   : drone.MissionAdapter { frequency 100 Hz; }
    link spline.state -> drone.splineState;
    link simple.state -> drone.simpleState;
    service drone.rStateSource -> reader.pState;
    service spline.rMission -> mission.pMission;
    service spline.rMnt -> sea.pMnt;
    service spline.rCurrent -> sea.pCurrent;
    service simple.rCurrent -> sea.pCurrent;
  }
}
"""
SIMULATION = """Simulation played (ms)
system vehicles;
simulationTime [0,%d]:10;
begin {
  %s
}
scenarios {
  Scenario it
  begin { }
  events { %s }
  logs { drone.csv timed(%d) { "vehicles.comp.drone.nedPosition"; "vehicles.comp.drone.bodySpeed";
    "vehicles.comp.drone.bodyAcceleration"; "vehicles.comp.drone.bodyRotationSpeed"; "vehicles.comp.drone.attitude"; } }
}
"""
USERS = {"spline": ("simple", "reader"), "simple": ("spline", "reader", "mission"), "reader": ("spline", "simple", "mission")}
FAILED = 4  # a component did
POINTS = [(0, 0, 10, 2), (200, 50, 12, 2.5), (350, 300, 20, 1.5), (200, 500, 20, 2), (-100, 450, 5, 1)]
MISSION = "north,east,depth,speed\n" + "".join("%g,%g,%g,%g\n" % p for p in POINTS)


class Vehicles(Case):
    def setUp(self):
        super().setUp()
        for name in ("interfaces", "mission", "drone"):
            os.symlink(OPTIONS.source / "models" / "auv" / (name + ".types"), self.folder / (name + ".types"))
        os.symlink(OPTIONS.mission, self.folder / "mission_sea.so")
        self.write("test.types", TYPES)
        self.write("vehicles.system", SYSTEM)

    def play(self, vehicle, end, *sets, events="", every=10, options=(), exit=0):
        """The columns of the log of a run with one vehicle, or the finished process if it fails. Who is not used is stopped."""
        begin = ["%s = %s;" % ('"vehicles.comp.%s"' % name, value) for name, value in sets]
        begin += ['"vehicles.comp.%s".Stop();' % name for name in USERS[vehicle]]
        begin += ['"vehicles.comp.drone.isSpline" = %s;' % str(vehicle == "spline").lower(),
                  '"vehicles.comp.drone.useSource" = %s;' % str(vehicle == "reader").lower()]
        self.write("v.simulation", SIMULATION % (end, "\n  ".join(begin), events, every))
        done = self.hocket("run", "v.simulation", "-o", "out", *options, exit=exit)
        if exit != 0:
            return done
        return self.columns(self.folder / "out" / "drone.csv")

    def columns(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return {title.replace("drone.", "", 1): [float(row[i]) for row in rows[1:]] for i, title in enumerate(rows[0])}

    def near(self, one, other, tolerance, what=None):
        for i, (a, b) in enumerate(zip(one, other, strict=True)):
            if not abs(a - b) <= tolerance:
                self.fail("%s [%d]: %.17g is not %.17g" % (what, i, a, b))

    def refused(self, vehicle, *words, sets=()):
        done = self.play(vehicle, 1000, *sets, exit=FAILED)
        for word in words:
            self.assertIn(word, done.stderr)


class Curve:
    """A curve through points, by chords: other formulas than those of models/auv/spline.c."""

    def __init__(self, points, kind):
        self.points = points
        self.kind = kind
        self.make = {"CatmullRom": self.barry_goldman, "NaturalCubic": self.natural}[kind]
        if kind == "NaturalCubic":
            self.moments = self.solve()
        self.table = []  # (length, position) for each leg
        for leg in range(len(points) - 1):
            fine = [self.make(leg, k / 4000) for k in range(4001)]
            lengths = [0]
            for a, b in zip(fine, fine[1:]):
                lengths.append(lengths[-1] + math.dist(a, b))
            self.table.append((lengths, fine))

    def barry_goldman(self, leg, u):
        """The pyramid of Barry and Goldman, knots by roots of distances."""
        p = self.points
        first = [2 * a - b for a, b in zip(p[0], p[1])]
        last = [2 * a - b for a, b in zip(p[-1], p[-2])]
        q = ([first] + p + [last])[leg:leg + 4]
        t = [0]
        for a, b in zip(q, q[1:]):
            t.append(t[-1] + math.sqrt(math.dist(a, b)))
        x = t[1] + u * (t[2] - t[1])

        def mix(a, b, i, j):
            return [(t[j] - x) / (t[j] - t[i]) * m + (x - t[i]) / (t[j] - t[i]) * n for m, n in zip(a, b)]
        a = [mix(q[i], q[i + 1], i, i + 1) for i in range(3)]
        b = [mix(a[i], a[i + 1], i, i + 2) for i in range(2)]
        return mix(b[0], b[1], 1, 2)

    def solve(self):
        """Second derivatives, by relaxation."""
        h = [math.dist(a, b) for a, b in zip(self.points, self.points[1:])]
        m = [[0.0] * 3 for _ in self.points]
        for _ in range(400):
            for k in range(1, len(h)):
                for i in range(3):
                    p = [point[i] for point in self.points[k - 1:k + 2]]
                    right = 6 * ((p[2] - p[1]) / h[k] - (p[1] - p[0]) / h[k - 1])
                    m[k][i] = (right - h[k - 1] * m[k - 1][i] - h[k] * m[k + 1][i]) / (2 * (h[k - 1] + h[k]))
        return m

    def natural(self, leg, u):
        h = math.dist(self.points[leg], self.points[leg + 1])
        a, b = self.moments[leg], self.moments[leg + 1]
        v = 1 - u
        return [v * p + u * q + h * h / 6 * ((v ** 3 - v) * m + (u ** 3 - u) * n)
                for p, q, m, n in zip(self.points[leg], self.points[leg + 1], a, b)]

    def at(self, leg, length):
        lengths, fine = self.table[leg]
        low, high = 0, len(lengths) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if lengths[middle] <= length else (low, middle)
        part = (length - lengths[low]) / (lengths[high] - lengths[low])
        return [a + part * (b - a) for a, b in zip(fine[low], fine[high])]


class Missions(Vehicles):
    def test_curves(self):
        """At all times on the curve, as far as constant accelerations bring it."""
        self.write("mission.csv", MISSION)
        for kind in ("CatmullRom", "NaturalCubic"):
            curve = Curve([list(p[:3]) for p in POINTS], kind)
            columns = self.play("spline", 700000, ("spline.curve", kind), every=1000)
            for second in range(1, 701):
                left = second
                for leg, (lengths, _) in enumerate(curve.table):
                    v, w = POINTS[leg][3], POINTS[leg + 1][3]
                    duration = 2 * lengths[-1] / (v + w)
                    if left < duration or leg == len(curve.table) - 1:
                        left = min(left, duration)
                        length = left * v + left * left * (w - v) / duration / 2
                        break
                    left -= duration
                self.near([columns["nedPosition." + axis][second] for axis in "xyz"], curve.at(leg, length), 1e-3,
                          "%s at %d s" % (kind, second))
        self.near(POINTS[-1][:3], [columns["nedPosition." + axis][-1] for axis in "xyz"], 1e-9)

    def first(self, text, *sets):
        self.write("mission.csv", text)
        columns = self.play("spline", 10, *sets, ("spline.tension", "1.0"))
        return [columns["nedPosition." + axis][-1] for axis in "xyz"]

    def test_columns_and_units(self):
        where = (0.02, 0, 10)  # 2 m/s to the north for 10 ms
        for text in ("north,east,depth,speed\n0,0,10,2\n100,0,10,2\n",
                     "# a mission\r\nspeed [kn];depth [cm];east;north [km]\r\n3.8876889848812093;1000;0;0\r\n"
                     "3.8876889848812093;1000;0;0.1\r\n",
                     "altitude,speed,east,north,remark\n-10,2,0,0,1\n-10,2,0,100,2\n",
                     "lon,lat,down,speed\n0,0,10,2\n0,0.001,10,2\n",
                     "longitude [rad],latitude [rad],height,speed\n0,0,-10,2\n0,0.00001,-10,2\n"):
            self.near(self.first(text), where, 1e-9, text)

    def test_places(self):
        """By the radii of the meridian and of the parallel at 48 degrees."""
        e2, s, c = 0.0066943799901413165, math.sin(math.radians(48)), math.cos(math.radians(48))
        meridian = 6378137 * (1 - e2) / (1 - e2 * s * s) ** 1.5
        parallel = 6378137 / math.sqrt(1 - e2 * s * s) * c
        north, east = math.radians(0.001) * meridian, math.radians(0.002) * parallel
        text = "latitude,longitude,depth,speed\n48.001,-3.998,0,1\n48.002,-3.998,0,1\n"
        origin = [("mission.originLatitude", "48.0"), ("mission.originLongitude", "-4.0")]
        found = self.first(text, *origin)
        self.near(found, (north + 0.01, east, 0), 1e-6)
        found = self.first(text, ("mission.earth", "Wgs84"), *origin)
        # The plane is above the sphere by d^2 / 2 R, and meridians meet.
        self.near(found[:2], (north + 0.01, east), 0.02)
        self.assertAlmostEqual(found[2], (north ** 2 + east ** 2) / 2 / 6.37e6, delta=1e-4)
        self.assertNotEqual(found[2], 0)

    def test_bad_files(self):
        good = "0,0,10,2\n"
        for text, *words in (
                (None, "mission.csv' cannot be opened", "No such file"),
                ("", "mission.csv' is empty"),
                ("north,east,depth,speed\n", "has no rows"),
                ("north,east,depth\n0,0,0\n1,1,1\n", "there is no column 'speed'"),
                ("north,depth,speed\n0,0,0\n", "way-points have no place", "'latitude'"),
                ("north,east,lat,lon,depth,speed\n0,0,0,0,0,0\n", "way-points have two places"),
                ("north,east,speed\n0,0,0\n", "one column 'depth' (down) or 'altitude' (up)"),
                ("north,east,depth,altitude,speed\n0,0,0,0,0\n", "one column 'depth'"),
                ("north,east,depth,down,speed\n0,0,0,0,0\n", "'depth' and 'down' mean the same"),
                ("north [yd],east,depth,speed\n0,0,0,0\n", "column 'north' has the unit 'yd'"),
                ("north,east,depth,speed\n" + good + "nan,0,0,1\n", "mission.csv:3: the place of the way-point"),
                ("north,east,depth,speed\n" + good + "9,0,0,-\n", "mission.csv:3: the speed of the way-point"),
                ("north,east,depth,speed\n" + good + "9,0,0,-1\n", "mission.csv:3: the speed of the way-point"),
                ("north,east,depth,speed\n" + good + "9,0,x,1\n", "mission.csv:3:", "'x' in column 'depth'"),
                ("north,east,depth,speed\n" + good + "9,0,1\n", "mission.csv:3:", "is the file cut off?"),
                ("lat,lon,depth,speed\n95,0,1,1\n", "mission.csv:2: a latitude is at most 90 degrees"),
                ("north,east,depth,speed\n" + good, "two way-points, and there is 1"),
                ("north,east,depth,speed\n" + good + good, "way-points 1 and 2 are at the same place"),
                ("north,east,depth,speed\n0,0,0,0\n9,0,0,0\n", "leg 1 begins and ends with a speed of 0")):
            if text is not None:
                self.write("mission.csv", text)
            self.refused("spline", *words)

    def test_cut_files(self):
        """At each eighth a mistake with its place."""
        for eighth in range(8):
            text = MISSION[:len(MISSION) * eighth // 8].rstrip("\n")
            self.write("mission.csv", text)
            done = self.play("spline", 10, exit=FAILED)
            self.assertRegex(done.stderr, r"mission\.csv:\d+: the last line does not end" if "\n" in text else r"mission\.csv")

    def test_what_is_not_a_file(self):
        os.mkfifo(self.folder / "mission.csv")
        self.refused("spline", "mission.csv' is a device or a pipe, not a file")
        os.unlink(self.folder / "mission.csv")
        os.mkdir(self.folder / "mission.csv")
        self.refused("spline", "mission.csv' is a folder, not a file")

    def test_infeasible(self):
        self.write("mission.csv", MISSION)
        current = [("sea.east", "2.0"), ("spline.speedReference", "ThroughWater")]
        done = self.play("spline", 600000, *current, exit=FAILED)
        self.assertRegex(done.stderr, r"leg 4 cannot be held at \d+\.\d+ s, in a current of \(0.000, 2.000\) m/s")
        current = [("sea.north", "-2.6"), ("simple.speedReference", "ThroughWater")]
        done = self.play("simple", 1000, *current, exit=FAILED)
        self.assertIn("leg 1 cannot be held at 0.000 s, in a current of (-2.600, 0.000) m/s", done.stderr)
        self.assertIn("2.500 m/s through the water: it is pushed back", done.stderr)


class Replays(Vehicles):
    STATE = [base + "." + axis for base in ("nedPosition", "bodySpeed", "attitude") for axis in "xyz"]
    RATES = [base + "." + axis for base in ("bodyAcceleration", "bodyRotationSpeed") for axis in "xyz"]

    def turn(self, *sets, end=60000, **more):
        return self.play("simple", end, ("simple.legLength", "20.0"), ("simple.radius", "15.0"), ("simple.legs", "4"),
                         ("sea.north", "0.5"), ("sea.east", "-0.3"), *sets, **more)

    def test_own_log(self):
        """Its own log, row by row, is the run again; the rates follow from it."""
        ran = self.turn()
        (self.folder / "out" / "drone.csv").rename(self.folder / "drone.csv")
        for interpolation in ("Hold", "Linear"):
            again = self.play("reader", 60000, ("reader.interpolation", interpolation))
            for name in self.STATE:
                self.near(again[name], ran[name], 1e-12, name)
            for name in self.RATES:  # of the first step, too: what held at the start is logged
                self.near(again[name][1:], ran[name][1:], 1e-9, name)

    def test_coarse_log(self):
        """Rows at 1 Hz: held, or on straight lines."""
        ran = self.turn(every=1000)
        (self.folder / "out" / "drone.csv").rename(self.folder / "drone.csv")
        held = self.play("reader", 60000)
        lines = self.play("reader", 60000, ("reader.interpolation", "Linear"))
        for i in range(0, 6001):
            second, part = divmod(i, 100)
            for axis in "xyz":
                name = "nedPosition." + axis
                self.assertEqual(held[name][i], ran[name][second])
                after = ran[name][min(second + 1, 60)]
                self.assertAlmostEqual(lines[name][i], ran[name][second] + part / 100 * (after - ran[name][second]), 9)
        # Between two rows it turns evenly, and what is seen adds up to it.
        yaw = lines["attitude.z"][0]
        for i in range(1, 6001):
            yaw += 0.01 * lines["bodyRotationSpeed.z"][i]
            self.assertAlmostEqual(math.remainder(yaw - lines["attitude.z"][i], 2 * math.pi), 0, 9)

    def test_units_time_and_end(self):
        self.write("drone.csv", "time [ms],latitude,longitude,altitude,heading [deg]\n"
                                "1000,0,0,-5,90\n2000,0,0.00001,-6,90\n4000,0,0.00002,-6,180\n")
        metres = math.radians(0.00001) * 6378137
        lines = self.play("reader", 6000, ("reader.interpolation", "Linear"), ("reader.timeOffset", "0.5"))
        self.near([lines["nedPosition.y"][i] for i in (0, 150, 200, 250, 350, 450, 600)],
                  [0, 0, metres / 2, metres, 1.5 * metres, 2 * metres, 2 * metres], 1e-9)
        self.near([lines["nedPosition.z"][i] for i in (0, 200, 250)], [5, 5.5, 6], 1e-9)
        self.near([lines["attitude.z"][i] for i in (0, 350, 600)], [math.pi / 2, 0.75 * math.pi, math.pi], 1e-9)
        self.near([lines["bodySpeed.x"][i] for i in (0, 200, 600)], [0, metres, 0], 1e-9)  # it follows from the places
        self.near([lines["bodySpeed.z"][200]], [1], 1e-9)
        done = self.play("reader", 6000, ("reader.endPolicy", "Stop"), exit=FAILED)
        self.assertIn("drone.csv' ends at 4 s, and endPolicy is Stop", done.stderr)
        twice = self.play("reader", 6000, ("reader.timeScale", "0.5"))
        self.near([twice["nedPosition.y"][i] for i in (99, 100, 200)], [0, metres, 2 * metres], 1e-9)

    def test_bad_files(self):
        head, row = "time,north,east,depth,yaw\n", "0,0,0,0,0\n"
        for text, *words in (
                (None, "drone.csv' cannot be opened"),
                ("north,east,depth,yaw\n0,0,0,0\n", "there is no column 'time'"),
                ("time,north,east,depth\n0,0,0,0\n", "there is no column 'yaw'"),
                ("time,north,depth,yaw\n0,0,0,0\n", "states have no place"),
                ("time,north,east,yaw\n0,0,0,0\n", "one column 'depth'"),
                ("time,north,east,depth,yaw,surge\n0,0,0,0,0,0\n", "all are there or none"),
                ("a.yaw,time,north,east,depth,b.yaw\n0,0,0,0,0,0\n", "'a.yaw' and 'b.yaw' mean the same"),
                (head + row + row, "drone.csv:3: the time 0 s is not after 0 s"),
                (head + "1,0,0,0,0\n0.5,0,0,0,0\n", "drone.csv:3: the time 0.5 s is not after 1 s"),
                (head + "1,0,0,nan,0\n", "drone.csv:2: the state is not complete"),
                (head + "1,0,0,0,6.2\n2,0,0,0,90\n", "drone.csv:3: 90 rad in 'yaw' is more than a whole turn", "'yaw [deg]'"),
                ("time [weeks],north,east,depth,yaw\n" + row, "unit 'weeks'")):
            if text is not None:
                self.write("drone.csv", text)
            self.refused("reader", *words)
        self.refused("reader", "a scale is above 0", sets=[("reader.timeScale", "0.0")])

    def test_not_used_not_opened(self):
        """There is neither a mission nor a log."""
        self.play("simple", 100)


class Runs(Vehicles):
    def test_fig_10(self):
        """Heading and speed over ground as seen from on board, turned by 15 degrees and integrated from heading 0: 39.158 m
        after a minute."""
        seen = self.play("simple", 60000, ("sea.north", repr(math.sqrt(0.5))), ("sea.east", repr(math.sqrt(0.5))))
        yaw, north, east = 0, 0, 0
        wrong = math.radians(15)
        before = None
        for i in range(6001):
            x, y = seen["bodySpeed.x"][i], seen["bodySpeed.y"][i]
            yaw += 0.01 * seen["bodyRotationSpeed.z"][i] if i else 0
            angle = yaw - wrong
            now = (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
            if before:
                north += 0.005 * (now[0] + before[0])
                east += 0.005 * (now[1] + before[1])
            before = now
        self.assertAlmostEqual(seen["nedPosition.x"][-1], 150, 9)
        self.assertAlmostEqual(math.hypot(north - 150, east), 39.158, 3)
        self.assertAlmostEqual(math.degrees(seen["attitude.z"][-1]), -21.523991, 6)
        self.assertEqual(seen["attitude.z"][0], 0)

    def test_speed_stop_and_start(self):
        event = """instant 10000 { "vehicles.comp.simple.speed" = 1.0; }
          instant 20000 { "vehicles.comp.simple".Stop(); }
          instant 25000 { "vehicles.comp.simple".Start(); "vehicles.comp.simple.speed" = 3.0; }"""
        seen = self.play("simple", 40000, events=event)
        self.near([seen["nedPosition.x"][i] for i in (0, 1000, 2000, 2500, 4000)], [0, 25, 35, 35, 80], 1e-9)
        self.near([seen["bodySpeed.x"][i] for i in (0, 1000, 1001, 2501)], [2.5, 2.5, 1, 3], 1e-12)
        self.assertAlmostEqual(seen["bodyAcceleration.x"][1001], -150, 9)

    def test_fixed_parameters(self):
        """A track is not changed under way."""
        done = self.play("simple", 1000, events='instant 500 { "vehicles.comp.simple.radius" = 9.0; }', exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("simple.radius", done.stderr)

    def test_same_bytes(self):
        """Fused, on nodes, and from a state that was written on the way, beside files that it is not about."""
        self.write("way.csv", MISSION)
        self.write("mission.csv", MISSION.replace("200,50", "100,90"))
        self.write("drone.csv", "time,north,east,depth,yaw\n0,50,0,0,0\n40,90,-4,3,-2\n")
        options = ["--set", "sea.north=0.3", "--set", "sea.perSecond=0.001", "--set", "simple.radius=20",
                   "--set", "simple.legLength=30", "--set", "reader.fileName=log.csv",
                   "--set", "mission.fileName=way.csv", "--set", "drone.useSource=true", "--set", "spline.altitudeMode=SeaBed"]
        self.write("log.csv", "time,north,east,depth,yaw\n0,0,0,0,0\n7,9,1,2,1\n50,90,-4,3,-2\n")
        run = ["run", "vehicles.system", "--stop-time", "40", *options]
        self.hocket(*run, "-o", "a.csv")
        plain = (self.folder / "a.csv").read_bytes()
        self.hocket(*run, "--fused", "-o", "b.csv")
        self.assertEqual((self.folder / "b.csv").read_bytes(), plain)
        self.hocket(*run, "--nodes", "2", "-o", "c.csv")
        self.assertEqual((self.folder / "c.csv").read_bytes(), plain)
        self.hocket("run", "vehicles.system", "--stop-time", "17", *options, "-o", "d.csv", "--save-state", "s.hks")
        self.hocket("run", "vehicles.system", "--stop-time", "40", "-o", "d.csv", "--resume", "s.hks")
        self.assertEqual((self.folder / "d.csv").read_bytes(), plain)


if __name__ == "__main__":
    main("--mission")
