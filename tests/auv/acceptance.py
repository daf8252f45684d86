#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fig. 10 of paper 000, played on the stand-in system through the built program: one test per line
of the figure, and what must happen if a line is changed.

The numbers are computed by hand: 2.5 m/s over ground for 1800 s is 4500 m; a DVL that is turned by
15 degrees turns the estimated path by -15 degrees, so the error is 2 sin(7.5 degrees) times the
distance. Standard library only.
"""
import argparse
import collections
import csv
import filecmp
import itertools
import json
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None
FIGURE = "AuvSimulation.simulation"
KILOHERTZ = ["Drone.mySimpleMission", "Drone.myMissionAdapter", "Sensors.DVL.myBodyToDVL",
             "Sensors.DVL.myErrorDVL", "Sensors.DVL.mySourceDVLAdapter",
             "Sensors.Gyroscope.myErrorGyro", "Navigation.myNavigationFunction",
             "Analysis.myAnalysis"]
STOPPED = ["Environment.MNT.myGeoTiff", "Environment.Current.myS111CurrentFile",
           "Sensors.DVL.myReaderDVL", "Drone.myMissionInterpreter"]
ESTIMATE = "Navigation.myNavigationFunction.myEstimatedNedPosition"
COS, SIN = math.cos(math.radians(15)), math.sin(math.radians(15))


class Played:
    """What one call of the program said and wrote."""

    def __init__(self, code, out, err, folder):
        self.code, self.folder, self.err = code, folder, err
        self.report = json.loads(out) if out.strip() else None
        lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
        # The answer of `hocket check` is its diagnostics.
        self.diagnostics = lines + (self.report or {}).get("findings", [])
        self.err += "\n".join(d["text"] for d in self.diagnostics)

    def said(self, severity=None):
        return [d["text"] for d in self.diagnostics if severity in (None, d["severity"])]

    def run(self, index=0):
        return self.report["runs"][index]

    def path(self, name, index=None):
        if index is not None:
            name = name.replace(".csv", ".scenar.%04d.csv" % index)
        return self.folder / name

    def columns(self, name, index=None, every=1):
        """The columns of a log by their names, as the text that stands in the file; of a large one
        every so many rows."""
        with open(self.path(name, index), newline="") as file:
            reader = csv.reader(file)
            titles = next(reader)
            rows = list(itertools.islice(reader, 0, None, every))
        return {title: [row[i] for row in rows] for i, title in enumerate(titles)}

    def last(self, name, column, index=None):
        return float(self.columns(name, index)[column][-1])


class Figure(unittest.TestCase):
    """Makes variants of the figure and plays them in a folder of their own."""

    full_run = None

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="hocket-auv-"))
        for name in ("auv.types", "auv.system", "auv_standin.so"):
            os.symlink(OPTIONS.models / "auv_standin" / name, cls.folder / name)
        cls.figure = (OPTIONS.models / "auv_standin" / FIGURE).read_text(encoding="utf-8")
        cls.count = 0

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def replaced(self, text, *pairs):
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        return text

    def variant(self, *pairs, end=None, runs=1, logs=True):
        """The figure with a few texts replaced; shorter, once, and without logs if so said."""
        text = self.figure
        if not logs:
            first, last = text.index("logs {"), text.index("};") + 2
            text = text[:first] + text[last:]
        if end is not None:
            text = self.replaced(text, ("[0,1800000]", "[0,%d]" % end))
        if runs != 10:
            text = self.replaced(text, ("scenar [10]", "scenar" if runs == 1 else
                                        "scenar [%d]" % runs))
        return self.replaced(text, *pairs)

    def log(self, name, period, *signals):
        """A pair of texts that adds a log to the figure."""
        return ("logs {", "logs {\n  %s timed(%d) { %s }\n" % (
            name, period, " ".join('"auv.comp.%s";' % s for s in signals)))

    def call(self, verb, text, *options):
        type(self).count += 1
        folder = self.folder / ("out%d" % self.count)
        folder.mkdir()
        file = self.folder / ("v%d.simulation" % self.count)
        if isinstance(text, bytes):
            file.write_bytes(text)
        else:
            file.write_text(text, encoding="utf-8")
        command = [OPTIONS.hocket, verb, str(file), "--json", *options]
        if verb == "run":
            command += ["-o", str(folder)]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        self.assertGreaterEqual(done.returncode, 0, done.stderr)
        return Played(done.returncode, done.stdout, done.stderr, folder)

    def play(self, text, *options):
        played = self.call("run", text, *options)
        self.assertEqual(played.code, 0, played.err)
        return played

    def refused(self, text, line, *words):
        """The program refuses it with an error at LINE that holds all WORDS; so does the check."""
        for verb in ("check", "run"):
            played = self.call(verb, text)
            self.assertNotEqual(played.code, 0)
            errors = [d for d in played.diagnostics if d["severity"] == "error"]
            good = [d for d in errors if d["line"] == line and
                    all(w in d["text"] + " " + (d["hint"] or "") for w in words)]
            self.assertTrue(good, "line %s, %s: %s" % (line, words, played.err))
            self.assertFalse(list(played.folder.glob("*.csv")))

    def line_of(self, text, words):
        return text[:text.index(words)].count("\n") + 1

    @classmethod
    def full(cls):
        """Run 0 of the figure in its whole length, with a few more signals once a second."""
        if Figure.full_run is None:
            test = cls("full_length")
            text = test.variant(
                test.log("Truth.csv", 1000, "Drone.myMissionAdapter.nedPosition",
                         "Drone.myMissionAdapter.bodySpeed", "Analysis.myAnalysis.distance",
                         "Analysis.myAnalysis.error", "Environment.MNT.myMntModel.requests",
                         "Environment.Current.myCurrent.requests"), runs=10)
            Figure.full_run = test.play(text, "--run", "0")
        return Figure.full_run

    def full_length(self):
        """A test case needs a method."""


class Lines(Figure):
    """The lines of the figure, from the top."""

    def test_01_name_and_unit(self):
        played = self.play(self.variant(end=11000))
        self.assertEqual(played.report["name"], "AuvSimulation")
        self.assertEqual(played.run()["simulated_s"], 11)
        self.assertIn("10 s: stop Navigation.myDvl", played.run()["trace"])
        self.refused(self.variant(("(ms)", "(weeks)")), 1, "weeks")

    def test_02_system(self):
        self.assertEqual(len(self.full().run()["activations"]), 18)
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

    def test_04_bind_sea_bed(self):
        run = self.full().run()
        self.assertIn("0 s: bind Environment.MNT.myMntModel.pMntModel to "
                      "Environment.MNT.myMntAdapter.rMntSource", run["trace"])
        played = self.play(self.variant(self.log(
            "Bed.csv", 1000, "Environment.MNT.myMntModel.requests",
            "Environment.MNT.myGeoTiff.requests", "Environment.MNT.myMntAdapter.depth"), end=5000))
        self.assertGreaterEqual(played.last("Bed.csv", "Environment.MNT.myMntModel.requests"), 4)
        self.assertEqual(played.last("Bed.csv", "Environment.MNT.myGeoTiff.requests"), 0)
        self.assertEqual(played.last("Bed.csv", "Environment.MNT.myMntAdapter.depth"), 100)
        text = self.variant(('bind "auv.comp.Environment.MNT.myMntModel.pMntModel"\n'
                             '    to "auv.comp.Environment.MNT.myMntAdapter.rMntSource";', ""))
        played = self.call("check", text)
        self.assertNotEqual(played.code, 0)
        self.assertTrue([t for t in played.said("error")
                         if "rMntSource' has 2 providers" in t], played.err)

    def test_05_stop_geotiff(self):
        run = self.full().run()
        self.assertEqual(run["activations"]["Environment.MNT.myGeoTiff"], 0)
        self.assertEqual(run["trace"].count("0 s: stop Environment.MNT.myGeoTiff"), 1)
        # There is no bathy.tif. If the reader is not stopped, it is missed in the first step.
        played = self.call("run", self.variant(
            ('"auv.comp.Environment.MNT.myGeoTiff".Stop();', ""), end=1000))
        self.assertNotEqual(played.code, 0)
        self.assertIn("myGeoTiff", played.err)

    def test_06_bind_current(self):
        self.assertIn("0 s: bind Environment.Current.myCurrent.itfCurrentModel to "
                      "Environment.Current.myCurrentAdapter.rCurrentSource",
                      self.full().run()["trace"])
        # myCurrent steps once a second; what it published last it counted before its last step.
        self.assertGreaterEqual(
            self.full().last("Truth.csv", "Environment.Current.myCurrent.requests", 0), 1798000)
        text = self.variant(("myCurrent.itfCurrentModel", "myCurrent.pSinModelSource"))
        self.refused(text, 10, "pSinModelSource", "itfCurrentModel", "pConfigCurrentModel")
        text = self.variant(('bind "auv.comp.Environment.Current.myCurrent.itfCurrentModel"\n'
                             '    to "auv.comp.Environment.Current.myCurrentAdapter.rCurrentSource'
                             '";', ""))
        played = self.call("check", text)
        self.assertNotEqual(played.code, 0)
        self.assertTrue([t for t in played.said("error")
                         if "rCurrentSource' has 2 providers" in t], played.err)

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

    def test_09_bind_dvl(self):
        played = self.play(self.variant(
            self.log("Dvl.csv", 1, "Sensors.DVL.myErrorDVL.out",
                     "Sensors.DVL.mySourceDVLAdapter.out"), end=2000))
        columns = played.columns("Dvl.csv")
        for axis in "xyz":
            self.assertEqual(columns["Sensors.DVL.myErrorDVL.out." + axis][1:],
                             columns["Sensors.DVL.mySourceDVLAdapter.out." + axis][1:])
        self.assertEqual(played.run()["activations"]["Sensors.DVL.myReaderDVL"], 0)

    def test_10_misalignment(self):
        played = self.play(self.variant(
            self.log("Dvl.csv", 1, "Sensors.DVL.myBodyToDVL.out"), end=100))
        for axis, expected in zip("xyz", (2.414815, -0.647048, 0)):
            self.assertAlmostEqual(
                played.last("Dvl.csv", "Sensors.DVL.myBodyToDVL.out." + axis), expected, 6)

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
        names = '"auv.comp.Navigation.myNavigationFunction.'
        line = names + 'myNavFunctionNumber" = 2;'
        plain = self.play(self.variant(end=2000))
        disturbed = self.play(self.variant(
            (line, line + names + 'acceleration" = {1.0, 2.0, 3.0};' +
             names + 'gpsPosition" = {100.0, 200.0, 300.0};' + names + 'depth" = 77.0;'),
            end=2000))
        self.assertEqual(plain.path("DronePosition.csv").read_bytes(),
                         disturbed.path("DronePosition.csv").read_bytes())
        # With GPS and depth the same values are all that counts.
        gps = self.play(self.variant(
            (line, names + 'myNavFunctionNumber" = 1;' +
             names + 'gpsPosition" = {100.0, 200.0, 300.0};' + names + 'depth" = 77.0;'),
            end=2000))
        self.assertEqual(gps.last("DronePosition.csv", ESTIMATE + ".z"), 77)
        number = self.line_of(self.figure, line)
        self.refused(self.variant((line, line.replace("2", "2.5"))), number, "2.5")
        self.refused(self.variant((line, line.replace("2", "9"))), number, "9")

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
        for options in (["--workers", "2"], ["--workers", "7"], ["--threads", "2"]):
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
            self.log("Dvl.csv", 1, "Navigation.myDvl.bodySpeed", "Sensors.DVL.myErrorDVL.out"),
            end=10400))
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

    def test_17_dvl_restarts(self):
        run = self.full().run()
        self.assertIn("10.5 s: start Navigation.myDvl", run["trace"])
        self.assertEqual(run["activations"]["Navigation.myDvl"], 1799500)
        # On a straight line with a constant speed nobody sees the outage ...
        stop, start = ('"auv.comp.Navigation.myDvl".%s();' % s for s in ("Stop", "Start"))
        with_outage = self.play(self.variant(end=12000))
        without = self.play(self.variant((stop, ""), (start, ""), end=12000))
        self.assertEqual(with_outage.path("DronePosition.csv").read_bytes(),
                         without.path("DronePosition.csv").read_bytes())
        # ... and if the speed changes meanwhile, the old one is held for 0.3 s.
        slower = ("instant 10500 {", 'instant 10200 { "auv.comp.Drone.mySimpleMission.speed" = '
                  "2.0; }\n    instant 10500 {")
        with_outage = self.play(self.variant(slower, end=12000))
        without = self.play(self.variant(slower, (stop, ""), (start, ""), end=12000))
        ahead = (with_outage.last("DronePosition.csv", ESTIMATE + ".x") -
                 without.last("DronePosition.csv", ESTIMATE + ".x"))
        self.assertAlmostEqual(ahead, 0.3 * 0.5 * COS, 9)

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
        self.assertEqual(played.last("Truth.csv", "Drone.myMissionAdapter.bodySpeed.x", 0), 2.5)
        strict = self.call("run", self.variant(), "--strict")
        self.assertNotEqual(strict.code, 0)
        self.assertTrue([t for t in strict.said("error") if "2700000" in t], strict.err)
        self.assertFalse(list(strict.folder.glob("*.csv")))

    def test_19_empty_ends(self):
        self.assertEqual(self.figure.count("end {}"), 2)
        self.play(self.variant(end=10))

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

    def test_21_current_has_no_influence(self):
        with_current = self.play(self.variant(end=2000))
        without = self.play(self.variant(('"1.0"', '"0.0"'), end=2000))
        self.assertEqual(with_current.path("DronePosition.csv").read_bytes(),
                         without.path("DronePosition.csv").read_bytes())

    def test_22_navidro(self):
        played = self.call("check", self.variant(runs=10))
        self.assertEqual(played.code, 0, played.err)
        # No truth in Navigation: all that reaches it comes from Sensors.
        links = [line.split("->") for line in
                 (self.folder / "auv.system").read_text().splitlines() if "link " in line]
        into = {a.split()[1].split(".")[0] for a, b in links if "Navigation." in b}
        self.assertEqual(into, {"Sensors"})
        # All that nobody uses is stopped at the beginning; the analysis is for the reader.
        unused = [t for t in played.said() if "nothing uses" in t]
        self.assertTrue(all("myAnalysis" in t and "'," not in t for t in unused), unused)
        forgotten = self.call("check", self.variant(
            ('"auv.comp.Sensors.DVL.myReaderDVL".Stop();', "")))
        self.assertTrue([t for t in forgotten.said()
                         if "nothing uses" in t and "myReaderDVL" in t], forgotten.err)

    def test_23_speed(self):
        text = self.variant(runs=10, logs=False)
        if not OPTIONS.fast:
            text = self.replaced(text, ("[0,1800000]", "[0,20000]"))
        # Time of the processor: others may be at work on this machine.
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        played = self.play(text)
        self.assertEqual(len(played.report["runs"]), 10)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
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
        """The degree sign of the figure, as one byte that is no UTF-8."""
        self.play(self.variant(end=10).encode("latin-1"))


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--hocket", required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--fast", action="store_true", help="hold the full figure to its time")
    OPTIONS, rest = parser.parse_known_args()
    OPTIONS.hocket = os.path.abspath(OPTIONS.hocket)
    OPTIONS.models = OPTIONS.models.absolute()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
