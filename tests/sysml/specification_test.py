#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runs is held to another file than its own: whatever that says otherwise is found, in phases and without them."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

BLOCK = '''  #ecomponent part def %s {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "%s"; cycle = %s; }
%s  }
'''
U = "    in attribute u : Real = 0.0;\n"
Y = "    out attribute y : Real;\n"
GAIN = BLOCK % ("Gain", "hk.Gain", "0.1", "    #parameter attribute gain : Real = -2.0;\n" + U + Y)
ROOM = BLOCK % ("Room", "hk.Integrator", "0.2", "    #parameter attribute start : Real = 15.0;\n" + U + Y)
SUM = BLOCK % ("Sum", "hk.Sum", "0.1", "    in attribute a : Real = 0.0;\n    in attribute b : Real = 0.0;\n" + Y)
HOUSE = ("package House {\n  private import ScalarValues::*;\n  private import CoSim::*;\n"
         "  #system part def House { part gain : Gain; part room : Room; part sum : Sum; }\n" + GAIN + ROOM + SUM
         + "  part house : House { flow from gain.y to room.u; flow from room.y to gain.u; flow from room.y to sum.a;"
         " flow from gain.y to sum.b; }\n}\n")

MODULE = """package P
enumeration Colour { red green blue }
interface Vars { var v : real }
module M {
  robotic platform Body { provides Vars event go }
  controller C { requires Vars event go
    stm S { requires Vars event go const k : Colour = Colour::green, ready : boolean = true
      initial i state A {} state B {} transition t { from i to A } transition u { from A to B trigger go } }
    connection C on go to S on go }
  connection Body on go to C on go (_async)
}
"""

# What the other file says, and what is then said about the run of this one.
OTHERS = [
    ([("cycle = 0.2", "cycle = 0.4")], "step room every 0.2 s: the file says every 0.4 s"),
    ([("cycle = 0.1", "cycle = 0.3")], "step gain every 0.1 s: the file says every 0.3 s"),
    ([(" cycle = 0.2;", ""), (" cycle = 0.1;", "")], "step room every 0.2 s: others step every 0.1 s"),
    ([("start : Real = 15.0", "start : Real = 15.5")], "set room.start: the file says another value"),
    ([("in attribute b : Real = 0.0", "in attribute b : Real = 0.5")], "set sum.b: the file says another value"),
    ([("    in attribute b : Real = 0.0;\n", ""), (" flow from gain.y to sum.b;", "")],
     "set sum.b carries the value of gain.y: no block of the file declares sum.b"),
    ([(GAIN, GAIN.replace(Y, "")), ("flow from gain.y to room.u; ", ""), (" flow from gain.y to sum.b;", "")],
     "set room.u carries the value of gain.y: no block of the file declares gain.y"),
    ([("flow from gain.y to sum.b", "flow from room.y to sum.b")],
     "set sum.b carries the value of gain.y instead of room.y"),
]
# The same where an input is reactive: there are no phases.
REACTIVE = [
    ([("in attribute a : Real = 0.0 { @reactive; }", "in attribute a : Real = 0.0;")],
     "set sum.a carries the value of room.y from the end of the step: the file says from its beginning"),
    ([("in attribute b : Real = 0.0;", "in attribute b : Real = 0.0 { @reactive; }")],
     "set sum.b carries the value of gain.y from the beginning of the step: the file says from its end"),
    ([("    #parameter attribute start : Real = 15.0;\n", "    #parameter attribute start : Real = 15.0;\n"
       "    #parameter attribute lower : Real = -100.0;\n")], "nothing sets room.lower before the first get"),
    ([(" flow from gain.y to sum.b;", "")], "set sum.b carries the value of gain.y instead of none"),
]


class Specification(Case):
    def changed(self, text, changes):
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def prove(self, file, other, **more):
        return self.hocket("prove", file, "--specification", other, "--spin=never", "--stop-time", "2", **more)

    def holds(self, text, others):
        self.write("run.sysml", text)
        self.prove("run.sysml", "run.sysml")
        for changes, message in others:
            with self.subTest(message):
                self.write("other.sysml", self.changed(text, changes))
                said = self.prove("run.sysml", "other.sysml", exit=1).stdout
                self.assertRegex(said, r"(?m)^specification +broken: " + message.replace(".", r"\.") + "$")

    def test_in_phases(self):
        self.holds(HOUSE, OTHERS)

    def test_without_phases(self):
        text = HOUSE.replace("in attribute a : Real = 0.0;", "in attribute a : Real = 0.0 { @reactive; }")
        self.holds(text, OTHERS[:7] + REACTIVE)

    def test_a_flow_that_does_not_run(self):
        """Of a file with a flow more, in which there are no phases."""
        text = HOUSE.replace("in attribute a : Real = 0.0;", "in attribute a : Real = 0.0 { @reactive; }")
        self.write("run.sysml", text.replace(" flow from gain.y to sum.b;", ""))
        self.write("other.sysml", text)
        said = self.prove("run.sysml", "other.sysml", exit=1).stdout
        self.assertIn("broken: nothing sets sum.b: the file has a flow from gain.y", said)

    def test_the_step_of_the_experiment(self):
        """Blocks without a cycle have the step of the file's experiment."""
        text = HOUSE.replace(" cycle = 0.1;", "").replace("part house : House {", "part house : House { @experiment { stepSize = 0.1; }")
        self.holds(text, [([("stepSize = 0.1", "stepSize = 0.05")], "step gain every 0.1 s: the file says every 0.05 s")])

    def test_the_start_of_the_experiment(self):
        """A run begins where its file says, unless somebody asks for another time."""
        text = HOUSE.replace("part house : House {", "part house : House { @experiment { startTime = 1.5; stopTime = 3; }")
        self.holds(text, [([("startTime = 1.5", "startTime = 0.5")], "a run begins at 1.5 s: the file says at 0.5 s")])
        self.write("other.sysml", text.replace("startTime = 1.5; ", ""))
        self.prove("run.sysml", "other.sysml")
        for words, exits in (([], (0, 1, 0)), (["--start-time", "0"], (1, 0, 0))):
            self.hocket("run", "run.sysml", "--trace", "calls.jsonl", "-q", "-o", "run.csv", *words)
            self.hocket("prove", "run.sysml", "--trace", "calls.jsonl", exit=exits[0])
            self.hocket("prove", "other.sysml", "--trace", "calls.jsonl", exit=exits[1])
            self.hocket("prove", "run.sysml", "--trace", "calls.jsonl", *words, exit=exits[2])

    def test_items_and_truths(self):
        self.write("m.rct", MODULE)
        self.hocket("convert", "m.rct", "--skeleton", "m.sysml")
        text = (self.folder / "m.sysml").read_text(encoding="utf-8")
        others = [([("Colour = Colour::green", "Colour = Colour::blue")], "set controller.k: the file says another value"),
                  ([("ready : Boolean = true", "ready : Boolean = false")], "set controller.ready: the file says another value")]
        self.holds(text, others)
        self.hocket("run", "m.sysml", "--stop-time", "2", "--trace", "calls.jsonl", "-q", "-o", "run.csv")
        self.hocket("prove", "m.sysml", "--trace", "calls.jsonl")
        self.write("other.sysml", self.changed(text, others[0][0]))
        said = self.hocket("prove", "other.sysml", "--trace", "calls.jsonl", exit=1).stdout
        self.assertIn("set controller.k to 1 before the first get; the file says 2", said)

    def test_units_of_what_is_not_there(self):
        """A trace is in the units of the file where what runs cannot be asked."""
        block = BLOCK.replace("%s  }", "    %s attribute %s : Real%s { @unit { name = \"%s\"; } }\n  }")
        self.write("run.sysml", HOUSE[:HOUSE.index("  #system")] + block % ("A", "gone.fmu", "0.1", "out", "y", "", "m")
                   + block % ("B", "gone.fmu", "0.1", "in", "u", " = 0.0", "cm")
                   + "  #system part def S { part a : A; part b : B; }\n  part s : S { flow from a.y to b.u; }\n}\n")
        for value, exit in ((150, 0), (1.5, 1)):
            self.write("calls.txt", f"G a.y 1.5 ok\nS b.u {value} ok\nD a 0 0.1 ok\nD b 0 0.1 ok\n")
            self.hocket("prove", "run.sysml", "--trace", "calls.txt", exit=exit)

    def test_what_no_block_declares_is_told(self):
        self.write("run.sysml", HOUSE)
        self.write("other.sysml", self.changed(HOUSE, [("    #parameter attribute start : Real = 15.0;\n", ""),
                                                       (SUM, SUM.replace(Y, ""))]))
        said = self.prove("run.sysml", "other.sysml").stderr
        self.assertIn("other.sysml: note: no block declares 'room.start', which a run reads or gives a value: passed over", said)
        said = self.hocket("prove", "run.sysml", "--specification", "other.sysml", "--view", "strict", "--spin=never",
                           "--stop-time", "1").stderr
        self.assertIn("'room.start', which a run reads or gives a value; so it is with 1 other: passed over", said)


if __name__ == "__main__":
    main()
