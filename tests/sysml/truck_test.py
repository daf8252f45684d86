#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The quarter truck as a multi-model: run as it is, as a package and as a system file, with the same bytes; and what a
multi-model is beside that: a graph, a canonical text, an answer in JSON."""
import json
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402


class Truck(Case):
    def setUp(self):
        super().setUp()
        with zipfile.ZipFile(self.options.models / "quarter_truck.ssp") as package:
            package.extractall(self.folder)
        text = (self.options.models / "language" / "quarter_truck.sysml").read_text(encoding="utf-8")
        self.write("truck.sysml", text.replace('fmu = "', 'fmu = "resources/'))

    def record(self, system, *words):
        self.hocket("run", system, "--stop-time", "5", "-o", "record.csv", *words)
        return (self.folder / "record.csv").read_bytes()

    def test_same_bytes(self):
        own = self.record("truck.sysml")
        self.hocket("convert", "truck.sysml", "made.ssp")
        self.hocket("convert", "truck.sysml", "made.system")
        self.assertEqual(self.record("made.ssp"), own)
        self.assertEqual(self.record("made.system"), own)
        self.assertEqual(self.record("truck.sysml", "--nodes", "2"), own)

    def test_it_is_the_truck(self):
        """The package of models/quarter_truck has the same components, connections and parameters, but for the names."""
        own = self.record("truck.sysml").decode().splitlines()
        other = self.record("SystemStructure.ssd", "--output-variable", "*").decode().splitlines()
        names = {name: i for i, name in enumerate(other[0].split(","))}
        for i, name in enumerate(own[0].split(",")):
            k = names[name.removeprefix("body.")]
            self.assertEqual([row.split(",")[i] for row in own[1:]], [row.split(",")[k] for row in other[1:]], name)

    def test_reactive_inputs(self):
        text = (self.folder / "truck.sysml").read_text(encoding="utf-8")
        changed = text.replace("in attribute 'p1.e' : Real = 0.0;", "in attribute 'p1.e' : Real = 0.0 {\n      @reactive;\n    }")
        self.assertNotEqual(text, changed)
        self.write("truck.sysml", changed)
        self.assertIn("current", self.hocket("plan", "truck.sysml", "--json").stdout)
        self.assertEqual(self.hocket("fmt", "truck.sysml").stdout, changed)

    def test_check(self):
        said = json.loads(self.hocket("check", "--profile", "into-sysml", "--json", "truck.sysml").stdout)
        self.assertEqual(said["files"][0]["profile"], "into-sysml")
        self.assertEqual(said["files"][0]["components"], 3)

    def with_units(self, name, changes):
        text = (self.folder / "truck.sysml").read_text(encoding="utf-8")
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        return self.write(name, text)

    def test_units_of_outputs(self):
        """They are those of what runs, since nothing converts what is recorded."""
        for unit, message in (("kN", "port 'p.e' of block 'Chassis' is in 'kN', and 'p.e' of resources/chassis.fmu is in 'N'"),
                              ("s", "port 'p.e' of block 'Chassis' is in 's', and 'p.e' of resources/chassis.fmu is in 'N'"),
                              ("N", None)):
            path = self.with_units("units.sysml", [("out attribute 'p.e' : Real;",
                                                    f"out attribute 'p.e' : Real {{ @unit {{ name = \"{unit}\"; }} }}")])
            said = self.hocket("check", "--profile", "into-sysml", path, exit=1 if message else 0).stdout
            if message:
                self.assertIn(message, said)

    def test_values_in_other_units_are_proved(self):
        """A mass in g and an input in km/h, of what runs in kg and m/s: the same run, and a trace of both files."""
        self.hocket("run", "truck.sysml", "--stop-time", "0.1", "-o", "own.csv")
        path = self.with_units("units.sysml", [
            ("'Mass.m' : Real = 40;", "'Mass.m' : Real = 40000.0 { @unit { name = \"g\"; } }"),
            ("in attribute 'p.f' : Real = 0.0;", "in attribute 'p.f' : Real = 0.0 { @unit { name = \"km/h\"; } }")])
        self.hocket("run", path, "--stop-time", "0.1", "--trace", "trace.jsonl", "-o", "record.csv")
        self.assertEqual((self.folder / "record.csv").read_bytes(), (self.folder / "own.csv").read_bytes())
        for words in ([], ["--view", "strict"]):
            self.hocket("prove", path, "--trace", "trace.jsonl", "--stop-time", "0.1", *words)
        self.hocket("prove", path, "--stop-time", "0.1", "--spin=never")
        self.with_units("other.sysml", [("'Mass.m' : Real = 40;", "'Mass.m' : Real = 40001.0 { @unit { name = \"g\"; } }")])
        self.hocket("prove", "other.sysml", "--trace", "trace.jsonl", "--stop-time", "0.1", exit=1)

    def test_trace_is_proved(self):
        self.hocket("run", "truck.sysml", "--stop-time", "0.1", "--trace", "trace.jsonl", "-o", "record.csv")
        self.hocket("prove", "truck.sysml", "--trace", "trace.jsonl", "--stop-time", "0.1")


if __name__ == "__main__":
    main()
