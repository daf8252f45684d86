#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Scenarios in the forms of the Scenario-Verifier: .conf (HOCON) and JSON."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
from hocket_case import Case, main  # noqa: E402


class Import(Case):
    def file(self, name):
        return self.options.files / name

    def changed(self, name, *changes):
        text = self.file(name).read_text()
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        path = self.folder / ("changed" + pathlib.Path(name).suffix)
        path.write_text(text)
        return path

    def contracts(self, path, exit=0):
        answer = json.loads(self.hocket("prove", path, "--json", "--spin=never", exit=exit).stdout)
        return next(v for v in answer["verdicts"] if v["name"] == "contracts")

    def test_right_ones_are_proved(self):
        for name in ("pump.conf", "beam.conf", "beam.json"):
            with self.subTest(name):
                self.assertEqual(self.contracts(self.file(name))["state"], "holds")
                self.assertIn("ok:", self.hocket("check", self.file(name)).stdout)

    def test_both_forms_are_the_same(self):
        texts = [self.hocket("fmt", self.file(name)).stdout for name in ("beam.conf", "beam.json")]
        self.assertEqual(*texts)
        self.assertIn("until accepted (beam, support) {", texts[0])
        (self.folder / "beam.master").write_text(texts[0])
        self.hocket("prove", "beam.master", "--spin=never")
        self.hocket("fmt", "--write", self.changed("beam.conf"), exit=2)

    def test_mistakes_are_found(self):
        """As the .master would be: at the line of the call."""
        wrong = self.changed("pump.conf", ("{step: pipe, by-same-as: pump}", "{step: pipe}"))
        found = self.contracts(wrong, exit=1)
        self.assertEqual(found["state"], "broken")
        line = 1 + wrong.read_text().split("{step: pipe}")[0].count("\n")
        self.assertIn(f"step pipe (line {line})", found["text"])
        self.assertEqual(self.contracts(self.changed("pump.conf", ("{step: pump}",
                                                                   "{step: pump, by: 0}")),
                                        exit=1)["state"], "broken")
        self.assertEqual(self.contracts(self.changed("beam.conf", ("              {set: support.bend}\n",
                                                                   "")), exit=1)["state"], "broken")

    def test_a_master_is_made(self):
        text = self.file("pump.conf").read_text()
        (self.folder / "bare.conf").write_text(text[:text.index("initialization")])
        self.hocket("prove", "bare.conf", "-o", "made.master", "--spin=never")
        self.hocket("prove", "made.master", "--spin=never")

    def test_what_is_refused(self):
        rows = ((("max-possible", "configuration = { configurable-inputs = [pump.back],"
                  " configurations = { a = {} } }\n  max-possible"), "adaptive scenarios"),
                (("cosim-step = [\n  {step: pump}", "cosim-step = { one = [], two = [\n  {step: pump}"),
                 None),
                (("can-reject-step = true,", "input-clocks = { r = { interval = 2 } }"),
                 "clocks of FMI 3"),
                (("pump.flow -> pipe.flow", "pump.flow -> pipe.flux"), "there is no input 'pipe.flux'"),
                (("{step: pump}", "{stop: pump}"), "this is not a call"),
                (("{get: pump.flow}", "{get: pump.flow, step: pump}"), "'step' does not belong to"),
                (("by-same-as", "by-same-az"), "'by-same-az' does not belong to"),
                (("{step: pump}", "{get-tentative: pump.flow}"), "a tentative value is for loops"),
                (("name = ", "name = ${x} "), "is in quotes only"),
                (("scenario = {", "scenario.x = {"), "a path as a key"),
                (("reactivity=delayed", "reactivity=lazy"), "'delayed' or 'reactive'"))
        for change, says in rows:
            with self.subTest(change):
                err = self.hocket("prove", self.changed("pump.conf", change), exit=3).stderr
                self.assertRegex(err, r"changed\.conf:\d+")
                self.assertIn(says or "", err)
        err = self.hocket("prove", self.changed("beam.json", ('"fmus": {', '"fmus": {,')), exit=3).stderr
        self.assertIn("changed.json:4", err)

    def test_two_calls_in_one(self):
        """Of two calls in one object none gets lost."""
        text = json.loads(self.file("beam.json").read_text())
        words = json.dumps(text)
        self.assertIn('{"Step": ', words)
        path = self.folder / "two.json"
        path.write_text(words.replace('{"Step": ', '{"SaveState": "beam", "Step": ', 1))
        self.assertIn("does not belong to", self.hocket("prove", path, exit=3).stderr)


if __name__ == "__main__":
    main("--hocket", "--files")
