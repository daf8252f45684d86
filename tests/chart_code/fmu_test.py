#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""RoboChart modules as FMUs: what is asked of them in docs/robochart.md. FMI 2.0 is run by FMPy, FMI 3.0 by a program
that drives event mode, FMI 1.0 and 2.0 by hocket itself."""
import atexit
import contextlib
import csv
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support")]
from hocket_case import OPTIONS, Case, environment, main, need, quick_cc  # pylint: disable=wrong-import-position

need("fmpy", "numpy")
GOOD = HERE.parent / "chart" / "good"
ROVER = GOOD / "rover.rct"
DETECTOR = GOOD / "autonomous" / "Detector.rct"
FLAGS = ("LoadFlag", "ReleaseFlag", "move", "lightOn", "lightOff")
# What the rover emits in which cycle, with l in cycle 3 and alarm in cycle 7.
TABLE = {0: {"LoadFlag", "move"}, 3: {"move"}, 5: {"move"}, 7: {"move", "ReleaseFlag"},
         8: {"LoadFlag", "move", "lightOn"}, 11: {"lightOff"}}
CYCLES = 14
SHARED = pathlib.Path(tempfile.mkdtemp(prefix="hocket_chart_"))
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
MADE = {}
GIVEN = {3: "l", 7: "alarm"}


class Exported(Case):
    def export(self, fmi, source=ROVER, *words):
        """Each FMU is made once."""
        key = (fmi, source, words)
        if key not in MADE:
            MADE[key] = SHARED / f"{source.stem}{len(MADE)}.fmu"
            self.hocket("export", source, "--fmi", fmi, "-o", MADE[key], "-q", *words, env=environment(CC=quick_cc()))
        return MADE[key]

    def description(self, fmu):
        with zipfile.ZipFile(fmu) as archive:
            return xml.fromstring(archive.read("modelDescription.xml"))

    def record(self, fmu, step, inputs):
        """Rows of a run in hocket, per step what was emitted."""
        (self.folder / "in.csv").write_text(inputs, encoding="utf-8")
        done = self.hocket("run", fmu, "--stop-time", str(CYCLES), "--step-size", str(step), "--input-file", "in.csv",
                           "--output-variable", "*", "-o", "out.csv")
        with open(self.folder / "out.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        name = next(column for column in rows[0] if column.endswith(".lightOn")).rpartition(".")[0]
        return [{flag for flag in FLAGS if float(row[f"{name}.{flag}"]) == 1.0} for row in rows], done.stderr



class Fmi2(Exported):
    def test_f1_description(self):
        """F1: inputs and outputs, discrete, and no output depends on an input."""
        import fmpy.validation
        fmu = self.export(2)
        self.assertEqual(fmpy.validation.validate_fmu(str(fmu)), [])
        root = self.description(fmu)
        found = {v.get("name"): v for v in root.iter("ScalarVariable")}
        for name in ("l", "r", "alarm"):
            self.assertEqual((found[name].get("causality"), found[name].get("variability")), ("input", "discrete"))
            self.assertEqual(found[name][0].get("start"), "0")
        for name in ("lightOn", "lightOff", "ReleaseFlag", "ls", "as"):
            self.assertEqual((found[name].get("causality"), found[name].get("variability")), ("output", "discrete"))
        outputs = root.find("ModelStructure/Outputs")
        self.assertTrue(outputs is not None and all(o.get("dependencies") == "" for o in outputs))
        self.assertEqual(root.find("DefaultExperiment").get("stepSize"), "1")

    def test_f2_table(self):
        """F2: the table of cycles in FMPy, at the end of each step; pulses last one step."""
        import fmpy
        import numpy
        rows = [(k, float(GIVEN.get(k) == "l"), float(GIVEN.get(k) == "alarm")) for k in range(CYCLES)]
        signals = numpy.array(rows, dtype=[("time", "f8"), ("l", "f8"), ("alarm", "f8")])
        got = fmpy.simulate_fmu(str(self.export(2)), stop_time=CYCLES, step_size=1, output_interval=1, input=signals,
                                output=list(FLAGS))
        for row in got[1:]:
            k = round(float(row["time"])) - 1
            self.assertEqual({flag for flag in FLAGS if row[flag] == 1.0}, TABLE.get(k, set()), f"cycle {k}")

    def test_hocket(self):
        """The same in hocket, by FMUs of both versions."""
        for fmi in (1, 2):
            rows, _ = self.record(self.export(fmi), 1, "time,l,alarm\n0,0,0\n3,1,0\n4,0,0\n7,0,1\n8,0,0\n")
            for k in range(CYCLES):
                self.assertEqual(rows[k], TABLE.get(k, set()), f"FMI {fmi}, cycle {k}")

    def test_f3_steps(self):
        """F3: in steps of half a cycle, inputs wait for the cycle; in steps of two, emissions are joined."""
        fmu = self.export(2)
        half, _ = self.record(fmu, 0.5, "time,l,alarm\n0,0,0\n2.5,1,0\n3,0,0\n6.5,0,1\n7,0,0\n")
        self.assertEqual([half[2 * k] for k in range(CYCLES)], [TABLE.get(k, set()) for k in range(CYCLES)])
        self.assertFalse(any(half[2 * k + 1] for k in range(CYCLES)))
        double, _ = self.record(fmu, 2, "time,l,alarm\n0,0,0\n4,1,0\n6,0,0\n")
        self.assertEqual(double[:4], [{"LoadFlag", "move"}, set(), {"move"}, {"move"}])

    def test_arrays(self):
        """Sequences of records are scalars; a constant that must be given and is not is told."""
        fmu = self.export(2, DETECTOR)
        names = [v.get("name") for v in self.description(fmu).iter("ScalarVariable")]
        for name in ("gas_value.size", "gas_value[1].c", "gas_value[16].i", "move_lv", "obstacle_value"):
            self.assertIn(name, names)
        said = self.hocket("run", fmu, "--stop-time", "3", "--step-size", "1", exit=None)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("has no value", said.stderr)


class Traces(Exported):
    """The interpreter, generated C, fused code, and the FMU of FMI 2.0 in hocket and in FMPy: every output and every state
    of a machine has the same value in every cycle."""
    SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="one" version="1.0" xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
  <ssd:System name="one"><ssd:Elements><ssd:Component name="it" type="{type}" source="{source}"/></ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""
    GAS = ("gas", "gas_value.size", "gas_value[1].c", "gas_value[1].i", "gas_value[2].c", "gas_value[2].i")
    CONSTANTS = {"thr": 5, "movement.lv": 1, "evadeTime": 1, "stuckPeriod": 6, "stuckDist": 2, "outPeriod": 1, "changeDirection.lv": 1}

    def write_inputs(self, given, cycles):
        """GIVEN: per cycle what is not 0. Returns the names."""
        names = sorted({name for values in given.values() for name in values})
        lines = [",".join(["time", *(f'"it.{name}"' for name in names)])]
        lines += [",".join(map(str, [k, *(given.get(k, {}).get(name, 0) for name in names)])) for k in range(cycles)]
        self.write("in.csv", "\n".join(lines) + "\n")
        return names

    def hocket_traces(self, source, constants, cycles):
        """The records of hocket, which have the same bytes; the first one by its columns."""
        self.hocket("gen", source, "-o", "code", "-q", "--type", "ChemicalDetector")
        self.hocket("build", "code", "-q", env=environment(CC=quick_cc()))
        ways = {"interpreted": ("application/x-robochart", source, []),
                "C": ("application/x-hocket-plugin", "code/ChemicalDetector.so#ChemicalDetector", []),
                "fused": ("application/x-hocket-plugin", "code/ChemicalDetector.so#ChemicalDetector", ["--fused"]),
                "FMU": ("application/x-fmu-sharedlibrary", self.export(2, source), [])}
        records = {}
        for name, (kind, what, words) in ways.items():
            self.write(f"{name}.ssd", self.SYSTEM.format(type=kind, source=what))
            words = [*words, *(f"--set=it.{key}={value}" for key, value in constants.items())]
            self.hocket("run", f"{name}.ssd", "--stop-time", str(cycles), "--step-size", "1", "--input-file", "in.csv", *words,
                        *(f"--output-variable=it.{name}" for name in self.outputs), "-o", f"{name}.csv")
            records[name] = (self.folder / f"{name}.csv").read_bytes()
        for name, record in records.items():
            self.assertEqual(record, records["interpreted"], name)
        with open(self.folder / "interpreted.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def traces(self, source, given, constants, cycles):
        import fmpy
        import numpy
        fmu = self.export(2, source)
        about = list(self.description(fmu).iter("ScalarVariable"))
        self.outputs = [v.get("name") for v in about if v.get("causality") == "output" or v.get("name").endswith(".state")]
        kinds = {v.get("name"): v[0].tag for v in about}
        names = self.write_inputs(given, cycles)
        rows = self.hocket_traces(source, constants, cycles)
        types = {"Real": "f8", "Integer": "i4", "Enumeration": "i4", "Boolean": "?"}
        signals = numpy.array([(k, *(given.get(k, {}).get(name, 0) for name in names)) for k in range(cycles)],
                              dtype=[("time", "f8")] + [(name, types[kinds[name]]) for name in names])
        with contextlib.redirect_stdout(io.StringIO()):  # it tells of each input that has no signal
            got = fmpy.simulate_fmu(str(fmu), stop_time=cycles, step_size=1, output_interval=1, input=signals,
                                    start_values=constants, output=self.outputs)
        self.assertEqual(len(got), cycles + 1)
        for k in range(cycles):  # FMPy reads behind the step what hocket, which knows the stamp, shows at its beginning
            for name in self.outputs:
                self.assertEqual(float(got[name][k + 1]), float(rows[k][f"it.{name}"]), f"{name} in cycle {k}")
        return {name for name in self.outputs if len({row[f"it.{name}"] for row in rows}) > 1}

    def test_rover(self):
        given = {3: {"l": 1}, 7: {"alarm": 1}, 12: {"r": 1}, 15: {"alarm": 1}}
        seen = self.traces(ROVER, given, {}, 20)
        self.assertLessEqual({"move", "move_lv", "move_av", "ReleaseFlag", "lightOn", "lightOff", "c0.s0.state"}, seen)

    def test_autonomous(self):
        """Detector (B), with values of events that are sequences of records."""
        weak, strong = dict(zip(self.GAS, (1, 2, 1, 2, 1, 3))), dict(zip(self.GAS, (1, 1, 1, 7, 0, 0)))
        hit = {"obstacle": 1, "obstacle_value": 0, "odometer": 1}
        given = {1: weak, 3: hit | {"odometer_value": 10}, 4: weak, 9: hit | {"odometer_value": 12}, 13: weak, 15: strong}
        seen = self.traces(DETECTOR, given, self.CONSTANTS, 20)
        self.assertLessEqual({"flag", "move", "move_a", "micro.movement.state", "main.analysis.state"}, seen)


class Fmi3(Exported):
    def setUp(self):
        super().setUp()
        self.process = None

    def tearDown(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()
        super().tearDown()

    def drive(self, fmu):
        folder = self.folder / fmu.stem
        with zipfile.ZipFile(fmu) as archive:
            archive.extractall(folder)
        root = self.description(fmu)
        self.refs = {v.get("name"): v.get("valueReference") for v in root.find("ModelVariables")}
        self.token = root.get("instantiationToken")
        library = next((folder / "binaries").glob("*/*.so"))
        self.process = subprocess.Popen([OPTIONS.build / "tests" / "drive_fmu3", library], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, encoding="utf-8")
        return root

    def say(self, *words):
        print(*[self.refs.get(word, word) for word in words], file=self.process.stdin, flush=True)
        return self.process.stdout.readline().rstrip("\n")

    def good(self, *words):
        self.assertEqual(self.say(*words), "ok", words)

    def refused(self, words, *call):
        said = self.say(*call)
        self.assertTrue(said.startswith("refused: ") and words in said, f"{call}: {said}")

    def test_f4_description(self):
        """F4: events are triggered clocks, values are clocked by them, the cycle is a periodic clock."""
        import fmpy.validation
        fmu = self.export(3)
        self.assertEqual(fmpy.validation.validate_fmu(str(fmu)), [])
        root = self.description(fmu)
        found = {v.get("name"): v for v in root.find("ModelVariables")}
        for name, causality in {"l": "input", "alarm": "input", "lightOn": "output", "move": "output"}.items():
            self.assertEqual((found[name].tag, found[name].get("causality"), found[name].get("intervalVariability")),
                             ("Clock", causality, "triggered"))
        self.assertEqual(found["move_lv"].get("clocks"), found["move"].get("valueReference"))
        cycle = found["cycle"]
        self.assertEqual((cycle.tag, cycle.get("causality"), cycle.get("intervalVariability"), cycle.get("intervalDecimal")),
                         ("Clock", "input", "constant", "1"))
        self.assertEqual(root.find("CoSimulation").get("hasEventMode"), "true")
        self.assertNotIn("timeUnit", found)
        other = self.description(self.export(3, ROVER, "--step-size", "0.25", "--name", "quick"))
        found = {v.get("name"): v for v in other.find("ModelVariables")}
        self.assertEqual(found["cycle"].get("intervalDecimal"), "0.25")

    def test_f6_same_events(self):
        """F6, F4: the table of FMI 2.0, by clocks."""
        self.drive(self.export(3))
        self.good("open", self.token, 1)
        self.good("init", 0)
        for k in range(CYCLES):
            if k:
                self.good("event_mode")
            self.good("set", "cycle", *([GIVEN[k]] if k in GIVEN else []))
            active = dict(zip(FLAGS, self.say("clocks", *FLAGS).split()))
            self.assertEqual({flag for flag in FLAGS if active[flag] == "1"}, TABLE.get(k, set()), f"cycle {k}")
            if k == 3:
                self.assertEqual([self.say("get", "move_lv"), self.say("get", "move_av")], ["0", "-1"])
            if k == 4:
                self.refused("clock that is not active", "get", "move_lv")
            self.good("update")
            self.assertEqual(self.say("clocks", *FLAGS), "0 0 0 0 0")
            self.good("step_mode")
            self.good("step", k, 1)
        self.good("close")

    def test_latch(self):
        """Events between two ticks wait for the next one; the last value counts."""
        self.drive(self.export(3, DETECTOR))
        self.good("open", self.token, 1)
        for name, value in {"thr": 1, "evadeTime": 1, "stuckPeriod": 2, "outPeriod": 1}.items():
            self.good("puti", name, value)
        for name in ("micro.movement.lv", "stuckDist", "lv"):
            if name in self.refs:
                self.good("put", name, 0.5)
        for name in self.refs:
            if name.endswith(".lv"):
                self.good("put", name, 0.5)
        self.good("init", 0)
        self.good("set", "cycle")
        self.good("update")
        self.good("step_mode")
        self.good("step", 0, 0.5)
        self.good("event_mode")
        self.refused("clock that is not active", "puti", "gas_value.size", 1)
        self.good("set", "gas")
        for name, value in {"gas_value.size": 1, "gas_value[1].c": 0, "gas_value[1].i": 0}.items():
            self.good("puti", name, value)
        self.good("update")
        self.good("set", "gas")
        for name, value in {"gas_value.size": 1, "gas_value[1].c": 1, "gas_value[1].i": 1}.items():
            self.good("puti", name, value)
        self.assertEqual(self.say("clocks", "flag", "gas"), "0 1")
        self.good("update")
        self.good("step_mode")
        self.good("step", 0.5, 0.5)
        self.good("event_mode")
        self.good("set", "cycle")
        self.assertEqual(self.say("clocks", "flag"), "0")
        self.good("update")
        self.good("set", "cycle")  # 'stop' goes from one machine to the other in a cycle
        self.assertEqual(self.say("clocks", "flag"), "1")
        self.good("update")
        self.good("close")

    def test_refused(self):
        """Without event mode there is no instance; outside of event mode there are no clocks."""
        self.drive(self.export(3))
        self.refused("event mode", "open", self.token, 0)
        self.good("open", self.token, 1)
        self.refused("not in event mode", "set", "cycle")
        self.good("init", 0)
        self.refused("in event mode", "step", 0, 1)
        self.refused("is an output", "set", "lightOn")
        self.refused("is not a clock", "set", "ls")
        self.refused("of another type", "get", "l")
        self.refused("not active", "get", "move_lv")
        self.good("set", "cycle")
        self.refused("update the discrete states", "step_mode")
        self.assertEqual(self.say("clocks", "move"), "1")
        self.refused("is done", "set", "l")
        self.good("update")
        self.refused("not in step mode", "event_mode")
        self.good("step_mode")
        self.refused("not in event mode", "clocks", "move")
        self.good("close")

    def test_failure(self):
        """A timelock fails with the words of the model."""
        self.drive(self.export(3))
        self.good("open", self.token, 1)
        self.good("puti", "dropTime", 0)
        self.good("init", 0)
        self.good("set", "cycle")
        self.good("update")
        self.good("set", "cycle", "alarm")
        self.refused("timelock: operation 'move' is called twice in cycle 1", "update")
        self.good("close")

    def test_hocket(self):
        """hocket has no event mode, and says so."""
        said = self.hocket("run", self.export(3), "--stop-time", "3", "--step-size", "1", exit=None)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("event mode", said.stderr)


if __name__ == "__main__":
    main()
