#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fig. 10 of paper 000, played on the vehicle of models/auv through the built program: the lines of the
figure, and what must happen if a line is changed. docs/cares-rules.md says which test shows what.

The numbers are computed by hand: 2.5 m/s over ground for 1800 s is 4500 m; a DVL that is turned by
15 degrees turns the estimated path by -15 degrees, so the error is 2 sin(7.5 degrees) times the
distance. Standard library only.
"""
import collections
import filecmp
import math
import pathlib
import re
import resource
import sys

from figure import OPTIONS, Figure
from hocket_case import main

LEAVES = 44  # 15 of them are stopped or not active
KILOHERTZ = ["Drone.mySimpleMission", "Drone.myMissionAdapter",
             "Sensors.DVL.myBodyToDVL", "Sensors.DVL.myErrorDVL", "Sensors.DVL.mySourceDVLAdapter",
             "Sensors.Gyroscope.myBodyToGyro", "Sensors.Gyroscope.myErrorGyro",
             "Sensors.Gyroscope.mySourceGyroAdapter", "Sensors.Accelerometer.myBodyToAccelerometer",
             "Sensors.Accelerometer.myErrorAccelerometer",
             "Sensors.Accelerometer.mySourceAccelerometerAdapter", "Sensors.GPS.myErrorGps",
             "Sensors.GPS.mySourceGpsAdapter", "Sensors.Barometer.myErrorDepth",
             "Sensors.Barometer.mySourceDepthAdapter", "Sensors.Compass.myErrorCompass",
             "Sensors.Compass.mySourceCompassAdapter", "Navigation.myNavigationFunction",
             "Analysis.myAnalysis"]
STOPPED = ["Environment.MNT.myGeoTiff", "Environment.Current.myS111CurrentFile",
           "Sensors.DVL.myReaderDVL", "Drone.myMissionInterpreter"]
# 'inactive' in the system: what replaces another source, if a simulation starts it.
SPARE = ["Environment.Current.myCurrentSeries", "Drone.myDroneReader", "Drone.myRemus",
         "Sensors.Gyroscope.myReaderGyro", "Sensors.Accelerometer.myReaderAccelerometer",
         "Sensors.GPS.myReaderGps", "Sensors.Barometer.myReaderDepth",
         "Sensors.Compass.myReaderCompass", "Analysis.myNees", "Analysis.myGyroAllan", "Analysis.myAccelerometerAllan"]
ESTIMATE = "Navigation.myNavigationFunction.myEstimatedNedPosition"
MISSION = "Drone.mySimpleMission."
COS, SIN = math.cos(math.radians(15)), math.sin(math.radians(15))
NO_CURRENT = ('"1.0"', '"0.0"')


def crab(course, north, east, speed=2.5):
    """Heading and speed through the water, for a speed over ground and a current: the motion
    through the water is the one less the other."""
    north, east = speed * math.cos(course) - north, speed * math.sin(course) - east
    return math.atan2(east, north), math.hypot(north, east)


class Lines(Figure):
    """The lines of the figure, from the top."""

    def test_01_name_and_unit(self):
        played = self.play(self.variant(end=11000))
        self.assertEqual(played.report["name"], "AuvSimulation")
        self.assertEqual(played.run()["simulated_s"], 11)
        self.assertEqual(played.run()["activations"]["Analysis.myAnalysis"], 11000)
        self.assertIn("10 s: stop Navigation.myDvl", played.run()["trace"])
        self.refused(self.variant(("(ms)", "(weeks)")), 1, "weeks")

    def test_02_system(self):
        counts = self.full().run()["activations"]
        self.assertEqual(len(counts), LEAVES)
        self.assertEqual({name for name, count in counts.items() if not count}, {*STOPPED, *SPARE})
        self.refused(self.variant(("system auv;", "system ship;")), 2, "no system 'ship'")

    def test_03_simulation_time(self):
        run = self.full().run()
        for name in KILOHERTZ:
            self.assertEqual(run["activations"][name], 1800000, name)
        # The first step covers [0, 0.001], the last one ends at 1800.
        with open(self.full().path("DronePosition.csv", 0)) as file:
            next(file)
            first = [next(file).split(",") for _ in range(2)]
            last = [line.split(",") for line in collections.deque(file, 2)]
        self.assertEqual((first[0][0], float(first[0][1])), ("0", 0))
        self.assertAlmostEqual(float(first[1][1]), 0.0025 * COS, 12)
        self.assertEqual((last[0][0], last[1][0]), ("1799.999", "1800"))

    def test_03_first_and_last_step(self):
        calls = self.full().lives()
        self.assertEqual({t for _, what, t, *_ in calls if what == "step"}, {0})
        ends = {kind: tuple(numbers) for kind, what, *numbers in calls if what == "end"}
        self.assertEqual(ends["drone.SimpleMission"], (1800000, 1800000))
        self.assertEqual(ends["navigation.DvlDriver"], (1800000, 1799500))
        self.assertEqual(ends["environment.MntModel"], (1800000, 1800))

    def test_04_bind_sea_bed(self):
        run = self.full().run()
        self.assertIn("0 s: bind Environment.MNT.myMntModel.pMntModel to "
                      "Environment.MNT.myMntAdapter.rMntSource", run["trace"])
        self.assertEqual(
            self.bindings(self.variant())["Environment.MNT.myMntAdapter.rMntSource"],
            "Environment.MNT.myMntModel.pMntModel")
        played = self.play(self.variant(self.log(
            "Bed.csv", 1000, "Environment.MNT.myMntModel.requests",
            "Environment.MNT.myGeoTiff.requests", "Environment.MNT.myMntAdapter.depth"), end=5000))
        self.assertGreaterEqual(played.last("Bed.csv", "Environment.MNT.myMntModel.requests"), 4)
        self.assertEqual(played.last("Bed.csv", "Environment.MNT.myGeoTiff.requests"), 0)
        self.assertEqual(played.last("Bed.csv", "Environment.MNT.myMntAdapter.depth"), 100)
        text = self.variant(('bind "auv.comp.Environment.MNT.myMntModel.pMntModel"\n'
                             '    to "auv.comp.Environment.MNT.myMntAdapter.rMntSource";', ""))
        self.not_bound(text, "rMntSource' has 2 providers")

    def not_bound(self, text, words):
        played = self.call("check", text)
        self.assertNotEqual(played.code, 0)
        self.assertTrue([d for d in played.diagnostics if d["severity"] == "error" and
                         words in d["text"] and "bind one" in d["hint"]], played.err)

    def test_05_stop_geotiff(self):
        run = self.full().run()
        self.assertEqual(run["activations"]["Environment.MNT.myGeoTiff"], 0)
        self.assertEqual(run["trace"].count("0 s: stop Environment.MNT.myGeoTiff"), 1)
        calls = self.witnessed(self.variant(end=10))
        first = [what for _, what, *_ in calls].index("step")
        for kind in ("environment.GeoTiff", "environment.S111CurrentFile", "sensors.DvlReader",
                     "drone.SplineMission"):
            mine = [c for c in calls if c[0] == kind]
            self.assertEqual(mine, [(kind, "initialize", 0), (kind, "stop", 0),
                                    (kind, "end", 0, 0)])
            self.assertLess(calls.index(mine[1]), first)
        # There is no bathy.tif. If the reader is not stopped, it is missed in the first step.
        played = self.call("run", self.variant(
            ('"auv.comp.Environment.MNT.myGeoTiff".Stop();', ""), end=1000))
        self.assertNotEqual(played.code, 0)
        self.assertIn("myGeoTiff", played.err)

    def test_06_bind_current(self):
        self.assertIn("0 s: bind Environment.Current.myCurrent.itfCurrentModel to "
                      "Environment.Current.myCurrentAdapter.rCurrentSource",
                      self.full().run()["trace"])
        self.assertEqual(
            self.bindings(self.variant())["Environment.Current.myCurrentAdapter.rCurrentSource"],
            "Environment.Current.myCurrent.itfCurrentModel")
        self.assertEqual(
            self.full().last("Truth.csv", "Environment.Current.myS111CurrentFile.requests", 0), 0)
        # The vehicle asks once a `currentPeriod`, which is 1 s, for the current one period ahead;
        # what myCurrent published last it counted before its last step.
        self.assertGreaterEqual(
            self.full().last("Truth.csv", "Environment.Current.myCurrent.requests", 0), 1798)
        text = self.variant(("myCurrent.itfCurrentModel", "myCurrent.pSinModelSource"))
        self.refused(text, 10, "pSinModelSource", "itfCurrentModel", "pConfigCurrentModel")
        text = self.variant(('bind "auv.comp.Environment.Current.myCurrent.itfCurrentModel"\n'
                             '    to "auv.comp.Environment.Current.myCurrentAdapter.rCurrentSource'
                             '";', ""))
        self.not_bound(text, "rCurrentSource' has 2 providers")

    def test_07_call_set_speed(self):
        model = "Environment.Current.myCurrent."
        played = self.play(self.variant(self.log(
            "Current.csv", 1000, model + "meanSpeed", model + "meanDirection",
            model + "configurations", model + "current"), end=3000))
        calls = [t for t in played.run()["trace"] if " call " in t]
        self.assertEqual(len(calls), 1)
        self.assertIn("myCurrent", calls[0])
        self.assertEqual(played.last("Current.csv", model + "meanSpeed"), 1.0)
        self.assertEqual(played.last("Current.csv", model + "meanDirection"), 45.0)
        self.assertEqual(played.last("Current.csv", model + "configurations"), 1)
        for axis in "xy":
            self.assertAlmostEqual(played.last("Current.csv", model + "current." + axis),
                                   math.sqrt(0.5), 12)
        second = ';\n    ,p2:"environment.CurrentConfig.setSpeed.direction"="45.0"'
        self.refused(self.variant((second, "")), 12, "setSpeed", "direction")
        self.refused(self.variant(('setSpeed.direction"', 'setSpeed.heading"')), 14, "heading")
        self.refused(self.variant(('"45.0"', '"abc"')), 14, "abc")

    def test_08_stop_s111(self):
        run = self.full().run()
        self.assertEqual(run["activations"]["Environment.Current.myS111CurrentFile"], 0)
        self.assertEqual(run["trace"].count("0 s: stop Environment.Current.myS111CurrentFile"), 1)
        # The file is not there, and the library that reads such files is not loaded either.
        self.assertFalse((self.folder / "current.h5").exists())
        text = self.variant(end=1000)
        played = self.call("run", text, LD_DEBUG="files")
        self.assertEqual(played.code, 0, played.err)
        self.assertIn("auv_files.so", played.err)
        self.assertNotIn("libhdf5", played.err)
        self.assertNotIn("libtiff", played.err)
        # If the reader is not stopped, its file is missed.
        played = self.call("run", self.replaced(
            text, ('"auv.comp.Environment.Current.myS111CurrentFile".Stop();', "")))
        self.assertNotEqual(played.code, 0)
        self.assertIn("myS111CurrentFile", played.err)

    def test_09_bind_dvl(self):
        played = self.play(self.variant(
            self.log("Dvl.csv", 1, "Sensors.DVL.myErrorDVL.out",
                     "Sensors.DVL.mySourceDVLAdapter.out"), end=2000))
        self.assertEqual(self.bindings(self.variant())["Sensors.DVL.mySourceDVLAdapter.rItfEDVL"],
                         "Sensors.DVL.myErrorDVL.pitfEDVL")
        columns = played.columns("Dvl.csv")
        for axis in "xyz":
            self.assertEqual(columns["Sensors.DVL.myErrorDVL.out." + axis][1:],
                             columns["Sensors.DVL.mySourceDVLAdapter.out." + axis][1:])
        self.assertEqual(played.run()["activations"]["Sensors.DVL.myReaderDVL"], 0)

    def sensor_speed(self, *pairs):
        played = self.play(self.variant(
            *pairs, self.log("Dvl.csv", 1, "Drone.myMissionAdapter.bodySpeed",
                             "Sensors.DVL.myBodyToDVL.out"), end=100))
        return [[played.last("Dvl.csv", name + "." + axis) for axis in "xyz"]
                for name in ("Drone.myMissionAdapter.bodySpeed", "Sensors.DVL.myBodyToDVL.out")]

    def test_10_misalignment(self):
        body, sensor = self.sensor_speed(NO_CURRENT)
        self.assertEqual(body, [2.5, 0, 0])
        for value, expected in zip(sensor, (2.414815, -0.647048, 0)):
            self.assertAlmostEqual(value, expected, 6)

    def test_10_misalignment_and_crab(self):
        """The figure as it is: the vehicle looks to port of where it goes, so it goes to starboard
        of where it looks, and the DVL is turned by another 15 degrees."""
        angle, _ = crab(0, math.sqrt(0.5), math.sqrt(0.5))
        body, sensor = self.sensor_speed()
        for value, expected in zip(body, (2.5 * math.cos(angle), -2.5 * math.sin(angle), 0)):
            self.assertAlmostEqual(value, expected, 12)
        angle += math.radians(15)
        for value, expected in zip(sensor, (2.5 * math.cos(angle), -2.5 * math.sin(angle), 0)):
            self.assertAlmostEqual(value, expected, 12)

    def test_11_simple_mission(self):
        names = ["Drone.myMissionAdapter.nedPosition", "Drone.mySimpleMission.state.nedPosition"]
        played = self.play(self.variant(self.log("Way.csv", 1, *names), end=3000))
        columns = played.columns("Way.csv")
        for axis in "xyz":
            self.assertEqual(columns[names[0] + "." + axis], columns[names[1] + "." + axis])
        self.assertEqual(float(columns[names[0] + ".x"][-1]), 7.5)
        for name in STOPPED:
            self.assertEqual(self.full().run()["activations"][name], 0, name)

    def test_12_navigation_function(self):
        line = '"auv.comp.Navigation.myNavigationFunction.myNavFunctionNumber" = 2;'
        wrong = (' "auv.comp.Sensors.Accelerometer.myErrorAccelerometer.bias" = {1.0, 2.0, 3.0};'
                 ' "auv.comp.Sensors.GPS.myErrorGps.bias" = {100.0, 200.0, 300.0};'
                 ' "auv.comp.Sensors.Barometer.myErrorDepth.bias" = 77.0;'
                 ' "auv.comp.Sensors.Compass.myErrorCompass.bias" = 1.0;')
        log = self.log("In.csv", 1000, *("Navigation.myNavigationFunction." + name for name in (
            "acceleration", "gpsPosition", "depth", "heading")))
        plain, disturbed = (self.play(self.variant((line, line + more), log, end=2000))
                            for more in ("", wrong))
        for name, by in (("acceleration.y", 2), ("gpsPosition.x", 100), ("depth", 77), ("heading", 1)):
            name = "Navigation.myNavigationFunction." + name
            self.assertAlmostEqual(
                disturbed.last("In.csv", name) - plain.last("In.csv", name), by, 9)
        self.assertEqual(plain.path("DronePosition.csv").read_bytes(),
                         disturbed.path("DronePosition.csv").read_bytes())
        # With GPS they count.
        gps = self.play(self.variant((line, line.replace("2", "1") + wrong), end=2000))
        for axis, value in ((".x", 105), (".y", 200), (".z", 300)):
            self.assertAlmostEqual(gps.last("DronePosition.csv", ESTIMATE + axis), value, 9)
        number = self.line_of(self.figure, line)
        self.refused(self.variant((line, line.replace("2", "2.5"))), number, "2.5")
        # A number without a function is a warning, as in the system file and on the command line;
        # the run ends with it.
        none = self.variant((line, line.replace("2", "9")), end=2000)
        told = self.call("check", none)
        self.assertEqual(told.code, 0, told.err)
        warnings = [d for d in told.diagnostics if d["severity"] == "warning"]
        self.assertIn((number, True), [(d["line"], "is set to 9, which is not an item" in d["text"])
                                       for d in warnings])
        played = self.call("run", none)
        self.assertNotEqual(played.code, 0)
        self.assertIn("there is no function 9", played.err)

    def test_13_two_parameters_of_one_name(self):
        played = self.play(self.variant(self.log(
            "Dvl.csv", 1, "Sensors.DVL.myBodyToDVL.out", "Navigation.myDvl.bodySpeed"), end=100))
        trace = played.run()["trace"]
        self.assertIn("0 s: set Sensors.DVL.myBodyToDVL.thetaDVL = 15.0", trace)
        self.assertIn("0 s: set Navigation.myDvl.thetaDVL = 0.0", trace)
        for axis in "xyz":  # turned by 15 degrees, and by 0 degrees back
            self.assertEqual(played.last("Dvl.csv", "Sensors.DVL.myBodyToDVL.out." + axis),
                             played.last("Dvl.csv", "Navigation.myDvl.bodySpeed." + axis))
        both = self.play(self.variant(('myDvl.thetaDVL" = 0.0', 'myDvl.thetaDVL" = 15.0'),
                                      NO_CURRENT,
                                      self.log("Dvl.csv", 1, "Navigation.myDvl.bodySpeed"),
                                      end=100))
        self.assertAlmostEqual(both.last("Dvl.csv", "Navigation.myDvl.bodySpeed.x"), 2.5, 12)
        self.assertAlmostEqual(both.last("Dvl.csv", "Navigation.myDvl.bodySpeed.y"), 0, 12)

    noisy = ('"auv.comp.Sensors.DVL.myBodyToDVL.thetaDVL" = 15.0;',
             '"auv.comp.Sensors.DVL.myBodyToDVL.thetaDVL" = 15.0;'
             '"auv.comp.Sensors.DVL.myErrorDVL.sigma" = 0.01;')

    def test_14_ten_runs(self):
        text = self.variant(self.noisy, end=3000, runs=10)
        series = self.play(text)
        self.assertEqual([r["run"] for r in series.report["runs"]], list(range(10)))
        files = [series.path("DronePosition.csv", i).read_bytes() for i in range(10)]
        self.assertEqual(len(set(files)), 10)
        alone = self.play(text, "--run", "3")
        self.assertEqual([p.name for p in alone.folder.glob("*.csv")],
                         ["DronePosition.scenar.0003.csv"])
        self.assertEqual(alone.path("DronePosition.csv", 3).read_bytes(), files[3])
        for options in (["--workers", "2"], ["--workers", "7"], ["--threads", "2"],
                        ["--threads", "5", "--workers", "3"]):
            again = self.play(text, *options)
            for i in range(10):
                self.assertEqual(again.path("DronePosition.csv", i).read_bytes(), files[i])

    def test_14_ten_runs_without_noise(self):
        series = self.play(self.variant(end=1000, runs=10))
        files = [series.path("DronePosition.csv", i).read_bytes() for i in range(10)]
        self.assertEqual(len(set(files)), 1)
        self.assertTrue([t for t in series.said("note")
                         if "random source" in t and "10 runs" in t], series.err)

    def test_15_speed_at_every_beginning(self):
        self.assertAlmostEqual(
            self.full().last("Truth.csv", "Analysis.myAnalysis.distance", 0), 4500, delta=1e-6)
        self.assertAlmostEqual(
            self.full().last("Truth.csv", "Drone.myMissionAdapter.nedPosition.x", 0), 4500,
            delta=1e-6)
        series = self.play(self.variant(end=100, runs=10))
        for run in series.report["runs"]:
            self.assertEqual(run["trace"].count("0 s: set Drone.mySimpleMission.speed = 2.5"), 1)

    def test_16_dvl_stops(self):
        start = '"auv.comp.Navigation.myDvl".Start();'
        played = self.play(self.variant(
            self.noisy, (start, ""),
            self.log("Dvl.csv", 1, "Navigation.myDvl.bodySpeed", "Navigation.myDvl.stamp",
                     "Sensors.DVL.myErrorDVL.out"), end=10400))
        run = played.run()
        self.assertEqual([t for t in run["trace"] if not t.startswith("0 s")],
                         ["10 s: stop Navigation.myDvl"])
        self.assertEqual(run["activations"]["Navigation.myDvl"], 10000)
        for name in KILOHERTZ:
            self.assertEqual(run["activations"][name], 10400, name)
        columns = played.columns("Dvl.csv")
        held = columns["Navigation.myDvl.bodySpeed.x"]
        self.assertEqual(columns["time"][10000], "10")
        self.assertEqual(len(set(held[10000:])), 1)
        self.assertNotEqual(held[9999], held[10000])
        self.assertGreater(len(set(columns["Sensors.DVL.myErrorDVL.out.x"][10000:])), 390)
        # A row shows what holds then, so until the stop its time is that of the value.
        stamps = columns["Navigation.myDvl.stamp"]
        for time, stamp in zip(columns["time"][:10001], stamps):
            self.assertAlmostEqual(float(stamp), float(time), 9)
        self.assertEqual(set(stamps[10000:]), {"10"})

    def test_17_dvl_restarts(self):
        run = self.full().run()
        self.assertIn("10.5 s: start Navigation.myDvl", run["trace"])
        self.assertEqual(run["activations"]["Navigation.myDvl"], 1799500)
        # The first step after the outage is that of 10.5 s: what it computes holds 1 ms later.
        columns = self.play(self.variant(
            self.noisy, self.log("Dvl.csv", 1, "Navigation.myDvl.bodySpeed",
                                 "Navigation.myDvl.stamp"), end=10600)).columns("Dvl.csv")
        value, stamps = columns["Navigation.myDvl.bodySpeed.x"], columns["Navigation.myDvl.stamp"]
        self.assertEqual(columns["time"][10500], "10.5")
        self.assertEqual(set(stamps[10000:10501]), {"10"})
        self.assertEqual(set(value[10000:10501]), {value[10000]})
        self.assertAlmostEqual(float(stamps[10501]), 10.501, 9)
        self.assertEqual(len(set(value[10500:])), 101)
        # It is not initialized again.
        calls = [c[1:] for c in self.witnessed(self.variant(end=11000))
                 if c[0] == "navigation.DvlDriver"]
        self.assertEqual(calls, [("initialize", 0), ("step", 0), ("stop", 10000),
                                 ("start", 10500), ("end", 11000, 10500)])

    def outage(self, *pairs, end=12000):
        """With the outage of the figure, and without it."""
        edits = [('"auv.comp.Navigation.myDvl".%s();' % s, "") for s in ("Stop", "Start")]
        return (self.play(self.variant(*pairs, end=end)),
                self.play(self.variant(*pairs, *edits, end=end)))

    def difference(self, *pairs):
        """By how much the outage moves the estimate, north and east."""
        with_outage, without = self.outage(*pairs)
        return [with_outage.last("DronePosition.csv", ESTIMATE + axis) -
                without.last("DronePosition.csv", ESTIMATE + axis) for axis in (".x", ".y")]

    def test_17_outage_on_a_straight_line(self):
        """With a constant speed nobody sees it, with the current and without, ..."""
        for pairs in ([], [NO_CURRENT]):
            with_outage, without = self.outage(*pairs)
            self.assertEqual(with_outage.path("DronePosition.csv").read_bytes(),
                             without.path("DronePosition.csv").read_bytes())
        # ... and if the speed changes meanwhile, the old one is held for 0.3 s.
        slower = ("instant 10500 {", 'instant 10200 { "auv.comp.Drone.mySimpleMission.speed" = '
                  "2.0; }\n    instant 10500 {")
        north, east = self.difference(slower, NO_CURRENT)
        self.assertAlmostEqual(north, 0.3 * 0.5 * COS, 9)
        self.assertAlmostEqual(east, -0.3 * 0.5 * SIN, 9)

    # After 8 s half a circle with 0.1 rad/s, until 8 + 10 pi = 39.4 s, and 8 s back.
    turn = ('"auv.comp.Drone.mySimpleMission.speed"=2.5;',
            '"auv.comp.Drone.mySimpleMission.speed"=2.5; '
            '"auv.comp.Drone.mySimpleMission.legLength" = 20.0; '
            '"auv.comp.Drone.mySimpleMission.radius" = 25.0;')

    def test_17_outage_in_a_turn(self):
        """The gyroscope goes on, so what is held is the speed as it is seen from on board. In a
        current its angle b to the heading changes in a turn: with the heading h and the course c
        it is b = c - h. From 10 s to 10.5 s the estimate goes along h + b(10 s) instead of c, and
        all of that turned by -15 degrees."""
        def course(t):
            return 0.1 * max(t - 8, 0)

        def heading(tick):
            return crab(course(tick / 1000), math.sqrt(0.5), math.sqrt(0.5))[0]

        def aside(tick):
            return course(tick / 1000) - heading(tick)

        def held(tick):
            return aside(10000 if 10000 <= tick <= 10500 else tick)

        # Navigation goes along the mean of the speeds at both ends of a step, by the heading in
        # its middle; so the step after the outage has half a share in it.
        north = east = 0
        for tick in range(10000, 10501):
            middle = 0.5 * (heading(tick) + heading(tick + 1))
            for end in (tick, tick + 1):
                wrong, right = middle + held(end), middle + aside(end)
                north += 0.00125 * (math.cos(wrong) - math.cos(right))
                east += 0.00125 * (math.sin(wrong) - math.sin(right))
        moved = self.difference(self.turn)
        self.assertAlmostEqual(moved[0], north * COS + east * SIN, 9)
        self.assertAlmostEqual(moved[1], east * COS - north * SIN, 9)
        # To first order it is half of v b' T squared: 11 mm.
        rate = (course(10.25) - heading(10250) - (course(10.249) - heading(10249))) / 1e-3
        self.assertAlmostEqual(math.hypot(*moved), 0.5 * 2.5 * abs(rate) * 0.5 ** 2, delta=3e-4)
        self.assertGreater(math.hypot(*moved), 0.01)
        # Without a current the speed that is seen from on board is the same all through the turn.
        for value in self.difference(self.turn, NO_CURRENT):
            self.assertAlmostEqual(value, 0, 9)

    def test_17_the_turn(self):
        """Half a circle of 25 m to starboard and back: the estimate is the track, turned."""
        _, played = self.outage(
            self.turn, self.log("Way.csv", 100, "Drone.myMissionAdapter.nedPosition"),
            ("DronePosition.csv timed(1.0)", "DronePosition.csv timed(100.0)"), end=60000)
        truth, estimate = played.columns("Way.csv"), played.columns("DronePosition.csv")
        for i in range(601):
            s = min(0.25 * i, 40 + 25 * math.pi)
            angle = min(max(s - 20, 0) / 25, math.pi)
            back = max(s - 20 - 25 * math.pi, 0)
            north = min(s, 20) + 25 * math.sin(angle) - back
            east = 25 * (1 - math.cos(angle))
            x, y = (float(truth["Drone.myMissionAdapter.nedPosition" + axis][i])
                    for axis in (".x", ".y"))
            self.assertAlmostEqual(x, north, 9)
            self.assertAlmostEqual(y, east, 9)
            # At the end it stops at once, in the middle of a step; the mean of the speeds at both
            # ends of that step is half of the speed: at most 1.25 mm of 2.5.
            delta = 1e-6 if s < 40 + 25 * math.pi else 1.25e-3
            x, y = (float(estimate[ESTIMATE + axis][i]) for axis in (".x", ".y"))
            self.assertAlmostEqual(x, north * COS + east * SIN, delta=delta)
            self.assertAlmostEqual(y, east * COS - north * SIN, delta=delta)
        self.assertAlmostEqual(north, 0, 9)
        self.assertAlmostEqual(east, 50, 9)

    def test_17_state_is_kept(self):
        """The vehicle itself waits for half a second, and goes on from where it was."""
        edits = [('"auv.comp.Navigation.myDvl".%s();' % s,
                  '"auv.comp.Drone.mySimpleMission".%s();' % s) for s in ("Stop", "Start")]
        played = self.play(self.variant(*edits, self.log(
            "Way.csv", 1000, "Drone.myMissionAdapter.nedPosition"), end=20000))
        self.assertAlmostEqual(played.last("Way.csv", "Drone.myMissionAdapter.nedPosition.x"),
                               2.5 * 19.5, 9)

    def test_18_late_event(self):
        played = self.full()
        late = [d for d in played.diagnostics if "2700000" in d["text"]]
        self.assertEqual(len(late), 1, played.err)
        self.assertEqual(late[0]["severity"], "warning")
        self.assertEqual(late[0]["line"], self.line_of(self.figure, "instant 2700000"))
        self.assertIn("1800000", late[0]["text"])
        self.assertIn("never fires", late[0]["text"])
        self.assertFalse([t for t in played.run()["trace"] if "= 2.0" in t])
        speed = math.hypot(*(played.last("Truth.csv", "Drone.myMissionAdapter.bodySpeed" + axis, 0)
                             for axis in (".x", ".y")))
        self.assertAlmostEqual(speed, 2.5, 12)
        before = self.call("check", self.variant(runs=10))
        self.assertEqual(before.code, 0)
        self.assertIn(late[0]["text"], before.said("warning"))
        strict = self.call("run", self.variant(), "--strict")
        self.assertNotEqual(strict.code, 0)
        self.assertTrue([t for t in strict.said("error") if "2700000" in t], strict.err)
        self.assertFalse(list(strict.folder.glob("*.csv")))

    def test_19_empty_ends(self):
        self.assertEqual(self.figure.count("end {}"), 2)
        self.play(self.variant(end=10))

    def test_19_each_component_ends_once(self):
        """In each of the ten runs, also what was stopped; and nothing is called after its end."""
        leaves = collections.Counter(re.findall(
            r"\bleaf\s+\w+\s*:\s*([\w.]+)", (self.folder / "auv.system").read_text()))
        self.assertEqual(sum(leaves.values()), LEAVES)
        text = self.variant(end=10, runs=10)
        calls = self.witnessed(text, "--workers", "1")
        self.assertEqual(len(calls) % 10, 0)
        size = len(calls) // 10
        for run in range(10):
            mine = calls[run * size:(run + 1) * size]
            for what, part in (("initialize", mine[:LEAVES]), ("end", mine[-LEAVES:])):
                self.assertEqual(collections.Counter(c[0] for c in part if c[1] == what), leaves)
                self.assertEqual(len([c for c in mine if c[1] == what]), LEAVES)
        self.assertEqual(sorted(self.witnessed(text, "--workers", "3")), sorted(calls))

    def test_20_log(self):
        path = self.full().path("DronePosition.csv", 0)
        with open(path, newline="") as file:
            header = next(file).strip().split(",")
            self.assertEqual(header, ["time"] + [ESTIMATE + "." + axis for axis in "xyz"])
            rows = 0
            for rows, line in enumerate(file, 1):
                tick = rows - 1
                whole, rest = divmod(tick, 1000)
                exact = "%d" % whole + (".%03d" % rest).rstrip("0").rstrip(".")
                if not line.startswith(exact + ","):
                    self.fail("row %d: %s" % (rows, line))
        self.assertEqual(rows, 1800001)
        self.assertEqual(self.full().run()["rows"], 1800001 + 1801)

    def test_21_whole(self):
        truth = self.full().columns("Truth.csv", 0)
        estimate = self.full().columns("DronePosition.csv", 0, every=1000)
        names = [ESTIMATE + ".x", ESTIMATE + ".y", "Drone.myMissionAdapter.nedPosition.x"]
        for second in range(1801):
            x, y = (float(estimate[n][second]) for n in names[:2])
            north = float(truth[names[2]][second])
            self.assertAlmostEqual(north, 2.5 * second, delta=1e-6)
            self.assertAlmostEqual(x, north * COS, delta=1e-3)
            self.assertAlmostEqual(y, -north * SIN, delta=1e-3)
            error = math.hypot(x - north, y)
            self.assertAlmostEqual(float(truth["Analysis.myAnalysis.error"][second]), error,
                                   delta=1e-3)
            if second in (60, 1800):
                self.assertAlmostEqual(error, {60: 39.158, 1800: 1174.736}[second], delta=1e-3)
        self.assertAlmostEqual(2 * math.sin(math.radians(7.5)) * 4500, 1174.736, delta=1e-3)

    def test_21_crab(self):
        """With the current of the figure, 1 m/s to the north-east, it looks 21.5 degrees to port to
        keep its track; without, along the track. The path is the same."""
        angle, speed = crab(0, math.sqrt(0.5), math.sqrt(0.5))
        self.assertAlmostEqual(math.degrees(angle), -21.524, 3)
        self.assertAlmostEqual(angle, -math.asin(math.sqrt(0.5) / speed), 12)
        still = self.play(self.variant(
            NO_CURRENT, ("DronePosition.csv timed(1.0)", "DronePosition.csv timed(1000.0)"),
            self.log("Truth.csv", 1000, "Drone.myMissionAdapter.nedPosition",
                     "Drone.myMissionAdapter.attitude", MISSION + "waterSpeed",
                     "Analysis.myAnalysis.error")))
        truth = self.full().columns("Truth.csv", 0), still.columns("Truth.csv")
        estimate = (self.full().columns("DronePosition.csv", 0, every=1000),
                    still.columns("DronePosition.csv"))
        for second in range(1, 1801):
            for columns, heading, water in zip(truth, (angle, 0), (speed, 2.5)):
                self.assertAlmostEqual(
                    float(columns["Drone.myMissionAdapter.attitude.z"][second]), heading, 12)
                self.assertAlmostEqual(float(columns[MISSION + "waterSpeed"][second]), water, 12)
            for name, tables in [("Drone.myMissionAdapter.nedPosition", truth)] + [
                    (ESTIMATE, estimate)]:
                for axis in (".x", ".y", ".z"):
                    a, b = (float(columns[name + axis][second]) for columns in tables)
                    self.assertAlmostEqual(a, b, delta=1e-6)
        for columns in truth:
            self.assertAlmostEqual(float(columns["Analysis.myAnalysis.error"][-1]), 1174.736,
                                   delta=1e-3)

    def test_21_crab_in_other_currents(self):
        """From abeam, from behind, and from ahead."""
        for speed, direction, heading, water in (
                (1, 90, -math.atan(0.4), math.sqrt(7.25)),
                (1, -90, math.atan(0.4), math.sqrt(7.25)), (1, 0, 0, 1.5), (1, 180, 0, 3.5)):
            played = self.play(self.variant(
                ('"1.0"', '"%s"' % speed), ('"45.0"', '"%s"' % direction),
                self.log("Way.csv", 1000, "Drone.myMissionAdapter.attitude",
                         MISSION + "waterSpeed"), end=2000))
            self.assertAlmostEqual(played.last("Way.csv", "Drone.myMissionAdapter.attitude.z"),
                                   heading, 12)
            self.assertAlmostEqual(played.last("Way.csv", MISSION + "waterSpeed"), water, 12)
            self.assertAlmostEqual(played.last("DronePosition.csv", ESTIMATE + ".x"), 5 * COS, 9)
            self.assertAlmostEqual(played.last("DronePosition.csv", ESTIMATE + ".y"), -5 * SIN, 9)

    def test_22_navidro(self):
        style = ("--style", "navidro")
        played = self.call("check", self.variant(runs=10), *style)
        self.assertEqual(played.code, 0, played.err)
        # All that reaches Navigation comes from Sensors.
        system = (self.folder / "auv.system").read_text()
        links = [line.split("->") for line in system.splitlines() if "link " in line]
        into = {a.split()[1].split(".")[0] for a, b in links if "Navigation." in b}
        self.assertEqual(into, {"Sensors"})
        # All that nobody uses is stopped at the beginning; the analysis is for the reader.
        unused = [t for t in played.said() if "nothing uses" in t]
        self.assertTrue(all("myAnalysis" in t and "'," not in t for t in unused), unused)
        forgotten = self.call("check", self.variant(
            ('"auv.comp.Sensors.DVL.myReaderDVL".Stop();', "")), *style)
        self.assertNotEqual(forgotten.code, 0)
        self.assertTrue([t for t in forgotten.said("error")
                         if "nothing uses" in t and "myReaderDVL" in t], forgotten.err)
        # The truth, linked into Navigation.
        folder = self.folder / "truth"
        folder.mkdir()
        for file in self.folder.glob("*.types"):
            (folder / file.name).symlink_to(file.resolve())
        for name in ("auv.so", "auv_files.so"):
            (folder / name).symlink_to((self.folder / name).resolve())
        (folder / "auv.system").write_text(self.replaced(
            system, ("      input  core.Coordinate3D measuredDVLSpeed;\n      input  core.bool",
                     "      input  core.Coordinate3D truePosition;\n"
                     "      input  core.Coordinate3D measuredDVLSpeed;\n      input  core.bool"),
            ("link measuredDVLSpeed -> myDvl.sensorSpeed;",
             "link measuredDVLSpeed -> myDvl.sensorSpeed;\n"
             "      link truePosition -> myNavigationFunction.truePosition;"),
            ("link Drone.nedPosition -> Sensors.nedPosition,",
             "link Drone.nedPosition -> Navigation.truePosition, Sensors.nedPosition,")))
        self.assertEqual(self.call("check", self.variant(), base=folder).code, 0)
        leak = self.call("check", self.variant(), *style, base=folder)
        self.assertNotEqual(leak.code, 0)
        self.assertTrue([t for t in leak.said("error") if "role controlled) gives data to "
                         "'Navigation.myNavigationFunction'" in t], leak.err)

    def test_23_speed(self):
        text = self.variant(runs=10, logs=False)
        if not OPTIONS.fast:
            text = self.replaced(text, ("[0,1800000]", "[0,20000]"))
        # Time of the processor: others may be at work on this machine.
        def processor_time():
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime

        before = processor_time()
        played = self.play(text)
        self.assertEqual(len(played.report["runs"]), 10)
        used = processor_time() - before
        print("ten runs without logs: %.1f s on one core" % used, file=sys.stderr)
        if OPTIONS.fast:
            self.assertLess(used, 15)


class Variants(Figure):
    """Other figures than the printed one."""

    def test_an_hour(self):
        played = self.play(self.variant(
            ("[0,1800000]", "[0,3600000]"),
            ("DronePosition.csv timed(1.0)", "DronePosition.csv timed(1000.0)"),
            self.log("Way.csv", 1000, "Drone.myMissionAdapter.nedPosition")))
        self.assertAlmostEqual(played.last("Way.csv", "Drone.myMissionAdapter.nedPosition.x"),
                               8550, delta=1e-6)
        self.assertIn("2700 s: set Drone.mySimpleMission.speed = 2.0", played.run()["trace"])
        self.assertFalse(played.said("warning"))

    def test_step_of_three(self):
        played = self.call("check", self.variant(("]:1;", "]:3;")))
        self.assertNotEqual(played.code, 0)
        said = [d for d in played.diagnostics if d["severity"] == "error"]
        self.assertTrue(said and all("step" in d["text"] for d in said), played.err)
        # Legal is every step or less often.
        self.assertTrue([d for d in said if "1000 Hz" in d["text"] and "1000/3 Hz" in d["hint"]])

    def test_step_of_seven(self):
        self.refused(self.variant(("]:1;", "]:7;")), 3, "7 ms", "1800000")

    def test_order_of_instants(self):
        first = self.figure.index("    // after 10 seconds")
        second = self.figure.index("    // after 10.5 seconds")
        third = self.figure.index("    instant 2700000")
        swapped = (self.figure[:first] + self.figure[second:third] + self.figure[first:second] +
                   self.figure[third:])
        plain = self.play(self.variant(end=11000))
        self.figure, kept = swapped, self.figure
        try:
            played = self.play(self.variant(end=11000))
        finally:
            self.figure = kept
        self.assertEqual(played.run()["trace"], plain.run()["trace"])
        self.assertEqual(played.run()["activations"], plain.run()["activations"])
        self.assertEqual(played.path("DronePosition.csv").read_bytes(),
                         plain.path("DronePosition.csv").read_bytes())

    def test_unknown_component(self):
        self.refused(self.variant(('"auv.comp.Navigation.myDvl".Stop()',
                                   '"auv.comp.Navigation.myDlv".Stop()')), 36, "myDlv", "myDvl")

    def test_bind_in_the_wrong_direction(self):
        self.refused(self.variant(
            ('"auv.comp.Environment.MNT.myMntModel.pMntModel"', '"A"'),
            ('"auv.comp.Environment.MNT.myMntAdapter.rMntSource"',
             '"auv.comp.Environment.MNT.myMntModel.pMntModel"'),
            ('"A"', '"auv.comp.Environment.MNT.myMntAdapter.rMntSource"')), 6, "rMntSource")

    def test_start_without_stop(self):
        played = self.play(self.variant(('"auv.comp.Navigation.myDvl".Stop();', ""), end=11000))
        self.assertEqual(played.run()["activations"]["Navigation.myDvl"], 11000)
        said = [d for d in played.diagnostics if d["severity"] == "warning" and
                "myDvl" in d["text"]]
        self.assertTrue(said, played.err)
        self.assertEqual(said[0]["line"], self.line_of(self.figure, "myDvl\".Start"))

    def test_negative_instant(self):
        self.refused(self.variant(("instant 10000", "instant -10000")), 35, "-10000")

    def test_no_repetition(self):
        self.refused(self.variant(("scenar [10]", "scenar [0]"), runs=10), 30, "found 0")

    def test_no_scenarios(self):
        first, last = self.figure.index("scenarios {"), self.figure.rindex("end {}")
        self.refused(self.figure[:first] + self.figure[last:], 1, "scenario")

    def test_carriage_returns_and_byte_order_mark(self):
        plain = self.variant(end=11000)
        odd = b"\xef\xbb\xbf" + plain.encode("utf-8").replace(b"\n", b"\r\n")
        a, b = self.play(plain), self.play(odd)
        self.assertTrue(filecmp.cmp(a.path("DronePosition.csv"), b.path("DronePosition.csv"),
                                    shallow=False))
        self.assertEqual([(d["line"], d["column"], d["text"]) for d in a.diagnostics],
                         [(d["line"], d["column"], d["text"]) for d in b.diagnostics])

    def test_latin_letters_in_a_comment(self):
        """The degree sign of the figure, as one byte that is not UTF-8."""
        self.play(self.variant(end=10).encode("latin-1"))


if __name__ == "__main__":
    main("--witness", "--files-witness", flags=("--fast",))
