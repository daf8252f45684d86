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

MODULE = """package P
enumeration Colour { red green blue }
interface Vars { var v : Colour }
interface Ops { paint(c : Colour) }
module M {
  robotic platform Body { provides Vars provides Ops event go : Colour }
  controller C { requires Vars requires Ops event go : Colour
    stm S { requires Vars requires Ops event go : Colour var x : Colour const k : Colour = Colour::red
      initial i state A {} state B {} transition t { from i to A } transition u { from A to B trigger go?x } }
    connection C on go to S on go }
  connection Body on go to C on go (_async)
}
"""


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

    def test_items_are_the_same_in_the_same_order(self):
        self.write("m.rct", MODULE)
        self.hocket("convert", "m.rct", "--skeleton", "m.sysml")
        block = (self.folder / "m.sysml").read_text(encoding="utf-8")
        self.assertNotIn("HK0441", self.check(block))
        for items in ("red; blue; green", "red; green", "red; green; blue; black", "red; green; grey"):
            said = self.check(block.replace("    red;\n    green;\n    blue;\n", f"    {items};\n"), exit=1)
            shown = f"Colour ({items.replace(';', ',')})"
            self.assertEqual([line.split("]: ")[1] for line in said.splitlines() if "HK0441" in line], [
                f"M1: the value of an event, 'go_value' of module 'M' is of type Colour (red, green, blue), and port 'go_value' of "
                f"'M' is of type {shown}",
                f"M2: variable 'v' of module 'M' is of type Colour (red, green, blue), and port 'v' of 'M' is of type {shown}",
                f"M3: the argument of an operation, 'paint_c' of module 'M' is of type Colour (red, green, blue), and port "
                f"'paint_c' of 'M' is of type {shown}",
                f"M4: constant 'k' of module 'M' is of type Colour (red, green, blue), and 'k' of block 'M' is of type {shown}"])

    def test_time_units_of_instances_and_in_other_units(self):
        unit = "    #parameter attribute timeUnit : Real = 0.1"
        use = ("  part cds : ChemicalDetectionSystem {\n", "  part cds : ChemicalDetectionSystem {\n    part :>> controller {\n"
               "      :>> timeUnit = %s;\n    }\n")
        milli = (unit + ";", '    #parameter attribute timeUnit : Real = %s { @unit { name = "ms"; } }')
        for changes, cycle in (([(use[0], use[1] % "0.1")], None),
                               ([(use[0], use[1] % "0.25")], "' in 'controller' is 0.25 s"),
                               ([(milli[0], milli[1] % "100.0")], None),
                               ([(milli[0], milli[1] % "0.1")], "' is 0.0001 s"),
                               ([(milli[0], milli[1] % "100.0"), (use[0], use[1] % "50.0")], "' in 'controller' is 0.05 s")):
            text = self.changed(changes)
            said = self.check(text, exit=1 if cycle else 0)
            lines = [line for line in said.splitlines() if "HK0441" in line]
            self.assertEqual(len(lines), 1 if cycle else 0, said)
            if cycle:
                self.assertIn(f"M5: the cycle of block 'ChemicalDetector' is 0.1 s, and that of module 'ChemicalDetector{cycle}", lines[0])
                if "in 'controller'" in cycle:
                    self.assertIn(":>> timeUnit", text.splitlines()[int(lines[0].split(":")[1]) - 1])

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
