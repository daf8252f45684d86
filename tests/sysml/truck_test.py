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

    def test_trace_is_proved(self):
        self.hocket("run", "truck.sysml", "--stop-time", "0.1", "--trace", "trace.jsonl", "-o", "record.csv")
        self.hocket("prove", "truck.sysml", "--trace", "trace.jsonl", "--stop-time", "0.1")


if __name__ == "__main__":
    main()
