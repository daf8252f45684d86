#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each rule of the profile by a file that breaks only it: the detector of the paper with one thing changed."""
import pathlib
import resource
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

DETECTOR = (HERE / "models" / "detector.sysml").read_text(encoding="utf-8")
FLOWS = "  part cds : ChemicalDetectionSystem {\n"
PO = "  #pocomponent part def Motor {\n    @POComponent { kind = ComponentKind::physical; }\n  }\n"
WALL = "  #ecomponent part def WallSensor {\n"

# Rule, what is replaced by what in the detector, the message, and the text that its line begins with. A name of a rule
# with a profile behind it is for that one.
BROKEN = [
    ("E1", [("    part arena : Arena;\n", "    part arena : Arena;\n    part motor : Motor;\n"),
            (FLOWS, PO + FLOWS)],
     "E1: block 'Motor' (POComponent) cannot be a direct component of System 'ChemicalDetectionSystem'; only EComponent "
     "and LComponent blocks can", "    part motor"),
    ("E2a", [(FLOWS, "  #roboticPlatform part def Second;\n" + FLOWS)],
     "E2a: second RoboticPlatform block 'Second'; a model has at most one ('Rover' is declared in line 28)",
     "  #roboticPlatform part def Second"),
    ("E2b", [("    part wallSensor", "    part motor : Motor;\n    part wallSensor"), (FLOWS, PO + FLOWS)],
     "E2b: LComponent 'Rover' cannot contain POComponent 'Motor'", "    part motor"),
    ("E2c", [("    part wallSensor", "    part weather : Weather;\n    part wallSensor"),
             (FLOWS, "  #environment part def Weather;\n" + FLOWS)],
     "E2c: Environment block 'Weather' is nested in 'Rover'", "    part weather"),
    ("E3", [("    in item l;", "    in item l = 0.0;")],
     "E3: port 'l' of 'ChemicalDetector' has no type, so it cannot have an initial value", "    in item l"),
    ("E3", [("    in item l;", '    in item l { @unit { name = "m"; } }')],
     "E3: port 'l' of 'ChemicalDetector' has no type, so it cannot have a unit", "    in item l"),
    ("E3", [("    out item lightOn;", "    out item lightOn[2];")],
     "E3: port 'lightOn' of 'ChemicalDetector' has no type, so it cannot have a size", "    out item lightOn"),
    ("E3", [(FLOWS, FLOWS + "    part :>> controller {\n      :>> l = 1.0;\n    }\n")],
     "E3: port 'l' of 'controller' has no type, so it cannot have an initial value", "      :>> l"),
    ("E4", [('kind = ComponentKind::physical;\n      platform = "Simulink";\n      modelType = '
             'ModelType::continuous;\n      fmu = "Arena.fmu";',
             'kind = ComponentKind::physical;\n      modelType = ModelType::continuous;\n      fmu = "Arena.fmu";')],
     "E4: EComponent 'Arena' has no platform", "  #ecomponent part def Arena"),
    ("R1a", [(FLOWS, "  #system part def Other;\n" + FLOWS)],
     "R1a: model has 2 System blocks; exactly one is required", "  #system part def Other"),
    ("R1b", [("    part controller : ChemicalDetector;\n",
              "    part controller : ChemicalDetector;\n    out attribute x : Real;\n")],
     "R1b: System block 'ChemicalDetectionSystem' declares flow port 'x'; a System block cannot have flow ports",
     "    out attribute x"),
    ("R2", [("    part wallSensor", "    out attribute x : Real;\n    part wallSensor")],
     "R2: RoboticPlatform 'Rover' declares flow port 'x'; only EComponent blocks carry ports", "    out attribute x"),
    ("R3a", [(FLOWS, '  #ecomponent part def Brain {\n    @EComponent { kind = ComponentKind::cyber; platform = '
              '"RoboChart"; modelType = ModelType::discrete; fmu = "b.rct"; }\n  }\n' + FLOWS)],
     "R3a: second cyber component 'Brain' ('ChemicalDetector' in line 11 is already cyber); put all software in one "
     "RoboChart module", "  #ecomponent part def Brain"),
    ("R3b", [('platform = "RoboChart"', 'platform = "Simulink"'), ("    in item l;", "    in attribute l : Real = 0;"),
             ("    in item r;", "    in attribute r : Real = 0;"), ("    in item alarm;", "    in attribute alarm : Real = 0;")],
     "R3b: cyber component 'ChemicalDetector' has platform \"Simulink\"; the robotics profile requires \"RoboChart\"",
     "  #ecomponent part def ChemicalDetector"),
    ("R3c", [("ComponentKind::cyber", "ComponentKind::subsystem")],
     "R3c: no cyber component; the robotics profile needs exactly one RoboChart EComponent", "package"),
    ("R3c", [("    part controller : ChemicalDetector;\n", "")]
     + [(f"    flow c{i} of Real from {ends};\n", "") for i, ends in (
         (3, "rover.wallSensor.wright to controller.r"), (4, "rover.wallSensor.wleft to controller.l"),
         (5, "rover.chemDetect.detected to controller.alarm"), (6, "controller.ls to rover.mobility.ls"),
         (7, "controller.'as' to rover.mobility.'as'"))],
     "R3c: the system has no cyber component: no part of it is of block 'ChemicalDetector'",
     "  #ecomponent part def ChemicalDetector"),
    ("R3d", [("ModelType::discrete", "ModelType::continuous")],
     "R3d: RoboChart component 'ChemicalDetector' must have modelType discrete", "  #ecomponent part def ChemicalDetector"),
    ("R4a", [("threshold : Real = 0.3", "threshold : Real")],
     "R4a: parameter 'threshold' of 'WallSensor' has no initial value", "    #parameter attribute threshold"),
    ("R4a", [("    #parameter attribute threshold", "    #varInit attribute seen : Real;\n    #parameter attribute threshold")],
     "R4a: variable 'seen' of 'WallSensor' has no initial value", "    #varInit attribute seen"),
    ("R4b", [("    in attribute slope : Real = 0.0;", "    in attribute slope : Real;")],
     "R4b: input 'slope : Real' of 'MobilityHw' has no initial value", "    in attribute slope"),
    ("R5", [("from rover.chemDetect.detected to controller.alarm", "from arena.concentration to controller.alarm")],
     "R5: c5 links controller 'controller.alarm' to 'arena.concentration', which is not part of the robotic platform",
     "    flow c5"),
    ("R5", [("from controller.ls to rover.mobility.ls", "from controller.ls to arena.speed"),
            ("    in attribute position", "    in attribute speed : Real = 0.0;\n    in attribute position")],
     "R5: c6 links controller 'controller.ls' to 'arena.speed', which is not part of the robotic platform", "    flow c6"),
    ("R5", [("  #roboticPlatform part def Rover", "  #environment part def World {\n    part air : ChemDHW;\n  }\n"
             "  #lcomponent part def Rover"), ("    part arena : Arena;\n", "    part arena : Arena;\n    part world : World;\n"),
            ("from controller.ls to rover.mobility.ls", "from controller.ls to world.air.concentration")],
     "R5: c6 links controller 'controller.ls' to 'world.air.concentration', which is not part of the robotic platform",
     "    flow c6"),
    ("R5w", [("#roboticPlatform", "#lcomponent")],
     "R5w: R5 cannot be checked: mark the platform with #roboticPlatform or the environment with #environment",
     "  part cds"),
    ("R6", [("    in attribute position", "    part motor : Motor;\n    in attribute position"), (FLOWS, PO + FLOWS)],
     "R6: POComponent 'Motor' inside Simulink component 'Arena' is not needed; its structure is in the Simulink diagram",
     "    part motor"),
    ("R6", [("    in item l;", "    part motor : Motor;\n    in item l;"), (FLOWS, PO + FLOWS)],
     "R6: POComponent 'Motor' inside RoboChart component 'ChemicalDetector' is not needed; its structure is in the RoboChart "
     "diagram", "    part motor"),
    ("R7", [("    out attribute detected : Real;", "    out attribute detected : Integer;"),
            ("flow c5 of Real", "flow c5 of Integer")],
     "R7: event 'controller.alarm' is connected to 'rover.chemDetect.detected : Integer'; events can only be connected to "
     "ports of type Real (0.0 absent, 1.0 present) of a block that is not RoboChart", "    flow c5"),
    ("R7", [("from rover.chemDetect.detected to controller.alarm", "from controller.lightOn to controller.alarm"),
            ("#roboticPlatform part def Rover", "#lcomponent part def Rover"), (FLOWS, "  #environment part def Air;\n" + FLOWS),
            ("    part arena : Arena;\n", "    part arena : Arena;\n    part air : Air;\n")],
     "R7: event 'controller.lightOn' is connected to 'controller.alarm : no type'; events can only be connected to ports of "
     "type Real (0.0 absent, 1.0 present) of a block that is not RoboChart", "    flow c5"),
    ("WF2", [(FLOWS, "  enum def Color { red; green; red; }\n" + FLOWS)],
     "WF2: enumeration 'Color' has two items 'red'", "  enum def Color"),
    ("WF3", [("    out attribute slope : Real;\n", "    out attribute slope : Real;\n    dependency from position to "
              "direction { @feedthrough; }\n")],
     "WF3: input 'position' of 'Arena' cannot declare dependencies", "    in attribute position"),
    ("WF3", [("    out attribute slope : Real;\n", "    out attribute slope : Real;\n    dependency from slope to "
              "walls { @feedthrough; }\n")],
     "WF3: output 'slope' of 'Arena' cannot depend on output 'walls'", "    out attribute slope"),
    ("WF4", [(FLOWS, PO.replace("::physical", "::subsystem") + FLOWS)],
     "WF4: POComponent 'Motor' is a subsystem, and only an EComponent can be one", "  #pocomponent part def Motor"),
    ("WF6", [("    in attribute position", "    part motor : Motor;\n    in attribute position"),
             (FLOWS, "  #lcomponent part def Motor;\n" + FLOWS)],
     "WF6: EComponent 'Arena' cannot contain LComponent 'Motor'; only POComponent blocks can be in it", "    part motor"),
    ("WF7", [(FLOWS, PO.replace("  }\n", "    part inner : Inner;\n  }\n", 1) + PO.replace("Motor", "Inner") + FLOWS)],
     "WF7: POComponent 'Motor' contains 'inner', and may contain nothing", "    part inner"),
    ("C1", [("from arena.slope to rover.mobility.slope", "from rover.mobility.slope to rover.mobility.slope")],
     "C1: c8 starts at input 'rover.mobility.slope'", "    flow c8"),
    ("C2", [("to controller.l;", "to controller.r;")],
     "C2: input 'controller.r' has two drivers: c3 (line 90) and c4; the co-simulation would deadlock when the values "
     "differ", "    flow c4"),
    ("C3", [("arena.slope to", "arena.slop to")], "C3: there is no port 'slop' in 'arena : Arena'", "    flow c8"),
    ("C4 strict", [("    out attribute slope : Real;", "    out attribute slope : Boolean;")],
     "C4: c8: 'arena.slope : Boolean' to 'rover.mobility.slope : Real' needs an explicit conversion", "    flow c8"),
    ("C6", [("    part chemDetect : ChemDHW;\n", "    part chemDetect : ChemDHW;\n    part chemDetect : ChemDHW;\n")],
     "C6: two parts of 'Rover' are called 'chemDetect'", "    part chemDetect"),
    ("C6", [("    in attribute position", "    part slope : Motor;\n    in attribute position"), (FLOWS, PO + FLOWS),
            ('platform = "Simulink";\n      modelType = ModelType::continuous;\n      fmu = "Arena.fmu"',
             'platform = "C";\n      modelType = ModelType::continuous;\n      fmu = "Arena.fmu"')],
     "C6: a part and a port or variable of 'Arena' are called 'slope'", "    part slope"),
    ("C6", [("    part arena : Arena;\n", "    part arena : Arena;\n    part 'rover.chemDetect' : ChemDHW;\n")],
     "C6: two instances are called 'rover.chemDetect' (the first is in line 32)", "    part 'rover.chemDetect'"),
    ("C6", [("    part arena : Arena;\n", "    part arena : Arena;\n    part air : Arena[2];\n    part 'air[2]' : ChemDHW;\n")],
     "C6: part 'air[2]' of 'ChemicalDetectionSystem' has the name of one of several instances of another", "    part 'air[2]'"),
    ("C6", [("    part arena : Arena;\n", "    part arena : Arena;\n    part 'arena.air' : ChemDHW;\n"),
            ("    out attribute walls : Real[4];", "    out attribute 'air.detected' : Real;\n    out attribute walls : Real[4];")],
     "C6: 'air.detected' of 'arena' and 'detected' of 'arena.air' are both called 'arena.air.detected'",
     "    out attribute 'air.detected'"),
    ("C7", [("    part wallSensor", "    part again : Rover;\n    part wallSensor")],
     "C7: block 'Rover' contains itself", "  #roboticPlatform part def Rover"),
]
NOTES = [
    ("C5", [("    flow c8 of Real from arena.slope to rover.mobility.slope;\n", "")],
     "C5: input 'rover.mobility.slope' is unconnected; it keeps its initial value", "    in attribute slope"),
    ("C8", [("    out attribute slope : Real;\n", "    out attribute slope : Real;\n    dependency from walls to position "
             "{ @feedthrough; }\n"),
            ("    out attribute gpspos : Real[2];\n", "    out attribute gpspos : Real[2];\n    dependency from gpspos to "
             "walls { @feedthrough; }\n")],
     "C8: algebraic loop: ", None),
]
WARNINGS = ("E2c", "R5w", "R6", "C4")


class Rules(Case):
    def check(self, text, *words, exit=0):
        self.write("model.sysml", text)
        return self.hocket("check", "--level", "rules", *words, "model.sysml", exit=exit).stdout

    def changed(self, changes):
        text = DETECTOR
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        return text

    def found(self, text, message, begins, said):
        lines = [line for line in said.splitlines() if message in line]
        self.assertEqual(len(lines), 1, said)
        if begins is not None:
            at = int(lines[0].split(":")[1])
            self.assertTrue(text.splitlines()[at - 1].startswith(begins), (at, said))

    def test_p1_the_detector_keeps_all_rules(self):
        self.assertEqual(self.check(DETECTOR), "ok: 5 components, 11 connections, profile robotics\n")
        for profile in ("into-sysml", "fmi"):
            self.check(DETECTOR, "--profile", profile)

    def test_p2_each_rule_alone(self):
        for rule, changes, message, begins in BROKEN:
            with self.subTest(rule=rule):
                name, _, strict = rule.partition(" ")
                text = self.changed(changes)
                said = self.check(text, *(["--strict"] if strict else []), exit=None)
                self.found(text, message, begins, said)
                rules = [line.split("]: ")[1].split(":")[0] for line in said.splitlines() if "[HK0441]: " in line]
                self.assertEqual(rules, [name], said)
                severity = "warning" if name in WARNINGS and not strict else "error"
                self.assertIn(f": {severity}[HK0441]: {name}:", said)

    def test_events_that_are_not_of_a_controller(self):
        """R7 is about RoboChart. Elsewhere what has no type is a Real, and types that differ need a conversion; so it is
        with events of a controller where R7 is not asked."""
        item = ("    out attribute slope : Real;", "    out item slope;")
        for into, words in (("in item slope", []), ("in attribute slope : Real = 0.0", []),
                            ("in attribute slope : Integer = 0", ["C4: c8: 'arena.slope : no type' to 'rover.mobility.slope : Integer'"])):
            text = self.changed([item, ("flow c8 of Real", "flow c8"), ("    in attribute slope : Real = 0.0", "    " + into)])
            said = self.check(text)
            self.assertEqual([line.split("]: ")[1].split(" needs")[0] for line in said.splitlines() if "HK0441" in line], words)
        text = self.changed([("    out attribute detected : Real;", "    out attribute detected : Integer;"),
                             ("flow c5 of Real", "flow c5 of Integer")])
        self.assertEqual(self.check(text, "--profile", "fmi").count("HK0441"), 0)  # a whole number is a Real
        text = text.replace("Integer", "Boolean")
        self.assertIn("C4: c5: 'rover.chemDetect.detected : Boolean' to 'controller.alarm : no type' needs",
                      self.check(text, "--profile", "fmi"))

    def test_conversions_are_meant_at_either_end(self):
        out, into = "    out attribute slope : Boolean", "    in attribute slope : Real = 0.0"
        for from_, to in ((" { @convert; }", ";"), (";", " { @convert; }")):
            text = self.changed([("    out attribute slope : Real;", out + from_), (into + ";", into + to),
                                 ("flow c8 of Real", "flow c8 of Boolean")])
            self.assertNotIn("C4", self.check(text, "--strict"))

    def test_exit_status(self):
        for rule, changes, _, _ in BROKEN:
            name, _, strict = rule.partition(" ")
            wanted = 0 if name in WARNINGS and not strict else 1
            self.check(self.changed(changes), *(["--strict"] if strict else []), exit=wanted)

    def test_instances_count_and_not_their_blocks(self):
        """A second part of the one block that there is: in the robotics profile as wrong as a second block."""
        for part, message in (
                ("    part second : Rover;\n", "E2a: 'second' is a second RoboticPlatform beside 'rover'; there are 2 "
                 "instances, and a model has one at most"),
                ("    part brain : ChemicalDetector[2];\n", "R3a: 'brain[1]' is a second cyber component beside "
                 "'controller'; there are 3 instances, and a model has one at most")):
            text = self.changed([("    part arena : Arena;\n", "    part arena : Arena;\n" + part)])
            self.found(text, message, part.split(" :")[0], self.check(text, exit=1))
            self.check(text, "--profile", "into-sysml")

    def test_how_many_and_names_of_flows(self):
        for old, new, message, begins in (
                ("    part arena : Arena;\n", "    part arena : Arena;\n    part air : Arena[*];\n",
                 "C6: part 'air' of 'ChemicalDetectionSystem' may have any of several numbers", "    part air"),
                ("    flow c8 of", "    flow c7 of", "C6: two connections are called 'c7' (the first is in line ",
                 "    flow c7 of Real from arena.slope")):
            text = self.changed([(old, new)])
            self.found(text, message, begins, self.check(text, exit=1))

    def test_units_at_the_ends_of_a_flow(self):
        slope = "    out attribute slope : Real"
        into = "    in attribute slope : Real = 0.0"
        for one, two, wrong in (("s", "rad", True), ("deg", "rad", False), ("s", None, False)):
            text = self.changed([(slope + ";", f'{slope} {{ @unit {{ name = "{one}"; }} }}'),
                                 (into + ";", into + (f' {{ @unit {{ name = "{two}"; }} }}' if two else ";"))])
            said = self.check(text, exit=1 if wrong else 0)
            if wrong:
                self.found(text, "C4: c8: 'arena.slope' is in 's' and 'rover.mobility.slope' in 'rad', and nothing converts",
                           "    flow c8", said)

    def test_a_cycle_is_above_0(self):
        text = DETECTOR.replace("cycle = ", "cycle = -", 1)
        self.found(text, "is not a time above 0", "      cycle", self.check(text, exit=None))

    def test_one_of_several(self):
        several = ("    part arena : Arena;\n", "    part arena : Arena[2];\n")
        text = self.changed([several])
        self.assertIn("hint: one of several is in quotes: 'arena[1]'.slope", self.check(text, "--profile", "fmi", exit=1))
        self.check(self.changed([several]).replace("from arena.", "from 'arena[1]'.").replace("to arena.", "to 'arena[1]'."),
                   "--profile", "fmi")

    def test_what_is_missing_is_named(self):
        """A definition that is not marked, a part or port that is misspelt, one of several ports at once."""
        text = self.changed([("  #ecomponent part def WallSensor", "  part def WallSensor")])
        line = text[:text.index("part def WallSensor")].count("\n") + 1
        self.assertIn(f"hint: write '#ecomponent part def WallSensor' in line {line}", self.check(text, exit=1))
        text = self.changed([("  #roboticPlatform part def Rover", "  part def Rover")])
        line = text[:text.index("part def Rover")].count("\n") + 1
        self.assertIn(f"hint: write '#lcomponent part def Rover' in line {line}", self.check(text, exit=1))
        for old, new in (("arena.slope to rover.mobility", "arna.slope to rover.mobility"),
                         ("to rover.mobility.slope", "to rover.mobilty.slope")):
            hint = "arena.slope" if "arna" in new else "rover.mobility.slope"
            self.assertIn(f"hint: did you mean '{hint}'?", self.check(self.changed([(old, new)]), exit=1))

    def test_ports_of_a_definition(self):
        text = self.changed([
            ("  #system part def", "  port def Slope { out attribute angle : Real; }\n  #system part def"),
            ("    in attribute slope : Real = 0.0;\n", "    port slope : Slope;\n"),
            ("    out attribute slope : Real;\n", "    port slope : Slope;\n"),
            ("    flow c8 of Real from arena.slope to rover.mobility.slope;\n",
             "    connect arena.slope to rover.mobility.slope;\n")])
        self.assertIn("ends at output 'rover.mobility.slope.angle'", self.check(text, exit=1))

    def test_standard_input_of_fmt(self):
        """A package with braces is SysML, and one without is RoboChart."""
        for text in (DETECTOR, DETECTOR[DETECTOR.index("package"):].replace("package ", "package /* a */\n", 1)):
            self.assertIn("#system part def", self.hocket("fmt", "-", input=text).stdout)

    def test_rules_can_be_silenced_and_raised(self):
        for rule, changes, message, _ in BROKEN:
            name = rule.partition(" ")[0]
            if name == "C7":
                continue  # a model that contains itself has no instances
            text = self.changed(changes)
            self.assertNotIn(message, self.check(text, "--rule", f"{name}=off", exit=None), name)
            self.check(text, "--rule", f"{name}=error", exit=1)

    def test_notes(self):
        for rule, changes, message, begins in NOTES:
            text = self.changed(changes)
            self.found(text, message, begins, self.check(text))
            self.check(text, "--rule", f"{rule}=error", exit=1)

    def test_several_robots_need_into_sysml(self):
        text = self.changed([(FLOWS, "  #roboticPlatform part def Second;\n" + FLOWS)])
        self.check(text, exit=1)
        self.check(text, "--profile", "into-sysml")

    def test_no_cyber_block_is_wrong_for_robots_only(self):
        text = self.changed([("ComponentKind::cyber", "ComponentKind::subsystem")])
        self.check(text, exit=1)
        self.check(text, "--profile", "into-sysml")
        self.check(text, "--profile", "fmi")

    def test_p3_typeless_inputs_need_no_initial_value(self):
        self.assertNotIn("R4b", self.check(DETECTOR))

    def test_wishes_that_are_wrong(self):
        for words in (["--profile", "robot"], ["--rule", "R99=off"], ["--rule", "R5"], ["--rule", "R5=loud"]):
            self.check(DETECTOR, *words, exit=2)
        self.write("x.csv", "time,a\n0,1\n")
        self.hocket("check", "--profile", "fmi", "x.csv", exit=2)

    def large(self, count):
        blocks = "".join(f"  #ecomponent part def B{i} {{\n    @EComponent {{ kind = ComponentKind::physical; platform = "
                         f'"C"; fmu = "b.fmu"; }}\n    in attribute u : Real = 0.0;\n    out attribute y : Real;\n  }}\n'
                         for i in range(count))
        parts = "".join(f"    part b{i} : B{i};\n" for i in range(count))
        values = "".join(f"    part :>> b{i} {{\n      :>> u = {i}.5;\n    }}\n" for i in range(count))
        flows = "".join(f"    flow from b{i}.y to b{(i + 1) % count}.u;\n" for i in range(count))
        text = f"package P {{\n{blocks}  #system part def S {{\n{parts}  }}\n  part s : S {{\n{values}{flows}  }}\n}}\n"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        said = self.check(text, "--profile", "into-sysml")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(said, f"ok: {count} components, {count} connections, profile into-sysml\n")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_large_models(self):
        """10,000 blocks in less than 2 s, and twice as many take about twice as long: in time of the processor, which others
        that compute beside it do not make longer."""
        small, large = min(self.large(5000) for _ in range(2)), min(self.large(10000) for _ in range(2))
        self.assertLess(large, 2)
        self.assertLess(large, 3 * small + 0.05)

    def test_p6_a_thousand_blocks_of_twenty_ports(self):
        """20 ports and 20,000 flows: each block has 20 inputs, and all of them are driven by one output more."""
        ports = "".join(f"    in attribute u{i} : Real = 0.0;\n" for i in range(20)) + "    out attribute y : Real;\n"
        head = '    @EComponent { kind = ComponentKind::physical; platform = "C"; fmu = "b.fmu"; }\n'
        blocks = "".join(f"  #ecomponent part def B{i} {{\n{head}{ports}  }}\n" for i in range(1000))
        parts = "".join(f"    part b{i} : B{i};\n" for i in range(1000))
        flows = "".join(f"    flow from b{(i + k) % 1000}.y to b{i}.u{k};\n" for i in range(1000) for k in range(20))
        text = f"package P {{\n{blocks}  #system part def S {{\n{parts}  }}\n  part s : S {{\n{flows}  }}\n}}\n"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        said = self.check(text, "--profile", "into-sysml")
        self.assertEqual(said, "ok: 1000 components, 20000 connections, profile into-sysml\n")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 0.5)

    def test_p8_boolean_to_real(self):
        """The water tank of INTO-CPS connects a Boolean with a Real: a warning, and an error where that is strict."""
        text = self.changed([("    out attribute slope : Real;", "    out attribute slope : Boolean;"),
                             ("flow c8 of Real", "flow c8 of Boolean")])
        said = self.check(text)
        self.assertIn(": warning[HK0441]: C4: c8: 'arena.slope : Boolean' to 'rover.mobility.slope : Real' needs", said)
        self.assertIn(": error[HK0441]: C4:", self.check(text, "--strict", exit=1))

    def test_p4_a_reserved_word_as_a_name(self):
        """'as' is a port, in chains too; tests/sysml/names_test.py has it in exports."""
        self.assertIn("flow c7 of Real from controller.'as' to rover.mobility.'as';", DETECTOR)
        text = self.changed([("from controller.'as'", "from controller.as")])
        self.assertIn("'as' is a word of SysML: as a name it is in single quotes", self.check(text, exit=3))

    def test_p5_round_trip(self):
        """What is printed is read as the same model, and printed the same again."""
        self.write("one.sysml", "\n".join(line.strip() for line in DETECTOR.splitlines()))
        once = self.hocket("fmt", "-", "--language", "sysml", input=(self.folder / "one.sysml").read_text()).stdout
        twice = self.hocket("fmt", "-", "--language", "sysml", input=once).stdout
        self.assertEqual(once, twice)
        self.assertEqual(self.check(once), self.check(DETECTOR))


if __name__ == "__main__":
    main()
