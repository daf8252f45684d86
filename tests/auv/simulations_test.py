#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The ready simulations of models/auv play to their verdicts, and what can be computed by hand comes out of the whole system:
the line of 20 km with and without deliberate skews, errors of sensors on their way through navigation and analysis, a
mission with the filter, recorded and replayed. Standard library only."""
import csv
import json
import math
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, SLOW, Case, main, slow  # noqa: E402

READY = ["AuvSimulation", "line20km", "dvl_misalignment", "record_mission", "replay", "sensor_quality", "sensor_failure"]
SLOW_LEAVES = ["Environment.myEarth", "Environment.MNT.myMntModel", "Environment.MNT.myMntAdapter",
               "Environment.Current.myCurrent", "Environment.Current.myCurrentAdapter"]
FAST_LEAVES = ["Drone.mySimpleMission", "Drone.myMissionAdapter", "Sensors.DVL.myBodyToDVL", "Sensors.DVL.myErrorDVL",
               "Sensors.DVL.mySourceDVLAdapter", "Sensors.Gyroscope.myBodyToGyro", "Sensors.Gyroscope.myErrorGyro",
               "Sensors.Gyroscope.mySourceGyroAdapter", "Sensors.Accelerometer.myBodyToAccelerometer",
               "Sensors.Accelerometer.myErrorAccelerometer", "Sensors.Accelerometer.mySourceAccelerometerAdapter",
               "Sensors.GPS.myBodyToGps", "Sensors.GPS.myErrorGps", "Sensors.GPS.mySourceGpsAdapter",
               "Sensors.Barometer.myBodyToDepth", "Sensors.Barometer.myErrorDepth", "Sensors.Compass.myBodyToCompass",
               "Sensors.Barometer.mySourceDepthAdapter", "Sensors.Compass.myErrorCompass",
               "Sensors.Compass.mySourceCompassAdapter", "Navigation.myDvl", "Navigation.myNavigationFunction",
               "Analysis.myAnalysis"]
TRUTH = "Drone.myMissionAdapter.nedPosition."
ESTIMATE = "Navigation.myNavigationFunction.myEstimatedNedPosition."
ERROR = "Analysis.myAnalysis.error"
TICK = 0.005  # m, at 5 m/s in 1 ms


class Auv(Case):
    """A folder with the system, its types and plugins, to which a test adds."""

    def setUp(self):
        super().setUp()
        self.auv = self.folder / "auv"
        self.auv.mkdir()
        for pattern in ("*.types", "*.so", "*.system", "*.simulation", "*.csv"):
            for path in (OPTIONS.models / "auv").glob(pattern):
                os.symlink(path, self.auv / path.name)

    def play(self, name, *words, out="out", exit=0):
        shutil.rmtree(self.folder / out, ignore_errors=True)
        done = self.hocket("run", self.auv / f"{name}.simulation", "--json", "-o", out, *words, exit=exit)
        return json.loads(done.stdout)

    def rows(self, name, out="out"):
        with open(self.folder / out / name, encoding="utf-8") as file:
            return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]

    def measured(self, run, name):
        return next(v["measured"]["value"] for v in run["verdicts"] if v.get("measured", {}).get("name") == name)

    def system(self, *pairs):
        """The system with changes, each of which must be one."""
        text = (OPTIONS.models / "auv/auv.system").read_text(encoding="utf-8")
        for old, new in pairs:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        (self.auv / "auv.system").unlink()
        (self.auv / "auv.system").write_text(text, encoding="utf-8")

    def simulation(self, name, *pairs):
        text = (OPTIONS.models / f"auv/{name}.simulation").read_text(encoding="utf-8")
        for old, new in pairs:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        (self.auv / f"{name}.simulation").unlink()
        (self.auv / f"{name}.simulation").write_text(text, encoding="utf-8")


class Ready(Auv):
    def test_style(self):
        """All of them, and no other: whoever adds one adds it here, to what it shows."""
        self.assertEqual({p.stem for p in (OPTIONS.models / "auv").glob("*.simulation")}, set(READY))
        for name in READY:
            told = self.hocket("check", self.auv / f"{name}.simulation", "--style", "navidro")
            self.assertIn("style navidro", told.stdout)

    def test_misalignment(self):
        played = self.play("dvl_misalignment")
        self.assertTrue(played["all_held"])
        self.assertLess(self.measured(played["runs"][0], "largest error"), 1e-6)
        factor, far = 2 * math.sin(math.radians(7.5)), 0
        self.assertAlmostEqual(factor, 0.261052, 6)
        turn = math.radians(-15)
        for row in self.rows("unknown.csv"):
            north, east = row[TRUTH + "x"], row[TRUTH + "y"]
            self.assertAlmostEqual(row[ERROR], factor * math.hypot(north, east), delta=1e-6)
            self.assertAlmostEqual(row[ESTIMATE + "x"], north * math.cos(turn) - east * math.sin(turn), delta=1e-6)
            self.assertAlmostEqual(row[ESTIMATE + "y"], north * math.sin(turn) + east * math.cos(turn), delta=1e-6)
            far = max(far, math.hypot(north, east))
        self.assertGreater(far, 500)
        # the picture of docs/auv.md
        self.hocket("plot", "out/unknown.csv", TRUTH + "y", TRUTH + "x", ESTIMATE + "y", ESTIMATE + "x", "--xy", "--equal", "--no-marks",
                    "--width", 760, "--title", "A turned DVL: the true way, and the estimated one", "-o", "way.svg")
        self.assertEqual((self.folder / "way.svg").read_bytes(), (OPTIONS.source / "models/auv/dvl_misalignment.svg").read_bytes())

    def missed(self, first, last, speed, current, radius, begin):
        """By how much dead reckoning is off that keeps the speed of FIRST, seen from on board, until LAST: the way is a circle
        that begins at BEGIN, over ground at a constant speed, through water that moves east."""
        def heading(t):
            course = max(0, t - begin) * speed / radius
            return math.atan2(speed * math.sin(course) - current, speed * math.cos(course)), course
        ahead = heading(first)[1] - heading(first)[0]  # where it goes, from where it looks
        north = east = 0
        step = 0.001
        for k in range(round((last - first) / step)):
            looks, course = heading(first + (k + 0.5) * step)
            north += step * speed * (math.cos(looks + ahead) - math.cos(course))
            east += step * speed * (math.sin(looks + ahead) - math.sin(course))
        return math.hypot(north, east)

    def test_failure(self):
        played = self.play("sensor_failure")
        self.assertTrue(played["all_held"])
        runs = {run["scenario"]: run for run in played["runs"]}
        self.assertLess(self.measured(runs["leg"], "largest error"), 1e-6)
        expected = self.missed(120, 140, 2, 0.5, 40, 100)
        self.assertAlmostEqual(expected, 0.5 * 0.5 * 0.05 * 400, delta=1)
        self.assertAlmostEqual(self.measured(runs["turn"], "final error"), expected, delta=0.01)
        self.assertLess(self.measured(runs["filter"], "final error"), expected / 10)
        valid = [row["Sensors.DVL.mySourceDVLAdapter.valid"] for row in self.rows("turn.csv")]
        self.assertEqual(valid.count(0), 201)  # 200 rows, and the one at 0

    def test_quality(self):
        played = self.play("sensor_quality", "-D", "end=60000")
        drifts = {}
        for run in played["runs"]:
            drifts.setdefault(run["scenario"], []).append(self.measured(run, "drift in percent"))
        self.assertEqual({name: len(set(values)) for name, values in drifts.items()},
                         {"optical": 5, "tactical": 5, "small": 5, "cheap": 5})
        self.assertLess(max(drifts["optical"]), 0.1)
        self.assertLess(max(drifts["optical"]), min(drifts["cheap"]))

    @slow
    def test_quality_as_it_is(self):
        self.assertTrue(self.play("sensor_quality", "--workers", "2")["all_held"])


class Line(Auv):
    def test_twenty_kilometres(self):
        played = self.play("line20km")
        self.assertTrue(played["all_held"])
        run = played["runs"][0]
        self.assertEqual(run["simulated_s"], 4000)
        active = {name: count for name, count in run["activations"].items() if count}
        self.assertEqual(active, {name: 4000000 for name in FAST_LEAVES} | {name: 4000 for name in SLOW_LEAVES})
        self.assertEqual(len(run["activations"]), 44)
        self.assertLess(self.measured(run, "largest error"), 1e-5)
        last = self.rows("line.csv")[-1]
        self.assertAlmostEqual(last[TRUTH + "x"], 20000, delta=1e-6)
        self.assertAlmostEqual(last[ESTIMATE + "x"], 20000, delta=1e-5)

    # What each of these links carries is 0 in the first tick if it is late and begins with 0.
    LATE = ["link Drone.bodySpeed -> Sensors.bodySpeed", "link myBodyToDVL.out -> myErrorDVL.in",
            "link Sensors.measuredDVLSpeed -> Navigation.measuredDVLSpeed",
            "link myDvl.bodySpeed -> myNavigationFunction.bodySpeed"]
    SECONDS = 4000 if SLOW else 20

    def error(self, *links):
        """The error along the way at the end, in which it does not change any more after the start."""
        self.system(*links)
        # With the true speed at the start, what is missing in the first ticks is missed in full.
        begin = '"auv.comp.Navigation.myNavigationFunction.myNavFunctionNumber" = DvlGyro;'
        if "initialVelocity" not in (self.auv / "line20km.simulation").read_text(encoding="utf-8"):
            self.simulation("line20km", (begin, begin + '"auv.comp.Navigation.myNavigationFunction.initialVelocity" = {5.0, 0.0, 0.0};'))
        self.play("line20km", "-D", f"end={self.SECONDS * 1000}", exit=None)
        rows = self.rows("line.csv")
        behind = [row[TRUTH + "x"] - row[ESTIMATE + "x"] for row in rows]
        self.assertAlmostEqual(behind[1], behind[-1], delta=1e-5)
        self.assertAlmostEqual(rows[-1][TRUTH + "x"], 5 * self.SECONDS, delta=1e-6)
        return rows[-1][ERROR], behind[-1]

    def late(self, count, first):
        return [(link + ";", f"{link} lag previous initial {{{first}, 0.0, 0.0}};") for link in self.LATE[:count]]

    def test_late_links(self):
        for count in range(5):
            error, behind = self.error(*self.late(count, "0.0"))
            self.assertAlmostEqual(error, count * TICK, delta=1e-5 if SLOW else 1e-9, msg=count)
            self.assertAlmostEqual(behind, count * TICK, delta=1e-5 if SLOW else 1e-9, msg=count)
            error, behind = self.error(*self.late(count, "5.0"))
            self.assertAlmostEqual(error, 0, delta=1e-5 if SLOW else 1e-9, msg=count)

    def test_late_input(self):
        """The same by what the reader says, 'use', which begins with what the producer has at the start: 0."""
        leaf = "leaf myNavigationFunction : navigation.NavigationFunction { frequency 1000 Hz;"
        error, _ = self.error((leaf, leaf + " use bodySpeed previous;"))
        self.assertAlmostEqual(error, TICK, delta=1e-5 if SLOW else 1e-9)

    def test_skew_in_the_analysis(self):
        leaf = "leaf myAnalysis : analysis.PositionError { frequency 1000 Hz;"
        for late, expected in ((["estimatedPosition"], TICK), (["truePosition"], TICK), (["truePosition", "estimatedPosition"], 0)):
            error, behind = self.error((leaf, leaf + "".join(f" use {name} previous;" for name in late)))
            self.assertAlmostEqual(error, expected, delta=1e-5 if SLOW else 1e-9, msg=late)
            self.assertAlmostEqual(behind, 0, delta=1e-5)  # nobody is late but the one who compares


NAVIGATION = "auv.comp.Navigation.myNavigationFunction."
SENSORS = "auv.comp.Sensors."


class Oracles(Auv):
    """Errors of sensors, and what they make of the position in the whole system."""

    def voyage(self, seconds, speed, *settings, runs=1, radius=0):
        """What the runs end with: true and estimated position."""
        text = (OPTIONS.models / "auv/line20km.simulation").read_text(encoding="utf-8")
        actions = [("auv.comp.Drone.mySimpleMission.radius", radius), ("auv.comp.Drone.mySimpleMission.legLength", 60 if radius else 0),
                   (NAVIGATION + "initialVelocity", "{%r, 0.0, 0.0}" % speed), *settings]
        begin = '"%smyNavFunctionNumber" = DvlGyro;' % NAVIGATION
        text = text.replace(begin, begin + "".join(f'"{name}" = {value};' for name, value in actions))
        text = text.replace("Scenario line", f"Scenario line [{runs}]").replace("timed(10000)", f"timed({seconds * 1000})")
        (self.auv / "voyage.simulation").write_text(text, encoding="utf-8")
        self.play("voyage", "-D", f"end={seconds * 1000}", "-D", f"speed={speed}", exit=None)
        ends = []
        for path in sorted((self.folder / "out").glob("*.csv")):
            last = self.rows(path.name)[-1]
            self.assertEqual(last["time"], seconds)
            ends.append(([last[TRUTH + axis] for axis in "xyz"], [last[ESTIMATE + axis] for axis in "xyz"]))
        self.assertEqual(len(ends), runs)
        return ends if runs > 1 else ends[0]

    def test_scale_of_the_dvl(self):
        truth, estimate = self.voyage(100, 2.0, (SENSORS + "DVL.myErrorDVL.scale", "{0.01, 0.01, 0.01}"), radius=30)
        for one, other in zip(truth, estimate):
            # the first tick sets out with the speed that is given: half a tick without the error
            self.assertAlmostEqual(other, 1.01 * one, delta=2e-5)
        self.assertGreater(math.hypot(*truth), 30)

    def test_heading(self):
        truth, estimate = self.voyage(100, 2.0, (NAVIGATION + "initialAttitude", "{0.0, 0.0, 3.0}"), radius=30)
        expected = 2 * math.sin(math.radians(1.5)) * math.hypot(*truth)
        self.assertAlmostEqual(math.dist(truth, estimate), expected, delta=1e-4)

    def test_bias_of_the_gyroscope(self):
        bias = math.radians(5) / 3600
        truth, estimate = self.voyage(1800, 1.5, (SENSORS + "Gyroscope.myErrorGyro.bias", "{0.0, 0.0, %r}" % bias))
        self.assertAlmostEqual(0.5 * 1.5 * bias * 1800 ** 2, 58.9, delta=0.05)
        self.assertAlmostEqual(estimate[1] - truth[1], 1.5 * (1 - math.cos(bias * 1800)) / bias, delta=1e-5)
        self.assertAlmostEqual(estimate[0], 1.5 * math.sin(bias * 1800) / bias, delta=1e-5)
        self.assertAlmostEqual(math.dist(truth, estimate), 58.9, delta=0.1)

    def test_inertial(self):
        function = (NAVIGATION + "myNavFunctionNumber", "GyroAccelerometer")
        truth, estimate = self.voyage(60, 1.5, function, (SENSORS + "Accelerometer.myErrorAccelerometer.bias", "{0.001, 0.0, 0.0}"))
        self.assertAlmostEqual(estimate[0] - truth[0], 0.5 * 0.001 * 60 ** 2, delta=1e-6)
        bias = math.radians(5) / 3600  # the nose seems to rise, so what holds it up seems to push it back
        truth, estimate = self.voyage(60, 1.5, function, (SENSORS + "Gyroscope.myErrorGyro.bias", "{0.0, %r, 0.0}" % bias))
        self.assertAlmostEqual(abs(estimate[0] - truth[0]), 9.80665 * bias * 60 ** 3 / 6, delta=1e-3)

    def spread(self, ends, axis):
        return math.sqrt(sum((estimate[axis] - truth[axis]) ** 2 for truth, estimate in ends) / len(ends))

    def test_noise(self):
        """Of a hundred runs: the deviation is known to 7 %, and the limits are three times that."""
        density = math.radians(0.15) / 60
        ends = self.voyage(20, 1.5, (SENSORS + "Gyroscope.myErrorGyro.noiseDensity", density),
                           (SENSORS + "Gyroscope.myErrorGyro.period", 0.01),
                           (SENSORS + "DVL.myErrorDVL.sigma", "0.00001"), (SENSORS + "DVL.myErrorDVL.period", 0.2), runs=100)
        expected = 1.5 * density * math.sqrt(20 ** 3 / 3)
        self.assertAlmostEqual(1.5 * density * math.sqrt(1800 ** 3 / 3), 2.89, delta=0.01)
        self.assertAlmostEqual(self.spread(ends, 1) / expected, 1, delta=0.21)
        ends = self.voyage(20, 1.5, (SENSORS + "DVL.myErrorDVL.sigma", 0.01), (SENSORS + "DVL.myErrorDVL.period", 0.2), runs=100)
        expected = 0.01 * math.sqrt(20 / 5)
        for axis in (0, 1):
            self.assertAlmostEqual(self.spread(ends, axis) / expected, 1, delta=0.21)


class Places(Auv):
    """Where the vehicle is: on the ellipsoid, and whether it is there at all."""

    def run_line(self, *settings, logs=(), exit=0, end=2000, function="DvlGyro"):
        text = (OPTIONS.models / "auv/line20km.simulation").read_text(encoding="utf-8")
        begin = '"%smyNavFunctionNumber" = DvlGyro;' % NAVIGATION
        self.assertEqual(text.count(begin), 1)
        text = text.replace(begin, begin.replace("DvlGyro", function) + "".join(settings))
        head = text[:text.index("  expects {")]
        names = "".join(f'"auv.comp.{name}";' for name in logs)
        head += "logs { place.csv timed(1000) { %s } }" % names if logs else ""
        (self.auv / "place.simulation").write_text(head + "}\n", encoding="utf-8")
        return self.hocket("run", self.auv / "place.simulation", "-D", f"end={end}", "-o", "out", exit=exit)

    def test_far_from_the_origin(self):
        """Half a metre deep, 14 km away: what sensors and bed say counts from the surface, not from the plane."""
        (self.auv / "far.csv").write_text("lat,lon,depth,speed\n48.45,-4.4,0.25,2\n48.451,-4.4,0.25,2\n", encoding="utf-8")
        said = ["Sensors.Barometer.mySourceDepthAdapter.value", "Sensors.GPS.mySourceGpsAdapter.valid", "Sensors.DVL.myErrorDVL.altitude",
                "Drone.myMissionInterpreter.altitude", "Navigation.myNavigationFunction.rejected", "Analysis.myAnalysis.error"]
        for earth in ("Flat", "Wgs84"):
            place = self.start_of("far", earth)
            self.run_line('"auv.comp.Drone.myMissionInterpreter".Start();', '"auv.comp.Mission.myMission".Start();',
                          '"auv.comp.Drone.myMissionAdapter.isSpline" = true;', '"auv.comp.Drone.mySimpleMission".Stop();',
                          '"auv.comp.Mission.myMission.fileName" = "far.csv";', f'"auv.comp.Environment.myEarth.earth" = {earth};',
                          '"auv.comp.Environment.MNT.myMntModel.shape" = Slope;', '"auv.comp.Environment.MNT.myMntModel.depth" = 60.0;',
                          '"auv.comp.Sensors.DVL.myErrorDVL.rangeMax" = 200.0;', '"%sinitialPosition" = {%r, %r, %r};' % (NAVIGATION, *place),
                          '"%sinitialVelocity" = {2.0, 0.0, 0.0};' % NAVIGATION, logs=said, function="Eskf")
            last = self.rows("place.csv")[-1]
            self.assertAlmostEqual(last[said[0]], 0.25, delta=1e-3)
            self.assertEqual(last[said[1]], 1)
            for altitude in said[2:4]:
                self.assertAlmostEqual(last[altitude], 59.75, delta=0.02)
            self.assertTrue(all(value == 0 for name, value in last.items() if "rejected" in name), earth)
            self.assertLess(last[said[5]], 0.1)

    def start_of(self, name, earth):
        """North, east and down of the first way-point."""
        self.run_line('"auv.comp.Drone.myMissionInterpreter".Start();', '"auv.comp.Mission.myMission".Start();',
                      '"auv.comp.Drone.myMissionAdapter.isSpline" = true;', '"auv.comp.Drone.mySimpleMission".Stop();',
                      f'"auv.comp.Mission.myMission.fileName" = "{name}.csv";', f'"auv.comp.Environment.myEarth.earth" = {earth};',
                      logs=["Drone.myMissionAdapter.nedPosition"])
        first = self.rows("place.csv")[0]
        return [first[TRUTH + axis] for axis in "xyz"]

    def test_vehicle_that_does_not_run(self):
        chosen = '"auv.comp.Drone.myMissionAdapter.isSpline" = true;'
        done = self.run_line(chosen, exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the vehicle that is chosen, that of splineState (isSpline = true), does not run", done.stderr)
        done = self.run_line('"auv.comp.Drone.mySimpleMission".Stop();', exit=None)
        self.assertIn("that of simpleState (isSpline = false), does not run", done.stderr)
        # a slower one runs, and is not missed
        self.run_line('"auv.comp.Drone.mySimpleMission".Stop();', '"auv.comp.Drone.myRemus".Start();',
                      'bind "auv.comp.Drone.myRemus.pState" to "auv.comp.Drone.myMissionAdapter.rStateSource";',
                      '"auv.comp.Drone.myMissionAdapter.useSource" = true;')

    def test_truth_needs_a_link(self):
        settings = [f'"{NAVIGATION}allowTruth" = true;']
        done = self.run_line(*settings, exit=None, function="Truth")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("nothing is linked to truePosition", done.stderr)
        self.system(("link Drone.attitude -> Sensors.attitude;",
                     "link Drone.attitude -> Sensors.attitude; link Drone.nedPosition -> Navigation.truePosition;"),
                    ("composite Navigation role controller {", "composite Navigation role controller { input core.Coordinate3D truePosition; "
                     "link truePosition -> myNavigationFunction.truePosition;"))
        self.run_line(*settings, logs=["Analysis.myAnalysis.largest"], function="Truth")
        self.assertEqual(self.rows("place.csv")[-1]["Analysis.myAnalysis.largest"], 0)


class Mission(Auv):
    """The survey with the filter: recorded, replayed, with a compass and without."""

    def test_recorded_and_replayed(self):
        """What the drone knew at each instant, from the logs, bit by bit."""
        words = ["-D", f"end={1800000 if SLOW else 120000}"]
        record = self.play("record_mission", *words, "-D", "gps=false", out="auv/logs")
        self.assertTrue(record["all_held"])
        replay = self.play("replay", *words, "-D", "gps=false", out="out", exit=None)
        active = {name for name, count in replay["runs"][0]["activations"].items() if count}
        self.assertEqual({n for n in active if n.startswith("Sensors.")},
                         {f"Sensors.{a}.my{b}" for a, c in (("DVL", "DVL"), ("Gyroscope", "Gyro"), ("Accelerometer", "Accelerometer"),
                                                            ("GPS", "Gps"), ("Barometer", "Depth"), ("Compass", "Compass"))
                          for b in (f"Reader{c}", f"Source{c}Adapter")})
        first, again = ([{k: row[k] for k in row if k.startswith(ESTIMATE)} for row in rows]
                        for rows in (self.rows("estimate.csv", "auv/logs"), self.rows("replay.csv")))
        self.assertEqual(len(first), 1801 if SLOW else 121)
        self.assertEqual(first, again)
        for one, other in zip(self.rows("estimate.csv", "auv/logs"), self.rows("replay.csv")):
            self.assertLess(math.dist([one[TRUTH + a] for a in "xyz"], [other[TRUTH + a] for a in "xyz"]), 1e-3)

    def test_without_logs(self):
        done = self.hocket("run", self.auv / "replay.simulation", "-o", "out", exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("logs/", done.stderr)

    def final_errors(self, seeds, *words):
        text = (OPTIONS.models / "auv/record_mission.simulation").read_text(encoding="utf-8")
        text = text[:text.index("  logs {")].replace("Scenario survey", f"Scenario survey [{seeds}]") + "}\n"
        (self.auv / "voyages.simulation").write_text(text, encoding="utf-8")
        played = self.play("voyages", "--workers", "2", *words, exit=None)
        return [(self.measured(run, "final error"), self.measured(run, "travelled")) for run in played["runs"]]

    def rms(self, numbers):
        squares = [x * x for x in numbers]
        return math.sqrt(sum(squares) / len(squares))

    def test_filter(self):
        seeds, end = (16, 1800) if SLOW else (3, 300)
        words = ["-D", f"end={end * 1000}", *(["--fused"] if SLOW else [])]
        with_compass = self.final_errors(seeds, *words)
        without = self.final_errors(seeds, *words, "-D", "compass=false")
        self.assertEqual(len(set(with_compass)), seeds)
        self.assertLess(max(error for error, _ in with_compass), 3)
        if SLOW:
            self.assertAlmostEqual(without[0][1], 2435, delta=1)
            self.assertLess(8, self.rms(error for error, _ in without))
            self.assertLess(self.rms(error for error, _ in without), 17)
            drift = self.rms(100 * error / way for error, way in without)
            self.assertLess(0.3, drift)
            self.assertLess(drift, 0.7)
        else:
            self.assertNotEqual(with_compass, without)
            self.assertLess(max(error for error, _ in without), 8)


if __name__ == "__main__":
    main()
