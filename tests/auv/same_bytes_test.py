#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fig. 10 with all that a scenario can do, ten times: interpreted, fused, on two nodes, and without the instructions of the
CPU for which the C library has other code, the logs are the same to the last byte. Standard library only."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main  # noqa: E402

# Without the instructions for which glibc has other code, with other last digits.
PLAIN = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"
# Every sensor has errors, and the vehicle turns in a tide.
BEGIN = """
  "auv.comp.Environment.MNT.myMntModel.depth" = 50.0;
  "auv.comp.Sensors.DVL.myErrorDVL.preset" = Workhorse600;
  "auv.comp.Sensors.Gyroscope.myErrorGyro.preset" = Stim300;
  "auv.comp.Sensors.Accelerometer.myErrorAccelerometer.preset" = Stim300;
  "auv.comp.Sensors.GPS.myErrorGps.preset" = Sbas;
  "auv.comp.Sensors.Barometer.myErrorDepth.preset" = Quartz;
  "auv.comp.Sensors.Compass.myErrorCompass.preset" = Good;
  "auv.comp.Sensors.DVL.myErrorDVL.outageInterval" = 4.0;
  "auv.comp.Sensors.DVL.myErrorDVL.outageTime" = 0.5;
  "auv.comp.Environment.Current.myCurrent.amplitude" = 0.4;
  "auv.comp.Environment.Current.myCurrent.period" = 50.0;
  "auv.comp.Drone.mySimpleMission.legLength" = 10.0;
  "auv.comp.Drone.mySimpleMission.radius" = 8.0;
"""
# An outage, a binding, a stop and a start, faults, another navigation function.
EVENTS = """
    instant 2000 { "auv.comp.Navigation.myDvl".Stop(); }
    instant 2500 { "auv.comp.Navigation.myDvl".Start(); }
    instant 3000 { bind "auv.comp.Environment.Current.myCurrentSeries.pSeries"
                     to "auv.comp.Environment.Current.myCurrentAdapter.rCurrentSource";
                   "auv.comp.Environment.Current.myCurrentSeries".Start();
                   "auv.comp.Environment.Current.myCurrent".Stop(); }
    instant 5000 { fault "auv.comp.Sensors.DVL.mySourceDVLAdapter.out" -> "auv.comp.Navigation.myDvl.sensorSpeed" noise 0.05; }
    instant 7000 { repair "auv.comp.Sensors.DVL.mySourceDVLAdapter.out" -> "auv.comp.Navigation.myDvl.sensorSpeed"; }
    instant 8000 { fault "auv.comp.Navigation.myDvl.bodySpeed" stuck; }
    instant 8400 { repair "auv.comp.Navigation.myDvl.bodySpeed"; }
    instant 9000 { "auv.comp.Drone.mySimpleMission.speed" = 2.0; }
    instant 12000 { "auv.comp.Navigation.myNavigationFunction.myNavFunctionNumber" = 4; }
"""
LOG = """DronePosition.csv timed(10.0)
  { "auv.comp.Navigation.myNavigationFunction.myEstimatedNedPosition";
    "auv.comp.Navigation.myNavigationFunction.attitude";
    "auv.comp.Drone.myMissionAdapter.nedPosition"; "auv.comp.Drone.myMissionAdapter.attitude";
    "auv.comp.Sensors.Gyroscope.mySourceGyroAdapter.value"; "auv.comp.Sensors.Compass.mySourceCompassAdapter.value"; }"""


class SameBytes(Case):
    def setUp(self):
        super().setUp()
        source = self.options.models / "auv"
        for file in (*source.glob("*.types"), *source.glob("*.so"), source / "auv.system", source / "mission.csv"):
            (self.folder / file.name).symlink_to(file)
        self.write("current.csv", "time [s],east [m/s],north [m/s]\n0,0.2,0.1\n7,0.4,-0.3\n20,-0.1,0.2\n")
        text = (source / "AuvSimulation.simulation").read_text(encoding="utf-8")
        line = '"auv.comp.Navigation.myDvl.thetaDVL" = 0.0;'
        first, last = text.index("    // after 10 seconds"), text.index("  }\nend {}")
        text = text[:first] + EVENTS + text[last:]
        text = re.sub(r"DronePosition\.csv timed\(1\.0\)\s*\{.*?\}", lambda _: LOG, text, flags=re.DOTALL)
        for old, new in ((line, line + BEGIN), ("[0,1800000]", "[0,13000]")):
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        self.text = text
        self.write("AuvSimulation.simulation", text)

    def logs(self, *words, **added):
        folder = "-".join(("logs", *map(str, words), *added))
        done = self.hocket("run", "AuvSimulation.simulation", "-o", folder, *words, **added)
        files = {path.name: path.read_bytes() for path in (self.folder / folder).glob("*.csv")}
        self.assertEqual(len(files), 10)
        return files, done.stderr

    def test_fig_10(self):
        plain, _ = self.logs()
        self.assertEqual(len(set(plain.values())), 10, "each run has noise of its own")
        self.assertEqual({data.count(b"\n") for data in plain.values()}, {1302})
        fused, said = self.logs("--fused")
        most, of = re.search(r"^fused      (?:\d+ to )?(\d+) of (\d+) cells", said, re.MULTILINE).groups()
        self.assertGreater(2 * int(most), int(of), "most of it is fused")
        found = {"fused": fused, "two nodes": self.logs("--nodes", 2)[0],
                 "without FMA": self.logs(GLIBC_TUNABLES=PLAIN)[0],
                 "fused, without FMA": self.logs("--fused", GLIBC_TUNABLES=PLAIN)[0]}
        for name, files in found.items():
            self.assertEqual(set(files), set(plain), name)
            self.assertEqual([log for log in plain if files[log] != plain[log]], [], name)

    def test_all_of_it_counts(self):
        """What is left out changes the log, so nothing of the scenario is there in vain."""
        def log(text):
            self.write("AuvSimulation.simulation", text)
            folder = self.folder / "one"
            self.hocket("run", "AuvSimulation.simulation", "--run", 0, "-o", folder)
            return next(folder.glob("*.csv")).read_bytes()
        whole = log(self.text)
        lines = [line for line in (BEGIN + EVENTS).splitlines() if "preset" in line or "amplitude" in line]
        lines += re.findall(r"^[^\n]*outageInterval.*?outageTime[^\n]*$", BEGIN, re.DOTALL | re.MULTILINE)
        lines += re.findall(r"^    instant.*?\}$", EVENTS, re.DOTALL | re.MULTILINE)
        for line in lines:
            with self.subTest(line=line):
                self.assertEqual(self.text.count(line), 1)
                self.assertNotEqual(log(self.text.replace(line, "")), whole)


if __name__ == "__main__":
    main()
