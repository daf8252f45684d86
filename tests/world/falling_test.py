#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Falling bodies whose physics is exchanged in mid-fall, systems that are added and entities that are removed: the same
bytes every time, on threads, on nodes, and saved and resumed at any instant."""
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import OPTIONS, SLOW, Case, few, main  # noqa: E402


class Falling(Case):
    def setUp(self):
        super().setUp()
        self.simulation = OPTIONS.models / "falling" / "falling.simulation"

    def logs(self, *words, folder="out", exit=0):
        shutil.rmtree(self.scratch / folder, ignore_errors=True)
        self.hocket("run", self.simulation, "-o", folder, *words, exit=exit)
        return {f.name: f.read_text() for f in sorted((self.scratch / folder).glob("*.csv"))}

    def rows(self, text):
        return [[float(x) for x in line.split(",")] for line in text.splitlines()[1:]]

    def test_an_exchange_of_who_moves_the_body_is_not_seen(self):
        logs = self.logs("--scenario", "plain") | self.logs("--scenario", "exchanged", folder="other")
        plain, exchanged = self.rows(logs["plain.csv"]), self.rows(logs["exchanged.csv"])
        self.assertEqual(len(plain), 501)
        for a, b in zip(plain, exchanged):
            for x, y in zip(a, b):
                self.assertLessEqual(abs(x - y), 1e-12, a)
        for t, z, v in plain:  # and it is the fall in a vacuum
            self.assertLess(abs(z - (200 + 3 * t - 0.5 * 9.81 * t * t)), 1e-9)
            self.assertLess(abs(v - (3 - 9.81 * t)), 1e-11)

    def test_another_physics_goes_on_where_the_first_one_was(self):
        before, after = self.logs("--scenario", "plain"), self.logs("--scenario", "busy", folder="other")
        rows = self.rows(after["busy.csv"])
        for a, b in zip(self.rows(before["plain.csv"]), rows[:201]):  # Air acts from 2 s on
            self.assertEqual(a, b[:3])
        for a, b in zip(rows, rows[1:]):  # what moves it may change, where it is may not
            self.assertLess(abs(b[1] - a[1] - 0.005 * (a[2] + b[2])), 2e-3 if b[2] > a[2] else 1e-3)
        counts = {round(r[0], 2): r[6] for r in rows}
        for at, count in ((1, 102), (2.3, 103), (2.6, 102), (3.1, 101), (4.2, 100), (4.55, 101), (4.9, 102)):
            self.assertEqual(counts[at], count, at)
        stone = {round(r[0], 2): r[4] for r in rows}
        self.assertEqual(stone[3.01], stone[5])  # the last value stays visible

    def test_the_same_bytes(self):
        once = self.logs()
        ways = [("--threads", "2"), ("--nodes", "2")] + (4 * [(), ("--threads", "2")] if SLOW else [()])
        for words in ways:
            self.assertEqual(self.logs(*words, folder="other"), once, words)

    def test_saved_and_resumed(self):
        words = ["--scenario", "busy"]
        whole = self.logs(*words)["busy.csv"].splitlines()
        instants = [0.25 * k for k in range(1, 20)] + [3.01]
        for at in instants if SLOW else few([1, 2, 2.5, 3.01, 3.5, 4.25], 2):
            self.logs(*words, "--stop-time", f"{at:.2f}", "--save-state", "s.hks", folder="first",
                      exit=None)  # expectations come later
            rest = self.logs(*words, "--load-state", "s.hks", folder="rest")["busy.csv"].splitlines()
            self.assertEqual(rest[1:], whole[len(whole) - len(rest) + 1:], at)
            self.assertGreater(len(rest), 10)


class Verbs(Case):
    def setUp(self):
        super().setUp()
        self.system = OPTIONS.models / "falling" / "falling.system"

    def test_what_others_cannot_say(self):
        for file in ("a.ssp", "a.ssd", "a.sysml"):
            done = self.hocket("convert", self.system, file, exit=3)
            self.assertIn("world 'sky' cannot be said in a", done.stderr)
            self.assertFalse((self.scratch / file).exists())

    def test_values_in_the_file(self):
        words = [word for value in ("sky.ball.Body.z=7", "sky.ball.Cloth.k=2", "sky.Gravity.g=1", "sky.ball.fmu.g=3",
                                    "sky.rain.Body.v=5") for word in ("--set", value)]
        self.hocket("convert", self.system, "b.system", *words)
        said = self.hocket("info", "b.system").stdout
        for value in ("sky.ball.Body.z = 7 m", "sky.ball.Cloth.k = 2 1/s", "sky.Gravity.g = 1 m/s2",
                      "sky.ball.fmu.g = 3 m/s2", "sky.rain.Body.v = 5 m/s"):
            self.assertIn(value, said)
        self.hocket("run", "b.system", "-o", "b.csv")
        done = self.hocket("convert", self.system, "c.system", "--set", "sky.stone.is=absent", exit=3)
        self.assertIn("'sky.stone.is' cannot be given a value in the file", done.stderr)

    def test_fused_isolated_and_as_a_tool(self):
        self.hocket("run", self.system, "-o", "a.csv")
        for words in (["--fused"], ["--isolate=sky"], ["--isolate=sky.ball.fmu"]):
            self.hocket("run", self.system, "-o", "b.csv", *words)
            self.assertEqual((self.scratch / "a.csv").read_bytes(), (self.scratch / "b.csv").read_bytes(), words)

    def test_info_lists_systems_and_entities(self):
        said = self.hocket("info", self.system).stdout
        for line in ("system Air                  priority 2, every step, inactive, writes Body.v of Body Cloth that are falling",
                     "entity ball                 Body Cloth, free, dragged, modelled or computed",
                     "entity feather              Body Cloth, dormant", "entity rain                 Body, 100 of them"):
            self.assertIn(line + "\n", said)
        sky = json.loads(self.hocket("info", self.system, "--json").stdout)["components"][0]
        self.assertEqual([s["name"] for s in sky["systems"]], ["Gravity", "Air", "Census"])
        self.assertEqual(sky["entities"][3], {"name": "rain", "count": 100, "dormant": False, "components": ["Body"],
                                              "tags": ["falling"], "variants": []})

    def test_trace_and_plan(self):
        said = self.hocket("trace", self.system, "follower.u", "--at", "1").stdout
        self.assertIn("<- sky.ball.Body.z", said)
        self.assertIn("sky.ball.fmu", self.hocket("plan", self.system).stdout)


main()
