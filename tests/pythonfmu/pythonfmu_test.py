#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An FMU made by PythonFMU runs in hocket: alone, in a system, and when it raises an exception. The same
model is computed here step by step; records must agree in every digit. Exit status 77: skipped."""
import csv
import ctypes
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STEP = 0.01
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, SKIPPED, Case, main, read_options  # noqa: E402


SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="lagging" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="lagging">
    <ssd:Elements>
      <ssd:Component name="lag" source="Lag.fmu">
        <ssd:Connectors>
          <ssd:Connector name="u" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="y" kind="output"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="steps" kind="output"><ssc:Integer/></ssd:Connector>
          <ssd:Connector name="report" kind="output"><ssc:String/></ssd:Connector>
        </ssd:Connectors>
      </ssd:Component>
      <ssd:Component name="probe" source="probe.fmu">
        <ssd:Connectors>
          <ssd:Connector name="real_in" kind="input"><ssc:Real/></ssd:Connector>
          <ssd:Connector name="int_in" kind="input"><ssc:Integer/></ssd:Connector>
          <ssd:Connector name="text_in" kind="input"><ssc:String/></ssd:Connector>
          <ssd:Connector name="state" kind="output"><ssc:Real/></ssd:Connector>
        </ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="lag" startConnector="y" endElement="probe" endConnector="real_in"/>
      <ssd:Connection startElement="lag" startConnector="steps" endElement="probe" endConnector="int_in"/>
      <ssd:Connection startElement="lag" startConnector="report" endElement="probe" endConnector="text_in"/>
    </ssd:Connections>
  </ssd:System>
</ssd:SystemStructureDescription>
"""


def lag(count, tau, u, offset=0, inverted=False, label="lag"):
    """The rows of the lag, as they are after 0 ... COUNT steps."""
    y, steps, rows = 0.0, 0, [(0.0, 0, False, "")]
    for k in range(count):
        # the length of a step as hocket hands it over
        y += STEP * (u(k) - y) / tau
        steps += 1 + offset
        rows.append((y, steps, (y > 0.5) != inverted, f"{label} {steps}"))
    return rows


class Lag(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        shutil.copy(HERE / "lag.py", cls.folder)
        shutil.copy(OPTIONS.fmus / "probe.fmu", cls.folder)
        subprocess.run([PYTHONFMU, "build", "-f", "lag.py"], cwd=cls.folder, check=True,
                       stdout=subprocess.DEVNULL)

    def setUp(self):
        """All share the folder of the class."""

    def hocket(self, *words, exit=0):
        return super().hocket(*words, exit=exit, XDG_CACHE_HOME=self.folder / "cache").stderr

    def rows(self, name="out.csv"):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_alone(self):
        (self.folder / "u.csv").write_text("time,u,step_offset,inverted\n0,2,0,false\n0.5,2,3,true\n",
                                           encoding="utf-8")
        self.hocket("run", "Lag.fmu", "--step-size", "0.01", "--stop-time", "0.5", "--input-file", "u.csv",
                    "--set", "tau=0.25", "--set", "label=hello", "--output-variable", "Lag.*", "-o", "out.csv")
        expected = lag(50, 0.25, lambda k: 2.0, label="hello")
        rows = self.rows()
        self.assertEqual(len(rows), 51)
        for row, (y, steps, above, report) in zip(rows, expected):
            self.assertEqual(float(row["Lag.y"]), y)
            self.assertEqual(int(row["Lag.steps"]), steps)
            self.assertIn(row["Lag.above"], {True: ("1", "true"), False: ("0", "false")}[above])
            self.assertEqual(row["Lag.report"], report)

    def test_integers_and_booleans_go_in(self):
        self.hocket("run", "Lag.fmu", "--step-size", "0.01", "--stop-time", "0.1", "--set", "step_offset=4",
                    "--set", "inverted=true", "--set", "u=1", "-o", "in.csv")
        last = self.rows("in.csv")[-1]
        self.assertEqual(int(last["Lag.steps"]), 50)
        self.assertIn(last["Lag.above"], ("1", "true"))

    def test_in_a_system(self):
        (self.folder / "s.ssd").write_text(SYSTEM, encoding="utf-8")
        self.hocket("run", "s.ssd", "--step-size", "0.01", "--stop-time", "1", "--set", "lag.u=1",
                    "--output-variable", "*", "-o", "system.csv")
        expected = lag(100, 0.5, lambda k: 1.0)
        state = 0.0
        rows = self.rows("system.csv")
        self.assertEqual(len(rows), 101)
        for k, row in enumerate(rows):
            self.assertEqual(float(row["lag.y"]), expected[k][0])
            self.assertEqual(float(row["probe.state"]), state, f"row {k}")
            state += STEP * expected[k][0]  # the probe sees what the lag published before
        self.assertEqual(int(rows[-1]["probe.int_out"]), expected[99][1])
        self.assertEqual(rows[-1]["probe.text_out"], expected[99][3])

    def test_in_a_sandbox(self):
        """PythonFMU asks for the number of the network card, to name the instance (uuid1), and does without."""
        words = ("run", "Lag.fmu", "-q", "--step-size", "0.01", "--stop-time", "0.2", "--set", "u=1", "-o")
        self.hocket(*words, "direct.csv")
        said = self.hocket(*words, "boxed.csv", "--sandbox", "all")
        self.assertLessEqual(said.count("warning["), said.count("the sandbox has denied the network (socket of family 2)"), said)
        self.assertEqual(self.rows("direct.csv"), self.rows("boxed.csv"))

    def test_exception(self):
        said = self.hocket("run", "Lag.fmu", "--step-size", "0.01", "--stop-time", "1", "--set",
                           "fail_at=0.3", "-o", "failed.csv", exit=4)
        self.assertRegex(said, r"Lag\.fmu: error\[HK0503\]: component 'Lag': fmi2DoStep from t = 0\.3 ")
        self.assertIn("the lag has had enough", said)
        self.assertEqual(self.rows("failed.csv")[-1]["time"], "0.3")


def has_libpython():
    """What hocket looks for, too: an FMU of PythonFMU brings no interpreter."""
    for minor in range(20, 6, -1):
        try:
            ctypes.CDLL(f"libpython3.{minor}.so.1.0")
            return True
        except OSError:
            pass
    return False


if __name__ == "__main__":
    PYTHONFMU = read_options("--venv")[0].venv / "bin" / "pythonfmu"
    if not PYTHONFMU.exists():
        print(f"SKIPPED: no {PYTHONFMU}; ./dev test makes it, if pip can fetch PythonFMU")
        sys.exit(SKIPPED)
    if not has_libpython():
        print("SKIPPED: no libpython3.*.so.1.0 on this machine; ./dev test installs it")
        sys.exit(SKIPPED)
    main("--venv")
