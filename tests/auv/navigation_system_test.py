#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Navigation and analysis in a system, through the built program: the number of a function as in Fig. 10, the words of a
failure, the covariance by a call. Standard library only."""
import csv
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import Case, main  # noqa: E402

SYSTEM = """system nav {
  import "analysis.types";
  plugin "navigation.so";
  composite comp {
    leaf driver : navigation.DvlDriver { frequency 100 Hz; param thetaDVL = 0.0; }
    leaf function : navigation.NavigationFunction { frequency 100 Hz; PARAM }
    leaf error : analysis.PositionError { frequency 100 Hz; }
    leaf nees : analysis.NeesAnalysis { frequency 10 Hz; }
    leaf allan : analysis.AllanDeviation { frequency 100 Hz; }
    service nees.rCovariance -> function.pCovariance;
    link driver.bodySpeed -> function.bodySpeed;
    link driver.stamp -> function.bodySpeedStamp;
    link driver.valid -> function.bodySpeedValid;
    link function.myEstimatedNedPosition -> error.estimatedPosition, nees.estimatedPosition;
    link function.velocity -> nees.estimatedVelocity;
    link function.attitude -> nees.estimatedAttitude;
    link function.accelerometerBias -> nees.estimatedAccelerometerBias;
    link function.gyroscopeBias -> nees.estimatedGyroscopeBias;
    link function.nis -> nees.nis;
    link function.updates -> nees.updates;
    link error.error -> allan.signal;
  }
}
"""
SIMULATION = """Simulation Go (ms)
system nav;
simulationTime [0, 10000]:10;
begin {
  BEGIN
  "nav.comp.driver.sensorSpeed" = {1.5, 0.0, 0.0};
}
scenarios {
  Scenario one
  logs {
    out.csv timed(1000) {
      "nav.comp.function.myEstimatedNedPosition";
      "nav.comp.nees.nees";
    }
  }
}
"""
FUNCTION = '"nav.comp.function.myNavFunctionNumber" = '
STOP_NEES = '"nav.comp.nees".Stop();\n'


class Navigation(Case):
    def setUp(self):
        super().setUp()
        types = pathlib.Path(self.options.source) / "models/auv"
        for name in ("interfaces.types", "navigation.types", "analysis.types"):
            shutil.copy(types / name, self.folder / name)
        shutil.copy(self.options.plugin, self.folder / "navigation.so")

    def play(self, begin, exit=0, param="", words=()):
        (self.folder / "nav.system").write_text(SYSTEM.replace("PARAM", param))
        (self.folder / "go.simulation").write_text(SIMULATION.replace("BEGIN", begin))
        return self.hocket("run", "go.simulation", *words, exit=exit)

    def rows(self):
        with open(self.folder / "out.csv", encoding="utf-8") as file:
            return list(csv.reader(file))

    def test_number_of_a_function(self):
        self.play(FUNCTION + "2;" + STOP_NEES)
        number = self.rows()
        self.play(FUNCTION + "DvlGyro;" + STOP_NEES)
        self.assertEqual(self.rows(), number)
        self.assertAlmostEqual(float(number[-1][1]), 15, places=9)
        self.play(STOP_NEES, param="param myNavFunctionNumber = 2;")
        self.assertEqual(self.rows(), number)

    def test_number_that_is_not_a_function(self):
        told = self.play(FUNCTION + "9;" + STOP_NEES, exit=None)
        self.assertNotEqual(told.returncode, 0)
        self.assertIn("9", told.stderr)

    def test_truth(self):
        told = self.play(FUNCTION + "Truth;" + STOP_NEES, exit=None)
        self.assertNotEqual(told.returncode, 0)
        self.assertIn("component 'function'", told.stderr)
        self.assertIn("set allowTruth = true", told.stderr)
        self.play(FUNCTION + "0;" + STOP_NEES + '"nav.comp.function.allowTruth" = true;'
                  '"nav.comp.function.truePosition" = {1.0, 2.0, 3.0};')
        self.assertEqual(self.rows()[-1][1:4], ["1", "2", "3"])

    def test_covariance(self):
        told = self.play(FUNCTION + "DvlGyro;", exit=None)
        self.assertNotEqual(told.returncode, 0)
        self.assertIn("the navigation function is not Eskf", told.stderr)
        self.play(FUNCTION + 'Eskf; "nav.comp.function.acceleration" = {0.0, 0.0, -9.80665};'
                  '"nav.comp.function.initialVelocity" = {1.5, 0.0, 0.0};')
        self.assertGreater(float(self.rows()[-1][4]), 0)

    def test_fused(self):
        for function in ("DvlGyro", "Eskf"):
            begin = FUNCTION + function + ';"nav.comp.function.rotationSpeed" = {0.001, 0.002, 0.1};'
            begin += '"nav.comp.function.acceleration" = {0.0, 0.0, -9.80665};'
            self.play(begin + (STOP_NEES if function == "DvlGyro" else ""))
            plain = self.rows()
            told = self.play(begin + (STOP_NEES if function == "DvlGyro" else ""), words=["--fused"])
            self.assertEqual(self.rows(), plain)
            if "-fsanitize=" not in told.stderr:  # what is built so is called
                self.assertNotIn("navigation.so", told.stderr)


if __name__ == "__main__":
    main("--plugin")
