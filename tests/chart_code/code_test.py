#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""C that is generated from RoboChart means what the interpreter does: the fragments of tests/chart, random modules, the
text of one module, and the ways of a user: gen, build, run, fused."""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "chart"), str(HERE)]
import fragments  # pylint: disable=wrong-import-position
import random_charts  # pylint: disable=wrong-import-position
from golden import Golden  # pylint: disable=wrong-import-position
from hocket_case import OPTIONS, SLOW, THIN, Case, call, environment, few, main, plain, quick_cc  # pylint: disable=wrong-import-position

CHARTS = HERE.parent / "chart"
ROVER = CHARTS / "good" / "rover.rct"
RANDOM = 1000 if SLOW else len(few(range(60), 2))
# In steps of 1 s: l in cycle 3, alarm in cycle 7.
INPUTS = "time,rover.l,rover.alarm\n0,0,0\n3,1,0\n4,0,0\n7,0,1\n8,0,0\n"
SYSTEM = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription name="one" version="1.0"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="one"><ssd:Elements>
    <ssd:Component name="rover" type="{type}" source="{source}"/>
  </ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>
"""


def program(name):
    return OPTIONS.build / "tests" / name


def same(value, wanted):
    """Numbers may be written in several ways."""
    try:
        return float(value) == float(wanted)
    except ValueError:
        return value == wanted


class Fragments(Case):
    """What is written beside each fragment holds for its C, too."""

    def plan(self, names):
        lines = []
        for name in names:
            wanted = fragments.read_expected(CHARTS / "fragments" / f"{name}.expected")
            lines.append(f"chart {CHARTS / 'fragments' / name}.rct {len(wanted.cycles)}")
            lines += [f"set {parameter} {value}" for parameter, value in wanted.parameters.items()]
            for k, cycle in enumerate(wanted.cycles):
                lines += [f"in {k} {port} {value}" for port, value in cycle.given.items()]
        return "\n".join(lines) + "\n"

    def look(self, name, row, wanted, k):
        for event, values in wanted.emitted.items():
            got = [value for port, value in row.items() if port.startswith(f"{event}_")]
            self.assertTrue(all(map(same, got, values)) and len(got) == len(values),
                            f"{name}: cycle {k}: {event} has {got}, not {values}")
        for port, value in wanted.values.items():
            self.assertTrue(same(row[port], value), f"{name}: cycle {k}: {port} is {row[port]}, not {value}")

    def flags_of(self, path):
        """Outputs that say that something was emitted."""
        about = json.loads(call(OPTIONS.hocket, "info", path, "--json", "--all").stdout)["variables"]
        return {v["name"] for v in about if v["causality"] == "output" and
                v["description"].endswith(("it occurs", "it is called"))}

    def test_all(self):
        names = sorted(path.stem for path in (CHARTS / "fragments").glob("*.rct"))[::THIN]
        said = call(program("play_chart"), self.folder, input=self.plan(names)).stdout
        blocks = [block.splitlines() for block in said.split("chart ")[1:]]
        self.assertEqual(len(blocks), len(names))
        for name, block in zip(names, blocks):
            with self.subTest(name):
                self.one(name, block[1:])

    def one(self, name, rows):
        wanted = fragments.read_expected(CHARTS / "fragments" / f"{name}.expected")
        flags = self.flags_of(CHARTS / "fragments" / f"{name}.rct")
        self.assertEqual(len(rows), len(wanted.cycles), f"{name}: {rows[-1:]}")
        for k, (line, cycle) in enumerate(zip(rows, wanted.cycles)):
            if cycle.failure:
                self.assertIn(cycle.failure, line, name)
                continue
            row = dict(cell.split("=", 1) for cell in line.split("\t"))
            emitted = {port for port in flags if float(row[port]) == 1.0}
            self.assertEqual(emitted, set(cycle.emitted), f"{name}: cycle {k} emits")
            self.look(name, row, cycle, k)


class Random(Case):
    def test_random(self):
        """All ports have the same bits after every step, and failures the same words."""
        files = random_charts.write(self.folder, 1, RANDOM)
        said = call(program("same_chart"), self.folder, 300, *files).stdout
        numbers = [int(word) for word in said.replace(",", " ").split() if word.isdigit()]
        self.assertEqual(numbers[0], RANDOM)
        self.assertGreater(min(numbers), min(20, RANDOM // 3), said)  # each kind of thing was seen

    def test_good(self):
        """The detectors, and the fragments with random inputs."""
        files = [ROVER, CHARTS / "good" / "chemical.rct", CHARTS / "good" / "autonomous" / "Detector.rct"]
        files += few(sorted(path for path in (CHARTS / "fragments").glob("*.rct")))
        call(program("same_chart"), self.folder, 100, *files)


    def test_names(self):
        """Names of modules that are those of functions, types and parameters, or that of a controller and its machine."""
        text = (CHARTS / "fragments" / "composite_order.rct").read_text(encoding="utf-8")
        files = []
        for name in ("floor", "memcpy", "self", "t", "FILE", "c_s"):
            files.append(self.folder / f"{name}.rct")
            files[-1].write_text(text.replace("module M {", f"module {name} {{"), encoding="utf-8")
        self.assertIn("sref s = ", text)
        call(program("same_chart"), self.folder, 10, *files)


class User(Case):
    def test_text(self):
        """The text for the rover is the one that was read and found good."""
        self.hocket("gen", ROVER, "-o", "rover", "-q")
        said = (self.folder / "rover" / "ChemicalDetector.c").read_text(encoding="utf-8")
        self.assertIsNone(Golden(HERE / "expected").compare("rover.txt", said))
        again = self.hocket("gen", ROVER, "-o", "rover")
        self.assertIn("4 files unchanged", again.stdout)
        (self.folder / "rover" / "ChemicalDetector.c").write_text(said.replace("x->cycle++", "x->cycle += 2"), encoding="utf-8")
        self.assertIn("edited", self.hocket("gen", ROVER, "-o", "rover", exit=1).stderr)

    def test_runs(self):
        """Interpreted, as a plugin and fused: the same record."""
        (self.folder / "in.csv").write_text(INPUTS, encoding="utf-8")
        (self.folder / "rover.rct").write_text(ROVER.read_text(encoding="utf-8"), encoding="utf-8")
        self.hocket("gen", "rover.rct", "-o", "rover", "-q")
        self.hocket("build", "rover", "-q")
        for name, kind, source in (("chart", "application/x-robochart", "rover.rct"),
                                   ("plugin", "application/x-hocket-plugin", "rover/ChemicalDetector.so#ChemicalDetector")):
            (self.folder / f"{name}.ssd").write_text(SYSTEM.format(type=kind, source=source), encoding="utf-8")
        records = {}
        for kind, words in {"interpreted": ["chart.ssd"], "plugin": ["plugin.ssd"], "fused": ["plugin.ssd", "--fused"]}.items():
            self.hocket("run", *words, "--stop-time", "14", "--step-size", "1", "--input-file", "in.csv",
                        "--output-variable", "*", "-o", f"{kind}.csv")
            records[kind] = (self.folder / f"{kind}.csv").read_text(encoding="utf-8")
        self.assertIn("14,", records["interpreted"])
        self.assertEqual(records["plugin"], records["interpreted"])
        self.assertEqual(records["fused"], records["interpreted"])

    def test_last_row(self):
        """Where a run ends nothing happens any more, in C as in the interpreter: a cycle ends at 8 s, the flag is let go at 7 s."""
        (self.folder / "in.csv").write_text(INPUTS, encoding="utf-8")
        (self.folder / "rover.rct").write_text(ROVER.read_text(encoding="utf-8"), encoding="utf-8")
        self.hocket("gen", "rover.rct", "-o", "rover", "-q")
        self.hocket("build", "rover", "-q")
        kind, source = "application/x-hocket-plugin", "rover/ChemicalDetector.so#ChemicalDetector"
        (self.folder / "plugin.ssd").write_text(SYSTEM.format(type=kind, source=source), encoding="utf-8")
        self.hocket("run", "plugin.ssd", "--stop-time", "8", "--step-size", "1", "--input-file", "in.csv",
                    "--output-variable", "rover.ReleaseFlag", "-o", "out.csv")
        rows = (self.folder / "out.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(rows[-2:], ["7,1", "8,0"])

    @plain
    def test_remarks(self):
        """Transitions that are enabled together, of states and at junctions, and long steps are told once, at the end: by a
        plugin in a note, by an FMU in a warning."""
        choice = r"machine 'c.s' has a choice in cycle \d+: transitions '\w+' and '\w+' are enabled"
        longer = "steps are longer than a cycle: up to 2 cycles ran in one"
        for source, runs in ((CHARTS / "fragments" / "junction_nondet.rct", {"1": choice}),
                             (CHARTS / "fragments" / "trigger_choice.rct", {"1": choice}), (ROVER, {"2": longer, "1": None})):
            self.hocket("gen", source, "-o", source.stem, "-q")
            self.hocket("build", source.stem, "-q", env=environment(CC=quick_cc()))
            self.hocket("export", source, "--fmi", 2, "-o", f"{source.stem}.fmu", "-q", env=environment(CC=quick_cc()))
            plugin = next((self.folder / source.stem).glob("*.so"))
            self.write("m.ssd", SYSTEM.format(type="application/x-hocket-plugin", source=f"{plugin}#{plugin.stem}"))
            for what in ("m.ssd", f"{source.stem}.fmu"):
                self.write("in.csv", "time,rover.a,rover.b\n0,1,1\n" if what == "m.ssd" else "time,a,b\n0,1,1\n")
                inputs = ["--input-file", "in.csv"] if source != ROVER else []
                for step, said in runs.items():
                    done = self.hocket("run", what, "--stop-time", "8", "--step-size", step, "--fmi-logging", *inputs)
                    self.assertEqual(len(re.findall(said or "has a choice|longer than a cycle", done.stderr)), 1 if said else 0, done.stderr)

    def test_wrong(self):
        """A module is chosen by name; what is not there is told."""
        said = self.hocket("gen", ROVER, "--type", "Nothing", exit=None)
        self.assertNotEqual(said.returncode, 0)
        self.assertIn("Nothing", said.stderr)
        said = self.hocket("gen", ROVER, "--type", "A", "--type", "B", exit=2).stderr
        self.assertIn("one module", said)


if __name__ == "__main__":
    main()
