#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fragments of RoboChart do what is written beside them, as the interpreter runs them."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import fragments  # pylint: disable=wrong-import-position
from hocket_case import OPTIONS, Case, call, few, main  # pylint: disable=wrong-import-position

FOLDER = pathlib.Path(__file__).resolve().parent / "fragments"


def same(value, wanted):
    """Numbers may be written in several ways."""
    try:
        return float(value) == float(wanted)
    except ValueError:
        return value == wanted


class Fragments(Case):
    def variables(self, path):
        return json.loads(call(OPTIONS.hocket, "info", path, "--json", "--all").stdout)["variables"]

    def look(self, name, row, wanted, outputs, k):
        got = fragments.emissions(row, outputs)
        self.assertEqual(sorted(got), sorted(wanted.emitted), f"{name}: cycle {k} emits")
        for event, values in wanted.emitted.items():
            self.assertTrue(len(values) == len(got[event]) and all(map(same, got[event], values)),
                            f"{name}: cycle {k}: {event} has {got[event]}, not {values}")
        for port, value in wanted.values.items():
            self.assertTrue(same(row[port], value), f"{name}: cycle {k}: {port} is {row[port]}, not {value}")

    def one(self, name):
        wanted = fragments.read_expected(FOLDER / f"{name}.expected")
        path = FOLDER / f"{name}.rct"
        about = self.variables(path)
        flags = [v["name"] for v in about if v["causality"] == "output" and
                 v["description"].endswith(("it occurs", "it is called"))]
        names = [v["name"] for v in about if v["causality"] == "output"]
        outputs = {flag: [n for n in names if n.startswith(f"{flag}_")] for flag in flags}
        cycle_s = {"cycle_of_two": 2.0, "cycle_of_half": 0.5,
                   "cycle_of_0_7": 0.7, "cycle_of_0_1": 0.1}.get(name, 1.0)
        words = ["run", path, "--stop-time", str(len(wanted.cycles) * cycle_s), "--output-variable", "*", "-o", "out.csv"]
        if fragments.write_inputs(self.folder / "in.csv", wanted, cycle_s):
            words += ["--input-file", "in.csv"]
        for parameter, value in wanted.parameters.items():
            words += ["--set", f"{parameter}={value}"]
        failure = wanted.cycles[-1].failure
        done = call(OPTIONS.hocket, *words, cwd=self.folder, exit=4 if failure else 0)
        rows = fragments.read_record(self.folder / "out.csv") if (self.folder / "out.csv").exists() else []
        for k, cycle in enumerate(wanted.cycles):
            if cycle.failure:
                self.assertIn(cycle.failure, done.stderr, name)
                self.assertIn(f"{path}:", done.stderr, name)
            else:
                self.look(name, rows[k], cycle, outputs, k)
        for words in wanted.warnings:
            self.assertEqual(done.stderr.count(words), 1, f"{name}: {done.stderr}")
        if not wanted.warnings and "warning" in done.stderr.replace("no transition leads out", ""):
            self.assertNotIn("has a choice", done.stderr, name)
            self.assertNotIn("cannot leave", done.stderr, name)

    def test_all(self):
        names = sorted(path.stem for path in FOLDER.glob("*.rct"))
        self.assertEqual(names, sorted(path.stem for path in FOLDER.glob("*.expected")))
        self.assertGreaterEqual(len(names), 100)
        for name in few(names, 7):
            with self.subTest(name):
                for old in self.folder.glob("*.csv*"):
                    old.unlink()
                self.one(name)


if __name__ == "__main__":
    main()
