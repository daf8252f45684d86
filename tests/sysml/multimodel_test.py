#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Multi-models of INTO-CPS and their experiments, both ways."""
import json
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

# Two instances of one FMU, one with more parameters; values that are those of the FMU anyway; an input with a value.
TWO = {"fmus": {"{c}": "chassis.fmu", "{8c4e810f-3df3}": "wheel.fmu"},
       "connections": {"{c}.c1.p.e": ["{8c4e810f-3df3}.w.p1.e"],
                       "{8c4e810f-3df3}.w.p1.f": ["{c}.c1.p.f", "{c}.c2.p.f"]},
       "parameters": {"{c}.c1.Mass.m": 400, "{c}.c2.z_initial": 2.5, "{c}.c1.z_initial": 1, "{8c4e810f-3df3}.w.p.f": 0.25,
                      "{8c4e810f-3df3}.w.Mass.m": 40}}
TIMES = {"startTime": 0, "endTime": 2.5, "algorithm": {"type": "fixed-step", "size": 0.001}}


class Multimodel(Case):
    def setUp(self):
        super().setUp()
        for name in ("quarter_truck.sysml", "chassis.fmu", "wheel.fmu", "ground.fmu"):
            shutil.copy(self.options.models / "language" / name, self.folder)

    def put(self, name, what):
        self.write(name, json.dumps(what, indent=1) if not isinstance(what, str) else what)

    def get(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def record(self, system):
        self.hocket("run", system, "--stop-time", "1", "-o", "record.csv")
        return (self.folder / "record.csv").read_bytes()

    def test_round_trip_gives_an_equal_object(self):
        self.put("two.mm.json", TWO)
        self.put("two.coe.json", TIMES)
        self.hocket("convert", "two.mm.json", "two.sysml")
        self.hocket("convert", "two.sysml", "again.mm.json")
        self.assertEqual(self.get("again.mm.json"), TWO)
        self.assertEqual(self.get("again.coe.json"), TIMES)

    def test_experiments(self):
        """Each of its times, also those that a tool has printed of a fraction; the run begins where it says."""
        self.put("two.mm.json", TWO)
        for start, end, size in ((1.5, 2.5, 0.1), (-2, 0.25, 0.5), (0, 10, 1 / 3), (0.125, 3, 1 / 30000), (0, 1, 0.1234567890123456)):
            with self.subTest(start=start, size=size):
                times = {"startTime": start, "endTime": end, "algorithm": {"type": "fixed-step", "size": size}}
                self.put("two.coe.json", times)
                for name in ("two.sysml", "again.mm.json", "again.coe.json"):
                    (self.folder / name).unlink(missing_ok=True)
                self.hocket("convert", "two.mm.json", "two.sysml")
                self.hocket("convert", "two.sysml", "again.mm.json")
                self.assertEqual(self.get("again.coe.json"), times)
        self.put("two.coe.json", {"startTime": 1.5, "endTime": 2, "algorithm": {"type": "fixed-step", "size": 0.25}})
        (self.folder / "two.sysml").unlink()
        self.hocket("convert", "two.mm.json", "two.sysml")
        self.hocket("run", "two.sysml", "-o", "record.csv")
        rows = (self.folder / "record.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual([row.split(",")[0] for row in rows[1:]], ["1.5", "1.75", "2"])

    def test_initial_values_of_connected_inputs(self):
        values = {"{8c4e810f-3df3}.w.p1.e": 7.5, "{c}.c1.p.f": 3, "{c}.c2.p.f": -1}
        two = dict(TWO, parameters=dict(TWO["parameters"], **values))
        self.put("two.mm.json", two)
        self.hocket("convert", "two.mm.json", "two.sysml")
        self.hocket("convert", "two.sysml", "again.mm.json")
        self.assertEqual(self.get("again.mm.json"), two)
        self.hocket("run", "two.sysml", "--stop-time", "0.01", "--step-size", "0.001", "--trace", "calls.jsonl", "-o", "record.csv")
        said = (self.folder / "calls.jsonl").read_text(encoding="utf-8")
        self.assertIn('"ports":["p1.e"],"values":[7.5]', said)

    def test_what_is_written_keeps_the_rules(self):
        self.put("two.mm.json", TWO)
        self.hocket("convert", "two.mm.json", "two.sysml")
        self.hocket("check", "--profile", "fmi", "two.sysml")

    def test_runs_have_the_same_bytes(self):
        self.put("two.json", TWO)
        self.put("two.coe.json", TIMES)
        records = []
        for kind in ("sysml", "ssp", "ssd", "system"):
            self.hocket("convert", "two.json", f"two.{kind}")
            records.append(self.record(f"two.{kind}"))
        self.assertEqual(len(set(records)), 1)

    def test_from_sysml_and_back(self):
        self.hocket("convert", "quarter_truck.sysml", "mm.json")
        self.assertEqual(self.get("mm.coe.json"), {"startTime": 0, "algorithm": {"type": "fixed-step", "size": 0.001}})
        self.hocket("convert", "mm.json", "back.sysml")
        own, back = self.record("quarter_truck.sysml"), self.record("back.sysml")
        self.assertEqual(own.replace(b"body.", b"body_"), back)
        self.hocket("convert", "back.sysml", "again.json")
        self.assertEqual(self.get("again.json"), self.get("mm.json"))

    def test_refusals_have_their_place(self):
        for text, place, said in (
                ("[]", "1:1", "a multi-model is not an object"),
                ("{}", "1:1", "'fmus' is missing"),
                ('{"fmus":{"c":"chassis.fmu"}}', "1:14", "'c' is not the key of an FMU"),
                ('{"fmus":{"{c}":7}}', "1:16", "is not the name of a file"),
                ('{"fmus":{"{c}":"no.fmu"}}', "1:16", "does not exist"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a":[]}}', "2:24", "does not name a variable"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.z":["{d}.a.z"]}}', "2:27", "there is no FMU '{d}'"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.z":"{c}.a.z"}}', "2:26", "is not a list"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.z":["{c}.a.z"]}}', "2:27", "'z' is not an input"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.p.f":["{c}.b.p.f"]}}', "2:28", "'p.f' is an input, and not an output"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.Mass.m":["{c}.b.p.f"]}}', "2:31",
                 "'Mass.m' is a parameter, and not an output"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"parameters":{"{c}.a.Mass.m\\u0000x":1}}', "2:15", "the name of a member has a NUL in it"),
                ('{"fmus\\u0000":{"{c}":"chassis.fmu"}}', "1:2", "the name of a member has a NUL in it"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.zz":["{c}.a.p.f"]}}', "2:27", "there is no variable 'zz'"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"connections":{"{c}.a.z":["{c}.a.p.f"],"{c}.a.v":["{c}.a.p.f"]}}',
                 "2:51", "has two connections to it"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"parameters":{"{c}.a.Mass.m":[1]}}', "2:30", "is not a number, truth or text"),
                ('{"fmus":{"{c}":"chassis.fmu"},\n"parameters":{"{c}.a.Mass.m":"much"}}', "2:30", "'much'"),
                ('{"fmus":{"{c}":"chassis.fmu"', "1:29", ""),
                ('{"fmus":{"{c}":"chassis.fmu"},"fmus":{}}', "1:31", "is given twice")):
            with self.subTest(text=text):
                self.put("x.json", text)
                done = self.hocket("convert", "x.json", "x.sysml", exit=None)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)
                self.assertIn(f"x.json:{place}", done.stderr)
                self.assertFalse((self.folder / "x.sysml").exists())

    def test_refused_experiments(self):
        self.put("x.json", TWO)
        for text, place, said in (
                ('{"algorithm":{"type":"var-step","initsize":0.1}}', "1:22", "hocket runs with fixed steps"),
                ('{"algorithm":{"type":"fixed-step"}}', "1:14", "a fixed step has a size"),
                ('{"algorithm":{"type":"fixed-step","size":0}}', "1:42", "is not a time above 0"),
                ('{"startTime":"now"}', "1:14", "is not a time"),
                ('{"startTime":2,"endTime":1}', "1:26", "the end time is not after the start time")):
            with self.subTest(text=text):
                self.put("x.coe.json", text)
                done = self.hocket("convert", "x.json", "x.sysml", exit=None)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(said, done.stderr)
                self.assertIn(f"x.coe.json:{place}", done.stderr)

    def test_what_is_not_read_is_told(self):
        self.put("x.json", dict(TWO, logVariables={}))
        self.put("x.coe.json", dict(TIMES, loggingOn=False))
        done = self.hocket("convert", "x.json", "x.sysml")
        self.assertIn("'logVariables' is left out", done.stderr)
        self.assertIn("'loggingOn' is left out", done.stderr)
        for to in ("y.sysml", "y.ssp", "y.system"):
            answer = json.loads(self.hocket("convert", "x.json", to, "--json").stdout)
            self.assertEqual(answer["left_out"][-2:], ["'logVariables'", "'loggingOn'"], to)

    def test_what_has_no_words_is_refused(self):
        text = (self.folder / "quarter_truck.sysml").read_text(encoding="utf-8")
        for old, new, said in (
                ('fmu = "ground.fmu"', 'fmu = "hk.Gain"', None),
                ("in attribute 'p1.e' : Real = 0.0;", "in attribute 'p1.e' : Real = 0.0 {\n      @reactive;\n    }", "is reactive"),
                ("cycle = 0.001;", "cycle = 0.002;", "is not the step of all others")):
            self.assertIn(old, text)
            self.write("x.sysml", text.replace(old, new, 1))
            done = self.hocket("convert", "x.sysml", "y.json", exit=None)
            self.assertNotEqual(done.returncode, 0)
            if said:
                self.assertIn(said, done.stderr)
                self.assertIn("x.sysml:", done.stderr)
            self.assertFalse((self.folder / "y.json").exists())
        self.write("g.sysml", (HERE / "wrong" / "good.sysml").read_text(encoding="utf-8"))
        done = self.hocket("convert", "g.sysml", "y.json", exit=3)
        self.assertIn("g.sysml:4:3: error[HK0314]: block 'A' runs 'hk.Gain', and a multi-model of INTO-CPS has FMUs", done.stderr)


if __name__ == "__main__":
    main()
