#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The chemical detector: what the rover does, its picture, and the same record however it is run."""
import csv
import math
import os
import pathlib
import re
import shlex
import shutil
import sys
import xml.etree.ElementTree as ET
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "cli")]
from doc_commands_test import commands_of, fenced_blocks  # noqa: E402
from hocket_case import Case, call, environment, main  # noqa: E402

ROOT = HERE.parents[1]
DETECTOR = ROOT / "models" / "detector"
FILES = ("ChemicalDetector.rct", "detector.types", "detector.system", "detector.so", "scenarios.simulation")


def read(path):
    """The columns of a record, by name."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = list(zip(*(map(float, row) for row in rows)))
    return dict(zip(names, columns))


def points(path):
    """The points of an outline; None between two lines."""
    with open(path, encoding="utf-8", newline="") as file:
        return [(float(row["x"]), float(row["y"])) if row["x"] else None for row in csv.DictReader(file)]


class Detector(Case):
    def setUp(self):
        super().setUp()
        self.built = self.options.models / "detector"
        self.system = self.built / "detector.system"

    def record(self, system, *words, name="record.csv"):
        self.hocket("run", system, "-q", "-o", name, *words)
        return (self.folder / name).read_bytes()

    def test_every_scenario_has_its_verdict(self):
        said = self.hocket("run", self.built / "scenarios.simulation", "-o", "out").stderr
        self.assertIn("all 20 expectations hold", said)
        self.assertNotIn("warning", said)

    def test_f5_a_thousand_seconds(self):
        """It stays in the room (the arena ends a run in which it does not), comes everywhere, and each alarm is
        answered: a flag in the cycle in which the controller hears of it, the light in the next one. The calls are those
        of the specification."""
        self.hocket("run", self.system, "-q", "--stop-time", "1000", "--monitor=values", "--trace", "calls.jsonl", "-o", "long.csv")
        said = self.hocket("prove", self.system, "--stop-time", "1000", "--trace", "calls.jsonl", "--view", "strict").stdout
        self.assertRegex(said, r"holds: OK: .* in 10.000 cycles, phase by phase")
        r = read(self.folder / "long.csv")
        self.assertEqual(len(r["time"]), 10001)
        detected = (0.0,) + r["rover.chemDetect.detected"]  # what the controller sees at row k
        alarms = [k for k in range(1, 10001) if detected[k] and not detected[k - 1]]
        flags = [k for k, value in enumerate(r["controller.ReleaseFlag"]) if value]
        lights = [k for k, value in enumerate(r["controller.lightOn"]) if value]
        self.assertGreater(len(alarms), 10)
        self.assertEqual(flags, alarms)
        self.assertEqual(lights, [k + 1 for k in flags if k < 10000])
        where = {(math.floor(x), math.floor(y))
                 for x, y in zip(r["rover.mobility.gpspos[1]"], r["rover.mobility.gpspos[2]"])}
        self.assertGreater(len(where), 50)

    def test_the_controller_alone(self):
        """With short times it answers a wall in cycle 3 and an alarm in cycle 7 as the first reconstruction does
        (tests/chart); and with a wall that stays, in which that one has a timelock, it goes on turning."""
        self.write("in.csv", "time,l,r,alarm\n0,0,0,0\n3,1,0,0\n4,0,0,0\n7,0,0,1\n8,0,0,0\n14,0,0,0\n")
        short = [f"--set={name}={value}" for name, value in (("turnTime", 2), ("dropTime", 1), ("lightTime", 3))]
        self.hocket("run", DETECTOR / "ChemicalDetector.rct", "-q", "--stop-time", "14", "--input-file", "in.csv", *short,
                    "-o", "cycles.csv")
        r = read(self.folder / "cycles.csv")
        go, turn, stand = (0.5, 0.0), (0.0, -1.0), (0.0, 0.0)
        self.assertEqual(list(zip(r["ChemicalDetector.ls"], r["ChemicalDetector.as"]))[:14], [go] * 3 + [turn] * 2 + [go] * 2 + [stand] + [go] * 6)
        for name, cycles in (("ReleaseFlag", [7]), ("lightOn", [8]), ("lightOff", [11])):
            self.assertEqual([k for k, value in enumerate(r["ChemicalDetector." + name][:14]) if value], cycles, name)
        self.write("in.csv", "time,l,r,alarm\n0,0,0,0\n3,1,0,0\n30,1,0,0\n")
        said = self.hocket("run", DETECTOR / "ChemicalDetector.rct", "--stop-time", "30", "--input-file", "in.csv", *short,
                           "-o", "cycles.csv").stderr
        self.assertNotIn("NONDET", said)
        r = read(self.folder / "cycles.csv")
        self.assertEqual(list(zip(r["ChemicalDetector.ls"], r["ChemicalDetector.as"]))[3:30], [turn] * 27)

    def test_an_alarm_is_answered_in_any_arena(self):
        """The controller explored with all plants that plant.csv allows; and three that are a little worse."""
        words = ("--plant", self.built / "plant.csv", "--properties", self.built / "detector.properties")
        said = self.hocket("prove", self.built / "ChemicalDetector.rct", *words).stdout
        self.assertEqual(len(re.findall(r"^property +holds", said, re.M)), 6)
        self.assertIn("yes: ", said)
        text = (DETECTOR / "ChemicalDetector.rct").read_text(encoding="utf-8")
        for old, new, broken in (
                ("  transition t8 { from Turn to Drop trigger found condition since(C) < turnTime }\n", "",
                 "always alarm then ReleaseFlag within 0 cycles"),
                ("lightTime : nat = 8", "lightTime : nat = 12", "always ReleaseFlag then lightOn within 1 cycles"),
                ("from Turn to Sniff", "from Turn to Go", "timelock")):
            self.assertIn(old, text)
            self.write("worse.rct", text.replace(old, new))
            said = self.hocket("prove", "worse.rct", *words, exit=1).stdout
            self.assertRegex(said, rf"(?m)^(property +broken: {broken}|{broken} +broken)")
            self.assertIn("no: ", said)

    def test_the_run_is_proved(self):
        words = ("--stop-time", "60")
        self.hocket("run", self.system, *words, "-q", "--trace", "calls.jsonl", "--monitor=contract", "-o", "run.csv")
        for view in ("connected", "strict"):
            said = self.hocket("prove", self.system, *words, "--trace", "calls.jsonl", "--view", view).stdout
            self.assertIn("holds: OK", said)
            self.assertIn("in 600 cycles, phase by phase", said)

    def test_the_same_bytes_in_every_way(self):
        """The system language, SysML, a package of FMUs, fused code, two logical processors, threads and nodes."""
        for name in FILES:
            shutil.copy(self.built / name, self.folder)
        system = self.folder / "detector.system"
        words = ("--stop-time", "100")
        expected = self.record(system, *words)
        self.assertEqual(len(expected.splitlines()), 1 + 1001)
        self.assertIn(b"processor software", system.read_bytes())
        alone = self.write("alone.system", re.sub(r" *processor .*\n", "", system.read_text(encoding="utf-8")))
        ways = {
            "one processor": (alone, *words),
            "threads": (system, *words, "--threads", "2"),
            "fused": (system, *words, "--fused"),
            "nodes": (system, *words, "--nodes", "2"),
            "nodes over sockets": (system, *words, "--nodes", "2", "--transport", "unix"),
            "SysML": (self.built / "detector.sysml", *words),
            "FMUs": (self.options.models / "detector.ssp", *words),
            "FMUs on nodes": (self.options.models / "detector.ssp", *words, "--nodes", "2"),
        }
        for way, words_of_it in ways.items():
            self.assertEqual(self.record(*words_of_it), expected, way)
        said = self.hocket("run", system, *words, "--fused", "-o", "fused.csv").stderr
        self.assertRegex(said, r"fused +1 of 1 cells")

    def test_the_lag_of_every_connection_is_written(self):
        for document in (self.system, self.built / "detector.sysml", self.options.models / "detector.ssp"):
            said = self.hocket("plan", document).stdout
            lags = re.findall(r"^  \S+ -> \S+.* (\w+) +100 ms +100 ms", said, re.M)
            self.assertGreaterEqual(len(lags), 7)
            self.assertEqual(set(lags), {"previous"})
        for algorithm in ("jacobi", "gauss-seidel"):  # nothing is left to it
            self.assertEqual(self.record(self.system, "--stop-time", "20", "--algorithm", algorithm),
                             self.record(self.system, "--stop-time", "20"))

    def test_the_outlines_are_those_of_the_arena(self):
        """walls.csv and source.csv, for the picture, say what the parameters of the arena say."""
        with zipfile.ZipFile(self.options.fmus / "Arena.fmu") as fmu:
            start = {v.get("name"): float(v[0].get("start", "nan"))
                     for v in ET.fromstring(fmu.read("modelDescription.xml")).iter("ScalarVariable")}
        room = [(start[f"room[{2 * k + 1}]"], start[f"room[{2 * k + 2}]"]) for k in range(int(start["corner_count"]))]
        expected = room + room[:1]
        for k in range(int(start["inner_count"])):
            x1, y1, x2, y2 = (start[f"inner[{4 * k + i}]"] for i in (1, 2, 3, 4))
            expected += [None, (x1, y1), (x2, y2)]
        self.assertEqual(points(DETECTOR / "walls.csv"), expected)
        x, y, strength, width = (start[f"sources[{i}]"] for i in (1, 2, 3, 4))
        radius = width * math.sqrt(2 * math.log(strength / 0.5))
        for point in points(DETECTOR / "source.csv"):
            self.assertAlmostEqual(math.dist(point, (x, y)), radius, delta=1e-3)

    def test_the_commands_of_the_readme_make_its_picture(self):
        lines = (DETECTOR / "README.md").read_text(encoding="utf-8").splitlines()
        for verb in ("run", "plot"):
            command = next(line for line in lines if line.startswith(f"hocket {verb} "))
            words = [str(self.built / pathlib.Path(w).name) if w.startswith("build/models/") else w
                     for w in shlex.split(command)[1:]]
            self.hocket(*words, "-q")
        self.assertEqual((self.folder / "found.svg").read_bytes(), (DETECTOR / "found.svg").read_bytes())

    def test_the_tutorial_makes_its_picture(self):
        """Its commands are run one by one by tests/cli; here it is the picture that is compared."""
        page = ROOT / "docs" / "robochart-tutorial.md"
        for name, _, lines in fenced_blocks(page.read_text(encoding="utf-8"), {"text"}):
            self.write(name, "\n".join(lines) + "\n")
        path = f"{self.options.hocket.parent}{os.pathsep}{os.environ['PATH']}"
        for _, command in commands_of(page):
            call("bash", "-c", command, cwd=self.folder, env=environment(PATH=path))
            if "map.svg" in command:
                break
        self.assertEqual((self.folder / "map.svg").read_bytes(),
                         (page.parent / "images" / "robochart_map.svg").read_bytes())

    def test_the_package_is_of_fmus(self):
        with zipfile.ZipFile(self.options.models / "detector.ssp") as package:
            names = {pathlib.Path(name).name for name in package.namelist()}
        self.assertEqual(names, {"SystemStructure.ssd", "ChemicalDetector.fmu", "MobilityHw.fmu", "Arena.fmu", "WallSensor.fmu",
                                 "ChemDHW.fmu"})
        for name in ("ChemicalDetector", "ChemicalDetector_fmi3"):
            self.hocket("check", self.options.fmus / f"{name}.fmu")

    def test_the_fmus_of_both_versions(self):
        """Arrays are variables of one element each in FMI 2, and arrays in FMI 3."""
        for name, inputs, outputs in (("MobilityHw", 7, 4), ("Arena", 4, 6), ("WallSensor", 4, 2), ("ChemDHW", 1, 1)):
            for suffix, version in (("", "2.0"), ("_fmi3", "3.0")):
                with zipfile.ZipFile(self.options.fmus / f"{name}{suffix}.fmu") as fmu:
                    root = ET.fromstring(fmu.read("modelDescription.xml"))
                self.assertEqual(root.get("fmiVersion"), version)
                self.assertEqual(root.get("modelName"), name)
                for causality, count in (("input", inputs), ("output", outputs)):
                    ports = [v for v in root.find("ModelVariables") if v.get("causality") == causality]
                    sizes = [math.prod(int(d.get("start")) for d in v.iter("Dimension")) for v in ports]
                    self.assertEqual(sum(sizes), count, (name, version, causality))
            self.hocket("check", self.options.fmus / f"{name}.fmu")
            self.hocket("check", self.options.fmus / f"{name}_fmi3.fmu")


if __name__ == "__main__":
    main("--hocket", "--models", "--fmus")
