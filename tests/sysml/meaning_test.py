#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The meaning of a multi-model itself: the run of the detector is a trace of its file, and of no file in which one
thing is changed; what runs is proved against the text, by containment, spin and the CSP engine."""
import contextlib
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from hocket_case import Case, main  # noqa: E402

ROOT = HERE.parents[1]
WALLS = "in attribute walls : Real[4] = (10.0, 10.0, 10.0, 10.0);\n    out attribute wleft"

# What is changed in the file, the call at which its trace is not one of the changed file any more, and what the
# specification then says to the master of the unchanged one.
MUTANTS = {
    "a flow from another output": (
        [("from rover.wallSensor.wright to controller.r", "from rover.wallSensor.wleft to controller.r")],
        r"set controller\.r to 1; rover\.wallSensor\.wleft gave 0",
        "set controller.r carries the value of rover.wallSensor.wright instead of rover.wallSensor.wleft"),
    "another initial value": (
        [(WALLS, WALLS.replace("10.0, 10.0)", "9.0, 10.0)"))],
        r"event 3 .*: set rover\.wallSensor\.walls\[3\] to 10 before the first get; the file says 9",
        "set rover.wallSensor.walls: the file says another value"),
    "two flows swapped": (
        [("wright to controller.r", "wright to controller.l"), ("wleft to controller.l", "wleft to controller.r")],
        r"set controller\.l to 0; rover\.wallSensor\.wright gave 1",
        "set controller.l carries the value of rover.wallSensor.wleft instead of rover.wallSensor.wright"),
    "a flow reversed with its ports": (
        [("in item r;", "out item r;"),
         ("out attribute wright : Real;", "in attribute wright : Real = 0.0;"),
         ("from rover.wallSensor.wright to controller.r", "from controller.r to rover.wallSensor.wright")],
        r"get rover\.mobility\.gpsdir in phase INIT; still due: set rover\.wallSensor\.wright",
        "get controller.lightOn in phase INIT; still due: set rover.wallSensor.wright"),
}


class Meaning(Case):
    def setUp(self):
        super().setUp()
        built = self.options.models / "detector"
        for name in ("detector.sysml", "ChemicalDetector.rct", "WallSensor.fmu", "MobilityHw.fmu", "ChemDHW.fmu",
                     "Arena.fmu"):
            shutil.copy(built / name, self.folder)
        self.text = (self.folder / "detector.sysml").read_text(encoding="utf-8")

    def mutant(self, changes, name="mutant.sysml"):
        text = self.text
        for old, new in changes:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        return self.write(name, text)

    def trace(self):
        self.hocket("run", "detector.sysml", "--stop-time", "10", "--trace", "calls.jsonl", "-q", "-o", "run.csv")
        return "calls.jsonl"

    def test_the_run_is_a_trace_of_its_file(self):
        trace = self.trace()
        said = self.hocket("prove", "detector.sysml", "--trace", trace, "--view", "strict").stdout
        # 14 initial values; 13 outputs, 11 inputs and 5 steps in 100 cycles, and the first reading ahead of them; the
        # exchange of values before them, 10 outputs and 11 inputs: a vector is one port
        calls = f"{14 + 21 + 100 * 29 + 13:,}".replace(",", " ")
        self.assertIn(f"OK: {calls} calls in 100 cycles, phase by phase", said)
        self.assertNotIn("not in this view", said)
        said = self.hocket("prove", "detector.sysml", "--trace", trace).stdout
        self.assertIn("303 calls not in this view", said)  # three outputs that nobody takes

    def test_what_runs_need_not_be_there(self):
        trace = self.trace()
        for name in ("WallSensor.fmu", "ChemicalDetector.rct"):
            (self.folder / name).unlink()
        self.assertIn("holds: OK", self.hocket("prove", "detector.sysml", "--trace", trace, "--view", "strict").stdout)

    def test_the_trace_of_no_other_file(self):
        trace = self.trace()
        for name, (changes, call, _) in MUTANTS.items():
            with self.subTest(name):
                path = self.mutant(changes)
                said = self.hocket("prove", path, "--trace", trace, "--view", "strict", exit=1).stdout
                self.assertRegex(said, r"trace violation at .*" + call)
                answer = json.loads(self.hocket("prove", path, "--trace", trace, "--view", "strict", "--json", exit=1).stdout)
                self.assertEqual(answer["verdicts"][0]["state"], "broken")

    def test_elements_are_set_once(self):
        """Of a vector that FMI 2 has as several variables: before the first get, and in each cycle."""
        lines = (self.folder / self.trace()).read_text(encoding="utf-8").splitlines(True)
        start = next(i for i, line in enumerate(lines) if '"mode":"start"' in line and '"walls[4]"' in line)
        element = next(line for line in lines if '"mode":"start"' in line and '"walls[1]"' in line)
        step = next(i for i, line in enumerate(lines) if '"op":"step"' in line)
        again = json.loads(next(line for line in lines[:step] if '"op":"set"' in line and '"walls[1]"' in line and "mode" not in line))
        for at, line, said in ((start + 1, element, r"set rover\.wallSensor\.walls\[1\] again in phase INIT"),
                               (step, json.dumps(dict(again, ports=["walls[1]"], values=again["values"][:1])) + "\n",
                                r"only a part of rover\.\w+\.walls was set|walls\[1\], again")):
            numbered = [dict(json.loads(one), n=n) for n, one in enumerate(lines[:at] + [line] + lines[at:])]
            self.write("twice.jsonl", "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in numbered))
            for words in ([], ["--view", "strict"]):
                out = self.hocket("prove", "detector.sysml", "--trace", "twice.jsonl", *words, exit=1).stdout
                self.assertRegex(out, said)

    def test_a_trace_without_start_values(self):
        lines = (self.folder / self.trace()).read_text(encoding="utf-8").splitlines(True)
        self.write("calls.jsonl", "".join(line for line in lines if '"mode":"start"' not in line))
        said = self.hocket("prove", "detector.sysml", "--trace", "calls.jsonl").stdout
        self.assertIn("14 start values not in it", said)
        said = self.hocket("prove", "detector.sysml", "--trace", "calls.jsonl", "--view", "strict", exit=1).stdout
        self.assertIn("in phase INIT; still due: ", said)

    def test_every_assertion_holds_and_is_broken_for_each_mutant(self):
        """By containment, and by the CSP engine: the whole with one value, parts of up to three FMUs with two."""
        words = ("--view", "strict", "--csp", "--spin=never", "--stop-time", "1")
        said = self.hocket("prove", "detector.sysml", *words).stdout
        self.assertRegex(said, r"(?m)^specification +holds: every order of the 29 calls")
        self.assertRegex(said, r"(?m)^csp +holds: all 8 assertions hold with one value, and of the parts with two, .* 6 parts$")
        for name, (changes, _, spec) in MUTANTS.items():
            with self.subTest(name):
                said = self.hocket("prove", "detector.sysml", "--specification", self.mutant(changes), *words, exit=1).stdout
                self.assertRegex(said, r"(?m)^specification +broken: " + re.escape(spec))
                self.assertRegex(said, r"(?m)^csp +broken: CoSimulationT? \[T= Master")

    def test_an_export_is_read_and_holds(self):
        self.hocket("prove", "detector.sysml", "--view", "strict", "--spin=never", "--stop-time", "1", "--export-csp",
                    "detector.csp", "--values", "1")
        said = self.hocket("prove", "detector.csp").stdout
        self.assertIn("yes: all 8 assertions hold", said)
        # 2^14 - 1 + 2^13 - 1 + 2^11 - 1 + 2^5 - 1 states of the specification, and 3 in which all are ready for a phase
        self.assertRegex(said, r"CoSimulation :\[deadlock free \[F\]\]\n  holds: in 26 655 states")
        text = (self.folder / "detector.csp").read_text(encoding="utf-8")
        changed = text.replace("(fmi2Get.C4_arena.P22_arena_slope?x!fmi2OK -> SKIP)", "SKIP")
        self.assertNotEqual(changed, text)
        self.write("detector.csp", changed)
        self.assertIn("assertions are broken", self.hocket("prove", "detector.csp", exit=1).stdout)
        answer = json.loads(self.hocket("prove", "detector.csp", "--json", exit=1).stdout)
        self.assertEqual([v["state"] for v in answer["verdicts"]].count("broken"), 2)

    def test_synthesis_obeys_the_view(self):
        for view, calls in (("strict", 29), ("connected", 26)):
            said = self.hocket("prove", "detector.sysml", "--view", view, "--synthesise", "--spin=never", "--stop-time", "1").stdout
            self.assertRegex(said, rf"(?m)^specification +holds: every order of the {calls} calls")
            self.assertEqual("controller.lightOn" in said, view == "strict")

    def test_another_system_is_held_to_a_file(self):
        said = self.hocket("prove", self.options.models / "detector.ssp", "--specification", "detector.sysml",
                           "--spin=never", exit=1).stdout
        self.assertIn("still due: ", said)  # it does not set the initial values
        self.hocket("convert", "detector.sysml", "again.ssp")
        said = self.hocket("prove", "again.ssp", "--specification", "detector.sysml", "--spin=never", "--stop-time", "1").stdout
        self.assertIn("yes: the specification and the contracts hold", said)

    def test_options_that_mean_nothing(self):
        for words, message in (
                (("--specification", "detector.system"), "--specification is not a multi-model"),
                (("--values", "1"), "--values is about what --export-csp writes"),
                (("--csp", "--trace", "calls.jsonl"), "--csp looks at what a run would do")):
            self.assertIn(message, self.hocket("prove", "detector.sysml", *words, exit=2).stderr)

    def test_cycles_that_the_plan_cuts(self):
        """All inputs reactive, in a ring, a ring with a chord, and two rings: each run is a trace of its file. The first part
        of a cycle gives way; a file in which another one is first means another run."""
        block = '''  #ecomponent part def %s {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.%s"; cycle = 0.1; }
%s    out attribute y : Real;
  }
'''
        one = block % ("One", "Integrator", "    #parameter attribute start : Real = 1.0;\n"
                       "    in attribute u : Real = 0.0 { @reactive; }\n")
        two = block % ("Two", "Sum", "    in attribute a : Real = 0.0 { @reactive; }\n"
                       "    in attribute b : Real = 0.0 { @reactive; }\n")
        for parts, flows in (("One a, One b, One c", "a.y>b.u b.y>c.u c.y>a.u"),
                             ("Two a, One b, One c", "b.y>a.a c.y>a.b a.y>b.u b.y>c.u"),
                             ("One a, Two b, One c, Two d", "b.y>a.u a.y>b.a c.y>b.b d.y>c.u c.y>d.a b.y>d.b")):
            text = ("package P {\n  private import ScalarValues::*;\n  private import CoSim::*;\n" + one + two
                    + "  #system part def S {\n%s  }\n  part s : S {\n%s  }\n}\n")
            lines = [f"    part {p.split()[1]} : {p.split()[0]};\n" for p in parts.split(", ")]
            flows = "".join("    flow from {} to {};\n".format(*f.split(">")) for f in flows.split())
            self.write("ring.sysml", text % ("".join(lines), flows))
            self.hocket("run", "ring.sysml", "--stop-time", "1", "--trace", "ring.jsonl", "-q", "-o", "run.csv")
            for words in ([], ["--view", "contract"]):
                self.assertIn("OK: ", self.hocket("prove", "ring.sysml", "--trace", "ring.jsonl", *words).stdout)
            self.write("other.sysml", text % ("".join(lines[1:] + lines[:1]), flows))
            self.hocket("prove", "other.sysml", "--trace", "ring.jsonl", exit=1)

    def test_an_unconnected_input_is_not_strict(self):
        path = self.mutant([("    flow c8 of Real from arena.slope to rover.mobility.slope;\n", "")])
        self.hocket("run", path, "--stop-time", "1", "--trace", "calls.jsonl", "-q", "-o", "run.csv")
        self.hocket("prove", path, "--trace", "calls.jsonl")
        said = self.hocket("prove", path, "--trace", "calls.jsonl", "--view", "strict", exit=1).stdout
        self.assertIn("nothing is connected to rover.mobility.slope, so that a run sets it only once", said)

    def test_the_place_of_a_master(self):
        """What is said about a master that is made names its file, not that of the multi-model."""
        path = self.mutant([("    flow c8 of Real from arena.slope to rover.mobility.slope;\n", "")])
        words = ("prove", path, "--view", "strict", "--synthesise", "--spin=never")
        said = self.hocket(*words, "-o", "made.master").stderr
        lines = (self.folder / "made.master").read_text(encoding="utf-8").splitlines()
        line = max(i for i, text in enumerate(lines, 1) if text == "    set rover.mobility.slope;")
        self.assertIn(f"made.master:{line}: note: nothing is connected to 'rover.mobility.slope', which is set here", said)
        self.assertIn(f"(the master that was made):{line}: note: ", self.hocket(*words).stderr)

    def test_the_engine_says_how_far_it_is(self):
        """On a terminal, in a line that is gone at the end; elsewhere it says nothing."""
        words = ("prove", HERE / "wrong" / "good.sysml", "--stop-time", "1", "--step-size", "0.1", "--spin=never", "--csp")
        self.assertEqual(self.hocket(*words).stderr, "")
        terminal, end = pty.openpty()
        self.hocket(*words, run={"stdout": subprocess.PIPE, "stderr": end})
        os.close(end)
        said = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(terminal, 1 << 16):
                said += part
        os.close(terminal)
        self.assertIn(b"\r\x1b[KCoSimulation :[deadlock free [F]]: 0 states", said)
        self.assertTrue(said.endswith(b"states\r\x1b[K"), said[-99:])

    def test_the_aircraft(self):
        """Its loops of reactive inputs are cut by the plan, too."""
        path = self.options.models / "language" / "r_rosace.sysml"
        self.hocket("run", path, "--stop-time", "0.1", "--trace", "calls.jsonl", "-q", "-o", "run.csv")
        self.assertIn("OK: ", self.hocket("prove", path, "--stop-time", "0.1", "--trace", "calls.jsonl").stdout)

    def test_cycles_and_reactive_inputs(self):
        house = """package House {
  private import ScalarValues::*;
  private import CoSim::*;
  #system part def House { part gain : Gain; part room : Room; }
  #ecomponent part def Gain {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.Gain"; cycle = 0.1; }
    #parameter attribute gain : Real = -2.0;
    in attribute u : Real = 0.0;
    out attribute y : Real;
  }
  #ecomponent part def Room {
    @EComponent { kind = ComponentKind::physical; platform = "C"; modelType = ModelType::continuous; fmu = "hk.Integrator"; cycle = 0.2; }
    #parameter attribute start : Real = 15.0;
    in attribute u : Real = 0.0;
    out attribute y : Real;
  }
  part house : House { flow from gain.y to room.u; flow from room.y to gain.u; }
}
"""
        path = self.write("house.sysml", house)
        self.hocket("run", path, "--stop-time", "2", "--trace", "calls.jsonl", "-q", "-o", "run.csv")
        said = self.hocket("prove", path, "--trace", "calls.jsonl", "--view", "strict").stdout
        self.assertIn("OK: ", said)
        self.assertIn("in 20 cycles", said)
        self.write("slow.sysml", house.replace("cycle = 0.2", "cycle = 0.4"))
        self.hocket("prove", "slow.sysml", "--trace", "calls.jsonl", "--view", "strict", exit=1)
        # A reactive input wants the end of the step that its source is in, also of one that is slower: while gain makes
        # two steps, and no value of a step before.
        reactive = house.replace(
            "in attribute u : Real = 0.0;", "in attribute u : Real = 0.0 { @reactive; }", 1)
        self.write("reactive.sysml", reactive)
        self.hocket("run", "reactive.sysml", "--stop-time", "2", "--trace", "late.jsonl", "-q", "-o", "run.csv")
        self.assertIn("OK: ", self.hocket("prove", "reactive.sysml", "--trace", "late.jsonl").stdout)
        said = self.hocket("prove", "reactive.sysml", "--trace", "calls.jsonl", exit=1).stdout
        self.assertIn("set gain.u: it wants the end of the step, and room is still at 0", said)
        self.write("mixed.sysml", house.replace(" cycle = 0.2;", ""))
        said = self.hocket("prove", "mixed.sysml", "--trace", "calls.jsonl", exit=1).stderr
        self.assertIn("'gain' has a cycle and 'room' has none", said)
        reactive = self.write("reactive.sysml", house.replace("0.2", "0.1").replace(
            "in attribute u : Real = 0.0;\n    out attribute y : Real;\n  }\n  #ecomponent part def Room",
            "in attribute u : Real = 0.0 { @reactive; }\n    out attribute y : Real;\n  }\n  #ecomponent part def Room"))
        said = self.hocket("prove", reactive, "--stop-time", "1").stdout
        self.assertIn("the contracts hold, and they alone count", said)


if __name__ == "__main__":
    main()
