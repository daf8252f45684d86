#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generates C from type files, compiles it, runs it, edits it, changes the types, generates again.

Standard library only; needs a C compiler (each of gcc and clang that is there is used).
"""
import csv
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import hocket_case  # noqa: E402
from hocket_case import SKIPPED, SLOW, known_compilers, quick_cc  # noqa: E402

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
TURNS = itertools.cycle(zip(COMPILERS, ("g++", "clang++")))  # what is compiled by one only, is so in turns
BEGIN = re.compile(r"^( *)/\* user code begin: (.*) \*/$", re.MULTILINE)

TANK = """Declaration plant {
  dataTypes {
    Enum Mode { off, filling }
  }
  interfaces {
    Interface Level {
      core.double level(core.double offset unit "m");
      core.void mark(core.Coordinate2D where);
    }
  }
  LeafComponentTypes {
    LeafComponentType Tank {
      providedInterfaces (Level pLevel)
      inputs { core.double inflow = 0.5 unit "m3/s"; }
      outputs { core.double level unit "m"; Mode mode; }
      parameters { core.double area = 2 unit "m2"; }
    }
    LeafComponentType Gauge {
      requiredInterfaces (Level rLevel)
      outputs { core.double seen unit "m"; core.double noise; }
    }
  }
}
"""
SYSTEM = """system plant {
  import "plant.types";
  plugin "plant.so";
  composite all {
    leaf tank : plant.Tank { period 100ms; }
    leaf gauge : plant.Gauge { period 100ms; }
    service gauge.rLevel -> tank.pLevel;
  }
}
"""
USER = {
    ("plant_Tank.h", "state"): "    double sum;\n",
    ("plant_Tank.c", "initialize"): "    self->level = 1;\n",
    ("plant_Tank.c", "doStep"): "    self->level += h * self->inflow / self->area;\n"
                                "    self->mode = plant_Mode_filling;\n"
                                "    self->user.sum += self->level;\n",
    ("plant_Tank.c", "pLevel.level"): "    result = self->level + offset;\n",
    ("plant_Gauge.h", "options"): "#define plant_Gauge_STREAMS(STREAM) STREAM(random)\n",
    ("plant_Gauge.c", "doStep"):
        "    self->seen = plant_Level_level(&self->rLevel, 10);\n"
        "    self->noise = hk_stream_normal(&self->random, (int64_t)(t / h + 0.5), 0);\n",
}


class Case(hocket_case.Case):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "code"
        self.environment = {"CI": "1", "XDG_CACHE_HOME": str(self.folder / "cache")}

    def gen(self, *words, exit=0, types="plant.types", **keywords):
        return self.hocket("gen", types, "--out", self.out, *words, exit=exit, run=keywords)

    def tank(self, text=TANK):
        self.write("plant.types", text)
        return self.gen()

    def snapshot(self):
        return {path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
                for path in sorted(self.out.iterdir())}

    def sources(self, package):
        text = (self.out / f"{package}_sources.cmake").read_text(encoding="utf-8")
        return re.findall(r"^  (\S+\.c)$", text, re.MULTILINE)

    def build(self, package, everywhere=SLOW):
        """With every warning an error; the header also as C++. EVERYWHERE: by each compiler that is here, else by one
        of them; and headers of the plant, which test_user_code_runs has everywhere, as C alone."""
        turn = next(TURNS)
        for compiler in COMPILERS if everywhere else turn[:1]:
            done = subprocess.run(
                [compiler, "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-fPIC",
                 "-shared", "-fvisibility=hidden", f"-I{self.options.source / 'include'}", "-o",
                 self.folder / f"{package}.so", *self.sources(package), "-lm"],
                cwd=self.out, capture_output=True, encoding="utf-8", check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        for compiler in ("g++", "clang++") if everywhere else turn[1:] if package != "plant" else ():
            if not shutil.which(compiler):
                continue
            lines = [f'#include "{name[:-2]}.h"' for name in self.sources(package)
                     if name != f"{package}_glue.c"]
            self.write("headers.cpp", "\n".join([f'#include "{package}.h"', *lines, ""]))
            done = subprocess.run(
                [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                 f"-I{self.out}", f"-I{self.options.source / 'include'}", "headers.cpp"],
                cwd=self.folder, capture_output=True, encoding="utf-8", check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def insert(self, name, region, text):
        path = self.out / name
        old = path.read_text(encoding="utf-8")
        mark = re.search(rf"/\* user code begin: {re.escape(region)} \*/\n", old)
        self.assertIsNotNone(mark, f"{name} has no region {region}")
        path.write_text(old[:mark.end()] + text + old[mark.end():], encoding="utf-8")

    def write_user_code(self):
        """A line of its own in every region of every file, and code that computes something."""
        lines = []
        for path in sorted(self.out.glob("*_*.[ch]")):
            for _, region in BEGIN.findall(path.read_text(encoding="utf-8")):
                line = f"/* mine: {path.name} {region} */"
                self.insert(path.name, region, line + "\n" + USER.get((path.name, region), ""))
                lines.append(line)
        lines += [line.strip() for text in USER.values() for line in text.splitlines()]
        return lines

    def assert_kept(self, lines):
        everything = "\n".join(path.read_text(encoding="utf-8")
                               for path in self.out.iterdir() if path.is_file())
        for line in lines:
            self.assertIn(line, everything)

    def run_system(self):
        self.write("plant.system", SYSTEM)
        self.hocket("run", "plant.system", "--stop-time", "1", "--output-variable", "*", "-o",
                    "out.csv")
        rows = (self.folder / "out.csv").read_text(encoding="utf-8").splitlines()
        return dict(zip(rows[0].split(","), rows[-1].split(",")))


class Generated(Case):
    def all_types(self):
        shutil.copy(HERE / "all.types", self.folder)
        shutil.copy(HERE / "other.types", self.folder)
        return self.gen(types="all.types")

    def test_every_construct(self):
        said = self.all_types().stderr
        for text in ("'all.Pose.class' is called 'class_'",
                     "'all.Everything.user' is called 'user_'",
                     "'all.glue' is called 'all_glue_'", "'all.Source' is called 'all_Source_'",
                     "'all.Model' is left out"):
            self.assertIn(text, said)
        self.build("all", everywhere=True)
        self.write("all.system", """system s {
  import "all.types";
  plugin "all.so";
  composite c {
    leaf a : all.Everything { period 10ms; param gain = 3; }
    leaf b : all.Source { period 20ms; }
    service a.rSource -> b.pSource;
    service a.rEmpty -> a.pEmpty;
  }
}
""")
        self.hocket("info", "all.system")
        self.hocket("run", "all.system", "--stop-time", "0.1", "--output-variable", "*", "-o",
                    "all.csv")
        head, first = (self.folder / "all.csv").read_text(encoding="utf-8").splitlines()[:2]
        for name in ("a.pose.position.x", '"a.path[2,1].y"', "a.force[3]", '"a.matrix[2,3]"'):
            self.assertIn(name, head)
        self.assertIn(r"a 'quoted' \ text??/", first)
        self.assertIn("18446744073709551615", first)

    def test_figure_3(self):
        shutil.copy(self.options.source / "tests/lang/figure3.types", self.folder)
        self.gen(types="figure3.types")
        self.build("CurrentTypes")
        self.write("s.system", """system s {
  import "figure3.types";
  plugin "CurrentTypes.so";
  composite c { leaf current : CurrentTypes.CurrentModel { frequency 10 Hz; } }
}
""")
        self.hocket("run", "s.system", "--stop-time", "1", "-o", "out.csv")

    def test_the_same_again(self):
        self.all_types()
        before = self.snapshot()
        self.assertIn("11 files unchanged", self.gen(types="all.types").stdout)
        self.assertEqual(self.snapshot(), before, "nothing is touched")
        first = {name: data for name, (data, _, _) in before.items()}
        self.out = self.folder / "again"
        self.gen(types="all.types")
        self.assertEqual({name: data for name, (data, _, _) in self.snapshot().items()}, first)

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_layout(self):
        self.all_types()
        shutil.copy(self.options.source / ".clang-format", self.out)
        files = [path.name for path in self.out.glob("*.[ch]")]
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *files], cwd=self.out,
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(["clang-format", "-i", "--style=LLVM", *files], cwd=self.out,
                       check=True)
        self.gen(types="all.types")

    def test_user_code_runs(self):
        self.tank()
        self.write_user_code()
        self.build("plant", everywhere=True)
        last = self.run_system()
        self.assertAlmostEqual(float(last["tank.level"]), 1 + 0.5 / 2)
        self.assertAlmostEqual(float(last["gauge.seen"]), 10 + float(last["tank.level"]))
        self.assertNotEqual(float(last["gauge.noise"]), 0)
        self.assertEqual(last["tank.mode"], "1")

    def test_array_indices(self):
        """Paths count from 1, C counts from 0: docs/languages.md."""
        self.write("radar.types", """Declaration radar {
  dataTypes {
    Array Ranges of core.double [3];
    Array Grid of core.double [2, 3];
  }
  LeafComponentTypes {
    LeafComponentType Radar { outputs { Ranges ranges; Grid grid; } }
    LeafComponentType Filter {
      inputs { Ranges inputs = 5; core.double corner; }
      outputs { Ranges got; core.double seen; }
    }
  }
}
""")
        self.gen(types="radar.types")
        self.insert("radar_Radar.c", "doStep", "    self->ranges.items[1] = 20 + t;\n"
                                               "    self->grid.items[0][2] = 13;\n")
        self.insert("radar_Filter.c", "doStep", "    self->got = self->inputs;\n    self->seen = self->corner;\n")
        self.build("radar")
        self.write("radar.system", """system radar {
  import "radar.types";
  plugin "radar.so";
  composite all {
    leaf radar : radar.Radar { period 100ms; }
    leaf filter : radar.Filter { period 100ms; }
    link "radar.ranges[2]" -> "filter.inputs[1]";
    link "radar.grid[1,3]" -> "filter.corner";
  }
}
""")
        self.hocket("run", "radar.system", "--stop-time", "1", "--output-variable", "*", "-o", "out.csv")
        with open(self.folder / "out.csv", encoding="utf-8", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        seen = {name: float(value) for name, value in last.items() if name != "time" and float(value)}
        self.assertEqual(seen, {"radar.ranges[2]": 20.9, "radar.grid[1,3]": 13, "filter.seen": 13, "filter.corner": 13,
                                "filter.got[1]": 20.9, "filter.got[2]": 5, "filter.got[3]": 5,
                                "filter.inputs[1]": 20.9, "filter.inputs[2]": 5, "filter.inputs[3]": 5})
        text = (self.folder / "radar.system").read_text(encoding="utf-8")
        self.write("radar.system", text.replace("ranges[2]", "ranges[0]"))
        said = self.hocket("check", "radar.system", exit=1)
        self.assertIn("its elements are [1] to [3]", said.stdout + said.stderr)

    def test_domains(self):
        """Items and ranges of the type file are in the plugin, and in an FMU made of it."""
        self.write("plant.types", TANK.replace('"m2";', '"m2" in [0.1, 20]; Mode first = filling;'))
        self.gen()
        self.build("plant")
        items = [{"name": "off", "value": 0}, {"name": "filling", "value": 1}]
        for fmi in ("2", "3"):
            self.hocket("export", "plant.so", "--type", "plant.Tank", "--fmi", fmi, "-o", "t.fmu", CC=quick_cc())
            said = json.loads(self.hocket("info", "--json", "t.fmu").stdout)
            seen = {v["name"]: v for v in said["variables"]}
            self.assertEqual((seen["area"]["min"], seen["area"]["max"]), (0.1, 20))
            for name in ("mode", "first"):
                self.assertEqual(seen[name]["items"], items, f"FMI {fmi}: {name}")

    def test_states(self):
        """A component that frees nothing can be saved, as it is generated; one that does cannot."""
        self.tank()
        self.insert("plant_Tank.c", "doStep", USER["plant_Tank.c", "doStep"].replace("self->user.sum += self->level;", ""))
        self.build("plant")
        self.write("plant.system", SYSTEM)
        run = ["run", "plant.system", "-q", "--output-variable", "*", "-o"]
        self.hocket(*run, "whole.csv", "--stop-time", "2")
        self.hocket(*run, "first.csv", "--stop-time", "1", "--save-state", "s.hks")
        self.hocket(*run, "rest.csv", "--stop-time", "2", "--load-state", "s.hks")
        last = [(self.folder / name).read_text().splitlines()[-1] for name in ("whole.csv", "rest.csv")]
        self.assertEqual(last[0], last[1])
        for text, again in (("    /* comes back */\n", False), ("    (void)self->level;\n", True)):
            self.insert("plant_Tank.c", "end", text)
            if again:
                self.gen()
            self.build("plant")
            done = self.hocket(*run, "first.csv", "--stop-time", "1", "--save-state", "s.hks", exit=4)
            self.assertIn("HK0508", done.stderr)

    def test_scenario_calls(self):
        """Functions are called by name, and a provider that is stopped is noticed."""
        self.tank()
        self.write_user_code()
        self.insert("plant_Tank.c", "pLevel.mark", "    self->level = 10 * where.x + where.y;\n")
        self.build("plant")
        self.write("plant.system", SYSTEM)
        simulation = """Simulation S (s)
system plant;
simulationTime [0, 1]:0.1;
scenarios {
  Scenario one
  events { instant 0.5 { %s } }
  logs { out.csv timed(0.1) { "plant.all.tank.level"; "plant.all.gauge.seen"; } }
}
"""
        self.write("s.simulation", simulation %
                   '"plant.all.tank"."plant.Level.mark"({ 3, 4 }); "plant.all.tank.inflow" = 0;')
        self.hocket("run", "s.simulation")
        last = (self.folder / "out.csv").read_text(encoding="utf-8").splitlines()[-1]
        self.assertEqual([float(value) for value in last.split(",")], [1, 34, 44])
        self.write("s.simulation", simulation % '"plant.all.tank".Stop();')
        self.assertIn("HK0424", self.hocket("run", "s.simulation", exit=4).stderr)

    def test_one_type(self):
        self.write("plant.types", TANK)
        self.gen("--type", "Gauge")
        self.assertEqual(self.sources("plant"), ["plant_glue.c", "plant_Gauge.c"])
        self.build("plant")
        self.assertIn("'Gauge'", self.gen("--type", "Gaug", exit=1).stderr)

    def test_no_leaves(self):
        self.write("plant.types", "Declaration plant { dataTypes { Enum E { a } } }\n")
        self.gen()
        self.assertEqual([path.name for path in self.out.iterdir()], ["plant.h"])

    def test_odd_names(self):
        self.write("odd-name.types", """interfaces { Interface "a*/b" {
  core.double "der(x)"(core.double "*/ #error"); core.void der_x_(); } }
LeafComponentTypes {
  LeafComponentType "while" {
    providedInterfaces ("a*/b" "p/*q", "a*/b" p__q)
    inputs { core.double "1st"; core.double n1st; core.int int64_t; core.double __x; }
  }
  LeafComponentType "x-y" { outputs { core.double "a b"; } }
  LeafComponentType x_y { outputs { core.double a_b; } }
}
""")
        self.gen(types="odd-name.types")
        self.build("odd_name")
        names = self.sources("odd_name")
        self.assertEqual(len(set(names)), 4)

    def test_json(self):
        self.write("plant.types", TANK)
        answer = json.loads(self.gen("--json", "--check", exit=1).stdout)
        self.assertEqual((answer["schema"], answer["package"]), ("hocket.gen/1", "plant"))
        self.assertEqual({file["action"] for file in answer["files"]}, {"created"})
        self.assertFalse(self.out.exists())


class Again(Case):
    """User code and types change; nothing is lost."""

    def setUp(self):
        super().setUp()
        self.tank()
        self.lines = self.write_user_code()
        self.build("plant")

    def change(self, *pairs):
        text = (self.folder / "plant.types").read_text(encoding="utf-8")
        for old, new in pairs:
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.write("plant.types", text)
        check = self.gen("--check", exit=1)
        self.assertIn("nothing was written", check.stdout)
        done = self.gen()
        self.assert_kept(self.lines)
        self.gen("--check")
        return done

    def edit(self, name, old, new):
        path = self.out / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new), encoding="utf-8")
        self.lines = [line.replace(old, new) for line in self.lines]

    def test_five_changes(self):
        # a port is added
        self.change((" Mode mode;", " core.Coordinate3D centre; Mode mode;"))
        self.build("plant")
        # one is removed
        done = self.change((" Mode mode;", ""))
        self.assertRegex(done.stderr, r"plant_Tank\.c:\d+: warning\[HK0423\]: 'self->mode' is used")
        self.edit("plant_Tank.c", "self->mode = plant_Mode_filling;", "/* no mode */")
        self.build("plant")
        # one is renamed
        done = self.change(("core.double inflow", "core.double flow"))
        self.assertIn("'self->inflow' is used here", done.stderr)
        self.edit("plant_Tank.c", "self->inflow", "self->flow")
        self.build("plant")
        # a function is added, another one is renamed
        done = self.change(("core.void mark(", "core.void flag("),
                           ("Interface Level {", "Interface Level { core.bool fresh();"))
        self.assertRegex(done.stderr,
                         r"plant_Tank\.c:\d+: warning\[HK0423\]: the region 'pLevel.mark'")
        text = (self.out / "plant_Tank.c").read_text(encoding="utf-8")
        self.assertIn("user code begin: pLevel.fresh", text)
        self.assertIn("user code begin: orphaned: pLevel.mark", text)
        self.build("plant")
        # a leaf is renamed
        done = self.change(("LeafComponentType Gauge", "LeafComponentType Meter"))
        self.assertIn("plant_Gauge.c: warning[HK0423]", done.stderr)
        self.assertIn("kept      ", done.stdout)
        self.assertTrue((self.out / "plant_Gauge.c").exists())
        self.assertNotIn("plant_Gauge.c", self.sources("plant"))
        self.build("plant")
        # the function has its old name again, and its text with it
        done = self.change(("core.void flag(", "core.void mark("))
        self.assertIn("has its text back", done.stderr)
        text = (self.out / "plant_Tank.c").read_text(encoding="utf-8")
        self.assertNotIn("orphaned", text)
        self.build("plant")

    def test_orphans_may_be_deleted(self):
        self.change(("core.void mark(core.Coordinate2D where);", ""))
        path = self.out / "plant_Tank.c"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\n#if 0 /\* orphaned.*", "", text, flags=re.DOTALL),
                        encoding="utf-8")
        self.gen()
        self.assertNotIn("orphaned", path.read_text(encoding="utf-8"))

    def test_orphaned_twice(self):
        mark = "core.void mark(core.Coordinate2D where);"
        self.change((mark, ""))
        self.edit("plant_Tank.c", "orphaned: pLevel.mark", "orphaned: pLevel.other")
        self.change(("core.double level(", mark + "core.double level("))
        self.insert("plant_Tank.c", "pLevel.mark", "/* the second */\n")
        self.edit("plant_Tank.c", "orphaned: pLevel.other", "orphaned: pLevel.mark")
        self.lines.append("/* the second */")
        self.change((mark, ""))
        text = (self.out / "plant_Tank.c").read_text(encoding="utf-8")
        self.assertIn("begin: orphaned: pLevel.mark (2) */", text)

    def test_edited_outside(self):
        path = self.out / "plant_Tank.c"
        text = path.read_text(encoding="utf-8")
        edited = text.replace("/* Functions of your own. */", "static int mine; /* precious */")
        path.write_text(edited, encoding="utf-8")
        line = 1 + edited[:edited.index("precious")].count("\n")
        before = self.snapshot()
        done = self.gen(exit=1)
        self.assertIn(f"plant_Tank.c:{line}: error[HK0423]", done.stderr)
        self.assertEqual(self.snapshot(), before)
        self.gen("--force")
        self.assertEqual(path.with_name("plant_Tank.c.orig").read_text(encoding="utf-8"), edited)
        self.assertEqual(path.read_text(encoding="utf-8"), text)
        path.write_text("int own;\n", encoding="utf-8")
        self.assertIn("was not written by 'hocket gen'", self.gen(exit=1).stderr)
        self.assertIn("plant_Tank.c.orig.2", self.gen("--force").stdout)
        self.assertEqual(path.with_name("plant_Tank.c.orig.2").read_text(encoding="utf-8"),
                         "int own;\n")

    def test_own_project_files(self):
        for name in ("CMakeLists.txt", "README.md"):
            (self.out / name).write_text("# mine\n", encoding="utf-8")
        self.assertIn("plant_sources.cmake", self.gen().stderr)
        self.assertEqual((self.out / "README.md").read_text(encoding="utf-8"), "# mine\n")

    def test_carriage_returns(self):
        for path in self.out.glob("*.[ch]"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        self.gen()
        self.assert_kept(self.lines)
        self.build("plant")


class Built(Case):
    """The folder as it is becomes the plugin, in both ways, beside its sources."""
    OWN = 'extern "C" double twice(double x) { auto y = x; return y + y; }\n'

    def by_cmake(self):
        package = self.options.build / "package"
        known_compilers(self.folder / "b")
        for words in (["-S", self.out, "-B", self.folder / "b", f"-Dhocket_DIR={package}"],
                      ["--build", self.folder / "b"]):
            done = subprocess.run(["cmake", *words], capture_output=True, encoding="utf-8", check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def record(self):
        self.write("plant.system", SYSTEM.replace("plant.so", "code/plant.so"))
        self.hocket("run", "plant.system", "--stop-time", "1", "-o", "r.csv")
        return (self.folder / "r.csv").read_bytes()

    def test_both_ways(self):
        self.tank()
        self.write_user_code()
        self.assertIn('plugin "plant.so"', (self.out / "README.md").read_text(encoding="utf-8"))
        self.hocket("build", self.out)
        first = self.record()
        (self.out / "plant.so").unlink()
        self.by_cmake()
        self.assertEqual(self.record(), first)

    def test_names_of_others(self):
        """A package may be called as a library that plugins are linked with, or as a target of CMake's own."""
        for name in ("m", "test"):
            with self.subTest(name=name):
                self.write("p.types", "Declaration %s { LeafComponentTypes { LeafComponentType T { outputs { "
                           "core.double y; } } } }\n" % name)
                shutil.rmtree(self.out, ignore_errors=True)
                shutil.rmtree(self.folder / "b", ignore_errors=True)
                self.gen(types="p.types")
                self.by_cmake()
                self.write("p.system", 'system p {\n  import "p.types";\n  plugin "code/%s.so";\n  composite all {\n'
                           "    leaf t : %s.T { period 1s; }\n  }\n}\n" % (name, name))
                self.hocket("run", "p.system", "--stop-time", "1")

    def test_readme(self):
        """Its commands work where it is, also if the types are elsewhere and the folder is a link."""
        self.tank()
        (self.folder / "a b").mkdir()
        (self.folder / "deep" / "er").mkdir(parents=True)
        (self.folder / "link").symlink_to(self.folder / "deep" / "er")
        for types, out, said in (("plant.types", "code", "../plant.types"), ("plant.types", ".", "plant.types"),
                                 ("plant.types", "new/er", "../../plant.types"),
                                 ("a b/plant.types", "code2", "'../a b/plant.types'"),
                                 ("plant.types", "link", "../../plant.types"),
                                 ("a b/plant.types", "a b", "plant.types"), ("plant.types", "plan", "../plant.types")):
            with self.subTest(types=types, out=out):
                if not (self.folder / types).exists():
                    shutil.copy(self.folder / "plant.types", self.folder / types)
                (self.folder / out).parent.mkdir(exist_ok=True)
                self.hocket("gen", types, "--out", out)
                text = (self.folder / out / "README.md").read_text(encoding="utf-8")
                command = re.search(r"^    (hocket gen .*)$", text, re.MULTILINE)[1]
                self.assertEqual(command, f"hocket gen {said} --out .")
                done = subprocess.run(command.replace("hocket", str(self.options.hocket.resolve()), 1), shell=True,
                                      cwd=self.folder / out, capture_output=True, encoding="utf-8", check=False)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_fused(self):
        """What `gen` writes has no variable outside of components: it is fused, also with an end of the user's."""
        self.tank()
        self.write_user_code()
        self.hocket("build", self.out)
        first = self.record()
        said = self.hocket("run", "plant.system", "--stop-time", "1", "-o", "f.csv", "--fused").stderr
        self.assertNotIn("not fused", said)
        self.assertRegex(said, r"fused +(\d+) of \1 cells")
        self.assertEqual((self.folder / "f.csv").read_bytes(), first)

    def test_own_files(self):
        """A file of C++ beside the generated ones is part of the plugin; what `gen` left is not."""
        if not shutil.which("c++"):
            self.skipTest("there is no C++ compiler")
        self.tank()
        self.write_user_code()
        (self.out / "own.cpp").write_text(self.OWN, encoding="utf-8")
        self.insert("plant_Tank.c", "includes", "double twice(double x);\n")
        self.insert("plant_Tank.c", "doStep", "    self->level = twice(self->level) / 2;\n")
        self.hocket("build", self.out)
        first = self.record()
        (self.out / "plant.so").unlink()
        self.by_cmake()
        self.assertEqual(self.record(), first)
        self.write("plant.types", TANK.replace("LeafComponentType Gauge", "LeafComponentType Dial"))
        self.gen()
        said = self.hocket("build", self.out).stderr
        self.assertIn("plant_Gauge.c: note: 'hocket gen' does not list it any more", said)
        self.by_cmake()


class Wrong(Case):
    def setUp(self):
        super().setUp()
        self.tank()

    def broken(self, change, message):
        path = self.out / "plant_Tank.c"
        good = path.read_bytes()
        path.write_text(change(good.decode()), encoding="utf-8")
        self.write("plant.types", TANK.replace("inflow", "flow"))
        before = self.snapshot()
        done = self.gen(exit=1)
        self.assertRegex(done.stderr, r"plant_Tank\.c:\d+: error\[HK0423\]: .*" + message)
        self.assertEqual(self.snapshot(), before, "nothing is written")
        self.gen("--force", exit=1)
        self.assertEqual(self.snapshot(), before, "nothing is written")
        path.write_bytes(good)

    def test_marks(self):
        begin, end = ("/* user code begin: doStep */\n", "/* user code end: doStep */\n")
        self.broken(lambda text: text.replace(end, ""), "'doStep' is not closed before the next")
        self.broken(lambda text: text.replace(begin, ""), "'doStep' ends here and begins nowhere")
        self.broken(lambda text: text + begin + end, "'doStep' is there twice")
        self.broken(lambda text: text.replace(end, "/* user code end: dostep */\n"),
                    "'doStep' is not closed before another")
        self.broken(lambda text: text + begin.replace("doStep", "x"), "'x' is not closed")
        self.broken(lambda text: text.replace(end, "x(); " + end), "not a mark of a region")
        self.broken(lambda text: text.replace(begin, begin.replace("*/", "")),
                    "not a mark of a region")

    def test_places(self):
        blocked = self.folder / "file"
        blocked.write_text("", encoding="utf-8")
        self.hocket("gen", "plant.types", "--out", blocked / "below", exit=3)
        self.hocket("gen", "plant.types", "--out", "/proc/hocket", exit=3)
        (self.out / "plant.h").unlink()
        (self.out / "plant.h").mkdir()
        before = {path.name for path in self.out.iterdir()}
        self.assertIn("there is a folder", self.gen(exit=3).stderr)
        self.assertEqual({path.name for path in self.out.iterdir()}, before)
        self.hocket("gen", "none.types", exit=3)
        self.write("bad.types", "Declaration x {\n  interfces {}\n}\n")
        self.assertIn("bad.types:2", self.gen(types="bad.types", exit=3).stderr)

    @unittest.skipIf(os.geteuid() == 0, "permissions do not hold for the administrator")
    def test_read_only(self):
        self.write("plant.types", TANK.replace("inflow", "flow"))
        before = self.snapshot()
        self.out.chmod(0o555)
        self.addCleanup(self.out.chmod, 0o755)
        self.gen(exit=3)
        self.assertEqual(self.snapshot(), before)

    def test_no_room(self):
        """Files may not grow beyond a limit, as on a disk that is full."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))
        self.write("plant.types", TANK.replace("inflow", "flow"))
        before = self.snapshot()
        self.assertIn("HK0202", self.gen(exit=3, preexec_fn=limit, restore_signals=False).stderr)
        self.assertEqual(self.snapshot(), before, "all files or none")
        fresh = self.folder / "fresh"
        self.hocket("gen", "plant.types", "--out", fresh, exit=3, run={"preexec_fn": limit, "restore_signals": False})
        self.assertFalse(fresh.exists())


if __name__ == "__main__":
    if not COMPILERS:
        print("skipped: there is no C compiler")
        sys.exit(SKIPPED)
    hocket_case.main()
