#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Small machines, explored by hocket and by spin, which reads what `hocket prove --export-promela` writes."""
import collections
import json
import pathlib
import re
import shutil
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE))
from hocket_case import THIN, Case, call, main  # noqa: E402
from machines import SPUN, module  # noqa: E402

SPIN = shutil.which("spin") is not None


def verdicts(answer):
    """Names of what is broken (properties by their numbers), and states and transitions that are never reached."""
    broken, never, properties = set(), set(), 0
    for verdict in answer["verdicts"]:
        name, state = verdict["name"], verdict["state"]
        if name == "property":
            properties += 1
            name = f"property{properties}"
        if state == "broken":
            broken.add(name)
        if name in ("states", "transitions") and state == "differs":
            never |= {word.strip().split(".")[-1] for word in verdict["text"].split(":", 1)[1].split(",")}
    return broken, never


class Spin(Case):
    def explore(self, text, options, exit=None):
        self.write("m.rct", text)
        done = self.hocket("prove", "m.rct", "--json", "--export-promela", "m.pml", *options, exit=exit)
        return json.loads(done.stdout)

    def spin(self):
        """What spin finds broken, and what it does not reach."""
        call("spin", "-o3", "-a", "m.pml", cwd=self.folder)
        call("cc", "-O0", "-w", "-DSAFETY", "-DVECTORSZ=8192", "-o", "pan", "pan.c", cwd=self.folder)
        broken = set()
        found = call("./pan", "-m1000000", "-E", cwd=self.folder, exit=None).stdout
        self.assertIn("errors:", found)
        self.assertNotIn("max search depth too small", found)
        broken |= set(re.findall(r"assertion violated +!\((\w+)\)", found))
        self.assertEqual(bool(broken), "errors: 0" not in found, found)
        # A transition is written once for each state that it can be taken in.
        written = collections.Counter(re.findall(r'printf\("(?:enter|take) [\w.]*\.(\w+)', (self.folder / "m.pml").read_text()))
        missed = collections.Counter(re.findall(r'"printf\(.(?:enter|take) [\w.]*\.(\w+)', found))
        return broken, {name for name, count in missed.items() if count == written[name]}

    def test_what_is_expected(self):
        for name, (text, options, broken, never) in SPUN.items():
            with self.subTest(name):
                found, missed = verdicts(self.explore(text, options))
                self.assertEqual(found, broken)
                if never is not None:
                    self.assertEqual(missed, never)

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_spin_agrees(self):
        for index, (name, (text, options, broken, _)) in enumerate(SPUN.items()):
            if index % THIN:
                continue
            with self.subTest(name):
                ours = verdicts(self.explore(text, options))
                theirs = self.spin()
                if broken:  # spin stops at the first
                    self.assertTrue(theirs[0] and theirs[0] <= ours[0], (theirs, ours))
                else:
                    self.assertEqual(theirs, ours)

    def test_no_words(self):
        """What Promela cannot say is refused by name, and docs/robochart.md has all of these names."""
        named = set()
        for source in (ROOT / "src" / "explore").glob("promela*.c"):
            for call_ in re.findall(r"hk_pml_refuse\([^;]*;", source.read_text(encoding="utf-8")):
                named |= set(re.findall(r'"([^"]+)"', call_))
        self.assertGreater(len(named), 15)
        page = " ".join((ROOT / "docs" / "robochart.md").read_text(encoding="utf-8").split())
        self.assertEqual([words for words in sorted(named) if words not in page], [])
        text = module("""initial i state A {} transition t0 { from i to A }
            transition t1 { from A to A trigger a action v = v * v }""", variables="var v : real")
        self.write("m.rct", text)
        done = self.hocket("prove", "m.rct", "--export-promela", "m.pml", exit=3)
        self.assertIn("Promela has no words for a product of reals", done.stderr)
        self.assertFalse((self.folder / "m.pml").exists())

    def test_numbers_have_32_bits(self):
        """A constant that has more is refused, wherever it stands."""
        body = """initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger n ? v condition v > 1 action wait ( 2 ) }"""
        text = module(body, inputs=("n : int",), variables="var v : int = 3")
        large = "3000000000"
        for wrong, words in ((text.replace("v > 1", f"v > {large}"), ()), (text.replace("= 3", f"= {large}"), ()),
                             (text.replace("wait ( 2 )", f"wait ( {large} )"), ()), (text, ("--property", f"never v == {large}")),
                             (text, ("--range", f"n={large}"))):
            with self.subTest(words=words):
                self.write("m.rct", wrong)
                words = words if "--range" in words else (*words, "--range", "n=0,2")
                done = self.hocket("prove", "m.rct", "--export-promela", "m.pml", *words, exit=3)
                self.assertIn("Promela has no words for a number that does not fit in 32 bits", done.stderr)

    @unittest.skipUnless(SPIN, "spin is not installed")
    def test_what_becomes_too_large_is_an_assertion(self):
        """Also in a condition, and not where it is not computed."""
        body = "initial i state A {} transition t0 { from i to A } transition t1 { from A to A trigger a "
        for rest, wanted in (("action v = v * 65536 }", {"overflow"}), ("condition v * w > 0 action v = 70000 ; w = 70000 }", {"overflow"}),
                             ("condition v < 9 /\\ v * w >= 0 action v = 70000 ; w = 70000 }", set()),
                             ("action v = if v < 9 then v + 60000 else v - 60000 end }", set())):
            with self.subTest(rest):
                self.explore(module(body + rest, inputs=("a",), outputs=("x",), variables="var v : int = 1 , w : int = 1"), [])
                self.assertEqual(self.spin()[0], wanted)

    def test_rounding_is_told(self):
        """Tenths are exact there, and not in a run."""
        text = SPUN["halves"][0]
        self.write("m.rct", text)
        self.assertNotIn("a run rounds", self.hocket("prove", "m.rct", "--export-promela", "m.pml").stderr)
        self.write("m.rct", text.replace("0.5", "0.1"))
        self.assertIn("whole multiples of 1/10 in the Promela", self.hocket("prove", "m.rct", "--export-promela", "m.pml", "--states", "100",
                                                                            exit=None).stderr)

    def test_what_is_left_out_is_told(self):
        text = SPUN["nothing is wrong"][0]
        self.write("m.rct", text)
        done = self.hocket("prove", "m.rct", "--export-promela", "m.pml", "--property", "reachable states")
        self.assertIn("left out of the Promela: reachable states", done.stderr)

    def test_same_text(self):
        text, options = SPUN["states in a state"][:2]
        self.explore(text, options)
        first = (self.folder / "m.pml").read_text()
        self.explore(text, options)
        self.assertEqual(first, (self.folder / "m.pml").read_text())


if __name__ == "__main__":
    main()
