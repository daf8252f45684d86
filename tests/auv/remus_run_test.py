#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The REMUS-100 through the built program: its acceptance cases with RK4 at 10 ms, interpreted, fused and
without FMA with the same bytes, and a current that cannot be seen from the water. Standard library only.
"""
import csv
import math
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SYSTEM = "remus_dive.system"
# Each row: t, north, east, down (m), roll, pitch, yaw (deg), surge, sway, heave over ground (m/s), rudder, stern (deg).
COLUMNS = (("state.nedPosition", "xyz", 1, 1e-5), ("state.attitude", "xyz", 180 / math.pi, 1e-5),
           ("nu.linear", "xyz", 1, 1e-6))
STRAIGHT = """
10 | 20.61391 -0.00392 0.58917 | 1.01876 0.02910 0.02535 | 2.553391 -0.000265 0.000845 | 0.00000 0.00000
60 | 148.29592 0.03849 0.58655 | 1.01878 0.00000 0.02483 | 2.553646 -0.000254 0.000000 | 0.00000 0.00000
"""
HEADING = """
10 | 25.21192 0.23014 -0.00149 | 1.14539 0.01661 3.19245 | 2.552715 -0.058521 0.000025 | 0.47797 -0.00504
60 | 146.10872 37.56284 -0.00243 | 1.06004 -0.01782 27.66156 | 2.553309 -0.037574 0.000027 | 0.08033 0.00297
300 | 678.62275 340.88539 0.00034 | 1.01882 -0.00056 30.00000 | 2.553645 -0.001531 -0.000001 | 0.00000 0.00014
"""
DEPTH = """
0 | 0.00000 0.00000 0.00000 | 0.00000 0.00000 0.00000 | 2.353553 0.353553 0.000000 | 0.00000 0.00000
10 | 28.72701 3.52429 0.91056 | 1.02200 -3.96770 -0.01111 | 2.906090 0.351632 -0.039161 | 0.00213 1.01108
60 | 173.92351 21.15605 7.00081 | 1.01907 -1.50815 0.00003 | 2.907056 0.352948 -0.017195 | -0.00027 0.35433
300 | 871.63124 106.04818 10.00977 | 1.01877 -0.00377 -0.00001 | 2.907199 0.353763 -0.006312 | 0.00000 0.00085
"""
STILL = ("sea.north=0", "sea.east=0")
OPEN_LOOP = ("vehicle.headingAutopilot=false", "vehicle.depthAutopilot=false")


class Remus(Case):
    def setUp(self):
        super().setUp()
        for name in ("interfaces.types", "remus.types"):
            shutil.copy(self.options.source / "models" / "auv" / name, self.folder)
        shutil.copy(HERE / SYSTEM, self.folder)
        shutil.copy(self.options.remus, self.folder)
        shutil.copy(self.options.sea, self.folder)

    def ran(self, name, *settings, stop="60", words=()):
        """The file of a run."""
        values = [word for setting in settings for word in ("--set", setting)]
        self.hocket("run", SYSTEM, "-o", name, "--stop-time", stop, *values, *words)
        return self.folder / name

    def rows(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            return {float(row["time"]): {key: float(value) for key, value in row.items()} for row in csv.DictReader(file)}

    def expect(self, table, path):
        rows = self.rows(path)
        for line in table.strip().splitlines():
            parts = [[float(word) for word in part.split()] for part in line.split("|")]
            row = rows[parts[0][0]]
            for (port, axes, factor, tolerance), wanted in zip(COLUMNS, parts[1:4]):
                for axis, value in zip(axes, wanted):
                    self.assertAlmostEqual(factor * row[f"vehicle.{port}.{axis}"], value, delta=tolerance,
                                           msg=f"{port}.{axis} at {parts[0][0]} s")
            for fin, value in zip(("rudder", "stern"), parts[4]):
                self.assertAlmostEqual(math.degrees(row[f"vehicle.actuators.{fin}"]), value, delta=1e-5)

    def test_straight(self):
        self.expect(STRAIGHT, self.ran("a.csv", *STILL, *OPEN_LOOP, "vehicle.initialSurge=0", "vehicle.initialRpm=0"))

    def test_heading(self):
        self.expect(HEADING, self.ran("h.csv", *STILL, "vehicle.depthReference=0", "vehicle.headingReference=30",
                                      stop="300"))

    def test_depth(self):
        self.expect(DEPTH, self.ran("z.csv", stop="300"))

    def test_same_bytes(self):
        plain = self.ran("plain.csv").read_bytes()
        self.assertEqual(self.ran("fused.csv", words=("--fused",)).read_bytes(), plain)
        self.environment = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"}
        self.assertEqual(self.ran("other.csv").read_bytes(), plain)

    def test_invisible_current(self):
        """Without autopilots, which look at the speed over ground."""
        fins = ("vehicle.rudder=5", "vehicle.stern=-3", "vehicle.initialHeading=50")
        still = self.rows(self.ran("still.csv", *STILL, *OPEN_LOOP, *fins))
        moved = self.rows(self.ran("moved.csv", "sea.north=0.8", "sea.east=-0.6", *OPEN_LOOP, *fins))
        for t, row in still.items():
            for axis, speed in (("x", 0.8), ("y", -0.6), ("z", 0)):
                there = moved[t][f"vehicle.state.nedPosition.{axis}"]
                self.assertAlmostEqual(there - row[f"vehicle.state.nedPosition.{axis}"], speed * t, delta=1e-9)
        self.assertGreater(abs(still[60]["vehicle.state.nedPosition.z"]), 1)

    def test_what_cannot_be(self):
        done = self.hocket("run", SYSTEM, "--set", "sea.knownUntil=5", "--set", "vehicle.currentPeriod=0", "-o", "x.csv",
                           exit=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the current is not known at 5.010 s", done.stderr)


if __name__ == "__main__":
    main("--remus", "--sea")
