#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Acceptance tests of RoboChart (C1 to C10) and of its FMUs (F1 to F6): each is a test whose name begins with its number, here
or in one of the files that the last test looks through."""
import pathlib
import re
import resource
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE)]
import fragments_test  # pylint: disable=wrong-import-position
from hocket_case import Case, main, slow  # pylint: disable=wrong-import-position

ROOT = HERE.parents[1]
PAGE = (ROOT / "docs" / "robochart.md").read_text(encoding="utf-8")
GOOD = {"reconstruction": HERE / "good" / "rover.rct", "detector (A)": HERE / "good" / "chemical.rct",
        "detector (B)": HERE / "good" / "autonomous" / "Detector.rct", "constructs": HERE / "good" / "constructs" / "Whole.rct"}
# The rules of the facts, section 3.3, as far as they have a name in the reference tool; the others have words.
RULES = """S2 IJ1 IJ2 FS1 FS2 FS3 J1 J3 T1 T2 PJ1 PJ2 PJ3 PT1 STM3 STM4 M1 C1 C2 RP1 I1 I2 Cn1 Cn2 Cn3 Cn10 Tg TT1 TE1 TE2 TE3 TS1
    clocks required once types parameter""".split()


class Acceptance(Case):
    one, variables, look = fragments_test.Fragments.one, fragments_test.Fragments.variables, fragments_test.Fragments.look

    def test_c1_all_constructs_are_read(self):
        """Each word and mark of the grammar is in a file that is read, checked, described and printed, and is the same when it is
        read again; so are the two public detectors and the reconstruction."""
        for name, path in GOOD.items():
            with self.subTest(name):
                self.hocket("check", path)
                self.hocket("info", path)
                for file in sorted(path.parent.glob("*.rct")) if name in ("constructs", "detector (B)") else [path]:
                    self.write(f"again/{file.name}", self.hocket("fmt", file).stdout)
                self.assertEqual(self.hocket("fmt", f"again/{path.name}").stdout, (self.folder / "again" / path.name).read_text())
                self.assertEqual(self.hocket("info", f"again/{path.name}").stdout.replace("again/", ""),
                                 self.hocket("info", path.name, cwd=path.parent).stdout)
        grammar = re.search(r"    file       = .*?\n\n", PAGE, re.S)[0]
        texts = "".join(file.read_text(encoding="utf-8") for file in GOOD["constructs"].parent.glob("*.rct"))
        words = {word.strip() for word in re.findall(r"'([^']+)'", grammar)}
        self.assertGreater(len(words), 75)
        self.assertEqual([word for word in sorted(words) if word.replace(" ", "") not in texts.replace(" ", "")], [])
        operators = re.search(r"Operators, from those .*?\n\n", PAGE, re.S)[0]
        words = set(re.findall(r"`([^`\w\s]+|iff|in|not|cat)`", operators))
        texts += "".join(file.read_text(encoding="utf-8") for file in (HERE / "fragments").glob("*.rct"))
        self.assertEqual([word for word in sorted(words) if word not in texts], [])

    def test_c1_what_is_outside_of_the_subset_is_refused_by_name(self):
        files = sorted((HERE / "expected").glob("subset_*.txt"))
        self.assertGreater(len(files), 20)
        for file in files:
            self.assertRegex(file.read_text(encoding="utf-8"), r"not in hocket's subset: \S", file.name)

    def test_c2_a_file_for_each_rule(self):
        """It breaks that rule and no other: one error. What each says is compared by chart_wrong."""
        table = re.search(r"\| rule \| what holds \|\n.*?\n\n", PAGE, re.S)[0]
        documented = set(re.findall(r"\w+", " ".join(re.findall(r"(?m)^\| ([\w, ]+?) \|", table)))) - {"rule"}
        self.assertEqual(documented, set(RULES))
        broken = set()
        for file in sorted((HERE / "expected").glob("rule_*.txt")):
            said = file.read_text(encoding="utf-8")
            self.assertIn("1 error, ", said, file.name)
            broken |= set(re.search(r"\(rules? ([\w, ]+)\)", said)[1].split(", "))
        self.assertEqual(broken, set(RULES))

    def test_c3_tables_of_the_examples(self):
        """The table of the detector is in chart_component."""
        for name in ("simfw", "simfw_marxbot", "exec_echo", "machines_sync", "controllers_sync"):
            self.one(name)

    def test_c4_deadlines(self):
        """A statement, an input and a trigger that come too late, and in time; double emissions."""
        for name in ("deadline_missed", "deadline_receive", "deadline_met", "trigger_deadline_missed", "trigger_deadline_met",
                     "timelock_event", "timelock_operation", "timelock_effect"):
            self.one(name)

    def test_c7_guard_on_the_received_value(self):
        """`cd?c` with `c == left` does not take `right`: detector (A), whose own transitions do, without that one."""
        self.one("trigger_guard_on_value")
        text = GOOD["detector (A)"].read_text(encoding="utf-8")
        less = re.sub(r"transition \w+ \{[^{}]*Command::right[^{}]*\}", "", text)
        self.assertNotEqual(less, text)
        self.write("in.csv", "time,cd,cd_value\n0,0,left\n2,1,right\n3,0,left\n4,1,left\n5,0,left\n")
        for words, turns in ((text, ["2", "4"]), (less, ["4"])):
            self.write("m.rct", words)
            self.hocket("run", "m.rct", "--stop-time", "8", "--set", "flagTime=2", "--input-file", "in.csv", "--output-variable",
                        "ChemicalDetectorSoftware.turn", "-o", "out.csv")
            rows = [line.split(",") for line in (self.folder / "out.csv").read_text().splitlines()[1:]]
            self.assertEqual([time for time, turn in rows if float(turn) == 1], turns)

    def test_c8_during_is_interrupted_entry_is_not(self):
        for name in ("during_interrupted", "during_goes_on", "entry_not_interrupted", "event_at_end_of_entry",
                     "pair_during_deadline_interrupted", "operation_in_during_aborted"):
            self.one(name)

    @slow
    def test_c10_a_million_cycles_a_second(self):
        """Of detector (C), by its interpreter, in processor time of the whole program, which also reads and plans."""
        cycles = 4_000_000
        self.write("in.csv", "time,l,r,alarm\n0,0,0,0\n3,1,0,0\n4,0,0,0\n7,0,0,1\n8,0,0,0\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.hocket("run", GOOD["reconstruction"], "--stop-time", cycles, "--input-file", "in.csv", "-q")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(took, cycles / 1e6)

    def test_every_number_is_a_test(self):
        wanted = {f"c{k}" for k in range(1, 11)} | {f"f{k}" for k in range(1, 7)}
        found = set()
        for file in (HERE / "acceptance_test.py", HERE / "component_test.py", ROOT / "tests" / "chart_code" / "fmu_test.py",
                     ROOT / "tests" / "detector" / "detector_test.py"):
            found |= set(re.findall(r"def test_([cf]\d+)_", file.read_text(encoding="utf-8")))
        self.assertEqual(wanted, found)


if __name__ == "__main__":
    main()
