#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rules between a RoboChart module and its block: the detector with one thing changed breaks one rule only."""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

BLOCK = "  #ecomponent part def ChemicalDetector"
# Rule, what is replaced by what in the block, the message, and what its line begins with.
BROKEN = [
    ("M1", [("    out item lightOff;\n", "")],
     "event 'lightOff' of module 'ChemicalDetector' is not a port of block 'ChemicalDetector'", BLOCK),
    ("M1", [("    out item lightOn;", "    in item lightOn;")],
     "event 'lightOn' of module 'ChemicalDetector' is an output of its block, and port 'lightOn' of 'ChemicalDetector' is not",
     "    in item lightOn"),
    ("M1", [("    out item lightOn;", "    out attribute lightOn : Real;")],
     "event 'lightOn' of module 'ChemicalDetector' has no type, and port 'lightOn' of 'ChemicalDetector' is of type Real",
     "    out attribute lightOn"),
    ("M2", [("    out attribute ls : Real;", "    out attribute ls : Integer;")],
     "variable 'ls' of module 'ChemicalDetector' is of type Real, and port 'ls' of 'ChemicalDetector' is of type Integer",
     "    out attribute ls"),
    ("M3", [("    out item ReleaseFlag;\n", "")],
     "operation 'ReleaseFlag' of module 'ChemicalDetector' is not a port of block 'ChemicalDetector'", BLOCK),
    ("M4", [("    in item l;\n", "    #parameter attribute speed : Real = 1.0;\n    in item l;\n")],
     "'speed' of block 'ChemicalDetector' is not a constant of module 'ChemicalDetector'", "    #parameter attribute speed"),
    ("M4", [("attribute alarm_edge : Boolean = true;", "attribute alarm_edge : Real = 1.0;")],
     "constant 'alarm_edge' of module 'ChemicalDetector' is of type Boolean, and 'alarm_edge' of block 'ChemicalDetector' is "
     "of type Real", "    #parameter attribute alarm_edge"),
    ("M5", [('fmu = "ChemicalDetector.rct";\n      cycle = 0.1;', 'fmu = "ChemicalDetector.rct";\n      cycle = 0.2;')],
     "the cycle of block 'ChemicalDetector' is 0.2 s, and that of module 'ChemicalDetector' is 0.1 s", BLOCK),
    ("M5 into-sysml", [("ComponentKind::cyber", "ComponentKind::subsystem")],
     "block 'ChemicalDetector' runs module 'ChemicalDetector', and is not cyber", BLOCK),
    ("M6", [("    in item l;\n", "    in item l;\n    out item bump;\n")],
     "port 'bump' of block 'ChemicalDetector' is not an event, variable or operation of module 'ChemicalDetector'",
     "    out item bump"),
]


class Module(Case):
    def setUp(self):
        super().setUp()
        detector = self.options.models / "detector"
        self.text = (detector / "detector.sysml").read_text(encoding="utf-8")
        shutil.copy(detector / "ChemicalDetector.rct", self.folder)
        for name in ("Arena", "ChemDHW", "MobilityHw", "WallSensor"):
            shutil.copy(self.options.models / "detector_ssp" / "resources" / f"{name}.fmu", self.folder)

    def check(self, text, *words, exit=0):
        self.write("model.sysml", text)
        return self.hocket("check", *words, "model.sysml", exit=exit).stdout

    def changed(self, changes):
        text = self.text
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        return text

    def test_one_of_several_modules(self):
        """What cannot be opened is told with the block that asks for it, and how one of several is named."""
        self.write("two.rct", "package p\nmodule A { }\nmodule B { }\n")
        fmu = 'fmu = "ChemicalDetector.rct";'
        at = next(i for i, line in enumerate(self.text.splitlines(), 1) if line.startswith(BLOCK))
        for other in ('fmu = "two.rct";', 'fmu = "two.rct"; type = "C";'):
            done = self.check(self.changed([(fmu, other)]), exit=None)
            self.assertIn(f"model.sysml:{at}:3: note: EComponent 'ChemicalDetector' runs it; type = \"NAME\"", done)
        done = self.check(self.changed([(fmu, 'fmu = "ChemicalDetector.rct#ChemicalDetector";')]), exit=1)
        self.assertIn('hint: write fmu = "FILE"; type = "NAME"; for one of several in a file', done)
        self.check(self.changed([(fmu, fmu + ' type = "ChemicalDetector";')]))

    def test_the_detector_keeps_them(self):
        self.assertNotIn("HK0441", self.check(self.text))

    def test_each_rule_alone(self):
        for rule, changes, message, begins in BROKEN:
            with self.subTest(rule=rule, message=message):
                name, _, profile = rule.partition(" ")
                text = self.changed(changes)
                said = self.check(text, *(["--profile", profile] if profile else []), exit=1)
                lines = [line for line in said.splitlines() if "[HK0441]: " in line]
                self.assertEqual(len(lines), 1, said)
                self.assertIn(f"error[HK0441]: {name}: {message}", lines[0])
                at = int(lines[0].split(":")[1])
                self.assertTrue(text.splitlines()[at - 1].startswith(begins), said)

    def test_order(self):
        """Several are reported in the order of their numbers."""
        text = self.changed(BROKEN[9][1] + BROKEN[7][1] + BROKEN[4][1] + BROKEN[3][1] + BROKEN[1][1])
        said = self.check(text, exit=1)
        rules = [line.split("[HK0441]: ")[1].split(":")[0] for line in said.splitlines() if "[HK0441]: " in line]
        self.assertEqual(rules, ["M1", "M2", "M3", "M5", "M6"])

    def test_they_can_be_silenced_and_are_not_of_fmi(self):
        text = self.changed(BROKEN[0][1])
        self.check(text, "--rule", "M1=off")
        self.check(text, "--profile", "fmi")

    def test_rules_alone_open_nothing(self):
        (self.folder / "ChemicalDetector.rct").unlink()
        self.check(self.text, "--level", "rules")
        self.check(self.text, exit=None)

    def test_a_module_as_a_system_file_keeps_them(self):
        """What convert writes of a RoboChart module is its block."""
        self.write("x.system", 'system x {\n  composite root {\n    leaf c : "ChemicalDetector.rct" {\n      period 100ms;\n'
                   "      param timeUnit = 0.1s;\n    }\n  }\n}\n")
        self.hocket("convert", "x.system", "x.sysml")
        self.assertNotIn("M", [line.split("]: ")[1][:1] for line in
                               self.hocket("check", "--profile", "robotics", "x.sysml", exit=None).stdout.splitlines()
                               if "HK0441" in line])


if __name__ == "__main__":
    main()
