#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`hocket prove` as a user runs it: plans, masters, traces of runs, exports."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

OPTIONS = None


class Prove(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hocket_prove_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def hocket(self, *words, exit=0):
        done = subprocess.run([OPTIONS.hocket, *map(str, words)], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, exit, done.stdout + done.stderr)
        return done.stdout

    def verdicts(self, *words, exit=0):
        answer = json.loads(self.hocket("prove", *words, "--json", exit=exit))
        self.assertEqual(answer["schema"], "hocket.prove/1")
        self.assertEqual(answer["holds"], exit == 0)
        return {v["name"]: v for v in answer["verdicts"]}

    def model(self, name):
        return pathlib.Path(OPTIONS.models) / name

    def corpus(self, name):
        return pathlib.Path(OPTIONS.corpus) / name

    def test_plans(self):
        for name in ("quarter_truck.ssp", "quarter_truck_native.ssp", "r_rosace.ssp", "rosace.ssp"):
            jacobi = self.verdicts(self.model(name), "--algorithm", "jacobi")
            self.assertEqual(jacobi["specification"]["state"], "holds")
            self.assertEqual(jacobi["contracts"]["state"], "holds")
            self.assertEqual(jacobi["spin"]["state"], "not done")
            seidel = self.verdicts(self.model(name), "--algorithm", "gauss-seidel")
            self.assertEqual(seidel["specification"]["state"], "does not apply")
            self.assertEqual(seidel["contracts"]["state"], "holds")

    def test_strict_view(self):
        found = self.verdicts(self.model("quarter_truck.ssp"), "--view", "strict", exit=1)
        self.assertEqual(found["specification"]["state"], "broken")
        self.assertIn("get chassis.z", found["specification"]["text"])
        self.assertEqual(found["specification"]["calls"][-1], "set chassis.p.f")

    def test_spin(self):
        text = self.hocket("prove", self.model("quarter_truck.ssp"), "--spin")
        if shutil.which("spin"):
            self.assertRegex(text, r"spin +holds: no errors in [0-9 ]+ states")
            text = self.hocket("prove", self.corpus("S9_get_first.master"), "--spin", exit=1)
            self.assertRegex(text, r"spin +broken: an assertion is violated")
        else:
            self.assertIn("install the package 'spin'", text)

    def test_wrong_master(self):
        text = self.hocket("prove", self.corpus("S9_get_first.master"), exit=1)
        self.assertIn("5 get tank.level   <- not allowed", text)
        self.hocket("prove", self.corpus("S9.master"))

    def test_roll_back(self):
        """M6: what is tried again keeps the contracts; the specification does not know it."""
        found = self.verdicts(self.corpus("S3.master"))
        self.assertEqual(found["contracts"]["state"], "holds")
        trace = self.folder / "t.txt"
        trace.write_text("G tank.level 1 ok\nG ctrl.valve 1 ok\nS ctrl.level 1 ok\n"
                         "S tank.valve 1 ok\nV tank ok\nD tank 0 0.1 ok\nR tank ok\n")
        text = self.hocket("prove", self.corpus("S9.master"), "--trace", trace, exit=1)
        self.assertIn("restore tank in phase STEP", text)

    def test_traces(self):
        """M8; with threads, several rates, sampled, and with a call that is tampered with."""
        for name in ("quarter_truck.ssp", "r_rosace.ssp"):
            for words in (("jacobi",), ("jacobi", "--threads", "3"), ("gauss-seidel",),
                          ("jacobi", "--trace-sample", "7")):
                common = ("--stop-time", "0.3", "--algorithm", words[0])
                self.hocket("run", self.model(name), *common, *words[1:], "--trace", "calls.jsonl",
                            "-o", "r.csv")
                text = self.hocket("prove", self.model(name), *common, "--trace", "calls.jsonl")
                self.assertIn("holds: OK", text)
        lines = (self.folder / "calls.jsonl").read_text().splitlines()
        self.hocket("run", self.model("quarter_truck.ssp"), "--stop-time", "0.1", "--trace", "c.jsonl",
                    "-o", "r.csv")
        lines = (self.folder / "c.jsonl").read_text().splitlines()
        common = (self.model("quarter_truck.ssp"), "--trace", "bad.jsonl")
        records = [json.loads(line) for line in lines]
        at = next(i for i, r in enumerate(records) if r["op"] == "step" and r["t"] > 0.05)
        changes = {"longer": lambda r: r[at].update(h=r[at]["h"] * 2),
                   "again": lambda r: r.insert(at, dict(r[at])),
                   "late": lambda r: r[at].update(t=r[at]["t"] + 0.001),
                   "other value": lambda r: next(x for x in r[at:] if x["op"] == "set")["values"]
                   .__setitem__(0, 12345.0)}
        for name, change in changes.items():
            changed = [json.loads(line) for line in lines]
            change(changed)
            for number, record in enumerate(changed):
                record["n"] = number
            (self.folder / "bad.jsonl").write_text("".join(json.dumps(r) + "\n" for r in changed))
            with self.subTest(name):
                self.assertIn("trace violation", self.hocket("prove", *common, exit=1))

    def test_discard_is_inconclusive(self):
        trace = self.folder / "t.txt"
        trace.write_text("G tank.level 1 ok\nG ctrl.valve 1 discard\nS tank.valve 1 ok\n")
        text = self.hocket("prove", self.corpus("S9.master"), "--trace", trace, exit=1)
        self.assertIn("INCONCLUSIVE", text)

    def test_exports(self):
        for turn in ("a", "b"):
            self.hocket("prove", self.model("r_rosace.ssp"), "--algorithm", "jacobi", "--export-csp",
                        turn + ".csp", "--export-promela", turn + ".pml")
        for kind in (".csp", ".pml"):
            first = (self.folder / ("a" + kind)).read_bytes()
            self.assertEqual(first, (self.folder / ("b" + kind)).read_bytes())
            self.assertTrue(first)
        self.assertIn(b"assert CoSimulation [T= Master", (self.folder / "a.csp").read_bytes())

    def test_wrong_usage(self):
        self.hocket("prove", exit=2)
        self.hocket("prove", "nothing.ssp", exit=3)
        self.hocket("prove", self.model("quarter_truck.ssp"), "--view", "other", exit=2)
        self.hocket("prove", self.model("quarter_truck.ssp"), "--trace", "nothing", exit=3)
        (self.folder / "t.txt").write_text("nonsense\n")
        self.hocket("prove", self.model("quarter_truck.ssp"), "--trace", "t.txt", exit=3)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    for name in ("--hocket", "--models", "--corpus"):
        parser.add_argument(name, required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)


if __name__ == "__main__":
    main()
