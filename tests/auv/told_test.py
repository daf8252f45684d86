#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a user of the vehicle must not be left alone with: a drift of nothing, places in degrees, rows that no step sees, logs of
another time, ways through the sea bed, sources that run for nobody, parts that are started again. Standard library only."""
import csv
import json
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, Case, main, plain  # noqa: E402

FAILED = 4
BEGIN = """bind "@Environment.MNT.myMntModel.pMntModel" to "@Environment.MNT.myMntAdapter.rMntSource";
"@Environment.MNT.myGeoTiff".Stop();
bind "@Environment.Current.myCurrent.itfCurrentModel" to "@Environment.Current.myCurrentAdapter.rCurrentSource";
"@Environment.Current.myS111CurrentFile".Stop();
"""
DVL = """bind "@Sensors.DVL.myErrorDVL.pitfEDVL" to "@Sensors.DVL.mySourceDVLAdapter.rItfEDVL";
"@Sensors.DVL.myReaderDVL".Stop();
"""
DVL_LOG = """bind "@Sensors.DVL.myReaderDVL.pItfReader" to "@Sensors.DVL.mySourceDVLAdapter.rItfEDVL";
"@Sensors.DVL.myErrorDVL".Stop(); "@Sensors.DVL.myBodyToDVL".Stop();
"""
SIMPLE = """"@Drone.myMissionAdapter.isSpline" = false;
"@Drone.myMissionInterpreter".Stop(); "@Mission.myMission".Stop();
"""
SPLINE = '"@Drone.mySimpleMission".Stop();\n'
GPS_LOG = """"@Sensors.GPS.myErrorGps".Stop(); "@Sensors.GPS.myReaderGps".Start();
bind "@Sensors.GPS.myReaderGps.pItfReader" to "@Sensors.GPS.mySourceGpsAdapter.rSource";
"@Sensors.GPS.myReaderGps.xColumn" = "lat"; "@Sensors.GPS.myReaderGps.yColumn" = "lon";
"@Sensors.GPS.myReaderGps.zColumn" = "";
"""


class Told(Case):
    def setUp(self):
        super().setUp()
        for pattern in ("*.types", "*.so", "auv.system"):
            for path in (OPTIONS.models / "auv").glob(pattern):
                os.symlink(path, self.folder / path.name)

    def simulation(self, begin, *, drone=SIMPLE, dvl=DVL, end=2000, events="", expects="", logs=(), runs=1):
        text = f"Simulation told (ms)\nsystem auv;\nsimulationTime [0, {end}]:1;\nbegin {{\n{BEGIN}{dvl}{drone}{begin}\n}}\n"
        text += f"scenarios {{\n  Scenario s [{runs}]\n"
        text += f"  events {{ {events} }}\n" if events else ""
        text += f"  expects {{ {expects} }}\n" if expects else ""
        if logs:
            text += "  logs { told.csv timed(1) { " + " ".join(f'"@{log}";' for log in logs) + " } }\n"
        self.write("told.simulation", text.replace("@", "auv.comp.") + "}\n")

    def play(self, *words, exit=0):
        return self.hocket("run", "told.simulation", "-o", "out", *words, exit=exit)

    def rows(self):
        with open(self.folder / "out/told.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        return [{k: {"true": 1.0, "false": 0.0}.get(v) if v in ("true", "false") else float(v) for k, v in row.items()}
                for row in rows]


class Drift(Told):
    EXPECTS = 'require "drift" final of "@Analysis.myAnalysis.drift" max 0.5;'

    def test_of_nothing_is_not_decided(self):
        self.simulation('"@Drone.mySimpleMission.speed" = 0.0; "@Sensors.DVL.myErrorDVL.bias" = {0.05, 0.0, 0.0};',
                        expects=self.EXPECTS, logs=("Analysis.myAnalysis.drift", "Analysis.myAnalysis.error"))
        done = self.play(exit=1)
        self.assertIn("not decided: the signal is not a number at 2 s", done.stderr)
        self.assertIn("the expectation is undecided", done.stderr)
        rows = self.rows()
        self.assertTrue(all(row["Analysis.myAnalysis.drift"] != row["Analysis.myAnalysis.drift"] for row in rows))
        self.assertGreater(rows[-1]["Analysis.myAnalysis.error"], 0.09)
        answer = json.loads(self.play("--json", exit=1).stdout)["runs"][0]["verdicts"][0]
        self.assertEqual((answer["decided"], answer["held"]), (False, False))
        fused = self.hocket("run", "told.simulation", "--fused", "-o", "fused", exit=1)
        self.assertIn("not decided", fused.stderr)
        self.assertEqual((self.folder / "fused/told.csv").read_bytes(), (self.folder / "out/told.csv").read_bytes())

    @plain
    def test_of_something_is(self):
        self.simulation('"@Sensors.DVL.myErrorDVL.scale" = {0.01, 0.01, 0.01};', expects=self.EXPECTS, logs=("Analysis.myAnalysis.drift",))
        self.assertIn("drift is 1", self.play(exit=1).stderr)
        self.assertAlmostEqual(self.rows()[-1]["Analysis.myAnalysis.drift"], 1, delta=1e-3)


class Earlier(Told):
    """A run that ends in its first step leaves the files of an earlier one as they are."""
    def files(self):
        return {path.name: path.read_bytes() for path in (self.folder / "out").iterdir()}

    def test_logs_stay(self):
        self.simulation("", end=20, logs=("Drone.mySimpleMission.state.nedPosition",))
        self.play()
        before = self.files()
        self.simulation('"@Drone.mySimpleMission.radius" = 1.0; "@Drone.mySimpleMission.legLength" = 10.0; '
                        '"@Environment.Current.myCurrent.nominalSpeed" = 9.0; "@Environment.Current.myCurrent.direction" = 90.0; '
                        '"@Drone.mySimpleMission.speedReference" = ThroughWater;', end=20,
                        logs=("Drone.mySimpleMission.state.nedPosition",))
        done = self.play(exit=FAILED)
        self.assertIn("out/told.csv: note: it stays as an earlier run left it: this one ended in its first step", done.stderr)
        self.assertEqual(self.files(), before)
        for path in (self.folder / "out").iterdir():
            path.unlink()
        self.play(exit=FAILED)  # there is nothing to lose: the row of the start is shown
        self.assertEqual(len(self.rows()), 1)
        about = json.loads(self.files()["told.csv-metadata.json"])["notes"][0]
        self.assertEqual(about["ended"], "failed: HK0503")


class Pipes(Told):
    """What is not a file is not waited for, whoever is to read it."""
    def test_each_reader(self):
        bed = BEGIN.splitlines(keepends=True)
        cases = (
            ("bathy.tif", 'bind "@Environment.MNT.myGeoTiff.pGeoTiff" to "@Environment.MNT.myMntAdapter.rMntSource"; '
             '"@Environment.MNT.myMntModel".Stop();\n' + "".join(bed[2:]), DVL),
            ("current.h5", "".join(bed[:2]) + 'bind "@Environment.Current.myS111CurrentFile.pS111" to '
             '"@Environment.Current.myCurrentAdapter.rCurrentSource"; "@Environment.Current.myCurrent".Stop();\n', DVL),
            ("current.csv", "".join(bed[:2]) + '"@Environment.Current.myS111CurrentFile".Stop(); "@Environment.Current.myCurrent".Stop(); '
             '"@Environment.Current.myCurrentSeries".Start(); bind "@Environment.Current.myCurrentSeries.pSeries" to '
             '"@Environment.Current.myCurrentAdapter.rCurrentSource";\n', DVL),
            ("dvl.csv", BEGIN, DVL_LOG))
        for name, begin, dvl in cases:
            with self.subTest(name):
                os.mkfifo(self.folder / name)
                self.simulation("", dvl=dvl, end=20)
                text = (self.folder / "told.simulation").read_text(encoding="utf-8")
                self.write("told.simulation", text.replace(BEGIN.replace("@", "auv.comp."), begin.replace("@", "auv.comp.")))
                said = self.play(exit=None)
                self.assertNotEqual(said.returncode, 0, said.stderr)
                self.assertIn(name, said.stderr)
                self.assertRegex(said.stderr, "a device or a pipe|not a file|a pipe")


class Mounted(Told):
    """Each of the six sensors has a frame adapter, and whoever wants it an analysis of the filter and of noise."""
    @plain
    def test_arms_and_angles(self):
        self.simulation('"@Sensors.GPS.myBodyToGps.leverArm" = {-0.5, 0.0, -1.0}; "@Sensors.Barometer.myBodyToDepth.leverArm" = {0.0, 0.0, 0.25}; '
                        '"@Sensors.Compass.myBodyToCompass.yaw" = 10.0; "@Drone.mySimpleMission.startDepth" = 1.2;', end=20,
                        logs=("Sensors.GPS.mySourceGpsAdapter.value", "Sensors.GPS.mySourceGpsAdapter.valid",
                              "Sensors.Barometer.mySourceDepthAdapter.value", "Sensors.Compass.mySourceCompassAdapter.value",
                              "Drone.mySimpleMission.state.nedPosition"))
        self.play()
        last = self.rows()[-1]
        self.assertTrue(last["Sensors.GPS.mySourceGpsAdapter.valid"])  # the antenna is 0.2 m deep, the body is 1.2 m deep
        self.assertAlmostEqual(last["Sensors.GPS.mySourceGpsAdapter.value.x"], 0.05 - 0.5, 12)
        self.assertAlmostEqual(last["Sensors.GPS.mySourceGpsAdapter.value.z"], 0.2, 12)
        self.assertAlmostEqual(last["Sensors.Barometer.mySourceDepthAdapter.value"], 1.45, 12)
        self.assertAlmostEqual(last["Sensors.Compass.mySourceCompassAdapter.value"], math.radians(10), 12)

    @plain
    def test_analyses_that_are_started(self):
        path = "Analysis.my"
        self.simulation('"@Analysis.myNees".Start(); "@Analysis.myGyroAllan".Start(); "@Analysis.myAccelerometerAllan".Start(); '
                        '"@Navigation.myNavigationFunction.myNavFunctionNumber" = Eskf; '
                        '"@Navigation.myNavigationFunction.initialVelocity" = {2.5, 0.0, 0.0}; '
                        '"@Sensors.Gyroscope.myErrorGyro.noiseDensity" = 0.001; '
                        '"@Sensors.Accelerometer.myErrorAccelerometer.noiseDensity" = 0.01;', end=3000,
                        logs=(path + "Nees.meanNees", path + "Nees.meanNis", path + "GyroAllan.deviation",
                              path + "AccelerometerAllan.deviation", path + "GyroAllan.count"))
        self.play()
        self.hocket("check", "told.simulation", "--style", "navidro")
        last = self.rows()[-1]
        self.assertGreater(last["Analysis.myNees.meanNees"], 0)
        # the deviation over 1 and 2 steps is that of white noise: density / sqrt(time)
        for name, density in (("Gyro", 0.001), ("Accelerometer", 0.01)):
            for level in (1, 2):
                found = last[f"Analysis.my{name}Allan.deviation[{level}]"]
                self.assertAlmostEqual(found * math.sqrt(0.001 * level) / density, 1, delta=0.1)


class Logs(Told):
    VALUE = "Sensors.DVL.mySourceDVLAdapter.out.x"

    def dvl(self, times, begin=""):
        self.write("dvl.csv", "time,vx,vy,vz\n" + "".join(f"{t:.4f},{t:.4f},0,0\n" for t in times))
        self.simulation(begin, dvl=DVL_LOG, logs=(self.VALUE[:-2],))
        return self.play().stderr

    @plain
    def test_places_are_in_degrees(self):
        for heading, unit in (("lat,lon", ""), ("lat [deg],lon [deg]", "")):
            self.write("gps.csv", f"time,{heading}\n0,48.351,-4.5\n1,48.352,-4.5\n")
            self.simulation(GPS_LOG + unit, logs=("Sensors.GPS.mySourceGpsAdapter.value",))
            self.play()
            north = self.rows()[-1]["Sensors.GPS.mySourceGpsAdapter.value.x"]
            self.assertAlmostEqual(north, 222.4, delta=0.3)  # 0.002 degrees
        self.write("gps.csv", "time,lat,lon\n0,148.351,-4.5\n")
        self.assertIn("gps.csv:2: a latitude (xColumn) is at most 90 degrees", self.play(exit=FAILED).stderr)

    @plain
    def test_lines_are_straight(self):
        """A row every 0.3 s, and a value in each step."""
        said = self.dvl([i * 0.3 for i in range(8)], '"@Sensors.DVL.myReaderDVL.interpolation" = Linear;')
        self.assertNotIn("'dvl.csv'", said)
        for row in self.rows()[1:]:
            self.assertAlmostEqual(row[self.VALUE], row["time"], delta=1e-9)

    def test_all_rows_are_seen(self):
        self.assertNotIn("'dvl.csv'", self.dvl([i * 0.04 for i in range(60)]))
        seen = {row[self.VALUE] for row in self.rows()[1:]}
        self.assertEqual(len(seen), 51)

    def test_rows_that_no_step_sees_are_told(self):
        said = self.dvl([0, 0.5, 1, 1.0002, 1.0004, 1.5, 2.5])
        self.assertIn("1 of the 7 rows of 'dvl.csv' was not seen, the first in line 5", said)
        self.assertEqual(said.count("not seen"), 1)

    def test_rows_that_repeat_a_time_are_told(self):
        said = self.dvl([0, 0.5, 0.5, 1, 1, 2, 3])
        self.assertEqual(said.count("2 of the 7 rows of 'dvl.csv' repeat the time of the row before and are left out, "
                                    "the first in line 4"), 1)

    def test_a_log_of_another_time_is_told(self):
        self.assertIn("no row of 'dvl.csv' is of the time of the run: its rows are from -5 s to -3 s", self.dvl([-5, -3]))
        self.assertIn("no row of 'dvl.csv' is of the time of the run: its rows are from 17 s to 18 s", self.dvl([17, 18]))
        self.assertIn("'dvl.csv' ends at 0.5 s, before the run", self.dvl([0, 0.5]))
        self.assertNotIn("dvl.csv", self.dvl([0, 1, 2, 3]))

    def test_each_is_told_once(self):
        self.write("dvl.csv", "time,vx,vy,vz\n17,1,0,0\n")
        self.simulation('"@Sensors.Gyroscope.myErrorGyro.sigma" = 0.01;', dvl=DVL_LOG, end=100, runs=3)
        self.assertEqual(self.play().stderr.count("no row of 'dvl.csv'"), 1)

    def test_words_in_other_columns(self):
        self.write("dvl.csv", 'time,vx,vy,vz,"who, when"\n0,1,0,0,"Anna, noon"\n1,2,0,0,Bert\n')
        self.simulation("", dvl=DVL_LOG, logs=(self.VALUE[:-2],))
        self.play()
        self.assertEqual(self.rows()[-1][self.VALUE], 2)
        self.write("mission.csv", "north,east,depth,speed,remark\n0,0,5,1,start\n50,0,5,1,end\n")
        self.simulation("", drone=SPLINE)
        self.play()
        self.write("mission.csv", "north,east,depth,speed,remark\n0,0,5,1,start\n50,far,5,1,end\n")
        self.assertIn("mission.csv:3: 'far' in column 'east' is not a number", self.play(exit=FAILED).stderr)


class Ways(Told):
    def way(self, rows, begin="", exit=FAILED, heading="north,east,depth,speed"):
        self.write("mission.csv", f"{heading}\n{rows}")
        self.simulation(begin, drone=SPLINE)
        return self.play(exit=exit).stderr

    def test_impossible_places(self):
        self.assertIn("mission.csv:3: the way-point is 20 m above the surface", self.way("0,0,5,1\n50,0,-20,1\n"))
        self.assertIn("leg 1: the way is 2.00 m below the sea bed at 0.000 s",
                      self.way("0,0,10,1\n50,0,10,1\n", '"@Environment.MNT.myMntModel.depth" = 8.0;'))
        said = self.way("48.35,-4.5,5,1\n48.351,-4.5,5,1\n", exit=0, heading="lon,lat,depth,speed")
        self.assertIn("mission.csv:2: the way-point is", said)
        self.assertIn("km away from the origin of a flat Earth (48.35, -4.5)", said)
        self.assertNotIn("flat Earth", self.way("48.35,-4.5,5,1\n48.351,-4.5,5,1\n", exit=0, heading="lat,lon,depth,speed"))

    def test_columns_are_listed(self):
        self.assertIn("there are 'North', 'East', 'Depth', 'Speed'", self.way("0,0,5,1\n50,0,5,1\n", heading="North,East,Depth,Speed"))


class Parts(Told):
    def test_a_part_starts_as_it_was(self):
        """The reader of the DVL did not run, and its log is not there."""
        self.simulation("", events='instant 500 {"@Sensors.DVL".Stop();} instant 1000 {"@Sensors.DVL".Start();}')
        done = json.loads(self.play("--json").stdout)["runs"][0]["activations"]
        self.assertEqual(done.get("Sensors.DVL.myReaderDVL", 0), 0)
        self.assertEqual(done["Sensors.DVL.myErrorDVL"], 1500)

    def test_what_is_stopped_goes_on_stopped_from_a_state(self):
        self.simulation("", events='instant 500 {"@Sensors.DVL".Stop();} instant 1500 {"@Sensors.DVL".Start();}',
                        logs=("Sensors.DVL.mySourceDVLAdapter.stamp",))
        self.play()
        whole = self.rows()
        self.play("--stop-time", "1", "--save-state", "half.state")
        self.play("--load-state", "half.state")
        self.assertEqual(self.rows()[-1], whole[-1])

    def test_sources_that_run_for_nobody(self):
        for path in ("Sensors.Gyroscope.myReaderGyro", "Drone.myRemus"):
            self.simulation(f'"@{path}".Start();', expects='require "error" final of "@Analysis.myAnalysis.error";')
            said = self.hocket("check", "told.simulation", "--style", "navidro", exit=None)
            self.assertNotEqual(said.returncode, 0)
            self.assertIn(f"nothing uses what '{path}' produces", said.stdout + said.stderr)
        self.simulation("", expects='require "error" final of "@Analysis.myAnalysis.error";')
        self.hocket("check", "told.simulation", "--style", "navidro")

    def test_a_source_of_another_sensor(self):
        for source, asker in (("Accelerometer.myErrorAccelerometer", "Gyroscope.mySourceGyroAdapter"),
                              ("GPS.myErrorGps", "Accelerometer.mySourceAccelerometerAdapter"),
                              ("Compass.myErrorCompass", "Barometer.mySourceDepthAdapter")):
            wrong = f'bind "@Sensors.{source}.pError" to "@Sensors.{asker}.rSource";'
            for begin, events in ((wrong, ""), ("", f"instant 500 {{ {wrong} }}")):
                self.simulation(begin, events=events)
                said = self.hocket("check", "told.simulation", "--style", "navidro", exit=1).stdout
                self.assertRegex(said, rf"told.simulation:\d+:\d+: error\[HK0419\]: 'Sensors.{source}.pError' provides")
                self.assertIn("error[HK0419]", self.play(exit=3).stderr)
                self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    main()
